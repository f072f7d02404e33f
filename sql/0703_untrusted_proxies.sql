-- Addresses that send X-Forwarded-For without being named in TRUST_PROXY, so that the next start and `kanbase doctor` can say
-- so. A handful: the server notes few of them, and old ones go.

create table private.untrusted_proxies (
  address inet primary key,
  seen_at timestamptz not null default now()
);
alter table private.untrusted_proxies enable row level security;
revoke all on private.untrusted_proxies from public;
-- No policies and no grants: the functions below are the way in.

create function private.note_untrusted_proxy(address text) returns void
language sql security definer set search_path = '' as $$
  delete from private.untrusted_proxies where seen_at < now() - interval '7 days';
  insert into private.untrusted_proxies (address) select note_untrusted_proxy.address::inet
  where (select count(*) from private.untrusted_proxies) < 100
  on conflict on constraint untrusted_proxies_pkey do update set seen_at = now();
$$;

create function private.list_untrusted_proxies() returns table (address text, seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select host(p.address), p.seen_at from private.untrusted_proxies p
  where p.seen_at > now() - interval '7 days' order by p.seen_at desc
$$;

revoke all on function private.note_untrusted_proxy(text) from public;
revoke all on function private.list_untrusted_proxies() from public;
grant execute on function private.note_untrusted_proxy(text) to kanbase_limits;
grant execute on function private.list_untrusted_proxies() to kanbase_limits;

comment on table private.untrusted_proxies is 'Who forwards requests without being trusted to.';
