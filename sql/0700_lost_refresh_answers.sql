-- A refresh token whose answer was lost is good until its successor is used: phones lose connections, and pages rendered on a
-- server are left before they finish. Otherwise as in 0021.

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
