// POST: rows in, as JSON, CSV or forms, and what comes back; defaults, bad bodies, what Postgres refuses.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('POST', () => {
  test('answers 201 and nothing, without a location', async () => {
    expectReply(await api.write('POST', '/drawer', { id: 9 }, ''), {
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
    expectReply(await api.write('POST', '/drawer', { id: 9 }, 'return=minimal'), {
      status: 201,
      text: '',
      headers: { location: null, 'content-type': null, 'preference-applied': 'return=minimal, tx=rollback' },
    });
  });

  test('headers-only tells where the row is', async () => {
    expectReply(await api.write('POST', '/drawer', { id: 9 }, 'return=headers-only'), {
      status: 201,
      text: '',
      headers: {
        location: '/drawer?id=eq.9',
        'content-type': null,
        'preference-applied': 'return=headers-only, tx=rollback',
      },
    });
    expectReply(await api.write('POST', '/pairs', { a: 5, b: 6 }, 'return=headers-only'), {
      status: 201,
      headers: { location: '/pairs?a=eq.5&b=eq.6' },
    });
  });

  test('headers-only of several rows, or of a table without a key, has no location', async () => {
    expectReply(await api.write('POST', '/drawer', [{ id: 8 }, { id: 9 }], 'return=headers-only'), {
      status: 201,
      headers: { location: null },
    });
    expectReply(await api.write('POST', '/tallies', { what: 'x' }, 'return=headers-only'), {
      status: 201,
      headers: { location: null },
    });
  });

  test('representation', async () => {
    expectReply(await api.write('POST', '/drawer', { id: 9, note: 'x' }), {
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
      await api.write('POST', '/drawer', { id: 9 }, 'return=representation', {
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
    const reply = await api.post('/drawer', [{ id: 71 }, { id: 72 }], {
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
    expectReply(await api.get('/drawer?id=in.(71,72)'), { json: [] });
  });

  test('many rows, counted', async () => {
    expectReply(
      await api.write(
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
    expectReply(await api.write('POST', '/drawer', [{ id: 8 }, { note: 'y' }]), {
      status: 400,
      json: { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null },
    });
    expectReply(
      await api.write('POST', '/drawer?columns=id,note', [
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
      await api.write(
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
      await api.write(
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
    expectReply(await api.write('POST', '/papers?columns=id,raw&select=raw', rows, prefer), {
      status: 201,
      text: '[{"raw":{"a": 2, "b": 1}}]',
    });
  });

  test('missing=default knows identities and serials', async () => {
    expectReply(
      await api.write(
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
    expectReply(await api.write('POST', '/crates?select=label,weight', {}), {
      status: 201,
      json: [{ label: 'unlabelled', weight: 7 }],
    });
    expectReply(await api.write('POST', '/crates', []), { status: 201, json: [], headers: { 'content-range': '*/*' } });
    expectReply(await api.write('POST', '/crates?columns=label', []), { status: 201, json: [] });
  });

  test('CSV', async () => {
    expectReply(
      await api.write('POST', '/drawer', 'id,note\n8,pen\n9,NULL\n10,""', 'return=representation', {
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
      await api.write('POST', '/drawer', 'id,note\n8,"a, ""b""\nc"', 'return=representation', {
        headers: { 'content-type': 'text/csv' },
        accept: 'text/csv',
      }),
      { status: 201, text: 'id,note\n8,"a, ""b""\nc"', headers: { 'content-type': 'text/csv; charset=utf-8' } },
    );
    expectReply(
      await api.write('POST', '/drawer', 'id,note\n8', 'return=representation', {
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
      await api.write('POST', '/drawer', 'id=8&note=a+b%26c', 'return=representation', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      { status: 201, json: [{ id: 8, note: 'a b&c' }] },
    );
  });

  test('bodies that cannot be read', async () => {
    expectReply(
      await api.write('POST', '/drawer', '{"id": }', '', { headers: { 'content-type': 'application/json' } }),
      {
        status: 400,
        json: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null },
      },
    );
    expectReply(await api.write('POST', '/drawer', '', '', { headers: { 'content-type': 'application/json' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null },
    });
    expectReply(await api.write('POST', '/drawer', 'x', '', { headers: { 'content-type': 'application/what' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'Content-Type not acceptable: application/what', details: null, hint: null },
    });
    expectReply(await api.write('POST', '/drawer', '[1]', '', { headers: { 'content-type': 'application/json' } }), {
      status: 400,
      json: { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null },
    });
  });

  test('columns nobody has', async () => {
    expectReply(await api.write('POST', '/drawer', { id: 9, nope: 1 }), {
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'drawer' in the schema cache",
        details: null,
        hint: null,
      },
    });
    expectReply(await api.write('POST', '/drawer?columns=nope', { id: 9 }), {
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'drawer' in the schema cache",
        details: null,
        hint: null,
      },
    });
  });

  test('errors of Postgres are passed on with their codes', async () => {
    expectReply(await api.write('POST', '/drawer', { id: 1 }), {
      status: 409,
      json: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "drawer_pkey"',
        details: 'Key (id)=(1) already exists.',
        hint: null,
      },
    });
    expectReply(await api.write('POST', '/ships', { id: 50, name: 'x', home_port_id: 99 }), {
      status: 409,
      json: expect.objectContaining({
        code: '23503',
        details: 'Key (home_port_id)=(99) is not present in table "ports".',
      }),
    });
    expectReply(await api.write('POST', '/sailors', { id: 50 }), {
      status: 400,
      json: expect.objectContaining({
        code: '23502',
        message: 'null value in column "name" of relation "sailors" violates not-null constraint',
      }),
    });
    expectReply(await api.write('POST', '/drawer', { id: 'abc' }), {
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "abc"', details: null, hint: null },
    });
    expectReply(await api.write('POST', '/samples', { id: 50, c_name: '' }), {
      status: 400,
      json: expect.objectContaining({ code: '23514' }),
    });
    expectReply(await api.write('POST', '/stamped', { id: 50, body: 'x' }), {
      status: 400,
      json: expect.objectContaining({ code: '428C9' }),
    });
    expectReply(await api.write('POST', '/samples', { id: 50, c_small: 99999 }), {
      status: 400,
      json: expect.objectContaining({ code: '22003' }),
    });
  });

  test('shaped by select, embeds included', async () => {
    expectReply(await api.write('POST', '/buoys?select=id,ports(name)', { id: 9, port_id: 2 }), {
      status: 201,
      json: [{ id: 9, ports: { name: 'Bergen' } }],
    });
    expectReply(await api.write('POST', '/ports?select=id,buoys(id)', { id: 9, name: 'New' }), {
      status: 201,
      json: [{ id: 9, buoys: [] }],
    });
    expectReply(
      await api.write('POST', '/ships?select=label,...port_of(port:name)', {
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
    expectReply(await api.write('POST', '/drawer?order=id.desc&select=id', [{ id: 8 }, { id: 9 }]), {
      status: 201,
      json: [{ id: 9 }, { id: 8 }],
    });
  });

  test('into a view, and into one that cannot be written', async () => {
    expectReply(await api.write('POST', '/crate_labels', { id: 300, label: 'by view' }), {
      status: 201,
      json: [{ id: 300, label: 'by view' }],
    });
    expectReply(await api.write('POST', '/crate_labels', { id: 300, label: 'by view' }, 'return=headers-only'), {
      status: 201,
      headers: { location: '/crate_labels?id=eq.300' },
    });
    expectReply(await api.write('POST', '/crate_count', { n: 1 }), {
      status: 500,
      json: expect.objectContaining({ code: '55000' }),
    });
  });

  test('nested json keeps its nulls, numbers their digits', async () => {
    const reply = await api.write(
      'POST',
      '/numbers?select=big',
      '{"id": 60, "big": 9007199254740993}',
      'return=representation',
      {
        headers: { 'content-type': 'application/json' },
      },
    );
    expect(reply.text).toBe('[{"big":9007199254740993}]');
    expectReply(await api.write('POST', '/papers?select=doc', { id: 60, doc: { a: null, b: [{}, 1e3] } }), {
      status: 201,
      json: [{ doc: { a: null, b: [{}, 1000] } }],
    });
  });
});
