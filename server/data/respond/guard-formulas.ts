// CSV that a spreadsheet may open: a cell that it would take for a formula gets an apostrophe in front, which makes it
// text. Numbers stay numbers.

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** One cell with what ends it: quoted, with doubled quotes inside, or plain. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

export function guardFormulas(csv: Buffer): Buffer {
  const text = csv.toString();
  let guarded = '';
  let at = 0;
  while (at < text.length) {
    CELL.lastIndex = at;
    const match = CELL.exec(text);
    // What does not read as a cell is passed on as it is.
    if (match === null) break;
    const [whole, quoted, bare = '', end = ''] = match;
    const value = quoted ?? bare;
    if (!/^[=+\-@\t\r]/.test(value) || NUMBER.test(value)) guarded += whole;
    else guarded += quoted === undefined ? `'${value}${end}` : `"'${value}"${end}`;
    at += whole.length;
  }
  return Buffer.from(guarded + text.slice(at));
}
