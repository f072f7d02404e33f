// `kanbase types`: what it writes types the client of supabase-js, from this version and from a running instance.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { compile } from '../helpers/compile.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';

const app = forSuite(startApp);
const place = scratch('types');
afterAll(() => place.remove());

const program = `
import { createClient } from '@supabase/supabase-js';
import type { Database } from './database.ts';

const supabase = createClient<Database>('https://board.example.com', 'key');

const { data: tasks } = await supabase
  .from('tasks')
  .select('title, due_date, project:projects(name), assignees:task_assignees(person:profiles(display_name)), column:workflow_columns(kind)')
  .single();
if (tasks !== null) {
  const title: string = tasks.title;
  const due: string | null = tasks.due_date;
  const project: string = tasks.project.name;
  const names: (string | null)[] = tasks.assignees.map(({ person }) => person.display_name);
  const kind: 'backlog' | 'todo' | 'in_progress' | 'done' | 'custom' = tasks.column.kind;
  // @ts-expect-error a number it is not
  const wrong: number = tasks.title;
  console.log(title, due, project, names, kind, wrong);
}
// @ts-expect-error there is no such table
await supabase.from('nowhere').select();
// @ts-expect-error there is no such priority
await supabase.from('tasks').insert({ title: 'x', priority: 'p9' });
// @ts-expect-error an id is text
await supabase.rpc('move_task', { task_id: 5 });
const { data: moved } = await supabase.rpc('move_task', { task_id: 'x' });
const rank: string | undefined = moved?.order_rank;
console.log(rank);
export {};
`;

test('types of this version compile with the client and infer embedded rows', async () => {
  const file = join(place.path, 'database.ts');
  expect(await runKanbase(['types', '-o', file], { cwd: place.path })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `Wrote ${file}\n`,
  });
  const written = readFileSync(file, 'utf8');
  expect(compile({ 'database.ts': written, 'program.ts': program })).toBe('');
  const { stdout } = await runKanbase(['types'], { cwd: place.path });
  expect(stdout).toBe(written);
});

test('types of a running instance are those it was built with, without sign-in', async () => {
  const { code, stdout } = await runKanbase(['types', '--instance', app.url], { cwd: place.path });
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync('contract/database.ts', 'utf8'));
});

test('no types come from a server that is no Kanbase', async () => {
  expect(await runKanbase(['types', '--instance', `${app.url}/app`], { cwd: place.path })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('has no types at /docs/database.ts'),
  });
});
