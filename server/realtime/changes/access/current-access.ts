// Asks the table's own policies whether a caller may see a row as of now: their condition over the row as it was written, with the caller's
// role and claims. Many callers share one round trip, with one statement each; an answer is cached until something may have changed it. The
// question is about the row of the change and not the one in the table: that may be gone or changed again, and a caller who may see each
// version gets each version.

import type { Connection } from '../../../database/wire/connection.ts';
import type { Values } from '../change.ts';
import type { Table } from '../tables.ts';
import { CheckConnection } from './check-connection.ts';
import { isPolicyError } from './policy-error.ts';
import { type Question, seenOf, stepOf } from './questions.ts';
import { noteAnswers, type OpenQuestions, unknown, type Visibility, VisibilityCache } from './visibility.ts';

/** So many statements are on the way at a time. */
const inFlightLimit = 256;

/** What was shown within this time is let go together. */
const spanMs = 500;

/** What callers see as the database is now. */
export class CurrentAccess extends CheckConnection {
  protected readonly leased = false;
  readonly #known = new VisibilityCache();
  /** Rows that were shown, by when, the oldest first. */
  #seen: { readonly from: number; readonly byCaller: Map<string, Set<string>> }[] = [];
  #renewing: Promise<void> | null = null;

  /** Of how many it is known what they see, counted for each table. */
  get size(): number {
    return this.#known.size;
  }

  /** What was asked before may be answered otherwise now. */
  forget(): void {
    this.#known.forgetAll();
  }

  /** The same for the rows of these tables alone. */
  forgetTables(relations: Iterable<number>): void {
    for (const relation of relations) this.#known.forget(relation);
  }

  /** Whether it was shown to them at some time since `forgetBefore`. */
  saw(callerKey: string, table: Table, row: Values): boolean {
    return this.#seen.some(({ byCaller }) => byCaller.get(callerKey)?.has(keyOf(table, row)));
  }

  /** Nobody will want to know what was seen before this moment. */
  forgetBefore(at: number): void {
    for (let next = this.#seen[1]; next !== undefined && next.from < at; next = this.#seen[1]) this.#seen.shift();
  }

  /** `goodForMs` says how long answers about a table's rows may be kept, when nothing makes them be forgotten. */
  async ask(
    questions: readonly Question[],
    goodForMs: (relation: number) => number,
  ): Promise<(question: Question) => Visibility> {
    const known = new Map<Question, Visibility>();
    const missing = this.#known.missing(questions, goodForMs, known);
    if (missing.length > 0) {
      const connection = await this.connection();
      for (let start = 0; start < missing.length; start += inFlightLimit) {
        const asked = missing.slice(start, start + inFlightLimit).map((group) => this.#askOne(connection, group));
        connection.flush();
        await Promise.all(asked);
      }
    }
    return (question) => known.get(question) ?? unknown;
  }

  /**
   * Asks again what was asked for lately and will be too old soon, so that no change has to wait for it. Once at a time: of
   * a database that takes long the same is not asked over and over.
   */
  renew(goodForMs: (relation: number) => number): Promise<void> {
    this.#renewing ??= this.#renew(goodForMs).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(goodForMs: (relation: number) => number): Promise<void> {
    const ageing = this.#known.ageing(goodForMs);
    if (ageing.length === 0) return;
    const connection = await this.connection();
    for (let start = 0; start < ageing.length; start += inFlightLimit) {
      const some = ageing.slice(start, start + inFlightLimit);
      const asked = some.map(({ open, keep }) => this.#askOne(connection, open).then(keep));
      connection.flush();
      await Promise.all(asked);
    }
  }

  async #askOne(connection: Connection, group: OpenQuestions): Promise<void> {
    const { questions } = group;
    const { caller } = questions[0] as Question;
    const askedAt = performance.now();
    const setting = this.settings.write(caller, { readOnly: true });
    try {
      noteAnswers(group, seenOf(await this.send(connection, [setting, stepOf(this.shapes, questions)])), askedAt);
    } catch (error) {
      if (connection.closed || !isPolicyError(error)) throw error;
      if (questions.length === 1) {
        noteAnswers(group, new Set(), askedAt);
        return;
      }
      // One row that its policy stumbles over must not hide the others.
      const again = questions.map((question) => this.#askOne(connection, { ...group, questions: [question] }));
      connection.flush();
      await Promise.all(again);
    }
  }

  /** The row is shown to them. */
  remember(callerKey: string, table: Table, row: Values): void {
    const now = performance.now();
    let span = this.#seen.at(-1);
    if (span === undefined || now - span.from > spanMs) {
      span = { from: now, byCaller: new Map() };
      this.#seen.push(span);
    }
    const rows = span.byCaller.get(callerKey) ?? new Set();
    span.byCaller.set(callerKey, rows.add(keyOf(table, row)));
  }
}

/** One row and no other, whatever else is the same to the policies. */
function keyOf({ relation, columns, hasKey }: Table, row: Values): string {
  const names = columns.filter(({ isKey }) => isKey || !hasKey).map(({ name }) => row[name] ?? null);
  return `${relation} ${JSON.stringify(names)}`;
}
