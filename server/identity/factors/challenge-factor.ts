// POST /factors/:id/challenge: a question to a second factor, open for a few minutes.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { noteEvent } from '../audit-log.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { countByKey } from '../requests/rate-limits.ts';
import { readBody } from '../requests/read-body.ts';
import { challengeFactor as described } from './described.ts';
import { factorGuessKey, findFactor, requireFactorFor, requireMember } from './factors.ts';
import { ceremonySeconds, creationOptions, relyingPartyId, requestOptions } from './webauthn.ts';

export interface WebauthnQuestion {
  readonly type: 'create' | 'request';
  readonly challenge: string;
  readonly rpId: string;
}

export async function challengeFactor(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const caller = await requireMember(context, request);
  const { user } = caller;
  const factor = await findFactor(context, request, user.id);
  requireFactorFor(caller, factor);
  await countByKey(context, 'factor', await factorGuessKey(context, request, user.id));
  const { webauthn: asked } = await readBody(request, described);
  const expiresAt = Math.floor(Date.now() / 1000) + ceremonySeconds;
  let question: WebauthnQuestion | null = null;
  let webauthn: Record<string, unknown> | undefined;
  if (factor.factor_type === 'webauthn') {
    const rpId = relyingPartyId(context, asked?.rpId || asked?.rp_id);
    const known = factor.web_authn_credential;
    const owner = { id: user.id, name: user.email, displayName: factor.friendly_name ?? '' };
    const type = known === null ? 'create' : 'request';
    const publicKey =
      known === null
        ? await creationOptions(context, rpId, owner, [], false)
        : await requestOptions(rpId, [known], 'preferred');
    question = { type, challenge: publicKey.challenge, rpId };
    webauthn = { type, credential_options: { publicKey } };
  }
  const id = await context.transact(async (db) => {
    const [row] = await db.query<{ id: string }>(sql`
      insert into auth.mfa_challenges (factor_id, expires_at, web_authn_session_data)
      values (${factor.id}, to_timestamp(${expiresAt}), ${question}) returning id`);
    await db.query(sql`update auth.mfa_factors set last_challenged_at = now() where id = ${factor.id}`);
    await noteEvent(db, 'challenge_created', user.id, clientInfoOf(request), {
      factor_id: factor.id,
      factor_status: factor.status,
    });
    return row?.id;
  });
  return { id, type: factor.factor_type, expires_at: expiresAt, ...(webauthn === undefined ? {} : { webauthn }) };
}
