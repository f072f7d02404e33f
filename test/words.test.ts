// Wording rules that a machine can check: head comments begin with a noun or a verb, never with a question word, and
// commit titles are imperative and short.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultOfTitle } from '../scripts/check-commit-title.mjs';

const root = join(import.meta.dirname, '..');
const question = /^(what|who|whose|whoever|whatever|whether|how|where|which|when|why|nobody)\b/i;

/** First line of a file's head comment, without its mark. */
const headOf = (path: string): string => /^(?:\/\/|--) ?(.*)/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';

test.each(['server', 'web', 'test', 'bench', 'scripts'])('heads of %s begin with no question word', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(ts|tsx|mjs|mts)$/.test(path),
  );
  expect(files.length).toBeGreaterThan(10);
  const questions = files.map((path) => `${folder}/${path}: ${headOf(join(root, folder, path))}`);
  expect(questions.filter((line) => question.test(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});

test('messages name commands as they are typed in a checkout and out of it: npx kanbase …', () => {
  const commands = readdirSync(join(root, 'server/commands')).map((file) => file.replace(/\.ts$/, ''));
  const bare = new RegExp(`(?<!npx )\\bkanbase (${commands.join('|')})\\b`);
  const found = ['server', 'web/strings'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|json)$/.test(path))
      .flatMap((path) => {
        const lines = readFileSync(join(root, folder, path), 'utf8').split('\n');
        // A comment is read by nobody who types commands, and the name of a lock is none.
        const said = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && !line.includes('hashtextextended'));
        return said.filter((line) => bare.test(line)).map((line) => `${folder}/${path}: ${line.trim()}`);
      }),
  );
  expect(commands).toContain('doctor');
  expect(found).toEqual([]);
});

describe('a commit title', () => {
  test.each([
    'Keep status and headers set by an RPC out of other responses',
    'Read imported files in a worker with a deadline',
    "Merge branch 'grants'",
    'Revert "Add a worker"',
  ])('is accepted: %s', (title) => expect(faultOfTitle(title)).toBeNull());

  test.each([
    ['What a procedure says of its answer is said of no other answer', 'question word'],
    ['A deadlock is tried again', 'verb'],
    ['The page of fuzzing is of today’s code', 'verb'],
    ['Added a worker', 'verb'],
    ['Adding a worker', 'verb'],
    ['add a worker', 'capital'],
    ['Add a worker.', 'full stop'],
    [`Add ${'x'.repeat(70)}`, '72'],
    ['', 'empty'],
  ])('is refused: %s', (title, word) => expect(faultOfTitle(title)).toContain(word));
});
