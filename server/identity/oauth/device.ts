// Device grant (RFC 8628), for programs without a browser: they show a short code, which the person enters on the page /oauth/device, and ask
// with a long one of their own until the person has answered.

import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { countByKey, countRequest } from '../requests/rate-limits.ts';
import { readBody } from '../requests/read-body.ts';
import { requireSecondFactor, requireSession } from '../requests/require-user.ts';
import { arrayLiteral } from './array-literal.ts';
import { requestSeconds } from './authorize.ts';
import { deviceGrant } from './client-metadata.ts';
import { authenticateClient, hashOf } from './clients.ts';
import { findDevice as describedFind } from './described.ts';
import { refuseOAuth } from './errors.ts';
import { inBody } from './parameters.ts';
import { readResources } from './resources.ts';
import { readScopes } from './scopes.ts';

/** No vowels, so that no words come of it, and none that look like digits. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
const intervalSeconds = 5;

export async function startDevice(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await countRequest(context, request, 'signIn');
  const form = await inBody(request);
  const client = await authenticateClient(context, request, form, true);
  if (!client.grant_types.includes(deviceGrant))
    throw refuseOAuth('unauthorized_client', 'The client is not registered for devices');
  const scopes = readScopes(form.text('scope'), client.scopes);
  const resources = readResources(context, form.all('resource'));
  const deviceCode = randomBytes(32).toString('base64url');
  const userCode = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  const expiresAt = new Date(Date.now() + requestSeconds * 1000);
  await context.query(sql`
    insert into auth.oauth_authorizations (client_id, scopes, resources, always_ask, device_code_hash, user_code_hash, expires_at)
    values (${client.id}, ${arrayLiteral(scopes)}::text[], ${arrayLiteral(resources)}::text[], true, ${hashOf(deviceCode)},
      ${hashOfUserCode(context, userCode)}, ${expiresAt})`);
  const page = `${context.siteUrl}/oauth/device`;
  const shown = `${userCode.slice(0, length / 2)}-${userCode.slice(length / 2)}`;
  return reply.send({
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    // Behind #, so that no log of a proxy has it. The person still compares it with what the device shows.
    verification_uri_complete: `${page}#${shown}`,
    expires_in: requestSeconds,
    interval: intervalSeconds,
  });
}

/** The request of a short code, for a person who is signed in. Few guesses: there are 25,000,000,000 codes, good for ten minutes. */
export async function findDevice(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  const person = await requireSession(context, request);
  requireSecondFactor(person, 'AAL2 required to let a program in', 403);
  const { user_code: sent } = await readBody(request, describedFind);
  await countByKey(context, 'verify', `device codes of ${person.user.id}`);
  const code = sent.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const [found] = await context.query<{ id: string }>(sql`
    select id from auth.oauth_authorizations
    where user_code_hash = ${hashOfUserCode(context, code)} and decision is null and expires_at > now()
      and (user_id is null or user_id = ${person.user.id})`);
  if (found === undefined) throw refuse('oauth_authorization_not_found', 'No device waits with this code');
  return { authorization_id: found.id };
}

function hashOfUserCode(context: IdentityContext, code: string): Buffer {
  return createHmac('sha256', context.keys.programs).update(`user code ${code}`).digest();
}
