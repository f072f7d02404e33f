// Background jobs of a node and a record of the last run of each, for the admin page. Rooms declare their jobs; only the main process of a
// node starts them. Repeated success is not written down each time, so that a server at rest leaves its disk at rest, too.

import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { every, type Job, type Loop, type RunningJob } from './every.ts';

export interface Jobs {
  /** Declares a job. It runs regularly from `start` on, at once where that was before. */
  every(job: Job): Promise<RunningJob>;
  /** Does the work and records how it went. Errors reach the caller. */
  run<T>(job: string, work: () => Promise<T>): Promise<T>;
  /** Called by `kanbase serve`, once it listens: neither by the processes it forks nor by other commands. */
  start(): Promise<void>;
  /** Resolves when the runs under way have ended. */
  stop(): Promise<void>;
}

const notedEveryMs = 5 * 60_000;
/** Worth knowing each time. */
const longMs = 5000;

export function openJobs(database: Database, port: number, log: Logger): Jobs {
  const node = `${hostname()}:${port}`;
  const noted = new Map<string, { readonly at: number; readonly failed: boolean }>();
  const loops: Loop[] = [];
  let isStarted = false;

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
        roomRoles.admin,
        statement(
          sql`select private.record_job_run(${job}, ${node}, ${seconds}::double precision, ${words})::text as noted`,
        ),
      )
      .catch((reason: unknown) => log.debug({ err: reason, job }, 'a run of a background job could not be recorded'));
  }

  async function run<T>(job: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const done = await work();
      await note(job, began, null);
      return done;
    } catch (error) {
      await note(job, began, error);
      throw error;
    }
  }

  return {
    run,
    async every(job) {
      const recorded = { ...job, run: (stopping: AbortSignal) => run(job.name, () => job.run(stopping)) };
      const loop = every({ database, log }, job.isRecorded === false ? job : recorded);
      loops.push(loop);
      if (isStarted) await loop.start();
      return loop;
    },
    async start() {
      isStarted = true;
      log.debug({ jobs: loops.map(({ name }) => name) }, 'background jobs started');
      await Promise.all(loops.map((loop) => loop.start()));
    },
    async stop() {
      await Promise.allSettled(loops.map((loop) => loop.stop()));
    },
  };
}
