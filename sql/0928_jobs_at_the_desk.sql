-- Exports and imports that people begin stand among the jobs of the desk: how many wait, how many failed, and the last of them with whose they are. Names of files,
-- projects and what went wrong with which row are theirs.

create or replace function private.desk_jobs() returns jsonb
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
