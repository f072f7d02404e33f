// The ration of reading: one file of a person at a time, two at a time on a node, and a pause after files that took too much.

import { type ConcurrencyLimit, limitConcurrency } from '../../limits/concurrency-limit.ts';
import type { Limit, Limits } from '../../limits/types.ts';
import { importError } from './errors.ts';
import { WorkerEnded } from './worker/run-worker.ts';

const atOnce = 2;
const mostWaiting = 2;
/** Files that took too long, too much memory or their worker down. */
const bad: Limit = { name: 'import files that broke off', points: 3, windowSeconds: 600 };

export type ReadingLimits = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

export function openReadingLimits(limits: Limits): ReadingLimits {
  const ofNode = limitConcurrency(atOnce);
  const ofPeople = new Map<string, { readonly inTurn: ConcurrencyLimit; open: number }>();
  return async (userId, work) => {
    const mine = ofPeople.get(userId) ?? { inTurn: limitConcurrency(1), open: 0 };
    if (mine.open > mostWaiting)
      throw importError('KB827', 'Your other files are still being read. Try again when they are done.');
    // Counted before anything is awaited: files that come at the same moment are counted one by one.
    ofPeople.set(userId, mine);
    mine.open++;
    try {
      const { allowed, retryAfterSeconds } = await limits.look(bad, userId);
      if (!allowed)
        throw importError('KB827', `Too many files that couldn’t be read. Try again in ${retryAfterSeconds} seconds.`);
      return await mine.inTurn(() => ofNode(work));
    } catch (error) {
      if (error instanceof WorkerEnded && error.by !== 'stop') await limits.take(bad, userId);
      throw error;
    } finally {
      mine.open--;
      if (mine.open === 0) ofPeople.delete(userId);
    }
  };
}

/** What a person is told of a file whose worker was ended. */
export function messageOf({ by }: WorkerEnded): string {
  if (by === 'time')
    return 'Reading the file took too long. Export less at once, or ask your administrator to run npx kanbase import.';
  if (by === 'memory')
    return 'Reading the file takes too much memory. Export less at once, or ask your administrator to run npx kanbase import.';
  return 'The file couldn’t be read: its reader stopped. Export less at once, or ask your administrator to run npx kanbase import.';
}
