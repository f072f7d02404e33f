-- Plans: the one a person has, from the rows that payment events left, and the limits that come with it. Limits hold where the operator enforces
-- a plan (`billing.plans.is_enforced`, off at first): `projects` (of one person, without archived ones) and `members_per_project` (by the plan
-- of the person who created the project). SQLSTATE PT402 is HTTP 402 at the data door.

-- The customer whose portal and payment details are this person's: one with a running subscription first, then the newest.
create or replace function billing.customer_of(user_id uuid, livemode boolean) returns text
language sql stable set search_path = '' as $$
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
grant execute on function billing.customer_of(uuid, boolean) to kanbase_billing;

-- The subscription or one-time purchase that a person's plan comes from; none: no row.
create or replace function private.plan_source(user_id uuid)
returns table (
  price_id text, status text, renews_at timestamptz, ends_at timestamptz, trial_ends_at timestamptz, payment_failed boolean, is_running boolean
)
language sql stable security definer set search_path = '' as $$
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
    from billing.purchase_outcomes p
    left join billing.customers c on c.id = p.customer_id
    cross join mode
    where (p.user_id = plan_source.user_id or (p.user_id is null and c.user_id = plan_source.user_id))
      and (mode.live is null or p.livemode = mode.live)
  )
  select had.price_id, had.status, had.renews_at, had.ends_at, had.trial_ends_at, had.payment_failed, had.is_running
  from had
  left join billing.plans on plans.price_id = had.price_id
  -- What runs before what does not; of what runs, a plan before what is none, a subscription before a single purchase.
  order by
    had.is_running desc,
    (had.is_running and plans.price_id is not null) desc,
    case when had.is_running then had.kind end desc,
    had.since desc,
    had.price_id
  limit 1
$$;

create or replace function private.billing_of(user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
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
    -- What that price is called, also when it does not give the plan any more.
    'price_name', (select plans.name from billing.plans where plans.price_id = source.price_id),
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
        from billing.purchase_outcomes p
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

create or replace function private.my_billing() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.billing_of(private.me()) where current_setting('role', true) is distinct from 'program'
$$;
grant execute on function private.my_billing() to authenticated, service_role;

create or replace function public.my_billing() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select private.my_billing()
$$;
grant execute on function public.my_billing() to service_role, authenticated;
comment on function public.my_billing() is 'What the caller has bought: {customer, plan, price_id, price_name, status, renews_at, ends_at, trial_ends_at, payment_failed, purchases}.';

-- Limits ------------------------------------------------------------------------------------------------------------------

-- Null: no limit.
create or replace function private.plan_limit(user_id uuid, name text) returns bigint
language sql stable security definer set search_path = '' as $$
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

-- Triggers of public.projects and public.project_members.
create or replace function private.check_project_limit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowed bigint := private.plan_limit(new.created_by, 'projects');
begin
  if allowed is null then
    return null;
  end if;
  -- One at a time per person, or two at once would both find the last place free.
  perform pg_advisory_xact_lock(hashtextextended('plan of ' || new.created_by, 0));
  if (select count(*) from public.projects p where p.created_by = new.created_by and p.archived_at is null and p.deleted_at is null) > allowed then
    perform private.refuse('PT402', format('Your plan allows %s %s', allowed, case allowed when 1 then 'project' else 'projects' end),
      'Archive or delete a project, or choose a larger plan.', format('projects: %s', allowed));
  end if;
  return null;
end
$$;

create or replace function private.check_member_limit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  project public.projects;
  allowed bigint;
begin
  select p.* into project from public.projects p where p.id = new.project_id;
  if project.deleted_at is not null then
    -- Groups bring who is in them when the project comes back.
    if new.own_role is null or exists (select from private.kept_members k where k.project_id = new.project_id and k.user_id = new.user_id) then
      return null;
    end if;
    -- It was deleted while somebody joined.
    perform private.raise_not_found('project');
  end if;
  allowed := private.plan_limit(project.created_by, 'members_per_project');
  if allowed is null then
    return null;
  end if;
  perform from public.projects p where p.id = new.project_id for no key update;
  if not private.is_service_account(new.user_id) and private.count_people(new.project_id) > allowed then
    perform private.refuse('PT402', format('The plan of this project allows %s %s', allowed, case allowed when 1 then 'member' else 'members' end),
      'Remove a member, or choose a larger plan.', format('members_per_project: %s', allowed));
  end if;
  return null;
end
$$;
