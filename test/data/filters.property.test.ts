// Random trees of filters against a plain oracle in memory that knows SQL's three-valued logic.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startApi } from './api.ts';

interface Grain {
  readonly id: number;
  readonly n: number | null;
  readonly t: string | null;
  readonly b: boolean | null;
  readonly xs: readonly number[] | null;
}

/** True, false, or SQL's unknown. */
type Truth = boolean | null;

type Tree =
  | {
      readonly kind: 'leaf';
      readonly negated: boolean;
      readonly column: string;
      readonly op: string;
      readonly value: string;
      readonly holds: (row: Grain) => Truth;
    }
  | { readonly kind: 'and' | 'or'; readonly negated: boolean; readonly parts: readonly Tree[] };

const TEXTS = [
  '',
  'a',
  'ab',
  'A',
  'b,c',
  'x.y',
  '(z)',
  '"q"',
  "o'r 1=1",
  'back\\slash',
  '{1}',
  'ñ 🚢',
  '*',
  'null',
  'eq.1',
  '--',
];
const grains: Grain[] = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  n: index % 7 === 0 ? null : (index * 5) % 11,
  t: index % 9 === 0 ? null : (TEXTS[(index * 3) % TEXTS.length] ?? ''),
  b: index % 5 === 0 ? null : index % 2 === 0,
  xs: index % 6 === 0 ? null : Array.from({ length: index % 4 }, (_unused, at) => (index + at) % 5),
}));

const api = forSuite(() => startApi({ DATA_MAX_ROWS: '0' }));
beforeAll(async () => {
  await api.sql(
    'create table harbour.grains (id int primary key, n int, t text, b boolean, xs int[]); grant select on harbour.grains to anon',
  );
  await api.app.sql(
    'insert into harbour.grains select * from json_to_recordset($1) as r (id int, n int, t text, b boolean, xs int[])',
    [JSON.stringify(grains)],
  );
});

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const all = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true);
const any = (truths: readonly Truth[]): Truth => (truths.includes(true) ? true : truths.includes(null) ? null : false);

function evaluate(tree: Tree, row: Grain): Truth {
  const truth =
    tree.kind === 'leaf'
      ? tree.holds(row)
      : (tree.kind === 'and' ? all : any)(tree.parts.map((part) => evaluate(part, row)));
  return tree.negated ? not(truth) : truth;
}

const compare = (op: string, left: number, right: number): boolean =>
  ({
    eq: left === right,
    neq: left !== right,
    gt: left > right,
    gte: left >= right,
    lt: left < right,
    lte: left <= right,
  })[op] ?? false;
const known = <T>(value: T | null, judge: (value: T) => boolean): Truth => (value === null ? null : judge(value));
const like = (pattern: string, text: string, flags: string): boolean =>
  new RegExp(
    `^${[...pattern].map((letter) => (letter === '*' || letter === '%' ? '.*' : letter === '_' ? '.' : letter.replace(/[.+?^${}()|[\]\\]/, '\\$&'))).join('')}$`,
    `su${flags}`,
  ).test(text);

const number = fc.integer({ min: -2, max: 12 });
const comparison = fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte');
const someText = fc.constantFrom(...TEXTS);
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

type Leaf = Omit<Extract<Tree, { kind: 'leaf' }>, 'kind' | 'negated'>;
const leaves: fc.Arbitrary<Leaf>[] = [
  fc.tuple(comparison, number).map(([op, value]) => ({
    column: 'n',
    op,
    value: String(value),
    holds: (row) => known(row.n, (n) => compare(op, n, value)),
  })),
  fc
    .tuple(
      fc.constantFrom('any', 'all'),
      comparison.filter((op) => op !== 'neq'),
      fc.array(number, { maxLength: 3 }),
    )
    .map(([mode, op, values]) => ({
      column: 'n',
      op: `${op}(${mode})`,
      value: `{${values.join(',')}}`,
      holds: (row) =>
        values.length === 0
          ? mode === 'all'
          : known(row.n, (n) =>
              mode === 'any' ? values.some((v) => compare(op, n, v)) : values.every((v) => compare(op, n, v)),
            ),
    })),
  fc.array(number, { maxLength: 4 }).map((values) => ({
    column: 'n',
    op: 'in',
    value: `(${values.join(',')})`,
    holds: (row) => (values.length === 0 ? false : known(row.n, (n) => values.includes(n))),
  })),
  number.map((value) => ({ column: 'n', op: 'isdistinct', value: String(value), holds: (row) => row.n !== value })),
  fc.tuple(fc.constantFrom('eq', 'neq'), someText).map(([op, value]) => ({
    column: 't',
    op,
    value: quote(value),
    holds: (row) => known(row.t, (t) => (op === 'eq' ? t === value : t !== value)),
  })),
  fc
    // A list of one empty text is the empty list, as PostgREST has it.
    .array(someText, { minLength: 1, maxLength: 4 })
    .filter((values) => values.join() !== '')
    .map((values) => ({
      column: 't',
      op: 'in',
      value: `(${values.map(quote).join(',')})`,
      holds: (row) => known(row.t, (t) => values.includes(t)),
    })),
  fc
    .tuple(fc.constantFrom('like', 'ilike'), fc.constantFrom('a*', '*b', '*', '_', 'x._', 'A', '*1*', '(*'))
    .map(([op, pattern]) => ({
      column: 't',
      op,
      value: quote(pattern),
      holds: (row) => known(row.t, (t) => like(pattern, t, op === 'ilike' ? 'i' : '')),
    })),
  fc.constantFrom('null', 'not_null', 'true', 'false', 'unknown').map((value) => ({
    column: 'b',
    op: 'is',
    value,
    holds: ({ b }) =>
      value === 'null' || value === 'unknown'
        ? b === null
        : value === 'not_null'
          ? b !== null
          : b === (value === 'true'),
  })),
  fc.constantFrom('n', 't', 'xs').chain((column) =>
    fc.constantFrom('null', 'not_null').map((value) => ({
      column,
      op: 'is',
      value,
      holds: (row: Grain) => (row[column as 'n' | 't' | 'xs'] === null) === (value === 'null'),
    })),
  ),
  fc
    .tuple(fc.constantFrom('cs', 'cd', 'ov', 'eq'), fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }))
    .map(([op, values]) => ({
      column: 'xs',
      op,
      value: `{${values.join(',')}}`,
      holds: (row) =>
        known(row.xs, (xs) =>
          op === 'cs'
            ? values.every((v) => xs.includes(v))
            : op === 'cd'
              ? xs.every((x) => values.includes(x))
              : op === 'ov'
                ? xs.some((x) => values.includes(x))
                : xs.length === values.length && xs.every((x, index) => x === values[index]),
        ),
    })),
];

const leaf: fc.Arbitrary<Tree> = fc
  .tuple(fc.oneof(...leaves), fc.boolean())
  .map(([rest, negated]) => ({ kind: 'leaf', negated, ...rest }));
const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      negated: fc.boolean(),
      parts: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).tree;

function write(part: Tree): string {
  const prefix = part.negated ? 'not.' : '';
  return part.kind === 'leaf'
    ? `${part.negated ? '' : ''}${part.column}.${prefix}${part.op}.${part.value}`
    : `${prefix}${part.kind}(${part.parts.map(write).join(',')})`;
}

/** A leaf stands as a parameter of its own, where values need no quotes; a tree under `and`/`or`. */
function parameter(part: Tree): string {
  const encoded = encodeURIComponent;
  if (part.kind !== 'leaf')
    return `${part.negated ? 'not.' : ''}${part.kind}=${encoded(`(${part.parts.map(write).join(',')})`)}`;
  const plain = part.value.startsWith('"') ? (JSON.parse(part.value) as string) : part.value;
  return `${part.column}=${encoded(`${part.negated ? 'not.' : ''}${part.op}.${plain}`)}`;
}

test('any tree of filters finds the rows that the oracle finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (trees) => {
      const path = `/grains?select=id&order=id&${trees.map(parameter).join('&')}`;
      const reply = await api.get(path);
      const wanted = grains
        .filter((row) => all(trees.map((part) => evaluate(part, row))) === true)
        .map(({ id }) => ({ id }));
      expect({ path: decodeURIComponent(path), status: reply.status, rows: reply.json }).toEqual({
        path: decodeURIComponent(path),
        status: 200,
        rows: wanted,
      });
    }),
    { numRuns: 400 },
  );
});

test('the same trees filter what is embedded, updated and deleted', async () => {
  await api.sql(
    'create table harbour.sacks (id int primary key, grain_id int references harbour.grains (id)); grant select on harbour.sacks to anon; grant update, delete on harbour.grains to anon; insert into harbour.sacks select id, id from harbour.grains',
  );
  await fc.assert(
    fc.asyncProperty(tree, async (part) => {
      const wanted = grains.filter((row) => evaluate(part, row) === true).map(({ id }) => ({ id }));
      const prefixed = parameter(part);
      const embedded = await api.get(`/sacks?select=id,grains!inner()&order=id&grains.${prefixed}`);
      expect(embedded.json, prefixed).toEqual(wanted);
      const changed = await api.ask('PATCH', `/grains?select=id&order=id&${prefixed}`, {
        body: { n: 1 },
        prefer: 'return=representation, tx=rollback',
      });
      expect(changed.json, prefixed).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});
