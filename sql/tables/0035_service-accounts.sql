-- Service accounts: members without a mailbox, for bots and CI. They are accounts that nobody signs in to; keys and OAuth clients act for them.
-- Each is owned by a person or by a project, and ends with it.

alter table auth.users add column is_service_account boolean not null default false;
alter table auth.users add constraint users_service_account_has_no_sign_in check (
  not is_service_account or (email is null and email_change is null and phone is null and encrypted_password is null
    and not is_operator and not is_anonymous and not is_sso_user)
);
alter table public.profiles add column is_service_account boolean not null default false;

create table public.service_accounts (
  id uuid primary key references public.profiles (id) on delete cascade,
  owner_id uuid references auth.users (id) on delete cascade,
  project_id uuid references public.projects (id) on delete cascade,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint service_accounts_one_owner check (num_nonnulls(owner_id, project_id) = 1),
  constraint service_accounts_own_no_other check (owner_id <> id)
);
create index service_accounts_owner_idx on public.service_accounts (owner_id) where owner_id is not null;
create index service_accounts_project_idx on public.service_accounts (project_id) where project_id is not null;
create index service_accounts_created_by_idx on public.service_accounts (created_by);
alter table public.service_accounts enable row level security;

-- A client of a service account gets tokens for it by its secret alone (client credentials), and for nobody else.
alter table auth.oauth_clients add column service_account_id uuid references auth.users (id) on delete cascade;
alter table auth.oauth_clients add column created_by uuid references auth.users (id) on delete set null;
alter table auth.oauth_clients add constraint oauth_clients_of_service_account check (
  (service_account_id is not null) = ('client_credentials' = any (grant_types))
  and (service_account_id is null or (grant_types = '{client_credentials}' and secret_hash is not null and registration_type = 'manual'))
);
create index oauth_clients_service_account_idx on auth.oauth_clients (service_account_id) where service_account_id is not null;
create index oauth_clients_created_by_idx on auth.oauth_clients (created_by) where created_by is not null;
