-- The state of the server at the desk: the database, the files, the backups, and what the server does by itself. Nothing of it is what
-- somebody wrote: texts of statements end where the first value begins.

-- What the server does by itself ---------------------------------------------------------------------------------------------

-- How the last round of each job went, on each node.
create table private.job_rounds (
  job text not null,
  node text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  error text,
  primary key (job, node),
  constraint job_rounds_job_is_a_word check (job ~ '^[a-z][a-z_]{0,62}$'),
  constraint job_rounds_lengths check (char_length(node) between 1 and 200 and char_length(error) <= 500)
);
create index job_rounds_finished_at_idx on private.job_rounds (finished_at);
alter table private.job_rounds enable row level security;
-- No policies and no grants: the function below writes, private.desk_jobs reads.

create function private.note_job_round(job text, node text, seconds double precision, error text) returns void
language sql volatile security definer set search_path = '' as $$
  -- nodes that are gone, a week later
  delete from private.job_rounds r where r.finished_at < now() - interval '7 days';
  insert into private.job_rounds as r (job, node, started_at, error)
  values (note_job_round.job, left(note_job_round.node, 200), now() - make_interval(secs => greatest(seconds, 0)), left(note_job_round.error, 500))
  on conflict on constraint job_rounds_pkey do update set started_at = excluded.started_at, finished_at = now(), error = excluded.error
$$;
grant execute on function private.note_job_round(text, text, double precision, text) to kanbase_desk;

-- What waits, what failed, and how the rounds went.
create function private.desk_jobs() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'queues', (
      select jsonb_agg(jsonb_build_object('name', q.name, 'waiting', q.waiting, 'failed', q.failed, 'oldest', q.oldest) order by q.place)
      from (
        select 1 as place, 'mail' as name, count(*) filter (where o.state = 'queued') as waiting,
          count(*) filter (where o.state = 'failed') as failed, min(o.created_at) filter (where o.state = 'queued') as oldest
        from private.outbox o
        union all
        select 2, 'mail_of_notifications', count(*), 0, min(d.due_at) filter (where d.due_at <= now())
        from private.notification_deliveries d where d.way in ('mail', 'daily')
        union all
        select 3, 'push', count(*), 0, min(d.due_at) filter (where d.due_at <= now())
        from private.notification_deliveries d where d.way = 'push'
        union all
        select 4, 'recurrences', count(*), 0, min(r.next_at)
        from public.task_recurrences r where r.paused_at is null and not r.is_over and r.mode = 'calendar' and r.next_at <= now()
        union all
        select 5, 'copied_files', count(*), 0, min(f.made_at) from private.files_to_copy f
        union all
        select 6, 'removed_files', count(*), 0, min(f.removed_at) from private.removed_files f
        union all
        select 7, 'unclaimed_files', count(*), 0, min(f.due_at) filter (where f.due_at <= now()) from private.unclaimed_files f
        union all
        select 8, 'uploads', count(*), 0, min(u.expires_at) from private.resumable_uploads u where u.finished_at is null
        union all
        select 9, 'imports', count(*) filter (where i.state = 'running'), count(*) filter (where i.state = 'failed'),
          min(i.created_at) filter (where i.state = 'running')
        from private.imports i where i.state in ('running', 'failed') and i.created_at > now() - interval '30 days'
        union all
        select 10, 'backups', count(*) filter (where b.finished_at is null), count(*) filter (where b.error is not null),
          min(b.started_at) filter (where b.finished_at is null)
        from private.backups b where b.started_at > now() - interval '7 days'
      ) q
    ),
    'rounds', (
      select coalesce(jsonb_agg(jsonb_build_object('job', r.job, 'node', r.node, 'finished_at', r.finished_at,
        'seconds', round(extract(epoch from r.finished_at - r.started_at)::numeric, 3), 'error', r.error) order by r.job, r.node), '[]')
      from private.job_rounds r
    )
  );
end
$$;
grant execute on function private.desk_jobs() to kanbase_desk;

-- The database ---------------------------------------------------------------------------------------------------------------

-- A statement up to its first text or comment, and without its numbers: what people wrote may stand there.
create function private.without_values(statement text) returns text
language sql immutable set search_path = '' as $$
  select left(regexp_replace(regexp_replace(regexp_replace(trim(statement), '(''|\$[A-Za-z_]*\$|--|/\*).*$', '…'),
    '(?<![$\w.])\d[\d.]*', '…', 'g'), '\s+', ' ', 'g'), 500)
$$;

-- Null where pg_stat_statements is not there, or Postgres was not started with it.
create function private.slow_statements() returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  place text;
  found jsonb;
begin
  select n.nspname into place from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements';
  if place is null then
    return null;
  end if;
  execute format($q$
    select coalesce(jsonb_agg(to_jsonb(s) order by s.mean_ms desc), '[]') from (
      select private.without_values(s.query) as text, s.calls, round(s.mean_exec_time::numeric, 2) as mean_ms,
        round(s.max_exec_time::numeric, 2) as max_ms, round((s.total_exec_time / 1000)::numeric, 1) as total_seconds
      from %I.pg_stat_statements s
      where s.dbid = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()) and s.query not ilike '%%pg_stat_statements%%'
      order by s.mean_exec_time desc limit 20
    ) s $q$, place) into found;
  return found;
exception when object_not_in_prerequisite_state or insufficient_privilege or undefined_column or undefined_table then
  return null;
end
$$;

-- Asked above all when something is stuck: it must not queue up behind it. Measuring a table waits for whoever has it to themselves, so those
-- are left out.
create function private.desk_database() returns jsonb
language plpgsql stable security definer set search_path = '' set lock_timeout = '1s' as $$
declare
  here constant oid := (select d.oid from pg_catalog.pg_database d where d.datname = current_database());
begin
  perform private.require_operator();
  return jsonb_build_object(
    'version', current_setting('server_version'),
    'started_at', pg_postmaster_start_time(),
    'bytes', pg_database_size(here),
    'connections', (select count(*) from pg_catalog.pg_stat_activity a where a.datid = here and coalesce(a.backend_type, 'client backend') = 'client backend'),
    'most_connections', current_setting('max_connections')::int,
    'sees_others', pg_has_role(current_user, 'pg_read_all_stats', 'usage'),
    'tables', (
      select coalesce(jsonb_agg(to_jsonb(t) order by t.bytes desc, t.name), '[]') from (
        select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows,
          pg_stat_get_dead_tuples(c.oid) as dead
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'm') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and not exists (
          select from pg_catalog.pg_locks l where l.database = here and l.mode = 'AccessExclusiveLock' and (l.relation in (c.oid, c.reltoastrelid)
            or l.relation = any (array(select i.indexrelid from pg_catalog.pg_index i where i.indrelid = c.oid)))
        )
        order by 2 desc limit 15
      ) t
    ),
    'statements', private.slow_statements(),
    'running', (
      select coalesce(jsonb_agg(to_jsonb(r) order by r.since), '[]') from (
        select a.pid, coalesce(a.usename::text, '') as role, coalesce(a.state, '') as state, a.query_start as since,
          private.without_values(a.query) as text
        from pg_catalog.pg_stat_activity a
        where a.datid = here and a.pid <> pg_backend_pid() and a.state <> 'idle' and a.query_start < now() - interval '1 second'
          and a.backend_type = 'client backend'
        order by a.query_start limit 20
      ) r
    ),
    'locks', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.since, l.pid), '[]') from (
        select l.pid, coalesce(a.usename::text, '') as role, l.mode, l.waitstart as since, to_jsonb(pg_blocking_pids(l.pid)) as waits_for,
          case when l.database = here then coalesce(l.relation::regclass::text, '') else '' end as relation,
          private.without_values(a.query) as text
        from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
        where not l.granted limit 50
      ) l
    ),
    'slots', (
      select coalesce(jsonb_agg(jsonb_build_object('name', s.slot_name, 'active', s.active, 'temporary', s.temporary, 'state', coalesce(s.wal_status, ''),
        'behind', case when not pg_is_in_recovery() then pg_current_wal_lsn() - s.restart_lsn end) order by s.slot_name), '[]')
      from pg_catalog.pg_replication_slots s
    ),
    'migrations', jsonb_build_object(
      'applied', (select count(*) from private.migrations),
      'latest', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.applied_at desc, m.name desc), '[]')
        from (select m.origin, m.name, m.applied_at from private.migrations m order by m.applied_at desc, m.name desc limit 5) m
      )
    )
  );
end
$$;
grant execute on function private.desk_database() to kanbase_desk;

-- Files and backups ----------------------------------------------------------------------------------------------------------

create function private.desk_files() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return (
    select jsonb_build_object('buckets', coalesce(jsonb_agg(to_jsonb(b) order by b.bytes desc, b.name), '[]'))
    from (
      select b.name, count(o.id) as files, coalesce(sum((o.metadata ->> 'size')::bigint), 0) as bytes
      from storage.buckets b left join storage.objects o on o.bucket_id = b.id group by b.id
    ) b
  );
end
$$;
grant execute on function private.desk_files() to kanbase_desk;

create function private.desk_backups() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'last_good', (select to_jsonb(b) from private.backups b where b.file is not null order by b.due_at desc limit 1),
    'latest', (
      select coalesce(jsonb_agg(to_jsonb(b) order by b.due_at desc), '[]')
      from (select * from private.backups b order by b.due_at desc limit 7) b
    )
  );
end
$$;
grant execute on function private.desk_backups() to kanbase_desk;

comment on table private.job_rounds is 'How the last round of each job of the server went, on each node.';
comment on function private.note_job_round(text, text, double precision, text) is 'Writes down how a round of a job went, just now.';
comment on function private.desk_jobs() is 'What waits to be done by the server, what failed, and how its rounds went.';
comment on function private.without_values(text) is 'A statement up to its first text or comment, without its numbers.';
comment on function private.slow_statements() is 'What pg_stat_statements says is slow; null where it is not there.';
comment on function private.desk_database() is 'The database: size, tables, slow statements, locks, slots, migrations.';
comment on function private.desk_files() is 'How many files there are in each bucket, and how many bytes.';
comment on function private.desk_backups() is 'The last backups, and the last good one.';
