// `kanbase doctor` and `kanbase migrate` against databases in good and in bad order.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { inside, t } from '../browser/words.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const place = scratch('doctor');
const made: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of made) await database.drop();
  place.remove();
});

async function database(options: { from?: null; sql?: string; as?: 'owner' | 'admin' } = {}): Promise<FreshDatabase> {
  const fresh = await freshDatabase(options.from === null ? { from: null } : {});
  made.push(fresh);
  if (options.sql) {
    const client = new pg.Client(connectionOptions(options.as === 'admin' ? fresh.adminUrl : fresh.directUrl));
    await client.connect();
    await client.query(options.sql);
    await client.end();
  }
  return fresh;
}

const doctor = (env: Record<string, string>) =>
  runKanbase(['doctor'], { cwd: place.path, env: { DATA_DIR: join(place.path, 'data'), ...env } });
const migrate = (args: string[], env: Record<string, string>) =>
  runKanbase(['migrate', ...args], { cwd: place.path, env });

const saysBad = (words: string, remedy: string) => new RegExp(`BAD .*${words}\n.*${remedy}`);

describe('doctor', () => {
  test('finds everything in order', async () => {
    const { directUrl } = await database();
    const { code, stdout } = await doctor({
      DATABASE_URL: directUrl,
      JWT_SECRET: 'x'.repeat(32),
      SITE_URL: 'http://boards.example.test',
      SMTP_URL: 'smtp://localhost',
      BACKUP_SCHEDULE: '0 3 * * *',
    });
    for (const words of [
      'Postgres 18.',
      inside('health.clock.good'),
      inside('health.roles.good'),
      inside('health.tables.good'),
      inside('health.disk.free'),
      inside('health.migrations.good'),
      inside('health.backups.later'),
    ])
      expect(stdout).toMatch(new RegExp(words));
    expect(stdout).not.toMatch(/^(BAD|note)/m);
    expect(stdout).toMatch(/Kanbase can serve\.\n$/);
    expect(code).toBe(0);
  });

  test('names a table that clients reach past row security, and one that nobody sees', async () => {
    const { directUrl } = await database({
      sql: `create table public.open_door (id int); grant select on public.open_door to anon;
            create table public.closed_door (id int); alter table public.closed_door enable row level security; grant select on public.closed_door to authenticated`,
    });
    const { code, stdout } = await doctor({ DATABASE_URL: directUrl });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      saysBad(inside('health.tables.open', { tables: 'public.open_door' }), 'enable row level security'),
    );
    expect(stdout).toMatch(new RegExp(`note .*${inside('health.tables.bare', { tables: 'public.closed_door' })}`));
  });

  test('says which statement gives a right that is missing', async () => {
    const { name, directUrl } = await database({
      from: null,
      as: 'admin',
      sql: 'do $$ begin create role doctor_poor login; exception when duplicate_object then null; end $$',
    });
    const { code, stdout } = await doctor({ DATABASE_URL: directUrl.replace('kanbase@', 'doctor_poor@') });
    expect(code).toBe(1);
    expect(stdout).toContain(`grant create on database "${name}" to "doctor_poor";`);
    expect(stdout).toContain('alter role "doctor_poor" createrole;');
    expect(stdout).toContain('alter schema public owner to "doctor_poor";');
  });

  test('says why a database cannot be reached, without its password', async () => {
    const { code, stdout, stderr } = await doctor({ DATABASE_URL: 'postgres://me:pass-word@127.0.0.1:9/none' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/BAD .*ECONNREFUSED/);
    expect(stdout + stderr).not.toContain('pass-word');
  });

  test('tells what settings do not go together', async () => {
    const { stdout } = await doctor({ SITE_URL: 'https://boards.example.test', BILLING_SECRET_KEY: 'sk_test_x' });
    expect(stdout).toMatch(new RegExp(`note .*${inside('health.proxy.untrusted')}\n.*TRUST_PROXY`));
    expect(stdout).toMatch(new RegExp(`note .*${inside('health.billing.noWebhook')}`));
    expect(stdout).toMatch(new RegExp(`note .*${inside('health.mail.off')}`));
  });

  test('says before the first start what is to come', async () => {
    const { directUrl } = await database({ from: null });
    const { code, stdout } = await doctor({ DATABASE_URL: directUrl });
    expect(stdout).not.toMatch(/^BAD/m);
    expect(stdout).toMatch(new RegExp(`ok .*${inside('health.database.empty')}`));
    expect(stdout).toMatch(/Kanbase can serve\.\n$/);
    expect(code).toBe(0);
  });

  test('says after a bad restore what is missing, and migrate does not say that all is well', async () => {
    const { directUrl } = await database({
      sql: `drop policy if exists "x" on public.tasks;
            do $$ declare p record; begin
              for p in select policyname, tablename from pg_policies where schemaname = 'public' and tablename in ('tasks', 'projects') loop
                execute format('drop policy %I on public.%I', p.policyname, p.tablename);
              end loop;
            end $$;
            alter table public.task_labels disable row level security;
            drop function private.my_projects cascade`,
    });
    const { code, stdout } = await doctor({ DATABASE_URL: directUrl });
    expect(code).toBe(1);
    expect(stdout).toMatch(/BAD .*\d+ of our policies are missing: .* on public\.projects/);
    expect(stdout).toMatch(/BAD .*1 tables without row security: public\.task_labels/);
    expect(stdout).toMatch(/BAD .*1 of our functions are missing: private\.my_projects\(\)\n.*pg_dumpall --roles-only/);
    const migrated = await migrate([], { DATABASE_URL: directUrl });
    expect(migrated.code).toBe(1);
    expect(migrated.stdout).not.toContain('Nothing to apply');
    expect(migrated.stderr).toMatch(/^kanbase migrate: \d+ of our policies|^kanbase migrate: .*policies are missing/);
    const status = await migrate(['status'], { DATABASE_URL: directUrl });
    expect([status.code, status.stdout]).toEqual([1, expect.stringMatching(/PROBLEM {2}.*policies are missing/)]);
  });

  test('names the roles that a restore did not bring, and so does migrate', async () => {
    const dataDir = join(place.path, 'restored');
    await putReadyCluster(dataDir);
    const cluster = await startCluster({ dataDir, log: pino({ level: 'silent' }) });
    try {
      const client = new pg.Client(connectionOptions(cluster.adminUrl));
      await client.connect();
      await client.query('alter role kanbase_files rename to left_over_there');
      await client.end();
      const { code, stdout } = await doctor({ DATABASE_URL: cluster.directUrl });
      expect(code).toBe(1);
      expect(stdout).toMatch(/BAD .*roles.*kanbase_files/);
      const migrated = await migrate([], { DATABASE_URL: cluster.directUrl, DATA_DIR: dataDir });
      expect([migrated.code, migrated.stderr]).toEqual([1, expect.stringMatching(/roles are missing: kanbase_files/)]);
    } finally {
      await cluster.stop();
    }
  });

  test('makes no database where there is none yet', async () => {
    const dataDir = join(place.path, 'none-yet');
    const { code, stdout } = await runKanbase(['doctor', '--data-dir', dataDir], { cwd: place.path });
    expect(code).toBe(0);
    expect(stdout).toContain(t('health.database.later'));
    expect(existsSync(dataDir)).toBe(false);
  });

  test('sees secrets that others can read, and works beside a running server', async () => {
    const dataDir = join(place.path, 'beside');
    await putReadyCluster(dataDir);
    const server = await startKanbase(['--data-dir', dataDir]);
    chmodSync(join(dataDir, 'secrets.json'), 0o644);
    const { code, stdout } = await runKanbase(['doctor', '--data-dir', dataDir]);
    expect(code).toBe(1);
    expect(stdout).toMatch(saysBad(inside('health.secrets.open', { mode: '644' }), 'chmod 600'));
    expect(stdout).toMatch(new RegExp(inside('health.migrations.good')));
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('migrate', () => {
  test('names what it would do, does it once, and lists it', async () => {
    const own = join(place.path, 'own');
    mkdirSync(own);
    writeFileSync(join(own, '9000_extra.sql'), 'create table public.extras (id int)');
    const { directUrl } = await database({ from: null });
    const env = { DATABASE_URL: directUrl, MIGRATIONS_DIR: own };

    const dry = await migrate(['--dry-run'], env);
    expect(dry.stdout).toMatch(
      /pending {2}0001_ground\.sql\n[\s\S]*pending {2}9000_extra\.sql\n0 applied, \d+ to apply/,
    );
    expect((await migrate(['status'], env)).stdout).toMatch(/^pending {2}0001_ground\.sql/);

    const done = await migrate([], env);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/applied {2}9000_extra\.sql\n\d+ applied\./);
    expect((await migrate([], env)).stdout).toBe('Nothing to apply: the database is up to date.\n');
    expect((await migrate(['status'], env)).stdout).toMatch(/applied {2}9000_extra\.sql {2}\d{4}-[\s\S]*, 0 to apply/);

    writeFileSync(join(own, '9000_extra.sql'), 'create table public.extras (id bigint)');
    const edited = await migrate(['status'], env);
    expect(edited.code).toBe(1);
    expect(edited.stdout).toMatch(/PROBLEM .*9000_extra\.sql/);
    const refused = await migrate([], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^kanbase migrate: .*9000_extra\.sql/);
  });
});
