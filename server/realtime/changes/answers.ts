// What is known of who may see which rows: answers by table, caller and row, each caller's for a while.

import type { Question } from './questions.ts';

export interface Answer {
  readonly seen: boolean;
  /** Before it was asked, by our clock. */
  readonly askedAt: number;
}

/** Of one caller about one table. */
interface Entry {
  readonly until: number;
  readonly rows: Map<string, Answer>;
}

/** Questions of one caller about one table that are to be put to the database. */
export interface OpenQuestions {
  readonly questions: readonly Question[];
  /** Where the answers go: nowhere that counts, when they are forgotten before they come. */
  readonly rows: Map<string, Answer>;
  /** And for whoever asks now. */
  readonly known: Map<Question, Answer>;
}

/** A caller of whom more is known than this is asked about anew. */
const rowsKept = 500;
export const unknown: Answer = { seen: false, askedAt: Number.POSITIVE_INFINITY };

export class Answers {
  readonly #tables = new Map<number, Map<string, Entry>>();

  /** The answers about a table's rows do not hold any more. */
  forget(relation: number): void {
    this.#tables.delete(relation);
  }

  /** Those nobody has answered yet, together by caller and table; those that are known are put into `known`. */
  missing(
    questions: readonly Question[],
    goodForMs: (relation: number) => number,
    known: Map<Question, Answer>,
  ): OpenQuestions[] {
    const now = performance.now();
    const groups = new Map<Entry, Question[]>();
    const checked = new Set<Entry>();
    for (const question of questions) {
      const { relation } = question.table;
      let callers = this.#tables.get(relation);
      if (callers === undefined) {
        callers = new Map();
        this.#tables.set(relation, callers);
      }
      let entry = callers.get(question.callerKey);
      if (entry === undefined || (!checked.has(entry) && (entry.until <= now || entry.rows.size > rowsKept))) {
        // Not all at the same time, so that they are not asked about all at the same time.
        entry = { until: now + goodForMs(relation) * (0.5 + Math.random() / 2), rows: new Map() };
        callers.set(question.callerKey, entry);
      }
      checked.add(entry);
      const answer = entry.rows.get(question.row);
      if (answer !== undefined) {
        known.set(question, answer);
        continue;
      }
      const group = groups.get(entry) ?? [];
      groups.set(entry, group);
      group.push(question);
    }
    return [...groups].map(([{ rows }, group]) => ({ questions: group, rows, known }));
  }
}

/** The places of those that were answered by yes, from 1 on. */
export function noteAnswers(open: OpenQuestions, seen: ReadonlySet<number>, askedAt: number): void {
  for (const [index, question] of open.questions.entries()) {
    const answer = { seen: seen.has(index + 1), askedAt };
    open.rows.set(question.row, answer);
    open.known.set(question, answer);
  }
}
