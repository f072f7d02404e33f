-- A removal can be undone, so files do not go in the transaction that removes what they belong to: they are listed here, and the server
-- removes them when the time to undo is over, unless what they belong to is there again.

create table private.removed_files (
  bucket_id text not null,
  name text collate "C" not null,
  -- The table of what went, and which row of it.
  belonged_to regclass not null,
  owner_id uuid not null,
  removed_at timestamptz not null default now(),
  primary key (bucket_id, name)
);
create index removed_files_removed_at_idx on private.removed_files (removed_at);
alter table private.removed_files enable row level security;
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

-- How many were looked at; several nodes may do it at once.
create function private.remove_files_for_good(kept_seconds bigint, at_most int) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  looked_at int;
begin
  with due as (
    delete from private.removed_files r where (r.bucket_id, r.name) in (
      select d.bucket_id, d.name from private.removed_files d
      where d.removed_at <= now() - make_interval(secs => kept_seconds)
      order by d.removed_at limit at_most for update skip locked
    ) returning r.*
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
revoke all on function private.remove_files_for_good(bigint, int) from public;
grant execute on function private.remove_files_for_good(bigint, int) to kanbase_files;

comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed. The file goes with the row, once the time to undo is over.';
