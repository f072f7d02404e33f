// Cells on the clipboard: read as spreadsheets write them, and what is written is read again.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTsv, writeTsv } from './tsv.ts';

test.each([
  [
    'a\tb\nc\td\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['one', [['one']]],
  ['', [['']]],
  ['\t', [['', '']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['"two\nlines"\t"say ""hi"""', [['two\nlines', 'say "hi"']]],
  ['5" pipe\tb', [['5" pipe', 'b']]],
  ['"never closed\tb', [['"never closed', 'b']]],
])('%j', (text, rows) => {
  expect(readTsv(text)).toEqual(rows);
});

test('written cells are read back the same', () => {
  const cell = fc.stringMatching(/^[ab"\t\n\r ]{0,6}$/);
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
        ),
      (rows) => {
        // A last row with nothing in it is a line break at the end.
        fc.pre(rows.length === 1 || rows.at(-1)?.join('') !== '' || (rows.at(-1)?.length ?? 0) > 1);
        expect(readTsv(writeTsv(rows))).toEqual(rows);
      },
    ),
  );
});
