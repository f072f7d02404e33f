// Limits how much of a file is held in memory while others are served: counted in its text, before it is parsed. A few hundred kilobytes of
// zip can hold a hundred million empty objects, and a process that runs out of memory ends for everybody.

import { UnreadableFile } from './neutral.ts';

export interface MemoryLimits {
  /** Of a file that is read as a whole. */
  readonly bytes: number;
  /** Values of JSON, cells of a table. */
  readonly values: number;
  readonly objects: number;
  /** Of a project of ours that becomes a new one: its rows go by, their ids are kept. */
  readonly rows: number;
}

const comma = 44;
const quote = 34;
const backslash = 92;
const list = 91;
const object = 123;
/** A row of ours has far fewer. */
const mostOfRow = 200_000;

export class MemoryCounter {
  readonly #most: MemoryLimits;
  #values = 0;
  #objects = 0;
  #rows = 0;

  constructor(most: MemoryLimits) {
    this.#most = most;
  }

  checkBytes(name: string, size: number): void {
    const { bytes } = this.#most;
    if (size > bytes)
      throw tooMuch(`${name || 'The file'} has more than ${Math.floor(bytes / 1024 / 1024)} MB when it is unpacked`);
  }

  /** Of JSON that will be parsed and kept. */
  takeJson(text: string): void {
    const { values, objects } = count(text, this.#most.values - this.#values);
    this.takeCounted(values, objects);
  }

  takeCounted(values: number, objects: number): void {
    this.takeValues(values);
    this.#objects += objects;
    if (this.#objects > this.#most.objects) throw tooMuch(`The file has more than ${this.#most.objects} objects`);
  }

  takeValues(count: number): void {
    this.#values += count;
    if (this.#values > this.#most.values) throw tooMuch(`The file has more than ${this.#most.values} values`);
  }

  takeRow(): void {
    if (++this.#rows > this.#most.rows) throw tooMuch(`The file has more than ${this.#most.rows} rows`);
  }
}

/** Whether a row may be parsed, to be looked at and let go again. */
export function isRow(text: string): boolean {
  return text.length < mostOfRow || count(text, mostOfRow).values <= mostOfRow;
}

const tooMuch = (words: string): UnreadableFile =>
  new UnreadableFile(`${words}: export less at once, or bring it in by npx kanbase import.`);

/** Commas and openings outside of strings: of no JSON more is made. Goes no further than until there are more than enough. */
function count(text: string, enough: number): { readonly values: number; readonly objects: number } {
  let [values, objects, quoted] = [1, 0, false];
  for (let at = 0; at < text.length && values <= enough; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === backslash) at++;
      else if (code === quote) quoted = false;
    } else if (code === quote) quoted = true;
    else if (code === comma || code === list || code === object) {
      values++;
      if (code === object) objects++;
    }
  }
  return { values, objects };
}
