-- Notifications by email. Deliveries wait until they are due; compose_notification_mails turns them into emails in the outbox: one per person and
-- task, or one a day. Sending and retrying belong to the outbox. Later emails about a task or project answer the first one
-- (private.mail_threads), so that mail programs show one conversation. Pictures in the quoted text go along; the bucket's policies are asked
-- again when their bytes are read.

comment on table private.notification_deliveries is 'Notifications that wait to be sent: by mail at once, by the daily mail, or by push.';
comment on column private.notification_deliveries.done_for is 'The browsers that are not asked again: they have the message, or refused it.';

select private.room_rows('private.mail_threads', 'kanbase_mail', 'select, delete');
comment on table private.mail_threads is 'Which mail to somebody was the first about a task or a project: later ones answer it.';
comment on column private.mail_threads.about is 'The task, or the project.';
comment on column private.mail_threads.message_id is 'As the mail said it in its header.';
comment on column private.mail_threads.last_at is 'When a mail last joined; a conversation that rests for a year begins anew.';

-- The next time it is `daily_hour` in a time zone.
create or replace function private.next_daily(time_zone text, daily_hour integer) returns timestamptz
language sql stable
begin atomic
  select case when today.at > now() then today.at
    else ((now() at time zone time_zone)::date + 1 + make_interval(hours => daily_hour)) at time zone time_zone end
  from (select ((now() at time zone time_zone)::date + make_interval(hours => daily_hour)) at time zone time_zone as at) today;
end;

-- Rows of an entry that changed its kind are deleted right before this, so a conflict is rare. The push sender is woken once for all rows.
create or replace function private.queue_deliveries(ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  pushed boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, way, user_id, task_id, due_at)
    select n.id, w.way, n.user_id, n.task_id, w.due_at
    from public.notifications n
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    left join public.notification_schedules s on s.user_id = n.user_id
    cross join lateral (
      select 'mail' as way, now() + interval '2 minutes' as due_at where choice.mail = 'now'
      union all
      select 'daily', private.next_daily(coalesce(s.time_zone, 'UTC'), coalesce(s.daily_hour, 8)) where choice.mail = 'daily'
      union all
      select 'push', now() where choice.push and exists (select from public.push_subscriptions p where p.user_id = n.user_id)
    ) w
    where n.id = any (ids) and not private.is_service_account(n.user_id)
    on conflict do nothing
    returning way
  )
  select bool_or(q.way = 'push') into pushed from queued q;
  if pushed then
    perform pg_notify('kanbase_push', '');
  end if;
end
$$;
comment on function private.queue_deliveries(uuid[]) is 'Has notifications wait for the ways their readers want; service accounts read theirs by the API alone.';

create or replace function private.queue_new_deliveries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_deliveries(array(select a.id from added a));
  return null;
end
$$;

-- A merged entry has become a weightier kind, which may be delivered in another way.
create or replace function private.queue_changed_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.notification_deliveries d where d.notification_id = new.id;
  perform private.queue_deliveries(array[new.id]);
  return null;
end
$$;

create or replace function private.follow_schedule() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.notification_deliveries d set due_at = private.next_daily(new.time_zone, new.daily_hour)
  where d.user_id = new.user_id and d.way = 'daily';
  return null;
end
$$;

-- Entries of an email about a task or project, oldest first.
create or replace function private.mail_entries(ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'kind', n.kind, 'also', n.data -> 'also', 'actor_name', a.display_name, 'excerpt', n.data -> 'excerpt', 'from', n.data -> 'from',
      'to', n.data -> 'to', 'count', n.data -> 'count', 'due_date', n.data -> 'due_date', 'answers_id', n.data -> 'answers_id'
    )) order by n.created_at, n.id)
    from public.notifications n left join public.profiles a on a.id = n.actor_id
    where n.id = any (ids)
  );
end
$$;

-- Each once, in the order of the text.
create or replace function private.attachments_in(words text) returns table (id uuid, place bigint)
language sql immutable
begin atomic
  select lower(found.part[1])::uuid, min(found.place)
  from regexp_matches(words, 'attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'gi') with ordinality as found (part, place)
  group by 1;
end;
comment on function private.attachments_in(text) is 'Ids of the attachments that a text in Markdown names.';

-- `entry` is the place in private.mail_entries, from 0.
create or replace function private.mail_pictures(ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('entry', told.entry, 'id', f.id, 'name', f.name, 'path', f.object_path)
      order by told.entry, named.place), '[]')
    from (
      select n.project_id, row_number() over (order by n.created_at, n.id) - 1 as entry,
        coalesce(c.body, case when n.data ? 'excerpt' then t.description end) as words
      from public.notifications n
      left join public.task_comments c on c.project_id = n.project_id and c.id = (n.data ->> 'comment_id')::uuid
      left join public.tasks t on t.project_id = n.project_id and t.id = n.task_id
      where n.id = any (ids)
    ) told
    cross join lateral private.attachments_in(told.words) named
    join public.task_attachments f on f.project_id = told.project_id and f.id = named.id
    where f.content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif')
  );
end
$$;
comment on function private.mail_pictures(uuid[]) is 'Pictures of the comments and descriptions that notifications tell of.';

-- Runs on one node at a time, so that a burst of one person on one task stays one email. Entries that have been read are not sent; those kept out
-- of the inbox count as read from the start (done_at = created_at) and are.
create or replace function private.compose_notification_mails() returns integer
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
      where (n.read_at is null or n.done_at = n.created_at) and (n.snoozed_until is null or n.snoozed_until <= now()) and private.sees_its_task(n)
      group by t.way, t.user_id, n.project_id, n.task_id
    ), told as (
      select p.way, p.user_id, p.project_id, p.task_id, p.began, jsonb_strip_nulls(jsonb_build_object(
        'project_id', j.id, 'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
        'url', '/app/projects/' || j.id || '/board' || coalesce('/' || k.number, ''), 'entries', private.mail_entries(p.ids),
        'pictures', private.mail_pictures(p.ids)
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
grant execute on function private.compose_notification_mails() to kanbase_mail;
comment on function private.compose_notification_mails() is 'Puts due notifications into the outbox as mails; returns how many.';

-- Called where there is no mail server.
create or replace function private.drop_notification_mails() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.notification_deliveries d where d.way in ('mail', 'daily')
$$;
grant execute on function private.drop_notification_mails() to kanbase_mail;
comment on function private.drop_notification_mails() is 'Forgets what waits to be mailed.';

-- Null for a person without an account.
create or replace function private.join_mail_thread(person uuid, about uuid, message_id text) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.mail_threads as t (user_id, about, message_id)
  select u.id, join_mail_thread.about, join_mail_thread.message_id from auth.users u where u.id = join_mail_thread.person
  on conflict on constraint mail_threads_pkey do update set last_at = now()
  returning t.message_id
$$;
grant execute on function private.join_mail_thread(uuid, uuid, text) to kanbase_mail;
comment on function private.join_mail_thread(uuid, uuid, text) is 'The Message-ID of the first mail to that person about it, which is the given one where there was none.';

-- One-click unsubscribe of mail programs. Inbox and push stay as they are.
create or replace function private.unsubscribe_from_mail(person uuid) returns boolean
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
grant execute on function private.unsubscribe_from_mail(uuid) to kanbase_mail;
comment on function private.unsubscribe_from_mail(uuid) is 'Turns mail off for every kind of notification of a person.';
