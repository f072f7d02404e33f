// One line of CSV that a spreadsheet shows and never runs: what strangers typed into a form must stay text.

/** Without its line end. Cells a spreadsheet would read as a formula get an apostrophe in front. */
export function csvRow(cells: readonly (string | null)[]): string {
  return cells.map((cell) => quote(disarm(cell ?? ''))).join(',');
}

function disarm(cell: string): string {
  return /^[\s\p{C}]*[=+\-@|%＝＋－＠]/u.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",;\r\n\t']/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
