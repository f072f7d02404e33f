// Procedures: arguments and overloads, single unnamed bodies, results of every shape, and what a read may not do.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, MINE, startApi } from './api.ts';

const api = forSuite(startApi);

const typed = (type: string) => ({ headers: { 'content-type': type } });

describe('arguments', () => {
  test.each([
    ['/rpc/add_them', { a: 1, b: 2 }, 3],
    ['/rpc/with_defaults', { a: 1 }, { a: 1, b: 5, c: 'x' }],
    ['/rpc/with_defaults', { a: 1, c: 'z' }, { a: 1, b: 5, c: 'z' }],
    ['/rpc/all_defaults', {}, 3],
    ['/rpc/all_defaults', { b: 5 }, 6],
    ['/rpc/overloaded', {}, 'none'],
    ['/rpc/overloaded', { a: 1 }, 'a'],
    ['/rpc/overloaded', { a: 1, b: 2 }, 'a and b'],
    ['/rpc/overloaded', { a: 1, b: 2, c: 3 }, ['a', 'b', 'c']],
    ['/rpc/total', { numbers: [1, 2, 3] }, 6],
    ['/rpc/join_words', { sep: '-', words: ['a', 'b'] }, 'a-b'],
    ['/rpc/sum_array', { xs: [1, 2, 3] }, 6],
    ['/rpc/sum_array', { xs: '{1,2,3}' }, 6],
    ['/rpc/echo_texts', { xs: ['a', 'b,c', '"', null] }, ['a', 'b,c', '"', null]],
    ['/rpc/echo_jsonb', { data: { a: [1, { b: null }] } }, { a: [1, { b: null }] }],
    ['/rpc/echo_jsonb', { data: 'text' }, 'text'],
    ['/rpc/echo_jsonb', { data: null }, null],
    ['/rpc/echo_bool', { yes: true }, true],
    ['/rpc/named_json', { data: { a: 1 } }, { a: 1 }],
    ['/rpc/Shout', { Word: 'ahoy' }, 'AHOY'],
    ['/rpc/mixed', { a: 1 }, 'named a'],
    ['/rpc/mixed', { other: 1 }, 'unnamed json'],
    ['/rpc/where_am_i', {}, 'harbour'],
  ])('POST %s %j', async (path, body, result) => {
    expectReply(await api.post(path, body), { json: result });
  });

  test.each([
    ['/rpc/add_them?a=1&b=2', 3],
    ['/rpc/greet?name=Tove+and%20Sven', 'Hello, Tove and Sven'],
    ['/rpc/greet?name=', 'Hello, '],
    ['/rpc/with_defaults?a=1&b=7', { a: 1, b: 7, c: 'x' }],
    ['/rpc/overloaded', 'none'],
    ['/rpc/overloaded?a=1&b=2', 'a and b'],
    ['/rpc/total?numbers=1&numbers=2&numbers=3', 6],
    ['/rpc/join_words?sep=-&words=a&words=b', 'a-b'],
    ['/rpc/sum_array?xs={1,2,3}', 6],
    ['/rpc/echo_jsonb?data={"a":[1]}', { a: [1] }],
    ['/rpc/echo_bool?yes=true', true],
    ['/rpc/echo_texts?xs={a,"b,c"}', ['a', 'b,c']],
    ['/rpc/Shout?Word=ahoy', 'AHOY'],
    ['/rpc/greet?name=a&name=b', 'Hello, b'],
  ])('GET %s', async (path, result) => {
    expectReply(await api.get(path), { json: result });
  });

  test('a form body', async () => {
    expectReply(await api.post('/rpc/add_them', 'a=1&b=2', typed('application/x-www-form-urlencoded')), {
      json: 3,
    });
    expectReply(await api.post('/rpc/total', 'numbers=1&numbers=2', typed('application/x-www-form-urlencoded')), {
      json: 3,
    });
  });

  test('an absent body is no arguments', async () => {
    expectReply(await api.ask('POST', '/rpc/overloaded'), { json: 'none' });
  });

  test('bigint keeps its digits', async () => {
    const reply = await api.post('/rpc/echo_big', '{"n": 9223372036854775807}', typed('application/json'));
    expect(reply.text).toBe('9223372036854775807');
  });
});

describe('a single unnamed parameter takes the whole body', () => {
  test('json, text, bytes', async () => {
    expectReply(await api.post('/rpc/take_json', { a: 1, b: [2] }), { json: { a: 1, b: [2] } });
    expectReply(await api.post('/rpc/take_json', [{ a: 1 }, { a: 2 }]), { json: [{ a: 1 }, { a: 2 }] });
    expectReply(await api.post('/rpc/take_jsonb', { b: 1, a: 2 }), { json: { a: 2, b: 1 } });
    expectReply(await api.post('/rpc/take_text', 'plain words', typed('text/plain')), { json: 'got plain words' });
    expectReply(await api.post('/rpc/take_bytes', Buffer.from([0, 255, 1]), typed('application/octet-stream')), {
      json: 3,
    });
  });

  test('two such functions are ambiguous', async () => {
    expectReply(await api.post('/rpc/torn', { a: 1 }), {
      status: 300,
      json: {
        code: 'PGRST203',
        message: expect.stringMatching(
          /^Could not choose the best candidate function between: harbour\.torn\( => jsonb?\), harbour\.torn\( => jsonb?\)$/,
        ),
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    });
  });

  test('a body that no function takes is 404', async () => {
    expectReply(await api.post('/rpc/add_them', 'words', typed('text/plain')), {
      status: 404,
      json: {
        code: 'PGRST202',
        message: 'Could not find the function harbour.add_them in the schema cache',
        details:
          'Searched for the function harbour.add_them with a single unnamed text parameter, but no matches were found in the schema cache.',
        hint: null,
      },
    });
    expectReply(await api.post('/rpc/take_text', 'x', typed('application/octet-stream')), {
      status: 404,
      json: expect.objectContaining({
        details:
          'Searched for the function harbour.take_text with a single unnamed bytea parameter, but no matches were found in the schema cache.',
      }),
    });
  });
});

describe('results', () => {
  test.each([
    ['/rpc/ship_names', ['Albatross', 'Bonito', 'Cormorant', 'Dolphin', 'Eider, the "Duck"']],
    [
      '/rpc/tally',
      [
        { kind: 'barge', n: 1 },
        { kind: 'clipper', n: 2 },
        { kind: 'tug', n: 2 },
      ],
    ],
    ['/rpc/tally?select=n&kind=eq.tug', [{ n: 2 }]],
    ['/rpc/tally?order=n.desc,kind&limit=1', [{ kind: 'clipper', n: 2 }]],
    ['/rpc/split_name?full_name=Ada Love', { first: 'Ada', last: 'Love' }],
    ['/rpc/one_out', { n: 42 }],
    ['/rpc/counted?n=1', { n: 2 }],
    ['/rpc/a_spot', { x: 3, y: 4 }],
    ['/rpc/null_text', null],
    ['/rpc/one_ship?id=2&select=id,name', { id: 2, name: 'Bonito' }],
    ['/rpc/single_ship?select=id', [{ id: 1 }]],
    ['/rpc/all_ships?select=id&id=gt.1&id=lt.4', [{ id: 2 }, { id: 3 }]],
    [
      '/rpc/all_ships?select=id,label&kind=eq.clipper&order=id.desc',
      [
        { id: 5, label: 'Eider, the "Duck" (clipper)' },
        { id: 2, label: 'Bonito (clipper)' },
      ],
    ],
    ['/rpc/all_ships?select=name&id=eq.3&kind=eq.tug', [{ name: 'Cormorant' }]],
    ['/rpc/all_ships?select=id,captains(name)&id=eq.1', [{ id: 1, captains: { name: 'Ada' } }]],
    ['/rpc/all_ships?select=id,captains!inner(name)&captains.name=eq.Bob', [{ id: 2, captains: { name: 'Bob' } }]],
    ['/rpc/all_ships?select=id,home:ports!home_port_id(name)&id=eq.3', [{ id: 3, home: { name: 'Bergen' } }]],
    ['/rpc/all_ships?select=id&or=(id.eq.1,id.eq.5)', [{ id: 1 }, { id: 5 }]],
    ['/rpc/one_ship?id=1&select=name,captains(name)', { name: 'Albatross', captains: { name: 'Ada' } }],
    ['/rpc/get_pages?lo=3&hi=5&id=neq.4', [{ id: 3 }, { id: 5 }]],
  ])('GET %s', async (path, result) => {
    expectReply(await api.get(path), { json: result });
  });

  test('void answers 204 with nothing', async () => {
    expectReply(await api.ask('POST', '/rpc/nothing', { body: {} }), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null },
    });
  });

  test('a null row', async () => {
    expectReply(await api.get('/rpc/null_ship'), { status: 200 });
  });

  test('counts and pages', async () => {
    expectReply(await api.get('/rpc/get_pages?lo=2&hi=4&limit=1&offset=1'), {
      json: [{ id: 3 }],
      headers: { 'content-range': '1-1/*' },
    });
    expectReply(await api.get('/rpc/get_pages?lo=2&hi=4&limit=1&offset=1', { prefer: 'count=exact' }), {
      status: 206,
      json: [{ id: 3 }],
      headers: { 'content-range': '1-1/3', 'preference-applied': 'count=exact' },
    });
    expectReply(await api.post('/rpc/get_pages?limit=1', { lo: 2, hi: 4 }, { prefer: 'count=exact' }), {
      status: 206,
      headers: { 'content-range': '0-0/3' },
    });
    expectReply(await api.get('/rpc/get_pages?lo=2&hi=4', { headers: { range: '1-1' } }), {
      json: [{ id: 3 }],
      headers: { 'content-range': '1-1/*' },
    });
    expectReply(await api.post('/rpc/get_pages', { lo: 2, hi: 4 }, { headers: { range: '1-1' } }), {
      headers: { 'content-range': '0-2/*' },
    });
    expectReply(await api.ask('HEAD', '/rpc/get_pages?lo=2&hi=4', { prefer: 'count=exact' }), {
      text: '',
      headers: { 'content-range': '0-2/3' },
    });
    expectReply(await api.get('/rpc/add_them?a=3&b=4', { prefer: 'count=exact' }), {
      json: 7,
      headers: { 'content-range': '0-0/1' },
    });
    expectReply(await api.get('/rpc/a_spot', { prefer: 'count=exact' }), { headers: { 'content-range': '0-0/1' } });
    expectReply(await api.ask('HEAD', '/rpc/all_ships?select=*,captains!inner(*)', { prefer: 'count=exact' }), {
      headers: { 'content-range': '0-1/2' },
    });
  });

  test('CSV and single objects', async () => {
    expectReply(await api.get('/rpc/get_pages?lo=3&hi=4', { accept: 'text/csv' }), {
      text: 'id\n3\n4',
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
    expectReply(await api.get('/rpc/get_pages?lo=3&hi=3', { accept: 'application/vnd.pgrst.object+json' }), {
      json: { id: 3 },
    });
    expectReply(await api.get('/rpc/get_pages?lo=3&hi=4', { accept: 'application/vnd.pgrst.object+json' }), {
      status: 406,
      json: expect.objectContaining({ code: 'PGRST116', details: 'The result contains 2 rows' }),
    });
    expectReply(await api.get('/rpc/get_pages?lo=30&hi=40', { accept: 'application/vnd.pgrst.object+json' }), {
      status: 406,
      json: expect.objectContaining({ details: 'The result contains 0 rows' }),
    });
  });
});

describe('volatility', () => {
  test('a volatile procedure by GET may run but not write', async () => {
    expectReply(await api.get('/rpc/rename_ship?id=1&name=x'), {
      status: 405,
      json: { code: '25006', message: 'cannot execute UPDATE in a read-only transaction', details: null, hint: null },
    });
    expectReply(await api.get('/rpc/describe_write'), { json: expect.objectContaining({ method: 'GET' }) });
    expectReply(await api.ask('HEAD', '/rpc/put_page?id=50'), { status: 405 });
  });

  test('POST writes', async () => {
    expectReply(await api.post('/rpc/rename_ship?select=name', { id: 1, name: 'Renamed' }, { prefer: 'tx=rollback' }), {
      json: { name: 'Renamed' },
      headers: { 'preference-applied': 'tx=rollback' },
    });
    expectReply(await api.get('/ships?select=name&id=eq.1'), { json: [{ name: 'Albatross' }] });
    expectReply(await api.post('/rpc/put_page', { id: 70 }, { prefer: 'tx=rollback' }), { json: [{ id: 70 }] });
  });

  test('a stable procedure by POST reads only', async () => {
    const reply = await api.post('/rpc/describe_request', {});
    expect(reply.json).toMatchObject({ read_only: 'on', method: 'POST' });
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is no way to call one', async (method) => {
    expectReply(await api.ask(method, '/rpc/add_them', { body: { a: 1, b: 2 } }), {
      status: 405,
      json: { code: 'PGRST101', message: `Cannot use the ${method} method on RPC`, details: null, hint: null },
    });
  });

  test('settings of a function apply', async () => {
    expectReply(await api.get('/rpc/work_mem'), { json: '6000kB' });
  });
});

describe('choice among functions of a name', () => {
  const notFound = (signature: string, searched: string, hint: string | null) => ({
    status: 404,
    json: {
      code: 'PGRST202',
      message: `Could not find the function harbour.${signature} in the schema cache`,
      details: `Searched for the function harbour.${searched}, but no matches were found in the schema cache.`,
      hint,
    },
  });

  test.each([
    [
      '/rpc/gree',
      'gree without parameters',
      'gree without parameters',
      'Perhaps you meant to call the function harbour.greet',
    ],
    [
      '/rpc/nothing_like_it_at_all',
      'nothing_like_it_at_all without parameters',
      'nothing_like_it_at_all without parameters',
      null,
    ],
    [
      '/rpc/greet?nam=x',
      'greet(nam)',
      'greet with parameter nam',
      'Perhaps you meant to call the function harbour.greet(name)',
    ],
    [
      '/rpc/add_them?a=1&b=2&smth=3',
      'add_them(a, b, smth)',
      'add_them with parameters a, b, smth',
      'Perhaps you meant to call the function harbour.add_them(a, b)',
    ],
    ['/rpc/greet', 'greet without parameters', 'greet without parameters', null],
    ['/rpc/overloaded?wrong_arg=1', 'overloaded(wrong_arg)', 'overloaded with parameter wrong_arg', null],
    [
      '/rpc/overloaded?a=1&b=2&wrong_arg=1',
      'overloaded(a, b, wrong_arg)',
      'overloaded with parameters a, b, wrong_arg',
      'Perhaps you meant to call the function harbour.overloaded(a, b, c)',
    ],
  ])('GET %s', async (path, signature, searched, hint) => {
    expectReply(await api.get(path), notFound(signature, searched, hint));
  });

  test('POST also says what kind of body would do', async () => {
    expectReply(
      await api.post('/rpc/greet', { nam: 'x' }),
      notFound(
        'greet(nam)',
        'greet with parameter nam or with a single unnamed json/jsonb parameter',
        'Perhaps you meant to call the function harbour.greet(name)',
      ),
    );
    expectReply(
      await api.post('/rpc/greet', {}),
      notFound(
        'greet without parameters',
        'greet without parameters or with a single unnamed json/jsonb parameter',
        null,
      ),
    );
  });

  test('same names, other types: 300 with the candidates', async () => {
    expectReply(await api.get('/rpc/clash?arg=x'), {
      status: 300,
      json: {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: harbour.clash(arg => integer), harbour.clash(arg => text, num => integer)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    });
    expectReply(await api.get('/rpc/clash?arg=x&num=1'), { json: 'text' });
  });

  test('arguments of the wrong type', async () => {
    expectReply(await api.get('/rpc/add_them?a=x&b=2'), {
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "x"', details: null, hint: null },
    });
  });

  test('a function that may not be run', async () => {
    expectReply(await api.get('/rpc/locked_up'), {
      status: 401,
      json: {
        code: '42501',
        message: 'permission denied for function locked_up',
        details: null,
        hint: 'Grant the missing privileges to the role of the request: GRANT EXECUTE ON FUNCTION harbour.locked_up() TO anon;',
      },
    });
    expectReply(await api.get('/rpc/locked_up', { as: api.serviceKey }), { json: 1 });
  });
});

test('the status a procedure sets stays out of the same person’s other answers', async () => {
  const ask = { as: await api.token({ sub: MINE, role: 'authenticated' }) };
  for (let time = 0; time < 60; time++) {
    const paths = ['/rpc/answer_with?status=418&headers=', '/sailors?select=id&limit=1'];
    const replies = await Promise.all([...paths, ...paths].map((path) => api.get(path, ask)));
    expect(replies.map(({ status }) => status)).toEqual([418, 200, 418, 200]);
  }
});
