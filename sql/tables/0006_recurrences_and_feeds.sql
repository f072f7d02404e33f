-- Recurring tasks, with the days of each series that have their task and the files a new task is still to get; and calendar feeds.

create table public.task_recurrences (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null,
  task_id uuid not null,
  rule text not null,
  time_zone text not null default 'UTC',
  mode public.recurrence_mode not null default 'calendar',
  starts_on date not null,
  lead_days integer not null default 0,
  column_id uuid,
  copies text[] not null default '{checklist,labels,assignees,fields,subtasks}',
  paused_at timestamptz,
  next_on date,
  next_at timestamptz,
  is_over boolean not null default false,
  made integer not null default 0,
  revision integer not null default 0,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint task_recurrences_one_each unique (project_id, task_id),
  constraint task_recurrences_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  -- null: the first column
  constraint task_recurrences_column_of_same_project foreign key (project_id, column_id)
    references public.workflow_columns (project_id, id) on delete set null (column_id),
  constraint task_recurrences_lead_is_within_a_year check (lead_days between 0 and 366),
  constraint task_recurrences_copies_are_known check (copies <@ array['checklist', 'labels', 'assignees', 'fields', 'subtasks', 'attachments']),
  constraint task_recurrences_start_of_the_calendar check (starts_on between '0001-01-01' and '9999-12-30')
);
create index task_recurrences_task_id_idx on public.task_recurrences (task_id);
create index task_recurrences_column_idx on public.task_recurrences (project_id, column_id);
create index task_recurrences_created_by_idx on public.task_recurrences (created_by);
create index task_recurrences_due_idx on public.task_recurrences (next_at) where paused_at is null and not is_over;
alter table public.task_recurrences enable row level security;

create table private.made_occurrences (
  recurrence_id uuid not null references public.task_recurrences (id) on delete cascade,
  occurrence text not null, -- the day; of rules after completion, the task that was done
  task_id uuid,
  made_at timestamptz not null default now(),
  primary key (recurrence_id, occurrence)
);
alter table private.made_occurrences enable row level security;

-- Attachments that the server copies, one by one, once the new task exists.
create table private.files_to_copy (
  attachment_id uuid not null references public.task_attachments (id) on delete cascade,
  project_id uuid not null,
  task_id uuid not null,
  uploaded_by uuid references public.profiles (id) on delete set null,
  new_id uuid not null default private.uuid_v7(),
  made_at timestamptz not null default now(),
  primary key (attachment_id, task_id),
  constraint files_to_copy_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index files_to_copy_task_idx on private.files_to_copy (project_id, task_id);
create index files_to_copy_uploaded_by_idx on private.files_to_copy (uploaded_by);
alter table private.files_to_copy enable row level security;

create table public.calendar_feeds (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  view_id uuid references public.saved_views (id) on delete cascade,
  name text not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_feeds_kind_known check (kind in ('mine', 'project', 'view')),
  constraint calendar_feeds_of_one_thing check ((kind = 'project') = (project_id is not null) and (kind = 'view') = (view_id is not null)),
  constraint calendar_feeds_name_not_blank check (name ~ '[^[:space:]]'),
  constraint calendar_feeds_name_length check (char_length(name) <= 200)
);
create index calendar_feeds_user_id_idx on public.calendar_feeds (user_id);
create index calendar_feeds_project_id_idx on public.calendar_feeds (project_id);
create index calendar_feeds_view_id_idx on public.calendar_feeds (view_id);
alter table public.calendar_feeds enable row level security;

-- Hashes: the address is told once, when it is created.
create table private.calendar_feed_tokens (
  feed_id uuid primary key references public.calendar_feeds (id) on delete cascade,
  token_hash bytea not null unique
);
alter table private.calendar_feed_tokens enable row level security;
