-- Accounts, identities and factors, with the column names of Supabase's auth schema, so that policies, triggers and dumps written against it
-- work. Only `kanbase_identity` reads and writes here; the domain meets accounts through foreign keys to auth.users and triggers on it.
-- Functions that every request calls are plpgsql or standard bodies, so that Postgres keeps their plans: planning would take half a millisecond.

select private.room_rows('auth.users', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.users is 'Accounts. Deleted softly when deleted_at is set.';
comment on column auth.users.is_operator is 'Runs the instance; written by kanbase operator and the one-time link of the banner alone.';
comment on column auth.users.is_service_account is 'A member without a mailbox (people/service-accounts.sql): nobody signs in to it.';
comment on column auth.users.access_epoch is 'Rises when what opens without a session ends: new password, sign-out everywhere, ban, reset by an administrator.';
comment on column auth.users.banned_since is 'Since when the account is banned without a break; empty where it is not, or was before this was kept.';

create or replace trigger refuse_new_operator before insert on auth.users
  for each row when (new.is_operator and current_user = 'kanbase_identity') execute function auth.refuse_operator();
create or replace trigger prepare_imported before insert on auth.users
  for each row when (current_user <> 'kanbase_identity') execute function auth.prepare_imported_user();
create or replace trigger hint_operator before update of is_operator on auth.users
  for each row when (new.is_operator is distinct from old.is_operator) execute function auth.hint_operator();
create or replace trigger refuse_operator before update on auth.users
  for each row when (new.is_operator is distinct from old.is_operator and current_user = 'kanbase_identity') execute function auth.refuse_operator();
create or replace trigger users_note_ban before update on auth.users for each row
  when (new.banned_until is distinct from old.banned_until) execute function auth.note_ban();
create or replace trigger users_raise_access_epoch before update on auth.users for each row
  when (
    (old.encrypted_password is distinct from new.encrypted_password and coalesce(current_setting('kanbase.rehashes_password', true), '') <> 'on')
    or (new.banned_until is distinct from old.banned_until and new.banned_until > now())
    or (new.deleted_at is not null and old.deleted_at is null)
  ) execute function auth.raise_access_epoch();
create or replace trigger users_make_profile after insert on auth.users for each row execute function private.make_profile();
create or replace trigger end_sessions after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null) execute function auth.end_sessions_of_banned();
create or replace trigger users_end_access after update on auth.users for each row
  when (old.access_epoch <> new.access_epoch) execute function private.end_access_of_epoch();

select private.room_rows('auth.identities', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.identities is 'How each account is known to a provider.';
create or replace trigger prepare_imported before insert on auth.identities
  for each row when (current_user <> 'kanbase_identity') execute function auth.prepare_imported_identity();

select private.room_rows('auth.mfa_factors', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.mfa_factors is 'Second factors: TOTP secrets, passkeys and recovery codes.';

select private.room_rows('auth.mfa_recovery_codes', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.mfa_recovery_codes is 'Recovery codes, hashed, and when each was used.';

select private.room_rows('auth.mfa_challenges', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.mfa_challenges is 'Open questions to a second factor.';

select private.room_rows('auth.webauthn_credentials', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.webauthn_credentials is 'Passkeys that sign in by themselves.';

select private.room_rows('auth.webauthn_challenges', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.webauthn_challenges is 'Open passkey ceremonies.';

select private.room_rows('auth.flow_state', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.flow_state is 'Sign-ins on their way through a browser.';

select private.room_rows('auth.custom_oauth_providers', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.custom_oauth_providers is 'Providers that people may sign in with, beside those of settings; secrets sealed.';

select private.room_rows('auth.one_time_tokens', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.one_time_tokens is 'Hashed tokens of mails that were sent.';

select private.room_rows('auth.audit_log_entries', 'kanbase_identity', 'insert, select, update, delete');
comment on table auth.audit_log_entries is 'What happened to accounts.';

create or replace function auth.wire_time(moment timestamptz) returns text
language sql stable
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
grant execute on function auth.wire_time(timestamptz) to kanbase_identity;

-- In the shape the official clients know; dates that never happened are left out.
create or replace function auth.describe_user(u auth.users) returns jsonb
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
grant execute on function auth.describe_user(auth.users) to kanbase_identity;
comment on function auth.describe_user(auth.users) is 'An account in the shape clients see.';

create or replace function auth.note_event(
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
grant execute on function auth.note_event(text, auth.users, jsonb, text) to kanbase_identity;

-- Rows from elsewhere: an import, a seed, an operator with a client of SQL ------------------------------------------------

-- Columns of Supabase's that we do not use are taken; values that would be wrong to keep are corrected.
create or replace function auth.prepare_imported_user() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.aud := coalesce(nullif(new.aud, ''), 'authenticated');
  new.role := coalesce(nullif(new.role, ''), 'authenticated');
  new.encrypted_password := nullif(new.encrypted_password, '');
  new.email_change := nullif(new.email_change, '');
  new.email_change_confirm_status := coalesce(new.email_change_confirm_status, 0);
  new.phone := nullif(new.phone, '');
  new.raw_app_meta_data := coalesce(new.raw_app_meta_data, '{}');
  new.raw_user_meta_data := coalesce(new.raw_user_meta_data, '{}');
  new.created_at := coalesce(new.created_at, now());
  new.updated_at := coalesce(new.updated_at, now());
  new.is_sso_user := coalesce(new.is_sso_user, false);
  new.is_anonymous := coalesce(new.is_anonymous, false);
  -- Tokens of mails that another server sent prove nothing here, and rest in no column in the clear.
  new.confirmation_token := null;
  new.recovery_token := null;
  new.email_change_token_new := null;
  new.email_change_token_current := null;
  new.reauthentication_token := null;
  new.phone_change_token := null;
  return new;
end
$$;
comment on function auth.prepare_imported_user() is 'Puts right what a dump of Supabase writes differently.';

-- Older dumps have no provider_id. A mailbox that was confirmed there counts as proven here: otherwise the account would lose its password to
-- the first email that signs in.
create or replace function auth.prepare_imported_identity() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.identity_data := coalesce(new.identity_data, '{}');
  new.provider_id := coalesce(new.provider_id, new.identity_data ->> 'sub', new.user_id::text);
  new.created_at := coalesce(new.created_at, now());
  new.updated_at := coalesce(new.updated_at, now());
  if new.provider = 'email' and exists (
    select from auth.users u where u.id = new.user_id and u.email_confirmed_at is not null
  ) then
    new.identity_data := new.identity_data || '{"email_verified": true}';
  end if;
  return new;
end
$$;
comment on function auth.prepare_imported_identity() is 'Puts right what a dump of Supabase writes differently.';

-- For AUTH_SIGN_UP=invited. kanbase_identity has no rights in `private` or `public`; it learns yes or no, for one address at a time.
create or replace function auth.is_invited(address text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.project_invitations i
    where lower(i.email) = lower(is_invited.address) and i.accepted_at is null and private.is_open_invitation(i)
  ) or exists (
    -- invited to the instance itself, and not come yet
    select from auth.users u
    where lower(u.email) = lower(is_invited.address) and not u.is_sso_user
      and u.invited_at is not null and u.email_confirmed_at is null and u.deleted_at is null
  )
$$;
grant execute on function auth.is_invited(text) to kanbase_identity;
comment on function auth.is_invited(text) is 'Whether somebody with this address may make an account although sign-up is for invited people only.';

-- An account made by a link that an operator handed on has not shown that the mailbox is its own, and joins no project by an invitation to the
-- address alone; the link in the letter, or from an owner, shows enough.
create or replace function private.has_proven_mailbox(account auth.users) returns boolean
language sql stable security definer set search_path = '' as $$
  select account.email_confirmed_at is not null and not (account.invited_at is not null and exists (
    select from auth.identities i
    where i.user_id = account.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
  ))
$$;
comment on function private.has_proven_mailbox(auth.users) is 'Whether an account is confirmed, and by more than a link that an operator handed on.';

create or replace function auth.note_ban() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.banned_since := case when new.banned_until > now() then case when old.banned_until > now() then old.banned_since else now() end end;
  return new;
end
$$;
comment on function auth.note_ban() is 'Keeps since when an account is banned.';

-- Leads: email addresses left on the landing page -------------------------------------------------------------------------

-- Only `kanbase_landing` adds and lists them; the data endpoints serve none.
select private.room_rows('private.leads', 'kanbase_landing', 'select, delete');
grant insert (email, source) on private.leads to kanbase_landing;
comment on table private.leads is 'Addresses left on the landing page, once each.';
