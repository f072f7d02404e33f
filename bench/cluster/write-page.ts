// The run as tables and a plot, into docs/figures.md.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from '../conditions.ts';
import { writeFigures } from '../write-figures.ts';
import type { Outcome, Totals } from './outcome.ts';

export function writePage(outcomes: readonly Outcome[], totals: Totals): void {
  writeFigures('cluster', figures(outcomes, totals));
  writeFileSync(join(process.cwd(), 'docs', 'figures', 'cluster.svg'), plot(outcomes, totals));
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function figures(outcomes: readonly Outcome[], totals: Totals): string {
  const worst = Math.max(...outcomes.map(({ stood }) => stood));
  return `Taken on ${[...machine(), totals.versions].join(', ')}; all of it on one machine.

| in ${whole(totals.seconds)} s with ${outcomes.length} faults | |
|---|---:|
| acknowledged writes lost | **${totals.lost}** of ${whole(totals.acknowledged)} |
| acknowledged writes that are there twice | **${totals.doubled}** |
| files lost or not as they were sent | **${totals.filesWrong}** of ${whole(totals.files)} |
| listeners who missed something, or whom somebody had to help | **${totals.listenersBehind}** of ${totals.listeners} |
| longest time without any write | **${seconds(worst)}** |
| reads that showed less than was acknowledged before them | **${totals.reads.stale}** of ${whole(totals.reads.replica)} by a replica, ${whole(totals.reads.primary)} by the primary in its place |
| attempts answered with 503 or not at all, and tried again by the writer | ${whole(totals.failed)} |
| attempts refused for another reason | ${totals.refused} |
| live changes received; times a listener read again by itself | ${whole(totals.events)}; ${whole(totals.readAgain)} |

| what was done | no write for | one writer waited at most | all in place again after |
|---|---:|---:|---:|
${outcomes.map((one) => `| ${one.name} | ${seconds(one.stood)} | ${seconds(one.waited)} | ${seconds(one.whole)} |`).join('\n')}

![Acknowledged writes a second; the faults as lines](figures/cluster.svg)
`;
}

/** Acknowledged writes of each second, with the faults as lines across. */
function plot(outcomes: readonly Outcome[], { bySecond }: Totals): string {
  const [width, height, left, top, bottom] = [860, 320, 50, 30, 40];
  const most = Math.max(1, ...bySecond);
  const x = (second: number): number => left + (second / bySecond.length) * (width - left - 10);
  const y = (count: number): number => top + (1 - count / most) * (height - top - bottom);
  const points = bySecond.map((count, second) => `${x(second).toFixed(1)},${y(count).toFixed(1)}`).join(' ');
  const marks = outcomes.map(
    ({ at }, index) =>
      `<line x1="${x(at).toFixed(1)}" x2="${x(at).toFixed(1)}" y1="${top}" y2="${height - bottom}" class="fault"/><text x="${(x(at) + 4).toFixed(1)}" y="${top + 10}" class="fault">${index + 1}</text>`,
  );
  const ticks = Array.from({ length: Math.floor(bySecond.length / 60) + 1 }, (_, minute) => {
    const at = x(minute * 60);
    return `<text x="${at.toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${minute} min</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Acknowledged writes a second while parts of the cluster fail">
<style>
text { font: 12px system-ui, sans-serif; fill: #24292f } .line { fill: none; stroke: #1f6feb; stroke-width: 1.5 } line.fault { stroke: #cf222e; stroke-dasharray: 3 3 } text.fault { fill: #cf222e; font-weight: 600 } .axis { stroke: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .line { stroke: #6ea8ff } line.fault { stroke: #ff7b72 } text.fault { fill: #ff7b72 } }
</style>
<text x="${left}" y="16">Acknowledged writes a second; the numbers are the faults of the table, in order</text>
<line x1="${left}" x2="${width - 10}" y1="${height - bottom}" y2="${height - bottom}" class="axis"/>
<text x="${left - 8}" y="${y(most) + 4}" text-anchor="end">${most}</text><text x="${left - 8}" y="${y(0) + 4}" text-anchor="end">0</text>
<polyline points="${points}" class="line"/>
${marks.join('\n')}
${ticks.join('\n')}
</svg>
`;
}
