// Writes the imports that people began, and takes them back: one at a time on a node, as the person whose import it is, so that what they may
// not do is refused in the middle too. A node holds one for a minute at a time; when it is gone, another begins again where that one stopped.

import { randomUUID } from 'node:crypto';
import type { Caller } from '../database/types.ts';
import { PostgresError } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import { undoImport } from '../imports/undo-import.ts';
import { writeImport } from '../imports/write-import.ts';
import type { Services } from '../services.ts';
import { change, fileOf, type Job, jobOf } from './jobs.ts';
import { inTurn, readArrival } from './read-arrival.ts';

const node: Caller = { role: 'kanbase_imports', claims: '{}' };
/** Also when no word comes: a node that has gone, a word that was lost. */
const POLL_MS = 30_000;
const HOLD_MS = 10_000;

export interface Arrivals {
  /** Does what waits now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

type Held = 'held' | 'cancelled' | 'lost' | 'stopped';

export async function startArrivals(services: Pick<Services, 'database' | 'log'>): Promise<Arrivals> {
  const { database, log } = services;
  const holder = randomUUID();
  let stopped = false;
  let asked = false;
  let running: Promise<void> | null = null;
  let end: ((why: Held) => void) | null = null;

  async function next(): Promise<boolean> {
    const [claimed] = await database.objectsAs<{ id: string; user_id: string }>(node, {
      text: 'select id, user_id from private.claim_import_job($1)',
      values: [holder],
    });
    if (claimed === undefined) return false;
    const { id, user_id: userId } = claimed;
    const ask = (procedure: 'hold' | 'leave') =>
      database.objectsAs<{ held: Held }>(node, {
        text: `select private.${procedure}_import_job($1, $2) as held`,
        values: [id, holder],
      });
    const abort = new AbortController();
    let why = 'held' as Held;
    end = (reason) => {
      if (why === 'held') why = reason;
      abort.abort();
    };
    const hold = setInterval(() => {
      ask('hold').then(
        ([row]) => row?.held !== 'held' && end?.(row?.held ?? 'lost'),
        (error) => log.warn({ err: error, import: id }, 'an import could not be held'),
      );
    }, HOLD_MS);
    try {
      await perform(id, userId, abort.signal, () => why);
    } finally {
      clearInterval(hold);
      end = null;
      if (why === 'stopped') await ask('leave').catch(() => undefined);
    }
    return true;
  }

  async function perform(id: string, userId: string, signal: AbortSignal, why: () => Held): Promise<void> {
    const caller: Caller = {
      role: 'authenticated',
      claims: JSON.stringify({ sub: userId, role: 'authenticated', aud: 'authenticated' }),
    };
    const job = await jobOf(database, caller, id);
    if (job === undefined) return;
    try {
      if (job.state === 'undoing') {
        const result = job.import_id === null ? null : await undoImport(database, caller, job.import_id);
        await change(database, caller, id, ['undoing'], 'undone', { result });
      } else await write(job, caller, userId, signal, why);
    } catch (error) {
      const words = failureOf(error);
      // What may pass, such as a database that is away, is tried again by whoever holds it next.
      if (words === null) throw error;
      log.warn({ err: error, import: id }, 'an import failed');
      await change(database, caller, id, ['running', 'undoing'], 'failed', { failure: words, is_over: true });
    }
  }

  async function write(job: Job, caller: Caller, userId: string, signal: AbortSignal, why: () => Held): Promise<void> {
    const { id, project_id: projectId } = job;
    const file = await fileOf(database, caller, id);
    if (projectId === null || file === null) throw new CatalogError('KB822', 404, { message: 'Its file is gone' });
    const { read, matched, keepDates } = await inTurn(() =>
      readArrival({ database, caller, userId, projectId, file, fileName: job.file_name, choices: job.choices }),
    );
    const imported = await writeImport({
      database,
      caller,
      userId,
      projectId,
      isNew: job.is_new,
      fileName: job.file_name,
      read,
      matched,
      keepDates,
      signal,
      importId: job.import_id,
      // Before anything is written, so that it can be taken back however it ends.
      onBegin: async (importId) =>
        void (await change(database, caller, id, ['running'], 'running', { import_id: importId })),
    });
    const { made, updated, unchanged } = imported;
    if (why() === 'lost' || why() === 'stopped') return;
    const state = imported.state === 'done' ? 'done' : 'cancelled';
    await change(database, caller, id, ['running'], state, { result: { made, updated, unchanged }, is_over: true });
  }

  function settle(): Promise<void> {
    asked = true;
    running ??= (async () => {
      while (asked && !stopped) {
        asked = false;
        try {
          while (!stopped && (await next()));
        } catch (error) {
          log.warn({ err: error }, 'imports wait; will try again in half a minute');
        }
      }
      running = null;
    })();
    return running;
  }

  const hear = (): void => void settle();
  const unlisten = await database.listen('kanbase_import_jobs', hear, hear).catch((error: unknown) => {
    log.warn({ err: error }, 'imports begin within half a minute only: the database cannot be listened to');
    return async () => undefined;
  });
  const poll = setInterval(hear, POLL_MS);
  poll.unref();
  hear();
  return {
    settle,
    async stop() {
      stopped = true;
      end?.('stopped');
      clearInterval(poll);
      await unlisten();
      await running;
    },
  };
}

/** What is told to whoever imports; null where trying again may help. */
function failureOf(error: unknown): string | null {
  if (error instanceof CatalogError) return error.code.startsWith('KB82') ? error.message : null;
  if (!(error instanceof PostgresError)) return 'The file could not be brought in.';
  if (error.sqlstate === '42501') return 'You may not write in this project any more.';
  return /^(08|40|53|57)/.test(error.sqlstate) ? null : error.message.slice(0, 300);
}
