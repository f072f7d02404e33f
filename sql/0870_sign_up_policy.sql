-- Where only invited people may make an account (AUTH_SIGN_UP=invited), the identity door asks whether an address is.

-- kanbase_identity has no rights in `private` or `public`; it learns yes or no, for one address at a time.
create function auth.is_invited(address text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.project_invitations i
    where lower(i.email) = lower(is_invited.address) and i.accepted_at is null and private.is_open_invitation(i)
  ) or exists (
    -- invited to the instance itself, and not come yet
    select from auth.users u
    where lower(u.email) = lower(is_invited.address) and not u.is_sso_user
      and u.invited_at is not null and u.email_confirmed_at is null and u.deleted_at is null
  )
$$;
revoke all on function auth.is_invited(text) from public;
grant execute on function auth.is_invited(text) to kanbase_identity;

create index project_invitations_open_by_address on public.project_invitations (lower(email)) where accepted_at is null;

comment on function auth.is_invited(text) is 'Whether somebody with this address may make an account although sign-up is for invited people only.';
