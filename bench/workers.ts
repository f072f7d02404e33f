// `npm run bench -- --workers`: the same requests to 1, 2 and 4 processes (`WORKERS`) on one database, each beside pgbench with the same
// statements and connections in the same run, into docs/figures.md and its plot. Ends with 1 where one makes less than a third of
// pgbench, or one request in a hundred takes longer than a quarter of a second.

import { cases } from './cases.ts';
import { conditions } from './conditions.ts';
import { besidePgbench, connections, percentOf, type Row, seconds } from './data.ts';
import { measureHttp } from './measure-http.ts';
import { csv, ms, table, whole, writeFigures } from './page.ts';
import { plotBars } from './plots.ts';
import { openStage } from './stage.ts';
import { readStageCatalog, taskId } from './statements.ts';

const counts = [1, 2, 4] as const;
const measured = ['one task by id', 'a list of 200 tasks', '50 tasks with assignees and labels', 'update a task by id'];

/** What each is promised to make beside pgbench, which asks without a door, and how long one in a hundred may take at most. */
const leastShare = 1 / 3;
const longestP99 = 250;

export async function benchWorkers(say: (line: string) => void): Promise<void> {
  const empty = await openStage(say, { server: false });
  try {
    const catalog = await readStageCatalog(empty);
    const chosen = cases(taskId).filter(({ name }) => measured.includes(name));
    /** By number of processes, as `counts` lists them. */
    const all: Row[][] = chosen.map(() => []);
    for (const count of counts) {
      const stage = await empty.serveAnew({ WORKERS: String(count) });
      for (const [index, one] of chosen.entries()) {
        measureHttp(one, stage, one.writes ? 2 : 4, connections);
        const row = besidePgbench(one, stage, catalog, 2);
        all[index]?.push(row);
        const { ours, limit } = row;
        say(`${count}: ${one.name}: ${whole(ours.perSecond)} of ${whole(limit.perSecond)} a second`);
        if (ours.perSecond >= limit.perSecond * leastShare && ours.p99 <= longestP99) continue;
        say(`NOT AS PROMISED: less than a third of pgbench, or a p99 of ${ms(ours.p99)}`);
        process.exitCode = 1;
      }
    }
    writeFigures(
      'workers',
      `${conditions('wrk', 'pgbench')}. ${connections} connections, ${seconds} s each.

${table(
  'request | >1 process | >2 processes | >4 processes',
  all.map((rows) => [rows[0]?.name ?? '', ...rows.map((row) => `**${percentOf(row)}**`)]),
)}

[Each speed](figures/workers.csv).

![Share of what pgbench reaches, by 1, 2 and 4 processes](figures/workers.svg)`,
      {
        files: {
          'workers.svg': plot(all),
          'workers.csv': csv(
            'request|processes|Kanbase a second|pgbench beside it|p99',
            all.flatMap((rows) =>
              rows.map(({ name, ours, limit }, place) => [
                ...[name, counts[place] ?? 0, whole(ours.perSecond), whole(limit.perSecond), ms(ours.p99)],
              ]),
            ),
          ),
        },
      },
    );
  } finally {
    await empty.close();
  }
}

function plot(all: readonly (readonly Row[])[]): string {
  const shareOf = ({ ours, limit }: Row): number => ours.perSecond / limit.perSecond;
  const most = Math.max(1, ...all.flat().map(shareOf));
  return plotBars(
    'Share of what pgbench reaches beside it',
    counts.map((count) => (count === 1 ? '1 process' : `${count} processes`)),
    all.map((rows) => ({
      name: rows[0]?.name ?? '',
      bars: rows.map((row) => ({ share: shareOf(row) / most, words: percentOf(row) })),
    })),
  );
}
