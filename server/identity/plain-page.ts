// A page of one question and one button, for the few steps of a sign-in that belong to no app: no script, nothing to
// load, in no frame.

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

export interface Page {
  readonly title: string;
  /** HTML; what is not ours in it has gone through `asHtml`. */
  readonly body: string;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0;color:#1c1b22;background:#f6f5f2}' +
  'main{max-width:24rem;padding:2rem;text-align:center;overflow-wrap:anywhere}h1{font-size:1.4rem}' +
  'button{font:inherit;padding:.7rem 1.4rem;border:0;border-radius:.6rem;background:#3b5bdb;color:#fff;cursor:pointer}' +
  'button:focus-visible{outline:3px solid #91a7ff}@media(prefers-color-scheme:dark){body{color:#eee;background:#17161c}}';

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`;

export function sendPage(reply: FastifyReply, { title, body }: Page): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
        `<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${style}</style></head>` +
        `<body><main><h1>${title}</h1>${body}</main></body></html>`,
    );
}

/** A path of ours as a browser asks for it, also where the service lives below a path. */
export function ownAddress(siteUrl: string, path: string): string {
  return asHtml(new URL(siteUrl).pathname.replace(/\/$/, '')) + path;
}

export function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
