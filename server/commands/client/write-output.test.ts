// Tables in a terminal and in a pipe.

import { expect, test } from 'vitest';
import type { Screen } from './client-command.ts';
import { cleanLine, sayFacts, sayTable, widthOf } from './write-output.ts';

function screen(more: Partial<Screen>): Screen & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    isTerminal: true,
    width: 40,
    hasColour: false,
    note: () => undefined,
    say: (line) => lines.push(line),
    lines,
    ...more,
  };
}

interface Row {
  readonly key: string;
  readonly title: string;
}
const columns = [
  { head: 'TASK', text: ({ key }: Row) => key },
  { head: 'TITLE', text: ({ title }: Row) => title, isElastic: true },
  { head: 'DUE', text: () => '2026-12-24' },
];
const rows = [
  { key: 'A-1', title: 'Short' },
  { key: 'LONG-100', title: 'A title that does not fit into the terminal' },
  { key: 'A-2', title: '起重机 é🚢' },
];

test('columns are aligned in a terminal, and the title is cut to its width', () => {
  const out = screen({});
  sayTable(out, columns, rows);
  expect(out.lines).toEqual([
    'TASK      TITLE               DUE',
    'A-1       Short               2026-12-24',
    'LONG-100  A title that does…  2026-12-24',
    'A-2       起重机 é🚢          2026-12-24',
  ]);
  for (const line of out.lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
});

test('whole values stand between tabs in a pipe, without heads', () => {
  const out = screen({ isTerminal: false, width: 10 });
  sayTable(out, columns, rows.slice(0, 2));
  expect(out.lines).toEqual([
    'A-1\tShort\t2026-12-24',
    'LONG-100\tA title that does not fit into the terminal\t2026-12-24',
  ]);
});

test('a value with tabs, breaks or commands to the terminal stays in its column', () => {
  expect(cleanLine('a\tb\r\nc\u001b[2J\u0007\u202e\u061cd')).toBe('a b c[2Jd');
  const out = screen({});
  sayFacts(out, [
    ['Due', null],
    ['Name', 'x'],
    ['Project', 'y\nz'],
  ]);
  expect(out.lines).toEqual(['Name     x', 'Project  y z']);
});
