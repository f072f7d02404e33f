// Writes figures and plot of a crash run into docs/figures.md.

import { conditions } from '../conditions.ts';
import { csv, table, whole, writeFigures } from '../page.ts';
import { plotLines } from '../plots.ts';
import { at } from '../quantile.ts';
import type { Verdict } from './check.ts';
import type { FaultOutcome } from './faults.ts';
import { type Kind, kinds } from './ledger.ts';

export const victims = ['server', 'Postgres', 'both'] as const;
export type Victim = (typeof victims)[number];

export interface Cycle extends Verdict {
  readonly victim: Victim;
  /** From the start of a new process until /ready answers 200; null where the server lived on. */
  readonly readyMs: number | null;
  /** From the kill until a write that was sent after it is acknowledged. */
  readonly writesMs: number;
  readonly refusals: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<Kind, number>;
  /** How often the listener connected. */
  readonly connections: number;
}

export interface AtEnd {
  readonly rows: number;
  /** Files on the disk without a row, rows without a file. */
  readonly strays: number;
}

export interface CrashRun {
  readonly all: readonly Cycle[];
  readonly end: AtEnd;
  readonly seed: number;
  readonly faults: readonly FaultOutcome[];
}

export function writeCrashPage({ all, end, seed, faults }: CrashRun): void {
  const total = (of: readonly Cycle[], what: (one: Cycle) => number): number =>
    of.reduce((sum, one) => sum + what(one), 0);
  const middle = (values: readonly number[]): string => `${whole(at(values, 0.5))} ms`;
  const both = (values: readonly number[]): string => `${middle(values)}, ${whole(at(values, 1))} ms`;
  const rows = victims.map((victim) => {
    const of = all.filter((one) => one.victim === victim);
    const ready = of.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs]));
    return [
      ...[victim, of.length, whole(total(of, (one) => one.acknowledged)), total(of, (one) => one.lost.length)],
      ...[total(of, (one) => one.twice.length), total(of, (one) => one.wrong.length)],
      ...[ready.length === 0 ? 'lives on' : both(ready), both(of.map(({ writesMs }) => writesMs))],
    ];
  });
  const ways = Object.entries(kinds).map(([kind, proof]) => [
    ...[kind, whole(total(all, (one) => one.kinds.get(kind as Kind) ?? 0)), proof],
  ]);
  const restarts = all.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs]));
  const acknowledged = total(all, (one) => one.acknowledged);
  const picture = plotLines({
    title: 'After each kill -9, until writes are acknowledged again',
    across: 'kills, by turns: server, Postgres, both',
    unit: 'ms',
    lines: victims.map((victim) => ({
      name: victim,
      points: all.flatMap((one, place) => (one.victim === victim ? [[place + 1, one.writesMs] as const] : [])),
    })),
  });
  writeFigures(
    'crash',
    `${conditions()}. ${all.length} kills, \`--seed=${seed}\`.

- **Acknowledged and lost: ${total(all, (one) => one.lost.length)} of ${whole(acknowledged)} writes. There twice: ${total(all, (one) => one.twice.length)}.**
- **The slowest restart took ${(Math.max(0, ...restarts) / 2000).toFixed(2)} of the two seconds it may take**, the median ${middle(restarts)}.
- Files with a row and bytes: ${end.rows}; with only one of them: ${end.strays}.

${table(
  'killed | >times | >acknowledged | >lost | >twice | >otherwise wrong | >ready again: median, longest | >writes again: median, longest',
  rows,
)}

![Until writes are acknowledged again](figures/crash.svg)

[Each kind of write, and what proves it](figures/crash.csv).

**Faults.** ${untriedInWords(
      faults.filter(({ kept }) => kept === null),
      faults.length,
    )}

As promised: ${namesOf(faults, true) || 'none'}.${faults.map(({ name, after, kept }) => (kept === false ? ` **Not: ${name}**, ${after}.` : '')).join('')}`,
    { files: { 'crash.svg': picture, 'crash.csv': csv('what was written|acknowledged|afterwards it is', ways) } },
  );
}

const namesOf = (faults: readonly FaultOutcome[], as: boolean): string =>
  faults.flatMap(({ name, kept }) => (kept === as ? [name] : [])).join('; ');

export function untriedInWords(untried: readonly FaultOutcome[], of: number): string {
  if (untried.length === 0) return `All ${of} were tried.`;
  return `${untried.length} of ${of} faults not tried: ${untried.map(({ name, after }) => `${name} (${after})`).join('; ')}.`;
}
