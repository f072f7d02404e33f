// OpenAPI descriptions of the routes of objects, uploads and downloads.

import { body, type Content, NOBODY, object, refer, response, text } from '../../http/open-api.ts';
import {
  bucket,
  done,
  doneWithMessage,
  download,
  flag,
  header,
  list,
  object_,
  operation,
  refused,
  token,
  upsert,
  whole,
} from '../description-terms.ts';
import { transformFields } from '../images/described.ts';

const way = {
  bucketId: text('The bucket'),
  sourceKey: text('The path'),
  destinationKey: text('The new path'),
  'destinationBucket?': text('Another bucket'),
};
const expiresIn = whole('Seconds until the link ends');

const info = {
  parameters: object_,
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
        'limit?': whole('100 unless said'),
        'offset?': whole('After how many'),
        'search?': text('How names begin'),
        'sortBy?': object({ 'column?': text(), 'order?': text(undefined, { enum: ['asc', 'desc'] }) }),
      }),
    ),
    responses: done('Folders and objects', list(refer('StorageObject'))),
  }),
  listPage: operation('listObjectsByCursor', 'List everything that begins so, page by page', {
    parameters: [bucket],
    requestBody: body(
      object({
        'prefix?': text('How names begin'),
        'limit?': whole('1,000 unless said'),
        'cursor?': text('`nextCursor` of the page before'),
        'with_delimiter?': flag('Folders instead of what is in them'),
        'sortBy?': object({ 'column?': text(), 'order?': text(undefined, { enum: ['asc', 'desc'] }) }),
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
        'metadata?': object({ 'mimetype?': text(), 'cacheControl?': text() }),
      }),
    ),
    responses: done('Copied', object({ Id: text(), Key: text() })),
  }),
  removeMany: operation('removeObjects', 'Remove objects', {
    description: 'Those that the caller may not remove are passed over; the answer lists those that are gone.',
    parameters: [bucket],
    requestBody: body(object({ prefixes: list(text(), 'Paths, 1,000 at most') })),
    responses: done('What is gone', list(refer('StorageObject'))),
  }),
  remove: operation('removeObject', 'Remove one object', { parameters: object_, responses: doneWithMessage }),
  sign: operation('signObject', 'Make a link to an object', {
    parameters: object_,
    requestBody: body(object({ expiresIn, 'transform?': object(transformFields) })),
    responses: done('The link', object({ signedURL: text('Below /storage/v1') })),
  }),
  signMany: operation('signObjects', 'Make links to several objects', {
    parameters: [bucket],
    requestBody: body(object({ expiresIn, paths: list(text(), '1,000 at most') })),
    responses: done(
      'A link or an error for each',
      list(
        object({
          path: text(),
          error: text(undefined, { type: ['string', 'null'] }),
          signedURL: text(undefined, { type: ['string', 'null'] }),
        }),
      ),
    ),
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
