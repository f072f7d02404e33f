-- The dashboard asks once whose projects it counts. Each of its twenty statements asked by its table's policy, and made and went through
-- the list of all the caller's projects: of a thousand, that took most of the time. Now one function finds the projects the caller may
-- see, and counts in those alone with the rights of the owner of the tables (decision 0823).

-- Of the caller's projects this one, or all of them; the service belongs to none and sees every one. As policies would show them.
create function private.visible_projects(only_this uuid) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  if only_this is null then
    ids := private.my_projects();
  else
    ids := array(select m.project_id from private.my_memberships m where m.project_id = only_this);
  end if;
  if ids = '{}' and auth.role() = 'service_role' then
    ids := array(select p.id from public.projects p where only_this is null or p.id = only_this);
  end if;
  return ids;
end
$$;
-- no execute grant: functions that run with the rights of the owner ask it
comment on function private.visible_projects(uuid) is 'The projects the caller sees, or of these only the named one.';

-- Who has a name there: members share the project with whoever sees it. Of a deleted one, which the service sees, those it had.
create function private.members_of(projects uuid[]) returns setof uuid
language sql stable
begin atomic
  select m.user_id from public.project_members m where m.project_id = any (projects)
  union all
  select k.user_id from private.kept_members k where k.project_id = any (projects);
end;
comment on function private.members_of(uuid[]) is 'The members of these projects, of deleted ones those they had.';

-- How long things took, in days: from the first column of kind in_progress to completion, and from creation.
create function private.times_of(projects uuid[]) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  cycle double precision[];
  lead double precision[];
begin
  select percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', t.completed_at - t.started_at)),
    percentile_cont(array[0.5, 0.9]) within group (order by date_part('epoch', t.completed_at - t.created_at))
  into cycle, lead
  from public.tasks t
  where t.project_id = any (projects) and t.archived_at is null and t.completed_at is not null;
  return jsonb_build_object(
    'cycle_time_days', jsonb_build_object('p50', cycle[1] / 86400, 'p90', cycle[2] / 86400),
    'lead_time_days', jsonb_build_object('p50', lead[1] / 86400, 'p90', lead[2] / 86400)
  );
end
$$;
comment on function private.times_of(uuid[]) is 'Half and nine tenths of what is done in these projects took no longer than this.';

-- As before (0954), in a project whose visibility has been looked at.
create or replace function private.figures_of_fields(of_project uuid) returns jsonb
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
      select coalesce(jsonb_agg(jsonb_build_object('user_id', c.value, 'display_name', case
          when (c.value #>> '{}')::uuid in (select m from private.members_of(array[of_project]) m)
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
revoke execute on function private.figures_of_fields(uuid) from authenticated, service_role;

-- As before (0954). All it reads is of the projects in "ids"; each of their members may read every row of it.
create function private.figures_of(of_project uuid) returns jsonb
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
      'user_id', s.user_id, 'display_name', case when s.user_id in (select m from private.members_of(ids) m)
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
  ) || private.times_of(ids) into metrics;
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
