-- HEAD of 0752
-- The inbox: more kinds of notifications, put off and done, and one entry for what one person does to one task within a minute.
-- What 0310_notifications.sql wrote row by row is written here for all rows of a statement at once.
-- HEAD of 0776
-- Notifying costs less: rows stay rows on their way through private.notify (they went through jsonb and back, twice), nothing is asked
-- for that cannot be there, and the first plan of a connection is kept, where Postgres made the first five of each statement anew.

-- Notifies members, never of their own doing, and nobody of what they want to hear of in no way. What one person does to one task
-- within a minute is one entry, of the weightiest kind; data.also names the others.
create or replace function private.notify_at_once(news private.news[]) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  me constant uuid := auth.uid();
  actor uuid;
  wanted private.wanted_news[];
begin
  if cardinality(news) = 0 then
    return;
  end if;
  -- kind and data of the weightiest, and what else there is for the same person about the same task
  wanted := array(
    select row(n.user_id, n.project_id, n.task_id, (array_agg(n.kind order by k.weight desc))[1], max(k.weight),
      (array_agg(n.data order by k.weight desc))[1], to_jsonb((array_agg(n.kind order by k.weight desc))[2:]), bool_or(choice.inbox))::private.wanted_news
    from unnest(news) n
    join public.project_members m on m.project_id = n.project_id and m.user_id = n.user_id
    join public.notification_kinds() k on k.kind = n.kind
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    where n.user_id is distinct from me and (choice.inbox or choice.mail <> 'off' or choice.push)
    group by n.user_id, n.project_id, n.task_id
    order by n.user_id, n.task_id
  );
  if cardinality(wanted) = 0 then
    return;
  end if;
  actor := (select a.id from public.profiles a where a.id = me);

  if actor is not null and exists (
    select from unnest(wanted) w
    join public.notifications n on n.user_id = w.user_id and n.created_at > now() - interval '1 minute'
    where n.task_id is not distinct from w.task_id and n.actor_id = actor and n.read_at is null
  ) then
    -- In one order, as two statements of the same person may meet at them.
    perform from public.notifications n
    where n.user_id = any (array(select w.user_id from unnest(wanted) w))
      and n.actor_id = actor and n.created_at > now() - interval '1 minute' and n.read_at is null and n.done_at is null
    order by n.id for update;
    with merged as (
      update public.notifications n
      set kind = case when w.weight >= k.weight then w.kind else n.kind end,
        data = case when w.weight >= k.weight then n.data || w.data else w.data || n.data end
          || case when n.data ? 'from_id' and w.data ? 'from_id'
            then jsonb_build_object('from', n.data -> 'from', 'from_id', n.data -> 'from_id', 'to', w.data -> 'to', 'to_id', w.data -> 'to_id') else '{}' end
          || case when n.data ? 'count' and w.data ? 'count'
            then jsonb_build_object('count', (n.data ->> 'count')::int + (w.data ->> 'count')::int) else '{}' end
          || jsonb_build_object('also', (
            select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(
              coalesce(n.data -> 'also', '[]') || w.also || to_jsonb(n.kind) || to_jsonb(w.kind)
            ) a where a <> to_jsonb(case when w.weight >= k.weight then w.kind else n.kind end)
          ))
      from unnest(wanted) w, public.notification_kinds() k
      where n.user_id = w.user_id and n.project_id = w.project_id and n.task_id is not distinct from w.task_id
        and k.kind = n.kind and n.kind not in ('invited', 'added', 'due_soon', 'overdue') and w.kind not in ('invited', 'added', 'due_soon', 'overdue')
        and n.actor_id = actor and n.created_at > now() - interval '1 minute' and n.read_at is null and n.done_at is null
        and (n.task_id is not null or n.data ? 'count')
      returning n.user_id, n.project_id, n.task_id
    )
    select array(
      select w from unnest(wanted) w
      where not exists (
        select from merged m where m.user_id = w.user_id and m.project_id = w.project_id and m.task_id is not distinct from w.task_id
      )
    ) into wanted;
    -- There and back again: nothing has happened.
    delete from public.notifications n
    where n.user_id = any (array(select distinct x.user_id from unnest(news) x)) and n.actor_id = actor
      and n.created_at > now() - interval '1 minute' and n.kind = 'state_changed' and n.read_at is null
      and n.data ->> 'from_id' = n.data ->> 'to_id';
    if cardinality(wanted) = 0 then
      return;
    end if;
  end if;

  insert into public.notifications (user_id, kind, project_id, task_id, actor_id, data, read_at, done_at)
  select w.user_id, w.kind, w.project_id, t.id, actor,
    w.data || case when w.also = '[]' then '{}' else jsonb_build_object('also', w.also) end
      || case when t.id is null then '{}' else jsonb_build_object('task_number', t.number, 'task_title', t.title) end,
    case when not w.inbox then now() end, case when not w.inbox then now() end
  from unnest(wanted) w
  left join public.tasks t on t.project_id = w.project_id and t.id = w.task_id
  where w.task_id is null or t.id is not null
  order by w.user_id, t.id
  on conflict do nothing;
end
$$;
comment on function private.notify_at_once(private.news[]) is 'Writes notifications; within a minute one for each person, task and actor.';

-- Notifies members, never of their own doing, and nobody of what they want to hear of in no way. What one person does to one task
-- within a minute is one entry, of the weightiest kind; data.also names the others.
create or replace function private.notify(news private.news[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('kanbase.importing', true) = 'on' then
    return;
  end if;
  perform private.notify_at_once(news);
end
$$;
comment on function private.notify(private.news[]) is 'Tells people news, after their own choice; not while an import writes.';

-- Who watches a task: those who say so, and the watchers of its project who have not stopped watching this one.
create or replace function private.watchers_of(in_project uuid, of_task uuid) returns setof uuid
language sql stable rows 5
begin atomic
  select w.user_id from public.task_watchers w where w.project_id = in_project and w.task_id = of_task and w.is_watching
  union
  select p.user_id from public.project_watchers p
  where p.project_id = in_project and not exists (
    select from public.task_watchers w
    where w.project_id = in_project and w.task_id = of_task and w.user_id = p.user_id and not w.is_watching
  );
end;
comment on function private.watchers_of(uuid,uuid) is 'Who watches a task, by itself or with its project.';

create or replace function private.notify_assignees() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
begin
  if tg_op = 'INSERT' then
    perform private.add_watchers(array(select row(c.project_id, c.task_id, c.user_id)::private.watcher from changed c), 'assignee');
  end if;
  perform private.notify(array(
    select row(c.user_id, case tg_op when 'INSERT' then 'assigned' else 'unassigned' end, c.project_id, c.task_id, '{}')::private.news
    from changed c where c.user_id is distinct from me
  ));
  return null;
end
$$;

-- Whoever comes in by an invitation or founds the project does so themselves.
create or replace function private.notify_new_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(array(
    select row(m.user_id, 'added', m.project_id, null, jsonb_build_object('project_name', p.name, 'role', m.role))::private.news
    from added m join public.projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id is distinct from auth.uid()
  ));
  return null;
end
$$;

-- Called by the server now and then: reminds those who work on open tasks, and have not stopped watching them, of what is due today or
-- tomorrow by their own day, and of what has become overdue within the last week; once per task and date.
create or replace function private.notify_of_due_dates() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  written integer;
begin
  insert into public.notifications (user_id, kind, project_id, task_id, data, read_at, done_at)
  select due.user_id, due.kind, due.project_id, due.id,
    jsonb_build_object('due_date', due.due_date, 'task_number', due.number, 'task_title', due.title),
    case when not choice.inbox then now() end, case when not choice.inbox then now() end
  from (
    select a.user_id, t.*, case when t.due_date < today.day then 'overdue' else 'due_soon' end as kind
    from public.tasks t
    join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
    join public.projects p on p.id = t.project_id and p.archived_at is null and p.deleted_at is null
    left join public.notification_schedules s on s.user_id = a.user_id
    cross join lateral (select (now() at time zone coalesce(s.time_zone, 'UTC'))::date as day) today
    where t.completed_at is null and t.archived_at is null and t.due_date between current_date - 9 and current_date + 3
      and t.due_date between today.day - 7 and today.day + 1
      and not exists (
        select from public.task_watchers w
        where w.project_id = t.project_id and w.task_id = t.id and w.user_id = a.user_id and not w.is_watching
      )
  ) due
  cross join lateral private.notification_choice(due.user_id, due.project_id, due.kind) choice
  where choice.inbox or choice.mail <> 'off' or choice.push
  on conflict do nothing;
  get diagnostics written = row_count;
  return written;
end
$$;
grant execute on function private.notify_of_due_dates() to service_role;
comment on function private.notify_of_due_dates() is 'Reminds assignees of what is due soon or overdue; returns how many entries were written.';
