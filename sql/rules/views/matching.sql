-- Filters of saved views, asked of one task: for public links to a view, whose policies admit the tasks of its filter alone. The app and the data
-- door read the same filters (web/queries/views/filtering.ts, contract/view-query.ts); test/web/filters.test.ts holds that all mean the same.
-- What cannot be read matches nothing.

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

-- A day, or the moments between which one lies, against an operator of days.
create or replace function private.day_matches(held timestamptz, operator text, value jsonb, today date, zone text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(case operator
    when 'empty' then held is null
    when 'not_empty' then held is not null
    when 'is' then held >= d.begins and held < d.ends
    when 'is_not' then held < d.begins or held >= d.ends or held is null
    when 'before' then held < d.begins
    when 'after' then held >= d.ends
    when 'on_or_before' then held < d.ends
    when 'on_or_after' then held >= d.begins
    when 'in_next' then held >= (today::timestamp at time zone zone) and held < ((today + d.days + 1)::timestamp at time zone zone)
    when 'in_last' then held >= ((today - d.days)::timestamp at time zone zone) and held < ((today + 1)::timestamp at time zone zone)
  end, false)
  from (
    select n.day::timestamp at time zone zone as begins, (n.day + 1)::timestamp at time zone zone as ends, n.days
    from (select private.filter_day(value, today) as day, case when jsonb_typeof(value) = 'number' then (value #>> '{}')::integer end as days) n
  ) d
$$;

create or replace function private.number_matches(held numeric, operator text, value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(case operator
    when 'empty' then held is null
    when 'not_empty' then held is not null
    when 'is' then held = n.wanted
    when 'is_not' then held is distinct from n.wanted
    when 'at_least' then held >= n.wanted
    when 'at_most' then held <= n.wanted
  end, false)
  from (select case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end as wanted) n
$$;

-- One or several choices that a task holds; null counts as a row without one.
create or replace function private.choices_match(held text[], operator text, wanted text[]) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(case
    when operator = 'empty' then cardinality(held) = 0
    when operator = 'not_empty' then cardinality(held) > 0
    when operator in ('is', 'any_of') then held && wanted
    when operator in ('is_not', 'none_of') then not held && wanted
  end, false)
$$;

create or replace function private.words_match(held text, operator text, value jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(case operator
    when 'empty' then held is null
    when 'not_empty' then held is not null
    when 'is' then held = value #>> '{}'
    when 'is_not' then held is distinct from value #>> '{}'
    when 'contains' then held ~* private.filter_pattern(value #>> '{}')
  end, false)
$$;

-- `12`, `web-12`, `WEB 12`: the task whose number begins so.
create or replace function private.key_matches(of_task public.tasks, typed text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select of_task.number < 10000000 and starts_with(of_task.number::text, k.parts[2])
      and (k.parts[1] is null or exists (select from public.projects p where p.id = of_task.project_id and p.key = upper(k.parts[1])))
    from (select regexp_match(regexp_replace(typed, '^\s+|\s+$', '', 'g'), '^(?:([a-z][a-z0-9]{1,5})[- ]?)?#?([1-9]\d{0,6})$', 'i') as parts) k
  ), false)
$$;

-- What hangs on a task, by property.
create or replace function private.choices_of(of_task public.tasks, property text) returns text[]
language sql stable security definer set search_path = '' as $$
  select case property
    when 'column' then array[of_task.column_id::text]
    when 'project' then array[of_task.project_id::text]
    when 'priority' then array[of_task.priority::text]
    when 'parent' then array_remove(array[of_task.parent_id::text], null)
    when 'created_by' then array_remove(array[of_task.created_by::text], null)
    when 'kind' then array(select c.kind::text from public.workflow_columns c where c.id = of_task.column_id)
    when 'assignee' then array(select a.user_id::text from public.task_assignees a where a.task_id = of_task.id)
    when 'label' then array(select k.label_id::text from public.task_label_links k where k.task_id = of_task.id)
    when 'waits_for' then array(select d.predecessor_id::text from public.task_dependencies d where d.project_id = of_task.project_id and d.successor_id = of_task.id)
    when 'watcher' then array(select w.user_id::text from public.task_watchers w where w.task_id = of_task.id and w.is_watching)
    when 'commenter' then array(select c.author_id::text from public.task_comments c where c.task_id = of_task.id)
  end
$$;

create or replace function private.flag_of(of_task public.tasks, property text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case property
    when 'blocked' then of_task.completed_at is null and exists (
      select from public.task_dependencies d join public.tasks p on p.id = d.predecessor_id and p.completed_at is null and p.archived_at is null
      where d.project_id = of_task.project_id and d.successor_id = of_task.id)
    when 'has_subtasks' then exists (select from public.tasks s where s.project_id = of_task.project_id and s.parent_id = of_task.id and s.archived_at is null)
    when 'has_checklist' then exists (select from public.task_checklist_items i where i.task_id = of_task.id)
    when 'has_files' then exists (select from public.task_attachments a where a.task_id = of_task.id)
    when 'recurring' then exists (select from public.task_recurrences r where r.project_id = of_task.project_id and r.task_id = of_task.id)
  end
$$;

-- What a task holds in a field of its project; where it holds nothing it is neither what is meant, nor before or after it.
create or replace function private.field_matches(of_task uuid, kind text, field uuid, operator text, value jsonb, today date, me uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when kind in ('text', 'url') then private.words_match(h.held #>> '{}', operator, value)
    when kind = 'number' then private.number_matches((h.held #>> '{}')::numeric, operator, value)
    when kind = 'date' then private.day_matches((h.held #>> '{}')::date::timestamp at time zone 'utc', operator, value, today, 'utc')
    when kind = 'checkbox' then operator = 'is' and coalesce(h.held = 'true', false) = (value = '"yes"')
    when kind in ('select', 'multi_select', 'person') then
      private.choices_match(case when h.held is null then '{}' else private.filter_words(h.held) end, operator, private.filter_words(value, me))
    else false
  end
  from (values (true)) one (row)
  left join lateral (
    select v.value as held from public.task_field_values v join public.custom_fields f on f.id = v.field_id and f.kind::text = field_matches.kind
    where v.task_id = of_task and v.field_id = field
  ) h on true
$$;

create or replace function private.condition_matches(of_task public.tasks, condition jsonb, today date, zone text, me uuid) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  property constant text := condition ->> 'property';
  operator constant text := condition ->> 'is';
  value constant jsonb := condition -> 'value';
  field constant text[] := regexp_match(property, '^([a-z_]+)_field\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
begin
  if field is not null then
    return private.field_matches(of_task.id, field[1], field[2]::uuid, operator, value, today, me);
  end if;
  case
    when property = 'text' then
      return private.words_match(of_task.title, operator, value) or (operator = 'contains' and private.key_matches(of_task, value #>> '{}'));
    when property = 'title' then
      return private.words_match(of_task.title, operator, value);
    when property in ('start_date', 'due_date') then
      return private.day_matches((case property when 'start_date' then of_task.start_date else of_task.due_date end)::timestamp at time zone 'utc',
        operator, value, today, 'utc');
    when property in ('created_at', 'updated_at', 'completed_at') then
      return private.day_matches(case property when 'created_at' then of_task.created_at when 'updated_at' then of_task.updated_at else of_task.completed_at end,
        operator, value, today, zone);
    when property in ('number', 'estimate') then
      return private.number_matches(case property when 'number' then of_task.number else of_task.estimate end, operator, value);
    when property in ('blocked', 'has_subtasks', 'has_checklist', 'has_files', 'recurring') then
      return operator = 'is' and private.flag_of(of_task, property) = (value = '"yes"');
    else
      return coalesce(private.choices_match(private.choices_of(of_task, property), operator,
        array(select case when property in ('priority', 'kind') then w else lower(w) end from unnest(private.filter_words(value, me)) w)), false);
  end case;
end
$$;

-- Null: a group that says nothing, as one without parts.
create or replace function private.filter_matches(of_task public.tasks, part jsonb, today date, zone text, me uuid) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  is_all constant boolean := part ? 'all';
  one jsonb;
  fits boolean;
  so_far boolean;
begin
  if not is_all and not part ? 'any' then
    return case when part <> '{}' then coalesce(private.condition_matches(of_task, part, today, zone, me), false) end;
  end if;
  for one in select e from jsonb_array_elements(part -> case when is_all then 'all' else 'any' end) e loop
    fits := private.filter_matches(of_task, one, today, zone, me);
    continue when fits is null;
    if fits <> is_all then
      return fits;
    end if;
    so_far := fits;
  end loop;
  return so_far;
end
$$;
comment on function private.filter_matches(public.tasks, jsonb, date, text, uuid) is 'Whether a task is one of a filter, on this day, in this time zone, for this person.';
