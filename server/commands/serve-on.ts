// Serves on a database that is reached: migrations → app → listen → shutdown. It has all doors in it, so that it takes time to load, in which
// Postgres starts.

import cluster from 'node:cluster';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { makeOperatorLink } from '../admin/call-admin.ts';
import { backUpBeforeUpgrade } from '../backup/before-upgrade.ts';
import type { Config } from '../config/config.ts';
import { migrate } from '../database/migrate.ts';
import { askMain, askWorkers } from '../http/gather-metrics.ts';
import type { HeldPort } from '../http/hold-port.ts';
import { type OpenServices, openServices } from '../open-services.ts';
import { packageVersion } from '../package-root.ts';
import { migrations, type ReachedDatabase } from '../reach-database.ts';
import { writeBanner } from './banner.ts';
import { type Call, CommandError } from './command.ts';
import { chownNew } from './data-ownership.ts';
import { dropRoot } from './drop-root.ts';
import { closeWithin, listen } from './listen.ts';
import { startBackground } from './start-background.ts';
import { startWorkers, tellListening, WorkerFailed, type Workers } from './start-workers.ts';
import type { Stop } from './wait-for-stop.ts';

/** What a start has by then. */
export interface Start {
  readonly config: Config;
  readonly log: Logger;
  readonly database: ReachedDatabase;
  readonly stopped: Promise<Stop>;
  /** The port, where it was chosen at the start. */
  readonly held: HeldPort | null;
}

/** Until it is to stop; the database is closed in the end. */
export async function serveOn(call: Call, { config, log, database, stopped, held }: Start): Promise<number> {
  const many = config.server.workers > 1;
  let opened: OpenServices | null = null;
  let serving: Workers | null = null;
  let stopBackground = async (): Promise<void> => undefined;
  try {
    await upgrade(config, database, log);
    const company = { sources: call.sources, ...(many ? { gatherMetrics: askWorkers } : {}) };
    opened = await openServices(shared(config), database, log, company);
    // What was made until now; with several processes the others leave root before this one does.
    chownNew(config);
    if (many) serving = await startWorkers({ ...config.server, count: config.server.workers, log, held });
    else await listen(opened, config, held);
    dropRoot(config, log);
    const { services } = opened;
    stopBackground = await startBackground(services, database);
    const operatorLink = await makeOperatorLink(services);
    const dataDir = resolve(config.server.dataDir);
    call.say(writeBanner(services, { embedded: database.embedded, dataDir, operatorLink }));
    log.debug({ port: config.server.port, host: config.server.host }, 'serving');
    const { reason, exitCode } = await stopped;
    log.info({ reason }, 'stopping');
    return exitCode;
  } catch (error) {
    if (error instanceof WorkerFailed) return error.exitCode;
    throw error;
  } finally {
    held?.close();
    // Beside one another and in the same time; then the database, which all of them use.
    await Promise.all([serving?.stop(), closeWithin(opened, config.server.shutdownMs, stopBackground())]);
    await database.stop();
  }
}

/** The tables of the embedded database are backed up before they change; a database of your own is yours to back up. */
async function upgrade(config: Config, database: ReachedDatabase, log: Logger): Promise<void> {
  const options = migrations(config, database, log);
  const dataDir = resolve(config.server.dataDir);
  const before = database.embedded ? await backUpBeforeUpgrade(options, { dataDir, version: packageVersion() }) : null;
  if (before !== null) log.info({ backup: before }, 'backed up before the upgrade');
  try {
    const { applied } = await migrate(options);
    if (applied.length > 0) log.debug({ applied }, 'migrations applied');
  } catch (error) {
    if (before === null) throw error;
    throw new CommandError(
      `${(error as Error).message} The upgrade failed. To go back: start the version of before, or put its data back with npx kanbase restore ${before} --replace, and start that.`,
      { cause: error },
    );
  }
}

/** What several processes divide, and what they have to count together. */
function shared(config: Config): Config {
  const { server, database, identity } = config;
  if (server.workers === 1) return config;
  return {
    ...config,
    database: { ...database, poolSize: Math.max(3, Math.ceil(database.poolSize / server.workers)) },
    identity: { ...identity, sharedLimits: identity.sharedLimits ?? true },
  };
}

/** One of several processes: the database is up to date, and background jobs run in the main process alone. */
export async function serveBeside(
  { sources }: Call,
  { config: given, log, database, stopped }: Start,
): Promise<number> {
  const config = shared(given);
  let opened: OpenServices | null = null;
  try {
    opened = await openServices(config, database, log, { sources, gatherMetrics: askMain });
    await opened.app.ready();
    tellListening();
    await listen(opened, config, null);
    dropRoot(config, log);
    return (await stopped).exitCode;
  } finally {
    await closeWithin(opened, config.server.shutdownMs);
    cluster.worker?.disconnect();
  }
}
