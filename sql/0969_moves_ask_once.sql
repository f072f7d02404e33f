-- A move asks once whether the caller may: of owners and editors, then moves with the rights of the owner of the tables. Each of its statements
-- asked by the policies of tasks and columns, and for each of them made the list of all the caller's projects.

-- The move itself, as before (0940). Called by anybody else it is held to the policies, which know best what to refuse.
-- The neighbour is looked up by its id, said so: Postgres would rather go through its whole column.
create function private.move_task(
  task_id uuid,
  column_id uuid default null,
  before_id uuid default null,
  after_id uuid default null,
  order_rank text default null
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
  perform private.lock_column(to_column);

  if move_task.order_rank is not null then
    rank := move_task.order_rank;
  elsif before_id is not null or after_id is not null then
    select t.order_rank into high from public.tasks t
    where t.id = before_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id;
    if found then
      select max(t.order_rank) into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank < high and t.id <> task.id;
    else
      select t.order_rank into low from public.tasks t
      where t.id = after_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id;
      if not found then
        if not exists (select from public.tasks t where t.project_id = task.project_id and t.id in (before_id, after_id) and t.id <> task.id) then
          perform private.raise_not_found('neighbour');
        end if;
        raise exception using
          errcode = 'KB004',
          message = 'the neighbour is no longer in this column',
          hint = 'Read the column again and repeat the move.';
      end if;
      select min(t.order_rank) into high from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank > low and t.id <> task.id;
    end if;
    rank := case
      when high is null then private.rank_after(low)
      when low is null then private.rank_before(high)
      else private.rank_between(low, high)
    end;
  else
    select max(t.order_rank) into low from public.tasks t
    where t.project_id = task.project_id and t.column_id = to_column and t.id <> task.id;
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

-- Nothing for anyone but owners and editors of the task's project. They may write every task and see every column of it, which is all a move
-- changes and looks at: the neighbours and the column it is to go to are looked for in that project alone.
create function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) returns public.tasks
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (
    select from public.tasks t
    join private.my_memberships m on m.project_id = t.project_id
    where t.id = move_task_of_writer.task_id and m.role in ('owner', 'editor')
  ) then
    return private.move_task(task_id, column_id, before_id, after_id, order_rank);
  end if;
  return null;
end
$$;
grant execute on function private.move_task_of_writer(uuid, uuid, uuid, uuid, text) to authenticated, service_role;
comment on function private.move_task_of_writer(uuid, uuid, uuid, uuid, text) is 'Moves a task for an owner or editor of its project; for others nothing.';

create or replace function public.move_task(
  task_id uuid,
  column_id uuid default null,
  before_id uuid default null,
  after_id uuid default null,
  order_rank text default null
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
