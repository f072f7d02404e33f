// Background jobs of the server and a record of the last run of each, for the admin pages. Repeated success is not written down each time,
// so that a server at rest leaves its disk at rest, too.

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { sql, statement } from '../database/sql.ts';
import type { Caller, Database } from '../database/types.ts';

export interface Jobs {
  /** Does it, and writes down how it went. What goes wrong is still the caller's to say. */
  round<T>(job: string, work: () => Promise<T>): Promise<T>;
}

const caller: Caller = { role: 'kanbase_desk', claims: '{}' };
const notedEveryMs = 5 * 60_000;
/** Worth knowing each time. */
const longMs = 5000;

export function openJobs(database: Database, port: number, log: Logger): Jobs {
  const node = `${hostname()}:${port}`;
  const noted = new Map<string, { readonly at: number; readonly failed: boolean }>();

  async function note(job: string, began: number, error: unknown): Promise<void> {
    const now = performance.now();
    const words = error === null ? null : String(error instanceof Error ? error.message : error).slice(0, 500);
    const last = noted.get(job);
    const changed = last === undefined || last.failed || words !== null;
    if (!changed && now - last.at < notedEveryMs && now - began < longMs) return;
    noted.set(job, { at: now, failed: words !== null });
    const seconds = (now - began) / 1000;
    await database
      .objectsAs(
        caller,
        statement(
          sql`select private.note_job_round(${job}, ${node}, ${seconds}::double precision, ${words})::text as noted`,
        ),
      )
      .catch((reason: unknown) => log.debug({ err: reason, job }, 'how a job went could not be written down'));
  }

  return {
    async round(job, work) {
      const began = performance.now();
      try {
        const done = await work();
        await note(job, began, null);
        return done;
      } catch (error) {
        await note(job, began, error);
        throw error;
      }
    },
  };
}
