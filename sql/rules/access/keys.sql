-- Keys of people for programs: a text that speaks for its person at every door, as far as scope and projects of the key let it (callers.sql). The
-- text is shown once and stored as a hash. A key ends with its day, a new password, a ban, the account, or when it is revoked: by its person, by an
-- operator, and for their project by its owners. Nodes learn of it as of sessions that end (accounts/sessions.sql).

select private.served_rows('public.api_keys', clients => 'select', own => '{read}', program => 'none');
create policy read_of_service_accounts on public.api_keys for select to authenticated
  using (user_id = any (array(select id from private.my_service_accounts)));
comment on table public.api_keys is 'Keys of the caller for programs, and of service accounts they manage. Made by create_api_key and create_service_account_key, ended by revoke_api_key; only hashes of their texts are stored.';
comment on column public.api_keys.user_id is 'With whose rights it works, narrowed.';
comment on column public.api_keys.name is 'What it is for, as its person said.';
comment on column public.api_keys.prefix is 'Its first characters, to be recognised by.';
comment on column public.api_keys.scope is 'read, comment or write; each includes the one before.';
comment on column public.api_keys.project_ids is 'The projects it reaches; empty: all of its person.';
comment on column public.api_keys.created_by is 'Who made it.';
comment on column public.api_keys.expires_at is 'Until when it works; empty: until it is revoked.';
comment on column public.api_keys.revoked_at is 'When it was ended; kept by the database.';
comment on column public.api_keys.last_used_at is 'When it was last used, to the minute; kept by the server.';
comment on column public.api_keys.last_used_address is 'Network address that it was last used from.';
comment on table private.api_key_secrets is 'SHA-256 of the texts of keys.';

create or replace trigger api_keys_end after delete or update of revoked_at, project_ids, expires_at on public.api_keys for each row
  execute function private.note_ended_key();
create or replace trigger api_keys_log_access after insert or update of revoked_at, project_ids or delete on public.api_keys for each row
  execute function private.log_key();
create or replace trigger users_end_keys after update on auth.users for each row
  when (old.access_epoch <> new.access_epoch and (old.encrypted_password is distinct from new.encrypted_password or new.banned_until > now()
    or new.deleted_at is not null)) execute function private.end_keys_of_account();
-- Before: afterwards nothing names who made a key, client or link.
create or replace trigger users_end_programs before delete on auth.users for each row execute function private.end_programs_of_account();

create or replace function private.note_ended_key() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.ended_sessions as e (id) values (old.id) on conflict (id) do update set ended_at = clock_timestamp();
  perform pg_notify('kanbase_ended_sessions', old.id::text);
  return null;
end
$$;
comment on function private.note_ended_key() is 'Has every node forget a key, and end what is open with it.';

create or replace function private.end_keys(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.api_keys k set revoked_at = now()
  where k.revoked_at is null
    and (k.created_by = account or k.user_id in (select account union select s.id from public.service_accounts s where s.owner_id = account));
  delete from auth.oauth_clients c
  where c.created_by = account or c.service_account_id in (select account union select s.id from public.service_accounts s where s.owner_id = account)
$$;
comment on function private.end_keys(uuid) is 'Ends the keys of an account, the keys and clients of its service accounts, and those it made for service accounts of projects.';

create or replace function private.end_keys_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.end_keys(new.id);
  if new.deleted_at is not null then
    perform private.end_service_account(s.id) from public.service_accounts s where s.owner_id = new.id or s.id = new.id;
    perform private.revoke_links_of(new.id);
    perform private.leave_scim_trials(old);
    perform private.forget_scim_user(new.id);
  end if;
  return null;
end
$$;
comment on function private.end_keys_of_account() is 'Ends the keys of an account with a new password, with a ban, and with its end.';

create or replace function private.end_programs_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.end_keys(old.id);
  perform private.revoke_links_of(old.id);
  perform private.leave_scim_trials(old);
  return old;
end
$$;
comment on function private.end_programs_of_account() is 'Ends the keys, clients and links that a deleted account made for projects, and takes it out of trials of SCIM.';

-- A line in the log of each project that it reaches, or reached.
create or replace function private.log_key() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  key constant public.api_keys := coalesce(new, old);
  was constant uuid[] := case when tg_op <> 'INSERT' and old.revoked_at is null then private.projects_of_key(old) else '{}' end;
  becomes constant uuid[] := case when tg_op <> 'DELETE' and new.revoked_at is null then private.projects_of_key(new) else '{}' end;
begin
  perform private.log_reach(jsonb_build_object('kind', 'key', 'id', key.id, 'name', key.name, 'user_id', key.user_id), was, key.scope, becomes, key.scope);
  return null;
end
$$;

create or replace function private.log_reach(subject jsonb, was uuid[], former_scope text, becomes uuid[], scope text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.log_access(r.project, log_reach.subject,
    jsonb_build_object('scope', case when r.project = any (was) then former_scope end),
    jsonb_build_object('scope', case when r.project = any (becomes) then log_reach.scope end))
  from (select distinct p as project from unnest(was || becomes) p) r
$$;
comment on function private.log_reach(jsonb, uuid[], text, uuid[], text) is 'Logs the scope of a key or app in each project that it reaches, or reached.';

create or replace function private.projects_of_key(key public.api_keys) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select private.reached_projects(key.user_id, key.project_ids)
$$;
comment on function private.projects_of_key(public.api_keys) is 'The projects that a key reaches, as far as its person is in them.';

create or replace function private.reached_projects(account uuid, named uuid[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.project_members m
  where m.user_id = account and (named is null or m.project_id = any (named))
$$;
comment on function private.reached_projects(uuid, uuid[]) is 'The projects that an account is in, or of these only the named ones.';

create or replace function private.is_open_key(key public.api_keys) returns boolean
language sql stable set search_path = '' as $$
  select private.has_not_ended(key.revoked_at, key.expires_at)
$$;

create or replace function private.does_key_reach(key uuid, project uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from public.api_keys k
    where k.id = does_key_reach.key and private.is_open_key(k)
      and (k.project_ids is null or does_key_reach.project is null or does_key_reach.project = any (k.project_ids))
  )
$$;
comment on function private.does_key_reach(uuid, uuid) is 'Whether a key is open and reaches a project, or what is of none.';

create or replace function private.raise_no_key() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such key', 'There is none with this id, or it is not yours.');
end
$$;

-- kb_ and 40 digits of chance, then the first eight digits of the SHA-256 of all before them: what only looks like a key is told from one at a glance.
create or replace function private.draw_key() returns text
language sql volatile set search_path = '' as $$
  select k.body || left(encode(sha256(convert_to(k.body, 'UTF8')), 'hex'), 8)
  from (select 'kb_' || left(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'), 40) as body) k
$$;
comment on function private.draw_key() is 'A random text for a key, with its checksum.';

-- Making and ending -----------------------------------------------------------------------------------------------------------

-- `within`: the projects that the account is in.
create or replace function private.add_key(account uuid, maker uuid, within uuid[], called text, of_scope text, projects uuid[], days integer)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_open constant integer := 50;
  most_kept constant integer := 200;
  token constant text := private.draw_key();
  chosen constant uuid[] := private.chosen_for_program(called, of_scope, projects, within);
  made public.api_keys;
begin
  perform from auth.users u where u.id = account for no key update;
  if (select count(*) from public.api_keys k where k.user_id = account and private.is_open_key(k)) >= most_open then
    perform private.refuse('PT400', format('there are %s keys already', most_open), 'Revoke one that is needed no more.');
  end if;
  delete from public.api_keys k where k.id in (
    select o.id from public.api_keys o where o.user_id = account and not private.is_open_key(o) order by o.created_at desc, o.id desc offset most_kept
  );
  insert into public.api_keys (user_id, name, prefix, scope, project_ids, created_by, expires_at)
  values (account, btrim(called), left(token, 9), of_scope, chosen, maker, private.end_after(days, 3650, 'a key'))
  returning * into made;
  insert into private.api_key_secrets (key_id, token_hash) values (made.id, private.hash_token(token));
  return to_jsonb(made) || jsonb_build_object('token', token);
end
$$;

-- The projects that a key or client names, in order; null: all. Refuses what no key or client can be.
create or replace function private.chosen_for_program(called text, of_scope text, projects uuid[], within uuid[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare
  chosen constant uuid[] := case when projects is not null then array(select distinct p from unnest(projects) p order by p) end;
begin
  if of_scope is null or of_scope not in ('read', 'comment', 'write') then
    perform private.refuse('22023', 'the scope is read, comment or write', 'Send one of them.');
  elsif called is null or btrim(called) = '' or char_length(btrim(called)) > 60 then
    perform private.refuse('22023', 'the name has 1 to 60 characters', 'Say what it is for.');
  elsif cardinality(chosen) not between 1 and 100 then
    perform private.refuse('22023', 'it names 1 to 100 projects', 'Send "project_ids": null for all of them.');
  elsif not chosen <@ within then
    perform private.raise_not_found('project');
  end if;
  return chosen;
end
$$;

create or replace function private.make_api_key(called text, of_scope text, projects uuid[], days integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.lock_caller();
begin
  return private.add_key(me, me, private.my_projects(), called, of_scope, projects, days);
end
$$;
grant execute on function private.make_api_key(text, text, uuid[], integer) to authenticated;

create or replace function public.create_api_key(name text, scope text, project_ids uuid[] default null, days integer default 90) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_api_key(create_api_key.name, create_api_key.scope, create_api_key.project_ids, create_api_key.days)
$$;
grant execute on function public.create_api_key(text, text, uuid[], integer) to authenticated;
comment on function public.create_api_key(text, text, uuid[], integer) is 'Makes a key of the caller for a program: scope read, comment or write, in these projects (null: all of the caller''s), for so many days (null: until revoked). Returns the row with its token, which is not told again.';

create or replace function private.end_api_key(key uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, now())
  where k.id = key and (k.user_id = me or k.user_id in (select s.id from private.my_service_accounts s));
  if not found then
    perform private.raise_no_key();
  end if;
end
$$;
grant execute on function private.end_api_key(uuid) to authenticated;

create or replace function public.revoke_api_key(key_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_api_key(revoke_api_key.key_id)
$$;
grant execute on function public.revoke_api_key(uuid) to authenticated;
comment on function public.revoke_api_key(uuid) is 'Ends a key of the caller, or of a service account they manage, at every door, also in channels that are open with it.';

-- For owners of a project -------------------------------------------------------------------------------------------------------

create or replace function private.keys_of_project(of_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_owner_of(of_project, 'sees the keys that reach it', 'Ask an owner.');
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'user_id', k.user_id, 'name', k.name, 'prefix', k.prefix, 'scope', k.scope,
      'reaches_all', k.project_ids is null, 'created_at', k.created_at, 'expires_at', k.expires_at, 'last_used_at', k.last_used_at)
      order by k.created_at desc, k.id), '[]')
    from public.project_members m join public.api_keys k on k.user_id = m.user_id
    where m.project_id = of_project and private.is_open_key(k) and (k.project_ids is null or of_project = any (k.project_ids))
  );
end
$$;
grant execute on function private.keys_of_project(uuid) to authenticated;

create or replace function public.project_api_keys(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.keys_of_project(project_api_keys.project_id)
$$;
grant execute on function public.project_api_keys(uuid) to authenticated;
comment on function public.project_api_keys(uuid) is 'Keys of members that reach this project, newest first. For its owners.';

create or replace function private.projects_without(projects uuid[], gone uuid) returns uuid[]
language sql immutable
return case when cardinality(array_remove(projects, gone)) between 1 and 100 then array_remove(projects, gone) end;
comment on function private.projects_without(uuid[], uuid) is 'The projects that a key or app names without this one; null: none is left, or more than it may name.';

-- A key of all projects names the others from then on.
create or replace function private.take_key_out(key uuid, of_project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_key public.api_keys;
  rest uuid[];
begin
  perform private.require_owner_of(of_project, 'sees the keys that reach it', 'Ask an owner.');
  select k.* into found_key from public.api_keys k
  where k.id = key and private.is_open_key(k) and of_project = any (private.projects_of_key(k)) for no key update;
  if not found then
    perform private.raise_no_key();
  end if;
  rest := private.projects_without(coalesce(found_key.project_ids, private.projects_of_key(found_key)), of_project);
  update public.api_keys k set project_ids = coalesce(rest, k.project_ids), revoked_at = case when rest is null then now() end where k.id = key;
end
$$;
grant execute on function private.take_key_out(uuid, uuid) to authenticated;

create or replace function public.remove_api_key_from_project(key_id uuid, project_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.take_key_out(remove_api_key_from_project.key_id, remove_api_key_from_project.project_id)
$$;
grant execute on function public.remove_api_key_from_project(uuid, uuid) to authenticated;
comment on function public.remove_api_key_from_project(uuid, uuid) is 'Takes a project out of the reach of a member''s key (owners only). A key that reached nothing else is revoked; one of all projects reaches its person''s others by name, or is revoked where these are more than 100.';

-- For operators -----------------------------------------------------------------------------------------------------------------

create or replace function private.admin_keys(words text, skip integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    with found as (
      select k.*, u.email, u.is_service_account, f.display_name
      from public.api_keys k join auth.users u on u.id = k.user_id left join public.profiles f on f.id = u.id
      where private.is_open_key(k) and (pattern = '%%' or k.name ilike pattern or k.prefix ilike pattern or u.email ilike pattern
        or f.display_name ilike pattern or u.id::text = trim(words))
    ), page as (
      select * from found order by created_at desc, id limit 50 offset greatest(skip, 0)
    )
    select jsonb_build_object('total', (select count(*) from found), 'keys', (
      select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'user_id', k.user_id, 'email', k.email, 'account', k.display_name,
        'is_service_account', k.is_service_account, 'name', k.name, 'prefix', k.prefix, 'scope', k.scope, 'projects', cardinality(k.project_ids),
        'created_at', k.created_at, 'expires_at', k.expires_at, 'last_used_at', k.last_used_at, 'last_used_address', k.last_used_address)
        order by k.created_at desc, k.id), '[]') from page k
    ))
  );
end
$$;
grant execute on function private.admin_keys(text, integer) to kanbase_desk;
comment on function private.admin_keys(text, integer) is 'Open keys of everybody by words of name, text or account, newest first, for operators.';

create or replace function private.admin_end_key(key uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  ended public.api_keys;
begin
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, now()) where k.id = key returning k.* into ended;
  if not found then
    perform private.raise_no_key();
  end if;
  perform private.write_admin_log(operator, 'key_revoked', ended.user_id, ended.name, jsonb_build_object('key', ended.prefix));
end
$$;
grant execute on function private.admin_end_key(uuid) to kanbase_desk;
comment on function private.admin_end_key(uuid) is 'Ends a key, for operators.';

-- Checking, by the identity door --------------------------------------------------------------------------------------------------

create or replace function auth.find_api_key(token_hash bytea)
returns table (id uuid, user_id uuid, name text, scope text, project_ids jsonb, expires_at double precision, email text)
language sql stable security definer set search_path = '' as $$
  select k.id, k.user_id, k.name, k.scope, to_jsonb(k.project_ids), extract(epoch from k.expires_at)::double precision, u.email
  from private.api_key_secrets s
  join public.api_keys k on k.id = s.key_id and private.is_open_key(k)
  join auth.users u on u.id = k.user_id and u.role = 'authenticated' and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  where s.token_hash = find_api_key.token_hash
$$;
grant execute on function auth.find_api_key(bytea) to kanbase_identity;
comment on function auth.find_api_key(bytea) is 'The open key of a text, by its hash.';

create or replace function auth.note_key_use(key uuid, address text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.api_keys k set last_used_at = now(), last_used_address = coalesce(nullif(note_key_use.address, ''), k.last_used_address)
  where k.id = key and (k.last_used_at is null or k.last_used_at < now() - interval '50 seconds')
$$;
grant execute on function auth.note_key_use(uuid, text) to kanbase_identity;
comment on function auth.note_key_use(uuid, text) is 'Keeps when and from where a key was last used, to the minute.';
