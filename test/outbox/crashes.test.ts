// kill -9 at every step of queueing and sending: each event is queued once, and reaches the receiver at least once, with the same webhook-id each time
// and after what happened to its task before.

import { fork } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTypeScript } from '../../scripts/run-ts.mjs';
import { drawKeys, webhookKeyOf } from '../../server/outbox/webhooks/sign-webhook.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addTask, makeProject, one } from '../sql/board.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const app = forSuite(() => startApp());

let owner: TestUser;
let project: string;
let columns: readonly string[];
let receiver: Receiver;
let program: string;

beforeAll(async () => {
  program = await buildTypeScript('test/outbox/deliver.ts');
  owner = await app.createUser({ name: 'Olga' });
  const made = await makeProject(app, owner);
  project = made.project;
  columns = [made.columns.todo, made.columns.in_progress];
  receiver = await openReceiver();
  const { publicKey, sealed } = drawKeys(webhookKeyOf(app.services.sessions));
  await app.sql(
    `with hook as (
       insert into public.webhooks (project_id, name, url, events, public_key) values ($1, 'Ours', $2, '{task.created,task.moved}', $3) returning id
     ) insert into private.webhook_secrets (webhook_id, sealed) select id, $4 from hook`,
    [project, receiver.url, publicKey, sealed],
  );
  // It would hide an event that is queued twice.
  await app.sql('alter table public.webhook_deliveries drop constraint webhook_deliveries_once');
});
afterAll(() => receiver.close());

/** True where it came to its end, false where it was killed. */
function deliver(stopAt: number): Promise<boolean> {
  const key = webhookKeyOf(app.services.sessions).toString('hex');
  return new Promise((resolve, reject) => {
    fork(program, [app.ownerUrl, key, String(stopAt)]).on('exit', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve(code === 0);
      else reject(new Error(`the process ended with ${code ?? signal}`));
    });
  });
}

test('a process that is killed at any step loses no event and queues none twice', async () => {
  let kills = 0;
  for (let stopAt = 1; ; stopAt++) {
    const task = await addTask(app, owner, { project_id: project, title: `Task ${stopAt}` });
    for (const column_id of columns) await one(owner.client.rpc('move_task', { task_id: task, column_id }));
    // As if the minute were over for which the one before has claimed what it was sending.
    await app.sql("update public.webhook_deliveries set next_attempt_at = now() where state = 'queued'");
    if (await deliver(stopAt)) break;
    kills++;
  }
  await app.sql("update public.webhook_deliveries set next_attempt_at = now() where state = 'queued'");
  expect(await deliver(0)).toBe(true);

  expect(kills).toBeGreaterThan(15);
  const happened = await app.sql<{ id: string; task_id: string }>(
    "select id, task_id from public.task_activity where project_id = $1 and kind in ('created', 'moved') order by id",
    [project],
  );
  expect(happened).toHaveLength(3 * (kills + 1));
  const queued = await app.sql<{ event_id: string; state: string }>(
    'select event_id, state from public.webhook_deliveries',
  );
  expect(queued.map(({ event_id }) => event_id).toSorted()).toEqual(happened.map(({ id }) => id).toSorted());
  expect(queued.filter(({ state }) => state !== 'delivered')).toEqual([]);
  const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  const firsts = [...new Set(arrived)];
  expect(firsts.toSorted()).toEqual(happened.map(({ id }) => id).toSorted());
  for (const task of new Set(happened.map(({ task_id }) => task_id))) {
    const ids = happened.filter(({ task_id }) => task_id === task).map(({ id }) => id);
    expect(firsts.filter((id) => ids.includes(id))).toEqual(ids);
  }
});
