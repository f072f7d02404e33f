// The catalogs of errors and docs/errors.md: the same codes on both sides, each with words that help, each in use.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes, errorsMarkdown } from '../scripts/generate/errors.ts';
import { catalogs } from '../server/catalogs.ts';

const entries = catalogs.flatMap(({ catalog }) => Object.entries(catalog));

test('docs/errors.md and the shared list of codes say what the catalogs say', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsMarkdown());
  expect(readFileSync('contract/error-codes.ts', 'utf8')).toBe(errorCodes());
});

test('every code has a status, a cause and a way on, in whole sentences', () => {
  for (const [code, { status, when, next }] of entries) {
    expect(status, code).toBeGreaterThanOrEqual(300);
    expect(status, code).toBeLessThan(600);
    expect(when, code).toMatch(/^.{10,}\.$/s);
    expect(next, code).toMatch(/^.{4,}\.$/s);
  }
});

test('no code means two things', () => {
  const codes = entries.map(([code]) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('every code is in use, and every catalog is listed', () => {
  const sources = filesBelow('server').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const declaring = sources.filter(
    (file) => /declareErrors\(/.test(readFileSync(file, 'utf8')) && file !== 'server/errors.ts',
  );
  const texts = [...sources, ...filesBelow('sql')].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const unused = entries
    .map(([code]) => code)
    .filter(
      (code) =>
        !texts.some(({ file, text }) =>
          new RegExp(`\\b${code}\\b`).test(declaring.includes(file) ? withoutKeys(text) : text),
        ),
    );
  expect(unused).toEqual([]);
  // The catalogs of HTTP, the database and limits are one section.
  expect(declaring.length).toBe(new Set(catalogs.map(({ title }) => title)).size + 2);
});

/** A catalog's own line for a code is no use of it. */
function withoutKeys(text: string): string {
  return text.replaceAll(/^ {2}['"]?[\w]+['"]?: \{/gm, '');
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}
