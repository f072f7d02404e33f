// A function past 120 lines holds two. Counted from its first line to its last, as a reader meets it, by the parser that bundles the app.
// The callback of a `describe` (or of `onEachStore`, which makes some) is a heading over tests, each of which is counted for itself.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isFunction, isNode, type Node, nameOf, parse } from './helpers/syntax.ts';

const most = 120;

function longOnes(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  // No part of a short file is long.
  if (text.split('\n').length <= most) return [];
  const found: string[] = [];
  const look = (node: Node, name: string): void => {
    const lines = text.slice(node.start, node.end).split('\n').length;
    // No part of a short node is long.
    if (lines <= most) return;
    if (isFunction(node)) found.push(`${file.split(sep).join('/')} ${nameOf(node) ?? name}`);
    for (const [part, value] of Object.entries(node)) {
      if (part === 'arguments' && isHeading(node)) for (const one of bodiesIn(value)) look(one, name);
      else for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) look(one, nameOf(node) ?? name);
    }
  };
  look(parse(file, text), '');
  return found;
}

/** `describe(…)`, `describe.each(…)(…)`. */
function isHeading({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  if (callee.type === 'Identifier') return callee.name === 'describe' || callee.name === 'onEachStore';
  return (
    isHeading(callee) ||
    (isNode(callee.object) && isHeading({ ...callee, type: 'CallExpression', callee: callee.object }))
  );
}

const bodiesIn = (given: unknown): Node[] =>
  (Array.isArray(given) ? given : []).filter(isNode).flatMap(({ body }) => (isNode(body) ? [body] : []));

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(directory, name));
}

test('no function is longer than can be read at once', () => {
  const long = ['server', 'web', 'test', 'bench', 'scripts'].flatMap(filesIn).flatMap(longOnes);
  expect(long).toEqual([]);
});
