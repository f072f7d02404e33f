-- Watchers of a task or of a whole project: they are notified of what happens there (notify.sql). The database adds creators, assignees,
-- commenters and mentioned people; a person who has stopped watching stays out until they watch again.

select private.project_rows('public.task_watchers', writes => '{project_id, task_id, user_id, reason, is_watching}',
  fixed => '{project_id, task_id, user_id, reason}', fills_project => true, but => '{add, change, refuse_delete}',
  guests => 'write');

create policy add on public.task_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and (project_id = any (array(select project_id from private.my_memberships))
    or task_id = any ((select private.guest_tasks('see'))::uuid[])));
select private.make_policy('public.task_watchers', 'change', format('for update to authenticated using (%1$s)
  with check (user_id = (select user_id from private.caller) and %1$s)', private.in_sight('project_id')));

comment on table public.task_watchers is 'Who watches a task. Creators, assignees, commenters and mentioned people are added by the database; everyone watches and stops for themselves.';
comment on column public.task_watchers.user_id is 'Who watches; the caller.';
comment on column public.task_watchers.reason is 'How it began: creator, assignee, commenter, mentioned or asked; kept by the database.';
comment on column public.task_watchers.is_watching is 'false: has stopped, and is not added again by what others do.';

create or replace trigger task_watchers_keep_reason before insert on public.task_watchers for each row
  when (new.reason <> 'asked' and row_security_active('public.task_watchers') and current_user <> 'service_role')
  execute function private.keep_watcher();
select private.refuse_deletes('public.task_watchers', 'old.user_id is distinct from private.me()',
  'Everyone watches and stops watching for themselves.');

select private.served_rows('public.project_watchers', writes => '{project_id, user_id}', own => '{read, change, remove}', keeps => 'created_at',
  fixed => '{project_id, user_id}');

create policy add_own on public.project_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));

comment on table public.project_watchers is 'Who watches all tasks of a project, but those they have stopped watching. Own rows only.';
comment on column public.project_watchers.user_id is 'Who watches; the caller.';

-- Only the database sets another reason than `asked`.
create or replace function private.keep_watcher() returns trigger
language plpgsql set search_path = '' as $$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.reason := 'asked';
  end if;
  return new;
end
$$;

create or replace function private.add_watchers(wanted private.watcher[], reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.task_watchers (project_id, task_id, audience_id, user_id, reason)
  select distinct w.project_id, w.task_id, t.audience_id, w.user_id, add_watchers.reason
  from unnest(wanted) w
  join public.tasks t on t.id = w.task_id
  where private.is_member(w.project_id, w.user_id)
    or exists (select from private.grants_of_people g where g.project_id = w.project_id and g.task_id = w.task_id and g.user_id = w.user_id)
  order by w.project_id, w.task_id, w.user_id
  on conflict (project_id, task_id, user_id) do nothing;
end
$$;
comment on function private.add_watchers(private.watcher[], text) is 'Makes members and guests watchers of tasks they see, unless they have stopped watching them.';

-- Watchers of the task, and watchers of its project who have not stopped watching this task.
create or replace function private.watchers_of(in_project uuid, of_task uuid) returns setof uuid
language sql stable rows 5
begin atomic
  select w.user_id from (
    select w.user_id from public.task_watchers w where w.project_id = in_project and w.task_id = of_task and w.is_watching
    union
    select p.user_id from public.project_watchers p
    where p.project_id = in_project and not exists (
      select from public.task_watchers w
      where w.project_id = in_project and w.task_id = of_task and w.user_id = p.user_id and not w.is_watching
    )
  ) w
  cross join (select t.audience_id from public.tasks t where t.id = of_task) seen
  where seen.audience_id is null or private.is_in_audience(in_project, seen.audience_id, w.user_id);
end;
comment on function private.watchers_of(uuid, uuid) is 'Who watches a task, by itself or with its project.';
