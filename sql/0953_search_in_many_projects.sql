-- Each project is asked for its own words: one query for the words of all of them is long where there are a thousand, and Postgres, which
-- cannot guess how many rows it finds, would rather read every task. What is in no project of the caller's is never looked at.
create or replace function private.find_tasks(query text, in_project uuid, max_rows integer)
returns table (task_id uuid, rank real)
language plpgsql stable security definer rows 50 set search_path = '' as $$
#variable_conflict use_column
declare
  projects constant uuid[] := case
    -- the service belongs to no project and sees them all
    when auth.role() = 'service_role' then array(select p.id from public.projects p where in_project is null or p.id = in_project)
    else array(select p from unnest(private.my_projects()) as p where in_project is null or p = in_project)
  end;
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  lexemes constant text[] := array(
    select w.lexeme from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w where octet_length(w.lexeme) <= 200
  );
  -- A word that most tasks have is not looked for in all of them.
  most_of_project constant integer := greatest(least(1000, 10000 / greatest(cardinality(projects), 1)), 5);
begin
  return query
    select found.task_id, max(found.rank)
    from (
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
    ) as found
    group by found.task_id
    order by 2 desc, 1 desc
    limit max_rows;
end
$$;
