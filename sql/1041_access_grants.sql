-- Everything that opens something without a session has a row here: calendar feeds, signed addresses of files, links to unsubscribe. A row is bound
-- to a person, a project where there is one, and the epoch of the account. Signed addresses share one row per person and place, so that signing a
-- thousand reads one row and writes none; their token names the row. Ending access is deleting the row.

create table public.access_grants (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  bucket_id text references storage.buckets (id) on delete cascade,
  feed_id uuid references public.calendar_feeds (id) on delete cascade,
  epoch integer not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint access_grants_kind_known check (kind in ('calendar_feed', 'file_link', 'folder_link', 'upload_link', 'unsubscribe_link')),
  constraint access_grants_of_one_thing check (
    (kind = 'calendar_feed') = (feed_id is not null) and (kind in ('file_link', 'folder_link', 'upload_link')) = (bucket_id is not null)
  ),
  constraint access_grants_one_per_place unique nulls not distinct (user_id, kind, project_id, bucket_id, feed_id)
);
create index access_grants_project_id_idx on public.access_grants (project_id);
create index access_grants_bucket_id_idx on public.access_grants (bucket_id);
create index access_grants_feed_id_idx on public.access_grants (feed_id);
create index access_grants_expires_at_idx on public.access_grants (expires_at);

alter table public.access_grants enable row level security;

create policy read_own on public.access_grants for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy remove_own on public.access_grants for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.access_grants to service_role using (true) with check (true);

grant select on public.access_grants to anon, authenticated;
-- no insert and no update grant: the server makes rows when it signs
grant delete on public.access_grants to authenticated;
grant select, delete on public.access_grants to service_role;

comment on table public.access_grants is 'What opens something without a session, and with whose rights: calendar feeds, signed addresses, links to unsubscribe. Own rows only; deleting one ends it.';
comment on column public.access_grants.id is 'Made by the server; signed addresses name it.';
comment on column public.access_grants.user_id is 'With whose rights it opens.';
comment on column public.access_grants.kind is 'calendar_feed; file_link, folder_link, upload_link: signed addresses; unsubscribe_link.';
comment on column public.access_grants.project_id is 'The project it is of; it ends with the membership.';
comment on column public.access_grants.bucket_id is 'The bucket whose objects the signed addresses open.';
comment on column public.access_grants.feed_id is 'The calendar, where it is one.';
comment on column public.access_grants.epoch is 'The epoch of the account it was made in; it opens nothing in a later one.';
comment on column public.access_grants.last_used_at is 'When it last opened something, to the hour; kept by the server.';
comment on column public.access_grants.expires_at is 'When the last of its addresses will have expired; empty: never.';
comment on column public.access_grants.created_at is 'When the row was made; kept by the database.';
comment on column public.access_grants.updated_at is 'When the row last changed; kept by the database.';

create trigger access_grants_keep before update on public.access_grants for each row execute function private.keep_times();

-- Ends ----------------------------------------------------------------------------------------------------------------------

-- A row that is written at this moment bears the old epoch, and opens nothing either.
create function private.end_access_of_epoch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.access_grants g where g.user_id = new.id;
  return null;
end
$$;
revoke all on function private.end_access_of_epoch() from public;
create trigger users_end_access after update on auth.users for each row
  when (old.access_epoch <> new.access_epoch)
  execute function private.end_access_of_epoch();
comment on function private.end_access_of_epoch() is 'Removes the grants of an account whose epoch has risen.';

-- Not where a project is deleted: its members come back with it, and so do their links.
create function private.end_access_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_there(old.project_id) then
    delete from public.access_grants g where g.project_id = old.project_id and g.user_id = old.user_id;
    -- One of everything holds what they no longer see. Those that wait are written of what is left to them.
    delete from private.exports e
    where e.user_id = old.user_id and (e.project_id is null or e.project_id = old.project_id) and e.state in ('running', 'done');
  end if;
  return null;
end
$$;
revoke all on function private.end_access_of_member() from public;
create trigger project_members_end_access after delete on public.project_members for each row execute function private.end_access_of_member();
comment on function private.end_access_of_member() is 'Removes the grants and exports of whoever is no longer a member of a project.';

-- However an export ends, its file is gone with it.
create function private.remove_file_of_export() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o where o.bucket_id = 'exports' and o.name = old.object_name;
  return null;
end
$$;
revoke all on function private.remove_file_of_export() from public;
create trigger exports_remove_file after delete on private.exports for each row when (old.object_name is not null)
  execute function private.remove_file_of_export();
comment on function private.remove_file_of_export() is 'Removes the file of an export with its row.';

-- Made --------------------------------------------------------------------------------------------------------------------------

create function private.is_app_bucket(bucket text) returns boolean
language sql immutable set search_path = ''
return bucket in ('attachments', 'avatars', 'exports');
grant execute on function private.is_app_bucket(text) to kanbase_files;
comment on function private.is_app_bucket(text) is 'Whether a bucket is one of the app''s own: signed addresses into it live a day at most and show the bytes they were made for.';

-- Null: the project has no say, or there is none. Folders are named as well as objects.
create function private.project_of_object(bucket text, path text) returns uuid
language sql stable set search_path = '' as $$
  select p.id from public.projects p
  where p.id = case bucket
    when 'attachments' then substring(path from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
    when 'avatars' then substring(path from '^projects/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
  end::uuid
$$;
comment on function private.project_of_object(text, text) is 'The project whose members an object or a folder of the app''s own buckets is for.';

-- Session and epoch are read at one moment: whoever signs while the password changes has the old epoch, or no session any more.
create function private.epoch_for(person uuid, session uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select u.access_epoch from auth.users u
  where u.id = epoch_for.person and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    and (epoch_for.session is null or exists (select from auth.sessions s where s.id = epoch_for.session and s.user_id = u.id))
$$;
comment on function private.epoch_for(uuid, uuid) is 'The epoch of an account that may sign in, of a session that has not ended; null: neither.';

create function private.raise_ended_session() returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using errcode = '42501', message = 'your session has ended', hint = 'Sign in again.';
end
$$;
comment on function private.raise_ended_session() is 'Refuses a grant to whoever has been signed out.';

-- One row for each project that the objects are of. Rows are only written where there is none, or where one would end too early. Says when it was
-- signed, by the clock of the database, and for how long it holds. No rows: the person is not let in. Nobody's: signed by a key, not by a person.
create function private.grant_links(person uuid, session uuid, of_kind text, bucket text, names jsonb, seconds bigint, longest_seconds bigint)
returns table (name text, grant_id uuid, signed_at bigint, lasts_seconds bigint)
language plpgsql volatile security definer set search_path = '' as $$
declare
  now_epoch constant integer := private.epoch_for(person, session);
  lasts constant bigint := least(seconds, case when private.is_app_bucket(bucket) then 86400 else longest_seconds end);
  lasts_until constant timestamptz := now() + make_interval(secs => lasts);
  at_microsecond constant bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
begin
  if now_epoch is null then
    return query
      select n, null::uuid, at_microsecond, lasts from jsonb_array_elements_text(names) n
      where session is null and not exists (select from auth.users u where u.id = person);
    return;
  end if;
  insert into public.access_grants as g (user_id, kind, project_id, bucket_id, epoch, expires_at)
  select person, of_kind, places.project_id, bucket, now_epoch, lasts_until + interval '10 minutes'
  from (
    select distinct private.project_of_object(bucket, n) as project_id from jsonb_array_elements_text(names) n
  ) places
  where not exists (
    select from public.access_grants k
    where k.user_id = person and k.kind = of_kind and k.bucket_id = bucket and k.project_id is not distinct from places.project_id
      and k.epoch = now_epoch and k.expires_at >= lasts_until
  )
  on conflict on constraint access_grants_one_per_place do update
    set id = case when g.epoch = excluded.epoch then g.id else excluded.id end,
      expires_at = case when g.epoch = excluded.epoch then greatest(g.expires_at, excluded.expires_at) else excluded.expires_at end,
      epoch = excluded.epoch;
  return query
    select n, k.id, at_microsecond, lasts from jsonb_array_elements_text(names) n
    join public.access_grants k
      on k.user_id = person and k.kind = of_kind and k.bucket_id = bucket and k.feed_id is null
      and k.project_id is not distinct from private.project_of_object(bucket, n);
end
$$;
grant execute on function private.grant_links(uuid, uuid, text, text, jsonb, bigint, bigint) to kanbase_files;
comment on function private.grant_links(uuid, uuid, text, text, jsonb, bigint, bigint) is 'The rows that signed addresses of these objects name, made where there are none, and how long the addresses hold.';

-- Opened ------------------------------------------------------------------------------------------------------------------------

create function private.is_grant_open(of_grant uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.access_grants g
    join auth.users u on u.id = g.user_id and u.access_epoch = g.epoch and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
    where g.id = of_grant
      and (g.project_id is null or exists (
        select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id
      ))
  )
$$;
comment on function private.is_grant_open(uuid) is 'Whether a grant still opens what it is of.';

create function private.note_use_of_grant(of_grant uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.access_grants g set last_used_at = now()
  where g.id = of_grant and (g.last_used_at is null or g.last_used_at < now() - interval '1 hour')
$$;
grant execute on function private.note_use_of_grant(uuid) to kanbase_files;
comment on function private.note_use_of_grant(uuid) is 'Keeps when a grant was last used, to the hour.';

create function private.sweep_access_grants() returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.access_grants g where g.expires_at < now()
$$;
grant execute on function private.sweep_access_grants() to kanbase_files;
comment on function private.sweep_access_grants() is 'Removes grants whose last address has expired.';
