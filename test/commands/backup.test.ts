// Backups: written during use, verified, restored elsewhere, refused where a restore would do harm.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { buildServerAside } from '../../scripts/build.mjs';
import { BackupDirectory, type BackupPlace } from '../../server/backup/backup-place.ts';
import { checkEntries } from '../../server/backup/check-archive.ts';
import { clearDatabase, isUsed } from '../../server/backup/clear-database.ts';
import type { Manifest } from '../../server/backup/manifest.ts';
import { openArchive } from '../../server/backup/open-archive.ts';
import { restoreFiles } from '../../server/backup/restore-files.ts';
import { compareRows, restoreRows } from '../../server/backup/restore-rows.ts';
import { startBackups } from '../../server/backup/start-backups.ts';
import { type BackupOptions, writeBackup } from '../../server/backup/write-backup.ts';
import { openBackupPlace } from '../../server/commands/backup-places.ts';
import { readConfig } from '../../server/config/read-config.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { DiskStore } from '../../server/files/store/disk-store.ts';
import { inTurn, openStores } from '../../server/files/store/open-store.ts';
import { sweepFiles } from '../../server/files/sweep-files.ts';
import { inside } from '../browser/words.ts';
import { openTestStore } from '../files/test-store.ts';
import { startApp } from '../helpers/app.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('backup');
const made: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of made) await database.drop();
  place.remove();
});

const at = (name: string): string => join(place.path, name);
const env = { BACKUP_PASSPHRASE: 'nine red buoys' };
const asks = { auth: { persistSession: false }, realtime: { transport: WebSocket as never } };
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function asOwner<T extends pg.QueryResultRow>({ directUrl }: FreshDatabase, text: string): Promise<T[]> {
  const client = new pg.Client(connectionOptions(directUrl));
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

async function newDatabase(options: { from?: string | null } = {}): Promise<FreshDatabase> {
  const database = await freshDatabase(options);
  made.push(database);
  return database;
}

type Entries = Map<string, Buffer>;

/** The same archive, but for what is changed in it. */
async function repack(from: string, to: string, change: (all: Entries) => void): Promise<void> {
  const zip = await yauzl.openPromise(at(from));
  const all: Entries = new Map();
  for await (const entry of zip.eachEntry())
    all.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  change(all);
  const made = new yazl.ZipFile();
  for (const [name, bytes] of all) made.addBuffer(bytes, name);
  made.end();
  await pipeline(made.outputStream, createWriteStream(at(to)));
}

describe('a service with people in it', () => {
  let served: Served;
  let ada: SupabaseClient;
  let projectId: string;
  let columnId: string;
  let sheet: string;
  /** Given after the backup. */
  let fence: number;
  const styles = 'body { color: red }\n'.repeat(400);
  const archive = at('whole.zip');
  const account = { email: 'ada@example.org', password: 'a-long-passphrase-77' };

  beforeAll(async () => {
    await putReadyCluster(at('data'));
    served = await startKanbase(['--data-dir', at('data')]);
    ada = createClient(served.url, served.anonKey, asks);
    await ada.auth.signUp(account);
    projectId = (await ada.rpc('create_project_with_defaults', { name: 'Harbour' })).data.id;
    columnId = (await ada.from('workflow_columns').select('id').eq('project_id', projectId).order('position')).data?.[0]
      ?.id;
    const { error } = await ada.storage
      .from('avatars')
      .upload(`${(await ada.auth.getUser()).data.user?.id}/face.png`, picture, { contentType: 'image/png' });
    expect(error).toBeNull();
    const task = await ada
      .from('tasks')
      .insert({ project_id: projectId, column_id: columnId, title: 'Styles' })
      .select('id')
      .single();
    sheet = `${projectId}/${task.data?.id}/sheet.css`;
    const encoded = { contentType: 'text/css', contentEncoding: 'gzip' };
    expect((await ada.storage.from('attachments').upload(sheet, gzipSync(styles), encoded)).error).toBeNull();
    // Pairs arrive together or not at all, so half a pair in the backup would show.
    let writing = true;
    const writes = (async () => {
      for (let pair = 0; writing; pair++)
        await ada
          .from('tasks')
          .insert(['a', 'b'].map((half) => ({ project_id: projectId, column_id: columnId, title: `${pair}${half}` })));
    })();
    const { code, stdout, stderr } = await runKanbase(['backup', archive, '--data-dir', at('data')], { env });
    writing = false;
    await writes;
    fence = (await ada.rpc('claim_next_task', { project: projectId })).data?.[0]?.fence;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ rows, 2 files of \d+ bytes, secrets sealed\.\n$/);
  }, 120_000);
  afterAll(() => served?.stop());

  test('is written beside its work as of one moment, for its owner alone', async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const opened = await openArchive(archive);
    const tasks = await opened.text('rows/public.tasks');
    const activity = await opened.text('rows/public.task_activity');
    opened.close();
    const titles = [...tasks.matchAll(/\t(\d+)[ab]\t/g)].map(([, pair]) => pair);
    expect(titles.length).toBeGreaterThan(0);
    expect(titles.length).toBe(new Set(titles).size * 2);
    // Each task has its story, and no story is without its task.
    expect(activity.split('\n').length).toBeGreaterThanOrEqual(titles.length);
    expect(readdirSync(place.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('goes through a pipe as well, whole, and what is said of it goes elsewhere', async () => {
    const words = ['backup', '-', '--without-secrets', '--json', '--data-dir', at('data')];
    const child = spawn(process.execPath, [await buildServerAside(), ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, [code]] = await Promise.all([
      buffer(child.stderr),
      once(child, 'close') as Promise<[number]>,
      pipeline(child.stdout, createWriteStream(at('piped.zip'))),
    ]);
    expect([code, JSON.parse(said.toString())]).toMatchObject([0, { files: 2, missingFiles: [], hasSecrets: false }]);
    const piped = await openArchive(at('piped.zip'));
    await checkEntries(piped);
    // Migrations have checksums as rows and files have.
    for (const { name, origin, sha256 } of piped.manifest.migrations)
      expect(sha256).toBe(
        createHash('sha256')
          .update(await piped.text(`migrations/${origin}/${name}`))
          .digest('hex'),
      );
    piped.close();
  }, 120_000);

  test('proves that it can be restored', async () => {
    const { code, stdout } = await runKanbase(['backup', '--verify', archive]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/can be restored: \d+ rows and 2 files are as they were, and doctor finds nothing wrong/),
    ]);
  }, 120_000);

  test('is there again elsewhere: passwords, sessions, rows, files, and all that works on them', async () => {
    const restored = await runKanbase(['restore', archive, '--data-dir', at('again')], { env });
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const again = await startKanbase(['--data-dir', at('again')]);
    try {
      // A token of before is one of this service: its secrets came along.
      const { data } = await ada.auth.getSession();
      const reader = createClient(again.url, served.anonKey, {
        ...asks,
        global: { headers: { Authorization: `Bearer ${data.session?.access_token}` } },
      });
      expect((await reader.from('projects').select('name')).data).toEqual([{ name: 'Harbour' }]);
      const back = createClient(again.url, again.anonKey, asks);
      expect((await back.auth.signInWithPassword(account)).error).toBeNull();
      const user = (await back.auth.getUser()).data.user;
      const face = await back.storage.from('avatars').download(`${user?.id}/face.png`);
      expect(Buffer.from((await face.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(picture);
      // Its bytes are those that were uploaded, and it is served with their encoding as before.
      expect((await back.storage.from('attachments').info(sheet)).data).toMatchObject({
        contentEncoding: 'gzip',
        size: gzipSync(styles).length,
      });
      expect(await (await back.storage.from('attachments').download(sheet)).data?.text()).toBe(styles);
      const before = (await back.from('tasks').select('number')).data?.length ?? 0;
      const claimed = (await back.rpc('claim_next_task', { project: projectId })).data;
      expect(claimed).toEqual([expect.objectContaining({ fence: expect.any(Number) })]);
      expect(claimed?.[0]?.fence).toBeGreaterThan(fence);
      // Numbers go on, triggers are awake again, keys hold.
      const next = await back
        .from('tasks')
        .insert({ project_id: projectId, column_id: columnId, title: 'After' })
        .select('number')
        .single();
      expect(next.data?.number).toBe(before + 1);
      expect(
        (await back.from('task_activity').select('kind', { count: 'exact', head: true }).eq('project_id', projectId))
          .count,
      ).toBeGreaterThan(before);
      expect(
        (await back.from('task_labels').insert({ project_id: crypto.randomUUID(), name: 'x' })).error,
      ).not.toBeNull();
    } finally {
      await again.stop();
    }
  }, 120_000);

  test('is never put over another one, unless one says so; then that is kept beside', async () => {
    const refused = await runKanbase(['restore', archive, '--data-dir', at('data')], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/Stop it first/);
    const used = await runKanbase(['restore', archive, '--data-dir', at('again')], { env });
    expect([used.code, used.stderr]).toEqual([
      1,
      expect.stringContaining('there is data here already, and nothing was changed'),
    ]);
    const replaced = await runKanbase(['restore', archive, '--data-dir', at('again'), '--replace'], { env });
    expect(replaced.stdout).toMatch(/What was here before is in .*postgres\.before-/);
    expect(readdirSync(at('again')).filter((name) => name.startsWith('postgres')).length).toBe(2);
  }, 120_000);

  test.each([
    ['a wrong passphrase', [], { BACKUP_PASSPHRASE: 'ten' }, /passphrase is not the one this backup was made with/],
    ['no passphrase', [], {}, /set BACKUP_PASSPHRASE to open them, or go without with --without-secrets/],
  ])('%s opens nothing, and nothing is begun', async (_, flags, given, words) => {
    const { code, stderr } = await runKanbase(['restore', archive, '--data-dir', at('none'), ...flags], { env: given });
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(words)]);
    expect(existsSync(join(at('none'), 'postgres'))).toBe(false);
  });

  test('verifying refuses a truncated backup and a damaged one, each with its reason', async () => {
    const bytes = readFileSync(archive);
    writeFileSync(at('half.zip'), bytes.subarray(0, bytes.length / 2));
    const half = await runKanbase(['backup', '--verify', at('half.zip')]);
    expect([half.code, half.stderr]).toEqual([1, expect.stringMatching(/half\.zip cannot be read as a backup/)]);
    // One letter of a picture, which lies in it as it is.
    const damaged = Buffer.from(bytes);
    const where = damaged.indexOf(picture) + 50;
    damaged[where] = (damaged[where] ?? 0) ^ 1;
    writeFileSync(at('damaged.zip'), damaged);
    const { code, stderr } = await runKanbase(['backup', '--verify', at('damaged.zip')]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/damaged\.zip is damaged: files\/.* is not what was written/),
    ]);
  }, 120_000);

  test('secrets are in it sealed, or left out by choice, never by chance', async () => {
    const { code, stderr } = await runKanbase(['backup', at('open.zip'), '--data-dir', at('data')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('set BACKUP_PASSPHRASE')]);
    const { jwtSecret } = JSON.parse(readFileSync(join(at('data'), 'secrets.json'), 'utf8')) as { jwtSecret: string };
    const opened = await openArchive(archive);
    expect(await opened.text('secrets.sealed.json')).not.toContain(jwtSecret);
    opened.close();
  });
});

describe('a database of one’s own', () => {
  const write = async (database: FreshDatabase, name: string) => {
    await writeBackup({
      url: database.directUrl,
      directory: 'sql',
      extraDirectory: null,
      files: null,
      secrets: null,
      version: '0.0.0',
      out: createWriteStream(at(name)),
    });
    return openArchive(at(name));
  };

  test('goes into an empty one, row for row, and that one is used from then on', async () => {
    const [from, to] = [await newDatabase(), await newDatabase({ from: null })];
    await asOwner(from, "insert into private.leads (email) values ('a@example.org'), (E'tab\\there@example.org')");
    const archive = await write(from, 'own.zip');
    expect([await isUsed(to.directUrl, 'sql'), await isUsed(from.directUrl, 'sql')]).toEqual([false, true]);
    await restoreRows(archive, to);
    expect(await compareRows(archive.manifest, to.directUrl)).toEqual([]);
    await asOwner(to, "delete from private.leads where email like 'a%'");
    expect(await compareRows(archive.manifest, to.directUrl)).toEqual(['private.leads']);
    await clearDatabase(to.directUrl);
    expect(await isUsed(to.directUrl, 'sql')).toBe(false);
    await restoreRows(archive, to);
    expect(await compareRows(archive.manifest, to.directUrl)).toEqual([]);
    archive.close();
  }, 120_000);

  describe('is emptied for nothing but an archive that can be restored', () => {
    let used: FreshDatabase;
    let before: Manifest;
    beforeAll(async () => {
      used = await newDatabase();
      await asOwner(used, "insert into private.leads (email) values ('kept@example.org')");
      const archive = await write(used, 'sound.zip');
      before = archive.manifest;
      archive.close();
    }, 120_000);
    const restore = (name: string) =>
      runKanbase(['restore', at(name), '--replace'], {
        env: { DATABASE_URL: used.directUrl, DATA_DIR: at('emptied') },
      });
    const boats = Buffer.from('Anna\n');
    const sha256 = createHash('sha256').update(boats).digest('hex');
    const listed = (change: (manifest: Record<string, unknown[]>) => void) => (all: Entries) => {
      const manifest = JSON.parse(String(all.get('manifest.json')));
      change(manifest);
      all.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
    };

    test.each<readonly [string, (all: Entries) => void, RegExp]>([
      ['rows that were changed', (all) => all.set('rows/private.leads', boats), /rows\/private\.leads is not what was/],
      [
        'a migration that was changed',
        (all) => all.set('migrations/kanbase/tables/0001_ground.sql', boats),
        /0001_ground\.sql is not what was written/,
      ],
      ['a part that is missing', (all) => all.delete('rows/public.tasks'), /rows\/public\.tasks is missing in it/],
      [
        'a form of later times',
        listed((manifest) => Object.assign(manifest, { format: 99 })),
        /which is newer: restore it with/,
      ],
      [
        'a migration of a later version',
        (all) => {
          all.set('migrations/kanbase/tables/9990_later.sql', boats);
          listed(({ migrations }) => migrations?.push({ origin: 'kanbase', name: 'tables/9990_later.sql', sha256 }))(
            all,
          );
        },
        /cannot be brought up to date by this version: .*9990_later\.sql/,
      ],
      [
        'rows of a table that nothing makes',
        (all) => {
          all.set('rows/public.boats', boats);
          const table = { name: 'public.boats', columns: ['name'], entry: 'rows/public.boats', rows: 1, sha256 };
          listed(({ tables }) => tables?.push(table))(all);
        },
        /rows of public\.boats, which no migration makes/,
      ],
    ])(
      'not for %s',
      async (_, change, words) => {
        await repack('sound.zip', 'broken.zip', change);
        const { code, stderr } = await restore('broken.zip');
        expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
        expect(await compareRows(before, used.directUrl)).toEqual([]);
      },
      120_000,
    );

    test('and for that it is', async () => {
      await asOwner(used, "insert into private.leads (email) values ('gone@example.org')");
      const { code, stderr } = await restore('sound.zip');
      expect([code, stderr]).toEqual([0, '']);
      expect(await asOwner(used, 'select email from private.leads')).toEqual([{ email: 'kept@example.org' }]);
    }, 120_000);
  });

  test('files that are replaced or deleted while a backup reads are in it, and go when it is done', async () => {
    const app = await startApp();
    const store = inTurn(await openStores(app.services.config));
    const { storage } = app.client({ key: app.serviceKey });
    await storage.createBucket('kept');
    const bucket = storage.from('kept');
    for (const name of ['replaced', 'deleted']) expect((await bucket.upload(name, `${name} before`)).error).toBeNull();
    const versions = await app.sql<{ version: string; name: string }>('select version, name from storage.objects');
    const { database, services } = app;
    const { log } = services;
    const swept = { store, forget: async () => undefined, keepRemovedSeconds: 0, longestLinkSeconds: 60, log };
    const sweep = async (): Promise<(string | null)[]> => {
      await sweepFiles(database, swept, new AbortController().signal);
      const sizes = await Promise.all(versions.map(({ version }) => store.sizeOf(version)));
      return versions.map(({ name }, place) => (sizes[place] === null ? null : name));
    };
    const out = new PassThrough();
    const options = { url: app.ownerUrl, directory: 'sql', extraDirectory: null, secrets: null, version: '0.0.0' };
    const writing = writeBackup({ ...options, files: store, out });
    // It has begun, and waits for whoever takes it.
    await vi.waitFor(() => expect(out.readableLength).toBeGreaterThan(0), { timeout: 30_000 });
    await bucket.upload('replaced', 'replaced after', { upsert: true });
    await bucket.remove(['deleted']);
    expect((await sweep()).toSorted()).toEqual(['deleted', 'replaced']);
    const [manifest] = await Promise.all([writing, pipeline(out, createWriteStream(at('held.zip')))]);
    expect([manifest.files.length, manifest.missingFiles]).toEqual([2, []]);
    await expect.poll(sweep, { timeout: 30_000 }).toEqual([null, null]);
    await app.close();

    const archive = await openArchive(at('held.zip'));
    const to = await newDatabase({ from: null });
    const files = new DiskStore(at('held-files'));
    await restoreFiles(archive, files);
    await restoreRows(archive, to);
    archive.close();
    expect(await compareRows(manifest, to.directUrl)).toEqual([]);
    const there = await asOwner<{ name: string; version: string }>(
      to,
      'select name, version from storage.objects order by name',
    );
    const read = await Promise.all(
      there.map(async ({ name, version }) => [name, String(await buffer(await files.read(version)))]),
    );
    expect(read).toEqual([
      ['deleted', 'deleted before'],
      ['replaced', 'replaced before'],
    ]);
  }, 120_000);

  test('tables made by hand are named, and their rows are in the archive', async () => {
    const [from, to] = [await newDatabase(), await newDatabase({ from: null })];
    expect(await isUsed(from.directUrl, 'sql')).toBe(false);
    await asOwner(from, "create table public.boats (name text); insert into public.boats values ('Anna')");
    // They are somebody's, too.
    expect(await isUsed(from.directUrl, 'sql')).toBe(true);
    const archive = await write(from, 'by-hand.zip');
    await expect(restoreRows(archive, to)).rejects.toThrow(/rows of public\.boats, which no migration makes/);
    expect(await archive.text('rows/public.boats')).toBe('Anna\n');
    archive.close();
  }, 120_000);
});

describe('by schedule', () => {
  const scheduled = (
    database: FreshDatabase,
    directory: string,
    files: BackupOptions['files'] = null,
    place: BackupPlace = new BackupDirectory(directory),
  ) => {
    const gauges = new Map<string, () => Promise<number>>();
    const backups = startBackups({
      // Never while this runs.
      schedule: '0 0 29 2 *',
      place,
      keep: 2,
      backup: {
        url: database.directUrl,
        directory: 'sql',
        extraDirectory: null,
        files,
        secrets: null,
        version: '0.0.0',
      },
      gauge: (name, _, read) => gauges.set(name, read),
      run: (_, work) => work(),
      log: pino({ level: 'silent' }),
    });
    return { ...backups, read: (name: string) => gauges.get(`kanbase_backup_${name}`)?.() };
  };
  const days = ['2026-01-01T03:00:00Z', '2026-01-02T03:00:00Z', '2026-01-03T03:00:00Z'].map((day) => new Date(day));

  test('figures of a database that stands still leave nobody waiting in it', async () => {
    const database = await newDatabase();
    const one = scheduled(database, at('figures'));
    await one.stop();
    const holder = new pg.Client(connectionOptions(database.directUrl));
    await holder.connect();
    await holder.query('begin; lock table private.backups in access exclusive mode');
    await Promise.all(
      ['failures', 'last_good_timestamp_seconds'].map((name) => expect(one.read(name)).rejects.toThrow()),
    );
    const waiting = `select from pg_locks where relation = 'private.backups'::regclass and not granted`;
    await expect.poll(async () => (await holder.query(waiting)).rowCount, { timeout: 20_000 }).toBe(0);
    await holder.end();
  });

  test('of two nodes one makes each, the oldest go, and what was made is written down', async () => {
    const database = await newDatabase();
    const directory = at('scheduled');
    const [one, other] = [scheduled(database, directory), scheduled(database, directory)];
    for (const day of days) {
      const paths = await Promise.all([one.make(day), other.make(day)]);
      expect(paths.filter((path) => path !== null).length).toBe(1);
    }
    expect(readdirSync(directory)).toEqual([
      'kanbase-2026-01-02T03-00-00-000Z.zip',
      'kanbase-2026-01-03T03-00-00-000Z.zip',
    ]);
    expect(
      await asOwner(
        database,
        'select count(*)::int, count(file)::int as good, min(row_count) > 0 as rows from private.backups',
      ),
    ).toEqual([{ count: 3, good: 3, rows: true }]);
    // Whichever node is asked, it answers the same: when the last one was made, and that none has failed since.
    const [made] = await asOwner<{ at: number }>(
      database,
      'select extract(epoch from max(finished_at))::float8 as at from private.backups',
    );
    for (const node of [one, other, scheduled(database, directory)])
      expect([await node.read('last_good_timestamp_seconds'), await node.read('failures')]).toEqual([made?.at, 0]);
    await Promise.all([one.stop(), other.stop()]);
  }, 120_000);

  test('backups in a bucket are read back, and the oldest are deleted', async () => {
    const store = await openTestStore('s3');
    const { config } = readConfig({ env: { ...store.settings, DATA_DIR: at('bucket') } });
    const place = await openBackupPlace(config, 's3://kanbase/backups/here');
    const database = await newDatabase();
    const node = scheduled(database, '', null, place);
    for (const day of days)
      expect(await node.make(day)).toMatch(/^s3:\/\/kanbase\/backups\/here\/kanbase-2026-01-0\dT03-00-00-000Z\.zip$/);
    expect((await place.list()).map(({ name }) => name)).toEqual([
      'kanbase-2026-01-02T03-00-00-000Z.zip',
      'kanbase-2026-01-03T03-00-00-000Z.zip',
    ]);
    // One that starts anew knows of them.
    const next = scheduled(database, '', null, place);
    expect(await next.read('last_good_timestamp_seconds')).toBeGreaterThan(0);
    await Promise.all([node.stop(), next.stop()]);
    await store.close();
  }, 120_000);

  test('a failed backup tells operators its reason, keeps the good ones, and is reported by doctor', async () => {
    const database = await newDatabase();
    writeFileSync(at('no-directory'), '');
    const node = scheduled(database, join(at('no-directory'), 'below'));
    await asOwner(
      database,
      `insert into auth.users (id, email, email_confirmed_at, is_operator, raw_user_meta_data)
       select gen_random_uuid(), name || '@example.test', now(), name <> 'cleo', jsonb_build_object('language', case name when 'dora' then 'de' else 'en' end)
       from unnest(array['olga', 'dora', 'cleo']) name;
       insert into auth.sessions (id, user_id) select id, id from auth.users;
       insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
       select id, id, 'https://push.example.test/' || id, 'B' || repeat('A', 86), repeat('A', 22) from auth.users`,
    );
    await expect(node.make(days[0] as Date)).rejects.toThrow(/cannot be written/);
    expect(await node.read('failures')).toBe(1);
    // Operators are told, each in their language, and once a day at most.
    await expect(node.make(days[1] as Date)).rejects.toThrow(/cannot be written/);
    expect(
      await asOwner(
        database,
        `select recipient, kind, data ->> 'language' as language from private.outbox order by recipient`,
      ),
    ).toEqual([
      { recipient: 'dora@example.test', kind: 'backup_failed', language: 'de' },
      { recipient: 'olga@example.test', kind: 'backup_failed', language: 'en' },
    ]);
    expect(
      await asOwner(
        database,
        `select u.email, n.data ->> 'excerpt' like '%cannot be written%' as says_why, d.way from public.notifications n
         join auth.users u on u.id = n.user_id join private.notification_deliveries d on d.notification_id = n.id order by 1`,
      ),
    ).toEqual([
      { email: 'dora@example.test', says_why: true, way: 'push' },
      { email: 'olga@example.test', says_why: true, way: 'push' },
    ]);
    expect(await node.read('last_good_timestamp_seconds')).toBe(0);
    const { stdout } = await runKanbase(['doctor'], {
      env: { DATABASE_URL: database.directUrl, BACKUP_SCHEDULE: '0 3 * * *', DATA_DIR: at('doctor') },
    });
    expect(stdout).toMatch(
      new RegExp(`BAD .*${inside('health.backups.failed', { due: '2026-01-02 03:00', good: 'none' })}`),
    );
    expect(stdout).toContain('cannot be written');
    await node.stop();
  }, 120_000);

  test('a backup that lacks bytes of a file counts as failed, and the good ones stay', async () => {
    const database = await newDatabase();
    const directory = at('lacking');
    const gone = { read: () => Promise.reject(new Error('there is no such file')) };
    const node = scheduled(database, directory, gone);
    for (const day of days.slice(0, 2)) await node.make(day);
    const good = await node.read('last_good_timestamp_seconds');
    await asOwner(
      database,
      `insert into private.unclaimed_files values ('00000000-0000-4000-8000-000000000001', now() + interval '1 day');
       insert into storage.objects (bucket_id, name, version, metadata)
       values ('attachments', 'a/b/lost.txt', '00000000-0000-4000-8000-000000000001', '{"size": 1}')`,
    );
    for (const day of ['2026-01-03T03:00:00Z', '2026-01-04T03:00:00Z'])
      await expect(node.make(new Date(day))).rejects.toThrow(/lacks the bytes of 1 file, whose row it has/);
    expect([await node.read('failures'), await node.read('last_good_timestamp_seconds')]).toEqual([2, good]);
    expect(readdirSync(directory)).toHaveLength(4);
    expect(
      await asOwner(database, 'select count(file)::int as good, count(error)::int as failed from private.backups'),
    ).toEqual([{ good: 2, failed: 2 }]);
    await node.stop();
  }, 120_000);

  const waiting = async (database: FreshDatabase, relation: string) =>
    (await asOwner(database, `select from pg_locks where not granted and relation = '${relation}'::regclass`)).length;

  test('a backup under way ends with the service and leaves nothing behind; the next start makes another', async () => {
    const database = await newDatabase();
    const directory = join(at('stopped'), 'backups');
    const serve = (schedule: string) =>
      startKanbase(['--data-dir', at('stopped')], {
        env: { DATABASE_URL: database.directUrl, BACKUP_SCHEDULE: schedule },
      });
    await asOwner(database, 'create table public.boats (name text)');
    // As long as this one has the table, no backup comes to its end.
    const holder = new pg.Client(connectionOptions(database.directUrl));
    await holder.connect();
    await holder.query('begin; lock table public.boats in access exclusive mode');
    const served = await serve('* * * * * *');
    await expect.poll(() => waiting(database, 'public.boats'), { timeout: 30_000 }).toBeGreaterThan(0);
    expect(readdirSync(directory)[0]).toMatch(/^kanbase-.*\.zip\.part$/);
    expect(await served.stop()).toMatchObject({ code: 0, signal: null });
    expect(readdirSync(directory)).toEqual([]);
    await holder.end();

    // What a machine that failed has left, and what is somebody else's.
    for (const name of ['kanbase-2025-12-31T03-00-00-000Z.zip.part', 'kanbase-mine.zip.part', 'film.part'])
      writeFileSync(join(directory, name), 'half');
    const begun = await asOwner(database, 'select due_at from private.backups');
    const again = await serve('0 0 29 2 *');
    const good = async () => {
      const made = await asOwner<{ file: string }>(database, 'select file from private.backups where file is not null');
      return made.map(({ file }) => basename(file));
    };
    await expect.poll(good, { timeout: 30_000 }).toHaveLength(1);
    expect(new Set(readdirSync(directory))).toEqual(new Set(['film.part', 'kanbase-mine.zip.part', ...(await good())]));
    // It stands beside those that were begun: a backup that is there already may have the name of one of them.
    expect(await asOwner(database, 'select due_at from private.backups')).toHaveLength(begun.length + 1);
    expect(await asOwner(database, 'select due_at from private.backups where finished_at is null')).toEqual([]);
    await again.stop();
  }, 120_000);

  test('a backup being written by another node is left alone until it is broken off', async () => {
    const database = await newDatabase();
    const directory = at('beside');
    await asOwner(
      database,
      `insert into private.unclaimed_files values ('00000000-0000-4000-8000-000000000001', now() + interval '1 day');
       insert into storage.objects (bucket_id, name, version, metadata)
       values ('attachments', 'a/b/long.txt', '00000000-0000-4000-8000-000000000001', '{"size": 1}')`,
    );
    const endless = new PassThrough();
    endless.write('a');
    const reading = vi.fn(async () => endless);
    const [one, other] = [scheduled(database, directory, { read: reading }), scheduled(database, directory)];
    const [first, second, third] = days as [Date, Date, Date];
    const making = one.make(first);
    making.catch(() => undefined);
    await vi.waitFor(() => expect(reading).toHaveBeenCalled(), { timeout: 30_000 });
    await other.make(second);
    const draft = 'kanbase-2026-01-01T03-00-00-000Z.zip.part';
    expect(readdirSync(directory)).toEqual([draft, 'kanbase-2026-01-02T03-00-00-000Z.zip']);
    await one.stop();
    await expect(making).rejects.toThrow('The service stops');
    expect([endless.destroyed, existsSync(join(directory, draft))]).toEqual([true, false]);
    await other.make(third);
    expect(await asOwner(database, 'select error from private.backups order by due_at')).toEqual([
      { error: expect.stringMatching(/^It was broken off/) },
      { error: null },
      { error: null },
    ]);
    expect(await other.read('failures')).toBe(0);
    await other.stop();
  }, 120_000);

  test('by hand they go to a bucket and come from one; what is wrong with its address is said', async () => {
    const store = await openTestStore('s3');
    const env = { ...store.settings, DATA_DIR: at('by-hand'), BACKUP_PASSPHRASE: 'nine red buoys' };
    const [from, to] = [await newDatabase(), await newDatabase({ from: null })];
    await asOwner(from, "insert into private.leads (email) values ('kay@example.test')");
    const address = 's3://kanbase/monday.zip';
    const ran = async (words: string[], database: FreshDatabase) =>
      runKanbase(words, { env: { ...env, DATABASE_URL: database.directUrl } });
    expect((await ran(['backup', address], from)).code).toBe(0);
    expect((await ran(['restore', address], to)).code).toBe(0);
    expect(await asOwner(to, 'select email from private.leads')).toEqual([{ email: 'kay@example.test' }]);
    expect((await ran(['backup', 's3://kanbase/'], from)).stderr).toContain('names no backup');
    expect((await ran(['restore', 's3://elsewhere/monday.zip'], to)).stderr).toMatch(
      /s3:\/\/elsewhere\/monday.zip cannot be read \(NoSuchBucket: .*see whether the bucket is there/,
    );
    await store.close();
  }, 180_000);

  test('a schedule that is none is refused by name', async () => {
    const { code, stderr } = await runKanbase(['config'], { env: { BACKUP_SCHEDULE: 'nightly' } });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'BACKUP_SCHEDULE must be a cron pattern of five fields, such as 0 3 * * *, not "nightly"',
      ),
    ]);
  });
});
