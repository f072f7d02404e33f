// Verbs on a file, through the official client, and the table of their answers.

import type { SupabaseClient } from '@supabase/supabase-js';

type Storage = ReturnType<SupabaseClient['storage']['from']>;

export interface Answered {
  readonly error: { readonly statusCode?: string | undefined; readonly message: string } | null;
  readonly data?: unknown;
}

/** `ok`, `none` for an answer with nothing in it, or the code of the refusal. */
export function told({ error, data }: Answered): string {
  if (error !== null) return error.statusCode ?? error.message;
  return Array.isArray(data) && data.length === 0 ? 'none' : 'ok';
}

/** What becomes of the file when the verb is allowed: it stays, is there, is replaced, or is gone. */
type Becomes = 'same' | 'new' | 'replaced' | 'gone';
export interface Verb {
  readonly does: (bucket: Storage, path: string, other: string) => PromiseLike<Answered>;
  readonly becomes: Becomes;
  /** Whether `other` is there afterwards. */
  readonly makesOther?: boolean;
}

const png = { contentType: 'image/png' };
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const fetched = async (url: string): Promise<Answered> => {
  const response = await fetch(url);
  if (response.ok) return { error: null, data: await response.arrayBuffer() };
  return { error: (await response.json()) as { statusCode: string; message: string } };
};

/** `after`: the picture with which one is replaced. */
export const verbsWith = (after: Buffer): Readonly<Record<string, Verb>> => ({
  upload: { does: (bucket, path) => bucket.upload(path, after, png), becomes: 'new' },
  upsert: { does: (bucket, path) => bucket.upload(path, after, { ...png, upsert: true }), becomes: 'replaced' },
  update: { does: (bucket, path) => bucket.update(path, after, png), becomes: 'replaced' },
  download: { does: (bucket, path) => bucket.download(path), becomes: 'same' },
  resize: { does: (bucket, path) => bucket.download(path, { transform: { width: 4, height: 4 } }), becomes: 'same' },
  info: { does: (bucket, path) => bucket.info(path), becomes: 'same' },
  list: {
    does: (bucket, path) => bucket.list(folderOf(path), { search: path.slice(path.lastIndexOf('/') + 1) }),
    becomes: 'same',
  },
  sign: { does: (bucket, path) => bucket.createSignedUrl(path, 60), becomes: 'same' },
  'sign upload': { does: (bucket, path) => bucket.createSignedUploadUrl(path, { upsert: true }), becomes: 'same' },
  move: { does: (bucket, path, other) => bucket.move(path, other), becomes: 'gone', makesOther: true },
  copy: { does: (bucket, path, other) => bucket.copy(path, other), becomes: 'same', makesOther: true },
  remove: { does: (bucket, path) => bucket.remove([path]), becomes: 'gone' },
  'by address': { does: (bucket, path) => fetched(bucket.getPublicUrl(path).data.publicUrl), becomes: 'same' },
});

/**
 * Puts a file, tries the verb on it, and looks at what is there afterwards, as `server` sees it. `kept`: whether that is what the
 * answer says, done where it was allowed and untouched where not.
 */
export async function tryVerb(
  verb: Verb,
  { bucket, server, path, other, before }: Trial,
): Promise<{ result: string; kept: boolean }> {
  if (verb.becomes !== 'new') {
    const { error } = await server.upload(path, before, png);
    if (error !== null) throw error;
  }
  const result = told(await verb.does(bucket, path, other));
  const bytes = async (where: string): Promise<string> => {
    const { data } = await server.download(where);
    if (data === null) return 'gone';
    return Buffer.from(await data.arrayBuffer()).equals(before) ? 'same' : 'replaced';
  };
  const done = verb.becomes === 'new' ? 'replaced' : verb.becomes;
  const left = verb.becomes === 'new' ? 'gone' : 'same';
  const isDone = result === 'ok';
  const kept =
    (await bytes(path)) === (isDone ? done : left) &&
    (await bytes(other)) === (isDone && verb.makesOther === true ? 'same' : 'gone');
  await server.remove([path, other]);
  return { result, kept };
}

interface Trial {
  readonly bucket: Storage;
  /** The same bucket, with the service key. */
  readonly server: Storage;
  readonly path: string;
  readonly other: string;
  readonly before: Buffer;
}
