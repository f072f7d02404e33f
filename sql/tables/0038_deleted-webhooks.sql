-- Webhooks that were removed, for a week: what it takes to bring one back as it was; and when those that came back were away.

create table private.deleted_webhooks (
  project_id uuid not null references public.projects (id) on delete cascade,
  webhook_id uuid not null,
  webhook jsonb not null,
  sealed text,
  former text,
  former_until timestamptz,
  deliveries jsonb not null,
  deleted_at timestamptz not null default now(),
  primary key (project_id, webhook_id)
);
create index deleted_webhooks_webhook_idx on private.deleted_webhooks (webhook_id);
create index deleted_webhooks_deleted_at_idx on private.deleted_webhooks (deleted_at);
alter table private.deleted_webhooks enable row level security;

create table private.restored_webhooks (
  project_id uuid not null references public.projects (id) on delete cascade,
  webhook_id uuid not null,
  deleted_at timestamptz not null,
  restored_at timestamptz not null default clock_timestamp(),
  primary key (project_id, webhook_id, deleted_at)
);
create index restored_webhooks_restored_at_idx on private.restored_webhooks (restored_at);
alter table private.restored_webhooks enable row level security;
