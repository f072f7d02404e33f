// OpenAPI descriptions of the SCIM routes.

import {
  body,
  fields,
  inPath,
  list,
  type Operation,
  object,
  type Parameter,
  query,
  refer,
  response,
  text,
} from '../http/open-api.ts';

const tags = ['SCIM'];
const security = [{ scim: [] }];
const refusals = {
  401: response('No token in force', refer('ScimError')),
  429: response('Too often; `Retry-After` says when again', refer('ScimError')),
};
const unfit = { 400: response('Not as SCIM has it', refer('ScimError')) };
const notThere = { 404: response('The provider keeps none such', refer('ScimError')) };
const conflict = { 409: response('Taken', refer('ScimError')) };
const changed = { 412: response('Changed since it was read', refer('ScimError')) };

export const scimTerms = {
  tags: [{ name: 'SCIM', description: 'For identity providers, with a token of the admin pages (RFC 7643 and 7644).' }],
  schemas: {
    ScimError: object({ schemas: list(text()), status: text(), 'scimType?': text(), detail: text() }),
    ScimResource: object({ schemas: list(text()), id: text(), 'externalId?': text(), 'meta?': fields() }),
    ScimList: object({ schemas: list(text()), 'Resources?': list(refer('ScimResource')) }),
  },
};

const asked = text(undefined, { maxLength: 4000 });
const projection = [
  query('attributes', 'Only these, separated by commas', { schema: asked }),
  query('excludedAttributes', 'All but these', { schema: asked }),
] as const;
const listing = [
  query('filter', 'As RFC 7644 has it: userName eq "ada@example.com"', { schema: asked }),
  query('startIndex', 'From 1 on'),
  query('count', 'At most 200; 100 unless said'),
  ...projection,
] as const;
const id = inPath('id', undefined, { format: 'uuid' });
export const ofOne = { parameters: [id] };
const resource = refer('ScimResource');

function operation<const P extends readonly Parameter[], const B extends Partial<Operation>>(
  operationId: string,
  summary: string,
  parameters: P,
  more: B,
) {
  return { operationId, tags, summary, security, parameters, ...more } as const;
}

const found = { 200: response('As it is now', fields()), ...refusals };

export const readConfig = operation('scimServiceProviderConfig', 'What is supported', [], { responses: found });
export const listSchemas = operation('scimSchemas', 'Schemas', [], { responses: found });
export const readSchema = operation('scimSchema', 'One schema', [inPath('id')], {
  responses: { ...found, ...notThere },
});
export const listTypes = operation('scimResourceTypes', 'Resource types', [], { responses: found });
export const readType = operation('scimResourceType', 'One resource type', [inPath('id')], {
  responses: { ...found, ...notThere },
});

const describeRoutesOf = <const T extends 'User' | 'Group'>(type: T, words: string) => ({
  list: operation(`scimList${type}s`, `${words}: a page, by a filter`, listing, {
    responses: { 200: response('A page', refer('ScimList')), ...refusals, ...unfit },
  }),
  search: operation(`scimSearch${type}s`, `${words}: a page, by a filter in the body`, [], {
    requestBody: body(fields('A SearchRequest')),
    responses: { 200: response('A page', refer('ScimList')), ...refusals, ...unfit },
  }),
  create: operation(`scimCreate${type}`, `${words}: create or adopt one`, projection, {
    requestBody: body(fields(`A ${type}`)),
    responses: { 201: response('Created', resource), ...refusals, ...unfit, ...conflict },
  }),
  read: operation(`scimRead${type}`, `${words}: one`, [id, ...projection], {
    responses: { 200: response('As it is now', resource), 304: response('Unchanged'), ...refusals, ...notThere },
  }),
  replace: operation(`scimReplace${type}`, `${words}: replace one`, [id, ...projection], {
    requestBody: body(fields(`A ${type}`)),
    responses: { 200: response('Changed', resource), ...refusals, ...unfit, ...notThere, ...conflict, ...changed },
  }),
  patch: operation(`scimPatch${type}`, `${words}: change one`, [id, ...projection], {
    requestBody: body(fields('A PatchOp')),
    responses: {
      ...{ 200: response('Changed', resource), 204: response('Changed') },
      ...refusals,
      ...unfit,
      ...notThere,
      ...conflict,
      ...changed,
    },
  }),
  remove: operation(`scimDelete${type}`, `${words}: remove one`, [id], {
    responses: { 204: response('Removed'), ...refusals, ...notThere, ...changed },
  }),
});

export const ofUsers = describeRoutesOf('User', 'People');
export const ofGroups = describeRoutesOf('Group', 'Groups');
