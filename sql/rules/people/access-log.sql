-- The access log: one line for each change of who may do what, written in the transaction of the change and by the database alone. A group that
-- brings many people is one line; who joins or leaves it later is a line in each of its projects. What happens with a project's end is left out.

select private.served_rows('public.access_log', clients => '', keeps => 'none');
grant select on public.access_log to anon, authenticated, service_role;
create policy read on public.access_log for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner'))
    or (select user_id from private.calling_operator) is not null);
grant select on private.calling_operator to authenticated;
comment on table public.access_log is 'Who gave whom which access. Owners read the lines of their projects, operators all; append-only.';
comment on column public.access_log.id is 'Sorted by time.';
comment on column public.access_log.project_id is 'The project; empty for what is about a group alone, and once the project is gone.';
comment on column public.access_log.actor_id is 'Who did it; empty for the service itself, for sign-in providers, and once their account is gone.';
comment on column public.access_log.subject is 'Who or what got or lost access: {"kind": "person", "id"}, {"kind": "group", "id", "name"}, {"kind": "invitation", "id", "email"} or {"kind": "join_link", "id"}.';
comment on column public.access_log.object is 'To what: {"kind": "project" or "group", "id", "name"}.';
comment on column public.access_log.change is 'What changed, as {"role": {"from": …, "to": …}}; "through" names the group that brings a person.';
comment on column public.access_log.address is 'Network address that the change came from, where a request made it.';
comment on column public.access_log.created_at is 'When; kept by the database.';

create or replace trigger project_members_log_access after insert or update or delete on public.project_members for each row
  execute function private.log_membership();
create or replace trigger group_members_log_access after insert on public.group_members referencing new table as changed for each statement
  execute function private.log_people_of_groups();
create or replace trigger group_members_log_removed after delete on public.group_members referencing old table as changed for each statement
  execute function private.log_people_of_groups();
create or replace trigger group_members_log_manager after update on public.group_members for each row
  when (old.is_manager <> new.is_manager) execute function private.log_manager();
create or replace trigger project_invitations_log_access after insert or update or delete on public.project_invitations for each row
  execute function private.log_invitation();
create or replace trigger join_links_log_access after insert or update on public.join_links for each row execute function private.log_join_link();

-- Nothing where nothing differs, or where the project is being deleted or restored.
create or replace function private.log_access(in_project uuid, subject jsonb, was jsonb, becomes jsonb, also jsonb default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.access_log (project_id, actor_id, subject, object, change, address)
  select p.id, (select a.id from public.profiles a where a.id = auth.uid()), subject, jsonb_build_object('kind', 'project', 'id', p.id, 'name', p.name),
    (select jsonb_object_agg(c, jsonb_build_object('from', was -> c, 'to', becomes -> c)) from jsonb_object_keys(was || becomes) c
      where was -> c is distinct from becomes -> c) || also,
    nullif(current_setting('request.address', true), '')
  from public.projects p
  where p.id = in_project and p.deleted_at is null and was is distinct from becomes
$$;

create or replace function private.log_membership() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  row_ public.project_members := coalesce(new, old);
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(coalesce(old.own_role, case when old.group_id is not null then old.role end)) end;
  becomes jsonb := case when tg_op = 'DELETE' then null else to_jsonb(coalesce(new.own_role, case when new.group_id is not null then new.role end)) end;
begin
  perform private.log_access(row_.project_id, case when row_.user_id is not null then jsonb_build_object('kind', 'person', 'id', row_.user_id)
    else (select jsonb_build_object('kind', 'group', 'id', g.id, 'name', g.name) from public.groups g where g.id = row_.group_id) end,
    jsonb_build_object('role', was), jsonb_build_object('role', becomes));
  return null;
end
$$;

create or replace function private.log_people_of_groups() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  comes constant boolean := tg_op = 'INSERT';
begin
  insert into public.access_log (project_id, actor_id, subject, object, change, address)
  select null, (select p.id from public.profiles p where p.id = auth.uid()), jsonb_build_object('kind', 'person', 'id', c.user_id),
    jsonb_build_object('kind', 'group', 'id', g.id, 'name', g.name), jsonb_build_object('member', jsonb_build_object('from', not comes, 'to', comes)),
    nullif(current_setting('request.address', true), '')
  from changed c join public.groups g on g.id = c.group_id
  order by g.id, c.user_id;
  perform private.log_access(m.project_id, jsonb_build_object('kind', 'person', 'id', c.user_id),
      jsonb_build_object('role', case when not comes then m.role end), jsonb_build_object('role', case when comes then m.role end),
      jsonb_build_object('through', jsonb_build_object('id', g.id, 'name', g.name)))
  from changed c join public.groups g on g.id = c.group_id join public.project_members m on m.group_id = g.id;
  return null;
end
$$;

create or replace function private.log_manager() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.access_log (actor_id, subject, object, change, address)
  select (select p.id from public.profiles p where p.id = auth.uid()), jsonb_build_object('kind', 'person', 'id', new.user_id),
    jsonb_build_object('kind', 'group', 'id', g.id, 'name', g.name),
    jsonb_build_object('manager', jsonb_build_object('from', old.is_manager, 'to', new.is_manager)), nullif(current_setting('request.address', true), '')
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
      jsonb_build_object('role', case when tg_op <> 'INSERT' then old.role end, 'accepted', tg_op <> 'INSERT' and old.accepted_at is not null),
      jsonb_build_object('role', case when tg_op <> 'DELETE' then new.role end, 'accepted', tg_op <> 'DELETE' and new.accepted_at is not null));
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
