-- Comments on a task.

create table public.task_comments (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  author_id uuid default auth.uid() references public.profiles (id) on delete set null,
  body text not null,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_comments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_comments_body_not_blank check (body ~ '[^[:space:]]'),
  constraint task_comments_body_length check (char_length(body) <= 50000)
);
create index task_comments_list_idx on public.task_comments (project_id, task_id, created_at);
create index task_comments_task_id_idx on public.task_comments (task_id);
create index task_comments_author_id_idx on public.task_comments (author_id);

alter table public.task_comments replica identity full;

alter table public.task_comments enable row level security;

create policy read on public.task_comments for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_comments for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_comments for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (author_id = (select auth.uid()) and project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_comments_refuse_delete then refuses all but the author and owners with 403, where a policy would say nothing
create policy remove on public.task_comments for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_comments to service_role using (true) with check (true);

grant select on public.task_comments to anon, authenticated;
grant insert (id, project_id, task_id, author_id, body, edited_at, created_at, updated_at),
  update (id, project_id, task_id, author_id, body, edited_at, created_at, updated_at), delete
  on public.task_comments to authenticated;
grant all on public.task_comments to service_role;

create trigger task_comments_keep_new before insert on public.task_comments for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_comments_keep before update on public.task_comments for each row execute function private.keep_times();
create trigger task_comments_refuse_change before update on public.task_comments for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.author_id is distinct from new.author_id)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'author_id');
create trigger task_comments_refuse_delete before delete on public.task_comments for each row
  when (row_security_active('public.task_comments') and current_user <> 'service_role' and not private.is_owner(old.project_id)
    and (old.author_id is distinct from auth.uid() or not private.is_writer(old.project_id)))
  execute function private.refuse_delete('Authors delete their own comments, owners of the project delete any.');
create trigger task_comments_claim_author before insert on public.task_comments for each row
  when (new.author_id is distinct from auth.uid()) execute function private.claim_author('author_id');
create trigger task_comments_fill_project before insert on public.task_comments for each row
  when (new.project_id is null) execute function private.fill_project();

-- edited_at is when the body last changed; no client sets it.
create function private.keep_edited_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if row_security_active(tg_relid) and current_user <> 'service_role' then
      new.edited_at := null;
    end if;
  else
    new.edited_at := case when old.body <> new.body then now() else old.edited_at end;
  end if;
  return new;
end
$$;
create trigger task_comments_keep_new_edited_at before insert on public.task_comments for each row
  when (new.edited_at is not null) execute function private.keep_edited_at();
create trigger task_comments_keep_edited_at before update on public.task_comments for each row
  when (old.body <> new.body or old.edited_at is distinct from new.edited_at) execute function private.keep_edited_at();

comment on table public.task_comments is 'What people say about a task. Authors edit and delete their own; owners of the project delete any.';
comment on column public.task_comments.id is 'Made by the server unless the client sends its own.';
comment on column public.task_comments.project_id is 'The project; filled from the task when left out.';
comment on column public.task_comments.task_id is 'The task.';
comment on column public.task_comments.author_id is 'Who said it: the caller, whatever the body says. Empty once their account is gone.';
comment on column public.task_comments.body is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.task_comments.edited_at is 'When the words last changed; kept by the database.';
comment on column public.task_comments.created_at is 'When the row was made; kept by the database.';
comment on column public.task_comments.updated_at is 'When the row last changed; kept by the database.';
