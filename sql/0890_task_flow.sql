-- Which columns tasks came from on the last 30 days, and how long they took once begun: what a board of some of a project's tasks needs to
-- show how work flowed. Whole numbers instead of ids, put together as text: of 10,000 tasks it is some hundred kilobytes.

create function public.task_flow(project_id uuid) returns json
language plpgsql stable set search_path = '' set jit = off as $$
declare
  first_day constant date := (now() at time zone 'utc')::date - 29;
  answer json;
begin
  if not exists (select from public.projects p where p.id = task_flow.project_id) then
    perform private.raise_not_found('project');
  end if;

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
    join public.tasks t on t.project_id = a.project_id and t.id = a.task_id and t.archived_at is null
    left join columns c on a.kind = 'moved' and c.column_id = (a.change #>> '{column_id,from}')::uuid
    where a.project_id = task_flow.project_id and a.kind in ('created', 'moved', 'moved_in')
      and a.created_at >= first_day::timestamp at time zone 'utc'
  ),
  times as (
    select t.number, round((date_part('epoch', t.completed_at - t.started_at) / 86400)::numeric, 5) as days
    from public.tasks t
    where t.project_id = task_flow.project_id and t.archived_at is null and t.completed_at is not null and t.started_at is not null
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
grant execute on function public.task_flow(uuid) to authenticated, service_role;

comment on function public.task_flow(uuid) is 'How the tasks of a project, by their numbers, came to stand where they stand: of the last 30 days (UTC) the columns they left, the latest step first (-1: the task was made, or came from another project, that day), the kinds of columns on each of these days, and the days finished tasks took once begun. Archived tasks are not in it.';
