-- How long things took is found without reading all that is done. Running totals tell how many tasks took how long, in spans of six to twelve
-- percent; of the span that holds a percentile an index, in the order of durations, gives the very tasks it lies between. It stays exact: what
-- is counted by span is looked up by the same bounds (decision 0824).

-- Nothing where a moment is infinite, as a service key may set it.
create function private.seconds_between(since timestamptz, until timestamptz) returns double precision
language sql immutable parallel safe
return case when isfinite(since) and isfinite(until) then date_part('epoch', until - since) end;
-- whoever writes a task keeps its indexes
grant execute on function private.seconds_between(timestamptz, timestamptz) to public;
comment on function private.seconds_between(timestamptz, timestamptz) is 'Seconds from one moment to another; an expression that Postgres writes into the statement.';

-- Eight spans from each power of two to the next, up to 64 years. Whole numbers: the same on every machine.
create function private.span_bounds() returns double precision[]
language sql immutable parallel safe
begin atomic
  select array_agg((8 + eighth) * 2::double precision ^ octave order by octave, eighth)
  from generate_series(0, 27) as octave cross join generate_series(0, 7) as eighth;
end;
comment on function private.span_bounds() is 'Where each span of durations begins, in seconds; span 0 is all before the first.';

create function private.span_of(since timestamptz, until timestamptz) returns text
language sql immutable parallel safe
return width_bucket(private.seconds_between(since, until), private.span_bounds())::text;
comment on function private.span_of(timestamptz, timestamptz) is 'The span of durations between two moments, as a key of project_figures; null where one is missing.';

-- Until this is done nobody writes tasks, so the totals below miss none.
create index tasks_cycle_idx on public.tasks (project_id, private.seconds_between(started_at, completed_at)) include (started_at, completed_at)
  where completed_at is not null and archived_at is null;
create index tasks_lead_idx on public.tasks (project_id, private.seconds_between(created_at, completed_at)) include (created_at, completed_at)
  where completed_at is not null and archived_at is null;

-- figure      key                     counts, beside those of 0360
-- cycle       span                    completed tasks that took so long from their start
-- lead        span                    completed tasks that took so long from when they were made
insert into private.project_figures (project_id, figure, key, shard, amount)
select t.project_id, d.figure, d.span, 0, count(*)
from public.tasks t
cross join lateral (values
  ('cycle', private.span_of(t.started_at, t.completed_at)), ('lead', private.span_of(t.created_at, t.completed_at))
) as d (figure, span)
where t.archived_at is null and d.span is not null
group by t.project_id, d.figure, d.span;

-- As before (0966), exactly what percentile_cont says of all of them. A percentile lies between two tasks that follow one another.
create or replace function private.times_of(projects uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    with spans as (
      select f.figure, f.key::integer as span, sum(f.amount) as tasks
      from private.project_figures f
      where f.project_id = any (projects) and f.figure in ('cycle', 'lead')
      group by f.figure, f.key
      having sum(f.amount) > 0
    ),
    counted as (
      select s.figure, s.span, sum(s.tasks) over (partition by s.figure order by s.span) as up_to, sum(s.tasks) over (partition by s.figure) as done
      from spans s
    ),
    sought as (
      select c.figure, p.share, p.place - floor(p.place) as beyond,
        (floor(p.place) - coalesce(max(c.up_to) filter (where c.up_to <= floor(p.place)), 0))::bigint as passed_over,
        coalesce((private.span_bounds())[min(c.span) filter (where c.up_to > floor(p.place))], '-infinity') as low,
        coalesce((private.span_bounds())[1 + min(c.span) filter (where c.up_to > ceil(p.place))], 'infinity') as high
      from counted c
      cross join unnest(array[0.5, 0.9]::double precision[]) as share
      cross join lateral (select share, share * (c.done - 1)::double precision as place) as p
      group by c.figure, p.share, p.place
    ),
    -- of one project its index passes over them; those of several have to be put in order first
    passed as (
      select s.*, case cardinality(projects) when 1 then s.passed_over else 0 end as by_index from sought s
    ),
    found as (
      select s.figure, s.share, (near.took[1] + s.beyond * (coalesce(near.took[2], near.took[1]) - near.took[1])) / 86400 as days
      from passed s
      cross join lateral (select array(
        select each.took
        from unnest(projects) as project
        cross join lateral (
          (select private.seconds_between(t.started_at, t.completed_at) as took
          from public.tasks t
          where s.figure = 'cycle' and t.project_id = project and t.completed_at is not null and t.archived_at is null
            and private.seconds_between(t.started_at, t.completed_at) >= s.low and private.seconds_between(t.started_at, t.completed_at) < s.high
          order by private.seconds_between(t.started_at, t.completed_at)
          offset s.by_index limit s.passed_over - s.by_index + 2)
          union all
          (select private.seconds_between(t.created_at, t.completed_at)
          from public.tasks t
          where s.figure = 'lead' and t.project_id = project and t.completed_at is not null and t.archived_at is null
            and private.seconds_between(t.created_at, t.completed_at) >= s.low and private.seconds_between(t.created_at, t.completed_at) < s.high
          order by private.seconds_between(t.created_at, t.completed_at)
          offset s.by_index limit s.passed_over - s.by_index + 2)
        ) as each
        order by each.took
        offset s.passed_over - s.by_index limit 2
      ) as took offset 0) as near -- looked up once
    )
    select jsonb_build_object(
      'cycle_time_days', jsonb_build_object('p50', max(days) filter (where figure = 'cycle' and share = 0.5),
        'p90', max(days) filter (where figure = 'cycle' and share > 0.5)),
      'lead_time_days', jsonb_build_object('p50', max(days) filter (where figure = 'lead' and share = 0.5),
        'p90', max(days) filter (where figure = 'lead' and share > 0.5))
    )
    from found
  );
end
$$;

-- The triggers of before (0940, 0360), with these two figures beside "completed".
create or replace function private.follow_new_tasks() returns trigger
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
      coalesce(date_trunc('week', t.completed_at at time zone 'utc')::date::text, '')),
    ('cycle', private.span_of(t.started_at, t.completed_at)),
    ('lead', private.span_of(t.created_at, t.completed_at))
  ) as c (figure, key)
  where t.archived_at is null and c.key is not null
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

create or replace function private.follow_changed_tasks() returns trigger
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
      or was.created_at <> b.created_at or was.project_id <> b.project_id
      or b.completed_at is not null and was.started_at is distinct from b.started_at),
    bool_or((was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null))
  into moved, sorted, counted, opened
  from was join becomes b on b.id = was.id;

  if counted then
    -- Whoever works on a task that changes its project follows it before this runs, so they are found by the task alone.
    perform private.add_figures(array(
      select row(t.project_id, f.figure, f.key, t.delta)::private.figure_change
      from (
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, -1 as delta from was
        union all
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, 1 from becomes
      ) as t
      cross join lateral (
        select 'tasks', t.column_id || '/' || t.priority
        union all
        select 'created', private.week_of(t.created_at)
        union all
        select d.figure, d.key
        from (values
          ('completed', private.week_of(t.completed_at)),
          ('cycle', private.span_of(t.started_at, t.completed_at)),
          ('lead', private.span_of(t.created_at, t.completed_at))
        ) as d (figure, key)
        where d.key is not null
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

create or replace function private.count_deleted_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_figures(array(
    select row(old.project_id, f.figure, f.key, -1)::private.figure_change
    from (
      select 'tasks', old.column_id || '/' || old.priority
      union all
      select 'created', private.week_of(old.created_at)
      union all
      select 'completed', private.week_of(old.completed_at) where old.completed_at is not null
      union all
      select 'cycle', private.span_of(old.started_at, old.completed_at)
      union all
      select 'lead', private.span_of(old.created_at, old.completed_at)
      union all
      select case when old.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
      from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id
      union all
      select 'unassigned', '' where old.completed_at is null
        and not exists (select from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id)
    ) as f (figure, key)
    where f.key is not null
  ));
  perform private.add_flow(array[row(old.project_id, old.column_id, -1)::private.flow_change]);
  if old.completed_at is null then
    update private.task_waits w set open_predecessors = w.open_predecessors - 1
    from public.task_dependencies d
    where d.project_id = old.project_id and d.predecessor_id = old.id and w.task_id = d.successor_id;
  end if;
  return old;
end
$$;

create or replace function private.recount_figures(projects uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.project_figures f where f.project_id = any (projects);
  delete from private.task_waits w where w.project_id = any (projects);
  insert into private.task_waits (task_id, project_id, is_open, open_predecessors)
  select s.id, s.project_id, s.completed_at is null and s.archived_at is null,
    count(*) filter (where p.completed_at is null and p.archived_at is null)
  from public.task_dependencies d
  join public.tasks s on s.project_id = d.project_id and s.id = d.successor_id
  join public.tasks p on p.project_id = d.project_id and p.id = d.predecessor_id
  where d.project_id = any (projects)
  group by s.id;
  insert into private.project_figures (project_id, figure, key, shard, amount)
  select t.project_id, 'tasks', t.column_id || '/' || t.priority, 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null group by t.project_id, t.column_id, t.priority
  union all
  select t.project_id, 'created', private.week_of(t.created_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null group by 1, 3
  union all
  select t.project_id, 'completed', private.week_of(t.completed_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null and t.completed_at is not null group by 1, 3
  union all
  select t.project_id, case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text, 0, count(*)
  from public.tasks t join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
  where t.project_id = any (projects) and t.archived_at is null group by 1, 2, 3
  union all
  select t.project_id, d.figure, d.span, 0, count(*)
  from public.tasks t
  cross join lateral (values
    ('cycle', private.span_of(t.started_at, t.completed_at)), ('lead', private.span_of(t.created_at, t.completed_at))
  ) as d (figure, span)
  where t.project_id = any (projects) and t.archived_at is null and d.span is not null group by 1, 2, 3
  union all
  select t.project_id, 'unassigned', '', 0, count(*)
  from public.tasks t
  where t.project_id = any (projects) and t.archived_at is null and t.completed_at is null
    and not exists (select from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
  group by t.project_id
$$;
