-- Values of custom fields: one row a task and field, and none where nothing is entered. Triggers check a value against its field, index it for
-- search and record it as activity. Values go to another project with their task, where that has a field of the same name and kind and, of
-- options, one of the same name; the rest is announced before the move and comes back with the task (tasks/moving-to-project.sql).

select private.project_rows('public.task_field_values', writes => '{project_id, task_id, field_id, value}',
  fixed => '{project_id, task_id, field_id}', guests => 'write');
comment on table public.task_field_values is 'What tasks hold in the fields of their project. No row: nothing. Values are JSON, so they compare as what they are: field_id=eq.…&value=gt.5.';
comment on column public.task_field_values.project_id is 'The project; filled from the task when left out.';
comment on column public.task_field_values.field_id is 'The field, of the same project.';
comment on column public.task_field_values.value is 'By the kind of its field: a text, a number, a day as "2026-12-31", the id of an option, a list of them, a user id, an address, true or false. Checked by the database (23514).';

-- Triggers fire by name: the project first, then the value against its field.
create or replace trigger task_field_values_a_project before insert on public.task_field_values for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_field_values_b_check before insert or update on public.task_field_values
  for each row execute function private.check_field_value();
create or replace trigger task_field_values_index after insert on public.task_field_values for each row
  when (jsonb_typeof(new.value) = 'string') execute function private.index_field_value();
create or replace trigger task_field_values_index_change after update on public.task_field_values for each row
  when (jsonb_typeof(new.value) = 'string' and old.value <> new.value) execute function private.index_field_value();
create or replace trigger task_field_values_index_gone after delete on public.task_field_values for each row
  when (jsonb_typeof(old.value) = 'string') execute function private.index_field_value();
-- At depth 0: neither defaults of a new task, nor values that go with a field, an option or a member.
create or replace trigger task_field_values_record after insert or delete on public.task_field_values for each row
  when (pg_trigger_depth() = 0) execute function private.record_field_value();
create or replace trigger task_field_values_record_change after update on public.task_field_values for each row
  when (pg_trigger_depth() = 0 and old.value <> new.value) execute function private.record_field_value();

-- Values against their field ----------------------------------------------------------------------------------------------

-- Looks for the field with the rights of the caller and locks it: no option is removed while a value takes it. A field that is not there is
-- refused by the foreign key, or by the policy.
create or replace function private.check_field_value() returns trigger
language plpgsql set search_path = '' as $$
declare
  field public.custom_fields;
  checked jsonb;
begin
  select f.* into field from public.custom_fields f where f.project_id = new.project_id and f.id = new.field_id for share;
  if not found then
    return new;
  end if;
  checked := private.read_field_value(field.kind, field.options, new.value);
  if checked is null or (field.kind = 'person' and not private.lock_member(new.project_id, (checked #>> '{}')::uuid)) then
    perform private.refuse_field_value('task_field_values', field);
  end if;
  new.value := checked;
  return new;
end
$$;

-- Deletes the values of options that are removed.
create or replace function private.delete_option_values() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  gone constant jsonb := coalesce((
    select jsonb_agg(o -> 'id') from jsonb_array_elements(old.options) o
    where not exists (select from jsonb_array_elements(new.options) n where n -> 'id' = o -> 'id')
  ), '[]');
begin
  if gone = '[]' then
    return null;
  end if;
  delete from public.task_field_values v
  where v.project_id = new.project_id and v.field_id = new.id
    and case jsonb_typeof(v.value) when 'array' then gone @> v.value else gone @> jsonb_build_array(v.value) end;
  update public.task_field_values v
  set value = (select jsonb_agg(e) from jsonb_array_elements(v.value) e where not gone @> jsonb_build_array(e))
  where v.project_id = new.project_id and v.field_id = new.id and jsonb_typeof(v.value) = 'array'
    and exists (select from jsonb_array_elements(v.value) e where gone @> jsonb_build_array(e));
  return null;
end
$$;

-- Clears fields that name a person who is no longer a member.
create or replace function private.clear_person_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.project_exists(old.project_id) then
    return null;
  end if;
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = old.project_id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and v.value = to_jsonb(old.user_id::text);
  update public.custom_fields f set default_value = null
  where f.project_id = old.project_id and f.kind = 'person' and f.default_value = to_jsonb(old.user_id::text);
  return null;
end
$$;

create or replace function public.custom_field_use(field_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from public.custom_fields f where f.id = custom_field_use.field_id) then
    perform private.raise_not_found('field');
  end if;
  return jsonb_build_object(
    'tasks', (select count(*) from public.task_field_values v where v.field_id = custom_field_use.field_id),
    'options', (
      select coalesce(jsonb_object_agg(o ->> 'id', (
        select count(*) from public.task_field_values v
        where v.project_id = f.project_id and v.field_id = f.id and (v.value = o -> 'id' or v.value @> jsonb_build_array(o -> 'id'))
      )), '{}')
      from public.custom_fields f cross join jsonb_array_elements(f.options) o
      where f.id = custom_field_use.field_id
    )
  );
end
$$;
grant execute on function public.custom_field_use(uuid) to service_role, authenticated;
comment on function public.custom_field_use(uuid) is 'What would be lost with a field or one of its options: {"tasks": how many hold something in it, "options": {id: how many}}.';

-- Values in words ---------------------------------------------------------------------------------------------------------

create or replace function private.names_of_options(options jsonb, value jsonb) returns text
language sql immutable set search_path = '' as $$
  select string_agg(o.one ->> 'name', ', ' order by o.place) from jsonb_array_elements(options) with ordinality as o (one, place)
  where o.one -> 'id' = value or (jsonb_typeof(value) = 'array' and value @> jsonb_build_array(o.one -> 'id'))
$$;
grant execute on function private.names_of_options(jsonb, jsonb) to authenticated, service_role;

-- By the names of the fields, as people read them.
create or replace function private.fields_as_text(of_project uuid, of_task uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(f.name, case f.kind
    when 'select' then to_jsonb(private.names_of_options(f.options, v.value))
    when 'multi_select' then to_jsonb(private.names_of_options(f.options, v.value))
    when 'person' then to_jsonb((select p.display_name from public.profiles p where p.id = (v.value #>> '{}')::uuid))
    else v.value
  end), '{}')
  from public.task_field_values v
  join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
  where v.project_id = of_project and v.task_id = of_task
$$;
grant execute on function private.fields_as_text(uuid, uuid) to authenticated, service_role;

create or replace function private.record_field_value() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  field public.custom_fields;
  was constant jsonb := case when tg_op <> 'INSERT' then old.value end;
  becomes constant jsonb := case when tg_op <> 'DELETE' then new.value end;
begin
  select f.* into field from public.custom_fields f where f.id = coalesce(new.field_id, old.field_id);
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id), 'updated',
    jsonb_build_object('field', jsonb_strip_nulls(jsonb_build_object(
      'field_id', field.id, 'name', field.name, 'kind', field.kind, 'unit', field.unit,
      -- the names that options have now
      'from_name', private.names_of_options(field.options, was), 'to_name', private.names_of_options(field.options, becomes)
    )) || jsonb_build_object('from', was, 'to', becomes)));
  return null;
end
$$;

-- Move to another project -------------------------------------------------------------------------------------------------

-- Fields of people hold members only.
create or replace function private.may_hold(field public.custom_fields, value jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return field.kind <> 'person' or exists (
    select from public.project_members m
    where m.project_id = field.project_id and m.user_id = (may_hold.value #>> '{}')::uuid and private.is_reader(field.project_id)
  );
end
$$;
grant execute on function private.may_hold(public.custom_fields, jsonb) to authenticated, service_role;

-- {field_id, value} as the other project stores it; null: no field there can hold it. Options are compared by their names in lower case.
create or replace function private.value_in(
  in_project uuid, field_name text, field_kind public.custom_field_kind, value jsonb, option_names jsonb
) returns jsonb
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
grant execute on function private.value_in(uuid, text, public.custom_field_kind, jsonb, jsonb) to authenticated, service_role;

-- Runs when the task is there.
create or replace function private.move_field_values() returns trigger
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
