// Plots for pages of docs/: line and bar charts, with colours for light and dark.

interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface Plot {
  readonly title: string;
  /** What the course is, such as "seconds". */
  readonly across: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  /** Where on the course something happened; numbered. */
  readonly marks?: readonly number[];
}

const width = 860;
const colours = ['a', 'b', 'c', 'd'] as const;

export function plotLines({ title, across, unit, lines, marks = [] }: Plot): string {
  const height = 320;
  const box = { left: 64, right: 18, top: 64, bottom: 44 };
  const all = lines.flatMap(({ points }) => points);
  const mostX = Math.max(1, ...all.map(([x]) => x));
  const [stepY, mostY] = scale(Math.max(1, ...all.map(([, y]) => y)));
  const atX = (x: number): number => box.left + (x / mostX) * (width - box.left - box.right);
  const atY = (y: number): number => height - box.bottom - (y / mostY) * (height - box.top - box.bottom);
  const grid = Array.from({ length: Math.round(mostY / stepY) + 1 }, (_, at) => at * stepY).map(
    (y) =>
      `<line x1="${box.left}" x2="${width - box.right}" y1="${atY(y).toFixed(1)}" y2="${atY(y).toFixed(1)}" class="grid"/><text x="${box.left - 8}" y="${(atY(y) + 4).toFixed(1)}" text-anchor="end" class="small">${y.toLocaleString('en-US')}</text>`,
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = share * mostX;
    return `<text x="${atX(x).toFixed(1)}" y="${height - box.bottom + 18}" text-anchor="middle" class="small">${Math.round(x).toLocaleString('en-US')}</text>`;
  });
  const drawn = lines.map(
    ({ points }, at) =>
      `<polyline class="line ${colours[at % colours.length]}" points="${points.map(([x, y]) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(' ')}"/>`,
  );
  const legend = lines.map(
    ({ name }, at) =>
      `<line x1="${box.left + at * 200}" x2="${box.left + 20 + at * 200}" y1="42" y2="42" class="line ${colours[at % colours.length]}"/><text x="${box.left + 26 + at * 200}" y="46" class="small">${escapeXml(name)}</text>`,
  );
  const marked = marks.map(
    (x, at) =>
      `<line x1="${atX(x).toFixed(1)}" x2="${atX(x).toFixed(1)}" y1="${box.top}" y2="${height - box.bottom}" class="line b" stroke-dasharray="3 3"/><text x="${(atX(x) + 4).toFixed(1)}" y="${box.top + 10}" class="small">${at + 1}</text>`,
  );
  return picture(width, height, title, [
    `<text x="${box.left}" y="22" class="strong">${escapeXml(title)} (${escapeXml(unit)})</text>`,
    ...[...legend, ...grid, ...ticks, ...drawn, ...marked],
    `<text x="${width - box.right}" y="${height - 6}" text-anchor="end" class="small">${escapeXml(across)}</text>`,
  ]);
}

interface Bar {
  /** Of the whole width. */
  readonly share: number;
  readonly words: string;
}

/** For each row a bar of each series, in its colour. */
export function plotBars(
  title: string,
  series: readonly string[],
  rows: readonly { readonly name: string; readonly bars: readonly Bar[] }[],
): string {
  const [left, thick] = [270, 16];
  const full = width - left - 150;
  const rowHeight = series.length * thick + 14;
  const legend = series.map(
    (name, at) =>
      `<rect x="${left + at * 250}" y="32" width="10" height="10" class="${colours[at]}"/><text x="${left + 16 + at * 250}" y="41" class="small">${escapeXml(name)}</text>`,
  );
  const drawn = rows.map(({ name, bars }, index) => {
    const top = 56 + index * rowHeight;
    const each = bars.map(({ share, words }, at) => {
      const length = Math.round(full * Math.min(1, share));
      return `<rect x="${left}" y="${top + at * thick}" width="${length}" height="12" rx="2" class="${colours[at]}"/><text x="${left + length + 8}" y="${top + at * thick + 10}" class="small">${escapeXml(words)}</text>`;
    });
    return `<text x="${left - 14}" y="${top + (series.length * thick) / 2 + 4}" text-anchor="end">${escapeXml(name)}</text>\n${each.join('\n')}`;
  });
  return picture(width, 70 + rows.length * rowHeight, title, [
    `<text x="${left}" y="22" class="strong">${escapeXml(title)}</text>`,
    ...[...(series.length > 1 ? legend : []), ...drawn],
  ]);
}

export function picture(wide: number, high: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f } .small { font-size: 12px } .strong { font-weight: 600 } .grid { stroke: #d8dce1 } .line { fill: none; stroke-width: 2 }
.a { stroke: #1f6feb } .b { stroke: #c2571a } .c { stroke: #2f8553 } .d { stroke: #8250df } rect.a { fill: #1f6feb } rect.b { fill: #c2571a } rect.c { fill: #2f8553 } rect.d { fill: #8250df } .limit { stroke: #57606a; stroke-dasharray: 5 4 }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .grid { stroke: #3a4048 } .a { stroke: #6ea8ff } .b { stroke: #f0a06a } .c { stroke: #6cc792 } .d { stroke: #b99cf5 } rect.a { fill: #6ea8ff } rect.b { fill: #f0a06a } rect.c { fill: #6cc792 } rect.d { fill: #b99cf5 } .limit { stroke: #b8bfc7 } }
</style>
${parts.join('\n')}
</svg>
`;
}

/** A round step and how far the scale reaches. */
function scale(most: number): [step: number, most: number] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power * 10;
  return [step, Math.ceil(most / step) * step];
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
