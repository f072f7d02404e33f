// Loop of a background job: runs at an interval and when Postgres notifies, one run at a time, until it is stopped. All timers of background
// jobs are made here; open-jobs.ts starts the loops.

import type { Logger } from 'pino';
import { roomRoles } from '../database/room-roles.ts';
import type { Database } from '../database/types.ts';

export interface Job {
  /** In the log, at /metrics and on the admin page: lower-case words joined by underscores. */
  readonly name: string;
  /** Pause after a run; a tenth more or less, so that several nodes don't run at the same moment. */
  readonly everyMs: number;
  /** Pause before the first run, if not the same. 0: runs as soon as the loop starts. */
  readonly firstAfterMs?: number;
  /** Notifications of Postgres on this channel start a run at once. */
  readonly channel?: string;
  /** Called on each notification, also while a run is under way. */
  readonly onWord?: () => void;
  /** Each run is recorded, unless this is false: for jobs that record a part of their work, or run too often. */
  readonly isRecorded?: boolean;
  /** Resolves to true if more waits: the next run follows at once. */
  run(stopping: AbortSignal): Promise<unknown>;
}

export interface RunningJob {
  /** Runs now, or once more after the run under way; resolves when nothing is left to run. */
  settle(): Promise<void>;
  /** Asks for a run by the process that runs the job: this one or, by a notification, another. */
  ask(): void;
  /** Waits for the run under way. */
  stop(): Promise<void>;
}

export interface Loop extends RunningJob {
  readonly name: string;
  start(): Promise<void>;
}

export function every({ database, log }: { readonly database: Database; readonly log: Logger }, job: Job): Loop {
  const { name, everyMs, firstAfterMs = everyMs, channel, onWord } = job;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let unlisten = async (): Promise<void> => undefined;
  let isStarted = false;
  let isAsked = false;
  let running: Promise<void> | null = null;

  function settle(): Promise<void> {
    isAsked = true;
    running ??= runAll();
    return running;
  }

  async function runAll(): Promise<void> {
    clearTimeout(timer);
    while (isAsked && !signal.aborted) {
      isAsked = false;
      try {
        if ((await job.run(signal)) === true) isAsked = true;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, job: name, everyMs }, 'a background job failed; it runs again');
      }
    }
    running = null;
    if (isStarted) wait(everyMs * (0.9 + Math.random() * 0.2));
  }

  function wait(milliseconds: number): void {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(wake, milliseconds).unref();
  }

  function wake(): void {
    onWord?.();
    void settle();
  }

  return {
    name,
    settle,
    async start() {
      if (isStarted || signal.aborted) return;
      isStarted = true;
      if (channel !== undefined)
        unlisten = await database.listen(channel, wake, wake).catch((error: unknown) => {
          log.warn({ err: error, job: name, everyMs }, 'LISTEN failed; a background job runs at its interval alone');
          return unlisten;
        });
      if (firstAfterMs === 0) wake();
      else wait(firstAfterMs);
    },
    ask() {
      if (isStarted) void settle();
      else if (channel !== undefined && !signal.aborted)
        database
          .runAs(roomRoles.admin, { text: "select pg_notify($1, '')", values: [channel] })
          .catch((error: unknown) => log.debug({ err: error, job: name }, 'a background job could not be asked for'));
    },
    async stop() {
      stopping.abort(new Error('the service stops'));
      clearTimeout(timer);
      await unlisten();
      await running;
    },
  };
}
