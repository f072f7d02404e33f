// Agents, and apps of people, at the doors: outside of sessions, and in one of each mode, what is due to their role as far as the mode leaves it.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { one } from '../sql/board.ts';
import { matrix } from '../sql/matrix-cells.ts';
import {
  agentCallers,
  appCallers,
  askExports,
  askFeeds,
  askFiles,
  askImports,
  askProcedures,
  askRows,
  askTools,
  askTopics,
  askWays,
  cellsOfAgent,
  dueInImports,
  dueInTools,
  makeOutsideWords,
  type OpenedAgent,
  openAgent,
} from './agents.ts';
import { type Ground, makeGround } from './callers-and-board.ts';
import { listen, makeMarks, rewriteRows } from './live.ts';

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
let ground: Ground;
const opened = new Map<string, OpenedAgent>();
const agentOf = (name: string): OpenedAgent => opened.get(name) as OpenedAgent;
const apps = new Map<string, OpenedAgent>();
const appOf = (name: string): OpenedAgent => apps.get(name) as OpenedAgent;

beforeAll(async () => {
  ground = await makeGround(app);
  const outside = await makeOutsideWords(app, ground);
  for (const caller of agentCallers) opened.set(caller.name, await openAgent(app, ground, outside, caller));
  for (const caller of appCallers) apps.set(caller.name, await openAgent(app, ground, outside, caller));
});

describe.each(agentCallers)('an agent, $name', (caller) => {
  test('rows', async () => {
    expect(await askRows(ground, caller, agentOf(caller.name))).toEqual([]);
  });
  test('procedures, search and exports', async () => {
    expect(await askProcedures(ground, caller, agentOf(caller.name))).toEqual([]);
  });
  test('files', async () => {
    expect(await askFiles(app, ground, caller, agentOf(caller.name))).toEqual([]);
  });
  test('embeds, filters, text and upserts', async () => {
    expect(await askWays(ground, caller, agentOf(caller.name))).toEqual([]);
  });
  test('imports and exports of others', async () => {
    expect(await askImports(agentOf(caller.name))).toEqual(dueInImports(caller));
    expect(await askExports(app, ground, agentOf(caller.name))).toEqual(['refused', 'refused', 'refused', '0 listed']);
  });
  test('private channels', async () => {
    expect(await askTopics(app, ground, agentOf(caller.name))).toEqual({
      'listens in the project’s': true,
      'speaks in the project’s': false,
      'listens in the editor’s': false,
      'listens in its own': true,
    });
  });
  test('feeds', async () => {
    expect(await askFeeds(ground, agentOf(caller.name))).toEqual([200, 404, 404]);
  });
  test('tools', async () => {
    expect(await askTools(app, ground, agentOf(caller.name))).toEqual(dueInTools(caller));
  });
});

describe.each(appCallers)('an app of a person, $name', (caller) => {
  test('rows', async () => {
    expect(await askRows(ground, caller, appOf(caller.name))).toEqual([]);
  });
  test('imports and exports of others', async () => {
    expect(await askImports(appOf(caller.name))).toEqual(dueInImports(caller));
    expect(await askExports(app, ground, appOf(caller.name))).toEqual(['refused', 'refused', 'refused', '0 listed']);
  });
  test('tools', async () => {
    expect(await askTools(app, ground, appOf(caller.name))).toEqual(dueInTools(caller));
  });
});

// Agents are asked these in each mode: of apps differ the projects that they reach, and a scope below that of their mode.
const ofOwnReach = appCallers.filter(
  ({ ofPerson, projects, session }) =>
    ofPerson === 'comment' || session?.mode === 'propose' || (session?.mode === 'write' && projects === 'all'),
);
describe.each(ofOwnReach)('an app of a person, $name, also', (caller) => {
  test('procedures, search and exports', async () => {
    expect(await askProcedures(ground, caller, appOf(caller.name))).toEqual([]);
  });
  test('embeds, filters, text and upserts', async () => {
    expect(await askWays(ground, caller, appOf(caller.name))).toEqual([]);
  });
  test('files', async () => {
    expect(await askFiles(app, ground, caller, appOf(caller.name))).toEqual([]);
  });
});

test('live changes: an agent hears of the rows that it sees outside of a session', async () => {
  await makeMarks(app);
  const [outside] = agentCallers;
  const names = agentCallers.map(({ name }) => name);
  const clients = Object.fromEntries(names.map((name) => [name, app.client({ token: agentOf(name).key })]));
  const listeners = await listen(app, clients);
  // Nothing of what came before is still on its way.
  await listeners.during(async () => undefined);
  const heard = await listeners.during(() => rewriteRows(app, ground.board));
  await listeners.close();
  const due = Object.keys(matrix).filter((table) =>
    cellsOfAgent(outside as (typeof agentCallers)[number], table).sees.includes('editor'),
  );
  // Once in a minute the use of its own key is noted.
  const ofOthers = (name: string) => heard[name]?.filter((event) => event !== 'UPDATE api_keys');
  for (const name of names) expect(ofOthers(name), name).toEqual(due.map((table) => `UPDATE ${table}`).sort());
});

test('a person confirms a session that has read words from outside, which then reaches all its projects', async () => {
  const { owner } = ground.board.people;
  const { client, headers } = agentOf('mode write, after words from outside');
  const seen = () => one(client.from('projects').select('id').in('id', [ground.board.project, ground.second]));
  expect(await seen()).toHaveLength(1);
  await one(owner.client.rpc('confirm_agent_session', { session_id: headers['agent-session'] }));
  expect(await seen()).toHaveLength(2);
});
