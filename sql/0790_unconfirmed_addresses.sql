-- Who accepts an invitation before their address is confirmed is told so by a code of its own: clients need not read the message.

create or replace function private.let_in(invitation public.project_invitations) returns public.project_members
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
      errcode = 'KB007',
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
