// Hints help those who may see what they name, and tell nobody else that it is there.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harbour, openHarbour } from './harbour.ts';

let harbour: Harbour;
beforeAll(async () => {
  harbour = await openHarbour();
});
afterAll(() => harbour?.stop());

const hint = async (path: string, as?: string): Promise<unknown> =>
  ((await harbour.get(path, as === undefined ? {} : { as })).json as { hint: unknown }).hint;

test('columns that a role may not read are not suggested', async () => {
  await harbour.sql(`
    create table harbour.freight_notes (id int primary key, weight int, secret_value int);
    grant select (id, weight) on harbour.freight_notes to anon;
    grant select on harbour.freight_notes to service_role`);
  expect(await hint('/freight_notes?select=weigh')).toBe(
    'Perhaps you meant to reference the column "freight_notes.weight".',
  );
  expect(await hint('/freight_notes?select=secret_valu')).toBeNull();
  expect(await hint('/freight_notes?select=secret_valu', harbour.serviceKey)).toBe(
    'Perhaps you meant to reference the column "freight_notes.secret_value".',
  );
});

test('tables and functions neither', async () => {
  await harbour.sql(`
    create table harbour.manifest_lines (id int primary key);
    create function harbour.weigh_cargo() returns int language sql stable as 'select 1';
    revoke execute on function harbour.weigh_cargo() from public;
    grant execute on function harbour.weigh_cargo() to service_role;
    grant select on harbour.manifest_lines to service_role`);
  expect(await hint('/manifest_line')).toBeNull();
  expect(await hint('/manifest_line', harbour.serviceKey)).toBe("Perhaps you meant the table 'harbour.manifest_lines'");
  expect(await hint('/rpc/weigh_carg')).toBeNull();
  expect(await hint('/rpc/weigh_carg', harbour.serviceKey)).toBe(
    'Perhaps you meant to call the function harbour.weigh_cargo',
  );
});

test('nor what nobody can ask for: partitions, functions that take several unnamed values', async () => {
  await harbour.sql(`
    create function harbour.take_both(json, json) returns int language sql stable as 'select 1';
    grant execute on function harbour.take_both(json, json) to public`);
  expect(await hint('/cargo_203', harbour.serviceKey)).toBeNull();
  expect(await hint('/rpc/take_bot', harbour.serviceKey)).toBeNull();
});
