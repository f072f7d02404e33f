// docs/crashes.md and its picture, from one run.

import { writeFileSync } from 'node:fs';
import { conditions } from '../conditions.ts';
import { plotLines } from '../plot-lines.ts';
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
  const middle = (values: readonly number[]): string =>
    `${Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)} ms`;
  const most = (values: readonly number[]): string => `${Math.round(Math.max(0, ...values))} ms`;
  const rows = victims.map((victim) => {
    const of = all.filter((one) => one.victim === victim);
    const ready = of.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs]));
    const writes = of.map(({ writesMs }) => writesMs);
    return `| ${victim} | ${of.length} | ${total(of, (one) => one.acknowledged).toLocaleString('en-US')} | ${total(of, (one) => one.lost.length)} | ${total(of, (one) => one.twice.length)} | ${total(of, (one) => one.wrong.length)} | ${ready.length === 0 ? 'lives on' : `${middle(ready)}, ${most(ready)}`} | ${middle(writes)}, ${most(writes)} |`;
  });
  const ways = Object.entries(kinds).map(
    ([kind, proof]) =>
      `| ${kind} | ${total(all, (one) => one.kinds.get(kind as Kind) ?? 0).toLocaleString('en-US')} | ${proof} |`,
  );
  const restarts = all.flatMap(({ readyMs }) => (readyMs === null ? [] : [readyMs]));
  const acknowledged = total(all, (one) => one.acknowledged);
  writeFileSync(
    'docs/crashes.svg',
    plotLines({
      title: 'After each kill -9, until writes are acknowledged again',
      across: 'kills, by turns: server, Postgres, both',
      unit: 'ms',
      lines: victims.map((victim) => ({
        name: victim,
        points: all.flatMap((one, at) => (one.victim === victim ? [[at + 1, one.writesMs] as const] : [])),
      })),
    }),
  );
  writeFileSync(
    'docs/crashes.md',
    `# ${all.length} kills, and faults of the machine

Written by \`npm run bench -- --crash\` (\`--quick\`: six kills), ${conditions()}.

- **Acknowledged and lost: ${total(all, (one) => one.lost.length)} of ${acknowledged.toLocaleString('en-US')} writes. There twice: ${total(all, (one) => one.twice.length)}.**
- **The slowest restart took ${(Math.max(0, ...restarts) / 2000).toFixed(2)} of the two seconds it may take**, the median ${middle(restarts)}.
- Files with a row and bytes: ${end.rows}; with only one of them: ${end.strays}.

Eight writers add, change and remove through the doors for tables, procedures, files and accounts and the landing page's (below: what, and how it is proven); a listener follows the comments live and
reads them again when its connection was gone. Not among them: payments, imports and exports, calendar feeds, the operator's desk, broadcasts. In the midst of it \`kill -9\` ends the server, its embedded
Postgres, or both, by turns (\`--seed=${seed}\`). Whoever ran it starts the server again at once, as systemd does; Postgres alone the server starts again by itself. Then the ledger of the
writers is held against what is there, each as below. At the end all of it is looked at once more.

| killed | times | acknowledged | lost | twice | otherwise wrong | ready again: median, longest | writes again: median, longest |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

Ready again is counted from the start of the new process until \`/ready\` answers 200; writes again from the kill until a write that was sent after it is acknowledged.

![Until writes are acknowledged again](crashes.svg)

| what was written | acknowledged | afterwards it is |
|---|---:|---|
${ways.join('\n')}

## Faults

Each on a server and a database of its own. Requests are refused in words or done, and the service comes back by itself: nobody starts it again. ${untriedInWords(
      faults.filter(({ kept }) => kept === null),
      faults.length,
    )}

| fault | meanwhile | afterwards | as promised |
|---|---|---|---|
${faults.map(({ name, meanwhile, after, kept }) => `| ${name} | ${meanwhile} | ${after} | ${kept === null ? 'not tried' : kept ? 'yes' : '**no**'} |`).join('\n')}
`,
  );
}

export function untriedInWords(untried: readonly FaultOutcome[], of: number): string {
  if (untried.length === 0) return `All ${of} of them were tried.`;
  return `${untried.length} of ${of} faults not tried: ${untried.map(({ name, after }) => `${name} (${after})`).join('; ')}.`;
}
