-- An invitation whose author lost the project leads nowhere (private.is_open_invitation); one without an author is the service key's, and does.
-- So the end of an account, which empties invited_by, must not leave those it closed: they go with it.

create function private.end_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_invitations i where i.invited_by = old.id and i.accepted_at is null;
  return old;
end
$$;
revoke all on function private.end_invitations() from public;
create trigger profiles_end_invitations before delete on public.profiles for each row execute function private.end_invitations();
comment on function private.end_invitations() is 'Ends what a person invited to and nobody accepted, before their account ends.';
comment on column public.project_invitations.invited_by is 'Who invited; empty once their account is gone, or where the service key did.';

-- Those whose author's account has ended before: nothing else changes a row that has none but a change of its role.
delete from public.project_invitations i where i.invited_by is null and i.accepted_at is null and i.updated_at > i.created_at;
