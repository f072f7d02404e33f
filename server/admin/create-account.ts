// Accounts that an operator makes: by a mail to their owner, or by a link to hand on. The identity door does it.

import type { FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { askIdentity, note } from './ask-identity.ts';
import { adminError } from './errors.ts';

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  /** By mail, or by a link that is shown once. */
  readonly by: 'mail' | 'link';
}

export async function createAccount(
  services: Services,
  request: FastifyRequest,
  { email, name, by }: NewAccount,
): Promise<{ link: string | null }> {
  const action = by === 'mail' ? 'account_invited' : 'account_made';
  await note(services, request, action, email);
  const body = { email, data: name === '' ? {} : { name } };
  const answer =
    by === 'mail'
      ? await askIdentity(
          services,
          `/auth/v1/invite?redirect_to=${encodeURIComponent(`${services.siteUrl}/reset`)}`,
          body,
        )
      : await askIdentity(services, '/auth/v1/admin/generate_link', { ...body, type: 'invite', handed_over: true });
  if (answer.ok) {
    const { hashed_token: token } = (await answer.json()) as { hashed_token?: string };
    // After #, where what looks ahead of a reader does not use it up.
    return { link: by === 'link' && token !== undefined ? `${services.siteUrl}/reset#invited=${token}` : null };
  }
  const { error_code: code = '', msg = '' } = (await answer.json().catch(() => ({}))) as Record<string, string>;
  await note(services, request, 'refused', email, { asked: action, reason: code });
  if (code === 'email_exists') throw adminError('KB804', 'An account with this address is there already');
  throw adminError('KB805', msg === '' ? `The account could not be made (${answer.status})` : msg);
}
