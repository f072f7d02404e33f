// /dev/inbox: the mail that was not sent, for a developer without a mail server. Opened by the link of the start banner; without its
// secret the page says where that link is.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unlisted } from '../http/describe-routes.ts';
import { hasDevInbox } from '../http/has-dev-inbox.ts';
import { inPath } from '../http/open-api.ts';
import { pageLanguage } from '../http/page-language.ts';
import { readPath } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { type Texts, textsIn } from '../texts/texts.ts';
import { asHtml } from './as-html.ts';
import { hasInboxSecret, inboxCookie, inboxSecret } from './inbox-secret.ts';
import { openMailQueue, type StoredMail } from './mail-queue.ts';
import { loadPictures } from './pictures-in-mail.ts';
import { type Brand, type RenderedMail, renderMail, type ShownPictures } from './render-mail.ts';

const ofOne = { parameters: [inPath('id')] };

const style =
  ':root{color-scheme:light dark}' +
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere;' +
  'color:light-dark(#1f1e1b,#ecebe7);background:light-dark(#f7f6f3,#141516)}' +
  'h1{font-size:1.625rem;letter-spacing:-.01em}p,small{color:light-dark(#504d46,#b9b6ae)}a{color:light-dark(#0f6b73,#5cc2cb)}' +
  'ul{margin:1.5rem 0;padding:0;list-style:none}li{padding:.75rem 0;border-top:1px solid light-dark(#e4e1da,#2c2f31)}';

/** Sends what stands after # in the link to the server, which answers with a cookie, and takes it out of the address. */
const openScript =
  "const open=()=>{const secret=location.hash.slice(1);if(secret==='')return;history.replaceState(null,'',location.pathname);" +
  "fetch('/dev/inbox/open',{method:'POST',headers:{authorization:'Bearer '+secret}}).then((answer)=>{if(answer.ok)location.reload()})};" +
  "addEventListener('hashchange',open);open()";

export async function mountInbox(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, sessions, siteUrl } = services;
  if (!hasDevInbox(services)) return;
  const queue = openMailQueue(database, sessions.deriveKey('mail'));
  const brand: Brand = {
    get product() {
      return config.mail.productName;
    },
    siteUrl,
    templatesDir: config.mail.templatesDir,
  };
  const secret = inboxSecret(services);

  await app.register(async (door) => {
    door.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
      if (hasInboxSecret(request, secret)) return;
      reply.code(401);
      const texts = textsIn(pageLanguage(request));
      if (asksForJson(request)) return reply.send({ error: texts.t('link.inbox.closed') });
      return page(reply, closedPage(texts), true);
    });
    door.post('/dev/inbox/open', unlisted('A page of developers'), async (_request, reply) =>
      reply.code(204).header('set-cookie', inboxCookie(secret, siteUrl)).send(),
    );
    door.get('/dev/inbox', unlisted('A page of developers'), async (request, reply) => {
      const mails = await queue.latest(50);
      if (asksForJson(request))
        return mails.map((mail) => ({ ...describe(mail), ...show(mail, brand, textsIn(pageLanguage(request))) }));
      return page(reply, listPage(mails, brand, textsIn(pageLanguage(request))));
    });
    door.get('/dev/inbox/:id', unlisted('A page of developers'), async (request, reply) => {
      const { id } = readPath(request, ofOne);
      const mail = (await queue.latest(500)).find((one) => one.id === id);
      if (mail === undefined) return reply.callNotFound();
      const pictures = mail.data === null ? [] : await loadPictures(services, mail.data);
      const shown = [...pictures].map(([id, one]) => {
        const src = `data:${one.type};base64,${one.bytes.toString('base64')}`;
        return [id, { ...one, src }] as const;
      });
      return page(reply, show(mail, brand, textsIn(pageLanguage(request)), new Map(shown)).html);
    });
  });
}

const asksForJson = ({ headers }: FastifyRequest): boolean => /\bjson\b/.test(headers.accept ?? '');

function show(
  { kind, data }: StoredMail,
  brand: Brand,
  { t, language }: Texts,
  pictures?: ShownPictures,
): RenderedMail {
  if (data !== null) return renderMail(kind, data, brand, pictures);
  // It was sealed with another JWT_SECRET.
  const lines = [t('mail.unreadable.words')];
  return renderMail('notice', { subject: t('mail.unreadable.subject'), lines, language }, brand);
}

function describe(mail: StoredMail): Record<string, unknown> {
  const { id, kind, recipient, state, createdAt } = mail;
  return { id, kind, recipient, state, created_at: createdAt };
}

function listPage(mails: readonly StoredMail[], brand: Brand, texts: Texts): string {
  const { t } = texts;
  const rows = mails.map((mail) => {
    const { subject } = show(mail, brand, texts);
    const sent = t('link.inbox.to', { recipient: mail.recipient, time: mail.createdAt });
    return `<li><a href="/dev/inbox/${mail.id}">${asHtml(subject)}</a><br><small>${asHtml(sent)}</small></li>`;
  });
  const list = rows.length === 0 ? `<p>${t('link.inbox.none')}</p>` : `<ul>${rows.join('')}</ul>`;
  return frame(texts, `<p>${t('link.inbox.words')}</p>${list}`);
}

function closedPage(texts: Texts): string {
  return frame(texts, `<p>${texts.t('link.inbox.closed')}</p><script>${openScript}</script>`);
}

function frame({ language, t }: Texts, inside: string): string {
  const title = t('link.inbox.title');
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
    `<style>${style}</style></head><body><h1>${title}</h1>${inside}</body></html>`
  );
}

const scriptHash = createHash('sha256').update(openScript).digest('base64');

function page(reply: FastifyReply, html: string, opens = false): FastifyReply {
  const script = opens ? `script-src 'sha256-${scriptHash}'; connect-src 'self'; ` : '';
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; ${script}style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'`,
    })
    .send(html);
}
