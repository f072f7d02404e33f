// A file of rows and cells: its encoding, its separator, its lines. What the cells mean is the importer's business.

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { guessFields } from './fields.ts';
import type { MemoryCounter } from './memory-limits.ts';
import { type Problem, UnreadableFile } from './neutral.ts';
import { type Series, SeriesBuilder } from './series.ts';
import type { Source } from './source.ts';

export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: Series<Row>;
  readonly problems: readonly Problem[];
}

/** Of the first row, by the name of its column: ids of a whole file often begin alike. */
export const firstCell = ({ header, rows }: Table, name: string): string =>
  rows.at(0)?.cells[header.indexOf(name)] ?? '';

const mostRows = 250_000;
const mostColumns = 2_000;
const longestRow = 8 * 1024 * 1024;
const piece = 256 * 1024;
const startLength = 64 * 1024;

/** UTF-8 and UTF-16 as their marks say; what is neither is what Windows wrote before. */
function decoderOf(start: Buffer, isUtf8: boolean): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  return new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252');
}

/** `start`: the first of the text. */
interface Encoded {
  readonly start: string;
  readonly decoder: TextDecoder;
}

/** The text in UTF-8, without a mark. */
export function utf8Of(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) return Buffer.from(decoderOf(bytes, false).decode(bytes));
  return bytes.subarray(0, 3).equals(utf8Mark) ? bytes.subarray(3) : bytes;
}

const utf8Mark = Buffer.from('\ufeff');

/** The file is read twice and never held as a whole: first for what it is written in. */
export async function decoderFor(source: Pick<Source, 'stream'>): Promise<Encoded> {
  const checked = new TextDecoder('utf-8', { fatal: true });
  const starts: Buffer[] = [];
  let length = 0;
  let isText = true;
  for await (const bytes of (await source.stream()) as AsyncIterable<Buffer>)
    for (let at = 0; at < bytes.length; at += piece) {
      const one = bytes.subarray(at, at + piece);
      if (length < startLength) starts.push(Buffer.from(one.subarray(0, startLength - length)));
      length += one.length;
      isText &&= isDecoded(() => checked.decode(one, { stream: true }));
      if (!isText && length >= startLength) break;
    }
  isText &&= isDecoded(() => checked.decode());
  const start = Buffer.concat(starts);
  const decoder = decoderOf(start, isText);
  return { start: decoderOf(start, isText).decode(start, { stream: true }), decoder };
}

function isDecoded(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

/** NUL has no place in Postgres. */
async function* piecesOf(source: Pick<Source, 'stream'>, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const bytes of (await source.stream()) as AsyncIterable<Buffer>)
    for (let at = 0; at < bytes.length; at += piece)
      yield decoder.decode(bytes.subarray(at, at + piece), { stream: true }).replaceAll('\0', '');
  yield decoder.decode().replaceAll('\0', '');
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

/** `isKept` false: it is read for its columns and its faults, and no row beyond the first is held. */
export async function readTable(
  source: Pick<Source, 'stream'>,
  { start, decoder }: Encoded,
  { atOnce, keepsRows }: { readonly atOnce: MemoryCounter | null; readonly keepsRows: boolean },
): Promise<Table> {
  const problems: Problem[] = [];
  const rows = new SeriesBuilder<Row>();
  /** The first, which may turn out to be lines about the file itself. */
  let first: Row[] = [];
  let header: readonly string[] | null = null;
  let ended = 0;
  let count = 0;
  const parser = parse({
    delimiter: separatorOf(start),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: longestRow,
    on_skip: (error: CsvError | undefined) =>
      void problems.push({ kind: 'broken_row', line: ended + 1, about: error?.message ?? '' }),
  });
  try {
    for await (const { record, info } of Readable.from(piecesOf(source, decoder)).pipe(parser) as AsyncIterable<{
      record: string[];
      info: Info;
    }>) {
      atOnce?.takeValues(record.length);
      const line = ended + 1;
      ended = info.lines;
      if (header === null || isBelowPreamble(header, first, record)) {
        // Such as when it was written, and by which version.
        for (const before of [header ?? [], ...first.map(({ cells }) => cells)])
          if (header !== null) problems.push({ kind: 'of_the_project', line: null, about: before.join(' ') });
        first = [];
        count = 0;
        header = record.map((name) => name.trim());
        if (header.length > mostColumns) throw new UnreadableFile(`The file has more than ${mostColumns} columns.`);
        continue;
      }
      if (record.every((cell) => cell.trim() === '')) continue;
      if (++count > mostRows) throw new UnreadableFile(`The file has more than ${mostRows} rows.`);
      if (record.length > header.length)
        problems.push({ kind: 'too_many_cells', line, about: record.slice(header.length).join(' ') });
      if (first.length < longestPreamble) first.push({ line, cells: record });
      else if (keepsRows) {
        if (rows.count === 0) for (const one of first) rows.add(one);
        rows.add({ line, cells: record });
      }
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    problems.push({ kind: 'broken_row', line: ended + 1, about: (error as Error).message });
  }
  if (header === null) throw new UnreadableFile('The file is empty.');
  return { header, rows: rows.count === 0 ? first : rows.end(), problems };
}
