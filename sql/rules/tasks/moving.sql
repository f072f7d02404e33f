-- Moving a task to a column and to a place in it. move_task asks once whether the caller is an owner or editor, then moves with the rights of the
-- tables' owner. Other callers, and a PATCH of column_id or order_rank, are held to the policies. Each way ends in an update of public.tasks:
-- place_moved_task runs before the row is written, wait_for_subtasks after it; tasks.sql has what follows. Locks: the task, then the column.

-- Keyed by project and column: a caller who names a column of a foreign project, which the keys refuse later, holds up nobody there.
create or replace function private.lock_column(in_project uuid, column_id uuid) returns void
language sql volatile
return pg_advisory_xact_lock(hashtextextended(in_project::text || column_id::text, 3081));
grant execute on function private.lock_column(uuid, uuid) to authenticated, service_role;
comment on function private.lock_column(uuid, uuid) is 'Places in this column of this project are given by the caller alone until the transaction ends.';

-- Neighbours are looked up by id, and one that the caller doesn't see is none; `is true` around the rest keeps Postgres from reading the whole column.
create or replace function private.move_task(
  task_id uuid, column_id uuid default null, before_id uuid default null, after_id uuid default null, order_rank text default null
) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  task public.tasks;
  to_column uuid;
  low text;
  high text;
  rank text;
begin
  -- To the end of another column: one statement finds both, and tasks_50_place_moved the place. What it does not find is looked for below.
  if move_task.column_id is not null and coalesce(move_task.order_rank, before_id::text, after_id::text) is null then
    update public.tasks t set column_id = c.id
    from public.workflow_columns c
    where t.id = move_task.task_id and c.id = move_task.column_id and c.project_id = t.project_id and t.column_id <> c.id
    returning t.* into task;
    if found then
      -- tasks_85_spread_ranks may have shortened a long one
      if length(task.order_rank) > 24 then
        select t.* into task from public.tasks t where t.id = move_task.task_id;
      end if;
      return task;
    end if;
  end if;

  -- The task first, then the column: the order in which every change of a task takes its locks.
  select t.* into task from public.tasks t where t.id = move_task.task_id for no key update;
  if not found then
    perform private.raise_not_found('task');
  end if;
  to_column := coalesce(move_task.column_id, task.column_id);
  if to_column <> task.column_id
    and not exists (select from public.workflow_columns c where c.project_id = task.project_id and c.id = to_column) then
    perform private.raise_not_found('column');
  end if;

  -- From here on nobody else places a task in this column; what is read now stays true until the end of the transaction.
  perform private.lock_column(task.project_id, to_column);

  if move_task.order_rank is not null then
    rank := move_task.order_rank;
  elsif before_id is not null or after_id is not null then
    select t.order_rank into high from public.tasks t
    where t.id = before_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id
      and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id));
    if found then
      select max(t.order_rank) into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank < high and t.id <> task.id
        and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id));
    else
      select t.order_rank into low from public.tasks t
      where t.id = after_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id
        and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id));
      if not found then
        if not exists (select from public.tasks t where t.project_id = task.project_id and t.id in (before_id, after_id) and t.id <> task.id
          and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id))) then
          perform private.raise_not_found('neighbour');
        end if;
        perform private.refuse('KB004', 'the neighbour is no longer in this column', 'Read the column again and repeat the move.');
      end if;
      select min(t.order_rank) into high from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank > low and t.id <> task.id
        and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id));
    end if;
    rank := case
      when high is null then private.rank_after(low)
      when low is null then private.rank_before(high)
      else private.rank_between(low, high)
    end;
  else
    select max(t.order_rank) into low from public.tasks t
    where t.project_id = task.project_id and t.column_id = to_column and t.id <> task.id
      and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id));
    rank := case
      when to_column = task.column_id and (low is null or task.order_rank > low) then task.order_rank
      else private.rank_after(low)
    end;
  end if;

  -- In the update below an unchanged rank means "none was named": where one was, take the next free one.
  if rank = task.order_rank and to_column <> task.column_id and coalesce(move_task.order_rank, before_id::text, after_id::text) is not null then
    rank := private.rank_between(rank, (
      select min(t.order_rank) from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank > rank
        and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id))
    ));
  end if;

  update public.tasks t set column_id = to_column, order_rank = rank
  where t.id = task.id and t.project_id = task.project_id
  returning t.* into task;
  if not found then
    perform private.raise_not_found('task');
  end if;
  if length(task.order_rank) > 24 then
    select t.* into task from public.tasks t where t.id = move_task.task_id;
  end if;
  return task;
end
$$;
grant execute on function private.move_task(uuid, uuid, uuid, uuid, text) to authenticated, service_role;
comment on function private.move_task(uuid, uuid, uuid, uuid, text) is 'The move itself, with the rights of whoever calls it.';

-- Owners and editors may write every task and see every column of the project, which is all a move reads and changes, so the policies need not be
-- asked by each of its statements.
create or replace function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text)
returns public.tasks
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (
    select from public.tasks t
    join private.my_memberships m on m.project_id = t.project_id
    where t.id = move_task_of_writer.task_id and m.role in ('owner', 'editor')
      and (t.audience_id is null or private.sees_audience(t.project_id, t.audience_id)) and private.token_reaches(t.project_id, 3)
  ) then
    return private.move_task(task_id, column_id, before_id, after_id, order_rank);
  end if;
  return null;
end
$$;
grant execute on function private.move_task_of_writer(uuid, uuid, uuid, uuid, text) to authenticated, service_role;
comment on function private.move_task_of_writer(uuid, uuid, uuid, uuid, text) is 'Moves a task for an owner or editor of its project; for others nothing.';

create or replace function public.move_task(
  task_id uuid, column_id uuid default null, before_id uuid default null, after_id uuid default null, order_rank text default null
) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  moved public.tasks := private.move_task_of_writer(task_id, column_id, before_id, after_id, order_rank);
begin
  if moved.id is not null then
    return moved;
  end if;
  return private.move_task(task_id, column_id, before_id, after_id, order_rank);
end
$$;
grant execute on function public.move_task(uuid, uuid, uuid, uuid, text) to service_role, authenticated;
comment on function public.move_task(uuid, uuid, uuid, uuid, text) is 'Moves a task to a column (left out: its own) and a place in it: right before a task, right after one, at a rank, or, with none of them, at the end. Refused with KB001 when it would be done before its predecessors, with KB004 when the named neighbour has left the column. Returns the task.';

-- Triggers of a move ------------------------------------------------------------------------------------------------------

-- Fills in project, column, number and rank where the client left them out, and completes a task made in a done column. Says nothing about a
-- foreign project: the policy refuses the row right after.
create or replace function private.place_new_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  twin record;
  column_kind public.workflow_column_kind;
  last_rank text;
  last_audience uuid;
begin
  new.id := coalesce(new.id, private.uuid_v7());
  if new.project_id is null then
    select c.project_id into new.project_id from public.workflow_columns c where c.id = new.column_id;
  end if;

  -- An upsert of a task that exists takes no number and no place.
  select t.number, t.column_id, t.order_rank into twin from public.tasks t where t.id = new.id and t.project_id = new.project_id;
  if found then
    new.number := twin.number;
    new.column_id := coalesce(new.column_id, twin.column_id);
    new.order_rank := coalesce(new.order_rank, twin.order_rank);
    return new;
  end if;

  if new.column_id is null then
    select c.id into new.column_id from public.workflow_columns c
    where c.project_id = new.project_id
    order by c.position, c.id
    limit 1;
  end if;
  if new.number is null then
    update private.task_counters n set last_number = n.last_number + 1
    where n.project_id = new.project_id
    returning n.last_number into new.number;
  else
    update private.task_counters n set last_number = greatest(n.last_number, new.number)
    where n.project_id = new.project_id;
  end if;
  if new.column_id is null then
    return new;
  end if;

  perform private.lock_column(new.project_id, new.column_id);
  select c.kind, last.order_rank, last.audience_id into column_kind, last_rank, last_audience
  from public.workflow_columns c
  left join lateral (
    select t.order_rank, t.audience_id from public.tasks t where t.project_id = new.project_id and t.column_id = c.id
    order by t.order_rank desc limit 1
  ) last on new.order_rank is null
  where c.id = new.column_id;
  new.order_rank := case
    when new.order_rank is not null then private.free_rank(new.project_id, new.column_id, new.order_rank, new.id)
    when last_audience is null and new.audience_id is null then private.rank_after(last_rank)
    else private.rank_at_end(new.project_id, new.column_id, new.id, new.audience_id)
  end;
  new.completed_at := case when column_kind = 'done' then coalesce(new.completed_at, now()) end;
  if column_kind = 'in_progress' then
    new.started_at := coalesce(new.started_at, now());
  end if;
  return new;
end
$$;

-- For every change of column or rank: by move_task, PATCH or a batch.
create or replace function private.place_moved_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  from_kind public.workflow_column_kind;
  to_kind public.workflow_column_kind;
  needed uuid[];
  last_rank text;
  last_audience uuid;
  waits_for text;
  empty_fields text;
begin
  if current_setting('kanbase.spreading', true) = 'on' then
    return new;
  end if;
  perform private.lock_column(new.project_id, new.column_id);

  if old.column_id <> new.column_id then
    select came_from.kind, c.kind, c.required_fields, last.order_rank, last.audience_id
    into from_kind, to_kind, needed, last_rank, last_audience
    from public.workflow_columns c
    left join public.workflow_columns came_from on came_from.id = old.column_id
    left join lateral (
      select t.order_rank, t.audience_id from public.tasks t where t.project_id = c.project_id and t.column_id = c.id
      order by t.order_rank desc limit 1
    ) last on old.order_rank = new.order_rank
    where c.project_id = new.project_id and c.id = new.column_id;
    if needed <> '{}' then
      select string_agg(f.name, ', ' order by f.position, f.id) into empty_fields
      from public.custom_fields f
      left join public.task_field_values v on v.project_id = f.project_id and v.task_id = new.id and v.field_id = f.id
      where f.project_id = new.project_id and f.id = any (needed) and (v.value is null or v.value = 'false');
      if empty_fields is not null and not private.is_undoing() then
        perform private.refuse('KB011', 'the column needs fields that are empty',
          'Fill them in first, or take them out of required_fields of the column.', 'Empty fields: ' || empty_fields);
      end if;
    end if;
    if to_kind = 'done' and from_kind <> 'done' then
      select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
      from public.task_dependencies d
      join public.tasks t on t.project_id = d.project_id and t.id = d.predecessor_id
      join public.projects p on p.id = d.project_id
      where d.project_id = new.project_id and d.successor_id = new.id
        and t.completed_at is null and t.archived_at is null and p.enforce_dependencies;
      if waits_for is not null and not private.is_undoing() then
        perform private.refuse('KB001', 'the task waits for others that are not done',
          'Finish them first, remove the dependency, or let an owner turn off enforce_dependencies.',
          -- Not to a guest, who may see none of them.
          case when private.is_reader(new.project_id) then 'Open predecessors: ' || waits_for end);
      end if;
    end if;
    new.completed_at := case when to_kind = 'done' then coalesce(old.completed_at, now()) end;
    if to_kind = 'in_progress' then
      new.started_at := coalesce(old.started_at, now());
    end if;
  end if;

  -- Only the column was named: to the end of it.
  if old.order_rank = new.order_rank then
    new.order_rank := case
      when last_audience is null and new.audience_id is null and not private.may_be_guest() then private.rank_after(last_rank)
      else private.rank_at_end(new.project_id, new.column_id, new.id, new.audience_id)
    end;
  else
    new.order_rank := private.free_rank(new.project_id, new.column_id, new.order_rank, new.id);
  end if;
  return new;
end
$$;

-- Runs when all rows of the statement are written, so that parent and subtasks may be done together. As with predecessors, it is asked of a task
-- that moves, not of a column that becomes done.
create or replace function private.wait_for_subtasks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  waits_for text;
begin
  select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = new.project_id and t.parent_id = new.id
    and t.completed_at is null and t.archived_at is null and p.parents_wait_for_subtasks;
  if waits_for is not null and not private.is_undoing() then
    perform private.refuse('KB010', 'the task has subtasks that are not done',
      'Finish them first, archive them, or let an owner turn off parents_wait_for_subtasks.', 'Open subtasks: ' || waits_for);
  end if;
  return null;
end
$$;
