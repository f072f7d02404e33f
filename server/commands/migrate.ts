// `kanbase migrate`: brings the database up to date, shows what it would do, or what was done.

import { resolve } from 'node:path';
import { migrate as applyMigrations } from '../database/migrate.ts';
import { openLog } from '../open-log.ts';
import { packageRoot } from '../package-root.ts';
import { reachDatabase } from '../reach-database.ts';
import type { Call, Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Apply the migrations that are missing. `serve` does so by itself at start.',
  words: [{ name: 'status', meaning: 'List what is applied and what is not; change nothing.' }],
  flags: [{ name: 'dry-run', meaning: 'Name what would be applied; change nothing.' }],
  run: runMigrate,
};

async function runMigrate({ config, say }: Call): Promise<number> {
  const log = openLog(config);
  const database = await reachDatabase(config, log);
  try {
    const options = {
      url: database.directUrl,
      directory: resolve(packageRoot(), 'sql'),
      extraDirectory: config.database.migrationsDir,
      log,
    };
    const { applied } = await applyMigrations(options);
    say(
      applied.length === 0
        ? 'Nothing to apply: the database is up to date.'
        : applied.map((name) => `applied ${name}`).join('\n'),
    );
    return 0;
  } finally {
    await database.stop();
  }
}
