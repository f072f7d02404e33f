// One connection to Postgres and the exchanges in flight on it, first in, first answered.
// Which exchange goes to which connection is the pool's business.

import type { Socket } from 'node:net';
import type { PostgresError } from '../types.ts';
import { type Dialled, dial, sendCancel } from './dial.ts';
import { readError } from './errors.ts';
import { Exchange, isStalePlan, isWorthRepeating, Prepared, readFields, type Shape } from './exchange.ts';
import { Outbox } from './outbox.ts';
import { Reader, text } from './reader.ts';
import type { Target } from './target.ts';

/** Named statements a connection keeps at most; the one unused for longest goes first. */
const preparedLimit = 256;

export interface ConnectionEvents {
  /** The last exchange was answered; the connection has nothing to do. */
  onIdle(connection: Connection): void;
  /** An exchange was answered and others are still in flight. */
  onProgress(connection: Connection): void;
  /** A stale plan: the exchange has to be submitted once more. */
  onRetry(exchange: Exchange, reason: PostgresError | null): void;
  onClosed(connection: Connection, unanswered: readonly Exchange[], error: Error): void;
  onNotification?(channel: string, payload: string): void;
  onNotice?(notice: PostgresError): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #dialled: Dialled;
  readonly #target: Target;
  readonly #events: ConnectionEvents;
  readonly #named: boolean;
  readonly #out = new Outbox();
  readonly #reader: Reader;
  readonly #pending: Exchange[] = [];
  #first = 0;
  readonly #prepared = new Map<Shape, Prepared>();
  #closed = false;
  #cancelling = 0;
  #lastAnswerAt = 0;
  #status = 0x49;
  /** Held by a transaction, a stream or a listener: not for the pool to give work to. */
  leased = false;
  /** Set once the connection shall not be used again when it is idle. */
  retiring = false;
  /** All in flight are quick reads. */
  sharing = true;
  readonly openedAt = performance.now();

  static async open(target: Target, named: boolean, events: ConnectionEvents): Promise<Connection> {
    return new Connection(await dial(target), target, named, events);
  }

  private constructor(dialled: Dialled, target: Target, named: boolean, events: ConnectionEvents) {
    this.#dialled = dialled;
    this.#socket = dialled.socket;
    this.#target = target;
    this.#named = named;
    this.#events = events;
    this.#reader = new Reader(this.#read, (error) => this.#fail(error));
    dialled.receive(this.#reader);
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The database closed the connection')));
    this.#socket.resume();
  }

  get parameters(): ReadonlyMap<string, string> {
    return this.#dialled.parameters;
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

  /** Writes an exchange into the outbox; `flush` sends it. */
  submit(exchange: Exchange): void {
    if (this.#closed) {
      this.#events.onClosed(this, [exchange], new Error('The connection is closed'));
      return;
    }
    this.sharing = exchange.shareable && (this.sharing || this.inFlight === 0);
    exchange.startedAt = performance.now();
    this.#pending.push(exchange);
    this.#attempt(exchange, () => this.#write(exchange));
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
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as (typeof steps)[number];
      const { shape, statement } = step;
      // The second attempt does without names: whatever was wrong with them cannot be wrong again.
      const prepared = shape === null || !this.#named || exchange.retried ? null : this.#prepared.get(shape);
      if (prepared === undefined || prepared === null) {
        const made = this.#prepare(exchange, prepared === undefined ? shape : null, statement.text);
        out.bind(made.name, statement.values);
        if (index === exchange.main) exchange.willAnswer(made);
      } else {
        if (index === exchange.main) {
          exchange.willAnswer(prepared);
          // Used last goes last: the map keeps the order in which entries came in.
          if (this.#prepared.size > preparedLimit / 2 && shape !== null) {
            this.#prepared.delete(shape);
            this.#prepared.set(shape, prepared);
          }
        }
        out.bind(prepared.name, statement.values);
      }
      out.execute();
    }
    out.sync();
  }

  /** Fetches more rows of a portal that was bound by `submitPortal`. */
  submitFetch(exchange: Exchange, rows: number): void {
    exchange.startedAt = performance.now();
    this.#pending.push(exchange);
    this.#out.execute(rows);
    this.#out.sync();
  }

  /** Binds a statement to the unnamed portal of the open transaction and fetches its first rows. */
  submitPortal(exchange: Exchange, rows: number): void {
    const step = exchange.steps[0];
    if (step === undefined) return;
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
      .catch(() => undefined)
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

  #prepare(exchange: Exchange, shape: Shape | null, sqlText: string): Prepared {
    const out = this.#out;
    const prepared = new Prepared(shape === null ? '' : shape.name);
    if (shape !== null) {
      if (this.#prepared.size >= preparedLimit) {
        for (const [oldest, old] of this.#prepared) {
          this.#prepared.delete(oldest);
          out.closeStatement(old.name);
          break;
        }
      }
      this.#prepared.set(shape, prepared);
    }
    exchange.willParse(prepared);
    out.parse(prepared.name, sqlText);
    out.describeStatement(prepared.name);
    return prepared;
  }

  readonly #read = (type: number, bytes: Buffer, start: number, end: number): void => {
    const exchange = this.#pending[this.#first];
    switch (type) {
      case 0x44: // DataRow
        if (
          exchange?.row(bytes, start, end, this.#reader.inChunk && this.#dialled.lends) &&
          this.#reader.slab !== null
        ) {
          exchange.keep(this.#reader.slab);
          this.#reader.slab = null;
        }
        return;
      case 0x32: // BindComplete
        return;
      case 0x43: // CommandComplete
        exchange?.complete(bytes, end);
        return;
      case 0x5a: // ReadyForQuery
        this.#ready(bytes[start] as number);
        return;
      case 0x31: // ParseComplete
        exchange?.parseComplete();
        return;
      case 0x54: // RowDescription
        exchange?.described(readFields(bytes, start));
        return;
      case 0x6e: // NoData
        exchange?.described([]);
        return;
      case 0x74: // ParameterDescription
      case 0x33: // CloseComplete
        return;
      case 0x49: // EmptyQueryResponse
        exchange?.complete(bytes, start);
        return;
      case 0x73: // PortalSuspended
        exchange?.suspend();
        return;
      case 0x45: {
        // ErrorResponse
        const error = readError(bytes, start, end);
        if (exchange === undefined) this.#fail(error);
        else exchange.error ??= error;
        return;
      }
      case 0x4e: // NoticeResponse
        this.#events.onNotice?.(readError(bytes, start, end));
        return;
      case 0x53: {
        // ParameterStatus
        const name = text(bytes, start);
        this.#dialled.parameters.set(name, text(bytes, start + Buffer.byteLength(name) + 1));
        return;
      }
      case 0x41: {
        // NotificationResponse
        const channel = text(bytes, start + 4);
        this.#events.onNotification?.(channel, text(bytes, start + 5 + Buffer.byteLength(channel)));
        return;
      }
      default:
        throw new Error(`The database sent a message of kind ${String.fromCharCode(type)}, which nobody asked for`);
    }
  };

  #ready(status: number): void {
    this.#status = status;
    const exchange = this.#pending[this.#first++];
    if (exchange === undefined) return;
    // The queue is an array with a moving head; it is emptied whenever the head catches up.
    if (this.#first === this.#pending.length) {
      this.#pending.length = 0;
      this.#first = 0;
    } else if (this.#first === 256) {
      this.#pending.splice(0, this.#first);
      this.#first = 0;
    }
    if (exchange.error !== null) this.#forget(exchange);
    // An explicit transaction left open by a failed exchange outside a lease is nobody's: it ends before anything else.
    if (status !== 0x49 && !this.leased) this.#rollBack();
    const error = exchange.error;
    const now = performance.now();
    exchange.steps[exchange.main]?.shape?.learn(now - Math.max(exchange.startedAt, this.#lastAnswerAt));
    this.#lastAnswerAt = now;
    if (error === null && exchange.undescribed && exchange.shareable && !exchange.retried) {
      exchange.retried = true;
      exchange.reset();
      this.#events.onRetry(exchange, null);
    } else if (error === null) exchange.resolve(exchange.result());
    else if (!exchange.retried && !exchange.abandoned && !this.leased && isWorthRepeating(error)) {
      exchange.retried = true;
      exchange.reset();
      this.#events.onRetry(exchange, error);
    } else exchange.reject(error);
    if (this.#closed) return;
    if (this.inFlight === 0) {
      this.sharing = true;
      this.#events.onIdle(this);
    } else this.#events.onProgress(this);
  }

  /** After an error: statements that never got prepared, and those that may be stale, are not to be used again. */
  #forget(exchange: Exchange): void {
    const stale = exchange.error !== null && isStalePlan(exchange.error);
    const unconfirmed = exchange.unconfirmed();
    for (const { shape } of exchange.steps) {
      if (shape === null) continue;
      const known = this.#prepared.get(shape);
      if (known === undefined) continue;
      // Closing what is not there is no error.
      if (stale) this.#out.closeStatement(known.name);
      if (stale || unconfirmed.includes(known)) this.#prepared.delete(shape);
    }
  }

  #rollBack(): void {
    const step = { shape: null, statement: { text: 'rollback', values: [] } };
    const ignore = (): void => undefined;
    this.submit(new Exchange([step], 0, false, ignore, ignore));
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
