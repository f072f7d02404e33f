-- Groups: who is in them, who manages them, and what they bring. A group that is a member of a project brings its people in: private.settle_members
-- gives each of them a row of project_members, or takes it away, in the transaction that changes the group, so that whoever asks for a
-- membership need not know of groups. `own_role` is what was given to the person, `role` the strongest of that and their groups'.

select private.served_rows('public.groups', updates => '{id, name, description}', fixed => '{id}', program => 'none');
create policy read on public.groups for select to authenticated using (id = any (array(select group_id from private.my_groups)));
create policy change on public.groups for update to authenticated
  using (id = any (array(select group_id from private.my_groups)))
  with check (id = any (array(select group_id from private.my_groups where manages)));
create policy remove on public.groups for delete to authenticated using (id = any (array(select group_id from private.my_groups)));
select private.refuse_deletes('public.groups', 'not private.may_change_group(old.id)', 'Ask somebody who manages the group.');
comment on table public.groups is 'Groups of people. Their members, the members of projects they are in or see tasks of, and operators see them; those who manage them change them.';
comment on column public.groups.name is 'Of all groups of the server, letter case aside, one has it.';
comment on column public.groups.description is 'Plain text.';
comment on column public.groups.source is 'Where its people come from: hand, oidc or scim. Only those by hand are changed here.';
comment on column public.groups.external_id is 'Its name or id at the source.';
comment on column public.groups.created_by is 'Who made it; empty once their account is gone.';

select private.served_rows('public.group_members', writes => '{group_id, user_id, is_manager}', fixed => '{group_id, user_id}', program => 'none');
create policy read on public.group_members for select to authenticated using (group_id = any (array(select group_id from private.my_groups)));
create policy add on public.group_members for insert to authenticated
  with check (group_id = any (array(select group_id from private.my_groups where manages)));
create policy change on public.group_members for update to authenticated
  using (group_id = any (array(select group_id from private.my_groups)))
  with check (group_id = any (array(select group_id from private.my_groups where manages)));
create policy remove on public.group_members for delete to authenticated using (group_id = any (array(select group_id from private.my_groups)));
select private.refuse_deletes('public.group_members', 'not private.may_change_group(old.group_id, old.user_id)', 'Ask somebody who manages the group.');
comment on table public.group_members is 'Who is in a group. Those who manage it add and remove people, and everyone may leave, where it is kept by hand.';
comment on column public.group_members.group_id is 'The group.';
comment on column public.group_members.user_id is 'The person.';
comment on column public.group_members.is_manager is 'Whether they manage the group.';

create or replace trigger group_members_refuse_entering before insert on public.group_members for each row
  when (row_security_active('public.group_members') and current_user <> 'service_role' and new.user_id = private.me())
  execute function private.refuse_entering();
create or replace trigger group_members_settle after insert on public.group_members referencing new table as changed for each statement
  execute function private.settle_people_of_groups();
create or replace trigger group_members_settle_removed after delete on public.group_members referencing old table as changed for each statement
  execute function private.settle_people_of_groups();

create or replace trigger groups_end_memberships before delete on public.groups for each row execute function private.end_memberships_of_group();

comment on table private.group_settings is 'Who may make groups, as the setting GROUPS_MADE_BY says.';

-- Memberships that are groups ---------------------------------------------------------------------------------------------

create or replace trigger project_members_a_settle_role before insert or update on public.project_members for each row
  execute function private.settle_role();
create or replace trigger project_members_settle_group after insert on public.project_members for each row
  when (new.group_id is not null) execute function private.settle_group();
create or replace trigger project_members_settle_group_changed after update on public.project_members for each row
  when (new.group_id is not null and old.role <> new.role) execute function private.settle_group();
create or replace trigger project_members_settle_group_removed after delete on public.project_members for each row
  when (old.group_id is not null) execute function private.settle_group();
create or replace trigger project_members_settle_removed after delete on public.project_members for each row
  when (old.user_id is not null) execute function private.settle_removed();
create or replace trigger project_members_refuse_leaving_group before delete on public.project_members for each row
  when (row_security_active('public.project_members') and current_user <> 'service_role' and private.role_by_groups(old.project_id, old.user_id) is not null)
  execute function private.refuse_leaving_group();

-- Groups the caller sees. An operator manages all: they see people there, not what projects hold.
create or replace view private.my_groups with (security_barrier) as
select p.group_id, p.is_manager and g.source = 'hand' as manages, g.source = 'hand' as leaves
from public.group_members p join public.groups g on g.id = p.group_id
where p.user_id = (select c.user_id from private.caller c)
union all
select m.group_id, false, false
from private.my_memberships mine join public.project_members m on m.project_id = mine.project_id
where m.group_id is not null
union all
select t.group_id, false, false
from private.my_memberships mine join public.task_grants t on t.project_id = mine.project_id
where t.group_id is not null
  and (t.audience_id is null or mine.role = 'owner' or exists (select from private.my_audiences a where a.audience_id = t.audience_id))
union all
select g.id, g.source = 'hand', false
from public.groups g
where exists (select from private.calling_operator);
grant select on private.my_groups to authenticated;
comment on view private.my_groups is 'The groups the caller sees, and whether they manage them or leave them by hand. Policies read it, once per statement.';

create or replace view private.calling_operator with (security_barrier) as
select u.id as user_id
from auth.users u
where u.id = (select c.user_id from private.caller c) and u.is_operator and u.deleted_at is null
  and (u.banned_until is null or u.banned_until <= now()) and current_setting('role', true) is distinct from 'program';
comment on view private.calling_operator is 'The caller, where they run the server; a program of theirs does not.';

create or replace function private.may_change_group(of_group uuid, by_taking_out uuid default null) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.my_groups g where g.group_id = of_group and (g.manages or (g.leaves and by_taking_out = private.me())))
$$;
grant execute on function private.may_change_group(uuid, uuid) to authenticated, service_role;

create or replace function private.allow_groups(by_everyone boolean) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.group_settings as s (made_by_everyone) values (by_everyone)
  on conflict on constraint group_settings_pkey do update set made_by_everyone = excluded.made_by_everyone
  where s.made_by_everyone <> excluded.made_by_everyone
$$;
grant execute on function private.allow_groups(boolean) to kanbase_desk;
comment on function private.allow_groups(boolean) is 'Called by the server at its start, and when the setting changes.';

create or replace function private.make_group(called text, words text) returns public.groups
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  made public.groups;
begin
  if not private.may_make_groups() then
    perform private.refuse('42501', 'groups are made by operators here', 'Ask one, or let everyone make groups with the setting GROUPS_MADE_BY.');
  end if;
  insert into public.groups (name, description, created_by) values (btrim(called), words, me) returning * into made;
  insert into public.group_members (group_id, user_id, is_manager) values (made.id, me, true);
  return made;
exception when unique_violation then
  perform private.refuse('KB020', 'there is a group of this name', 'Choose another name.');
end
$$;
grant execute on function private.make_group(text, text) to authenticated;

create or replace function public.create_group(name text, description text default '') returns public.groups
language sql volatile set search_path = '' as $$
  select * from private.make_group(create_group.name, create_group.description)
$$;
grant execute on function public.create_group(text, text) to service_role, authenticated;
comment on function public.create_group(text, text) is 'Makes a group, which the caller manages: for operators, or for everyone where the setting GROUPS_MADE_BY says so.';

-- What a group brings into a project is never entered by oneself: operators enter projects openly.
create or replace function private.refuse_entering() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.group_members g where g.group_id = new.group_id and g.user_id = new.user_id) then
    perform private.refuse('42501', 'nobody adds themselves to a group', 'Another one who manages it can. Operators enter projects at the admin pages.');
  end if;
  return new;
end
$$;

create or replace function private.role_by_groups(in_project uuid, person uuid) returns public.project_role
language sql stable security definer set search_path = '' as $$
  -- From the few groups of the project, not from all of the person.
  select min(m.role) from public.project_members m
  where m.project_id = in_project and m.user_id is null
    and exists (select from public.group_members g where g.group_id = m.group_id and g.user_id = person)
$$;
grant execute on function private.role_by_groups(uuid, uuid) to authenticated, service_role;
comment on function private.role_by_groups(uuid, uuid) is 'The strongest role that groups give to a person in a project; null: none does.';

-- Who writes `role` of a person writes what is their own. A row without a role is one that groups bring.
create or replace function private.settle_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is null then
    new.own_role := null;
  elsif tg_op = 'INSERT' then
    new.own_role := coalesce(new.own_role, new.role);
    -- As it was asked for: an upsert compares it with the role of the row that is there.
    new.role := coalesce(new.own_role, private.role_by_groups(new.project_id, new.user_id));
  else
    if new.own_role is not distinct from old.own_role and new.role <> old.role then
      new.own_role := new.role;
    end if;
    new.role := least(new.own_role, private.role_by_groups(new.project_id, new.user_id));
    if new.role is null then
      perform private.refuse('22023', 'nothing else gives this person a role in the project', 'Delete the row instead.');
    end if;
  end if;
  return new;
end
$$;

create or replace function private.refuse_leaving_group() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.refuse('KB020', 'a group brings this person into the project: ' || (
      select string_agg(g.name, ', ' order by g.name)
      from public.group_members p
      join public.project_members m on m.group_id = p.group_id and m.project_id = old.project_id
      join public.groups g on g.id = p.group_id
      where p.user_id = old.user_id
    ), 'Take the person out of the group, or the group out of the project. An own_role of null ends what is theirs alone.');
end
$$;

create or replace function private.settle_group() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_group constant uuid := case tg_op when 'DELETE' then old.group_id else new.group_id end;
  in_project constant uuid := case tg_op when 'DELETE' then old.project_id else new.project_id end;
begin
  -- Groups change one at a time: who joins one meanwhile is seen here, or sees this.
  perform from public.groups g where g.id = of_group for no key update;
  perform private.settle_members(array[in_project], array(select p.user_id from public.group_members p where p.group_id = of_group));
  return null;
end
$$;

create or replace function private.settle_people_of_groups() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ids constant uuid[] := array(select distinct c.group_id from changed c);
begin
  perform from public.groups g where g.id = any (ids) order by g.id for no key update;
  perform private.settle_members(
    array(select distinct m.project_id from public.project_members m where m.group_id = any (ids)),
    array(select distinct c.user_id from changed c)
  );
  return null;
end
$$;

-- What a foreign key takes away is told after all of it is gone: then nobody could say who was in the group.
create or replace function private.end_memberships_of_group() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.groups g where g.id = old.id for update;
  delete from public.project_members m where m.group_id = old.id;
  delete from public.task_grants g where g.group_id = old.id;
  return old;
end
$$;

-- A person whose own membership ends stays where a group brings them.
create or replace function private.settle_removed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.role_by_groups(old.project_id, old.user_id) is not null and private.project_exists(old.project_id)
    and exists (select from public.profiles p where p.id = old.user_id) then
    perform private.settle_members(array[old.project_id], array[old.user_id]);
  end if;
  return null;
end
$$;

create or replace function private.settle_members(in_projects uuid[], people uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.project_members (project_id, user_id, role)
  select distinct m.project_id, g.user_id, null::public.project_role
  from public.project_members m join public.group_members g on g.group_id = m.group_id
  where m.project_id = any (in_projects) and g.user_id = any (people)
    and not exists (select from public.project_members k where k.project_id = m.project_id and k.user_id = g.user_id)
  order by m.project_id, g.user_id
  on conflict do nothing;
  delete from public.project_members m
  where m.project_id = any (in_projects) and m.user_id = any (people)
    and m.own_role is null and private.role_by_groups(m.project_id, m.user_id) is null;
  -- The trigger above sets the role.
  update public.project_members m set own_role = m.own_role
  where m.project_id = any (in_projects) and m.user_id = any (people)
    and m.role <> least(m.own_role, private.role_by_groups(m.project_id, m.user_id));
end
$$;
comment on function private.settle_members(uuid[], uuid[]) is 'Gives these people the rows in these projects that their groups bring, with the roles that follow, and takes those away that nothing brings any more.';
