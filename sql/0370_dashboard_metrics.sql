-- The figures of a project, or of all the caller's, under the caller's own policies. Archived tasks count nowhere.
-- Days and weeks are UTC, weeks begin on Monday; "this week" is today and the six days after.

create function public.dashboard_metrics(project_id uuid default null) returns jsonb
language plpgsql stable set search_path = '' set work_mem = '32MB' set jit = off as $$
declare
  today constant date := (now() at time zone 'utc')::date;
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

  with task as materialized (
    select t.id, t.column_id, t.priority, t.due_date, t.created_at, t.started_at, t.completed_at
    from public.tasks t
    where t.project_id = any (ids) and t.archived_at is null
  ),
  -- one pass over the tasks; everything that adds up is added up from these few rows
  tally as materialized (
    select t.column_id, t.priority, count(*) as total, count(t.completed_at) as completed,
      count(*) filter (where t.completed_at is null and t.due_date < today) as overdue,
      count(*) filter (where t.completed_at is null and t.due_date between today and today + 6) as due_this_week
    from task t
    group by t.column_id, t.priority
  ),
  totals as (
    select coalesce(sum(total), 0) as total, coalesce(sum(total - completed), 0) as open, coalesce(sum(completed), 0) as completed,
      coalesce(sum(overdue), 0) as overdue, coalesce(sum(due_this_week), 0) as due_this_week
    from tally
  ),
  assigned as materialized (
    select a.user_id, t.id as task_id, t.completed_at is null as is_open
    from public.task_assignees a
    join task t on t.id = a.task_id
    where a.project_id = any (ids)
  ),
  blocked as (
    select count(distinct d.successor_id) as tasks
    from public.task_dependencies d
    join task successor on successor.id = d.successor_id and successor.completed_at is null
    join task predecessor on predecessor.id = d.predecessor_id and predecessor.completed_at is null
    where d.project_id = any (ids)
  ),
  board as (
    select c.id, c.project_id, c.name, c.kind, c.position, c.wip_limit,
      coalesce((select sum(total) from tally where tally.column_id = c.id), 0) as count
    from public.workflow_columns c
    where c.project_id = any (ids)
  ),
  weeks as (
    select date_trunc('week', at at time zone 'utc')::date as week, count(*) filter (where what = 'c') as created,
      count(*) filter (where what = 'd') as completed
    from (
      select t.created_at as at, 'c' as what from task t where t.created_at >= first_week::timestamp at time zone 'utc'
      union all
      select t.completed_at, 'd' from task t where t.completed_at >= first_week::timestamp at time zone 'utc'
    ) as moments
    group by 1
  ),
  -- what each column held at the end of each day: what it holds now, less what came later
  flow as (
    select f.column_id, f.day, sum(f.delta) as delta
    from private.column_flow f
    where f.project_id = any (ids) and f.day > today - 30
    group by f.column_id, f.day
  ),
  held as (
    select days.day, columns.column_id,
      coalesce(board.count, 0) - coalesce((select sum(flow.delta) from flow where flow.column_id = columns.column_id and flow.day > days.day), 0) as tasks,
      coalesce(
        (select k.kind from private.column_kinds k
          where k.project_id = any (ids) and k.column_id = columns.column_id
            and k.since < (days.day + 1)::timestamp at time zone 'utc'
          order by k.since desc limit 1),
        (select k.kind from private.column_kinds k
          where k.project_id = any (ids) and k.column_id = columns.column_id
          order by k.since limit 1)
      ) as kind
    from (select today - back as day from generate_series(29, 0, -1) as back) as days
    cross join (select board.id as column_id from board union select flow.column_id from flow) as columns
    left join board on board.id = columns.column_id
  )
  select jsonb_build_object(
    'project_id', dashboard_metrics.project_id,
    'generated_at', now(),
    'tasks', (select jsonb_build_object(
      'total', total, 'open', open, 'completed', completed, 'overdue', overdue, 'due_this_week', due_this_week,
      'unassigned', open - (select count(distinct task_id) from assigned where is_open),
      'blocked', (select tasks from blocked)
    ) from totals),
    'by_kind', (select jsonb_object_agg(kinds.kind, coalesce((select sum(board.count) from board where board.kind = kinds.kind), 0))
      from unnest(enum_range(null::public.workflow_column_kind)) as kinds (kind)),
    'by_priority', (select jsonb_object_agg(p.priority, coalesce((select sum(total) from tally where tally.priority = p.priority), 0))
      from unnest(enum_range(null::public.task_priority)) as p (priority)),
    'by_column', (select coalesce(jsonb_agg(jsonb_build_object(
      'column_id', id, 'name', name, 'kind', kind, 'count', count, 'wip_limit', wip_limit
    ) order by board.project_id, position, id), '[]') from board),
    'by_assignee', (select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', s.user_id, 'display_name', p.display_name, 'open', s.open, 'completed', s.completed
    ) order by s.open desc, s.completed desc, s.user_id), '[]')
      from (
        select user_id, count(*) filter (where is_open) as open, count(*) filter (where not is_open) as completed
        from assigned group by user_id
      ) as s
      left join public.profiles p on p.id = s.user_id),
    'throughput', (select jsonb_agg(jsonb_build_object(
      'week', first_week + 7 * n, 'created', coalesce(w.created, 0), 'completed', coalesce(w.completed, 0)
    ) order by n) from generate_series(0, 11) as n left join weeks w on w.week = first_week + 7 * n),
    'cumulative_flow', (select jsonb_agg(jsonb_build_object(
      'day', day, 'backlog', backlog, 'todo', todo, 'in_progress', in_progress, 'done', done, 'custom', custom
    ) order by day) from (
      select days.day,
        coalesce(sum(tasks) filter (where kind = 'backlog'), 0) as backlog,
        coalesce(sum(tasks) filter (where kind = 'todo'), 0) as todo,
        coalesce(sum(tasks) filter (where kind = 'in_progress'), 0) as in_progress,
        coalesce(sum(tasks) filter (where kind = 'done'), 0) as done,
        coalesce(sum(tasks) filter (where kind = 'custom'), 0) as custom
      from (select today - back as day from generate_series(29, 0, -1) as back) as days
      left join held on held.day = days.day
      group by days.day
    ) as by_day),
    'cycle_time_days', (select jsonb_build_object('p50', spread[1], 'p90', spread[2]) from (
      select percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from t.completed_at - t.started_at)::float8 / 86400)
      from task t where t.completed_at is not null and t.started_at is not null
    ) as c (spread)),
    'lead_time_days', (select jsonb_build_object('p50', spread[1], 'p90', spread[2]) from (
      select percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from t.completed_at - t.created_at)::float8 / 86400)
      from task t where t.completed_at is not null
    ) as l (spread))
  ) into metrics;
  return metrics;
end
$$;
grant execute on function public.dashboard_metrics(uuid) to authenticated, service_role;

comment on function public.dashboard_metrics(uuid) is 'The figures of a project, or (left out) of all the caller''s projects that are not archived: counts, by kind, priority, column and assignee, 12 weeks of throughput, 30 days of cumulative flow, cycle and lead time in days. Archived tasks count nowhere.';
