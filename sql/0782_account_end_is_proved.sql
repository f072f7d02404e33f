-- Whoever finds a window open must not be able to end the account in it: its end asks for the second factor, the password, or, where there
-- is neither, a sign-in within the last minutes. The session says so itself: its claim `amr` tells how and when somebody proved who they are.

-- What proves it for the caller's account: factor, password or recent (a sign-in of any kind).
create function private.proof_of_me() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return case
    when exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified') then 'factor'
    when exists (select from auth.users u where u.id = me and u.encrypted_password <> '') then 'password'
    else 'recent'
  end;
end
$$;

create function private.require_fresh_proof() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  proof constant text := private.proof_of_me();
  claims constant jsonb := auth.jwt();
begin
  if not exists (
    select from jsonb_array_elements(case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end) a
    where case proof
        when 'factor' then a ->> 'method' in ('totp', 'mfa/webauthn')
        when 'password' then a ->> 'method' = 'password'
        else true
      end
      and case when jsonb_typeof(a -> 'timestamp') = 'number' then (a ->> 'timestamp')::numeric end > extract(epoch from now()) - 600
  ) then
    raise exception using
      errcode = 'KB013',
      message = 'this needs a sign-in within the last ten minutes',
      detail = 'Asked for: ' || proof,
      hint = 'Sign in again (with a second factor: answer its challenge), then repeat the request with the new token.';
  end if;
end
$$;

create or replace function public.my_account_end() returns jsonb
language sql stable set search_path = '' as $$
  select private.foresee_my_end() || jsonb_build_object('proof', private.proof_of_me())
$$;
grant execute on function private.proof_of_me() to authenticated, service_role;

-- As before, once the proof is fresh.
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
  -- It would be charged for by nobody who can end it.
  if exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = me and c.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      and not s.cancel_at_period_end
  ) then
    raise exception using
      errcode = 'PT409',
      message = 'a subscription of yours is running',
      hint = 'End it under Billing first, then delete the account.';
  end if;
  delete from public.projects p
  where exists (select from public.project_members m where m.project_id = p.id and m.user_id = me)
    and not exists (select from public.project_members m where m.project_id = p.id and m.user_id <> me);
  perform auth.note_event('user_deleted', account, jsonb_build_object('by', 'self'));
  delete from auth.users u where u.id = me;
end
$$;

revoke all on function private.require_fresh_proof() from public;

comment on function private.proof_of_me() is 'What proves anew who the caller is: factor, password or recent.';
comment on function private.require_fresh_proof() is 'Refuses a session in which that proof is older than ten minutes.';
comment on function public.my_account_end() is 'What deleting one''s account would do: projects [{id, name, becomes: stays, passes, archived or deleted, heir_name}], how many tasks and comments would stay without one''s name, and the proof that delete_my_account asks for: factor, password or recent.';
comment on function public.delete_my_account(text) is 'Deletes the caller''s account for good. Takes its address, as a safeguard, and a session in which the second factor was answered within the last ten minutes, or the password given, or, without either, that was begun then (KB013). Projects nobody else is in are deleted; those without another owner pass to their longest-standing editor, or are archived; what one made in others stays without one''s name.';
