// GET and POST /confirm: the page a mail's link opens. It has one button, so that scanners that open every link in a
// mail do not use the link up before its reader does.

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryValue } from './read-body.ts';
import { acceptRedirect } from './redirects.ts';
import type { Room } from './room.ts';
import { rulesOf } from './sign-up.ts';
import { followLink } from './verify.ts';

const words: Readonly<Record<string, readonly [title: string, button: string]>> = {
  signup: ['Confirm your e-mail address', 'Confirm and continue'],
  invite: ['Accept the invitation', 'Accept and continue'],
  magiclink: ['Sign in', 'Sign in'],
  recovery: ['Reset your password', 'Continue'],
  email_change: ['Confirm the change of your e-mail address', 'Confirm the change'],
};

const style =
  'body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0;color:#1c1b22;background:#f6f5f2}' +
  'main{max-width:24rem;padding:2rem;text-align:center}h1{font-size:1.4rem}' +
  'button{font:inherit;padding:.7rem 1.4rem;border:0;border-radius:.6rem;background:#3b5bdb;color:#fff;cursor:pointer}' +
  'button:focus-visible{outline:3px solid #91a7ff}@media(prefers-color-scheme:dark){body{color:#eee;background:#17161c}}';

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`;

export async function confirmPage(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const type = queryValue(request, 'type');
  const [title, button] = (Object.hasOwn(words, type) ? words[type] : undefined) ?? ['Continue', 'Continue'];
  const fields = ['token', 'type', 'redirect_to']
    .map((name) => `<input type="hidden" name="${name}" value="${asHtml(queryValue(request, name))}">`)
    .join('');
  const page =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><form method="post" action="${asHtml(new URL(room.siteUrl).pathname.replace(/\/$/, ''))}/auth/v1/confirm">${fields}` +
    `<button autofocus>${button}</button></form></main></body></html>`;
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(page);
}

export async function confirmPosted(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  return followLink(room, request, reply, {
    token: form.get('token') ?? '',
    type: form.get('type') ?? '',
    redirectTo: acceptRedirect(rulesOf(room), form.get('redirect_to') ?? '') ?? room.siteUrl,
  });
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
