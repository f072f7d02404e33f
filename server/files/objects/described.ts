// OpenAPI descriptions of the routes of objects, uploads and downloads.

import {
  body,
  type Content,
  choice,
  flag,
  list,
  NOBODY,
  object,
  orNull,
  query,
  refer,
  response,
  type Schema,
  text,
  whole,
} from '../../http/open-api.ts';
import {
  bucket,
  done,
  doneWithMessage,
  download,
  header,
  object_,
  operation,
  refused,
  token,
  upsert,
  version,
} from '../description-terms.ts';
import { transformFields } from '../images/described.ts';

const way = {
  bucketId: text('The bucket'),
  sourceKey: text('The path'),
  destinationKey: text('The new path'),
  'destinationBucket?': text('Another bucket'),
  'sourceVersionId?': version,
};
const expiresIn = whole('Seconds until the link ends', { minimum: 1 });
const manyPaths = { minItems: 1, maxItems: 1000 };
const versions = choice(['exclude', 'include', 'only'], 'Versions are not offered: there are none to include');
const listing = {
  'exactMatch?': flag('Only the object of exactly this name'),
  'noncurrentVersions?': versions,
  'deleteMarkers?': versions,
};
const order = choice(['asc', 'desc']);

const info = {
  parameters: [...object_, query('versionId', 'Not offered here')],
  responses: done(
    'What is known of it',
    object({ id: text(), name: text(), size: whole('Bytes'), content_type: text() }),
  ),
};

export const objectOperations = {
  list: operation('listObjects', 'List a folder', {
    description: 'Pages by offset; folders come first.',
    parameters: [bucket],
    requestBody: body(
      object({
        'prefix?': text('The folder'),
        'limit?': whole('100 unless said, 10,000 at most', { minimum: 1 }),
        'offset?': whole('After how many', { minimum: 0 }),
        'search?': text('How names begin'),
        'sortBy?': object({
          'column?': choice(['name', 'updated_at', 'created_at', 'last_accessed_at']),
          'order?': order,
        }),
        ...listing,
      }),
    ),
    responses: done('Folders and objects', list(refer('StorageObject'))),
  }),
  listPage: operation('listObjectsByCursor', 'List everything that begins so, page by page', {
    parameters: [bucket],
    requestBody: body(
      object({
        'prefix?': text('How names begin'),
        'limit?': whole('1,000 unless said, and at most', { minimum: 1 }),
        'cursor?': text('`nextCursor` of the page before'),
        'with_delimiter?': flag('Folders instead of what is in them'),
        'sortBy?': object({ 'column?': choice(['name', 'updated_at', 'created_at']), 'order?': order }),
        ...listing,
      }),
    ),
    responses: done(
      'A page',
      object({
        hasNext: flag('Whether there are more'),
        'nextCursor?': text(),
        folders: list(object({ name: text(), key: text() })),
        objects: list(refer('StorageObject')),
      }),
    ),
  }),
  info: operation('getObjectInfo', 'What is known of an object', info),
  infoAuthenticated: operation('getObjectInfoAuthenticated', 'What is known of an object', info),
  infoPublic: operation('getPublicObjectInfo', 'What is known of an object in a public bucket', {
    ...info,
    security: NOBODY,
  }),
  move: operation('moveObject', 'Move or rename', {
    requestBody: body(object(way)),
    responses: done('Moved', object({ message: text(), Id: text(), Key: text() })),
  }),
  copy: operation('copyObject', 'Copy', {
    parameters: [upsert],
    requestBody: body(
      object({
        ...way,
        'copyMetadata?': flag('Whether metadata is copied, true unless said'),
        'metadata?': object({ 'mimetype?': text(), 'cacheControl?': text(), 'contentEncoding?': text() }),
      }),
    ),
    responses: done('Copied', object({ Id: text(), Key: text() })),
  }),
  removeMany: operation('removeObjects', 'Remove objects', {
    description: 'Those that the caller may not remove are passed over; the answer lists those that are gone.',
    parameters: [bucket],
    requestBody: body(
      object({
        prefixes: list(
          { anyOf: [text(), object({ path: text(), 'versionId?': version })] } as Schema<
            string | { readonly path: string; readonly versionId?: unknown }
          >,
          'Paths, 1,000 at most',
          manyPaths,
        ),
      }),
    ),
    responses: done('What is gone', list(refer('StorageObject'))),
  }),
  remove: operation('removeObject', 'Remove one object', { parameters: object_, responses: doneWithMessage }),
  sign: operation('signObject', 'Make a link to an object', {
    parameters: object_,
    requestBody: body(object({ expiresIn, 'transform?': object(transformFields), 'versionId?': version })),
    responses: done('The link', object({ signedURL: text('Below /storage/v1') })),
  }),
  signMany: operation('signObjects', 'Make links to several objects', {
    parameters: [bucket],
    requestBody: body(object({ expiresIn, paths: list(text(), '1,000 at most', manyPaths) })),
    responses: done(
      'A link or an error for each',
      list(
        object({
          path: text(),
          error: orNull(text()),
          signedURL: orNull(text()),
        }),
      ),
    ),
  }),
  endLinks: operation('endLinks', 'End all links to an object that were made so far', {
    description: 'Who may change the object ends the links of everybody; who only sees it ends their own.',
    parameters: object_,
    responses: doneWithMessage,
  }),
  signUpload: operation('signUpload', 'Make a link for an upload, good for two hours', {
    parameters: [...object_, upsert],
    responses: done('The link', object({ url: text('Below /storage/v1'), token: text() })),
  }),
};

const bytes: Content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const uploading = {
  description: 'The body as it is, or the first file of a form.',
  requestBody: { required: true, content: { ...bytes, 'multipart/form-data': { schema: { type: 'object' } } } },
  responses: done('It is there', object({ Id: text(), Key: text('Bucket and path') })),
};
const described = [
  header('cache-control', 'As it is sent with downloads'),
  header('x-metadata', 'Base64 of a JSON object'),
];

export const uploadOperations = {
  upload: operation('uploadObject', 'Upload', { ...uploading, parameters: [...object_, upsert, ...described] }),
  replace: operation('replaceObject', 'Upload, and replace what is there', {
    ...uploading,
    parameters: [...object_, ...described],
  }),
  signed: operation('uploadToSignedUrl', 'Upload by a link', {
    ...uploading,
    parameters: [...object_, token, ...described],
    security: NOBODY,
  }),
};

const sent = {
  200: { description: 'The bytes', content: bytes },
  206: { description: 'The range that was asked for', content: bytes },
  304: { description: 'Unchanged' },
  400: refused,
  416: response('No such range', refer('StorageError')),
};
const conditions = [header('range', 'A part: bytes=0-99'), header('if-none-match', 'ETags that are known')];

export const downloadOperations = {
  '': operation('downloadObject', 'Download', { parameters: [...object_, download, ...conditions], responses: sent }),
  '/authenticated': operation('downloadObjectAuthenticated', 'Download', {
    parameters: [...object_, download, ...conditions],
    responses: sent,
  }),
  '/public': operation('downloadPublicObject', 'Download from a public bucket', {
    parameters: [...object_, download, ...conditions],
    responses: sent,
    security: NOBODY,
  }),
  '/sign': operation('downloadSignedObject', 'Download by a link', {
    parameters: [...object_, token, download, ...conditions],
    responses: sent,
    security: NOBODY,
  }),
};
