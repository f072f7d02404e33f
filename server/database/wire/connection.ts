// One connection to Postgres and the exchanges in flight on it, first in, first answered.
// Which exchange goes to which connection is the pool's business.

import type { Socket } from 'node:net';
import type { PostgresError } from '../types.ts';
import { type Dialled, dial, sendCancel } from './dial.ts';
import { readError } from './errors.ts';
import { discardStep, Exchange, Prepared, readFields, rollbackLimitMs, rollbackStep, type Shape } from './exchange.ts';
import { NamedStatements } from './named-statements.ts';
import { endOfText, Reader } from './reader.ts';
import { namesDropped } from './repeatable-errors.ts';
import type { Target } from './target.ts';
import { Writer } from './writer.ts';

/** A statement that takes longer is charged to who asked it. */
const slowMs = 20;

export interface ConnectionSettings {
  /** Statements are prepared by name. */
  readonly named: boolean;
  /** Text of named statements kept at most; Postgres needs some fifty times as much for them. */
  readonly preparedBytes: number;
}

export interface ConnectionEvents {
  /** The last exchange was answered; the connection has nothing to do. */
  onIdle(connection: Connection): void;
  /** An exchange was answered and others are still in flight. */
  onProgress(connection: Connection): void;
  /** Nothing of the exchange was kept: it has to be submitted once more, after so many milliseconds. */
  onRetry(exchange: Exchange, reason: PostgresError | null, pauseMs: number): void;
  onClosed(connection: Connection, unanswered: readonly Exchange[], error: Error): void;
  /** A statement failed for good. */
  onRefused?(error: PostgresError): void;
  /** A statement was slow, whatever came of it. */
  onSlow?(payer: string, milliseconds: number): void;
  onNotification?(channel: string, payload: string): void;
  onNotice?(notice: PostgresError): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #dialled: Dialled;
  readonly #target: Target;
  readonly #events: ConnectionEvents;
  readonly #out = new Writer();
  readonly #reader: Reader;
  readonly #pending: Exchange[] = [];
  #first = 0;
  /** How many of the exchanges that share the first one's transaction have been read. */
  #answered = 0;
  /** The exchange written last, while others may still join its transaction: its Sync is not written yet. */
  #open: Exchange | null = null;
  readonly #prepared: NamedStatements;
  #closed = false;
  #cancelling = 0;
  /** Plans of functions are to be made anew as soon as Postgres takes a statement. */
  #discards = false;
  #lastAnswerAt = 0;
  #status = 0x49;
  /** Held by a transaction, a stream or a listener: not for the pool to give work to. */
  leased = false;
  /** Against whose share a lease counts, and whose budget pays for it. */
  owner = '';
  payer = '';
  /** Set once the connection shall not be used again when it is idle. */
  retiring = false;
  /** All in flight are quick reads. */
  sharing = true;
  readonly openedAt = performance.now();

  static async open(target: Target, settings: ConnectionSettings, events: ConnectionEvents): Promise<Connection> {
    return new Connection(await dial(target), target, settings, events);
  }

  private constructor(dialled: Dialled, target: Target, settings: ConnectionSettings, events: ConnectionEvents) {
    this.#dialled = dialled;
    this.#socket = dialled.socket;
    this.#target = target;
    this.#prepared = new NamedStatements(settings.named, settings.preparedBytes);
    this.#events = events;
    this.#reader = new Reader(this.#receive, (error) => this.#fail(error));
    dialled.receive(this.#reader);
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The database closed the connection')));
    this.#socket.resume();
  }

  get parameters(): ReadonlyMap<string, string> {
    return this.#dialled.parameters;
  }

  /** Of Postgres' process for it. */
  get pid(): number {
    return this.#dialled.pid;
  }

  get inFlight(): number {
    return this.#pending.length - this.#first;
  }

  get head(): Exchange | undefined {
    return this.#pending[this.#first];
  }

  get usable(): boolean {
    return !this.#closed && !this.leased && !this.retiring && this.#cancelling === 0;
  }

  /** The open transaction has failed: nothing but a rollback is accepted. */
  get failed(): boolean {
    return this.#status === 0x45;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** For how many milliseconds Postgres has been at the exchange that is to be answered next. */
  runningFor(now: number): number {
    const { head } = this;
    return head === undefined ? 0 : now - Math.max(head.startedAt, this.#lastAnswerAt);
  }

  /** Milliseconds by which an answer is overdue: Postgres should have ended the statement long ago. */
  overdue(now: number): number {
    const limit = this.head?.limitMs ?? 0;
    return limit === 0 ? 0 : this.runningFor(now) - limit;
  }

  /** Gives the connection up: nobody is at the other end any more. */
  abandon(reason: string): void {
    this.#fail(new Error(reason));
  }

  /** Writes an exchange into the buffer; `flush` sends it. */
  submit(exchange: Exchange): void {
    if (this.#closed) {
      this.#events.onClosed(this, [exchange], new Error('The connection is closed'));
      return;
    }
    this.sharing = exchange.shareable && (this.sharing || this.inFlight === 0);
    exchange.startedAt = performance.now();
    const before = this.#open;
    if (before !== null && exchange.mayJoin(before)) exchange.join(before);
    else this.#endOpen();
    this.#pending.push(exchange);
    this.#attempt(exchange, () => {
      this.#write(exchange);
      this.#open = exchange;
      if (!exchange.mayShareTransaction) this.#endOpen();
    });
  }

  /** Nobody joins the transaction that was written last any more. */
  #endOpen(): void {
    if (this.#open !== null) this.#out.sync();
    this.#open = null;
  }

  #attempt(exchange: Exchange, write: () => void): void {
    const mark = this.#out.length;
    try {
      write();
    } catch (error) {
      // Text or a value that cannot be sent: nothing of it has left, and nobody else is troubled by it.
      this.#out.truncate(mark);
      this.#pending.pop();
      this.#forget(exchange);
      exchange.reject(error);
    }
  }

  #write(exchange: Exchange): void {
    const out = this.#out;
    const steps = exchange.steps;
    for (let index = exchange.start; index < steps.length; index++) {
      const step = steps[index] as (typeof steps)[number];
      const { shape, statement } = step;
      // After a stale plan it does without names: whatever was wrong with them cannot be wrong again.
      const prepared =
        shape === null || exchange.unnamed || !this.#prepared.takes(shape) ? null : this.#prepared.get(shape);
      if (prepared === undefined || prepared === null) {
        const made = this.#prepare(exchange, prepared === undefined ? shape : null, statement.text);
        out.bind(made.name, statement.values);
        if (index === exchange.main) exchange.willAnswer(made);
      } else {
        if (index === exchange.main) exchange.willAnswer(prepared);
        if (step.caller === undefined) exchange.reuses = true;
        if (shape !== null) this.#prepared.touch(shape, prepared);
        out.bind(prepared.name, statement.values);
      }
      out.execute();
    }
  }

  /** Fetches more rows of a portal that was bound by `submitPortal`. */
  submitFetch(exchange: Exchange, rows: number): void {
    this.#endOpen();
    exchange.startedAt = performance.now();
    this.#pending.push(exchange);
    this.#out.execute(rows);
    this.#out.sync();
  }

  /** Binds a statement to the unnamed portal of the open transaction and fetches its first rows. */
  submitPortal(exchange: Exchange, rows: number): void {
    const step = exchange.steps[0];
    if (step === undefined) return;
    this.#endOpen();
    exchange.startedAt = performance.now();
    this.#pending.push(exchange);
    this.#attempt(exchange, () => {
      const made = this.#prepare(exchange, null, step.statement.text);
      exchange.willAnswer(made);
      this.#out.bind('', step.statement.values);
      this.#out.execute(rows);
      this.#out.sync();
    });
  }

  flush(): void {
    this.#endOpen();
    const out = this.#out;
    if (out.length === 0 || this.#closed) return;
    this.#socket.write(out.view());
    // Nothing left to write means that the system has taken the bytes.
    if (this.#socket.writableLength === 0) out.reuse();
    else out.replace();
  }

  /** Cancels what is running; the connection takes no new work until Postgres has delivered the request. */
  cancel(): void {
    this.#cancelling++;
    sendCancel(this.#target, this.#dialled.pid, this.#dialled.secret)
      .catch(() => {
        // It may come yet, and would meet whoever is served then.
        this.retiring = true;
      })
      .finally(() => {
        this.#cancelling--;
        if (!this.#closed && this.inFlight === 0 && this.#cancelling === 0) this.#events.onIdle(this);
      });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#out.terminate();
    this.#socket.end(Buffer.from(this.#out.view()));
    this.#socket.setTimeout(1000, () => this.#socket.destroy());
    this.#events.onClosed(this, this.#unanswered(), new Error('The connection was closed'));
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** Forgets all plans, those of functions too: the schema is another than they were made for. What is under way is not troubled. */
  flushPlans(): void {
    if (this.#closed) return;
    this.#endOpen();
    this.#closeAll();
    if (!this.leased) this.discardPlans();
    this.flush();
  }

  /** Has functions plan anew, where something was found to be stale. Who has leased the connection says when. */
  discardPlans(): void {
    if (!this.#discards || this.#closed) return;
    this.#discards = false;
    const ignore = (): void => undefined;
    const exchange = new Exchange([discardStep], 0, true, ignore, ignore);
    exchange.limitMs = rollbackLimitMs;
    this.submit(exchange);
  }

  #closeAll(): void {
    for (const { name } of this.#prepared.takeAll()) this.#out.closeStatement(name);
    this.#discards = true;
  }

  #prepare(exchange: Exchange, shape: Shape | null, sqlText: string): Prepared {
    const out = this.#out;
    const prepared = new Prepared(shape === null ? '' : shape.name);
    if (shape !== null) {
      for (const [oldest, old] of this.#prepared.add(shape, prepared)) {
        exchange.closing.push(oldest);
        out.closeStatement(old.name);
      }
      if (this.#prepared.isWornOut) this.retiring = true;
    }
    exchange.willParse(prepared);
    out.parse(prepared.name, sqlText);
    out.describeStatement(prepared.name);
    return prepared;
  }

  readonly #receive = (type: number, bytes: Buffer, start: number, end: number): void => {
    switch (type) {
      case 0x44: // DataRow
        if (this.#asked().row(bytes, start, end, this.#reader.inChunk && this.#dialled.lends)) this.#keepSlab();
        return;
      case 0x32: // BindComplete
        this.#asked().bindComplete();
        return;
      case 0x74: // ParameterDescription
      case 0x33: // CloseComplete
        this.#asked();
        return;
      case 0x43: // CommandComplete
        this.#complete(bytes, start, end);
        return;
      case 0x5a: // ReadyForQuery
        this.#ready(bytes[start] as number);
        return;
      case 0x31: // ParseComplete
        this.#asked().parseComplete();
        return;
      case 0x54: // RowDescription
        this.#asked().described(readFields(bytes, start, end));
        return;
      case 0x6e: // NoData
        this.#asked().described([]);
        return;
      case 0x49: // EmptyQueryResponse
        this.#complete(bytes, start, start);
        return;
      case 0x73: // PortalSuspended
        this.#asked().suspend();
        return;
      case 0x45: {
        // ErrorResponse; without anything asked it says why the connection ends.
        const asked = this.#pending[this.#first + this.#answered];
        const error = readError(bytes, start, end, asked?.settingCaller);
        if (asked === undefined) this.#fail(error);
        else asked.error ??= error;
        return;
      }
      case 0x4e: // NoticeResponse
        this.#events.onNotice?.(readError(bytes, start, end));
        return;
      case 0x53: {
        // ParameterStatus
        const zero = endOfText(bytes, start, end);
        const value = bytes.toString('utf8', zero + 1, endOfText(bytes, zero + 1, end));
        this.#dialled.parameters.set(bytes.toString('utf8', start, zero), value);
        return;
      }
      case 0x41: {
        // NotificationResponse
        const zero = endOfText(bytes, start + 4, end);
        const payload = bytes.toString('utf8', zero + 1, endOfText(bytes, zero + 1, end));
        this.#events.onNotification?.(bytes.toString('utf8', start + 4, zero), payload);
        return;
      }
      default:
        throw new Error(`The database sent a message of kind ${String.fromCharCode(type)}, which nobody asked for`);
    }
  };

  /** The exchange that the message at hand belongs to. */
  #asked(): Exchange {
    const asked = this.#pending[this.#first + this.#answered];
    if (asked === undefined) throw new Error('The database answered what nobody asked');
    return asked;
  }

  #complete(bytes: Buffer, start: number, end: number): void {
    const asked = this.#asked();
    asked.complete(bytes, start, end);
    if (asked.answered && this.#pending[this.#first + this.#answered + 1]?.joined === true) this.#answered++;
  }

  /** The row that was just read lies in the reader's slab. */
  #keepSlab(): void {
    const { slab } = this.#reader;
    if (slab === null) return;
    this.#asked().keep(slab);
    this.#reader.slab = null;
  }

  #ready(status: number): void {
    this.#status = status;
    if (!this.#asked().answered) throw new Error('The database answered less than it was asked');
    const together = this.#takeTransaction();
    const failed = together.some((exchange) => exchange.error !== null);
    if (failed) for (const exchange of together) this.#forget(exchange);
    // An explicit transaction left open by a failed exchange outside a lease is nobody's: it ends before anything else.
    if (!this.leased) this.endTransaction();
    const now = performance.now();
    for (const exchange of together) {
      const took = now - Math.max(exchange.startedAt, this.#lastAnswerAt);
      exchange.steps[exchange.main]?.shape?.learn(took / together.length);
      if (took >= slowMs) this.#events.onSlow?.(exchange.payer || this.payer, took / together.length);
      if (failed && exchange.error === null) {
        exchange.repeatAlone();
        this.#events.onRetry(exchange, null, 0);
      } else this.#settle(exchange);
    }
    this.#lastAnswerAt = now;
    if (this.#closed) return;
    if (this.inFlight === 0) {
      this.sharing = true;
      this.#events.onIdle(this);
    } else this.#events.onProgress(this);
  }

  /** The exchanges of the transaction that has just ended, out of the queue. */
  #takeTransaction(): Exchange[] {
    let end = this.#first + 1;
    while (this.#pending[end]?.joined === true) end++;
    const together = this.#pending.slice(this.#first, end);
    this.#answered = 0;
    this.#first = end;
    // The queue is an array with a moving head; it is emptied whenever the head catches up.
    if (this.#first === this.#pending.length) {
      this.#pending.length = 0;
      this.#first = 0;
    } else if (this.#first >= 256) {
      this.#pending.splice(0, this.#first);
      this.#first = 0;
    }
    return together;
  }

  #settle(exchange: Exchange): void {
    const { error } = exchange;
    if (error === null && exchange.undescribed && exchange.shareable && !exchange.unnamed) {
      this.#events.onRetry(exchange, null, exchange.repeat(null));
    } else if (error === null) exchange.resolve(exchange.result());
    else if (!this.leased && exchange.mayRepeat(error)) {
      this.#events.onRetry(exchange, error, exchange.repeat(error));
    } else {
      this.#events.onRefused?.(error);
      exchange.reject(error);
    }
  }

  /** After an error: statements that never got prepared, and those that may be stale, are not to be used again. */
  #forget(exchange: Exchange): void {
    if (exchange.error !== null && namesDropped(exchange.error)) this.#closeAll();
    const stale = exchange.error !== null && exchange.isStale(exchange.error);
    const unconfirmed = exchange.unconfirmed();
    for (const { shape } of exchange.steps) {
      if (shape === null) continue;
      const known = this.#prepared.get(shape);
      if (known === undefined) continue;
      // Closing what is not there is no error.
      if (stale) this.#out.closeStatement(known.name);
      if (stale || unconfirmed.includes(known)) this.#prepared.drop(shape);
    }
    // What was to make room for them may still be there: after an error Postgres passes over all that follows.
    for (const shape of exchange.closing) if (!this.#prepared.has(shape)) this.#out.closeStatement(shape.name);
  }

  /** Nobody may stand in a transaction that somebody else began, also where a cancel met the end of it. */
  endTransaction(): void {
    if (this.#closed || (this.#status === 0x49 && !this.#discards)) return;
    if (this.#status !== 0x49) {
      const ignore = (): void => undefined;
      const exchange = new Exchange([rollbackStep], 0, false, ignore, ignore);
      exchange.limitMs = rollbackLimitMs;
      this.submit(exchange);
    }
    this.discardPlans();
    this.flush();
  }

  #unanswered(): Exchange[] {
    const unanswered = this.#pending.slice(this.#first);
    this.#pending.length = 0;
    this.#first = 0;
    return unanswered;
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.destroy();
    this.#events.onClosed(this, this.#unanswered(), error);
  }
}
