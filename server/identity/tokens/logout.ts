// POST /logout: ends this session, the others, or all of them. 200 with an empty body, as the interface
// specification has it (GoTrue answers 204; its clients look at neither).

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readQuery } from '../requests/read-body.ts';
import { owesFactor, requireUser } from '../requests/require-user.ts';
import { logout as described } from './described.ts';

export async function logout(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { scope = 'global' } = readQuery(request, described, (_fault, sent) =>
    refuse('validation_failed', `Unsupported logout scope "${sent}"`),
  );
  const caller = await requireUser(context, request);
  const { user, sessionId } = caller;
  // With everybody goes what they began to link. Who has the password alone does not sign out who has the second factor too.
  const everywhere = !owesFactor(caller);
  await context.query(sql`
    with ended as (
      delete from auth.sessions where user_id = ${user.id} and case ${scope}
        when 'local' then id = ${sessionId}::uuid
        when 'others' then id is distinct from ${sessionId}::uuid
        else true
      end and (${everywhere}::boolean or aal = 'aal1')
    ), unlinked as (
      delete from auth.flow_state where linking_user_id = ${user.id} and ${scope} = 'global' and ${everywhere}::boolean
    ), raised as (
      -- Calendars, links and whatever else opens without a session ends with the sessions.
      update auth.users set access_epoch = access_epoch + 1
      where id = ${user.id} and ${scope} <> 'local' and ${everywhere}::boolean
    )
    select auth.note_event('logout', users, ${{ scope }}, ${clientInfoOf(request).address}) from auth.users where id = ${user.id}`);
  return reply.code(200).header('content-length', '0').send();
}
