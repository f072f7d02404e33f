-- Service accounts and OAuth clients on the admin pages: all of the server, searched, a page at a time. Keys: access/keys.sql. Clients are made, changed
-- and removed by the identity door (server/admin/mount-clients.ts).

create or replace function private.admin_service_accounts(words text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    with found as (
      select s.id, f.display_name as name, s.created_at, o.email as owner_email, p.name as project_name, p.id as project_id,
        coalesce(u.banned_until > now(), false) as is_disabled
      from public.service_accounts s
      join auth.users u on u.id = s.id
      left join public.profiles f on f.id = s.id
      left join auth.users o on o.id = s.owner_id
      left join public.projects p on p.id = s.project_id
      where pattern = '%%' or f.display_name ilike pattern or o.email ilike pattern or p.name ilike pattern or s.id::text = trim(words)
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 200) offset greatest(skip, 0)
    )
    select jsonb_build_object('total', (select count(*) from found), 'accounts', (
      select coalesce(jsonb_agg(to_jsonb(page) || jsonb_build_object(
        'projects', (select count(*) from public.project_members m where m.user_id = page.id),
        'keys', (select count(*) from public.api_keys k where k.user_id = page.id and private.is_open_key(k)),
        'clients', (select count(*) from auth.oauth_clients c where c.service_account_id = page.id)
      ) order by page.created_at desc, page.id), '[]') from page
    ))
  );
end
$$;
grant execute on function private.admin_service_accounts(text, integer, integer) to kanbase_desk;
comment on function private.admin_service_accounts(text, integer, integer) is 'Service accounts by words of name, owner or project, newest first, for operators.';

create or replace function private.admin_end_service_account(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  called text;
begin
  select coalesce(f.display_name, '') into called
  from public.service_accounts s left join public.profiles f on f.id = s.id where s.id = account for update of s;
  if not found then
    perform private.refuse('PT404', 'There is no such service account', 'Somebody may have deleted it already.');
  end if;
  perform private.write_admin_log(operator, 'service_account_deleted', account, called, null);
  perform private.end_service_account(account);
end
$$;
grant execute on function private.admin_end_service_account(uuid) to kanbase_desk;
comment on function private.admin_end_service_account(uuid) is 'Ends a service account, for operators.';

create or replace function private.admin_clients(words text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    with found as (
      select c.* from auth.oauth_clients c
      where pattern = '%%' or c.client_name ilike pattern or c.metadata_url ilike pattern or c.id::text = trim(words)
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 200) offset greatest(skip, 0)
    )
    select jsonb_build_object('total', (select count(*) from found), 'clients', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.client_name, 'address', c.metadata_url, 'registration', c.registration_type,
        'is_confidential', c.secret_hash is not null, 'redirect_uris', c.redirect_uris, 'created_at', c.created_at,
        'service_account', (select coalesce(f.display_name, '') from public.profiles f where f.id = c.service_account_id),
        'people', case when c.service_account_id is null then (select count(*) from auth.oauth_grants g where g.client_id = c.id) end,
        'last_used_at', (select max(g.last_used_at) from auth.oauth_grants g where g.client_id = c.id)
      ) order by c.created_at desc, c.id), '[]') from page c
    ))
  );
end
$$;
grant execute on function private.admin_clients(text, integer, integer) to kanbase_desk;
comment on function private.admin_clients(text, integer, integer) is 'OAuth clients by words of their name or address, newest first, for operators.';

create or replace function private.admin_client_name(client uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  called text;
begin
  perform private.require_operator();
  select c.client_name into called from auth.oauth_clients c where c.id = client;
  if not found then
    perform private.refuse('PT404', 'There is no such client', 'Somebody may have deleted it already.');
  end if;
  return called;
end
$$;
grant execute on function private.admin_client_name(uuid) to kanbase_desk;
comment on function private.admin_client_name(uuid) is 'Name of one OAuth client, for operators.';
