// Writes tables and plot of a cluster run into docs/figures.md.

import { machine } from '../conditions.ts';
import { table, whole, writeFigures } from '../page.ts';
import { plotLines } from '../plots.ts';
import type { Outcome, Totals } from './outcome.ts';

export function writePage(outcomes: readonly Outcome[], totals: Totals): void {
  const picture = plotLines({
    title: 'Acknowledged writes; the numbers are the faults of the table, in order',
    across: 'seconds',
    unit: 'a second',
    lines: [{ name: 'writes', points: totals.bySecond.map((count, second) => [second, count] as const) }],
    marks: outcomes.map(({ at }) => at),
  });
  writeFigures('cluster', figures(outcomes, totals), { files: { 'cluster.svg': picture } });
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;

function figures(outcomes: readonly Outcome[], totals: Totals): string {
  const worst = Math.max(...outcomes.map(({ stood }) => stood));
  return `${[...machine(), totals.versions].join(', ')}; all of it on one machine.

| in ${whole(totals.seconds)} s with ${outcomes.length} faults | |
|---|---:|
| acknowledged writes lost | **${totals.lost}** of ${whole(totals.acknowledged)} |
| there twice | **${totals.doubled}** |
| files lost or not as they were sent | **${totals.filesWrong}** of ${whole(totals.files)} |
| listeners who missed something or needed help | **${totals.listenersBehind}** of ${totals.listeners} |
| longest time without any write | **${seconds(worst)}** |
| reads that showed less than was acknowledged | **${totals.reads.stale}** of ${whole(totals.reads.replica)} by a replica, ${whole(totals.reads.primary)} by the primary in its place |
| attempts answered with 503 or not at all, and repeated | ${whole(totals.failed)} |
| attempts refused for another reason | ${totals.refused} |
| live changes; times a listener read again | ${whole(totals.events)}; ${whole(totals.readAgain)} |

${table(
  'what was done | >no write for | >one writer waited at most | >all in place again after',
  outcomes.map((one) => [one.name, seconds(one.stood), seconds(one.waited), seconds(one.whole)]),
)}

![Acknowledged writes a second; the faults as lines](figures/cluster.svg)
`;
}
