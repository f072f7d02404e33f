// Reads of the store that remember their answer, and the rows, values of indexed columns, tables and other reads they looked at: one is
// made again only when one of these has changed since.

import type { AnyRow } from './rows.ts';

/** Something that a read looks at. `changedAt`: as many changes the store had seen when it changed last. */
interface Dependency {
  readonly changedAt: number;
}

interface Mark {
  changedAt: number;
}

export class Reads {
  /** How many changes there were. */
  changes = 0;
  /** Those of the read that is made now. */
  private dependencies: Set<Dependency> | null = null;
  private readonly shared = new Map<object, Map<string, Reading<unknown>>>();

  get isTracking(): boolean {
    return this.dependencies !== null;
  }

  track(dependency: Dependency): void {
    this.dependencies?.add(dependency);
  }

  record<R>(read: () => R): readonly [value: R, dependencies: ReadonlySet<Dependency>] {
    const outer = this.dependencies;
    const dependencies = new Set<Dependency>();
    this.dependencies = dependencies;
    try {
      return [read(), dependencies];
    } finally {
      this.dependencies = outer;
    }
  }

  /** Of a shared read, by the name of its arguments, the one that is here. */
  reading<R>(query: { readonly shared?: number }, named: string, read: () => R): Reading<R> {
    if (query.shared === undefined) return new Reading(this, read);
    const some = this.shared.get(query) ?? new Map<string, Reading<unknown>>();
    this.shared.set(query, some);
    const reading = (some.get(named) as Reading<R> | undefined) ?? new Reading(this, read);
    some.delete(named);
    some.set(named, reading);
    for (const oldest of some.keys()) if (some.size > query.shared) some.delete(oldest);
    return reading;
  }

  clear(): void {
    this.shared.clear();
  }
}

/** A read of a store, and its last answer. */
export class Reading<R> implements Dependency {
  private readonly reads: Reads;
  private readonly read: () => R;
  private dependencies: ReadonlySet<Dependency> | null = null;
  private checkedAt = -1;
  private changed = 0;
  private last: R | undefined;

  constructor(reads: Reads, read: () => R) {
    this.reads = reads;
    this.read = read;
  }

  get value(): R {
    this.check();
    return this.last as R;
  }

  get changedAt(): number {
    this.check();
    return this.changed;
  }

  private check(): void {
    const now = this.reads.changes;
    if (this.checkedAt === now) return;
    if (this.dependencies === null || this.isOld(this.dependencies)) {
      const [value, dependencies] = this.reads.record(this.read);
      const next = reuse(this.last, value);
      if (!Object.is(next, this.last)) this.changed = now;
      this.last = next;
      this.dependencies = dependencies;
    }
    this.checkedAt = now;
  }

  private isOld(dependencies: ReadonlySet<Dependency>): boolean {
    for (const { changedAt } of dependencies) if (changedAt > this.checkedAt) return true;
    return false;
  }
}

/** Rows that hold a value in an indexed column. */
interface Bucket extends Mark {
  readonly keys: Set<string>;
}

const noKeys: ReadonlySet<string> = new Set();

/** What reads of one table look at, each with its last change: the table, its rows, and values of indexed columns with the keys of rows. */
export class Marks {
  private readonly reads: Reads;
  private readonly table: Mark = { changedAt: 0 };
  private readonly rows = new Map<string, Mark>();
  private readonly columns: ReadonlyMap<string, Map<unknown, Bucket>>;

  constructor(reads: Reads, columns: readonly string[]) {
    this.reads = reads;
    this.columns = new Map(columns.map((column) => [column, new Map<unknown, Bucket>()]));
  }

  trackTable(): number {
    this.reads.track(this.table);
    return this.table.changedAt;
  }

  trackRow(key: string): void {
    if (!this.reads.isTracking) return;
    const mark = this.rows.get(key) ?? { changedAt: this.reads.changes };
    this.rows.set(key, mark);
    this.reads.track(mark);
  }

  /** The keys of the rows that hold it. */
  trackValue(column: string, value: unknown): ReadonlySet<string> {
    const buckets = this.columns.get(column);
    if (buckets === undefined) throw new Error(`no index on ${column}`);
    if (!this.reads.isTracking) return buckets.get(value)?.keys ?? noKeys;
    const bucket = bucketOf(buckets, value, this.reads.changes);
    this.reads.track(bucket);
    return bucket.keys;
  }

  /** A row came, went, or is another. */
  change(key: string, was: AnyRow | undefined, is: AnyRow | undefined): void {
    const now = ++this.reads.changes;
    this.table.changedAt = now;
    const row = this.rows.get(key);
    if (row) row.changedAt = now;
    for (const [column, buckets] of this.columns as Map<keyof AnyRow, Map<unknown, Bucket>>) {
      const left = was && buckets.get(was[column]);
      if (left) {
        left.changedAt = now;
        if (is?.[column] !== was[column] || !is) left.keys.delete(key);
      }
      if (!is) continue;
      const joined = bucketOf(buckets, is[column], now);
      joined.changedAt = now;
      joined.keys.add(key);
    }
  }

  /** All of it may be another; and what nobody asks for any more is forgotten. `isEmpty`: no rows are left. */
  changeAll(isEmpty = false): void {
    const now = ++this.reads.changes;
    this.table.changedAt = now;
    for (const mark of this.rows.values()) mark.changedAt = now;
    this.rows.clear();
    for (const buckets of this.columns.values())
      for (const [value, bucket] of buckets) {
        bucket.changedAt = now;
        if (isEmpty) bucket.keys.clear();
        if (bucket.keys.size === 0) buckets.delete(value);
      }
  }
}

function bucketOf(buckets: Map<unknown, Bucket>, value: unknown, changedAt: number): Bucket {
  const bucket = buckets.get(value) ?? { changedAt, keys: new Set() };
  buckets.set(value, bucket);
  return bucket;
}

/**
 * The old value where the new one says the same, at any depth, so that nothing below redraws. What differs stays the new one,
 * with those parts of the old that it repeats.
 */
export function reuse<T>(old: unknown, fresh: T): T;
export function reuse(old: unknown, fresh: unknown): unknown {
  if (Object.is(old, fresh)) return old;
  if (Array.isArray(old) && Array.isArray(fresh)) {
    let some = false;
    const parts = fresh.map((part: unknown, at) => {
      const reused = reuse(old[at], part);
      if (!Object.is(reused, part)) some = true;
      return reused;
    });
    if (old.length === parts.length && parts.every((part, at) => Object.is(part, old[at]))) return old;
    return some ? parts : fresh;
  }
  // Another row stands here now: nothing of the old one is to be found in it.
  if (isPlain(old) && isPlain(fresh) && old.id === fresh.id) {
    const columns = Object.keys(fresh);
    let some = false;
    const parts = columns.map((column) => {
      const reused = reuse(old[column], fresh[column]);
      if (!Object.is(reused, fresh[column])) some = true;
      return reused;
    });
    const same = columns.length === Object.keys(old).length;
    if (same && columns.every((column, at) => column in old && Object.is(parts[at], old[column]))) return old;
    return some ? Object.fromEntries(columns.map((column, at) => [column, parts[at]])) : fresh;
  }
  return fresh;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
