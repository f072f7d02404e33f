// The uploads of the person who is signed in, as React sees them.

import { useCallback, useSyncExternalStore } from 'react';
import { useSync } from '../sync/react.tsx';
import type { Sync } from '../sync/sync.ts';
import { fetchFile, signFile, type Wanted } from './fetch-file.ts';
import { openUploads, type Upload, type Uploads } from './uploads.ts';

const opened = new WeakMap<Sync, Uploads>();

function uploadsOf(sync: Sync): Uploads {
  const known = opened.get(sync);
  if (known) return known;
  const uploads = openUploads(sync);
  opened.set(sync, uploads);
  sync.whenClosed(uploads.close);
  return uploads;
}

export function useUploads(): Uploads {
  return uploadsOf(useSync());
}

/** All that is on its way; draws again with every change. */
export function useUploadList(): readonly Upload[] {
  const uploads = useUploads();
  return useSyncExternalStore(uploads.subscribe, () => uploads.list);
}

/** A short-lived link to a file, for what a browser fetches by itself. */
export function useSignFile(): (path: string, seconds: number, saveAs?: string) => Promise<string> {
  const { door } = useSync();
  return useCallback((path, seconds, saveAs) => signFile(door, `attachments/${path}`, seconds, saveAs), [door]);
}

/** The bytes of a file, or of its beginning. */
export function useFetchFile(): (path: string, wanted: Wanted) => Promise<Response> {
  const { door } = useSync();
  return useCallback((path, wanted) => fetchFile(door, path, wanted), [door]);
}
