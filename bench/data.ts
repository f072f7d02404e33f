// The data door against pgbench with the same statements, in one run on one machine, into docs/figures.md and its plot.
// `--quick` takes two seconds for each figure, `--only=list` picks cases by name; neither writes.

import { cases } from './cases.ts';
import type { Figure } from './figure.ts';
import { flag, isQuick } from './flag.ts';
import { measureHttp } from './measure-http.ts';
import { measurePgbench } from './measure-pgbench.ts';
import { measureStages } from './measure-stages.ts';
import { openStage } from './stage.ts';
import { measureCatalog, readStageCatalog, taskId } from './statements.ts';
import { type Row, writeReport } from './write-report.ts';

const CONNECTIONS = 16;
const quick = isQuick();
const only = flag('only');
const seconds = quick ? 2 : 6;

export async function benchData(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say);
  try {
    const catalog = await readStageCatalog(stage);
    const chosen = cases(taskId).filter((one) => only === null || one.name.includes(only));
    const catalogMs = await measureCatalog(stage);
    say(`the catalog of 1,000 tables: ${Math.round(catalogMs)} ms`);
    const stages = chosen.map((one) => measureStages(one, stage, catalog));
    const rows: Row[] = [];
    for (const one of chosen) {
      // Reads take turns and the best counts, so that a passing load on the machine hurts neither side alone.
      const rounds = one.writes ? 1 : quick ? 2 : 5;
      const limit: Figure[] = [];
      const ours: Figure[] = [];
      // A runtime compiles what it has seen often: some ten thousand requests until it is as quick as it stays.
      measureHttp(one, stage, one.writes || quick ? 2 : 8, CONNECTIONS);
      for (let round = 0; round < rounds; round += 1) {
        limit.push(measurePgbench(one, stage, catalog, seconds, CONNECTIONS));
        ours.push(measureHttp(one, stage, seconds, CONNECTIONS));
      }
      const row: Row = { name: one.name, limit: best(limit), ours: best(ours) };
      rows.push(row);
      say(
        `${one.name}: ${Math.round(row.ours.perSecond)} a second of ${Math.round(row.limit.perSecond)} (${Math.round((100 * row.ours.perSecond) / row.limit.perSecond)} %), p50 ${row.ours.p50.toFixed(2)} ms, p99 ${row.ours.p99.toFixed(2)} ms, ${Math.round(row.ours.serverMicros ?? 0)} µs of the server each`,
      );
    }
    for (const figure of stages)
      say(`parse, plan and write «${figure.name}»: ${figure.micros.toFixed(1)} µs, ${figure.kilobytes.toFixed(1)} kB`);
    if (!process.argv.includes('--dry') && !quick && only === null)
      writeReport(rows, stages, { connections: CONNECTIONS, seconds, catalogMs });
  } finally {
    await stage.close();
  }
}

function best(figures: readonly Figure[]): Figure {
  return figures.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
}
