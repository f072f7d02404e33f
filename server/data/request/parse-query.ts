// The query string as a whole: which parameter is what, and all of them parsed.

import type { EmbedPath, Filter, Logic, OrderTerm, Placed, QueryParameters, RowRange } from './api-request.ts';
import { parseFilter, parseFilterOrArgument, parseLogic, parseTreePath } from './parse-filter.ts';
import { parseNames, parseOrder } from './parse-order.ts';
import { parseSelect, SELECT_ALL } from './parse-select.ts';

export type Pair = readonly [name: string, value: string | null];

/** Decodes `%xx` and `+`; what is malformed stays as it is, bytes that are no UTF-8 become replacement characters. */
export function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(spaced);
  }
}

function decodeLeniently(text: string): string {
  const bytes: number[] = [];
  const source = Buffer.from(text);
  for (let at = 0; at < source.length; at++) {
    const hex = source[at] === 37 ? source.toString('latin1', at + 1, at + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else bytes.push(source[at] ?? 0);
  }
  return Buffer.from(bytes).toString();
}

export function splitQuery(text: string): Pair[] {
  if (text === '') return [];
  const pairs: Pair[] = [];
  for (const part of text.split(/[&;]/)) {
    if (part === '') continue;
    const at = part.indexOf('=');
    pairs.push(at < 0 ? [decode(part), null] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
  }
  return pairs;
}

export function parseQuery(text: string, isProcedureRead: boolean): QueryParameters {
  return parsePairs(splitQuery(text), isProcedureRead);
}

export function parsePairs(pairs: readonly Pair[], isProcedureRead: boolean): QueryParameters {
  let select: QueryParameters['select'] | null = null;
  let columns: readonly string[] | null = null;
  let onConflict: readonly string[] | null = null;
  const filters: Placed<Filter>[] = [];
  const logic: Placed<Logic>[] = [];
  const orders: Placed<readonly OrderTerm[]>[] = [];
  const limits = new Map<string, { limit?: string; offset?: string }>();
  const filterNames: string[] = [];
  const args: [string, string][] = [];

  for (const [name, value] of pairs) {
    if (value === null) continue;
    if (name === 'select') select ??= parseSelect(value);
    else if (name === 'columns') columns ??= parseNames(value, 'columns parameter');
    else if (name === 'on_conflict') onConflict ??= parseNames(value, 'on_conflict parameter');
    else {
      const last = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
      if (last === 'order') orders.push({ path: parseTreePath(name).path, value: parseOrder(value) });
      else if (last === 'limit' || last === 'offset') {
        const place = name.slice(0, name.length - last.length);
        limits.set(place, { ...limits.get(place), [last]: value });
      } else if (last === 'and' || last === 'or') logic.push(parseLogic(name, value));
      else if (isProcedureRead) {
        const filter = parseFilterOrArgument(name, value);
        if (filter === null) args.push([argumentName(name), value]);
        else {
          filters.push(filter);
          filterNames.push(name);
        }
      } else {
        filters.push(parseFilter(name, value));
        filterNames.push(name);
      }
    }
  }
  return {
    select: select ?? SELECT_ALL,
    filters,
    logic,
    orders,
    ranges: [...limits].map(([place, { limit, offset }]) => ({
      path: place === '' ? ROOT : parseTreePath(`${place}limit`).path,
      value: makeRange(limit, offset),
    })),
    columns,
    onConflict,
    filterNames,
    arguments: args,
    canonical: canonicalQuery(pairs),
  };
}

const ROOT: EmbedPath = [];

/** An argument's name is read as a field's is: quotes and paths fall away. */
function argumentName(name: string): string {
  return /^[A-Za-z0-9_]+$/.test(name) ? name : parseTreePath(name).field.name;
}

/** What is no whole number counts as not given. */
function makeRange(limit: string | undefined, offset: string | undefined): RowRange {
  return { offset: wholeNumber(offset) ?? 0, limit: wholeNumber(limit) };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*-?[0-9]{1,15}\s*$/.test(text) ? Number(text) : null;
}

/** Everything but letters, digits and `-_.~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Sorted by name and encoded one way, so that equal queries have equal addresses. */
function canonicalQuery(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return '';
  const sorted = pairs.length === 1 ? pairs : [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([name, value]) => `${encode(name)}=${value === null ? '' : encode(value)}`).join('&');
}
