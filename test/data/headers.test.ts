// The envelope: keys, schemas, preferences, what SQL may read of a request and set on a response, OPTIONS and CORS.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(() => startApi({ DATA_PRE_REQUEST: 'harbour.at_the_gate' }));

describe('headers of every answer', () => {
  test('a read', async () => {
    expectReply(await api.get('/sailors?select=id&order=id&id=lt.3'), {
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
    expectReply(await api.get('/sailors'), { headers: { 'content-location': '/sailors' } });
  });

  test('an error', async () => {
    expectReply(await api.get('/sailors?id=nope.1'), {
      status: 400,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'proxy-status': /; ?error=PGRST100$/,
        'content-length': /^\d+$/,
      },
    });
    expectReply(await api.get('/ledger'), {
      status: 401,
      headers: { 'www-authenticate': /^Bearer/, 'proxy-status': /error=42501$/ },
    });
  });

  test('no type and no length where there is no body', async () => {
    expectReply(await api.ask('PATCH', '/drawer?id=eq.99', { body: { note: 'x' } }), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null, 'transfer-encoding': null },
    });
    expectReply(await api.post('/drawer', { id: 30 }, { prefer: 'tx=rollback' }), {
      status: 201,
      headers: { 'content-type': null, 'content-length': '0' },
    });
  });

  test('Server-Timing on request', async () => {
    const timed = await startApi({ DATA_SERVER_TIMING: 'true' });
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
    expectReply(await api.get('/ports', { headers: { 'accept-profile': 'annex' } }), {
      json: [{ id: 1, name: 'Annex port', note: 'annex' }],
      headers: { 'content-profile': 'annex' },
    });
    expectReply(await api.get('/sheds?select=id,ports(name)', { headers: { 'accept-profile': 'annex' } }), {
      json: [{ id: 1, ports: { name: 'Annex port' } }],
    });
    expectReply(await api.get('/ports?select=id&id=eq.1', { headers: { 'accept-profile': 'harbour' } }), {
      json: [{ id: 1 }],
    });
    expectReply(await api.get('/rpc/where_am_i', { headers: { 'accept-profile': 'annex' } }), { json: 'annex' });
  });

  test('Content-Profile chooses what is written', async () => {
    expectReply(
      await api.post(
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
    expectReply(await api.post('/rpc/where_am_i', {}, { headers: { 'content-profile': 'annex' } }), {
      json: 'annex',
    });
    expectReply(
      await api.ask('PATCH', '/ports?id=eq.1&select=note', {
        body: { note: 'y' },
        headers: { 'content-profile': 'annex' },
        prefer: 'return=representation, tx=rollback',
      }),
      {
        json: [{ note: 'y' }],
      },
    );
    expectReply(await api.ask('DELETE', '/ports?id=eq.99', { headers: { 'content-profile': 'annex' } }), {
      status: 204,
    });
  });

  test('a schema that is not served', async () => {
    expectReply(await api.get('/secrets', { headers: { 'accept-profile': 'hold' } }), {
      status: 406,
      json: {
        code: 'PGRST106',
        message: 'Invalid schema: hold',
        details: null,
        hint: 'Only the following schemas are exposed: harbour, annex',
      },
    });
    expectReply(await api.post('/secrets', {}, { headers: { 'content-profile': 'hold' } }), { status: 406 });
  });

  test('a table of one schema is not in the other', async () => {
    expectReply(await api.get('/sheds'), { status: 404, json: expect.objectContaining({ code: 'PGRST205' }) });
    expectReply(await api.get('/sheds?select=id,ships(id)', { headers: { 'accept-profile': 'annex' } }), {
      status: 400,
    });
  });

  test('one schema alone is not announced', async () => {
    const single = await startApi({ DATA_SCHEMAS: 'harbour' });
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
    expectReply(await api.get(path, { prefer }), { headers: { 'preference-applied': applied } });
  });

  test.each([
    ['GET', '/sailors'],
    ['POST', '/drawer'],
    ['PATCH', '/drawer?id=eq.99'],
    ['DELETE', '/drawer?id=eq.99'],
    ['POST', '/rpc/overloaded'],
  ])('strict handling names what it does not know: %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    expectReply(await api.ask(method, path, { ...body, prefer: 'handling=strict, nonsense, count=fuzzy' }), {
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

describe('status and headers set by SQL', () => {
  const answer = (status: string, headers: string) => api.post('/rpc/answer_with', { status, headers });

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
    expectReply(await api.ask('OPTIONS', path), {
      status: 200,
      text: '',
      headers: { allow, 'access-control-allow-origin': '*', 'content-length': '0' },
    });
  });

  test('an unknown table is 404', async () => {
    expectReply(await api.ask('OPTIONS', '/nowhere'), { status: 404 });
  });
});

describe('CORS', () => {
  test('a preflight needs no key', async () => {
    const reply = await api.ask('OPTIONS', '/ships', {
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
    const reply = await api.get('/ships', { headers: { origin: 'https://elsewhere.example' } });
    expect(reply.headers['access-control-allow-origin']).toBeOneOf(['*', 'https://elsewhere.example']);
    for (const header of ['content-range', 'content-location', 'location', 'range-unit', 'preference-applied'])
      expect(reply.headers['access-control-expose-headers']?.toLowerCase()).toContain(
        header.replace('range-unit', 'content-range'),
      );
    expect(
      (await api.get('/nowhere', { headers: { origin: 'https://elsewhere.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeDefined();
  });
});

test('a long address is answered in headers that every client reads', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => index).join(',');
  const reply = await api.get(`/ports?select=id&id=in.(${many})&order=id`);
  expectReply(reply, { headers: { 'content-location': null, 'content-range': '0-3/*' } });
  const few = await api.get('/ports?select=id&id=in.(1,2)');
  expectReply(few, { headers: { 'content-location': '/ports?id=in.%281%2C2%29&select=id' } });
  const names = Array.from({ length: 400 }, (_, index) => `a${index}:buoys(id)&buoys.limit=1`);
  const renamed = await api.get(`/ports?select=id,${names.map((one) => one.split('&')[0]).join(',')}&buoys.limit=1`);
  expect(JSON.stringify(renamed.headers).length).toBeLessThan(16_000);
});
