-- Recovery codes, a factor of a kind of its own, one for each account, with codes that each lift a session once; and providers of sign-in that are
-- entered by the API for administrators, beside those of settings.

alter table auth.mfa_factors drop constraint mfa_factors_factor_type;
alter table auth.mfa_factors add constraint mfa_factors_factor_type check (factor_type in ('totp', 'webauthn', 'recovery_code'));
create unique index mfa_factors_recovery_key on auth.mfa_factors (user_id) where factor_type = 'recovery_code';

-- Hashed: 79 random bits each, so that nobody finds one from its hash.
create table auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (factor_id, code_hash)
);
alter table auth.mfa_recovery_codes enable row level security;

create table auth.custom_oauth_providers (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null,
  identifier text not null,
  name text not null,
  client_id text not null,
  client_secret text not null, -- sealed with the server's secret
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  custom_claims_allowlist text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text,
  discovery_url text,
  skip_nonce_check boolean not null default false,
  authorization_url text,
  token_url text,
  userinfo_url text,
  jwks_uri text,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint custom_oauth_providers_identifier_key unique (identifier),
  constraint custom_oauth_providers_identifier_shape check (identifier ~ '^custom:[a-z0-9][a-z0-9:_.-]{0,62}$'),
  constraint custom_oauth_providers_provider_type check (provider_type in ('oauth2', 'oidc')),
  constraint custom_oauth_providers_name_length check (char_length(name) between 1 and 100),
  constraint custom_oauth_providers_oidc_has_issuer check (provider_type <> 'oidc' or issuer is not null),
  constraint custom_oauth_providers_oauth2_has_addresses
    check (provider_type <> 'oauth2' or (authorization_url is not null and token_url is not null and userinfo_url is not null))
);
alter table auth.custom_oauth_providers enable row level security;
