-- Filters of saved views, as one query over the tasks of a project: for public links to a view, whose policies admit the tasks of its filter alone.
-- The query is composed of the fixed fragments below. What people typed is bound: $1 is the filter, in which a fragment names its value by path, $2
-- today, $3 the time zone, $4 who is "me". The app and the data door read the same filters (web/queries/views/filtering.ts,
-- contract/view-query.ts); test/web/filters.test.ts holds that all mean the same. What cannot be read matches nothing.

create or replace function private.filter_words(value jsonb, me uuid default null) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select case when w = 'me' then coalesce(me::text, w) else w end
    from jsonb_array_elements_text(case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) w)
$$;

-- The words that are looked for, as a pattern in which a dot is a dot.
create or replace function private.filter_pattern(typed text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(typed, '^\s+|\s+$', '', 'g'), '([.*+?^${}()|[\]\\])', '\\\1', 'g')
$$;

create or replace function private.filter_day(value jsonb, today date) returns date
language sql immutable set search_path = '' as $$
  select case
    when value #>> '{}' = 'today' then today
    when value #>> '{}' ~ '^[+-]\d{1,4}$' then today + (value #>> '{}')::integer
    when value #>> '{}' ~ '^\d{4}-\d\d-\d\d$' then (value #>> '{}')::date
  end
$$;

-- `12`, `web-12`, `WEB 12`: key and number.
create or replace function private.filter_key(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select regexp_match(regexp_replace(typed, '^\s+|\s+$', '', 'g'), '^(?:([a-z][a-z0-9]{1,5})[- ]?)?#?([1-9]\d{0,6})$', 'i')
$$;

-- Conditions by kind: `held` is what a task holds, `value` what is looked for, both fragments. A sub-select of the value alone is asked once. Null where
-- the kind has no such operator.
create or replace function private.words_condition(held text, operator text, value text) returns text
language sql immutable set search_path = '' as $$
  select format(case operator
    when 'empty' then '%s is null'
    when 'not_empty' then '%s is not null'
    when 'is' then '%s = (select %s #>> ''{}'')'
    when 'is_not' then '%s is distinct from (select %s #>> ''{}'')'
    when 'contains' then '%s ~* (select private.filter_pattern(%s #>> ''{}''))'
  end, held, value)
$$;

create or replace function private.number_condition(held text, operator text, value text) returns text
language sql immutable set search_path = '' as $$
  select format(case operator
    when 'empty' then '%s is null'
    when 'not_empty' then '%s is not null'
    when 'is' then '%s = %s'
    when 'is_not' then '%s is distinct from %s'
    when 'at_least' then '%s >= %s'
    when 'at_most' then '%s <= %s'
  end, held, format('(select case when jsonb_typeof(%1$s) = ''number'' then (%1$s #>> ''{}'')::numeric end)', value))
$$;

-- A day, or the moments between which one lies.
create or replace function private.moment_condition(held text, operator text, value text, zone text) returns text
language sql immutable set search_path = '' as $$
  select format(case operator
    when 'empty' then '%1$s is null'
    when 'not_empty' then '%1$s is not null'
    when 'is' then '%1$s >= %2$s and %1$s < %3$s'
    when 'is_not' then '%1$s < %2$s or %1$s >= %3$s or %1$s is null'
    when 'before' then '%1$s < %2$s'
    when 'after' then '%1$s >= %3$s'
    when 'on_or_before' then '%1$s < %3$s'
    when 'on_or_after' then '%1$s >= %2$s'
    when 'in_next' then '%1$s >= %4$s and %1$s < %5$s'
    when 'in_last' then '%1$s >= %6$s and %1$s < %7$s'
  end, held, m.begin_of[1], m.begin_of[2], m.begin_of[3], m.begin_of[4], m.begin_of[5], m.begin_of[6])
  from (
    select array_agg(format('(select (%s)::timestamp at time zone %s)', replace(d.day, 'value', value), zone) order by d.at) as begin_of
    from (values
      (1, 'private.filter_day(value, $2)'),
      (2, 'private.filter_day(value, $2) + 1'),
      (3, '$2'),
      (4, '$2 + private.filter_days(value) + 1'),
      (5, '$2 - private.filter_days(value)'),
      (6, '$2 + 1')
    ) d (at, day)
  ) m
$$;

create or replace function private.filter_days(value jsonb) returns integer
language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(value) = 'number' then (value #>> '{}')::integer end
$$;

-- Of a task that holds one choice at most.
create or replace function private.choice_condition(held text, operator text, wanted text) returns text
language sql immutable set search_path = '' as $$
  select format(case
    when operator = 'empty' then '%s is null'
    when operator = 'not_empty' then '%s is not null'
    when operator in ('is', 'any_of') then '%s::text = any (%s)'
    when operator in ('is_not', 'none_of') then '(%s::text = any (%s)) is not true'
  end, held, wanted)
$$;

-- Of a task with rows, each of which holds a choice.
create or replace function private.rows_condition(rows text, held text, operator text, wanted text) returns text
language sql immutable set search_path = '' as $$
  select format(case
    when operator = 'empty' then 'not exists (select %s)'
    when operator = 'not_empty' then 'exists (select %s)'
    when operator in ('is', 'any_of') then 'exists (select %s and %s::text = any (%s))'
    when operator in ('is_not', 'none_of') then 'not exists (select %s and %s::text = any (%s))'
  end, rows, held, wanted)
$$;

-- What hangs on a task `t`, by property: the rows, and where in them a choice stands.
create or replace function private.rows_of_property(property text, out rows text, out held text)
language sql immutable set search_path = '' as $$
  select r.rows, r.held from (values
    ('kind', 'from public.workflow_columns c where c.id = t.column_id', 'c.kind'),
    ('assignee', 'from public.task_assignees a where a.task_id = t.id', 'a.user_id'),
    ('label', 'from public.task_label_links k where k.task_id = t.id', 'k.label_id'),
    ('waits_for', 'from public.task_dependencies d where d.project_id = t.project_id and d.successor_id = t.id', 'd.predecessor_id'),
    ('watcher', 'from public.task_watchers w where w.task_id = t.id and w.is_watching', 'w.user_id'),
    ('commenter', 'from public.task_comments c where c.task_id = t.id', 'c.author_id'),
    ('blocked', 'from public.task_dependencies d join public.tasks p on p.id = d.predecessor_id and p.completed_at is null and p.archived_at is null
      where t.completed_at is null and d.project_id = t.project_id and d.successor_id = t.id', null),
    ('has_subtasks', 'from public.tasks s where s.project_id = t.project_id and s.parent_id = t.id and s.archived_at is null', null),
    ('has_checklist', 'from public.task_checklist_items i where i.task_id = t.id', null),
    ('has_files', 'from public.task_attachments a where a.task_id = t.id', null),
    ('recurring', 'from public.task_recurrences r where r.project_id = t.project_id and r.task_id = t.id', null)
  ) r (property, rows, held)
  where r.property = rows_of_property.property
$$;

-- What a task holds in a field of its project; where it holds nothing it is neither what is meant, nor before or after it.
create or replace function private.field_condition(kind text, operator text, field text, value text, wanted text) returns text
language sql immutable set search_path = '' as $$
  select case
    when kind in ('text', 'url') then private.words_condition(format('(%s #>> ''{}'')', h.held), operator, value)
    when kind = 'number' then private.number_condition(format('(%s #>> ''{}'')::numeric', h.held), operator, value)
    when kind = 'date' then private.moment_condition(format('((%s #>> ''{}'')::date::timestamp at time zone ''utc'')', h.held), operator, value, '''utc''')
    when kind = 'checkbox' and operator = 'is' then format('coalesce(%s = ''true'', false) = (select %s = ''"yes"'')', h.held, value)
    when kind in ('select', 'multi_select', 'person') then private.rows_condition(
      format('from unnest(case when %1$s is not null then private.filter_words(%1$s) end) w (choice) where true', h.held), 'w.choice', operator, wanted)
  end
  from (
    select format('(select v.value from public.task_field_values v join public.custom_fields f on f.id = v.field_id and f.kind = %L
      where v.task_id = t.id and v.field_id = (select right(%s, 36)::uuid))', kind, field) as held
  ) h
$$;

-- `at`: where in the filter the condition stands.
create or replace function private.condition_as_text(condition jsonb, at text[]) returns text
language plpgsql immutable set search_path = '' as $$
declare
  property constant text := condition ->> 'property';
  operator constant text := condition ->> 'is';
  value constant text := format('($1 #> %L)', at || 'value'::text);
  field constant text := (regexp_match(property, '^([a-z_]+)_field\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))[1];
  wanted constant text := format(case when property in ('priority', 'kind') or field is not null then '(select private.filter_words(%s, $4))'
    else '(select array(select lower(w) from unnest(private.filter_words(%s, $4)) w))' end || '::text[]', value);
  hanging record;
begin
  select r.rows, r.held into hanging from (values (true)) one (row) left join lateral private.rows_of_property(property) r on true;
  return case
    when field is not null then private.field_condition(field, operator, format('$1 #>> %L', at || 'property'::text), value, wanted)
    when property = 'text' and operator = 'contains' then private.words_condition('t.title', operator, value) || format(
      ' or (t.number < 10000000 and starts_with(t.number::text, (select (private.filter_key(%1$s #>> ''{}''))[2])) and (
        (select (private.filter_key(%1$s #>> ''{}''))[1]) is null
        or exists (select from public.projects p where p.id = t.project_id and p.key = (select upper((private.filter_key(%1$s #>> ''{}''))[1])))))', value)
    when property in ('text', 'title') then private.words_condition('t.title', operator, value)
    when property in ('start_date', 'due_date') then
      private.moment_condition(format('(t.%I::timestamp at time zone ''utc'')', property), operator, value, '''utc''')
    when property in ('created_at', 'updated_at', 'completed_at') then private.moment_condition(format('t.%I', property), operator, value, '$3')
    when property in ('number', 'estimate') then private.number_condition(format('t.%I', property), operator, value)
    when property in ('priority', 'created_by') then private.choice_condition(format('t.%I', property), operator, wanted)
    when property in ('column', 'project', 'parent') then private.choice_condition(format('t.%I', property || '_id'), operator, wanted)
    when hanging.held is not null then private.rows_condition(hanging.rows, hanging.held, operator, wanted)
    when hanging.rows is not null and operator = 'is' then format('exists (select %s) = (select %s = ''"yes"'')', hanging.rows, value)
  end;
end
$$;

-- Null: a group that says nothing, as one without parts.
create or replace function private.filter_as_text(part jsonb, at text[] default '{}') returns text
language plpgsql immutable set search_path = '' as $$
declare
  kind constant text := case when part ? 'all' then 'all' when part ? 'any' then 'any' end;
begin
  if kind is null then
    return case when part <> '{}' then format('coalesce(%s, false)', coalesce(private.condition_as_text(part, at), 'false')) end;
  end if;
  return '(' || (
    select string_agg(f.words, case kind when 'all' then ' and ' else ' or ' end order by e.at)
    from jsonb_array_elements(part -> kind) with ordinality e (part, at)
    cross join lateral (select private.filter_as_text(e.part, filter_as_text.at || kind || (e.at - 1)::text) as words) f
  ) || ')';
end
$$;

create or replace function private.tasks_of_filter(in_project uuid, filter jsonb, today date, zone text, me uuid) returns table (id uuid, column_id uuid)
language plpgsql stable security definer rows 200 set search_path = '' as $$
begin
  return query execute format('select t.id, t.column_id from public.tasks t
    where t.project_id = $5 and t.archived_at is null and t.audience_id is null and %s', coalesce(private.filter_as_text(filter), 'true'))
    using filter, today, zone, me, in_project;
end
$$;
comment on function private.tasks_of_filter(uuid, jsonb, date, text, uuid) is 'The tasks of a project that are of a filter, on this day, in this time zone, for this person.';
