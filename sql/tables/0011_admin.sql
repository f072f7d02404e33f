-- Running the instance: administrators (operators) with what they did and changed, rounds of background jobs, requests counted for the charts,
-- and limits that the nodes share. Unlogged tables are those whose loss in a crash costs a few minutes of counting.

create table private.operator_links (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
alter table private.operator_links enable row level security;

create table private.desk_log (
  id uuid primary key default private.uuid_v7(),
  created_at timestamptz not null default now(),
  -- no foreign keys: the log outlives the accounts it speaks of
  actor_id uuid,
  actor text not null, -- their address; `kanbase operator` for that command
  action text not null,
  subject_id uuid,
  subject text not null default '',
  details jsonb not null default '{}',
  address text not null default '',
  constraint desk_log_action_is_a_word check (action ~ '^[a-z][a-z_]{0,62}$')
);
create index desk_log_created_at_idx on private.desk_log (created_at desc, id desc);
alter table private.desk_log enable row level security;

create table private.operator_entries (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- entered: as a viewer; passed: gave it another owner; restored: brought it back after its deletion
  deed text not null,
  operator_id uuid references auth.users (id) on delete set null,
  operator text not null, -- name and address at that time
  reason text not null default '',
  created_at timestamptz not null default now(),
  ends_at timestamptz,
  left_at timestamptz,
  constraint operator_entries_reason_length check (char_length(reason) <= 500),
  constraint operator_entries_deed_known check (deed in ('entered', 'passed', 'restored'))
);
create index operator_entries_project_id_idx on private.operator_entries (project_id, created_at desc);
create index operator_entries_operator_id_idx on private.operator_entries (operator_id);
create index operator_entries_open_idx on private.operator_entries (ends_at) where deed = 'entered' and left_at is null;
alter table private.operator_entries enable row level security;

-- Flags and the environment go before these; secrets are sealed with a key of the server's.
create table private.server_settings (
  name text primary key constraint server_settings_name_is_a_setting check (name ~ '^[A-Z][A-Z_]{1,62}$'),
  value text constraint server_settings_value_length check (char_length(value) <= 2000),
  sealed text constraint server_settings_sealed_length check (char_length(sealed) <= 8000),
  updated_at timestamptz not null default now(),
  constraint server_settings_plain_or_sealed check (num_nonnulls(value, sealed) = 1)
);
alter table private.server_settings enable row level security;

-- The last round of each background job on each node.
create table private.job_rounds (
  job text not null,
  node text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  error text,
  primary key (job, node),
  constraint job_rounds_job_is_a_word check (job ~ '^[a-z][a-z_]{0,62}$'),
  constraint job_rounds_lengths check (char_length(node) between 1 and 200 and char_length(error) <= 500)
);
create index job_rounds_finished_at_idx on private.job_rounds (finished_at);
alter table private.job_rounds enable row level security;

-- One row for a quarter of an hour, to which every process adds its counts; of the last two days.
create table private.request_counts (
  began_at timestamptz primary key,
  requests bigint not null,
  refused bigint not null, -- answered with 4xx, and counted in requests
  failed bigint not null, -- answered with 5xx, and counted in requests
  constraint request_counts_quarters check (began_at = date_bin('15 minutes', began_at, 'epoch')),
  constraint request_counts_fit check (refused >= 0 and failed >= 0 and requests >= refused + failed)
);
alter table private.request_counts enable row level security;

-- Token buckets.
create unlogged table private.limits (
  key text primary key,
  points double precision not null,
  allowed boolean not null default true, -- the answer to the last request
  read_at timestamptz not null default clock_timestamp(),
  full_at timestamptz not null
);
create index limits_full_at_idx on private.limits (full_at);
alter table private.limits enable row level security;

-- Work of each person on all nodes together, in milliseconds (server/limits/budget.ts).
create unlogged table private.work_budgets (
  person text primary key,
  spent double precision not null,
  charged_at timestamptz not null
);
create index work_budgets_charged_at_idx on private.work_budgets (charged_at);
alter table private.work_budgets enable row level security;

-- Addresses that send X-Forwarded-For without being named in TRUST_PROXY, for `kanbase doctor` to say so.
create table private.untrusted_proxies (
  address inet primary key,
  seen_at timestamptz not null default now(),
  silent boolean not null default false
);
alter table private.untrusted_proxies enable row level security;
