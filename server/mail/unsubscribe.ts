// /api/unsubscribe: the end of notifications by mail, from the mail itself. A mail program posts to it by itself when its reader presses
// "unsubscribe" (RFC 8058); a browser shows a page with a button first, since links in mails are opened by machines too.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { roomRoles } from '../database/room-roles.ts';
import { unlisted } from '../http/describe-routes.ts';
import { query } from '../http/open-api.ts';
import { pageLanguage } from '../http/page-language.ts';
import { leaveBodies } from '../http/read-json.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { isLanguage, type Texts, textsIn } from '../texts/texts.ts';
import { asHtml } from './as-html.ts';

const address = '/api/unsubscribe';
const link = { parameters: [query('token', 'From the email')] };

/** The address for one person, named by their grant; it ends with the epoch of their account, as all that opens without a session does. */
export function unsubscribeUrl(siteUrl: string, grant: string, key: Buffer): string {
  return `${siteUrl}${address}?token=${grant}.${sign(grant, key)}`;
}

function sign(id: string, key: Buffer): string {
  return createHmac('sha256', key).update(id).digest('base64url');
}

/** The grant it names, or in mails from before there were grants the person; null when it is not one of ours. */
function readUnsubscribeToken(token: string, key: Buffer): string | null {
  const [id = '', signature = ''] = token.split('.', 2);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const given = Buffer.from(signature);
  const right = Buffer.from(sign(id, key));
  return given.length === right.length && timingSafeEqual(given, right) ? id : null;
}

export async function mountUnsubscribe(app: FastifyInstance, services: Services): Promise<void> {
  const { database, sessions, siteUrl, config } = services;
  const key = sessions.deriveKey('unsubscribe from mail');
  const product = config.mail.productName;
  const ask = async <T>(text: string, id: string): Promise<T | undefined> =>
    (await database.objectsAs<T>(roomRoles.mail, { text, values: [id] }))[0];
  const whoIn = async (request: FastifyRequest): Promise<string | null> => {
    const { token } = readQuery(request, link);
    const named = token === undefined ? null : readUnsubscribeToken(token, key);
    if (named === null) return null;
    const found = await ask<{ person: string }>(
      'select person from private.person_of_unsubscribe_link($1) as person',
      named,
    );
    return found?.person ?? null;
  };
  /** The mail was in the language of the account; where that says none, the page is in the browser's. */
  const textsFor = async (request: FastifyRequest, userId: string | null): Promise<Texts> => {
    const chosen =
      userId === null
        ? undefined
        : await ask<{ language: string | null }>('select private.language_of_person($1) as language', userId);
    return textsIn(isLanguage(chosen?.language) ? chosen.language : pageLanguage(request));
  };
  await app.register(async (door) => {
    // Mail programs send a form, and some send nothing; neither is looked at.
    leaveBodies(door);
    door.get(address, unlisted('A page'), async (request, reply) => {
      const userId = await whoIn(request);
      const texts = await textsFor(request, userId);
      return userId === null
        ? page(reply, 404, texts, unknown(texts, product))
        : page(reply, 200, texts, question(texts, product));
    });
    door.post(address, unlisted('The button of that page, or of a mail program'), async (request, reply) => {
      const userId = await whoIn(request);
      const texts = await textsFor(request, userId);
      const ended =
        userId === null
          ? undefined
          : await ask<{ known: boolean }>('select private.unsubscribe_from_mail($1) as known', userId);
      if (ended?.known !== true) return page(reply, 404, texts, unknown(texts, product));
      return page(reply, 200, texts, done(texts, product, `${siteUrl}/app/account`));
    });
  });
}

interface Words {
  readonly heading: string;
  readonly words: string;
  readonly button?: string;
  readonly link?: { readonly label: string; readonly url: string };
}

const question = ({ t }: Texts, product: string): Words => ({
  heading: t('link.unsubscribe.title', { product }),
  words: t('link.unsubscribe.words', { product }),
  button: t('link.unsubscribe.button'),
});

const done = ({ t }: Texts, product: string, account: string): Words => ({
  heading: t('link.unsubscribe.done'),
  words: t('link.unsubscribe.doneWords', { product }),
  link: { label: t('link.unsubscribe.account'), url: account },
});

const unknown = ({ t }: Texts, product: string): Words => ({
  heading: t('link.unsubscribe.unknown'),
  words: t('link.unsubscribe.unknownWords', { product }),
});

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;' +
  'color:light-dark(#1f1e1b,#ecebe7);background:light-dark(#f7f6f3,#141516)}a{color:light-dark(#0f6b73,#5cc2cb)}' +
  'button{font:inherit;padding:.5rem 1rem;border:0;border-radius:.5rem;background:#0f6b73;color:#fff;cursor:pointer}';

function page(
  reply: FastifyReply,
  status: number,
  { language }: Texts,
  { heading, words, button, link }: Words,
): FastifyReply {
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    })
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${asHtml(heading)}</title>` +
        `<style>${style}</style></head><body><main><h1>${asHtml(heading)}</h1><p>${asHtml(words)}</p>` +
        `${button ? `<form method="post"><button>${asHtml(button)}</button></form>` : ''}` +
        `${link ? `<p><a href="${asHtml(link.url)}">${asHtml(link.label)}</a></p>` : ''}</main></body></html>`,
    );
}
