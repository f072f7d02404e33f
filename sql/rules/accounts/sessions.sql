-- Sessions: signed-in devices, the exchange of their refresh tokens, and their end. Ended ones stay in auth.ended_sessions while access tokens
-- of theirs may live; every door that trusts a token's signature learns of them by a message, and by looking at start and now and then.
-- The epoch of an account ends access without a session (access/grants.sql): it rises with a new password, a ban, the end of the account, a
-- sign-out everywhere and a reset by an administrator.

select private.room_rows('auth.sessions', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.sessions is 'Signed-in devices; each is a family of refresh tokens.';
create or replace trigger note_ended after delete on auth.sessions
  referencing old table as gone for each statement execute function auth.note_ended_sessions();

select private.room_rows('auth.ended_sessions', 'kanbase_identity', 'insert, select, delete');
comment on table auth.ended_sessions is 'Sessions that ended lately: their access tokens are turned away.';

-- Tokens ------------------------------------------------------------------------------------------------------------------

-- Found if both the account and the session are still there.
create or replace function auth.find_caller(user_id uuid, session_id uuid) returns table (outcome text, caller jsonb)
language sql stable
begin atomic
  select
    case
      when u.id is null or u.deleted_at is not null then 'user_not_found'
      when find_caller.session_id is not null and s.id is null then 'session_not_found'
      else 'ok'
    end,
    auth.describe_user(u)
  from (select find_caller.user_id as id) wanted
  left join auth.users u on u.id = wanted.id
  left join auth.sessions s on s.id = find_caller.session_id and s.user_id = u.id;
end;
grant execute on function auth.find_caller(uuid, uuid) to kanbase_identity;
comment on function auth.find_caller(uuid, uuid) is 'The account behind an access token.';

-- Answers with the account as it is right after.
create or replace function auth.open_session(
  user_id uuid, method text, not_after timestamptz, agent text, address text, audit jsonb
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  u auth.users;
  s auth.sessions;
begin
  update auth.users set last_sign_in_at = now(), updated_at = now()
  where id = open_session.user_id and deleted_at is null and (banned_until is null or banned_until <= now())
  returning * into u;
  if u.id is null then return null; end if;
  insert into auth.sessions (user_id, not_after, user_agent, ip, amr)
  values (
    u.id, open_session.not_after, agent, nullif(address, '')::inet,
    jsonb_build_array(jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))))
  )
  returning * into s;
  perform auth.note_event('login', u, audit, address);
  return jsonb_build_object(
    'session', jsonb_build_object('id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr),
    'user', auth.describe_user(u)
  );
end
$$;
grant execute on function auth.open_session(uuid, text, timestamptz, text, text, jsonb) to kanbase_identity;
comment on function auth.open_session(uuid, text, timestamptz, text, text, jsonb) is 'Signs an account in.';

-- The last token is good. The one before it gets the same successor, however late: nobody has used that successor, so the answer that carried
-- it was lost. Any older one passes for a short while after the last exchange, because tabs race; later it is stolen or stale, and ends the session.
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
  if s.id is null or s.oauth_grant_id is not null then return '{"outcome": "not_found"}'; end if;
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
grant execute on function auth.refresh_session(uuid, bigint, interval, interval, interval, text, text) to kanbase_identity;
comment on function auth.refresh_session(uuid, bigint, interval, interval, interval, text, text) is 'The next token of a session.';

-- Called now and then by the server.
create or replace function auth.sweep(audit_days int, session_idle_days int, anonymous_days int) returns jsonb
language plpgsql set search_path = '' as $$
declare
  swept jsonb := '{}';
  n bigint;
begin
  delete from auth.one_time_tokens where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('one_time_tokens', n);
  delete from auth.flow_state where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('flow_state', n);
  delete from auth.mfa_challenges where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('mfa_challenges', n);
  delete from auth.webauthn_challenges where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('webauthn_challenges', n);
  delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day';
  get diagnostics n = row_count; swept := swept || jsonb_build_object('mfa_factors', n);
  delete from auth.sessions
  where not_after < now()
    or (session_idle_days > 0 and refreshed_at < now() - make_interval(days => session_idle_days));
  get diagnostics n = row_count; swept := swept || jsonb_build_object('sessions', n);
  -- Eight days: a day longer than any access token lives.
  delete from auth.ended_sessions where ended_at < now() - interval '8 days';
  get diagnostics n = row_count; swept := swept || jsonb_build_object('ended_sessions', n);
  if audit_days > 0 then
    delete from auth.audit_log_entries where created_at < now() - make_interval(days => audit_days);
    get diagnostics n = row_count; swept := swept || jsonb_build_object('audit_log_entries', n);
  end if;
  if anonymous_days > 0 then
    delete from auth.users
    where is_anonymous and coalesce(last_sign_in_at, created_at) < now() - make_interval(days => anonymous_days)
      and not exists (
        select from auth.sessions s
        where s.user_id = users.id and s.refreshed_at > now() - make_interval(days => anonymous_days)
      );
    get diagnostics n = row_count; swept := swept || jsonb_build_object('anonymous_users', n);
  end if;
  return swept;
end
$$;
grant execute on function auth.sweep(integer, integer, integer) to kanbase_identity;
comment on function auth.sweep(integer, integer, integer) is 'Removes what has expired.';

-- Ended sessions ----------------------------------------------------------------------------------------------------------

-- Covers every end: signed out, expired, banned, or with the account. One message for each statement; an empty one asks to look, when there
-- are too many to name.
create or replace function auth.note_ended_sessions() returns trigger
language plpgsql set search_path = '' as $$
declare
  ids text;
  n int;
begin
  -- Access tokens live seven days at most; the last may have come for a refresh token whose answer was lost. Those of a program live no longer
  -- than its session, but for clocks that differ.
  with noted as (
    insert into auth.ended_sessions (id)
    select id from gone
    where greatest(refreshed_at, updated_at) > now() - interval '7 days'
      and not coalesce(oauth_grant_id is not null and not_after < now() - interval '1 minute', false)
    returning id
  )
  select string_agg(id::text, ','), count(*) into ids, n from noted;
  if n > 0 then
    perform pg_notify('kanbase_ended_sessions', case when n > 200 then '' else ids end);
  end if;
  return null;
end
$$;
comment on function auth.note_ended_sessions() is 'Notes sessions that end and tells the nodes.';

-- A trigger, so that it also holds for an operator with a client of SQL.
create or replace function auth.end_sessions_of_banned() returns trigger
language plpgsql set search_path = '' as $$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$$;
comment on function auth.end_sessions_of_banned() is 'Signs out who is banned or deleted softly.';

-- The caller's sessions ---------------------------------------------------------------------------------------------------

-- No refresh counter, no factor, no account id: only columns by which a person recognises a device.
create or replace function private.sessions_of_caller()
returns table (id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz, aal text, is_current boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return query
    select s.id, s.user_agent, host(s.ip), s.created_at, s.refreshed_at, s.aal,
      s.id::text is not distinct from auth.jwt() ->> 'session_id'
    from auth.sessions s
    where s.user_id = me and s.oauth_grant_id is null and (s.not_after is null or s.not_after > now())
    order by 7 desc, s.refreshed_at desc, s.id;
end
$$;
grant execute on function private.sessions_of_caller() to authenticated, service_role;
comment on function private.sessions_of_caller() is 'The caller''s sessions, as list_my_sessions shows them.';

create or replace function public.list_my_sessions()
returns table (id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz, aal text, is_current boolean)
language sql stable set search_path = '' as $$
  select * from private.sessions_of_caller()
$$;
grant execute on function public.list_my_sessions() to service_role, authenticated;
comment on function public.list_my_sessions() is 'Where the caller is signed in: the session that asks first, then those seen last. last_seen_at and address are those of the last refresh; aal is aal2 once a second factor was used.';

-- A session that has used the password alone gets no further than require_user, so it signs out none that has used the second factor.
create or replace function private.end_session_of_caller(session_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = end_session_of_caller.session_id and s.user_id = me;
  if not found then
    perform private.refuse('PT404', 'no such session', 'It has ended already, or it is not yours. list_my_sessions tells those you have.');
  end if;
  perform auth.note_event('logout', u, jsonb_build_object('scope', 'session', 'session_id', end_session_of_caller.session_id))
  from auth.users u where u.id = me;
end
$$;
grant execute on function private.end_session_of_caller(uuid) to authenticated, service_role;
comment on function private.end_session_of_caller(uuid) is 'Ends a session of the caller''s, for end_my_session.';

create or replace function public.end_my_session(session_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_session_of_caller(end_my_session.session_id)
$$;
grant execute on function public.end_my_session(uuid) to service_role, authenticated;
comment on function public.end_my_session(uuid) is 'Signs out one session of the caller''s, also the one that asks. Its tokens are turned away at every door from then on. 404 for any other.';

-- Epochs ------------------------------------------------------------------------------------------------------------------

-- A trigger and not part of the code that sets a password, so that a new way to set one can't forget it.
create or replace function auth.raise_access_epoch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.access_epoch := old.access_epoch + 1;
  return new;
end
$$;
comment on function auth.raise_access_epoch() is 'Raises the epoch with a new password, a ban, and a soft deletion.';

create or replace function auth.rehash_password(account uuid, old_hash text, new_hash text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform set_config('kanbase.rehashes_password', 'on', true);
  update auth.users u set encrypted_password = new_hash where u.id = account and u.encrypted_password = old_hash;
  perform set_config('kanbase.rehashes_password', '', true);
end
$$;
grant execute on function auth.rehash_password(uuid, text, text) to kanbase_identity;
comment on function auth.rehash_password(uuid, text, text) is 'Stores the same password under a newer hash, without raising the epoch.';

create or replace function auth.raise_epoch_of(account uuid) returns void
language sql volatile set search_path = '' as $$
  update auth.users u set access_epoch = u.access_epoch + 1 where u.id = account
$$;
grant execute on function auth.raise_epoch_of(uuid) to kanbase_identity;
comment on function auth.raise_epoch_of(uuid) is 'Ends what opens without a session for an account: sign-out everywhere, reset by an administrator.';

-- For a person who proves a mailbox whose account a stranger made: the identity door has no rights outside of `auth`. Push subscriptions end
-- with their sessions.
create or replace function auth.end_lasting_access(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select auth.raise_epoch_of(account);
  select private.end_keys(account);
  delete from public.calendar_feeds f where f.user_id = account;
  delete from private.exports e where e.user_id = account
$$;
grant execute on function auth.end_lasting_access(uuid) to kanbase_identity;
comment on function auth.end_lasting_access(uuid) is 'Removes what a stranger made in an account whose mailbox they never proved: keys, calendars, exports, all links.';
