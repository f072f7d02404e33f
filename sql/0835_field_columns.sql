-- What the tasks of a project hold in some of its fields, as columns: 10,000 tasks with 20 fields are 200,000 rows, of which a table wants
-- nothing but the values. Put together as text: building the same as jsonb takes twenty times as long.

create function public.field_columns(project_id uuid, field_ids uuid[]) returns json
language sql stable set search_path = '' as $$
  select coalesce(
    ('{' || string_agg('"' || c.field_id || '":{"numbers":[' || c.numbers || '],"values":[' || c.held || ']}', ',') || '}')::json, '{}')
  from (
    select v.field_id, string_agg(t.number::text, ',') as numbers, string_agg(v.value::text, ',') as held
    from public.task_field_values v
    join public.tasks t on t.project_id = v.project_id and t.id = v.task_id
    where v.project_id = field_columns.project_id and v.field_id = any (field_columns.field_ids)
    group by v.field_id
  ) c
$$;
grant execute on function public.field_columns(uuid, uuid[]) to authenticated, service_role;

comment on function public.field_columns(uuid, uuid[]) is 'What tasks of a project hold in these fields, in one compact answer: for each field in which something is held, the numbers of the tasks and, in the same order, their values.';
