-- Finding tasks by their words: number, title, description, comments. Word beginnings match, letter case aside.
--
-- Every word is indexed behind the tail of its project's id, so a search reads the words of the caller's projects and nobody
-- else's: what it costs does not depend on who else lives in the database.

create table private.task_search (
  task_id uuid primary key,
  project_id uuid not null references public.projects (id) on delete cascade,
  document tsvector not null,
  constraint task_search_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade
);
create index task_search_project_id_idx on private.task_search (project_id, task_id);
-- what is newly written waits in a list that every search reads through: a short one
create index task_search_document_idx on private.task_search using gin (document) with (gin_pending_list_limit = 512);

alter table private.task_search enable row level security;
-- no policies, no grants: find_tasks looks, for projects of the caller only

-- A word as a tsvector or tsquery spells it, behind the tail of its project's id.
create function private.spell_word(in_project uuid, word text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return '''' || right(in_project::text, 8) || ':' || replace(replace(word, '\', '\\'), '''', '''''') || '''';
end
$$;

-- Long texts count with their first 40,000 characters, words with up to 200 bytes; a task must not fail to save over its index.
create function private.search_document(in_project uuid, number integer, title text, description text, comments text) returns tsvector
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(string_agg(
      private.spell_word(in_project, w.lexeme) || ':' || (
        select string_agg(p.position || p.weight, ',')
        from unnest(w.positions[1:8], w.weights[1:8]) as p (position, weight)
      ),
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

create function private.index_task(of_task uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.task_search as s (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, (
    select string_agg(left(c.body, 40000), ' ' order by c.created_at desc)
    from public.task_comments c
    where c.project_id = t.project_id and c.task_id = t.id
  ))
  from public.tasks t
  join public.projects p on p.id = t.project_id -- neither when the task nor when its project is going
  where t.id = of_task
  on conflict (task_id) do update set document = excluded.document;
end
$$;

create function private.index_changed_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into private.task_search (task_id, project_id, document)
    values (new.id, new.project_id, private.search_document(new.project_id, new.number, new.title, new.description, null));
  else
    perform private.index_task(new.id);
  end if;
  return null;
end
$$;
create trigger tasks_index after insert on public.tasks for each row execute function private.index_changed_task();
create trigger tasks_index_change after update on public.tasks for each row
  when (old.title <> new.title or old.description <> new.description or old.number <> new.number)
  execute function private.index_changed_task();

create function private.index_commented_task() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_task(coalesce(new.task_id, old.task_id));
  return null;
end
$$;
create trigger task_comments_index after insert or delete on public.task_comments
  for each row execute function private.index_commented_task();
create trigger task_comments_index_change after update on public.task_comments for each row
  when (old.body <> new.body) execute function private.index_commented_task();

-- Tasks of the caller's projects, best first. WEB-12, #12 and 12 name a task outright. Of a word that fits thousands of tasks,
-- the first 2,000 found compete for the ranks.
create function private.find_tasks(query text, in_project uuid, max_rows integer) returns table (task_id uuid, rank real)
language plpgsql stable security definer set search_path = '' rows 50 as $$
#variable_conflict use_column
declare
  projects constant uuid[] := case
    -- the service belongs to no project and sees them all
    when auth.role() = 'service_role' then array(select p.id from public.projects p where in_project is null or p.id = in_project)
    else array(select p from unnest(private.my_projects()) as p where in_project is null or p = in_project)
  end;
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  words tsquery;
begin
  select string_agg('(' || (
    select string_agg(private.spell_word(p, w.lexeme) || ':*', ' | ') from unnest(projects) as p
  ) || ')', ' & ')::tsquery
  into words
  from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w
  where octet_length(w.lexeme) <= 200;

  return query
    select found.task_id, max(found.rank)
    from (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      join public.projects p on p.id = t.project_id
      where t.project_id = any (projects) and t.number = reference[2]::integer
        and (reference[1] is null or p.key = upper(reference[1]))
      union all
      select hit.task_id, ts_rank(hit.document, words)
      from (
        select s.task_id, s.document from private.task_search s
        where s.document @@ words and s.project_id = any (projects)
        limit 2000
      ) as hit
    ) as found
    group by found.task_id
    order by 2 desc, 1 desc
    limit max_rows;
end
$$;
grant execute on function private.find_tasks(text, uuid, integer) to authenticated, service_role;

create function public.search_tasks(query text, project_id uuid default null, max_rows integer default 50) returns setof public.tasks
language plpgsql stable set search_path = '' rows 50 as $$
begin
  if search_tasks.project_id is not null
    and not exists (select from public.projects p where p.id = search_tasks.project_id) then
    perform private.raise_not_found('project');
  end if;
  return query
    select t.*
    from private.find_tasks(search_tasks.query, search_tasks.project_id, least(greatest(max_rows, 0), 1000)) as found
    join public.tasks t on t.id = found.task_id
    order by found.rank desc, t.id desc;
end
$$;
grant execute on function public.search_tasks(text, uuid, integer) to authenticated;

comment on table private.task_search is 'The words of each task, for search_tasks.';
comment on function public.search_tasks(text, uuid, integer) is 'Tasks that match all words of the query, by their beginnings, in number, title, description or comments; best first. WEB-12 finds that very task. In one project, or in all the caller''s.';
