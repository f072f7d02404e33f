-- Locks are taken by those who may write: a viewer, or somebody who left and kept ids, holds nobody up with what will be refused.

-- Who places a task at this moment holds the lock of before, and is waited for: beside the new one it would keep nobody out.
lock table public.tasks in share row exclusive mode;

-- A column is locked as one of the project of the task that goes there. One of somebody else's project, which the keys refuse at the end of
-- the statement, is another lock until then.
create function private.lock_column(in_project uuid, column_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(in_project::text || column_id::text, 3081));
end
$$;
grant execute on function private.lock_column(uuid, uuid) to authenticated, service_role;
comment on function private.lock_column(uuid, uuid) is 'Places in this column of this project are given by the caller alone until the transaction ends.';

-- All who lock a column, each in the one line that does.
do $$
declare
  one record;
  was text;
begin
  for one in
    select * from (values
      ('private.place_moved_task()', 'new.column_id', 'new.project_id'),
      ('private.place_new_task()', 'new.column_id', 'new.project_id'),
      ('private.spread_ranks()', 'new.column_id', 'new.project_id'),
      ('private.lock_changed_column()', 'new.id', 'new.project_id'),
      ('private.places_in(uuid, uuid[], uuid, boolean)', 'c.id', 'to_project'),
      ('public.duplicate_task(uuid, uuid)', 'c.column_id', 'original.project_id'),
      ('private.move_task(uuid, uuid, uuid, uuid, text)', 'to_column', 'task.project_id')
    ) as f (signature, of_column, of_project)
  loop
    was := pg_get_functiondef(one.signature::regprocedure);
    if strpos(was, format('private.lock_column(%s)', one.of_column)) = 0 then
      raise exception '% locks no column', one.signature;
    end if;
    execute replace(was, format('private.lock_column(%s)', one.of_column), format('private.lock_column(%s, %s)', one.of_project, one.of_column));
  end loop;
end
$$;

-- As it was (0802_outlines_in_batches.sql), but for whose rows it locks.
create or replace function public.apply_changes(changes jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  most constant integer := 1000;
  is_service constant boolean := current_user = 'service_role';
  change jsonb;
  verb text;
  target text;
  one jsonb;
  answer jsonb := '[]';
  problem text;
  one_row jsonb;
  state text;
  about text;
  advice text;
begin
  if jsonb_typeof(changes) is distinct from 'array' or exists (
    select from jsonb_array_elements(changes) c
    where case when jsonb_typeof(c -> 'rows') = 'array' then jsonb_array_length(c -> 'rows') = 0 else true end
  ) then
    raise exception using errcode = '22023', message = 'changes must be a list of {change, table, rows}',
      hint = 'For example [{"change": "update", "table": "tasks", "rows": [{"id": "…", "priority": "p0"}]}].';
  elsif (select sum(jsonb_array_length(c -> 'rows')) from jsonb_array_elements(changes) c) > most then
    raise exception using errcode = '22023', message = format('these are more than %s rows', most), hint = 'Send them in several batches.';
  end if;

  -- All tasks first, then the outlines that change, then all columns, each in one order, as every change of a task takes its locks: two
  -- batches never wait for each other. Only of projects the caller writes in: what is refused below holds up nobody until then.
  perform from public.tasks t
  where t.id = any (array(
    select (r ->> 'id')::uuid from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    where c ->> 'table' = 'tasks' and c ->> 'change' <> 'insert'
  )) and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
  order by t.id for no key update;
  perform private.hold_outline(o.project_id, true) from (
    select distinct t.project_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'update' and r ? 'parent_id'
      and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
    order by 1
  ) o;
  perform private.lock_column(l.project_id, l.column_id) from (
    select distinct t.project_id, coalesce((r ->> 'column_id')::uuid, t.column_id) as column_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'move'
      and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
    order by 2
  ) l;

  for change in select c from jsonb_array_elements(changes) with ordinality as l (c, place) order by l.place loop
    verb := change ->> 'change';
    target := change ->> 'table';
    begin
      one := private.apply_rows(verb, target, change -> 'rows');
    exception when others then
      -- Which of them it was: again, one after the other. In their own order they may even pass, as when a task and the one it waits
      -- for are done together.
      if sqlstate like '40%' or sqlstate = '22023' then
        raise;
      end if;
      one := '[]';
      for one_row in select r from jsonb_array_elements(change -> 'rows') with ordinality as l (r, place) order by l.place loop
        begin
          one := one || private.apply_rows(verb, target, jsonb_build_array(one_row));
        exception when others then
          get stacked diagnostics state = returned_sqlstate, problem = message_text, about = pg_exception_detail, advice = pg_exception_hint;
          raise exception using errcode = state, detail = about, hint = advice,
            message = concat_ws(': ', private.task_key_of(target, one_row), problem);
        end;
      end loop;
    end;
    answer := answer || jsonb_build_object('table', target, 'change', verb, 'rows', one);
  end loop;
  return answer;
end
$$;

drop function private.lock_column(uuid);

-- carry_tasks lets one move between projects happen at a time in the whole house, and asks who may again once it is its turn.
create or replace function public.move_tasks_to_project(
  task_ids uuid[],
  project_id uuid,
  column_id uuid default null,
  brings_back boolean default false
) returns setof public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  most constant integer := 1000;
begin
  if cardinality(task_ids) > most then
    raise exception using errcode = '22023', message = format('these are more than %s tasks', most), hint = 'Move them in several goes.';
  end if;
  if not exists (select from public.projects p where p.id = move_tasks_to_project.project_id) then
    perform private.raise_not_found('project');
  end if;
  if move_tasks_to_project.column_id is not null and not exists (
    select from public.workflow_columns c
    where c.project_id = move_tasks_to_project.project_id and c.id = move_tasks_to_project.column_id
  ) then
    perform private.raise_not_found('column');
  end if;
  if (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  elsif auth.role() is distinct from 'service_role' and (not private.is_writer(move_tasks_to_project.project_id) or exists (
    select from public.tasks t where t.id = any (task_ids) and not private.is_writer(t.project_id)
  )) then
    raise exception using
      errcode = '42501',
      message = 'permission denied to move tasks between these projects: your role in one of them does not allow it',
      hint = 'Ask an owner of both projects for the editor role.';
  end if;
  return query
    select t.* from private.carry_tasks(task_ids, move_tasks_to_project.project_id, move_tasks_to_project.column_id, coalesce(brings_back, false)) t;
end
$$;
