// Settings → addresses of a Postgres that answers: the operator's own, or the embedded cluster, started here.

import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { startCluster } from './database/start-cluster.ts';

export interface ReachedDatabase {
  /** The pool's login. */
  readonly url: string;
  /** The owner's, past any pooler: migrations and listening. */
  readonly directUrl: string;
  readonly embedded: boolean;
  stop(): Promise<void>;
}

export async function reachDatabase(config: Config, log: Logger): Promise<ReachedDatabase> {
  const { url, directUrl } = config.database;
  if (url !== null) return { url, directUrl: directUrl ?? url, embedded: false, stop: async () => undefined };
  const cluster = await startCluster({ dataDir: resolve(config.server.dataDir), log });
  return { url: cluster.url, directUrl: cluster.directUrl, embedded: true, stop: () => cluster.stop() };
}
