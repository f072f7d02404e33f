// Requests that cannot be done as they were asked are the client's fault and say so; a missing grant is named.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startWorkshop } from './api.ts';

const api = forSuite(startWorkshop);

describe('requests that cannot be carried out', () => {
  test('one key twice in a bulk upsert', async () => {
    const body = [1, 1].map((id) => ({ id, label: 'twice' }));
    const { status, json } = await api.post('/makers', body, { prefer: 'resolution=merge-duplicates' });
    expect([status, (json as { code: string }).code]).toEqual([400, '21000']);
  });

  test('more columns than a statement may have', async () => {
    const select = Array.from({ length: 1700 }, (_, nth) => `c${nth}:id`).join(',');
    const { status, json } = await api.get(`/makers?select=${select}`);
    expect([status, (json as { code: string }).code]).toEqual([400, '54011']);
  });

  test.each([
    '/makers?select=""',
    '/makers?""=eq.1',
    '/makers?order=""',
    '/makers?select=id,"":label',
    '/makers?select=""(id)',
  ])('an empty name: %s', async (path) => {
    const { status, json } = await api.get(path);
    expect(status).toBe(400);
    expect((json as { message: string }).message).not.toMatch(/zero-length|syntax/);
  });
});

describe('a permission that is missing', () => {
  const hint = (grant: string) => `Grant the missing privileges to the role of the request: ${grant}`;

  test('is named in the hint, wherever in the request it is needed', async () => {
    await api.sql(`
      create table harbour.closed (id int primary key, maker_id int references harbour.makers);
      create function harbour.closed_call(amount int) returns int language sql as 'select amount';
      revoke execute on function harbour.closed_call(int) from public`);
    const denied = async (path: string) => ((await api.get(path)).json as { hint: string }).hint;
    await expect.poll(() => denied('/closed')).toBe(hint('GRANT SELECT ON harbour.closed TO anon;'));
    expect(await denied('/makers?select=id,closed(id)')).toBe(hint('GRANT SELECT ON harbour.closed TO anon;'));
    const call = await api.post('/rpc/closed_call', { amount: 1 });
    expect(call.json).toMatchObject({ hint: hint('GRANT EXECUTE ON FUNCTION harbour.closed_call(integer) TO anon;') });
    const update = await api.ask('PATCH', '/closed?id=eq.1', { body: { maker_id: 1 } });
    expect(update.json).toMatchObject({ hint: hint('GRANT SELECT, UPDATE ON harbour.closed TO anon;') });
  });

  test('is named for functions from a row too, embedded or read as a column', async () => {
    await api.sql(`
      create function harbour.initial(harbour.makers) returns text language sql stable as 'select left($1.id::text, 1)';
      create function harbour."Fleet"(harbour.makers) returns setof harbour.makers language sql stable as 'select $1';
      revoke execute on function harbour.initial(harbour.makers), harbour."Fleet"(harbour.makers) from public;
      notify pgrst, 'reload schema'`);
    const denied = async (path: string) => ((await api.get(path)).json as { hint: string }).hint;
    await expect
      .poll(() => denied('/makers?select=id,initial'))
      .toBe(hint('GRANT EXECUTE ON FUNCTION harbour.initial(harbour.makers) TO anon;'));
    expect(await denied('/makers?initial=eq.A')).toContain('harbour.initial(harbour.makers)');
    expect(await denied('/makers?select=id,Fleet(id)')).toBe(
      hint('GRANT EXECUTE ON FUNCTION harbour."Fleet"(harbour.makers) TO anon;'),
    );
  });

  test('is not what a policy refuses', async () => {
    await api.sql(`
      create table harbour.guarded (id int primary key);
      alter table harbour.guarded enable row level security;
      grant select, insert on harbour.guarded to anon`);
    await expect.poll(async () => (await api.get('/guarded')).status).toBe(200);
    const { status, json } = await api.post('/guarded', { id: 1 });
    expect([status, json]).toEqual([401, expect.objectContaining({ code: '42501', hint: null })]);
  });
});
