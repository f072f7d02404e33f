-- Notifying costs less: rows stay rows on their way through private.notify (they went through jsonb and back, twice), nothing is asked
-- for that cannot be there, and the first plan of a connection is kept, where Postgres made the first five of each statement anew.

create type private.wanted_news as (
  user_id uuid, project_id uuid, task_id uuid, kind text, weight integer, data jsonb, also jsonb, inbox boolean
);
comment on type private.wanted_news is 'What somebody is to be notified of, after their own choice.';

-- Notifies members, never of their own doing, and nobody of what they want to hear of in no way. What one person does to one task
-- within a minute is one entry, of the weightiest kind; data.also names the others.
create or replace function private.notify(news private.news[]) returns void
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

-- A new entry waits for nothing yet, so there is no conflict to look for but where an entry has become another kind, whose row was
-- removed right before; whether anybody takes push messages is asked once.
create or replace function private.queue_deliveries(ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  pushed boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, way, user_id, task_id, due_at)
    select n.id, w.way, n.user_id, n.task_id, w.due_at
    from public.notifications n
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    left join public.notification_schedules s on s.user_id = n.user_id
    cross join lateral (
      select 'mail' as way, now() + interval '2 minutes' as due_at where choice.mail = 'now'
      union all
      select 'daily', private.next_daily(coalesce(s.time_zone, 'UTC'), coalesce(s.daily_hour, 8)) where choice.mail = 'daily'
      union all
      select 'push', now() where choice.push and exists (select from public.push_subscriptions p where p.user_id = n.user_id)
    ) w
    where n.id = any (ids)
    on conflict do nothing
    returning way
  )
  select bool_or(q.way = 'push') into pushed from queued q;
  if pushed then
    perform pg_notify('kanbase_push', '');
  end if;
end
$$;
