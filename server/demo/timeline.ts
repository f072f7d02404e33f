// Timeline of the sample workspace: for each task the moments of its creation, start and end, over the last twelve weeks. The same on every
// run, apart from the current time.

import { progress } from './workspace.ts';

export type Stage = 'backlog' | 'toDo' | 'inProgress' | 'done';

export interface Course {
  readonly stage: Stage;
  readonly created: Date;
  readonly queued: Date | null;
  readonly started: Date | null;
  readonly completed: Date | null;
  /** `YYYY-MM-DD`, for some. */
  readonly due: string | null;
  /** The day work began, for those that have a later day they are due on. */
  readonly start: string | null;
}

const day = 86_400_000;
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

export function stageOf(place: number): Stage {
  if (place < progress.done) return 'done';
  if (place < progress.done + progress.inProgress) return 'inProgress';
  return place < progress.done + progress.inProgress + progress.toDo ? 'toDo' : 'backlog';
}

/** The courses of one project's tasks. */
export function planCourses(count: number, now: Date, seed: number): Course[] {
  const random = randomFrom(seed);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const ago = (days: number): Date => new Date(now.getTime() - Math.max(days, 0.05) * day);
  return Array.from({ length: count }, (_, place) => {
    const stage = stageOf(place);
    const bornAgo = 83 - (place / count) * 78 + between(-2, 2);
    let startedAgo: number | null = null;
    let completedAgo: number | null = null;
    if (stage === 'done') {
      completedAgo = Math.max(0.3, Math.min(bornAgo - 1.5, 80 - (place / progress.done) * 79 + between(-1, 1)));
      startedAgo = Math.min(bornAgo - 0.5, completedAgo + between(0.7, 8));
    } else if (stage === 'inProgress') startedAgo = between(0.5, 7);
    const queuedAgo = stage === 'backlog' ? null : (bornAgo + (startedAgo ?? bornAgo * 0.4)) / 2;
    const dueIn = stage === 'done' ? -(completedAgo ?? 0) + between(-1, 3) : between(-4, 25);
    const hasDue = stage !== 'backlog' && random() < 0.7;
    const due = hasDue ? dayOf(new Date(now.getTime() + dueIn * day)) : null;
    const start = startedAgo === null ? null : dayOf(ago(startedAgo));
    return {
      stage,
      created: ago(bornAgo),
      queued: queuedAgo === null ? null : ago(queuedAgo),
      started: startedAgo === null ? null : ago(startedAgo),
      completed: completedAgo === null ? null : ago(completedAgo),
      due,
      start: start !== null && due !== null && start <= due ? start : null,
    };
  });
}

/** Numbers that look random and are the same every time (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
