// DELETE /user/identities/:id: one way in less. The last one stays.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { noteProviders } from './accounts.ts';
import { refuse } from './errors.ts';
import { requireUser, visitorOf } from './guards.ts';
import { note } from './proofs.ts';
import { isUuid } from './read-body.ts';
import type { Room } from './room.ts';

export async function unlinkIdentity(room: Room, request: FastifyRequest): Promise<Record<string, never>> {
  if (!room.settings.manualLinking) throw refuse('manual_linking_disabled', 'Manual linking is disabled');
  const { user } = await requireUser(room, request);
  const { identity_id: id = '' } = request.params as { identity_id?: string };
  if (!isUuid(id)) throw refuse('validation_failed', 'identity_id must be an UUID', { status: 404 });
  const identity = user.identities.find((one) => one.identity_id === id);
  if (!identity) throw refuse('identity_not_found', "Identity doesn't exist", { status: 422 });
  if (user.identities.length <= 1)
    throw refuse('single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
  await room.transact(async (desk) => {
    await desk.query(sql`delete from auth.identities where id = ${id} and user_id = ${user.id}`);
    if (identity.provider === 'email')
      await desk.query(sql`update auth.users set encrypted_password = null where id = ${user.id}`);
    const next = user.identities.find((one) => one.identity_id !== id && one.email !== null)?.email ?? null;
    if (identity.email === user.email && next !== null && next !== user.email) {
      const others = await desk.query(sql`
        select id from auth.users where lower(email) = ${next} and id <> ${user.id} and not is_sso_user`);
      if (others.length > 0)
        throw refuse('email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict');
      await desk.query(sql`update auth.users set email = ${next} where id = ${user.id}`);
    }
    await noteProviders(room, desk, user.id);
    await note(desk, 'identity_unlinked', user.id, visitorOf(request), {
      identity_id: id,
      provider: identity.provider,
    });
  });
  return {};
}
