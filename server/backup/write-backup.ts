// Writes a backup while the service runs: the rows of every table as one snapshot has them, the files those rows name, the migrations that made
// the tables, and the secrets where a passphrase seals them. One zip, written as it is read: nothing waits in memory or on disk.

import { createHash } from 'node:crypto';
import { Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import yazl from 'yazl';
import { lockFileRemoval } from '../database/file-removal-lock.ts';
import { isFormer, isOfFormer } from '../database/former-layout.ts';
import { readMigrations } from '../database/read-migrations.ts';
import { summed } from './checksum.ts';
import { copyOut, listSequences, listTables, plainText } from './list-tables.ts';
import {
  type BackupFile,
  type BackupMigration,
  BackupProblem,
  type BackupTable,
  fileEntry,
  format,
  type Manifest,
  manifestName,
  migrationEntry,
  secretsName,
} from './manifest.ts';
import { seal } from './seal-secrets.ts';
import { withOwner } from './with-owner.ts';

export interface FileSource {
  /** Rejects when there is none. */
  read(version: string): Promise<Readable>;
}

export interface BackupOptions {
  /** The owner's address, past any pooler. */
  readonly url: string;
  readonly directory: string;
  readonly extraDirectory: string | null;
  /** Null: files are left out. */
  readonly files: FileSource | null;
  /** Null: secrets are left out. */
  readonly secrets: { readonly values: unknown; readonly passphrase: string } | null;
  readonly version: string;
  readonly out: Writable;
  /** Breaks it off, with all that it has opened. */
  readonly signal?: AbortSignal;
}

/** A file that made tables or rules. */
type Archived = Pick<BackupMigration, 'origin' | 'name'> & { readonly text: string };

/** Reads something when its turn has come; each is read to its end before the next begins. */
type Open = () => Promise<Readable>;

export function writeBackup(options: BackupOptions): Promise<Manifest> {
  const write = (): Promise<Manifest> =>
    withOwner(
      options.url,
      async (client) => {
        await client.query('begin isolation level repeatable read, read only');
        await client.query(plainText);
        return await packAll(client, options);
      },
      options.signal,
    );
  if (options.files === null) return write();
  // Held before the snapshot is taken, so that what the rows of that moment name stays there until it is read, whatever is replaced or deleted meanwhile.
  return withOwner(
    options.url,
    async (client) => {
      await client.query('begin read only');
      await client.query(`${plainText}; ${lockFileRemoval}`);
      return await write();
    },
    options.signal,
  );
}

async function packAll(client: pg.Client, options: BackupOptions): Promise<Manifest> {
  const migrations = await findMigrations(client, options);
  const tables = await listTables(client);
  const versions = options.files === null ? [] : await listFiles(client);
  const head = {
    format,
    kanbase: options.version,
    postgres: String((await client.query('show server_version')).rows[0]?.server_version),
    createdAt: new Date().toISOString(),
    migrations: migrations.map(({ origin, name, text }): BackupMigration => {
      return { origin, name, sha256: createHash('sha256').update(text).digest('hex') };
    }),
    sequences: await listSequences(client),
    hasFiles: options.files !== null,
    hasSecrets: options.secrets !== null,
  };
  const done: { tables: BackupTable[]; files: BackupFile[]; missingFiles: string[] } = {
    tables: [],
    files: [],
    missingFiles: [],
  };
  const zip = new yazl.ZipFile();
  // What goes wrong with one stream, or a word from outside, ends all of them.
  const failed = new AbortController();
  const signal = options.signal === undefined ? failed.signal : AbortSignal.any([failed.signal, options.signal]);
  const packing = pipeline(zip.outputStream as Readable, options.out, { signal });
  const broken = new Promise<never>((_, reject) => (zip as unknown as Readable).on('error', reject));
  packing.catch(() => undefined);
  broken.catch(() => undefined);
  /** What is known of each stream once it has been read. */
  const summing: Promise<void>[] = [];
  const sum = (bytes: Readable, stream: Transform, noted: () => void): void => {
    const summed = pipeline(bytes, stream, { signal }).then(noted);
    summed.catch(() => undefined);
    summing.push(summed);
  };
  const add = (name: string, compress: boolean, open: Open): void => {
    zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (give) => {
      open().then(
        (stream) => give(null, stream),
        (error: Error) => {
          give(error, Readable.from([]));
          (options.out as Writable).destroy(error);
        },
      );
    });
  };
  const whole = (name: string, text: () => string | Promise<string>): void =>
    add(name, true, async () => Readable.from([Buffer.from(await text())]));

  for (const file of migrations) whole(migrationEntry(file), () => file.text);
  if (options.secrets !== null) {
    const { values, passphrase } = options.secrets;
    whole(secretsName, () => seal(values, passphrase));
  }
  for (const table of tables) {
    const entry = `rows/${table.name}`;
    add(entry, true, async () => {
      const { stream, result } = summed();
      const rows = client.query(copyTo(copyOut(table)));
      // A connection that ends tells it also after it was broken off.
      rows.on('error', () => undefined);
      sum(rows, stream, () => {
        const { sha256, lines } = result();
        done.tables.push({ ...table, entry, rows: lines, sha256 });
      });
      return stream;
    });
  }
  for (const version of versions) addFile(version);
  const manifest = (): Manifest => ({ ...head, ...done });
  whole(manifestName, async () => {
    await Promise.all(summing);
    return `${JSON.stringify(manifest(), null, 1)}\n`;
  });
  zip.end();
  try {
    await Promise.race([packing, broken]);
    await Promise.all(summing);
    return manifest();
  } catch (error) {
    failed.abort(error);
    throw error;
  }

  function addFile(version: string): void {
    add(fileEntry(version), false, async () => {
      const { stream, result } = summed();
      let bytes: Readable;
      try {
        bytes = (await options.files?.read(version)) ?? Readable.from([]);
      } catch {
        done.missingFiles.push(version);
        return Readable.from([]);
      }
      sum(bytes, stream, () => {
        const { sha256, bytes: size } = result();
        done.files.push({ version, size, sha256 });
      });
      return stream;
    });
  }
}

/**
 * The texts of what was applied: whoever restores begins with the same tables and rules, also years later. A database of before there were rules
 * has the tables of the first files under other names; its rules are those of the version that takes it over.
 */
async function findMigrations(client: pg.Client, { directory, extraDirectory }: BackupOptions): Promise<Archived[]> {
  const { rows } = await client.query<BackupMigration>(
    "select origin, name from private.migrations where origin in ('kanbase', 'yours') order by origin, name",
  );
  const files = readMigrations({ directory, extraDirectory });
  const ours = rows.flatMap(({ origin, name }) => (origin === 'kanbase' ? name : []));
  const former = isFormer(ours);
  const applied = former ? files.filter(isOfFormer) : rows.filter(({ origin }) => origin === 'kanbase');
  const known = new Map(files.map((file) => [migrationEntry(file), file]));
  const tables = [...applied, ...rows.filter(({ origin }) => origin === 'yours')].map(({ origin, name }) => {
    const file = known.get(migrationEntry({ origin, name }));
    if (file !== undefined) return { origin, name: origin === 'yours' ? name : `tables/${name}`, text: file.text };
    throw new BackupProblem(
      origin === 'yours'
        ? `Your migration ${name} was applied, and a backup has to carry it: set MIGRATIONS_DIR to where it lies.`
        : `The database has migration ${name}, which this version does not know: back up with the version that serves it.`,
    );
  });
  return former ? tables : [...tables, ...(await findRules(client))];
}

/** As the database has noted them: those that files have by now may be of a later version. */
async function findRules(client: pg.Client): Promise<Archived[]> {
  const { rows } = await client.query<{ name: string; text: string }>(
    "select file as name, string_agg(text, E'\n\n' order by line) || E'\n' as text from private.rules where text <> '' and part_of = '' group by file order by file",
  );
  return rows.map(({ name, text }) => ({ origin: 'kanbase', name, text }));
}

/** A database of a version without files has none. */
async function listFiles(client: pg.Client): Promise<string[]> {
  const found = await client.query("select to_regclass('storage.objects') is not null as found");
  if (found.rows[0]?.found !== true) return [];
  const { rows } = await client.query<{ version: string }>(
    'select version from storage.objects where version is not null and metadata is not null order by version',
  );
  return rows.map(({ version }) => version);
}
