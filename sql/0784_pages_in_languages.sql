-- Pages that a mail leads to are in the language of the mail: the one the account says of itself.

create function private.language_of_person(person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select u.raw_user_meta_data ->> 'language' from auth.users u where u.id = person
$$;
revoke all on function private.language_of_person(uuid) from public;
grant execute on function private.language_of_person(uuid) to kanbase_mail;

comment on function private.language_of_person(uuid) is 'The language an account has chosen; null where it has not.';
