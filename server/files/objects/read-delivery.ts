// Who downloads, and so whose policies say whether there is anything: by token, of a public bucket, or by signed URL. The same for objects as
// they are and for images made of them.

import type { FastifyRequest } from 'fastify';
import { type FilesContext, sessionOf } from '../files-context.ts';
import { nameInAddress } from '../names.ts';
import { serverCaller } from '../server-caller.ts';
import { readObject, readPublicObject } from './object-row.ts';
import type { Delivery } from './send-object.ts';

/** What stands in the address before the bucket. */
export const accesses = ['', '/authenticated', '/public', '/sign'] as const;
export type Access = (typeof accesses)[number];

export interface Download {
  readonly delivery: Delivery;
  /** Of a signed URL that is good for a resized image alone. */
  readonly transformations: string | null;
}

export async function readDelivery(files: FilesContext, request: FastifyRequest, access: Access): Promise<Download> {
  const name = nameInAddress(request);
  switch (access) {
    case '':
    case '/authenticated': {
      const { caller } = await sessionOf(files, request);
      return { delivery: { find: () => readObject(files, caller, name), isPrivate: true }, transformations: null };
    }
    case '/public':
      return { delivery: { find: () => readPublicObject(files, name), isPrivate: false }, transformations: null };
    case '/sign': {
      const { token } = request.query as { token?: unknown };
      const { secondsLeft, transformations } = await files.links.readDownload(token, name);
      const find = () => readObject(files, serverCaller, name);
      return { delivery: { find, isPrivate: true, secondsLeft }, transformations };
    }
  }
}
