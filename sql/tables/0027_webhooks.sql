-- Outbox: changes that consumers wait for, written in the transaction of each change, and how far every consumer has come. Its first consumer sends
-- webhooks.

select private.add_room_role('kanbase_outbox');
grant usage on schema private to kanbase_outbox;

create table private.event_consumers (
  name text primary key,
  -- Transactions that it shows are behind the consumer.
  done pg_snapshot not null,
  -- The snapshot that is being worked off, and the last event of it that is behind; empty between two of them.
  under_way pg_snapshot,
  through bigint not null default 0,
  constraint event_consumers_name_known check (name ~ '^[a-z][a-z_]{0,62}$')
);
alter table private.event_consumers enable row level security;
insert into private.event_consumers (name, done) values ('webhooks', '1:1:');

-- Projects whose changes a consumer waits for; of others nothing is written.
create table private.event_interests (
  project_id uuid not null references public.projects (id) on delete cascade,
  consumer text not null references private.event_consumers (name) on delete cascade,
  primary key (project_id, consumer)
);
create index event_interests_consumer_idx on private.event_interests (consumer);
alter table private.event_interests enable row level security;

-- No foreign keys: what is gone is told of, too.
create table private.events (
  place bigint generated always as identity primary key,
  id uuid not null default private.uuid_v7(),
  xid xid8 not null default pg_current_xact_id(),
  project_id uuid not null,
  task_id uuid,
  type text not null,
  actor_id uuid,
  change jsonb not null,
  task jsonb,
  comment jsonb,
  is_restricted boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
create index events_xid_idx on private.events (xid);
alter table private.events enable row level security;

create table public.webhooks (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  filter jsonb not null default '{"all": []}',
  shape text not null default 'json',
  includes_restricted boolean not null default false,
  is_active boolean not null default true,
  off_because text,
  failing_since timestamptz,
  public_key text not null,
  rotated_at timestamptz,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint webhooks_id_of_project_key unique (project_id, id),
  constraint webhooks_name_length check (char_length(name) <= 100 and name ~ '[^[:space:]]'),
  constraint webhooks_url_is_address check (char_length(url) <= 2000 and url ~ '^https?://[^[:space:]/?#@\\]+([/?#][^[:space:]]*)?$'),
  constraint webhooks_events_named check (cardinality(events) between 1 and 100 and array_position(events, null) is null),
  constraint webhooks_filter_is_group check (jsonb_typeof(filter) = 'object'),
  constraint webhooks_shape_known check (shape in ('json', 'slack', 'mattermost', 'discord', 'matrix', 'teams')),
  constraint webhooks_off_because_known check (off_because in ('gone', 'failing', 'filter', 'secret', 'operator'))
);
create index webhooks_created_by_idx on public.webhooks (created_by);
alter table public.webhooks enable row level security;

-- Sealed with a key of the server's. The former one signs, too, until its time is over.
create table private.webhook_secrets (
  webhook_id uuid primary key references public.webhooks (id) on delete cascade,
  sealed text not null,
  former text,
  former_until timestamptz
);
alter table private.webhook_secrets enable row level security;

create table private.webhook_states (
  webhook_id uuid primary key references public.webhooks (id) on delete cascade,
  failures integer not null default 0, -- in a row
  resting_until timestamptz
);
alter table private.webhook_states enable row level security;

-- What an event says, once for all webhooks that it goes to.
create table private.webhook_payloads (
  event_id uuid primary key,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
create index webhook_payloads_created_at_idx on private.webhook_payloads (created_at);
alter table private.webhook_payloads enable row level security;

create table public.webhook_deliveries (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  task_id uuid,
  place bigint not null,
  state text not null default 'queued',
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  attempted_at timestamptz,
  status integer,
  duration_ms integer,
  request text,
  response text,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_deliveries_once unique (webhook_id, event_id),
  constraint webhook_deliveries_state_known check (state in ('queued', 'delivered', 'failed')),
  constraint webhook_deliveries_webhook_of_same_project foreign key (project_id, webhook_id)
    references public.webhooks (project_id, id) on delete cascade
);
create index webhook_deliveries_project_idx on public.webhook_deliveries (project_id, webhook_id, created_at);
create index webhook_deliveries_created_at_idx on public.webhook_deliveries (created_at);
create index webhook_deliveries_queue_idx on public.webhook_deliveries (webhook_id, place) where state = 'queued';
create index webhook_deliveries_order_idx on public.webhook_deliveries (webhook_id, task_id, place) where state = 'queued';
alter table public.webhook_deliveries enable row level security;

alter table public.notifications drop constraint notifications_kind_known;
alter table public.notifications add constraint notifications_kind_known check (kind in (
  'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited',
  'transfer', 'backup_failed', 'webhook_off'
));
