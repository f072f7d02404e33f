// Reads of the store that remember their answer, and the rows, values of indexed columns, tables and other reads they looked at: one is
// made again only when one of these has changed since.

/** Something that a read looks at. `changedAt`: as many changes the store had seen when it changed last. */
interface Seen {
  readonly changedAt: number;
}

interface Mark {
  changedAt: number;
}

export class Reads {
  /** How many changes there were. */
  changes = 0;
  /** What the read that is made now has looked at. */
  private seen: Set<Seen> | null = null;
  private readonly shared = new Map<object, Map<string, Reading<unknown>>>();

  /** Whether a read is made now, which wants to know what it looks at. */
  get isOpen(): boolean {
    return this.seen !== null;
  }

  look(seen: Seen): void {
    this.seen?.add(seen);
  }

  record<R>(read: () => R): readonly [value: R, seen: ReadonlySet<Seen>] {
    const outer = this.seen;
    const seen = new Set<Seen>();
    this.seen = seen;
    try {
      return [read(), seen];
    } finally {
      this.seen = outer;
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
export class Reading<R> implements Seen {
  private readonly reads: Reads;
  private readonly read: () => R;
  private seen: ReadonlySet<Seen> | null = null;
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
    if (this.seen === null || this.isOld(this.seen)) {
      const [value, seen] = this.reads.record(this.read);
      const next = reuse(this.last, value);
      if (!Object.is(next, this.last)) this.changed = now;
      this.last = next;
      this.seen = seen;
    }
    this.checkedAt = now;
  }

  private isOld(seen: ReadonlySet<Seen>): boolean {
    for (const { changedAt } of seen) if (changedAt > this.checkedAt) return true;
    return false;
  }
}

/** What reads of one table look at, each with its last change. */
export class Marks {
  private readonly reads: Reads;
  private readonly table: Mark = { changedAt: 0 };
  private readonly rows = new Map<string, Mark>();
  private readonly values: ReadonlyMap<string, Map<unknown, Mark>>;

  constructor(reads: Reads, columns: readonly string[]) {
    this.reads = reads;
    this.values = new Map(columns.map((column) => [column, new Map<unknown, Mark>()]));
  }

  lookAtAll(): number {
    this.reads.look(this.table);
    return this.table.changedAt;
  }

  lookAtRow(key: string): void {
    if (this.reads.isOpen) this.reads.look(markOf(this.rows, key, this.reads.changes));
  }

  lookAtValue(column: string, value: unknown): void {
    const marks = this.values.get(column);
    if (this.reads.isOpen && marks) this.reads.look(markOf(marks, value, this.reads.changes));
  }

  /** A row came, went, or is another. */
  change(key: string, was: object | undefined, is: object | undefined): void {
    const now = ++this.reads.changes;
    const touch = (mark: Mark | undefined): void => {
      if (mark) mark.changedAt = now;
    };
    touch(this.table);
    touch(this.rows.get(key));
    for (const [column, marks] of this.values)
      for (const row of [was, is]) if (row) touch(marks.get(row[column as keyof typeof row]));
  }

  /** All of it may be another; and what nobody asks for any more is forgotten. */
  changeAll(): void {
    const now = ++this.reads.changes;
    for (const marks of [this.rows, ...this.values.values()]) {
      for (const mark of marks.values()) mark.changedAt = now;
      marks.clear();
    }
    this.table.changedAt = now;
  }
}

function markOf<K>(marks: Map<K, Mark>, key: K, changedAt: number): Mark {
  const mark = marks.get(key) ?? { changedAt };
  marks.set(key, mark);
  return mark;
}

/**
 * The old value where the new one says the same, at any depth, so that nothing below redraws. What differs stays the new one,
 * with those parts of the old that it repeats.
 */
export function reuse<T>(old: unknown, fresh: T): T;
export function reuse(old: unknown, fresh: unknown): unknown {
  if (Object.is(old, fresh)) return old;
  if (Array.isArray(old) && Array.isArray(fresh)) {
    let reused = false;
    const parts = fresh.map((part: unknown, at) => {
      const kept = reuse(old[at], part);
      if (!Object.is(kept, part)) reused = true;
      return kept;
    });
    if (old.length === parts.length && parts.every((part, at) => Object.is(part, old[at]))) return old;
    return reused ? parts : fresh;
  }
  // Another row stands here now: nothing of the old one is to be found in it.
  if (isPlain(old) && isPlain(fresh) && old.id === fresh.id) {
    const columns = Object.keys(fresh);
    let reused = false;
    const parts = columns.map((column) => {
      const kept = reuse(old[column], fresh[column]);
      if (!Object.is(kept, fresh[column])) reused = true;
      return kept;
    });
    const same = columns.length === Object.keys(old).length;
    if (same && columns.every((column, at) => column in old && Object.is(parts[at], old[column]))) return old;
    return reused ? Object.fromEntries(columns.map((column, at) => [column, parts[at]])) : fresh;
  }
  return fresh;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
