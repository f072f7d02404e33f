-- How many requests someone made, when several nodes count together: token buckets. Losing them in a crash loses a few
-- minutes of counting, so they are not logged.

select private.add_room_role('kanbase_limits');
grant usage on schema private to kanbase_limits;

create unlogged table private.limits (
  key text primary key,
  points double precision not null,
  allowed boolean not null default true, -- the answer to the last request
  read_at timestamptz not null default clock_timestamp(),
  full_at timestamptz not null
);

create index limits_full_at_idx on private.limits (full_at);

alter table private.limits enable row level security;
revoke all on private.limits from public;
-- No grants and no policies: only take_point touches it.

create function private.refilled(l private.limits, most int, rate double precision, at timestamptz)
returns double precision
language sql immutable set search_path = '' as $$
  select least(most, l.points + greatest(extract(epoch from at - l.read_at), 0) * rate)
$$;

-- Takes one point; answers how many seconds to wait for the next one, 0 when there was one left.
create function private.take_point(bucket text, most int, window_seconds int) returns double precision
language plpgsql
security definer
set search_path = ''
as $$
declare
  rate double precision := most / window_seconds::double precision;
  now_at timestamptz := clock_timestamp();
  bucket_now private.limits;
begin
  insert into private.limits as l (key, points, read_at, full_at)
  values (bucket, most - 1, now_at, now_at + make_interval(secs => window_seconds))
  on conflict (key) do update set
    allowed = private.refilled(l, most, rate, now_at) >= 1,
    points = private.refilled(l, most, rate, now_at) - (private.refilled(l, most, rate, now_at) >= 1)::int,
    read_at = now_at,
    full_at = now_at + make_interval(secs => window_seconds)
  returning * into bucket_now;
  if random() < 0.01 then
    delete from private.limits where full_at < now_at - interval '1 minute';
  end if;
  return case when bucket_now.allowed then 0 else (1 - bucket_now.points) / rate end;
end
$$;

-- The same without taking it.
create function private.look_for_point(bucket text, most int, window_seconds int) returns double precision
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select case when left_over >= 1 then 0 else (1 - left_over) * window_seconds / most end
      from private.limits l, private.refilled(l, most, most / window_seconds::double precision, clock_timestamp()) left_over
      where l.key = bucket
    ),
    0
  )
$$;

-- One back, for what turned out not to count.
create function private.give_point(bucket text, most int) returns void
language sql security definer set search_path = '' as $$
  update private.limits l set points = least(most, l.points + 1) where l.key = bucket
$$;

revoke all on function private.give_point(text, int) from public;
grant execute on function private.give_point(text, int) to kanbase_limits;
comment on function private.give_point(text, int) is 'Gives a point back.';

revoke all on function private.look_for_point(text, int, int) from public;
grant execute on function private.look_for_point(text, int, int) to kanbase_limits;
comment on function private.look_for_point(text, int, int) is 'Seconds to wait for a point, 0 when there is one; takes none.';

revoke all on function private.take_point(text, int, int) from public;
grant execute on function private.take_point(text, int, int) to kanbase_limits;

comment on table private.limits is 'Token buckets shared by the nodes.';
comment on function private.take_point(text, int, int) is 'Takes a point; seconds to wait when there was none.';
