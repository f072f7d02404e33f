-- Providers of sign-in that were entered by the API for administrators, as operators see them: no secret, and of addresses the host.

create or replace function private.admin_custom_providers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('identifier', p.identifier, 'name', p.name, 'is_enabled', p.enabled,
      'host', private.host_of(coalesce(p.issuer, p.authorization_url)),
      'people', (select count(distinct i.user_id) from auth.identities i where i.provider = p.identifier)) order by p.name, p.identifier), '[]')
    from auth.custom_oauth_providers p
  );
end
$$;
grant execute on function private.admin_custom_providers() to kanbase_desk;
comment on function private.admin_custom_providers() is 'Custom providers of sign-in, with how many people use each.';
