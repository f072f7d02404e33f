-- Agents: service accounts that work as colleagues do, in sessions. What a program does in a session is recorded row by row, so that a person can
-- look at it, stop it and undo it.

alter table public.profiles add column is_agent boolean not null default false;

create table public.agents (
  id uuid primary key references public.service_accounts (id) on delete cascade,
  about text not null default '',
  mode text not null default 'propose',
  writes_an_hour integer not null default 500,
  session_minutes integer not null default 480,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint agents_about_length check (char_length(about) <= 2000),
  constraint agents_mode_known check (mode in ('read', 'comment', 'propose', 'write')),
  constraint agents_writes_an_hour_range check (writes_an_hour between 1 and 10000),
  constraint agents_session_minutes_range check (session_minutes between 5 and 10080)
);
alter table public.agents enable row level security;

create table public.agent_sessions (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid,
  audience_id uuid,
  agent_id uuid references public.agents (id) on delete set null,
  user_id uuid references public.profiles (id) on delete set null,
  responsible_id uuid references public.profiles (id) on delete set null,
  program jsonb,
  title text not null default '',
  mode text not null,
  project_ids uuid[],
  writes_an_hour integer not null,
  state text not null default 'pending',
  plan jsonb not null default '[]',
  links jsonb not null default '[]',
  cost numeric(12, 4),
  ends_at timestamptz not null,
  ended_at timestamptz,
  stopped_by uuid references public.profiles (id) on delete set null,
  tainted_at timestamptz,
  confirmed_at timestamptz,
  undone_at timestamptz,
  last_activity_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint agent_sessions_mode_known check (mode in ('read', 'comment', 'propose', 'write')),
  constraint agent_sessions_state_known check (state in ('pending', 'active', 'awaiting_input', 'complete', 'error', 'stale')),
  constraint agent_sessions_title_length check (char_length(title) <= 200),
  constraint agent_sessions_plan_is_list check (jsonb_typeof(plan) = 'array' and octet_length(plan::text) <= 40000),
  constraint agent_sessions_links_is_list check (jsonb_typeof(links) = 'array' and octet_length(links::text) <= 20000),
  constraint agent_sessions_cost_range check (cost between 0 and 1000000),
  constraint agent_sessions_project_ids_some check (cardinality(project_ids) between 1 and 100),
  constraint agent_sessions_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id) on update cascade
);
create index agent_sessions_task_idx on public.agent_sessions (project_id, task_id);
create index agent_sessions_task_id_idx on public.agent_sessions (task_id);
create index agent_sessions_agent_idx on public.agent_sessions (agent_id);
create index agent_sessions_user_idx on public.agent_sessions (user_id);
create index agent_sessions_responsible_idx on public.agent_sessions (responsible_id);
create index agent_sessions_stopped_by_idx on public.agent_sessions (stopped_by) where stopped_by is not null;
create index agent_sessions_open_idx on public.agent_sessions (ends_at) where ended_at is null;
alter table public.agent_sessions enable row level security;

create table public.agent_activities (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  session_id uuid not null references public.agent_sessions (id) on delete cascade,
  task_id uuid,
  audience_id uuid,
  user_id uuid references public.profiles (id) on delete set null,
  kind text not null,
  body text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint agent_activities_kind_known check (kind in ('thought', 'action', 'elicitation', 'response', 'error', 'prompt')),
  constraint agent_activities_body_length check (char_length(body) between 1 and 10000),
  constraint agent_activities_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id) on update cascade
);
create index agent_activities_session_idx on public.agent_activities (session_id, created_at);
create index agent_activities_task_idx on public.agent_activities (project_id, task_id);
create index agent_activities_task_id_idx on public.agent_activities (task_id);
create index agent_activities_user_idx on public.agent_activities (user_id);
alter table public.agent_activities enable row level security;

create table public.agent_proposals (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  session_id uuid not null references public.agent_sessions (id) on delete cascade,
  task_id uuid,
  audience_id uuid,
  user_id uuid references public.profiles (id) on delete set null,
  summary text not null default '',
  call jsonb not null,
  difference jsonb not null,
  state text not null default 'open',
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint agent_proposals_summary_length check (char_length(summary) <= 500),
  constraint agent_proposals_state_known check (state in ('open', 'accepted', 'rejected', 'conflict')),
  constraint agent_proposals_decided check ((state = 'open') = (decided_at is null)),
  constraint agent_proposals_reason_length check (char_length(reason) <= 2000),
  constraint agent_proposals_call_size check (octet_length(call::text) <= 1000000),
  constraint agent_proposals_difference_size check (octet_length(difference::text) <= 4000000),
  constraint agent_proposals_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id) on update cascade
);
create index agent_proposals_session_idx on public.agent_proposals (session_id, created_at);
create index agent_proposals_open_idx on public.agent_proposals (project_id) where state = 'open';
create index agent_proposals_task_idx on public.agent_proposals (project_id, task_id);
create index agent_proposals_task_id_idx on public.agent_proposals (task_id);
create index agent_proposals_user_idx on public.agent_proposals (user_id);
create index agent_proposals_decided_by_idx on public.agent_proposals (decided_by) where decided_by is not null;
alter table public.agent_proposals enable row level security;

-- Rows as they were and as they became, for each change within a session.
create table private.session_changes (
  place bigint generated always as identity primary key,
  session_id uuid not null references public.agent_sessions (id) on delete cascade,
  project_id uuid,
  table_name text not null,
  was jsonb,
  becomes jsonb,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
create index session_changes_session_idx on private.session_changes (session_id, place);
create index session_changes_recent_idx on private.session_changes (session_id, created_at);
alter table private.session_changes enable row level security;
