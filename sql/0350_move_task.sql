-- Moving a task: to a column, to a place in it. Under the caller's own policies throughout.

create function public.move_task(
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
  -- The task first, then the column: the order in which every change of a task takes its locks.
  select t.* into task from public.tasks t where t.id = move_task.task_id for no key update;
  if not found then
    perform private.raise_not_found('task');
  end if;
  select c.id into to_column from public.workflow_columns c
  where c.project_id = task.project_id and c.id = coalesce(move_task.column_id, task.column_id);
  if not found then
    perform private.raise_not_found('column');
  end if;

  -- From here on nobody else places a task in this column; what is read now stays true until the end of the transaction.
  perform private.lock_column(to_column);

  if move_task.order_rank is not null then
    rank := move_task.order_rank;
  elsif before_id is not null or after_id is not null then
    select t.order_rank into high from public.tasks t
    where t.project_id = task.project_id and t.column_id = to_column and t.id = before_id and t.id <> task.id;
    if found then
      select max(t.order_rank) into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank < high and t.id <> task.id;
    else
      select t.order_rank into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.id = after_id and t.id <> task.id;
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
  where t.id = task.id and t.project_id = task.project_id;
  if not found then
    perform private.raise_not_found('task');
  end if;
  select t.* into task from public.tasks t where t.id = move_task.task_id;
  return task;
end
$$;
grant execute on function public.move_task(uuid, uuid, uuid, uuid, text) to authenticated, service_role;

comment on function public.move_task(uuid, uuid, uuid, uuid, text) is 'Moves a task to a column (left out: its own) and a place in it: right before a task, right after one, at a rank, or, with none of them, at the end. Refused with KB001 when it would be done before its predecessors, with KB004 when the named neighbour has left the column. Returns the task.';
