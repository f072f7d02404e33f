// /.well-known: what the OAuth server offers and which resources it protects, at the root of the service, where clients that know only its
// address look. Served to any origin.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { described } from '../../http/describe-routes.ts';
import { NOBODY, response } from '../../http/open-api.ts';
import { operation, PROGRAMS } from '../description-terms.ts';
import type { IdentityContext } from '../identity-context.ts';
import { resourceMetadata, serverMetadata } from './discovery.ts';
import { protectedPaths } from './resources.ts';

const ofServer = ['oauth-authorization-server', 'openid-configuration'];

export function mountWellKnown(app: FastifyInstance, context: IdentityContext): void {
  const send = (reply: FastifyReply, document: unknown): FastifyReply =>
    reply.headers({ 'cache-control': 'public, max-age=600', 'x-content-type-options': 'nosniff' }).send(document);
  const add = (path: string, summary: string, answer: () => unknown): void => {
    const operationId = path
      .split(/[^a-z0-9]/)
      .map((word, at) => (at < 2 ? word : capital(word)))
      .join('');
    const description = operation(PROGRAMS, operationId, summary, {
      security: NOBODY,
      responses: { 200: response('A document for clients', { type: 'object' }) },
    });
    app.get(path, described(description), (_request, reply) => send(reply, answer()));
  };
  for (const name of ofServer)
    for (const path of ['', '/auth/v1'])
      add(`/.well-known/${name}${path}`, 'What the OAuth server offers', () => serverMetadata(context));
  for (const path of protectedPaths)
    add(`/.well-known/oauth-protected-resource${path}`, 'Where tokens for this resource come from', () =>
      resourceMetadata(context, path),
    );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
