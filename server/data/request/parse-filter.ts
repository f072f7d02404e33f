// Filters: `eq.1`, `not.in.(a,b)`, `like(any).{a*,b*}`, and `and`/`or` trees of them, to any depth.

import type {
  EmbedPath,
  Field,
  Filter,
  IsValue,
  Logic,
  Operation,
  Placed,
  QuantifiedOperator,
  SearchOperator,
  SimpleOperator,
} from './api-request.ts';
import { parseField, parseJsonPath } from './parse-field.ts';
import { Scanner } from './scanner.ts';

const QUANTIFIED = new Set<string>(['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch']);
const SIMPLE = new Set<string>(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj']);
const SEARCH = new Set<string>(['fts', 'plfts', 'phfts', 'wfts']);
const IS_VALUE = /null|not_null|true|false|unknown/iy;
const WORD = /[a-z]+/y;
const OPERATOR = 'operator (eq, gt, ...)';

const DEEPEST = 200;

/** The operator and value of a top-level filter, or null where the text is not one. */
export function readOperation(scanner: Scanner, inTree: boolean): { negated: boolean; operation: Operation } | null {
  const start = scanner.position;
  const negated = scanner.take('not.');
  const operation = parseOperation(scanner, inTree);
  if (operation !== null) return { negated, operation };
  // As if the word "not" had been tried first.
  if (!negated && scanner.farthest <= start) scanner.insteadAt(start, scanner.unlike('not', start), '"not"', OPERATOR);
  return null;
}

function parseOperation(scanner: Scanner, inTree: boolean): Operation | null {
  const start = scanner.position;
  WORD.lastIndex = start;
  const word = WORD.exec(scanner.text)?.[0] ?? '';
  const after = start + word.length;
  const next = scanner.text.charAt(after);
  const quantified = QUANTIFIED.has(word);
  if (next === '.') {
    scanner.position = after + 1;
    if (quantified)
      return {
        kind: 'quantified',
        operator: word as QuantifiedOperator,
        quantifier: null,
        value: parseValue(scanner, inTree),
      };
    if (SIMPLE.has(word))
      return { kind: 'simple', operator: word as SimpleOperator, value: parseValue(scanner, inTree) };
    if (word === 'in') return parseIn(scanner);
    if (word === 'is') return parseIs(scanner);
    if (word === 'isdistinct') return { kind: 'distinct', value: parseValue(scanner, inTree) };
    if (SEARCH.has(word))
      return { kind: 'search', operator: word as SearchOperator, language: null, value: parseValue(scanner, inTree) };
  } else if (next === '(' && (quantified || SEARCH.has(word))) {
    scanner.position = after + 1;
    const inside = scanner.identifier();
    if (inside !== null && scanner.text.startsWith(').', scanner.position)) {
      scanner.position += 2;
      if (!quantified)
        return {
          kind: 'search',
          operator: word as SearchOperator,
          language: inside,
          value: parseValue(scanner, inTree),
        };
      if (inside === 'any' || inside === 'all')
        return {
          kind: 'quantified',
          operator: word as QuantifiedOperator,
          quantifier: inside,
          value: parseValue(scanner, inTree),
        };
    }
  }
  scanner.position = start;
  return noteOperator(scanner, start, word, after, next);
}

/** Points at the first character that fits no operator. */
function noteOperator(scanner: Scanner, start: number, word: string, after: number, next: string): null {
  const whole = QUANTIFIED.has(word) || SIMPLE.has(word) || SEARCH.has(word) || word === 'in' || word === 'is';
  if (whole && next === '(' && (QUANTIFIED.has(word) || SEARCH.has(word)))
    return scanner.expectedAt(after + 1, null, OPERATOR);
  if (whole) return scanner.expectedAt(after, null, OPERATOR);
  const prefix = [...QUANTIFIED, ...SIMPLE, ...SEARCH].find((one) => word.startsWith(one));
  if (prefix !== undefined) return scanner.expectedAt(start + prefix.length, null, OPERATOR);
  return scanner.expectedAt(start, null, OPERATOR);
}

function parseIs(scanner: Scanner): Operation | null {
  IS_VALUE.lastIndex = scanner.position;
  const found = IS_VALUE.exec(scanner.text);
  if (found === null) return scanner.expected('isVal: (null, not_null, true, false, unknown)');
  scanner.position = IS_VALUE.lastIndex;
  return { kind: 'is', value: found[0].toLowerCase() as IsValue };
}

function parseIn(scanner: Scanner): Operation | null {
  scanner.spaces();
  if (!scanner.need('(')) return null;
  scanner.spaces();
  const values: string[] = [];
  for (;;) {
    values.push(parseElement(scanner));
    if (scanner.take(',')) continue;
    scanner.spaces();
    if (!scanner.need(')')) return null;
    scanner.spaces();
    return { kind: 'in', values };
  }
}

/** A quoted text, if it is the whole element; else all up to the next comma or bracket. */
function parseElement(scanner: Scanner): string {
  const start = scanner.position;
  if (scanner.peek() === '"') {
    const quoted = scanner.quoted();
    if (quoted !== null && (scanner.done || scanner.peek() === ',' || scanner.peek() === ')')) return quoted;
    scanner.position = start;
  }
  let end = start;
  const { text } = scanner;
  while (end < text.length && text.charCodeAt(end) !== 44 && text.charCodeAt(end) !== 41) end++;
  scanner.position = end;
  return text.slice(start, end);
}

/** At the top level a value is all the rest; in a tree it ends at a comma or bracket, unless quoted or in braces. */
function parseValue(scanner: Scanner, inTree: boolean): string {
  const { text, position } = scanner;
  if (!inTree) {
    scanner.position = text.length;
    return position === 0 ? text : text.slice(position);
  }
  if (text.charAt(position) === '{') {
    const close = text.indexOf('}', position);
    const open = text.indexOf('{', position + 1);
    if (close > 0 && (open < 0 || open > close)) {
      scanner.position = close + 1;
      return text.slice(position, close + 1);
    }
  }
  return parseElement(scanner);
}

/** `a.b.column->path`: the embedded resources, then the field. */
export function parseTreePath(key: string): { path: EmbedPath; field: Field } {
  const scanner = new Scanner(key, 'tree path');
  const names: string[] = [];
  for (;;) {
    const name = scanner.name();
    if (name === null) throw scanner.fault();
    names.push(name);
    if (!scanner.take('.')) break;
  }
  const path = parseJsonPath(scanner);
  if (path === null) throw scanner.fault();
  const name = names.pop() ?? '';
  return { path: names, field: { name, path } };
}

export function parseFilter(key: string, value: string): Placed<Filter> {
  const { path, field } = parseTreePath(key);
  const scanner = new Scanner(value, 'filter');
  const read = readOperation(scanner, false);
  if (read === null) throw scanner.fault();
  return { path, value: { kind: 'filter', field, negated: read.negated, operation: read.operation } };
}

/** The same, for a procedure's query string, where what is no filter is an argument. */
export function parseFilterOrArgument(key: string, value: string): Placed<Filter> | null {
  const scanner = new Scanner(value, 'filter');
  const start = /^(not\.)?[a-z]+[.(]/.test(value);
  if (!start) return null;
  const read = readOperation(scanner, false);
  if (read === null) return consumesThenFails(value) ? fail(scanner) : null;
  const { path, field } = parseTreePath(key);
  return { path, value: { kind: 'filter', field, negated: read.negated, operation: read.operation } };
}

/** `in.`, `is.` and `not.` commit to being a filter. */
const consumesThenFails = (value: string): boolean => /^(not\.|in\.|is\.)/.test(value);
function fail(scanner: Scanner): never {
  throw scanner.fault();
}

/** `a.or=(…)`, `a.not.and=(…)`. */
export function parseLogic(key: string, value: string): Placed<Logic> {
  const keyScanner = new Scanner(key, 'logic path');
  const names: string[] = [];
  do {
    const name = keyScanner.name();
    if (name === null) throw keyScanner.fault();
    names.push(name);
  } while (keyScanner.take('.'));
  const operator = names.pop() ?? '';
  const negated = names.includes('not');
  const word = `${negated ? 'not.' : ''}${operator}`;
  const scanner = new LogicScanner(word + value, value);
  const tree = parseTree(scanner, 0);
  if (tree === null) throw scanner.fault();
  return { path: names.filter((name) => name !== 'not'), value: tree };
}

/** Errors name the value alone; positions count the operator too, as the grammar does. */
class LogicScanner extends Scanner {
  constructor(
    text: string,
    readonly shown: string,
  ) {
    super(text, 'logic tree');
  }

  override fault(): ReturnType<Scanner['fault']> {
    const fault = super.fault();
    fault.message = fault.message.replace(`(${this.text})`, () => `(${this.shown})`);
    return fault;
  }
}

function parseTree(scanner: Scanner, depth: number): Logic | null {
  const start = scanner.position;
  const group = /(not\.)?(and|or)[ \t]*\(/y;
  group.lastIndex = start;
  const opening = group.exec(scanner.text);
  if (opening === null) {
    const field = parseField(scanner);
    if (field === null) return null;
    if (!scanner.need('.', 'delimiter (.)')) return null;
    const read = readOperation(scanner, true);
    if (read === null) return null;
    return { kind: 'filter', field, negated: read.negated, operation: read.operation };
  }
  scanner.position = group.lastIndex;
  if (depth >= DEEPEST) return scanner.expected('fewer nested groups');
  const members: Logic[] = [];
  for (;;) {
    scanner.spaces();
    const member = parseTree(scanner, depth + 1);
    if (member === null)
      return scanner.expectedAt(scanner.position, null, 'negation operator (not)', 'logic operator (and, or)');
    members.push(member);
    scanner.spaces();
    if (scanner.take(',')) continue;
    if (!scanner.take(')')) return scanner.expected('","', '")"');
    scanner.spaces();
    return {
      kind: 'group',
      negated: opening[1] !== undefined,
      operator: opening[2] === 'and' ? 'and' : 'or',
      members,
    };
  }
}
