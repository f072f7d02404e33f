// Tests for answers that leave at fixed times: those that found nothing, where the time could tell of rows the caller may not see.

import { expect, test } from 'vitest';
import type { PlannedField, ReadNode, ReadPlan } from '../plan/plan.ts';
import { ALL_ROWS, type ApiRequest } from '../request/api-request.ts';
import { JSON_TYPE } from '../request/media-types.ts';
import { NO_PREFERENCES } from '../request/parse-preferences.ts';
import { respond } from './respond.ts';

const star: PlannedField = { name: '*', path: [], toJson: false, transform: null, toVector: null, wholeRow: false };
const films: ReadNode = {
  name: 'films',
  resultName: 'films',
  depth: 0,
  relationship: null,
  from: { schema: 'api', name: 'films' },
  rowAlias: 'films',
  joinAlias: '',
  parentAlias: '',
  inner: false,
  spread: null,
  select: [{ field: star, alias: null, cast: null, aggregate: null, aggregateCast: null }],
  filters: [],
  order: [],
  range: ALL_ROWS,
  children: [],
  spreadSelects: [],
  renamed: [],
  needsJoin: false,
};
const request = { preferences: NO_PREFERENCES, range: ALL_ROWS, query: { canonical: 'id=eq.1' } } as ApiRequest;
const layout = { rows: 0, body: 1, headers: 2, status: 3 };

function answer(rows: number, hides: boolean, read = films) {
  const plan: ReadPlan = {
    kind: 'read',
    read,
    name: read.from,
    handler: { kind: 'json' },
    mediaType: JSON_TYPE,
    headersOnly: false,
  };
  const row = [Buffer.from(String(rows)), Buffer.from(rows === 0 ? '[]' : '[{}]'), null, null];
  return respond(
    plan,
    { row, binaryBody: false, estimate: null },
    { request, layout, maxRows: null, hides: () => hides },
  );
}

test('an empty answer is timed if policies hide rows, and is otherwise the same', () => {
  const { isTimed, ...timed } = answer(0, true);
  expect(isTimed).toBe(true);
  expect({ ...timed, isTimed: false }).toEqual(answer(0, false));
});

test('rows, or none where none are hidden, are answered at once', () => {
  expect(answer(1, true).isTimed).toBe(false);
  expect(answer(0, false).isTimed).toBe(false);
});

test('a sum is one row, also of nothing', () => {
  const counted = { ...films, select: [{ ...films.select[0], aggregate: 'count' }] } as ReadNode;
  expect(answer(1, true, counted).isTimed).toBe(true);
});
