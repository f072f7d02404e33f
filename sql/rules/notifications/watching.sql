-- Watchers of a task or of a whole project: they are notified of what happens there (notifying.sql). The database adds creators, assignees,
-- commenters and mentioned people; a person who has stopped watching stays out until they watch again.

-- public.task_watchers
select private.rows_of_a_project('public.task_watchers', but => '{add, change, refuse_delete}');

create policy add on public.task_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));
create policy change on public.task_watchers for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));

grant all on public.task_watchers to service_role;
grant select on public.task_watchers to anon;
grant select, delete,
  insert (project_id, task_id, user_id, reason, is_watching, created_at, updated_at, version),
  update (project_id, task_id, user_id, reason, is_watching, created_at, updated_at, version)
  on public.task_watchers to authenticated;
comment on table public.task_watchers is 'Who watches a task. Creators, assignees, commenters and mentioned people are added by the database; everyone watches and stops for themselves.';
comment on column public.task_watchers.project_id is 'The project; filled from the task when left out.';
comment on column public.task_watchers.user_id is 'Who watches; the caller.';
comment on column public.task_watchers.reason is 'How it began: creator, assignee, commenter, mentioned or asked; kept by the database.';
comment on column public.task_watchers.is_watching is 'false: has stopped, and is not added again by what others do.';

create or replace trigger task_watchers_fill_project before insert on public.task_watchers for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_watchers_keep_reason before insert on public.task_watchers for each row
  when (new.reason <> 'asked' and row_security_active('public.task_watchers') and current_user <> 'service_role')
  execute function private.keep_watcher();
create or replace trigger task_watchers_refuse_change before update on public.task_watchers for each row
  when (old.project_id <> new.project_id or old.task_id <> new.task_id or old.user_id <> new.user_id or old.reason <> new.reason)
  execute function private.refuse_change('project_id', 'task_id', 'user_id', 'reason');
create or replace trigger task_watchers_refuse_delete before delete on public.task_watchers for each row
  when (row_security_active('public.task_watchers') and current_user <> 'service_role' and old.user_id is distinct from private.me())
  execute function private.refuse_delete('Everyone watches and stops watching for themselves.');

-- public.project_watchers
select private.served_table('public.project_watchers', keeps => 'created_at');

create policy read_own on public.project_watchers for select to authenticated using (user_id = (select user_id from private.caller));
create policy add_own on public.project_watchers for insert to authenticated
  with check (user_id = (select user_id from private.caller) and project_id = any (array(select project_id from private.my_memberships)));
create policy change_own on public.project_watchers for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));
create policy remove_own on public.project_watchers for delete to authenticated using (user_id = (select user_id from private.caller));

grant all on public.project_watchers to service_role;
grant select on public.project_watchers to anon;
grant select, delete, insert (project_id, user_id, created_at, version), update (project_id, user_id, created_at, version)
  on public.project_watchers to authenticated;
comment on table public.project_watchers is 'Who watches all tasks of a project, but those they have stopped watching. Own rows only.';
comment on column public.project_watchers.user_id is 'Who watches; the caller.';

create or replace trigger project_watchers_refuse_change before update on public.project_watchers for each row
  when (old.project_id <> new.project_id or old.user_id <> new.user_id) execute function private.refuse_change('project_id', 'user_id');

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
  insert into public.task_watchers (project_id, task_id, user_id, reason)
  select distinct w.project_id, w.task_id, w.user_id, add_watchers.reason
  from unnest(wanted) w
  join public.project_members m on m.project_id = w.project_id and m.user_id = w.user_id
  order by w.project_id, w.task_id, w.user_id
  on conflict (project_id, task_id, user_id) do nothing;
end
$$;
comment on function private.add_watchers(private.watcher[], text) is 'Makes members watchers of tasks, unless they have stopped watching them.';

-- Watchers of the task, and watchers of its project who have not stopped watching this task.
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
comment on function private.watchers_of(uuid, uuid) is 'Who watches a task, by itself or with its project.';
