// A real app on a fresh database, for `const app = forSuite(startApp)`. It listens on a free port, so that tests use the public API; `close()` stops
// it and drops the database.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import type { Config } from '../../server/config/config.ts';
import { readConfig } from '../../server/config/read-config.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import type { Database } from '../../server/database/types.ts';
import type { Offer } from '../../server/mcp/offer.ts';
import { openLog } from '../../server/open-log.ts';
import { openServices } from '../../server/open-services.ts';
import type { Services } from '../../server/services.ts';
import { type Callers, openCallers } from './callers.ts';
import { findFreePort } from './find-free-port.ts';
import { type FreshDatabase, freshDatabase } from './fresh-database.ts';
import { records } from './records.ts';

export interface AppOptions {
  /** Settings by environment name: `{ DATA_MAX_ROWS: '10' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Run on the new database as its owner before the app opens (tables of the test's own). */
  readonly prepare?: string;
  /** Another migrated database than a fresh clone of the template; dropped by `close` as that one is. */
  readonly database?: Pick<FreshDatabase, 'url' | 'directUrl' | 'drop'>;
  /** Where the app logs; by default into the records of the run (TEST_LOG=debug prints). */
  readonly log?: Logger;
  /** What /mcp serves in place of the board. */
  readonly loadOffer?: () => Promise<Offer>;
}

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** An access token, good for an hour. */
  readonly token: string;
  /** A client that is signed in as this user. */
  readonly client: SupabaseClient;
}

export interface TestApp extends Callers {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly database: Database;
  readonly services: Services;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** The owner's address of the database. */
  readonly ownerUrl: string;
  /** As the owner of the tables, past every policy of the app (the embedded owner bypasses row security). */
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** As a signed-in user (by id), or with these claims; rejects with PostgresError. */
  asUser<T = Record<string, unknown>>(
    who: string | Record<string, unknown>,
    text: string,
    values?: (string | null)[],
  ): Promise<T[]>;
  /** Straight into auth.users with a signed token: quick. Tests of identity sign up by the door instead. */
  createUser(options?: { name?: string; email?: string; claims?: Record<string, unknown> }): Promise<TestUser>;
  /** A body that is no text is sent as JSON; that of the answer comes parsed, null when there is none. */
  call(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; headers: Headers; body: ReturnType<typeof JSON.parse> }>;
  close(): Promise<void>;
}

/** As a server opens it, at the level at which every request is named. */
function logFor(config: Config): Logger {
  if (process.env.TEST_LOG !== undefined || records === null) return pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { server } = config;
  return openLog({ server: { ...server, logLevel: 'debug' } }, { write: (line) => records?.keepLog(line) });
}

export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const fresh = options.database ?? (await freshDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-app-'));
  const owner = new pg.Pool({ ...connectionOptions(fresh.directUrl), max: 2, idleTimeoutMillis: 1000 });
  owner.on('error', () => undefined);
  if (options.prepare) await owner.query(options.prepare);
  const port = await findFreePort('127.0.0.1');
  const { config, sources } = readConfig({
    env: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL: `http://127.0.0.1:${port}`,
      DB_POOL_SIZE: '4',
      DATABASE_URL: fresh.url,
      DATABASE_DIRECT_URL: fresh.directUrl,
      // Tests sign in as often as they like; those of limits name addresses of their own, or set this to none.
      AUTH_LIMIT_EXEMPT: 'loopback',
      ...options.settings,
    },
  });
  records?.keepSettings(options.settings ?? {});
  const log = options.log ?? logFor(config);
  const opened = await openServices(config, { url: fresh.url, directUrl: fresh.directUrl }, log, {
    sources,
    ...(options.loadOffer === undefined ? {} : { loadOffer: options.loadOffer }),
  });
  const { services, app } = opened;
  const { port: listenAt, host } = config.server;
  await app.listen({ port: listenAt, host });
  await services.jobs.start();
  const url = `http://127.0.0.1:${listenAt}`;
  const { anonKey, serviceRoleKey } = services.sessions;
  records?.keepSecret(serviceRoleKey);

  const { client, request } = openCallers(url, anonKey);

  return {
    url,
    anonKey,
    serviceKey: serviceRoleKey,
    database: services.database,
    services,
    dataDir,
    databaseUrl: fresh.url,
    ownerUrl: fresh.directUrl,
    client,
    async sql<T>(text: string, values: unknown[] = []) {
      return (await owner.query(text, values)).rows as T[];
    },
    asUser<T>(who: string | Record<string, unknown>, text: string, values: (string | null)[] = []) {
      const claims = typeof who === 'string' ? { sub: who, role: 'authenticated' } : who;
      const role = typeof claims.role === 'string' ? claims.role : 'authenticated';
      return services.database.objectsAs<T>({ role, claims: JSON.stringify(claims) }, { text, values });
    },
    async createUser({ name = 'Ada', email, claims = {} } = {}) {
      const id = randomUUID();
      const address = email ?? `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}-${id.slice(0, 8)}@example.test`;
      await owner.query(
        `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)`,
        [id, address, JSON.stringify({ name })],
      );
      const token = await services.sessions.sign(
        {
          sub: id,
          role: 'authenticated',
          aud: 'authenticated',
          email: address,
          user_metadata: { name },
          app_metadata: {},
          ...claims,
        },
        3600,
      );
      return { id, email: address, name, password: '', token, client: client({ token }) };
    },
    request,
    async call(method, path, body, token = anonKey) {
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const response = await request(path, { method, token, ...sent });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    async close() {
      await opened.close();
      await owner.end();
      await fresh.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
