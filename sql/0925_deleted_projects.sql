-- A deleted project is there for thirty days: who deletes one sets deleted_at, and its memberships are put aside. All that policies, procedures
-- and live changes show they show to members, so nobody sees it any more; whoever owned it can have it back as it was.

-- Whatever table has such a trigger: a DELETE sets its column deleted_at. The door reads from the catalog that it is there, and sends
-- the update itself, so that Prefer: return=representation answers the rows that go.
create function data_door.set_deleted_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  execute format('update %s t set deleted_at = now() where %s', tg_relid::regclass, (
    select string_agg(format('t.%1$I = ($1).%1$I', a.attname), ' and ') from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = tg_relid and i.indisprimary
  )) using old;
  return null;
end
$$;
grant execute on function data_door.set_deleted_at() to public;
comment on function data_door.set_deleted_at() is 'Before a row is deleted: marks it instead.';

create function data_door.sets_deleted_at(relation regclass) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_trigger t
    where t.tgrelid = relation and t.tgfoid = 'data_door.set_deleted_at()'::regprocedure and t.tgenabled <> 'D'
  )
$$;
grant execute on function data_door.sets_deleted_at(regclass) to public;
comment on function data_door.sets_deleted_at(regclass) is 'Whether deleting a row of this table sets its deleted_at.';

alter table public.projects add column deleted_at timestamptz;
create index projects_deleted_at_idx on public.projects (deleted_at) where deleted_at is not null;
grant update (deleted_at) on public.projects to authenticated;
comment on column public.projects.deleted_at is 'Since when it is deleted: for thirty days its owners can have it back, then it is gone. Only the service role sees one where it is set.';

-- Who is in a deleted project once it is there again.
create table private.kept_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.project_role not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, user_id)
);
create index kept_members_user_id_idx on private.kept_members (user_id);
alter table private.kept_members enable row level security;
-- No policies and no grants: the functions below keep it.
comment on table private.kept_members is 'The members of deleted projects.';

-- Those who own the tables delete for good: the sweep, and the end of an account.
create trigger projects_set_deleted_at before delete on public.projects for each row
  when (old.deleted_at is null and row_security_active('public.projects'))
  execute function data_door.set_deleted_at();

create trigger projects_refuse_deletion before update on public.projects for each row
  when (old.deleted_at is distinct from new.deleted_at and row_security_active('public.projects') and current_user <> 'service_role'
    and not private.is_owner(old.id))
  execute function private.refuse_delete('Only an owner of the project can delete it.');

-- The moment is the database's, and the first one stays.
create function private.keep_deleted_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and new.deleted_at is not null then
    new.deleted_at := coalesce(old.deleted_at, now());
  end if;
  return new;
end
$$;
create trigger projects_keep_deleted_at before update on public.projects for each row
  when (old.deleted_at is distinct from new.deleted_at)
  execute function private.keep_deleted_at();

create function private.put_members_aside() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Who writes into it right now, somebody who joins among them, is waited for.
  perform from public.projects p where p.id = new.id for update;
  insert into private.kept_members (project_id, user_id, role, created_at, updated_at)
  select m.project_id, m.user_id, m.role, m.created_at, m.updated_at from public.project_members m where m.project_id = new.id;
  delete from public.project_members m where m.project_id = new.id;
  -- What would be told of it, or is read by those who are not in it.
  delete from private.notification_deliveries d using public.notifications n where n.id = d.notification_id and n.project_id = new.id;
  delete from public.notifications n where n.project_id = new.id and n.kind = 'invited';
  return null;
end
$$;
revoke all on function private.put_members_aside() from public;
create trigger projects_put_members_aside after update on public.projects for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function private.put_members_aside();

-- Before the row is changed: what else happens when somebody joins does not happen in a project that is deleted.
create function private.take_members_back() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Whose last owner has ended their account meanwhile passes to the longest-standing editor, as it does otherwise.
  if not exists (select from private.kept_members k where k.project_id = new.id and k.role = 'owner') then
    update private.kept_members k set role = 'owner' where k.project_id = new.id and k.user_id = (
      select e.user_id from private.kept_members e where e.project_id = new.id and e.role = 'editor' order by e.created_at, e.user_id limit 1
    );
  end if;
  insert into public.project_members (project_id, user_id, role, created_at, updated_at)
  select k.project_id, k.user_id, k.role, k.created_at, k.updated_at from private.kept_members k where k.project_id = new.id;
  delete from private.kept_members k where k.project_id = new.id;
  -- Fields do not know whose account has ended, as they would in a project that is there.
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = new.id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and not exists (select from public.project_members m where m.project_id = new.id and to_jsonb(m.user_id::text) = v.value);
  update public.custom_fields f set default_value = null
  where f.project_id = new.id and f.kind = 'person' and f.default_value is not null
    and not exists (select from public.project_members m where m.project_id = new.id and to_jsonb(m.user_id::text) = f.default_value);
  return new;
end
$$;
revoke all on function private.take_members_back() from public;
create trigger projects_take_members_back before update on public.projects for each row
  when (old.deleted_at is not null and new.deleted_at is null)
  execute function private.take_members_back();

-- A deleted project counts towards no plan; one that comes back does.
drop trigger projects_keep_to_plan_when_back on public.projects;
create trigger projects_keep_to_plan_when_back after update on public.projects for each row
  when (new.created_by is not null and new.archived_at is null and new.deleted_at is null and (old.archived_at is not null or old.deleted_at is not null))
  execute function private.keep_to_project_limit();
-- Days that went by in the meantime are not made up for.
drop trigger projects_recur_again on public.projects;
create trigger projects_recur_again after update on public.projects for each row
  when (new.archived_at is null and new.deleted_at is null and (old.archived_at is not null or old.deleted_at is not null))
  execute function private.plan_again();

-- What happens when a membership begins or ends, in a project that is there ------------------------------------------------------------

create function private.is_there(project uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.projects p where p.id = is_there.project and p.deleted_at is null)
$$;
comment on function private.is_there(uuid) is 'Whether there is such a project, and it is not deleted.';

create or replace function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  heir uuid;
begin
  -- One at a time per project: two owners who remove each other meet here.
  perform from public.projects p where p.id = old.project_id and p.deleted_at is null for no key update;
  if not found or exists (
    select from public.project_members m
    where m.project_id = old.project_id and m.role = 'owner' and m.user_id <> old.user_id
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' and not exists (select from public.profiles where id = old.user_id) then
    select m.user_id into heir from public.project_members m
    where m.project_id = old.project_id and m.role = 'editor'
    order by m.created_at, m.user_id
    limit 1;
    if found then
      update public.project_members m set role = 'owner' where m.project_id = old.project_id and m.user_id = heir;
    else
      update public.projects p set archived_at = coalesce(p.archived_at, now()) where p.id = old.project_id;
    end if;
    return null;
  end if;
  -- A statement that made another owner in the same breath has been seen above: this runs after all its rows.
  raise exception using
    errcode = 'KB003',
    message = 'a project keeps at least one owner',
    hint = 'Make someone else an owner first, or delete the project.';
end
$$;

create or replace function private.clear_person_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_there(old.project_id) then
    return null;
  end if;
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = old.project_id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and v.value = to_jsonb(old.user_id::text);
  update public.custom_fields f set default_value = null
  where f.project_id = old.project_id and f.kind = 'person' and f.default_value = to_jsonb(old.user_id::text);
  return null;
end
$$;

create or replace function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_there(old.project_id) then
    return null;
  end if;
  delete from public.notifications n where n.user_id = old.user_id and n.project_id = old.project_id;
  delete from public.task_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.project_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.notification_settings s where s.user_id = old.user_id and s.project_id = old.project_id;
  return null;
end
$$;

create or replace function private.unassign_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_there(old.project_id) then
    delete from public.task_assignees a where a.project_id = old.project_id and a.user_id = old.user_id;
  end if;
  return null;
end
$$;

-- Whoever looked in as an operator goes on doing so when it comes back within their day.
create or replace function private.end_operator_entry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.operator_entries e set left_at = now()
  where e.project_id = old.project_id and e.operator_id = old.user_id and e.deed = 'entered' and e.left_at is null
    and private.is_there(old.project_id);
  return null;
end
$$;

create or replace function private.notify_new_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(array(
    select row(m.user_id, 'added', m.project_id, null, jsonb_build_object('project_name', p.name, 'role', m.role))::private.news
    from added m join public.projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id is distinct from auth.uid()
  ));
  return null;
end
$$;

create or replace function private.keep_to_member_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  project public.projects;
  allowed bigint;
begin
  select p.* into project from public.projects p where p.id = new.project_id;
  if project.deleted_at is not null then
    if exists (select from private.kept_members k where k.project_id = new.project_id and k.user_id = new.user_id) then
      return null;
    end if;
    -- It was deleted while somebody joined.
    perform private.raise_not_found('project');
  end if;
  allowed := private.plan_limit(project.created_by, 'members_per_project');
  if allowed is null then
    return null;
  end if;
  perform from public.projects p where p.id = new.project_id for no key update;
  if (select count(*) from public.project_members m where m.project_id = new.project_id) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('The plan of this project allows %s %s', allowed, case allowed when 1 then 'member' else 'members' end),
      detail = format('members_per_project: %s', allowed),
      hint = 'Remove a member, or choose a larger plan.';
  end if;
  return null;
end
$$;

create or replace function private.keep_to_project_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  allowed bigint := private.plan_limit(new.created_by, 'projects');
begin
  if allowed is null then
    return null;
  end if;
  -- One at a time per person, or two at once would both find the last place free.
  perform pg_advisory_xact_lock(hashtextextended('plan of ' || new.created_by, 0));
  if (select count(*) from public.projects p where p.created_by = new.created_by and p.archived_at is null and p.deleted_at is null) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('Your plan allows %s %s', allowed, case allowed when 1 then 'project' else 'projects' end),
      detail = format('projects: %s', allowed),
      hint = 'Archive or delete a project, or choose a larger plan.';
  end if;
  return null;
end
$$;
