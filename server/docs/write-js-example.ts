// A call by supabase-js for each operation of a table and each procedure. `supabase` is a client that is signed in.

import type { OpenApi, Parameter, Schema } from '../http/open-api.ts';
import type { Entry } from './reference-pages.ts';
import { resolveSchema } from './schema-parts.ts';
import { sample } from './write-example.ts';

const shownColumns = 4;
const longestLine = 30;

/** null: neither a table's nor a procedure's. */
export function writeJsExample(entry: Entry, document: OpenApi): string | null {
  const [, procedure] = /^\/rest\/v1\/rpc\/(.+)$/.exec(entry.path) ?? [];
  const [, table] = /^\/rest\/v1\/([^/]+)$/.exec(entry.path) ?? [];
  if (procedure !== undefined) return call(entry, procedure, document);
  return table === undefined ? null : change(entry, table, document);
}

function call({ path, method, operation }: Entry, name: string, document: OpenApi): string {
  // Its types are those of the body, also where the query takes them.
  const posted = document.paths[path]?.post ?? operation;
  const body = posted.requestBody?.content['application/json']?.schema;
  const args = body === undefined ? {} : (sample(body, document, false) as Readonly<Record<string, unknown>>);
  const rows = Object.entries(body?.properties ?? {}).flatMap(([argument, { format = '' }]) => {
    const table = format.slice(format.indexOf('.') + 1);
    return argument in args && `/rest/v1/${table}` in document.paths ? [[argument, table] as const] : [];
  });
  const given = isEmpty(args) ? 'undefined' : literal(args, new Set(rows.map(([argument]) => argument)));
  const client = clientOf(operation.parameters);
  const parts = [
    text(name),
    ...(isEmpty(args) && method === 'post' ? [] : [given]),
    ...(method === 'get' ? ['{ get: true }'] : []),
  ];
  return [
    ...rows.map(
      ([argument, table]) =>
        `const { data: ${argument} } = await ${client}.from(${text(table)}).select().limit(1).single().throwOnError();`,
    ),
    `const { data, error } = await ${client}\n  .rpc(${indented(parts.join(', '))});`,
  ].join('\n');
}

function change(entry: Entry, table: string, document: OpenApi): string {
  const { method, operation } = entry;
  const from = `const { data, error } = await ${clientOf(operation.parameters)}\n  .from(${text(decodeURIComponent(table))})`;
  const body = operation.requestBody?.content['application/json']?.schema;
  const [key, of] = keyOf(entry, document);
  const where = `\n  .eq(${text(key)}, ${literal(valueFor(of, key, document))})`;
  const write = body === undefined ? {} : sample(body, document, method === 'patch');
  if (method === 'post') return `${from}\n  .insert(${indented(literal(write))})\n  .select();`;
  if (method === 'patch') return `${from}\n  .update(${indented(literal(write))})${where}\n  .select();`;
  if (method === 'delete') return `${from}\n  .delete()${where}\n  .select();`;
  const columns = Object.keys(rowOf(entry, document).properties ?? {});
  return `${from}\n  .select(${text(usualColumns(columns).join(', '))})\n  .limit(10);`;
}

/** The key, names, and what a row belongs to. */
export function usualColumns(columns: readonly string[]): readonly string[] {
  const first = ['id', 'name', 'title', 'number'].filter((name) => columns.includes(name));
  const plain = columns.filter((name) => !first.includes(name) && /^[a-z_][a-z0-9_]*$/.test(name));
  const telling = plain.filter((name) => /_id$|_at$|^(kind|role)$/.test(name));
  const shown = [...new Set([...first, ...telling, ...plain])].slice(0, shownColumns);
  return shown.length === 0 ? ['*'] : shown;
}

/** Columns of a table, from what it answers or takes. */
export function rowOf({ operation }: Entry, document: OpenApi): Schema {
  const answer = Object.values(operation.responses).find(({ content }) => content?.['application/json'] !== undefined);
  const schema = answer?.content?.['application/json']?.schema;
  const one = schema?.anyOf?.[0] ?? schema;
  return one === undefined ? {} : resolveSchema(one.items ?? one, document);
}

/** The column that finds a row: its id, or the first one. */
function keyOf(entry: Entry, document: OpenApi): readonly [name: string, of: Schema] {
  const columns = rowOf(entry, document).properties ?? filters(entry);
  const name = columns.id === undefined ? (Object.keys(columns)[0] ?? 'id') : 'id';
  return [name, columns[name] ?? { type: 'string', format: 'uuid' }];
}

const filters = ({ operation }: Entry): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    (operation.parameters ?? []).flatMap(({ name, in: place }) =>
      place === 'query' && name !== undefined ? [[name, { type: 'string', format: 'uuid' }]] : [],
    ),
  );

function clientOf(parameters: readonly Parameter[] | undefined): string {
  const profile = parameters?.find(({ name, required }) => required === true && name?.endsWith('-Profile') === true);
  return profile === undefined ? 'supabase' : `supabase.schema(${text(String(profile.schema?.enum?.[0]))})`;
}

const valueFor = (schema: Schema, name: string, document: OpenApi): unknown =>
  Object.values(
    sample({ type: 'object', properties: { [name]: schema }, required: [name] }, document, false) as object,
  )[0];

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const indented = (code: string): string => code.replaceAll('\n', '\n  ');

/** As people write it: names without quotes, texts in single ones. `variables`: fields that are variables of their name. */
function literal(value: unknown, variables: ReadonlySet<string> = new Set()): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => {
    if (variables.has(name)) return name;
    return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name)}: ${literal(one)}`;
  });
  if (fields.length === 0) return '{}';
  const line = `{ ${fields.join(', ')} }`;
  return line.length <= longestLine ? line : `{\n${fields.map((field) => `  ${field},`).join('\n')}\n}`;
}

const text = (value: string): string => `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
