// The drill: what an earlier release wrote, restored by this one, also into another version of Postgres; and the way back from an upgrade that fails.

import { createWriteStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpBeforeUpgrade } from '../../server/backup/before-upgrade.ts';
import { openArchive } from '../../server/backup/open-archive.ts';
import { compareRows, restoreRows } from '../../server/backup/restore-rows.ts';
import { writeBackup } from '../../server/backup/write-backup.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { migrate } from '../../server/database/migrate.ts';
import { runScript } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';
import { havePostgres, type OwnPostgres, startOwnPostgres } from '../database/debian.ts';
import { startApp } from '../helpers/app.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('drill');
const made: FreshDatabase[] = [];
let debian: OwnPostgres | null = null;
beforeAll(async () => {
  if (havePostgres) debian = await startOwnPostgres();
}, 60_000);
afterAll(async () => {
  for (const database of made) await database.drop();
  await debian?.remove();
  place.remove();
});

type Place = Pick<FreshDatabase, 'url' | 'directUrl'>;

async function inIt<T extends pg.QueryResultRow>({ directUrl }: Place, ...texts: string[]): Promise<T[]> {
  const client = new pg.Client(connectionOptions(directUrl));
  await client.connect();
  try {
    let rows: T[] = [];
    for (const text of texts) ({ rows } = await client.query<T>(text));
    return rows;
  } finally {
    await client.end();
  }
}

async function embedded(options: { from?: string | null } = { from: null }): Promise<FreshDatabase> {
  const database = await freshDatabase(options);
  made.push(database);
  return database;
}

/** An empty database of Debian's Postgres, which is older than the embedded one. */
async function older(name: string): Promise<Place> {
  if (debian === null) throw new Error('there is no other Postgres');
  await runScript(parseTarget(debian.adminUrl), [
    `do $$ begin if to_regrole('app') is null then create role app login createrole password 'secret'; end if; end $$`,
    `create database ${name} owner app`,
  ]);
  const url = debian.url('app', 'secret', name);
  return { url, directUrl: url };
}

const ada = 'a0000000-0000-4000-8000-000000000001';
const asAda = `select set_config('role', 'authenticated', false), set_config('request.jwt.claims', '{"sub":"${ada}","role":"authenticated"}', false)`;

/** Somebody with a project, and in it what people write. */
const fill = [
  `insert into auth.users (id, email, raw_user_meta_data) values ('${ada}', 'ada@example.org', '{"name":"Ada"}')`,
  asAda,
  `select public.create_project_with_defaults('Harbour')`,
  `insert into public.tasks (project_id, column_id, title, description)
   select project_id, id, name || ' ' || n, E'tab\\t, line\\nand \\\\ backslash' from public.workflow_columns, generate_series(1, 50) n`,
  `insert into public.task_comments (task_id, body) select id, 'On ' || title from public.tasks`,
  `insert into public.task_labels (project_id, name) select id, 'urgent ⚓' from public.projects`,
];

const counts = `select (select count(*)::int from public.tasks) as tasks, (select count(*)::int from public.task_comments) as comments,
  (select count(*)::int from public.task_activity) as activity, (select md5(string_agg(t.number || t.title || t.description, ',' order by t.number)) from public.tasks t) as words`;

describe('an archive of before sql/ had tables and rules', () => {
  const written = 'test/database/former.zip';
  let path = '';
  let before: Record<string, unknown> = {};
  beforeAll(async () => {
    const database = await embedded();
    await restore(database, written);
    await inIt(database, ...fill);
    [before = {}] = await inIt(database, counts);
    const options = { url: database.directUrl, poolUrl: database.url, directory: 'sql' };
    // As this version writes it before it changes anything.
    path = (await backUpBeforeUpgrade(options, { dataDir: join(place.path, 'upgrade'), version: '0.2.0' })) ?? '';
    expect(path).toMatch(/backups\/before-0\.2\.0-.*\.zip$/);
    await migrate(options);
    // Nothing to do: nothing to back up.
    expect(await backUpBeforeUpgrade(options, { dataDir: place.path, version: '0.2.0' })).toBeNull();
  }, 120_000);

  test('is restored row by row, brought up to date and served', async () => {
    const database = await embedded();
    await restored(database);
    await served(database);
  }, 120_000);

  test.skipIf(!havePostgres)(
    'also into another version of Postgres',
    async () => {
      const database = await older('former');
      await restored(database);
      await served(database);
      await restore(await older('written_then'), written);
    },
    120_000,
  );

  async function restore(database: Place, from: string): Promise<void> {
    const archive = await openArchive(from);
    await restoreRows(archive, database);
    expect(await compareRows(archive.manifest, database.directUrl)).toEqual([]);
    archive.close();
  }

  async function restored(database: Place): Promise<void> {
    await restore(database, path);
    await migrate({ url: database.directUrl, poolUrl: database.url, directory: 'sql' });
    expect((await inIt(database, counts))[0]).toMatchObject({ ...before, activity: expect.any(Number) });
  }

  async function served(database: Place): Promise<void> {
    const app = await startApp({ database: { ...database, drop: async () => undefined } });
    try {
      const client = app.client({ token: await app.services.sessions.sign({ sub: ada, role: 'authenticated' }, 600) });
      expect((await client.from('projects').select('name, deleted_at')).data).toEqual([
        { name: 'Harbour', deleted_at: null },
      ]);
      const { data } = await client.from('workflow_columns').select('id, project_id').limit(1).single();
      const next = await client
        .from('tasks')
        .insert({ project_id: data?.project_id, column_id: data?.id, title: 'After' })
        .select('number')
        .single();
      expect(next.data).toEqual({ number: 201 });
    } finally {
      await app.close();
    }
  }
});

test.skipIf(!havePostgres)(
  'an archive of this version goes into another version of Postgres, and back',
  async () => {
    const from = await embedded({});
    await inIt(from, ...fill);
    const [before] = await inIt(from, counts);
    const through = async (at: Place, name: string, to: Place) => {
      const path = join(place.path, name);
      await writeBackup({
        url: at.directUrl,
        directory: 'sql',
        extraDirectory: null,
        files: null,
        secrets: null,
        version: '0.2.0',
        out: createWriteStream(path),
      });
      const archive = await openArchive(path);
      await restoreRows(archive, to);
      expect(await compareRows(archive.manifest, to.directUrl)).toEqual([]);
      archive.close();
      expect((await inIt(to, counts))[0]).toEqual(before);
    };
    const there = await older('this_version');
    await through(from, 'there.zip', there);
    await through(there, 'back.zip', await embedded());
  },
  120_000,
);

test('an upgrade that fails says how to go back, and that way leads back', async () => {
  const dataDir = join(place.path, 'data');
  const mine = join(place.path, 'mine');
  mkdirSync(mine);
  writeFileSync(
    join(mine, '1_boats.sql'),
    "create table public.boats (name text); insert into public.boats values ('Anna'); grant select on public.boats to anon",
  );
  const options = ['--data-dir', dataDir];
  const env = { MIGRATIONS_DIR: mine };
  await putReadyCluster(dataDir);
  const first = await startKanbase(options, { env });
  await first.stop();
  // An upgrade was killed while its backup was written, as was a backup by schedule, which is cleared by whoever makes the next one.
  const backups = join(dataDir, 'backups');
  const drafts = ['before-0.2.0-2026-11-20T10-00-00-000Z.zip.part', 'kanbase-2026-11-20T10-00-00-000Z.zip.part'];
  for (const draft of drafts) writeFileSync(join(backups, draft), 'half');
  // Half of it is done when it fails.
  writeFileSync(join(mine, '2_rename.sql'), "update public.boats set name = 'Berta'");
  writeFileSync(join(mine, '3_broken.sql'), 'alter table public.ships add column name text');
  const failed = await runKanbase(['serve', ...options, '--port', '0', '--host', '127.0.0.1'], { env });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/3_broken\.sql/);
  const [, path = ''] = /The upgrade failed\. To go back: .*kanbase restore (\S+) --replace/.exec(failed.stderr) ?? [];
  expect(path).toContain('before-');
  expect(readdirSync(backups).filter((name) => name.endsWith('.part'))).toEqual([drafts[1]]);
  for (const name of ['2_rename.sql', '3_broken.sql']) rmSync(join(mine, name));
  const back = await runKanbase(['restore', path, '--replace', ...options], { env });
  expect([back.code, back.stderr]).toEqual([0, '']);
  const again = await startKanbase(options, { env });
  try {
    const headers = { apikey: again.anonKey, authorization: `Bearer ${again.anonKey}` };
    const rows = await fetch(`${again.url}/rest/v1/boats`, { headers });
    expect(await rows.json()).toEqual([{ name: 'Anna' }]);
  } finally {
    await again.stop();
  }
}, 120_000);
