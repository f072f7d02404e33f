// Series: a list that is read from its beginning to its end. Short ones are arrays; long ones are kept as packed blocks, so that 200,000
// tasks take a few megabytes in place of some hundred while they are checked, shown and written.

import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What arrays and packed series have in common. Values are plain JSON; those of a packed series are new objects at each reading. */
export interface Series<Value> extends Iterable<Value> {
  readonly length: number;
  map<Other>(change: (value: Value, at: number) => Other): Series<Other>;
  flatMap<Other>(change: (value: Value, at: number) => Other | readonly Other[]): Other[];
  some(test: (value: Value) => boolean): boolean;
  find(test: (value: Value) => boolean): Value | undefined;
  at(place: number): Value | undefined;
  reduce<Result>(add: (result: Result, value: Value) => Result, first: Result): Result;
  slice(from: 0, to: number): readonly Value[];
}

/** Up to here it stays an array. */
const few = 10_000;
const blockValues = 1000;
/** Values of several kilobytes fill a block sooner. */
const blockLength = 512 * 1024;

interface Block {
  readonly count: number;
  readonly bytes: Buffer;
}

/** Gathers values, and packs them once they are many. */
export class SeriesBuilder<Value> {
  readonly #blocks: Block[] = [];
  #values: Value[] = [];
  #texts: string[] = [];
  /** Of the block that is being filled: the others keep only what they have otherwise. */
  #first: Plain = {};
  #length = 0;
  #count = 0;
  #isPacked = false;

  add(value: Value): void {
    this.#count++;
    if (this.#isPacked) this.#take(value);
    else if (this.#values.push(value) > few) this.#pack();
  }

  /** A block as it is, in its place. */
  addBlock(block: Block): void {
    this.#pack();
    this.#flush();
    this.#count += block.count;
    this.#blocks.push(block);
  }

  get count(): number {
    return this.#count;
  }

  end(): Series<Value> {
    if (!this.#isPacked) return this.#values;
    this.#flush();
    return new PackedSeries<Value>(this.#blocks, this.#count);
  }

  #pack(): void {
    this.#isPacked = true;
    for (const one of this.#values) this.#take(one);
    this.#values = [];
  }

  #take(value: Value): void {
    const isFirst = this.#texts.length === 0;
    if (isFirst) this.#first = isPlain(value) ? value : {};
    const text = JSON.stringify(isFirst ? [value] : differenceOf(value, this.#first));
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#texts.length >= blockValues || this.#length >= blockLength) this.#flush();
  }

  #flush(): void {
    if (this.#texts.length === 0) return;
    const bytes = deflateRawSync(`[${this.#texts.join(',')}]`, { level: 1 });
    this.#blocks.push({ count: this.#texts.length, bytes });
    this.#texts = [];
    this.#length = 0;
  }
}

export function seriesOf<Value>(values: Iterable<Value>): Series<Value> {
  const builder = new SeriesBuilder<Value>();
  for (const value of values) builder.add(value);
  return builder.end();
}

class PackedSeries<Value> implements Series<Value> {
  readonly #blocks: readonly Block[];
  readonly length: number;

  constructor(blocks: readonly Block[], length: number) {
    this.#blocks = blocks;
    this.length = length;
  }

  *[Symbol.iterator](): Iterator<Value> {
    for (const block of this.#blocks) yield* unpacked<Value>(block);
  }

  /** Blocks in which nothing changes are kept as they are. */
  map<Other>(change: (value: Value, at: number) => Other): Series<Other> {
    const builder = new SeriesBuilder<Other>();
    let at = 0;
    for (const block of this.#blocks) {
      const before = unpacked<Value>(block);
      const after = before.map((value) => change(value, at++));
      if (after.every((value, index) => Object.is(value, before[index]))) builder.addBlock(block);
      else for (const value of after) builder.add(value);
    }
    return builder.end();
  }

  flatMap<Other>(change: (value: Value, at: number) => Other | readonly Other[]): Other[] {
    const all: Other[] = [];
    let at = 0;
    for (const value of this) all.push(...([change(value, at++)].flat() as Other[]));
    return all;
  }

  some(test: (value: Value) => boolean): boolean {
    for (const value of this) if (test(value)) return true;
    return false;
  }

  find(test: (value: Value) => boolean): Value | undefined {
    for (const value of this) if (test(value)) return value;
    return undefined;
  }

  at(place: number): Value | undefined {
    let left = place < 0 ? this.length + place : place;
    for (const block of this.#blocks) {
      if (left < block.count) return unpacked<Value>(block)[left];
      left -= block.count;
    }
    return undefined;
  }

  reduce<Result>(add: (result: Result, value: Value) => Result, first: Result): Result {
    let result = first;
    for (const value of this) result = add(result, value);
    return result;
  }

  slice(_from: 0, to: number): readonly Value[] {
    const first: Value[] = [];
    for (const value of this) {
      if (first.length >= to) break;
      first.push(value);
    }
    return first;
  }
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that are not as those of `first`; what has not the same names, or is no object, stands whole in a list of one. */
function differenceOf(value: unknown, first: Plain): unknown {
  if (!isPlain(value)) return [value];
  const different: Record<string, unknown> = {};
  for (const name in first) if (!Object.hasOwn(value, name)) return [value];
  for (const name in value) {
    if (name === '__proto__' || value[name] === undefined) return [value];
    const [one, other] = [value[name], first[name]];
    if (one !== other && !(isEmptyList(one) && isEmptyList(other))) different[name] = one;
  }
  return different;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function unpacked<Value>({ bytes }: Block): Value[] {
  const all = JSON.parse(inflateRawSync(bytes).toString()) as (Value | readonly [Value])[];
  const [begins] = all[0] as readonly [Value];
  const first = isPlain(begins) ? begins : {};
  return all.map((one) => (Array.isArray(one) ? (one[0] as Value) : ({ ...first, ...one } as Value)));
}
