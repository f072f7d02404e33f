// Media types of answers: JSON, single objects, stripped nulls, CSV, text and bytes, plans, custom ones.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

const JSON_TYPE = 'application/json; charset=utf-8';

describe('JSON', () => {
  test.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    ['application/vnd.pgrst.array+json', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.array', 'application/json; charset=utf-8'],
    ['text/unknown, application/json;q=0.5', JSON_TYPE],
    ['text/html, */*;q=0.8', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
  ])('Accept %s', async (accept, type) => {
    const reply = await api.get('/sailors?id=eq.1', accept === undefined ? {} : { accept });
    expectReply(reply, { json: [{ id: 1, name: 'Sven' }], headers: { 'content-type': type } });
  });

  test('an unavailable media type is 406', async () => {
    expectReply(await api.get('/sailors', { accept: 'application/unknown' }), {
      status: 406,
      json: {
        code: 'PGRST107',
        message: 'None of these media types are available: application/unknown',
        details: null,
        hint: null,
      },
      headers: { 'content-type': JSON_TYPE },
    });
    expectReply(await api.get('/sailors', { accept: 'image/png, text/xyz' }), {
      status: 406,
      json: expect.objectContaining({ message: 'None of these media types are available: image/png, text/xyz' }),
    });
    expectReply(await api.get('/sailors', { accept: 'application/octet-stream' }), { status: 406 });
  });

  test('the better liked of two', async () => {
    expectReply(await api.get('/sailors?id=eq.1', { accept: 'text/csv;q=0.9, application/json;q=0.5' }), {
      text: 'id,name\n1,Sven',
    });
    expectReply(await api.get('/sailors?id=eq.1', { accept: 'text/csv;q=0.1, application/json' }), {
      json: [{ id: 1, name: 'Sven' }],
    });
  });
});

describe('a single object', () => {
  test.each([
    ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
  ])('%s', async (accept, type) => {
    expectReply(await api.get('/sailors?id=eq.1', { accept }), {
      json: { id: 1, name: 'Sven' },
      headers: { 'content-type': type },
    });
  });

  test('not one row: 406 with the count', async () => {
    const one = 'application/vnd.pgrst.object+json';
    expectReply(await api.get('/sailors', { accept: one }), {
      status: 406,
      json: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 3 rows',
        hint: null,
      },
      headers: { 'content-type': JSON_TYPE },
    });
    expectReply(await api.get('/sailors?id=eq.99', { accept: one }), {
      status: 406,
      json: expect.objectContaining({ details: 'The result contains 0 rows' }),
    });
    expectReply(await api.get('/sailors?limit=1&order=id', { accept: one }), { json: { id: 1, name: 'Sven' } });
  });
});

describe('nulls stripped', () => {
  test('from lists and single objects', async () => {
    expectReply(
      await api.get('/ships?select=id,tows_id,built_at&id=in.(1,5)&order=id', {
        accept: 'application/vnd.pgrst.array+json;nulls=stripped',
      }),
      {
        json: [{ id: 1, built_at: 2 }, { id: 5 }],
        headers: { 'content-type': 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8' },
      },
    );
    expectReply(
      await api.get('/ships?select=id,tows_id&id=eq.1', {
        accept: 'application/vnd.pgrst.object+json;nulls=stripped',
      }),
      {
        json: { id: 1 },
        headers: { 'content-type': 'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8' },
      },
    );
    expectReply(await api.get('/ships?id=eq.99', { accept: 'application/vnd.pgrst.object+json;nulls=stripped' }), {
      status: 406,
    });
  });

  test('when writing too', async () => {
    const reply = await api.post(
      '/drawer',
      { id: 40, note: null },
      {
        prefer: 'return=representation, tx=rollback',
        accept: 'application/vnd.pgrst.array+json;nulls=stripped',
      },
    );
    expectReply(reply, { status: 201, json: [{ id: 40 }] });
  });
});

describe('CSV', () => {
  test.each([
    ['/sailors?order=id', 'id,name\n1,Sven\n2,Tove\n3,Ulf'],
    ['/sailors?select=who:name&id=eq.1', 'who\nSven'],
    ['/ships?select=name,tows_id&id=eq.5', 'name,tows_id\n"Eider, the ""Duck""",'],
    ['/ports?select=id,tags&id=eq.1', 'id,tags\n1,"{north,small}"'],
    ['/ports?select=facts->pilot->>name,depth&id=eq.1', 'name,depth\nBo,10.40'],
    ['/sailors?id=eq.99', '\n'],
  ])('%s', async (path, text) => {
    expectReply(await api.get(path, { accept: 'text/csv' }), {
      text,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
  });
});

describe('procedures that return a media type', () => {
  test('text', async () => {
    expectReply(await api.get('/rpc/plain_greeting', { accept: 'text/plain' }), {
      text: 'ahoy',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  test('bytes', async () => {
    const reply = await api.get('/rpc/picture?id=1', { accept: 'image/png' });
    expectReply(reply, { headers: { 'content-type': 'image/png', 'content-length': '8' } });
    expect(reply.bytes.toString('hex')).toBe('89504e470d0a1a0a');
  });

  test('html, also where a browser asks for it', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expectReply(await api.get('/rpc/page_of?title=Hi', { accept: browser }), {
      text: '<h1>Hi</h1>',
      headers: { 'content-type': 'text/html' },
    });
    expectReply(await api.get('/rpc/page_of?title=Hi', { accept: 'text/html' }), { text: '<h1>Hi</h1>' });
  });

  test('any type at all', async () => {
    for (const accept of ['app/bingo', '*/*', 'image/boo'])
      expectReply(await api.get('/rpc/whatever', { accept }), {
        text: 'any form you like',
        headers: { 'content-type': 'app/whatever' },
      });
  });

  test('another type than theirs is 406', async () => {
    expectReply(await api.get('/rpc/picture?id=1', { accept: 'text/html, image/jpeg' }), {
      status: 406,
      json: expect.objectContaining({ code: 'PGRST107' }),
    });
  });
});

describe('handlers for relations', () => {
  test('of one table, also through a procedure that returns its rows', async () => {
    const accept = 'application/vnd.harbour.manifest';
    expectReply(await api.get('/ships?order=id&limit=2', { accept }), {
      text: 'MANIFESTAlbatross\nBonito\n',
      headers: { 'content-type': accept },
    });
    expectReply(await api.get('/ships?id=eq.3', { accept }), { text: 'MANIFESTCormorant\n' });
    expectReply(await api.get('/rpc/all_ships?id=eq.1', { accept }), { text: 'MANIFESTAlbatross\n' });
    expectReply(await api.get('/sailors', { accept }), { status: 406 });
    expectReply(await api.get('/ships?select=id', { accept }), { status: 406 });
  });

  test('of any row', async () => {
    expectReply(await api.get('/sailors', { accept: 'text/vnd.count' }), {
      text: '3',
      headers: { 'content-type': 'text/vnd.count' },
    });
    expectReply(await api.get('/rpc/all_ships', { accept: 'text/vnd.count' }), { text: '5' });
    expectReply(await api.get('/ports?select=id&id=lt.3', { accept: 'text/vnd.count' }), { text: '2' });
  });
});

describe('plans', () => {
  test('as text and as JSON', async () => {
    const text = await api.get('/ships?id=eq.1', { accept: 'application/vnd.pgrst.plan' });
    expectReply(text, {
      headers: { 'content-type': 'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8' },
    });
    expect(text.text).toMatch(/Aggregate|Seq Scan|Index Scan/);
    const json = await api.get('/ships?id=eq.1', { accept: 'application/vnd.pgrst.plan+json' });
    expectReply(json, {
      headers: { 'content-type': 'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8' },
    });
    expect(json.json).toMatchObject([{ Plan: expect.any(Object) }]);
  });

  test('with options, and for other forms', async () => {
    const reply = await api.get('/ships', {
      accept:
        'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=analyze|verbose|settings|buffers|wal',
    });
    expectReply(reply, {
      headers: {
        'content-type':
          'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=analyze|verbose|settings|buffers|wal; charset=utf-8',
      },
    });
    expect(reply.json).toMatchObject([{ 'Execution Time': expect.any(Number) }]);
    expectReply(await api.get('/ships', { accept: 'application/vnd.pgrst.plan+text; for="text/csv"' }), {
      headers: { 'content-type': 'application/vnd.pgrst.plan+text; for="text/csv"; charset=utf-8' },
    });
  });

  test('of writes and calls, which then happen or not as they say', async () => {
    expectReply(
      await api.post('/drawer', { id: 50 }, { accept: 'application/vnd.pgrst.plan+json', prefer: 'tx=rollback' }),
      { status: 200 },
    );
    expectReply(
      await api.ask('PATCH', '/drawer?id=eq.1', {
        body: { note: 'planned' },
        accept: 'application/vnd.pgrst.plan',
      }),
      { status: 200 },
    );
    expectReply(await api.get('/drawer?note=eq.planned'), { json: [] });
    expectReply(await api.ask('DELETE', '/drawer?id=eq.1', { accept: 'application/vnd.pgrst.plan+json' }), {
      status: 200,
    });
    expectReply(await api.get('/drawer?id=eq.1&select=id'), { json: [{ id: 1 }] });
    expectReply(await api.get('/rpc/all_ships', { accept: 'application/vnd.pgrst.plan+json' }), { status: 200 });
  });

  test('only where the setting allows', async () => {
    const closed = await startApi({ DATA_PLANS: 'false' });
    try {
      expectReply(await closed.get('/ships', { accept: 'application/vnd.pgrst.plan' }), {
        status: 406,
        json: expect.objectContaining({
          code: 'PGRST107',
          message: expect.stringMatching(
            /^None of these media types are available: application\/vnd\.pgrst\.plan\+text/,
          ),
        }),
      });
    } finally {
      await closed.stop();
    }
  });
});

test('GeoJSON is to be had where PostGIS is, in whichever schema', async () => {
  const headers = { accept: 'application/geo+json' };
  expectReply(await api.get('/ports', headers), {
    status: 406,
    json: expect.objectContaining({ code: 'PGRST107' }),
  });
  // Stands in for PostGIS, which is far from everywhere: what counts is that it is found and asked.
  await api.sql(`
    create schema maps;
    grant usage on schema maps to anon;
    create function maps.st_asgeojson(record) returns text language plpgsql stable as
      $$ begin return json_build_object('type', 'Feature', 'properties', row_to_json($1)); end $$;
    grant execute on function maps.st_asgeojson(record) to anon;
    notify pgrst, 'reload schema'`);
  await expect.poll(async () => (await api.get('/ports', headers)).status).toBe(200);
  expectReply(await api.get('/ports?select=id&limit=1&order=id', headers), {
    json: { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { id: 1 } }] },
    headers: { 'content-type': 'application/geo+json; charset=utf-8', 'content-range': '0-0/*' },
  });
  expectReply(await api.get('/ports?id=eq.0', headers), { json: { type: 'FeatureCollection', features: [] } });
});

test('HEAD carries the type of the body it leaves out', async () => {
  expectReply(await api.ask('HEAD', '/sailors', { accept: 'text/csv' }), {
    text: '',
    headers: { 'content-type': 'text/csv; charset=utf-8' },
  });
});
