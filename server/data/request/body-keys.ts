// Keys of the rows in a JSON body, read from its bytes without parsing it: Postgres takes the body apart. Every row must
// have the keys of the first one.

import { httpError } from '../../http/errors.ts';
import { checkJson } from '../../json/parse-json.ts';
import { type JsonBounds, JsonError, type JsonFault, type JsonVisitor } from '../../json/scan-json.ts';
import { DataError } from '../errors.ts';

/** Ten bytes to a value, as the barest rows have; Postgres makes some hundred bytes of each. */
const bounds: JsonBounds = { depth: 1000, values: 1_000_000 };
/** A table of Postgres has 1,600 columns at most. */
const mostKeys = 5000;

export class BodyKeys implements JsonVisitor {
  readonly #bytes: Buffer;
  readonly #first = new Map<string, number>();
  /** As they stand in the first row, with their quotes. */
  readonly #written: Buffer[] = [];
  /** For each key of the first row, the row that had it last. */
  readonly #seenIn: number[] = [];
  #row = 0;
  #count = 0;
  #isUneven = false;
  #isRow = false;
  isObject = false;
  #hasRows = false;
  fault: JsonFault | null = null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Null where the rows differ. */
  get columns(): readonly string[] | null {
    return this.#isUneven ? null : [...this.#first.keys()].sort();
  }

  /** Nothing to be written: an empty list, or no list of rows. */
  get isEmpty(): boolean {
    return !this.isObject && !this.#hasRows;
  }

  opened(level: number, isObject: boolean): void {
    if (level === 0) this.isObject = isObject;
    else if (!this.isObject) this.#isRow = isObject;
  }

  name(level: number, start: number, end: number): void {
    if (level !== (this.isObject ? 0 : 1)) return;
    const place = this.#hasRows ? this.#place(start, end) : this.#add(start, end);
    if (place === undefined) this.#isUneven = true;
    else if (this.#seenIn[place] !== this.#row) {
      this.#seenIn[place] = this.#row;
      this.#count++;
    }
  }

  value(level: number): void {
    if (level !== 1 || this.isObject) return;
    if (!this.#isRow || this.#count !== this.#first.size) this.#isUneven = true;
    this.#isRow = false;
    this.#hasRows = true;
    this.#row++;
    this.#count = 0;
  }

  #add(start: number, end: number): number {
    const key = this.#key(start, end);
    const before = this.#first.get(key);
    if (before !== undefined) return before;
    const place = this.#first.size;
    if (place >= mostKeys) throw tooMuch(`A row of the body has more than ${mostKeys} keys`);
    this.#first.set(key, place);
    this.#written.push(this.#bytes.subarray(start, end));
    this.#seenIn.push(-1);
    return place;
  }

  /** Rows come in the order of the first one, mostly. */
  #place(start: number, end: number): number | undefined {
    const expected = this.#written[this.#count];
    if (expected !== undefined && this.#isAt(expected, start, end)) return this.#count;
    return end - start > 1000 ? undefined : this.#first.get(this.#key(start, end));
  }

  #isAt(expected: Buffer, start: number, end: number): boolean {
    if (expected.length !== end - start) return false;
    for (let at = 1; at < expected.length; at++) if (expected[at] !== this.#bytes[start + at]) return false;
    return true;
  }

  #key(start: number, end: number): string {
    return JSON.parse(this.#bytes.toString('utf8', start, end)) as string;
  }
}

/** A long body takes its time, a slice at a time. Throws, or rejects, where it holds too much; that it is no JSON is a fault to be told later. */
export function readBodyKeys(bytes: Buffer): BodyKeys | Promise<BodyKeys> {
  const keys = new BodyKeys(bytes);
  const failed = (error: unknown): BodyKeys => {
    if (!(error instanceof JsonError)) throw error;
    if (error.fault === 'too many values') throw tooMuch(`The body has ${error.message}`);
    if (error.fault !== 'invalid')
      throw new DataError('PGRST102', {
        message: error.fault === 'too deep' ? 'The body is nested too deeply' : `The body has ${error.message}`,
        hint: error.fault === 'too deep' ? `Send it with fewer levels: ${bounds.depth} are read.` : null,
      });
    keys.fault = error.fault;
    return keys;
  };
  try {
    const checking = checkJson(bytes, bounds, keys);
    return checking === undefined ? keys : checking.then(() => keys, failed);
  } catch (error) {
    return failed(error);
  }
}

const tooMuch = (message: string): Error => httpError('KB413', message, { hint: 'Send less at once.' });
