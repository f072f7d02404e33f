// Writes the exports that people asked for (sql/rules/exports/exports.sql), one at a time on each node, with the rights of who asked: what they no longer
// see is not in it. The file goes into the file store as it is written. Any number of nodes may do this; one that stops leaves its export to
// the next.

import type { RunningJob } from '../background/every.ts';
import { roomRoles } from '../database/room-roles.ts';
import type { Services } from '../services.ts';
import { type Claimed, type ExportFiles, NotWanted, writeClaimed } from './write-claimed.ts';

/** Also when no word comes: another node stopped, or what is over is to go. */
const POLL_MS = 60_000;

export async function startExports(
  { database, jobs, log, siteUrl }: Pick<Services, 'database' | 'jobs' | 'log' | 'siteUrl'>,
  files: ExportFiles,
): Promise<RunningJob> {
  const ask = <Row>(text: string, values: readonly string[] = []): Promise<readonly Row[]> =>
    database.objectsAs<Row & Record<string, unknown>>(roomRoles.exports, { text, values });

  async function next(stopping: AbortSignal): Promise<boolean> {
    const [claimed] = await ask<Claimed>('select * from private.next_export()');
    if (claimed === undefined) return false;
    const leave = (reason: string | null): Promise<unknown> =>
      ask("select private.release_export($1, $2, nullif($3, ''))", [claimed.id, String(claimed.attempt), reason ?? '']);
    try {
      await writeClaimed(claimed, { database, log, siteUrl, files, stopping });
    } catch (error) {
      if (stopping.aborted) await leave(null);
      else if (error instanceof NotWanted) await leave('gone');
      else {
        log.warn({ err: error, export: claimed.id }, 'an export could not be written');
        await leave('broken');
      }
    }
    return true;
  }

  return jobs.every({
    name: 'write_exports',
    channel: 'kanbase_exports',
    everyMs: POLL_MS,
    firstAfterMs: 0,
    isRecorded: false,
    async run(stopping) {
      while (!stopping.aborted && (await next(stopping)));
      await jobs.run('sweep_exports', () => ask('select private.sweep_exports()'));
    },
  });
}
