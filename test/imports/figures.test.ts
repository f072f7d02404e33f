// Estimates of a table in the marks of the language that wrote it.

import { expect, test } from 'vitest';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import { readFile } from '../../server/imports/products.ts';

test.each([
  ['1,500', ['1,500'], 1500],
  ['12,000', ['12,000', '1.5'], 12_000],
  ['1.500', ['1.500', '2,5'], 1500],
  ['1.500', ['1.500'], 1.5],
  ['1,5', ['1,5'], 1.5],
  ['1.234,5', ['1.234,5'], 1234.5],
  ['1,234.5', ['1,234.5'], 1234.5],
  ['3', ['3', '2,5'], 3],
  ['many', ['many'], null],
  ['-1', ['-1'], null],
  ['1,000,000', ['1,000,000'], null],
  ['1.2.3', ['1.2.3'], null],
  ['12.05.2026', ['12.05.2026'], null],
  ['5,10,15', ['5,10,15'], null],
  ['1..5', ['1..5'], null],
  ['1,234.5', ['1,234.5'], 1234.5],
])('%s in a column of %j is %j', async (_, column, figure) => {
  const lines = column.map((value, at) => `Task ${at},"${value}"`);
  const table = Buffer.from(['Title,Estimate', ...lines].join('\n'));
  const { project } = fitToLimits((await readFile(table, { fileName: 'table.csv' })).read);
  expect(project.tasks.at(0)?.estimate).toBe(figure);
});
