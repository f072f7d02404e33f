-- Restricted tasks: seen by the people named in task_grants, by who works on them, and by owners. What is under one is restricted with it. Each row
-- of such a task bears the id of the restricted one, so that a policy asks the row at hand.

alter table public.tasks
  add column is_restricted boolean not null default false,
  add column audience_id uuid,
  add constraint tasks_restricted_at_the_top check (not is_restricted or (parent_id is null and audience_id = id));
alter table public.task_assignees add column audience_id uuid;
alter table public.task_label_links add column audience_id uuid;
alter table public.task_checklist_items add column audience_id uuid;
alter table public.task_attachments add column audience_id uuid;
alter table public.task_dependencies add column audience_id uuid;
alter table public.task_comments add column audience_id uuid;
alter table public.comment_reactions add column audience_id uuid;
alter table public.comment_resolutions add column audience_id uuid;
alter table public.task_activity add column audience_id uuid;
alter table public.task_recurrences add column audience_id uuid;
alter table public.task_field_values add column audience_id uuid;
alter table public.task_watchers add column audience_id uuid;
alter table private.task_waits add column audience_id uuid;
alter table private.task_search add column audience_id uuid;

create index tasks_restricted_idx on public.tasks (project_id, audience_id) where audience_id is not null;

-- Figures count what everybody in the project sees.
drop index public.tasks_completed_idx;
create index tasks_completed_idx on public.tasks (project_id, completed_at) include (created_at, started_at)
  where completed_at is not null and archived_at is null and audience_id is null;
drop index public.tasks_cycle_idx;
create index tasks_cycle_idx on public.tasks (project_id, private.seconds_between(started_at, completed_at)) include (started_at, completed_at)
  where completed_at is not null and archived_at is null and audience_id is null;
drop index public.tasks_lead_idx;
create index tasks_lead_idx on public.tasks (project_id, private.seconds_between(created_at, completed_at)) include (created_at, completed_at)
  where completed_at is not null and archived_at is null and audience_id is null;

create table public.task_grants (
  id uuid not null default private.uuid_v7(),
  project_id uuid not null,
  task_id uuid not null,
  -- points at the account, whose id the profile shares, so that the people of a task stay its assignees
  user_id uuid not null references auth.users (id) on delete cascade,
  -- false: only their work on it lets them see it
  is_named boolean not null default true,
  audience_id uuid,
  created_by uuid default auth.uid() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  primary key (project_id, task_id, user_id),
  constraint task_grants_id_key unique (id),
  -- at the end: people may be named in the transaction that makes the task, before it
  constraint task_grants_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade deferrable initially deferred
);
create index task_grants_task_id_idx on public.task_grants (task_id);
create index task_grants_user_id_idx on public.task_grants (user_id, project_id);
create index task_grants_created_by_idx on public.task_grants (created_by);
alter table public.task_grants enable row level security;
