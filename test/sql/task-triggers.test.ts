// Triggers on tasks that name columns ("update of …"): none is passed over where its condition could hold, also where other triggers set a column.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

/** Columns that triggers set before the row is written: from which columns of the statement. */
const derived: Readonly<Record<string, readonly string[]>> = {
  order_rank: ['column_id'],
  started_at: ['column_id'],
  completed_at: ['column_id'],
  audience_id: ['parent_id', 'is_restricted'],
  is_restricted: ['parent_id'],
  subtask_position: ['parent_id'],
};
/** Set at each write, or only put back to what they were. */
const own = ['version', 'updated_at', 'created_at', 'archived_at'];

interface Trigger {
  readonly name: string;
  readonly definition: string;
  readonly body: string;
}

const triggers = () =>
  app.sql<Trigger>(`
    select t.tgname as name, pg_get_triggerdef(t.oid) as definition, p.prosrc as body
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = 'public.tasks'::regclass and not t.tgisinternal`);

test('each names the columns that its condition reads, and those from which other triggers set these', async () => {
  const narrowed = (await triggers()).flatMap(({ name, definition }) => {
    const columns = / UPDATE OF ([\w, ]+) ON /.exec(definition)?.[1]?.split(', ');
    const condition = / WHEN \((.*)\) EXECUTE /.exec(definition)?.[1];
    return columns && condition ? [{ name, columns, condition }] : [];
  });
  expect(narrowed.length).toBeGreaterThan(10);
  const missing = narrowed.flatMap(({ name, columns, condition }) => {
    const read = new Set([...condition.matchAll(/\b(?:old|new)\.(\w+)/g)].map(([, column = '']) => column));
    const needed = [...read].flatMap((column) => [column, ...(derived[column] ?? [])]);
    return needed.filter((column) => !columns.includes(column)).map((column) => `${name}: ${column}`);
  });
  expect(missing).toEqual([]);
});

test('no trigger sets other columns before an update', async () => {
  const before = (await triggers()).filter(({ definition }) => / BEFORE (?!INSERT ON|DELETE)/.test(definition));
  const set = before.flatMap(({ body }) => [...body.matchAll(/\bnew\.(\w+)\s*:=/g)].map(([, column = '']) => column));
  const known = [...Object.keys(derived), ...own, 'number', 'project_id'];
  expect([...new Set(set)].filter((column) => !known.includes(column))).toEqual([]);
  expect(Object.keys(derived).filter((column) => !set.includes(column))).toEqual([]);
});
