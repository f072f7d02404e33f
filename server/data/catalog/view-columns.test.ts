// Reading the stored rules of views.

import { expect, test } from 'vitest';
import { readOrigins } from './view-columns.ts';

const entry = (number: number, table: number, column: number, name = 'x'): string =>
  `{TARGETENTRY :expr {VAR :varno 1 :varattno ${column}} :resno ${number} :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk false}`;

test('the outermost list counts, whatever lies deeper', () => {
  const inner = `{QUERY :targetList (${entry(1, 999, 9)})}`;
  const rule = `({QUERY :rtable ({RTE :subquery ${inner}}) :targetList (${entry(1, 100, 3)} ${entry(2, 0, 0)} ${entry(3, 101, 1)}) :limit <>})`;
  expect(readOrigins(rule)).toEqual([
    { column: 1, originTable: 100, originColumn: 3 },
    { column: 3, originTable: 101, originColumn: 1 },
  ]);
});

test('brackets in names are escaped and mislead nobody', () => {
  const rule = `({QUERY :targetList (${entry(1, 100, 3, 'a\\}\\)\\(b')} ${entry(2, 100, 4)})})`;
  expect(readOrigins(rule)).toHaveLength(2);
});

test('anything else is no view', () => {
  expect(readOrigins('')).toEqual([]);
  expect(readOrigins('<>')).toEqual([]);
});
