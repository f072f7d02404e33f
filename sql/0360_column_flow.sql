-- How many tasks entered and left each column on each day: the recorded history behind the cumulative flow.
--
-- Deltas, not totals: what stood in a column at the end of a day is what stands in it now, less what came after. Kept per column,
-- with the columns' kinds on the side, so that a column changing its kind needs no recount. Days are UTC.
-- One row per column, day and shard is counted up; shards keep a busy board's moves from waiting for each other.

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

alter table private.column_flow enable row level security;
alter table private.column_kinds enable row level security;
create policy read on private.column_flow for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy read on private.column_kinds for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on private.column_flow for select to service_role using (true);
create policy service on private.column_kinds for select to service_role using (true);
grant select on private.column_flow, private.column_kinds to authenticated, service_role;
-- no write grants: history is the triggers'

-- Statement by statement, after all rows, in one order: two statements that touch the same columns cannot lock each other out.
create function private.record_arrivals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select a.project_id, (now() at time zone 'utc')::date, a.column_id, pg_backend_pid() % 8, count(*)
  from arrived a
  where a.archived_at is null
  group by a.project_id, a.column_id
  order by a.project_id, a.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  return null;
end
$$;

create function private.record_departures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select g.project_id, (now() at time zone 'utc')::date, g.column_id, pg_backend_pid() % 8, -count(*)
  from gone g
  join public.projects p on p.id = g.project_id -- not when the project itself is going
  where g.archived_at is null
  group by g.project_id, g.column_id
  order by g.project_id, g.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  return null;
end
$$;

create function private.record_flow() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select step.project_id, (now() at time zone 'utc')::date, step.column_id, pg_backend_pid() % 8, sum(step.delta)
  from was
  join becomes on becomes.id = was.id
  cross join lateral (values
    (was.project_id, was.column_id, case when was.archived_at is null then -1 else 0 end),
    (becomes.project_id, becomes.column_id, case when becomes.archived_at is null then 1 else 0 end)
  ) as step (project_id, column_id, delta)
  where was.column_id <> becomes.column_id or (was.archived_at is null) <> (becomes.archived_at is null)
  group by step.project_id, step.column_id
  having sum(step.delta) <> 0
  order by step.project_id, step.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  return null;
end
$$;

create trigger tasks_record_arrivals after insert on public.tasks
  referencing new table as arrived for each statement execute function private.record_arrivals();
create trigger tasks_record_departures after delete on public.tasks
  referencing old table as gone for each statement execute function private.record_departures();
create trigger tasks_record_flow after update on public.tasks
  referencing old table as was new table as becomes for each statement execute function private.record_flow();

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

comment on table private.column_flow is 'Tasks entered less tasks left, per column and day.';
comment on table private.column_kinds is 'Which kind a column had since when.';
