-- Guests: people who are not in a project and see single tasks of it, with what is under these, by task_grants: their own, or those of groups they
-- are in. A grant's level says what they may there: see, comment, edit. Owners share tasks with them, by their id or by an invitation to the task; who is assigned edits. What is under a
-- shared task has grants of its own (not is_named), kept by the triggers below, so that policies ask the row at hand.
-- A guest sees the project, its columns, labels and fields as well, and its people's profiles; nothing else of it.

-- The server gives callers for whom it is worth to look for grants the role task_guest, or where a token narrows their rights, a claim beside the role
-- program (server/session/narrowing.ts); policies of these roles cost nobody else anything. To say so of anybody gives them nothing.
create or replace function private.may_be_guest() returns boolean
language sql stable
return case current_setting('role', true)
  when 'task_guest' then true
  when 'program' then coalesce(current_setting('request.jwt.claims', true), '') like '%"guest"%'
  else false
end;
grant execute on function private.may_be_guest() to authenticated, service_role;

create or replace view private.grants_of_people with (security_barrier) as
select g.project_id, g.task_id, g.user_id, g.level, g.is_named, g.group_id, g.audience_id, g.created_by, g.created_at
from public.task_grants g where g.user_id is not null
union all
select g.project_id, g.task_id, p.user_id, g.level, g.is_named, g.group_id, g.audience_id, g.created_by, greatest(g.created_at, p.created_at)
from public.task_grants g join public.group_members p on p.group_id = g.group_id;
comment on view private.grants_of_people is 'Grants of tasks, and of those to groups one for each of their people.';

create or replace view private.my_guest_tasks with (security_barrier) as
select g.task_id, g.project_id, g.level
from private.grants_of_people g
join public.projects p on p.id = g.project_id and p.deleted_at is null
where g.user_id = (select c.user_id from private.caller c)
  and not exists (select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id)
  -- One that came under a restricted task since: whom that names sees it.
  and (g.audience_id is null or exists (select from private.grants_of_people a where a.task_id = g.audience_id and a.user_id = g.user_id));
grant select on private.my_guest_tasks to authenticated;
comment on view private.my_guest_tasks is 'Tasks that the caller sees as a guest, and what they may there.';

-- Colleagues, guests of the caller's projects, service accounts they manage, and to a guest members and other guests.
create or replace view private.people_in_sight with (security_barrier) as
select c.user_id from private.my_colleagues c
union
select g.user_id from private.my_memberships m join private.grants_of_people g on g.project_id = m.project_id
union
select m.user_id from private.my_guest_tasks t join public.project_members m on m.project_id = t.project_id
where private.may_be_guest() and m.user_id is not null
union
select g.user_id from private.my_guest_tasks t join private.grants_of_people g on g.project_id = t.project_id and g.task_id = t.task_id
where private.may_be_guest()
union
select s.id from private.my_service_accounts s;
grant select on private.people_in_sight to authenticated;
comment on view private.people_in_sight is 'Everyone whose name and picture the caller sees.';

-- For policies: a function costs a statement nothing until it is called.
create or replace function private.guest_projects() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(distinct g.project_id), '{}') from private.my_guest_tasks g
$$;
grant execute on function private.guest_projects() to authenticated;

create or replace function private.guest_tasks(at_least public.grant_level) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(g.task_id), '{}') from private.my_guest_tasks g where g.level >= at_least
$$;
grant execute on function private.guest_tasks(public.grant_level) to authenticated;

create or replace function private.tasks_shared_with_caller(in_project uuid) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_be_guest() then
    return '{}';
  end if;
  return array(
    select distinct g.task_id from private.my_guest_tasks g
    where (in_project is null or g.project_id = in_project) and private.token_reaches(g.project_id, 1)
  );
end
$$;
comment on function private.tasks_shared_with_caller(uuid) is 'Tasks that the caller sees as a guest, of one project or of all.';

-- For triggers, which have a row at hand.
create or replace function private.may_edit_task(in_project uuid, of_task uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_writer(in_project) or exists (select from private.my_guest_tasks g where g.task_id = of_task and g.level = 'edit' and private.token_reaches(g.project_id, 3))
$$;
grant execute on function private.may_edit_task(uuid, uuid) to authenticated, service_role;

create or replace function private.may_comment_on(in_project uuid, of_task uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.may_comment(in_project) or exists (select from private.my_guest_tasks g where g.task_id = of_task and g.level >= 'comment' and private.token_reaches(g.project_id, 2))
$$;
grant execute on function private.may_comment_on(uuid, uuid) to authenticated, service_role;

create or replace function private.is_member(in_project uuid, person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.project_members m where m.project_id = in_project and m.user_id = person)
$$;

create or replace function private.is_member_group(in_project uuid, of_group uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.project_members m where m.project_id = in_project and m.group_id = of_group)
$$;

create or replace view private.people_of_project with (security_barrier) as
select m.project_id, m.user_id from public.project_members m where m.user_id is not null
union
select g.project_id, g.user_id from private.grants_of_people g;
comment on view private.people_of_project is 'Members and guests of projects.';

-- A person with grants in a project they are not in.
create or replace function private.is_guest(in_project uuid, person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.grants_of_people g where g.project_id = in_project and g.user_id = person)
    and not private.is_member(in_project, person) and private.project_exists(in_project)
$$;
grant execute on function private.is_guest(uuid, uuid) to authenticated, service_role;

create or replace function private.is_on_task(in_project uuid, of_task uuid, person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_member(in_project, person)
    or exists (select from private.grants_of_people g where g.project_id = in_project and g.task_id = of_task and g.user_id = person)
$$;
comment on function private.is_on_task(uuid, uuid, uuid) is 'Whether a person is a member of the project, or a guest on this task.';

-- For the server, at its start and when it has missed messages; a guest is announced by announce_guest.
create or replace function auth.guests() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct g.user_id from private.grants_of_people g
  where not exists (select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id)
$$;
grant execute on function auth.guests() to kanbase_identity;
comment on function auth.guests() is 'People who see tasks of projects they are not in.';

-- What is under a shared task ----------------------------------------------------------------------------------------------

create or replace trigger task_grants_share after insert or update of level on public.task_grants for each row
  execute function private.share_subtasks();
create or replace trigger task_grants_unshare after delete on public.task_grants for each row execute function private.unshare_subtasks();
create or replace trigger group_members_announce_guests after insert on public.group_members referencing new table as changed for each statement
  execute function private.announce_guests_of_groups();
create or replace trigger group_members_forget_tasks after delete on public.group_members referencing old table as changed for each statement
  execute function private.forget_tasks_of_groups();

-- Whom a grant is to, as a word: a group, or a person who is not in the project. Of members nothing is shared beyond the task itself.
create or replace function private.is_shared_with_guests(g public.task_grants) returns boolean
language sql stable security definer set search_path = '' as $$
  select (g).group_id is not null or not private.is_member((g).project_id, (g).user_id)
$$;

create or replace function private.people_of_grant(g public.task_grants) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select (g).user_id where (g).user_id is not null
  union all
  select m.user_id from public.group_members m where m.group_id = (g).group_id
$$;

-- The level of a guest's grant that is not named: by their work on the task (edit), on something under it where it is restricted (see), or by a
-- grant of the task above. Null: nothing gives it any more.
create or replace function private.due_level(g public.task_grants) returns public.grant_level
language sql stable security definer set search_path = '' as $$
  select greatest(
    case
      when exists (select from public.task_assignees a where a.project_id = (g).project_id and a.task_id = (g).task_id and a.user_id = (g).user_id) then 'edit'
      when exists (select from public.task_assignees a where a.project_id = (g).project_id and a.audience_id = (g).task_id and a.user_id = (g).user_id) then 'see'
    end::public.grant_level, (
      select max(o.level) from public.tasks t join public.task_grants o on o.project_id = t.project_id and o.task_id = t.parent_id
      where t.id = (g).task_id and o.user_id is not distinct from (g).user_id and o.group_id is not distinct from (g).group_id
    ))
$$;

create or replace function private.settle_grant(g public.task_grants) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant public.grant_level := private.due_level(g);
begin
  if g.is_named or not private.is_shared_with_guests(g) then
    return;
  elsif due is null then
    delete from public.task_grants o where o.id = g.id;
  elsif due <> g.level then
    update public.task_grants o set level = due where o.id = g.id;
  end if;
end
$$;

-- Of a restricted task the rows under it bear its audience already.
create or replace function private.share_subtasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_shared_with_guests(new) then
    return null;
  end if;
  -- Where it comes from the task above they are told already.
  if new.is_named or pg_trigger_depth() = 1 then
    perform pg_notify('kanbase_guests', p.user_id::text) from private.people_of_grant(new) p (user_id);
  end if;
  insert into public.task_grants as g (project_id, task_id, user_id, group_id, is_named, level, created_by)
  select t.project_id, t.id, new.user_id, new.group_id, false, new.level, new.created_by from public.tasks t
  where t.project_id = new.project_id and t.parent_id = new.task_id
  on conflict (project_id, task_id, user_id, group_id) do update set level = private.due_level(g)
    where not g.is_named and g.level <> private.due_level(g);
  return null;
end
$$;

create or replace function private.unshare_subtasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_shared_with_guests(old) or not private.project_exists(old.project_id) then
    return null;
  end if;
  perform private.settle_grant(g) from public.task_grants g join public.tasks t on t.project_id = g.project_id and t.id = g.task_id
  where t.project_id = old.project_id and t.parent_id = old.task_id
    and g.user_id is not distinct from old.user_id and g.group_id is not distinct from old.group_id;
  perform private.forget_task(old.project_id, old.task_id, p.user_id)
  from private.people_of_grant(old) p (user_id);
  return null;
end
$$;

-- Of who does not see it any more: their work on it, its news, addresses of its files; with the last task, all that opens something of the project.
create or replace function private.forget_task(in_project uuid, of_task uuid, person uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.is_member(in_project, person)
    or exists (select from private.grants_of_people g where g.project_id = in_project and g.task_id = of_task and g.user_id = person) then
    return;
  end if;
  delete from public.task_assignees a where a.project_id = in_project and a.task_id = of_task and a.user_id = person;
  delete from public.notifications n where n.task_id = of_task and n.user_id = person;
  perform private.end_links_to('attachments', a.object_path, person)
  from public.task_attachments a where a.project_id = in_project and a.task_id = of_task;
  perform private.end_exports_of(person, in_project);
  if not private.is_guest(in_project, person) then
    delete from public.access_grants g where g.project_id = in_project and g.user_id = person;
  end if;
end
$$;

create or replace function private.announce_guests_of_groups() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('kanbase_guests', c.user_id::text)
  from changed c where exists (select from public.task_grants g where g.group_id = c.group_id);
  return null;
end
$$;

create or replace function private.forget_tasks_of_groups() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.forget_task(g.project_id, g.task_id, c.user_id)
  from changed c join public.task_grants g on g.group_id = c.group_id;
  -- Of restricted tasks, members who saw them by the group alone.
  perform private.forget_unseen(g.project_id, g.task_id, array(select private.with_subtasks(array[g.task_id])))
  from (select distinct c.group_id from changed c) c join public.task_grants g on g.group_id = c.group_id
  join public.tasks t on t.id = g.task_id and t.is_restricted;
  perform private.forget_hidden(l.project_id, l.people)
  from (
    select g.project_id, array_agg(distinct c.user_id) as people
    from changed c join public.task_grants g on g.group_id = c.group_id join public.tasks t on t.id = g.task_id and t.is_restricted
    group by g.project_id
  ) l;
  return null;
end
$$;

-- A task that comes under another is seen by the guests of that one; by those of its former parent no longer, unless it was shared by itself.
create or replace function private.follow_guests_of_parent(task public.tasks) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.settle_grant(g) from public.task_grants g where g.project_id = task.project_id and g.task_id = task.id;
  insert into public.task_grants as g (project_id, task_id, user_id, group_id, is_named, level, created_by)
  select o.project_id, task.id, o.user_id, o.group_id, false, o.level, o.created_by from public.task_grants o
  where o.project_id = task.project_id and o.task_id = task.parent_id and private.is_shared_with_guests(o)
  on conflict (project_id, task_id, user_id, group_id) do nothing;
end
$$;

-- Guests at work ------------------------------------------------------------------------------------------------------------

-- A guest of the project may be assigned, and edits the task then. False for everybody else.
create or replace function private.let_guest_work(in_project uuid, on_task uuid, person uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  -- Locks the grant, so that a guest who is being removed is waited for.
  perform from public.task_grants g
  where g.project_id = in_project and private.is_reader(in_project)
    and (g.user_id = person or g.group_id in (select m.group_id from public.group_members m where m.user_id = person))
  for key share;
  if not found or private.is_member(in_project, person) then
    return false;
  end if;
  insert into public.task_grants as g (project_id, task_id, user_id, is_named, level) values (in_project, on_task, person, false, 'edit')
  on conflict (project_id, task_id, user_id, group_id) do update set level = 'edit' where not g.is_named;
  return true;
end
$$;
grant execute on function private.let_guest_work(uuid, uuid, uuid) to authenticated, service_role;

-- Takes a guest out of a project; they may go themselves. Owners take out groups of guests and invited addresses as well, and all of them also from
-- what tasks in other projects left behind here.
create or replace function private.end_guest(in_project uuid, person uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  by_owner constant boolean := private.me() is not null and private.is_owner(in_project);
  was_one boolean := false;
begin
  if by_owner then
    perform private.require_user();
    -- First, and again at the end: a task may be on its way back, or away.
    was_one := private.forget_left_guest(in_project, person);
  end if;
  if private.is_guest(in_project, person) then
    if not (person = private.require_user() or by_owner) then
      return false;
    end if;
    was_one := true;
    delete from public.task_assignees a where a.project_id = in_project and a.user_id = person;
    delete from public.task_grants g where g.project_id = in_project and g.user_id = person;
    delete from public.project_invitations i using auth.users u
    where i.project_id = in_project and i.task_id is not null and i.accepted_at is null and u.id = person and lower(u.email) = lower(i.email);
    if private.is_guest(in_project, person) then
      perform private.refuse('42501', 'tasks of this project are shared with a group they are in', 'Take the group off these tasks, or the person out of the group.');
    end if;
  elsif by_owner then
    delete from public.task_grants g where g.project_id = in_project and g.group_id = person and not private.is_member_group(in_project, person);
    was_one := was_one or found;
    delete from public.project_invitations i where i.project_id = in_project and i.id = person and i.task_id is not null and i.accepted_at is null;
    was_one := was_one or found;
  end if;
  if by_owner or was_one then
    was_one := private.forget_left_guest(in_project, person) or was_one;
  end if;
  return was_one;
end
$$;
grant execute on function private.end_guest(uuid, uuid) to authenticated, service_role;

create or replace function public.remove_guest(project_id uuid, user_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if not private.end_guest(remove_guest.project_id, remove_guest.user_id) then
    if exists (select from private.my_memberships m where m.project_id = remove_guest.project_id and m.role <> 'owner') then
      perform private.refuse('42501', 'only an owner of the project can remove its guests', 'Ask an owner.');
    end if;
    perform private.raise_not_found('guest');
  end if;
end
$$;
grant execute on function public.remove_guest(uuid, uuid) to authenticated, service_role;
comment on function public.remove_guest(uuid, uuid) is 'Takes a guest out of a project: its tasks are shared with them no longer, nor are those that moved away and come back. user_id: the id of a person, a group, or an open invitation. For owners; guests go by leave_project.';
