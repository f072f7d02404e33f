// `kanbase migrate`: brings the database up to date, shows what it would do, or what was done.

import { findDamage } from '../database/find-damage.ts';
import { migrate as applyMigrations, type MigrateOptions, migrationStatus } from '../database/migrate.ts';
import { openLog } from '../open-log.ts';
import { migrations } from '../reach-database.ts';
import { textsIn } from '../texts/texts.ts';
import { type Call, type Command, CommandError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Apply the migrations that are missing. `serve` does so by itself at start.',
  about:
    'Files of tables come first, each once; then the rules that differ, all in one transaction; then those in MIGRATIONS_DIR, each once.',
  words: [
    {
      name: 'status',
      meaning: 'List what is applied and what is not; change nothing. Exit code 1 when serve would refuse.',
    },
  ],
  flags: [
    { name: 'dry-run', meaning: 'Name what would be applied; change nothing.' },
    {
      name: 'again',
      meaning:
        'Make all functions, views, policies and triggers anew: after one was altered by hand, or to go back to this build from a later one.',
    },
  ],
  run: runMigrate,
};

async function runMigrate({ config, flags, word, say }: Call): Promise<number> {
  const log = openLog(config);
  return withDatabase(config, log, async (database) => {
    const options = migrations(config, database, log);
    if (word === null && !flags.has('dry-run')) {
      const { applied } = await applyMigrations({ ...options, again: flags.has('again') });
      for (const name of applied) say(`applied  ${name}`);
      const damage = await missing(options);
      if (damage.length > 0) throw new CommandError(`${damage.join('; ')}. ${howToMend()}`);
      say(applied.length === 0 ? 'Nothing to apply: the database is up to date.' : `${applied.length} applied.`);
      return 0;
    }
    const { applied, pending, problems } = await migrationStatus(options);
    const damage = await missing(options);
    if (word === 'status') for (const { name, appliedAt } of applied) say(`applied  ${name}  ${appliedAt}`);
    for (const name of pending) say(`pending  ${name}`);
    for (const problem of [...problems, ...damage]) say(`PROBLEM  ${problem}`);
    if (damage.length > 0) say(howToMend());
    say(
      problems.length > 0
        ? 'Nothing can be applied like this.'
        : `${applied.length} applied, ${pending.length} to apply.`,
    );
    return problems.length + damage.length > 0 ? 1 : 0;
  });
}

/** What applied migrations made and is gone. */
async function missing(options: MigrateOptions & { directory: string }): Promise<string[]> {
  const { applied } = await migrationStatus(options);
  const ours = applied.filter(({ origin }) => origin === 'kanbase').map(({ name }) => name);
  return findDamage(options.url, options.directory, ours);
}

function howToMend(): string {
  return textsIn('en').t('health.migrations.mend');
}
