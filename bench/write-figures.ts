// docs/figures.md keeps its own words and gets what a run found between two marks, one pair for each bench.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `name` is the bench, or the part of a page of its own. */
export function writeFigures(name: string, figures: string, page = 'figures.md'): void {
  const file = join(process.cwd(), 'docs', page);
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`docs/${page} has lost the marks around its ${name}`);
  writeFileSync(file, `${text.slice(0, start)}${begin}\n${figures.trim()}\n${text.slice(stop)}`);
}
