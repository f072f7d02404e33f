// One unit of work on a connection: some statements and the Sync that ends them. Without an explicit `begin` among
// them Postgres makes it one implicit transaction. The answer counts only when ReadyForQuery has come: until then a
// deferred constraint may still fail the commit.

import { createHash } from 'node:crypto';
import type { Field, PostgresError, Result, Statement } from '../types.ts';
import { int16, int32, text } from './reader.ts';
import { giveSlab, slabMinimum, takeSlab } from './slabs.ts';

type Row = ReadonlyArray<Buffer | null>;
export type OnRow = (row: Row) => void;

/** What every connection shares about one statement text under one role. */
export class Shape {
  /** Smoothed time on the connection, in milliseconds; unknown at first. */
  cost = Number.POSITIVE_INFINITY;
  /**
   * Made of what it stands for: behind a pooler that does not track statements a name may already be there, prepared
   * by someone else, and must then mean the same.
   */
  readonly name: string;

  constructor(
    readonly text: string,
    /** Plans depend on the role through row security, so each role has its own. */
    readonly role: string,
  ) {
    this.name = `k${createHash('sha256').update(role).update('\0').update(text).digest('base64url').slice(0, 22)}`;
  }

  learn(milliseconds: number): void {
    this.cost = this.cost === Number.POSITIVE_INFINITY ? milliseconds : this.cost * 0.8 + milliseconds * 0.2;
  }
}

/** A statement as one connection knows it. The name is empty when it is parsed anew each time. */
export class Prepared {
  /** Null until Postgres has described it. */
  fields: readonly Field[] | null = null;

  constructor(readonly name: string) {}
}

export interface Step {
  /** Null: parsed anew each time (inside transactions, where a stale plan could not be retried). */
  readonly shape: Shape | null;
  readonly statement: Statement;
}

export class Exchange {
  #rows: Row[] = [];
  /** Where large rows lie. */
  #slabs: Buffer[] = [];
  #affected = 0;
  #seen = 0;
  /** Statements parsed and described in this exchange, in order; how many Postgres has confirmed. */
  readonly #parsing: Prepared[] = [];
  #parsed = 0;
  #described = 0;
  #main: Prepared | null = null;
  error: PostgresError | null = null;
  /** The caller is no longer interested. */
  abandoned = false;
  retried = false;
  /** Postgres ends the statement after so many milliseconds; 0: never. */
  limitMs = 0;
  startedAt = 0;
  /** The portal had more rows than were asked for. */
  suspended = false;

  constructor(
    readonly steps: readonly Step[],
    /** Which step's rows are the answer. */
    readonly main: number,
    /** May share a connection with others: reads only, which wait for nobody's locks. */
    readonly shareable: boolean,
    readonly resolve: (result: Result) => void,
    readonly reject: (error: unknown) => void,
    /** Takes the rows in place, as they are read; the result then has none. */
    readonly onRow: OnRow | undefined = undefined,
  ) {}

  /** Forgets an attempt, for the next one. */
  reset(): void {
    this.#rows = [];
    this.#slabs = [];
    this.#affected = 0;
    this.#seen = 0;
    this.#parsing.length = 0;
    this.#parsed = 0;
    this.#described = 0;
    this.#main = null;
    this.error = null;
    this.suspended = false;
  }

  willParse(prepared: Prepared): void {
    this.#parsing.push(prepared);
  }

  willAnswer(prepared: Prepared): void {
    this.#main = prepared;
  }

  /** Statements whose preparation never got confirmed. */
  unconfirmed(): readonly Prepared[] {
    return this.#parsing.slice(Math.min(this.#parsed, this.#described));
  }

  parseComplete(): void {
    this.#parsed++;
  }

  described(fields: readonly Field[]): void {
    const prepared = this.#parsing[this.#described++];
    if (prepared !== undefined) prepared.fields = fields;
  }

  /** `lent` bytes are overwritten by the next read: what is kept of them is copied. True: `bytes` are kept. */
  row(bytes: Buffer, start: number, end: number, lent: boolean): boolean {
    if (this.#seen !== this.main) return false;
    if (this.onRow !== undefined) {
      this.onRow(readRow(bytes, start));
      return false;
    }
    this.#rows.push(lent ? readRow(this.#copy(bytes, start, end), 0) : readRow(bytes, start));
    return !lent;
  }

  #copy(bytes: Buffer, start: number, end: number): Buffer {
    if (end - start < slabMinimum) return Buffer.from(bytes.subarray(start, end));
    const slab = takeSlab(end - start);
    bytes.copy(slab, 0, start, end);
    this.#slabs.push(slab);
    return slab;
  }

  /** A slab that a row lies in, to be given back with the result. */
  keep(slab: Buffer): void {
    this.#slabs.push(slab);
  }

  complete(bytes: Buffer, end: number): void {
    if (this.#seen++ === this.main) this.#affected = readAffected(bytes, end);
  }

  suspend(): void {
    this.suspended = true;
    this.#seen++;
  }

  /** The statement was prepared by an exchange before this one that failed, and yet it ran: its columns are not known. */
  get undescribed(): boolean {
    return this.#main !== null && this.#main.fields === null;
  }

  result(): Result {
    const result = { fields: this.#main?.fields ?? [], rows: this.#rows, affected: this.#affected };
    const slabs = this.#slabs;
    if (slabs.length === 0) return result;
    const release = (): void => {
      for (let slab = slabs.pop(); slab !== undefined; slab = slabs.pop()) giveSlab(slab);
    };
    return { ...result, release };
  }
}

function readRow(bytes: Buffer, start: number): Row {
  const count = int16(bytes, start);
  let at = start + 2;
  const row: (Buffer | null)[] = [];
  for (let index = 0; index < count; index++) {
    const length = int32(bytes, at);
    at += 4;
    if (length < 0) row.push(null);
    else {
      row.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return row;
}

/** The number a command tag ends with, as in `INSERT 0 3`. */
function readAffected(bytes: Buffer, end: number): number {
  let value = 0;
  let scale = 1;
  for (let at = end - 2; at >= 0; at--) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) break;
    value += digit * scale;
    scale *= 10;
  }
  return value;
}

export function readFields(bytes: Buffer, start: number): Field[] {
  const count = int16(bytes, start);
  const fields: Field[] = [];
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const name = text(bytes, at);
    at += Buffer.byteLength(name) + 1;
    fields.push({ name, type: int32(bytes, at + 6) });
    at += 18;
  }
  return fields;
}

/** A plan went stale through a schema change, or a pooler moved us to a server that knows the statement not, or already. */
export function isStalePlan(error: PostgresError): boolean {
  if (error.sqlstate === '26000' || error.sqlstate === '42P05') return true;
  return (
    error.sqlstate === '0A000' &&
    (error.fields.routine === 'RevalidateCachedQuery' || error.message.includes('cached plan'))
  );
}

/** Nothing of the transaction was kept, and the same may well succeed now: stale plans, deadlocks lost, serialization. */
export function isWorthRepeating(error: PostgresError): boolean {
  return error.sqlstate === '40P01' || error.sqlstate === '40001' || isStalePlan(error);
}
