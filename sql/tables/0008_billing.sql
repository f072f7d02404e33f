-- Billing: plans, and what the payment provider says of customers, subscriptions, purchases, refunds and invoices. Events come in any order
-- and more than once, so rows carry the moment of the event they are of (told_at), and point at rows that may come later without a key.

-- One row, written when the service starts with a key.
create table billing.provider (
  only_row boolean primary key default true,
  livemode boolean, -- null: the key does not say
  changed_at timestamptz not null default now(),
  constraint provider_only_row check (only_row)
);
alter table billing.provider enable row level security;

-- Prices of the provider and their meaning here. Empty until an administrator fills it; limits count only where they are enforced.
-- The plan whose price id is `free` is that of everybody who bought nothing.
create table billing.plans (
  price_id text primary key,
  name text not null,
  mode text not null default 'subscription',
  amount bigint, -- in the currency's smallest unit, as the provider counts
  currency text,
  "interval" text,
  interval_count int not null default 1, -- every so many intervals: 3 with month is a quarter
  limits jsonb not null default '{}', -- {"projects": 3, "members_per_project": 10}
  is_enforced boolean not null default false,
  is_offered boolean not null default true, -- shown on the landing page
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint plans_name_length check (char_length(name) between 1 and 100),
  constraint plans_mode check (mode in ('payment', 'subscription')),
  constraint plans_amount check (amount >= 0),
  constraint plans_currency check (currency ~ '^[a-z]{3}$'),
  constraint plans_interval check ("interval" in ('day', 'week', 'month', 'year')),
  constraint plans_interval_count check (interval_count > 0),
  constraint plans_limits check (jsonb_typeof(limits) = 'object')
);
alter table billing.plans enable row level security;

create table billing.customers (
  id text primary key,
  user_id uuid references auth.users (id) on delete set null, -- null: bought without signing in
  email text,
  livemode boolean not null,
  told_at timestamptz not null default '-infinity', -- when the provider said what is known of the address
  linked_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create index customers_user_idx on billing.customers (user_id);
alter table billing.customers enable row level security;

create table billing.subscriptions (
  id text primary key,
  customer_id text not null references billing.customers (id) on delete cascade,
  livemode boolean not null,
  status text not null,
  price_id text,
  quantity bigint,
  current_period_end timestamptz,
  cancel_at timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  ended_at timestamptz,
  trial_end timestamptz,
  started_at timestamptz,
  -- the event this state is of, among several of one second
  told_at timestamptz not null,
  told_rank smallint not null, -- 1 created, 2 updated, 3 deleted
  told_state jsonb not null, -- the provider's object, to tell which of two updates in a second came first
  told_before jsonb not null default '{}', -- what that event changed, with the values it replaced
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index subscriptions_customer_idx on billing.subscriptions (customer_id);
alter table billing.subscriptions enable row level security;

create table billing.purchases (
  id text primary key, -- the checkout session
  customer_id text references billing.customers (id) on delete set null,
  user_id uuid references auth.users (id) on delete set null,
  livemode boolean not null,
  price_id text,
  payment_id text,
  amount bigint,
  currency text,
  status text not null, -- slow ways to pay are pending for days
  bought_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint purchases_status check (status in ('pending', 'paid', 'failed'))
);
create index purchases_customer_idx on billing.purchases (customer_id);
create index purchases_user_idx on billing.purchases (user_id);
alter table billing.purchases enable row level security;

-- Refunds and disputes, by the payment they are about: a purchase counts unless one here reverses it. They may come before the purchase.
create table billing.reversals (
  id text primary key, -- the dispute, or for refunds the payment itself
  payment_id text not null, -- no foreign key: the purchase may not be here yet
  kind text not null,
  status text not null,
  told_at timestamptz not null,
  told_rank smallint not null, -- which of two events of one second tells the later state
  constraint reversals_kind check (kind in ('refund', 'dispute')),
  constraint reversals_status check (
    (kind = 'refund' and status in ('partial', 'full', 'failed'))
    or (kind = 'dispute' and status in ('inquiry', 'open', 'won', 'lost'))
  )
);
create index reversals_payment_idx on billing.reversals (payment_id);
alter table billing.reversals enable row level security;

create table billing.invoices (
  id text primary key,
  customer_id text references billing.customers (id) on delete cascade,
  subscription_id text, -- no foreign key: the invoice may come before its subscription
  livemode boolean not null,
  status text not null,
  amount bigint,
  currency text,
  hosted_url text,
  told_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invoices_status check (status in ('paid', 'failed'))
);
create index invoices_customer_idx on billing.invoices (customer_id);
create index invoices_subscription_idx on billing.invoices (subscription_id, told_at);
alter table billing.invoices enable row level security;

create table billing.events (
  id text primary key,
  kind text not null,
  livemode boolean,
  happened_at timestamptz not null,
  received_at timestamptz not null default now(),
  is_handled boolean not null, -- false: a kind we keep and do nothing about
  payload jsonb not null
);
create index events_received_idx on billing.events (received_at);
alter table billing.events enable row level security;
