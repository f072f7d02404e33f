// Writing: inserts, bulk, CSV and forms, updates, upserts, deletes, and what is answered. Almost everything is rolled
// back by `Prefer: tx=rollback`, so the cases do not see each other.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, expectReply, type Harbour, MINE, openHarbour, type Reply, THEIRS } from './harbour.ts';

let harbour: Harbour;
beforeAll(async () => {
  harbour = await openHarbour();
});
afterAll(() => harbour?.stop());

const undone = (prefer: string) => (prefer === '' ? 'tx=rollback' : `${prefer}, tx=rollback`);
const write = (
  method: string,
  path: string,
  body: unknown,
  prefer = 'return=representation',
  more: Ask = {},
): Promise<Reply> =>
  harbour.ask(method, path, { ...more, ...(body === undefined ? {} : { body }), prefer: undone(prefer) });

describe('POST', () => {
  test('answers 201 and nothing, without a location', async () => {
    expectReply(await write('POST', '/drawer', { id: 9 }, ''), {
      status: 201,
      text: '',
      headers: {
        location: null,
        'content-type': null,
        'content-length': '0',
        'content-range': '*/*',
        'preference-applied': 'tx=rollback',
      },
    });
  });

  test('minimal', async () => {
    expectReply(await write('POST', '/drawer', { id: 9 }, 'return=minimal'), {
      status: 201,
      text: '',
      headers: { location: null, 'content-type': null, 'preference-applied': 'return=minimal, tx=rollback' },
    });
  });

  test('headers-only tells where the row is', async () => {
    expectReply(await write('POST', '/drawer', { id: 9 }, 'return=headers-only'), {
      status: 201,
      text: '',
      headers: {
        location: '/drawer?id=eq.9',
        'content-type': null,
        'preference-applied': 'return=headers-only, tx=rollback',
      },
    });
    expectReply(await write('POST', '/pairs', { a: 5, b: 6 }, 'return=headers-only'), {
      status: 201,
      headers: { location: '/pairs?a=eq.5&b=eq.6' },
    });
  });

  test('headers-only of several rows, or of a table without a key, has no location', async () => {
    expectReply(await write('POST', '/drawer', [{ id: 8 }, { id: 9 }], 'return=headers-only'), {
      status: 201,
      headers: { location: null },
    });
    expectReply(await write('POST', '/tallies', { what: 'x' }, 'return=headers-only'), {
      status: 201,
      headers: { location: null },
    });
  });

  test('representation', async () => {
    expectReply(await write('POST', '/drawer', { id: 9, note: 'x' }), {
      status: 201,
      json: [{ id: 9, note: 'x' }],
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-range': '*/*',
        'preference-applied': 'return=representation, tx=rollback',
      },
    });
  });

  test('a single object when asked for one', async () => {
    expectReply(
      await write('POST', '/drawer', { id: 9 }, 'return=representation', {
        accept: 'application/vnd.pgrst.object+json',
      }),
      {
        status: 201,
        json: { id: 9, note: 'none' },
        headers: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
      },
    );
  });

  test('two rows are no single object, and nothing is written', async () => {
    const reply = await harbour.post('/drawer', [{ id: 71 }, { id: 72 }], {
      prefer: 'return=representation',
      accept: 'application/vnd.pgrst.object+json',
    });
    expectReply(reply, {
      status: 406,
      json: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 2 rows',
        hint: null,
      },
    });
    expectReply(await harbour.get('/drawer?id=in.(71,72)'), { json: [] });
  });

  test('many rows, counted', async () => {
    expectReply(
      await write(
        'POST',
        '/drawer',
        [
          { id: 8, note: null },
          { id: 9, note: 'y' },
        ],
        'return=representation, count=exact',
      ),
      {
        status: 201,
        json: [
          { id: 8, note: null },
          { id: 9, note: 'y' },
        ],
        headers: { 'content-range': '*/2', 'preference-applied': 'return=representation, count=exact, tx=rollback' },
      },
    );
  });

  test('rows must have the same keys, unless columns say which', async () => {
    expectReply(await write('POST', '/drawer', [{ id: 8 }, { note: 'y' }]), {
      status: 400,
      json: { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null },
    });
    expectReply(
      await write('POST', '/drawer?columns=id,note', [
        { id: 8, ignored: 1 },
        { id: 9, note: 'y' },
      ]),
      {
        status: 201,
        json: [
          { id: 8, note: null },
          { id: 9, note: 'y' },
        ],
      },
    );
  });

  test('missing=default fills what columns name and the row lacks', async () => {
    expectReply(
      await write(
        'POST',
        '/crates?columns=id,label,weight,meta',
        [
          { id: 201, label: 'a' },
          { id: 202, label: 'b', weight: null },
        ],
        'return=representation, missing=default',
      ),
      {
        status: 201,
        json: [
          { id: 201, label: 'a', weight: 7, code: null, meta: { new: true }, packed_at: '2024-01-01T00:00:00+00:00' },
          {
            id: 202,
            label: 'b',
            weight: null,
            code: null,
            meta: { new: true },
            packed_at: '2024-01-01T00:00:00+00:00',
          },
        ],
        headers: { 'preference-applied': 'missing=default, return=representation, tx=rollback' },
      },
    );
    expectReply(
      await write(
        'POST',
        '/crates?columns=id,label,weight&select=id,weight',
        [{ id: 203, label: 'c' }],
        'return=representation, missing=null',
      ),
      {
        status: 201,
        json: [{ id: 203, weight: null }],
      },
    );
  });

  test('missing=default reads rows as jsonb, also where no column has a default', async () => {
    const rows = [{ id: 91, raw: { b: 1, a: 2 } }];
    const prefer = 'return=representation, missing=default';
    expectReply(await write('POST', '/papers?columns=id,raw&select=raw', rows, prefer), {
      status: 201,
      text: '[{"raw":{"a": 2, "b": 1}}]',
    });
  });

  test('missing=default knows identities and serials', async () => {
    expectReply(
      await write(
        'POST',
        '/crates?columns=id,label&select=label',
        [{ label: 'z' }],
        'return=representation, missing=default',
      ),
      {
        status: 201,
        json: [{ label: 'z' }],
      },
    );
  });

  test('an empty object inserts defaults; an empty list inserts nothing', async () => {
    expectReply(await write('POST', '/crates?select=label,weight', {}), {
      status: 201,
      json: [{ label: 'unlabelled', weight: 7 }],
    });
    expectReply(await write('POST', '/crates', []), { status: 201, json: [], headers: { 'content-range': '*/*' } });
    expectReply(await write('POST', '/crates?columns=label', []), { status: 201, json: [] });
  });

  test('CSV', async () => {
    expectReply(
      await write('POST', '/drawer', 'id,note\n8,pen\n9,NULL\n10,""', 'return=representation', {
        headers: { 'content-type': 'text/csv' },
      }),
      {
        status: 201,
        json: [
          { id: 8, note: 'pen' },
          { id: 9, note: null },
          { id: 10, note: '' },
        ],
      },
    );
    expectReply(
      await write('POST', '/drawer', 'id,note\n8,"a, ""b""\nc"', 'return=representation', {
        headers: { 'content-type': 'text/csv' },
        accept: 'text/csv',
      }),
      { status: 201, text: 'id,note\n8,"a, ""b""\nc"', headers: { 'content-type': 'text/csv; charset=utf-8' } },
    );
    expectReply(
      await write('POST', '/drawer', 'id,note\n8', 'return=representation', {
        headers: { 'content-type': 'text/csv' },
      }),
      {
        status: 400,
        json: { code: 'PGRST102', message: 'All lines must have same number of fields', details: null, hint: null },
      },
    );
  });

  test('a form', async () => {
    expectReply(
      await write('POST', '/drawer', 'id=8&note=a+b%26c', 'return=representation', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      { status: 201, json: [{ id: 8, note: 'a b&c' }] },
    );
  });

  test('bodies that cannot be read', async () => {
    expectReply(await write('POST', '/drawer', '{"id": }', '', { headers: { 'content-type': 'application/json' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null },
    });
    expectReply(await write('POST', '/drawer', '', '', { headers: { 'content-type': 'application/json' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null },
    });
    expectReply(await write('POST', '/drawer', 'x', '', { headers: { 'content-type': 'application/what' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'Content-Type not acceptable: application/what', details: null, hint: null },
    });
    expectReply(await write('POST', '/drawer', '[1]', '', { headers: { 'content-type': 'application/json' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null },
    });
  });

  test('columns nobody has', async () => {
    expectReply(await write('POST', '/drawer', { id: 9, nope: 1 }), {
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'drawer' in the schema cache",
        details: null,
        hint: null,
      },
    });
    expectReply(await write('POST', '/drawer?columns=nope', { id: 9 }), {
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'drawer' in the schema cache",
        details: null,
        hint: null,
      },
    });
  });

  test('what Postgres refuses', async () => {
    expectReply(await write('POST', '/drawer', { id: 1 }), {
      status: 409,
      json: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "drawer_pkey"',
        details: 'Key (id)=(1) already exists.',
        hint: null,
      },
    });
    expectReply(await write('POST', '/ships', { id: 50, name: 'x', home_port_id: 99 }), {
      status: 409,
      json: expect.objectContaining({
        code: '23503',
        details: 'Key (home_port_id)=(99) is not present in table "ports".',
      }),
    });
    expectReply(await write('POST', '/sailors', { id: 50 }), {
      status: 400,
      json: expect.objectContaining({
        code: '23502',
        message: 'null value in column "name" of relation "sailors" violates not-null constraint',
      }),
    });
    expectReply(await write('POST', '/drawer', { id: 'abc' }), {
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "abc"', details: null, hint: null },
    });
    expectReply(await write('POST', '/samples', { id: 50, c_name: '' }), {
      status: 400,
      json: expect.objectContaining({ code: '23514' }),
    });
    expectReply(await write('POST', '/stamped', { id: 50, body: 'x' }), {
      status: 400,
      json: expect.objectContaining({ code: '428C9' }),
    });
    expectReply(await write('POST', '/samples', { id: 50, c_small: 99999 }), {
      status: 400,
      json: expect.objectContaining({ code: '22003' }),
    });
  });

  test('shaped by select, embeds included', async () => {
    expectReply(await write('POST', '/buoys?select=id,ports(name)', { id: 9, port_id: 2 }), {
      status: 201,
      json: [{ id: 9, ports: { name: 'Bergen' } }],
    });
    expectReply(await write('POST', '/ports?select=id,buoys(id)', { id: 9, name: 'New' }), {
      status: 201,
      json: [{ id: 9, buoys: [] }],
    });
    expectReply(
      await write('POST', '/ships?select=label,...port_of(port:name)', {
        id: 9,
        name: 'Finch',
        kind: 'tug',
        home_port_id: 3,
      }),
      {
        status: 201,
        json: [{ label: 'Finch (tug)', port: 'Cadiz' }],
      },
    );
    expectReply(await write('POST', '/drawer?order=id.desc&select=id', [{ id: 8 }, { id: 9 }]), {
      status: 201,
      json: [{ id: 9 }, { id: 8 }],
    });
  });

  test('into a view, and into one that cannot be written', async () => {
    expectReply(await write('POST', '/crate_labels', { id: 300, label: 'by view' }), {
      status: 201,
      json: [{ id: 300, label: 'by view' }],
    });
    expectReply(await write('POST', '/crate_labels', { id: 300, label: 'by view' }, 'return=headers-only'), {
      status: 201,
      headers: { location: '/crate_labels?id=eq.300' },
    });
    expectReply(await write('POST', '/crate_count', { n: 1 }), {
      status: 500,
      json: expect.objectContaining({ code: '55000' }),
    });
  });

  test('nested json keeps its nulls, numbers their digits', async () => {
    const reply = await write(
      'POST',
      '/numbers?select=big',
      '{"id": 60, "big": 9007199254740993}',
      'return=representation',
      {
        headers: { 'content-type': 'application/json' },
      },
    );
    expect(reply.text).toBe('[{"big":9007199254740993}]');
    expectReply(await write('POST', '/papers?select=doc', { id: 60, doc: { a: null, b: [{}, 1e3] } }), {
      status: 201,
      json: [{ doc: { a: null, b: [{}, 1000] } }],
    });
  });
});

describe('upserts', () => {
  test('merge', async () => {
    expectReply(
      await write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 201,
        json: [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        headers: { 'preference-applied': 'resolution=merge-duplicates, return=representation, tx=rollback' },
      },
    );
  });

  test('merge that only updates answers 200', async () => {
    expectReply(
      await write('POST', '/drawer', [{ id: 1, note: 'new' }], 'return=representation, resolution=merge-duplicates'),
      {
        status: 200,
        json: [{ id: 1, note: 'new' }],
      },
    );
    expectReply(await write('POST', '/drawer', [{ id: 1, note: 'new' }], 'resolution=merge-duplicates'), {
      status: 200,
      text: '',
    });
  });

  test('ignore leaves what was there', async () => {
    expectReply(
      await write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        'return=representation, resolution=ignore-duplicates',
      ),
      {
        status: 201,
        json: [{ id: 9, note: 'added' }],
      },
    );
    expectReply(
      await write('POST', '/drawer', [{ id: 1, note: 'new' }], 'return=representation, resolution=ignore-duplicates'),
      { status: 201, json: [] },
    );
  });

  test('on another unique key', async () => {
    expectReply(
      await write(
        'POST',
        '/crates?on_conflict=code&select=id,label,code',
        [{ code: 'c2', label: 'two again' }],
        'return=representation, resolution=merge-duplicates',
      ),
      { status: 200, json: [{ id: 2, label: 'two again', code: 'c2' }] },
    );
  });

  test('on a composite key', async () => {
    expectReply(
      await write(
        'POST',
        '/pairs',
        [
          { a: 1, b: 2, note: 'x' },
          { a: 7, b: 7, note: 'y' },
        ],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 201,
        json: [
          { a: 1, b: 2, note: 'x' },
          { a: 7, b: 7, note: 'y' },
        ],
      },
    );
    expectReply(
      await write(
        'POST',
        '/pairs?on_conflict=a,b',
        [{ a: 1, b: 2, note: 'x' }],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 200,
        json: [{ a: 1, b: 2, note: 'x' }],
      },
    );
  });

  test('on columns without a unique key', async () => {
    expectReply(await write('POST', '/drawer?on_conflict=note', { id: 9, note: 'x' }, 'resolution=merge-duplicates'), {
      status: 400,
      json: expect.objectContaining({ code: '42P10' }),
    });
  });

  test('only the key in the body: nothing to merge', async () => {
    expectReply(
      await write('POST', '/drawer', [{ id: 1 }, { id: 9 }], 'return=representation, resolution=merge-duplicates'),
      {
        status: 201,
        json: expect.arrayContaining([{ id: 9, note: 'none' }]),
      },
    );
  });

  test('a table without a key inserts, and does not echo the resolution', async () => {
    expectReply(
      await write('POST', '/tallies', { what: 'ropes', n: 9 }, 'return=representation, resolution=merge-duplicates'),
      {
        status: 201,
        json: [{ what: 'ropes', n: 9 }],
        headers: { 'preference-applied': 'return=representation, tx=rollback' },
      },
    );
  });

  test('the same row twice in one body', async () => {
    expectReply(
      await write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'a' },
          { id: 1, note: 'b' },
        ],
        'resolution=merge-duplicates',
      ),
      {
        status: 500,
        json: expect.objectContaining({ code: '21000' }),
      },
    );
  });
});

describe('PUT', () => {
  test('inserts or replaces one row', async () => {
    expectReply(await write('PUT', '/drawer?id=eq.9', { id: 9, note: 'new' }), {
      status: 201,
      json: [{ id: 9, note: 'new' }],
    });
    expectReply(await write('PUT', '/drawer?id=eq.1', { id: 1, note: 'new' }), {
      status: 200,
      json: [{ id: 1, note: 'new' }],
    });
    expectReply(await write('PUT', '/drawer?id=eq.1', [{ id: 1, note: 'new' }], ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null },
    });
    expectReply(await write('PUT', '/pairs?a=eq.1&b=eq.1', { a: 1, b: 1, note: 'z' }), {
      status: 200,
      json: [{ a: 1, b: 1, note: 'z' }],
    });
    expectReply(
      await write('PUT', '/drawer?id=eq.1', { id: 1, note: 'one' }, 'return=representation', {
        accept: 'application/vnd.pgrst.object+json',
      }),
      {
        json: { id: 1, note: 'one' },
      },
    );
  });

  test.each([
    [
      '/drawer',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?note=eq.x',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=gt.1',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=not.eq.1',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&note=eq.x',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&and=(id.eq.1)',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/tallies?what=eq.x',
      { what: 'x' },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/pairs?a=eq.1',
      { a: 1, b: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&limit=1',
      { id: 1 },
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    ],
    [
      '/drawer?id=eq.1&offset=1',
      { id: 1 },
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    ],
    [
      '/drawer?id=eq.1',
      { id: 2, note: 'x' },
      400,
      'PGRST115',
      'Payload values do not match URL in primary key column(s)',
    ],
  ])('PUT %s %j is %i %s', async (path, body, status, code, message) => {
    expectReply(await write('PUT', path, body), { status, json: { code, message, details: null, hint: null } });
  });
});

describe('PATCH', () => {
  test('answers 204', async () => {
    expectReply(await write('PATCH', '/drawer?id=eq.1', { note: 'x' }, ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-range': '0-0/*', 'content-length': null },
    });
    expectReply(await write('PATCH', '/drawer?id=eq.1', { note: 'x' }, 'return=minimal'), {
      status: 204,
      headers: { 'preference-applied': 'return=minimal, tx=rollback' },
    });
  });

  test('representation and counts', async () => {
    expectReply(await write('PATCH', '/drawer?id=eq.1', { note: 'x' }), {
      json: [{ id: 1, note: 'x' }],
      headers: { 'content-range': '0-0/*' },
    });
    expectReply(await write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'return=minimal, count=exact'), {
      status: 204,
      headers: { 'content-range': '0-1/2' },
    });
    expectReply(await write('PATCH', '/drawer?id=eq.99', { note: 'x' }), {
      json: [],
      headers: { 'content-range': '*/*' },
    });
    expectReply(await write('PATCH', '/drawer?id=eq.99', { note: 'x' }, 'count=exact'), {
      status: 204,
      headers: { 'content-range': '*/0' },
    });
  });

  test('select, embeds, renames, order', async () => {
    expectReply(await write('PATCH', '/buoys?id=eq.1&select=id,ports(name)', { port_id: 3 }), {
      json: [{ id: 1, ports: { name: 'Cadiz' } }],
    });
    expectReply(await write('PATCH', '/drawer?id=gt.0&select=key:id&order=id.desc', { note: 'x' }), {
      json: [{ key: 2 }, { key: 1 }],
    });
  });

  test('filters of every kind', async () => {
    expectReply(await write('PATCH', '/papers?doc->>s=eq.text&select=id', { body: 'x' }), { json: [{ id: 1 }] });
    expectReply(await write('PATCH', '/drawer?or=(id.eq.1,note.eq.pins)&select=id&order=id', { note: 'x' }), {
      json: [{ id: 1 }, { id: 2 }],
    });
    expectReply(await write('PATCH', '/drawer?select=id&note=eq.pens', { note: 'changed' }), { json: [{ id: 1 }] });
  });

  test('an empty body changes nothing', async () => {
    expectReply(await write('PATCH', '/drawer?id=eq.1', {}), { json: [], headers: { 'content-range': '*/*' } });
    expectReply(await write('PATCH', '/drawer?id=eq.1', {}, ''), { status: 204 });
    expectReply(await write('PATCH', '/drawer?id=eq.1', []), { json: [] });
  });

  test('columns= takes only those, missing=default resets', async () => {
    expectReply(await write('PATCH', '/drawer?id=eq.1&columns=note', { note: 'x', id: 55 }), {
      json: [{ id: 1, note: 'x' }],
    });
    expectReply(await write('PATCH', '/drawer?id=eq.1&columns=note', {}, 'return=representation, missing=default'), {
      json: [{ id: 1, note: 'none' }],
    });
    expectReply(await write('PATCH', '/drawer?id=eq.1&columns=note', {}), { json: [{ id: 1, note: null }] });
  });

  test('a column nobody has', async () => {
    expectReply(await write('PATCH', '/drawer?id=eq.1', { nope: 1 }), {
      status: 400,
      json: expect.objectContaining({ code: 'PGRST204' }),
    });
  });

  test('a single object or nothing at all', async () => {
    expectReply(
      await write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'return=representation', {
        accept: 'application/vnd.pgrst.object+json',
      }),
      {
        status: 406,
        json: expect.objectContaining({ code: 'PGRST116', details: 'The result contains 2 rows' }),
      },
    );
    const reply = await harbour.ask('PATCH', '/drawer?id=gt.0', {
      body: { note: 'lost' },
      prefer: 'return=minimal',
      accept: 'application/vnd.pgrst.object+json',
    });
    expect(reply.status).toBe(406);
    expectReply(await harbour.get('/drawer?note=eq.lost'), { json: [] });
  });
});

describe('DELETE', () => {
  test('answers 204', async () => {
    expectReply(await write('DELETE', '/drawer?id=eq.1', undefined, ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-range': '*/*' },
    });
    expectReply(await write('DELETE', '/drawer?id=eq.99', undefined, ''), { status: 204 });
    expectReply(await write('DELETE', '/drawer?id=gt.0', undefined, 'count=exact'), {
      status: 204,
      headers: { 'content-range': '*/2' },
    });
  });

  test('representation, select, embeds', async () => {
    expectReply(await write('DELETE', '/drawer?id=eq.1', undefined), {
      json: [{ id: 1, note: 'pens' }],
      headers: { 'content-range': '*/*' },
    });
    expectReply(await write('DELETE', '/buoys?id=eq.1&select=id,ports(name)', undefined), {
      json: [{ id: 1, ports: { name: 'Aalborg' } }],
    });
    expectReply(await write('DELETE', '/drawer?id=gt.0&select=note&order=id.desc', undefined), {
      json: [{ note: 'pins' }, { note: 'pens' }],
    });
    expectReply(await write('DELETE', '/drawer?id=eq.99', undefined), { json: [] });
  });

  test('a view', async () => {
    expectReply(await write('DELETE', '/crate_labels?id=eq.1', undefined), { json: [{ id: 1, label: 'one' }] });
  });
});

describe('max-affected', () => {
  test('counts only when handling is strict', async () => {
    expectReply(await write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=strict, max-affected=1'), {
      status: 400,
      json: {
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 2 rows',
        hint: null,
      },
    });
    expectReply(await write('DELETE', '/drawer?id=gt.0', undefined, 'handling=strict, max-affected=1'), {
      status: 400,
      json: expect.objectContaining({ code: 'PGRST124' }),
    });
    expectReply(await write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=strict, max-affected=2'), {
      status: 204,
      headers: { 'preference-applied': 'tx=rollback, handling=strict, max-affected=2' },
    });
    expectReply(await write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=lenient, max-affected=1'), {
      status: 204,
      headers: { 'preference-applied': 'tx=rollback, handling=lenient' },
    });
    expectReply(await write('DELETE', '/drawer?id=gt.0', undefined, 'max-affected=1'), { status: 204 });
  });

  test('and changes nothing when it is exceeded', async () => {
    const reply = await harbour.ask('DELETE', '/pairs?a=eq.1', { prefer: 'handling=strict, max-affected=1' });
    expect(reply.status).toBe(400);
    expectReply(await harbour.get('/pairs?a=eq.1&select=b&order=b'), { json: [{ b: 1 }, { b: 2 }] });
  });

  test('procedures', async () => {
    expectReply(await write('POST', '/rpc/age_crates', { by: 1 }, 'handling=strict, max-affected=2'), {
      status: 400,
      json: {
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 3 rows',
        hint: null,
      },
    });
    expectReply(await write('POST', '/rpc/age_crates', { by: 1 }, 'handling=strict, max-affected=3'), { status: 200 });
    expectReply(await write('POST', '/rpc/add_them', { a: 1, b: 2 }, 'handling=strict, max-affected=3'), {
      status: 400,
      json: {
        code: 'PGRST128',
        message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
        details: null,
        hint: null,
      },
    });
  });
});

describe('policies', () => {
  test('what is returned is itself subject to them', async () => {
    const me = await harbour.token({ sub: MINE });
    expectReply(await harbour.get('/letters?select=id&order=id', { as: me }), { json: [{ id: 1 }, { id: 3 }] });
    expectReply(await harbour.get('/letters?select=id&order=id'), { json: [{ id: 3 }] });
    expectReply(
      await write('POST', '/letters?select=owner,body', { body: 'hello' }, 'return=representation', { as: me }),
      {
        status: 201,
        json: [{ owner: MINE, body: 'hello' }],
      },
    );
    expectReply(await write('POST', '/letters', { owner: THEIRS, body: 'forged' }, '', { as: me }), {
      status: 403,
      json: {
        code: '42501',
        message: 'new row violates row-level security policy for table "letters"',
        details: null,
        hint: null,
      },
    });
    expectReply(await write('POST', '/letters', { owner: MINE, body: 'forged' }, ''), {
      status: 401,
      json: expect.objectContaining({ code: '42501' }),
    });
    expectReply(await write('DELETE', '/letters?id=gt.0&select=id', undefined, 'return=representation', { as: me }), {
      json: [{ id: 1 }],
    });
    expectReply(await write('PATCH', '/letters?id=eq.3', { body: 'open: mine now' }, '', { as: me }), { status: 403 });
  });

  test('rights by column and by verb', async () => {
    expectReply(await harbour.get('/half_open?select=id,shown'), { json: [{ id: 1, shown: 'seen' }] });
    expectReply(await harbour.get('/half_open'), { status: 401, json: expect.objectContaining({ code: '42501' }) });
    expectReply(await write('POST', '/half_open?columns=id,shown', { id: 2, shown: 'x' }, 'return=minimal'), {
      status: 201,
    });
    expectReply(await write('POST', '/half_open?select=id', { id: 2, shown: 'x' }), { status: 201, json: [{ id: 2 }] });
    expectReply(await write('POST', '/dropbox', { id: 1, note: 'x' }, 'return=minimal'), { status: 201 });
    expectReply(await write('POST', '/dropbox', { id: 1, note: 'x' }), {
      status: 401,
      json: expect.objectContaining({ code: '42501' }),
    });
  });
});

describe('tx', () => {
  test('rollback leaves nothing behind, commit does', async () => {
    expectReply(await harbour.post('/drawer', { id: 80 }, { prefer: 'tx=rollback' }), {
      status: 201,
      headers: { 'preference-applied': 'tx=rollback' },
    });
    expectReply(await harbour.get('/drawer?id=eq.80'), { json: [] });
    expectReply(await harbour.post('/drawer', { id: 80 }, { prefer: 'tx=commit' }), {
      status: 201,
      headers: { 'preference-applied': 'tx=commit' },
    });
    expectReply(await harbour.get('/drawer?id=eq.80&select=id'), { json: [{ id: 80 }] });
    expectReply(await harbour.ask('DELETE', '/drawer?id=eq.80', {}), {
      status: 204,
      headers: { 'preference-applied': null },
    });
  });

  test('deferred constraints are still checked when rolled back', async () => {
    expectReply(await harbour.post('/ships', { id: 90, name: 'x', home_port_id: 99 }, { prefer: 'tx=rollback' }), {
      status: 409,
    });
  });

  test('is ignored where the setting is off', async () => {
    const plain = await openHarbour({ DATA_TX_OVERRIDE: 'false' });
    try {
      expectReply(await plain.post('/drawer', { id: 81 }, { prefer: 'tx=rollback' }), {
        status: 201,
        headers: { 'preference-applied': null },
      });
      expectReply(await plain.get('/drawer?id=eq.81&select=id'), { json: [{ id: 81 }] });
    } finally {
      await plain.stop();
    }
  });
});
