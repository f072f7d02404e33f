// Rights at /mcp: those of the caller, narrowed by their token, and nothing of projects that they don't see.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openPrograms } from '../identity/oauth/program.ts';
import { type Board, makeBoard, makeProject, one } from '../sql/board.ts';
import { type Agent, connectAgent, type Told, tasksIn } from './agent.ts';

const app = forSuite(() => startApp());
let board: Board;
let other: string;
let key: string;

beforeAll(async () => {
  board = await makeBoard(app);
  other = (await makeProject(app, board.people.outsider, 'Elsewhere')).project;
  await one(board.people.outsider.client.from('tasks').insert({ project_id: other, title: 'Private plan' }).select());
  const [row] = (await one(board.people.owner.client.from('projects').select('key').eq('id', board.project))) as {
    key: string;
  }[];
  key = row?.key ?? '';
});

async function as<T>(token: string, work: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = await connectAgent(app, token);
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}
const keyOf = async (scope: string, more: Record<string, unknown> = {}): Promise<string> =>
  ((await one(board.people.editor.client.rpc('create_api_key', { name: scope, scope, ...more }))) as { token: string })
    .token;
const taskIn = async (projectId: string): Promise<{ id: string; number: number }> => {
  const [row] = await app.sql<{ id: string; number: number }>(
    'select id, number from public.tasks where project_id = $1 order by number limit 1',
    [projectId],
  );
  return row as { id: string; number: number };
};
const create = (agent: Agent): Promise<Told> => agent.use('create_tasks', { project: key, tasks: [{ title: 'New' }] });

describe('scopes of keys', () => {
  test('a key that reads finds and reads, and its refusals name the scope', async () => {
    await as(await keyOf('read'), async (agent) => {
      expect((await agent.use('find_tasks', { project: key })).isError).toBe(false);
      const { number } = await taskIn(board.project);
      for (const [tool, args] of [
        ['create_tasks', { project: key, tasks: [{ title: 'New' }] }],
        ['update_tasks', { updates: [{ task: `${key}-${number}`, version: 1, title: 'New' }] }],
        ['link', { task: `${key}-${number}`, is: 'blocks', other: `${key}-${number}` }],
        ['attach', { task: `${key}-${number}`, name: 'a.md', text: 'a' }],
      ] as const)
        expect(await agent.use(tool, args)).toMatchObject({
          isError: true,
          text: expect.stringContaining('needs the scope write'),
        });
      expect((await agent.use('comment', { task: `${key}-${number}`, body: 'Hi' })).text).toContain(
        'needs the scope comment',
      );
    });
  });

  test('a key that comments comments, and changes nothing', async () => {
    await as(await keyOf('comment'), async (agent) => {
      const { number } = await taskIn(board.project);
      expect((await agent.use('comment', { task: `${key}-${number}`, body: 'Hi' })).isError).toBe(false);
      expect((await create(agent)).text).toContain('needs the scope write');
    });
  });

  test('a key of some projects sees no others', async () => {
    const own = (await makeProject(app, board.people.editor, 'Own')).project;
    await as(await keyOf('write', { project_ids: [own] }), async (agent) => {
      expect((await agent.use('find_tasks', { project: key })).text).toContain('There is no project');
      expect((await agent.use('get_task', { task: (await taskIn(board.project)).id })).text).toContain(
        'There is no task',
      );
    });
  });
});

describe('people', () => {
  test('a viewer reads, and is refused by their role', async () => {
    await as(board.people.viewer.token, async (agent) => {
      expect(tasksIn(await agent.use('find_tasks', { project: key }))).not.toEqual([]);
      expect((await create(agent)).isError).toBe(true);
    });
  });

  test('a guest sees the tasks that are shared with them, and no others', async () => {
    await as(board.people.guest.token, async (agent) => {
      const found = await agent.use('find_tasks');
      expect(found.text).toContain('Show the page');
      const shared = await one(board.people.guest.client.from('tasks').select('id'));
      expect(tasksIn(found)).toHaveLength(shared.length);
      expect((await agent.use('get_task', { task: (await taskIn(board.project)).id })).text).toContain(
        'There is no task',
      );
    });
  });

  test('ids and addresses of another project answer as if there were none', async () => {
    const { id } = await taskIn(other);
    await as(board.people.editor.token, async (agent) => {
      const refused = [
        await agent.use('get_task', { task: id }),
        await agent.use('comment', { task: id, body: 'Hi' }),
        await agent.use('update_tasks', { updates: [{ task: id, version: 1, title: 'Mine' }] }),
        await agent.use('explain', { task: id, about: 'who' }),
        await agent.use('attach', { task: id, name: 'a.md', text: 'a' }),
        await agent.use('create_tasks', { project: other, tasks: [{ title: 'New' }] }),
        await agent.use('create_tasks', { project: key, tasks: [{ title: 'New', parent: id }] }),
        await agent.use('find_tasks', { project: other }),
      ];
      for (const told of refused) {
        expect(told.isError).toBe(true);
        expect(told.text).toMatch(/^There is no (task|project)/);
        expect(told.text).not.toContain('Private plan');
      }
      await expect(agent.client.readResource({ uri: `kanbase://task/${id}` })).rejects.toThrow(/not found/i);
      await expect(agent.client.readResource({ uri: 'kanbase://project/NONE' })).rejects.toThrow(/not found/i);
    });
  });

  test('a service account works as itself', async () => {
    const { client } = board.people.owner;
    const account = (await one(
      client.rpc('create_service_account', { name: 'Release bot', project_id: board.project }),
    )) as { id: string };
    await one(
      client
        .from('project_members')
        .upsert({ project_id: board.project, user_id: account.id, role: 'editor' })
        .select(),
    );
    const made = (await one(
      client.rpc('create_service_account_key', { service_account_id: account.id, name: 'CI', scope: 'write' }),
    )) as { token: string };
    await as(made.token, async (agent) => {
      const { text } = await agent.use('whoami');
      expect(text).toMatch(/^You act as a service account\. Scope: .*write\.\n<data-/);
      expect(text).toContain('Name: Release bot');
      const { created } = (await create(agent)).structured;
      const [row] = await app.sql<{ created_by: string }>(
        'select created_by from public.tasks where project_id = $1 order by number desc limit 1',
        [board.project],
      );
      expect(created).toHaveLength(1);
      expect(row?.created_by).toBe(account.id);
    });
  });
});

const post = (
  headers: Record<string, string>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
): Promise<Response> =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('the door', () => {
  test('without a token, the way to one', async () => {
    const answer = await post({});
    expect(answer.status).toBe(401);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    const [, metadata = ''] = /^Bearer resource_metadata="([^"]+)", scope="write"$/.exec(challenge) ?? [];
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: `${app.url}/mcp`,
      authorization_servers: [`${app.url}/auth/v1`],
      scopes_supported: ['read', 'comment', 'write'],
    });
  });

  test('keys that are of nobody, and tokens that are none, open nothing', async () => {
    for (const token of [app.anonKey, app.serviceKey, 'nonsense', `${board.people.editor.token}x`]) {
      const answer = await post(bearer(token));
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('pages of other origins are refused', async () => {
    const { token } = board.people.editor;
    expect((await post({ ...bearer(token), origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ ...bearer(token), origin: app.url })).status).toBe(200);
  });

  test('without a session there is none to read or to end', async () => {
    const headers = { ...bearer(board.people.editor.token), accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${app.url}/mcp`, { method, headers })).status).toBe(405);
  });

  test('bodies are bounded and single', async () => {
    const { token } = board.people.editor;
    const one = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect((await post(bearer(token), [one, one])).status).toBe(400);
    expect((await (await post(bearer(token), '{"jsonrpc":')).json()).error.code).toBe(-32_700);
    expect((await post(bearer(token), { ...one, params: { filler: 'x'.repeat(2 * 1024 * 1024) } })).status).toBe(413);
    expect((await post(bearer(token), `${'['.repeat(60)}${']'.repeat(60)}`)).status).toBe(400);
  });

  test('arguments that fit nothing are named', async () => {
    await as(board.people.editor.token, async (agent) => {
      expect((await agent.use('find_tasks', { assignee: 'me' })).text).toContain(
        'assignee is no argument; there are project, view',
      );
      expect((await agent.use('find_tasks', { filter: { property: 'colour' } })).isError).toBe(true);
      expect((await agent.use('create_tasks', { project: key, tasks: [{ title: 'A', colunm: 'x' }] })).text).toContain(
        'tasks/0/colunm',
      );
      expect((await agent.use('get_task', {})).text).toContain('task is required');
      expect((await agent.use('find_tasks', { cursor: '50.abcdef' })).text).toContain('cursor');
      await expect(agent.client.callTool({ name: 'drop_table', arguments: {} })).rejects.toThrow('There is no tool');
    });
  });
});

test('a token of an app is good for the resource it names, and asks for a wider scope where it is too narrow', async () => {
  const programs = openPrograms(app);
  const who = await programs.person();
  const client = await programs.register();
  const granted = async (resource: string): Promise<string> => {
    const { body } = await programs.tokensFor(client, who, { scope: 'read', resource });
    return body.access_token;
  };
  const ofMcp = await granted(`${app.url}/mcp`);
  expect((await post(bearer(ofMcp))).status).toBe(200);
  expect((await app.request('/rest/v1/projects', { token: ofMcp })).status).toBe(401);
  expect((await post(bearer(await granted(`${app.url}/rest/v1`)))).status).toBe(401);
  await as(ofMcp, async (agent) => {
    expect((await agent.use('whoami')).structured).toMatchObject({
      markdown: expect.stringMatching(/^You act as a person\.(?:.|\n)*\nName: Ada/),
      scope: expect.stringContaining('read'),
    });
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'comment', arguments: {} } };
  const answer = await post(bearer(ofMcp), call);
  expect(answer.status).toBe(403);
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope", resource_metadata=".*\/mcp", scope="comment"$/,
  );
});
