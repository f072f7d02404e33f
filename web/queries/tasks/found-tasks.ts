// Tasks of all projects that pass a filter: the server is asked, since their rows are not here, and asked again when tasks change.

import { useEffect, useId, useMemo, useState } from 'react';
import { isFieldProperty } from '../../../contract/field-properties.ts';
import { queryOf } from '../../../contract/view-query.ts';
import type { Group, Sorting } from '../../../contract/views.ts';
import { type Door, dataOf } from '../../sync/door.ts';
import { type Query, useSource, useSync } from '../../sync/react.tsx';
import type { Figures, Source, SourceState } from '../../sync/rows/refetch.ts';
import { type ColumnRow, type Rows, type TableName, type TaskRow, tableNames } from '../../sync/rows/rows.ts';
import type { Store } from '../../sync/rows/store.ts';
import { columnsOf, tables } from '../../sync/tables.ts';
import { startOfDay } from '../days/days.ts';

/** So many are brought where nothing else is said; more are only counted. */
const mostFound = 500;

export interface Found {
  readonly ids: readonly string[];
  readonly total: number;
}

/** What hangs on a task, as a list, or, where it is one at most, by itself. */
const partNames = ['task_assignees', 'task_label_links', 'task_recurrences', 'task_dependencies'] as const;
type Part = (typeof partNames)[number];

type FoundTask = TaskRow &
  Readonly<Record<Part, unknown>> & {
    readonly labels: readonly { readonly label: Rows['task_labels'] }[];
    readonly column: ColumnRow;
  };

const embedded = (table: TableName, by = ''): string => `${table}${by}(${columnsOf(table).join()})`;

const columns = [
  ...columnsOf('tasks'),
  `column:${embedded('workflow_columns')}`,
  'project:projects!inner()',
  `labels:task_label_links(label:${embedded('task_labels')})`,
  ...partNames.map((name) =>
    embedded(name, name === 'task_dependencies' ? '!task_dependencies_successor_of_same_project' : ''),
  ),
];

/** Open tasks that pass a filter; `head`: only their number. */
export function askTasks(door: Door, asked: readonly string[], filter: Group, head = false) {
  const { embeds, narrowing, where } = queryOf(filter, startOfDay);
  let request = door
    .from('tasks')
    .select([...asked, ...embeds].join(), { count: 'exact', head })
    .is('archived_at', null);
  for (const [column, operator, value] of narrowing) request = request.filter(column, operator, value);
  if (where !== '') request = request.or(where);
  return request;
}

/** What changes what is found; `projectId`: only there. */
export function figuresOf(filter: Group, projectId?: string): Figures {
  const asked = queryOf(filter, startOfDay).embeds.map((embed) => /:(\w+)/.exec(embed)?.[1]);
  const others = tableNames.filter(
    (table) => asked.includes(table) && !tables[table].isCounted && columnsOf(table).includes('project_id'),
  );
  return { kind: 'figures', projectId, tables: others };
}

export async function findTasks(
  { door, store }: { readonly door: Door; readonly store: Store },
  filter: Group,
  sort: readonly Sorting[],
  most: number,
): Promise<Found> {
  const since = store.now();
  let request = askTasks(door, columns, filter).is('project.archived_at', null);
  for (const { by, descending } of sort) {
    // What stands in a column of its own; a field is of one project, and these are of all.
    if (by === 'column' || isFieldProperty(by)) continue;
    request = request.order(by === 'parent' ? 'parent_id' : by, { ascending: !descending, nullsFirst: false });
  }
  const response = await request.order('project_id').order('number').limit(most);
  // Columns in a text say nothing to the client's types.
  const answers = (dataOf(response) ?? []) as unknown as readonly FoundTask[];
  const ids = new Set(answers.map(({ id }) => id));
  store.batch(() => {
    const labels = answers.flatMap((answer) => answer.labels.map(({ label }) => label));
    store.merge(
      'workflow_columns',
      answers.map(({ column }) => column),
      since,
    );
    store.merge('task_labels', labels, since);
    for (const table of partNames) putPart(store, table, ids, answers, since);
    store.merge('tasks', answers.map(withoutParts), since);
  });
  return { ids: [...ids], total: response.count ?? answers.length };
}

/** What the answer lacks of a part hangs on the task no more. */
function putPart<T extends Part>(
  store: Store,
  table: T,
  ids: ReadonlySet<string>,
  answers: readonly FoundTask[],
  since: number,
): void {
  const whose = tables[table].parent as keyof Rows[T];
  const isTheirs = (row: Rows[T]): boolean => ids.has(String(row[whose]));
  store.replace<T>(
    table,
    isTheirs,
    answers.flatMap((answer) => (answer[table] ?? []) as Rows[T] | readonly Rows[T][]),
    since,
  );
}

function withoutParts(answer: FoundTask): TaskRow {
  const { column: _, labels: __, ...row } = answer;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !(name in tables))) as unknown as TaskRow;
}

/** `data` is what was found last, also for the filter before this one, until there is an answer. */
export function useFoundTasks(
  filter: Group,
  sort: readonly Sorting[],
  most = mostFound,
): { readonly data: Found | null; readonly state: SourceState } {
  const { door, store, hold } = useSync();
  const [data, setData] = useState<Found | null>(null);
  // Whoever asks the same beside this one, or in its place, gets an answer of its own.
  const id = useId();
  const named = JSON.stringify([filter, sort, most]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for filter and order
  const source = useMemo(
    (): Source => ({
      name: `found ${id} ${named}`,
      async fetch() {
        setData(await findTasks({ door, store }, filter, sort, most));
      },
      load: async () => false,
      save: async () => undefined,
      staysFresh: 0,
      about: figuresOf(filter),
    }),
    [door, store, id, named],
  );
  // Those that are found, with what hangs on them.
  useEffect(() => {
    const ids = new Set(data?.ids);
    return hold((table, row) => {
      const task = table === 'tasks' ? (row as TaskRow).id : 'task_id' in row ? (row.task_id ?? null) : null;
      return task === null || ids.has(task);
    });
  }, [hold, data]);
  const state = useSource(source);
  return { data, state };
}

/** In this order; those that are gone meanwhile are left out. */
export const tasksByIds: Query<[ids: readonly string[]], TaskRow[]> = {
  read: (store, ids) =>
    ids
      .map((id) => store.get('tasks', id))
      .filter((task) => task !== undefined && task.archived_at === null) as TaskRow[],
};
