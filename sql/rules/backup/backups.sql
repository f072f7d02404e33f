-- Scheduled backups: one row a due moment, so that of several nodes one makes it, with its file or the error.
-- Operators are told of a failed one in their inbox, by email and by push: once in twenty hours at most, and outside the kinds that people
-- choose in their notification settings.

comment on table private.backups is 'Backups by schedule, one row a due moment; `error` says why one failed.';

create or replace function private.notify_of_failed_backup(due_at timestamptz, reason text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  told uuid[];
begin
  with operators as materialized (
    select u.id, u.email, u.email_confirmed_at is not null as has_mail, private.uuid_v7() as entry
    from auth.users u
    where u.is_operator and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and not exists (
        select from public.notifications n
        where n.user_id = u.id and n.kind = 'backup_failed' and n.created_at > now() - interval '20 hours'
      )
  ), noted as (
    insert into public.notifications (id, user_id, kind, data)
    select o.entry, o.id, 'backup_failed', jsonb_build_object('excerpt', left(notify_of_failed_backup.reason, 300)) from operators o
    returning id
  ), mailed as (
    select private.queue_mail('backup_failed', o.email, jsonb_build_object(
      'email', o.email, 'reason', left(notify_of_failed_backup.reason, 500),
      'due', to_char(notify_of_failed_backup.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )) from operators o where o.has_mail and o.email is not null
  )
  select array_agg(n.id) into told from noted n where (select count(*) from mailed) >= 0;
  -- The entries are there only now.
  perform private.push_entries(told);
  return coalesce(cardinality(told), 0);
end
$$;
comment on function private.notify_of_failed_backup(timestamptz, text) is 'Tells operators that a backup failed; how many were told.';
