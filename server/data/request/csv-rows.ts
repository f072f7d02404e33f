// A CSV body as the JSON text that Postgres takes apart, row by row. A long one is read in slices, so that others have their
// turn between them.

import { once } from 'node:events';
import { type Options, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { httpError } from '../../http/errors.ts';
import { DataError } from '../errors.ts';

const options: Options = { relax_column_count: true, skip_empty_lines: true, bom: true };
const slice = 64 * 1024;
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
      throw httpError('KB413', { message: `The body has more than ${mostValues} values`, hint: 'Send less at once.' });
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
  try {
    for (const cells of parseAtOnce(body, options) as string[][]) rows.take(cells);
  } catch (error) {
    throw asFault(error);
  }
  return rows;
}

export async function readLongCsv(body: Buffer): Promise<CsvRows> {
  const rows = new CsvRows();
  const parser = parse(options);
  parser.on('readable', () => {
    try {
      for (let cells = parser.read(); cells !== null; cells = parser.read()) rows.take(cells as string[]);
    } catch (error) {
      parser.destroy(error as Error);
    }
  });
  const ended = once(parser, 'end');
  // Awaited below; it may fail before.
  ended.catch(() => undefined);
  for (let at = 0; at < body.length && !parser.destroyed; at += slice) {
    parser.write(body.subarray(at, at + slice));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!parser.destroyed) parser.end();
  await ended.catch((error: unknown) => {
    throw asFault(error);
  });
  return rows;
}

const invalid = (message: string): DataError => new DataError('PGRST102', { message });

function asFault(error: unknown): unknown {
  const isOfText = error instanceof Error && (error as { code?: string }).code?.startsWith('CSV_') === true;
  return isOfText ? invalid(error.message) : error;
}
