-- Attachments and pictures in use: covers of tasks, and the removal of files with the task, project or account they belong to. A removal can be
-- undone, so files are listed in private.removed_files first, and the server deletes them when the time to undo is over, unless it was undone.

-- Covers ------------------------------------------------------------------------------------------------------------------

create or replace function private.lock_attachment(of_task uuid, attachment uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.task_attachments a
  where a.id = attachment and a.task_id = of_task and private.is_reader(a.project_id) for key share;
  return found;
end
$$;
grant execute on function private.lock_attachment(uuid, uuid) to authenticated, service_role;

create or replace function private.require_cover() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not private.lock_attachment(new.id, new.cover_attachment_id) then
    perform private.refuse('23503', 'insert or update on table "tasks" violates "tasks_cover_is_attached"',
      'Attach the picture to the task first.', 'The cover of a task is one of its own attachments.');
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

-- No search_path of its own, so that Postgres inlines it into the statement that embeds it; every name is qualified.
create or replace function public.cover(task public.tasks) returns setof public.task_attachments
language sql stable rows 1 as $$
  select a.* from public.task_attachments a where a.id = task.cover_attachment_id
$$;
grant execute on function public.cover(public.tasks) to service_role, authenticated;
comment on function public.cover(public.tasks) is 'The attachment that stands for the task, to embed: select=title,cover(object_path).';

-- Removed files -----------------------------------------------------------------------------------------------------------

comment on table private.removed_files is 'Files whose attachment, task, project or account was removed: they go when the time to undo is over.';

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

-- Skips files of attachments that are listed already, when the attachment went with the task.
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

-- Answers with the number of files looked at; several nodes may run it at once.
create or replace function private.remove_files_for_good(kept_seconds bigint, at_most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  looked_at int;
begin
  with chosen as materialized (
    select d.bucket_id, d.name from private.removed_files d
    where d.removed_at <= now() - make_interval(secs => kept_seconds)
    order by d.removed_at limit at_most for update skip locked
  ), due as (
    delete from private.removed_files r using chosen
    where r.bucket_id = chosen.bucket_id and r.name = chosen.name
    returning r.*
  ), gone as (
    delete from storage.objects o using due d
    where o.bucket_id = d.bucket_id and o.name = d.name and not case d.belonged_to
      when 'public.task_attachments'::regclass then exists (
        select from public.task_attachments a where a.project_id = private.attachment_project(d.name) and a.object_path = d.name
      )
      when 'public.tasks'::regclass then exists (select from public.tasks t where t.id = d.owner_id)
      when 'public.projects'::regclass then exists (select from public.projects p where p.id = d.owner_id)
      else exists (select from public.profiles p where p.id = d.owner_id)
    end
  )
  select count(*) into looked_at from due;
  return looked_at;
end
$$;
grant execute on function private.remove_files_for_good(bigint, integer) to kanbase_files;

-- Such a file belongs into no zip of its task.
create or replace function private.is_removed_file(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.removed_files r where r.bucket_id = of_bucket and r.name = file_name)
    and not exists (
      select from public.task_attachments a
      where a.project_id = private.attachment_project(file_name) and a.object_path = file_name
    )
    or private.is_file_of_deleted_project(of_bucket, file_name)
$$;
grant execute on function private.is_removed_file(text, text) to kanbase_files;
comment on function private.is_removed_file(text, text) is 'Whether a file only waits for its removal to become final.';
