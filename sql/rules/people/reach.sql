-- Access explained: people, what they may in a project, and by which rule. Rights are asked of the view and the functions that policies and triggers
-- ask, with the person's claims in place of the caller's; memberships, groups, visits of operators, invitations and links say where it comes from. Owners ask about
-- their projects, operators about all, everybody about themselves.

-- What policies and triggers let this person do in a project, now, with rows of this audience, or as its guest with this task.
create or replace function private.rights_of(
  person uuid, in_project uuid, audience uuid, on_task uuid, out sees boolean, out comments boolean, out changes boolean, out manages boolean
) language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := coalesce(current_setting('request.jwt.claims', true), '');
begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', person, 'role', 'authenticated', 'guest', true)::text, true);
  if person is not null then
    sees := (exists (select from private.my_memberships m where m.project_id = in_project)
        or case when on_task is null then in_project = any (private.guest_projects()) else on_task = any (private.guest_tasks('see')) end)
      and private.sees_audience(in_project, audience);
    comments := sees and private.may_comment_on(in_project, on_task);
    changes := sees and private.may_edit_task(in_project, on_task);
    manages := private.is_owner(in_project);
  end if;
  perform set_config('request.jwt.claims', claims, true);
end
$$;

-- The task, or that of an attachment; null of a project.
create or replace function private.task_containing(object uuid) returns public.tasks
language sql stable security definer set search_path = '' as $$
  select t from public.tasks t where t.id = coalesce((select a.task_id from public.task_attachments a where a.id = object), object)
$$;

-- Of a project, a task or an attachment by its id; null: there is none.
create or replace function private.project_containing(object uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select p.id from public.projects p
  where p.deleted_at is null and p.id = coalesce(
    (select o.id from public.projects o where o.id = object), (private.task_containing(object)).project_id)
$$;

create or replace function private.is_account_open(person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()) from auth.users u where u.id = person
$$;

-- By which rules a person is in a project and in an audience there, the strongest role first.
create or replace function private.reasons_of(person uuid, in_project uuid, audience uuid, on_task uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(r.words) order by r.role, r.words ->> 'rule' desc, r.words ->> 'group_name'), '[]')
  from (
    select m.own_role as role, case
      when visit.reason is not null then jsonb_build_object('rule', 'operator_visit', 'role', m.own_role, 'at', visit.created_at,
        'until', visit.ends_at, 'words', visit.reason)
      when invited.invited_by is not null then jsonb_build_object('rule', 'invitation', 'role', m.own_role, 'at', m.created_at, 'by', invited.invited_by)
      else jsonb_build_object('rule', case
          when p.created_by = person then 'founder' when given.actor_id = person then 'join_link' else 'role' end,
        'role', m.own_role, 'at', m.created_at, 'by', case when given.actor_id <> person then given.actor_id end)
      end as words
    from public.project_members m
    join public.projects p on p.id = m.project_id
    left join lateral (
      select e.reason, e.created_at, e.ends_at from private.operator_entries e
      where e.project_id = m.project_id and e.operator_id = person and e.deed = 'entered' and e.left_at is null and m.own_role = 'viewer'
      limit 1
    ) visit on true
    left join lateral (
      select i.invited_by from public.project_invitations i
      join auth.users u on u.id = person and lower(u.email) = lower(i.email)
      where i.project_id = m.project_id and i.accepted_at is not null
      order by i.accepted_at desc limit 1
    ) invited on true
    left join lateral (
      select l.actor_id from public.access_log l
      where l.project_id = m.project_id and l.subject ->> 'id' = person::text
        and l.change -> 'role' -> 'from' = 'null' and not l.change ? 'through'
      order by l.created_at desc limit 1
    ) given on true
    where m.project_id = in_project and m.user_id = person and m.own_role is not null
    union all
    select m.own_role, jsonb_build_object('rule', 'service_account', 'at', s.created_at, 'by', s.owner_id, 'project_id', s.project_id)
    from public.service_accounts s join public.project_members m on m.project_id = in_project and m.user_id = s.id
    where s.id = person
    union all
    select m.role, jsonb_build_object('rule', 'group', 'role', m.role, 'at', greatest(m.created_at, p.created_at), 'group_id', g.id, 'group_name', g.name)
    from public.project_members m
    join public.groups g on g.id = m.group_id
    join public.group_members p on p.group_id = g.id and p.user_id = person
    where m.project_id = in_project
    union all
    select m.role, jsonb_build_object('rule', case when g.is_named then 'named' else 'assigned' end, 'role', m.role, 'at', g.created_at, 'by', g.created_by)
    from public.task_grants g
    join public.project_members m on m.project_id = in_project and m.user_id = person
    where g.task_id = audience and g.user_id = person
    union all
    select m.role, jsonb_build_object('rule', 'named', 'role', m.role, 'at', g.created_at, 'by', g.created_by, 'group_id', g.group_id, 'group_name', o.name)
    from private.grants_of_people g
    join public.project_members m on m.project_id = in_project and m.user_id = person
    join public.groups o on o.id = g.group_id
    where g.task_id = audience and g.user_id = person
    union all
    select null, jsonb_build_object('rule', case when g.is_named then 'guest'
      when exists (select from public.task_assignees a where a.project_id = g.project_id and a.task_id = g.task_id and a.user_id = person) then 'assigned'
      else 'guest_of_part' end, 'level', g.level, 'at', g.created_at, 'by', g.created_by,
      'group_id', g.group_id, 'group_name', o.name)
    from private.grants_of_people g
    left join public.groups o on o.id = g.group_id
    where g.project_id = in_project and g.task_id = on_task and g.user_id = person and not private.is_member(in_project, person)
  ) r
  where private.is_in_audience(in_project, audience, person)
$$;

-- How many restricted tasks of a project a person sees, and by which rule; owners see all. Told to themselves and to owners.
create or replace function private.reasons_in_restricted(person uuid, in_project uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('rule', r.rule, 'role', r.role, 'at', r.at, 'tasks', r.tasks,
    'group_id', r.group_id, 'group_name', r.name)) order by r.rule desc, r.name nulls first), '[]')
  from (
    select case when g.is_named then 'named' else 'assigned' end as rule, m.role, max(g.created_at) as at, count(distinct g.task_id) as tasks,
      g.group_id, o.name
    from private.grants_of_people g
    left join public.groups o on o.id = g.group_id
    join public.tasks t on t.id = g.task_id and t.is_restricted
    join public.project_members m on m.project_id = g.project_id and m.user_id = g.user_id
    where g.project_id = in_project and g.user_id = person and (person = private.me() or private.is_owner(in_project))
    group by g.is_named, m.role, g.group_id, o.name
  ) r
$$;

-- What a person or a group is shown as a guest, with each level apart, and of a person each group.
create or replace function private.reasons_of_guest(subject uuid, in_project uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('rule', 'guest', 'level', r.level, 'at', r.at, 'tasks', r.tasks,
    'group_id', r.group_id, 'group_name', r.name)) order by r.level desc, r.name nulls first)
  from (
    select g.level, max(g.created_at) as at, count(distinct g.task_id) as tasks, g.group_id, o.name
    from (
      select g.task_id, g.level, g.created_at, g.group_id from private.grants_of_people g where g.project_id = in_project and g.user_id = subject
      union all
      select g.task_id, g.level, g.created_at, null from public.task_grants g where g.project_id = in_project and g.group_id = subject
    ) g
    left join public.groups o on o.id = g.group_id
    group by g.level, g.group_id, o.name
  ) r
$$;

create or replace function private.reason_of_share_link(link uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('rule', 'open_share_link', 'scope', l.scope, 'task_id', l.task_id, 'view', l.view -> 'name', 'link_id', l.id, 'at', l.created_at,
    'by', l.created_by, 'until', l.expires_at))
  from public.share_links l where l.id = link
$$;

-- A task, or that of an attachment, with all that it is a subtask of.
create or replace function private.task_and_parents(object uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  with recursive upward as (
    select t.id, t.parent_id from private.task_containing(object) t
    union
    select t.id, t.parent_id from upward u join public.tasks t on t.id = u.parent_id
  )
  select u.id from upward u
$$;

create or replace function private.explain_rights(object uuid, person uuid)
returns table (person_id uuid, display_name text, avatar_url text, role public.project_role, sees boolean, comments boolean, changes boolean, manages boolean, reasons jsonb)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  most_people constant integer := 1000;
  me constant uuid := private.require_user();
  subject constant uuid := private.project_containing(object);
  of_task constant public.tasks := private.task_containing(object);
  task constant uuid := of_task.id;
  audience constant uuid := of_task.audience_id;
  sees_all constant boolean := exists (select from private.calling_operator) or private.is_owner(subject);
begin
  if subject is null or not (sees_all or (subject = any (private.my_projects()) and private.sees_audience(subject, audience)) or coalesce(task = any (private.guest_tasks('see')), subject = any (private.guest_projects()))) then
    perform private.raise_not_found('project, task or file');
  elsif not sees_all and person is distinct from me then
    perform private.refuse('42501', 'who sees this is told to owners of the project', 'Ask one of them, or ask about yourself: send your own id as "person".');
  elsif person is not null and not exists (select from public.profiles p where p.id = person) then
    perform private.raise_not_found('person');
  end if;
  return query
    select f.id, f.display_name, f.avatar_url, m.role, o.is_open and r.sees, o.is_open and r.comments, o.is_open and r.changes, o.is_open and r.manages,
      case when task is null and m.user_id is null then coalesce(private.reasons_of_guest(f.id, subject), '[]')
        else private.reasons_of(f.id, subject, audience, task) end
    from public.profiles f
    left join public.project_members m on m.project_id = subject and m.user_id = f.id
    cross join lateral private.rights_of(f.id, subject, audience, task) r
    cross join lateral (select private.is_account_open(f.id) as is_open) o
    where f.id = person or (person is null and m.user_id is not null and private.is_in_audience(subject, audience, f.id))
      or (person is null and m.user_id is null and exists (select from private.grants_of_people g where g.project_id = subject and g.task_id = task and g.user_id = f.id))
    order by m.role, lower(f.display_name), f.id
    limit most_people;
  if person is not null then
    return;
  end if;
  return query
    select null::uuid, i.email, null, i.role, false, false, false, false,
      jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('rule', 'open_invitation', 'role', i.role, 'at', i.created_at, 'by', i.invited_by, 'until', i.expires_at)))
    from public.project_invitations i where i.project_id = subject and private.is_open_invitation(i)
      and (i.task_id = task or (i.task_id is null and (audience is null or i.role = 'owner')))
    order by i.email
    limit most_people;
  return query
    select null::uuid, null, null, l.role, false, false, false, false,
      jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('rule', 'open_join_link', 'role', l.role, 'at', l.created_at, 'by', l.created_by, 'until', l.expires_at)))
    from public.join_links l where l.project_id = subject and audience is null and private.join_link_state(l) = 'open';
  return query
    select null::uuid, null, null, null::public.project_role, true, false, false, false, jsonb_build_array(private.reason_of_share_link(l.id))
    from private.open_share_links l
    where l.project_id = subject and audience is null and (object = subject or case l.scope
      when 'project' then true
      when 'task' then l.task_id in (select private.task_and_parents(object))
      else exists (select from private.tasks_of_view_link(l.id) v where v.id = task)
    end)
    order by l.created_at, l.id;
end
$$;
grant execute on function private.explain_rights(uuid, uuid) to authenticated;

create or replace function public.explain_access(object uuid, person uuid default null)
returns table (person_id uuid, display_name text, avatar_url text, role public.project_role, sees boolean, comments boolean, changes boolean, manages boolean, reasons jsonb)
language sql stable set search_path = '' as $$
  select * from private.explain_rights(explain_access.object, explain_access.person)
$$;
grant execute on function public.explain_access(uuid, uuid) to authenticated;
comment on function public.explain_access(uuid, uuid) is 'Who sees, comments, changes and manages a project, task or attachment (by its id), and by which rules: reasons [{rule: role, founder, invitation, join_link, group, operator_visit, of a service account service_account with its owner as by or project_id, and of a restricted task named or assigned, of a guest guest or guest_of_part with a level, role, at, by, …}]. Of one person, or of all (up to 1,000, owners first; open invitations, the join link and public links last, without person_id). For owners of the project and operators; everybody about themselves.';

create or replace function private.reason_of_key(key public.api_keys) returns jsonb
language sql stable set search_path = ''
return jsonb_strip_nulls(jsonb_build_object('rule', 'key', 'scope', (key).scope, 'words', (key).name, 'by', (key).user_id, 'at', (key).created_at,
  'until', (key).expires_at));

-- What somebody or something reaches: a person, a service account, a group, an invitation, a join link, a public link or a key.
create or replace function private.reach(subject uuid)
returns table (project_id uuid, project_name text, role public.project_role, sees boolean, comments boolean, changes boolean, manages boolean, reasons jsonb, opens jsonb)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  most_projects constant integer := 1000;
  me constant uuid := private.require_user();
  sees_all constant boolean := exists (select from private.calling_operator);
  acting constant uuid := coalesce((select k.user_id from public.api_keys k where k.id = subject), subject);
  is_own constant boolean := acting = me or acting in (select s.id from private.my_service_accounts s);
begin
  return query
    with asked as (
      select m.project_id, m.role, m.user_id as person, null::boolean as reads, 3 as level,
        private.reasons_of(m.user_id, m.project_id, null, null) || private.reasons_in_restricted(m.user_id, m.project_id) as reasons
      from public.project_members m where m.user_id = subject
      union all
      select m.project_id, m.role, null, null, 3, jsonb_build_array(jsonb_build_object('rule', 'group', 'role', m.role, 'at', m.created_at, 'group_id', g.id, 'group_name', g.name))
      from public.project_members m join public.groups g on g.id = m.group_id where m.group_id = subject
      union all
      select g.project_id, null, g.user_id, null, 3, private.reasons_of_guest(subject, g.project_id)
      from (
        select distinct p.project_id, p.user_id from private.grants_of_people p where p.user_id = subject and not private.is_member(p.project_id, subject)
        union
        select t.project_id, null from public.task_grants t
        where t.group_id = subject and not exists (select from public.project_members m where m.project_id = t.project_id and m.group_id = subject)
      ) g
      union all
      select i.project_id, i.role, null, null, 3, jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('rule', 'open_invitation', 'role', i.role, 'at', i.created_at, 'by', i.invited_by, 'until', i.expires_at)))
      from public.project_invitations i where i.id = subject and private.is_open_invitation(i)
      union all
      select l.project_id, l.role, null, null, 3, jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('rule', 'open_join_link', 'role', l.role, 'at', l.created_at, 'by', l.created_by, 'until', l.expires_at)))
      from public.join_links l where l.id = subject and private.join_link_state(l) = 'open'
      union all
      select l.project_id, null, null, true, 3, jsonb_build_array(private.reason_of_share_link(l.id)) from private.open_share_links l where l.id = subject
      union all
      -- No more than its person may there.
      select w.project_id, w.role, k.user_id, null, case k.scope when 'write' then 3 when 'comment' then 2 else 1 end, w.reasons || private.reason_of_key(k)
      from public.api_keys k cross join lateral (
        select m.project_id, m.role, private.reasons_of(k.user_id, m.project_id, null, null) as reasons
        from public.project_members m where m.user_id = k.user_id
        union all
        select g.project_id, null, private.reasons_of_guest(k.user_id, g.project_id)
        from (select distinct p.project_id from private.grants_of_people p where p.user_id = k.user_id and not private.is_member(p.project_id, k.user_id)) g
      ) w
      where k.id = subject and private.is_open_key(k) and (k.project_ids is null or w.project_id = any (k.project_ids))
    )
    select p.id, p.name, a.role, coalesce(o.is_open and r.sees, a.reads), o.is_open and r.comments and a.level > 1, o.is_open and r.changes and a.level > 2,
      o.is_open and r.manages and a.level > 2, a.reasons,
      (select coalesce(jsonb_object_agg(g.kind, g.number), '{}') from (
        select k.kind, count(*) as number from public.access_grants k where k.user_id = a.person and a.person = subject and k.project_id = p.id group by k.kind) g)
    from asked a
    join public.projects p on p.id = a.project_id and p.deleted_at is null
    cross join lateral private.rights_of(a.person, p.id, null, null) r
    cross join lateral (select private.is_account_open(a.person) as is_open) o
    where sees_all or is_own or private.is_owner(p.id)
    order by lower(p.name), p.id
    limit most_projects;
  if not found and not is_own and not (sees_all and exists (select from public.profiles f where f.id = subject)) then
    perform private.raise_not_found('person, group, link or key');
  end if;
end
$$;
grant execute on function private.reach(uuid) to authenticated;

create or replace function public.reach_of(subject uuid)
returns table (project_id uuid, project_name text, role public.project_role, sees boolean, comments boolean, changes boolean, manages boolean, reasons jsonb, opens jsonb)
language sql stable set search_path = '' as $$
  select * from private.reach(reach_of.subject)
$$;
grant execute on function public.reach_of(uuid) to authenticated;
comment on function public.reach_of(uuid) is 'The projects that a person, a service account, a group, an open invitation, a join link, a public link or an open key (its rule is beside those of its person) reaches, with what it may there and by which rules (as explain_access says them, and named or assigned with the number of restricted tasks that only these show); opens counts what opens something of a project without a session, by kind. Operators see all projects, owners their own, everybody what they reach themselves. 404 where there is nothing the caller may know of.';
