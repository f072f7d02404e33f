// The questions put to pg_catalog. Each answers one row per object, as one JSON value, under an empty search_path
// so that every type and table prints with its full name. Postgres 15 to 18.

const SYSTEM = `('pg_catalog', 'information_schema', 'pg_toast')`;

/** Types by oid, for base types of domains and for the names a client may cast to. */
export const TYPES = `
  select json_build_array(t.oid::int8, n.nspname, t.typname, t.typtype, t.typbasetype::int8, t.typrelid::int8,
                          pg_catalog.format_type(t.oid, null))
  from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where t.typtype <> 'c' or t.typrelid <> 0`;

/** Relations of all schemas (junctions and origins of views may live anywhere); columns of the exposed ones. $1: schemas */
export const RELATIONS = `
  select json_build_object(
    'oid', c.oid::int8, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind, 'secured', c.relrowsecurity,
    'marks', exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_proc f on f.oid = g.tgfoid
                     join pg_catalog.pg_namespace s on s.oid = f.pronamespace
                     where g.tgrelid = c.oid and s.nspname = 'data_door' and f.proname = 'set_deleted_at' and g.tgenabled <> 'D'),
    'description', (select d.description from pg_catalog.pg_description d
                    where d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_class'::regclass),
    'events', case when c.relkind in ('v', 'f') and n.nspname = any ($1::text[])
                   then pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) else 0 end,
    'columns', case when n.nspname = any ($1::text[]) then (
      select json_agg(json_build_array(
               a.attnum, a.attname, d.description, not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
               a.atttypid::int8, t.typnamespace = 'pg_catalog'::regnamespace,
               pg_catalog.format_type(a.atttypid, null), pg_catalog.format_type(a.atttypid, a.atttypmod),
               case when t.typtype = 'd' then t.typtypmod else a.atttypmod end,
               case when t.typbasetype <> 0 and ad.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
                    when a.attidentity = 'd' then (
                      select pg_catalog.format('nextval(%L)', s.objid::regclass) from pg_catalog.pg_depend s
                      where s.refobjid = a.attrelid and s.refobjsubid = a.attnum and s.deptype = 'i'
                        and s.classid = 'pg_catalog.pg_class'::regclass limit 1)
                    when a.attgenerated <> '' then null
                    else pg_catalog.pg_get_expr(ad.adbin, ad.adrelid) end)
             order by a.attnum)
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      left join pg_catalog.pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
      left join pg_catalog.pg_description d
        on d.objoid = a.attrelid and d.objsubid = a.attnum and d.classoid = 'pg_catalog.pg_class'::regclass
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) end)
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    and n.nspname not in ${SYSTEM} and n.nspname !~ '^pg_temp_'`;

/** Labels of enums, by the enum's oid. */
export const ENUMS = `
  select json_build_array(e.enumtypid::int8, json_agg(e.enumlabel order by e.enumsortorder))
  from pg_catalog.pg_enum e group by e.enumtypid`;

/** Primary, unique and foreign keys, column names in key order. A table without a primary key has the unique one in which null is a value. */
export const KEYS = `
  select json_build_object(
    'kind', case when k.contype = 'u' and not exists (select from pg_catalog.pg_index i where i.indrelid = k.conrelid and i.indisprimary)
        and exists (select from pg_catalog.pg_index i where i.indexrelid = k.conindid and i.indnullsnotdistinct)
      then 'p' else k.contype end, 'name', k.conname, 'table', k.conrelid::int8, 'foreign', k.confrelid::int8,
    'numbers', to_json(k.conkey), 'foreignNumbers', to_json(k.confkey),
    'columns', (select json_agg(a.attname order by u.ord)
                from pg_catalog.unnest(k.conkey) with ordinality u (num, ord)
                join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num),
    'optional', (select json_agg(a.attname) from pg_catalog.pg_attribute a
                 where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and not a.attnotnull),
    'foreignColumns', (select json_agg(a.attname order by u.ord)
                       from pg_catalog.unnest(k.confkey) with ordinality u (num, ord)
                       join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num))
  from pg_catalog.pg_constraint k join pg_catalog.pg_namespace n on n.oid = k.connamespace
  where k.contype in ('p', 'u') and k.conrelid <> 0 and n.nspname <> 'pg_catalog'
     or k.contype = 'f' and k.conparentid = 0`;

/** The rewrite rules of views, with the views' column names by number. $1: schemas */
export const VIEWS = `
  select json_build_object(
    'oid', c.oid::int8, 'rule', r.ev_action::text,
    'columns', (select json_object_agg(a.attnum, a.attname) from pg_catalog.pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
  where c.relkind in ('v', 'm') and n.nspname = any ($1::text[])`;

/** Functions of the exposed schemas, and everywhere those that take one row and return rows. $1: schemas */
export const ROUTINES = `
  select json_build_object(
    'schema', n.nspname, 'name', p.proname, 'exposed', n.nspname = any ($1::text[]),
    'description', (select d.description from pg_catalog.pg_description d
                    where d.objoid = p.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_proc'::regclass),
    'names', to_json(p.proargnames), 'modes', to_json(p.proargmodes::text[]),
    'types', (select coalesce(json_agg(json_build_array(t.oid::int8, pg_catalog.format_type(t.oid, null)) order by u.ord), '[]')
              from pg_catalog.unnest(p.proargtypes) with ordinality u (oid, ord)
              join pg_catalog.pg_type t on t.oid = u.oid),
    'defaults', p.pronargdefaults, 'variadic', p.provariadic <> 0, 'returns', p.prorettype::int8, 'set', p.proretset,
    'rows', p.prorows, 'volatility', p.provolatile, 'settings', to_json(p.proconfig),
    'columns', (select json_agg(a.attname) from pg_catalog.pg_type r
                join pg_catalog.pg_type t on t.oid in (r.oid, r.typbasetype)
                join pg_catalog.pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
                where r.oid = p.prorettype))
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and p.prorettype <> 'pg_catalog.trigger'::regtype
    and (n.nspname = any ($1::text[])
         or p.pronargs = 1 and n.nspname not in ${SYSTEM}
            and p.proargtypes[0] in (select reltype from pg_catalog.pg_class where relkind in ('r', 'v', 'm', 'f', 'p')))`;

/**
 * By the name of a function, `rows.function` calls it with the row. What would take any row at all is no computed
 * column: functions of Postgres itself, and whatever aggregates the search path has. $1: schemas searched
 */
export const OPEN_FUNCTIONS = `
  select to_json(p.proname)
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where (n.nspname = 'pg_catalog' or p.prokind = 'a' and n.nspname = any ($1::text[]))
    and p.pronargs >= 1 and p.pronargs - p.pronargdefaults <= 1
    and p.proargtypes[0] in ('"any"'::regtype, 'anyelement'::regtype, 'anynonarray'::regtype, 'anycompatible'::regtype,
                             'anycompatiblenonarray'::regtype, 'record'::regtype)
  group by p.proname`;

/** What the roles that the login may become, itself aside, want set; as far as the login may set it. */
export const ROLES = `
  select json_build_object('role', r.rolname, 'settings', (
    select json_agg(e.setting order by s.setdatabase, e.ord)
    from pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) with ordinality e (setting, ord)
    join pg_catalog.pg_settings k on k.name = pg_catalog.split_part(e.setting, '=', 1)
    where s.setrole = r.oid
      and s.setdatabase in (0, (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
      and (k.context = 'user' or pg_catalog.has_parameter_privilege(k.name, 'set'))))
  from pg_catalog.pg_roles r
  where r.rolname <> session_user and pg_catalog.pg_has_role(session_user, r.oid, 'member')
    and exists (select from pg_catalog.pg_db_role_setting s where s.setrole = r.oid)`;

/** Implicit casts by function between a domain and json or text: data representations. */
export const REPRESENTATIONS = `
  select json_build_array(pg_catalog.format_type(c.castsource, null), pg_catalog.format_type(c.casttarget, null),
                          n.nspname, p.proname)
  from pg_catalog.pg_cast c
  join pg_catalog.pg_type s on s.oid = c.castsource
  join pg_catalog.pg_type t on t.oid = c.casttarget
  join pg_catalog.pg_proc p on p.oid = c.castfunc
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where c.castcontext = 'i' and c.castmethod = 'f'
    and (s.typtype = 'd' and c.casttarget in ('json'::regtype, 'text'::regtype)
         or t.typtype = 'd' and c.castsource in ('json'::regtype, 'text'::regtype))`;

/** Aggregates over a row (or anything) and functions whose result is a domain named like a media type. $1: schemas */
export const MEDIA_HANDLERS = `
  with media as (
    select t.oid, n.nspname, t.typname, case t.typname when '*/*' then 'application/octet-stream' else t.typname end as resolved
    from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.typbasetype <> 0 and (t.typname ~* '^[A-Za-z0-9.-]+/[A-Za-z0-9.\\+-]+$' or t.typname = '*/*'))
  select json_build_object(
    'handler', json_build_object('schema', n.nspname, 'name', p.proname),
    'target', case when a.typname = 'anyelement' then null else json_build_object('schema', an.nspname, 'name', a.typname) end,
    'mediaType', lower(m.typname), 'resolvedType', lower(m.resolved))
  from media m
  join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
  join pg_catalog.pg_namespace an on an.oid = a.typnamespace
  where n.nspname = any ($1::text[]) and (a.typname = 'anyelement' or a.typrelid <> 0)
  union all
  select json_build_object(
    'handler', json_build_object('schema', m.nspname, 'name', m.typname),
    'target', json_build_object('schema', n.nspname, 'name', p.proname),
    'mediaType', lower(m.typname), 'resolvedType', lower(m.resolved))
  from media m
  join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'f' and not p.proretset
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any ($1::text[])`;

/** The function that makes a row into a GeoJSON feature: PostGIS may be in any schema. $1: those searched first */
export const GEOJSON = `
  select json_build_object('schema', n.nspname, 'name', p.proname)
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where p.proname = 'st_asgeojson' and p.proargtypes[0] = 'record'::regtype
  order by pg_catalog.array_position($1::text[], n.nspname::text), n.nspname limit 1`;

/** Changes whenever a row that describes structure does; no lock, a few milliseconds for a thousand tables. */
export const FINGERPRINT = `
  select concat_ws(':',
    (select concat_ws(',', count(*), sum(xmin::text::int8), max(oid::int8)) from pg_catalog.pg_class where relkind in ('r', 'v', 'm', 'f', 'p')),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_attribute where attnum > 0),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_constraint),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_proc where oid >= 16384),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_type where oid >= 16384),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_db_role_setting),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_description where objoid >= 16384),
    (select concat_ws(',', count(*), sum(xmin::text::int8)) from pg_catalog.pg_cast where oid >= 16384)) as fingerprint`;
