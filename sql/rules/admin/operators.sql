-- Operators: accounts that run the instance, on the admin pages (/admin). Only `kanbase operator` and the one-time link of the start banner make
-- one. The admin pages work as the role kanbase_desk, which reads no table; each procedure it may call looks the caller up (require_operator)
-- and notes its actions in private.desk_log.

comment on table private.desk_log is 'Log of operators'' actions on the admin pages: actor, action, target, time, address.';

comment on table private.operator_links is 'Hashes of one-time links that make the first operator.';

-- The identity door may write rows of accounts, but never this column: neither metadata nor the service key makes an operator.
create or replace function auth.refuse_operator() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using
    errcode = '42501',
    message = 'operators are not made here',
    hint = 'Use npx kanbase operator, or the one-time link in the start banner.';
end
$$;

-- For the menu of the app alone. The admin pages do not trust the token.
create or replace function auth.hint_operator() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.raw_app_meta_data := case when new.is_operator then new.raw_app_meta_data || '{"operator": true}' else new.raw_app_meta_data - 'operator' end;
  return new;
end
$$;
comment on function auth.hint_operator() is 'Writes into the token whether its account is an operator''s, for the menu of the app alone.';

create or replace function private.has_operator() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.users u where u.is_operator and u.deleted_at is null)
$$;
grant execute on function private.has_operator() to kanbase_desk;
comment on function private.has_operator() is 'True once there is an operator.';

-- At each start while there is no operator. Links of other nodes that start at the same time work until one is used.
create or replace function private.make_operator_link() returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := private.draw_token();
begin
  delete from private.operator_links where expires_at < now();
  if private.has_operator() then
    return null;
  end if;
  insert into private.operator_links (token_hash, expires_at) values (private.hash_token(token), now() + interval '1 day');
  return token;
end
$$;
grant execute on function private.make_operator_link() to kanbase_desk;
comment on function private.make_operator_link() is 'A one-time token that makes the first operator; null when there is one.';

-- The account as it is in the tables: a token alone is not trusted.
create or replace function private.admin_caller() returns auth.users
language plpgsql stable security definer set search_path = '' as $$
declare
  account auth.users;
  level text;
begin
  select u.* into account from auth.users u
  where u.id = auth.uid() and u.deleted_at is null and not u.is_anonymous and (u.banned_until is null or u.banned_until <= now());
  if found then
    select s.aal into level from auth.sessions s
    where s.id::text = auth.jwt() ->> 'session_id' and s.user_id = account.id and s.oauth_grant_id is null and (s.not_after is null or s.not_after > now());
  end if;
  if level is null then
    perform private.refuse('PT401', 'Sign in first', 'Send the access token of a session in the Authorization header.');
  end if;
  if exists (select from auth.mfa_factors f where f.user_id = account.id and f.status = 'verified')
    and (level <> 'aal2' or auth.jwt() ->> 'aal' is distinct from 'aal2') then
    perform private.refuse('KB006', 'The second factor of this account is needed here', 'Answer its challenge first.');
  end if;
  return account;
end
$$;
comment on function private.admin_caller() is 'The account of the caller''s session, with its second factor used where it has one.';

create or replace function private.write_admin_log(operator auth.users, action text, subject_id uuid, subject text, details jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.desk_log (actor_id, actor, action, subject_id, subject, details, address)
  values (operator.id, coalesce(operator.email, ''), action, subject_id, coalesce(subject, ''), coalesce(details, '{}'),
    coalesce(current_setting('request.address', true), ''))
$$;

-- The address must be confirmed; once there is an operator, no link works any more.
create or replace function private.become_first_operator(token text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account constant auth.users := private.admin_caller();
begin
  -- One at a time: two who open two links at once.
  perform pg_advisory_xact_lock(hashtext('kanbase operators'));
  perform from private.operator_links l where l.token_hash = private.hash_token(become_first_operator.token) and l.expires_at > now();
  if not found or private.has_operator() then
    perform private.refuse('PT404', 'This link does not work any more',
      'It works once and for a day. Restart the server for a new one while there is no operator, or use npx kanbase operator.');
  end if;
  if account.email is null or account.email_confirmed_at is null then
    perform private.refuse('PT409', 'Confirm the address of this account first', 'Open the link in the confirmation mail.');
  end if;
  delete from private.operator_links;
  update auth.users u set is_operator = true, updated_at = now() where u.id = account.id;
  perform private.write_admin_log(account, 'operator_made', account.id, account.email, '{"by": "link"}');
end
$$;
grant execute on function private.become_first_operator(text) to kanbase_desk;
comment on function private.become_first_operator(text) is 'Makes the caller the first operator, by a one-time token.';

-- For `kanbase operator`, which runs as the owner of the tables.
create or replace function private.set_operator(address text, makes boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  select u.* into account from auth.users u
  where lower(u.email) = lower(trim(set_operator.address)) and not u.is_sso_user and u.deleted_at is null for update;
  if not found then
    return false;
  end if;
  if account.is_operator <> makes then
    update auth.users u set is_operator = makes, updated_at = now() where u.id = account.id;
    delete from private.operator_links where makes;
    insert into private.desk_log (actor, action, subject_id, subject)
    values ('kanbase operator', case when makes then 'operator_made' else 'operator_removed' end, account.id, account.email);
  end if;
  return true;
end
$$;
comment on function private.set_operator(text, boolean) is 'Makes an account an operator, or takes that away; false when there is no such account.';

create or replace function private.pattern_of_words(words text) returns text
language sql immutable
return '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
comment on function private.pattern_of_words(text) is 'Pattern of searched words for ilike; %% where there are none.';

create or replace function private.require_operator() returns auth.users
language plpgsql stable security definer set search_path = '' as $$
declare
  account constant auth.users := private.admin_caller();
begin
  if not account.is_operator then
    perform private.refuse('PT403', 'This is for operators of this server', 'An operator is made with npx kanbase operator.');
  end if;
  return account;
end
$$;
comment on function private.require_operator() is 'The caller''s account, if it is an operator''s.';

-- Asked by the page before it draws anything.
create or replace function private.admin_me() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  return jsonb_build_object('id', operator.id, 'email', operator.email);
end
$$;
grant execute on function private.admin_me() to kanbase_desk;
comment on function private.admin_me() is 'The operator who asks.';

-- Called before the server acts by another door: creating accounts, files of the log.
create or replace function private.log_admin_action(action text, subject text, details jsonb default '{}') returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  perform private.write_admin_log(operator, log_admin_action.action, null, log_admin_action.subject, log_admin_action.details);
end
$$;
grant execute on function private.log_admin_action(text, text, jsonb) to kanbase_desk;
comment on function private.log_admin_action(text, text, jsonb) is 'Notes what the server does for an operator by another door.';

-- `words` are looked for in actor, action, subject and address.
create or replace function private.admin_log_page(words text, before_id uuid, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    select coalesce(jsonb_agg(to_jsonb(l) order by l.id desc), '[]') from (
      select * from private.desk_log l
      where (before_id is null or l.id < before_id)
        and (l.actor ilike pattern or l.action ilike pattern or l.subject ilike pattern or l.address ilike pattern)
      order by l.id desc limit least(greatest(size, 1), 5000)
    ) l
  );
end
$$;
grant execute on function private.admin_log_page(text, uuid, integer) to kanbase_desk;
comment on function private.admin_log_page(text, uuid, integer) is 'The log of operators'' actions, newest first.';
