// A binding's filter on one table: whether a row passes. The usual comparisons are made here, on Postgres' own text;
// all others are put to Postgres, for many rows at a time, so that they mean what they mean there.

import { roomRoles } from '../../../database/room-roles.ts';
import { type Fragment, ident, join, raw, sql, statement } from '../../../database/sql.ts';
import { type Database, PostgresError } from '../../../database/types.ts';
import { isPolicyError } from '../access/policy-error.ts';
import type { Values } from '../change.ts';
import { rowJson } from '../row-json.ts';
import type { RoleView, Table } from '../tables.ts';
import { BindingFault, type BindingRequest, describeBinding, type FilterPart } from './read-filter.ts';

type Test = (value: string | null) => boolean;

interface Part {
  readonly column: string;
  /** Null: only Postgres can tell. */
  readonly test: Test | null;
  readonly part: FilterPart;
}

/** Types whose values are equal exactly when their texts are. */
const sameText = new Set([16, 18, 19, 20, 21, 23, 25, 26, 1043, 1082, 1083, 1114, 1184, 2950]);
const json = new Set([114, 3802]);
/** Texts that Postgres would write as they are: it isn't asked about them, though thousands of listeners come at once. */
const plainlyWritten = new Map([
  ['text', /^[^\0\p{Surrogate}]*$/u],
  ['uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['int4', /^(0|-?[1-9]\d{0,8})$/],
  ['int8', /^(0|-?[1-9]\d{0,8})$/],
]);
const wholeNumbers = new Set([20, 21, 23, 26]);
const columnsOfPostgres = { is: /^(null|true|false|unknown)$/i };

export class Filter {
  /** The same for filters that let the same rows pass. */
  readonly key: string;
  readonly #table: Table;
  readonly #parts: readonly Part[];

  constructor(table: Table, parts: readonly Part[]) {
    this.#table = table;
    this.#parts = parts;
    this.key = JSON.stringify([table.relation, parts.map(({ part }) => part)]);
  }

  /** What all rows that pass have in common. */
  get fixed(): Values {
    const equal = this.#parts.filter(({ part }) => part.operator === 'eq' && !part.negated && part.key === null);
    return Object.fromEntries(equal.map(({ column, part }) => [column, part.values[0]]));
  }

  /** Only Postgres can tell of a row that it passes. */
  get isSlow(): boolean {
    return this.#parts.some(({ test }) => test === null);
  }

  /** Characters of a row that Postgres is asked about. */
  lengthOf(row: Values): number {
    return this.#parts.reduce((sum, { column }) => sum + (row[column]?.length ?? 0), 0);
  }

  /** Undefined: only Postgres can tell. */
  test(row: Values): boolean | undefined {
    let open = false;
    for (const { column, test } of this.#parts) {
      const value = row[column];
      // Not known, as in an old row of which the log has the key alone.
      if (value === undefined) return false;
      if (test === null) open = true;
      else if (!test(value)) return false;
    }
    return open ? undefined : true;
  }

  /** Those of the rows that pass. `role` is one that may name the table. Throws when there was no time to tell. */
  async ask(
    database: Database,
    role: string,
    rows: readonly Values[],
    timeoutMs: number,
  ): Promise<ReadonlySet<Values>> {
    const columns = this.#parts.map(({ column }) => column);
    const conditions = this.#parts.map(({ part }) => conditionOf(part));
    const { schema, name } = this.#table;
    const values = `[${rows.map((row) => rowJson(this.#table, columns, row)).join(',')}]`;
    try {
      const found = await database.objectsAs<{ place: number }>(
        { role, claims: '{}' },
        statement(sql`
          select r.place from jsonb_array_elements(${values}::jsonb) with ordinality as r(kanbase_value, place),
          lateral jsonb_populate_record(null::${ident(schema, name)}, r.kanbase_value) as kanbase_row
          where ${join(conditions, ' and ')}`),
        { readOnly: true, timeoutMs },
      );
      return new Set(found.map(({ place }) => rows[place - 1] as Values));
    } catch (error) {
      if (isPolicyError(error)) return new Set();
      throw error;
    }
  }
}

function conditionOf({ column, key, operator, negated, values }: FilterPart): Fragment {
  const field = key === null ? sql`kanbase_row.${ident(column)}` : sql`(kanbase_row.${ident(column)} ->> ${key})`;
  const [value = ''] = values;
  const condition = ((): Fragment => {
    switch (operator) {
      case 'in':
        return sql`${field} in (${join(values.map((one) => sql`${one}`))})`;
      case 'is':
        return sql`${field} is ${raw(columnsOfPostgres.is.test(value) ? value : 'null')}`;
      case 'isdistinct':
        return sql`${field} is distinct from ${value}`;
      default:
        return sql`${field} ${raw(sqlOperators[operator])} ${value}`;
    }
  })();
  return negated ? sql`not (${condition})` : sql`(${condition})`;
}

const sqlOperators = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
} as const;

/** Checks a binding against the table and the rights of the role, and has Postgres read its values. */
export async function compileFilter(
  database: Database,
  table: Table,
  view: RoleView,
  role: string,
  binding: BindingRequest,
): Promise<Filter | null> {
  const fault = (words: string): BindingFault =>
    new BindingFault(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${describeBinding(binding)}. Exception: ${words}`,
    );
  for (const name of binding.select ?? [])
    if (!view.columns.has(name)) throw fault(`ERROR P0001 (raise_exception) invalid column for select ${name}`);
  if (binding.filters.length === 0) return null;
  const parts: Part[] = [];
  for (const part of binding.filters) {
    const column = table.columns.find(({ name }) => name === part.column);
    // A column without a grant may not be felt for by filtering either.
    if (column === undefined || !view.columns.has(part.column))
      throw fault(`ERROR P0001 (raise_exception) invalid column for filter ${part.column}`);
    const refuse = (words: string): BindingFault => fault(`ERROR P0001 (raise_exception) ${words}`);
    if (part.key !== null) {
      if (!json.has(column.baseType)) throw refuse(`invalid column for filter ${part.column}`);
      await checkOperator(database, table, role, part, refuse);
      parts.push({ column: part.column, part, test: null });
      continue;
    }
    try {
      await checkOperator(database, table, role, part, refuse);
      const canonical = await canonicalValues(database, table, role, part);
      const comparable = column.isEnum || sameText.has(column.baseType);
      parts.push({ column: part.column, part: canonical, test: testOf(canonical, comparable, column.baseType) });
    } catch (error) {
      if (error instanceof PostgresError) throw fault(`ERROR ${error.sqlstate} ${error.message}`);
      throw error;
    }
  }
  return new Filter(table, parts);
}

const patterns: readonly string[] = ['like', 'ilike', 'match', 'imatch'];
/** Words of Postgres that say what a value or an operator is not. */
const mismatches = ['22', '42'];
const mostListed = 100;

/** Whether the condition can be asked of a column of this type at all, in the words of Supabase's server where not. */
async function checkOperator(
  database: Database,
  table: Table,
  role: string,
  part: FilterPart,
  refuse: (words: string) => BindingFault,
): Promise<void> {
  const { column, key, operator, values } = part;
  const [value = ''] = values;
  const readType = async (): Promise<string> => (key === null ? typeOf(database, table, column) : 'text');
  if (operator === 'in') {
    if (values.length > mostListed) throw refuse('too many values for `in` filter. Maximum 100');
    return;
  }
  if (operator === 'is') {
    if (!['null', 'true', 'false', 'unknown'].includes(value))
      throw refuse('invalid value for is filter: must be null, true, false, or unknown');
    const type = value === 'null' ? 'boolean' : await readType();
    if (type !== 'boolean') throw refuse(`is ${value} filter requires a boolean column, got ${type}`);
    return;
  }
  if (!patterns.includes(operator)) return;
  const caller = { role, claims: '{}' };
  const runs = async (fragment: Fragment, words: (error: PostgresError) => Promise<string>): Promise<void> => {
    try {
      await database.runAs(caller, statement(fragment), { readOnly: true });
    } catch (error) {
      if (error instanceof PostgresError && mismatches.includes(error.sqlstate.slice(0, 2)))
        throw refuse(await words(error));
      throw error;
    }
  };
  const symbol = raw(sqlOperators[operator as 'like']);
  if (operator === 'match' || operator === 'imatch')
    await runs(
      sql`select ''::text ~ ${value}`,
      async ({ message }) => `invalid regular expression for ${operator} filter: ${message}`,
    );
  const own = key === null ? sql`r.${ident(column)}` : sql`(r.${ident(column)} ->> ${key})`;
  const typed = sql`(case when true then ${value} else ${own} end)`;
  const rows = sql`from jsonb_array_elements('[{}]'::jsonb) as e(v), lateral jsonb_populate_record(null::${ident(table.schema, table.name)}, e.v) as r`;
  const unsupported = async ({ message }: PostgresError): Promise<string> =>
    `operator ${operator} is not supported on column ${column} of type ${await readType()}: ${message}`;
  // First the value, as one of the column's type: what is wrong with it is said before what the operator does not take.
  await runs(sql`select ${typed} ${rows}`, unsupported);
  await runs(sql`select ${own} ${symbol} ${typed} ${rows}`, unsupported);
}

async function typeOf(database: Database, table: Table, column: string): Promise<string> {
  const [row] = await database.objectsAs<{ type: string }>(
    roomRoles.realtime,
    statement(sql`select atttypid::regtype::text as type from pg_catalog.pg_attribute
      where attrelid = ${table.relation}::int8::oid and attname = ${column}`),
    { readOnly: true },
  );
  return row?.type ?? 'unknown';
}

/** `1e2` for a number is `100`, `TRUE` is `t`: as Postgres would write the value itself. Patterns are taken as they are. */
async function canonicalValues(database: Database, table: Table, role: string, part: FilterPart): Promise<FilterPart> {
  if (part.operator === 'is' || patterns.includes(part.operator)) return part;
  const type = table.columns.find(({ name }) => name === part.column)?.type ?? '';
  const plain = plainlyWritten.get(type);
  if (part.values.every((value) => plain?.test(value))) return part;
  const none = `[${rowJson(table, [], {})}]`;
  const own = sql`r.${ident(part.column)}`;
  const written = part.values.map((value) => sql`(case when true then ${value} else ${own} end)::text`);
  const [row] = await database.objectsAs<{ values: string[] }>(
    { role, claims: '{}' },
    statement(sql`
      select to_jsonb(array[${join(written)}]) as values
      from jsonb_array_elements(${none}::jsonb) as e(v), lateral jsonb_populate_record(null::${ident(table.schema, table.name)}, e.v) as r`),
    { readOnly: true },
  );
  return { ...part, values: row?.values ?? part.values };
}

function testOf({ operator, negated, values }: FilterPart, comparable: boolean, type: number): Test | null {
  const test = plainTest(operator, values, comparable, type);
  // Of null Postgres knows neither that it is so nor that it is not.
  if (test === null || !negated) return test;
  const knowsNull = operator === 'is' || operator === 'isdistinct';
  return (value) => (value !== null || knowsNull) && !test(value);
}

function plainTest(operator: string, values: readonly string[], comparable: boolean, type: number): Test | null {
  const [wanted = ''] = values;
  if (operator === 'is') {
    if (wanted === 'null' || wanted === 'unknown') return (value) => value === null;
    return (value) => value === (wanted === 'true' ? 't' : 'f');
  }
  if (!comparable) return null;
  // A bool comes as `t` from the log; its canonical text is `true`.
  const text = (value: string): string =>
    type === 16 ? (value === 't' ? 'true' : value === 'f' ? 'false' : value) : value;
  if (operator === 'eq') return (value) => value !== null && text(value) === wanted;
  if (operator === 'neq') return (value) => value !== null && text(value) !== wanted;
  if (operator === 'isdistinct') return (value) => value === null || text(value) !== wanted;
  if (operator === 'in') {
    const set = new Set(values);
    return (value) => value !== null && set.has(text(value));
  }
  if (!wholeNumbers.has(type) || !/^-?\d+$/.test(wanted)) return null;
  const limit = BigInt(wanted);
  switch (operator) {
    case 'lt':
      return (value) => value !== null && BigInt(value) < limit;
    case 'lte':
      return (value) => value !== null && BigInt(value) <= limit;
    case 'gt':
      return (value) => value !== null && BigInt(value) > limit;
    case 'gte':
      return (value) => value !== null && BigInt(value) >= limit;
    default:
      return null;
  }
}
