-- Restricted tasks: seen by the people named in task_grants, by who works on them, and by owners of the project. What is under a restricted task is
-- restricted with it. Every row of such a task bears its id as audience_id, kept by the triggers below; one policy of all these tables
-- (private.project_rows) reads it. Others learn nothing: dependencies never lead out of an audience, figures count no restricted task, and
-- whoever names a task they don't see is answered as if there were none.

select private.project_rows('public.task_grants', writes => '{id, project_id, task_id, user_id, group_id, is_named, level}',
  fixed => '{id, project_id, task_id, user_id, group_id}', author => 'created_by', fills_project => true, but => '{refuse_delete}');
select private.refuse_deletes('public.task_grants', 'not private.is_writer(old.project_id) and old.user_id is distinct from auth.uid()',
  'Ask an owner of the project for the editor role.');
create policy read_own on public.task_grants for select to authenticated
  using (task_id = any ((select private.guest_tasks('see'))::uuid[])
    and (user_id = (select user_id from private.caller) or group_id = any ((select private.groups_of_caller())::uuid[])));
create policy remove_own on public.task_grants for delete to authenticated
  using (user_id = (select user_id from private.caller) and task_id = any ((select private.guest_tasks('see'))::uuid[]));
comment on table public.task_grants is 'Who sees a restricted task, beside owners of its project: people who are named, and those who work on it; and who sees any task as a guest, without being in its project. Writers who see the task name members, owners guests; everybody gives up their own.';
comment on column public.task_grants.user_id is 'The person: a member of the project, or a guest, whom owners name; empty where a group is named.';
comment on column public.task_grants.group_id is 'The group, which stands for all who are in it, members of the project and guests; owners name groups.';
comment on column public.task_grants.level is 'What a guest may do with the task and what is under it: see, comment or edit. Of a member it says nothing: their role does.';
comment on column public.task_grants.is_named is 'false: they see it as long as they work on it.';
comment on column public.task_grants.created_by is 'Who named them: the caller.';

create or replace trigger task_grants_must_be_members before insert or update of level, is_named on public.task_grants for each row
  when (row_security_active('public.task_grants')) execute function private.require_right_to_name();
-- After the refusal of those who may not write.
create or replace trigger task_grants_unname_assignee before delete on public.task_grants for each row
  when (pg_trigger_depth() = 0 and old.is_named) execute function private.keep_grant_of_assignee();
create or replace trigger task_grants_forget after delete on public.task_grants for each row execute function private.forget_restricted();
create or replace trigger project_members_forget_hidden after update on public.project_members for each row
  when (old.role = 'owner' and new.role <> 'owner' and old.user_id is not null) execute function private.forget_hidden_from_former_owner();
create or replace trigger project_members_end_grants after delete on public.project_members for each row
  when (old.user_id is not null) execute function private.end_grants_of_member();

create or replace function private.groups_of_caller() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.group_id), '{}') from public.group_members p where p.user_id = (select c.user_id from private.caller c)
$$;
grant execute on function private.groups_of_caller() to authenticated;

-- Read with the rights of the owner of the tables, as private.my_memberships is.
create or replace view private.my_audiences with (security_barrier) as
select g.task_id as audience_id
from private.grants_of_people g
where g.user_id = (select c.user_id from private.caller c);
grant select on private.my_audiences to authenticated;
comment on view private.my_audiences is 'The restricted tasks that the caller sees by a grant.';

create or replace view private.my_hidden_tasks with (security_barrier) as
select t.id as task_id, t.project_id
from private.my_memberships m
join public.tasks t on t.project_id = m.project_id and t.audience_id is not null
where m.role <> 'owner' and t.audience_id <> all (array(select a.audience_id from private.my_audiences a))
  and exists (select from public.tasks r where r.audience_id is not null);
grant select on private.my_hidden_tasks to authenticated;
comment on view private.my_hidden_tasks is 'Tasks of the caller''s projects that they don''t see.';

-- The same for policies of the tables whose rows bear an audience. Functions: until a row is restricted they cost a statement nothing, where a view
-- would be opened each time.
create or replace function private.seen_audiences() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(a.audience_id), '{}') from private.my_audiences a
$$;
grant execute on function private.seen_audiences() to authenticated;

create or replace function private.owned_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.project_id), '{}') from private.my_memberships m where m.role = 'owner'
$$;
grant execute on function private.owned_projects() to authenticated;

create or replace function private.hidden_tasks() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(h.task_id), '{}') from private.my_hidden_tasks h
$$;
grant execute on function private.hidden_tasks() to authenticated;

-- For triggers and functions that run with the rights of the owner; the server's own roles and the service key see all.
create or replace function private.sees_audience(in_project uuid, audience uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select audience is null or private.is_own_work()
    or (private.token_reaches(in_project, 1) and (exists (select from private.my_audiences a where a.audience_id = audience) or exists (
      select from private.my_memberships m where m.project_id = in_project and m.role = 'owner'
    )))
$$;
grant execute on function private.sees_audience(uuid, uuid) to authenticated, service_role;

create or replace function private.is_in_audience(in_project uuid, audience uuid, person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select audience is null or exists (select from private.grants_of_people g where g.task_id = audience and g.user_id = person)
    or exists (select from public.project_members m where m.project_id = in_project and m.user_id = person and m.role = 'owner')
$$;
comment on function private.is_in_audience(uuid, uuid, uuid) is 'Whether a member of the project sees what this audience sees.';

-- In the words of the key that there is no such row: a task that the caller doesn't see is none.
create or replace function private.refuse_unseen(of_table text, key text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  raise exception using errcode = '23503', table = of_table, schema = 'public', constraint = of_table || '_' || key,
    message = format('insert or update on table "%s" violates foreign key constraint "%s_%s"', of_table, of_table, key),
    detail = format('Key is not present in table "%s".', case key when 'comment_of_same_task' then 'task_comments' else 'tasks' end);
end
$$;

-- Rows of tasks ---------------------------------------------------------------------------------------------------------

create or replace function private.keep_audience() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.audience_id := old.audience_id;
  return new;
end
$$;

create or replace function private.take_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Of a task that is gone, whoever saw it sees what is left of it.
  if tg_op = 'UPDATE' and new.task_id is null then
    return new;
  end if;
  select t.audience_id into new.audience_id from public.tasks t where t.id = new.task_id;
  if new.audience_id is not null and not private.sees_audience(new.project_id, new.audience_id) then
    if tg_table_name in ('comment_reactions', 'comment_resolutions') then
      perform private.refuse_unseen(tg_table_name, 'comment_of_same_task');
    end if;
    perform private.refuse_unseen(tg_table_name, 'task_of_same_project');
  end if;
  return new;
end
$$;

create or replace function private.take_audience_of_dependency() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before_it uuid;
begin
  select t.audience_id into new.audience_id from public.tasks t where t.id = new.successor_id;
  select t.audience_id into before_it from public.tasks t where t.id = new.predecessor_id;
  if new.audience_id is not null and not private.sees_audience(new.project_id, new.audience_id) then
    perform private.refuse_unseen('task_dependencies', 'successor_of_same_project');
  elsif before_it is not null and not private.sees_audience(new.project_id, before_it) then
    perform private.refuse_unseen('task_dependencies', 'predecessor_of_same_project');
  elsif before_it is distinct from new.audience_id then
    perform private.refuse('KB021', 'a restricted task and one that others see do not wait for each other',
      'Restrict both, one under the other, or let everyone in the project see the restricted one.');
  end if;
  return new;
end
$$;

create or replace trigger task_dependencies_take_audience before insert or update of predecessor_id, successor_id on public.task_dependencies
  for each row execute function private.take_audience_of_dependency();

-- Tasks -----------------------------------------------------------------------------------------------------------------

-- Of a task that is restricted by itself; asked for a new task by keep_task.
create or replace function private.own_audience(in_project uuid, of_task uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.sees_audience(in_project, of_task) then
    perform private.refuse('KB021', 'you would not see this task any more', 'Name yourself in task_grants first, in the same transaction or before.');
  end if;
  return of_task;
end
$$;
grant execute on function private.own_audience(uuid, uuid) to authenticated, service_role;

-- A task under another shares its audience; asked for a new task by place_subtask.
create or replace function private.audience_under(in_project uuid, parent uuid, restricted boolean) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  above constant uuid := (select t.audience_id from public.tasks t where t.id = parent);
begin
  if above is not null and not private.sees_audience(in_project, above) then
    perform private.refuse_unseen('tasks', 'parent_of_same_project');
  elsif restricted and above is null then
    perform private.refuse('KB021', 'a subtask is restricted with the task above it, not by itself',
      'Restrict the uppermost task, or take this one out from under it first.');
  end if;
  return above;
end
$$;
grant execute on function private.audience_under(uuid, uuid, boolean) to authenticated, service_role;

-- One that leaves a restricted task stays restricted, for the same people.
create or replace function private.place_in_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not private.is_reader(new.project_id) then
    perform private.refuse('42501', 'guests change neither who sees a task nor what it is a part of', 'Ask somebody in the project.');
  end if;
  if new.parent_id is not null then
    new.audience_id := private.audience_under(new.project_id, new.parent_id, new.is_restricted);
    new.is_restricted := false;
    return new;
  end if;
  if old.parent_id is not null and old.audience_id is not null then
    new.is_restricted := true;
    insert into public.task_grants (project_id, task_id, user_id, group_id, is_named, level, created_by)
    select g.project_id, new.id, g.user_id, g.group_id, g.is_named, g.level, g.created_by from public.task_grants g where g.task_id = old.audience_id
    on conflict (project_id, task_id, user_id, group_id) do nothing;
  end if;
  new.audience_id := case
    when new.is_restricted and old.is_restricted then new.id
    when new.is_restricted then private.own_audience(new.project_id, new.id)
  end;
  return new;
end
$$;

-- For the task that was restricted, opened or moved, or is made so, and all that is under it.
create or replace function private.spread_audience() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  tree constant uuid[] := array(select private.with_subtasks(array[new.id]));
  of_table text;
begin
  if tg_op = 'UPDATE' and old.parent_id is not distinct from new.parent_id and old.is_restricted = new.is_restricted then
    return null;
  end if;
  update public.tasks t set audience_id = new.audience_id where t.id = any (tree) and t.id <> new.id;
  delete from public.task_dependencies d where (d.predecessor_id = any (tree)) <> (d.successor_id = any (tree))
    and exists (select from public.tasks o where o.id in (d.predecessor_id, d.successor_id) and o.id <> all (tree) and o.audience_id is distinct from new.audience_id);
  foreach of_table in array array['task_assignees', 'task_label_links', 'task_checklist_items', 'task_attachments', 'task_comments',
    'comment_reactions', 'comment_resolutions', 'task_activity', 'task_recurrences', 'task_field_values', 'task_watchers', 'task_grants', 'task_claims',
    'agent_sessions', 'agent_activities', 'agent_proposals'] loop
    execute format('update public.%I r set audience_id = $1 where r.project_id = $2 and r.task_id = any ($3)', of_table)
      using new.audience_id, new.project_id, tree;
  end loop;
  update public.task_dependencies d set audience_id = new.audience_id where d.project_id = new.project_id and d.successor_id = any (tree);
  update private.task_waits w set audience_id = new.audience_id where w.task_id = any (tree);
  update private.task_search s set audience_id = new.audience_id where s.task_id = any (tree);
  if new.audience_id is null then
    delete from public.task_grants g where g.project_id = new.project_id and g.task_id = new.id and not g.is_named
      and not private.is_shared_with_guests(g);
    perform private.settle_grant(g) from public.task_grants g where g.project_id = new.project_id and g.task_id = any (tree);
  else
    insert into public.task_grants (project_id, task_id, user_id, is_named)
    select distinct a.project_id, new.audience_id, a.user_id, false from public.task_assignees a
    where a.project_id = new.project_id and a.task_id = any (tree)
    on conflict (project_id, task_id, user_id, group_id) do nothing;
    perform private.forget_unseen(new.project_id, new.audience_id, tree);
    if tg_op = 'UPDATE' then
      perform private.forget_hidden(new.project_id, array(
        select p.user_id from private.people_of_project p where p.project_id = new.project_id));
    end if;
  end if;
  if new.is_restricted is distinct from (tg_op = 'UPDATE' and old.is_restricted) then
    perform private.record_restriction(new);
  end if;
  return null;
end
$$;

-- What led there: notifications, and addresses of files.
create or replace function private.forget_unseen(in_project uuid, audience uuid, tree uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.notifications n where n.task_id = any (tree) and not private.is_in_audience(in_project, audience, n.user_id);
  select private.end_links_to('attachments', a.object_path, null)
  from public.task_attachments a where a.project_id = in_project and a.task_id = any (tree);
$$;

-- Of people who saw restricted tasks until now, by a group, a grant or as owners: news of them, claims of them, exports that hold them.
create or replace function private.forget_hidden(in_project uuid, people uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.notifications n using public.tasks t
  where n.user_id = any (people) and n.project_id = in_project and t.id = n.task_id and t.audience_id is not null
    and not private.is_in_audience(in_project, t.audience_id, n.user_id);
  select private.end_claims(array(
    select c.id from public.task_claims c
    where c.project_id = in_project and c.user_id = any (people) and c.ended_at is null and c.audience_id is not null
      and not private.is_in_audience(in_project, c.audience_id, c.user_id)
    order by c.id), 'released');
  select private.end_exports_of(e.user_id, in_project) from (select distinct x.user_id from private.exports x where x.user_id = any (people)) e
  where exists (
    select from public.tasks t
    where t.project_id = in_project and t.is_restricted and not private.is_in_audience(in_project, t.id, e.user_id));
$$;
comment on function private.forget_hidden(uuid, uuid[]) is 'Takes from people what they have of restricted tasks that they no longer see.';

create or replace function private.forget_hidden_from_former_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.forget_hidden(old.project_id, array[old.user_id]);
  return null;
end
$$;

create or replace function private.record_restriction(of_task public.tasks) returns void
language sql volatile security definer set search_path = '' as $$
  select private.record_activity(of_task.project_id, of_task.id, 'updated',
    jsonb_build_object('is_restricted', jsonb_build_object('from', not of_task.is_restricted, 'to', of_task.is_restricted)));
  select private.log_access_to_task(of_task.id, '{"kind": "members"}', jsonb_build_object('restricted', not of_task.is_restricted),
    jsonb_build_object('restricted', of_task.is_restricted));
$$;

-- Grants ----------------------------------------------------------------------------------------------------------------

-- What clients write: writers name members, owners guests and groups as well.
create or replace function private.require_right_to_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_task constant public.tasks := (select t from public.tasks t where t.id = new.task_id);
begin
  -- The others are the database's own.
  new.is_named := true;
  perform from public.project_members m where m.project_id = new.project_id and m.user_id = new.user_id for key share;
  if of_task.parent_id is not null and (found or of_task.audience_id is not null) then
    perform private.refuse('KB021', 'a subtask is restricted with the task above it, not by itself', 'Name people of the uppermost task.');
  elsif not found and current_setting('role', true) = 'program' then
    perform private.refuse('42501', 'a key or app cannot let people into a project', 'Share the task yourself: guests are let in by people.');
  elsif not found and private.is_reader(new.project_id) and not private.is_owner(new.project_id) then
    perform private.refuse('23503', 'insert or update on table "task_grants" violates "task_grants_must_be_members"',
      'Add the person to the project first, or have an owner share the task with them.', 'Owners of a project alone share its tasks with people who are not in it.');
  elsif new.group_id is not null and not exists (select from private.my_groups g where g.group_id = new.group_id) then
    perform private.refuse('42501', 'there is no such group', 'Name one that you see.');
  end if;
  return new;
end
$$;

-- Whoever works on the task sees it, named or not.
create or replace function private.keep_grant_of_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_shared_with_guests(old) then
    if private.due_level(old) is not null then
      update public.task_grants g set is_named = false, level = private.due_level(old) where g.id = old.id;
      return null;
    end if;
  elsif exists (select from public.task_assignees a where a.project_id = old.project_id and a.audience_id = old.task_id and a.user_id = old.user_id) then
    update public.task_grants g set is_named = false where g.id = old.id;
    return null;
  end if;
  return old;
end
$$;

create or replace function private.forget_restricted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.tasks t where t.id = old.task_id and t.is_restricted) then
    perform private.forget_unseen(old.project_id, old.task_id, array(select private.with_subtasks(array[old.task_id])));
    perform private.forget_hidden(old.project_id, array(select private.people_of_grant(old)));
  end if;
  return null;
end
$$;

create or replace function private.end_grants_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.project_exists(old.project_id) then
    delete from public.task_grants g where g.project_id = old.project_id and g.user_id = old.user_id;
    perform private.forget_left_guest(old.project_id, old.user_id);
    -- Groups may share tasks with them.
    perform pg_notify('kanbase_guests', old.user_id::text) where private.is_guest(old.project_id, old.user_id);
  end if;
  return null;
end
$$;

create or replace function private.grant_to_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.task_grants (project_id, task_id, user_id, is_named) values (new.project_id, new.audience_id, new.user_id, false)
    on conflict (project_id, task_id, user_id, group_id) do nothing;
  else
    perform private.settle_grant(g) from public.task_grants g
    where g.project_id = old.project_id and g.task_id in (old.audience_id, old.task_id) and g.user_id = old.user_id;
    delete from public.task_grants g
    where g.project_id = old.project_id and g.task_id = old.audience_id and g.user_id = old.user_id and not g.is_named
      and private.is_member(g.project_id, g.user_id)
      and not exists (select from public.task_assignees a where a.audience_id = old.audience_id and a.user_id = old.user_id);
  end if;
  return null;
end
$$;

-- Of a task that is copied, for its copy; answers the id of the copy.
create or replace function private.copy_grants(original public.tasks, to_task uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
begin
  if original.is_restricted and private.sees_audience(original.project_id, original.id) then
    insert into public.task_grants (project_id, task_id, user_id, group_id, is_named, created_by)
    select g.project_id, to_task, g.user_id, g.group_id, true, g.created_by from public.task_grants g
    where g.task_id = original.id and (g.is_named or g.user_id = private.me()) and (private.is_member(g.project_id, g.user_id)
      or exists (select from public.project_members m where m.project_id = g.project_id and m.group_id = g.group_id))
    on conflict (project_id, task_id, user_id, group_id) do nothing;
  end if;
  return to_task;
end
$$;
grant execute on function private.copy_grants(public.tasks, uuid) to authenticated, service_role;
