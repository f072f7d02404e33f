-- Imports: the jobs that people begin, what each import made or changed (so that it can be undone), where rows came from, and whom it waits
-- for. Exports that people ask for, and backups of the whole instance. A node holds a job for a while and another takes over when it is gone.

create table private.imports (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  source text not null,
  file_name text not null,
  state text not null default 'running',
  total integer not null default 0,
  done integer not null default 0,
  counts jsonb not null default '{}',
  problems jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint imports_id_of_user unique (id, user_id),
  constraint imports_state_known check (state in ('running', 'done', 'cancelled', 'failed', 'undone')),
  constraint imports_source_length check (char_length(source) between 1 and 40),
  constraint imports_file_name_length check (char_length(file_name) <= 500),
  constraint imports_counts_not_negative check (total >= 0 and done >= 0)
);
create index imports_project_id_idx on private.imports (project_id);
create index imports_user_id_idx on private.imports (user_id, created_at desc);
alter table private.imports enable row level security;

-- Belongs to the project, not to who imported: a colleague who imports the same board again updates it.
create table private.import_origins (
  project_id uuid not null references public.projects (id) on delete cascade,
  scope text not null,
  kind text not null,
  origin text not null,
  row_id uuid not null,
  digest text not null,
  primary key (project_id, scope, kind, origin),
  constraint import_origins_lengths check (char_length(scope) <= 200 and char_length(origin) <= 300),
  constraint import_origins_kind_known check (kind in ('task', 'comment', 'item', 'attachment'))
);
create index import_origins_row_idx on private.import_origins (project_id, row_id);
alter table private.import_origins enable row level security;

create table private.import_changes (
  import_id uuid not null,
  -- that of the import, for policies
  user_id uuid not null default auth.uid(),
  kind text not null,
  row_id uuid not null,
  before jsonb,
  primary key (import_id, kind, row_id),
  constraint import_changes_of_own_import foreign key (import_id, user_id) references private.imports (id, user_id) on delete cascade,
  constraint import_changes_kind_known check (
    kind in ('task', 'comment', 'item', 'column', 'label', 'label_link', 'assignee', 'dependency', 'invitation', 'attachment')
  )
);
create index import_changes_import_idx on private.import_changes (import_id, user_id);
create index import_changes_user_id_idx on private.import_changes (user_id);
alter table private.import_changes enable row level security;

create table private.import_jobs (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  project_id uuid references public.projects (id) on delete cascade,
  import_id uuid,
  file bytea, -- gzip; null once it was read for the last time
  file_name text not null,
  product text not null,
  choices jsonb not null default '{}',
  -- the project was created for it: its columns become those of the file
  is_new boolean not null default false,
  state text not null default 'ready',
  is_cancelled boolean not null default false,
  result jsonb,
  failure text,
  held_by uuid,
  held_until timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  crashes integer not null default 0,
  constraint import_jobs_of_own_import foreign key (import_id, user_id) references private.imports (id, user_id) on delete cascade,
  constraint import_jobs_state_known
    check (state in ('ready', 'waiting', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')),
  constraint import_jobs_file_name_length check (char_length(file_name) <= 500),
  constraint import_jobs_product_length check (char_length(product) between 1 and 40),
  constraint import_jobs_file_size check (octet_length(file) <= 67108864)
);
create index import_jobs_user_id_idx on private.import_jobs (user_id, created_at desc);
create index import_jobs_project_id_idx on private.import_jobs (project_id);
create index import_jobs_import_idx on private.import_jobs (import_id, user_id);
create index import_jobs_state_idx on private.import_jobs (state, created_at);
alter table private.import_jobs enable row level security;

-- Assignees whom an import invited: the task is theirs when they join.
create table private.awaited_assignees (
  project_id uuid not null,
  task_id uuid not null,
  email text not null,
  import_id uuid not null references private.imports (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, email),
  constraint awaited_assignees_task foreign key (project_id, task_id) references public.tasks (project_id, id) on update cascade on delete cascade,
  constraint awaited_assignees_email_is_lower check (email = lower(email) and char_length(email) <= 255)
);
create index awaited_assignees_email_idx on private.awaited_assignees (project_id, email);
create index awaited_assignees_import_id_idx on private.awaited_assignees (import_id);
alter table private.awaited_assignees enable row level security;

create table private.exports (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- null: all projects they see
  project_id uuid references public.projects (id) on delete cascade,
  format text not null,
  state text not null default 'waiting',
  done integer not null default 0,
  total integer not null default 0,
  attempt integer not null default 0, -- nodes that have begun it: one that stopped leaves it to the next
  version text,
  object_name text,
  size_bytes bigint,
  error text,
  created_at timestamptz not null default now(),
  heard_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null default now() + interval '1 day',
  constraint exports_state_known check (state in ('waiting', 'running', 'done', 'failed')),
  constraint exports_counts_not_negative check (done >= 0 and total >= 0),
  constraint exports_done_has_file check ((state = 'done') = (object_name is not null)),
  constraint exports_format_known check (format in ('json', 'zip', 'csv', 'markdown', 'ical'))
);
create index exports_user_id_idx on private.exports (user_id, created_at desc);
create index exports_project_id_idx on private.exports (project_id);
create index exports_unfinished_idx on private.exports (created_at) where state in ('waiting', 'running');
create index exports_expires_at_idx on private.exports (expires_at);
alter table private.exports enable row level security;

create table private.backups (
  due_at timestamptz primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  file text,
  row_count bigint,
  file_count integer,
  bytes bigint,
  error text,
  constraint backups_end_once check ((finished_at is null) = (file is null and error is null))
);
alter table private.backups enable row level security;
