// Errors in PostgREST's words: codes, statuses, messages, details and hints, to the letter.

import { beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

let signedIn: string;
const api = forSuite(startApi);
beforeAll(async () => {
  signedIn = await api.token({ sub: '00000000-0000-4000-8000-000000000001' });
});

describe('paths', () => {
  test('a table nobody knows, with and without a near one', async () => {
    expectReply(await api.get('/ship'), {
      status: 404,
      json: {
        code: 'PGRST205',
        message: "Could not find the table 'harbour.ship' in the schema cache",
        details: null,
        hint: "Perhaps you meant the table 'harbour.ships'",
      },
    });
    expectReply(await api.get('/qqqqqqqq'), {
      status: 404,
      json: {
        code: 'PGRST205',
        message: "Could not find the table 'harbour.qqqqqqqq' in the schema cache",
        details: null,
        hint: null,
      },
    });
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expectReply(await api.ask(method, '/shipz?id=eq.1', method === 'DELETE' ? {} : { body: { id: 1 } }), {
        status: 404,
        json: expect.objectContaining({ code: 'PGRST205' }),
      });
  });

  test('a hint never names what the caller may not see', async () => {
    const secret = await api.get('/ledge');
    expectReply(secret, { status: 404, json: expect.objectContaining({ code: 'PGRST205', hint: null }) });
    const hidden = await api.get('/rpc/locked_u');
    expectReply(hidden, { status: 404, json: expect.objectContaining({ code: 'PGRST202', hint: null }) });
    const foreign = await api.get('/secret');
    expect(foreign.text).not.toContain('hold');
  });

  test('too many steps', async () => {
    expectReply(await api.get('/ships/1'), {
      status: 404,
      json: { code: 'PGRST125', message: 'Invalid path specified in request URL', details: null, hint: null },
    });
    expectReply(await api.get('/rpc/add_them/1'), {
      status: 404,
      json: expect.objectContaining({ code: 'PGRST125' }),
    });
  });

  test('a method nobody knows', async () => {
    expectReply(await api.ask('PROPFIND', '/ships'), {
      status: 405,
      json: { code: 'PGRST117', message: 'Unsupported HTTP method: PROPFIND', details: null, hint: null },
    });
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expectReply(await api.ask(method, '/'), { status: 405, json: expect.objectContaining({ code: 'PGRST117' }) });
  });
});

describe('query strings that cannot be read', () => {
  test.each([
    [
      '/ships?id=nope.1',
      '"failed to parse filter (nope.1)" (line 1, column 1)',
      'unexpected "p" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/ships?id=1',
      '"failed to parse filter (1)" (line 1, column 1)',
      'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/ships?id=',
      '"failed to parse filter ()" (line 1, column 1)',
      'unexpected end of input expecting "not" or operator (eq, gt, ...)',
    ],
    [
      '/ships?kind=is.maybe',
      '"failed to parse filter (is.maybe)" (line 1, column 4)',
      'unexpected "m" expecting isVal: (null, not_null, true, false, unknown)',
    ],
    [
      '/papers?select=doc->.a',
      '"failed to parse select parameter (doc->.a)" (line 1, column 6)',
      'unexpected "." expecting "-", digit or any non reserved character different from: .,>()',
    ],
  ])('%s', async (path, message, details) => {
    expectReply(await api.get(path), { status: 400, json: { code: 'PGRST100', message, details, hint: null } });
  });

  test.each([
    '/ships?select=id,ports(name[])',
    '/ships?select=id,',
    '/ships?select=ports(id',
    '/ships?select=:',
    '/ships?select=id->>',
    '/ships?or=()',
    '/ships?or=(id.eq.1',
    '/ships?or=(id.nope.1,id.eq.2)',
    '/ships?and=(id)',
    '/ships?order=id.sideways',
    '/ships?order=',
    '/ships?order=id.asc.nullssecond',
    '/ships?id=in.1,2',
    '/ships?id=in.(1,2',
    '/ships?id=fts(english.cat',
    '/ships?id=eq(some).{1}',
    '/ships?id=in(any).{1}',
    '/ships?columns=(',
    '/ships?on_conflict=(',
  ])('%s', async (path) => {
    expectReply(await api.get(path), {
      status: 400,
      json: {
        code: 'PGRST100',
        message: expect.stringMatching(/^"failed to parse /),
        details: expect.stringMatching(/^unexpected /),
        hint: null,
      },
    });
  });
});

describe('columns', () => {
  test('missing ones', async () => {
    expectReply(await api.get('/ships?select=qqqqqqqq'), {
      status: 400,
      json: { code: '42703', message: 'column ships.qqqqqqqq does not exist', details: null, hint: null },
    });
    expectReply(await api.get('/ships?nope=eq.1'), {
      status: 400,
      json: expect.objectContaining({ code: '42703', message: 'column ships.nope does not exist' }),
    });
    expectReply(await api.get('/ships?order=nope'), {
      status: 400,
      json: expect.objectContaining({ code: '42703' }),
    });
    expectReply(await api.ask('DELETE', '/ships?nope=eq.1'), {
      status: 400,
      json: expect.objectContaining({ code: '42703' }),
    });
    expectReply(await api.ask('PATCH', '/ships?nope=eq.1', { body: { name: 'x' } }), {
      status: 400,
      json: expect.objectContaining({ code: '42703' }),
    });
  });

  test('near ones come with a hint of Postgres', async () => {
    expectReply(await api.get('/ships?select=nam'), {
      status: 400,
      json: {
        code: '42703',
        message: 'column ships.nam does not exist',
        details: null,
        hint: 'Perhaps you meant to reference the column "ships.name".',
      },
    });
  });

  test('casts to types that are none', async () => {
    expectReply(await api.get('/ships?select=id::nope'), {
      status: 400,
      json: expect.objectContaining({ code: '42704', message: 'type "nope" does not exist' }),
    });
  });

  test('operators that do not fit', async () => {
    expectReply(await api.get('/ships?id=like.*1*'), {
      status: 404,
      json: expect.objectContaining({ code: '42883' }),
    });
    expectReply(await api.get('/ships?id=eq.x'), {
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "x"', details: null, hint: null },
    });
    expectReply(await api.get('/ships?id=eq.99999999999'), {
      status: 400,
      json: expect.objectContaining({ code: '22003' }),
    });
    expectReply(await api.get('/ships?name=match.['), {
      status: 400,
      json: expect.objectContaining({ code: '2201B' }),
    });
    expectReply(await api.get('/ships?id=eq(any).1'), {
      status: 400,
      json: expect.objectContaining({ code: '22P02' }),
    });
  });
});

describe('rights', () => {
  test('42501 is 401 for anonymous, 403 for who signed in', async () => {
    const denied = (hint: string) => ({
      code: '42501',
      message: 'permission denied for table ledger',
      details: null,
      hint: `Grant the missing privileges to the role of the request: ${hint}`,
    });
    const json = denied('GRANT SELECT ON harbour.ledger TO authenticated;');
    expectReply(await api.get('/ledger'), {
      status: 401,
      json: denied('GRANT SELECT ON harbour.ledger TO anon;'),
      headers: { 'www-authenticate': /^Bearer/ },
    });
    expectReply(await api.post('/ledger', { id: 7 }), {
      status: 401,
      json: denied('GRANT INSERT ON harbour.ledger TO anon;'),
    });
    expectReply(await api.get('/ledger', { as: signedIn }), {
      status: 403,
      json,
      headers: { 'www-authenticate': null },
    });
    expectReply(await api.get('/ledger', { as: api.serviceKey }), { json: [{ id: 1, amount: 100 }] });
  });
});

describe('raises', () => {
  const raise = (code: string, words = 'the words') => api.post('/rpc/refuse', { code, words });

  test.each([
    ['PT402', 402],
    ['PT404', 404],
    ['PT500', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['23505', 409],
    ['23503', 409],
    ['23514', 400],
    ['08000', 503],
    ['09000', 500],
    ['0L000', 403],
    ['0P000', 403],
    ['25006', 405],
    ['25000', 500],
    ['28000', 403],
    ['2D000', 500],
    ['38000', 500],
    ['39000', 500],
    ['3B000', 500],
    ['40001', 500],
    ['53100', 503],
    ['53400', 500],
    ['54000', 500],
    ['55000', 500],
    ['57014', 504],
    ['58000', 500],
    ['F0000', 500],
    ['HV000', 500],
    ['XX000', 500],
    ['42883', 404],
    ['42P01', 404],
    ['42P17', 500],
    ['42601', 400],
    ['22012', 400],
    ['21000', 500],
    ['ZZ999', 400],
  ])('%s is %i', async (code, status) => {
    expectReply(await raise(code), {
      status,
      json: { code, message: 'the words', details: 'the detail', hint: 'the hint' },
    });
  });

  test('PTxyz puts its message beside the status', async () => {
    const reply = await raise('PT402', 'Payment Required');
    expect(reply.statusText).toBe('Payment Required');
  });

  test('a plain raise', async () => {
    expectReply(await api.post('/rpc/plain_raise', {}), {
      status: 400,
      json: { code: 'P0001', message: 'no more berths', details: null, hint: null },
    });
    expectReply(await api.get('/rpc/divide?a=1&b=0'), {
      status: 400,
      json: { code: '22012', message: 'division by zero', details: null, hint: null },
    });
  });

  test('PGRST raises say everything', async () => {
    const full = await api.post('/rpc/refuse_fully', {
      message: '{"code":"123","message":"ABC","details":"DEF","hint":"XYZ"}',
      detail: '{"status":332,"status_text":"My Custom Status","headers":{"X-Header":"str"}}',
    });
    expectReply(full, {
      status: 332,
      json: { code: '123', message: 'ABC', details: 'DEF', hint: 'XYZ' },
      headers: { 'x-header': 'str' },
    });
    expect(full.statusText).toBe('My Custom Status');
    expectReply(
      await api.post('/rpc/refuse_fully', {
        message: '{"code":"123","message":"ABC"}',
        detail: '{"status":404,"headers":{}}',
      }),
      { status: 404, json: { code: '123', message: 'ABC', details: null, hint: null } },
    );
  });

  test('PGRST raises that say it wrong', async () => {
    const message = 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error';
    expectReply(await api.post('/rpc/refuse_fully', { message: 'INVALID', detail: '{"status":332,"headers":{}}' }), {
      status: 500,
      json: {
        code: 'PGRST121',
        message,
        details: "Invalid JSON value for MESSAGE: 'INVALID'",
        hint: "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
      },
    });
    expectReply(await api.post('/rpc/refuse_fully', { message: '{"code":"123","message":"ABC"}', detail: 'INVALID' }), {
      status: 500,
      json: {
        code: 'PGRST121',
        message,
        details: "Invalid JSON value for DETAIL: 'INVALID'",
        hint: "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
      },
    });
    expectReply(await api.post('/rpc/refuse_briefly', {}), {
      status: 500,
      json: {
        code: 'PGRST121',
        message,
        details: 'DETAIL is missing in the RAISE statement',
        hint: "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
      },
    });
  });
});

test('bodies and JSON paths nested without end are 400', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  for (const path of ['/papers?columns=id,doc', '/rpc/echo_jsonb']) {
    const body = path.startsWith('/rpc') ? `{"data":${nested(50_000)}}` : `{"id":1,"doc":${nested(50_000)}}`;
    const reply = await api.post(path, body, { headers: { 'content-type': 'application/json' } });
    expect([reply.status, (reply.json as { code: string }).code], path).toEqual([400, 'PGRST102']);
  }
  const deep = await api.post('/rpc/echo_jsonb', `{"data":${nested(900)}}`, {
    headers: { 'content-type': 'application/json' },
  });
  expect(deep.status).toBe(200);
  const path = await api.get(`/papers?select=x:doc${'->a'.repeat(5_000)}`);
  expect([path.status, (path.json as { code: string }).code]).toEqual([400, 'PGRST100']);
});

test('types are named as the search path of the request finds them: the schema is said of those outside it', async () => {
  await api.sql(`
    create schema cellar;
    create type cellar.wine as enum ('red');
    create table harbour.bottles (id int primary key, wine cellar.wine, kind harbour.ship_kind);
    insert into harbour.bottles values (1);
    grant select, insert, update on harbour.bottles to anon;
    create function harbour.pour(wine cellar.wine, kind harbour.ship_kind) returns int language sql return 1;
    grant usage on schema cellar to anon;
    grant execute on function harbour.pour to anon;
    notify pgrst, 'reload schema'`);
  await expect.poll(async () => (await api.get('/bottles')).status).toBe(200);
  const csv = { headers: { 'content-type': 'text/csv' } };
  for (const [column, type, good] of [
    ['kind', 'ship_kind', 'wine=red'],
    ['wine', 'cellar.wine', 'kind=tug'],
  ] as const) {
    const args = { ...Object.fromEntries(new URLSearchParams(good)), [column]: 'none' };
    const replies = [
      await api.get(`/bottles?${column}=eq.none`),
      await api.get(`/bottles?${column}=in.(none,tug)`),
      await api.post('/bottles', { id: 1, [column]: 'none' }),
      await api.post('/bottles', `id,${column}\n1,none`, csv),
      await api.ask('PATCH', '/bottles?id=eq.1', { body: { [column]: 'none' } }),
      await api.post('/rpc/pour', args),
      await api.get(`/rpc/pour?${new URLSearchParams(args)}`),
    ];
    for (const reply of replies)
      expectReply(reply, {
        status: 400,
        json: { code: '22P02', message: `invalid input value for enum ${type}: "none"`, details: null, hint: null },
      });
  }
});
