-- Join links: whoever opens one and has an account with a confirmed address joins the project, in the role of the link. A project has one open
-- link; a new one ends the one before. Only hashes of tokens are kept: each copy is another token, and all tokens of a link end with it. A link
-- ends as its author stops owning the project. It names no address, so where only invited people sign up (AUTH_SIGN_UP=invited) it brings
-- nobody an account: they need an invitation, or an address of an admitted domain, as without it.

-- Only owners see them: a link is as good as an invitation. No write grants: the procedures below write.
select private.served_rows('public.join_links', clients => 'select', program => 'none');
create policy read on public.join_links for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
comment on table public.join_links is 'Links to join a project, one of them open at most. Owners see and manage them, with create_join_link and revoke_join_link; tokens are kept as hashes.';
comment on column public.join_links.role is 'What people who join become: editor or viewer.';
comment on column public.join_links.created_by is 'Who made it; empty once their account is gone.';
comment on column public.join_links.expires_at is 'Until when it works; empty: until it is revoked.';
comment on column public.join_links.revoked_at is 'When it was turned off, replaced, or its author stopped owning the project; kept by the database.';
comment on column public.join_links.joined_count is 'How many joined by it; kept by the database.';
comment on table private.join_link_tokens is 'Hashes of the tokens of join links.';

create or replace trigger project_members_revoke_join_links_on_change after update on public.project_members for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function private.revoke_links_of_owner();
create or replace trigger project_members_revoke_join_links_on_delete after delete on public.project_members for each row
  when (old.role = 'owner') execute function private.revoke_links_of_owner();

-- Without a project: in all.
create or replace function private.revoke_links_of(maker uuid, in_project uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  update public.join_links l set revoked_at = now()
  where l.created_by = maker and l.revoked_at is null and (in_project is null or l.project_id = in_project);
  update public.share_links l set revoked_at = now()
  where l.created_by = maker and l.revoked_at is null and (in_project is null or l.project_id = in_project)
$$;
comment on function private.revoke_links_of(uuid, uuid) is 'Turns off the join links and public links that an account made.';

create or replace function private.revoke_links_of_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not when the project itself is deleted: then it may come back, and its links with it.
  if private.project_exists(old.project_id) then
    perform private.revoke_links_of(old.user_id, old.project_id);
  end if;
  return null;
end
$$;

create or replace function private.raise_no_join_link() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such join link', 'Check that the whole link was copied, or ask for a new one.');
end
$$;

-- open, or why not: revoked (also: its author can no longer sign in), expired, archived, full.
create or replace function private.join_link_state(link public.join_links) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  project public.projects;
begin
  select p.* into project from public.projects p where p.id = link.project_id;
  if link.revoked_at is not null or private.is_account_open(link.created_by) is not true then
    return 'revoked';
  elsif link.expires_at <= now() then
    return 'expired';
  elsif project.archived_at is not null then
    return 'archived';
  elsif private.count_people(link.project_id) >= private.plan_limit(project.created_by, 'members_per_project') then
    return 'full';
  end if;
  return 'open';
end
$$;

-- Managing ----------------------------------------------------------------------------------------------------------------

create or replace function private.issue_join_link_token(of_link uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 200;
  me constant uuid := private.require_user();
  token constant text := private.draw_token();
  link public.join_links;
begin
  -- Those who may not see a link are answered like those who ask for none.
  select l.* into link from public.join_links l
  where l.id = of_link and private.is_owner(l.project_id) and private.join_link_state(l) not in ('revoked', 'expired')
  for no key update;
  if not found then
    perform private.raise_no_join_link();
  elsif private.take_token('join links of ' || me, 200, 3600) > 0 then
    perform private.refuse('PT429', 'you ask for many links in a short time', 'Up to 200 an hour are made; wait a while and go on.');
  elsif (select count(*) from private.join_link_tokens t where t.link_id = link.id) >= most then
    perform private.refuse('PT400', format('this link has been copied %s times', most), 'Use one of the copies, or reset the link.');
  end if;
  insert into private.join_link_tokens (token_hash, link_id) values (private.hash_token(token), link.id);
  return token;
end
$$;
grant execute on function private.issue_join_link_token(uuid) to authenticated, service_role;

create or replace function public.join_link_token(link_id uuid) returns text
language sql volatile set search_path = '' as $$
  select private.issue_join_link_token(join_link_token.link_id)
$$;
grant execute on function public.join_link_token(uuid) to service_role, authenticated;
comment on function public.join_link_token(uuid) is 'A token of an open join link, to copy (owners only): /join# and the token is the link. Each call makes another, up to 200; all work until the link ends.';

create or replace function private.issue_join_link(to_project uuid, as_role public.project_role, days integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_kept constant integer := 20;
  me constant uuid := private.require_user();
  link public.join_links;
begin
  perform private.require_owner_of(to_project, 'can make a join link');
  if as_role is null or as_role = 'owner' then
    perform private.refuse('22023', 'a join link makes editors or viewers', 'Send "role": "editor" or "viewer".');
  end if;
  -- One at a time per project, with joining: two resets at once leave one open link.
  perform from public.projects p where p.id = to_project for no key update;
  update public.join_links l set revoked_at = now() where l.project_id = to_project and l.revoked_at is null;
  delete from public.join_links l where l.id in (
    select o.id from public.join_links o where o.project_id = to_project order by o.created_at desc, o.id desc offset most_kept - 1
  );
  insert into public.join_links (project_id, role, created_by, expires_at)
  values (to_project, as_role, me, private.end_after(days, 365, 'a join link'))
  returning * into link;
  return to_jsonb(link) || jsonb_build_object('token', private.issue_join_link_token(link.id));
end
$$;
grant execute on function private.issue_join_link(uuid, public.project_role, integer) to authenticated, service_role;

create or replace function public.create_join_link(project_id uuid, role public.project_role default 'viewer', days integer default 7) returns jsonb
language sql volatile set search_path = '' as $$
  select private.issue_join_link(create_join_link.project_id, create_join_link.role, create_join_link.days)
$$;
grant execute on function public.create_join_link(uuid, public.project_role, integer) to service_role, authenticated;
comment on function public.create_join_link(uuid, public.project_role, integer) is 'Makes the join link of a project (owners only) for editors or viewers, for so many days (null: until revoked). The link before it stops working. Returns the row with a token: /join# and the token is the link.';

create or replace function private.end_join_link(of_link uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_user();
  update public.join_links l set revoked_at = coalesce(l.revoked_at, now()) where l.id = of_link and private.is_owner(l.project_id);
  if not found then
    perform private.raise_no_join_link();
  end if;
end
$$;
grant execute on function private.end_join_link(uuid) to authenticated, service_role;

create or replace function public.revoke_join_link(link_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_join_link(revoke_join_link.link_id)
$$;
grant execute on function public.revoke_join_link(uuid) to service_role, authenticated;
comment on function public.revoke_join_link(uuid) is 'Turns a join link off at once (owners only).';

-- Opening -----------------------------------------------------------------------------------------------------------------

create or replace function private.find_join_link(token text) returns public.join_links
language sql stable security definer set search_path = '' as $$
  select l.* from private.join_link_tokens t join public.join_links l on l.id = t.link_id
  where t.token_hash = private.hash_token(find_join_link.token) and private.project_exists(l.project_id)
$$;

create or replace function private.read_join_link(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link constant public.join_links := private.find_join_link(token);
  state text;
  read jsonb;
begin
  if link.id is null then
    perform private.raise_no_join_link();
  end if;
  state := case
    when exists (select from public.project_members m where m.project_id = link.project_id and m.user_id = auth.uid()) then 'member'
    else private.join_link_state(link)
  end;
  -- A link that was turned off names the project no more.
  if state = 'revoked' then
    return jsonb_build_object('state', state);
  end if;
  select jsonb_build_object(
    'state', state, 'project_id', case when state = 'member' then p.id end, 'project_name', p.name, 'project_color', p.color,
    'role', link.role, 'expires_at', link.expires_at, 'inviter_name', w.display_name, 'inviter_avatar_url', w.avatar_url
  ) into read
  from public.projects p left join public.profiles w on w.id = link.created_by
  where p.id = link.project_id;
  return read;
end
$$;
grant execute on function private.read_join_link(text) to anon, authenticated, service_role;

create or replace function public.join_link_details(token text) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_join_link(join_link_details.token)
$$;
grant execute on function public.join_link_details(text) to service_role, anon, authenticated;
comment on function public.join_link_details(text) is 'What a join link leads to, for whoever holds it, without an account too. state: open, member (the caller is one; project_id says where), expired, revoked (nothing else is told), archived or full. 404 for a token that never was one.';

create or replace function private.redeem_join_link(token text) returns public.project_members
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  link public.join_links := private.find_join_link(token);
  account auth.users;
  state text;
  invitation public.project_invitations;
  membership public.project_members;
begin
  if link.id is null then
    perform private.raise_no_join_link();
  end if;
  -- One at a time per project, before the link is looked at: nobody joins by a link that is being reset, or past the limit of the plan.
  perform from public.projects p where p.id = link.project_id for no key update;
  select m.* into membership from public.project_members m where m.project_id = link.project_id and m.user_id = me;
  if found then
    return membership;
  end if;
  select l.* into link from public.join_links l where l.id = link.id for no key update;
  if not found then
    perform private.raise_no_join_link();
  end if;
  select u.* into account from auth.users u where u.id = me;
  state := private.join_link_state(link);
  -- The trigger of project_members answers for the plan.
  if state not in ('open', 'full') then
    perform private.refuse('KB019', format('this join link is not open: %s', state), 'Ask an owner of the project for a new link.', state);
  elsif account.email_confirmed_at is null then
    perform private.refuse('KB007', 'your address is not verified yet', 'Open the link in the confirmation mail, then join again.');
  elsif private.take_token('joins of ' || me, 50, 3600) > 0 then
    perform private.refuse('PT429', 'you join many projects in a short time', 'Up to 50 an hour; wait a while and go on.');
  end if;
  -- With an invitation of their own that waits for them: it is accepted, and the higher role counts.
  select i.* into invitation from public.project_invitations i
  where i.project_id = link.project_id and lower(i.email) = lower(account.email) and private.is_open_invitation(i)
    and private.has_proven_mailbox(account)
  for update of i;
  if found then
    invitation.role := least(invitation.role, link.role);
    membership := private.join_by_invitation(invitation);
  else
    insert into public.project_members (project_id, user_id, role) values (link.project_id, me, link.role) returning * into membership;
  end if;
  update public.join_links l set joined_count = l.joined_count + 1 where l.id = link.id;
  insert into public.task_activity (project_id, actor_id, kind, change)
  values (link.project_id, me, 'updated', jsonb_build_object('member', jsonb_build_object(
    'id', me, 'name', (select p.display_name from public.profiles p where p.id = me), 'from', null,
    'to', jsonb_build_object('role', membership.role, 'join_link_id', link.id)
  )));
  return membership;
end
$$;
grant execute on function private.redeem_join_link(text) to authenticated, service_role;

create or replace function public.join_by_link(token text) returns public.project_members
language sql volatile set search_path = '' as $$
  select private.redeem_join_link(join_by_link.token)
$$;
grant execute on function public.join_by_link(text) to service_role, authenticated;
comment on function public.join_by_link(text) is 'Joins the project of a join link, in its role; a member stays what they are. The caller''s address must be verified (KB007) and the link open (KB019; details: revoked, expired or archived). Returns the membership.';
