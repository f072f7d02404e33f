// DELETE /user/identities/:id: one way in less. The last one stays.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { readPath } from '../../http/read-parameters.ts';
import { noteProviders } from '../accounts/add-account.ts';
import { dropOpenProofs } from '../accounts/drop-open-proofs.ts';
import { noteEvent } from '../audit-log.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { queueMail } from '../mail/send-mail.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { requireSecondFactor, requireUser } from '../requests/require-user.ts';
import { unlinkIdentity as described } from './described.ts';
import { leaveGroups } from './outside-groups.ts';

export async function unlinkIdentity(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, never>> {
  if (!context.settings.manualLinking) throw refuse('manual_linking_disabled', 'Manual linking is disabled');
  const caller = await requireUser(context, request);
  requireSecondFactor(caller, 'AAL2 required to unlink an identity', 403);
  const { user } = caller;
  const refused = (): Error => refuse('validation_failed', 'identity_id must be an UUID', { status: 404 });
  const { identity_id: id } = readPath(request, described, refused);
  const identity = user.identities.find((one) => one.identity_id === id);
  if (!identity) throw refuse('identity_not_found', "Identity doesn't exist", { status: 422 });
  await context.transact(async (db) => {
    // Of two that are unlinked at once the second counts what the first has left.
    await db.query(sql`select id from auth.users where id = ${user.id} for update`);
    const remaining = await db.query<{ id: string }>(sql`
      select id from auth.identities where user_id = ${user.id} and id <> ${id}`);
    const others = user.identities.filter((one) => remaining.some((row) => row.id === one.identity_id));
    if (others.length === 0)
      throw refuse('single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
    await db.query(sql`delete from auth.identities where id = ${id} and user_id = ${user.id}`);
    if (identity.provider === 'email')
      await db.query(sql`update auth.users set encrypted_password = null where id = ${user.id}`);
    // An address becomes the account's own only where somebody vouches for it.
    const next = others.find((one) => one.email && one.identity_data.email_verified === true)?.email ?? null;
    if (identity.email === user.email && next !== null && next !== user.email) {
      const others = await db.query(sql`
        select id from auth.users where lower(email) = ${next} and id <> ${user.id} and not is_sso_user`);
      if (others.length > 0)
        throw refuse('email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict');
      await db.query(sql`update auth.users set email = ${next} where id = ${user.id}`);
      await dropOpenProofs(db, user.id);
    }
    await noteProviders(context, db, user.id);
    await leaveGroups(db, user.id, identity.provider);
    const { provider } = identity;
    if (user.email !== '' && user.email_confirmed_at !== undefined)
      await queueMail(context, db, 'identity_unlinked', user.email, null, context.siteUrl, { provider });
    await noteEvent(db, 'identity_unlinked', user.id, clientInfoOf(request), {
      identity_id: id,
      provider: identity.provider,
    });
  });
  return {};
}
