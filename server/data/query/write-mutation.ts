// insert, update, delete and the upsert of one row. The body goes to Postgres as it came, and Postgres takes it apart.

import type { Table } from '../catalog/catalog.ts';
import type { BodyColumn, WritePlan } from '../plan/plan.ts';
import { type Binder, column, ident, literal, path, writeLogic } from './fragments.ts';

const BODY = '"_kb_body"';

export function writeMutation(plan: WritePlan, binder: Binder): string {
  switch (plan.mutation) {
    case 'insert':
    case 'upsert-one':
      return writeInsert(plan, binder);
    case 'update':
      return writeUpdate(plan, binder);
    case 'delete':
      return `${removal(plan.table)}${where(plan, path(plan.table), binder)}${returning(plan)}`;
  }
}

/** What a trigger would do with each row, done at once: a trigger that keeps a row keeps it out of `returning` too. */
function removal(table: Table): string {
  return table.marksDeleted ? `update ${path(table)} set "deleted_at" = now()` : `delete from ${path(table)}`;
}

/** A mutation reads its own columns alone: nothing is embedded in it. */
const noPresence = (): string => 'true';

function where(plan: WritePlan, rows: string, binder: Binder): string {
  if (plan.filters.length === 0) return '';
  return ` where ${plan.filters.map((filter) => writeLogic(rows, filter, binder, noPresence)).join(' and ')}`;
}

function returning({ table, returning: names }: WritePlan): string {
  const rows = path(table);
  return names.length === 0 ? ' returning 1' : ` returning ${names.map((name) => column(rows, name)).join(', ')}`;
}

/** Counts inserted rows up before they are known to conflict, and down again for those that do. */
const countInserted = (up: boolean): string => {
  const now = `coalesce(nullif(current_setting('kanbase.inserted', true), '')::int, 0)`;
  return `set_config('kanbase.inserted', (${now} ${up ? '+' : '-'} 1)::text, true) <> '${up ? '0' : '-1'}'`;
};

function writeInsert(plan: WritePlan, binder: Binder): string {
  const { columns, conflict, table } = plan;
  const names = columns.map(({ name }) => ident(name)).join(', ');
  const merges = conflict?.resolution === 'merge-duplicates';
  const conditions = [
    ...(plan.mutation === 'upsert-one' || merges ? [countInserted(true)] : []),
    ...plan.filters.map((filter) => writeLogic(BODY, filter, binder, noPresence)),
  ];
  const into = `insert into ${path(table)}${columns.length === 0 ? '' : ` (${names})`}`;
  const values = columns.map((one) => column(BODY, one.name)).join(', ');
  const filter = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return `${into} select ${values} from ${writeBody(plan, binder)}${filter}${onConflict(plan)}${returning(plan)}`;
}

function onConflict({ conflict, columns }: WritePlan): string {
  if (conflict === null || conflict.columns.length === 0) return '';
  const target = ` on conflict (${conflict.columns.map(ident).join(', ')})`;
  if (conflict.resolution === 'ignore-duplicates' || columns.length === 0) return `${target} do nothing`;
  const sets = columns.map(({ name }) => `${ident(name)} = excluded.${ident(name)}`);
  return `${target} do update set ${sets.join(', ')} where ${countInserted(false)}`;
}

function writeUpdate(plan: WritePlan, binder: Binder): string {
  const { columns, table, returning: names } = plan;
  if (columns.length === 0) {
    // Nothing to set is no update; the columns are still there to select from.
    const rows = ident(table.name);
    const none = names.length === 0 ? 'null' : names.map((name) => column(rows, name)).join(', ');
    return `select ${none} from ${path(table)} where false`;
  }
  const sets = columns.map(({ name }) => `${ident(name)} = ${column(BODY, name)}`);
  const from = writeBody(plan, binder);
  return `update ${path(table)} set ${sets.join(', ')} from ${from}${where(plan, path(table), binder)}${returning(plan)}`;
}

/** The body's rows, with the columns to be set in the types they are read as. */
function writeBody(plan: WritePlan, binder: Binder): string {
  const { payload, columns, applyDefaults } = plan;
  const body = `${binder.bind(payload?.body ?? '[]')}::json`;
  const isObject = payload?.isObject ?? false;
  if (columns.length === 0)
    return isObject ? `(values (${body})) as ${BODY}` : `json_array_elements(${body}) as ${BODY}`;
  const source = applyDefaults
    ? withDefaults(
        columns.filter((one) => one.default !== null),
        `${body}::jsonb`,
        isObject,
      )
    : `${isObject ? 'json_to_record' : 'json_to_recordset'}(${body})`;
  const typed = columns.map(({ name, type }) => `${ident(name)} ${type}`).join(', ');
  if (columns.every((one) => one.transform === null)) return `${source} as ${BODY} (${typed})`;
  const read = columns.map(({ name, transform }) =>
    transform === null ? ident(name) : `${transform}(${ident(name)}) as ${ident(name)}`,
  );
  return `(select ${read.join(', ')} from ${source} as "_kb_raw" (${typed})) as ${BODY}`;
}

function withDefaults(columns: readonly BodyColumn[], body: string, isObject: boolean): string {
  if (columns.length === 0) return `${isObject ? 'jsonb_to_record' : 'jsonb_to_recordset'}(${body})`;
  const pairs = columns.map((one) => `${literal(one.name)}, ${one.default}`);
  // jsonb_build_object takes a hundred arguments at most.
  const objects: string[] = [];
  for (let at = 0; at < pairs.length; at += 50)
    objects.push(`jsonb_build_object(${pairs.slice(at, at + 50).join(', ')})`);
  const defaults = objects.join(' || ');
  if (isObject) return `jsonb_to_record(${defaults} || ${body})`;
  return `jsonb_to_recordset((select jsonb_agg(${defaults} || _kb_e) from jsonb_array_elements(${body}) _kb_e))`;
}
