// The envelope: keys, schemas, preferences, what SQL may read of a request and set on a response, OPTIONS and CORS.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectReply, type Harbour, MINE, openHarbour } from './harbour.ts';

let harbour: Harbour;
beforeAll(async () => {
  harbour = await openHarbour({ DATA_PRE_REQUEST: 'harbour.at_the_gate' });
});
afterAll(() => harbour?.stop());

describe('both keys', () => {
  const shape = {
    code: expect.any(String),
    message: expect.any(String),
    details: null,
    hint: expect.toBeOneOf([null, expect.any(String)]),
  };

  test('neither', async () => {
    const reply = await harbour.get('/sailors', { as: null });
    expectReply(reply, {
      status: 401,
      json: shape,
      headers: { 'www-authenticate': /^Bearer/, 'content-type': 'application/json; charset=utf-8' },
    });
  });

  test.each([
    ['apikey alone', (h: Harbour) => ({ apikey: h.anonKey })],
    ['Authorization alone', (h: Harbour) => ({ authorization: `Bearer ${h.anonKey}` })],
    ['a wrong apikey', (h: Harbour) => ({ apikey: 'nonsense', authorization: `Bearer ${h.anonKey}` })],
    ['a wrong token', (h: Harbour) => ({ apikey: h.anonKey, authorization: 'Bearer nonsense' })],
    ['an empty token', (h: Harbour) => ({ apikey: h.anonKey, authorization: 'Bearer ' })],
    ['another scheme', (h: Harbour) => ({ apikey: h.anonKey, authorization: 'Basic YTpi' })],
  ])('%s', async (_name, headers) => {
    expectReply(await harbour.get('/sailors', { as: null, headers: headers(harbour) }), { status: 401, json: shape });
  });

  test('a token signed by someone else, or too old', async () => {
    const [head, body] = harbour.anonKey.split('.');
    expectReply(await harbour.get('/sailors', { as: `${head}.${body}.c2lnbmF0dXJl` }), {
      status: 401,
      json: expect.objectContaining({ code: 'PGRST301' }),
    });
    const old = await harbour.app.house.sessions.sign({ role: 'authenticated', exp: 1_000_000_000 }, 3600);
    expect((await harbour.get('/sailors', { as: old })).status).toBeOneOf([200, 401]);
  });

  test('any role granted to the authenticator may stand in a token', async () => {
    const master = await harbour.token({ role: 'harbour_master' });
    expectReply(await harbour.get('/letters?select=id&order=id', { as: master }), {
      json: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
    const ghost = await harbour.token({ role: 'nobody_like_that' });
    const reply = await harbour.get('/letters', { as: ghost });
    expect(reply.status).toBeOneOf([401, 403]);
  });
});

describe('headers of every answer', () => {
  test('a read', async () => {
    expectReply(await harbour.get('/sailors?select=id&order=id&id=lt.3'), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-range': '0-1/*',
        'content-location': '/sailors?id=lt.3&order=id&select=id',
        'content-profile': 'harbour',
        'content-length': /^\d+$/,
        vary: /Accept, Prefer, Range/,
        'preference-applied': null,
        'proxy-status': null,
      },
    });
    expectReply(await harbour.get('/sailors'), { headers: { 'content-location': '/sailors' } });
  });

  test('an error', async () => {
    expectReply(await harbour.get('/sailors?id=nope.1'), {
      status: 400,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'proxy-status': /; ?error=PGRST100$/,
        'content-length': /^\d+$/,
      },
    });
    expectReply(await harbour.get('/ledger'), {
      status: 401,
      headers: { 'www-authenticate': /^Bearer/, 'proxy-status': /error=42501$/ },
    });
  });

  test('no type and no length where there is no body', async () => {
    expectReply(await harbour.ask('PATCH', '/drawer?id=eq.99', { body: { note: 'x' } }), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null, 'transfer-encoding': null },
    });
    expectReply(await harbour.post('/drawer', { id: 30 }, { prefer: 'tx=rollback' }), {
      status: 201,
      headers: { 'content-type': null, 'content-length': '0' },
    });
  });

  test('Server-Timing on request', async () => {
    const timed = await openHarbour({ DATA_SERVER_TIMING: 'true' });
    try {
      expectReply(await timed.get('/sailors'), {
        headers: {
          'server-timing':
            /jwt;dur=[\d.]+, ?parse;dur=[\d.]+, ?plan;dur=[\d.]+, ?transaction;dur=[\d.]+, ?response;dur=[\d.]+/,
        },
      });
      for (const [method, path] of [
        ['GET', '/'],
        ['OPTIONS', '/sailors'],
      ] as const)
        expectReply(await timed.ask(method, path), { headers: { 'server-timing': /jwt;dur=[\d.]+/ } });
    } finally {
      await timed.stop();
    }
  });
});

describe('schemas', () => {
  test('Accept-Profile chooses what is read', async () => {
    expectReply(await harbour.get('/ports', { headers: { 'accept-profile': 'annex' } }), {
      json: [{ id: 1, name: 'Annex port', note: 'annex' }],
      headers: { 'content-profile': 'annex' },
    });
    expectReply(await harbour.get('/sheds?select=id,ports(name)', { headers: { 'accept-profile': 'annex' } }), {
      json: [{ id: 1, ports: { name: 'Annex port' } }],
    });
    expectReply(await harbour.get('/ports?select=id&id=eq.1', { headers: { 'accept-profile': 'harbour' } }), {
      json: [{ id: 1 }],
    });
    expectReply(await harbour.get('/rpc/where_am_i', { headers: { 'accept-profile': 'annex' } }), { json: 'annex' });
  });

  test('Content-Profile chooses what is written', async () => {
    expectReply(
      await harbour.post(
        '/ports',
        { id: 7, name: 'x' },
        { headers: { 'content-profile': 'annex' }, prefer: 'return=representation, tx=rollback' },
      ),
      {
        status: 201,
        json: [{ id: 7, name: 'x', note: 'annex' }],
        headers: { 'content-profile': 'annex' },
      },
    );
    expectReply(await harbour.post('/rpc/where_am_i', {}, { headers: { 'content-profile': 'annex' } }), {
      json: 'annex',
    });
    expectReply(
      await harbour.ask('PATCH', '/ports?id=eq.1&select=note', {
        body: { note: 'y' },
        headers: { 'content-profile': 'annex' },
        prefer: 'return=representation, tx=rollback',
      }),
      {
        json: [{ note: 'y' }],
      },
    );
    expectReply(await harbour.ask('DELETE', '/ports?id=eq.99', { headers: { 'content-profile': 'annex' } }), {
      status: 204,
    });
  });

  test('a schema that is not served', async () => {
    expectReply(await harbour.get('/secrets', { headers: { 'accept-profile': 'hold' } }), {
      status: 406,
      json: {
        code: 'PGRST106',
        message: 'Invalid schema: hold',
        details: null,
        hint: 'Only the following schemas are exposed: harbour, annex',
      },
    });
    expectReply(await harbour.post('/secrets', {}, { headers: { 'content-profile': 'hold' } }), { status: 406 });
  });

  test('what lives in one is not in the other', async () => {
    expectReply(await harbour.get('/sheds'), { status: 404, json: expect.objectContaining({ code: 'PGRST205' }) });
    expectReply(await harbour.get('/sheds?select=id,ships(id)', { headers: { 'accept-profile': 'annex' } }), {
      status: 400,
    });
  });

  test('one schema alone is not announced', async () => {
    const single = await openHarbour({ DATA_SCHEMAS: 'harbour' });
    try {
      expectReply(await single.get('/sailors'), { headers: { 'content-profile': null } });
      expectReply(await single.get('/sailors', { headers: { 'accept-profile': 'harbour' } }), {
        headers: { 'content-profile': 'harbour' },
      });
    } finally {
      await single.stop();
    }
  });
});

describe('preferences', () => {
  test.each([
    ['/sailors', 'count=exact', 'count=exact'],
    ['/sailors', 'count=planned', 'count=planned'],
    ['/sailors', 'handling=lenient, nonsense', 'handling=lenient'],
    ['/sailors', 'nonsense', null],
    ['/sailors', 'return=representation', null],
    ['/sailors', 'max-affected=3, handling=strict', 'handling=strict'],
    ['/sailors', 'tx=commit,   count=exact', 'count=exact, tx=commit'],
    ['/sailors', 'count=exact, count=planned', 'count=exact'],
    [
      '/sailors',
      'tx=rollback, handling=strict, timezone=UTC, count=exact',
      'count=exact, tx=rollback, handling=strict, timezone=UTC',
    ],
  ])('GET %s with %s', async (path, prefer, applied) => {
    expectReply(await harbour.get(path, { prefer }), { headers: { 'preference-applied': applied } });
  });

  test.each([
    ['GET', '/sailors'],
    ['POST', '/drawer'],
    ['PATCH', '/drawer?id=eq.99'],
    ['DELETE', '/drawer?id=eq.99'],
    ['POST', '/rpc/overloaded'],
  ])('strict handling names what it does not know: %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    expectReply(await harbour.ask(method, path, { ...body, prefer: 'handling=strict, nonsense, count=fuzzy' }), {
      status: 400,
      json: {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: nonsense, count=fuzzy',
        hint: null,
      },
    });
  });
});

describe('what SQL sees', () => {
  test('headers, cookies, method, path, claims, role', async () => {
    const token = await harbour.token({ sub: MINE, extra: { nested: [1] } });
    const reply = await harbour.get('/rpc/describe_request', {
      as: token,
      headers: { 'X-Custom': 'Väl', cookie: 'a=1; b=two words', 'user-agent': 'tester' },
    });
    expect(reply.json).toMatchObject({
      method: 'GET',
      role: 'authenticated',
      read_only: 'on',
      cookies: { a: '1', b: 'two words' },
      headers: { 'user-agent': 'tester', host: expect.any(String) },
      claims: { sub: MINE, role: 'authenticated', extra: { nested: [1] } },
    });
    expect((reply.json as { path: string }).path).toMatch(/\/rpc\/describe_request$/);
    expect((reply.json as { headers: object }).headers).not.toHaveProperty('cookie');
    expect((reply.json as { search_path: string }).search_path).toMatch(/^"?harbour"?, ?"?public"?$/);
  });

  test('as anonymous', async () => {
    expect((await harbour.get('/rpc/describe_request')).json).toMatchObject({ role: 'anon', claims: { role: 'anon' } });
    const unsaid = await harbour.token({ sub: MINE, role: undefined });
    expect((await harbour.get('/rpc/describe_request', { as: unsaid })).json).toMatchObject({
      role: 'anon',
      claims: { sub: MINE, role: 'anon' },
    });
    expect((await harbour.post('/rpc/describe_write', {})).json).toMatchObject({ role: 'anon', method: 'POST' });
  });
});

describe('what SQL sets', () => {
  const answer = (status: string, headers: string) => harbour.post('/rpc/answer_with', { status, headers });

  test('status', async () => {
    expectReply(await answer('418', ''), { status: 418, json: 'answered' });
  });

  test('headers, its own and ours', async () => {
    expectReply(await answer('', '[{"X-Tide": "high"}, {"Cache-Control": "no-store"}]'), {
      headers: { 'x-tide': 'high', 'cache-control': 'no-store' },
    });
    expectReply(await answer('', '[{"Content-Type": "text/x-mine"}]'), { headers: { 'content-type': 'text/x-mine' } });
    const cookies = await answer('', '[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]');
    expect(cookies.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  test.each(['{"X": "y"}', '[{"X": 1}]', '[{"X": "y", "Z": "w"}]', 'not json', '[["X", "y"]]'])(
    'headers that are none: %s',
    async (headers) => {
      expectReply(await answer('', headers), {
        status: 500,
        json: {
          code: 'PGRST111',
          message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
          details: null,
          hint: null,
        },
      });
    },
  );

  test('a status that is none', async () => {
    expectReply(await answer('teapot', ''), {
      status: 500,
      json: { code: 'PGRST112', message: 'response.status guc must be a valid status code', details: null, hint: null },
    });
  });
});

describe('the function at the gate', () => {
  test('may refuse, speak and change the role', async () => {
    expectReply(await harbour.get('/sailors', { headers: { 'x-refuse': 'yes' } }), {
      status: 418,
      json: { code: 'PT418', message: 'Turned away at the gate', details: null, hint: 'Come back tomorrow' },
    });
    expectReply(await harbour.get('/sailors?limit=1', { headers: { 'x-stamp': 'seen' } }), {
      headers: { 'x-stamped': 'seen' },
    });
    expectReply(await harbour.ask('DELETE', '/drawer?id=eq.99', { headers: { 'x-stamp': 'seen' } }), {
      status: 204,
      headers: { 'x-stamped': 'seen' },
    });
    const reply = await harbour.get('/rpc/describe_request', {
      as: harbour.serviceKey,
      headers: { 'x-become': 'master' },
    });
    expect(reply.json).toMatchObject({ role: 'harbour_master' });
  });
});

describe('OPTIONS', () => {
  test.each([
    ['/ships', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/tallies', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/cargo', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/crate_labels', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/crate_count', 'OPTIONS,GET,HEAD'],
    ['/port_totals', 'OPTIONS,GET,HEAD'],
    ['/rpc/add_them?a=1&b=2', 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/nothing', 'OPTIONS,POST'],
    ['/', 'OPTIONS,GET,HEAD'],
  ])('%s', async (path, allow) => {
    expectReply(await harbour.ask('OPTIONS', path), {
      status: 200,
      text: '',
      headers: { allow, 'access-control-allow-origin': '*', 'content-length': '0' },
    });
  });

  test('what is not there', async () => {
    expectReply(await harbour.ask('OPTIONS', '/nowhere'), { status: 404 });
  });
});

describe('CORS', () => {
  test('a preflight needs no key', async () => {
    const reply = await harbour.ask('OPTIONS', '/ships', {
      as: null,
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization, apikey, content-profile, x-client-info, prefer',
      },
    });
    expect(reply.status).toBeOneOf([200, 204]);
    expect(reply.headers['access-control-allow-origin']).toBeOneOf(['*', 'https://elsewhere.example']);
    expect(reply.headers['access-control-allow-methods']).toMatch(/PATCH/);
    expect(reply.headers['access-control-allow-headers']?.toLowerCase()).toMatch(/authorization.*|\*/);
    for (const header of ['apikey', 'content-profile', 'x-client-info', 'prefer'])
      expect(reply.headers['access-control-allow-headers']?.toLowerCase()).toContain(header);
  });

  test('an answer may be read from elsewhere, with its counts', async () => {
    const reply = await harbour.get('/ships', { headers: { origin: 'https://elsewhere.example' } });
    expect(reply.headers['access-control-allow-origin']).toBeOneOf(['*', 'https://elsewhere.example']);
    for (const header of ['content-range', 'content-location', 'location', 'range-unit', 'preference-applied'])
      expect(reply.headers['access-control-expose-headers']?.toLowerCase()).toContain(
        header.replace('range-unit', 'content-range'),
      );
    expect(
      (await harbour.get('/nowhere', { headers: { origin: 'https://elsewhere.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeDefined();
  });
});

describe('without keys, where the setting allows', () => {
  test('the caller is anonymous', async () => {
    const open = await openHarbour({ DATA_ANONYMOUS: 'true' });
    try {
      expectReply(await open.get('/sailors?id=eq.1', { as: null }), { json: [{ id: 1, name: 'Sven' }] });
      expectReply(await open.get('/ledger', { as: null }), {
        status: 401,
        json: expect.objectContaining({ code: '42501' }),
      });
      const bearing = (authorization: string) =>
        open.get('/rpc/describe_request', { as: null, headers: { authorization } });
      expectReply(await bearing('Bearer nonsense'), {
        status: 401,
        json: { code: 'PGRST301', message: 'Expected 3 parts in JWT; got 1', details: null, hint: null },
      });
      const token = await open.token({ sub: '00000000-0000-4000-8000-000000000001' });
      expectReply(await bearing(`Bearer ${token}`), { json: expect.objectContaining({ role: 'authenticated' }) });
      expectReply(await bearing('Basic c29tZTpib2R5'), { json: expect.objectContaining({ role: 'anon' }) });
    } finally {
      await open.stop();
    }
  });
});

describe('other settings', () => {
  test('max rows cap reads, not writes, and are told', async () => {
    const capped = await openHarbour({ DATA_MAX_ROWS: '3' });
    try {
      const rows = await capped.get('/pages?select=id&order=id');
      expectReply(rows, { json: [{ id: 1 }, { id: 2 }, { id: 3 }], headers: { 'content-range': '0-2/*' } });
      expectReply(await capped.get('/pages?limit=10'), { headers: { 'content-range': '0-2/*' } });
      expectReply(await capped.get('/pages?limit=2'), { headers: { 'content-range': '0-1/*' } });
      expectReply(await capped.get('/pages', { prefer: 'count=exact' }), {
        status: 206,
        headers: { 'content-range': '0-2/15' },
      });
      expectReply(await capped.get('/pages', { prefer: 'count=estimated' }), {
        status: 206,
        headers: { 'content-range': '0-2/15' },
      });
      expectReply(await capped.get('/rpc/get_pages?lo=1&hi=9'), { headers: { 'content-range': '0-2/*' } });
      const embedded = await capped.get('/offices?select=id,children:offices!parent_id(id)&id=eq.1');
      expect(embedded.json).toHaveLength(1);
      const written = await capped.ask('PATCH', '/pages?id=gt.0', {
        body: { id: 1 },
        prefer: 'return=representation, tx=rollback',
      });
      expect(written.status).toBe(409);
      const all = await capped.ask('DELETE', '/pages?id=gt.0', { prefer: 'return=representation, tx=rollback' });
      expect(all.json).toHaveLength(15);
    } finally {
      await capped.stop();
    }
  });

  test('aggregates are off unless turned on', async () => {
    const plain = await openHarbour({ DATA_AGGREGATES: 'false' });
    try {
      for (const path of [
        '/cargo?select=kilos.sum()',
        '/cargo?select=count()',
        '/ships?select=id,cargo(kilos.sum())',
        '/cargo?select=...ships(id.max())',
      ])
        expectReply(await plain.get(path), {
          status: 400,
          json: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed', details: null, hint: null },
        });
    } finally {
      await plain.stop();
    }
  });

  test('an extra search path', async () => {
    const wide = await openHarbour({ DATA_EXTRA_SEARCH_PATH: 'public,annex' });
    try {
      const reply = await wide.get('/rpc/describe_request');
      expect((reply.json as { search_path: string }).search_path.replaceAll(/[" ]/g, '')).toBe('harbour,public,annex');
    } finally {
      await wide.stop();
    }
  });
});

test('a long address is answered in headers that every client reads', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => index).join(',');
  const reply = await harbour.get(`/ports?select=id&id=in.(${many})&order=id`);
  expectReply(reply, { headers: { 'content-location': null, 'content-range': '0-3/*' } });
  const few = await harbour.get('/ports?select=id&id=in.(1,2)');
  expectReply(few, { headers: { 'content-location': '/ports?id=in.%281%2C2%29&select=id' } });
  const names = Array.from({ length: 400 }, (_, index) => `a${index}:buoys(id)&buoys.limit=1`);
  const renamed = await harbour.get(
    `/ports?select=id,${names.map((one) => one.split('&')[0]).join(',')}&buoys.limit=1`,
  );
  expect(JSON.stringify(renamed.headers).length).toBeLessThan(16_000);
});
