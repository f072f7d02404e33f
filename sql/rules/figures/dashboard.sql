-- Figures on screen: the dashboard of a project or of all the caller's, progress of each project, and task flow for filtered figures. Running
-- totals come from figures.sql, due dates and fields are counted on request. Archived tasks count nowhere. Recorded days and weeks are UTC, weeks
-- begin on Monday. Due dates are compared with the day it is for the caller (`Prefer: timezone`; else the database's zone); "this week" is that
-- day and the six after.

-- Names are shown of these people only. Kept members: the service sees deleted projects.
create or replace function private.members_of_projects(projects uuid[]) returns setof uuid
language sql stable
begin atomic
  select m.user_id from public.project_members m where m.project_id = any (projects) and m.user_id is not null
  union all
  select k.user_id from private.kept_members k where k.project_id = any (projects);
end;
comment on function private.members_of_projects(uuid[]) is 'The members of these projects, of deleted ones those they had.';

-- Of fields with options the number of tasks by option, of numbers their sum. Counted on request (docs/why/schema.md#figures-of-fields-are-counted-on-request), so that a project without
-- fields pays one look into an index, and writes pay nothing.
create or replace function private.figures_of_fields(of_project uuid) returns jsonb
language sql stable set search_path = '' as $$
  with held as materialized (
    select v.field_id, v.value, count(*) as tasks
    from public.task_field_values v
    where v.project_id = of_project
      and v.task_id not in (select t.id from public.tasks t where t.project_id = of_project and (t.archived_at is not null or t.audience_id is not null))
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
      select coalesce(jsonb_agg(jsonb_build_object('user_id', c.value, 'display_name', case
          when (c.value #>> '{}')::uuid in (select m from private.members_of_projects(array[of_project]) m)
          then (select p.display_name from public.profiles p where p.id = (c.value #>> '{}')::uuid) end, 'count', c.tasks)
        order by c.tasks desc, c.value), '[]')
      from chosen c
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

-- In days: from the first column of kind in_progress to completion, and from creation. Totals by span tell in which span a percentile lies; an
-- index in the order of durations gives the very tasks it lies between (docs/why/schema.md#percentiles-from-spans-and-an-index).
create or replace function private.cycle_and_lead_times(projects uuid[]) returns jsonb
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
          where s.figure = 'cycle' and t.project_id = project and t.completed_at is not null and t.archived_at is null and t.audience_id is null
            and private.seconds_between(t.started_at, t.completed_at) >= s.low and private.seconds_between(t.started_at, t.completed_at) < s.high
          order by private.seconds_between(t.started_at, t.completed_at)
          offset s.by_index limit s.passed_over - s.by_index + 2)
          union all
          (select private.seconds_between(t.created_at, t.completed_at)
          from public.tasks t
          where s.figure = 'lead' and t.project_id = project and t.completed_at is not null and t.archived_at is null and t.audience_id is null
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
comment on function private.cycle_and_lead_times(uuid[]) is 'Half and nine tenths of what is done in these projects took no longer than this.';

-- Finds the projects that the caller may see once, and counts in those alone with the rights of the owner of the tables (docs/why/schema.md#figures-searches-and-moves-ask-once); each of
-- their members may read every row of it.
create or replace function private.figures_of(of_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  callers_day constant date := current_date;
  first_week constant date := date_trunc('week', (now() at time zone 'utc'))::date - 77;
  ids uuid[] := private.visible_projects(of_project);
  metrics jsonb;
begin
  if of_project is null then
    ids := array(select p.id from public.projects p where p.id = any (ids) and p.archived_at is null);
  elsif cardinality(ids) = 0 then
    perform private.raise_not_found('project');
  end if;

  with figures as materialized (
    select f.figure, f.key, sum(f.amount) as amount
    from private.project_figures f
    where f.project_id = any (ids) and f.figure in ('tasks', 'created', 'completed', 'open_of', 'done_of', 'unassigned')
      and (f.figure not in ('created', 'completed') or f.key >= first_week::text)
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
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null and t.audience_id is null and t.due_date < callers_day) as overdue,
      (select count(*) from public.tasks t
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null and t.audience_id is null
          and t.due_date between callers_day and callers_day + 6) as due_this_week,
      coalesce((select sum(amount) from figures where figure = 'unassigned'), 0) as unassigned,
      (select count(*) from private.task_waits w
        where w.project_id = any (ids) and w.is_open and w.open_predecessors > 0 and w.audience_id is null) as blocked
    from board
  ),
  weeks as (
    select first_week + 7 * n as week,
      coalesce((select sum(amount) from figures where figure = 'created' and key = (first_week + 7 * n)::text), 0) as created,
      coalesce((select sum(amount) from figures where figure = 'completed' and key = (first_week + 7 * n)::text), 0) as completed
    from generate_series(0, 11) as n
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
    'project_id', of_project,
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
      'user_id', s.user_id, 'display_name', case when s.user_id in (select m from private.members_of_projects(ids) m)
        then (select p.display_name from public.profiles p where p.id = s.user_id) end, 'open', s.open, 'completed', s.completed
    ) order by s.open desc, s.completed desc, s.user_id), '[]') from share s),
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
    'by_field', case when exists (select from public.custom_fields f where f.project_id = of_project)
      then private.figures_of_fields(of_project) else '[]' end
  ) || private.cycle_and_lead_times(ids) into metrics;
  return metrics;
end
$$;
grant execute on function private.figures_of(uuid) to authenticated, service_role;
comment on function private.figures_of(uuid) is 'What dashboard_metrics answers: it decides by itself what the caller may see.';

create or replace function public.dashboard_metrics(project_id uuid default null) returns jsonb
language sql stable
begin atomic
  select private.figures_of(dashboard_metrics.project_id);
end;
grant execute on function public.dashboard_metrics(uuid) to service_role, authenticated;
comment on function public.dashboard_metrics(uuid) is 'The figures of a project, or (left out) of all the caller''s projects that are not archived: counts, by kind, priority, column and assignee, 12 weeks of throughput, 30 days of cumulative flow, cycle and lead time in days; of one project also what its tasks hold in fields (by_field). Archived tasks count nowhere.';

-- Progress and flow -------------------------------------------------------------------------------------------------------

-- Read with the caller's rights, for the page of all projects.
create or replace function public.project_progress()
returns table (project_id uuid, total bigint, completed bigint, overdue bigint)
language sql stable set search_path = '' as $$
  select p.id, coalesce(held.total, 0), coalesce(held.completed, 0),
    (select count(*) from public.tasks t
     where t.project_id = p.id and t.completed_at is null and t.archived_at is null and t.audience_id is null and t.due_date < current_date)
  from public.projects p
  left join lateral (
    select sum(f.amount) as total, sum(f.amount) filter (where c.kind = 'done') as completed
    from private.project_figures f
    join public.workflow_columns c on c.project_id = f.project_id and c.id = split_part(f.key, '/', 1)::uuid
    where f.project_id = p.id and f.figure = 'tasks'
  ) as held on true
  where p.archived_at is null and private.is_reader(p.id)
$$;
grant execute on function public.project_progress() to service_role, authenticated;
comment on function public.project_progress() is 'For each of the caller''s projects that is not archived: how many tasks it has, how many are done, and how many open ones are overdue where the caller is (`Prefer: timezone`). Archived tasks count nowhere.';

-- For boards that show some of a project's tasks. Whole numbers instead of ids, put together as text: some hundred kilobytes for 10,000 tasks.
create or replace function public.task_flow(project_id uuid) returns json
language plpgsql stable set search_path = '' set jit = off as $$
declare
  first_day constant date := (now() at time zone 'utc')::date - 29;
  answer json;
begin
  perform private.require_project(task_flow.project_id);

  with days as (
    select n, first_day + n as day from generate_series(0, 29) as n
  ),
  -- also those that are no more: tasks stood in them
  columns as (
    select c.column_id, row_number() over (order by c.column_id) - 1 as place
    from (select distinct k.column_id from private.column_kinds k where k.project_id = task_flow.project_id) as c
  ),
  kinds as (
    select c.place, c.column_id, json_agg(coalesce(
        (select k.kind from private.column_kinds k
          where k.project_id = task_flow.project_id and k.column_id = c.column_id
            and k.since < (d.day + 1)::timestamp at time zone 'utc'
          order by k.since desc limit 1),
        (select k.kind from private.column_kinds k
          where k.project_id = task_flow.project_id and k.column_id = c.column_id
          order by k.since limit 1)
      ) order by d.n) as kinds
    from columns c
    cross join days d
    group by c.place, c.column_id
  ),
  -- -1: the task was not here before
  steps as (
    select t.number, (a.created_at at time zone 'utc')::date - first_day as day, coalesce(c.place, -1) as came_from, a.created_at, a.id
    from public.task_activity a
    join public.tasks t on t.project_id = a.project_id and t.id = a.task_id and t.archived_at is null and t.audience_id is null
    left join columns c on a.kind = 'moved' and c.column_id = (a.change #>> '{column_id,from}')::uuid
    where a.project_id = task_flow.project_id and a.kind in ('created', 'moved', 'moved_in')
      and a.created_at >= first_day::timestamp at time zone 'utc'
  ),
  times as (
    select t.number, round((date_part('epoch', t.completed_at - t.started_at) / 86400)::numeric, 5) as days
    from public.tasks t
    where t.project_id = task_flow.project_id and t.archived_at is null and t.audience_id is null and t.completed_at is not null and t.started_at is not null
  )
  select format('{"days":%s,"columns":%s,"steps":{"numbers":[%s],"days":[%s],"from":[%s]},"cycles":{"numbers":[%s],"days":[%s]}}',
    (select json_agg(d.day order by d.n) from days d),
    (select coalesce(json_agg(json_build_object('id', k.column_id, 'kinds', k.kinds) order by k.place), '[]') from kinds k),
    s.numbers, s.days, s.came_from, c.numbers, c.days)::json into answer
  from (
    select string_agg(number::text, ',' order by created_at desc, id desc) as numbers, string_agg(day::text, ',' order by created_at desc, id desc) as days,
      string_agg(came_from::text, ',' order by created_at desc, id desc) as came_from
    from steps
  ) as s
  cross join (select string_agg(number::text, ',') as numbers, string_agg(days::text, ',') as days from times) as c;
  return answer;
end
$$;
grant execute on function public.task_flow(uuid) to service_role, authenticated;
comment on function public.task_flow(uuid) is 'How the tasks of a project, by their numbers, came to stand where they stand: of the last 30 days (UTC) the columns they left, the latest step first (-1: the task was made, or came from another project, that day), the kinds of columns on each of these days, and the days finished tasks took once begun. Archived tasks are not in it.';

create or replace function public.task_flows(project_ids uuid[]) returns json
language sql stable set search_path = ''
return (
  select coalesce(json_object_agg(p.id, public.task_flow(p.id)), '{}'::json)
  from public.projects p
  where p.id = any (task_flows.project_ids) and private.is_reader(p.id)
);
grant execute on function public.task_flows(uuid[]) to service_role, authenticated;
comment on function public.task_flows(uuid[]) is 'What task_flow says of each of these projects, by their ids; of those the caller does not see it says nothing.';
