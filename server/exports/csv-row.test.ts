import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvRow } from '../../contract/csv-row.ts';

it('comes back as it went in when it is harmless', () => {
  const cells = ['ada@example.com', 'a, "quoted" one', 'two\nlines', "it's", ''];
  expect(parse(`${csvRow(cells)}\r\n`)).toEqual([cells]);
  expect(csvRow(['a', null])).toBe('a,');
});

for (const cell of [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n@x',
  "=cmd|' /C calc'!A0",
  '＝1',
  '\u00a0=1',
  '\u200b=1',
  '=HYPERLINK("https://evil.test","x")@example.com',
  '|calc',
  '%1',
])
  it(`makes ${JSON.stringify(cell)} harmless`, () => {
    const [[read]] = parse(csvRow([cell]), { relax_quotes: false }) as [[string]];
    expect(read).toBe(`'${cell}`);
  });
