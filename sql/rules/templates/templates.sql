-- Templates: one JSON document each, of a task or a whole project (document-checks.sql says what may be in it, documents.sql makes rows of it).
-- Procedures create a project or a task from one, save one, and duplicate a project by the same way.

select private.served_rows('public.templates', writes => '{id, project_id, owner_id, kind, name, description, body, created_by}',
  fixed => '{id, project_id, owner_id, kind, created_by}', author => 'created_by');

-- One's own, those of one's projects, and the built-in ones.
create policy read on public.templates for select to authenticated
  using (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships))
    or (built_in is not null and (select user_id from private.caller) is not null));
create policy add on public.templates for insert to authenticated
  with check (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
create policy change on public.templates for update to authenticated
  using (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships))
    or (built_in is not null and (select user_id from private.caller) is not null))
  with check (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
-- lets all who see it through: templates_refuse_delete then refuses viewers, and everybody for built-in ones, with 403
create policy remove on public.templates for delete to authenticated
  using (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships))
    or (built_in is not null and (select user_id from private.caller) is not null));

comment on table public.templates is 'What tasks and projects begin with: one''s own, those of a project for its members, and those that come with Kanbase. Made by save_task_as_template, save_project_as_template or an insert; used by create_project_from_template and create_task_from_template.';
comment on column public.templates.project_id is 'Whose members have it; empty: it is somebody''s own, or built in.';
comment on column public.templates.owner_id is 'Who alone has it; the caller when neither this nor project_id is sent.';
comment on column public.templates.built_in is 'A name for those that come with Kanbase, the same in every language; empty for all others.';
comment on column public.templates.language is 'Of those that come with Kanbase: the language of their words.';
comment on column public.templates.kind is 'task or project. Cannot be changed.';
comment on column public.templates.name is 'Up to 200 characters.';
comment on column public.templates.description is 'What it is for, up to 2,000 characters.';
comment on column public.templates.body is 'The document: {"version": 1, "columns", "labels", "fields", "views", "tasks", "dependencies"…}, days counted from a start day; checked by the database (KB015). docs/use/templates.md has all of it.';
comment on column public.templates.holds is 'What is in it: names of columns, how many labels, fields, views, tasks and steps, and whether it has days; kept by the database.';
comment on column public.templates.created_by is 'Who made it; empty once their account is gone.';

create or replace trigger templates_check before insert or update on public.templates for each row execute function private.check_template();
create or replace trigger templates_limit after insert on public.templates for each row
  when (new.built_in is null) execute function private.limit_templates();
create or replace trigger templates_record after insert or update or delete on public.templates
  for each row execute function private.record_setup('template', 'name', 'description', 'holds');
create or replace trigger templates_refuse_delete before delete on public.templates for each row
  when (row_security_active('public.templates') and current_user <> 'service_role'
    and old.owner_id is distinct from auth.uid() and (old.project_id is null or not private.is_writer(old.project_id)))
  execute function private.refuse_delete('Templates of a project are deleted by its owners and editors; those that come with Kanbase stay.');

create or replace function private.limit_templates() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 100;
begin
  perform pg_advisory_xact_lock(hashtextextended(coalesce(new.project_id, new.owner_id)::text, 3085));
  if (
    select count(*) from public.templates t
    where case when new.project_id is null then t.owner_id = new.owner_id else t.project_id = new.project_id end
  ) > most then
    perform private.refuse('KB016', case when new.project_id is null then format('you have %s templates already', most) else format('the project has %s templates already', most) end,
      'Delete one that nobody uses any more.');
  end if;
  return null;
end
$$;

-- Creating from a template --------------------------------------------------------------------------------------------

-- A project with its owner and nothing in it.
create or replace function private.create_empty_project(project_name text, project_description text, project_key text, project_color text)
returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_writer();
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
grant execute on function private.create_empty_project(text, text, text, text) to authenticated, service_role;

-- A project of a document, whose own words give way to the arguments.
create or replace function private.create_project_from_document(
  body jsonb, project_name text, project_description text, project_key text, project_color text, starts date
)
returns public.projects
language plpgsql volatile set search_path = '' as $$
declare
  given constant jsonb := coalesce(body -> 'project', '{}');
  project public.projects := private.create_empty_project(project_name, coalesce(project_description, given ->> 'description'), project_key,
    coalesce(project_color, given ->> 'color'));
begin
  update public.projects p
  set enforce_dependencies = coalesce((given ->> 'enforce_dependencies')::boolean, p.enforce_dependencies),
    parents_wait_for_subtasks = coalesce((given ->> 'parents_wait_for_subtasks')::boolean, p.parents_wait_for_subtasks),
    viewers_may_comment = coalesce((given ->> 'viewers_may_comment')::boolean, p.viewers_may_comment)
  where p.id = project.id
  returning * into project;
  return project;
end
$$;
grant execute on function private.create_project_from_document(jsonb, text, text, text, text, date) to authenticated, service_role;

create or replace function public.create_project_from_template(
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
  project := private.create_project_from_document(template.body,
    coalesce(nullif(btrim(create_project_from_template.name), ''), template.body #>> '{project,name}', template.name),
    create_project_from_template.description, create_project_from_template.key, create_project_from_template.color, start_date);
  perform private.fill_project_from_template(project.id, template.body, coalesce(start_date, current_date));
  return project;
end
$$;
grant execute on function public.create_project_from_template(uuid, text, date, text, text, text, boolean) to service_role, authenticated;
comment on function public.create_project_from_template(uuid, text, date, text, text, text, boolean) is 'A project of a template: its columns, labels, fields, views and, with_tasks, its tasks, whose days are counted from start_date (left out: today). The caller is its owner. name, description and color: those of the template when left out; key: made from the name. People of the template who are no members are left out.';

-- The first task of a document with the arguments of create_task_from_template, but for those whom the caller assigns.
-- They are assigned after it, as is work that is handed over and no copy.
create or replace function private.task_with_arguments(
  task jsonb, title text, priority public.task_priority, due_in integer, assignees uuid[], labels uuid[]
)
returns jsonb
language sql immutable set search_path = '' as $$
  select task
    || jsonb_strip_nulls(jsonb_build_object('title', nullif(btrim(title), ''), 'priority', priority, 'due_in', due_in))
    || case when due_in < (task ->> 'start_in')::integer then jsonb_build_object('start_in', due_in) else '{}' end
    || jsonb_build_object('people', coalesce(task -> 'people', '[]') - assignees::text[], 'labels', coalesce(task -> 'labels', '[]') || to_jsonb(labels))
$$;
grant execute on function private.task_with_arguments(jsonb, text, public.task_priority, integer, uuid[], uuid[]) to authenticated, service_role;

-- Only of a task that the caller creates in this transaction: nobody writes history otherwise.
create or replace function private.record_template(of_task public.tasks, template public.templates) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if of_task.created_by is not distinct from auth.uid() and exists (select from public.tasks t where t.id = of_task.id and t.created_at = now()) then
    perform private.record_activity(of_task.project_id, of_task.id, 'updated',
      jsonb_build_object('template', jsonb_build_object('from', null, 'to', template.id, 'name', template.name)));
  end if;
end
$$;
grant execute on function private.record_template(public.tasks, public.templates) to authenticated, service_role;

-- Arguments go before the template. The labels it creates may have ids that the client chose, so that an undo removes them.
create or replace function public.create_task_from_template(
  template_id uuid, project_id uuid, column_id uuid default null, title text default null, start_date date default null, new_id uuid default null,
  priority public.task_priority default null, due_date date default null, order_rank text default null, parent_id uuid default null,
  assignees uuid[] default '{}', labels uuid[] default '{}', field_values jsonb default '{}', label_ids jsonb default '{}'
)
returns public.tasks
language plpgsql set search_path = '' as $$
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
  end if;
  perform private.require_project(to_project);
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = create_task_from_template.new_id;
  if found then
    return made;
  end if;
  top := (select t ->> 'id' from jsonb_array_elements(template.body -> 'tasks') t where t ->> 'parent' is null);
  ids := private.ids_of_tasks(template.body) || private.ids_in_project(template.body, to_project, label_ids);
  ids := ids || jsonb_build_object(top, coalesce(create_task_from_template.new_id::text, ids ->> top));
  template.body := jsonb_set(template.body, '{tasks}', (
    select jsonb_agg(case when t.one ->> 'id' = top then private.task_with_arguments(t.one, create_task_from_template.title,
        create_task_from_template.priority, create_task_from_template.due_date - starts, assignees, labels) else t.one end
      order by t.place)
    from jsonb_array_elements(template.body -> 'tasks') with ordinality as t (one, place)
  ));
  into_column := coalesce(create_task_from_template.column_id, (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.kind = 'done', c.position, c.id limit 1
  ));
  -- Two who fill in parts at once would both hold the outline, and wait for each other to change it.
  if create_task_from_template.parent_id is not null and private.is_writer(to_project) then
    perform private.lock_outline(to_project, true);
  end if;
  -- Labels that were said are those of the project itself.
  perform private.fill_tasks(to_project, template.body, ids || (select coalesce(jsonb_object_agg(l, l), '{}') from unnest(labels) l), starts, into_column);
  insert into public.task_assignees (project_id, task_id, user_id)
  select distinct to_project, (ids ->> top)::uuid, m.user_id from public.project_members m
  where m.project_id = to_project and m.user_id = any (assignees);
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
grant execute on function public.create_task_from_template(
  uuid, uuid, uuid, text, date, uuid, public.task_priority, date, text, uuid, uuid[], uuid[], jsonb, jsonb)
  to service_role, authenticated;
comment on function public.create_task_from_template(uuid, uuid, uuid, text, date, uuid, public.task_priority, date, text, uuid, uuid[], uuid[], jsonb, jsonb) is 'A task of a template, with all that is below it, in one column of a project (left out: the first that is not done). Labels are found by name or made; fields by name and kind, options by name, what has no place there is left out, as are people who are no members. Days are counted from start_date (left out: today). What is said goes before the template: title, priority, due_date, order_rank, parent_id, field_values (by field); assignees and labels come along. label_ids: by the name of a label, in lower case, the id it gets where it has to be made. new_id: the id the task gets, so that asking twice makes one.';

-- Saving a template ---------------------------------------------------------------------------------------------------

create or replace function public.save_project_as_template(
  project_id uuid, name text default null, description text default '', is_shared boolean default false,
  with_tasks boolean default true, new_id uuid default null
) returns public.templates
language plpgsql volatile set search_path = '' as $$
declare
  project public.projects;
  made public.templates;
begin
  perform private.require_project(save_project_as_template.project_id);
  select p.* into project from public.projects p where p.id = save_project_as_template.project_id;
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
grant execute on function public.save_project_as_template(uuid, text, text, boolean, boolean, uuid) to service_role, authenticated;
comment on function public.save_project_as_template(uuid, text, text, boolean, boolean, uuid) is 'Keeps a project as a template: the caller''s own, or is_shared with its members, which needs the editor role. Days are counted from the first there is, nothing is ticked. new_id: the id the template gets, so that asking twice makes one.';

create or replace function public.save_task_as_template(
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
grant execute on function public.save_task_as_template(uuid, text, text, boolean, uuid) to service_role, authenticated;
comment on function public.save_task_as_template(uuid, text, text, boolean, uuid) is 'Keeps a task as a template, with subtasks, checklists, labels, people, fields and the dependencies among them: the caller''s own, or is_shared with the members of its project, which needs the editor role. new_id: the id the template gets.';

-- One's own templates, for the copy of one's data.
create or replace function private.my_templates() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'name', t.name, 'description', t.description, 'body', t.body,
    'project_id', t.project_id, 'created_at', t.created_at) order by t.created_at, t.id), '[]')
  from public.templates t where t.owner_id = (select auth.uid()) or t.created_by = (select auth.uid())
$$;
grant execute on function private.my_templates() to authenticated, service_role;

-- Duplicating a project -----------------------------------------------------------------------------------------------

create or replace function public.duplicate_project(
  project_id uuid, name text default null, start_date date default null,
  with_tasks boolean default true, with_members boolean default false, key text default null
) returns public.projects
language plpgsql volatile set search_path = '' as $$
declare
  original public.projects;
  project public.projects;
  body jsonb;
begin
  perform private.require_project(duplicate_project.project_id);
  select p.* into original from public.projects p where p.id = duplicate_project.project_id;
  body := private.document_of_project(original.id, with_tasks, false, true);
  project := private.create_project_from_document(body, coalesce(nullif(btrim(duplicate_project.name), ''), original.name),
    original.description, duplicate_project.key, original.color, start_date);
  if with_members then
    insert into public.project_members (project_id, user_id, role)
    select project.id, m.user_id, m.own_role from public.project_members m
    where m.project_id = original.id and m.user_id <> auth.uid() and m.own_role is not null
    order by m.created_at, m.user_id;
    insert into public.project_members (project_id, group_id, role)
    select project.id, m.group_id, m.role from public.project_members m
    where m.project_id = original.id and m.group_id is not null
    order by m.created_at, m.group_id;
  end if;
  perform private.fill_project_from_template(project.id, body, coalesce(start_date, (body ->> 'starts_on')::date, current_date));
  return project;
end
$$;
grant execute on function public.duplicate_project(uuid, text, date, boolean, boolean, text) to service_role, authenticated;
comment on function public.duplicate_project(uuid, text, date, boolean, boolean, text) is 'A project made twice, for any of its members, who owns the second: columns with limits, labels, fields, views (shared ones and the caller''s), with_tasks its tasks that are not archived (up to 1,000, with subtasks, checklists, fields and dependencies), with_members its members in their roles. start_date: the day on which the first task begins; left out: days stay. Comments, files, history and what comes again stay behind.';

create or replace function public.foresee_project_copy(project_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  of_project constant uuid := foresee_project_copy.project_id;
begin
  perform private.require_project(of_project);
  return jsonb_build_object(
    'columns', (select count(*) from public.workflow_columns c where c.project_id = of_project),
    'labels', (select count(*) from public.task_labels l where l.project_id = of_project),
    'fields', (select count(*) from public.custom_fields f where f.project_id = of_project),
    'views', (select count(*) from public.saved_views v where v.project_id = of_project and (v.is_shared or v.owner_id = auth.uid())),
    'shared_views', (select count(*) from public.saved_views v where v.project_id = of_project and v.is_shared),
    'tasks', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is null and t.audience_id is null),
    'archived', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is not null),
    'members', (select count(*) from public.project_members m where m.project_id = of_project and m.user_id <> auth.uid()),
    'starts_on', (select least(min(t.start_date), min(t.due_date)) from public.tasks t where t.project_id = of_project and t.archived_at is null and t.audience_id is null),
    'most_tasks', 1000
  );
end
$$;
grant execute on function public.foresee_project_copy(uuid) to service_role, authenticated;
comment on function public.foresee_project_copy(uuid) is 'What a copy of a project would have: how many columns, labels, fields, views (shared_views: of those, the shared), tasks and members beside the caller; archived: tasks that stay behind; starts_on: its first day; most_tasks: how many are taken along at most.';

-- Templates that come with Kanbase ------------------------------------------------------------------------------------

-- Values that the dictionary has, wherever they stand in a document; keys stay.
create or replace function private.translate_strings(document jsonb, words jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select case jsonb_typeof(document)
    when 'string' then coalesce(words -> (document #>> '{}'), document)
    when 'array' then (
      select coalesce(jsonb_agg(private.translate_strings(e.one, words) order by e.place), '[]')
      from jsonb_array_elements(document) with ordinality as e (one, place)
    )
    when 'object' then (select coalesce(jsonb_object_agg(o.key, private.translate_strings(o.value, words)), '{}') from jsonb_each(document) o)
    else document
  end
$$;

-- The rows of all languages as sql/data/built_in_templates has them: in "en" the documents, with short ids (@c1 stands for
-- 00000000-0000-4000-8000-0c0100000001), in every other language {ids, words}. Rows that are written no more are removed, and those that are as
-- written stay untouched. An id of a row stays what it is, and so does its "built_in".
create or replace function private.save_built_in_templates(languages jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  english constant jsonb := regexp_replace((languages -> 'en')::text, '@([a-f])([0-9a-f])', '00000000-0000-4000-8000-0\1010000000\2', 'g');
  written constant jsonb := (
    select jsonb_agg(w.template)
    from (
      select t || '{"language": "en"}' from jsonb_array_elements(english) t
      union all
      select t || s.translated || jsonb_build_object('language', l.key, 'id', l.value -> 'ids' -> (t ->> 'built_in'))
      from jsonb_each(languages - 'en') l, jsonb_array_elements(english) t,
        lateral (select private.translate_strings(t - '{built_in,id,kind}'::text[], l.value -> 'words')) s (translated)
    ) w (template)
  );
begin
  delete from public.templates t
  where t.built_in is not null and not exists (select from jsonb_array_elements(written) w where (w ->> 'id')::uuid = t.id);
  insert into public.templates as t (id, built_in, language, kind, name, description, body)
  select w.id, w.built_in, w.language, w.kind, w.name, w.description, w.body
  from jsonb_populate_recordset(null::public.templates, written) w
  on conflict (id) do update
  set built_in = excluded.built_in, language = excluded.language, name = excluded.name, description = excluded.description, body = excluded.body
  where (t.built_in, t.language, t.name, t.description, t.body)
    is distinct from (excluded.built_in, excluded.language, excluded.name, excluded.description, excluded.body);
end
$$;
