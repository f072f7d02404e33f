// /openapi.json and /docs: the whole service described for programs and for people. The data door's part is asked of
// the door itself, as the role whose view is shown, and made anew only when that changed.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { House } from '../house.ts';
import { describeService } from './describe-service.ts';
import type { SchemaRoot } from './doors/data-schemas.ts';
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
  readonly source: string;
  readonly tag: string;
  readonly document: string;
  readonly page: string;
}

export async function mountDocs(app: FastifyInstance, house: House): Promise<void> {
  let latest: Edition | null = null;

  async function edition(): Promise<Edition> {
    const source = await readRoots(house);
    if (latest?.source === source) return latest;
    const described = describeService(JSON.parse(source) as SchemaRoot[], house.siteUrl);
    const document = JSON.stringify(described);
    const page = renderReference(described);
    latest = {
      source,
      document,
      page,
      tag: `"${createHash('sha256').update(document).update(page).digest('base64url').slice(0, 22)}"`,
    };
    return latest;
  }

  app.get('/openapi.json', async (request, reply) => {
    const { document, tag } = await edition();
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return unlessKnown(request, reply, tag, document);
  });
  app.get('/docs', async (request, reply) => {
    const { page, tag } = await edition();
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
    return unlessKnown(request, reply, tag, page);
  });
  for (const [path, type, text] of [
    ['/docs/reference.css', 'text/css', referenceStyle],
    ['/docs/reference.js', 'text/javascript', referenceScript],
  ] as const) {
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    app.get(path, (request, reply) => unlessKnown(request, reply.type(`${type}; charset=utf-8`), tag, text));
  }
}

function unlessKnown(request: FastifyRequest, reply: FastifyReply, tag: string, text: string): FastifyReply {
  reply.headers({ etag: tag, 'cache-control': 'no-cache' });
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(text);
}

/** The root of the data door as the described role sees it, for each schema that has one; a JSON text. */
async function readRoots(house: House): Promise<string> {
  const token = await house.sessions.sign({ role: house.config.docs.role }, 60);
  const roots = await Promise.all(
    house.config.data.schemas.map(async (schema, index) => {
      // A name that no header can hold cannot be asked for, except as the first one.
      if (index > 0 && !/^[\x21-\x7e]+$/.test(schema)) return [];
      const response = await house.fetch('/rest/v1/', {
        headers: {
          apikey: house.sessions.anonKey,
          authorization: `Bearer ${token}`,
          ...(index > 0 && { 'accept-profile': schema }),
        },
      });
      return response.ok ? [`{"schema":${JSON.stringify(schema)},"root":${await response.text()}}`] : [];
    }),
  );
  return `[${roots.flat().join(',')}]`;
}
