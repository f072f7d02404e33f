// Writes figures and plot of a fuzz run into docs/figures.md.

import { conditions } from './conditions.ts';
import { csv, ms, ratio, whole, writeFigures } from './page.ts';
import { plotLines } from './plots.ts';
import type { Held } from './process-figures.ts';
import { at } from './quantile.ts';

export interface Tally {
  readonly statuses: Map<string, Map<number, number>>;
  readonly faults: Map<string, { count: number; example: string }>;
  readonly times: number[];
  late: number;
  cut: number;
  messages: number;
}

export interface Sample extends Held {
  readonly asked: number;
  readonly seconds: number;
}

export interface FuzzRun {
  readonly count: number;
  readonly seed: number;
  readonly tally: Tally;
  readonly samples: readonly Sample[];
  readonly queue: number;
  readonly ready: number;
}

export function writeFuzzPage({ count, seed, tally, samples, queue, ready }: FuzzRun): void {
  const first = samples[Math.floor(samples.length / 4)];
  const last = samples.at(-2);
  const rested = samples.at(-1);
  const faults = [...tally.faults];
  const picture = plotLines({
    title: 'Memory while requests are fuzzed',
    across: 'requests',
    unit: 'MB',
    lines: [
      { name: 'server', points: samples.map(({ asked, server }) => [asked, server]) },
      { name: 'Postgres', points: samples.map(({ asked, postgres }) => [asked, postgres]) },
    ],
  });
  const doors = [...tally.statuses].sort(([a], [b]) => a.localeCompare(b));
  const kinds = (statuses: ReadonlyMap<number, number>, hundred: number): string =>
    whole([...statuses].filter(([status]) => Math.floor(status / 100) === hundred).reduce((all, [, n]) => all + n, 0));
  writeFigures(
    'fuzz',
    `${conditions()}. ${whole(count)} requests, \`--seed=${seed}\`.

- **Memory of the server at the end beside a quarter of the way: ${ratio(last?.server, first?.server)}**; of Postgres: ${ratio(last?.postgres, first?.postgres)}. Open files at rest: ${rested?.files} (${samples[0]?.files} before the first).
- **5xx, or unreadable: ${faults.reduce((all, [, { count: n }]) => all + n, 0)} of ${whole(count)}**; not answered within 20 s: ${tally.late}.
- Afterwards ${queue} requests wait, and \`/ready\` answers ${ready}.

${whole(count / (last?.seconds ?? 1))} requests a second; p50 ${ms(at(tally.times, 0.5))}, p99 ${ms(at(tally.times, 0.99))}, longest ${ms(at(tally.times, 1))}. ${whole(tally.messages)} messages were said on web sockets. [Statuses by door](figures/fuzz.csv).

![Memory while requests are fuzzed](figures/fuzz.svg)
${faults.length === 0 ? '' : `\nFound: ${faults.map(([what, { count: n }]) => `${n} × ${what}`).join('; ')}.\n`}`,
    {
      files: {
        'fuzz.svg': picture,
        'fuzz.csv': csv(
          'door|2xx|3xx|4xx|5xx|no answer, or no HTTP',
          doors.map(([door, statuses]) => [door, ...[2, 3, 4, 5, 0].map((hundred) => kinds(statuses, hundred))]),
        ),
      },
    },
  );
}
