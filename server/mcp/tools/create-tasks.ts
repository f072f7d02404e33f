// `create_tasks`: tasks with their people, labels, parents and dependencies, all or none.

import { randomUUID } from 'node:crypto';
import { choice, list, object, text, type ValueOf, whole } from '../../http/open-api.ts';
import { asData, type Board } from '../board.ts';
import { findLabels, findNamed, findPeople, findProject, findTask, readColumns } from '../names.ts';
import { figure } from '../task-changes.ts';
import { addressOf, keyOf, lineOf, readTasks } from '../tasks.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const most = 50;

const newTask = object({
  title: text(),
  'description?': text('Markdown'),
  'column?': text(),
  'priority?': choice(['p0', 'p1', 'p2']),
  'start?': text(),
  'due?': text('Day'),
  'estimate?': figure,
  'assign?': list(text(), 'Names or me'),
  'labels?': list(text()),
  'parent?': text('Key, or #1 for the first of this call'),
  'waits_for?': list(text(), 'As parent'),
});

type NewTask = ValueOf<typeof newTask>;

export const createTasks = declareTool({
  name: 'create_tasks',
  title: 'Create tasks',
  description: 'Creates up to 50 tasks, all or none.',
  scope: 'write',
  hints: {},
  input: object({ project: text('Key'), tasks: list(newTask, undefined, { minItems: 1 }) }),
  output: object({ created: list(object({ key: text(), version: whole() })) }),
  async run({ project: named, tasks }, { board, progress }) {
    if (tasks.length > most)
      throw new ToolFault(`These are ${tasks.length} tasks; create at most ${most} in one call.`, 'KB884');
    const project = await findProject(board, named);
    const ids = tasks.map(() => randomUUID());
    await progress(0, 2, 'Looking up names');
    const changes = await changesOf(board, project.id, tasks, ids);
    await progress(1, 2, `Creating ${tasks.length} tasks`);
    await board.call('apply_changes', { changes });
    const rows = await readTasks(board, [['id', `in.(${ids.join()})`]]);
    const created = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
    await progress(2, 2, 'Created');
    const first = created[0];
    return {
      structured: { created: created.map((task) => ({ key: keyOf(task), version: task.version })) },
      text: `Created ${created.length}:\n${asData(created.map(lineOf).join('\n'))}${first === undefined ? '' : `\n${addressOf(board, first)}`}`,
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
  const idOf = async (reference: string, at: number): Promise<string> => {
    const place = /^#(\d{1,2})$/.exec(reference.trim())?.[1];
    if (place === undefined) return (await findTask(board, reference)).id;
    const id = ids[Number(place) - 1];
    if (id === undefined || Number(place) - 1 === at)
      throw new ToolFault(
        `Task ${at + 1}: ${reference} must be another of the ${tasks.length} tasks of this call.`,
        'KB884',
      );
    return id;
  };
  const rows = await Promise.all(
    tasks.map(async (task, at) => ({
      id: ids[at],
      project_id: projectId,
      column_id: (task.column === undefined ? columns[0] : findNamed('column', columns, task.column))?.id,
      title: task.title,
      description: task.description ?? '',
      priority: task.priority ?? 'p2',
      start_date: task.start ?? null,
      due_date: task.due ?? null,
      estimate: task.estimate ?? null,
      parent_id: task.parent === undefined ? null : await idOf(task.parent, at),
    })),
  );
  const links = await Promise.all(
    tasks.map(async (task, at) => {
      const link = { project_id: projectId, task_id: ids[at] };
      const [people, labels, before] = await Promise.all([
        findPeople(board, projectId, task.assign ?? []),
        findLabels(board, projectId, task.labels ?? []),
        Promise.all((task.waits_for ?? []).map((one) => idOf(one, at))),
      ]);
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
