// Batches of changes through the app's journal: few round trips, all or nothing, also on undo.

import { beforeAll, expect, test } from 'vitest';
import { rowsPerBatch } from '../../web/commands/send-changes.ts';
import * as commands from '../../web/commands.ts';
import type { Mutation } from '../../web/sync/journal/entries.ts';
import { type Journal, type JournalEvent, openJournal } from '../../web/sync/journal/journal.ts';
import { fetchScope } from '../../web/sync/rows/scopes.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

const amount = 2 * rowsPerBatch + 20;
let ada: TestUser;
let store: Store;
let journal: Journal;
let projectId: string;
let columns: Awaited<ReturnType<typeof makeProject>>['columns'];
let ids: string[];
let labelId: string;
let asked = 0;
const events: JournalEvent[] = [];

const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  ({ project: projectId, columns } = await makeProject(app, ada, 'Crowd'));
  ids = (
    await app.sql<{ id: string }>(
      `insert into tasks (project_id, column_id, title) select $1, $2, 'Task ' || n from generate_series(1, ${amount}) n returning id`,
      [projectId, columns.todo],
    )
  ).map(({ id }) => id);
  const { data } = await ada.client
    .from('task_labels')
    .insert({ project_id: projectId, name: 'Late' })
    .select()
    .single();
  labelId = data.id;
  store = new Store();
  journal = openJournal({
    store,
    send: (mutation) => mutation.send(counted(ada.client)),
    revert: commands.revert,
  });
  journal.subscribe((one) => events.push(one));
  await fetchScope(ada.client, store, { kind: 'project', projectId });
});

/** The same door, which counts what is asked of it. */
function counted(door: TestUser['client']): TestUser['client'] {
  return new Proxy(door, {
    get(target, name) {
      if (name === 'rpc' || name === 'from') asked++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const order = async (column: string) =>
  (await app.sql<{ id: string }>('select id from tasks where column_id = $1 order by order_rank', [column])).map(
    ({ id }) => id,
  );
async function done(work: () => unknown): Promise<number> {
  asked = 0;
  await work();
  await journal.idle();
  return asked;
}
const count = async (where: string, value: string) =>
  (await app.sql<{ n: number }>(`select count(*)::int as n from ${where} = $1`, [value]))[0]?.n;

test('moved to the end in order, and back to the very places, in three round trips each', async () => {
  expect(await done(() => journal.run(commands.moveTasks(store, ids, columns.in_progress)))).toBe(3);
  expect(await order(columns.in_progress)).toEqual(ids);
  expect(await done(() => journal.undo())).toBe(3);
  expect(await order(columns.todo)).toEqual(ids);
});

test('archived and labelled, and back', async () => {
  expect(await done(() => journal.run(commands.addLabel(store, ids, labelId)))).toBe(3);
  expect(await count('task_label_links where label_id', labelId)).toBe(amount);
  expect(await done(() => journal.run(commands.archiveTasks(store, ids)))).toBe(3);
  expect(await count('tasks where archived_at is not null and project_id', projectId)).toBe(amount);
  expect(await done(() => journal.undo())).toBe(3);
  expect(await count('tasks where archived_at is null and project_id', projectId)).toBe(amount);
  expect(await done(() => journal.undo())).toBe(3);
  expect(await count('task_label_links where label_id', labelId)).toBe(0);
});

test('a batch of which one is refused is taken back whole and names it; the others stay and are undone for themselves', async () => {
  const [first, second] = [ids[0] ?? '', ids[1] ?? ''];
  await app.sql('insert into task_dependencies (project_id, predecessor_id, successor_id) values ($1, $2, $3)', [
    projectId,
    ids.at(-1),
    first,
  ]);
  events.length = 0;
  const move: Mutation = commands.moveTasks(store, ids, columns.done);
  await done(() => journal.run(move).catch(() => undefined));
  const refused = events.find((one) => one.kind === 'refused');
  expect(refused).toMatchObject({ part: { refused: rowsPerBatch, all: amount }, reason: { code: 'KB001' } });
  expect(commands.sayRefusal(refused?.kind === 'refused' && refused.reason)).toMatch(
    /^[A-Z]+-1: It waits for [A-Z]+-520/,
  );
  expect(await order(columns.todo)).toEqual(ids.slice(0, rowsPerBatch));
  expect(store.get('tasks', second)?.column_id).toBe(columns.todo);
  expect(store.get('tasks', ids[300] ?? '')?.column_id).toBe(columns.done);
  await done(() => journal.undo());
  expect(await order(columns.todo)).toEqual(ids);
});
