-- A schema for extensions, as projects that come from Supabase expect it, with the two that their migrations use most:
-- pgcrypto (crypt, digest) and uuid-ossp (uuid_generate_v4). A user's migrations find it without a prefix.

create schema if not exists extensions;
comment on schema extensions is 'Functions of extensions, found without a prefix by migrations of one''s own.';
grant usage on schema extensions to anon, authenticated, service_role;

-- Both are trusted: who may create in the database may create them. A Postgres that comes without them does without.
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
