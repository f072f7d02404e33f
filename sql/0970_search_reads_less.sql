-- A search does less for each project it looks in and for each task it finds (docs/decisions/0074-a-search-is-put-together-once.md).

-- As before (0968): every project is asked for its own words, and a reference names a task outright.
create or replace function private.find_tasks(query text, in_project uuid, max_rows integer) returns setof public.tasks
language plpgsql stable security definer rows 50 set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  projects constant uuid[] := private.visible_projects(in_project);
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  -- What each project is asked, with \x01 where the tail of its id belongs; null: nothing.
  asked constant text := (
    select string_agg(E'''\x01:' || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
    from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w where octet_length(w.lexeme) <= 200
  );
  -- A word that most tasks have is not looked for in all of them.
  most_of_project constant integer := greatest(least(1000, 10000 / greatest(cardinality(projects), 1)), 5);
begin
  if in_project is not null and cardinality(projects) = 0 then
    perform private.raise_not_found('project');
  end if;
  return query
    with named as (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      where reference is not null and t.number = reference[2]::integer
        and t.project_id = any (case
          when reference[1] is null then projects
          else array(select p.id from public.projects p where p.id = any (projects) and p.key = upper(reference[1]))
        end)
      union all
      select t.id, 9::real
      from private.former_places f
      join public.tasks t on t.id = f.task_id
      where f.key = upper(reference[1]) and f.number = reference[2]::integer and t.project_id = any (projects)
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
        where s.document @@ query_of.words and (s.project_id = p) is true
        limit most_of_project
      ) as hit
      where asked is not null
      order by 2 desc, 1 desc
      limit max_rows
    ),
    best as (
      select found.task_id, max(found.rank) as rank
      from (select * from named union all select * from hits) as found
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

drop function private.spell_word(uuid, text);
-- find_tasks writes the words of a query by itself, as search_document those of a task
