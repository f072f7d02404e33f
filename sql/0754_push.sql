-- Push messages to browsers and installed apps (Web Push): where each browser of a person is reached, until it is signed out, and the
-- keys the service proves itself with.

create table public.push_subscriptions (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- ends with the session: a browser that is signed out, from here or from elsewhere, hears nothing more
  session_id uuid not null references auth.sessions (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_endpoint_is_web_address check (endpoint ~ '^https?://[^[:space:][:cntrl:]]+$' and char_length(endpoint) <= 2000),
  constraint push_subscriptions_keys_are_base64url check (p256dh ~ '^[A-Za-z0-9_-]{80,100}$' and auth ~ '^[A-Za-z0-9_-]{16,40}$')
);
create index push_subscriptions_user_id_idx on public.push_subscriptions (user_id);
create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);

alter table public.push_subscriptions enable row level security;

create policy read_own on public.push_subscriptions for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy remove_own on public.push_subscriptions for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.push_subscriptions to service_role using (true) with check (true);

-- Who knows an address and its keys can send to it: they are never selected, not even by their owner.
grant select (id, user_id, session_id, created_at, updated_at), delete on public.push_subscriptions to authenticated;
grant select (id, user_id, session_id, created_at, updated_at) on public.push_subscriptions to anon;
-- no insert or update grant: save_push_subscription knows whose session it is
revoke all on public.push_subscriptions from service_role;
grant select (id, user_id, session_id, created_at, updated_at), delete on public.push_subscriptions to service_role;

create trigger push_subscriptions_keep before update on public.push_subscriptions for each row execute function private.keep_times();

create function private.keep_push_subscription(endpoint text, p256dh text, auth text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  session constant uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
  kept uuid;
begin
  if session is null or not exists (select from auth.sessions s where s.id = session and s.user_id = me) then
    raise exception using
      errcode = '42501',
      message = 'push messages belong to a session, and this token has none',
      hint = 'Sign in, and subscribe with the token of that session.';
  end if;
  -- The browser is somebody else's now.
  insert into public.push_subscriptions as p (user_id, session_id, endpoint, p256dh, auth)
  values (me, session, keep_push_subscription.endpoint, keep_push_subscription.p256dh, keep_push_subscription.auth)
  on conflict on constraint push_subscriptions_endpoint_key do update
    set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
  returning p.id into kept;
  return kept;
end
$$;
grant execute on function private.keep_push_subscription(text, text, text) to authenticated;

create function public.save_push_subscription(endpoint text, p256dh text, auth text) returns uuid
language sql volatile set search_path = '' as $$
  select private.keep_push_subscription(save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth)
$$;
grant execute on function public.save_push_subscription(text, text, text) to authenticated;

create function private.forget_push_subscription(endpoint text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.push_subscriptions p
  where p.endpoint = forget_push_subscription.endpoint and p.user_id = private.require_user();
end
$$;
grant execute on function private.forget_push_subscription(text) to authenticated;

create function public.drop_push_subscription(endpoint text) returns void
language sql volatile set search_path = '' as $$
  select private.forget_push_subscription(drop_push_subscription.endpoint)
$$;
grant execute on function public.drop_push_subscription(text) to authenticated;

-- One pair for all nodes, made by the first; the private one is sealed with a key of the server's.
create table private.push_keys (
  is_only boolean primary key default true,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz not null default now(),
  constraint push_keys_is_only check (is_only)
);
alter table private.push_keys enable row level security;
-- no policies, no grants: only the functions below look

create function private.push_public_key() returns text
language sql stable security definer set search_path = '' as $$
  select k.public_key from private.push_keys k
$$;
grant execute on function private.push_public_key() to authenticated;

create function public.push_key() returns text
language sql stable set search_path = '' as $$
  select private.push_public_key()
$$;
grant execute on function public.push_key() to authenticated;

-- The pair there is, or else the given one. `instead_of` is one that can be read no more: what was subscribed with it is void.
create function private.settle_push_keys(new_public_key text, new_sealed_private_key text, instead_of text)
returns table (public_key text, sealed_private_key text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.push_keys k where k.public_key = settle_push_keys.instead_of;
  if found then
    delete from public.push_subscriptions;
  end if;
  insert into private.push_keys (public_key, sealed_private_key)
  values (new_public_key, new_sealed_private_key)
  on conflict do nothing;
  return query select k.public_key, k.sealed_private_key from private.push_keys k;
end
$$;

-- Notifications wait for push too, where somebody has a browser that takes it, and the server is told at once.
alter table private.notification_deliveries add column attempts smallint not null default 0;

create or replace function private.queue_deliveries(ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
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
  where n.id = any (ids)
  on conflict do nothing;
  if exists (select from private.notification_deliveries d where d.notification_id = any (ids) and d.way = 'push') then
    perform pg_notify('kanbase_push', '');
  end if;
end
$$;

-- Claims what is due, for a while: who claims it and dies leaves it to the next. Tried three times. What was read meanwhile is not sent.
create function private.take_push_deliveries(most integer)
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
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now()))
  from claimed c
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$$;

create function private.settle_push(sent uuid[], dead uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.push_subscriptions s where s.id = any (dead);
  delete from private.notification_deliveries d where d.way = 'push' and d.notification_id = any (sent);
$$;

grant execute on function
  private.settle_push_keys(text, text, text), private.take_push_deliveries(integer), private.settle_push(uuid[], uuid[])
  to kanbase_mail;

comment on table private.push_keys is 'The keys with which push messages are signed.';
comment on function private.settle_push_keys(text, text, text) is 'Keeps a pair of keys unless there is one; returns the one that holds.';
comment on function private.take_push_deliveries(integer) is 'Claims push messages that are due, one row for each browser.';
comment on function private.settle_push(uuid[], uuid[]) is 'Forgets messages that were sent and browsers that are gone.';
comment on function public.push_key() is 'The key that a browser subscribes to push messages with; null while the server has made none.';
comment on function public.save_push_subscription(text, text, text) is 'Has push messages sent to this browser until the caller''s session ends. Takes what the browser''s PushSubscription says; returns the id of the row.';
comment on function public.drop_push_subscription(text) is 'No more push messages to this browser.';
comment on table public.push_subscriptions is 'Browsers that take push messages, each until its session ends. Own rows only; address and keys are never selected. Made by save_push_subscription.';
comment on column public.push_subscriptions.id is 'Made by the server.';
comment on column public.push_subscriptions.user_id is 'Whose browser.';
comment on column public.push_subscriptions.session_id is 'The session it ends with.';
comment on column public.push_subscriptions.endpoint is 'Where the browser is reached; never selected.';
comment on column public.push_subscriptions.p256dh is 'The browser''s key; never selected.';
comment on column public.push_subscriptions.auth is 'The browser''s secret; never selected.';
comment on column public.push_subscriptions.created_at is 'When the row was made; kept by the database.';
comment on column public.push_subscriptions.updated_at is 'When the row last changed; kept by the database.';
