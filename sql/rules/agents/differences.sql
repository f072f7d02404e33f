-- Differences: rows as they are and as they shall be, one step a row, {"table", "from", "to"}. Undoing a session (undo.sql) and accepting a proposal
-- (proposals.sql) apply them alike. A column is changed only where it still has the value that the step comes from; what stands against a step
-- leaves it as it is, and is answered. A step that needs another one is tried again after it. Rows of a project's board are written with the
-- rights of the owner of the tables, after the caller's own are checked, so that they come back with their numbers, dates and authors; all
-- other rows as the caller. Ordinary triggers run. Locks: tasks, outlines, columns, each in one order.

-- The table that a change within a session may be of; names come from the journal alone.
create or replace function private.journaled_table(called text) returns regclass
language plpgsql stable set search_path = '' as $$
declare
  found_table constant regclass := private.table_by_name(called);
begin
  if not exists (select from pg_catalog.pg_trigger t where t.tgrelid = found_table and t.tgfoid = 'private.note_session_change()'::regprocedure) then
    perform private.refuse('22023', format('there is no table %s whose changes are noted', quote_nullable(called)), 'Name a table of the schema public.');
  end if;
  return found_table;
end
$$;
grant execute on function private.journaled_table(text) to authenticated;

-- Written by writers of the project alone, all of them: here the caller's role is what its policies ask.
create or replace function private.tables_of_board() returns text[]
language sql immutable
return '{tasks,task_assignees,task_label_links,task_checklist_items,task_attachments,task_comments,comment_reactions,comment_resolutions,
  task_dependencies,task_recurrences,task_field_values,task_watchers,task_labels,custom_fields,workflow_columns}'::text[];
grant execute on function private.tables_of_board() to authenticated;

create or replace function private.is_of_board(called text, row_columns jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select called = any (private.tables_of_board())
    or row_columns ->> 'project_id' is not null and (called = 'templates' or called = 'saved_views' and row_columns -> 'is_shared' = 'true')
$$;
grant execute on function private.is_of_board(text, jsonb) to authenticated;

-- Columns that the database keeps by itself.
create or replace function private.kept_columns() returns text[]
language sql immutable
return '{created_at,updated_at,version,audience_id,project_id,object_path,number,started_at,completed_at,edited_at,program}'::text[];
grant execute on function private.kept_columns() to authenticated;

create or replace function private.differing_columns(one jsonb, other jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(e.key order by e.key), '{}') from jsonb_each(one) e where e.value is distinct from other -> e.key
$$;
grant execute on function private.differing_columns(jsonb, jsonb) to authenticated;

-- The project is no part of a name where the task says it: a task may move to another one.
create or replace function private.naming_columns(target regclass) returns text[]
language sql stable set search_path = '' as $$
  select case when 'task_id' = any (k.names) then array_remove(k.names, 'project_id') else k.names end
  from (
    select array_agg(a.attname::text order by a.attnum) as names from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indexrelid = data_door.key_index(target)
  ) k
$$;
grant execute on function private.naming_columns(regclass) to authenticated;

-- What changes come to, one {"table", "was", "becomes", "overwritten", "first", "last", "places"} a row: of a column that somebody else changed between
-- two of them, only what came after, and `overwritten` names it. Versions order the changes of one row: triggers change a row again before its first change is noted.
create or replace function private.net_changes(changes private.session_changes[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  kept constant text[] := private.kept_columns();
  net jsonb[] := '{}';
  was jsonb;
  becomes jsonb;
  overwritten text[];
  gap text[];
  one record;
begin
  for one in
    with keyed as materialized (
      select t.name, private.naming_columns(private.table_by_name(t.name)) as keys from (select distinct c.table_name as name from unnest(changes) c) t
    ), named as (
      select c.*, (select jsonb_object_agg(n, coalesce(c.becomes, c.was) -> n) from unnest(k.keys) n) as key,
        coalesce((coalesce(c.was, c.becomes) ->> 'version')::bigint, c.place) as at
      from unnest(changes) c join keyed k on k.name = c.table_name
    )
    select n.*, row_number() over ordered = 1 as is_first, lead(n.place) over ordered is null as is_last,
      min(n.place) over whole as first, max(n.place) over whole as last, array_agg(n.place) over whole as places
    from named n
    window whole as (partition by n.table_name, n.key), ordered as (partition by n.table_name, n.key order by n.at, n.was is not null, n.place)
    order by n.table_name, n.key, n.at, n.was is not null, n.place
  loop
    if one.is_first then
      was := one.was;
      overwritten := '{}';
    elsif one.was is not null and becomes is not null then
      gap := array(select c from unnest(private.differing_columns(becomes, one.was)) c where c <> all (kept));
      overwritten := overwritten || array(select c from unnest(gap) c where was is null or was -> c is distinct from becomes -> c);
      was := was || coalesce((select jsonb_object_agg(c, one.was -> c) from unnest(gap) c), '{}');
    end if;
    becomes := one.becomes;
    if one.is_last and (overwritten <> '{}' or was - '{updated_at,version}'::text[] is distinct from becomes - '{updated_at,version}'::text[]) then
      net := net || jsonb_build_object('table', one.table_name, 'was', was, 'becomes', becomes, 'overwritten', overwritten,
        'first', one.first, 'last', one.last, 'places', one.places);
    end if;
  end loop;
  return to_jsonb(net);
end
$$;

-- Tables ----------------------------------------------------------------------------------------------------------------------

-- Rows that would go with a row of the table, or lose it: one exists where this finds a name. What the database adds by itself is none.
create or replace function private.words_for_rows_under(target regclass) returns text
language sql stable set search_path = '' as $$
  select string_agg(format('select %L from p where exists (select from %s c where %s)', o.relname, k.conrelid::regclass, (
    select string_agg(format('c.%I = p.%I', f.attname, r.attname), ' and ')
    from unnest(k.conkey, k.confkey) u (mine, theirs)
    join pg_catalog.pg_attribute f on f.attrelid = k.conrelid and f.attnum = u.mine
    join pg_catalog.pg_attribute r on r.attrelid = k.confrelid and r.attnum = u.theirs
  )), ' union all ' order by o.relname)
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class o on o.oid = k.conrelid
  where k.contype = 'f' and k.confrelid = target and k.conparentid = 0
    and exists (select from pg_catalog.pg_trigger t where t.tgrelid = o.oid and t.tgfoid = 'private.note_session_change()'::regprocedure)
    and o.relname <> all ('{task_watchers,notifications,favorite_views}')
$$;
grant execute on function private.words_for_rows_under(regclass) to authenticated;

-- SQL about one row of a table, made of its catalog alone. `columns`: those that may be written; of all others clients write none.
create or replace function private.words_for_rows(called text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  target constant regclass := private.journaled_table(called);
begin
  return jsonb_build_object('table', target::text, 'row', format('jsonb_populate_record(null::%s, $1)', target), 'under', private.words_for_rows_under(target),
    'named', (
      select string_agg(format(case when a.attnotnull then 't.%1$I = p.%1$I' else '(t.%1$I = p.%1$I or t.%1$I is null and p.%1$I is null)' end, k), ' and ')
      from unnest(private.naming_columns(target)) k join pg_catalog.pg_attribute a on a.attrelid = target and a.attname = k
    ),
    'columns', (
      select jsonb_agg(a.attname) from pg_catalog.pg_attribute a
      where a.attrelid = target and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and has_column_privilege(target, a.attnum, 'insert, update')
    ));
end
$$;
grant execute on function private.words_for_rows(text) to authenticated;

-- Whether the caller sees a row like this; a view of somebody else's alone, or a choice of theirs, is not for others. Null: there is none.
create or replace function private.sees_changed_row(called text, row_columns jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  of_project constant uuid := (case called when 'projects' then row_columns ->> 'id' else row_columns ->> 'project_id' end)::uuid;
begin
  if row_columns is null or jsonb_typeof(row_columns) = 'null' then
    return null;
  elsif called in ('view_defaults', 'project_watchers', 'notification_settings') and row_columns ->> 'user_id' <> private.me()::text
    or called = 'saved_views' and row_columns -> 'is_shared' = 'false' and row_columns ->> 'owner_id' is distinct from private.me()::text then
    return false;
  elsif of_project is null then
    return coalesce(private.me()::text in (row_columns ->> 'user_id', row_columns ->> 'owner_id'), false);
  end if;
  return private.is_reader(of_project)
    and (row_columns ->> 'audience_id' is null or private.sees_audience(of_project, (row_columns ->> 'audience_id')::uuid));
end
$$;
grant execute on function private.sees_changed_row(text, jsonb) to authenticated;

create or replace function private.lock_difference(steps jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  ids constant uuid[] := array(
    select distinct coalesce(r ->> 'task_id', r ->> 'successor_id', case s ->> 'table' when 'tasks' then r ->> 'id' end)::uuid
    from jsonb_array_elements(steps) s, lateral (values (s -> 'from'), (s -> 'to')) v (r) where jsonb_typeof(r) = 'object');
begin
  perform from public.tasks t where t.id = any (ids) and private.is_writer(t.project_id) order by t.id for no key update;
  perform private.lock_outline(o.id, true) from (
    select distinct (r ->> 'project_id')::uuid as id from jsonb_array_elements(steps) s, lateral (values (s -> 'from'), (s -> 'to')) v (r)
    where s ->> 'table' = 'tasks' and r ->> 'parent_id' is not null and private.is_writer((r ->> 'project_id')::uuid) order by 1
  ) o;
  perform private.lock_column(c.project_id, c.column_id) from (
    select distinct (r ->> 'project_id')::uuid as project_id, (r ->> 'column_id')::uuid as column_id
    from jsonb_array_elements(steps) s, lateral (values (s -> 'from'), (s -> 'to')) v (r)
    where s ->> 'table' = 'tasks' and r ->> 'column_id' is not null and private.is_writer((r ->> 'project_id')::uuid) order by 1, 2
  ) c;
end
$$;
grant execute on function private.lock_difference(jsonb) to authenticated;

-- When all is done: places that were taken in between, and dates that a column gave.
create or replace function private.settle_tasks(steps jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  one record;
begin
  for one in
    select t.id, t.project_id, t.column_id, t.order_rank as rank, s -> 'to' as shall, jsonb_typeof(s -> 'from') = 'null' or s -> 'done' ? 'order_rank' as is_placed,
      s #> '{from,completed_at}' is distinct from s #> '{to,completed_at}' or s #> '{from,started_at}' is distinct from s #> '{to,started_at}' as is_dated
    from jsonb_array_elements(steps) s join public.tasks t on t.id = (s #>> '{to,id}')::uuid
    where s ->> 'table' = 'tasks' and jsonb_typeof(s -> 'to') = 'object' and t.column_id::text = s #>> '{to,column_id}'
      and private.is_writer(t.project_id) and private.sees_audience(t.project_id, t.audience_id)
  loop
    if one.is_placed and one.rank <> one.shall ->> 'order_rank' and not exists (
      select from public.tasks o where o.project_id = one.project_id and o.column_id = one.column_id and o.order_rank = one.shall ->> 'order_rank'
    ) then
      update public.tasks t set order_rank = one.shall ->> 'order_rank' where t.id = one.id;
    end if;
    if one.is_dated then
      update public.tasks t set completed_at = (one.shall ->> 'completed_at')::timestamptz, started_at = (one.shall ->> 'started_at')::timestamptz
      where t.id = one.id and (t.completed_at is null) = ((one.shall ->> 'completed_at') is null)
        and (t.completed_at, t.started_at) is distinct from ((one.shall ->> 'completed_at')::timestamptz, (one.shall ->> 'started_at')::timestamptz);
    end if;
  end loop;
end
$$;
grant execute on function private.settle_tasks(jsonb) to authenticated;

-- Whether a row that a proposal deletes is there before any of it is done: a trigger may take it along.
create or replace function private.is_there(step jsonb) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  words constant jsonb := private.words_for_rows(step ->> 'table');
  answer boolean;
begin
  execute format('select exists (select from %s t, %s p where %s)', words ->> 'table', words ->> 'row', words ->> 'named') into answer using step -> 'from';
  return answer;
end
$$;
grant execute on function private.is_there(jsonb) to authenticated;

-- The steps, in their order, each with its outcome beside it. Those of the board and the others wait for each other, where they do, in turns.
create or replace function private.apply_difference(steps jsonb, forward boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  expected constant text[] := array(
    select (s #>> '{to,task_id}') || '/' || coalesce(s #>> '{to,user_id}', s #>> '{to,field_id}') from jsonb_array_elements(steps) s
    where s ->> 'table' in ('task_watchers', 'task_field_values') and jsonb_typeof(s -> 'to') = 'object');
  all_steps constant jsonb[] := array(
    select case when forward and jsonb_typeof(s -> 'to') = 'null' then s || jsonb_build_object('was_there', private.is_there(s)) else s end
    from jsonb_array_elements(steps) with ordinality e (s, place) order by place);
  outcomes jsonb[] := array_fill('{}'::jsonb, array[greatest(cardinality(all_steps), 1)]);
  board constant integer[] := array(
    select i from generate_subscripts(all_steps, 1) i
    where private.is_of_board(all_steps[i] ->> 'table', all_steps[i] -> case jsonb_typeof(all_steps[i] -> 'from') when 'null' then 'to' else 'from' end) order by i);
  rest constant integer[] := array(select i from generate_subscripts(all_steps, 1) i where i <> all (board) order by i);
  turns integer := 0;
  chosen integer[];
  part jsonb[];
  progressed boolean := true;
begin
  perform private.lock_difference(steps);
  while progressed loop
    progressed := false;
    foreach turns in array '{0,1}'::integer[] loop
      chosen := array(
        select i from unnest(case turns when 0 then board else rest end) i where outcomes[i] = '{}' or outcomes[i] ? 'reason' order by i);
      continue when chosen = '{}';
      part := array(select all_steps[i] from unnest(chosen) with ordinality c (i, place) order by place);
      part := case turns when 0 then private.apply_steps_of_board(part, forward, expected) else private.apply_steps(part, forward, expected, false) end;
      for n in 1 .. cardinality(chosen) loop
        progressed := progressed or part[n] ? 'done';
        outcomes[chosen[n]] := part[n] || case when outcomes[chosen[n]] ? 'done'
          then jsonb_build_object('done', (outcomes[chosen[n]] -> 'done') || coalesce(part[n] -> 'done', '[]')) else '{}' end;
      end loop;
    end loop;
    progressed := progressed and rest <> '{}' and exists (select from unnest(outcomes) o where o ? 'reason');
  end loop;
  return coalesce((
    select jsonb_agg(all_steps[n] || jsonb_build_object('done', outcomes[n] -> 'done', 'stays', case when outcomes[n] ? 'reason' then outcomes[n] - 'done' end) order by n)
    from generate_subscripts(all_steps, 1) n
  ), '[]');
end
$$;
grant execute on function private.apply_difference(jsonb, boolean) to authenticated;

-- Words that name a row to a person who sees it.
create or replace function private.title_of_row(called text, row_columns jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(row_columns ->> 'title', row_columns ->> 'name', left(row_columns ->> 'body', 80),
    case called
      when 'task_assignees' then (
        select a.display_name from public.profiles a join private.people_of_project m on m.user_id = a.id
        where a.id = (row_columns ->> 'user_id')::uuid and m.project_id = (row_columns ->> 'project_id')::uuid and private.is_reader(m.project_id)
        limit 1)
      when 'task_label_links' then (
        select l.name from public.task_labels l where l.id = (row_columns ->> 'label_id')::uuid and private.is_reader(l.project_id))
    end,
    (select p.key || '-' || t.number || ' ' || t.title from public.tasks t join public.projects p on p.id = t.project_id
      where t.id = coalesce(row_columns ->> 'task_id', row_columns ->> 'predecessor_id')::uuid and private.is_reader(t.project_id) and private.sees_audience(t.project_id, t.audience_id)), '')
$$;
grant execute on function private.title_of_row(text, jsonb) to authenticated;

-- Steps with their outcomes, as people are told them. Watchers come and go with the rest.
create or replace function private.tell_steps(steps jsonb) returns jsonb
language sql stable set search_path = '' as $$
  with told as (
    select e.place, s -> 'done' as done, s -> 'stays' as stays, jsonb_build_object(
        'table', s ->> 'table', 'id', coalesce(r ->> 'id', r ->> 'task_id'), 'task_id', case s ->> 'table' when 'tasks' then r ->> 'id' else r ->> 'task_id' end,
        'title', private.title_of_row(s ->> 'table', r),
        'change', case when jsonb_typeof(s -> 'from') = 'null' then 'insert' when jsonb_typeof(s -> 'to') = 'null' then 'delete' else 'update' end) as words
    from jsonb_array_elements(steps) with ordinality e (s, place)
    cross join lateral (select case jsonb_typeof(s -> 'from') when 'null' then s -> 'to' else s -> 'from' end) v (r)
    where s ->> 'table' <> 'task_watchers'
  )
  select jsonb_build_object(
    'undone', coalesce((select jsonb_agg(t.words || jsonb_build_object('columns', t.done) order by t.place) from told t where jsonb_typeof(t.done) = 'array'), '[]'),
    'stays', coalesce((select jsonb_agg(t.words || t.stays order by t.place) from told t where jsonb_typeof(t.stays) = 'object'), '[]'))
$$;
grant execute on function private.tell_steps(jsonb) to authenticated;
