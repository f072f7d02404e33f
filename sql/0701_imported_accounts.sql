-- Accounts brought from Supabase: rows of auth.users and auth.identities as a dump has them go in unchanged. Columns that
-- GoTrue has and we do not use are taken, and what would be wrong to keep is put right on its way in.

alter table auth.users
  add column instance_id uuid,
  add column confirmation_token text,
  add column recovery_token text,
  add column email_change_token_new text,
  add column email_change_token_current text,
  add column reauthentication_token text,
  add column phone_change text,
  add column phone_change_token text,
  add column phone_change_sent_at timestamptz,
  add column is_super_admin boolean;

-- Written by anyone but the identity room: an import, a seed, an operator with a client of SQL.
create function auth.take_brought_user() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.aud := coalesce(nullif(new.aud, ''), 'authenticated');
  new.role := coalesce(nullif(new.role, ''), 'authenticated');
  new.encrypted_password := nullif(new.encrypted_password, '');
  new.email_change := nullif(new.email_change, '');
  new.email_change_confirm_status := coalesce(new.email_change_confirm_status, 0);
  new.phone := nullif(new.phone, '');
  new.raw_app_meta_data := coalesce(new.raw_app_meta_data, '{}');
  new.raw_user_meta_data := coalesce(new.raw_user_meta_data, '{}');
  new.created_at := coalesce(new.created_at, now());
  new.updated_at := coalesce(new.updated_at, now());
  new.is_sso_user := coalesce(new.is_sso_user, false);
  new.is_anonymous := coalesce(new.is_anonymous, false);
  -- Tokens of mails that another server sent prove nothing here, and rest in no column in the clear.
  new.confirmation_token := null;
  new.recovery_token := null;
  new.email_change_token_new := null;
  new.email_change_token_current := null;
  new.reauthentication_token := null;
  new.phone_change_token := null;
  return new;
end
$$;
revoke all on function auth.take_brought_user() from public;

create trigger take_brought before insert on auth.users
  for each row when (current_user <> 'kanbase_identity') execute function auth.take_brought_user();

-- Older dumps know no provider_id. A mailbox that was confirmed there counts as proven here: otherwise the account would lose
-- its password to the first mail that signs in.
create function auth.take_brought_identity() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.identity_data := coalesce(new.identity_data, '{}');
  new.provider_id := coalesce(new.provider_id, new.identity_data ->> 'sub', new.user_id::text);
  new.created_at := coalesce(new.created_at, now());
  new.updated_at := coalesce(new.updated_at, now());
  if new.provider = 'email' and exists (
    select from auth.users u where u.id = new.user_id and u.email_confirmed_at is not null
  ) then
    new.identity_data := new.identity_data || '{"email_verified": true}';
  end if;
  return new;
end
$$;
revoke all on function auth.take_brought_identity() from public;

create trigger take_brought before insert on auth.identities
  for each row when (current_user <> 'kanbase_identity') execute function auth.take_brought_identity();

comment on function auth.take_brought_user() is 'Puts right what a dump of Supabase writes differently.';
comment on function auth.take_brought_identity() is 'Puts right what a dump of Supabase writes differently.';
