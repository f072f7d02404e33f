-- Figures for monitoring: work that waits, that failed, and when each job last ended. Counted afresh at each
-- question, so every node tells the same; no text of anybody is in them.

create function private.work_figures() returns table (name text, label text, value double precision)
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
  select 'job_finished', r.job, extract(epoch from max(r.finished_at)) from private.job_rounds r group by r.job
  union all
  select 'job_failed', r.job, count(r.error) from private.job_rounds r where r.finished_at > now() - interval '1 day' group by r.job
  union all
  select 'database_bytes', null, pg_catalog.pg_database_size(pg_catalog.current_database())::double precision
$$;
grant execute on function private.work_figures() to kanbase_desk;

comment on function private.work_figures() is 'What waits, what failed within a day, and when jobs last went, as figures.';
