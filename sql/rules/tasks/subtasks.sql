-- Subtasks: tasks under a task of the same project, at most eight levels with the uppermost, in an order of their own. A subtask is an ordinary
-- task with a column, assignees and dates. It is archived and restored with its parent (archive_subtasks_with_parent), deleted with it by a key, and
-- copied with it (copying.sql). moving.sql keeps a parent waiting for its subtasks.

-- Parents within a project are changed by one transaction at a time; new subtasks, which have nothing below them yet, are made side by side.
-- Taken before the lock of any column.
create or replace function private.lock_outline(in_project uuid, to_change boolean) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if to_change then
    perform pg_advisory_xact_lock(hashtextextended(in_project::text, 3083));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended(in_project::text, 3083));
  end if;
end
$$;
grant execute on function private.lock_outline(uuid, boolean) to authenticated, service_role;

create or replace function private.last_subtask_position(in_project uuid, of_task uuid) returns double precision
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(max(t.subtask_position), 0) + 1 from public.tasks t
    where t.project_id = in_project and t.parent_id = of_task and private.is_reader(in_project)
  );
end
$$;
grant execute on function private.last_subtask_position(uuid, uuid) to authenticated, service_role;

-- Looks for the parent with the caller's rights: one in a foreign project is like none.
create or replace function private.place_subtask() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.parent_id is null then
    new.subtask_position := null;
    return new;
  end if;
  if new.project_id is null and tg_op = 'INSERT' then
    select t.project_id into new.project_id from public.tasks t where t.id = new.parent_id;
  end if;
  if new.project_id is null then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.audience_id := private.audience_under(new.project_id, new.parent_id, new.is_restricted);
    new.is_restricted := false;
  end if;
  perform private.lock_outline(new.project_id, tg_op = 'UPDATE');
  if tg_op = 'INSERT' then
    new.subtask_position := coalesce(new.subtask_position, private.last_subtask_position(new.project_id, new.parent_id));
  elsif old.parent_id is distinct from new.parent_id and new.subtask_position is not distinct from old.subtask_position
    or new.subtask_position is null then
    new.subtask_position := private.last_subtask_position(new.project_id, new.parent_id);
  end if;
  return new;
end
$$;

-- Runs after the row is written, under the lock of the outline, so that changes of others are seen.
create or replace function private.check_outline() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 8;
  above integer;
  below integer;
  closed boolean;
begin
  with recursive up (id, parent_id, level) as (
    select new.id, new.parent_id, 1
    union all
    select t.id, t.parent_id, up.level + 1
    from up join public.tasks t on t.project_id = new.project_id and t.id = up.parent_id
    where up.level <= most + 1
  )
  select max(up.level), coalesce(bool_or(up.id = new.id and up.level > 1), false) into above, closed from up;
  if closed then
    perform private.refuse('KB008', 'a task cannot be a part of itself',
      'Move the parent out first, or choose another one.', 'The parent is the task itself or stands somewhere below it.');
  end if;
  with recursive down (id, level) as (
    select new.id, 1
    union all
    select t.id, down.level + 1
    from down join public.tasks t on t.project_id = new.project_id and t.parent_id = down.id
    where down.level <= most
  )
  select max(down.level) into below from down;
  if above + below - 1 > most then
    perform private.refuse('KB009', format('subtasks go no deeper than %s levels', most),
      'Choose a parent further up.', format('This would make it %s.', above + below - 1));
  end if;
  return null;
end
$$;

create or replace function private.task_as_text(in_project uuid, task uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select p.key || '-' || t.number || ' ' || t.title from public.tasks t join public.projects p on p.id = t.project_id
    where t.project_id = in_project and t.id = task
  );
end
$$;

-- Lines of the old parent, the new parent and the task itself; guests follow.
create or replace function private.record_parent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'DELETE' then
    perform private.follow_guests_of_parent(new);
  end if;
  if tg_op <> 'INSERT' and old.parent_id is not null then
    perform private.record_activity(old.project_id, old.parent_id, 'updated', jsonb_build_object('subtask',
      jsonb_build_object('from', old.id, 'to', null, 'name', old.title)));
  end if;
  if tg_op <> 'DELETE' and new.parent_id is not null then
    perform private.record_activity(new.project_id, new.parent_id, 'updated', jsonb_build_object('subtask',
      jsonb_build_object('from', null, 'to', new.id, 'name', new.title)));
  end if;
  if tg_op = 'UPDATE' then
    perform private.record_activity(new.project_id, new.id, 'updated', jsonb_build_object('parent_id', jsonb_build_object(
      'from', old.parent_id, 'to', new.parent_id, 'name', private.task_as_text(new.project_id, coalesce(new.parent_id, old.parent_id)))));
  end if;
  return null;
end
$$;

-- Subtasks archived with their parent are restored with it; those archived earlier are not.
create or replace function private.archive_subtasks_with_parent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Those that an undo archives, it archives one by one.
  if new.archived_at is not null and private.is_undoing() then
    return null;
  end if;
  update public.tasks t set archived_at = new.archived_at
  where t.project_id = new.project_id and t.parent_id = new.id and t.archived_at is not distinct from old.archived_at;
  return null;
end
$$;

create or replace function public.subtasks(task public.tasks) returns setof public.tasks
language sql stable as $$
  select t.* from public.tasks t where t.project_id = task.project_id and t.parent_id = task.id
$$;
grant execute on function public.subtasks(public.tasks) to service_role, authenticated;
comment on function public.subtasks(public.tasks) is 'The tasks under a task, to embed: select=title,subtasks(title,completed_at).';

create or replace function public.parent(task public.tasks) returns setof public.tasks
language sql stable rows 1 as $$
  select t.* from public.tasks t where t.project_id = task.project_id and t.id = task.parent_id
$$;
grant execute on function public.parent(public.tasks) to service_role, authenticated;
comment on function public.parent(public.tasks) is 'The task it is a part of, to embed: select=title,parent(number,title).';
