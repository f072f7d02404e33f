-- Calendar feeds: a person's tasks, those of a project or those of a view, for calendar programs, under an address that is a secret. It shows
-- what its owner may read at that moment: server/exports/mount-feeds.ts asks with the owner's claims. A feed whose grant (access/grants.sql) has ended stays
-- in the list, and gets a new address by renew_calendar_feed.

select private.served_rows('public.calendar_feeds', clients => 'select, delete, update (name)', own => '{read, change, remove}', keeps => 'none', program => 'none');
comment on table public.calendar_feeds is 'Calendars one subscribes to in another program, each under a secret address. Own rows only; deleting one ends it.';
comment on column public.calendar_feeds.id is 'Made by the server.';
comment on column public.calendar_feeds.user_id is 'Whose it is: it shows what they may see.';
comment on column public.calendar_feeds.kind is 'mine: the tasks one works on; project; view.';
comment on column public.calendar_feeds.project_id is 'The project, where it is of one.';
comment on column public.calendar_feeds.view_id is 'The view, where it is of one.';
comment on column public.calendar_feeds.name is 'What the calendar is called.';
comment on column public.calendar_feeds.last_used_at is 'When a program last asked for it, to the hour; kept by the server.';

create or replace trigger calendar_feeds_keep before update on public.calendar_feeds for each row execute function private.keep_times();
create or replace trigger calendar_feeds_version before insert on public.calendar_feeds for each row execute function private.take_version();

comment on table private.calendar_feed_tokens is 'The addresses of calendar feeds, hashed.';

create or replace function private.grant_feed(feed uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  now_epoch constant integer := private.epoch_for(me, nullif(auth.jwt() ->> 'session_id', '')::uuid);
begin
  if now_epoch is null then
    perform private.raise_ended_session();
  end if;
  delete from public.access_grants g where g.feed_id = feed;
  insert into public.access_grants (user_id, kind, project_id, feed_id, epoch)
  select f.user_id, 'calendar_feed', coalesce(f.project_id, v.project_id), f.id, now_epoch
  from public.calendar_feeds f left join public.saved_views v on v.id = f.view_id
  where f.id = feed and f.user_id = me;
end
$$;
comment on function private.grant_feed(uuid) is 'Makes the grant of one''s own calendar feed anew.';

create or replace function private.make_calendar_feed(of_kind text, of_project uuid, of_view uuid, called text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  token constant text := private.draw_token();
  most constant integer := 50;
  made public.calendar_feeds;
begin
  if (select count(*) from public.calendar_feeds f where f.user_id = me) >= most then
    perform private.refuse('PT409', format('you have %s calendar feeds already', most), 'Delete one that no calendar asks for any more.');
  end if;
  insert into public.calendar_feeds (user_id, kind, project_id, view_id, name)
  values (me, of_kind, of_project, of_view, called)
  returning * into made;
  insert into private.calendar_feed_tokens (feed_id, token_hash) values (made.id, private.hash_token(token));
  perform private.grant_feed(made.id);
  return jsonb_build_object('id', made.id, 'name', made.name, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;
grant execute on function private.make_calendar_feed(text, uuid, uuid, text) to authenticated;

-- Looks for the project or view with the rights of the caller.
create or replace function public.create_calendar_feed(
  kind text, project_id uuid default null, view_id uuid default null, name text default null
) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  called text := nullif(btrim(create_calendar_feed.name), '');
  found_name text;
begin
  if create_calendar_feed.kind = 'project' then
    perform private.require_project(create_calendar_feed.project_id);
    select p.name into found_name from public.projects p where p.id = create_calendar_feed.project_id;
  elsif create_calendar_feed.kind = 'view' then
    select v.name into found_name from public.saved_views v where v.id = create_calendar_feed.view_id;
    if not found then
      perform private.raise_not_found('view');
    end if;
  end if;
  return private.make_calendar_feed(create_calendar_feed.kind,
    case when create_calendar_feed.kind = 'project' then create_calendar_feed.project_id end,
    case when create_calendar_feed.kind = 'view' then create_calendar_feed.view_id end,
    coalesce(called, found_name, 'My tasks'));
end
$$;
grant execute on function public.create_calendar_feed(text, uuid, uuid, text) to service_role, authenticated;
comment on function public.create_calendar_feed(text, uuid, uuid, text) is 'Makes a calendar of one''s tasks (kind mine), of a project or of a view. Returns {id, name, token, path}: the address is told this once.';

create or replace function private.make_feed_address(feed uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := private.draw_token();
begin
  update private.calendar_feed_tokens t set token_hash = private.hash_token(token)
  where t.feed_id = (select f.id from public.calendar_feeds f where f.id = feed and f.user_id = private.require_user());
  if not found then
    perform private.raise_not_found('calendar feed');
  end if;
  perform private.grant_feed(feed);
  return jsonb_build_object('id', feed, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;
grant execute on function private.make_feed_address(uuid) to authenticated;

create or replace function public.renew_calendar_feed(feed_id uuid) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_feed_address(renew_calendar_feed.feed_id)
$$;
grant execute on function public.renew_calendar_feed(uuid) to service_role, authenticated;
comment on function public.renew_calendar_feed(uuid) is 'Gives a calendar another address; the one before leads nowhere. Returns {id, token, path}.';

-- The feed behind an address, if the account is good and still sees the project or view.
create or replace function private.open_calendar_feed(token text)
returns table (id uuid, user_id uuid, kind text, name text, project_id uuid, filter jsonb, time_zone text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  hash constant bytea := private.hash_token(open_calendar_feed.token);
  granted uuid;
begin
  select g.id into granted from private.calendar_feed_tokens t
  join public.access_grants g on g.feed_id = t.feed_id
  where t.token_hash = hash and private.is_grant_open(g.id);
  if not found then
    return;
  end if;
  perform private.note_use_of_grant(granted);
  update public.calendar_feeds f set last_used_at = now()
  from private.calendar_feed_tokens t
  where t.token_hash = hash and f.id = t.feed_id and (f.last_used_at is null or f.last_used_at < now() - interval '1 hour');
  return query
    select f.id, f.user_id, f.kind, f.name, coalesce(f.project_id, v.project_id), v.filter,
      coalesce((select s.time_zone from public.notification_schedules s where s.user_id = f.user_id), 'UTC')
    from private.calendar_feed_tokens t
    join public.calendar_feeds f on f.id = t.feed_id
    left join public.saved_views v on v.id = f.view_id
    where t.token_hash = hash
      and (coalesce(f.project_id, v.project_id) is null or exists (
        select from public.project_members m where m.project_id = coalesce(f.project_id, v.project_id) and m.user_id = f.user_id
      ))
      and (v.id is null or v.is_shared or v.owner_id = f.user_id);
end
$$;
grant execute on function private.open_calendar_feed(text) to kanbase_feeds;

create or replace function private.my_feeds() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(f) - 'user_id' order by f.created_at, f.id), '[]')
  from public.calendar_feeds f where f.user_id = (select auth.uid())
$$;
grant execute on function private.my_feeds() to authenticated, service_role;
