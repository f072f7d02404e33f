// `column=operator.value`, several of them with commas between, as data. A value may stand in double quotes with
// backslashes inside; a comma that no further condition follows belongs to the value before it. Pure.

import { isRecord } from '../../channels/join-config.ts';

export const operators = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const;
export type Operator = (typeof operators)[number];

export interface FilterPart {
  readonly column: string;
  /** `column->>key`: the text of this key of a JSON column. */
  readonly key: string | null;
  readonly operator: Operator;
  readonly negated: boolean;
  /** One value, or those of `in`. */
  readonly values: readonly string[];
}

/** What a client binds to. */
export interface BindingRequest {
  readonly event: string;
  readonly schema: string;
  /** `*`: all of the schema. */
  readonly table: string;
  readonly filters: readonly FilterPart[];
  readonly select: readonly string[] | null;
}

/** Words for the client: what it bound to makes no sense. */
export class BindingFault extends Error {
  override readonly name = 'BindingFault';
}

export function readBinding(request: Readonly<Record<string, unknown>>): BindingRequest {
  const { event, filter, select } = request;
  const columns = readSelect(select);
  const hasFilter = 'filter' in request;
  const names = namesOf(request);
  if (names === null || (hasFilter && (typeof filter !== 'string' || !('schema' in request && 'table' in request))))
    throw new BindingFault(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${describeRequest(request)}`,
    );
  const { schema, table } = names;
  if (columns !== null && (schema === '*' || table === '*'))
    throw new BindingFault(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
  const kind = typeof event === 'string' ? event.toUpperCase() : '*';
  return {
    event: ['INSERT', 'UPDATE', 'DELETE'].includes(kind) ? kind : '*',
    schema,
    table,
    filters: typeof filter === 'string' && filter.trim() !== '' ? readFilter(filter.trim()) : [],
    select: columns,
  };
}

function namesOf(request: Readonly<Record<string, unknown>>): { schema: string; table: string } | null {
  const { schema = 'table' in request ? 'public' : undefined, table = '*' } = request;
  return typeof schema === 'string' && typeof table === 'string' ? { schema, table } : null;
}

function readSelect(select: unknown): readonly string[] | null {
  if (typeof select === 'string')
    throw new BindingFault(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    );
  const names = Array.isArray(select) ? select.filter((name) => typeof name === 'string') : [];
  return names.length === 0 ? null : names;
}

/** As Supabase's server writes what it was sent. */
function describeRequest(request: Readonly<Record<string, unknown>>): string {
  if ('user_token' in request || 'auth_token' in request) return '<redacted>';
  const written = (value: unknown): string => (value === null ? 'nil' : (JSON.stringify(value) ?? 'nil'));
  const entries = Object.entries(request).sort(([one], [other]) => (one < other ? -1 : 1));
  return `%{${entries.map(([name, value]) => `${JSON.stringify(name)} => ${written(value)}`).join(', ')}}`;
}

/** Each value may have to be read by Postgres. */
const mostValues = 100;
const mostLists = 10;

export function readFilter(text: string): FilterPart[] {
  const parts = split(text).map(readPart);
  const others = parts.filter(({ operator }) => operator !== 'in');
  if (others.length > mostValues || parts.length - others.length > mostLists)
    throw new BindingFault(
      `Error parsing \`filter\` params: no more than ${mostValues} conditions in a filter, and ${mostLists} of them \`in\``,
    );
  return parts;
}

function readPart(text: string): FilterPart {
  const equals = text.indexOf('=');
  if (equals <= 0) throw fault([text]);
  const [column = '', key = null] = text
    .slice(0, equals)
    .split('->>', 2)
    .map((name) => unquote(name.trim()).replaceAll(/^'(.*)'$/g, '$1'));
  let rest = text.slice(equals + 1).trim();
  const negated = rest.startsWith('not.');
  if (negated) rest = rest.slice(4);
  const dot = rest.indexOf('.');
  if (dot < 0) throw fault([rest]);
  const [name, value] = [rest.slice(0, dot), rest.slice(dot + 1)];
  const operator = operators.find((one) => one === name);
  if (operator === undefined) throw fault([name, value]);
  if (operator !== 'in') return { column, key, operator, negated, values: [unquote(value)] };
  const list = /^\((.*)\)$/s.exec(value);
  if (list === null)
    throw new BindingFault('Error parsing `filter` params: `in` filter value must be wrapped by parentheses');
  return { column, key, operator, negated, values: pieces(list[1] ?? '').map((piece) => unquote(piece.trim())) };
}

function fault(parts: readonly string[]): BindingFault {
  return new BindingFault(`Error parsing \`filter\` params: [${parts.map((part) => JSON.stringify(part)).join(', ')}]`);
}

/** Into conditions: at commas outside of quotes and parentheses that a condition follows. */
function split(text: string): string[] {
  const parts: string[] = [];
  for (const piece of pieces(text)) {
    if (piece.trim() === '')
      throw new BindingFault(
        'Error parsing `filter` params: filter must not contain empty segments (check for extra commas)',
      );
    const last = parts.length - 1;
    if (last >= 0 && !/^[^=,"()]+=(not\.)?[a-z]+\./.test(piece)) parts[last] = `${parts[last]},${piece}`;
    else parts.push(piece);
  }
  return parts;
}

/** A whole value: `5" tall` and `"ab"cd` are as they stand. */
const quoted = /(?<=^|[.(, ])"(?:[^"\\]|\\.)*"(?=[,)=\s]|$)/sy;

function pieces(text: string): string[] {
  const found: string[] = [];
  let [start, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    quoted.lastIndex = at;
    if (character === '"' && quoted.test(text)) at = quoted.lastIndex - 1;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (depth <= 0 && character === ',') {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  found.push(text.slice(start));
  return found;
}

function unquote(value: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value;
}

/** As Supabase's server repeats a binding in its errors. */
export function describeBinding({ event, schema, table, filters, select }: BindingRequest): string {
  const parts = filters.map(
    ({ column, key, operator, values, negated }) =>
      `{${JSON.stringify(key === null ? column : `${column}->>${key}`)}, ${JSON.stringify(operator)}, ${JSON.stringify(operator === 'in' ? `{${values.join(',')}}` : values[0])}, ${negated}}`,
  );
  const columns = select === null ? 'nil' : `[${select.map((name) => JSON.stringify(name)).join(', ')}]`;
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${parts.join(', ')}], select: ${columns}]`;
}

/** The same for the same binding, so that clients with equal bindings get the same bytes. */
export function bindingId(request: unknown): number {
  const text = JSON.stringify(
    isRecord(request) ? Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)) : request,
  );
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 5) % 134_217_728;
}
