// Writes the imports that people began, and takes them back: one at a time on a node, as the person whose import it is, so that what they may
// not do is refused in the middle too. A node holds one for a minute at a time; when it is gone, another begins again where that one stopped.

import { randomUUID } from 'node:crypto';
import type { RunningJob } from '../../background/every.ts';
import { roomRoles } from '../../database/room-roles.ts';
import type { Services } from '../../services.ts';
import type { SaveFile } from '../files-in-zip.ts';
import { runJob } from './run-job.ts';

/** Also when no word comes: a node that has gone, a word that was lost. */
const POLL_MS = 30_000;
const HOLD_MS = 10_000;

type Held = 'held' | 'cancelled' | 'lost' | 'stopped';

export async function startImports(
  services: Pick<Services, 'database' | 'jobs' | 'log'>,
  saveFile: SaveFile,
): Promise<RunningJob> {
  const { database, jobs, log } = services;
  const holder = randomUUID();
  /** Of the one that is being written: ends it; asks whether it is still wanted. */
  let end: ((why: Held) => void) | null = null;
  let check: (() => void) | null = null;

  const tell = async (
    procedure: 'release_import_job' | 'postpone_import_job' | 'count_import_crash',
    id: string,
  ): Promise<void> => {
    await database.runAs(roomRoles.imports, {
      text: `select private.${procedure}($1, $2)`,
      values: [id, holder],
    });
  };
  /** What could not be given back, since the database was away: it is as soon as it answers. */
  const postponed = new Set<string>();

  async function next(): Promise<boolean> {
    for (const id of postponed) {
      await tell('postpone_import_job', id);
      postponed.delete(id);
    }
    const [claimed] = await database.objectsAs<{ id: string; user_id: string }>(roomRoles.imports, {
      text: 'select id, user_id from private.claim_import_job($1)',
      values: [holder],
    });
    if (claimed === undefined) return false;
    const { id, user_id: userId } = claimed;
    const ask = () =>
      database.objectsAs<{ held: Held }>(roomRoles.imports, {
        text: 'select private.extend_import_claim($1, $2) as held',
        values: [id, holder],
      });
    const abort = new AbortController();
    let why = 'held' as Held;
    const endThis = (reason: Held): void => {
      if (why === 'held') why = reason;
      abort.abort();
    };
    end = endThis;
    check = () => {
      ask().then(
        ([row]) => row?.held !== 'held' && endThis(row?.held ?? 'lost'),
        (error) => log.warn({ err: error, import: id }, 'an import could not be held'),
      );
    };
    const hold = setInterval(check, HOLD_MS);
    try {
      const ended = await runJob(
        { ...services, saveFile },
        {
          id,
          userId,
          signal: abort.signal,
          isMine: () => why === 'held' || why === 'cancelled',
        },
      );
      if (ended === 'crashed' && why !== 'stopped') await tell('count_import_crash', id);
    } catch (error) {
      if (why !== 'stopped') postponed.add(id);
      throw error;
    } finally {
      clearInterval(hold);
      [end, check] = [null, null];
      if (why === 'stopped') await tell('release_import_job', id).catch(() => undefined);
    }
    return true;
  }

  const job = await jobs.every({
    name: 'write_imports',
    channel: 'kanbase_import_jobs',
    everyMs: POLL_MS,
    firstAfterMs: 0,
    onWord: () => check?.(),
    async run(stopping) {
      while (!stopping.aborted && (await next()));
    },
  });
  return {
    ...job,
    async stop() {
      end?.('stopped');
      await job.stop();
    },
  };
}
