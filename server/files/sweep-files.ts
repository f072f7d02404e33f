// Removes files whose attachment, task, project or account is gone for longer than an undo takes (private.removed_files), and the bytes
// that no row points to: what was replaced or deleted, and what a crash or a broken upload left behind (private.unclaimed_files).
// Of several nodes one does it at a time, and none while a backup reads files.

import type { Logger } from 'pino';
import { mayRemoveFiles } from '../database/file-removal-lock.ts';
import { roomRoles } from '../database/room-roles.ts';
import type { Database } from '../database/types.ts';
import type { Services } from '../services.ts';
import type { FileStore } from './store/file-store.ts';

const everyMs = 60_000;
const atOnce = 100;

export interface Sweeper {
  /** Asks the process of this node that removes files to do so now. */
  sweepSoon(): void;
  stop(): Promise<void>;
}

export interface SweptFiles {
  readonly store: Pick<FileStore, 'remove'>;
  /** Called for each file that is gone, for what was made of it. */
  readonly forget: (version: string) => Promise<void>;
  readonly keepRemovedSeconds: number;
  readonly longestLinkSeconds: number;
  readonly log: Logger;
}

export async function startSweeper(
  { database, jobs }: Pick<Services, 'database' | 'jobs'>,
  files: SweptFiles,
): Promise<Sweeper> {
  const job = await jobs.every({
    name: 'sweep_files',
    everyMs,
    channel: 'kanbase_unclaimed_files',
    run: (stopping) => sweepFiles(database, files, stopping),
  });
  return { sweepSoon: job.ask, stop: job.stop };
}

export async function sweepFiles(database: Database, files: SweptFiles, stopping: AbortSignal): Promise<void> {
  const { keepRemovedSeconds, longestLinkSeconds } = files;
  await database.objectsAs(roomRoles.files, {
    text: 'delete from private.resumable_uploads where expires_at <= now()',
    values: [],
  });
  await database.objectsAs(roomRoles.files, {
    text: 'select private.sweep_access_grants()::text, private.sweep_ended_links($1)::text',
    values: [String(longestLinkSeconds)],
  });
  while (!stopping.aborted && (await removeForGood(database, keepRemovedSeconds)) === atOnce);
  while (!stopping.aborted && (await sweepOnce(database, files)) === atOnce);
}

/** How many files were looked at. */
async function removeForGood(database: Database, retentionSeconds: number): Promise<number> {
  const [row] = await database.objectsAs<{ looked_at: number }>(roomRoles.files, {
    text: 'select private.remove_files_for_good($1, $2) as looked_at',
    values: [String(retentionSeconds), String(atOnce)],
  });
  return row?.looked_at ?? 0;
}

/**
 * How many were removed. The rows go when the bytes are gone: after a crash in between, removing them again does no harm. One that cannot be
 * removed waits an hour, and keeps no others.
 */
function sweepOnce(database: Database, { store, forget, log }: SweptFiles): Promise<number> {
  return database.transactAs(roomRoles.files, async (transaction) => {
    const [lock] = await transaction.objects<{ is_free: boolean }>({ text: mayRemoveFiles, values: [] });
    if (lock?.is_free !== true) return 0;
    const due = await transaction.objects<{ version: string }>({
      text: `delete from private.unclaimed_files where version = any (array(
          select version from private.unclaimed_files where due_at <= now() order by due_at limit ${atOnce} for update skip locked
        )) returning version`,
      values: [],
    });
    const failed: string[] = [];
    for (const { version } of due)
      try {
        await store.remove(version);
        await forget(version);
      } catch (error) {
        log.warn({ err: error, version }, 'a file that nobody needs could not be removed; will try again in an hour');
        failed.push(version);
      }
    if (failed.length > 0)
      await transaction.run({
        text: `insert into private.unclaimed_files (version, due_at) select v, now() + interval '1 hour' from unnest($1::text[]) v`,
        values: [`{${failed.join(',')}}`],
      });
    return due.length - failed.length;
  });
}
