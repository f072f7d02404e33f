// OpenAPI descriptions of the zip routes.

import { body, inPath, object, query, text, whole } from '../../http/open-api.ts';
import { bucket, done, operation, refused } from '../description-terms.ts';

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
    requestBody: body(
      object({ 'expiresIn?': whole('Seconds, 60 if nothing is said, 3,600 at most', { minimum: 1 }) }),
      false,
    ),
    responses: done('The link', object({ signedURL: text('Below /storage/v1') })),
  }),
};
