-- Search for tasks by words in number, title, description, text fields and comments. Word beginnings match, letter case aside. Each word is
-- indexed behind the last eight characters of its project's id, so that a search reads words of the caller's projects only: its cost does not
-- depend on the other projects in the database.

comment on table private.task_search is 'The words of each task, for search_tasks.';

-- Most words stand in a text once: their position needs no aggregate.
create or replace function private.search_document(in_project uuid, number integer, title text, description text, comments text) returns tsvector
language plpgsql stable set search_path = '' as $$
declare
  project constant text := '''' || right(in_project::text, 8) || ':';
begin
  return (
    select coalesce(string_agg(
      project || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':' || case cardinality(w.positions)
        when 1 then w.positions[1] || w.weights[1]
        else (
          select string_agg(p.position || p.weight, ',')
          from unnest(w.positions[1:8], w.weights[1:8]) as p (position, weight)
        )
      end,
      ' '
    ), '')::tsvector
    from unnest(
      setweight(to_tsvector('pg_catalog.simple', number::text || ' ' || title), 'A')
      || setweight(to_tsvector('pg_catalog.simple', left(description, 40000)), 'B')
      || setweight(to_tsvector('pg_catalog.simple', left(coalesce(comments, ''), 40000)), 'C')
    ) as w
    where octet_length(w.lexeme) <= 200
  );
end
$$;

create or replace function private.index_task(of_task uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- What is written beside this one and is not done yet is waited for, and then read: otherwise the later of the two forgets the words of the other.
  perform from private.task_search s where s.task_id = of_task for no key update;
  insert into private.task_search as s (task_id, project_id, audience_id, document)
  select t.id, t.project_id, t.audience_id, private.search_document(t.project_id, t.number, t.title, t.description, concat_ws(' ', (
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
  on conflict (task_id) do update set document = excluded.document, audience_id = excluded.audience_id;
end
$$;

create or replace function private.index_changed_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_task(new.id);
  return null;
end
$$;

create or replace function private.index_commented_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_task(coalesce(new.task_id, old.task_id));
  return null;
end
$$;

-- Also for a deleted field, which has no kind any more.
create or replace function private.index_field_value() returns trigger
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

-- Former keys of a task find it, too.
create or replace function private.find_tasks(query text, in_project uuid, max_rows integer) returns setof public.tasks
language plpgsql stable security definer rows 50 set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  projects constant uuid[] := private.visible_projects(in_project);
  hidden constant uuid[] := private.hidden_tasks();
  -- Of a guest: looked up one by one, so that not even the time tells of other tasks of the project.
  shared constant uuid[] := private.tasks_shared_with_caller(in_project);
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  -- What each project is asked, with \x01 where the tail of its id belongs; null: nothing.
  asked constant text := (
    select string_agg(E'''\x01:' || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
    from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w where octet_length(w.lexeme) <= 200
  );
  -- A word that most tasks have is not looked for in all of them.
  most_of_project constant integer := greatest(least(1000, 10000 / greatest(cardinality(projects), 1)), 5);
begin
  if in_project is not null and cardinality(projects) = 0 and cardinality(shared) = 0 then
    perform private.raise_not_found('project');
  end if;
  return query
    with named as (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      where reference is not null and t.number = reference[2]::integer and t.id <> all (hidden)
        and t.project_id = any (case
          when reference[1] is null then projects
          else array(select p.id from public.projects p where p.id = any (projects) and p.key = upper(reference[1]))
        end)
      union all
      select t.id, 9::real
      from private.former_places f
      join public.tasks t on t.id = f.task_id
      where f.key = upper(reference[1]) and f.number = reference[2]::integer and t.project_id = any (projects) and t.id <> all (hidden)
      union all
      select t.id, case when p.key = upper(coalesce(reference[1], p.key)) then 10 else 9 end::real
      from public.tasks t
      join public.projects p on p.id = t.project_id
      left join private.former_places f on f.task_id = t.id and f.key = upper(reference[1]) and f.number = reference[2]::integer
      where t.id = any (shared) and (f.task_id is not null or t.number = reference[2]::integer and p.key = upper(coalesce(reference[1], p.key)))
    ),
    -- No more than are asked for: grouping all of them below would sort a thousand to show twenty.
    hits as (
      select hit.task_id, hit.rank
      from unnest(projects) as p
      cross join lateral (select replace(asked, E'\x01', right(p::text, 8))::tsquery as words offset 0) as query_of
      cross join lateral (
        select s.task_id, ts_rank(s.document, query_of.words) as rank
        from private.task_search s
        -- Said so that the words are looked up, whatever Postgres thinks of the number of tasks.
        where s.document @@ query_of.words and (s.project_id = p) is true and (s.audience_id is null or s.task_id <> all (hidden))
        limit most_of_project
      ) as hit
      where asked is not null
      order by 2 desc, 1 desc
      limit max_rows
    ),
    shared_hits as (
      select s.task_id, ts_rank(s.document, query_of.words) as rank
      from unnest(shared) as one
      join private.task_search s on s.task_id = one
      cross join lateral (select replace(asked, E'\x01', right(s.project_id::text, 8))::tsquery as words offset 0) as query_of
      where asked is not null and (s.document @@ query_of.words) is true
    ),
    best as (
      select found.task_id, max(found.rank) as rank
      from (select * from named union all select * from hits union all select * from shared_hits) as found
      group by found.task_id
      order by 2 desc, 1 desc
      limit max_rows
    )
    select t.*
    from best
    join public.tasks t on t.id = best.task_id
    order by best.rank desc, t.id desc;
end
$$;
grant execute on function private.find_tasks(text, uuid, integer) to authenticated, service_role;
comment on function private.find_tasks(text, uuid, integer) is 'What search_tasks answers: it decides by itself what the caller may see.';

create or replace function public.search_tasks(query text, project_id uuid default null, max_rows integer default 50) returns setof public.tasks
language sql stable rows 50
begin atomic
  select found.* from private.find_tasks(search_tasks.query, search_tasks.project_id, least(greatest(max_rows, 0), 1000)) as found
  where (select private.watches_for_outside()) is not true or private.reads_outside(found.id, true);
end;
grant execute on function public.search_tasks(text, uuid, integer) to service_role, authenticated;
comment on function public.search_tasks(text, uuid, integer) is 'Tasks that match all words of the query, by their beginnings, in number, title, description, fields of text or comments; best first. WEB-12 finds that very task. In one project, or in all the caller''s; guests find the tasks shared with them.';

create or replace function public.archived_tasks(project_id uuid default null, max_rows int default 500) returns setof public.tasks
language sql stable set search_path = '' as $$
  select t.* from public.tasks t
  where t.archived_at is not null and (archived_tasks.project_id is null or t.project_id = archived_tasks.project_id)
  order by t.archived_at desc, t.id
  limit least(greatest(coalesce(archived_tasks.max_rows, 500), 0), 1000)
$$;
grant execute on function public.archived_tasks(uuid, integer) to service_role, authenticated;
comment on function public.archived_tasks(uuid, integer) is 'Archived tasks of a project, or of all the caller''s projects: those put away last come first.';
