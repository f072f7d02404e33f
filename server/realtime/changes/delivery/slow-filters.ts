// Evaluates in Postgres the filters that can't be evaluated here (patterns, JSON paths, collations), off the delivery path, so that one slow
// filter delays nobody; only over rows that the policies have shown to the subscriber. Rows that pass are sent in the order of the commits.
// A subscriber with more rows than are answered in time is told that changes were missed.

import type { Logger } from 'pino';
import type { Database } from '../../../database/types.ts';
import type { Values } from '../change.ts';
import type { Filter } from './filter.ts';
import type { Subscriber } from './subscriptions.ts';

interface Waiting {
  readonly subscriber: Subscriber;
  /** It is sent when one of them passes. */
  readonly rows: readonly Values[];
  readonly send: () => unknown;
}

export interface SlowFiltersParts {
  readonly database: Database;
  readonly onMissed: (subscriber: Subscriber) => void;
  readonly log: Logger;
}

const timeoutMs = 250;
const atOnce = 2;
/** Of one filter; and in one statement, with so many characters of them. */
const mostWaiting = 2000;
const mostAsked = 100;
const mostCharacters = 2 ** 20;

export class SlowFilters {
  readonly #parts: SlowFiltersParts;
  /** By the filter's key: whoever has the same is answered by the same statement. Whose turn it is next stands first. */
  readonly #waiting = new Map<string, { readonly filter: Filter; readonly list: Waiting[] }>();
  readonly #asking = new Set<string>();

  constructor(parts: SlowFiltersParts) {
    this.#parts = parts;
  }

  add(filter: Filter, one: Waiting): void {
    const list = this.#waiting.get(filter.key)?.list ?? [];
    this.#waiting.set(filter.key, { filter, list });
    list.push(one);
    if (list.length > mostWaiting) this.#miss(list.splice(0));
    this.#goOn();
  }

  #goOn(): void {
    for (const [key, { filter, list }] of this.#waiting) {
      if (this.#asking.size >= atOnce) return;
      if (this.#asking.has(key)) continue;
      this.#waiting.delete(key);
      if (list.length === 0) continue;
      const some = firstOf(filter, list);
      if (list.length > 0) this.#waiting.set(key, { filter, list });
      this.#asking.add(key);
      void this.#ask(filter, some).finally(() => {
        this.#asking.delete(key);
        this.#goOn();
      });
    }
  }

  async #ask(filter: Filter, some: readonly Waiting[]): Promise<void> {
    const { database, log } = this.#parts;
    const rows = [...new Set(some.flatMap((one) => one.rows))];
    const { role } = (some[0] as Waiting).subscriber.caller;
    try {
      const passing = await filter.ask(database, role, rows, timeoutMs);
      for (const one of some) if (one.rows.some((row) => passing.has(row))) one.send();
    } catch (error) {
      log.debug({ err: error }, 'a filter was not answered in time');
      this.#miss(some);
    }
  }

  #miss(some: readonly Waiting[]): void {
    for (const subscriber of new Set(some.map((one) => one.subscriber))) this.#parts.onMissed(subscriber);
  }
}

function firstOf(filter: Filter, list: Waiting[]): Waiting[] {
  let [count, characters] = [0, 0];
  for (const { rows } of list.slice(0, mostAsked)) {
    characters += rows.reduce((sum, row) => sum + filter.lengthOf(row), 0);
    if (count > 0 && characters > mostCharacters) break;
    count++;
  }
  return list.splice(0, count);
}
