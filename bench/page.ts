// Writes what a run found into docs/figures.md, which keeps its own words: between two marks, one pair for each bench, with its pictures and
// its long tables beside it. Numbers and tables look the same for all of them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvRow } from '../contract/csv-row.ts';
import type { MeasuredLine } from './figure.ts';
import { flag, isQuick } from './flag.ts';

interface Place {
  /** Pictures and long tables by their names below docs/figures. */
  readonly files?: Readonly<Record<string, string>>;
  /** A run of `--only=` writes it, too: it is whole by itself. */
  readonly part?: boolean;
}

/** `name` is the bench, or a part of it. A rough run, or a part of one, writes nothing. */
export function writeFigures(name: string, figures: string, place: Place = {}): void {
  const { files = {}, part = false } = place;
  if (process.argv.includes('--dry') || isQuick() || (!part && flag('only') !== null)) return;
  const docs = join(process.cwd(), 'docs');
  for (const [file, content] of Object.entries(files)) writeFileSync(join(docs, 'figures', file), content);
  const page = join(docs, 'figures.md');
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`docs/figures.md has lost the marks around its ${name}`);
  writeFileSync(page, `${text.slice(0, start)}${begin}\n${figures.trim()}\n${text.slice(stop)}`);
}

/** Columns whose heads begin with `>` hold numbers. */
export function table(heads: string, rows: readonly (readonly (string | number)[])[]): string {
  const columns = heads.split('|').map((head) => head.trim());
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const ruled = columns.map((head) => (head.startsWith('>') ? '---:' : '---')).join('|');
  return [row(columns.map((head) => head.replace(/^>\s*/, ''))), `|${ruled}|`, ...rows.map(row)].join('\n');
}

/** For a table too long for the page. */
export const csv = (heads: string, rows: readonly (readonly (string | number)[])[]): string =>
  [heads.split('|'), ...rows].map((cells) => `${csvRow(cells.map(String))}\n`).join('');

export const tableOfLines = (lines: readonly MeasuredLine[], wanted = 'wanted'): string =>
  table(
    `what | measured | ${wanted}`,
    lines.map((line) => [line.what, line.measured, line.wanted]),
  );

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : whole(value)} ms`;
export const ratio = (value = 0, beside = 1): string => (value / beside).toFixed(2);
