-- A project whose last two people end their accounts at the same moment goes with them, as it does when one comes after the other: each saw
-- the other in it, and it stayed behind, archived and seen by nobody.
create or replace function private.end_account(account auth.users, ended_by jsonb)
returns void
language plpgsql set search_path = '' as $$
declare
  mine uuid[];
begin
  -- It would be charged for by nobody who can end it.
  if exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = account.id and c.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      and not s.cancel_at_period_end
  ) then
    raise exception using
      errcode = 'PT409',
      message = case when ended_by ->> 'by' = 'self' then 'a subscription of yours is running' else 'a subscription of this account is running' end,
      hint = 'End it under Billing first, then delete the account.';
  end if;
  mine := array(select m.project_id from private.all_members m where m.user_id = account.id);
  -- Somebody may be joining one of them: that is waited for.
  perform from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id)
  order by p.id for update;
  -- For good, also those that were deleted before.
  delete from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
  -- The only other one in it ended theirs at the same moment.
  delete from public.projects p
  where p.id = any (mine) and not exists (select from private.all_members m where m.project_id = p.id);
end
$$;
