-- Notifications: who watches what, the entries of the inbox, what each person wants to be told of and when their day is, deliveries that are
-- due, browsers that take push messages, and emails: the outbox of all of them, and the conversations they form.

create table public.task_watchers (
  project_id uuid not null,
  task_id uuid not null,
  -- points at the account, whose id the profile shares, so that embedded `profiles` of a task are its assignees
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  reason text not null default 'asked',
  is_watching boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, task_id, user_id),
  constraint task_watchers_reason_known check (reason in ('creator', 'assignee', 'commenter', 'mentioned', 'asked')),
  constraint task_watchers_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index task_watchers_task_id_idx on public.task_watchers (task_id);
create index task_watchers_user_id_idx on public.task_watchers (user_id, project_id);
alter table public.task_watchers enable row level security;

create table public.project_watchers (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_watchers_user_id_idx on public.project_watchers (user_id, project_id);
alter table public.project_watchers enable row level security;

create table public.notifications (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  task_id uuid,
  actor_id uuid references public.profiles (id) on delete set null,
  data jsonb not null default '{}',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  snoozed_until timestamptz,
  done_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint notifications_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint notifications_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint notifications_kind_known check (kind in (
    'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited',
    'transfer', 'backup_failed'
  ))
);
create index notifications_list_idx on public.notifications (user_id, created_at);
create index notifications_unread_idx on public.notifications (user_id) where read_at is null;
create index notifications_task_idx on public.notifications (project_id, task_id);
create index notifications_actor_id_idx on public.notifications (actor_id);
-- one reminder of a kind per person, task and date
create unique index notifications_due_soon_once on public.notifications (user_id, task_id, (data ->> 'due_date')) where kind = 'due_soon';
create unique index notifications_overdue_once on public.notifications (user_id, task_id, (data ->> 'due_date')) where kind = 'overdue';
create index notifications_invited_idx on public.notifications (kind, project_id, user_id) where kind = 'invited';
create index notifications_open_idx on public.notifications (user_id, id) where done_at is null;
alter table public.notifications enable row level security;

create table public.notification_settings (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  project_id uuid references public.projects (id) on delete cascade,
  kind text not null,
  inbox boolean not null default true,
  mail text not null default 'daily',
  push boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_settings_one_per_kind unique nulls not distinct (user_id, kind, project_id),
  constraint notification_settings_kind_known check (kind in (
    'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited'
  )),
  constraint notification_settings_mail_known check (mail in ('now', 'daily', 'off'))
);
create index notification_settings_project_id_idx on public.notification_settings (project_id);
alter table public.notification_settings enable row level security;

-- Somebody's day, for what is due and for the daily email.
create table public.notification_schedules (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  time_zone text not null default 'UTC',
  daily_hour smallint not null default 8,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_schedules_daily_hour_of_day check (daily_hour between 0 and 23)
);
alter table public.notification_schedules enable row level security;

create table private.notification_deliveries (
  notification_id uuid not null references public.notifications (id) on delete cascade,
  way text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  task_id uuid,
  due_at timestamptz not null,
  attempts smallint not null default 0, -- of a push message
  done_for uuid[] not null default '{}', -- no foreign key: the id of a browser that is gone does no harm until the delivery is
  primary key (notification_id, way),
  constraint notification_deliveries_way_known check (way in ('mail', 'daily', 'push'))
);
create index notification_deliveries_due_idx on private.notification_deliveries (way, due_at);
create index notification_deliveries_user_id_idx on private.notification_deliveries (user_id, way);
alter table private.notification_deliveries enable row level security;

create table public.push_subscriptions (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- ends with the session: a browser that is signed out, here or from elsewhere, gets no more messages
  session_id uuid not null references auth.sessions (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint push_subscriptions_endpoint_key unique (endpoint),
  constraint push_subscriptions_endpoint_is_web_address check (endpoint ~ '^https?://[^[:space:][:cntrl:]]+$' and char_length(endpoint) <= 2000),
  constraint push_subscriptions_keys_are_base64url check (p256dh ~ '^[A-Za-z0-9_-]{80,100}$' and auth ~ '^[A-Za-z0-9_-]{16,40}$')
);
create index push_subscriptions_user_id_idx on public.push_subscriptions (user_id);
create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);
alter table public.push_subscriptions enable row level security;

-- One pair for all nodes, created by the first; the private key is sealed with a key of the server's.
create table private.push_keys (
  is_only boolean primary key default true,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz not null default now(),
  constraint push_keys_is_only check (is_only)
);
alter table private.push_keys enable row level security;

create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  kind text not null, -- names the template
  recipient text not null,
  data jsonb not null default '{}', -- {"sealed": …} when it holds a secret; '{}' once delivered
  state text not null default 'queued',
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  constraint outbox_state check (state in ('queued', 'kept', 'sent', 'failed')),
  constraint outbox_kind check (kind ~ '^[a-z][a-z_]{0,62}$'),
  -- one address, on one line: nothing in it can become a second header or recipient
  constraint outbox_recipient check (recipient ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$' and char_length(recipient) <= 320)
);
create index outbox_due_idx on private.outbox (next_attempt_at) where state = 'queued';
create index outbox_created_at_idx on private.outbox (created_at desc);
create index outbox_finished_at_idx on private.outbox (finished_at) where finished_at is not null;
alter table private.outbox enable row level security;

-- The first email that somebody got about a task, which all later ones answer: mail programs show as one conversation only what answers an
-- email they have.
create table private.mail_threads (
  user_id uuid not null references auth.users (id) on delete cascade,
  about uuid not null, -- a task or a project; no foreign key: its emails stay in a mailbox when it is gone
  message_id text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, about),
  constraint mail_threads_message_id_length check (length(message_id) <= 500)
);
create index mail_threads_message_id_idx on private.mail_threads (message_id);
create index mail_threads_last_at_idx on private.mail_threads (last_at);
alter table private.mail_threads enable row level security;
