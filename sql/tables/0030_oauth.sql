-- Programs that people let in (OAuth 2.1): clients, requests on their way through a browser, grants of people, and the keys that sign ID tokens.
-- A grant's sessions are rows of auth.sessions, so that they end with everything that ends a session. Secrets and codes are kept as hashes.

create table auth.oauth_clients (
  id uuid primary key default gen_random_uuid(),
  metadata_url text, -- of a client that is registered nowhere: the address of its document is its id
  registration_type text not null,
  client_name text not null,
  client_uri text,
  logo_uri text,
  redirect_uris text[] not null,
  grant_types text[] not null,
  scopes text[], -- null: any
  token_endpoint_auth_method text not null,
  secret_hash bytea,
  fetched_at timestamptz, -- when the document was read
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint oauth_clients_metadata_url_key unique (metadata_url),
  constraint oauth_clients_registration_type check (registration_type in ('manual', 'dynamic', 'document')),
  constraint oauth_clients_client_name_length check (char_length(client_name) between 1 and 200),
  constraint oauth_clients_auth_method check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  constraint oauth_clients_secret_of_method check ((token_endpoint_auth_method = 'none') = (secret_hash is null)),
  constraint oauth_clients_document_has_address check ((registration_type = 'document') = (metadata_url is not null))
);
create index oauth_clients_created_at_idx on auth.oauth_clients (created_at desc, id);
alter table auth.oauth_clients enable row level security;

create table auth.oauth_grants (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  scopes text[] not null,
  project_ids uuid[], -- null: all of the person's projects, later ones too
  epoch integer not null, -- of the account; the grant opens nothing in a later one
  expires_at timestamptz, -- null: until it is revoked
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint oauth_grants_one_per_client unique (user_id, client_id)
);
create index oauth_grants_client_idx on auth.oauth_grants (client_id);
create index oauth_grants_expires_at_idx on auth.oauth_grants (expires_at) where expires_at is not null;
alter table auth.oauth_grants enable row level security;

alter table auth.sessions
  add column oauth_grant_id uuid references auth.oauth_grants (id) on delete cascade,
  add column oauth_scopes text[],
  add column oauth_project_ids uuid[],
  add column oauth_resources text[],
  add constraint sessions_oauth_scopes_of_grant check ((oauth_grant_id is null) = (oauth_scopes is null));
create index sessions_oauth_grant_idx on auth.sessions (oauth_grant_id) where oauth_grant_id is not null;

-- A request of a program: on its way to the consent page, then, once approved, its code. Used codes stay for a day, so that a second use is seen.
create table auth.oauth_authorizations (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  user_id uuid references auth.users (id) on delete cascade, -- of whom it was first shown to
  grant_id uuid references auth.oauth_grants (id) on delete cascade,
  redirect_uri text, -- null: asked for on a device, which waits with its own code
  scopes text[] not null,
  resources text[] not null,
  code_challenge text,
  state text,
  nonce text,
  always_ask boolean not null default false,
  code_hash bytea,
  device_code_hash bytea,
  user_code_hash bytea,
  polled_at timestamptz,
  decision text,
  aal text, -- of the session that approved it
  amr jsonb,
  factor_id uuid references auth.mfa_factors (id) on delete cascade,
  authenticated_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint oauth_authorizations_code_key unique (code_hash),
  constraint oauth_authorizations_device_code_key unique (device_code_hash),
  constraint oauth_authorizations_user_code_key unique (user_code_hash),
  constraint oauth_authorizations_decision check (decision in ('approved', 'denied')),
  constraint oauth_authorizations_way check ((redirect_uri is null) = (device_code_hash is not null)),
  constraint oauth_authorizations_challenge check ((redirect_uri is null) = (code_challenge is null))
);
create index oauth_authorizations_client_idx on auth.oauth_authorizations (client_id);
create index oauth_authorizations_user_idx on auth.oauth_authorizations (user_id) where user_id is not null;
create index oauth_authorizations_grant_idx on auth.oauth_authorizations (grant_id) where grant_id is not null;
create index oauth_authorizations_factor_idx on auth.oauth_authorizations (factor_id) where factor_id is not null;
create index oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);
alter table auth.oauth_authorizations enable row level security;

-- The first that is not retired signs; the public halves of the others stay published while tokens of theirs live.
create table auth.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed text not null, -- the private half, sealed with the server's secret
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
alter table auth.signing_keys enable row level security;
