// A file of rows and cells: its encoding, its separator, its lines. What the cells mean is the importer's business.

import { Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import type { AtOnce } from './at-once.ts';
import { guessFields } from './fields.ts';
import { type Problem, UnreadableFile } from './neutral.ts';
import { shorten } from './shorten.ts';

export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
}

const mostRows = 250_000;
const mostColumns = 2_000;
const longestRow = 8 * 1024 * 1024;
const piece = 256 * 1024;

/** UTF-8 and UTF-16 as their marks say; what is neither is what Windows wrote before. */
export function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The separator that the first line with any has most of, outside quotes. */
function separatorOf(text: string): string {
  const counts = new Map([',', ';', '\t', '|'].map((separator) => [separator, 0]));
  let isQuoted = false;
  for (const letter of text.slice(0, 64 * 1024)) {
    if (letter === '"') isQuoted = !isQuoted;
    // Lines before the names of columns may have none.
    else if (!isQuoted && (letter === '\n' || letter === '\r') && [...counts.values()].some(Boolean)) break;
    else if (!isQuoted && counts.has(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const longestPreamble = 10;

/** Names of columns that some products have below lines about the file itself. */
function isBelowPreamble(header: readonly string[], rows: readonly Row[], record: readonly string[]): boolean {
  if (header.length > 1 || record.length < 3 || rows.length >= longestPreamble) return false;
  return (
    rows.every(({ cells }) => cells.length === 1) && guessFields(record).filter((field) => field !== 'keep').length >= 3
  );
}

/** Read in pieces, so that others are served meanwhile. */
export async function readTable(bytes: Buffer, atOnce: AtOnce | null = null): Promise<Table> {
  // NUL has no place in Postgres.
  const text = textOf(bytes).replaceAll('\0', '');
  const problems: Problem[] = [];
  const rows: Row[] = [];
  let header: readonly string[] | null = null;
  let ended = 0;
  const parser = parse({
    delimiter: separatorOf(text),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: longestRow,
    on_skip: (error: CsvError | undefined) =>
      void problems.push({ kind: 'broken_row', line: ended + 1, about: error?.message ?? '' }),
  });
  function* pieces(): Generator<string> {
    for (let at = 0; at < text.length; ) {
      const next = shorten(text.slice(at), piece);
      at += next.length;
      yield next;
    }
  }
  try {
    for await (const { record, info } of Readable.from(pieces()).pipe(parser) as AsyncIterable<{
      record: string[];
      info: Info;
    }>) {
      atOnce?.takeValues(record.length);
      const line = ended + 1;
      ended = info.lines;
      if (header === null || isBelowPreamble(header, rows, record)) {
        // Such as when it was written, and by which version.
        for (const before of [header ?? [], ...rows.map(({ cells }) => cells)])
          if (header !== null) problems.push({ kind: 'of_the_project', line: null, about: before.join(' ') });
        rows.length = 0;
        header = record.map((name) => name.trim());
        if (header.length > mostColumns) throw new UnreadableFile(`The file has more than ${mostColumns} columns.`);
        continue;
      }
      if (record.every((cell) => cell.trim() === '')) continue;
      if (rows.length >= mostRows) throw new UnreadableFile(`The file has more than ${mostRows} rows.`);
      if (record.length > header.length)
        problems.push({ kind: 'too_many_cells', line, about: record.slice(header.length).join(' ') });
      rows.push({ line, cells: record });
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    problems.push({ kind: 'broken_row', line: ended + 1, about: (error as Error).message });
  }
  if (header === null) throw new UnreadableFile('The file is empty.');
  return { header, rows, problems };
}
