-- Notifications by mail: what is to be sent waits here until its time, then becomes a mail in the outbox, one for each person and task,
-- or one a day. Everything about a mail server, and trying again, is the outbox's.

-- Entries change: they are read, put off, done, and take in what else happens. Which state of one is the later, this says.
alter table public.notifications add column updated_at timestamptz not null default now();
grant update (updated_at) on public.notifications to authenticated;
create trigger notifications_keep_times before update on public.notifications for each row execute function private.keep_times();
comment on column public.notifications.updated_at is 'When the row last changed; kept by the database.';

create table private.notification_deliveries (
  notification_id uuid not null references public.notifications (id) on delete cascade,
  way text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  task_id uuid,
  due_at timestamptz not null,
  primary key (notification_id, way),
  constraint notification_deliveries_way_known check (way in ('mail', 'daily', 'push'))
);
create index notification_deliveries_due_idx on private.notification_deliveries (way, due_at);
create index notification_deliveries_user_id_idx on private.notification_deliveries (user_id, way);
alter table private.notification_deliveries enable row level security;
-- no policies, no grants: only the functions below look

-- The next time it is that hour where somebody is.
create function private.next_daily(time_zone text, daily_hour integer) returns timestamptz
language sql stable
begin atomic
  select case when today.at > now() then today.at
    else ((now() at time zone time_zone)::date + 1 + make_interval(hours => daily_hour)) at time zone time_zone end
  from (select ((now() at time zone time_zone)::date + make_interval(hours => daily_hour)) at time zone time_zone as at) today;
end;

create function private.queue_deliveries(ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.notification_deliveries (notification_id, way, user_id, task_id, due_at)
  select n.id, case choice.mail when 'now' then 'mail' else 'daily' end, n.user_id, n.task_id,
    case choice.mail when 'now' then now() + interval '2 minutes'
      else private.next_daily(coalesce(s.time_zone, 'UTC'), coalesce(s.daily_hour, 8)) end
  from public.notifications n
  cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
  left join public.notification_schedules s on s.user_id = n.user_id
  where n.id = any (ids) and choice.mail <> 'off'
  on conflict do nothing;
end
$$;

create function private.queue_new_deliveries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_deliveries(array(select a.id from added a));
  return null;
end
$$;
create trigger notifications_queue_new after insert on public.notifications
  referencing new table as added for each statement execute function private.queue_new_deliveries();

-- It has become something weightier, which may go another way.
create function private.queue_changed_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.notification_deliveries d where d.notification_id = new.id;
  perform private.queue_deliveries(array[new.id]);
  return null;
end
$$;
create trigger notifications_queue_changed after update on public.notifications for each row
  when (old.kind <> new.kind) execute function private.queue_changed_delivery();

create function private.follow_schedule() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.notification_deliveries d set due_at = private.next_daily(new.time_zone, new.daily_hour)
  where d.user_id = new.user_id and d.way = 'daily';
  return null;
end
$$;
create trigger notification_schedules_follow after insert or update on public.notification_schedules
  for each row execute function private.follow_schedule();

-- What a mail says of a task, or of a project: who did what, the oldest first.
create function private.mail_entries(ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'kind', n.kind, 'also', n.data -> 'also', 'actor_name', a.display_name, 'excerpt', n.data -> 'excerpt', 'from', n.data -> 'from',
      'to', n.data -> 'to', 'count', n.data -> 'count', 'due_date', n.data -> 'due_date'
    )) order by n.created_at)
    from public.notifications n left join public.profiles a on a.id = n.actor_id
    where n.id = any (ids)
  );
end
$$;

-- Makes mails of what is due; returns how many. One node at a time: a burst of one person on one task stays one mail. What was read
-- meanwhile is not sent; what somebody keeps out of their inbox counts as read from the beginning, and is.
create function private.compose_notification_mails() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  letter record;
  composed integer := 0;
begin
  if not pg_try_advisory_xact_lock(7003110575) then
    return 0;
  end if;
  for letter in
    with due as (
      select distinct d.way, d.user_id, case d.way when 'mail' then d.task_id end as task_id
      from private.notification_deliveries d
      where d.way in ('mail', 'daily') and d.due_at <= now()
    ), taken as (
      delete from private.notification_deliveries d using due
      where d.way = due.way and d.user_id = due.user_id
        and case d.way when 'mail' then d.task_id is not distinct from due.task_id else d.due_at <= now() end
      returning d.way, d.user_id, d.notification_id
    ), parts as (
      select t.way, t.user_id, n.project_id, n.task_id, array_agg(n.id) as ids, min(n.created_at) as began
      from taken t
      join public.notifications n on n.id = t.notification_id
      where (n.read_at is null or n.done_at = n.created_at) and (n.snoozed_until is null or n.snoozed_until <= now())
      group by t.way, t.user_id, n.project_id, n.task_id
    ), told as (
      select p.way, p.user_id, p.project_id, p.task_id, p.began, jsonb_strip_nulls(jsonb_build_object(
        'project_id', j.id, 'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
        'url', '/app/projects/' || j.id || '/board' || coalesce('/' || k.number, ''), 'entries', private.mail_entries(p.ids)
      )) as part
      from parts p
      left join public.projects j on j.id = p.project_id
      left join public.tasks k on k.project_id = p.project_id and k.id = p.task_id
    )
    select u.id, u.email, t.way, jsonb_agg(t.part order by t.began) as parts
    from told t join auth.users u on u.id = t.user_id
    where u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
    group by u.id, u.email, t.way, case t.way when 'mail' then t.project_id end, case t.way when 'mail' then t.task_id end
  loop
    perform private.queue_mail(
      case letter.way when 'mail' then 'notification' else 'daily_summary' end, letter.email,
      jsonb_build_object('user_id', letter.id, 'parts', letter.parts)
    );
    composed := composed + 1;
  end loop;
  return composed;
end
$$;

-- Where there is no mail server nothing waits for one.
create function private.drop_notification_mails() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.notification_deliveries d where d.way in ('mail', 'daily')
$$;

-- One press in a mail program: no notification comes by mail any more. Inbox and push stay as they are.
create function private.unsubscribe_from_mail(person uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = person) then
    return false;
  end if;
  insert into public.notification_settings (user_id, kind, inbox, mail, push)
  select person, k.kind, k.inbox, 'off', k.push from public.notification_kinds() k
  on conflict (user_id, kind, project_id) do update set mail = 'off';
  update public.notification_settings s set mail = 'off' where s.user_id = person and s.mail <> 'off';
  delete from private.notification_deliveries d where d.user_id = person and d.way in ('mail', 'daily');
  return true;
end
$$;

grant execute on function
  private.compose_notification_mails(), private.drop_notification_mails(), private.unsubscribe_from_mail(uuid)
  to kanbase_mail;

comment on table private.notification_deliveries is 'Notifications that wait to be sent: by mail at once, by the daily mail, or by push.';
comment on function private.queue_deliveries(uuid[]) is 'Has notifications wait for the ways their readers want.';
comment on function private.compose_notification_mails() is 'Puts due notifications into the outbox as mails; returns how many.';
comment on function private.drop_notification_mails() is 'Forgets what waits to be mailed.';
comment on function private.unsubscribe_from_mail(uuid) is 'Turns mail off for every kind of notification of a person.';
