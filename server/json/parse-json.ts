// JSON from outside becomes a value only here, and only after it was counted: parsing takes up to a hundred times as long
// for a byte of `[[],[],…]` or of names that are all different as for one of ordinary rows.

import { type JsonBounds, JsonScan, type JsonVisitor } from './scan-json.ts';

/** Texts up to here are checked in one go, without a promise. */
export const shortText = 64 * 1024;
/** Of longer ones, bytes at a time: a quarter of a millisecond of the densest text. */
const slice = 8 * 1024;

/** Throws JsonErrors. */
export function parseJson(text: Buffer | string, bounds: JsonBounds): unknown {
  new JsonScan(typeof text === 'string' ? Buffer.from(text) : text, bounds).run();
  return JSON.parse(text.toString());
}

/** The same check of a text that is not parsed. Others have their turn between the slices of a long one, which is why that takes a promise. */
export function checkJson(
  bytes: Buffer,
  bounds: JsonBounds,
  visitor: JsonVisitor | null = null,
): Promise<void> | undefined {
  const scan = new JsonScan(bytes, bounds, visitor);
  if (bytes.length > shortText) return inTurn(scan, bytes.length);
  scan.run();
  return undefined;
}

interface Unfinished {
  readonly scan: JsonScan;
  readonly length: number;
  until: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Long texts in turn. One slice of one of them between two looks at the sockets, however many there are. */
const unfinished: Unfinished[] = [];

function inTurn(scan: JsonScan, length: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (unfinished.push({ scan, length, until: slice, resolve, reject }) === 1) setImmediate(checkNext);
  });
}

function checkNext(): void {
  const one = unfinished.shift();
  if (one === undefined) return;
  try {
    if (one.scan.run(Math.min(one.until, one.length))) one.resolve();
    else {
      one.until += slice;
      unfinished.push(one);
    }
  } catch (error) {
    one.reject(error);
  }
  if (unfinished.length > 0) setImmediate(checkNext);
}
