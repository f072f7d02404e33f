-- The caller of a request: claims of the token, account, memberships, and the errors for callers who lack one of these.
-- Policies read the views private.caller, my_memberships, my_discussions and my_colleagues, once per statement (docs/why/schema.md#policies-read-a-view).
-- Triggers and procedures call the functions below, whose plans plpgsql keeps. Both follow one rule: an account with a second factor that
-- the session has not used (claim `mfa_pending`) is nobody.

-- Ends the request with an error of ours: its code, what is wrong, what to do, and particulars.
create or replace function private.refuse(code text, message text, hint text, detail text default null) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if detail is null then
    raise exception using errcode = code, message = message, hint = hint;
  end if;
  raise exception using errcode = code, message = message, hint = hint, detail = detail;
end
$$;
grant execute on function private.refuse(text, text, text, text) to public;

create or replace function auth.jwt() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb, '{}'::jsonb)
$$;
grant execute on function auth.jwt() to public;
comment on function auth.jwt() is 'The claims of the caller''s token.';

create or replace function auth.role() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;
grant execute on function auth.role() to public;
comment on function auth.role() is 'The role the caller''s token names.';

create or replace function auth.email() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
$$;
grant execute on function auth.email() to public;
comment on function auth.email() is 'The address in the caller''s token.';

-- Whom claims speak for.
create or replace function private.person_of(claims text) returns uuid
language sql immutable
return case when private.claim_in(claims, 'mfa_pending') = 'true' then null else private.subject_of(claims) end;
grant execute on function private.person_of(text) to authenticated, service_role;

-- "offset 0" has the claims read once.
create or replace view private.caller as
select private.person_of(token.claims) as user_id
from (select current_setting('request.jwt.claims', true) as claims offset 0) as token;
grant select on private.caller to authenticated;
comment on view private.caller is 'The caller, as policies see them; null: nobody.';

-- The same for triggers and procedures.
create or replace function private.me() returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return private.person_of(current_setting('request.jwt.claims', true));
end
$$;
grant execute on function private.me() to authenticated, service_role;

create or replace function private.require_second_factor() returns void
language plpgsql stable set search_path = '' as $$
begin
  if auth.jwt() -> 'mfa_pending' = 'true' then
    perform private.refuse('KB006', 'this account has a second factor, and this session has not used it yet',
      'Answer a challenge of one of its factors, then repeat the request with the new token.');
  end if;
end
$$;
grant execute on function private.require_second_factor() to authenticated, service_role;

-- Refuses tokens that speak for no one (a service key, an anonymous visitor), and programs: accounts and access are for people.
create or replace function private.require_user() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  me constant uuid := private.me();
begin
  if current_setting('role', true) = 'program' then
    perform private.refuse('42501', 'a key or app cannot do this', 'Sign in yourself: accounts, members and links are for people.');
  end if;
  if me is null then
    perform private.require_second_factor();
    perform private.refuse('42501', 'this needs a signed-in user', 'Send the access token of a user in the Authorization header.');
  end if;
  return me;
end
$$;
grant execute on function private.require_user() to authenticated, service_role;

-- One answer for "there is none" and "it is not yours to see".
create or replace function private.raise_not_found(what text) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_second_factor();
  perform private.refuse('PT404', format('no such %s', what), format('There is none with this id, or you are not a member of its project.'));
end
$$;
grant execute on function private.raise_not_found(text) to authenticated, service_role;

-- Programs ----------------------------------------------------------------------------------------------------------------

-- A token may narrow what its person may do: `scope` (read, comment, write; each includes the one before) and `project_ids`. The server gives
-- callers with such a token the role program (server/session/narrowing.ts), so that policies for it cost nobody else anything. What cannot be
-- read as a narrowing lets nothing through.
create or replace view private.my_token as
select
  least(case when token.scopes @> '{write}' then 3 when token.scopes @> '{comment}' then 2 when token.scopes @> '{read}' then 1 else 0 end,
    case when token.claims -> 'act' ? 'session' or not exists (select from public.agents a where a.id = (token.claims ->> 'sub')::uuid) then 3 else 1 end
  ) as level,
  case when token.claims ? 'projects' then array(
    select p.id::uuid
    from jsonb_array_elements_text(case jsonb_typeof(token.claims -> 'projects') when 'array' then token.claims -> 'projects' else '[]' end) p (id)
    where p.id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ) end as project_ids
from (
  select c.claims, string_to_array(c.claims ->> 'scope', ' ') as scopes
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims offset 0) c
) as token;
grant select on private.my_token to authenticated;
comment on view private.my_token is 'What the caller''s token leaves of their rights: level (0 nothing, 1 read, 2 comment, 3 write; of an agent outside of a session at most 1) and project_ids (null: all).';

-- For functions that run with the rights of the owner: true for everybody who is no program.
create or replace function private.token_reaches(in_project uuid, needed integer) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  -- Apart from the query, which costs everybody else ten times as much.
  if current_setting('role', true) is distinct from 'program' then
    return true;
  end if;
  return coalesce((
    select t.level >= needed and (t.project_ids is null or in_project = any (t.project_ids)) from private.my_token t
  ), false);
end
$$;
grant execute on function private.token_reaches(uuid, integer) to authenticated, service_role;

-- In place of require_user for what a program may do that reaches every project of its person.
create or replace function private.require_writer() returns uuid
language plpgsql stable set search_path = '' as $$
begin
  if current_setting('role', true) is distinct from 'program' then
    return private.require_user();
  end if;
  if not exists (select from private.my_token t where t.level = 3 and t.project_ids is null) then
    perform private.refuse('42501', 'this key or app may not create projects', 'It takes the scope write, for all projects.');
  elsif private.is_service_account(private.me()) then
    perform private.refuse('42501', 'a service account creates no projects', 'Projects are owned by people: create it yourself, then add the service account.');
  end if;
  return private.me();
end
$$;
grant execute on function private.require_writer() to authenticated, service_role;

-- Memberships -------------------------------------------------------------------------------------------------------------

-- Read with the rights of the owner of the tables, whom their policies do not bind: else project_members' policy would ask itself.
-- security_barrier: no condition of a query is tried on a row that is not the caller's.
create or replace view private.my_memberships with (security_barrier) as
select m.project_id, m.role
from public.project_members m
where m.user_id = (select c.user_id from private.caller c);
grant select on private.my_memberships to authenticated;
comment on view private.my_memberships is 'The caller''s projects, and what they are in each. Policies read it, once per statement.';

-- Looks at a project only for its viewers, by its key: "exists" would be hashed over all projects.
create or replace view private.my_discussions with (security_barrier) as
select m.project_id
from public.project_members m
where m.user_id = (select c.user_id from private.caller c)
  and (m.role in ('owner', 'editor') or (select p.viewers_may_comment from public.projects p where p.id = m.project_id));
grant select on private.my_discussions to authenticated;
comment on view private.my_discussions is 'The projects the caller may comment in: as owner or editor, or as viewer where viewers_may_comment says so.';

create or replace view private.my_colleagues with (security_barrier) as
select distinct other.user_id
from public.project_members mine
join public.project_members other on other.project_id = mine.project_id
where mine.user_id = (select c.user_id from private.caller c) and other.user_id is not null;
grant select on private.my_colleagues to authenticated;
comment on view private.my_colleagues is 'Everyone the caller shares a project with.';

create or replace view private.my_token_people with (security_barrier) as
select distinct m.user_id
from public.project_members m
where m.project_id = any ((select t.project_ids from private.my_token t where t.level > 0)::uuid[])
  and m.project_id in (select o.project_id from private.my_memberships o) and m.user_id is not null;
grant select on private.my_token_people to authenticated;
comment on view private.my_token_people is 'Members of the projects that the caller''s token names.';

create or replace function private.my_projects() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if current_setting('role', true) = 'program' then
    return array(select m.project_id from private.my_memberships m where private.token_reaches(m.project_id, 1));
  end if;
  return array(select m.project_id from public.project_members m where m.user_id = private.me());
end
$$;

-- For triggers, which have a row at hand.
create or replace function private.is_writer(in_project uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role in ('owner', 'editor')
  ) and private.token_reaches(in_project, 3);
end
$$;
grant execute on function private.is_writer(uuid) to authenticated, service_role;

create or replace function private.may_comment(in_project uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from private.my_discussions d where d.project_id = in_project) and private.token_reaches(in_project, 2);
end
$$;
grant execute on function private.may_comment(uuid) to authenticated, service_role;

create or replace function private.is_owner(in_project uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role = 'owner'
  ) and private.token_reaches(in_project, 3);
end
$$;
grant execute on function private.is_owner(uuid) to authenticated, service_role;

-- As policies would show them; the service belongs to no project and sees every one.
create or replace function private.visible_projects(only_this uuid) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  if only_this is null then
    ids := private.my_projects();
  else
    ids := array(select m.project_id from private.my_memberships m where m.project_id = only_this and private.token_reaches(only_this, 1));
  end if;
  if ids = '{}' and auth.role() = 'service_role' then
    ids := array(select p.id from public.projects p where only_this is null or p.id = only_this);
  end if;
  return ids;
end
$$;
comment on function private.visible_projects(uuid) is 'The projects the caller sees, or of these only the named one.';

-- The server's own roles and the service key work for everybody.
create or replace function private.is_own_work() returns boolean
language sql stable
return coalesce(current_setting('role', true), '') not in ('authenticated', 'task_guest', 'program', 'anon', 'share_link');
grant execute on function private.is_own_work() to authenticated, service_role;

-- True for members, and for the server's own roles and the service key.
create or replace function private.is_reader(in_project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_own_work() or (exists (
    select from public.project_members m where m.project_id = in_project and m.user_id = private.me()
  ) and private.token_reaches(in_project, 1))
$$;
grant execute on function private.is_reader(uuid) to authenticated, service_role;

-- A project of which the caller sees all that its members see; a guest sees tasks of one.
create or replace function private.require_project(of_project uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_reader(of_project) or not exists (select from public.projects p where p.id = of_project) then
    perform private.raise_not_found('project');
  end if;
end
$$;
grant execute on function private.require_project(uuid) to authenticated, service_role;

create or replace function private.members_of(project uuid) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.user_id), '{}') from public.project_members m
  where m.project_id = project and m.user_id is not null
$$;
comment on function private.members_of(uuid) is 'Who is in a project.';

-- Sessions and the service key --------------------------------------------------------------------------------------------

-- Links to upload, and to whole folders, outlive the token they were asked for with: this is looked up when one is used. A token without a
-- session is of an operator's own making.
create or replace function private.is_session_active(person uuid, session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select (is_session_active.session is null or exists (select from auth.sessions s where s.id = is_session_active.session))
    and not exists (
      select from auth.users u
      where u.id = is_session_active.person and (u.deleted_at is not null or u.banned_until > now())
    )
$$;
grant execute on function private.is_session_active(uuid, uuid) to kanbase_files;
comment on function private.is_session_active(uuid, uuid) is 'Whether a session has not ended and a person is not shut out.';

-- Only a superuser (since Postgres 16 also a role that has it) can give bypassrls. Elsewhere policies let service_role through: our tables
-- bring theirs, tables added by others get one here. Called after every migration.
create or replace function private.add_service_role_policies() returns setof text
language plpgsql volatile set search_path = '' as $$
declare
  closed regclass;
begin
  if not (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege or internal_error then
      null;
    end;
  end if;
  if (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    return;
  end if;
  -- Tables that were granted to it, by default or by name, and that no policy of their own speaks about.
  for closed in
    select c.oid from pg_catalog.pg_class c
    where c.relkind in ('r', 'p') and c.relrowsecurity and pg_catalog.pg_has_role(c.relowner, 'usage')
      and pg_catalog.has_table_privilege('service_role', c.oid, 'select, insert, update, delete')
      and not exists (
        select from pg_catalog.pg_policy p
        where p.polrelid = c.oid and 'service_role'::regrole = any (p.polroles)
      )
    order by c.oid
  loop
    execute format('create policy service_role_sees_all on %s to service_role using (true) with check (true)', closed);
    return next closed::text;
  end loop;
end
$$;
comment on function private.add_service_role_policies() is 'Where service_role has no bypassrls: gives tables that were granted to it a policy that lets it through. Returns their names.';
