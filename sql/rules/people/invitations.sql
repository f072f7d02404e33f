-- Invitations to a project, with a role, or of a guest to one task of it, with a level: an address and tokens that work once, for that address, until they expire. Only hashes of tokens are kept.
-- The inviter sees one token, the email gets its own when it leaves, owners can make more for links; an account with the invited address joins
-- without one. An invitation whose author no longer owns the project is closed. Without an author (service key) it stays open, so those of an
-- ending account are deleted with it (end_invitations).

-- The role of an open invitation may change; another address or a longer time needs a new invitation.
select private.project_rows('public.project_invitations', writes => '{id, project_id, email, role, invited_by, level}', inserts => '{task_id}',
  updates => '{expires_at, accepted_at}', fixed => '{id, project_id, email, task_id, invited_by, expires_at, accepted_at}', author => 'invited_by',
  written_by => '{owner}', but => '{refuse_delete}', program => 'none');
comment on table public.project_invitations is 'Invitations to a project. Owners manage them, with invite_member or by posting a row; the token is kept as a hash.';
comment on column public.project_invitations.email is 'Whom it is for; only an account with this address, verified, can accept.';
comment on column public.project_invitations.role is 'What they become; empty where they are invited as a guest.';
comment on column public.project_invitations.task_id is 'The task a guest is invited to, alone; empty of the whole project.';
comment on column public.project_invitations.level is 'What a guest may do with it: see, comment or edit.';
comment on column public.project_invitations.invited_by is 'Who invited; empty once their account is gone, or where the service key did.';
comment on column public.project_invitations.expires_at is 'Until when the token works; seven days unless invited again.';
comment on column public.project_invitations.accepted_at is 'When it was accepted; kept by the database.';

-- Others learn of no task by them.
create policy of_guests on public.project_invitations as restrictive for select to authenticated
  using (task_id is null or project_id = any ((select private.owned_projects())::uuid[]));
select private.refuse_deletes('public.project_invitations', 'not private.is_owner(old.project_id)',
  'Only an owner of the project can withdraw invitations.');
create or replace trigger project_invitations_send after insert on public.project_invitations for each row
  when (row_security_active('public.project_invitations')) execute function private.send_inserted_invitation();

comment on table private.invitation_tokens is 'Hashes of the tokens of open invitations.';

-- Open: not accepted, not expired, and the inviter still owns the project and can sign in.
create or replace function private.is_open_invitation(invitation public.project_invitations) returns boolean
language sql stable
begin atomic
  select (invitation).accepted_at is null and (invitation).expires_at > now() and private.project_exists((invitation).project_id) and (
    (invitation).invited_by is null
    or exists (
      select from public.project_members m
      join auth.users u on u.id = m.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      where m.project_id = (invitation).project_id and m.user_id = (invitation).invited_by and m.role = 'owner'
    )
  );
end;
comment on function private.is_open_invitation(public.project_invitations) is 'Whether an invitation can be accepted.';

create or replace function private.raise_no_invitation() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such invitation', 'It may have expired, been used or been withdrawn. Ask for a new one.');
end
$$;
comment on function private.raise_no_invitation() is 'Refuses what names no open invitation.';

-- Inviting ----------------------------------------------------------------------------------------------------------------

-- Makes a token for the inviter (the only time it can be read), queues the email, notifies an account with the address.
create or replace function private.send_invitation(invitation public.project_invitations) returns text
language plpgsql security definer set search_path = '' as $$
declare
  token constant text := private.draw_token();
  project_name text;
  inviter_name text;
  task constant text := private.task_as_text(invitation.project_id, invitation.task_id);
begin
  if auth.uid() is not null and private.take_token('invitations by ' || auth.uid(), 50, 3600) > 0 then
    perform private.refuse('PT429', 'you invite many people in a short time', 'Up to 50 invitations an hour go out; wait a while and go on.');
  end if;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  insert into private.invitation_tokens (token_hash, invitation_id) values (private.hash_token(token), invitation.id);

  select p.name into project_name from public.projects p where p.id = invitation.project_id;
  select p.display_name into inviter_name from public.profiles p where p.id = invitation.invited_by;
  -- One address gets a few letters an hour from all of us together; the link to copy works all the same.
  if private.take_token('invitation letters to ' || lower(invitation.email), 5, 3600) = 0 then
    perform private.queue_mail('project_invitation', invitation.email, jsonb_build_object(
      'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role, 'task', task, 'level', invitation.level,
      'invitation_id', invitation.id
    ));
  end if;

  delete from public.notifications n
  using auth.users u
  where n.user_id = u.id and lower(u.email) = lower(invitation.email) and not u.is_sso_user and n.kind = 'invited'
    and n.project_id = invitation.project_id and n.read_at is null;
  insert into public.notifications (user_id, kind, project_id, actor_id, data)
  select p.id, 'invited', invitation.project_id, invitation.invited_by, jsonb_build_object(
    'invitation_id', invitation.id, 'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role, 'task', task, 'level', invitation.level
  )
  from auth.users u
  join public.profiles p on p.id = u.id
  where lower(u.email) = lower(invitation.email) and not u.is_sso_user and private.has_proven_mailbox(u) and u.id is distinct from invitation.invited_by
  limit 1;
  return token;
end
$$;

-- A posted row invites like invite_member; its token goes by email alone.
create or replace function private.send_inserted_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.send_invitation(new);
  return null;
end
$$;

-- The email is about to leave: its own token begins to count, and the queued email keeps it sealed in case it is sent again. False when the
-- invitation has been withdrawn, accepted or has expired.
create or replace function private.address_invitation(letter uuid, token_hash bytea, sealed text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  invitation uuid;
begin
  update private.outbox o set data = jsonb_build_object('sealed', address_invitation.sealed)
  from public.project_invitations i
  where o.id = letter and o.kind = 'project_invitation' and i.id = (o.data ->> 'invitation_id')::uuid
    and i.accepted_at is null and i.expires_at > now()
  returning i.id into invitation;
  if not found then
    return false;
  end if;
  insert into private.invitation_tokens (token_hash, invitation_id) values (address_invitation.token_hash, invitation);
  return true;
end
$$;
grant execute on function private.address_invitation(uuid, bytea, text) to kanbase_mail;
comment on function private.address_invitation(uuid, bytea, text) is 'Gives the letter of an invitation its token, right before it leaves.';

-- To a project with a role, or to one task of it with a level.
create or replace function private.issue_invitation(
  to_project uuid, to_email text, as_role public.project_role, to_task uuid default null, with_level public.grant_level default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
begin
  perform private.require_owner_of(to_project, 'can invite', 'Ask an owner to invite them.');
  if exists (
    select from auth.users u
    join public.project_members m on m.user_id = u.id
    where m.project_id = to_project and lower(u.email) = lower(trim(to_email))
  ) then
    perform private.refuse('KB005', 'this address belongs to a member already', 'Change their role in project_members instead.');
  end if;
  if to_task is null then
    insert into public.project_invitations (project_id, email, role, invited_by)
    values (to_project, trim(to_email), as_role, me)
    on conflict (project_id, lower(email)) where accepted_at is null and task_id is null
      do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at
    returning * into invitation;
  else
    insert into public.project_invitations (project_id, email, role, task_id, level, invited_by)
    values (to_project, trim(to_email), null, to_task, with_level, me)
    on conflict (project_id, task_id, lower(email)) where accepted_at is null
      do update set level = excluded.level, invited_by = excluded.invited_by, expires_at = excluded.expires_at
    returning * into invitation;
  end if;
  return jsonb_build_object(
    'id', invitation.id, 'project_id', invitation.project_id, 'email', invitation.email, 'role', invitation.role,
    'task_id', invitation.task_id, 'level', invitation.level, 'invited_by', invitation.invited_by, 'expires_at', invitation.expires_at, 'created_at', invitation.created_at,
    'token', private.send_invitation(invitation)
  );
end
$$;
grant execute on function private.issue_invitation(uuid, text, public.project_role, uuid, public.grant_level) to authenticated, service_role;

create or replace function public.invite_member(project_id uuid, email text, role public.project_role default 'viewer') returns jsonb
language sql volatile set search_path = '' as $$
  select private.issue_invitation(invite_member.project_id, invite_member.email, invite_member.role)
$$;
grant execute on function public.invite_member(uuid, text, public.project_role) to service_role, authenticated;
comment on function public.invite_member(uuid, text, public.project_role) is 'Invites an address to a project (owners only), or renews its open invitation. Returns the invitation with a token; invitation_token makes more of them. The letter to the invited carries one of its own.';

create or replace function public.invite_guest(task_id uuid, email text, level public.grant_level default 'comment') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  in_project constant uuid := (select t.project_id from public.tasks t where t.id = invite_guest.task_id);
begin
  if in_project is null then
    perform private.raise_not_found('task');
  end if;
  return private.issue_invitation(in_project, invite_guest.email, null, invite_guest.task_id, invite_guest.level);
end
$$;
grant execute on function public.invite_guest(uuid, text, public.grant_level) to service_role, authenticated;
comment on function public.invite_guest(uuid, text, public.grant_level) is 'Invites an address to one task and what is under it, to see, comment or edit, without a role in the project (owners only), or renews its open invitation. Answers as invite_member does.';

-- Links -------------------------------------------------------------------------------------------------------------------

-- Only hashes are kept, so a link cannot be shown again: each call makes another token. The newest twenty of an invitation work.
create or replace function private.issue_invitation_token(of_invitation uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 20;
  me constant uuid := private.require_user();
  token constant text := private.draw_token();
  invitation public.project_invitations;
begin
  select i.* into invitation from public.project_invitations i
  where i.id = of_invitation and i.project_id = any (private.my_projects());
  if not found then
    perform private.raise_no_invitation();
  elsif not private.is_owner(invitation.project_id) then
    perform private.refuse('42501', 'only an owner of the project can read the links of its invitations', 'Ask an owner for it.');
  end if;
  perform from public.project_invitations i where i.id = invitation.id and private.is_open_invitation(i) for update;
  if not found then
    perform private.raise_no_invitation();
  end if;
  if private.take_token('invitation links of ' || me, 200, 3600) > 0 then
    perform private.refuse('PT429', 'you ask for many links in a short time', 'Up to 200 an hour are made; wait a while and go on.');
  end if;
  delete from private.invitation_tokens t where t.token_hash in (
    select o.token_hash from private.invitation_tokens o where o.invitation_id = invitation.id
    order by o.created_at desc, o.token_hash offset most - 1
  );
  insert into private.invitation_tokens (token_hash, invitation_id) values (private.hash_token(token), invitation.id);
  return token;
end
$$;
grant execute on function private.issue_invitation_token(uuid) to authenticated, service_role;
comment on function private.issue_invitation_token(uuid) is 'Makes one more token of an open invitation, for an owner.';

create or replace function public.invitation_token(invitation_id uuid) returns text
language sql volatile set search_path = '' as $$
  select private.issue_invitation_token(invitation_token.invitation_id)
$$;
grant execute on function public.invitation_token(uuid) to service_role, authenticated;
comment on function public.invitation_token(uuid) is 'A token of an open invitation, for a link to hand over (owners only). Each call makes another; those made before go on working, up to twenty.';

-- Does not tell whether the address has an account.
create or replace function private.read_invitation(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  read jsonb;
begin
  select jsonb_build_object(
    'email', i.email, 'role', i.role, 'task', private.task_as_text(i.project_id, i.task_id), 'level', i.level, 'expires_at', i.expires_at, 'project_name', p.name, 'project_color', p.color,
    'inviter_name', w.display_name, 'inviter_avatar_url', w.avatar_url
  ) into read
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  join public.projects p on p.id = i.project_id
  left join public.profiles w on w.id = i.invited_by
  where t.token_hash = private.hash_token(read_invitation.token) and private.is_open_invitation(i);
  if not found then
    perform private.raise_no_invitation();
  end if;
  return read;
end
$$;
grant execute on function private.read_invitation(text) to anon, authenticated, service_role;
comment on function private.read_invitation(text) is 'What the letter of an invitation says.';

create or replace function public.invitation_details(token text) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_invitation(invitation_details.token)
$$;
grant execute on function public.invitation_details(text) to service_role, anon, authenticated;
comment on function public.invitation_details(text) is 'Who invites which address to which project or task, as what and until when: for whoever holds a token of an open invitation, without an account too. Otherwise 404.';

-- Joining -----------------------------------------------------------------------------------------------------------------

-- The calling function has locked the invitation.
create or replace function private.join_by_invitation(invitation public.project_invitations) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  account auth.users;
  membership public.project_members;
begin
  select u.* into account from auth.users u where u.id = me;
  if lower(account.email) is distinct from lower(invitation.email) then
    perform private.refuse('42501', 'this invitation is for another address', 'Sign in with the address it was sent to.');
  elsif account.email_confirmed_at is null then
    perform private.refuse('KB007', 'your address is not verified yet', 'Open the link in the confirmation mail, then accept again.');
  end if;
  if invitation.task_id is null then
    insert into public.project_members (project_id, user_id, role)
    values (invitation.project_id, me, invitation.role)
    on conflict (project_id, user_id) do update set own_role = excluded.role where project_members.own_role is null;
  else
    insert into public.task_grants (project_id, task_id, user_id, level, created_by)
    values (invitation.project_id, invitation.task_id, me, invitation.level, invitation.invited_by)
    on conflict (project_id, task_id, user_id, group_id) do update set is_named = true, level = excluded.level, created_by = excluded.created_by;
  end if;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  update public.project_invitations i set accepted_at = now() where i.id = invitation.id;
  delete from public.notifications n where n.user_id = me and n.kind = 'invited' and n.project_id = invitation.project_id;
  select m.* into membership from public.project_members m where m.project_id = invitation.project_id and m.user_id = me;
  if not found then
    membership.project_id := invitation.project_id;
    membership.user_id := me;
  end if;
  return membership;
end
$$;
comment on function private.join_by_invitation(public.project_invitations) is 'Makes the caller a member, or the guest of a task, by an invitation of theirs.';

create or replace function private.redeem_invitation(token text) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  invitation public.project_invitations;
begin
  perform private.require_user();
  select i.* into invitation
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  where t.token_hash = private.hash_token(redeem_invitation.token) and private.is_open_invitation(i)
  for update of t, i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  return private.join_by_invitation(invitation);
end
$$;
grant execute on function private.redeem_invitation(text) to authenticated, service_role;

create or replace function public.accept_invitation(token text) returns public.project_members
language sql volatile set search_path = '' as $$
  select private.redeem_invitation(accept_invitation.token)
$$;
grant execute on function public.accept_invitation(text) to service_role, authenticated;
comment on function public.accept_invitation(text) is 'Joins the project of an invitation. The caller''s address must be the invited one, verified. Returns the membership; that of a guest has no role.';

-- An invitation of another address is answered like a missing one.
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
  select private.has_proven_mailbox(u) into shown from auth.users u where u.id = me;
  if not shown then
    perform private.refuse('KB007', 'your address is not verified yet',
      'Open the link in the confirmation mail, or in the letter of the invitation, then accept again.');
  end if;
  return private.join_by_invitation(invitation);
end
$$;
grant execute on function private.redeem_own_invitation(uuid) to authenticated, service_role;
comment on function private.redeem_own_invitation(uuid) is 'Joins by an invitation to the caller''s own address.';

create or replace function public.join_project(invitation_id uuid) returns public.project_members
language sql volatile set search_path = '' as $$
  select private.redeem_own_invitation(join_project.invitation_id)
$$;
grant execute on function public.join_project(uuid) to service_role, authenticated;
comment on function public.join_project(uuid) is 'Joins the project of an invitation to the caller''s own, verified address, without its token. Returns the membership; that of a guest has no role.';

create or replace function private.end_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_invitations i where i.invited_by = old.id and i.accepted_at is null;
  return old;
end
$$;
comment on function private.end_invitations() is 'Ends what a person invited to and nobody accepted, before their account ends.';
