// Everything a person reads comes from the catalog in web/strings: no words stand in the screens. And the catalog counts
// as people do: one task, two tasks.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { words } from '../../web/strings/words.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [part: string]: unknown;
}

/** Attributes, properties and arguments that people see or hear. */
const shownAttributes = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'description',
  'empty',
  'hint',
  'label',
  'placeholder',
  'title',
]);
/** Who tells, and which argument is the first that is told. */
const tellers: Readonly<Record<string, number>> = {
  alert: 0,
  announce: 0,
  complain: 0,
  confirm: 0,
  offer: 1,
  stay: 1,
  tell: 0,
  usePageTitle: 0,
};
/** Names of classes are written like properties that are shown. */
const silentParts = new Set(['classNames']);

const holdsWords = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2,}/u.test(text);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function partsOf(node: Node): Node[] {
  return Object.values(node).flatMap((part) =>
    Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : [],
  );
}

/** What a value may say: a literal, a template, or either side of a choice. */
function saysWords(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'Literal') return holdsWords(value.value);
  if (value.type === 'TemplateLiteral')
    return (value.quasis as { value: { cooked: string } }[]).some(({ value: { cooked } }) => holdsWords(cooked));
  if (value.type === 'JSXExpressionContainer') return saysWords(value.expression);
  if (value.type === 'ConditionalExpression') return saysWords(value.consequent) || saysWords(value.alternate);
  if (value.type === 'LogicalExpression') return saysWords(value.right);
  return false;
}

function speaks(node: Node): boolean {
  if (node.type === 'JSXText') return holdsWords(node.value);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as Node[]).some((child) => child.type === 'JSXExpressionContainer' && saysWords(child));
  if (node.type === 'JSXAttribute')
    return shownAttributes.has(String((node.name as Node).name)) && saysWords(node.value);
  if (node.type === 'Property') {
    const { name, value } = node.key as Node;
    return shownAttributes.has(String(name ?? value)) && saysWords(node.value);
  }
  if (node.type === 'CallExpression') {
    const from = tellers[String((node.callee as Node).name)];
    return from !== undefined && (node.arguments as unknown[]).slice(from).some(saysWords);
  }
  return false;
}

function spokenIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'Property' && silentParts.has(String((node.key as Node).name))) return;
    if (speaks(node)) found.push(`${file}:${text.slice(0, node.start).split('\n').length}`);
    for (const part of partsOf(node)) walk(part);
  };
  walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node);
  return found;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)],
  );
}

test('no words stand in the screens', () => {
  const files = filesBelow('web').filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file) && !file.startsWith(join('web', 'strings')),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(spokenIn)).toEqual([]);
});

test('what looks for words finds them', () => {
  const wrong = [
    '<p>Hello there</p>',
    '<p>{ready ? "Done" : null}</p>',
    '<p>{`Hello`}</p>',
    '<Field label="Name" />',
    '<img alt={big ? "A boat" : ""} />',
    'tell("Saved")',
    'const action = { label: "Go" };',
  ];
  for (const text of wrong) {
    let found = 0;
    const walk = (node: Node): void => {
      if (speaks(node)) found++;
      for (const part of partsOf(node)) walk(part);
    };
    walk(parseAst(text, { lang: 'tsx' }) as unknown as Node);
    expect([text, found]).toEqual([text, 1]);
  }
});

/** Numbers are 1, names are names; which is which is tried out. */
const tries = [
  [1, 1, 1, 1],
  ['it', 1, 1, 1],
  [1, 'it', 1, 1],
  ['it', 'it', 1, 1],
];

/** Every sentence of the catalog, those that count something with 1. */
function sentencesWithOne(part: unknown, path: string): [path: string, sentence: string][] {
  if (typeof part === 'string') return [[path, part]];
  if (typeof part === 'function')
    return tries.flatMap((given): [string, string][] => {
      try {
        return [[path, String((part as (...all: unknown[]) => unknown)(...given))]];
      } catch {
        return [];
      }
    });
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => sentencesWithOne(inner, `${path}.${name}`));
}

test('one of something is not told as many', () => {
  const many = /\b1 (?!(?:as|is|was|has|rests|begins)\b)\p{Ll}+s\b/u;
  expect(sentencesWithOne(words, 'words').filter(([, sentence]) => many.test(sentence))).toEqual([]);
});
