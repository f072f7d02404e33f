// Tools whose writes became proposals, as the data door answers them (202 with the header Proposal and the body as it would be): their texts say so.

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { openBoard } from '../../server/mcp/board.ts';
import { openServer } from '../../server/mcp/open-server.ts';
import { makeAgent } from '../agents/agents.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject, one } from '../sql/board.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const proposal = '01890000-0000-7000-8000-000000000001';

test('a write that is only proposed is told as such, once for each proposal', async () => {
  const { project } = await makeProject(app, ada, 'Harbour');
  const planner = await makeAgent(app, ada, project);
  const session = await planner.open({ project_id: project });
  const { services } = app;
  const asked: (string | null)[] = [];
  const fetch: typeof services.fetch = async (address, init) => {
    const path = new URL(String(address)).pathname;
    asked.push(new Headers(init?.headers).get('agent-session'));
    if (!/apply_changes|task_comments/.test(path) || init?.method !== 'POST') return services.fetch(address, init);
    const sent = JSON.parse(String(init.body));
    const rows = path.endsWith('apply_changes') ? sent.changes[0].rows : [{ ...sent, id: proposal }];
    const would = rows.map((row: object) => ({ ...row, number: 7, version: 9 }));
    const body = path.endsWith('apply_changes') ? [{ table: 'tasks', rows: would }] : would;
    return Response.json(body, { status: 202, headers: { proposal } });
  };
  const verified = await services.sessions.verify(planner.key);
  const server = openServer({
    board: (signal, title = '') =>
      openBoard(
        { ...services, fetch },
        {
          ...{ session: verified, token: planner.key, address: '127.0.0.1', agent: undefined, signal },
          work: { session: session.id, connection: null, title },
        },
      ),
    scope: verified.claims.scope,
    tellsChanges: false,
    onFailure: (error) => {
      throw error;
    },
  });
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(mine)]);
  const use = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    return { text: (content as { text: string }[])[0]?.text ?? '', structured: structuredContent, isError };
  };
  const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
  const made = await use('create_tasks', { project: key, tasks: [{ title: 'Dig' }] });
  expect(made.isError).toBeFalsy();
  expect(made.text).toMatch(
    new RegExp(`^Proposed, not saved: it waits for a person to accept it \\(proposal ${proposal}\\)\\.`),
  );
  expect(made.structured).toEqual({ created: [{ key: `${key}-7`, version: 9 }], proposals: [proposal] });
  expect(new Set(asked)).toEqual(new Set([session.id, null]));
  await client.close();
});
