// Wording rules that a machine can check: head comments and titles of tests begin with a noun or a verb, never with a
// question word, commit titles are imperative and short, and texts of screens and errors use the field's words. No test is left out.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultOfTitle } from '../scripts/check-commit-title.mjs';
import { partsOf, readPart } from '../scripts/strings.mjs';

const root = join(import.meta.dirname, '..');
const question = /^(what|who|whose|whoever|whatever|whether|how|where|which|why|nobody)\b/i;
/** A test may begin with its condition ("when npm gets SIGTERM"), a file has none. */
const questionInHead = new RegExp(`${question.source}|^when\\b`, 'i');

const filesIn = (folder: string, kinds: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => kinds.test(path))
    .map((path) => `${folder}/${path}`);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** One line that says what is wrong and what to write instead, or none. */
function faultOfWords(place: string, words: string, wrong: RegExp): string[] {
  const [found] = wrong.exec(words) ?? [];
  return found === undefined
    ? []
    : [`${place} “${words}” begins with “${found}”: begin with a noun or a verb that says what it is or does`];
}

/** First words of a file's head comment, without its mark; a script may name its interpreter before. */
const headOf = (text: string): string => /^(?:#!.*\n)?(?:\/\/|--|\/\*|#)[\s*/#-]*(.*)/.exec(text)?.[1] ?? '';

/** First texts in calls of `test`, `it` and `describe`, and of what a call returns: `test.each(rows)('…')`. */
const titlesOf = (text: string): string[] =>
  [...text.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])(.+?)\1/g)].map(([, , title = '']) => title);

const folders = [
  'server',
  'web',
  'contract',
  'test',
  'bench',
  'scripts',
  'sql',
  'deploy',
  '.ci',
  '.githooks',
  '.github',
];
test.each(folders)('heads of %s begin with no question word', (folder) => {
  const files = filesIn(folder, /\.(ts|tsx|mjs|mts|css|sql|sh|ya?ml)$|^(run|commit-msg)$/);
  expect(files).not.toEqual([]);
  const faults = files.flatMap((path) => faultOfWords(`${path}: the head`, headOf(read(path)), questionInHead));
  expect(faults).toEqual([]);
});

test.each([
  ['// Reads files'],
  ['-- Reads files\ncreate table files ();'],
  ['/* Reads files */'],
  ['/**\n * Reads files\n */'],
  ['#!/usr/bin/env node\n// Reads files'],
  ['#!/bin/sh\n# Reads files'],
])('the head of a file is found in each form: %j', (text) => expect(headOf(text)).toMatch(/^Reads files/));

test.each(['server', 'web', 'test'])('titles of tests in %s begin with no question word', (folder) => {
  const titles = filesIn(folder, /\.tsx?$/).flatMap((path) => titlesOf(read(path)).map((title) => ({ path, title })));
  expect(titles.length).toBeGreaterThan(50);
  const faults = titles.flatMap(({ path, title }) => faultOfWords(`${path}: the title`, title, question));
  expect(faults).toEqual([]);
});

test.each([
  ["test('a', () => undefined)"],
  ['  it.concurrent("a", async () => {})'],
  ['describe.each(rows.map((row) => [row]))(`a`, (row) => {})'],
  ['test.each([\n  1,\n])(\n  "a",\n  (n) => {},\n)'],
])('the title of a test is found in each form: %j', (text) => expect(titlesOf(text)).toEqual(['a']));

/** Ways to leave a test out, and the condition where there is one. */
const leavesOut =
  /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf)\b(?:\((.*?)\)[(;])?|\b(?:context|ctx)\.skip\(/g;
/** Conditions that hold on the machine of CI, which has Linux, root, and Debian's Postgres and PgBouncer. */
const ofMachine =
  /^(?:!havePostgres|!havePostgres \|\| !haveBouncer|process\.platform === 'linux'|root|isRoot|(?:real|previous) [!=]== null)$/;
const needRoot = ['test/files/crashes.test.ts', 'test/docs/containers.test.ts'];
const leftOut = (text: string): string[] =>
  [...text.matchAll(leavesOut)].filter(([, condition = '']) => !ofMachine.test(condition)).map(([call]) => call);

test('no test is left out but for what a machine lacks: CI counts a skipped one as failed, when all others have run', () => {
  const files = ['server', 'web', 'test'].flatMap((folder) => filesIn(folder, /\.test\.tsx?$/));
  expect(files.length).toBeGreaterThan(100);
  const faults = files
    .filter((path) => !needRoot.includes(path))
    .flatMap((path) => leftOut(read(path)).map((call) => `${path}: ${call}: run it always, and give it what it needs`));
  expect(faults).toEqual([]);
});

test.each(['skip', 'only', 'todo', 'skipIf(slow)', 'runIf(ready)', 'concurrent.skip'])(
  '%s leaves a test out',
  (how) => {
    expect(leftOut(`test.${how}('a', () => undefined)`)).toHaveLength(1);
    expect(leftOut(`describe.${how}('a', () => undefined)`)).toHaveLength(1);
  },
);

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

describe('a text of a screen', () => {
  /** Slips of the keyboard, in whatever language. */
  const slips: readonly (readonly [words: RegExp, instead: string])[] = [
    [/^\s|\s$/, 'no space at either end'],
    [/\S {2,}\S/, 'one space'],
    [/\p{L}'\p{L}/u, 'an apostrophe: ’'],
    [/\.{3}/, '…'],
  ];
  /** Words of our own making, and what a product that people know says instead. */
  const odd: Readonly<Record<string, readonly (readonly [words: RegExp, instead: string])[]>> = {
    en: [
      [/\b(brought|brings?|bringing)( it| them| the \w+| \{\w+\})? back\b|\bcomes? back with\b/i, 'restore'],
      [/\b(takes?|taken|taking) (it )?back\b/i, 'undo, or couldn’t be saved'],
      [/\bput (it |them )?away\b/i, 'archive, or hide'],
      [/\b(come|comes|came|coming) again\b/i, 'recurring, or repeats'],
      [/\b(goes|go|going) on\b(?! to)/i, 'continue, or resume'],
      [/\bowe[sd]?\b|\bbecomes? of\b|\bfor ever\b/i, 'a verb of the field'],
      [/\bwho(m)?ever\b|\bpeople who run\b|\bruns this\b/i, 'your administrator, anyone, or the owner'],
      [/\bmeanwhile\b/i, 'while you were …, or nothing'],
      [/\bmails?\b(?! server|\.)|\be-mail/i, 'email'],
      [/\bfor good\b/i, 'permanently'],
      [/\bsecond[ -]factors?\b/i, 'two-factor authentication'],
      [/(?<!kanbase )\boperators?\b(?![,}])/i, 'administrator'],
      [/\b(the|your) (desk|deed|heap|tray|heir)\b/i, 'the noun of the field'],
      [
        /\b(do|does|did|is|are|was|were|has|have|had|can|could|would|should|must|will) not\b|\bcannot\b/i,
        'a contraction: can’t, isn’t',
      ],
      [
        /\b(you|we|they) (are|will)\b(?!$|[.,])|\b(you|we|they) have been\b|\bthere is (an?|no|nothing|time)\b|(?:^|[.!?:] |\{)(It|That|There) is\b|(?:^|\{)I am\b/i,
        'a contraction: you’re, there’s',
      ],
    ],
    de: [
      [/(?<!-)\bMails?\b/, 'E-Mail'],
      [/\bzurück(geholt|zuholen|holen)\b/i, 'wiederherstellen'],
      [/(?<!selbst )\bbetreib(t|en)\b/i, 'deine Administration'],
      [/\bzweite[rn]? Faktor\b/i, 'Zwei-Faktor-Anmeldung'],
      [/\b(Teil|Ober)aufgaben?\b/i, 'Unteraufgabe, übergeordnete Aufgabe'],
      [/\bEigentümer/i, 'Leitung'],
      [/\bgescheitert/i, 'fehlgeschlagen'],
      [/(?<=[\p{L},] )(Sie|Ihr|Ihre[nmrs]?)(?!\p{L})/u, 'du, dein'],
    ],
    fr: [[/\bmails?\b(?<!e-mails?)(?!\.)/i, 'e-mail']],
  };
  const faultsOfText = (language: string, text: string): string[] =>
    [...slips, ...(odd[language] ?? [])].flatMap(([words, instead]) => {
      const found = words.exec(text);
      return found === null ? [] : [`“${found[0]}”: ${instead}`];
    });

  /** Words that people type, also with another apostrophe. */
  const isTyped = (key: string): boolean => key.startsWith('days.words.');

  test.each(Object.keys(odd))('says it as a product that people know does, in %s', (language) => {
    const texts = partsOf(language).flatMap((part) => [...readPart(language, part)].filter(([key]) => !isTyped(key)));
    expect(texts.length).toBeGreaterThan(1000);
    const faults = texts.flatMap(([key, text]) => faultsOfText(language, text).map((fault) => `${key}: ${fault}`));
    expect(faults).toEqual([]);
  });

  /** Errors are read by developers: they may name operators, and need no contractions. */
  test('says it so in the catalog of errors too', () => {
    const rows = read('docs/errors.md')
      .split('\n')
      .filter((line) => line.startsWith('- `'));
    expect(rows.length).toBeGreaterThan(100);
    const faults = rows.flatMap((row) => {
      const words = row.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\boperators?\b/g, 'admin');
      return faultsOfText('en', words)
        .filter((fault) => !fault.includes('contraction'))
        .map((fault) => `${row}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test.each([
    ['en', 'Brought back {name}'],
    ['en', 'Bring it back'],
    ['en', 'Taken back: Renamed {name}'],
    ['en', 'Tell whoever runs this Kanbase.'],
    ['en', 'Someone may have deleted it meanwhile.'],
    ['en', 'Which mails'],
    ['en', 'Sender of all mail'],
    ['en', 'This is for operators'],
    ['en', 'E-mail me a sign-in link'],
    ['en', 'Delete for good'],
    ['en', '{n, plural, one {A task that comes again} other {# tasks that come again}}'],
    ['en', 'The server cannot be reached.'],
    ['en', 'You are signed out.'],
    ['en', 'It is due {day}'],
    ['en', 'The file was not saved'],
    ['en', 'You have been removed'],
    ['en', 'Save '],
    ['en', 'Save  all'],
    ['en', "It can't be saved"],
    ['en', 'Saving...'],
    ['de', '{n, plural, one {# Mail} other {# Mails}}'],
    ['de', 'Projekt zurückholen'],
    ['de', 'Mit # Teilaufgabe löschen'],
    ['de', 'Prüfen Sie Ihre Eingabe'],
    ['fr', 'Mails affichés'],
  ])('is refused, in %s: %s', (language, text) => expect(faultsOfText(language, text)).toHaveLength(1));

  test.each([
    ['en', 'Restored {name}'],
    ['en', 'Use {n, plural, one {# day} other {# days}} after it is done'],
    ['en', 'Show others where I am'],
    ['en', 'Enter goes on to the next.'],
    ['en', 'Remove the role: npx kanbase operator.'],
    ['en', 'No mail server is set'],
    ['de', 'Alle E-Mails'],
    ['fr', 'Tous les e-mails'],
  ])('is accepted, in %s: %s', (language, text) => expect(faultsOfText(language, text)).toEqual([]));
});

describe('a commit title', () => {
  test.each([
    'Keep status and headers set by an RPC out of other responses',
    'Read imported files in a worker with a deadline',
    "Merge branch 'grants'",
    'Revert "Add a worker"',
    'Pass values on, and focus the first',
    'Focus the first task',
    'Dispose of old sessions',
  ])('is accepted: %s', (title) => expect(faultOfTitle(title)).toBeNull());

  test.each([
    ['What a procedure says of its answer is said of no other answer', 'question word'],
    ['A deadlock is tried again', 'verb'],
    ['The page of fuzzing is of today’s code', 'verb'],
    ['Added a worker', 'verb'],
    ['Adding a worker', 'verb'],
    ['Adds a worker', 'verb'],
    ['Boards of many cards', 'verb'],
    ['Migration of old views', 'verb'],
    ['Worker of imports', 'verb'],
    ['Many boards in one project', 'verb'],
    ['add a worker', 'capital'],
    ['Add a worker.', 'full stop'],
    [`Add ${'x'.repeat(70)}`, '72'],
    ['', 'empty'],
  ])('is refused: %s', (title, word) => expect(faultOfTitle(title)).toContain(word));
});
