// OpenAPI descriptions of the import routes.

import {
  body,
  choice,
  inPath,
  json,
  list,
  type Operation,
  object,
  query,
  record,
  refer,
  response,
  text,
} from '../../http/open-api.ts';
import { fields } from '../fields.ts';
import { productNames } from '../products.ts';

const tags = ['Imports'];
const security = [{ token: [] }];
const uuid = text(undefined, { format: 'uuid' });
const id = inPath('id', undefined, { format: 'uuid' });
const refusals = {
  401: response('Not signed in', refer('ImportError')),
  404: response('No such import of the caller', refer('ImportError')),
};
const busy = { 409: response('It is in another state', refer('ImportError')) };
const most = 5000;
const choices = {
  'project?': text('The id of the project; without it a new one is meant', { format: 'uuid' }),
  'from?': choice(productNames, 'Which product it comes from, where the file does not tell'),
  'mapping?': list(choice(fields), 'Of a table: what each column holds', { maxItems: most }),
  'dates?': choice(['dmy', 'mdy'], 'How 5/3/2026 is read, where the file does not tell'),
  'people?': record(
    text(
      'The id of a member, or, by owners, of a colleague, who joins, or an address, which is invited; empty: kept as a name',
    ),
    {
      maxProperties: most,
    },
  ),
};

export const listImports: Operation = {
  operationId: 'listImports',
  tags,
  summary: 'The caller’s last twenty imports',
  security,
  responses: { 200: response('Newest first', { type: 'array', items: refer('Import') }), 401: refusals[401] },
};
export const uploadImport = {
  operationId: 'uploadImport',
  tags,
  summary: 'Upload what another product exported',
  description: 'At most 64 MB; nothing is written yet. A file that nobody goes on with is thrown away after a day.',
  security,
  parameters: [
    query('name', 'What the file is called', { schema: text(undefined, { maxLength: 500 }) }),
    query('part', 'Of a zip, the file in it that is meant', { schema: text(undefined, { maxLength: 1000 }) }),
  ],
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    201: response('Recognised', object({ id: uuid, product: text() })),
    401: refusals[401],
    413: response('Too large', refer('ImportError')),
    422: response('Cannot be read, or a zip of several (KB828), which `details` names', refer('ImportError')),
    429: response('Too often', refer('ImportError')),
  },
};
export const readImport = {
  operationId: 'readImport',
  tags,
  summary: 'How far an import came',
  security,
  parameters: [id],
  responses: { 200: { description: 'The import', content: json(refer('Import')) }, ...refusals },
};
export const previewImport = {
  operationId: 'previewImport',
  tags,
  summary: 'What would come of it, with these choices; nothing is written',
  security,
  parameters: [id],
  requestBody: body(object(choices)),
  responses: { 200: response('What would come', refer('ImportPreview')), ...refusals, ...busy },
};
export const startImport = {
  operationId: 'startImport',
  tags,
  summary: 'Have it written, as the caller',
  security,
  parameters: [id],
  requestBody: body(object({ ...choices, 'name?': text('Of a project to make') })),
  responses: {
    202: response('It is done soon', object({ id: uuid, projectId: uuid })),
    403: response('The caller may not write there', refer('ImportError')),
    ...refusals,
    ...busy,
  },
};
export const cancelImport: Operation = {
  operationId: 'cancelImport',
  tags,
  summary: 'Stop an import; what was written stays until it is taken back',
  security,
  parameters: [id],
  responses: { 200: response('It stops soon'), ...refusals, ...busy },
};
export const undoImport: Operation = {
  operationId: 'undoImport',
  tags,
  summary: 'Take an import back as a whole',
  security,
  parameters: [id],
  responses: { 202: response('It is taken back soon'), ...refusals, ...busy },
};
export const removeImport: Operation = {
  operationId: 'removeImport',
  tags,
  summary: 'Forget an import that does not run; what it wrote stays',
  security,
  parameters: [id],
  responses: { 204: response('Forgotten'), ...refusals, ...busy },
};
