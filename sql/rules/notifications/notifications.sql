-- Notifications of a person (the inbox), their settings and the schedule of their day. notify.sql writes the rows, emails.sql and push.sql
-- deliver them; their owner reads, snoozes, ticks off and deletes them. A setting for one project goes before one for all projects, and that
-- before the default in notification_kinds().

select private.served_rows('public.notifications',
  updates => '{id, user_id, kind, project_id, task_id, actor_id, data, read_at, snoozed_until, done_at}', keeps => 'none',
  fixed => '{id, user_id, kind, project_id, task_id, actor_id, data}');

-- Entries of projects the person has left are hidden, except invitations.
select private.make_policy('public.notifications', p.called, format(p.words, format('(user_id = (select user_id from private.caller)
  and (project_id is null or kind = ''invited'' or %s))', private.in_sight('project_id'))))
from (values
  ('read_own', 'for select to authenticated using %s'),
  ('change_own', 'for update to authenticated using %s with check (user_id = (select user_id from private.caller))'),
  ('remove_own', 'for delete to authenticated using %s')
) p (called, words);

comment on table public.notifications is 'What a person should know. Own rows only: read, tick off with read_at, delete. Written by the database.';
comment on column public.notifications.id is 'Sorted by time.';
comment on column public.notifications.user_id is 'Whom it tells.';
comment on column public.notifications.kind is 'mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. transfer: an operator gives the project another owner. Operators also get backup_failed.';
comment on column public.notifications.task_id is 'The task, if it is about one.';
comment on column public.notifications.actor_id is 'Who caused it; empty for reminders, and once their account is gone.';
comment on column public.notifications.program is 'The key or app through which they did, as {"kind", "sub", "name"}; kept by the database.';
comment on column public.notifications.data is 'What to show: task_number, task_title; also (further kinds); comment_id and excerpt; from, to and their ids; count; due_date; project_name, role and invitation_id.';
comment on column public.notifications.read_at is 'Set when it was read; the moment is the database''s.';
comment on column public.notifications.created_at is 'When; kept by the database.';
comment on column public.notifications.snoozed_until is 'Put off until then.';
comment on column public.notifications.done_at is 'Set when it was dealt with; the moment is the database''s.';

create or replace trigger notifications_keep before update on public.notifications for each row execute function private.keep_notification();
create or replace trigger notifications_keep_times before update on public.notifications for each row execute function private.keep_times();
create or replace trigger notifications_version before insert on public.notifications for each row execute function private.take_version();
create or replace trigger notifications_queue_changed after update on public.notifications for each row
  when (old.kind <> new.kind) execute function private.queue_changed_delivery();
create or replace trigger notifications_queue_new after insert on public.notifications referencing new table as added for each statement
  execute function private.queue_new_deliveries();

select private.served_rows('public.notification_settings', writes => '{id, user_id, project_id, kind, inbox, mail, push}',
  own => '{read, change, remove}', fixed => '{id, user_id, kind, project_id}');

create policy add_own on public.notification_settings for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and (project_id is null or project_id = any (array(select project_id from private.my_memberships))));

comment on table public.notification_settings is 'What a person wants to hear of and by which way. A row of a project goes before one of all projects; without either notification_kinds() holds. Own rows only.';
comment on column public.notification_settings.user_id is 'Whose: the caller.';
comment on column public.notification_settings.project_id is 'The project; empty: all.';
comment on column public.notification_settings.kind is 'The kind, as in notifications.';
comment on column public.notification_settings.inbox is 'Whether it is in the inbox.';
comment on column public.notification_settings.mail is 'now: within minutes; daily: in the daily mail; off.';
comment on column public.notification_settings.push is 'Whether it is sent to the browsers that take push messages.';

select private.served_rows('public.notification_schedules', writes => '{user_id, time_zone, daily_hour}', own => '{read, add, change, remove}',
  fixed => '{user_id}');

comment on table public.notification_schedules is 'When a person''s day is: for what is due, and for the daily mail. Own row only.';
comment on column public.notification_schedules.user_id is 'Whose: the caller.';
comment on column public.notification_schedules.time_zone is 'As the IANA database names it, for example Europe/Berlin.';
comment on column public.notification_schedules.daily_hour is 'The hour of the daily mail, 0 to 23, by that zone.';

create or replace trigger notification_schedules_require_time_zone before insert or update of time_zone on public.notification_schedules
  for each row execute function private.require_time_zone();
create or replace trigger notification_schedules_follow after insert or update on public.notification_schedules for each row
  execute function private.follow_schedule();

-- The database sets the moments of reading and of being done; done implies read.
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

-- A member who leaves loses notifications, watches and settings of the project.
create or replace function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.project_exists(old.project_id) then
    return null;
  end if;
  delete from public.notifications n where n.user_id = old.user_id and n.project_id = old.project_id;
  delete from public.task_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.project_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.notification_settings s where s.user_id = old.user_id and s.project_id = old.project_id;
  return null;
end
$$;

-- Asked before one is sent: it may have been written while they left.
create or replace function private.sees_its_task(n public.notifications) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.tasks t
    where t.id = (n).task_id and not (private.is_on_task(t.project_id, t.id, (n).user_id) and private.is_in_audience(t.project_id, t.audience_id, (n).user_id))
  )
$$;
comment on function private.sees_its_task(public.notifications) is 'Whether a notification is of no task, or of one that its reader sees.';

-- Kinds, the weightiest first, with their defaults. An invitation has an email of its own.
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

-- One row, inlined into the statement that asks.
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
comment on function private.notification_choice(uuid, uuid, text) is 'What somebody wants of a kind in a project.';

-- A zone unknown to Postgres would fail later, in every statement that computes with it.
create or replace function private.require_time_zone() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  perform private.refuse('22023', format('there is no time zone %s', quote_literal(new.time_zone)),
    'Name one as the IANA database does, for example Europe/Berlin.');
end
$$;
