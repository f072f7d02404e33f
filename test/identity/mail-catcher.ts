// A real SMTP server that stores the emails it receives, and refuses them on request.

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { records } from '../helpers/records.ts';

export interface CaughtMail {
  readonly to: string;
  readonly subject: string;
  /** Headers and body as they came over the wire. */
  readonly raw: string;
  /** The plain text part, decoded. */
  readonly text: string;
  /** Address of the button. */
  readonly link: string;
  readonly code: string;
}

export interface MailCatcher {
  readonly url: string;
  readonly mails: CaughtMail[];
  /** Answers every message with this SMTP error until it is null again. */
  refuse: { code: number; text: string } | null;
  readonly refused: number;
  /** Resolves with the next mail to this address that nobody has waited for yet. */
  next(to: string): Promise<CaughtMail>;
  close(): Promise<void>;
}

export async function catchMail(port = 0): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const taken = new Set<CaughtMail>();
  const waiting: { to: string; resolve: (mail: CaughtMail) => void }[] = [];
  let refused = 0;
  const catcher = { refuse: null as MailCatcher['refuse'] };

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (catcher.refuse) {
          refused += 1;
          done(Object.assign(new Error(catcher.refuse.text), { responseCode: catcher.refuse.code }));
          return;
        }
        const mail = read(
          Buffer.concat(chunks).toString('utf8'),
          session.envelope.rcptTo.map((one) => one.address).join(','),
        );
        mails.push(mail);
        done();
        const index = waiting.findIndex((one) => one.to === mail.to);
        if (index >= 0) {
          taken.add(mail);
          waiting.splice(index, 1)[0]?.resolve(mail);
        }
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.server.address() as AddressInfo;

  return Object.assign(catcher, {
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    get refused() {
      return refused;
    },
    next(to: string) {
      const found = mails.find((mail) => mail.to === to && !taken.has(mail));
      if (found) {
        taken.add(found);
        return Promise.resolve(found);
      }
      return new Promise<CaughtMail>((resolve) => waiting.push({ to, resolve }));
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }) as MailCatcher;
}

function read(raw: string, to: string): CaughtMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const subject = /^Subject: (.*)$/m.exec(head)?.[1] ?? '';
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw);
  const encoding = /Content-Type: text\/plain[\s\S]*?Content-Transfer-Encoding: (\S+)/.exec(raw)?.[1] ?? '7bit';
  const text = decode(part?.[1] ?? '', encoding);
  // Links of a mail are for its reader alone: to sign in, to join, to have no more of them.
  records?.keepSecretsOf(head);
  records?.keepSecretsOf(text);
  return {
    to,
    subject,
    raw,
    text,
    link: /^(https?:\/\/\S+\/auth\/v1\/\S+)$/m.exec(text)?.[1] ?? '',
    code: /^Code: (\d+)$/m.exec(text)?.[1] ?? '',
  };
}

function decode(text: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding.toLowerCase() !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
