// The figures as a table and a plot: into docs/figures.md.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conditions } from './conditions.ts';
import type { Figure } from './figure.ts';
import type { StageFigure } from './measure-stages.ts';
import { writeFigures } from './write-figures.ts';

export interface Row {
  readonly name: string;
  readonly limit: Figure;
  readonly ours: Figure;
}

export interface Run {
  readonly connections: number;
  readonly seconds: number;
  /** To read the catalog of a thousand tables. */
  readonly catalogMs: number;
}

export function writeReport(rows: readonly Row[], stages: readonly StageFigure[], run: Run): void {
  writeFigures('data', table(rows, stages, run));
  writeFileSync(join(process.cwd(), 'docs', 'figures', 'data.svg'), plot(rows));
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = (row: Row): string => `${Math.round((100 * row.ours.perSecond) / row.limit.perSecond)} %`;
const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function table(rows: readonly Row[], stages: readonly StageFigure[], { connections, seconds, catalogMs }: Run): string {
  return `Taken on ${conditions('wrk', 'pgbench')}. ${connections} connections, ${seconds} s each.

| request | pgbench a second | Kanbase a second | share | Kanbase p50 | p99 | pgbench p50 | p99 | server CPU |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
${rows
  .map(
    (row) =>
      `| ${row.name} | ${count(row.limit.perSecond)} | ${count(row.ours.perSecond)} | ${percent(row)} | ${ms(row.ours.p50)} ms | ${ms(row.ours.p99)} ms | ${ms(row.limit.p50)} ms | ${ms(row.limit.p99)} ms | ${Math.round(row.ours.serverMicros ?? 0)} µs |`,
  )
  .join('\n')}

![Requests a second beside pgbench](figures/data.svg)

Parsing, planning and writing SQL: ${stages.map((figure) => `${figure.name} ${figure.micros.toFixed(1)} µs`).join(', ')}. The catalog of 1,000 tables is read in ${Math.round(catalogMs)} ms.
`;
}

/** Bars of both, longest first to last; colours that hold in light and dark. */
function plot(rows: readonly Row[]): string {
  const width = 860;
  const left = 270;
  const rowHeight = 46;
  const height = 70 + rows.length * rowHeight;
  const bars = rows.map((row, index) => {
    const y = 56 + index * rowHeight;
    const full = width - left - 150;
    const share = Math.min(1, row.ours.perSecond / row.limit.perSecond);
    return `<text x="${left - 14}" y="${y + 19}" text-anchor="end" class="name">${escapeXml(row.name)}</text>
<rect x="${left}" y="${y}" width="${full}" height="12" rx="2" class="limit"/>
<rect x="${left}" y="${y + 14}" width="${Math.round(full * share)}" height="12" rx="2" class="ours"/>
<text x="${left + full + 10}" y="${y + 10}" class="figure">${count(row.limit.perSecond)}</text>
<text x="${left + full + 10}" y="${y + 24}" class="figure strong">${count(row.ours.perSecond)} · ${percent(row)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests a second beside pgbench with the same statements">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f } .figure { font-size: 12px } .strong { font-weight: 600 } .limit { fill: #b8bfc7 } .ours { fill: #1f6feb }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .limit { fill: #5b636c } .ours { fill: #6ea8ff } }
</style>
<text x="${left}" y="22" class="strong">Requests a second, each beside its own limit</text>
<rect x="${left}" y="32" width="10" height="10" class="limit"/><text x="${left + 16}" y="41" class="figure">pgbench, the same statements pipelined</text>
<rect x="${left + 250}" y="32" width="10" height="10" class="ours"/><text x="${left + 266}" y="41" class="figure">Kanbase over HTTP</text>
${bars.join('\n')}
</svg>
`;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
