// Browser tests ask the catalog for texts of screens (test/browser/words.ts) and write none out, so that a better text costs no test.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { argumentTypes } from '../scripts/generate/messages.ts';
import { partsOf as filesOf, languages, readPart } from '../scripts/strings.mjs';
import { type Key, saying } from './browser/words.ts';
import { type Node, nameOf, parse, partsOf } from './helpers/syntax.ts';

/** What the server says to operators alone is on no screen of these tests. */
const silent = new Set(['settings', 'health']);
const textsIn = (language: string) =>
  new Map(filesOf(language).flatMap((part) => (silent.has(part) ? [] : [...readPart(language, part)])));
const texts = textsIn('en') as ReadonlyMap<Key, string>;
const others = languages().flatMap((language) => [...textsIn(language).values()]);
/** Names of columns, fields, options and projects that these tests have, and values that a server answers. */
const columns = ['Backlog', 'To do', 'In progress', 'Done', 'Review', 'Next'];
const named = [
  'First',
  'Second',
  'Size',
  'Website relaunch',
  'In Arbeit',
  'Large',
  'Small',
  'Plan',
  'Lifetime',
  'SMTP_URL',
];
const data = new Set([...columns, ...named, 'off', 'done', 'none', 'nobody']);
const straight = (text: string): string => text.replaceAll('’', "'");
const plain = new Set(others.filter((text) => /\p{L}{2}/u.test(text) && !text.includes('{')).map(straight));
/** Texts without their arguments. */
const pieces = others.flatMap((text) => straight(text).split(/\{\w+(?:, \w+)?(?:,[^{}]*)?|[{}]/)).join('\n');
/** Messages with arguments that begin with a word of their own and have another. */
const patterns = [...texts].flatMap(([key, text]) => {
  const asked = [...argumentTypes(text)];
  if (asked.length === 0) return [];
  const one = Object.fromEntries(asked.flatMap(([name, type]) => (type === 'number' ? [[name, 1]] : [])));
  const forms = new Set([saying(key).source, saying(key, one).source]);
  return [...forms].filter((form) => /^\^\p{L}{2,} .*\p{L}{2}/u.test(form)).map((form) => new RegExp(`${form}$`));
});

const isText = (words: string): boolean => {
  const text = straight(words);
  return !data.has(text) && (plain.has(text) || isPart(text) || patterns.some((one) => one.test(text)));
};
/** Several words of a text. */
function isPart(words: string): boolean {
  if (!/\p{L}{2,}\P{L}+\p{L}{2,}/u.test(words) || data.has(words)) return false;
  return new RegExp(`(?<![\\p{L}\\d])${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\d])`, 'u').test(
    pieces,
  );
}
/** A pattern holds several words of a text, or the one that a text begins with. */
function isPattern(source: string): boolean {
  const runs = source.replaceAll(/\\[a-zA-Z]/g, '|').split(/[^\p{L}' ]+/u);
  return runs.some((run) => {
    const words = run.trim();
    if (data.has(words)) return false;
    return isPart(words) || (/^\p{Lu}\p{Ll}{3,}$/u.test(words) && new RegExp(`^${words}(?!\\p{L})`, 'mu').test(pieces));
  });
}
/** Texts elsewhere than in places where screens are looked at: only those of several words are surely none of the test's own. */
const isLongText = (text: string): boolean => !data.has(text) && text.includes(' ') && plain.has(text);

/** How a test asks for it instead. */
function requestFor(words: string): string {
  const [run = ''] = words.split(/[^\p{L}' ]+/u).filter((part) => part.trim() !== '');
  const [whole] = [...texts].find(([, text]) => straight(text) === straight(words)) ?? [];
  if (whole !== undefined) return `t('${whole}')`;
  const [part = 'the.key'] = [...texts].find(([, text]) => straight(text).includes(straight(run.trim()))) ?? [];
  return `saying('${part}')`;
}

const finders = /^getBy(Text|Label|Placeholder|Title|AltText)$/;
const filters = /^(getByRole|filter|locator|selectOption)$/;
const options = new Set(['name', 'hasText', 'hasNotText', 'label']);
const matchers = /^to(Be|Equal|Contain|StrictEqual|ContainEqual|MatchObject)$/;
/** Calls whose arguments are typed or written down. */
const own = /^(test|describe|each|fill|type|insertText|pressSequentially|sql|rows|expectRows|insert|update|rpc)$/;

const calleeOf = (node: Node): string => {
  const callee = node.callee as Node;
  if (callee.type === 'CallExpression') return calleeOf(callee);
  const named = (callee.property ?? callee) as { readonly name?: string };
  return named.name ?? '';
};

/** A literal, or a template without expressions. */
function wordsOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral' || (node.expressions as Node[]).length > 0) return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('');
}

function writtenOut(tree: Node): string[] {
  const found: string[] = [];
  const walk = (node: Node, looked: boolean): void => {
    const words = wordsOf(node);
    if (words !== null && (looked ? isText(words) : isLongText(words))) found.push(words);
    const pattern = (node as { readonly regex?: { readonly pattern: string } }).regex?.pattern;
    if (pattern !== undefined && isPattern(pattern)) found.push(pattern);
    if (node.type === 'CallExpression') {
      const name = calleeOf(node);
      walk(node.callee as Node, false);
      for (const [at, argument] of (node.arguments as Node[]).entries()) {
        if (own.test(name) && !isFunctionLike(argument)) continue;
        walk(argument, matchers.test(name) || (at === 0 && (finders.test(name) || name === 'selectOption')));
        if (filters.test(name) && argument.type === 'ObjectExpression') walkOptions(argument);
      }
      return;
    }
    const still = looked && /Array|Object|Property|Conditional|Spread/.test(node.type);
    for (const [, part] of partsOf(node)) walk(part, still);
  };
  const walkOptions = (node: Node): void => {
    for (const property of node.properties as Node[])
      if (options.has(nameOf(property) ?? '')) walk(property.value as Node, true);
  };
  walk(tree, false);
  return [...new Set(found)];
}
const isFunctionLike = ({ type }: Node): boolean => type.includes('Function') || type === 'CallExpression';

test('no text of a screen is written out in a browser test', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^browser\/.*\.ts$|\.browser\.test\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    writtenOut(parse(join(import.meta.dirname, file))).map(
      (words) =>
        `${file}: “${words}” is written out: ask for it by its key, as in ${requestFor(words)} (browser/words.ts)`,
    ),
  );
  expect(found).toEqual([]);
});

test.each([
  ["page.getByRole('button', { name: 'Save' })"],
  ["page.getByText('Save')"],
  ['page.getByLabel(`Save`)'],
  ["page.locator('li').filter({ hasText: 'Link copied' })"],
  ["field.selectOption({ label: 'Nobody' })"],
  ["expect(await options.allInnerTexts()).toEqual(['HAR-1', 'Copy link'])"],
  ["page.getByText('Add a task to Dock')"],
  ["change('Next', 'Set due date…')"],
  ["page.getByText('Add a task to')"],
  ["page.getByLabel('Passwort')"],
  ['page.getByText(/^Last seen /)'],
  ['expect(names).toMatch(/Buy|Choose/)'],
])('a text is found in %s', (text) => expect(writtenOut(parse('story.ts', text))).toHaveLength(1));

test.each([
  ["test('Save', async () => {})"],
  ["page.getByLabel(t('common.name')).fill('Copy link')"],
  ["sample.expectRows('select title from tasks', [{ title: 'Copy link' }])"],
  ["page.getByRole('option', { name: 'Done' })"],
  ["page.keyboard.press('Delete')"],
  ['page.getByText(/^HAR-2 Paint the crane/)'],
  ['page.waitForURL(/sign-in/)'],
])('none is found in %s', (text) => expect(writtenOut(parse('story.ts', text))).toEqual([]));
