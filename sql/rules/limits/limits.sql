-- Limits that several nodes share: token buckets for requests, work budgets of people, and proxies that forward requests without being named in
-- TRUST_PROXY. Counts are not logged: losing them in a crash loses a few minutes of counting, or gives everybody a fresh budget.

-- Token buckets -----------------------------------------------------------------------------------------------------------

comment on table private.limits is 'Token buckets shared by the nodes.';

create or replace function private.tokens_after_refill(l private.limits, most int, rate double precision, at timestamptz) returns double precision
language sql immutable set search_path = '' as $$
  select least(most, l.points + greatest(extract(epoch from at - l.read_at), 0) * rate)
$$;

create or replace function private.take_token(bucket text, most integer, window_seconds integer) returns double precision
language plpgsql security definer set search_path = '' as $$
declare
  rate double precision := most / window_seconds::double precision;
  now_at timestamptz := clock_timestamp();
  bucket_now private.limits;
begin
  insert into private.limits as l (key, points, read_at, full_at)
  values (bucket, most - 1, now_at, now_at + make_interval(secs => window_seconds))
  on conflict (key) do update set
    allowed = private.tokens_after_refill(l, most, rate, now_at) >= 1,
    points = private.tokens_after_refill(l, most, rate, now_at) - (private.tokens_after_refill(l, most, rate, now_at) >= 1)::int,
    read_at = now_at,
    full_at = now_at + make_interval(secs => window_seconds)
  returning * into bucket_now;
  if random() < 0.01 then
    delete from private.limits where key in (
      select key from private.limits where full_at < now_at - interval '1 minute' for update skip locked
    );
  end if;
  return case when bucket_now.allowed then 0 else (1 - bucket_now.points) / rate end;
end
$$;
grant execute on function private.take_token(text, integer, integer) to kanbase_limits;
comment on function private.take_token(text, integer, integer) is 'Takes a point; seconds to wait when there was none.';

create or replace function private.seconds_until_token(bucket text, most int, window_seconds int) returns double precision
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select case when left_over >= 1 then 0 else (1 - left_over) * window_seconds / most end
      from private.limits l, private.tokens_after_refill(l, most, most / window_seconds::double precision, clock_timestamp()) left_over
      where l.key = bucket
    ),
    0
  )
$$;
grant execute on function private.seconds_until_token(text, integer, integer) to kanbase_limits;
comment on function private.seconds_until_token(text, integer, integer) is 'Seconds to wait for a point, 0 when there is one; takes none.';

-- For a request that turned out not to count.
create or replace function private.return_token(bucket text, most int) returns void
language sql security definer set search_path = '' as $$
  update private.limits l set points = least(most, l.points + 1) where l.key = bucket
$$;
grant execute on function private.return_token(text, integer) to kanbase_limits;
comment on function private.return_token(text, integer) is 'Gives a point back.';

-- Work budgets (server/limits/budget.ts) ----------------------------------------------------------------------------------

comment on table private.work_budgets is 'Milliseconds of work each person used, shared by the nodes.';

-- `refill`: milliseconds that come back each millisecond.
create or replace function private.charge_budgets(charges jsonb, refill double precision)
returns table (person text, spent double precision)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_at constant timestamptz := clock_timestamp();
begin
  if random() < 0.01 then
    delete from private.work_budgets b where b.charged_at < now_at - interval '1 hour';
  end if;
  return query
    insert into private.work_budgets as b (person, spent, charged_at)
    -- in one order, so that two nodes never wait for each other
    select c.key, c.value::double precision, now_at from jsonb_each_text(charges) c order by c.key
    on conflict (person) do update set
      spent = greatest(0, b.spent - greatest(extract(epoch from now_at - b.charged_at), 0) * 1000 * refill) + excluded.spent,
      charged_at = now_at
    returning b.person, b.spent;
end
$$;
grant execute on function private.charge_budgets(jsonb, double precision) to kanbase_limits;
comment on function private.charge_budgets(jsonb, double precision) is 'Adds charges by person; answers what each has used on all nodes.';

-- Proxies: a handful, for the next start and `kanbase doctor`; old ones go ------------------------------------------------

comment on table private.untrusted_proxies is 'Who forwards requests without being trusted to.';
comment on column private.untrusted_proxies.silent is 'It does not say for whom it asks.';

create or replace function private.record_untrusted_proxy(address text, silent boolean) returns void
language sql security definer set search_path = '' as $$
  delete from private.untrusted_proxies where seen_at < now() - interval '7 days';
  insert into private.untrusted_proxies (address, silent) select record_untrusted_proxy.address::inet, record_untrusted_proxy.silent
  where (select count(*) from private.untrusted_proxies) < 100
  on conflict on constraint untrusted_proxies_pkey do update set seen_at = now(), silent = excluded.silent;
$$;
grant execute on function private.record_untrusted_proxy(text, boolean) to kanbase_limits;

create or replace function private.read_untrusted_proxies() returns table (address text, silent boolean, seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select host(p.address), p.silent, p.seen_at from private.untrusted_proxies p
  where p.seen_at > now() - interval '7 days' order by p.seen_at desc
$$;
grant execute on function private.read_untrusted_proxies() to kanbase_limits;

create or replace function private.delete_untrusted_proxy(address text) returns void
language sql security definer set search_path = '' as $$
  delete from private.untrusted_proxies p where p.address = delete_untrusted_proxy.address::inet;
$$;
grant execute on function private.delete_untrusted_proxy(text) to kanbase_limits;
