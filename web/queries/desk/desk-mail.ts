// Mail as the operator's desk is told of it; what a mail says is not.

import type { Door } from '../../sync/door.ts';
import { askDesk, deskAnswer } from './desk.ts';

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

export const readDeskMails = (door: Door, words: string, state: string, before: string) =>
  deskAnswer<DeskMails>(askDesk(door, `/mail?${new URLSearchParams({ words, state, before })}`));

export const readDeskMail = (door: Door, id: string) =>
  deskAnswer<{ readonly state: MailState; readonly last_error: string | null }>(askDesk(door, `/mail/${id}`));

/** Null: all that failed. */
export const sendDeskMailAgain = (door: Door, id: string | null) =>
  deskAnswer<{ readonly sent: number }>(askDesk(door, id === null ? '/mail/again' : `/mail/${id}/again`, {}));

export const sendTestMail = (door: Door) => deskAnswer<{ readonly id: string }>(askDesk(door, '/mail/test', {}));
