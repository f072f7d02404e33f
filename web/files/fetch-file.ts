// The bytes of an attachment, asked for with the token in a header: what is shown from them has an address of this page alone. And links
// that work without it.

import type { Door } from '../sync/door.ts';
import type { Sync } from '../sync/sync.ts';
import { askFiles, askFilesInJson, encodePath } from './file-door.ts';

export interface Wanted {
  /** A picture made smaller by the server, to fit into so many pixels either way. */
  readonly fit?: number;
  /** No more than so many bytes of its beginning. */
  readonly first?: number;
  readonly signal?: AbortSignal;
}

export function fetchFile(door: Door, path: string, { fit, first, signal }: Wanted = {}): Promise<Response> {
  const file = `authenticated/attachments/${encodePath(path)}`;
  const address =
    fit === undefined ? `object/${file}` : `render/image/${file}?width=${fit}&height=${fit}&resize=contain`;
  return askFiles(door, address, {
    headers: first === undefined ? {} : { range: `bytes=0-${first - 1}` },
    ...(signal ? { signal } : {}),
  });
}

/** A link that works for whoever has it, for a short time: for what a browser fetches by itself, piece by piece. */
export async function signFile(door: Door, file: string, seconds: number, saveAs?: string): Promise<string> {
  const path = `object/sign/${encodePath(file)}`;
  const { signedURL } = await askFilesInJson<{ signedURL: string }>(door, 'POST', path, { expiresIn: seconds });
  const download = saveAs === undefined ? '' : `&${new URLSearchParams({ download: saveAs })}`;
  // The file stands in it as it is called, which need not be an address.
  return `${location.origin}/storage/v1/${path}${signedURL.slice(signedURL.lastIndexOf('?'))}${download}`;
}

/** An address that downloads an export, for ten minutes. */
export const linkExport = ({ door }: Sync, path: string): Promise<string> => signFile(door, `exports/${path}`, 600, '');
