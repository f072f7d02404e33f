// Nothing of what a client sends becomes SQL: the text of a statement depends on the shape of the request alone, and
// parses as the one statement that was meant, whatever names and values are made of.

import fc from 'fast-check';
import { parse } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../server/data/catalog/catalog.ts';
import { loadCatalog } from '../../server/data/catalog/load-catalog.ts';
import { planRequest } from '../../server/data/plan/plan-request.ts';
import { writeQuery } from '../../server/data/query/write-query.ts';
import { readRequest } from '../../server/data/request/read-request.ts';
import { CatalogError } from '../../server/errors.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { startApi } from './api.ts';
import { noise, PIECES } from './random-bytes.ts';

let catalog: Catalog;
const api = forSuite(startApi);
beforeAll(async () => {
  const scope = { schemas: ['harbour', 'annex'], extraSearchPath: ['public'] };
  catalog = await loadCatalog(api.app.database, scope);
});

const settings = {
  schemas: ['harbour', 'annex'],
  transactionOverride: true,
  maxRows: 1000,
  aggregates: true,
  plans: true,
  maxEmbedDepth: 8,
  maxEmbeds: 50,
  legacyTargetNames: true,
};
const headers = {
  'content-type': 'application/json',
  prefer: 'return=representation,count=exact,resolution=merge-duplicates',
};

/** The statement for a request, or the refusal of the stage that refuses it. */
function sqlFor(method: string, target: string, body = ''): string {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  try {
    const request = readRequest({ method, path, query, headers, body: Buffer.from(body) }, settings);
    const plan = planRequest(request, catalog, settings);
    if (plan.kind === 'info' || plan.kind === 'inspect') return '';
    const limits = { bytes: 1_000_000, embeddedRows: 1000 };
    const needs = {
      catalog,
      preferences: request.preferences,
      range: request.range,
      maxRows: 1000,
      limits,
      seesAll: false,
    };
    return writeQuery(plan, needs).statement.text;
  } catch (error) {
    if (error instanceof CatalogError) return `refused: ${error.code}`;
    throw error;
  }
}

const wellFormed = (text: string): string => Buffer.from(text).toString();
const plain = (text: string): string => encodeURIComponent(wellFormed(text));
const quoted = (text: string): string => plain(`"${text.replace(/["\\]/g, '\\$&')}"`);

const value = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.constantFrom(...PIECES),
  fc.constantFrom("'; drop table x; --", '$1', '$$', "E'\\'", '"', "\\'", '?'),
);

type Shape = (a: string, b: string) => readonly [method: string, target: string, body?: string];

/** Requests of every shape with holes for values. */
const SHAPES: readonly Shape[] = [
  (a, b) => ['GET', `/ships?name=eq.${plain(a)}&kind=neq.${plain(b)}`],
  (a, b) => ['GET', `/ships?or=(name.eq.${quoted(a)},not.and(name.like.${quoted(b)},id.gt.1))`],
  (a, b) => ['GET', `/ships?name=in.(${quoted(a)},${quoted(b)})&tonnage=not.isdistinct.${plain(a)}`],
  (a, b) => ['GET', `/papers?search=fts(english).${plain(a)}&body=wfts.${plain(b)}`],
  (a, b) => ['GET', `/ports?tags=cs.${plain(a)}&tags=ov.${plain(b)}`],
  (a, b) => ['GET', `/ships?name=like(any).${plain(a)}&name=match.${plain(b)}`],
  (a, b) => ['GET', `/ports?select=id,buoys(id)&buoys.colour=eq.${plain(a)}&buoys.or=(colour.eq.${quoted(b)})`],
  (a, b) => ['GET', `/ships?select=id,captains!inner(name)&captains.name=eq.${plain(a)}&name=ilike.${plain(b)}`],
  (a, b) => ['GET', `/paints?tint=eq.${plain(a)}&name=eq.${plain(b)}`],
  (a, b) => ['DELETE', `/ships?name=eq.${plain(a)}&or=(name.eq.${quoted(b)})`],
  (a, b) => ['PATCH', `/drawer?note=eq.${plain(a)}&columns=note`, JSON.stringify({ note: b })],
  (a, b) => [
    'POST',
    '/drawer',
    JSON.stringify([
      { id: 1, note: a },
      { id: 2, note: b },
    ]),
  ],
  (a, b) => ['POST', '/crates?on_conflict=code', JSON.stringify({ label: a, meta: { [b]: b } })],
  (a) => ['PUT', `/drawer?id=eq.${plain(a)}`, JSON.stringify({ id: 1, note: a })],
  (a, b) => ['GET', `/rpc/with_defaults?a=${plain(`x${a}`)}&c=${plain(`x${b}`)}`],
  (a, b) => ['POST', '/rpc/with_defaults', JSON.stringify({ a, c: b })],
  (a, b) => ['GET', `/rpc/total?numbers=${plain(`x${a}`)}&numbers=${plain(`x${b}`)}`],
  (a) => ['POST', '/rpc/take_json', JSON.stringify({ [a]: a })],
];

test('values never reach the text of the statement', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SHAPES), value, value, (shape, a, b) => {
      expect(sqlFor(...shape(a, b)), JSON.stringify(shape(a, b))).toBe(sqlFor(...shape('harmless', 'value')));
    }),
    { numRuns: 2000 },
  );
  for (const shape of SHAPES)
    expect(sqlFor(...shape('harmless', 'value'))).toMatch(/^(with|select|insert|update|delete)/i);
});

/** Every text in a parsed statement, with the kind of node it stands in. */
function* textsOf(node: unknown, within = ''): Generator<{ within: string; text: string }> {
  if (Array.isArray(node)) {
    for (const one of node) yield* textsOf(one, within);
  } else if (node !== null && typeof node === 'object') {
    for (const [name, child] of Object.entries(node)) {
      if (typeof child === 'string') yield { within: `${within}.${name}`, text: child };
      else yield* textsOf(child, /^[A-Z]/.test(name) || name === 'sval' ? `${within}/${name}` : within);
    }
  }
}

const MARK = 'zqz';
const marked = noise.map((text) => `${MARK}${text}${MARK}`);
const SELECTS = [
  '*',
  'id',
  'id,home:ports!home_port_id(name)',
  'id,label',
  'n:name,tonnage::text',
  'id,cargo(kilos.sum())',
];

test('names of a client stay names, in one statement', async () => {
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'DELETE', 'PATCH', 'POST'),
      fc.constantFrom(...SELECTS),
      marked,
      marked,
      fc.constantFrom('name', 'kind', 'id', 'tonnage'),
      async (method, select, column, word, known) => {
        const filters = `${quoted(column)}=eq.${plain(word)}&${known}=eq.${plain(word)}&${known}->>${plain(word)}=eq.1`;
        const target = `/ships?select=${plain(select)},${quoted(column)}&${filters}&order=${quoted(column)}`;
        const text = sqlFor(method, target, method === 'GET' ? '' : JSON.stringify({ name: word }));
        if (text === '' || text.startsWith('refused: ')) return;
        written += 1;
        const tree = (await parse(text)) as { stmts?: unknown[] };
        expect(tree.stmts).toHaveLength(1);
        for (const { within, text: leaf } of textsOf(tree)) {
          if (!leaf.includes(MARK)) continue;
          // A column's name, an output's name; never a constant, a function, a type or an operator.
          expect(within, `${leaf} in ${text}`).toMatch(
            /\/ColumnRef\/String\.sval$|\/ResTarget\.name$|\/A_Const\/sval\.sval$/,
          );
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(written).toBeGreaterThan(100);
});
