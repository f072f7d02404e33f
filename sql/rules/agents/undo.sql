-- Undoing a session: the reverse of all that was changed in it, through any door, in one transaction, as far as nobody has changed it since
-- (differences.sql). For who answers for the session, who manages the agent, the person whose program it was, and owners of the project; of each
-- change, what they may change themselves. Rows that they don't see are counted, and no more.

-- What leads back to how it was is no new move: rules for moving forward don't stand against it.
create or replace function private.is_undoing() returns boolean
language sql stable
return coalesce(current_setting('kanbase.undoing', true) = 'on', false);

-- Ends the session, and answers the steps that lead back, and how many rows the caller does not see.
create or replace function private.begin_undo(session uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  undone public.agent_sessions;
  net jsonb;
begin
  perform private.require_user();
  perform from public.agent_sessions s where s.id = session for update;
  undone := private.find_session(session);
  if private.may_undo(undone) is not true then
    perform private.refuse_session_of_others('undone');
  end if;
  perform private.stop_session(undone.id);
  net := private.net_changes(array(select c from private.session_changes c where c.session_id = undone.id and c.undone_at is null and c.table_name <> 'storage.objects'));
  return (
    with seen as (
      select s, coalesce(private.sees_changed_row(s ->> 'table', s -> 'was'), true) and coalesce(private.sees_changed_row(s ->> 'table', s -> 'becomes'), true) as is_seen
      from jsonb_array_elements(net) s
    ), made as (
      select array_agg(s #>> '{becomes,id}') filter (where s ->> 'table' = 'projects') as ids,
        coalesce(array_agg(s #>> '{becomes,id}') filter (where s ->> 'table' = 'tasks'), '{}') as tasks
      from seen where s ->> 'table' in ('projects', 'tasks') and jsonb_typeof(s -> 'was') = 'null'
    )
    select jsonb_build_object('hidden', count(*) filter (where not is_seen), 'steps', coalesce(jsonb_agg(
        jsonb_build_object('table', s -> 'table', 'from', s -> 'becomes', 'to', s -> 'was', 'overwritten', s -> 'overwritten', 'places', s -> 'places', 'session', undone.id)
        order by case when jsonb_typeof(s -> 'becomes') = 'null' then 0 when jsonb_typeof(s -> 'was') = 'null' then 2 else 1 end,
          case jsonb_typeof(s -> 'was') when 'null' then (s ->> 'first')::bigint else (s ->> 'last')::bigint end desc
      ) filter (where is_seen), '[]'))
    from seen, made
    -- What is in a project that was made goes with it, and who watches a task with the task.
    where not (s ->> 'table' = 'task_watchers' and jsonb_typeof(s -> 'was') = 'null' and s #>> '{becomes,task_id}' = any (made.tasks)) and (s ->> 'table' = 'projects' or made.ids is null or coalesce(s #>> '{becomes,project_id}', s #>> '{was,project_id}', '') <> all (made.ids))
  );
end
$$;
grant execute on function private.begin_undo(uuid) to authenticated;

create or replace function private.finish_undo(session uuid, steps jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.session_changes c set undone_at = now()
  where c.session_id = (select s.id from public.agent_sessions s where s.id = finish_undo.session and private.may_undo(s)) and c.undone_at is null and c.place in (
    select p::bigint from jsonb_array_elements(steps) s, jsonb_array_elements_text(s -> 'places') p where jsonb_typeof(s -> 'stays') = 'null');
  update public.agent_sessions s set undone_at = coalesce(s.undone_at, now()) where s.id = finish_undo.session and private.may_undo(s);
$$;
grant execute on function private.finish_undo(uuid, jsonb) to authenticated;

-- A dry run does all of it and takes it back.
create or replace function public.undo_session(session_id uuid, dry_run boolean default false) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '30s' as $$
declare
  begun jsonb;
  steps jsonb;
  answer jsonb;
begin
  begin
    begun := private.begin_undo(undo_session.session_id);
    perform set_config('kanbase.undoing', 'on', true);
    steps := private.apply_difference(begun -> 'steps', false);
    perform private.settle_tasks(steps);
    perform set_config('kanbase.undoing', '', true);
    perform private.finish_undo(undo_session.session_id, steps);
    answer := private.tell_steps(steps);
    answer := jsonb_set(answer, '{stays}', (answer -> 'stays') || private.undo_files(undo_session.session_id));
    if undo_session.dry_run then
      raise exception using errcode = 'KBDRY';
    end if;
  exception when sqlstate 'KBDRY' then
    null;
  end;
  if (begun ->> 'hidden')::integer > 0 then
    answer := jsonb_set(answer, '{stays}', (answer -> 'stays') || jsonb_build_object('table', null, 'id', null, 'task_id', null, 'title', null, 'change', null,
      'columns', '{}'::text[], 'code', 'hidden', 'count', begun -> 'hidden', 'reason', 'changes of rows that you don''t see'));
  end if;
  return jsonb_build_object('session_id', undo_session.session_id, 'dry_run', undo_session.dry_run) || answer;
end
$$;
grant execute on function public.undo_session(uuid, boolean) to authenticated;
comment on function public.undo_session(uuid, boolean) is 'Undoes what was done in a session of an agent or a program, as far as nobody has changed it since; ends it first. Answers {"undone": [...], "stays": [{"table", "id", "title", "columns", "code", "reason"}]}. For who is responsible for it, who manages the agent, the person whose program it was, and owners of the project. `dry_run` only answers.';
