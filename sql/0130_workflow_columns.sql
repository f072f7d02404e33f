-- The columns of a board.

create table public.workflow_columns (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  kind public.workflow_column_kind not null default 'custom',
  position double precision not null,
  wip_limit integer,
  color text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint workflow_columns_project_id_id_key unique (project_id, id),
  constraint workflow_columns_name_not_blank check (name ~ '[^[:space:]]'),
  constraint workflow_columns_name_length check (char_length(name) <= 100),
  constraint workflow_columns_position_is_finite check (position > '-Infinity' and position < 'Infinity'),
  constraint workflow_columns_wip_limit_is_positive check (wip_limit > 0),
  constraint workflow_columns_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$')
);
create index workflow_columns_list_idx on public.workflow_columns (project_id, position);

-- Deleted rows are announced with their project, so that only its members hear of it.
alter table public.workflow_columns replica identity using index workflow_columns_project_id_id_key;

alter table public.workflow_columns enable row level security;

create policy read on public.workflow_columns for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.workflow_columns for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.workflow_columns for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: workflow_columns_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.workflow_columns for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.workflow_columns to service_role using (true) with check (true);

grant select on public.workflow_columns to anon, authenticated;
grant insert (id, project_id, name, kind, position, wip_limit, color, created_at, updated_at),
  update (id, project_id, name, kind, position, wip_limit, color, created_at, updated_at), delete
  on public.workflow_columns to authenticated;
grant all on public.workflow_columns to service_role;

create trigger workflow_columns_keep_new before insert on public.workflow_columns for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger workflow_columns_keep before update on public.workflow_columns for each row execute function private.keep_times();
create trigger workflow_columns_refuse_change before update on public.workflow_columns for each row
  when (old.id <> new.id or old.project_id <> new.project_id) execute function private.refuse_change('id', 'project_id');
create trigger workflow_columns_refuse_delete before delete on public.workflow_columns for each row
  when (row_security_active('public.workflow_columns') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

-- A column without a position goes to the right end.
create function private.place_column() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select coalesce(max(c.position), 0) + 1 into new.position from public.workflow_columns c where c.project_id = new.project_id;
  return new;
end
$$;
create trigger workflow_columns_place before insert on public.workflow_columns for each row
  when (new.position is null) execute function private.place_column();

comment on table public.workflow_columns is 'The columns of a project''s board, sorted by position. A column that holds tasks cannot be deleted.';
comment on column public.workflow_columns.id is 'Made by the server unless the client sends its own.';
comment on column public.workflow_columns.project_id is 'The project.';
comment on column public.workflow_columns.name is 'Up to 100 characters.';
comment on column public.workflow_columns.kind is 'What the column stands for. Tasks in a done column are completed.';
comment on column public.workflow_columns.position is 'Left to right; fractions are welcome. Left out: the right end.';
comment on column public.workflow_columns.wip_limit is 'How many tasks the column should hold at most. Shown, not enforced.';
comment on column public.workflow_columns.color is 'As #rrggbb.';
comment on column public.workflow_columns.created_at is 'When the row was made; kept by the database.';
comment on column public.workflow_columns.updated_at is 'When the row last changed; kept by the database.';
