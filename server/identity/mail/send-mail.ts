// The mails of the identity room. They are queued in the transaction that caused them, sealed, so that no link or
// code can be read from the mail queue; `server/mail` opens, renders and delivers them.

import { sql } from '../../database/sql.ts';
import { seal } from '../../session/seal.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { Db } from '../types.ts';
import type { FreshToken } from './one-time-tokens.ts';

export type MailKind =
  | 'confirmation'
  | 'invite'
  | 'magic_link'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'
  | 'password_changed'
  | 'email_changed'
  | 'already_registered'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'recovery_code_used'
  | 'recovery_codes_created';

/** The `type` a link asks /verify for. */
const linkTypes: Partial<Record<MailKind, string>> = {
  confirmation: 'signup',
  invite: 'invite',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
};

export async function queueMail(
  context: IdentityContext,
  db: Db,
  kind: MailKind,
  to: string,
  proof: FreshToken | null,
  redirectTo: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const type = linkTypes[kind];
  const data = {
    email: to,
    site_url: context.siteUrl,
    redirect_to: redirectTo,
    data: await metadataOf(db, proof?.userId ?? null, to),
    ...(proof === null ? {} : { code: proof.code, minutes: Math.round(context.settings.mailTokenLifetime / 60) }),
    ...(proof === null || type === undefined
      ? {}
      : { token_hash: proof.token, url: mailLink(context, proof.token, type, redirectTo) }),
    ...more,
  };
  await db.query(sql`select auth.queue_mail(${kind}, ${to}, ${{ sealed: seal(data, context.keys.mail) }})`);
}

/** What the account says of itself, for templates that greet by name. */
async function metadataOf(db: Db, userId: string | null, email: string): Promise<Record<string, unknown>> {
  const [row] = await db.query<{ data: Record<string, unknown> }>(sql`
    select raw_user_meta_data as data from auth.users
    where case when ${userId}::uuid is null then lower(email) = ${email} and not is_sso_user else id = ${userId}::uuid end
    limit 1`);
  return row?.data ?? {};
}

/** The address that proves the mailbox when it is opened. */
export function actionLink(context: IdentityContext, token: string, type: string, redirectTo: string): string {
  // Escaped only where it has to be: tools and tests compare the address as they gave it.
  const back = /[&=#%+\s]/.test(redirectTo) ? encodeURIComponent(redirectTo) : redirectTo;
  return `${context.apiUrl}/auth/v1/verify?${new URLSearchParams({ token, type })}&redirect_to=${back}`;
}

/** The same behind a page with one button: scanners that open every link do not press it. */
function mailLink(context: IdentityContext, token: string, type: string, redirectTo: string): string {
  const link = actionLink(context, token, type, redirectTo);
  return context.settings.mailConfirmPage ? link.replace('/auth/v1/verify?', '/auth/v1/confirm?') : link;
}
