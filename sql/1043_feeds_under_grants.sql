-- Calendar feeds under grants: a feed whose grant has ended stays in the list, and gets a new address by renew_calendar_feed.

insert into public.access_grants (user_id, kind, project_id, feed_id, epoch, last_used_at, created_at)
select f.user_id, 'calendar_feed', coalesce(f.project_id, v.project_id), f.id, u.access_epoch, f.last_used_at, f.created_at
from public.calendar_feeds f
join auth.users u on u.id = f.user_id
left join public.saved_views v on v.id = f.view_id;

create function private.grant_feed(feed uuid) returns void
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
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  most constant integer := 50;
  made public.calendar_feeds;
begin
  if (select count(*) from public.calendar_feeds f where f.user_id = me) >= most then
    raise exception using errcode = 'PT409', message = format('you have %s calendar feeds already', most), hint = 'Delete one that no calendar asks for any more.';
  end if;
  insert into public.calendar_feeds (user_id, kind, project_id, view_id, name)
  values (me, of_kind, of_project, of_view, called)
  returning * into made;
  insert into private.calendar_feed_tokens (feed_id, token_hash) values (made.id, sha256(convert_to(token, 'UTF8')));
  perform private.grant_feed(made.id);
  return jsonb_build_object('id', made.id, 'name', made.name, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;

create or replace function private.make_feed_address(feed uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
begin
  update private.calendar_feed_tokens t set token_hash = sha256(convert_to(token, 'UTF8'))
  where t.feed_id = (select f.id from public.calendar_feeds f where f.id = feed and f.user_id = private.require_user());
  if not found then
    perform private.raise_not_found('calendar feed');
  end if;
  perform private.grant_feed(feed);
  return jsonb_build_object('id', feed, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;

create or replace function private.open_calendar_feed(token text)
returns table (id uuid, user_id uuid, kind text, name text, project_id uuid, filter jsonb, time_zone text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(open_calendar_feed.token, 'UTF8'));
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
