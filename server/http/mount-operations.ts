// What those who run the service ask: is the process up, can it serve, how is it doing.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { House } from '../house.ts';
import { isFromThisMachine } from './from-this-machine.ts';

export async function mountOperations(app: FastifyInstance, house: House): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  app.addHook('onClose', async () => registry.clear());
  const { metrics, database } = house;
  metrics.gauge('kanbase_database_connections', 'Connections to Postgres.', () => database.stats().connections);
  metrics.gauge('kanbase_database_connections_idle', 'Connections nobody uses.', () => database.stats().idle);
  metrics.gauge('kanbase_database_queue', 'Requests that wait for a connection.', () => database.stats().waiting);

  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/ready', async (request, reply) => {
    try {
      await database.ping();
      const unsettled = await house.unsettledMigrations();
      if (unsettled.length === 0) return { status: 'ready' };
      request.log.warn({ unsettled }, 'not ready');
      return unavailable(reply, 'The database and this version do not fit: migrations are missing, or it is newer');
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return unavailable(reply, 'The database does not answer');
    }
  });

  const token = house.config.server.metricsToken;
  app.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request) && !hasToken(request, token))
      return reply.code(401).header('www-authenticate', 'Bearer').send({
        error: 'The metrics are for this machine alone, and for whoever has the token',
        hint: 'Set METRICS_TOKEN and send it as Authorization: Bearer <token>.',
      });
    const text = await registry.metrics();
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.text() + text);
  });
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  const [sent, wanted] = [headers.authorization ?? '', `Bearer ${token}`].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return sent !== undefined && wanted !== undefined && timingSafeEqual(sent, wanted);
}

function unavailable(reply: FastifyReply, error: string): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', '1')
    .send({ status: 'unavailable', error, hint: 'Run `kanbase doctor` to see why.' });
}
