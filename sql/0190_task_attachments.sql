-- What is attached to a task. The bytes live in the file store under the path; this row says what they are.

create table public.task_attachments (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  name text not null,
  content_type text not null default 'application/octet-stream',
  size_bytes bigint not null default 0,
  object_path text not null,
  uploaded_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_attachments_object_path_key unique (project_id, object_path),
  constraint task_attachments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_attachments_name_not_blank check (name ~ '[^[:space:]]'),
  constraint task_attachments_name_length check (char_length(name) <= 500),
  constraint task_attachments_content_type_is_mime check (content_type ~ '^[^[:space:][:cntrl:]/]+/[^[:cntrl:]]+$' and char_length(content_type) <= 255),
  constraint task_attachments_size_not_negative check (size_bytes >= 0),
  constraint task_attachments_path_is_under_project_and_task check (
    starts_with(object_path, project_id::text || '/' || task_id::text || '/')
    and object_path !~ '(^|/)[.]{1,2}(/|$)|//|/$|[[:cntrl:]]' and char_length(object_path) <= 1024
  )
);
create index task_attachments_list_idx on public.task_attachments (project_id, task_id, created_at);
create index task_attachments_task_id_idx on public.task_attachments (task_id);
create index task_attachments_uploaded_by_idx on public.task_attachments (uploaded_by);

alter table public.task_attachments replica identity full;

alter table public.task_attachments enable row level security;

create policy read on public.task_attachments for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_attachments for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_attachments for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_attachments_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_attachments for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_attachments to service_role using (true) with check (true);

grant select on public.task_attachments to anon, authenticated;
grant insert (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at),
  update (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at), delete
  on public.task_attachments to authenticated;
grant all on public.task_attachments to service_role;

create trigger task_attachments_keep_new before insert on public.task_attachments for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_attachments_keep before update on public.task_attachments for each row execute function private.keep_times();
create trigger task_attachments_refuse_change before update on public.task_attachments for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.object_path <> new.object_path or old.uploaded_by is distinct from new.uploaded_by)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'object_path', 'uploaded_by');
create trigger task_attachments_refuse_delete before delete on public.task_attachments for each row
  when (row_security_active('public.task_attachments') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');
create trigger task_attachments_claim_author before insert on public.task_attachments for each row
  when (new.uploaded_by is distinct from auth.uid()) execute function private.claim_author('uploaded_by');
create trigger task_attachments_fill_project before insert on public.task_attachments for each row
  when (new.project_id is null) execute function private.fill_project();

comment on table public.task_attachments is 'What is attached to a task. The bytes are in the bucket "attachments" under object_path.';
comment on column public.task_attachments.id is 'Made by the server unless the client sends its own.';
comment on column public.task_attachments.project_id is 'The project; filled from the task when left out.';
comment on column public.task_attachments.task_id is 'The task.';
comment on column public.task_attachments.name is 'What the file is called.';
comment on column public.task_attachments.content_type is 'Its media type.';
comment on column public.task_attachments.size_bytes is 'Its size.';
comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed.';
comment on column public.task_attachments.uploaded_by is 'Who attached it; empty once their account is gone.';
comment on column public.task_attachments.created_at is 'When the row was made; kept by the database.';
comment on column public.task_attachments.updated_at is 'When the row last changed; kept by the database.';
