// /admin/users/:id/factors, /admin/users/:id/passkeys and /admin/audit, for the holder of the service key.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { noteAdminEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import { findFactor, removeFactor } from '../factors/factors.ts';
import { deletePasskey, passkeysOf } from '../factors/passkeys.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readBody, readQuery } from '../requests/read-body.ts';
import { requireAdmin } from '../requests/require-user.ts';
import { describe, userIdIn } from './admin-users.ts';
import { readAudit, updateUserFactor } from './described.ts';
import { readPage, writePage } from './pages.ts';

export async function listFactors(context: IdentityContext, request: FastifyRequest): Promise<readonly unknown[]> {
  await requireAdmin(context, request);
  return (await describe(context, userIdIn(request))).factors ?? [];
}

/** The factor as it was. */
export async function deleteFactor(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const userId = userIdIn(request);
  const { factors } = await describe(context, userId);
  const { id } = await findFactor(context, request, userId, true);
  await removeFactor(context, request, userId, id, null);
  return factors?.find((factor) => factor.id === id) ?? { id };
}

/** Only its name: what it proves is its owner's business. */
export async function renameFactor(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const userId = userIdIn(request);
  await describe(context, userId);
  const { id } = await findFactor(context, request, userId, true);
  const { friendly_name: given } = await readBody(request, updateUserFactor);
  const name = given.trim().slice(0, 100);
  await context.transact(async (db) => {
    await db.query(sql`update auth.mfa_factors set friendly_name = ${name}, updated_at = now() where id = ${id}`);
    await noteAdminEvent(db, 'factor_updated', userId, clientInfoOf(request), { factor_id: id });
  });
  return (await describe(context, userId)).factors?.find((factor) => factor.id === id);
}

export async function listUserPasskeys(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>[]> {
  await requireAdmin(context, request);
  const { id } = await describe(context, userIdIn(request));
  return passkeysOf(context, id);
}

export async function deleteUserPasskey(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(context, request);
  await deletePasskey(context, request, userIdIn(request));
  return reply.code(204).send();
}

/** Newest first; ?query=action:login or ?query=author:ada narrows. */
export async function listAudit(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown>[]> {
  await requireAdmin(context, request);
  const page = readPage(request);
  const { query = '' } = readQuery(request, readAudit);
  const [field = '', ...rest] = query.split(':');
  if (query !== '' && (rest.length === 0 || !['author', 'action', 'type'].includes(field)))
    throw refuse('validation_failed', `Invalid query scope: ${query.slice(0, 100)}`);
  const pattern = `%${rest.join(':').replaceAll(/[\\%_]/g, '\\$&')}%`;
  const wanted =
    rest.length === 0
      ? sql`true`
      : field === 'author'
        ? sql`payload ->> 'actor_username' ilike ${pattern}`
        : field === 'type'
          ? sql`payload ->> 'log_type' ilike ${pattern}`
          : sql`payload ->> 'action' ilike ${pattern}`;
  await context.refreshes.flush();
  const rows = await context.query(sql`
    select id, payload, auth.wire_time(created_at) as created_at, ip_address from auth.audit_log_entries where ${wanted}
    order by created_at desc, id limit ${page.size}::int offset ${page.skip}::bigint`);
  const [count] = await context.query<{ total: string }>(
    sql`select count(*)::text as total from auth.audit_log_entries where ${wanted}`,
  );
  writePage(reply, request, page, Number(count?.total ?? 0));
  return rows;
}
