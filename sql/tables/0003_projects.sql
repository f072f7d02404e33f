-- Projects with their members, columns, task numbers and invitations, the members a deleted project had, and transfers to another owner.
-- Rows of a project carry project_id, and rows below them point at (project_id, id), so that nothing joins two projects.

create table public.projects (
  id uuid primary key default private.uuid_v7(),
  name text not null,
  description text not null default '',
  key text not null,
  color text,
  archived_at timestamptz,
  enforce_dependencies boolean not null default true,
  created_by uuid default auth.uid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  avatar_url text,
  parents_wait_for_subtasks boolean not null default false,
  deleted_at timestamptz,
  constraint projects_name_not_blank check (name ~ '[^[:space:]]'),
  constraint projects_name_length check (char_length(name) <= 200),
  constraint projects_description_length check (char_length(description) <= 20000),
  constraint projects_key_is_2_to_6_capitals_or_digits check (key ~ '^[A-Z0-9]{2,6}$'),
  constraint projects_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$'),
  -- `//host` and `/\host` read like a path and lead elsewhere.
  constraint projects_avatar_url_is_path check (
    avatar_url ~ '^/[^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*$' and char_length(avatar_url) <= 2000
  ),
  constraint projects_created_by_fkey foreign key (created_by) references auth.users (id) on delete set null
);
create index projects_created_by_idx on public.projects (created_by);
create index projects_deleted_at_idx on public.projects (deleted_at) where deleted_at is not null;
alter table public.projects enable row level security;

create table public.project_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.project_role not null default 'viewer',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
-- Answers "my projects" without touching the table.
create index project_members_user_id_idx on public.project_members (user_id, project_id) include (role);
alter table public.project_members enable row level security;

-- Members of a deleted project, for its restoration.
create table private.kept_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.project_role not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, user_id)
);
create index kept_members_user_id_idx on private.kept_members (user_id);
alter table private.kept_members enable row level security;

create table public.workflow_columns (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  kind public.workflow_column_kind not null default 'custom',
  position double precision not null,
  wip_limit integer,
  color text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  required_fields uuid[] not null default '{}',
  constraint workflow_columns_project_id_id_key unique (project_id, id),
  constraint workflow_columns_name_not_blank check (name ~ '[^[:space:]]'),
  constraint workflow_columns_name_length check (char_length(name) <= 100),
  constraint workflow_columns_position_is_finite check (position > '-Infinity' and position < 'Infinity'),
  constraint workflow_columns_wip_limit_is_positive check (wip_limit > 0),
  constraint workflow_columns_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$'),
  constraint workflow_columns_required_fields_are_few check (cardinality(required_fields) <= 50 and array_position(required_fields, null) is null)
);
create index workflow_columns_list_idx on public.workflow_columns (project_id, position);
alter table public.workflow_columns enable row level security;

-- Numbers of tasks. A new task holds the lock of its project's row until it commits, so numbers have no gaps: a rollback gives its number
-- back. Apart from `projects`, so that creating a task does not rewrite the project.
create table private.task_counters (
  project_id uuid primary key references public.projects (id) on delete cascade,
  last_number integer not null default 0
);
alter table private.task_counters enable row level security;

create table public.project_invitations (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  email text not null,
  role public.project_role not null default 'viewer',
  invited_by uuid default auth.uid() references public.profiles (id) on delete set null,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint project_invitations_email_is_an_address check (email ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$' and char_length(email) <= 255)
);
create unique index project_invitations_one_open_per_address on public.project_invitations (project_id, lower(email)) where accepted_at is null;
create index project_invitations_project_id_idx on public.project_invitations (project_id, created_at);
create index project_invitations_invited_by_idx on public.project_invitations (invited_by);
create index project_invitations_open_by_address on public.project_invitations (lower(email)) where accepted_at is null;
alter table public.project_invitations enable row level security;

create table private.invitation_tokens (
  token_hash bytea primary key,
  invitation_id uuid not null references public.project_invitations (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index invitation_tokens_invitation_id_idx on private.invitation_tokens (invitation_id);
alter table private.invitation_tokens enable row level security;

create table private.project_transfers (
  id uuid primary key default private.uuid_v7(),
  -- null once the project is gone: what happened stays readable
  project_id uuid references public.projects (id) on delete set null,
  project_name text not null,
  operator_id uuid references auth.users (id) on delete set null,
  operator text not null, -- the address as it was
  new_owner_id uuid references auth.users (id) on delete set null,
  new_owner text not null, -- the address as it was
  reason text not null,
  owner_ids uuid[] not null, -- who owned it when this began
  state text not null default 'waiting',
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by text, -- the name of who objected
  constraint project_transfers_state_known check (state in ('waiting', 'passed', 'objected', 'withdrawn')),
  constraint project_transfers_ended_when_over check ((state = 'waiting') = (ended_at is null)),
  constraint project_transfers_reason_length check (char_length(reason) <= 500)
);
create unique index project_transfers_one_waiting on private.project_transfers (project_id) where state = 'waiting';
create index project_transfers_project_id_idx on private.project_transfers (project_id, created_at desc);
create index project_transfers_due_at_idx on private.project_transfers (due_at) where state = 'waiting';
create index project_transfers_operator_id_idx on private.project_transfers (operator_id);
create index project_transfers_new_owner_id_idx on private.project_transfers (new_owner_id);
create index project_transfers_owner_ids_idx on private.project_transfers using gin (owner_ids);
alter table private.project_transfers enable row level security;
