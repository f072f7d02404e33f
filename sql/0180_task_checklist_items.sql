-- The small steps of a task.

create table public.task_checklist_items (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  title text not null,
  is_done boolean not null default false,
  position double precision not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_checklist_items_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_checklist_items_title_not_blank check (title ~ '[^[:space:]]'),
  constraint task_checklist_items_title_length check (char_length(title) <= 500),
  constraint task_checklist_items_position_is_finite check (position > '-Infinity' and position < 'Infinity')
);
create index task_checklist_items_list_idx on public.task_checklist_items (project_id, task_id, position);
create index task_checklist_items_task_id_idx on public.task_checklist_items (task_id);

alter table public.task_checklist_items replica identity full;

alter table public.task_checklist_items enable row level security;

create policy read on public.task_checklist_items for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_checklist_items for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_checklist_items for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_checklist_items_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_checklist_items for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_checklist_items to service_role using (true) with check (true);

grant select on public.task_checklist_items to anon, authenticated;
grant insert (id, project_id, task_id, title, is_done, position, created_at, updated_at),
  update (id, project_id, task_id, title, is_done, position, created_at, updated_at), delete
  on public.task_checklist_items to authenticated;
grant all on public.task_checklist_items to service_role;

create trigger task_checklist_items_keep_new before insert on public.task_checklist_items for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_checklist_items_keep before update on public.task_checklist_items for each row execute function private.keep_times();
create trigger task_checklist_items_refuse_change before update on public.task_checklist_items for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id)
  execute function private.refuse_change('id', 'project_id', 'task_id');
create trigger task_checklist_items_refuse_delete before delete on public.task_checklist_items for each row
  when (row_security_active('public.task_checklist_items') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

create trigger task_checklist_items_fill_project before insert on public.task_checklist_items for each row
  when (new.project_id is null) execute function private.fill_project();

-- An item without a position goes to the end.
create function private.place_checklist_item() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select coalesce(max(i.position), 0) + 1 into new.position
  from public.task_checklist_items i
  where i.project_id = new.project_id and i.task_id = new.task_id;
  return new;
end
$$;
create trigger task_checklist_items_place before insert on public.task_checklist_items for each row
  when (new.position is null) execute function private.place_checklist_item();

comment on table public.task_checklist_items is 'The small steps of a task, sorted by position.';
comment on column public.task_checklist_items.id is 'Made by the server unless the client sends its own.';
comment on column public.task_checklist_items.project_id is 'The project; filled from the task when left out.';
comment on column public.task_checklist_items.task_id is 'The task.';
comment on column public.task_checklist_items.title is 'Up to 500 characters.';
comment on column public.task_checklist_items.is_done is 'Ticked off.';
comment on column public.task_checklist_items.position is 'Top to bottom; fractions are welcome. Left out: at the end.';
comment on column public.task_checklist_items.created_at is 'When the row was made; kept by the database.';
comment on column public.task_checklist_items.updated_at is 'When the row last changed; kept by the database.';
