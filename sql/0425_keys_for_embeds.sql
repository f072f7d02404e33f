-- Keys chosen so that embedding a table by its name has one meaning (docs/decisions/0037-keys-for-embeds.md): the people of a project
-- are its members, the people of a task those who work on it, and who made either of them is its `creator`.
--
-- To PostgREST a table joins any two tables that keys within its primary key point to. task_assignees, with four such keys, joined
-- tasks, projects, members and profiles crosswise, and task_label_links joined tasks, labels and projects: `projects` of a task and
-- `tasks` of a project had three meanings each.

-- The project of such a row is the project of its task: the key to tasks says so, and takes the row along.
alter table public.task_assignees drop constraint task_assignees_project_id_fkey;
alter table public.task_label_links drop constraint task_label_links_project_id_fkey;

-- Only members work on tasks -----------------------------------------------------------------------------------------
-- What the key to project_members said is said by triggers: one holds the membership until the assignment is committed, as a key
-- does; the other takes the assignments of a member who goes.

alter table public.task_assignees drop constraint task_assignees_must_be_members;

create function private.hold_member(in_project uuid, person uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.project_members m where m.project_id = in_project and m.user_id = person for key share;
  return found;
end
$$;
grant execute on function private.hold_member(uuid, uuid) to authenticated, service_role;

-- Says the same of a stranger and of nobody at all. A project that the caller does not see is left to the policy.
create function private.require_member() returns trigger
language plpgsql set search_path = '' as $$
begin
  if exists (select from public.projects p where p.id = new.project_id)
    and not private.hold_member(new.project_id, new.user_id) then
    raise exception using
      errcode = '23503',
      message = 'insert or update on table "task_assignees" violates "task_assignees_must_be_members"',
      detail = 'Only members of a project work on its tasks.',
      hint = 'Add the person to the project first.';
  end if;
  return new;
end
$$;
create trigger task_assignees_must_be_members before insert or update of project_id, user_id on public.task_assignees
  for each row execute function private.require_member();

create function private.unassign_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.task_assignees a where a.project_id = old.project_id and a.user_id = old.user_id;
  return null;
end
$$;
create trigger project_members_unassign after delete on public.project_members
  for each row execute function private.unassign_member();
create trigger project_members_unassign_changed after update on public.project_members for each row
  when (old.project_id <> new.project_id or old.user_id <> new.user_id) execute function private.unassign_member();

-- Who made it --------------------------------------------------------------------------------------------------------
-- These columns point at accounts, whose ids profiles share; `profiles` is left to members, assignees and whoever caused a
-- notification.

alter table public.tasks drop constraint tasks_created_by_fkey,
  add constraint tasks_created_by_fkey foreign key (created_by) references auth.users (id) on delete set null;
alter table public.projects drop constraint projects_created_by_fkey,
  add constraint projects_created_by_fkey foreign key (created_by) references auth.users (id) on delete set null;
alter table public.notifications drop constraint notifications_user_id_fkey,
  add constraint notifications_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade;

-- Written into the statement that embeds them, which a search_path of their own would prevent; every name is qualified.
create function public.creator(task public.tasks) returns setof public.profiles
language sql stable rows 1 as $$
  select p.* from public.profiles p where p.id = task.created_by
$$;
create function public.creator(project public.projects) returns setof public.profiles
language sql stable rows 1 as $$
  select p.* from public.profiles p where p.id = project.created_by
$$;
grant execute on function public.creator(public.tasks), public.creator(public.projects) to authenticated, service_role;

comment on function public.creator(public.tasks) is 'Who made the task, to embed: select=title,creator(display_name).';
comment on function public.creator(public.projects) is 'Who began the project, to embed: select=name,creator(display_name).';
