// Output of client commands: tables, details and JSON. Texts of others never reach a terminal with control characters in them.

import type { Screen } from './client-command.ts';

export interface Column<T> {
  readonly head: string;
  readonly text: (row: T) => string;
  /** Cut where the terminal is too narrow. */
  readonly isElastic?: boolean;
  readonly tone?: Tone;
}

export type Tone = 'bold' | 'dim' | 'green' | 'red';
const tones: Readonly<Record<Tone, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  red: [31, 39],
};

const gap = '  ';
const least = 12;

export function openScreen(
  out: NodeJS.WriteStream,
  errors: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  const isTerminal = out.isTTY === true;
  return {
    isTerminal,
    width: out.columns ?? 80,
    hasColour: isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    say: (line) => void out.write(`${line}\n`),
    note: (line) => void errors.write(`${line}\n`),
  };
}

export function paint(screen: Screen, tone: Tone, text: string): string {
  const [on, off] = tones[tone];
  return screen.hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** Control characters could move the cursor or name a window, and marks of direction turn a line around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Of several lines. */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, '');
}

/** In one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim();
}

export function sayJson(screen: Screen, value: unknown): void {
  const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  screen.say(JSON.stringify(value, null, 2).replaceAll(unsafe, escaped));
}

export function sayTable<T>(screen: Screen, columns: readonly Column<T>[], rows: readonly T[]): void {
  const cells = rows.map((row) => columns.map((column) => cleanLine(column.text(row))));
  if (!screen.isTerminal) {
    for (const row of cells) screen.say(row.join('\t'));
    return;
  }
  const widths = columns.map(({ head }, at) => Math.max(widthOf(head), ...cells.map((row) => widthOf(row[at] ?? ''))));
  const over = widths.reduce((sum, width) => sum + width, gap.length * (columns.length - 1)) - screen.width;
  const elastic = columns.findIndex(({ isElastic }) => isElastic === true);
  if (over > 0 && elastic >= 0) widths[elastic] = Math.max(least, (widths[elastic] ?? 0) - over);
  const line = (row: readonly string[], toneOf: (at: number) => Tone | undefined): string =>
    row
      .map((cell, at) => {
        const text =
          at === row.length - 1 ? cut(cell, widths[at] ?? 0) : padded(cut(cell, widths[at] ?? 0), widths[at] ?? 0);
        const tone = toneOf(at);
        return tone === undefined ? text : paint(screen, tone, text);
      })
      .join(gap)
      .trimEnd();
  screen.say(
    line(
      columns.map(({ head }) => head),
      () => 'dim',
    ),
  );
  for (const row of cells) screen.say(line(row, (at) => columns[at]?.tone));
}

/** Pairs of a name and a value; those without a value are left out. */
export function sayFacts(screen: Screen, facts: readonly (readonly [name: string, value: string | null])[]): void {
  const said = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null && fact[1] !== '');
  const width = Math.max(...said.map(([name]) => name.length));
  for (const [name, value] of said)
    screen.say(
      screen.isTerminal
        ? `${paint(screen, 'dim', name.padEnd(width))}${gap}${cleanLine(value)}`
        : `${name}\t${cleanLine(value)}`,
    );
}

const marks = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** In columns of a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += marks.test(sign) ? 0 : wide.test(sign) ? 2 : 1;
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const sign of text) {
    if (widthOf(kept) + widthOf(sign) > width - 1) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));
