-- A picture is a whole https address or a path on this site. `//host` and `/\host` read like a path and lead elsewhere.

create function private.as_picture_address(address text) returns text
language sql immutable
return case
  when char_length(address) <= 2000
    and address ~ '^(https://[[:alnum:].-]+(:[0-9]+)?(/[^[:space:][:cntrl:]\\]*)?|/([^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*)?)$'
  then address
end;
grant execute on function private.as_picture_address(text) to authenticated, service_role;

alter table public.profiles disable trigger profiles_keep;
update public.profiles set avatar_url = private.as_picture_address(avatar_url)
where avatar_url is distinct from private.as_picture_address(avatar_url);
alter table public.profiles enable trigger profiles_keep;

alter table public.profiles
  drop constraint profiles_avatar_url_is_web_address,
  add constraint profiles_avatar_url_is_web_address check (avatar_url is not distinct from private.as_picture_address(avatar_url));

-- Sign-up: as in 0110, with the stricter address.
create or replace function private.make_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := left(nullif(trim(coalesce(new.raw_user_meta_data ->> 'name', new.raw_user_meta_data ->> 'full_name')), ''), 200);
  picture constant text := coalesce(new.raw_user_meta_data ->> 'avatar_url', new.raw_user_meta_data ->> 'picture');
begin
  insert into public.profiles (id, display_name, avatar_url)
  values (new.id, name, case when picture like 'https://%' then private.as_picture_address(picture) end)
  on conflict (id) do nothing;
  return null;
end
$$;

comment on column public.profiles.avatar_url is 'Where their picture is: an https address, or a path on this site.';
comment on function private.as_picture_address(text) is 'The address of a picture, or null when it is none.';
