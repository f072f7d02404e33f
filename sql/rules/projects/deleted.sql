-- Deleted projects are kept for thirty days. Deleting sets deleted_at and moves the memberships to private.kept_members, so that policies,
-- procedures and live changes, which all ask for a membership, show the project to nobody. A former owner or an operator restores it as it was.
-- It ends after thirty days, when a former owner says so, or with the last account that could restore it. Jobs of the server ask for no
-- membership and check deleted_at themselves.

comment on table private.kept_members is 'The members of deleted projects.';
comment on table private.kept_groups is 'The groups that were members of deleted projects.';

create or replace view private.all_members as
  select m.project_id, m.user_id, m.role, m.created_at from public.project_members m
  where m.user_id is not null and not exists (select from public.service_accounts s where s.id = m.user_id)
  union all
  select k.project_id, k.user_id, k.role, k.created_at from private.kept_members k
  where not exists (select from public.service_accounts s where s.id = k.user_id);
comment on view private.all_members is 'The people who are in a project, or were in it when it was deleted.';

create or replace function private.project_exists(project uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.projects p where p.id = project_exists.project and p.deleted_at is null)
$$;
comment on function private.project_exists(uuid) is 'Whether there is such a project, and it is not deleted.';

create or replace function private.is_file_of_deleted_project(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select of_bucket = 'attachments' and exists (
    select from public.projects p where p.id = private.attachment_project(file_name) and p.deleted_at is not null
  )
$$;
grant execute on function private.is_file_of_deleted_project(text, text) to kanbase_files;
comment on function private.is_file_of_deleted_project(text, text) is 'Whether a file belongs to a deleted project: links to it open nothing until it is back.';

-- Deleting and restoring --------------------------------------------------------------------------------------------------

-- For any table: with this trigger, a DELETE sets deleted_at. The data API finds the trigger in the catalog and sends the update itself, so that
-- Prefer: return=representation returns the rows.
create or replace function data_door.set_deleted_at() returns trigger
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

create or replace function data_door.sets_deleted_at(relation regclass) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_trigger t
    where t.tgrelid = relation and t.tgfoid = 'data_door.set_deleted_at()'::regprocedure and t.tgenabled <> 'D'
  )
$$;
grant execute on function data_door.sets_deleted_at(regclass) to public;
comment on function data_door.sets_deleted_at(regclass) is 'Whether deleting a row of this table sets its deleted_at.';

-- The database sets the moment, and keeps the first one.
create or replace function private.keep_deleted_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and new.deleted_at is not null then
    new.deleted_at := coalesce(old.deleted_at, now());
  end if;
  return new;
end
$$;

create or replace function private.move_members_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Who writes into it right now, somebody who joins among them, is waited for.
  perform from public.projects p where p.id = new.id for update;
  insert into private.kept_members (project_id, user_id, role, own_role, created_at, updated_at)
  select m.project_id, m.user_id, m.role, m.own_role, m.created_at, m.updated_at from public.project_members m
  where m.project_id = new.id and m.user_id is not null;
  insert into private.kept_groups (project_id, group_id, role, created_at, updated_at)
  select m.project_id, m.group_id, m.role, m.created_at, m.updated_at from public.project_members m
  where m.project_id = new.id and m.group_id is not null;
  delete from public.project_members m where m.project_id = new.id;
  -- What would be told of it, or is read by those who are not in it.
  delete from private.notification_deliveries d using public.notifications n where n.id = d.notification_id and n.project_id = new.id;
  delete from public.notifications n where n.project_id = new.id and n.kind = 'invited';
  return null;
end
$$;

-- Runs before the row changes, so that triggers of new members still find a deleted project and do nothing.
create or replace function private.restore_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Whose last owner has ended their account meanwhile passes to the longest-standing editor, as it does otherwise.
  if not exists (select from private.kept_members k where k.project_id = new.id and k.own_role = 'owner') then
    update private.kept_members k set role = 'owner', own_role = 'owner' where k.project_id = new.id and k.user_id = (
      select e.user_id from private.kept_members e
      where e.project_id = new.id and e.own_role = 'editor' and not private.is_service_account(e.user_id)
      order by e.created_at, e.user_id limit 1
    );
  end if;
  insert into public.project_members (project_id, user_id, role, created_at, updated_at)
  select k.project_id, k.user_id, k.own_role, k.created_at, k.updated_at from private.kept_members k
  where k.project_id = new.id and k.own_role is not null and not private.is_service_account(k.user_id);
  -- They bring those who are in them today.
  insert into public.project_members (project_id, group_id, role, created_at, updated_at)
  select k.project_id, k.group_id, k.role, k.created_at, k.updated_at from private.kept_groups k where k.project_id = new.id;
  -- As far as the people they belong to are here again.
  insert into public.project_members (project_id, user_id, role, created_at, updated_at)
  select k.project_id, k.user_id, k.own_role, k.created_at, k.updated_at
  from private.kept_members k join public.service_accounts s on s.id = k.user_id
  where k.project_id = new.id and private.may_service_be_in(s, new.id, k.own_role);
  -- Members who are none any more do not come back as guests.
  delete from public.task_grants g using private.kept_members k
  where g.project_id = new.id and k.project_id = new.id and k.user_id = g.user_id and not private.is_member(new.id, k.user_id);
  delete from public.task_assignees a where a.project_id = new.id and not private.is_member(new.id, a.user_id) and (
    not private.is_on_task(new.id, a.task_id, a.user_id)
    or exists (select from private.kept_members k where k.project_id = new.id and k.user_id = a.user_id)
  );
  delete from private.kept_members k where k.project_id = new.id;
  delete from private.kept_groups k where k.project_id = new.id;
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

-- After the row has changed: grants follow from each other in projects that are there.
create or replace function private.settle_restored_grants() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.task_grants g
  where g.project_id = new.id and not g.is_named and not private.is_shared_with_guests(g)
    and not exists (select from public.task_assignees a where a.project_id = g.project_id and a.audience_id = g.task_id and a.user_id = g.user_id);
  perform private.settle_grant(g) from public.task_grants g where g.project_id = new.id and not g.is_named;
  return null;
end
$$;

-- Calls of former owners, the sweep and operators -------------------------------------------------------------------------

create or replace function private.lock_own_deleted_project(of_project uuid) returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  found_one public.projects;
begin
  select p.* into found_one from public.projects p
  where p.id = of_project and exists (
    select from private.kept_members k where k.project_id = p.id and k.user_id = me and k.role = 'owner'
  ) for no key update;
  -- Whoever ended it for good meanwhile was waited for: those who were in it are asked for again.
  if found_one.id is not null and not exists (
    select from private.kept_members k where k.project_id = of_project and k.user_id = me and k.role = 'owner'
  ) then
    return null;
  end if;
  return found_one;
end
$$;
comment on function private.lock_own_deleted_project(uuid) is 'A deleted project that the caller owned, locked; null when there is none.';

create or replace function private.restore_deleted_project(of_project uuid) returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  found_one public.projects := private.lock_own_deleted_project(of_project);
begin
  if found_one.id is not null then
    update public.projects p set deleted_at = null where p.id = found_one.id returning p.* into found_one;
    return found_one;
  end if;
  -- Asked again because the answer was lost.
  select p.* into found_one from public.projects p where p.id = of_project and private.is_owner(p.id);
  if not found then
    perform private.raise_not_found('project');
  end if;
  return found_one;
end
$$;
grant execute on function private.restore_deleted_project(uuid) to authenticated;

create or replace function public.restore_project(project_id uuid) returns public.projects
language sql volatile set search_path = '' as $$
  select private.restore_deleted_project(restore_project.project_id)
$$;
grant execute on function public.restore_project(uuid) to service_role, authenticated;
comment on function public.restore_project(uuid) is 'Brings back a project that was deleted less than thirty days ago, with all that was in it and everybody who was; for those who owned it.';

create or replace function private.end_my_deleted_project(of_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  found_one constant public.projects := private.lock_own_deleted_project(of_project);
begin
  if found_one.id is null then
    perform private.raise_not_found('project');
  end if;
  -- The sweep does it: a large one takes longer than a request may.
  delete from private.kept_members k where k.project_id = found_one.id;
end
$$;
grant execute on function private.end_my_deleted_project(uuid) to authenticated;

create or replace function public.end_deleted_project(project_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_my_deleted_project(end_deleted_project.project_id)
$$;
grant execute on function public.end_deleted_project(uuid) to service_role, authenticated;
comment on function public.end_deleted_project(uuid) is 'Ends a deleted project before its thirty days are over; for those who owned it. There is no way back.';

create or replace function private.list_deleted_projects() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'key', p.key, 'color', p.color, 'avatar_url', p.avatar_url,
    'deleted_at', p.deleted_at, 'kept_until', p.deleted_at + interval '30 days') order by p.deleted_at desc, p.id), '[]')
  from private.kept_members k join public.projects p on p.id = k.project_id
  where k.user_id = private.require_user() and k.role = 'owner'
$$;
grant execute on function private.list_deleted_projects() to authenticated;

create or replace function public.deleted_projects() returns jsonb
language sql stable set search_path = '' as $$
  select private.list_deleted_projects()
$$;
grant execute on function public.deleted_projects() to service_role, authenticated;
comment on function public.deleted_projects() is 'Deleted projects that the caller owned and may bring back: id, name, key, color, avatar_url, deleted_at, kept_until; the last deleted first.';

-- One project a call: each transaction holds one large deletion.
create or replace function private.end_deleted_projects() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  ended integer;
begin
  perform private.forget_left_behind();
  -- Of news that somebody wrote while the project was deleted.
  delete from private.notification_deliveries d using public.notifications n, public.projects p
  where n.id = d.notification_id and p.id = n.project_id and p.deleted_at is not null;
  delete from public.projects p where p.id = (
    select d.id from public.projects d
    where d.deleted_at <= now() - interval '30 days'
      or (d.deleted_at is not null and not exists (select from private.all_members m where m.project_id = d.id))
    order by d.deleted_at limit 1 for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;
grant execute on function private.end_deleted_projects() to kanbase_desk;
comment on function private.end_deleted_projects() is 'Ends one deleted project that is due, and answers how many that was.';

create or replace function private.admin_restore_project(project uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject public.projects;
begin
  -- Its owner may be ending it for good: that is waited for.
  perform from public.projects p where p.id = project for no key update;
  update public.projects p set deleted_at = null
  where p.id = project and p.deleted_at is not null and exists (select from private.all_members m where m.project_id = p.id);
  if not found and exists (select from public.projects p where p.id = project and p.deleted_at is null) then
    perform private.refuse('PT409', 'This project is not deleted', 'Somebody has brought it back already.');
  elsif not found then
    perform private.refuse('PT404', 'There is no such project', 'Its thirty days may be over. Search again.');
  end if;
  subject := private.lock_project_for_operator(project, reason);
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (subject.id, 'restored', operator.id, operator.email, trim(reason));
  perform private.email_owners(subject, 'project_restored', operator, trim(reason));
  perform private.write_admin_log(operator, 'project_restored', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$$;
grant execute on function private.admin_restore_project(uuid, text) to kanbase_desk;
comment on function private.admin_restore_project(uuid, text) is 'Brings a deleted project back to those who were in it; its owners get a mail.';
