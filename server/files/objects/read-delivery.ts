// Finds the caller of a download, whose policies apply: by token, public bucket or signed URL. The same for objects and for images made of
// them.

import type { IncomingHttpHeaders } from 'node:http';
import { type FilesContext, sessionOf } from '../files-context.ts';
import type { ObjectName } from '../names.ts';
import { type ObjectRow, readLinkedObject, readObject, readPublicObject } from './object-row.ts';

/** What stands in the address before the bucket. */
export const accesses = ['', '/authenticated', '/public', '/sign'] as const;
export type Access = (typeof accesses)[number];

/** Of a request, whichever way it came, what an answer with bytes depends on. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly name: ObjectName;
  /** Under which name to save it; empty: its own. */
  readonly download: string | undefined;
  readonly token: string | undefined;
}

export interface Delivery {
  /** Reads the row again when its bytes have just been replaced. */
  readonly find: () => Promise<ObjectRow>;
  /** Only the one who asked may keep a copy. */
  readonly isPrivate: boolean;
  /** Without a token, so that a browser may be sent on to another address for it. */
  readonly isByAddress: boolean;
  /** A copy is kept no longer than the link is good for. */
  readonly secondsLeft?: number;
}

export interface Download {
  readonly delivery: Delivery;
  /** Of a signed URL that is good for a resized image alone. */
  readonly transformations: string | null;
}

export async function readDelivery(files: FilesContext, asked: Asked, access: Access): Promise<Download> {
  const { name } = asked;
  switch (access) {
    case '':
    case '/authenticated': {
      const { caller } = await sessionOf(files, asked);
      return {
        delivery: { find: () => readObject(files, caller, name), isPrivate: true, isByAddress: false },
        transformations: null,
      };
    }
    case '/public':
      return {
        delivery: { find: () => readPublicObject(files, name), isPrivate: false, isByAddress: true },
        transformations: null,
      };
    case '/sign': {
      const { secondsLeft, transformations } = await files.links.readDownload(asked.token, name);
      const find = () => readLinkedObject(files, name);
      return { delivery: { find, isPrivate: true, isByAddress: true, secondsLeft }, transformations };
    }
  }
}

/** The first of each, where a parameter stands in the address several times. */
export function askedBy(
  request: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders },
  name: ObjectName,
): Asked {
  const { method, url, headers } = request;
  const at = url.indexOf('?');
  const query = at < 0 ? null : new URLSearchParams(url.slice(at + 1));
  return {
    ...{ method, url, headers, name },
    download: query?.get('download') ?? undefined,
    token: query?.get('token') ?? undefined,
  };
}
