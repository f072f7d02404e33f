-- Writing notifications: mentions, comments, assignments, new members, due dates (new columns and unblocked tasks: tasks/tasks.sql). All callers
-- hand rows of private.news to private.notify, which skips the actor, people who don't see the task and kinds that are turned off. Several acts of
-- one person on one task within a minute become one entry of the weightiest kind; data.also names the others.

create or replace function private.notify_batch(news private.news[]) returns void
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
    left join public.project_members m on m.project_id = n.project_id and m.user_id = n.user_id
    join public.notification_kinds() k on k.kind = n.kind
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    left join public.tasks t on t.id = n.task_id
    where n.user_id is distinct from me
      and (m.user_id is not null or exists (select from private.grants_of_people g where g.project_id = n.project_id and g.task_id = n.task_id and g.user_id = n.user_id))
      and (t.audience_id is null or private.is_in_audience(n.project_id, t.audience_id, n.user_id)) and (choice.inbox or choice.mail <> 'off' or choice.push)
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
comment on function private.notify_batch(private.news[]) is 'Writes notifications; within a minute one for each person, task and actor.';

create or replace function private.notify(news private.news[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('kanbase.importing', true) = 'on' then
    return;
  end if;
  perform private.notify_batch(news);
end
$$;
comment on function private.notify(private.news[]) is 'Tells people news, after their own choice; not while an import writes.';

-- Members and guests mentioned in a text: @[Name](user-id), or @ and the display name with spaces or hyphens. Quoted lines (>) do not count. Names are tried
-- in the order of their first mention, at most a hundred.
create or replace function private.mentioned_members(in_project uuid, words text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  most_people constant int := 50;
  most_tried constant int := 100;
  low text;
  normal text;
  found_members uuid[];
  candidate record;
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  if position('>' in words) > 0 then
    words := regexp_replace(words, '^ {0,3}>.*$', '', 'gn');
  end if;
  low := lower(words);
  normal := replace(low, '-', ' ');
  found_members := array(
    select m.user_id
    from (
      select by_id.ids[1] as id, min(by_id.place) as place
      from regexp_matches(low, '\]\(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)', 'g') with ordinality as by_id (ids, place)
      group by 1
    ) as mention
    join private.people_of_project m on m.project_id = in_project and m.user_id = mention.id::uuid
    order by mention.place
    limit most_people
  );
  for candidate in
    select m.user_id, name.spoken
    from private.people_of_project m
    join public.profiles p on p.id = m.user_id
    cross join lateral (select replace(lower(p.display_name), '-', ' ') as spoken) as name
    cross join lateral (select strpos(normal, '@' || name.spoken) as place) as first
    where m.project_id = in_project and first.place > 0 and m.user_id <> all (found_members)
    order by first.place, m.user_id
    limit most_tried
  loop
    exit when cardinality(found_members) >= most_people;
    if normal ~ (
      '(^|[^[:alnum:]_.])@' || regexp_replace(candidate.spoken, '([^[:alnum:][:space:]])', '\\\1', 'g') || '($|[^[:alnum:]_])'
    ) then
      found_members := found_members || candidate.user_id;
    end if;
  end loop;
  return found_members;
end
$$;

-- A comment notifies people it mentions, then watchers, and the author of the comment it answers even if they have stopped watching. An edit
-- notifies people newly mentioned.
create or replace function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  answered constant uuid := case when tg_op = 'INSERT' and new.parent_id is not null then (
    select c.author_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ) end;
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
  else
    perform private.add_watchers(array[row(new.project_id, new.task_id, new.author_id)::private.watcher], 'commenter');
  end if;
  if (answered is not null or mentioned <> '{}') and exists (select from public.agents a where a.id = any (mentioned || answered)) then
    perform private.hand_over_comment(new, mentioned, answered);
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.task_id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.task_id, data)::private.news from unnest(mentioned) m
    where m is distinct from new.author_id
    union all
    select row(w, 'commented', new.project_id, new.task_id, case w when answered then data || jsonb_build_object('answers_id', new.parent_id) else data end)::private.news
    from (select w from private.watchers_of(new.project_id, new.task_id) w union select answered where answered is not null) h (w)
    where tg_op = 'INSERT' and w <> all (mentioned) and w is distinct from new.author_id
  ));
  return null;
end
$$;

create or replace function private.notify_of_description() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.description);
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.description)));
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.id, jsonb_build_object('excerpt', left(new.description, 200)))::private.news from unnest(mentioned) m
  ));
  return null;
end
$$;

create or replace function private.notify_assignees() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
begin
  if tg_op = 'INSERT' then
    perform private.add_watchers(array(select row(c.project_id, c.task_id, c.user_id)::private.watcher from changed c), 'assignee');
  end if;
  if exists (select from public.agents a where a.id in (select c.user_id from changed c)) then
    perform private.hand_over_assigned(array(select row(c.project_id, c.task_id, c.user_id)::private.watcher from changed c), tg_op = 'INSERT');
  end if;
  perform private.notify(array(
    select row(c.user_id, case tg_op when 'INSERT' then 'assigned' else 'unassigned' end, c.project_id, c.task_id, '{}')::private.news
    from changed c where c.user_id is distinct from me
  ));
  return null;
end
$$;

-- Founders and people who accept an invitation join by themselves, so they are not notified.
create or replace function private.notify_new_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(array(
    select row(m.user_id, 'added', m.project_id, null, jsonb_build_object('project_name', p.name, 'role', m.role))::private.news
    from added m join public.projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id is not null and m.user_id is distinct from auth.uid()
  ));
  return null;
end
$$;

-- Run by the server: reminds assignees of open tasks, unless they have stopped watching, of tasks due today or tomorrow by their own day or
-- overdue for up to a week; once per task and date.
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
