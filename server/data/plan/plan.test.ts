// Tests for the planner, without a database: it sees a small catalog made for it.

import { describe, expect, test } from 'vitest';
import type { Catalog, Column, KeyRelationship, Routine, Table } from '../catalog/catalog.ts';
import { relate } from '../catalog/relationships.ts';
import { DataError } from '../errors.ts';
import { type RawRequest, readRequest } from '../request/read-request.ts';
import { asksByKey } from './by-key.ts';
import type { CallPlan, Plan, ReadPlan, WritePlan } from './plan.ts';
import { planRequest } from './plan-request.ts';
import type { SuggestingError, Visible } from './suggest.ts';

const column = (name: string, type = 'integer'): [string, Column] => [
  name,
  { name, type, declaredType: type, description: null, nullable: true, maxLength: null, default: null, enumValues: [] },
];

const table = (name: string, primaryKey: string[], columns: [string, Column][]): [string, Table] => [
  name,
  {
    schema: 'api',
    name,
    description: null,
    isView: false,
    isOpen: true,
    marksDeleted: false,
    insertable: true,
    updatable: true,
    deletable: true,
    primaryKey,
    columns: new Map(columns.map(([key, one]) => [key, { ...one, nullable: !primaryKey.includes(key) }])),
    hasRepresentations: false,
  },
];

const key = (
  from: string,
  columnName: string,
  to: string,
  kind: KeyRelationship['kind'] = 'many-to-one',
): KeyRelationship => ({
  kind,
  table: { schema: 'api', name: from },
  foreign: { schema: 'api', name: to },
  isSelf: from === to,
  constraint: `${from}_${columnName}_fkey`,
  columns: [[columnName, 'id']],
  isParent: false,
  isOptional: false,
  tableIsView: false,
  foreignIsView: false,
});

const routine = (
  name: string,
  parameters: Partial<Routine['parameters'][number]>[],
  over: Partial<Routine> = {},
): Routine => ({
  schema: 'api',
  name,
  description: null,
  parameters: parameters.map((one) => ({
    name: '',
    type: 'integer',
    openType: 'integer',
    required: true,
    variadic: false,
    ...one,
  })),
  returns: { schema: 'pg_catalog', name: 'int4' },
  returnsSet: false,
  returnsComposite: false,
  volatility: 'stable',
  hasVariadic: false,
  columns: new Set(),
  settings: { isolation: null, timeoutMs: null, others: [] },
  ...over,
});

const primaryKeys: Record<string, string[]> = { roles: ['film_id', 'actor_id'] };
const catalog: Catalog = {
  version: 1,
  fingerprint: '',
  tables: new Map([
    [
      'api',
      new Map([
        table(
          'films',
          ['id'],
          [column('id'), column('title', 'text'), column('director_id'), column('second_id'), column('info', 'jsonb')],
        ),
        table('directors', ['id'], [column('id'), column('name', 'text')]),
        table('actors', ['id'], [column('id'), column('name', 'text')]),
        table('roles', ['film_id', 'actor_id'], [column('film_id'), column('actor_id')]),
        table('people', ['id'], [column('id'), column('boss')]),
      ]),
    ],
  ]),
  relationships: relate(
    [
      key('films', 'director_id', 'directors'),
      key('films', 'second_id', 'directors'),
      key('roles', 'film_id', 'films'),
      key('roles', 'actor_id', 'actors'),
      key('people', 'boss', 'people'),
    ],
    [],
    [],
    new Set(['api']),
    ({ name }) => primaryKeys[name] ?? ['id'],
  ),
  routines: new Map([
    [
      'api',
      new Map([
        ['add', [routine('add', [{ name: 'a' }, { name: 'b', required: false }])]],
        ['take', [routine('take', [{ type: 'json' }])]],
        [
          'twice',
          [routine('twice', [{ name: 'a' }]), routine('twice', [{ name: 'a' }, { name: 'b', required: false }])],
        ],
        ['write', [routine('write', [], { volatility: 'volatile' })]],
      ]),
    ],
  ]),
  representations: new Map(),
  mediaHandlers: [],
  computed: new Map(),
  openFunctions: new Set(),
  roleSettings: new Map(),
  geoJson: null,
  castTypes: new Map(),
};

const sees = (...names: string[]): Visible => ({
  tables: () => new Set(names),
  routines: () => new Set<string>(),
  mayRead: ({ name }) => names.includes(name),
  mayCall: () => false,
});

const settings = {
  schemas: ['api'],
  transactionOverride: true,
  maxRows: 100,
  aggregates: true,
  plans: false,
  maxEmbedDepth: 8,
  maxEmbeds: 50,
  legacyTargetNames: true,
};

function plan(url: string, over: Partial<RawRequest> = {}): Plan {
  const [path = '', query = ''] = url.split('?', 2);
  const raw: RawRequest = { method: 'GET', path, query, headers: {}, body: Buffer.alloc(0), ...over };
  return planRequest(readRequest(raw, settings), catalog, settings);
}
const read = (url: string): ReadPlan['read'] => (plan(url) as ReadPlan).read;

function fault(work: () => unknown): DataError {
  try {
    work();
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('embedding', () => {
  test('by table, by column, by constraint, through a junction', () => {
    const kinds = (url: string) => read(url).children.map(({ relationship }) => relationship?.kind);
    expect(kinds('/directors?select=films!films_director_id_fkey(*)')).toEqual(['one-to-many']);
    expect(kinds('/films?select=director_id(*),directors!second_id(*)')).toEqual(['many-to-one', 'many-to-one']);
    expect(kinds('/films?select=actors(*),roles(*)')).toEqual(['many-to-many', 'one-to-many']);
    expect(kinds('/people?select=people(*),boss(*)')).toEqual(['one-to-many', 'many-to-one']);
  });

  test('several ways are an error that lists them', () => {
    const error = fault(() => plan('/films?select=directors(*)')) as SuggestingError;
    expect(error.code).toBe('PGRST201');
    const all = sees('films', 'directors');
    expect(error.suggest(catalog, all)).toEqual({
      hint: "Try changing 'directors' to one of the following: 'directors!films_director_id_fkey', 'directors!films_second_id_fkey'. Find the desired relationship in the 'details' key.",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'films with directors',
          relationship: 'films_director_id_fkey using films(director_id) and directors(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'films with directors',
          relationship: 'films_second_id_fkey using films(second_id) and directors(id)',
        },
      ],
    });
    expect(JSON.stringify(error.suggest(catalog, sees()))).not.toContain('fkey');
  });

  test('filters, orders and ranges find their place; what is not embedded has none', () => {
    const node = read(
      '/films?select=id,r:roles(*)&r.film_id=gt.1&r.order=actor_id&r.limit=3&r.or=(film_id.eq.1,film_id.eq.2)',
    );
    expect(node.children[0]).toMatchObject({ resultName: 'r', range: { offset: 0, limit: 3 } });
    expect(node.children[0]?.filters).toHaveLength(2);
    expect(node.children[0]?.order).toHaveLength(1);
    expect(fault(() => plan('/films?actors.id=eq.1')).code).toBe('PGRST108');
    expect(fault(() => plan('/films?select=id,roles(*)&order=roles(film_id)')).code).toBe('PGRST118');
    expect(fault(() => plan('/films?select=id,roles(*)&roles=eq.1')).code).toBe('PGRST120');
  });

  test('presence of an embedded resource', () => {
    expect(read('/films?select=roles(*)&roles=not.is.null').filters).toMatchObject([
      { kind: 'presence', present: true },
    ]);
  });
});

describe('columns', () => {
  test('json columns need no conversion for a path, others do', () => {
    const [info, title, unknown] = read('/films?select=info->a,title->b,x->c').select;
    expect([info?.field.toJson, title?.field.toJson, unknown?.field.toJson]).toEqual([false, true, true]);
    expect([info?.alias, title?.alias]).toEqual(['a', 'b']);
  });

  test('stars are spelled out beside aggregates', () => {
    expect(read('/films?select=*,id.count()').select.map(({ field }) => field.name)).toEqual([
      'id',
      'title',
      'director_id',
      'second_id',
      'info',
      'id',
    ]);
    expect(read('/films').select.map(({ field }) => field.name)).toEqual(['*']);
  });

  test('aggregates of a to-one spread belong to the parent, those of a to-many one are refused', () => {
    const node = read('/films?select=title,...director_id(id.sum())');
    expect(node.children[0]?.select[0]?.aggregate).toBeNull();
    expect(node.children[0]?.spreadSelects).toEqual([
      { name: 'sum', aggregate: 'sum', aggregateCast: null, alias: 'sum' },
    ]);
    expect(fault(() => plan('/films?select=title,...roles(film_id.sum())')).code).toBe('PGRST127');
  });
});

describe('ranges', () => {
  test('the service has a limit of its own, on every level', () => {
    const node = read('/films?select=id,roles(*)&limit=500');
    expect([node.range.limit, node.children[0]?.range.limit]).toEqual([100, 100]);
    expect(read('/films?limit=5').range.limit).toBe(5);
  });
});

describe('writing', () => {
  const write = (method: string, url: string, body: string, prefer = ''): WritePlan =>
    plan(url, { method, body: Buffer.from(body), headers: { prefer } }) as WritePlan;

  test('columns come from the body or the parameter, and must be there', () => {
    expect(write('POST', '/films', '{"title":"x","id":1}').columns.map(({ name }) => name)).toEqual(['id', 'title']);
    expect(write('POST', '/films?columns=title', '[{"a":1}]').columns.map(({ name }) => name)).toEqual(['title']);
    expect(fault(() => write('POST', '/films', '{"no":1}')).message).toBe(
      "Could not find the 'no' column of 'films' in the schema cache",
    );
  });

  test('a write returns the columns that its selection needs', () => {
    const representation = 'return=representation';
    expect(write('POST', '/films', '{}').returning).toEqual([]);
    expect(write('POST', '/films', '{}', representation).returning).toEqual(['*']);
    expect(write('POST', '/films?select=title,director_id(name)', '{}', representation).returning).toEqual([
      'director_id',
      'id',
      'title',
    ]);
  });

  test('PUT needs the whole primary key and nothing else', () => {
    expect(write('PUT', '/films?id=eq.1', '{"id":1}').conflict?.columns).toEqual(['id']);
    for (const url of ['/films', '/films?id=gt.1', '/films?id=eq.1&title=eq.x'])
      expect(fault(() => write('PUT', url, '{"id":1}')).code).toBe('PGRST105');
  });
});

describe('procedures', () => {
  const call = (url: string, body?: string): CallPlan =>
    plan(url, body === undefined ? {} : { method: 'POST', body: Buffer.from(body) }) as CallPlan;

  test('arguments choose the overload', () => {
    expect(call('/rpc/add?a=1').parameters.map(({ name }) => name)).toEqual(['a']);
    expect(call('/rpc/add', '{"b":1,"a":2}').parameters.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(call('/rpc/take', '{"x":1}').parameters).toHaveLength(1);
    const ambiguous = fault(() => call('/rpc/twice?a=1')) as SuggestingError;
    expect(ambiguous.code).toBe('PGRST203');
    expect(ambiguous.suggest(catalog, { ...sees(), mayCall: () => true }).message).toBe(
      'Could not choose the best candidate function between: api.twice(a => integer), api.twice(a => integer, b => integer)',
    );
    expect(fault(() => call('/rpc/add', '{"b":1,"c":2}'))).toMatchObject({
      code: 'PGRST202',
      message: 'Could not find the function api.add(b, c) in the schema cache',
      details:
        'Searched for the function api.add with parameters b, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    });
  });

  test('only a volatile one called by POST may write', () => {
    expect(call('/rpc/write').readOnly).toBe(true);
    expect(call('/rpc/write', '').readOnly).toBe(false);
    expect(call('/rpc/add', '{"a":1}').readOnly).toBe(true);
  });
});

test('a missing table is PGRST205, and its hint names only tables the caller sees', () => {
  const error = fault(() => plan('/flims')) as SuggestingError;
  expect(error).toMatchObject({
    code: 'PGRST205',
    message: "Could not find the table 'api.flims' in the schema cache",
  });
  expect(error.suggest(catalog, sees('films')).hint).toBeNull();
  expect((fault(() => plan('/film')) as SuggestingError).suggest(catalog, sees('films')).hint).toBe(
    "Perhaps you meant the table 'api.films'",
  );
  expect((fault(() => plan('/film')) as SuggestingError).suggest(catalog, sees()).hint).toBeNull();
});

test('an info plan lists the allowed methods', () => {
  expect(plan('/films', { method: 'OPTIONS' })).toEqual({
    kind: 'info',
    allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
  });
  expect(plan('/rpc/write', { method: 'OPTIONS' })).toEqual({ kind: 'info', allow: 'OPTIONS,POST' });
});

describe('asking by key, where policies hide rows', () => {
  const closed: Catalog = {
    ...catalog,
    tables: new Map([
      ['api', new Map([...(catalog.tables.get('api') ?? [])].map(([name, one]) => [name, { ...one, isOpen: false }]))],
    ]),
  };
  const isKeyed = (url: string, over: Partial<RawRequest> = {}, known = closed): boolean => {
    const planned = plan(url, over);
    return planned.kind !== 'info' && planned.kind !== 'inspect' && asksByKey(known, planned);
  };

  test.each([
    '/films?id=eq.1',
    '/films?id=in.(1)',
    '/films?id=gte.1&id=lte.1&title=neq.a',
    '/films?or=(title.eq.a,and(id.eq.1,title.neq.b))',
    '/roles?film_id=eq.1&actor_id=eq.2',
    '/directors?select=id,films!films_director_id_fkey!inner(id)&films.id=eq.1',
  ])('%s', (url) => {
    expect(isKeyed(url)).toBe(true);
    expect(isKeyed(url, {}, catalog)).toBe(false);
  });

  test.each(['/films', '/films?title=eq.a', '/roles?film_id=eq.1', '/films?order=id&limit=1'])('not %s', (url) => {
    expect(isKeyed(url)).toBe(false);
  });

  test('changes and removals', () => {
    const change = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"title":"a"}'),
    };
    expect(isKeyed('/films?id=eq.1', change)).toBe(true);
    expect(isKeyed('/films?title=eq.b', change)).toBe(false);
    expect(isKeyed('/films?id=eq.1', { method: 'DELETE' })).toBe(true);
  });
});
