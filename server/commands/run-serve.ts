// Runs `kanbase serve`: config → database → migrations → app → listen → shutdown. With several WORKERS, other processes do the listening;
// each of them runs this, too.

import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { makeOperatorLink } from '../admin/ask.ts';
import { backUpBeforeUpgrade } from '../backup/before-upgrade.ts';
import type { Config } from '../config/config.ts';
import { migrate } from '../database/migrate.ts';
import { findFreePort } from '../http/find-free-port.ts';
import { askMain, askWorkers } from '../http/gather-metrics.ts';
import { openLog } from '../open-log.ts';
import { type OpenServices, openServices } from '../open-services.ts';
import { packageVersion } from '../package-root.ts';
import { migrations, type ReachedDatabase, reachDatabase } from '../reach-database.ts';
import { writeBanner } from './banner.ts';
import { type Call, CommandError } from './command.ts';
import { leaveRoot } from './leave-root.ts';
import { closeWithin, listen } from './listen.ts';
import { handOverNew, mendOwnership } from './own-data.ts';
import { startBackground } from './start-background.ts';
import { learnPort, startWorkers, WorkerFailed, type Workers } from './start-workers.ts';
import { untilStopped } from './until-stopped.ts';

export async function runServe(call: Call): Promise<number> {
  if (cluster.isWorker) return serveAsWorker(call);
  const config = await withPort(call.config);
  const many = config.server.workers > 1;
  const log = openLog(config);
  // From here on a signal ends the start as it ends the service: what was opened is closed again.
  const stopped = untilStopped(log);
  const giveUp = new AbortController();
  void stopped.then(() => giveUp.abort());
  mendOwnership(config);
  sayFirstStart(call, config);
  let database: ReachedDatabase;
  try {
    database = await reachDatabase(config, log, { alone: true, patienceMs: 30_000, signal: giveUp.signal });
  } catch (error) {
    if (giveUp.signal.aborted) return (await stopped).exitCode;
    throw error;
  }
  let opened: OpenServices | null = null;
  let serving: Workers | null = null;
  let stopBackground = async (): Promise<void> => undefined;
  try {
    await upgrade(config, database, log);
    const company = { sources: call.sources, ...(many ? { gatherMetrics: askWorkers } : {}) };
    opened = await openServices(shared(config), database, log, company);
    // What was made until now; with several processes the others leave root before this one does.
    handOverNew(config);
    if (many) serving = await startWorkers({ ...config.server, count: config.server.workers, log });
    else await listen(opened, config);
    leaveRoot(config, log);
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
    // Beside one another and in the same time; then the database, which all of them use.
    await Promise.all([serving?.stop(), closeWithin(opened, config.server.shutdownMs, stopBackground())]);
    await database.stop();
  }
}

/** A start takes a second or two; the first one longer, and says why. */
function sayFirstStart({ say }: Call, { database, server }: Config): void {
  const dataDir = resolve(server.dataDir);
  if (database.url !== null || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return;
  say(`Creating the database in ${dataDir} (once, some seconds) …`);
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

/** The site's own address must be known before the rooms open, so a free port is chosen up front. */
async function withPort(config: Config): Promise<Config> {
  if (config.server.port !== 0) return config;
  return { ...config, server: { ...config.server, port: await findFreePort(config.server.host) } };
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

/** The database is there and up to date; background jobs run in the main process alone. */
async function serveAsWorker({ config: given, sources }: Call): Promise<number> {
  const config = shared({ ...given, server: { ...given.server, port: await learnPort() } });
  const log = openLog(config);
  const stopped = untilStopped(log);
  // The main process answers by it, also whether this one may listen.
  process.channel?.ref();
  let opened: OpenServices | null = null;
  try {
    opened = await openServices(config, await reachDatabase(config, log), log, {
      sources,
      gatherMetrics: askMain,
    });
    await listen(opened, config);
    leaveRoot(config, log);
    return (await stopped).exitCode;
  } finally {
    await closeWithin(opened, config.server.shutdownMs);
    cluster.worker?.disconnect();
  }
}
