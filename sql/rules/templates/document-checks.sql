-- The check of a template's document when it is saved, so that nothing can come of it that the tables would refuse. Functions answer with the
-- first problem in words, or null; private.check_template raises it as KB015. Ids in a document stand for its own parts only.

-- The problem of one object. `shape` names its parts and what each holds; "!" marks those it needs.
create or replace function private.problem_of_object(item jsonb, shape jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  one record;
  value jsonb;
  words text;
  kind text;
  fits boolean;
begin
  if jsonb_typeof(item) is distinct from 'object' then
    return 'must be an object';
  end if;
  for one in select k as name from jsonb_object_keys(item) k where not shape ? k limit 1 loop
    return format('has an unknown part "%s"', left(one.name, 60));
  end loop;
  for one in select s.key as name, s.value as holds from jsonb_each_text(shape) s loop
    value := item -> one.name;
    kind := split_part(rtrim(one.holds, '!'), ':', 1);
    if value is null or value = 'null' then
      if one.holds like '%!' then
        return format('needs "%s"', one.name);
      end if;
      continue;
    end if;
    words := case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
    fits := case kind
      when 'id' then words ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      when 'ids' then jsonb_typeof(value) = 'array' and not exists (
        select from jsonb_array_elements(value) e where coalesce(e #>> '{}', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
      when 'name' then words ~ '[^[:space:]]' and char_length(words) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'text' then char_length(words) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'color' then words ~ '^#[0-9A-Fa-f]{6}$'
      when 'one' then words = any (string_to_array(split_part(rtrim(one.holds, '!'), ':', 2), '|'))
      when 'property' then words ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'
      when 'day' then words ~ '^\d{4}-\d\d-\d\d$' and private.is_day(replace(words, '-', ''))
      when 'count' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^[1-9]\d{0,8}$'
      when 'days' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,5}$' and abs((value #>> '{}')::integer) <= 36500
      when 'lag' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,4}$' and abs((value #>> '{}')::integer) <= 3650
      when 'estimate' then jsonb_typeof(value) = 'number' and (value #>> '{}')::numeric >= 0 and (value #>> '{}')::numeric < 1000000
      when 'object' then jsonb_typeof(value) = 'object' and octet_length(value::text) <= 20000
      when 'list' then jsonb_typeof(value) = 'array' and jsonb_array_length(value) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'yes' then jsonb_typeof(value) = 'boolean'
      when 'any' then true
    end;
    if fits is not true then
      return format('has a wrong "%s"', one.name);
    end if;
  end loop;
  return null;
end
$$;
grant execute on function private.problem_of_object(jsonb, jsonb) to authenticated, service_role;

-- The same for each of a list, counted from one.
create or replace function private.problem_of_list(list jsonb, called text, shape jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  item record;
  problem text;
begin
  for item in select e.one, e.place from jsonb_array_elements(coalesce(list, '[]')) with ordinality as e (one, place) loop
    problem := private.problem_of_object(item.one, shape);
    if problem is not null then
      return format('%s %s %s', called, item.place, problem);
    end if;
  end loop;
  return null;
end
$$;
grant execute on function private.problem_of_list(jsonb, text, jsonb) to authenticated, service_role;

-- Columns, labels, fields and views.
create or replace function private.problem_of_setup(body jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  problem text;
  field record;
begin
  problem := coalesce(
    private.problem_of_object(body, '{"version": "count!", "starts_on": "day", "project": "object", "columns": "list:50", "labels": "list:200", "fields": "list:50",
      "views": "list:100", "first_view": "id", "tasks": "list:1000", "dependencies": "list:5000"}'),
    private.problem_of_list(body -> 'columns', 'column', '{"id": "id!", "name": "name:100!", "kind": "one:backlog|todo|in_progress|done|custom!",
      "wip_limit": "count", "color": "color", "required_fields": "ids"}'),
    private.problem_of_list(body -> 'labels', 'label', '{"id": "id!", "name": "name:100!", "color": "color"}'),
    private.problem_of_list(body -> 'fields', 'field', '{"id": "id!", "name": "name:100!",
      "kind": "one:text|number|date|select|multi_select|person|url|checkbox!", "options": "list:100", "unit": "name:20", "default_value": "any"}'),
    private.problem_of_list(body -> 'views', 'view', '{"id": "id!", "name": "name:200!", "layout": "one:board|list|calendar|timeline|dashboard!", "filter": "object",
      "grouping": "property", "lanes": "property", "sort": "list:20", "shown": "object", "is_shared": "yes"}'),
    private.problem_of_object(coalesce(body -> 'project', '{}'), '{"name": "name:200", "description": "text:20000", "color": "color", "enforce_dependencies": "yes",
      "parents_wait_for_subtasks": "yes", "viewers_may_comment": "yes"}')
  );
  if problem is not null then
    return problem;
  elsif body ->> 'version' <> '1' then
    return 'its "version" must be 1';
  elsif exists (
    select from (
      select e ->> 'id' as id from unnest(array['columns', 'labels', 'fields', 'views', 'tasks']) part, jsonb_array_elements(coalesce(body -> part, '[]')) e
    ) i where i.id is not null group by i.id having count(*) > 1
  ) then
    return 'two of its parts have the same id';
  elsif exists (select from jsonb_array_elements(body -> 'labels') l group by lower(l ->> 'name') having count(*) > 1) then
    return 'two labels have the same name';
  elsif exists (select from jsonb_array_elements(body -> 'fields') f group by lower(f ->> 'name') having count(*) > 1) then
    return 'two fields have the same name';
  elsif exists (
    select from jsonb_array_elements(body -> 'columns') c, jsonb_array_elements(coalesce(c -> 'required_fields', '[]')) n
    where not exists (select from jsonb_array_elements(body -> 'fields') f where f -> 'id' = n)
  ) then
    return 'a column needs a field that is not in it';
  elsif body ? 'first_view' and not exists (select from jsonb_array_elements(body -> 'views') v where v -> 'id' = body -> 'first_view') then
    return '"first_view" is none of its views';
  end if;
  for field in
    select f ->> 'name' as name, (f ->> 'kind')::public.custom_field_kind as kind, coalesce(f -> 'options', '[]') as options,
      f -> 'default_value' as standard, f ->> 'unit' as unit
    from jsonb_array_elements(body -> 'fields') f
  loop
    if not private.are_options(field.options) or (field.kind not in ('select', 'multi_select') and field.options <> '[]') then
      return format('field "%s" has wrong options', field.name);
    elsif field.unit is not null and field.kind <> 'number' then
      return format('field "%s" has a unit but is no number', field.name);
    elsif field.standard is not null and private.read_field_value(field.kind, field.options, field.standard) is null then
      return format('field "%s" has a wrong "default_value"', field.name);
    end if;
  end loop;
  return null;
end
$$;
grant execute on function private.problem_of_setup(jsonb) to authenticated, service_role;

-- The value of a field as a task would hold it: a document has numbers of days, which are counted from `starts`.
create or replace function private.day_of_document(kind public.custom_field_kind, value jsonb, starts date) returns jsonb
language sql immutable set search_path = '' as $$
  select case
    when kind <> 'date' then value
    when jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,5}$' then to_jsonb(to_char(starts + (value #>> '{}')::integer, 'YYYY-MM-DD'))
  end
$$;
grant execute on function private.day_of_document(public.custom_field_kind, jsonb, date) to authenticated, service_role;

-- Subtasks and dependencies: no circles.
create or replace function private.problem_of_relations(of_kind text, body jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  many constant integer := coalesce(jsonb_array_length(body -> 'tasks'), 0);
  reached integer;
begin
  with recursive listed as materialized (
    select t ->> 'id' as id, t ->> 'parent' as parent from jsonb_array_elements(body -> 'tasks') t
  ), down as (
    select l.id, 1 as level from listed l where l.parent is null
    union all
    select l.id, down.level + 1 from down join listed l on l.parent = down.id where down.level < 8
  )
  select count(*) into reached from down;
  if reached < many then
    return 'its subtasks go deeper than 8 levels, or in a circle';
  elsif of_kind = 'task' and (select count(*) from jsonb_array_elements(body -> 'tasks') t where t ->> 'parent' is null) <> 1 then
    return 'a template of a task has one task that all others stand below';
  elsif of_kind = 'project' and coalesce(jsonb_array_length(body -> 'columns'), 0) = 0 then
    return 'a template of a project has at least one column';
  elsif exists (
    select from jsonb_array_elements(body -> 'dependencies') d, unnest(array[d ->> 'predecessor', d ->> 'successor']) n
    where n not in (select t ->> 'id' from jsonb_array_elements(body -> 'tasks') t)
  ) then
    return 'a dependency names a task that is not in it';
  elsif exists (select from jsonb_array_elements(body -> 'dependencies') d group by d ->> 'predecessor', d ->> 'successor' having count(*) > 1) then
    return 'two tasks wait for each other twice';
  end if;
  if exists (
    with recursive tied as materialized (
      select d ->> 'predecessor' as before, d ->> 'successor' as after from jsonb_array_elements(body -> 'dependencies') d
    ), onwards as (
      select t.before as first, t.after as last from tied t
      union
      select o.first, t.after from onwards o join tied t on t.before = o.last
    )
    select from onwards o where o.first = o.last
  ) then
    return 'tasks wait for each other in a circle';
  end if;
  return null;
end
$$;
grant execute on function private.problem_of_relations(text, jsonb) to authenticated, service_role;

-- Tasks, what they hold, and what they wait for.
create or replace function private.problem_of_tasks(of_kind text, body jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  problem text;
  named text;
begin
  problem := coalesce(
    private.problem_of_list(body -> 'tasks', 'task', '{"id": "id!", "column": "id", "parent": "id", "title": "name:500!", "description": "text:100000",
      "priority": "one:p0|p1|p2", "estimate": "estimate", "start_in": "days", "due_in": "days", "labels": "ids", "people": "ids", "fields": "object",
      "checklist": "list:200"}'),
    private.problem_of_list(body -> 'dependencies', 'dependency', '{"predecessor": "id!", "successor": "id!", "lag_days": "lag"}')
  );
  if problem is null then
    select private.problem_of_list(t -> 'checklist', format('task "%s": step', left(t ->> 'title', 60)), '{"title": "name:500!", "is_done": "yes"}') into problem
    from jsonb_array_elements(body -> 'tasks') t
    where private.problem_of_list(t -> 'checklist', '', '{"title": "name:500!", "is_done": "yes"}') is not null limit 1;
  end if;
  if problem is not null then
    return problem;
  end if;

  select left(t ->> 'title', 60) into named from jsonb_array_elements(body -> 'tasks') t
  -- "not in": each list is read once, not once a task
  where (of_kind = 'project' and coalesce(t ->> 'column', '') not in (select c ->> 'id' from jsonb_array_elements(body -> 'columns') c))
    or exists (
      select from jsonb_array_elements_text(coalesce(t -> 'labels', '[]')) n
      where n not in (select l ->> 'id' from jsonb_array_elements(body -> 'labels') l))
    or (t ->> 'parent' is not null and t ->> 'parent' not in (select p ->> 'id' from jsonb_array_elements(body -> 'tasks') p))
  limit 1;
  if named is not null then
    return format('task "%s" names a column, label or parent that is not in it', named);
  end if;
  select left(t ->> 'title', 60) into named from jsonb_array_elements(body -> 'tasks') t where (t ->> 'start_in')::integer > (t ->> 'due_in')::integer limit 1;
  if named is not null then
    return format('task "%s" starts after it is due', named);
  end if;
  select left(t ->> 'title', 60) into named
  from jsonb_array_elements(body -> 'tasks') t, jsonb_each(coalesce(t -> 'fields', '{}')) v
  left join jsonb_array_elements(body -> 'fields') f on f ->> 'id' = v.key
  where f is null or private.read_field_value((f ->> 'kind')::public.custom_field_kind, coalesce(f -> 'options', '[]'),
    private.day_of_document((f ->> 'kind')::public.custom_field_kind, v.value, '2000-01-01')) is null
  limit 1;
  if named is not null then
    return format('task "%s" holds something that its field cannot hold', named);
  end if;
  return private.problem_of_relations(of_kind, body);
end
$$;
grant execute on function private.problem_of_tasks(text, jsonb) to authenticated, service_role;

-- A template without a project is the caller's own. `holds` counts its parts, for those who choose without reading all of it.
create or replace function private.check_template() returns trigger
language plpgsql set search_path = '' as $$
declare
  problem text;
begin
  if new.project_id is null and new.owner_id is null and new.built_in is null then
    new.owner_id := auth.uid();
  end if;
  -- Nothing is said by leaving it out.
  new.body := jsonb_strip_nulls(new.body);
  if octet_length(new.body::text) > 2000000 then
    problem := 'it is larger than 2,000,000 bytes';
  else
    problem := coalesce(private.problem_of_setup(new.body), private.problem_of_tasks(new.kind, new.body));
  end if;
  if problem is not null then
    perform private.refuse('KB015', 'this is no template: ' || problem, 'docs/use/templates.md says what the document of a template is.');
  end if;
  new.holds := jsonb_build_object(
    'columns', (select coalesce(jsonb_agg(c.one -> 'name' order by c.place), '[]') from jsonb_array_elements(new.body -> 'columns') with ordinality as c (one, place)),
    'labels', coalesce(jsonb_array_length(new.body -> 'labels'), 0),
    'fields', coalesce(jsonb_array_length(new.body -> 'fields'), 0),
    'views', coalesce(jsonb_array_length(new.body -> 'views'), 0),
    'tasks', coalesce(jsonb_array_length(new.body -> 'tasks'), 0),
    'steps', (select coalesce(sum(jsonb_array_length(coalesce(t -> 'checklist', '[]'))), 0) from jsonb_array_elements(new.body -> 'tasks') t),
    'has_days', exists (select from jsonb_array_elements(new.body -> 'tasks') t where t ->> 'start_in' is not null or t ->> 'due_in' is not null)
  );
  return new;
end
$$;
