// A page of one question and one button, for the few steps of a sign-in that belong to no app: no script, nothing to
// load, in no frame.

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

export interface Page {
  /** Of its texts. */
  readonly language: string;
  readonly title: string;
  /** HTML; what is not ours in it has gone through `asHtml`. */
  readonly body: string;
}

const style =
  ':root{color-scheme:light dark}' +
  'body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:100dvh;margin:0;' +
  'color:light-dark(#1f1e1b,#ecebe7);background:light-dark(#f7f6f3,#141516)}' +
  'main{max-width:26rem;padding:2rem;text-align:center;overflow-wrap:anywhere}' +
  'h1{margin:0 0 1.25rem;font-size:1.625rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance}' +
  'p{margin:0 0 1.5rem;text-wrap:pretty}a{color:light-dark(#0f6b73,#5cc2cb)}' +
  'button{font:inherit;font-weight:600;min-height:2.75rem;padding:0 1.5rem;border:0;border-radius:8px;cursor:pointer;' +
  'background:light-dark(#0f6b73,#5cc2cb);color:light-dark(#fff,#06282b)}' +
  'button:hover{background:light-dark(#0b565d,#84d5dc)}' +
  ':focus-visible{outline:2px solid light-dark(#0f6b73,#5cc2cb);outline-offset:2px}';

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`;

export function sendPage(reply: FastifyReply, { language, title, body }: Page): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
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
