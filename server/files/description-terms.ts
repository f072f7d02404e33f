// Parameters, answers and schemas that the OpenAPI descriptions of the files routes share.

import {
  CALLER,
  flag,
  inPath,
  list,
  type Operation,
  object,
  orNull,
  query,
  refer,
  response,
  type Schema,
  text,
  whole,
} from '../http/open-api.ts';

const tags = ['Files'];
export const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  description,
  schema: { type: 'string' },
});
export const bucket = inPath('bucket', 'The bucket');
export const object_ = [bucket, inPath('path', 'The path of the object in it')];
export const upsert = header('x-upsert', '`true` replaces what is there');
export const download = query('download', 'Saved, under this name; empty: under its own');
export const token = query('token', 'Of the link', { required: true });
export const refused = response('Refused: `statusCode` and `code` say why', refer('StorageError'));
export const done = (description: string, schema?: Schema): Operation['responses'] => ({
  200: response(description, schema),
  400: refused,
});
export const doneWithMessage = done('Done', object({ message: text() }));

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
      file_size_limit: orNull(whole('Bytes an object may have')),
      allowed_mime_types: orNull(list(text())),
      owner: orNull(text()),
      created_at: text(),
      updated_at: text(),
    }),
    StorageObject: object({
      name: text(),
      id: orNull(text('None for folders')),
      created_at: orNull(text()),
      updated_at: orNull(text()),
      last_accessed_at: orNull(text()),
      metadata: { type: ['object', 'null'], description: 'Size, media type, ETag and caching' },
    }),
  },
};

/** Versions are not offered: what asks for one is refused as such, so any value fits. */
export const version: Schema = { description: 'Not offered here' };

export const operation = <
  R extends Omit<Operation, 'operationId' | 'summary' | 'tags' | 'security'> & Partial<Operation>,
>(
  operationId: string,
  summary: string,
  more: R,
) => ({
  operationId,
  tags,
  summary,
  security: CALLER,
  ...more,
});
