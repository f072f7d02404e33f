// Work claimed by agents, over HTTP and through `kanbase mcp`: each task once, reported, handed back and finished; writes under a claim that has ended are refused.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { kanbaseCommand, runKanbase } from '../helpers/kanbase.ts';
import { person } from '../helpers/person.ts';
import { addMember, makeProject, one } from '../sql/board.ts';
import { type Agent, connectAgent, openAgent, type Revision } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const bea = person(app, 'Bea');

const keyFor = async (scope = 'write'): Promise<string> =>
  ((await one(ada.client.rpc('create_api_key', { name: 'Agent', scope }))) as { token: string }).token;

async function bridge(revision: Revision): Promise<Agent> {
  const { command, args } = await kanbaseCommand(['mcp']);
  const env = { KANBASE_URL: app.url, KANBASE_KEY: await keyFor(), KANBASE_INSECURE: '1' };
  return openAgent(new StdioClientTransport({ command, args: [...args], env, stderr: 'inherit' }), revision);
}

const ways: readonly (readonly [string, () => Promise<Agent>])[] = [
  ['HTTP, 2026-07-28', async () => connectAgent(app, await keyFor(), '2026-07-28')],
  ['HTTP, 2025-11-25', async () => connectAgent(app, await keyFor(), '2025-11-25')],
  ['kanbase mcp, 2026-07-28', () => bridge('2026-07-28')],
  ['kanbase mcp, 2025-11-25', () => bridge('2025-11-25')],
];

describe.each(ways)('%s', (name, connect) => {
  test('a release is planned, worked off and finished', async () => {
    const { project } = await makeProject(app, ada, `Work ${name}`);
    const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
    const agent = await connect();
    await agent.use('create_tasks', {
      project: key,
      tasks: [{ title: 'Ship', waits_for: ['#2'], priority: 'p0' }, { title: 'Build' }],
    });
    // The more urgent one waits for the other.
    const claim = await agent.use('claim_next_task', { project: key, start: true });
    expect(claim.structured).toMatchObject({
      key: `${key}-2`,
      fence: expect.any(Number),
      markdown: expect.stringContaining('Build'),
    });
    expect((await agent.use('claim_next_task', { project: key })).text).toContain('Nothing is free just now');
    expect((await agent.use('explain', { task: `${key}-1`, about: 'blocked' })).text).toContain(
      `${key}-1 waits for ${key}-2`,
    );
    expect((await agent.use('explain', { task: `${key}-2`, about: 'blocked' })).text).toContain('Claimed by Ada until');
    const { claim: id, fence } = claim.structured as { claim: string; fence: number };
    const reported = await agent.use('report', { claim: id, note: 'Half of it stands.', seconds: 1200 });
    expect(Date.parse(reported.structured.until)).toBeGreaterThan(Date.parse(claim.structured.until));
    const version = Number(/Version: (\d+)/.exec((await agent.use('get_task', { task: `${key}-2` })).text)?.[1]);
    expect(
      (await agent.use('update_tasks', { updates: [{ task: `${key}-2`, version, estimate: 3 }], fence })).isError,
    ).toBe(false);

    await agent.use('finish_or_hand_back', { claim: id, outcome: 'hand_back', note: 'The saw is broken.' });
    for (const late of [
      await agent.use('comment', { task: `${key}-2`, body: 'Too late', fence }),
      await agent.use('report', { claim: id }),
      await agent.use('finish_or_hand_back', { claim: id, outcome: 'done', note: 'Too late' }),
    ])
      expect(late).toMatchObject({
        isError: true,
        text: expect.stringContaining('The claim has ended. It was handed back. Stop working'),
      });

    const again = await agent.use('claim_next_task', { project: key });
    expect(again.structured.fence).toBeGreaterThan(fence);
    const done = await agent.use('finish_or_hand_back', {
      claim: again.structured.claim,
      outcome: 'done',
      note: 'Built.',
    });
    expect(done.structured).toEqual({ key: `${key}-2` });
    const story = await agent.use('get_task', { task: `${key}-2`, sections: ['comments', 'activity'] });
    for (const line of ['Half of it stands.', 'Built.', 'claim_released', 'The saw is broken.'])
      expect(story.text).toContain(line);
    expect(story.text).not.toContain('Too late');
    expect((await agent.use('claim_next_task', { project: key })).structured.key).toBe(`${key}-1`);
    await agent.close();
  });
});

test('two agents get two tasks', async () => {
  const { project } = await makeProject(app, ada, 'Crowd');
  const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
  const agents = await Promise.all(Array.from({ length: 4 }, async () => connectAgent(app, await keyFor())));
  await agents[0]?.use('create_tasks', {
    project: key,
    tasks: Array.from({ length: 4 }, (_, at) => ({ title: `Task ${at}` })),
  });
  const claimed = await Promise.all(agents.map((agent) => agent.use('claim_next_task', { project: key })));
  expect(claimed.map(({ structured }) => structured.key).sort()).toEqual(
    [1, 2, 3, 4].map((number) => `${key}-${number}`),
  );
  await Promise.all(agents.map((agent) => agent.close()));
});

test('a claim is ended by who has it alone', async () => {
  const { project } = await makeProject(app, ada, 'Others');
  await addMember(app, project, bea, 'editor');
  await one(ada.client.from('tasks').insert({ project_id: project, title: 'Build' }).select());
  const [claim] = (await one(bea.client.rpc('claim_next_task', { project }))) as { id: string }[];
  const agent = await connectAgent(app, await keyFor());
  for (const outcome of ['hand_back', 'done'])
    expect(await agent.use('finish_or_hand_back', { claim: claim?.id, outcome })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no such claim'),
    });
  await agent.close();
  expect(
    await one(
      bea.client
        .from('task_claims')
        .select('ended_at')
        .eq('id', claim?.id ?? ''),
    ),
  ).toEqual([{ ended_at: null }]);
});

test('no file is left behind where the claim ends between it and its row', async () => {
  const { project } = await makeProject(app, ada, 'Files');
  await one(ada.client.from('tasks').insert({ project_id: project, title: 'Build' }).select());
  await app.sql(`create function private.end_claims() returns trigger language plpgsql security definer as $$
    begin
      update public.task_claims set ended_at = now(), outcome = 'released' where ended_at is null;
      return new;
    end $$;
    create trigger end_claims after insert on storage.objects for each row execute function private.end_claims()`);
  const agent = await connectAgent(app, await keyFor());
  const { key, fence } = (await agent.use('claim_next_task', { project })).structured;
  const attached = await agent.use('attach', { task: key, name: 'late.md', text: 'Late', fence });
  await agent.close();
  expect(attached).toMatchObject({ isError: true, text: expect.stringContaining('The claim has ended') });
  expect(await app.sql(`select name from storage.objects where name like '%late.md'`)).toEqual([]);
  await app.sql('drop function private.end_claims() cascade');
});

describe('kanbase mcp', () => {
  test('passes on changes and closed streams', async () => {
    const { project } = await makeProject(app, ada, 'Bridged');
    const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
    const agent = await bridge('2026-07-28');
    await agent.use('create_tasks', { project: key, tasks: [{ title: 'One' }] });
    const changed: string[] = [];
    agent.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void changed.push(params.uri),
    );
    const subscription = await agent.client.listen({ resourceSubscriptions: [`kanbase://task/${key}-1`] });
    await expect
      .poll(async () => {
        await one(
          ada.client
            .from('tasks')
            .update({ title: `One ${changed.length}` })
            .eq('project_id', project)
            .select('id'),
        );
        return changed;
      })
      .toContain(`kanbase://task/${key}-1`);
    await subscription.close();
    await agent.close();
  });

  test('answers what came before its input ended, and names what it can’t read', async () => {
    const env = { KANBASE_URL: app.url, KANBASE_KEY: await keyFor('read'), KANBASE_INSECURE: '1' };
    const params = { name: 'find_tasks', arguments: {}, _meta: { progressToken: 'p' } };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const { stdout, code } = await runKanbase(['mcp'], { env, input: `no JSON\n\n${call}\n` });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 0 } },
      { id: 7, result: { structuredContent: { markdown: expect.any(String) } } },
    ]);
    expect(code).toBe(0);
  });

  test('says what is wrong with a sign-in', async () => {
    const { command, args } = await kanbaseCommand(['mcp']);
    const env = { KANBASE_URL: app.url, KANBASE_KEY: `kb_${'0'.repeat(48)}`, KANBASE_INSECURE: '1' };
    const client = new Client({ name: 'agent', version: '1' });
    await expect(client.connect(new StdioClientTransport({ command, args: [...args], env }))).rejects.toThrow(
      'doesn’t take KANBASE_KEY'.replace('’', "'"),
    );
    await client.close();
  });
});
