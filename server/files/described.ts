// OpenAPI descriptions of the bucket routes.

import { body, flag, list, object, orNull, query, refer, type Schema, text, whole } from '../http/open-api.ts';
import { bucket, done, doneWithMessage, operation, version } from './description-terms.ts';

const bucketOptions = {
  'public?': flag('Whether everybody downloads by address'),
  'file_size_limit?': {
    type: ['string', 'integer', 'null'],
    description: 'Bytes an object may have, such as 5MB',
  } as Schema<string | number | null>,
  'allowed_mime_types?': orNull(list(text(), 'Such as image/png or image/*')),
  'type?': text('STANDARD; others are not offered'),
  'versioning_status?': version,
};

export const bucketOperations = {
  create: operation('createBucket', 'Make a bucket', {
    requestBody: body(object({ name: text(), 'id?': text('The name unless said'), ...bucketOptions })),
    responses: done('It is there', object({ name: text() })),
  }),
  list: operation('listBuckets', 'List buckets', {
    parameters: [
      query('limit', 'How many', { schema: whole() }),
      query('offset', 'After how many', { schema: whole() }),
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
