// The bytes of an attachment, asked for with the token in a header: what is shown from them has an address of this page alone.

import type { Door } from '../sync/door.ts';
import { authHeaders } from './auth-headers.ts';
import { readRefusal } from './read-refusal.ts';

export interface Wanted {
  /** A picture made smaller by the server, to fit into so many pixels either way. */
  readonly fit?: number;
  /** No more than so many bytes of its beginning. */
  readonly first?: number;
  readonly signal?: AbortSignal;
}

export async function fetchFile(door: Door, path: string, { fit, first, signal }: Wanted = {}): Promise<Response> {
  const key = path.split('/').map(encodeURIComponent).join('/');
  const address =
    fit === undefined
      ? `/storage/v1/object/authenticated/attachments/${key}`
      : `/storage/v1/render/image/authenticated/attachments/${key}?width=${fit}&height=${fit}&resize=contain`;
  const response = await fetch(address, {
    headers: { ...(await authHeaders(door)), ...(first === undefined ? {} : { range: `bytes=0-${first - 1}` }) },
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw readRefusal(await response.text(), response.status);
  return response;
}

/** A link that works for whoever has it, for a short time: for what a browser fetches by itself, piece by piece. */
export async function signFile(door: Door, path: string, seconds: number, saveAs?: string): Promise<string> {
  const { data, error } = await door.storage
    .from('attachments')
    .createSignedUrl(path, seconds, saveAs === undefined ? {} : { download: saveAs });
  if (error) throw error;
  return data.signedUrl;
}
