// Runs `kanbase serve`: reads settings, reaches Postgres and loads serve-on.ts while Postgres starts. With several WORKERS, other processes listen;
// each of them runs this file, too.

import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { readAhead } from '../database/migrate.ts';
import { type HeldPort, holdPort } from '../http/hold-port.ts';
import { openLog } from '../open-log.ts';
import { type ReachedDatabase, type ReachOptions, reachDatabase, sqlOf } from '../reach-database.ts';
import type { Call } from './command.ts';
import { repairOwnership } from './data-ownership.ts';
import { learnPort } from './start-workers.ts';
import { waitForStop } from './wait-for-stop.ts';

export async function runServe(call: Call): Promise<number> {
  const { isWorker } = cluster;
  const { config, held } = await withPort(call.config, isWorker);
  const log = openLog(config);
  // From here on a signal ends the start as it ends the service: what was opened is closed again.
  const stopped = waitForStop(log);
  const giveUp = new AbortController();
  void stopped.then(() => giveUp.abort());
  // The main process answers by it, also whether this one may listen.
  if (isWorker) process.channel?.ref();
  else {
    repairOwnership(config);
    sayFirstStart(call, config);
  }
  let loading: Promise<typeof import('./serve-on.ts')> | undefined;
  const meanwhile = (): void => {
    loading ??= import('./serve-on.ts');
    if (!isWorker) readAhead(sqlOf(config));
  };
  const options: ReachOptions = isWorker ? {} : { alone: true, timeoutMs: 30_000, signal: giveUp.signal };
  let database: ReachedDatabase;
  try {
    database = await reachDatabase(config, log, { ...options, meanwhile });
  } catch (error) {
    held?.close();
    if (giveUp.signal.aborted) return (await stopped).exitCode;
    throw error;
  }
  const { serveOn, serveBeside } = await (loading ?? import('./serve-on.ts'));
  return (isWorker ? serveBeside : serveOn)(call, { config, log, database, stopped, held });
}

/** A start takes a second or two; the first one longer, and says why. */
function sayFirstStart({ say }: Call, { database, server }: Config): void {
  const dataDir = resolve(server.dataDir);
  if (database.url !== null || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return;
  say(`Creating the database in ${dataDir} (once, some seconds) …`);
}

/** The site's own address must be known before the rooms open, so a free port is chosen up front. Others learn which by the main process. */
async function withPort(config: Config, isWorker: boolean): Promise<{ config: Config; held: HeldPort | null }> {
  if (!isWorker && config.server.port !== 0) return { config, held: null };
  const held = isWorker ? null : await holdPort(config.server.host);
  const port = held?.port ?? (await learnPort());
  return { config: { ...config, server: { ...config.server, port } }, held };
}
