// Restricted tasks, to a member who is not named: an id of one is answered at every door as one of nobody, and all that this member sees stays the same,
// to the letter, whatever is done with them.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningJob } from '../../server/background/every.ts';
import { startExports } from '../../server/exports/start-exports.ts';
import { openForExports } from '../../server/files/open-for-exports.ts';
import type { OpenApi } from '../../server/http/open-api.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addRow, addTask, type Board, makeBoard, one } from '../sql/board.ts';
import { matrix } from '../sql/matrix-cells.ts';
import { restrict } from './callers-and-board.ts';
import { asTrial } from './cells.ts';
import { listen, makeMarks } from './live.ts';
import { type Ask, asking, type Ids, ofNobody, pathOf, type Question, questions, theirs } from './questions.ts';

let board: Board;
let unnamed: TestUser;
let document: OpenApi;
let exports: RunningJob;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
beforeAll(async () => {
  board = await makeBoard(app);
  const { editor } = board.people;
  unnamed = await app.createUser({ name: 'Ulf Unnamed' });
  await addMember(app, board.project, unnamed, 'editor');
  await one(editor.client.storage.from('attachments').upload(pathOf(board), new Blob(['On it'])));
  await restrict(app, board, board.people.viewer);
  document = (await (await app.request('/openapi.json')).json()) as OpenApi;
  exports = await startExports(app.services, await openForExports(app.services.config));
  await makeMarks(app);
});
afterAll(async () => {
  await exports?.stop();
});

describe('an id', () => {
  /** Of rows that are not hidden; all other names are asked with ids of restricted tasks and their rows. */
  const seen = [
    ...['project_id', 'target_project_id', 'column_id', 'user_id', 'person_id', 'label_id', 'field_id', 'view_id'],
    ...['template_id', 'feed_id', 'invitation_id', 'link_id'],
    // One that the caller makes up: whoever knows an id that is taken learns so in any project.
    'new_id',
  ];
  /** Nothing stays: what is asked twice meets the same. */
  const ask: Ask = (method, path, body, headers = {}) =>
    asking(app, unnamed.token)(method, path, body, {
      ...headers,
      prefer: ['tx=rollback', headers.prefer].filter((one) => one !== undefined).join(', '),
    });
  /** Names of a question that are asked with hidden ids. */
  const hiddenIn = ({ send }: Question): readonly string[] => {
    const names = new Set<string>();
    const note: Ids = (name) => {
      if (!seen.includes(name)) names.add(name);
      return randomUUID();
    };
    void send(async () => '', note);
    return [...names];
  };
  const of = (name: string): string => (theirs[name] ?? theirs.id)?.(board) ?? '';

  test('of one is answered as one of nobody: procedures, counts of each kind, heads, errors, changes, files', async () => {
    const asked = questions(document, ['exact', 'planned', 'estimated']).filter((one) => hiddenIn(one).length > 0);
    expect(asked.length).toBeGreaterThan(250);
    const nobody = ofNobody();
    const different: string[] = [];
    for (const question of asked) {
      const names = hiddenIn(question);
      // All of them, and with one of several an id of a task that is seen.
      for (const shown of [undefined, ...(names.length > 1 ? names : [])]) {
        const ids =
          (others: Ids): Ids =>
          (name) =>
            name === shown
              ? board.shared
              : name === 'new_id'
                ? randomUUID()
                : seen.includes(name)
                  ? of(name)
                  : others(name);
        const hidden = await question.send(ask, ids(of));
        const none = await question.send(ask, ids(nobody));
        const version = /"version":\d+/g;
        if (hidden.replaceAll(version, '') !== none.replaceAll(version, ''))
          different.push(`${question.what}, ${shown} shown: ${hidden}, and of nobody ${none}`);
      }
    }
    expect(different).toEqual([]);
  });

  test('or number is none to ask for or to take: the next one is the same with and without', async () => {
    const [{ number } = { number: 0 }] = await app.sql<{ number: number }>(
      'select number from public.tasks where id = $1',
      [board.tasks[0]],
    );
    const answers = async (n: number): Promise<string[]> => {
      const of = { project_id: board.project, number: n };
      return [
        await ask('POST', '/rest/v1/rpc/task_at', of),
        await ask('POST', '/rest/v1/rpc/search_tasks', { query: `#${n}`, project_id: board.project }),
        await ask('POST', '/rest/v1/tasks?select=title', { ...of, title: 'Mine' }),
        await ask('GET', `/rest/v1/tasks?project_id=eq.${board.project}&number=eq.${n}`, undefined, {
          prefer: 'count=planned',
        }),
        await ask('GET', `/rest/v1/tasks?select=id,task_comments(count)&number=eq.${n}`),
      ].map((text) => text.replaceAll(new RegExp(`\\b${n}\\b`, 'g'), '<n>'));
    };
    expect(await answers(number)).toEqual(await answers(number + 5000));
  });

  test('is looked for in the same way, by the same plan, in as many blocks', async () => {
    interface Plan {
      readonly 'Node Type': string;
      readonly 'Index Name'?: string;
      readonly 'Relation Name'?: string;
      readonly 'Actual Rows': number;
      readonly 'Shared Hit Blocks': number;
      readonly Plans?: readonly Plan[];
    }
    const shape = (plan: Plan): unknown => [
      plan['Node Type'],
      plan['Index Name'],
      plan['Relation Name'],
      (plan.Plans ?? []).map(shape),
    ];
    const asked: readonly [table: string, column: string][] = [
      ['tasks', 'id'],
      ...['task_comments', 'task_assignees', 'task_attachments', 'task_activity'].map((table): [string, string] => [
        table,
        'task_id',
      ]),
    ];
    for (const [table, column] of asked) {
      const planOf = async (id: string): Promise<Plan> => {
        const text = `explain (analyze, buffers, timing off, summary off, format json) select * from public.${table} where ${column} = $1::uuid`;
        // Once before, since the first to ask fills caches.
        await app.asUser(unnamed.id, text, [id]);
        const [row] = await app.asUser<{ 'QUERY PLAN': [{ Plan: Plan }] }>(unnamed.id, text, [id]);
        return row?.['QUERY PLAN'][0].Plan as Plan;
      };
      const [hidden, none] = [await planOf(board.tasks[0]), await planOf(randomUUID())];
      expect(shape(hidden), table).toEqual(shape(none));
      expect([hidden['Actual Rows'], none['Actual Rows']], table).toEqual([0, 0]);
      // The row that is not shown was looked at; no more hangs on it.
      expect(Math.abs(hidden['Shared Hit Blocks'] - none['Shared Hit Blocks']), table).toBeLessThan(12);
    }
  });
});

describe('all that such a member sees', () => {
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method,
      token: unnamed.token,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** Of the moment, or the place from which a client goes on asking. */
  const ofTheMoment = /"(generated_at|exported_at|until)": ?"[^"]*"|DTSTAMP:\w+/g;
  /** Rows of their own that change as they ask: the feed was used, the export has an address. */
  const ofAsking = ['calendar_feeds', 'access_grants'];
  const inOrder = (text: string): string => {
    const rows: unknown = text.startsWith('[') ? JSON.parse(text) : text;
    return Array.isArray(rows)
      ? rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n')
      : text;
  };

  const embeds = [
    'projects?select=id,tasks(count),task_comments(count),task_attachments(count),task_activity(count),task_dependencies(count)',
    'workflow_columns?select=id,tasks(count)',
    'task_labels?select=id,task_label_links(count)',
    'custom_fields?select=id,task_field_values(count)',
    'profiles?select=id,task_assignees(count),task_watchers(count),task_comments(count)',
    'tasks?select=count()',
    'tasks?select=column_id,count(),due_date.max(),estimate.sum()',
  ];
  const procedures = (): readonly [string, object][] => {
    const project_id = board.project;
    return [
      ...['Draft', 'page', 'On it', 'zebra', '1'].map((query): [string, object] => ['search_tasks', { query }]),
      ['search_tasks', { query: 'page', project_id }],
      ['dashboard_metrics', {}],
      ['dashboard_metrics', { project_id }],
      ['project_progress', {}],
      ['project_people', { project_id }],
      ['project_groups', { project_id }],
      ['person_page', { user_id: board.people.editor.id }],
      ['task_flow', { project_id }],
      ['task_flows', { project_ids: [project_id] }],
      ['archived_tasks', { project_id }],
      ['field_columns', { project_id, field_ids: [board.field, board.spareField] }],
      ['custom_field_use', { field_id: board.field }],
      ['foresee_project_copy', { project_id }],
      ['my_first_steps', {}],
      ['changes_since', { project_id, since: '0', known: { tasks: [0], task_comments: [0], task_activity: [0] } }],
    ];
  };

  async function exported(): Promise<string> {
    const asked = await one(unnamed.client.rpc('begin_export', { format: 'json', project_id: board.project }));
    await exports.settle();
    const listed = (await one(unnamed.client.rpc('my_exports'))) as { id: string; path: string; total: number }[];
    const { path, total } = listed.find(({ id }) => id === asked.id) as { path: string; total: number };
    const { signedUrl } = await one(unnamed.client.storage.from('exports').createSignedUrl(path, 60));
    const { tables } = JSON.parse(await (await fetch(signedUrl)).text());
    return `${total} ${JSON.stringify(tables)}`;
  }

  /** By the question. */
  async function everything(feed: string): Promise<Record<string, string>> {
    const seen: Record<string, string> = {};
    for (const table of Object.keys(matrix).filter((name) => !ofAsking.includes(name))) {
      const path = `/rest/v1/${table}?select=*`;
      for (const [method, count] of [
        ['GET', 'exact'],
        ['HEAD', 'planned'],
        ['HEAD', 'estimated'],
      ] as const) {
        const answer = await ask(method, path, undefined, { prefer: `count=${count}` });
        const text = inOrder(await answer.text());
        seen[`${method} ${table}, ${count}`] = `${answer.status} ${answer.headers.get('content-range')} ${text}`;
      }
    }
    for (const path of embeds) seen[path] = inOrder(await (await ask('GET', `/rest/v1/${path}`)).text());
    for (const [name, given] of procedures())
      seen[`${name} ${JSON.stringify(given)}`] = await (await ask('POST', `/rest/v1/rpc/${name}`, given)).text();
    const { data: own } = await unnamed.client.rpc('export_my_data');
    seen.export_my_data = JSON.stringify({ ...own, access_grants: [], calendar_feeds: [] });
    seen.feed = await (await app.request(feed)).text();
    seen.files = JSON.stringify(
      (await unnamed.client.storage.from('attachments').list(board.project)).data?.map(({ name }) => name),
    );
    seen.export = await exported();
    return Object.fromEntries(
      Object.entries(seen).map(([question, answer]) => [question, answer.replaceAll(ofTheMoment, '<moment>')]),
    );
  }

  /** A row of each kind, changes and removals, in and under the restricted task, and another one. */
  async function work(): Promise<void> {
    const { owner, editor } = board.people;
    const [task_id, part] = board.tasks;
    const { project: project_id } = board;
    const today = new Date().toISOString().slice(0, 10);
    const { client } = owner;
    await one(client.from('tasks').update({ title: 'Zebra', due_date: today, estimate: 8 }).eq('id', task_id).select());
    await addRow(app, owner, 'task_comments', { task_id, body: `Zebra, @[Ulf](${unnamed.id})` });
    await addRow(app, owner, 'task_checklist_items', { task_id, title: 'A zebra step' });
    await one(client.from('task_label_links').insert({ task_id, label_id: board.spareLabel }).select());
    await one(
      client.from('task_field_values').insert({ task_id, field_id: board.spareField, value: 'zebra' }).select(),
    );
    await one(client.from('task_assignees').insert({ task_id: part, user_id: editor.id }).select());
    await one(client.from('task_watchers').insert({ task_id: part }).select());
    const object_path = `${project_id}/${task_id}/zebra.txt`;
    await one(client.storage.from('attachments').upload(object_path, new Blob(['striped'])));
    await addRow(app, owner, 'task_attachments', { task_id, name: 'zebra.txt', object_path });
    await one(client.rpc('move_task', { task_id: part, column_id: board.columns.in_progress }));
    const under = await addTask(app, owner, { project_id, parent_id: task_id, title: 'Zebra below' });
    await addRow(app, owner, 'task_dependencies', { predecessor_id: under, successor_id: board.tasks[2] });
    await addTask(app, owner, { project_id, title: 'Zebra beside', is_restricted: 'true', due_date: today });
    await one(client.rpc('move_task', { task_id: under, column_id: board.columns.done }));
    await one(client.rpc('duplicate_task', { task_id: under }));
    await one(
      client
        .from('tasks')
        .update({ archived_at: `${today}T00:00:00Z` })
        .eq('id', under)
        .select(),
    );
    await one(client.from('task_comments').delete().eq('id', board.reply).select());
    await one(client.from('tasks').delete().eq('id', under).select());
  }

  test('stays the same: rows, counts, embedded counts, search, figures, changes, feeds, files, exports; live nothing comes', async () => {
    const { path } = await one(
      unnamed.client.rpc('create_calendar_feed', { kind: 'project', project_id: board.project }),
    );
    const before = await everything(path);
    const listeners = await listen(app, { unnamed: unnamed.client, owner: board.people.owner.client });
    const heard = await listeners.during(work);
    await listeners.close();
    const after = await everything(path);
    const different = Object.keys(before).filter((question) => before[question] !== after[question]);
    expect(different.map((question) => [question, before[question], after[question]])).toEqual([]);
    expect(heard.unnamed).toEqual([]);
    expect(heard.owner).toEqual(expect.arrayContaining(['UPDATE tasks', 'INSERT task_comments', 'DELETE tasks']));
    expect(JSON.stringify(before)).toContain('Show the page');
  });

  test('has other numbers afterwards alone, as where a task was deleted', async () => {
    const add = async (): Promise<number> => {
      const answer = await app.request('/rest/v1/tasks?select=number', {
        method: 'POST',
        token: unnamed.token,
        headers: asTrial,
        body: JSON.stringify({ project_id: board.project, title: 'Mine' }),
      });
      return ((await answer.json()) as [{ number: number }])[0].number;
    };
    const next = await add();
    const deleted = await addTask(app, board.people.owner, { project_id: board.project, title: 'In passing' });
    await one(board.people.owner.client.from('tasks').delete().eq('id', deleted).select());
    const afterDeleted = await add();
    await addTask(app, board.people.owner, { project_id: board.project, title: 'Zebra again', is_restricted: 'true' });
    expect([afterDeleted, await add()]).toEqual([next + 1, next + 2]);
  });
});
