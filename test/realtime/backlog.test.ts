// A process that falls behind Postgres' log: its backlog is bounded, and a setting decides what happens at the bound.

import pg from 'pg';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { Events, follow, hangUp, project } from './subscribe.ts';

let app: TestApp;
afterEach(() => app.close());

/** Nothing can be delivered while memberships are locked, and Postgres' log grows by more than the limit meanwhile. */
async function fallBehind(action: string) {
  const logged = new Events<{ msg: string }>();
  const sink = { write: (line: string) => logged.add(JSON.parse(line) as { msg: string }) };
  app = await startApp({
    settings: {
      METRICS_ADDRESSES: 'loopback',
      REALTIME_SOURCE: 'log',
      REALTIME_WAL_LIMIT_MB: '16',
      REALTIME_WAL_LIMIT_ACTION: action,
      DB_AUTHENTICATED_TIMEOUT_MS: '120000',
    },
    log: pino({ level: 'info' }, sink),
  });
  const ada = await app.createUser({ name: 'Ada' });
  const { id, column } = await project(ada);
  const followed = await follow(ada.client, [{ table: 'tasks' }]);
  const holder = new pg.Client(connectionOptions(app.ownerUrl));
  await holder.connect();
  // Both at once: the write is committed with the lock in place, and nobody was asked about it before.
  const writer = new pg.Client(connectionOptions(app.ownerUrl));
  await writer.connect();
  await writer.query('begin');
  await writer.query(`insert into public.tasks (project_id, column_id, title) values ($1, $2, 'Waits')`, [id, column]);
  await holder.query('begin');
  const held = holder.query('lock table public.project_members in access exclusive mode');
  const waiting = `select from pg_locks where not granted and relation = 'public.project_members'::regclass`;
  while ((await app.sql(waiting)).length === 0);
  await writer.query('commit');
  await held;
  await writer.end();
  await app.sql(
    `select count(pg_logical_emit_message(false, 'filling', repeat('x', 1024 * 1024))) from generate_series(1, 24)`,
  );
  return { ada, id, column, holder, logged, ...followed };
}

const behind = /WAL waits to be read/;
const missed = ({ message }: { message?: unknown }): boolean => /^ChangesMissed/.test(String(message));

test('a slot that falls behind is given up, and subscribers read again', async () => {
  const { ada, id, column, holder, logged, system, events } = await fallBehind('refetch');
  await logged.first(({ msg }) => behind.test(msg), 'the warning', 60_000);
  await system.first(missed, 'the gap', 60_000);
  await holder.query('rollback');
  await holder.end();
  await system.until(
    () => (system.list.filter(({ status }) => status === 'ok').length >= 2 ? true : undefined),
    'ok again',
  );
  await app.sql(`insert into public.tasks (project_id, column_id, title) values ($1, $2, 'After')`, [id, column]);
  await events.first((one) => (one.new as { title?: string }).title === 'After', 'the task', 60_000);
  const slots = await app.sql('select from pg_replication_slots where database = current_database()');
  expect(slots).toHaveLength(1);
  await hangUp(ada.client);
}, 180_000);

test('or a warning is written, nothing is missed, and /metrics has how far it is behind', async () => {
  const { ada, holder, logged, system, events } = await fallBehind('warn');
  await logged.first(({ msg }) => behind.test(msg), 'the warning', 60_000);
  const metrics = await (await app.request('/metrics', { token: null })).text();
  const lag = Number(/^kanbase_realtime_wal_lag_bytes (\S+)$/m.exec(metrics)?.[1]);
  expect(lag).toBeGreaterThan(16 * 2 ** 20);
  expect(metrics).toMatch(/^kanbase_realtime_from_log 1$/m);
  await holder.query('rollback');
  await holder.end();
  await events.first((one) => (one.new as { title?: string }).title === 'Waits', 'the task', 60_000);
  expect(system.list.filter(missed)).toEqual([]);
  await hangUp(ada.client);
}, 180_000);
