// Describes a database by its catalog: one line for each object of ours with all its attributes, so that two databases
// are alike exactly when their lines are. Reads every attribute that Postgres has, and names those that may differ; an
// attribute of a later Postgres is compared without a change here.

import type pg from 'pg';

interface Catalog {
  readonly name: string;
  /** Column with the object a row belongs to; rows of Postgres' own objects are left out. */
  readonly owner: string;
  /** What tells the rows of one owner apart, as SQL over the row `x`. */
  readonly part?: string;
  /** Trees of expressions hold oids: they are compared as the statement that makes them. */
  readonly statement?: string;
  readonly only?: string;
  /** Rights that nobody has granted or taken away are those of the owner: null and a list say the same. */
  readonly rights?: string;
  /** Attributes that follow from history or use, not from a definition. */
  readonly leaveOut: readonly string[];
}

const rank = (others: string): string => `(select count(*) from ${others})`;

const catalogs: readonly Catalog[] = [
  { name: 'pg_namespace', owner: 'oid', leaveOut: [] },
  { name: 'pg_extension', owner: 'oid', leaveOut: ['extconfig', 'extcondition'] },
  {
    name: 'pg_class',
    owner: 'oid',
    only: "x.relnamespace <> 'pg_toast'::regnamespace",
    rights:
      "'relacl', coalesce(x.relacl, acldefault(case x.relkind when 'S' then 's'::\"char\" else 'r' end, x.relowner))::text[]",
    leaveOut: [
      ...['relfilenode', 'relpages', 'reltuples', 'relallvisible', 'relallfrozen', 'relfrozenxid', 'relminmxid'],
      ...['reltoastrelid', 'relnatts', 'relhassubclass', 'relhastriggers', 'relhasrules'],
    ],
  },
  {
    name: 'pg_attribute',
    owner: 'attrelid',
    part: `x.attname || ' at ' || ${rank('pg_attribute a where a.attrelid = x.attrelid and a.attnum between 1 and x.attnum and not a.attisdropped')}`,
    only: "x.attnum > 0 and not x.attisdropped and x.attrelid not in (select oid from pg_class where relnamespace = 'pg_toast'::regnamespace)",
    leaveOut: ['attnum', 'attcacheoff', 'atthasmissing', 'attmissingval'],
  },
  {
    name: 'pg_attrdef',
    owner: 'oid',
    statement: 'pg_get_expr(x.adbin, x.adrelid)',
    leaveOut: ['adnum', 'adbin'],
  },
  { name: 'pg_constraint', owner: 'oid', statement: 'pg_get_constraintdef(x.oid)', leaveOut: ['conbin'] },
  {
    name: 'pg_index',
    owner: 'indexrelid',
    only: "x.indrelid not in (select oid from pg_class where relnamespace = 'pg_toast'::regnamespace)",
    statement: 'pg_get_indexdef(x.indexrelid)',
    leaveOut: ['indexprs', 'indpred', 'indcheckxmin'],
  },
  { name: 'pg_type', owner: 'oid', leaveOut: ['typdefaultbin'] },
  {
    name: 'pg_enum',
    owner: 'enumtypid',
    part: `x.enumlabel || ' at ' || ${rank('pg_enum e where e.enumtypid = x.enumtypid and e.enumsortorder <= x.enumsortorder')}`,
    leaveOut: ['enumsortorder'],
  },
  {
    name: 'pg_proc',
    owner: 'oid',
    statement: "case when x.prokind <> 'a' then pg_get_functiondef(x.oid) end",
    rights: "'proacl', coalesce(x.proacl, acldefault('f', x.proowner))::text[]",
    leaveOut: ['prosqlbody', 'proargdefaults'],
  },
  { name: 'pg_aggregate', owner: 'aggfnoid', leaveOut: [] },
  { name: 'pg_rewrite', owner: 'oid', statement: 'pg_get_ruledef(x.oid)', leaveOut: ['ev_qual', 'ev_action'] },
  {
    name: 'pg_trigger',
    owner: 'oid',
    only: 'not x.tgisinternal',
    statement: 'pg_get_triggerdef(x.oid)',
    leaveOut: ['tgqual'],
  },
  {
    name: 'pg_policy',
    owner: 'oid',
    statement: "concat_ws(' / ', pg_get_expr(x.polqual, x.polrelid), pg_get_expr(x.polwithcheck, x.polrelid))",
    leaveOut: ['polqual', 'polwithcheck'],
  },
  { name: 'pg_sequence', owner: 'seqrelid', leaveOut: [] },
  { name: 'pg_inherits', owner: 'inhrelid', leaveOut: [] },
  { name: 'pg_statistic_ext', owner: 'oid', statement: 'pg_get_statisticsobjdef(x.oid)', leaveOut: ['stxexprs'] },
  { name: 'pg_publication', owner: 'oid', leaveOut: [] },
  {
    name: 'pg_publication_rel',
    owner: 'oid',
    statement: 'pg_get_expr(x.prqual, x.prrelid)',
    leaveOut: ['prqual', 'prattrs'],
  },
  { name: 'pg_publication_namespace', owner: 'oid', leaveOut: [] },
  { name: 'pg_event_trigger', owner: 'oid', leaveOut: [] },
  { name: 'pg_cast', owner: 'oid', leaveOut: [] },
  { name: 'pg_collation', owner: 'oid', leaveOut: [] },
  { name: 'pg_operator', owner: 'oid', leaveOut: [] },
  { name: 'pg_ts_config', owner: 'oid', leaveOut: [] },
  { name: 'pg_ts_config_map', owner: 'mapcfg', part: "x.maptokentype || ' ' || x.mapseqno", leaveOut: [] },
  { name: 'pg_ts_dict', owner: 'oid', leaveOut: [] },
  { name: 'pg_default_acl', owner: 'oid', leaveOut: [] },
];

/** Rights on Postgres' own objects, where they are not what `initdb` gave. */
const changedRights = `
  select 'rights on ' || (pg_identify_object(o.class, o.oid, 0)).identity as line, o.acl::text[] as rights
  from (
    select 'pg_proc'::regclass as class, oid, proacl as acl from pg_proc
    union all select 'pg_class', oid, relacl from pg_class
    union all select 'pg_namespace', oid, nspacl from pg_namespace
    union all select 'pg_language', oid, lanacl from pg_language
  ) o
  left join pg_init_privs i on i.classoid = o.class and i.objoid = o.oid and i.objsubid = 0
  where o.oid < 16384 and (o.acl is distinct from i.initprivs or o.oid = 'public'::regnamespace)`;

const comments = `
  select 'comment on ' || o.type || ' ' || o.identity as line, array[d.description] as rights
  from pg_description d, pg_identify_object(d.classoid, d.objoid, d.objsubid) o
  where d.objoid >= 16384 or d.objoid = 'public'::regnamespace`;

const roles = `
  select 'role ' || r.rolname as line,
    array[(to_jsonb(r) - '{oid,rolpassword}'::text[])::text]
    || array(select 'member of ' || m.roleid::regrole || ' ' || (to_jsonb(m) - '{oid,roleid,member,grantor}'::text[])
             from pg_auth_members m where m.member = r.oid order by 1)
    || array(select 'setting ' || unnest(s.setconfig) from pg_db_role_setting s where s.setrole = r.oid
             and s.setdatabase in (0, (select oid from pg_database where datname = current_database())))
    as rights
  from pg_roles r
  where r.rolname in ('anon', 'authenticated', 'service_role', 'authenticator') or r.rolname like 'kanbase\\_%'`;

interface Reference {
  /** Columns of the catalog: of several, the last one holds the number within the object that the first names. */
  readonly columns: readonly string[];
  readonly to: string;
  readonly many: boolean;
}

/** Leaves the search path of this connection empty, so that names are written in full. */
export async function describeCatalog(client: pg.Client): Promise<string[]> {
  await client.query("select set_config('search_path', '', false)");
  const references = await readReferences(client);
  const lines: string[] = [];
  for (const catalog of catalogs) lines.push(...(await describe(client, catalog, references.get(catalog.name) ?? [])));
  for (const text of [changedRights, comments, roles]) {
    const { rows } = await client.query<{ line: string; rights: string[] | null }>(text);
    lines.push(...rows.map(({ line, rights }) => `${line} ${JSON.stringify(rights?.sort() ?? null)}`));
  }
  return lines.sort();
}

async function readReferences(client: pg.Client): Promise<Map<string, Reference[]>> {
  const { rows } = await client.query<{ from: string; columns: string[]; to: string; many: boolean }>(`
    select c.relname::text as "from", f.fkcols as columns, f.pktable::text as "to", f.is_array as many
    from pg_catalog.pg_get_catalog_foreign_keys() f join pg_catalog.pg_class c on c.oid = f.fktable`);
  const found = new Map<string, Reference[]>();
  for (const { from, ...reference } of rows) found.set(from, [...(found.get(from) ?? []), reference]);
  return found;
}

/** Oids become names in the query itself: a number says nothing in another database. */
async function describe(
  client: pg.Client,
  { name, owner, part = "''", statement = 'null', only = 'true', rights, leaveOut }: Catalog,
  references: readonly Reference[],
): Promise<string[]> {
  const named = references.filter(({ columns }) => !columns.some((column) => leaveOut.includes(column)));
  const pairs = named.map(({ columns, to, many }) => {
    const column = columns.at(-1);
    const object = columns.length === 2 ? `x.${columns[0]}, n.it` : 'n.it, 0';
    const catalog = columns.length === 2 ? 'pg_catalog.pg_class' : to;
    const one = `(select i.type || ' ' || i.identity from pg_catalog.pg_identify_object('${catalog}'::regclass, ${object}) i)`;
    return many
      ? `'${column}', (select jsonb_agg(case when n.it = 0 then '-' else ${one.replace('n.it', 'n.it')} end order by ${column === 'polroles' ? one : 'n.at'}) from unnest(x.${column}::${columns.length === 2 ? 'int4' : 'oid'}[]) with ordinality as n (it, at))`
      : `'${column}', (select ${one} from (select x.${column} as it) n where x.${column} <> 0)`;
  });
  const { rows } = await client.query<{ object: string | null; attributes: Record<string, unknown> }>(
    `
    select (select i.type || ' ' || i.identity from pg_catalog.pg_identify_object('${ownerCatalog(name, owner)}'::regclass, x.${owner}, 0) i) || ' ' || ${part} as object,
      to_jsonb(x) - $1::text[] || jsonb_build_object('statement', ${statement}${rights === undefined ? '' : `, ${rights}`}${pairs.map((pair) => `, ${pair}`).join('')}) as attributes
    from pg_catalog.${name} x
    where x.${owner}::oid >= 16384 and ${only}
      and not exists (select from pg_catalog.pg_depend d where d.classid = '${ownerCatalog(name, owner)}'::regclass and d.objid = x.${owner} and d.deptype = 'e')`,
    [['oid', owner, ...leaveOut]],
  );
  return rows.map(({ object, attributes }) => {
    for (const key of Object.keys(attributes)) if (key.endsWith('acl')) (attributes[key] as string[] | null)?.sort();
    return `${name} ${object} ${JSON.stringify(attributes, Object.keys(attributes).sort())}`;
  });
}

function ownerCatalog(name: string, owner: string): string {
  const of: Readonly<Record<string, string>> = {
    attrelid: 'pg_class', indexrelid: 'pg_class', seqrelid: 'pg_class', inhrelid: 'pg_class', enumtypid: 'pg_type', aggfnoid: 'pg_proc', mapcfg: 'pg_ts_config',
  }; // biome-ignore format: a list
  return `pg_catalog.${of[owner] ?? name}`;
}
