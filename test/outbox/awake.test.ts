// Nodes that look for events by themselves, and so are notified of none, while one of them is lost: what was left to it is queued by another that
// watched, or by its own next run.

import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { openOutboxThread } from '../../server/outbox/thread/run-thread.ts';
import { drawKeys, webhookKeyOf } from '../../server/outbox/webhooks/sign-webhook.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';
import { addTask, makeProject } from '../sql/board.ts';

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
let database: FreshDatabase;
const app = forSuite(async () => {
  database = await freshDatabase();
  return startApp({ log, database, settings: { DB_POOL_SIZE: '8' } });
});

let owner: TestUser;
let project: string;
let other: pg.Client;

/** Titles of the tasks whose events are queued. */
async function queued(): Promise<readonly string[]> {
  const rows = await app.sql<{ title: string }>(
    `select p.payload #>> '{data,task,title}' as title from public.webhook_deliveries d join private.webhook_payloads p using (event_id)
     where d.project_id = $1 order by d.place`,
    [project],
  );
  return rows.map(({ title }) => title);
}

const awake = (seconds: number) => app.sql("select private.stay_awake('webhooks', $1)", [seconds]);
const add = (title: string) => addTask(app, owner, { project_id: project, title });
const messages = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);

beforeAll(async () => {
  owner = await app.createUser({ name: 'Olga' });
});

beforeEach(async () => {
  ({ project } = await makeProject(app, owner));
  const { publicKey, sealed } = drawKeys(webhookKeyOf(app.services.sessions));
  // Nothing listens there, and it is not allowed either: what is queued stays.
  await app.sql(
    `with hook as (
       insert into public.webhooks (project_id, name, url, events, public_key)
       values ($1, 'Ours', 'http://127.0.0.1:9/', '{task.created,task.updated}', $2) returning id
     ) insert into private.webhook_secrets (webhook_id, sealed) select id, $3 from hook`,
    [project, publicKey, sealed],
  );
  other = new pg.Client(connectionOptions(database.adminUrl));
  await other.connect();
  await other.query('begin');
});
afterEach(() => other.end());

test('a change that was left to a node that is killed is queued by one that watched it', async () => {
  const thread = openOutboxThread(app.services);
  const task = await add('first');
  await other.query("update public.tasks set title = 'left' where id = $1", [task]);
  await awake(50);
  const watching = thread.work('queue');
  await expect.poll(queued).toEqual(['first']);
  await other.query('commit');
  // As the one that is gone would have said a moment before.
  await awake(1);
  await watching;
  expect(await queued()).toEqual(['first', 'left']);
  await thread.end();
});

test('a change that a lost connection left behind is queued by the next run, which follows at once', async () => {
  await awake(0);
  await other.query('lock table private.event_consumers in access exclusive mode');
  const outbox = await startOutbox(app.services);
  await expect
    .poll(async () => {
      // In a transaction it stays as it was first seen.
      await other.query('select pg_stat_clear_snapshot()');
      const { rowCount } = await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%read_webhook_events%'`,
      );
      return rowCount;
    })
    .toBe(1);
  await other.query('commit');
  await add('later');
  await expect.poll(queued).toEqual(['later']);
  expect(messages()).toContain('events could not be queued; they are soon again');
  expect(messages()).not.toContain('a background job failed; it runs again');
  await outbox.stop();
});
