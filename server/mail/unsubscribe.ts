// /api/unsubscribe: the end of notifications by mail, from the mail itself. A mail program posts to it by itself when its reader presses
// "unsubscribe" (RFC 8058); a browser shows a page with a button first, since links in mails are opened by machines too.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { roomRoles } from '../database/room-roles.ts';
import { unlisted } from '../http/describe-routes.ts';
import { pageLanguage } from '../http/page-language.ts';
import { leaveBodies } from '../http/read-json.ts';
import type { Services } from '../services.ts';
import { asHtml } from './as-html.ts';

const address = '/api/unsubscribe';

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
    const { token } = request.query as { token?: unknown };
    const named = typeof token === 'string' ? readUnsubscribeToken(token, key) : null;
    if (named === null) return null;
    const found = await ask<{ person: string }>('select person from private.who_unsubscribes($1) as person', named);
    return found?.person ?? null;
  };
  /** The mail was in the language of the account; where that says none, the page is in the browser's. */
  const textsFor = async (request: FastifyRequest, userId: string | null): Promise<Texts> => {
    const chosen =
      userId === null
        ? undefined
        : await ask<{ language: string | null }>('select private.language_of_person($1) as language', userId);
    const language = chosen?.language ?? '';
    return Object.hasOwn(texts, language) ? textsOf(language) : textsOf(pageLanguage(request, Object.keys(texts)));
  };
  await app.register(async (door) => {
    // Mail programs send a form, and some send nothing; neither is looked at.
    leaveBodies(door);
    door.get(address, unlisted('A page'), async (request, reply) => {
      const userId = await whoIn(request);
      const say = await textsFor(request, userId);
      return page(
        reply,
        userId === null ? 404 : 200,
        say,
        userId === null ? say.unknown(product) : say.question(product),
      );
    });
    door.post(address, unlisted('The button of that page, or of a mail program'), async (request, reply) => {
      const userId = await whoIn(request);
      const say = await textsFor(request, userId);
      const done =
        userId === null
          ? undefined
          : await ask<{ known: boolean }>('select private.unsubscribe_from_mail($1) as known', userId);
      if (done?.known !== true) return page(reply, 404, say, say.unknown(product));
      return page(reply, 200, say, say.done(product, `${siteUrl}/app/account`));
    });
  });
}

interface Words {
  readonly heading: string;
  readonly words: string;
  readonly button?: string;
  readonly link?: { readonly label: string; readonly url: string };
}

interface Texts {
  readonly language: string;
  readonly question: (product: string) => Words;
  readonly done: (product: string, account: string) => Words;
  readonly unknown: (product: string) => Words;
}

const texts: Readonly<Record<string, Texts>> = {
  en: {
    language: 'en',
    question: (product) => ({
      heading: `No more notifications of ${product} by mail?`,
      words: 'What happens stays in your inbox there, and you can turn mail on again in your account.',
      button: 'Stop the mails',
    }),
    done: (product, account) => ({
      heading: 'No more mails',
      words: `${product} sends you no notifications by mail any more. To choose what you get, go to your account there.`,
      link: { label: 'My account', url: account },
    }),
    unknown: (product) => ({
      heading: 'This address is not known',
      words: `Perhaps it was cut off. What ${product} sends you can be chosen in your account there.`,
    }),
  },
  de: {
    language: 'de',
    question: (product) => ({
      heading: `Keine Benachrichtigungen von ${product} mehr per Mail?`,
      words:
        'Was geschieht, steht weiter in deinem Eingang dort, und in deinem Konto kannst du Mails wieder einschalten.',
      button: 'Keine Mails mehr',
    }),
    done: (product, account) => ({
      heading: 'Keine Mails mehr',
      words: `${product} schickt dir keine Benachrichtigungen mehr per Mail. Was du bekommst, wählst du dort in deinem Konto.`,
      link: { label: 'Mein Konto', url: account },
    }),
    unknown: (product) => ({
      heading: 'Diese Adresse ist nicht bekannt',
      words: `Vielleicht wurde sie abgeschnitten. Was ${product} dir schickt, wählst du dort in deinem Konto.`,
    }),
  },
};

function textsOf(language: string): Texts {
  return (texts[language] ?? texts.en) as Texts;
}

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
