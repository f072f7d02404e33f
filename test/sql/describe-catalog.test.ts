// The description of the catalog sees every kind of change: without that, "a fresh and an upgraded database are alike"
// would say nothing.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { describeCatalog } from '../helpers/describe-catalog.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';

let client: pg.Client;
let before: string[];

const fresh = forSuite(freshDatabase, (fresh) => fresh.drop());
beforeAll(async () => {
  client = new pg.Client(connectionOptions(fresh.adminUrl));
  await client.connect();
  before = await describeCatalog(client);
});
afterAll(async () => {
  await client.end();
});

const differences = (now: readonly string[]): string[] => [
  ...now.filter((line) => !before.includes(line)),
  ...before.filter((line) => !now.includes(line)),
];

/** A change of each kind, and the line of the description that it changes. */
const changes: readonly (readonly [change: string, line: RegExp])[] = [
  ['alter view private.my_memberships reset (security_barrier)', /^pg_class view private.my_memberships /],
  ['revoke select on public.projects from authenticated', /^pg_class table public.projects /],
  ['revoke update (title) on public.tasks from authenticated', /^pg_attribute table public.tasks title at /],
  ['revoke execute on function private.uuid_v7() from public', /^pg_proc function private.uuid_v7\(\)/],
  ['grant usage on schema billing to anon', /^pg_namespace schema billing /],
  ['revoke execute on function pg_sleep(double precision) from public', /^rights on pg_catalog.pg_sleep/],
  ['alter default privileges in schema public grant select on tables to anon', /^pg_default_acl /],
  ['drop policy remove on public.tasks', /^pg_policy policy remove on public.tasks /],
  ['alter policy read on public.tasks using (true)', /^pg_policy policy read on public.tasks /],
  ['alter policy add on public.tasks to public', /^pg_policy policy add on public.tasks /],
  ['alter table public.task_labels disable row level security', /^pg_class table public.task_labels /],
  ['drop trigger tasks_20_keep on public.tasks', /^pg_trigger trigger tasks_20_keep on public.tasks /],
  ['alter table public.tasks disable trigger tasks_75_notify', /^pg_trigger trigger tasks_75_notify on public.tasks /],
  ['alter table public.profiles replica identity nothing', /^pg_class table public.profiles /],
  ['alter table public.tasks set (fillfactor = 60)', /^pg_class table public.tasks /],
  [
    'alter table public.tasks alter description set storage external',
    /^pg_attribute table public.tasks description at /,
  ],
  [
    "alter table public.projects alter description set default 'x'",
    /^pg_attrdef default value for public.projects.description/,
  ],
  ['alter table public.projects alter name drop not null', /^pg_attribute table public.projects name at /],
  ['alter table public.task_labels drop constraint task_labels_pkey cascade', /^pg_constraint .*task_labels_pkey/],
  ['drop index public.tasks_due_idx', /^pg_index index public.tasks_due_idx /],
  ["alter function auth.uid() set search_path = 'public'", /^pg_proc function auth.uid\(\)/],
  ['alter function auth.role() owner to postgres', /^pg_proc function auth.role\(\)/],
  ['alter function auth.jwt() security definer', /^pg_proc function auth.jwt\(\)/],
  ["comment on table public.tasks is 'Something else.'", /^comment on table public.tasks /],
  ["comment on column public.tasks.title is 'Something else.'", /^comment on table column public.tasks.title /],
  ['alter publication supabase_realtime drop table public.tasks', /^pg_publication_rel .*public.tasks/],
  ["alter type public.task_priority add value 'p3'", /^pg_enum type public.task_priority p3 at /],
  ['grant service_role to kanbase_files', /^role kanbase_files /],
];

test('two databases with the same migrations are described alike', async () => {
  const other = await freshDatabase();
  const to = new pg.Client(connectionOptions(other.adminUrl));
  await to.connect();
  try {
    expect(differences(await describeCatalog(to))).toEqual([]);
    expect(before.length).toBeGreaterThan(3000);
  } finally {
    await to.end();
    await other.drop();
  }
});

test('a change of any kind changes the line of its object', async () => {
  await client.query('begin');
  try {
    for (const [change] of changes) await client.query(change);
    const changed = differences(await describeCatalog(client));
    expect(changes.filter(([, line]) => !changed.some((one) => line.test(one))).map(([change]) => change)).toEqual([]);
  } finally {
    await client.query('rollback');
  }
});
