-- What a task holds in fields goes to another project with it, where that has a field of the same name and kind and, of options, one of the
-- same name; the rest is told before and comes back with the task. The procedures are those of 0781_move_tasks_to_project.sql.

-- Members alone are held by fields of people.
create function private.may_hold(field public.custom_fields, value jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return field.kind <> 'person' or exists (
    select from public.project_members m where m.project_id = field.project_id and m.user_id = (may_hold.value #>> '{}')::uuid
  );
end
$$;

-- The value as that project keeps it, in which field; null: it has no place there. Options are known by their names in lower case.
create function private.value_in(in_project uuid, field_name text, field_kind public.custom_field_kind, value jsonb, option_names jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('field_id', f.id, 'value', v.value)
  from public.custom_fields f
  cross join lateral (
    select private.read_field_value(f.kind, f.options, case f.kind
      when 'select' then (select o -> 'id' from jsonb_array_elements(f.options) o where lower(o ->> 'name') = option_names ->> 0)
      when 'multi_select' then (
        select jsonb_agg(o -> 'id') from jsonb_array_elements(f.options) o where option_names @> jsonb_build_array(lower(o ->> 'name'))
      )
      else value_in.value
    end) as value
  ) v
  where f.project_id = in_project and lower(f.name) = lower(field_name) and f.kind = field_kind
    and v.value is not null and private.may_hold(f, v.value)
$$;
grant execute on function private.may_hold(public.custom_fields, jsonb), private.value_in(uuid, text, public.custom_field_kind, jsonb, jsonb)
  to authenticated, service_role;

create or replace function private.let_go_of_project(moving uuid[], to_project uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone jsonb;
  parts jsonb;
begin
  parts := (
    select jsonb_object_agg(t.id, jsonb_build_object('parent_id', t.parent_id, 'subtask_position', t.subtask_position))
    from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)
  );
  update public.tasks t set parent_id = null where t.id = any (moving) and t.parent_id <> all (moving);
  with strangers as (
    delete from public.task_assignees a where a.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
    returning a.task_id, a.user_id
  ), onlookers as (
    delete from public.task_watchers w where w.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    returning w.task_id, w.user_id, w.reason, w.is_watching
  ), ties as (
    delete from public.task_dependencies d
    where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    returning d.*
  ), held as (
    delete from public.task_field_values v where v.task_id = any (moving)
    returning v.task_id, v.field_id, v.value
  )
  select jsonb_object_agg(m.task_id, jsonb_build_object(
    'fields', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'field_id', f.id, 'name', f.name, 'kind', f.kind, 'value', h.value, 'options', (
          select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
          where o -> 'id' = h.value or (jsonb_typeof(h.value) = 'array' and h.value @> jsonb_build_array(o -> 'id'))
        )
      )), '[]')
      from held h join public.custom_fields f on f.id = h.field_id where h.task_id = m.task_id
    ),
    'assignees', (select coalesce(jsonb_agg(s.user_id), '[]') from strangers s where s.task_id = m.task_id),
    'watchers', (select coalesce(jsonb_agg(to_jsonb(o) - 'task_id'), '[]') from onlookers o where o.task_id = m.task_id),
    'dependencies', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from ties d where m.task_id in (d.predecessor_id, d.successor_id))
  ) || coalesce(parts -> m.task_id::text, '{}')) into gone
  from unnest(moving) m (task_id);
  -- Also that they do not work on it any more: of a task they cannot see there is nothing to hear.
  delete from public.notifications n where n.task_id = any (moving)
    and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = n.user_id);
  return gone;
end
$$;

create or replace function private.take_up_again(task_id uuid, in_project uuid, left_behind jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  tie jsonb;
begin
  begin
    update public.tasks t set parent_id = (left_behind ->> 'parent_id')::uuid, subtask_position = (left_behind ->> 'subtask_position')::double precision
    where t.project_id = in_project and t.id = take_up_again.task_id and exists (
      select from public.tasks p where p.project_id = in_project and p.id = (left_behind ->> 'parent_id')::uuid
    );
  exception when sqlstate 'KB008' or sqlstate 'KB009' then
    -- What it was a part of has come under it meanwhile, or too far down.
    null;
  end;
  insert into public.task_assignees (project_id, task_id, user_id)
  select in_project, take_up_again.task_id, m.user_id from public.project_members m
  where m.project_id = in_project and m.user_id = any (array(select jsonb_array_elements_text(left_behind -> 'assignees')::uuid))
  on conflict do nothing;
  insert into public.task_watchers (project_id, task_id, user_id, reason, is_watching)
  select in_project, take_up_again.task_id, w.user_id, w.reason, w.is_watching
  from jsonb_to_recordset(left_behind -> 'watchers') as w (user_id uuid, reason text, is_watching boolean)
  join public.project_members m on m.project_id = in_project and m.user_id = w.user_id
  on conflict do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select in_project, take_up_again.task_id, f.id, private.read_field_value(f.kind, f.options, e.value)
  from jsonb_to_recordset(coalesce(left_behind -> 'fields', '[]')) as e (field_id uuid, value jsonb)
  join public.custom_fields f on f.project_id = in_project and f.id = e.field_id
  where private.read_field_value(f.kind, f.options, e.value) is not null and private.may_hold(f, e.value)
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  for tie in select e from jsonb_array_elements(left_behind -> 'dependencies') e loop
    begin
      insert into public.task_dependencies (id, project_id, predecessor_id, successor_id, type, lag_days)
      select (tie ->> 'id')::uuid, in_project, p.id, s.id, (tie ->> 'type')::public.dependency_type, (tie ->> 'lag_days')::integer
      from public.tasks p, public.tasks s
      where p.id = (tie ->> 'predecessor_id')::uuid and p.project_id = in_project
        and s.id = (tie ->> 'successor_id')::uuid and s.project_id = in_project
      on conflict do nothing;
    exception when sqlstate 'KB002' then
      -- Others have made the opposite one meanwhile.
      null;
    end;
  end loop;
end
$$;

-- When the task is there.
create function private.carry_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select new.project_id, new.id, (there.held ->> 'field_id')::uuid, there.held -> 'value'
  from private.former_places p
  cross join jsonb_to_recordset(coalesce(p.left_behind -> 'fields', '[]')) as e (name text, kind public.custom_field_kind, value jsonb, options jsonb)
  cross join lateral (select private.value_in(new.project_id, e.name, e.kind, e.value, e.options) as held) there
  where p.project_id = old.project_id and p.task_id = new.id and there.held is not null
  on conflict do nothing;
  return null;
end
$$;
create trigger tasks_88_carry_fields after update on public.tasks for each row
  when (old.project_id <> new.project_id) execute function private.carry_fields();

create or replace function public.foresee_move_to_project(task_ids uuid[], project_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  to_project constant uuid := foresee_move_to_project.project_id;
  moving constant uuid[] := array(
    select t.id from public.tasks t where t.id in (select private.with_subtasks(task_ids)) and t.project_id <> to_project
  );
begin
  if not exists (select from public.projects p where p.id = to_project) then
    perform private.raise_not_found('project');
  elsif (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  end if;
  return jsonb_build_object(
    'tasks', cardinality(moving),
    'subtasks', (select count(*) from unnest(moving) m where m <> all (task_ids)),
    'parents_left', (select count(*) from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)),
    'columns', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('from', was.name, 'to', c.name, 'to_id', c.id, 'from_id', was.id)), '[]')
      from public.tasks t
      join public.workflow_columns was on was.id = t.column_id
      left join public.workflow_columns c on c.id = private.column_in(to_project, was.id)
      where t.id = any (moving)
    ),
    'labels_made', (
      select coalesce(jsonb_agg(n.name order by n.name), '[]') from (
        select distinct on (lower(l.name)) l.name
        from public.task_label_links k join public.task_labels l on l.id = k.label_id
        where k.task_id = any (moving)
          and not exists (select from public.task_labels o where o.project_id = to_project and lower(o.name) = lower(l.name))
        order by lower(l.name)
      ) n
    ),
    'fields_left', (
      select coalesce(jsonb_agg(distinct f.name order by f.name), '[]')
      from public.task_field_values v join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
      where v.task_id = any (moving) and private.value_in(to_project, f.name, f.kind, v.value, (
        select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
        where o -> 'id' = v.value or (jsonb_typeof(v.value) = 'array' and v.value @> jsonb_build_array(o -> 'id'))
      )) is null
    ),
    'people_left', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', n.user_id, 'name', n.name) order by n.name), '[]') from (
        select distinct a.user_id, p.display_name as name
        from public.task_assignees a left join public.profiles p on p.id = a.user_id
        where a.task_id = any (moving)
          and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
      ) n
    ),
    'watchers_left', (
      select count(distinct w.user_id) from public.task_watchers w
      where w.task_id = any (moving) and w.is_watching
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    ),
    'dependencies_left', (
      select count(*) from public.task_dependencies d where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    ),
    -- Who could read it and cannot any more.
    'readers_left', (
      select count(distinct o.user_id)
      from public.project_members o
      where o.project_id in (select t.project_id from public.tasks t where t.id = any (moving))
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = o.user_id)
    )
  );
end
$$;

comment on function public.foresee_move_to_project(uuid[], uuid) is 'What moving these tasks to another project would mean: columns ({from, to, from_id, to_id}), subtasks (how many go along with their parents), parents_left (subtasks whose parent stays), labels_made (names), fields_left (names of fields whose values have no place there), people_left (assignees who are no members there), watchers_left, dependencies_left, readers_left (members of the projects they leave who cannot see them any more), and how many tasks would move.';
comment on function public.move_tasks_to_project(uuid[], uuid, uuid, boolean) is 'Moves tasks to another project, all or none, with subtasks, comments, checklist, attachments, history and the dependencies among them. They get new numbers there, and the column of the same name (or kind; or column_id) at its end; labels are found by name or made; what a task holds in fields goes along where there is one of the same name and kind. Who works on them or watches and is no member there is dropped, as are dependencies on tasks that stay; a subtask whose parent stays is a task of its own there. Needs owner or editor of both projects. Addresses and keys they had lead to them. brings_back: what they left behind when they went away from this project comes back, which is how a move is undone. Up to 1,000 tasks; returns them and their subtasks.';
