-- How each of one's projects stands, for the page that shows them all: read with the caller's rights, from the running totals
-- (0360_project_figures.sql) and from what is due.

create function public.project_progress()
returns table (project_id uuid, total bigint, completed bigint, overdue bigint)
language sql stable set search_path = '' as $$
  select p.id, coalesce(held.total, 0), coalesce(held.completed, 0),
    (select count(*) from public.tasks t
     where t.project_id = p.id and t.completed_at is null and t.archived_at is null and t.due_date < current_date)
  from public.projects p
  left join lateral (
    select sum(f.amount) as total, sum(f.amount) filter (where c.kind = 'done') as completed
    from private.project_figures f
    join public.workflow_columns c on c.project_id = f.project_id and c.id = split_part(f.key, '/', 1)::uuid
    where f.project_id = p.id and f.figure = 'tasks'
  ) as held on true
  where p.archived_at is null
$$;
grant execute on function public.project_progress() to authenticated;

comment on function public.project_progress() is
  'For each of the caller''s projects that is not archived: how many tasks it has, how many are done, and how many open ones are overdue where the caller is (`Prefer: timezone`). Archived tasks count nowhere.';
