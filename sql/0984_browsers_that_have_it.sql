-- A message that one browser of a person could not be sent rings again at that one alone, not at those that have it.

-- With the delivery it goes; the id of a browser that is gone says nothing to anybody until then.
alter table private.notification_deliveries add column done_for uuid[] not null default '{}';

create or replace function private.take_push_deliveries(most integer) returns TABLE(notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean, part jsonb, unread bigint)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.notification_deliveries d using public.notifications n
  where d.way = 'push' and n.id = d.notification_id and (d.attempts >= 3 or n.read_at is not null and n.done_at is distinct from n.created_at);
  return query
  with due as materialized (
    select c.notification_id, c.way from private.notification_deliveries c
    where c.way = 'push' and c.due_at <= now()
    order by c.due_at limit most for update skip locked
  ), claimed as (
    update private.notification_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '1 minute' * (d.attempts + 1)
    from due where d.notification_id = due.notification_id and d.way = due.way
    returning d.notification_id, d.user_id, d.attempts, d.done_for
  )
  select n.id, s.id, s.endpoint, s.p256dh, s.auth, c.attempts >= 3, jsonb_strip_nulls(jsonb_build_object(
      'language', a.raw_user_meta_data -> 'language',
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now())
       and not exists (select from public.projects h where h.id = u.project_id and h.deleted_at is not null))
  from claimed c
  join auth.users a on a.id = c.user_id
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id and s.id <> all (c.done_for)
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$$;

-- One that was never taken is of news that changed since, and still to be sent.
create function private.settle_push(sent uuid[], dead uuid[], done_of uuid[], done_for uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.push_subscriptions s where s.id = any (dead);
  delete from private.notification_deliveries d where d.way = 'push' and d.notification_id = any (sent) and d.attempts > 0;
  update private.notification_deliveries d set done_for = d.done_for || o.subscriptions
  from (
    select p.notification_id, array_agg(p.subscription_id) as subscriptions
    from unnest(settle_push.done_of, settle_push.done_for) p (notification_id, subscription_id)
    group by p.notification_id
  ) o
  where d.way = 'push' and d.notification_id = o.notification_id and d.attempts > 0;
$$;
grant execute on function private.settle_push(uuid[], uuid[], uuid[], uuid[]) to kanbase_mail;

comment on column private.notification_deliveries.done_for is 'The browsers that are not asked again: they have the message, or refused it.';
comment on function private.take_push_deliveries(integer) is 'Claims push messages that are due, one row for each browser that is still to be asked.';
comment on function private.settle_push(uuid[], uuid[], uuid[], uuid[]) is 'Forgets messages that were sent and browsers that are gone, and keeps which browsers need not be asked again: pairs of a message and a browser.';
comment on function private.settle_push(uuid[], uuid[]) is 'As the release before calls it: without what is kept of each browser.';
