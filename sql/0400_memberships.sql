-- What policies ask: the caller and their memberships as views, read once per statement. They replace plpgsql functions that
-- policies called (docs/decisions/0036-policies-read-a-view.md says what that saves). Who may see and do what stays the same.

-- An expression that Postgres writes into the statement that uses it: nothing is called. The body is parsed here and now, so it
-- needs no search_path (and a setting would keep it from being written in).
create or replace function auth.uid() returns uuid
language sql stable
begin atomic
  select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid;
end;

-- Whom policies take the caller for: nobody while their account has a second factor that this session has not used. The same rule
-- as private.me(), which triggers and procedures call; "offset 0" has the claims read once.
create view private.caller as
select case when token.claims -> 'mfa_pending' = 'true' then null else nullif(token.claims ->> 'sub', '')::uuid end as user_id
from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims offset 0) as token;

-- Read with the rights of the owner of the tables, whom their policies do not bind: else project_members' policy would ask itself.
-- security_barrier: no condition of whoever reads it is tried on a row that is not the caller's.
create view private.my_memberships with (security_barrier) as
select m.project_id, m.role
from public.project_members m
where m.user_id = (select c.user_id from private.caller c);

-- Everyone the caller shares a project with, the caller too.
create view private.my_colleagues with (security_barrier) as
select distinct other.user_id
from public.project_members mine
join public.project_members other on other.project_id = mine.project_id
where mine.user_id = (select c.user_id from private.caller c);

revoke all on private.caller, private.my_memberships, private.my_colleagues from public;
grant select on private.caller, private.my_memberships, private.my_colleagues to authenticated;

comment on view private.caller is 'The caller, as policies see them; null: nobody.';
comment on view private.my_memberships is 'The caller''s projects, and what they are in each. Policies read it, once per statement.';
comment on view private.my_colleagues is 'Everyone the caller shares a project with.';

-- A "remove" policy shows all members the row. Who may not delete it is refused by the trigger beside it, <table>_refuse_delete
-- (tasks_40_refuse_delete, see 0410): with 403, where a policy alone would find nothing to delete and say nothing.

-- Settings, members and invitations are the owners'.

alter policy read on public.projects
  using (id = any (array(select project_id from private.my_memberships)));
alter policy change on public.projects
  using (id = any (array(select project_id from private.my_memberships)))
  with check (id = any (array(select project_id from private.my_memberships where role = 'owner')));
alter policy remove on public.projects
  using (id = any (array(select project_id from private.my_memberships)));

alter policy read on public.project_members
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.project_members
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
alter policy change on public.project_members
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
alter policy remove on public.project_members
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.project_invitations
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.project_invitations
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
alter policy change on public.project_invitations
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
alter policy remove on public.project_invitations
  using (project_id = any (array(select project_id from private.my_memberships)));

-- What is in a project is written by owners and editors.

alter policy read on public.workflow_columns
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.workflow_columns
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.workflow_columns
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.workflow_columns
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.tasks
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.tasks
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.tasks
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.tasks
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_assignees
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_assignees
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_assignees
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_assignees
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_labels
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_labels
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_labels
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_labels
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_label_links
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_label_links
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_label_links
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_label_links
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_checklist_items
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_checklist_items
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_checklist_items
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_checklist_items
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_attachments
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_attachments
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_attachments
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_attachments
  using (project_id = any (array(select project_id from private.my_memberships)));

alter policy read on public.task_dependencies
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_dependencies
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_dependencies
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_dependencies
  using (project_id = any (array(select project_id from private.my_memberships)));

-- Comments are edited by their authors alone; task_comments_refuse_delete leaves deleting to them and to owners.
alter policy read on public.task_comments
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy add on public.task_comments
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy change on public.task_comments
  using (project_id = any (array(select project_id from private.my_memberships)))
  with check (author_id = (select auth.uid()) and project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
alter policy remove on public.task_comments
  using (project_id = any (array(select project_id from private.my_memberships)));

-- One's own views and the shared; saved_views_refuse_delete leaves deleting to who made one and to owners.
alter policy read on public.saved_views
  using (project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())));
alter policy add on public.saved_views
  with check (project_id = any (array(select project_id from private.my_memberships)) and owner_id = (select auth.uid())
    and (not is_shared or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy change on public.saved_views
  using (project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())))
  with check (project_id = any (array(select project_id from private.my_memberships)) and owner_id = (select auth.uid())
    and (not is_shared or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy remove on public.saved_views
  using (project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())));

-- History and figures are read by members and written by triggers alone.
alter policy read on public.task_activity
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy read on private.project_figures
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy read on private.task_waits
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy read on private.column_flow
  using (project_id = any (array(select project_id from private.my_memberships)));
alter policy read on private.column_kinds
  using (project_id = any (array(select project_id from private.my_memberships)));

-- One's own row is readable before the second factor too: it greets by name and says nothing /auth/v1/user does not.
alter policy read_own_and_colleagues on public.profiles
  using (id = (select auth.uid()) or id = any (array(select user_id from private.my_colleagues)));
alter policy make_own on public.profiles
  with check (id = (select user_id from private.caller));
alter policy change_own on public.profiles
  using (id = (select auth.uid()) or id = any (array(select user_id from private.my_colleagues)))
  with check (id = (select user_id from private.caller));

alter policy read_own on public.notifications
  using (user_id = (select user_id from private.caller));
alter policy change_own on public.notifications
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));
alter policy remove_own on public.notifications
  using (user_id = (select user_id from private.caller));

drop function private.my_writable_projects();
drop function private.my_owned_projects();
drop function private.my_colleagues();
-- private.my_projects() stays for the procedures that ask it (find_tasks, issue_invitation); no policy does.
revoke execute on function private.my_projects() from authenticated;

-- Its one statement asks eight tables: to plan it takes longer than to run it, and the plan is the same for every project.
alter function public.dashboard_metrics(uuid) set plan_cache_mode = force_generic_plan;
