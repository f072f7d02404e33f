// /user/oauth/grants: programs that a person let in, and putting one out.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { isUuid, readQuery } from '../requests/read-body.ts';
import { requireSecondFactor, requireUser } from '../requests/require-user.ts';
import { describeClient } from './consent.ts';
import { revokeGrant as describedEnd } from './described.ts';
import { clientColumns, type OAuthClient } from './oauth-client.ts';

interface Row {
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly granted_at: string;
  readonly project_ids: readonly string[] | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export async function listGrants(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  const caller = await requireUser(context, request);
  requireSecondFactor(caller, 'AAL2 required to see programs');
  const rows = await context.query<Row>(sql`
    select (select to_jsonb(c) from (select ${clientColumns} from auth.oauth_clients where id = g.client_id) c) as client, to_jsonb(g.scopes) as scopes,
      auth.wire_time(g.updated_at) as granted_at, to_jsonb(g.project_ids) as project_ids, auth.wire_time(g.expires_at) as expires_at,
      auth.wire_time(g.last_used_at) as last_used_at
    from auth.oauth_grants g where g.user_id = ${caller.user.id} and auth.is_oauth_grant_open(g) order by g.updated_at desc, g.id`);
  return rows.map(({ client, ...grant }) => ({ client: describeClient(client), ...grant }));
}

export async function revokeGrant(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await requireUser(context, request);
  requireSecondFactor(caller, 'AAL2 required to put out a program');
  const { client_id: client } = readQuery(request, describedEnd);
  if (client === undefined) throw refuse('validation_failed', 'client_id is required');
  const id = isUuid(client) ? client : null;
  const gone = await context.query(sql`
    with gone as (
      delete from auth.oauth_grants g using auth.oauth_clients c
      where g.user_id = ${caller.user.id} and c.id = g.client_id and (c.id = ${id}::uuid or c.metadata_url = ${client}) returning g.client_id
    ), dropped as (
      delete from auth.oauth_authorizations a using gone where a.client_id = gone.client_id and a.user_id = ${caller.user.id}
    )
    select auth.note_event('oauth_grant_revoked', u, jsonb_build_object('client_id', gone.client_id), ${clientInfoOf(request).address})
    from gone, auth.users u where u.id = ${caller.user.id}`);
  if (gone.length === 0) throw refuse('oauth_grant_not_found', 'No grant found for this client');
  return reply.code(204).send();
}
