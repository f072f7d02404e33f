-- Open tasks of a project, the most urgent first: the order in which they are claimed.
-- kanbase: no transaction

drop index concurrently if exists public.tasks_open_idx;
create index concurrently tasks_open_idx on public.tasks (project_id, priority, order_rank)
  where completed_at is null and archived_at is null;

-- Added in 0042, where checking all rows would hold up every write.
alter table public.task_activity validate constraint task_activity_kind_known;
