// No component and no hook writes into a ref while it draws: React may draw without showing what it drew, or draw twice.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isFunction, isNode, type Node, nameOf, parse, partsOf } from './helpers/syntax.ts';

/** Their callbacks run while the component draws, as its own statements do. */
const atOnce = ['useMemo', 'useState', 'useReducer'];

function writesWhileDrawing(tree: Node): string[] {
  const found: string[] = [];
  const look = (node: Node, name: string, draws: boolean): void => {
    if (draws && isWrite(node)) found.push(name);
    for (const [, part] of partsOf(node)) {
      const called = nameOf(part) ?? (isFunction(part) ? nameOf(node) : undefined);
      if (!isFunction(part)) look(part, name, draws);
      else if (called !== undefined && /^([A-Z]|use[A-Z])/.test(called)) look(part, called, true);
      else look(part, name, draws && isNode(node.callee) && atOnce.includes(String(node.callee.name)));
    }
  };
  look(tree, '', false);
  return found;
}

/** `ref.current = …`, `ref.current += …`, `ref.current++`. */
function isWrite({ type, left, argument }: Node): boolean {
  const target = type === 'AssignmentExpression' ? left : type === 'UpdateExpression' ? argument : null;
  return isNode(target) && isNode(target.property) && target.property.name === 'current';
}

test('components write into no ref while they draw', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(d|test)\.tsx?$/.test(name))
    .map((name) => join('web', name));
  expect(files.length).toBeGreaterThan(100);
  expect(
    files
      .filter((file) => readFileSync(file, 'utf8').includes('.current'))
      .flatMap((file) => writesWhileDrawing(parse(file)).map((name) => `${file.split(sep).join('/')} ${name}`)),
  ).toEqual([]);
});

test.each([
  ['a statement', 'function List() { const at = useRef(0); at.current = 1; return null; }', 'List'],
  ['in a block, in a loop', 'const useAt = () => { for (const a of all) { if (a) { at.current++; } } };', 'useAt'],
  ['in what is computed', 'function List() { return useMemo(() => { at.current = 1; return 2; }, []); }', 'List'],
  ['in what is drawn', 'function List() { return <p title={(at.current += 1)} />; }', 'List'],
])('a write while drawing is found: %s', (_, text, name) => {
  expect(writesWhileDrawing(parse('list.tsx', text))).toEqual([name]);
});

test.each([
  ['on a press', 'function List() { return <p onClick={() => { at.current = 1; }} />; }'],
  ['afterwards', 'function List() { useEffect(() => { at.current = 1; }); return null; }'],
  ['in a function of its own', 'function moveTo(at) { at.current = 1; }'],
])('a write at another time is allowed: %s', (_, text) => {
  expect(writesWhileDrawing(parse('list.tsx', text))).toEqual([]);
});
