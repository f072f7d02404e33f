-- State of the server on the admin pages: jobs, database, files, backups, email, requests, and the settings that operators change there.
-- Nothing of it is text that people wrote: statements end where the first value begins, and emails, which hold links that let people in, are
-- listed without their contents. Every procedure asks for an operator, except those that the server calls for itself.

-- Jobs --------------------------------------------------------------------------------------------------------------------

comment on table private.job_rounds is 'How the last round of each job of the server went, on each node.';

create or replace function private.record_job_run(job text, node text, seconds double precision, error text) returns void
language sql volatile security definer set search_path = '' as $$
  -- nodes that are gone, a week later
  delete from private.job_rounds r where r.finished_at < now() - interval '7 days';
  insert into private.job_rounds as r (job, node, started_at, error)
  values (record_job_run.job, left(record_job_run.node, 200), now() - make_interval(secs => greatest(seconds, 0)), left(record_job_run.error, 500))
  on conflict on constraint job_rounds_pkey do update set started_at = excluded.started_at, finished_at = now(), error = excluded.error
$$;
grant execute on function private.record_job_run(text, text, double precision, text) to kanbase_desk;
comment on function private.record_job_run(text, text, double precision, text) is 'Writes down how a round of a job went, just now.';

create or replace function private.admin_jobs() returns jsonb
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
        from public.task_recurrences r join public.projects p on p.id = r.project_id and p.archived_at is null and p.deleted_at is null
        where r.paused_at is null and not r.is_over and r.mode = 'calendar' and r.next_at <= now()
        union all
        select 5, 'copied_files', count(*), 0, min(f.made_at) from private.files_to_copy f
        union all
        select 6, 'removed_files', count(*), 0, min(f.removed_at) from private.removed_files f
        union all
        select 7, 'unclaimed_files', count(*), 0, min(f.due_at) filter (where f.due_at <= now()) from private.unclaimed_files f
        union all
        select 8, 'uploads', count(*), 0, min(u.expires_at) from private.resumable_uploads u where u.finished_at is null
        union all
        select 9, 'imports', count(*) filter (where j.state in ('waiting', 'running', 'undoing')), count(*) filter (where j.state = 'failed'),
          min(j.created_at) filter (where j.state in ('waiting', 'running', 'undoing'))
        from (
          select j.state, j.created_at from private.import_jobs j
          union all
          -- by the command
          select i.state, i.created_at from private.imports i where not exists (select from private.import_jobs j where j.import_id = i.id)
        ) j where j.state in ('waiting', 'running', 'undoing') or j.created_at > now() - interval '30 days'
        union all
        select 10, 'exports', count(*) filter (where e.state in ('waiting', 'running')), count(*) filter (where e.state = 'failed'),
          min(e.created_at) filter (where e.state in ('waiting', 'running'))
        from private.exports e
        union all
        select 11, 'deleted_projects', count(*), 0, min(p.deleted_at) from public.projects p where p.deleted_at is not null
        union all
        select 12, 'backups', count(*) filter (where b.finished_at is null), count(*) filter (where b.error is not null),
          min(b.started_at) filter (where b.finished_at is null)
        from private.backups b where b.started_at > now() - interval '7 days'
      ) q
    ),
    'latest', (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'job', l.job, 'what', l.what, 'state', l.state, 'done', l.done, 'total', l.total,
        'email', coalesce(u.email, ''), 'created_at', l.created_at, 'finished_at', l.finished_at) order by l.created_at desc, l.id), '[]')
      from (
        (select j.id, j.user_id, 'import' as job, j.product as what, j.state, coalesce(i.done, 0) as done, coalesce(i.total, 0) as total, j.created_at,
          case when j.state in ('done', 'cancelled', 'failed', 'undone') then j.updated_at end as finished_at
        from private.import_jobs j left join private.imports i on i.id = j.import_id
        where j.state <> 'ready' order by j.created_at desc limit 20)
        union all
        (select e.id, e.user_id, 'export', e.format, e.state, e.done, e.total, e.created_at, e.finished_at
        from private.exports e order by e.created_at desc limit 20)
        order by created_at desc limit 20
      ) l
      left join auth.users u on u.id = l.user_id
    ),
    'rounds', (
      select coalesce(jsonb_agg(jsonb_build_object('job', r.job, 'node', r.node, 'finished_at', r.finished_at,
        'seconds', round(extract(epoch from r.finished_at - r.started_at)::numeric, 3), 'error', r.error) order by r.job, r.node), '[]')
      from private.job_rounds r
    )
  );
end
$$;
grant execute on function private.admin_jobs() to kanbase_desk;
comment on function private.admin_jobs() is 'What waits to be done by the server, what failed, and how its rounds went.';

-- For monitoring: counted afresh at each request, so every node answers the same.
create or replace function private.work_figures() returns table (name text, label text, value double precision)
language sql stable security definer set search_path = '' as $$
  select 'mail', o.state, count(*)::double precision
  from private.outbox o where o.state in ('queued', 'failed') group by o.state
  union all
  select 'mail_oldest', null, coalesce(extract(epoch from now() - min(o.created_at)), 0)
  from private.outbox o where o.state = 'queued' and o.next_attempt_at <= now() + interval '6 hours'
  union all
  select 'notifications', d.way, count(*)
  from private.notification_deliveries d where d.due_at <= now() group by d.way
  union all
  select 'exports', e.state, count(*)
  from private.exports e where e.state in ('waiting', 'running', 'failed') and e.created_at > now() - interval '1 day' group by e.state
  union all
  select 'imports', j.state, count(*)
  from private.import_jobs j where j.state in ('waiting', 'running', 'undoing', 'failed') and j.updated_at > now() - interval '1 day' group by j.state
  union all
  select 'webhook_deliveries', d.state, count(*)
  from public.webhook_deliveries d where d.state = 'queued' group by d.state
  union all
  select 'webhook_deliveries', d.state, count(*)
  from public.webhook_deliveries d where d.state = 'failed' and d.created_at > now() - interval '1 day' group by d.state
  union all
  select 'job_finished', r.job, extract(epoch from max(r.finished_at)) from private.job_rounds r group by r.job
  union all
  select 'job_failed', r.job, count(r.error) from private.job_rounds r where r.finished_at > now() - interval '1 day' group by r.job
  union all
  select 'database_bytes', null, pg_catalog.pg_database_size(pg_catalog.current_database())::double precision
$$;
grant execute on function private.work_figures() to kanbase_desk;
comment on function private.work_figures() is 'What waits, what failed within a day, and when jobs last went, as figures.';

-- Database, files and backups ---------------------------------------------------------------------------------------------

-- Texts, comments and numbers may be what people wrote.
create or replace function private.statement_without_values(statement text) returns text
language sql immutable set search_path = '' as $$
  select left(regexp_replace(regexp_replace(regexp_replace(trim(statement), '(''|\$[A-Za-z_]*\$|--|/\*).*$', '…'),
    '(?<![$\w.])\d[\d.]*', '…', 'g'), '\s+', ' ', 'g'), 500)
$$;
comment on function private.statement_without_values(text) is 'A statement up to its first text or comment, without its numbers.';

create or replace function private.slow_statements() returns jsonb
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
      select private.statement_without_values(s.query) as text, s.calls, round(s.mean_exec_time::numeric, 2) as mean_ms,
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
comment on function private.slow_statements() is 'What pg_stat_statements says is slow; null where it is not there.';

-- Read above all when something is stuck, so it must not wait behind it: tables that are locked exclusively are not measured.
create or replace function private.admin_database() returns jsonb
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
          private.statement_without_values(a.query) as text
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
          private.statement_without_values(a.query) as text
        from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
        where not l.granted limit 50
      ) l
    ),
    'slots', (
      select coalesce(jsonb_agg(jsonb_build_object('name', s.slot_name, 'active', s.active, 'temporary', s.temporary, 'state', coalesce(s.wal_status, ''),
        'behind', case when not pg_is_in_recovery() then pg_current_wal_lsn() - s.restart_lsn end) order by s.slot_name), '[]')
      from pg_catalog.pg_replication_slots s
    ),
    -- Files alone: sets of rules are noted beside them, by their checksum.
    'migrations', jsonb_build_object(
      'applied', (select count(*) from private.migrations where origin <> 'rules'),
      'latest', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.applied_at desc, m.name desc), '[]')
        from (select m.origin, m.name, m.applied_at from private.migrations m where m.origin <> 'rules' order by m.applied_at desc, m.name desc limit 5) m
      )
    )
  );
end
$$;
grant execute on function private.admin_database() to kanbase_desk;
comment on function private.admin_database() is 'The database: size, tables, slow statements, locks, slots, migrations.';

create or replace function private.admin_files() returns jsonb
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
grant execute on function private.admin_files() to kanbase_desk;
comment on function private.admin_files() is 'How many files there are in each bucket, and how many bytes.';

create or replace function private.admin_backups() returns jsonb
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
grant execute on function private.admin_backups() to kanbase_desk;
comment on function private.admin_backups() is 'The last backups, and the last good one.';

-- Email -------------------------------------------------------------------------------------------------------------------

create or replace function private.admin_emails(words text, state text, before timestamptz, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return jsonb_build_object(
    'counts', (
      select coalesce(jsonb_object_agg(c.state, c.n), '{}') from (select o.state, count(*) as n from private.outbox o group by o.state) c
    ),
    'mails', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at desc, m.id), '[]') from (
        select o.id, o.kind, o.recipient, o.state, o.attempts, o.created_at, o.finished_at, o.last_error,
          case when o.state = 'queued' then o.next_attempt_at end as next_attempt_at, o.data <> '{}' as can_be_sent
        from private.outbox o
        where (admin_emails.state = '' or o.state = admin_emails.state) and (before is null or o.created_at < before)
          and (o.recipient ilike pattern or o.kind ilike pattern or o.last_error ilike pattern)
        order by o.created_at desc, o.id limit least(greatest(size, 1), 200)
      ) m
    )
  );
end
$$;
grant execute on function private.admin_emails(text, text, timestamptz, integer) to kanbase_desk;
comment on function private.admin_emails(text, text, timestamptz, integer) is 'Mails by words of recipient, kind or reason, newest first; not what they say.';

create or replace function private.admin_email(mail uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  found jsonb;
begin
  perform private.require_operator();
  select jsonb_build_object('id', o.id, 'state', o.state, 'attempts', o.attempts, 'last_error', o.last_error) into found
  from private.outbox o where o.id = mail;
  if found is null then
    perform private.refuse('PT404', 'There is no such mail', 'Mails that are done go after MAIL_KEPT_DAYS.');
  end if;
  return found;
end
$$;
grant execute on function private.admin_email(uuid) to kanbase_desk;
comment on function private.admin_email(uuid) is 'What became of one mail.';

-- Null: every email that failed.
create or replace function private.admin_resend_email(mail uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject private.outbox;
  sent int;
begin
  if mail is not null then
    select o.* into subject from private.outbox o where o.id = mail for update;
    if subject.id is null then
      perform private.refuse('PT404', 'There is no such mail', 'Mails that are done go after MAIL_KEPT_DAYS.');
    elsif subject.data = '{}' then
      perform private.refuse('PT409', 'What this mail said is not kept any more', 'Have it asked for again where it came from.');
    -- While one is being delivered it looks as if it waited for these five minutes: it must not leave twice.
    elsif subject.state = 'queued' and subject.next_attempt_at <= now() + interval '5 minutes' then
      perform private.refuse('PT409', 'This mail is tried again by itself within minutes', 'Wait for it.');
    end if;
  end if;
  update private.outbox o set state = 'queued', attempts = 0, next_attempt_at = now(), finished_at = null
  where case when mail is null then o.state = 'failed' else o.id = mail end and o.data <> '{}';
  get diagnostics sent = row_count;
  perform pg_notify('kanbase_mail', '');
  perform private.write_admin_log(operator, 'mail_sent_again', mail, coalesce(subject.recipient, ''),
    jsonb_strip_nulls(jsonb_build_object('kind', subject.kind, 'mails', sent)));
  return sent;
end
$$;
grant execute on function private.admin_resend_email(uuid) to kanbase_desk;
comment on function private.admin_resend_email(uuid) is 'Puts a mail, or all that failed, into the queue again; how many.';

-- To the operator's own address only: the admin pages are no way to write to strangers.
create or replace function private.admin_send_test_email() returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  perform private.write_admin_log(operator, 'test_mail_sent', operator.id, operator.email, null);
  return private.queue_mail('test', operator.email, jsonb_build_object('email', operator.email));
end
$$;
grant execute on function private.admin_send_test_email() to kanbase_desk;
comment on function private.admin_send_test_email() is 'Queues a mail to the operator who asks.';

-- Requests: one row for each quarter of an hour, to which every process of every node adds its counts ---------------------

comment on table private.request_counts is 'Requests and errors of the last two days by quarters of an hour, of all processes together.';

create or replace function private.count_requests(began_at timestamptz, requests bigint, refused bigint, failed bigint) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.request_counts c where c.began_at < now() - interval '2 days';
  -- A clock that is ahead counts for now.
  insert into private.request_counts as c (began_at, requests, refused, failed)
  values (date_bin('15 minutes', least(count_requests.began_at, now()), 'epoch'), count_requests.requests, count_requests.refused, count_requests.failed)
  on conflict on constraint request_counts_pkey do update set requests = c.requests + excluded.requests, refused = c.refused + excluded.refused,
    failed = c.failed + excluded.failed
$$;
grant execute on function private.count_requests(timestamptz, bigint, bigint, bigint) to kanbase_desk;
comment on function private.count_requests(timestamptz, bigint, bigint, bigint) is 'Adds what a process counted since it last told.';

-- The last 96 quarters, the current one among them; those without a row had no requests.
create or replace function private.admin_requests() returns jsonb
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
grant execute on function private.admin_requests() to kanbase_desk;
comment on function private.admin_requests() is 'Requests and errors of the last day by quarters of an hour.';

-- Settings: sign-up, email and backups. Flags and the environment, which each node has of its own, go before them ---------

comment on table private.server_settings is 'Settings that operators have changed at the admin pages; flags and the environment go before them.';
comment on column private.server_settings.sealed is 'The value of a secret, sealed with a key of the server''s.';

create or replace function private.read_server_settings() returns table (name text, value text, sealed text)
language sql stable security definer set search_path = '' as $$
  select s.name, s.value, s.sealed from private.server_settings s
$$;
grant execute on function private.read_server_settings() to kanbase_desk;
comment on function private.read_server_settings() is 'The settings that operators have changed, for the server.';

-- Neither value nor sealed: the change is taken back. Secrets are sealed with a key of the server's, so that they cannot be read here.
create or replace function private.admin_change_setting(name text, value text, sealed text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  taken_away constant boolean := num_nonnulls(value, sealed) = 0;
begin
  if taken_away then
    delete from private.server_settings s where s.name = admin_change_setting.name;
  else
    insert into private.server_settings as s (name, value, sealed)
    values (admin_change_setting.name, admin_change_setting.value, admin_change_setting.sealed)
    on conflict on constraint server_settings_pkey
      do update set value = excluded.value, sealed = excluded.sealed, updated_at = now();
  end if;
  perform private.write_admin_log(operator, case when taken_away then 'setting_reset' else 'setting_changed' end, null, admin_change_setting.name,
    jsonb_strip_nulls(jsonb_build_object('value', admin_change_setting.value)));
  perform pg_notify('kanbase_settings', '');
  return true;
end
$$;
grant execute on function private.admin_change_setting(text, text, text) to kanbase_desk;
comment on function private.admin_change_setting(text, text, text) is 'Changes a setting of the server, or takes the change back, and writes that into the log.';
