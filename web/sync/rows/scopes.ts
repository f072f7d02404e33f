// Scopes of rows that are fetched together: the user's world, assigned tasks, the inbox, notification settings, views, one project, one
// task. Each scope knows its questions and the rows that its answers replace.

import { type Door, dataOf } from '../door.ts';
import { columnsOf, type PersonalScope, type ProjectScope, servedName, tables } from '../tables.ts';
import { type AnyRow, keyOf, primaryKeys, type Rows, type TableName, tableNames } from './rows.ts';
import type { Store } from './store.ts';

type Kinds<K extends string, Of> = K extends unknown ? { readonly kind: K } & Readonly<Of> : never;
export type Scope =
  | Kinds<PersonalScope, { userId: string }>
  | Kinds<ProjectScope, { projectId: string }>
  | Kinds<'task', { projectId: string; taskId: string }>;

export function scopeName(scope: Scope): string {
  if ('userId' in scope) return scope.kind;
  return `${scope.kind} ${'taskId' in scope ? scope.taskId : scope.projectId}`;
}

/** One question: which rows of a table, which columns, and how to tell a row belongs to the answer. */
export interface Question<T extends TableName = TableName> {
  readonly table: T;
  readonly columns: readonly string[];
  readonly equals?: readonly [column: string, value: string];
  /** `equals` is a column of this table, of which each row has one with the same first column of its key. */
  readonly joined?: TableName;
  readonly part: (row: Rows[T]) => boolean;
  /** Which rows this device saves for the next visit; left out where it saves none. */
  readonly isSaved?: (row: Rows[T], store: Store) => boolean;
}

/** Scopes whose rows this device saves. */
const savedScopes: ReadonlySet<Scope['kind']> = new Set(['me', 'mine', 'inbox', 'views', 'project']);

export function questionsOf(scope: Scope): Question[] {
  return tableNames.flatMap((table) => {
    const column = tables[table].scopes[scope.kind];
    return column === undefined ? [] : [questionOf(table, column, scope)];
  });
}

/** Ids and texts are all that is looked at, in whatever table. */
type Texts = Readonly<Record<string, unknown>>;

function questionOf(table: TableName, picked: string, scope: Scope): Question {
  const columns = columnsOf(table, scope.kind === 'task');
  const value = 'userId' in scope ? scope.userId : 'taskId' in scope ? scope.taskId : scope.projectId;
  const mayBeSaved = savedScopes.has(scope.kind) && tables[table].isUnsaved === undefined;
  const [other = '', column] = picked.split('.');
  // A task that is no longer mine lost its link; the row itself may still be on a board.
  if (column !== undefined) {
    const joined = other as TableName;
    const isThere = (row: AnyRow, store: Store): boolean =>
      store.get(joined, `${keyOf(table, row)} ${value}`) !== undefined;
    return { table, columns, equals: [picked, value], joined, part: () => false, isSaved: isThere };
  }
  const { open } = tables[table];
  const isTheirs = (row: Texts): boolean =>
    (picked === '' || row[picked] === value) && (open === undefined || (row[open] ?? null) === null);
  const part = isTheirs as unknown as Question['part'];
  return {
    table,
    columns,
    part,
    ...(mayBeSaved ? { isSaved: part } : {}),
    ...(picked === '' ? {} : { equals: [picked, value] }),
  };
}

const pageSize = 1000;
/** So many pages are asked for side by side; the next ones begin behind the last row of these, so that no page has to skip many rows. */
const pagesAtOnce = 3;

/** All rows of a result, page by page; the first page says how many there are. */
async function readAll(door: Door, { table, columns, equals, joined }: Question): Promise<Partial<AnyRow>[]> {
  const order: readonly string[] = primaryKeys[table];
  const { open } = tables[table];
  const asked = [...columns, ...(joined ? [`${joined}!inner()`] : [])].join();
  const page = (behind: Partial<AnyRow> | undefined, from: number) => {
    let request = door.from(servedName(table)).select(asked, behind ? {} : { count: 'exact' });
    if (equals) request = request.eq(...equals);
    if (open) request = request.is(open, null);
    if (behind) {
      const [first = 'id'] = order;
      request = request.gte(first, textOf(behind, first)).or(isBehind(order, behind));
      // The server begins a later page there.
      if (joined) request = request.gte(`${joined}.${primaryKeys[joined][0]}`, textOf(behind, first));
    }
    for (const column of order) request = request.order(column, { ascending: true });
    return request.range(from, from + pageSize - 1);
  };
  const first = await page(undefined, 0);
  const rows = rowsOf(first);
  const total = first.count ?? rows.length;
  // A server may allow smaller pages than we ask for.
  const stride = rows.length;
  while (stride > 0 && rows.length < total) {
    const behind = rows.at(-1);
    const pages = Math.min(pagesAtOnce, Math.ceil((total - rows.length) / stride));
    const next = await Promise.all(Array.from({ length: pages }, (_, at) => page(behind, stride * at)));
    const more = next.flatMap((result) => rowsOf(result).slice(0, stride));
    // Some went away meanwhile.
    if (more.length === 0) break;
    rows.push(...more);
  }
  return rows;
}

/** So many keys go into an address. */
const keysPerRequest = 100;

/** Rows by their keys; of keys of several columns, rows that mix them may come along. */
export async function readByKeys(
  door: Door,
  table: TableName,
  keys: readonly string[],
  columns: readonly string[],
): Promise<Partial<AnyRow>[]> {
  const rows: Partial<AnyRow>[] = [];
  for (let from = 0; from < keys.length; from += keysPerRequest) {
    const some = keys.slice(from, from + keysPerRequest).map((key) => key.split(' '));
    let request = door.from(servedName(table)).select(columns.join());
    primaryKeys[table].forEach((column, at) => {
      request = request.in(column, [...new Set(some.map((key) => key[at] ?? ''))]);
    });
    rows.push(...rowsOf(await request));
  }
  return rows;
}

const textOf = (row: Partial<AnyRow>, column: string): string => String(row[column as keyof AnyRow]);

/** The rows that come after one, as a condition: a greater first column, or the same one and then the others likewise. */
function isBehind([column = 'id', ...rest]: readonly string[], row: Partial<AnyRow>): string {
  const value = JSON.stringify(textOf(row, column));
  const greater = `${column}.gt.${value}`;
  return rest.length === 0 ? greater : `${greater},and(${column}.eq.${value},or(${isBehind(rest, row)}))`;
}

/** The client's types tell rows from columns that are written out; of columns that come in a variable they know nothing. */
function rowsOf(result: Parameters<typeof dataOf<unknown>>[0]): Partial<AnyRow>[] {
  return (dataOf(result) ?? []) as Partial<AnyRow>[];
}

/** Asks a scope's questions at once and puts the results into the store together. */
export async function fetchScope(door: Door, store: Store, scope: Scope): Promise<void> {
  const since = store.now();
  const questions = questionsOf(scope);
  const results = await Promise.all(questions.map((question) => readAll(door, question)));
  store.batch(() => {
    questions.forEach((question, at) => {
      const rows = results[at] ?? [];
      // Asked by this question, so rows of its table.
      store.replace(question.table, question.part, rows as Partial<Rows[typeof question.table]>[], since);
    });
  });
}

/** Whether a screen shows the row, which no scope may have asked for. */
export type Hold = (table: TableName, row: AnyRow) => boolean;

interface Sources {
  evict(): boolean;
  sources(): readonly { readonly about?: Scope | { readonly kind: 'figures' } }[];
}

/** Forgets sources that nobody has looked at for long, and rows that no source and no screen holds. */
export function evict(refetch: Sources, store: Store, holds: Iterable<Hold>): void {
  if (!refetch.evict()) return;
  const questions = new Map<TableName, Question[]>();
  for (const { about } of refetch.sources())
    for (const question of about === undefined || about.kind === 'figures' ? [] : questionsOf(about))
      questions.set(question.table, [...(questions.get(question.table) ?? []), question]);
  store.sweep(
    (table, row) =>
      questions.get(table)?.some(({ part, isSaved }) => part(row) || isSaved?.(row, store)) ||
      [...holds].some((hold) => hold(table, row)),
  );
}
