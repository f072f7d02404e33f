// Sample workspace: content for every screen, with a history that its figures agree with.

import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { readView } from '../../contract/read-view.ts';
import { layouts } from '../../contract/views.ts';
import { type FilledDemo, fillDemo } from '../../server/demo/fill-demo.ts';
import { flowOf } from '../../web/queries/figures/task-flow.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

interface Metrics {
  readonly tasks: Readonly<Record<string, number>>;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly throughput: readonly { created: number; completed: number }[];
  readonly cumulative_flow: readonly Readonly<Record<string, number | string>>[];
  readonly cycle_time_days: { p50: number; p90: number };
}

let demo: FilledDemo;
let mara: SupabaseClient;
const app = forSuite(startApp);
beforeAll(async () => {
  demo = await fillDemo(app.services, app.ownerUrl, () => undefined);
  mara = app.client();
  const { email, password } = demo.users[0] ?? { email: '', password: '' };
  const { error } = await mara.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
});

async function count(table: string): Promise<number> {
  const { count, error } = await mara.from(table).select('*', { count: 'exact', head: true });
  expect(error).toBeNull();
  return count ?? 0;
}

test('two people share three projects with some 120 tasks, waiting for each other', async () => {
  expect(demo.added).toBe(true);
  expect(demo.users).toHaveLength(2);
  expect(await count('projects')).toBe(3);
  expect(await count('project_members')).toBe(6);
  expect(await count('tasks')).toBe(120);
  expect(await count('task_dependencies')).toBeGreaterThan(30);
  expect(await count('custom_fields')).toBe(8);
  expect(await count('task_field_values')).toBeGreaterThan(150);
  const { count: parts } = await mara
    .from('tasks')
    .select('*', { count: 'exact', head: true })
    .not('parent_id', 'is', null);
  expect(parts).toBe(16);
  expect(await count('task_comments')).toBeGreaterThan(10);
  expect(await count('saved_views')).toBe(14);
  expect(await count('calendar_feeds')).toBe(2);
  expect(await count('task_activity')).toBeGreaterThan(400);
});

test('things happened over three months, in an order that could have been', async () => {
  const [story] = await app.sql<{ days: number; wrong: number; late: number }>(`
    select extract(day from max(a.created_at) - min(a.created_at))::int as days,
           count(*) filter (where a.created_at < t.created_at or a.created_at > now())::int as wrong,
           (select count(*) from public.tasks where completed_at < created_at or started_at < created_at or completed_at > now())::int as late
      from public.task_activity a join public.tasks t on t.id = a.task_id`);
  expect(story?.days).toBeGreaterThan(70);
  expect([story?.wrong, story?.late]).toEqual([0, 0]);
});

test('figures agree with the tasks, today and in the past', async () => {
  const { data, error } = await mara.rpc('dashboard_metrics');
  expect(error).toBeNull();
  const metrics = data as Metrics;
  expect(metrics.tasks).toMatchObject({ total: 120, completed: 54, open: 66 });
  expect(metrics.tasks.overdue).toBeGreaterThan(0);
  expect(metrics.throughput.filter((week) => week.completed > 0).length).toBeGreaterThan(8);
  const { backlog, todo, in_progress, done } = metrics.cumulative_flow.at(-1) ?? {};
  expect({ backlog, todo, in_progress, done }).toEqual({ backlog: 27, todo: 24, in_progress: 15, done: 54 });
  for (const { day, ...kinds } of metrics.cumulative_flow)
    expect(Math.min(...Object.values(kinds).map(Number)), String(day)).toBeGreaterThanOrEqual(0);
  expect(metrics.cycle_time_days.p50).toBeGreaterThan(0.5);
  expect(metrics.cycle_time_days.p50).toBeLessThan(10);
});

test('a dashboard of some tasks counts as one of all does', async () => {
  const { data: projects } = await mara.from('projects').select('id');
  for (const { id } of projects ?? []) {
    const { data: tasks } = await mara.from('tasks').select('*').eq('project_id', id);
    const { data: flow } = await mara.rpc('task_flow', { project_id: id });
    const { data: metrics } = await mara.rpc('dashboard_metrics', { project_id: id });
    const counted = flowOf(tasks ?? [], { [id]: flow });
    expect(counted.cumulative_flow).toEqual(metrics.cumulative_flow);
    expect(counted.cycle_time_days.p50).toBeCloseTo(metrics.cycle_time_days.p50, 3);
    expect(counted.cycle_time_days.p90).toBeCloseTo(metrics.cycle_time_days.p90, 3);
    const some = (tasks ?? []).filter(({ priority }) => priority === 'p1');
    const { backlog, todo, in_progress, done, custom } = flowOf(some, { [id]: flow }).cumulative_flow.at(-1) ?? {};
    expect([backlog, todo, in_progress, done, custom].reduce((sum, n) => (sum ?? 0) + (n ?? 0), 0)).toBe(some.length);
  }
});

test('one project has a plan that is under way, in all the ways to look at it', async () => {
  const { data: project } = await mara.from('projects').select('id').eq('key', 'WEB').single();
  const of = { project_id: project?.id };
  const { data: tasks } = await mara.from('tasks').select('id, start_date, due_date, completed_at').match(of);
  const spans = new Map(
    (tasks ?? []).flatMap(({ id, start_date, due_date, completed_at }) =>
      due_date === null || completed_at !== null ? [] : [[id, { from: start_date ?? due_date, to: due_date }]],
    ),
  );
  expect(spans.size).toBe(18);
  const { data: links } = await mara
    .from('task_dependencies')
    .select('predecessor_id, successor_id, lag_days')
    .match(of);
  const known = (links ?? []).filter(({ predecessor_id: one, successor_id: two }) => spans.has(one) && spans.has(two));
  expect(known.length).toBeGreaterThan(8);
  expect(known.filter(({ lag_days }) => lag_days > 0).length).toBeGreaterThan(0);
  // A task begins after the day what it waits for ends, and so many days later: one does not.
  const early = known.filter(({ predecessor_id, successor_id, lag_days }) => {
    const end = Date.parse(spans.get(predecessor_id)?.to ?? '') + (1 + lag_days) * 86_400_000;
    return Date.parse(spans.get(successor_id)?.from ?? '') < end;
  });
  expect(early).toHaveLength(1);
  expect((await mara.from('task_recurrences').select('rule, is_over').match(of)).data).toEqual([
    { rule: 'FREQ=MONTHLY;BYMONTHDAY=1', is_over: false },
  ]);
  const { data: views } = await mara.from('saved_views').select('*').match(of).order('position');
  expect(new Set(views?.map(({ layout }) => layout))).toEqual(new Set(layouts));
  expect(views?.filter(({ lanes }) => lanes !== null)).toHaveLength(1);
  // As the app reads them: nothing in them is unknown.
  for (const view of views ?? []) expect(() => readView(view), view.name).not.toThrow();
  const { data: templates } = await mara.from('templates').select('kind, name').match(of).order('kind');
  expect(templates).toEqual([
    { kind: 'project', name: 'Relaunch of a site' },
    { kind: 'task', name: 'Test with people' },
  ]);
});

test('each person has some unread notifications and more that are read', async () => {
  const news = await app.sql<{ unread: number; read: number }>(`
    select count(*) filter (where read_at is null)::int as unread, count(*) filter (where read_at is not null)::int as read
      from public.notifications group by user_id`);
  expect(news).toHaveLength(2);
  for (const { unread, read } of news) {
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(20);
    expect(read).toBeGreaterThan(unread);
  }
});

test('people have avatars, and attachments that can be opened', async () => {
  const { data: faces } = await mara.from('profiles').select('avatar_url');
  expect(faces).toHaveLength(2);
  for (const face of faces ?? []) expect((await fetch(app.url + face.avatar_url)).status).toBe(200);
  const { data: files } = await mara.from('task_attachments').select('id, name, object_path, size_bytes, created_at');
  expect(files).toHaveLength(8);
  for (const { object_path, size_bytes } of files ?? [])
    expect((await mara.storage.from('attachments').download(object_path)).data?.size).toBe(size_bytes);
  // A picture through and through: every pixel of it can be read.
  const cover = files?.find(({ name }) => name === 'hero.png')?.object_path ?? '';
  const hero = await (await mara.storage.from('attachments').download(cover)).data?.arrayBuffer();
  expect(await sharp(hero).stats()).toMatchObject({ isOpaque: true });
  const { data: shown } = await mara.from('task_comments').select('body').like('body', '%attachment:%');
  expect(shown).toHaveLength(2);
  for (const { body } of shown ?? [])
    expect(files?.map(({ id }) => id)).toContain(/attachment:([\w-]{36})\)/.exec(body)?.[1]);
  // Attached while the task was worked on, not today.
  expect(files?.filter(({ created_at }) => Date.parse(created_at) > Date.now() - 600_000)).toEqual([]);
});

test('a second time nothing is added', async () => {
  expect(await fillDemo(app.services, app.ownerUrl, () => undefined)).toMatchObject({ added: false });
  expect(await count('tasks')).toBe(120);
});
