// TypeScript types of what the data door serves, in the shape `createClient<Database>()` of supabase-js expects:
// rows, what an insert and an update take, how tables hang together, functions and enums.

import { openScript } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';

interface Relation {
  schema: string;
  name: string;
  view: boolean;
  insertable: boolean;
  updatable: boolean;
  columns: {
    name: string;
    type: TypeRef;
    nullable: boolean;
    optional: boolean;
    fixed: boolean;
    comment: string | null;
  }[];
  relationships: {
    name: string;
    columns: string[];
    one: boolean;
    schema: string;
    relation: string;
    targets: string[];
  }[];
}

interface TypeRef {
  schema: string;
  name: string;
  /** Of the element, when it is an array. */
  array: boolean;
  enum: boolean;
  /** Name of a table or composite type whose row it is. */
  composite: boolean;
}

interface Routine {
  schema: string;
  name: string;
  arguments: { name: string; type: TypeRef; optional: boolean }[];
  returns: TypeRef;
  set: boolean;
  table: { name: string; type: TypeRef }[];
}

interface Enumeration {
  schema: string;
  name: string;
  labels: string[];
}

const typeJson = (oid: string): string => `(
  select jsonb_build_object('schema', n.nspname, 'name', b.typname, 'array', e.oid is not null, 'enum', b.typtype = 'e', 'composite', b.typtype = 'c')
  from pg_type t0
  -- a domain is what it is made of
  join pg_type t on t.oid = case when t0.typtype = 'd' then t0.typbasetype else t0.oid end
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  join pg_type b on b.oid = coalesce(e.oid, t.oid)
  join pg_namespace n on n.oid = b.typnamespace
  where t0.oid = ${oid})`;

export async function writeRowTypes(url: string, schemas: readonly string[]): Promise<string> {
  const script = await openScript(parseTarget(url));
  try {
    const list = schemas.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
    const read = async <T>(text: string): Promise<T[]> => {
      const [row] = await script.run(
        `select coalesce(jsonb_agg(to_jsonb(q) order by q.schema collate "C", q.name collate "C", to_jsonb(q)::text collate "C"), '[]') from (${text}) q`,
      );
      return JSON.parse(row?.[0] ?? '[]') as T[];
    };
    await script.run('begin isolation level repeatable read read only');
    const relations = await read<Relation>(relationsSql(list));
    const routines = await read<Routine>(routinesSql(list));
    const enums = await read<Enumeration>(
      `select n.nspname as schema, t.typname as name, (select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as labels
         from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and n.nspname in (${list})`,
    );
    return writeModule(schemas, relations, routines, enums);
  } finally {
    script.close();
  }
}

function relationsSql(list: string): string {
  return `
    select n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as view,
           (pg_relation_is_updatable(c.oid, true) & 8) <> 0 as insertable, (pg_relation_is_updatable(c.oid, true) & 4) <> 0 as updatable,
           (select jsonb_agg(jsonb_build_object(
                'name', a.attname, 'type', ${typeJson('a.atttypid')},
                'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
                -- a trigger that fills the column in makes it optional just as a default does
                'optional', a.atthasdef or a.attidentity <> '' or not a.attnotnull or exists (
                  select from pg_trigger g join pg_proc f on f.oid = g.tgfoid
                   where g.tgrelid = c.oid and not g.tgisinternal and g.tgtype & 7 = 7
                     and f.prosrc ~* format('new\\.%s\\s*:?=|into[^;]*new\\.%s\\M', a.attname, a.attname)),
                'fixed', a.attgenerated <> '' or a.attidentity = 'a',
                'comment', col_description(c.oid, a.attnum)) order by a.attname collate "C")
              from pg_attribute a join pg_type t on t.oid = a.atttypid
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           (select coalesce(jsonb_agg(jsonb_build_object(
                'name', k.conname,
                'columns', (select jsonb_agg(a.attname order by x.at) from unnest(k.conkey) with ordinality x (num, at) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.num),
                'one', exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
                               and i.indkey::int2[] <@ k.conkey and i.indkey::int2[] @> k.conkey),
                'schema', fn.nspname, 'relation', f.relname,
                'targets', (select jsonb_agg(a.attname order by x.at) from unnest(k.confkey) with ordinality x (num, at) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.num))
                order by k.conname collate "C"), '[]')
              from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
             where k.conrelid = c.oid and k.contype = 'f' and fn.nspname in (${list})) as relationships
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in (${list}) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;
}

function routinesSql(list: string): string {
  return `
    select n.nspname as schema, p.proname as name, p.proretset as set, ${typeJson('p.prorettype')} as returns,
           (select coalesce(jsonb_agg(jsonb_build_object('name', coalesce(a.name, ''), 'type', ${typeJson('a.type')},
                'optional', a.at > p.pronargs - p.pronargdefaults) order by a.at), '[]')
              from (select x.type, coalesce(p.proargnames[x.at], '') as name, coalesce(p.proargmodes[x.at], 'i') as mode,
                           count(*) filter (where coalesce(p.proargmodes[x.at], 'i') in ('i', 'b', 'v')) over (order by x.at) as at
                      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality x (type, at)) a
             where a.mode in ('i', 'b', 'v')) as arguments,
           (select coalesce(jsonb_agg(jsonb_build_object('name', p.proargnames[x.at], 'type', ${typeJson('x.type')}) order by x.at), '[]')
              from unnest(p.proallargtypes) with ordinality x (type, at) where p.proargmodes[x.at] in ('t', 'o', 'b')) as table
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in (${list}) and p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;
}

function writeModule(
  schemas: readonly string[],
  relations: readonly Relation[],
  routines: readonly Routine[],
  enums: readonly Enumeration[],
): string {
  const known = new Set(relations.map(({ schema, name }) => `${schema}.${name}`));
  const typeOf = (type: TypeRef): string => {
    const one = type.enum
      ? schemas.includes(type.schema)
        ? `Database[${text(type.schema)}]['Enums'][${text(type.name)}]`
        : 'string'
      : type.composite
        ? rowOf(type)
        : (scalars[type.name] ?? 'unknown');
    return type.array ? `${/[|&]/.test(one) ? `(${one})` : one}[]` : one;
  };
  const rowOf = ({ schema, name }: TypeRef): string => {
    if (!known.has(`${schema}.${name}`)) return 'unknown';
    const view = relations.find((one) => one.schema === schema && one.name === name)?.view === true;
    return `Database[${text(schema)}][${view ? "'Views'" : "'Tables'"}][${text(name)}]['Row']`;
  };
  const out = [
    '// Row types of what /rest/v1 serves, for `createClient<Database>()`. Written by `npm run generate` from the database.',
    '',
    'export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];',
    '',
    'export type Database = {',
    '  __InternalSupabase: {',
    "    PostgrestVersion: '14';",
    '  };',
  ];
  for (const schema of schemas) {
    const here = <T extends { schema: string }>(all: readonly T[]): T[] => all.filter((one) => one.schema === schema);
    out.push(`  ${key(schema)}: {`);
    out.push(
      ...block(
        'Tables',
        here(relations)
          .filter((one) => !one.view)
          .map((one) => writeRelation(one, typeOf)),
      ),
    );
    out.push(
      ...block(
        'Views',
        here(relations)
          .filter((one) => one.view)
          .map((one) => writeRelation(one, typeOf)),
      ),
    );
    out.push(...block('Functions', writeRoutines(here(routines), typeOf)));
    out.push(
      ...block(
        'Enums',
        here(enums).map((one) => [`      ${key(one.name)}: ${one.labels.map(text).join(' | ')};`]),
      ),
    );
    out.push(...block('CompositeTypes', []));
    out.push('  };');
  }
  out.push('};', '');
  return out.join('\n');
}

function block(name: string, entries: readonly (readonly string[])[]): string[] {
  // The empty case is the one supabase-js expects.
  if (entries.length === 0) return [`    ${name}: { [_ in never]: never };`];
  return [`    ${name}: {`, ...entries.flat(), '    };'];
}

function writeRelation(relation: Relation, typeOf: (type: TypeRef) => string): string[] {
  const out = [`      ${key(relation.name)}: {`, '        Row: {'];
  const value = (column: Relation['columns'][number]): string =>
    `${typeOf(column.type)}${column.nullable ? ' | null' : ''}`;
  for (const column of relation.columns) {
    if (column.comment !== null)
      out.push(`          /** ${column.comment.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`);
    out.push(`          ${key(column.name)}: ${value(column)};`);
  }
  out.push('        };');
  if (relation.insertable) {
    out.push('        Insert: {');
    for (const column of relation.columns)
      out.push(
        column.fixed
          ? `          ${key(column.name)}?: never;`
          : `          ${key(column.name)}${column.optional || relation.view ? '?' : ''}: ${value(column)};`,
      );
    out.push('        };');
  }
  if (relation.updatable) {
    out.push('        Update: {');
    for (const column of relation.columns)
      out.push(`          ${key(column.name)}?: ${column.fixed ? 'never' : value(column)};`);
    out.push('        };');
  }
  if (relation.relationships.length === 0) out.push('        Relationships: [];');
  else {
    out.push('        Relationships: [');
    for (const one of relation.relationships)
      out.push(
        '          {',
        `            foreignKeyName: ${text(one.name)};`,
        `            columns: [${one.columns.map(text).join(', ')}];`,
        `            isOneToOne: ${one.one};`,
        `            referencedRelation: ${text(one.relation)};`,
        `            referencedColumns: [${one.targets.map(text).join(', ')}];`,
        '          },',
      );
    out.push('        ];');
  }
  out.push('      };');
  return out;
}

function writeRoutines(routines: readonly Routine[], typeOf: (type: TypeRef) => string): string[][] {
  const byName = new Map<string, string[]>();
  for (const routine of routines) {
    const args = routine.arguments.filter((one) => one.name !== '');
    const fields = args.map((one) => `${key(one.name)}${one.optional ? '?' : ''}: ${typeOf(one.type)}`);
    const row =
      routine.table.length > 0
        ? `{ ${routine.table.map((one) => `${key(one.name)}: ${typeOf(one.type)}`).join('; ')} }`
        : typeOf(routine.returns);
    const shape = `{ Args: ${fields.length === 0 ? 'never' : `{ ${fields.join('; ')} }`}; Returns: ${routine.set ? `${/[|&]/.test(row) ? `(${row})` : row}[]` : row} }`;
    byName.set(routine.name, [...(byName.get(routine.name) ?? []), shape]);
  }
  // The order of creation is another one in each database.
  return [...byName].map(([name, shapes]) => [`      ${key(name)}: ${[...shapes].sort().join(' | ')};`]);
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const scalars: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  oid: 'number',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
  record: 'Record<string, unknown>',
  ...Object.fromEntries(
    [
      'text', 'varchar', 'bpchar', 'char', 'name', 'uuid', 'date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval',
      'bytea', 'citext', 'inet', 'cidr', 'macaddr', 'money', 'tsvector', 'tsquery', 'regclass', 'xml', 'ltree', 'bit', 'varbit',
    ].map((name) => [name, 'string']),
  ), // biome-ignore format: a list
};
