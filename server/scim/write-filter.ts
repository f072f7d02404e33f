// Writes a filter as a condition of SQL: values are bound, columns are those named here, and nothing of the filter's text becomes SQL. Each
// condition is true or false, never null, so that `not` means what it says.

import { type Fragment, join, raw, sql } from '../database/sql.ts';
import { scimError } from './errors.ts';
import type { Comparison, Filter, FilterValue } from './parse-filter.ts';
import { findAttribute, type ResourceType } from './resource-types.ts';

export type Column =
  | {
      readonly kind: 'text';
      readonly is: Fragment;
      readonly caseExact?: boolean /** In lower case, indexed. */;
      readonly key?: Fragment;
    }
  | { readonly kind: 'id'; readonly is: Fragment }
  | { readonly kind: 'boolean'; readonly is: Fragment }
  | { readonly kind: 'time'; readonly is: Fragment }
  /** Several values: rows that `from` gives for the resource. */
  | { readonly kind: 'many'; readonly from: Fragment; readonly values: Readonly<Record<string, Column>> };

/** By the names of attributes, `name.givenName` among them. */
export type Columns = Readonly<Record<string, Column>>;

const yes = sql`true`;
const no = sql`false`;

export function writeFilter(filter: Filter, type: ResourceType, columns: Columns): Fragment {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${join(
        filter.items.map((one) => writeFilter(one, type, columns)),
        filter.kind === 'and' ? ' and ' : ' or ',
      )})`;
    case 'not':
      return sql`not ${writeFilter(filter.item, type, columns)}`;
    case 'present':
      return present(columnOf(filter.path, type, columns));
    case 'compare':
      return compare(columnOf(filter.path, type, columns), filter.how, filter.value);
    case 'some': {
      const column = columnOf(filter.path, type, columns);
      if (column === null) return no;
      if (column.kind !== 'many') throw refused(`${filter.path} has one value`);
      const inside: ResourceType = { ...type, attributes: subAttributes(type, filter.path), ignored: new Set() };
      return anyOf(column, writeFilter(filter.item, inside, column.values));
    }
  }
}

const refused = (words: string): Error => scimError('KB854', `The filter cannot be answered: ${words}.`);

function subAttributes(type: ResourceType, path: string) {
  const found = findAttribute(type, path);
  return found === null || found === 'ignored' ? [] : (found.attribute.sub ?? []);
}

/** Null: an attribute that is not kept, and so never there. */
function columnOf(path: string, type: ResourceType, columns: Columns): Column | null {
  const found = findAttribute(type, path);
  if (found === null) throw refused(`there is no attribute ${path}`);
  if (found === 'ignored') return null;
  const { attribute, sub } = found;
  const column = columns[sub === null || attribute.multi ? attribute.name : `${attribute.name}.${sub.name}`];
  if (column === undefined) throw refused(`${path} is not compared`);
  if (column.kind !== 'many' || sub === null) return column;
  const value = column.values[sub.name];
  if (value === undefined) throw refused(`${path} is not compared`);
  return { ...column, values: { value } };
}

const anyOf = ({ from }: { readonly from: Fragment }, condition: Fragment): Fragment =>
  sql`exists (select from ${from} and ${condition})`;

function present(column: Column | null): Fragment {
  if (column === null) return no;
  if (column.kind === 'many') return anyOf(column, yes);
  return column.kind === 'text' ? sql`coalesce(${column.is}, '') <> ''` : sql`${column.is} is not null`;
}

function compare(column: Column | null, how: Comparison, value: FilterValue): Fragment {
  if (column === null) return how === 'ne' ? (value === null ? no : yes) : how === 'eq' && value === null ? yes : no;
  if (column.kind === 'many') {
    const { value: inner } = column.values;
    if (inner === undefined) throw refused('it compares a list');
    if (value === null) return how === 'eq' ? sql`not ${anyOf(column, yes)}` : anyOf(column, yes);
    return anyOf(column, compare(inner, how, value));
  }
  if (value === null) {
    if (how !== 'eq' && how !== 'ne') throw refused('null is only equal or not');
    return how === 'eq' ? sql`${column.is} is null` : sql`${column.is} is not null`;
  }
  switch (column.kind) {
    case 'boolean':
      return compareBoolean(column.is, how, value);
    case 'time':
      return compareTime(column.is, how, value);
    case 'id':
      if (how === 'eq' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value))) return no;
      if (how === 'eq') return sql`${column.is} = ${String(value)}::uuid`;
      return compareText(sql`${column.is}::text`, how, sql`${String(value)}::text`);
    case 'text': {
      const given = sql`${String(value)}::text`;
      if (column.caseExact) return compareText(column.is, how, given);
      if (column.key !== undefined) return compareText(column.key, how, sql`lower(${given})`);
      return compareText(sql`lower(${column.is})`, how, sql`lower(${given})`);
    }
  }
}

const signs = { gt: raw('>'), ge: raw('>='), lt: raw('<'), le: raw('<=') } as const;

function compareText(left: Fragment, how: Comparison, right: Fragment): Fragment {
  switch (how) {
    case 'eq':
      return sql`(${left} = ${right} and ${left} is not null)`;
    case 'ne':
      return sql`${left} is distinct from ${right}`;
    case 'co':
      return sql`coalesce(strpos(${left}, ${right}) > 0, false)`;
    case 'sw':
      return sql`coalesce(starts_with(${left}, ${right}), false)`;
    case 'ew':
      return sql`coalesce(right(${left}, nullif(char_length(${right}), 0)) = ${right}, ${right} = '' and ${left} is not null)`;
    default:
      return sql`coalesce(${left} collate "C" ${signs[how]} ${right}, false)`;
  }
}

function compareBoolean(left: Fragment, how: Comparison, value: FilterValue): Fragment {
  const wanted = String(value).toLowerCase();
  if ((how !== 'eq' && how !== 'ne') || (wanted !== 'true' && wanted !== 'false'))
    throw refused('true and false are only equal or not');
  return (wanted === 'true') === (how === 'eq') ? sql`coalesce(${left}, false)` : sql`not coalesce(${left}, false)`;
}

/** To the millisecond, as times are written in answers. */
function compareTime(left: Fragment, how: Comparison, value: FilterValue): Fragment {
  const text = String(value);
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw refused('a time is no time');
  const [one, other] = [sql`date_trunc('milliseconds', ${left})`, sql`${new Date(time)}::timestamptz`];
  if (how === 'eq') return sql`${one} = ${other}`;
  if (how === 'ne') return sql`${one} <> ${other}`;
  if (how === 'co' || how === 'sw' || how === 'ew') throw refused('times are no texts');
  return sql`${one} ${signs[how]} ${other}`;
}
