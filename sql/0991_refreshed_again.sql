-- A refresh token whose answer was lost, shown again, leaves a trace: from where and when, and its access token is turned away when the
-- session ends. Otherwise as in 0700 and 0022.

-- The next token of a session. The last token is good. The one before it gets the same successor, however late: nobody has
-- used that successor, so the answer that carried it was lost. Any older one passes for a short while after the last exchange,
-- because tabs race; later it is stolen or stale, and ends the session.
create or replace function auth.refresh_session(
  session_id uuid, presented bigint, grace interval, timebox interval, inactivity interval, agent text, address text
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  u auth.users;
  s auth.sessions;
  reused boolean := false;
begin
  select * into s from auth.sessions where id = refresh_session.session_id for update;
  if s.id is null then return '{"outcome": "not_found"}'; end if;
  select * into u from auth.users where id = s.user_id;
  if u.id is null or u.deleted_at is not null then return '{"outcome": "not_found"}'; end if;
  if u.banned_until > now() then return '{"outcome": "banned"}'; end if;
  if s.not_after < now() or (timebox > interval '0' and s.created_at + timebox < now()) then
    return '{"outcome": "expired"}';
  end if;
  if inactivity > interval '0' and s.refreshed_at + inactivity < now() then return '{"outcome": "inactive"}'; end if;

  if presented = s.refresh_counter then
    update auth.sessions
    set refresh_counter = refresh_counter + 1, refreshed_at = clock_timestamp(), updated_at = now(),
      user_agent = agent, ip = nullif(address, '')::inet
    where id = s.id returning * into s;
  elsif presented > s.refresh_counter then
    return '{"outcome": "not_found"}'; -- from a later life of this database, before it was restored
  elsif presented = s.refresh_counter - 1 or s.refreshed_at + grace > now() then
    reused := true;
    -- Not refreshed_at: the short while of older tokens would begin anew.
    update auth.sessions set updated_at = now(), user_agent = agent, ip = nullif(address, '')::inet
    where id = s.id returning * into s;
  else
    delete from auth.sessions where id = s.id;
    perform auth.note_event('token_revoked', u, jsonb_build_object('reason', 'refresh_token_reuse'), address);
    return '{"outcome": "already_used"}';
  end if;

  -- The line in the audit log is the caller's to write, many at a time: here it would double what a refresh writes.
  return jsonb_build_object(
    'outcome', 'ok',
    'reused', reused,
    'session', jsonb_build_object('id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr),
    'user', auth.describe_user(u)
  );
end
$$;

-- However a session ends: signed out, expired, banned, or with its account. One message for each statement; an empty one
-- asks to look, when there are too many to name.
create or replace function auth.note_ended_sessions() returns trigger
language plpgsql set search_path = '' as $$
declare
  ids text;
  n int;
begin
  -- Access tokens live seven days at most; the last may have come for a refresh token whose answer was lost.
  with noted as (
    insert into auth.ended_sessions (id)
    select id from gone where greatest(refreshed_at, updated_at) > now() - interval '7 days' returning id
  )
  select string_agg(id::text, ','), count(*) into ids, n from noted;
  if n > 0 then
    perform pg_notify('kanbase_ended_sessions', case when n > 200 then '' else ids end);
  end if;
  return null;
end
$$;
