// Limits of one request: depth and number of resources, rows and bytes on all levels together, and what a count may tell. Shelves and books
// refer to each other, so that rows multiply with every level.

import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const SHELVES = `
  create table public.rooms (id int primary key);
  insert into public.rooms values (1);
  create table public.shelves (id int primary key, name text not null, room_id int not null default 1 references public.rooms);
  create table public.books (id int primary key, shelf_id int not null references public.shelves, blurb text not null);
  insert into public.shelves select i, 'shelf ' || i from generate_series(1, 3) i;
  insert into public.books select i, 1 + i % 3, repeat('word ', 40) from generate_series(1, 300) i;
  grant select on public.rooms, public.shelves, public.books to anon, authenticated;
  analyze public.books;
  create table public.diaries (id int primary key, owner uuid not null, page text);
  alter table public.diaries enable row level security;
  create policy own on public.diaries using (owner = (select auth.uid()));
  insert into public.diaries select i, gen_random_uuid(), 'secret' from generate_series(1, 500) i;
  create view public.my_diaries as select * from public.diaries where owner = auth.uid();
  grant select on public.diaries, public.my_diaries to anon, authenticated;
  analyze public.diaries;`;

const open = (settings: Record<string, string> = {}): Promise<TestApp> => startApp({ prepare: SHELVES, settings });

async function ask(app: TestApp, path: string, headers: Record<string, string> = {}, token?: string) {
  const response = await app.request(`/rest/v1${path}`, { headers, ...(token !== undefined && { token }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    code: text.startsWith('{"code"') ? JSON.parse(text).code : null,
  };
}

/** shelves → books → shelves → … so many levels below the root. */
function nested(levels: number): string {
  let select = 'id';
  for (let level = levels; level > 0; level--) select = `id,${level % 2 === 1 ? 'books' : 'shelves'}(${select})`;
  return `/shelves?select=${select}`;
}

describe('embedding', () => {
  const app = forSuite(() =>
    open({
      DATA_MAX_EMBEDS: '7',
      DATA_MAX_EMBED_DEPTH: '4',
      DATA_MAX_EMBEDDED_ROWS: '1000',
      DATA_PLANS: 'true',
    }),
  );

  test('goes only so deep', async () => {
    expect(await ask(app, nested(98))).toMatchObject({ status: 400, code: 'KBD06' });
    expect(await ask(app, nested(5))).toMatchObject({ status: 400, code: 'KBD06' });
    expect(await ask(app, `${nested(4)}&id=eq.0`)).toMatchObject({ status: 200, text: '[]' });
  });

  test('is only so many', async () => {
    const many = Array.from({ length: 8 }, (_, index) => `b${index}:books(id)`).join(',');
    expect(await ask(app, `/shelves?id=eq.0&select=id,${many}`)).toMatchObject({ status: 400, code: 'KBD06' });
  });

  test('has so many rows on all levels together', async () => {
    expect(await ask(app, '/shelves?select=id,books(*)')).toMatchObject({ status: 200 });
    const four = ['a', 'b', 'c', 'd'].map((alias) => `${alias}:books(*)`).join(',');
    const refused = await ask(app, `/shelves?select=id,${four}`);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      {
        code: 'KBD05',
        message: 'The answer embeds too many rows',
        details: 'Its embedded lists may hold 1000 rows together.',
        hint: expect.stringContaining('limit'),
      },
    ]);
    expect(await ask(app, `/shelves?select=id,${four}&a.limit=1&b.limit=1`)).toMatchObject({ status: 200 });
  });

  // Postgres makes the books of a shelf once and puts them into each of the hundred books that stand there.
  test.each([
    ['a list of an object', '/books?select=id,shelves(id,books(blurb))'],
    ['as columns of the row', '/books?select=id,...shelves(books(blurb))'],
    ['of an object in an object', '/books?select=id,shelves(id,rooms(id,shelves(id,books(blurb))))'],
    ['of an object in a list', '/rooms?select=id,shelves(books(id,shelves(books(blurb))))'],
    ['that has to be there', '/books?select=id,shelves!inner(id,books!inner(blurb))'],
  ])('counts each time it is in the answer: %s', async (_, path) => {
    expect(await ask(app, path)).toMatchObject({ status: 400, code: 'KBD05' });
    expect(await ask(app, `${path}&limit=0`)).toMatchObject({ status: 200, text: '[]' });
  });

  test('counting the rows of a list does not build the list twice', async () => {
    const plan = { accept: 'application/vnd.pgrst.plan+text; for="application/json"' };
    const { text } = await ask(app, '/rooms?select=id,shelves(id,rooms(id,shelves(name)))', plan);
    expect(text.match(/Scan.* on shelves/g)).toHaveLength(2);
    const spread = await ask(app, '/books?select=id,...shelves(name,books(blurb))', plan);
    expect(spread.text.match(/Scan.* on books/g)).toHaveLength(2);
  });

  test('lists of objects are as before', async () => {
    const { text } = await ask(
      app,
      '/books?id=eq.3&select=id,on:shelves(id,none:books(),some:books(id),rooms(shelves(id))),...shelves(more:books(id))&on.some.limit=1',
    );
    expect(JSON.parse(text)).toEqual([
      {
        id: 3,
        on: { id: 1, some: [{ id: expect.any(Number) }], rooms: { shelves: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
        more: expect.toSatisfy((books) => books.length === 100),
      },
    ]);
  });
});

describe('bytes', () => {
  const app = forSuite(() => open({ DATA_MAX_BYTES: '200000', DATA_MAX_ROWS: '0' }));

  test('an answer has only so many, in every form', async () => {
    expect(await ask(app, '/books?limit=10')).toMatchObject({ status: 200 });
    expect(await ask(app, '/shelves?select=*,books(*)&limit=2')).toMatchObject({ status: 200 });
    const tooLarge = { status: 400, code: 'KBD04' };
    const wide = '/books?select=*,again:blurb,more:blurb,third:blurb';
    expect(await ask(app, `${wide}&limit=290`)).toMatchObject(tooLarge);
    expect(await ask(app, wide)).toMatchObject(tooLarge);
    expect(await ask(app, `${wide}&limit=290`, { accept: 'text/csv' })).toMatchObject(tooLarge);
    expect(
      await ask(app, `${wide}&limit=290`, { accept: 'application/vnd.pgrst.array+json;nulls=stripped' }),
    ).toMatchObject(tooLarge);
  });

  test('bytes built on the way count, even if few of them are answered', async () => {
    expect(await ask(app, '/books?select=id,shelves(books(*))&limit=300')).toMatchObject({
      status: 400,
      code: 'KBD04',
    });
  });
});

describe('counting', () => {
  const app = forSuite(() => open({ DATA_MAX_ROWS: '10' }));

  test.each(['planned', 'estimated'])('count=%s tells nobody how many rows others have', async (count) => {
    const { token, id } = await app.createUser();
    const prefer = { prefer: `count=${count}` };
    for (const path of [
      '/diaries',
      '/my_diaries',
      '/tasks',
      '/projects?select=id,workflow_columns!inner(id)',
      `/profiles?id=neq.${id}`,
    ])
      expect([path, (await ask(app, path, prefer, token)).headers.get('content-range')]).toEqual([path, '*/0']);
    await app.sql('insert into public.diaries values ($1, $2, $3)', [count === 'planned' ? 1001 : 1002, id, 'mine']);
    expect((await ask(app, '/diaries', prefer, token)).headers.get('content-range')).toBe('0-0/1');
    expect((await ask(app, '/my_diaries', prefer, token)).headers.get('content-range')).toBe('0-0/1');
  });

  test('the planner is asked, as before, where everybody sees every row', async () => {
    await app.sql('delete from public.books where id > 250');
    const { headers } = await ask(app, '/books', { prefer: 'count=planned' });
    expect(headers.get('content-range')).toBe('0-9/300');
  });
});

test('a long answer is over for the database before a slow client has it', async () => {
  const app = await open({ DATA_MAX_ROWS: '0', DB_POOL_SIZE: '1', DATA_MAX_BYTES: '0' });
  try {
    await app.sql(`insert into public.books select i, 1, repeat('word ', 400) from generate_series(1000, 4000) i`);

    const slow = await app.request('/rest/v1/books');

    expect(slow.status).toBe(200);
    // Nothing of it is read yet, and the only connection serves others.
    expect(await ask(app, '/shelves?id=eq.1&select=id')).toMatchObject({ status: 200, text: '[{"id":1}]' });
    const rows = (await slow.json()) as unknown[];
    expect(rows.length).toBe(3301);
  } finally {
    await app.close();
  }
});
