// Tests for the parser of requests.

import { describe, expect, test } from 'vitest';
import { DataError } from '../errors.ts';
import { parseAccept, parseMediaType } from './media-types.ts';
import { parseFilter, parseLogic } from './parse-filter.ts';
import { parseOrder } from './parse-order.ts';
import { parsePayload, readLong } from './parse-payload.ts';
import { parsePreferences } from './parse-preferences.ts';
import { decode, parseQuery } from './parse-query.ts';
import { parseSelect } from './parse-select.ts';
import { type RawRequest, readRequest } from './read-request.ts';

const fault = (work: () => unknown): { message: string; details: string | null } => {
  try {
    work();
  } catch (error) {
    if (error instanceof DataError) return { message: error.message, details: error.details };
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('select', () => {
  test.each([
    ['id', [{ field: { name: 'id', path: [] } }]],
    ['a:id::text', [{ alias: 'a', cast: 'text', field: { name: 'id' } }]],
    ['total.sum()::int', [{ aggregate: 'sum', aggregateCast: 'int' }]],
    ['n:count()', [{ aggregate: 'count', alias: 'n', field: { name: '*' } }]],
    ['"a,b"', [{ field: { name: 'a,b' } }]],
    ['first-name', [{ field: { name: 'first-name' } }]],
    [
      'data->a->0->>b',
      [{ field: { name: 'data', path: [{ key: 'a' }, { key: '0', isIndex: true }, { arrow: '->>' }] } }],
    ],
    ['ports!home!inner(id)', [{ name: 'ports', hint: 'home', join: 'inner', spread: false, items: [{}] }]],
    ['p:ports!left(*,...ships(name))', [{ alias: 'p', join: 'left', items: [{}, { spread: true, name: 'ships' }] }]],
    ['', []],
  ])('%s', (text, wanted) => {
    expect(parseSelect(text)).toMatchObject(wanted);
  });

  test.each([
    ['id,clients(name[])', 16, `unexpected '['`],
    ['name!hint', 10, 'unexpected end of input expecting "("'],
    ['id::', 5, 'unexpected end of input expecting letter or digit'],
    ['a(b(c)', 7, 'unexpected end of input expecting ")"'],
  ])('%s cannot be read', (text, column, details) => {
    const found = fault(() => parseSelect(text));
    expect(found.message).toBe(`"failed to parse select parameter (${text})" (line 1, column ${column})`);
    expect(found.details).toContain(details);
  });

  test('depth has an end', () => {
    expect(fault(() => parseSelect('a('.repeat(5000) + ')'.repeat(5000))).message).toContain('failed to parse');
  });
});

describe('filters', () => {
  test.each([
    ['id', 'eq.1', { field: { name: 'id' }, negated: false, operation: { operator: 'eq', value: '1' } }],
    ['id', 'not.in.(1,"a,b",)', { negated: true, operation: { kind: 'in', values: ['1', 'a,b', ''] } }],
    ['id', 'like(any).{a*,b*}', { operation: { operator: 'like', quantifier: 'any', value: '{a*,b*}' } }],
    ['id', 'is.NOT_NULL', { operation: { kind: 'is', value: 'not_null' } }],
    ['id', 'isdistinct.x', { operation: { kind: 'distinct', value: 'x' } }],
    ['t', 'wfts(english).a b', { operation: { kind: 'search', language: 'english', value: 'a b' } }],
    ['id', 'eq.a.b,c)', { operation: { value: 'a.b,c)' } }],
    ['d->>k', 'gt.1', { field: { name: 'd', path: [{ arrow: '->>', key: 'k' }] } }],
  ])('%s=%s', (name, value, wanted) => {
    expect(parseFilter(name, value)?.value).toMatchObject(wanted);
  });

  test('a path leads into embedded resources', () => {
    expect(parseFilter('a.b.c', 'eq.1')).toMatchObject({ path: ['a', 'b'], value: { field: { name: 'c' } } });
  });

  test.each([
    ['1', 1, 'unexpected "1" expecting "not" or operator (eq, gt, ...)'],
    ['', 1, 'unexpected end of input expecting "not" or operator (eq, gt, ...)'],
    ['noop.0', 1, 'unexpected "o" expecting "not" or operator (eq, gt, ...)'],
    ['not.xy.1', 5, 'unexpected "x" expecting operator (eq, gt, ...)'],
    ['is.maybe', 4, 'unexpected "m" expecting isVal: (null, not_null, true, false, unknown)'],
    ['in.1', 4, 'unexpected "1" expecting "("'],
  ])('id=%s cannot be read', (value, column, details) => {
    const found = fault(() => parseFilter('id', value));
    expect(found).toEqual({
      message: `"failed to parse filter (${value})" (line 1, column ${column})`,
      details,
    });
  });

  test('trees', () => {
    expect(parseLogic('a.not.or', '(x.eq.1,and(y.lt.2,not.or(z.in.(1,2),w.cs.{3,4})))')).toMatchObject({
      path: ['a'],
      value: {
        operator: 'or',
        negated: true,
        members: [
          { field: { name: 'x' } },
          {
            operator: 'and',
            members: [
              {},
              { negated: true, members: [{ operation: { values: ['1', '2'] } }, { operation: { value: '{3,4}' } }] },
            ],
          },
        ],
      },
    });
    expect(fault(() => parseLogic('or', '()')).message).toBe('"failed to parse logic tree (())" (line 1, column 4)');
    expect(fault(() => parseLogic('or', `${'(and'.repeat(4000)}(`)).message).toContain('failed to parse logic tree');
  });
});

test('order', () => {
  expect(parseOrder('a.desc.nullslast, ports(name).asc,d->k')).toMatchObject([
    { field: { name: 'a' }, direction: 'desc', nulls: 'last' },
    { relation: 'ports', field: { name: 'name' }, direction: 'asc', nulls: null },
    { field: { name: 'd', path: [{ key: 'k' }] }, direction: null },
  ]);
  expect(fault(() => parseOrder('id.descc'))).toEqual({
    message: '"failed to parse order (id.descc)" (line 1, column 8)',
    details: `unexpected 'c' expecting delimiter (.), "," or end of input`,
  });
  expect(fault(() => parseOrder('id.asc.nlsfst')).details).toBe('unexpected "l" expecting "nullsfirst" or "nullslast"');
});

describe('query strings', () => {
  test('decoding never fails', () => {
    expect(decode('a%2Cb+c')).toBe('a,b c');
    expect(decode('100%')).toBe('100%');
    expect(decode('%ff%41')).toBe('\ufffdA');
  });

  test('parameters of a query are read as filters, arguments or ranges', () => {
    const query = parseQuery('a=1&b=eq.2&limit=3&x.offset=4&x.limit=5&select=x(*)&nothing', true);
    expect(query.arguments).toEqual([['a', '1']]);
    expect(query.filters).toHaveLength(1);
    expect(query.ranges).toEqual([
      { path: [], value: { offset: 0, limit: 3 } },
      { path: ['x'], value: { offset: 4, limit: 5 } },
    ]);
    expect(query.canonical).toBe('a=1&b=eq.2&limit=3&nothing=&select=x%28%2A%29&x.limit=5&x.offset=4');
  });
});

test('preferences: the first of a kind counts, unknown ones are noted', () => {
  const found = parsePreferences('count=exact, return=minimal,count=planned, max-affected=3, tx=rollback, wat', false);
  expect(found).toMatchObject({ count: 'exact', representation: 'minimal', maxAffected: 3, transaction: null });
  expect(found.invalid).toEqual(['wat']);
});

test('media types', () => {
  expect(parseMediaType('application/vnd.pgrst.object+json;nulls=stripped')).toEqual({
    kind: 'object',
    stripped: true,
  });
  expect(parseMediaType('application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|buffers')).toEqual({
    kind: 'plan',
    of: { kind: 'csv' },
    format: 'json',
    options: ['analyze', 'buffers'],
  });
  expect(parseAccept('text/html;q=0.5, */*;q=0.1, text/csv').map(({ kind }) => kind)).toEqual(['csv', 'other', 'any']);
});

describe('bodies', () => {
  const json = (text: string): unknown => parsePayload(Buffer.from(text), { kind: 'json' }, null, false);

  test('columns are the keys, the same in every object', () => {
    expect(json('{"b":1,"a":90071992547409931}')).toMatchObject({ columns: ['a', 'b'], payload: { isObject: true } });
    expect(json('[{"a":1},{"a":2}]')).toMatchObject({ columns: ['a'], payload: { isObject: false } });
    expect(json('[]')).toMatchObject({ columns: [] });
    expect(fault(() => json('[{"a":1},{"b":2}]')).message).toBe('All object keys must match');
    expect(fault(() => json('{')).message).toBe('Empty or invalid json');
  });

  test('CSV and forms become JSON', () => {
    const csv = parsePayload(Buffer.from('a,b\n1,NULL\n"x,y",\n'), { kind: 'csv' }, null, false);
    expect(String(csv.payload.kind === 'json' && csv.payload.body)).toBe('[{"a":"1","b":null},{"a":"x,y","b":""}]');
    const form = parsePayload(Buffer.from('a=1&b=x+y'), { kind: 'form' }, null, false);
    expect(String(form.payload.kind === 'json' && form.payload.body)).toBe('{"a":"1","b":"x y"}');
    expect(fault(() => parsePayload(Buffer.from('a,b\n1'), { kind: 'csv' }, null, false)).message).toBe(
      'All lines must have same number of fields',
    );
  });
});

describe('the request as a whole', () => {
  const settings = { schemas: ['public', 'other'], transactionOverride: false };
  const raw = (over: Partial<RawRequest>): RawRequest => ({
    method: 'GET',
    path: '/things',
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    ...over,
  });

  test('schemas by header', () => {
    expect(readRequest(raw({}), settings)).toMatchObject({ schema: 'public', schemaNegotiated: true });
    expect(readRequest(raw({ headers: { 'accept-profile': 'other' } }), settings).schema).toBe('other');
    expect(fault(() => readRequest(raw({ headers: { 'accept-profile': 'no' } }), settings)).message).toBe(
      'Invalid schema: no',
    );
  });

  test('ranges meet', () => {
    const range = (query: string, sent?: string, method = 'GET') =>
      readRequest(raw({ method, query, headers: { range: sent } }), settings).range;
    expect(range('limit=10&offset=5', '7-8')).toEqual({ offset: 7, limit: 2 });
    expect(range('', '3-')).toEqual({ offset: 3, limit: null });
    expect(range('limit=0')).toEqual({ offset: 0, limit: 0 });
    expect(range('limit=5', '0-1', 'HEAD')).toEqual({ offset: 0, limit: 5 });
    expect(fault(() => range('', '5-1')).details).toContain('lower boundary');
    expect(fault(() => range('limit=-1')).details).toContain('greater than or equal to zero');
  });

  test('paths and methods', () => {
    expect(readRequest(raw({ path: '/rpc/do%20it' }), settings).target).toEqual({ kind: 'routine', name: 'do it' });
    expect(readRequest(raw({ path: '' }), settings).target).toEqual({ kind: 'root' });
    expect(fault(() => readRequest(raw({ path: '/a/b' }), settings)).message).toBe(
      'Invalid path specified in request URL',
    );
    expect(fault(() => readRequest(raw({ method: 'PATCH', path: '/rpc/x' }), settings)).message).toBe(
      'Cannot use the PATCH method on RPC',
    );
  });
});

test.each([10, 700, 1000, 3000, 5000])(
  'a body of %d rows is read for its columns, in one go or in turn',
  async (count) => {
    const json = { kind: 'json' } as const;
    const body = Buffer.from(
      JSON.stringify(Array.from({ length: count }, (_, n) => ({ title: `Task ${n}`, place: 'x'.repeat(60) }))),
    );
    expect(parsePayload(body, json, null, false, await readLong(body, json)).columns).toEqual(['place', 'title']);
  },
);
