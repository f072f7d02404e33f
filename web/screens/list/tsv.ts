// Reads and writes cells as spreadsheets put them on the clipboard: a line a row, a tab between cells, quotes where needed.

export function writeTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

function quoted(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A quote counts only at the beginning of a cell; elsewhere it is an inch. The line break at the end makes no row. */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at) : readBare(text, at);
    rows.at(-1)?.push(cell);
    if (end >= text.length) break;
    if (text[end] !== '\t') {
      const next = end + (text.startsWith('\r\n', end) ? 2 : 1);
      if (next >= text.length) break;
      rows.push([]);
      at = next;
    } else at = end + 1;
  }
  return rows;
}

interface Cell {
  readonly cell: string;
  /** Where what follows the cell stands: a tab, a line break, the end. */
  readonly end: number;
}

function readBare(text: string, at: number): Cell {
  const found = /[\t\r\n]/.exec(text.slice(at));
  const end = found ? at + found.index : text.length;
  return { cell: text.slice(at, end), end };
}

function readQuoted(text: string, at: number): Cell {
  let cell = '';
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from);
    // Never closed: it was no such quote.
    if (close < 0) return readBare(text, at);
    cell += text.slice(from, close);
    if (text[close + 1] !== '"') {
      const rest = readBare(text, close + 1);
      return { cell: cell + rest.cell, end: rest.end };
    }
    cell += '"';
    from = close + 2;
  }
}
