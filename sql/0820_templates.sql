-- Templates: what a task or a whole project begins with, as one JSON document a template. It is checked when it is saved, so that nothing
-- can be made of it that the tables would refuse; what is made of it, and how one is written, stands in 0821 and 0822. Ids within a
-- document stand for its own parts only: whoever makes something of it gets new ones.

create table public.templates (
  id uuid primary key default private.uuid_v7(),
  project_id uuid references public.projects (id) on delete cascade,
  owner_id uuid references public.profiles (id) on delete cascade,
  built_in text,
  language text,
  kind text not null,
  name text not null,
  description text not null default '',
  body jsonb not null,
  holds jsonb not null default '{}',
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint templates_kind_known check (kind in ('task', 'project')),
  constraint templates_of_one check (num_nonnulls(project_id, owner_id, built_in) = 1),
  constraint templates_built_in_once unique (built_in, language),
  constraint templates_language_of_built_in check ((built_in is null) = (language is null)),
  constraint templates_name_not_blank check (name ~ '[^[:space:]]'),
  constraint templates_name_length check (char_length(name) <= 200),
  constraint templates_description_length check (char_length(description) <= 2000)
);
create index templates_project_id_idx on public.templates (project_id);
create index templates_owner_id_idx on public.templates (owner_id);
create index templates_created_by_idx on public.templates (created_by);

alter table public.templates enable row level security;

-- One's own, those of one's projects, and those that come with Kanbase.
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
-- lets everybody through who sees it: templates_refuse_delete then refuses viewers, and all for those built in, with 403
create policy remove on public.templates for delete to authenticated
  using (owner_id = (select user_id from private.caller)
    or project_id = any (array(select project_id from private.my_memberships))
    or (built_in is not null and (select user_id from private.caller) is not null));
create policy service on public.templates to service_role using (true) with check (true);

grant select on public.templates to anon, authenticated;
-- built_in and language are not granted: those templates come with Kanbase; nor is what the database counts
grant insert (id, project_id, owner_id, kind, name, description, body, created_by, created_at, updated_at),
  update (id, project_id, owner_id, kind, name, description, body, created_by, created_at, updated_at), delete
  on public.templates to authenticated;
grant all on public.templates to service_role;

create trigger templates_keep_new before insert on public.templates for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger templates_keep before update on public.templates for each row execute function private.keep_times();
create trigger templates_claim_author before insert on public.templates for each row
  when (new.created_by is distinct from auth.uid()) execute function private.claim_author('created_by');
create trigger templates_refuse_change before update on public.templates for each row
  when (old.id <> new.id or old.project_id is distinct from new.project_id or old.owner_id is distinct from new.owner_id or old.kind <> new.kind
    or old.created_by is distinct from new.created_by)
  execute function private.refuse_change('id', 'project_id', 'owner_id', 'kind', 'created_by');
create trigger templates_refuse_delete before delete on public.templates for each row
  when (row_security_active('public.templates') and current_user <> 'service_role'
    and old.owner_id is distinct from auth.uid() and (old.project_id is null or not private.is_writer(old.project_id)))
  execute function private.refuse_delete('Templates of a project are deleted by its owners and editors; those that come with Kanbase stay.');

-- What a document has to be --------------------------------------------------------------------------------------------------

-- What is wrong with one object of it, in words; null: nothing. `shape` names its parts and what each holds; "!" is what it needs.
create function private.misfit(item jsonb, shape jsonb) returns text
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

-- The same for each of a list, counted from one.
create function private.misfit_in(list jsonb, called text, shape jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  item record;
  problem text;
begin
  for item in select e.one, e.place from jsonb_array_elements(coalesce(list, '[]')) with ordinality as e (one, place) loop
    problem := private.misfit(item.one, shape);
    if problem is not null then
      return format('%s %s %s', called, item.place, problem);
    end if;
  end loop;
  return null;
end
$$;

-- Columns, labels, fields and views.
create function private.problem_of_setup(body jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  problem text;
  field record;
begin
  problem := coalesce(
    private.misfit(body, '{"version": "count!", "starts_on": "day", "project": "object", "columns": "list:50", "labels": "list:200", "fields": "list:50",
      "views": "list:100", "first_view": "id", "tasks": "list:1000", "dependencies": "list:5000"}'),
    private.misfit_in(body -> 'columns', 'column', '{"id": "id!", "name": "name:100!", "kind": "one:backlog|todo|in_progress|done|custom!",
      "wip_limit": "count", "color": "color", "required_fields": "ids"}'),
    private.misfit_in(body -> 'labels', 'label', '{"id": "id!", "name": "name:100!", "color": "color"}'),
    private.misfit_in(body -> 'fields', 'field', '{"id": "id!", "name": "name:100!",
      "kind": "one:text|number|date|select|multi_select|person|url|checkbox!", "options": "list:100", "unit": "name:20", "default_value": "any"}'),
    private.misfit_in(body -> 'views', 'view', '{"id": "id!", "name": "name:200!", "layout": "one:board|list|calendar|timeline|dashboard!", "filter": "object",
      "grouping": "property", "lanes": "property", "sort": "list:20", "shown": "object", "is_shared": "yes"}'),
    private.misfit(coalesce(body -> 'project', '{}'), '{"name": "name:200", "description": "text:20000", "color": "color", "enforce_dependencies": "yes",
      "parents_wait_for_subtasks": "yes"}')
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

-- A day in a document is a number of days; what it would be on some day is asked.
create function private.day_of_document(kind public.custom_field_kind, value jsonb, starts date) returns jsonb
language sql immutable set search_path = '' as $$
  select case
    when kind <> 'date' then value
    when jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,5}$' then to_jsonb(to_char(starts + (value #>> '{}')::integer, 'YYYY-MM-DD'))
  end
$$;

-- Tasks, what they hold, and what they wait for.
create function private.problem_of_tasks(of_kind text, body jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  problem text;
  named text;
begin
  problem := coalesce(
    private.misfit_in(body -> 'tasks', 'task', '{"id": "id!", "column": "id", "parent": "id", "title": "name:500!", "description": "text:100000",
      "priority": "one:p0|p1|p2", "estimate": "estimate", "start_in": "days", "due_in": "days", "labels": "ids", "people": "ids", "fields": "object",
      "checklist": "list:200"}'),
    private.misfit_in(body -> 'dependencies', 'dependency', '{"predecessor": "id!", "successor": "id!", "lag_days": "lag"}')
  );
  if problem is null then
    select private.misfit_in(t -> 'checklist', format('task "%s": step', left(t ->> 'title', 60)), '{"title": "name:500!", "is_done": "yes"}') into problem
    from jsonb_array_elements(body -> 'tasks') t
    where private.misfit_in(t -> 'checklist', '', '{"title": "name:500!", "is_done": "yes"}') is not null limit 1;
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
  return private.problem_of_ties(of_kind, body);
end
$$;

-- What stands above what, and what waits for what: no circles.
create function private.problem_of_ties(of_kind text, body jsonb) returns text
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

grant execute on function
  private.misfit(jsonb, jsonb), private.misfit_in(jsonb, text, jsonb), private.problem_of_setup(jsonb), private.problem_of_tasks(text, jsonb),
  private.problem_of_ties(text, jsonb), private.day_of_document(public.custom_field_kind, jsonb, date)
  to authenticated, service_role;

-- A template without a project is the caller's own. What it holds is counted, for whoever chooses without reading it whole.
create function private.check_template() returns trigger
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
    raise exception using
      errcode = 'KB015',
      message = 'this is no template: ' || problem,
      hint = 'docs/guides/templates.md says what the document of a template is.';
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
create trigger templates_check before insert or update on public.templates for each row execute function private.check_template();

create function private.limit_templates() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 100;
begin
  perform pg_advisory_xact_lock(hashtextextended(coalesce(new.project_id, new.owner_id)::text, 3085));
  if (
    select count(*) from public.templates t
    where case when new.project_id is null then t.owner_id = new.owner_id else t.project_id = new.project_id end
  ) > most then
    raise exception using
      errcode = 'KB016',
      message = case when new.project_id is null then format('you have %s templates already', most) else format('the project has %s templates already', most) end,
      hint = 'Delete one that nobody uses any more.';
  end if;
  return null;
end
$$;
create trigger templates_limit after insert on public.templates for each row
  when (new.built_in is null) execute function private.limit_templates();

comment on table public.templates is 'What tasks and projects begin with: one''s own, those of a project for its members, and those that come with Kanbase. Made by save_task_as_template, save_project_as_template or an insert; used by create_project_from_template and create_task_from_template.';
comment on column public.templates.id is 'Made by the server unless the client sends its own.';
comment on column public.templates.project_id is 'Whose members have it; empty: it is somebody''s own, or built in.';
comment on column public.templates.owner_id is 'Who alone has it; the caller when neither this nor project_id is sent.';
comment on column public.templates.built_in is 'A name for those that come with Kanbase, the same in every language; empty for all others.';
comment on column public.templates.language is 'Of those that come with Kanbase: the language of their words.';
comment on column public.templates.kind is 'task or project. Cannot be changed.';
comment on column public.templates.name is 'Up to 200 characters.';
comment on column public.templates.description is 'What it is for, up to 2,000 characters.';
comment on column public.templates.body is 'The document: {"version": 1, "columns", "labels", "fields", "views", "tasks", "dependencies"…}, days counted from a start day; checked by the database (KB015). docs/guides/templates.md has all of it.';
comment on column public.templates.holds is 'What is in it: names of columns, how many labels, fields, views, tasks and steps, and whether it has days; kept by the database.';
comment on column public.templates.created_by is 'Who made it; empty once their account is gone.';
comment on column public.templates.created_at is 'When the row was made; kept by the database.';
comment on column public.templates.updated_at is 'When the row last changed; kept by the database.';
