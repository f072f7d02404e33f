// `npm run bench -- --workers`: the same requests to 1, 2 and 4 processes (`WORKERS`) on one database, each beside pgbench with the same
// statements and connections in the same run, into docs/figures.md and its plot. Ends with 1 where one makes less than a third of
// pgbench, or one request in a hundred takes longer than a quarter of a second.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, cases } from './cases.ts';
import { conditions } from './conditions.ts';
import { isQuick } from './flag.ts';
import { measureHttp } from './measure-http.ts';
import { measurePgbench } from './measure-pgbench.ts';
import { openStage } from './stage.ts';
import { readStageCatalog, taskId } from './statements.ts';
import { writeFigures } from './write-figures.ts';

const counts = [1, 2, 4] as const;
const connections = 16;
const seconds = isQuick() ? 2 : 6;
const measured = ['one task by id', 'a list of 200 tasks', '50 tasks with assignees and labels', 'update a task by id'];

interface Row {
  readonly one: Case;
  /** By number of processes. */
  readonly shares: Map<number, Share>;
}

interface Share {
  readonly perSecond: number;
  readonly limit: number;
  readonly p99: number;
}

/** What each is promised to make beside pgbench, which asks without a door, and how long one in a hundred may take at most. */
const leastShare = 1 / 3;
const longestP99 = 250;

export async function benchWorkers(say: (line: string) => void): Promise<void> {
  const empty = await openStage(say, { server: false });
  try {
    const catalog = await readStageCatalog(empty);
    const rows: Row[] = cases(taskId)
      .filter(({ name }) => measured.includes(name))
      .map((one) => ({ one, shares: new Map() }));
    for (const count of counts) {
      const stage = await empty.serveAnew({ WORKERS: String(count) });
      for (const { one, shares } of rows) {
        measureHttp(one, stage, one.writes ? 2 : 4, connections);
        // By turns, and the best of two where nothing is written: a passing load hurts neither side alone.
        const rounds = Array.from({ length: one.writes ? 1 : 2 }, () => ({
          limit: measurePgbench(one, stage, catalog, seconds, connections),
          ours: measureHttp(one, stage, seconds, connections),
        }));
        const best = rounds.reduce((a, b) => (b.ours.perSecond > a.ours.perSecond ? b : a));
        const limit = Math.max(...rounds.map((round) => round.limit.perSecond));
        shares.set(count, { perSecond: best.ours.perSecond, limit, p99: best.ours.p99 });
        say(`${count}: ${one.name}: ${Math.round(best.ours.perSecond)} of ${Math.round(limit)} a second`);
        if (best.ours.perSecond >= limit * leastShare && best.ours.p99 <= longestP99) continue;
        say(`NOT AS PROMISED: less than a third of pgbench, or a p99 of ${best.ours.p99.toFixed(1)} ms`);
        process.exitCode = 1;
      }
    }
    if (!process.argv.includes('--dry') && !isQuick()) write(rows);
  } finally {
    await empty.close();
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = ({ perSecond, limit }: Share): number => Math.round((100 * perSecond) / limit);

function write(rows: readonly Row[]): void {
  writeFigures('workers', table(rows));
  writeFileSync(join(process.cwd(), 'docs', 'figures', 'workers.svg'), plot(rows));
}

function table(rows: readonly Row[]): string {
  const line = ({ one, shares }: Row): string => {
    const all = counts.map((count) => shares.get(count) as Share);
    return `| ${one.name} | ${all.map((share) => `**${percent(share)} %**`).join(' | ')} | ${all.map(({ perSecond }) => whole(perSecond)).join(', ')} | ${all.map(({ limit }) => whole(limit)).join(', ')} | ${all.map(({ p99 }) => `${p99.toFixed(1)} ms`).join(', ')} |`;
  };
  return `Taken on ${conditions('wrk', 'pgbench')}. ${connections} connections, ${seconds} s each.

| request | 1 process | 2 processes | 4 processes | Kanbase a second | pgbench beside it | p99 |
|---|---:|---:|---:|---:|---:|---:|
${rows.map(line).join('\n')}

![Share of what pgbench reaches, by 1, 2 and 4 processes](figures/workers.svg)
`;
}

/** For each request a bar for each number of processes, as a share of pgbench. */
function plot(rows: readonly Row[]): string {
  const [width, left, rowHeight] = [860, 270, 64];
  const full = width - left - 90;
  const height = 50 + rows.length * rowHeight;
  const most = Math.max(
    1,
    ...rows.flatMap(({ shares }) => [...shares.values()].map((one) => one.perSecond / one.limit)),
  );
  const bars = rows.map(({ one, shares }, index) => {
    const top = 44 + index * rowHeight;
    const each = counts.map((count, place) => {
      const share = shares.get(count) as Share;
      const y = top + place * 16;
      const length = Math.round((full * share.perSecond) / share.limit / most);
      return `<rect x="${left}" y="${y}" width="${length}" height="12" rx="2" class="of-${count}"/><text x="${left + length + 8}" y="${y + 10}" class="figure">${count}: ${percent(share)} %</text>`;
    });
    return `<text x="${left - 14}" y="${top + 26}" text-anchor="end">${one.name}</text>\n${each.join('\n')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests a second of 1, 2 and 4 processes as a share of pgbench">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f } .figure { font-size: 12px } .of-1 { fill: #9ec1fb } .of-2 { fill: #5b95f0 } .of-4 { fill: #1f6feb }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .of-1 { fill: #35588a } .of-2 { fill: #4f83cc } .of-4 { fill: #6ea8ff } }
</style>
<text x="${left}" y="22">Share of what pgbench reaches beside it, by 1, 2 and 4 processes</text>
${bars.join('\n')}
</svg>
`;
}
