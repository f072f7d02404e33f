// Everything a person reads comes from the catalogs in web/strings: no words stand in the screens, no text is fixed when a
// module is loaded, no message is missing or unused in any language, and counts read as people say them: one task, two tasks.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import { expect, onTestFinished, test } from 'vitest';
import { argumentTypes } from '../../scripts/generate/messages.ts';
import { linkFaults, textsOf, translationFaults } from '../../scripts/generate/translation-faults.ts';
import { partsOf as filesOf, languages, linksOf, readPart } from '../../scripts/strings.mjs';
import { languages as offered } from '../../web/strings/language.ts';
import { isNode, type Node, parse, partsOf } from '../helpers/syntax.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

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
/** Functions that show messages, and which argument is the first that is shown. */
const tellers: Readonly<Record<string, number>> = {
  announce: 0,
  showError: 0,
  showMessage: 0,
  showOffer: 1,
  usePageTitle: 0,
};
/** Names of classes are written like properties that are shown. */
const silentParts = new Set(['classNames']);

const holdsWords = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2,}/u.test(text);

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

/** In which places words are shown. */
function wordsIn(tree: Node): number[] {
  const found: number[] = [];
  const walk = (node: Node): void => {
    if (node.type === 'Property' && silentParts.has(String((node.key as Node).name))) return;
    if (speaks(node)) found.push(node.start);
    for (const [, part] of partsOf(node)) walk(part);
  };
  walk(tree);
  return found;
}

/** Calls of `t` outside of any function: they would keep the language that was there when the module was loaded. */
function textsOfModules(tree: Node): number[] {
  const found: number[] = [];
  const walk = (node: Node): void => {
    if (/Function|^(Method|Property)Definition$/.test(node.type)) return;
    if (node.type === 'CallExpression' && (node.callee as Node).name === 't') found.push(node.start);
    for (const [, part] of partsOf(node)) walk(part);
  };
  walk(tree);
  return found;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)],
  );
}

const isSource = (file: string): boolean => /\.tsx?$/.test(file) && !/\.test\./.test(file);
/** The page of parts, which no build has, shows a sample of its own. */
const isShipped = (file: string): boolean => !file.startsWith(join('web', 'parts'));
const files = filesBelow('web').filter(isSource).filter(isShipped);
const texts = textsOf('en');
const english = new Map([...texts.values()].flatMap((messages) => [...messages]));

test('no words stand in the screens, and no text is fixed when a module is loaded', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const tree = parse(file, text);
    const line = (at: number): string => `${file}:${text.slice(0, at).split('\n').length}`;
    return [
      ...wordsIn(tree).map((at) => `${line(at)} shows words: put them in web/strings and ask for them by t('key')`),
      ...textsOfModules(tree).map(
        (at) => `${line(at)} asks for a text when the module is loaded: ask inside a function`,
      ),
    ];
  });
  expect(found).toEqual([]);
});

test('the check for words finds texts in components', () => {
  const wrong = [
    '<p>Hello there</p>',
    '<p>{ready ? "Done" : null}</p>',
    '<p>{`Hello`}</p>',
    '<Field label="Name" />',
    '<img alt={big ? "A boat" : ""} />',
    'showMessage("Saved")',
    'const action = { label: "Go" };',
  ];
  for (const text of wrong) expect([text, wordsIn(parse('screen.tsx', text)).length]).toEqual([text, 1]);
});

test('the check for module texts finds messages read at import', () => {
  expect(textsOfModules(parse('late.ts', "const late = () => t('a.b');"))).toEqual([]);
  expect(textsOfModules(parse('early.ts', "const early = { label: t('a.b') };"))).toHaveLength(1);
});

const sources = [...files, ...filesBelow('server').filter(isSource)]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const pages = ['index.html', 'app.html', '404.html', 'error.html', 'public/manifest.webmanifest']
  .map((page) => readFileSync(`web/${page}`, 'utf8'))
  .join('\n');
/** Keys as they are written. */
const literal = new Set(
  [...sources.matchAll(/'([\w]+(?:\.\w+)+)'/g), ...pages.matchAll(/\{\{([\w.]+)/g)].map(([, key]) => key),
);
/** Keys that are made of ids: of a column, a kind, a setting. */
const made = [...new Set([...sources.matchAll(/`(\w+(?:\.\w+)*\.\$\{[^`]*)`/g)].map(([, key = '']) => key))].map(
  (key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '\\w+')}$`),
);
const isMade = (key: string): boolean => made.some((pattern) => pattern.test(key));

test('every message is used', () => {
  const unused = [...english.keys()].filter((key) => !literal.has(key) && !isMade(key));
  expect(unused.map((key) => `${key} is asked for nowhere: remove it from each language`)).toEqual([]);
});

/** Keys whose words are the same in each of the languages, without those that link to the words of another. */
function repeated(all: readonly ReadonlyMap<string, string>[], links: ReadonlySet<string>): string[][] {
  const said = new Map<string, string[]>();
  for (const key of all[0]?.keys() ?? []) {
    if (links.has(key)) continue;
    const words = JSON.stringify(all.map((messages) => messages.get(key)));
    said.set(words, [...(said.get(words) ?? []), key]);
  }
  return [...said.values()].filter((keys) => keys.length > 1);
}

/** Words that happen to be the same, and that a translator may have to tell apart. */
const apart: Readonly<Record<string, string>> = {
  'admin.fact.state': 'state of an account, not of a task',
  'admin.server.waitsFor': 'a query waits for a lock, not a task for a task',
  'health.said': 'no words of its own',
  'import.field.state': 'a list of cards in another product, not the view',
  'setting.default.LEAD_NOTIFY_EMAIL': 'nobody gets the emails, not the task',
  'views.properties.text': 'what a task says, not a kind of field',
  'writing.code': 'how text looks, not what one types to sign in',
  'writing.link': 'turns text into a link, so it may be a verb',
  'writing.text': 'a paragraph, not a kind of field',
};

test('the same words stand under one key', () => {
  const all = languages().map((language) => new Map([...textsOf(language).values()].flatMap((part) => [...part])));
  const groups = repeated(all, new Set(filesOf('en').flatMap((part) => [...linksOf(part).keys()])));
  const wrong = groups.map((keys) => keys.filter((key) => !(key in apart))).filter((keys) => keys.length > 1);
  expect(
    wrong.map(
      ([first, ...others]) =>
        `${first} says the same as ${others.join(', ')} in each language: ask for one key, or let the others be "@:${first}"`,
    ),
  ).toEqual([]);
  const alone = Object.keys(apart).filter((key) => !groups.flat().includes(key));
  expect(alone.map((key) => `${key} says what no other key says: it need not be told apart`)).toEqual([]);
});

test('the check of repeated words names the keys, and leaves words that differ in one language', () => {
  const one = new Map([
    ['a.open', 'Open'],
    ['a.opens', 'Open'],
    ['a.shut', 'Shut'],
  ]);
  const other = new Map([
    ['a.open', 'Öffnen'],
    ['a.opens', 'Öffnen'],
    ['a.shut', 'Zu'],
  ]);
  expect(repeated([one, other], new Set())).toEqual([['a.open', 'a.opens']]);
  expect(repeated([one, new Map([...other, ['a.opens', 'Offen']])], new Set())).toEqual([]);
  expect(repeated([one, other], new Set(['a.open']))).toEqual([]);
});

test('every language has every message in the same file, with the same arguments and the plural forms it needs', () => {
  expect(languages()).toEqual(offered);
  const faults = languages().flatMap((language) => [
    ...translationFaults(language, textsOf(language), texts),
    ...linkFaults(language),
  ]);
  expect(faults).toEqual([]);
});

test('the check of a language names what is missing, unknown, misplaced or asks for something else', () => {
  const part = (...messages: [string, string][]) => new Map(messages);
  const original = new Map([
    [
      'app',
      part(['a.one', 'Hello {name}'], ['a.two', 'Bye'], ['a.three', '{n, plural, one {# task} other {# tasks}}']),
    ],
    ['mails', part(['mail.code', 'Code'])],
  ]);
  const spoiled = new Map([
    ['app', part(['a.one', 'Bonjour'], ['a.three', '{n, plural, other {# tâches}}'], ['mail.code', 'Code'])],
    ['mails', part(['mail.open', '{'])],
  ]);
  expect(translationFaults('fr', spoiled, original)).toEqual([
    'fr/app.json: a.two is missing',
    'fr/mails.json: mail.code is missing',
    'fr/app.json: a.one takes no arguments, in English name',
    'fr/app.json: a.three has no plural form many, one',
    'fr/app.json: mail.code is not in English',
    'fr/mails.json: mail.open is not in English',
  ]);
  expect(translationFaults('en', original, original)).toEqual([]);
});

test('a link says what another key says, in each language, and a text beside it is named', () => {
  const folder = temporaryDirectory('links');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, messages: object): void => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(messages));
  };
  write('en/app.json', { a: { go: 'Go' } });
  write('fr/app.json', { a: { go: 'Aller' } });
  write('en/mails.json', { mail: { go: '@:a.go' } });
  write('fr/mails.json', {});
  const said = ['en', 'fr'].map((language) => readPart(language, 'mails', folder).get('mail.go'));
  expect(said).toEqual(['Go', 'Aller']);
  expect(linkFaults('fr', folder)).toEqual([]);
  write('fr/mails.json', { mail: { go: 'Vas-y' } });
  expect(linkFaults('fr', folder)).toEqual([
    'fr/mails.json: mail.go is the text of a.go: translate that one, and remove this',
  ]);
  write('en/mails.json', { mail: { go: '@:a.gone' } });
  expect(() => readPart('en', 'mails', folder)).toThrow('mails.json: mail.go links to a.gone, which has no text');
});

test('messages for a count of one use the singular', () => {
  const formatters = {
    getNumberFormat: (tag: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
    getDateTimeFormat: (tag: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
    getPluralRules: (tag: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options),
  };
  const withOne = (text: string): string => {
    const values = Object.fromEntries(
      [...argumentTypes(text)].map(([name, type]) => [name, type === 'number' ? 1 : 'it']),
    );
    return String(format(compile(text), 'en', values, { formatters }));
  };
  const many = /\b1 (?!(?:as|is|was|has|rests|begins|address)\b)\p{Ll}+s\b/u;
  expect(many.test(withOne('{n, number} tasks'))).toBe(true);
  // What the pages before the app say counts nothing, and has marks of HTML.
  const counted = [...english].filter(([key]) => !key.startsWith('pages.'));
  expect(counted.filter(([, text]) => many.test(withOne(text)))).toEqual([]);
});
