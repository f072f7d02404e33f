// Postgres ends one of two requests that wait for each other; its work is undone, so the database room repeats it a few times.

import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startApi } from './api.ts';

const api = forSuite(startApi);
beforeAll(async () => {
  await api.sql(`
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

test('up to three times it is repeated, then it is an error', async () => {
  expect(await api.post('/rpc/collide', { times: 3 })).toMatchObject({ status: 200, json: 4 });
  expect(await api.post('/rpc/collide', { times: 9 })).toMatchObject({ status: 500, json: { code: '40P01' } });
  expect(await api.post('/rpc/collide', { times: 9 })).toMatchObject({ status: 200, json: 10 });
});
