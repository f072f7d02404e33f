// Values of every type, out and in, and domains whose casts say how they look on the wire.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

/** As the client writes it, and as it comes back when that differs. Text, so that digits are not lost on the way. */
const VALUES: readonly (readonly [column: string, sent: string, came?: string])[] = [
  ['c_bool', 'true'],
  ['c_small', '7'],
  ['c_big', '9223372036854775807'],
  ['c_num', '12345678901234567890.123456789'],
  ['c_real', '1.5'],
  ['c_double', '2.5'],
  ['c_text', '"tab\\tquote\\" ünï 🚢"'],
  ['c_varchar', '"abcde"'],
  ['c_char', '"ab"', '"ab "'],
  ['c_bytea', '"\\\\xdeadbeef"'],
  ['c_date', '"2024-02-29"'],
  ['c_time', '"13:14:15.5"'],
  ['c_ts', '"2024-02-29T13:14:15.123456"'],
  ['c_tstz', '"2024-02-29T15:14:15.123456+02:00"', '"2024-02-29T13:14:15.123456+00:00"'],
  ['c_interval', '"1 day 02:03:04"'],
  ['c_uuid', '"0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001"'],
  ['c_jsonb', '{"a":[1,{"b":null}],"c":"x"}', '{"a": [1, {"b": null}], "c": "x"}'],
  ['c_ints', '[1,null,3]'],
  ['c_texts', '["a b","c,d","e\\"f",null]'],
  ['c_matrix', '[[1,2],[3,4]]'],
  ['c_range', '"[1,5)"'],
  ['c_days', '"[2024-01-01,2024-02-01)"'],
  ['c_kind', '"tug"'],
  ['c_kinds', '["tug","barge"]'],
  ['c_name', '"short"'],
  ['c_spot', '{"x":1,"y":2}'],
  ['c_inet', '"10.0.0.0/8"'],
  ['c_search', "\"'cat':3 'fat':2\""],
  ['c_bits', '"10110"'],
];

test.each(VALUES)('%s %s', async (column, sent, came = sent) => {
  const type = { 'content-type': 'application/json' };
  const inserted = await api.post(`/samples?select=${column}`, `{"id": 500, "${column}": ${sent}}`, {
    headers: type,
    prefer: 'return=representation, tx=rollback',
  });
  expectReply(inserted, { status: 201, text: `[{"${column}":${came}}]` });
  const updated = await api.ask('PATCH', `/samples?id=eq.2&select=${column}`, {
    headers: type,
    body: `{"${column}": ${sent}}`,
    prefer: 'return=representation, tx=rollback',
  });
  expectReply(updated, { text: `[{"${column}":${came}}]` });
});

test('json columns keep every byte', async () => {
  const reply = await api.get('/samples?select=c_json&id=eq.1');
  expect(reply.text).toBe('[{"c_json":{"b":1,  "a":[2]}}]');
});

test('every column of a row, read at once', async () => {
  const reply = await api.get('/samples?id=eq.1');
  expect(reply.json).toEqual([
    expect.objectContaining({
      c_ints: [1, null, 3],
      c_spot: { x: 1, y: 2 },
      c_generated: 14,
      c_char: 'ab ',
      c_range: '[1,5)',
      c_kinds: ['tug', 'barge'],
    }),
  ]);
  expectReply(await api.get('/samples?id=eq.2&select=c_bool,c_ints,c_json'), {
    json: [{ c_bool: null, c_ints: null, c_json: null }],
  });
});

test.each([
  ['c_big=eq.9223372036854775807'],
  ['c_num=eq.12345678901234567890.123456789'],
  ['c_date=lt.2024-03-01'],
  ['c_time=eq.13:14:15.5'],
  ['c_tstz=eq.2024-02-29T13:14:15.123456Z'],
  ['c_uuid=eq.0190AAAA-BBBB-7CCC-8DDD-EEEEFFFF0001'],
  ['c_kind=in.(tug,barge)'],
  ['c_ints=eq.{1,NULL,3}'],
  ['c_matrix=eq.{{1,2},{3,4}}'],
  ['c_texts=cs.{"c,d"}'],
  ['c_range=cs.[2,3)'],
  ['c_period=ov.[2024-01-15,2024-01-16)'],
  ['c_jsonb=eq.{"a": [2], "b": 1}'],
  ['c_name=eq.short'],
  ['c_bits=eq.10110'],
  ['c_char=eq.ab'],
])('filter by %s', async (filter) => {
  expectReply(await api.get(`/samples?select=id&${filter}`), { json: [{ id: 1 }] });
});

describe('domains with casts', () => {
  test('reading', async () => {
    expectReply(await api.get('/paints?select=id,tint&order=id'), {
      json: [
        { id: 1, tint: '#FF0000' },
        { id: 2, tint: '#0000FF' },
        { id: 3, tint: null },
      ],
    });
    expectReply(await api.get('/paints?id=eq.1&select=*'), {
      json: [{ id: 1, name: 'red', tint: '#FF0000', port_id: 1 }],
    });
    expectReply(await api.get('/paints?id=eq.1'), { json: [{ id: 1, name: 'red', tint: '#FF0000', port_id: 1 }] });
    expectReply(await api.get('/paints?id=eq.1&select=shade:tint'), { json: [{ shade: '#FF0000' }] });
    expectReply(await api.get('/paint_list?id=eq.2'), { json: [{ id: 2, name: 'blue', tint: '#0000FF' }] });
    expectReply(await api.get('/ports?select=id,paints(tint)&id=eq.1'), {
      json: [{ id: 1, paints: [{ tint: '#FF0000' }] }],
    });
  });

  test('filtering', async () => {
    expectReply(await api.get('/paints?tint=eq.%230000ff&select=id'), { json: [{ id: 2 }] });
    expectReply(await api.get('/paints?tint=neq.%230000ff&select=id'), { json: [{ id: 1 }] });
    expectReply(await api.get('/paints?tint=in.(%23ff0000,%230000ff)&select=id&order=id'), {
      json: [{ id: 1 }, { id: 2 }],
    });
    expectReply(await api.get('/paints?or=(tint.eq.%230000ff,id.eq.3)&select=id&order=id'), {
      json: [{ id: 2 }, { id: 3 }],
    });
    expectReply(await api.get('/paints?tint=is.null&select=id'), { json: [{ id: 3 }] });
    expectReply(await api.get('/ports?select=id,paints!inner(id)&paints.tint=eq.%230000ff'), {
      json: [{ id: 2, paints: [{ id: 2 }] }],
    });
  });

  test('writing', async () => {
    const keep = 'return=representation, tx=rollback';
    expectReply(await api.post('/paints?select=tint', { id: 9, name: 'x', tint: '#000102' }, { prefer: keep }), {
      status: 201,
      json: [{ tint: '#000102' }],
    });
    expectReply(await api.post('/paints', { id: 9, name: 'x', tint: '#000102' }, { prefer: keep }), {
      status: 201,
      json: [{ id: 9, name: 'x', tint: '#000102', port_id: null }],
    });
    expectReply(
      await api.ask('PATCH', '/paints?tint=eq.%230000ff&select=id,tint', {
        body: { tint: '#00ff00' },
        prefer: keep,
      }),
      {
        json: [{ id: 2, tint: '#00FF00' }],
      },
    );
    expectReply(
      await api.post(
        '/paints?select=id,tint',
        { id: 1, name: 'red', tint: '#010101' },
        { prefer: `resolution=merge-duplicates, ${keep}` },
      ),
      { json: [{ id: 1, tint: '#010101' }] },
    );
  });
});

test('a time zone of the client', async () => {
  expectReply(await api.get('/ships?select=launched_at&id=eq.2', { prefer: 'timezone=America/Los_Angeles' }), {
    json: [{ launched_at: '2021-06-30T05:00:00-07:00' }],
    headers: { 'preference-applied': 'timezone=America/Los_Angeles' },
  });
  expectReply(await api.get('/rpc/time_zone', { prefer: 'timezone=Europe/Oslo' }), { json: 'Europe/Oslo' });
  expectReply(await api.get('/ships?select=launched_at&id=eq.2', { prefer: 'timezone=Jupiter/Red_Spot' }), {
    status: 400,
    json: {
      code: '22023',
      message: 'invalid value for parameter "TimeZone": "Jupiter/Red_Spot"',
      details: null,
      hint: null,
    },
  });
  expectReply(await api.get('/ships?select=launched_at&id=eq.2', { prefer: 'timezone=+02:00' }), { status: 200 });
  expectReply(await api.get('/ships?select=launched_at&id=eq.2', { prefer: 'timezone=05:30:15' }), {
    status: 400,
    json: {
      code: '22023',
      message: 'time zone "05:30:15" appears to use leap seconds',
      details: 'PostgreSQL does not support leap seconds.',
      hint: null,
    },
  });
});
