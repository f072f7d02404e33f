// /dev/inbox: the mails that were not sent, for a developer without a mail server. Only for a caller on this
// machine, only outside production; everyone else finds nothing here.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFromThisMachine, keepsMailHere } from '../http/from-this-machine.ts';
import { pageLanguage } from '../http/page-language.ts';
import type { Services } from '../services.ts';
import { asHtml } from './as-html.ts';
import { type KeptMail, openMailQueue } from './mail-queue.ts';
import { loadPictures } from './pictures-in-mail.ts';
import { type Brand, type RenderedMail, renderMail, type ShownPictures } from './render-mail.ts';

const style =
  ':root{color-scheme:light dark}' +
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere;' +
  'color:light-dark(#1f1e1b,#ecebe7);background:light-dark(#f7f6f3,#141516)}' +
  'h1{font-size:1.625rem;letter-spacing:-.01em}p,small{color:light-dark(#504d46,#b9b6ae)}a{color:light-dark(#0f6b73,#5cc2cb)}' +
  'ul{margin:1.5rem 0;padding:0;list-style:none}li{padding:.75rem 0;border-top:1px solid light-dark(#e4e1da,#2c2f31)}';

export async function mountInbox(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, sessions, siteUrl } = services;
  if (!keepsMailHere(services)) return;
  const queue = openMailQueue(database, sessions.deriveKey('mail'));
  const brand: Brand = {
    get product() {
      return config.mail.productName;
    },
    siteUrl,
    templatesDir: config.mail.templatesDir,
  };

  await app.register(async (door) => {
    door.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      if (!isFromThisMachine(request)) return reply.callNotFound();
    });
    door.get('/dev/inbox', async (request, reply) => {
      const mails = await queue.latest(50);
      if (/\bjson\b/.test(request.headers.accept ?? ''))
        return mails.map((mail) => ({ ...describe(mail), ...show(mail, brand) }));
      return page(reply, listPage(mails, brand, pageLanguage(request, Object.keys(texts))));
    });
    door.get('/dev/inbox/:id', async (request, reply) => {
      const { id } = request.params as { id: string };
      const mail = (await queue.latest(500)).find((one) => one.id === id);
      if (mail === undefined) return reply.callNotFound();
      const pictures = mail.data === null ? [] : await loadPictures(services, mail.data);
      const shown = [...pictures].map(([id, one]) => {
        const src = `data:${one.type};base64,${one.bytes.toString('base64')}`;
        return [id, { ...one, src }] as const;
      });
      return page(reply, show(mail, brand, new Map(shown)).html);
    });
  });
}

function show({ kind, data }: KeptMail, brand: Brand, pictures?: ShownPictures): RenderedMail {
  if (data !== null) return renderMail(kind, data, brand, pictures);
  const lines = ['It was sealed with another JWT_SECRET than the one in use.'];
  return renderMail('notice', { subject: 'A mail that cannot be read', lines }, brand);
}

function describe(mail: KeptMail): Record<string, unknown> {
  const { id, kind, recipient, state, createdAt } = mail;
  return { id, kind, recipient, state, created_at: createdAt };
}

interface Texts {
  readonly title: string;
  readonly words: string;
  readonly to: string;
  readonly none: string;
}

const english: Texts = {
  title: 'Inbox',
  words: 'No mail server is set (SMTP_URL), so mail is kept here. This page is for this machine only.',
  to: 'to',
  none: 'There is no mail yet.',
};

const texts: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    title: 'Eingang',
    words:
      'Es ist kein Mailserver angegeben (SMTP_URL), deshalb bleiben Mails hier. Diese Seite gibt es nur auf diesem Rechner.',
    to: 'an',
    none: 'Noch gibt es keine Mail.',
  },
};

function listPage(mails: readonly KeptMail[], brand: Brand, language: string): string {
  const say = texts[language] ?? english;
  const rows = mails.map((mail) => {
    const { subject } = show(mail, brand);
    return `<li><a href="/dev/inbox/${mail.id}">${asHtml(subject)}</a><br><small>${say.to} ${asHtml(mail.recipient)}, ${asHtml(mail.createdAt)}</small></li>`;
  });
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${say.title}</title>` +
    `<style>${style}</style></head><body><h1>${say.title}</h1><p>${say.words}</p>` +
    `${rows.length === 0 ? `<p>${say.none}</p>` : `<ul>${rows.join('')}</ul>`}</body></html>`
  );
}

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    })
    .send(html);
}
