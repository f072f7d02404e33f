-- Accounts on the admin pages: search, details, and actions of operators (disable, sign out, reset second factors, delete). Every action asks
-- for an operator, locks the account, and goes into the log. Of projects only outlines (name, role) are shown, never their contents.

create or replace function private.admin_account_summary(u auth.users) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id,
    'email', coalesce(u.email, ''),
    'name', coalesce((select p.display_name from public.profiles p where p.id = u.id), ''),
    'created_at', u.created_at,
    'last_sign_in_at', u.last_sign_in_at,
    'state', case
      when u.banned_until > now() then 'disabled'
      when u.is_anonymous then 'anonymous'
      when u.email_confirmed_at is null and u.invited_at is not null then 'invited'
      when u.email_confirmed_at is null then 'unconfirmed'
      else 'active'
    end,
    'is_operator', u.is_operator,
    'has_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (select count(*) from auth.sessions s where s.user_id = u.id and s.oauth_grant_id is null and (s.not_after is null or s.not_after > now())),
    'projects', (select count(*) from public.project_members m where m.user_id = u.id)
  )
$$;
comment on function private.admin_account_summary(auth.users) is 'An account in the list of the admin pages.';

create or replace function private.admin_accounts(words text, kind text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    with found as (
      select u as account, u.created_at, u.id from auth.users u
      left join public.profiles p on p.id = u.id
      where u.deleted_at is null and not u.is_service_account
        and (pattern = '%%' or u.email ilike pattern or p.display_name ilike pattern or u.id::text = trim(words))
        and case kind
          when 'disabled' then u.banned_until > now()
          when 'waiting' then u.email_confirmed_at is null
          when 'operators' then u.is_operator
          when 'without_factor' then not exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
          else true
        end
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 200) offset greatest(skip, 0)
    )
    select jsonb_build_object(
      'total', (select count(*) from found),
      'accounts', (select coalesce(jsonb_agg(private.admin_account_summary(page.account) order by page.created_at desc, page.id), '[]') from page)
    )
  );
end
$$;
grant execute on function private.admin_accounts(text, text, integer, integer) to kanbase_desk;
comment on function private.admin_accounts(text, text, integer, integer) is 'Accounts by words of address or name, newest first.';

create or replace function private.raise_no_account() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'There is no such account', 'It may have been deleted meanwhile. Search again.');
end
$$;

create or replace function private.admin_account(account uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  found auth.users;
begin
  select u.* into found from auth.users u where u.id = account and u.deleted_at is null;
  if found.id is null then
    perform private.raise_no_account();
  end if;
  perform private.write_admin_log(operator, 'account_seen', found.id, found.email, null);
  return private.admin_account_summary(found) || jsonb_build_object(
    'email_confirmed_at', found.email_confirmed_at,
    'invited_at', found.invited_at,
    'disabled_until', case when found.banned_until > now() then found.banned_until end,
    'providers', (select coalesce(jsonb_agg(distinct i.provider order by i.provider), '[]') from auth.identities i where i.user_id = found.id),
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('name', coalesce(f.friendly_name, ''), 'type', f.factor_type, 'created_at', f.created_at)
        order by f.created_at, f.id), '[]')
      from auth.mfa_factors f where f.user_id = found.id and f.status = 'verified'
    ),
    'signed_in', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'address', host(s.ip),
        'user_agent', s.user_agent, 'aal', s.aal) order by s.refreshed_at desc, s.id), '[]')
      from (select * from auth.sessions s where s.user_id = found.id and s.oauth_grant_id is null and (s.not_after is null or s.not_after > now())
        order by s.refreshed_at desc limit 50) s
    ),
    'member_of', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name, 'role', m.role, 'archived_at', p.archived_at)
        order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id where m.user_id = found.id
    ),
    'end', private.preview_account_end(found.id)
  );
end
$$;
grant execute on function private.admin_account(uuid) to kanbase_desk;
comment on function private.admin_account(uuid) is 'One account: sessions, factors, projects it is in, what its end would do. That it was looked at is noted.';

-- Operators are not changed here: an operator account that was taken over gets no others, and nobody shuts out the last one by mistake.
create or replace function private.lock_account_for_operator(account uuid) returns auth.users
language plpgsql volatile security definer set search_path = '' as $$
declare
  found auth.users;
begin
  select u.* into found from auth.users u where u.id = account and u.deleted_at is null for update;
  if found.id is null then
    perform private.raise_no_account();
  elsif found.is_operator then
    perform private.refuse('PT409', 'This account is an operator''s, and is not changed here',
      'Take that away first, on the server: npx kanbase operator ADDRESS --remove.');
  end if;
  return found;
end
$$;
comment on function private.lock_account_for_operator(uuid) is 'The account that is to be changed, locked; operators are refused.';

create or replace function private.admin_disable_account(account uuid, disables boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.lock_account_for_operator(account);
begin
  -- the trigger end_sessions signs them out everywhere
  update auth.users u set banned_until = case when disables then timestamptz '9999-01-01' end, updated_at = now() where u.id = subject.id;
  perform private.write_admin_log(operator, case when disables then 'account_disabled' else 'account_enabled' end, subject.id, subject.email, null);
end
$$;
grant execute on function private.admin_disable_account(uuid, boolean) to kanbase_desk;
comment on function private.admin_disable_account(uuid, boolean) is 'Shuts an account out, or lets it in again.';

create or replace function private.admin_end_sessions(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.lock_account_for_operator(account);
  ended bigint;
begin
  delete from auth.sessions s where s.user_id = subject.id;
  get diagnostics ended = row_count;
  perform auth.raise_epoch_of(subject.id);
  perform private.end_keys(subject.id);
  perform private.write_admin_log(operator, 'sessions_ended', subject.id, subject.email, jsonb_build_object('sessions', ended));
end
$$;
grant execute on function private.admin_end_sessions(uuid) to kanbase_desk;
comment on function private.admin_end_sessions(uuid) is 'Signs an account out everywhere.';

-- The account gets an email about it: if its owner did not ask for the reset, somebody else did.
create or replace function private.admin_reset_factors(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.lock_account_for_operator(account);
  gone bigint;
begin
  delete from auth.mfa_factors f where f.user_id = subject.id;
  get diagnostics gone = row_count;
  delete from auth.sessions s where s.user_id = subject.id;
  perform auth.raise_epoch_of(subject.id);
  perform private.end_keys(subject.id);
  if subject.email_confirmed_at is not null then
    perform private.queue_mail('factors_reset', subject.email, jsonb_build_object('email', subject.email));
  end if;
  perform private.write_admin_log(operator, 'factors_reset', subject.id, subject.email, jsonb_build_object('factors', gone));
end
$$;
grant execute on function private.admin_reset_factors(uuid) to kanbase_desk;
comment on function private.admin_reset_factors(uuid) is 'Takes second factors away and signs out everywhere.';

-- For good. The log keeps the outcome for each project.
create or replace function private.admin_delete_account(account uuid, email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.lock_account_for_operator(account);
begin
  if lower(trim(coalesce(admin_delete_account.email, ''))) is distinct from lower(coalesce(subject.email, '')) then
    perform private.refuse('PT409', 'This is not the address of the account', 'Type its address, so that nothing is deleted by mistake.');
  end if;
  perform private.write_admin_log(operator, 'account_deleted', subject.id, subject.email, private.preview_account_end(subject.id));
  perform private.end_account(subject, jsonb_build_object('by', 'operator', 'operator_id', operator.id));
end
$$;
grant execute on function private.admin_delete_account(uuid, text) to kanbase_desk;
comment on function private.admin_delete_account(uuid, text) is 'Deletes an account, as its owner could.';
