// `order`: columns, JSON paths and columns of embedded to-one resources, each with direction and place of nulls.

import type { OrderTerm } from './api-request.ts';
import { parseField } from './parse-field.ts';
import { Scanner } from './scanner.ts';

export function parseOrder(text: string): readonly OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    scanner.spaces();
    const term = parseTerm(scanner);
    if (term === null) throw scanner.fault();
    terms.push(term);
    scanner.spaces();
  } while (scanner.take(','));
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm | null {
  const start = scanner.position;
  let relation = scanner.name();
  if (relation === null) return null;
  if (scanner.take('(')) {
    const field = parseField(scanner);
    if (field === null || !scanner.need(')')) return null;
    return parseModifiers(scanner, relation, field);
  }
  relation = null;
  scanner.position = start;
  const field = parseField(scanner);
  return field === null ? null : parseModifiers(scanner, relation, field);
}

function parseModifiers(scanner: Scanner, relation: string | null, field: OrderTerm['field']): OrderTerm | null {
  const direction = scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null;
  const nulls = scanner.take('.nullsfirst') ? 'first' : scanner.take('.nullslast') ? 'last' : null;
  if (!scanner.done && scanner.peek() !== ',' && scanner.peek() !== ' ') {
    if (nulls !== null) return scanner.expected('","', 'end of input');
    if (scanner.peek() === '.')
      return scanner.expectedAt(
        scanner.position + 1,
        scanner.unlike(direction === null ? 'asc' : 'nullsfirst', scanner.position + 1),
        ...(direction === null ? ['"asc"', '"desc"'] : []),
        '"nullsfirst"',
        '"nullslast"',
      );
    if (direction !== null) return scanner.expected('delimiter (.)', '","', 'end of input');
    return scanner.expected('letter', 'digit', '"-"', '"->>"', '"->"', 'delimiter (.)', '","', 'end of input');
  }
  return { relation, field, direction, nulls };
}

/** `columns` and `on_conflict`: names alone. */
export function parseNames(text: string, subject: string): readonly string[] {
  const scanner = new Scanner(text, subject);
  const names: string[] = [];
  do {
    scanner.spaces();
    const name = scanner.name();
    if (name === null) throw scanner.fault();
    names.push(name);
    scanner.spaces();
  } while (scanner.take(','));
  return names;
}
