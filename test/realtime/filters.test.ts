// Every filter operator of the client, through its own filter builder, against rows that pass and rows that do not.

import { postgresChangesFilter } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { Events, follow, hangUp } from './subscribe.ts';

const things = `
  create type public.mood as enum ('low', 'high');
  create table public.things (id int primary key, name text, price numeric, at timestamptz, is_done boolean, mood public.mood, data jsonb);
  alter table public.things replica identity full;
  grant select on public.things to authenticated;
  alter publication supabase_realtime add table public.things;
  create table public.papers (id int primary key, owner uuid, text text);
  alter table public.papers replica identity full;
  alter table public.papers enable row level security;
  create policy own on public.papers for select to authenticated using (owner = auth.uid());
  grant select on public.papers to anon, authenticated;
  alter publication supabase_realtime add table public.papers;
`;
const rows = `
  (1, 'Apple', 1.50, '2026-01-01 10:00+00', true, 'low', '{"a": 1}'),
  (2, 'pear, green', 20, '2026-01-02 10:00+00', false, 'high', null),
  (3, null, null, null, null, null, null)
`;

const app = forSuite(() => startApp({ prepare: things }));
const ada = person(app, 'Ada');

const f = postgresChangesFilter;
const cases: readonly (readonly [string, ReturnType<typeof f> | string, readonly number[]])[] = [
  ['eq text', f().eq('name', 'Apple'), [1]],
  ['eq text with a comma', f().eq('name', 'pear, green'), [2]],
  ['eq text with a comma that nobody quoted', 'name=eq.pear, green', [2]],
  ['neq text with a quote within, and more', 'name=neq.5" tall,id=lt.2', [1]],
  ['eq number in another spelling', f().eq('price', '1.5'), [1]],
  ['eq bool', f().eq('is_done', true), [1]],
  ['eq enum', f().eq('mood', 'high'), [2]],
  ['neq', f().neq('id', 1), [2, 3]],
  ['neq with nulls', f().neq('name', 'Apple'), [2]],
  ['lt', f().lt('price', 2), [1]],
  ['lte', f().lte('id', 2), [1, 2]],
  ['gt', f().gt('at', '2026-01-01T11:00:00Z'), [2]],
  ['gte enum', f().gte('mood', 'low'), [1, 2]],
  ['in', f().in('id', [1, 3]), [1, 3]],
  ['in text', f().in('name', ['pear, green', 'x']), [2]],
  ['like', f().like('name', 'A%'), [1]],
  ['ilike', f().ilike('name', '%APPLE%'), [1]],
  ['match', f().match('name', '^p.*n$'), [2]],
  ['imatch', f().imatch('name', '^APP'), [1]],
  ['is null', f().is('name', null), [3]],
  ['is true', f().is('is_done', true), [1]],
  ['isdistinct', f().isDistinct('name', 'Apple'), [2, 3]],
  ['not eq', f().not('id', 'eq', 1), [2, 3]],
  ['not is null', f().not('name', 'is', null), [1, 2]],
  ['not in', f().not('id', 'in', [1]), [2, 3]],
  ['not like', f().not('name', 'like', 'A%'), [2]],
  ['eq of a key in JSON', 'data->>a=eq.1', [1]],
  ['is null of a key in JSON', 'data->>b=is.null', [1, 2, 3]],
  ['several at once', f().gt('id', 0).eq('is_done', false).like('name', 'pear%'), [2]],
];

test('each lets the rows pass that Postgres would select', async () => {
  const bindings = cases.map(([, filter]) => ({ table: 'things', event: 'INSERT', filter }));
  const client = app.client({ token: ada.token });
  const seen = cases.map((): number[] => []);
  const arrived = new Events<number>();
  let channel = client.channel('filters');
  for (const [index, binding] of bindings.entries())
    channel = channel.on(
      'postgres_changes',
      { schema: 'public', ...binding } as never,
      (event: { new: { id: number } }) => {
        seen[index]?.push(event.new.id);
        arrived.add(event.new.id);
      },
    );
  const all = await follow(ada.client, [{ table: 'things' }], 'all');
  await client.realtime.setAuth();
  await new Promise<void>((resolve) => {
    channel
      .on('system', {}, ({ extension }) => {
        if (extension === 'postgres_changes') resolve();
      })
      .subscribe();
  });
  await app.sql(`insert into public.things values ${rows}`);
  await app.sql(`insert into public.things (id, name) values (99, 'end')`);
  await all.events.first((one) => (one.new as { id?: number }).id === 99);
  // The last row passes the filter on ids alone, on this channel too; what Postgres is asked about comes a moment later.
  const last = cases.findIndex(([name]) => name === 'neq');
  const isThere = ([, , ids]: (typeof cases)[number], index: number) => ids.every((id) => seen[index]?.includes(id));
  await arrived.until(() => (seen[last]?.includes(99) && cases.every(isThere) ? true : undefined), 'the last row');
  expect(Object.fromEntries(cases.map(([name], index) => [name, seen[index]?.filter((id) => id !== 99)]))).toEqual(
    Object.fromEntries(cases.map(([name, , ids]) => [name, ids])),
  );
  await hangUp(client, ada.client);
});

test('deletes are filtered by the old row, and a selection of columns keeps the key', async () => {
  const client = app.client({ token: ada.token });
  await app.sql(`insert into public.things (id, name, price) values (10, 'ten', 10), (11, 'eleven', 11)`);
  const { events } = await follow(
    client,
    [{ table: 'things', event: 'DELETE', filter: 'name=eq.ten', select: ['price'] }],
    'd',
  );
  await app.sql('delete from public.things where id in (10, 11)');
  await app.sql(`insert into public.things (id, name) values (12, 'ten')`);
  await app.sql('delete from public.things where id = 12');
  await events.count(2);
  expect(events.list.map(({ old }) => old)).toEqual([
    { id: 10, price: 10 },
    { id: 12, price: null },
  ]);
  await hangUp(client);
});

/** Each way to cut the first row of letters up is tried against the second. */
const pattern = '^(a*)(a*)(a*)(a*)(a*)(a*)c\\1\\2\\3\\4\\5\\6b$';
const slow = `${'a'.repeat(300)}c${'a'.repeat(301)}b`;
const isMissed = ({ message }: Record<string, unknown>): boolean => String(message).startsWith('ChangesMissed');

test('a pattern is put to rows that its viewer sees, and one that takes long keeps nobody else waiting', async () => {
  const bob = await app.createUser({ name: 'Bob' });
  const write = (id: number, { id: owner }: { id: string }, text: string): Promise<unknown> =>
    app.sql('insert into public.papers values ($1, $2, $3)', [String(id), owner, text]);
  const stranger = app.client({});
  const nosy = await follow(stranger, [{ table: 'papers', filter: f().match('text', pattern) }], 'nosy');
  const asks = await follow(ada.client, [{ table: 'papers', filter: f().match('text', pattern) }], 'asks');
  const plain = await follow(ada.client, [{ table: 'papers' }], 'plain');
  await write(1, bob, slow);
  await write(2, ada, 'cb');
  await asks.events.count(1);
  expect(asks.events.list.map((one) => one.new)).toMatchObject([{ id: 2 }]);
  expect(asks.system.list.filter(isMissed)).toEqual([]);

  await write(3, ada, slow);
  await write(4, ada, 'plain');
  await plain.events.first((one) => (one.new as { id?: number }).id === 4);
  await asks.system.first(isMissed, 'word of what was missed');
  const stands = (): true | undefined => (asks.system.list.at(-1)?.status === 'ok' ? true : undefined);
  await asks.system.until(stands, 'the end of the gap');
  await write(5, ada, 'cb');
  await asks.events.count(2);
  expect(asks.events.list.map((one) => one.new)).toMatchObject([{ id: 2 }, { id: 5 }]);
  expect(plain.events.list.map((one) => (one.new as { id: number }).id)).toEqual([2, 3, 4, 5]);
  expect([plain.system.list.filter(isMissed), nosy.system.list.filter(isMissed), nosy.events.list]).toEqual([
    [],
    [],
    [],
  ]);
  await hangUp(stranger, ada.client);
});

test('bindings, filters that Postgres is asked about, and values have a limit, by socket and by person', async () => {
  const client = app.client({ token: ada.token });
  const answer = async (bindings: Parameters<typeof follow>[1], topic: string, by = client): Promise<unknown> =>
    (await follow(by, bindings, topic)).system.list.at(-1)?.message;
  const many = (count: number, filter: (n: number) => unknown) =>
    Array.from({ length: count }, (_, n) => ({ table: 'things', filter: filter(n) }));
  const like = (n: number) => f().like('name', `a${n}%`);
  expect(
    await answer(
      many(101, (n) => f().eq('id', n)),
      'one',
    ),
  ).toMatch('No more than 100 bindings');
  const ids = Array.from({ length: 101 }, (_, n) => n);
  expect(await answer([{ table: 'things', filter: f().in('id', ids) }], 'values')).toMatch(
    'too many values for `in` filter. Maximum 100',
  );
  expect(await answer(many(30, like), 'asked')).toBe('Subscribed to PostgreSQL');
  expect(await answer(many(1, like), 'more')).toMatch('No more than 30 filters');
  const elsewhere = app.client({ token: ada.token });
  expect(await answer(many(1, like), 'elsewhere', elsewhere)).toMatch('No more than 30 filters');
  expect(
    await answer(
      many(50, (n) => f().eq('id', n)),
      'plain',
    ),
  ).toBe('Subscribed to PostgreSQL');
  await hangUp(client, elsewhere);
});
