// A project as Kanbase exports it has each row on a line of its own, so it is read line by line: its size is bound by the rows, not by what a text may
// be long. What was put differently by another program is no such file, and is read as any JSON is.

import type { Readable } from 'node:stream';
import { isRow } from './memory-limits.ts';
import { historyTables, type Row, UnreadableFile } from './neutral.ts';
import { stripNul } from './strip-nul.ts';

const head = /^\{"format":"kanbase\.projects","version":\d+,/;
const table = /^"([a-z0-9_]{1,63})":\[/;
const longestLine = 64 * 1024 * 1024;

/** Tells of each table as it begins, and of each row with its table; the head of the document, or null where it is none, or is written otherwise. */
export async function readRows(
  stream: Readable,
  onTable: (name: string) => void,
  onRow: (name: string, row: Row, line: string) => void,
): Promise<object | null> {
  let about: object | null = null;
  let name: string | null = null;
  let isWhole = false;
  try {
    for await (const lines of linesOf(stream)) {
      if (lines === null) return null;
      for (const line of lines) {
        if (about === null) {
          about = head.test(line) ? objectOf(`${line.replace(/,"tables":\{$/, '')}}`) : null;
          if (about === null) return null;
          continue;
        }
        if (line === '') continue;
        if (isWhole) return null;
        const begun = table.exec(line);
        isWhole = /[}[]\]\}\}$/.test(line);
        if (begun !== null) {
          name = historyTables.has(begun[1] ?? '') ? null : (begun[1] ?? null);
          if (name !== null) onTable(name);
          continue;
        }
        if (name === null) continue;
        const row = rowOf(line);
        if (row === null) return null;
        onRow(name, row, line);
      }
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(`It cannot be read: ${(error as Error).message}`);
  } finally {
    stream.destroy();
  }
  return isWhole ? about : null;
}

/** Those of one table, of a file that was read so before; the file is read from its beginning. */
export async function* rowsOf(stream: Readable, wanted: string): AsyncGenerator<Row> {
  let isWanted = false;
  try {
    for await (const lines of linesOf(stream))
      for (const line of lines ?? []) {
        const begun = table.exec(line);
        if (begun !== null && isWanted) return;
        if (begun !== null) isWanted = begun[1] === wanted;
        else if (isWanted && line !== '') {
          const row = rowOf(line);
          if (row !== null) yield row;
        }
      }
  } finally {
    stream.destroy();
  }
}

/** Those that end in each piece of the file; null where one is longer than any of ours, or the beginning is another. */
async function* linesOf(stream: Readable): AsyncGenerator<readonly string[] | null> {
  let pieces: Buffer[] = [];
  let length = 0;
  let isFirst = true;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (isFirst && !head.test(piece.toString('latin1', 0, 200))) return yield null;
    isFirst = false;
    const end = piece.lastIndexOf(10);
    if (end < 0) {
      pieces.push(piece);
      length += piece.length;
      if (length > longestLine) return yield null;
      continue;
    }
    const lines = Buffer.concat([...pieces, piece.subarray(0, end)]).toString();
    pieces = [piece.subarray(end + 1)];
    length = piece.length - end - 1;
    yield lines.split(/\r?\n/);
  }
  yield Buffer.concat(pieces).toString().split(/\r?\n/);
}

/** Without what comes after it: the next one, the end of its table, or that of the file. */
const rowOf = (line: string): Row | null =>
  objectOf(line.endsWith('}]}}') ? line.slice(0, -3) : line.replace(/\]?,?$/, '')) as Row | null;

function objectOf(text: string): object | null {
  if (!isRow(text)) return null;
  try {
    const value: unknown = JSON.parse(stripNul(text));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
