-- Accounts: who somebody is (auth.users and their profile), by which providers, factors and passkeys they sign in, the sessions that come of
-- it, and sign-ins under way. Tables and columns of auth are named as Supabase's, so that its clients, dumps and policies fit.
-- Passwords and one-time tokens are kept as hashes; what must be read again is sealed with the server's secret.

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text, -- argon2id; bcrypt when imported from elsewhere; null: no password
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0, -- 1: one of the two addresses has agreed
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  phone text unique,
  phone_confirmed_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  banned_until timestamptz,
  is_sso_user boolean not null default false,
  is_anonymous boolean not null default false,
  deleted_at timestamptz,
  instance_id uuid,
  confirmation_token text,
  recovery_token text,
  email_change_token_new text,
  email_change_token_current text,
  reauthentication_token text,
  phone_change text,
  phone_change_token text,
  phone_change_sent_at timestamptz,
  is_super_admin boolean,
  is_operator boolean not null default false,
  access_epoch integer not null default 0,
  banned_since timestamptz,
  constraint users_email_length check (char_length(email) <= 255),
  constraint users_email_change_confirm_status check (email_change_confirm_status between 0 and 2)
);
create unique index users_email_key on auth.users (lower(email)) where not is_sso_user;
create index users_email_change_idx on auth.users (lower(email_change)) where email_change is not null;
create index users_created_at_idx on auth.users (created_at desc, id);
create index users_anonymous_idx on auth.users (created_at) where is_anonymous;
create index users_operators_idx on auth.users (id) where is_operator;
alter table auth.users enable row level security;

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text,
  avatar_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  shows_presence boolean not null default true,
  constraint profiles_display_name_length check (char_length(display_name) between 1 and 200),
  constraint profiles_avatar_url_is_web_address check (avatar_url is not distinct from private.as_picture_address(avatar_url))
);
alter table public.profiles enable row level security;

-- A user as a provider knows them: by their address here, by their subject at an OpenID issuer.
create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_provider_key unique (provider, provider_id)
);
create index identities_user_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email);
alter table auth.identities enable row level security;

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null,
  status text not null default 'unverified',
  secret text, -- sealed with the server's secret
  last_used_step bigint, -- a TOTP code is good once
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mfa_factors_factor_type check (factor_type in ('totp', 'webauthn')),
  constraint mfa_factors_status check (status in ('unverified', 'verified'))
);
create index mfa_factors_user_idx on auth.mfa_factors (user_id, created_at);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where trim(friendly_name) <> '';
alter table auth.mfa_factors enable row level security;

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  verified_at timestamptz,
  attempts smallint not null default 0,
  web_authn_session_data jsonb
);
create index mfa_challenges_factor_idx on auth.mfa_challenges (factor_id);
create index mfa_challenges_expires_at_idx on auth.mfa_challenges (expires_at);
alter table auth.mfa_challenges enable row level security;

-- A session is a family of refresh tokens, of which only the last is good. A refresh token is not stored: it is the session's id and its
-- place in the family, sealed with the server's secret.
create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  not_after timestamptz,
  refresh_counter bigint not null default 1,
  aal text not null default 'aal1',
  amr jsonb not null default '[]', -- newest first: [{"method", "timestamp"}]
  factor_id uuid,
  user_agent text,
  ip inet,
  constraint sessions_aal check (aal in ('aal1', 'aal2')),
  constraint sessions_amr check (jsonb_typeof(amr) = 'array'),
  constraint sessions_factor_fkey foreign key (factor_id) references auth.mfa_factors (id) on delete set null
) with (fillfactor = 80);
create index sessions_user_idx on auth.sessions (user_id, created_at);
-- No index on refreshed_at: every refresh would write to all of them, for a sweep that may as well read the table.
create index sessions_not_after_idx on auth.sessions (not_after) where not_after is not null;
create index sessions_factor_idx on auth.sessions (factor_id) where factor_id is not null;
alter table auth.sessions enable row level security;

-- Sessions that ended while access tokens of theirs may be alive. Doors that trust a token's signature learn of them by a message, and
-- look here when they start and now and then.
create table auth.ended_sessions (
  id uuid primary key,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_sessions_ended_at_idx on auth.ended_sessions (ended_at);
alter table auth.ended_sessions enable row level security;

-- Passkeys that sign in by themselves; a passkey used as second factor lives with the factors.
create table auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null default 0,
  transports jsonb not null default '[]',
  aaguid uuid,
  backed_up boolean not null default false,
  friendly_name text,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webauthn_credentials_credential_key unique (credential_id)
);
create index webauthn_credentials_user_idx on auth.webauthn_credentials (user_id);
alter table auth.webauthn_credentials enable row level security;

create table auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade, -- null: whoever holds a passkey
  ceremony text not null,
  challenge text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint webauthn_challenges_ceremony check (ceremony in ('registration', 'authentication'))
);
create index webauthn_challenges_user_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
alter table auth.webauthn_challenges enable row level security;

-- A sign-in that is on its way through a browser: at an OpenID issuer, or waiting for its code to be exchanged.
create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  state_hash text unique, -- what the issuer hands back to us
  auth_code_hash text unique, -- what the client exchanges for a session
  auth_code_issued_at timestamptz,
  code_challenge text,
  code_challenge_method text,
  provider_type text not null,
  authentication_method text not null,
  redirect_to text,
  linking_user_id uuid references auth.users (id) on delete cascade,
  provider_state jsonb, -- sealed: nonce and verifier of our own talk with the issuer, then the issuer's tokens
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint flow_state_code_challenge_method check (code_challenge_method in ('s256', 'plain'))
);
create index flow_state_user_idx on auth.flow_state (user_id);
create index flow_state_linking_user_idx on auth.flow_state (linking_user_id);
create index flow_state_expires_at_idx on auth.flow_state (expires_at);
alter table auth.flow_state enable row level security;

-- Tokens of emails, hashed: at most one of a kind per user, so that a newer email makes the older useless.
create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type text not null,
  token_hash text not null unique, -- of the link
  code_hash text, -- of the code in the same email; null once it was guessed at too often, the link still works
  flow_id uuid references auth.flow_state (id) on delete cascade, -- set when the answer goes to a client that holds a code verifier
  relates_to text not null, -- the address it was sent to
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint one_time_tokens_kind_key unique (user_id, token_type),
  constraint one_time_tokens_token_type check (
    token_type in ('confirmation', 'recovery', 'email_change_new', 'email_change_current', 'reauthentication')
  )
);
create index one_time_tokens_flow_idx on auth.one_time_tokens (flow_id);
create index one_time_tokens_relates_to_idx on auth.one_time_tokens (lower(relates_to));
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
alter table auth.one_time_tokens enable row level security;

-- For administrators; outlives the accounts it speaks of.
create table auth.audit_log_entries (
  id uuid primary key default gen_random_uuid(),
  payload jsonb not null,
  ip_address text not null default '',
  created_at timestamptz not null default now()
);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);
alter table auth.audit_log_entries enable row level security;

-- Addresses left on the landing page.
create table private.leads (
  id bigint generated always as identity primary key,
  email text not null, -- normalised by the server: trimmed, lower case, domain in its ASCII form
  source text, -- what the page says of itself, or where the browser came from
  created_at timestamptz not null default now(),
  constraint leads_email_key unique (email),
  constraint leads_email_length check (char_length(email) between 3 and 254),
  constraint leads_source_length check (char_length(source) <= 500)
);
alter table private.leads enable row level security;
