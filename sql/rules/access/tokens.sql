-- Random tokens of links: invitations, join links, calendar feeds and the first administrator's. Tables hold their hashes alone.

-- 256 bits as 43 characters that need no escape in an address. No grant: only definers call it.
create or replace function private.draw_token() returns text
language sql volatile set search_path = '' as $$
  select translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_')
$$;
comment on function private.draw_token() is 'A random token for a link.';
