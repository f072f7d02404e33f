-- Who works on a task. Only members can, and a member who leaves is unassigned: a foreign key to project_members at first,
-- triggers since 0425_keys_for_embeds.sql.

-- A child row that does not name its project belongs to the project of its task.
create function private.fill_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select t.project_id into new.project_id from public.tasks t where t.id = new.task_id;
  if new.project_id is null then
    -- same answer as for a task in a foreign project
    raise exception using
      errcode = '42501',
      message = format('new row violates row-level security policy for table "%s"', tg_table_name),
      hint = 'There is no task with this task_id, or you may not write in its project.';
  end if;
  return new;
end
$$;

create table public.task_assignees (
  id uuid not null default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, user_id),
  constraint task_assignees_id_key unique (id),
  constraint task_assignees_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_assignees_must_be_members foreign key (project_id, user_id)
    references public.project_members (project_id, user_id) on delete cascade
);
create index task_assignees_task_id_idx on public.task_assignees (task_id);
create index task_assignees_user_id_idx on public.task_assignees (user_id, project_id);

alter table public.task_assignees enable row level security;

create policy read on public.task_assignees for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_assignees for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_assignees for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_assignees_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_assignees for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_assignees to service_role using (true) with check (true);

grant select on public.task_assignees to anon, authenticated;
grant insert (id, project_id, task_id, user_id, created_at),
  update (id, project_id, task_id, user_id, created_at), delete
  on public.task_assignees to authenticated;
grant all on public.task_assignees to service_role;

create trigger task_assignees_keep_new before insert on public.task_assignees for each row
  when (new.created_at is distinct from now())
  execute function private.keep_created_at();
create trigger task_assignees_keep before update on public.task_assignees for each row execute function private.keep_created_at();
create trigger task_assignees_refuse_change before update on public.task_assignees for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.user_id <> new.user_id)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'user_id');
create trigger task_assignees_refuse_delete before delete on public.task_assignees for each row
  when (row_security_active('public.task_assignees') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

create trigger task_assignees_fill_project before insert on public.task_assignees for each row
  when (new.project_id is null) execute function private.fill_project();

comment on table public.task_assignees is 'Who works on a task; only members of its project. Removing a member unassigns.';
comment on column public.task_assignees.id is 'Made by the server unless the client sends its own.';
comment on column public.task_assignees.project_id is 'The project; filled from the task when left out.';
comment on column public.task_assignees.task_id is 'The task.';
comment on column public.task_assignees.user_id is 'The member.';
comment on column public.task_assignees.created_at is 'When the row was made; kept by the database.';
