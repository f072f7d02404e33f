-- Whoever takes so many that are due takes no more. A subselect with a limit, inside `in (…)`, is looked through once for each row where
-- Postgres joins it in a loop, and with `skip locked` finds others each time: in the end all that are due.

create or replace function private.take_push_deliveries(most integer) returns TABLE(notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean, part jsonb, unread bigint)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.notification_deliveries d using public.notifications n
  where d.way = 'push' and n.id = d.notification_id and (d.attempts >= 3 or n.read_at is not null and n.done_at is distinct from n.created_at);
  return query
  with due as materialized (
    select c.notification_id, c.way from private.notification_deliveries c
    where c.way = 'push' and c.due_at <= now()
    order by c.due_at limit most for update skip locked
  ), claimed as (
    update private.notification_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '1 minute' * (d.attempts + 1)
    from due where d.notification_id = due.notification_id and d.way = due.way
    returning d.notification_id, d.user_id, d.attempts
  )
  select n.id, s.id, s.endpoint, s.p256dh, s.auth, c.attempts >= 3, jsonb_strip_nulls(jsonb_build_object(
      'language', a.raw_user_meta_data -> 'language',
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now())
       and not exists (select from public.projects h where h.id = u.project_id and h.deleted_at is not null))
  from claimed c
  join auth.users a on a.id = c.user_id
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$$;

create or replace function private.remove_files_for_good(kept_seconds bigint, at_most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  looked_at int;
begin
  with chosen as materialized (
    select d.bucket_id, d.name from private.removed_files d
    where d.removed_at <= now() - make_interval(secs => kept_seconds)
    order by d.removed_at limit at_most for update skip locked
  ), due as (
    delete from private.removed_files r using chosen
    where r.bucket_id = chosen.bucket_id and r.name = chosen.name
    returning r.*
  ), gone as (
    delete from storage.objects o using due d
    where o.bucket_id = d.bucket_id and o.name = d.name and not case d.belonged_to
      when 'public.task_attachments'::regclass then exists (
        select from public.task_attachments a where a.project_id = private.attachment_project(d.name) and a.object_path = d.name
      )
      when 'public.tasks'::regclass then exists (select from public.tasks t where t.id = d.owner_id)
      when 'public.projects'::regclass then exists (select from public.projects p where p.id = d.owner_id)
      else exists (select from public.profiles p where p.id = d.owner_id)
    end
  )
  select count(*) into looked_at from due;
  return looked_at;
end
$$;
