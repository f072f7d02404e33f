// The schema as readable, deterministic SQL, written from the catalog: what sql/*.sql add up to. For people and reviews
// (a diff shows what a migration did); not a backup, and not meant to be run.

import { openScript, type Script } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';

interface Table {
  oid: string;
  schema: string;
  name: string;
  kind: 'r' | 'p' | 'v' | 'm';
  security: boolean;
  forced: boolean;
  invoker: boolean;
  definition: string | null;
  comment: string | null;
  columns: Column[];
  constraints: { name: string; definition: string; type: string; comment: string | null }[];
  indexes: { definition: string }[];
  policies: Policy[];
  triggers: { definition: string; comment: string | null; name: string }[];
  grants: Grant[];
}

interface Column {
  name: string;
  type: string;
  required: boolean;
  fallback: string | null;
  generated: string;
  identity: string;
  collation: string | null;
  comment: string | null;
  grants: Grant[];
}

interface Policy {
  name: string;
  command: string;
  permissive: boolean;
  roles: string[];
  using: string | null;
  check: string | null;
}

interface Grant {
  role: string;
  privileges: string[];
}

interface Routine {
  schema: string;
  signature: string;
  definition: string;
  kind: string;
  comment: string | null;
  grants: Grant[];
}

const ours = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
const notOfExtension = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** Rights of others than the owner, as JSON. */
const grantsOf = (acl: string, owner: string): string => `coalesce((
  select jsonb_agg(jsonb_build_object('role', g.role, 'privileges', g.privileges) order by g.role)
  from (
    select case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as role,
           jsonb_agg(lower(a.privilege_type) || case when a.is_grantable then ' with grant option' else '' end
                     order by a.privilege_type) as privileges
    from aclexplode(${acl}) a where a.grantee <> ${owner} group by 1
  ) g), '[]')`;

export async function dumpSchema(url: string): Promise<string> {
  const script = await openScript(parseTarget(url));
  try {
    // Names are written in full, whatever the search path of this session.
    await script.run("begin isolation level repeatable read read only; set local search_path = ''");
    const parts = [
      '-- The schema that sql/*.sql add up to, written by `npm run generate`. Read it, do not edit it.',
      ...(await extensions(script)),
      ...(await schemas(script)),
      ...(await types(script)),
      ...(await sequences(script)),
      ...(await tables(script)),
      ...(await routines(script)),
      ...(await publications(script)),
      ...(await defaults(script)),
    ];
    return `${parts.join('\n\n')}\n`;
  } finally {
    script.close();
  }
}

async function json<T>(script: Script, text: string): Promise<T[]> {
  const [row] = await script.run(
    `select coalesce(jsonb_agg(to_jsonb(q) - 'sort'::text order by q.sort collate "C"), '[]') from (${text}) q`,
  );
  return JSON.parse(row?.[0] ?? '[]') as T[];
}

async function extensions(script: Script): Promise<string[]> {
  const rows = await json<{ name: string; schema: string }>(
    script,
    `select e.extname as sort, quote_ident(e.extname) as name, quote_ident(n.nspname) as schema
       from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname <> 'plpgsql'`,
  );
  return rows.map(({ name, schema }) => `create extension ${name} with schema ${schema};`);
}

async function schemas(script: Script): Promise<string[]> {
  const rows = await json<{ name: string; comment: string | null; grants: Grant[] }>(
    script,
    `select n.nspname as sort, quote_ident(n.nspname) as name, obj_description(n.oid, 'pg_namespace') as comment,
            ${grantsOf("coalesce(n.nspacl, acldefault('n', n.nspowner))", 'n.nspowner')} as grants
       from pg_namespace n where ${ours}`,
  );
  return rows.map(({ name, comment, grants }) =>
    lines(
      name === 'public' ? '-- schema public' : `create schema ${name};`,
      ...describe('schema', name, comment),
      ...grantLines('schema', name, grants),
    ),
  );
}

async function types(script: Script): Promise<string[]> {
  const rows = await json<{ name: string; definition: string; kind: string; comment: string | null }>(
    script,
    `select n.nspname || '.' || t.typname as sort, format('%I.%I', n.nspname, t.typname) as name, t.typtype as kind,
            obj_description(t.oid, 'pg_type') as comment,
            case t.typtype
              when 'e' then 'as enum (' || (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) || ')'
              when 'c' then 'as (' || (select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) || ')'
              else 'as ' || format_type(t.typbasetype, t.typtypmod)
                || case when t.typnotnull then ' not null' else '' end
                || coalesce((select string_agg(' ' || pg_get_constraintdef(c.oid), '' order by c.conname) from pg_constraint c where c.contypid = t.oid and c.contype = 'c'), '')
            end as definition
       from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where ${ours} and (t.typtype in ('e', 'd') or (t.typtype = 'c' and c.relkind = 'c')) and ${notOfExtension('pg_type', 't.oid')}`,
  );
  return rows.map(({ name, definition, kind, comment }) => {
    const noun = kind === 'd' ? 'domain' : 'type';
    return lines(`create ${noun} ${name} ${definition};`, ...describe(noun, name, comment));
  });
}

async function sequences(script: Script): Promise<string[]> {
  const rows = await json<{ name: string; type: string; grants: Grant[] }>(
    script,
    `select n.nspname || '.' || c.relname as sort, format('%I.%I', n.nspname, c.relname) as name, format_type(s.seqtypid, null) as type,
            ${grantsOf("coalesce(c.relacl, acldefault('s', c.relowner))", 'c.relowner')} as grants
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
      where ${ours} and ${notOfExtension('pg_class', 'c.oid')}
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')`,
  );
  return rows.map(({ name, type, grants }) =>
    lines(`create sequence ${name} as ${type};`, ...grantLines('sequence', name, grants)),
  );
}

async function tables(script: Script): Promise<string[]> {
  const rows = await json<Table>(
    script,
    `select n.nspname || '.' || c.relname as sort, quote_ident(n.nspname) as schema, quote_ident(c.relname) as name, c.relkind as kind,
            c.relrowsecurity as security, c.relforcerowsecurity as forced,
            coalesce('security_invoker=true' = any (c.reloptions) or 'security_invoker=on' = any (c.reloptions), false) as invoker,
            case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
            obj_description(c.oid, 'pg_class') as comment,
            (select coalesce(jsonb_agg(jsonb_build_object(
                'name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull,
                'fallback', pg_get_expr(ad.adbin, ad.adrelid), 'generated', a.attgenerated, 'identity', a.attidentity,
                'collation', case when a.attcollation <> t.typcollation then (select format('%I.%I', cn.nspname, co.collname) from pg_collation co join pg_namespace cn on cn.oid = co.collnamespace where co.oid = a.attcollation) end,
                'comment', col_description(c.oid, a.attnum),
                'grants', ${grantsOf('a.attacl', 'c.relowner')}) order by a.attnum), '[]')
               from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef ad on ad.adrelid = c.oid and ad.adnum = a.attnum
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
            (select coalesce(jsonb_agg(jsonb_build_object('name', quote_ident(k.conname), 'definition', pg_get_constraintdef(k.oid), 'type', k.contype,
                'comment', obj_description(k.oid, 'pg_constraint'))
                order by array_position(array['p', 'u', 'x', 'c', 'f'], k.contype::text), k.conname collate "C"), '[]')
               from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'c', 'f')) as constraints,
            (select coalesce(jsonb_agg(jsonb_build_object('definition', pg_get_indexdef(i.indexrelid)) order by ic.relname collate "C"), '[]')
               from pg_index i join pg_class ic on ic.oid = i.indexrelid
              where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))) as indexes,
            (select coalesce(jsonb_agg(jsonb_build_object('name', quote_ident(p.polname), 'command', p.polcmd, 'permissive', p.polpermissive,
                'roles', (select jsonb_agg(case r when 0 then 'public' else quote_ident(pg_get_userbyid(r)) end order by r = 0, pg_get_userbyid(r) collate "C") from unnest(p.polroles) r),
                'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname collate "C"), '[]')
               from pg_policy p where p.polrelid = c.oid) as policies,
            (select coalesce(jsonb_agg(jsonb_build_object('name', quote_ident(g.tgname), 'definition', pg_get_triggerdef(g.oid), 'comment', obj_description(g.oid, 'pg_trigger')) order by g.tgname collate "C"), '[]')
               from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as triggers,
            ${grantsOf("coalesce(c.relacl, acldefault('r', c.relowner))", 'c.relowner')} as grants
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and c.relkind in ('r', 'p', 'v', 'm') and ${notOfExtension('pg_class', 'c.oid')}`,
  );
  return rows.map(writeTable);
}

function writeTable(table: Table): string {
  const name = `${table.schema}.${table.name}`;
  const noun = table.kind === 'v' ? 'view' : table.kind === 'm' ? 'materialized view' : 'table';
  const head =
    noun === 'table'
      ? `create table ${name} (\n${[...table.columns.map(writeColumn), ...table.constraints.map((one) => `  constraint ${one.name} ${one.definition}`)].join(',\n')}\n);`
      : `create ${noun} ${name}${table.invoker ? ' with (security_invoker = true)' : ''} as\n${table.definition?.trim() ?? ''}`;
  const security = [
    ...(table.security ? [`alter table ${name} enable row level security;`] : []),
    ...(table.forced ? [`alter table ${name} force row level security;`] : []),
  ];
  return lines(
    head,
    ...table.indexes.map(
      ({ definition }) =>
        `${definition.replace(/^CREATE (UNIQUE )?INDEX/, (_all, unique) => `create ${unique ? 'unique ' : ''}index`)};`,
    ),
    ...security,
    ...table.policies.map((policy) => writePolicy(name, policy)),
    ...grantLines('table', name, table.grants),
    ...columnGrants(name, table.columns),
    ...table.triggers.map(({ definition }) => `${definition};`),
    ...describe(noun, name, table.comment),
    ...table.columns.flatMap((column) => describe('column', `${name}.${column.name}`, column.comment)),
    ...table.constraints.flatMap((one) => describe(`constraint ${one.name} on`, name, one.comment)),
    ...table.triggers.flatMap((one) => describe(`trigger ${one.name} on`, name, one.comment)),
  );
}

function writeColumn(column: Column): string {
  const parts = [`  ${column.name} ${column.type}`];
  if (column.collation !== null) parts.push(`collate ${column.collation}`);
  if (column.identity !== '') parts.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`);
  if (column.generated !== '')
    parts.push(`generated always as (${column.fallback}) ${column.generated === 's' ? 'stored' : 'virtual'}`);
  else if (column.fallback !== null) parts.push(`default ${column.fallback}`);
  if (column.required) parts.push('not null');
  return parts.join(' ');
}

const commands: Readonly<Record<string, string>> = { r: 'select', a: 'insert', w: 'update', d: 'delete', '*': 'all' };

function writePolicy(table: string, policy: Policy): string {
  return [
    `create policy ${policy.name} on ${table}${policy.permissive ? '' : ' as restrictive'} for ${commands[policy.command]} to ${policy.roles.join(', ')}`,
    ...(policy.using === null ? [] : [`  using (${policy.using})`]),
    ...(policy.check === null ? [] : [`  with check (${policy.check})`]),
  ]
    .join('\n')
    .concat(';');
}

async function routines(script: Script): Promise<string[]> {
  const rows = await json<Routine>(
    script,
    `select n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as sort, quote_ident(n.nspname) as schema,
            format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as signature,
            case when p.prokind = 'a' then null else pg_get_functiondef(p.oid) end as definition,
            case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end as kind,
            obj_description(p.oid, 'pg_proc') as comment,
            ${grantsOf("coalesce(p.proacl, acldefault('f', p.proowner))", 'p.proowner')} as grants
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and ${notOfExtension('pg_proc', 'p.oid')}`,
  );
  return rows.map(({ signature, definition, kind, comment, grants }) =>
    lines(
      definition === null ? `-- aggregate ${signature}` : `${definition.trim()};`,
      ...grantLines(kind, signature, grants),
      ...describe(kind, signature, comment),
    ),
  );
}

async function publications(script: Script): Promise<string[]> {
  const rows = await json<{ name: string; everything: boolean; tables: string[] | null }>(
    script,
    `select p.pubname as sort, quote_ident(p.pubname) as name, p.puballtables as everything,
            (select jsonb_agg(format('%I.%I', t.schemaname, t.tablename) order by t.schemaname, t.tablename) from pg_publication_tables t where t.pubname = p.pubname) as tables
       from pg_publication p`,
  );
  return rows.map(({ name, everything, tables: listed }) =>
    everything
      ? `create publication ${name} for all tables;`
      : `create publication ${name}${listed === null ? '' : ` for table\n  ${listed.join(',\n  ')}`};`,
  );
}

async function defaults(script: Script): Promise<string[]> {
  const rows = await json<{ place: string; kind: string; grants: Grant[] }>(
    script,
    `select coalesce(n.nspname::text, '') || d.defaclobjtype::text as sort, coalesce(' in schema ' || quote_ident(n.nspname), '') as place,
            case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' else 'schemas' end as kind,
            ${grantsOf('d.defaclacl', 'd.defaclrole')} as grants
       from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace`,
  );
  return rows.map(({ place, kind, grants }) => {
    const prefix = `alter default privileges${place}`;
    if (grants.length === 0) return `${prefix} revoke all on ${kind} from public;`;
    return lines(
      ...grants.map(({ role, privileges }) => `${prefix} grant ${privileges.join(', ')} on ${kind} to ${role};`),
    );
  });
}

function grantLines(noun: string, name: string, grants: readonly Grant[]): string[] {
  return grants.map(({ role, privileges }) => `grant ${privileges.join(', ')} on ${noun} ${name} to ${role};`);
}

/** `grant update (title, due_at) on table …`: columns gathered by role and right. */
function columnGrants(table: string, columns: readonly Column[]): string[] {
  const gathered = new Map<string, string[]>();
  for (const column of columns)
    for (const { role, privileges } of column.grants)
      for (const privilege of privileges) {
        const key = `${role} ${privilege}`;
        gathered.set(key, [...(gathered.get(key) ?? []), column.name]);
      }
  return [...gathered]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, names]) => {
      const space = key.indexOf(' ');
      return `grant ${key.slice(space + 1)} (${names.join(', ')}) on table ${table} to ${key.slice(0, space)};`;
    });
}

function describe(noun: string, name: string, comment: string | null): string[] {
  return comment === null ? [] : [`comment on ${noun} ${name} is '${comment.replaceAll("'", "''")}';`];
}

function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}
