// The data door against pgbench with the same statements, in one run on one machine, into docs/figures.md and its plot.
// `--quick` takes two seconds for each figure, `--only=list` picks cases by name; neither writes.

import type { Catalog } from '../server/data/catalog/catalog.ts';
import { type Case, cases } from './cases.ts';
import { conditions } from './conditions.ts';
import type { Figure } from './figure.ts';
import { flag, isQuick } from './flag.ts';
import { measureHttp } from './measure-http.ts';
import { measurePgbench } from './measure-pgbench.ts';
import { measureStages } from './measure-stages.ts';
import { ms, table, whole, writeFigures } from './page.ts';
import { plotBars } from './plots.ts';
import { openStage, type Stage } from './stage.ts';
import { readStageCatalog, taskId } from './statements.ts';

export const connections = 16;
export const seconds = isQuick() ? 2 : 6;

export interface Row {
  readonly name: string;
  readonly limit: Figure;
  readonly ours: Figure;
}

export const percentOf = ({ ours, limit }: Row): string => `${Math.round((100 * ours.perSecond) / limit.perSecond)} %`;

export async function benchData(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say);
  try {
    const catalog = await readStageCatalog(stage);
    const chosen = cases(taskId).filter((one) => one.name.includes(flag('only') ?? ''));
    const stages = chosen.map((one) => measureStages(one, stage, catalog));
    const rows: Row[] = [];
    for (const one of chosen) {
      // A runtime compiles what it has seen often: some ten thousand requests until it is as quick as it stays.
      measureHttp(one, stage, one.writes || isQuick() ? 2 : 8, connections);
      const row = besidePgbench(one, stage, catalog, isQuick() ? 2 : 5);
      rows.push(row);
      const { ours, limit } = row;
      say(
        `${one.name}: ${whole(ours.perSecond)} a second of ${whole(limit.perSecond)} (${percentOf(row)}), p50 ${ms(ours.p50)}, p99 ${ms(ours.p99)}, ${whole(ours.serverMicros ?? 0)} µs of the server each`,
      );
    }
    for (const figure of stages)
      say(`parse, plan and write «${figure.name}»: ${figure.micros.toFixed(1)} µs, ${figure.kilobytes.toFixed(1)} kB`);
    writeFigures(
      'data',
      `${conditions('wrk', 'pgbench')}. ${connections} connections, ${seconds} s each.

${table(
  'request | >pgbench a second | >Kanbase a second | >share | >Kanbase p50 | >p99 | >pgbench p50 | >p99 | >server CPU',
  rows.map((row) => [
    ...[row.name, whole(row.limit.perSecond), whole(row.ours.perSecond), percentOf(row)],
    ...[row.ours, row.limit].flatMap(({ p50, p99 }) => [ms(p50), ms(p99)]),
    `${whole(row.ours.serverMicros ?? 0)} µs`,
  ]),
)}

![Requests a second beside pgbench](figures/data.svg)

Parsing, planning and writing SQL, in this order: ${stages.map(({ micros }) => micros.toFixed(1)).join(', ')} µs.`,
      { files: { 'data.svg': plot(rows) } },
    );
  } finally {
    await stage.close();
  }
}

/** By turns, and the best of each side: a passing load on the machine hurts neither alone. What is written makes the next round slower, so there is one. */
export function besidePgbench(one: Case, stage: Stage, catalog: Catalog, rounds: number): Row {
  const [limit, ours]: [Figure[], Figure[]] = [[], []];
  for (let round = 0; round < (one.writes ? 1 : rounds); round++) {
    limit.push(measurePgbench(one, stage, catalog, seconds, connections));
    ours.push(measureHttp(one, stage, seconds, connections));
  }
  return { name: one.name, limit: best(limit), ours: best(ours) };
}

export const best = (figures: readonly Figure[]): Figure =>
  figures.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));

const plot = (rows: readonly Row[]): string =>
  plotBars(
    'Requests a second, each beside its own limit',
    ['Kanbase over HTTP', 'pgbench, the same statements pipelined'],
    rows.map((row) => {
      const most = Math.max(row.ours.perSecond, row.limit.perSecond);
      return {
        name: row.name,
        bars: [
          { share: row.ours.perSecond / most, words: `${whole(row.ours.perSecond)} · ${percentOf(row)}` },
          { share: row.limit.perSecond / most, words: whole(row.limit.perSecond) },
        ],
      };
    }),
  );
