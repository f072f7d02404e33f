// One import, written or taken back as the person whose it is: what they may not do is refused in the middle too.

import type { Caller } from '../database/types.ts';
import { PostgresError } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import type { SaveFile } from '../imports/files-of.ts';
import { shorten } from '../imports/shorten.ts';
import { undoImport } from '../imports/undo-import.ts';
import { writeImport } from '../imports/write-import.ts';
import type { Services } from '../services.ts';
import { change, fileOf, type Job, jobOf } from './jobs.ts';
import { inTurn, readArrival } from './read-arrival.ts';

interface Task {
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

export async function carryOut(means: Means, task: Task): Promise<void> {
  const { database, log } = means;
  const { id, userId } = task;
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
    } else await write(means, caller, job, task);
  } catch (error) {
    const words = failureOf(error);
    // What may pass, such as a database that is away, is tried again by whoever holds it next.
    if (words === null) throw error;
    log.warn({ err: error, import: id }, 'an import failed');
    await change(database, caller, id, ['running', 'undoing'], 'failed', { failure: words, is_over: true });
  }
}

async function write(
  { database, saveFile }: Means,
  caller: Caller,
  job: Job,
  { userId, signal, isMine }: Task,
): Promise<void> {
  const { id, project_id: projectId } = job;
  const file = await fileOf(database, caller, id);
  if (projectId === null || file === null) throw new CatalogError('KB822', 404, { message: 'Its file is gone' });
  const { recognised, read, matched, invited, isOwned } = await inTurn(() =>
    readArrival({
      database,
      caller,
      userId,
      projectId,
      isNew: job.is_new,
      file,
      fileName: job.file_name,
      choices: job.choices,
    }),
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
    invited,
    files: recognised.files,
    saveFile,
    keepDates: isOwned,
    signal,
    importId: job.import_id,
    // Before anything is written, so that it can be taken back however it ends.
    onBegin: async (importId) =>
      void (await change(database, caller, id, ['running'], 'running', { import_id: importId })),
  });
  if (!isMine()) return;
  const { made, updated, unchanged } = imported;
  const state = imported.state === 'done' ? 'done' : 'cancelled';
  await change(database, caller, id, ['running'], state, { result: { made, updated, unchanged }, is_over: true });
}

/** What is told to whoever imports; null where trying again may help. */
function failureOf(error: unknown): string | null {
  if (error instanceof CatalogError) return error.code.startsWith('KB82') ? error.message : null;
  if (!(error instanceof PostgresError)) return 'The file could not be brought in.';
  if (error.sqlstate === '42501') return 'You may not write in this project any more.';
  return /^(08|40|53|57)/.test(error.sqlstate) ? null : shorten(error.message, 300);
}
