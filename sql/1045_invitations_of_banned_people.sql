-- An invitation leads nowhere while whoever sent it may not sign in. A new password doesn't end it: it names the address it was sent to, every
-- owner sees it in the list of people, and only the owner of that mailbox can accept it.

create or replace function private.is_open_invitation(invitation public.project_invitations) returns boolean
language sql stable
begin atomic
  select (invitation).accepted_at is null and (invitation).expires_at > now() and private.is_there((invitation).project_id) and (
    (invitation).invited_by is null
    or exists (
      select from public.project_members m
      join auth.users u on u.id = m.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      where m.project_id = (invitation).project_id and m.user_id = (invitation).invited_by and m.role = 'owner'
    )
  );
end;
