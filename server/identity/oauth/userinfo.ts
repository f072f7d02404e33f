// /oauth/userinfo: who the person is, for a program that holds an access token with the scope openid.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { headerValue } from '../requests/read-body.ts';
import type { User } from '../types.ts';
import { refuseOAuth } from './errors.ts';
import { personClaims } from './program-tokens.ts';

export async function userinfo(context: IdentityContext, request: FastifyRequest): Promise<Record<string, unknown>> {
  const token = /^bearer +(\S+)$/i.exec(headerValue(request, 'authorization') ?? '')?.[1];
  if (token === undefined) throw refuseToken('A bearer token is needed');
  const { claims } = await context.sessions.verify(token);
  const { sub, session_id: sessionId, scope } = claims;
  if (typeof sub !== 'string' || sessionId === undefined) throw refuseToken('The token is no person’s');
  const granted = typeof scope === 'string' ? scope.split(' ') : [];
  if (typeof claims.client_id !== 'string' || !granted.includes('openid'))
    throw refuse('insufficient_scope', 'The token was not granted openid', {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' },
    });
  const [row] = await context.query<{ outcome: string; caller: User }>(
    sql`select * from auth.find_caller(${sub}, ${sessionId})`,
  );
  if (row?.outcome !== 'ok') throw refuseToken('The session of this token has ended');
  return personClaims(row.caller, granted);
}

function refuseToken(words: string): Error {
  return refuseOAuth('invalid_token', words, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}
