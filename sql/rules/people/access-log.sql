-- The access log: one line for each change of who may do what, written in the transaction of the change and by the database alone. A group that
-- brings many people is one line; who joins or leaves it later is a line in each of its projects. What happens with a project's end is left out.
-- Its pages, with names, are read by public.access_log_page (access-log-pages.sql).

select private.served_rows('public.access_log', clients => '', keeps => 'none');
grant select on public.access_log to anon, authenticated, service_role;
create policy read on public.access_log for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner'))
    or (select user_id from private.calling_operator) is not null);
grant select on private.calling_operator to authenticated;
comment on table public.access_log is 'Who gave whom which access. Owners read the lines of their projects, operators all; append-only.';
comment on column public.access_log.id is 'Sorted by time.';
comment on column public.access_log.project_id is 'The project; empty for what is about a group or the server alone, and once the project is gone.';
comment on column public.access_log.actor_id is 'Who did it; empty for the service itself, for sign-in providers, and once their account is gone.';
comment on column public.access_log.provider is 'Name of the identity provider that did it by SCIM.';
comment on column public.access_log.subject is 'Who or what got or lost access: {"kind": "person", "id"} (of a service account with its name), {"kind": "key" or "program", "id", "name", "user_id"}, {"kind": "group", "id", "name"}, {"kind": "invitation", "id", "email"}, {"kind": "join_link", "id"}, {"kind": "share_link", "id"}, {"kind": "viewers"} or, of a task that is restricted, {"kind": "members"}. The address goes with the account that it was the address of.';
comment on column public.access_log.object is 'To what: {"kind": "project" or "group", "id", "name"}, {"kind": "task", "id", "name"} with its key as name, or {"kind": "server"}.';
comment on column public.access_log.change is 'What changed, as {"role": {"from": …, "to": …}}; "through" names the group that brings a person, "scope" and "task_id" say how much a public link shows.';
comment on column public.access_log.address is 'Network address that the change came from, where a request made it.';
comment on column public.access_log.created_at is 'When; kept by the database.';

create or replace trigger projects_log_access after update on public.projects for each row
  when (old.viewers_may_comment <> new.viewers_may_comment) execute function private.log_rights_of_viewers();
create or replace trigger project_members_log_access after insert or update or delete on public.project_members for each row
  execute function private.log_membership();
create or replace trigger group_members_log_access after insert on public.group_members referencing new table as changed for each statement
  execute function private.log_people_of_groups();
create or replace trigger group_members_log_removed after delete on public.group_members referencing old table as changed for each statement
  execute function private.log_people_of_groups();
create or replace trigger group_members_log_manager after update on public.group_members for each row
  when (old.is_manager <> new.is_manager) execute function private.log_manager();
create or replace trigger task_grants_log_access after insert or update or delete on public.task_grants for each row
  execute function private.log_grant();
create or replace trigger project_invitations_log_access after insert or update or delete on public.project_invitations for each row
  execute function private.log_invitation();
create or replace trigger join_links_log_access after insert or update on public.join_links for each row execute function private.log_join_link();
create or replace trigger users_log_operator after insert or delete or update of is_operator, deleted_at on auth.users for each row
  execute function private.log_operator();
create or replace trigger users_leave_access_log after delete or update of deleted_at on auth.users for each row
  execute function private.take_address_out_of_access_log();

-- Nothing where nothing differs.
create or replace function private.write_access_line(of_project uuid, subject jsonb, object jsonb, was jsonb, becomes jsonb, also jsonb default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.access_log (project_id, actor_id, provider, subject, object, change, address)
  -- Who ends their own account is gone here.
  select of_project, (select u.id from auth.users u where u.id = auth.uid()), private.scim_actor(), subject, object,
    (select jsonb_object_agg(c, jsonb_build_object('from', was -> c, 'to', becomes -> c)) from jsonb_object_keys(was || becomes) c
      where was -> c is distinct from becomes -> c) || also,
    nullif(current_setting('request.address', true), '')
  where was is distinct from becomes
$$;

-- Nothing where the project is being deleted or restored.
create or replace function private.log_access(in_project uuid, subject jsonb, was jsonb, becomes jsonb, also jsonb default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  select private.write_access_line(p.id, subject, jsonb_build_object('kind', 'project', 'id', p.id, 'name', p.name), was, becomes, also)
  from public.projects p
  where p.id = in_project and p.deleted_at is null
$$;

-- Operators read lines of all projects: a task is named by its key alone. Nothing where it is gone.
create or replace function private.log_access_to_task(of_task uuid, subject jsonb, was jsonb, becomes jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  select private.write_access_line(p.id, subject, jsonb_build_object('kind', 'task', 'id', t.id, 'name', p.key || '-' || t.number), was, becomes)
  from public.tasks t join public.projects p on p.id = t.project_id
  where t.id = of_task and p.deleted_at is null
$$;

create or replace function private.log_grant() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.log_access_to_task(coalesce(new.task_id, old.task_id), private.as_grantee(coalesce(new, old)),
    jsonb_build_object('named', tg_op <> 'INSERT' and old.is_named, 'level', case when tg_op <> 'INSERT' and old.is_named then nullif(old.level, 'see') end),
    jsonb_build_object('named', tg_op <> 'DELETE' and new.is_named, 'level', case when tg_op <> 'DELETE' and new.is_named then nullif(new.level, 'see') end));
  return null;
end
$$;

create or replace function private.as_grantee(g public.task_grants) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(private.as_person((g).user_id), (select private.as_group(o) from public.groups o where o.id = (g).group_id))
$$;

create or replace function private.as_person(id uuid) returns jsonb
language sql immutable
return case when id is not null then jsonb_build_object('kind', 'person', 'id', id) end;

-- Unlike a person's it stays known when it is gone.
create or replace function private.name_of_service_account(id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select jsonb_build_object('name', f.display_name) from public.service_accounts s join public.profiles f on f.id = s.id
    where s.id = name_of_service_account.id
  ), '{}')
$$;

create or replace function private.as_group(g public.groups) returns jsonb
language sql immutable
return jsonb_build_object('kind', 'group', 'id', (g).id, 'name', (g).name);

create or replace function private.log_rights_of_viewers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.log_access(new.id, '{"kind": "viewers"}', jsonb_build_object('viewers_may_comment', old.viewers_may_comment),
    jsonb_build_object('viewers_may_comment', new.viewers_may_comment));
  return null;
end
$$;

create or replace function private.log_membership() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  row_ public.project_members := coalesce(new, old);
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(coalesce(old.own_role, case when old.group_id is not null then old.role end)) end;
  becomes jsonb := case when tg_op = 'DELETE' then null else to_jsonb(coalesce(new.own_role, case when new.group_id is not null then new.role end)) end;
begin
  perform private.log_access(row_.project_id, case when row_.user_id is not null then private.as_person(row_.user_id) || private.name_of_service_account(row_.user_id)
    else (select private.as_group(g) from public.groups g where g.id = row_.group_id) end,
    jsonb_build_object('role', was), jsonb_build_object('role', becomes));
  return null;
end
$$;

create or replace function private.log_people_of_groups() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  comes constant boolean := tg_op = 'INSERT';
begin
  perform private.write_access_line(null, private.as_person(c.user_id), private.as_group(g), jsonb_build_object('member', not comes),
    jsonb_build_object('member', comes))
  from (select * from changed order by group_id, user_id) c join public.groups g on g.id = c.group_id;
  perform private.log_access(m.project_id, private.as_person(c.user_id), jsonb_build_object('role', case when not comes then m.role end),
    jsonb_build_object('role', case when comes then m.role end), jsonb_build_object('through', jsonb_build_object('id', g.id, 'name', g.name)))
  from changed c join public.groups g on g.id = c.group_id join public.project_members m on m.group_id = g.id;
  return null;
end
$$;

create or replace function private.log_manager() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_access_line(null, private.as_person(new.user_id), private.as_group(g), jsonb_build_object('manager', old.is_manager),
    jsonb_build_object('manager', new.is_manager))
  from public.groups g where g.id = new.group_id;
  return null;
end
$$;

create or replace function private.log_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  row_ public.project_invitations := coalesce(new, old);
begin
  -- One that is accepted goes with its membership, which has a line of its own.
  if tg_op <> 'DELETE' or old.accepted_at is null then
    perform private.log_access(row_.project_id, jsonb_build_object('kind', 'invitation', 'id', row_.id, 'email', row_.email),
      jsonb_build_object('role', case when tg_op <> 'INSERT' then old.role end, 'level', case when tg_op <> 'INSERT' then old.level end,
        'accepted', tg_op <> 'INSERT' and old.accepted_at is not null),
      jsonb_build_object('role', case when tg_op <> 'DELETE' then new.role end, 'level', case when tg_op <> 'DELETE' then new.level end,
        'accepted', tg_op <> 'DELETE' and new.accepted_at is not null));
  end if;
  return null;
end
$$;

create or replace function private.log_join_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.log_access(new.project_id, jsonb_build_object('kind', 'join_link', 'id', new.id),
    jsonb_build_object('role', case when tg_op = 'UPDATE' and old.revoked_at is null then old.role end),
    jsonb_build_object('role', case when new.revoked_at is null then new.role end));
  return null;
end
$$;

create or replace function private.log_operator() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_access_line(null, private.as_person(coalesce(new.id, old.id)), '{"kind": "server"}',
    jsonb_build_object('operator', tg_op <> 'INSERT' and old.is_operator and old.deleted_at is null),
    jsonb_build_object('operator', tg_op <> 'DELETE' and new.is_operator and new.deleted_at is null));
  return null;
end
$$;

-- Ids name nobody then; an address would.
create or replace function private.take_address_out_of_access_log() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.deleted_at is not null then
    update public.access_log l set subject = l.subject - 'email' where lower(l.subject ->> 'email') = lower(old.email);
  end if;
  return null;
end
$$;
