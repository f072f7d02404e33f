-- An operator makes an account by a link that is handed on: whoever opens it has an account with that address, and has not shown that the
-- mailbox is theirs. By an invitation to the address alone nobody joins so; the link in its letter, or from an owner, shows enough.

create function private.has_shown_mailbox(account auth.users) returns boolean
language sql stable security definer set search_path = '' as $$
  select account.email_confirmed_at is not null and not (account.invited_at is not null and exists (
    select from auth.identities i
    where i.user_id = account.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
  ))
$$;
revoke all on function private.has_shown_mailbox(auth.users) from public;
comment on function private.has_shown_mailbox(auth.users) is 'Whether an account is confirmed, and by more than a link that an operator handed on.';

-- As it was, but for whom it notifies.
create or replace function private.send_invitation(invitation public.project_invitations) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  project_name text;
  inviter_name text;
begin
  if auth.uid() is not null and private.take_point('invitations by ' || auth.uid(), 50, 3600) > 0 then
    raise exception using
      errcode = 'PT429',
      message = 'you invite many people in a short time',
      hint = 'Up to 50 invitations an hour go out; wait a while and go on.';
  end if;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  insert into private.invitation_tokens (token_hash, invitation_id) values (sha256(convert_to(token, 'UTF8')), invitation.id);

  select p.name into project_name from public.projects p where p.id = invitation.project_id;
  select p.display_name into inviter_name from public.profiles p where p.id = invitation.invited_by;
  -- One address gets a few letters an hour from all of us together; the link to copy works all the same.
  if private.take_point('invitation letters to ' || lower(invitation.email), 5, 3600) = 0 then
    perform private.queue_mail('project_invitation', invitation.email, jsonb_build_object(
      'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role, 'invitation_id', invitation.id
    ));
  end if;

  delete from public.notifications n
  using auth.users u
  where n.user_id = u.id and lower(u.email) = lower(invitation.email) and n.kind = 'invited'
    and n.project_id = invitation.project_id and n.read_at is null;
  insert into public.notifications (user_id, kind, project_id, actor_id, data)
  select p.id, 'invited', invitation.project_id, invitation.invited_by, jsonb_build_object(
    'invitation_id', invitation.id, 'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role
  )
  from auth.users u
  join public.profiles p on p.id = u.id
  where lower(u.email) = lower(invitation.email) and private.has_shown_mailbox(u) and u.id is distinct from invitation.invited_by
  limit 1;
  return token;
end
$$;

-- Somebody else's is, to the caller, not there.
create or replace function private.redeem_own_invitation(of_invitation uuid) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
  shown boolean;
begin
  select i.* into invitation
  from public.project_invitations i
  join auth.users u on u.id = me and lower(u.email) = lower(i.email)
  where i.id = of_invitation and private.is_open_invitation(i)
  for update of i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  select private.has_shown_mailbox(u) into shown from auth.users u where u.id = me;
  if not shown then
    raise exception using
      errcode = 'KB007',
      message = 'your address is not verified yet',
      hint = 'Open the link in the confirmation mail, or in the letter of the invitation, then accept again.';
  end if;
  return private.let_in(invitation);
end
$$;
