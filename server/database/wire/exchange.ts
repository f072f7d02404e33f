// One unit of work on a connection: some statements and the Sync that ends them. Without an explicit `begin` among
// them Postgres makes it one implicit transaction. The answer counts only when ReadyForQuery has come: until then a
// deferred constraint may still fail the commit. Reads of one caller may share a Sync, and so a transaction.

import { createHash } from 'node:crypto';
import type { Caller, Field, PostgresError, Result, Statement } from '../types.ts';
import { endOfText, garbled, int16, int32 } from './reader.ts';
import { doubtsTypes, isStalePlan, lostToOthers, namesDropped } from './repeatable-errors.ts';
import { giveSlab, slabMinimum, takeSlab } from './slabs.ts';

type Row = ReadonlyArray<Buffer | null>;
export type OnRow = (row: Row) => void;

/** What every connection shares about one statement text under one role. */
export class Shape {
  /** Smoothed time on the connection, in milliseconds; unknown at first. */
  cost = Number.POSITIVE_INFINITY;
  /** Until then what it says of dropped objects is taken as it is: new plans and new connections did not help. */
  incurableUntil = Number.NEGATIVE_INFINITY;
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
  /** It says who asks, and what Postgres finds wrong with it is the caller's. */
  readonly caller?: Caller;
}

export const rollbackStep: Step = { shape: null, statement: { text: 'rollback', values: [] } };
export const discardStep: Step = { shape: null, statement: { text: 'discard plans', values: [] } };
/** Nothing holds a rollback up. */
export const rollbackLimitMs = 10_000;

/** Reads quicker than this cost this process as much as Postgres: what they wait for is mostly each other's messages. */
export const tinyMs = 0.3;

/** An attempt that lost to others is repeated so often, after pauses that grow from this. */
const mostLost = 3;
const firstPauseMs = 20;
/** One that names what was dropped is repeated with new plans, and then on a new connection. */
const mostDropped = 2;
const incurableForMs = 10_000;

export class Exchange {
  #rows: Row[] = [];
  /** Where large rows lie. */
  #slabs: Buffer[] = [];
  #affected = 0;
  #seen = 0;
  #bound: number;
  /** Statements parsed and described in this exchange, in order; how many Postgres has confirmed. */
  readonly #parsing: Prepared[] = [];
  /** Shapes whose statements it closes to make room. */
  readonly closing: Shape[] = [];
  #parsed = 0;
  #described = 0;
  #main: Prepared | null = null;
  error: PostgresError | null = null;
  /** The caller is no longer interested. */
  abandoned = false;
  /** Its plan was stale: from now on its statements are parsed anew each time. */
  unnamed = false;
  /** A statement of it was prepared by one before it. */
  reuses = false;
  /** Has a transaction of its own, also from when it shared one with one that failed. */
  alone = false;
  /** Stands in the transaction of the exchange before it. */
  joined = false;
  /** How often it lost to others so far. */
  #lost = 0;
  /** How often it named what had been dropped. */
  #dropped = 0;
  /** Postgres ends the statement after so many milliseconds; 0: never. */
  limitMs = 0;
  /** Against whose share of the connections it counts; empty: nobody's. */
  owner = '';
  /** Whose budget it is charged to; empty: nobody's. */
  payer = '';
  /** The first that a request asks: turned away early where there is a crowd. */
  begins = false;
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
  ) {
    this.#bound = this.#firstBound;
  }

  /** A portal that more rows are fetched from was bound before. */
  get #firstBound(): number {
    return this.steps.length === 0 ? 1 : 0;
  }

  /** A stale plan is repeated once; one that lost to others a few times, since it may lose again. */
  mayRepeat(error: PostgresError): boolean {
    if (this.abandoned) return false;
    if (namesDropped(error)) return this.#mayForgetDropped();
    return this.isStale(error) ? !this.unnamed : lostToOthers(error) && this.#lost < mostLost;
  }

  /** It failed because of what was prepared for it before, or may have. */
  isStale(error: PostgresError): boolean {
    return isStalePlan(error) || (this.reuses && doubtsTypes(error));
  }

  #mayForgetDropped(): boolean {
    const shape = this.steps[this.main]?.shape;
    const now = performance.now();
    if (shape !== null && shape !== undefined && shape.incurableUntil > now) return false;
    if (this.#dropped < mostDropped) return true;
    if (shape !== null && shape !== undefined) shape.incurableUntil = now + incurableForMs;
    return false;
  }

  /** New plans did not help: only a connection that is new knows nothing of what was dropped. */
  get needsNewConnection(): boolean {
    return this.#dropped >= mostDropped;
  }

  /** Makes ready for the next attempt; after how many milliseconds that is. */
  repeat(error: PostgresError | null): number {
    this.#reset();
    if (error === null || this.isStale(error)) {
      this.reuses = false;
      if (error !== null && namesDropped(error)) this.#dropped++;
      this.unnamed = true;
      return 0;
    }
    // The other one was only just let go: at once the same two would meet again. By chance, so that two losers part.
    this.#lost++;
    return firstPauseMs * 4 ** (this.#lost - 1) * (0.5 + Math.random());
  }

  /** Another one of its transaction failed: makes ready for an attempt that cannot be troubled by others. */
  repeatAlone(): void {
    this.#reset();
    this.alone = true;
  }

  /** Smoothed time that its statement takes, in milliseconds; endless while unknown. */
  get cost(): number {
    return this.steps[this.main]?.shape?.cost ?? Number.POSITIVE_INFINITY;
  }

  /** A tiny read, that consists of who asks and what. */
  get mayShareTransaction(): boolean {
    if (!this.shareable || this.alone || this.cost >= tinyMs) return false;
    return this.steps.length === 2 && this.steps[0]?.caller !== undefined;
  }

  /**
   * Whether it may stand in the transaction of `other`: only what the same caller asks, so that nobody else sees a setting
   * that a function left behind; and with settings of the same names, so that it says all of them anew.
   */
  mayJoin(other: Exchange): boolean {
    const [own, its] = [this.steps[0], other.steps[0]];
    return this.mayShareTransaction && own?.caller === its?.caller && own?.shape === its?.shape;
  }

  /** Stands in the transaction of `other`, whose settings need not be made again where they are the same. */
  join(other: Exchange): void {
    this.joined = true;
    const values = other.steps[0]?.statement.values;
    if (this.steps[0]?.statement.values.every((value, at) => value === values?.[at]) !== true) return;
    this.#seen = this.#bound = 1;
  }

  /** The step that is written first. */
  get start(): number {
    return this.#seen;
  }

  #reset(): void {
    this.joined = false;
    this.#rows = [];
    this.#slabs = [];
    this.#affected = 0;
    this.#seen = 0;
    this.#bound = this.#firstBound;
    this.#parsing.length = 0;
    this.closing.length = 0;
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

  /** Postgres has taken the values of the next statement, which it does when the one before is done. */
  bindComplete(): void {
    if (this.#bound !== this.#seen) throw garbled();
    this.#bound++;
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
    this.#expectMore();
    if (this.#seen !== this.main) return false;
    const cells = this.#main?.fields?.length;
    if (this.onRow !== undefined) {
      this.onRow(readRow(bytes, start, end, cells));
      return false;
    }
    this.#rows.push(
      lent ? readRow(this.#copy(bytes, start, end), 0, end - start, cells) : readRow(bytes, start, end, cells),
    );
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

  complete(bytes: Buffer, start: number, end: number): void {
    this.#expectMore();
    if (this.#seen++ !== this.main) return;
    this.#affected = readAffected(bytes, end);
    // A row that was lost or came twice on the way would be an answer like any other.
    const counted = this.onRow === undefined && (this.#main?.fields?.length ?? 0) > 0;
    if (counted && this.#affected !== this.#rows.length && bytes.toString('latin1', start, start + 7) === 'SELECT ')
      throw garbled();
  }

  suspend(): void {
    this.#expectMore();
    this.suspended = true;
    this.#seen++;
  }

  /** What is answered next is about who asks. */
  get settingCaller(): boolean {
    return this.steps[this.#seen]?.caller !== undefined;
  }

  /** Every statement has been answered, or an error stands for the rest. */
  get answered(): boolean {
    return this.error !== null || this.#seen === this.#statements;
  }

  /** Fetching more rows of a portal answers one statement and sends none. */
  get #statements(): number {
    return Math.max(1, this.steps.length);
  }

  /** What is answered belongs to the statement whose values were taken last. */
  #expectMore(): void {
    if (this.#seen >= this.#statements) throw new Error('The database answered more than it was asked');
    if (this.#bound !== this.#seen + 1) throw garbled();
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

/** `cells`: how many there must be, where that is known. */
export function readRow(bytes: Buffer, start: number, end: number, cells: number | undefined): Row {
  const count = int16(bytes, start);
  if (cells !== undefined && count !== cells) throw garbled();
  let at = start + 2;
  const row: (Buffer | null)[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 4 > end) throw garbled();
    const length = int32(bytes, at);
    at += 4;
    if (length === -1) row.push(null);
    else {
      if (length < 0 || at + length > end) throw garbled();
      row.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  if (at !== end) throw garbled();
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

export function readFields(bytes: Buffer, start: number, end: number): Field[] {
  const count = int16(bytes, start);
  const fields: Field[] = [];
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const zero = endOfText(bytes, at, end);
    fields.push({ name: bytes.toString('utf8', at, zero), type: int32(bytes, zero + 7) });
    at = zero + 19;
  }
  if (at !== end) throw garbled();
  return fields;
}
