// Files that another app shares: the worker keeps them on this device (service-worker.js) until they hang on a task, or nobody wants them.

const cacheName = 'kanbase-shared';

/** None where the address speaks of none, or they are gone. */
export async function readSharedFiles(query: URLSearchParams): Promise<File[]> {
  if (!query.has('files') || !('caches' in window)) return [];
  const cache = await caches.open(cacheName);
  const responses = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  return Promise.all(responses.filter((one) => one !== undefined).map(fileOf));
}

async function fileOf(response: Response): Promise<File> {
  const type = response.headers.get('content-type') ?? '';
  return new File([await response.blob()], decodeURIComponent(response.headers.get('x-name') ?? ''), { type });
}

export async function forgetSharedFiles(): Promise<void> {
  if ('caches' in window) await caches.delete(cacheName);
}
