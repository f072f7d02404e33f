-- Who may log in, whom they may become, and what a token says: the ground every policy stands on.
-- Roles are shared by all databases of a cluster, so they may exist already and several nodes may race to make them.

create schema if not exists auth;
create schema if not exists private;

comment on schema auth is 'Accounts and sessions, and what the caller''s token says.';
comment on schema private is 'What is never served: functions behind policies, the server''s own tables.';

-- Creates a role unless it exists; losing a race to create it is fine.
create or replace function private.ensure_role(role_name text, attributes text) returns void
language plpgsql set search_path = '' as $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
    begin
      execute format('create role %I %s', role_name, attributes);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
end
$$;

-- Lets the pool's login, and the owner who may be that login, become a role. Granting again is harmless; a race is not an error.
create or replace function private.let_become(role_name text) returns void
language plpgsql set search_path = '' as $$
declare
  login text;
begin
  foreach login in array array['authenticator', current_user::text] loop
    if role_name <> login and not exists (
      select from pg_catalog.pg_auth_members m
      where m.roleid = (select oid from pg_catalog.pg_roles where rolname = role_name)
        and m.member = (select oid from pg_catalog.pg_roles where rolname = login)
        -- a role's creator holds it with admin option only, granted by the bootstrap superuser
        and m.grantor <> 10
    ) then
      for attempt in 1..5 loop
        begin
          execute format('grant %I to %I', role_name, login);
          exit;
        exception when unique_violation or internal_error then
          -- another node granted it at the same moment ("tuple concurrently updated")
          null;
        end;
      end loop;
    end if;
  end loop;
end
$$;

-- A role of the server's own, for one room's privileged work: `select private.add_room_role('kanbase_billing')`.
create or replace function private.add_room_role(role_name text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.ensure_role(role_name, 'nologin noinherit');
  perform private.let_become(role_name);
end
$$;

select private.ensure_role('anon', 'nologin noinherit');
select private.ensure_role('authenticated', 'nologin noinherit');
select private.ensure_role('service_role', 'nologin noinherit');
select private.ensure_role('authenticator', 'login noinherit');

-- bypassrls can be handed on by a superuser, or since Postgres 16 by a role that has it. Elsewhere the policies name service_role.
do $$
begin
  if not (select rolbypassrls from pg_catalog.pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
exception when insufficient_privilege or internal_error then
  null;
end
$$;

select private.let_become('anon');
select private.let_become('authenticated');
select private.let_become('service_role');

-- Nothing is open unless it is granted: tables never were, functions and schemas are closed here.
alter default privileges revoke execute on functions from public;
revoke all on schema auth, private from public;
revoke execute on all functions in schema private from public;
do $$
begin
  revoke create on schema public from public;
  grant usage on schema public to anon, authenticated, service_role;
exception when insufficient_privilege then
  raise exception 'The user % may not grant rights on schema public. Make it the owner of the database, or of that schema: alter schema public owner to %', current_user, current_user;
end
$$;
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema private to anon, authenticated, service_role;

-- Tables made later, in our migrations or the user's own, serve the service key at once; everyone else needs a grant.
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

-- The caller's token, as the data door set it for this transaction.

create or replace function auth.jwt() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb, '{}'::jsonb)
$$;

create or replace function auth.uid() returns uuid
language sql stable set search_path = '' as $$
  select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid
$$;

create or replace function auth.role() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;

create or replace function auth.email() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
$$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;

comment on function auth.jwt() is 'The claims of the caller''s token.';
comment on function auth.uid() is 'The user the caller''s token speaks for.';
comment on function auth.role() is 'The role the caller''s token names.';
comment on function auth.email() is 'The address in the caller''s token.';

-- Version 7 ids sort by time. Postgres 18 makes its own; 15 to 17 get them put together here.
do $make$
begin
  if current_setting('server_version_num')::int >= 180000 then
    create or replace function private.uuid_v7() returns uuid
    language sql volatile parallel safe
    begin atomic
      select uuidv7();
    end;
  else
    create or replace function private.uuid_v7() returns uuid
    language sql volatile parallel safe set search_path = '' as $$
      select encode(
        set_byte(
          overlay(
            uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
            from 1 for 6
          ),
          6,
          (get_byte(uuid_send(gen_random_uuid()), 6) & 15) | 112
        ),
        'hex'
      )::uuid
    $$;
  end if;
end
$make$;
comment on function private.uuid_v7() is 'A new id that sorts by the time it was made.';
grant execute on function private.uuid_v7() to public;
