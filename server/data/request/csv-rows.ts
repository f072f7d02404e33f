// A CSV body as the JSON text that Postgres takes apart, row by row. A long one is read in slices, so that others have their
// turn between them.

import { CsvError, type Options, parse } from 'csv-parse/sync';
import { httpError } from '../../http/errors.ts';
import { DataError } from '../errors.ts';

const options: Options = { relax_column_count: true, skip_empty_lines: true, bom: true };
const slice = 8 * 1024;
const mostValues = 1_000_000;

export class CsvRows {
  #names: readonly string[] = [];
  /** As members of an object. */
  #header: readonly string[] | null = null;
  readonly #rows: string[] = [];
  #values = 0;
  #isUneven = false;

  get columns(): readonly string[] {
    return this.#rows.length === 0 ? [] : [...new Set(this.#names)].sort();
  }

  /** Throws where it is no table. */
  json(): Buffer {
    if (this.#header === null) throw invalid('not enough input');
    if (this.#isUneven) throw invalid('All lines must have same number of fields');
    return Buffer.from(`[${this.#rows.join(',')}]`);
  }

  take(cells: readonly string[]): void {
    this.#values += cells.length;
    if (this.#values > mostValues)
      throw httpError('KB413', `The body has more than ${mostValues} values`, { hint: 'Send less at once.' });
    if (this.#header === null) {
      this.#names = [...cells];
      this.#header = cells.map((name) => JSON.stringify(name));
      return;
    }
    if (cells.length !== this.#header.length) this.#isUneven = true;
    const members = this.#header.map((name, index) => {
      const value = cells[index];
      return `${name}:${value === undefined || value === 'NULL' ? 'null' : JSON.stringify(value)}`;
    });
    this.#rows.push(`{${members.join(',')}}`);
  }
}

export function readCsv(body: Buffer): CsvRows {
  const rows = new CsvRows();
  take(rows, body);
  return rows;
}

export async function readLongCsv(body: Buffer): Promise<CsvRows> {
  const rows = new CsvRows();
  for (let at = 0; at < body.length; ) {
    const end = lineEnd(body, at);
    take(rows, body.subarray(at, end));
    at = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rows;
}

function take(rows: CsvRows, lines: Buffer): void {
  try {
    for (const cells of parse(lines, options) as string[][]) rows.take(cells);
  } catch (error) {
    throw asFault(error);
  }
}

/** Where a line ends that is about a slice away: a line break between quotes ends none. */
function lineEnd(body: Buffer, start: number): number {
  let isQuoted = false;
  for (let at = start; at < body.length; at++) {
    if (body[at] === 34) isQuoted = !isQuoted;
    else if (body[at] === 10 && !isQuoted && at - start >= slice) return at + 1;
  }
  return body.length;
}

const invalid = (message: string): DataError => new DataError('PGRST102', { message });

function asFault(error: unknown): unknown {
  return error instanceof CsvError ? invalid(error.message) : error;
}
