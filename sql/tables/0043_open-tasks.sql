-- Open tasks of a project, the most urgent first: the order in which they are claimed.
-- kanbase: no transaction

create index concurrently if not exists tasks_open_idx on public.tasks (project_id, priority, order_rank)
  where completed_at is null and archived_at is null;
