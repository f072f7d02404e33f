-- service_role passes row security where it has bypassrls, which only a superuser can give (since Postgres 16 also a role that has
-- it). Elsewhere a policy has to let it through: our tables bring theirs, yours get one here. Called after every migration.

create function private.let_service_role_see_all() returns setof text
language plpgsql volatile set search_path = '' as $$
declare
  closed regclass;
begin
  if not (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege or internal_error then
      null;
    end;
  end if;
  if (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    return;
  end if;
  -- Tables that were granted to it, by default or by name, and that no policy of their own speaks about.
  for closed in
    select c.oid from pg_catalog.pg_class c
    where c.relkind in ('r', 'p') and c.relrowsecurity and pg_catalog.pg_has_role(c.relowner, 'usage')
      and pg_catalog.has_table_privilege('service_role', c.oid, 'select, insert, update, delete')
      and not exists (
        select from pg_catalog.pg_policy p
        where p.polrelid = c.oid and 'service_role'::regrole = any (p.polroles)
      )
    order by c.oid
  loop
    execute format('create policy service_role_sees_all on %s to service_role using (true) with check (true)', closed);
    return next closed::text;
  end loop;
end
$$;
revoke all on function private.let_service_role_see_all() from public;

comment on function private.let_service_role_see_all() is 'Where service_role has no bypassrls: gives tables that were granted to it a policy that lets it through. Returns their names.';
