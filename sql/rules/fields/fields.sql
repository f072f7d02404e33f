-- Custom fields: fields that a project gives its tasks beside those every task has, with their options, unit and default.
-- read_field_value decides which values a field can hold; values of tasks are in values.sql.

select private.project_rows('public.custom_fields', writes => '{id, project_id, name, kind, options, unit, default_value, position}',
  fixed => '{id, project_id, kind}', guests => 'read');
comment on table public.custom_fields is 'Fields that tasks of a project have beside those every task has, in their order; up to 50 (KB012).';
comment on column public.custom_fields.name is 'Unique in the project, letter case aside.';
comment on column public.custom_fields.kind is 'What it holds. Cannot be changed.';
comment on column public.custom_fields.options is 'Of select and multi_select: up to 100 of {"id", "name", "color"} in their order, e.g. [{"id": "high", "name": "High", "color": "#aa2200"}]. Values keep the ids; those of an option that is taken out go with it (custom_field_use says how many).';
comment on column public.custom_fields.unit is 'Of numbers: what they count, shown behind them.';
comment on column public.custom_fields.default_value is 'What new tasks begin with; empty: nothing.';
comment on column public.custom_fields.position is 'Top to bottom; fractions are welcome. Left out: at the end.';

create or replace trigger custom_fields_default before insert or update on public.custom_fields for each row
  when (new.default_value is not null) execute function private.check_field_default();
create or replace trigger custom_fields_place before insert on public.custom_fields for each row
  when (new.position is null) execute function private.place_custom_field();
create or replace trigger custom_fields_delete_option_values after update on public.custom_fields for each row
  when (old.options <> new.options) execute function private.delete_option_values();
create or replace trigger custom_fields_limit after insert on public.custom_fields for each row execute function private.limit_custom_fields();
create or replace trigger custom_fields_record after insert or update or delete on public.custom_fields
  for each row execute function private.record_setup('custom_field', 'name', 'options', 'unit', 'default_value');
create or replace trigger custom_fields_remove_required after delete on public.custom_fields
  for each row execute function private.remove_required_field();

-- A field without a position goes to the end.
create or replace function private.place_custom_field() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select coalesce(max(f.position), 0) + 1 into new.position from public.custom_fields f where f.project_id = new.project_id;
  return new;
end
$$;

-- Runs when the row is in, so a foreign project is refused by its policy before anything is counted.
create or replace function private.limit_custom_fields() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 50;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.project_id::text, 3084));
  if (select count(*) from public.custom_fields f where f.project_id = new.project_id) > most then
    perform private.refuse('KB012', format('a project has no more than %s fields', most), 'Delete a field that nobody uses any more.');
  end if;
  return null;
end
$$;

-- The value as it is stored, or null where the field cannot hold it: trimmed texts, options in the order of the field.
-- It does not check that a person is a member: may_hold does.
create or replace function private.read_field_value(kind public.custom_field_kind, options jsonb, value jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  words constant text := case when jsonb_typeof(value) = 'string' then btrim(value #>> '{}', E' \t\r\n') end;
  day date;
begin
  case kind
    when 'text' then
      return case when words <> '' and char_length(words) <= 5000 then to_jsonb(words) end;
    when 'number' then
      return case when jsonb_typeof(value) = 'number' and abs((value #>> '{}')::numeric) < 1e15 and scale((value #>> '{}')::numeric) <= 10 then value end;
    when 'date' then
      if words !~ '^\d{4}-\d\d-\d\d$' then
        return null;
      end if;
      begin
        day := words::date;
      exception when others then
        return null;
      end;
      return to_jsonb(words);
    when 'select' then
      return case when exists (select from jsonb_array_elements(options) o where o ->> 'id' = words) then to_jsonb(words) end;
    when 'multi_select' then
      if jsonb_typeof(value) is distinct from 'array' or exists (
        select from jsonb_array_elements(value) v where not exists (select from jsonb_array_elements(options) o where o -> 'id' = v)
      ) then
        return null;
      end if;
      return (
        select jsonb_agg(o.one -> 'id' order by o.place) from jsonb_array_elements(options) with ordinality as o (one, place)
        where value @> jsonb_build_array(o.one -> 'id')
      );
    when 'person' then
      return case when words ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then to_jsonb(lower(words)) end;
    when 'url' then
      return case when words ~* '^https?://[^[:space:]/?#]+[^[:space:]]*$' and char_length(words) <= 2000 then to_jsonb(words) end;
    when 'checkbox' then
      return case when jsonb_typeof(value) = 'boolean' then value end;
  end case;
end
$$;
grant execute on function private.read_field_value(public.custom_field_kind, jsonb, jsonb) to authenticated, service_role;

-- An error that tells what the field holds.
create or replace function private.refuse_field_value(relation text, field public.custom_fields) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform private.refuse('23514', format('new row for relation "%s" violates check constraint "%s_value_fits_field"', relation, relation),
    case field.kind when 'text' then 'Send a text of up to 5,000 characters.' when 'number' then 'Send a number.' when 'date' then 'Send a day as "2026-12-31".' when 'select' then 'Send the id of one of its options.' when 'multi_select' then 'Send a list of ids of its options.' when 'person' then 'Send the user id of a member of the project.' when 'url' then 'Send an address that begins with https:// or http://.' when 'checkbox' then 'Send true or false.' end,
    format('"%s" is a field of kind %s.', field.name, field.kind));
end
$$;
grant execute on function private.refuse_field_value(text, public.custom_fields) to authenticated, service_role;

-- A default is a value like any other; an option that is removed is no default any more.
create or replace function private.check_field_default() returns trigger
language plpgsql set search_path = '' as $$
declare
  checked jsonb;
begin
  if tg_op = 'UPDATE' and new.default_value is not distinct from old.default_value then
    new.default_value := private.read_field_value(new.kind, new.options, case new.kind
      when 'multi_select' then (
        select jsonb_agg(v) from jsonb_array_elements(new.default_value) v where exists (
          select from jsonb_array_elements(new.options) o where o -> 'id' = v)
      )
      else new.default_value
    end);
    return new;
  end if;
  checked := private.read_field_value(new.kind, new.options, new.default_value);
  if checked is null or (new.kind = 'person' and private.is_reader(new.project_id) and not private.lock_member(new.project_id, (checked #>> '{}')::uuid)) then
    perform private.refuse_field_value('custom_fields', new);
  end if;
  new.default_value := checked;
  return new;
end
$$;

-- A deleted field is required in no column.
create or replace function private.remove_required_field() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.workflow_columns c set required_fields = array_remove(c.required_fields, old.id)
  where c.project_id = old.project_id and old.id = any (c.required_fields);
  return null;
end
$$;
