-- Beginning a project or a task with a template, keeping one as a template, and a project made twice. What a document is and what becomes
-- of it stands in 0820 and 0821.

-- A project with its owner and nothing in it.
create function private.begin_project(project_name text, project_description text, project_key text, project_color text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  project public.projects;
begin
  insert into public.projects (name, description, key, color, created_by)
  values (
    project_name,
    coalesce(project_description, ''),
    coalesce(upper(nullif(trim(project_key), '')), private.propose_key(project_name, me)),
    project_color,
    me
  )
  returning * into project;
  insert into public.project_members (project_id, user_id, role) values (project.id, me, 'owner');
  return project;
end
$$;

-- As before (0340), in two steps.
create or replace function private.found_project(project_name text, project_description text, project_key text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  project constant public.projects := private.begin_project(project_name, project_description, project_key, null);
begin
  insert into public.workflow_columns (project_id, name, kind, position) values
    (project.id, 'Backlog', 'backlog', 1),
    (project.id, 'To do', 'todo', 2),
    (project.id, 'In progress', 'in_progress', 3),
    (project.id, 'Done', 'done', 4);
  return project;
end
$$;

-- A project of a document. What is said goes before what the document says.
create function private.project_of_document(body jsonb, project_name text, project_description text, project_key text, project_color text, starts date)
returns public.projects
language plpgsql volatile set search_path = '' as $$
declare
  given constant jsonb := coalesce(body -> 'project', '{}');
  project public.projects := private.begin_project(project_name, coalesce(project_description, given ->> 'description'), project_key,
    coalesce(project_color, given ->> 'color'));
begin
  update public.projects p
  set enforce_dependencies = coalesce((given ->> 'enforce_dependencies')::boolean, p.enforce_dependencies),
    parents_wait_for_subtasks = coalesce((given ->> 'parents_wait_for_subtasks')::boolean, p.parents_wait_for_subtasks)
  where p.id = project.id
  returning * into project;
  return project;
end
$$;

create function public.create_project_from_template(
  template_id uuid, name text default null, start_date date default null,
  description text default null, key text default null, color text default null, with_tasks boolean default true
) returns public.projects
language plpgsql volatile set search_path = '' as $$
declare
  template public.templates;
  project public.projects;
begin
  select t.* into template from public.templates t where t.id = create_project_from_template.template_id and t.kind = 'project';
  if not found then
    perform private.raise_not_found('template of a project');
  end if;
  if not with_tasks then
    template.body := template.body - array['tasks', 'dependencies'];
  end if;
  project := private.project_of_document(template.body,
    coalesce(nullif(btrim(create_project_from_template.name), ''), template.body #>> '{project,name}', template.name),
    create_project_from_template.description, create_project_from_template.key, create_project_from_template.color, start_date);
  perform private.fill_project(project.id, template.body, coalesce(start_date, current_date));
  return project;
end
$$;

create function public.duplicate_project(
  project_id uuid, name text default null, start_date date default null,
  with_tasks boolean default true, with_members boolean default false, key text default null
) returns public.projects
language plpgsql volatile set search_path = '' as $$
declare
  original public.projects;
  project public.projects;
  body jsonb;
begin
  select p.* into original from public.projects p where p.id = duplicate_project.project_id;
  if not found then
    perform private.raise_not_found('project');
  end if;
  body := private.document_of_project(original.id, with_tasks, false, true);
  project := private.project_of_document(body, coalesce(nullif(btrim(duplicate_project.name), ''), original.name),
    original.description, duplicate_project.key, original.color, start_date);
  if with_members then
    insert into public.project_members (project_id, user_id, role)
    select project.id, m.user_id, m.role from public.project_members m
    where m.project_id = original.id and m.user_id <> auth.uid()
    order by m.created_at, m.user_id;
  end if;
  perform private.fill_project(project.id, body, coalesce(start_date, (body ->> 'starts_on')::date, current_date));
  return project;
end
$$;

-- What a copy of a project would have, for whoever is about to make one.
create function public.foresee_project_copy(project_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  of_project constant uuid := foresee_project_copy.project_id;
begin
  if not exists (select from public.projects p where p.id = of_project) then
    perform private.raise_not_found('project');
  end if;
  return jsonb_build_object(
    'columns', (select count(*) from public.workflow_columns c where c.project_id = of_project),
    'labels', (select count(*) from public.task_labels l where l.project_id = of_project),
    'fields', (select count(*) from public.custom_fields f where f.project_id = of_project),
    'views', (select count(*) from public.saved_views v where v.project_id = of_project and (v.is_shared or v.owner_id = auth.uid())),
    'shared_views', (select count(*) from public.saved_views v where v.project_id = of_project and v.is_shared),
    'tasks', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is null),
    'archived', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is not null),
    'members', (select count(*) from public.project_members m where m.project_id = of_project and m.user_id <> auth.uid()),
    'starts_on', (select least(min(t.start_date), min(t.due_date)) from public.tasks t where t.project_id = of_project and t.archived_at is null),
    'most_tasks', 1000
  );
end
$$;

-- Kept ----------------------------------------------------------------------------------------------------------------------

create function public.save_project_as_template(
  project_id uuid, name text default null, description text default '', is_shared boolean default false,
  with_tasks boolean default true, new_id uuid default null
) returns public.templates
language plpgsql volatile set search_path = '' as $$
declare
  project public.projects;
  made public.templates;
begin
  select p.* into project from public.projects p where p.id = save_project_as_template.project_id;
  if not found then
    perform private.raise_not_found('project');
  end if;
  -- Asked again because the answer was lost.
  select t.* into made from public.templates t where t.id = save_project_as_template.new_id;
  if found then
    return made;
  end if;
  insert into public.templates (id, project_id, kind, name, description, body)
  values (coalesce(new_id, private.uuid_v7()), case when is_shared then project.id end, 'project',
    coalesce(nullif(btrim(save_project_as_template.name), ''), project.name), coalesce(save_project_as_template.description, ''),
    private.document_of_project(project.id, with_tasks, is_shared, false))
  returning * into made;
  return made;
end
$$;

create function public.save_task_as_template(
  task_id uuid, name text default null, description text default '', is_shared boolean default false, new_id uuid default null
) returns public.templates
language plpgsql volatile set search_path = '' as $$
declare
  task public.tasks;
  made public.templates;
begin
  select t.* into task from public.tasks t where t.id = save_task_as_template.task_id;
  if not found then
    perform private.raise_not_found('task');
  end if;
  select t.* into made from public.templates t where t.id = save_task_as_template.new_id;
  if found then
    return made;
  end if;
  insert into public.templates (id, project_id, kind, name, description, body)
  values (coalesce(new_id, private.uuid_v7()), case when is_shared then task.project_id end, 'task',
    coalesce(nullif(btrim(save_task_as_template.name), ''), left(task.title, 200)), coalesce(save_task_as_template.description, ''),
    private.document_of_task(task))
  returning * into made;
  return made;
end
$$;

-- A task -----------------------------------------------------------------------------------------------------------------------

-- Where labels and fields of a document lead in a project that has its own: labels by their names, and made where there are none; fields by
-- name and kind, options by name. What has no place there is left out.
create function private.ids_in_project(body jsonb, in_project uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.task_labels (project_id, name, color)
  select in_project, l ->> 'name', l ->> 'color' from jsonb_array_elements(body -> 'labels') l
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

create function public.create_task_from_template(
  template_id uuid, project_id uuid, column_id uuid default null, title text default null, start_date date default null, new_id uuid default null
) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  to_project constant uuid := create_task_from_template.project_id;
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
  ids := private.ids_of_tasks(template.body) || private.ids_in_project(template.body, to_project);
  ids := ids || jsonb_build_object(top, coalesce(create_task_from_template.new_id::text, ids ->> top));
  if nullif(btrim(create_task_from_template.title), '') is not null then
    template.body := jsonb_set(template.body, '{tasks}', (
      select jsonb_agg(case when t.one ->> 'id' = top then t.one || jsonb_build_object('title', btrim(create_task_from_template.title)) else t.one end
        order by t.place)
      from jsonb_array_elements(template.body -> 'tasks') with ordinality as t (one, place)
    ));
  end if;
  into_column := coalesce(create_task_from_template.column_id, (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.kind = 'done', c.position, c.id limit 1
  ));
  perform private.fill_tasks(to_project, template.body, ids, coalesce(start_date, current_date), into_column);
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = (ids ->> top)::uuid;
  return made;
end
$$;

grant execute on function
  private.begin_project(text, text, text, text), private.project_of_document(jsonb, text, text, text, text, date), private.ids_in_project(jsonb, uuid),
  public.create_project_from_template(uuid, text, date, text, text, text, boolean),
  public.duplicate_project(uuid, text, date, boolean, boolean, text), public.foresee_project_copy(uuid),
  public.save_project_as_template(uuid, text, text, boolean, boolean, uuid), public.save_task_as_template(uuid, text, text, boolean, uuid),
  public.create_task_from_template(uuid, uuid, uuid, text, date, uuid)
  to authenticated, service_role;

-- Elsewhere ---------------------------------------------------------------------------------------------------------------------

create or replace function private.project_tables() returns table (name text, ids text[], leaves_out text[])
language sql immutable parallel safe set search_path = '' as $$
  values
    ('workflow_columns', array['id'], array[]::text[]),
    ('tasks', array['id'], array['description']),
    ('task_labels', array['id'], '{}'),
    ('task_assignees', array['task_id', 'user_id'], '{}'),
    ('task_label_links', array['task_id', 'label_id'], '{}'),
    ('task_checklist_items', array['id'], '{}'),
    ('task_attachments', array['id'], '{}'),
    ('task_dependencies', array['id'], '{}'),
    ('task_comments', array['id'], array['body']),
    ('custom_fields', array['id'], '{}'),
    ('task_field_values', array['task_id', 'field_id'], '{}'),
    ('task_recurrences', array['id'], '{}'),
    ('templates', array['id'], array['body']),
    ('project_invitations', array['id'], '{}')
$$;

-- As before (0815), with one's own templates beside one's calendars.
create function private.my_templates() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'name', t.name, 'description', t.description, 'body', t.body,
    'project_id', t.project_id, 'created_at', t.created_at) order by t.created_at, t.id), '[]')
  from public.templates t where t.owner_id = (select auth.uid()) or t.created_by = (select auth.uid())
$$;
grant execute on function private.my_templates() to authenticated, service_role;

create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_in_words((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid),
      'repeats', (
        select jsonb_build_object('rule', r.rule, 'time_zone', r.time_zone, 'mode', r.mode, 'starts_on', r.starts_on, 'next_on', r.next_on,
          'paused_at', r.paused_at)
        from public.task_recurrences r where r.project_id = (t.task ->> 'project_id')::uuid and r.task_id = (t.task ->> 'id')::uuid
      )
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'calendar_feeds', private.my_feeds(), 'templates', private.my_templates(), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.write_my_data() as data offset 0) as held
$$;

comment on function public.create_project_from_template(uuid, text, date, text, text, text, boolean) is 'A project of a template: its columns, labels, fields, views and, with_tasks, its tasks, whose days are counted from start_date (left out: today). The caller is its owner. name, description and color: those of the template when left out; key: made from the name. People of the template who are no members are left out.';
comment on function public.duplicate_project(uuid, text, date, boolean, boolean, text) is 'A project made twice, for any of its members, who owns the second: columns with limits, labels, fields, views (shared ones and the caller''s), with_tasks its tasks that are not archived (up to 1,000, with subtasks, checklists, fields and dependencies), with_members its members in their roles. start_date: the day on which the first task begins; left out: days stay. Comments, files, history and what comes again stay behind.';
comment on function public.foresee_project_copy(uuid) is 'What a copy of a project would have: how many columns, labels, fields, views (shared_views: of those, the shared), tasks and members beside the caller; archived: tasks that stay behind; starts_on: its first day; most_tasks: how many are taken along at most.';
comment on function public.save_project_as_template(uuid, text, text, boolean, boolean, uuid) is 'Keeps a project as a template: the caller''s own, or is_shared with its members, which needs the editor role. Days are counted from the first there is, nothing is ticked. new_id: the id the template gets, so that asking twice makes one.';
comment on function public.save_task_as_template(uuid, text, text, boolean, uuid) is 'Keeps a task as a template, with subtasks, checklists, labels, people, fields and the dependencies among them: the caller''s own, or is_shared with the members of its project, which needs the editor role. new_id: the id the template gets.';
comment on function public.create_task_from_template(uuid, uuid, uuid, text, date, uuid) is 'A task of a template, with all that is below it, in one column of a project (left out: the first that is not done). Labels are found by name or made; fields by name and kind, options by name, what has no place there is left out, as are people who are no members. Days are counted from start_date (left out: today). new_id: the id the task gets, so that asking twice makes one.';
