-- What tasks hold in the fields of their project (0805_custom_fields.sql): one row a task and field, and none where nothing is entered.

create table public.task_field_values (
  project_id uuid not null,
  task_id uuid not null,
  field_id uuid not null,
  value jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, task_id, field_id),
  constraint task_field_values_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint task_field_values_field_of_same_project foreign key (project_id, field_id)
    references public.custom_fields (project_id, id) on delete cascade
);
create index task_field_values_field_idx on public.task_field_values (project_id, field_id);
create index task_field_values_task_id_idx on public.task_field_values (task_id, field_id);

alter table public.task_field_values enable row level security;

create policy read on public.task_field_values for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy add on public.task_field_values for insert to authenticated
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
create policy change on public.task_field_values for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
-- lets every member through: task_field_values_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.task_field_values for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on public.task_field_values to service_role using (true) with check (true);

grant select on public.task_field_values to anon, authenticated;
grant insert (project_id, task_id, field_id, value, created_at, updated_at),
  update (project_id, task_id, field_id, value, created_at, updated_at), delete
  on public.task_field_values to authenticated;
grant all on public.task_field_values to service_role;

create trigger task_field_values_keep_new before insert on public.task_field_values for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_field_values_keep before update on public.task_field_values for each row execute function private.keep_times();
create trigger task_field_values_refuse_change before update on public.task_field_values for each row
  when (old.project_id <> new.project_id or old.task_id <> new.task_id or old.field_id <> new.field_id)
  execute function private.refuse_change('project_id', 'task_id', 'field_id');
create trigger task_field_values_refuse_delete before delete on public.task_field_values for each row
  when (row_security_active('public.task_field_values') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

-- Triggers go by their names: the project first, then the value against its field.
create trigger task_field_values_a_project before insert on public.task_field_values for each row
  when (new.project_id is null) execute function private.fill_project();

-- Looks for the field with the caller's eyes and holds it: no option goes while a value takes it. One that is not there is refused by the
-- key, or by the policy.
create function private.check_field_value() returns trigger
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
  if checked is null or (field.kind = 'person' and not private.hold_member(new.project_id, (checked #>> '{}')::uuid)) then
    perform private.refuse_field_value('task_field_values', field);
  end if;
  new.value := checked;
  return new;
end
$$;
create trigger task_field_values_b_check before insert or update on public.task_field_values for each row execute function private.check_field_value();

-- What goes ---------------------------------------------------------------------------------------------------------------

-- The values of options that are taken out.
create function private.forget_options() returns trigger
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
create trigger custom_fields_forget_options after update on public.custom_fields for each row
  when (old.options <> new.options) execute function private.forget_options();

-- Somebody who is no member any more stands in no field.
create function private.clear_person_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = old.project_id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and v.value = to_jsonb(old.user_id::text);
  update public.custom_fields f set default_value = null
  where f.project_id = old.project_id and f.kind = 'person' and f.default_value = to_jsonb(old.user_id::text);
  return null;
end
$$;
create trigger project_members_clear_fields after delete on public.project_members
  for each row execute function private.clear_person_fields();

create function public.custom_field_use(field_id uuid) returns jsonb
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
grant execute on function public.custom_field_use(uuid) to authenticated, service_role;

-- What new tasks begin with ------------------------------------------------------------------------------------------------

create function private.fill_field_defaults() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select m.project_id, m.id, f.id, f.default_value
  from made m
  join public.custom_fields f on f.project_id = m.project_id
  where f.default_value is not null
  on conflict do nothing;
  return null;
end
$$;
create trigger tasks_93_field_defaults after insert on public.tasks
  referencing new table as made for each statement execute function private.fill_field_defaults();

-- As before (0801), with what the first holds in its fields.
create or replace function private.copy_task_parts(in_project uuid, from_task uuid, to_task uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.task_label_links (project_id, task_id, label_id)
  select l.project_id, to_task, l.label_id from public.task_label_links l where l.project_id = in_project and l.task_id = from_task;
  insert into public.task_assignees (project_id, task_id, user_id)
  select a.project_id, to_task, a.user_id from public.task_assignees a where a.project_id = in_project and a.task_id = from_task;
  insert into public.task_checklist_items (project_id, task_id, title, position)
  select i.project_id, to_task, i.title, i.position from public.task_checklist_items i
  where i.project_id = in_project and i.task_id = from_task order by i.position, i.id;
  delete from public.task_field_values v where v.project_id = in_project and v.task_id = to_task;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select v.project_id, to_task, v.field_id, v.value from public.task_field_values v where v.project_id = in_project and v.task_id = from_task;
end
$$;

-- The story ------------------------------------------------------------------------------------------------------------------

create function private.record_field_value() returns trigger
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
      'from_name', private.name_options(field.options, was), 'to_name', private.name_options(field.options, becomes)
    )) || jsonb_build_object('from', was, 'to', becomes)));
  return null;
end
$$;
create function private.name_options(options jsonb, value jsonb) returns text
language sql immutable set search_path = '' as $$
  select string_agg(o.one ->> 'name', ', ' order by o.place) from jsonb_array_elements(options) with ordinality as o (one, place)
  where o.one -> 'id' = value or (jsonb_typeof(value) = 'array' and value @> jsonb_build_array(o.one -> 'id'))
$$;
-- Not what a task begins with, nor what goes with a field, an option or a member.
create trigger task_field_values_record after insert or delete on public.task_field_values for each row
  when (pg_trigger_depth() = 0) execute function private.record_field_value();
create trigger task_field_values_record_change after update on public.task_field_values for each row
  when (pg_trigger_depth() = 0 and old.value <> new.value) execute function private.record_field_value();

comment on table public.task_field_values is 'What tasks hold in the fields of their project. No row: nothing. Values are JSON, so they compare as what they are: field_id=eq.…&value=gt.5.';
comment on column public.task_field_values.project_id is 'The project; filled from the task when left out.';
comment on column public.task_field_values.task_id is 'The task.';
comment on column public.task_field_values.field_id is 'The field, of the same project.';
comment on column public.task_field_values.value is 'By the kind of its field: a text, a number, a day as "2026-12-31", the id of an option, a list of them, a user id, an address, true or false. Checked by the database (23514).';
comment on column public.task_field_values.created_at is 'When the row was made; kept by the database.';
comment on column public.task_field_values.updated_at is 'When the row last changed; kept by the database.';
comment on function public.custom_field_use(uuid) is 'What would be lost with a field or one of its options: {"tasks": how many hold something in it, "options": {id: how many}}.';
