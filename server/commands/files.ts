// `kanbase files move`: brings the bytes of files to where the settings want them, from disk to S3 or back.

import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';
import { openDatabase } from '../database/open-database.ts';
import { moveFiles } from '../files/move-files.ts';
import { openStores } from '../files/store/open-store.ts';
import { openLog } from '../open-log.ts';
import { type Call, type Command, CommandError, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const files: Command = {
  name: 'files',
  summary: 'Move the bytes of files from disk to an S3-compatible service, or back.',
  about: [
    'With STORAGE_S3_BUCKET they move to the service; with STORAGE_BACKEND=disk as well, back to the disk.',
    'Each file is read back and compared before it is removed where it was. It may be broken off and run again, and the service may run meanwhile.',
  ].join('\n'),
  words: [{ name: 'move', meaning: 'Move what is not where it belongs.' }],
  flags: [{ name: 'json', meaning: 'Say what was done as JSON.' }],
  run: runFiles,
};

const saidEvery = 100;

async function runFiles({ config, word, flags, say }: Call): Promise<number> {
  if (word !== 'move') throw new UsageError('say what to do: npx kanbase files move');
  const stores = await openStores(config);
  if (stores.second === null) throw new UsageError('files lie on disk, and STORAGE_S3_BUCKET names no other place');
  const log = openLog(config);
  return withDatabase(config, log, async ({ url, directUrl }) => {
    const database = await openDatabase({ url, directUrl, config: config.database, log });
    let lock: pg.Client | null = null;
    try {
      lock = await holdAlone(directUrl);
      const done = await moveFiles(database, stores, (moved, bytes) => {
        if (moved % saidEvery === 0 && !flags.has('json')) say(`${moved} files moved, ${bytes} bytes`);
      });
      if (flags.has('json')) say(JSON.stringify(done));
      else
        say(
          [
            `Moved ${done.moved} files, ${done.bytes} bytes; ${done.present} were there already.`,
            ...done.broken.map((version) => `Not moved: ${version} is missing or differs from its copy.`),
          ].join('\n'),
        );
      return done.broken.length === 0 ? 0 : 1;
    } finally {
      await lock?.end();
      await database.close();
    }
  });
}

/** Two runs would remove each other's copies. Held as long as the connection; where that is lost, nobody hears its error, and the run ends. */
async function holdAlone(directUrl: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(directUrl));
  await client.connect();
  const { rows } = await client.query<{ is_mine: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('kanbase files move', 0)) as is_mine`,
  );
  if (rows[0]?.is_mine === true) return client;
  await client.end();
  throw new CommandError('another run is moving files; run it again when that one has ended');
}
