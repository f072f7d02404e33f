-- A search asks once which projects it looks in, as the dashboard does (0966): it did so to say whether there is such a project, to look, and
-- to show what it found. What is found lies in those projects, and is shown as it is.

drop function private.find_tasks(text, uuid, integer);
-- As before (0953), with the tasks themselves; the plan, which took longer to make than to run, is the same for every search.
create function private.find_tasks(query text, in_project uuid, max_rows integer) returns setof public.tasks
language plpgsql stable security definer rows 50 set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  projects constant uuid[] := private.visible_projects(in_project);
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  lexemes constant text[] := array(
    select w.lexeme from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w where octet_length(w.lexeme) <= 200
  );
  -- A word that most tasks have is not looked for in all of them.
  most_of_project constant integer := greatest(least(1000, 10000 / greatest(cardinality(projects), 1)), 5);
begin
  if in_project is not null and cardinality(projects) = 0 then
    perform private.raise_not_found('project');
  end if;
  return query
    with found as (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      join public.projects p on p.id = t.project_id
      where t.project_id = any (projects) and t.number = reference[2]::integer
        and (reference[1] is null or p.key = upper(reference[1]))
      union all
      select t.id, 9::real
      from private.former_places f
      join public.tasks t on t.id = f.task_id
      where f.key = upper(reference[1]) and f.number = reference[2]::integer and t.project_id = any (projects)
      union all
      select hit.task_id, hit.rank
      from unnest(projects) as p
      cross join lateral (
        select string_agg(private.spell_word(p, lexeme) || ':*', ' & ')::tsquery as words from unnest(lexemes) as lexeme
        offset 0
      ) as asked
      cross join lateral (
        select s.task_id, ts_rank(s.document, asked.words) as rank
        from private.task_search s
        -- Said so that the words are looked up, whatever Postgres thinks of the number of tasks.
        where s.document @@ asked.words and (s.project_id = p) is true
        limit most_of_project
      ) as hit
    ),
    best as (
      select found.task_id, max(found.rank) as rank
      from found
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
  select found.* from private.find_tasks(search_tasks.query, search_tasks.project_id, least(greatest(max_rows, 0), 1000)) as found;
end;
