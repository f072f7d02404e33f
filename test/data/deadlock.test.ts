// Postgres ends one of two requests that wait for each other; its work is undone, so the database room tries it once more.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harbour, openHarbour } from './harbour.ts';

let harbour: Harbour;
beforeAll(async () => {
  harbour = await openHarbour();
  await harbour.sql(`
    create sequence harbour.collisions;
    create function harbour.collide(times bigint) returns bigint language plpgsql as $$
      declare turn bigint := nextval('harbour.collisions');
      begin
        if turn <= times then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return turn;
      end $$;
    grant usage on sequence harbour.collisions to anon;
    grant execute on function harbour.collide(bigint) to anon`);
});
afterAll(() => harbour?.stop());

test('once is forgiven, twice is told', async () => {
  expect(await harbour.post('/rpc/collide', { times: 1 })).toMatchObject({ status: 200, json: 2 });
  expect(await harbour.post('/rpc/collide', { times: 9 })).toMatchObject({ status: 500, json: { code: '40P01' } });
});
