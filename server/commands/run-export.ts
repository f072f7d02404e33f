// Runs `kanbase export`: finds the person and their projects, and writes one format to a file or to standard output.

import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { orAsRoot } from '../effective-user.ts';
import { type Format, findProjects, formats } from '../exports/export-options.ts';
import { exportOf } from '../exports/write-export.ts';
import { openForExports } from '../files/open-for-exports.ts';
import { openLog } from '../open-log.ts';
import { migrations } from '../reach-database.ts';
import { type Call, UsageError } from './command.ts';
import { findPerson, findProject } from './find-person.ts';
import { withDatabase } from './with-database.ts';

export async function runExport({ config, flags, word, say }: Call): Promise<number> {
  const as = flags.get('as');
  const format = (flags.get('format') ?? 'json') as Format;
  if (as === undefined) throw new UsageError('--as is missing: the email address of the person whose export it is');
  if (word === null) throw new UsageError('FILE is missing: where to write it, or - for standard output');
  if (!formats.includes(format)) throw new UsageError(`--format is one of ${formats.join(', ')}`);
  const log = openLog(config);
  return withDatabase(config, log, async (reached) => {
    await migrate(migrations(config, reached, log));
    const { caller } = await findPerson(reached, as);
    const files = await openForExports(config);
    const database = await openDatabase({ ...reached, config: config.database, log });
    try {
      const name = flags.get('project');
      const only = name === undefined ? null : await findProject(database, caller, name);
      const projects = await findProjects(database, caller, only);
      const { port, siteUrl } = config.server;
      const write = (out: Writable): Promise<void> =>
        exportOf(format, only === null ? null : (projects[0] ?? null)).write({
          database,
          caller,
          projects,
          out,
          siteUrl: (siteUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
          readFile: files.readPlain,
          onProgress: (done, total) => {
            if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}`);
          },
        });
      await intoPlace(word, write);
      if (process.stderr.isTTY) process.stderr.write('\n');
      if (word !== '-')
        say(
          `Exported ${projects.length === 1 ? (projects[0]?.name ?? '') : `${projects.length} projects`} to ${word}.`,
        );
      return 0;
    } finally {
      await database.close();
    }
  });
}

/** A file is there when it is whole: half an export is none. */
async function intoPlace(word: string, write: (out: Writable) => Promise<void>): Promise<void> {
  const out = new PassThrough({ highWaterMark: 1024 * 1024 });
  out.on('error', () => undefined);
  const unfinished = `${word}.part`;
  const taking =
    word === '-'
      ? pipeline(out, process.stdout, { end: false })
      : pipeline(out, createWriteStream(unfinished, { fd: orAsRoot(() => openSync(unfinished, 'w', 0o600)) }));
  const writing = write(out).then(
    () => out.end(),
    (error: unknown) => {
      out.destroy(error as Error);
      throw error;
    },
  );
  try {
    await Promise.all([writing, taking]);
    if (word !== '-') orAsRoot(() => renameSync(unfinished, word));
  } catch (error) {
    if (word !== '-') orAsRoot(() => rmSync(unfinished, { force: true }));
    throw error;
  }
}
