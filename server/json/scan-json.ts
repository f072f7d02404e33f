// Checks JSON text byte by byte before anything is made of it: grammar, depth, values and the length of numbers. Keeps a
// few numbers only, stops at the first fault, and can be run in slices so that long bodies hold nobody up.

export interface JsonBounds {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Lists, objects, texts, numbers and the like, and names of members. */
  readonly values: number;
}

export type JsonFault = 'invalid' | 'too deep' | 'too many values' | 'number too long';

export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(
    readonly fault: JsonFault,
    readonly at: number,
    words: string,
  ) {
    super(words);
  }
}

/** Hears of what stands at the first two levels, with the bytes it takes; deeper levels are part of those. */
export interface JsonVisitor {
  /** The name of a member, with its quotes. */
  name(level: number, start: number, end: number): void;
  /** A value: `level` 0 is the whole text. */
  value(level: number, start: number, end: number): void;
  /** A list or an object begins. */
  opened(level: number, isObject: boolean): void;
}

const heardLevels = 2;
/** Longer ones are no measure of anything, and every reader after this one would have to work them out. */
const longestNumber = 1000;

const quote = 34;
const comma = 44;
const colon = 58;
const listOpens = 91;
const backslash = 92;
const listCloses = 93;
const objectOpens = 123;
const objectCloses = 125;

/** What may come next. Numbers, since this is looked at for every token. */
const value = 0;
const valueOrEnd = 1;
const name = 2;
const nameOrEnd = 3;
const nameEnds = 4;
const commaOrEnd = 5;
const nothing = 6;

export class JsonScan {
  readonly #bytes: Uint8Array;
  readonly #bounds: JsonBounds;
  readonly #visitor: JsonVisitor | null;
  /** Of each level: whether it is an object. */
  readonly #objects: boolean[] = [];
  /** Where the levels begin that are heard. */
  readonly #starts: number[] = [];
  #expected = value;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array, bounds: JsonBounds, visitor: JsonVisitor | null = null) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#visitor = visitor;
  }

  /** Goes on until about `until`; true when the whole text has been read. Throws JsonErrors. */
  run(until = this.#bytes.length): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    let expected = this.#expected;
    while (at < until) {
      const byte = bytes[at] as number;
      switch (byte) {
        case 32:
        case 10:
        case 13:
        case 9:
          at++;
          continue;
        case comma:
          if (expected !== commaOrEnd) throw invalid(at);
          expected = this.#objects[this.#objects.length - 1] ? name : value;
          at++;
          continue;
        case colon:
          if (expected !== nameEnds) throw invalid(at);
          expected = value;
          at++;
          continue;
        case quote: {
          const start = at;
          at = textEnd(bytes, at);
          if (expected === name || expected === nameOrEnd) {
            this.#count(start);
            expected = nameEnds;
            if (this.#objects.length <= heardLevels) this.#visitor?.name(this.#objects.length - 1, start, at);
            continue;
          }
          if (expected > valueOrEnd) throw invalid(start);
          expected = this.#ended(start, at);
          break;
        }
        case listOpens:
        case objectOpens:
          if (expected > valueOrEnd) throw invalid(at);
          this.#open(at, byte === objectOpens);
          expected = byte === objectOpens ? nameOrEnd : valueOrEnd;
          at++;
          break;
        case listCloses:
        case objectCloses: {
          const isObject = byte === objectCloses;
          if (expected !== commaOrEnd && expected !== (isObject ? nameOrEnd : valueOrEnd)) throw invalid(at);
          if (this.#objects.pop() !== isObject) throw invalid(at);
          expected = this.#ended(this.#starts[this.#objects.length] ?? 0, ++at);
          continue;
        }
        default: {
          if (expected > valueOrEnd) throw invalid(at);
          const start = at;
          at = byte === 45 || (byte >= 48 && byte <= 57) ? numberEnd(bytes, at) : wordEnd(bytes, at);
          expected = this.#ended(start, at);
        }
      }
      this.#count(at);
    }
    this.#at = at;
    this.#expected = expected;
    if (at < bytes.length) return false;
    if (expected !== nothing) throw invalid(at, 'unexpected end of the text');
    return true;
  }

  #count(at: number): void {
    const { values } = this.#bounds;
    if (++this.#values > values) throw new JsonError('too many values', at, `more than ${values} values`);
  }

  #open(at: number, isObject: boolean): void {
    const level = this.#objects.length;
    const { depth } = this.#bounds;
    if (level >= depth) throw new JsonError('too deep', at, `more than ${depth} levels deep`);
    if (level < heardLevels) {
      this.#starts[level] = at;
      this.#visitor?.opened(level, isObject);
    }
    this.#objects.push(isObject);
  }

  #ended(start: number, end: number): number {
    const level = this.#objects.length;
    if (level < heardLevels) this.#visitor?.value(level, start, end);
    return level === 0 ? nothing : commaOrEnd;
  }
}

const invalid = (at: number, words = 'unexpected character'): JsonError =>
  new JsonError('invalid', at, `${words} at position ${at}`);

function textEnd(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    if (byte < 32) throw invalid(at, 'a control character in a text');
    if (byte === backslash) at = escapeEnd(bytes, at + 1);
  }
  throw invalid(length, 'a text without an end');
}

/** The last byte of an escape. */
function escapeEnd(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 117:
      for (let digit = at + 1; digit <= at + 4; digit++)
        if (!isHex(bytes[digit])) throw invalid(digit, 'a bad escape in a text');
      return at + 4;
    // " / \ b f n r t
    case 34:
    case 47:
    case 92:
    case 98:
    case 102:
    case 110:
    case 114:
    case 116:
      return at;
    default:
      throw invalid(at, 'a bad escape in a text');
  }
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 45 ? start + 1 : start;
  at = bytes[at] === 48 ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === 46) at = digitsEnd(bytes, at + 1);
  if (bytes[at] === 69 || bytes[at] === 101) {
    at++;
    if (bytes[at] === 43 || bytes[at] === 45) at++;
    at = digitsEnd(bytes, at);
  }
  if (at - start > longestNumber)
    throw new JsonError('number too long', start, `a number of more than ${longestNumber} characters`);
  return at;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  const stop = start + longestNumber + 1;
  let at = start;
  while (at < stop && isDigit(bytes[at])) at++;
  if (at === start) throw invalid(at, 'a number that is none');
  return at;
}

const words: Readonly<Record<number, string>> = { 102: 'false', 110: 'null', 116: 'true' };

function wordEnd(bytes: Uint8Array, start: number): number {
  const word = words[bytes[start] as number];
  if (word === undefined) throw invalid(start);
  for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) throw invalid(start + at);
  return start + word.length;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;
const isHex = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 102);
