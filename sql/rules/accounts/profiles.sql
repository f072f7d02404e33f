-- Profiles: people as other people see them, with a name and a picture. A row appears at sign-up; email addresses never do.
-- The language of an account decides that of its emails and of the pages they lead to.

select private.served_rows('public.profiles', writes => '{id, display_name, avatar_url, shows_presence}', clients => 'select', fixed => '{id}');

-- One's own row is readable before the second factor too: it greets by name and says nothing /auth/v1/user does not.
create policy read_own_and_colleagues on public.profiles for select to authenticated
  using (id = (select auth.uid()) or id = any (array(select user_id from private.people_in_sight)));
create policy make_own on public.profiles for insert to authenticated with check (id = (select user_id from private.caller));
create policy change_own on public.profiles for update to authenticated
  using (id = (select auth.uid()) or id = any (array(select user_id from private.people_in_sight)))
  with check (id = (select user_id from private.caller) or id = any (array(select id from private.my_service_accounts)));

comment on table public.profiles is 'People as others see them: visible to oneself and to those who share a project, as members or guests. Made at sign-up.';
comment on column public.profiles.id is 'The user''s id.';
comment on column public.profiles.display_name is 'What the person is called; taken from user_metadata.name at sign-up.';
comment on column public.profiles.avatar_url is 'Where their picture is: an https address, or a path on this site.';
comment on column public.profiles.is_service_account is 'Whether it is a service account, and no person; kept by the database.';
comment on column public.profiles.is_agent is 'Whether it is an agent; kept by the database.';
comment on column public.profiles.shows_presence is 'Whether the app shows others which project and task this person has open.';

create or replace trigger profiles_end_invitations before delete on public.profiles for each row execute function private.end_invitations();
create or replace trigger profiles_remove_private_views before delete on public.profiles for each row execute function private.remove_private_views();
create or replace trigger profiles_remove_avatars after delete on public.profiles
  referencing old table as gone for each statement execute function private.remove_avatars('');

-- At sign-up: the name comes from user_metadata.name, or from an external provider. A value that does not fit a profile is left out.
create or replace function private.make_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := left(nullif(trim(coalesce(new.raw_user_meta_data ->> 'name', new.raw_user_meta_data ->> 'full_name')), ''), 200);
  picture constant text := coalesce(new.raw_user_meta_data ->> 'avatar_url', new.raw_user_meta_data ->> 'picture');
begin
  insert into public.profiles (id, display_name, avatar_url, is_service_account)
  values (new.id, name, case when new.is_service_account then '/icons/service-account.svg'
    when picture like 'https://%' then private.as_picture_address(picture) end, new.is_service_account)
  on conflict (id) do nothing;
  return null;
end
$$;

create or replace function private.language_of_person(person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select u.raw_user_meta_data ->> 'language' from auth.users u where u.id = person
$$;
grant execute on function private.language_of_person(uuid) to kanbase_mail;
comment on function private.language_of_person(uuid) is 'The language an account has chosen; null where it has not.';

-- An address without an account, of an invited person, has the language of the caller.
create or replace function private.language_of(address text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen text;
begin
  select u.raw_user_meta_data ->> 'language' into chosen
  from auth.users u where lower(u.email) = lower(address) and not u.is_sso_user;
  if not found then
    select u.raw_user_meta_data ->> 'language' into chosen from auth.users u where u.id = auth.uid();
  end if;
  return chosen;
end
$$;
comment on function private.language_of(text) is 'The language in which to write to an address; null where nobody has chosen one.';
