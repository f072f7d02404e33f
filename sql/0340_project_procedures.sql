-- Beginning a project, one's role in it, leaving it.

-- Letters for WEB-12 from a name: its initials if it has several words, else its first letters; followed by a number where the
-- caller has a project with that key already.
create function private.propose_key(for_name text, for_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  words constant text[] := regexp_split_to_array(trim(regexp_replace(upper(for_name), '[^A-Z0-9]+', ' ', 'g')), ' ');
  stem text := '';
  candidate text;
begin
  if cardinality(words) >= 2 then
    select left(string_agg(left(word, 1), '' order by place), 4) into stem from unnest(words) with ordinality as w (word, place);
  else
    stem := left(words[1], 4);
  end if;
  if length(stem) < 2 then
    stem := left(stem || 'PR', 2);
  end if;
  candidate := stem;
  for suffix in 2..99 loop
    exit when not exists (
      select from public.projects p
      join public.project_members m on m.project_id = p.id
      where m.user_id = for_user and p.key = candidate
    );
    candidate := stem || suffix;
  end loop;
  return candidate;
end
$$;

create function private.found_project(project_name text, project_description text, project_key text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  project public.projects;
begin
  insert into public.projects (name, description, key, created_by)
  values (
    project_name,
    coalesce(project_description, ''),
    coalesce(upper(nullif(trim(project_key), '')), private.propose_key(project_name, me)),
    me
  )
  returning * into project;
  insert into public.project_members (project_id, user_id, role) values (project.id, me, 'owner');
  insert into public.workflow_columns (project_id, name, kind, position) values
    (project.id, 'Backlog', 'backlog', 1),
    (project.id, 'To do', 'todo', 2),
    (project.id, 'In progress', 'in_progress', 3),
    (project.id, 'Done', 'done', 4);
  return project;
end
$$;
grant execute on function private.found_project(text, text, text) to authenticated, service_role;

create function public.create_project_with_defaults(name text, description text default '', key text default null)
returns public.projects
language sql volatile set search_path = '' as $$
  select private.found_project(
    create_project_with_defaults.name, create_project_with_defaults.description, create_project_with_defaults.key
  )
$$;
grant execute on function public.create_project_with_defaults(text, text, text) to authenticated;

-- Through the policy of project_members: no member, no row, null.
create function public.current_project_role(project_id uuid) returns public.project_role
language sql stable set search_path = '' as $$
  select m.role from public.project_members m
  where m.project_id = current_project_role.project_id and m.user_id = auth.uid()
$$;
grant execute on function public.current_project_role(uuid) to authenticated;

create function public.leave_project(project_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.project_members m
  where m.project_id = leave_project.project_id and m.user_id = private.require_user();
  if not found then
    perform private.raise_not_found('project');
  end if;
end
$$;
grant execute on function public.leave_project(uuid) to authenticated;

comment on function public.create_project_with_defaults(text, text, text) is 'Begins a project: the caller is its owner, its columns are Backlog, To do, In progress and Done. The key is made from the name when left out.';
comment on function public.current_project_role(uuid) is 'The caller''s role in a project, or null for someone who is not a member.';
comment on function public.leave_project(uuid) is 'Ends the caller''s membership. The last owner cannot leave (KB003).';
