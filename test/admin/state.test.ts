// State of the server at the admin pages: figures and findings, never a secret, and nothing that somebody wrote.

import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { languages, readPart } from '../../scripts/strings.mjs';
import { countRequests } from '../../server/admin/count-requests.ts';
import { startScheduledBackups } from '../../server/commands/backup-contents.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { withDatabase } from '../../server/database/connection-url.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { openFileSaver } from '../../server/files/file-saver.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { startImports } from '../../server/imports/door/start-imports.ts';
import { notSaved } from '../../server/imports/files-in-zip.ts';
import type { Services } from '../../server/services.ts';
import { saying } from '../browser/words.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { makeOperator } from './operator.ts';

const hush = 'hush-hush-hush-0123456789';
const secrets = {
  BACKUP_PASSPHRASE: hush,
  SMTP_URL: `smtp://ada:${hush}@127.0.0.1:9`,
  BILLING_SECRET_KEY: `sk_test_${hush}`,
  BILLING_WEBHOOK_SECRET: `whsec_${hush}`,
  JWT_SECRET: `${hush}-${hush}-${hush}`,
  METRICS_TOKEN: hush,
  GOOGLE_CLIENT_SECRET: hush,
  STORAGE_S3_SECRET_ACCESS_KEY: hush,
};
let token: string;

const app = forSuite(() =>
  startApp({
    settings: {
      METRICS_ADDRESSES: 'loopback',
      ...secrets,
      BACKUP_SCHEDULE: '0 3 * * *',
      STORAGE_S3_ACCESS_KEY_ID: 'key',
      MAIL_PRODUCT_NAME: 'Boards',
    },
  }),
);
beforeAll(async () => {
  ({ token } = await makeOperator(app));
});

async function ask(path: string) {
  const answer = await app.request(`/api/admin${path}`, { token });
  const text = await answer.text();
  expect([path, answer.status, text.slice(0, 300)]).toEqual([path, 200, expect.any(String)]);
  return JSON.parse(text);
}

test('settings as they are, with where they come from; of a secret that it is set', async () => {
  const settings = (await ask('/settings')) as { name: string; value: string; source: string }[];
  const of = (name: string) => settings.find((one) => one.name === name);
  expect(of('MAIL_PRODUCT_NAME')).toMatchObject({ value: 'Boards', source: 'environment' });
  expect(of('MAIL_KEPT_DAYS')).toMatchObject({ value: '7', source: 'default' });
  for (const name of Object.keys(secrets))
    expect(of(name)).toMatchObject({ value: '(set, not shown)', is_secret: true });
});

test('no answer holds a secret', async () => {
  const { jwtSecret } = app.services.config.server;
  for (const path of ['/state', '/requests', '/settings', '/database', '/files', '/backups', '/jobs', '/log']) {
    const text = JSON.stringify(await ask(path));
    for (const secret of [hush, jwtSecret, app.serviceKey]) expect(text).not.toContain(secret);
  }
});

test('the version, and what doctor finds', async () => {
  const state = await ask('/state');
  expect(state).toMatchObject({ version: expect.stringMatching(/^\d/), site: app.url });
  const words = (state.findings as { about: string }[]).map(({ about }) => about);
  expect(words).toContainEqual(expect.stringMatching(saying('health.database.version')));
  expect(words).toContainEqual(expect.stringMatching(saying('health.migrations.good')));
  // This process writes there, whoever it is: also root, which a start stays where it has to.
  expect(words.filter((about) => saying('health.folders.closed', { more: 0 }).test(about))).toEqual([]);
});

test.each(languages())('findings come in the language of the page: %s', async (language) => {
  const asked = async (headers: Record<string, string>) => {
    const { findings } = await (await app.request('/api/admin/state', { token, headers })).json();
    return (findings as { about: string }[]).map(({ about }) => about);
  };
  const owned = readPart(language, 'health').get('health.clock.good');
  expect(owned).toBeTypeOf('string');
  expect(await asked({ cookie: `kanbase-language=${language}` })).toContain(owned);
  expect(await asked({ 'accept-language': `${language}, en;q=0.5` })).toContain(owned);
});

test('the database: size, tables, slots, migrations, and that nobody counts slow statements', async () => {
  const database = await ask('/database');
  expect(database).toMatchObject({ statements: null, locks: [], unsettled: [], embedded: false });
  expect(database.bytes).toBeGreaterThan(1_000_000);
  expect(database.tables.length).toBe(15);
  const files = readdirSync('sql/tables').toSorted();
  expect(database.migrations).toMatchObject({
    applied: files.length,
    latest: [{ name: files.at(-1) }, {}, {}, {}, {}],
  });
});

test('slow statements, where Postgres counts them: the slowest first, without what they were asked with', async () => {
  const place = scratch('statements');
  await putReadyCluster(place.path);
  // As the guide says it.
  appendFileSync(
    join(place.path, 'postgres', 'postgresql.conf'),
    "\nshared_preload_libraries = 'pg_stat_statements'\n",
  );
  const cluster = await startCluster({ dataDir: place.path, log: app.services.log, fast: true });
  const admin = new pg.Client(connectionOptions(withDatabase(cluster.adminUrl, 'kanbase')));
  await admin.connect();
  const counted = await startApp({ database: { ...cluster, drop: async () => undefined } });
  try {
    const operator = await makeOperator(counted);
    const statements = async () => (await operator.ask('GET', '/database')).body.statements;
    expect(await statements()).toBeNull();
    await admin.query('create extension pg_stat_statements; grant pg_read_all_stats to kanbase');
    await counted.sql(`select pg_sleep(0.2), '${hush}' as of_somebody`);
    const found = (await statements()) as { text: string; calls: number; mean_ms: number; max_ms: number }[];
    expect(found.find(({ text }) => text.startsWith('select pg_sleep('))).toMatchObject({ calls: 1 });
    const means = found.map(({ mean_ms }) => mean_ms);
    expect(means).toEqual(means.toSorted((one, other) => other - one));
    expect(means[0]).toBeGreaterThanOrEqual(200);
    expect(JSON.stringify(found)).not.toContain(hush);
  } finally {
    await counted.close();
    await admin.end();
    await cluster.stop();
    place.remove();
  }
}, 60_000);

test('a lock is listed with the sessions waiting for it, without the values of statements', async () => {
  const [holder, waiter] = [1, 2].map(() => new pg.Client(connectionOptions(app.ownerUrl))) as [pg.Client, pg.Client];
  await Promise.all([holder.connect(), waiter.connect()]);
  await holder.query('begin; lock table private.leads in access exclusive mode');
  const waiting = waiter.query(`select count(*) from private.leads where email = '${hush}'`);
  try {
    await expect.poll(async () => (await ask('/database')).locks).toHaveLength(1);
    const { locks } = await ask('/database');
    expect(locks[0]).toMatchObject({ relation: 'private.leads', waits_for: [expect.any(Number)] });
    expect(JSON.stringify(locks)).not.toContain(hush);
  } finally {
    await holder.query('rollback');
    await waiting;
    await Promise.all([holder.end(), waiter.end()]);
  }
  const [shown] = await app.sql(
    `select private.statement_without_values($$select 1 from t where a = $1 and b = 42.5 and c = 'x' -- d$$) as it`,
  );
  expect(shown).toEqual({ it: 'select … from t where a = $1 and b = … and c = …' });
});

type Slot = Record<'requests' | 'refused' | 'failed', number> & { began_at: string };

test('requests and errors of the last day, of every process, also after a restart', async () => {
  const sums = (slots: Slot[]) => {
    const sum = (of: 'requests' | 'refused' | 'failed') => slots.reduce((all, slot) => all + slot[of], 0);
    return [sum('requests'), sum('refused'), sum('failed')] as [number, number, number];
  };
  const day = async () => (await ask('/requests')) as { minutes: number; slots: Slot[] };
  const before = await day();
  expect(before.slots).toHaveLength(96);
  const [requests, refused, failed] = sums(before.slots);
  for (const path of ['/rest/v1/nothing_of_that_name', '/api/admin/nothing', '/health', '/ready', '/metrics'])
    await (await app.request(path)).arrayBuffer();
  // Asking for them was one, too; what watches the server does not count.
  expect(sums((await day()).slots)).toEqual([requests + 3, refused + 2, failed]);

  // Another process told, hours ago and now; and what is too old is let go.
  const another = { role: 'kanbase_desk', claims: '{}' };
  const hours = (n: number) => new Date(Math.floor(Date.now() / 900_000) * 900_000 - n * 3_600_000).toISOString();
  const then = hours(5);
  for (const at of [hours(72), then, hours(0), hours(-1)])
    await app.database.objectsAs(another, {
      text: 'select private.count_requests($1::timestamptz, 100, 20, 3)::text',
      values: [at],
    });
  const { slots } = await day();
  expect(sums(slots)).toEqual([requests + 304, refused + 62, failed + 9]);
  expect(slots.find(({ began_at }) => Date.parse(began_at) === Date.parse(then))).toMatchObject({ failed: 3 });
  await app.sql('select private.count_requests(now(), 1, 0, 0)');
  expect(await app.sql(`select from private.request_counts where began_at < now() - interval '2 days'`)).toEqual([]);

  // What a process did not tell yet it tells as it stops.
  const old = { url: app.databaseUrl, directUrl: app.ownerUrl, drop: async () => undefined };
  const second = await startApp({ database: old });
  await second.client().from('projects').select('id');
  await second.close();
  expect(sums((await day()).slots)).toEqual([requests + 307, refused + 62, failed + 9]);
});

test('errors of an outage are told when the database is back, at the time they happened', async () => {
  const metrics = createMetrics();
  const told: string[][] = [];
  let up = false;
  const database = {
    async objectsAs(_caller: unknown, { values }: { values: string[] }) {
      if (!up) throw new Error('the database is down');
      told.push(values);
      return [];
    },
  } as unknown as Services['database'];
  vi.useFakeTimers({ now: new Date('2026-03-01T10:07:00Z') });
  const counts = countRequests({ database, metrics, log: app.services.log });
  metrics.record('/rest/v1/*', 'GET', 503, 0.1);
  await expect(counts.tell()).rejects.toThrow('down');
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  metrics.record('/rest/v1/*', 'GET', 200, 0.1);
  up = true;
  await counts.stop();
  vi.useRealTimers();
  expect(told).toEqual([
    ['2026-03-01T10:00:00.000Z', '1', '0', '1'],
    ['2026-03-01T10:15:00.000Z', '1', '0', '0'],
  ]);
});

test('files, backups and jobs', async () => {
  const files = await ask('/files');
  expect(files.buckets).toContainEqual({ name: 'attachments', files: 0, bytes: 0 });
  expect(files.free_bytes).toBeGreaterThan(0);

  expect(await ask('/backups')).toMatchObject({ last_good: null, schedule: '0 3 * * *', next_at: expect.any(String) });
  await app.sql(`insert into private.backups (due_at, finished_at, file, row_count, file_count, bytes, error) values
    (now() - interval '1 day', now() - interval '1 day', '/backups/a.zip', 10, 0, 1000, null), (now(), now(), null, null, null, null, 'no room')`);
  const { last_good, latest } = await ask('/backups');
  expect(last_good).toMatchObject({ file: '/backups/a.zip', row_count: 10 });
  expect(latest.map(({ error }: { error: string | null }) => error)).toEqual(['no room', null]);

  await app.sql(`select private.queue_mail('notice', 'ada@example.test', '{}')`);
  await expect(
    app.services.jobs.run('reminders', async () => {
      throw new Error('out of order');
    }),
  ).rejects.toThrow();
  const jobs = await ask('/jobs');
  const queue = (name: string) => jobs.queues.find((one: { name: string }) => one.name === name);
  expect(queue('mail')).toMatchObject({ waiting: 1, failed: 0, oldest: expect.any(String) });
  expect(queue('backups')).toMatchObject({ waiting: 0, failed: 1 });
  // Whose they are and how far; not what is in them.
  const ada = await app.createUser({ name: 'Ada' });
  await ada.client.rpc('begin_export', { format: 'csv' });
  await app.sql(
    `insert into private.import_jobs (user_id, file_name, product, state, failure) values ($1, 'secret plan.csv', 'trello', 'failed', 'row 7: secret')`,
    [ada.id],
  );
  const asked = await ask('/jobs');
  expect(asked.latest).toMatchObject([
    { job: 'import', what: 'trello', state: 'failed', email: ada.email },
    { job: 'export', what: 'csv', email: ada.email },
  ]);
  expect(JSON.stringify(asked)).not.toContain('secret');
  expect(asked.queues).toContainEqual(expect.objectContaining({ name: 'imports', failed: 1 }));
  expect(asked.queues).toContainEqual(expect.objectContaining({ name: 'exports' }));
  const round = (job: string) => jobs.rounds.find((one: { job: string }) => one.job === job);
  expect(round('sweep_messages')).toMatchObject({ error: null, node: expect.stringMatching(/:\d+$/) });
  expect(round('reminders')).toMatchObject({ error: 'out of order' });
  // Once it goes well again, that is written down, too.
  await app.services.jobs.run('reminders', async () => undefined);
  expect((await ask('/jobs')).rounds).toContainEqual(expect.objectContaining({ job: 'reminders', error: null }));
});

test('a scheduled backup and the writing of imports stand among the rounds, with how they went', async () => {
  const reached = { url: app.databaseUrl, directUrl: app.ownerUrl };
  const backups = await startScheduledBackups(app.services, reached);
  const imports = await startImports(app.services, await openFileSaver(app.services, notSaved));
  await imports.settle();
  const made = await backups?.make(new Date('2026-01-02T03:00:00Z'));
  expect(made).toMatch(/kanbase-2026-01-02T03-00-00-000Z\.zip$/);
  const figure = async (name: string) =>
    Number(new RegExp(`^kanbase_backup_${name} (.*)$`, 'm').exec(await (await app.request('/metrics')).text())?.[1]);
  const [{ at }] = (await app.sql(
    "select extract(epoch from finished_at)::float8 as at from private.backups where due_at = '2026-01-02T03:00:00Z'",
  )) as [{ at: number }];
  expect([await figure('last_good_timestamp_seconds'), await figure('failures')]).toEqual([at, 0]);
  const round = async (job: string) =>
    (await ask('/jobs')).rounds.find((one: { job: string }) => one.job === job) as Record<string, unknown> | undefined;
  expect(await round('scheduled_backup')).toMatchObject({ error: null, node: expect.stringMatching(/:\d+$/) });
  expect(await round('write_imports')).toMatchObject({ error: null });

  // Where it cannot be written, the admin page says why; the same moment is nobody's a second time.
  const place = join(app.dataDir, 'backups');
  rmSync(place, { recursive: true });
  writeFileSync(place, '');
  const due = new Date('2026-01-03T03:00:00Z');
  await expect(backups?.make(due)).rejects.toThrow(/cannot be written/);
  expect(await backups?.make(due)).toBeNull();
  expect(await round('scheduled_backup')).toMatchObject({ error: expect.stringContaining('cannot be written') });
  expect([await figure('last_good_timestamp_seconds'), await figure('failures')]).toEqual([at, 1]);
  await Promise.all([backups?.stop(), imports.stop()]);
});
