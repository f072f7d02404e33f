-- Random tokens of links and keys, and what these have in common: tables hold hashes alone, owners of a project make and manage them, and they end
-- with their day or as they are revoked.

-- 256 bits as 43 characters that need no escape in an address. No grant: only definers call it.
create or replace function private.draw_token() returns text
language sql volatile set search_path = '' as $$
  select translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_')
$$;
comment on function private.draw_token() is 'A random token for a link.';

create or replace function private.hash_token(token text) returns bytea
language sql immutable
return sha256(convert_to(coalesce(token, ''), 'UTF8'));
comment on function private.hash_token(text) is 'The hash under which a token is stored.';

create or replace function private.has_not_ended(revoked_at timestamptz, expires_at timestamptz) returns boolean
language sql stable
return revoked_at is null and (expires_at is null or expires_at > now());
grant execute on function private.has_not_ended(timestamptz, timestamptz) to share_link;
comment on function private.has_not_ended(timestamptz, timestamptz) is 'Whether a link or key is neither revoked nor expired.';

create or replace function private.end_after(days integer, most integer, what text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  if days not between 1 and most then
    perform private.refuse('22023', format('%s works for 1 to %s days', what, most), 'Send "days": null for one that does not expire.');
  end if;
  return now() + make_interval(days => days);
end
$$;
comment on function private.end_after(integer, integer, text) is 'When a link or key of so many days ends; null days: never.';

create or replace function private.require_owner_of(of_project uuid, otherwise text, hint text default 'Ask an owner for one.') returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_user();
  if not of_project = any (private.my_projects()) then
    perform private.raise_not_found('project');
  elsif not private.is_owner(of_project) then
    perform private.refuse('42501', 'only an owner of the project ' || otherwise, hint);
  end if;
end
$$;
comment on function private.require_owner_of(uuid, text, text) is 'Refuses callers who do not own a project, and tells those who do not see it of none.';
