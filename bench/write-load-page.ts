// Writes figures and plots of a load run into docs/figures.md.

import { conditions } from './conditions.ts';
import type { Used } from './inspector.ts';
import type { Watch } from './load-people.ts';
import type { Waits, Worst } from './load-waits.ts';
import { csv, ms, ratio, whole, writeFigures } from './page.ts';
import { plotLines } from './plots.ts';
import type { Held } from './process-figures.ts';
import { at } from './quantile.ts';

export interface LoadSample extends Held {
  readonly seconds: number;
  readonly waiting: number;
  /** Heap and buffers of the server, with what nobody has collected yet, in MB. */
  readonly heap: number;
  /** What a forced collection left then: at a quarter of the way, and at the end with everybody still there. */
  readonly used: Used | null;
  readonly waits: Waits;
}

export interface Shift {
  readonly people: number;
  readonly seconds: number;
  readonly watch: Watch;
  /** What a forced collection left before anybody came. */
  readonly before: Used;
  readonly samples: readonly LoadSample[];
  /** Share of one processor that the server used. */
  readonly processor: number;
}

export interface Overload {
  readonly statuses: ReadonlyMap<string, number>;
  /** Without Retry-After. */
  readonly wordless: number;
  /** A single read before it, and after it, once the last of the crowd was answered. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Until a read takes no longer than three times what it did before. */
  readonly recoveredMs: number;
}

export interface LoadRun {
  readonly shifts: readonly Shift[];
  readonly overload: Overload;
  readonly minutes: number;
  readonly crowd: number;
  readonly crowdMs: number;
}

export function writeLoadPage({ shifts, overload, minutes, crowd, crowdMs }: LoadRun, broken: readonly string[]): void {
  const failed = (overload.statuses.get('late') ?? 0) + (overload.statuses.get('cut off') ?? 0);
  writeFigures(
    'load',
    `${conditions()}; ${whole(minutes * 60)} s each (\`--minutes=${minutes}\`).

${shifts.map(summary).join('\n')}
- **More at once than can be answered**: ${whole(crowd)} ask at once, each again a second after it was answered, for ${crowdMs / 1000} s. ${[...overload.statuses].map(([status, count]) => `${whole(count)} × ${status}`).join(', ')}; ${failed === 0 ? 'none went unanswered' : `${whole(failed)} went unanswered`}${overload.wordless === 0 ? ', and each 503 says when to come again' : `, ${whole(overload.wordless)} of the 503 without Retry-After`}.
  A read takes ${ms(overload.beforeMs)} before and ${ms(overload.afterMs)} right after the last of them: it is as before within ${ms(overload.recoveredMs)}.
- ${broken.length === 0 ? 'All of it is as promised.' : `**Not as promised**: ${broken.join('; ')}.`}

[Each kind of work](figures/load.csv).

${shifts.map(({ people }, place) => `![Memory while ${whole(people)} people work](figures/${pictures[place]})`).join('\n\n')}`,
    {
      files: {
        ...Object.fromEntries(shifts.map((shift, place) => [pictures[place], draw(shift)])),
        'load.csv': csv('people|what|times|p50|p99|longest', shifts.flatMap(rowsOf)),
      },
    },
  );
}

const pictures = ['load.svg', 'load-tenfold.svg'];

function draw({ people, samples }: Shift): string {
  const line = (name: string, of: (sample: LoadSample) => number) => ({
    name,
    points: samples.map((sample) => [sample.seconds, of(sample)] as const),
  });
  return plotLines({
    title: `Memory while ${whole(people)} people work`,
    across: 'seconds',
    unit: 'MB',
    lines: [
      line('server', ({ server }) => server),
      line('of it heap and buffers', ({ heap }) => heap),
      line('Postgres', ({ postgres }) => postgres),
    ],
  });
}

export const inUse = (used: Used | null | undefined): number => (used?.heap ?? 0) + (used?.buffers ?? 0);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function worstInWords(worst: Worst | null): string {
  if (worst === null) return 'Nothing was under way for long enough to be looked at.';
  const { from, to, underWay, events, disk, diskOnAverage } = worst;
  const largest = events.slice(0, 3).map(([event, share]) => `${event} (${percent(share)})`);
  const what = largest.length === 0 ? 'nothing: none was at work when looked at' : largest.join(', ');
  const held =
    disk === null || diskOnAverage === null
      ? 'how long the disk held everything up nobody tells here'
      : `the disk held everything up for ${percent(disk)} of them, and for ${percent(diskOnAverage)} of the whole time`;
  return `In the worst seconds (${from.toFixed(0)} to ${to.toFixed(0)}) ${underWay.toFixed(1)} requests were under way at a time; processes of Postgres that were at work waited for ${what}; ${held}.`;
}

function summary({ people, seconds, watch, before, samples, processor }: Shift): string {
  const asked = [...watch.statuses.values()].reduce((all, count) => all + count, 0);
  const quarter = samples.find(({ used }) => used !== null);
  const last = samples.at(-1);
  const refused = [...watch.statuses].filter(([status]) => status >= 400);
  const [none, early, late] = [inUse(before), inUse(quarter?.used), inUse(last?.used)];
  return `- **${whole(people)} people**: memory at the end beside a quarter of the way: **${ratio(late, early)}** (${whole(early)} → ${whole(late)} MB; ${whole(none)} before); of the server ${ratio(last?.server, quarter?.server)}, of Postgres ${ratio(last?.postgres, quarter?.postgres)}. ${whole(asked / seconds)} requests a second, ${refused.length === 0 ? 'none refused' : refused.map(([status, count]) => `${whole(count)} × ${status}`).join(', ')}, ${whole(watch.unanswered)} unanswered, ${whole(watch.socketsLost)} sockets lost; ${whole(processor * 100)} % of one processor; at most ${whole(Math.max(...samples.map(({ waiting }) => waiting)))} requests waited for a connection; least done by one person: ${ratio(Math.min(...watch.done), Math.max(1, at(watch.done, 0.5)))} of the median.`;
}

const rowsOf = ({ people, watch }: Shift): string[][] =>
  [...watch.times, ['hear of a change', watch.heard] as const].map(([kind, times]) => [
    ...[whole(people), kind, whole(times.length)],
    ...[0.5, 0.99, 1].map((share) => ms(at(times, share))),
  ]);
