// Changes of rows through the official client: who hears of what, when, and how it looks.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { follow, hangUp, project } from './listening.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startApp();
  ada = await app.createUser({ name: 'Ada' });
  bob = await app.createUser({ name: 'Bob' });
});
afterAll(() => app.close());

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

test('every table of schema public is published, with its old rows whole', async () => {
  expect(
    await app.sql(`
      select c.relname from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and (
        c.relreplident <> 'f' or not exists (
          select from pg_publication_tables t where t.pubname = 'supabase_realtime' and t.schemaname = 'public' and t.tablename = c.relname))`),
  ).toEqual([]);
});
