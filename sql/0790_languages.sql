-- Mails and push messages come in the language of who gets them: the one their account says of itself.

-- Null where nobody has chosen. An address without an account, of somebody who is invited, has the language of who writes to it.
create function private.language_of(address text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen text;
begin
  select u.raw_user_meta_data ->> 'language' into chosen
  from auth.users u where lower(u.email) = lower(address) and not u.is_sso_user;
  if not found then
    select u.raw_user_meta_data ->> 'language' into chosen from auth.users u where u.id = auth.uid();
  end if;
  return chosen;
end
$$;
revoke all on function private.language_of(text) from public;

-- A sealed mail brings what it needs along.
create or replace function private.queue_mail(kind text, recipient text, data jsonb default '{}') returns uuid
language sql
security definer
set search_path = ''
as $$
  with letter as (
    insert into private.outbox (kind, recipient, data)
    select queue_mail.kind, trim(queue_mail.recipient), case
      when given.data ? 'sealed' then given.data
      else jsonb_strip_nulls(jsonb_build_object('language', private.language_of(trim(queue_mail.recipient)))) || given.data
    end
    from (select coalesce(queue_mail.data, '{}') as data) given
    returning id
  )
  select letter.id from letter, pg_catalog.pg_notify('kanbase_mail', '')
$$;

-- As before, with the language of each message.
create or replace function private.take_push_deliveries(most integer)
returns table (
  notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean,
  part jsonb, unread bigint
)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.notification_deliveries d using public.notifications n
  where d.way = 'push' and n.id = d.notification_id and (d.attempts >= 3 or n.read_at is not null and n.done_at is distinct from n.created_at);
  return query
  with claimed as (
    update private.notification_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '1 minute' * (d.attempts + 1)
    where (d.notification_id, d.way) in (
      select c.notification_id, c.way from private.notification_deliveries c
      where c.way = 'push' and c.due_at <= now()
      order by c.due_at limit most for update skip locked
    )
    returning d.notification_id, d.user_id, d.attempts
  )
  select n.id, s.id, s.endpoint, s.p256dh, s.auth, c.attempts >= 3, jsonb_strip_nulls(jsonb_build_object(
      'language', a.raw_user_meta_data -> 'language',
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now()))
  from claimed c
  join auth.users a on a.id = c.user_id
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$$;

comment on function private.language_of(text) is 'The language in which to write to an address; null where nobody has chosen one.';
