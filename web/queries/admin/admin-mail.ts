// Emails as the admin pages list them: recipient, kind and state, never their content.

import type { Sync } from '../../sync/sync.ts';
import { readAdmin } from './admin.ts';

type MailState = 'queued' | 'failed' | 'kept' | 'sent';

export interface AdminMail {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly state: MailState;
  readonly attempts: number;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly last_error: string | null;
  readonly can_be_sent: boolean;
}

export interface AdminMails {
  /** False: mails are kept, not sent. */
  readonly has_server: boolean;
  readonly counts: Readonly<Record<string, number | undefined>>;
  readonly mails: readonly AdminMail[];
}

export const readAdminMails = (sync: Sync, words: string, state: string, before: string) =>
  readAdmin<AdminMails>(sync, `/mail?${new URLSearchParams({ words, state, before })}`);

export const readAdminMail = (sync: Sync, id: string) =>
  readAdmin<{ readonly state: MailState; readonly last_error: string | null }>(sync, `/mail/${id}`);
