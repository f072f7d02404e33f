// Live changes of rows through the official client: recipients, timing and payload.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { follow, hangUp, project } from './subscribe.ts';

const app = forSuite(startApp);
const ada = person(app, 'Ada');
const bob = person(app, 'Bob');

test('a row that someone inserts reaches those who may see it, and nobody else', async () => {
  const { id, column } = await project(ada);
  const mine = await follow(ada.client, [{ table: 'tasks', filter: `project_id=eq.${id}` }]);
  const theirs = await follow(bob.client, [{ table: 'tasks' }]);
  const { data, error } = await ada.client
    .from('tasks')
    .insert({ project_id: id, column_id: column, title: 'Write' })
    .select()
    .single();
  expect(error).toBeNull();
  const event = await mine.events.first(({ eventType }) => eventType === 'INSERT');
  expect(event).toMatchObject({ schema: 'public', table: 'tasks', errors: null, old: {} });
  expect(event.new).toEqual(data);
  await ada.client.from('tasks').update({ title: 'Rewrite' }).eq('id', data.id);
  expect(await mine.events.first(({ eventType }) => eventType === 'UPDATE')).toMatchObject({
    new: { title: 'Rewrite' },
    old: { id: data.id },
  });
  await ada.client.from('tasks').delete().eq('id', data.id);
  const gone = await mine.events.first(({ eventType }) => eventType === 'DELETE');
  expect(gone.old).toEqual({ id: data.id });
  expect(theirs.events.list).toEqual([]);
  await hangUp(ada.client, bob.client);
});

test('every table of schema public is published, with its old rows whole, but what webhooks were told', async () => {
  expect(
    await app.sql(`
      select c.relname from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> 'webhook_deliveries' and (
        c.relreplident <> 'f' or not exists (
          select from pg_publication_tables t where t.pubname = 'supabase_realtime' and t.schemaname = 'public' and t.tablename = c.relname))`),
  ).toEqual([]);
});

test('a task that goes to another project is gone for who sees only the first, and told to who follows either', async () => {
  const here = await project(ada);
  const there = await project(ada);
  await app.sql("insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')", [
    here.id,
    bob.id,
  ]);
  const { data: task } = await ada.client
    .from('tasks')
    .insert({ project_id: here.id, column_id: here.column, title: 'Goes' })
    .select()
    .single();
  await ada.client.from('task_comments').insert({ task_id: task.id, body: 'Word' });
  const bindings = (id: string) =>
    ['tasks', 'task_comments'].map((table) => ({ table, filter: `project_id=eq.${id}` }));
  const left = await follow(ada.client, bindings(here.id), 'left');
  const entered = await follow(ada.client, bindings(there.id), 'entered');
  const theirs = await follow(bob.client, bindings(here.id), 'theirs');
  await ada.client.rpc('move_task_to_project', { task_id: task.id, project_id: there.id });
  for (const { events } of [left, entered])
    for (const table of ['tasks', 'task_comments'])
      expect(
        await events.first((event) => event.table === table && event.eventType === 'UPDATE', `${table} there`),
      ).toMatchObject({ new: { project_id: there.id } });
  for (const table of ['tasks', 'task_comments'])
    await theirs.events.first((event) => event.table === table && event.eventType === 'DELETE', `${table} gone`);
  expect(JSON.stringify(theirs.events.list)).not.toContain(there.id);
  await hangUp(ada.client, bob.client);
});
