// Rules for every table, policy, key and function of ours, read from Postgres' own catalog: a new one that forgets a rule fails here before
// anyone reviews it.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { calledByMembers } from './called-by-members.ts';

const app = forSuite(startApp);

const names = async (text: string) => (await app.sql<{ name: string }>(text)).map((row) => row.name);

describe('tables', () => {
  it('have row security on, in every schema of ours', async () => {
    expect(
      await names(`
        select c.oid::regclass::text as name from pg_class c
        where c.relkind in ('r', 'p') and not c.relrowsecurity
          and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'private', 'auth', 'billing'))
          and c.oid <> 'private.migrations'::regclass`),
    ).toEqual([]);
  });

  it('served ones have created_at, and updated_at unless their rows are never rewritten', async () => {
    const neverRewritten = [
      'access_log',
      'comment_reactions',
      'comment_resolutions',
      'project_watchers',
      'task_activity',
      'task_assignees',
      'task_label_links',
    ];
    expect(
      await names(`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and (
          not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'created_at')
          or c.relname <> all ('{${neverRewritten}}')
            and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'updated_at'))`),
    ).toEqual([]);
  });

  it('that belong to a project carry project_id, never empty, and point at their task together with it', async () => {
    const mayBeEmpty = [
      'access_grants',
      'access_log',
      'agents',
      'api_keys',
      'calendar_feeds',
      'favorite_views',
      'group_members',
      'groups',
      'notification_schedules',
      'notification_settings',
      'notifications',
      'push_subscriptions',
      'saved_views',
      'service_accounts',
      'templates',
    ];
    expect(
      await names(`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not in ('profiles', 'projects')
          and c.relname <> all ('{${mayBeEmpty}}')
          and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and a.attnotnull)`),
    ).toEqual([]);
    expect(
      await names(`
        select f.conname as name from pg_constraint f
        where f.contype = 'f' and f.confrelid in ('public.tasks'::regclass, 'public.workflow_columns'::regclass, 'public.task_labels'::regclass)
          and cardinality(f.conkey) < 2`),
    ).toEqual([]);
  });

  it('and their columns and procedures are described: the API documents itself with these words', async () => {
    expect(
      await names(`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and obj_description(c.oid) is null
        union all
        select c.relname || '.' || a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and col_description(c.oid, a.attnum) is null
        union all
        select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace and obj_description(p.oid) is null`),
    ).toEqual([]);
  });

  it('have checks whose names a person understands', async () => {
    expect(
      await names(`
        select conname as name from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace and (conname ~ '_check[0-9]*$' or conname !~ '_.*_')`),
    ).toEqual([]);
  });
});

describe('keys and indexes', () => {
  it('that stand in the way of shards are listed in docs/why/nodes.md, triggers too', async () => {
    const listed = readFileSync('docs/why/nodes.md', 'utf8');
    const lacking = await names(`
      with tables as (
        select c.oid, c.relname, c.relnamespace::regnamespace::text as room, a.attnum as project, a.attnotnull as has_one
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
        where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      )
      -- keys and all else that is unique without the project
      select case when i.indisprimary then t.relname else i.indexrelid::regclass::text end as name
      from tables t join pg_index i on i.indrelid = t.oid and i.indisunique where not t.project = any (i.indkey::int2[])
      -- rows that may have none
      union select t.relname from tables t where not t.has_one
      -- what counts for the whole database
      union select a.attrelid::regclass || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attidentity <> '' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      -- people are everywhere: what follows them away does so in every project
      union select t.tgname from pg_trigger t where t.tgrelid = 'public.profiles'::regclass and not t.tgisinternal and (t.tgtype & 8) > 0
      -- and what reaches by its own words what knows no project
      union select t.tgname from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
        and p.prosrc ~ 'private\\.(removed_files|unclaimed_files|outbox|notification_deliveries|queue_mail|send_invitation)|storage\\.objects|auth\\.users'
      order by 1`);
    expect(lacking.length).toBeGreaterThan(40);
    expect(lacking.filter((name) => !new RegExp(`[\`.]${name.split('.').at(-1)}\``).test(listed))).toEqual([]);
  });

  it('every foreign key says what a delete does', async () => {
    // "no action" is what one gets by saying nothing: only where it is meant
    expect(
      await names(`
        select conname as name from pg_constraint
        where contype = 'f' and confdeltype = 'a' and connamespace in ('public'::regnamespace, 'private'::regnamespace)`),
    ).toEqual(['tasks_column_of_same_project']);
  });

  it('every foreign key has an index that begins with its columns', async () => {
    expect(
      await names(`
        select f.conrelid::regclass || ' ' || f.conname as name from pg_constraint f
        where f.contype = 'f' and f.connamespace in ('public'::regnamespace, 'private'::regnamespace) and not exists (
          select from pg_index i
          where i.indrelid = f.conrelid
            -- or leaves out the rows that point nowhere
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
              select format('(%I IS NOT NULL)', a.attname) from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any (f.conkey)))
            and (i.indkey::int2[])[0:cardinality(f.conkey) - 1] @> f.conkey)`),
    ).toEqual([]);
  });

  it('every column a policy reads is indexed', async () => {
    expect(
      await names(`
        select distinct c.relname || '.' || a.attname as name
        from pg_policy p
        join pg_class c on c.oid = p.polrelid and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = c.oid and d.refobjsubid > 0
        join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
        -- an audience takes rows away from those that the project's index finds
        where a.atttypid <> 'boolean'::regtype and a.attname <> 'audience_id' and p.polname <> 'outside'
          and not exists (select from pg_index i where i.indrelid = c.oid and (i.indkey::int2[])[0] = a.attnum)`),
    ).toEqual([]);
  });
});

describe('policies', () => {
  it('read memberships once per statement: what they ask stands in a sub-select, never beside a row', async () => {
    // what is left of the expressions once the sub-selects that depend on no row are taken away asks nothing
    expect(
      await names(`
        select p.schemaname || '.' || p.tablename || ' ' || p.policyname as name
        from pg_policies p
        where p.schemaname in ('public', 'private')
          -- looks at one view, by its key, for a row that is added
          and (p.tablename, p.policyname) <> ('favorite_views', 'add_own')
          -- looks at the row at hand, in sessions of agents alone
          and p.policyname <> 'outside'
          and regexp_replace(
            regexp_replace(
              regexp_replace(coalesce(p.qual, '') || coalesce(p.with_check, ''),
                '\\( SELECT (t\\.project_ids|\\(\\(t\\.project_ids IS NULL\\) AND \\(t\\.level > \\d\\)\\)[a-z_" ?A-Z]*)\\s+FROM private\\.my_token t(\\s+WHERE \\(t\\.level > \\d\\))?\\)', '', 'g'),
              '\\( SELECT (auth\\.uid\\(\\) AS uid|private\\.(seen_audiences|owned_projects|hidden_tasks|guest_projects|guest_tasks|groups_of_caller)\\([^()]*\\) AS [a-z_]+|[a-z_.]+\\s+FROM private\\.(caller|my_memberships|my_token_people|my_discussions|people_in_sight|my_colleagues|my_groups|my_service_accounts|calling_operator|my_share|my_shared_[a-z]+)(\\s+WHERE [a-z_.]+|\\s+WHERE \\([^()]*(\\(ARRAY\\[[^\\]]*\\]\\))?[^()]*\\))?)\\)',
            '', 'g'
          ), '\\( SELECT (NULLIF\\(private\\.may_be_guest\\(\\), true\\) AS "[a-z]+"|\\(ARRAY \\|\\|\\s+CASE\\s+WHEN private\\.may_be_guest\\(\\) THEN private\\.guest_projects\\(\\)\\s+ELSE NULL::uuid\\[\\]\\s+END\\))\\)', '', 'g')
          ~ '[a-z_]\\(|SELECT'`),
    ).toEqual([]);
  });

  it('call no plpgsql on the way', async () => {
    expect(
      await names(`
        select distinct p.polrelid::regclass || ' ' || p.polname || ': ' || f.proname as name
        from pg_policy p
        join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass
        join pg_proc f on f.oid = d.refobjid
        join pg_language l on l.oid = f.prolang and l.lanname = 'plpgsql'
        where p.polrelid in (select oid from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace))
          and p.polname <> 'outside'`),
    ).toEqual([]);
  });

  it('that hold guests to their tasks bind guests and programs alone: nobody else is asked', async () => {
    expect(
      await names(`
        select distinct p.roles::text as name from pg_policies p
        where p.permissive = 'RESTRICTIVE' and coalesce(p.qual, '') ~ 'guest'`),
    ).toEqual(['{program,task_guest}']);
  });

  it('take the caller for whom triggers and procedures take them', async () => {
    const id = '0190b0c8-0000-7000-8000-00000000000a';
    for (const [claims, who] of [
      [{ sub: id }, id],
      [{ sub: id, mfa_pending: false }, id],
      [{ sub: id, mfa_pending: 'true' }, id],
      [{ sub: id, mfa_pending: true }, null],
      [{ sub: '' }, null],
      [{}, null],
    ] as const)
      expect(
        await app.sql(
          `select c.user_id, private.me() as me from (select set_config('request.jwt.claims', $1, true)) as s (x)
           cross join lateral (select user_id from private.caller where s.x is not null) as c`,
          [JSON.stringify(claims)],
        ),
      ).toEqual([{ user_id: who, me: who }]);
  });

  it('speak for authenticated and for the service, each table for both', async () => {
    expect(
      await names(`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and (
          not exists (select from pg_policies p where p.tablename = c.relname and p.schemaname = 'public' and p.roles = '{service_role}' and p.cmd = 'ALL')
          or not exists (select from pg_policies p where p.tablename = c.relname and p.schemaname = 'public' and p.roles = '{authenticated}'))`),
    ).toEqual([]);
    expect(
      await names(`
        select tablename || ' ' || policyname as name from pg_policies
        where schemaname in ('public', 'private') and roles && '{anon,public}'`),
    ).toEqual([]);
  });

  it('every table a member may change refuses, rather than passes over, rows that are not theirs to delete', async () => {
    // own rows only: what one sees there is one's own
    const ownRowsOnly = [
      'access_grants',
      'calendar_feeds',
      'favorite_views',
      'notification_schedules',
      'notification_settings',
      'notifications',
      'project_watchers',
      'push_subscriptions',
    ];
    expect(
      await names(`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
          and has_table_privilege('authenticated', c.oid, 'delete') and c.relname <> all ('{${ownRowsOnly}}')
          and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'private.refuse_delete'::regproc)`),
    ).toEqual([]);
  });
});

describe('triggers of tasks', () => {
  it('say their order in their names, and stand at the top of their file and in the guide with it', async () => {
    const there = await names(
      `select tgname as name from pg_trigger where tgrelid = 'public.tasks'::regclass and not tgisinternal order by 1`,
    );
    expect(there.filter((name) => !/^tasks_\d\d_[a-z_]+$/.test(name))).toEqual([]);
    const file = readFileSync('sql/rules/tasks/tasks.sql', 'utf8');
    const listed = [
      ...file.slice(0, file.indexOf('select private.project_rows')).matchAll(/^--[ *]{3}(tasks_\w+)/gm),
    ].map(([, name]) => name);
    expect([...listed].sort()).toEqual(there);
    // Before, then after; of each row, then of the statement; by name.
    const fired = await names(`
      select tgname as name from pg_trigger where tgrelid = 'public.tasks'::regclass and not tgisinternal
      order by tgtype & 2 desc, tgtype & 1 desc, tgname`);
    expect(listed.map((name) => name?.slice(0, 8))).toEqual(fired.map((name) => name.slice(0, 8)));
    const onUpdate = await names(`
      select tgname as name from pg_trigger
      where tgrelid = 'public.tasks'::regclass and not tgisinternal and tgtype & 16 <> 0 order by 1`);
    const guide = readFileSync('docs/build/moving-a-task.md', 'utf8');
    expect([...new Set(guide.match(/tasks_\d\d_\w+/g))].sort()).toEqual(onUpdate);
  });
});

describe('grants', () => {
  it('anon may look at the served tables, through policies that show nothing, and that is all', async () => {
    expect(
      await names(`
        select distinct table_schema || '.' || table_name || ' ' || privilege_type as name
        from information_schema.role_table_grants where grantee in ('anon', 'PUBLIC')
          and table_schema in ('public', 'private', 'auth', 'billing') order by 1`),
    ).toEqual(
      [
        'access_grants',
        'access_log',
        'agent_activities',
        'agent_proposals',
        'agent_sessions',
        'agents',
        'api_keys',
        'calendar_feeds',
        'comment_reactions',
        'comment_resolutions',
        'custom_fields',
        'favorite_views',
        'group_members',
        'groups',
        'join_links',
        'notification_schedules',
        'notification_settings',
        'notifications',
        'profiles',
        'project_invitations',
        'project_members',
        'project_watchers',
        'projects',
        'saved_views',
        'service_accounts',
        'share_links',
        'task_activity',
        'task_assignees',
        'task_attachments',
        'task_checklist_items',
        'task_claims',
        'task_comments',
        'task_dependencies',
        'task_field_values',
        'task_grants',
        'task_label_links',
        'task_labels',
        'task_recurrences',
        'task_watchers',
        'tasks',
        'templates',
        'view_defaults',
        'webhook_deliveries',
        'webhooks',
        'workflow_columns',
      ].map((table) => `public.${table} SELECT`),
    );
    expect(
      await names(`
        select p.oid::regprocedure::text as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace and has_function_privilege('anon', p.oid, 'execute')`),
      // whoever holds a token may have no account yet
    ).toEqual(['invitation_details(text)', 'join_link_details(text)']);
  });

  it('members write column by column: no table-wide right to insert or update', async () => {
    expect(
      await names(`
        select c.relname as name from pg_class c, unnest('{insert,update,truncate,references,trigger}'::text[]) as verb
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege('authenticated', c.oid, verb)`),
    ).toEqual([]);
  });

  it('history is written by nobody, not even the service', async () => {
    for (const role of ['anon', 'authenticated', 'service_role'])
      for (const verb of ['insert', 'update', 'delete', 'truncate'])
        expect(
          await app.sql(`select has_table_privilege('${role}', 'public.task_activity', '${verb}') as may`),
        ).toEqual([{ may: false }]);
  });
});

describe('functions', () => {
  it('state their search_path', async () => {
    expect(
      await names(`
        select p.oid::regprocedure::text as name from pg_proc p
        where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
          and p.prosqlbody is null
          -- written into the statement that embeds it, which a setting would prevent
          and p.oid::regprocedure::text not in ('cover(tasks)', 'creator(tasks)', 'creator(projects)', 'parent(tasks)', 'subtasks(tasks)')
          and not exists (select from unnest(p.proconfig) as setting where setting like 'search_path=%')`),
    ).toEqual([]);
  });

  it('run with the rights of their owner in private only', async () => {
    expect(
      await names(`
        select p.proname as name from pg_proc p
        where p.prosecdef and p.pronamespace = 'public'::regnamespace`),
    ).toEqual([]);
  });

  it('behind the doors can be called by members only where policies, defaults or procedures need them', async () => {
    expect(
      await names(`
        select p.proname as name from pg_proc p
        where p.pronamespace = 'private'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
          and p.prosecdef order by 1`),
    ).toEqual(calledByMembers);
  });
});
