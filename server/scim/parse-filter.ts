// Parses filters (RFC 7644, 3.4.2.2) and the paths of PATCH (3.5.2) into trees. Length, depth and number of terms are bounded, so that no text
// takes long, here or in the database.

import { scimError } from './errors.ts';

export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type FilterValue = string | number | boolean | null;

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly items: readonly Filter[] }
  | { readonly kind: 'not'; readonly item: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'compare'; readonly path: string; readonly how: Comparison; readonly value: FilterValue }
  /** `emails[type eq "work"]`: one value that fits all of it. */
  | { readonly kind: 'some'; readonly path: string; readonly item: Filter };

/** `emails[type eq "work"].value`. */
export interface PatchPath {
  readonly path: string;
  readonly filter: Filter | null;
  readonly sub: string | null;
}

export const longestFilter = 4000;
const mostTerms = 50;
const deepest = 10;

type Refuse = (words: string) => Error;

/** Each expression stands for the next piece of the text, behind blanks. */
const pieces = {
  name: /\s*([a-z$][\w$:.-]*)/iy,
  text: /\s*("(?:[^"\\]|\\.)*")/y,
  number: /\s*(-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?)(?![\w.])/iy,
  open: /\s*(\()/y,
  close: /\s*(\))/y,
  openValues: /(\[)/y,
  closeValues: /\s*(\])/y,
  sub: /\.([a-z$][\w$-]*)/iy,
  end: /\s*()$/y,
} as const;

const comparisons: readonly string[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

class Reader {
  #at = 0;
  #terms = 0;
  readonly #text: string;
  readonly refuse: Refuse;

  constructor(text: string, refuse: Refuse) {
    this.#text = text;
    this.refuse = refuse;
    if (text.length > longestFilter) throw refuse(`It has more than ${longestFilter} characters`);
  }

  take(piece: keyof typeof pieces): string | null {
    const pattern = pieces[piece];
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[1] ?? '';
  }

  /** A name that is this word, letter case aside; any other stays. */
  takeWord(...words: string[]): string | null {
    const before = this.#at;
    const name = this.take('name')?.toLowerCase() ?? '';
    if (words.includes(name)) return name;
    this.#at = before;
    return null;
  }

  expect(piece: keyof typeof pieces, words: string): string {
    const found = this.take(piece);
    if (found === null) throw this.refuse(`${words} is missing at character ${this.#at + 1}`);
    return found;
  }

  countTerm(): void {
    if (++this.#terms > mostTerms) throw this.refuse(`It has more than ${mostTerms} terms`);
  }
}

export function parseFilter(text: string): Filter {
  const reader = new Reader(text, (words) => scimError('KB854', `The filter cannot be read. ${words}.`));
  const filter = readAny(reader, 0, false);
  reader.expect('end', 'The end');
  return filter;
}

export function parsePath(text: string): PatchPath {
  const reader = new Reader(text, (words) => scimError('KB855', `The path cannot be read. ${words}.`));
  const path = reader.expect('name', 'An attribute');
  const hasFilter = reader.take('openValues') !== null;
  const filter = hasFilter ? readAny(reader, 1, true) : null;
  if (hasFilter) reader.expect('closeValues', 'A bracket');
  const sub = hasFilter ? reader.take('sub') : null;
  reader.expect('end', 'The end');
  return { path, filter, sub };
}

function readAny(reader: Reader, depth: number, inValues: boolean): Filter {
  if (depth > deepest) throw reader.refuse(`It has more than ${deepest} levels`);
  const items = [readAll(reader, depth, inValues)];
  while (reader.takeWord('or') !== null) items.push(readAll(reader, depth, inValues));
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'or', items };
}

function readAll(reader: Reader, depth: number, inValues: boolean): Filter {
  const items = [readTerm(reader, depth, inValues)];
  while (reader.takeWord('and') !== null) items.push(readTerm(reader, depth, inValues));
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'and', items };
}

function readTerm(reader: Reader, depth: number, inValues: boolean): Filter {
  reader.countTerm();
  const negated = reader.takeWord('not') !== null;
  if (negated || reader.take('open') !== null) {
    if (negated) reader.expect('open', 'A parenthesis');
    const item = readAny(reader, depth + 1, inValues);
    reader.expect('close', 'A parenthesis');
    return negated ? { kind: 'not', item } : item;
  }
  const path = reader.expect('name', 'An attribute');
  if (!inValues && reader.take('openValues') !== null) {
    const item = readAny(reader, depth + 1, true);
    reader.expect('closeValues', 'A bracket');
    // `emails[type eq "work"].value eq "…"`, as Entra looks for people.
    const sub = reader.take('sub');
    return {
      kind: 'some',
      path,
      item: sub === null ? item : { kind: 'and', items: [item, readComparison(reader, sub)] },
    };
  }
  return readComparison(reader, path);
}

function readComparison(reader: Reader, path: string): Filter {
  if (reader.takeWord('pr') !== null) return { kind: 'present', path };
  const how = reader.takeWord(...comparisons) as Comparison | null;
  if (how === null) throw reader.refuse(`An operator is missing behind ${path}`);
  return { kind: 'compare', path, how, value: readValue(reader) };
}

function readValue(reader: Reader): FilterValue {
  const quoted = reader.take('text');
  if (quoted !== null) {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw reader.refuse('A text is no JSON string');
    }
  }
  const word = reader.takeWord('true', 'false', 'null');
  if (word !== null) return word === 'null' ? null : word === 'true';
  return Number(reader.expect('number', 'A value'));
}
