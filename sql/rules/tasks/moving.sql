-- HEAD of 0150
-- Tasks: numbered per project, placed in columns, completed by the kind of column they are in.
--
-- The triggers of public.tasks, in the order in which they fire: Postgres goes by the name. 0410_task_triggers.sql gave those that the
-- files up to 0380 make under older names their numbers; files after it name theirs with one. docs/guides/moving-a-task.md follows one move through them.
--
-- before, each row
--   tasks_10_claim_author     insert   created_by is the caller (0150)
--   tasks_20_keep             both     sets aside timestamps and numbers that a client sent (0150)
--   tasks_30_refuse_change    update   id, project_id, number and created_by stay (0150)
--   tasks_40_refuse_delete    delete   403 to a member who may not delete (0150)
--   tasks_45_move_subtask     update   a new parent: a place among its others; one outline change at a time (0800)
--   tasks_45_place_subtask    insert   the same for a new task with a parent (0800)
--   tasks_50_cover            update   a new cover is an attachment of the task (0680)
--   tasks_50_cover_new        insert   the same for a new task (0680)
--   tasks_50_place_moved      update   new column or rank: predecessors, completion, a free rank (0150)
--   tasks_50_place_new        insert   fills project, column, number and rank; completed in a done column (0150)
--   tasks_60_count_deleted    delete   figures, while assignees and dependencies are still there (0360)
-- after, each row; keys to and from tasks are checked and cascade before these
--   tasks_65_check_outline    insert   a subtask: no circle, not too deep (0800)
--   tasks_65_check_outline_change  update  the same for a new parent (0800)
--   tasks_66_wait_for_subtasks  update  done after its subtasks, where the project says so (0800)
--   tasks_70_record_gone      delete   a row of task_activity (0940)
--   tasks_70_record_change    update   the same for what changed (0300)
--   tasks_70_record_cover     update   a row of task_activity for a new cover (0680)
--   tasks_70_record_parent    update   rows of task_activity for a new parent, in both stories and the old one's (0800)
--   tasks_70_record_subtask   insert   a row in the story of the parent (0800)
--   tasks_70_record_subtask_gone  delete  the same (0800)
--   tasks_75_notify           insert   notifies who is mentioned in the description (0310)
--   tasks_75_notify_change    update   notifies who is newly mentioned (0310)
--   tasks_80_index_change     update   search index, when title, description or number changed (0380)
--   tasks_85_spread_ranks     both     shortens ranks that have grown long (0150)
--   tasks_87_take_along       update   what is under a task is archived with it and comes back with it (0800)
--   tasks_88_carry_fields     update   what it holds in fields, in another project (0808)
-- after the statement, all its rows at once
--   tasks_90_follow_new       insert   rows of task_activity, search index, figures, who makes a task watches it, what fields begin with (0940)
--   tasks_90_follow_changed   update   figures; notifies watchers of a new column, and of what waits for nothing any more (0940)
--   tasks_94_tell_of_completed  update  the server is told of a task that comes again (0810; each row)
--   tasks_95_remove_files     delete   files in the bucket of attachments (0680)
-- HEAD of 0350
-- Moving a task: to a column, to a place in it. Under the caller's own policies throughout.
-- HEAD of 0969
-- A move asks once whether the caller may: of owners and editors, then moves with the rights of the owner of the tables. Each of its statements
-- asked by the policies of tasks and columns, and for each of them made the list of all the caller's projects.
-- HEAD of 0979
-- Locks are taken by those who may write: a viewer, or somebody who left and kept ids, holds nobody up with what will be refused.

-- A rank that is taken means "just after that one".
create or replace function private.free_rank(in_project uuid, in_column uuid, wanted text, for_task uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank = wanted and t.id <> for_task
  ) then
    return wanted;
  end if;
  return private.rank_between(wanted, (
    select min(t.order_rank) from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank > wanted and t.id <> for_task
  ));
end
$$;

-- Behind the last of the column.
create or replace function private.last_rank(in_project uuid, in_column uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  return private.rank_after((
    select max(t.order_rank) from public.tasks t where t.project_id = in_project and t.column_id = in_column
  ));
end
$$;

-- Fills what the client left out: project, column, number, rank; and completes the task if it is made in a done column.
-- Says nothing about what it finds in a foreign project: the policy refuses the row right after.
create or replace function private.place_new_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  twin record;
  column_kind public.workflow_column_kind;
  last_rank text;
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
  select c.kind, case when new.order_rank is null then (
    select max(t.order_rank) from public.tasks t where t.project_id = new.project_id and t.column_id = new.column_id
  ) end
  into column_kind, last_rank from public.workflow_columns c where c.id = new.column_id;
  new.order_rank := case
    when new.order_rank is null then private.rank_after(last_rank)
    else private.free_rank(new.project_id, new.column_id, new.order_rank, new.id)
  end;
  new.completed_at := case when column_kind = 'done' then coalesce(new.completed_at, now()) end;
  if column_kind = 'in_progress' then
    new.started_at := coalesce(new.started_at, now());
  end if;
  return new;
end
$$;

-- A task that changes column or rank, by whatever door.
create or replace function private.place_moved_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  from_kind public.workflow_column_kind;
  to_kind public.workflow_column_kind;
  needed uuid[];
  last_rank text;
  waits_for text;
  empty_fields text;
begin
  if current_setting('kanbase.spreading', true) = 'on' then
    return new;
  end if;
  perform private.lock_column(new.project_id, new.column_id);

  if old.column_id <> new.column_id then
    select came_from.kind, c.kind, c.required_fields, case when old.order_rank = new.order_rank then (
      select max(t.order_rank) from public.tasks t where t.project_id = new.project_id and t.column_id = new.column_id
    ) end
    into from_kind, to_kind, needed, last_rank
    from public.workflow_columns c
    left join public.workflow_columns came_from on came_from.id = old.column_id
    where c.project_id = new.project_id and c.id = new.column_id;
    if needed <> '{}' then
      select string_agg(f.name, ', ' order by f.position, f.id) into empty_fields
      from public.custom_fields f
      left join public.task_field_values v on v.project_id = f.project_id and v.task_id = new.id and v.field_id = f.id
      where f.project_id = new.project_id and f.id = any (needed) and (v.value is null or v.value = 'false');
      if empty_fields is not null then
        raise exception using
          errcode = 'KB011',
          message = 'the column needs fields that are empty',
          detail = 'Empty fields: ' || empty_fields,
          hint = 'Fill them in first, or take them out of required_fields of the column.';
      end if;
    end if;
    if to_kind = 'done' and from_kind <> 'done' then
      select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
      from public.task_dependencies d
      join public.tasks t on t.project_id = d.project_id and t.id = d.predecessor_id
      join public.projects p on p.id = d.project_id
      where d.project_id = new.project_id and d.successor_id = new.id
        and t.completed_at is null and t.archived_at is null and p.enforce_dependencies;
      if waits_for is not null then
        raise exception using
          errcode = 'KB001',
          message = 'the task waits for others that are not done',
          detail = 'Open predecessors: ' || waits_for,
          hint = 'Finish them first, remove the dependency, or let an owner turn off enforce_dependencies.';
      end if;
    end if;
    new.completed_at := case when to_kind = 'done' then coalesce(old.completed_at, now()) end;
    if to_kind = 'in_progress' then
      new.started_at := coalesce(old.started_at, now());
    end if;
  end if;

  -- Only the column was named: to the end of it.
  if old.order_rank = new.order_rank then
    new.order_rank := private.rank_after(last_rank);
  else
    new.order_rank := private.free_rank(new.project_id, new.column_id, new.order_rank, new.id);
  end if;
  return new;
end
$$;

-- Many drops into one gap make ranks long. When one has grown past 24 characters, the crowded stretch around it, up to the
-- nearest short rank on either side, is spread out again in the same transaction.
create or replace function private.spread_ranks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  low text;
  high text;
  crowd uuid[];
begin
  perform private.lock_column(new.project_id, new.column_id);
  select max(t.order_rank) into low from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank < new.order_rank and length(t.order_rank) <= 8;
  select min(t.order_rank) into high from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank > new.order_rank and length(t.order_rank) <= 8;
  crowd := array(
    select t.id from public.tasks t
    where t.project_id = new.project_id and t.column_id = new.column_id
      and (low is null or t.order_rank > low) and (high is null or t.order_rank < high)
    order by t.order_rank
  );
  -- Whoever holds one of them may be waiting for this column: rather than wait for each other, the crowd stays as it is
  -- until the next drop into it.
  if (
    select count(*) from (
      select from public.tasks t where t.project_id = new.project_id and t.id = any (crowd) for no key update skip locked
    ) as free
  ) < cardinality(crowd) then
    return null;
  end if;
  perform set_config('kanbase.spreading', 'on', true);
  update public.tasks t set order_rank = spread.rank
  from unnest(crowd, private.ranks_between(low, high, cardinality(crowd))) as spread (id, rank)
  where t.project_id = new.project_id and t.id = spread.id and t.order_rank <> spread.rank;
  perform set_config('kanbase.spreading', 'off', true);
  return null;
end
$$;

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
grant execute on function public.move_task(uuid,uuid,uuid,uuid,text) to service_role, authenticated;
comment on function public.move_task(uuid,uuid,uuid,uuid,text) is 'Moves a task to a column (left out: its own) and a place in it: right before a task, right after one, at a rank, or, with none of them, at the end. Refused with KB001 when it would be done before its predecessors, with KB004 when the named neighbour has left the column. Returns the task.';

-- The move itself, as before (0940). Called by anybody else it is held to the policies, which know best what to refuse.
-- The neighbour is looked up by its id, said so: Postgres would rather go through its whole column.
create or replace function private.move_task(
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
  perform private.lock_column(task.project_id, to_column);

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
grant execute on function private.move_task(uuid,uuid,uuid,uuid,text) to authenticated, service_role;
comment on function private.move_task(uuid,uuid,uuid,uuid,text) is 'The move itself, with the rights of whoever calls it.';

-- Nothing for anyone but owners and editors of the task's project. They may write every task and see every column of it, which is all a move
-- changes and looks at: the neighbours and the column it is to go to are looked for in that project alone.
create or replace function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) returns public.tasks
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
grant execute on function private.move_task_of_writer(uuid,uuid,uuid,uuid,text) to authenticated, service_role;
comment on function private.move_task_of_writer(uuid,uuid,uuid,uuid,text) is 'Moves a task for an owner or editor of its project; for others nothing.';

-- A column is locked as one of the project of the task that goes there. One of somebody else's project, which the keys refuse at the end of
-- the statement, is another lock until then.
create or replace function private.lock_column(in_project uuid, column_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(in_project::text || column_id::text, 3081));
end
$$;
grant execute on function private.lock_column(uuid,uuid) to authenticated, service_role;
comment on function private.lock_column(uuid,uuid) is 'Places in this column of this project are given by the caller alone until the transaction ends.';
