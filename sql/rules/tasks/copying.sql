-- Duplicating a task with its subtasks, and turning checklist items into tasks and back. All but make_task_of_item and make_item_of_task, which
-- ask for the role themselves, run with the caller's rights.

-- Labels, assignees, checklist and field values.
create or replace function private.copy_task_parts(in_project uuid, from_task uuid, to_task uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.task_label_links (project_id, task_id, label_id)
  select l.project_id, to_task, l.label_id from public.task_label_links l where l.project_id = in_project and l.task_id = from_task;
  perform set_config('kanbase.copying', 'on', true);
  insert into public.task_assignees (project_id, task_id, user_id)
  select a.project_id, to_task, a.user_id from public.task_assignees a where a.project_id = in_project and a.task_id = from_task;
  perform set_config('kanbase.copying', 'off', true);
  insert into public.task_checklist_items (project_id, task_id, title, position)
  select i.project_id, to_task, i.title, i.position from public.task_checklist_items i
  where i.project_id = in_project and i.task_id = from_task order by i.position, i.id;
  delete from public.task_field_values v where v.project_id = in_project and v.task_id = to_task;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select v.project_id, to_task, v.field_id, v.value from public.task_field_values v where v.project_id = in_project and v.task_id = from_task;
end
$$;
grant execute on function private.copy_task_parts(uuid, uuid, uuid) to authenticated, service_role;

-- The copy stands right below the original in its column; subtasks are copied level by level.
create or replace function private.copy_task(original public.tasks, new_id uuid, under uuid, at double precision) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  made public.tasks;
  child public.tasks;
begin
  -- Before it: who is named sees the copy when it is made.
  new_id := private.copy_grants(original, coalesce(new_id, private.uuid_v7()));
  -- A rank that is taken becomes the next free one after it.
  insert into public.tasks (id, project_id, column_id, title, description, priority, order_rank, start_date, due_date, estimate, parent_id, subtask_position,
    is_restricted)
  values (new_id, original.project_id, original.column_id, original.title, original.description,
    original.priority, original.order_rank, original.start_date, original.due_date, original.estimate, under, at, original.is_restricted)
  returning * into made;
  perform private.copy_task_parts(original.project_id, original.id, made.id);
  perform private.carry_outside_words(original.id, made.id);
  for child in
    select t.* from public.tasks t
    where t.project_id = original.project_id and t.parent_id = original.id and t.archived_at is null
    order by t.subtask_position, t.id
  loop
    perform private.copy_task(child, null, made.id, child.subtask_position);
  end loop;
  return made;
end
$$;
grant execute on function private.copy_task(public.tasks, uuid, uuid, double precision) to authenticated, service_role;

-- Comments, files, activity and dependencies stay with the original.
create or replace function public.duplicate_task(task_id uuid, new_id uuid default null) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  original public.tasks;
  made public.tasks;
begin
  select t.* into original from public.tasks t where t.id = duplicate_task.task_id;
  if not found then
    perform private.raise_not_found('task');
  end if;
  -- Asked again because the answer was lost.
  select t.* into made from public.tasks t where t.project_id = original.project_id and t.id = duplicate_task.new_id;
  if found then
    return made;
  end if;
  -- The outline, then all columns in one order, as every change of tasks takes its locks.
  perform private.lock_outline(original.project_id, false);
  perform private.lock_column(original.project_id, c.column_id) from (
    with recursive down (id, column_id) as (
      select original.id, original.column_id
      union all
      select t.id, t.column_id from down join public.tasks t on t.project_id = original.project_id and t.parent_id = down.id
      where t.archived_at is null
    )
    select distinct down.column_id from down order by 1
  ) c;
  -- Below the first among the same parent's.
  return private.copy_task(original, duplicate_task.new_id, original.parent_id, (
    select (original.subtask_position + coalesce(min(t.subtask_position), original.subtask_position + 2)) / 2
    from public.tasks t
    where t.project_id = original.project_id and t.parent_id = original.parent_id and t.subtask_position > original.subtask_position
  ));
end
$$;
grant execute on function public.duplicate_task(uuid, uuid) to service_role, authenticated;
comment on function public.duplicate_task(uuid, uuid) is 'Makes a second task right below the first, with all that is under it: title, description, priority, dates, estimate, labels, assignees and checklist (nothing ticked). new_id may name the id of the second. Returns it.';

-- Locks first: outlines, then columns, each in one order, so that what duplicate_task locks of each task is held already.
create or replace function public.duplicate_tasks(task_ids uuid[], new_ids uuid[] default null) returns setof public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  most constant integer := 1000;
  asked constant integer := cardinality(task_ids);
begin
  if asked > most then
    perform private.refuse('22023', format('these are more than %s tasks', most), 'Duplicate them in several batches.');
  end if;
  if new_ids is not null and cardinality(new_ids) <> asked then
    perform private.refuse('22023', 'new_ids has another length than task_ids', 'Send an id for each task, or none.');
  end if;
  if (select count(distinct a.id) from unnest(task_ids) as a (id)) <> asked then
    perform private.refuse('22023', 'a task is named twice', 'Name each task once.');
  end if;
  perform private.lock_outline(p.project_id, false) from (
    select distinct t.project_id from public.tasks t where t.id = any (task_ids) order by 1
  ) p;
  perform private.lock_column(c.project_id, c.column_id) from (
    with recursive down (id, project_id, column_id) as (
      select t.id, t.project_id, t.column_id from public.tasks t where t.id = any (task_ids)
      union
      select t.id, t.project_id, t.column_id from down join public.tasks t on t.project_id = down.project_id and t.parent_id = down.id
      where t.archived_at is null
    )
    select distinct down.project_id, down.column_id from down order by 1, 2
  ) c;
  return query
    select d.* from unnest(task_ids, new_ids) with ordinality as a (id, new_id, place)
    cross join lateral public.duplicate_task(a.id, a.new_id) d
    order by a.place;
end
$$;
grant execute on function public.duplicate_tasks(uuid[], uuid[]) to service_role, authenticated;
comment on function public.duplicate_tasks(uuid[], uuid[]) is 'Duplicates tasks as duplicate_task does each, all or none; new_ids may name the ids of the copies, in the same order. Up to 1,000 tasks; returns the copies in that order.';

-- Keeps title, tick and dates. Those dates are not for clients to write, hence security definer; the caller's role is checked first.
create or replace function private.make_task_of_item(item uuid, new_id uuid, as_subtask boolean) returns public.tasks
language plpgsql volatile security definer set search_path = '' as $$
declare
  step public.task_checklist_items;
  of_task public.tasks;
  made public.tasks;
begin
  select i.* into step from public.task_checklist_items i where i.id = item for update;
  if not found or not (private.is_writer(step.project_id) or auth.role() = 'service_role') then
    perform private.refuse('42501', 'permission denied to make a task of a checklist item: your role in this project does not allow it',
      'Ask an owner of the project for the editor role.');
  end if;
  select t.* into of_task from public.tasks t where t.project_id = step.project_id and t.id = step.task_id;
  insert into public.tasks (id, project_id, column_id, title, parent_id, created_by, created_at, completed_at)
  values (coalesce(new_id, private.uuid_v7()), step.project_id, (
    -- Where the task itself stands, if that says about the tick what the step says.
    select c.id from public.workflow_columns c where c.project_id = step.project_id
    order by ((c.kind = 'done') = step.is_done) desc, (c.id = of_task.column_id) desc, c.position, c.id limit 1
  ), step.title, case when as_subtask then of_task.id end, auth.uid(), step.created_at, case when step.is_done then step.updated_at end)
  returning * into made;
  insert into private.outside_words (row_id, is_own) select made.id, w.is_own from private.outside_words w where w.row_id = step.id on conflict do nothing;
  delete from public.task_checklist_items i where i.id = step.id;
  return made;
end
$$;
grant execute on function private.make_task_of_item(uuid, uuid, boolean) to authenticated, service_role;

create or replace function public.checklist_item_to_task(item_id uuid, new_id uuid default null, as_subtask boolean default true) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  made public.tasks;
begin
  if not exists (select from public.task_checklist_items i where i.id = item_id) then
    -- Asked again because the answer was lost, or there is none that the caller sees.
    select t.* into made from public.tasks t where t.id = new_id;
    if not found then
      perform private.raise_not_found('checklist item');
    end if;
    return made;
  end if;
  return private.make_task_of_item(item_id, new_id, as_subtask);
end
$$;
grant execute on function public.checklist_item_to_task(uuid, uuid, boolean) to service_role, authenticated;
comment on function public.checklist_item_to_task(uuid, uuid, boolean) is 'Makes a task of a checklist item: a subtask of the task it belonged to, or, with as_subtask false, one beside it. A ticked one stands in a done column; the day it was made is kept. new_id may name the id of the task. Returns it.';

-- Keeps title and tick. Subtasks move up to the task that gets the item, its own items follow; all else is lost, which the client says before.
create or replace function private.make_item_of_task(task uuid, new_id uuid, of_task uuid) returns public.task_checklist_items
language plpgsql volatile security definer set search_path = '' as $$
declare
  was public.tasks;
  made public.task_checklist_items;
begin
  select t.* into was from public.tasks t where t.id = task for update;
  if not found or not (private.is_writer(was.project_id) or auth.role() = 'service_role') then
    perform private.refuse('42501', 'permission denied to make a checklist item of a task: your role in this project does not allow it',
      'Ask an owner of the project for the editor role.');
  end if;
  of_task := coalesce(of_task, was.parent_id);
  if of_task is null or of_task = was.id then
    perform private.refuse('22023', 'a checklist item needs a task to belong to', 'Name it in of_task_id: the task has no parent.');
  end if;
  if not exists (select from public.tasks t where t.project_id = was.project_id and t.id = of_task and private.sees_audience(t.project_id, t.audience_id)) then
    perform private.raise_not_found('task');
  end if;
  insert into public.task_checklist_items (id, project_id, task_id, title, is_done, created_at)
  values (coalesce(new_id, private.uuid_v7()), was.project_id, of_task, was.title, was.completed_at is not null, was.created_at)
  returning * into made;
  insert into private.outside_words (row_id, is_own) select made.id, w.is_own from private.outside_words w where w.row_id = was.id on conflict do nothing;
  update public.task_checklist_items i set task_id = of_task, position = i.position - own.first + made.position + 1
  from (select min(o.position) as first from public.task_checklist_items o where o.project_id = was.project_id and o.task_id = was.id) own
  where i.project_id = was.project_id and i.task_id = was.id;
  update public.tasks t set parent_id = of_task where t.project_id = was.project_id and t.parent_id = was.id;
  delete from public.tasks t where t.project_id = was.project_id and t.id = was.id;
  return made;
end
$$;
grant execute on function private.make_item_of_task(uuid, uuid, uuid) to authenticated, service_role;

create or replace function public.task_to_checklist_item(task_id uuid, new_id uuid default null, of_task_id uuid default null)
returns public.task_checklist_items
language plpgsql volatile set search_path = '' as $$
declare
  made public.task_checklist_items;
begin
  if not exists (select from public.tasks t where t.id = task_to_checklist_item.task_id) then
    -- Asked again because the answer was lost, or there is none that the caller sees.
    select i.* into made from public.task_checklist_items i where i.id = new_id;
    if not found then
      perform private.raise_not_found('task');
    end if;
    return made;
  end if;
  return private.make_item_of_task(task_to_checklist_item.task_id, new_id, of_task_id);
end
$$;
grant execute on function public.task_to_checklist_item(uuid, uuid, uuid) to service_role, authenticated;
comment on function public.task_to_checklist_item(uuid, uuid, uuid) is 'Makes a checklist item of a task, in its parent or in of_task_id: title, whether it is done and the day it was made are kept. Its subtasks move up and its checklist follows; all else about it is lost. Returns the item.';
