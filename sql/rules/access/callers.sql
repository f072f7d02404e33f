-- HEAD of 1021
-- Functions that look past policies for triggers answer people about their own projects only, also if one calls them directly.
-- HEAD of 0010
-- Who may log in, whom they may become, and what a token says: the ground every policy stands on.
-- Roles are shared by all databases of a cluster, so they may exist already and several nodes may race to make them.
-- HEAD of 0400
-- What policies ask: the caller and their memberships as views, read once per statement. They replace plpgsql functions that
-- policies called (docs/decisions/0036-policies-read-a-view.md says what that saves). Who may see and do what stays the same.
-- HEAD of 0440
-- service_role passes row security where it has bypassrls, which only a superuser can give (since Postgres 16 also a role that has
-- it). Elsewhere a policy has to let it through: our tables bring theirs, yours get one here. Called after every migration.
-- HEAD of 0974
-- Links to upload, and to whole folders, speak for whoever asked for them and outlive the token they asked with: whether that person is still
-- let in is looked up when one is used. Who has a token without a session has one of an operator's own making.

-- Whom policies take the caller for: nobody while their account has a second factor that this session has not used. The same rule
-- as private.me(), which triggers and procedures call; "offset 0" has the claims read once.
create or replace view private.caller as
select case when token.claims -> 'mfa_pending' = 'true' then null else nullif(token.claims ->> 'sub', '')::uuid end as user_id
from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims offset 0) as token;
grant select on private.caller to authenticated;
comment on view private.caller is 'The caller, as policies see them; null: nobody.';

-- Read with the rights of the owner of the tables, whom their policies do not bind: else project_members' policy would ask itself.
-- security_barrier: no condition of whoever reads it is tried on a row that is not the caller's.
create or replace view private.my_memberships with (security_barrier) as
select m.project_id, m.role
from public.project_members m
where m.user_id = (select c.user_id from private.caller c);
grant select on private.my_memberships to authenticated;
comment on view private.my_memberships is 'The caller''s projects, and what they are in each. Policies read it, once per statement.';

-- Everyone the caller shares a project with, the caller too.
create or replace view private.my_colleagues with (security_barrier) as
select distinct other.user_id
from public.project_members mine
join public.project_members other on other.project_id = mine.project_id
where mine.user_id = (select c.user_id from private.caller c);
grant select on private.my_colleagues to authenticated;
comment on view private.my_colleagues is 'Everyone the caller shares a project with.';

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

-- The caller, as far as policies are concerned: nobody while their account has a second factor that this session has not
-- used. The token says so (`mfa_pending`), so no table is read. For triggers and procedures; policies read the same rule in
-- private.caller (0400_memberships.sql). plpgsql keeps its plan.
create or replace function private.me() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
  return case when claims -> 'mfa_pending' = 'true' then null else nullif(claims ->> 'sub', '')::uuid end;
end
$$;
grant execute on function private.me() to authenticated, service_role;

-- A clear error for a session that has used the password alone.
create or replace function private.require_second_factor() returns void
language plpgsql stable set search_path = '' as $$
begin
  if auth.jwt() -> 'mfa_pending' = 'true' then
    raise exception using
      errcode = 'KB006',
      message = 'this account has a second factor, and this session has not used it yet',
      hint = 'Answer a challenge of the second factor, then repeat the request with the new token.';
  end if;
end
$$;
grant execute on function private.require_second_factor() to authenticated, service_role;

-- The token speaks for no one (a service key, an anonymous visitor), and the procedure needs someone.
create or replace function private.require_user() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  me constant uuid := private.me();
begin
  if me is null then
    perform private.require_second_factor();
    raise exception using
      errcode = '42501',
      message = 'this needs a signed-in user',
      hint = 'Send the access token of a user in the Authorization header.';
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
  raise exception using
    errcode = 'PT404',
    message = format('no such %s', what),
    hint = format('There is none with this id, or you are not a member of its project.');
end
$$;
grant execute on function private.raise_not_found(text) to authenticated, service_role;

create or replace function private.my_projects() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
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
  );
end
$$;
grant execute on function private.is_writer(uuid) to authenticated, service_role;

create or replace function private.is_owner(in_project uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role = 'owner'
  );
end
$$;
grant execute on function private.is_owner(uuid) to authenticated, service_role;

create or replace function private.let_service_role_see_all() returns setof text
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
comment on function private.let_service_role_see_all() is 'Where service_role has no bypassrls: gives tables that were granted to it a policy that lets it through. Returns their names.';

-- Of the caller's projects this one, or all of them; the service belongs to none and sees every one. As policies would show them.
create or replace function private.visible_projects(only_this uuid) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  if only_this is null then
    ids := private.my_projects();
  else
    ids := array(select m.project_id from private.my_memberships m where m.project_id = only_this);
  end if;
  if ids = '{}' and auth.role() = 'service_role' then
    ids := array(select p.id from public.projects p where only_this is null or p.id = only_this);
  end if;
  return ids;
end
$$;
comment on function private.visible_projects(uuid) is 'The projects the caller sees, or of these only the named one.';

create or replace function private.is_let_in(person uuid, session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select (is_let_in.session is null or exists (select from auth.sessions s where s.id = is_let_in.session))
    and not exists (
      select from auth.users u
      where u.id = is_let_in.person and (u.deleted_at is not null or u.banned_until > now())
    )
$$;
grant execute on function private.is_let_in(uuid,uuid) to kanbase_files;
comment on function private.is_let_in(uuid,uuid) is 'Whether a session has not ended and a person is not shut out.';

create or replace function private.looks_into(in_project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  -- The server's own roles and the service key work for everybody.
  select coalesce(current_setting('role', true), '') not in ('authenticated', 'anon') or exists (
    select from public.project_members m where m.project_id = in_project and m.user_id = private.me()
  )
$$;
