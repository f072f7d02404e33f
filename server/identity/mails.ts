// The letters of the identity room. They are queued in the transaction that caused them, sealed, so that no link or
// code can be read from the outbox; `server/mail` opens, renders and delivers them.

import { sql } from '../database/sql.ts';
import { seal } from '../session/seal.ts';
import type { FreshToken } from './one-time-tokens.ts';
import type { Desk, Room } from './room.ts';

export type LetterKind =
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
  | 'identity_unlinked';

/** The `type` a link asks /verify for. */
const linkTypes: Partial<Record<LetterKind, string>> = {
  confirmation: 'signup',
  invite: 'invite',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
};

export async function sendLetter(
  room: Room,
  desk: Desk,
  kind: LetterKind,
  to: string,
  proof: FreshToken | null,
  redirectTo: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const type = linkTypes[kind];
  const data = {
    email: to,
    site_url: room.siteUrl,
    ...(proof === null ? {} : { code: proof.code, minutes: Math.round(room.settings.mailTokenLifetime / 60) }),
    ...(proof === null || type === undefined ? {} : { url: mailLink(room, proof.token, type, redirectTo) }),
    ...more,
  };
  await desk.query(sql`select auth.queue_mail(${kind}, ${to}, ${{ sealed: seal(data, room.keys.mail) }})`);
}

/** The address that proves the mailbox when it is opened. */
export function actionLink(room: Room, token: string, type: string, redirectTo: string): string {
  // Escaped only where it has to be: tools and tests compare the address as they gave it.
  const back = /[&=#%+\s]/.test(redirectTo) ? encodeURIComponent(redirectTo) : redirectTo;
  return `${room.siteUrl}/auth/v1/verify?${new URLSearchParams({ token, type })}&redirect_to=${back}`;
}

/** The same behind a page with one button: scanners that open every link do not press it. */
function mailLink(room: Room, token: string, type: string, redirectTo: string): string {
  const link = actionLink(room, token, type, redirectTo);
  return room.settings.mailConfirmPage ? link.replace('/auth/v1/verify?', '/auth/v1/confirm?') : link;
}
