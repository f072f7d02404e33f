// A database for the time of one command, which works on it as the owner of the data. A command that is interrupted stops
// the embedded Postgres it started, as one that ends by itself does.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Database } from '../database/types.ts';
import { type ReachedDatabase, reachDatabase } from '../reach-database.ts';
import { becomeOwner } from './data-ownership.ts';
import { onStopRequest } from './wait-for-stop.ts';

export async function withDatabase<T>(
  config: Config,
  log: Logger,
  work: (database: ReachedDatabase) => Promise<T>,
): Promise<T> {
  let database: ReachedDatabase | null = null;
  let interrupted: number | null = null;
  const end = (exitCode: number): void => {
    void (database?.stop() ?? Promise.resolve()).finally(() => process.exit(exitCode));
  };
  const stopListening = onStopRequest(({ exitCode }) => {
    interrupted = exitCode;
    // While Postgres starts there is nothing to stop yet: the start is waited for.
    if (database !== null) end(exitCode);
  });
  database = await reachDatabase(config, log);
  if (interrupted !== null) {
    end(interrupted);
    return new Promise(() => undefined);
  }
  const giveBack = becomeOwner(config, log);
  try {
    return await work(database);
  } finally {
    giveBack();
    await database.stop();
    stopListening();
  }
}

/** The same, with the rows of it. */
export function withRows<T>(config: Config, log: Logger, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(config, log, async ({ url, directUrl }) => {
    const database = await openDatabase({ url, directUrl, config: config.database, log });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}
