// Regular expressions that may take more than linear time: found in the syntax tree of our sources, judged by scslre, and by one rule beside it, a
// scan that begins anew within what it has just scanned (`<[a-z][^>]*>` over `<a<a<a`). Nothing is run against a clock.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RegExpParser } from '@eslint-community/regexpp';
import { getConsumedChars, isPotentiallyEmpty } from 'regexp-ast-analysis';
import { parseAst } from 'rolldown/parseAst';
import { analyse } from 'scslre';

/** Every literal of the sources below these directories, and every pattern that is put together, by `made`. Of files that did not change it is known. */
export function patternsBelow(root, directories) {
  const kept = join(root, '.cache', 'patterns.json');
  const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  const now = {};
  const files = directories.flatMap((directory) => sourcesBelow(root, directory));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const hash = createHash('sha256').update(file).update(text).digest('base64url');
    now[hash] = before[hash] ?? patternsOf(file, text);
    return now[hash];
  });
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(now));
  return found;
}

function sourcesBelow(root, directory) {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(root, path);
    return /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path) ? [path] : [];
  });
}

function patternsOf(file, text) {
  if (!/[/]|RegExp/.test(text)) return [];
  const found = [];
  const lineOf = (at) => text.slice(0, at).split('\n').length;
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return undefined;
    if (node.type === 'Literal' && node.regex)
      found.push({ file, line: lineOf(node.start), source: node.regex.pattern, flags: node.regex.flags, made: false });
    if (/^(New|Call)Expression$/.test(node.type ?? '') && node.callee?.name === 'RegExp')
      found.push({ file, line: lineOf(node.start), source: text.slice(node.start, node.end), flags: '', made: true });
    return Object.values(node).forEach(walk);
  };
  walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

const known = new Map();

/** In words; null where it is linear. */
export function faultOf({ source, flags, made }) {
  if (made) return 'put together at run time';
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, judge(source, flags));
  return known.get(key);
}

function judge(source, flags) {
  const { reports } = analyse({ source, flags });
  const [worst] = reports.toSorted((one, other) => Number(other.exponential) - Number(one.exponential));
  if (worst !== undefined) return worst.exponential ? 'exponential' : `not linear (${worst.type})`;
  return beginsAnew(source, flags) ? 'not linear (begins anew within itself)' : null;
}

/** What stands before the first unbounded repetition may occur within it, and what follows may fail. */
function beginsAnew(source, flags) {
  if (flags.includes('y')) return false;
  const parsed = {
    pattern: new RegExpParser().parsePattern(source, 0, source.length, { unicode: /[uv]/.test(flags) }),
    flags: {
      ignoreCase: flags.includes('i'),
      dotAll: flags.includes('s'),
      multiline: flags.includes('m'),
      unicode: /[uv]/.test(flags),
    },
  };
  return parsed.pattern.alternatives.some(({ elements }) => {
    const at = elements.findIndex(
      (element) => element.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY,
    );
    if (at < 0) return false;
    const [before, after] = [elements.slice(0, at), elements.slice(at + 1)];
    const { chars: repeated } = getConsumedChars(elements[at], parsed.flags);
    const isTied = before.some((element) => element.type === 'Assertion' && ties(element, repeated, parsed.flags));
    if (isTied || after.every((element) => mayFit(element, parsed.flags))) return false;
    return before
      .filter((element) => element.type !== 'Assertion')
      .every(
        (element) =>
          isPotentiallyEmpty(element, parsed.flags) ||
          !getConsumedChars(element, parsed.flags).chars.isDisjointWith(repeated),
      );
  });
}

/** It can begin at one place of what is repeated only: at its beginning, or that of a line. */
function ties(assertion, repeated, flags) {
  if (assertion.kind === 'start') return !flags.multiline || !repeated.has(10);
  if (assertion.kind !== 'lookbehind' || !assertion.negate) return false;
  return assertion.alternatives.some(
    ({ elements }) => elements.length === 1 && repeated.isSubsetOf(getConsumedChars(elements[0], flags).chars),
  );
}

const mayFit = (element, flags) => element.type !== 'Assertion' && isPotentiallyEmpty(element, flags);
