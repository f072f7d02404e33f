// Mail queue (`private.outbox`) for the delivery: claims emails that are due, records their outcome, deletes old ones. A claimed email becomes due
// again if this process dies before it records the outcome.

import { createHash, randomBytes } from 'node:crypto';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { seal, unseal } from '../session/seal.ts';

export interface QueuedMail {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  /** Null when it was sealed with another secret than ours. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly attempts: number;
  readonly createdAt: string;
}

export interface ReadableMail extends QueuedMail {
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredMail extends QueuedMail {
  readonly state: string;
  readonly error: string | null;
}

export interface MailQueue {
  takeDue(count: number): Promise<QueuedMail[]>;
  /** The mail of an invitation gets its token now, when it leaves; null when the invitation is no longer open. */
  address(mail: ReadableMail): Promise<ReadableMail | null>;
  markSent(id: string): Promise<void>;
  /** `again` null: given up; what it says is kept as long as the list is, so that an operator can send it after all. */
  markFailed(id: string, error: string, again: { readonly seconds: number } | null): Promise<void>;
  /** There is nothing to say any more. */
  markVoid(id: string, error: string): Promise<void>;
  /** The Message-ID that a mail about this answers: of the first such mail to this person, its own if it is that one. */
  joinThread(person: string, about: string, messageId: string): Promise<string | null>;
  /** It will never be sent: the next one is the first. */
  leaveThread(messageId: string): Promise<void>;
  /** The grant that a person's link to unsubscribe names; null where their account may not sign in. */
  grantUnsubscribing(person: string): Promise<string | null>;
  /** Without a mail server: kept for the inbox page. */
  markStored(id: string): Promise<void>;
  latest(count: number): Promise<StoredMail[]>;
  sweep(days: number): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly data: Record<string, unknown>;
  readonly attempts: number;
  readonly created_at: string;
  readonly state: string;
  readonly last_error: string | null;
}

/** Longer than any delivery may take. */
const leaseSeconds = 300;
export const longestDeliveryMs = 240_000;

/** What another node has sent or given up meanwhile stays as it is. */
const isOurs = (id: string) => sql`id = ${id} and state = 'queued'`;

export function openMailQueue(database: Database, key: Buffer): MailQueue {
  const run = <T>(fragment: ReturnType<typeof sql>) => database.objectsAs<T>(roomRoles.mail, statement(fragment));
  return {
    async takeDue(count) {
      const rows = await run<Row>(sql`
        update private.outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
        where id = any (array(
          select id from private.outbox where state = 'queued' and next_attempt_at <= now()
          order by next_attempt_at limit ${count}::int for update skip locked
        ))
        returning id, kind, recipient, data, attempts, created_at, state, last_error`);
      return rows.map((row) => mailOf(row, key));
    },
    async address(mail) {
      if (mail.data.invitation_id === undefined || mail.data.url !== undefined) return mail;
      const token = randomBytes(32).toString('base64url');
      const hash = createHash('sha256').update(token).digest();
      const data = { ...mail.data, url: `/invitation#${token}` };
      const [row] = await run<{ open: boolean }>(
        sql`select private.address_invitation(${mail.id}, ${hash}, ${seal(data, key)}) as open`,
      );
      return row?.open === true ? { ...mail, data } : null;
    },
    async markSent(id) {
      await run(sql`
        update private.outbox set state = 'sent', data = '{}', last_error = null, finished_at = now() where id = ${id}`);
    },
    async markFailed(id, error, again) {
      await run(
        again === null
          ? sql`update private.outbox set state = 'failed', last_error = ${error}, finished_at = now() where ${isOurs(id)}`
          : sql`update private.outbox set last_error = ${error},
              next_attempt_at = now() + make_interval(secs => ${again.seconds}) where ${isOurs(id)}`,
      );
    },
    async markVoid(id, error) {
      await run(sql`
        update private.outbox set state = 'failed', data = '{}', last_error = ${error}, finished_at = now() where ${isOurs(id)}`);
    },
    async joinThread(person, about, messageId) {
      const [row] = await run<{ first: string | null }>(
        sql`select private.join_mail_thread(${person}, ${about}, ${messageId}) as first`,
      );
      return row?.first ?? null;
    },
    async grantUnsubscribing(person) {
      const [row] = await run<{ granted: string | null }>(
        sql`select private.unsubscribe_grant_of(${person}::uuid) as granted`,
      );
      return row?.granted ?? null;
    },
    async leaveThread(messageId) {
      await run(sql`delete from private.mail_threads where message_id = ${messageId}`);
    },
    async markStored(id) {
      await run(sql`update private.outbox set state = 'kept', finished_at = now() where ${isOurs(id)}`);
    },
    async latest(count) {
      const rows = await run<Row>(sql`
        select id, kind, recipient, data, attempts, created_at, state, last_error
        from private.outbox order by created_at desc limit ${count}::int`);
      return rows.map((row) => ({ ...mailOf(row, key), state: row.state, error: row.last_error }));
    },
    async sweep(days) {
      await run(sql`delete from private.outbox where finished_at < now() - make_interval(days => ${days})`);
      await run(sql`delete from private.mail_threads where last_at < now() - interval '1 year'`);
    },
  };
}

function mailOf(row: Row, key: Buffer): QueuedMail {
  const { sealed } = row.data;
  const opened = typeof sealed === 'string' ? unseal(sealed, key) : row.data;
  const data = typeof opened === 'object' && opened !== null ? (opened as Record<string, unknown>) : null;
  return {
    id: row.id,
    kind: row.kind,
    recipient: row.recipient,
    data,
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}
