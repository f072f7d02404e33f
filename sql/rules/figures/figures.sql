-- Running totals behind the dashboard, and tasks that entered and left each column on each day. Triggers keep them in the transaction of the
-- change, from the rows before and after it (those of public.tasks: tasks/tasks.sql); `private.recount_figures` makes them anew.
-- Totals are spread over shards, so that moves on a busy board do not wait for each other; readers add the shards up. Statements write their
-- totals last and in one order, so that no two lock each other out. Days and weeks are UTC.

select private.narrowed_rows(t, 'none', false)
from unnest('{private.project_figures, private.column_flow, private.column_kinds, private.task_waits}'::regclass[]) t;

create policy read on private.project_figures for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on private.project_figures for select to service_role using (true);
grant select on private.project_figures to authenticated, service_role;
comment on table private.project_figures is 'Running totals behind dashboard_metrics; readers add the shards up.';

create policy read on private.column_flow for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on private.column_flow for select to service_role using (true);
grant select on private.column_flow to authenticated, service_role;
comment on table private.column_flow is 'Tasks entered less tasks left, per column and day.';

create policy read on private.column_kinds for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on private.column_kinds for select to service_role using (true);
grant select on private.column_kinds to authenticated, service_role;
comment on table private.column_kinds is 'Which kind a column had since when.';

create policy read on private.task_waits for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy audience on private.task_waits as restrictive for select to authenticated
  using (audience_id is null or task_id <> all ((select private.hidden_tasks())::uuid[]));
create policy service on private.task_waits for select to service_role using (true);
grant select on private.task_waits to authenticated, service_role;
comment on table private.task_waits is 'Tasks with predecessors, and how many of those are open.';

create or replace function private.week_of(moment timestamptz) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return date_trunc('week', moment at time zone 'utc')::date::text;
end
$$;

-- Eight spans from each power of two to the next, up to 64 years. Whole numbers: the same on every machine.
create or replace function private.span_bounds() returns double precision[]
language sql immutable parallel safe
begin atomic
  select array_agg((8 + eighth) * 2::double precision ^ octave order by octave, eighth)
  from generate_series(0, 27) as octave cross join generate_series(0, 7) as eighth;
end;
comment on function private.span_bounds() is 'Where each span of durations begins, in seconds; span 0 is all before the first.';

create or replace function private.span_of(since timestamptz, until timestamptz) returns text
language sql immutable parallel safe
return width_bucket(private.seconds_between(since, until), private.span_bounds())::text;
comment on function private.span_of(timestamptz, timestamptz) is 'The span of durations between two moments, as a key of project_figures; null where one is missing.';

create or replace function private.add_figures(changes private.figure_change[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.project_figures as f (project_id, figure, key, shard, amount)
  select c.project_id, c.figure, c.key, pg_backend_pid() % 8, sum(c.delta)
  from unnest(changes) as c
  join public.projects p on p.id = c.project_id -- not when the project itself is going
  group by c.project_id, c.figure, c.key
  having sum(c.delta) <> 0
  order by c.project_id, c.figure, c.key
  on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
end
$$;

create or replace function private.add_flow(changes private.flow_change[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select c.project_id, (now() at time zone 'utc')::date, c.column_id, pg_backend_pid() % 8, sum(c.delta)
  from unnest(changes) as c
  join public.projects p on p.id = c.project_id
  group by c.project_id, c.column_id
  having sum(c.delta) <> 0
  order by c.project_id, c.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
end
$$;

-- Runs before the row goes: its assignees and dependencies are still there to be discounted.
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
    where f.key is not null and old.audience_id is null
  ));
  if old.audience_id is null then
    perform private.add_flow(array[row(old.project_id, old.column_id, -1)::private.flow_change]);
  end if;
  if old.completed_at is null then
    update private.task_waits w set open_predecessors = w.open_predecessors - 1
    from public.task_dependencies d
    where d.project_id = old.project_id and d.predecessor_id = old.id and w.task_id = d.successor_id;
  end if;
  return old;
end
$$;

-- An assignment and a change of its task meet at the lock of the task's row: the second one counts the result of the first.
create or replace function private.count_assignees() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.tasks t
  where t.id in (select a.task_id from changed a) order by t.id for no key update;
  perform private.add_figures(array(
    select row(t.project_id, f.figure, f.key, f.delta)::private.figure_change
    from public.tasks t
    join (select a.task_id, count(*) as here from changed a group by a.task_id) as touched on touched.task_id = t.id
    cross join lateral (
      select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text,
        case tg_op when 'INSERT' then 1 else -1 end
      from changed a where a.task_id = t.id
      union all
      -- the first to come, or the last to go
      select 'unassigned', '', case tg_op when 'INSERT' then -1 else 1 end
      where t.completed_at is null and (select count(*) from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
        = case tg_op when 'INSERT' then touched.here else 0 end
    ) as f (figure, key, delta)
    where t.archived_at is null and t.audience_id is null
  ));
  return null;
end
$$;

-- Likewise for dependencies, which meet changes of both their tasks. A task that is gone has been discounted already.
create or replace function private.count_dependencies() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.tasks t
  where t.id in (select c.predecessor_id from changed c union select c.successor_id from changed c)
  order by t.id for no key update;
  if tg_op = 'INSERT' then
    insert into private.task_waits as w (task_id, project_id, audience_id, is_open, open_predecessors)
    select s.id, s.project_id, s.audience_id, s.completed_at is null and s.archived_at is null,
      count(*) filter (where p.completed_at is null and p.archived_at is null)
    from changed c
    join public.tasks s on s.id = c.successor_id
    join public.tasks p on p.id = c.predecessor_id
    group by s.id
    order by s.id
    on conflict (task_id) do update set open_predecessors = w.open_predecessors + excluded.open_predecessors;
  else
    update private.task_waits w set open_predecessors = w.open_predecessors - gone.open
    from (
      select c.successor_id, count(*) as open
      from changed c
      join public.tasks p on p.id = c.predecessor_id and p.completed_at is null and p.archived_at is null
      group by c.successor_id
    ) as gone
    where w.task_id = gone.successor_id;
  end if;
  return null;
end
$$;

-- For imports that went past the triggers, and for tests. Call it while nobody writes in these projects.
create or replace function private.recount_figures(projects uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.project_figures f where f.project_id = any (projects);
  delete from private.task_waits w where w.project_id = any (projects);
  insert into private.task_waits (task_id, project_id, audience_id, is_open, open_predecessors)
  select s.id, s.project_id, s.audience_id, s.completed_at is null and s.archived_at is null,
    count(*) filter (where p.completed_at is null and p.archived_at is null)
  from public.task_dependencies d
  join public.tasks s on s.project_id = d.project_id and s.id = d.successor_id
  join public.tasks p on p.project_id = d.project_id and p.id = d.predecessor_id
  where d.project_id = any (projects)
  group by s.id;
  insert into private.project_figures (project_id, figure, key, shard, amount)
  select t.project_id, 'tasks', t.column_id || '/' || t.priority, 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null group by t.project_id, t.column_id, t.priority
  union all
  select t.project_id, 'created', private.week_of(t.created_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null group by 1, 3
  union all
  select t.project_id, 'completed', private.week_of(t.completed_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null and t.completed_at is not null group by 1, 3
  union all
  select t.project_id, case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text, 0, count(*)
  from public.tasks t join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
  where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null group by 1, 2, 3
  union all
  select t.project_id, d.figure, d.span, 0, count(*)
  from public.tasks t
  cross join lateral (values
    ('cycle', private.span_of(t.started_at, t.completed_at)), ('lead', private.span_of(t.created_at, t.completed_at))
  ) as d (figure, span)
  where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null and d.span is not null group by 1, 2, 3
  union all
  select t.project_id, 'unassigned', '', 0, count(*)
  from public.tasks t
  where t.project_id = any (projects) and t.archived_at is null and t.audience_id is null and t.completed_at is null
    and not exists (select from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
  group by t.project_id
$$;
comment on function private.recount_figures(uuid[]) is 'Makes the running totals of projects anew from their tasks.';
