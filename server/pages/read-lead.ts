// From the body of POST /api/lead to an address that mail can reach, in one spelling: the same person twice is one lead.

import { domainToASCII } from 'node:url';
import { checkBody } from '../http/check-body.ts';
import { body, NOBODY, object, orSay, refused, response, text } from '../http/open-api.ts';
import { pagesError } from './errors.ts';

export const leaveLead = {
  operationId: 'leaveLead',
  tags: ['Landing'],
  summary: 'Leave an email address',
  security: NOBODY,
  requestBody: body(
    object({
      email: orSay(text('Where to write to', { title: 'Email', format: 'email', minLength: 1 }), 'Email is required'),
      'source?': { description: 'Where the page was found, as text' },
    }),
  ),
  responses: {
    200: response('Kept', object({})),
    400: refused('No address, or none that is one'),
    429: refused('Too many from here'),
    500: refused('It could not be kept'),
  },
};

export interface Lead {
  readonly email: string;
  readonly source: string | null;
}

/** `cameFrom` is the page the browser names, for bodies that say nothing of their source. */
export function readLead(sent: unknown, cameFrom: string | undefined): Lead {
  const { email, source } = checkBody(leaveLead, sent, ({ isMissing, words }) =>
    isMissing ? pagesError('KB600', words) : noAddress(),
  );
  const address = normalizeEmail(email);
  if (address === null) throw noAddress();
  return { email: address, source: readSource(source) ?? readPage(cameFrom) };
}

const noAddress = (): Error => pagesError('KB601', 'Email must be a valid address, such as ada@example.com');

/** Lower case, without surrounding space, the domain in its ASCII form; null when it is no address. */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim().normalize('NFC');
  if (trimmed.length > 254) return null;
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(at, 0)).toLowerCase();
  if (local === '' || Buffer.byteLength(local) > 64) return null;
  // Quoted and commented forms are legal and never meant.
  if (/[\s@<>()[\]\\,;:"\p{C}]/u.test(local) || /^\.|\.$|\.\./.test(local)) return null;
  const domain = domainToASCII(trimmed.slice(at + 1).toLowerCase());
  const labels = domain.split('.');
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? '')) return null;
  if (!labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null;
  const address = `${local}@${domain}`;
  return address.length <= 254 ? address : null;
}

function readSource(source: unknown): string | null {
  if (typeof source !== 'string') return null;
  const clean = source.replaceAll(/\p{C}+/gu, ' ').trim();
  return clean === '' ? null : clean.slice(0, 200);
}

/** Without its query: what people searched for or were sent is none of our business. */
function readPage(referer: string | undefined): string | null {
  if (referer === undefined || !URL.canParse(referer)) return null;
  const { host, pathname } = new URL(referer);
  return host === '' ? null : `${host}${pathname}`.slice(0, 200);
}
