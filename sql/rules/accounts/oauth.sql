-- The OAuth server: what a person granted a program, the code that a program exchanges for a session, and the exchange of its refresh tokens.
-- A grant ends with its person's account, with a new password, a ban and a sign-out everywhere (its epoch), with its client, when it is revoked,
-- when its time is over, and when a code or a refresh token comes twice. Its sessions go with it.

select private.room_rows('auth.oauth_clients', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.oauth_clients is 'Programs that people may let in.';
comment on column auth.oauth_clients.created_by is 'Who made the client of a service account, or replaced its secret last.';
select private.room_rows('auth.oauth_grants', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.oauth_grants is 'What people granted to programs.';
select private.room_rows('auth.oauth_authorizations', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.oauth_authorizations is 'Requests of programs on their way, and their codes.';
select private.room_rows('auth.signing_keys', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.signing_keys is 'Keys that sign ID tokens; the private half is sealed.';

create or replace trigger oauth_clients_end_grants before delete on auth.oauth_clients for each row execute function auth.end_grants_of_client();
create or replace trigger oauth_clients_end_service_sessions after update of secret_hash on auth.oauth_clients for each row
  when (new.service_account_id is not null and old.secret_hash <> new.secret_hash) execute function auth.end_sessions_of_client();
create or replace trigger oauth_grants_log_access after insert or update of scopes, project_ids or delete on auth.oauth_grants for each row
  execute function private.log_program();
create or replace trigger end_oauth_grants after update on auth.users
  for each row when (new.access_epoch <> old.access_epoch) execute function auth.end_oauth_grants_of_epoch();

-- Before the client is gone: the access log still knows its name.
create or replace function auth.end_grants_of_client() returns trigger
language plpgsql set search_path = '' as $$
begin
  delete from auth.oauth_grants g where g.client_id = old.id;
  return old;
end
$$;

-- Whoever knows the former secret of a service account's client may hold tokens of it.
create or replace function auth.end_sessions_of_client() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Whoever opens one right now is waited for.
  perform from auth.oauth_grants g where g.client_id = new.id for update;
  delete from auth.sessions s using auth.oauth_grants g where g.client_id = new.id and s.oauth_grant_id = g.id;
  return null;
end
$$;

create or replace function auth.end_oauth_grants_of_epoch() returns trigger
language plpgsql set search_path = '' as $$
begin
  delete from auth.oauth_grants g where g.user_id = new.id;
  delete from auth.oauth_authorizations a where a.user_id = new.id;
  return null;
end
$$;
comment on function auth.end_oauth_grants_of_epoch() is 'Removes what an account granted to programs when its epoch has risen.';

create or replace function auth.is_oauth_grant_open(g auth.oauth_grants) returns boolean
language sql stable set search_path = ''
return (g.expires_at is null or g.expires_at > now()) and exists (
  select from auth.users u
  where u.id = g.user_id and u.access_epoch = g.epoch and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
);
grant execute on function auth.is_oauth_grant_open(auth.oauth_grants) to kanbase_identity;
comment on function auth.is_oauth_grant_open(auth.oauth_grants) is 'Whether a grant still opens what it is of.';

-- The last consent is the grant. Sessions of an earlier one that may do more than it end; codes of one open nothing (a.scopes <@ g.scopes).
create or replace function auth.grant_to_oauth_client(
  person uuid, client uuid, granted text[], projects uuid[], until timestamptz
) returns auth.oauth_grants
language plpgsql set search_path = '' as $$
declare
  g auth.oauth_grants;
begin
  insert into auth.oauth_grants as kept (user_id, client_id, scopes, project_ids, epoch, expires_at)
  select u.id, client, granted, projects, u.access_epoch, until from auth.users u
  where u.id = person and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  on conflict (user_id, client_id) do update
    set scopes = excluded.scopes, project_ids = excluded.project_ids, epoch = excluded.epoch, expires_at = excluded.expires_at, updated_at = now()
  returning * into g;
  delete from auth.sessions s
  where s.oauth_grant_id = g.id and not (
    s.oauth_scopes <@ granted and (projects is null or coalesce(s.oauth_project_ids <@ projects, false))
    and (until is null or coalesce(s.not_after <= until, false))
  );
  return g;
end
$$;
grant execute on function auth.grant_to_oauth_client(uuid, uuid, text[], uuid[], timestamptz) to kanbase_identity;
comment on function auth.grant_to_oauth_client(uuid, uuid, text[], uuid[], timestamptz) is 'Keeps what a person granted to a program.';

-- The session that approves lends its proofs: a second factor that it used counts for the program, and ends it when it is removed.
create or replace function auth.approve_oauth_authorization(
  authorization_id uuid, person uuid, session uuid, code bytea, of_grant uuid, granted text[], until timestamptz
) returns boolean
language plpgsql set search_path = '' as $$
begin
  update auth.oauth_authorizations a
  set decision = 'approved', code_hash = code, grant_id = of_grant, scopes = granted, aal = s.aal, amr = s.amr, factor_id = s.factor_id,
    authenticated_at = s.created_at, expires_at = until
  from auth.sessions s
  where a.id = authorization_id and a.user_id = person and a.decision is null and a.expires_at > now()
    and s.id = session and s.user_id = person and s.oauth_grant_id is null;
  return found;
end
$$;
grant execute on function auth.approve_oauth_authorization(uuid, uuid, uuid, bytea, uuid, text[], timestamptz) to kanbase_identity;
comment on function auth.approve_oauth_authorization(uuid, uuid, uuid, bytea, uuid, text[], timestamptz) is 'Approves a request of a program.';

create or replace function auth.open_oauth_session(
  a auth.oauth_authorizations, g auth.oauth_grants, resources text[], agent text, address text
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  s auth.sessions;
  u auth.users;
begin
  select * into u from auth.users where id = g.user_id;
  if u.role <> 'authenticated' then return '{"outcome": "role"}'; end if;
  update auth.oauth_authorizations set used_at = now() where id = a.id;
  update auth.oauth_grants set last_used_at = now() where id = g.id;
  insert into auth.sessions
    (user_id, not_after, user_agent, ip, aal, amr, factor_id, oauth_grant_id, oauth_scopes, oauth_project_ids, oauth_resources)
  values (
    g.user_id, g.expires_at, agent, nullif(address, '')::inet, a.aal, a.amr, a.factor_id, g.id, a.scopes, g.project_ids, resources
  )
  returning * into s;
  perform auth.note_event('oauth_session_opened', u, jsonb_build_object('client_id', g.client_id), address);
  return jsonb_build_object('outcome', 'ok', 'nonce', a.nonce, 'authenticated_at', floor(extract(epoch from a.authenticated_at)))
    || auth.describe_oauth_session(s, u);
end
$$;
grant execute on function auth.open_oauth_session(auth.oauth_authorizations, auth.oauth_grants, text[], text, text) to kanbase_identity;
comment on function auth.open_oauth_session(auth.oauth_authorizations, auth.oauth_grants, text[], text, text) is 'The session of a program.';

create or replace function auth.describe_oauth_session(s auth.sessions, u auth.users) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'session', jsonb_build_object(
    'id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr, 'scopes', s.oauth_scopes, 'projects', s.oauth_project_ids,
    'resources', s.oauth_resources, 'not_after', floor(extract(epoch from s.not_after))
  ),
  'user', auth.describe_user(u)
);
grant execute on function auth.describe_oauth_session(auth.sessions, auth.users) to kanbase_identity;
comment on function auth.describe_oauth_session(auth.sessions, auth.users) is 'A session of a program and its account, as tokens are made of them.';

-- A code is good once, for its client, with its verifier. One that does not fit is gone; one that comes again ends the grant.
create or replace function auth.exchange_oauth_code(
  code bytea, client uuid, challenge text, redirect_to text, targets text[], agent text, address text
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  a auth.oauth_authorizations;
  g auth.oauth_grants;
begin
  select * into a from auth.oauth_authorizations where code_hash = code for update;
  if a.id is null then return '{"outcome": "unknown"}'; end if;
  if a.used_at is not null then
    delete from auth.oauth_grants where id = a.grant_id;
    return '{"outcome": "replayed"}';
  end if;
  if a.client_id <> client or a.code_challenge is distinct from challenge or a.redirect_uri is distinct from coalesce(redirect_to, a.redirect_uri) then
    delete from auth.oauth_authorizations where id = a.id;
    return '{"outcome": "misfit"}';
  end if;
  if not coalesce(targets <@ a.resources, true) then return '{"outcome": "target"}'; end if;
  select * into g from auth.oauth_grants where id = a.grant_id for update;
  if a.expires_at < now() or not coalesce(a.scopes <@ g.scopes and auth.is_oauth_grant_open(g), false) then return '{"outcome": "expired"}'; end if;
  return auth.open_oauth_session(a, g, coalesce(targets, a.resources), agent, address);
end
$$;
grant execute on function auth.exchange_oauth_code(bytea, uuid, text, text, text[], text, text) to kanbase_identity;
comment on function auth.exchange_oauth_code(bytea, uuid, text, text, text[], text, text) is 'A code for a session.';

-- Without the grace of people's sessions: a program keeps one token, and a second use of an earlier one means that somebody else has it.
create or replace function auth.refresh_oauth_session(
  session uuid, presented bigint, client uuid, narrowed text[], targets text[], inactivity interval, agent text, address text
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  s auth.sessions;
  g auth.oauth_grants;
  u auth.users;
begin
  select * into g from auth.oauth_grants where id = (select oauth_grant_id from auth.sessions where id = session) for update;
  if g.id is null or g.client_id <> client then return '{"outcome": "unknown"}'; end if;
  select * into s from auth.sessions where id = session for update;
  if s.id is null or presented > s.refresh_counter then return '{"outcome": "unknown"}'; end if;
  select * into u from auth.users where id = g.user_id;
  if presented < s.refresh_counter then
    delete from auth.oauth_grants where id = g.id;
    perform auth.note_event('token_revoked', u, jsonb_build_object('reason', 'refresh_token_reuse', 'client_id', client), address);
    return '{"outcome": "replayed"}';
  end if;
  if u.role <> 'authenticated' then return '{"outcome": "role"}'; end if;
  if not auth.is_oauth_grant_open(g) or s.not_after < now()
    or (inactivity > interval '0' and s.refreshed_at + inactivity < now()) then return '{"outcome": "expired"}'; end if;
  if not coalesce(narrowed <@ s.oauth_scopes, true) then return '{"outcome": "scope"}'; end if;
  if not coalesce(targets <@ s.oauth_resources, true) then return '{"outcome": "target"}'; end if;
  update auth.sessions
  set refresh_counter = refresh_counter + 1, refreshed_at = clock_timestamp(), updated_at = now(),
    user_agent = agent, ip = nullif(address, '')::inet
  where id = s.id returning * into s;
  update auth.oauth_grants set last_used_at = now() where id = g.id;
  s.oauth_scopes := coalesce(narrowed, s.oauth_scopes);
  s.oauth_resources := coalesce(targets, s.oauth_resources);
  return '{"outcome": "ok"}'::jsonb || auth.describe_oauth_session(s, u);
end
$$;
grant execute on function auth.refresh_oauth_session(uuid, bigint, uuid, text[], text[], interval, text, text) to kanbase_identity;
comment on function auth.refresh_oauth_session(uuid, bigint, uuid, text[], text[], interval, text, text) is 'The next token of a program''s session.';

-- A client of a service account (people/service-account-clients.sql) gets a session for it by its secret, of which the hash is sent. Each token has its own, so that revoking one
-- leaves the others; of more than most_open the oldest end.
create or replace function auth.open_service_session(
  client uuid, secret text, narrowed text[], projects uuid[], targets text[], lifetime interval, agent text, address text
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  most_open constant integer := 500;
  g auth.oauth_grants;
  u auth.users;
  s auth.sessions;
begin
  select o.* into g from auth.oauth_grants o join auth.oauth_clients c on c.id = o.client_id and c.service_account_id = o.user_id
  where o.client_id = client for update of o;
  -- Another secret may just have taken its place (auth.end_sessions_of_client).
  if g.id is null or not auth.is_oauth_grant_open(g)
    or not exists (select from auth.oauth_clients c where c.id = client and encode(c.secret_hash, 'hex') = secret) then
    return '{"outcome": "expired"}';
  end if;
  select * into u from auth.users where id = g.user_id;
  if u.role <> 'authenticated' or not u.is_service_account then return '{"outcome": "role"}'; end if;
  if not coalesce(narrowed <@ g.scopes, true) then return '{"outcome": "scope"}'; end if;
  if not coalesce(projects <@ g.project_ids, true) then return '{"outcome": "projects"}'; end if;
  delete from auth.sessions o where o.id in (
    select k.id from auth.sessions k where k.oauth_grant_id = g.id order by k.created_at desc, k.id offset most_open - 1
  );
  update auth.oauth_grants set last_used_at = now() where id = g.id;
  insert into auth.sessions (user_id, not_after, user_agent, ip, amr, oauth_grant_id, oauth_scopes, oauth_project_ids, oauth_resources)
  values (
    g.user_id, now() + lifetime, agent, nullif(address, '')::inet, jsonb_build_array(jsonb_build_object('method', 'client_credentials', 'timestamp', floor(extract(epoch from now())))), g.id, coalesce(narrowed, g.scopes),
    coalesce(projects, g.project_ids), targets
  )
  returning * into s;
  return '{"outcome": "ok"}'::jsonb || auth.describe_oauth_session(s, u);
end
$$;
grant execute on function auth.open_service_session(uuid, text, text[], uuid[], text[], interval, text, text) to kanbase_identity;
comment on function auth.open_service_session(uuid, text, text[], uuid[], text[], interval, text, text) is 'A session of a service account, for its client.';

-- No way in but by a key or a client.
create or replace function auth.refuse_service_account() returns trigger
language plpgsql set search_path = '' as $$
begin
  if exists (select from auth.users u where u.id = new.user_id and u.is_service_account) then
    raise exception using errcode = '23514', constraint = 'users_service_account_has_no_sign_in', message = 'nobody signs in to a service account';
  end if;
  return new;
end
$$;
select private.make_trigger(t.name, 'refuse_service_account', 'before insert on %t for each row ' || t.but || ' execute function auth.refuse_service_account()')
from (values ('auth.identities'::regclass, ''), ('auth.mfa_factors', ''), ('auth.webauthn_credentials', ''), ('auth.one_time_tokens', ''),
  ('auth.sessions', 'when (new.oauth_grant_id is null)')) t (name, but);

create or replace function auth.sweep_oauth() returns void
language sql volatile set search_path = '' as $$
  delete from auth.oauth_authorizations a where a.expires_at < now() - interval '1 day';
  delete from auth.oauth_grants g where g.expires_at < now();
  -- Programs that registered by themselves and that nobody let in.
  delete from auth.oauth_clients c
  where c.registration_type <> 'manual' and c.updated_at < now() - interval '30 days'
    and not exists (select from auth.oauth_grants g where g.client_id = c.id);
  delete from auth.signing_keys k where k.retired_at < now() - interval '30 days'
$$;
grant execute on function auth.sweep_oauth() to kanbase_identity;
comment on function auth.sweep_oauth() is 'Removes requests, grants and clients that are over.';

-- A device asks until the person has answered elsewhere; more often than every five seconds it is told to wait.
create or replace function auth.exchange_device_code(code bytea, client uuid, targets text[], agent text, address text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  a auth.oauth_authorizations;
  g auth.oauth_grants;
begin
  select * into a from auth.oauth_authorizations where device_code_hash = code for update;
  if a.id is null or a.client_id <> client then return '{"outcome": "unknown"}'; end if;
  if a.used_at is not null then
    delete from auth.oauth_grants where id = a.grant_id;
    return '{"outcome": "replayed"}';
  end if;
  if a.expires_at < now() then return '{"outcome": "late"}'; end if;
  if a.decision = 'denied' then return '{"outcome": "denied"}'; end if;
  if not coalesce(targets <@ a.resources, true) then return '{"outcome": "target"}'; end if;
  if a.decision is null then
    update auth.oauth_authorizations set polled_at = now() where id = a.id;
    return case when a.polled_at > now() - interval '4 seconds' then '{"outcome": "often"}' else '{"outcome": "pending"}' end::jsonb;
  end if;
  select * into g from auth.oauth_grants where id = a.grant_id for update;
  if not coalesce(a.scopes <@ g.scopes and auth.is_oauth_grant_open(g), false) then return '{"outcome": "late"}'; end if;
  return auth.open_oauth_session(a, g, coalesce(targets, a.resources), agent, address);
end
$$;
grant execute on function auth.exchange_device_code(bytea, uuid, text[], text, text) to kanbase_identity;
comment on function auth.exchange_device_code(bytea, uuid, text[], text, text) is 'A device''s code for a session, once the person has answered.';
