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

-- Lets a login become a role: the pool's login, the owner who runs this, and whoever is named. Granting again is
-- harmless, losing a race for it too.
create or replace function private.let_become(role_name text, login_name text default null) returns void
language plpgsql set search_path = '' as $$
declare
  login text;
begin
  foreach login in array array['authenticator', current_user::text, login_name] loop
    continue when login is null or login = role_name;
    -- Since Postgres 16 whoever creates a role holds it without the right to become it (set_option).
    continue when exists (
      select from pg_catalog.pg_auth_members m
      join pg_catalog.pg_roles r on r.oid = m.roleid and r.rolname = role_name
      join pg_catalog.pg_roles l on l.oid = m.member and l.rolname = login
      where coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
    );
    continue when (select l.rolsuper from pg_catalog.pg_roles l where l.rolname = login);
    for attempt in 1..10 loop
      begin
        execute format('grant %I to %I', role_name, login);
        exit;
      exception
        when unique_violation or internal_error then
          -- another node granted it at the same moment
          perform pg_catalog.pg_sleep(0.02);
        when insufficient_privilege then
          raise exception 'The role % exists and % may not hand it on', role_name, current_user
            using errcode = 'insufficient_privilege',
              hint = format('As a superuser: grant %I to %I with admin option', role_name, current_user);
      end;
    end loop;
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

-- Asked for by every policy: in plpgsql, which keeps its plan; before Postgres 18 an sql function is planned anew each time.
create or replace function auth.uid() returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid;
end
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
