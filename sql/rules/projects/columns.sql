-- Columns of a board. Their kind decides about completion: when it changes, lock_changed_column locks the column's tasks and follow_column_kind
-- completes, reopens or starts them; record_column_kind keeps each kind with its date for the figures. Required fields are asked of tasks that
-- move into the column (tasks/moving.sql).

select private.project_rows('public.workflow_columns', writes => '{id, project_id, name, kind, position, wip_limit, color, required_fields}',
  fixed => '{id, project_id}', guests => 'read');
comment on table public.workflow_columns is 'The columns of a project''s board, sorted by position. A column that holds tasks cannot be deleted.';
comment on column public.workflow_columns.name is 'Up to 100 characters.';
comment on column public.workflow_columns.kind is 'What the column stands for. Tasks in a done column are completed.';
comment on column public.workflow_columns.position is 'Left to right; fractions are welcome. Left out: the right end.';
comment on column public.workflow_columns.wip_limit is 'How many tasks the column should hold at most. Shown, not enforced.';
comment on column public.workflow_columns.color is 'As #rrggbb.';
comment on column public.workflow_columns.required_fields is 'Fields of the project without which no task is moved here (KB011); a checkbox must be ticked. Tasks that are made here, or stand here, are not asked.';

-- Only for callers who may write: a viewer's update, which is refused later, must lock no task.
create or replace trigger workflow_columns_lock before update on public.workflow_columns for each row
  when (old.kind <> new.kind
    and (not row_security_active('public.workflow_columns') or current_user = 'service_role' or private.is_writer(old.project_id)))
  execute function private.lock_changed_column();
create or replace trigger workflow_columns_leave before delete on public.workflow_columns for each row
  when (row_security_active('public.workflow_columns')) execute function private.leave_column();
create or replace trigger workflow_columns_place before insert on public.workflow_columns for each row
  when (new.position is null) execute function private.place_column();
create or replace trigger workflow_columns_kind_followed after update on public.workflow_columns for each row
  when (old.kind <> new.kind) execute function private.follow_column_kind();
create or replace trigger workflow_columns_record_kind after insert on public.workflow_columns for each row
  execute function private.record_column_kind();
create or replace trigger workflow_columns_record_kind_change after update on public.workflow_columns for each row
  when (old.kind <> new.kind) execute function private.record_column_kind();
create or replace trigger workflow_columns_required_fields after insert on public.workflow_columns for each row
  when (new.required_fields <> '{}') execute function private.check_required_fields();
create or replace trigger workflow_columns_required_fields_change after update on public.workflow_columns for each row
  when (new.required_fields <> '{}' and old.required_fields <> new.required_fields) execute function private.check_required_fields();

-- Whoever sees no task in a column deletes it: those that they don't see go to another one, of the same kind where there is one.
create or replace function private.leave_column() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.tasks t set column_id = private.column_beside(old)
  where t.project_id = old.project_id and t.column_id = old.id and not private.sees_audience(t.project_id, t.audience_id)
    and private.is_writer(old.project_id) and private.column_beside(old) is not null;
  return old;
end
$$;

create or replace function private.column_beside(gone public.workflow_columns) returns uuid
language sql stable security definer set search_path = '' as $$
  select c.id from public.workflow_columns c where c.project_id = gone.project_id and c.id <> gone.id
  order by c.kind <> gone.kind, c.position, c.id limit 1
$$;

-- A column without a position goes to the right end.
create or replace function private.place_column() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select coalesce(max(c.position), 0) + 1 into new.position from public.workflow_columns c where c.project_id = new.project_id;
  return new;
end
$$;

-- Tasks, then the column: the order in which every change of a task takes its locks.
create or replace function private.lock_changed_column() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.id order by t.id for no key update;
  perform private.lock_column(new.project_id, new.id);
  return new;
end
$$;

create or replace function private.follow_column_kind() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.tasks t
  set completed_at = case when new.kind = 'done' then coalesce(t.completed_at, now()) end,
      started_at = case when new.kind = 'in_progress' then coalesce(t.started_at, now()) else t.started_at end
  where t.project_id = new.project_id and t.column_id = new.id
    and ((t.completed_at is null) = (new.kind = 'done') or (new.kind = 'in_progress' and t.started_at is null));
  return null;
end
$$;

create or replace function private.record_column_kind() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.column_kinds as k (project_id, column_id, kind) values (new.project_id, new.id, new.kind);
  return null;
end
$$;

-- Runs after the row is written, so that the policy refuses a foreign project before anything is looked up.
create or replace function private.check_required_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- None of them goes while this is under way.
  perform from public.custom_fields f where f.project_id = new.project_id and f.id = any (new.required_fields) order by f.id for key share;
  if exists (
    select from unnest(new.required_fields) n (id)
    where not exists (select from public.custom_fields f where f.project_id = new.project_id and f.id = n.id)
  ) then
    perform private.refuse('23503', 'insert or update on table "workflow_columns" violates "workflow_columns_fields_of_same_project"',
      'Name fields of this project in required_fields.', 'A column needs fields of its own project.');
  end if;
  return null;
end
$$;
