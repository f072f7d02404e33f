// Hints in errors: they name an object for callers who may see it, and reveal it to nobody else.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startApi } from './api.ts';

const api = forSuite(startApi);

const hint = async (path: string, as?: string): Promise<unknown> =>
  ((await api.get(path, as === undefined ? {} : { as })).json as { hint: unknown }).hint;

test('columns that a role may not read are not suggested', async () => {
  await api.sql(`
    create table harbour.freight_notes (id int primary key, weight int, secret_value int);
    grant select (id, weight) on harbour.freight_notes to anon;
    grant select on harbour.freight_notes to service_role`);
  expect(await hint('/freight_notes?select=weigh')).toBe(
    'Perhaps you meant to reference the column "freight_notes.weight".',
  );
  expect(await hint('/freight_notes?select=secret_valu')).toBeNull();
  expect(await hint('/freight_notes?select=secret_valu', api.serviceKey)).toBe(
    'Perhaps you meant to reference the column "freight_notes.secret_value".',
  );
});

test('tables and functions neither', async () => {
  await api.sql(`
    create table harbour.manifest_lines (id int primary key);
    create function harbour.weigh_cargo() returns int language sql stable as 'select 1';
    revoke execute on function harbour.weigh_cargo() from public;
    grant execute on function harbour.weigh_cargo() to service_role;
    grant select on harbour.manifest_lines to service_role`);
  expect(await hint('/manifest_line')).toBeNull();
  expect(await hint('/manifest_line', api.serviceKey)).toBe("Perhaps you meant the table 'harbour.manifest_lines'");
  expect(await hint('/rpc/weigh_carg')).toBeNull();
  expect(await hint('/rpc/weigh_carg', api.serviceKey)).toBe(
    'Perhaps you meant to call the function harbour.weigh_cargo',
  );
});

test('nor what nobody can ask for: partitions, functions that take several unnamed values', async () => {
  await api.sql(`
    create function harbour.take_both(json, json) returns int language sql stable as 'select 1';
    grant execute on function harbour.take_both(json, json) to public`);
  expect(await hint('/cargo_203', api.serviceKey)).toBeNull();
  expect(await hint('/rpc/take_bot', api.serviceKey)).toBeNull();
});

describe('through what is not served or not theirs', () => {
  const answer = async (path: string, as?: string) =>
    (await api.get(path, as === undefined ? {} : { as })).json as Record<string, unknown>;

  beforeAll(async () => {
    await api.sql(`
      create table harbour.lamps (id int primary key, kind text);
      create table harbour.towers (id int primary key, name text);
      create table hold.tower_lamps (tower_id int references harbour.towers, lamp_id int references harbour.lamps, primary key (tower_id, lamp_id));
      create table harbour.voyages (id int primary key, open_from int references harbour.ports, hidden_from int references harbour.ports, locked_from int references harbour.ports);
      create table harbour.lockers (id int primary key, port_id int references harbour.ports);
      create function harbour.sail(speed int, wind text) returns int language sql stable as 'select 1';
      create function harbour.sail(speed int, secret_course int) returns int language sql stable as 'select 2';
      create function harbour.tack(angle int, depth int default 1) returns int language sql stable as 'select 1';
      create function harbour.tack(angle int, secret_depth text default '') returns int language sql stable as 'select 2';
      revoke execute on function harbour.sail(int, int), harbour.tack(int, text) from public;
      grant select on harbour.lamps, harbour.towers to anon, service_role;
      grant select (id, open_from, locked_from) on harbour.voyages to anon;
      grant select on harbour.voyages, harbour.lockers to service_role;
      grant execute on function harbour.sail(int, int), harbour.tack(int, text) to service_role;
      grant execute on function harbour.sail(int, text), harbour.tack(int, int) to anon, service_role`);
    await api.sql(`notify pgrst, 'reload schema'`);
    await vi.waitFor(async () => expect((await api.get('/lamps')).status).toBe(200), 60_000);
  });

  test('a junction in a schema that is not served is neither a way nor named', async () => {
    expect(await answer('/towers?select=lamps(id)', api.serviceKey)).toEqual({
      code: 'PGRST200',
      message: "Could not find a relationship between 'towers' and 'lamps' in the schema cache",
      details:
        "Searched for a foreign key relationship between 'towers' and 'lamps' in the schema 'harbour', but no matches were found.",
      hint: null,
    });
    for (const path of [
      '/towers?select=lamp(id)',
      '/towers?select=tower_lamps(lamp_id)',
      '/towers?select=lamps!tower_lamps(id)',
    ])
      expect(await hint(path, api.serviceKey), path).toBeNull();
  });

  test('of several ways only those are listed whose columns may be read', async () => {
    const all = await answer('/voyages?select=ports(id)', api.serviceKey);
    expect(all.hint).toContain("'ports!voyages_hidden_from_fkey'");
    const some = await answer('/voyages?select=ports(id)');
    expect(some).toMatchObject({ code: 'PGRST201', hint: expect.stringContaining("'ports!voyages_open_from_fkey'") });
    expect(JSON.stringify(some)).not.toContain('hidden_from');
    expect(some.details).toHaveLength(2);
  });

  test('overloads that may not be called are in no list', async () => {
    expect(await hint('/rpc/sail?speed=1&secret_cours=2', api.serviceKey)).toBe(
      'Perhaps you meant to call the function harbour.sail(secret_course, speed)',
    );
    expect(await hint('/rpc/sail?speed=1&secret_cours=2')).toBe(
      'Perhaps you meant to call the function harbour.sail(speed, wind)',
    );
    const both = await answer('/rpc/tack?angle=1', api.serviceKey);
    expect(both).toMatchObject({ code: 'PGRST203', message: expect.stringContaining('secret_depth') });
    const one = await answer('/rpc/tack?angle=1');
    expect(one).toMatchObject({
      code: 'PGRST203',
      message: 'Could not choose the best candidate function between: harbour.tack(angle => integer, depth => integer)',
    });
  });

  test('children that may not be seen are proposed to nobody', async () => {
    expect(await hint('/ports?select=locker(id)', api.serviceKey)).toBe(
      "Perhaps you meant 'lockers' instead of 'locker'.",
    );
    expect(String(await hint('/ports?select=locker(id)'))).not.toContain('lockers');
  });

  test('names with quotes in them are kept as well', async () => {
    await api.sql(`
      create table harbour.seals (id int primary key, """wax" int, "sealed""secret" int);
      grant select (id) on harbour.seals to anon`);
    for (const name of ['%22wax', 'wax', '%22wa', 'sealed%22secre', 'sealedsecret'])
      expect(
        await hint(`/seals?select=${encodeURIComponent(decodeURIComponent(name)).replace(/%22/g, '%5C%22')}`),
        name,
      ).toBeNull();
  });
});
