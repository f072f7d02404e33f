-- What the dashboard would otherwise count anew each time: running totals, and how many tasks entered and left each column on
-- each day. Kept by triggers in the transaction of the change, from the rows as they were and as they became.
--
-- Totals are spread over shards, so that a busy board's moves do not wait for each other; readers add the shards up. Statements
-- write their totals last and in one order, so that two of them cannot lock each other out. Days and weeks are UTC.
-- `private.recount_figures` makes them anew from the tasks.

-- figure      key                     counts
-- tasks       column id/priority      tasks in the column
-- created     Monday of the week      tasks made in it
-- completed   Monday of the week      tasks completed in it
-- open_of     user id                 open tasks the person works on
-- done_of     user id                 completed tasks the person worked on
-- unassigned  (empty)                 open tasks nobody works on
create table private.project_figures (
  project_id uuid not null references public.projects (id) on delete cascade,
  figure text not null,
  key text not null,
  shard smallint not null,
  amount integer not null,
  primary key (project_id, figure, key, shard)
) with (fillfactor = 70);

-- What a column holds at the end of a day is what it holds now, less what came after. Per column, with the columns' kinds on the
-- side, so that a column changing its kind needs no recount.
create table private.column_flow (
  project_id uuid not null references public.projects (id) on delete cascade,
  day date not null,
  column_id uuid not null, -- no foreign key: history outlives the column
  shard smallint not null,
  delta integer not null,
  primary key (project_id, day, column_id, shard)
) with (fillfactor = 70);

create table private.column_kinds (
  project_id uuid not null references public.projects (id) on delete cascade,
  column_id uuid not null, -- no foreign key: history outlives the column
  since timestamptz not null default clock_timestamp(),
  kind public.workflow_column_kind not null,
  primary key (project_id, column_id, since)
);

-- Tasks with predecessors: how many of those are open. Added to and subtracted from, never compared and set, so that two
-- predecessors finished at the same moment are both counted.
create table private.task_waits (
  task_id uuid primary key,
  project_id uuid not null references public.projects (id) on delete cascade,
  is_open boolean not null,
  open_predecessors integer not null,
  constraint task_waits_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade
);
create index task_waits_project_id_idx on private.task_waits (project_id, task_id);
create index task_waits_blocked_idx on private.task_waits (project_id) where is_open and open_predecessors > 0;

alter table private.project_figures enable row level security;
alter table private.task_waits enable row level security;
alter table private.column_flow enable row level security;
alter table private.column_kinds enable row level security;
create policy read on private.project_figures for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy read on private.task_waits for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy read on private.column_flow for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy read on private.column_kinds for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on private.project_figures for select to service_role using (true);
create policy service on private.task_waits for select to service_role using (true);
create policy service on private.column_flow for select to service_role using (true);
create policy service on private.column_kinds for select to service_role using (true);
grant select on private.project_figures, private.task_waits, private.column_flow, private.column_kinds to authenticated, service_role;
-- no write grants: figures are the triggers'

create function private.week_of(moment timestamptz) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return date_trunc('week', moment at time zone 'utc')::date::text;
end
$$;

create type private.figure_change as (project_id uuid, figure text, key text, delta integer);

create function private.add_figures(changes private.figure_change[]) returns void
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

create type private.flow_change as (project_id uuid, column_id uuid, delta integer);

create function private.add_flow(changes private.flow_change[]) returns void
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

create function private.count_new_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_figures(array(
    select row(t.project_id, f.figure, f.key, 1)::private.figure_change
    from arrived t
    cross join lateral (values
      ('tasks', t.column_id || '/' || t.priority),
      ('created', private.week_of(t.created_at)),
      (case when t.completed_at is not null then 'completed' end, private.week_of(t.completed_at)),
      (case when t.completed_at is null then 'unassigned' end, '')
    ) as f (figure, key)
    where t.archived_at is null and f.figure is not null
  ));
  perform private.add_flow(array(
    select row(t.project_id, t.column_id, 1)::private.flow_change from arrived t where t.archived_at is null
  ));
  return null;
end
$$;
create trigger tasks_count_new after insert on public.tasks
  referencing new table as arrived for each statement execute function private.count_new_tasks();

create function private.count_changed_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from was join becomes on becomes.id = was.id
    where was.column_id <> becomes.column_id or was.priority <> becomes.priority
      or was.completed_at is distinct from becomes.completed_at
      or (was.archived_at is null) <> (becomes.archived_at is null)
      or was.created_at <> becomes.created_at
  ) then
    return null;
  end if;
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
      from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id
      union all
      select 'unassigned', '' where t.completed_at is null
        and not exists (select from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
    ) as f (figure, key)
    where t.archived_at is null
  ));
  perform private.add_flow(array(
    select row(t.project_id, t.column_id, t.delta)::private.flow_change
    from (
      select project_id, column_id, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, 1 from becomes where archived_at is null
    ) as t
  ));
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
  return null;
end
$$;
create trigger tasks_count_changed after update on public.tasks
  referencing old table as was new table as becomes for each statement execute function private.count_changed_tasks();

-- Before the row goes: its assignees and dependencies are still there to be discounted.
create function private.count_deleted_task() returns trigger
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
      select case when old.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
      from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id
      union all
      select 'unassigned', '' where old.completed_at is null
        and not exists (select from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id)
    ) as f (figure, key)
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
-- last of the "before" triggers: the caller's right to delete has been looked at
create trigger tasks_z_count_deleted before delete on public.tasks for each row
  when (old.archived_at is null) execute function private.count_deleted_task();

-- An assignment and a change of its task meet at the task's row: whoever comes second counts what the first has left.
create function private.count_assignees() returns trigger
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
    where t.archived_at is null
  ));
  return null;
end
$$;
create trigger task_assignees_count_new after insert on public.task_assignees
  referencing new table as changed for each statement execute function private.count_assignees();
create trigger task_assignees_count_gone after delete on public.task_assignees
  referencing old table as changed for each statement execute function private.count_assignees();

-- Likewise for dependencies, which meet changes of both their tasks. A task that is gone has been discounted already.
create function private.count_dependencies() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.tasks t
  where t.id in (select c.predecessor_id from changed c union select c.successor_id from changed c)
  order by t.id for no key update;
  if tg_op = 'INSERT' then
    insert into private.task_waits as w (task_id, project_id, is_open, open_predecessors)
    select s.id, s.project_id, s.completed_at is null and s.archived_at is null,
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
create trigger task_dependencies_count_new after insert on public.task_dependencies
  referencing new table as changed for each statement execute function private.count_dependencies();
create trigger task_dependencies_count_gone after delete on public.task_dependencies
  referencing old table as changed for each statement execute function private.count_dependencies();

create function private.record_column_kind() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.column_kinds as k (project_id, column_id, kind) values (new.project_id, new.id, new.kind);
  return null;
end
$$;
create trigger workflow_columns_record_kind after insert on public.workflow_columns
  for each row execute function private.record_column_kind();
create trigger workflow_columns_record_kind_change after update on public.workflow_columns for each row
  when (old.kind <> new.kind) execute function private.record_column_kind();

-- Totals made anew; for imports that went past the triggers, and for tests. Call it while nobody writes in these projects.
create function private.recount_figures(projects uuid[]) returns void
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
  select t.project_id, 'unassigned', '', 0, count(*)
  from public.tasks t
  where t.project_id = any (projects) and t.archived_at is null and t.completed_at is null
    and not exists (select from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
  group by t.project_id
$$;

comment on table private.project_figures is 'Running totals behind dashboard_metrics; readers add the shards up.';
comment on table private.task_waits is 'Tasks with predecessors, and how many of those are open.';
comment on table private.column_flow is 'Tasks entered less tasks left, per column and day.';
comment on table private.column_kinds is 'Which kind a column had since when.';
comment on function private.recount_figures(uuid[]) is 'Makes the running totals of projects anew from their tasks.';
