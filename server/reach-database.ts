// Settings → addresses of a Postgres that answers: the operator's own, or the embedded cluster, started here.

import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { builtMigrations } from './database/built-migrations.ts';
import { connectionOptions } from './database/connection-options.ts';
import type { MigrateOptions } from './database/migrate.ts';
import { startCluster } from './database/start-cluster.ts';
import { packageRoot, packageVersion } from './package-root.ts';

export interface ReachedDatabase {
  /** The pool's login. */
  readonly url: string;
  /** The owner's, past any pooler: migrations and listening. */
  readonly directUrl: string;
  readonly embedded: boolean;
  stop(): Promise<void>;
}

export interface ReachOptions {
  /** Refuse where a server runs on the embedded cluster already; otherwise it is used beside that server. */
  readonly alone?: boolean;
  /** How long a database of the operator's own may take to come up. */
  readonly timeoutMs?: number;
  /** Ends the waiting early. */
  readonly signal?: AbortSignal;
  /** Called while Postgres starts, or a new cluster is being made: there is time for work. */
  readonly meanwhile?: (() => void) | undefined;
}

export async function reachDatabase(config: Config, log: Logger, options: ReachOptions = {}): Promise<ReachedDatabase> {
  const { url, directUrl } = config.database;
  if (url === null) {
    const dataDir = resolve(config.server.dataDir);
    const cluster = await startCluster({ dataDir, log, share: options.alone !== true, meanwhile: options.meanwhile });
    return { url: cluster.url, directUrl: cluster.directUrl, embedded: true, stop: () => cluster.stop() };
  }
  const direct = directUrl ?? url;
  options.meanwhile?.();
  await untilItAnswers(direct, log, options);
  return { url, directUrl: direct, embedded: false, stop: async () => undefined };
}

/** Where our own SQL lies, and the user's. */
export const sqlOf = ({ database }: Config) => ({
  directory: resolve(packageRoot(), 'sql'),
  extraDirectory: database.migrationsDir,
});

/** What `migrate` and `migrationStatus` need to know. */
export function migrations(
  config: Config,
  reached: Pick<ReachedDatabase, 'url' | 'directUrl'>,
  log?: Logger,
): MigrateOptions & { readonly directory: string } {
  return {
    url: reached.directUrl,
    poolUrl: reached.url,
    ...sqlOf(config),
    built: builtMigrations,
    version: packageVersion(),
    log,
  };
}

/** A database that is still starting, as it does beside us in compose, is waited for; one that refuses us is not. */
async function untilItAnswers(url: string, log: Logger, { timeoutMs = 0, signal }: ReachOptions): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!mayPass(error) || Date.now() >= deadline) throw unreachable(error);
      if (tries === 1) log.warn({ err: error }, 'the database does not answer yet; waiting for it');
      await pause(Math.min(100 * tries, 1000), undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** Not up yet (57P03 is Postgres saying so itself), or its name is not known yet. */
function mayPass(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ENOENT', '57P03'].includes(code ?? '');
}

function unreachable(error: unknown): Error {
  const words =
    error instanceof Error && error.message !== '' ? error.message : String((error as { code?: string }).code);
  return new Error(
    `the database cannot be reached: ${words}. Check DATABASE_URL, or see what npx kanbase doctor says.`,
    {
      cause: error,
    },
  );
}
