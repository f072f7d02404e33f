-- How work flowed in several projects, for figures of tasks of all of them: one answer for each project the caller sees.

create function public.task_flows(project_ids uuid[]) returns json
language sql stable set search_path = ''
return (
  select coalesce(json_object_agg(p.id, public.task_flow(p.id)), '{}'::json)
  from public.projects p
  where p.id = any (task_flows.project_ids)
);
grant execute on function public.task_flows(uuid[]) to authenticated, service_role;

comment on function public.task_flows(uuid[]) is 'What task_flow says of each of these projects, by their ids; of those the caller does not see it says nothing.';
