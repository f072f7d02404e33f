-- apply_changes holds the outline of a project before the columns when tasks get another parent: the order in which every change of tasks
-- takes its locks. All else in it is as it was (0420_apply_changes.sql).

create or replace function public.apply_changes(changes jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  most constant integer := 1000;
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
  -- batches never wait for each other.
  perform from public.tasks t
  where t.id = any (array(
    select (r ->> 'id')::uuid from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    where c ->> 'table' = 'tasks' and c ->> 'change' <> 'insert'
  ))
  order by t.id for no key update;
  perform private.hold_outline(o.project_id, true) from (
    select distinct t.project_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'update' and r ? 'parent_id'
    order by 1
  ) o;
  perform private.lock_column(m.column_id) from (
    select distinct coalesce((r ->> 'column_id')::uuid, t.column_id) as column_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    left join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'move'
    order by 1
  ) m where m.column_id is not null;

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
