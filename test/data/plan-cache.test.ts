// Plan cache: a repeated read reuses its plan and still answers each caller with current rows.

import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { type Ask, MINE, type Reply, startApi, THEIRS } from './api.ts';

const api = forSuite(startApi);
beforeAll(async () => {
  await api.sql(`
    create table harbour.diaries (id int primary key, owner text, page text);
    alter table harbour.diaries enable row level security;
    create policy own on harbour.diaries to authenticated using (owner = auth.uid()::text);
    grant select, insert on harbour.diaries to authenticated, service_role;
    insert into harbour.diaries values (1, '${MINE}', 'a'), (2, '${THEIRS}', 'b'), (3, '${THEIRS}', 'c')`);
});

/** As often as it takes to be known, and once more. */
async function often(path: string, ask: Ask = {}): Promise<Reply> {
  for (let time = 0; time < 3; time++) await api.get(path, ask);
  return api.get(path, ask);
}
const path = '/diaries?select=id&order=id';
const ids = ({ json }: Reply): number[] => (json as { id: number }[]).map(({ id }) => id);

test('everybody is answered with what is theirs', async () => {
  const [mine, theirs] = await Promise.all([MINE, THEIRS].map((sub) => api.token({ sub, role: 'authenticated' })));
  for (let time = 0; time < 3; time++) {
    expect(ids(await api.get(path, { as: mine }))).toEqual([1]);
    expect(ids(await api.get(path, { as: theirs }))).toEqual([2, 3]);
    expect(ids(await api.get(path, { as: api.serviceKey }))).toEqual([1, 2, 3]);
    expect((await api.get(path)).status).toBe(401);
  }
  // How many there are by the planner's guess is for those alone who see all.
  const guessed = { prefer: 'count=planned' };
  const of = async (as: string): Promise<string | undefined> =>
    (await often('/diaries?select=id', { ...guessed, as })).headers['content-range'];
  expect(await of(api.serviceKey)).toMatch(/^0-2\//);
  expect(await of(mine as string)).toBe('0-0/1');
});

test('a known read is told apart by its headers as well as by its address', async () => {
  const as = api.serviceKey;
  expect((await often(path, { as })).headers['content-range']).toBe('0-2/*');
  const counted = await often(path, { as, prefer: 'count=exact' });
  expect(counted.headers['content-range']).toBe('0-2/3');
  const csv = await often(path, { as, accept: 'text/csv' });
  expect([csv.headers['content-type'], csv.text]).toEqual(['text/csv; charset=utf-8', 'id\n1\n2\n3']);
  const part = await often(path, { as, headers: { Range: '1-1' } });
  expect([part.headers['content-range'], ids(part)]).toEqual(['1-1/*', [2]]);
  expect((await often(path, { as, accept: 'application/vnd.pgrst.object+json' })).status).toBe(406);
  const elsewhere = await often(path, { as, headers: { 'Accept-Profile': 'annex' } });
  expect(elsewhere.status).toBe(404);
  expect(ids(await api.get(path, { as }))).toEqual([1, 2, 3]);
  expect((await api.ask('HEAD', path, { as })).text).toBe('');
});

test('rows and columns that came since are in it', async () => {
  const as = api.serviceKey;
  const all = '/diaries?order=id';
  expect(Object.keys(((await often(all, { as })).json as object[])[0] ?? {})).toEqual(['id', 'owner', 'page']);
  await api.sql(`insert into harbour.diaries values (4, '${MINE}', 'd')`);
  expect(ids(await api.get(all, { as }))).toEqual([1, 2, 3, 4]);
  await api.sql('alter table harbour.diaries add column mood text');
  await expect
    .poll(async () => Object.keys(((await api.get(all, { as })).json as object[])[0] ?? {}), { timeout: 20_000 })
    .toEqual(['id', 'owner', 'page', 'mood']);
  await api.sql('alter table harbour.diaries rename column id to number');
  await expect.poll(async () => (await api.get(path, { as })).status, { timeout: 20_000 }).toBe(400);
});

test('many others in between change nothing', async () => {
  const as = api.serviceKey;
  const one = '/ports?select=id&order=id&limit=1';
  const before = await often(one, { as });
  for (let round = 0; round < 2; round++)
    for (let start = 0; start < 1200; start += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => api.get(`/ports?select=id&id=eq.${start + index}`, { as })),
      );
  expect((await api.get(one, { as })).json).toEqual(before.json);
});

test('a read that was asked of one id is answered for another', async () => {
  const as = api.serviceKey;
  const [one, two, none] = ['0b0e0001-0000-4000-8000-00000000000a', '0b0e0002-0000-4000-8000-00000000000b', THEIRS];
  await api.sql(`
    create table harbour.parcels (id uuid primary key, "from" uuid references harbour.parcels, marks jsonb);
    grant select on harbour.parcels to service_role;
    insert into harbour.parcels values
      ('${one}', null, '{"${one}": "first", "${two}": "second"}'),
      ('${two}', '${one}', '{"${one}": "third", "${two}": "fourth"}')`);
  const parcels = (words: string, ask: Ask = {}): Promise<Reply> => api.get(`/parcels?${words}`, { as, ...ask });
  await expect.poll(async () => (await parcels('select=id')).status, { timeout: 20_000 }).toBe(200);
  for (let time = 0; time < 3; time++)
    for (const id of [one, two]) {
      const reply = await parcels(`select=id&id=eq.${id}`);
      expect(reply.json).toEqual([{ id }]);
      expect(reply.headers['content-location']).toBe(`/parcels?id=eq.${id}&select=id`);
      expect((await parcels(`select=id&id=eq.${none}`)).json).toEqual([]);
      const [row] = (await parcels(`select=id,parcels(id)&parcels.id=eq.${two}&id=eq.${id}`)).json as object[];
      expect(row).toMatchObject({ id });
      const guessed = await parcels(`select=id&id=eq.${id}`, { prefer: 'count=planned' });
      expect(guessed.headers['content-range']).toBe('0-0/1');
    }
  // The same id twice is another question than two.
  for (let time = 0; time < 3; time++) {
    expect((await parcels(`select=id&id=eq.${one}&from=eq.${one}`)).json).toEqual([]);
    expect((await parcels(`select=id&id=eq.${two}&from=eq.${one}`)).json).toEqual([{ id: two }]);
    expect((await parcels(`select=id&id=eq.${one}&from=eq.${two}`)).json).toEqual([]);
  }
  // An id that also stands elsewhere, however it is written, stays there.
  for (const key of [one, encodeURIComponent(`"${one}"`), one.replace('0', '%30')])
    for (const [id, mark] of [
      [one, 'first'],
      [two, 'third'],
    ])
      for (let time = 0; time < 3; time++)
        expect((await parcels(`select=mark:marks->>${key}&id=eq.${id}`)).json).toEqual([{ mark }]);
});
