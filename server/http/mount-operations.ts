// Routes for operators: /health, /ready and /metrics.

import { createHash, timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { isLoopbackAddress, isLoopbackHost } from '../loopback.ts';
import type { Services } from '../services.ts';
import { described } from './describe-routes.ts';
import { noteCause } from './failure-causes.ts';
import { NOBODY, object, response } from './open-api.ts';

export async function mountOperations(app: FastifyInstance, services: Services): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  app.addHook('onClose', async () => registry.clear());
  const { metrics, database } = services;
  metrics.gauge('kanbase_database_connections', 'Connections to Postgres.', () => database.stats().connections);
  metrics.gauge('kanbase_database_connections_idle', 'Connections nobody uses.', () => database.stats().idle);
  metrics.gauge('kanbase_database_queue', 'Requests that wait for a connection.', () => database.stats().waiting);
  if (database.replica() !== null) gaugeReplica(services);

  app.get('/health', described(health), async () => ({ status: 'ok' }));

  app.get('/ready', described(ready), async (_request, reply) => {
    // Whoever asks does so on a connection that was open before: no other is taken any more.
    if (!app.server.listening)
      return unavailable(reply, 'The service stops', { hint: 'Send requests to another one, or wait.' });
    try {
      await database.ping();
      if (database.stats().full) {
        return unavailable(reply, 'Writes fail: the disk of the database is full');
      }
      const { dataDir, readyFreeBytes } = services.config.server;
      if (!(await hasRoom(dataDir, readyFreeBytes))) {
        return unavailable(reply, 'The disk of the data directory is nearly full', {
          cause: new Error(`Less than ${readyFreeBytes} bytes are free in ${dataDir}`),
        });
      }
      const unsettled = await services.unsettledMigrations();
      if (unsettled.length === 0) return { status: 'ready' };
      return unavailable(reply, 'The database and this version do not fit: migrations are missing', {
        cause: new Error(unsettled.join('; ')),
      });
    } catch (error) {
      return unavailable(reply, 'The database does not answer', { cause: error });
    }
  });

  const { metricsToken: token, metricsAddresses } = services.config.server;
  const mayRead = services.proxies.among(metricsAddresses);
  const figures = services.gatherMetrics(async () => (await metrics.text()) + (await registry.metrics()));
  app.get('/metrics', described(metricsText), async (request, reply) => {
    if (!(mayRead(request) && isUnderOwnName(request)) && !hasToken(request, token))
      return reply.code(401).header('www-authenticate', 'Bearer').send({
        error: 'The metrics need a token, or an address that METRICS_ADDRESSES names',
        hint: 'Set METRICS_TOKEN and send it as Authorization: Bearer <token>, or set METRICS_ADDRESSES.',
      });
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await figures());
  });
}

/** A page elsewhere whose name was made to point to this machine asks under its own name. */
function isUnderOwnName({ ip, headers }: FastifyRequest): boolean {
  return !isLoopbackAddress(ip) || isLoopbackHost((headers.host ?? '').replace(/:\d+$/, ''));
}

type ReplicaStats = NonNullable<ReturnType<Services['database']['replica']>>;

function gaugeReplica({ metrics, database }: Services): void {
  const read = (figure: (stats: ReplicaStats) => number) => (): number => {
    const stats = database.replica();
    return stats === null ? 0 : figure(stats);
  };
  const gauge = (name: string, help: string, figure: (stats: ReplicaStats) => number): void =>
    metrics.gauge(`kanbase_replica_${name}`, help, read(figure));
  gauge('up', 'Whether the replica answers.', ({ answers }) => Number(answers));
  gauge(
    'lag_bytes',
    'Bytes of WAL that the replica had still to play back when it was looked at last.',
    (one) => one.lagBytes,
  );
  gauge('reads', 'Reads that the replica answered.', ({ replica }) => replica);
  gauge('passed_to_primary', 'Reads meant for the replica that the primary answered.', ({ primary }) => primary);
}

/** A directory that is not there yet, or cannot be looked at, says nothing. */
async function hasRoom(directory: string, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  const found = await statfs(directory).catch(() => null);
  return found === null || found.bavail * found.bsize >= bytes;
}

function hasToken({ headers }: FastifyRequest, token: string | null): boolean {
  if (token === null) return false;
  const [sent, wanted] = [headers.authorization ?? '', `Bearer ${token}`].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return sent !== undefined && wanted !== undefined && timingSafeEqual(sent, wanted);
}

function unavailable(
  reply: FastifyReply,
  error: string,
  { hint = 'Run `npx kanbase doctor` to see why.', cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): FastifyReply {
  noteCause(reply.request.raw, new Error(error, { cause }));
  return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', error, hint });
}

const tags = ['Operations'];

const health = {
  operationId: 'health',
  tags,
  summary: 'Whether the process is up',
  security: NOBODY,
  responses: { 200: response('It is', object({ status: { const: 'ok' } })) },
};

const ready = {
  operationId: 'ready',
  tags,
  summary: 'Whether it can serve',
  security: NOBODY,
  responses: {
    200: response('It can', object({ status: { const: 'ready' } })),
    503: response('The database does not answer, or the service stops', { type: 'object' }),
  },
};

const metricsText = {
  operationId: 'metrics',
  tags,
  summary: 'Figures for Prometheus',
  security: NOBODY,
  responses: {
    200: { description: 'Figures', content: { 'text/plain': { schema: { type: 'string' } } } },
    401: response('Neither METRICS_TOKEN as bearer token nor an address of METRICS_ADDRESSES', { type: 'object' }),
  },
};
