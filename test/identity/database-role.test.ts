// The identity room's own role, in the hands of somebody who got SQL past it: it reaches schema auth and nothing else.

import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

const as = (text: string) => app.asUser({ role: 'kanbase_identity' }, text);

test.each([
  'select * from public.projects',
  'select * from public.profiles',
  'select * from billing.subscriptions',
  'select * from private.limits',
  'select * from private.leads',
  'select * from public.project_members',
  'insert into public.projects (name) values ($$x$$)',
  'select public.create_project_with_defaults($$x$$)',
  'select private.take_token($$x$$, 1, 1)',
  'create table public.t (x int)',
  'create table auth.t (x int)',
  'create schema s',
  'create role r',
  'create extension dblink',
  'create function auth.f() returns int language sql return 1',
  'create or replace function auth.jwt() returns jsonb language sql return null',
  'alter table auth.users disable row level security',
  'alter table auth.users add column x int',
  'drop table auth.users',
  'truncate auth.users',
  'drop policy identity_room on auth.users',
  'alter role kanbase_identity superuser',
  'select * from pg_catalog.pg_authid',
  'select * from pg_catalog.pg_user_mapping',
  'select passwd from pg_catalog.pg_shadow',
  'select pg_read_file($$/etc/passwd$$)',
  'select pg_ls_dir($$.$$)',
  'select lo_import($$/etc/passwd$$)',
  'select lo_export(1, $$/tmp/x$$)',
  'copy auth.users to $$/tmp/x$$',
  'copy auth.users from program $$id$$',
  'copy (select 1) to program $$id$$',
  'select pg_terminate_backend(pid) from pg_stat_activity where usename = $$kanbase$$',
  'select pg_reload_conf()',
  'do language plpython3u $$pass$$',
  'load $$plpgsql$$',
  'select pg_catalog.set_config($$session_replication_role$$, $$replica$$, false)',
  'set session_preload_libraries = $$x$$',
])('%s', async (text) => {
  await expect(as(text)).rejects.toThrow(
    /permission denied|must be (owner|superuser|member)|does not exist|not trusted|only roles with|not allowed/i,
  );
});

describe('becomes nobody else', () => {
  test.each([
    'postgres',
    'kanbase',
    'kanbase_billing',
    'kanbase_limits',
    'kanbase_mail',
    'pg_read_all_data',
    'pg_execute_server_program',
  ])('as a member of %s', async (role) => {
    const [row] = await app.sql<{ member: boolean }>(
      `select coalesce(bool_or(pg_has_role('kanbase_identity', oid, 'member')), false) as member from pg_roles where rolname = $1`,
      [role],
    );
    expect(row?.member).toBe(false);
  });

  test('and owns nothing, is let into no other schema, and has no attribute of power', async () => {
    const [row] = await app.sql(`
      select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolcanlogin,
        (select count(*)::int from pg_class where relowner = r.oid) + (select count(*)::int from pg_proc where proowner = r.oid) as owned,
        (select coalesce(array_agg(nspname::text order by nspname), '{}') from pg_namespace
          where nspname !~ '^pg_' and nspname <> 'information_schema' and has_schema_privilege(r.oid, oid, 'usage')) as schemas,
        (select coalesce(array_agg(nspname::text), '{}') from pg_namespace where has_schema_privilege(r.oid, oid, 'create')) as makes
      from pg_roles r where rolname = 'kanbase_identity'`);
    expect(row).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolreplication: false,
      rolcanlogin: false,
      owned: 0,
      // Everybody may look into public, where nothing is theirs, and call what data_door refuses results with.
      schemas: ['auth', 'data_door', 'public'],
      makes: [],
    });
  });

  test('nor finds a table, a sequence or a function outside its schema that it may use', async () => {
    const found = await app.sql<{ name: string }>(`
      select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname !~ '^pg_' and n.nspname not in ('auth', 'information_schema')
        and has_function_privilege('kanbase_identity', p.oid, 'execute')
        and has_schema_privilege('kanbase_identity', n.oid, 'usage')
      union all
      select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname not in ('auth', 'information_schema') and c.relkind in ('r', 'v', 'm', 'p', 'f', 'S')
        and case c.relkind when 'S' then has_sequence_privilege('kanbase_identity', c.oid, 'usage')
          else has_any_column_privilege('kanbase_identity', c.oid, 'select, insert, update')
            or has_table_privilege('kanbase_identity', c.oid, 'delete, truncate, trigger') end`);
    // They count, raise an error, are a trigger that no table of its own has, read the catalog, and number versions of rows.
    const harmless = [
      'data_door.admit_list(bigint,bigint,bigint,bigint)',
      'data_door.key_index(regclass)',
      'data_door.refuse_result(text,bigint)',
      'data_door.set_deleted_at()',
      'data_door.sets_deleted_at(regclass)',
      'private.row_versions',
    ];
    expect(found.map(({ name }) => name).sort()).toEqual(harmless);
  });

  test('and hands nothing on', async () => {
    await as('grant select on auth.users to anon');
    const [row] = await app.sql<{ may: boolean }>(`select has_table_privilege('anon', 'auth.users', 'select') as may`);
    expect(row?.may).toBe(false);
  });

  test('and in its schema, only the functions that queue mail, say who is invited or a guest, find keys, open public links, end lasting access and keep groups have', async () => {
    const rows = await app.sql<{ name: string }>(`
      select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname = 'auth' and has_function_privilege('kanbase_identity', p.oid, 'execute')`);
    expect(rows.map(({ name }) => name).sort()).toEqual([
      'count_share_link_use',
      'end_lasting_access',
      'find_api_key',
      'find_share_link',
      'guests',
      'is_invited',
      'keep_said_groups',
      'note_key_use',
      'queue_mail',
      'settle_outside_groups',
    ]);
  });
});
