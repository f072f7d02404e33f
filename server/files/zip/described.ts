// What the routes of zips say of themselves in /openapi.json.

import { body, type Operation, object, refused, response, text } from '../../http/open-api.ts';

const tags = ['Files'];
const parameters = ['bucket', 'path'].map((name) => ({
  name,
  in: 'path' as const,
  required: true,
  description: name === 'path' ? 'The folder' : 'The bucket',
  schema: { type: 'string' },
}));

export const downloadZip: Operation = {
  operationId: 'downloadZip',
  tags,
  summary: 'Download a folder as a zip',
  description:
    'What policies let the caller see of it, 1,000 files at most. With `token` of a link instead of a token of its own.',
  parameters,
  responses: { 200: { description: 'The zip' }, 400: refused('There is nothing in it, or the link has expired') },
};

export const linkZip: Operation = {
  operationId: 'linkZip',
  tags,
  summary: 'Make a link to a folder as a zip',
  description: 'For browsers, which download by address. Policies are asked again when it is used.',
  parameters,
  requestBody: body(
    object({ expiresIn: { type: 'integer', description: 'Seconds, 60 if nothing is said, 3,600 at most' } }),
  ),
  responses: {
    200: response('The link', object({ signedURL: text('Below /storage/v1') })),
    400: refused('There is nothing in it'),
  },
};
