-- Steps of a difference (differences.sql): single rows that are written, brought back, changed and deleted, and what stands against it.

-- Single rows -----------------------------------------------------------------------------------------------------------------

-- For what is written with the rights of the owner of the tables.
create or replace function private.require_board_right(called text, row_columns jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  of_project constant uuid := (row_columns ->> 'project_id')::uuid;
begin
  if not private.is_of_board(called, row_columns) or private.sees_changed_row(called, row_columns) is not true
    or not (private.is_writer(of_project) or called in ('task_comments', 'comment_reactions', 'task_watchers') and private.may_comment(of_project)) then
    perform private.refuse('42501', 'your role in this project does not allow it', 'Ask an owner of the project for the editor role.');
  end if;
end
$$;
grant execute on function private.require_board_right(text, jsonb) to authenticated;

create or replace function private.write_row(verb text, words jsonb, row_columns jsonb, columns text[]) returns void
language plpgsql volatile set search_path = '' as $$
declare
  written constant text[] := array(select c from jsonb_array_elements_text(words -> 'columns') c where c = any (columns));
  touched bigint;
begin
  if verb <> 'delete' and written = '{}' then
    perform private.refuse('42501', 'these columns are not yours to change', 'Ask an owner of the project.');
  end if;
  execute case verb
    when 'insert' then format('insert into %1$s (%2$s) select %2$s from %3$s', words ->> 'table', (select string_agg(quote_ident(c), ', ') from unnest(written) c), words ->> 'row')
    when 'update' then format('update %s t set %s from %s p where %s', words ->> 'table',
      (select string_agg(format('%1$I = p.%1$I', c), ', ') from unnest(written) c), words ->> 'row', words ->> 'named')
    else format('delete from %s t using %s p where %s', words ->> 'table', words ->> 'row', words ->> 'named')
  end using row_columns;
  get diagnostics touched = row_count;
  if touched = 0 then
    perform private.refuse('42501', 'your role in this project does not allow it', 'Ask an owner of the project.');
  end if;
end
$$;
grant execute on function private.write_row(text, jsonb, jsonb, text[]) to authenticated;

-- Rows that came with a task, a comment or an assignment by themselves and are no part of the difference.
create or replace function private.drop_automatic_rows(of_task uuid, expected text[]) returns void
language sql volatile set search_path = '' as $$
  delete from public.task_watchers w where w.task_id = of_task and w.created_at = now() and w.task_id || '/' || w.user_id <> all (expected);
  delete from public.task_field_values v where v.task_id = of_task and v.created_at = now() and v.task_id || '/' || v.field_id <> all (expected);
$$;
grant execute on function private.drop_automatic_rows(uuid, text[]) to authenticated;

-- A rank or position that read as "none was named", and dates that came back.
create or replace function private.settle_task(shall jsonb, was jsonb, columns text[], with_dates boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  brings_dates constant boolean := with_dates
    and (shall -> 'completed_at' is distinct from was -> 'completed_at' or shall -> 'started_at' is distinct from was -> 'started_at');
  task public.tasks;
begin
  if not columns && '{order_rank,subtask_position}' and not brings_dates then
    return;
  end if;
  select t.* into task from public.tasks t where t.id = (shall ->> 'id')::uuid;
  if 'order_rank' = any (columns) and task.order_rank <> shall ->> 'order_rank' and task.column_id::text = shall ->> 'column_id' then
    update public.tasks t set order_rank = shall ->> 'order_rank' where t.id = task.id;
  end if;
  if 'subtask_position' = any (columns) and task.parent_id::text = shall ->> 'parent_id' and task.subtask_position <> (shall ->> 'subtask_position')::double precision then
    update public.tasks t set subtask_position = (shall ->> 'subtask_position')::double precision where t.id = task.id;
  end if;
  if brings_dates and ((shall ->> 'completed_at') is null) = (task.completed_at is null) then
    update public.tasks t set completed_at = (shall ->> 'completed_at')::timestamptz, started_at = (shall ->> 'started_at')::timestamptz where t.id = task.id;
  end if;
end
$$;
grant execute on function private.settle_task(jsonb, jsonb, text[], boolean) to authenticated;

create or replace function private.has_file(path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from storage.objects o where o.bucket_id = 'attachments' and o.name = path) and private.is_reader(private.attachment_project(path))
$$;
grant execute on function private.has_file(text) to authenticated;

-- Steps -----------------------------------------------------------------------------------------------------------------------

-- Answers {"done": columns} and, where something stays, {"columns", "code", "reason"}; {} where all is so already. `forward`: a proposal, which is
-- done wholly or not at all, and whose tasks take numbers and dates of their own.
create or replace function private.update_step(step jsonb, standing jsonb, words jsonb, forward boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  called constant text := step ->> 'table';
  has_moved constant boolean := step #>> '{from,project_id}' is distinct from step #>> '{to,project_id}';
  -- Places are free to be taken by others.
  places constant text[] := case when forward then '{order_rank,subtask_position,position}' else '{}' end::text[];
  changed constant text[] := array(select c from unnest(private.differing_columns(step -> 'to', step -> 'from')) c where c <> all (private.kept_columns()));
  due text[] := array(select c from unnest(changed) c where standing -> c = step -> 'from' -> c and standing -> c is distinct from step -> 'to' -> c);
  other text[] := array(select c from unnest(changed) c
    where standing -> c is distinct from step -> 'from' -> c and standing -> c is distinct from step -> 'to' -> c and c <> all (places));
begin
  if has_moved and called <> 'tasks' and changed = '{}' then
    return '{}';
  elsif has_moved and standing ->> 'project_id' is distinct from step #>> '{to,project_id}' then
    if called = 'tasks' then
      perform public.move_tasks_to_project(array[(standing ->> 'id')::uuid], (step #>> '{to,project_id}')::uuid, null, true);
      select to_jsonb(t) into standing from public.tasks t where t.id = (standing ->> 'id')::uuid;
      return private.update_step(step, standing, words, forward) || '{"done": ["project_id"]}';
    end if;
    return jsonb_build_object('columns', '{project_id}'::text[], 'code', 'changed', 'reason', 'its task is in another project');
  end if;
  -- The place goes with the column, or with the parent.
  if called = 'tasks' and 'column_id' = any (due) then
    due := due || '{order_rank}';
  end if;
  if called = 'tasks' and 'parent_id' = any (due) and step #>> '{to,parent_id}' is not null then
    due := due || '{subtask_position}';
  end if;
  other := array(select c from unnest(other) c where c <> all (due));
  if forward and other <> '{}' then
    due := '{}';
  end if;
  if due <> '{}' then
    perform private.write_row('update', words, (step -> 'to') || jsonb_build_object('project_id', standing -> 'project_id'), due);
  end if;
  if called = 'tasks' then
    perform private.settle_task(step -> 'to', step -> 'from', due, not forward);
  end if;
  other := array(select distinct c from unnest(other || array(select jsonb_array_elements_text(step -> 'overwritten'))) c);
  return case when due <> '{}' then jsonb_build_object('done', due) else '{}' end
    || case when other <> '{}' then jsonb_build_object('columns', other, 'code', 'changed', 'reason', 'somebody else has changed it since') else '{}' end;
end
$$;
grant execute on function private.update_step(jsonb, jsonb, jsonb, boolean) to authenticated;

create or replace function private.insert_step(step jsonb, standing jsonb, words jsonb, forward boolean, expected text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  called constant text := step ->> 'table';
  new_values constant jsonb := (step -> 'to') - '{updated_at,version,audience_id}'::text[]
    - case when forward then '{number,created_at,started_at,completed_at,edited_at}'::text[] else '{}' end
    - case when not private.is_of_board(called, step -> 'to') then '{created_at,created_by}'::text[] else '{}' end;
  other text[];
begin
  if standing is not null then
    other := array(select c from unnest(private.differing_columns(step -> 'to', standing)) c where c <> all (private.kept_columns()));
    -- One that a trigger made just now.
    if standing -> 'created_at' = to_jsonb(now()) and (other <> '{}' or not forward and step #> '{to,created_at}' <> to_jsonb(now())) then
      perform private.write_row('update', words, step -> 'to', case when forward then other else other || '{created_at}'::text[] end);
      return '{"done": []}';
    elsif other = '{}' then
      return '{}';
    end if;
    return jsonb_build_object('columns', other, 'code', 'changed', 'reason', 'somebody else has made it again since');
  elsif called = 'task_attachments' and not forward and not private.has_file(step #>> '{to,object_path}') then
    return jsonb_build_object('columns', '{}'::text[], 'code', 'file', 'reason', 'its file has been deleted for good');
  end if;
  perform private.write_row('insert', words, new_values, array(select jsonb_object_keys(new_values)));
  if called in ('tasks', 'task_comments', 'task_assignees') then
    perform private.drop_automatic_rows((step #>> array['to', case called when 'tasks' then 'id' else 'task_id' end])::uuid, expected);
  end if;
  return '{"done": []}';
end
$$;
grant execute on function private.insert_step(jsonb, jsonb, jsonb, boolean, text[]) to authenticated;

-- A project goes to the bin, with all that is in it, unless others have worked in it.
create or replace function private.has_work_of_others(project uuid, session text) returns boolean
language sql stable security definer set search_path = '' as $$
  select not private.is_reader(project) or exists (select from public.task_activity a where a.project_id = project and a.program ->> 'session' is distinct from session)
    or (select count(*) from public.project_members m where m.project_id = project) > 1
$$;
grant execute on function private.has_work_of_others(uuid, text) to authenticated;

create or replace function private.delete_step(step jsonb, standing jsonb, words jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  called constant text := step ->> 'table';
  other constant text[] := array(
    select c from unnest(private.differing_columns(step -> 'from', standing)) c where c <> all (private.kept_columns() || '{order_rank,subtask_position}')
      -- Restored with the task above it, by this very undo.
      and not (c = 'archived_at' and (standing ->> 'updated_at')::timestamptz = now())
    union select jsonb_array_elements_text(step -> 'overwritten'));
  under text;
begin
  if called = 'projects' and standing ->> 'deleted_at' is not null then
    return '{}';
  elsif other <> '{}' then
    return jsonb_build_object('columns', other, 'code', 'changed', 'reason', 'somebody else has changed it since');
  elsif called = 'projects' then
    under := case when private.has_work_of_others((standing ->> 'id')::uuid, step ->> 'session') then 'tasks' end;
  elsif words ->> 'under' is not null then
    execute format('with p as (select r.* from %s r) select u.name from (%s) u (name) limit 1', words ->> 'row', words ->> 'under') into under using standing;
  end if;
  if under is not null then
    return jsonb_build_object('columns', '{}'::text[], 'code', 'used', 'under', under, 'reason', 'others have put something under it since');
  elsif called = 'projects' then
    perform private.write_row('update', words, standing || jsonb_build_object('deleted_at', now()), '{deleted_at}');
  else
    perform private.write_row('delete', words, standing, '{}');
  end if;
  return '{"done": []}';
end
$$;
grant execute on function private.delete_step(jsonb, jsonb, jsonb) to authenticated;

create or replace function private.apply_step(step jsonb, words jsonb, forward boolean, expected text[], as_board boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  is_new constant boolean := jsonb_typeof(step -> 'from') = 'null';
  is_gone constant boolean := jsonb_typeof(step -> 'to') = 'null';
  standing jsonb;
begin
  execute format('select to_jsonb(t) from %s t, %s p where %s%s', words ->> 'table', words ->> 'row', words ->> 'named',
    case when as_board then ' for no key update of t' else '' end) into standing using step -> case when is_new then 'to' else 'from' end;
  if as_board then
    perform private.require_board_right(step ->> 'table', coalesce(standing, step -> case when is_new then 'to' else 'from' end));
  end if;
  if is_new then
    return private.insert_step(step, standing, words, forward, expected);
  elsif standing is null then
    return case when is_gone and (not forward or step -> 'was_there' = 'true') then '{}'
      else jsonb_build_object('columns', '{}'::text[], 'code', 'gone', 'reason', 'somebody has deleted it since') end;
  elsif is_gone then
    return private.delete_step(step, standing, words);
  end if;
  return private.update_step(step, standing, words, forward);
end
$$;
grant execute on function private.apply_step(jsonb, jsonb, boolean, text[], boolean) to authenticated;

create or replace function private.say_refusal(state text, message text, detail text) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('columns', '{}'::text[], 'code', case state
    when '42501' then 'right' when '23503' then 'needed' when '23505' then 'double' when '23514' then 'value' else 'refused' end, 'reason', case state
    when '23503' then 'something that it needs is gone, or something else needs it'
    when '23505' then 'there is another one like it already'
    when '23514' then 'its project no longer allows that value'
    else concat_ws(': ', message, nullif(detail, '')) end)
$$;
grant execute on function private.say_refusal(text, text, text) to authenticated;

-- Their outcomes, in their order. Tries those that stay again as long as others progress.
create or replace function private.apply_steps(steps jsonb[], forward boolean, expected text[], as_board boolean) returns jsonb[]
language plpgsql volatile set search_path = '' as $$
declare
  words constant jsonb := (
    select jsonb_object_agg(t.name, private.words_for_rows(t.name)) from (select distinct s ->> 'table' as name from unnest(steps) s) t);
  pending integer[] := array(select generate_series(1, cardinality(steps)));
  again integer[];
  outcomes jsonb[] := array_fill('{}'::jsonb, array[cardinality(steps)]);
  progressed boolean := true;
  outcome jsonb;
  i integer;
  state text;
  message text;
  detail text;
begin
  while progressed and pending <> '{}' loop
    progressed := false;
    again := '{}';
    foreach i in array pending loop
      begin
        outcome := private.apply_step(steps[i], words -> (steps[i] ->> 'table'), forward, expected, as_board);
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, detail = pg_exception_detail;
        if state !~ '^(KB0..|PT4..|42501|22023|2[23]...)$' then
          raise;
        end if;
        outcome := private.say_refusal(state, message, detail);
      end;
      progressed := progressed or outcome ? 'done';
      if outcomes[i] ? 'done' then
        outcome := outcome || jsonb_build_object('done', (outcomes[i] -> 'done') || coalesce(outcome -> 'done', '[]'));
      end if;
      outcomes[i] := outcome;
      if outcome ? 'reason' then
        again := again || i;
      end if;
    end loop;
    pending := again;
  end loop;
  return outcomes;
end
$$;
grant execute on function private.apply_steps(jsonb[], boolean, text[], boolean) to authenticated;

create or replace function private.apply_steps_of_board(steps jsonb[], forward boolean, expected text[]) returns jsonb[]
language sql volatile security definer set search_path = '' as $$
  select private.apply_steps(steps, forward, expected, true)
$$;
grant execute on function private.apply_steps_of_board(jsonb[], boolean, text[]) to authenticated;
comment on function private.apply_steps_of_board(jsonb[], boolean, text[]) is 'Changes rows of tables of a board with all their columns, for who may write such rows in their project.';
