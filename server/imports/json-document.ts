// A JSON document whose long lists are not parsed as a whole: of a list at its top, or one level below, it is known where each value stands,
// and a value is parsed when it is read. Everything else, and every short list, is parsed at once.

import type { MemoryCounter } from './memory-limits.ts';
import { UnreadableFile } from './neutral.ts';
import type { Series } from './series.ts';
import { stripNul } from './strip-nul.ts';

const listOpens = 91;
const listCloses = 93;
const objectOpens = 123;
const objectCloses = 125;
const quote = 34;
const backslash = 92;
const comma = 44;
/** Shorter lists are arrays. */
const few = 2000;
/** A list that is read apart is at most so deep. */
const deepest = 2;

/** `bytes`: UTF-8 without a mark. */
export function readDocument(bytes: Buffer, atOnce: MemoryCounter | null): unknown {
  const secret = `list ${crypto.randomUUID()} `;
  const lists: (unknown[] | JsonList)[] = [];
  /** What is no value of a list that is read apart. */
  const rest: string[] = [];
  /** Beginnings and ends of the values of the list that is open. */
  let places: number[] = [];
  let [depth, listDepth, from, values, objects] = [0, 0, 0, 1, 0];
  const count = (): void => {
    atOnce?.takeCounted(values, objects);
    [values, objects] = [0, 0];
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) {
      values++;
      if (depth !== listDepth || depth === 0) continue;
      places.push(from, at);
      from = at + 1;
      count();
    } else if (byte === listOpens || byte === objectOpens) {
      depth++;
      values++;
      if (byte === objectOpens) objects++;
      else if (listDepth === 0 && depth <= deepest) {
        rest.push(bytes.toString('utf8', from, at));
        listDepth = depth;
        from = at + 1;
      }
    } else if (byte === listCloses || byte === objectCloses) {
      if (byte === listCloses && depth === listDepth && listDepth > 0) {
        places.push(from, at);
        rest.push(JSON.stringify(`${secret}${lists.length}`));
        lists.push(listOf(bytes, places));
        places = [];
        listDepth = 0;
        from = at + 1;
        count();
      }
      depth--;
    }
  }
  count();
  if (listDepth > 0) throw notJson('it ends within a list');
  rest.push(bytes.toString('utf8', from));
  return withLists(parsed(rest.join('')), secret, lists);
}

/** Of the quote that ends a text; the end of all where there is none. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash && end - 1 - escapes > start) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}

function listOf(bytes: Buffer, places: readonly number[]): unknown[] | JsonList {
  if (places.length === 2 && bytes.toString('utf8', places[0], places[1]).trim() === '') return [];
  const list = new JsonList(bytes, Uint32Array.from(places));
  return list.length > few ? list : [...list];
}

/** Values of a list, each parsed anew whenever it is read. */
export class JsonList implements Series<unknown> {
  readonly #bytes: Buffer;
  /** Two for each value. */
  readonly #places: Uint32Array;

  constructor(bytes: Buffer, places: Uint32Array) {
    this.#bytes = bytes;
    this.#places = places;
  }

  get length(): number {
    return this.#places.length / 2;
  }

  at(place: number): unknown {
    const index = place < 0 ? this.length + place : place;
    const [start, end] = [this.#places[index * 2], this.#places[index * 2 + 1]];
    return end === undefined ? undefined : parsed(this.#bytes.toString('utf8', start, end));
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let at = 0; at < this.length; at++) yield this.at(at);
  }

  map<Other>(change: (value: unknown, at: number) => Other): Other[] {
    return Array.from(this, change);
  }

  flatMap<Other>(change: (value: unknown, at: number) => Other | readonly Other[]): Other[] {
    return Array.from(this, change).flat() as Other[];
  }

  some(test: (value: unknown) => boolean): boolean {
    for (const value of this) if (test(value)) return true;
    return false;
  }

  find(test: (value: unknown) => boolean): unknown {
    for (const value of this) if (test(value)) return value;
    return undefined;
  }

  reduce<Result>(add: (result: Result, value: unknown) => Result, first: Result): Result {
    let result = first;
    for (const value of this) result = add(result, value);
    return result;
  }

  slice(_from: 0, to: number): unknown[] {
    return Array.from({ length: Math.min(to, this.length) }, (_, at) => this.at(at));
  }

  /** In the order of a number; those that have the same stay in their order. */
  sortedBy(placeOf: (value: unknown) => number): JsonList {
    const numbers = new Float64Array(this.length);
    // In turn: `from` would hold all values at once.
    for (let at = 0; at < this.length; at++) numbers[at] = placeOf(this.at(at));
    const order = Uint32Array.from(numbers.keys()).sort(
      (one, other) => (numbers[one] as number) - (numbers[other] as number) || one - other,
    );
    const places = new Uint32Array(this.#places.length);
    for (const [at, index] of order.entries()) places.set(this.#places.subarray(index * 2, index * 2 + 2), at * 2);
    return new JsonList(this.#bytes, places);
  }
}

function withLists(value: unknown, secret: string, lists: readonly unknown[]): unknown {
  const listFor = (one: unknown): unknown =>
    typeof one === 'string' && one.startsWith(secret) ? lists[Number(one.slice(secret.length))] : one;
  const whole = listFor(value);
  if (whole !== value || typeof value !== 'object' || value === null) return whole;
  for (const [name, member] of Object.entries(value)) {
    const list = listFor(member);
    if (list !== member)
      Object.defineProperty(value, name, { value: list, enumerable: true, configurable: true, writable: true });
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(stripNul(text));
  } catch (error) {
    throw notJson((error as Error).message);
  }
}

const notJson = (why: string): UnreadableFile => new UnreadableFile(`The file is no JSON: ${why.slice(0, 200)}`);
