-- Who follows a task, or a whole project: they hear what happens there (0751_notifications.sql). Who makes a task, works on it, comments
-- or is mentioned is added by the database; who has stopped stays out until they watch again themselves.

create table public.task_watchers (
  project_id uuid not null,
  task_id uuid not null,
  -- points at the account, whose id the profile shares: `profiles` of a task are those who work on it (0425)
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  reason text not null default 'asked',
  is_watching boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, task_id, user_id),
  constraint task_watchers_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade,
  constraint task_watchers_reason_known check (reason in ('creator', 'assignee', 'commenter', 'mentioned', 'asked'))
);
create index task_watchers_task_id_idx on public.task_watchers (task_id);
create index task_watchers_user_id_idx on public.task_watchers (user_id, project_id);

alter table public.task_watchers enable row level security;

create policy read on public.task_watchers for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy add on public.task_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));
create policy change on public.task_watchers for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));
-- lets every member through: task_watchers_refuse_delete then refuses all but oneself with 403, where a policy would say nothing
create policy remove on public.task_watchers for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on public.task_watchers to service_role using (true) with check (true);

grant select on public.task_watchers to anon, authenticated;
grant insert (project_id, task_id, user_id, reason, is_watching, created_at, updated_at),
  update (project_id, task_id, user_id, reason, is_watching, created_at, updated_at), delete
  on public.task_watchers to authenticated;
grant all on public.task_watchers to service_role;

-- Only the database knows of another reason than having asked.
create function private.keep_watcher() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.reason := 'asked';
  end if;
  return new;
end
$$;
create trigger task_watchers_keep_new before insert on public.task_watchers for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger task_watchers_keep before update on public.task_watchers for each row execute function private.keep_times();
create trigger task_watchers_keep_reason before insert on public.task_watchers for each row
  when (new.reason <> 'asked') execute function private.keep_watcher();
create trigger task_watchers_refuse_change before update on public.task_watchers for each row
  when (old.project_id <> new.project_id or old.task_id <> new.task_id or old.user_id <> new.user_id or old.reason <> new.reason)
  execute function private.refuse_change('project_id', 'task_id', 'user_id', 'reason');
create trigger task_watchers_refuse_delete before delete on public.task_watchers for each row
  when (row_security_active('public.task_watchers') and current_user <> 'service_role' and old.user_id is distinct from private.me())
  execute function private.refuse_delete('Everyone watches and stops watching for themselves.');
create trigger task_watchers_fill_project before insert on public.task_watchers for each row
  when (new.project_id is null) execute function private.fill_project();

create table public.project_watchers (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_watchers_user_id_idx on public.project_watchers (user_id, project_id);

alter table public.project_watchers enable row level security;

create policy read_own on public.project_watchers for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy add_own on public.project_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));
create policy change_own on public.project_watchers for update to authenticated
  using (user_id = (select user_id from private.caller)) with check (user_id = (select user_id from private.caller));
create policy remove_own on public.project_watchers for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.project_watchers to service_role using (true) with check (true);

grant select on public.project_watchers to anon, authenticated;
grant insert (project_id, user_id, created_at), update (project_id, user_id, created_at), delete on public.project_watchers to authenticated;
grant all on public.project_watchers to service_role;

create trigger project_watchers_keep_new before insert on public.project_watchers for each row
  when (new.created_at is distinct from now()) execute function private.keep_created_at();
create trigger project_watchers_keep before update on public.project_watchers for each row execute function private.keep_created_at();
create trigger project_watchers_refuse_change before update on public.project_watchers for each row
  when (old.project_id <> new.project_id or old.user_id <> new.user_id)
  execute function private.refuse_change('project_id', 'user_id');

-- Members of the tasks' projects become watchers. Who is one already stays what they are, also one who has stopped.
create type private.watcher as (project_id uuid, task_id uuid, user_id uuid);

create function private.add_watchers(wanted private.watcher[], reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.task_watchers (project_id, task_id, user_id, reason)
  select distinct w.project_id, w.task_id, w.user_id, add_watchers.reason
  from unnest(wanted) w
  join public.project_members m on m.project_id = w.project_id and m.user_id = w.user_id
  order by w.project_id, w.task_id, w.user_id
  on conflict (project_id, task_id, user_id) do nothing;
end
$$;

create function private.watch_new_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_watchers(array(
    select row(t.project_id, t.id, t.created_by)::private.watcher from added t where t.created_by is not null
  ), 'creator');
  return null;
end
$$;
create trigger tasks_92_watch_new after insert on public.tasks
  referencing new table as added for each statement execute function private.watch_new_tasks();

-- Those who make, do and discuss what is there already.
insert into public.task_watchers (project_id, task_id, user_id, reason)
select distinct on (w.project_id, w.task_id, w.user_id) w.project_id, w.task_id, w.user_id, w.reason
from (
  select t.project_id, t.id as task_id, t.created_by as user_id, 'creator' as reason, 1 as rank from public.tasks t where t.created_by is not null
  union all
  select a.project_id, a.task_id, a.user_id, 'assignee', 2 from public.task_assignees a
  union all
  select c.project_id, c.task_id, c.author_id, 'commenter', 3 from public.task_comments c where c.author_id is not null
) w
join public.project_members m on m.project_id = w.project_id and m.user_id = w.user_id
order by w.project_id, w.task_id, w.user_id, w.rank;

comment on type private.watcher is 'Somebody who is to watch a task.';
comment on function private.add_watchers(private.watcher[], text) is 'Makes members watchers of tasks, unless they have stopped watching them.';
comment on table public.task_watchers is 'Who watches a task. Creators, assignees, commenters and mentioned people are added by the database; everyone watches and stops for themselves.';
comment on column public.task_watchers.project_id is 'The project; filled from the task when left out.';
comment on column public.task_watchers.task_id is 'The task.';
comment on column public.task_watchers.user_id is 'Who watches; the caller.';
comment on column public.task_watchers.reason is 'How it began: creator, assignee, commenter, mentioned or asked; kept by the database.';
comment on column public.task_watchers.is_watching is 'false: has stopped, and is not added again by what others do.';
comment on column public.task_watchers.created_at is 'When the row was made; kept by the database.';
comment on column public.task_watchers.updated_at is 'When the row last changed; kept by the database.';
comment on table public.project_watchers is 'Who watches all tasks of a project, but those they have stopped watching. Own rows only.';
comment on column public.project_watchers.project_id is 'The project.';
comment on column public.project_watchers.user_id is 'Who watches; the caller.';
comment on column public.project_watchers.created_at is 'When the row was made; kept by the database.';
