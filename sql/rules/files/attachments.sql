-- HEAD of 0680
-- What attachments and pictures are used for: the cover of a task, the picture of a project; and files that go with what they belong to.

create or replace function private.hold_attachment(of_task uuid, attachment uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.task_attachments a
  where a.id = attachment and a.task_id = of_task and private.looks_into(a.project_id) for key share;
  return found;
end
$$;
grant execute on function private.hold_attachment(uuid,uuid) to authenticated, service_role;

create or replace function private.require_cover() returns trigger
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

create or replace function private.record_cover() returns trigger
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

-- Written into the statement that embeds it, which a search_path of its own would prevent; every name is qualified.
create or replace function public.cover(task public.tasks) returns setof public.task_attachments
language sql stable rows 1 as $$
  select a.* from public.task_attachments a where a.id = task.cover_attachment_id
$$;
grant execute on function public.cover(public.tasks) to service_role, authenticated;
comment on function public.cover(public.tasks) is 'The attachment that stands for the task, to embed: select=title,cover(object_path).';

-- projects/<project_id>/… beside the folders of people.
create or replace function private.avatar_project(object_name text) returns uuid
language sql immutable
return case
  when object_name ~ '^projects/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.' then substr(object_name, 10, 36)::uuid
end;
grant execute on function private.avatar_project(text) to authenticated;

create or replace function private.remove_detached_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select 'attachments', g.object_path, tg_relid, g.id from gone g
  on conflict (bucket_id, name) do update set removed_at = excluded.removed_at, belonged_to = excluded.belonged_to, owner_id = excluded.owner_id;
  update public.tasks t set cover_attachment_id = null from gone g where t.id = g.task_id and t.cover_attachment_id = g.id;
  return null;
end
$$;

-- Those that an attachment named are listed already, when its row went with the task.
create or replace function private.remove_files_of_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select o.bucket_id, o.name, tg_relid, g.id from gone g join storage.objects o
    on o.bucket_id = 'attachments' and o.name > g.project_id || '/' || g.id || '/' and o.name < g.project_id || '/' || g.id || '0'
  on conflict do nothing;
  return null;
end
$$;

create or replace function private.remove_avatars() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select o.bucket_id, o.name, tg_relid, g.id from gone g join storage.objects o
    on o.bucket_id = 'avatars' and o.name > tg_argv[0] || g.id || '/' and o.name < tg_argv[0] || g.id || '0'
  on conflict do nothing;
  return null;
end
$$;
