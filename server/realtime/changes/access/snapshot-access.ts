// Asks the policies as of a snapshot, in a transaction that was begun then: for rows that have become invisible, to find the callers who
// could see them before.

import { PostgresError, type Result } from '../../../database/types.ts';
import type { Connection } from '../../../database/wire/connection.ts';
import type { Step } from '../../../database/wire/exchange.ts';
import { isStalePlan } from '../../../database/wire/repeatable-errors.ts';
import { type Moment, readPosition } from '../change.ts';
import { CheckConnection } from './check-connection.ts';
import { isPolicyError } from './policy-error.ts';
import { type Question, seenOf, stepOf } from './questions.ts';
import { noteAnswers, type OpenQuestions, type Visibility, VisibilityCache } from './visibility.ts';

/** So many callers are asked about at a time. */
const inFlightLimit = 256;
const beginText = 'begin isolation level repeatable read read only';
const always = (): number => Number.POSITIVE_INFINITY;

export class SnapshotAccess extends CheckConnection {
  protected readonly leased = true;
  #known = new VisibilityCache();
  #snapshot: Snapshot | null = null;
  #isMoved = false;

  protected override onLost(): void {
    this.#snapshot = null;
  }

  /** Whether it looks at a time before this transaction was committed. */
  isBefore(xid: number): boolean {
    return this.#snapshot !== null && !hasSeen(this.#snapshot, xid);
  }

  /** Whether it can be asked at all. */
  get isOpen(): boolean {
    return this.#snapshot !== null;
  }

  get moment(): Moment {
    return this.#snapshot ?? { at: 0, position: 0n };
  }

  async renew(): Promise<void> {
    const connection = await this.connection();
    this.#snapshot = null;
    const ended = this.#run(connection, 'rollback').catch(() => undefined);
    const look = 'select pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text';
    const begun = this.#run(connection, beginText, look);
    connection.flush();
    await ended;
    const [snapshot, position] = (await begun).rows[0] ?? [];
    this.#isMoved = false;
    this.#known = new VisibilityCache();
    this.#snapshot = readSnapshot(String(snapshot), String(position));
  }

  async end(): Promise<void> {
    if (this.#snapshot === null) return;
    this.#snapshot = null;
    this.#known = new VisibilityCache();
    const connection = await this.connection().catch(() => null);
    if (connection === null) return;
    const ended = this.#run(connection, 'rollback').catch(() => undefined);
    connection.flush();
    await ended;
  }

  #run(connection: Connection, ...texts: readonly string[]): Promise<Result> {
    return this.send(
      connection,
      texts.map((text): Step => ({ shape: this.shapes.of('', text), statement: { text, values: [] } })),
    );
  }

  async ask(questions: readonly Question[]): Promise<(question: Question) => boolean> {
    const known = new Map<Question, Visibility>();
    const missing = this.#snapshot === null ? [] : this.#known.missing(questions, always, known);
    if (missing.length > 0) {
      const connection = await this.connection();
      for (let start = 0; start < missing.length; start += inFlightLimit)
        await this.#askAll(connection, missing.slice(start, start + inFlightLimit));
    }
    return (question) => known.get(question)?.seen ?? false;
  }

  /** Behind one savepoint; one after the other when one of them fails, for the others fail with it. Again where its plan was stale. */
  async #askAll(connection: Connection, groups: readonly OpenQuestions[], isAgain = false): Promise<void> {
    const begun = this.#run(connection, 'savepoint ask').catch(() => undefined);
    const asked = Promise.allSettled(groups.map(({ questions }) => this.#submit(connection, questions)));
    const undone = this.#run(connection, 'rollback to savepoint ask', 'release savepoint ask').catch(() => undefined);
    connection.flush();
    const [results] = await Promise.all([asked, begun, undone]);
    if (results.every(({ status }) => status === 'fulfilled')) {
      for (const [index, group] of groups.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') noteAnswers(group, seenOf(result.value), 0);
      }
      return;
    }
    const failed = results.find((result) => result.status === 'rejected') as PromiseRejectedResult;
    const isStale = failed.reason instanceof PostgresError && isStalePlan(failed.reason);
    if (connection.closed || !(isStale || isPolicyError(failed.reason))) throw failed.reason;
    connection.discardPlans();
    const [first, second] = groups;
    if (second !== undefined) for (const group of groups) await this.#askAll(connection, [group]);
    else if (isStale && !isAgain) await this.#askAll(connection, groups, true);
    else if (isStale && !this.#isMoved) await this.#askAll(await this.#move(connection), groups, true);
    else if (first !== undefined) noteAnswers(first, new Set(), 0);
  }

  /** Goes on looking at the same moment on a new connection: functions were compiled on this one with what has been dropped since. */
  async #move(connection: Connection): Promise<Connection> {
    const exported = this.#run(connection, 'select pg_export_snapshot()');
    connection.flush();
    const id = String((await exported).rows[0]?.[0]);
    this.leave(connection);
    const next = await this.connection();
    const begun = this.#run(next, beginText, `set transaction snapshot '${id.replaceAll(/[^\w-]/g, '')}'`);
    next.flush();
    await begun;
    connection.close();
    this.#isMoved = true;
    return next;
  }

  #submit(connection: Connection, group: readonly Question[]): Promise<Result> {
    const { caller } = group[0] as Question;
    const { statement } = this.settings.write(caller, undefined);
    return this.send(connection, [
      { shape: this.shapes.of('', statement.text), statement },
      stepOf(this.shapes, group),
    ]);
  }
}

interface Snapshot extends Moment {
  readonly from: bigint;
  readonly to: bigint;
  readonly running: ReadonlySet<bigint>;
}

/** `xmin:xmax:xip,xip`: all below xmin are done, none from xmax on, and those listed were running. */
function readSnapshot(text: string, position: string): Snapshot {
  const [from = '0', to = '0', running = ''] = text.split(':');
  return {
    from: BigInt(from),
    to: BigInt(to),
    running: new Set(running === '' ? [] : running.split(',').map(BigInt)),
    at: performance.now(),
    position: readPosition(position),
  };
}

function hasSeen({ from, to, running }: Snapshot, xid: number): boolean {
  // The log gives the lower half of the number: the other half is the snapshot's own, or its neighbour's.
  let full = (to & ~0xffff_ffffn) | BigInt(xid);
  if (full > to + 0x8000_0000n) full -= 0x1_0000_0000n;
  else if (full + 0x8000_0000n < to) full += 0x1_0000_0000n;
  return full < from || (full < to && !running.has(full));
}
