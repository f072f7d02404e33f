// Delivers the mail queue for as long as the server runs: at once when a mail is queued, later when the mail server did
// not take it, and after a restart from where it was. Without a mail server mails are kept for the inbox page.

import { setTimeout as pause } from 'node:timers/promises';
import type { createTransport } from 'nodemailer';
import { roomRoles } from '../database/room-roles.ts';
import { hasDevInbox } from '../http/has-dev-inbox.ts';
import type { Services } from '../services.ts';
import { longestDeliveryMs, type MailQueue, openMailQueue, type QueuedMail, type ReadableMail } from './mail-queue.ts';
import { loadPictures, type MailPictures } from './pictures-in-mail.ts';
import { type Brand, renderMail } from './render-mail.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

export interface MailDelivery {
  stop(): Promise<void>;
}

const pollMs = 15_000;
const sweepMs = 3_600_000;
const atOnce = 8;
const longestNotingPauseMs = 32_000;

export async function startMail(services: Services): Promise<MailDelivery> {
  const { config, database, jobs, log, sessions, siteUrl } = services;
  const settings = config.mail;
  const queue = openMailQueue(database, sessions.deriveKey('mail'));
  const brand = (): Brand => ({ product: settings.productName, siteUrl, templatesDir: settings.templatesDir });
  const mailServer = await followMailServer(services, queue);

  let stopped = false;
  let cutOff = false;

  async function round(): Promise<boolean> {
    const due = await queue.takeDue(atOnce);
    await Promise.all(due.map(handle));
    return due.length === atOnce;
  }

  async function handle(mail: QueuedMail): Promise<void> {
    try {
      // Tried again like any other: whoever puts the old secret back in time loses no mail.
      if (!isReadable(mail))
        throw new Error('it was sealed with another JWT_SECRET: put that one back to have it sent');
      const ready = await queue.address(mail);
      if (ready === null) return await queue.markVoid(mail.id, 'the invitation is no longer open');
      const through = await mailServer.settled();
      if (through === null) return await queue.markStored(mail.id);
      await inTime(loadPictures(services, ready.data).then((pictures) => through.send(ready, brand(), pictures)));
    } catch (error) {
      // It comes back when its lease ends: nothing is known against it, nor whether the mail server has it.
      if (cutOff) return void log.info({ mail: mail.id, kind: mail.kind }, 'a mail was left for the next start');
      const again = nextAttempt(error, mail.attempts, settings.attempts);
      log[again === null ? 'error' : 'warn'](
        { mail: mail.id, kind: mail.kind, attempt: mail.attempts, again, reason: wordsOf(error) },
        'mail not delivered',
      );
      await queue.markFailed(mail.id, wordsOf(error), again).catch(() => undefined);
      const through = mailServer.current();
      if (again === null && through !== null) await queue.leaveThread(through.messageIdOf(mail)).catch(() => undefined);
      return;
    }
    await noteSent(mail);
  }

  /** What was sent and is not noted is sent again when its lease ends: a database that is busy or away is asked for a minute. */
  async function noteSent({ id, kind }: QueuedMail): Promise<void> {
    for (let pauseMs = 500; ; pauseMs *= 2)
      try {
        return await queue.markSent(id);
      } catch (error) {
        if (stopped || pauseMs > longestNotingPauseMs) {
          log.error({ err: error, mail: id, kind }, 'a mail was sent, which could not be noted: it may be sent again');
          return;
        }
        await pause(pauseMs);
      }
  }

  // Without a mail server, and a page that shows what would have been sent, nothing is composed.
  const composed = (): boolean => mailServer.current() !== null || hasDevInbox(services);
  async function compose(): Promise<void> {
    const text = composed()
      ? 'select private.compose_notification_mails()'
      : 'select private.drop_notification_mails()';
    await database.objectsAs(roomRoles.mail, { text, values: [] });
  }

  const running = [
    await jobs.every({
      name: 'send_mail',
      channel: 'kanbase_mail',
      everyMs: pollMs,
      firstAfterMs: 0,
      isRecorded: false,
      run: round,
    }),
    await jobs.every({ name: 'mail_of_notifications', everyMs: pollMs, firstAfterMs: 0, run: compose }),
    await jobs.every({ name: 'sweep_mail', everyMs: sweepMs, run: () => queue.sweep(settings.retentionDays) }),
  ];

  return {
    async stop() {
      stopped = true;
      mailServer.stopFollowing();
      // Mails under way may arrive; a mail server that has fallen silent holds nobody up.
      const cut = setTimeout(() => {
        cutOff = true;
        mailServer.current()?.close();
      }, config.server.shutdownMs / 2);
      await Promise.all(running.map((job) => job.stop()));
      clearTimeout(cut);
      mailServer.current()?.close();
    },
  };
}

/** Before its lease ends, and another node takes it. */
async function inTime(delivery: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = pause(longestDeliveryMs, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`the mail server has not taken it within ${longestDeliveryMs / 1000} seconds`);
  });
  await Promise.race([delivery, late]).finally(() => over.abort());
}

function isReadable(mail: QueuedMail): mail is ReadableMail {
  return mail.data !== null;
}

interface Transport {
  messageIdOf(mail: QueuedMail): string;
  send(mail: ReadableMail, brand: Brand, pictures: MailPictures): Promise<void>;
  close(): void;
  /** What is under way may finish. */
  retire(): void;
}

interface MailServer {
  current(): Transport | null;
  /** Once a change of the settings that is under way has been taken up. */
  settled(): Promise<Transport | null>;
  stopFollowing(): void;
}

/** The mail server of the settings, which operators may change while mail is delivered. */
async function followMailServer(
  { config, log, sessions, siteUrl, storedSettings }: Services,
  queue: MailQueue,
): Promise<MailServer> {
  const settings = config.mail;
  const open = async (): Promise<Transport | null> =>
    settings.smtpUrl === null
      ? null
      : openTransport(
          settings.smtpUrl,
          settings.from ?? `${settings.productName} <no-reply@${new URL(siteUrl).hostname}>`,
          async (userId) => {
            const grant = await queue.grantUnsubscribing(userId);
            return grant === null ? null : unsubscribeUrl(siteUrl, grant, sessions.deriveKey('unsubscribe from mail'));
          },
          queue.joinThread,
        );
  let transport = await open();
  let opening: Promise<void> = Promise.resolve();
  const stopFollowing = storedSettings.onChange(() => {
    opening = opening
      .then(async () => {
        const [before, now] = [transport, await open()];
        transport = now;
        before?.retire();
      })
      .catch((error: unknown) => log.error({ err: error }, 'the mail server of the new settings cannot be used'));
  });
  return {
    current: () => transport,
    async settled() {
      await opening;
      return transport;
    },
    stopFollowing,
  };
}

/** The library is loaded only where there is a mail server to talk to. */
async function openTransport(
  url: string,
  from: string,
  unsubscribeAt: (userId: string) => Promise<string | null>,
  joinThread: MailQueue['joinThread'],
): Promise<Transport> {
  const nodemailer = await import('nodemailer');
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? 'kanbase.invalid';
  const messageIdOf = (mail: QueuedMail): string => `<${mail.id}@${host}>`;
  return {
    messageIdOf,
    async send(mail, brand, pictures) {
      const named = (id: string): string => `${id}@${host}`;
      const shown = new Map([...pictures].map(([id, one]) => [id, { ...one, src: `cid:${named(id)}` }]));
      const { subject, text, html, thread, unsubscribe } = renderMail(mail.kind, mail.data, brand, shown);
      // The same mail sent twice after a crash is one mail to a mail program.
      const messageId = messageIdOf(mail);
      const address = unsubscribe === null ? null : await unsubscribeAt(unsubscribe);
      const first = thread && unsubscribe && (await joinThread(unsubscribe, thread, messageId));
      await transport.sendMail({
        from,
        to: { name: '', address: mail.recipient },
        subject,
        text,
        html,
        // A template of the operator's own may show none of them.
        attachments: [...pictures.values()]
          .filter(({ id }) => html.includes(`cid:${named(id)}`))
          .map(({ id, name, type, bytes }) => ({
            filename: name,
            content: bytes,
            contentType: type,
            cid: named(id),
            contentDisposition: 'inline' as const,
          })),
        messageId,
        ...(first && first !== messageId ? { inReplyTo: first, references: [first] } : {}),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(address === null
            ? {}
            : {
                'List-Unsubscribe': `<${address}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
      });
    },
    close: () => transport.close({ force: true }),
    retire: () => transport.close(),
  };
}

/** Half a minute, then twice as long each time, up to six hours. What the mail server refuses for good is not tried again. */
export function nextAttempt(error: unknown, attempts: number, most: number): { seconds: number } | null {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  const refused =
    responseCode !== undefined && responseCode >= 500 && command !== 'CONN' && !command?.startsWith('AUTH');
  if (refused || attempts >= most) return null;
  return { seconds: Math.min(30 * 2 ** (attempts - 1), 21_600) };
}

function wordsOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, 500);
}
