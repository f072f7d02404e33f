// Reads that are asked again and again, as boards and lists are: what their words mean, how they are planned and their SQL depend on those words and the
// catalog alone, so who asks the same once more finds all three made. Nothing of what is answered is kept, and nothing of who asks but whether they see all.

import type { Catalog } from './catalog/catalog.ts';
import type { ReadPlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import type { ApiRequest } from './request/api-request.ts';
import { header, type RequestHead } from './request/read-request.ts';

export interface KnownRead {
  readonly request: ApiRequest;
  readonly plan: ReadPlan;
  readonly query: Query;
}

const mostKept = 500;
const longestKey = 4096;
/** Those that the meaning of a read depends on. */
const decisive = ['prefer', 'accept', 'accept-profile', 'range', 'content-type'];

/** Two requests with the same key are the same read; null: not one to keep. */
export function keyOf(head: RequestHead, seesAll: boolean): string | null {
  if (head.method !== 'GET' && head.method !== 'HEAD') return null;
  // No part of a request has a line break in it.
  let key = `${head.method}\n${seesAll}\n${head.path}\n${head.query}`;
  for (const name of decisive) {
    const value = header(head, name);
    key += value === undefined ? '\n' : `\n=${value}`;
  }
  return key.length > longestKey ? null : key;
}

export class KnownReads {
  #catalog: Catalog | null = null;
  readonly #reads = new Map<string, KnownRead>();
  /** Asked once: of these most never come again, and are not worth their memory. */
  readonly #once = new Set<string>();

  find(key: string, catalog: Catalog): KnownRead | undefined {
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      this.#reads.clear();
      this.#once.clear();
    }
    return this.#reads.get(key);
  }

  /** After `find` with the same catalog. */
  keep(key: string, read: KnownRead): void {
    if (!this.#once.delete(key)) {
      if (this.#once.size >= mostKept) this.#once.clear();
      this.#once.add(key);
      return;
    }
    const [oldest] = this.#reads.keys();
    if (this.#reads.size >= mostKept && oldest !== undefined) this.#reads.delete(oldest);
    this.#reads.set(key, read);
  }
}
