-- The figure of a limit is said apart from the sentence, so that a program can say it in the reader's own language: the details of the
-- refusal are the limit's name and how many it allows ("projects: 3"). Both functions are those of 0510_plan_limits.sql otherwise.

create or replace function private.keep_to_project_limit() returns trigger
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
      detail = format('projects: %s', allowed),
      hint = 'Archive or delete a project, or choose a larger plan.';
  end if;
  return null;
end
$$;

create or replace function private.keep_to_member_limit() returns trigger
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
      detail = format('members_per_project: %s', allowed),
      hint = 'Remove a member, or choose a larger plan.';
  end if;
  return null;
end
$$;
