-- Where fields of a project count beside their tables: columns that need them, search, what is asked for after a gap, one's own data.

-- Columns that need fields ---------------------------------------------------------------------------------------------------

alter table public.workflow_columns
  add column required_fields uuid[] not null default '{}',
  add constraint workflow_columns_required_fields_are_few check (cardinality(required_fields) <= 50 and array_position(required_fields, null) is null);
grant insert (required_fields), update (required_fields) on public.workflow_columns to authenticated;
comment on column public.workflow_columns.required_fields is 'Fields of the project without which no task is moved here (KB011); a checkbox must be ticked. Tasks that are made here, or stand here, are not asked.';

-- Runs when the row is in, so a foreign project is refused by its policy before anything is looked up.
create function private.check_required_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from unnest(new.required_fields) n (id)
    where not exists (select from public.custom_fields f where f.project_id = new.project_id and f.id = n.id)
  ) then
    raise exception using errcode = '23503', message = 'insert or update on table "workflow_columns" violates "workflow_columns_fields_of_same_project"',
      detail = 'A column needs fields of its own project.', hint = 'Name fields of this project in required_fields.';
  end if;
  return null;
end
$$;
create trigger workflow_columns_required_fields after insert on public.workflow_columns for each row
  when (new.required_fields <> '{}') execute function private.check_required_fields();
create trigger workflow_columns_required_fields_change after update on public.workflow_columns for each row
  when (new.required_fields <> '{}' and old.required_fields <> new.required_fields) execute function private.check_required_fields();

create function private.require_no_more() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.workflow_columns c set required_fields = array_remove(c.required_fields, old.id)
  where c.project_id = old.project_id and old.id = any (c.required_fields);
  return null;
end
$$;
create trigger custom_fields_require_no_more after delete on public.custom_fields
  for each row execute function private.require_no_more();

-- As before (0150), and a column that needs something is entered with it alone: read with the column's kind, which was read anyway.
create or replace function private.place_moved_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  from_kind public.workflow_column_kind;
  to_kind public.workflow_column_kind;
  needed uuid[];
  waits_for text;
  empty_fields text;
begin
  if current_setting('kanbase.spreading', true) = 'on' then
    return new;
  end if;
  perform private.lock_column(new.column_id);

  if old.column_id <> new.column_id then
    select c.kind into from_kind from public.workflow_columns c where c.id = old.column_id;
    select c.kind, c.required_fields into to_kind, needed
    from public.workflow_columns c where c.project_id = new.project_id and c.id = new.column_id;
    if needed <> '{}' then
      select string_agg(f.name, ', ' order by f.position, f.id) into empty_fields
      from public.custom_fields f
      left join public.task_field_values v on v.project_id = f.project_id and v.task_id = new.id and v.field_id = f.id
      where f.project_id = new.project_id and f.id = any (needed) and (v.value is null or v.value = 'false');
      if empty_fields is not null then
        raise exception using
          errcode = 'KB011',
          message = 'the column needs fields that are empty',
          detail = 'Empty fields: ' || empty_fields,
          hint = 'Fill them in first, or take them out of required_fields of the column.';
      end if;
    end if;
    if to_kind = 'done' and from_kind <> 'done' then
      select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
      from public.task_dependencies d
      join public.tasks t on t.project_id = d.project_id and t.id = d.predecessor_id
      join public.projects p on p.id = d.project_id
      where d.project_id = new.project_id and d.successor_id = new.id
        and t.completed_at is null and t.archived_at is null and p.enforce_dependencies;
      if waits_for is not null then
        raise exception using
          errcode = 'KB001',
          message = 'the task waits for others that are not done',
          detail = 'Open predecessors: ' || waits_for,
          hint = 'Finish them first, remove the dependency, or let an owner turn off enforce_dependencies.';
      end if;
    end if;
    new.completed_at := case when to_kind = 'done' then coalesce(old.completed_at, now()) end;
    if to_kind = 'in_progress' then
      new.started_at := coalesce(old.started_at, now());
    end if;
  end if;

  -- Only the column was named: to the end of it.
  if old.order_rank = new.order_rank then
    new.order_rank := private.last_rank(new.project_id, new.column_id);
  else
    new.order_rank := private.free_rank(new.project_id, new.column_id, new.order_rank, new.id);
  end if;
  return new;
end
$$;

-- Search -----------------------------------------------------------------------------------------------------------------------
-- Texts and addresses are found, with the weight of comments.

create or replace function private.index_task(of_task uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.task_search as s (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, concat_ws(' ', (
    select string_agg(v.value #>> '{}', ' ' order by f.position, f.id)
    from public.task_field_values v
    join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id and f.kind in ('text', 'url')
    where v.project_id = t.project_id and v.task_id = t.id
  ), (
    select string_agg(left(c.body, 40000), ' ' order by c.created_at desc)
    from public.task_comments c
    where c.project_id = t.project_id and c.task_id = t.id
  )))
  from public.tasks t
  join public.projects p on p.id = t.project_id -- neither when the task nor when its project is going
  where t.id = of_task
  on conflict (task_id) do update set document = excluded.document;
end
$$;

-- Those of a field that is gone have no kind any more.
create function private.index_field_value() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.custom_fields f where f.id = coalesce(new.field_id, old.field_id) and f.kind not in ('text', 'url')
  ) then
    perform private.index_task(coalesce(new.task_id, old.task_id));
  end if;
  return null;
end
$$;
create trigger task_field_values_index after insert on public.task_field_values for each row
  when (jsonb_typeof(new.value) = 'string') execute function private.index_field_value();
create trigger task_field_values_index_change after update on public.task_field_values for each row
  when (jsonb_typeof(new.value) = 'string' and old.value <> new.value) execute function private.index_field_value();
create trigger task_field_values_index_gone after delete on public.task_field_values for each row
  when (jsonb_typeof(old.value) = 'string') execute function private.index_field_value();

comment on function public.search_tasks(text, uuid, integer) is 'Tasks that match all words of the query, by their beginnings, in number, title, description, fields of text or comments; best first. WEB-12 finds that very task. In one project, or in all the caller''s.';

-- After a gap --------------------------------------------------------------------------------------------------------------------

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
    ('project_invitations', array['id'], '{}')
$$;
-- One's own data -------------------------------------------------------------------------------------------------------------------

-- What a task holds in its fields, by their names, as people read it.
create function private.fields_in_words(of_project uuid, of_task uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(f.name, case f.kind
    when 'select' then to_jsonb(private.name_options(f.options, v.value))
    when 'multi_select' then to_jsonb(private.name_options(f.options, v.value))
    when 'person' then to_jsonb((select p.display_name from public.profiles p where p.id = (v.value #>> '{}')::uuid))
    else v.value
  end), '{}')
  from public.task_field_values v
  join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
  where v.project_id = of_project and v.task_id = of_task
$$;
grant execute on function private.fields_in_words(uuid, uuid), private.name_options(jsonb, jsonb) to authenticated, service_role;

create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_in_words((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid)
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.write_my_data() as data offset 0) as held
$$;
