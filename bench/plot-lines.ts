// Lines over a course, as a picture for a page of docs/: colours that hold in light and dark.

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  /** What the course is, such as "seconds". */
  readonly across: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const width = 860;
const height = 320;
const box = { left: 64, right: 18, top: 64, bottom: 44 };
const colours = ['a', 'b', 'c', 'd'] as const;

export function plotLines({ title, across, unit, lines }: Plot): string {
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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f } .small { font-size: 12px } .strong { font-weight: 600 } .grid { stroke: #d8dce1 } .line { fill: none; stroke-width: 2 }
.a { stroke: #1f6feb } .b { stroke: #c2571a } .c { stroke: #2f8553 } .d { stroke: #8250df }
@media (prefers-color-scheme: dark) { text { fill: #e6e9ec } .grid { stroke: #3a4048 } .a { stroke: #6ea8ff } .b { stroke: #f0a06a } .c { stroke: #6cc792 } .d { stroke: #b99cf5 } }
</style>
<text x="${box.left}" y="22" class="strong">${escapeXml(title)} (${escapeXml(unit)})</text>
${[...legend, ...grid, ...ticks, ...drawn].join('\n')}
<text x="${width - box.right}" y="${height - 6}" text-anchor="end" class="small">${escapeXml(across)}</text>
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
