-- Making the next task of a series. The server asks for series to settle, reads their rules and answers with a day; settle_recurrence does the
-- rest in one transaction. A stale revision is ignored and each day is noted in private.made_occurrences, so that no restart, second node or
-- clock set back makes a task twice. Attachments are copied afterwards.

comment on table private.made_occurrences is 'Which days of a series have their task, whatever became of it.';

comment on table private.files_to_copy is 'Attachments that a task made from another one is still to get.';

-- Series without a plan, calendar series whose day has come, and series after completion whose task is done.
create or replace function private.recurrences_to_settle(passing_over uuid[], most integer)
returns table (id uuid, revision integer, rule text, starts_on date, after_day date)
language sql volatile security definer set search_path = '' as $$
  select r.id, r.revision, r.rule,
    case when r.mode = 'after_completion' then done.day else r.starts_on end,
    case
      when r.mode = 'after_completion' then done.day
      when r.next_on is not null then r.next_on
      -- from today on, and never the day the first task has
      else greatest(r.starts_on, (now() at time zone r.time_zone)::date - 1)
    end
  from public.task_recurrences r
  join public.projects p on p.id = r.project_id and p.archived_at is null and p.deleted_at is null
  join public.tasks t on t.project_id = r.project_id and t.id = r.task_id
  cross join lateral (select (t.completed_at at time zone r.time_zone)::date as day) done
  where r.paused_at is null and not r.is_over and r.id <> all (passing_over)
    and case r.mode when 'calendar' then r.next_at is null or r.next_at <= now() else t.completed_at is not null end
  order by r.next_at nulls first, r.id
  limit most
$$;
grant execute on function private.recurrences_to_settle(uuid[], integer) to kanbase_recurrence;

-- One task like another, with its subtasks, in one column.
create or replace function private.repeat_task(original public.tasks, under uuid, in_column uuid, later integer, due date, copies text[], author uuid)
returns public.tasks
language plpgsql volatile security definer set search_path = '' as $$
declare
  made public.tasks;
  child public.tasks;
begin
  insert into public.tasks (id, project_id, column_id, title, description, priority, start_date, due_date, estimate, parent_id, subtask_position, created_by,
    is_restricted)
  values (private.copy_grants(original, private.uuid_v7()), original.project_id, in_column, original.title, original.description, original.priority,
    case when original.due_date is null and due is not null then null else original.start_date + later end,
    coalesce(due, original.due_date + later), original.estimate, under, case when under is not null then original.subtask_position end, author, original.is_restricted)
  returning * into made;
  if 'labels' = any (copies) then
    insert into public.task_label_links (project_id, task_id, label_id)
    select l.project_id, made.id, l.label_id from public.task_label_links l where l.project_id = original.project_id and l.task_id = original.id;
  end if;
  if 'assignees' = any (copies) then
    insert into public.task_assignees (project_id, task_id, user_id)
    select a.project_id, made.id, a.user_id from public.task_assignees a where a.project_id = original.project_id and a.task_id = original.id;
  end if;
  if 'checklist' = any (copies) then
    insert into public.task_checklist_items (project_id, task_id, title, position)
    select i.project_id, made.id, i.title, i.position from public.task_checklist_items i
    where i.project_id = original.project_id and i.task_id = original.id order by i.position, i.id;
  end if;
  if 'fields' = any (copies) then
    delete from public.task_field_values v where v.project_id = made.project_id and v.task_id = made.id;
    insert into public.task_field_values (project_id, task_id, field_id, value)
    select v.project_id, made.id, v.field_id, v.value from public.task_field_values v
    where v.project_id = original.project_id and v.task_id = original.id;
  end if;
  perform private.carry_outside_words(original.id, made.id);
  if 'attachments' = any (copies) then
    insert into private.files_to_copy (attachment_id, project_id, task_id, uploaded_by)
    select a.id, made.project_id, made.id, author from public.task_attachments a where a.project_id = original.project_id and a.task_id = original.id;
  end if;
  if 'subtasks' = any (copies) then
    for child in
      select t.* from public.tasks t
      where t.project_id = original.project_id and t.parent_id = original.id and t.archived_at is null
      order by t.subtask_position, t.id
    loop
      perform private.repeat_task(child, made.id, in_column, later, null, copies, author);
    end loop;
  end if;
  return made;
end
$$;

-- `planned` is the revision the server read, `next_day` the day its rule names next. Returns the new task, if one was made.
create or replace function private.settle_recurrence(recurrence uuid, planned integer, next_day date) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  series public.task_recurrences;
  last public.tasks;
  made public.tasks;
  into_column uuid;
  author uuid;
  due date;
  at_most integer;
  done boolean;
begin
  perform set_config('kanbase.recurring', 'on', true);
  -- The task first, then the series: the order in which a deletion of the task takes them.
  select t.* into last from public.task_recurrences r join public.tasks t on t.project_id = r.project_id and t.id = r.task_id
  where r.id = recurrence for no key update of t;
  select r.* into series from public.task_recurrences r where r.id = recurrence for update;
  if not found or series.revision <> planned or series.task_id <> last.id or series.paused_at is not null or series.is_over
    or (series.mode = 'after_completion' and last.completed_at is null) or (series.mode = 'calendar' and series.next_at > now()) then
    return null;
  end if;
  at_most := coalesce(substring(series.rule from 'COUNT=(\d+)')::integer, 2147483647);
  due := case series.mode when 'after_completion' then next_day else series.next_on end;
  if due is not null and series.made + 1 < at_most then
    insert into private.made_occurrences (recurrence_id, occurrence)
    values (series.id, case series.mode when 'after_completion' then last.id::text else due::text end)
    on conflict do nothing;
    if found then
      into_column := coalesce(series.column_id, (
        select c.id from public.workflow_columns c where c.project_id = series.project_id order by c.kind = 'done', c.position, c.id limit 1
      ));
      author := (select m.user_id from public.project_members m where m.project_id = series.project_id and m.user_id = series.created_by);
      perform private.lock_outline(series.project_id, false);
      perform set_config('kanbase.recurring_for', coalesce(author::text, ''), true);
      made := private.repeat_task(last, last.parent_id, into_column, coalesce(due - last.due_date, due - last.start_date, 0), due, series.copies, author);
      update private.made_occurrences o set task_id = made.id
      where o.recurrence_id = series.id and o.occurrence = case series.mode when 'after_completion' then last.id::text else due::text end;
      perform private.record_activity(series.project_id, made.id, 'updated', jsonb_build_object('repeats', jsonb_build_object(
        'from', last.id, 'to', null, 'name', private.task_as_text(series.project_id, last.id))));
      perform private.record_activity(series.project_id, last.id, 'updated', jsonb_build_object('repeats', jsonb_build_object(
        'from', null, 'to', made.id, 'name', private.task_as_text(series.project_id, made.id))));
      series.made := series.made + 1;
      last := made;
    end if;
  end if;
  done := next_day is null or series.made + 1 >= at_most;
  update public.task_recurrences r
  set task_id = last.id, made = series.made, revision = r.revision + 1, is_over = done,
    next_on = case when series.mode = 'calendar' and not done then next_day end,
    next_at = case when series.mode = 'calendar' and not done then
      (next_day - greatest(series.lead_days, coalesce(last.due_date - last.start_date, 0)))::timestamp at time zone series.time_zone
    end
  where r.id = series.id;
  perform set_config('kanbase.recurring', 'off', true), set_config('kanbase.recurring_for', '', true);
  return made.id;
end
$$;
grant execute on function private.settle_recurrence(uuid, integer, date) to kanbase_recurrence;

-- The oldest attachment still to be copied; finish_file_copy adds its row once the bytes are there.
create or replace function private.next_file_to_copy(passing_over uuid[]) returns table (new_id uuid, from_path text, to_path text)
language sql volatile security definer set search_path = '' as $$
  select f.new_id, a.object_path, t.project_id || '/' || t.id || '/' || f.new_id || substring(a.object_path from '/[^/]*$')
  from private.files_to_copy f
  join public.task_attachments a on a.id = f.attachment_id
  join public.tasks t on t.id = f.task_id
  where f.new_id <> all (passing_over)
  order by f.made_at, f.new_id limit 1
$$;
grant execute on function private.next_file_to_copy(uuid[]) to kanbase_recurrence;

create or replace function private.finish_file_copy(copy uuid, path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.task_attachments (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by)
  select f.new_id, t.project_id, t.id, a.name, a.content_type, a.size_bytes, path, f.uploaded_by
  from private.files_to_copy f
  join public.task_attachments a on a.id = f.attachment_id
  join public.tasks t on t.id = f.task_id
  where f.new_id = copy
  on conflict do nothing;
  delete from private.files_to_copy f where f.new_id = copy;
end
$$;
grant execute on function private.finish_file_copy(uuid, text) to kanbase_recurrence;
