// Calls that are cancelled: the statement that runs for them in Postgres ends, while what it waits for is still held.

import { Client as Held } from 'pg';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject, one } from '../sql/board.ts';
import { connectAgent, type Revision } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');

const waiting = async (): Promise<number> =>
  (await app.sql("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
    .length;

async function board(name: string) {
  const { project } = await makeProject(app, ada, name);
  const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
  const [task] = (await one(
    ada.client.from('tasks').insert({ project_id: project, title: 'Draft' }).select('id, version'),
  )) as { id: string; version: number }[];
  return { task: `${key}-1`, id: task?.id ?? '', version: task?.version ?? 0 };
}

/** While another transaction holds the task. */
async function held(id: string, work: () => Promise<void>): Promise<void> {
  const holder = new Held(app.ownerUrl);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from public.tasks where id = $1 for update', [id]);
    await work();
    await holder.query('commit');
  } finally {
    await holder.end();
  }
}

const revisions: readonly Revision[] = ['2026-07-28', '2025-11-25'];
const calls = ({ task, version }: Awaited<ReturnType<typeof board>>) => ({
  update_tasks: { updates: [{ task, version, title: 'Changed' }] },
  explain: { task, about: 'change', change: { title: 'Changed' } },
});

describe.each(revisions)('%s', (revision) => {
  test.each(['update_tasks', 'explain'] as const)('a client that cancels %s ends its statement', async (tool) => {
    const row = await board(`Cancelled ${revision} ${tool}`);
    const agent = await connectAgent(app, ada.token, revision);
    const cancel = new AbortController();
    await held(row.id, async () => {
      const call = agent.client.callTool({ name: tool, arguments: calls(row)[tool] }, { signal: cancel.signal });
      call.catch(() => undefined);
      await expect.poll(waiting).toBe(1);
      cancel.abort(new Error('no more'));
      await expect(call).rejects.toThrow();
      await expect.poll(waiting).toBe(0);
    });
    expect((await agent.use('get_task', { task: row.task })).text).toContain('Draft');
    await agent.close();
  });
});

const message = (id: number, method: string, params: object, notification = false) =>
  JSON.stringify({ jsonrpc: '2.0', ...(notification ? {} : { id }), method, params });

/** As clients of revision 2025-11-25 send it. */
async function begin(): Promise<(body: string, signal?: AbortSignal) => Promise<Response>> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${ada.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const send = (body: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${app.url}/mcp`, { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
  const begun = await send(
    message(0, 'initialize', {
      ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
    }),
  );
  await begun.text();
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id') ?? '';
  return send;
}

test('notifications/cancelled ends a call that is under way on another connection, which is not answered', async () => {
  const row = await board('Told');
  const send = await begin();
  await held(row.id, async () => {
    const call = send(message(7, 'tools/call', { name: 'update_tasks', arguments: calls(row).update_tasks }));
    await expect.poll(waiting).toBe(1);
    expect((await send(message(0, 'notifications/cancelled', { requestId: 8 }, true))).status).toBe(202);
    expect(await waiting()).toBe(1);
    expect((await send(message(0, 'notifications/cancelled', { requestId: 7 }, true))).status).toBe(202);
    expect(await (await call).text()).not.toContain('result');
    await expect.poll(waiting).toBe(0);
  });
});

test('a closed connection ends a call', async () => {
  const row = await board('Closed');
  const send = await begin();
  const gone = new AbortController();
  await held(row.id, async () => {
    const call = send(
      message(7, 'tools/call', { name: 'update_tasks', arguments: calls(row).update_tasks }),
      gone.signal,
    );
    call.then((answer) => answer.text()).catch(() => undefined);
    await expect.poll(waiting).toBe(1);
    gone.abort();
    await expect.poll(waiting).toBe(0);
  });
});
