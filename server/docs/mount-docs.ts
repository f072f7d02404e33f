// /openapi.json and /docs: the whole service described for programs and for people. Every room describes itself, as
// the role whose view is shown sees it; document and page are made anew only when a part changed.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DescriptionPart, described, unlisted } from '../http/describe-routes.ts';
import { NOBODY, response } from '../http/open-api.ts';
import type { Services } from '../services.ts';
import { describeService } from './describe-service.ts';
import { referenceScript } from './reference-script.ts';
import { referenceStyle } from './reference-style.ts';
import { renderReference } from './render-reference.ts';

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Edition {
  readonly parts: readonly DescriptionPart[];
  readonly tag: string;
  readonly document: string;
  readonly page: string;
}

export async function mountDocs(app: FastifyInstance, services: Services): Promise<void> {
  let latest: Edition | null = null;

  async function edition(): Promise<Edition> {
    const parts = await app.descriptionParts(services.config.docs.role);
    if (latest?.parts.every((part, at) => part === parts[at])) return latest;
    const described = describeService(parts, services.siteUrl);
    const document = JSON.stringify(described);
    const page = renderReference(described);
    latest = {
      parts,
      document,
      page,
      tag: `"${createHash('sha256').update(document).update(page).digest('base64url').slice(0, 22)}"`,
    };
    return latest;
  }

  app.get('/openapi.json', described(description), async (request, reply) => {
    const { document, tag } = await edition();
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return unlessKnown(request, reply, tag, document);
  });
  app.get('/docs', unlisted('A page'), async (request, reply) => {
    const { page, tag } = await edition();
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
    return unlessKnown(request, reply, tag, page);
  });
  for (const [path, type, text] of [
    ['/docs/reference.css', 'text/css', referenceStyle],
    ['/docs/reference.js', 'text/javascript', referenceScript],
  ] as const) {
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    app.get(path, unlisted('A part of a page'), (request, reply) =>
      unlessKnown(request, reply.type(`${type}; charset=utf-8`), tag, text),
    );
  }
}

function unlessKnown(request: FastifyRequest, reply: FastifyReply, tag: string, text: string): FastifyReply {
  reply.headers({ etag: tag, 'cache-control': 'no-cache' });
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(text);
}

const description = {
  operationId: 'describeService',
  tags: ['Operations'],
  summary: 'This description',
  security: NOBODY,
  responses: { 200: response('OpenAPI 3.1', { type: 'object' }) },
};
