// Transaction settings of a role or a function (`… set statement_timeout`, `… set default_transaction_isolation`) hold from the first
// moment on, although the role is only taken on inside of the transaction.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const SEEN = `select json_build_object('isolation', current_setting('transaction_isolation'),
  'timeout', current_setting('statement_timeout'), 'memory', current_setting('work_mem'))`;
const HOISTED = 'statement_timeout,default_transaction_isolation,work_mem';

let master: string;
const api = forSuite(() => startApi({ DATA_HOISTED_SETTINGS: HOISTED, DB_POOL_SIZE: '1' }));
beforeAll(async () => {
  master = await api.token({ role: 'harbour_master' });
  // Settings of roles live outside of databases: these are for this database alone, others test beside us.
  await api.sql(`
    create function harbour.seen() returns json language sql stable as $$ ${SEEN} $$;
    create function harbour.seen_serializable() returns json language sql stable
      set default_transaction_isolation = 'serializable' set statement_timeout = '1.5s' set work_mem = '3MB' as $$ ${SEEN} $$;
    create function harbour.seen_repeatable() returns json language sql volatile
      set default_transaction_isolation = 'repeatable read' as $$ ${SEEN} $$;
    create function harbour.seen_in_haste() returns json language plpgsql volatile
      set statement_timeout = '20ms' as $$ begin perform pg_sleep(20); return '{}'; end $$;
    create function harbour.dozed_in_haste() returns json language plpgsql volatile
      set statement_timeout = '20ms' as $$ begin perform pg_sleep(1); return '{}'; end $$;
    create function harbour.tides() returns setof int language sql stable
      set default_transaction_isolation = 'serializable' as $$ select generate_series(1, 6000) $$;
    create view harbour.levels as select current_setting('transaction_isolation') as isolation,
      current_setting('statement_timeout') as timeout, current_setting('work_mem') as memory;
    grant execute on all functions in schema harbour to anon, harbour_master;
    grant select on harbour.levels to anon, harbour_master;
    do $$ begin
      execute format('alter role harbour_master in database %I set default_transaction_isolation = ''serializable''', current_database());
      execute format('alter role harbour_master in database %I set statement_timeout = ''2500ms''', current_database());
      execute format('alter role harbour_master in database %I set work_mem = ''5MB''', current_database());
    end $$;
    notify pgrst, 'reload config'`);
  const settled = [{ isolation: 'serializable', timeout: '2500ms', memory: '5MB' }];
  await vi.waitFor(async () => expect((await api.get('/levels', { as: master })).json).toEqual(settled), 60_000);
});
afterAll(async () => {
  await api.sql(
    `do $$ begin execute format('alter role harbour_master in database %I reset all', current_database()); end $$`,
  );
});

describe('of functions', () => {
  test('the level of isolation, the timeout and what else is listed', async () => {
    const wanted = { isolation: 'serializable', timeout: '1500ms', memory: '3MB' };
    expectReply(await api.post('/rpc/seen_serializable', {}), { json: wanted });
    expectReply(await api.get('/rpc/seen_serializable'), { json: wanted });
    const { isolation } = (await api.post('/rpc/seen_repeatable', {})).json as { isolation: string };
    expect(isolation).toBe('repeatable read');
  });

  test('settings of a function end with the call: the next one on the same connection has none of them', async () => {
    await api.post('/rpc/seen_serializable', {});
    expect((await api.post('/rpc/seen', {})).json).toMatchObject({ isolation: 'read committed', timeout: '3s' });
  });

  test('a timeout of their own ends them', async () => {
    const { status, json } = await api.post('/rpc/seen_in_haste', {});
    expect([status, (json as { code: string }).code]).toEqual([504, '57014']);
    expectReply(await api.post('/rpc/seen', {}), {});
  });

  test('long results and rolled back calls too', async () => {
    expect((await api.get('/rpc/tides?limit=6000')).json).toHaveLength(1000);
    expect(
      (await api.post('/rpc/seen_repeatable', {}, { prefer: 'tx=rollback' })).json as { isolation: string },
    ).toMatchObject({ isolation: 'repeatable read' });
    expect((await api.get('/levels', { prefer: 'count=planned' })).json).toMatchObject([
      { isolation: 'read committed' },
    ]);
  });
});

describe('of roles', () => {
  test('hold for all that the role does, and give way to a function', async () => {
    const { json } = await api.post('/rpc/seen', {}, { as: master });
    expect(json).toEqual({ isolation: 'serializable', timeout: '2500ms', memory: '5MB' });
    const called = await api.post('/rpc/seen_repeatable', {}, { as: master });
    expect(called.json).toEqual({ isolation: 'repeatable read', timeout: '2500ms', memory: '5MB' });
    const own = await api.post('/rpc/seen_serializable', {}, { as: master });
    expect(own.json).toEqual({ isolation: 'serializable', timeout: '1500ms', memory: '3MB' });
    const late = await api.post('/rpc/dozed_in_haste', {}, { as: master });
    expect([late.status, (late.json as { code: string }).code]).toEqual([504, '57014']);
    expect((await api.get('/levels')).json).toMatchObject([{ isolation: 'read committed', timeout: '3s' }]);
  });

  test('one failure among many reads leaves the others alone', async () => {
    const paths = ['/levels', '/levels?timeout=match.%28', '/levels', '/rpc/seen', '/levels'];
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => api.get(paths[index % 5] ?? '', { as: master })),
    );
    expect(replies.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, index) => (index % 5 === 1 ? 400 : 200)),
    );
  });
});
