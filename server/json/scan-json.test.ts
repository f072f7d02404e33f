// Scanning agrees with the parser of the runtime about what is JSON, in one go and in slices, and stops at its bounds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkJson, parseJson } from './parse-json.ts';
import { JsonError, type JsonFault, JsonScan } from './scan-json.ts';

const wide = { depth: 1000, values: 100_000 };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function faultOf(text: string, bounds = wide, step = Number.POSITIVE_INFINITY): JsonFault | null {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes, bounds);
  try {
    for (let until = step; !scan.run(Math.min(until, bytes.length)); until += step);
    return null;
  } catch (error) {
    if (error instanceof JsonError) return error.fault;
    throw error;
  }
}

test('all that the parser makes is JSON here', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.nat({ max: 3 }), (text, indent) => {
      const other = JSON.stringify(JSON.parse(text), null, indent);
      expect([faultOf(text), faultOf(other), faultOf(other, wide, 3)]).toEqual([null, null, null]);
    }),
  );
});

test('the scanner refuses exactly the texts the parser refuses', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '""',
    '"\\u00e9"',
    '"\\x"',
    '"\\',
    '"',
    ' ',
    '\n',
    '\t',
    '1',
    '-',
  ];
  const more = [
    '0',
    '01',
    '1.',
    '.5',
    '1.5e3',
    '1e+',
    '1E-2',
    'true',
    'tru',
    'null',
    'nul',
    'false',
    '\u0001',
    'é',
    '\uFEFF',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      expect(faultOf(text) === null, text).toBe(isJson(text));
      expect(faultOf(text, wide, 1) === null, text).toBe(isJson(text));
    }),
    { numRuns: 3000 },
  );
});

test('texts with one byte changed are judged alike', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...'[]{},:"\\0-eE.tn '), (text, at, other) => {
      const place = at % (text.length + 1);
      const changed = text.slice(0, place) + other + text.slice(place + 1);
      expect(faultOf(changed) === null, changed).toBe(isJson(changed));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['[[[]]]', { depth: 2, values: 100 }, 'too deep'],
  ['[[[]]]', { depth: 3, values: 100 }, null],
  ['{"a":{"b":1}}', { depth: 1, values: 100 }, 'too deep'],
  ['[1,2,3]', { depth: 5, values: 3 }, 'too many values'],
  ['[1,2,3]', { depth: 5, values: 4 }, null],
  ['{"a":1,"a":1}', { depth: 5, values: 4 }, 'too many values'],
  [`[${'9'.repeat(1001)}]`, wide, 'number too long'],
  [`[0.${'9'.repeat(2000)}]`, wide, 'number too long'],
  [`[1e${'9'.repeat(2000)}]`, wide, 'number too long'],
  [`[${'9'.repeat(1000)}]`, wide, null],
])('%s within %o: %s', (text, bounds, fault) => {
  expect(faultOf(text as string, bounds as typeof wide)).toBe(fault);
});

test('a text with too many values is refused before it is parsed', () => {
  expect(() => parseJson(`[${'[],'.repeat(1000)}x`, { depth: 5, values: 100 })).toThrow('more than 100 values');
});

test('long texts are checked in turn: one short slice between two rounds of the event loop', async () => {
  const text = Buffer.from(`[${'[],'.repeat(300_000)}[]]`);
  let rounds = 0;
  let isOver = false;
  const countRound = (): void => {
    rounds++;
    if (!isOver) setImmediate(countRound);
  };
  setImmediate(countRound);
  const bounds = { depth: 5, values: 1_000_000 };
  await Promise.all([checkJson(text, bounds), checkJson(text, bounds)]);
  isOver = true;
  expect(rounds).toBeGreaterThan((2 * text.length) / (64 * 1024));
});

test('a text with a fault does not keep those in turn after it waiting', async () => {
  const text = (end: string): Buffer => Buffer.from(`[${'[],'.repeat(100_000)}${end}`);
  const bounds = { depth: 5, values: 1_000_000 };
  const [broken, whole] = await Promise.allSettled([checkJson(text('x'), bounds), checkJson(text('[]]'), bounds)]);
  expect([broken.status, whole.status]).toEqual(['rejected', 'fulfilled']);
});
