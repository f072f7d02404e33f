// Errors of /storage/v1. Clients know their codes, words and shape from Supabase's storage; only `renderFilesError` writes them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { exhausted } from '../database/errors.ts';
import { PostgresError } from '../database/types.ts';
import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';
import { asCatalogError, whereToLook } from '../http/render-error.ts';
import { SessionFault } from '../session/types.ts';
import { arrivalOf, hideObjects } from './hide-objects.ts';

export const filesErrors = declareErrors({
  NoSuchBucket: {
    status: 404,
    when: 'There is no such bucket, or it is not public and was asked for without a token.',
    next: 'Check the name of the bucket; download from a private bucket with a token or a signed URL.',
  },
  NoSuchKey: {
    status: 404,
    when: 'There is no such object, or no policy lets the caller see it.',
    next: 'Check the path, and the policies for select on storage.objects.',
  },
  InvalidJWT: {
    status: 400,
    when: 'There is no API key or token, it is not valid, or a signed URL has expired.',
    next: 'Sign in again, or ask for a new signed URL.',
  },
  InvalidSignature: {
    status: 400,
    when: 'A signed URL is used for another path than it was made for.',
    next: 'Use the URL as it came.',
  },
  InvalidRequest: {
    status: 400,
    when: 'The body or a header of the request is not valid here.',
    next: 'The message says what is wrong with it.',
  },
  InvalidBucketName: {
    status: 400,
    when: 'A bucket is to be made with a name that is empty, longer than 100 characters, or holds other than letters, digits and simple signs.',
    next: 'Choose a name of letters, digits and - _ .',
  },
  InvalidKey: {
    status: 400,
    when: 'A path is empty, longer than 1,024 bytes, has an empty part, . or .., or holds other than letters, digits, / and simple signs.',
    next: 'Choose another path.',
  },
  InvalidRange: {
    status: 416,
    when: 'The Range header asks for bytes that the object does not have.',
    next: 'Ask for bytes within its size.',
  },
  InvalidMimeType: {
    status: 415,
    when: 'The bucket does not take this media type, or the bytes are of another kind than their type says.',
    next: 'Send the right Content-Type, or allow the type for the bucket.',
  },
  EntityTooLarge: {
    status: 413,
    when: 'A file is larger than its bucket or STORAGE_FILE_SIZE_LIMIT allows.',
    next: 'Send a smaller file, or raise the limit.',
  },
  QuotaExceeded: {
    status: 413,
    when: 'The files of the project, or all files together, would have more bytes than STORAGE_PROJECT_QUOTA_BYTES or STORAGE_QUOTA_BYTES allow, uploads under way included.',
    next: 'Remove files that are not needed, finish or give up uploads, or raise the quota.',
  },
  TooManyUploads: {
    status: 429,
    when: 'A person has 100 resumable uploads that are not finished.',
    next: 'Finish or cancel some; an unfinished upload expires within a day.',
  },
  AccessDenied: {
    status: 403,
    when: 'No policy on storage.objects or storage.buckets lets the caller do this.',
    next: 'Sign in as someone who may, or write a policy.',
  },
  KeyAlreadyExists: {
    status: 409,
    when: 'There is an object at this path already.',
    next: 'Choose another path, or upload with upsert.',
  },
  BucketAlreadyExists: {
    status: 409,
    when: 'There is a bucket with this name already.',
    next: 'Use it, or choose another name.',
  },
  BucketNotEmpty: {
    status: 409,
    when: 'A bucket is to be deleted that still holds objects.',
    next: 'Empty it first.',
  },
  FeatureNotEnabled: {
    status: 409,
    when: 'Something of the protocol is asked for that this service does not offer: the message names it.',
    next: 'docs/build/files.md says what there is.',
  },
  NoSuchUpload: {
    status: 404,
    when: 'A resumable upload is gone on with that was never begun, was given up, has been silent for a day, or got no byte within an hour.',
    next: 'Begin it anew.',
  },
  ImageProcessingError: {
    status: 422,
    when: 'An object is to be resized that is not a PNG, JPEG, WebP, GIF or AVIF image, is broken, or has too many bytes or pixels.',
    next: 'Download it as it is; the message says what is wrong with it.',
  },
  SlowDown: {
    status: 503,
    when: 'Too many images are waiting to be resized.',
    next: 'Try again after a moment.',
  },
  StorageFull: {
    status: 507,
    when: 'The file store has no room for the upload; nothing of it is kept.',
    next: 'Ask your administrator to free up space on the disk of STORAGE_DIR.',
  },
  StorageUnwritable: {
    status: 503,
    when: 'The disk of the file store is read-only, broken, or belongs to somebody else, or the server has no file handles left; nothing of the upload is kept.',
    next: 'Ask your administrator to check the disk of STORAGE_DIR and the limit of open files, then try again.',
  },
});

export type FilesCode = keyof typeof filesErrors;

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

export function filesError(code: FilesCode, message: string, words: Omit<ErrorWords, 'message'> = {}) {
  return new CatalogError(code, filesErrors[code].status, { ...words, message });
}

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
  const isTooMany = error.status === 429;
  const code = isOurs || isTooMany ? error.code : error.status < 500 ? 'InvalidRequest' : 'InternalError';
  const message = wordsOf(error, requestId);
  return {
    status: error.status >= 500 || error.status === 416 || isTooMany ? error.status : 400,
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
      return filesError('InvalidRequest', thrown.message);
    default:
      return exhausted(thrown);
  }
}
