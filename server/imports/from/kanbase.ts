// A project as Kanbase itself exports it (`server/exports/write-json.ts`): rows of every table. Into a project that is there it comes as any
// other file does; a new project is made of the rows themselves (`write-whole.ts`), with all that other products know nothing of.

import { figures } from '../../../contract/views.ts';
import {
  type Attachment,
  type Comment,
  figuresBy,
  historyTables,
  type Person,
  type Priority,
  type Project,
  plainTask,
  type Read,
  type StateKind,
  type Task,
  UnreadableFile,
  type Whole,
} from '../neutral.ts';
import { at, flag, list, number, object, objects, text } from './json.ts';
import { type Known, known, type Leftover, leftoversOf, reportedLeftovers } from './leftovers.ts';

// What has a place in a project that is there, and what is left out on purpose: ids, ranks, when something last changed, and what is a person's own.
const row = 'id project_id task_id created_at updated_at version created_by user_id position';
const keys: Readonly<Record<string, Known>> = {
  projects: known(
    `${row} name description key color archived_at avatar_url deleted_at enforce_dependencies parents_wait_for_subtasks
    viewers_may_comment`,
  ),
  people: known('id name'),
  project_members: known(`${row} role group_id own_role`),
  workflow_columns: known(`${row} name kind color`),
  task_labels: known(`${row} name color`),
  custom_fields: known(`${row} name kind options`),
  tasks:
    known(`${row} column_id number title description priority order_rank start_date due_date ${figures.join(' ')} started_at completed_at archived_at
    cover_attachment_id parent_id subtask_position`),
  task_label_links: known(`${row} label_id`),
  task_assignees: known(row),
  task_dependencies: known(`${row} predecessor_id successor_id type`),
  task_comments: known(`${row} author_id body parent_id edited_at`),
  task_checklist_items: known(`${row} title is_done`),
  task_attachments: known(`${row} name content_type size_bytes object_path uploaded_by`),
  task_field_values: known(`${row} field_id value`),
  task_recurrences: known(`${row} rule column_id next_on next_at made revision`),
  comment_reactions: known(`${row} comment_id`),
  task_watchers: known(`${row} reason is_watching`),
  view_defaults: known(`${row} view_id`),
  saved_views: known(`${row} owner_id filter is_shared layout grouping lanes sort shown`),
  templates: known(`${row} owner_id built_in language kind description body holds`),
};
const omittedTables = new Set([...historyTables, 'project_watchers']);
/** A row is of the task that it names. */
const taskOfRow = (one: object): string => text(one, 'task_id') || text(one, 'successor_id');

export function isKanbase(value: unknown): boolean {
  return text(value, 'format') === 'kanbase.projects';
}

/** With a task for each of its tasks, for a project that is there. */
export function fromKanbase(value: unknown): Read {
  const outline = outlineOf(value);
  const tables = object(value, 'tables');
  const columnNames = new Map(list(tables, 'workflow_columns').map((one) => [text(one, 'id'), text(one, 'name')]));
  const hanging = hangingOn(tables);
  const key = text(list(tables, 'projects')[0], 'key');
  const tasks = list(tables, 'tasks').map((task) => taskOf(task, { key, columnNames, hanging }));
  const description = text(list(tables, 'projects')[0], 'description');
  return { project: { ...outline, description, tasks, leftovers: leftoversOfProject(tables) }, problems: [] };
}

/** For a new project, which its rows are written into. */
export function wholeFromKanbase(about: object, whole: Whole): Read {
  return { project: { ...outlineOf({ ...about, tables: whole.small }), tasks: [], whole }, problems: [] };
}

function outlineOf(value: unknown): Omit<Project, 'tasks'> {
  if (!isKanbase(value)) throw new UnreadableFile('This is no project as Kanbase exports it: it does not say so.');
  if (number(value, 'version') !== 1)
    throw new UnreadableFile('This was exported by a newer Kanbase: update this one first.');
  const tables = object(value, 'tables');
  const [project, ...others] = list(tables, 'projects');
  if (project === undefined || others.length > 0)
    throw new UnreadableFile('There is not one project in it: each is imported from a file of its own.');
  const columns = list(tables, 'workflow_columns').toSorted((one, other) => place(one) - place(other));
  return {
    source: 'kanbase',
    scope: `kanbase:${text(project, 'id')}`,
    name: text(project, 'name') || null,
    states: columns.map((one) => ({ name: text(one, 'name'), kind: text(one, 'kind') as StateKind })),
    labels: list(tables, 'task_labels').map((one) => ({ name: text(one, 'name'), color: text(one, 'color') || null })),
    people: list(tables, 'people').map(
      (one): Person => ({ key: text(one, 'id'), name: text(one, 'name') || text(one, 'id'), address: null }),
    ),
  };
}

interface Hanging {
  readonly labels: ReadonlyMap<string, readonly string[]>;
  readonly assignees: ReadonlyMap<string, readonly string[]>;
  readonly waitsFor: ReadonlyMap<string, readonly string[]>;
  readonly comments: ReadonlyMap<string, readonly object[]>;
  readonly items: ReadonlyMap<string, readonly object[]>;
  readonly files: ReadonlyMap<string, readonly Attachment[]>;
  readonly leftovers: ReadonlyMap<string, readonly (readonly [string, string])[]>;
}

function hangingOn(tables: object): Hanging {
  const labels = new Map(list(tables, 'task_labels').map((one) => [text(one, 'id'), text(one, 'name')]));
  const words = <Value>(table: string, column: string, read: (one: object) => Value): Map<string, Value[]> => {
    const found = new Map<string, Value[]>();
    for (const one of list(tables, table)) {
      const known = found.get(text(one, column));
      if (known === undefined) found.set(text(one, column), [read(one)]);
      else known.push(read(one));
    }
    return found;
  };
  const byTask = (table: string): Map<string, object[]> => words(table, 'task_id', (one) => one);
  const leftovers = new Map<string, [string, string][]>();
  const keep = (task: string, name: string, value: string): void => {
    const known = leftovers.get(task);
    if (known === undefined) leftovers.set(task, [[name, value]]);
    else known.push([name, value]);
  };
  const fields = new Map(list(tables, 'custom_fields').map((one) => [text(one, 'id'), one]));
  for (const one of list(tables, 'task_field_values')) {
    const field = fields.get(text(one, 'field_id'));
    if (field !== undefined) keep(text(one, 'task_id'), text(field, 'name'), fieldInWords(field, at(one, 'value')));
  }
  for (const one of list(tables, 'task_recurrences')) keep(text(one, 'task_id'), 'Repeats', text(one, 'rule'));
  for (const one of list(tables, 'task_attachments')) keep(text(one, 'task_id'), 'File', text(one, 'name'));
  for (const [table, rows] of Object.entries(tables))
    for (const one of omittedTables.has(table) ? [] : objects(rows)) {
      const task = table === 'tasks' ? text(one, 'id') : taskOfRow(one);
      if (task === '') continue;
      for (const [name, value] of leftoversOf(one, keys[table] ?? known(row), inWords(table))) keep(task, name, value);
    }
  const files = words(
    'task_attachments',
    'task_id',
    (one): Attachment => ({
      origin: text(one, 'id'),
      name: text(one, 'name'),
      type: text(one, 'content_type') || null,
      at: text(one, 'created_at') || null,
      places: [`files/${text(one, 'id')}/`],
      under: 'File',
      words: text(one, 'name'),
    }),
  );
  return {
    labels: words('task_label_links', 'task_id', (one) => labels.get(text(one, 'label_id')) ?? ''),
    assignees: words('task_assignees', 'task_id', (one) => text(one, 'user_id')),
    waitsFor: words('task_dependencies', 'successor_id', (one) => text(one, 'predecessor_id')),
    comments: byTask('task_comments'),
    items: byTask('task_checklist_items'),
    files,
    leftovers,
  };
}

const inWords = (table: string): string => (table === 'tasks' ? '' : table.replaceAll('_', ' '));

/** Of no task: a new project has all of it, and one that is there already none of it. */
function leftoversOfProject(tables: object): Leftover[] {
  const rows = Object.entries(tables).flatMap(([table, found]) =>
    table === 'tasks' || omittedTables.has(table)
      ? []
      : objects(found)
          .filter((one) => taskOfRow(one) === '')
          .flatMap((one) =>
            leftoversOf(one, keys[table] ?? known(row), `${inWords(table)} ${text(one, 'name')}`.trim()),
          ),
  );
  return reportedLeftovers(...rows);
}

function fieldInWords(field: object, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => fieldInWords(field, one)).join(', ');
  const option = list(field, 'options').find((one) => text(one, 'id') === value);
  return option === undefined ? String(value) : text(option, 'name');
}

interface Around {
  readonly key: string;
  readonly columnNames: ReadonlyMap<string, string>;
  readonly hanging: Hanging;
}

function taskOf(task: object, { key, columnNames, hanging }: Around): Task {
  const id = text(task, 'id');
  const items = (hanging.items.get(id) ?? []).toSorted((one, other) => place(one) - place(other));
  return {
    ...plainTask(id, text(task, 'title')),
    aliases: [`${key}-${text(task, 'number')}`],
    description: text(task, 'description'),
    state: columnNames.get(text(task, 'column_id')) ?? null,
    done: text(task, 'completed_at') !== '',
    archived: text(task, 'archived_at') !== '',
    priority: text(task, 'priority') as Priority,
    labels: hanging.labels.get(id) ?? [],
    assignees: hanging.assignees.get(id) ?? [],
    parent: text(task, 'parent_id') || null,
    waitsFor: hanging.waitsFor.get(id) ?? [],
    start: text(task, 'start_date') || null,
    due: text(task, 'due_date') || null,
    ...figuresBy((name) => number(task, name)),
    created: text(task, 'created_at') || null,
    completed: text(task, 'completed_at') || null,
    comments: (hanging.comments.get(id) ?? []).map(
      (one): Comment => ({
        origin: text(one, 'id'),
        author: text(one, 'author_id') || null,
        at: text(one, 'created_at') || null,
        body: text(one, 'body'),
      }),
    ),
    checklist: items.map((one) => ({ origin: text(one, 'id'), title: text(one, 'title'), done: flag(one, 'is_done') })),
    attachments: hanging.files.get(id) ?? [],
    leftovers: hanging.leftovers.get(id) ?? [],
  };
}

const place = (row: object): number => number(row, 'position') ?? 0;
