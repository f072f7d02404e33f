-- Invitations: an address, a role, and tokens that work once, for that address, until they expire. One is shown to whoever
-- invites, another is made when the mail is sent; only their hashes are kept, and queued mails hold none.

create table public.project_invitations (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  email text not null,
  role public.project_role not null default 'viewer',
  invited_by uuid default auth.uid() references public.profiles (id) on delete set null,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint project_invitations_email_is_an_address check (email ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$' and char_length(email) <= 255)
);
create unique index project_invitations_one_open_per_address on public.project_invitations (project_id, lower(email)) where accepted_at is null;
create index project_invitations_project_id_idx on public.project_invitations (project_id, created_at);
create index project_invitations_invited_by_idx on public.project_invitations (invited_by);

alter table public.project_invitations replica identity full;

alter table public.project_invitations enable row level security;

create policy read on public.project_invitations for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.project_invitations for insert to authenticated
  with check (project_id = any ((select private.my_owned_projects())::uuid[]));
create policy change on public.project_invitations for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_owned_projects())::uuid[]));
-- lets every member through: project_invitations_refuse_delete then refuses all but owners with 403, where a policy would say nothing
create policy remove on public.project_invitations for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.project_invitations to service_role using (true) with check (true);

grant select on public.project_invitations to anon, authenticated;
grant insert (id, project_id, email, role, invited_by, created_at, updated_at),
  update (id, project_id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at), delete
  on public.project_invitations to authenticated;
grant all on public.project_invitations to service_role;

create trigger project_invitations_keep_new before insert on public.project_invitations for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger project_invitations_keep before update on public.project_invitations for each row execute function private.keep_times();
create trigger project_invitations_claim_author before insert on public.project_invitations for each row
  when (new.invited_by is distinct from auth.uid()) execute function private.claim_author('invited_by');
-- the role may be changed while the invitation is open; to invite another address, or for longer, invite again
create trigger project_invitations_refuse_change before update on public.project_invitations for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.email <> new.email or old.expires_at <> new.expires_at
    or old.invited_by is distinct from new.invited_by or old.accepted_at is distinct from new.accepted_at)
  execute function private.refuse_change('id', 'project_id', 'email', 'invited_by', 'expires_at', 'accepted_at');
create trigger project_invitations_refuse_delete before delete on public.project_invitations for each row
  when (row_security_active('public.project_invitations') and current_user <> 'service_role' and not private.is_owner(old.project_id))
  execute function private.refuse_delete('Only an owner of the project can withdraw invitations.');

create table private.invitation_tokens (
  token_hash bytea primary key,
  invitation_id uuid not null references public.project_invitations (id) on delete cascade
);
create index invitation_tokens_invitation_id_idx on private.invitation_tokens (invitation_id);
alter table private.invitation_tokens enable row level security;
-- no policies, no grants: only the functions below look

-- Makes a token for whoever invites (the only time it is seen), queues the mail, notifies the invited if they have an account.
create function private.send_invitation(invitation public.project_invitations) returns text
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
  where lower(u.email) = lower(invitation.email) and u.email_confirmed_at is not null and u.id is distinct from invitation.invited_by
  limit 1;
  return token;
end
$$;

-- A letter is about to leave: its own token begins to count, and the letter rests sealed from here on, should it have to be
-- sent again. False when the invitation was withdrawn, accepted or has expired meanwhile.
create function private.address_invitation(letter uuid, token_hash bytea, sealed text) returns boolean
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

-- An owner who posts a row invites like one who calls invite_member; the token goes by mail alone.
create function private.send_posted_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.send_invitation(new);
  return null;
end
$$;
create trigger project_invitations_send after insert on public.project_invitations for each row
  when (row_security_active('public.project_invitations')) execute function private.send_posted_invitation();

create function private.issue_invitation(to_project uuid, to_email text, as_role public.project_role) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
begin
  if not (to_project = any (private.my_projects())) then
    perform private.raise_not_found('project');
  elsif not private.is_owner(to_project) then
    raise exception using
      errcode = '42501',
      message = 'only an owner of the project can invite',
      hint = 'Ask an owner to invite them.';
  end if;
  if exists (
    select from auth.users u
    join public.project_members m on m.user_id = u.id
    where m.project_id = to_project and lower(u.email) = lower(trim(to_email))
  ) then
    raise exception using
      errcode = 'KB005',
      message = 'this address belongs to a member already',
      hint = 'Change their role in project_members instead.';
  end if;
  insert into public.project_invitations (project_id, email, role, invited_by)
  values (to_project, trim(to_email), as_role, me)
  on conflict (project_id, lower(email)) where accepted_at is null
    do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at
  returning * into invitation;
  return jsonb_build_object(
    'id', invitation.id, 'project_id', invitation.project_id, 'email', invitation.email, 'role', invitation.role,
    'invited_by', invitation.invited_by, 'expires_at', invitation.expires_at, 'created_at', invitation.created_at,
    'token', private.send_invitation(invitation)
  );
end
$$;
grant execute on function private.issue_invitation(uuid, text, public.project_role) to authenticated, service_role;

create function public.invite_member(project_id uuid, email text, role public.project_role default 'viewer') returns jsonb
language sql volatile set search_path = '' as $$
  select private.issue_invitation(invite_member.project_id, invite_member.email, invite_member.role)
$$;
grant execute on function public.invite_member(uuid, text, public.project_role) to authenticated;

create function private.redeem_invitation(token text) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
  account auth.users;
  membership public.project_members;
begin
  select i.* into invitation
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  where t.token_hash = sha256(convert_to(coalesce(redeem_invitation.token, ''), 'UTF8'))
    and i.accepted_at is null and i.expires_at > now()
    -- who left, or is no owner any more, brings nobody in
    and (i.invited_by is null or exists (
      select from public.project_members m
      where m.project_id = i.project_id and m.user_id = i.invited_by and m.role = 'owner'
    ))
  for update of t, i;
  if not found then
    raise exception using
      errcode = 'PT404',
      message = 'no such invitation',
      hint = 'It may have expired, been used or been withdrawn. Ask for a new one.';
  end if;
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
grant execute on function private.redeem_invitation(text) to authenticated, service_role;

create function public.accept_invitation(token text) returns public.project_members
language sql volatile set search_path = '' as $$
  select private.redeem_invitation(accept_invitation.token)
$$;
grant execute on function public.accept_invitation(text) to authenticated;

comment on table private.invitation_tokens is 'Hashes of the tokens of open invitations.';
comment on function private.address_invitation(uuid, bytea, text) is 'Gives the letter of an invitation its token, right before it leaves.';
comment on table public.project_invitations is 'Invitations to a project. Owners manage them, with invite_member or by posting a row; the token is kept as a hash.';
comment on column public.project_invitations.id is 'Made by the server unless the client sends its own.';
comment on column public.project_invitations.project_id is 'The project.';
comment on column public.project_invitations.email is 'Whom it is for; only an account with this address, verified, can accept.';
comment on column public.project_invitations.role is 'What they become.';
comment on column public.project_invitations.invited_by is 'Who invited; empty once their account is gone.';
comment on column public.project_invitations.expires_at is 'Until when the token works; seven days unless invited again.';
comment on column public.project_invitations.accepted_at is 'When it was accepted; kept by the database.';
comment on column public.project_invitations.created_at is 'When the row was made; kept by the database.';
comment on column public.project_invitations.updated_at is 'When the row last changed; kept by the database.';
comment on function public.invite_member(uuid, text, public.project_role) is 'Invites an address to a project (owners only), or renews its open invitation. Returns the invitation with a one-time token that is never shown again; the letter to the invited carries one of its own.';
comment on function public.accept_invitation(text) is 'Joins the project of an invitation. The caller''s address must be the invited one, verified. Returns the membership.';
