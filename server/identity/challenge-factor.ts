// POST /factors/:id/challenge: a question to a second factor, open for a few minutes.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { factorPlace, findFactor, requireMember } from './factors.ts';
import { countKnown, visitorOf } from './guards.ts';
import { note } from './proofs.ts';
import { objectIn, readBody, textIn } from './read-body.ts';
import type { Room } from './room.ts';
import { ceremonySeconds, creationOptions, relyingPartyId, requestOptions } from './webauthn.ts';

export interface WebauthnQuestion {
  readonly type: 'create' | 'request';
  readonly challenge: string;
  readonly rpId: string;
}

export async function challengeFactor(room: Room, request: FastifyRequest): Promise<Record<string, unknown>> {
  const { user } = await requireMember(room, request);
  const factor = await findFactor(room, request, user.id);
  await countKnown(room, 'factor', await factorPlace(room, request, user.id));
  const expiresAt = Math.floor(Date.now() / 1000) + ceremonySeconds;
  let question: WebauthnQuestion | null = null;
  let webauthn: Record<string, unknown> | undefined;
  if (factor.factor_type === 'webauthn') {
    const asked = objectIn(readBody(request), 'webauthn');
    const rpId = relyingPartyId(room, asked === undefined ? '' : textIn(asked, 'rpId') || textIn(asked, 'rp_id'));
    const known = factor.web_authn_credential;
    const owner = { id: user.id, name: user.email, displayName: factor.friendly_name ?? '' };
    const type = known === null ? 'create' : 'request';
    const publicKey =
      known === null
        ? await creationOptions(room, rpId, owner, [], false)
        : await requestOptions(rpId, [known], 'preferred');
    question = { type, challenge: publicKey.challenge, rpId };
    webauthn = { type, credential_options: { publicKey } };
  }
  const id = await room.transact(async (desk) => {
    const [row] = await desk.query<{ id: string }>(sql`
      insert into auth.mfa_challenges (factor_id, expires_at, web_authn_session_data)
      values (${factor.id}, to_timestamp(${expiresAt}), ${question}) returning id`);
    await desk.query(sql`update auth.mfa_factors set last_challenged_at = now() where id = ${factor.id}`);
    await note(desk, 'challenge_created', user.id, visitorOf(request), {
      factor_id: factor.id,
      factor_status: factor.status,
    });
    return row?.id;
  });
  return { id, type: factor.factor_type, expires_at: expiresAt, ...(webauthn === undefined ? {} : { webauthn }) };
}
