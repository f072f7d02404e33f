// Diff of a mutation: a row is inserted, deleted, or some of its columns change. Every diff has an exact reverse, which is undo; a rollback
// forgets it. Nothing here is special to a table: the maker of a diff marks the columns that are a guess.

import { type AnyRow, keyOf, type Rows, type TableName } from './rows.ts';

interface Guess {
  /** Columns that the server decides by itself; shown until it has, and no sign of anyone's change. */
  readonly guessed?: readonly string[];
}

export interface InsertDiff<T extends TableName = TableName> extends Guess {
  readonly kind: 'insert';
  readonly table: T;
  readonly row: Rows[T];
}

export interface DeleteDiff<T extends TableName = TableName> extends Guess {
  readonly kind: 'delete';
  readonly table: T;
  readonly row: Rows[T];
}

export interface UpdateDiff<T extends TableName = TableName> extends Guess {
  readonly kind: 'update';
  readonly table: T;
  readonly key: string;
  readonly before: Partial<Rows[T]>;
  readonly after: Partial<Rows[T]>;
  /** It was brought about by a procedure of its own, which the way back takes too, rather than by writing the columns. */
  readonly by?: 'move' | 'project';
}

/** One table at a time, so that one of a union of tables still knows which rows it holds. */
export type RowDiff = { [T in TableName]: InsertDiff<T> | DeleteDiff<T> | UpdateDiff<T> }[TableName];

export type Diff = readonly RowDiff[];

/** A row as the server has it now, or its end: `version` is the last that it had, where that is known. */
export type RowChange =
  | { [T in TableName]: { readonly table: T; readonly row: Partial<Rows[T]> } }[TableName]
  | { readonly table: TableName; readonly gone: string; readonly version?: number };

export function keyOfChange(change: RowChange): string {
  return 'gone' in change ? change.gone : keyOf(change.table, change.row as Partial<AnyRow>);
}

export function insert<T extends TableName>(table: T, row: Rows[T], guessed: readonly (keyof Rows[T])[] = []): RowDiff {
  return { kind: 'insert', table, row, guessed } as RowDiff;
}

export function remove<T extends TableName>(table: T, row: Rows[T]): RowDiff {
  return { kind: 'delete', table, row } as RowDiff;
}

/** The same change, of which these columns are a guess, too. */
export function guessing(diff: RowDiff, columns: readonly string[]): RowDiff {
  return { ...diff, guessed: [...(diff.guessed ?? []), ...columns] };
}

/** Only what really differs; null when nothing does. A guess counts only beside something that is meant. */
export function update<T extends TableName>(
  table: T,
  row: Rows[T],
  meant: Partial<Rows[T]>,
  guess: Partial<Rows[T]> = {},
): RowDiff | null {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(meant)) {
    const old: unknown = row[column as keyof Rows[T]];
    if (isSame(old, value)) continue;
    before[column] = old;
    after[column] = value;
  }
  if (Object.keys(after).length === 0) return null;
  const guessed = Object.keys(guess);
  for (const column of guessed) {
    before[column] = row[column as keyof Rows[T]];
    after[column] = guess[column as keyof Rows[T]];
  }
  return { kind: 'update', table, key: keyOf(table, row), before, after, guessed } as RowDiff;
}

/** The same change, backwards. */
function reverseRow(diff: RowDiff): RowDiff {
  if (diff.kind === 'insert') return { ...diff, kind: 'delete' } as RowDiff;
  if (diff.kind === 'delete') return { ...diff, kind: 'insert' } as RowDiff;
  return { ...diff, before: diff.after, after: diff.before } as RowDiff;
}

export function reverse(diff: Diff): RowDiff[] {
  return diff.map(reverseRow).reverse();
}

export function rowKey(diff: RowDiff): string {
  return diff.kind === 'update' ? diff.key : keyOf(diff.table, diff.row);
}

type Columns = Readonly<Record<string, unknown>>;

/** The diff with what the server made of it: it may have its own clock, and its own place for a row. */
export function asServerHasIt(one: RowDiff, row: Columns | undefined): RowDiff {
  if (row === undefined || one.kind === 'delete') return one;
  const fromServer = (of: object): Columns =>
    Object.fromEntries(Object.keys(of).map((column) => [column, row[column]]));
  const has = one.kind === 'insert' ? { row: fromServer(one.row) } : { after: fromServer(one.after) };
  return { ...one, ...has } as RowDiff;
}

/** JSON comes as another object every time, and from the database with its names in another order. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return Object.is(one, other);
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame((one as Columns)[name], (other as Columns)[name]))
  );
}

/** Whether the row is no longer as the diff left it: someone has changed it since. Of a row that is gone the server tells. */
export function isChangedSince(diff: RowDiff, row: Columns | undefined): boolean {
  if (diff.kind === 'delete' || row === undefined) return false;
  const left: Columns = diff.kind === 'insert' ? (diff.row as unknown as Columns) : diff.after;
  return Object.entries(left).some(([column, value]) => {
    const now = row[column];
    return (
      column !== 'version' &&
      !diff.guessed?.includes(column) &&
      now !== undefined &&
      value !== undefined &&
      !isSame(now, value)
    );
  });
}

/** The row after the change; undefined where there is none. */
export function applyDiff(row: AnyRow | undefined, diff: RowDiff): AnyRow | undefined {
  if (diff.kind === 'insert') return row === undefined ? diff.row : ({ ...(diff.row as object), ...row } as AnyRow);
  if (diff.kind === 'delete') return undefined;
  return row === undefined ? undefined : ({ ...row, ...diff.after } as AnyRow);
}

/** Whether the row already holds these columns. */
export function holds(row: AnyRow, columns: Partial<AnyRow>): boolean {
  // Thousands of rows come through here at every refetch: nothing is made that would have to be collected again.
  for (const column in columns) {
    const value = columns[column as keyof AnyRow] as unknown;
    const old = row[column as keyof AnyRow] as unknown;
    if (!Object.is(old, value) && !sameJson(old, value)) return false;
  }
  return true;
}

export function same(one: AnyRow, other: AnyRow): boolean {
  return Object.keys(one).length === Object.keys(other).length && holds(one, other);
}

function sameJson(one: unknown, other: unknown): boolean {
  return (
    typeof one === 'object' &&
    typeof other === 'object' &&
    one !== null &&
    JSON.stringify(one) === JSON.stringify(other)
  );
}
