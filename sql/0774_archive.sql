-- What was put away, in all of one's projects, and a second task like a first one. All of it with the caller's rights.

create index tasks_archived_idx on public.tasks (project_id, archived_at) where archived_at is not null;

create function public.archived_tasks(project_id uuid default null, max_rows int default 500) returns setof public.tasks
language sql stable set search_path = '' as $$
  select t.* from public.tasks t
  where t.archived_at is not null and (archived_tasks.project_id is null or t.project_id = archived_tasks.project_id)
  order by t.archived_at desc, t.id
  limit least(greatest(coalesce(archived_tasks.max_rows, 500), 0), 1000)
$$;
grant execute on function public.archived_tasks(uuid, int) to authenticated;

-- Right below the first. Comments, files, history and dependencies are the first one's own.
create function public.duplicate_task(task_id uuid, new_id uuid default null) returns public.tasks
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
  -- A rank that is taken becomes the next free one after it.
  insert into public.tasks (id, project_id, column_id, title, description, priority, order_rank, start_date, due_date, estimate)
  values (coalesce(duplicate_task.new_id, private.uuid_v7()), original.project_id, original.column_id, original.title, original.description,
    original.priority, original.order_rank, original.start_date, original.due_date, original.estimate)
  returning * into made;
  insert into public.task_label_links (project_id, task_id, label_id)
  select l.project_id, made.id, l.label_id from public.task_label_links l where l.project_id = original.project_id and l.task_id = original.id;
  insert into public.task_assignees (project_id, task_id, user_id)
  select a.project_id, made.id, a.user_id from public.task_assignees a where a.project_id = original.project_id and a.task_id = original.id;
  insert into public.task_checklist_items (project_id, task_id, title, position)
  select i.project_id, made.id, i.title, i.position from public.task_checklist_items i
  where i.project_id = original.project_id and i.task_id = original.id order by i.position, i.id;
  return made;
end
$$;
grant execute on function public.duplicate_task(uuid, uuid) to authenticated, service_role;

comment on function public.archived_tasks(uuid, int) is 'Archived tasks of a project, or of all the caller''s projects: those put away last come first.';
comment on function public.duplicate_task(uuid, uuid) is 'Makes a second task right below the first: title, description, priority, dates, estimate, labels, assignees and checklist (nothing ticked). new_id may name the id of the second. Returns it.';
