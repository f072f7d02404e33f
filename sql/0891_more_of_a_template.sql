-- A task that begins with a template takes what was said of it beside its title: who, which labels, how urgent, by when, where it stands. The
-- labels it makes may have ids that the client chose, so that an undo takes them back; and its story says which template it was.

drop function public.create_task_from_template(uuid, uuid, uuid, text, date, uuid);
drop function private.ids_in_project(jsonb, uuid);

-- As before (0822); `label_ids`: by the name of a label in lower case the id it gets where it is made.
create function private.ids_in_project(body jsonb, in_project uuid, label_ids jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.task_labels (id, project_id, name, color)
  select coalesce((label_ids ->> lower(l ->> 'name'))::uuid, private.uuid_v7()), in_project, l ->> 'name', l ->> 'color'
  from jsonb_array_elements(body -> 'labels') l
  on conflict do nothing;
  return (
    select coalesce(jsonb_object_agg(e.one ->> 'id', l.id), '{}')
    from jsonb_array_elements(body -> 'labels') e (one)
    join public.task_labels l on l.project_id = in_project and lower(l.name) = lower(e.one ->> 'name')
  ) || (
    select coalesce(jsonb_object_agg(p.name, p.leads_to), '{}')
    from jsonb_array_elements(body -> 'fields') e (one)
    join public.custom_fields f on f.project_id = in_project and lower(f.name) = lower(e.one ->> 'name') and f.kind::text = e.one ->> 'kind'
    cross join lateral (
      select e.one ->> 'id' as name, f.id::text as leads_to
      union all
      select (e.one ->> 'id') || '/' || (o ->> 'id'), there ->> 'id'
      from jsonb_array_elements(coalesce(e.one -> 'options', '[]')) o
      join jsonb_array_elements(f.options) there on lower(there ->> 'name') = lower(o ->> 'name')
    ) p
  );
end
$$;

-- The task of a document with what was said of it, which goes before what the document says.
create function private.task_as_said(task jsonb, title text, priority public.task_priority, due_in integer, assignees uuid[], labels uuid[])
returns jsonb
language sql immutable set search_path = '' as $$
  select task
    || jsonb_strip_nulls(jsonb_build_object('title', nullif(btrim(title), ''), 'priority', priority, 'due_in', due_in))
    || case when due_in < (task ->> 'start_in')::integer then jsonb_build_object('start_in', due_in) else '{}' end
    || jsonb_build_object('people', coalesce(task -> 'people', '[]') || to_jsonb(assignees), 'labels', coalesce(task -> 'labels', '[]') || to_jsonb(labels))
$$;

-- Only of a task that is being made in this very transaction, and by the caller: nobody writes history otherwise.
create function private.record_template(of_task public.tasks, template public.templates) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if of_task.created_by is not distinct from auth.uid() and exists (select from public.tasks t where t.id = of_task.id and t.created_at = now()) then
    perform private.record_activity(of_task.project_id, of_task.id, 'updated',
      jsonb_build_object('template', jsonb_build_object('from', null, 'to', template.id, 'name', template.name)));
  end if;
end
$$;

create function public.create_task_from_template(
  template_id uuid, project_id uuid, column_id uuid default null, title text default null, start_date date default null, new_id uuid default null,
  priority public.task_priority default null, due_date date default null, order_rank text default null, parent_id uuid default null,
  assignees uuid[] default '{}', labels uuid[] default '{}', field_values jsonb default '{}', label_ids jsonb default '{}'
) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  to_project constant uuid := create_task_from_template.project_id;
  starts constant date := coalesce(create_task_from_template.start_date, current_date);
  template public.templates;
  made public.tasks;
  ids jsonb;
  top text;
  into_column uuid;
begin
  select t.* into template from public.templates t where t.id = create_task_from_template.template_id and t.kind = 'task';
  if not found then
    perform private.raise_not_found('template of a task');
  elsif not exists (select from public.projects p where p.id = to_project) then
    perform private.raise_not_found('project');
  end if;
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = create_task_from_template.new_id;
  if found then
    return made;
  end if;
  top := (select t ->> 'id' from jsonb_array_elements(template.body -> 'tasks') t where t ->> 'parent' is null);
  ids := private.ids_of_tasks(template.body) || private.ids_in_project(template.body, to_project, label_ids);
  ids := ids || jsonb_build_object(top, coalesce(create_task_from_template.new_id::text, ids ->> top));
  template.body := jsonb_set(template.body, '{tasks}', (
    select jsonb_agg(case when t.one ->> 'id' = top then private.task_as_said(t.one, create_task_from_template.title,
        create_task_from_template.priority, create_task_from_template.due_date - starts, assignees, labels) else t.one end
      order by t.place)
    from jsonb_array_elements(template.body -> 'tasks') with ordinality as t (one, place)
  ));
  into_column := coalesce(create_task_from_template.column_id, (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.kind = 'done', c.position, c.id limit 1
  ));
  -- Labels that were said are those of the project itself.
  perform private.fill_tasks(to_project, template.body, ids || (select coalesce(jsonb_object_agg(l, l), '{}') from unnest(labels) l), starts, into_column);
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select to_project, (ids ->> top)::uuid, v.key::uuid, v.value from jsonb_each(field_values) v
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  update public.tasks t
  set order_rank = coalesce(create_task_from_template.order_rank, t.order_rank), parent_id = coalesce(create_task_from_template.parent_id, t.parent_id)
  where t.project_id = to_project and t.id = (ids ->> top)::uuid
    and (create_task_from_template.order_rank is not null or create_task_from_template.parent_id is not null);
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = (ids ->> top)::uuid;
  perform private.record_template(made, template);
  return made;
end
$$;

grant execute on function
  private.ids_in_project(jsonb, uuid, jsonb), private.task_as_said(jsonb, text, public.task_priority, integer, uuid[], uuid[]),
  private.record_template(public.tasks, public.templates),
  public.create_task_from_template(uuid, uuid, uuid, text, date, uuid, public.task_priority, date, text, uuid, uuid[], uuid[], jsonb, jsonb)
  to authenticated, service_role;

comment on function public.create_task_from_template(uuid, uuid, uuid, text, date, uuid, public.task_priority, date, text, uuid, uuid[], uuid[], jsonb, jsonb) is 'A task of a template, with all that is below it, in one column of a project (left out: the first that is not done). Labels are found by name or made; fields by name and kind, options by name, what has no place there is left out, as are people who are no members. Days are counted from start_date (left out: today). What is said goes before the template: title, priority, due_date, order_rank, parent_id, field_values (by field); assignees and labels come along. label_ids: by the name of a label, in lower case, the id it gets where it has to be made. new_id: the id the task gets, so that asking twice makes one.';
