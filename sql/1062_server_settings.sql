-- Settings that operators change at the admin pages: sign-up, mail and backups. Flags and the environment go before them, which each node
-- decides for itself. Secrets come sealed with a key of the server's, so that they cannot be read here.

create table private.server_settings (
  name text primary key constraint server_settings_name_is_a_setting check (name ~ '^[A-Z][A-Z_]{1,62}$'),
  value text constraint server_settings_value_length check (char_length(value) <= 2000),
  sealed text constraint server_settings_sealed_length check (char_length(sealed) <= 8000),
  updated_at timestamptz not null default now(),
  constraint server_settings_plain_or_sealed check (num_nonnulls(value, sealed) = 1)
);
alter table private.server_settings enable row level security;
-- no policy, no grant: written and read by the procedures below alone

create function private.read_server_settings() returns table (name text, value text, sealed text)
language sql stable security definer set search_path = '' as $$
  select s.name, s.value, s.sealed from private.server_settings s
$$;
grant execute on function private.read_server_settings() to kanbase_desk;

-- Neither value nor sealed: what holds without it holds again.
create function private.desk_change_setting(name text, value text, sealed text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  taken_away constant boolean := num_nonnulls(value, sealed) = 0;
begin
  if taken_away then
    delete from private.server_settings s where s.name = desk_change_setting.name;
  else
    insert into private.server_settings as s (name, value, sealed)
    values (desk_change_setting.name, desk_change_setting.value, desk_change_setting.sealed)
    on conflict on constraint server_settings_pkey
      do update set value = excluded.value, sealed = excluded.sealed, updated_at = now();
  end if;
  perform private.note_desk(operator, case when taken_away then 'setting_reset' else 'setting_changed' end, null, desk_change_setting.name,
    jsonb_strip_nulls(jsonb_build_object('value', desk_change_setting.value)));
  perform pg_notify('kanbase_settings', '');
  return true;
end
$$;
grant execute on function private.desk_change_setting(text, text, text) to kanbase_desk;

comment on table private.server_settings is 'Settings that operators have changed at the admin pages; flags and the environment go before them.';
comment on column private.server_settings.sealed is 'The value of a secret, sealed with a key of the server''s.';
comment on function private.read_server_settings() is 'The settings that operators have changed, for the server.';
comment on function private.desk_change_setting(text, text, text) is 'Changes a setting of the server, or takes the change back, and writes that into the log.';
