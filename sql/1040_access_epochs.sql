-- The epoch of an account. What opens something without a session (public.access_grants) is bound to it and opens nothing once it has risen:
-- with a new password, a ban, the end of the account, a sign-out everywhere, and a reset by an administrator.

alter table auth.users add column access_epoch integer not null default 0;
comment on column auth.users.access_epoch is 'Rises when what opens without a session ends: new password, sign-out everywhere, ban, reset by an administrator.';

-- Here and not in the code that sets a password, so that a new way to set one can't forget it.
create function auth.raise_access_epoch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.access_epoch := old.access_epoch + 1;
  return new;
end
$$;
revoke all on function auth.raise_access_epoch() from public;
create trigger users_raise_access_epoch before update on auth.users for each row
  when (
    (old.encrypted_password is distinct from new.encrypted_password and coalesce(current_setting('kanbase.rehashes_password', true), '') <> 'on')
    or (new.banned_until is distinct from old.banned_until and new.banned_until > now())
    or (new.deleted_at is not null and old.deleted_at is null)
  )
  execute function auth.raise_access_epoch();
comment on function auth.raise_access_epoch() is 'Raises the epoch with a new password, a ban, and a soft deletion.';

-- The same password under a newer hash: nothing ends.
create function auth.rehash_password(account uuid, old_hash text, new_hash text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform set_config('kanbase.rehashes_password', 'on', true);
  update auth.users u set encrypted_password = new_hash where u.id = account and u.encrypted_password = old_hash;
  perform set_config('kanbase.rehashes_password', '', true);
end
$$;
revoke all on function auth.rehash_password(uuid, text, text) from public;
grant execute on function auth.rehash_password(uuid, text, text) to kanbase_identity;
comment on function auth.rehash_password(uuid, text, text) is 'Stores the same password under a newer hash, without raising the epoch.';

create function auth.raise_epoch_of(account uuid) returns void
language sql volatile set search_path = '' as $$
  update auth.users u set access_epoch = u.access_epoch + 1 where u.id = account
$$;
revoke all on function auth.raise_epoch_of(uuid) from public;
grant execute on function auth.raise_epoch_of(uuid) to kanbase_identity;
comment on function auth.raise_epoch_of(uuid) is 'Ends what opens without a session for an account: sign-out everywhere, reset by an administrator.';

create or replace function private.desk_end_sessions(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.desk_subject(account);
  ended bigint;
begin
  delete from auth.sessions s where s.user_id = subject.id;
  get diagnostics ended = row_count;
  perform auth.raise_epoch_of(subject.id);
  perform private.note_desk(operator, 'sessions_ended', subject.id, subject.email, jsonb_build_object('sessions', ended));
end
$$;

create or replace function private.desk_reset_factors(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.desk_subject(account);
  gone bigint;
begin
  delete from auth.mfa_factors f where f.user_id = subject.id;
  get diagnostics gone = row_count;
  delete from auth.sessions s where s.user_id = subject.id;
  perform auth.raise_epoch_of(subject.id);
  if subject.email_confirmed_at is not null then
    perform private.queue_mail('factors_reset', subject.email, jsonb_build_object('email', subject.email));
  end if;
  perform private.note_desk(operator, 'factors_reset', subject.id, subject.email, jsonb_build_object('factors', gone));
end
$$;

create or replace function auth.end_lasting_access(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select auth.raise_epoch_of(account);
  delete from public.calendar_feeds f where f.user_id = account;
  delete from private.exports e where e.user_id = account
$$;
comment on function auth.end_lasting_access(uuid) is 'Removes what a stranger made in an account whose mailbox they never proved: calendars, exports, all links.';
