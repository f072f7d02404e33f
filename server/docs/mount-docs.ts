// /openapi.json and /docs: the whole service described for programs and for people. Every room describes itself, as
// the role whose view is shown sees it; document and pages are made anew only when a part changed, and a page when it is first asked for.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DescriptionPart, described, unlisted } from '../http/describe-routes.ts';
import { NOBODY, type OpenApi, response } from '../http/open-api.ts';
import type { Services } from '../services.ts';
import { databaseTypes } from './database-types.ts';
import { describeService } from './describe-service.ts';
import { referencePages } from './reference-pages.ts';
import { referenceScript } from './reference-script.ts';
import { referenceStyle } from './reference-style.ts';
import { renderIndex, renderMissing, renderReferencePage } from './render-page.ts';
import { searchIndex } from './search-index.ts';
import { tryScript } from './try-script.ts';

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

interface Text {
  readonly text: string;
  readonly tag: string;
}

interface Edition {
  readonly parts: readonly DescriptionPart[];
  readonly document: Text;
  /** By path below /docs; null: there is no such page. */
  page(path: string): Text | null;
  readonly missing: Text;
  readonly search: Text;
}

export async function mountDocs(app: FastifyInstance, services: Services): Promise<void> {
  let latest: Edition | null = null;

  async function edition(): Promise<Edition> {
    const parts = await app.descriptionParts(services.config.docs.role);
    if (latest?.parts.every((part, at) => part === parts[at])) return latest;
    latest = { parts, ...write(describeService(parts, services.siteUrl)) };
    return latest;
  }

  app.get('/openapi.json', described(description), async (request, reply) => {
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return unlessKnown(request, reply, (await edition()).document);
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const { page, missing } = await edition();
    const found = page(path);
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
    return found === null ? reply.code(404).send(missing.text) : unlessKnown(request, reply, found);
  };
  app.get('/docs', unlisted('A page'), (request, reply) => sendPage(request, reply, '/docs'));
  app.get('/docs/*', unlisted('A page'), (request, reply) => sendPage(request, reply, pathOf(request.url)));
  app.get('/docs/search.json', unlisted('A part of a page'), async (request, reply) =>
    unlessKnown(request, reply.type('application/json; charset=utf-8'), (await edition()).search),
  );
  for (const [path, type, text] of [
    ['/docs/reference.css', 'text/css', referenceStyle],
    ['/docs/reference.js', 'text/javascript', referenceScript],
    ['/docs/try.js', 'text/javascript', tryScript],
    ['/docs/database.ts', 'text/plain', databaseTypes()],
  ] as const) {
    const known = tagged(text);
    app.get(path, unlisted('A part of a page'), (request, reply) =>
      unlessKnown(request, reply.type(`${type}; charset=utf-8`), known),
    );
  }
}

/** Written as the addresses of pages are, however a browser encodes it. */
function pathOf(url: string): string {
  try {
    const [path = ''] = url.split('?', 1);
    return path.replace(/\/$/, '').split('/').map(decodeURIComponent).map(encodeURIComponent).join('/');
  } catch {
    return '';
  }
}

function write(document: OpenApi): Omit<Edition, 'parts'> {
  const site = { document, pages: referencePages(document) };
  const byAddress = new Map(site.pages.map((page) => [page.address, page]));
  const written = new Map<string, Text>();
  return {
    document: tagged(JSON.stringify(document)),
    search: tagged(searchIndex(site.pages)),
    missing: tagged(renderMissing(site)),
    page(path) {
      const known = written.get(path);
      if (known !== undefined) return known;
      const page = byAddress.get(path);
      if (page === undefined && path !== '/docs') return null;
      const text = tagged(page === undefined ? renderIndex(site) : renderReferencePage(site, page));
      written.set(path, text);
      return text;
    },
  };
}

const tagged = (text: string): Text => ({
  text,
  tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
});

function unlessKnown(request: FastifyRequest, reply: FastifyReply, { tag, text }: Text): FastifyReply {
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
