-- Signed addresses of one object, ended before their time. A grant is of all objects at a place; this names one of them, for everybody's
-- addresses or for those of one person, and the moment up to which they were made.

create table private.ended_links (
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- null: everybody's
  user_id uuid references auth.users (id) on delete cascade,
  ended_at timestamptz not null default clock_timestamp(),
  constraint ended_links_one_per_object unique nulls not distinct (bucket_id, name, user_id)
);
create index ended_links_user_id_idx on private.ended_links (user_id);
create index ended_links_ended_at_idx on private.ended_links (ended_at);
alter table private.ended_links enable row level security;
-- No policies and no grants: the functions below read and write it.
comment on table private.ended_links is 'Objects whose signed addresses up to a moment open nothing any more.';

create function private.end_links_to(bucket text, path text, person uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.ended_links as e (bucket_id, name, user_id) values (bucket, path, person)
  on conflict on constraint ended_links_one_per_object do update set ended_at = clock_timestamp()
$$;
grant execute on function private.end_links_to(text, text, uuid) to kanbase_files;
comment on function private.end_links_to(text, text, uuid) is 'Ends the signed addresses of an object that were made so far: of a person, or everybody''s.';

-- What a signed address is asked: ended, open, or open and not noted as used for an hour. `of_grant` is null where a key signed, not a person.
create function private.state_of_link(of_grant uuid, bucket text, path text, signed_at bigint) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when of_grant is not null and not private.is_grant_open(of_grant) then 'ended'
    when exists (
      select from private.ended_links e
      where e.bucket_id = bucket and e.name = path and e.ended_at >= to_timestamp(signed_at / 1000000.0)
        and (e.user_id is null or e.user_id = g.user_id)
    ) then 'ended'
    when g.last_used_at < now() - interval '1 hour' or (g.id is not null and g.last_used_at is null) then 'unnoted'
    else 'open'
  end
  from (select of_grant) as asked left join public.access_grants g on g.id = asked.of_grant
$$;
grant execute on function private.state_of_link(uuid, text, text, bigint) to kanbase_files;
comment on function private.state_of_link(uuid, text, text, bigint) is 'Whether a signed address still opens its object: its grant does, and nobody has ended it.';

create function private.sweep_ended_links(longest_seconds bigint) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.ended_links e where e.ended_at < now() - make_interval(secs => longest_seconds)
$$;
grant execute on function private.sweep_ended_links(bigint) to kanbase_files;
comment on function private.sweep_ended_links(bigint) is 'Forgets objects whose ended addresses have all expired.';
