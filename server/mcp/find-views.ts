// Saved views as queries over tasks: the filters that the app has, read by contract/read-view.ts.

import { Temporal } from 'temporal-polyfill';
import { readFilter, readSort, settleFilter, WrongView } from '../../contract/read-view.ts';
import { queryOf } from '../../contract/view-query.ts';
import type { Group, Sorting } from '../../contract/views.ts';
import type { Board, Query } from './board.ts';
import { findNamed, isId, once, type Project } from './names.ts';
import { ToolFault } from './tool-fault.ts';

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly project_id: string | null;
  readonly filter: unknown;
  readonly sort: unknown;
}

export async function findView(board: Board, named: string, project: Project | null): Promise<SavedView> {
  const text = named.trim().replace(/^kanbase:\/\/view\//, '');
  const within: Query = isId(text)
    ? [['id', `eq.${text}`]]
    : project === null
      ? []
      : [['or', `(project_id.eq.${project.id},project_id.is.null)`]];
  const views = await board.read<readonly SavedView[]>('saved_views', [
    ['select', 'id,name,project_id,filter,sort'],
    ...within,
    ['order', 'position,id'],
    ['limit', '500'],
  ]);
  return findNamed('view', views, text);
}

export interface FoundQuery {
  readonly more: string;
  readonly query: Query;
}

/** Days are those of the person, as in the app and in claim_next_task. */
const readZone = (board: Board): Promise<string> =>
  once(board, 'zone', async () => {
    const [row] = await board.read<readonly { time_zone: string }[]>('notification_schedules', [
      ['select', 'time_zone'],
      ['user_id', `eq.${board.me}`],
    ]);
    return row?.time_zone ?? 'UTC';
  });

export async function queryOfFilter(board: Board, filter: unknown): Promise<FoundQuery> {
  const asked = read(() => readFilter(filter));
  const zone = await readZone(board);
  const { where, embeds, narrowing } = queryOf(
    settleFilter(asked, Temporal.Now.plainDateISO(zone).toString(), board.me),
    (day) => Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant().toString(),
  );
  return {
    more: embeds.map((embed) => `,${embed}`).join(''),
    query: [
      ...narrowing.map(([column, operator, value]) => [column, `${operator}.${value}`] as const),
      ...(where === '' ? [] : [['and', `(${where})`] as const]),
    ],
  };
}

const orders: Readonly<Record<string, string>> = { column: 'column(position)', parent: 'parent_id' };

/** Fields of a project order nothing here. */
export function orderOf(sort: unknown): string {
  const wanted = (sort === null || sort === undefined ? [] : read(() => readSort(sort))) as readonly Sorting[];
  const named = wanted
    .filter(({ by }) => !by.includes('.'))
    .map(({ by, descending }) => `${orders[by] ?? by}.${descending ? 'desc' : 'asc'}.nullslast`);
  return [...named, 'project_id', 'column(position)', 'order_rank', 'id'].join();
}

function read<T extends Group | readonly Sorting[]>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof WrongView)) throw error;
    throw new ToolFault(
      `${error.message} A filter looks like {"all":[{"property":"due_date","is":"before","value":"today"}]}.`,
      'KB884',
    );
  }
}

export function readTime(since: string): string {
  const at = new Date(since);
  if (Number.isNaN(at.getTime()))
    throw new ToolFault(`since must be a time such as ${new Date().toISOString()}.`, 'KB884');
  return at.toISOString();
}
