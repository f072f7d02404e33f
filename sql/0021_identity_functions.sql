-- What the identity room asks for most, in one round trip each: an account as clients see it, the account behind a
-- token, a new session, the next token of a session. They are written so that Postgres keeps their plans (plpgsql) or
-- takes them into the query (standard bodies): half a millisecond of planning on each call is what they avoid.

create function auth.wire_time(moment timestamptz) returns text
language sql stable
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- An account in the shape the official clients know. Dates that never happened are left out.
create function auth.describe_user(u auth.users) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
      'email_confirmed_at', auth.wire_time(u.email_confirmed_at),
      'phone_confirmed_at', auth.wire_time(u.phone_confirmed_at),
      'confirmed_at', auth.wire_time(u.confirmed_at),
      'invited_at', auth.wire_time(u.invited_at),
      'confirmation_sent_at', auth.wire_time(u.confirmation_sent_at),
      'recovery_sent_at', auth.wire_time(u.recovery_sent_at),
      'reauthentication_sent_at', auth.wire_time(u.reauthentication_sent_at),
      'new_email', u.email_change,
      'email_change_sent_at', auth.wire_time(u.email_change_sent_at),
      'last_sign_in_at', auth.wire_time(u.last_sign_in_at),
      'banned_until', auth.wire_time(u.banned_until),
      'deleted_at', auth.wire_time(u.deleted_at),
      'factors', (
        select jsonb_agg(jsonb_build_object(
          'id', f.id, 'friendly_name', coalesce(f.friendly_name, ''), 'factor_type', f.factor_type, 'status', f.status,
          'created_at', auth.wire_time(f.created_at), 'updated_at', auth.wire_time(f.updated_at),
          'last_challenged_at', auth.wire_time(f.last_challenged_at)
        ) order by f.created_at, f.id)
        from auth.mfa_factors f where f.user_id = u.id
      )
    ))
    || jsonb_build_object(
      'id', u.id,
      'aud', u.aud,
      'role', u.role,
      'email', coalesce(u.email, ''),
      'phone', coalesce(u.phone, ''),
      'app_metadata', u.raw_app_meta_data,
      'user_metadata', u.raw_user_meta_data,
      'identities', coalesce((
        select jsonb_agg(jsonb_build_object(
          'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
          'provider', i.provider, 'last_sign_in_at', auth.wire_time(i.last_sign_in_at),
          'created_at', auth.wire_time(i.created_at), 'updated_at', auth.wire_time(i.updated_at),
          'email', i.email
        ) order by i.created_at, i.id)
        from auth.identities i where i.user_id = u.id
      ), '[]'),
      'created_at', auth.wire_time(u.created_at),
      'updated_at', auth.wire_time(u.updated_at),
      'is_anonymous', u.is_anonymous
    );
end
$$;

create function auth.note_event(
  action text, actor auth.users, traits jsonb default '{}', address text default ''
) returns void
language plpgsql as $$
begin
  insert into auth.audit_log_entries (payload, ip_address)
  values (jsonb_build_object(
    'action', action,
    'actor_id', actor.id,
    'actor_username', coalesce(actor.email, ''),
    'actor_via_sso', coalesce(actor.is_sso_user, false),
    'log_type', case
      when action in ('login', 'logout') then 'account'
      when action like 'token_%' then 'token'
      when action like 'factor_%' or action like 'challenge_%' then 'factor'
      when action like 'user_invited' or action like 'user_deleted' or action like 'user_signedup' then 'team'
      else 'user'
    end,
    'traits', traits
  ), coalesce(address, ''));
end
$$;

-- The account behind a token, if both it and the session are still there.
create function auth.find_caller(user_id uuid, session_id uuid) returns table (outcome text, caller jsonb)
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

-- A new session, with the account as it is right after.
create function auth.open_session(
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

-- The next token of a session. The last token is good; the one before it is good for a short while after it was
-- exchanged, because answers get lost and tabs race; any other is stolen or stale, and ends the session.
create function auth.refresh_session(
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
  elsif presented = s.refresh_counter - 1 and s.refreshed_at + grace > now() then
    reused := true;
  elsif presented > s.refresh_counter then
    return '{"outcome": "not_found"}'; -- from a later life of this database, before it was restored
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

-- Everything that has had its time. Called now and then by the server.
create function auth.sweep(audit_days int, session_idle_days int, anonymous_days int) returns jsonb
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

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'auth.wire_time(timestamptz)',
    'auth.describe_user(auth.users)',
    'auth.note_event(text, auth.users, jsonb, text)',
    'auth.find_caller(uuid, uuid)',
    'auth.open_session(uuid, text, timestamptz, text, text, jsonb)',
    'auth.refresh_session(uuid, bigint, interval, interval, interval, text, text)',
    'auth.sweep(int, int, int)'
  ]
  loop
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to kanbase_identity', signature);
  end loop;
end
$$;

comment on function auth.describe_user(auth.users) is 'An account in the shape clients see.';
comment on function auth.find_caller(uuid, uuid) is 'The account behind an access token.';
comment on function auth.open_session(uuid, text, timestamptz, text, text, jsonb) is 'Signs an account in.';
comment on function auth.refresh_session(uuid, bigint, interval, interval, interval, text, text) is 'The next token of a session.';
comment on function auth.sweep(int, int, int) is 'Removes what has expired.';
