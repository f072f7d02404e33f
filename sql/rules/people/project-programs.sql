-- Programs in a project: OAuth grants of its members and service accounts that reach it. Owners list them and take the project out of one's reach.

create or replace function private.projects_of_grant(granted auth.oauth_grants) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select case when private.scope_of_grant(granted) is null then '{}' else private.reached_projects((granted).user_id, (granted).project_ids) end
$$;
comment on function private.projects_of_grant(auth.oauth_grants) is 'The projects that a grant reaches, as far as its person is in them.';

-- Null: it reaches no projects.
create or replace function private.scope_of_grant(granted auth.oauth_grants) returns text
language sql immutable
return case
  when 'write' = any ((granted).scopes) then 'write' when 'comment' = any ((granted).scopes) then 'comment'
  when 'read' = any ((granted).scopes) then 'read'
end;

-- A line in the log of each project that it reaches, or reached.
create or replace function private.log_program() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  granted constant auth.oauth_grants := coalesce(new, old);
  was constant uuid[] := case when tg_op <> 'INSERT' then private.projects_of_grant(old) else '{}' end;
  becomes constant uuid[] := case when tg_op <> 'DELETE' then private.projects_of_grant(new) else '{}' end;
begin
  perform private.log_reach(
    jsonb_build_object('kind', 'program', 'id', granted.client_id, 'user_id', granted.user_id,
      'name', (select c.client_name from auth.oauth_clients c where c.id = granted.client_id)),
    was, case when tg_op <> 'INSERT' then private.scope_of_grant(old) end, becomes, case when tg_op <> 'DELETE' then private.scope_of_grant(new) end);
  return null;
end
$$;

create or replace function private.programs_of_project(of_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_owner_of(of_project, 'sees the apps that reach it', 'Ask an owner.');
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'user_id', g.user_id, 'client_id', coalesce(c.metadata_url, c.id::text),
      'name', c.client_name, 'scope', private.scope_of_grant(g), 'reaches_all', g.project_ids is null, 'granted_at', g.updated_at,
      'expires_at', g.expires_at, 'last_used_at', g.last_used_at) order by g.updated_at desc, g.id), '[]')
    from public.project_members m
    join auth.oauth_grants g on g.user_id = m.user_id and (g.project_ids is null or of_project = any (g.project_ids))
    join auth.oauth_clients c on c.id = g.client_id
    where m.project_id = of_project and auth.is_oauth_grant_open(g) and private.scope_of_grant(g) is not null
  );
end
$$;
grant execute on function private.programs_of_project(uuid) to authenticated;

create or replace function public.project_programs(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.programs_of_project(project_programs.project_id)
$$;
grant execute on function public.project_programs(uuid) to authenticated;
comment on function public.project_programs(uuid) is 'Apps of members and clients of service accounts that reach this project by OAuth, latest first: [{id, user_id, client_id, name, scope, reaches_all, granted_at, expires_at, last_used_at}]. For its owners.';

-- As of a key (private.take_key_out). Its tokens name their projects, so those that reach this one end.
create or replace function private.take_program_out(of_grant uuid, of_project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  granted auth.oauth_grants;
  rest uuid[];
begin
  perform private.require_owner_of(of_project, 'sees the apps that reach it', 'Ask an owner.');
  select g.* into granted from auth.oauth_grants g
  where g.id = of_grant and auth.is_oauth_grant_open(g) and of_project = any (private.projects_of_grant(g)) for update;
  if not found then
    perform private.refuse('PT404', 'no such app', 'It does not reach this project, or somebody has removed it already.');
  end if;
  rest := private.projects_without(coalesce(granted.project_ids, private.projects_of_grant(granted)), of_project);
  if rest is not null then
    update auth.oauth_grants g set project_ids = rest, updated_at = now() where g.id = granted.id;
    delete from auth.sessions s where s.oauth_grant_id = granted.id and (s.oauth_project_ids is null or of_project = any (s.oauth_project_ids));
  else
    delete from auth.oauth_clients c where c.id = granted.client_id and c.service_account_id is not null;
    delete from auth.oauth_grants g where g.id = granted.id;
  end if;
end
$$;
grant execute on function private.take_program_out(uuid, uuid) to authenticated;

create or replace function public.remove_program_from_project(grant_id uuid, project_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.take_program_out(remove_program_from_project.grant_id, remove_program_from_project.project_id)
$$;
grant execute on function public.remove_program_from_project(uuid, uuid) to authenticated;
comment on function public.remove_program_from_project(uuid, uuid) is 'Takes a project out of the reach of an app that a member let in, or of a client of a service account (owners only). Tokens that reach the project end at once; what reached nothing else ends with them, and what reached all projects reaches the others by name, or ends where these are more than 100.';
