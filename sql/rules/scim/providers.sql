-- Providers of SCIM and their tokens, made and revoked by operators. The door (server/scim) works as kanbase_scim, which reads three views and calls
-- procedures; each of them looks up the token of the request (setting request.scim_token, its SHA-256), and shows and changes what its provider keeps.
-- A token is found by its hash: the time that takes tells nothing about the token.

comment on table private.scim_providers is 'Identity providers that provision people and groups by SCIM.';
comment on table private.scim_tokens is 'Bearer tokens of providers, hashed.';

create or replace function private.scim_caller() returns uuid
language sql stable security definer set search_path = '' as $$
  select t.provider_id from private.scim_tokens t
  where t.token_hash = decode(nullif(current_setting('request.scim_token', true), ''), 'hex') and t.revoked_at is null
$$;
grant execute on function private.scim_caller() to kanbase_scim;
comment on function private.scim_caller() is 'The provider whose token the request bears; null: none.';

create or replace function private.scim_caller(on_trial boolean) returns uuid
language sql stable security definer set search_path = '' as $$
  select p.id from private.scim_providers p where p.id = private.scim_caller() and (p.trial_since is not null) = on_trial
$$;
grant execute on function private.scim_caller(boolean) to kanbase_scim;
comment on function private.scim_caller(boolean) is 'The provider whose token the request bears, where it is on trial, or where it is not.';

create or replace function private.require_scim_provider() returns private.scim_providers
language plpgsql stable security definer set search_path = '' as $$
declare
  provider private.scim_providers;
begin
  select p.* into provider from private.scim_providers p where p.id = private.scim_caller();
  if not found then
    perform private.refuse('KB851', 'This token opens nothing', 'Ask an operator for a new one.');
  end if;
  return provider;
end
$$;
comment on function private.require_scim_provider() is 'The provider whose token the request bears.';

-- First in each change: a trial neither begins nor ends before the change is done.
create or replace function private.hold_scim_provider() returns private.scim_providers
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider private.scim_providers := private.require_scim_provider();
begin
  select p.* into provider from private.scim_providers p where p.id = provider.id for share;
  return provider;
end
$$;
comment on function private.hold_scim_provider() is 'The provider whose token the request bears, kept as it is until the transaction ends.';

create or replace function private.scim_actor() returns text
language sql stable security definer set search_path = '' as $$
  select p.name from private.scim_providers p where p.id = private.scim_caller()
$$;
comment on function private.scim_actor() is 'For lines of logs: the name of the provider that acts.';

create or replace function private.open_scim_token() returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.require_scim_provider();
begin
  update private.scim_tokens t set last_used_at = now()
  where t.token_hash = decode(current_setting('request.scim_token', true), 'hex')
    and (t.last_used_at is null or t.last_used_at < now() - interval '1 minute');
  return provider.id;
end
$$;
grant execute on function private.open_scim_token() to kanbase_scim;
comment on function private.open_scim_token() is 'The provider of the token, whose use is noted to the minute.';

create or replace function private.log_scim(provider private.scim_providers, action text, account auth.users) returns void
language sql volatile security definer set search_path = '' as $$
  select auth.note_event(action, jsonb_populate_record(null::auth.users, jsonb_build_object('id', provider.id, 'email', 'scim: ' || provider.name)),
    jsonb_build_object('user_id', account.id, 'user_email', coalesce(account.email, ''), 'provider', 'scim'),
    coalesce(current_setting('request.address', true), ''))
$$;
comment on function private.log_scim(private.scim_providers, text, auth.users) is 'Notes in the audit log what a provider did to an account.';

-- Admin pages -------------------------------------------------------------------------------------------------------------

create or replace function private.admin_scim() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'name', p.name, 'created_at', p.created_at, 'trial_since', p.trial_since,
      'people', case when p.trial_since is null then (select count(*) from private.scim_people s where s.provider_id = p.id and s.removed_at is null)
        else (select count(*) from private.scim_trial_people t where t.provider_id = p.id and t.removed_at is null) end,
      'groups', case when p.trial_since is null then (select count(*) from private.scim_groups g where g.provider_id = p.id)
        else (select count(*) from private.scim_trial_groups t where t.provider_id = p.id and t.removed_at is null) end,
      'tokens', (
        select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'prefix', t.prefix, 'created_at', t.created_at, 'last_used_at', t.last_used_at)
          order by t.created_at, t.id), '[]')
        from private.scim_tokens t where t.provider_id = p.id and t.revoked_at is null
      )
    ) order by lower(p.name)), '[]')
    from private.scim_providers p
  );
end
$$;
grant execute on function private.admin_scim() to kanbase_desk;
comment on function private.admin_scim() is 'Providers of SCIM with their tokens that are in force.';

create or replace function private.draw_scim_token(of_provider uuid, by_operator uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := 'kbscim_' || private.draw_token();
begin
  insert into private.scim_tokens (provider_id, token_hash, prefix, created_by)
  values (of_provider, private.hash_token(token), left(token, 12), by_operator);
  return token;
end
$$;
comment on function private.draw_scim_token(uuid, uuid) is 'A token for a provider, told this once.';

create or replace function private.admin_create_scim_provider(called text, on_trial boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  most constant integer := 50;
  made private.scim_providers;
begin
  if (select count(*) from private.scim_providers) >= most then
    perform private.refuse('PT409', format('There are %s providers already', most), 'Remove one first.');
  end if;
  begin
    insert into private.scim_providers (name, created_by, trial_since) values (btrim(called), operator.id, case when on_trial then now() end)
    returning * into made;
  exception when unique_violation then
    perform private.refuse('PT409', 'There is a provider of this name already', 'Choose another name.');
  end;
  perform private.write_admin_log(operator, 'scim_provider_created', made.id, made.name, null);
  return jsonb_build_object('id', made.id, 'token', private.draw_scim_token(made.id, operator.id));
end
$$;
grant execute on function private.admin_create_scim_provider(text, boolean) to kanbase_desk;
comment on function private.admin_create_scim_provider(text, boolean) is 'Makes a provider, on trial or not, and its first token, which is told this once.';

create or replace function private.find_scim_provider(provider uuid) returns private.scim_providers
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_one private.scim_providers;
begin
  select p.* into found_one from private.scim_providers p where p.id = provider for update;
  if not found then
    perform private.refuse('PT404', 'There is no such provider', 'Load the page again.');
  end if;
  return found_one;
end
$$;

-- A second token lets the first be replaced without a gap.
create or replace function private.admin_create_scim_token(provider uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant private.scim_providers := private.find_scim_provider(provider);
  most constant integer := 5;
begin
  if (select count(*) from private.scim_tokens t where t.provider_id = subject.id and t.revoked_at is null) >= most then
    perform private.refuse('PT409', format('This provider has %s tokens already', most), 'Revoke one first.');
  end if;
  perform private.write_admin_log(operator, 'scim_token_created', subject.id, subject.name, null);
  return jsonb_build_object('id', subject.id, 'token', private.draw_scim_token(subject.id, operator.id));
end
$$;
grant execute on function private.admin_create_scim_token(uuid) to kanbase_desk;
comment on function private.admin_create_scim_token(uuid) is 'A further token of a provider, told this once.';

create or replace function private.admin_revoke_scim_token(token uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  gone private.scim_tokens;
begin
  update private.scim_tokens t set revoked_at = now() where t.id = admin_revoke_scim_token.token and t.revoked_at is null returning * into gone;
  if not found then
    perform private.refuse('PT404', 'There is no such token', 'Load the page again.');
  end if;
  perform private.write_admin_log(operator, 'scim_token_revoked', gone.provider_id,
    (select p.name from private.scim_providers p where p.id = gone.provider_id), jsonb_build_object('prefix', gone.prefix));
end
$$;
grant execute on function private.admin_revoke_scim_token(uuid) to kanbase_desk;
comment on function private.admin_revoke_scim_token(uuid) is 'Ends a token at once.';

-- Its groups are kept by hand from then on; accounts stay as they are.
create or replace function private.admin_remove_scim_provider(provider uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant private.scim_providers := private.find_scim_provider(provider);
begin
  update public.groups g set source = 'hand' from private.scim_groups s where s.provider_id = subject.id and g.id = s.group_id;
  delete from private.scim_providers p where p.id = subject.id;
  perform private.write_admin_log(operator, 'scim_provider_removed', subject.id, subject.name, null);
end
$$;
grant execute on function private.admin_remove_scim_provider(uuid) to kanbase_desk;
comment on function private.admin_remove_scim_provider(uuid) is 'Ends provisioning by a provider.';
