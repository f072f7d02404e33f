// Writes tables and plot of a growth run into docs/figures.md.

import { conditions } from './conditions.ts';
import { ratio, table, whole, writeFigures } from './page.ts';
import { picture } from './plots.ts';

export interface AxisFigures {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly rows: readonly GrowthRow[];
}

interface GrowthRow {
  readonly name: string;
  /** At each size. */
  readonly micros: readonly number[];
  /** To the smallest size. */
  readonly ratios: readonly number[];
}

export function writeGrowth(
  axes: readonly AxisFigures[],
  run: { readonly rounds: number; readonly most: number },
): void {
  const taken = `${conditions()}. One request at a time, by turns; the quickest of up to ${run.rounds} rounds counts.`;
  const tables = axes.map((axis) => tableOf(axis, run.most)).join('\n\n');
  writeFigures(
    'growth',
    `${taken}\n\n![How many times longer each request takes than at the smallest size](figures/growth.svg)\n\n${tables}`,
    { files: { 'growth.svg': plot(axes, run.most) } },
  );
}

const time = (micros: number): string =>
  micros < 10
    ? `${micros.toFixed(1)} µs`
    : micros < 1000
      ? `${micros.toFixed(0)} µs`
      : `${(micros / 1000).toFixed(1)} ms`;

/** Requests that grow by less are only in the picture. */
const worthALine = 1.2;

function tableOf({ name, unit, sizes, rows }: AxisFigures, most: number): string {
  const ratioOf = ({ ratios }: GrowthRow): number => Math.max(...ratios);
  const rising = rows.filter((row) => ratioOf(row) > worthALine);
  const lines = rising.map((row) => {
    const highest = ratioOf(row);
    const rate = highest > most ? `**${ratio(highest)}**` : ratio(highest);
    return [row.name, rate, time(row.micros[0] ?? 0), time(row.micros.at(-1) ?? 0)];
  });
  const heads = `${name}: ${unit} | >ratio | >${whole(sizes[0] ?? 0)} | >${whole(sizes.at(-1) ?? 0)}`;
  const rest = rows.length - rising.length;
  const more = rest === 0 ? '' : `\n\n${rest} more, at most ${worthALine.toFixed(1)}: in the picture.`;
  return `${table(heads, lines)}${more}`;
}

const panelWidth = 400;
const panelHeight = 260;
const left = 46;
const top = 64;
const shades = [
  '#1f6feb',
  '#d1242f',
  '#1a7f37',
  '#9a6700',
  '#8250df',
  '#bf3989',
  '#0a7ea4',
  '#953800',
  '#57606a',
  '#2da44e',
  '#6639ba',
  '#cf222e',
];

/** A panel for each axis: how many times longer each request takes than at the smallest size. */
function plot(axes: readonly AxisFigures[], most: number): string {
  const columns = 2;
  // Room for the largest, whatever it is.
  const highest =
    2 ** Math.ceil(Math.log2(Math.max(4, ...axes.flatMap(({ rows }) => rows.flatMap((row) => row.ratios)))));
  const most16 = Math.max(...axes.map(({ rows }) => rows.length));
  const full = panelHeight + 40 + most16 * 16;
  const height = Math.ceil(axes.length / columns) * full + 20;
  const panels = axes.map((axis, index) =>
    panel(axis, (index % columns) * (panelWidth + 40), Math.floor(index / columns) * full, { most, highest }),
  );
  return picture(
    columns * (panelWidth + 40),
    height,
    'How many times longer requests take in a larger instance',
    panels,
  );
}

/** `most` is a line across, `highest` where the panel ends. */
interface Scale {
  readonly most: number;
  readonly highest: number;
}

function panel({ name, unit, sizes, rows }: AxisFigures, x0: number, y0: number, { most, highest }: Scale): string {
  const width = panelWidth - left - 10;
  const height = panelHeight - top - 10;
  const [least = 1, largest = 1] = [sizes[0], sizes.at(-1)];
  const x = (size: number): number => x0 + left + (width * Math.log(size / least)) / Math.log(largest / least);
  const y = (ratio: number): number =>
    y0 + top + height * (1 - Math.log2(Math.max(ratio, 0.5) * 2) / Math.log2(highest * 2));
  const at = (value: number): string => value.toFixed(1);
  const powers = Array.from({ length: Math.log2(highest) + 2 }, (_, power) => 2 ** (power - 1));
  const grid = powers
    .filter((_, power) => powers.length <= 8 || power % 2 === 1)
    .map(
      (ratio) =>
        `<line x1="${x0 + left}" x2="${x0 + left + width}" y1="${at(y(ratio))}" y2="${at(y(ratio))}" class="grid"/><text x="${x0 + left - 8}" y="${at(y(ratio) + 4)}" text-anchor="end">${ratio} ×</text>`,
    );
  const marks = sizes.map(
    (size) => `<text x="${at(x(size))}" y="${y0 + top + height + 18}" text-anchor="middle">${whole(size)}</text>`,
  );
  const lines = rows.map(({ ratios }, index) => {
    const shade = shades[index % shades.length];
    const points = ratios.map((ratio, place) => `${at(x(sizes[place] ?? 1))},${at(y(ratio))}`).join(' ');
    return `<polyline points="${points}" class="line" stroke="${shade}"/>`;
  });
  const names = rows.map(({ name: request, ratios }, index) => {
    const line = y0 + panelHeight + 26 + index * 16;
    return `<rect x="${x0 + left}" y="${line - 9}" width="10" height="10" fill="${shades[index % shades.length]}"/><text x="${x0 + left + 16}" y="${line}">${request}: ${(ratios.at(-1) ?? 1).toFixed(2)} ×</text>`;
  });
  return `<text x="${x0 + left}" y="${y0 + 22}" class="strong">${name}</text><text x="${x0 + left}" y="${y0 + 40}">${unit}</text>
${grid.join('\n')}
<line x1="${x0 + left}" x2="${x0 + left + width}" y1="${at(y(most))}" y2="${at(y(most))}" class="limit"/>
${marks.join('\n')}
${lines.join('\n')}
${names.join('\n')}`;
}
