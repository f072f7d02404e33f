// Records the address and the headers of every request of a page, as a proxy's log would.

import type { Page } from 'playwright-core';

/** Resolves with the requests so far whose address or headers hold this secret. */
export type RequestsWith = (secret: string) => Promise<readonly string[]>;

export function noteRequests(page: Page): RequestsWith {
  const noted: Promise<string>[] = [];
  page.on('request', (request) => {
    noted.push(
      request.allHeaders().then(
        (headers) => `${request.method()} ${request.url()} ${JSON.stringify(headers)}`,
        () => `${request.method()} ${request.url()}`,
      ),
    );
  });
  return async (secret) => {
    const all = await Promise.all(noted);
    if (all.length === 0) throw new Error('No request was noted');
    return all.filter((line) => decodeURIComponent(line.replaceAll(/%(?![\da-f]{2})/gi, '%25')).includes(secret));
  };
}
