// Commands on templates: saving a task or a project as one, renaming, deleting, and creating a task from one. The server writes their documents.

import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { t } from '../strings/messages.ts';
import { asOfHere, type Door, dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { guessing, insert } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { Reader, RowChange } from '../sync/rows/store.ts';
import { taskColumns } from '../sync/tables.ts';
import { define, fieldValue, flag, list, maybe, orNull, priority, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { showChanges } from './show-changes.ts';
import { deleteDelay, linksOf, type TaskDraft } from './task-commands.ts';

/** Nothing is known yet of what it holds. */
const unread = { columns: [], labels: 0, fields: 0, views: 0, tasks: 1, steps: 0, has_days: false };

const shape = record({ id: text, of: text, projectId: orNull(text), ownerId: orNull(text), name: text });

const keepTask = define('saveTaskTemplate', shape, {
  apply: (_, { id, projectId, ownerId, name }) => [
    insert('templates', { ...rowOf(id, projectId, ownerId, name), kind: 'task' }),
  ],
  async send(door, { id, of, projectId, name }) {
    const made = { task_id: of, name, is_shared: projectId !== null, new_id: id };
    dataOf(await door.rpc('save_task_as_template', made).setHeader('Prefer', asOfHere));
    return readBack(door, id);
  },
});

/** What is answered as of here has its moments as of here, too: its change, which comes by itself, would not be known for its own. */
async function readBack(door: Door, id: string): Promise<readonly RowChange[]> {
  const rows = dataOf(await door.from('templates').select().eq('id', id)) ?? [];
  return rows.map((row) => ({ table: 'templates', row }));
}

function rowOf(id: string, project_id: string | null, owner_id: string | null, name: string) {
  return { id, project_id, owner_id, name, built_in: null, language: null, description: '', holds: unread };
}

export interface Kept {
  /** The task or the project. */
  readonly of: string;
  readonly userId: string;
  readonly name: string;
  /** With whose members it is shared; null: with nobody. */
  readonly projectId: string | null;
}

export function saveTaskTemplate(_: Reader, { of, userId, name, projectId }: Kept, id = newId()): Mutation {
  const ownerId = projectId === null ? userId : null;
  return keepTask({ id, of, projectId, ownerId, name: name.trim() }, t('common.templateSaved', { name: name.trim() }));
}

const keepProject = define(
  'saveProjectTemplate',
  record({ id: text, of: text, projectId: orNull(text), ownerId: orNull(text), name: text, withTasks: flag }),
  {
    apply: (_, { id, projectId, ownerId, name }) => [
      insert('templates', { ...rowOf(id, projectId, ownerId, name), kind: 'project' }),
    ],
    async send(door, { id, of, projectId, name, withTasks }) {
      const made = { project_id: of, name, is_shared: projectId !== null, with_tasks: withTasks, new_id: id };
      dataOf(await door.rpc('save_project_as_template', made).setHeader('Prefer', asOfHere));
      return readBack(door, id);
    },
  },
);

export function saveProjectTemplate(
  _: Reader,
  { of, userId, name, projectId }: Kept,
  withTasks: boolean,
  id = newId(),
): Mutation {
  const ownerId = projectId === null ? userId : null;
  const label = t('common.templateSaved', { name: name.trim() });
  return keepProject({ id, of, projectId, ownerId, name: name.trim(), withTasks }, label);
}

const change = define('editTemplate', record({ id: text, patch: some({ name: text, description: text }) }), {
  changes: ({ id, patch }) => [updateRows('templates', [{ id, ...patch }])],
});

export function editTemplate(
  store: Reader,
  id: string,
  patch: { readonly name?: string; readonly description?: string },
): Mutation {
  return change({ id, patch }, t('common.templateChanged', { name: store.get('templates', id)?.name ?? '' }));
}

const drop = define('deleteTemplate', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('templates', [{ id }])],
});

/** Held: its document is not here, so that afterwards it could not come back. */
export function deleteTemplate(store: Reader, id: string): Mutation {
  return drop({ id }, t('common.templateDeleted', { name: store.get('templates', id)?.name ?? '' }));
}

/** A label that the template needs, and the id it gets where the project has none of that name. */
const label = record({ id: text, name: text, color: orNull(text) });

const begin = define(
  'createFromTemplate',
  record({
    id: text,
    templateId: text,
    projectId: text,
    columnId: text,
    title: text,
    day: text,
    priority: maybe(priority),
    due: maybe(text),
    rank: maybe(text),
    parent: maybe(text),
    assignees: maybe(list(text)),
    labels: maybe(list(text)),
    values: maybe(list(fieldValue)),
    makes: maybe(list(label)),
  }),
  {
    announced: true,
    apply(store, { id, projectId, columnId, title, priority, due, rank, parent, assignees, labels, values, makes }) {
      if (store.get('workflow_columns', columnId) === undefined) return [];
      const row = { id, title, project_id: projectId, column_id: columnId, priority, due_date: due, order_rank: rank };
      const shown = showChanges(store, [
        // First: taken back last, when no task has them any more.
        insertRows(
          'task_labels',
          (makes ?? []).map((one) => ({ ...one, project_id: projectId })),
        ),
        insertRows('tasks', [{ ...row, parent_id: parent }]),
        ...linksOf([{ id, assignees, labels, values }]),
      ]);
      // What the template says of its task, where the one who takes it says nothing.
      return shown.map((one) => (one.table === 'tasks' ? guessing(one, taskColumns) : one));
    },
    async send(door, { id, templateId, projectId, columnId, title, day, ...given }) {
      const made = {
        template_id: templateId,
        project_id: projectId,
        column_id: columnId,
        title,
        start_date: day,
        new_id: id,
        ...(given.priority === undefined ? {} : { priority: given.priority }),
        ...(given.due === undefined ? {} : { due_date: given.due }),
        ...(given.rank === undefined ? {} : { order_rank: given.rank }),
        ...(given.parent === undefined ? {} : { parent_id: given.parent }),
        assignees: [...(given.assignees ?? [])],
        labels: [...(given.labels ?? [])],
        field_values: Object.fromEntries(
          (given.values ?? []).map(({ fieldId, value }) => [fieldId, typeof value === 'string' ? value : [...value]]),
        ),
        label_ids: Object.fromEntries((given.makes ?? []).map(({ id, name }) => [name.toLowerCase(), id])),
      };
      return [{ table: 'tasks', row: dataOf(await door.rpc('create_task_from_template', made)) }];
    },
  },
);

export interface Begun extends Omit<TaskDraft, 'id' | 'place'> {
  readonly templateId: string;
  readonly projectId: string;
  readonly columnId: string;
  /** From which its days are counted. */
  readonly day: string;
  /** Else at the end of the column. */
  readonly atTop?: boolean;
  /** Those the template needs. */
  readonly needs?: readonly { readonly name: string; readonly color: string | null }[];
}

/** What is below it and what it holds comes from the server; labels that are made for it are known here, and go with it. */
export function createFromTemplate(store: Reader, given: Begun, id = newId()): Mutation {
  const { templateId, projectId, columnId, title, day, priority, due, parentId, assignees, labels, values } = given;
  const { atTop = false, needs = [] } = given;
  const named = new Set(store.where('task_labels', 'project_id', projectId).map(({ name }) => name.toLowerCase()));
  const made = {
    ...{ id, templateId, projectId, columnId, title, day, priority, due, parent: parentId, assignees, labels, values },
    rank: atTop ? rankBetween(null, readColumnTasks(store, columnId)[0]?.order_rank ?? null) : undefined,
    makes: needs
      .filter(({ name }) => !named.has(name.toLowerCase()))
      .map(({ name, color }) => ({ id: newId(), name, color })),
  };
  return begin(made, t('common.templateUsed', { name: title }));
}
