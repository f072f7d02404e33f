-- People whom a provider keeps: made, or adopted with the account of their confirmed address. Deactivating bans the account, as an operator would,
-- which ends sessions, live channels and push subscriptions; a ban by an operator is never lifted here. Accounts of operators are neither
-- deactivated nor given another address: whoever holds a token would otherwise come to run the server, or shut out those who do.

comment on table private.scim_people is 'People as their provider says; the account belongs to it until the provider removes them.';

create or replace view private.scim_users with (security_barrier) as
select coalesce(p.known_as, p.user_id) as id, p.user_name, p.user_name_key, p.external_id, p.display_name, p.formatted_name, p.given_name, p.family_name, p.emails,
  p.is_active as asked_active, u.banned_until is null or u.banned_until <= now() as active, p.created_at, p.updated_at
from private.scim_people p join auth.users u on u.id = p.user_id
where p.provider_id = (select private.scim_caller(false)) and p.removed_at is null and u.deleted_at is null
union all
select t.id, t.user_name, t.user_name_key, t.external_id, t.display_name, t.formatted_name, t.given_name, t.family_name, t.emails,
  t.is_active, t.is_active and not exists (
    -- by an operator: bans of providers end when they say so
    select from auth.users u left join private.scim_people p on p.user_id = u.id
    where u.id = coalesce(kept.user_id, (
        select a.id from auth.users a where kept.user_id is null and lower(a.email) = t.address and not a.is_sso_user and a.deleted_at is null
      )) and u.banned_until > now() and p.banned_since is distinct from u.banned_since
  ), t.created_at, t.updated_at
from private.scim_trial_people t
left join private.scim_people kept on kept.provider_id = t.provider_id and coalesce(kept.known_as, kept.user_id) = t.id and kept.removed_at is null
where t.provider_id = (select private.scim_caller(true)) and t.removed_at is null;
grant select on private.scim_users to kanbase_scim;
comment on view private.scim_users is 'People of the provider that asks.';

create or replace function private.lock_scim_user(person uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
begin
  if provider.trial_since is not null then
    -- first, as a deletion of the account does
    perform from auth.users u where u.id = private.scim_account(provider.id, person) for no key update;
    perform from private.scim_trial_people t where t.provider_id = provider.id and t.id = person and t.removed_at is null for no key update;
    return found;
  end if;
  perform from auth.users u where u.id = private.scim_account(provider.id, person) and u.deleted_at is null for no key update;
  return found;
end
$$;
grant execute on function private.lock_scim_user(uuid) to kanbase_scim;
comment on function private.lock_scim_user(uuid) is 'Holds a person of the provider for a change; false: there is none.';

create or replace function private.scim_account(of_provider uuid, known uuid) returns uuid
language sql stable set search_path = '' as $$
  select p.user_id from private.scim_people p
  where coalesce(p.known_as, p.user_id) = known and p.provider_id = of_provider and p.removed_at is null
$$;
comment on function private.scim_account(uuid, uuid) is 'The account of a person by the id that their provider knows; null: it keeps no such person.';

-- As the identity door does for whoever proves a mailbox (accounts/add-account.ts): what a stranger set up under the address ends.
create or replace function private.claim_unproven_account(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update auth.users u set encrypted_password = null, email_change = null, email_change_confirm_status = 0, is_anonymous = false,
    email_confirmed_at = coalesce(u.email_confirmed_at, now()), raw_app_meta_data = u.raw_app_meta_data - 'provider' - 'providers', updated_at = now()
  where u.id = account;
  delete from auth.one_time_tokens t where t.user_id = account;
  delete from auth.flow_state f where f.user_id = account or f.linking_user_id = account;
  delete from auth.sessions s where s.user_id = account;
  delete from auth.webauthn_credentials c where c.user_id = account;
  delete from auth.mfa_factors f where f.user_id = account;
  delete from auth.identities i where i.user_id = account;
  select auth.end_lasting_access(account);
$$;
comment on function private.claim_unproven_account(uuid) is 'Gives an account whose mailbox nobody proved to the person for whom the provider vouches.';

create or replace function private.raise_scim_conflict(words text, hint text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('KB853', words, hint);
end
$$;

create or replace function private.adopt_account(address text, provider private.scim_providers, named text, wanted uuid) returns auth.users
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
  holder uuid;
  removed timestamptz;
begin
  select u.* into account from auth.users u where lower(u.email) = address and not u.is_sso_user and u.deleted_at is null for no key update;
  if not found then
    insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
    values (case when exists (select from auth.users u where u.id = wanted) then gen_random_uuid() else coalesce(wanted, gen_random_uuid()) end, address, now(), jsonb_strip_nulls(jsonb_build_object('name', nullif(named, ''))) || '{"email_verified": true}')
    returning * into account;
    perform private.log_scim(provider, 'user_signedup', account);
    return account;
  end if;
  select p.provider_id, p.removed_at into holder, removed from private.scim_people p where p.user_id = account.id;
  if holder <> provider.id and removed is null then
    perform private.raise_scim_conflict('Another provider keeps the account of this address', 'Remove the person there first.');
  elsif holder = provider.id and removed is null then
    perform private.raise_scim_conflict('A person with this email address is provisioned already', 'Find them by a filter and change them.');
  end if;
  if not account.is_operator and (account.email_confirmed_at is null or exists (
    select from auth.identities i where i.user_id = account.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
  )) then
    perform private.claim_unproven_account(account.id);
  end if;
  perform private.log_scim(provider, 'user_modified', account);
  return account;
end
$$;
comment on function private.adopt_account(text, private.scim_providers, text, uuid) is 'The account of an address, made where there is none, with the wanted id.';

create or replace function private.raise_protected_operator(does text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('KB859', format('This account is an operator''s, and is not %s by SCIM', does),
    'Take that away first, on the server: npx kanbase operator ADDRESS --remove.');
end
$$;

create or replace function private.readdress_account(account auth.users, address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if lower(account.email) = address then
    return;
  elsif account.is_operator then
    perform private.raise_protected_operator('given another address');
  elsif exists (select from auth.users u where lower(u.email) = address and not u.is_sso_user) then
    perform private.raise_scim_conflict('Another account has this email address', 'Use another address, or remove that account.');
  end if;
  update auth.users u set email = address, email_confirmed_at = coalesce(u.email_confirmed_at, now()), email_change = null,
    email_change_confirm_status = 0, updated_at = now()
  where u.id = account.id;
  update auth.identities i set identity_data = i.identity_data || jsonb_build_object('email', address, 'email_verified', true), updated_at = now()
  where i.user_id = account.id and i.provider = 'email';
  delete from auth.one_time_tokens t where t.user_id = account.id;
  delete from auth.flow_state f where f.linking_user_id = account.id or (f.user_id = account.id and f.auth_code_hash is not null);
end
$$;
comment on function private.readdress_account(auth.users, text) is 'Gives an account the address that its provider says.';

create or replace function private.end_of_bans() returns timestamptz
language sql immutable set search_path = ''
return timestamptz '9999-01-01 00:00:00+00';
comment on function private.end_of_bans() is 'End of a ban that does not end by itself.';

create or replace function private.activate_scim_user(person uuid, wanted boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  select u.* into account from auth.users u where u.id = person for no key update;
  if not wanted then
    if account.is_operator then
      perform private.raise_protected_operator('deactivated');
    elsif account.banned_until is null or account.banned_until < private.end_of_bans() then
      update private.scim_people p set banned_before = account.banned_until where p.user_id = person;
      -- the trigger end_sessions signs them out everywhere
      update auth.users u set banned_until = private.end_of_bans(), updated_at = now() where u.id = person returning * into account;
      update private.scim_people p set banned_since = account.banned_since where p.user_id = person;
    end if;
  elsif account.banned_until > now() then
    update auth.users u set banned_until = case when p.banned_before > now() then p.banned_before end, updated_at = now()
    from private.scim_people p
    where u.id = person and p.user_id = person and u.banned_since = p.banned_since and u.banned_until = private.end_of_bans();
    update private.scim_people p set banned_since = null, banned_before = null where p.user_id = person;
  end if;
end
$$;
comment on function private.activate_scim_user(uuid, boolean) is 'Bans an account for its provider, or lifts that ban and no other.';

-- A name that the person chose here stays.
create or replace function private.name_scim_user(person uuid, was text, becomes text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.profiles f set display_name = left(btrim(becomes), 200)
  where f.id = person and nullif(btrim(becomes), '') is not null and f.display_name is distinct from left(btrim(becomes), 200)
    and (f.display_name is null or f.display_name = left(btrim(was), 200))
$$;
comment on function private.name_scim_user(uuid, text, text) is 'Shows the name that the provider says, where the person has not chosen another.';

-- `account_id`: of a person whom the provider keeps; null: a new one. `wanted` is the id of an account that is made, and by which the provider knows it.
create or replace function private.upsert_scim_user(provider private.scim_providers, account_id uuid, wanted uuid, said jsonb) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  address constant text := lower(said ->> 'address');
  named constant text := nullif(btrim(said ->> 'shown'), '');
  account auth.users;
  before private.scim_people;
begin
  if exists (
    select from private.scim_people p
    where p.provider_id = provider.id and p.removed_at is null and p.user_name_key = lower(said ->> 'userName') and p.user_id is distinct from account_id
  ) then
    perform private.raise_scim_conflict('A person with this userName is provisioned already', 'Find them by a filter and change them.');
  end if;
  if account_id is null then
    account := private.adopt_account(address, provider, named, wanted);
  else
    select u.* into account from auth.users u where u.id = account_id for no key update;
    select p.* into before from private.scim_people p where p.user_id = account_id;
    if before.address <> address then
      perform private.readdress_account(account, address);
    end if;
  end if;
  insert into private.scim_people as p (user_id, provider_id, user_name, external_id, display_name, formatted_name, given_name, family_name, emails,
    address, shown_name, is_active, known_as)
  values (account.id, provider.id, said ->> 'userName', said ->> 'externalId', said ->> 'displayName', said ->> 'formatted', said ->> 'givenName',
    said ->> 'familyName', said -> 'emails', address, named, (said ->> 'active')::boolean,
    -- the provider may know somebody else by the id
    case when private.scim_account(provider.id, coalesce(wanted, account.id)) <> account.id then gen_random_uuid() else nullif(wanted, account.id) end)
  on conflict (user_id) do update set provider_id = excluded.provider_id, user_name = excluded.user_name, external_id = excluded.external_id,
    display_name = excluded.display_name, formatted_name = excluded.formatted_name, given_name = excluded.given_name, family_name = excluded.family_name, emails = excluded.emails,
    address = excluded.address, shown_name = excluded.shown_name, is_active = excluded.is_active, removed_at = null, updated_at = clock_timestamp(),
    created_at = case when p.removed_at is null then p.created_at else now() end, known_as = case when p.removed_at is null then p.known_as else excluded.known_as end;
  perform private.name_scim_user(account.id, before.shown_name, named);
  perform private.activate_scim_user(account.id, (said ->> 'active')::boolean);
  perform private.settle_scim_groups(array(select m.group_id from private.scim_group_people m where m.user_id = account.id), array[account.id]);
  if account_id is not null then
    perform private.log_scim(provider, 'user_modified', account);
  end if;
  return account.id;
exception when unique_violation then
  perform private.raise_scim_conflict('Another request makes the same person', 'Try again.');
end
$$;
comment on function private.upsert_scim_user(private.scim_providers, uuid, uuid, jsonb) is 'Makes or adopts a person of a provider, or changes one; their account.';

create or replace function private.save_scim_user(person uuid, said jsonb) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
  account uuid := private.scim_account(provider.id, person);
begin
  if provider.trial_since is not null then
    return private.save_trial_user(provider, person, said);
  elsif person is not null and account is null then
    perform private.refuse('KB852', 'There is no such person', 'They may have been removed.');
  end if;
  account := private.upsert_scim_user(provider, account, null, said);
  return (select coalesce(p.known_as, p.user_id) from private.scim_people p where p.user_id = account);
end
$$;
grant execute on function private.save_scim_user(uuid, jsonb) to kanbase_scim;
comment on function private.save_scim_user(uuid, jsonb) is 'Makes or adopts a person of the provider (null), or changes one; their id.';

create or replace function private.release_scim_user(provider private.scim_providers, account_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  select u.* into account from auth.users u where u.id = account_id for no key update;
  perform private.activate_scim_user(account_id, false);
  perform private.take_out_scim_user(account_id);
  update private.scim_people p set removed_at = now(), is_active = false, updated_at = clock_timestamp() where p.user_id = account_id;
  perform private.log_scim(provider, 'user_deleted', account);
end
$$;
comment on function private.release_scim_user(private.scim_providers, uuid) is 'Disables the account of a person whom their provider deletes. What they wrote stays; an operator may delete the account.';

-- The account is deleted softly: names and addresses go, so that somebody else may have them. One that is only deactivated keeps them, since providers
-- find it again and activate it.
create or replace function private.forget_scim_user(account_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.take_out_scim_user(account_id);
  delete from private.scim_people p where p.user_id = account_id;
end
$$;
comment on function private.forget_scim_user(uuid) is 'Forgets what a provider says of an account that is deleted.';

create or replace function private.remove_scim_user(person uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
begin
  if not private.lock_scim_user(person) then
    perform private.refuse('KB852', 'There is no such person', 'They may have been removed.');
  elsif provider.trial_since is not null then
    perform private.remove_trial_user(provider, person);
  else
    perform private.release_scim_user(provider, private.scim_account(provider.id, person));
  end if;
end
$$;
grant execute on function private.remove_scim_user(uuid) to kanbase_scim;
comment on function private.remove_scim_user(uuid) is 'Removes a person of the provider.';
