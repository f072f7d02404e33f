// Changes from Postgres' log through a temporary slot: nothing is added to the writing transaction, and changes come in the order of commits. A
// broken connection ends the slot: subscribers are told of the gap, and following starts again.

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { OutputMessage, Relation, Tuple } from '../../../database/replication/pgoutput.ts';
import { type ChangeStream, streamChanges } from '../../../database/replication/stream-changes.ts';
import type { Target } from '../../../database/wire/target.ts';
import type { Change, ChangeSource, Moment, SourceEvents, Values } from '../change.ts';

export interface LogSourceOptions {
  readonly target: Target;
  readonly publications: readonly string[];
  readonly walLimitBytes: number;
  readonly walLimitAction: 'refetch' | 'warn';
  /** Where Postgres' log ends now. */
  readonly position: () => Promise<bigint>;
  readonly events: SourceEvents;
  readonly log: Logger;
}

/** While nothing can be delivered nothing is read either, and Postgres' reports wait: it is asked itself. */
const watchEveryMs = 5000;
/** Changes read ahead of being dealt with; beyond it Postgres waits with sending. */
const readAhead = 4000;
const firstPauseMs = 100;
const longestPauseMs = 5000;

/** Resolves when changes are followed; throws what hindered the first attempt. */
export async function followLog(options: LogSourceOptions): Promise<ChangeSource> {
  const source = new LogSource(options);
  await source.open();
  return source;
}

class LogSource implements ChangeSource {
  readonly kind = 'log';
  readonly #options: LogSourceOptions;
  #stream: ChangeStream | null = null;
  #relations = new Map<number, Relation>();
  #queue: Change[] = [];
  #openings = 0;
  #end = 0n;
  /** All that stands before it in the log is dealt with, or is being dealt with. */
  #taken = 0n;
  /** All that stands before it in the log has been delivered. */
  #handled = 0n;
  #paused = false;
  #working = false;
  #closed = false;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | null = null;
  #watcher: NodeJS.Timeout | null = null;
  #warned = false;
  #begin: { readonly xid: number; readonly committedAt: number } = { xid: 0, committedAt: 0 };

  constructor(options: LogSourceOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { target, publications, events } = this.#options;
    this.#relations = new Map();
    this.#queue = [];
    this.#end = 0n;
    this.#taken = 0n;
    // Another server may have become the primary: its log goes on from before what the old one had written last.
    this.#handled = 0n;
    this.#paused = false;
    const opening = ++this.#openings;
    const stream = await streamChanges({
      target,
      slot: `kanbase_${randomBytes(8).toString('hex')}`,
      publications,
      // A stream that is given up sends on until it is closed.
      onMessage: (message) => {
        if (opening === this.#openings) this.#take(message);
      },
      onEnd: (error) => this.#lost(error),
    });
    if (this.#closed) {
      await stream.close();
      return;
    }
    this.#stream = stream;
    this.#pauseMs = firstPauseMs;
    this.#watcher ??= setInterval(() => void this.#watch(), watchEveryMs).unref();
    events.onReady();
    void this.#work();
  }

  lag(): number {
    return this.#stream?.lag() ?? 0;
  }

  /** Postgres tells of each table before its first change. */
  onSchemaChanged(): void {}

  isPast({ position }: Moment): boolean {
    if (this.#handled >= position) return true;
    // While nothing is written Postgres does not say by itself how far it has come.
    this.#stream?.ask();
    return false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#watcher !== null) clearInterval(this.#watcher);
    await this.#stream?.close();
  }

  #take(message: OutputMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#begin = message;
        return;
      case 'relation':
        this.#relations.set(message.relation.id, message.relation);
        this.#options.events.onTableChanged(message.relation.id);
        return;
      case 'insert':
        this.#note(message.relation, 'INSERT', null, message.new);
        return;
      case 'update':
        this.#note(message.relation, 'UPDATE', message.old, message.new);
        return;
      case 'delete':
        this.#note(message.relation, 'DELETE', message.old, null);
        return;
      case 'commit':
        if (message.end > this.#end) this.#end = message.end;
        void this.#work();
        return;
      default:
    }
  }

  #note(relation: number, kind: Change['kind'], old: Tuple | null, fresh: Tuple | null): void {
    const columns = this.#relations.get(relation)?.columns;
    if (columns === undefined) return;
    const values = (tuple: Tuple | null): Values | null => {
      if (tuple === null) return null;
      const row: Record<string, string | null | undefined> = {};
      for (let index = 0; index < columns.length; index++) row[columns[index]?.name ?? ''] = tuple[index];
      return row;
    };
    const { xid, committedAt } = this.#begin;
    this.#queue.push({ relation, kind, old: values(old), new: values(fresh), xid, committedAt });
    if (this.#queue.length >= readAhead && !this.#paused) {
      this.#paused = true;
      this.#stream?.pause();
      void this.#work();
    }
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    // Nothing may come between the look at what there is and the end of work.
    while (this.#stream !== null && !this.#closed && (this.#queue.length > 0 || this.#end !== this.#taken))
      await this.#workOnce(this.#stream);
    this.#working = false;
  }

  async #workOnce(stream: ChangeStream): Promise<void> {
    const [changes, end] = [this.#queue, this.#end];
    this.#queue = [];
    this.#taken = end;
    if (this.#paused) {
      this.#paused = false;
      stream.resume();
    }
    try {
      if (changes.length > 0) await this.#options.events.onChanges(changes);
      // It may have been given up meanwhile: places in its log are not those of the next one.
      if (stream !== this.#stream) return;
      if (end > this.#handled) this.#handled = end;
      stream.acknowledge(end);
      this.#watchLag(stream);
    } catch (error) {
      // What could not be delivered counts as missed.
      this.#options.log.error({ err: error }, 'changes could not be delivered');
      if (stream === this.#stream) this.#giveUp();
    }
  }

  async #watch(): Promise<void> {
    const stream = this.#stream;
    if (stream === null) return;
    stream.ask();
    const position = await this.#options.position().catch(() => 0n);
    stream.noteWritten(position);
    if (stream === this.#stream) this.#watchLag(stream);
  }

  #watchLag(stream: ChangeStream): void {
    const { walLimitBytes, walLimitAction, log } = this.#options;
    if (stream.lag() <= walLimitBytes) {
      this.#warned = false;
      return;
    }
    if (walLimitAction === 'refetch') {
      log.warn(
        { lag: stream.lag() },
        'too much WAL waits to be read: the slot is given up, and subscribers read again',
      );
      this.#giveUp();
    } else if (!this.#warned) {
      this.#warned = true;
      log.warn({ lag: stream.lag() }, 'more WAL waits to be read than REALTIME_WAL_LIMIT_MB');
    }
  }

  #giveUp(): void {
    const stream = this.#stream;
    this.#stream = null;
    void stream?.close();
    this.#again();
  }

  #lost(error: Error): void {
    if (this.#closed || this.#stream === null) return;
    this.#options.log.warn({ err: error }, 'the replication connection broke; it is being made anew');
    this.#stream = null;
    this.#again();
  }

  #again(): void {
    if (this.#closed || this.#timer !== null) return;
    this.#options.events.onGap();
    const retry = (): void => {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        if (this.#closed) return;
        this.open().catch((error: unknown) => {
          this.#options.log.warn({ err: error }, 'changes cannot be followed yet; trying again');
          if (!this.#closed) retry();
        });
      }, this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    };
    retry();
  }
}
