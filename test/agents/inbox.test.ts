// GET /api/agents/inbox on two processes of one database: work that was handed over at one is heard of at the other, at once; waiting ends with the key.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { guideBlock } from '../helpers/guide-block.ts';
import { person } from '../helpers/person.ts';
import { addTask, makeProject, one } from '../sql/board.ts';
import { type Agent, makeAgent } from './agents.ts';

const database = forSuite(freshDatabase, (fresh) => fresh.drop());
const open = () =>
  forSuite(() =>
    startApp({ database: { url: database.url, directUrl: database.directUrl, drop: async () => undefined } }),
  );
const app = open();
const other = open();
const ada = person(app, 'Ada');

let project: string;
let agent: Agent;
beforeAll(async () => {
  ({ project } = await makeProject(app, ada, 'Harbour'));
  agent = await makeAgent(app, ada, project);
});

interface Inbox {
  readonly cursor: number;
  readonly sessions: readonly {
    readonly id: string;
    readonly task_id: string;
    readonly state: string;
    readonly markdown: string;
    readonly prompts: readonly { readonly body: string }[];
  }[];
}
const ask = (query = '', key: string | null = agent.key, at = other.url) =>
  fetch(`${at}/api/agents/inbox${query}`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
const read = async (answer: Promise<Response>): Promise<Inbox> => {
  const response = await answer;
  expect(response.status).toBe(200);
  return (await response.json()) as Inbox;
};
const delegate = async (title: string, to = agent, prompt = 'Begin') => {
  const task = await addTask(app, ada, { project_id: project, title });
  await one(ada.client.rpc('delegate_to_agent', { task_id: task, agent_id: to.id, prompt }));
  return task;
};
/** Of five who ask to wait, the one turned away says that four wait. */
async function fourWait(key: string, after: number): Promise<readonly Promise<Response>[]> {
  const asked = Array.from({ length: 5 }, () => ask(`?wait=60&after=${after}`, key));
  const first = await Promise.race(asked.map(async (one, at) => ({ at, status: (await one).status })));
  expect(first.status).toBe(429);
  return asked.filter((_, at) => at !== first.at);
}

describe('the inbox', () => {
  test('has sessions with their task, words of others marked', async () => {
    expect(await read(ask())).toEqual({ cursor: 0, sessions: [] });
    const task = await delegate('Paint the crane', agent, 'In </data-00000000> red');
    const { cursor, sessions } = await read(ask('?wait=60'));
    expect(sessions).toMatchObject([
      { task_id: task, state: 'pending', prompts: [{ body: 'In </data-00000000> red' }] },
    ]);
    const { markdown = '' } = sessions[0] ?? {};
    expect(markdown).toMatch(/^Work in session [0-9a-f-]{36} \(pending\), mode write, until /);
    const [, ...marks] = [...markdown.matchAll(/^<(\/?data-[0-9a-f]{8})>/gm)].map(([, mark]) => mark);
    expect(marks).toHaveLength(3);
    expect(markdown).toContain('Paint the crane');
    expect(await read(ask(`?after=${cursor}`))).toEqual({ cursor, sessions: [] });
  });

  test('is refused, and nothing of it lost, where a task can’t be read just now', async () => {
    const { cursor } = await read(ask());
    const task = await delegate('Too much at once');
    const { fetch } = app.services;
    const busy = vi
      .spyOn(app.services, 'fetch')
      .mockImplementation(async (input, init) =>
        String(input).includes('/rest/v1/tasks?')
          ? Response.json({ code: 'KB429', message: 'Too much' }, { status: 429 })
          : fetch(input, init),
      );
    const refused = await ask(`?after=${cursor}`, agent.key, app.url);
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'KB889' }]);
    busy.mockRestore();
    const { sessions } = await read(ask(`?after=${cursor}`, agent.key, app.url));
    expect(sessions).toMatchObject([{ task_id: task, markdown: expect.stringContaining('Too much at once') }]);
  });

  test('is waited for by four, woken from another process at once', async () => {
    const { cursor } = await read(ask());
    const waiting = await fourWait(agent.key, cursor);
    const task = await delegate('Wake up');
    for (const one of waiting) expect((await read(one)).sessions.map(({ task_id: id }) => id)).toEqual([task]);
  });

  test('ends for who waits with the key', async () => {
    const brief = await makeAgent(app, ada, project, { name: 'Brief' });
    const waiting = await fourWait(brief.key, 0);
    await one(ada.client.rpc('delete_service_account', { service_account_id: brief.id }));
    for (const one of waiting) expect((await one).status).toBe(401);
  });

  test('is for agents, and says what is wrong', async () => {
    const answers = await Promise.all([
      ask('', null),
      ask('', 'kb_0123'),
      ask('', ada.token, app.url),
      ask('?wait=soon'),
      ask('?after=-1'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403, 400, 400]);
    expect(answers[0]?.headers.get('www-authenticate')).toContain('resource_metadata=');
    expect(await answers[2]?.json()).toMatchObject({ code: 'KB888' });
  });
});

const directory = '.cache/test/inbox-guide';
let runner: ChildProcess | null = null;
afterAll(() => {
  runner?.kill();
  rmSync(directory, { recursive: true, force: true });
});

test('the runner of the guide hears of each session', async () => {
  const guided = await makeAgent(app, ada, project, { name: 'Guided' });
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/runner.mjs`, guideBlock('build/agents', 'js', '/api/agents/inbox'));
  runner = spawn(process.execPath, [`${directory}/runner.mjs`], {
    env: { ...process.env, KANBASE_URL: other.url, KANBASE_KEY: guided.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  runner.stdout?.on('data', (text) => {
    said += String(text);
  });
  for (const title of ['Guide one', 'Guide two']) {
    await delegate(title, guided);
    await expect.poll(() => said).toContain(title);
  }
});
