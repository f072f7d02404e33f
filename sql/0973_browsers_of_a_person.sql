-- A person has as many browsers as people have: the twenty that were subscribed last are kept. Each of them costs an encryption for every message.

create or replace function private.keep_push_subscription(endpoint text, p256dh text, auth text) returns uuid
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
  delete from public.push_subscriptions p
  where p.id in (
    select o.id from public.push_subscriptions o
    where o.user_id = me and o.id <> kept
    order by o.updated_at desc, o.id desc offset 19
  );
  return kept;
end
$$;
