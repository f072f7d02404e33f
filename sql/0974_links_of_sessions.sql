-- Links to upload, and to whole folders, speak for whoever asked for them and outlive the token they asked with: whether that person is still
-- let in is looked up when one is used. Who has a token without a session has one of an operator's own making.

create function private.is_let_in(person uuid, session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select (is_let_in.session is null or exists (select from auth.sessions s where s.id = is_let_in.session))
    and not exists (
      select from auth.users u
      where u.id = is_let_in.person and (u.deleted_at is not null or u.banned_until > now())
    )
$$;
grant execute on function private.is_let_in(uuid, uuid) to kanbase_files;

comment on function private.is_let_in(uuid, uuid) is 'Whether a session has not ended and a person is not shut out.';
