// The local normalised store: the rows as the server last gave them (base), the diffs of what we did since (pending), and their sum,
// which screens read.
// Rows keep their identity while their columns do, so a refetch that changes nothing redraws nothing.
// It knows no table: which there are, and what of them comes otherwise than row by row, stands in tables.ts and underlays.ts. It knows no
// network: answers and live row changes enter through `receive` and `replace`, in whatever order they come: of two states of a row the one
// with the greater version stays.

import { indexesOf } from '../tables.ts';
import type { Diff, RowDiff } from './diff.ts';
import { applyDiff, asServerHasIt, holds, rowKey, same } from './diff.ts';
import { Marks, type Reading, Reads } from './reads.ts';
import type { AnyRow, Rows, TableName } from './rows.ts';
import { keyOf, tableNames } from './rows.ts';
import { openUnderlays, type Underlay, type Underlays } from './underlays.ts';

/** A row as the server has it now, or its end: `version` is the last that it had, where that is known. */
export type RowChange =
  | { [T in TableName]: { readonly table: T; readonly row: Partial<Rows[T]> } }[TableName]
  | { readonly table: TableName; readonly gone: string; readonly version?: number };

export function keyOfChange(change: RowChange): string {
  return 'gone' in change ? change.gone : keyOf(change.table, change.row as Partial<AnyRow>);
}

/** The reading half: what queries, commands and screens may ask. */
export type Reader = Pick<Store, 'get' | 'all' | 'where' | 'count' | 'over' | 'under' | 'version' | 'read'>;

/** A named read. */
export interface Query<A extends readonly unknown[], R> {
  /** Costly, and asked by several: so many of its answers, by their arguments, are shared. */
  readonly shared?: number;
  readonly read: (store: Reader, ...args: A) => R;
}

type Listener = () => void;

interface Table {
  readonly base: Map<string, AnyRow>;
  readonly visible: Map<string, AnyRow>;
  /** Column → value → keys of visible rows. */
  readonly indexes: Map<string, Map<unknown, Set<string>>>;
  /** Pending diffs by key, oldest first. */
  readonly pending: Map<string, readonly RowDiff[]>;
  /** When the server last gave or ended a row, on the store's own clock. */
  readonly givenAt: Map<string, number>;
  /** Rows that are gone, and their last versions. */
  readonly ended: Map<string, number>;
  /** Rows that an answer brought before live changes, which come in the order of commits, have told of them. */
  readonly ahead: Set<string>;
  /** Keys that nothing held at the last sweep, and of which nothing came since. */
  loose: Set<string>;
  /** What lies below the rows, where some come otherwise than one by one. */
  readonly under: Underlay | undefined;
  readonly marks: Marks;
  /** How often base has changed, shown or not. */
  baseVersion: number;
}

export class Store {
  private readonly tables = new Map<TableName, Table>();
  private clock = 0;
  private depth = 0;
  /** As many changes the listeners were told of. */
  private told = 0;
  private readonly listeners = new Set<Listener>();
  private readonly reads = new Reads();
  private readonly underlays: Underlays = openUnderlays((table, key) => this.get(table, key));

  constructor() {
    const unders: Partial<Record<TableName, Underlay>> = this.underlays;
    for (const table of tableNames)
      this.tables.set(table, {
        base: new Map(),
        visible: new Map(),
        indexes: new Map(indexesOf(table).map((column) => [column, new Map()])),
        pending: new Map(),
        givenAt: new Map(),
        ended: new Map(),
        ahead: new Set(),
        loose: new Set(),
        under: unders[table],
        marks: new Marks(this.reads, indexesOf(table)),
        baseVersion: 0,
      });
  }

  // ── reading ────────────────────────────────────────────────────────────────

  get<T extends TableName>(table: T, key: string): Rows[T] | undefined {
    const { visible, under, marks } = this.tableOf(table);
    marks.lookAtRow(key);
    return (visible.get(key) ?? (under && this.over(table, key) === undefined ? under.row(key) : undefined)) as
      | Rows[T]
      | undefined;
  }

  /** What lies over what came otherwise: a row, null where it is known to be gone, undefined where nothing is known of it. */
  over<T extends TableName>(table: T, key: string): Rows[T] | null | undefined {
    const { base, visible, pending, givenAt, marks } = this.tableOf(table);
    marks.lookAtRow(key);
    const isKnown = givenAt.has(key) || pending.has(key) || base.has(key);
    return (visible.get(key) as Rows[T] | undefined) ?? (isKnown ? null : undefined);
  }

  all<T extends TableName>(table: T): Rows[T][] {
    const { visible, marks } = this.tableOf(table);
    marks.lookAtAll();
    return [...visible.values()] as Rows[T][];
  }

  /** Rows whose indexed column holds the value. */
  where<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): Rows[T][] {
    const held = this.tableOf(table);
    const index = held.indexes.get(column);
    if (index === undefined) throw new Error(`no index on ${table}.${column}`);
    held.marks.lookAtValue(column, value);
    const rows: Rows[T][] = [];
    for (const key of index.get(value) ?? []) rows.push(held.visible.get(key) as Rows[T]);
    for (const key of held.under?.keysOf(column, value) ?? []) {
      const row = held.visible.has(key) ? undefined : this.get(table, key);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  count<T extends TableName>(table: T, column: keyof Rows[T] & string, value: unknown): number {
    const { indexes, marks } = this.tableOf(table);
    marks.lookAtValue(column, value);
    return indexes.get(column)?.get(value)?.size ?? 0;
  }

  /** By table: what lies below its rows. */
  get under(): Underlays {
    for (const { under, marks } of this.tables.values()) if (under) marks.lookAtAll();
    return this.underlays;
  }

  /** Grows with every change of what the table shows. */
  version(table: TableName): number {
    return this.tableOf(table).marks.lookAtAll();
  }

  /** What a query says, as it was said last where nothing that it looked at has changed since. */
  read<A extends readonly unknown[], R>(query: Query<A, R>, ...args: A): R {
    if (query.shared === undefined) return query.read(this, ...args);
    const reading = this.reading(query, args, JSON.stringify(args));
    const { value } = reading;
    this.reads.look(reading);
    return value;
  }

  reading<A extends readonly unknown[], R>(query: Query<A, R>, args: A, named: string): Reading<R> {
    return this.reads.reading(query, named, () => query.read(this, ...args));
  }

  /** A row as the server last gave it, without what we did since. */
  base<T extends TableName>(table: T, key: string): Rows[T] | undefined {
    const { base, givenAt, under } = this.tableOf(table);
    return (base.get(key) ?? (givenAt.has(key) ? undefined : under?.row(key))) as Rows[T] | undefined;
  }

  baseRows<T extends TableName>(table: T): Rows[T][] {
    return [...this.tableOf(table).base.values()] as Rows[T][];
  }

  /** The keys of rows as the server last gave them. */
  baseKeys(table: TableName, part: (row: AnyRow) => boolean): string[] {
    const keys: string[] = [];
    for (const [key, row] of this.tableOf(table).base) if (part(row)) keys.push(key);
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
        const { pending } = this.tableOf(one.table);
        const key = rowKey(one);
        pending.set(key, [...(pending.get(key) ?? []), one]);
        this.refresh(one.table, key);
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
          if (next) held.base.set(key, next);
          else this.end(held, key, one.kind === 'delete' ? one.row.version : undefined);
          held.baseVersion++;
          held.givenAt.set(key, ++this.clock);
        }
        this.refresh(one.table, key);
      }
      this.receive(rows);
    });
    return diff.map((one) => {
      // As the answer says: the row itself may have been changed by someone else since.
      const answer = answerTo(one);
      const row = this.base(one.table, rowKey(one));
      return asServerHasIt(one, answer && 'row' in answer ? { ...row, ...answer.row } : row);
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
        const held = this.tableOf(change.table);
        const key = keyOfChange(change);
        if (!this.isNew(change, isLive)) continue;
        held.givenAt.set(key, ++this.clock);
        if ('gone' in change) {
          this.end(held, key, change.version);
          this.refresh(change.table, key);
          continue;
        }
        if (isLive) held.ahead.delete(key);
        else if ((change.row.version ?? 0) > versionOf(held.base.get(key))) held.ahead.add(key);
        held.ended.delete(key);
        this.mergeBase(change.table, key, change.row as Partial<AnyRow>);
      }
    });
  }

  /** Whether a change tells nothing older than what is here. A deletion that comes live says no version, but comes in its turn. */
  isNew(change: RowChange, isLive = false): boolean {
    const held = this.tableOf(change.table);
    const key = keyOfChange(change);
    if ('gone' in change) {
      if (isLive && this.isAhead(change.table, key)) return false;
      return change.version === undefined || change.version >= versionOf(held.base.get(key));
    }
    const { version } = change.row;
    if (version === undefined) return true;
    return version >= versionOf(held.base.get(key)) && version > (held.ended.get(key) ?? -1);
  }

  /** Whether an answer brought it before live changes have told of it: what they tell until then is from before. */
  isAhead(table: TableName, key: string): boolean {
    return this.tableOf(table).ahead.has(key);
  }

  /** Live changes begin, or begin anew: what is from before they do not tell any more. */
  beginLive(): void {
    for (const { ended, ahead } of this.tables.values()) {
      ended.clear();
      ahead.clear();
    }
  }

  /** Whether the server gave or ended a row after that moment. */
  wasGiven(table: TableName, key: string, since: number): boolean {
    return (this.tableOf(table).givenAt.get(key) ?? 0) > since;
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
      const { givenAt, base, ended } = this.tableOf(table);
      for (const row of rows) {
        const key = keyOf(table, row);
        const { version = -1 } = row as Partial<AnyRow>;
        const isOlder = version < versionOf(base.get(key)) || version <= (ended.get(key) ?? -1);
        if (isOlder && (givenAt.get(key) ?? 0) > since) continue;
        ended.delete(key);
        this.mergeBase(table, key, row as Partial<AnyRow>);
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
      const held = this.tableOf(table);
      for (const [key, row] of held.base) {
        if (keys.has(key) || !part(row as Rows[T], key) || (held.givenAt.get(key) ?? 0) > since) continue;
        held.base.delete(key);
        held.baseVersion++;
        this.refresh(table, key);
      }
    });
  }

  /** What now lies below a part of a table was asked for at `since`: rows that the server gave before say no more than it. */
  uncover(table: TableName, part: (key: string) => boolean, since: number): void {
    this.batch(() => {
      const { base, visible, givenAt } = this.tableOf(table);
      for (const rows of [base, visible, givenAt])
        for (const key of [...rows.keys()]) {
          if (!part(key) || (givenAt.get(key) ?? 0) > since) continue;
          base.delete(key);
          givenAt.delete(key);
          this.refresh(table, key);
        }
      this.tableOf(table).marks.changeAll();
    });
  }

  /** Rows from an earlier visit, for keys nothing is known of yet. */
  recall<T extends TableName>(table: T, rows: readonly Partial<Rows[T]>[]): void {
    this.batch(() => {
      const held = this.tableOf(table);
      for (const row of rows) {
        const key = keyOf(table, row);
        if (!held.base.has(key) && !held.givenAt.has(key)) this.mergeBase(table, key, row as Partial<AnyRow>);
      }
    });
  }

  /** Lets go of what was loose at the last sweep and is now: rows that nobody holds, and traces of rows that are gone. */
  sweep(isHeld: (table: TableName, row: AnyRow) => boolean): void {
    this.batch(() => {
      for (const [table, held] of this.tables) {
        const { base, pending, givenAt, ended, ahead, under } = held;
        const loose = new Set<string>();
        for (const key of new Set([base, givenAt, ended, ahead].flatMap((one) => [...one.keys()]))) {
          const row = base.get(key);
          // A row that lies over another one, or was deleted there, stays as long as that.
          const stays = row ? isHeld(table, row) : under?.row(key) !== undefined;
          if (stays || pending.has(key)) continue;
          if (!held.loose.has(key)) {
            loose.add(key);
            continue;
          }
          for (const one of [base, givenAt, ended, ahead]) one.delete(key);
          if (row) held.baseVersion++;
          this.refresh(table, key);
        }
        held.loose = loose;
        held.marks.changeAll();
        under?.coverOnly([base, givenAt, pending].flatMap((one) => [...one.keys()]));
      }
    });
  }

  /** Forgets everything: someone signed out. */
  clear(): void {
    this.batch(() => {
      this.reads.clear();
      for (const held of this.tables.values()) {
        held.base.clear();
        held.baseVersion++;
        held.visible.clear();
        held.pending.clear();
        held.givenAt.clear();
        held.ended.clear();
        held.ahead.clear();
        held.loose.clear();
        for (const index of held.indexes.values()) index.clear();
        held.under?.clear();
        held.marks.changeAll();
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
    if (this.told === this.reads.changes) return;
    this.told = this.reads.changes;
    for (const listener of [...this.listeners]) listener();
  }

  private tableOf(table: TableName): Table {
    const held = this.tables.get(table);
    if (held === undefined) throw new Error(`no table ${table}`);
    return held;
  }

  private drop(one: RowDiff): Table {
    const held = this.tableOf(one.table);
    const key = rowKey(one);
    const left = held.pending.get(key)?.filter((other) => other !== one) ?? [];
    if (left.length > 0) held.pending.set(key, left);
    else held.pending.delete(key);
    return held;
  }

  private end(held: Table, key: string, version = 0): void {
    const last = Math.max(version, versionOf(held.base.get(key)), held.ended.get(key) ?? 0);
    if (held.base.delete(key)) held.baseVersion++;
    held.ended.set(key, last);
    held.ahead.delete(key);
  }

  private mergeBase(table: TableName, key: string, row: Partial<AnyRow>): void {
    const held = this.tableOf(table);
    const old = held.base.get(key);
    held.loose.delete(key);
    if (old !== undefined && holds(old, row)) return;
    held.base.set(key, (old === undefined ? row : { ...old, ...row }) as AnyRow);
    held.baseVersion++;
    this.refresh(table, key);
  }

  /** Recomputes one visible row from base and pending, and its places in the indexes. */
  private refresh(table: TableName, key: string): void {
    const held = this.tableOf(table);
    held.under?.cover(key);
    const old = held.visible.get(key);
    const pending = held.pending.get(key);
    // What lies below becomes a row of its own with what we do to it.
    let next: AnyRow | undefined = pending ? this.base(table, key) : held.base.get(key);
    if (pending) for (const one of pending) next = applyDiff(next, one);
    if (next === old) return;
    if (next !== undefined && old !== undefined && same(old, next)) return;
    for (const [column, index] of held.indexes) {
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
    if (next === undefined) held.visible.delete(key);
    else held.visible.set(key, next);
    held.marks.change(key, old, next);
  }
}

const versionOf = (row: AnyRow | undefined): number => row?.version ?? 0;
