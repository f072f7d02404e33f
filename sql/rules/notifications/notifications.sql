-- HEAD of 0310
-- What a person should know: assigned, mentioned, commented, due soon, invited. Written by triggers, read and ticked off by
-- their owner; never about one's own doing, never to someone who cannot see the task.
-- HEAD of 0751
-- What each person wants to hear of, and by which way: a row for a kind in one project goes before a row for all projects, and that
-- before what holds for everybody.

-- public.notifications

select private.served_table('public.notifications', keeps => 'none');

-- What is in a project one is no member of is out of sight, save an invitation to it.
create policy read_own on public.notifications for select to authenticated
  using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))));
create policy change_own on public.notifications for update to authenticated
  using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))))
  with check (user_id = (select user_id from private.caller));
create policy remove_own on public.notifications for delete to authenticated
  using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))));

grant all on public.notifications to service_role;
grant select on public.notifications to anon;
grant select, delete on public.notifications to authenticated;
grant
  update (id, user_id, kind, project_id, task_id, actor_id, data, read_at, created_at, snoozed_until, done_at, updated_at)
  on public.notifications to authenticated;
comment on table public.notifications is 'What a person should know. Own rows only: read, tick off with read_at, delete. Written by the database.';
comment on column public.notifications.id is 'Sorted by time.';
comment on column public.notifications.user_id is 'Whom it tells.';
comment on column public.notifications.kind is 'mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. transfer: an operator gives the project another owner. Operators also get backup_failed.';
comment on column public.notifications.project_id is 'The project.';
comment on column public.notifications.task_id is 'The task, if it is about one.';
comment on column public.notifications.actor_id is 'Who caused it; empty for reminders, and once their account is gone.';
comment on column public.notifications.data is 'What to show: task_number, task_title; also (further kinds); comment_id and excerpt; from, to and their ids; count; due_date; project_name, role and invitation_id.';
comment on column public.notifications.read_at is 'Set when it was read; the moment is the database''s.';
comment on column public.notifications.created_at is 'When; kept by the database.';
comment on column public.notifications.snoozed_until is 'Put off until then.';
comment on column public.notifications.done_at is 'Set when it was dealt with; the moment is the database''s.';
comment on column public.notifications.updated_at is 'When the row last changed; kept by the database.';

create or replace trigger notifications_keep before update on public.notifications for each row execute function private.keep_notification();
create or replace trigger notifications_keep_times before update on public.notifications for each row execute function private.keep_times();
create or replace trigger notifications_queue_changed after update on public.notifications for each row
  when (old.kind <> new.kind) execute function private.queue_changed_delivery();
create or replace trigger notifications_queue_new after insert on public.notifications
  referencing new table as added for each statement execute function private.queue_new_deliveries();
create or replace trigger notifications_refuse_change before update on public.notifications for each row
  when (old.id <> new.id or old.user_id <> new.user_id or old.kind <> new.kind or old.data <> new.data
    or old.project_id is distinct from new.project_id or old.task_id is distinct from new.task_id
    or old.actor_id is distinct from new.actor_id)
  execute function private.refuse_change('id', 'user_id', 'kind', 'project_id', 'task_id', 'actor_id', 'data');

-- public.notification_settings

select private.served_table('public.notification_settings');

create policy read_own on public.notification_settings for select to authenticated using (user_id = (select user_id from private.caller));
create policy add_own on public.notification_settings for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and (project_id is null or project_id = any (array(select project_id from private.my_memberships))));
create policy change_own on public.notification_settings for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));
create policy remove_own on public.notification_settings for delete to authenticated using (user_id = (select user_id from private.caller));

grant all on public.notification_settings to service_role;
grant select on public.notification_settings to anon;
grant select, delete on public.notification_settings to authenticated;
grant
  insert (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at),
  update (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at)
  on public.notification_settings to authenticated;
comment on table public.notification_settings is 'What a person wants to hear of and by which way. A row of a project goes before one of all projects; without either notification_kinds() holds. Own rows only.';
comment on column public.notification_settings.id is 'Made by the server unless the client sends its own.';
comment on column public.notification_settings.user_id is 'Whose: the caller.';
comment on column public.notification_settings.project_id is 'The project; empty: all.';
comment on column public.notification_settings.kind is 'The kind, as in notifications.';
comment on column public.notification_settings.inbox is 'Whether it is in the inbox.';
comment on column public.notification_settings.mail is 'now: within minutes; daily: in the daily mail; off.';
comment on column public.notification_settings.push is 'Whether it is sent to the browsers that take push messages.';
comment on column public.notification_settings.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_settings.updated_at is 'When the row last changed; kept by the database.';

create or replace trigger notification_settings_refuse_change before update on public.notification_settings for each row
  when (old.id <> new.id or old.user_id <> new.user_id or old.kind <> new.kind or old.project_id is distinct from new.project_id)
  execute function private.refuse_change('id', 'user_id', 'kind', 'project_id');

-- public.notification_schedules

select private.served_table('public.notification_schedules');

create policy read_own on public.notification_schedules for select to authenticated using (user_id = (select user_id from private.caller));
create policy add_own on public.notification_schedules for insert to authenticated
  with check (user_id = (select user_id from private.caller));
create policy change_own on public.notification_schedules for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));
create policy remove_own on public.notification_schedules for delete to authenticated using (user_id = (select user_id from private.caller));

grant all on public.notification_schedules to service_role;
grant select on public.notification_schedules to anon;
grant select, delete on public.notification_schedules to authenticated;
grant
  insert (user_id, time_zone, daily_hour, created_at, updated_at),
  update (user_id, time_zone, daily_hour, created_at, updated_at)
  on public.notification_schedules to authenticated;
comment on table public.notification_schedules is 'When a person''s day is: for what is due, and for the daily mail. Own row only.';
comment on column public.notification_schedules.user_id is 'Whose: the caller.';
comment on column public.notification_schedules.time_zone is 'As the IANA database names it, for example Europe/Berlin.';
comment on column public.notification_schedules.daily_hour is 'The hour of the daily mail, 0 to 23, by that zone.';
comment on column public.notification_schedules.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_schedules.updated_at is 'When the row last changed; kept by the database.';

create or replace trigger notification_schedules_follow after insert or update on public.notification_schedules
  for each row execute function private.follow_schedule();
create or replace trigger notification_schedules_refuse_change before update on public.notification_schedules for each row
  when (old.user_id <> new.user_id) execute function private.refuse_change('user_id');
create or replace trigger notification_schedules_require_time_zone before insert or update of time_zone on public.notification_schedules
  for each row execute function private.require_time_zone();

-- The moments of reading and of being done are the database's; done is read too.
create or replace function private.keep_notification() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.created_at := old.created_at;
    if old.done_at is null and new.done_at is not null then
      new.done_at := now();
      new.read_at := coalesce(new.read_at, now());
    end if;
    if old.read_at is null and new.read_at is not null then
      new.read_at := now();
    end if;
  end if;
  return new;
end
$$;

-- Members a text mentions: @[Name](user-id), or @ and the display name, spaces as they are or as hyphens. What is quoted is not the
-- writer's own: lines that begin with >. Names are looked for where the text mentions them first; a hundred that begin alike are tried.
create or replace function private.mentioned_members(in_project uuid, words text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  most_people constant int := 50;
  most_tried constant int := 100;
  low text;
  normal text;
  found_members uuid[];
  candidate record;
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  if position('>' in words) > 0 then
    words := regexp_replace(words, '^ {0,3}>.*$', '', 'gn');
  end if;
  low := lower(words);
  normal := replace(low, '-', ' ');
  found_members := array(
    select m.user_id
    from (
      select by_id.ids[1] as id, min(by_id.place) as place
      from regexp_matches(low, '\]\(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)', 'g') with ordinality as by_id (ids, place)
      group by 1
    ) as mention
    join public.project_members m on m.project_id = in_project and m.user_id = mention.id::uuid
    order by mention.place
    limit most_people
  );
  for candidate in
    select m.user_id, name.spoken
    from public.project_members m
    join public.profiles p on p.id = m.user_id
    cross join lateral (select replace(lower(p.display_name), '-', ' ') as spoken) as name
    cross join lateral (select strpos(normal, '@' || name.spoken) as place) as first
    where m.project_id = in_project and first.place > 0 and m.user_id <> all (found_members)
    order by first.place, m.user_id
    limit most_tried
  loop
    exit when cardinality(found_members) >= most_people;
    if normal ~ (
      '(^|[^[:alnum:]_.])@' || regexp_replace(candidate.spoken, '([^[:alnum:][:space:]])', '\\\1', 'g') || '($|[^[:alnum:]_])'
    ) then
      found_members := found_members || candidate.user_id;
    end if;
  end loop;
  return found_members;
end
$$;

-- A comment notifies those it mentions, then those who watch the task, and whose comment it answers, also if they have stopped watching.
-- An edit notifies the newly mentioned.
create or replace function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  answered constant uuid := case when tg_op = 'INSERT' and new.parent_id is not null then (
    select c.author_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ) end;
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
  else
    perform private.add_watchers(array[row(new.project_id, new.task_id, new.author_id)::private.watcher], 'commenter');
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.task_id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.task_id, data)::private.news from unnest(mentioned) m
    where m is distinct from new.author_id
    union all
    select row(w, 'commented', new.project_id, new.task_id, case w when answered then data || jsonb_build_object('answers_id', new.parent_id) else data end)::private.news
    from (select w from private.watchers_of(new.project_id, new.task_id) w union select answered where answered is not null) h (w)
    where tg_op = 'INSERT' and w <> all (mentioned) and w is distinct from new.author_id
  ));
  return null;
end
$$;

create or replace function private.notify_of_description() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.description);
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.description)));
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.id, jsonb_build_object('excerpt', left(new.description, 200)))::private.news from unnest(mentioned) m
  ));
  return null;
end
$$;

-- Who leaves a project loses what they were to hear of it.
create or replace function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_there(old.project_id) then
    return null;
  end if;
  delete from public.notifications n where n.user_id = old.user_id and n.project_id = old.project_id;
  delete from public.task_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.project_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.notification_settings s where s.user_id = old.user_id and s.project_id = old.project_id;
  return null;
end
$$;

-- Kinds of notifications, the weightiest first, and what holds for who has said nothing. An invitation has a mail of its own.
create or replace function public.notification_kinds() returns table (kind text, weight integer, inbox boolean, mail text, push boolean)
language sql immutable parallel safe rows 10
begin atomic
  values
    ('mentioned', 10, true, 'now', true),
    ('assigned', 9, true, 'now', true),
    ('commented', 8, true, 'now', true),
    ('unblocked', 7, true, 'now', true),
    ('unassigned', 6, true, 'daily', false),
    ('state_changed', 5, true, 'daily', false),
    ('overdue', 4, true, 'daily', true),
    ('due_soon', 3, true, 'daily', true),
    ('added', 2, true, 'now', true),
    ('invited', 1, true, 'off', true);
end;
grant execute on function public.notification_kinds() to service_role, authenticated;
comment on function public.notification_kinds() is 'The kinds of notifications, the weightiest first, and what holds for who has no notification_settings of the kind.';

-- One row; written into the statement that asks.
create or replace function private.notification_choice(of_user uuid, in_project uuid, of_kind text)
returns table (inbox boolean, mail text, push boolean)
language sql stable rows 1
begin atomic
  select coalesce(here.inbox, everywhere.inbox, k.inbox), coalesce(here.mail, everywhere.mail, k.mail), coalesce(here.push, everywhere.push, k.push)
  from public.notification_kinds() k
  left join public.notification_settings here on here.user_id = of_user and here.project_id = in_project and here.kind = k.kind
  left join public.notification_settings everywhere
    on everywhere.user_id = of_user and everywhere.project_id is null and everywhere.kind = k.kind
  where k.kind = of_kind;
end;
comment on function private.notification_choice(uuid,uuid,text) is 'What somebody wants of a kind in a project.';

-- A zone that Postgres does not know would fail whatever reckons with it later.
create or replace function private.require_time_zone() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  raise exception using
    errcode = '22023',
    message = format('there is no time zone %s', quote_literal(new.time_zone)),
    hint = 'Name one as the IANA database does, for example Europe/Berlin.';
end
$$;
