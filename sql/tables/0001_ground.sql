-- Schemas, roles, extensions, the publication, types, and the functions that definitions of tables call: the ground of every other file.
-- Roles are shared by all databases of a cluster, so they may exist already, and several nodes may race to create them.

create schema if not exists auth;
create schema if not exists private;
create schema billing;
create schema realtime;
create schema storage;
create schema if not exists extensions;
-- Open to every role that a token may name, with nothing in it but what statements of /rest/v1 call.
create schema data_door;

comment on schema auth is 'Accounts and sessions, and what the caller''s token says.';
comment on schema private is 'What is never served: functions behind policies, the server''s own tables.';
comment on schema billing is 'What was bought, as the payment provider tells it. Not reachable through the data endpoints.';
comment on schema realtime is 'Messages to channels of /realtime/v1, and who may read and send them.';
comment on schema storage is 'Files at /storage/v1: which buckets there are, what is in them, and by policies who may do what.';
comment on schema extensions is 'Functions of extensions, found without a prefix by migrations of one''s own.';
comment on schema data_door is 'What the statements of /rest/v1 call themselves. Never served, and open to every role a token may name.';

-- Roles -----------------------------------------------------------------------------------------------------------------

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

-- Lets logins become a role: the pool's, the owner who runs this, and the one named. Granting again is harmless, losing a race for it too.
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

-- A role of the server's own, for the privileged work of one room.
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

-- bypassrls can be passed on by a superuser, or since Postgres 16 by a role that has it. Elsewhere policies name service_role.
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

select private.add_room_role('kanbase_identity');
select private.add_room_role('kanbase_mail');
select private.add_room_role('kanbase_limits');
select private.add_room_role('kanbase_landing');
select private.add_room_role('kanbase_billing');
select private.add_room_role('kanbase_realtime');
select private.add_room_role('kanbase_files');
select private.add_room_role('kanbase_recurrence');
select private.add_room_role('kanbase_feeds');
select private.add_room_role('kanbase_imports');
select private.add_room_role('kanbase_desk');
select private.add_room_role('kanbase_exports');
select private.add_room_role('kanbase_replica');

-- Nothing is open unless it is granted: tables are closed by default, functions and schemas here.
alter default privileges revoke execute on functions from public;
revoke execute on all functions in schema private from public;
do $$
begin
  revoke create on schema public from public;
  grant usage on schema public to anon, authenticated, service_role;
exception when insufficient_privilege then
  raise exception 'The user % may not grant rights on schema public. Make it the owner of the database, or of that schema: alter schema public owner to %', current_user, current_user;
end
$$;
grant usage on schema auth to anon, authenticated, service_role, kanbase_identity;
grant usage on schema private to anon, authenticated, service_role, kanbase_mail, kanbase_limits, kanbase_landing, kanbase_billing,
  kanbase_realtime, kanbase_files, kanbase_recurrence, kanbase_feeds, kanbase_imports, kanbase_desk, kanbase_exports, kanbase_replica;
grant usage on schema billing to kanbase_billing, kanbase_landing;
grant usage on schema realtime to anon, authenticated, service_role, kanbase_realtime;
grant usage on schema storage to anon, authenticated, service_role, kanbase_files;
grant usage on schema extensions to anon, authenticated, service_role;
grant usage on schema data_door to public;

-- Tables and functions created later, here or in migrations of yours, serve the service key at once; everyone else needs a grant.
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

-- Extensions ------------------------------------------------------------------------------------------------------------

-- The two that migrations of projects from Supabase use most: pgcrypto (crypt, digest) and uuid-ossp (uuid_generate_v4).
-- Both are trusted: a role that may create in the database may create them. A Postgres that comes without them does without.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['pgcrypto', 'uuid-ossp'] loop
    continue when exists (select from pg_catalog.pg_extension where extname = wanted);
    continue when not exists (select from pg_catalog.pg_available_extensions where name = wanted);
    begin
      execute format('create extension %I with schema extensions', wanted);
    exception when insufficient_privilege or undefined_file then
      null;
    end;
  end loop;
end
$$;

-- Publication -----------------------------------------------------------------------------------------------------------

-- The tables whose changes are sent live: add one of your own with "alter publication supabase_realtime add table …".
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime with (publish_via_partition_root = true);
  end if;
end
$$;

-- Functions that definitions of tables call ------------------------------------------------------------------------------

-- Inlined: Postgres writes the expression into the statement that uses it. Its body is parsed here, so it needs no search_path, and a
-- setting would prevent the inlining.
create or replace function auth.uid() returns uuid
language sql stable
begin atomic
  select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid;
end;
grant execute on function auth.uid() to public;
comment on function auth.uid() is 'The user the caller''s token speaks for.';

-- Version 7 ids sort by time. Postgres 18 has a function for them; 15 to 17 get them put together here.
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

-- Options are a list of {id, name, color}; values keep the ids, so that a name may change.
create or replace function private.are_options(options jsonb) returns boolean
language sql immutable
return jsonb_typeof(options) = 'array' and jsonb_array_length(options) <= 100 and not exists (
  select from jsonb_array_elements(options) o
  where jsonb_typeof(o) <> 'object'
    or coalesce(o ->> 'id', '') !~ '^[A-Za-z0-9_-]{1,40}$'
    or jsonb_typeof(o -> 'name') is distinct from 'string' or (o ->> 'name') !~ '[^[:space:]]' or char_length(o ->> 'name') > 100
    or coalesce(o ->> 'color', '#000000') !~ '^#[0-9A-Fa-f]{6}$'
    or (o - array['id', 'name', 'color']) <> '{}'
) and (
  select count(distinct o ->> 'id') = count(*) and count(distinct lower(o ->> 'name')) = count(*) from jsonb_array_elements(options) o
);
grant execute on function private.are_options(jsonb) to authenticated, service_role;

create or replace function private.as_picture_address(address text) returns text
language sql immutable
return case
  when char_length(address) <= 2000
    and address ~ '^(https://[[:alnum:].-]+(:[0-9]+)?(/[^[:space:][:cntrl:]\\]*)?|/([^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*)?)$'
  then address
end;
grant execute on function private.as_picture_address(text) to authenticated, service_role;
comment on function private.as_picture_address(text) is 'The address of a picture, or null when it is none.';

-- Null where a moment is infinite, as the service key may set it.
create or replace function private.seconds_between(since timestamptz, until timestamptz) returns double precision
language sql immutable parallel safe
return case when isfinite(since) and isfinite(until) then date_part('epoch', until - since) end;
grant execute on function private.seconds_between(timestamptz,timestamptz) to public;
comment on function private.seconds_between(timestamptz,timestamptz) is 'Seconds from one moment to another; an expression that Postgres writes into the statement.';

-- Types -----------------------------------------------------------------------------------------------------------------

create type public.project_role as enum ('owner', 'editor', 'viewer');
comment on type public.project_role is 'owner: full project access; editor: may edit project data; viewer: read-only.';
create type public.task_priority as enum ('p0', 'p1', 'p2');
comment on type public.task_priority is 'p0: critical; p1: high; p2: normal.';
create type public.workflow_column_kind as enum ('backlog', 'todo', 'in_progress', 'done', 'custom');
comment on type public.workflow_column_kind is 'What a column stands for, whatever it is called: backlog, todo, in_progress, done or custom.';
create type public.dependency_type as enum ('FS');
comment on type public.dependency_type is 'FS: the successor can finish only after the predecessor has.';
create type public.custom_field_kind as enum ('text', 'number', 'date', 'select', 'multi_select', 'person', 'url', 'checkbox');
comment on type public.custom_field_kind is 'What a field holds: text, a number, a day, one or several of its options, a member, an address, or yes and no.';
create type public.recurrence_mode as enum ('calendar', 'after_completion');
comment on type public.recurrence_mode is 'calendar: on the days of the rule; after_completion: when the task is done, counted from that day.';

-- Rows that functions hand to each other.
create type private.figure_change as (project_id uuid, figure text, key text, delta integer);
create type private.flow_change as (project_id uuid, column_id uuid, delta integer);
create type private.watcher as (project_id uuid, task_id uuid, user_id uuid);
comment on type private.watcher is 'Somebody who is to watch a task.';
create type private.news as (user_id uuid, kind text, project_id uuid, task_id uuid, data jsonb);
comment on type private.news is 'What somebody is to be notified of.';
create type private.wanted_news as (
  user_id uuid, project_id uuid, task_id uuid, kind text, weight integer, data jsonb, also jsonb, inbox boolean
);
comment on type private.wanted_news is 'What somebody is to be notified of, after their own choice.';
create type private.task_place as (task_id uuid, from_project uuid, column_id uuid, number integer, order_rank text);
comment on type private.task_place is 'Where a task that changes its project stands there.';
