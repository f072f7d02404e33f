-- How many requests there were, and how many of them were errors, for the charts of the last day at the operator's desk. One row for each
-- quarter of an hour, to which every process of every node adds what it counted: no more than two hundred rows, whoever asks for how much.

create table private.request_counts (
  began_at timestamptz primary key,
  requests bigint not null,
  -- answered with 4xx, and with 5xx; both are among the requests
  refused bigint not null,
  failed bigint not null,
  constraint request_counts_quarters check (began_at = date_bin('15 minutes', began_at, 'epoch')),
  constraint request_counts_fit check (refused >= 0 and failed >= 0 and requests >= refused + failed)
);
alter table private.request_counts enable row level security;
-- No policies and no grants: the function below writes, private.desk_requests reads.

create function private.count_requests(began_at timestamptz, requests bigint, refused bigint, failed bigint) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.request_counts c where c.began_at < now() - interval '2 days';
  -- A clock that is ahead counts for now.
  insert into private.request_counts as c (began_at, requests, refused, failed)
  values (date_bin('15 minutes', least(count_requests.began_at, now()), 'epoch'), count_requests.requests, count_requests.refused, count_requests.failed)
  on conflict on constraint request_counts_pkey do update set requests = c.requests + excluded.requests, refused = c.refused + excluded.refused,
    failed = c.failed + excluded.failed
$$;
grant execute on function private.count_requests(timestamptz, bigint, bigint, bigint) to kanbase_desk;

-- The last 96 quarters, the one that goes on now among them; nobody asked anything in those that have no row.
create function private.desk_requests() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  latest constant timestamptz := date_bin('15 minutes', now(), 'epoch');
begin
  perform private.require_operator();
  return (
    select jsonb_build_object('minutes', 15, 'slots', jsonb_agg(jsonb_build_object('began_at', q.began_at, 'requests', coalesce(c.requests, 0),
      'refused', coalesce(c.refused, 0), 'failed', coalesce(c.failed, 0)) order by q.began_at))
    from generate_series(latest - 95 * interval '15 minutes', latest, interval '15 minutes') as q (began_at)
    left join private.request_counts c on c.began_at = q.began_at
  );
end
$$;
grant execute on function private.desk_requests() to kanbase_desk;

comment on table private.request_counts is 'Requests and errors of the last two days by quarters of an hour, of all processes together.';
comment on function private.count_requests(timestamptz, bigint, bigint, bigint) is 'Adds what a process counted since it last told.';
comment on function private.desk_requests() is 'Requests and errors of the last day by quarters of an hour.';
