-- What was bought, as the payment provider tells it. Rows come from its events alone, through
-- `billing.record_event`; people read their own through `my_billing()`; policies and triggers read
-- `private.plan_limit()`. Test and live rows may share a database: only those of the key in use count.

create schema if not exists billing;

do $$
begin
  create role kanbase_billing nologin noinherit;
exception
  when duplicate_object or unique_violation then null; -- roles belong to the cluster, another database may have made it
end
$$;

grant kanbase_billing to current_user;
grant usage on schema billing to kanbase_billing;

-- The key in use --------------------------------------------------------------------------------------------------

-- One row, written when the service starts with a key.
create table billing.provider (
  only_row boolean primary key default true,
  livemode boolean, -- null: the key does not say
  changed_at timestamptz not null default now(),
  constraint provider_only_row check (only_row)
);

alter table billing.provider enable row level security;
create policy billing_room on billing.provider to kanbase_billing using (true) with check (true);
grant select, insert, update on billing.provider to kanbase_billing;

-- Plans -----------------------------------------------------------------------------------------------------------

-- What a price at the provider means here. Empty until the operator fills it; limits count only where they are enforced.
-- The plan whose price id is `free` is that of everybody who bought nothing.
create table billing.plans (
  price_id text primary key,
  name text not null,
  mode text not null default 'subscription',
  amount bigint, -- in the currency's smallest unit, as the provider counts
  currency text,
  "interval" text,
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
  constraint plans_limits check (jsonb_typeof(limits) = 'object')
);

alter table billing.plans enable row level security;
create policy billing_room on billing.plans to kanbase_billing using (true) with check (true);
create policy landing_room on billing.plans for select to kanbase_landing using (is_offered);
grant select, insert, update, delete on billing.plans to kanbase_billing;

-- The landing page shows prices.
grant usage on schema billing to kanbase_landing;
grant select on billing.plans to kanbase_landing;

-- Customers -------------------------------------------------------------------------------------------------------

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
create policy billing_room on billing.customers to kanbase_billing using (true) with check (true);
grant select, insert, update on billing.customers to kanbase_billing;
-- No delete grant: a customer deleted at the provider is marked, so that a late event cannot bring them back.

-- Subscriptions ---------------------------------------------------------------------------------------------------

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
  -- Which event this state is of. Events come in any order and several in the same second.
  told_at timestamptz not null,
  told_rank smallint not null, -- 1 created, 2 updated, 3 deleted
  told_state jsonb not null, -- the provider's object, to tell which of two updates in a second came first
  told_before jsonb not null default '{}', -- what that event changed, as it was before
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index subscriptions_customer_idx on billing.subscriptions (customer_id);

alter table billing.subscriptions enable row level security;
create policy billing_room on billing.subscriptions to kanbase_billing using (true) with check (true);
grant select, insert, update on billing.subscriptions to kanbase_billing;

-- One-time purchases ----------------------------------------------------------------------------------------------

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
create policy billing_room on billing.purchases to kanbase_billing using (true) with check (true);
grant select, insert, update on billing.purchases to kanbase_billing;

-- Invoices --------------------------------------------------------------------------------------------------------

create table billing.invoices (
  id text primary key,
  customer_id text references billing.customers (id) on delete cascade,
  subscription_id text, -- no foreign key: the invoice may be heard of before its subscription
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
create policy billing_room on billing.invoices to kanbase_billing using (true) with check (true);
grant select, insert, update on billing.invoices to kanbase_billing;

-- Events ----------------------------------------------------------------------------------------------------------

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
create policy billing_room on billing.events to kanbase_billing using (true) with check (true);
grant select, insert, delete on billing.events to kanbase_billing;
-- No update grant: what the provider said is not rewritten. Delete is for forgetting old ones.

-- The account with this id, if it still exists; it is kept from being deleted until the transaction ends.
create function private.keep_account(user_id uuid) returns uuid
language sql
security definer
set search_path = ''
as $$
  select users.id from auth.users where users.id = keep_account.user_id for key share
$$;
revoke all on function private.keep_account(uuid) from public;
grant execute on function private.keep_account(uuid) to kanbase_billing;
grant usage on schema private to kanbase_billing;

-- Whether a subscription's state, as an event tells it, is later than the one we have.
create function billing.is_later(old billing.subscriptions, told_at timestamptz, told_rank smallint, told_state jsonb)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select case
    when is_later.told_at <> (old).told_at then is_later.told_at > (old).told_at
    when is_later.told_rank <> (old).told_rank then is_later.told_rank > (old).told_rank
    -- Same second, same kind: if what we have says that it changed exactly this state, then this one came before it.
    else (old).told_before = '{}' or not is_later.told_state @> (old).told_before
  end
$$;

-- Remembers one verified event together with what it does, or, for an event heard before, does nothing.
-- `effect` is written by the server: {customer, subscription, purchase, invoice}, each with our column names or absent.
create function billing.record_event(event jsonb, effect jsonb) returns boolean
language plpgsql
set search_path = ''
as $$
declare
  happened timestamptz := (event ->> 'happened_at')::timestamptz;
  live boolean := coalesce((event ->> 'livemode')::boolean, false);
  is_new boolean;
  customer jsonb := effect -> 'customer';
  buyer uuid;
begin
  -- Of two deliveries at once the second waits here until the first has committed or given up.
  insert into billing.events (id, kind, livemode, happened_at, is_handled, payload)
  values (
    event ->> 'id', event ->> 'kind', (event ->> 'livemode')::boolean, happened,
    coalesce((event ->> 'is_handled')::boolean, false), event -> 'payload'
  )
  on conflict (id) do nothing
  returning true into is_new;
  if is_new is null then
    return false;
  end if;

  buyer := private.keep_account((effect ->> 'user_id')::uuid);

  if customer is not null then
    insert into billing.customers as known (id, user_id, email, livemode, told_at, linked_at, deleted_at)
    values (
      customer ->> 'id', buyer, customer ->> 'email', live,
      case when customer ? 'email' then happened else '-infinity' end,
      case when buyer is not null then happened end,
      (customer ->> 'deleted_at')::timestamptz
    )
    on conflict (id) do update set
      user_id = coalesce(known.user_id, excluded.user_id), -- a customer is linked once and stays theirs
      linked_at = coalesce(known.linked_at, excluded.linked_at),
      email = case when excluded.told_at >= known.told_at then coalesce(excluded.email, known.email) else known.email end,
      told_at = greatest(excluded.told_at, known.told_at),
      deleted_at = coalesce(known.deleted_at, excluded.deleted_at);
  end if;

  if effect ? 'subscription' then
    insert into billing.subscriptions as known (
      id, customer_id, livemode, status, price_id, quantity, current_period_end, cancel_at, cancel_at_period_end,
      canceled_at, ended_at, trial_end, started_at, told_at, told_rank, told_state, told_before
    )
    select s.id, s.customer_id, live, s.status, s.price_id, s.quantity, s.current_period_end, s.cancel_at,
      coalesce(s.cancel_at_period_end, false), s.canceled_at, s.ended_at, s.trial_end, s.started_at,
      happened, s.told_rank, s.told_state, coalesce(s.told_before, '{}')
    from jsonb_populate_record(null::billing.subscriptions, effect -> 'subscription') s
    on conflict (id) do update set
      customer_id = excluded.customer_id,
      status = excluded.status,
      price_id = excluded.price_id,
      quantity = excluded.quantity,
      current_period_end = excluded.current_period_end,
      cancel_at = excluded.cancel_at,
      cancel_at_period_end = excluded.cancel_at_period_end,
      canceled_at = excluded.canceled_at,
      ended_at = excluded.ended_at,
      trial_end = excluded.trial_end,
      started_at = excluded.started_at,
      told_at = excluded.told_at,
      told_rank = excluded.told_rank,
      told_state = excluded.told_state,
      told_before = excluded.told_before,
      updated_at = now()
    where billing.is_later(known, excluded.told_at, excluded.told_rank, excluded.told_state);
  end if;

  if effect ? 'purchase' then
    insert into billing.purchases as known (
      id, customer_id, user_id, livemode, price_id, payment_id, amount, currency, status, bought_at
    )
    select p.id, p.customer_id, buyer, live, p.price_id, p.payment_id, p.amount, p.currency, p.status, happened
    from jsonb_populate_record(null::billing.purchases, effect -> 'purchase') p
    on conflict (id) do update set
      customer_id = coalesce(known.customer_id, excluded.customer_id),
      user_id = coalesce(known.user_id, excluded.user_id),
      price_id = coalesce(known.price_id, excluded.price_id),
      payment_id = coalesce(known.payment_id, excluded.payment_id),
      amount = coalesce(excluded.amount, known.amount),
      currency = coalesce(excluded.currency, known.currency),
      -- Pending becomes paid or failed and never the other way round, however late "pending" arrives.
      status = case when known.status = 'pending' then excluded.status else known.status end,
      bought_at = least(known.bought_at, excluded.bought_at);
  end if;

  if effect ? 'invoice' then
    insert into billing.invoices as known (
      id, customer_id, subscription_id, livemode, status, amount, currency, hosted_url, told_at
    )
    select i.id, i.customer_id, i.subscription_id, live, i.status, i.amount, i.currency, i.hosted_url, happened
    from jsonb_populate_record(null::billing.invoices, effect -> 'invoice') i
    on conflict (id) do update set
      status = excluded.status,
      subscription_id = coalesce(excluded.subscription_id, known.subscription_id),
      amount = excluded.amount,
      hosted_url = coalesce(excluded.hosted_url, known.hosted_url),
      told_at = greatest(known.told_at, excluded.told_at)
    where known.status <> 'paid'; -- paid is the end of an invoice, whatever arrives after it
  end if;

  return true;
end
$$;
revoke all on function billing.record_event(jsonb, jsonb) from public;
grant execute on function billing.record_event(jsonb, jsonb) to kanbase_billing;
revoke all on function billing.is_later(billing.subscriptions, timestamptz, smallint, jsonb) from public;
grant execute on function billing.is_later(billing.subscriptions, timestamptz, smallint, jsonb) to kanbase_billing;

-- What a person has ----------------------------------------------------------------------------------------------

-- The customer whose portal and payment details are this person's: one with a running subscription first, then the newest.
create function billing.customer_of(user_id uuid, livemode boolean) returns text
language sql
stable
set search_path = ''
as $$
  select c.id
  from billing.customers c
  where c.user_id = customer_of.user_id
    and (customer_of.livemode is null or c.livemode = customer_of.livemode)
    and c.deleted_at is null
  order by
    exists (
      select from billing.subscriptions s
      where s.customer_id = c.id and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused')
    ) desc,
    c.linked_at desc nulls last,
    c.id desc
  limit 1
$$;
revoke all on function billing.customer_of(uuid, boolean) from public;
grant execute on function billing.customer_of(uuid, boolean) to kanbase_billing;

-- The subscription or one-time purchase that a person's plan comes from; none: no row.
create function private.plan_source(user_id uuid)
returns table (
  price_id text, status text, renews_at timestamptz, ends_at timestamptz, trial_ends_at timestamptz,
  payment_failed boolean, is_running boolean
)
language sql
stable
security definer
set search_path = ''
as $$
  with mode as (
    select (select p.livemode from billing.provider p) as live
  ), had as (
    select
      s.price_id, s.status,
      case when s.status in ('active', 'trialing', 'past_due') and s.cancel_at is null and not s.cancel_at_period_end
        then s.current_period_end end as renews_at,
      coalesce(s.ended_at, s.cancel_at, case when s.cancel_at_period_end then s.current_period_end end) as ends_at,
      case when s.status = 'trialing' then s.trial_end end as trial_ends_at,
      coalesce(
        (
          select i.status = 'failed' from billing.invoices i
          where i.subscription_id = s.id
          order by i.told_at desc, i.id desc
          limit 1
        ),
        false
      ) as payment_failed,
      s.status in ('active', 'trialing', 'past_due') as is_running,
      1 as kind,
      coalesce(s.started_at, s.created_at) as since
    from billing.subscriptions s
    join billing.customers c on c.id = s.customer_id
    cross join mode
    where c.user_id = plan_source.user_id and (mode.live is null or s.livemode = mode.live)
    union all
    select p.price_id, p.status, null, null, null, p.status = 'failed', p.status = 'paid', 0, p.bought_at
    from billing.purchases p
    left join billing.customers c on c.id = p.customer_id
    cross join mode
    where (p.user_id = plan_source.user_id or (p.user_id is null and c.user_id = plan_source.user_id))
      and (mode.live is null or p.livemode = mode.live)
  )
  select had.price_id, had.status, had.renews_at, had.ends_at, had.trial_ends_at, had.payment_failed, had.is_running
  from had
  left join billing.plans on plans.price_id = had.price_id
  -- What runs before what ended, what is a plan before what is not, subscriptions before single purchases.
  order by had.is_running desc, (plans.price_id is not null) desc, had.kind desc, had.since desc
  limit 1
$$;
revoke all on function private.plan_source(uuid) from public;

-- How much of something this person's plan allows; null: no limit. Policies and triggers may ask.
create function private.plan_limit(user_id uuid, name text) returns bigint
language sql
stable
security definer
set search_path = ''
as $$
  select (plans.limits ->> plan_limit.name)::bigint
  from billing.plans
  where plans.is_enforced
    and jsonb_typeof(plans.limits -> plan_limit.name) = 'number'
    and plans.price_id = coalesce(
      (
        select source.price_id
        from private.plan_source(plan_limit.user_id) source
        where source.is_running and exists (select from billing.plans bought where bought.price_id = source.price_id)
      ),
      'free'
    )
$$;
revoke all on function private.plan_limit(uuid, text) from public;

create function private.billing_of(user_id uuid) returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with mode as (
    select (select p.livemode from billing.provider p) as live
  )
  select jsonb_build_object(
    'customer', billing.customer_of(billing_of.user_id, mode.live) is not null,
    'plan', (
      select jsonb_build_object('price_id', plans.price_id, 'name', plans.name, 'limits', plans.limits)
      from billing.plans
      where plans.price_id = case when source.is_running then source.price_id else 'free' end
    ),
    'price_id', source.price_id,
    'status', source.status,
    'renews_at', source.renews_at,
    'ends_at', source.ends_at,
    'trial_ends_at', source.trial_ends_at,
    'payment_failed', coalesce(source.payment_failed, false),
    'purchases', coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'id', p.id, 'price_id', p.price_id, 'name', plans.name, 'amount', p.amount, 'currency', p.currency,
            'status', p.status, 'bought_at', p.bought_at
          )
          order by p.bought_at desc, p.id
        )
        from billing.purchases p
        left join billing.customers c on c.id = p.customer_id
        left join billing.plans on plans.price_id = p.price_id
        where (p.user_id = billing_of.user_id or (p.user_id is null and c.user_id = billing_of.user_id))
          and (mode.live is null or p.livemode = mode.live)
      ),
      '[]'
    )
  )
  from mode
  left join private.plan_source(billing_of.user_id) source on true
$$;
revoke all on function private.billing_of(uuid) from public;

create function private.my_billing() returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.billing_of((nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid)
$$;
revoke all on function private.my_billing() from public;
grant execute on function private.my_billing() to authenticated, service_role;
grant usage on schema private to authenticated, service_role;

create function public.my_billing() returns jsonb
language sql
stable
security invoker
set search_path = ''
as $$
  select private.my_billing()
$$;
revoke all on function public.my_billing() from public;
grant execute on function public.my_billing() to authenticated, service_role;
-- Not for anon: without an account there is nothing to tell.

comment on schema billing is 'What was bought, as the payment provider tells it. Not reachable through the data endpoints.';
comment on table billing.plans is 'What a price means here: a name and limits, enforced only where switched on.';
comment on table billing.events is 'Every event the payment provider sent, once, in the transaction of its effect.';
comment on function public.my_billing() is
  'What the caller has bought: {customer, plan, price_id, status, renews_at, ends_at, trial_ends_at, payment_failed, purchases}.';
