// Fills the database of a bench to its size in sets, batch after batch, so that neither memory nor the log has to hold a million rows at once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';

export interface Size {
  readonly people: number;
  /** Tasks of each project. */
  readonly projects: readonly number[];
  /** How many of them, from the first on, person 1 is in. */
  readonly measured: number;
}

const tasksAtOnce = 50_000;
const script = (name: string): string => readFileSync(join(process.cwd(), 'bench', name), 'utf8');

/** `url`: of a superuser, since triggers are off. `more`: SQL for what a bench has beside. */
export async function fill(url: string, { people, projects, measured }: Size, more = ''): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  const set = (name: string, value: number | string): Promise<unknown> =>
    client.query('select set_config($1, $2, false)', [`bench.${name}`, String(value)]);
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await set('people', people);
    await set('sizes', projects.join(','));
    await set('measured', measured);
    await client.query(script('fill.sql'));
    for (const [from, to] of batches(projects)) {
      await set('from', from);
      await set('to', to);
      await client.query(`begin; ${script('fill-tasks.sql')}; commit`);
    }
    await client.query(
      'create index task_search_document_idx on private.task_search using gin (document) with (fastupdate = off)',
    );
    await client.query(more);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** First and last project of each batch, counted from one. */
function batches(projects: readonly number[]): [from: number, to: number][] {
  const result: [from: number, to: number][] = [];
  let from = 1;
  let tasks = 0;
  projects.forEach((count, at) => {
    tasks += count;
    if (tasks < tasksAtOnce && at + 1 < projects.length) return;
    result.push([from, at + 1]);
    from = at + 2;
    tasks = 0;
  });
  return result;
}
