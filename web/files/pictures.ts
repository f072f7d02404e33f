// Pictures from the bucket as addresses that images of this page can show: each size is fetched once, kept while someone shows it and a
// while longer, then let go.

import { useCallback, useEffect, useState } from 'react';
import { useSync } from '../sync/react.tsx';
import type { Sync } from '../sync/sync.ts';
import { fetchFile } from './fetch-file.ts';

export interface Picture {
  /** Null while it is on its way, or when there is none. */
  readonly url: string | null;
  readonly failed: boolean;
}

interface Held {
  picture: Picture;
  users: number;
  readonly ready: Promise<Picture>;
}

const spare = 60;
const waiting: Picture = { url: null, failed: false };
/** Of each person who is signed in; nothing of them stays when they go. */
const albums = new WeakMap<Sync, Map<string, Held>>();

function albumOf(sync: Sync): Map<string, Held> {
  const known = albums.get(sync);
  if (known) return known;
  const album = new Map<string, Held>();
  albums.set(sync, album);
  sync.whenClosed(() => {
    for (const { picture } of album.values()) if (picture.url !== null) URL.revokeObjectURL(picture.url);
    album.clear();
  });
  return album;
}

const nameOf = (path: string | null, fit: number): string => `${fit} ${path}`;

/** `fit`: pixels either way; 0: as it is. Gives it back with what lets it go. */
function hold(sync: Sync, path: string, fit: number): { readonly entry: Held; release(): void } {
  const album = albumOf(sync);
  const name = nameOf(path, fit);
  const entry = album.get(name) ?? load(sync, path, fit);
  // The last used stands last.
  album.delete(name);
  album.set(name, entry);
  entry.users++;
  return {
    entry,
    release() {
      entry.users--;
      // What failed may be there the next time.
      if (entry.users === 0 && entry.picture.failed) album.delete(name);
      letGo(album);
    },
  };
}

function load({ door }: Sync, path: string, fit: number): Held {
  // Drawings have no size of their own.
  const isDrawing = path.toLowerCase().endsWith('.svg');
  const ready = fetchFile(door, path, fit === 0 || isDrawing ? {} : { fit })
    .then((response) => response.blob())
    .then(
      (blob): Picture => ({ url: URL.createObjectURL(blob), failed: false }),
      (): Picture => ({ url: null, failed: true }),
    );
  const entry: Held = { picture: waiting, users: 0, ready };
  void ready.then((picture) => {
    entry.picture = picture;
  });
  return entry;
}

function letGo(album: Map<string, Held>): void {
  const unused = [...album].filter(([, { users, picture }]) => users === 0 && picture !== waiting);
  for (const [name, { picture }] of unused.slice(0, Math.max(0, unused.length - spare))) {
    album.delete(name);
    if (picture.url !== null) URL.revokeObjectURL(picture.url);
  }
}

/** The picture at a path; null: none is wanted. */
export function usePicture(path: string | null, fit: number): Picture {
  const sync = useSync();
  const [shown, setShown] = useState<{ readonly name: string; readonly picture: Picture } | null>(null);
  const name = nameOf(path, fit);
  useEffect(() => {
    if (path === null) return undefined;
    const { entry, release } = hold(sync, path, fit);
    let here = true;
    const show = (picture: Picture): void => {
      if (here) setShown({ name, picture });
    };
    if (entry.picture === waiting) void entry.ready.then(show);
    else show(entry.picture);
    return () => {
      here = false;
      release();
    };
  }, [sync, path, fit, name]);
  if (path === null) return waiting;
  // What is here already is shown at once, without a blink.
  return shown?.name === name ? shown.picture : (albumOf(sync).get(name)?.picture ?? waiting);
}

export interface Borrowed {
  readonly picture: Picture;
  release(): void;
}

/** For what is not drawn by React. */
export function useBorrowPicture(): (path: string, fit: number) => Promise<Borrowed> {
  const sync = useSync();
  return useCallback(
    async (path, fit) => {
      const { entry, release } = hold(sync, path, fit);
      return { picture: await entry.ready, release };
    },
    [sync],
  );
}
