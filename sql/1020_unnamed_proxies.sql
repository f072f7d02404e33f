-- Proxies noticed in front of the server: also those that forward without saying for whom, and how one that was mended is forgotten.

alter table private.untrusted_proxies add column silent boolean not null default false;

create function private.note_proxy(address text, silent boolean) returns void
language sql security definer set search_path = '' as $$
  delete from private.untrusted_proxies where seen_at < now() - interval '7 days';
  insert into private.untrusted_proxies (address, silent) select note_proxy.address::inet, note_proxy.silent
  where (select count(*) from private.untrusted_proxies) < 100
  on conflict on constraint untrusted_proxies_pkey do update set seen_at = now(), silent = excluded.silent;
$$;

create function private.list_proxies() returns table (address text, silent boolean, seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select host(p.address), p.silent, p.seen_at from private.untrusted_proxies p
  where p.seen_at > now() - interval '7 days' order by p.seen_at desc
$$;

create function private.forget_proxy(address text) returns void
language sql security definer set search_path = '' as $$
  delete from private.untrusted_proxies p where p.address = forget_proxy.address::inet;
$$;

revoke all on function private.note_proxy(text, boolean) from public;
revoke all on function private.list_proxies() from public;
revoke all on function private.forget_proxy(text) from public;
grant execute on function private.note_proxy(text, boolean) to kanbase_limits;
grant execute on function private.list_proxies() to kanbase_limits;
grant execute on function private.forget_proxy(text) to kanbase_limits;

comment on column private.untrusted_proxies.silent is 'It does not say for whom it asks.';
