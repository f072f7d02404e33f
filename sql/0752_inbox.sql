-- The inbox: more kinds of notifications, put off and done, and one entry for what one person does to one task within a minute.
-- What 0310_notifications.sql wrote row by row is written here for all rows of a statement at once.

alter table public.notifications
  add column snoozed_until timestamptz,
  add column done_at timestamptz,
  drop constraint notifications_kind_known,
  add constraint notifications_kind_known check (kind in (
    'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited'
  ));
grant update (snoozed_until, done_at) on public.notifications to authenticated;

-- one reminder per person, task and date
create unique index notifications_overdue_once on public.notifications (user_id, task_id, (data ->> 'due_date')) where kind = 'overdue';
create index notifications_invited_idx on public.notifications (kind, project_id, user_id) where kind = 'invited';

-- What is in a project one is no member of is out of sight, save an invitation to it.
alter policy read_own on public.notifications using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))));
alter policy change_own on public.notifications using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))));
alter policy remove_own on public.notifications using (user_id = (select user_id from private.caller)
  and (project_id is null or kind = 'invited' or project_id = any (array(select project_id from private.my_memberships))));

-- The moments of reading and of being done are the database's; done is read too.
create or replace function private.keep_notification() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.created_at := old.created_at;
    if old.done_at is null and new.done_at is not null then
      new.done_at := now();
      new.read_at := coalesce(new.read_at, now());
    end if;
    if old.read_at is null and new.read_at is not null then
      new.read_at := now();
    end if;
  end if;
  return new;
end
$$;

create type private.news as (user_id uuid, kind text, project_id uuid, task_id uuid, data jsonb);

-- Notifies members, never of their own doing, and nobody of what they want to hear of in no way. What one person does to one task
-- within a minute is one entry, of the weightiest kind; data.also names the others.
create function private.notify(news private.news[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  actor constant uuid := (select a.id from public.profiles a where a.id = me);
  wanted jsonb;
begin
  if cardinality(news) = 0 then
    return;
  end if;
  -- kind and data of the weightiest, and what else there is for the same person about the same task
  wanted := (
    select jsonb_agg(to_jsonb(w)) from (
      select n.user_id, n.project_id, n.task_id, (array_agg(n.kind order by k.weight desc))[1] as kind, max(k.weight) as weight,
        (array_agg(n.data order by k.weight desc))[1] as data, to_jsonb((array_agg(n.kind order by k.weight desc))[2:]) as also,
        bool_or(choice.inbox) as inbox
      from unnest(news) n
      join public.project_members m on m.project_id = n.project_id and m.user_id = n.user_id
      join public.notification_kinds() k on k.kind = n.kind
      cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
      where n.user_id is distinct from me and (choice.inbox or choice.mail <> 'off' or choice.push)
      group by n.user_id, n.project_id, n.task_id
    ) w
  );
  if wanted is null then
    return;
  end if;

  if actor is not null and exists (
    select from jsonb_to_recordset(wanted) as w (user_id uuid, task_id uuid)
    join public.notifications n on n.user_id = w.user_id and n.created_at > now() - interval '1 minute'
      and n.task_id is not distinct from w.task_id and n.actor_id = actor and n.read_at is null
  ) then
    -- In one order, as two statements of the same person may meet at them.
    perform from public.notifications n
    where n.user_id in (select (w ->> 'user_id')::uuid from jsonb_array_elements(wanted) w)
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
      from jsonb_to_recordset(wanted) as w (user_id uuid, project_id uuid, task_id uuid, kind text, weight int, data jsonb, also jsonb, inbox boolean),
        public.notification_kinds() k
      where n.user_id = w.user_id and n.project_id = w.project_id and n.task_id is not distinct from w.task_id
        and k.kind = n.kind and n.kind not in ('invited', 'added', 'due_soon', 'overdue') and w.kind not in ('invited', 'added', 'due_soon', 'overdue')
        and n.actor_id = actor and n.created_at > now() - interval '1 minute' and n.read_at is null and n.done_at is null
        and (n.task_id is not null or n.data ? 'count')
      returning n.user_id, n.project_id, n.task_id
    )
    select jsonb_agg(w) into wanted from jsonb_array_elements(wanted) w
    where not exists (
      select from merged m where m.user_id = (w ->> 'user_id')::uuid and m.project_id = (w ->> 'project_id')::uuid
        and m.task_id is not distinct from (w ->> 'task_id')::uuid
    );
    -- There and back again: nothing has happened.
    delete from public.notifications n
    where n.user_id = any (array(select distinct x.user_id from unnest(news) x)) and n.actor_id = actor
      and n.created_at > now() - interval '1 minute' and n.kind = 'state_changed' and n.read_at is null
      and n.data ->> 'from_id' = n.data ->> 'to_id';
  end if;

  insert into public.notifications (user_id, kind, project_id, task_id, actor_id, data, read_at, done_at)
  select w.user_id, w.kind, w.project_id, t.id, actor,
    w.data || case when w.also = '[]' then '{}' else jsonb_build_object('also', w.also) end
      || case when t.id is null then '{}' else jsonb_build_object('task_number', t.number, 'task_title', t.title) end,
    case when not w.inbox then now() end, case when not w.inbox then now() end
  from jsonb_to_recordset(coalesce(wanted, '[]'))
    as w (user_id uuid, project_id uuid, task_id uuid, kind text, data jsonb, also jsonb, inbox boolean)
  left join public.tasks t on t.project_id = w.project_id and t.id = w.task_id
  where w.task_id is null or t.id is not null
  order by w.user_id, t.id
  on conflict do nothing;
end
$$;

-- Who watches a task: those who say so, and the watchers of its project who have not stopped watching this one.
create function private.watchers_of(in_project uuid, of_task uuid) returns setof uuid
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

-- Assigned, unassigned ------------------------------------------------------------------------------------------------

drop trigger task_assignees_notify on public.task_assignees;
drop function private.notify_assignee();

create function private.notify_assignees() returns trigger
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
create trigger task_assignees_notify_new after insert on public.task_assignees
  referencing new table as changed for each statement execute function private.notify_assignees();
create trigger task_assignees_notify_gone after delete on public.task_assignees
  referencing old table as changed for each statement execute function private.notify_assignees();

-- Mentioned, commented ------------------------------------------------------------------------------------------------

-- A comment notifies those it mentions, then those who watch the task. An edit notifies the newly mentioned.
create or replace function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
  else
    perform private.add_watchers(array[row(new.project_id, new.task_id, new.author_id)::private.watcher], 'commenter');
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.task_id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.task_id, data)::private.news from unnest(mentioned) m
    where m is distinct from new.author_id
    union all
    select row(w, 'commented', new.project_id, new.task_id, data)::private.news
    from private.watchers_of(new.project_id, new.task_id) w
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

drop function private.notify_members(uuid[], text, uuid, uuid, jsonb);

-- State changed, unblocked --------------------------------------------------------------------------------------------

-- Of more than ten tasks of a project at once, watchers get one entry that counts them.
create function private.notify_changed_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most_at_once constant integer := 10;
  me constant uuid := auth.uid();
  finished boolean;
  moved boolean;
begin
  select bool_or(was.column_id <> b.column_id), bool_or(was.completed_at is null and was.archived_at is null and (b.completed_at is not null or b.archived_at is not null))
    into moved, finished
  from was join becomes b on b.id = was.id
  where was.column_id <> b.column_id or was.completed_at is distinct from b.completed_at or was.archived_at is distinct from b.archived_at;
  if moved then
    perform private.notify(array(
      with moves as (
        select b.project_id, b.id, was.column_id as from_id, b.column_id as to_id
        from was join becomes b on b.id = was.id where was.column_id <> b.column_id
      ), heard as (
        select m.*, w as user_id from moves m cross join lateral private.watchers_of(m.project_id, m.id) w where w is distinct from me
      ), counted as (
        select h.*, count(*) over (partition by h.user_id, h.project_id) as at_once from heard h
      )
      select row(c.user_id, 'state_changed', c.project_id, c.id, jsonb_build_object(
        'from_id', c.from_id, 'to_id', c.to_id, 'from', was_in.name, 'to', is_in.name
      ))::private.news
      from counted c
      join public.workflow_columns was_in on was_in.id = c.from_id
      join public.workflow_columns is_in on is_in.id = c.to_id
      where c.at_once <= most_at_once
      union all
      select row(c.user_id, 'state_changed', c.project_id, null, jsonb_build_object('count', count(*), 'to', (
        select string_agg(distinct i.name, ', ') from public.workflow_columns i where i.id = any (array_agg(c.to_id))
      )))::private.news
      from counted c
      where c.at_once > most_at_once
      group by c.user_id, c.project_id
    ));
  end if;
  if finished then
    perform private.notify(array(
      select row(w, 'unblocked', s.project_id, s.task_id, '{}')::private.news
      from (
        select distinct d.project_id, d.successor_id as task_id
        from was join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where was.completed_at is null and was.archived_at is null and (b.completed_at is not null or b.archived_at is not null)
      ) s
      join private.task_waits t on t.task_id = s.task_id and t.is_open and t.open_predecessors = 0
      cross join lateral private.watchers_of(s.project_id, s.task_id) w
      where w is distinct from me
    ));
  end if;
  return null;
end
$$;
create trigger tasks_95_notify_changed after update on public.tasks
  referencing old table as was new table as becomes for each statement execute function private.notify_changed_tasks();

-- Projects ------------------------------------------------------------------------------------------------------------

-- Whoever comes in by an invitation or founds the project does so themselves.
create function private.notify_new_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(array(
    select row(m.user_id, 'added', m.project_id, null, jsonb_build_object('project_name', p.name, 'role', m.role))::private.news
    from added m join public.projects p on p.id = m.project_id
    where m.user_id is distinct from auth.uid()
  ));
  return null;
end
$$;
create trigger project_members_notify_new after insert on public.project_members
  referencing new table as added for each statement execute function private.notify_new_members();

-- Who leaves a project loses what they were to hear of it.
create or replace function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n where n.user_id = old.user_id and n.project_id = old.project_id;
  delete from public.task_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.project_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.notification_settings s where s.user_id = old.user_id and s.project_id = old.project_id;
  return null;
end
$$;

-- Due soon, overdue ---------------------------------------------------------------------------------------------------

drop function private.notify_due_soon();

-- Called by the server now and then: reminds those who work on open tasks, and have not stopped watching them, of what is due today or
-- tomorrow by their own day, and of what has become overdue within the last week; once per task and date.
create function private.notify_of_due_dates() returns integer
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
    join public.projects p on p.id = t.project_id and p.archived_at is null
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
revoke execute on function private.notify_of_due_dates() from public;
grant execute on function private.notify_of_due_dates() to service_role;

comment on type private.news is 'What somebody is to be notified of.';
comment on function private.notify(private.news[]) is 'Writes notifications; within a minute one for each person, task and actor.';
comment on function private.watchers_of(uuid, uuid) is 'Who watches a task, by itself or with its project.';
comment on function private.notify_of_due_dates() is 'Reminds assignees of what is due soon or overdue; returns how many entries were written.';
comment on column public.notifications.kind is 'mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute.';
comment on column public.notifications.data is 'What to show: task_number, task_title; also (further kinds); comment_id and excerpt; from, to and their ids; count; due_date; project_name, role and invitation_id.';
comment on column public.notifications.snoozed_until is 'Put off until then.';
comment on column public.notifications.done_at is 'Set when it was dealt with; the moment is the database''s.';
