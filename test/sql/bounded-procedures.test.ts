// Procedures that take lists or texts of any length do a bounded amount of work: sums of changes_since, people whom a text mentions.

import { expect, test } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addTask } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

test('changes_since refuses more sums than it compares, in words', async () => {
  const { project } = await shared('Sums');
  const sums = (count: number) => ({ tasks: Array<number>(count).fill(0) });
  const asked = (count: number) => owner.client.rpc('changes_since', { project_id: project, known: sums(count) });
  expect((await asked(4096)).error).toBeNull();
  const { error, status } = await asked(200_000);
  expect(status).toBe(400);
  expect(error).toMatchObject({
    code: '22023',
    message: '200000 sums are given for tasks, and at most 4096 are compared',
    hint: 'Let more rows share a bucket, or read the table anew.',
  });
});

test('changes_since tells the keys of buckets that differ, each in its own', async () => {
  const { project } = await shared('Buckets');
  const tasks: string[] = [];
  for (let index = 0; index < 12; index++)
    tasks.push(await addTask(app, owner, { project_id: project, title: `T${index}` }));
  const digest = (id: string) => Number.parseInt(id.slice(-6), 16) % 16_777_213;
  const size = 4;
  const sums = Array<number>(size).fill(0);
  // All but the last are known, and one that is gone.
  const known = [...tasks.slice(0, -1), '00000000-0000-4000-8000-000000000abc'];
  for (const id of known) sums[digest(id) % size] = (sums[digest(id) % size] ?? 0) + digest(id);
  const { data } = await owner.client.rpc('changes_since', { project_id: project, known: { tasks: sums } });
  const differing = new Set([digest(tasks.at(-1) as string) % size, 0xabc % size]);
  const expected = Object.fromEntries(
    [...differing].map((bucket) => [bucket, tasks.filter((id) => digest(id) % size === bucket).sort()]),
  );
  const present = Object.entries(data.present.tasks as Record<string, string[]>).map(([bucket, keys]) => [
    bucket,
    keys.sort(),
  ]);
  expect(Object.fromEntries(present)).toEqual(expected);
});

test('a text notifies the first fifty people it mentions', async () => {
  const { project } = await shared('Crowd');
  const people: TestUser[] = [];
  for (let index = 0; index < 60; index++) {
    const person = await app.createUser({ name: `Crowd ${String(index).padStart(2, '0')}` });
    await addMember(app, project, person, 'viewer');
    people.push(person);
  }
  const mentioned = async (task: string) =>
    (
      await app.sql<{ user_id: string }>(
        "select user_id from public.notifications where task_id = $1 and kind = 'mentioned'",
        [task],
      )
    ).map(({ user_id }) => user_id);
  const byName = await addTask(app, editor, { project_id: project, title: 'By name' });
  await editor.client
    .from('task_comments')
    .insert({ task_id: byName, body: people.map(({ name }) => `@${name}`).join(' ') });
  const first = people.slice(0, 50).map(({ id }) => id);
  expect((await mentioned(byName)).sort()).toEqual([...first].sort());
  // By id, those mentioned last are left out as well, however often the others are named.
  const byId = await addTask(app, editor, { project_id: project, title: 'By id' });
  const words = people.map(({ id }) => `@[x](${id})`).join(' ');
  const body = `${words} ${words}${'@'.repeat(40_000)}`.slice(0, 50_000);
  const { error } = await editor.client.from('task_comments').insert({ task_id: byId, body });
  expect(error).toBeNull();
  expect((await mentioned(byId)).sort()).toEqual([...first].sort());
}, 60_000);
