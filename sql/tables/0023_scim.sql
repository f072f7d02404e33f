-- Provisioning by SCIM: identity providers with their tokens, and the people and groups that each of them keeps here.

select private.add_room_role('kanbase_scim');
grant usage on schema private to kanbase_scim;

create table private.scim_providers (
  id uuid primary key default private.uuid_v7(),
  name text not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint scim_providers_name_not_blank check (name ~ '[^[:space:]]'),
  constraint scim_providers_name_length check (char_length(name) <= 60)
);
create unique index scim_providers_one_of_each_name on private.scim_providers (lower(name));
create index scim_providers_created_by_idx on private.scim_providers (created_by);
alter table private.scim_providers enable row level security;

create table private.scim_tokens (
  id uuid primary key default private.uuid_v7(),
  provider_id uuid not null references private.scim_providers (id) on delete cascade,
  token_hash bytea not null unique,
  prefix text not null, -- its first characters, to be recognised by
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index scim_tokens_provider_id_idx on private.scim_tokens (provider_id);
create index scim_tokens_created_by_idx on private.scim_tokens (created_by);
alter table private.scim_tokens enable row level security;

-- An account belongs to one provider at most.
create table private.scim_people (
  user_id uuid primary key references auth.users (id) on delete cascade,
  provider_id uuid not null references private.scim_providers (id) on delete cascade,
  user_name text not null,
  user_name_key text not null generated always as (lower(user_name)) stored,
  external_id text,
  display_name text,
  formatted_name text,
  given_name text,
  family_name text,
  emails jsonb not null default '[]',
  address text not null, -- of the account, as the provider last said
  shown_name text, -- that others were to see, as the provider last said
  is_active boolean not null default true,
  banned_since timestamptz, -- of the ban that the provider asked for
  banned_before timestamptz, -- end of the ban that was there before
  removed_at timestamptz, -- deleted by the provider; the account stays, disabled
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scim_people_lengths check (char_length(user_name) between 1 and 320 and char_length(external_id) <= 500
    and char_length(display_name) <= 300 and char_length(formatted_name) <= 300 and char_length(given_name) <= 300 and char_length(family_name) <= 300)
);
create unique index scim_people_one_of_each_user_name on private.scim_people (provider_id, user_name_key) where removed_at is null;
create index scim_people_external_id_idx on private.scim_people (provider_id, external_id);
create index scim_people_created_at_idx on private.scim_people (provider_id, created_at, user_id);
alter table private.scim_people enable row level security;

create table private.scim_groups (
  group_id uuid primary key references public.groups (id) on delete cascade,
  provider_id uuid not null references private.scim_providers (id) on delete cascade,
  display_name text not null,
  display_name_key text not null generated always as (lower(display_name)) stored,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scim_groups_lengths check (char_length(display_name) between 1 and 300 and char_length(external_id) <= 500)
);
create unique index scim_groups_one_of_each_name on private.scim_groups (provider_id, display_name_key);
create index scim_groups_external_id_idx on private.scim_groups (provider_id, external_id);
alter table private.scim_groups enable row level security;

-- Members as the provider says; in public.group_members are those of them who are active.
create table private.scim_group_people (
  group_id uuid not null references private.scim_groups (group_id) on delete cascade,
  user_id uuid not null references private.scim_people (user_id) on delete cascade,
  primary key (group_id, user_id)
);
create index scim_group_people_user_id_idx on private.scim_group_people (user_id, group_id);
alter table private.scim_group_people enable row level security;

alter table public.access_log add column provider text;
