-- What a write of tasks sets off, with less work for the same result: what follows all new tasks of a statement, or all changed ones, is
-- one trigger that writes for all rows at once and asks only for what the change can have touched.

-- New tasks ------------------------------------------------------------------------------------------------------------

-- As private.spell_word spells each word; most stand in a text once.
create or replace function private.search_document(in_project uuid, number integer, title text, description text, comments text) returns tsvector
language plpgsql stable set search_path = '' as $$
declare
  project constant text := '''' || right(in_project::text, 8) || ':';
begin
  return (
    select coalesce(string_agg(
      project || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':' || case cardinality(w.positions)
        when 1 then w.positions[1] || w.weights[1]
        else (
          select string_agg(p.position || p.weight, ',')
          from unnest(w.positions[1:8], w.weights[1:8]) as p (position, weight)
        )
      end,
      ' '
    ), '')::tsvector
    from unnest(
      setweight(to_tsvector('pg_catalog.simple', number::text || ' ' || title), 'A')
      || setweight(to_tsvector('pg_catalog.simple', left(description, 40000)), 'B')
      || setweight(to_tsvector('pg_catalog.simple', left(coalesce(comments, ''), 40000)), 'C')
    ) as w
    where octet_length(w.lexeme) <= 200
  );
end
$$;

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
  select t.number, t.column_id, t.order_rank into twin from public.tasks t where t.id = new.id;
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

  perform private.lock_column(new.column_id);
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

-- A line of its story, its words for the search, figures, its creator as a watcher, what fields of the project begin with.
create function private.follow_new_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from arrived) then
    return null;
  end if;
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, (select p.id from public.profiles p where p.id = auth.uid()), 'created',
    jsonb_build_object('title', t.title, 'number', t.number, 'column_id', t.column_id)
  from arrived t;
  insert into private.task_search (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, null) from arrived t;
  insert into private.project_figures as f (project_id, figure, key, shard, amount)
  select t.project_id, c.figure, c.key, pg_backend_pid() % 8, count(*)
  from arrived t
  cross join lateral (values
    ('tasks', t.column_id || '/' || t.priority),
    ('created', date_trunc('week', t.created_at at time zone 'utc')::date::text),
    (case when t.completed_at is not null then 'completed' else 'unassigned' end,
      coalesce(date_trunc('week', t.completed_at at time zone 'utc')::date::text, ''))
  ) as c (figure, key)
  where t.archived_at is null
  group by t.project_id, c.figure, c.key
  order by t.project_id, c.figure, c.key
  on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, count(*)
  from arrived t
  where t.archived_at is null
  group by t.project_id, t.column_id
  order by t.project_id, t.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  insert into public.task_watchers (project_id, task_id, user_id, reason)
  select t.project_id, t.id, t.created_by, 'creator'
  from arrived t
  join public.project_members m on m.project_id = t.project_id and m.user_id = t.created_by
  on conflict (project_id, task_id, user_id) do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select t.project_id, t.id, f.id, f.default_value
  from arrived t
  join public.custom_fields f on f.project_id = t.project_id
  where f.default_value is not null
  on conflict do nothing;
  return null;
end
$$;

drop trigger tasks_70_record on public.tasks;
drop trigger tasks_80_index on public.tasks;
drop trigger tasks_90_count_new on public.tasks;
drop trigger tasks_92_watch_new on public.tasks;
drop trigger tasks_93_field_defaults on public.tasks;
drop function private.count_new_tasks();
drop function private.watch_new_tasks();
drop function private.fill_field_defaults();

create trigger tasks_70_record_gone after delete on public.tasks for each row execute function private.record_task();
create trigger tasks_90_follow_new after insert on public.tasks
  referencing new table as arrived for each statement execute function private.follow_new_tasks();

create or replace function private.index_changed_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_task(new.id);
  return null;
end
$$;

-- Asked only where it can say no.
drop trigger task_watchers_keep_reason on public.task_watchers;
create trigger task_watchers_keep_reason before insert on public.task_watchers for each row
  when (new.reason <> 'asked' and row_security_active('public.task_watchers') and current_user <> 'service_role')
  execute function private.keep_watcher();

-- It goes with its task, which goes with its project.
alter table private.task_search drop constraint task_search_project_id_fkey;

-- Changed tasks --------------------------------------------------------------------------------------------------------

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
  perform private.lock_column(new.column_id);

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

create or replace function private.record_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    -- the task is gone: the line stands in the project's story, and says which task it was
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'deleted',
      jsonb_build_object('id', old.id, 'title', old.title, 'number', old.number)
    from public.projects p
    where p.id = old.project_id;
    return null;
  end if;

  if old.column_id <> new.column_id and current_setting('kanbase.carrying', true) is distinct from 'on' then
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select new.project_id, new.id, (select p.id from public.profiles p where p.id = auth.uid()), 'moved',
      jsonb_build_object('column_id', jsonb_build_object(
        'from', old.column_id, 'to', new.column_id,
        'from_name', (select c.name from public.workflow_columns c where c.id = old.column_id),
        'to_name', (select c.name from public.workflow_columns c where c.id = new.column_id)
      ));
  end if;
  if (old.archived_at is null) <> (new.archived_at is null) then
    perform private.record_activity(new.project_id, new.id,
      case when new.archived_at is null then 'restored' else 'archived' end,
      jsonb_build_object('archived_at', jsonb_build_object('from', old.archived_at, 'to', new.archived_at)));
  end if;
  if old.title <> new.title then
    change := change || jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title));
  end if;
  if old.description <> new.description then
    change := change || jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description));
  end if;
  if old.priority <> new.priority then
    change := change || jsonb_build_object('priority', jsonb_build_object('from', old.priority, 'to', new.priority));
  end if;
  if old.start_date is distinct from new.start_date then
    change := change || jsonb_build_object('start_date', jsonb_build_object('from', old.start_date, 'to', new.start_date));
  end if;
  if old.due_date is distinct from new.due_date then
    change := change || jsonb_build_object('due_date', jsonb_build_object('from', old.due_date, 'to', new.due_date));
  end if;
  if old.estimate is distinct from new.estimate then
    change := change || jsonb_build_object('estimate', jsonb_build_object('from', old.estimate, 'to', new.estimate));
  end if;
  if change <> '{}' then
    perform private.record_activity(new.project_id, new.id, 'updated', change);
  end if;
  return null;
end
$$;

-- Figures, what waits for what, and who hears of it.
create function private.follow_changed_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most_at_once constant integer := 10;
  me constant uuid := auth.uid();
  moved boolean;
  sorted boolean;
  counted boolean;
  opened boolean;
begin
  select bool_or(was.column_id <> b.column_id),
    bool_or(was.column_id <> b.column_id or was.priority <> b.priority),
    bool_or(was.completed_at is distinct from b.completed_at or (was.archived_at is null) <> (b.archived_at is null)
      or was.created_at <> b.created_at or was.project_id <> b.project_id),
    bool_or((was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null))
  into moved, sorted, counted, opened
  from was join becomes b on b.id = was.id;

  if counted then
    -- Whoever works on a task that changes its project follows it before this runs, so they are found by the task alone.
    perform private.add_figures(array(
      select row(t.project_id, f.figure, f.key, t.delta)::private.figure_change
      from (
        select project_id, id, column_id, priority, created_at, completed_at, archived_at, -1 as delta from was
        union all
        select project_id, id, column_id, priority, created_at, completed_at, archived_at, 1 from becomes
      ) as t
      cross join lateral (
        select 'tasks', t.column_id || '/' || t.priority
        union all
        select 'created', private.week_of(t.created_at)
        union all
        select 'completed', private.week_of(t.completed_at) where t.completed_at is not null
        union all
        select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
        from public.task_assignees a where a.task_id = t.id
        union all
        select 'unassigned', '' where t.completed_at is null
          and not exists (select from public.task_assignees a where a.task_id = t.id)
      ) as f (figure, key)
      where t.archived_at is null
    ));
  elsif sorted then
    insert into private.project_figures as f (project_id, figure, key, shard, amount)
    select t.project_id, 'tasks', t.column_id || '/' || t.priority, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, priority, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, priority, 1 from becomes where archived_at is null
    ) as t
    group by t.project_id, t.column_id, t.priority
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  end if;
  if moved or counted then
    insert into private.column_flow as f (project_id, day, column_id, shard, delta)
    select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, 1 from becomes where archived_at is null
    ) as t
    group by t.project_id, t.column_id
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  end if;
  if opened then
    perform from private.task_waits w
    where w.task_id in (
      select b.id from becomes b
      union
      select d.successor_id from becomes b join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
    )
    order by w.task_id for update;
    if found then
      update private.task_waits w set is_open = b.completed_at is null and b.archived_at is null
      from becomes b
      where w.task_id = b.id and w.is_open <> (b.completed_at is null and b.archived_at is null);
      update private.task_waits w set open_predecessors = w.open_predecessors + change.delta
      from (
        select d.successor_id, sum(case when b.completed_at is null and b.archived_at is null then 1 else -1 end) as delta
        from was
        join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where (was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null)
        group by d.successor_id
      ) as change
      where w.task_id = change.successor_id and change.delta <> 0;
    end if;
  end if;

  if moved and (
    exists (
      select from becomes b
      join public.task_watchers w on w.project_id = b.project_id and w.task_id = b.id
      where w.is_watching and w.user_id is distinct from me
    ) or exists (
      select from becomes b
      join public.project_watchers w on w.project_id = b.project_id
      where w.user_id is distinct from me
    )
  ) then
    perform private.notify(array(
      with moves as (
        select b.project_id, b.id, was.column_id as from_id, b.column_id as to_id
        from was join becomes b on b.id = was.id where was.column_id <> b.column_id
      ), heard as (
        select m.*, w as user_id from moves m cross join lateral private.watchers_of(m.project_id, m.id) w where w is distinct from me
      ), counted as (
        select h.*, count(*) over (partition by h.user_id, h.project_id) as at_once from heard h
      )
      select row(c.user_id, 'state_changed', c.project_id, c.id, jsonb_build_object(
        'from_id', c.from_id, 'to_id', c.to_id, 'from', was_in.name, 'to', is_in.name
      ))::private.news
      from counted c
      join public.workflow_columns was_in on was_in.id = c.from_id
      join public.workflow_columns is_in on is_in.id = c.to_id
      where c.at_once <= most_at_once
      union all
      select row(c.user_id, 'state_changed', c.project_id, null, jsonb_build_object('count', count(*), 'to', (
        select string_agg(distinct i.name, ', ') from public.workflow_columns i where i.id = any (array_agg(c.to_id))
      )))::private.news
      from counted c
      where c.at_once > most_at_once
      group by c.user_id, c.project_id
    ));
  end if;
  if opened then
    perform private.notify(array(
      select row(w, 'unblocked', s.project_id, s.task_id, '{}')::private.news
      from (
        select distinct d.project_id, d.successor_id as task_id
        from was join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where was.completed_at is null and was.archived_at is null and (b.completed_at is not null or b.archived_at is not null)
      ) s
      join private.task_waits t on t.task_id = s.task_id and t.is_open and t.open_predecessors = 0
      cross join lateral private.watchers_of(s.project_id, s.task_id) w
      where w is distinct from me
    ));
  end if;
  return null;
end
$$;

drop trigger tasks_90_count_changed on public.tasks;
drop trigger tasks_95_notify_changed on public.tasks;
drop function private.count_changed_tasks();
drop function private.notify_changed_tasks();
create trigger tasks_90_follow_changed after update on public.tasks
  referencing old table as was new table as becomes for each statement execute function private.follow_changed_tasks();

-- Moving --------------------------------------------------------------------------------------------------------------

create or replace function public.move_task(
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
  perform private.lock_column(to_column);

  if move_task.order_rank is not null then
    rank := move_task.order_rank;
  elsif before_id is not null or after_id is not null then
    select t.order_rank into high from public.tasks t
    where t.project_id = task.project_id and t.column_id = to_column and t.id = before_id and t.id <> task.id;
    if found then
      select max(t.order_rank) into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank < high and t.id <> task.id;
    else
      select t.order_rank into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.id = after_id and t.id <> task.id;
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
