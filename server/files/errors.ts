// Errors of /storage/v1. Clients know their codes, words and shape from Supabase's storage; only `renderFilesError` writes them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { exhausted } from '../database/errors.ts';
import { PostgresError } from '../database/types.ts';
import { CatalogError, declareErrors, errorsOf } from '../errors.ts';
import { asCatalogError, whereToLook } from '../http/render-error.ts';
import { SessionFault } from '../session/types.ts';
import { arrivalOf, hideObjects } from './hide-objects.ts';

export const filesErrors = declareErrors({
  NoSuchBucket: {
    status: 404,
    when: 'No such bucket, or a private one without a token.',
    next: 'Check the name; private: send a token or use a signed URL.',
  },
  NoSuchKey: {
    status: 404,
    when: 'No such object, or no policy shows it.',
    next: 'Check the path and select policies on storage.objects.',
  },
  InvalidJWT: {
    status: 400,
    when: 'The API key or token is missing or invalid, or the signed URL has expired.',
    next: 'Sign in again, or get a new URL.',
  },
  InvalidSignature: {
    status: 400,
    when: 'A signed URL for another path.',
    next: 'Use the URL as it came.',
  },
  InvalidRequest: {
    status: 400,
    when: 'Invalid body or header.',
    next: 'The message says what.',
  },
  InvalidBucketName: {
    status: 400,
    when: 'The name is empty, over 100 characters, or holds other than letters, digits and simple signs.',
    next: 'Use letters, digits and - _ .',
  },
  InvalidKey: {
    status: 400,
    when: 'The path is empty, over 1,024 bytes, has an empty part, . or .., or other than letters, digits, / and simple signs.',
    next: 'Choose another path.',
  },
  InvalidRange: {
    status: 416,
    when: 'Range lies outside the object.',
    next: 'Ask within its size.',
  },
  InvalidMimeType: {
    status: 415,
    when: 'The bucket refuses this media type, or the bytes are of another kind.',
    next: 'Send the right Content-Type, or allow it.',
  },
  EntityTooLarge: {
    status: 413,
    when: 'A file exceeds its bucket’s limit or STORAGE_FILE_SIZE_LIMIT.',
    next: 'Send less, or raise it.',
  },
  QuotaExceeded: {
    status: 413,
    when: 'The project’s files would exceed STORAGE_PROJECT_QUOTA_BYTES, or all files STORAGE_QUOTA_BYTES, running uploads included.',
    next: 'Remove files, finish or give up uploads, or raise the quota.',
  },
  TooManyUploads: {
    status: 429,
    when: '100 unfinished resumable uploads of one person.',
    next: 'Finish or give up some; abandoned ones expire within a day.',
  },
  AccessDenied: {
    status: 403,
    when: 'No policy on storage.objects or storage.buckets allows it.',
    next: 'Sign in as someone who may, or write one.',
  },
  KeyAlreadyExists: {
    status: 409,
    when: 'An object has this path.',
    next: 'Use another, or upsert.',
  },
  BucketAlreadyExists: {
    status: 409,
    when: 'The bucket exists.',
    next: 'Use it, or another name.',
  },
  BucketNotEmpty: {
    status: 409,
    when: 'A bucket to delete still holds objects.',
    next: 'Empty it first.',
  },
  FeatureNotEnabled: {
    status: 409,
    when: 'Not offered; the message says what.',
    next: 'See docs/build/files.md.',
  },
  NoSuchUpload: {
    status: 404,
    when: 'The resumable upload was never begun, given up, silent for a day, or got no byte within an hour.',
    next: 'Begin it anew.',
  },
  ImageProcessingError: {
    status: 422,
    when: 'Resizing something other than PNG, JPEG, WebP, GIF or AVIF, a broken image, or too many bytes or pixels.',
    next: 'Download it as it is; the message says why.',
  },
  SlowDown: {
    status: 503,
    when: 'Too many images wait to be resized.',
    next: 'Try again.',
  },
  StorageFull: {
    status: 507,
    when: 'No room for the upload; nothing is kept.',
    next: 'Have the administrator free space on STORAGE_DIR’s disk.',
  },
  StorageUnwritable: {
    status: 503,
    when: 'The file store’s disk is read-only, broken or somebody else’s, or no file handles are left; nothing is kept.',
    next: 'Have the administrator check STORAGE_DIR’s disk and the limit of open files.',
  },
});

/** The field `error`, where older clients look, differs from the code in these. */
const olderNames: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Bucket not found',
  NoSuchKey: 'not_found',
  InvalidBucketName: 'Invalid Input',
  InvalidRange: 'invalid_range',
  InvalidMimeType: 'invalid_mime_type',
  EntityTooLarge: 'Payload too large',
  AccessDenied: 'Unauthorized',
  KeyAlreadyExists: 'Duplicate',
  BucketAlreadyExists: 'Duplicate',
};

export const filesError = errorsOf(filesErrors);

export const noSuchBucket = () => filesError('NoSuchBucket', 'Bucket not found');
export const noSuchKey = () => filesError('NoSuchKey', 'Object not found');
export const tooLarge = () => filesError('EntityTooLarge', 'The object exceeded the maximum allowed size');
export const notOffered = (what: string) => filesError('FeatureNotEnabled', `${what} is not offered by this service`);

/** What any part of this room threw, as an error of a catalog; null when it is none. */
export function toFilesError(thrown: unknown): CatalogError | null {
  return thrown instanceof CatalogError ? thrown : translate(thrown);
}

const bucketKey = 'objects_bucket_id_fkey';

/** What a delete of a bucket that holds objects ends with; Postgres 18 gave that a state of its own. */
export const isNotEmpty = (thrown: unknown): boolean =>
  thrown instanceof PostgresError &&
  ['23001', '23503'].includes(thrown.sqlstate) &&
  thrown.fields.constraint === bucketKey;

/** As it goes over the wire. */
export interface FilesResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly statusCode: string;
    readonly code: string;
    readonly error: string;
    readonly message: string;
  };
}

export function describeRefusal(error: CatalogError, requestId: string): FilesResponse {
  const isOurs = Object.hasOwn(filesErrors, error.code);
  const isPlain = error.status === 429 || /^KB02[2356]$/.test(error.code);
  const code = isOurs || isPlain ? error.code : error.status < 500 ? 'InvalidRequest' : 'InternalError';
  const message = wordsOf(error, requestId);
  return {
    status: error.status >= 500 || error.status === 416 || isPlain ? error.status : 400,
    headers: { 'cache-control': 'no-store', ...error.headers },
    body: { statusCode: String(error.status), code, error: olderNames[code] ?? code, message },
  };
}

/** The protocol has no place for a hint, and none for the id of a request. */
export const wordsOf = ({ message, status }: CatalogError, requestId: string): string =>
  status >= 500 ? `${message}. ${whereToLook(requestId)}` : message;

export async function renderFilesError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = toFilesError(thrown) ?? asCatalogError(thrown, request);
  await hideObjects(arrivalOf(reply), error);
  const { status, headers, body } = describeRefusal(error, request.id);
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

/** Refusals of tokens, and what Postgres says when a policy or a constraint is in the way. */
function translate(thrown: unknown): CatalogError | null {
  // The words of Supabase's storage for no token at all, or what is none; clients show them as they are.
  if (thrown instanceof SessionFault) {
    const isNone = thrown.fault === 'missing' || thrown.fault === 'no_bearer' || thrown.fault === 'malformed';
    return filesError('InvalidJWT', isNone ? 'Invalid Compact JWS' : thrown.message);
  }
  if (!(thrown instanceof PostgresError)) return null;
  const { constraint, table, routine } = thrown.fields;
  switch (thrown.sqlstate) {
    case '42501':
      return filesError(
        'AccessDenied',
        routine === 'ExecWithCheckOptions' ? 'new row violates row-level security policy' : thrown.message,
      );
    case 'KB024':
      return new CatalogError('KB024', 429, { message: `${thrown.message}: ${thrown.hint ?? ''}` });
    case 'KB022':
    case 'KB023':
    case 'KB025':
    case 'KB026':
      return new CatalogError(thrown.sqlstate, 409, {
        message: `${thrown.message}: ${thrown.hint ?? ''}`,
      });
    case '23505':
      if (table === 'buckets') return filesError('BucketAlreadyExists', 'The resource already exists');
      return constraint === 'objects_bucket_id_name_key'
        ? filesError('KeyAlreadyExists', 'The resource already exists')
        : null;
    // Of the two ends of the key it is an object that has no bucket; `isNotEmpty` is for who deletes a bucket.
    case '23503':
      return constraint === bucketKey ? noSuchBucket() : null;
    // A value that a trigger or check of somebody's own turns away.
    case '23514':
    case 'P0001':
    case '22P02':
    // A zero byte, which no text of Postgres holds.
    case '22021':
    case '22P05':
    case '22023':
      return filesError('InvalidRequest', thrown.message);
    default:
      return exhausted(thrown);
  }
}
