-- What tasks hold in the fields of their project, among the figures of the dashboard. Counted when it is asked for (decision 0821), so that a
-- project without fields pays one look into an index, and writes pay nothing.

-- Fields that can be counted: of those with something to choose how many tasks hold each, of numbers what they come to.
create function private.figures_of_fields(of_project uuid) returns jsonb
language sql stable set search_path = '' as $$
  with held as materialized (
    select v.field_id, v.value, count(*) as tasks
    from public.task_field_values v
    where v.project_id = of_project
      and v.task_id not in (select t.id from public.tasks t where t.project_id = of_project and t.archived_at is not null)
      and v.field_id in (select f.id from public.custom_fields f where f.project_id = of_project and f.kind not in ('text', 'url', 'date'))
    group by v.field_id, v.value
  ),
  -- each option of a list by itself
  chosen as materialized (
    select h.field_id, one.value, sum(h.tasks) as tasks
    from held h
    cross join lateral jsonb_array_elements(case jsonb_typeof(h.value) when 'array' then h.value else jsonb_build_array(h.value) end) as one (value)
    where jsonb_typeof(h.value) <> 'number'
    group by h.field_id, one.value
  ),
  sums as (
    select h.field_id, sum(h.tasks) as filled, sum(case when jsonb_typeof(h.value) = 'number' then h.value::numeric * h.tasks end) as total
    from held h
    group by h.field_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('field_id', f.id, 'name', f.name, 'kind', f.kind) || case f.kind
    when 'number' then jsonb_build_object('unit', f.unit, 'filled', coalesce(s.filled, 0), 'sum', coalesce(s.total, 0),
      'average', trim_scale(round(s.total / s.filled, 6)))
    when 'checkbox' then jsonb_build_object('ticked', coalesce((select c.tasks from chosen c where c.field_id = f.id and c.value = 'true'), 0))
    when 'person' then jsonb_build_object('people', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', c.value, 'display_name', p.display_name, 'count', c.tasks)
        order by c.tasks desc, c.value), '[]')
      from chosen c
      left join public.profiles p on p.id = (c.value #>> '{}')::uuid
      where c.field_id = f.id
    ))
    else jsonb_build_object('options', (
      select coalesce(jsonb_agg(jsonb_build_object('option_id', o.one -> 'id', 'name', o.one -> 'name', 'count', coalesce(c.tasks, 0))
        order by o.place), '[]')
      from jsonb_array_elements(f.options) with ordinality as o (one, place)
      left join chosen c on c.field_id = f.id and c.value = o.one -> 'id'
    ))
  end order by f.position, f.id), '[]')
  from public.custom_fields f
  left join sums s on s.field_id = f.id
  where f.project_id = of_project and f.kind not in ('text', 'url', 'date')
$$;
grant execute on function private.figures_of_fields(uuid) to authenticated, service_role;

-- As before (0941), with the fields of one project; those of several do not add up.
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
    'lead_time_days', (select jsonb_build_object('p50', lead[1] / 86400, 'p90', lead[2] / 86400) from times),
    'by_field', case when exists (select from public.custom_fields f where f.project_id = dashboard_metrics.project_id)
      then private.figures_of_fields(dashboard_metrics.project_id) else '[]' end
  ) into metrics;
  return metrics;
end
$$;

comment on function public.dashboard_metrics(uuid) is 'The figures of a project, or (left out) of all the caller''s projects that are not archived: counts, by kind, priority, column and assignee, 12 weeks of throughput, 30 days of cumulative flow, cycle and lead time in days; of one project also what its tasks hold in fields (by_field). Archived tasks count nowhere.';
