-- From rows to the document of a template and back, for built-in templates, saved ones and the duplicate of a project alike. All is read and
-- written as the caller: policies, limits and triggers hold as always. Ids in a document are replaced by those of the new rows.

-- Writing a document --------------------------------------------------------------------------------------------------

-- Tasks in the order of the board, with days counted from one. With ticks: as they are; without: nothing is done yet.
create or replace function private.document_of_tasks(of_project uuid, chosen uuid[], top uuid, starts date, with_ticks boolean) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'id', t.id, 'column', t.column_id, 'parent', case when t.id is distinct from top and t.parent_id = any (chosen) then t.parent_id end,
    'title', t.title, 'description', nullif(t.description, ''), 'priority', t.priority, 'estimate', t.estimate,
    'start_in', t.start_date - starts, 'due_in', t.due_date - starts,
    'labels', (select jsonb_agg(l.label_id order by l.label_id) from public.task_label_links l where l.project_id = of_project and l.task_id = t.id),
    'people', (select jsonb_agg(a.user_id order by a.user_id) from public.task_assignees a where a.project_id = of_project and a.task_id = t.id),
    'checklist', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('title', i.title, 'is_done', case when with_ticks and i.is_done then true end))
        order by i.position, i.id)
      from public.task_checklist_items i where i.project_id = of_project and i.task_id = t.id
    ),
    'fields', (
      select coalesce(jsonb_object_agg(v.field_id, case f.kind when 'date' then to_jsonb((v.value #>> '{}')::date - starts) else v.value end), '{}')
      from public.task_field_values v join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
      where v.project_id = of_project and v.task_id = t.id
    )
  )) order by c.position, c.id, t.order_rank, t.id), '[]')
  from public.tasks t
  join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
  where t.project_id = of_project and t.id = any (chosen)
$$;
grant execute on function private.document_of_tasks(uuid, uuid[], uuid, date, boolean) to authenticated, service_role;

create or replace function private.document_of_dependencies(of_project uuid, chosen uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('predecessor', d.predecessor_id, 'successor', d.successor_id, 'lag_days', d.lag_days)
    order by d.created_at, d.id), '[]')
  from public.task_dependencies d
  where d.project_id = of_project and d.predecessor_id = any (chosen) and d.successor_id = any (chosen)
$$;
grant execute on function private.document_of_dependencies(uuid, uuid[]) to authenticated, service_role;

create or replace function private.document_of_fields(of_project uuid, chosen uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', f.id, 'name', f.name, 'kind', f.kind, 'unit', f.unit,
    'options', nullif(f.options, '[]'), 'default_value', f.default_value)) order by f.position, f.id), '[]')
  from public.custom_fields f where f.project_id = of_project and (chosen is null or f.id = any (chosen))
$$;
grant execute on function private.document_of_fields(uuid, uuid[]) to authenticated, service_role;

-- The day that days are counted from: the earliest.
create or replace function private.earliest_day_of(of_project uuid, chosen uuid[]) returns date
language sql stable set search_path = '' as $$
  select least(min(t.start_date), min(t.due_date)) from public.tasks t where t.project_id = of_project and t.id = any (chosen)
$$;
grant execute on function private.earliest_day_of(uuid, uuid[]) to authenticated, service_role;

-- Archived tasks stay out, and restricted ones: others see the copy.
create or replace function private.tasks_to_copy(of_project uuid) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 1000;
  chosen constant uuid[] := array(select t.id from public.tasks t where t.project_id = of_project and t.archived_at is null and t.audience_id is null
    order by t.number);
begin
  if cardinality(chosen) > most then
    perform private.refuse('KB015', format('the project has %s tasks, and no more than %s are taken along', cardinality(chosen), most),
      'Archive what is done with, or leave the tasks out (with_tasks: false).');
  end if;
  return chosen;
end
$$;
grant execute on function private.tasks_to_copy(uuid) to authenticated, service_role;

-- Views: those that are shared, and the caller's own where nobody else gets to see the document.
create or replace function private.document_of_project(of_project uuid, with_tasks boolean, for_others boolean, with_ticks boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  chosen constant uuid[] := case when with_tasks then private.tasks_to_copy(of_project) else '{}' end;
  first_day constant date := private.earliest_day_of(of_project, chosen);
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'version', 1,
      'starts_on', first_day,
      'project', jsonb_build_object('name', p.name, 'description', p.description, 'color', p.color, 'enforce_dependencies', p.enforce_dependencies,
        'parents_wait_for_subtasks', p.parents_wait_for_subtasks, 'viewers_may_comment', p.viewers_may_comment),
      'columns', (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind, 'wip_limit', c.wip_limit, 'color', c.color,
          'required_fields', case when c.required_fields <> '{}' then to_jsonb(c.required_fields) end)) order by c.position, c.id)
        from public.workflow_columns c where c.project_id = of_project
      ),
      'labels', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)) order by l.created_at, l.id), '[]')
        from public.task_labels l where l.project_id = of_project
      ),
      'fields', private.document_of_fields(of_project, null),
      'first_view', (
        select d.view_id from public.view_defaults d join public.saved_views v on v.id = d.view_id and v.is_shared
        where d.project_id = of_project and d.user_id is null
      ),
      'tasks', private.document_of_tasks(of_project, chosen, null, coalesce(first_day, current_date), with_ticks),
      'dependencies', private.document_of_dependencies(of_project, chosen)
    )) || jsonb_build_object('views', (
      select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name, 'layout', v.layout, 'filter', v.filter, 'grouping', v."grouping",
        'lanes', v.lanes, 'sort', v.sort, 'shown', v.shown, 'is_shared', v.is_shared) order by v.position, v.created_at, v.id), '[]')
      from public.saved_views v
      where v.project_id = of_project and (v.is_shared or (v.owner_id = auth.uid() and not for_others))
    ))
    from public.projects p where p.id = of_project
  );
end
$$;
grant execute on function private.document_of_project(uuid, boolean, boolean, boolean) to authenticated, service_role;

-- A task with all its subtasks; the labels and fields they have. Days are counted from its own first.
create or replace function private.document_of_task(task public.tasks) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  chosen constant uuid[] := array(
    with recursive down (id) as (
      select task.id
      union all
      select t.id from down join public.tasks t on t.project_id = task.project_id and t.parent_id = down.id where t.archived_at is null
    )
    select id from down
  );
  first_day constant date := private.earliest_day_of(task.project_id, chosen);
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'version', 1,
    'starts_on', first_day,
    'labels', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)) order by l.name), '[]')
      from public.task_labels l where l.project_id = task.project_id
        and exists (select from public.task_label_links k where k.project_id = l.project_id and k.label_id = l.id and k.task_id = any (chosen))
    ),
    'fields', private.document_of_fields(task.project_id, array(
      select distinct v.field_id from public.task_field_values v where v.project_id = task.project_id and v.task_id = any (chosen))),
    'tasks', (
      select coalesce(jsonb_agg(t.one - 'column' order by (t.one ->> 'parent') is not null, s.subtask_position, t.place), '[]')
      from jsonb_array_elements(private.document_of_tasks(task.project_id, chosen, task.id, coalesce(first_day, current_date), false))
        with ordinality as t (one, place)
      join public.tasks s on s.id = (t.one ->> 'id')::uuid
    ),
    'dependencies', private.document_of_dependencies(task.project_id, chosen)
  ));
end
$$;
grant execute on function private.document_of_task(public.tasks) to authenticated, service_role;

-- Making rows of a document -------------------------------------------------------------------------------------------

-- A new id for each task.
create or replace function private.ids_of_tasks(body jsonb) returns jsonb
language sql volatile set search_path = '' as $$
  select coalesce(jsonb_object_agg(t ->> 'id', private.uuid_v7()), '{}') from jsonb_array_elements(body -> 'tasks') t
$$;
grant execute on function private.ids_of_tasks(jsonb) to authenticated, service_role;

-- For each label, field and option of a document its id in the project, found by name; labels that are missing are created, with the id that
-- `label_ids` has for their name in lower case.
create or replace function private.ids_in_project(body jsonb, in_project uuid, label_ids jsonb) returns jsonb
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
grant execute on function private.ids_in_project(jsonb, uuid, jsonb) to authenticated, service_role;

-- A value with its ids replaced. What names something that does not exist is dropped, and with it the condition, the order or the width that
-- was about it; null: nothing is left.
create or replace function private.with_new_ids(value jsonb, ids jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  part text[];
  answer jsonb;
  one record;
  renewed jsonb;
  name text;
begin
  case jsonb_typeof(value)
    when 'string' then
      part := regexp_match(value #>> '{}', '^(.*[.:])?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
      return case when part is null then value when ids ? part[2] then to_jsonb(concat(part[1], ids ->> part[2])) end;
    when 'array' then
      if value = '[]' then
        return value;
      end if;
      select jsonb_agg(e.renewed order by e.place) into answer
      from (
        select private.with_new_ids(a.one, ids) as renewed, a.place from jsonb_array_elements(value) with ordinality as a (one, place)
      ) e where e.renewed is not null;
      return answer;
    when 'object' then
      if value = '{}' then
        return value;
      end if;
      for one in select o.key, o.value as held from jsonb_each(value) o loop
        name := private.with_new_ids(to_jsonb(one.key), ids) #>> '{}';
        renewed := private.with_new_ids(one.held, ids);
        if name is null or renewed is null then
          -- a condition without what it asks for, an order without what it goes by
          if value ?| array['property', 'by'] then
            return null;
          end if;
          continue;
        end if;
        answer := coalesce(answer, '{}') || jsonb_build_object(name, renewed);
      end loop;
      return answer;
    else
      return value;
  end case;
end
$$;
grant execute on function private.with_new_ids(jsonb, jsonb) to authenticated, service_role;

-- Labels, people, checklists, fields and dependencies of the tasks. `ids` leads from each id of the document to that in the project; an option
-- of a field is found under "<field>/<option>".
create or replace function private.fill_task_parts(to_project uuid, body jsonb, ids jsonb, starts date) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.task_label_links (project_id, task_id, label_id)
  select distinct to_project, (ids ->> (t ->> 'id'))::uuid, (ids ->> l)::uuid
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements_text(coalesce(t -> 'labels', '[]')) l
  where ids ? l;
  perform set_config('kanbase.copying', 'on', true);
  insert into public.task_assignees (project_id, task_id, user_id)
  select distinct to_project, (ids ->> (t ->> 'id'))::uuid, m.user_id
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements_text(coalesce(t -> 'people', '[]')) p
  join public.project_members m on m.project_id = to_project and m.user_id = p::uuid;
  perform set_config('kanbase.copying', 'off', true);
  insert into public.task_checklist_items (project_id, task_id, title, is_done, position)
  select to_project, (ids ->> (t ->> 'id'))::uuid, i.one ->> 'title', coalesce((i.one ->> 'is_done')::boolean, false), i.place
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements(coalesce(t -> 'checklist', '[]')) with ordinality as i (one, place);

  with held as materialized (
    select (ids ->> (t ->> 'id'))::uuid as task_id, f.id as field_id, private.read_field_value(f.kind, f.options, case f.kind
      when 'select' then ids -> (v.key || '/' || (v.value #>> '{}'))
      when 'multi_select' then (
        select jsonb_agg(ids -> (v.key || '/' || o)) from jsonb_array_elements_text(v.value) o where ids ? (v.key || '/' || o))
      else private.day_of_document(f.kind, v.value, starts)
    end) as value, f as field
    from jsonb_array_elements(body -> 'tasks') t, jsonb_each(coalesce(t -> 'fields', '{}')) v
    join public.custom_fields f on f.project_id = to_project and f.id = (ids ->> v.key)::uuid
  )
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select to_project, h.task_id, h.field_id, h.value from held h
  where h.value is not null and private.may_hold(h.field, h.value)
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;

  insert into public.task_dependencies (project_id, predecessor_id, successor_id, lag_days)
  select to_project, (ids ->> (d ->> 'predecessor'))::uuid, (ids ->> (d ->> 'successor'))::uuid, coalesce((d ->> 'lag_days')::integer, 0)
  from jsonb_array_elements(body -> 'dependencies') d;
end
$$;
grant execute on function private.fill_task_parts(uuid, jsonb, jsonb, date) to authenticated, service_role;

-- The tasks of a document: each in its column, or all in one.
create or replace function private.fill_tasks(to_project uuid, body jsonb, ids jsonb, starts date, in_column uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if coalesce(jsonb_array_length(body -> 'tasks'), 0) = 0 then
    return;
  end if;
  -- The outline before any column, as every change of tasks takes its locks.
  perform private.lock_outline(to_project, false);
  insert into public.tasks (id, project_id, column_id, title, description, priority, start_date, due_date, estimate, parent_id, subtask_position)
  select (ids ->> (t.one ->> 'id'))::uuid, to_project, coalesce(in_column, (ids ->> (t.one ->> 'column'))::uuid), t.one ->> 'title',
    coalesce(t.one ->> 'description', ''), coalesce((t.one ->> 'priority')::public.task_priority, 'p2'),
    starts + (t.one ->> 'start_in')::integer, starts + (t.one ->> 'due_in')::integer, (t.one ->> 'estimate')::numeric,
    (ids ->> (t.one ->> 'parent'))::uuid, case when t.one ->> 'parent' is not null then t.place end
  from jsonb_array_elements(body -> 'tasks') with ordinality as t (one, place)
  order by t.place;
  perform private.fill_task_parts(to_project, body, ids, starts);
  -- Ids of a document are those of the tasks that it was made of.
  perform private.carry_outside_words((t ->> 'id')::uuid, (ids ->> (t ->> 'id'))::uuid) from jsonb_array_elements(body -> 'tasks') t;
end
$$;
grant execute on function private.fill_tasks(uuid, jsonb, jsonb, date, uuid) to authenticated, service_role;

create or replace function private.fill_views(to_project uuid, body jsonb, ids jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.saved_views (id, project_id, name, layout, filter, "grouping", lanes, sort, shown, is_shared, position)
  select (ids ->> (v.one ->> 'id'))::uuid, to_project, v.one ->> 'name', v.one ->> 'layout',
    coalesce(private.with_new_ids(nullif(v.one -> 'filter', 'null'), ids), '{}'),
    private.with_new_ids(v.one -> 'grouping', ids) #>> '{}', private.with_new_ids(v.one -> 'lanes', ids) #>> '{}',
    coalesce(private.with_new_ids(nullif(v.one -> 'sort', 'null'), ids), '[]'),
    coalesce(private.with_new_ids(nullif(v.one -> 'shown', 'null'), ids), '{}'),
    coalesce((v.one ->> 'is_shared')::boolean, true), v.place
  from jsonb_array_elements(body -> 'views') with ordinality as v (one, place) order by v.place;
  insert into public.view_defaults (project_id, user_id, view_id)
  select to_project, null, (ids ->> (body ->> 'first_view'))::uuid where body ->> 'first_view' is not null;
end
$$;
grant execute on function private.fill_views(uuid, jsonb, jsonb) to authenticated, service_role;

-- Everything in the document of a template, into an empty project of the caller's.
create or replace function private.fill_project_from_template(to_project uuid, body jsonb, starts date) returns void
language plpgsql volatile set search_path = '' as $$
declare
  ids jsonb := private.ids_of_tasks(body);
begin
  ids := ids || (
    select coalesce(jsonb_object_agg(e ->> 'id', private.uuid_v7()), '{}')
    from unnest(array['columns', 'labels', 'fields', 'views']) part, jsonb_array_elements(coalesce(body -> part, '[]')) e
  );
  insert into public.custom_fields (id, project_id, name, kind, options, unit, position)
  select (ids ->> (f.one ->> 'id'))::uuid, to_project, f.one ->> 'name', (f.one ->> 'kind')::public.custom_field_kind,
    coalesce(f.one -> 'options', '[]'), f.one ->> 'unit', f.place
  from jsonb_array_elements(body -> 'fields') with ordinality as f (one, place) order by f.place;
  insert into public.workflow_columns (id, project_id, name, kind, position, wip_limit, color, required_fields)
  select (ids ->> (c.one ->> 'id'))::uuid, to_project, c.one ->> 'name', (c.one ->> 'kind')::public.workflow_column_kind, c.place,
    (c.one ->> 'wip_limit')::integer, c.one ->> 'color',
    array(select (ids ->> n)::uuid from jsonb_array_elements_text(coalesce(c.one -> 'required_fields', '[]')) n)
  from jsonb_array_elements(body -> 'columns') with ordinality as c (one, place) order by c.place;
  insert into public.task_labels (id, project_id, name, color)
  select (ids ->> (l.one ->> 'id'))::uuid, to_project, l.one ->> 'name', l.one ->> 'color'
  from jsonb_array_elements(body -> 'labels') with ordinality as l (one, place) order by l.place;
  -- Options keep their ids, and so do people who belong here; views name them.
  ids := ids || (
    select coalesce(jsonb_object_agg(e.name, o ->> 'id'), '{}')
    from jsonb_array_elements(body -> 'fields') f, jsonb_array_elements(coalesce(f -> 'options', '[]')) o,
      unnest(array[o ->> 'id', (f ->> 'id') || '/' || (o ->> 'id')]) as e (name)
  ) || (
    select jsonb_object_agg(m.user_id, m.user_id) from public.project_members m where m.project_id = to_project and m.user_id is not null
  );
  perform private.fill_tasks(to_project, body, ids, starts, null);
  -- After the tasks, which say themselves what they hold.
  update public.custom_fields f set default_value = d -> 'default_value'
  from jsonb_array_elements(body -> 'fields') d
  where f.project_id = to_project and f.id = (ids ->> (d ->> 'id'))::uuid and d ? 'default_value'
    and private.may_hold(f, d -> 'default_value');
  perform private.fill_views(to_project, body, ids);
end
$$;
grant execute on function private.fill_project_from_template(uuid, jsonb, date) to authenticated, service_role;
