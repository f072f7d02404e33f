// The local normalised store: what the server last said (base), what we did since (pending steps), and their sum, which screens read.
// Rows keep their identity while their columns do, so a refetch that changes nothing redraws nothing.
// The network lives next door; live row changes enter through `receive`, one by one or in heaps.

import type { AnyRow, Rows, TableName } from './rows.ts';
import { indexedColumns, keyOf, tableNames } from './rows.ts';
import type { Step } from './step.ts';
import { stepKey } from './step.ts';

/** A row as the server has it now, or its end. What a live connection will deliver. */
export type RowChange =
  | { [T in TableName]: { readonly table: T; readonly row: Partial<Rows[T]> } }[TableName]
  | { readonly table: TableName; readonly gone: string };

/** Who wants to hear of changes to a table. */
type Listener = () => void;

interface Shelf {
  readonly base: Map<string, AnyRow>;
  readonly visible: Map<string, AnyRow>;
  /** Column → value → keys of visible rows. */
  readonly indexes: Map<string, Map<unknown, Set<string>>>;
  /** Pending steps by key, oldest first. */
  readonly pending: Map<string, Step[]>;
  /** When the server last spoke of a key, on the store's own clock. */
  readonly heardAt: Map<string, number>;
  readonly listeners: Set<Listener>;
  version: number;
  /** How often what the server says has changed, shown or not. */
  said: number;
}

export class Store {
  private readonly shelves = new Map<TableName, Shelf>();
  private clock = 0;
  private depth = 0;
  private readonly touched = new Set<TableName>();

  constructor() {
    for (const table of tableNames)
      this.shelves.set(table, {
        base: new Map(),
        visible: new Map(),
        indexes: new Map(indexedColumns[table].map((column) => [column, new Map()])),
        pending: new Map(),
        heardAt: new Map(),
        listeners: new Set(),
        version: 0,
        said: 0,
      });
  }

  // ── reading ────────────────────────────────────────────────────────────────

  get<T extends TableName>(table: T, key: string): Rows[T] | undefined {
    return this.shelf(table).visible.get(key) as Rows[T] | undefined;
  }

  all<T extends TableName>(table: T): Rows[T][] {
    return [...this.shelf(table).visible.values()] as Rows[T][];
  }

  /** Rows whose indexed column holds the value. */
  where<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): Rows[T][] {
    const shelf = this.shelf(table);
    const index = shelf.indexes.get(column);
    if (index === undefined) throw new Error(`no index on ${table}.${column}`);
    const keys = index.get(value);
    if (keys === undefined) return [];
    const rows: Rows[T][] = [];
    for (const key of keys) rows.push(shelf.visible.get(key) as Rows[T]);
    return rows;
  }

  count<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): number {
    return this.shelf(table).indexes.get(column)?.get(value)?.size ?? 0;
  }

  /** What the server said, without what we did since. */
  baseRows<T extends TableName>(table: T): Rows[T][] {
    return [...this.shelf(table).base.values()] as Rows[T][];
  }

  version(table: TableName): number {
    return this.shelf(table).version;
  }

  /** Grows with every change of `baseRows`. */
  said(table: TableName): number {
    return this.shelf(table).said;
  }

  subscribe(tables: readonly TableName[], listener: Listener): () => void {
    for (const table of tables) this.shelf(table).listeners.add(listener);
    return () => {
      for (const table of tables) this.shelf(table).listeners.delete(listener);
    };
  }

  // ── what we do ─────────────────────────────────────────────────────────────

  /** Shows steps at once; they stay until `settle`. */
  apply(steps: readonly Step[]): void {
    this.batch(() => {
      for (const step of steps) {
        const shelf = this.shelf(step.table);
        const key = stepKey(step);
        const list = shelf.pending.get(key);
        if (list) list.push(step);
        else shelf.pending.set(key, [step]);
        this.refresh(step.table, key);
      }
    });
  }

  /**
   * Ends pending steps. Kept: they become what the server is known to hold, then `rows` (its own answer) go on top.
   * Refused: they are forgotten, and every row they touched shows what it showed without them.
   */
  settle(steps: readonly Step[], outcome: 'kept' | 'refused', rows: readonly RowChange[] = []): void {
    this.batch(() => {
      for (const step of steps) {
        const shelf = this.shelf(step.table);
        const key = stepKey(step);
        const list = shelf.pending.get(key);
        const at = list?.indexOf(step) ?? -1;
        if (list && at >= 0) {
          list.splice(at, 1);
          if (list.length === 0) shelf.pending.delete(key);
        }
        if (outcome === 'kept') {
          const next = applyStep(shelf.base.get(key), step);
          if (next) shelf.base.set(key, next);
          else shelf.base.delete(key);
          shelf.said++;
          shelf.heardAt.set(key, ++this.clock);
        }
        this.refresh(step.table, key);
      }
      this.receive(rows);
    });
  }

  // ── what the server says ───────────────────────────────────────────────────

  /** Row changes, from an answer or a live connection. */
  receive(changes: readonly RowChange[]): void {
    this.batch(() => {
      for (const change of changes) {
        const shelf = this.shelf(change.table);
        if ('gone' in change) {
          if (shelf.base.delete(change.gone)) shelf.said++;
          shelf.heardAt.set(change.gone, ++this.clock);
          this.refresh(change.table, change.gone);
          continue;
        }
        const key = keyOf(change.table, change.row as Partial<AnyRow>);
        shelf.heardAt.set(key, ++this.clock);
        this.mergeBase(change.table, key, change.row as Partial<AnyRow>);
      }
    });
  }

  /** The moment to hand to `replace` once the answer to a question asked now is there. */
  now(): number {
    return this.clock;
  }

  /**
   * The whole of a part of a table, as asked at `since`. Rows of that part which the answer lacks are gone,
   * except those the server spoke of after the question was asked.
   */
  replace<T extends TableName>(
    table: T,
    part: (row: Rows[T]) => boolean,
    rows: readonly Partial<Rows[T]>[],
    since: number,
  ): void {
    this.batch(() => {
      const shelf = this.shelf(table);
      const present = new Set<string>();
      for (const row of rows) {
        const key = keyOf(table, row);
        present.add(key);
        if ((shelf.heardAt.get(key) ?? 0) > since) continue;
        this.mergeBase(table, key, row as Partial<AnyRow>);
      }
      for (const [key, row] of shelf.base) {
        if (present.has(key) || !part(row as Rows[T]) || (shelf.heardAt.get(key) ?? 0) > since) continue;
        shelf.base.delete(key);
        shelf.said++;
        this.refresh(table, key);
      }
    });
  }

  /** Rows from an earlier visit, for keys nothing is known of yet. */
  recall<T extends TableName>(table: T, rows: readonly Partial<Rows[T]>[]): void {
    this.batch(() => {
      const shelf = this.shelf(table);
      for (const row of rows) {
        const key = keyOf(table, row);
        if (!shelf.base.has(key) && !shelf.heardAt.has(key)) this.mergeBase(table, key, row as Partial<AnyRow>);
      }
    });
  }

  /** Forgets everything: someone signed out. */
  clear(): void {
    this.batch(() => {
      for (const [table, shelf] of this.shelves) {
        shelf.base.clear();
        shelf.said++;
        shelf.visible.clear();
        shelf.pending.clear();
        shelf.heardAt.clear();
        for (const index of shelf.indexes.values()) index.clear();
        this.touched.add(table);
      }
    });
  }

  /** Listeners hear of several changes once. */
  batch(work: () => void): void {
    this.depth++;
    try {
      work();
    } finally {
      this.depth--;
      if (this.depth === 0) this.notify();
    }
  }

  // ── inside ─────────────────────────────────────────────────────────────────

  private notify(): void {
    if (this.touched.size === 0) return;
    const listeners = new Set<Listener>();
    for (const table of this.touched) {
      const shelf = this.shelf(table);
      shelf.version++;
      for (const listener of shelf.listeners) listeners.add(listener);
    }
    this.touched.clear();
    for (const listener of listeners) listener();
  }

  private shelf(table: TableName): Shelf {
    const shelf = this.shelves.get(table);
    if (shelf === undefined) throw new Error(`no table ${table}`);
    return shelf;
  }

  private mergeBase(table: TableName, key: string, row: Partial<AnyRow>): void {
    const shelf = this.shelf(table);
    const old = shelf.base.get(key);
    if (old !== undefined && holds(old, row)) return;
    shelf.base.set(key, (old === undefined ? row : { ...old, ...row }) as AnyRow);
    shelf.said++;
    this.refresh(table, key);
  }

  /** Recomputes one visible row from base and pending, and its places in the indexes. */
  private refresh(table: TableName, key: string): void {
    const shelf = this.shelf(table);
    const old = shelf.visible.get(key);
    let next = shelf.base.get(key);
    const pending = shelf.pending.get(key);
    if (pending) for (const step of pending) next = applyStep(next, step);
    if (next === old) return;
    if (next !== undefined && old !== undefined && same(old, next)) return;
    for (const [column, index] of shelf.indexes) {
      const was = old?.[column as keyof AnyRow] as unknown;
      const is = next?.[column as keyof AnyRow] as unknown;
      if (old !== undefined && (next === undefined || was !== is)) {
        const keys = index.get(was);
        keys?.delete(key);
        if (keys?.size === 0) index.delete(was);
      }
      if (next !== undefined && (old === undefined || was !== is)) {
        const keys = index.get(is);
        if (keys) keys.add(key);
        else index.set(is, new Set([key]));
      }
    }
    if (next === undefined) shelf.visible.delete(key);
    else shelf.visible.set(key, next);
    this.touched.add(table);
  }
}

function applyStep(row: AnyRow | undefined, step: Step): AnyRow | undefined {
  if (step.kind === 'insert') return row === undefined ? step.row : { ...step.row, ...row };
  if (step.kind === 'delete') return undefined;
  return row === undefined ? undefined : ({ ...row, ...step.after } as AnyRow);
}

/** Whether the row already holds these columns. */
function holds(row: AnyRow, columns: Partial<AnyRow>): boolean {
  // Thousands of rows come through here at every refetch: nothing is made that would have to be collected again.
  for (const column in columns) {
    const value = columns[column as keyof AnyRow] as unknown;
    const old = row[column as keyof AnyRow] as unknown;
    if (!Object.is(old, value) && !sameJson(old, value)) return false;
  }
  return true;
}

function same(one: AnyRow, other: AnyRow): boolean {
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
