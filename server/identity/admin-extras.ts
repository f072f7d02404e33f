// /admin/users/:id/factors, /admin/users/:id/passkeys and /admin/audit, for the holder of the service key.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { describe, userIdIn } from './admin-users.ts';
import { refuse } from './errors.ts';
import { findFactor, removeFactor } from './factors.ts';
import { requireAdmin, visitorOf } from './guards.ts';
import { readPage, writePage } from './pages.ts';
import { deletePasskey, passkeysOf } from './passkeys.ts';
import { noteByAdmin } from './proofs.ts';
import { queryValue, readBody, textIn } from './read-body.ts';
import type { Room } from './room.ts';

export async function listFactors(room: Room, request: FastifyRequest): Promise<readonly unknown[]> {
  await requireAdmin(room, request);
  return (await describe(room, userIdIn(request))).factors ?? [];
}

/** The factor as it was. */
export async function deleteFactor(room: Room, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(room, request);
  const userId = userIdIn(request);
  const { factors } = await describe(room, userId);
  const { id } = await findFactor(room, request, userId);
  await removeFactor(room, request, userId, id);
  return factors?.find((factor) => factor.id === id) ?? { id };
}

/** Only its name: what it proves is its owner's business. */
export async function renameFactor(room: Room, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(room, request);
  const userId = userIdIn(request);
  await describe(room, userId);
  const { id } = await findFactor(room, request, userId);
  const name = textIn(readBody(request), 'friendly_name').trim().slice(0, 100);
  if (name === '') throw refuse('validation_failed', 'friendly_name is required');
  await room.transact(async (desk) => {
    await desk.query(sql`update auth.mfa_factors set friendly_name = ${name}, updated_at = now() where id = ${id}`);
    await noteByAdmin(desk, 'factor_updated', userId, visitorOf(request), { factor_id: id });
  });
  return (await describe(room, userId)).factors?.find((factor) => factor.id === id);
}

export async function listUserPasskeys(room: Room, request: FastifyRequest): Promise<Record<string, unknown>[]> {
  await requireAdmin(room, request);
  const { id } = await describe(room, userIdIn(request));
  return passkeysOf(room, id);
}

export async function deleteUserPasskey(
  room: Room,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(room, request);
  await deletePasskey(room, request, userIdIn(request));
  return reply.code(204).send();
}

/** Newest first; ?query=action:login or ?query=author:ada narrows. */
export async function listAudit(
  room: Room,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown>[]> {
  await requireAdmin(room, request);
  const page = readPage(request);
  const query = queryValue(request, 'query');
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
  await room.refreshes.flush();
  const rows = await room.query(sql`
    select id, payload, auth.wire_time(created_at) as created_at, ip_address from auth.audit_log_entries where ${wanted}
    order by created_at desc, id limit ${page.size}::int offset ${page.skip}::bigint`);
  const [count] = await room.query<{ total: string }>(
    sql`select count(*)::text as total from auth.audit_log_entries where ${wanted}`,
  );
  writePage(reply, request, page, Number(count?.total ?? 0));
  return rows;
}
