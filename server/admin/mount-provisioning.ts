// Providers of SCIM for operators: made, put on trial, listed and removed, with tokens that are told once and revoked at once. Their own door is
// /scim/v2.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { bodyOf, idIn } from './read-request.ts';

/** Of tens of thousands of people. */
const options = { timeoutMs: 120_000 };

export function mountProvisioning(door: FastifyInstance, services: Services): void {
  door.get('/providers', described(says.listProviders), async (request) => ({
    address: `${services.config.server.apiExternalUrl ?? services.siteUrl}/scim/v2`,
    providers: await callAdmin(services, request, sql`select private.admin_scim() as value`),
    sign_in: await callAdmin(services, request, sql`select private.admin_custom_providers() as value`),
  }));

  door.post('/providers', described(says.createProvider), async (request) => {
    const { name, on_trial = false } = await bodyOf(request, says.createProvider);
    return callAdmin(services, request, sql`select private.admin_create_scim_provider(${name}, ${on_trial}) as value`);
  });

  door.post('/providers/:id/trial', described(says.startTrial), async (request) => {
    const id = idIn(request, 'provider');
    await callAdmin(services, request, sql`select private.admin_begin_scim_trial(${id}::uuid)::text as value`, options);
    return {};
  });

  door.post('/providers/:id/trial/preview', described(says.previewTrial), (request) =>
    callAdmin(
      services,
      request,
      sql`select private.admin_preview_scim_trial(${idIn(request, 'provider')}::uuid) as value`,
      options,
    ),
  );

  door.post('/providers/:id/trial/apply', described(says.applyTrial), async (request) => {
    const id = idIn(request, 'provider');
    const { version } = await bodyOf(request, says.applyTrial);
    return callAdmin(
      services,
      request,
      sql`select private.admin_apply_scim_trial(${id}::uuid, ${version}) as value`,
      options,
    );
  });

  door.post('/providers/:id/tokens', described(says.createProviderToken), (request) =>
    callAdmin(
      services,
      request,
      sql`select private.admin_create_scim_token(${idIn(request, 'provider')}::uuid) as value`,
    ),
  );

  door.post('/providers/:id/remove', described(says.removeProvider), async (request) => {
    const id = idIn(request, 'provider');
    await callAdmin(services, request, sql`select private.admin_remove_scim_provider(${id}::uuid)::text as value`);
    return {};
  });

  door.post('/provider-tokens/:id/revoke', described(says.revokeProviderToken), async (request) => {
    const id = idIn(request, 'token');
    await callAdmin(services, request, sql`select private.admin_revoke_scim_token(${id}::uuid)::text as value`);
    return {};
  });
}
