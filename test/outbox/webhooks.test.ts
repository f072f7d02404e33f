// Webhooks from the change to the receiver: signatures as the library of Standard Webhooks verifies them, retries, Retry-After and 410, secrets that
// are replaced, filters and shapes, tests and redelivery, and receivers that don't answer.

import { createPublicKey, verify as verifySignature } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { makeOperator } from '../admin/operator.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, makeProject, one } from '../sql/board.ts';
import { openReceiver, type Received, type Receiver } from './receiver.ts';

const app = forSuite(() => startApp({ settings: { WEBHOOKS_ALLOWED_NETWORKS: 'loopback', DB_POOL_SIZE: '8' } }));

let owner: TestUser;
let editor: TestUser;
let project: string;
let columns: Record<'backlog' | 'todo' | 'in_progress' | 'done', string>;
let receiver: Receiver;
let outbox: { stop(): Promise<void> };

interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly public_key: string;
}

async function post(path: string, body: unknown, token?: string) {
  const response = await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  });
  return { status: response.status, body: await response.json() };
}

async function addHook(more: Record<string, unknown> = {}, by = owner): Promise<Hook> {
  const { status, body } = await post(
    '/api/webhooks',
    {
      project_id: project,
      name: 'Ours',
      url: `${receiver.url}/in`,
      events: ['task.created', 'task.moved', 'task.deleted'],
      ...more,
    },
    by.token,
  );
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** As long as anybody reads. */
function pour(response: ServerResponse): void {
  const more = (): void => {
    while (!response.closed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

/** As if the time had come: what waits is due. */
async function now(): Promise<void> {
  await app.sql('delete from private.webhook_states');
  await app.sql(
    "update public.webhook_deliveries set next_attempt_at = now() where state = 'queued' and attempted_at is not null",
  );
  await app.sql("select pg_notify('kanbase_webhooks', '')");
}

const deliveries = (hook: Hook) =>
  one(owner.client.from('webhook_deliveries').select().eq('webhook_id', hook.id).order('place'));

/** Once a delivery is as it should be. */
const settled = (hook: Hook, look: (rows: Awaited<ReturnType<typeof deliveries>>) => boolean) =>
  expect
    .poll(async () => {
      const rows = await deliveries(hook);
      return look(rows) ? 'settled' : rows;
    })
    .toBe('settled');

/** Emails about webhooks of this owner that were turned off. */
const mailed = () =>
  app.sql("select recipient, data from private.outbox where kind = 'webhook_off' and recipient = $1", [owner.email]);

beforeAll(async () => {
  outbox = await startOutbox(app.services);
});
afterAll(() => outbox.stop());

beforeEach(async () => {
  await receiver?.close();
  receiver = await openReceiver();
  owner = await app.createUser({ name: 'Olga Owner' });
  editor = await app.createUser({ name: 'Edda Editor' });
  ({ project, columns } = await makeProject(app, owner));
  await addMember(app, project, editor, 'editor');
});
afterAll(() => receiver.close());

describe('a change reaches its receiver', () => {
  it('signed as the library of Standard Webhooks verifies, and by a public key', async () => {
    const hook = await addHook();
    const task = await addTask(app, editor, { project_id: project, title: 'Draft the page' });
    const [sent] = (await receiver.until(1)) as [Received];
    const payload = new Webhook(hook.secret).verify(sent.body, sent.headers as Record<string, string>);
    expect(payload).toMatchObject({
      type: 'task.created',
      data: {
        project: { id: project, name: 'Web site' },
        actor: { id: editor.id, display_name: 'Edda Editor' },
        task: {
          id: task,
          title: 'Draft the page',
          number: 1,
          column: 'Backlog',
          url: `${app.url}/app/projects/${project}/board/1`,
        },
      },
    });
    expect(sent.json.data.task).not.toHaveProperty('audience_id');
    expect(() => new Webhook(hook.secret).verify(`${sent.body} `, sent.headers as Record<string, string>)).toThrow();

    const key = Buffer.from(hook.public_key.replace('whpk_', ''), 'base64');
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
      format: 'jwk',
    });
    const signature = /v1a,(\S+)/.exec(String(sent.headers['webhook-signature']))?.[1] ?? '';
    const content = `${sent.headers['webhook-id']}.${sent.headers['webhook-timestamp']}.${sent.body}`;
    expect(verifySignature(null, Buffer.from(content), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    await settled(hook, ([row]) => row?.state === 'delivered' && row.status === 204 && row.attempts === 1);
  });

  it('only for chosen events, tasks of its filter, and restricted tasks where it says so', async () => {
    const all = await addHook({ includes_restricted: true, name: 'All' });
    const urgent = await addHook({
      name: 'Urgent',
      url: `${receiver.url}/urgent`,
      filter: { all: [{ property: 'priority', is: 'any_of', value: ['p0'] }] },
    });
    const plain = await addTask(app, editor, { project_id: project, title: 'Plain' });
    const first = await addTask(app, editor, { project_id: project, title: 'First', priority: 'p0' });
    await one(editor.client.from('tasks').update({ title: 'Renamed' }).eq('id', first).select());
    await owner.client.from('tasks').update({ is_restricted: true }).eq('id', plain);
    await one(owner.client.rpc('move_task', { task_id: plain, column_id: columns.todo }));
    // Filters are asked of tasks that are there.
    await settled(urgent, (rows) => rows.length === 1);
    await one(editor.client.from('tasks').delete().eq('id', first).select());
    await settled(all, (rows) => rows.length === 4);
    await settled(urgent, (rows) => rows.length === 2);
    expect((await deliveries(all)).map(({ event, task_id }) => [event, task_id])).toEqual([
      ['task.created', plain],
      ['task.created', first],
      ['task.moved', plain],
      ['task.deleted', first],
    ]);
    expect((await deliveries(urgent)).map(({ event, task_id }) => [event, task_id])).toEqual([
      ['task.created', first],
      ['task.deleted', first],
    ]);
  });

  it('never for what was rolled back, nor for another project', async () => {
    const hook = await addHook();
    const claims = JSON.stringify({ sub: editor.id, role: 'authenticated' });
    const undone = app.database.transactAs({ role: 'authenticated', claims }, async (tx) => {
      await tx.run({
        text: 'insert into public.tasks (project_id, title) values ($1, $2)',
        values: [project, 'Undone'],
      });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    const other = await makeProject(app, owner, 'Other');
    await addTask(app, owner, { project_id: other.project, title: 'Elsewhere' });
    await addTask(app, editor, { project_id: project, title: 'Real' });
    const [sent] = (await receiver.until(1)) as [Received];
    expect(sent.json.data.task?.title).toBe('Real');
    await settled(hook, (rows) => rows.length === 1 && rows[0]?.state === 'delivered');
    expect(await app.sql('select 1 from private.events where project_id = $1', [other.project])).toEqual([]);
  });

  it('of a task in the order of its changes, also when the first has to wait', async () => {
    const hook = await addHook();
    let refuse = true;
    receiver.answer = (_one, response) => void response.writeHead(refuse ? 400 : 204).end();
    const task = await addTask(app, editor, { project_id: project, title: 'One' });
    await receiver.until(1);
    for (const column of [columns.todo, columns.in_progress])
      await one(editor.client.rpc('move_task', { task_id: task, column_id: column }));
    await addTask(app, editor, { project_id: project, title: 'Two' });
    await receiver.until(2);
    await settled(hook, (rows) => rows.length === 4 && rows[1]?.attempts === 0 && rows[3]?.status === 400);
    refuse = false;
    await now();
    await receiver.until(6);
    await settled(hook, (rows) => rows.every(({ state }) => state === 'delivered'));
    const titles = receiver.received.slice(2).filter(({ json }) => json.data.task?.id === task);
    expect(titles.map(({ json }) => json.type)).toEqual(['task.created', 'task.moved', 'task.moved']);
    expect(titles.map(({ json }) => json.data.task?.column_id)).toEqual([
      columns.backlog,
      columns.todo,
      columns.in_progress,
    ]);
  });
});

describe('a filter', () => {
  it('is asked of a task as it was, where the task was deleted or moved away before its events were read', async () => {
    const { project: other } = await makeProject(app, owner);
    const filter = { all: [{ property: 'title', is: 'contains', value: 'short' }] };
    const hook = await addHook({ filter, events: ['task.created', 'task.updated', 'task.deleted', 'task.moved_out'] });
    await outbox.stop();
    const [short, long, away] = await Promise.all(
      ['A short one', 'A long one', 'Short of time'].map((title) =>
        addTask(app, owner, { project_id: project, title }),
      ),
    );
    await one(owner.client.from('tasks').update({ title: 'Renamed' }).eq('id', short).select());
    await one(owner.client.from('tasks').delete().in('id', [short, long]).select());
    await one(owner.client.rpc('move_tasks_to_project', { task_ids: [away], project_id: other }));
    outbox = await startOutbox(app.services);
    await settled(hook, (rows) => rows.length > 0 && rows.every(({ state }) => state === 'delivered'));
    const told = (await deliveries(hook)).map(({ event, task_id: task }) => ({ event, task }));
    expect(told.filter(({ task }) => task === short).map(({ event }) => event)).toEqual([
      'task.created',
      'task.deleted',
    ]);
    expect(told.filter(({ task }) => task === away).map(({ event }) => event)).toEqual([
      'task.created',
      'task.moved_out',
    ]);
    expect(told).toHaveLength(4);
  });

  it('reads nothing of the project that a task was moved to', async () => {
    const { project: other } = await makeProject(app, owner);
    const filter = { all: [{ property: 'assignee', is: 'is', value: owner.id }] };
    const hook = await addHook({ name: 'Mine', filter, events: ['task.created', 'task.updated'] });
    await outbox.stop();
    const task = await addTask(app, owner, { project_id: project, title: 'Going away' });
    await one(owner.client.rpc('move_tasks_to_project', { task_ids: [task], project_id: other }));
    await one(owner.client.from('task_assignees').insert({ task_id: task, user_id: owner.id }).select());
    const mine = await addTask(app, owner, { project_id: project, title: 'Staying' });
    await one(owner.client.from('task_assignees').insert({ task_id: mine, user_id: owner.id }).select());
    outbox = await startOutbox(app.services);
    await settled(hook, (rows) => rows.length > 0 && rows.every(({ state }) => state === 'delivered'));
    expect((await deliveries(hook)).map(({ task_id: id }) => id)).toEqual([mine]);
  });

  const stateOf = ({ id }: Hook) =>
    one(owner.client.from('webhooks').select('is_active, off_because').eq('id', id).single());
  const off = (off_because: string) => ({ is_active: false, off_because });

  it('that the data door refuses turns its webhook off, and holds up no other', async () => {
    const broken = await addHook({ name: 'Broken' });
    const late = { all: [{ property: 'created_at', is: 'after', value: '9999-12-31' }] };
    await app.sql('update public.webhooks set filter = $2 where id = $1', [broken.id, JSON.stringify(late)]);
    const well = await addHook({ name: 'Well', url: `${receiver.url}/well` });
    await addTask(app, editor, { project_id: project, title: 'Plain' });
    await settled(well, ([row]) => row?.state === 'delivered');
    expect(await stateOf(broken)).toEqual(off('filter'));
    expect(await deliveries(broken)).toEqual([]);
  });

  it('with a number that no task has, or too much to look at, is refused', async () => {
    const conditions = [1.5, 3_000_000_000].map((value) => [{ property: 'number', is: 'is', value }]);
    const labels = Array.from({ length: 31 }, () => ({ property: 'label', is: 'empty' }));
    for (const all of [...conditions, labels]) {
      const asked = { project_id: project, name: 'x', url: receiver.url, events: ['task.created'], filter: { all } };
      expect((await post('/api/webhooks', asked, owner.token)).body.code).toBe('KB872');
    }
  });

  it('by "me" lets nothing through where the maker is gone', async () => {
    const mine = await addHook({ filter: { all: [{ property: 'created_by', is: 'is', value: 'me' }] } });
    await app.sql('update public.webhooks set created_by = null where id = $1', [mine.id]);
    const all = await addHook({ name: 'All', url: `${receiver.url}/all` });
    await addTask(app, owner, { project_id: project, title: 'Mine' });
    await settled(all, ([row]) => row?.state === 'delivered');
    expect(await stateOf(mine)).toEqual({ is_active: true, off_because: null });
    expect(await deliveries(mine)).toEqual([]);
  });
});

describe('a receiver in trouble', () => {
  it('gets the same id again, as late as Retry-After says', async () => {
    const hook = await addHook();
    receiver.answer = (_one, response) => void response.writeHead(503, { 'retry-after': '7200' }).end('busy');
    await addTask(app, editor, { project_id: project, title: 'Once more' });
    await settled(hook, ([row]) => row?.status === 503);
    const [row] = await deliveries(hook);
    expect(row).toMatchObject({ state: 'queued', attempts: 1, response: 'busy', error: 'Answered 503' });
    expect(Date.parse(row.next_attempt_at) - Date.parse(row.updated_at)).toBeGreaterThanOrEqual(7_199_000);
    const [state] = await app.sql<{ seconds: number }>(
      'select extract(epoch from resting_until - now())::int as seconds from private.webhook_states where webhook_id = $1',
      [hook.id],
    );
    expect(state?.seconds).toBeGreaterThan(7000);

    receiver.answer = (_one, response) => void response.writeHead(200).end('ok');
    await now();
    await settled(hook, ([again]) => again?.state === 'delivered');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([row.event_id, row.event_id]);
    expect(await one(owner.client.from('webhooks').select('failing_since').eq('id', hook.id).single())).toEqual({
      failing_since: null,
    });
  });

  it('that answers 410 is turned off, and its owners are told', async () => {
    const hook = await addHook();
    receiver.answer = (_one, response) => void response.writeHead(410).end();
    await addTask(app, editor, { project_id: project, title: 'Gone' });
    await expect
      .poll(async () => one(owner.client.from('webhooks').select('is_active, off_because').eq('id', hook.id).single()))
      .toEqual({ is_active: false, off_because: 'gone' });
    expect(await one(owner.client.from('notifications').select('kind, data').eq('kind', 'webhook_off'))).toMatchObject([
      { data: { excerpt: 'Ours', reason: 'gone' } },
    ]);
    expect(await mailed()).toMatchObject([{ recipient: owner.email, data: { webhook: 'Ours', reason: 'gone' } }]);
    await addTask(app, editor, { project_id: project, title: 'Unheard' });
    expect(await app.sql('select 1 from private.events where project_id = $1', [project])).toEqual([]);
  });

  it('that has failed for a day is turned off; turned on again, owners have all of it sent', async () => {
    const hook = await addHook();
    receiver.answer = (_one, response) => void response.writeHead(500).end();
    await addTask(app, editor, { project_id: project, title: 'Lost' });
    await settled(hook, ([row]) => row?.status === 500);
    await app.sql(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"language": "de"}' where id = $1`,
      [owner.id],
    );
    await app.sql("update public.webhooks set failing_since = now() - interval '25 hours' where id = $1", [hook.id]);
    await now();
    await expect
      .poll(async () => one(owner.client.from('webhooks').select('is_active, off_because').eq('id', hook.id).single()))
      .toEqual({ is_active: false, off_because: 'failing' });
    await settled(hook, ([row]) => row?.state === 'failed');
    expect(await mailed()).toEqual([
      {
        recipient: owner.email,
        data: {
          ...{ language: 'de', webhook: 'Ours', reason: 'failing', project_name: 'Web site' },
          url: `/app/projects/${project}/settings`,
        },
      },
    ]);

    receiver.answer = (_one, response) => void response.writeHead(204).end();
    const again = { webhook_id: hook.id, since: new Date(Date.now() - 3_600_000).toISOString() };
    expect((await owner.client.rpc('redeliver_webhook', again)).error).toMatchObject({ code: 'PT409' });
    await one(owner.client.from('webhooks').update({ is_active: true }).eq('id', hook.id).select());
    expect(await one(owner.client.rpc('redeliver_webhook', again))).toBe(1);
    await settled(hook, ([row]) => row?.state === 'delivered');
  });

  it.each([
    ['never answers', 'queued', () => undefined],
    ['answers drop by drop', 'queued', (response: ServerResponse) => void response.writeHead(200).write('drip')],
    ['never ends its answer', 'delivered', (response: ServerResponse) => pour(response.writeHead(200))],
  ])('that %s delays nobody else', async (_name, end, answer) => {
    const dead = await Promise.all(
      Array.from({ length: 18 }, (_, at) => addHook({ name: `Dead ${at}`, url: `${receiver.url}/dead` })),
    );
    const well = await addHook({ name: 'Well', url: `${receiver.url}/well` });
    let [waiting, most] = [0, 0];
    receiver.answer = (one, response) => {
      if (one.path !== '/dead') return void response.writeHead(204).end();
      most = Math.max(most, ++waiting);
      answer(response);
      response.once('close', () => waiting--);
    };
    for (let at = 0; at < 30; at++) await addTask(app, editor, { project_id: project, title: `Task ${at}` });
    await settled(well, (rows) => rows.length === 30 && rows.every(({ state }) => state === 'delivered'));
    // No more than the project's share is under way at once, and none is given up. The end of an answer is not waited for.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(128);
    expect((await deliveries(dead[0] as Hook)).filter(({ state }) => !['queued', end].includes(state))).toEqual([]);
    for (const hook of dead)
      await one(owner.client.from('webhooks').update({ is_active: false }).eq('id', hook.id).select());
  });

  it('at an address that is not of the internet gets nothing, nor what it redirects to', async () => {
    const inward = await addHook({ url: 'http://169.254.169.254/latest/meta-data' });
    const moved = await addHook({ url: `${receiver.url}/moved` });
    receiver.answer = (_one, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    await addTask(app, editor, { project_id: project, title: 'Inward' });
    await settled(
      inward,
      ([row]) => /not an address of the public internet/.test(row?.error ?? '') && row?.status === null,
    );
    await settled(moved, ([row]) => row?.status === 302 && /redirect/.test(row.error ?? ''));
  });
});

describe('owners', () => {
  it('replace a secret: for a day both sign', async () => {
    const hook = await addHook();
    const { status, body: rotated } = await post(`/api/webhooks/${hook.id}/secret`, {}, owner.token);
    expect(status).toBe(200);
    expect(rotated.secret).not.toBe(hook.secret);
    await addTask(app, editor, { project_id: project, title: 'Twice signed' });
    const [sent] = (await receiver.until(1)) as [Received];
    const headers = sent.headers as Record<string, string>;
    for (const secret of [hook.secret, rotated.secret])
      expect(new Webhook(secret).verify(sent.body, headers)).toBeTruthy();
    await app.sql("update private.webhook_secrets set former_until = now() - interval '1 s' where webhook_id = $1", [
      hook.id,
    ]);
    await addTask(app, editor, { project_id: project, title: 'Once signed' });
    const [, later] = (await receiver.until(2)) as [Received, Received];
    expect(() => new Webhook(hook.secret).verify(later.body, later.headers as Record<string, string>)).toThrow();
    new Webhook(rotated.secret).verify(later.body, later.headers as Record<string, string>);
  });

  it('send tests, also while it is off, and look at what was said', async () => {
    const hook = await addHook();
    await one(owner.client.from('webhooks').update({ is_active: false }).eq('id', hook.id).select());
    receiver.answer = (_one, response) => void response.writeHead(404).end('nothing here');
    const { id } = await one(owner.client.rpc('test_webhook', { webhook_id: hook.id }));
    await settled(hook, ([row]) => row?.state === 'failed');
    expect(await deliveries(hook)).toMatchObject([
      { id, event: 'webhook.test', status: 404, response: 'nothing here', attempts: 1 },
    ]);
    expect(await one(owner.client.rpc('webhook_payload', { delivery_id: id }))).toMatchObject({
      type: 'webhook.test',
      data: { webhook: { id: hook.id, name: 'Ours' } },
    });
  });

  it('send one delivery again, with its id', async () => {
    const hook = await addHook();
    await addTask(app, editor, { project_id: project, title: 'Again' });
    await settled(hook, ([row]) => row?.state === 'delivered');
    const [row] = await deliveries(hook);
    expect(await one(owner.client.rpc('redeliver_webhook', { webhook_id: hook.id, delivery_id: row.id }))).toBe(1);
    const [first, second] = (await receiver.until(2)) as [Received, Received];
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
  });

  it('alone see and manage them; secrets nobody reads', async () => {
    const hook = await addHook();
    const outsider = await app.createUser({ name: 'Otto' });
    const asked = { project_id: project, name: 'Mine', url: 'https://example.com/', events: ['task.created'] };
    expect((await post('/api/webhooks', asked, editor.token)).status).toBe(403);
    expect((await post('/api/webhooks', asked, outsider.token)).status).toBe(404);
    expect((await post('/api/webhooks', asked)).status).toBe(401);
    for (const user of [editor, outsider]) {
      expect(await one(user.client.from('webhooks').select())).toEqual([]);
      expect(await one(user.client.from('webhook_deliveries').select())).toEqual([]);
      expect((await post(`/api/webhooks/${hook.id}/secret`, {}, user.token)).status).toBe(404);
      expect((await user.client.rpc('test_webhook', { webhook_id: hook.id })).error?.code).toBe('PT404');
    }
    const shown = JSON.stringify(await one(owner.client.from('webhooks').select()));
    expect(shown).not.toContain('whsec_');
    expect(shown).not.toContain('sealed');
    const kept = JSON.stringify(await app.sql('select * from private.webhook_secrets'));
    expect(kept).not.toContain(hook.secret.replace('whsec_', ''));
  });

  it('have one turned off by an operator, who sees hosts and no addresses', async () => {
    const hook = await addHook({ url: 'https://hooks.example.com/services/of-ours' });
    const operator = await makeOperator(app, 'Opal');
    const all = await operator.ask('GET', '/webhooks');
    expect(all.body.webhooks).toContainEqual(
      expect.objectContaining({ id: hook.id, host: 'hooks.example.com', project: 'Web site', is_active: true }),
    );
    expect(JSON.stringify(all.body)).not.toContain('of-ours');
    expect((await app.call('GET', '/api/admin/webhooks', undefined, owner.token)).status).toBe(401);
    expect((await operator.ask('POST', `/webhooks/${hook.id}/off`, {})).status).toBe(200);
    expect(
      await one(owner.client.from('webhooks').select('is_active, off_because').eq('id', hook.id).single()),
    ).toEqual({
      is_active: false,
      off_because: 'operator',
    });
    const log = await one(
      owner.client.from('access_log').select('subject, change').eq('project_id', project).order('id'),
    );
    expect(
      log.filter(({ subject }) => (subject as { kind: string }).kind === 'webhook').map(({ change }) => change),
    ).toEqual([{ host: { from: null, to: 'hooks.example.com' } }, { host: { from: 'hooks.example.com', to: null } }]);
  });

  it('can’t turn on nor test one that an operator turned off', async () => {
    const hook = await addHook();
    const operator = await makeOperator(app, 'Olaf');
    await operator.ask('POST', `/webhooks/${hook.id}/off`, {});
    const on = await owner.client.from('webhooks').update({ is_active: true }).eq('id', hook.id).select();
    expect(on.error).toMatchObject({ code: '42501' });
    expect((await owner.client.rpc('test_webhook', { webhook_id: hook.id })).error).toMatchObject({ code: '42501' });
    await app.sql('update public.webhooks set is_active = true where id = $1', [hook.id]);
    await one(owner.client.rpc('test_webhook', { webhook_id: hook.id }));
  });

  it('makers who leave or are demoted have theirs turned off; one who turns one on answers for it', async () => {
    const second = await app.createUser({ name: 'Otis Owner' });
    await addMember(app, project, second, 'owner');
    const hook = await addHook({}, second);
    const kept = await addHook({ name: 'Kept' });
    const stateOf = () =>
      one(owner.client.from('webhooks').select('is_active, off_because, created_by').eq('id', hook.id).single());
    const off = { is_active: false, off_because: 'maker' };
    const membership = { project_id: project, user_id: second.id };
    await one(owner.client.from('project_members').update({ role: 'editor' }).match(membership).select());
    expect(await stateOf()).toEqual({ ...off, created_by: second.id });
    expect(await one(owner.client.from('notifications').select('data').eq('kind', 'webhook_off'))).toMatchObject([
      { data: { excerpt: 'Ours', reason: 'maker' } },
    ]);
    await one(owner.client.from('webhooks').update({ is_active: true }).eq('id', hook.id).select());
    expect(await stateOf()).toEqual({ is_active: true, off_because: null, created_by: owner.id });

    await one(owner.client.from('project_members').update({ role: 'owner' }).match(membership).select());
    for (const is_active of [false, true])
      await one(second.client.from('webhooks').update({ is_active }).eq('id', hook.id).select());
    await app.sql('delete from auth.users where id = $1', [second.id]);
    expect(await stateOf()).toEqual({ ...off, created_by: null });
    expect(await one(owner.client.from('webhooks').select('is_active').eq('id', kept.id).single())).toEqual({
      is_active: true,
    });
  });

  it('find in the access log what of a webhook changed, and no address', async () => {
    const hook = await addHook({ url: 'https://hooks.example.com/services/of-ours' });
    const change = { url: 'https://hooks.example.com/services/of-theirs', includes_restricted: true, name: 'Renamed' };
    await one(owner.client.from('webhooks').update(change).eq('id', hook.id).select());
    await one(owner.client.from('webhooks').update({ name: 'Again' }).eq('id', hook.id).select());
    const filter = { all: [{ property: 'title', is: 'contains', value: 'of-theirs' }] };
    await one(
      owner.client
        .from('webhooks')
        .update({ events: ['task.moved'], filter })
        .eq('id', hook.id)
        .select(),
    );
    const lines = await one(
      owner.client.from('access_log').select('subject, change').eq('project_id', project).order('id'),
    );
    const changes = lines.flatMap(({ subject, change: of }) =>
      (subject as { id: string }).id === hook.id ? [of] : [],
    );
    expect(changes.slice(1)).toEqual([
      { address: { from: null, to: 'changed' }, includes_restricted: { from: false, to: true } },
      {
        filter: { from: null, to: 'changed' },
        events: { from: ['task.created', 'task.moved', 'task.deleted'], to: ['task.moved'] },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('of-theirs');
  });

  it('have all sent again twenty times an hour at most', async () => {
    const hook = await addHook();
    const again = { webhook_id: hook.id, since: new Date(Date.now() - 1000).toISOString() };
    for (let at = 0; at < 20; at++) expect(await one(owner.client.rpc('redeliver_webhook', again))).toBe(0);
    expect((await owner.client.rpc('redeliver_webhook', again)).error).toMatchObject({ code: 'PT429' });
  });

  it('are told which field does not fit', async () => {
    const said = async (wrong: Record<string, unknown>) => {
      const asked = { project_id: project, name: 'x', url: 'https://example.com/', events: ['task.created'], ...wrong };
      const { status, body } = await post('/api/webhooks', asked, owner.token);
      return `${status} ${body.code}`;
    };
    for (const wrong of [
      { url: 'ftp://example.com/' },
      { url: 'https://me:secret@example.com/' },
      { url: 'https://exa mple.com/' },
      { events: [] },
      { events: ['task.exploded'] },
      { filter: { all: [{ property: 'nothing', is: 'is', value: 1 }] } },
      { shape: 'xml' },
      { name: ' ' },
    ])
      expect(await said(wrong), JSON.stringify(wrong)).toBe('400 KB872');
  });
});
