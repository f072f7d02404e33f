// What the routes of /storage/v1 say of themselves in /openapi.json.

import {
  body,
  CALLER,
  type Content,
  NOBODY,
  type Operation,
  object,
  type Parameter,
  query,
  refer,
  response,
  type Schema,
  text,
} from '../http/open-api.ts';

const tags = ['Files'];
const inPath = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});
const bucket = inPath('bucket', 'The bucket');
const object_ = [bucket, inPath('path', 'The path of the object in it')];
const upload = inPath('upload', 'As `Location` gave it');
const upsert = header('x-upsert', '`true` replaces what is there');
const download = query('download', 'Saved, under this name; empty: under its own');
const token = query('token', 'Of the link', { required: true });
const bytes: Content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const refused = response('Refused: `statusCode` and `code` say why', refer('StorageError'));
const whole = (description: string, more: Schema = {}): Schema => ({ type: 'integer', description, ...more });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description === undefined ? {} : { description }),
});
const done = (description: string, schema?: Schema): Operation['responses'] => ({
  200: response(description, schema),
  400: refused,
});
const doneWithMessage = done('Done', object({ message: text() }));

const bucketOptions = {
  'public?': flag('Whether everybody downloads by address'),
  'file_size_limit?': text('Bytes an object may have, such as 5MB', { type: ['string', 'integer', 'null'] }),
  'allowed_mime_types?': { ...list(text()), type: ['array', 'null'], description: 'Such as image/png or image/*' },
};
const transformFields = {
  'width?': whole('Up to 2,500'),
  'height?': whole('Up to 2,500'),
  'resize?': text(undefined, { enum: ['cover', 'contain', 'fill'] }),
  'quality?': whole('20 to 100'),
  'format?': text(undefined, { enum: ['origin', 'webp', 'avif'] }),
};
const way = {
  bucketId: text('The bucket'),
  sourceKey: text('The path'),
  destinationKey: text('The new path'),
  'destinationBucket?': text('Another bucket'),
};
const expiresIn = whole('Seconds until the link ends');
const listed = {
  name: text(),
  id: text('None for folders', { type: ['string', 'null'] }),
  created_at: text(undefined, { type: ['string', 'null'] }),
  updated_at: text(undefined, { type: ['string', 'null'] }),
  last_accessed_at: text(undefined, { type: ['string', 'null'] }),
  metadata: { type: ['object', 'null'], description: 'Size, media type, ETag and caching' } as Schema,
};

export const filesTerms = {
  tags: [{ name: 'Files', description: 'Buckets and objects, under policies.' }],
  schemas: {
    StorageError: object({
      statusCode: text('The status that belongs to it; the answer itself is 400 below 500, as clients expect'),
      code: text('As in the list of errors'),
      error: text('The same for older clients'),
      message: text('For people'),
    }),
    Bucket: object({
      id: text(),
      name: text(),
      public: flag('Whether everybody downloads by address'),
      file_size_limit: whole('Bytes an object may have', { type: ['integer', 'null'] }),
      allowed_mime_types: { ...list(text()), type: ['array', 'null'] },
      owner: text(undefined, { type: ['string', 'null'] }),
      created_at: text(),
      updated_at: text(),
    }),
    StorageObject: object(listed),
  },
};

const operation = (
  operationId: string,
  summary: string,
  more: Omit<Operation, 'operationId' | 'summary' | 'tags' | 'security'> & Partial<Operation>,
): Operation => ({
  operationId,
  tags,
  summary,
  security: CALLER,
  ...more,
});

export const bucketOperations = {
  create: operation('createBucket', 'Make a bucket', {
    requestBody: body(object({ name: text(), 'id?': text('The name unless said'), ...bucketOptions })),
    responses: done('It is there', object({ name: text() })),
  }),
  list: operation('listBuckets', 'List buckets', {
    parameters: [
      query('limit', 'How many'),
      query('offset', 'After how many'),
      query('search', 'What its name holds'),
      query('sortColumn', 'id, name, created_at or updated_at'),
      query('sortOrder', 'asc or desc'),
    ],
    responses: done('Buckets that policies show', list(refer('Bucket'))),
  }),
  read: operation('getBucket', 'Read a bucket', { parameters: [bucket], responses: done('It', refer('Bucket')) }),
  change: operation('updateBucket', 'Change a bucket', {
    parameters: [bucket],
    requestBody: body(object(bucketOptions)),
    responses: doneWithMessage,
  }),
  empty: operation('emptyBucket', 'Remove all objects of a bucket', {
    parameters: [bucket],
    responses: doneWithMessage,
  }),
  remove: operation('deleteBucket', 'Delete an empty bucket', { parameters: [bucket], responses: doneWithMessage }),
};

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

const image = { 'image/*': { schema: { type: 'string', format: 'binary' } } } as const;
const resized = { 200: { description: 'The image', content: image }, 304: { description: 'Unchanged' }, 400: refused };
const transform = [
  query('width', 'Up to 2,500'),
  query('height', 'Up to 2,500'),
  query('resize', 'cover, contain or fill'),
  query('quality', '20 to 100'),
  query('format', 'origin, webp or avif'),
];

export const imageOperations = {
  '/authenticated': operation('resizeImage', 'A resized image', {
    parameters: [...object_, ...transform, download],
    responses: resized,
  }),
  '/public': operation('resizePublicImage', 'A resized image from a public bucket', {
    parameters: [...object_, ...transform, download],
    responses: resized,
    security: NOBODY,
  }),
  '/sign': operation('resizeSignedImage', 'A resized image by a link, which says the size', {
    parameters: [...object_, token, download],
    responses: resized,
    security: NOBODY,
  }),
};

const version = { ...header('tus-resumable', '1.0.0'), required: true };
const offset = {
  'Upload-Offset': { description: 'How many bytes have arrived', schema: { type: 'integer' } },
} as const;
const signature = { ...header('x-signature', 'The token of a link for an upload'), required: true };

/** TUS 1.0; the same below /sign with the token of a link instead of one of a person. */
export function resumableOperations(isSigned: boolean): Readonly<Record<'begin' | 'goOn' | 'giveUp', Operation>> {
  const ending = isSigned ? 'BySignature' : '';
  const how = isSigned ? { security: NOBODY } : {};
  const more = isSigned ? [version, signature] : [version];
  return {
    begin: operation(`beginUpload${ending}`, 'Begin an upload that goes on after a break', {
      ...how,
      description: 'TUS 1.0: creation, with or without the first part, also with a length that is said later.',
      parameters: [
        ...more,
        ...(isSigned ? [] : [upsert]),
        header('upload-length', 'Bytes of the whole'),
        header('upload-metadata', 'bucketName, objectName, contentType, cacheControl and metadata, as TUS writes them'),
      ],
      responses: {
        201: {
          description: 'Begun',
          headers: { Location: { description: 'Where to go on', schema: { type: 'string' } } },
        },
        400: { description: 'Refused; the body says why' },
      },
    }),
    goOn: operation(`continueUpload${ending}`, 'Send the next part', {
      ...how,
      parameters: [upload, ...more, { ...header('upload-offset', 'How many bytes have arrived'), required: true }],
      requestBody: {
        required: true,
        content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        204: { description: 'Kept', headers: offset },
        409: { description: 'Another offset is due; HEAD says which' },
      },
    }),
    giveUp: operation(`giveUpUpload${ending}`, 'Give up an upload', {
      ...how,
      parameters: [upload, ...more],
      responses: { 204: { description: 'Gone' } },
    }),
  };
}

const folder = [bucket, inPath('path', 'The folder')];

export const zipOperations = {
  download: operation('downloadZip', 'Download a folder as a zip', {
    description:
      'What policies let the caller see of it, 1,000 files at most. With `token` of a link instead of a token of its own.',
    parameters: [...folder, query('token', 'Of a link'), query('download', 'What the zip is called')],
    responses: {
      200: { description: 'The zip', content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } },
      400: refused,
    },
  }),
  link: operation('linkZip', 'Make a link to a folder as a zip', {
    description: 'For browsers, which download by address. Policies are asked again when it is used.',
    parameters: folder,
    requestBody: body(object({ 'expiresIn?': whole('Seconds, 60 if nothing is said, 3,600 at most') })),
    responses: done('The link', object({ signedURL: text('Below /storage/v1') })),
  }),
};
