import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Reader } from './reader.ts';

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const rethrow = (error: Error): void => {
  throw error;
};

test('the messages are the same however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('D', 'C', 'Z', 'T'), fc.uint8Array({ maxLength: 300 })), { maxLength: 20 }),
      fc.array(fc.nat(2000), { maxLength: 30 }),
      (messages, cuts) => {
        const stream = Buffer.concat(messages.map(([type, body]) => message(type, Buffer.from(body))));
        const seen: [string, number[]][] = [];
        const reader = new Reader((type, bytes, start, end) => {
          seen.push([String.fromCharCode(type), [...bytes.subarray(start, end)]]);
        }, rethrow);
        const places = [...new Set(cuts.map((cut) => cut % (stream.length + 1)))].sort((a, b) => a - b);
        let from = 0;
        for (const to of [...places, stream.length]) {
          // One buffer for all chunks, as a plain connection has it.
          reader.push(Buffer.from(stream.subarray(from, to)));
          from = to;
        }
        expect(seen).toEqual(messages.map(([type, body]) => [type, [...body]]));
      },
    ),
  );
});

test('large messages are read to where they will lie, whatever comes before and after them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.tuple(fc.constant('D'), fc.nat(120_000)),
          // Only messages that may be long are.
          fc.tuple(fc.constant('C'), fc.nat(29_000)),
        ),
        { maxLength: 6 },
      ),
      fc.integer({ min: 1, max: 70_000 }),
      (messages, most) => {
        const stream = Buffer.concat(messages.map(([type, size]) => message(type, Buffer.alloc(size, size % 251))));
        const seen: [string, number, boolean][] = [];
        const reader = new Reader((type, bytes, start, end) => {
          const same = bytes.subarray(start, end).equals(Buffer.alloc(end - start, (end - start) % 251));
          seen.push([String.fromCharCode(type), end - start, same]);
        }, rethrow);
        const lent = Buffer.alloc(most);
        for (let from = 0; from < stream.length; ) {
          const { wanted } = reader;
          const size = stream.copy(wanted ?? lent, 0, from, from + Math.min(most, (wanted ?? lent).length));
          if (wanted === null) reader.push(lent.subarray(0, size));
          else reader.filled(size);
          from += size;
        }
        expect(seen).toEqual(messages.map(([type, size]) => [type, size, true]));
      },
    ),
    { numRuns: 50 },
  );
});

test('a length that cannot be is refused', () => {
  const broken: string[] = [];
  const reader = new Reader(
    () => undefined,
    (error) => broken.push(error.message),
  );
  reader.push(Buffer.from([0x44, 0, 0, 0, 1]));
  expect(broken).toEqual([expect.stringMatching(/impossible length/)]);
});
