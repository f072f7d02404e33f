// Every catalog of errors of the server, in the order docs/errors.md shows them.

import { adminErrors } from './admin/errors.ts';
import { billingErrors } from './billing/errors.ts';
import { dataErrors } from './data/errors.ts';
import { databaseErrors } from './database/errors.ts';
import { domainErrors } from './domain-errors.ts';
import type { Catalog } from './errors.ts';
import { filesErrors } from './files/errors.ts';
import { httpErrors } from './http/errors.ts';
import { identityErrors } from './identity/errors.ts';
import { oauthErrors } from './identity/oauth/errors.ts';
import { importErrors } from './imports/door/errors.ts';
import { limitErrors } from './limits/errors.ts';
import { mcpErrors } from './mcp/errors.ts';
import { webhookErrors } from './outbox/errors.ts';
import { pagesErrors } from './pages/errors.ts';
import { realtimeErrors } from './realtime/errors.ts';
import { scimErrors } from './scim/errors.ts';

export interface CatalogSection {
  readonly title: string;
  /** How these errors look on the wire. */
  readonly dialect: string;
  readonly catalog: Catalog;
}

export const catalogs: readonly CatalogSection[] = [
  {
    title: 'Everywhere',
    dialect: 'the dialect of the API that was asked.',
    catalog: { ...httpErrors, ...databaseErrors, ...limitErrors },
  },
  {
    title: 'Identity, /auth/v1',
    dialect: '`{code, error_code, msg, message}` with the code in `error_code`.',
    catalog: identityErrors,
  },
  {
    title: 'OAuth, /auth/v1/oauth',
    dialect: '`{error, error_description}`, as RFC 6749 has it.',
    catalog: oauthErrors,
  },
  {
    title: 'Data, /rest/v1',
    dialect: "`{code, message, details, hint}`. Postgres' own errors come with their SQLSTATE as code.",
    catalog: dataErrors,
  },
  {
    title: 'Projects and tasks, through the data door',
    dialect: '`{code, message, details, hint}`.',
    catalog: domainErrors,
  },
  {
    title: 'Realtime, /realtime/v1',
    dialect:
      'a refused join gets `{status: "error", response: {reason: "Code: words"}}`; a closed channel a `system` message with the words, then `phx_close`; HTTP `{message}`.',
    catalog: realtimeErrors,
  },
  {
    title: 'Files, /storage/v1',
    dialect:
      "`{statusCode, code, error, message}` with the status below in `statusCode`. The HTTP status is 400 for all below 500 but 416 and 429, as Supabase's clients know it.",
    catalog: filesErrors,
  },
  {
    title: 'Agents, /mcp',
    dialect: 'a JSON-RPC error with the code in `error.data.code`; of a tool, its answer with `isError`.',
    catalog: mcpErrors,
  },
  { title: 'Landing', dialect: '`{error, code}`.', catalog: pagesErrors },
  { title: 'Webhooks, /api/webhooks', dialect: '`{error, code, message, details, hint}`.', catalog: webhookErrors },
  {
    title: 'Administration, /api/admin',
    dialect: '`{error, code, message, details, hint}`.',
    catalog: adminErrors,
  },
  {
    title: 'Provisioning, /scim/v2',
    dialect: '`{schemas, status, scimType, detail}`, with the type beside the code below.',
    catalog: scimErrors,
  },
  { title: 'Imports, /api/imports', dialect: '`{error, code, message, details, hint}`.', catalog: importErrors },
  { title: 'Billing', dialect: '`{error, code}`.', catalog: billingErrors },
];
