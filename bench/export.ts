// What exports of a project of 200,000 tasks cost: time, size, and how much memory grows meanwhile, for each format. Run by itself:
// `node scripts/run-ts.mjs bench/export.ts [tasks]`.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../server/config/read-config.ts';
import { connectionOptions } from '../server/database/connection-options.ts';
import { migrate } from '../server/database/migrate.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { startCluster } from '../server/database/start-cluster.ts';
import { findProjects, formats } from '../server/exports/export-options.ts';
import { exportOf } from '../server/exports/write-export.ts';

const tasks = Number(process.argv[2] ?? '200000');
const log = pino({ level: 'silent' });
const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-'));
chmodSync(directory, 0o755);
const cluster = await startCluster({ dataDir: directory, log });
try {
  const { url, directUrl } = cluster;
  await migrate({ url: directUrl, poolUrl: url, directory: join(process.cwd(), 'sql'), log });
  const author = '00000000-0000-4000-8000-000000000001';
  const project = await fill(directUrl, author);
  await measure(
    await openDatabase({ url, directUrl, config: readConfig({ env: {} }).config.database, log }),
    project,
    author,
  );
} finally {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(
  database: Awaited<ReturnType<typeof openDatabase>>,
  project: string,
  author: string,
): Promise<void> {
  const caller = { role: 'authenticated', claims: JSON.stringify({ sub: author, role: 'authenticated' }) };
  const projects = await findProjects(database, caller, project);
  for (const format of formats) {
    const before = process.memoryUsage().rss;
    let most = before;
    let bytes = 0;
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const out = new PassThrough();
    out.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    const began = performance.now();
    await exportOf(format, projects[0] ?? null).write({
      database: database,
      caller,
      projects,
      out,
      siteUrl: 'http://localhost',
      readFile: () => Promise.reject(new Error('there are no files')),
      onProgress: () => undefined,
    });
    out.end();
    await finished(out);
    clearInterval(sampling);
    const seconds = (performance.now() - began) / 1000;
    const figures = [
      `${seconds.toFixed(1)} s`,
      `${(bytes / 1e6).toFixed(0)} MB`,
      `+${((most - before) / 1e6).toFixed(0)} MB of memory`,
    ];
    console.log(`${format}: ${figures.join(', ')}`);
  }
  await database.close();
}

/** Tasks with a comment and a step each, and a label on every third: put there in sets, with the triggers off. */
async function fill(address: string, author: string): Promise<string> {
  const owner = new pg.Client(connectionOptions(address));
  await owner.connect();
  const project = '00000000-0000-4000-9000-000000000001';
  const column = '00000000-0000-4000-a000-000000000001';
  const filled = ['tasks', 'task_comments', 'task_checklist_items', 'task_labels', 'task_label_links'];
  await owner.query("insert into auth.users (id, email, email_confirmed_at) values ($1, 'ada@bench.test', now())", [
    author,
  ]);
  await owner.query("insert into public.projects (id, name, key, created_by) values ($1, 'Harbour', 'HAR', $2)", [
    project,
    author,
  ]);
  await owner.query("insert into public.project_members (project_id, user_id, role) values ($1, $2, 'owner')", [
    project,
    author,
  ]);
  await owner.query(
    "insert into public.workflow_columns (id, project_id, name, kind) values ($1, $2, 'To do', 'todo')",
    [column, project],
  );
  for (const table of filled) await owner.query(`alter table public.${table} disable trigger user`);
  await owner.query(
    `insert into public.tasks (project_id, column_id, number, title, description, order_rank, due_date, created_by)
     select $1, $2, n, 'Task ' || n || ' of the harbour', repeat('A line about the quay and the crane. ', 6), lpad(n::text, 8, 'a') || 'V',
       case when n % 4 = 0 then date '2026-01-01' + n % 700 end, $3 from generate_series(1, $4::int) n`,
    [project, column, author, tasks],
  );
  await owner.query(
    `insert into public.task_comments (project_id, task_id, author_id, body) select project_id, id, created_by, 'Seen to: ' || title from public.tasks`,
  );
  await owner.query(
    `insert into public.task_checklist_items (project_id, task_id, title, position) select project_id, id, 'Look', 1 from public.tasks`,
  );
  await owner.query("insert into public.task_labels (project_id, name) values ($1, 'quay')", [project]);
  await owner.query(
    `insert into public.task_label_links (project_id, task_id, label_id) select t.project_id, t.id, l.id from public.tasks t
     join public.task_labels l on l.project_id = t.project_id where t.number % 3 = 0`,
  );
  for (const table of filled) await owner.query(`alter table public.${table} enable trigger user`);
  await owner.query('analyze');
  await owner.end();
  return project;
}
