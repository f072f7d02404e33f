// POST /share_links/open: a public link's token, and its password if it has one, for a token of the role share_link. Its rows are shown by
// policies, which look the link up each time.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { takeGuess } from '../requests/guess-limits.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest, refuseWhenSpent } from '../requests/rate-limits.ts';
import * as described from './described.ts';

const longestSeconds = 3600;

interface Link {
  readonly id: string;
  readonly password_hash: string | null;
  readonly seconds: number | null;
  readonly shown: Readonly<Record<string, unknown>>;
}

export async function openShareLink(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { token, password } = await readLimitedBody(context, request, 'signIn', described.openShareLink);
  await countRequest(context, request, 'signIn');
  const [link] = await context.query<Link>(sql`select * from auth.find_share_link(${token})`);
  if (link === undefined) throw refuse('share_link_not_found', 'There is no public link at this address any more');
  if (link.password_hash !== null) await checkGuess(context, request, link.id, link.password_hash, password);
  await context.query(sql`select auth.count_share_link_use(${link.id})::text`);
  const expires_in = Math.min(longestSeconds, link.seconds ?? longestSeconds);
  const claims = { role: 'share_link', aud: 'authenticated', share_link: link.id };
  return {
    access_token: await context.sessions.sign(claims, expires_in),
    token_type: 'bearer',
    expires_in,
    ...link.shown,
  };
}

async function checkGuess(
  context: IdentityContext,
  request: FastifyRequest,
  link: string,
  hash: string,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) throw refuse('share_link_password', 'This public link asks for a password');
  const guesser = `share link ${link}`;
  await refuseWhenSpent(context, request, 'failure', guesser);
  const giveBack = await takeGuess(context, guesser, {
    words: 'Too many wrong passwords for this link. Wait a while.',
  });
  const { matches } = await context.passwords.matches(password, hash);
  if (!matches) {
    await countRequest(context, request, 'failure', guesser);
    throw refuse('share_link_password', 'Wrong password');
  }
  await giveBack();
}
