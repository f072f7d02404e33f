// Cache of answers on who may see which rows: by table, caller and row, for a while.

import type { Condition } from '../tables.ts';
import type { Question } from './questions.ts';

export interface Visibility {
  readonly seen: boolean;
  /** From when on it has held, by our clock: before it was asked, or before the same was answered earlier. */
  readonly askedAt: number;
}

type Known = Visibility & { readonly question: Question };

/** Of one caller about one table. */
interface Entry {
  /** What was asked. */
  readonly condition: Condition;
  readonly until: number;
  readonly rows: Map<string, Known>;
  /** What was known before these were asked anew; null when something happened between that may have made it another. */
  before: ReadonlyMap<string, Visibility> | null;
  isUsed: boolean;
}

/** Questions of one caller about one table that are to be put to the database. */
export interface OpenQuestions {
  readonly questions: readonly Question[];
  /** Where the answers go: nowhere that counts, when they are forgotten before they come. */
  readonly entry: Pick<Entry, 'rows' | 'before'>;
  /** And for whoever asks now. */
  readonly known: Map<Question, Visibility>;
}

/** A caller of whom more is known than this is asked about anew. */
const mostRows = 500;
/** An entry with more is not renewed ahead: most of it would not be asked for again. */
const rowsRenewed = 20;
const renewedBeforeMs = 5000;
/** Answers that may be kept for less may have been others in between. */
const heldForMs = 10_000;
export const unknown: Visibility = { seen: false, askedAt: Number.POSITIVE_INFINITY };

export class VisibilityCache {
  readonly #tables = new Map<number, Map<string, Entry>>();

  /** Callers of whom something is known, counted for each table. */
  get size(): number {
    let size = 0;
    for (const callers of this.#tables.values()) size += callers.size;
    return size;
  }

  /** The answers about a table's rows do not hold any more. */
  forget(relation: number): void {
    for (const entry of this.#tables.get(relation)?.values() ?? []) entry.before = null;
    this.#tables.delete(relation);
  }

  forgetAll(): void {
    for (const relation of [...this.#tables.keys()]) this.forget(relation);
  }

  /** Those nobody has answered yet, together by caller and table; those that are known are put into `known`. */
  missing(
    questions: readonly Question[],
    goodForMs: (relation: number) => number,
    known: Map<Question, Visibility>,
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
      // The policies are others than those that were asked.
      if (entry !== undefined && entry.condition.text !== question.condition.text) entry = undefined;
      if (entry === undefined || (!checked.has(entry) && (entry.until <= now || entry.rows.size > mostRows))) {
        entry = newEntry(question.condition, now, goodForMs(relation), entry ?? null);
        callers.set(question.callerKey, entry);
      }
      checked.add(entry);
      entry.isUsed = true;
      const answer = entry.rows.get(question.row);
      // A right that came without our hearing of it may have come with the change: a no is asked again each time.
      if (answer !== undefined && (answer.seen || goodForMs(relation) > heldForMs)) {
        known.set(question, answer);
        continue;
      }
      const group = groups.get(entry) ?? [];
      groups.set(entry, group);
      group.push(question);
    }
    return [...groups].map(([entry, group]) => ({ questions: group, entry, known }));
  }

  /** What was asked for lately and will be too old soon. Until it is answered anew, what is known stays. */
  ageing(goodForMs: (relation: number) => number): { readonly open: OpenQuestions; readonly keep: () => void }[] {
    const now = performance.now();
    const found: { open: OpenQuestions; keep: () => void }[] = [];
    for (const [relation, callers] of this.#tables) {
      const good = goodForMs(relation);
      for (const [callerKey, entry] of callers) {
        if (entry.until - now > renewedBeforeMs) continue;
        // Also of those that are never renewed: whoever has left would be remembered for ever.
        if (good <= heldForMs || !entry.isUsed || entry.rows.size > rowsRenewed) {
          if (entry.until <= now) callers.delete(callerKey);
          continue;
        }
        const fresh = newEntry(entry.condition, now, good, entry);
        // What is forgotten while it is asked anew is not put in its place.
        const questions = [...entry.rows.values()].map(({ question }) => question);
        found.push({
          open: { questions, entry: fresh, known: new Map() },
          keep: () => {
            if (this.#tables.get(relation)?.get(callerKey) === entry) callers.set(callerKey, fresh);
          },
        });
      }
    }
    return found;
  }
}

function newEntry(condition: Condition, now: number, goodForMs: number, old: Entry | null): Entry {
  return {
    condition,
    // Not all at the same time, so that they are not asked about all at the same time.
    until: now + goodForMs * (0.5 + Math.random() / 2),
    rows: new Map(),
    before: goodForMs > heldForMs ? (old?.rows ?? null) : null,
    isUsed: false,
  };
}

/** The places of those that were answered by yes, from 1 on. */
export function noteAnswers(
  { questions, entry, known }: OpenQuestions,
  yes: ReadonlySet<number>,
  askedAt: number,
): void {
  for (const [index, question] of questions.entries()) {
    const seen = yes.has(index + 1);
    const old = entry.before?.get(question.row);
    const answer = { seen, askedAt: old?.seen === seen ? old.askedAt : askedAt, question };
    entry.rows.set(question.row, answer);
    known.set(question, answer);
  }
}
