// `select`: columns with aliases, casts and aggregates; embedded resources with hints, joins and spreads, to any depth.

import type { Aggregate, SelectItem } from './api-request.ts';
import { parseField } from './parse-field.ts';
import { Scanner } from './scanner.ts';

const AGGREGATES: readonly Aggregate[] = ['sum', 'avg', 'count', 'max', 'min'];
const STAR: SelectItem = {
  kind: 'field',
  field: { name: '*', path: [] },
  alias: null,
  cast: null,
  aggregate: null,
  aggregateCast: null,
};
export const SELECT_ALL: readonly SelectItem[] = [STAR];

/** Deep enough for any real request, shallow enough for any stack. */
const DEEPEST = 100;

export function parseSelect(text: string): readonly SelectItem[] {
  if (text === '*') return SELECT_ALL;
  const scanner = new Scanner(text, 'select parameter');
  const items = parseItems(scanner, 0);
  if (items === null) throw scanner.fault();
  return items;
}

function parseItems(scanner: Scanner, depth: number): SelectItem[] | null {
  const items: SelectItem[] = [];
  if (scanner.done || scanner.peek() === ')') return items;
  for (;;) {
    const item = parseItem(scanner, depth);
    if (item === null) return null;
    items.push(item);
    scanner.spaces();
    if (!scanner.take(',')) return items;
    scanner.spaces();
  }
}

function parseItem(scanner: Scanner, depth: number): SelectItem | null {
  scanner.spaces();
  const start = scanner.position;
  const { text } = scanner;
  if (text.charCodeAt(start) === 42 && (start + 1 === text.length || ',)'.includes(text.charAt(start + 1)))) {
    scanner.position++;
    return STAR;
  }
  if (scanner.take('...')) return parseRelation(scanner, null, true, depth);
  const alias = parseAlias(scanner);
  if (scanner.take('count()')) {
    const aggregateCast = parseCast(scanner);
    return aggregateCast !== undefined && atEnd(scanner)
      ? { kind: 'field', field: { name: '*', path: [] }, alias, cast: null, aggregate: 'count', aggregateCast }
      : null;
  }
  const afterAlias = scanner.position;
  const name = scanner.name();
  if (name === null) return null;
  const next = scanner.peek();
  if ((next === '(' || next === '!') && name !== 'count') {
    scanner.position = afterAlias;
    return parseRelation(scanner, alias, false, depth);
  }
  scanner.position = afterAlias;
  const field = parseField(scanner);
  if (field === null) return null;
  const cast = parseCast(scanner);
  if (cast === undefined) return null;
  let aggregate: Aggregate | null = null;
  if (scanner.peek() === '.') {
    const found = AGGREGATES.find((one) => text.startsWith(`.${one}()`, scanner.position));
    if (found === undefined)
      return scanner.expectedAt(scanner.position + 1, null, '"sum"', '"avg"', '"count"', '"max"', '"min"');
    aggregate = found;
    scanner.position += found.length + 3;
  }
  const aggregateCast = parseCast(scanner);
  if (aggregateCast === undefined) return null;
  if (!atEnd(scanner)) return null;
  return { kind: 'field', field, alias, cast, aggregate, aggregateCast };
}

function atEnd(scanner: Scanner): boolean {
  scanner.spaces();
  const next = scanner.peek();
  if (scanner.done || next === ',' || next === ')') return true;
  scanner.expected('letter', 'digit', '"-"', '"->>"', '"->"', '"::"', '"."', '")"', '","', 'end of input');
  return false;
}

/** Null: there is none; undefined: it cannot be read. */
function parseCast(scanner: Scanner): string | null | undefined {
  return scanner.take('::') ? (scanner.identifier() ?? undefined) : null;
}

/** `alias:`, but not the first half of a cast. */
function parseAlias(scanner: Scanner): string | null {
  const start = scanner.position;
  const name = scanner.name();
  if (name !== null && scanner.peek() === ':' && scanner.text.charAt(scanner.position + 1) !== ':') {
    scanner.position++;
    return name;
  }
  scanner.position = start;
  return null;
}

function parseRelation(scanner: Scanner, alias: string | null, spread: boolean, depth: number): SelectItem | null {
  const name = scanner.name();
  if (name === null) return null;
  let hint: string | null = null;
  let join: 'inner' | 'left' | null = null;
  for (let count = 0; count < 2 && scanner.take('!'); count++) {
    const word = scanner.name();
    if (word === null) return null;
    if (word === 'inner' || word === 'left') join ??= word;
    else hint ??= word;
  }
  if (!scanner.need('(')) return null;
  if (depth >= DEEPEST) return scanner.expected('fewer nested resources');
  const items = parseItems(scanner, depth + 1);
  if (items === null || !scanner.need(')')) return null;
  return { kind: 'relation', name, alias, hint, join, spread, items };
}
