-- The end of an account is one procedure, whether its owner asks for it or an operator does.

-- What private.keep_an_owner will do with each project: nothing, pass it on, archive it. One that nobody is left in is deleted.
create function private.foresee_end_of(account uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'heir_name', heir.display_name, 'becomes', case
        when not exists (select from public.project_members o where o.project_id = p.id and o.user_id <> account) then 'deleted'
        when m.role <> 'owner' or exists (
          select from public.project_members o where o.project_id = p.id and o.user_id <> account and o.role = 'owner'
        ) then 'stays'
        when heir.user_id is not null then 'passes'
        else 'archived'
      end) order by p.name, p.id), '[]')
      from public.project_members m
      join public.projects p on p.id = m.project_id
      left join lateral (
        select o.user_id, f.display_name from public.project_members o
        left join public.profiles f on f.id = o.user_id
        where o.project_id = p.id and o.user_id <> account and o.role = 'editor'
        order by o.created_at, o.user_id limit 1
      ) heir on true
      where m.user_id = account
    ),
    'tasks', (
      select count(*) from public.tasks t
      where t.created_by = account and exists (select from public.project_members o where o.project_id = t.project_id and o.user_id <> account)
    ),
    'comments', (
      select count(*) from public.task_comments c
      where c.author_id = account and exists (select from public.project_members o where o.project_id = c.project_id and o.user_id <> account)
    )
  )
$$;

create or replace function private.foresee_my_end() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return private.foresee_end_of(me);
end
$$;

-- What was made in projects of others stays there without a name; sessions go with the account, and their tokens are turned away from then on.
create function private.end_account(account auth.users, ended_by jsonb) returns void
language plpgsql volatile set search_path = '' as $$
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
  delete from public.projects p
  where exists (select from public.project_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from public.project_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
end
$$;

create or replace function private.end_my_account(email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  account auth.users;
begin
  select u.* into account from auth.users u where u.id = me for update;
  if not found or lower(trim(coalesce(end_my_account.email, ''))) is distinct from lower(coalesce(account.email, '')) then
    raise exception using
      errcode = '22023',
      message = 'this is not the address of your account',
      hint = 'Send the address you sign in with, so that nothing is deleted by mistake.';
  end if;
  perform private.require_fresh_proof();
  perform private.end_account(account, '{"by": "self"}');
end
$$;

comment on function private.foresee_end_of(uuid) is 'What becomes of an account''s projects and work without it.';
comment on function private.end_account(auth.users, jsonb) is 'Deletes an account: for its owner, and for an operator.';
