// Adds request id and CORS headers (on API doors) to every answer of Fastify's, and has it noted once it is out.

import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { corsOf, isApiPath } from './cors.ts';
import { noteCause } from './failure-causes.ts';
import { answerNotes } from './log-answer.ts';

export function observeRequests(
  app: FastifyInstance,
  { config, metrics, log }: Pick<Services, 'config' | 'metrics' | 'log'>,
): void {
  const cors = corsOf(config.server.corsOrigins);
  const note = answerNotes({ metrics, log });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (isApiPath(request.url)) {
      const headers = cors(request.headers.origin);
      for (let at = 0; at + 1 < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
    }
    done();
  });
  app.addHook('onError', (request, _reply, error, done) => {
    noteCause(request.raw, error);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unknown' } = request.routeOptions;
    note(request.raw, { route, status: reply.statusCode, ms: reply.elapsedTime, id: request.id, ip: request.ip });
    done();
  });
}
