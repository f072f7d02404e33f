// Mail as the operator's desk is told of it; what a mail says is not.

import type { Sync } from '../../sync/sync.ts';
import { readDesk } from './desk.ts';

type MailState = 'queued' | 'failed' | 'kept' | 'sent';

export interface DeskMail {
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

export interface DeskMails {
  /** False: mails are kept, not sent. */
  readonly has_server: boolean;
  readonly counts: Readonly<Record<string, number | undefined>>;
  readonly mails: readonly DeskMail[];
}

export const readDeskMails = (sync: Sync, words: string, state: string, before: string) =>
  readDesk<DeskMails>(sync, `/mail?${new URLSearchParams({ words, state, before })}`);

export const readDeskMail = (sync: Sync, id: string) =>
  readDesk<{ readonly state: MailState; readonly last_error: string | null }>(sync, `/mail/${id}`);
