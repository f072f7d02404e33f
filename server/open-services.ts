// Makes the services from settings and addresses of a migrated database, and the app with every door mounted in it.
// The same for the server, for tests and for commands that use a door from inside.

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { migrationStatus } from './database/migrate.ts';
import { openDatabase } from './database/open-database.ts';
import type { Database } from './database/types.ts';
import { createMetrics } from './http/metrics.ts';
import { openLimits } from './limits/open-limits.ts';
import { migrations } from './reach-database.ts';
import type { Services } from './services.ts';
import { openConfiguredSessions } from './session/open-configured-sessions.ts';

export interface Addresses {
  /** The pool's login. */
  readonly url: string;
  /** The owner's, past any pooler. */
  readonly directUrl: string;
}

export interface OpenServices {
  readonly services: Services;
  readonly app: FastifyInstance;
  close(): Promise<void>;
}

export async function openServices(config: Config, addresses: Addresses, log: Logger): Promise<OpenServices> {
  const sessions = await openConfiguredSessions(config);
  const database: Database = await openDatabase({ ...addresses, config: config.database, log });
  let app: FastifyInstance | null = null;
  const services: Services = {
    config,
    database,
    sessions,
    limits: openLimits(config, database),
    metrics: createMetrics(),
    log,
    siteUrl: (config.server.siteUrl ?? `http://localhost:${config.server.port}`).replace(/\/+$/, ''),
    unsettledMigrations: watchMigrations(config, addresses),
    fetch: (input, init) => {
      if (app === null) throw new Error('The app is not ready to answer yet');
      return answerInProcess(
        app,
        new Request(new URL(input instanceof Request ? input.url : input, services.siteUrl), init),
      );
    },
  };
  try {
    app = await createApp(services);
    await app.ready();
  } catch (error) {
    await database.close();
    throw error;
  }
  const opened = app;
  return {
    services,
    app: opened,
    async close() {
      await opened.close();
      await database.close();
    },
  };
}

const migrationsKnownForMs = 10_000;

function watchMigrations(config: Config, addresses: Addresses): () => Promise<readonly string[]> {
  let known: { readonly at: number; readonly names: Promise<readonly string[]> } | null = null;
  const look = async (): Promise<readonly string[]> => {
    const { pending, problems } = await migrationStatus(migrations(config, addresses));
    return [...pending, ...problems];
  };
  return () => {
    if (known === null || performance.now() - known.at > migrationsKnownForMs) {
      const names = look();
      known = { at: performance.now(), names };
      names.catch(() => {
        known = null;
      });
    }
    return known.names;
  };
}

/** A request through our own doors without a socket in between. */
async function answerInProcess(app: FastifyInstance, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const { 'x-forwarded-for': forwarded, ...others } = Object.fromEntries(request.headers);
  const response = await app.inject({
    method: request.method as 'GET',
    url: url.pathname + url.search,
    headers: { ...others, host: url.host },
    ...(forwarded === undefined ? {} : { remoteAddress: forwarded.split(',', 1)[0]?.trim() }),
    ...(body === undefined ? {} : { payload: body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  const empty = response.statusCode === 204 || response.statusCode === 304;
  return new Response(empty ? null : new Uint8Array(response.rawPayload), { status: response.statusCode, headers });
}
