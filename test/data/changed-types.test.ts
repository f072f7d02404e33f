// Types that are replaced while people read and write: the usual change of an enum (rename, create, alter, drop), and a table
// that is dropped and made anew. Nobody is refused because a plan names what is gone.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';

const moods = `
  create type public.mood as enum ('glad', 'calm');
  create table public.days (id int generated always as identity primary key, mood public.mood not null, note text);
  grant select, insert, update on public.days to authenticated;
  insert into public.days (mood, note) values ('glad', 'first');
  create function public.count_days(wanted public.mood) returns int language sql stable as $$
    select count(*)::int from public.days where mood = wanted $$;
  create function public.add_day(note text) returns public.days language plpgsql as $$
    declare
      feeling public.mood := 'glad';
      made public.days;
    begin
      insert into public.days (mood, note) values (feeling, note) returning * into made;
      return made;
    end $$;
  grant execute on function public.count_days, public.add_day to authenticated;
`;
const replaced = (name: string): string => `begin;
  lock table public.days;
  alter type public.mood rename to mood_before;
  create type public.mood as enum ('glad', 'calm', '${name}');
  alter table public.days alter column mood type public.mood using mood::text::public.mood;
  drop function public.count_days;
  create function public.count_days(wanted public.mood) returns int language sql stable as $$
    select count(*)::int from public.days where mood = wanted $$;
  grant execute on function public.count_days to authenticated;
  drop type public.mood_before;
  notify pgrst, 'reload schema';
  commit`;

const app = forSuite(() => startApp({ prepare: moods, settings: { DB_POOL_SIZE: '16' } }));
const ada = person(app, 'Ada');

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await app.request(`/rest/v1/${path}`, { method, token: ada.token, ...sent });
  return { status: response.status, text: await response.text() };
}

const asked = {
  read: () => ask('GET', 'days?mood=eq.glad&limit=1'),
  readSome: () => ask('GET', 'days?mood=in.(glad,calm)&select=mood,note&limit=1'),
  insert: () => ask('POST', 'days', { mood: 'calm', note: 'written' }),
  update: () => ask('PATCH', 'days?id=eq.1', { mood: 'glad' }),
  call: () => ask('POST', 'rpc/count_days', { wanted: 'glad' }),
  write: () => ask('POST', 'rpc/add_day', { note: 'by a function' }),
};

test('reads and writes are never refused while an enum is replaced again and again', async () => {
  let over = false;
  const refused: unknown[] = [];
  const answered = new Map<string, number>();
  const asking = Object.entries(asked).map(async ([name, one]) => {
    while (!over) {
      const answer = await one();
      if (answer.status >= 300) refused.push({ name, ...answer });
      answered.set(name, (answered.get(name) ?? 0) + 1);
    }
  });
  for (let round = 0; round < 6; round++) {
    const before = new Map(answered);
    await app.sql(replaced(`mood${round}`));
    await expect
      .poll(() => Object.keys(asked).every((name) => (answered.get(name) ?? 0) > (before.get(name) ?? 0) + 8))
      .toBe(true);
  }
  over = true;
  await Promise.all(asking);
  expect(refused).toEqual([]);
});

test('without a word to the door what is stale is noticed by itself', async () => {
  const statuses = () => Promise.all(Object.entries(asked).map(async ([name, one]) => [name, (await one()).status]));
  const fine = [200, 200, 201, 204, 200, 200].map((status, at) => [Object.keys(asked)[at], status]);
  expect(await statuses()).toEqual(fine);
  await app.sql(replaced('silent').replace(/notify[^;]*;/, ''));
  expect(await statuses()).toEqual(fine);
});
