// Delivers the outbox for as long as the server runs: at once when a letter is queued, later when the mail server did
// not take it, and after a restart from where it was. Without a mail server letters are kept for the inbox page.

import type { createTransport } from 'nodemailer';
import type { House } from '../house.ts';
import { openOutbox, type QueuedLetter, type ReadableLetter } from './outbox.ts';
import { type Brand, renderLetter } from './render-letter.ts';

export interface MailRoom {
  stop(): Promise<void>;
}

const pollMs = 15_000;
const sweepMs = 3_600_000;
const atOnce = 8;

export async function startMail(house: House): Promise<MailRoom> {
  const { config, database, log, sessions, siteUrl } = house;
  const settings = config.mail;
  const outbox = openOutbox(database, sessions.deriveKey('mail'));
  const brand: Brand = { product: settings.productName, siteUrl, templatesDir: settings.templatesDir };
  const post =
    settings.smtpUrl === null
      ? null
      : await openPost(
          settings.smtpUrl,
          settings.from ?? `${settings.productName} <no-reply@${new URL(siteUrl).hostname}>`,
        );

  let stopped = false;
  let asked = false;
  let running: Promise<void> | null = null;

  /** One round at a time; a letter that is queued meanwhile gets another round. */
  function deliver(): void {
    asked = true;
    running ??= (async () => {
      while (asked && !stopped) {
        asked = false;
        try {
          await round();
        } catch (error) {
          log.warn({ err: error }, 'the outbox could not be read');
        }
      }
      running = null;
    })();
  }

  async function round(): Promise<void> {
    const due = await outbox.takeDue(atOnce);
    await Promise.all(due.map(handle));
    if (due.length === atOnce) asked = true;
  }

  async function handle(letter: QueuedLetter): Promise<void> {
    try {
      // Tried again like any other: whoever puts the old secret back in time loses no mail.
      if (!isReadable(letter))
        throw new Error('it was sealed with another JWT_SECRET: put that one back to have it sent');
      const ready = await outbox.address(letter);
      if (ready === null) return await outbox.markFailed(letter.id, 'the invitation is no longer open', null);
      if (post === null) return await outbox.markKept(letter.id);
      await post.send(ready, brand);
      await outbox.markSent(letter.id);
    } catch (error) {
      const again = nextAttempt(error, letter.attempts, settings.attempts);
      log[again === null ? 'error' : 'warn'](
        { letter: letter.id, kind: letter.kind, attempt: letter.attempts, again, reason: wordsOf(error) },
        'mail not delivered',
      );
      await outbox.markFailed(letter.id, wordsOf(error), again).catch(() => undefined);
    }
  }

  const unlisten = await listen(house, deliver);
  const poll = setInterval(deliver, pollMs);
  const sweep = setInterval(() => void outbox.sweep(settings.keptDays).catch(() => undefined), sweepMs);
  poll.unref();
  sweep.unref();
  deliver();

  return {
    async stop() {
      stopped = true;
      clearInterval(poll);
      clearInterval(sweep);
      await unlisten();
      await running;
      post?.close();
    },
  };
}

function isReadable(letter: QueuedLetter): letter is ReadableLetter {
  return letter.data !== null;
}

async function listen(house: House, deliver: () => void): Promise<() => Promise<void>> {
  try {
    return await house.database.listen('kanbase_mail', deliver, deliver);
  } catch (error) {
    house.log.warn({ err: error }, 'mail is delivered every few seconds only: the database cannot be listened to');
    return async () => undefined;
  }
}

interface Post {
  send(letter: ReadableLetter, brand: Brand): Promise<void>;
  close(): void;
}

/** The library is loaded only where there is a mail server to talk to. */
async function openPost(url: string, from: string): Promise<Post> {
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
  return {
    async send(letter, brand) {
      const { subject, text, html } = renderLetter(letter.kind, letter.data, brand);
      await transport.sendMail({
        from,
        to: { name: '', address: letter.recipient },
        subject,
        text,
        html,
        // The same letter sent twice after a crash is one letter to a mail program.
        messageId: `<${letter.id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    },
    close: () => transport.close(),
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
