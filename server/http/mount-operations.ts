// What those who run the service ask: is the process up, can it serve, how is it doing.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { House } from '../house.ts';

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

  app.get('/metrics', async (_request, reply) => {
    const text = await registry.metrics();
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.text() + text);
  });
}

function unavailable(reply: FastifyReply, error: string): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', '1')
    .send({ status: 'unavailable', error, hint: 'Run `kanbase doctor` to see why.' });
}
