-- What a person should know: assigned, mentioned, commented, due soon, invited. Written by triggers, read and ticked off by
-- their owner; never about one's own doing, never to someone who cannot see the task.

create table public.notifications (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  task_id uuid,
  actor_id uuid references public.profiles (id) on delete set null,
  data jsonb not null default '{}',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  constraint notifications_kind_known check (kind in ('assigned', 'mentioned', 'commented', 'due_soon', 'invited')),
  constraint notifications_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade
);
create index notifications_list_idx on public.notifications (user_id, created_at);
create index notifications_unread_idx on public.notifications (user_id) where read_at is null;
create index notifications_task_idx on public.notifications (project_id, task_id);
create index notifications_actor_id_idx on public.notifications (actor_id);
-- one reminder per person, task and date
create unique index notifications_due_soon_once on public.notifications (user_id, task_id, (data ->> 'due_date')) where kind = 'due_soon';

alter table public.notifications replica identity full;

alter table public.notifications enable row level security;

create policy read_own on public.notifications for select to authenticated using (user_id = (select private.me()));
create policy change_own on public.notifications for update to authenticated
  using (user_id = (select private.me())) with check (user_id = (select private.me()));
create policy remove_own on public.notifications for delete to authenticated using (user_id = (select private.me()));
create policy service on public.notifications to service_role using (true) with check (true);

grant select on public.notifications to anon, authenticated;
-- no insert grant: only the database notifies
grant update (id, user_id, kind, project_id, task_id, actor_id, data, read_at, created_at), delete on public.notifications to authenticated;
grant all on public.notifications to service_role;

create function private.keep_notification() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.created_at := old.created_at;
    if old.read_at is null and new.read_at is not null then
      new.read_at := now();
    end if;
  end if;
  return new;
end
$$;
create trigger notifications_keep before update on public.notifications for each row execute function private.keep_notification();
create trigger notifications_refuse_change before update on public.notifications for each row
  when (old.id <> new.id or old.user_id <> new.user_id or old.kind <> new.kind or old.data <> new.data
    or old.project_id is distinct from new.project_id or old.task_id is distinct from new.task_id
    or old.actor_id is distinct from new.actor_id)
  execute function private.refuse_change('id', 'user_id', 'kind', 'project_id', 'task_id', 'actor_id', 'data');

-- Notifies members of a task's project, each once, never the one who did it.
create function private.notify_members(to_users uuid[], kind text, in_project uuid, of_task uuid, data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, project_id, task_id, actor_id, data)
  select m.user_id, kind, t.project_id, t.id, (select a.id from public.profiles a where a.id = auth.uid()),
    data || jsonb_build_object('task_number', t.number, 'task_title', t.title)
  from public.tasks t
  join public.project_members m on m.project_id = t.project_id and m.user_id = any (to_users)
  where t.project_id = in_project and t.id = of_task and m.user_id is distinct from auth.uid();
end
$$;

-- Members a text mentions: @[Name](user-id), or @ and the display name, spaces as they are or as hyphens.
create function private.mentioned_members(in_project uuid, words text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  return array(
    select m.user_id
    from public.project_members m
    join public.profiles p on p.id = m.user_id
    where m.project_id = in_project and (
      strpos(lower(words), '](' || m.user_id::text || ')') > 0
      or strpos(replace(lower(words), '-', ' '), '@' || replace(lower(p.display_name), '-', ' ')) > 0
        and replace(lower(words), '-', ' ') ~ (
          '(^|[^[:alnum:]_.])@'
          || regexp_replace(replace(lower(p.display_name), '-', ' '), '([^[:alnum:][:space:]])', '\\\1', 'g')
          || '($|[^[:alnum:]_])'
        )
    )
  );
end
$$;

create function private.notify_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_members(array[new.user_id], 'assigned', new.project_id, new.task_id, '{}');
  return null;
end
$$;
create trigger task_assignees_notify after insert on public.task_assignees for each row execute function private.notify_assignee();

-- A comment notifies those it mentions, then who made the task and who works on it. An edit notifies the newly mentioned.
create function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
  theirs uuid[];
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
    perform private.notify_members(mentioned, 'mentioned', new.project_id, new.task_id, data);
    return null;
  end if;
  perform private.notify_members(mentioned, 'mentioned', new.project_id, new.task_id, data);
  theirs := array(
    select t.created_by from public.tasks t where t.project_id = new.project_id and t.id = new.task_id and t.created_by is not null
    union
    select a.user_id from public.task_assignees a where a.project_id = new.project_id and a.task_id = new.task_id
    except
    select unnest(mentioned)
  );
  perform private.notify_members(theirs, 'commented', new.project_id, new.task_id, data);
  return null;
end
$$;
create trigger task_comments_notify after insert on public.task_comments for each row execute function private.notify_of_comment();
create trigger task_comments_notify_change after update on public.task_comments for each row
  when (old.body <> new.body and strpos(new.body, '@') > 0) execute function private.notify_of_comment();

create function private.notify_of_description() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.description);
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.description)));
  end if;
  perform private.notify_members(mentioned, 'mentioned', new.project_id, new.id, jsonb_build_object('excerpt', left(new.description, 200)));
  return null;
end
$$;
create trigger tasks_notify after insert on public.tasks for each row
  when (strpos(new.description, '@') > 0) execute function private.notify_of_description();
create trigger tasks_notify_change after update on public.tasks for each row
  when (old.description <> new.description and strpos(new.description, '@') > 0)
  execute function private.notify_of_description();

-- Who leaves a project loses its notifications.
create function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where n.user_id = old.user_id and n.project_id = old.project_id;
  return null;
end
$$;
create trigger project_members_forget_notifications after delete on public.project_members
  for each row execute function private.forget_notifications();

-- Called by the server now and then: reminds assignees of open tasks due today or tomorrow, once per task and date.
create function private.notify_due_soon() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  told integer;
begin
  insert into public.notifications (user_id, kind, project_id, task_id, data)
  select a.user_id, 'due_soon', t.project_id, t.id,
    jsonb_build_object('due_date', t.due_date, 'task_number', t.number, 'task_title', t.title)
  from public.tasks t
  join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
  join public.projects p on p.id = t.project_id and p.archived_at is null
  where t.completed_at is null and t.archived_at is null and t.due_date between current_date and current_date + 1
  on conflict (user_id, task_id, (data ->> 'due_date')) where kind = 'due_soon' do nothing;
  get diagnostics told = row_count;
  return told;
end
$$;
grant execute on function private.notify_due_soon() to service_role;

comment on table public.notifications is 'What a person should know. Own rows only: read, tick off with read_at, delete. Written by the database.';
comment on column public.notifications.id is 'Sorted by time.';
comment on column public.notifications.user_id is 'Whom it tells.';
comment on column public.notifications.kind is 'assigned, mentioned, commented, due_soon or invited.';
comment on column public.notifications.project_id is 'The project.';
comment on column public.notifications.task_id is 'The task, if it is about one.';
comment on column public.notifications.actor_id is 'Who caused it; empty for reminders, and once their account is gone.';
comment on column public.notifications.data is 'What to show: task_number, task_title; comment_id and excerpt; due_date; project_name, role and invitation_id.';
comment on column public.notifications.read_at is 'Set when it was read; the moment is the database''s.';
comment on column public.notifications.created_at is 'When; kept by the database.';
comment on function private.notify_due_soon() is 'Reminds assignees of what is due today or tomorrow; returns how many were told.';
