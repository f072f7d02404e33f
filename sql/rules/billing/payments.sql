-- Payments as the payment provider tells them. The server writes them as kanbase_billing, by `billing.record_event` alone: it stores an event
-- and applies its effect, once, whatever the order of arrival. Plans and limits that follow are in plans.sql.
-- Test and live rows may share a database: only those of the key in use count.

select private.room_rows('billing.provider', 'kanbase_billing', 'insert, select, update');

create policy billing_room on billing.plans to kanbase_billing using (true) with check (true);
create policy landing_room on billing.plans for select to kanbase_landing using (is_offered);
grant insert, select, update, delete on billing.plans to kanbase_billing;
grant select on billing.plans to kanbase_landing;
comment on table billing.plans is 'What a price means here: a name and limits, enforced only where switched on.';

select private.room_rows('billing.customers', 'kanbase_billing', 'insert, select, update');
select private.room_rows('billing.subscriptions', 'kanbase_billing', 'insert, select, update');
select private.room_rows('billing.purchases', 'kanbase_billing', 'insert, select, update');
select private.room_rows('billing.reversals', 'kanbase_billing', 'insert, select, update');
select private.room_rows('billing.invoices', 'kanbase_billing', 'insert, select, update');
select private.room_rows('billing.events', 'kanbase_billing', 'insert, select, delete');
comment on table billing.events is 'Every event the payment provider sent, once, in the transaction of its effect.';

-- `paid` ends when all of the money went back, by a full refund or a lost dispute, and pauses while a dispute is open. A partial refund, an
-- inquiry of the bank and a dispute that was won change nothing.
create or replace view billing.purchase_outcomes as
select p.id, p.customer_id, p.user_id, p.livemode, p.price_id, p.amount, p.currency, p.bought_at,
  case
    when p.status <> 'paid' then p.status
    when r.is_back then 'refunded'
    when r.is_disputed then 'disputed'
    else p.status
  end as status
from billing.purchases p
cross join lateral (
  select
    coalesce(bool_or(back.status in ('full', 'lost')), false) as is_back,
    coalesce(bool_or(back.status = 'open'), false) as is_disputed
  from billing.reversals back
  where back.payment_id = p.payment_id
) r;
comment on view billing.purchase_outcomes is 'Purchases as they stand after refunds and disputes.';

-- The account with this id, if it still exists; it is kept from being deleted until the transaction ends.
create or replace function private.lock_account(user_id uuid) returns uuid
language sql security definer set search_path = '' as $$
  select users.id from auth.users where users.id = lock_account.user_id for key share
$$;
grant execute on function private.lock_account(uuid) to kanbase_billing;

-- Compares two states of a subscription, as events tell them: true where `told` is the later one.
create or replace function billing.is_later(known billing.subscriptions, told billing.subscriptions) returns boolean
language sql immutable set search_path = '' as $$
  select case
    when told.told_at <> known.told_at then told.told_at > known.told_at
    when told.told_rank <> known.told_rank then told.told_rank > known.told_rank
    -- Same second, same kind: an update names what it changed, as it was before. The state that still looks so came first.
    when known.told_before <> '{}' and told.told_state @> known.told_before
      then told.told_before <> '{}' and known.told_state @> told.told_before
    else true
  end
$$;
grant execute on function billing.is_later(billing.subscriptions, billing.subscriptions) to kanbase_billing;

-- False for an event that is stored already.
-- `effect` is written by the server: {customer, subscription, purchase, invoice, reversal}, each with our column names or absent.
create or replace function billing.record_event(event jsonb, effect jsonb) returns boolean
language plpgsql set search_path = '' as $$
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

  buyer := private.lock_account((effect ->> 'user_id')::uuid);

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
    where billing.is_later(known, excluded);
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

  if effect ? 'reversal' then
    insert into billing.reversals as known (id, payment_id, kind, status, told_at, told_rank)
    select r.id, r.payment_id, r.kind, r.status, happened, r.told_rank
    from jsonb_populate_record(null::billing.reversals, effect -> 'reversal') r
    on conflict (id) do update set
      status = excluded.status,
      told_at = excluded.told_at,
      told_rank = excluded.told_rank
    where (excluded.told_at, excluded.told_rank) >= (known.told_at, known.told_rank);
  end if;

  return true;
end
$$;
grant execute on function billing.record_event(jsonb, jsonb) to kanbase_billing;
