-- Invitations after they are sent: an owner gets a link of an open one again, whoever holds a link reads who invites whom to what, and
-- who has an account with the invited address joins without one.

alter table private.invitation_tokens add column created_at timestamptz not null default now();

-- Open: not accepted, not expired, and whoever invited still owns the project.
create function private.is_open_invitation(invitation public.project_invitations) returns boolean
language sql stable
begin atomic
  select invitation.accepted_at is null and invitation.expires_at > now()
    and (invitation.invited_by is null or exists (
      select from public.project_members m
      where m.project_id = invitation.project_id and m.user_id = invitation.invited_by and m.role = 'owner'
    ));
end;

create function private.raise_no_invitation() returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using
    errcode = 'PT404',
    message = 'no such invitation',
    hint = 'It may have expired, been used or been withdrawn. Ask for a new one.';
end
$$;

-- Tokens rest as hashes, so a link that was shown before cannot be read again: another one is made, which works beside it. The newest
-- twenty of an invitation work, so that looking often fills no table.
create function private.issue_invitation_token(of_invitation uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 20;
  me constant uuid := private.require_user();
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  invitation public.project_invitations;
begin
  select i.* into invitation from public.project_invitations i
  where i.id = of_invitation and i.project_id = any (private.my_projects());
  if not found then
    perform private.raise_no_invitation();
  elsif not private.is_owner(invitation.project_id) then
    raise exception using
      errcode = '42501',
      message = 'only an owner of the project can read the links of its invitations',
      hint = 'Ask an owner for it.';
  end if;
  perform from public.project_invitations i where i.id = invitation.id and private.is_open_invitation(i) for update;
  if not found then
    perform private.raise_no_invitation();
  end if;
  if private.take_point('invitation links of ' || me, 200, 3600) > 0 then
    raise exception using
      errcode = 'PT429',
      message = 'you ask for many links in a short time',
      hint = 'Up to 200 an hour are made; wait a while and go on.';
  end if;
  delete from private.invitation_tokens t where t.token_hash in (
    select o.token_hash from private.invitation_tokens o where o.invitation_id = invitation.id
    order by o.created_at desc, o.token_hash offset most - 1
  );
  insert into private.invitation_tokens (token_hash, invitation_id) values (sha256(convert_to(token, 'UTF8')), invitation.id);
  return token;
end
$$;
grant execute on function private.issue_invitation_token(uuid) to authenticated, service_role;

create function public.invitation_token(invitation_id uuid) returns text
language sql volatile set search_path = '' as $$
  select private.issue_invitation_token(invitation_token.invitation_id)
$$;
grant execute on function public.invitation_token(uuid) to authenticated;

-- What its letter says. Whether the address has an account it does not.
create function private.read_invitation(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  read jsonb;
begin
  select jsonb_build_object(
    'email', i.email, 'role', i.role, 'expires_at', i.expires_at, 'project_name', p.name, 'project_color', p.color,
    'inviter_name', w.display_name, 'inviter_avatar_url', w.avatar_url
  ) into read
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  join public.projects p on p.id = i.project_id
  left join public.profiles w on w.id = i.invited_by
  where t.token_hash = sha256(convert_to(coalesce(read_invitation.token, ''), 'UTF8')) and private.is_open_invitation(i);
  if not found then
    perform private.raise_no_invitation();
  end if;
  return read;
end
$$;
grant execute on function private.read_invitation(text) to anon, authenticated, service_role;

create function public.invitation_details(token text) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_invitation(invitation_details.token)
$$;
-- the one procedure without an account: who is invited may have none yet, and the token is what they show
grant execute on function public.invitation_details(text) to anon, authenticated;

-- The caller becomes a member, if the invitation is theirs; the caller of this has locked the row.
create function private.let_in(invitation public.project_invitations) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  account auth.users;
  membership public.project_members;
begin
  select u.* into account from auth.users u where u.id = me;
  if lower(account.email) is distinct from lower(invitation.email) then
    raise exception using
      errcode = '42501',
      message = 'this invitation is for another address',
      hint = 'Sign in with the address it was sent to.';
  elsif account.email_confirmed_at is null then
    raise exception using
      errcode = '42501',
      message = 'your address is not verified yet',
      hint = 'Open the link in the confirmation mail, then accept again.';
  end if;
  insert into public.project_members (project_id, user_id, role)
  values (invitation.project_id, me, invitation.role)
  on conflict (project_id, user_id) do nothing;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  update public.project_invitations i set accepted_at = now() where i.id = invitation.id;
  delete from public.notifications n where n.user_id = me and n.kind = 'invited' and n.project_id = invitation.project_id;
  select m.* into membership from public.project_members m where m.project_id = invitation.project_id and m.user_id = me;
  return membership;
end
$$;

create or replace function private.redeem_invitation(token text) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  invitation public.project_invitations;
begin
  perform private.require_user();
  select i.* into invitation
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  where t.token_hash = sha256(convert_to(coalesce(redeem_invitation.token, ''), 'UTF8')) and private.is_open_invitation(i)
  for update of t, i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  return private.let_in(invitation);
end
$$;

-- Somebody else's is, to the caller, not there.
create function private.redeem_own_invitation(of_invitation uuid) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
begin
  select i.* into invitation
  from public.project_invitations i
  join auth.users u on u.id = me and lower(u.email) = lower(i.email)
  where i.id = of_invitation and private.is_open_invitation(i)
  for update of i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  return private.let_in(invitation);
end
$$;
grant execute on function private.redeem_own_invitation(uuid) to authenticated, service_role;

create function public.join_project(invitation_id uuid) returns public.project_members
language sql volatile set search_path = '' as $$
  select private.redeem_own_invitation(join_project.invitation_id)
$$;
grant execute on function public.join_project(uuid) to authenticated;

comment on function private.is_open_invitation(public.project_invitations) is 'Whether an invitation can be accepted.';
comment on function private.raise_no_invitation() is 'Refuses what names no open invitation.';
comment on function private.issue_invitation_token(uuid) is 'Makes one more token of an open invitation, for an owner.';
comment on function private.read_invitation(text) is 'What the letter of an invitation says.';
comment on function private.let_in(public.project_invitations) is 'Makes the caller a member by an invitation of theirs.';
comment on function private.redeem_own_invitation(uuid) is 'Joins by an invitation to the caller''s own address.';
comment on function public.invitation_token(uuid) is 'A token of an open invitation, for a link to hand over (owners only). Each call makes another; those made before go on working, up to twenty.';
comment on function public.invitation_details(text) is 'Who invites which address to which project, as what and until when: for whoever holds a token of an open invitation, without an account too. Otherwise 404.';
comment on function public.join_project(uuid) is 'Joins the project of an invitation to the caller''s own, verified address, without its token. Returns the membership.';
comment on function public.invite_member(uuid, text, public.project_role) is 'Invites an address to a project (owners only), or renews its open invitation. Returns the invitation with a token; invitation_token makes more of them. The letter to the invited carries one of its own.';
