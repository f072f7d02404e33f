// Pieces of SQL text. Identifiers are quoted here and nowhere else; values are bound through a `Binder`.

import type { Value } from '../../database/types.ts';
import type { Name } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { PlannedField, PlannedFilter, PlannedLogic, PlannedOrder } from '../plan/plan.ts';
import type { RowRange } from '../request/api-request.ts';

export class Binder {
  readonly values: Value[] = [];

  bind(value: Value): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

const emptyName = (): DataError =>
  new DataError('PGRST100', {
    message: 'A column, alias or resource has an empty name',
    hint: 'Write the name between the quotes, or leave them out.',
  });

const QUOTE = /["\0]/;

export function ident(name: string): string {
  if (name === '' || name.startsWith('\0')) throw emptyName();
  if (!QUOTE.test(name)) return `"${name}"`;
  const nul = name.indexOf('\0');
  return `"${(nul < 0 ? name : name.slice(0, nul)).replaceAll('"', '""')}"`;
}

export const path = ({ schema, name }: Name): string => `${ident(schema)}.${ident(name)}`;

/** For names out of the catalog that must stand as a value in text of fixed shape. */
export const literal = (text: string): string =>
  text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${text.replaceAll("'", "''")}'`;

/** `rows` is the quoted alias (or table) the column belongs to. */
export const column = (rows: string, name: string): string => (name === '*' ? `${rows}.*` : `${rows}.${ident(name)}`);

export function writeField(rows: string, field: PlannedField, binder: Binder): string {
  if (field.wholeRow) return rows;
  let text = column(rows, field.name);
  if (field.path.length > 0) {
    if (field.toJson) text = `to_jsonb(${text})`;
    for (const step of field.path) {
      const key = binder.bind(step.key);
      text += `${step.arrow}${step.isIndex ? `${key}::int` : key}`;
    }
  }
  if (field.toVector === null) return text;
  const { language } = field.toVector;
  return language === null ? `to_tsvector(${text})` : `to_tsvector(${binder.bind(language)}, ${text})`;
}

const QUANTIFIED = {
  eq: '=',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
} as const;

const SIMPLE = {
  neq: '<>',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
} as const;

const SEARCH = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;

const IS = { null: 'null', not_null: 'not null', true: 'true', false: 'false', unknown: 'unknown' } as const;

const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;

export function writeFilter(rows: string, filter: PlannedFilter, binder: Binder): string {
  const { field, operation } = filter;
  const left = writeField(rows, field, binder);
  const text = `${left} ${writeOperation(operation, field, binder)}`;
  return filter.negated ? `not ${text}` : text;
}

function writeOperation(operation: PlannedFilter['operation'], field: PlannedField, binder: Binder): string {
  const read = (value: string): string =>
    field.transform === null ? binder.bind(value) : `${field.transform}(${binder.bind(value)})`;
  switch (operation.kind) {
    case 'quantified': {
      const { operator, quantifier, value } = operation;
      const stars = operator === 'like' || operator === 'ilike';
      const right = stars ? binder.bind(value.replaceAll('*', '%')) : read(value);
      return `${QUANTIFIED[operator]} ${quantifier === null ? right : `${quantifier}(${right})`}`;
    }
    case 'simple':
      return `${SIMPLE[operation.operator]} ${read(operation.value)}`;
    case 'is':
      return `is ${IS[operation.value]}`;
    case 'distinct':
      return `is distinct from ${binder.bind(operation.value)}`;
    case 'in': {
      const { values } = operation;
      if (values.length === 1 && values[0] === '') return "= any('{}')";
      const array = binder.bind(arrayLiteral(values));
      return field.transform === null
        ? `= any(${array})`
        : `= any(array(select ${field.transform}(_kb_v) from unnest(${array}::text[]) _kb_v))`;
    }
    case 'search': {
      const language = operation.language === null ? '' : `${binder.bind(operation.language)}, `;
      return `@@ ${SEARCH[operation.operator]}(${language}${binder.bind(operation.value)})`;
    }
  }
}

export function writeLogic(
  rows: string,
  logic: PlannedLogic,
  binder: Binder,
  presence: (logic: Extract<PlannedLogic, { kind: 'presence' }>) => string,
): string {
  if (logic.kind === 'filter') return writeFilter(rows, logic, binder);
  if (logic.kind === 'presence') return presence(logic);
  const members = logic.members.map((member) => writeLogic(rows, member, binder, presence));
  return `${logic.negated ? 'not ' : ''}(${members.join(` ${logic.operator} `)})`;
}

/** `related` writes the column of an embedded resource. */
export function writeOrder(
  rows: string,
  order: readonly PlannedOrder[],
  binder: Binder,
  related: (term: PlannedOrder) => string,
): string {
  if (order.length === 0) return '';
  const terms = order.map((term) => {
    const { child, field, direction, nulls } = term;
    const text = child === null ? writeField(rows, field, binder) : related(term);
    return `${text}${direction === null ? '' : ` ${direction}`}${nulls === null ? '' : ` nulls ${nulls}`}`;
  });
  return ` order by ${terms.join(', ')}`;
}

/** The service's own limit is part of the shape; what a client asks for is bound. */
export function writeRange(range: RowRange, ownLimit: number | null, binder: Binder): string {
  const { limit, offset } = range;
  let text = '';
  if (limit !== null) text += limit === ownLimit ? ` limit ${limit}` : ` limit ${binder.bind(String(limit))}`;
  if (offset > 0) text += ` offset ${binder.bind(String(offset))}`;
  return text;
}
