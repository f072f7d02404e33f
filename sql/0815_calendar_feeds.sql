-- Calendars that programs subscribe to: one's tasks, those of a project, or those of a view, under an address that is a secret. Whoever has
-- the address reads what its owner may read at that moment, and nothing else: server/feeds asks with the owner's claims.

create table public.calendar_feeds (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  view_id uuid references public.saved_views (id) on delete cascade,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_feeds_kind_known check (kind in ('mine', 'project', 'view')),
  constraint calendar_feeds_of_one_thing check ((kind = 'project') = (project_id is not null) and (kind = 'view') = (view_id is not null)),
  constraint calendar_feeds_name_not_blank check (name ~ '[^[:space:]]'),
  constraint calendar_feeds_name_length check (char_length(name) <= 200)
);
create index calendar_feeds_user_id_idx on public.calendar_feeds (user_id);
create index calendar_feeds_project_id_idx on public.calendar_feeds (project_id);
create index calendar_feeds_view_id_idx on public.calendar_feeds (view_id);

alter table public.calendar_feeds enable row level security;

create policy read_own on public.calendar_feeds for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy change_own on public.calendar_feeds for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));
create policy remove_own on public.calendar_feeds for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.calendar_feeds to service_role using (true) with check (true);

grant select on public.calendar_feeds to anon, authenticated;
-- no insert grant: create_calendar_feed makes the secret with it
grant update (name), delete on public.calendar_feeds to authenticated;
grant all on public.calendar_feeds to service_role;

create trigger calendar_feeds_keep before update on public.calendar_feeds for each row execute function private.keep_times();

-- Only hashes: an address is told once, when it is made.
create table private.calendar_feed_tokens (
  feed_id uuid primary key references public.calendar_feeds (id) on delete cascade,
  token_hash bytea not null unique
);
alter table private.calendar_feed_tokens enable row level security;
comment on table private.calendar_feed_tokens is 'The addresses of calendar feeds, hashed.';

create function private.make_calendar_feed(of_kind text, of_project uuid, of_view uuid, called text) returns jsonb
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
  return jsonb_build_object('id', made.id, 'name', made.name, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;

-- Asked of what the caller sees.
create function public.create_calendar_feed(kind text, project_id uuid default null, view_id uuid default null, name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  called text := nullif(btrim(create_calendar_feed.name), '');
  found_name text;
begin
  if create_calendar_feed.kind = 'project' then
    select p.name into found_name from public.projects p where p.id = create_calendar_feed.project_id;
    if not found then
      perform private.raise_not_found('project');
    end if;
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

-- The same calendar under another address; the one before leads nowhere from now on.
create function private.make_feed_address(feed uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
begin
  update private.calendar_feed_tokens t set token_hash = sha256(convert_to(token, 'UTF8'))
  where t.feed_id = (select f.id from public.calendar_feeds f where f.id = feed and f.user_id = private.require_user());
  if not found then
    perform private.raise_not_found('calendar feed');
  end if;
  return jsonb_build_object('id', feed, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;
create function public.renew_calendar_feed(feed_id uuid) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_feed_address(renew_calendar_feed.feed_id)
$$;
grant execute on function
  private.make_calendar_feed(text, uuid, uuid, text), private.make_feed_address(uuid),
  public.create_calendar_feed(text, uuid, uuid, text), public.renew_calendar_feed(uuid)
  to authenticated;

-- Whose calendar an address is, if their account is good and they still see what it is of.
create function private.open_calendar_feed(token text)
returns table (id uuid, user_id uuid, kind text, name text, project_id uuid, filter jsonb, time_zone text)
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.calendar_feeds f set last_used_at = now()
  from private.calendar_feed_tokens t
  where t.token_hash = sha256(convert_to(open_calendar_feed.token, 'UTF8')) and f.id = t.feed_id
    and (f.last_used_at is null or f.last_used_at < now() - interval '1 hour');
  return query
    select f.id, f.user_id, f.kind, f.name, coalesce(f.project_id, v.project_id), v.filter,
      coalesce((select s.time_zone from public.notification_schedules s where s.user_id = f.user_id), 'UTC')
    from private.calendar_feed_tokens t
    join public.calendar_feeds f on f.id = t.feed_id
    join auth.users u on u.id = f.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
    left join public.saved_views v on v.id = f.view_id
    where t.token_hash = sha256(convert_to(open_calendar_feed.token, 'UTF8'))
      and (coalesce(f.project_id, v.project_id) is null or exists (
        select from public.project_members m where m.project_id = coalesce(f.project_id, v.project_id) and m.user_id = f.user_id
      ))
      and (v.id is null or v.is_shared or v.owner_id = f.user_id);
end
$$;
select private.add_room_role('kanbase_feeds');
grant usage on schema private to kanbase_feeds;
grant execute on function private.open_calendar_feed(text) to kanbase_feeds;

comment on table public.calendar_feeds is 'Calendars one subscribes to in another program, each under a secret address. Own rows only; deleting one ends it.';
comment on column public.calendar_feeds.id is 'Made by the server.';
comment on column public.calendar_feeds.user_id is 'Whose it is: it shows what they may see.';
comment on column public.calendar_feeds.kind is 'mine: the tasks one works on; project; view.';
comment on column public.calendar_feeds.project_id is 'The project, where it is of one.';
comment on column public.calendar_feeds.view_id is 'The view, where it is of one.';
comment on column public.calendar_feeds.name is 'What the calendar is called.';
comment on column public.calendar_feeds.last_used_at is 'When a program last asked for it, to the hour; kept by the server.';
comment on column public.calendar_feeds.created_at is 'When the row was made; kept by the database.';
comment on column public.calendar_feeds.updated_at is 'When the row last changed; kept by the database.';
comment on function public.create_calendar_feed(text, uuid, uuid, text) is 'Makes a calendar of one''s tasks (kind mine), of a project or of a view. Returns {id, name, token, path}: the address is told this once.';
comment on function public.renew_calendar_feed(uuid) is 'Gives a calendar another address; the one before leads nowhere. Returns {id, token, path}.';

-- One's own data ---------------------------------------------------------------------------------------------------------

create function private.my_feeds() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(f) - 'user_id' order by f.created_at, f.id), '[]')
  from public.calendar_feeds f where f.user_id = (select auth.uid())
$$;
grant execute on function private.my_feeds() to authenticated, service_role;

create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_in_words((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid),
      'repeats', (
        select jsonb_build_object('rule', r.rule, 'time_zone', r.time_zone, 'mode', r.mode, 'starts_on', r.starts_on, 'next_on', r.next_on,
          'paused_at', r.paused_at)
        from public.task_recurrences r where r.project_id = (t.task ->> 'project_id')::uuid and r.task_id = (t.task ->> 'id')::uuid
      )
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'calendar_feeds', private.my_feeds(), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.write_my_data() as data offset 0) as held
$$;
