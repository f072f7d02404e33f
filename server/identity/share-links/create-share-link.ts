// POST /share_links: a public link, with its password hashed here. The procedure of the data door decides who may make one.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCredentials } from '../../session/read-credentials.ts';
import { checkPassword } from '../accounts/password-rules.ts';
import type { IdentityContext } from '../identity-context.ts';
import { countByKey } from '../requests/rate-limits.ts';
import { readBody } from '../requests/read-body.ts';
import { requireUser } from '../requests/require-user.ts';
import * as described from './described.ts';

export async function createShareLink(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { user } = await requireUser(context, request);
  const { password, ...link } = await readBody(request, described.createShareLink);
  if (password !== undefined) {
    checkPassword(context.settings, password);
    await countByKey(context, 'signUp', `share links of ${user.id}`);
  }
  const password_hash = password === undefined ? null : await context.passwords.hash(password);
  const { authorization = '' } = readCredentials(request.headers, request.url);
  const answer = await context.fetch('/rest/v1/rpc/create_share_link', {
    method: 'POST',
    headers: { apikey: context.sessions.anonKey, authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ...link, password_hash }),
  });
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(await answer.text());
}
