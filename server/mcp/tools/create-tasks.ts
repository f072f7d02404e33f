// `create_tasks`: tasks with their people, labels, parents and dependencies, all or none.

import { randomUUID } from 'node:crypto';
import { choice, list, object, text, type ValueOf, whole } from '../../http/open-api.ts';
import { asData, type Board } from '../board.ts';
import { findLabels, findNamed, findPeople, findProject, findTasks, readColumns } from '../names.ts';
import { figure, names, type Saved, savedTasks } from '../task-changes.ts';
import { addressOf, keyOf, lineOf, readTasks } from '../tasks.ts';
import { declareTool, orUndefined } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const most = 50;

const newTask = object({
  title: text(),
  'description?': text('Markdown'),
  'column?': text(),
  'priority?': choice(['p0', 'p1', 'p2']),
  'start?': text('YYYY-MM-DD'),
  'due?': text('YYYY-MM-DD'),
  'estimate?': figure,
  'assign?': names('Names or me'),
  'labels?': names(),
  'parent?': text('Key, or #1 for the first of this call'),
  'waits_for?': names('Keys or #n'),
});

type NewTask = ValueOf<typeof newTask>;

export const createTasks = declareTool({
  name: 'create_tasks',
  title: 'Create tasks',
  description: 'Creates up to 50 tasks, all or none.',
  scope: 'write',
  hints: {},
  input: object({ project: text('Key'), tasks: list(newTask, undefined, { minItems: 1 }), 'fence?': whole() }),
  output: object({ created: list(object({ key: text(), version: whole() })) }),
  async run({ project: named, tasks, fence }, { board: plain, progress }) {
    if (tasks.length > most)
      throw new ToolFault(`These are ${tasks.length} tasks; create at most ${most} in one call.`, 'KB884');
    const project = await findProject(plain, named);
    const board = (await plain.inSession(project.id)).withFence(fence);
    const ids = tasks.map(() => randomUUID());
    await progress(0, 2, 'Looking up names');
    const changes = await changesOf(board, project.id, tasks, ids);
    await progress(1, 2, `Creating ${tasks.length} tasks`);
    const saved = savedTasks(await board.call<Saved>('apply_changes', { changes }));
    const rows = await orUndefined(readTasks(plain, [['id', `in.(${ids.join()})`]]));
    // Of what is only proposed, what it would be.
    const shown = rows === undefined || rows.length === 0 ? saved : rows;
    const created = ids.flatMap((id) => shown.find((row) => row.id === id) ?? []);
    await progress(2, 2, 'Created');
    const first = created[0];
    const keys = created.map((task) => ({ key: keyOf({ ...task, project }), version: task.version }));
    const lines =
      rows === undefined || rows.length === 0
        ? keys.map(({ key }) => key).join(', ')
        : asData(rows.map(lineOf).join('\n'));
    return {
      structured: { created: keys },
      text: `Created ${created.length}:\n${lines}${first === undefined ? '' : `\n${addressOf(board, first)}`}`,
    };
  },
});

async function changesOf(
  board: Board,
  projectId: string,
  tasks: readonly NewTask[],
  ids: readonly string[],
): Promise<object[]> {
  const columns = await readColumns(board, projectId);
  const references = new Set(tasks.flatMap(({ parent, waits_for: before = [] }) => [parent ?? [], before].flat()));
  const others = [...references].filter((reference) => placeOf(reference) === null);
  const found = new Map((await findTasks(board, others)).map(({ id }, at) => [others[at], id]));
  const idOf = (reference: string, at: number): string => {
    const place = placeOf(reference);
    const id = place === null ? found.get(reference) : ids[place];
    if (id === undefined || place === at)
      throw new ToolFault(
        `Task ${at + 1}: ${reference} must be another of the ${tasks.length} tasks of this call.`,
        'KB884',
      );
    return id;
  };
  const rows = tasks.map((task, at) => ({
    id: ids[at],
    project_id: projectId,
    column_id: (task.column === undefined ? columns[0] : findNamed('column', columns, task.column))?.id,
    title: task.title,
    description: task.description ?? '',
    priority: task.priority ?? 'p2',
    start_date: task.start ?? null,
    due_date: task.due ?? null,
    estimate: task.estimate ?? null,
    parent_id: task.parent === undefined ? null : idOf(task.parent, at),
  }));
  const links = await Promise.all(
    tasks.map(async (task, at) => {
      const link = { project_id: projectId, task_id: ids[at] };
      const [people, labels] = await Promise.all([
        findPeople(board, projectId, task.assign ?? []),
        findLabels(board, projectId, task.labels ?? []),
      ]);
      const before = (task.waits_for ?? []).map((one) => idOf(one, at));
      return {
        assignees: people.map((user_id) => ({ ...link, user_id })),
        labels: labels.map((label_id) => ({ ...link, label_id })),
        dependencies: [...new Set(before)].map((predecessor_id) => ({
          project_id: projectId,
          predecessor_id,
          successor_id: ids[at],
        })),
      };
    }),
  );
  const insert = (table: string, of: readonly object[]): object[] =>
    of.length === 0 ? [] : [{ change: 'insert', table, rows: of }];
  return [
    ...byDepth(rows).flatMap((level) => insert('tasks', level)),
    ...insert(
      'task_assignees',
      links.flatMap(({ assignees }) => assignees),
    ),
    ...insert(
      'task_label_links',
      links.flatMap(({ labels }) => labels),
    ),
    ...insert(
      'task_dependencies',
      links.flatMap(({ dependencies }) => dependencies),
    ),
  ];
}

/** Of `#1`: the first; null: it names a task that is there already. */
function placeOf(reference: string): number | null {
  const digits = /^#(\d{1,2})$/.exec(reference.trim())?.[1];
  return digits === undefined ? null : Number(digits) - 1;
}

interface Row {
  readonly id: string | undefined;
  readonly parent_id: string | null;
}

/** Parents before their subtasks. */
function byDepth<T extends Row>(rows: readonly T[]): T[][] {
  const levels: T[][] = [];
  let left = [...rows];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ id }) => id));
    const level = left.filter(({ parent_id: parent }) => parent === null || !waiting.has(parent));
    if (level.length === 0)
      throw new ToolFault('The tasks are each other’s parents. Give each a parent that is not under it.', 'KB884');
    levels.push(level);
    left = left.filter((row) => !level.includes(row));
  }
  return levels;
}
