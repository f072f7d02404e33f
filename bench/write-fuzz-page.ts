// The fuzzing in docs/figures.md and its picture, from one run.

import { writeFileSync } from 'node:fs';
import { conditions } from './conditions.ts';
import { plotLines } from './plot-lines.ts';
import type { Held } from './process-figures.ts';
import { writeFigures } from './write-figures.ts';

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
  const times = [...tally.times].sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const faults = [...tally.faults];
  const words = (amount: number): string => Math.round(amount).toLocaleString('en-US');
  const ratio = (a = 0, b = 1): string => (a / b).toFixed(2);
  writeFileSync(
    'docs/figures/fuzz.svg',
    plotLines({
      title: 'Memory while requests are fuzzed',
      across: 'requests',
      unit: 'MB',
      lines: [
        { name: 'server', points: samples.map(({ asked, server }) => [asked, server]) },
        { name: 'Postgres', points: samples.map(({ asked, postgres }) => [asked, postgres]) },
      ],
    }),
  );
  const doors = [...tally.statuses].sort(([a], [b]) => a.localeCompare(b));
  const kinds = (statuses: ReadonlyMap<number, number>, hundred: number): string =>
    words([...statuses].filter(([status]) => Math.floor(status / 100) === hundred).reduce((all, [, n]) => all + n, 0));
  writeFigures(
    'fuzz',
    `Taken on ${conditions()}. ${words(count)} requests, \`--seed=${seed}\`.

- **Memory of the server after all of them beside a quarter of them: ${ratio(last?.server, first?.server)}**; of Postgres: ${ratio(last?.postgres, first?.postgres)}. Open files at rest: ${rested?.files} (${samples[0]?.files} before the first).
- **Answered with 5xx, or so that the client could not read it: ${faults.reduce((all, [, { count: n }]) => all + n, 0)} of ${words(count)}**; not answered within 20 s: ${tally.late}.
- Afterwards ${queue} requests wait, and \`/ready\` answers ${ready}.

${words(count / (rested === undefined ? 1 : (samples.at(-2)?.seconds ?? 1)))} requests a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1 - 1e-9)} ms. ${words(tally.messages)} messages were said on web sockets.

![Memory while requests are fuzzed](figures/fuzz.svg)

| door | 2xx | 3xx | 4xx | 5xx | no answer, or no HTTP |
|---|---:|---:|---:|---:|---:|
${doors.map(([door, statuses]) => `| ${door} | ${[2, 3, 4, 5].map((hundred) => kinds(statuses, hundred)).join(' | ')} | ${kinds(statuses, 0)} |`).join('\n')}
${faults.length === 0 ? '' : `\nFound: ${faults.map(([what, { count: n }]) => `${n} × ${what}`).join('; ')}.\n`}`,
  );
}
