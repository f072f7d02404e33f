-- Batches: several changes in one transaction, all or none (public.apply_changes). Everything runs as the caller, so that policies, grants and
-- triggers apply to each row as they do to a single change. apply_changes takes the locks, refuse_outdated compares versions, apply_rows runs one
-- change of the list, apply_change and move_task_batch do it, and task_key_of names the task in an error.

-- The key of the task that a row is or hangs on, such as WEB-12. Null where the caller sees none.
create or replace function private.task_key_of(table_name text, row_columns jsonb) returns text
language sql stable set search_path = '' as $$
  select p.key || '-' || t.number
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.id = case when table_name = 'tasks' then row_columns ->> 'id' else coalesce(row_columns ->> 'task_id', row_columns ->> 'successor_id') end::uuid
$$;
grant execute on function private.task_key_of(text, jsonb) to authenticated, service_role;

create or replace function private.table_by_name(table_name text) returns regclass
language sql stable set search_path = '' as $$
  select c.oid from pg_catalog.pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = table_name
$$;
grant execute on function private.table_by_name(text) to authenticated, service_role;

create or replace function data_door.key_index(relation regclass) returns oid
language sql stable set search_path = '' as $$
  select i.indexrelid from pg_catalog.pg_index i
  where i.indrelid = relation and (i.indisprimary or i.indnullsnotdistinct) and i.indpred is null and i.indexprs is null
  order by i.indisprimary desc, i.indexrelid limit 1
$$;
grant execute on function data_door.key_index(regclass) to public;
comment on function data_door.key_index(regclass) is 'What names the rows of a table: its primary key, else a unique index in which an empty column is a value.';

-- Refuses changes of rows that no longer have the version which a row of the change names: the one it was based on. Rows are held until the
-- end of the transaction; those that the caller may not change are left to the change itself to refuse.
create or replace function private.refuse_outdated(table_name text, rows jsonb) returns void
language plpgsql volatile set search_path = '' as $$
declare
  target constant regclass := private.table_by_name(table_name);
  keys constant text[] := array(
    select format('t.%I', a.attname) from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indexrelid = data_door.key_index(target) and rows -> 0 ? a.attname
    order by a.attnum
  );
  outdated jsonb;
begin
  -- What names no row is refused where the change is made.
  if keys = '{}' or not private.has_versions(target) then
    return;
  end if;
  execute format(
    'select r.named from (
       select to_jsonb(g) as named, t.version <> g.version as differs
       from jsonb_populate_recordset(null::%1$s, $1) g join %1$s t on (%2$s) = (%3$s) order by %2$s for no key update of t
     ) r where r.differs limit 1',
    target, array_to_string(keys, ', '), replace(array_to_string(keys, ', '), 't.', 'g.')
  ) into outdated using rows;
  if outdated is not null then
    perform private.refuse('KB017', concat_ws(': ', private.task_key_of(table_name, outdated), 'someone else has changed it since'),
      'Read the row again, and name the version that it has now.');
  end if;
end
$$;
grant execute on function private.refuse_outdated(text, jsonb) to authenticated, service_role;

-- Moves tasks, whose columns the caller has locked: to a rank, or without one to the end of the column in the order they are named.
-- A rank that is taken means "just after that one", and before the next of the same move.
create or replace function private.move_task_batch(moves jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  move record;
  ids uuid[] := '{}';
  columns uuid[] := '{}';
  ranks text[] := '{}';
  in_column uuid;
  -- The last rank given out in this column, and the last that stands in it.
  given text collate "C";
  standing text collate "C";
  rank text collate "C";
  answer jsonb;
begin
  for move in
    select t.id, t.project_id, t.order_rank as old_rank, to_column, to_column <> t.column_id as changes_column, m.order_rank as wanted,
      min(m.order_rank) over (partition by to_column order by m.order_rank groups between 1 following and unbounded following) as following
    from (
      select (e.value ->> 'id')::uuid as id, (e.value ->> 'column_id')::uuid as column_id,
        (e.value ->> 'order_rank') collate "C" as order_rank, e.place
      from jsonb_array_elements(moves) with ordinality as e (value, place)
    ) m
    join public.tasks t on t.id = m.id
    cross join coalesce(m.column_id, t.column_id) to_column
    order by to_column, m.order_rank nulls last, m.place
  loop
    if in_column is distinct from move.to_column then
      in_column := move.to_column;
      given := null;
      standing := (select max(t.order_rank) from public.tasks t where t.project_id = move.project_id and t.column_id = in_column);
    end if;
    if move.wanted is null then
      rank := private.rank_after(greatest(given, standing));
      -- An unchanged rank would read as "none was named".
      if move.changes_column and rank = move.old_rank then
        rank := private.rank_after(rank);
      end if;
    else
      rank := greatest(given, move.wanted);
      if rank = given or (move.changes_column and rank = move.old_rank) or exists (
        select from public.tasks t
        where t.project_id = move.project_id and t.column_id = in_column and t.order_rank = rank and t.id <> move.id
      ) then
        rank := private.rank_between(rank, least(move.following, (
          select min(t.order_rank) from public.tasks t
          where t.project_id = move.project_id and t.column_id = in_column and t.order_rank > rank and t.id <> move.id
        )));
      end if;
    end if;
    given := rank;
    ids := ids || move.id;
    columns := columns || in_column;
    ranks := ranks || rank::text;
  end loop;
  with moved as (
    update public.tasks t set column_id = p.column_id, order_rank = p.rank
    from unnest(ids, columns, ranks) as p (id, column_id, rank)
    where t.id = p.id
    returning t.*
  )
  select jsonb_agg(to_jsonb(m) - 'description') into answer from moved m;
  return coalesce(answer, '[]');
end
$$;
grant execute on function private.move_task_batch(jsonb) to authenticated, service_role;

-- One change of many rows of one table. Returns the rows as they are afterwards; of deleted ones, their keys and last versions. Deleting a project marks it.
create or replace function private.apply_change(verb text, table_name text, rows jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  target constant regclass := private.table_by_name(table_name);
  keys constant text[] := array(
    select a.attname from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indexrelid = data_door.key_index(target)
    order by a.attnum
  );
  named constant text[] := array(select jsonb_object_keys(rows -> 0) order by 1);
  -- A task says which project. A row names one of the columns that may be empty: a membership is a person's or a group's.
  one_of constant text[] := array(
    select a.attname from pg_catalog.pg_attribute a where a.attrelid = target and a.attname = any (keys) and not a.attnotnull
  );
  needed constant text[] := array(
    select k from unnest(case when 'task_id' = any (keys) then array_remove(keys, 'project_id') else keys end) k
    where k <> all (one_of) or k = any (named) or not one_of && named
  );
  given constant text := format('jsonb_populate_recordset(null::%s, $1)', target);
  same_row constant text := (select string_agg(format('t.%1$I = g.%1$I', k), ' and ') from unnest(needed) k);
  answer jsonb;
  missing jsonb;
begin
  if target is null then
    perform private.refuse('22023', format('there is no table %s', quote_nullable(table_name)), 'Name a table of the schema public.');
  elsif not needed <@ named and verb <> 'insert' then
    perform private.refuse('22023', format('rows of %s are named by %s', table_name, array_to_string(needed, ', ')),
      'Every row of an update or a deletion needs these columns.');
  elsif exists (select from jsonb_array_elements(rows) r where array(select jsonb_object_keys(r) order by 1) <> named) then
    perform private.refuse('22023', 'the rows of one change must name the same columns', 'Make it several changes.');
  end if;

  if verb = 'insert' then
    -- What is sent twice arrives once.
    execute format(
      'with done as (insert into %1$s as t (%2$s) select %2$s from %3$s on conflict (%4$s) do nothing returning t.*)
       select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%I', n), ', ') from unnest(named) n), given, (select string_agg(format('%I', k), ', ') from unnest(keys) k)
    ) into answer using rows;
    return coalesce(answer, '[]');
  elsif verb = 'update' and named <@ needed then
    return '[]';
  elsif verb = 'update' then
    execute format(
      'with done as (update %s t set %s from %s g where %s returning t.*) select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%1$I = g.%1$I', n), ', ') from unnest(named) n where n <> all (needed)), given, same_row
    ) into answer using rows;
    -- Long, and known to whoever did not change it.
    if table_name = 'tasks' and 'description' <> all (named) then
      answer := (select jsonb_agg(r - 'description') from jsonb_array_elements(answer) r);
    end if;
  elsif verb = 'delete' then
    execute format(
      'with done as (' || case when data_door.sets_deleted_at(target) then 'update %s t set deleted_at = now() from %s g' else 'delete from %s t using %s g' end
        || ' where %s returning %s) select jsonb_agg(to_jsonb(d)) from done d',
      target, given, same_row, (select string_agg(format('t.%I', k), ', ') from unnest(needed || case when private.has_versions(target) then array['version'] else '{}' end) k)
    ) into answer using rows;
  else
    perform private.refuse('22023', format('a change cannot %s', quote_nullable(verb)), 'It is an insert, update, delete or move.');
  end if;
  if jsonb_array_length(rows) = coalesce(jsonb_array_length(answer), 0) then
    return answer;
  end if;

  -- Policies pass over rows without a word. One that the caller sees was not theirs to write; one that is gone is what a deletion wanted.
  execute format(
    'select to_jsonb(g) from %s g where exists (select from %s t where %s)
       and not exists (select from jsonb_populate_recordset(null::%2$s, $2) t where %3$s) limit 1',
    given, target, same_row
  ) into missing using rows, coalesce(answer, '[]');
  if missing is not null then
    perform private.refuse('42501', 'this may not be changed by you', 'Ask an owner of the project.');
  elsif verb = 'update' then
    perform private.refuse('PT404', 'it is gone', 'Read again what is there.');
  end if;
  return coalesce(answer, '[]');
end
$$;
grant execute on function private.apply_change(text, text, jsonb) to authenticated, service_role;

create or replace function private.apply_rows(verb text, table_name text, rows jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  answer jsonb;
begin
  if verb = 'update' and rows -> 0 ? 'version' and private.has_versions(to_regclass(format('public.%I', table_name))) then
    return private.apply_change(verb, table_name, (select jsonb_agg(r - 'version') from jsonb_array_elements(rows) r));
  elsif verb is distinct from 'move' then
    return private.apply_change(verb, table_name, rows);
  elsif table_name is distinct from 'tasks' then
    perform private.refuse('22023', 'only tasks are moved', 'Name the table tasks, or make the change an update.');
  end if;
  answer := private.move_task_batch(rows);
  if jsonb_array_length(answer) < jsonb_array_length(rows) then
    perform private.raise_not_found('task');
  end if;
  return answer;
end
$$;
grant execute on function private.apply_rows(text, text, jsonb) to authenticated, service_role;

-- Holds the locks in the order in which every change of tasks takes them, and only on rows of projects that the caller writes in. When a change
-- fails, its rows run one by one, to find the row and the task to name.
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
    perform private.refuse('22023', 'changes must be a list of {change, table, rows}',
      'For example [{"change": "update", "table": "tasks", "rows": [{"id": "…", "priority": "p0"}]}].');
  elsif (select sum(jsonb_array_length(c -> 'rows')) from jsonb_array_elements(changes) c) > most then
    perform private.refuse('22023', format('these are more than %s rows', most), 'Send them in several batches.');
  end if;

  -- All tasks first, then the outlines that change, then all columns, each in one order, as every change of a task takes its locks: two
  -- batches never wait for each other. Only of projects the caller writes in: what is refused below holds up nobody until then.
  perform from public.tasks t
  where t.id = any (array(
    select (r ->> 'id')::uuid from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    where c ->> 'table' = 'tasks' and c ->> 'change' <> 'insert'
  )) and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
  order by t.id for no key update;
  perform private.lock_outline(o.project_id, true) from (
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

  -- Before anything is changed: two changes of one row in a batch do not refuse each other.
  for change in select c from jsonb_array_elements(changes) c where c -> 'rows' -> 0 ? 'version' and c ->> 'change' in ('update', 'move') loop
    perform private.refuse_outdated(change ->> 'table', change -> 'rows');
  end loop;

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
grant execute on function public.apply_changes(jsonb) to service_role, authenticated;
comment on function public.apply_changes(jsonb) is 'Several changes in one transaction: all or none. changes: a list of {change, table, rows}; change is insert (rows that exist already are passed over), update (rows name their primary key and the columns to change), delete (rows name their primary key) or move (of tasks: id, column_id, and order_rank or the end of the column, in this order). A row of an update or a move may name the version it was based on: when the row has another one by now, the batch is refused (KB017). Up to 1,000 rows. A refusal is that of the first row that cannot be changed, its message begins with the task''s key, and nothing is changed. Returns the list with the rows as they are now.';
