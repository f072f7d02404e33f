// The local normalised store: rows as the server last gave them, with the diffs of open entries on top, which screens read. Rows keep their
// identity while their columns do, so a refetch that changes nothing redraws nothing. Tables are declared in tables.ts; values of fields that
// come as whole columns lie below their rows (field-columns.ts). Answers and live changes enter by `receive` and `replace`, in any order.

import { indexesOf } from '../tables.ts';
import {
  applyDiff,
  asServerHasIt,
  type Diff,
  holds,
  keyOfChange,
  type RowChange,
  type RowDiff,
  rowKey,
  same,
} from './diff.ts';
import { FieldColumns } from './field-columns.ts';
import { Marks, type Reading, Reads } from './reads.ts';
import { type AnyRow, keyOf, type Rows, type TableName, tableNames } from './rows.ts';

/** The reading half: what queries, commands and screens may ask. */
export type Reader = Pick<Store, 'get' | 'all' | 'where' | 'count' | 'overlay' | 'fieldColumns' | 'version' | 'read'>;

/** A named read. */
export interface Query<A extends readonly unknown[], R> {
  /** Costly, and asked by several: so many of its answers, by their arguments, are shared. */
  readonly shared?: number;
  readonly read: (store: Reader, ...args: A) => R;
}

export { keyOfChange, type RowChange };

type Listener = () => void;

/** What is known of one row. */
interface Held {
  /** As the server last gave it, and as it is shown: with the pending diffs on top. */
  base: AnyRow | undefined;
  shown: AnyRow | undefined;
  /** Of open entries, oldest first. */
  pending: readonly RowDiff[];
  /** When the server last gave or ended it, on the store's own clock; 0: never. */
  givenAt: number;
  /** Where it is gone, its last version. */
  endedWith: number | undefined;
  /** An answer brought it before live changes, which come in the order of commits, have told of it. */
  isAhead: boolean;
  /** Nobody held it at the last sweep, and nothing of it came since. */
  isUnused: boolean;
}

interface Table {
  readonly rows: Map<string, Held>;
  /** What lies below the rows, where some come as whole columns. */
  readonly columns: FieldColumns | undefined;
  readonly marks: Marks;
  /** How often base rows have changed, shown or not. */
  baseVersion: number;
}

export class Store {
  private readonly tables = new Map<TableName, Table>();
  private clock = 0;
  private depth = 0;
  /** As many changes the listeners were told of. */
  private notified = 0;
  private readonly listeners = new Set<Listener>();
  private readonly reads = new Reads();
  private readonly ofFields = new FieldColumns((id) => this.get('tasks', id));

  constructor() {
    for (const table of tableNames)
      this.tables.set(table, {
        rows: new Map(),
        columns: table === 'task_field_values' ? this.ofFields : undefined,
        marks: new Marks(this.reads, indexesOf(table)),
        baseVersion: 0,
      });
  }

  // ── reading ────────────────────────────────────────────────────────────────

  get<T extends TableName>(table: T, key: string): Rows[T] | undefined {
    const { rows, columns, marks } = this.tableOf(table);
    marks.trackRow(key);
    const held = rows.get(key);
    return (held?.shown ?? (isKnown(held) ? undefined : columns?.row(key))) as Rows[T] | undefined;
  }

  /** What lies over what came otherwise: a row, null where it is known to be gone, undefined where nothing is known of it. */
  overlay<T extends TableName>(table: T, key: string): Rows[T] | null | undefined {
    const { rows, marks } = this.tableOf(table);
    marks.trackRow(key);
    const held = rows.get(key);
    return (held?.shown as Rows[T] | undefined) ?? (isKnown(held) ? null : undefined);
  }

  all<T extends TableName>(table: T): Rows[T][] {
    const { rows, marks } = this.tableOf(table);
    marks.trackTable();
    const all: Rows[T][] = [];
    for (const { shown } of rows.values()) if (shown) all.push(shown as Rows[T]);
    return all;
  }

  /** Rows whose indexed column holds the value. */
  where<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): Rows[T][] {
    const { rows, columns, marks } = this.tableOf(table);
    const found: Rows[T][] = [];
    for (const key of marks.trackValue(column, value)) found.push(rows.get(key)?.shown as Rows[T]);
    for (const key of columns?.keysOf(column, value) ?? []) {
      const row = rows.get(key)?.shown ? undefined : this.get(table, key);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  count<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): number {
    return this.tableOf(table).marks.trackValue(column, value).size;
  }

  /** Values of whole fields, which lie below the rows of their table. */
  get fieldColumns(): FieldColumns {
    this.version('task_field_values');
    return this.ofFields;
  }

  /** Grows with every change of what the table shows. */
  version(table: TableName): number {
    return this.tableOf(table).marks.trackTable();
  }

  /** What a query says, as it was said last where nothing that it looked at has changed since. */
  read<A extends readonly unknown[], R>(query: Query<A, R>, ...args: A): R {
    if (query.shared === undefined) return query.read(this, ...args);
    const reading = this.reading(query, args, JSON.stringify(args));
    const { value } = reading;
    this.reads.track(reading);
    return value;
  }

  reading<A extends readonly unknown[], R>(query: Query<A, R>, args: A, named: string): Reading<R> {
    return this.reads.reading(query, named, () => query.read(this, ...args));
  }

  /** A row as the server last gave it, without what we did since. */
  base<T extends TableName>(table: T, key: string): Rows[T] | undefined {
    const { rows, columns } = this.tableOf(table);
    const held = rows.get(key);
    return (held?.base ?? (held?.givenAt ? undefined : columns?.row(key))) as Rows[T] | undefined;
  }

  baseRows<T extends TableName>(table: T): Rows[T][] {
    return [...this.tableOf(table).rows.values()].flatMap(({ base }) => (base as Rows[T] | undefined) ?? []);
  }

  /** The keys of rows as the server last gave them. */
  baseKeys(table: TableName, part: (row: AnyRow) => boolean): string[] {
    const keys: string[] = [];
    for (const [key, { base }] of this.tableOf(table).rows) if (base && part(base)) keys.push(key);
    return keys;
  }

  /** Grows with every change of `baseRows`. */
  baseVersion(table: TableName): number {
    return this.tableOf(table).baseVersion;
  }

  /** Hears of changes of what is shown. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Hears when a table shows something else. */
  watch(table: TableName, listener: Listener): () => void {
    let last = this.version(table);
    return this.subscribe(() => {
      const version = this.version(table);
      if (version === last) return;
      last = version;
      listener();
    });
  }

  // ── what we do ─────────────────────────────────────────────────────────────

  /** Shows a diff at once; it stays until it is accepted or refused. */
  apply(diff: Diff): void {
    this.batch(() => {
      for (const one of diff) {
        const held = this.rowOf(one.table, rowKey(one));
        held.pending = [...held.pending, one];
        this.refresh(one.table, rowKey(one));
      }
    });
  }

  /**
   * A diff that the server has accepted becomes what it is known to hold, then its own answer goes on top, unless something newer is here
   * already. Returns the diff as the server has it.
   */
  accept(diff: Diff, rows: readonly RowChange[] = []): Diff {
    const answers = new Map(rows.map((change) => [`${change.table} ${keyOfChange(change)}`, change]));
    const answerTo = (one: RowDiff) => answers.get(`${one.table} ${rowKey(one)}`);
    this.batch(() => {
      for (const one of diff) {
        const held = this.drop(one);
        const key = rowKey(one);
        const answer = answerTo(one);
        if (answer === undefined || this.isNew(answer)) {
          const next = applyDiff(this.base(one.table, key), one);
          if (next) held.base = next;
          else end(held, one.kind === 'delete' ? one.row.version : undefined);
          this.tableOf(one.table).baseVersion++;
          held.givenAt = ++this.clock;
        }
        this.refresh(one.table, key);
      }
      this.receive(rows);
    });
    return diff.map((one) => {
      // As the answer says: the row itself may have been changed by someone else since.
      const answer = answerTo(one);
      const row: object | undefined = this.base(one.table, rowKey(one));
      const answered: object | undefined = answer && 'row' in answer ? answer.row : undefined;
      return asServerHasIt(one, (row || answered) && { ...row, ...answered });
    });
  }

  /** Every row that a refused diff touches shows what it showed without it. */
  refuse(diff: Diff): void {
    this.batch(() => {
      for (const one of diff) {
        this.drop(one);
        this.refresh(one.table, rowKey(one));
      }
    });
  }

  // ── what the server gives ───────────────────────────────────────────────────

  /** Row changes, from an answer or a live connection; older states than those that are here are passed over. */
  receive(changes: readonly RowChange[], isLive = false): void {
    this.batch(() => {
      for (const change of changes) {
        if (!this.isNew(change, isLive)) continue;
        const { table } = change;
        const key = keyOfChange(change);
        const held = this.rowOf(table, key);
        held.givenAt = ++this.clock;
        if ('gone' in change) {
          if (held.base) this.tableOf(table).baseVersion++;
          end(held, change.version);
          this.refresh(table, key);
          continue;
        }
        if (isLive) held.isAhead = false;
        else if ((change.row.version ?? 0) > versionOf(held.base)) held.isAhead = true;
        this.mergeBase(table, key, change.row as Partial<AnyRow>);
      }
    });
  }

  /** Whether a change tells nothing older than what is here. A deletion that comes live says no version, but comes in its turn. */
  isNew(change: RowChange, isLive = false): boolean {
    const held = this.tableOf(change.table).rows.get(keyOfChange(change));
    if ('gone' in change) {
      if (isLive && held?.isAhead) return false;
      return change.version === undefined || change.version >= versionOf(held?.base);
    }
    const { version } = change.row;
    if (version === undefined) return true;
    return version >= versionOf(held?.base) && version > (held?.endedWith ?? -1);
  }

  /** Whether an answer brought it before live changes have told of it: what they tell until then is from before. */
  isAhead(table: TableName, key: string): boolean {
    return this.tableOf(table).rows.get(key)?.isAhead ?? false;
  }

  /** Live changes begin, or begin anew: what is from before they do not tell any more. */
  beginLive(): void {
    for (const { rows } of this.tables.values())
      for (const held of rows.values()) {
        held.endedWith = undefined;
        held.isAhead = false;
      }
  }

  /** Whether the server gave or ended a row after that moment. */
  wasGiven(table: TableName, key: string, since: number): boolean {
    return (this.tableOf(table).rows.get(key)?.givenAt ?? 0) > since;
  }

  /** The moment to hand to `replace` once the answer to a question asked now is there. */
  now(): number {
    return this.clock;
  }

  /**
   * The whole of a part of a table, as asked at `since`. Rows of that part which the answer lacks are gone,
   * except those the server gave after the question was asked.
   */
  replace<T extends TableName>(
    table: T,
    part: (row: Rows[T]) => boolean,
    rows: readonly Partial<Rows[T]>[],
    since: number,
  ): void {
    this.batch(() => {
      this.merge(table, rows, since);
      this.retain(table, part, new Set(rows.map((row) => keyOf(table, row))), since);
    });
  }

  /** Rows of a table as asked for at `since`: of what the server gave later the newer stays. */
  merge<T extends TableName>(table: T, rows: readonly Partial<Rows[T]>[], since: number): void {
    this.batch(() => {
      for (const row of rows) {
        const key = keyOf(table, row);
        const held = this.rowOf(table, key);
        const { version = -1 } = row as Partial<AnyRow>;
        const isOlder = version < versionOf(held.base) || version <= (held.endedWith ?? -1);
        if (!isOlder || held.givenAt <= since) this.mergeBase(table, key, row as Partial<AnyRow>);
      }
    });
  }

  /** Of a part of a table, as asked for at `since`, only these keys are left. */
  retain<T extends TableName>(
    table: T,
    part: (row: Rows[T], key: string) => boolean,
    keys: ReadonlySet<string>,
    since: number,
  ): void {
    this.batch(() => {
      for (const [key, held] of this.tableOf(table).rows)
        if (held.base && !keys.has(key) && part(held.base as Rows[T], key) && held.givenAt <= since)
          this.dropBase(table, key, held);
    });
  }

  /** What now lies below a part of a table was asked for at `since`: rows that the server gave before say no more than it. */
  uncover(table: TableName, part: (key: string) => boolean, since: number): void {
    this.batch(() => {
      const { rows, marks } = this.tableOf(table);
      for (const [key, held] of rows) {
        if (!part(key) || held.givenAt > since) continue;
        held.givenAt = 0;
        this.dropBase(table, key, held);
      }
      marks.changeAll();
    });
  }

  /** Rows from an earlier visit, for keys nothing is known of yet. */
  restore<T extends TableName>(table: T, rows: readonly Partial<Rows[T]>[]): void {
    this.batch(() => {
      for (const row of rows) {
        const key = keyOf(table, row);
        const held = this.tableOf(table).rows.get(key);
        if (!held?.base && !held?.givenAt) this.mergeBase(table, key, row as Partial<AnyRow>);
      }
    });
  }

  /** Forgets what was unused at the last sweep and is now: rows that nobody holds, and traces of rows that are gone. */
  sweep(isHeld: (table: TableName, row: AnyRow) => boolean): void {
    this.batch(() => {
      for (const [table, { rows, columns, marks }] of this.tables) {
        for (const [key, held] of rows) {
          // A row that lies over another one, or was deleted there, stays as long as that.
          const stays = held.base ? isHeld(table, held.base) : columns?.row(key) !== undefined;
          const wasUnused = held.isUnused;
          held.isUnused = !stays && held.pending.length === 0;
          if (!wasUnused || !held.isUnused) continue;
          held.givenAt = 0;
          held.endedWith = undefined;
          this.dropBase(table, key, held);
        }
        marks.changeAll();
        columns?.coverOnly(rows.keys());
      }
    });
  }

  /** Forgets everything: someone signed out. */
  clear(): void {
    this.batch(() => {
      this.reads.clear();
      for (const held of this.tables.values()) {
        held.rows.clear();
        held.baseVersion++;
        held.columns?.clear();
        held.marks.changeAll(true);
      }
    });
  }

  /** Listeners are called once for several changes. */
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
    if (this.notified === this.reads.changes) return;
    this.notified = this.reads.changes;
    for (const listener of [...this.listeners]) listener();
  }

  private tableOf(table: TableName): Table {
    const held = this.tables.get(table);
    if (held === undefined) throw new Error(`no table ${table}`);
    return held;
  }

  private rowOf(table: TableName, key: string): Held {
    const { rows } = this.tableOf(table);
    const held = rows.get(key) ?? unknown();
    rows.set(key, held);
    return held;
  }

  private drop(one: RowDiff): Held {
    const held = this.rowOf(one.table, rowKey(one));
    held.pending = held.pending.filter((other) => other !== one);
    return held;
  }

  private dropBase(table: TableName, key: string, held: Held): void {
    if (held.base) this.tableOf(table).baseVersion++;
    held.base = undefined;
    this.refresh(table, key);
  }

  private mergeBase(table: TableName, key: string, row: Partial<AnyRow>): void {
    const held = this.rowOf(table, key);
    held.isUnused = false;
    held.endedWith = undefined;
    if (held.base && holds(held.base, row)) return;
    held.base = (held.base ? { ...held.base, ...row } : row) as AnyRow;
    this.tableOf(table).baseVersion++;
    this.refresh(table, key);
  }

  /** Recomputes one shown row from base and pending diffs, and its places in the indexes. */
  private refresh(table: TableName, key: string): void {
    const { rows, columns, marks } = this.tableOf(table);
    const held = this.rowOf(table, key);
    columns?.cover(key);
    const old = held.shown;
    // What lies below becomes a row of its own with what we do to it.
    let next: AnyRow | undefined = held.pending.length > 0 ? this.base(table, key) : held.base;
    for (const one of held.pending) next = applyDiff(next, one);
    if (!isKnown(held) && held.endedWith === undefined) rows.delete(key);
    if (next === old || (next && old && same(old, next))) return;
    held.shown = next;
    marks.change(key, old, next);
  }
}

const noDiffs: readonly RowDiff[] = [];

const unknown = (): Held => ({
  ...{ base: undefined, shown: undefined, pending: noDiffs },
  ...{ givenAt: 0, endedWith: undefined, isAhead: false, isUnused: false },
});

const isKnown = (held: Held | undefined): boolean =>
  held !== undefined && (held.base !== undefined || held.givenAt > 0 || held.pending.length > 0);

const versionOf = (row: AnyRow | undefined): number => row?.version ?? 0;

function end(held: Held, version = 0): void {
  held.endedWith = Math.max(version, versionOf(held.base), held.endedWith ?? 0);
  held.base = undefined;
  held.isAhead = false;
}
