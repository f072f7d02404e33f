-- Access without a session: calendar feeds, signed addresses of files, links to unsubscribe. Each has a row in public.access_grants, bound to
-- a person, a project where there is one, and the epoch of the account; it opens nothing once the membership ends or the epoch rises. Deleting
-- the row ends the access. Signed addresses share one row per person and place, which their token names: signing a thousand writes none.
-- private.ended_links ends the addresses of one object before their time, up to a moment, for everybody or for one person.

select private.served_rows('public.access_grants', own => '{read, remove}', keeps => 'none', program => 'none');
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

create or replace trigger access_grants_keep before update on public.access_grants for each row execute function private.keep_times();
create or replace trigger access_grants_version before insert on public.access_grants for each row execute function private.take_version();

comment on table private.ended_links is 'Objects whose signed addresses up to a moment open nothing any more.';

-- Epochs ------------------------------------------------------------------------------------------------------------------

-- Session and epoch are read at one moment: a person who signs while the password changes has the old epoch, or no session any more.
create or replace function private.epoch_for(person uuid, session uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select u.access_epoch from auth.users u
  where u.id = epoch_for.person and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    and (epoch_for.session is null or exists (select from auth.sessions s where s.id = epoch_for.session and s.user_id = u.id))
$$;
comment on function private.epoch_for(uuid, uuid) is 'The epoch of an account that may sign in, of a session that has not ended; null: neither.';

create or replace function private.raise_ended_session() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('42501', 'your session has ended', 'Sign in again.');
end
$$;
comment on function private.raise_ended_session() is 'Refuses a grant to whoever has been signed out.';

-- Before a key or client is made: a new password or a ban that is under way is waited for, and ends what is made first.
create or replace function private.lock_caller() returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  perform from auth.users u where u.id = me for no key update;
  if private.epoch_for(me, nullif(auth.jwt() ->> 'session_id', '')::uuid) is null then
    perform private.raise_ended_session();
  end if;
  return me;
end
$$;
comment on function private.lock_caller() is 'Locks the account of the caller, whose session has not ended.';

create or replace function private.is_grant_open(of_grant uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.access_grants g
    join auth.users u on u.id = g.user_id and u.access_epoch = g.epoch and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
    where g.id = of_grant
      and (g.project_id is null or exists (
        select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id
      ) or exists (select from private.grants_of_people t where t.project_id = g.project_id and t.user_id = g.user_id))
  )
$$;
comment on function private.is_grant_open(uuid) is 'Whether a grant still opens what it is of.';

create or replace function private.note_use_of_grant(of_grant uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.access_grants g set last_used_at = now()
  where g.id = of_grant and (g.last_used_at is null or g.last_used_at < now() - interval '1 hour')
$$;
grant execute on function private.note_use_of_grant(uuid) to kanbase_files, kanbase_mail;
comment on function private.note_use_of_grant(uuid) is 'Keeps when a grant was last used, to the hour.';

-- A row that is written at this moment bears the old epoch, and opens nothing either.
create or replace function private.end_access_of_epoch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.access_grants g where g.user_id = new.id;
  return null;
end
$$;
comment on function private.end_access_of_epoch() is 'Removes the grants of an account whose epoch has risen.';

-- One of everything holds what they no longer see. Those that wait are written of what is left to them: none begins before that is committed.
create or replace function private.end_exports_of(person uuid, in_project uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select pg_notify('kanbase_exports', '') from (
    select from private.exports e where e.user_id = person and e.state = 'waiting' order by e.id for no key update
  ) waiting;
  delete from private.exports e
  where e.user_id = person and (e.project_id is null or e.project_id = in_project) and e.state in ('running', 'done')
$$;
comment on function private.end_exports_of(uuid, uuid) is 'Removes the exports of a person that hold, or are about to, what they saw of a project.';

-- Not for a deleted project: its members come back with it, and so do their links.
create or replace function private.end_access_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.project_exists(old.project_id) then
    delete from public.access_grants g where g.project_id = old.project_id and g.user_id = old.user_id;
    perform private.end_exports_of(old.user_id, old.project_id);
  end if;
  return null;
end
$$;
comment on function private.end_access_of_member() is 'Removes the grants and exports of whoever is no longer a member of a project.';

create or replace function private.sweep_access_grants() returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.access_grants g where g.expires_at < now()
$$;
grant execute on function private.sweep_access_grants() to kanbase_files;
comment on function private.sweep_access_grants() is 'Removes grants whose last address has expired.';

-- Signed addresses --------------------------------------------------------------------------------------------------------

create or replace function private.is_app_bucket(bucket text) returns boolean
language sql immutable set search_path = ''
return bucket in ('attachments', 'avatars', 'exports');
grant execute on function private.is_app_bucket(text) to kanbase_files;
comment on function private.is_app_bucket(text) is 'Whether a bucket is one of the app''s own: signed addresses into it live a day at most and show the bytes they were made for.';

-- Null: no project has a say, or there is none. Folders are named as well as objects.
create or replace function private.project_of_object(bucket text, path text) returns uuid
language sql stable set search_path = '' as $$
  select p.id from public.projects p
  where p.id = case bucket
    when 'attachments' then substring(path from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
    when 'avatars' then substring(path from '^projects/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
  end::uuid
$$;
comment on function private.project_of_object(text, text) is 'The project whose members an object or a folder of the app''s own buckets is for.';

-- One row for each project that the objects are of, written only where there is none or one would end too early. Answers with the time of
-- signing, by the clock of the database, and the time it holds. No rows: the person is not let in. A null grant: signed by a key.
create or replace function private.grant_links(
  person uuid, session uuid, of_kind text, bucket text, names jsonb, seconds bigint, longest_seconds bigint
) returns table (name text, grant_id uuid, signed_at bigint, lasts_seconds bigint)
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

-- As policies of storage.objects decide it. Folders, and what is of no task, are left to them.
create or replace function private.sees_attachment(person uuid, path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.attachment_task(path) is null or exists (
    select from public.tasks t
    where t.id = private.attachment_task(path) and t.project_id = private.attachment_project(path)
      and private.is_on_task(t.project_id, t.id, person) and private.is_in_audience(t.project_id, t.audience_id, person)
  )
$$;
comment on function private.sees_attachment(uuid, text) is 'Whether a person sees the task that an object of attachments belongs to.';

-- Answers ended, open, or unnoted: open, and not noted as used for an hour. `of_grant` is null where an API key signed and no person; `of_key` is
-- the key of a person that signed.
create or replace function private.state_of_link(of_grant uuid, of_key uuid, bucket text, path text, signed_at bigint) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when of_grant is not null and not private.is_grant_open(of_grant) then 'ended'
    when bucket = 'attachments' and g.id is not null and not private.sees_attachment(g.user_id, path) then 'ended'
    when of_key is not null and not private.does_key_reach(of_key, private.project_of_object(bucket, path)) then 'ended'
    when exists (
      select from private.ended_links e
      where e.bucket_id = bucket and e.name = path and e.ended_at >= to_timestamp(signed_at / 1000000.0)
        and (e.user_id is null or e.user_id = g.user_id)
    ) then 'ended'
    when g.last_used_at < now() - interval '1 hour' or (g.id is not null and g.last_used_at is null) then 'unnoted'
    else 'open'
  end
  from (select of_grant) as asked left join public.access_grants g on g.id = asked.of_grant
$$;
grant execute on function private.state_of_link(uuid, uuid, text, text, bigint) to kanbase_files;
comment on function private.state_of_link(uuid, uuid, text, text, bigint) is 'Whether a signed address still opens its object: its grant and key do, and nobody has ended it.';

create or replace function private.end_links_to(bucket text, path text, person uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.ended_links as e (bucket_id, name, user_id) values (bucket, path, person)
  on conflict on constraint ended_links_one_per_object do update set ended_at = clock_timestamp()
$$;
grant execute on function private.end_links_to(text, text, uuid) to kanbase_files;
comment on function private.end_links_to(text, text, uuid) is 'Ends the signed addresses of an object that were made so far: of a person, or everybody''s.';

create or replace function private.sweep_ended_links(longest_seconds bigint) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.ended_links e where e.ended_at < now() - make_interval(secs => longest_seconds)
$$;
grant execute on function private.sweep_ended_links(bigint) to kanbase_files;
comment on function private.sweep_ended_links(bigint) is 'Forgets objects whose ended addresses have all expired.';

-- Links to unsubscribe: one row per person, named by the links of all emails of the same epoch ----------------------------

create or replace function private.unsubscribe_grant_of(person uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  now_epoch constant integer := private.epoch_for(person, null);
  granted uuid;
begin
  insert into public.access_grants as g (user_id, kind, epoch)
  select person, 'unsubscribe_link', now_epoch
  where now_epoch is not null and not exists (
    select from public.access_grants k where k.user_id = person and k.kind = 'unsubscribe_link' and k.epoch = now_epoch
  )
  on conflict on constraint access_grants_one_per_place do update
    set id = case when g.epoch = excluded.epoch then g.id else excluded.id end, epoch = excluded.epoch;
  select g.id into granted from public.access_grants g where g.user_id = person and g.kind = 'unsubscribe_link';
  return granted;
end
$$;
grant execute on function private.unsubscribe_grant_of(uuid) to kanbase_mail;
comment on function private.unsubscribe_grant_of(uuid) is 'The row that links to unsubscribe name; null: the account may not sign in.';

-- Links of emails from before there were grants name the person, and hold until the epoch first rises.
create or replace function private.person_of_unsubscribe_link(named uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select g.user_id from public.access_grants g
  where g.id = named and g.kind = 'unsubscribe_link' and private.is_grant_open(g.id)
  union all
  select u.id from auth.users u
  where u.id = named and u.access_epoch = 0 and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
$$;
grant execute on function private.person_of_unsubscribe_link(uuid) to kanbase_mail;
comment on function private.person_of_unsubscribe_link(uuid) is 'Whose link to unsubscribe this is, if it is still good.';

create or replace function private.my_access_grants() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(g) - 'user_id' - 'epoch' order by g.created_at, g.id), '[]')
  from public.access_grants g where g.user_id = (select auth.uid())
$$;
grant execute on function private.my_access_grants() to authenticated, service_role;
comment on function private.my_access_grants() is 'What opens without a session for the caller.';
