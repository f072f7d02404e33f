-- Comparison of accounts, groups and access before and after a change. Whoever asks makes the change and rolls it back, so that the same
-- functions and triggers decide as when it is made for good. Names are for operators, a hundred of each kind.

-- Roles are those that policies read (private.my_memberships, private.my_guest_tasks).
create or replace function private.access_of_people(people uuid[]) returns table (project_id uuid, user_id uuid, role text)
language sql stable rows 100 set search_path = '' as $$
  select m.project_id, m.user_id, m.role::text from public.project_members m where m.user_id = any (people)
  union all
  select distinct g.project_id, g.user_id, 'guest' from private.grants_of_people g
  where g.user_id = any (people)
    and not exists (select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id)
$$;
comment on function private.access_of_people(uuid[]) is 'Projects of people, with owner, editor, viewer or guest.';

create or replace function private.note_access(people uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(a)), '[]') from private.access_of_people(people) a
$$;

create or replace function private.name_people(people uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('total', count(*), 'people', coalesce(
    jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name, 'email', n.email) order by n.at) filter (where n.at <= 100), '[]'))
  from (
    select u.id, f.display_name as name, u.email, row_number() over (order by lower(f.display_name), u.id) as at
    from auth.users u left join public.profiles f on f.id = u.id where u.id = any (people)
  ) n
$$;
comment on function private.name_people(uuid[]) is 'Number of people, with the names of the first hundred.';

create or replace function private.compare_access(was jsonb, people uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  with changes as (
    select project_id, w.role as role_before, b.role as role_after, private.name_people(array_agg(user_id)) as names
    from jsonb_to_recordset(was) w (project_id uuid, user_id uuid, role text)
    full join private.access_of_people(people) b using (project_id, user_id)
    where w.role is distinct from b.role
    group by project_id, w.role, b.role
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'changes', (
    select jsonb_agg(c.names || jsonb_build_object('from', c.role_before, 'to', c.role_after) order by c.role_after is null, c.role_before nulls first, c.role_after)
    from changes c where c.project_id = p.id
  )) order by lower(p.name), p.id), '[]')
  from public.projects p
  where p.id in (select c.project_id from changes c) and p.deleted_at is null
$$;
comment on function private.compare_access(jsonb, uuid[]) is 'Projects whose people or roles are other ones than before, with whom that concerns.';

create or replace function private.snapshot_provisioning(provider uuid, people uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'access', private.note_access(people),
    'accounts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email, 'banned', coalesce(u.banned_until > now(), false), 'kept',
        exists (select from private.scim_people p where p.user_id = u.id and p.provider_id = snapshot_provisioning.provider and p.removed_at is null))), '[]')
      from auth.users u where u.id = any (people)
    ),
    'groups', (
      select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name)), '[]')
      from private.scim_groups s join public.groups g on g.id = s.group_id where s.provider_id = snapshot_provisioning.provider
    ),
    'members', (
      select coalesce(jsonb_agg(jsonb_build_object('group_id', m.group_id, 'user_id', m.user_id)), '[]')
      from private.scim_groups s join public.group_members m on m.group_id = s.group_id where s.provider_id = snapshot_provisioning.provider
    )
  )
$$;
comment on function private.snapshot_provisioning(uuid, uuid[]) is 'Accounts, groups and access as they are, to be compared.';

create or replace function private.compare_provisioning(provider uuid, was jsonb, people uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  with now_is as (
    select private.snapshot_provisioning(compare_provisioning.provider, people) as noted
  ), accounts as (
    select id, w.email as email_before, b.email, w.banned as banned_before, b.banned, w.id is null as is_new, b.kept and not coalesce(w.kept, false) as is_taken
    from now_is n
    cross join lateral jsonb_to_recordset(n.noted -> 'accounts') b (id uuid, email text, banned boolean, kept boolean)
    left join jsonb_to_recordset(was -> 'accounts') w (id uuid, email text, banned boolean, kept boolean) using (id)
  ), moves as (
    select group_id, user_id, w.user_id is null as joins
    from jsonb_to_recordset(was -> 'members') w (group_id uuid, user_id uuid)
    full join (select b.* from now_is n cross join lateral jsonb_to_recordset(n.noted -> 'members') b (group_id uuid, user_id uuid)) b using (group_id, user_id)
    where w.user_id is null or b.user_id is null
  ), sides as (
    select group_id, private.name_people(array_agg(user_id) filter (where joins)) as joins, private.name_people(array_agg(user_id) filter (where not joins)) as leaves
    from moves group by group_id
  ), groups as (
    select id, w.name as name_before, b.name, w.id is null as is_new, b.id is null as is_gone
    from jsonb_to_recordset(was -> 'groups') w (id uuid, name text)
    full join (select b.* from now_is n cross join lateral jsonb_to_recordset(n.noted -> 'groups') b (id uuid, name text)) b using (id)
  )
  select jsonb_build_object(
    'created', (select private.name_people(array_agg(a.id)) from accounts a where a.is_new and not a.banned),
    'created_disabled', (select private.name_people(array_agg(a.id)) from accounts a where a.is_new and a.banned),
    'adopted', (select private.name_people(array_agg(a.id)) from accounts a where a.is_taken and not a.is_new),
    'disabled', (select private.name_people(array_agg(a.id)) from accounts a where not a.banned_before and a.banned),
    'enabled', (select private.name_people(array_agg(a.id)) from accounts a where a.banned_before and not a.banned),
    'readdressed', (
      select coalesce(jsonb_agg(jsonb_build_object('from', a.email_before, 'to', a.email) order by a.email_before), '[]')
      from accounts a where a.email_before <> a.email
    ),
    'renames', (
      select coalesce(jsonb_agg(jsonb_build_object('from', g.name_before, 'to', g.name) order by lower(g.name_before)), '[]')
      from groups g where g.name_before <> g.name
    ),
    'groups', (
      select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', coalesce(g.name, g.name_before), 'is_new', g.is_new, 'is_gone', g.is_gone,
        'joins', coalesce(s.joins, private.name_people('{}')), 'leaves', coalesce(s.leaves, private.name_people('{}'))
      ) order by lower(coalesce(g.name, g.name_before))), '[]')
      from groups g left join sides s on s.group_id = g.id
      where g.is_new or g.is_gone or s.group_id is not null
    ),
    'projects', private.compare_access(was -> 'access', people)
  )
$$;
comment on function private.compare_provisioning(uuid, jsonb, uuid[]) is 'Changes of a provider''s people and groups since the snapshot: accounts, groups, projects and roles.';
