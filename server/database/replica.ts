// Reads from a replica, which show all that was acknowledged to anybody before they came: the primary is asked how far its log is
// on disk (once for all who come at a time), and the replica answers only when it has played that back. It gets some
// milliseconds to; where it is behind, gone, slow or cannot run the statement, the primary answers. Nobody need remember who
// wrote what, so this holds for any number of processes and nodes.
//
// After a change of the primary a replica may be further than the new one and yet not have what was written there: it still has
// the end of the old primary's log. So the new timeline is noted in a table, and a replica that lacks the note is behind.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Pool, type PoolOptions } from './pool.ts';
import { roomRoles } from './room-roles.ts';
import type { ShapeCache } from './shape-cache.ts';
import { type Caller, PostgresError, type ReplicaStats, type Result, type Statement, type Value } from './types.ts';
import { Exchange, type Step } from './wire/exchange.ts';

export interface ReplicaOptions {
  readonly pool: PoolOptions;
  readonly shapes: ShapeCache;
  /** How long a read waits for the replica to have what it must show. */
  readonly waitMs: number;
  /** Up to where the primary's log is on disk, with all that was acknowledged before the call. */
  readonly written: () => Promise<Written>;
  /** The role and the rights with which the replica is asked what it has played back. */
  readonly asRoom: Step;
  readonly log: Logger;
}

export interface Written {
  readonly position: bigint;
  readonly timeline: string;
}

type Run = (caller: Caller, statement: Statement) => Promise<unknown>;

/** What one read brings along: its statements, and what the pool wants to know of them. */
export interface ReplicaRead {
  readonly steps: readonly Step[];
  readonly main: number;
  readonly limitMs: number;
  readonly owner: string;
  readonly payer: string;
}

const behind = 'the replica is behind';
/** The name of a file of the log begins with its timeline. */
const writtenText = `select (flushed - '0/0'::pg_lsn)::text || ' ' || substr(pg_walfile_name(flushed), 1, 8) from pg_current_wal_flush_lsn() as flushed`;
const noteText = 'insert into private.timelines (timeline) values ($1) on conflict do nothing';
const replayedText = `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end`;
/** Fails where the server is none that plays back, or has not come so far: what stands behind it is then not run. */
const checkText = `select case when pg_is_in_recovery() and pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1::numeric
  and exists (select from private.timelines where timeline = $2) then '0/0' else '${behind}' end::pg_lsn`;

const watchEveryMs = 1000;
/** A replica that says nothing for so long is not waited for. */
const silentMs = 2000;
/** After a read that the primary had to answer, so long none is tried. */
const restMs = 250;
const lookAgainMs = 2;

export class Replica {
  readonly #options: ReplicaOptions;
  readonly #pool: Pool;
  readonly #written: () => Promise<Written>;
  readonly #look: () => Promise<bigint>;
  readonly #watch: NodeJS.Timeout;
  /** How far it had played back when it was asked last. */
  #replayed = 0n;
  #lag = 0n;
  #answers = false;
  #restsUntil = 0;
  readonly #counts = { replica: 0, primary: 0 };

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#pool = new Pool(options.pool);
    this.#written = shared(options.written);
    this.#look = shared(() => this.#ask());
    this.#watch = setInterval(() => void this.#watchIt(), watchEveryMs);
    this.#watch.unref();
    void this.#watchIt();
  }

  /** Null: the primary is to be asked. */
  async read(read: ReplicaRead): Promise<Result | null> {
    const result = await this.#attempt(read);
    if (result === null) this.#counts.primary++;
    else this.#counts.replica++;
    return result;
  }

  stats(): ReplicaStats {
    return { answers: this.#answers, lagBytes: Number(this.#lag), ...this.#counts };
  }

  flushPlans(): void {
    this.#pool.flushPlans();
  }

  close(): Promise<void> {
    clearInterval(this.#watch);
    return this.#pool.close();
  }

  async #attempt(read: ReplicaRead): Promise<Result | null> {
    if (!this.#answers || performance.now() < this.#restsUntil) return null;
    try {
      const written = await this.#written();
      const { position } = written;
      const end = performance.now() + this.#options.waitMs;
      while (this.#replayed < position) {
        if ((await this.#look()) >= position) break;
        if (performance.now() >= end) return this.#rest();
        await pause(lookAgainMs);
      }
      return await this.#run(read, written);
    } catch (error) {
      // Its time is over, on the primary as well.
      if (error instanceof PostgresError && error.sqlstate === '57014') throw error;
      // Of what it refused the primary knows better, or says the same.
      if (error instanceof PostgresError && !error.message.includes(behind)) return null;
      return this.#rest();
    }
  }

  #rest(): null {
    this.#restsUntil = performance.now() + restMs;
    return null;
  }

  async #run({ steps, main, limitMs, owner, payer }: ReplicaRead, { position, timeline }: Written): Promise<Result> {
    const result = await new Promise<Result>((resolve, reject) => {
      const exchange = new Exchange(
        [this.#options.asRoom, this.#step(checkText, String(position), timeline), ...steps],
        main + 2,
        true,
        resolve,
        reject,
      );
      exchange.limitMs = limitMs;
      exchange.owner = owner;
      exchange.payer = payer;
      this.#pool.submit(exchange);
    });
    return { ...result, fromReplica: true };
  }

  #step(text: string, ...values: Value[]): Step {
    return { shape: this.#options.shapes.of('', text), statement: { text, values } };
  }

  /** Throws where no replica answers. */
  async #ask(): Promise<bigint> {
    const { rows } = await new Promise<Result>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The replica does not answer in time')), silentMs);
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late);
          then(value);
        };
      this.#pool.submit(new Exchange([this.#step(replayedText)], 0, true, settle(resolve), settle(reject)));
    });
    const position = rows[0]?.[0];
    if (position === null || position === undefined)
      throw new Error('The server at DATABASE_REPLICA_URL is no replica');
    this.#replayed = BigInt(position.toString());
    return this.#replayed;
  }

  /** So that nobody has to find out by waiting that it is gone. */
  async #watchIt(): Promise<void> {
    try {
      const { position } = await this.#options.written();
      const replayed = await this.#look();
      this.#lag = replayed < position ? position - replayed : 0n;
      if (!this.#answers) this.#options.log.info('the replica answers: reads may go there');
      this.#answers = true;
    } catch (error) {
      if (this.#answers)
        this.#options.log.warn({ err: error }, 'the replica is not used: the primary answers all reads');
      this.#answers = false;
      // Reads that wait for it wait for nothing.
      this.#pool.abandonAll('The replica stopped answering');
    }
  }
}

/** Asks the primary, which `ask` answers with one text, and notes each timeline that is new to this process. */
export function writtenBy(ask: (text: string) => Promise<string>, run: Run): () => Promise<Written> {
  let noted = '';
  const written = async (): Promise<Written> => {
    const [position = '', timeline = ''] = (await ask(writtenText)).split(' ');
    if (timeline === noted) return { position: BigInt(position), timeline };
    await run(roomRoles.replica, { text: noteText, values: [timeline] });
    noted = timeline;
    // What a replica has to have played back includes the note.
    return written();
  };
  return written;
}

/** Asked after each call, and once for all calls that come while the one before is under way. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const asked = ask();
      running = asked.catch(() => undefined);
      return asked;
    });
    return next;
  };
}
