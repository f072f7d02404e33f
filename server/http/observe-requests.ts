// Adds request id and CORS headers (on API doors) to every answer of Fastify's, counts and times it, and logs it: at `debug`, or at `warn`
// for a server error. A line per request at `info` would cost more than most requests do.

import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { corsOf, isApiPath } from './cors.ts';

export function observeRequests(
  app: FastifyInstance,
  { config, metrics, log }: Pick<Services, 'config' | 'metrics' | 'log'>,
): void {
  const cors = corsOf(config.server.corsOrigins);
  const tellAll = log.isLevelEnabled('debug');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (isApiPath(request.url)) {
      const headers = cors(request.headers.origin);
      for (let at = 0; at + 1 < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    metrics.record(route, request.method, status, reply.elapsedTime / 1000);
    if (status >= 500)
      request.log.warn(
        { method: request.method, route, status, ms: Math.round(reply.elapsedTime) },
        'answered with an error',
      );
    else if (tellAll)
      request.log.debug(
        { method: request.method, route, status, ms: Math.round(reply.elapsedTime), ip: request.ip },
        'answered',
      );
    done();
  });
}
