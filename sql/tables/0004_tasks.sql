-- Tasks with their parts, dependencies, comments and history, and the data that triggers maintain: open predecessors, search words, figures of the
-- dashboard. Keys that point at a task say "on update cascade": a task that moves to another project takes its rows along. Figures are spread over
-- shards, so that moves on a busy board don't wait for each other.

create table public.tasks (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  column_id uuid not null,
  number integer not null,
  title text not null,
  description text not null default '',
  priority public.task_priority not null default 'p2',
  order_rank text collate "C" not null,
  start_date date,
  due_date date,
  estimate numeric,
  started_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  created_by uuid default auth.uid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cover_attachment_id uuid,
  parent_id uuid,
  subtask_position double precision,
  constraint tasks_project_id_id_key unique (project_id, id),
  constraint tasks_number_unique_per_project unique (project_id, number),
  -- no action: a column that holds tasks stays
  constraint tasks_column_of_same_project foreign key (project_id, column_id)
    references public.workflow_columns (project_id, id) on delete no action,
  constraint tasks_title_not_blank check (title ~ '[^[:space:]]'),
  constraint tasks_title_length check (char_length(title) <= 500),
  constraint tasks_description_length check (char_length(description) <= 100000),
  constraint tasks_order_rank_is_printable check (order_rank ~ '^[!-~]*["-~]$' and char_length(order_rank) <= 1000),
  -- checked at the end of a statement, so that one statement may trade places
  constraint tasks_rank_unique_per_column unique (project_id, column_id, order_rank) deferrable initially immediate,
  constraint tasks_start_not_after_due check (start_date <= due_date),
  constraint tasks_start_of_the_calendar check (start_date between '0001-01-01' and '9999-12-30'),
  constraint tasks_due_of_the_calendar check (due_date between '0001-01-01' and '9999-12-30'),
  constraint tasks_estimate_not_negative check (estimate >= 0 and estimate < 1000000),
  constraint tasks_parent_of_same_project foreign key (project_id, parent_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint tasks_subtask_position_is_finite check (subtask_position > '-Infinity' and subtask_position < 'Infinity'),
  constraint tasks_created_by_fkey foreign key (created_by) references auth.users (id) on delete set null
);
create index tasks_created_by_idx on public.tasks (created_by);
create index tasks_due_idx on public.tasks (project_id, due_date)
  where completed_at is null and archived_at is null and due_date is not null;
create index tasks_completed_idx on public.tasks (project_id, completed_at) include (created_at, started_at)
  where completed_at is not null and archived_at is null;
create index tasks_archived_idx on public.tasks (project_id, archived_at) where archived_at is not null;
create index tasks_parent_idx on public.tasks (project_id, parent_id) where parent_id is not null;
-- from start to completion, and from creation to completion: medians and percentiles of the dashboard
create index tasks_cycle_idx on public.tasks (project_id, private.seconds_between(started_at, completed_at)) include (started_at, completed_at)
  where completed_at is not null and archived_at is null;
create index tasks_lead_idx on public.tasks (project_id, private.seconds_between(created_at, completed_at)) include (created_at, completed_at)
  where completed_at is not null and archived_at is null;
alter table public.tasks enable row level security;

create table public.task_assignees (
  id uuid not null default private.uuid_v7(),
  project_id uuid not null,
  task_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, user_id),
  constraint task_assignees_id_key unique (id),
  constraint task_assignees_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_assignees_task_id_idx on public.task_assignees (task_id);
create index task_assignees_user_id_idx on public.task_assignees (user_id, project_id);
create index task_assignees_user_id_task_id_idx on public.task_assignees (user_id, task_id) include (project_id);
alter table public.task_assignees enable row level security;

create table public.task_labels (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  color text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_labels_project_id_id_key unique (project_id, id),
  constraint task_labels_name_not_blank check (name ~ '[^[:space:]]'),
  constraint task_labels_name_length check (char_length(name) <= 100),
  constraint task_labels_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$')
);
create unique index task_labels_name_unique_per_project on public.task_labels (project_id, lower(name));
alter table public.task_labels enable row level security;

create table public.task_label_links (
  id uuid not null default private.uuid_v7(),
  project_id uuid not null,
  task_id uuid not null,
  label_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, label_id),
  constraint task_label_links_id_key unique (id),
  constraint task_label_links_label_of_same_project foreign key (project_id, label_id)
    references public.task_labels (project_id, id) on delete cascade,
  constraint task_label_links_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_label_links_task_id_idx on public.task_label_links (task_id);
create index task_label_links_label_id_idx on public.task_label_links (project_id, label_id);
alter table public.task_label_links enable row level security;

create table public.task_checklist_items (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  title text not null,
  is_done boolean not null default false,
  position double precision not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_checklist_items_title_not_blank check (title ~ '[^[:space:]]'),
  constraint task_checklist_items_title_length check (char_length(title) <= 500),
  constraint task_checklist_items_position_is_finite check (position > '-Infinity' and position < 'Infinity'),
  constraint task_checklist_items_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_checklist_items_list_idx on public.task_checklist_items (project_id, task_id, position);
create index task_checklist_items_task_id_idx on public.task_checklist_items (task_id);
alter table public.task_checklist_items enable row level security;

create table public.task_attachments (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  name text not null,
  content_type text not null default 'application/octet-stream',
  size_bytes bigint not null default 0,
  object_path text not null,
  uploaded_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_attachments_object_path_key unique (project_id, object_path),
  constraint task_attachments_name_not_blank check (name ~ '[^[:space:]]'),
  constraint task_attachments_name_length check (char_length(name) <= 500),
  constraint task_attachments_content_type_is_mime
    check (content_type ~ '^[^[:space:][:cntrl:]/]+/[^[:cntrl:]]+$' and char_length(content_type) <= 255),
  constraint task_attachments_size_not_negative check (size_bytes >= 0),
  constraint task_attachments_path_is_under_project_and_task check (
    starts_with(object_path, project_id::text || '/' || task_id::text || '/')
    and object_path !~ '(^|/)[.]{1,2}(/|$)|//|/$|[[:cntrl:]]' and char_length(object_path) <= 1024
  ),
  constraint task_attachments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_attachments_list_idx on public.task_attachments (project_id, task_id, created_at);
create index task_attachments_task_id_idx on public.task_attachments (task_id);
create index task_attachments_uploaded_by_idx on public.task_attachments (uploaded_by);
alter table public.task_attachments enable row level security;

create table public.task_dependencies (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  predecessor_id uuid not null,
  successor_id uuid not null,
  type public.dependency_type not null default 'FS',
  lag_days integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_dependencies_once unique (project_id, successor_id, predecessor_id),
  constraint task_dependencies_not_on_itself check (predecessor_id <> successor_id),
  constraint task_dependencies_lag_within_ten_years check (lag_days between -3650 and 3650),
  constraint task_dependencies_predecessor_of_same_project foreign key (project_id, predecessor_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint task_dependencies_successor_of_same_project foreign key (project_id, successor_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_dependencies_predecessor_idx on public.task_dependencies (project_id, predecessor_id, successor_id);
create index task_dependencies_successor_id_idx on public.task_dependencies (successor_id);
alter table public.task_dependencies enable row level security;

-- Tasks with predecessors: how many of those are open. The number is added to and subtracted from, never read and set, so that two
-- predecessors completed at the same moment are both counted.
create table private.task_waits (
  task_id uuid primary key,
  project_id uuid not null references public.projects (id) on delete cascade,
  is_open boolean not null,
  open_predecessors integer not null,
  constraint task_waits_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_waits_project_id_idx on private.task_waits (project_id, task_id);
create index task_waits_blocked_idx on private.task_waits (project_id) where is_open and open_predecessors > 0;
alter table private.task_waits enable row level security;

create table public.task_comments (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  author_id uuid default auth.uid() references public.profiles (id) on delete set null,
  body text not null,
  edited_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  parent_id uuid,
  constraint task_comments_body_not_blank check (body ~ '[^[:space:]]'),
  constraint task_comments_body_length check (char_length(body) <= 50000),
  constraint task_comments_task_key unique (project_id, task_id, id),
  constraint task_comments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint task_comments_parent_of_same_task foreign key (project_id, task_id, parent_id)
    references public.task_comments (project_id, task_id, id) on delete set null (parent_id) on update cascade
);
create index task_comments_list_idx on public.task_comments (project_id, task_id, created_at);
create index task_comments_task_id_idx on public.task_comments (task_id);
create index task_comments_author_id_idx on public.task_comments (author_id);
create index task_comments_parent_id_idx on public.task_comments (project_id, task_id, parent_id);
alter table public.task_comments enable row level security;

create table public.comment_reactions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  -- points at the account, whose id the profile shares, so that an embedded `profiles` of a comment is its author
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  emoji text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, comment_id, user_id, emoji),
  constraint comment_reactions_emoji_known check (emoji in ('👍', '👎', '❤️', '🎉', '😄', '👀', '🚀', '✅')),
  constraint comment_reactions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade on update cascade
);
create index comment_reactions_task_id_idx on public.comment_reactions (task_id);
create index comment_reactions_user_id_idx on public.comment_reactions (user_id, project_id);
alter table public.comment_reactions enable row level security;

create table public.comment_resolutions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  user_id uuid default auth.uid() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, comment_id),
  constraint comment_resolutions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade on update cascade
);
create index comment_resolutions_task_id_idx on public.comment_resolutions (task_id);
create index comment_resolutions_user_id_idx on public.comment_resolutions (user_id);
alter table public.comment_resolutions enable row level security;

create table public.task_activity (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid,
  actor_id uuid references public.profiles (id) on delete set null,
  kind text not null,
  change jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  constraint task_activity_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id) on update cascade,
  constraint task_activity_kind_known check (kind in (
    'created', 'updated', 'moved', 'archived', 'restored', 'deleted', 'assigned', 'unassigned', 'labeled', 'unlabeled',
    'checklist_item_added', 'checklist_item_changed', 'checklist_item_removed', 'attached', 'attachment_renamed', 'detached',
    'dependency_added', 'dependency_changed', 'dependency_removed', 'commented', 'comment_edited', 'comment_deleted',
    'moved_in', 'moved_out'
  ))
);
create index task_activity_task_idx on public.task_activity (project_id, task_id, created_at);
create index task_activity_project_idx on public.task_activity (project_id, created_at);
create index task_activity_actor_idx on public.task_activity (actor_id, project_id, created_at);
alter table public.task_activity enable row level security;

create table private.former_places (
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  now_in uuid not null, -- its project of today
  number integer not null,
  key text not null,
  -- its place, should it come back
  column_id uuid not null,
  order_rank text collate "C" not null,
  left_behind jsonb not null,
  left_at timestamptz not null default now(),
  primary key (project_id, task_id),
  constraint former_places_number_unique_per_project unique (project_id, number),
  constraint former_places_task foreign key (now_in, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index former_places_task_idx on private.former_places (now_in, task_id);
create index former_places_task_id_idx on private.former_places (task_id);
create index former_places_key_idx on private.former_places (key, number);
alter table private.former_places enable row level security;

create table private.task_search (
  task_id uuid primary key,
  project_id uuid not null,
  document tsvector not null,
  constraint task_search_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_search_project_id_idx on private.task_search (project_id, task_id);
-- no list of pending words: every search would read through it
create index task_search_document_idx on private.task_search using gin (document) with (gin_pending_list_limit = 512, fastupdate = off);
alter table private.task_search enable row level security;

-- Figures behind the dashboard ----------------------------------------------------------------------------------------

-- figure      key                     counts
-- tasks       column id/priority      tasks in the column
-- created     Monday of the week      tasks created in it
-- completed   Monday of the week      tasks completed in it
-- open_of     user id                 open tasks the person works on
-- done_of     user id                 completed tasks the person worked on
-- unassigned  (empty)                 open tasks nobody works on
create table private.project_figures (
  project_id uuid not null references public.projects (id) on delete cascade,
  figure text not null,
  key text not null,
  shard smallint not null,
  amount integer not null,
  primary key (project_id, figure, key, shard)
) with (fillfactor = 70);
alter table private.project_figures enable row level security;

-- Tasks that entered a column less those that left it, by day: what it held at the end of a day is what it holds now, less what came after.
-- By column, with the kinds beside it, so that a column that changes its kind needs no recount.
create table private.column_flow (
  project_id uuid not null references public.projects (id) on delete cascade,
  day date not null,
  column_id uuid not null, -- no foreign key: history outlives the column
  shard smallint not null,
  delta integer not null,
  primary key (project_id, day, column_id, shard)
) with (fillfactor = 70);
alter table private.column_flow enable row level security;

create table private.column_kinds (
  project_id uuid not null references public.projects (id) on delete cascade,
  column_id uuid not null, -- no foreign key: history outlives the column
  since timestamptz not null default clock_timestamp(),
  kind public.workflow_column_kind not null,
  primary key (project_id, column_id, since)
);
alter table private.column_kinds enable row level security;
