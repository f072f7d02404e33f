// Writes the exports that people asked for (sql/0880_exports.sql), one at a time on each node, with the rights of who asked: what they no longer
// see is not in it. The file goes into the file store as it is written. Any number of nodes may do this; one that stops leaves its export to
// the next.

import type { Services } from '../services.ts';
import { type Claimed, type ExportFiles, NotWanted, worker, writeClaimed } from './write-claimed.ts';

/** Also when no word comes: another node stopped, or what is over is to go. */
const POLL_MS = 60_000;

export interface Exports {
  /** Writes what waits now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export async function startExports(
  { database, jobs, log, siteUrl }: Pick<Services, 'database' | 'jobs' | 'log' | 'siteUrl'>,
  files: ExportFiles,
): Promise<Exports> {
  const stopping = new AbortController();
  let asked = false;
  let running: Promise<void> | null = null;

  const ask = <Row>(text: string, values: readonly string[] = []): Promise<readonly Row[]> =>
    database.objectsAs<Row & Record<string, unknown>>(worker, { text, values });

  async function next(): Promise<boolean> {
    const [claimed] = await ask<Claimed>('select * from private.next_export()');
    if (claimed === undefined) return false;
    const leave = (reason: string | null): Promise<unknown> =>
      ask("select private.leave_export($1, $2, nullif($3, ''))", [claimed.id, String(claimed.attempt), reason ?? '']);
    try {
      await writeClaimed(claimed, { database, log, siteUrl, files, stopping: stopping.signal });
    } catch (error) {
      if (stopping.signal.aborted) await leave(null);
      else if (error instanceof NotWanted) await leave('gone');
      else {
        log.warn({ err: error, export: claimed.id }, 'an export could not be written');
        await leave('broken');
      }
    }
    return true;
  }

  function settle(): Promise<void> {
    asked = true;
    running ??= (async () => {
      while (asked && !stopping.signal.aborted) {
        asked = false;
        try {
          while (!stopping.signal.aborted && (await next()));
          await jobs.round('sweep_exports', () => ask('select private.sweep_exports()'));
        } catch (error) {
          log.warn({ err: error }, 'exports were not written; will try again in a minute');
        }
      }
      running = null;
    })();
    return running;
  }

  const hear = (): void => void settle();
  const unlisten = await database.listen('kanbase_exports', hear, hear).catch((error: unknown) => {
    log.warn({ err: error }, 'exports begin within a minute only: the database cannot be listened to');
    return async () => undefined;
  });
  const poll = setInterval(hear, POLL_MS);
  poll.unref();
  hear();
  return {
    settle,
    async stop() {
      stopping.abort(new Error('the service stops'));
      clearInterval(poll);
      await unlisten();
      await running;
    },
  };
}
