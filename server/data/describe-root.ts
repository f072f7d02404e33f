// The document at the root of /rest/v1, made from the catalog for what the caller's role may use.

import type { Services } from '../services.ts';
import type { Door } from './door.ts';
import { DataError } from './errors.ts';
import { readVisibleObjects } from './openapi/visible-objects.ts';
import { writeOpenApi } from './openapi/write-openapi.ts';
import { addProfile, VARY } from './respond/respond.ts';

export function describeRoot({
  config,
  database,
  siteUrl,
}: Pick<Services, 'config' | 'database' | 'siteUrl'>): Door['describe'] {
  const { openApiMode, openApiSecurity: security } = config.data;
  const address = new URL(`${siteUrl}/rest/v1/`);
  return async (catalog, caller, request, headersOnly) => {
    if (openApiMode === 'disabled') throw new DataError('PGRST126', { message: 'Root endpoint metadata is disabled' });
    const visible = await readVisibleObjects(database, caller, request.schema, openApiMode === 'ignore-privileges');
    const document = writeOpenApi(catalog, request.schema, visible, { address, security });
    const body = Buffer.from(JSON.stringify(document));
    const headers = ['Content-Type', 'application/openapi+json; charset=utf-8'];
    if (!headersOnly) headers.push('Content-Length', String(body.length));
    addProfile(headers, request);
    headers.push('Vary', VARY);
    return { status: 200, headers, body: headersOnly ? null : body };
  };
}
