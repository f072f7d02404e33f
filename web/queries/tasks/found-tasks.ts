// Tasks of all projects that pass a filter: the server is asked, since their rows are not here, and asked again when tasks change.

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { isFieldProperty } from '../../../contract/field-properties.ts';
import { queryOf } from '../../../contract/view-query.ts';
import type { Group, Sorting } from '../../../contract/views.ts';
import { type Door, dataOf } from '../../sync/door.ts';
import { type Query, useSync } from '../../sync/react.tsx';
import type { Source, SourceState } from '../../sync/rows/refetch.ts';
import type { AssigneeRow, ColumnRow, TaskRow } from '../../sync/rows/rows.ts';
import type { RowChange } from '../../sync/rows/store.ts';
import { startOfDay } from '../days/days.ts';

/** So many are shown; more are only counted. */
export const mostFound = 500;

export interface Found {
  readonly ids: readonly string[];
  readonly total: number;
}

type Answer = TaskRow & {
  readonly people: readonly AssigneeRow[];
  readonly column: ColumnRow;
};

const columns =
  'id,project_id,column_id,number,title,priority,order_rank,start_date,due_date,estimate,completed_at,archived_at,cover_attachment_id,created_by,created_at,updated_at,' +
  'people:task_assignees(project_id,task_id,user_id),column:workflow_columns(id,project_id,name,kind,position,wip_limit,color),project:projects!inner()';

async function find(door: Door, filter: Group, sort: readonly Sorting[]): Promise<readonly [Found, RowChange[]]> {
  const { embeds, narrowing, where } = queryOf(filter, startOfDay);
  let request = door
    .from('tasks')
    .select([columns, ...embeds].join(), { count: 'exact' })
    .is('archived_at', null)
    .is('project.archived_at', null);
  for (const [column, operator, value] of narrowing) request = request.filter(column, operator, value);
  if (where !== '') request = request.or(where);
  for (const { by, descending } of sort) {
    // What stands in a column of its own; a field is of one project, and these are of all.
    if (by === 'column' || isFieldProperty(by)) continue;
    request = request.order(by === 'parent' ? 'parent_id' : by, { ascending: !descending, nullsFirst: false });
  }
  const response = await request.order('project_id').order('number').limit(mostFound);
  // Columns in a text say nothing to the client's types.
  const answers = (dataOf(response) ?? []) as unknown as readonly Answer[];
  const rows = answers.flatMap(({ people, column, ...task }): RowChange[] => [
    { table: 'workflow_columns', row: column },
    { table: 'tasks', row: task },
    ...people.map((row) => ({ table: 'task_assignees' as const, row })),
  ]);
  return [{ ids: answers.map(({ id }) => id), total: response.count ?? answers.length }, rows];
}

/** `data` is what was found last, also for the filter before this one, until there is an answer. */
export function useFoundTasks(
  filter: Group,
  sort: readonly Sorting[],
): { readonly data: Found | null; readonly state: SourceState } {
  const { door, store, refetch } = useSync();
  const [data, setData] = useState<Found | null>(null);
  const named = JSON.stringify([filter, sort]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for filter and order
  const source = useMemo(
    (): Source => ({
      name: `found ${named}`,
      async fetch() {
        const [found, rows] = await find(door, filter, sort);
        store.receive(rows);
        setData(found);
      },
      load: async () => false,
      save: async () => undefined,
      staysFresh: 0,
      about: { kind: 'figures', projectId: undefined },
    }),
    [door, store, named],
  );
  useEffect(() => refetch.open(source), [refetch, source]);
  const state = useSyncExternalStore(refetch.subscribe, () => refetch.state(source.name));
  return { data, state };
}

/** In this order; those that are gone meanwhile are left out. */
export const tasksByIds: Query<[ids: readonly string[]], TaskRow[]> = {
  tables: ['tasks'],
  read: (store, ids) =>
    ids
      .map((id) => store.get('tasks', id))
      .filter((task) => task !== undefined && task.archived_at === null) as TaskRow[],
};
