-- People as other people see them. A row appears at sign-up; e-mail addresses never do.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text,
  avatar_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_display_name_length check (char_length(display_name) between 1 and 200),
  constraint profiles_avatar_url_is_web_address check (avatar_url ~ '^(https?://|/)[^[:space:][:cntrl:]]*$' and char_length(avatar_url) <= 2000)
);

alter table public.profiles enable row level security;

-- Everyone the caller shares a project with, the caller too.
create function private.my_colleagues() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select distinct other.user_id
    from public.project_members me
    join public.project_members other on other.project_id = me.project_id
    where me.user_id = private.me()
  );
end
$$;
grant execute on function private.my_colleagues() to authenticated;

-- One's own row is readable before the second factor too: it greets by name and says nothing /auth/v1/user does not.
create policy read_own_and_colleagues on public.profiles for select to authenticated
  using (id = (select auth.uid()) or id = any ((select private.my_colleagues())::uuid[]));
create policy make_own on public.profiles for insert to authenticated
  with check (id = (select private.me()));
create policy change_own on public.profiles for update to authenticated
  using (id = (select auth.uid()) or id = any ((select private.my_colleagues())::uuid[]))
  with check (id = (select private.me()));
create policy service on public.profiles to service_role using (true) with check (true);

grant select on public.profiles to anon, authenticated;
grant insert (id, display_name, avatar_url, created_at, updated_at), update (id, display_name, avatar_url, created_at, updated_at)
  on public.profiles to authenticated;
-- no delete grant: a profile goes with its account
grant all on public.profiles to service_role;

create trigger profiles_keep_new before insert on public.profiles for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger profiles_keep before update on public.profiles for each row execute function private.keep_times();
create trigger profiles_refuse_change before update on public.profiles for each row
  when (old.id <> new.id) execute function private.refuse_change('id');

-- Sign-up: the name comes from user_metadata.name, or from what an external provider calls it. What does not fit a profile is left out.
create function private.make_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := left(nullif(trim(coalesce(new.raw_user_meta_data ->> 'name', new.raw_user_meta_data ->> 'full_name')), ''), 200);
  picture constant text := coalesce(new.raw_user_meta_data ->> 'avatar_url', new.raw_user_meta_data ->> 'picture');
begin
  insert into public.profiles (id, display_name, avatar_url)
  values (
    new.id,
    name,
    case when picture ~ '^https?://[^[:space:][:cntrl:]]*$' and char_length(picture) <= 2000 then picture end
  )
  on conflict (id) do nothing;
  return null;
end
$$;

create trigger users_make_profile after insert on auth.users for each row execute function private.make_profile();

insert into public.profiles (id, display_name)
select u.id, left(nullif(trim(u.raw_user_meta_data ->> 'name'), ''), 200) from auth.users u
on conflict (id) do nothing;

comment on table public.profiles is 'People as others see them: visible to oneself and to those who share a project. Made at sign-up.';
comment on column public.profiles.id is 'The user''s id.';
comment on column public.profiles.display_name is 'What the person is called; taken from user_metadata.name at sign-up.';
comment on column public.profiles.avatar_url is 'Where their picture is.';
comment on column public.profiles.created_at is 'When the row was made; kept by the database.';
comment on column public.profiles.updated_at is 'When the row last changed; kept by the database.';
