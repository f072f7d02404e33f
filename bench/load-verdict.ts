// Compares the figures of the load bench with its promises: lists the broken ones in words.

import { at } from './quantile.ts';
import type { LoadRun, Shift } from './write-load-page.ts';
import { inUse } from './write-load-page.ts';

/** A shorter shift says little of memory, which is still on its way up, and of who got done how much. */
const enoughMinutes = 5;
const mostGrowth = 1.2;
const leastShare = 0.5;
const recoveryMs = 1000;
/** So long after the last answer nothing may wait any more. */
export const drainMs = 2000;

export function brokenPromises({ shifts, overload, minutes }: LoadRun): string[] {
  const failed = [...overload.statuses].filter(([status]) => status !== '200' && status !== '503');
  return [
    ...shifts.flatMap((shift, place) => ofShift(shift, place === 0, minutes >= enoughMinutes)),
    ...failed.map(([status, count]) => `of more than can be answered ${count} were answered with ${status}`),
    ...(overload.wordless > 0 ? [`${overload.wordless} of the 503 do not say when to come again`] : []),
    ...(overload.recoveredMs > recoveryMs
      ? [`a read is as before only after ${Math.round(overload.recoveredMs)} ms`]
      : []),
  ];
}

/** `isUsual`: as many people as a server is meant for; of too many some may be asked to come again. */
function ofShift({ people, watch, samples }: Shift, isUsual: boolean, isLong: boolean): string[] {
  const words: string[] = [];
  const refused = [...watch.statuses].filter(([status]) => status >= 400 && (isUsual || status !== 503));
  for (const [status, count] of refused) words.push(`${count} were answered with ${status}`);
  if (watch.unanswered > 0) words.push(`${watch.unanswered} were not answered`);
  if (watch.socketsLost > 0) words.push(`${watch.socketsLost} sockets were lost`);
  const waiting = samples.at(-1)?.waiting ?? 0;
  if (waiting > 0) words.push(`${waiting} requests still wait ${drainMs / 1000} s after the last answer`);
  const quarter = samples.find(({ used }) => used !== null);
  const growth = inUse(samples.at(-1)?.used) / inUse(quarter?.used);
  if (isLong && growth > mostGrowth) words.push(`memory in use grew to ${growth.toFixed(2)} of what it was`);
  const share = Math.min(...watch.done) / Math.max(1, at(watch.done, 0.5));
  if (isLong && share < leastShare) words.push(`somebody got done ${share.toFixed(2)} of what the median did`);
  return words.map((one) => `${people} people: ${one}`);
}
