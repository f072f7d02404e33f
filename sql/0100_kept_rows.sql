-- What all tables of the domain share: enumerations, timestamps and columns that clients cannot set,
-- deletes that answer 403 instead of nothing, and authors that are always the caller.
--
-- "A client" below is whoever row security applies to: `authenticated` and any role built on it. The owner of the tables
-- (migrations, foreign key actions, definer functions) and service_role are not clients.

create type public.project_role as enum ('owner', 'editor', 'viewer');
create type public.task_priority as enum ('p0', 'p1', 'p2');
create type public.workflow_column_kind as enum ('backlog', 'todo', 'in_progress', 'done', 'custom');
create type public.dependency_type as enum ('FS');

comment on type public.project_role is 'owner: full project access; editor: may edit project data; viewer: read-only.';
comment on type public.task_priority is 'p0: critical; p1: high; p2: normal.';
comment on type public.workflow_column_kind is 'What a column stands for, whatever it is called: backlog, todo, in_progress, done or custom.';
comment on type public.dependency_type is 'FS: the successor can finish only after the predecessor has.';

-- created_at and updated_at are the database's own: a client's values are set aside, on insert and on update.
create function private.keep_times() returns trigger
language plpgsql set search_path = '' as $$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
    end if;
  elsif client then
    new.created_at := now();
    new.updated_at := now();
  else
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := coalesce(new.updated_at, now());
  end if;
  return new;
end
$$;

-- The same for tables whose rows never change after they are made.
create function private.keep_created_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.created_at := case tg_op when 'UPDATE' then old.created_at else now() end;
  else
    new.created_at := coalesce(new.created_at, now());
  end if;
  return new;
end
$$;

-- Sits behind a trigger whose WHEN finds one of the named columns changed. A body that repeats the value is welcome
-- (whole rows come back from clients, upserts set every column); one that changes it is refused.
create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  was constant jsonb := to_jsonb(old);
  becomes constant jsonb := to_jsonb(new);
  column_name text;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  foreach column_name in array tg_argv loop
    if was -> column_name is distinct from becomes -> column_name then
      raise exception using
        errcode = '42501',
        message = format('"%s" of %s cannot be changed', column_name, tg_table_name),
        hint = format('Leave "%s" out of the body, or send the value the row has.', column_name);
    end if;
  end loop;
  return new;
end
$$;

-- Sits behind a trigger whose WHEN finds that the caller sees the row but may not delete it.
create function private.refuse_delete() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using
    errcode = '42501',
    message = format('permission denied to delete from %s: your role in this project does not allow it', tg_table_name),
    hint = tg_argv[0];
end
$$;

-- Sits behind a trigger whose WHEN finds an author that is not the caller. Left empty, it becomes the caller; a row that
-- exists already (an upsert brings it back whole) keeps its author; anything else is refused.
create function private.claim_author() returns trigger
language plpgsql set search_path = '' as $$
declare
  author_column constant text := tg_argv[0];
  claimed constant text := to_jsonb(new) ->> author_column;
  is_theirs boolean;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  if claimed is null then
    return jsonb_populate_record(new, jsonb_build_object(author_column, auth.uid()));
  end if;
  execute format('select exists (select from %I.%I where id = $1 and %I = $2)', tg_table_schema, tg_table_name, author_column)
    into is_theirs using new.id, claimed::uuid;
  if not is_theirs then
    raise exception using
      errcode = '42501',
      message = format('"%s" of %s is whoever makes the row', author_column, tg_table_name),
      hint = format('Leave "%s" out of the body.', author_column);
  end if;
  return new;
end
$$;

-- The caller, as far as policies are concerned: nobody while their account has a second factor that this session has not
-- used. The token says so (`mfa_pending`), so no table is read. For triggers and procedures; policies read the same rule in
-- private.caller (0400_memberships.sql). plpgsql keeps its plan.
create function private.me() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
  return case when claims -> 'mfa_pending' = 'true' then null else nullif(claims ->> 'sub', '')::uuid end;
end
$$;
grant execute on function private.me() to authenticated, service_role;

-- A clear error for a session that has used the password alone.
create function private.require_second_factor() returns void
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
create function private.require_user() returns uuid
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
create function private.raise_not_found(what text) returns void
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
