-- Keys and OAuth clients of service accounts, made and ended by those who manage the account. A client has one grant, of its account, which says what
-- it may and where; its secret is told once and stored as a hash.

create or replace function private.projects_of_account(account uuid) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from public.project_members m where m.user_id = account
$$;

create or replace function private.make_service_key(account uuid, called text, of_scope text, projects uuid[], days integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.lock_caller();
  managed constant public.service_accounts := private.require_service_account(account);
begin
  return private.add_key(managed.id, me, private.projects_of_account(managed.id), called, of_scope, projects, days);
end
$$;
grant execute on function private.make_service_key(uuid, text, text, uuid[], integer) to authenticated;

create or replace function public.create_service_account_key(
  service_account_id uuid, name text, scope text, project_ids uuid[] default null, days integer default 90
) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_service_key(create_service_account_key.service_account_id, create_service_account_key.name, create_service_account_key.scope,
    create_service_account_key.project_ids, create_service_account_key.days)
$$;
grant execute on function public.create_service_account_key(uuid, text, text, uuid[], integer) to authenticated;
comment on function public.create_service_account_key(uuid, text, text, uuid[], integer) is 'Makes a key of a service account that the caller manages, as create_api_key makes one of the caller. Returns the row with its token, which is not told again.';

-- Clients -------------------------------------------------------------------------------------------------------------------

create or replace function private.scopes_up_to(scope text) returns text[]
language sql immutable
return case scope when 'write' then '{read,comment,write}' when 'comment' then '{read,comment}' when 'read' then '{read}' end::text[];

create or replace function private.describe_service_client(client auth.oauth_clients, granted auth.oauth_grants) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object('client_id', (client).id, 'service_account_id', (client).service_account_id, 'name', (client).client_name,
  'scope', private.scope_of_grant(granted), 'project_ids', to_jsonb((granted).project_ids), 'created_at', (client).created_at,
  'last_used_at', (granted).last_used_at);

create or replace function private.make_service_client(account uuid, called text, of_scope text, projects uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 20;
  me constant uuid := private.lock_caller();
  managed constant public.service_accounts := private.require_service_account(account);
  chosen constant uuid[] := private.chosen_for_program(called, of_scope, projects, private.projects_of_account(managed.id));
  secret constant text := private.draw_token();
  client auth.oauth_clients;
  granted auth.oauth_grants;
begin
  if btrim(called) ~ '[[:cntrl:]]' then
    perform private.refuse('22023', 'the name is one line of text', 'Leave out control characters.');
  elsif (select count(*) from auth.oauth_clients c where c.service_account_id = managed.id) >= most then
    perform private.refuse('PT400', format('this service account has %s clients', most), 'Delete one that is needed no more.');
  end if;
  insert into auth.oauth_clients (registration_type, client_name, redirect_uris, grant_types, scopes, token_endpoint_auth_method, secret_hash,
    service_account_id, created_by)
  values ('manual', btrim(called), '{}', '{client_credentials}', private.scopes_up_to(of_scope), 'client_secret_basic', private.hash_token(secret),
    managed.id, me)
  returning * into client;
  insert into auth.oauth_grants (user_id, client_id, scopes, project_ids, epoch)
  select u.id, client.id, client.scopes, chosen, u.access_epoch from auth.users u where u.id = managed.id
  returning * into granted;
  return private.describe_service_client(client, granted) || jsonb_build_object('client_secret', secret);
end
$$;
grant execute on function private.make_service_client(uuid, text, text, uuid[]) to authenticated;

create or replace function public.create_service_account_client(service_account_id uuid, name text, scope text, project_ids uuid[] default null) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_service_client(create_service_account_client.service_account_id, create_service_account_client.name,
    create_service_account_client.scope, create_service_account_client.project_ids)
$$;
grant execute on function public.create_service_account_client(uuid, text, text, uuid[]) to authenticated;
comment on function public.create_service_account_client(uuid, text, text, uuid[]) is 'Makes an OAuth client of a service account that the caller manages: with client_id and client_secret, which is not told again, a program gets tokens of the account at /auth/v1/oauth/token (client credentials), narrowed to scope read, comment or write and these projects (null: all of the account).';

create or replace function private.clients_of_service(account uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  if account is null or account not in (select s.id from private.my_service_accounts s) then
    perform private.raise_no_service_account();
  end if;
  return (
    select coalesce(jsonb_agg(private.describe_service_client(c, g) order by c.created_at desc, c.id), '[]')
    from auth.oauth_clients c join auth.oauth_grants g on g.client_id = c.id and g.user_id = c.service_account_id
    where c.service_account_id = account
  );
end
$$;
grant execute on function private.clients_of_service(uuid) to authenticated;

create or replace function public.service_account_clients(service_account_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.clients_of_service(service_account_clients.service_account_id)
$$;
grant execute on function public.service_account_clients(uuid) to authenticated;
comment on function public.service_account_clients(uuid) is 'OAuth clients of a service account that the caller manages, newest first: [{client_id, service_account_id, name, scope, project_ids, created_at, last_used_at}].';

create or replace function private.require_service_client(client uuid) returns auth.oauth_clients
language plpgsql volatile security definer set search_path = '' as $$
declare
  managed auth.oauth_clients;
begin
  perform private.require_user();
  select c.* into managed from auth.oauth_clients c
  where c.id = client and c.service_account_id in (select s.id from private.my_service_accounts s) for update;
  if not found then
    perform private.refuse('PT404', 'no such client', 'There is none with this id, or you do not manage its service account.');
  end if;
  return managed;
end
$$;

create or replace function private.rotate_service_client(client uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.lock_caller();
  managed constant auth.oauth_clients := private.require_service_client(client);
  secret constant text := private.draw_token();
begin
  update auth.oauth_clients c set secret_hash = private.hash_token(secret), created_by = me, updated_at = now() where c.id = managed.id;
  return jsonb_build_object('client_id', managed.id, 'client_secret', secret);
end
$$;
grant execute on function private.rotate_service_client(uuid) to authenticated;

create or replace function public.rotate_service_account_client(client_id uuid) returns jsonb
language sql volatile set search_path = '' as $$
  select private.rotate_service_client(rotate_service_account_client.client_id)
$$;
grant execute on function public.rotate_service_account_client(uuid) to authenticated;
comment on function public.rotate_service_account_client(uuid) is 'Gives a client of a service account that the caller manages another secret, {client_id, client_secret}; the one before and its tokens end at once.';

create or replace function private.end_service_client(client uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  managed constant auth.oauth_clients := private.require_service_client(client);
begin
  delete from auth.oauth_clients c where c.id = managed.id;
end
$$;
grant execute on function private.end_service_client(uuid) to authenticated;

create or replace function public.delete_service_account_client(client_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_service_client(delete_service_account_client.client_id)
$$;
grant execute on function public.delete_service_account_client(uuid) to authenticated;
comment on function public.delete_service_account_client(uuid) is 'Deletes an OAuth client of a service account that the caller manages; its tokens end at once.';
