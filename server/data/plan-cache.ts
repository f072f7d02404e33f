// Plan cache for reads: parsed request, plan and SQL of a GET, keyed by its words with ids replaced. Boards, lists and single tasks repeat the same
// words with other ids, which are filled in. Answers are not cached, and nothing of the caller but whether they see all rows.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Statement } from '../database/types.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { ReadPlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import type { ApiRequest } from './request/api-request.ts';
import { header, type RequestHead } from './request/read-request.ts';

export interface CachedPlan {
  readonly request: ApiRequest;
  readonly plan: ReadPlan;
  readonly query: Query;
}

/** A read as it may have been asked before: those of one key differ in their ids at most. */
export interface PlanKey {
  readonly key: string;
  /** What comes after the question mark, a line break and a number in the place of each id. */
  readonly words: string;
  /** The ids it asks for, each once. */
  readonly ids: readonly string[];
}

interface Kept extends CachedPlan {
  readonly ids: readonly string[];
}

const mostEntries = 500;
const longestKey = 4096;
/** Of the SQL of all that is kept, in characters: each takes some twenty bytes with what belongs to it. */
const mostSql = 1_000_000;
/** Those that the meaning of a read depends on. */
const decisive = ['prefer', 'accept', 'accept-profile', 'range', 'content-type'];
const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const anyId = new RegExp(id, 'g');
/** All that a filter compares with: `id=eq.0b0e…`. */
const askedId = new RegExp(`(?<==eq\\.)${id}(?=[&;]|$)`, 'g');

/** Null: not one to keep. */
export function planKeyOf(head: RequestHead, seesAll: boolean): PlanKey | null {
  if (head.method !== 'GET' && head.method !== 'HEAD') return null;
  const ids: string[] = [];
  const words = head.query.replace(askedId, (one) => {
    if (!ids.includes(one)) ids.push(one);
    return `\n${ids.indexOf(one)}`;
  });
  // No part of a request has a line break in it.
  let key = `${head.method}\n${seesAll}\n${head.path}\n${words}`;
  for (const name of decisive) {
    const value = header(head, name);
    key += value === undefined ? '\n' : `\n=${value}`;
  }
  return key.length > longestKey ? null : { key, words, ids };
}

export class PlanCache {
  #catalog: Catalog | null = null;
  readonly #reads = new Map<string, Kept>();
  #sql = 0;
  /** Asked once: of these most never come again, and are not worth their memory. */
  readonly #once = new Set<string>();

  find({ key, ids }: PlanKey, catalog: Catalog): CachedPlan | undefined {
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      this.#reads.clear();
      this.#sql = 0;
      this.#once.clear();
    }
    const kept = this.#reads.get(key);
    return kept === undefined || kept.ids.every((one, at) => one === ids[at]) ? kept : filledIn(kept, ids);
  }

  /** After `find` with the same catalog. `make` puts a read together for other words. */
  keep({ key, words, ids }: PlanKey, read: CachedPlan, make: (words: string) => CachedPlan): void {
    if (!this.#once.delete(key)) {
      if (this.#once.size >= mostEntries) this.#once.clear();
      this.#once.add(key);
      return;
    }
    const kept = { ...read, ids };
    if (ids.length > 0 && !comesOutTheSame(kept, words, make)) return;
    this.#sql += lengthOf(kept.query);
    this.#reads.set(key, kept);
    for (const [oldest, { query }] of this.#reads) {
      if (this.#reads.size <= mostEntries && this.#sql <= mostSql) return;
      this.#sql -= lengthOf(query);
      this.#reads.delete(oldest);
    }
  }
}

const lengthOf = ({ statement, streamedText = '' }: CachedPlan['query']): number =>
  statement.text.length + streamedText.length;

/** Whether filling in ids gives what putting together does, tried with ids that nobody has: one may also be meant by what looks otherwise. */
function comesOutTheSame(kept: Kept, words: string, make: (words: string) => CachedPlan): boolean {
  const others = kept.ids.map(() => randomUUID());
  const made = make(words.replace(/\n(\d+)/g, (_, at) => others[Number(at)] ?? ''));
  const filled = filledIn(kept, others);
  return isDeepStrictEqual(filled.query, made.query) && filled.request.query.canonical === made.request.query.canonical;
}

/** The same read of other ids. */
function filledIn({ request, plan, query, ids: before }: Kept, ids: readonly string[]): CachedPlan {
  const replaced = (one: string): string => ids[before.indexOf(one)] ?? one;
  const filled = ({ text, values }: Statement): Statement => ({
    text,
    values: values.map((value) => (typeof value === 'string' ? replaced(value) : value)),
  });
  const { statement, estimate } = query;
  return {
    request: { ...request, query: { ...request.query, canonical: request.query.canonical.replace(anyId, replaced) } },
    plan,
    query: { ...query, statement: filled(statement), ...(estimate !== undefined && { estimate: filled(estimate) }) },
  };
}
