// Keeps the catalog fresh: `notify pgrst, 'reload schema'`, a cheap look at the system tables now and then, and one
// when a request misses something. A reload happens beside the requests; each of those keeps the catalog it began with.

import type { Logger } from 'pino';
import type { Database } from '../../database/types.ts';
import type { Catalog } from './catalog.ts';
import { FINGERPRINT } from './catalog-queries.ts';
import { type CatalogScope, LOGIN, loadCatalog } from './load-catalog.ts';

const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 1_000;
const REST_MS = 100;
/** In a row, before a catalog that was changed while it was read is taken as it is. */
const mostChanges = 3;
/** Settings of roles are read with everything else. */
const RELOADS = new Set(['', 'reload schema', 'reload config']);

export interface CatalogWatch {
  /** It has been read, or that failed and is tried again. */
  readonly first: Promise<void>;
  /** Null until it has been read for the first time. */
  current(): Catalog | null;
  /** After a miss: true when the database has changed since `known` was read, and the new catalog is in place. */
  hasChangedSince(known: Catalog): Promise<boolean>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export async function watchCatalog(database: Database, scope: CatalogScope, log: Logger): Promise<CatalogWatch> {
  let catalog: Catalog | null = null;
  let loading: Promise<void> | null = null;
  let again = false;
  let looking: Promise<void> | null = null;
  let rested: Promise<void> = Promise.resolve();
  let closed = false;

  async function load(): Promise<void> {
    const started = performance.now();
    const isFirst = catalog === null;
    let read = await loadCatalog(database, scope);
    // A change in the middle is in it by halves: a type that is gone has no name there.
    for (let left = mostChanges; left > 0 && (await fingerprint()) !== read.fingerprint; left--)
      read = await loadCatalog(database, scope);
    catalog = read;
    if (!isFirst) database.flushPlans();
    const tables = [...catalog.tables.values()].reduce((sum, bySchema) => sum + bySchema.size, 0);
    log.debug({ tables, version: catalog.version, ms: Math.round(performance.now() - started) }, 'catalog read');
  }

  /** One at a time; what is asked for meanwhile is done once more, at the end. */
  function reload(): Promise<void> {
    if (loading !== null) {
      again = true;
      return loading;
    }
    loading = (async () => {
      do {
        again = false;
        await load();
      } while (again && !closed);
    })().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function fingerprint(): Promise<string> {
    const { rows } = await database.runAs(LOGIN, { text: FINGERPRINT, values: [] }, { readOnly: true });
    return rows[0]?.[0]?.toString() ?? '';
  }

  async function look(): Promise<void> {
    if (catalog !== null && (await fingerprint()) !== catalog.fingerprint) await reload();
  }

  /** One look for all misses that wait; looks for misses rest as long as the last one took (if not long), so they stay a small load. */
  function lookSoon(): Promise<void> {
    looking ??= rested.then(() => {
      // A miss from now on is a look of its own: this one may have begun before the change.
      looking = null;
      const started = performance.now();
      const looked = look();
      rested = looked
        .catch(() => undefined)
        .then(() => new Promise((resolve) => setTimeout(resolve, Math.min(performance.now() - started, REST_MS))));
      return looked;
    });
    return looking;
  }

  async function firstLoad(): Promise<void> {
    try {
      await reload();
    } catch (error) {
      if (closed) return;
      log.warn({ err: error }, 'the structure of the database cannot be read; trying again');
      setTimeout(() => void firstLoad(), RETRY_MS).unref();
    }
  }

  const stopListening = await database
    .listen(
      'pgrst',
      (payload) => {
        if (RELOADS.has(payload)) void reload().catch(report);
      },
      () => void reload().catch(report),
    )
    .catch((error: unknown) => {
      report(error);
      return async () => undefined;
    });
  function report(error: unknown): void {
    if (!closed) log.warn({ err: error }, 'the catalog could not be refreshed; the old one stays');
  }
  const first = firstLoad();
  const timer = setInterval(() => void look().catch(report), LOOK_EVERY_MS).unref();

  return {
    first,
    current: () => catalog,
    hasChangedSince: async (known) => {
      if (catalog !== null && catalog !== known) return true;
      await lookSoon().catch(report);
      return catalog !== null && catalog !== known;
    },
    reload,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await stopListening();
      await loading?.catch(() => undefined);
    },
  };
}
