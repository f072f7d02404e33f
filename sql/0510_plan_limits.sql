-- Limits that come with a plan, where the operator enforces them (`billing.plans.is_enforced`; nobody does at first).
-- Known names: `projects` (a person's projects that are not archived) and `members_per_project` (by the plan of whoever
-- made the project). SQLSTATE PT402 is HTTP 402 at the data door.

create function private.keep_to_project_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  allowed bigint := private.plan_limit(new.created_by, 'projects');
begin
  if allowed is null then
    return null;
  end if;
  -- One at a time per person, or two at once would both find the last place free.
  perform pg_advisory_xact_lock(hashtextextended('plan of ' || new.created_by, 0));
  if (select count(*) from public.projects p where p.created_by = new.created_by and p.archived_at is null) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('Your plan allows %s %s', allowed, case allowed when 1 then 'project' else 'projects' end),
      hint = 'Archive or delete a project, or choose a larger plan.';
  end if;
  return null;
end
$$;
revoke all on function private.keep_to_project_limit() from public;

create trigger projects_keep_to_plan after insert on public.projects for each row
  when (new.created_by is not null and new.archived_at is null) execute function private.keep_to_project_limit();
create trigger projects_keep_to_plan_when_back after update on public.projects for each row
  when (new.created_by is not null and old.archived_at is not null and new.archived_at is null)
  execute function private.keep_to_project_limit();

create function private.keep_to_member_limit() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  maker uuid;
  allowed bigint;
begin
  select p.created_by into maker from public.projects p where p.id = new.project_id;
  allowed := private.plan_limit(maker, 'members_per_project');
  if allowed is null then
    return null;
  end if;
  perform from public.projects p where p.id = new.project_id for no key update;
  if (select count(*) from public.project_members m where m.project_id = new.project_id) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('The plan of this project allows %s %s', allowed, case allowed when 1 then 'member' else 'members' end),
      hint = 'Remove a member, or choose a larger plan.';
  end if;
  return null;
end
$$;
revoke all on function private.keep_to_member_limit() from public;

create trigger project_members_keep_to_plan after insert on public.project_members for each row
  execute function private.keep_to_member_limit();
