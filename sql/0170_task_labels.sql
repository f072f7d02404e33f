-- Labels of a project, and which task has which.

create table public.task_labels (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  color text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_labels_project_id_id_key unique (project_id, id),
  constraint task_labels_name_not_blank check (name ~ '[^[:space:]]'),
  constraint task_labels_name_length check (char_length(name) <= 100),
  constraint task_labels_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$')
);
create unique index task_labels_name_unique_per_project on public.task_labels (project_id, lower(name));

alter table public.task_labels replica identity using index task_labels_project_id_id_key;

alter table public.task_labels enable row level security;

create policy read on public.task_labels for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_labels for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_labels for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_labels_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_labels for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_labels to service_role using (true) with check (true);

grant select on public.task_labels to anon, authenticated;
grant insert (id, project_id, name, color, created_at, updated_at),
  update (id, project_id, name, color, created_at, updated_at), delete
  on public.task_labels to authenticated;
grant all on public.task_labels to service_role;

create trigger task_labels_keep_new before insert on public.task_labels for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_labels_keep before update on public.task_labels for each row execute function private.keep_times();
create trigger task_labels_refuse_change before update on public.task_labels for each row
  when (old.id <> new.id or old.project_id <> new.project_id)
  execute function private.refuse_change('id', 'project_id');
create trigger task_labels_refuse_delete before delete on public.task_labels for each row
  when (row_security_active('public.task_labels') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

create table public.task_label_links (
  id uuid not null default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  label_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, label_id),
  constraint task_label_links_id_key unique (id),
  constraint task_label_links_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_label_links_label_of_same_project foreign key (project_id, label_id)
    references public.task_labels (project_id, id) on delete cascade
);
create index task_label_links_task_id_idx on public.task_label_links (task_id);
create index task_label_links_label_id_idx on public.task_label_links (project_id, label_id);

alter table public.task_label_links enable row level security;

create policy read on public.task_label_links for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.task_label_links for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.task_label_links for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: task_label_links_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_label_links for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_label_links to service_role using (true) with check (true);

grant select on public.task_label_links to anon, authenticated;
grant insert (id, project_id, task_id, label_id, created_at),
  update (id, project_id, task_id, label_id, created_at), delete
  on public.task_label_links to authenticated;
grant all on public.task_label_links to service_role;

create trigger task_label_links_keep_new before insert on public.task_label_links for each row
  when (new.created_at is distinct from now())
  execute function private.keep_created_at();
create trigger task_label_links_keep before update on public.task_label_links for each row execute function private.keep_created_at();
create trigger task_label_links_refuse_change before update on public.task_label_links for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.label_id <> new.label_id)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'label_id');
create trigger task_label_links_refuse_delete before delete on public.task_label_links for each row
  when (row_security_active('public.task_label_links') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

create trigger task_label_links_fill_project before insert on public.task_label_links for each row
  when (new.project_id is null) execute function private.fill_project();

comment on table public.task_labels is 'Labels of a project; names are unique in it, letter case aside.';
comment on column public.task_labels.id is 'Made by the server unless the client sends its own.';
comment on column public.task_labels.project_id is 'The project.';
comment on column public.task_labels.name is 'Up to 100 characters.';
comment on column public.task_labels.color is 'As #rrggbb.';
comment on column public.task_labels.created_at is 'When the row was made; kept by the database.';
comment on column public.task_labels.updated_at is 'When the row last changed; kept by the database.';
comment on table public.task_label_links is 'Which task wears which label.';
comment on column public.task_label_links.id is 'Made by the server unless the client sends its own.';
comment on column public.task_label_links.project_id is 'The project; filled from the task when left out.';
comment on column public.task_label_links.task_id is 'The task.';
comment on column public.task_label_links.label_id is 'The label.';
comment on column public.task_label_links.created_at is 'When the row was made; kept by the database.';
