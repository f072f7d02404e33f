-- The dashboard of many projects: what each column held on each of 30 days is summed up once along the days, and its kind on each is joined.
-- It was asked for each day and column anew, through all that had come and gone in all projects: with 200 projects longer than a statement may take.

create or replace function public.dashboard_metrics(project_id uuid default null) returns jsonb
language plpgsql stable set search_path = '' set work_mem = '32MB' set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  callers_day constant date := current_date;
  first_week constant date := date_trunc('week', (now() at time zone 'utc'))::date - 77;
  ids uuid[];
  metrics jsonb;
begin
  if dashboard_metrics.project_id is null then
    ids := array(select p.id from public.projects p where p.archived_at is null);
  else
    ids := array(select p.id from public.projects p where p.id = dashboard_metrics.project_id);
    if cardinality(ids) = 0 then
      perform private.raise_not_found('project');
    end if;
  end if;

  with figures as materialized (
    select f.figure, f.key, sum(f.amount) as amount
    from private.project_figures f
    where f.project_id = any (ids) and (f.figure not in ('created', 'completed') or f.key >= first_week::text)
    group by f.figure, f.key
  ),
  board as materialized (
    select c.id, c.project_id, c.name, c.kind, c.position, c.wip_limit, coalesce(tally.count, 0) as count
    from public.workflow_columns c
    left join (
      select split_part(key, '/', 1)::uuid as column_id, sum(amount) as count from figures where figure = 'tasks' group by 1
    ) as tally on tally.column_id = c.id
    where c.project_id = any (ids)
  ),
  share as (
    select key::uuid as user_id, coalesce(sum(amount) filter (where figure = 'open_of'), 0) as open,
      coalesce(sum(amount) filter (where figure = 'done_of'), 0) as completed
    from figures
    where figure in ('open_of', 'done_of')
    group by key
    having bool_or(amount <> 0)
  ),
  totals as (
    select coalesce(sum(count), 0) as total,
      coalesce(sum(count) filter (where kind <> 'done'), 0) as open,
      coalesce(sum(count) filter (where kind = 'done'), 0) as completed,
      (select count(*) from public.tasks t
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null and t.due_date < callers_day) as overdue,
      (select count(*) from public.tasks t
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null
          and t.due_date between callers_day and callers_day + 6) as due_this_week,
      coalesce((select sum(amount) from figures where figure = 'unassigned'), 0) as unassigned,
      (select count(*) from private.task_waits w
        where w.project_id = any (ids) and w.is_open and w.open_predecessors > 0) as blocked
    from board
  ),
  weeks as (
    select first_week + 7 * n as week,
      coalesce((select sum(amount) from figures where figure = 'created' and key = (first_week + 7 * n)::text), 0) as created,
      coalesce((select sum(amount) from figures where figure = 'completed' and key = (first_week + 7 * n)::text), 0) as completed
    from generate_series(0, 11) as n
  ),
  times as (
    select percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', t.completed_at - t.started_at)) as cycle,
      percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', t.completed_at - t.created_at)) as lead
    from public.tasks t
    where t.project_id = any (ids) and t.archived_at is null and t.completed_at is not null
  ),
  -- what each column held at the end of each day: what it holds now, less what came later
  flow as (
    select f.column_id, f.day, sum(f.delta) as delta
    from private.column_flow f
    where f.project_id = any (ids) and f.day > today - 30
    group by f.column_id, f.day
  ),
  days as (
    select today - back as day from generate_series(29, 0, -1) as back
  ),
  columns as (
    select board.id as column_id from board union select flow.column_id from flow
  ),
  -- each kind a column had, until it had the next one; the first holds for the time before it as well
  kinds as (
    select k.column_id, k.kind,
      case when row_number() over past = 1 then '-infinity' else k.since end as since,
      coalesce(lead(k.since) over past, 'infinity') as until
    from private.column_kinds k
    where k.project_id = any (ids)
    window past as (partition by k.column_id order by k.since)
  ),
  held as (
    select days.day, columns.column_id, kinds.kind,
      coalesce(board.count, 0) - coalesce(sum(flow.delta) over later, 0) as tasks
    from columns
    cross join days
    left join flow on flow.column_id = columns.column_id and flow.day = days.day
    left join board on board.id = columns.column_id
    left join kinds on kinds.column_id = columns.column_id
      and kinds.since < (days.day + 1)::timestamp at time zone 'utc' and kinds.until >= (days.day + 1)::timestamp at time zone 'utc'
    window later as (partition by columns.column_id order by days.day desc rows between unbounded preceding and 1 preceding)
  )
  select jsonb_build_object(
    'project_id', dashboard_metrics.project_id,
    'generated_at', now(),
    'tasks', (select jsonb_build_object(
      'total', total, 'open', open, 'completed', completed, 'overdue', overdue, 'due_this_week', due_this_week,
      'unassigned', unassigned, 'blocked', blocked
    ) from totals),
    'by_kind', (select jsonb_object_agg(kinds.kind, coalesce((select sum(board.count) from board where board.kind = kinds.kind), 0))
      from unnest(enum_range(null::public.workflow_column_kind)) as kinds (kind)),
    'by_priority', (select jsonb_object_agg(p.priority,
        coalesce((select sum(amount) from figures where figure = 'tasks' and split_part(key, '/', 2) = p.priority::text), 0))
      from unnest(enum_range(null::public.task_priority)) as p (priority)),
    'by_column', (select coalesce(jsonb_agg(jsonb_build_object(
      'column_id', id, 'name', name, 'kind', kind, 'count', count, 'wip_limit', wip_limit
    ) order by board.project_id, position, id), '[]') from board),
    'by_assignee', (select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', s.user_id, 'display_name', p.display_name, 'open', s.open, 'completed', s.completed
    ) order by s.open desc, s.completed desc, s.user_id), '[]')
      from share s
      left join public.profiles p on p.id = s.user_id),
    'throughput', (select jsonb_agg(jsonb_build_object('week', week, 'created', created, 'completed', completed) order by week) from weeks),
    'cumulative_flow', (select jsonb_agg(jsonb_build_object(
      'day', day, 'backlog', backlog, 'todo', todo, 'in_progress', in_progress, 'done', done, 'custom', custom
    ) order by day) from (
      select days.day,
        coalesce(sum(tasks) filter (where kind = 'backlog'), 0) as backlog,
        coalesce(sum(tasks) filter (where kind = 'todo'), 0) as todo,
        coalesce(sum(tasks) filter (where kind = 'in_progress'), 0) as in_progress,
        coalesce(sum(tasks) filter (where kind = 'done'), 0) as done,
        coalesce(sum(tasks) filter (where kind = 'custom'), 0) as custom
      from days
      left join held on held.day = days.day
      group by days.day
    ) as by_day),
    'cycle_time_days', (select jsonb_build_object('p50', cycle[1] / 86400, 'p90', cycle[2] / 86400) from times),
    'lead_time_days', (select jsonb_build_object('p50', lead[1] / 86400, 'p90', lead[2] / 86400) from times)
  ) into metrics;
  return metrics;
end
$$;
