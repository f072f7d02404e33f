-- What attachments and pictures are used for: the cover of a task, the picture of a project; and files that go with what they belong to.

-- Covers -------------------------------------------------------------------------------------------------------------
-- Which attachment stands for its task on a board. No foreign key: a second one between the two tables would give the embed
-- `task_attachments` two meanings (docs/decisions/0037-keys-for-embeds.md). Two triggers say what it would.

alter table public.tasks add column cover_attachment_id uuid;
grant insert (cover_attachment_id), update (cover_attachment_id) on public.tasks to authenticated;
comment on column public.tasks.cover_attachment_id is 'The attachment of this task that is shown as a picture on its card.';

create function private.hold_attachment(of_task uuid, attachment uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.task_attachments a where a.id = attachment and a.task_id = of_task for key share;
  return found;
end
$$;
grant execute on function private.hold_attachment(uuid, uuid) to authenticated, service_role;

create function private.require_cover() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not private.hold_attachment(new.id, new.cover_attachment_id) then
    raise exception using
      errcode = '23503',
      message = 'insert or update on table "tasks" violates "tasks_cover_is_attached"',
      detail = 'The cover of a task is one of its own attachments.',
      hint = 'Attach the picture to the task first.';
  end if;
  return new;
end
$$;
create trigger tasks_50_cover_new before insert on public.tasks for each row
  when (new.cover_attachment_id is not null) execute function private.require_cover();
create trigger tasks_50_cover before update on public.tasks for each row
  when (new.cover_attachment_id is not null and old.cover_attachment_id is distinct from new.cover_attachment_id)
  execute function private.require_cover();

create function private.record_cover() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Where the attachment itself went, that is what happened.
  if new.cover_attachment_id is not null or exists (select from public.task_attachments a where a.id = old.cover_attachment_id) then
    perform private.record_activity(new.project_id, new.id, 'updated', jsonb_build_object('cover_attachment_id', jsonb_build_object(
      'from', old.cover_attachment_id, 'to', new.cover_attachment_id,
      'name', (select a.name from public.task_attachments a where a.id = coalesce(new.cover_attachment_id, old.cover_attachment_id))
    )));
  end if;
  return null;
end
$$;
create trigger tasks_70_record_cover after update on public.tasks for each row
  when (old.cover_attachment_id is distinct from new.cover_attachment_id) execute function private.record_cover();

-- Written into the statement that embeds it, which a search_path of its own would prevent; every name is qualified.
create function public.cover(task public.tasks) returns setof public.task_attachments
language sql stable rows 1 as $$
  select a.* from public.task_attachments a where a.id = task.cover_attachment_id
$$;
grant execute on function public.cover(public.tasks) to authenticated, service_role;
comment on function public.cover(public.tasks) is 'The attachment that stands for the task, to embed: select=title,cover(object_path).';

-- Pictures of projects -----------------------------------------------------------------------------------------------

alter table public.projects
  add column avatar_url text,
  -- `//host` and `/\host` read like a path and lead elsewhere.
  add constraint projects_avatar_url_is_path check (avatar_url ~ '^/[^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*$' and char_length(avatar_url) <= 2000);
grant update (avatar_url) on public.projects to authenticated;
comment on column public.projects.avatar_url is 'Where its picture is, as a path on this site. Empty: its key on its colour.';

-- projects/<project_id>/… beside the folders of people.
create function private.avatar_project(object_name text) returns uuid
language sql immutable
return case
  when object_name ~ '^projects/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.' then substr(object_name, 10, 36)::uuid
end;
grant execute on function private.avatar_project(text) to authenticated;

create policy avatars_of_projects on storage.objects to authenticated
  using (
    bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner'))
  )
  with check (
    bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner'))
  );

-- Files go with what they belong to ----------------------------------------------------------------------------------
-- In the same transaction, row by row of storage.objects; their bytes are then cleared away like those of any object that is removed.

create function private.remove_detached_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o using gone g where o.bucket_id = 'attachments' and o.name = g.object_path;
  update public.tasks t set cover_attachment_id = null from gone g where t.id = g.task_id and t.cover_attachment_id = g.id;
  return null;
end
$$;
create trigger task_attachments_remove_files after delete on public.task_attachments
  referencing old table as gone for each statement execute function private.remove_detached_files();

-- Also those that no attachment names.
create function private.remove_files_of_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o using gone g
  where o.bucket_id = 'attachments'
    and o.name > g.project_id || '/' || g.id || '/' and o.name < g.project_id || '/' || g.id || '0';
  return null;
end
$$;
create trigger tasks_95_remove_files after delete on public.tasks
  referencing old table as gone for each statement execute function private.remove_files_of_tasks();

create function private.remove_avatars() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o using gone g
  where o.bucket_id = 'avatars' and o.name > tg_argv[0] || g.id || '/' and o.name < tg_argv[0] || g.id || '0';
  return null;
end
$$;
create trigger profiles_remove_avatars after delete on public.profiles
  referencing old table as gone for each statement execute function private.remove_avatars('');
create trigger projects_remove_avatars after delete on public.projects
  referencing old table as gone for each statement execute function private.remove_avatars('projects/');

comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed. The file is removed with the row.';
