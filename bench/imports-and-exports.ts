// Measures exports and imports: 200,000 tasks exported in each format, 50,000 cards of another product and those 200,000 tasks imported:
// time, size and memory, into docs/figures.md. `--quick` takes a tenth of it; `--only=json,whole` parts alone.

import { chmodSync, createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { pino } from 'pino';
import { readConfig } from '../server/config/read-config.ts';
import { withDatabase } from '../server/database/connection-url.ts';
import { migrate } from '../server/database/migrate.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { startCluster } from '../server/database/start-cluster.ts';
import type { Caller, Database } from '../server/database/types.ts';
import { type Format, findProjects, formats } from '../server/exports/export-options.ts';
import { exportOf } from '../server/exports/write-export.ts';
import { fitToLimits } from '../server/imports/fit-to-limits.ts';
import { importSettings } from '../server/imports/import-settings.ts';
import { keepNames, matchPeople } from '../server/imports/people.ts';
import { readFile } from '../server/imports/products.ts';
import { writeImport } from '../server/imports/write-import.ts';
import { projectId } from './cases.ts';
import { conditions } from './conditions.ts';
import { fill } from './fill.ts';
import { flag } from './flag.ts';
import { table, writeFigures } from './page.ts';

interface Line {
  readonly what: string;
  readonly seconds: number;
  /** Of the file. */
  readonly bytes: number;
  readonly memory: number;
  /** What Postgres alone takes for the like of it. */
  readonly alone: number | null;
  readonly wanted: string;
}

interface Stage {
  readonly database: Database;
  readonly caller: Caller;
  readonly userId: string;
  readonly directory: string;
  readonly say: (line: string) => void;
}

const author = '00000000-0000-4000-8000-000000000001';

export async function benchImportsAndExports(say: (line: string) => void): Promise<void> {
  const quick = process.argv.includes('--quick');
  const [tasks, cards] = quick ? [20_000, 5_000] : [200_000, 50_000];
  const log = pino({ level: 'silent' });
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-'));
  chmodSync(directory, 0o755);
  const cluster = await startCluster({ dataDir: join(directory, 'data'), log });
  try {
    const { url, directUrl, adminUrl } = cluster;
    await migrate({ url: directUrl, poolUrl: url, directory: join(process.cwd(), 'sql'), log });
    await fill(withDatabase(adminUrl, 'kanbase'), { people: 8, projects: [tasks], measured: 1 }, more);
    const project = projectId(1);
    const database = await openDatabase({ url, directUrl, config: readConfig({ env: {} }).config.database, log });
    const caller = { role: 'authenticated', claims: JSON.stringify({ sub: author, role: 'authenticated' }) };
    const stage: Stage = { database, caller, userId: author, directory, say };
    const parts: readonly (readonly [name: string, () => Promise<Line>])[] = [
      ...formats.map((format) => [format, () => measureExport(stage, project, format, tasks)] as const),
      ['cards', () => measureCards(stage, cards)],
      ['whole', () => measureWhole(stage, tasks)],
    ];
    const only = flag('only')?.split(',');
    const lines: Line[] = [];
    for (const [name, measure] of parts) if (only?.includes(name) ?? true) lines.push(await measure());
    await database.close();
    writeFigures('imports', report(lines));
  } finally {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How long it takes, and how much the highest resident memory is above what it was before. */
async function measured(work: () => Promise<void>): Promise<{ seconds: number; memory: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  clearInterval(sampling);
  return { seconds, memory: Math.max(most, process.memoryUsage().rss) - before };
}

function told({ say }: Stage, line: Line): Line {
  const alone = line.alone === null ? '' : `, Postgres alone ${line.alone.toFixed(1)} s`;
  say(
    `${line.what}: ${line.seconds.toFixed(1)} s${alone}, ${(line.bytes / 1e6).toFixed(0)} MB, +${(line.memory / 1e6).toFixed(0)} MB of memory`,
  );
  return line;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function measureExport(stage: Stage, project: string, format: Format, tasks: number): Promise<Line> {
  const { database, caller, directory } = stage;
  const projects = await findProjects(database, caller, project);
  const path = join(directory, `bench.${format}`);
  const figures = await measured(async () => {
    const out = createWriteStream(path);
    await exportOf(format, projects[0] ?? null).write({
      database,
      caller,
      projects,
      out,
      siteUrl: 'http://localhost',
      readFile: () => Promise.reject(new Error('there are no files')),
      onProgress: () => undefined,
    });
    out.end();
    await finished(out);
  });
  const alone = format === 'json' ? await timeOf(() => rowsAsJson(database, caller, project)) : null;
  return told(stage, {
    what: `${tasks.toLocaleString('en')} tasks exported as \`${format}\``,
    ...figures,
    bytes: statSync(path).size,
    alone,
    wanted: 'steady memory',
  });
}

/** What Postgres takes to make the same JSON, without sending it. */
async function rowsAsJson(database: Database, caller: Caller, project: string): Promise<void> {
  for (const table of ['tasks', 'task_comments', 'task_checklist_items', 'task_label_links'])
    await database.objectsAs(
      caller,
      {
        text: `select sum(length(row_to_json(t)::text)) from public.${table} t where project_id = $1`,
        values: [project],
      },
      { readOnly: true, timeoutMs: 600_000 },
    );
}

/** A board of Trello: a comment, a step and two labels a card. */
async function measureCards(stage: Stage, cards: number): Promise<Line> {
  const numbers = Array.from({ length: cards }, (_, n) => n);
  const board = {
    id: 'bench',
    name: 'Bench',
    lists: ['Ideas', 'Doing', 'Done'].map((name, at) => ({ id: `l${at}`, name, pos: at })),
    labels: ['quay', 'crane', 'rope', 'tide'].map((name, at) => ({ id: `b${at}`, name, color: 'green' })),
    members: [],
    cards: numbers.map((n) => ({
      id: `c${n}`,
      name: `Card ${n} of the harbour`,
      desc: 'A line about the quay and the crane. '.repeat(6),
      idList: `l${n % 3}`,
      idLabels: [`b${n % 4}`, `b${(n + 1) % 4}`],
      pos: n,
      due: n % 4 === 0 ? '2026-12-24T10:00:00.000Z' : null,
    })),
    checklists: numbers.map((n) => ({
      id: `k${n}`,
      idCard: `c${n}`,
      name: 'Steps',
      checkItems: [{ id: `i${n}`, name: 'Look', state: 'incomplete' }],
    })),
    actions: numbers.map((n) => ({
      id: `a${n}`,
      type: 'commentCard',
      date: '2026-01-05T10:00:00.000Z',
      memberCreator: { id: 'm', fullName: 'Mo' },
      data: { text: `Seen to: ${n}`, card: { id: `c${n}` } },
    })),
  };
  const path = join(stage.directory, 'board.json');
  writeFileSync(path, JSON.stringify(board));
  const figures = await bring(stage, path);
  const alone = await insertAlone(stage, cards);
  return told(stage, {
    what: `${cards.toLocaleString('en')} cards of Trello imported, with a comment, a step and two labels each`,
    ...figures,
    bytes: statSync(path).size,
    alone,
    wanted: 'under 120 s for 50,000',
  });
}

async function measureWhole(stage: Stage, tasks: number): Promise<Line> {
  const path = join(stage.directory, 'bench.json');
  const figures = await bring(stage, path);
  return told(stage, {
    what: `those ${tasks.toLocaleString('en')} tasks imported again from \`json\`, with a comment and a step each`,
    ...figures,
    bytes: statSync(path).size,
    alone: null,
    wanted: 'memory for ids and a thousand rows',
  });
}

const newProject = async ({ database, caller }: Stage): Promise<string> =>
  (
    await database.objectsAs<{ id: string }>(caller, {
      text: "select id from public.create_project_with_defaults('Bench')",
      values: [],
    })
  )[0]?.id ?? '';

async function bring(stage: Stage, path: string): Promise<{ seconds: number; memory: number }> {
  const { database, caller, userId } = stage;
  const projectId = await newProject(stage);
  return measured(async () => {
    const { read } = await readFile(path, { fileName: 'bench.json', mostBytes: Number.MAX_SAFE_INTEGER, isNew: true });
    const matched = await matchPeople(database, caller, projectId, read.project.people);
    const done = await writeImport({
      database,
      caller,
      userId,
      projectId,
      isNew: true,
      fileName: 'bench.json',
      read: fitToLimits(keepNames(read, matched)),
      matched,
    });
    if (done.state !== 'done') throw new Error('the import was not finished');
  });
}

/** As many tasks, with all that hangs on them, in four statements under the same policies and triggers. */
async function insertAlone(stage: Stage, cards: number): Promise<number> {
  const { database, caller } = stage;
  const project = await newProject(stage);
  const run = (text: string, ...more: readonly string[]) =>
    database.runAs(caller, { text, values: [project, ...more] }, { ...importSettings, timeoutMs: 600_000 });
  return timeOf(async () => {
    await run(
      `insert into public.tasks (project_id, column_id, title, description)
        select $1, (select id from public.workflow_columns where project_id = $1 order by position limit 1), 'Card ' || n || ' of the harbour',
          repeat('A line about the quay and the crane. ', 6) from generate_series(1, $2::int) n`,
      String(cards),
    );
    await run(
      "insert into public.task_comments (project_id, task_id, body) select project_id, id, 'Seen to: ' || number from public.tasks where project_id = $1",
    );
    await run(
      "insert into public.task_checklist_items (project_id, task_id, title, position) select project_id, id, 'Look', 1 from public.tasks where project_id = $1",
    );
    await run(
      "insert into public.task_labels (project_id, name) select $1, 'label ' || n from generate_series(1, 2) n",
    );
    await run(
      `insert into public.task_label_links (project_id, task_id, label_id) select t.project_id, t.id, l.id from public.tasks t
        join public.task_labels l on l.project_id = t.project_id where t.project_id = $1`,
    );
  });
}

function report(lines: readonly Line[]): string {
  return `${conditions()}. One process, under row security, each once; memory above what it was before.

${table(
  'what | >took | >Postgres alone | >share | >file | >memory | wanted',
  lines.map(({ what, seconds, bytes, memory, alone, wanted }) => [
    ...[what, `${seconds.toFixed(1)} s`],
    ...(alone === null ? ['', ''] : [`${alone.toFixed(1)} s`, `${Math.round((100 * alone) / seconds)} %`]),
    ...[`${(bytes / 1e6).toFixed(0)} MB`, `+${(memory / 1e6).toFixed(0)} MB`, wanted],
  ]),
)}`;
}

/** A comment and a step for each task, and a label on every third. */
const more = `
  insert into public.task_comments (project_id, task_id, author_id, body)
    select project_id, id, created_by, 'Seen to: ' || title from public.tasks;
  insert into public.task_checklist_items (project_id, task_id, title, position) select project_id, id, 'Look', 1 from public.tasks;
  insert into public.task_labels (project_id, name) select id, 'quay' from public.projects;
  insert into public.task_label_links (project_id, task_id, label_id)
    select t.project_id, t.id, l.id from public.tasks t join public.task_labels l using (project_id) where t.number % 3 = 0`;
