-- Who proves a mailbox takes the account from whoever made it without proof. The identity door, which has no rights outside of `auth`, ends
-- by this what lasts without a session; push subscriptions end with theirs.

create function auth.end_lasting_access(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.calendar_feeds f where f.user_id = account;
  -- Written ones lie under links; those still to be written would.
  delete from storage.objects o using private.exports e where e.user_id = account and o.bucket_id = 'exports' and o.name = e.object_name;
  delete from private.exports e where e.user_id = account
$$;
revoke all on function auth.end_lasting_access(uuid) from public;
grant execute on function auth.end_lasting_access(uuid) to kanbase_identity;
comment on function auth.end_lasting_access(uuid) is 'Ends what opens an account''s work without a session: addresses of calendars, exports.';
