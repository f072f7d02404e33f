-- Claims of tasks: a lease on a task for one person or program, with a number that rises with every claim. At most one is open for each task.

create sequence private.claim_fences;
-- Above all that were given before a restore of a backup from before this file; a restore does the same (server/backup/restore-rows.ts).
select setval('private.claim_fences', extract(epoch from now())::bigint * 1000);

create table public.task_claims (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  audience_id uuid,
  user_id uuid not null references public.profiles (id) on delete cascade,
  program jsonb default private.claim_in(current_setting('request.jwt.claims', true), 'act'),
  fence bigint not null default nextval('private.claim_fences'),
  expires_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint task_claims_outcome_known check (outcome in ('finished', 'released', 'expired')),
  constraint task_claims_outcome_at_the_end check ((ended_at is null) = (outcome is null)),
  constraint task_claims_note_length check (char_length(note) <= 2000),
  constraint task_claims_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create unique index task_claims_open_idx on public.task_claims (project_id, task_id) where ended_at is null;
create index task_claims_task_idx on public.task_claims (project_id, task_id);
create index task_claims_task_id_idx on public.task_claims (task_id);
create index task_claims_fence_idx on public.task_claims (fence);
create index task_claims_user_id_idx on public.task_claims (user_id);
create index task_claims_expires_at_idx on public.task_claims (expires_at) where ended_at is null;
alter table public.task_claims enable row level security;

alter table public.task_activity drop constraint task_activity_kind_known;
alter table public.task_activity add constraint task_activity_kind_known check (kind in (
  'created', 'updated', 'moved', 'archived', 'restored', 'deleted', 'assigned', 'unassigned', 'labeled', 'unlabeled',
  'checklist_item_added', 'checklist_item_changed', 'checklist_item_removed', 'attached', 'attachment_renamed', 'detached',
  'dependency_added', 'dependency_changed', 'dependency_removed', 'commented', 'comment_edited', 'comment_deleted',
  'moved_in', 'moved_out', 'claimed', 'claim_released', 'claim_expired'
)) not valid;
