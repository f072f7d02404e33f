// Runs one claimed import job: writes its rows or undoes an earlier import, with the rights of the person who started it, checked in every
// transaction.

import type { Caller } from '../../database/types.ts';
import { PostgresError } from '../../database/types.ts';
import { CatalogError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { SaveFile } from '../files-in-zip.ts';
import type { Imported } from '../import-options.ts';
import { shorten } from '../shorten.ts';
import { change, fileOf, type Job, jobOf } from './jobs.ts';
import { messageOf } from './reading-limits.ts';
import { runWorker, WorkerEnded } from './worker/run-worker.ts';

interface ClaimedJob {
  readonly id: string;
  readonly userId: string;
  /** Aborted when its owner cancels it, another node has it or this one stops. */
  readonly signal: AbortSignal;
  /** Only then does this node say how it ended. */
  readonly isMine: () => boolean;
}

interface Means extends Pick<Services, 'database' | 'log'> {
  readonly saveFile: SaveFile;
}

/** Says whether the process that did it has ended, however; then it is for the database to count. */
export async function runJob(means: Means, task: ClaimedJob): Promise<'over' | 'crashed'> {
  const { database, log } = means;
  const { id, userId, isMine } = task;
  const claims = JSON.stringify({ sub: userId, role: 'authenticated', aud: 'authenticated' });
  const caller: Caller = { role: 'authenticated', claims };
  const job = await jobOf(database, caller, id);
  if (job === undefined) return 'over';
  const fail = (failure: string): Promise<boolean> =>
    change(database, caller, id, ['running', 'undoing'], 'failed', { failure, is_over: true });
  try {
    if (job.state === 'undoing') await undo(means, caller, job, task);
    else await write(means, caller, job, task);
  } catch (error) {
    if (error instanceof WorkerEnded) {
      if (error.by === 'stop') {
        if (isMine() && task.signal.aborted)
          await change(database, caller, id, ['running'], 'cancelled', { is_over: true });
        return 'over';
      }
      log.warn({ import: id, by: error.by, said: error.words }, 'an import worker was ended');
      if (error.by !== 'time') return 'crashed';
      await fail(messageOf(error));
      return 'over';
    }
    const words = failureOf(error);
    // What may pass, such as a database that is away, is tried again by whoever holds it next.
    if (words === null) throw error;
    log.warn({ err: error, import: id }, 'an import failed');
    await fail(words);
  }
  return 'over';
}

async function undo({ database }: Means, caller: Caller, job: Job, { userId, signal }: ClaimedJob): Promise<void> {
  const means = { database, caller, userId, saveFile: null };
  const { import_id: importId } = job;
  const task = { to: 'undo' as const, importId: importId ?? '' };
  const result = importId === null ? null : await runWorker({ task, file: null, means, signal });
  await change(database, caller, job.id, ['undoing'], 'undone', { result });
}

async function write(
  { database, saveFile }: Means,
  caller: Caller,
  job: Job,
  { userId, signal, isMine }: ClaimedJob,
): Promise<void> {
  const { id, project_id: projectId, file_name: fileName, choices } = job;
  const file = await fileOf(database, caller, id);
  if (projectId === null || file === null) throw new CatalogError('KB822', 404, { message: 'Its file is gone' });
  const { state, ...result } = await runWorker<Pick<Imported, 'state' | 'made' | 'updated' | 'unchanged'>>({
    task: {
      to: 'write',
      ...{ jobId: id, userId, claims: caller.claims, projectId, fileName, choices },
      ...{ isNew: job.is_new, importId: job.import_id },
    },
    file,
    means: { database, caller, userId, saveFile },
    signal,
  });
  if (!isMine()) return;
  const over = state === 'done' ? 'done' : 'cancelled';
  await change(database, caller, id, ['running'], over, { result, is_over: true });
}

/** What is told to whoever imports; null where trying again may help. */
function failureOf(error: unknown): string | null {
  if (error instanceof CatalogError) return error.code.startsWith('KB82') ? error.message : null;
  if (!(error instanceof PostgresError)) return 'The file could not be brought in.';
  if (error.sqlstate === '42501') return 'You may not write in this project any more.';
  return /^(08|40|53|57)/.test(error.sqlstate) ? null : shorten(error.message, 300);
}
