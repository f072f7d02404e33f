-- Service accounts: members without a mailbox, for bots and CI. Nobody signs in to one; personal keys (access/keys.sql) and OAuth clients
-- (accounts/oauth.sql) act for it. It is owned by a person, and in no project has more than they have there; or by a project, and is in no other.
-- It ends with its owner. Where people are counted it is none, and it keeps no project alone.

select private.served_rows('public.service_accounts', clients => 'select', program => 'none');
create policy read on public.service_accounts for select to authenticated
  using (id = any (array(select id from private.my_service_accounts)));
comment on table public.service_accounts is 'Service accounts that the caller manages: their own, and those of projects they own. Made by create_service_account; a name is changed in profiles.';
comment on column public.service_accounts.id is 'Of the account, as of a person''s.';
comment on column public.service_accounts.owner_id is 'The person it belongs to; empty where a project owns it.';
comment on column public.service_accounts.project_id is 'The project it belongs to; empty where a person owns it.';
comment on column public.service_accounts.created_by is 'Who made it; empty once their account is gone.';

create or replace view private.my_service_accounts with (security_barrier) as
select s.id from public.service_accounts s where s.owner_id = (select c.user_id from private.caller c)
union all
select s.id from private.my_memberships m join public.service_accounts s on s.project_id = m.project_id where m.role = 'owner';
grant select on private.my_service_accounts to authenticated;
comment on view private.my_service_accounts is 'Service accounts that the caller manages.';

create or replace trigger service_accounts_end after delete on public.service_accounts for each row
  execute function private.end_account_of_service();
create or replace trigger project_members_check_service_account after insert or update on public.project_members for each row
  when (new.user_id is not null) execute function private.check_service_member();
-- After settle_removed: a group may bring the owner in again.
create or replace trigger project_members_trim_service_accounts after delete on public.project_members for each row
  when (old.user_id is not null) execute function private.trim_service_members();
create or replace trigger project_members_trim_service_accounts_changed after update on public.project_members for each row
  when (new.user_id is not null and old.role < new.role) execute function private.trim_service_members();
create or replace trigger group_members_refuse_service_account before insert on public.group_members for each row
  execute function private.refuse_service_in_group();
create or replace trigger task_grants_refuse_service_account after insert on public.task_grants for each row
  when (new.user_id is not null) execute function private.refuse_service_guest();

create or replace function private.is_service_account(account uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.service_accounts s where s.id = account)
$$;

-- Members that count where people are counted.
create or replace function private.count_people(in_project uuid) returns bigint
language sql stable security definer set search_path = '' as $$
  select count(*) from public.project_members m
  where m.project_id = in_project and m.user_id is not null and not exists (select from public.service_accounts s where s.id = m.user_id)
$$;
comment on function private.count_people(uuid) is 'How many people are in a project.';

create or replace function private.end_account_of_service() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.users u where u.id = old.id and u.is_service_account;
  return null;
end
$$;

-- In projects ---------------------------------------------------------------------------------------------------------------

create or replace function private.may_service_be_in(account public.service_accounts, in_project uuid, as_role public.project_role) returns boolean
language sql stable security definer set search_path = '' as $$
  select (account).project_id is not distinct from in_project or exists (
    select from public.project_members o where o.project_id = in_project and o.user_id = (account).owner_id and o.role <= as_role
  )
$$;

create or replace function private.check_service_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  account public.service_accounts;
begin
  select s.* into account from public.service_accounts s where s.id = new.user_id;
  if not found then
    return null;
  end if;
  -- The owner may be leaving right now: that is waited for.
  perform from public.project_members o where o.project_id = new.project_id and o.user_id = account.owner_id for share;
  if new.role = 'owner' then
    perform private.refuse('42501', 'projects are owned by people', 'Make the service account an editor or a viewer.');
  elsif not private.may_service_be_in(account, new.project_id, new.role) then
    perform private.refuse('42501', case when account.owner_id is null then 'this service account belongs to another project'
      else 'a service account may do no more in a project than the person it belongs to' end,
      case when account.owner_id is null then 'Make one for this project.' else 'Add its owner first, or give it a lesser role.' end);
  end if;
  return null;
end
$$;

-- Whose owner goes goes along, and has no more than they have.
create or replace function private.trim_service_members() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  due constant public.project_role := (
    select m.role from public.project_members m where m.project_id = old.project_id and m.user_id = old.user_id
  );
begin
  if due is null then
    delete from public.project_members m using public.service_accounts s
    where s.owner_id = old.user_id and m.project_id = old.project_id and m.user_id = s.id;
  else
    update public.project_members m set own_role = due from public.service_accounts s
    where s.owner_id = old.user_id and m.project_id = old.project_id and m.user_id = s.id and m.role < due;
  end if;
  return null;
end
$$;

create or replace function private.refuse_service_in_group() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service_account(new.user_id) then
    perform private.refuse('42501', 'a service account is in no group', 'Add it to the project itself.');
  end if;
  return new;
end
$$;

create or replace function private.refuse_service_guest() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service_account(new.user_id) and not private.is_member(new.project_id, new.user_id) then
    perform private.refuse('42501', 'a service account is a guest nowhere', 'Add it to the project first.');
  end if;
  return null;
end
$$;

-- Managing ------------------------------------------------------------------------------------------------------------------

create or replace function private.raise_no_service_account() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such service account', 'There is none with this id, or you do not manage it.');
end
$$;

create or replace function private.require_service_account(account uuid) returns public.service_accounts
language plpgsql volatile security definer set search_path = '' as $$
declare
  managed public.service_accounts;
begin
  perform private.require_user();
  select s.* into managed from public.service_accounts s
  where s.id = account and s.id in (select m.id from private.my_service_accounts m) for no key update;
  if not found then
    perform private.raise_no_service_account();
  end if;
  return managed;
end
$$;
comment on function private.require_service_account(uuid) is 'A service account that the caller manages, locked.';

create or replace function private.name_of_service(called text) returns text
language plpgsql set search_path = '' as $$
declare
  name constant text := regexp_replace(btrim(coalesce(called, '')), '\s+', ' ', 'g');
begin
  if char_length(name) not between 1 and 60 then
    perform private.refuse('22023', 'a service account has a name of 1 to 60 characters', 'Say what it does.');
  end if;
  return name;
end
$$;

create or replace function private.make_service_account(called text, of_project uuid, as_role public.project_role) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 50;
  me constant uuid := private.require_user();
  name constant text := private.name_of_service(called);
  made public.service_accounts;
  account uuid;
begin
  if of_project is null then
    perform from auth.users u where u.id = me for no key update;
  else
    perform private.require_owner_of(of_project, 'can make a service account for it', 'Ask an owner.');
    perform from public.projects p where p.id = of_project for no key update;
  end if;
  if (select count(*) from public.service_accounts s where s.project_id = of_project or (of_project is null and s.owner_id = me)) >= most then
    perform private.refuse('PT400', format('there are %s service accounts already', most), 'Delete one that is needed no more.');
  end if;
  insert into auth.users (is_service_account, raw_app_meta_data, raw_user_meta_data)
  values (true, '{"provider": "service_account", "providers": []}', jsonb_build_object('name', name)) returning id into account;
  insert into public.service_accounts (id, owner_id, project_id, created_by)
  values (account, case when of_project is null then me end, of_project, me) returning * into made;
  if of_project is not null then
    insert into public.project_members (project_id, user_id, role) values (of_project, account, coalesce(as_role, 'editor'));
  end if;
  return to_jsonb(made) || jsonb_build_object('name', name);
end
$$;
grant execute on function private.make_service_account(text, uuid, public.project_role) to authenticated;

create or replace function public.create_service_account(name text, project_id uuid default null, role public.project_role default 'editor') returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_service_account(create_service_account.name, create_service_account.project_id, create_service_account.role)
$$;
grant execute on function public.create_service_account(text, uuid, public.project_role) to authenticated;
comment on function public.create_service_account(text, uuid, public.project_role) is 'Makes a service account: of a project, for its owners, with this role in it (editor or viewer); without one, of the caller, who adds it to projects they own. Returns its row and name.';

-- Out of its projects first: then the access log still knows its name.
create or replace function private.end_service_account(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.end_sessions(array(select s.id from public.agent_sessions s where s.user_id = account and s.ended_at is null), 'error');
  delete from public.project_members m where m.user_id = account;
  delete from private.kept_members k where k.user_id = account;
  delete from public.service_accounts s where s.id = account;
end
$$;
comment on function private.end_service_account(uuid) is 'Ends a service account with its keys and clients; what it did stays, without its name.';

create or replace function private.end_managed_service(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  managed constant public.service_accounts := private.require_service_account(account);
begin
  perform private.end_service_account(managed.id);
end
$$;
grant execute on function private.end_managed_service(uuid) to authenticated;

create or replace function public.delete_service_account(service_account_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_managed_service(delete_service_account.service_account_id)
$$;
grant execute on function public.delete_service_account(uuid) to authenticated;
comment on function public.delete_service_account(uuid) is 'Deletes a service account that the caller manages for good, with its keys and clients, which end at once. What it did stays, without its name.';
