// Rules for names of buckets and objects, and their place in an address.

import type { FastifyRequest } from 'fastify';
import { readPath } from '../http/read-parameters.ts';
import { bucket, object_ } from './description-terms.ts';
import { filesError } from './errors.ts';

export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

const bucketPattern = /^[\w!.*'() &$@=;:+,?-]{1,100}$/;
/** Supabase's characters, and letters and digits of every script. */
const keyPattern = /^[\p{L}\p{M}\p{N}_/!.*'() &$@=;:+,?-]+$/u;

export function checkBucketName(name: unknown): string {
  if (typeof name !== 'string' || !bucketPattern.test(name) || name.trim() !== name || /^\.{1,2}$/.test(name))
    throw filesError('InvalidBucketName', 'Bucket name invalid');
  return name;
}

export function checkKey(key: unknown): string {
  if (
    typeof key !== 'string' ||
    !keyPattern.test(key) ||
    Buffer.byteLength(key) > 1024 ||
    key.split('/').some((part) => part === '' || part === '.' || part === '..')
  )
    throw filesError('InvalidKey', `Invalid key: ${String(key).slice(0, 200)}`);
  return key;
}

/** Of an address that ends in :bucket/*. */
export function nameInAddress(request: FastifyRequest): ObjectName {
  const { bucket, path } = readPath(request, { parameters: object_ });
  return { bucket, key: checkKey(path) };
}

/** Of an address that names a bucket alone. */
export function bucketIn(request: FastifyRequest): string {
  return readPath(request, { parameters: [bucket] }).bucket;
}

/** Twice in a head, at twelve bytes a letter: clients read 16 kB of those. No disk takes so long a name. */
const longestFilename = 500;

/** The header that has a file saved under this name. */
export function attachmentNamed(filename: string): string {
  const encoded = encodeURIComponent([...filename].slice(0, longestFilename).join('')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

/** Of a folder, as its name begins those of what is in it. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
