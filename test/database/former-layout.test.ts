// A database, and a backup, made before sql/ had tables and rules: former.zip was written by that version, with its 173 files of migrations and the
// rows of `kanbase demo`. It is restored by running them, taken over, and then no different from a new one.

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkEntries, checkVersion } from '../../server/backup/check-archive.ts';
import { openArchive } from '../../server/backup/open-archive.ts';
import { compareRows, restoreRows } from '../../server/backup/restore-rows.ts';
import { writeBackupFile } from '../../server/backup/write-file.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { findDamage } from '../../server/database/find-damage.ts';
import { migrate, migrationStatus } from '../../server/database/migrate.ts';
import { describeCatalog } from '../helpers/describe-catalog.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { scratch } from '../helpers/kanbase.ts';

const directory = join(process.cwd(), 'sql');
const place = scratch('former');
/** Restored once; each test has a copy of it. */
let former: FreshDatabase;
const options = () => ({ url: former.directUrl, poolUrl: former.url, directory });

const restored = forSuite(
  () => freshDatabase({ from: null }),
  (restored) => restored.drop(),
);
beforeAll(async () => {
  const archive = await openArchive('test/database/former.zip');
  try {
    await checkEntries(archive);
    await checkVersion(archive, { directory });
    await restoreRows(archive, restored);
    expect(await compareRows(archive.manifest, restored.directUrl)).toEqual([]);
  } finally {
    archive.close();
  }
});
beforeEach(async () => {
  former = await freshDatabase({ from: restored.name });
});
afterEach(() => former.drop());
afterAll(async () => {
  place.remove();
});

async function describeDatabase(url: string): Promise<string[]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return await describeCatalog(client);
  } finally {
    await client.end();
  }
}

test('a former backup is restored, and after the start of this version its whole catalog is that of a new database', async () => {
  expect((await migrationStatus(options())).problems).toEqual([]);
  await migrate(options());
  expect(await migrate(options())).toEqual({ applied: [] });
  const applied = (await migrationStatus(options())).applied.map(({ name }) => name);
  expect(applied[0]).toBe('0001_ground.sql');
  expect(await findDamage(former.directUrl, directory, applied)).toEqual([]);
  const fresh = await freshDatabase();
  const [upgraded, made] = [await describeDatabase(former.directUrl), await describeDatabase(fresh.directUrl)];
  await fresh.drop();
  expect(upgraded.filter((line) => !made.includes(line))).toEqual([]);
  expect(made.filter((line) => !upgraded.includes(line))).toEqual([]);
});

test('the backup that is made before the upgrade is one that can be restored and brought up to date, by a version with more tables', async () => {
  const path = join(place.path, 'before.zip');
  const directory = join(place.path, 'sql');
  cpSync('sql', directory, { recursive: true });
  writeFileSync(join(directory, 'tables/9000_later.sql'), 'create table private.later (id integer primary key);');
  await writeBackupFile(path, {
    ...{ url: former.directUrl, directory, extraDirectory: null },
    ...{ files: null, secrets: null, version: '0.2.0' },
  });
  const again = await freshDatabase({ from: null });
  const archive = await openArchive(path);
  try {
    await checkVersion(archive, { directory });
    await restoreRows(archive, again);
    expect(await compareRows(archive.manifest, again.directUrl)).toEqual([]);
    await migrate({ url: again.directUrl, poolUrl: again.url, directory });
    expect((await migrationStatus({ url: again.directUrl, directory })).pending).toEqual([]);
  } finally {
    archive.close();
    await again.drop();
  }
});

test('nodes that start on it at once take it over once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate({ ...options(), log: pino({ level: 'silent' }) })));
  expect((await migrationStatus(options())).problems).toEqual([]);
});

test('a database with only some of the former files is refused, with the version to start in between', async () => {
  const client = new pg.Client(connectionOptions(former.directUrl));
  await client.connect();
  await client.query("delete from private.migrations where name like '106%'");
  await client.end();
  await expect(migrate(options())).rejects.toThrow(
    /made by a version in development .* start commit [0-9a-f]{10} on it once, then this version/,
  );
});
