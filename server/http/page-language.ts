// In which language a page is sent: the one that was chosen, by a link or before, else the first of the browser's that there are pages in.

import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languages } from '../texts/texts.ts';

/** What the pages themselves read and write: web/strings/language.ts. */
const place = 'kanbase-language';
const yearInSeconds = 31_536_000;

export function pageLanguage(request: FastifyRequest, offered = languages): string {
  const chosen = parse(request.headers.cookie ?? '')[place];
  if (chosen !== undefined && offered.includes(chosen)) return chosen;
  return acceptedLanguage(request.headers['accept-language'], offered);
}

/** The best of those that a browser accepts; English where it accepts none. */
export function acceptedLanguage(header: string | undefined, offered = languages): string {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, at) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
      const quality = Number(rest.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean) ?? 1);
      return { language: tag.split('-', 1)[0] ?? '', quality, at };
    })
    .filter(({ language, quality }) => quality > 0 && offered.includes(language))
    .sort((one, other) => other.quality - one.quality || one.at - other.at);
  return wanted[0]?.language ?? 'en';
}

/** `/?language=de`: a link that works without script. It keeps the choice and leads to the page itself. */
export function chooseLanguage(request: FastifyRequest, reply: FastifyReply, offered: readonly string[]): boolean {
  const { language, ...others } = (request.query ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof language !== 'string' || !offered.includes(language)) return false;
  // Followed by a person: a picture of this address in a text of somebody else chooses nothing.
  if (![undefined, 'document'].includes(request.headers['sec-fetch-dest'] as string | undefined)) return false;
  const [path = '/'] = request.url.split('?', 1);
  const rest = new URLSearchParams(
    Object.entries(others).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ).toString();
  reply
    .header('set-cookie', serialize(place, language, { path: '/', maxAge: yearInSeconds, sameSite: 'lax' }))
    .header('cache-control', 'no-store')
    // Always a path of this service: a second slash would make it a host.
    .redirect(`/${path.replace(/^[/\\]+/, '')}${rest === '' ? '' : `?${rest}`}`, 303);
  return true;
}
