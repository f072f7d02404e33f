// A project as Kanbase exports it has each row on a line of its own, so it is read line by line: its size is bound by the rows, not by what a text may
// be long. What was put differently by another program is no such file, and is read as any JSON is.

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const head = /^\{"format":"kanbase\.projects","version":\d+,/;
const table = /^"([a-z0-9_]{1,63})":\[/;
/** Nothing is made of these: what happened there is no history here. */
const notRead = new Set(['task_activity']);

/** The document, but for tables that are not needed; null where it is none, or is written otherwise. */
export async function readRows(stream: Readable): Promise<object | null> {
  const pieces = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true || !head.test(first.value.toString('latin1', 0, 200))) {
    stream.destroy();
    return null;
  }
  const input = Readable.from(
    (async function* () {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => pieces };
    })(),
  );
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const tables: Record<string, unknown[]> = {};
  let about: object | null = null;
  let rows: unknown[] | null = null;
  let isWhole = false;
  try {
    for await (const line of lines) {
      if (about === null) {
        const found = head.test(line) ? objectOf(`${line.replace(/,"tables":\{$/, '')}}`) : null;
        if (found === null) return null;
        about = found;
        continue;
      }
      if (line === '') continue;
      if (isWhole) return null;
      const begun = table.exec(line);
      if (begun !== null) {
        const [start, name = ''] = begun;
        rows = notRead.has(name) ? null : [];
        tables[name] = rows ?? [];
        isWhole = line.slice(start.length) === ']}}';
        continue;
      }
      isWhole = line.endsWith('}]}}');
      if (rows === null) continue;
      const row = objectOf(isWhole ? line.slice(0, -3) : line.replace(/\]?,?$/, ''));
      if (row === null) return null;
      rows.push(row);
    }
  } finally {
    lines.close();
    input.destroy();
    stream.destroy();
  }
  return isWhole ? { ...about, tables } : null;
}

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text.replaceAll('\\u0000', ''));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
