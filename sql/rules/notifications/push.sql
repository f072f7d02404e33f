-- Push messages (Web Push): browsers and installed apps that take them, each until its session ends, the keys that sign messages, and the queue
-- the server works off. A message that failed at one browser is repeated at that one alone (done_for).

select private.served_rows('public.push_subscriptions', clients => '', own => '{read, remove}', keeps => 'none', program => 'none');

grant delete on public.push_subscriptions to authenticated, service_role;
grant select (id, user_id, session_id, created_at, updated_at) on public.push_subscriptions to authenticated, anon, service_role;
comment on table public.push_subscriptions is 'Browsers that take push messages, each until its session ends. Own rows only; address and keys are never selected. Made by save_push_subscription.';
comment on column public.push_subscriptions.id is 'Made by the server.';
comment on column public.push_subscriptions.user_id is 'Whose browser.';
comment on column public.push_subscriptions.session_id is 'The session it ends with.';
comment on column public.push_subscriptions.endpoint is 'Where the browser is reached; never selected.';
comment on column public.push_subscriptions.p256dh is 'The browser''s key; never selected.';
comment on column public.push_subscriptions.auth is 'The browser''s secret; never selected.';

create or replace trigger push_subscriptions_keep before update on public.push_subscriptions for each row execute function private.keep_times();
create or replace trigger push_subscriptions_version before insert on public.push_subscriptions for each row execute function private.take_version();

-- Of kinds that nobody chooses a way for.
create or replace function private.push_entries(ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.notification_deliveries (notification_id, way, user_id, due_at)
  select n.id, 'push', n.user_id, now() from public.notifications n
  where n.id = any (ids) and exists (select from public.push_subscriptions p where p.user_id = n.user_id)
  on conflict do nothing;
  if found then
    perform pg_notify('kanbase_push', '');
  end if;
end
$$;
comment on function private.push_entries(uuid[]) is 'Has notifications pushed to the browsers of their readers.';

comment on table private.push_keys is 'The keys with which push messages are signed.';

-- A browser that another account subscribed goes to the caller. The newest twenty of a person stay.
create or replace function private.save_push_subscription(endpoint text, p256dh text, auth text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  session constant uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
  kept uuid;
begin
  if session is null or not exists (select from auth.sessions s where s.id = session and s.user_id = me) then
    perform private.refuse('42501', 'push messages belong to a session, and this token has none',
      'Sign in, and subscribe with the token of that session.');
  end if;
  -- The browser is somebody else's now.
  insert into public.push_subscriptions as p (user_id, session_id, endpoint, p256dh, auth)
  values (me, session, save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth)
  on conflict on constraint push_subscriptions_endpoint_key do update
    set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
  returning p.id into kept;
  delete from public.push_subscriptions p
  where p.id in (
    select o.id from public.push_subscriptions o
    where o.user_id = me and o.id <> kept
    order by o.updated_at desc, o.id desc offset 19
  );
  return kept;
end
$$;
grant execute on function private.save_push_subscription(text, text, text) to authenticated;

create or replace function public.save_push_subscription(endpoint text, p256dh text, auth text) returns uuid
language sql volatile set search_path = '' as $$
  select private.save_push_subscription(save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth)
$$;
grant execute on function public.save_push_subscription(text, text, text) to service_role, authenticated;
comment on function public.save_push_subscription(text, text, text) is 'Has push messages sent to this browser until the caller''s session ends. Takes what the browser''s PushSubscription says; returns the id of the row.';

create or replace function private.delete_push_subscription(endpoint text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.push_subscriptions p
  where p.endpoint = delete_push_subscription.endpoint and p.user_id = private.require_user();
end
$$;
grant execute on function private.delete_push_subscription(text) to authenticated;

create or replace function public.drop_push_subscription(endpoint text) returns void
language sql volatile set search_path = '' as $$
  select private.delete_push_subscription(drop_push_subscription.endpoint)
$$;
grant execute on function public.drop_push_subscription(text) to service_role, authenticated;
comment on function public.drop_push_subscription(text) is 'No more push messages to this browser.';

create or replace function private.push_public_key() returns text
language sql stable security definer set search_path = '' as $$
  select k.public_key from private.push_keys k
$$;
grant execute on function private.push_public_key() to authenticated;

create or replace function public.push_key() returns text
language sql stable set search_path = '' as $$
  select private.push_public_key()
$$;
grant execute on function public.push_key() to service_role, authenticated;
comment on function public.push_key() is 'The key that a browser subscribes to push messages with; null while the server has made none.';

-- `instead_of` names a pair that can no longer be read: subscriptions made with it are void.
create or replace function private.save_push_keys(new_public_key text, new_sealed_private_key text, instead_of text)
returns table (public_key text, sealed_private_key text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.push_keys k where k.public_key = save_push_keys.instead_of;
  if found then
    delete from public.push_subscriptions;
  end if;
  insert into private.push_keys (public_key, sealed_private_key)
  values (new_public_key, new_sealed_private_key)
  on conflict do nothing;
  return query select k.public_key, k.sealed_private_key from private.push_keys k;
end
$$;
grant execute on function private.save_push_keys(text, text, text) to kanbase_mail;
comment on function private.save_push_keys(text, text, text) is 'Keeps a pair of keys unless there is one; returns the one that holds.';

-- A claim lasts some minutes, then another node may take the message; three attempts. Entries read in between are not sent.
create or replace function private.claim_push_deliveries(most integer)
returns TABLE(notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean, part jsonb, unread bigint)
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
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id
  where private.sees_its_task(n);
end
$$;
grant execute on function private.claim_push_deliveries(integer) to kanbase_mail;
comment on function private.claim_push_deliveries(integer) is 'Claims push messages that are due, one row for each browser that is still to be asked.';

-- A delivery that was never claimed belongs to an entry that has changed since, and is still to be sent.
create or replace function private.record_push_results(sent uuid[], dead uuid[], done_of uuid[], done_for uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.push_subscriptions s where s.id = any (dead);
  delete from private.notification_deliveries d where d.way = 'push' and d.notification_id = any (sent) and d.attempts > 0;
  update private.notification_deliveries d set done_for = d.done_for || o.subscriptions
  from (
    select p.notification_id, array_agg(p.subscription_id) as subscriptions
    from unnest(record_push_results.done_of, record_push_results.done_for) p (notification_id, subscription_id)
    group by p.notification_id
  ) o
  where d.way = 'push' and d.notification_id = o.notification_id and d.attempts > 0;
$$;
grant execute on function private.record_push_results(uuid[], uuid[], uuid[], uuid[]) to kanbase_mail;
comment on function private.record_push_results(uuid[], uuid[], uuid[], uuid[]) is 'Forgets messages that were sent and browsers that are gone, and keeps which browsers need not be asked again: pairs of a message and a browser.';
