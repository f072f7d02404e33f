// JSON from outside becomes a value only here, and only after it was counted: parsing takes up to a hundred times as long
// for a byte of `[[],[],…]` or of names that are all different as for one of ordinary rows.

import { type JsonBounds, JsonScan, type JsonVisitor } from './scan-json.ts';

/** Bytes that are checked in one go. */
const slice = 256 * 1024;

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
  return scan.run(Math.min(slice, bytes.length)) ? undefined : goOn(scan, bytes.length);
}

async function goOn(scan: JsonScan, length: number): Promise<void> {
  for (let until = 2 * slice; ; until += slice) {
    await new Promise((resolve) => setImmediate(resolve));
    if (scan.run(Math.min(until, length))) return;
  }
}
