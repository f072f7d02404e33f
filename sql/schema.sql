-- The schema that sql/*.sql add up to, written by `npm run generate`. Read it, do not edit it.

create extension pgcrypto with schema extensions;

create extension "uuid-ossp" with schema extensions;

create schema auth;
comment on schema auth is 'Accounts and sessions, and what the caller''s token says.';
grant usage on schema auth to anon;
grant usage on schema auth to authenticated;
grant usage on schema auth to kanbase_identity;
grant usage on schema auth to service_role;

create schema billing;
comment on schema billing is 'What was bought, as the payment provider tells it. Not reachable through the data endpoints.';
grant usage on schema billing to kanbase_billing;
grant usage on schema billing to kanbase_landing;

create schema data_door;
comment on schema data_door is 'What the statements of /rest/v1 call themselves. Never served, and open to every role a token may name.';
grant usage on schema data_door to public;

create schema extensions;
comment on schema extensions is 'Functions of extensions, found without a prefix by migrations of one''s own.';
grant usage on schema extensions to anon;
grant usage on schema extensions to authenticated;
grant usage on schema extensions to service_role;

create schema private;
comment on schema private is 'What is never served: functions behind policies, the server''s own tables.';
grant usage on schema private to anon;
grant usage on schema private to authenticated;
grant usage on schema private to kanbase_billing;
grant usage on schema private to kanbase_desk;
grant usage on schema private to kanbase_exports;
grant usage on schema private to kanbase_feeds;
grant usage on schema private to kanbase_files;
grant usage on schema private to kanbase_imports;
grant usage on schema private to kanbase_landing;
grant usage on schema private to kanbase_limits;
grant usage on schema private to kanbase_mail;
grant usage on schema private to kanbase_realtime;
grant usage on schema private to kanbase_recurrence;
grant usage on schema private to kanbase_replica;
grant usage on schema private to service_role;

-- schema public
comment on schema public is 'standard public schema';
grant usage on schema public to anon;
grant usage on schema public to authenticated;
grant usage on schema public to public;
grant usage on schema public to service_role;

create schema realtime;
comment on schema realtime is 'Messages to channels of /realtime/v1, and who may read and send them.';
grant usage on schema realtime to anon;
grant usage on schema realtime to authenticated;
grant usage on schema realtime to kanbase_realtime;
grant usage on schema realtime to service_role;

create schema storage;
comment on schema storage is 'Files at /storage/v1: which buckets there are, what is in them, and by policies who may do what.';
grant usage on schema storage to anon;
grant usage on schema storage to authenticated;
grant usage on schema storage to kanbase_files;
grant usage on schema storage to service_role;

create type private.figure_change as (project_id uuid, figure text, key text, delta integer);

create type private.flow_change as (project_id uuid, column_id uuid, delta integer);

create type private.news as (user_id uuid, kind text, project_id uuid, task_id uuid, data jsonb);
comment on type private.news is 'What somebody is to be notified of.';

create type private.task_place as (task_id uuid, from_project uuid, column_id uuid, number integer, order_rank text);
comment on type private.task_place is 'Where a task that changes its project stands there.';

create type private.wanted_news as (user_id uuid, project_id uuid, task_id uuid, kind text, weight integer, data jsonb, also jsonb, inbox boolean);
comment on type private.wanted_news is 'What somebody is to be notified of, after their own choice.';

create type private.watcher as (project_id uuid, task_id uuid, user_id uuid);
comment on type private.watcher is 'Somebody who is to watch a task.';

create type public.custom_field_kind as enum ('text', 'number', 'date', 'select', 'multi_select', 'person', 'url', 'checkbox');
comment on type public.custom_field_kind is 'What a field holds: text, a number, a day, one or several of its options, a member, an address, or yes and no.';

create type public.dependency_type as enum ('FS');
comment on type public.dependency_type is 'FS: the successor can finish only after the predecessor has.';

create type public.project_role as enum ('owner', 'editor', 'viewer');
comment on type public.project_role is 'owner: full project access; editor: may edit project data; viewer: read-only.';

create type public.recurrence_mode as enum ('calendar', 'after_completion');
comment on type public.recurrence_mode is 'calendar: on the days of the rule; after_completion: when the task is done, counted from that day.';

create type public.task_priority as enum ('p0', 'p1', 'p2');
comment on type public.task_priority is 'p0: critical; p1: high; p2: normal.';

create type public.workflow_column_kind as enum ('backlog', 'todo', 'in_progress', 'done', 'custom');
comment on type public.workflow_column_kind is 'What a column stands for, whatever it is called: backlog, todo, in_progress, done or custom.';

create table auth.audit_log_entries (
  id uuid default gen_random_uuid() not null,
  payload jsonb not null,
  ip_address text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint audit_log_entries_pkey PRIMARY KEY (id)
);
create index audit_log_entries_created_at_idx ON auth.audit_log_entries USING btree (created_at DESC);
alter table auth.audit_log_entries enable row level security;
create policy identity_room on auth.audit_log_entries for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.audit_log_entries to kanbase_identity;
comment on table auth.audit_log_entries is 'What happened to accounts.';

create table auth.ended_sessions (
  id uuid not null,
  ended_at timestamp with time zone default clock_timestamp() not null,
  constraint ended_sessions_pkey PRIMARY KEY (id)
);
create index ended_sessions_ended_at_idx ON auth.ended_sessions USING btree (ended_at);
alter table auth.ended_sessions enable row level security;
create policy identity_room on auth.ended_sessions for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select on table auth.ended_sessions to kanbase_identity;
comment on table auth.ended_sessions is 'Sessions that ended lately: their access tokens are turned away.';

create table auth.flow_state (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  state_hash text,
  auth_code_hash text,
  auth_code_issued_at timestamp with time zone,
  code_challenge text,
  code_challenge_method text,
  provider_type text not null,
  authentication_method text not null,
  redirect_to text,
  linking_user_id uuid,
  provider_state jsonb,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint flow_state_pkey PRIMARY KEY (id),
  constraint flow_state_auth_code_hash_key UNIQUE (auth_code_hash),
  constraint flow_state_state_hash_key UNIQUE (state_hash),
  constraint flow_state_code_challenge_method CHECK ((code_challenge_method = ANY (ARRAY['s256'::text, 'plain'::text]))),
  constraint flow_state_linking_user_id_fkey FOREIGN KEY (linking_user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint flow_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index flow_state_expires_at_idx ON auth.flow_state USING btree (expires_at);
create index flow_state_linking_user_idx ON auth.flow_state USING btree (linking_user_id);
create index flow_state_user_idx ON auth.flow_state USING btree (user_id);
alter table auth.flow_state enable row level security;
create policy identity_room on auth.flow_state for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.flow_state to kanbase_identity;
comment on table auth.flow_state is 'Sign-ins on their way through a browser.';

create table auth.identities (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  provider text not null,
  provider_id text not null,
  identity_data jsonb default '{}'::jsonb not null,
  email text generated always as (lower((identity_data ->> 'email'::text))) stored,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_key UNIQUE (provider, provider_id),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index identities_email_idx ON auth.identities USING btree (email);
create index identities_user_idx ON auth.identities USING btree (user_id);
alter table auth.identities enable row level security;
create policy identity_room on auth.identities for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.identities to kanbase_identity;
CREATE TRIGGER take_brought BEFORE INSERT ON auth.identities FOR EACH ROW WHEN ((CURRENT_USER <> 'kanbase_identity'::name)) EXECUTE FUNCTION auth.take_brought_identity();
comment on table auth.identities is 'How each account is known to a provider.';

create table auth.mfa_challenges (
  id uuid default gen_random_uuid() not null,
  factor_id uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  attempts smallint default 0 not null,
  web_authn_session_data jsonb,
  constraint mfa_challenges_pkey PRIMARY KEY (id),
  constraint mfa_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE
);
create index mfa_challenges_expires_at_idx ON auth.mfa_challenges USING btree (expires_at);
create index mfa_challenges_factor_idx ON auth.mfa_challenges USING btree (factor_id);
alter table auth.mfa_challenges enable row level security;
create policy identity_room on auth.mfa_challenges for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.mfa_challenges to kanbase_identity;
comment on table auth.mfa_challenges is 'Open questions to a second factor.';

create table auth.mfa_factors (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  friendly_name text,
  factor_type text not null,
  status text default 'unverified'::text not null,
  secret text,
  last_used_step bigint,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_challenged_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint mfa_factors_pkey PRIMARY KEY (id),
  constraint mfa_factors_factor_type CHECK ((factor_type = ANY (ARRAY['totp'::text, 'webauthn'::text]))),
  constraint mfa_factors_status CHECK ((status = ANY (ARRAY['unverified'::text, 'verified'::text]))),
  constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create unique index mfa_factors_friendly_name_key ON auth.mfa_factors USING btree (user_id, friendly_name) WHERE (TRIM(BOTH FROM friendly_name) <> ''::text);
create index mfa_factors_user_idx ON auth.mfa_factors USING btree (user_id, created_at);
alter table auth.mfa_factors enable row level security;
create policy identity_room on auth.mfa_factors for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.mfa_factors to kanbase_identity;
comment on table auth.mfa_factors is 'Second factors: TOTP secrets and passkeys.';

create table auth.one_time_tokens (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  token_type text not null,
  token_hash text not null,
  code_hash text,
  flow_id uuid,
  relates_to text not null,
  attempts smallint default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint one_time_tokens_pkey PRIMARY KEY (id),
  constraint one_time_tokens_kind_key UNIQUE (user_id, token_type),
  constraint one_time_tokens_token_hash_key UNIQUE (token_hash),
  constraint one_time_tokens_token_type CHECK ((token_type = ANY (ARRAY['confirmation'::text, 'recovery'::text, 'email_change_new'::text, 'email_change_current'::text, 'reauthentication'::text]))),
  constraint one_time_tokens_flow_id_fkey FOREIGN KEY (flow_id) REFERENCES auth.flow_state(id) ON DELETE CASCADE,
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index one_time_tokens_expires_at_idx ON auth.one_time_tokens USING btree (expires_at);
create index one_time_tokens_flow_idx ON auth.one_time_tokens USING btree (flow_id);
create index one_time_tokens_relates_to_idx ON auth.one_time_tokens USING btree (lower(relates_to));
alter table auth.one_time_tokens enable row level security;
create policy identity_room on auth.one_time_tokens for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.one_time_tokens to kanbase_identity;
comment on table auth.one_time_tokens is 'Hashed tokens of mails that were sent.';

create table auth.sessions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  refreshed_at timestamp with time zone default now() not null,
  not_after timestamp with time zone,
  refresh_counter bigint default 1 not null,
  aal text default 'aal1'::text not null,
  amr jsonb default '[]'::jsonb not null,
  factor_id uuid,
  user_agent text,
  ip inet,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_aal CHECK ((aal = ANY (ARRAY['aal1'::text, 'aal2'::text]))),
  constraint sessions_amr CHECK ((jsonb_typeof(amr) = 'array'::text)),
  constraint sessions_factor_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE SET NULL,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index sessions_factor_idx ON auth.sessions USING btree (factor_id) WHERE (factor_id IS NOT NULL);
create index sessions_not_after_idx ON auth.sessions USING btree (not_after) WHERE (not_after IS NOT NULL);
create index sessions_user_idx ON auth.sessions USING btree (user_id, created_at);
alter table auth.sessions enable row level security;
create policy identity_room on auth.sessions for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.sessions to kanbase_identity;
CREATE TRIGGER note_ended AFTER DELETE ON auth.sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION auth.note_ended_sessions();
comment on table auth.sessions is 'Signed-in devices; each is a family of refresh tokens.';

create table auth.users (
  id uuid default gen_random_uuid() not null,
  aud text default 'authenticated'::text not null,
  role text default 'authenticated'::text not null,
  email text,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  invited_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  email_change text,
  email_change_sent_at timestamp with time zone,
  email_change_confirm_status smallint default 0 not null,
  reauthentication_sent_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  raw_app_meta_data jsonb default '{}'::jsonb not null,
  raw_user_meta_data jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  phone text,
  phone_confirmed_at timestamp with time zone,
  confirmed_at timestamp with time zone generated always as (LEAST(email_confirmed_at, phone_confirmed_at)) stored,
  banned_until timestamp with time zone,
  is_sso_user boolean default false not null,
  is_anonymous boolean default false not null,
  deleted_at timestamp with time zone,
  instance_id uuid,
  confirmation_token text,
  recovery_token text,
  email_change_token_new text,
  email_change_token_current text,
  reauthentication_token text,
  phone_change text,
  phone_change_token text,
  phone_change_sent_at timestamp with time zone,
  is_super_admin boolean,
  is_operator boolean default false not null,
  access_epoch integer default 0 not null,
  banned_since timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_phone_key UNIQUE (phone),
  constraint users_email_change_confirm_status CHECK (((email_change_confirm_status >= 0) AND (email_change_confirm_status <= 2))),
  constraint users_email_length CHECK ((char_length(email) <= 255))
);
create index users_anonymous_idx ON auth.users USING btree (created_at) WHERE is_anonymous;
create index users_created_at_idx ON auth.users USING btree (created_at DESC, id);
create index users_email_change_idx ON auth.users USING btree (lower(email_change)) WHERE (email_change IS NOT NULL);
create unique index users_email_key ON auth.users USING btree (lower(email)) WHERE (NOT is_sso_user);
create index users_operators_idx ON auth.users USING btree (id) WHERE is_operator;
alter table auth.users enable row level security;
create policy identity_room on auth.users for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.users to kanbase_identity;
CREATE TRIGGER end_sessions AFTER UPDATE OF banned_until, deleted_at ON auth.users FOR EACH ROW WHEN (((new.banned_until > now()) OR (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION auth.end_sessions_of_outcasts();
CREATE TRIGGER hint_operator BEFORE UPDATE OF is_operator ON auth.users FOR EACH ROW WHEN ((new.is_operator IS DISTINCT FROM old.is_operator)) EXECUTE FUNCTION auth.hint_operator();
CREATE TRIGGER refuse_new_operator BEFORE INSERT ON auth.users FOR EACH ROW WHEN ((new.is_operator AND (CURRENT_USER = 'kanbase_identity'::name))) EXECUTE FUNCTION auth.refuse_operator();
CREATE TRIGGER refuse_operator BEFORE UPDATE ON auth.users FOR EACH ROW WHEN (((new.is_operator IS DISTINCT FROM old.is_operator) AND (CURRENT_USER = 'kanbase_identity'::name))) EXECUTE FUNCTION auth.refuse_operator();
CREATE TRIGGER take_brought BEFORE INSERT ON auth.users FOR EACH ROW WHEN ((CURRENT_USER <> 'kanbase_identity'::name)) EXECUTE FUNCTION auth.take_brought_user();
CREATE TRIGGER users_end_access AFTER UPDATE ON auth.users FOR EACH ROW WHEN ((old.access_epoch <> new.access_epoch)) EXECUTE FUNCTION private.end_access_of_epoch();
CREATE TRIGGER users_make_profile AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION private.make_profile();
CREATE TRIGGER users_note_ban BEFORE UPDATE ON auth.users FOR EACH ROW WHEN ((new.banned_until IS DISTINCT FROM old.banned_until)) EXECUTE FUNCTION auth.note_ban();
CREATE TRIGGER users_raise_access_epoch BEFORE UPDATE ON auth.users FOR EACH ROW WHEN ((((old.encrypted_password IS DISTINCT FROM new.encrypted_password) AND (COALESCE(current_setting('kanbase.rehashes_password'::text, true), ''::text) <> 'on'::text)) OR ((new.banned_until IS DISTINCT FROM old.banned_until) AND (new.banned_until > now())) OR ((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL)))) EXECUTE FUNCTION auth.raise_access_epoch();
comment on table auth.users is 'Accounts. Deleted softly when deleted_at is set.';
comment on column auth.users.is_operator is 'Runs the instance; written by kanbase operator and the one-time link of the banner alone.';
comment on column auth.users.access_epoch is 'Rises when what opens without a session ends: new password, sign-out everywhere, ban, reset by an administrator.';
comment on column auth.users.banned_since is 'Since when the account is banned without a break; empty where it is not, or was before this was kept.';

create table auth.webauthn_challenges (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  ceremony text not null,
  challenge text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint webauthn_challenges_pkey PRIMARY KEY (id),
  constraint webauthn_challenges_ceremony CHECK ((ceremony = ANY (ARRAY['registration'::text, 'authentication'::text]))),
  constraint webauthn_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index webauthn_challenges_expires_at_idx ON auth.webauthn_challenges USING btree (expires_at);
create index webauthn_challenges_user_idx ON auth.webauthn_challenges USING btree (user_id);
alter table auth.webauthn_challenges enable row level security;
create policy identity_room on auth.webauthn_challenges for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.webauthn_challenges to kanbase_identity;
comment on table auth.webauthn_challenges is 'Open passkey ceremonies.';

create table auth.webauthn_credentials (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint default 0 not null,
  transports jsonb default '[]'::jsonb not null,
  aaguid uuid,
  backed_up boolean default false not null,
  friendly_name text,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint webauthn_credentials_pkey PRIMARY KEY (id),
  constraint webauthn_credentials_credential_key UNIQUE (credential_id),
  constraint webauthn_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index webauthn_credentials_user_idx ON auth.webauthn_credentials USING btree (user_id);
alter table auth.webauthn_credentials enable row level security;
create policy identity_room on auth.webauthn_credentials for all to kanbase_identity
  using (true)
  with check (true);
grant delete, insert, select, update on table auth.webauthn_credentials to kanbase_identity;
comment on table auth.webauthn_credentials is 'Passkeys that sign in by themselves.';

create table billing.customers (
  id text not null,
  user_id uuid,
  email text,
  livemode boolean not null,
  told_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  linked_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
create index customers_user_idx ON billing.customers USING btree (user_id);
alter table billing.customers enable row level security;
create policy billing_room on billing.customers for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.customers to kanbase_billing;

create table billing.events (
  id text not null,
  kind text not null,
  livemode boolean,
  happened_at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  is_handled boolean not null,
  payload jsonb not null,
  constraint events_pkey PRIMARY KEY (id)
);
create index events_received_idx ON billing.events USING btree (received_at);
alter table billing.events enable row level security;
create policy billing_room on billing.events for all to kanbase_billing
  using (true)
  with check (true);
grant delete, insert, select on table billing.events to kanbase_billing;
comment on table billing.events is 'Every event the payment provider sent, once, in the transaction of its effect.';

create table billing.invoices (
  id text not null,
  customer_id text,
  subscription_id text,
  livemode boolean not null,
  status text not null,
  amount bigint,
  currency text,
  hosted_url text,
  told_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_status CHECK ((status = ANY (ARRAY['paid'::text, 'failed'::text]))),
  constraint invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES billing.customers(id) ON DELETE CASCADE
);
create index invoices_customer_idx ON billing.invoices USING btree (customer_id);
create index invoices_subscription_idx ON billing.invoices USING btree (subscription_id, told_at);
alter table billing.invoices enable row level security;
create policy billing_room on billing.invoices for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.invoices to kanbase_billing;

create table billing.plans (
  price_id text not null,
  name text not null,
  mode text default 'subscription'::text not null,
  amount bigint,
  currency text,
  "interval" text,
  interval_count integer default 1 not null,
  limits jsonb default '{}'::jsonb not null,
  is_enforced boolean default false not null,
  is_offered boolean default true not null,
  "position" integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint plans_pkey PRIMARY KEY (price_id),
  constraint plans_amount CHECK ((amount >= 0)),
  constraint plans_currency CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint plans_interval CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
  constraint plans_interval_count CHECK ((interval_count > 0)),
  constraint plans_limits CHECK ((jsonb_typeof(limits) = 'object'::text)),
  constraint plans_mode CHECK ((mode = ANY (ARRAY['payment'::text, 'subscription'::text]))),
  constraint plans_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);
alter table billing.plans enable row level security;
create policy billing_room on billing.plans for all to kanbase_billing
  using (true)
  with check (true);
create policy landing_room on billing.plans for select to kanbase_landing
  using (is_offered);
grant delete, insert, select, update on table billing.plans to kanbase_billing;
grant select on table billing.plans to kanbase_landing;
comment on table billing.plans is 'What a price means here: a name and limits, enforced only where switched on.';

create table billing.provider (
  only_row boolean default true not null,
  livemode boolean,
  changed_at timestamp with time zone default now() not null,
  constraint provider_pkey PRIMARY KEY (only_row),
  constraint provider_only_row CHECK (only_row)
);
alter table billing.provider enable row level security;
create policy billing_room on billing.provider for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.provider to kanbase_billing;

create view billing.purchase_outcomes as
SELECT p.id,
    p.customer_id,
    p.user_id,
    p.livemode,
    p.price_id,
    p.amount,
    p.currency,
    p.bought_at,
        CASE
            WHEN (p.status <> 'paid'::text) THEN p.status
            WHEN r.is_back THEN 'refunded'::text
            WHEN r.is_disputed THEN 'disputed'::text
            ELSE p.status
        END AS status
   FROM (billing.purchases p
     CROSS JOIN LATERAL ( SELECT COALESCE(bool_or((back.status = ANY (ARRAY['full'::text, 'lost'::text]))), false) AS is_back,
            COALESCE(bool_or((back.status = 'open'::text)), false) AS is_disputed
           FROM billing.reversals back
          WHERE (back.payment_id = p.payment_id)) r);
comment on view billing.purchase_outcomes is 'Purchases as they stand after refunds and disputes.';

create table billing.purchases (
  id text not null,
  customer_id text,
  user_id uuid,
  livemode boolean not null,
  price_id text,
  payment_id text,
  amount bigint,
  currency text,
  status text not null,
  bought_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint purchases_pkey PRIMARY KEY (id),
  constraint purchases_status CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text]))),
  constraint purchases_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES billing.customers(id) ON DELETE SET NULL,
  constraint purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
create index purchases_customer_idx ON billing.purchases USING btree (customer_id);
create index purchases_user_idx ON billing.purchases USING btree (user_id);
alter table billing.purchases enable row level security;
create policy billing_room on billing.purchases for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.purchases to kanbase_billing;

create table billing.reversals (
  id text not null,
  payment_id text not null,
  kind text not null,
  status text not null,
  told_at timestamp with time zone not null,
  told_rank smallint not null,
  constraint reversals_pkey PRIMARY KEY (id),
  constraint reversals_kind CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
  constraint reversals_status CHECK ((((kind = 'refund'::text) AND (status = ANY (ARRAY['partial'::text, 'full'::text, 'failed'::text]))) OR ((kind = 'dispute'::text) AND (status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text])))))
);
create index reversals_payment_idx ON billing.reversals USING btree (payment_id);
alter table billing.reversals enable row level security;
create policy billing_room on billing.reversals for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.reversals to kanbase_billing;

create table billing.subscriptions (
  id text not null,
  customer_id text not null,
  livemode boolean not null,
  status text not null,
  price_id text,
  quantity bigint,
  current_period_end timestamp with time zone,
  cancel_at timestamp with time zone,
  cancel_at_period_end boolean default false not null,
  canceled_at timestamp with time zone,
  ended_at timestamp with time zone,
  trial_end timestamp with time zone,
  started_at timestamp with time zone,
  told_at timestamp with time zone not null,
  told_rank smallint not null,
  told_state jsonb not null,
  told_before jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint subscriptions_pkey PRIMARY KEY (id),
  constraint subscriptions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES billing.customers(id) ON DELETE CASCADE
);
create index subscriptions_customer_idx ON billing.subscriptions USING btree (customer_id);
alter table billing.subscriptions enable row level security;
create policy billing_room on billing.subscriptions for all to kanbase_billing
  using (true)
  with check (true);
grant insert, select, update on table billing.subscriptions to kanbase_billing;

create view private.all_members as
SELECT m.project_id,
    m.user_id,
    m.role,
    m.created_at
   FROM public.project_members m
UNION ALL
 SELECT k.project_id,
    k.user_id,
    k.role,
    k.created_at
   FROM private.kept_members k;
comment on view private.all_members is 'Who is in a project, or was in it when it was deleted.';

create table private.awaited_assignees (
  project_id uuid not null,
  task_id uuid not null,
  email text not null,
  import_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint awaited_assignees_pkey PRIMARY KEY (project_id, task_id, email),
  constraint awaited_assignees_email_is_lower CHECK (((email = lower(email)) AND (char_length(email) <= 255))),
  constraint awaited_assignees_import_id_fkey FOREIGN KEY (import_id) REFERENCES private.imports(id) ON DELETE CASCADE,
  constraint awaited_assignees_task FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index awaited_assignees_email_idx ON private.awaited_assignees USING btree (project_id, email);
create index awaited_assignees_import_id_idx ON private.awaited_assignees USING btree (import_id);
alter table private.awaited_assignees enable row level security;
create policy writers on private.awaited_assignees for all to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
grant delete, insert, select on table private.awaited_assignees to authenticated;
comment on table private.awaited_assignees is 'Whose an imported task was who is invited and has not joined yet: assigned when they do.';

create table private.backups (
  due_at timestamp with time zone not null,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  file text,
  row_count bigint,
  file_count integer,
  bytes bigint,
  error text,
  constraint backups_pkey PRIMARY KEY (due_at),
  constraint backups_end_once CHECK (((finished_at IS NULL) = ((file IS NULL) AND (error IS NULL))))
);
alter table private.backups enable row level security;
comment on table private.backups is 'Backups by schedule, one row a due moment; `error` says why one failed.';

create table private.calendar_feed_tokens (
  feed_id uuid not null,
  token_hash bytea not null,
  constraint calendar_feed_tokens_pkey PRIMARY KEY (feed_id),
  constraint calendar_feed_tokens_token_hash_key UNIQUE (token_hash),
  constraint calendar_feed_tokens_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES public.calendar_feeds(id) ON DELETE CASCADE
);
alter table private.calendar_feed_tokens enable row level security;
comment on table private.calendar_feed_tokens is 'The addresses of calendar feeds, hashed.';

create view private.caller as
SELECT
        CASE
            WHEN ((claims -> 'mfa_pending'::text) = 'true'::jsonb) THEN NULL::uuid
            ELSE (NULLIF((claims ->> 'sub'::text), ''::text))::uuid
        END AS user_id
   FROM ( SELECT (NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb AS claims
         OFFSET 0) token;
grant select on table private.caller to authenticated;
comment on view private.caller is 'The caller, as policies see them; null: nobody.';

create table private.changes (
  id bigint generated always as identity not null,
  xid xid8 default pg_current_xact_id() not null,
  at timestamp with time zone default clock_timestamp() not null,
  relation oid not null,
  kind text not null,
  old jsonb,
  new jsonb,
  constraint changes_pkey PRIMARY KEY (id),
  constraint changes_kind_is_known CHECK ((kind = ANY (ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])))
);
create index changes_at_idx ON private.changes USING btree (at);
alter table private.changes enable row level security;
create policy realtime_room on private.changes for all to kanbase_realtime
  using (true)
  with check (true);
grant delete, select on table private.changes to kanbase_realtime;
comment on table private.changes is 'Changes noted by triggers, where Postgres'' log cannot be decoded.';

create table private.column_flow (
  project_id uuid not null,
  day date not null,
  column_id uuid not null,
  shard smallint not null,
  delta integer not null,
  constraint column_flow_pkey PRIMARY KEY (project_id, day, column_id, shard),
  constraint column_flow_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
alter table private.column_flow enable row level security;
create policy read on private.column_flow for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on private.column_flow for select to service_role
  using (true);
grant select on table private.column_flow to authenticated;
grant select on table private.column_flow to service_role;
comment on table private.column_flow is 'Tasks entered less tasks left, per column and day.';

create table private.column_kinds (
  project_id uuid not null,
  column_id uuid not null,
  since timestamp with time zone default clock_timestamp() not null,
  kind public.workflow_column_kind not null,
  constraint column_kinds_pkey PRIMARY KEY (project_id, column_id, since),
  constraint column_kinds_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
alter table private.column_kinds enable row level security;
create policy read on private.column_kinds for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on private.column_kinds for select to service_role
  using (true);
grant select on table private.column_kinds to authenticated;
grant select on table private.column_kinds to service_role;
comment on table private.column_kinds is 'Which kind a column had since when.';

create table private.desk_log (
  id uuid default private.uuid_v7() not null,
  created_at timestamp with time zone default now() not null,
  actor_id uuid,
  actor text not null,
  action text not null,
  subject_id uuid,
  subject text default ''::text not null,
  details jsonb default '{}'::jsonb not null,
  address text default ''::text not null,
  constraint desk_log_pkey PRIMARY KEY (id),
  constraint desk_log_action_is_a_word CHECK ((action ~ '^[a-z][a-z_]{0,62}$'::text))
);
create index desk_log_created_at_idx ON private.desk_log USING btree (created_at DESC, id DESC);
alter table private.desk_log enable row level security;
comment on table private.desk_log is 'What operators did at the desk: who, what, to whom, when, from where.';

create table private.ended_links (
  bucket_id text not null,
  name text not null,
  user_id uuid,
  ended_at timestamp with time zone default clock_timestamp() not null,
  constraint ended_links_one_per_object UNIQUE NULLS NOT DISTINCT (bucket_id, name, user_id),
  constraint ended_links_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id) ON DELETE CASCADE,
  constraint ended_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index ended_links_ended_at_idx ON private.ended_links USING btree (ended_at);
create index ended_links_user_id_idx ON private.ended_links USING btree (user_id);
alter table private.ended_links enable row level security;
comment on table private.ended_links is 'Objects whose signed addresses up to a moment open nothing any more.';

create table private.exports (
  id uuid default private.uuid_v7() not null,
  user_id uuid not null,
  project_id uuid,
  format text not null,
  state text default 'waiting'::text not null,
  done integer default 0 not null,
  total integer default 0 not null,
  attempt integer default 0 not null,
  version text,
  object_name text,
  size_bytes bigint,
  error text,
  created_at timestamp with time zone default now() not null,
  heard_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone default (now() + '1 day'::interval) not null,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_counts_not_negative CHECK (((done >= 0) AND (total >= 0))),
  constraint exports_done_has_file CHECK (((state = 'done'::text) = (object_name IS NOT NULL))),
  constraint exports_format_known CHECK ((format = ANY (ARRAY['json'::text, 'zip'::text, 'csv'::text, 'markdown'::text, 'ical'::text]))),
  constraint exports_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  constraint exports_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index exports_expires_at_idx ON private.exports USING btree (expires_at);
create index exports_project_id_idx ON private.exports USING btree (project_id);
create index exports_unfinished_idx ON private.exports USING btree (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
create index exports_user_id_idx ON private.exports USING btree (user_id, created_at DESC);
alter table private.exports enable row level security;
CREATE TRIGGER exports_remove_file AFTER DELETE ON private.exports FOR EACH ROW WHEN ((old.object_name IS NOT NULL)) EXECUTE FUNCTION private.remove_file_of_export();
comment on table private.exports is 'Exports that were asked for: how far each is, where its file lies, and until when.';

create table private.files_to_copy (
  attachment_id uuid not null,
  project_id uuid not null,
  task_id uuid not null,
  uploaded_by uuid,
  new_id uuid default private.uuid_v7() not null,
  made_at timestamp with time zone default now() not null,
  constraint files_to_copy_pkey PRIMARY KEY (attachment_id, task_id),
  constraint files_to_copy_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES public.task_attachments(id) ON DELETE CASCADE,
  constraint files_to_copy_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint files_to_copy_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES public.profiles(id) ON DELETE SET NULL
);
create index files_to_copy_task_idx ON private.files_to_copy USING btree (project_id, task_id);
create index files_to_copy_uploaded_by_idx ON private.files_to_copy USING btree (uploaded_by);
alter table private.files_to_copy enable row level security;
comment on table private.files_to_copy is 'Attachments that a task made from another one is still to get.';

create table private.former_places (
  project_id uuid not null,
  task_id uuid not null,
  now_in uuid not null,
  number integer not null,
  key text not null,
  column_id uuid not null,
  order_rank text collate pg_catalog."C" not null,
  left_behind jsonb not null,
  left_at timestamp with time zone default now() not null,
  constraint former_places_pkey PRIMARY KEY (project_id, task_id),
  constraint former_places_number_unique_per_project UNIQUE (project_id, number),
  constraint former_places_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint former_places_task FOREIGN KEY (now_in, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index former_places_key_idx ON private.former_places USING btree (key, number);
create index former_places_task_id_idx ON private.former_places USING btree (task_id);
create index former_places_task_idx ON private.former_places USING btree (now_in, task_id);
alter table private.former_places enable row level security;
comment on table private.former_places is 'Projects that tasks have left: under which number each stood there, and what it left behind.';

create table private.import_changes (
  import_id uuid not null,
  user_id uuid default auth.uid() not null,
  kind text not null,
  row_id uuid not null,
  before jsonb,
  constraint import_changes_pkey PRIMARY KEY (import_id, kind, row_id),
  constraint import_changes_kind_known CHECK ((kind = ANY (ARRAY['task'::text, 'comment'::text, 'item'::text, 'column'::text, 'label'::text, 'label_link'::text, 'assignee'::text, 'dependency'::text, 'invitation'::text, 'attachment'::text]))),
  constraint import_changes_of_own_import FOREIGN KEY (import_id, user_id) REFERENCES private.imports(id, user_id) ON DELETE CASCADE
);
create index import_changes_import_idx ON private.import_changes USING btree (import_id, user_id);
create index import_changes_user_id_idx ON private.import_changes USING btree (user_id);
alter table private.import_changes enable row level security;
create policy own on private.import_changes for all to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
grant delete, insert, select on table private.import_changes to authenticated;
comment on table private.import_changes is 'What an import made (before: null) and what it changed, as it was before.';

create table private.import_jobs (
  id uuid default private.uuid_v7() not null,
  user_id uuid default auth.uid() not null,
  project_id uuid,
  import_id uuid,
  file bytea,
  file_name text not null,
  product text not null,
  choices jsonb default '{}'::jsonb not null,
  is_new boolean default false not null,
  state text default 'ready'::text not null,
  is_cancelled boolean default false not null,
  result jsonb,
  failure text,
  held_by uuid,
  held_until timestamp with time zone,
  tries integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  crashes integer default 0 not null,
  constraint import_jobs_pkey PRIMARY KEY (id),
  constraint import_jobs_file_name_length CHECK ((char_length(file_name) <= 500)),
  constraint import_jobs_file_size CHECK ((octet_length(file) <= 67108864)),
  constraint import_jobs_product_length CHECK (((char_length(product) >= 1) AND (char_length(product) <= 40))),
  constraint import_jobs_state_known CHECK ((state = ANY (ARRAY['ready'::text, 'waiting'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text, 'undoing'::text, 'undone'::text]))),
  constraint import_jobs_of_own_import FOREIGN KEY (import_id, user_id) REFERENCES private.imports(id, user_id) ON DELETE CASCADE,
  constraint import_jobs_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint import_jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index import_jobs_import_idx ON private.import_jobs USING btree (import_id, user_id);
create index import_jobs_project_id_idx ON private.import_jobs USING btree (project_id);
create index import_jobs_state_idx ON private.import_jobs USING btree (state, created_at);
create index import_jobs_user_id_idx ON private.import_jobs USING btree (user_id, created_at DESC);
alter table private.import_jobs enable row level security;
create policy add_own on private.import_jobs for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (state = 'ready'::text) AND (project_id IS NULL)));
create policy change_own on private.import_jobs for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))) OR (state = ANY (ARRAY['failed'::text, 'cancelled'::text])))));
create policy read_own on private.import_jobs for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on private.import_jobs for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
grant delete, select on table private.import_jobs to authenticated;
grant insert (file, file_name, product, choices) on table private.import_jobs to authenticated;
grant update (project_id, import_id, file, product, choices, is_new, state, is_cancelled, result, failure, updated_at) on table private.import_jobs to authenticated;
CREATE TRIGGER import_jobs_free BEFORE UPDATE OF state ON private.import_jobs FOR EACH ROW EXECUTE FUNCTION private.free_import_job();
CREATE TRIGGER import_jobs_tell AFTER UPDATE OF state ON private.import_jobs FOR EACH ROW WHEN ((new.state = ANY (ARRAY['waiting'::text, 'undoing'::text]))) EXECUTE FUNCTION private.tell_import_jobs();
CREATE TRIGGER import_jobs_tell_cancelled AFTER UPDATE OF is_cancelled ON private.import_jobs FOR EACH ROW WHEN ((new.is_cancelled AND (NOT old.is_cancelled) AND (new.state = 'running'::text))) EXECUTE FUNCTION private.tell_import_jobs();
comment on table private.import_jobs is 'Imports begun by a person: the file, what they chose, how far it came. Files that nobody goes on with are thrown away after a day.';
comment on column private.import_jobs.crashes is 'Times a process ended while it held the import.';

create table private.import_origins (
  project_id uuid not null,
  scope text not null,
  kind text not null,
  origin text not null,
  row_id uuid not null,
  digest text not null,
  constraint import_origins_pkey PRIMARY KEY (project_id, scope, kind, origin),
  constraint import_origins_kind_known CHECK ((kind = ANY (ARRAY['task'::text, 'comment'::text, 'item'::text, 'attachment'::text]))),
  constraint import_origins_lengths CHECK (((char_length(scope) <= 200) AND (char_length(origin) <= 300))),
  constraint import_origins_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index import_origins_row_idx ON private.import_origins USING btree (project_id, row_id);
alter table private.import_origins enable row level security;
create policy writers on private.import_origins for all to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
grant delete, insert, select, update on table private.import_origins to authenticated;
comment on table private.import_origins is 'Which row each thing of an imported file became, and a digest of what the file said of it.';

create table private.imports (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  user_id uuid default auth.uid() not null,
  source text not null,
  file_name text not null,
  state text default 'running'::text not null,
  total integer default 0 not null,
  done integer default 0 not null,
  counts jsonb default '{}'::jsonb not null,
  problems jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_id_of_user UNIQUE (id, user_id),
  constraint imports_counts_not_negative CHECK (((total >= 0) AND (done >= 0))),
  constraint imports_file_name_length CHECK ((char_length(file_name) <= 500)),
  constraint imports_source_length CHECK (((char_length(source) >= 1) AND (char_length(source) <= 40))),
  constraint imports_state_known CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text, 'failed'::text, 'undone'::text]))),
  constraint imports_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index imports_project_id_idx ON private.imports USING btree (project_id);
create index imports_user_id_idx ON private.imports USING btree (user_id, created_at DESC);
alter table private.imports enable row level security;
create policy add_own on private.imports for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy change_own on private.imports for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on private.imports for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
grant select on table private.imports to authenticated;
grant insert (project_id, user_id, source, file_name, total) on table private.imports to authenticated;
grant update (state, total, done, counts, problems, updated_at) on table private.imports to authenticated;
comment on table private.imports is 'What was brought in from elsewhere, by whom, how far it came, and what could not be read of it.';

create table private.invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint invitation_tokens_pkey PRIMARY KEY (token_hash),
  constraint invitation_tokens_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.project_invitations(id) ON DELETE CASCADE
);
create index invitation_tokens_invitation_id_idx ON private.invitation_tokens USING btree (invitation_id);
alter table private.invitation_tokens enable row level security;
comment on table private.invitation_tokens is 'Hashes of the tokens of open invitations.';

create table private.job_rounds (
  job text not null,
  node text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone default now() not null,
  error text,
  constraint job_rounds_pkey PRIMARY KEY (job, node),
  constraint job_rounds_job_is_a_word CHECK ((job ~ '^[a-z][a-z_]{0,62}$'::text)),
  constraint job_rounds_lengths CHECK ((((char_length(node) >= 1) AND (char_length(node) <= 200)) AND (char_length(error) <= 500)))
);
create index job_rounds_finished_at_idx ON private.job_rounds USING btree (finished_at);
alter table private.job_rounds enable row level security;
comment on table private.job_rounds is 'How the last round of each job of the server went, on each node.';

create table private.kept_members (
  project_id uuid not null,
  user_id uuid not null,
  role public.project_role not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint kept_members_pkey PRIMARY KEY (project_id, user_id),
  constraint kept_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint kept_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index kept_members_user_id_idx ON private.kept_members USING btree (user_id);
alter table private.kept_members enable row level security;
comment on table private.kept_members is 'The members of deleted projects.';

create table private.leads (
  id bigint generated always as identity not null,
  email text not null,
  source text,
  created_at timestamp with time zone default now() not null,
  constraint leads_pkey PRIMARY KEY (id),
  constraint leads_email_key UNIQUE (email),
  constraint leads_email_length CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint leads_source_length CHECK ((char_length(source) <= 500))
);
alter table private.leads enable row level security;
create policy landing_room on private.leads for all to kanbase_landing
  using (true)
  with check (true);
grant delete, select on table private.leads to kanbase_landing;
grant insert (email, source) on table private.leads to kanbase_landing;
comment on table private.leads is 'Addresses left on the landing page, once each.';

create table private.limits (
  key text not null,
  points double precision not null,
  allowed boolean default true not null,
  read_at timestamp with time zone default clock_timestamp() not null,
  full_at timestamp with time zone not null,
  constraint limits_pkey PRIMARY KEY (key)
);
create index limits_full_at_idx ON private.limits USING btree (full_at);
alter table private.limits enable row level security;
comment on table private.limits is 'Token buckets shared by the nodes.';

create table private.made_occurrences (
  recurrence_id uuid not null,
  occurrence text not null,
  task_id uuid,
  made_at timestamp with time zone default now() not null,
  constraint made_occurrences_pkey PRIMARY KEY (recurrence_id, occurrence),
  constraint made_occurrences_recurrence_id_fkey FOREIGN KEY (recurrence_id) REFERENCES public.task_recurrences(id) ON DELETE CASCADE
);
alter table private.made_occurrences enable row level security;
comment on table private.made_occurrences is 'Which days of a series have their task, whatever became of it.';

create table private.mail_threads (
  user_id uuid not null,
  about uuid not null,
  message_id text not null,
  last_at timestamp with time zone default now() not null,
  constraint mail_threads_pkey PRIMARY KEY (user_id, about),
  constraint mail_threads_message_id_length CHECK ((length(message_id) <= 500)),
  constraint mail_threads_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index mail_threads_last_at_idx ON private.mail_threads USING btree (last_at);
create index mail_threads_message_id_idx ON private.mail_threads USING btree (message_id);
alter table private.mail_threads enable row level security;
create policy mail_room on private.mail_threads for all to kanbase_mail
  using (true)
  with check (true);
grant delete, select on table private.mail_threads to kanbase_mail;
comment on table private.mail_threads is 'Which mail to somebody was the first about a task or a project: later ones answer it.';
comment on column private.mail_threads.about is 'The task, or the project.';
comment on column private.mail_threads.message_id is 'As the mail said it in its header.';
comment on column private.mail_threads.last_at is 'When a mail last joined; a conversation that rests for a year begins anew.';

create table private.migrations (
  origin text not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default clock_timestamp() not null,
  constraint migrations_pkey PRIMARY KEY (origin, name)
);
comment on table private.migrations is 'Which migration files have been applied, and what they said.';

create view private.my_colleagues as
SELECT DISTINCT other.user_id
   FROM (public.project_members mine
     JOIN public.project_members other ON ((other.project_id = mine.project_id)))
  WHERE (mine.user_id = ( SELECT c.user_id
           FROM private.caller c));
grant select on table private.my_colleagues to authenticated;
comment on view private.my_colleagues is 'Everyone the caller shares a project with.';

create view private.my_memberships as
SELECT project_id,
    role
   FROM public.project_members m
  WHERE (user_id = ( SELECT c.user_id
           FROM private.caller c));
grant select on table private.my_memberships to authenticated;
comment on view private.my_memberships is 'The caller''s projects, and what they are in each. Policies read it, once per statement.';

create table private.notification_deliveries (
  notification_id uuid not null,
  way text not null,
  user_id uuid not null,
  task_id uuid,
  due_at timestamp with time zone not null,
  attempts smallint default 0 not null,
  done_for uuid[] default '{}'::uuid[] not null,
  constraint notification_deliveries_pkey PRIMARY KEY (notification_id, way),
  constraint notification_deliveries_way_known CHECK ((way = ANY (ARRAY['mail'::text, 'daily'::text, 'push'::text]))),
  constraint notification_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE,
  constraint notification_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index notification_deliveries_due_idx ON private.notification_deliveries USING btree (way, due_at);
create index notification_deliveries_user_id_idx ON private.notification_deliveries USING btree (user_id, way);
alter table private.notification_deliveries enable row level security;
comment on table private.notification_deliveries is 'Notifications that wait to be sent: by mail at once, by the daily mail, or by push.';
comment on column private.notification_deliveries.done_for is 'The browsers that are not asked again: they have the message, or refused it.';

create table private.operator_entries (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  deed text not null,
  operator_id uuid,
  operator text not null,
  reason text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  left_at timestamp with time zone,
  constraint operator_entries_pkey PRIMARY KEY (id),
  constraint operator_entries_deed_known CHECK ((deed = ANY (ARRAY['entered'::text, 'passed'::text, 'restored'::text]))),
  constraint operator_entries_reason_length CHECK ((char_length(reason) <= 500)),
  constraint operator_entries_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint operator_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index operator_entries_open_idx ON private.operator_entries USING btree (ends_at) WHERE ((deed = 'entered'::text) AND (left_at IS NULL));
create index operator_entries_operator_id_idx ON private.operator_entries USING btree (operator_id);
create index operator_entries_project_id_idx ON private.operator_entries USING btree (project_id, created_at DESC);
alter table private.operator_entries enable row level security;
comment on table private.operator_entries is 'When operators entered a project or passed it on, and why: its members read it.';

create table private.operator_links (
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint operator_links_pkey PRIMARY KEY (token_hash)
);
alter table private.operator_links enable row level security;
comment on table private.operator_links is 'Hashes of one-time links that make the first operator.';

create table private.outbox (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  recipient text not null,
  data jsonb default '{}'::jsonb not null,
  state text default 'queued'::text not null,
  attempts smallint default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  last_error text,
  created_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_kind CHECK ((kind ~ '^[a-z][a-z_]{0,62}$'::text)),
  constraint outbox_recipient CHECK (((recipient ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$'::text) AND (char_length(recipient) <= 320))),
  constraint outbox_state CHECK ((state = ANY (ARRAY['queued'::text, 'kept'::text, 'sent'::text, 'failed'::text])))
);
create index outbox_created_at_idx ON private.outbox USING btree (created_at DESC);
create index outbox_due_idx ON private.outbox USING btree (next_attempt_at) WHERE (state = 'queued'::text);
create index outbox_finished_at_idx ON private.outbox USING btree (finished_at) WHERE (finished_at IS NOT NULL);
alter table private.outbox enable row level security;
create policy mail_room on private.outbox for all to kanbase_mail
  using (true)
  with check (true);
grant delete, select, update on table private.outbox to kanbase_mail;
comment on table private.outbox is 'Mail waiting to be delivered, and what became of it.';

create table private.project_figures (
  project_id uuid not null,
  figure text not null,
  key text not null,
  shard smallint not null,
  amount integer not null,
  constraint project_figures_pkey PRIMARY KEY (project_id, figure, key, shard),
  constraint project_figures_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
alter table private.project_figures enable row level security;
create policy read on private.project_figures for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on private.project_figures for select to service_role
  using (true);
grant select on table private.project_figures to authenticated;
grant select on table private.project_figures to service_role;
comment on table private.project_figures is 'Running totals behind dashboard_metrics; readers add the shards up.';

create table private.project_transfers (
  id uuid default private.uuid_v7() not null,
  project_id uuid,
  project_name text not null,
  operator_id uuid,
  operator text not null,
  new_owner_id uuid,
  new_owner text not null,
  reason text not null,
  owner_ids uuid[] not null,
  state text default 'waiting'::text not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  ended_by text,
  constraint project_transfers_pkey PRIMARY KEY (id),
  constraint project_transfers_ended_when_over CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint project_transfers_reason_length CHECK ((char_length(reason) <= 500)),
  constraint project_transfers_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'passed'::text, 'objected'::text, 'withdrawn'::text]))),
  constraint project_transfers_new_owner_id_fkey FOREIGN KEY (new_owner_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint project_transfers_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint project_transfers_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE SET NULL
);
create index project_transfers_due_at_idx ON private.project_transfers USING btree (due_at) WHERE (state = 'waiting'::text);
create index project_transfers_new_owner_id_idx ON private.project_transfers USING btree (new_owner_id);
create unique index project_transfers_one_waiting ON private.project_transfers USING btree (project_id) WHERE (state = 'waiting'::text);
create index project_transfers_operator_id_idx ON private.project_transfers USING btree (operator_id);
create index project_transfers_owner_ids_idx ON private.project_transfers USING gin (owner_ids);
create index project_transfers_project_id_idx ON private.project_transfers USING btree (project_id, created_at DESC);
alter table private.project_transfers enable row level security;
comment on table private.project_transfers is 'Projects that operators give another owner: announced, objected to, passed or withdrawn.';

create table private.push_keys (
  is_only boolean default true not null,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamp with time zone default now() not null,
  constraint push_keys_pkey PRIMARY KEY (is_only),
  constraint push_keys_is_only CHECK (is_only)
);
alter table private.push_keys enable row level security;
comment on table private.push_keys is 'The keys with which push messages are signed.';

create table private.removed_files (
  bucket_id text not null,
  name text collate pg_catalog."C" not null,
  belonged_to regclass not null,
  owner_id uuid not null,
  removed_at timestamp with time zone default now() not null,
  constraint removed_files_pkey PRIMARY KEY (bucket_id, name)
);
create index removed_files_removed_at_idx ON private.removed_files USING btree (removed_at);
alter table private.removed_files enable row level security;
comment on table private.removed_files is 'Files whose attachment, task, project or account was removed: they go when the time to undo is over.';

create table private.request_counts (
  began_at timestamp with time zone not null,
  requests bigint not null,
  refused bigint not null,
  failed bigint not null,
  constraint request_counts_pkey PRIMARY KEY (began_at),
  constraint request_counts_fit CHECK (((refused >= 0) AND (failed >= 0) AND (requests >= (refused + failed)))),
  constraint request_counts_quarters CHECK ((began_at = date_bin('00:15:00'::interval, began_at, '1970-01-01 00:00:00+00'::timestamp with time zone)))
);
alter table private.request_counts enable row level security;
comment on table private.request_counts is 'Requests and errors of the last two days by quarters of an hour, of all processes together.';

create table private.resumable_uploads (
  version text not null,
  bucket_id text not null,
  name text not null,
  caller_role text not null,
  caller_sub text,
  upsert boolean not null,
  size bigint,
  metadata jsonb default '{}'::jsonb not null,
  expires_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint resumable_uploads_pkey PRIMARY KEY (version),
  constraint resumable_uploads_size_not_negative CHECK ((size >= 0)),
  constraint resumable_uploads_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id) ON DELETE CASCADE
);
create index resumable_uploads_bucket_id_idx ON private.resumable_uploads USING btree (bucket_id);
create index resumable_uploads_expires_at_idx ON private.resumable_uploads USING btree (expires_at);
alter table private.resumable_uploads enable row level security;
create policy server on private.resumable_uploads for all to kanbase_files
  using (true)
  with check (true);
grant delete, insert, select, update on table private.resumable_uploads to kanbase_files;
comment on table private.resumable_uploads is 'Uploads under way at /storage/v1/upload/resumable; the bytes lie in the file store under version.';

create table private.server_settings (
  name text not null,
  value text,
  sealed text,
  updated_at timestamp with time zone default now() not null,
  constraint server_settings_pkey PRIMARY KEY (name),
  constraint server_settings_name_is_a_setting CHECK ((name ~ '^[A-Z][A-Z_]{1,62}$'::text)),
  constraint server_settings_plain_or_sealed CHECK ((num_nonnulls(value, sealed) = 1)),
  constraint server_settings_sealed_length CHECK ((char_length(sealed) <= 8000)),
  constraint server_settings_value_length CHECK ((char_length(value) <= 2000))
);
alter table private.server_settings enable row level security;
comment on table private.server_settings is 'Settings that operators have changed at the admin pages; flags and the environment go before them.';
comment on column private.server_settings.sealed is 'The value of a secret, sealed with a key of the server''s.';

create table private.task_counters (
  project_id uuid not null,
  last_number integer default 0 not null,
  constraint task_counters_pkey PRIMARY KEY (project_id),
  constraint task_counters_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
alter table private.task_counters enable row level security;
comment on table private.task_counters is 'The last task number given out in each project.';

create table private.task_search (
  task_id uuid not null,
  project_id uuid not null,
  document tsvector not null,
  constraint task_search_pkey PRIMARY KEY (task_id),
  constraint task_search_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_search_document_idx ON private.task_search USING gin (document) WITH (gin_pending_list_limit='512', fastupdate=off);
create index task_search_project_id_idx ON private.task_search USING btree (project_id, task_id);
alter table private.task_search enable row level security;
comment on table private.task_search is 'The words of each task, for search_tasks.';

create table private.task_waits (
  task_id uuid not null,
  project_id uuid not null,
  is_open boolean not null,
  open_predecessors integer not null,
  constraint task_waits_pkey PRIMARY KEY (task_id),
  constraint task_waits_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_waits_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_waits_blocked_idx ON private.task_waits USING btree (project_id) WHERE (is_open AND (open_predecessors > 0));
create index task_waits_project_id_idx ON private.task_waits USING btree (project_id, task_id);
alter table private.task_waits enable row level security;
create policy read on private.task_waits for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on private.task_waits for select to service_role
  using (true);
grant select on table private.task_waits to authenticated;
grant select on table private.task_waits to service_role;
comment on table private.task_waits is 'Tasks with predecessors, and how many of those are open.';

create table private.timelines (
  timeline text not null,
  noted_at timestamp with time zone default now() not null,
  constraint timelines_pkey PRIMARY KEY (timeline)
);
alter table private.timelines enable row level security;
create policy replica_room on private.timelines for all to kanbase_replica
  using (true)
  with check (true);
grant insert, select on table private.timelines to kanbase_replica;

create table private.unclaimed_files (
  version text not null,
  due_at timestamp with time zone not null,
  constraint unclaimed_files_pkey PRIMARY KEY (version)
);
create index unclaimed_files_due_at_idx ON private.unclaimed_files USING btree (due_at);
alter table private.unclaimed_files enable row level security;
create policy server on private.unclaimed_files for all to kanbase_files
  using (true)
  with check (true);
grant delete, insert, select, update on table private.unclaimed_files to kanbase_files;
comment on table private.unclaimed_files is 'Files that no object points to: uploads under way, and what is to be removed from the file store.';

create table private.untrusted_proxies (
  address inet not null,
  seen_at timestamp with time zone default now() not null,
  silent boolean default false not null,
  constraint untrusted_proxies_pkey PRIMARY KEY (address)
);
alter table private.untrusted_proxies enable row level security;
comment on table private.untrusted_proxies is 'Who forwards requests without being trusted to.';
comment on column private.untrusted_proxies.silent is 'It does not say for whom it asks.';

create table private.work_budgets (
  person text not null,
  spent double precision not null,
  charged_at timestamp with time zone not null,
  constraint work_budgets_pkey PRIMARY KEY (person)
);
create index work_budgets_charged_at_idx ON private.work_budgets USING btree (charged_at);
alter table private.work_budgets enable row level security;
comment on table private.work_budgets is 'Milliseconds of work each person used, shared by the nodes.';

create table public.access_grants (
  id uuid default private.uuid_v7() not null,
  user_id uuid not null,
  kind text not null,
  project_id uuid,
  bucket_id text,
  feed_id uuid,
  epoch integer not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint access_grants_pkey PRIMARY KEY (id),
  constraint access_grants_one_per_place UNIQUE NULLS NOT DISTINCT (user_id, kind, project_id, bucket_id, feed_id),
  constraint access_grants_kind_known CHECK ((kind = ANY (ARRAY['calendar_feed'::text, 'file_link'::text, 'folder_link'::text, 'upload_link'::text, 'unsubscribe_link'::text]))),
  constraint access_grants_of_one_thing CHECK ((((kind = 'calendar_feed'::text) = (feed_id IS NOT NULL)) AND ((kind = ANY (ARRAY['file_link'::text, 'folder_link'::text, 'upload_link'::text])) = (bucket_id IS NOT NULL)))),
  constraint access_grants_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id) ON DELETE CASCADE,
  constraint access_grants_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES public.calendar_feeds(id) ON DELETE CASCADE,
  constraint access_grants_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint access_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index access_grants_bucket_id_idx ON public.access_grants USING btree (bucket_id);
create index access_grants_expires_at_idx ON public.access_grants USING btree (expires_at);
create index access_grants_feed_id_idx ON public.access_grants USING btree (feed_id);
create index access_grants_project_id_idx ON public.access_grants USING btree (project_id);
alter table public.access_grants enable row level security;
create policy read_own on public.access_grants for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.access_grants for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.access_grants for all to service_role
  using (true)
  with check (true);
grant select on table public.access_grants to anon;
grant delete, select on table public.access_grants to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.access_grants to service_role;
CREATE TRIGGER access_grants_keep BEFORE UPDATE ON public.access_grants FOR EACH ROW EXECUTE FUNCTION private.keep_times();
comment on table public.access_grants is 'What opens something without a session, and with whose rights: calendar feeds, signed addresses, links to unsubscribe. Own rows only; deleting one ends it.';
comment on column public.access_grants.id is 'Made by the server; signed addresses name it.';
comment on column public.access_grants.user_id is 'With whose rights it opens.';
comment on column public.access_grants.kind is 'calendar_feed; file_link, folder_link, upload_link: signed addresses; unsubscribe_link.';
comment on column public.access_grants.project_id is 'The project it is of; it ends with the membership.';
comment on column public.access_grants.bucket_id is 'The bucket whose objects the signed addresses open.';
comment on column public.access_grants.feed_id is 'The calendar, where it is one.';
comment on column public.access_grants.epoch is 'The epoch of the account it was made in; it opens nothing in a later one.';
comment on column public.access_grants.last_used_at is 'When it last opened something, to the hour; kept by the server.';
comment on column public.access_grants.expires_at is 'When the last of its addresses will have expired; empty: never.';
comment on column public.access_grants.created_at is 'When the row was made; kept by the database.';
comment on column public.access_grants.updated_at is 'When the row last changed; kept by the database.';

create table public.calendar_feeds (
  id uuid default private.uuid_v7() not null,
  user_id uuid default auth.uid() not null,
  kind text not null,
  project_id uuid,
  view_id uuid,
  name text not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint calendar_feeds_pkey PRIMARY KEY (id),
  constraint calendar_feeds_kind_known CHECK ((kind = ANY (ARRAY['mine'::text, 'project'::text, 'view'::text]))),
  constraint calendar_feeds_name_length CHECK ((char_length(name) <= 200)),
  constraint calendar_feeds_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint calendar_feeds_of_one_thing CHECK ((((kind = 'project'::text) = (project_id IS NOT NULL)) AND ((kind = 'view'::text) = (view_id IS NOT NULL)))),
  constraint calendar_feeds_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint calendar_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint calendar_feeds_view_id_fkey FOREIGN KEY (view_id) REFERENCES public.saved_views(id) ON DELETE CASCADE
);
create index calendar_feeds_project_id_idx ON public.calendar_feeds USING btree (project_id);
create index calendar_feeds_user_id_idx ON public.calendar_feeds USING btree (user_id);
create index calendar_feeds_view_id_idx ON public.calendar_feeds USING btree (view_id);
alter table public.calendar_feeds enable row level security;
create policy change_own on public.calendar_feeds for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on public.calendar_feeds for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.calendar_feeds for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.calendar_feeds for all to service_role
  using (true)
  with check (true);
grant select on table public.calendar_feeds to anon;
grant delete, select on table public.calendar_feeds to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.calendar_feeds to service_role;
grant update (name) on table public.calendar_feeds to authenticated;
CREATE TRIGGER calendar_feeds_keep BEFORE UPDATE ON public.calendar_feeds FOR EACH ROW EXECUTE FUNCTION private.keep_times();
comment on table public.calendar_feeds is 'Calendars one subscribes to in another program, each under a secret address. Own rows only; deleting one ends it.';
comment on column public.calendar_feeds.id is 'Made by the server.';
comment on column public.calendar_feeds.user_id is 'Whose it is: it shows what they may see.';
comment on column public.calendar_feeds.kind is 'mine: the tasks one works on; project; view.';
comment on column public.calendar_feeds.project_id is 'The project, where it is of one.';
comment on column public.calendar_feeds.view_id is 'The view, where it is of one.';
comment on column public.calendar_feeds.name is 'What the calendar is called.';
comment on column public.calendar_feeds.last_used_at is 'When a program last asked for it, to the hour; kept by the server.';
comment on column public.calendar_feeds.created_at is 'When the row was made; kept by the database.';
comment on column public.calendar_feeds.updated_at is 'When the row last changed; kept by the database.';

create table public.comment_reactions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  user_id uuid default auth.uid() not null,
  emoji text not null,
  created_at timestamp with time zone default now() not null,
  constraint comment_reactions_pkey PRIMARY KEY (project_id, task_id, comment_id, user_id, emoji),
  constraint comment_reactions_emoji_known CHECK ((emoji = ANY (ARRAY['👍'::text, '👎'::text, '❤️'::text, '🎉'::text, '😄'::text, '👀'::text, '🚀'::text, '✅'::text]))),
  constraint comment_reactions_comment_of_same_task FOREIGN KEY (project_id, task_id, comment_id) REFERENCES public.task_comments(project_id, task_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint comment_reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index comment_reactions_task_id_idx ON public.comment_reactions USING btree (task_id);
create index comment_reactions_user_id_idx ON public.comment_reactions USING btree (user_id, project_id);
alter table public.comment_reactions enable row level security;
create policy add on public.comment_reactions for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy read on public.comment_reactions for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.comment_reactions for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.comment_reactions for all to service_role
  using (true)
  with check (true);
grant select on table public.comment_reactions to anon;
grant delete, select on table public.comment_reactions to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.comment_reactions to service_role;
grant insert (project_id, task_id, comment_id, user_id, emoji, created_at) on table public.comment_reactions to authenticated;
CREATE TRIGGER comment_reactions_fill BEFORE INSERT ON public.comment_reactions FOR EACH ROW WHEN (((new.project_id IS NULL) OR (new.task_id IS NULL))) EXECUTE FUNCTION private.fill_from_comment();
CREATE TRIGGER comment_reactions_keep_new BEFORE INSERT ON public.comment_reactions FOR EACH ROW WHEN ((new.created_at IS DISTINCT FROM now())) EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER comment_reactions_refuse_delete BEFORE DELETE ON public.comment_reactions FOR EACH ROW WHEN ((row_security_active('public.comment_reactions'::text) AND (CURRENT_USER <> 'service_role'::name) AND ((old.user_id IS DISTINCT FROM private.me()) OR (NOT private.is_writer(old.project_id))))) EXECUTE FUNCTION private.refuse_delete('Everyone takes back their own reactions.');
comment on table public.comment_reactions is 'What people think of a comment, in one of a few signs. Writers react, and take back their own.';
comment on column public.comment_reactions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_reactions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_reactions.comment_id is 'The comment.';
comment on column public.comment_reactions.user_id is 'Who reacted: the caller.';
comment on column public.comment_reactions.emoji is 'One of 👍 👎 ❤️ 🎉 😄 👀 🚀 ✅.';
comment on column public.comment_reactions.created_at is 'When the row was made; kept by the database.';

create table public.comment_resolutions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  user_id uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  constraint comment_resolutions_pkey PRIMARY KEY (project_id, task_id, comment_id),
  constraint comment_resolutions_comment_of_same_task FOREIGN KEY (project_id, task_id, comment_id) REFERENCES public.task_comments(project_id, task_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint comment_resolutions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
create index comment_resolutions_task_id_idx ON public.comment_resolutions USING btree (task_id);
create index comment_resolutions_user_id_idx ON public.comment_resolutions USING btree (user_id);
alter table public.comment_resolutions enable row level security;
create policy add on public.comment_resolutions for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy read on public.comment_resolutions for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.comment_resolutions for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.comment_resolutions for all to service_role
  using (true)
  with check (true);
grant select on table public.comment_resolutions to anon;
grant delete, select on table public.comment_resolutions to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.comment_resolutions to service_role;
grant insert (project_id, task_id, comment_id, user_id, created_at) on table public.comment_resolutions to authenticated;
CREATE TRIGGER comment_resolutions_fill BEFORE INSERT ON public.comment_resolutions FOR EACH ROW WHEN (((new.project_id IS NULL) OR (new.task_id IS NULL))) EXECUTE FUNCTION private.fill_from_comment();
CREATE TRIGGER comment_resolutions_keep_new BEFORE INSERT ON public.comment_resolutions FOR EACH ROW WHEN ((new.created_at IS DISTINCT FROM now())) EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER comment_resolutions_refuse_delete BEFORE DELETE ON public.comment_resolutions FOR EACH ROW WHEN ((row_security_active('public.comment_resolutions'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Owners and editors resolve threads and open them again.');
comment on table public.comment_resolutions is 'Threads that are done with, by their first comment. Writers resolve them and open them again.';
comment on column public.comment_resolutions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_resolutions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_resolutions.comment_id is 'The comment the thread begins with.';
comment on column public.comment_resolutions.user_id is 'Who resolved it: the caller. Empty once their account is gone.';
comment on column public.comment_resolutions.created_at is 'When the row was made; kept by the database.';

create table public.custom_fields (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  name text not null,
  kind public.custom_field_kind not null,
  options jsonb default '[]'::jsonb not null,
  unit text,
  default_value jsonb,
  "position" double precision not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint custom_fields_pkey PRIMARY KEY (id),
  constraint custom_fields_project_id_id_key UNIQUE (project_id, id),
  constraint custom_fields_default_is_something CHECK ((default_value <> 'null'::jsonb)),
  constraint custom_fields_name_length CHECK ((char_length(name) <= 100)),
  constraint custom_fields_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint custom_fields_options_are_named CHECK (private.are_options(options)),
  constraint custom_fields_options_of_selects CHECK (((kind = ANY (ARRAY['select'::public.custom_field_kind, 'multi_select'::public.custom_field_kind])) OR (options = '[]'::jsonb))),
  constraint custom_fields_position_is_finite CHECK ((("position" > '-Infinity'::double precision) AND ("position" < 'Infinity'::double precision))),
  constraint custom_fields_unit_of_numbers CHECK (((unit IS NULL) OR ((kind = 'number'::public.custom_field_kind) AND (unit ~ '[^[:space:]]'::text) AND (char_length(unit) <= 20)))),
  constraint custom_fields_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create unique index custom_fields_name_unique_per_project ON public.custom_fields USING btree (project_id, lower(name));
alter table public.custom_fields enable row level security;
create policy add on public.custom_fields for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.custom_fields for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.custom_fields for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.custom_fields for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.custom_fields for all to service_role
  using (true)
  with check (true);
grant select on table public.custom_fields to anon;
grant delete, select on table public.custom_fields to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.custom_fields to service_role;
grant insert (id, project_id, name, kind, options, unit, default_value, "position", created_at, updated_at) on table public.custom_fields to authenticated;
grant update (id, project_id, name, kind, options, unit, default_value, "position", created_at, updated_at) on table public.custom_fields to authenticated;
CREATE TRIGGER custom_fields_default BEFORE INSERT OR UPDATE ON public.custom_fields FOR EACH ROW WHEN ((new.default_value IS NOT NULL)) EXECUTE FUNCTION private.check_field_default();
CREATE TRIGGER custom_fields_forget_options AFTER UPDATE ON public.custom_fields FOR EACH ROW WHEN ((old.options <> new.options)) EXECUTE FUNCTION private.forget_options();
CREATE TRIGGER custom_fields_keep BEFORE UPDATE ON public.custom_fields FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER custom_fields_keep_new BEFORE INSERT ON public.custom_fields FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER custom_fields_limit AFTER INSERT ON public.custom_fields FOR EACH ROW EXECUTE FUNCTION private.limit_custom_fields();
CREATE TRIGGER custom_fields_place BEFORE INSERT ON public.custom_fields FOR EACH ROW WHEN ((new."position" IS NULL)) EXECUTE FUNCTION private.place_custom_field();
CREATE TRIGGER custom_fields_record AFTER INSERT OR DELETE OR UPDATE ON public.custom_fields FOR EACH ROW EXECUTE FUNCTION private.record_setup('custom_field', 'name', 'options', 'unit', 'default_value');
CREATE TRIGGER custom_fields_refuse_change BEFORE UPDATE ON public.custom_fields FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.kind <> new.kind))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'kind');
CREATE TRIGGER custom_fields_refuse_delete BEFORE DELETE ON public.custom_fields FOR EACH ROW WHEN ((row_security_active('public.custom_fields'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
CREATE TRIGGER custom_fields_require_no_more AFTER DELETE ON public.custom_fields FOR EACH ROW EXECUTE FUNCTION private.require_no_more();
comment on table public.custom_fields is 'Fields that tasks of a project have beside those every task has, in their order; up to 50 (KB012).';
comment on column public.custom_fields.id is 'Made by the server unless the client sends its own.';
comment on column public.custom_fields.project_id is 'The project.';
comment on column public.custom_fields.name is 'Unique in the project, letter case aside.';
comment on column public.custom_fields.kind is 'What it holds. Cannot be changed.';
comment on column public.custom_fields.options is 'Of select and multi_select: up to 100 of {"id", "name", "color"} in their order, e.g. [{"id": "high", "name": "High", "color": "#aa2200"}]. Values keep the ids; those of an option that is taken out go with it (custom_field_use says how many).';
comment on column public.custom_fields.unit is 'Of numbers: what they count, shown behind them.';
comment on column public.custom_fields.default_value is 'What new tasks begin with; empty: nothing.';
comment on column public.custom_fields."position" is 'Top to bottom; fractions are welcome. Left out: at the end.';
comment on column public.custom_fields.created_at is 'When the row was made; kept by the database.';
comment on column public.custom_fields.updated_at is 'When the row last changed; kept by the database.';

create table public.notification_schedules (
  user_id uuid default auth.uid() not null,
  time_zone text default 'UTC'::text not null,
  daily_hour smallint default 8 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_schedules_pkey PRIMARY KEY (user_id),
  constraint notification_schedules_daily_hour_of_day CHECK (((daily_hour >= 0) AND (daily_hour <= 23))),
  constraint notification_schedules_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table public.notification_schedules enable row level security;
create policy add_own on public.notification_schedules for insert to authenticated
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy change_own on public.notification_schedules for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on public.notification_schedules for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.notification_schedules for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.notification_schedules for all to service_role
  using (true)
  with check (true);
grant select on table public.notification_schedules to anon;
grant delete, select on table public.notification_schedules to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notification_schedules to service_role;
grant insert (user_id, time_zone, daily_hour, created_at, updated_at) on table public.notification_schedules to authenticated;
grant update (user_id, time_zone, daily_hour, created_at, updated_at) on table public.notification_schedules to authenticated;
CREATE TRIGGER notification_schedules_follow AFTER INSERT OR UPDATE ON public.notification_schedules FOR EACH ROW EXECUTE FUNCTION private.follow_schedule();
CREATE TRIGGER notification_schedules_keep BEFORE UPDATE ON public.notification_schedules FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER notification_schedules_keep_new BEFORE INSERT ON public.notification_schedules FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER notification_schedules_refuse_change BEFORE UPDATE ON public.notification_schedules FOR EACH ROW WHEN ((old.user_id <> new.user_id)) EXECUTE FUNCTION private.refuse_change('user_id');
CREATE TRIGGER notification_schedules_require_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.notification_schedules FOR EACH ROW EXECUTE FUNCTION private.require_time_zone();
comment on table public.notification_schedules is 'When a person''s day is: for what is due, and for the daily mail. Own row only.';
comment on column public.notification_schedules.user_id is 'Whose: the caller.';
comment on column public.notification_schedules.time_zone is 'As the IANA database names it, for example Europe/Berlin.';
comment on column public.notification_schedules.daily_hour is 'The hour of the daily mail, 0 to 23, by that zone.';
comment on column public.notification_schedules.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_schedules.updated_at is 'When the row last changed; kept by the database.';

create table public.notification_settings (
  id uuid default private.uuid_v7() not null,
  user_id uuid default auth.uid() not null,
  project_id uuid,
  kind text not null,
  inbox boolean default true not null,
  mail text default 'daily'::text not null,
  push boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_settings_pkey PRIMARY KEY (id),
  constraint notification_settings_one_per_kind UNIQUE NULLS NOT DISTINCT (user_id, kind, project_id),
  constraint notification_settings_kind_known CHECK ((kind = ANY (ARRAY['mentioned'::text, 'assigned'::text, 'commented'::text, 'unblocked'::text, 'unassigned'::text, 'state_changed'::text, 'overdue'::text, 'due_soon'::text, 'added'::text, 'invited'::text]))),
  constraint notification_settings_mail_known CHECK ((mail = ANY (ARRAY['now'::text, 'daily'::text, 'off'::text]))),
  constraint notification_settings_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index notification_settings_project_id_idx ON public.notification_settings USING btree (project_id);
alter table public.notification_settings enable row level security;
create policy add_own on public.notification_settings for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))));
create policy change_own on public.notification_settings for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on public.notification_settings for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.notification_settings for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.notification_settings for all to service_role
  using (true)
  with check (true);
grant select on table public.notification_settings to anon;
grant delete, select on table public.notification_settings to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notification_settings to service_role;
grant insert (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at) on table public.notification_settings to authenticated;
grant update (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at) on table public.notification_settings to authenticated;
CREATE TRIGGER notification_settings_keep BEFORE UPDATE ON public.notification_settings FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER notification_settings_keep_new BEFORE INSERT ON public.notification_settings FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER notification_settings_refuse_change BEFORE UPDATE ON public.notification_settings FOR EACH ROW WHEN (((old.id <> new.id) OR (old.user_id <> new.user_id) OR (old.kind <> new.kind) OR (old.project_id IS DISTINCT FROM new.project_id))) EXECUTE FUNCTION private.refuse_change('id', 'user_id', 'kind', 'project_id');
comment on table public.notification_settings is 'What a person wants to hear of and by which way. A row of a project goes before one of all projects; without either notification_kinds() holds. Own rows only.';
comment on column public.notification_settings.id is 'Made by the server unless the client sends its own.';
comment on column public.notification_settings.user_id is 'Whose: the caller.';
comment on column public.notification_settings.project_id is 'The project; empty: all.';
comment on column public.notification_settings.kind is 'The kind, as in notifications.';
comment on column public.notification_settings.inbox is 'Whether it is in the inbox.';
comment on column public.notification_settings.mail is 'now: within minutes; daily: in the daily mail; off.';
comment on column public.notification_settings.push is 'Whether it is sent to the browsers that take push messages.';
comment on column public.notification_settings.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_settings.updated_at is 'When the row last changed; kept by the database.';

create table public.notifications (
  id uuid default private.uuid_v7() not null,
  user_id uuid not null,
  kind text not null,
  project_id uuid,
  task_id uuid,
  actor_id uuid,
  data jsonb default '{}'::jsonb not null,
  read_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  snoozed_until timestamp with time zone,
  done_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_kind_known CHECK ((kind = ANY (ARRAY['mentioned'::text, 'assigned'::text, 'commented'::text, 'unblocked'::text, 'unassigned'::text, 'state_changed'::text, 'overdue'::text, 'due_soon'::text, 'added'::text, 'invited'::text, 'transfer'::text, 'backup_failed'::text]))),
  constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint notifications_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint notifications_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index notifications_actor_id_idx ON public.notifications USING btree (actor_id);
create unique index notifications_due_soon_once ON public.notifications USING btree (user_id, task_id, ((data ->> 'due_date'::text))) WHERE (kind = 'due_soon'::text);
create index notifications_invited_idx ON public.notifications USING btree (kind, project_id, user_id) WHERE (kind = 'invited'::text);
create index notifications_list_idx ON public.notifications USING btree (user_id, created_at);
create index notifications_open_idx ON public.notifications USING btree (user_id, id) WHERE (done_at IS NULL);
create unique index notifications_overdue_once ON public.notifications USING btree (user_id, task_id, ((data ->> 'due_date'::text))) WHERE (kind = 'overdue'::text);
create index notifications_task_idx ON public.notifications USING btree (project_id, task_id);
create index notifications_unread_idx ON public.notifications USING btree (user_id) WHERE (read_at IS NULL);
alter table public.notifications enable row level security;
create policy change_own on public.notifications for update to authenticated
  using (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR (kind = 'invited'::text) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on public.notifications for select to authenticated
  using (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR (kind = 'invited'::text) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))));
create policy remove_own on public.notifications for delete to authenticated
  using (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR (kind = 'invited'::text) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))));
create policy service on public.notifications for all to service_role
  using (true)
  with check (true);
grant select on table public.notifications to anon;
grant delete, select on table public.notifications to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notifications to service_role;
grant update (id, user_id, kind, project_id, task_id, actor_id, data, read_at, created_at, snoozed_until, done_at, updated_at) on table public.notifications to authenticated;
CREATE TRIGGER notifications_keep BEFORE UPDATE ON public.notifications FOR EACH ROW EXECUTE FUNCTION private.keep_notification();
CREATE TRIGGER notifications_keep_times BEFORE UPDATE ON public.notifications FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER notifications_queue_changed AFTER UPDATE ON public.notifications FOR EACH ROW WHEN ((old.kind <> new.kind)) EXECUTE FUNCTION private.queue_changed_delivery();
CREATE TRIGGER notifications_queue_new AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.queue_new_deliveries();
CREATE TRIGGER notifications_refuse_change BEFORE UPDATE ON public.notifications FOR EACH ROW WHEN (((old.id <> new.id) OR (old.user_id <> new.user_id) OR (old.kind <> new.kind) OR (old.data <> new.data) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.task_id IS DISTINCT FROM new.task_id) OR (old.actor_id IS DISTINCT FROM new.actor_id))) EXECUTE FUNCTION private.refuse_change('id', 'user_id', 'kind', 'project_id', 'task_id', 'actor_id', 'data');
comment on table public.notifications is 'What a person should know. Own rows only: read, tick off with read_at, delete. Written by the database.';
comment on column public.notifications.id is 'Sorted by time.';
comment on column public.notifications.user_id is 'Whom it tells.';
comment on column public.notifications.kind is 'mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. transfer: an operator gives the project another owner. Operators also get backup_failed.';
comment on column public.notifications.project_id is 'The project.';
comment on column public.notifications.task_id is 'The task, if it is about one.';
comment on column public.notifications.actor_id is 'Who caused it; empty for reminders, and once their account is gone.';
comment on column public.notifications.data is 'What to show: task_number, task_title; also (further kinds); comment_id and excerpt; from, to and their ids; count; due_date; project_name, role and invitation_id.';
comment on column public.notifications.read_at is 'Set when it was read; the moment is the database''s.';
comment on column public.notifications.created_at is 'When; kept by the database.';
comment on column public.notifications.snoozed_until is 'Put off until then.';
comment on column public.notifications.done_at is 'Set when it was dealt with; the moment is the database''s.';
comment on column public.notifications.updated_at is 'When the row last changed; kept by the database.';

create table public.profiles (
  id uuid not null,
  display_name text,
  avatar_url text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  shows_presence boolean default true not null,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_avatar_url_is_web_address CHECK ((NOT (avatar_url IS DISTINCT FROM private.as_picture_address(avatar_url)))),
  constraint profiles_display_name_length CHECK (((char_length(display_name) >= 1) AND (char_length(display_name) <= 200))),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE
);
alter table public.profiles enable row level security;
create policy change_own on public.profiles for update to authenticated
  using (((id = ( SELECT auth.uid() AS uid)) OR (id = ANY (ARRAY( SELECT my_colleagues.user_id
   FROM private.my_colleagues)))))
  with check ((id = ( SELECT caller.user_id
   FROM private.caller)));
create policy make_own on public.profiles for insert to authenticated
  with check ((id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own_and_colleagues on public.profiles for select to authenticated
  using (((id = ( SELECT auth.uid() AS uid)) OR (id = ANY (ARRAY( SELECT my_colleagues.user_id
   FROM private.my_colleagues)))));
create policy service on public.profiles for all to service_role
  using (true)
  with check (true);
grant select on table public.profiles to anon;
grant select on table public.profiles to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.profiles to service_role;
grant insert (id, display_name, avatar_url, created_at, updated_at, shows_presence) on table public.profiles to authenticated;
grant update (id, display_name, avatar_url, created_at, updated_at, shows_presence) on table public.profiles to authenticated;
CREATE TRIGGER profiles_end_invitations BEFORE DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.end_invitations();
CREATE TRIGGER profiles_forget_views BEFORE DELETE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.forget_views();
CREATE TRIGGER profiles_keep BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER profiles_keep_new BEFORE INSERT ON public.profiles FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER profiles_refuse_change BEFORE UPDATE ON public.profiles FOR EACH ROW WHEN ((old.id <> new.id)) EXECUTE FUNCTION private.refuse_change('id');
CREATE TRIGGER profiles_remove_avatars AFTER DELETE ON public.profiles REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.remove_avatars('');
comment on table public.profiles is 'People as others see them: visible to oneself and to those who share a project. Made at sign-up.';
comment on column public.profiles.id is 'The user''s id.';
comment on column public.profiles.display_name is 'What the person is called; taken from user_metadata.name at sign-up.';
comment on column public.profiles.avatar_url is 'Where their picture is: an https address, or a path on this site.';
comment on column public.profiles.created_at is 'When the row was made; kept by the database.';
comment on column public.profiles.updated_at is 'When the row last changed; kept by the database.';
comment on column public.profiles.shows_presence is 'Whether the app shows others which project and task this person has open.';

create table public.project_invitations (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  email text not null,
  role public.project_role default 'viewer'::public.project_role not null,
  invited_by uuid default auth.uid(),
  expires_at timestamp with time zone default (now() + '7 days'::interval) not null,
  accepted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint project_invitations_pkey PRIMARY KEY (id),
  constraint project_invitations_email_is_an_address CHECK (((email ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$'::text) AND (char_length(email) <= 255))),
  constraint project_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint project_invitations_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index project_invitations_invited_by_idx ON public.project_invitations USING btree (invited_by);
create unique index project_invitations_one_open_per_address ON public.project_invitations USING btree (project_id, lower(email)) WHERE (accepted_at IS NULL);
create index project_invitations_open_by_address ON public.project_invitations USING btree (lower(email)) WHERE (accepted_at IS NULL);
create index project_invitations_project_id_idx ON public.project_invitations USING btree (project_id, created_at);
alter table public.project_invitations enable row level security;
create policy add on public.project_invitations for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))));
create policy change on public.project_invitations for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))));
create policy read on public.project_invitations for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.project_invitations for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.project_invitations for all to service_role
  using (true)
  with check (true);
grant select on table public.project_invitations to anon;
grant delete, select on table public.project_invitations to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.project_invitations to service_role;
grant insert (id, project_id, email, role, invited_by, created_at, updated_at) on table public.project_invitations to authenticated;
grant update (id, project_id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on table public.project_invitations to authenticated;
CREATE TRIGGER project_invitations_claim_author BEFORE INSERT ON public.project_invitations FOR EACH ROW WHEN ((new.invited_by IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('invited_by');
CREATE TRIGGER project_invitations_keep BEFORE UPDATE ON public.project_invitations FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER project_invitations_keep_new BEFORE INSERT ON public.project_invitations FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER project_invitations_refuse_change BEFORE UPDATE ON public.project_invitations FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.email <> new.email) OR (old.expires_at <> new.expires_at) OR (old.invited_by IS DISTINCT FROM new.invited_by) OR (old.accepted_at IS DISTINCT FROM new.accepted_at))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'email', 'invited_by', 'expires_at', 'accepted_at');
CREATE TRIGGER project_invitations_refuse_delete BEFORE DELETE ON public.project_invitations FOR EACH ROW WHEN ((row_security_active('public.project_invitations'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_owner(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Only an owner of the project can withdraw invitations.');
CREATE TRIGGER project_invitations_send AFTER INSERT ON public.project_invitations FOR EACH ROW WHEN (row_security_active('public.project_invitations'::text)) EXECUTE FUNCTION private.send_posted_invitation();
comment on table public.project_invitations is 'Invitations to a project. Owners manage them, with invite_member or by posting a row; the token is kept as a hash.';
comment on column public.project_invitations.id is 'Made by the server unless the client sends its own.';
comment on column public.project_invitations.project_id is 'The project.';
comment on column public.project_invitations.email is 'Whom it is for; only an account with this address, verified, can accept.';
comment on column public.project_invitations.role is 'What they become.';
comment on column public.project_invitations.invited_by is 'Who invited; empty once their account is gone, or where the service key did.';
comment on column public.project_invitations.expires_at is 'Until when the token works; seven days unless invited again.';
comment on column public.project_invitations.accepted_at is 'When it was accepted; kept by the database.';
comment on column public.project_invitations.created_at is 'When the row was made; kept by the database.';
comment on column public.project_invitations.updated_at is 'When the row last changed; kept by the database.';

create table public.project_members (
  project_id uuid not null,
  user_id uuid not null,
  role public.project_role default 'viewer'::public.project_role not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint project_members_pkey PRIMARY KEY (project_id, user_id),
  constraint project_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint project_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index project_members_user_id_idx ON public.project_members USING btree (user_id, project_id) INCLUDE (role);
alter table public.project_members enable row level security;
create policy add on public.project_members for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))));
create policy change on public.project_members for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))));
create policy read on public.project_members for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.project_members for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.project_members for all to service_role
  using (true)
  with check (true);
grant select on table public.project_members to anon;
grant delete, select on table public.project_members to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.project_members to service_role;
grant insert (project_id, user_id, role, created_at, updated_at) on table public.project_members to authenticated;
grant update (project_id, user_id, role, created_at, updated_at) on table public.project_members to authenticated;
CREATE TRIGGER project_members_assign_awaited AFTER INSERT ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.assign_awaited();
CREATE TRIGGER project_members_clear_fields AFTER DELETE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.clear_person_fields();
CREATE TRIGGER project_members_end_access AFTER DELETE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.end_access_of_member();
CREATE TRIGGER project_members_end_operator_entry AFTER DELETE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.end_operator_entry();
CREATE TRIGGER project_members_forget_notifications AFTER DELETE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.forget_notifications();
CREATE TRIGGER project_members_keep BEFORE UPDATE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER project_members_keep_an_owner_on_change AFTER UPDATE ON public.project_members FOR EACH ROW WHEN (((old.role = 'owner'::public.project_role) AND (new.role <> 'owner'::public.project_role))) EXECUTE FUNCTION private.keep_an_owner();
CREATE TRIGGER project_members_keep_an_owner_on_delete AFTER DELETE ON public.project_members FOR EACH ROW WHEN ((old.role = 'owner'::public.project_role)) EXECUTE FUNCTION private.keep_an_owner();
CREATE TRIGGER project_members_keep_new BEFORE INSERT ON public.project_members FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER project_members_keep_to_plan AFTER INSERT ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.keep_to_member_limit();
CREATE TRIGGER project_members_notify_new AFTER INSERT ON public.project_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.notify_new_members();
CREATE TRIGGER project_members_refuse_change BEFORE UPDATE ON public.project_members FOR EACH ROW WHEN (((old.project_id <> new.project_id) OR (old.user_id <> new.user_id))) EXECUTE FUNCTION private.refuse_change('project_id', 'user_id');
CREATE TRIGGER project_members_refuse_delete BEFORE DELETE ON public.project_members FOR EACH ROW WHEN ((row_security_active('public.project_members'::text) AND (CURRENT_USER <> 'service_role'::name) AND (old.user_id <> auth.uid()) AND (NOT private.is_owner(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Only an owner of the project can remove others. To leave, delete your own row or call leave_project.');
CREATE TRIGGER project_members_unassign AFTER DELETE ON public.project_members FOR EACH ROW EXECUTE FUNCTION private.unassign_member();
CREATE TRIGGER project_members_unassign_changed AFTER UPDATE ON public.project_members FOR EACH ROW WHEN (((old.project_id <> new.project_id) OR (old.user_id <> new.user_id))) EXECUTE FUNCTION private.unassign_member();
comment on table public.project_members is 'Who belongs to a project, and as what. Owners manage; everyone may leave; the last owner can be neither removed nor demoted.';
comment on column public.project_members.project_id is 'The project.';
comment on column public.project_members.user_id is 'The member.';
comment on column public.project_members.role is 'owner, editor or viewer.';
comment on column public.project_members.created_at is 'Since when; kept by the database.';
comment on column public.project_members.updated_at is 'When the row last changed; kept by the database.';

create table public.project_watchers (
  project_id uuid not null,
  user_id uuid default auth.uid() not null,
  created_at timestamp with time zone default now() not null,
  constraint project_watchers_pkey PRIMARY KEY (project_id, user_id),
  constraint project_watchers_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint project_watchers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index project_watchers_user_id_idx ON public.project_watchers USING btree (user_id, project_id);
alter table public.project_watchers enable row level security;
create policy add_own on public.project_watchers for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))));
create policy change_own on public.project_watchers for update to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)))
  with check ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy read_own on public.project_watchers for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.project_watchers for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.project_watchers for all to service_role
  using (true)
  with check (true);
grant select on table public.project_watchers to anon;
grant delete, select on table public.project_watchers to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.project_watchers to service_role;
grant insert (project_id, user_id, created_at) on table public.project_watchers to authenticated;
grant update (project_id, user_id, created_at) on table public.project_watchers to authenticated;
CREATE TRIGGER project_watchers_keep BEFORE UPDATE ON public.project_watchers FOR EACH ROW EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER project_watchers_keep_new BEFORE INSERT ON public.project_watchers FOR EACH ROW WHEN ((new.created_at IS DISTINCT FROM now())) EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER project_watchers_refuse_change BEFORE UPDATE ON public.project_watchers FOR EACH ROW WHEN (((old.project_id <> new.project_id) OR (old.user_id <> new.user_id))) EXECUTE FUNCTION private.refuse_change('project_id', 'user_id');
comment on table public.project_watchers is 'Who watches all tasks of a project, but those they have stopped watching. Own rows only.';
comment on column public.project_watchers.project_id is 'The project.';
comment on column public.project_watchers.user_id is 'Who watches; the caller.';
comment on column public.project_watchers.created_at is 'When the row was made; kept by the database.';

create table public.projects (
  id uuid default private.uuid_v7() not null,
  name text not null,
  description text default ''::text not null,
  key text not null,
  color text,
  archived_at timestamp with time zone,
  enforce_dependencies boolean default true not null,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  avatar_url text,
  parents_wait_for_subtasks boolean default false not null,
  deleted_at timestamp with time zone,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_avatar_url_is_path CHECK (((avatar_url ~ '^/[^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*$'::text) AND (char_length(avatar_url) <= 2000))),
  constraint projects_color_is_hex CHECK ((color ~ '^#[0-9A-Fa-f]{6}$'::text)),
  constraint projects_description_length CHECK ((char_length(description) <= 20000)),
  constraint projects_key_is_2_to_6_capitals_or_digits CHECK ((key ~ '^[A-Z0-9]{2,6}$'::text)),
  constraint projects_name_length CHECK ((char_length(name) <= 200)),
  constraint projects_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint projects_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL
);
create index projects_created_by_idx ON public.projects USING btree (created_by);
create index projects_deleted_at_idx ON public.projects USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
alter table public.projects enable row level security;
create policy change on public.projects for update to authenticated
  using ((id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))));
create policy read on public.projects for select to authenticated
  using ((id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.projects for delete to authenticated
  using ((id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.projects for all to service_role
  using (true)
  with check (true);
grant select on table public.projects to anon;
grant delete, select on table public.projects to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.projects to service_role;
grant update (id, name, description, key, color, archived_at, enforce_dependencies, created_by, created_at, updated_at, avatar_url, parents_wait_for_subtasks, deleted_at) on table public.projects to authenticated;
CREATE TRIGGER projects_keep BEFORE UPDATE ON public.projects FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER projects_keep_archived_at BEFORE UPDATE ON public.projects FOR EACH ROW WHEN ((old.archived_at IS DISTINCT FROM new.archived_at)) EXECUTE FUNCTION private.keep_project();
CREATE TRIGGER projects_keep_deleted_at BEFORE UPDATE ON public.projects FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION private.keep_deleted_at();
CREATE TRIGGER projects_keep_to_plan AFTER INSERT ON public.projects FOR EACH ROW WHEN (((new.created_by IS NOT NULL) AND (new.archived_at IS NULL))) EXECUTE FUNCTION private.keep_to_project_limit();
CREATE TRIGGER projects_keep_to_plan_when_back AFTER UPDATE ON public.projects FOR EACH ROW WHEN (((new.created_by IS NOT NULL) AND (new.archived_at IS NULL) AND (new.deleted_at IS NULL) AND ((old.archived_at IS NOT NULL) OR (old.deleted_at IS NOT NULL)))) EXECUTE FUNCTION private.keep_to_project_limit();
CREATE TRIGGER projects_put_members_aside AFTER UPDATE ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION private.put_members_aside();
CREATE TRIGGER projects_recur_again AFTER UPDATE ON public.projects FOR EACH ROW WHEN (((new.archived_at IS NULL) AND (new.deleted_at IS NULL) AND ((old.archived_at IS NOT NULL) OR (old.deleted_at IS NOT NULL)))) EXECUTE FUNCTION private.plan_again();
CREATE TRIGGER projects_refuse_change BEFORE UPDATE ON public.projects FOR EACH ROW WHEN (((old.id <> new.id) OR (old.created_by IS DISTINCT FROM new.created_by))) EXECUTE FUNCTION private.refuse_change('id', 'created_by');
CREATE TRIGGER projects_refuse_delete BEFORE DELETE ON public.projects FOR EACH ROW WHEN ((row_security_active('public.projects'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_owner(old.id)))) EXECUTE FUNCTION private.refuse_delete('Only an owner of the project can delete it.');
CREATE TRIGGER projects_refuse_deletion BEFORE UPDATE ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS DISTINCT FROM new.deleted_at) AND row_security_active('public.projects'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_owner(old.id)))) EXECUTE FUNCTION private.refuse_delete('Only an owner of the project can delete it.');
CREATE TRIGGER projects_remove_avatars AFTER DELETE ON public.projects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.remove_avatars('projects/');
CREATE TRIGGER projects_set_deleted_at BEFORE DELETE ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND row_security_active('public.projects'::text))) EXECUTE FUNCTION data_door.set_deleted_at();
CREATE TRIGGER projects_start_task_counter AFTER INSERT ON public.projects FOR EACH ROW EXECUTE FUNCTION private.start_task_counter();
CREATE TRIGGER projects_take_members_back BEFORE UPDATE ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS NOT NULL) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION private.take_members_back();
comment on table public.projects is 'Projects. Visible to their members; settings are the owners''. Made by create_project_with_defaults.';
comment on column public.projects.id is 'Made by the server, sorted by time.';
comment on column public.projects.name is 'Up to 200 characters.';
comment on column public.projects.description is 'Markdown.';
comment on column public.projects.key is '2 to 6 of A–Z and 0–9: the WEB of WEB-12.';
comment on column public.projects.color is 'As #rrggbb.';
comment on column public.projects.archived_at is 'Set when the project was put away; the moment is the database''s.';
comment on column public.projects.enforce_dependencies is 'Whether a task with open predecessors is kept out of done columns.';
comment on column public.projects.created_by is 'Who made it; empty once their account is gone.';
comment on column public.projects.created_at is 'When the row was made; kept by the database.';
comment on column public.projects.updated_at is 'When the row last changed; kept by the database.';
comment on column public.projects.avatar_url is 'Where its picture is, as a path on this site. Empty: its key on its colour.';
comment on column public.projects.parents_wait_for_subtasks is 'A task is done only after its subtasks (KB010).';
comment on column public.projects.deleted_at is 'Since when it is deleted: for thirty days its owners can have it back, then it is gone. Only the service role sees one where it is set.';

create table public.push_subscriptions (
  id uuid default private.uuid_v7() not null,
  user_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_endpoint_is_web_address CHECK (((endpoint ~ '^https?://[^[:space:][:cntrl:]]+$'::text) AND (char_length(endpoint) <= 2000))),
  constraint push_subscriptions_keys_are_base64url CHECK (((p256dh ~ '^[A-Za-z0-9_-]{80,100}$'::text) AND (auth ~ '^[A-Za-z0-9_-]{16,40}$'::text))),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index push_subscriptions_session_id_idx ON public.push_subscriptions USING btree (session_id);
create index push_subscriptions_user_id_idx ON public.push_subscriptions USING btree (user_id);
alter table public.push_subscriptions enable row level security;
create policy read_own on public.push_subscriptions for select to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy remove_own on public.push_subscriptions for delete to authenticated
  using ((user_id = ( SELECT caller.user_id
   FROM private.caller)));
create policy service on public.push_subscriptions for all to service_role
  using (true)
  with check (true);
grant delete on table public.push_subscriptions to authenticated;
grant delete on table public.push_subscriptions to service_role;
grant select (id, user_id, session_id, created_at, updated_at) on table public.push_subscriptions to anon;
grant select (id, user_id, session_id, created_at, updated_at) on table public.push_subscriptions to authenticated;
grant select (id, user_id, session_id, created_at, updated_at) on table public.push_subscriptions to service_role;
CREATE TRIGGER push_subscriptions_keep BEFORE UPDATE ON public.push_subscriptions FOR EACH ROW EXECUTE FUNCTION private.keep_times();
comment on table public.push_subscriptions is 'Browsers that take push messages, each until its session ends. Own rows only; address and keys are never selected. Made by save_push_subscription.';
comment on column public.push_subscriptions.id is 'Made by the server.';
comment on column public.push_subscriptions.user_id is 'Whose browser.';
comment on column public.push_subscriptions.session_id is 'The session it ends with.';
comment on column public.push_subscriptions.endpoint is 'Where the browser is reached; never selected.';
comment on column public.push_subscriptions.p256dh is 'The browser''s key; never selected.';
comment on column public.push_subscriptions.auth is 'The browser''s secret; never selected.';
comment on column public.push_subscriptions.created_at is 'When the row was made; kept by the database.';
comment on column public.push_subscriptions.updated_at is 'When the row last changed; kept by the database.';

create table public.saved_views (
  id uuid default private.uuid_v7() not null,
  project_id uuid,
  owner_id uuid default auth.uid(),
  name text not null,
  filter jsonb default '{}'::jsonb not null,
  is_shared boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  layout text default 'board'::text not null,
  "grouping" text,
  lanes text,
  sort jsonb default '[]'::jsonb not null,
  shown jsonb default '{}'::jsonb not null,
  "position" double precision default 0 not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_project_id_id_key UNIQUE (project_id, id),
  constraint saved_views_filter_is_an_object CHECK (((jsonb_typeof(filter) = 'object'::text) AND (octet_length((filter)::text) <= 20000))),
  constraint saved_views_grouping_is_a_property CHECK (("grouping" ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'::text)),
  constraint saved_views_lanes_is_a_property CHECK ((lanes ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'::text)),
  constraint saved_views_layout_is_one CHECK ((layout = ANY (ARRAY['board'::text, 'list'::text, 'calendar'::text, 'timeline'::text, 'dashboard'::text]))),
  constraint saved_views_name_length CHECK ((char_length(name) <= 200)),
  constraint saved_views_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint saved_views_position_is_finite CHECK ((("position" > '-Infinity'::double precision) AND ("position" < 'Infinity'::double precision))),
  constraint saved_views_shown_is_an_object CHECK (((jsonb_typeof(shown) = 'object'::text) AND (octet_length((shown)::text) <= 20000))),
  constraint saved_views_sort_is_a_list CHECK (((jsonb_typeof(sort) = 'array'::text) AND (octet_length((sort)::text) <= 2000))),
  constraint saved_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint saved_views_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index saved_views_owner_id_idx ON public.saved_views USING btree (owner_id);
create index saved_views_project_id_idx ON public.saved_views USING btree (project_id, created_at);
alter table public.saved_views enable row level security;
create policy add on public.saved_views for insert to authenticated
  with check (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR ((NOT is_shared) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))))));
create policy change on public.saved_views for update to authenticated
  using ((((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND (is_shared OR (owner_id = ( SELECT caller.user_id
   FROM private.caller)))) OR ((project_id IS NULL) AND ((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (is_shared AND (owner_id = ANY (ARRAY( SELECT my_colleagues.user_id
   FROM private.my_colleagues))))))))
  with check (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) AND ((project_id IS NULL) OR ((NOT is_shared) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))))));
create policy read on public.saved_views for select to authenticated
  using ((((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND (is_shared OR (owner_id = ( SELECT caller.user_id
   FROM private.caller)))) OR ((project_id IS NULL) AND ((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (is_shared AND (owner_id = ANY (ARRAY( SELECT my_colleagues.user_id
   FROM private.my_colleagues))))))));
create policy remove on public.saved_views for delete to authenticated
  using ((((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND (is_shared OR (owner_id = ( SELECT caller.user_id
   FROM private.caller)))) OR ((project_id IS NULL) AND ((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (is_shared AND (owner_id = ANY (ARRAY( SELECT my_colleagues.user_id
   FROM private.my_colleagues))))))));
create policy service on public.saved_views for all to service_role
  using (true)
  with check (true);
grant select on table public.saved_views to anon;
grant delete, select on table public.saved_views to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.saved_views to service_role;
grant insert (id, project_id, owner_id, name, filter, is_shared, created_at, updated_at, layout, "grouping", lanes, sort, shown, "position") on table public.saved_views to authenticated;
grant update (id, project_id, owner_id, name, filter, is_shared, created_at, updated_at, layout, "grouping", lanes, sort, shown, "position") on table public.saved_views to authenticated;
CREATE TRIGGER saved_views_claim_author BEFORE INSERT ON public.saved_views FOR EACH ROW WHEN ((new.owner_id IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('owner_id');
CREATE TRIGGER saved_views_keep BEFORE UPDATE ON public.saved_views FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER saved_views_keep_new BEFORE INSERT ON public.saved_views FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER saved_views_record AFTER INSERT OR DELETE OR UPDATE ON public.saved_views FOR EACH ROW EXECUTE FUNCTION private.record_setup('saved_view', 'name', 'layout', 'filter', 'grouping', 'lanes', 'sort', 'shown');
CREATE TRIGGER saved_views_refuse_change BEFORE UPDATE ON public.saved_views FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.owner_id IS DISTINCT FROM new.owner_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'owner_id');
CREATE TRIGGER saved_views_refuse_delete BEFORE DELETE ON public.saved_views FOR EACH ROW WHEN ((row_security_active('public.saved_views'::text) AND (CURRENT_USER <> 'service_role'::name) AND (old.owner_id IS DISTINCT FROM auth.uid()) AND (NOT private.is_owner(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Only who made the view, or an owner of the project, can delete it.');
comment on table public.saved_views is 'Ways to look that people keep: their own, or shared with the project or, of no project, with the people they share one with.';
comment on column public.saved_views.id is 'Made by the server unless the client sends its own.';
comment on column public.saved_views.project_id is 'The project; empty: a view of all projects of whoever looks.';
comment on column public.saved_views.owner_id is 'Whose it is; empty for a shared view whose owner''s account is gone.';
comment on column public.saved_views.name is 'Up to 200 characters.';
comment on column public.saved_views.filter is 'Which tasks: {"all": […]} or {"any": […]} of conditions {"property", "is", "value"}; see docs/guides/views.md.';
comment on column public.saved_views.is_shared is 'Whether others see it; sharing in a project needs the editor role.';
comment on column public.saved_views.created_at is 'When the row was made; kept by the database.';
comment on column public.saved_views.updated_at is 'When the row last changed; kept by the database.';
comment on column public.saved_views.layout is 'board, list, calendar, timeline or dashboard.';
comment on column public.saved_views."grouping" is 'The property by which tasks stand together; empty: they do not.';
comment on column public.saved_views.lanes is 'The property of the lanes across a board; empty: it has none.';
comment on column public.saved_views.sort is 'The order: a list of {"by", "descending"}; empty: that of the board.';
comment on column public.saved_views.shown is 'What the layout shows of a task; an object only clients look into.';
comment on column public.saved_views."position" is 'Its place among the views of the project, the lowest first.';

create table public.task_activity (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid,
  actor_id uuid,
  kind text not null,
  change jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint task_activity_pkey PRIMARY KEY (id),
  constraint task_activity_kind_known CHECK ((kind = ANY (ARRAY['created'::text, 'updated'::text, 'moved'::text, 'archived'::text, 'restored'::text, 'deleted'::text, 'assigned'::text, 'unassigned'::text, 'labeled'::text, 'unlabeled'::text, 'checklist_item_added'::text, 'checklist_item_changed'::text, 'checklist_item_removed'::text, 'attached'::text, 'attachment_renamed'::text, 'detached'::text, 'dependency_added'::text, 'dependency_changed'::text, 'dependency_removed'::text, 'commented'::text, 'comment_edited'::text, 'comment_deleted'::text, 'moved_in'::text, 'moved_out'::text]))),
  constraint task_activity_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint task_activity_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_activity_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE SET NULL (task_id)
);
create index task_activity_actor_idx ON public.task_activity USING btree (actor_id, project_id, created_at);
create index task_activity_project_idx ON public.task_activity USING btree (project_id, created_at);
create index task_activity_task_idx ON public.task_activity USING btree (project_id, task_id, created_at);
alter table public.task_activity enable row level security;
create policy read on public.task_activity for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_activity for all to service_role
  using (true)
  with check (true);
grant select on table public.task_activity to anon;
grant select on table public.task_activity to authenticated;
grant select on table public.task_activity to service_role;
comment on table public.task_activity is 'What happened to tasks, oldest first by created_at. Written by the database alone, in the transaction of the change; append-only.';
comment on column public.task_activity.id is 'Sorted by time.';
comment on column public.task_activity.project_id is 'The project.';
comment on column public.task_activity.task_id is 'The task; empty once it is gone, and where the line is about a field, a shared view or a template of the project.';
comment on column public.task_activity.actor_id is 'Who did it; empty for the service itself, and once their account is gone.';
comment on column public.task_activity.kind is 'What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted; moved_in: it came from another project and brought its history along, moved_out: it left for another one.';
comment on column public.task_activity.change is 'What changed, as {"column": {"from": …, "to": …}}.';
comment on column public.task_activity.created_at is 'When; kept by the database.';

create table public.task_assignees (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint task_assignees_pkey PRIMARY KEY (project_id, task_id, user_id),
  constraint task_assignees_id_key UNIQUE (id),
  constraint task_assignees_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint task_assignees_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE
);
create index task_assignees_task_id_idx ON public.task_assignees USING btree (task_id);
create index task_assignees_user_id_idx ON public.task_assignees USING btree (user_id, project_id);
create index task_assignees_user_id_task_id_idx ON public.task_assignees USING btree (user_id, task_id) INCLUDE (project_id);
alter table public.task_assignees enable row level security;
create policy add on public.task_assignees for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_assignees for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_assignees for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_assignees for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_assignees for all to service_role
  using (true)
  with check (true);
grant select on table public.task_assignees to anon;
grant delete, select on table public.task_assignees to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_assignees to service_role;
grant insert (id, project_id, task_id, user_id, created_at) on table public.task_assignees to authenticated;
grant update (id, project_id, task_id, user_id, created_at) on table public.task_assignees to authenticated;
CREATE TRIGGER task_assignees_count_gone AFTER DELETE ON public.task_assignees REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_assignees();
CREATE TRIGGER task_assignees_count_new AFTER INSERT ON public.task_assignees REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_assignees();
CREATE TRIGGER task_assignees_fill_project BEFORE INSERT ON public.task_assignees FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_assignees_keep BEFORE UPDATE ON public.task_assignees FOR EACH ROW EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER task_assignees_keep_new BEFORE INSERT ON public.task_assignees FOR EACH ROW WHEN ((new.created_at IS DISTINCT FROM now())) EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER task_assignees_must_be_members BEFORE INSERT OR UPDATE OF project_id, user_id ON public.task_assignees FOR EACH ROW EXECUTE FUNCTION private.require_member();
CREATE TRIGGER task_assignees_notify_gone AFTER DELETE ON public.task_assignees REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_assignees();
CREATE TRIGGER task_assignees_notify_new AFTER INSERT ON public.task_assignees REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_assignees();
CREATE TRIGGER task_assignees_record AFTER INSERT OR DELETE ON public.task_assignees FOR EACH ROW EXECUTE FUNCTION private.record_assignee();
CREATE TRIGGER task_assignees_refuse_change BEFORE UPDATE ON public.task_assignees FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.user_id <> new.user_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id', 'user_id');
CREATE TRIGGER task_assignees_refuse_delete BEFORE DELETE ON public.task_assignees FOR EACH ROW WHEN ((row_security_active('public.task_assignees'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_assignees is 'Who works on a task; only members of its project. Removing a member unassigns.';
comment on column public.task_assignees.id is 'Made by the server unless the client sends its own.';
comment on column public.task_assignees.project_id is 'The project; filled from the task when left out.';
comment on column public.task_assignees.task_id is 'The task.';
comment on column public.task_assignees.user_id is 'The member.';
comment on column public.task_assignees.created_at is 'When the row was made; kept by the database.';

create table public.task_attachments (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  name text not null,
  content_type text default 'application/octet-stream'::text not null,
  size_bytes bigint default 0 not null,
  object_path text not null,
  uploaded_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_attachments_pkey PRIMARY KEY (id),
  constraint task_attachments_object_path_key UNIQUE (project_id, object_path),
  constraint task_attachments_content_type_is_mime CHECK (((content_type ~ '^[^[:space:][:cntrl:]/]+/[^[:cntrl:]]+$'::text) AND (char_length(content_type) <= 255))),
  constraint task_attachments_name_length CHECK ((char_length(name) <= 500)),
  constraint task_attachments_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint task_attachments_path_is_under_project_and_task CHECK ((starts_with(object_path, ((((project_id)::text || '/'::text) || (task_id)::text) || '/'::text)) AND (object_path !~ '(^|/)[.]{1,2}(/|$)|//|/$|[[:cntrl:]]'::text) AND (char_length(object_path) <= 1024))),
  constraint task_attachments_size_not_negative CHECK ((size_bytes >= 0)),
  constraint task_attachments_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_attachments_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint task_attachments_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES public.profiles(id) ON DELETE SET NULL
);
create index task_attachments_list_idx ON public.task_attachments USING btree (project_id, task_id, created_at);
create index task_attachments_task_id_idx ON public.task_attachments USING btree (task_id);
create index task_attachments_uploaded_by_idx ON public.task_attachments USING btree (uploaded_by);
alter table public.task_attachments enable row level security;
create policy add on public.task_attachments for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_attachments for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_attachments for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_attachments for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_attachments for all to service_role
  using (true)
  with check (true);
grant select on table public.task_attachments to anon;
grant delete, select on table public.task_attachments to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_attachments to service_role;
grant insert (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at) on table public.task_attachments to authenticated;
grant update (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at) on table public.task_attachments to authenticated;
CREATE TRIGGER task_attachments_claim_author BEFORE INSERT ON public.task_attachments FOR EACH ROW WHEN ((new.uploaded_by IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('uploaded_by');
CREATE TRIGGER task_attachments_fill_project BEFORE INSERT ON public.task_attachments FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_attachments_follow BEFORE UPDATE OF project_id ON public.task_attachments FOR EACH ROW WHEN ((old.project_id <> new.project_id)) EXECUTE FUNCTION private.follow_attachment();
CREATE TRIGGER task_attachments_keep BEFORE UPDATE ON public.task_attachments FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_attachments_keep_new BEFORE INSERT ON public.task_attachments FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_attachments_record AFTER INSERT OR DELETE ON public.task_attachments FOR EACH ROW EXECUTE FUNCTION private.record_attachment();
CREATE TRIGGER task_attachments_record_change AFTER UPDATE ON public.task_attachments FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION private.record_attachment();
CREATE TRIGGER task_attachments_refuse_change BEFORE UPDATE ON public.task_attachments FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.object_path <> new.object_path) OR (old.uploaded_by IS DISTINCT FROM new.uploaded_by))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id', 'object_path', 'uploaded_by');
CREATE TRIGGER task_attachments_refuse_delete BEFORE DELETE ON public.task_attachments FOR EACH ROW WHEN ((row_security_active('public.task_attachments'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
CREATE TRIGGER task_attachments_remove_files AFTER DELETE ON public.task_attachments REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.remove_detached_files();
comment on table public.task_attachments is 'What is attached to a task. The bytes are in the bucket "attachments" under object_path.';
comment on column public.task_attachments.id is 'Made by the server unless the client sends its own.';
comment on column public.task_attachments.project_id is 'The project; filled from the task when left out.';
comment on column public.task_attachments.task_id is 'The task.';
comment on column public.task_attachments.name is 'What the file is called.';
comment on column public.task_attachments.content_type is 'Its media type.';
comment on column public.task_attachments.size_bytes is 'Its size.';
comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed. The file goes with the row, once the time to undo is over.';
comment on column public.task_attachments.uploaded_by is 'Who attached it; empty once their account is gone.';
comment on column public.task_attachments.created_at is 'When the row was made; kept by the database.';
comment on column public.task_attachments.updated_at is 'When the row last changed; kept by the database.';

create table public.task_checklist_items (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  title text not null,
  is_done boolean default false not null,
  "position" double precision not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_checklist_items_pkey PRIMARY KEY (id),
  constraint task_checklist_items_position_is_finite CHECK ((("position" > '-Infinity'::double precision) AND ("position" < 'Infinity'::double precision))),
  constraint task_checklist_items_title_length CHECK ((char_length(title) <= 500)),
  constraint task_checklist_items_title_not_blank CHECK ((title ~ '[^[:space:]]'::text)),
  constraint task_checklist_items_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_checklist_items_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_checklist_items_list_idx ON public.task_checklist_items USING btree (project_id, task_id, "position");
create index task_checklist_items_task_id_idx ON public.task_checklist_items USING btree (task_id);
alter table public.task_checklist_items enable row level security;
create policy add on public.task_checklist_items for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_checklist_items for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_checklist_items for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_checklist_items for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_checklist_items for all to service_role
  using (true)
  with check (true);
grant select on table public.task_checklist_items to anon;
grant delete, select on table public.task_checklist_items to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_checklist_items to service_role;
grant insert (id, project_id, task_id, title, is_done, "position", created_at, updated_at) on table public.task_checklist_items to authenticated;
grant update (id, project_id, task_id, title, is_done, "position", created_at, updated_at) on table public.task_checklist_items to authenticated;
CREATE TRIGGER task_checklist_items_fill_project BEFORE INSERT ON public.task_checklist_items FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_checklist_items_keep BEFORE UPDATE ON public.task_checklist_items FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_checklist_items_keep_new BEFORE INSERT ON public.task_checklist_items FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_checklist_items_place BEFORE INSERT ON public.task_checklist_items FOR EACH ROW WHEN ((new."position" IS NULL)) EXECUTE FUNCTION private.place_checklist_item();
CREATE TRIGGER task_checklist_items_record AFTER INSERT OR DELETE ON public.task_checklist_items FOR EACH ROW EXECUTE FUNCTION private.record_checklist_item();
CREATE TRIGGER task_checklist_items_record_change AFTER UPDATE ON public.task_checklist_items FOR EACH ROW WHEN (((old.title <> new.title) OR (old.is_done <> new.is_done))) EXECUTE FUNCTION private.record_checklist_item();
CREATE TRIGGER task_checklist_items_refuse_change BEFORE UPDATE ON public.task_checklist_items FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id');
CREATE TRIGGER task_checklist_items_refuse_delete BEFORE DELETE ON public.task_checklist_items FOR EACH ROW WHEN ((row_security_active('public.task_checklist_items'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_checklist_items is 'The small steps of a task, sorted by position.';
comment on column public.task_checklist_items.id is 'Made by the server unless the client sends its own.';
comment on column public.task_checklist_items.project_id is 'The project; filled from the task when left out.';
comment on column public.task_checklist_items.task_id is 'The task.';
comment on column public.task_checklist_items.title is 'Up to 500 characters.';
comment on column public.task_checklist_items.is_done is 'Ticked off.';
comment on column public.task_checklist_items."position" is 'Top to bottom; fractions are welcome. Left out: at the end.';
comment on column public.task_checklist_items.created_at is 'When the row was made; kept by the database.';
comment on column public.task_checklist_items.updated_at is 'When the row last changed; kept by the database.';

create table public.task_comments (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  author_id uuid default auth.uid(),
  body text not null,
  edited_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  parent_id uuid,
  constraint task_comments_pkey PRIMARY KEY (id),
  constraint task_comments_task_key UNIQUE (project_id, task_id, id),
  constraint task_comments_body_length CHECK ((char_length(body) <= 50000)),
  constraint task_comments_body_not_blank CHECK ((body ~ '[^[:space:]]'::text)),
  constraint task_comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint task_comments_parent_of_same_task FOREIGN KEY (project_id, task_id, parent_id) REFERENCES public.task_comments(project_id, task_id, id) ON UPDATE CASCADE ON DELETE SET NULL (parent_id),
  constraint task_comments_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_comments_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_comments_author_id_idx ON public.task_comments USING btree (author_id);
create index task_comments_list_idx ON public.task_comments USING btree (project_id, task_id, created_at);
create index task_comments_parent_id_idx ON public.task_comments USING btree (project_id, task_id, parent_id);
create index task_comments_task_id_idx ON public.task_comments USING btree (task_id);
alter table public.task_comments enable row level security;
create policy add on public.task_comments for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_comments for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check (((author_id = ( SELECT auth.uid() AS uid)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy read on public.task_comments for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_comments for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_comments for all to service_role
  using (true)
  with check (true);
grant select on table public.task_comments to anon;
grant delete, select on table public.task_comments to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_comments to service_role;
grant insert (id, project_id, task_id, author_id, body, edited_at, created_at, updated_at, parent_id) on table public.task_comments to authenticated;
grant update (id, project_id, task_id, author_id, body, edited_at, created_at, updated_at) on table public.task_comments to authenticated;
CREATE TRIGGER task_comments_claim_author BEFORE INSERT ON public.task_comments FOR EACH ROW WHEN ((new.author_id IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('author_id');
CREATE TRIGGER task_comments_fill_project BEFORE INSERT ON public.task_comments FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_comments_index AFTER INSERT OR DELETE ON public.task_comments FOR EACH ROW EXECUTE FUNCTION private.index_commented_task();
CREATE TRIGGER task_comments_index_change AFTER UPDATE ON public.task_comments FOR EACH ROW WHEN ((old.body <> new.body)) EXECUTE FUNCTION private.index_commented_task();
CREATE TRIGGER task_comments_join_thread BEFORE INSERT ON public.task_comments FOR EACH ROW WHEN ((new.parent_id IS NOT NULL)) EXECUTE FUNCTION private.join_thread();
CREATE TRIGGER task_comments_keep BEFORE UPDATE ON public.task_comments FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_comments_keep_edited_at BEFORE UPDATE ON public.task_comments FOR EACH ROW WHEN (((old.body <> new.body) OR (old.edited_at IS DISTINCT FROM new.edited_at))) EXECUTE FUNCTION private.keep_edited_at();
CREATE TRIGGER task_comments_keep_new BEFORE INSERT ON public.task_comments FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_comments_keep_new_edited_at BEFORE INSERT ON public.task_comments FOR EACH ROW WHEN ((new.edited_at IS NOT NULL)) EXECUTE FUNCTION private.keep_edited_at();
CREATE TRIGGER task_comments_notify AFTER INSERT ON public.task_comments FOR EACH ROW WHEN ((current_setting('kanbase.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.notify_of_comment();
CREATE TRIGGER task_comments_notify_change AFTER UPDATE ON public.task_comments FOR EACH ROW WHEN (((old.body <> new.body) AND (strpos(new.body, '@'::text) > 0))) EXECUTE FUNCTION private.notify_of_comment();
CREATE TRIGGER task_comments_record AFTER INSERT OR DELETE ON public.task_comments FOR EACH ROW EXECUTE FUNCTION private.record_comment();
CREATE TRIGGER task_comments_record_change AFTER UPDATE ON public.task_comments FOR EACH ROW WHEN ((old.body <> new.body)) EXECUTE FUNCTION private.record_comment();
CREATE TRIGGER task_comments_refuse_change BEFORE UPDATE ON public.task_comments FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.author_id IS DISTINCT FROM new.author_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id', 'author_id');
CREATE TRIGGER task_comments_refuse_delete BEFORE DELETE ON public.task_comments FOR EACH ROW WHEN ((row_security_active('public.task_comments'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_owner(old.project_id)) AND ((old.author_id IS DISTINCT FROM auth.uid()) OR (NOT private.is_writer(old.project_id))))) EXECUTE FUNCTION private.refuse_delete('Authors delete their own comments, owners of the project delete any.');
comment on table public.task_comments is 'What people say about a task. Authors edit and delete their own; owners of the project delete any.';
comment on column public.task_comments.id is 'Made by the server unless the client sends its own.';
comment on column public.task_comments.project_id is 'The project; filled from the task when left out.';
comment on column public.task_comments.task_id is 'The task.';
comment on column public.task_comments.author_id is 'Who said it: the caller, whatever the body says. Empty once their account is gone.';
comment on column public.task_comments.body is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.task_comments.edited_at is 'When the words last changed; kept by the database.';
comment on column public.task_comments.created_at is 'When the row was made; kept by the database.';
comment on column public.task_comments.updated_at is 'When the row last changed; kept by the database.';
comment on column public.task_comments.parent_id is 'The comment it answers, of the same task; a thread is one deep.';

create table public.task_dependencies (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  predecessor_id uuid not null,
  successor_id uuid not null,
  type public.dependency_type default 'FS'::public.dependency_type not null,
  lag_days integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_dependencies_pkey PRIMARY KEY (id),
  constraint task_dependencies_once UNIQUE (project_id, successor_id, predecessor_id),
  constraint task_dependencies_lag_within_ten_years CHECK (((lag_days >= '-3650'::integer) AND (lag_days <= 3650))),
  constraint task_dependencies_not_on_itself CHECK ((predecessor_id <> successor_id)),
  constraint task_dependencies_predecessor_of_same_project FOREIGN KEY (project_id, predecessor_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint task_dependencies_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint task_dependencies_successor_of_same_project FOREIGN KEY (project_id, successor_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_dependencies_predecessor_idx ON public.task_dependencies USING btree (project_id, predecessor_id, successor_id);
create index task_dependencies_successor_id_idx ON public.task_dependencies USING btree (successor_id);
alter table public.task_dependencies enable row level security;
create policy add on public.task_dependencies for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_dependencies for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_dependencies for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_dependencies for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_dependencies for all to service_role
  using (true)
  with check (true);
grant select on table public.task_dependencies to anon;
grant delete, select on table public.task_dependencies to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_dependencies to service_role;
grant insert (id, project_id, predecessor_id, successor_id, type, lag_days, created_at, updated_at) on table public.task_dependencies to authenticated;
grant update (id, project_id, predecessor_id, successor_id, type, lag_days, created_at, updated_at) on table public.task_dependencies to authenticated;
CREATE TRIGGER task_dependencies_count_gone AFTER DELETE ON public.task_dependencies REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_dependencies();
CREATE TRIGGER task_dependencies_count_new AFTER INSERT ON public.task_dependencies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_dependencies();
CREATE TRIGGER task_dependencies_fill_project BEFORE INSERT ON public.task_dependencies FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project_of_dependency();
CREATE TRIGGER task_dependencies_keep BEFORE UPDATE ON public.task_dependencies FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_dependencies_keep_new BEFORE INSERT ON public.task_dependencies FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_dependencies_record AFTER INSERT OR DELETE ON public.task_dependencies FOR EACH ROW EXECUTE FUNCTION private.record_dependency();
CREATE TRIGGER task_dependencies_record_change AFTER UPDATE ON public.task_dependencies FOR EACH ROW WHEN ((old.lag_days <> new.lag_days)) EXECUTE FUNCTION private.record_dependency();
CREATE TRIGGER task_dependencies_refuse_change BEFORE UPDATE ON public.task_dependencies FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.predecessor_id <> new.predecessor_id) OR (old.successor_id <> new.successor_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'predecessor_id', 'successor_id');
CREATE TRIGGER task_dependencies_refuse_cycle AFTER INSERT OR UPDATE OF predecessor_id, successor_id, project_id ON public.task_dependencies FOR EACH ROW EXECUTE FUNCTION private.refuse_cycle();
CREATE TRIGGER task_dependencies_refuse_delete BEFORE DELETE ON public.task_dependencies FOR EACH ROW WHEN ((row_security_active('public.task_dependencies'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_dependencies is 'Which task waits for which. A circle is refused (KB002); deleting a task frees its successors.';
comment on column public.task_dependencies.id is 'Made by the server unless the client sends its own.';
comment on column public.task_dependencies.project_id is 'The project; filled from the successor when left out.';
comment on column public.task_dependencies.predecessor_id is 'What has to be done first.';
comment on column public.task_dependencies.successor_id is 'What waits.';
comment on column public.task_dependencies.type is 'FS: finish to start.';
comment on column public.task_dependencies.lag_days is 'Days between the two; negative for an overlap. For planning; not enforced.';
comment on column public.task_dependencies.created_at is 'When the row was made; kept by the database.';
comment on column public.task_dependencies.updated_at is 'When the row last changed; kept by the database.';

create table public.task_field_values (
  project_id uuid not null,
  task_id uuid not null,
  field_id uuid not null,
  value jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_field_values_pkey PRIMARY KEY (project_id, task_id, field_id),
  constraint task_field_values_field_of_same_project FOREIGN KEY (project_id, field_id) REFERENCES public.custom_fields(project_id, id) ON DELETE CASCADE,
  constraint task_field_values_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_field_values_field_idx ON public.task_field_values USING btree (project_id, field_id);
create index task_field_values_task_id_idx ON public.task_field_values USING btree (task_id, field_id);
alter table public.task_field_values enable row level security;
create policy add on public.task_field_values for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_field_values for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_field_values for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_field_values for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_field_values for all to service_role
  using (true)
  with check (true);
grant select on table public.task_field_values to anon;
grant delete, select on table public.task_field_values to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_field_values to service_role;
grant insert (project_id, task_id, field_id, value, created_at, updated_at) on table public.task_field_values to authenticated;
grant update (project_id, task_id, field_id, value, created_at, updated_at) on table public.task_field_values to authenticated;
CREATE TRIGGER task_field_values_a_project BEFORE INSERT ON public.task_field_values FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_field_values_b_check BEFORE INSERT OR UPDATE ON public.task_field_values FOR EACH ROW EXECUTE FUNCTION private.check_field_value();
CREATE TRIGGER task_field_values_index AFTER INSERT ON public.task_field_values FOR EACH ROW WHEN ((jsonb_typeof(new.value) = 'string'::text)) EXECUTE FUNCTION private.index_field_value();
CREATE TRIGGER task_field_values_index_change AFTER UPDATE ON public.task_field_values FOR EACH ROW WHEN (((jsonb_typeof(new.value) = 'string'::text) AND (old.value <> new.value))) EXECUTE FUNCTION private.index_field_value();
CREATE TRIGGER task_field_values_index_gone AFTER DELETE ON public.task_field_values FOR EACH ROW WHEN ((jsonb_typeof(old.value) = 'string'::text)) EXECUTE FUNCTION private.index_field_value();
CREATE TRIGGER task_field_values_keep BEFORE UPDATE ON public.task_field_values FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_field_values_keep_new BEFORE INSERT ON public.task_field_values FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_field_values_record AFTER INSERT OR DELETE ON public.task_field_values FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION private.record_field_value();
CREATE TRIGGER task_field_values_record_change AFTER UPDATE ON public.task_field_values FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND (old.value <> new.value))) EXECUTE FUNCTION private.record_field_value();
CREATE TRIGGER task_field_values_refuse_change BEFORE UPDATE ON public.task_field_values FOR EACH ROW WHEN (((old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.field_id <> new.field_id))) EXECUTE FUNCTION private.refuse_change('project_id', 'task_id', 'field_id');
CREATE TRIGGER task_field_values_refuse_delete BEFORE DELETE ON public.task_field_values FOR EACH ROW WHEN ((row_security_active('public.task_field_values'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_field_values is 'What tasks hold in the fields of their project. No row: nothing. Values are JSON, so they compare as what they are: field_id=eq.…&value=gt.5.';
comment on column public.task_field_values.project_id is 'The project; filled from the task when left out.';
comment on column public.task_field_values.task_id is 'The task.';
comment on column public.task_field_values.field_id is 'The field, of the same project.';
comment on column public.task_field_values.value is 'By the kind of its field: a text, a number, a day as "2026-12-31", the id of an option, a list of them, a user id, an address, true or false. Checked by the database (23514).';
comment on column public.task_field_values.created_at is 'When the row was made; kept by the database.';
comment on column public.task_field_values.updated_at is 'When the row last changed; kept by the database.';

create table public.task_label_links (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  label_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint task_label_links_pkey PRIMARY KEY (project_id, task_id, label_id),
  constraint task_label_links_id_key UNIQUE (id),
  constraint task_label_links_label_of_same_project FOREIGN KEY (project_id, label_id) REFERENCES public.task_labels(project_id, id) ON DELETE CASCADE,
  constraint task_label_links_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_label_links_label_id_idx ON public.task_label_links USING btree (project_id, label_id);
create index task_label_links_task_id_idx ON public.task_label_links USING btree (task_id);
alter table public.task_label_links enable row level security;
create policy add on public.task_label_links for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_label_links for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_label_links for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_label_links for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_label_links for all to service_role
  using (true)
  with check (true);
grant select on table public.task_label_links to anon;
grant delete, select on table public.task_label_links to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_label_links to service_role;
grant insert (id, project_id, task_id, label_id, created_at) on table public.task_label_links to authenticated;
grant update (id, project_id, task_id, label_id, created_at) on table public.task_label_links to authenticated;
CREATE TRIGGER task_label_links_fill_project BEFORE INSERT ON public.task_label_links FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_label_links_keep BEFORE UPDATE ON public.task_label_links FOR EACH ROW EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER task_label_links_keep_new BEFORE INSERT ON public.task_label_links FOR EACH ROW WHEN ((new.created_at IS DISTINCT FROM now())) EXECUTE FUNCTION private.keep_created_at();
CREATE TRIGGER task_label_links_record AFTER INSERT OR DELETE ON public.task_label_links FOR EACH ROW EXECUTE FUNCTION private.record_label_link();
CREATE TRIGGER task_label_links_refuse_change BEFORE UPDATE ON public.task_label_links FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.label_id <> new.label_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id', 'label_id');
CREATE TRIGGER task_label_links_refuse_delete BEFORE DELETE ON public.task_label_links FOR EACH ROW WHEN ((row_security_active('public.task_label_links'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_label_links is 'Which task wears which label.';
comment on column public.task_label_links.id is 'Made by the server unless the client sends its own.';
comment on column public.task_label_links.project_id is 'The project; filled from the task when left out.';
comment on column public.task_label_links.task_id is 'The task.';
comment on column public.task_label_links.label_id is 'The label.';
comment on column public.task_label_links.created_at is 'When the row was made; kept by the database.';

create table public.task_labels (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  name text not null,
  color text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_labels_pkey PRIMARY KEY (id),
  constraint task_labels_project_id_id_key UNIQUE (project_id, id),
  constraint task_labels_color_is_hex CHECK ((color ~ '^#[0-9A-Fa-f]{6}$'::text)),
  constraint task_labels_name_length CHECK ((char_length(name) <= 100)),
  constraint task_labels_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint task_labels_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create unique index task_labels_name_unique_per_project ON public.task_labels USING btree (project_id, lower(name));
alter table public.task_labels enable row level security;
create policy add on public.task_labels for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_labels for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_labels for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_labels for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_labels for all to service_role
  using (true)
  with check (true);
grant select on table public.task_labels to anon;
grant delete, select on table public.task_labels to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_labels to service_role;
grant insert (id, project_id, name, color, created_at, updated_at) on table public.task_labels to authenticated;
grant update (id, project_id, name, color, created_at, updated_at) on table public.task_labels to authenticated;
CREATE TRIGGER task_labels_keep BEFORE UPDATE ON public.task_labels FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_labels_keep_new BEFORE INSERT ON public.task_labels FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_labels_refuse_change BEFORE UPDATE ON public.task_labels FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id');
CREATE TRIGGER task_labels_refuse_delete BEFORE DELETE ON public.task_labels FOR EACH ROW WHEN ((row_security_active('public.task_labels'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
comment on table public.task_labels is 'Labels of a project; names are unique in it, letter case aside.';
comment on column public.task_labels.id is 'Made by the server unless the client sends its own.';
comment on column public.task_labels.project_id is 'The project.';
comment on column public.task_labels.name is 'Up to 100 characters.';
comment on column public.task_labels.color is 'As #rrggbb.';
comment on column public.task_labels.created_at is 'When the row was made; kept by the database.';
comment on column public.task_labels.updated_at is 'When the row last changed; kept by the database.';

create table public.task_recurrences (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  task_id uuid not null,
  rule text not null,
  time_zone text default 'UTC'::text not null,
  mode public.recurrence_mode default 'calendar'::public.recurrence_mode not null,
  starts_on date not null,
  lead_days integer default 0 not null,
  column_id uuid,
  copies text[] default '{checklist,labels,assignees,fields,subtasks}'::text[] not null,
  paused_at timestamp with time zone,
  next_on date,
  next_at timestamp with time zone,
  is_over boolean default false not null,
  made integer default 0 not null,
  revision integer default 0 not null,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_recurrences_pkey PRIMARY KEY (id),
  constraint task_recurrences_one_each UNIQUE (project_id, task_id),
  constraint task_recurrences_copies_are_known CHECK ((copies <@ ARRAY['checklist'::text, 'labels'::text, 'assignees'::text, 'fields'::text, 'subtasks'::text, 'attachments'::text])),
  constraint task_recurrences_lead_is_within_a_year CHECK (((lead_days >= 0) AND (lead_days <= 366))),
  constraint task_recurrences_start_of_the_calendar CHECK (((starts_on >= '0001-01-01'::date) AND (starts_on <= '9999-12-30'::date))),
  constraint task_recurrences_column_of_same_project FOREIGN KEY (project_id, column_id) REFERENCES public.workflow_columns(project_id, id) ON DELETE SET NULL (column_id),
  constraint task_recurrences_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint task_recurrences_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);
create index task_recurrences_column_idx ON public.task_recurrences USING btree (project_id, column_id);
create index task_recurrences_created_by_idx ON public.task_recurrences USING btree (created_by);
create index task_recurrences_due_idx ON public.task_recurrences USING btree (next_at) WHERE ((paused_at IS NULL) AND (NOT is_over));
create index task_recurrences_task_id_idx ON public.task_recurrences USING btree (task_id);
alter table public.task_recurrences enable row level security;
create policy add on public.task_recurrences for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.task_recurrences for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.task_recurrences for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_recurrences for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_recurrences for all to service_role
  using (true)
  with check (true);
grant select on table public.task_recurrences to anon;
grant delete, select on table public.task_recurrences to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_recurrences to service_role;
grant insert (id, project_id, task_id, rule, time_zone, mode, starts_on, lead_days, column_id, copies, paused_at, next_on, next_at, is_over, made, revision, created_by, created_at, updated_at) on table public.task_recurrences to authenticated;
grant update (id, project_id, task_id, rule, time_zone, mode, starts_on, lead_days, column_id, copies, paused_at, next_on, next_at, is_over, made, revision, created_by, created_at, updated_at) on table public.task_recurrences to authenticated;
CREATE TRIGGER task_recurrences_a_project BEFORE INSERT ON public.task_recurrences FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_recurrences_claim_author BEFORE INSERT ON public.task_recurrences FOR EACH ROW WHEN ((new.created_by IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('created_by');
CREATE TRIGGER task_recurrences_keep BEFORE UPDATE ON public.task_recurrences FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_recurrences_keep_new BEFORE INSERT ON public.task_recurrences FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_recurrences_plan BEFORE INSERT OR UPDATE ON public.task_recurrences FOR EACH ROW EXECUTE FUNCTION private.plan_recurrence();
CREATE TRIGGER task_recurrences_record AFTER INSERT OR DELETE OR UPDATE ON public.task_recurrences FOR EACH ROW EXECUTE FUNCTION private.record_recurrence();
CREATE TRIGGER task_recurrences_refuse_change BEFORE UPDATE ON public.task_recurrences FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.created_by IS DISTINCT FROM new.created_by))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'task_id', 'created_by');
CREATE TRIGGER task_recurrences_refuse_delete BEFORE DELETE ON public.task_recurrences FOR EACH ROW WHEN ((row_security_active('public.task_recurrences'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
CREATE TRIGGER task_recurrences_tell AFTER INSERT OR UPDATE ON public.task_recurrences FOR EACH ROW WHEN (((new.next_at IS NULL) AND (NOT new.is_over) AND (new.paused_at IS NULL))) EXECUTE FUNCTION private.tell_of_recurrences();
comment on table public.task_recurrences is 'Tasks that come again: one rule a task, which the task made last has. The server makes the next one, with its due date by the rule.';
comment on column public.task_recurrences.id is 'Made by the server unless the client sends its own. The same for the whole series.';
comment on column public.task_recurrences.project_id is 'The project; filled from the task when left out.';
comment on column public.task_recurrences.task_id is 'The task that comes again: the last one of the series.';
comment on column public.task_recurrences.rule is 'RFC 5545, in days: FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT (tasks of the series, this one too), UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST. Anything else is refused (KB014).';
comment on column public.task_recurrences.time_zone is 'Where its days begin, as Europe/Berlin.';
comment on column public.task_recurrences.mode is 'calendar: on the days of the rule; after_completion: when the task is done, with the first day of the rule counted from then.';
comment on column public.task_recurrences.starts_on is 'The day the rule is counted from. Left out: the due date of the task, its start date, or today.';
comment on column public.task_recurrences.lead_days is 'How many days before its due date the next task appears; at the latest on its start date.';
comment on column public.task_recurrences.column_id is 'Where the next task appears; empty: in the first column that is not done.';
comment on column public.task_recurrences.copies is 'What the next task has of the one before, beside title, description, priority and estimate: checklist (nothing ticked), labels, assignees, fields, subtasks, attachments.';
comment on column public.task_recurrences.paused_at is 'Since when nothing is made; empty: it is not paused. Days that pass meanwhile are passed over.';
comment on column public.task_recurrences.next_on is 'The due date of the next task; kept by the server.';
comment on column public.task_recurrences.next_at is 'When it appears; kept by the server. Empty after completion, and when there is none.';
comment on column public.task_recurrences.is_over is 'Whether no more come; kept by the server.';
comment on column public.task_recurrences.made is 'How many tasks this rule has made; kept by the server.';
comment on column public.task_recurrences.revision is 'Which planning holds; kept by the server.';
comment on column public.task_recurrences.created_by is 'Who set it, and makes its tasks.';
comment on column public.task_recurrences.created_at is 'When the row was made; kept by the database.';
comment on column public.task_recurrences.updated_at is 'When the row last changed; kept by the database.';

create table public.task_watchers (
  project_id uuid not null,
  task_id uuid not null,
  user_id uuid default auth.uid() not null,
  reason text default 'asked'::text not null,
  is_watching boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint task_watchers_pkey PRIMARY KEY (project_id, task_id, user_id),
  constraint task_watchers_reason_known CHECK ((reason = ANY (ARRAY['creator'::text, 'assignee'::text, 'commenter'::text, 'mentioned'::text, 'asked'::text]))),
  constraint task_watchers_task_of_same_project FOREIGN KEY (project_id, task_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint task_watchers_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
create index task_watchers_task_id_idx ON public.task_watchers USING btree (task_id);
create index task_watchers_user_id_idx ON public.task_watchers USING btree (user_id, project_id);
alter table public.task_watchers enable row level security;
create policy add on public.task_watchers for insert to authenticated
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))));
create policy change on public.task_watchers for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check (((user_id = ( SELECT caller.user_id
   FROM private.caller)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))));
create policy read on public.task_watchers for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.task_watchers for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.task_watchers for all to service_role
  using (true)
  with check (true);
grant select on table public.task_watchers to anon;
grant delete, select on table public.task_watchers to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.task_watchers to service_role;
grant insert (project_id, task_id, user_id, reason, is_watching, created_at, updated_at) on table public.task_watchers to authenticated;
grant update (project_id, task_id, user_id, reason, is_watching, created_at, updated_at) on table public.task_watchers to authenticated;
CREATE TRIGGER task_watchers_fill_project BEFORE INSERT ON public.task_watchers FOR EACH ROW WHEN ((new.project_id IS NULL)) EXECUTE FUNCTION private.fill_project();
CREATE TRIGGER task_watchers_keep BEFORE UPDATE ON public.task_watchers FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_watchers_keep_new BEFORE INSERT ON public.task_watchers FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER task_watchers_keep_reason BEFORE INSERT ON public.task_watchers FOR EACH ROW WHEN (((new.reason <> 'asked'::text) AND row_security_active('public.task_watchers'::text) AND (CURRENT_USER <> 'service_role'::name))) EXECUTE FUNCTION private.keep_watcher();
CREATE TRIGGER task_watchers_refuse_change BEFORE UPDATE ON public.task_watchers FOR EACH ROW WHEN (((old.project_id <> new.project_id) OR (old.task_id <> new.task_id) OR (old.user_id <> new.user_id) OR (old.reason <> new.reason))) EXECUTE FUNCTION private.refuse_change('project_id', 'task_id', 'user_id', 'reason');
CREATE TRIGGER task_watchers_refuse_delete BEFORE DELETE ON public.task_watchers FOR EACH ROW WHEN ((row_security_active('public.task_watchers'::text) AND (CURRENT_USER <> 'service_role'::name) AND (old.user_id IS DISTINCT FROM private.me()))) EXECUTE FUNCTION private.refuse_delete('Everyone watches and stops watching for themselves.');
comment on table public.task_watchers is 'Who watches a task. Creators, assignees, commenters and mentioned people are added by the database; everyone watches and stops for themselves.';
comment on column public.task_watchers.project_id is 'The project; filled from the task when left out.';
comment on column public.task_watchers.task_id is 'The task.';
comment on column public.task_watchers.user_id is 'Who watches; the caller.';
comment on column public.task_watchers.reason is 'How it began: creator, assignee, commenter, mentioned or asked; kept by the database.';
comment on column public.task_watchers.is_watching is 'false: has stopped, and is not added again by what others do.';
comment on column public.task_watchers.created_at is 'When the row was made; kept by the database.';
comment on column public.task_watchers.updated_at is 'When the row last changed; kept by the database.';

create table public.tasks (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  column_id uuid not null,
  number integer not null,
  title text not null,
  description text default ''::text not null,
  priority public.task_priority default 'p2'::public.task_priority not null,
  order_rank text collate pg_catalog."C" not null,
  start_date date,
  due_date date,
  estimate numeric,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  archived_at timestamp with time zone,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  cover_attachment_id uuid,
  parent_id uuid,
  subtask_position double precision,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_number_unique_per_project UNIQUE (project_id, number),
  constraint tasks_project_id_id_key UNIQUE (project_id, id),
  constraint tasks_rank_unique_per_column UNIQUE (project_id, column_id, order_rank) DEFERRABLE,
  constraint tasks_description_length CHECK ((char_length(description) <= 100000)),
  constraint tasks_due_of_the_calendar CHECK (((due_date >= '0001-01-01'::date) AND (due_date <= '9999-12-30'::date))),
  constraint tasks_estimate_not_negative CHECK (((estimate >= (0)::numeric) AND (estimate < (1000000)::numeric))),
  constraint tasks_order_rank_is_printable CHECK (((order_rank ~ '^[!-~]*["-~]$'::text) AND (char_length(order_rank) <= 1000))),
  constraint tasks_start_not_after_due CHECK ((start_date <= due_date)),
  constraint tasks_start_of_the_calendar CHECK (((start_date >= '0001-01-01'::date) AND (start_date <= '9999-12-30'::date))),
  constraint tasks_subtask_position_is_finite CHECK (((subtask_position > '-Infinity'::double precision) AND (subtask_position < 'Infinity'::double precision))),
  constraint tasks_title_length CHECK ((char_length(title) <= 500)),
  constraint tasks_title_not_blank CHECK ((title ~ '[^[:space:]]'::text)),
  constraint tasks_column_of_same_project FOREIGN KEY (project_id, column_id) REFERENCES public.workflow_columns(project_id, id),
  constraint tasks_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint tasks_parent_of_same_project FOREIGN KEY (project_id, parent_id) REFERENCES public.tasks(project_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index tasks_archived_idx ON public.tasks USING btree (project_id, archived_at) WHERE (archived_at IS NOT NULL);
create index tasks_completed_idx ON public.tasks USING btree (project_id, completed_at) INCLUDE (created_at, started_at) WHERE ((completed_at IS NOT NULL) AND (archived_at IS NULL));
create index tasks_created_by_idx ON public.tasks USING btree (created_by);
create index tasks_cycle_idx ON public.tasks USING btree (project_id, private.seconds_between(started_at, completed_at)) INCLUDE (started_at, completed_at) WHERE ((completed_at IS NOT NULL) AND (archived_at IS NULL));
create index tasks_due_idx ON public.tasks USING btree (project_id, due_date) WHERE ((completed_at IS NULL) AND (archived_at IS NULL) AND (due_date IS NOT NULL));
create index tasks_lead_idx ON public.tasks USING btree (project_id, private.seconds_between(created_at, completed_at)) INCLUDE (created_at, completed_at) WHERE ((completed_at IS NOT NULL) AND (archived_at IS NULL));
create index tasks_parent_idx ON public.tasks USING btree (project_id, parent_id) WHERE (parent_id IS NOT NULL);
alter table public.tasks enable row level security;
create policy add on public.tasks for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.tasks for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.tasks for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.tasks for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.tasks for all to service_role
  using (true)
  with check (true);
grant select on table public.tasks to anon;
grant delete, select on table public.tasks to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.tasks to service_role;
grant insert (id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate, started_at, completed_at, archived_at, created_by, created_at, updated_at, cover_attachment_id, parent_id, subtask_position) on table public.tasks to authenticated;
grant update (id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate, started_at, completed_at, archived_at, created_by, created_at, updated_at, cover_attachment_id, parent_id, subtask_position) on table public.tasks to authenticated;
CREATE TRIGGER tasks_10_claim_author BEFORE INSERT ON public.tasks FOR EACH ROW WHEN ((new.created_by IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('created_by');
CREATE TRIGGER tasks_20_keep BEFORE INSERT OR UPDATE ON public.tasks FOR EACH ROW EXECUTE FUNCTION private.keep_task();
CREATE TRIGGER tasks_30_refuse_change BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN (((old.id IS DISTINCT FROM new.id) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.number IS DISTINCT FROM new.number) OR (old.created_by IS DISTINCT FROM new.created_by))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'number', 'created_by');
CREATE TRIGGER tasks_40_refuse_delete BEFORE DELETE ON public.tasks FOR EACH ROW WHEN ((row_security_active('public.tasks'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
CREATE TRIGGER tasks_45_move_subtask BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN (((old.parent_id IS DISTINCT FROM new.parent_id) OR ((new.parent_id IS NULL) <> (new.subtask_position IS NULL)))) EXECUTE FUNCTION private.place_subtask();
CREATE TRIGGER tasks_45_place_subtask BEFORE INSERT ON public.tasks FOR EACH ROW WHEN (((new.parent_id IS NOT NULL) OR (new.subtask_position IS NOT NULL))) EXECUTE FUNCTION private.place_subtask();
CREATE TRIGGER tasks_50_cover BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN (((new.cover_attachment_id IS NOT NULL) AND (old.cover_attachment_id IS DISTINCT FROM new.cover_attachment_id))) EXECUTE FUNCTION private.require_cover();
CREATE TRIGGER tasks_50_cover_new BEFORE INSERT ON public.tasks FOR EACH ROW WHEN ((new.cover_attachment_id IS NOT NULL)) EXECUTE FUNCTION private.require_cover();
CREATE TRIGGER tasks_50_place_moved BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN (((old.column_id <> new.column_id) OR (old.order_rank <> new.order_rank))) EXECUTE FUNCTION private.place_moved_task();
CREATE TRIGGER tasks_50_place_new BEFORE INSERT ON public.tasks FOR EACH ROW EXECUTE FUNCTION private.place_new_task();
CREATE TRIGGER tasks_60_count_deleted BEFORE DELETE ON public.tasks FOR EACH ROW WHEN ((old.archived_at IS NULL)) EXECUTE FUNCTION private.count_deleted_task();
CREATE TRIGGER tasks_65_check_outline AFTER INSERT ON public.tasks FOR EACH ROW WHEN ((new.parent_id IS NOT NULL)) EXECUTE FUNCTION private.check_outline();
CREATE TRIGGER tasks_65_check_outline_change AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((new.parent_id IS NOT NULL) AND (old.parent_id IS DISTINCT FROM new.parent_id))) EXECUTE FUNCTION private.check_outline();
CREATE TRIGGER tasks_66_wait_for_subtasks AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL) AND (old.column_id <> new.column_id))) EXECUTE FUNCTION private.wait_for_subtasks();
CREATE TRIGGER tasks_70_record_change AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.column_id <> new.column_id) OR ((old.archived_at IS NULL) <> (new.archived_at IS NULL)) OR (old.title <> new.title) OR (old.description <> new.description) OR (old.priority <> new.priority) OR (old.start_date IS DISTINCT FROM new.start_date) OR (old.due_date IS DISTINCT FROM new.due_date) OR (old.estimate IS DISTINCT FROM new.estimate))) EXECUTE FUNCTION private.record_task();
CREATE TRIGGER tasks_70_record_cover AFTER UPDATE ON public.tasks FOR EACH ROW WHEN ((old.cover_attachment_id IS DISTINCT FROM new.cover_attachment_id)) EXECUTE FUNCTION private.record_cover();
CREATE TRIGGER tasks_70_record_gone AFTER DELETE ON public.tasks FOR EACH ROW EXECUTE FUNCTION private.record_task();
CREATE TRIGGER tasks_70_record_parent AFTER UPDATE ON public.tasks FOR EACH ROW WHEN ((old.parent_id IS DISTINCT FROM new.parent_id)) EXECUTE FUNCTION private.record_parent();
CREATE TRIGGER tasks_70_record_subtask AFTER INSERT ON public.tasks FOR EACH ROW WHEN ((new.parent_id IS NOT NULL)) EXECUTE FUNCTION private.record_parent();
CREATE TRIGGER tasks_70_record_subtask_gone AFTER DELETE ON public.tasks FOR EACH ROW WHEN ((old.parent_id IS NOT NULL)) EXECUTE FUNCTION private.record_parent();
CREATE TRIGGER tasks_75_notify AFTER INSERT ON public.tasks FOR EACH ROW WHEN ((strpos(new.description, '@'::text) > 0)) EXECUTE FUNCTION private.notify_of_description();
CREATE TRIGGER tasks_75_notify_change AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.description <> new.description) AND (strpos(new.description, '@'::text) > 0))) EXECUTE FUNCTION private.notify_of_description();
CREATE TRIGGER tasks_80_index_change AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.title <> new.title) OR (old.description <> new.description) OR (old.number <> new.number))) EXECUTE FUNCTION private.index_changed_task();
CREATE TRIGGER tasks_85_spread_ranks AFTER INSERT OR UPDATE ON public.tasks FOR EACH ROW WHEN ((length(new.order_rank) > 24)) EXECUTE FUNCTION private.spread_ranks();
CREATE TRIGGER tasks_87_take_along AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.archived_at IS NULL) <> (new.archived_at IS NULL))) EXECUTE FUNCTION private.take_subtasks_along();
CREATE TRIGGER tasks_88_carry_fields AFTER UPDATE ON public.tasks FOR EACH ROW WHEN ((old.project_id <> new.project_id)) EXECUTE FUNCTION private.carry_fields();
CREATE TRIGGER tasks_90_follow_changed AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS was NEW TABLE AS becomes FOR EACH STATEMENT EXECUTE FUNCTION private.follow_changed_tasks();
CREATE TRIGGER tasks_90_follow_new AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION private.follow_new_tasks();
CREATE TRIGGER tasks_94_tell_of_completed AFTER UPDATE ON public.tasks FOR EACH ROW WHEN (((old.completed_at IS NULL) AND (new.completed_at IS NOT NULL))) EXECUTE FUNCTION private.tell_of_completed();
CREATE TRIGGER tasks_95_remove_files AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.remove_files_of_tasks();
comment on table public.tasks is 'Tasks. Moved by move_task, or by changing column_id and order_rank.';
comment on column public.tasks.id is 'Made by the server, sorted by time, unless the client sends its own.';
comment on column public.tasks.project_id is 'The project; filled from the column when left out. Cannot be changed.';
comment on column public.tasks.column_id is 'The column; left out on insert: the leftmost.';
comment on column public.tasks.number is '1, 2, 3 … in each project; with the project''s key it reads WEB-12. Given by the database.';
comment on column public.tasks.title is 'Up to 500 characters.';
comment on column public.tasks.description is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.tasks.priority is 'p0, p1 or p2.';
comment on column public.tasks.order_rank is 'Place within the column: text compared byte by byte. Left out: at the end. A rank that is taken becomes the next free one after it.';
comment on column public.tasks.start_date is 'Not after due_date.';
comment on column public.tasks.due_date is 'When it should be done.';
comment on column public.tasks.estimate is 'In whatever unit the team counts.';
comment on column public.tasks.started_at is 'When the task first reached a column of kind in_progress; kept by the database.';
comment on column public.tasks.completed_at is 'When the task reached a done column; empty while it is open. Kept by the database.';
comment on column public.tasks.archived_at is 'Set when the task was put away; the moment is the database''s. Archived tasks count nowhere.';
comment on column public.tasks.created_by is 'Who made it; empty once their account is gone.';
comment on column public.tasks.created_at is 'When the row was made; kept by the database.';
comment on column public.tasks.updated_at is 'When the row last changed; kept by the database.';
comment on column public.tasks.cover_attachment_id is 'The attachment of this task that is shown as a picture on its card.';
comment on column public.tasks.parent_id is 'The task it is a part of, of the same project; empty for most. No circle (KB008), no more than eight levels (KB009). Deleting or archiving a task takes what is under it along.';
comment on column public.tasks.subtask_position is 'Place among the subtasks of its parent, top to bottom; fractions are welcome. Left out: at the end. Empty without a parent.';

create table public.templates (
  id uuid default private.uuid_v7() not null,
  project_id uuid,
  owner_id uuid,
  built_in text,
  language text,
  kind text not null,
  name text not null,
  description text default ''::text not null,
  body jsonb not null,
  holds jsonb default '{}'::jsonb not null,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint templates_pkey PRIMARY KEY (id),
  constraint templates_built_in_once UNIQUE (built_in, language),
  constraint templates_description_length CHECK ((char_length(description) <= 2000)),
  constraint templates_kind_known CHECK ((kind = ANY (ARRAY['task'::text, 'project'::text]))),
  constraint templates_language_of_built_in CHECK (((built_in IS NULL) = (language IS NULL))),
  constraint templates_name_length CHECK ((char_length(name) <= 200)),
  constraint templates_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint templates_of_one CHECK ((num_nonnulls(project_id, owner_id, built_in) = 1)),
  constraint templates_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL,
  constraint templates_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint templates_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index templates_created_by_idx ON public.templates USING btree (created_by);
create index templates_owner_id_idx ON public.templates USING btree (owner_id);
create index templates_project_id_idx ON public.templates USING btree (project_id);
alter table public.templates enable row level security;
create policy add on public.templates for insert to authenticated
  with check (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy change on public.templates for update to authenticated
  using (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) OR ((built_in IS NOT NULL) AND (( SELECT caller.user_id
   FROM private.caller) IS NOT NULL))))
  with check (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy read on public.templates for select to authenticated
  using (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) OR ((built_in IS NOT NULL) AND (( SELECT caller.user_id
   FROM private.caller) IS NOT NULL))));
create policy remove on public.templates for delete to authenticated
  using (((owner_id = ( SELECT caller.user_id
   FROM private.caller)) OR (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) OR ((built_in IS NOT NULL) AND (( SELECT caller.user_id
   FROM private.caller) IS NOT NULL))));
create policy service on public.templates for all to service_role
  using (true)
  with check (true);
grant select on table public.templates to anon;
grant delete, select on table public.templates to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.templates to service_role;
grant insert (id, project_id, owner_id, kind, name, description, body, created_by, created_at, updated_at) on table public.templates to authenticated;
grant update (id, project_id, owner_id, kind, name, description, body, created_by, created_at, updated_at) on table public.templates to authenticated;
CREATE TRIGGER templates_check BEFORE INSERT OR UPDATE ON public.templates FOR EACH ROW EXECUTE FUNCTION private.check_template();
CREATE TRIGGER templates_claim_author BEFORE INSERT ON public.templates FOR EACH ROW WHEN ((new.created_by IS DISTINCT FROM auth.uid())) EXECUTE FUNCTION private.claim_author('created_by');
CREATE TRIGGER templates_keep BEFORE UPDATE ON public.templates FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER templates_keep_new BEFORE INSERT ON public.templates FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER templates_limit AFTER INSERT ON public.templates FOR EACH ROW WHEN ((new.built_in IS NULL)) EXECUTE FUNCTION private.limit_templates();
CREATE TRIGGER templates_record AFTER INSERT OR DELETE OR UPDATE ON public.templates FOR EACH ROW EXECUTE FUNCTION private.record_setup('template', 'name', 'description', 'holds');
CREATE TRIGGER templates_refuse_change BEFORE UPDATE ON public.templates FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id IS DISTINCT FROM new.project_id) OR (old.owner_id IS DISTINCT FROM new.owner_id) OR (old.kind <> new.kind) OR (old.created_by IS DISTINCT FROM new.created_by))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'owner_id', 'kind', 'created_by');
CREATE TRIGGER templates_refuse_delete BEFORE DELETE ON public.templates FOR EACH ROW WHEN ((row_security_active('public.templates'::text) AND (CURRENT_USER <> 'service_role'::name) AND (old.owner_id IS DISTINCT FROM auth.uid()) AND ((old.project_id IS NULL) OR (NOT private.is_writer(old.project_id))))) EXECUTE FUNCTION private.refuse_delete('Templates of a project are deleted by its owners and editors; those that come with Kanbase stay.');
comment on table public.templates is 'What tasks and projects begin with: one''s own, those of a project for its members, and those that come with Kanbase. Made by save_task_as_template, save_project_as_template or an insert; used by create_project_from_template and create_task_from_template.';
comment on column public.templates.id is 'Made by the server unless the client sends its own.';
comment on column public.templates.project_id is 'Whose members have it; empty: it is somebody''s own, or built in.';
comment on column public.templates.owner_id is 'Who alone has it; the caller when neither this nor project_id is sent.';
comment on column public.templates.built_in is 'A name for those that come with Kanbase, the same in every language; empty for all others.';
comment on column public.templates.language is 'Of those that come with Kanbase: the language of their words.';
comment on column public.templates.kind is 'task or project. Cannot be changed.';
comment on column public.templates.name is 'Up to 200 characters.';
comment on column public.templates.description is 'What it is for, up to 2,000 characters.';
comment on column public.templates.body is 'The document: {"version": 1, "columns", "labels", "fields", "views", "tasks", "dependencies"…}, days counted from a start day; checked by the database (KB015). docs/guides/templates.md has all of it.';
comment on column public.templates.holds is 'What is in it: names of columns, how many labels, fields, views, tasks and steps, and whether it has days; kept by the database.';
comment on column public.templates.created_by is 'Who made it; empty once their account is gone.';
comment on column public.templates.created_at is 'When the row was made; kept by the database.';
comment on column public.templates.updated_at is 'When the row last changed; kept by the database.';

create table public.view_defaults (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  user_id uuid default auth.uid(),
  view_id uuid not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint view_defaults_pkey PRIMARY KEY (id),
  constraint view_defaults_one_each UNIQUE NULLS NOT DISTINCT (project_id, user_id),
  constraint view_defaults_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE,
  constraint view_defaults_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE,
  constraint view_defaults_view_id_fkey FOREIGN KEY (project_id, view_id) REFERENCES public.saved_views(project_id, id) ON DELETE CASCADE
);
create index view_defaults_user_id_idx ON public.view_defaults USING btree (user_id);
create index view_defaults_view_id_idx ON public.view_defaults USING btree (project_id, view_id);
alter table public.view_defaults enable row level security;
create policy add on public.view_defaults for insert to authenticated
  with check ((((user_id = ( SELECT auth.uid() AS uid)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))) OR ((user_id IS NULL) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))))));
create policy change on public.view_defaults for update to authenticated
  using (((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND ((user_id IS NULL) OR (user_id = ( SELECT auth.uid() AS uid)))))
  with check ((((user_id = ( SELECT auth.uid() AS uid)) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))) OR ((user_id IS NULL) AND (project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role)))))));
create policy read on public.view_defaults for select to authenticated
  using (((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND ((user_id IS NULL) OR (user_id = ( SELECT auth.uid() AS uid)))));
create policy remove on public.view_defaults for delete to authenticated
  using (((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))) AND ((user_id IS NULL) OR (user_id = ( SELECT auth.uid() AS uid)))));
create policy service on public.view_defaults for all to service_role
  using (true)
  with check (true);
grant select on table public.view_defaults to anon;
grant delete, select on table public.view_defaults to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.view_defaults to service_role;
grant insert (id, project_id, user_id, view_id, created_at, updated_at) on table public.view_defaults to authenticated;
grant update (id, project_id, user_id, view_id, created_at, updated_at) on table public.view_defaults to authenticated;
CREATE TRIGGER view_defaults_keep BEFORE UPDATE ON public.view_defaults FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER view_defaults_keep_new BEFORE INSERT ON public.view_defaults FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER view_defaults_refuse_change BEFORE UPDATE ON public.view_defaults FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id) OR (old.user_id IS DISTINCT FROM new.user_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id', 'user_id');
CREATE TRIGGER view_defaults_refuse_delete BEFORE DELETE ON public.view_defaults FOR EACH ROW WHEN ((row_security_active('public.view_defaults'::text) AND (CURRENT_USER <> 'service_role'::name) AND (old.user_id IS DISTINCT FROM auth.uid()) AND (NOT private.is_owner(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Only an owner of the project chooses the view it opens with for everybody.');
comment on table public.view_defaults is 'Which view of a project opens first: for one person, or for everybody.';
comment on column public.view_defaults.id is 'Made by the server unless the client sends its own.';
comment on column public.view_defaults.project_id is 'The project.';
comment on column public.view_defaults.user_id is 'For whom; empty: everybody who has chosen none, which owners decide.';
comment on column public.view_defaults.view_id is 'The view, of the same project.';
comment on column public.view_defaults.created_at is 'When the row was made; kept by the database.';
comment on column public.view_defaults.updated_at is 'When the row last changed; kept by the database.';

create table public.workflow_columns (
  id uuid default private.uuid_v7() not null,
  project_id uuid not null,
  name text not null,
  kind public.workflow_column_kind default 'custom'::public.workflow_column_kind not null,
  "position" double precision not null,
  wip_limit integer,
  color text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  required_fields uuid[] default '{}'::uuid[] not null,
  constraint workflow_columns_pkey PRIMARY KEY (id),
  constraint workflow_columns_project_id_id_key UNIQUE (project_id, id),
  constraint workflow_columns_color_is_hex CHECK ((color ~ '^#[0-9A-Fa-f]{6}$'::text)),
  constraint workflow_columns_name_length CHECK ((char_length(name) <= 100)),
  constraint workflow_columns_name_not_blank CHECK ((name ~ '[^[:space:]]'::text)),
  constraint workflow_columns_position_is_finite CHECK ((("position" > '-Infinity'::double precision) AND ("position" < 'Infinity'::double precision))),
  constraint workflow_columns_required_fields_are_few CHECK (((cardinality(required_fields) <= 50) AND (array_position(required_fields, NULL::uuid) IS NULL))),
  constraint workflow_columns_wip_limit_is_positive CHECK ((wip_limit > 0)),
  constraint workflow_columns_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE
);
create index workflow_columns_list_idx ON public.workflow_columns USING btree (project_id, "position");
alter table public.workflow_columns enable row level security;
create policy add on public.workflow_columns for insert to authenticated
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy change on public.workflow_columns for update to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))))
  with check ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))));
create policy read on public.workflow_columns for select to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy remove on public.workflow_columns for delete to authenticated
  using ((project_id = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships))));
create policy service on public.workflow_columns for all to service_role
  using (true)
  with check (true);
grant select on table public.workflow_columns to anon;
grant delete, select on table public.workflow_columns to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.workflow_columns to service_role;
grant insert (id, project_id, name, kind, "position", wip_limit, color, created_at, updated_at, required_fields) on table public.workflow_columns to authenticated;
grant update (id, project_id, name, kind, "position", wip_limit, color, created_at, updated_at, required_fields) on table public.workflow_columns to authenticated;
CREATE TRIGGER workflow_columns_keep BEFORE UPDATE ON public.workflow_columns FOR EACH ROW EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER workflow_columns_keep_new BEFORE INSERT ON public.workflow_columns FOR EACH ROW WHEN (((new.created_at IS DISTINCT FROM now()) OR (new.updated_at IS DISTINCT FROM now()))) EXECUTE FUNCTION private.keep_times();
CREATE TRIGGER workflow_columns_kind_followed AFTER UPDATE ON public.workflow_columns FOR EACH ROW WHEN ((old.kind <> new.kind)) EXECUTE FUNCTION private.follow_column_kind();
CREATE TRIGGER workflow_columns_lock BEFORE UPDATE ON public.workflow_columns FOR EACH ROW WHEN (((old.kind <> new.kind) AND ((NOT row_security_active('public.workflow_columns'::text)) OR (CURRENT_USER = 'service_role'::name) OR private.is_writer(old.project_id)))) EXECUTE FUNCTION private.lock_changed_column();
CREATE TRIGGER workflow_columns_place BEFORE INSERT ON public.workflow_columns FOR EACH ROW WHEN ((new."position" IS NULL)) EXECUTE FUNCTION private.place_column();
CREATE TRIGGER workflow_columns_record_kind AFTER INSERT ON public.workflow_columns FOR EACH ROW EXECUTE FUNCTION private.record_column_kind();
CREATE TRIGGER workflow_columns_record_kind_change AFTER UPDATE ON public.workflow_columns FOR EACH ROW WHEN ((old.kind <> new.kind)) EXECUTE FUNCTION private.record_column_kind();
CREATE TRIGGER workflow_columns_refuse_change BEFORE UPDATE ON public.workflow_columns FOR EACH ROW WHEN (((old.id <> new.id) OR (old.project_id <> new.project_id))) EXECUTE FUNCTION private.refuse_change('id', 'project_id');
CREATE TRIGGER workflow_columns_refuse_delete BEFORE DELETE ON public.workflow_columns FOR EACH ROW WHEN ((row_security_active('public.workflow_columns'::text) AND (CURRENT_USER <> 'service_role'::name) AND (NOT private.is_writer(old.project_id)))) EXECUTE FUNCTION private.refuse_delete('Ask an owner of the project for the editor role.');
CREATE TRIGGER workflow_columns_required_fields AFTER INSERT ON public.workflow_columns FOR EACH ROW WHEN ((new.required_fields <> '{}'::uuid[])) EXECUTE FUNCTION private.check_required_fields();
CREATE TRIGGER workflow_columns_required_fields_change AFTER UPDATE ON public.workflow_columns FOR EACH ROW WHEN (((new.required_fields <> '{}'::uuid[]) AND (old.required_fields <> new.required_fields))) EXECUTE FUNCTION private.check_required_fields();
comment on table public.workflow_columns is 'The columns of a project''s board, sorted by position. A column that holds tasks cannot be deleted.';
comment on column public.workflow_columns.id is 'Made by the server unless the client sends its own.';
comment on column public.workflow_columns.project_id is 'The project.';
comment on column public.workflow_columns.name is 'Up to 100 characters.';
comment on column public.workflow_columns.kind is 'What the column stands for. Tasks in a done column are completed.';
comment on column public.workflow_columns."position" is 'Left to right; fractions are welcome. Left out: the right end.';
comment on column public.workflow_columns.wip_limit is 'How many tasks the column should hold at most. Shown, not enforced.';
comment on column public.workflow_columns.color is 'As #rrggbb.';
comment on column public.workflow_columns.created_at is 'When the row was made; kept by the database.';
comment on column public.workflow_columns.updated_at is 'When the row last changed; kept by the database.';
comment on column public.workflow_columns.required_fields is 'Fields of the project without which no task is moved here (KB011); a checkbox must be ticked. Tasks that are made here, or stand here, are not asked.';

create table realtime.messages (
  id uuid default gen_random_uuid() not null,
  topic text not null,
  extension text not null,
  payload jsonb,
  binary_payload bytea,
  event text,
  private boolean default false,
  updated_at timestamp without time zone default (now() AT TIME ZONE 'utc'::text) not null,
  inserted_at timestamp without time zone default (now() AT TIME ZONE 'utc'::text) not null,
  expires_at timestamp without time zone,
  skip_broadcast boolean default false not null,
  constraint messages_pkey PRIMARY KEY (id, inserted_at)
);
create index messages_expires_at_idx ON ONLY realtime.messages USING btree (expires_at) WHERE (expires_at IS NOT NULL);
create index messages_topic_inserted_at_idx ON ONLY realtime.messages USING btree (topic, inserted_at DESC) WHERE (extension = 'broadcast'::text);
alter table realtime.messages enable row level security;
create policy listen_to_own on realtime.messages for select to authenticated
  using (((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (split_part(( SELECT realtime.topic() AS topic), ':'::text, 1) = 'user'::text) AND (split_part(( SELECT realtime.topic() AS topic), ':'::text, 2) = (( SELECT private.me() AS me))::text)));
create policy listen_to_own_projects on realtime.messages for select to authenticated
  using (((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (EXISTS ( SELECT
   FROM public.projects p
  WHERE (p.id = ( SELECT private.topic_project() AS topic_project))))));
create policy realtime_room on realtime.messages for all to kanbase_realtime
  using (true)
  with check (true);
create policy service on realtime.messages for all to service_role
  using (true)
  with check (true);
create policy speak_in_own_projects on realtime.messages for insert to authenticated
  with check (((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (EXISTS ( SELECT
   FROM public.projects p
  WHERE (p.id = ( SELECT private.topic_project() AS topic_project))))));
create policy speak_to_own on realtime.messages for insert to authenticated
  with check (((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (split_part(( SELECT realtime.topic() AS topic), ':'::text, 1) = 'user'::text) AND (split_part(( SELECT realtime.topic() AS topic), ':'::text, 2) = (( SELECT private.me() AS me))::text)));
grant insert, select on table realtime.messages to anon;
grant insert, select on table realtime.messages to authenticated;
grant delete, insert, select on table realtime.messages to kanbase_realtime;
grant delete, insert, maintain, references, select, trigger, truncate, update on table realtime.messages to service_role;
comment on table realtime.messages is 'Messages sent to private and public channels from SQL or kept by their senders; swept after a few days.';
comment on column realtime.messages.expires_at is 'From when on it is not replayed any more; null: as long as all messages are kept.';
comment on column realtime.messages.skip_broadcast is 'It has been sent already: it is there to be replayed.';

create table realtime.messages_rest (
  id uuid default gen_random_uuid() not null,
  topic text not null,
  extension text not null,
  payload jsonb,
  binary_payload bytea,
  event text,
  private boolean default false,
  updated_at timestamp without time zone default (now() AT TIME ZONE 'utc'::text) not null,
  inserted_at timestamp without time zone default (now() AT TIME ZONE 'utc'::text) not null,
  expires_at timestamp without time zone,
  skip_broadcast boolean default false not null,
  constraint messages_rest_pkey PRIMARY KEY (id, inserted_at)
);
create index messages_rest_expires_at_idx ON realtime.messages_rest USING btree (expires_at) WHERE (expires_at IS NOT NULL);
create index messages_rest_topic_inserted_at_idx ON realtime.messages_rest USING btree (topic, inserted_at DESC) WHERE (extension = 'broadcast'::text);
alter table realtime.messages_rest enable row level security;

create table storage.buckets (
  id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false not null,
  file_size_limit bigint,
  allowed_mime_types text[],
  type text default 'STANDARD'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  avif_autodetection boolean default false,
  constraint buckets_pkey PRIMARY KEY (id),
  constraint buckets_name_key UNIQUE (name),
  constraint buckets_file_size_limit_not_negative CHECK ((file_size_limit >= 0)),
  constraint buckets_type_is_offered CHECK ((type = 'STANDARD'::text))
);
alter table storage.buckets enable row level security;
create policy server_reads on storage.buckets for select to kanbase_files
  using (true);
create policy service on storage.buckets for all to service_role
  using (true)
  with check (true);
grant delete, insert, select, update on table storage.buckets to anon;
grant delete, insert, select, update on table storage.buckets to authenticated;
grant select on table storage.buckets to kanbase_files;
grant delete, insert, maintain, references, select, trigger, truncate, update on table storage.buckets to service_role;
comment on table storage.buckets is 'Buckets of /storage/v1.';
comment on column storage.buckets.public is 'Whether everybody may download by address; listing and writing follow policies all the same.';
comment on column storage.buckets.file_size_limit is 'Bytes an object may have at most; empty: what the server allows.';
comment on column storage.buckets.allowed_mime_types is 'Media types that may be uploaded, such as image/png or image/*; empty: any.';
comment on column storage.buckets.avif_autodetection is 'Of no effect: kept for migrations that were written for Supabase and name it.';

create table storage.objects (
  id uuid default gen_random_uuid() not null,
  bucket_id text not null,
  name text collate pg_catalog."C" not null,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  version text,
  path_tokens text[] generated always as (string_to_array(name, '/'::text)) stored,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  last_accessed_at timestamp with time zone default now() not null,
  constraint objects_pkey PRIMARY KEY (id),
  constraint objects_bucket_id_name_key UNIQUE (bucket_id, name),
  constraint objects_version_key UNIQUE (version),
  constraint objects_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id) ON DELETE RESTRICT
);
alter table storage.objects enable row level security;
create policy attachments_add on storage.objects for insert to authenticated
  with check (((bucket_id = 'attachments'::text) AND (private.attachment_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))) AND (EXISTS ( SELECT
   FROM public.tasks t
  WHERE ((t.project_id = private.attachment_project(objects.name)) AND (t.id = private.attachment_task(objects.name)))))));
create policy attachments_change on storage.objects for update to authenticated
  using (((bucket_id = 'attachments'::text) AND (private.attachment_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))))
  with check (((bucket_id = 'attachments'::text) AND (private.attachment_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role]))))) AND (EXISTS ( SELECT
   FROM public.tasks t
  WHERE ((t.project_id = private.attachment_project(objects.name)) AND (t.id = private.attachment_task(objects.name)))))));
create policy attachments_read on storage.objects for select to authenticated
  using (((bucket_id = 'attachments'::text) AND (private.attachment_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships)))));
create policy attachments_remove on storage.objects for delete to authenticated
  using (((bucket_id = 'attachments'::text) AND (private.attachment_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = ANY (ARRAY['owner'::public.project_role, 'editor'::public.project_role])))))));
create policy avatars_of_projects on storage.objects for all to authenticated
  using (((bucket_id = 'avatars'::text) AND (private.avatar_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role))))))
  with check (((bucket_id = 'avatars'::text) AND (private.avatar_project(name) = ANY (ARRAY( SELECT my_memberships.project_id
   FROM private.my_memberships
  WHERE (my_memberships.role = 'owner'::public.project_role))))));
create policy avatars_own on storage.objects for all to authenticated
  using (((bucket_id = 'avatars'::text) AND ((storage.foldername(name))[1] = ( SELECT (c.user_id)::text AS user_id
   FROM private.caller c))))
  with check (((bucket_id = 'avatars'::text) AND ((storage.foldername(name))[1] = ( SELECT (c.user_id)::text AS user_id
   FROM private.caller c))));
create policy exports_read_own on storage.objects for select to authenticated
  using (((bucket_id = 'exports'::text) AND ((storage.foldername(name))[1] = ( SELECT (c.user_id)::text AS user_id
   FROM private.caller c))));
create policy server_reads on storage.objects for select to kanbase_files
  using (true);
create policy service on storage.objects for all to service_role
  using (true)
  with check (true);
grant delete, insert, select, update on table storage.objects to anon;
grant delete, insert, select, update on table storage.objects to authenticated;
grant select on table storage.objects to kanbase_files;
grant delete, insert, maintain, references, select, trigger, truncate, update on table storage.objects to service_role;
CREATE TRIGGER objects_claim_file AFTER INSERT OR DELETE OR UPDATE OF version ON storage.objects FOR EACH ROW EXECUTE FUNCTION private.claim_file();
comment on table storage.objects is 'Objects of /storage/v1. The bytes lie in the file store under version.';
comment on column storage.objects.metadata is 'Size, media type, ETag and caching, as the server found them.';
comment on column storage.objects.user_metadata is 'Whatever was uploaded beside it.';
comment on column storage.objects.version is 'Names the bytes. Made by the server for each upload.';

CREATE OR REPLACE FUNCTION auth.describe_user(u auth.users)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return jsonb_strip_nulls(jsonb_build_object(
      'email_confirmed_at', auth.wire_time(u.email_confirmed_at),
      'phone_confirmed_at', auth.wire_time(u.phone_confirmed_at),
      'confirmed_at', auth.wire_time(u.confirmed_at),
      'invited_at', auth.wire_time(u.invited_at),
      'confirmation_sent_at', auth.wire_time(u.confirmation_sent_at),
      'recovery_sent_at', auth.wire_time(u.recovery_sent_at),
      'reauthentication_sent_at', auth.wire_time(u.reauthentication_sent_at),
      'new_email', u.email_change,
      'email_change_sent_at', auth.wire_time(u.email_change_sent_at),
      'last_sign_in_at', auth.wire_time(u.last_sign_in_at),
      'banned_until', auth.wire_time(u.banned_until),
      'deleted_at', auth.wire_time(u.deleted_at),
      'factors', (
        select jsonb_agg(jsonb_build_object(
          'id', f.id, 'friendly_name', coalesce(f.friendly_name, ''), 'factor_type', f.factor_type, 'status', f.status,
          'created_at', auth.wire_time(f.created_at), 'updated_at', auth.wire_time(f.updated_at),
          'last_challenged_at', auth.wire_time(f.last_challenged_at)
        ) order by f.created_at, f.id)
        from auth.mfa_factors f where f.user_id = u.id
      )
    ))
    || jsonb_build_object(
      'id', u.id,
      'aud', u.aud,
      'role', u.role,
      'email', coalesce(u.email, ''),
      'phone', coalesce(u.phone, ''),
      'app_metadata', u.raw_app_meta_data,
      'user_metadata', u.raw_user_meta_data,
      'identities', coalesce((
        select jsonb_agg(jsonb_build_object(
          'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
          'provider', i.provider, 'last_sign_in_at', auth.wire_time(i.last_sign_in_at),
          'created_at', auth.wire_time(i.created_at), 'updated_at', auth.wire_time(i.updated_at),
          'email', i.email
        ) order by i.created_at, i.id)
        from auth.identities i where i.user_id = u.id
      ), '[]'),
      'created_at', auth.wire_time(u.created_at),
      'updated_at', auth.wire_time(u.updated_at),
      'is_anonymous', u.is_anonymous
    );
end
$function$;
grant execute on function auth.describe_user(u auth.users) to kanbase_identity;
comment on function auth.describe_user(u auth.users) is 'An account in the shape clients see.';

CREATE OR REPLACE FUNCTION auth.email()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
$function$;
grant execute on function auth.email() to public;
comment on function auth.email() is 'The address in the caller''s token.';

CREATE OR REPLACE FUNCTION auth.end_lasting_access(account uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select auth.raise_epoch_of(account);
  delete from public.calendar_feeds f where f.user_id = account;
  delete from private.exports e where e.user_id = account
$function$;
grant execute on function auth.end_lasting_access(account uuid) to kanbase_identity;
comment on function auth.end_lasting_access(account uuid) is 'Removes what a stranger made in an account whose mailbox they never proved: calendars, exports, all links.';

CREATE OR REPLACE FUNCTION auth.end_sessions_of_outcasts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$function$;
comment on function auth.end_sessions_of_outcasts() is 'Signs out who is banned or deleted softly.';

CREATE OR REPLACE FUNCTION auth.find_caller(user_id uuid, session_id uuid)
 RETURNS TABLE(outcome text, caller jsonb)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN ((u.id IS NULL) OR (u.deleted_at IS NOT NULL)) THEN 'user_not_found'::text
             WHEN ((find_caller.session_id IS NOT NULL) AND (s.id IS NULL)) THEN 'session_not_found'::text
             ELSE 'ok'::text
         END AS "case",
     auth.describe_user(u.*) AS describe_user
    FROM ((( SELECT find_caller.user_id AS id) wanted
      LEFT JOIN auth.users u ON ((u.id = wanted.id)))
      LEFT JOIN auth.sessions s ON (((s.id = find_caller.session_id) AND (s.user_id = u.id))));
END;
grant execute on function auth.find_caller(user_id uuid, session_id uuid) to kanbase_identity;
comment on function auth.find_caller(user_id uuid, session_id uuid) is 'The account behind an access token.';

CREATE OR REPLACE FUNCTION auth.hint_operator()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.raw_app_meta_data := case when new.is_operator then new.raw_app_meta_data || '{"operator": true}' else new.raw_app_meta_data - 'operator' end;
  return new;
end
$function$;
comment on function auth.hint_operator() is 'Writes into the token whether its account is an operator''s, for the menu of the app alone.';

CREATE OR REPLACE FUNCTION auth.is_invited(address text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.project_invitations i
    where lower(i.email) = lower(is_invited.address) and i.accepted_at is null and private.is_open_invitation(i)
  ) or exists (
    -- invited to the instance itself, and not come yet
    select from auth.users u
    where lower(u.email) = lower(is_invited.address) and not u.is_sso_user
      and u.invited_at is not null and u.email_confirmed_at is null and u.deleted_at is null
  )
$function$;
grant execute on function auth.is_invited(address text) to kanbase_identity;
comment on function auth.is_invited(address text) is 'Whether somebody with this address may make an account although sign-up is for invited people only.';

CREATE OR REPLACE FUNCTION auth.jwt()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb, '{}'::jsonb)
$function$;
grant execute on function auth.jwt() to public;
comment on function auth.jwt() is 'The claims of the caller''s token.';

CREATE OR REPLACE FUNCTION auth.note_ban()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.banned_since := case when new.banned_until > now() then case when old.banned_until > now() then old.banned_since else now() end end;
  return new;
end
$function$;
comment on function auth.note_ban() is 'Keeps since when an account is banned.';

CREATE OR REPLACE FUNCTION auth.note_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  ids text;
  n int;
begin
  -- Access tokens live seven days at most; the last may have come for a refresh token whose answer was lost.
  with noted as (
    insert into auth.ended_sessions (id)
    select id from gone where greatest(refreshed_at, updated_at) > now() - interval '7 days' returning id
  )
  select string_agg(id::text, ','), count(*) into ids, n from noted;
  if n > 0 then
    perform pg_notify('kanbase_ended_sessions', case when n > 200 then '' else ids end);
  end if;
  return null;
end
$function$;
comment on function auth.note_ended_sessions() is 'Notes sessions that end and tells the nodes.';

CREATE OR REPLACE FUNCTION auth.note_event(action text, actor auth.users, traits jsonb DEFAULT '{}'::jsonb, address text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into auth.audit_log_entries (payload, ip_address)
  values (jsonb_build_object(
    'action', action,
    'actor_id', actor.id,
    'actor_username', coalesce(actor.email, ''),
    'actor_via_sso', coalesce(actor.is_sso_user, false),
    'log_type', case
      when action in ('login', 'logout') then 'account'
      when action like 'token_%' then 'token'
      when action like 'factor_%' or action like 'challenge_%' then 'factor'
      when action like 'user_invited' or action like 'user_deleted' or action like 'user_signedup' then 'team'
      else 'user'
    end,
    'traits', traits
  ), coalesce(address, ''));
end
$function$;
grant execute on function auth.note_event(action text, actor auth.users, traits jsonb, address text) to kanbase_identity;

CREATE OR REPLACE FUNCTION auth.open_session(user_id uuid, method text, not_after timestamp with time zone, agent text, address text, audit jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  u auth.users;
  s auth.sessions;
begin
  update auth.users set last_sign_in_at = now(), updated_at = now()
  where id = open_session.user_id and deleted_at is null and (banned_until is null or banned_until <= now())
  returning * into u;
  if u.id is null then return null; end if;
  insert into auth.sessions (user_id, not_after, user_agent, ip, amr)
  values (
    u.id, open_session.not_after, agent, nullif(address, '')::inet,
    jsonb_build_array(jsonb_build_object('method', method, 'timestamp', floor(extract(epoch from now()))))
  )
  returning * into s;
  perform auth.note_event('login', u, audit, address);
  return jsonb_build_object(
    'session', jsonb_build_object('id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr),
    'user', auth.describe_user(u)
  );
end
$function$;
grant execute on function auth.open_session(user_id uuid, method text, not_after timestamp with time zone, agent text, address text, audit jsonb) to kanbase_identity;
comment on function auth.open_session(user_id uuid, method text, not_after timestamp with time zone, agent text, address text, audit jsonb) is 'Signs an account in.';

CREATE OR REPLACE FUNCTION auth.queue_mail(kind text, recipient text, data jsonb)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.queue_mail(queue_mail.kind, queue_mail.recipient, queue_mail.data)
$function$;
grant execute on function auth.queue_mail(kind text, recipient text, data jsonb) to kanbase_identity;

CREATE OR REPLACE FUNCTION auth.raise_access_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.access_epoch := old.access_epoch + 1;
  return new;
end
$function$;
comment on function auth.raise_access_epoch() is 'Raises the epoch with a new password, a ban, and a soft deletion.';

CREATE OR REPLACE FUNCTION auth.raise_epoch_of(account uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update auth.users u set access_epoch = u.access_epoch + 1 where u.id = account
$function$;
grant execute on function auth.raise_epoch_of(account uuid) to kanbase_identity;
comment on function auth.raise_epoch_of(account uuid) is 'Ends what opens without a session for an account: sign-out everywhere, reset by an administrator.';

CREATE OR REPLACE FUNCTION auth.refresh_session(session_id uuid, presented bigint, grace interval, timebox interval, inactivity interval, agent text, address text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  u auth.users;
  s auth.sessions;
  reused boolean := false;
begin
  select * into s from auth.sessions where id = refresh_session.session_id for update;
  if s.id is null then return '{"outcome": "not_found"}'; end if;
  select * into u from auth.users where id = s.user_id;
  if u.id is null or u.deleted_at is not null then return '{"outcome": "not_found"}'; end if;
  if u.banned_until > now() then return '{"outcome": "banned"}'; end if;
  if s.not_after < now() or (timebox > interval '0' and s.created_at + timebox < now()) then
    return '{"outcome": "expired"}';
  end if;
  if inactivity > interval '0' and s.refreshed_at + inactivity < now() then return '{"outcome": "inactive"}'; end if;

  if presented = s.refresh_counter then
    update auth.sessions
    set refresh_counter = refresh_counter + 1, refreshed_at = clock_timestamp(), updated_at = now(),
      user_agent = agent, ip = nullif(address, '')::inet
    where id = s.id returning * into s;
  elsif presented > s.refresh_counter then
    return '{"outcome": "not_found"}'; -- from a later life of this database, before it was restored
  elsif presented = s.refresh_counter - 1 or s.refreshed_at + grace > now() then
    reused := true;
    -- Not refreshed_at: the short while of older tokens would begin anew.
    update auth.sessions set updated_at = now(), user_agent = agent, ip = nullif(address, '')::inet
    where id = s.id returning * into s;
  else
    delete from auth.sessions where id = s.id;
    perform auth.note_event('token_revoked', u, jsonb_build_object('reason', 'refresh_token_reuse'), address);
    return '{"outcome": "already_used"}';
  end if;

  -- The line in the audit log is the caller's to write, many at a time: here it would double what a refresh writes.
  return jsonb_build_object(
    'outcome', 'ok',
    'reused', reused,
    'session', jsonb_build_object('id', s.id, 'counter', s.refresh_counter, 'aal', s.aal, 'amr', s.amr),
    'user', auth.describe_user(u)
  );
end
$function$;
grant execute on function auth.refresh_session(session_id uuid, presented bigint, grace interval, timebox interval, inactivity interval, agent text, address text) to kanbase_identity;
comment on function auth.refresh_session(session_id uuid, presented bigint, grace interval, timebox interval, inactivity interval, agent text, address text) is 'The next token of a session.';

CREATE OR REPLACE FUNCTION auth.refuse_operator()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = '42501',
    message = 'operators are not made here',
    hint = 'Use kanbase operator, or the one-time link in the start banner.';
end
$function$;

CREATE OR REPLACE FUNCTION auth.rehash_password(account uuid, old_hash text, new_hash text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform set_config('kanbase.rehashes_password', 'on', true);
  update auth.users u set encrypted_password = new_hash where u.id = account and u.encrypted_password = old_hash;
  perform set_config('kanbase.rehashes_password', '', true);
end
$function$;
grant execute on function auth.rehash_password(account uuid, old_hash text, new_hash text) to kanbase_identity;
comment on function auth.rehash_password(account uuid, old_hash text, new_hash text) is 'Stores the same password under a newer hash, without raising the epoch.';

CREATE OR REPLACE FUNCTION auth.role()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$function$;
grant execute on function auth.role() to public;
comment on function auth.role() is 'The role the caller''s token names.';

CREATE OR REPLACE FUNCTION auth.sweep(audit_days integer, session_idle_days integer, anonymous_days integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  swept jsonb := '{}';
  n bigint;
begin
  delete from auth.one_time_tokens where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('one_time_tokens', n);
  delete from auth.flow_state where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('flow_state', n);
  delete from auth.mfa_challenges where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('mfa_challenges', n);
  delete from auth.webauthn_challenges where expires_at < now();
  get diagnostics n = row_count; swept := swept || jsonb_build_object('webauthn_challenges', n);
  delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day';
  get diagnostics n = row_count; swept := swept || jsonb_build_object('mfa_factors', n);
  delete from auth.sessions
  where not_after < now()
    or (session_idle_days > 0 and refreshed_at < now() - make_interval(days => session_idle_days));
  get diagnostics n = row_count; swept := swept || jsonb_build_object('sessions', n);
  -- Eight days: a day longer than any access token lives.
  delete from auth.ended_sessions where ended_at < now() - interval '8 days';
  get diagnostics n = row_count; swept := swept || jsonb_build_object('ended_sessions', n);
  if audit_days > 0 then
    delete from auth.audit_log_entries where created_at < now() - make_interval(days => audit_days);
    get diagnostics n = row_count; swept := swept || jsonb_build_object('audit_log_entries', n);
  end if;
  if anonymous_days > 0 then
    delete from auth.users
    where is_anonymous and coalesce(last_sign_in_at, created_at) < now() - make_interval(days => anonymous_days)
      and not exists (
        select from auth.sessions s
        where s.user_id = users.id and s.refreshed_at > now() - make_interval(days => anonymous_days)
      );
    get diagnostics n = row_count; swept := swept || jsonb_build_object('anonymous_users', n);
  end if;
  return swept;
end
$function$;
grant execute on function auth.sweep(audit_days integer, session_idle_days integer, anonymous_days integer) to kanbase_identity;
comment on function auth.sweep(audit_days integer, session_idle_days integer, anonymous_days integer) is 'Removes what has expired.';

CREATE OR REPLACE FUNCTION auth.take_brought_identity()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;
comment on function auth.take_brought_identity() is 'Puts right what a dump of Supabase writes differently.';

CREATE OR REPLACE FUNCTION auth.take_brought_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;
comment on function auth.take_brought_user() is 'Puts right what a dump of Supabase writes differently.';

CREATE OR REPLACE FUNCTION auth.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (NULLIF(((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'sub'::text), ''::text))::uuid AS "nullif";
END;
grant execute on function auth.uid() to public;
comment on function auth.uid() is 'The user the caller''s token speaks for.';

CREATE OR REPLACE FUNCTION auth.wire_time(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text);
grant execute on function auth.wire_time(moment timestamp with time zone) to kanbase_identity;

CREATE OR REPLACE FUNCTION billing.customer_of(user_id uuid, livemode boolean)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.id
  from billing.customers c
  where c.user_id = customer_of.user_id
    and (customer_of.livemode is null or c.livemode = customer_of.livemode)
    and c.deleted_at is null
  order by
    exists (
      select from billing.subscriptions s
      where s.customer_id = c.id and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused')
    ) desc,
    c.linked_at desc nulls last,
    c.id desc
  limit 1
$function$;
grant execute on function billing.customer_of(user_id uuid, livemode boolean) to kanbase_billing;

CREATE OR REPLACE FUNCTION billing.is_later(known billing.subscriptions, told billing.subscriptions)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when told.told_at <> known.told_at then told.told_at > known.told_at
    when told.told_rank <> known.told_rank then told.told_rank > known.told_rank
    -- Same second, same kind: an update names what it changed, as it was before. The state that still looks so came first.
    when known.told_before <> '{}' and told.told_state @> known.told_before
      then told.told_before <> '{}' and known.told_state @> told.told_before
    else true
  end
$function$;
grant execute on function billing.is_later(known billing.subscriptions, told billing.subscriptions) to kanbase_billing;

CREATE OR REPLACE FUNCTION billing.record_event(event jsonb, effect jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  happened timestamptz := (event ->> 'happened_at')::timestamptz;
  live boolean := coalesce((event ->> 'livemode')::boolean, false);
  is_new boolean;
  customer jsonb := effect -> 'customer';
  buyer uuid;
begin
  -- Of two deliveries at once the second waits here until the first has committed or given up.
  insert into billing.events (id, kind, livemode, happened_at, is_handled, payload)
  values (
    event ->> 'id', event ->> 'kind', (event ->> 'livemode')::boolean, happened,
    coalesce((event ->> 'is_handled')::boolean, false), event -> 'payload'
  )
  on conflict (id) do nothing
  returning true into is_new;
  if is_new is null then
    return false;
  end if;

  buyer := private.keep_account((effect ->> 'user_id')::uuid);

  if customer is not null then
    insert into billing.customers as known (id, user_id, email, livemode, told_at, linked_at, deleted_at)
    values (
      customer ->> 'id', buyer, customer ->> 'email', live,
      case when customer ? 'email' then happened else '-infinity' end,
      case when buyer is not null then happened end,
      (customer ->> 'deleted_at')::timestamptz
    )
    on conflict (id) do update set
      user_id = coalesce(known.user_id, excluded.user_id), -- a customer is linked once and stays theirs
      linked_at = coalesce(known.linked_at, excluded.linked_at),
      email = case when excluded.told_at >= known.told_at then coalesce(excluded.email, known.email) else known.email end,
      told_at = greatest(excluded.told_at, known.told_at),
      deleted_at = coalesce(known.deleted_at, excluded.deleted_at);
  end if;

  if effect ? 'subscription' then
    insert into billing.subscriptions as known (
      id, customer_id, livemode, status, price_id, quantity, current_period_end, cancel_at, cancel_at_period_end,
      canceled_at, ended_at, trial_end, started_at, told_at, told_rank, told_state, told_before
    )
    select s.id, s.customer_id, live, s.status, s.price_id, s.quantity, s.current_period_end, s.cancel_at,
      coalesce(s.cancel_at_period_end, false), s.canceled_at, s.ended_at, s.trial_end, s.started_at,
      happened, s.told_rank, s.told_state, coalesce(s.told_before, '{}')
    from jsonb_populate_record(null::billing.subscriptions, effect -> 'subscription') s
    on conflict (id) do update set
      customer_id = excluded.customer_id,
      status = excluded.status,
      price_id = excluded.price_id,
      quantity = excluded.quantity,
      current_period_end = excluded.current_period_end,
      cancel_at = excluded.cancel_at,
      cancel_at_period_end = excluded.cancel_at_period_end,
      canceled_at = excluded.canceled_at,
      ended_at = excluded.ended_at,
      trial_end = excluded.trial_end,
      started_at = excluded.started_at,
      told_at = excluded.told_at,
      told_rank = excluded.told_rank,
      told_state = excluded.told_state,
      told_before = excluded.told_before,
      updated_at = now()
    where billing.is_later(known, excluded);
  end if;

  if effect ? 'purchase' then
    insert into billing.purchases as known (
      id, customer_id, user_id, livemode, price_id, payment_id, amount, currency, status, bought_at
    )
    select p.id, p.customer_id, buyer, live, p.price_id, p.payment_id, p.amount, p.currency, p.status, happened
    from jsonb_populate_record(null::billing.purchases, effect -> 'purchase') p
    on conflict (id) do update set
      customer_id = coalesce(known.customer_id, excluded.customer_id),
      user_id = coalesce(known.user_id, excluded.user_id),
      price_id = coalesce(known.price_id, excluded.price_id),
      payment_id = coalesce(known.payment_id, excluded.payment_id),
      amount = coalesce(excluded.amount, known.amount),
      currency = coalesce(excluded.currency, known.currency),
      -- Pending becomes paid or failed and never the other way round, however late "pending" arrives.
      status = case when known.status = 'pending' then excluded.status else known.status end,
      bought_at = least(known.bought_at, excluded.bought_at);
  end if;

  if effect ? 'invoice' then
    insert into billing.invoices as known (
      id, customer_id, subscription_id, livemode, status, amount, currency, hosted_url, told_at
    )
    select i.id, i.customer_id, i.subscription_id, live, i.status, i.amount, i.currency, i.hosted_url, happened
    from jsonb_populate_record(null::billing.invoices, effect -> 'invoice') i
    on conflict (id) do update set
      status = excluded.status,
      subscription_id = coalesce(excluded.subscription_id, known.subscription_id),
      amount = excluded.amount,
      hosted_url = coalesce(excluded.hosted_url, known.hosted_url),
      told_at = greatest(known.told_at, excluded.told_at)
    where known.status <> 'paid'; -- paid is the end of an invoice, whatever arrives after it
  end if;

  if effect ? 'reversal' then
    insert into billing.reversals as known (id, payment_id, kind, status, told_at, told_rank)
    select r.id, r.payment_id, r.kind, r.status, happened, r.told_rank
    from jsonb_populate_record(null::billing.reversals, effect -> 'reversal') r
    on conflict (id) do update set
      status = excluded.status,
      told_at = excluded.told_at,
      told_rank = excluded.told_rank
    where (excluded.told_at, excluded.told_rank) >= (known.told_at, known.told_rank);
  end if;

  return true;
end
$function$;
grant execute on function billing.record_event(event jsonb, effect jsonb) to kanbase_billing;

CREATE OR REPLACE FUNCTION data_door.admit_list(list_bytes bigint, row_count bigint, most_bytes bigint, most_rows bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  total_bytes bigint := coalesce(nullif(current_setting('kanbase.list_bytes', true), ''), '0')::bigint + list_bytes;
  total_rows bigint := coalesce(nullif(current_setting('kanbase.list_rows', true), ''), '0')::bigint + row_count;
begin
  if most_bytes > 0 and total_bytes > most_bytes then
    raise exception 'The answer is too large' using errcode = 'KBD04', detail = most_bytes::text;
  end if;
  if most_rows > 0 and total_rows > most_rows then
    raise exception 'The answer embeds too many rows' using errcode = 'KBD05', detail = most_rows::text;
  end if;
  perform set_config('kanbase.list_bytes', total_bytes::text, true), set_config('kanbase.list_rows', total_rows::text, true);
  return true;
end
$function$;
grant execute on function data_door.admit_list(list_bytes bigint, row_count bigint, most_bytes bigint, most_rows bigint) to public;
comment on function data_door.admit_list(list_bytes bigint, row_count bigint, most_bytes bigint, most_rows bigint) is 'Adds an embedded list to what this transaction has made so far, and ends the statement when that is too much.';

CREATE OR REPLACE FUNCTION data_door.refuse_result(reason text, row_count bigint)
 RETURNS integer
 LANGUAGE plpgsql
 PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  raise exception 'The result was refused' using errcode = reason, detail = row_count::text;
end
$function$;
grant execute on function data_door.refuse_result(reason text, row_count bigint) to public;
comment on function data_door.refuse_result(reason text, row_count bigint) is 'Ends the statement with that SQLSTATE; the number of rows goes into the details.';

CREATE OR REPLACE FUNCTION data_door.set_deleted_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('update %s t set deleted_at = now() where %s', tg_relid::regclass, (
    select string_agg(format('t.%1$I = ($1).%1$I', a.attname), ' and ') from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = tg_relid and i.indisprimary
  )) using old;
  return null;
end
$function$;
grant execute on function data_door.set_deleted_at() to public;
comment on function data_door.set_deleted_at() is 'Before a row is deleted: marks it instead.';

CREATE OR REPLACE FUNCTION data_door.sets_deleted_at(relation regclass)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from pg_catalog.pg_trigger t
    where t.tgrelid = relation and t.tgfoid = 'data_door.set_deleted_at()'::regprocedure and t.tgenabled <> 'D'
  )
$function$;
grant execute on function data_door.sets_deleted_at(relation regclass) to public;
comment on function data_door.sets_deleted_at(relation regclass) is 'Whether deleting a row of this table sets its deleted_at.';

CREATE OR REPLACE FUNCTION private.add_figures(changes private.figure_change[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.project_figures as f (project_id, figure, key, shard, amount)
  select c.project_id, c.figure, c.key, pg_backend_pid() % 8, sum(c.delta)
  from unnest(changes) as c
  join public.projects p on p.id = c.project_id -- not when the project itself is going
  group by c.project_id, c.figure, c.key
  having sum(c.delta) <> 0
  order by c.project_id, c.figure, c.key
  on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_flow(changes private.flow_change[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select c.project_id, (now() at time zone 'utc')::date, c.column_id, pg_backend_pid() % 8, sum(c.delta)
  from unnest(changes) as c
  join public.projects p on p.id = c.project_id
  group by c.project_id, c.column_id
  having sum(c.delta) <> 0
  order by c.project_id, c.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_room_role(role_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.ensure_role(role_name, 'nologin noinherit');
  perform private.let_become(role_name);
end
$function$;

CREATE OR REPLACE FUNCTION private.add_watchers(wanted private.watcher[], reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.task_watchers (project_id, task_id, user_id, reason)
  select distinct w.project_id, w.task_id, w.user_id, add_watchers.reason
  from unnest(wanted) w
  join public.project_members m on m.project_id = w.project_id and m.user_id = w.user_id
  order by w.project_id, w.task_id, w.user_id
  on conflict (project_id, task_id, user_id) do nothing;
end
$function$;
comment on function private.add_watchers(wanted private.watcher[], reason text) is 'Makes members watchers of tasks, unless they have stopped watching them.';

CREATE OR REPLACE FUNCTION private.address_invitation(letter uuid, token_hash bytea, sealed text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  invitation uuid;
begin
  update private.outbox o set data = jsonb_build_object('sealed', address_invitation.sealed)
  from public.project_invitations i
  where o.id = letter and o.kind = 'project_invitation' and i.id = (o.data ->> 'invitation_id')::uuid
    and i.accepted_at is null and i.expires_at > now()
  returning i.id into invitation;
  if not found then
    return false;
  end if;
  insert into private.invitation_tokens (token_hash, invitation_id) values (address_invitation.token_hash, invitation);
  return true;
end
$function$;
grant execute on function private.address_invitation(letter uuid, token_hash bytea, sealed text) to kanbase_mail;
comment on function private.address_invitation(letter uuid, token_hash bytea, sealed text) is 'Gives the letter of an invitation its token, right before it leaves.';

CREATE OR REPLACE FUNCTION private.apply_change(verb text, table_name text, rows jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  target constant regclass := (
    select c.oid from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = table_name
  );
  keys constant text[] := array(
    select a.attname from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = target and i.indisprimary
    order by a.attnum
  );
  -- A task says which project.
  needed constant text[] := case when 'task_id' = any (keys) then array_remove(keys, 'project_id') else keys end;
  named constant text[] := array(select jsonb_object_keys(rows -> 0) order by 1);
  given constant text := format('jsonb_populate_recordset(null::%s, $1)', target);
  same_row constant text := (select string_agg(format('t.%1$I = g.%1$I', k), ' and ') from unnest(needed) k);
  answer jsonb;
  missing jsonb;
begin
  if target is null then
    raise exception using errcode = '22023', message = format('there is no table %s', quote_nullable(table_name)), hint = 'Name a table of the schema public.';
  elsif not needed <@ named and verb <> 'insert' then
    raise exception using errcode = '22023', message = format('rows of %s are named by %s', table_name, array_to_string(needed, ', ')),
      hint = 'Every row of an update or a deletion needs these columns.';
  elsif exists (select from jsonb_array_elements(rows) r where array(select jsonb_object_keys(r) order by 1) <> named) then
    raise exception using errcode = '22023', message = 'the rows of one change must name the same columns', hint = 'Make it several changes.';
  end if;

  if verb = 'insert' then
    -- What is sent twice arrives once.
    execute format(
      'with done as (insert into %1$s as t (%2$s) select %2$s from %3$s on conflict (%4$s) do nothing returning t.*)
       select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%I', n), ', ') from unnest(named) n), given, (select string_agg(format('%I', k), ', ') from unnest(keys) k)
    ) into answer using rows;
    return coalesce(answer, '[]');
  elsif verb = 'update' and named <@ needed then
    return '[]';
  elsif verb = 'update' then
    execute format(
      'with done as (update %s t set %s from %s g where %s returning t.*) select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%1$I = g.%1$I', n), ', ') from unnest(named) n where n <> all (needed)), given, same_row
    ) into answer using rows;
    -- Long, and known to whoever did not change it.
    if table_name = 'tasks' and 'description' <> all (named) then
      answer := (select jsonb_agg(r - 'description') from jsonb_array_elements(answer) r);
    end if;
  elsif verb = 'delete' then
    execute format(
      'with done as (' || case when data_door.sets_deleted_at(target) then 'update %s t set deleted_at = now() from %s g' else 'delete from %s t using %s g' end
        || ' where %s returning %s) select jsonb_agg(to_jsonb(d)) from done d',
      target, given, same_row, (select string_agg(format('t.%I', k), ', ') from unnest(needed) k)
    ) into answer using rows;
  else
    raise exception using errcode = '22023', message = format('a change cannot %s', quote_nullable(verb)), hint = 'It is an insert, update, delete or move.';
  end if;
  if jsonb_array_length(rows) = coalesce(jsonb_array_length(answer), 0) then
    return answer;
  end if;

  -- Policies pass over rows without a word. One that the caller sees was not theirs to write; one that is gone is what a deletion wanted.
  execute format(
    'select to_jsonb(g) from %s g where exists (select from %s t where %s)
       and not exists (select from jsonb_populate_recordset(null::%2$s, $2) t where %3$s) limit 1',
    given, target, same_row
  ) into missing using rows, coalesce(answer, '[]');
  if missing is not null then
    raise exception using errcode = '42501', message = 'this may not be changed by you', hint = 'Ask an owner of the project.';
  elsif verb = 'update' then
    raise exception using errcode = 'PT404', message = 'it is gone', hint = 'Read again what is there.';
  end if;
  return coalesce(answer, '[]');
end
$function$;
grant execute on function private.apply_change(verb text, table_name text, rows jsonb) to authenticated;
grant execute on function private.apply_change(verb text, table_name text, rows jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.apply_rows(verb text, table_name text, rows jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  if verb is distinct from 'move' then
    return private.apply_change(verb, table_name, rows);
  elsif table_name is distinct from 'tasks' then
    raise exception using errcode = '22023', message = 'only tasks are moved', hint = 'Name the table tasks, or make the change an update.';
  end if;
  answer := private.move_together(rows);
  if jsonb_array_length(answer) < jsonb_array_length(rows) then
    perform private.raise_not_found('task');
  end if;
  return answer;
end
$function$;
grant execute on function private.apply_rows(verb text, table_name text, rows jsonb) to authenticated;
grant execute on function private.apply_rows(verb text, table_name text, rows jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.are_options(options jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN ((jsonb_typeof(options) = 'array'::text) AND (jsonb_array_length(options) <= 100) AND (NOT (EXISTS (SELECT FROM jsonb_array_elements(are_options.options) o(value) WHERE ((jsonb_typeof(o.value) <> 'object'::text) OR (COALESCE((o.value ->> 'id'::text), ''::text) !~ '^[A-Za-z0-9_-]{1,40}$'::text) OR (jsonb_typeof((o.value -> 'name'::text)) IS DISTINCT FROM 'string'::text) OR ((o.value ->> 'name'::text) !~ '[^[:space:]]'::text) OR (char_length((o.value ->> 'name'::text)) > 100) OR (COALESCE((o.value ->> 'color'::text), '#000000'::text) !~ '^#[0-9A-Fa-f]{6}$'::text) OR ((o.value - ARRAY['id'::text, 'name'::text, 'color'::text]) <> '{}'::jsonb))))) AND (SELECT ((count(DISTINCT (o.value ->> 'id'::text)) = count(*)) AND (count(DISTINCT lower((o.value ->> 'name'::text))) = count(*))) FROM jsonb_array_elements(are_options.options) o(value)));
grant execute on function private.are_options(options jsonb) to authenticated;
grant execute on function private.are_options(options jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.as_picture_address(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((char_length(address) <= 2000) AND (address ~ '^(https://[[:alnum:].-]+(:[0-9]+)?(/[^[:space:][:cntrl:]\\]*)?|/([^/[:space:][:cntrl:]\\][^[:space:][:cntrl:]\\]*)?)$'::text)) THEN address ELSE NULL::text END;
grant execute on function private.as_picture_address(address text) to authenticated;
grant execute on function private.as_picture_address(address text) to service_role;
comment on function private.as_picture_address(address text) is 'The address of a picture, or null when it is none.';

CREATE OR REPLACE FUNCTION private.assign_awaited()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  importing constant text := current_setting('kanbase.importing', true);
begin
  perform set_config('kanbase.importing', 'on', true);
  with theirs as (
    delete from private.awaited_assignees w using auth.users u
    where u.id = new.user_id and u.email_confirmed_at is not null and w.project_id = new.project_id and w.email = lower(u.email)
    returning w.task_id
  )
  insert into public.task_assignees (project_id, task_id, user_id)
  select new.project_id, t.task_id, new.user_id from theirs t
  on conflict do nothing;
  perform set_config('kanbase.importing', coalesce(importing, ''), true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.attachment_project(object_name text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.'::text) THEN ("left"(object_name, 36))::uuid ELSE NULL::uuid END;
grant execute on function private.attachment_project(object_name text) to authenticated;

CREATE OR REPLACE FUNCTION private.attachment_task(object_name text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (private.attachment_project(object_name) IS NOT NULL) THEN (substr(object_name, 38, 36))::uuid ELSE NULL::uuid END;
grant execute on function private.attachment_task(object_name text) to authenticated;

CREATE OR REPLACE FUNCTION private.attachments_in(words text)
 RETURNS TABLE(id uuid, place bigint)
 LANGUAGE sql
 IMMUTABLE
BEGIN ATOMIC
 SELECT (lower(found.part[1]))::uuid AS lower,
     min(found.place) AS min
    FROM regexp_matches(attachments_in.words, 'attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'::text, 'gi'::text) WITH ORDINALITY found(part, place)
   GROUP BY (lower(found.part[1]))::uuid;
END;
comment on function private.attachments_in(words text) is 'Ids of the attachments that a text in Markdown names.';

CREATE OR REPLACE FUNCTION private.avatar_project(object_name text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (object_name ~ '^projects/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.'::text) THEN (substr(object_name, 10, 36))::uuid ELSE NULL::uuid END;
grant execute on function private.avatar_project(object_name text) to authenticated;

CREATE OR REPLACE FUNCTION private.begin_project(project_name text, project_description text, project_key text, project_color text)
 RETURNS public.projects
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  project public.projects;
begin
  insert into public.projects (name, description, key, color, created_by)
  values (
    project_name,
    coalesce(project_description, ''),
    coalesce(upper(nullif(trim(project_key), '')), private.propose_key(project_name, me)),
    project_color,
    me
  )
  returning * into project;
  insert into public.project_members (project_id, user_id, role) values (project.id, me, 'owner');
  return project;
end
$function$;
grant execute on function private.begin_project(project_name text, project_description text, project_key text, project_color text) to authenticated;
grant execute on function private.begin_project(project_name text, project_description text, project_key text, project_color text) to service_role;

CREATE OR REPLACE FUNCTION private.billing_of(user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with mode as (
    select (select p.livemode from billing.provider p) as live
  )
  select jsonb_build_object(
    'customer', billing.customer_of(billing_of.user_id, mode.live) is not null,
    'plan', (
      select jsonb_build_object('price_id', plans.price_id, 'name', plans.name, 'limits', plans.limits)
      from billing.plans
      where plans.price_id = case when source.is_running then source.price_id else 'free' end
    ),
    'price_id', source.price_id,
    -- What that price is called, also when it does not give the plan any more.
    'price_name', (select plans.name from billing.plans where plans.price_id = source.price_id),
    'status', source.status,
    'renews_at', source.renews_at,
    'ends_at', source.ends_at,
    'trial_ends_at', source.trial_ends_at,
    'payment_failed', coalesce(source.payment_failed, false),
    'purchases', coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'id', p.id, 'price_id', p.price_id, 'name', plans.name, 'amount', p.amount, 'currency', p.currency,
            'status', p.status, 'bought_at', p.bought_at
          )
          order by p.bought_at desc, p.id
        )
        from billing.purchase_outcomes p
        left join billing.customers c on c.id = p.customer_id
        left join billing.plans on plans.price_id = p.price_id
        where (p.user_id = billing_of.user_id or (p.user_id is null and c.user_id = billing_of.user_id))
          and (mode.live is null or p.livemode = mode.live)
      ),
      '[]'
    )
  )
  from mode
  left join private.plan_source(billing_of.user_id) source on true
$function$;

CREATE OR REPLACE FUNCTION private.bring_project_back(of_project uuid)
 RETURNS public.projects
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one public.projects := private.require_kept_owner(of_project);
begin
  if found_one.id is not null then
    update public.projects p set deleted_at = null where p.id = found_one.id returning p.* into found_one;
    return found_one;
  end if;
  -- Asked again because the answer was lost.
  select p.* into found_one from public.projects p where p.id = of_project and private.is_owner(p.id);
  if not found then
    perform private.raise_not_found('project');
  end if;
  return found_one;
end
$function$;
grant execute on function private.bring_project_back(of_project uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.carry_fields()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select new.project_id, new.id, (there.held ->> 'field_id')::uuid, there.held -> 'value'
  from private.former_places p
  cross join jsonb_to_recordset(coalesce(p.left_behind -> 'fields', '[]')) as e (name text, kind public.custom_field_kind, value jsonb, options jsonb)
  cross join lateral (select private.value_in(new.project_id, e.name, e.kind, e.value, e.options) as held) there
  where p.project_id = old.project_id and p.task_id = new.id and there.held is not null
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.carry_tasks(task_ids uuid[], to_project uuid, to_column uuid, brings_back boolean)
 RETURNS SETOF public.tasks
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_service constant boolean := auth.role() = 'service_role';
  moving uuid[];
  former private.former_places[];
  places private.task_place[];
  worn jsonb;
  gone jsonb;
begin
  -- Moves between projects are seldom: one at a time, so that two of them never wait for each other's columns and figures.
  perform pg_advisory_xact_lock(3084);
  perform from public.tasks t
  where t.id = any (task_ids) and (is_service or t.project_id = any (private.my_projects()))
  order by t.id for update;
  -- What is under them goes along, and nothing comes under them meanwhile.
  perform private.hold_outline(p.id, true) from (
    select to_project as id union select t.project_id from public.tasks t where t.id = any (task_ids) order by 1
  ) p;
  perform from public.tasks t where t.id in (select private.with_subtasks(task_ids)) order by t.id for update;
  if (select count(*) from public.tasks t where t.id = any (task_ids) and (is_service or t.project_id = any (private.my_projects())))
    < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  end if;
  if not is_service and (not private.is_writer(to_project) or exists (
    select from public.tasks t where t.id = any (task_ids) and not private.is_writer(t.project_id)
  )) then
    raise exception using
      errcode = '42501',
      message = 'permission denied to move tasks between these projects: your role in one of them does not allow it',
      hint = 'Ask an owner of both projects for the editor role.';
  end if;
  moving := array(
    select t.id from public.tasks t
    where t.id in (select private.with_subtasks(task_ids)) and t.project_id <> to_project order by t.id
  );
  if cardinality(moving) = 0 then
    -- Asked again because the answer was lost.
    return query select t.* from public.tasks t where t.id = any (task_ids);
    return;
  end if;
  -- Who is a member now stays one until this is done.
  perform from public.project_members m where m.project_id = to_project order by m.user_id for key share;

  perform set_config('kanbase.carrying', 'on', true);
  gone := private.let_go_of_project(moving, to_project);
  former := array(select f from private.former_places f where f.project_id = to_project and f.task_id = any (moving));
  places := private.places_in(to_project, moving, to_column, brings_back);
  worn := (
    select jsonb_agg(jsonb_build_object('task_id', k.task_id, 'name', l.name, 'color', l.color))
    from public.task_label_links k join public.task_labels l on l.id = k.label_id
    where k.task_id = any (moving)
  );
  delete from public.task_label_links k where k.task_id = any (moving);
  delete from private.former_places f where f.project_id = to_project and f.task_id = any (moving);
  insert into private.former_places (project_id, task_id, now_in, number, key, column_id, order_rank, left_behind)
  select t.project_id, t.id, t.project_id, t.number, p.key, t.column_id, t.order_rank, gone -> t.id::text
  from public.tasks t join public.projects p on p.id = t.project_id where t.id = any (moving);

  -- All that hangs on them follows by its keys.
  update public.tasks t set project_id = to_project, column_id = p.column_id, number = p.number, order_rank = p.order_rank
  from unnest(places) p where t.id = p.task_id;
  update storage.objects o set name = to_project || substr(o.name, 37)
  from unnest(places) p
  where o.bucket_id = 'attachments'
    and o.name > p.from_project || '/' || p.task_id || '/' and o.name < p.from_project || '/' || p.task_id || '0';
  update private.removed_files o set name = to_project || substr(o.name, 37)
  from unnest(places) p
  where o.bucket_id = 'attachments'
    and o.name > p.from_project || '/' || p.task_id || '/' and o.name < p.from_project || '/' || p.task_id || '0';

  insert into public.task_labels (project_id, name, color)
  select distinct on (lower(l.name)) to_project, l.name, l.color
  from jsonb_to_recordset(worn) as l (name text, color text)
  order by lower(l.name)
  on conflict do nothing;
  insert into public.task_label_links (project_id, task_id, label_id)
  select to_project, w.task_id, l.id
  from jsonb_to_recordset(worn) as w (task_id uuid, name text)
  join public.task_labels l on l.project_id = to_project and lower(l.name) = lower(w.name);
  if brings_back then
    perform private.take_up_again(f.task_id, to_project, f.left_behind) from unnest(former) f;
  end if;

  update public.notifications n set data = n.data || jsonb_build_object('task_number', p.number)
  from unnest(places) p where n.task_id = p.task_id and n.data ? 'task_number';
  -- From a column to one of the same name: that is no news.
  delete from public.notifications n
  where n.task_id = any (moving) and n.kind = 'state_changed' and n.created_at = now() and n.data ->> 'from' = n.data ->> 'to';
  perform private.index_task(id) from unnest(moving) id;
  perform set_config('kanbase.carrying', 'off', true);
  perform private.record_carried(places, to_project);
  return query select t.* from public.tasks t where t.id = any (task_ids || moving);
end
$function$;
grant execute on function private.carry_tasks(task_ids uuid[], to_project uuid, to_column uuid, brings_back boolean) to authenticated;
grant execute on function private.carry_tasks(task_ids uuid[], to_project uuid, to_column uuid, brings_back boolean) to service_role;
comment on function private.carry_tasks(task_ids uuid[], to_project uuid, to_column uuid, brings_back boolean) is 'Moves tasks to another project, with all that hangs on them.';

CREATE OR REPLACE FUNCTION private.charge_budgets(charges jsonb, refill double precision)
 RETURNS TABLE(person text, spent double precision)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  now_at constant timestamptz := clock_timestamp();
begin
  if random() < 0.01 then
    delete from private.work_budgets b where b.charged_at < now_at - interval '1 hour';
  end if;
  return query
    insert into private.work_budgets as b (person, spent, charged_at)
    -- in one order, so that two nodes never wait for each other
    select c.key, c.value::double precision, now_at from jsonb_each_text(charges) c order by c.key
    on conflict (person) do update set
      spent = greatest(0, b.spent - greatest(extract(epoch from now_at - b.charged_at), 0) * 1000 * refill) + excluded.spent,
      charged_at = now_at
    returning b.person, b.spent;
end
$function$;
grant execute on function private.charge_budgets(charges jsonb, refill double precision) to kanbase_limits;
comment on function private.charge_budgets(charges jsonb, refill double precision) is 'Adds charges by person; answers what each has used on all nodes.';

CREATE OR REPLACE FUNCTION private.check_field_default()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  checked jsonb;
begin
  if tg_op = 'UPDATE' and new.default_value is not distinct from old.default_value then
    new.default_value := private.read_field_value(new.kind, new.options, case new.kind
      when 'multi_select' then (
        select jsonb_agg(v) from jsonb_array_elements(new.default_value) v where exists (
          select from jsonb_array_elements(new.options) o where o -> 'id' = v)
      )
      else new.default_value
    end);
    return new;
  end if;
  checked := private.read_field_value(new.kind, new.options, new.default_value);
  if checked is null or (new.kind = 'person' and exists (select from public.projects p where p.id = new.project_id) and not private.hold_member(new.project_id, (checked #>> '{}')::uuid)) then
    perform private.refuse_field_value('custom_fields', new);
  end if;
  new.default_value := checked;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_field_value()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  field public.custom_fields;
  checked jsonb;
begin
  select f.* into field from public.custom_fields f where f.project_id = new.project_id and f.id = new.field_id for share;
  if not found then
    return new;
  end if;
  checked := private.read_field_value(field.kind, field.options, new.value);
  if checked is null or (field.kind = 'person' and not private.hold_member(new.project_id, (checked #>> '{}')::uuid)) then
    perform private.refuse_field_value('task_field_values', field);
  end if;
  new.value := checked;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_outline()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 8;
  above integer;
  below integer;
  closed boolean;
begin
  with recursive up (id, parent_id, level) as (
    select new.id, new.parent_id, 1
    union all
    select t.id, t.parent_id, up.level + 1
    from up join public.tasks t on t.project_id = new.project_id and t.id = up.parent_id
    where up.level <= most + 1
  )
  select max(up.level), coalesce(bool_or(up.id = new.id and up.level > 1), false) into above, closed from up;
  if closed then
    raise exception using
      errcode = 'KB008',
      message = 'a task cannot be a part of itself',
      detail = 'The parent is the task itself or stands somewhere below it.',
      hint = 'Move the parent out first, or choose another one.';
  end if;
  with recursive down (id, level) as (
    select new.id, 1
    union all
    select t.id, down.level + 1
    from down join public.tasks t on t.project_id = new.project_id and t.parent_id = down.id
    where down.level <= most
  )
  select max(down.level) into below from down;
  if above + below - 1 > most then
    raise exception using
      errcode = 'KB009',
      message = format('subtasks go no deeper than %s levels', most),
      detail = format('This would make it %s.', above + below - 1),
      hint = 'Choose a parent further up.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_required_fields()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- None of them goes while this is under way.
  perform from public.custom_fields f where f.project_id = new.project_id and f.id = any (new.required_fields) order by f.id for key share;
  if exists (
    select from unnest(new.required_fields) n (id)
    where not exists (select from public.custom_fields f where f.project_id = new.project_id and f.id = n.id)
  ) then
    raise exception using errcode = '23503', message = 'insert or update on table "workflow_columns" violates "workflow_columns_fields_of_same_project"',
      detail = 'A column needs fields of its own project.', hint = 'Name fields of this project in required_fields.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_template()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  problem text;
begin
  if new.project_id is null and new.owner_id is null and new.built_in is null then
    new.owner_id := auth.uid();
  end if;
  -- Nothing is said by leaving it out.
  new.body := jsonb_strip_nulls(new.body);
  if octet_length(new.body::text) > 2000000 then
    problem := 'it is larger than 2,000,000 bytes';
  else
    problem := coalesce(private.problem_of_setup(new.body), private.problem_of_tasks(new.kind, new.body));
  end if;
  if problem is not null then
    raise exception using
      errcode = 'KB015',
      message = 'this is no template: ' || problem,
      hint = 'docs/guides/templates.md says what the document of a template is.';
  end if;
  new.holds := jsonb_build_object(
    'columns', (select coalesce(jsonb_agg(c.one -> 'name' order by c.place), '[]') from jsonb_array_elements(new.body -> 'columns') with ordinality as c (one, place)),
    'labels', coalesce(jsonb_array_length(new.body -> 'labels'), 0),
    'fields', coalesce(jsonb_array_length(new.body -> 'fields'), 0),
    'views', coalesce(jsonb_array_length(new.body -> 'views'), 0),
    'tasks', coalesce(jsonb_array_length(new.body -> 'tasks'), 0),
    'steps', (select coalesce(sum(jsonb_array_length(coalesce(t -> 'checklist', '[]'))), 0) from jsonb_array_elements(new.body -> 'tasks') t),
    'has_days', exists (select from jsonb_array_elements(new.body -> 'tasks') t where t ->> 'start_in' is not null or t ->> 'due_in' is not null)
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_author()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  author_column constant text := tg_argv[0];
  claimed constant text := to_jsonb(new) ->> author_column;
  is_theirs boolean;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  if claimed is null then
    return jsonb_populate_record(new, jsonb_build_object(author_column, auth.uid()));
  end if;
  execute format('select true from %I.%I where id = $1 and %I = $2 for key share', tg_table_schema, tg_table_name, author_column)
    into is_theirs using new.id, claimed::uuid;
  if is_theirs is not true then
    raise exception using
      errcode = '42501',
      message = format('"%s" of %s is whoever makes the row', author_column, tg_table_name),
      hint = format('Leave "%s" out of the body.', author_column);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_desk(token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account constant auth.users := private.desk_caller();
begin
  -- One at a time: two who open two links at once.
  perform pg_advisory_xact_lock(hashtext('kanbase operators'));
  perform from private.operator_links l where l.token_hash = sha256(convert_to(coalesce(claim_desk.token, ''), 'UTF8')) and l.expires_at > now();
  if not found or private.has_operator() then
    raise exception using
      errcode = 'PT404',
      message = 'This link does not work any more',
      hint = 'It works once and for a day. Restart the server for a new one while there is no operator, or use kanbase operator.';
  end if;
  if account.email is null or account.email_confirmed_at is null then
    raise exception using errcode = 'PT409', message = 'Confirm the address of this account first', hint = 'Open the link in the confirmation mail.';
  end if;
  delete from private.operator_links;
  update auth.users u set is_operator = true, updated_at = now() where u.id = account.id;
  perform private.note_desk(account, 'operator_made', account.id, account.email, '{"by": "link"}');
end
$function$;
grant execute on function private.claim_desk(token text) to kanbase_desk;
comment on function private.claim_desk(token text) is 'Makes the caller the first operator, by a one-time token.';

CREATE OR REPLACE FUNCTION private.claim_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' and old.version is not null and (tg_op = 'DELETE' or new.version is distinct from old.version) then
    insert into private.unclaimed_files (version, due_at) values (old.version, now())
    on conflict (version) do update set due_at = excluded.due_at;
  end if;
  if tg_op <> 'DELETE' and new.version is not null and (tg_op = 'INSERT' or new.version is distinct from old.version) then
    delete from private.unclaimed_files where version = new.version and due_at > now();
    if not found then
      raise exception 'There is no uploaded file % to claim', new.version
        using errcode = 'foreign_key_violation', hint = 'Upload through /storage/v1.';
    end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_import_job(holder uuid)
 RETURNS TABLE(id uuid, user_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.import_jobs j where j.state = 'ready' and j.updated_at < now() - interval '1 day';
  -- whoever held it has neither given it back nor asked for longer
  update private.import_jobs j set crashes = j.crashes + 1, held_by = null, held_until = null
  where j.state in ('running', 'undoing') and j.held_by is not null and j.held_until < now();
  perform private.fail_broken_imports();
  return query
    update private.import_jobs j
    set held_by = holder, held_until = now() + interval '1 minute', tries = j.tries + 1, updated_at = now(),
      state = case j.state when 'waiting' then 'running' else j.state end
    where j.id = (
      select c.id from private.import_jobs c
      join auth.users u on u.id = c.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
      where c.state in ('waiting', 'running', 'undoing') and (c.held_until is null or c.held_until < now())
      order by c.created_at
      for update of c skip locked
      limit 1)
    returning j.id, j.user_id;
end
$function$;
grant execute on function private.claim_import_job(holder uuid) to kanbase_imports;
comment on function private.claim_import_job(holder uuid) is 'An import that nobody works on, held for a minute by whoever asks.';

CREATE OR REPLACE FUNCTION private.clear_person_fields()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_there(old.project_id) then
    return null;
  end if;
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = old.project_id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and v.value = to_jsonb(old.user_id::text);
  update public.custom_fields f set default_value = null
  where f.project_id = old.project_id and f.kind = 'person' and f.default_value = to_jsonb(old.user_id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.column_in(in_project uuid, for_column uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.id
  from public.workflow_columns c, public.workflow_columns was
  where c.project_id = in_project and was.id = for_column
  order by (c.kind = 'done') <> (was.kind = 'done'), lower(c.name) <> lower(was.name), c.kind <> was.kind, c.position, c.id
  limit 1
$function$;
grant execute on function private.column_in(in_project uuid, for_column uuid) to authenticated;
grant execute on function private.column_in(in_project uuid, for_column uuid) to service_role;
comment on function private.column_in(in_project uuid, for_column uuid) is 'The column of another project that stands for this one.';

CREATE OR REPLACE FUNCTION private.complete_due_transfers()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due private.project_transfers;
  done int := 0;
begin
  for due in
    select t.* from private.project_transfers t where t.state = 'waiting' and t.due_at <= now() order by t.due_at, t.id for update skip locked
  loop
    perform private.complete_transfer(due);
    done := done + 1;
  end loop;
  return done;
end
$function$;
grant execute on function private.complete_due_transfers() to kanbase_desk;
comment on function private.complete_due_transfers() is 'Completes transfers whose 72 hours are over; how many.';

CREATE OR REPLACE FUNCTION private.complete_transfer(waiting private.project_transfers)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  heir auth.users;
  done private.project_transfers;
begin
  select u.* into heir from auth.users u where u.id = waiting.new_owner_id;
  update private.project_transfers t
  set state = case when private.may_become_owner(heir) and private.is_there(waiting.project_id) then 'passed' else 'withdrawn' end, ended_at = now()
  where t.id = waiting.id returning t.* into done;
  if done.state = 'withdrawn' then
    perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.operator_id, 'transfer_withdrawn');
    perform private.log_transfer(done, 'transfer_withdrawn');
    return;
  end if;
  insert into public.project_members (project_id, user_id, role) values (done.project_id, heir.id, 'owner')
  on conflict on constraint project_members_pkey do update set role = 'owner';
  update public.project_members m set role = 'editor' where m.project_id = done.project_id and m.role = 'owner' and m.user_id <> heir.id;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (done.project_id, 'passed', done.operator_id, done.operator, done.reason);
  perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.owner_ids, 'project_passed');
  perform private.log_transfer(done, 'project_passed');
end
$function$;
comment on function private.complete_transfer(waiting private.project_transfers) is 'Gives a project its new owner, or withdraws the transfer where that account may not have it.';

CREATE OR REPLACE FUNCTION private.compose_notification_mails()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  letter record;
  composed integer := 0;
begin
  if not pg_try_advisory_xact_lock(7003110575) then
    return 0;
  end if;
  for letter in
    with due as (
      select distinct d.way, d.user_id, case d.way when 'mail' then d.task_id end as task_id
      from private.notification_deliveries d
      where d.way in ('mail', 'daily') and d.due_at <= now()
    ), taken as (
      delete from private.notification_deliveries d using due
      where d.way = due.way and d.user_id = due.user_id
        and case d.way when 'mail' then d.task_id is not distinct from due.task_id else d.due_at <= now() end
      returning d.way, d.user_id, d.notification_id
    ), parts as (
      select t.way, t.user_id, n.project_id, n.task_id, array_agg(n.id) as ids, min(n.created_at) as began
      from taken t
      join public.notifications n on n.id = t.notification_id
      where (n.read_at is null or n.done_at = n.created_at) and (n.snoozed_until is null or n.snoozed_until <= now())
      group by t.way, t.user_id, n.project_id, n.task_id
    ), told as (
      select p.way, p.user_id, p.project_id, p.task_id, p.began, jsonb_strip_nulls(jsonb_build_object(
        'project_id', j.id, 'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
        'url', '/app/projects/' || j.id || '/board' || coalesce('/' || k.number, ''), 'entries', private.mail_entries(p.ids),
        'pictures', private.mail_pictures(p.ids)
      )) as part
      from parts p
      left join public.projects j on j.id = p.project_id
      left join public.tasks k on k.project_id = p.project_id and k.id = p.task_id
    )
    select u.id, u.email, t.way, jsonb_agg(t.part order by t.began) as parts
    from told t join auth.users u on u.id = t.user_id
    where u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
    group by u.id, u.email, t.way, case t.way when 'mail' then t.project_id end, case t.way when 'mail' then t.task_id end
  loop
    perform private.queue_mail(
      case letter.way when 'mail' then 'notification' else 'daily_summary' end, letter.email,
      jsonb_build_object('user_id', letter.id, 'parts', letter.parts)
    );
    composed := composed + 1;
  end loop;
  return composed;
end
$function$;
grant execute on function private.compose_notification_mails() to kanbase_mail;
comment on function private.compose_notification_mails() is 'Puts due notifications into the outbox as mails; returns how many.';

CREATE OR REPLACE FUNCTION private.copy_task(original public.tasks, new_id uuid, under uuid, at double precision)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  made public.tasks;
  child public.tasks;
begin
  -- A rank that is taken becomes the next free one after it.
  insert into public.tasks (id, project_id, column_id, title, description, priority, order_rank, start_date, due_date, estimate, parent_id, subtask_position)
  values (coalesce(new_id, private.uuid_v7()), original.project_id, original.column_id, original.title, original.description,
    original.priority, original.order_rank, original.start_date, original.due_date, original.estimate, under, at)
  returning * into made;
  perform private.copy_task_parts(original.project_id, original.id, made.id);
  for child in
    select t.* from public.tasks t
    where t.project_id = original.project_id and t.parent_id = original.id and t.archived_at is null
    order by t.subtask_position, t.id
  loop
    perform private.copy_task(child, null, made.id, child.subtask_position);
  end loop;
  return made;
end
$function$;
grant execute on function private.copy_task(original public.tasks, new_id uuid, under uuid, at double precision) to authenticated;
grant execute on function private.copy_task(original public.tasks, new_id uuid, under uuid, at double precision) to service_role;

CREATE OR REPLACE FUNCTION private.copy_task_parts(in_project uuid, from_task uuid, to_task uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.task_label_links (project_id, task_id, label_id)
  select l.project_id, to_task, l.label_id from public.task_label_links l where l.project_id = in_project and l.task_id = from_task;
  insert into public.task_assignees (project_id, task_id, user_id)
  select a.project_id, to_task, a.user_id from public.task_assignees a where a.project_id = in_project and a.task_id = from_task;
  insert into public.task_checklist_items (project_id, task_id, title, position)
  select i.project_id, to_task, i.title, i.position from public.task_checklist_items i
  where i.project_id = in_project and i.task_id = from_task order by i.position, i.id;
  delete from public.task_field_values v where v.project_id = in_project and v.task_id = to_task;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select v.project_id, to_task, v.field_id, v.value from public.task_field_values v where v.project_id = in_project and v.task_id = from_task;
end
$function$;
grant execute on function private.copy_task_parts(in_project uuid, from_task uuid, to_task uuid) to authenticated;
grant execute on function private.copy_task_parts(in_project uuid, from_task uuid, to_task uuid) to service_role;

CREATE OR REPLACE FUNCTION private.count_assignees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.tasks t
  where t.id in (select a.task_id from changed a) order by t.id for no key update;
  perform private.add_figures(array(
    select row(t.project_id, f.figure, f.key, f.delta)::private.figure_change
    from public.tasks t
    join (select a.task_id, count(*) as here from changed a group by a.task_id) as touched on touched.task_id = t.id
    cross join lateral (
      select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text,
        case tg_op when 'INSERT' then 1 else -1 end
      from changed a where a.task_id = t.id
      union all
      -- the first to come, or the last to go
      select 'unassigned', '', case tg_op when 'INSERT' then -1 else 1 end
      where t.completed_at is null and (select count(*) from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
        = case tg_op when 'INSERT' then touched.here else 0 end
    ) as f (figure, key, delta)
    where t.archived_at is null
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_deleted_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.add_figures(array(
    select row(old.project_id, f.figure, f.key, -1)::private.figure_change
    from (
      select 'tasks', old.column_id || '/' || old.priority
      union all
      select 'created', private.week_of(old.created_at)
      union all
      select 'completed', private.week_of(old.completed_at) where old.completed_at is not null
      union all
      select 'cycle', private.span_of(old.started_at, old.completed_at)
      union all
      select 'lead', private.span_of(old.created_at, old.completed_at)
      union all
      select case when old.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
      from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id
      union all
      select 'unassigned', '' where old.completed_at is null
        and not exists (select from public.task_assignees a where a.project_id = old.project_id and a.task_id = old.id)
    ) as f (figure, key)
    where f.key is not null
  ));
  perform private.add_flow(array[row(old.project_id, old.column_id, -1)::private.flow_change]);
  if old.completed_at is null then
    update private.task_waits w set open_predecessors = w.open_predecessors - 1
    from public.task_dependencies d
    where d.project_id = old.project_id and d.predecessor_id = old.id and w.task_id = d.successor_id;
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_dependencies()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.tasks t
  where t.id in (select c.predecessor_id from changed c union select c.successor_id from changed c)
  order by t.id for no key update;
  if tg_op = 'INSERT' then
    insert into private.task_waits as w (task_id, project_id, is_open, open_predecessors)
    select s.id, s.project_id, s.completed_at is null and s.archived_at is null,
      count(*) filter (where p.completed_at is null and p.archived_at is null)
    from changed c
    join public.tasks s on s.id = c.successor_id
    join public.tasks p on p.id = c.predecessor_id
    group by s.id
    order by s.id
    on conflict (task_id) do update set open_predecessors = w.open_predecessors + excluded.open_predecessors;
  else
    update private.task_waits w set open_predecessors = w.open_predecessors - gone.open
    from (
      select c.successor_id, count(*) as open
      from changed c
      join public.tasks p on p.id = c.predecessor_id and p.completed_at is null and p.archived_at is null
      group by c.successor_id
    ) as gone
    where w.task_id = gone.successor_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_requests(began_at timestamp with time zone, requests bigint, refused bigint, failed bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.request_counts c where c.began_at < now() - interval '2 days';
  -- A clock that is ahead counts for now.
  insert into private.request_counts as c (began_at, requests, refused, failed)
  values (date_bin('15 minutes', least(count_requests.began_at, now()), 'epoch'), count_requests.requests, count_requests.refused, count_requests.failed)
  on conflict on constraint request_counts_pkey do update set requests = c.requests + excluded.requests, refused = c.refused + excluded.refused,
    failed = c.failed + excluded.failed
$function$;
grant execute on function private.count_requests(began_at timestamp with time zone, requests bigint, refused bigint, failed bigint) to kanbase_desk;
comment on function private.count_requests(began_at timestamp with time zone, requests bigint, refused bigint, failed bigint) is 'Adds what a process counted since it last told.';

CREATE OR REPLACE FUNCTION private.crash_import_job(job uuid, holder uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.import_jobs j set crashes = j.crashes + 1, held_by = null, held_until = null
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing');
  perform private.fail_broken_imports();
end
$function$;
grant execute on function private.crash_import_job(job uuid, holder uuid) to kanbase_imports;
comment on function private.crash_import_job(job uuid, holder uuid) is 'Counts that the process which read or wrote an import has ended; the second time it fails.';

CREATE OR REPLACE FUNCTION private.day_of_document(kind public.custom_field_kind, value jsonb, starts date)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when kind <> 'date' then value
    when jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,5}$' then to_jsonb(to_char(starts + (value #>> '{}')::integer, 'YYYY-MM-DD'))
  end
$function$;
grant execute on function private.day_of_document(kind public.custom_field_kind, value jsonb, starts date) to authenticated;
grant execute on function private.day_of_document(kind public.custom_field_kind, value jsonb, starts date) to service_role;

CREATE OR REPLACE FUNCTION private.desk_account(account uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  found auth.users;
begin
  select u.* into found from auth.users u where u.id = account and u.deleted_at is null;
  if found.id is null then
    perform private.raise_no_account();
  end if;
  perform private.note_desk(operator, 'account_seen', found.id, found.email, null);
  return private.desk_outline(found) || jsonb_build_object(
    'email_confirmed_at', found.email_confirmed_at,
    'invited_at', found.invited_at,
    'disabled_until', case when found.banned_until > now() then found.banned_until end,
    'providers', (select coalesce(jsonb_agg(distinct i.provider order by i.provider), '[]') from auth.identities i where i.user_id = found.id),
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('name', coalesce(f.friendly_name, ''), 'type', f.factor_type, 'created_at', f.created_at)
        order by f.created_at, f.id), '[]')
      from auth.mfa_factors f where f.user_id = found.id and f.status = 'verified'
    ),
    'signed_in', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'address', host(s.ip),
        'user_agent', s.user_agent, 'aal', s.aal) order by s.refreshed_at desc, s.id), '[]')
      from (select * from auth.sessions s where s.user_id = found.id and (s.not_after is null or s.not_after > now())
        order by s.refreshed_at desc limit 50) s
    ),
    'member_of', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name, 'role', m.role, 'archived_at', p.archived_at)
        order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id where m.user_id = found.id
    ),
    'end', private.foresee_end_of(found.id)
  );
end
$function$;
grant execute on function private.desk_account(account uuid) to kanbase_desk;
comment on function private.desk_account(account uuid) is 'One account: sessions, factors, projects it is in, what its end would do. That it was looked at is noted.';

CREATE OR REPLACE FUNCTION private.desk_accounts(words text, kind text, skip integer, size integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return (
    with found as (
      select u as account, u.created_at, u.id from auth.users u
      left join public.profiles p on p.id = u.id
      where u.deleted_at is null
        and (pattern = '%%' or u.email ilike pattern or p.display_name ilike pattern or u.id::text = trim(words))
        and case kind
          when 'disabled' then u.banned_until > now()
          when 'waiting' then u.email_confirmed_at is null
          when 'operators' then u.is_operator
          when 'without_factor' then not exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')
          else true
        end
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 200) offset greatest(skip, 0)
    )
    select jsonb_build_object(
      'total', (select count(*) from found),
      'accounts', (select coalesce(jsonb_agg(private.desk_outline(page.account) order by page.created_at desc, page.id), '[]') from page)
    )
  );
end
$function$;
grant execute on function private.desk_accounts(words text, kind text, skip integer, size integer) to kanbase_desk;
comment on function private.desk_accounts(words text, kind text, skip integer, size integer) is 'Accounts by words of address or name, newest first.';

CREATE OR REPLACE FUNCTION private.desk_backups()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'last_good', (select to_jsonb(b) from private.backups b where b.file is not null order by b.due_at desc limit 1),
    'latest', (
      select coalesce(jsonb_agg(to_jsonb(b) order by b.due_at desc), '[]')
      from (select * from private.backups b order by b.due_at desc limit 7) b
    )
  );
end
$function$;
grant execute on function private.desk_backups() to kanbase_desk;
comment on function private.desk_backups() is 'The last backups, and the last good one.';

CREATE OR REPLACE FUNCTION private.desk_caller()
 RETURNS auth.users
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account auth.users;
  level text;
begin
  select u.* into account from auth.users u
  where u.id = auth.uid() and u.deleted_at is null and not u.is_anonymous and (u.banned_until is null or u.banned_until <= now());
  if found then
    select s.aal into level from auth.sessions s
    where s.id::text = auth.jwt() ->> 'session_id' and s.user_id = account.id and (s.not_after is null or s.not_after > now());
  end if;
  if level is null then
    raise exception using errcode = 'PT401', message = 'Sign in first', hint = 'Send the access token of a session in the Authorization header.';
  end if;
  if exists (select from auth.mfa_factors f where f.user_id = account.id and f.status = 'verified')
    and (level <> 'aal2' or auth.jwt() ->> 'aal' is distinct from 'aal2') then
    raise exception using errcode = 'KB006', message = 'The second factor of this account is needed here', hint = 'Answer its challenge first.';
  end if;
  return account;
end
$function$;
comment on function private.desk_caller() is 'The account of the caller''s session, with its second factor used where it has one.';

CREATE OR REPLACE FUNCTION private.desk_change_setting(name text, value text, sealed text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function private.desk_change_setting(name text, value text, sealed text) to kanbase_desk;
comment on function private.desk_change_setting(name text, value text, sealed text) is 'Changes a setting of the server, or takes the change back, and writes that into the log.';

CREATE OR REPLACE FUNCTION private.desk_database()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '1s'
AS $function$
declare
  here constant oid := (select d.oid from pg_catalog.pg_database d where d.datname = current_database());
begin
  perform private.require_operator();
  return jsonb_build_object(
    'version', current_setting('server_version'),
    'started_at', pg_postmaster_start_time(),
    'bytes', pg_database_size(here),
    'connections', (select count(*) from pg_catalog.pg_stat_activity a where a.datid = here and coalesce(a.backend_type, 'client backend') = 'client backend'),
    'most_connections', current_setting('max_connections')::int,
    'sees_others', pg_has_role(current_user, 'pg_read_all_stats', 'usage'),
    'tables', (
      select coalesce(jsonb_agg(to_jsonb(t) order by t.bytes desc, t.name), '[]') from (
        select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows,
          pg_stat_get_dead_tuples(c.oid) as dead
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'm') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and not exists (
          select from pg_catalog.pg_locks l where l.database = here and l.mode = 'AccessExclusiveLock' and (l.relation in (c.oid, c.reltoastrelid)
            or l.relation = any (array(select i.indexrelid from pg_catalog.pg_index i where i.indrelid = c.oid)))
        )
        order by 2 desc limit 15
      ) t
    ),
    'statements', private.slow_statements(),
    'running', (
      select coalesce(jsonb_agg(to_jsonb(r) order by r.since), '[]') from (
        select a.pid, coalesce(a.usename::text, '') as role, coalesce(a.state, '') as state, a.query_start as since,
          private.without_values(a.query) as text
        from pg_catalog.pg_stat_activity a
        where a.datid = here and a.pid <> pg_backend_pid() and a.state <> 'idle' and a.query_start < now() - interval '1 second'
          and a.backend_type = 'client backend'
        order by a.query_start limit 20
      ) r
    ),
    'locks', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.since, l.pid), '[]') from (
        select l.pid, coalesce(a.usename::text, '') as role, l.mode, l.waitstart as since, to_jsonb(pg_blocking_pids(l.pid)) as waits_for,
          case when l.database = here then coalesce(l.relation::regclass::text, '') else '' end as relation,
          private.without_values(a.query) as text
        from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
        where not l.granted limit 50
      ) l
    ),
    'slots', (
      select coalesce(jsonb_agg(jsonb_build_object('name', s.slot_name, 'active', s.active, 'temporary', s.temporary, 'state', coalesce(s.wal_status, ''),
        'behind', case when not pg_is_in_recovery() then pg_current_wal_lsn() - s.restart_lsn end) order by s.slot_name), '[]')
      from pg_catalog.pg_replication_slots s
    ),
    'migrations', jsonb_build_object(
      'applied', (select count(*) from private.migrations),
      'latest', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.applied_at desc, m.name desc), '[]')
        from (select m.origin, m.name, m.applied_at from private.migrations m order by m.applied_at desc, m.name desc limit 5) m
      )
    )
  );
end
$function$;
grant execute on function private.desk_database() to kanbase_desk;
comment on function private.desk_database() is 'The database: size, tables, slow statements, locks, slots, migrations.';

CREATE OR REPLACE FUNCTION private.desk_delete(account uuid, email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.desk_subject(account);
begin
  if lower(trim(coalesce(desk_delete.email, ''))) is distinct from lower(coalesce(subject.email, '')) then
    raise exception using
      errcode = 'PT409',
      message = 'This is not the address of the account',
      hint = 'Type its address, so that nothing is deleted by mistake.';
  end if;
  perform private.note_desk(operator, 'account_deleted', subject.id, subject.email, private.foresee_end_of(subject.id));
  perform private.end_account(subject, jsonb_build_object('by', 'operator', 'operator_id', operator.id));
end
$function$;
grant execute on function private.desk_delete(account uuid, email text) to kanbase_desk;
comment on function private.desk_delete(account uuid, email text) is 'Deletes an account, as its owner could.';

CREATE OR REPLACE FUNCTION private.desk_disable(account uuid, disables boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.desk_subject(account);
begin
  -- the trigger end_sessions signs them out everywhere
  update auth.users u set banned_until = case when disables then timestamptz '9999-01-01' end, updated_at = now() where u.id = subject.id;
  perform private.note_desk(operator, case when disables then 'account_disabled' else 'account_enabled' end, subject.id, subject.email, null);
end
$function$;
grant execute on function private.desk_disable(account uuid, disables boolean) to kanbase_desk;
comment on function private.desk_disable(account uuid, disables boolean) is 'Shuts an account out, or lets it in again.';

CREATE OR REPLACE FUNCTION private.desk_end_sessions(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function private.desk_end_sessions(account uuid) to kanbase_desk;
comment on function private.desk_end_sessions(account uuid) is 'Signs an account out everywhere.';

CREATE OR REPLACE FUNCTION private.desk_enter(project uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
begin
  if exists (select from public.project_members m where m.project_id = subject.id and m.user_id = operator.id) then
    raise exception using errcode = 'PT409', message = 'You are in this project already', hint = 'Open it as everybody does.';
  end if;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason, ends_at)
  values (subject.id, 'entered', operator.id, operator.email, trim(reason), now() + interval '1 day');
  insert into public.project_members (project_id, user_id, role) values (subject.id, operator.id, 'viewer');
  perform private.tell_owners(subject, 'operator_entered', operator, trim(reason));
  perform private.note_desk(operator, 'project_entered', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$function$;
grant execute on function private.desk_enter(project uuid, reason text) to kanbase_desk;
comment on function private.desk_enter(project uuid, reason text) is 'Makes the operator a viewer of a project for a day; its owners get a mail.';

CREATE OR REPLACE FUNCTION private.desk_files()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_operator();
  return (
    select jsonb_build_object('buckets', coalesce(jsonb_agg(to_jsonb(b) order by b.bytes desc, b.name), '[]'))
    from (
      select b.name, count(o.id) as files, coalesce(sum((o.metadata ->> 'size')::bigint), 0) as bytes
      from storage.buckets b left join storage.objects o on o.bucket_id = b.id group by b.id
    ) b
  );
end
$function$;
grant execute on function private.desk_files() to kanbase_desk;
comment on function private.desk_files() is 'How many files there are in each bucket, and how many bytes.';

CREATE OR REPLACE FUNCTION private.desk_jobs()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'queues', (
      select jsonb_agg(jsonb_build_object('name', q.name, 'waiting', q.waiting, 'failed', q.failed, 'oldest', q.oldest) order by q.place)
      from (
        select 1 as place, 'mail' as name, count(*) filter (where o.state = 'queued') as waiting,
          count(*) filter (where o.state = 'failed') as failed, min(o.created_at) filter (where o.state = 'queued') as oldest
        from private.outbox o
        union all
        select 2, 'mail_of_notifications', count(*), 0, min(d.due_at) filter (where d.due_at <= now())
        from private.notification_deliveries d where d.way in ('mail', 'daily')
        union all
        select 3, 'push', count(*), 0, min(d.due_at) filter (where d.due_at <= now())
        from private.notification_deliveries d where d.way = 'push'
        union all
        select 4, 'recurrences', count(*), 0, min(r.next_at)
        from public.task_recurrences r join public.projects p on p.id = r.project_id and p.archived_at is null and p.deleted_at is null
        where r.paused_at is null and not r.is_over and r.mode = 'calendar' and r.next_at <= now()
        union all
        select 5, 'copied_files', count(*), 0, min(f.made_at) from private.files_to_copy f
        union all
        select 6, 'removed_files', count(*), 0, min(f.removed_at) from private.removed_files f
        union all
        select 7, 'unclaimed_files', count(*), 0, min(f.due_at) filter (where f.due_at <= now()) from private.unclaimed_files f
        union all
        select 8, 'uploads', count(*), 0, min(u.expires_at) from private.resumable_uploads u where u.finished_at is null
        union all
        select 9, 'imports', count(*) filter (where j.state in ('waiting', 'running', 'undoing')), count(*) filter (where j.state = 'failed'),
          min(j.created_at) filter (where j.state in ('waiting', 'running', 'undoing'))
        from (
          select j.state, j.created_at from private.import_jobs j
          union all
          -- by the command
          select i.state, i.created_at from private.imports i where not exists (select from private.import_jobs j where j.import_id = i.id)
        ) j where j.state in ('waiting', 'running', 'undoing') or j.created_at > now() - interval '30 days'
        union all
        select 10, 'exports', count(*) filter (where e.state in ('waiting', 'running')), count(*) filter (where e.state = 'failed'),
          min(e.created_at) filter (where e.state in ('waiting', 'running'))
        from private.exports e
        union all
        select 11, 'deleted_projects', count(*), 0, min(p.deleted_at) from public.projects p where p.deleted_at is not null
        union all
        select 12, 'backups', count(*) filter (where b.finished_at is null), count(*) filter (where b.error is not null),
          min(b.started_at) filter (where b.finished_at is null)
        from private.backups b where b.started_at > now() - interval '7 days'
      ) q
    ),
    'latest', (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'job', l.job, 'what', l.what, 'state', l.state, 'done', l.done, 'total', l.total,
        'email', coalesce(u.email, ''), 'created_at', l.created_at, 'finished_at', l.finished_at) order by l.created_at desc, l.id), '[]')
      from (
        (select j.id, j.user_id, 'import' as job, j.product as what, j.state, coalesce(i.done, 0) as done, coalesce(i.total, 0) as total, j.created_at,
          case when j.state in ('done', 'cancelled', 'failed', 'undone') then j.updated_at end as finished_at
        from private.import_jobs j left join private.imports i on i.id = j.import_id
        where j.state <> 'ready' order by j.created_at desc limit 20)
        union all
        (select e.id, e.user_id, 'export', e.format, e.state, e.done, e.total, e.created_at, e.finished_at
        from private.exports e order by e.created_at desc limit 20)
        order by created_at desc limit 20
      ) l
      left join auth.users u on u.id = l.user_id
    ),
    'rounds', (
      select coalesce(jsonb_agg(jsonb_build_object('job', r.job, 'node', r.node, 'finished_at', r.finished_at,
        'seconds', round(extract(epoch from r.finished_at - r.started_at)::numeric, 3), 'error', r.error) order by r.job, r.node), '[]')
      from private.job_rounds r
    )
  );
end
$function$;
grant execute on function private.desk_jobs() to kanbase_desk;
comment on function private.desk_jobs() is 'What waits to be done by the server, what failed, and how its rounds went.';

CREATE OR REPLACE FUNCTION private.desk_leave(project uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  name text;
begin
  delete from public.project_members m using private.operator_entries e
  where m.project_id = project and m.user_id = operator.id and e.project_id = m.project_id and e.operator_id = m.user_id
    and e.deed = 'entered' and e.left_at is null;
  if not found then
    raise exception using errcode = 'PT409', message = 'You have not entered this project as an operator', hint = 'Members leave a project in its settings.';
  end if;
  select p.name into name from public.projects p where p.id = project;
  perform private.note_desk(operator, 'project_left', project, name, null);
end
$function$;
grant execute on function private.desk_leave(project uuid) to kanbase_desk;
comment on function private.desk_leave(project uuid) is 'Ends the operator''s own entry.';

CREATE OR REPLACE FUNCTION private.desk_log_page(words text, before_id uuid, size integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return (
    select coalesce(jsonb_agg(to_jsonb(l) order by l.id desc), '[]') from (
      select * from private.desk_log l
      where (before_id is null or l.id < before_id)
        and (l.actor ilike pattern or l.action ilike pattern or l.subject ilike pattern or l.address ilike pattern)
      order by l.id desc limit least(greatest(size, 1), 5000)
    ) l
  );
end
$function$;
grant execute on function private.desk_log_page(words text, before_id uuid, size integer) to kanbase_desk;
comment on function private.desk_log_page(words text, before_id uuid, size integer) is 'What was done at the desk, newest first.';

CREATE OR REPLACE FUNCTION private.desk_mail(mail uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found jsonb;
begin
  perform private.require_operator();
  select jsonb_build_object('id', o.id, 'state', o.state, 'attempts', o.attempts, 'last_error', o.last_error) into found
  from private.outbox o where o.id = mail;
  if found is null then
    raise exception using errcode = 'PT404', message = 'There is no such mail', hint = 'Mails that are done go after MAIL_KEPT_DAYS.';
  end if;
  return found;
end
$function$;
grant execute on function private.desk_mail(mail uuid) to kanbase_desk;
comment on function private.desk_mail(mail uuid) is 'What became of one mail.';

CREATE OR REPLACE FUNCTION private.desk_mails(words text, state text, before timestamp with time zone, size integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return jsonb_build_object(
    'counts', (
      select coalesce(jsonb_object_agg(c.state, c.n), '{}') from (select o.state, count(*) as n from private.outbox o group by o.state) c
    ),
    'mails', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at desc, m.id), '[]') from (
        select o.id, o.kind, o.recipient, o.state, o.attempts, o.created_at, o.finished_at, o.last_error,
          case when o.state = 'queued' then o.next_attempt_at end as next_attempt_at, o.data <> '{}' as can_be_sent
        from private.outbox o
        where (desk_mails.state = '' or o.state = desk_mails.state) and (before is null or o.created_at < before)
          and (o.recipient ilike pattern or o.kind ilike pattern or o.last_error ilike pattern)
        order by o.created_at desc, o.id limit least(greatest(size, 1), 200)
      ) m
    )
  );
end
$function$;
grant execute on function private.desk_mails(words text, state text, before timestamp with time zone, size integer) to kanbase_desk;
comment on function private.desk_mails(words text, state text, before timestamp with time zone, size integer) is 'Mails by words of recipient, kind or reason, newest first; not what they say.';

CREATE OR REPLACE FUNCTION private.desk_me()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
begin
  return jsonb_build_object('id', operator.id, 'email', operator.email);
end
$function$;
grant execute on function private.desk_me() to kanbase_desk;
comment on function private.desk_me() is 'The operator who asks.';

CREATE OR REPLACE FUNCTION private.desk_outline(u auth.users)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', u.id,
    'email', coalesce(u.email, ''),
    'name', coalesce((select p.display_name from public.profiles p where p.id = u.id), ''),
    'created_at', u.created_at,
    'last_sign_in_at', u.last_sign_in_at,
    'state', case
      when u.banned_until > now() then 'disabled'
      when u.is_anonymous then 'anonymous'
      when u.email_confirmed_at is null and u.invited_at is not null then 'invited'
      when u.email_confirmed_at is null then 'unconfirmed'
      else 'active'
    end,
    'is_operator', u.is_operator,
    'has_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())),
    'projects', (select count(*) from public.project_members m where m.user_id = u.id)
  )
$function$;
comment on function private.desk_outline(u auth.users) is 'An account as the list of the desk shows it.';

CREATE OR REPLACE FUNCTION private.desk_pass_on(project uuid, email text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
  heir auth.users;
  begun private.project_transfers;
begin
  select u.* into heir from auth.users u
  where lower(u.email) = lower(trim(desk_pass_on.email)) and not u.is_sso_user and u.deleted_at is null and not u.is_anonymous
    and (u.banned_until is null or u.banned_until <= now());
  if heir.id is null then
    raise exception using errcode = 'PT404', message = 'There is no such account', hint = 'Type the address of an account that is not disabled.';
  elsif heir.is_operator then
    raise exception using errcode = 'PT409', message = 'A project is not passed to an operator', hint = 'Its owners may do that themselves; an operator enters.';
  elsif exists (select from public.project_members m where m.project_id = subject.id and m.user_id = heir.id and m.role = 'owner') then
    raise exception using errcode = 'PT409', message = 'This account owns the project already', hint = 'Type the address of another one.';
  elsif exists (select from private.project_transfers t where t.project_id = subject.id and t.state = 'waiting') then
    raise exception using errcode = 'PT409', message = 'This project is being passed on already', hint = 'Withdraw that first.';
  end if;
  insert into private.project_transfers (project_id, project_name, operator_id, operator, new_owner_id, new_owner, reason, owner_ids, due_at)
  values (subject.id, subject.name, operator.id, operator.email, heir.id, heir.email, trim(reason),
    array(select m.user_id from public.project_members m where m.project_id = subject.id and m.role = 'owner'),
    case when private.owners_cannot_sign_in(subject.id) then now() else now() + interval '72 hours' end)
  returning * into begun;
  perform private.log_transfer(begun, 'transfer_announced');
  if begun.due_at <= now() then
    perform private.complete_transfer(begun);
  else
    perform private.tell_of_transfer(begun, private.members_of(subject.id) || heir.id, 'transfer_announced');
  end if;
end
$function$;
grant execute on function private.desk_pass_on(project uuid, email text, reason text) to kanbase_desk;
comment on function private.desk_pass_on(project uuid, email text, reason text) is 'Announces that a project gets another owner in 72 hours; at once where no owner can sign in any more.';

CREATE OR REPLACE FUNCTION private.desk_project(project uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
begin
  if not exists (select from public.projects p where p.id = project) then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'It may have been deleted meanwhile. Search again.';
  end if;
  return jsonb_build_object(
    'is_member', exists (select from public.project_members m where m.project_id = project and m.user_id = operator.id),
    'entered_until', (
      select max(e.ends_at) from private.operator_entries e
      where e.project_id = project and e.operator_id = operator.id and e.deed = 'entered' and e.left_at is null
    ),
    'transfers', (
      select coalesce(jsonb_agg(private.say_transfer(t) order by t.created_at desc, t.id), '[]')
      from private.project_transfers t where t.project_id = project
    ),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'deed', e.deed, 'operator', e.operator, 'reason', e.reason, 'created_at', e.created_at,
        'left_at', e.left_at) order by e.created_at desc, e.id), '[]')
      from private.operator_entries e where e.project_id = project
    )
  );
end
$function$;
grant execute on function private.desk_project(project uuid) to kanbase_desk;
comment on function private.desk_project(project uuid) is 'What operators did with a project, and whether the one who asks is in it.';

CREATE OR REPLACE FUNCTION private.desk_projects(words text, kind text, skip integer, size integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return (
    with found as (
      select p.id, p.name, p.key, p.created_at, p.archived_at, p.deleted_at from public.projects p
      where (pattern = '%%' or p.name ilike pattern or p.key ilike pattern or p.id::text = trim(words) or exists (
          select from private.all_members m join auth.users u on u.id = m.user_id
          where m.project_id = p.id and m.role = 'owner' and u.email ilike pattern
        ))
        and case kind
          when 'deleted' then p.deleted_at is not null
          when 'archived' then p.archived_at is not null and p.deleted_at is null
          when 'open' then p.archived_at is null and p.deleted_at is null
          when 'ownerless' then p.deleted_at is null and not exists (select from public.project_members m where m.project_id = p.id and m.role = 'owner')
          else true
        end
        -- nobody can have it back: it is about to end
        and (p.deleted_at is null or exists (select from private.kept_members k where k.project_id = p.id))
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 100) offset greatest(skip, 0)
    )
    select jsonb_build_object(
      'total', (select count(*) from found),
      'projects', (
        select coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object(
          'kept_until', p.deleted_at + interval '30 days',
          'members', (select count(*) from private.all_members m where m.project_id = p.id),
          'tasks', (select count(*) from public.tasks t where t.project_id = p.id),
          'bytes', (select coalesce(sum(a.size_bytes), 0) from public.task_attachments a where a.project_id = p.id),
          'last_active_at', (select max(a.created_at) from public.task_activity a where a.project_id = p.id),
          'owners', (
            select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', coalesce(u.email, ''), 'name', coalesce(f.display_name, '')) order by m.created_at, u.id), '[]')
            from private.all_members m join auth.users u on u.id = m.user_id left join public.profiles f on f.id = u.id
            where m.project_id = p.id and m.role = 'owner'
          )
        ) order by p.created_at desc, p.id), '[]')
        from page p
      )
    )
  );
end
$function$;
grant execute on function private.desk_projects(words text, kind text, skip integer, size integer) to kanbase_desk;
comment on function private.desk_projects(words text, kind text, skip integer, size integer) is 'Outlines of projects by words of name, key or owner, newest first.';

CREATE OR REPLACE FUNCTION private.desk_requests()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  latest constant timestamptz := date_bin('15 minutes', now(), 'epoch');
begin
  perform private.require_operator();
  return (
    select jsonb_build_object('minutes', 15, 'slots', jsonb_agg(jsonb_build_object('began_at', q.began_at, 'requests', coalesce(c.requests, 0),
      'refused', coalesce(c.refused, 0), 'failed', coalesce(c.failed, 0)) order by q.began_at))
    from generate_series(latest - 95 * interval '15 minutes', latest, interval '15 minutes') as q (began_at)
    left join private.request_counts c on c.began_at = q.began_at
  );
end
$function$;
grant execute on function private.desk_requests() to kanbase_desk;
comment on function private.desk_requests() is 'Requests and errors of the last day by quarters of an hour.';

CREATE OR REPLACE FUNCTION private.desk_reset_factors(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
grant execute on function private.desk_reset_factors(account uuid) to kanbase_desk;
comment on function private.desk_reset_factors(account uuid) is 'Takes second factors away and signs out everywhere.';

CREATE OR REPLACE FUNCTION private.desk_restore(project uuid, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject public.projects;
begin
  -- Its owner may be ending it for good: that is waited for.
  perform from public.projects p where p.id = project for no key update;
  update public.projects p set deleted_at = null
  where p.id = project and p.deleted_at is not null and exists (select from private.kept_members k where k.project_id = p.id);
  if not found and exists (select from public.projects p where p.id = project and p.deleted_at is null) then
    raise exception using errcode = 'PT409', message = 'This project is not deleted', hint = 'Somebody has brought it back already.';
  elsif not found then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'Its thirty days may be over. Search again.';
  end if;
  subject := private.desk_subject_project(project, reason);
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (subject.id, 'restored', operator.id, operator.email, trim(reason));
  perform private.tell_owners(subject, 'project_restored', operator, trim(reason));
  perform private.note_desk(operator, 'project_restored', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$function$;
grant execute on function private.desk_restore(project uuid, reason text) to kanbase_desk;
comment on function private.desk_restore(project uuid, reason text) is 'Brings a deleted project back to those who were in it; its owners get a mail.';

CREATE OR REPLACE FUNCTION private.desk_send_again(mail uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  subject private.outbox;
  sent int;
begin
  if mail is not null then
    select o.* into subject from private.outbox o where o.id = mail for update;
    if subject.id is null then
      raise exception using errcode = 'PT404', message = 'There is no such mail', hint = 'Mails that are done go after MAIL_KEPT_DAYS.';
    elsif subject.data = '{}' then
      raise exception using errcode = 'PT409', message = 'What this mail said is not kept any more', hint = 'Have it asked for again where it came from.';
    -- While one is being delivered it looks as if it waited for these five minutes: it must not leave twice.
    elsif subject.state = 'queued' and subject.next_attempt_at <= now() + interval '5 minutes' then
      raise exception using errcode = 'PT409', message = 'This mail is tried again by itself within minutes', hint = 'Wait for it.';
    end if;
  end if;
  update private.outbox o set state = 'queued', attempts = 0, next_attempt_at = now(), finished_at = null
  where case when mail is null then o.state = 'failed' else o.id = mail end and o.data <> '{}';
  get diagnostics sent = row_count;
  perform pg_notify('kanbase_mail', '');
  perform private.note_desk(operator, 'mail_sent_again', mail, coalesce(subject.recipient, ''),
    jsonb_strip_nulls(jsonb_build_object('kind', subject.kind, 'mails', sent)));
  return sent;
end
$function$;
grant execute on function private.desk_send_again(mail uuid) to kanbase_desk;
comment on function private.desk_send_again(mail uuid) is 'Puts a mail, or all that failed, into the queue again; how many.';

CREATE OR REPLACE FUNCTION private.desk_subject(account uuid)
 RETURNS auth.users
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found auth.users;
begin
  select u.* into found from auth.users u where u.id = account and u.deleted_at is null for update;
  if found.id is null then
    perform private.raise_no_account();
  elsif found.is_operator then
    raise exception using
      errcode = 'PT409',
      message = 'This account is an operator''s, and is not changed here',
      hint = 'Take that away first, on the server: kanbase operator ADDRESS --remove.';
  end if;
  return found;
end
$function$;
comment on function private.desk_subject(account uuid) is 'The account that is to be changed, locked; operators are refused.';

CREATE OR REPLACE FUNCTION private.desk_subject_project(project uuid, reason text)
 RETURNS public.projects
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found public.projects;
begin
  if coalesce(trim(reason), '') = '' or char_length(reason) > 500 then
    raise exception using errcode = 'PT409', message = 'Say why, in up to 500 characters', hint = 'The members of the project read it.';
  end if;
  select p.* into found from public.projects p where p.id = project for no key update;
  if found.id is null then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'It may have been deleted meanwhile. Search again.';
  elsif found.deleted_at is not null then
    raise exception using errcode = 'PT409', message = 'This project is deleted', hint = 'Bring it back first, if its thirty days are not over.';
  end if;
  return found;
end
$function$;
comment on function private.desk_subject_project(project uuid, reason text) is 'The project that is to be entered or passed on, locked; a reason is needed.';

CREATE OR REPLACE FUNCTION private.desk_test_mail()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
begin
  perform private.note_desk(operator, 'test_mail_sent', operator.id, operator.email, null);
  return private.queue_mail('test', operator.email, jsonb_build_object('email', operator.email));
end
$function$;
grant execute on function private.desk_test_mail() to kanbase_desk;
comment on function private.desk_test_mail() is 'Queues a mail to the operator who asks.';

CREATE OR REPLACE FUNCTION private.desk_withdraw_transfer(project uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
  done private.project_transfers;
begin
  update private.project_transfers t set state = 'withdrawn', ended_at = now(), ended_by = operator.email
  where t.project_id = project and t.state = 'waiting' returning t.* into done;
  if done.id is null then
    raise exception using errcode = 'PT409', message = 'This project is not being passed on', hint = 'It has passed, or somebody objected.';
  end if;
  perform private.tell_of_transfer(done, private.members_of(project), 'transfer_withdrawn');
  perform private.log_transfer(done, 'transfer_withdrawn');
end
$function$;
grant execute on function private.desk_withdraw_transfer(project uuid) to kanbase_desk;
comment on function private.desk_withdraw_transfer(project uuid) is 'Withdraws a transfer that waits.';

CREATE OR REPLACE FUNCTION private.document_of_dependencies(of_project uuid, chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('predecessor', d.predecessor_id, 'successor', d.successor_id, 'lag_days', d.lag_days)
    order by d.created_at, d.id), '[]')
  from public.task_dependencies d
  where d.project_id = of_project and d.predecessor_id = any (chosen) and d.successor_id = any (chosen)
$function$;
grant execute on function private.document_of_dependencies(of_project uuid, chosen uuid[]) to authenticated;
grant execute on function private.document_of_dependencies(of_project uuid, chosen uuid[]) to service_role;

CREATE OR REPLACE FUNCTION private.document_of_fields(of_project uuid, chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', f.id, 'name', f.name, 'kind', f.kind, 'unit', f.unit,
    'options', nullif(f.options, '[]'), 'default_value', f.default_value)) order by f.position, f.id), '[]')
  from public.custom_fields f where f.project_id = of_project and (chosen is null or f.id = any (chosen))
$function$;
grant execute on function private.document_of_fields(of_project uuid, chosen uuid[]) to authenticated;
grant execute on function private.document_of_fields(of_project uuid, chosen uuid[]) to service_role;

CREATE OR REPLACE FUNCTION private.document_of_project(of_project uuid, with_tasks boolean, for_others boolean, with_ticks boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  chosen constant uuid[] := case when with_tasks then private.tasks_to_copy(of_project) else '{}' end;
  first_day constant date := private.first_day_of(of_project, chosen);
begin
  return (
    select jsonb_strip_nulls(jsonb_build_object(
      'version', 1,
      'starts_on', first_day,
      'project', jsonb_build_object('name', p.name, 'description', p.description, 'color', p.color, 'enforce_dependencies', p.enforce_dependencies,
        'parents_wait_for_subtasks', p.parents_wait_for_subtasks),
      'columns', (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind, 'wip_limit', c.wip_limit, 'color', c.color,
          'required_fields', case when c.required_fields <> '{}' then to_jsonb(c.required_fields) end)) order by c.position, c.id)
        from public.workflow_columns c where c.project_id = of_project
      ),
      'labels', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)) order by l.created_at, l.id), '[]')
        from public.task_labels l where l.project_id = of_project
      ),
      'fields', private.document_of_fields(of_project, null),
      'first_view', (
        select d.view_id from public.view_defaults d join public.saved_views v on v.id = d.view_id and v.is_shared
        where d.project_id = of_project and d.user_id is null
      ),
      'tasks', private.document_of_tasks(of_project, chosen, null, coalesce(first_day, current_date), with_ticks),
      'dependencies', private.document_of_dependencies(of_project, chosen)
    )) || jsonb_build_object('views', (
      select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name, 'layout', v.layout, 'filter', v.filter, 'grouping', v."grouping",
        'lanes', v.lanes, 'sort', v.sort, 'shown', v.shown, 'is_shared', v.is_shared) order by v.position, v.created_at, v.id), '[]')
      from public.saved_views v
      where v.project_id = of_project and (v.is_shared or (v.owner_id = auth.uid() and not for_others))
    ))
    from public.projects p where p.id = of_project
  );
end
$function$;
grant execute on function private.document_of_project(of_project uuid, with_tasks boolean, for_others boolean, with_ticks boolean) to authenticated;
grant execute on function private.document_of_project(of_project uuid, with_tasks boolean, for_others boolean, with_ticks boolean) to service_role;

CREATE OR REPLACE FUNCTION private.document_of_task(task public.tasks)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  chosen constant uuid[] := array(
    with recursive down (id) as (
      select task.id
      union all
      select t.id from down join public.tasks t on t.project_id = task.project_id and t.parent_id = down.id where t.archived_at is null
    )
    select id from down
  );
  first_day constant date := private.first_day_of(task.project_id, chosen);
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'version', 1,
    'starts_on', first_day,
    'labels', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color)) order by l.name), '[]')
      from public.task_labels l where l.project_id = task.project_id
        and exists (select from public.task_label_links k where k.project_id = l.project_id and k.label_id = l.id and k.task_id = any (chosen))
    ),
    'fields', private.document_of_fields(task.project_id, array(
      select distinct v.field_id from public.task_field_values v where v.project_id = task.project_id and v.task_id = any (chosen))),
    'tasks', (
      select coalesce(jsonb_agg(t.one - 'column' order by (t.one ->> 'parent') is not null, s.subtask_position, t.place), '[]')
      from jsonb_array_elements(private.document_of_tasks(task.project_id, chosen, task.id, coalesce(first_day, current_date), false))
        with ordinality as t (one, place)
      join public.tasks s on s.id = (t.one ->> 'id')::uuid
    ),
    'dependencies', private.document_of_dependencies(task.project_id, chosen)
  ));
end
$function$;
grant execute on function private.document_of_task(task public.tasks) to authenticated;
grant execute on function private.document_of_task(task public.tasks) to service_role;

CREATE OR REPLACE FUNCTION private.document_of_tasks(of_project uuid, chosen uuid[], top uuid, starts date, with_ticks boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'id', t.id, 'column', t.column_id, 'parent', case when t.id is distinct from top and t.parent_id = any (chosen) then t.parent_id end,
    'title', t.title, 'description', nullif(t.description, ''), 'priority', t.priority, 'estimate', t.estimate,
    'start_in', t.start_date - starts, 'due_in', t.due_date - starts,
    'labels', (select jsonb_agg(l.label_id order by l.label_id) from public.task_label_links l where l.project_id = of_project and l.task_id = t.id),
    'people', (select jsonb_agg(a.user_id order by a.user_id) from public.task_assignees a where a.project_id = of_project and a.task_id = t.id),
    'checklist', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('title', i.title, 'is_done', case when with_ticks and i.is_done then true end))
        order by i.position, i.id)
      from public.task_checklist_items i where i.project_id = of_project and i.task_id = t.id
    ),
    'fields', (
      select coalesce(jsonb_object_agg(v.field_id, case f.kind when 'date' then to_jsonb((v.value #>> '{}')::date - starts) else v.value end), '{}')
      from public.task_field_values v join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
      where v.project_id = of_project and v.task_id = t.id
    )
  )) order by c.position, c.id, t.order_rank, t.id), '[]')
  from public.tasks t
  join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
  where t.project_id = of_project and t.id = any (chosen)
$function$;
grant execute on function private.document_of_tasks(of_project uuid, chosen uuid[], top uuid, starts date, with_ticks boolean) to authenticated;
grant execute on function private.document_of_tasks(of_project uuid, chosen uuid[], top uuid, starts date, with_ticks boolean) to service_role;

CREATE OR REPLACE FUNCTION private.drop_export(export uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone private.exports;
begin
  delete from private.exports e where e.id = export and e.user_id = private.require_user() returning * into gone;
  if not found then
    perform private.raise_not_found('export');
  end if;
  delete from storage.objects o where o.bucket_id = 'exports' and o.name = gone.object_name;
end
$function$;
grant execute on function private.drop_export(export uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.drop_notification_mails()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.notification_deliveries d where d.way in ('mail', 'daily')
$function$;
grant execute on function private.drop_notification_mails() to kanbase_mail;
comment on function private.drop_notification_mails() is 'Forgets what waits to be mailed.';

CREATE OR REPLACE FUNCTION private.end_access_of_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.access_grants g where g.user_id = new.id;
  return null;
end
$function$;
comment on function private.end_access_of_epoch() is 'Removes the grants of an account whose epoch has risen.';

CREATE OR REPLACE FUNCTION private.end_access_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_there(old.project_id) then
    delete from public.access_grants g where g.project_id = old.project_id and g.user_id = old.user_id;
    -- One of everything holds what they no longer see. Those that wait are written of what is left to them.
    delete from private.exports e
    where e.user_id = old.user_id and (e.project_id is null or e.project_id = old.project_id) and e.state in ('running', 'done');
  end if;
  return null;
end
$function$;
comment on function private.end_access_of_member() is 'Removes the grants and exports of whoever is no longer a member of a project.';

CREATE OR REPLACE FUNCTION private.end_account(account auth.users, ended_by jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  mine uuid[];
begin
  -- It would be charged for by nobody who can end it.
  if exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = account.id and c.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      and not s.cancel_at_period_end
  ) then
    raise exception using
      errcode = 'PT409',
      message = case when ended_by ->> 'by' = 'self' then 'a subscription of yours is running' else 'a subscription of this account is running' end,
      hint = 'End it under Billing first, then delete the account.';
  end if;
  mine := array(select m.project_id from private.all_members m where m.user_id = account.id);
  -- Somebody may be joining one of them: that is waited for.
  perform from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id)
  order by p.id for update;
  -- For good, also those that were deleted before.
  delete from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
  -- The only other one in it ended theirs at the same moment.
  delete from public.projects p
  where p.id = any (mine) and not exists (select from private.all_members m where m.project_id = p.id);
end
$function$;
comment on function private.end_account(account auth.users, ended_by jsonb) is 'Deletes an account: for its owner, and for an operator.';

CREATE OR REPLACE FUNCTION private.end_deleted_projects()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended integer;
begin
  -- Of news that somebody wrote while the project was deleted.
  delete from private.notification_deliveries d using public.notifications n, public.projects p
  where n.id = d.notification_id and p.id = n.project_id and p.deleted_at is not null;
  delete from public.projects p where p.id = (
    select d.id from public.projects d
    where d.deleted_at <= now() - interval '30 days'
      or (d.deleted_at is not null and not exists (select from private.kept_members k where k.project_id = d.id))
    order by d.deleted_at limit 1 for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$function$;
grant execute on function private.end_deleted_projects() to kanbase_desk;
comment on function private.end_deleted_projects() is 'Ends one deleted project that is due, and answers how many that was.';

CREATE OR REPLACE FUNCTION private.end_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.project_invitations i where i.invited_by = old.id and i.accepted_at is null;
  return old;
end
$function$;
comment on function private.end_invitations() is 'Ends what a person invited to and nobody accepted, before their account ends.';

CREATE OR REPLACE FUNCTION private.end_links_to(bucket text, path text, person uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.ended_links as e (bucket_id, name, user_id) values (bucket, path, person)
  on conflict on constraint ended_links_one_per_object do update set ended_at = clock_timestamp()
$function$;
grant execute on function private.end_links_to(bucket text, path text, person uuid) to kanbase_files;
comment on function private.end_links_to(bucket text, path text, person uuid) is 'Ends the signed addresses of an object that were made so far: of a person, or everybody''s.';

CREATE OR REPLACE FUNCTION private.end_my_account(email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  account auth.users;
begin
  select u.* into account from auth.users u where u.id = me for update;
  if not found or lower(trim(coalesce(end_my_account.email, ''))) is distinct from lower(coalesce(account.email, '')) then
    raise exception using
      errcode = '22023',
      message = 'this is not the address of your account',
      hint = 'Send the address you sign in with, so that nothing is deleted by mistake.';
  end if;
  perform private.require_fresh_proof();
  perform private.end_account(account, '{"by": "self"}');
end
$function$;
grant execute on function private.end_my_account(email text) to authenticated;
grant execute on function private.end_my_account(email text) to service_role;
comment on function private.end_my_account(email text) is 'Deletes the caller''s account, for delete_my_account.';

CREATE OR REPLACE FUNCTION private.end_my_deleted_project(of_project uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one constant public.projects := private.require_kept_owner(of_project);
begin
  if found_one.id is null then
    perform private.raise_not_found('project');
  end if;
  -- The sweep does it: a large one takes longer than a request may.
  delete from private.kept_members k where k.project_id = found_one.id;
end
$function$;
grant execute on function private.end_my_deleted_project(of_project uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.end_operator_entries()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended int;
begin
  delete from private.kept_members k using private.operator_entries e
  where e.deed = 'entered' and e.left_at is null and e.ends_at <= now()
    and k.project_id = e.project_id and k.user_id = e.operator_id and k.role = 'viewer';
  with due as (
    select e.project_id, e.operator_id from private.operator_entries e
    where e.deed = 'entered' and e.left_at is null and e.ends_at <= now()
  )
  delete from public.project_members m using due d where m.project_id = d.project_id and m.user_id = d.operator_id and m.role = 'viewer';
  get diagnostics ended = row_count;
  -- whom an owner has made more than a viewer meanwhile stays
  update private.operator_entries e set left_at = now() where e.deed = 'entered' and e.left_at is null and e.ends_at <= now();
  return ended;
end
$function$;
grant execute on function private.end_operator_entries() to kanbase_desk;
comment on function private.end_operator_entries() is 'Ends entries whose day is over; how many.';

CREATE OR REPLACE FUNCTION private.end_operator_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.operator_entries e set left_at = now()
  where e.project_id = old.project_id and e.operator_id = old.user_id and e.deed = 'entered' and e.left_at is null
    and private.is_there(old.project_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_session_of_caller(session_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = end_session_of_caller.session_id and s.user_id = me;
  if not found then
    raise exception using
      errcode = 'PT404',
      message = 'no such session',
      hint = 'It has ended already, or it is not yours. list_my_sessions tells those you have.';
  end if;
  perform auth.note_event('logout', u, jsonb_build_object('scope', 'session', 'session_id', end_session_of_caller.session_id))
  from auth.users u where u.id = me;
end
$function$;
grant execute on function private.end_session_of_caller(session_id uuid) to authenticated;
grant execute on function private.end_session_of_caller(session_id uuid) to service_role;
comment on function private.end_session_of_caller(session_id uuid) is 'Ends a session of the caller''s, for end_my_session.';

CREATE OR REPLACE FUNCTION private.end_transfer_of_member(transfer uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  done private.project_transfers;
begin
  update private.project_transfers t set state = 'objected', ended_at = now(),
    ended_by = coalesce((select nullif(f.display_name, '') from public.profiles f where f.id = me), (select u.email from auth.users u where u.id = me), '')
  where t.id = transfer and t.state = 'waiting' and t.due_at > now()
    and exists (select from public.project_members m where m.project_id = t.project_id and m.user_id = me)
  returning t.* into done;
  if done.id is null then
    perform private.raise_not_found('transfer');
  end if;
  perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.new_owner_id || done.operator_id, 'transfer_objected');
  perform private.log_transfer(done, 'transfer_objected');
end
$function$;
grant execute on function private.end_transfer_of_member(transfer uuid) to authenticated;
comment on function private.end_transfer_of_member(transfer uuid) is 'Ends a transfer that a member of the project objects to.';

CREATE OR REPLACE FUNCTION private.ensure_role(role_name text, attributes text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
    begin
      execute format('create role %I %s', role_name, attributes);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.epoch_for(person uuid, session uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.access_epoch from auth.users u
  where u.id = epoch_for.person and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    and (epoch_for.session is null or exists (select from auth.sessions s where s.id = epoch_for.session and s.user_id = u.id))
$function$;
comment on function private.epoch_for(person uuid, session uuid) is 'The epoch of an account that may sign in, of a session that has not ended; null: neither.';

CREATE OR REPLACE FUNCTION private.fail_broken_imports()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.import_jobs j set state = 'failed', file = null, updated_at = now(),
    failure = case when j.crashes >= 2
      then 'The import broke off twice and won''t be started again. Export less at once, or ask your administrator to run kanbase import.'
      else 'The import couldn''t be finished: the server gave up after four tries. Please try again later.' end
  where j.state in ('waiting', 'running', 'undoing') and (j.crashes >= 2 or j.tries >= 4) and (j.held_until is null or j.held_until < now());
$function$;
comment on function private.fail_broken_imports() is 'Ends imports that took a process down twice, or did not pass four times.';

CREATE OR REPLACE FUNCTION private.fields_in_words(of_project uuid, of_task uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(f.name, case f.kind
    when 'select' then to_jsonb(private.name_options(f.options, v.value))
    when 'multi_select' then to_jsonb(private.name_options(f.options, v.value))
    when 'person' then to_jsonb((select p.display_name from public.profiles p where p.id = (v.value #>> '{}')::uuid))
    else v.value
  end), '{}')
  from public.task_field_values v
  join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
  where v.project_id = of_project and v.task_id = of_task
$function$;
grant execute on function private.fields_in_words(of_project uuid, of_task uuid) to authenticated;
grant execute on function private.fields_in_words(of_project uuid, of_task uuid) to service_role;

CREATE OR REPLACE FUNCTION private.figures_of(of_project uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET work_mem TO '32MB'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
  callers_day constant date := current_date;
  first_week constant date := date_trunc('week', (now() at time zone 'utc'))::date - 77;
  ids uuid[] := private.visible_projects(of_project);
  metrics jsonb;
begin
  if of_project is null then
    ids := array(select p.id from public.projects p where p.id = any (ids) and p.archived_at is null);
  elsif cardinality(ids) = 0 then
    perform private.raise_not_found('project');
  end if;

  with figures as materialized (
    select f.figure, f.key, sum(f.amount) as amount
    from private.project_figures f
    where f.project_id = any (ids) and f.figure in ('tasks', 'created', 'completed', 'open_of', 'done_of', 'unassigned')
      and (f.figure not in ('created', 'completed') or f.key >= first_week::text)
    group by f.figure, f.key
  ),
  board as materialized (
    select c.id, c.project_id, c.name, c.kind, c.position, c.wip_limit, coalesce(tally.count, 0) as count
    from public.workflow_columns c
    left join (
      select split_part(key, '/', 1)::uuid as column_id, sum(amount) as count from figures where figure = 'tasks' group by 1
    ) as tally on tally.column_id = c.id
    where c.project_id = any (ids)
  ),
  share as (
    select key::uuid as user_id, coalesce(sum(amount) filter (where figure = 'open_of'), 0) as open,
      coalesce(sum(amount) filter (where figure = 'done_of'), 0) as completed
    from figures
    where figure in ('open_of', 'done_of')
    group by key
    having bool_or(amount <> 0)
  ),
  totals as (
    select coalesce(sum(count), 0) as total,
      coalesce(sum(count) filter (where kind <> 'done'), 0) as open,
      coalesce(sum(count) filter (where kind = 'done'), 0) as completed,
      (select count(*) from public.tasks t
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null and t.due_date < callers_day) as overdue,
      (select count(*) from public.tasks t
        where t.project_id = any (ids) and t.completed_at is null and t.archived_at is null
          and t.due_date between callers_day and callers_day + 6) as due_this_week,
      coalesce((select sum(amount) from figures where figure = 'unassigned'), 0) as unassigned,
      (select count(*) from private.task_waits w
        where w.project_id = any (ids) and w.is_open and w.open_predecessors > 0) as blocked
    from board
  ),
  weeks as (
    select first_week + 7 * n as week,
      coalesce((select sum(amount) from figures where figure = 'created' and key = (first_week + 7 * n)::text), 0) as created,
      coalesce((select sum(amount) from figures where figure = 'completed' and key = (first_week + 7 * n)::text), 0) as completed
    from generate_series(0, 11) as n
  ),
  -- what each column held at the end of each day: what it holds now, less what came later
  flow as (
    select f.column_id, f.day, sum(f.delta) as delta
    from private.column_flow f
    where f.project_id = any (ids) and f.day > today - 30
    group by f.column_id, f.day
  ),
  days as (
    select today - back as day from generate_series(29, 0, -1) as back
  ),
  columns as (
    select board.id as column_id from board union select flow.column_id from flow
  ),
  -- each kind a column had, until it had the next one; the first holds for the time before it as well
  kinds as (
    select k.column_id, k.kind,
      case when row_number() over past = 1 then '-infinity' else k.since end as since,
      coalesce(lead(k.since) over past, 'infinity') as until
    from private.column_kinds k
    where k.project_id = any (ids)
    window past as (partition by k.column_id order by k.since)
  ),
  held as (
    select days.day, columns.column_id, kinds.kind,
      coalesce(board.count, 0) - coalesce(sum(flow.delta) over later, 0) as tasks
    from columns
    cross join days
    left join flow on flow.column_id = columns.column_id and flow.day = days.day
    left join board on board.id = columns.column_id
    left join kinds on kinds.column_id = columns.column_id
      and kinds.since < (days.day + 1)::timestamp at time zone 'utc' and kinds.until >= (days.day + 1)::timestamp at time zone 'utc'
    window later as (partition by columns.column_id order by days.day desc rows between unbounded preceding and 1 preceding)
  )
  select jsonb_build_object(
    'project_id', of_project,
    'generated_at', now(),
    'tasks', (select jsonb_build_object(
      'total', total, 'open', open, 'completed', completed, 'overdue', overdue, 'due_this_week', due_this_week,
      'unassigned', unassigned, 'blocked', blocked
    ) from totals),
    'by_kind', (select jsonb_object_agg(kinds.kind, coalesce((select sum(board.count) from board where board.kind = kinds.kind), 0))
      from unnest(enum_range(null::public.workflow_column_kind)) as kinds (kind)),
    'by_priority', (select jsonb_object_agg(p.priority,
        coalesce((select sum(amount) from figures where figure = 'tasks' and split_part(key, '/', 2) = p.priority::text), 0))
      from unnest(enum_range(null::public.task_priority)) as p (priority)),
    'by_column', (select coalesce(jsonb_agg(jsonb_build_object(
      'column_id', id, 'name', name, 'kind', kind, 'count', count, 'wip_limit', wip_limit
    ) order by board.project_id, position, id), '[]') from board),
    'by_assignee', (select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', s.user_id, 'display_name', case when s.user_id in (select m from private.members_of(ids) m)
        then (select p.display_name from public.profiles p where p.id = s.user_id) end, 'open', s.open, 'completed', s.completed
    ) order by s.open desc, s.completed desc, s.user_id), '[]') from share s),
    'throughput', (select jsonb_agg(jsonb_build_object('week', week, 'created', created, 'completed', completed) order by week) from weeks),
    'cumulative_flow', (select jsonb_agg(jsonb_build_object(
      'day', day, 'backlog', backlog, 'todo', todo, 'in_progress', in_progress, 'done', done, 'custom', custom
    ) order by day) from (
      select days.day,
        coalesce(sum(tasks) filter (where kind = 'backlog'), 0) as backlog,
        coalesce(sum(tasks) filter (where kind = 'todo'), 0) as todo,
        coalesce(sum(tasks) filter (where kind = 'in_progress'), 0) as in_progress,
        coalesce(sum(tasks) filter (where kind = 'done'), 0) as done,
        coalesce(sum(tasks) filter (where kind = 'custom'), 0) as custom
      from days
      left join held on held.day = days.day
      group by days.day
    ) as by_day),
    'by_field', case when exists (select from public.custom_fields f where f.project_id = of_project)
      then private.figures_of_fields(of_project) else '[]' end
  ) || private.times_of(ids) into metrics;
  return metrics;
end
$function$;
grant execute on function private.figures_of(of_project uuid) to authenticated;
grant execute on function private.figures_of(of_project uuid) to service_role;
comment on function private.figures_of(of_project uuid) is 'What dashboard_metrics answers: it decides by itself what the caller may see.';

CREATE OR REPLACE FUNCTION private.figures_of_fields(of_project uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with held as materialized (
    select v.field_id, v.value, count(*) as tasks
    from public.task_field_values v
    where v.project_id = of_project
      and v.task_id not in (select t.id from public.tasks t where t.project_id = of_project and t.archived_at is not null)
      and v.field_id in (select f.id from public.custom_fields f where f.project_id = of_project and f.kind not in ('text', 'url', 'date'))
    group by v.field_id, v.value
  ),
  -- each option of a list by itself
  chosen as materialized (
    select h.field_id, one.value, sum(h.tasks) as tasks
    from held h
    cross join lateral jsonb_array_elements(case jsonb_typeof(h.value) when 'array' then h.value else jsonb_build_array(h.value) end) as one (value)
    where jsonb_typeof(h.value) <> 'number'
    group by h.field_id, one.value
  ),
  sums as (
    select h.field_id, sum(h.tasks) as filled, sum(case when jsonb_typeof(h.value) = 'number' then h.value::numeric * h.tasks end) as total
    from held h
    group by h.field_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('field_id', f.id, 'name', f.name, 'kind', f.kind) || case f.kind
    when 'number' then jsonb_build_object('unit', f.unit, 'filled', coalesce(s.filled, 0), 'sum', coalesce(s.total, 0),
      'average', trim_scale(round(s.total / s.filled, 6)))
    when 'checkbox' then jsonb_build_object('ticked', coalesce((select c.tasks from chosen c where c.field_id = f.id and c.value = 'true'), 0))
    when 'person' then jsonb_build_object('people', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', c.value, 'display_name', case
          when (c.value #>> '{}')::uuid in (select m from private.members_of(array[of_project]) m)
          then (select p.display_name from public.profiles p where p.id = (c.value #>> '{}')::uuid) end, 'count', c.tasks)
        order by c.tasks desc, c.value), '[]')
      from chosen c
      where c.field_id = f.id
    ))
    else jsonb_build_object('options', (
      select coalesce(jsonb_agg(jsonb_build_object('option_id', o.one -> 'id', 'name', o.one -> 'name', 'count', coalesce(c.tasks, 0))
        order by o.place), '[]')
      from jsonb_array_elements(f.options) with ordinality as o (one, place)
      left join chosen c on c.field_id = f.id and c.value = o.one -> 'id'
    ))
  end order by f.position, f.id), '[]')
  from public.custom_fields f
  left join sums s on s.field_id = f.id
  where f.project_id = of_project and f.kind not in ('text', 'url', 'date')
$function$;

CREATE OR REPLACE FUNCTION private.fill_from_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  select c.project_id, c.task_id into new.project_id, new.task_id from public.task_comments c
  where c.id = new.comment_id and c.project_id = coalesce(new.project_id, c.project_id) and c.task_id = coalesce(new.task_id, c.task_id);
  if new.project_id is null then
    raise exception using
      errcode = '42501',
      message = format('new row violates row-level security policy for table "%s"', tg_table_name),
      hint = 'There is no comment with this comment_id, or you may not write in its project.';
  end if;
  return new;
end
$function$;
comment on function private.fill_from_comment() is 'Fills project and task of what hangs on a comment.';

CREATE OR REPLACE FUNCTION private.fill_project()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  select t.project_id into new.project_id from public.tasks t where t.id = new.task_id;
  if new.project_id is null then
    -- same answer as for a task in a foreign project
    raise exception using
      errcode = '42501',
      message = format('new row violates row-level security policy for table "%s"', tg_table_name),
      hint = 'There is no task with this task_id, or you may not write in its project.';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.fill_project(to_project uuid, body jsonb, starts date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  ids jsonb := private.ids_of_tasks(body);
begin
  ids := ids || (
    select coalesce(jsonb_object_agg(e ->> 'id', private.uuid_v7()), '{}')
    from unnest(array['columns', 'labels', 'fields', 'views']) part, jsonb_array_elements(coalesce(body -> part, '[]')) e
  );
  insert into public.custom_fields (id, project_id, name, kind, options, unit, position)
  select (ids ->> (f.one ->> 'id'))::uuid, to_project, f.one ->> 'name', (f.one ->> 'kind')::public.custom_field_kind,
    coalesce(f.one -> 'options', '[]'), f.one ->> 'unit', f.place
  from jsonb_array_elements(body -> 'fields') with ordinality as f (one, place) order by f.place;
  insert into public.workflow_columns (id, project_id, name, kind, position, wip_limit, color, required_fields)
  select (ids ->> (c.one ->> 'id'))::uuid, to_project, c.one ->> 'name', (c.one ->> 'kind')::public.workflow_column_kind, c.place,
    (c.one ->> 'wip_limit')::integer, c.one ->> 'color',
    array(select (ids ->> n)::uuid from jsonb_array_elements_text(coalesce(c.one -> 'required_fields', '[]')) n)
  from jsonb_array_elements(body -> 'columns') with ordinality as c (one, place) order by c.place;
  insert into public.task_labels (id, project_id, name, color)
  select (ids ->> (l.one ->> 'id'))::uuid, to_project, l.one ->> 'name', l.one ->> 'color'
  from jsonb_array_elements(body -> 'labels') with ordinality as l (one, place) order by l.place;
  -- Options keep their ids, and so do people who belong here; views name them.
  ids := ids || (
    select coalesce(jsonb_object_agg(e.name, o ->> 'id'), '{}')
    from jsonb_array_elements(body -> 'fields') f, jsonb_array_elements(coalesce(f -> 'options', '[]')) o,
      unnest(array[o ->> 'id', (f ->> 'id') || '/' || (o ->> 'id')]) as e (name)
  ) || (
    select jsonb_object_agg(m.user_id, m.user_id) from public.project_members m where m.project_id = to_project
  );
  perform private.fill_tasks(to_project, body, ids, starts, null);
  -- After the tasks, which say themselves what they hold.
  update public.custom_fields f set default_value = d -> 'default_value'
  from jsonb_array_elements(body -> 'fields') d
  where f.project_id = to_project and f.id = (ids ->> (d ->> 'id'))::uuid and d ? 'default_value'
    and private.may_hold(f, d -> 'default_value');
  perform private.fill_views(to_project, body, ids);
end
$function$;
grant execute on function private.fill_project(to_project uuid, body jsonb, starts date) to authenticated;
grant execute on function private.fill_project(to_project uuid, body jsonb, starts date) to service_role;

CREATE OR REPLACE FUNCTION private.fill_project_of_dependency()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  select t.project_id into new.project_id from public.tasks t where t.id = new.successor_id;
  if new.project_id is null then
    raise exception using
      errcode = '42501',
      message = 'new row violates row-level security policy for table "task_dependencies"',
      hint = 'There is no task with this successor_id, or you may not write in its project.';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.fill_task_parts(to_project uuid, body jsonb, ids jsonb, starts date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.task_label_links (project_id, task_id, label_id)
  select distinct to_project, (ids ->> (t ->> 'id'))::uuid, (ids ->> l)::uuid
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements_text(coalesce(t -> 'labels', '[]')) l
  where ids ? l;
  insert into public.task_assignees (project_id, task_id, user_id)
  select distinct to_project, (ids ->> (t ->> 'id'))::uuid, m.user_id
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements_text(coalesce(t -> 'people', '[]')) p
  join public.project_members m on m.project_id = to_project and m.user_id = p::uuid;
  insert into public.task_checklist_items (project_id, task_id, title, is_done, position)
  select to_project, (ids ->> (t ->> 'id'))::uuid, i.one ->> 'title', coalesce((i.one ->> 'is_done')::boolean, false), i.place
  from jsonb_array_elements(body -> 'tasks') t, jsonb_array_elements(coalesce(t -> 'checklist', '[]')) with ordinality as i (one, place);

  with held as materialized (
    select (ids ->> (t ->> 'id'))::uuid as task_id, f.id as field_id, private.read_field_value(f.kind, f.options, case f.kind
      when 'select' then ids -> (v.key || '/' || (v.value #>> '{}'))
      when 'multi_select' then (
        select jsonb_agg(ids -> (v.key || '/' || o)) from jsonb_array_elements_text(v.value) o where ids ? (v.key || '/' || o))
      else private.day_of_document(f.kind, v.value, starts)
    end) as value, f as field
    from jsonb_array_elements(body -> 'tasks') t, jsonb_each(coalesce(t -> 'fields', '{}')) v
    join public.custom_fields f on f.project_id = to_project and f.id = (ids ->> v.key)::uuid
  )
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select to_project, h.task_id, h.field_id, h.value from held h
  where h.value is not null and private.may_hold(h.field, h.value)
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;

  insert into public.task_dependencies (project_id, predecessor_id, successor_id, lag_days)
  select to_project, (ids ->> (d ->> 'predecessor'))::uuid, (ids ->> (d ->> 'successor'))::uuid, coalesce((d ->> 'lag_days')::integer, 0)
  from jsonb_array_elements(body -> 'dependencies') d;
end
$function$;
grant execute on function private.fill_task_parts(to_project uuid, body jsonb, ids jsonb, starts date) to authenticated;
grant execute on function private.fill_task_parts(to_project uuid, body jsonb, ids jsonb, starts date) to service_role;

CREATE OR REPLACE FUNCTION private.fill_tasks(to_project uuid, body jsonb, ids jsonb, starts date, in_column uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if coalesce(jsonb_array_length(body -> 'tasks'), 0) = 0 then
    return;
  end if;
  -- The outline before any column, as every change of tasks takes its locks.
  perform private.hold_outline(to_project, false);
  insert into public.tasks (id, project_id, column_id, title, description, priority, start_date, due_date, estimate, parent_id, subtask_position)
  select (ids ->> (t.one ->> 'id'))::uuid, to_project, coalesce(in_column, (ids ->> (t.one ->> 'column'))::uuid), t.one ->> 'title',
    coalesce(t.one ->> 'description', ''), coalesce((t.one ->> 'priority')::public.task_priority, 'p2'),
    starts + (t.one ->> 'start_in')::integer, starts + (t.one ->> 'due_in')::integer, (t.one ->> 'estimate')::numeric,
    (ids ->> (t.one ->> 'parent'))::uuid, case when t.one ->> 'parent' is not null then t.place end
  from jsonb_array_elements(body -> 'tasks') with ordinality as t (one, place)
  order by t.place;
  perform private.fill_task_parts(to_project, body, ids, starts);
end
$function$;
grant execute on function private.fill_tasks(to_project uuid, body jsonb, ids jsonb, starts date, in_column uuid) to authenticated;
grant execute on function private.fill_tasks(to_project uuid, body jsonb, ids jsonb, starts date, in_column uuid) to service_role;

CREATE OR REPLACE FUNCTION private.fill_views(to_project uuid, body jsonb, ids jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.saved_views (id, project_id, name, layout, filter, "grouping", lanes, sort, shown, is_shared, position)
  select (ids ->> (v.one ->> 'id'))::uuid, to_project, v.one ->> 'name', v.one ->> 'layout',
    coalesce(private.with_new_ids(nullif(v.one -> 'filter', 'null'), ids), '{}'),
    private.with_new_ids(v.one -> 'grouping', ids) #>> '{}', private.with_new_ids(v.one -> 'lanes', ids) #>> '{}',
    coalesce(private.with_new_ids(nullif(v.one -> 'sort', 'null'), ids), '[]'),
    coalesce(private.with_new_ids(nullif(v.one -> 'shown', 'null'), ids), '{}'),
    coalesce((v.one ->> 'is_shared')::boolean, true), v.place
  from jsonb_array_elements(body -> 'views') with ordinality as v (one, place) order by v.place;
  insert into public.view_defaults (project_id, user_id, view_id)
  select to_project, null, (ids ->> (body ->> 'first_view'))::uuid where body ->> 'first_view' is not null;
end
$function$;
grant execute on function private.fill_views(to_project uuid, body jsonb, ids jsonb) to authenticated;
grant execute on function private.fill_views(to_project uuid, body jsonb, ids jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.find_tasks(query text, in_project uuid, max_rows integer)
 RETURNS SETOF public.tasks
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  projects constant uuid[] := private.visible_projects(in_project);
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  -- What each project is asked, with \x01 where the tail of its id belongs; null: nothing.
  asked constant text := (
    select string_agg(E'''\x01:' || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
    from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w where octet_length(w.lexeme) <= 200
  );
  -- A word that most tasks have is not looked for in all of them.
  most_of_project constant integer := greatest(least(1000, 10000 / greatest(cardinality(projects), 1)), 5);
begin
  if in_project is not null and cardinality(projects) = 0 then
    perform private.raise_not_found('project');
  end if;
  return query
    with named as (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      where reference is not null and t.number = reference[2]::integer
        and t.project_id = any (case
          when reference[1] is null then projects
          else array(select p.id from public.projects p where p.id = any (projects) and p.key = upper(reference[1]))
        end)
      union all
      select t.id, 9::real
      from private.former_places f
      join public.tasks t on t.id = f.task_id
      where f.key = upper(reference[1]) and f.number = reference[2]::integer and t.project_id = any (projects)
    ),
    -- No more than are asked for: grouping all of them below would sort a thousand to show twenty.
    hits as (
      select hit.task_id, hit.rank
      from unnest(projects) as p
      cross join lateral (select replace(asked, E'\x01', right(p::text, 8))::tsquery as words offset 0) as query_of
      cross join lateral (
        select s.task_id, ts_rank(s.document, query_of.words) as rank
        from private.task_search s
        -- Said so that the words are looked up, whatever Postgres thinks of the number of tasks.
        where s.document @@ query_of.words and (s.project_id = p) is true
        limit most_of_project
      ) as hit
      where asked is not null
      order by 2 desc, 1 desc
      limit max_rows
    ),
    best as (
      select found.task_id, max(found.rank) as rank
      from (select * from named union all select * from hits) as found
      group by found.task_id
      order by 2 desc, 1 desc
      limit max_rows
    )
    select t.*
    from best
    join public.tasks t on t.id = best.task_id
    order by best.rank desc, t.id desc;
end
$function$;
grant execute on function private.find_tasks(query text, in_project uuid, max_rows integer) to authenticated;
grant execute on function private.find_tasks(query text, in_project uuid, max_rows integer) to service_role;
comment on function private.find_tasks(query text, in_project uuid, max_rows integer) is 'What search_tasks answers: it decides by itself what the caller may see.';

CREATE OR REPLACE FUNCTION private.finish_export(export uuid, of_attempt integer, file_name text, size bigint, md5 text, content_type text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  one private.exports;
begin
  update private.exports e
  set state = 'done', done = e.total, object_name = concat_ws('/', e.user_id, e.id, file_name), size_bytes = size, finished_at = now(),
    expires_at = now() + interval '1 day'
  where e.id = export and e.attempt = of_attempt and e.state = 'running' returning e.* into one;
  if not found then
    return false;
  end if;
  insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version)
  values ('exports', one.object_name, one.user_id, one.user_id::text, jsonb_build_object('eTag', format('"%s"', md5), 'size', size, 'mimetype', content_type,
    'cacheControl', 'no-store', 'lastModified', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'contentLength', size,
    'httpStatusCode', 200), '{}', one.version);
  return true;
end
$function$;
grant execute on function private.finish_export(export uuid, of_attempt integer, file_name text, size bigint, md5 text, content_type text) to kanbase_exports;

CREATE OR REPLACE FUNCTION private.first_day_of(of_project uuid, chosen uuid[])
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select least(min(t.start_date), min(t.due_date)) from public.tasks t where t.project_id = of_project and t.id = any (chosen)
$function$;
grant execute on function private.first_day_of(of_project uuid, chosen uuid[]) to authenticated;
grant execute on function private.first_day_of(of_project uuid, chosen uuid[]) to service_role;

CREATE OR REPLACE FUNCTION private.follow_attachment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.object_path := new.project_id || substr(old.object_path, 37);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_changed_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_at_once constant integer := 10;
  me constant uuid := auth.uid();
  moved boolean;
  sorted boolean;
  counted boolean;
  opened boolean;
begin
  select bool_or(was.column_id <> b.column_id),
    bool_or(was.column_id <> b.column_id or was.priority <> b.priority),
    bool_or(was.completed_at is distinct from b.completed_at or (was.archived_at is null) <> (b.archived_at is null)
      or was.created_at <> b.created_at or was.project_id <> b.project_id
      or b.completed_at is not null and was.started_at is distinct from b.started_at),
    bool_or((was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null))
  into moved, sorted, counted, opened
  from was join becomes b on b.id = was.id;

  if counted then
    -- Whoever works on a task that changes its project follows it before this runs, so they are found by the task alone.
    perform private.add_figures(array(
      select row(t.project_id, f.figure, f.key, t.delta)::private.figure_change
      from (
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, -1 as delta from was
        union all
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, 1 from becomes
      ) as t
      cross join lateral (
        select 'tasks', t.column_id || '/' || t.priority
        union all
        select 'created', private.week_of(t.created_at)
        union all
        select d.figure, d.key
        from (values
          ('completed', private.week_of(t.completed_at)),
          ('cycle', private.span_of(t.started_at, t.completed_at)),
          ('lead', private.span_of(t.created_at, t.completed_at))
        ) as d (figure, key)
        where d.key is not null
        union all
        select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
        from public.task_assignees a where a.task_id = t.id
        union all
        select 'unassigned', '' where t.completed_at is null
          and not exists (select from public.task_assignees a where a.task_id = t.id)
      ) as f (figure, key)
      where t.archived_at is null
    ));
  elsif sorted then
    insert into private.project_figures as f (project_id, figure, key, shard, amount)
    select t.project_id, 'tasks', t.column_id || '/' || t.priority, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, priority, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, priority, 1 from becomes where archived_at is null
    ) as t
    group by t.project_id, t.column_id, t.priority
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  end if;
  if moved or counted then
    insert into private.column_flow as f (project_id, day, column_id, shard, delta)
    select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, 1 from becomes where archived_at is null
    ) as t
    group by t.project_id, t.column_id
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  end if;
  if opened then
    perform from private.task_waits w
    where w.task_id in (
      select b.id from becomes b
      union
      select d.successor_id from becomes b join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
    )
    order by w.task_id for update;
    if found then
      update private.task_waits w set is_open = b.completed_at is null and b.archived_at is null
      from becomes b
      where w.task_id = b.id and w.is_open <> (b.completed_at is null and b.archived_at is null);
      update private.task_waits w set open_predecessors = w.open_predecessors + change.delta
      from (
        select d.successor_id, sum(case when b.completed_at is null and b.archived_at is null then 1 else -1 end) as delta
        from was
        join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where (was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null)
        group by d.successor_id
      ) as change
      where w.task_id = change.successor_id and change.delta <> 0;
    end if;
  end if;

  if moved and (
    exists (
      select from becomes b
      join public.task_watchers w on w.project_id = b.project_id and w.task_id = b.id
      where w.is_watching and w.user_id is distinct from me
    ) or exists (
      select from becomes b
      join public.project_watchers w on w.project_id = b.project_id
      where w.user_id is distinct from me
    )
  ) then
    perform private.notify(array(
      with moves as (
        select b.project_id, b.id, was.column_id as from_id, b.column_id as to_id
        from was join becomes b on b.id = was.id where was.column_id <> b.column_id
      ), heard as (
        select m.*, w as user_id from moves m cross join lateral private.watchers_of(m.project_id, m.id) w where w is distinct from me
      ), counted as (
        select h.*, count(*) over (partition by h.user_id, h.project_id) as at_once from heard h
      )
      select row(c.user_id, 'state_changed', c.project_id, c.id, jsonb_build_object(
        'from_id', c.from_id, 'to_id', c.to_id, 'from', was_in.name, 'to', is_in.name
      ))::private.news
      from counted c
      join public.workflow_columns was_in on was_in.id = c.from_id
      join public.workflow_columns is_in on is_in.id = c.to_id
      where c.at_once <= most_at_once
      union all
      select row(c.user_id, 'state_changed', c.project_id, null, jsonb_build_object('count', count(*), 'to', (
        select string_agg(distinct i.name, ', ') from public.workflow_columns i where i.id = any (array_agg(c.to_id))
      )))::private.news
      from counted c
      where c.at_once > most_at_once
      group by c.user_id, c.project_id
    ));
  end if;
  if opened then
    perform private.notify(array(
      select row(w, 'unblocked', s.project_id, s.task_id, '{}')::private.news
      from (
        select distinct d.project_id, d.successor_id as task_id
        from was join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where was.completed_at is null and was.archived_at is null and (b.completed_at is not null or b.archived_at is not null)
      ) s
      join private.task_waits t on t.task_id = s.task_id and t.is_open and t.open_predecessors = 0
      cross join lateral private.watchers_of(s.project_id, s.task_id) w
      where w is distinct from me
    ));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_column_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.tasks t
  set completed_at = case when new.kind = 'done' then coalesce(t.completed_at, now()) end,
      started_at = case when new.kind = 'in_progress' then coalesce(t.started_at, now()) else t.started_at end
  where t.project_id = new.project_id and t.column_id = new.id
    and ((t.completed_at is null) = (new.kind = 'done') or (new.kind = 'in_progress' and t.started_at is null));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_new_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from arrived) then
    return null;
  end if;
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, (select p.id from public.profiles p where p.id = auth.uid()), 'created',
    jsonb_build_object('title', t.title, 'number', t.number, 'column_id', t.column_id)
  from arrived t;
  insert into private.task_search (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, null) from arrived t;
  insert into private.project_figures as f (project_id, figure, key, shard, amount)
  select t.project_id, c.figure, c.key, pg_backend_pid() % 8, count(*)
  from arrived t
  cross join lateral (values
    ('tasks', t.column_id || '/' || t.priority),
    ('created', date_trunc('week', t.created_at at time zone 'utc')::date::text),
    (case when t.completed_at is not null then 'completed' else 'unassigned' end,
      coalesce(date_trunc('week', t.completed_at at time zone 'utc')::date::text, '')),
    ('cycle', private.span_of(t.started_at, t.completed_at)),
    ('lead', private.span_of(t.created_at, t.completed_at))
  ) as c (figure, key)
  where t.archived_at is null and c.key is not null
  group by t.project_id, c.figure, c.key
  order by t.project_id, c.figure, c.key
  on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, count(*)
  from arrived t
  where t.archived_at is null
  group by t.project_id, t.column_id
  order by t.project_id, t.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  insert into public.task_watchers (project_id, task_id, user_id, reason)
  select t.project_id, t.id, t.created_by, 'creator'
  from arrived t
  join public.project_members m on m.project_id = t.project_id and m.user_id = t.created_by
  on conflict (project_id, task_id, user_id) do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select t.project_id, t.id, f.id, f.default_value
  from arrived t
  join public.custom_fields f on f.project_id = t.project_id
  where f.default_value is not null
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.notification_deliveries d set due_at = private.next_daily(new.time_zone, new.daily_hour)
  where d.user_id = new.user_id and d.way = 'daily';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_with_triggers(wanted boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  found record;
begin
  perform pg_advisory_xact_lock(7003110518);
  for found in
    select c.oid::regclass as relation, (select n.nspname from pg_catalog.pg_namespace n where n.oid = c.relnamespace) as schema, c.oid = 'realtime.messages'::regclass as is_messages,
      exists (select from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgname = 'kanbase_changes') as has,
      exists (
        select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
        where r.prrelid = c.oid and p.pubname in ('supabase_realtime', 'supabase_realtime_messages_publication')
      ) as told
    from pg_catalog.pg_class c where c.relkind in ('r', 'p') and not c.relispartition
  loop
    if found.has and not (wanted and found.told) then
      execute format('drop trigger kanbase_changes on %s', found.relation);
    elsif wanted and found.told and not found.has then
      execute format(
        'create trigger kanbase_changes after %s on %s for each row execute function private.note_change()',
        case when found.is_messages then 'insert' else 'insert or update or delete' end, found.relation
      );
      -- the server reads the noted rows back as rows of their table
      execute format('grant usage on schema %I to kanbase_realtime', found.schema);
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.foresee_end_of(account uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'heir_name', heir.display_name, 'becomes', case
        when not exists (select from public.project_members o where o.project_id = p.id and o.user_id <> account) then 'deleted'
        when m.role <> 'owner' or exists (
          select from public.project_members o where o.project_id = p.id and o.user_id <> account and o.role = 'owner'
        ) then 'stays'
        when heir.user_id is not null then 'passes'
        else 'archived'
      end) order by p.name, p.id), '[]')
      from public.project_members m
      join public.projects p on p.id = m.project_id
      left join lateral (
        select o.user_id, f.display_name from public.project_members o
        left join public.profiles f on f.id = o.user_id
        where o.project_id = p.id and o.user_id <> account and o.role = 'editor'
        order by o.created_at, o.user_id limit 1
      ) heir on true
      where m.user_id = account
    ),
    'tasks', (
      select count(*) from public.tasks t
      where t.created_by = account and exists (select from public.project_members o where o.project_id = t.project_id and o.user_id <> account)
    ),
    'comments', (
      select count(*) from public.task_comments c
      where c.author_id = account and exists (select from public.project_members o where o.project_id = c.project_id and o.user_id <> account)
    )
  )
$function$;
comment on function private.foresee_end_of(account uuid) is 'What becomes of an account''s projects and work without it.';

CREATE OR REPLACE FUNCTION private.foresee_my_end()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
begin
  return private.foresee_end_of(me);
end
$function$;
grant execute on function private.foresee_my_end() to authenticated;
grant execute on function private.foresee_my_end() to service_role;
comment on function private.foresee_my_end() is 'What becomes of the caller''s projects and work without them, for my_account_end.';

CREATE OR REPLACE FUNCTION private.forget_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_there(old.project_id) then
    return null;
  end if;
  delete from public.notifications n where n.user_id = old.user_id and n.project_id = old.project_id;
  delete from public.task_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.project_watchers w where w.user_id = old.user_id and w.project_id = old.project_id;
  delete from public.notification_settings s where s.user_id = old.user_id and s.project_id = old.project_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_options()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone constant jsonb := coalesce((
    select jsonb_agg(o -> 'id') from jsonb_array_elements(old.options) o
    where not exists (select from jsonb_array_elements(new.options) n where n -> 'id' = o -> 'id')
  ), '[]');
begin
  if gone = '[]' then
    return null;
  end if;
  delete from public.task_field_values v
  where v.project_id = new.project_id and v.field_id = new.id
    and case jsonb_typeof(v.value) when 'array' then gone @> v.value else gone @> jsonb_build_array(v.value) end;
  update public.task_field_values v
  set value = (select jsonb_agg(e) from jsonb_array_elements(v.value) e where not gone @> jsonb_build_array(e))
  where v.project_id = new.project_id and v.field_id = new.id and jsonb_typeof(v.value) = 'array'
    and exists (select from jsonb_array_elements(v.value) e where gone @> jsonb_build_array(e));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_proxy(address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.untrusted_proxies p where p.address = forget_proxy.address::inet;
$function$;
grant execute on function private.forget_proxy(address text) to kanbase_limits;

CREATE OR REPLACE FUNCTION private.forget_push_subscription(endpoint text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.push_subscriptions p
  where p.endpoint = forget_push_subscription.endpoint and p.user_id = private.require_user();
end
$function$;
grant execute on function private.forget_push_subscription(endpoint text) to authenticated;

CREATE OR REPLACE FUNCTION private.forget_views()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.saved_views v where v.owner_id = old.id and (not v.is_shared or v.project_id is null);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.found_project(project_name text, project_description text, project_key text)
 RETURNS public.projects
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  project constant public.projects := private.begin_project(project_name, project_description, project_key, null);
begin
  insert into public.workflow_columns (project_id, name, kind, position) values
    (project.id, 'Backlog', 'backlog', 1),
    (project.id, 'To do', 'todo', 2),
    (project.id, 'In progress', 'in_progress', 3),
    (project.id, 'Done', 'done', 4);
  return project;
end
$function$;
grant execute on function private.found_project(project_name text, project_description text, project_key text) to authenticated;
grant execute on function private.found_project(project_name text, project_description text, project_key text) to service_role;

CREATE OR REPLACE FUNCTION private.free_import_job()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.state is distinct from old.state and new.state <> 'running' then
    new.held_by := null;
    new.held_until := null;
    new.tries := 0;
    new.crashes := 0;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.free_rank(in_project uuid, in_column uuid, wanted text, for_task uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank = wanted and t.id <> for_task
  ) then
    return wanted;
  end if;
  return private.rank_between(wanted, (
    select min(t.order_rank) from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank > wanted and t.id <> for_task
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.give_point(bucket text, most integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.limits l set points = least(most, l.points + 1) where l.key = bucket
$function$;
grant execute on function private.give_point(bucket text, most integer) to kanbase_limits;
comment on function private.give_point(bucket text, most integer) is 'Gives a point back.';

CREATE OR REPLACE FUNCTION private.grant_feed(feed uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  now_epoch constant integer := private.epoch_for(me, nullif(auth.jwt() ->> 'session_id', '')::uuid);
begin
  if now_epoch is null then
    perform private.raise_ended_session();
  end if;
  delete from public.access_grants g where g.feed_id = feed;
  insert into public.access_grants (user_id, kind, project_id, feed_id, epoch)
  select f.user_id, 'calendar_feed', coalesce(f.project_id, v.project_id), f.id, now_epoch
  from public.calendar_feeds f left join public.saved_views v on v.id = f.view_id
  where f.id = feed and f.user_id = me;
end
$function$;
comment on function private.grant_feed(feed uuid) is 'Makes the grant of one''s own calendar feed anew.';

CREATE OR REPLACE FUNCTION private.grant_links(person uuid, session uuid, of_kind text, bucket text, names jsonb, seconds bigint, longest_seconds bigint)
 RETURNS TABLE(name text, grant_id uuid, signed_at bigint, lasts_seconds bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  now_epoch constant integer := private.epoch_for(person, session);
  lasts constant bigint := least(seconds, case when private.is_app_bucket(bucket) then 86400 else longest_seconds end);
  lasts_until constant timestamptz := now() + make_interval(secs => lasts);
  at_microsecond constant bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
begin
  if now_epoch is null then
    return query
      select n, null::uuid, at_microsecond, lasts from jsonb_array_elements_text(names) n
      where session is null and not exists (select from auth.users u where u.id = person);
    return;
  end if;
  insert into public.access_grants as g (user_id, kind, project_id, bucket_id, epoch, expires_at)
  select person, of_kind, places.project_id, bucket, now_epoch, lasts_until + interval '10 minutes'
  from (
    select distinct private.project_of_object(bucket, n) as project_id from jsonb_array_elements_text(names) n
  ) places
  where not exists (
    select from public.access_grants k
    where k.user_id = person and k.kind = of_kind and k.bucket_id = bucket and k.project_id is not distinct from places.project_id
      and k.epoch = now_epoch and k.expires_at >= lasts_until
  )
  on conflict on constraint access_grants_one_per_place do update
    set id = case when g.epoch = excluded.epoch then g.id else excluded.id end,
      expires_at = case when g.epoch = excluded.epoch then greatest(g.expires_at, excluded.expires_at) else excluded.expires_at end,
      epoch = excluded.epoch;
  return query
    select n, k.id, at_microsecond, lasts from jsonb_array_elements_text(names) n
    join public.access_grants k
      on k.user_id = person and k.kind = of_kind and k.bucket_id = bucket and k.feed_id is null
      and k.project_id is not distinct from private.project_of_object(bucket, n);
end
$function$;
grant execute on function private.grant_links(person uuid, session uuid, of_kind text, bucket text, names jsonb, seconds bigint, longest_seconds bigint) to kanbase_files;
comment on function private.grant_links(person uuid, session uuid, of_kind text, bucket text, names jsonb, seconds bigint, longest_seconds bigint) is 'The rows that signed addresses of these objects name, made where there are none, and how long the addresses hold.';

CREATE OR REPLACE FUNCTION private.grant_unsubscribing(person uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  now_epoch constant integer := private.epoch_for(person, null);
  granted uuid;
begin
  insert into public.access_grants as g (user_id, kind, epoch)
  select person, 'unsubscribe_link', now_epoch
  where now_epoch is not null and not exists (
    select from public.access_grants k where k.user_id = person and k.kind = 'unsubscribe_link' and k.epoch = now_epoch
  )
  on conflict on constraint access_grants_one_per_place do update
    set id = case when g.epoch = excluded.epoch then g.id else excluded.id end, epoch = excluded.epoch;
  select g.id into granted from public.access_grants g where g.user_id = person and g.kind = 'unsubscribe_link';
  return granted;
end
$function$;
grant execute on function private.grant_unsubscribing(person uuid) to kanbase_mail;
comment on function private.grant_unsubscribing(person uuid) is 'The row that links to unsubscribe name; null: the account may not sign in.';

CREATE OR REPLACE FUNCTION private.has_operator()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from auth.users u where u.is_operator and u.deleted_at is null)
$function$;
grant execute on function private.has_operator() to kanbase_desk;
comment on function private.has_operator() is 'Whether anybody is an operator.';

CREATE OR REPLACE FUNCTION private.has_shown_mailbox(account auth.users)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select account.email_confirmed_at is not null and not (account.invited_at is not null and exists (
    select from auth.identities i
    where i.user_id = account.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
  ))
$function$;
comment on function private.has_shown_mailbox(account auth.users) is 'Whether an account is confirmed, and by more than a link that an operator handed on.';

CREATE OR REPLACE FUNCTION private.hold_attachment(of_task uuid, attachment uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.task_attachments a
  where a.id = attachment and a.task_id = of_task and private.looks_into(a.project_id) for key share;
  return found;
end
$function$;
grant execute on function private.hold_attachment(of_task uuid, attachment uuid) to authenticated;
grant execute on function private.hold_attachment(of_task uuid, attachment uuid) to service_role;

CREATE OR REPLACE FUNCTION private.hold_import_job(job uuid, holder uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  cancelled boolean;
begin
  update private.import_jobs j set held_until = now() + interval '1 minute'
  from auth.users u
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
    and u.id = j.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
  returning j.is_cancelled and j.state = 'running' into cancelled;
  return case when not found then 'lost' when cancelled then 'cancelled' else 'held' end;
end
$function$;
grant execute on function private.hold_import_job(job uuid, holder uuid) to kanbase_imports;
comment on function private.hold_import_job(job uuid, holder uuid) is 'Holds an import for another minute: held, cancelled by its owner, or lost to another node.';

CREATE OR REPLACE FUNCTION private.hold_member(in_project uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.project_members m
  where m.project_id = in_project and m.user_id = person and private.looks_into(in_project) for key share;
  return found;
end
$function$;
grant execute on function private.hold_member(in_project uuid, person uuid) to authenticated;
grant execute on function private.hold_member(in_project uuid, person uuid) to service_role;

CREATE OR REPLACE FUNCTION private.hold_outline(in_project uuid, to_change boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if to_change then
    perform pg_advisory_xact_lock(hashtextextended(in_project::text, 3083));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended(in_project::text, 3083));
  end if;
end
$function$;
grant execute on function private.hold_outline(in_project uuid, to_change boolean) to authenticated;
grant execute on function private.hold_outline(in_project uuid, to_change boolean) to service_role;

CREATE OR REPLACE FUNCTION private.ids_in_project(body jsonb, in_project uuid, label_ids jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.task_labels (id, project_id, name, color)
  select coalesce((label_ids ->> lower(l ->> 'name'))::uuid, private.uuid_v7()), in_project, l ->> 'name', l ->> 'color'
  from jsonb_array_elements(body -> 'labels') l
  on conflict do nothing;
  return (
    select coalesce(jsonb_object_agg(e.one ->> 'id', l.id), '{}')
    from jsonb_array_elements(body -> 'labels') e (one)
    join public.task_labels l on l.project_id = in_project and lower(l.name) = lower(e.one ->> 'name')
  ) || (
    select coalesce(jsonb_object_agg(p.name, p.leads_to), '{}')
    from jsonb_array_elements(body -> 'fields') e (one)
    join public.custom_fields f on f.project_id = in_project and lower(f.name) = lower(e.one ->> 'name') and f.kind::text = e.one ->> 'kind'
    cross join lateral (
      select e.one ->> 'id' as name, f.id::text as leads_to
      union all
      select (e.one ->> 'id') || '/' || (o ->> 'id'), there ->> 'id'
      from jsonb_array_elements(coalesce(e.one -> 'options', '[]')) o
      join jsonb_array_elements(f.options) there on lower(there ->> 'name') = lower(o ->> 'name')
    ) p
  );
end
$function$;
grant execute on function private.ids_in_project(body jsonb, in_project uuid, label_ids jsonb) to authenticated;
grant execute on function private.ids_in_project(body jsonb, in_project uuid, label_ids jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.ids_of_tasks(body jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(t ->> 'id', private.uuid_v7()), '{}') from jsonb_array_elements(body -> 'tasks') t
$function$;
grant execute on function private.ids_of_tasks(body jsonb) to authenticated;
grant execute on function private.ids_of_tasks(body jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.index_changed_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_task(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.index_commented_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.index_task(coalesce(new.task_id, old.task_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.index_field_value()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from public.custom_fields f where f.id = coalesce(new.field_id, old.field_id) and f.kind not in ('text', 'url')
  ) then
    perform private.index_task(coalesce(new.task_id, old.task_id));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.index_task(of_task uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- What is written beside this one and is not done yet is waited for, and then read: otherwise the later of the two forgets the words of the other.
  perform from private.task_search s where s.task_id = of_task for no key update;
  insert into private.task_search as s (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, concat_ws(' ', (
    select string_agg(v.value #>> '{}', ' ' order by f.position, f.id)
    from public.task_field_values v
    join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id and f.kind in ('text', 'url')
    where v.project_id = t.project_id and v.task_id = t.id
  ), (
    select string_agg(left(c.body, 40000), ' ' order by c.created_at desc)
    from public.task_comments c
    where c.project_id = t.project_id and c.task_id = t.id
  )))
  from public.tasks t
  join public.projects p on p.id = t.project_id -- neither when the task nor when its project is going
  where t.id = of_task
  on conflict (task_id) do update set document = excluded.document;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_app_bucket(bucket text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (bucket = ANY (ARRAY['attachments'::text, 'avatars'::text, 'exports'::text]));
grant execute on function private.is_app_bucket(bucket text) to kanbase_files;
comment on function private.is_app_bucket(bucket text) is 'Whether a bucket is one of the app''s own: signed addresses into it live a day at most and show the bytes they were made for.';

CREATE OR REPLACE FUNCTION private.is_day(digits text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  perform make_date(left(digits, 4)::integer, substr(digits, 5, 2)::integer, substr(digits, 7, 2)::integer);
  return true;
exception when others then
  return false;
end
$function$;
grant execute on function private.is_day(digits text) to authenticated;
grant execute on function private.is_day(digits text) to service_role;

CREATE OR REPLACE FUNCTION private.is_grant_open(of_grant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.access_grants g
    join auth.users u on u.id = g.user_id and u.access_epoch = g.epoch and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
    where g.id = of_grant
      and (g.project_id is null or exists (
        select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id
      ))
  )
$function$;
comment on function private.is_grant_open(of_grant uuid) is 'Whether a grant still opens what it is of.';

CREATE OR REPLACE FUNCTION private.is_let_in(person uuid, session uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (is_let_in.session is null or exists (select from auth.sessions s where s.id = is_let_in.session))
    and not exists (
      select from auth.users u
      where u.id = is_let_in.person and (u.deleted_at is not null or u.banned_until > now())
    )
$function$;
grant execute on function private.is_let_in(person uuid, session uuid) to kanbase_files;
comment on function private.is_let_in(person uuid, session uuid) is 'Whether a session has not ended and a person is not shut out.';

CREATE OR REPLACE FUNCTION private.is_open_invitation(invitation public.project_invitations)
 RETURNS boolean
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT (((invitation).accepted_at IS NULL) AND ((invitation).expires_at > now()) AND private.is_there((invitation).project_id) AND (((invitation).invited_by IS NULL) OR (EXISTS ( SELECT
            FROM (public.project_members m
              JOIN auth.users u ON (((u.id = m.user_id) AND (u.deleted_at IS NULL) AND ((u.banned_until IS NULL) OR (u.banned_until <= now())))))
           WHERE ((m.project_id = (is_open_invitation.invitation).project_id) AND (m.user_id = (is_open_invitation.invitation).invited_by) AND (m.role = 'owner'::public.project_role))))));
END;
comment on function private.is_open_invitation(invitation public.project_invitations) is 'Whether an invitation can be accepted.';

CREATE OR REPLACE FUNCTION private.is_owner(in_project uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role = 'owner'
  );
end
$function$;
grant execute on function private.is_owner(in_project uuid) to authenticated;
grant execute on function private.is_owner(in_project uuid) to service_role;

CREATE OR REPLACE FUNCTION private.is_put_aside(of_bucket text, file_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select of_bucket = 'attachments' and exists (
    select from public.projects p where p.id = private.attachment_project(file_name) and p.deleted_at is not null
  )
$function$;
grant execute on function private.is_put_aside(of_bucket text, file_name text) to kanbase_files;
comment on function private.is_put_aside(of_bucket text, file_name text) is 'Whether a file belongs to a deleted project: links to it open nothing until it is back.';

CREATE OR REPLACE FUNCTION private.is_removed_file(of_bucket text, file_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.removed_files r where r.bucket_id = of_bucket and r.name = file_name)
    and not exists (
      select from public.task_attachments a
      where a.project_id = private.attachment_project(file_name) and a.object_path = file_name
    )
    or private.is_put_aside(of_bucket, file_name)
$function$;
grant execute on function private.is_removed_file(of_bucket text, file_name text) to kanbase_files;
comment on function private.is_removed_file(of_bucket text, file_name text) is 'Whether a file only waits for its removal to become final.';

CREATE OR REPLACE FUNCTION private.is_there(project uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from public.projects p where p.id = is_there.project and p.deleted_at is null)
$function$;
comment on function private.is_there(project uuid) is 'Whether there is such a project, and it is not deleted.';

CREATE OR REPLACE FUNCTION private.is_writer(in_project uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role in ('owner', 'editor')
  );
end
$function$;
grant execute on function private.is_writer(in_project uuid) to authenticated;
grant execute on function private.is_writer(in_project uuid) to service_role;

CREATE OR REPLACE FUNCTION private.issue_invitation(to_project uuid, to_email text, as_role public.project_role)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
begin
  if not (to_project = any (private.my_projects())) then
    perform private.raise_not_found('project');
  elsif not private.is_owner(to_project) then
    raise exception using
      errcode = '42501',
      message = 'only an owner of the project can invite',
      hint = 'Ask an owner to invite them.';
  end if;
  if exists (
    select from auth.users u
    join public.project_members m on m.user_id = u.id
    where m.project_id = to_project and lower(u.email) = lower(trim(to_email))
  ) then
    raise exception using
      errcode = 'KB005',
      message = 'this address belongs to a member already',
      hint = 'Change their role in project_members instead.';
  end if;
  insert into public.project_invitations (project_id, email, role, invited_by)
  values (to_project, trim(to_email), as_role, me)
  on conflict (project_id, lower(email)) where accepted_at is null
    do update set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at
  returning * into invitation;
  return jsonb_build_object(
    'id', invitation.id, 'project_id', invitation.project_id, 'email', invitation.email, 'role', invitation.role,
    'invited_by', invitation.invited_by, 'expires_at', invitation.expires_at, 'created_at', invitation.created_at,
    'token', private.send_invitation(invitation)
  );
end
$function$;
grant execute on function private.issue_invitation(to_project uuid, to_email text, as_role public.project_role) to authenticated;
grant execute on function private.issue_invitation(to_project uuid, to_email text, as_role public.project_role) to service_role;

CREATE OR REPLACE FUNCTION private.issue_invitation_token(of_invitation uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 20;
  me constant uuid := private.require_user();
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  invitation public.project_invitations;
begin
  select i.* into invitation from public.project_invitations i
  where i.id = of_invitation and i.project_id = any (private.my_projects());
  if not found then
    perform private.raise_no_invitation();
  elsif not private.is_owner(invitation.project_id) then
    raise exception using
      errcode = '42501',
      message = 'only an owner of the project can read the links of its invitations',
      hint = 'Ask an owner for it.';
  end if;
  perform from public.project_invitations i where i.id = invitation.id and private.is_open_invitation(i) for update;
  if not found then
    perform private.raise_no_invitation();
  end if;
  if private.take_point('invitation links of ' || me, 200, 3600) > 0 then
    raise exception using
      errcode = 'PT429',
      message = 'you ask for many links in a short time',
      hint = 'Up to 200 an hour are made; wait a while and go on.';
  end if;
  delete from private.invitation_tokens t where t.token_hash in (
    select o.token_hash from private.invitation_tokens o where o.invitation_id = invitation.id
    order by o.created_at desc, o.token_hash offset most - 1
  );
  insert into private.invitation_tokens (token_hash, invitation_id) values (sha256(convert_to(token, 'UTF8')), invitation.id);
  return token;
end
$function$;
grant execute on function private.issue_invitation_token(of_invitation uuid) to authenticated;
grant execute on function private.issue_invitation_token(of_invitation uuid) to service_role;
comment on function private.issue_invitation_token(of_invitation uuid) is 'Makes one more token of an open invitation, for an owner.';

CREATE OR REPLACE FUNCTION private.join_mail_thread(person uuid, about uuid, message_id text)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.mail_threads as t (user_id, about, message_id)
  select u.id, join_mail_thread.about, join_mail_thread.message_id from auth.users u where u.id = join_mail_thread.person
  on conflict on constraint mail_threads_pkey do update set last_at = now()
  returning t.message_id
$function$;
grant execute on function private.join_mail_thread(person uuid, about uuid, message_id text) to kanbase_mail;
comment on function private.join_mail_thread(person uuid, about uuid, message_id text) is 'The Message-ID of the first mail to that person about it, which is the given one where there was none.';

CREATE OR REPLACE FUNCTION private.join_thread()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.parent_id := coalesce((
    select c.parent_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ), new.parent_id);
  return new;
end
$function$;
comment on function private.join_thread() is 'Makes the reply to a reply one to the thread.';

CREATE OR REPLACE FUNCTION private.keep_account(user_id uuid)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select users.id from auth.users where users.id = keep_account.user_id for key share
$function$;
grant execute on function private.keep_account(user_id uuid) to kanbase_billing;

CREATE OR REPLACE FUNCTION private.keep_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  heir uuid;
begin
  -- One at a time per project: two owners who remove each other meet here.
  perform from public.projects p where p.id = old.project_id and p.deleted_at is null for no key update;
  if not found or exists (
    select from public.project_members m
    where m.project_id = old.project_id and m.role = 'owner' and m.user_id <> old.user_id
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' and not exists (select from public.profiles where id = old.user_id) then
    select m.user_id into heir from public.project_members m
    where m.project_id = old.project_id and m.role = 'editor'
    order by m.created_at, m.user_id
    limit 1
    -- An editor who is leaving is waited for, and the next one taken.
    for no key update;
    if found then
      update public.project_members m set role = 'owner' where m.project_id = old.project_id and m.user_id = heir;
    else
      update public.projects p set archived_at = coalesce(p.archived_at, now()) where p.id = old.project_id;
    end if;
    return null;
  end if;
  -- A statement that made another owner in the same breath has been seen above: this runs after all its rows.
  raise exception using
    errcode = 'KB003',
    message = 'a project keeps at least one owner',
    hint = 'Make someone else an owner first, or delete the project.';
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_created_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' and current_setting('kanbase.importing', true) is distinct from 'on' then
    new.created_at := case tg_op when 'UPDATE' then old.created_at else now() end;
  else
    new.created_at := coalesce(new.created_at, now());
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_deleted_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if row_security_active(tg_relid) and new.deleted_at is not null then
    new.deleted_at := coalesce(old.deleted_at, now());
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_edited_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    if row_security_active(tg_relid) and current_user <> 'service_role' then
      new.edited_at := null;
    end if;
  else
    new.edited_at := case when old.body <> new.body then now() else old.edited_at end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_message_partitions(days integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
  day date;
  old text;
begin
  -- one node at a time
  perform pg_advisory_xact_lock(7003110517);
  for day in select generate_series(today, today + 2, interval '1 day')::date loop
    continue when to_regclass(format('realtime.messages_%s', to_char(day, 'YYYY_MM_DD'))) is not null;
    begin
      execute format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        'messages_' || to_char(day, 'YYYY_MM_DD'), day, day + 1
      );
      execute format('alter table realtime.%I enable row level security', 'messages_' || to_char(day, 'YYYY_MM_DD'));
    exception when check_violation then
      -- messages of that day lie in the rest already, and stay there
      null;
    end;
  end loop;
  for old in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
      and to_date(substring(c.relname from 10), 'YYYY_MM_DD') < today - days
  loop
    execute format('drop table realtime.%I', old);
  end loop;
  delete from realtime.messages_rest where inserted_at < today - days;
  delete from realtime.messages where expires_at <= now() at time zone 'utc';
end
$function$;
grant execute on function private.keep_message_partitions(days integer) to kanbase_realtime;

CREATE OR REPLACE FUNCTION private.keep_notification()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.created_at := old.created_at;
    if old.done_at is null and new.done_at is not null then
      new.done_at := now();
      new.read_at := coalesce(new.read_at, now());
    end if;
    if old.read_at is null and new.read_at is not null then
      new.read_at := now();
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_project()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if old.archived_at is null and new.archived_at is not null and row_security_active(tg_relid) and current_user <> 'service_role' then
    new.archived_at := now();
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_push_subscription(endpoint text, p256dh text, auth text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  session constant uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
  kept uuid;
begin
  if session is null or not exists (select from auth.sessions s where s.id = session and s.user_id = me) then
    raise exception using
      errcode = '42501',
      message = 'push messages belong to a session, and this token has none',
      hint = 'Sign in, and subscribe with the token of that session.';
  end if;
  -- The browser is somebody else's now.
  insert into public.push_subscriptions as p (user_id, session_id, endpoint, p256dh, auth)
  values (me, session, keep_push_subscription.endpoint, keep_push_subscription.p256dh, keep_push_subscription.auth)
  on conflict on constraint push_subscriptions_endpoint_key do update
    set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth
  returning p.id into kept;
  delete from public.push_subscriptions p
  where p.id in (
    select o.id from public.push_subscriptions o
    where o.user_id = me and o.id <> kept
    order by o.updated_at desc, o.id desc offset 19
  );
  return kept;
end
$function$;
grant execute on function private.keep_push_subscription(endpoint text, p256dh text, auth text) to authenticated;

CREATE OR REPLACE FUNCTION private.keep_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role'
    and current_setting('kanbase.importing', true) is distinct from 'on';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
      new.started_at := old.started_at;
      new.completed_at := old.completed_at;
      if old.archived_at is null and new.archived_at is not null then
        new.archived_at := now();
      end if;
    end if;
  elsif client then
    new.number := null;
    new.started_at := null;
    new.completed_at := null;
    new.archived_at := case when new.archived_at is not null then now() end;
    new.created_at := now();
    new.updated_at := now();
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_times()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role'
    and current_setting('kanbase.importing', true) is distinct from 'on';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
    end if;
  elsif client then
    new.created_at := now();
    new.updated_at := now();
  else
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := coalesce(new.updated_at, now());
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_to_member_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  project public.projects;
  allowed bigint;
begin
  select p.* into project from public.projects p where p.id = new.project_id;
  if project.deleted_at is not null then
    if exists (select from private.kept_members k where k.project_id = new.project_id and k.user_id = new.user_id) then
      return null;
    end if;
    -- It was deleted while somebody joined.
    perform private.raise_not_found('project');
  end if;
  allowed := private.plan_limit(project.created_by, 'members_per_project');
  if allowed is null then
    return null;
  end if;
  perform from public.projects p where p.id = new.project_id for no key update;
  if (select count(*) from public.project_members m where m.project_id = new.project_id) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('The plan of this project allows %s %s', allowed, case allowed when 1 then 'member' else 'members' end),
      detail = format('members_per_project: %s', allowed),
      hint = 'Remove a member, or choose a larger plan.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_to_project_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  allowed bigint := private.plan_limit(new.created_by, 'projects');
begin
  if allowed is null then
    return null;
  end if;
  -- One at a time per person, or two at once would both find the last place free.
  perform pg_advisory_xact_lock(hashtextextended('plan of ' || new.created_by, 0));
  if (select count(*) from public.projects p where p.created_by = new.created_by and p.archived_at is null and p.deleted_at is null) > allowed then
    raise exception using
      errcode = 'PT402',
      message = format('Your plan allows %s %s', allowed, case allowed when 1 then 'project' else 'projects' end),
      detail = format('projects: %s', allowed),
      hint = 'Archive or delete a project, or choose a larger plan.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_watcher()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if row_security_active(tg_relid) and current_user <> 'service_role' then
    new.reason := 'asked';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.language_of(address text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  chosen text;
begin
  select u.raw_user_meta_data ->> 'language' into chosen
  from auth.users u where lower(u.email) = lower(address) and not u.is_sso_user;
  if not found then
    select u.raw_user_meta_data ->> 'language' into chosen from auth.users u where u.id = auth.uid();
  end if;
  return chosen;
end
$function$;
comment on function private.language_of(address text) is 'The language in which to write to an address; null where nobody has chosen one.';

CREATE OR REPLACE FUNCTION private.language_of_person(person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.raw_user_meta_data ->> 'language' from auth.users u where u.id = person
$function$;
grant execute on function private.language_of_person(person uuid) to kanbase_mail;
comment on function private.language_of_person(person uuid) is 'The language an account has chosen; null where it has not.';

CREATE OR REPLACE FUNCTION private.last_rank(in_project uuid, in_column uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.rank_after((
    select max(t.order_rank) from public.tasks t where t.project_id = in_project and t.column_id = in_column
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.last_subtask_position(in_project uuid, of_task uuid)
 RETURNS double precision
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select coalesce(max(t.subtask_position), 0) + 1 from public.tasks t
    where t.project_id = in_project and t.parent_id = of_task and private.looks_into(in_project)
  );
end
$function$;
grant execute on function private.last_subtask_position(in_project uuid, of_task uuid) to authenticated;
grant execute on function private.last_subtask_position(in_project uuid, of_task uuid) to service_role;

CREATE OR REPLACE FUNCTION private.leave_export(export uuid, of_attempt integer, reason text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.exports e set state = case when reason is null then 'waiting' else 'failed' end, error = reason,
    attempt = case when reason is null then e.attempt - 1 else e.attempt end,
    finished_at = case when reason is not null then now() end
  where e.id = export and e.attempt = of_attempt and e.state = 'running';
$function$;
grant execute on function private.leave_export(export uuid, of_attempt integer, reason text) to kanbase_exports;

CREATE OR REPLACE FUNCTION private.leave_import_job(job uuid, holder uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.import_jobs j set held_until = null, held_by = null, tries = greatest(j.tries - 1, 0)
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$function$;
grant execute on function private.leave_import_job(job uuid, holder uuid) to kanbase_imports;
comment on function private.leave_import_job(job uuid, holder uuid) is 'Gives an import back, for another node or the next start.';

CREATE OR REPLACE FUNCTION private.let_become(role_name text, login_name text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  login text;
begin
  foreach login in array array['authenticator', current_user::text, login_name] loop
    continue when login is null or login = role_name;
    -- Since Postgres 16 whoever creates a role holds it without the right to become it (set_option).
    continue when exists (
      select from pg_catalog.pg_auth_members m
      join pg_catalog.pg_roles r on r.oid = m.roleid and r.rolname = role_name
      join pg_catalog.pg_roles l on l.oid = m.member and l.rolname = login
      where coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
    );
    continue when (select l.rolsuper from pg_catalog.pg_roles l where l.rolname = login);
    for attempt in 1..10 loop
      begin
        execute format('grant %I to %I', role_name, login);
        exit;
      exception
        when unique_violation or internal_error then
          -- another node granted it at the same moment
          perform pg_catalog.pg_sleep(0.02);
        when insufficient_privilege then
          raise exception 'The role % exists and % may not hand it on', role_name, current_user
            using errcode = 'insufficient_privilege',
              hint = format('As a superuser: grant %I to %I with admin option', role_name, current_user);
      end;
    end loop;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.let_go_of_project(moving uuid[], to_project uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone jsonb;
  parts jsonb;
begin
  parts := (
    select jsonb_object_agg(t.id, jsonb_build_object('parent_id', t.parent_id, 'subtask_position', t.subtask_position))
    from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)
  );
  update public.tasks t set parent_id = null where t.id = any (moving) and t.parent_id <> all (moving);
  with strangers as (
    delete from public.task_assignees a where a.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
    returning a.task_id, a.user_id
  ), onlookers as (
    delete from public.task_watchers w where w.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    returning w.task_id, w.user_id, w.reason, w.is_watching
  ), ties as (
    delete from public.task_dependencies d
    where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    returning d.*
  ), held as (
    delete from public.task_field_values v where v.task_id = any (moving)
    returning v.task_id, v.field_id, v.value
  )
  select jsonb_object_agg(m.task_id, jsonb_build_object(
    'fields', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'field_id', f.id, 'name', f.name, 'kind', f.kind, 'value', h.value, 'options', (
          select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
          where o -> 'id' = h.value or (jsonb_typeof(h.value) = 'array' and h.value @> jsonb_build_array(o -> 'id'))
        )
      )), '[]')
      from held h join public.custom_fields f on f.id = h.field_id where h.task_id = m.task_id
    ),
    'assignees', (select coalesce(jsonb_agg(s.user_id), '[]') from strangers s where s.task_id = m.task_id),
    'watchers', (select coalesce(jsonb_agg(to_jsonb(o) - 'task_id'), '[]') from onlookers o where o.task_id = m.task_id),
    'dependencies', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from ties d where m.task_id in (d.predecessor_id, d.successor_id))
  ) || coalesce(parts -> m.task_id::text, '{}')) into gone
  from unnest(moving) m (task_id);
  -- Also that they do not work on it any more: of a task they cannot see there is nothing to hear.
  delete from public.notifications n where n.task_id = any (moving)
    and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = n.user_id);
  return gone;
end
$function$;
comment on function private.let_go_of_project(moving uuid[], to_project uuid) is 'Removes what cannot go to another project with these tasks; answers it by task.';

CREATE OR REPLACE FUNCTION private.let_in(invitation public.project_invitations)
 RETURNS public.project_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  account auth.users;
  membership public.project_members;
begin
  select u.* into account from auth.users u where u.id = me;
  if lower(account.email) is distinct from lower(invitation.email) then
    raise exception using
      errcode = '42501',
      message = 'this invitation is for another address',
      hint = 'Sign in with the address it was sent to.';
  elsif account.email_confirmed_at is null then
    raise exception using
      errcode = 'KB007',
      message = 'your address is not verified yet',
      hint = 'Open the link in the confirmation mail, then accept again.';
  end if;
  insert into public.project_members (project_id, user_id, role)
  values (invitation.project_id, me, invitation.role)
  on conflict (project_id, user_id) do nothing;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  update public.project_invitations i set accepted_at = now() where i.id = invitation.id;
  delete from public.notifications n where n.user_id = me and n.kind = 'invited' and n.project_id = invitation.project_id;
  select m.* into membership from public.project_members m where m.project_id = invitation.project_id and m.user_id = me;
  return membership;
end
$function$;
comment on function private.let_in(invitation public.project_invitations) is 'Makes the caller a member by an invitation of theirs.';

CREATE OR REPLACE FUNCTION private.let_service_role_see_all()
 RETURNS SETOF text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  closed regclass;
begin
  if not (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege or internal_error then
      null;
    end;
  end if;
  if (select r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = 'service_role') then
    return;
  end if;
  -- Tables that were granted to it, by default or by name, and that no policy of their own speaks about.
  for closed in
    select c.oid from pg_catalog.pg_class c
    where c.relkind in ('r', 'p') and c.relrowsecurity and pg_catalog.pg_has_role(c.relowner, 'usage')
      and pg_catalog.has_table_privilege('service_role', c.oid, 'select, insert, update, delete')
      and not exists (
        select from pg_catalog.pg_policy p
        where p.polrelid = c.oid and 'service_role'::regrole = any (p.polroles)
      )
    order by c.oid
  loop
    execute format('create policy service_role_sees_all on %s to service_role using (true) with check (true)', closed);
    return next closed::text;
  end loop;
end
$function$;
comment on function private.let_service_role_see_all() is 'Where service_role has no bypassrls: gives tables that were granted to it a policy that lets it through. Returns their names.';

CREATE OR REPLACE FUNCTION private.limit_custom_fields()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 50;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.project_id::text, 3084));
  if (select count(*) from public.custom_fields f where f.project_id = new.project_id) > most then
    raise exception using
      errcode = 'KB012',
      message = format('a project has no more than %s fields', most),
      hint = 'Delete a field that nobody uses any more.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_templates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 100;
begin
  perform pg_advisory_xact_lock(hashtextextended(coalesce(new.project_id, new.owner_id)::text, 3085));
  if (
    select count(*) from public.templates t
    where case when new.project_id is null then t.owner_id = new.owner_id else t.project_id = new.project_id end
  ) > most then
    raise exception using
      errcode = 'KB016',
      message = case when new.project_id is null then format('you have %s templates already', most) else format('the project has %s templates already', most) end,
      hint = 'Delete one that nobody uses any more.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.list_deleted_projects()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'key', p.key, 'color', p.color, 'avatar_url', p.avatar_url,
    'deleted_at', p.deleted_at, 'kept_until', p.deleted_at + interval '30 days') order by p.deleted_at desc, p.id), '[]')
  from private.kept_members k join public.projects p on p.id = k.project_id
  where k.user_id = private.require_user() and k.role = 'owner'
$function$;
grant execute on function private.list_deleted_projects() to authenticated;

CREATE OR REPLACE FUNCTION private.list_exports()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(private.say_export(e) order by e.created_at desc, e.id desc), '[]')
  from private.exports e where e.user_id = private.require_user() and e.expires_at > now()
$function$;
grant execute on function private.list_exports() to authenticated;

CREATE OR REPLACE FUNCTION private.list_proxies()
 RETURNS TABLE(address text, silent boolean, seen_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select host(p.address), p.silent, p.seen_at from private.untrusted_proxies p
  where p.seen_at > now() - interval '7 days' order by p.seen_at desc
$function$;
grant execute on function private.list_proxies() to kanbase_limits;

CREATE OR REPLACE FUNCTION private.list_untrusted_proxies()
 RETURNS TABLE(address text, seen_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select host(p.address), p.seen_at from private.untrusted_proxies p
  where p.seen_at > now() - interval '7 days' order by p.seen_at desc
$function$;
grant execute on function private.list_untrusted_proxies() to kanbase_limits;

CREATE OR REPLACE FUNCTION private.lock_changed_column()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.id order by t.id for no key update;
  perform private.lock_column(new.project_id, new.id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_column(in_project uuid, column_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended(in_project::text || column_id::text, 3081));
end
$function$;
grant execute on function private.lock_column(in_project uuid, column_id uuid) to authenticated;
grant execute on function private.lock_column(in_project uuid, column_id uuid) to service_role;
comment on function private.lock_column(in_project uuid, column_id uuid) is 'Places in this column of this project are given by the caller alone until the transaction ends.';

CREATE OR REPLACE FUNCTION private.log_transfer(one private.project_transfers, action text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.desk_log (actor_id, actor, action, subject_id, subject, details, address)
  values (one.operator_id, one.operator, action, one.project_id, one.project_name,
    jsonb_strip_nulls(jsonb_build_object('to', one.new_owner, 'reason', one.reason, 'due_at', one.due_at, 'by', one.ended_by)),
    coalesce(current_setting('request.address', true), ''))
$function$;
comment on function private.log_transfer(one private.project_transfers, action text) is 'Writes a step of a transfer into the log of operators.';

CREATE OR REPLACE FUNCTION private.look_for_point(bucket text, most integer, window_seconds integer)
 RETURNS double precision
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (
      select case when left_over >= 1 then 0 else (1 - left_over) * window_seconds / most end
      from private.limits l, private.refilled(l, most, most / window_seconds::double precision, clock_timestamp()) left_over
      where l.key = bucket
    ),
    0
  )
$function$;
grant execute on function private.look_for_point(bucket text, most integer, window_seconds integer) to kanbase_limits;
comment on function private.look_for_point(bucket text, most integer, window_seconds integer) is 'Seconds to wait for a point, 0 when there is one; takes none.';

CREATE OR REPLACE FUNCTION private.looks_into(in_project uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- The server's own roles and the service key work for everybody.
  select coalesce(current_setting('role', true), '') not in ('authenticated', 'anon') or exists (
    select from public.project_members m where m.project_id = in_project and m.user_id = private.me()
  )
$function$;

CREATE OR REPLACE FUNCTION private.mail_entries(ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'kind', n.kind, 'also', n.data -> 'also', 'actor_name', a.display_name, 'excerpt', n.data -> 'excerpt', 'from', n.data -> 'from',
      'to', n.data -> 'to', 'count', n.data -> 'count', 'due_date', n.data -> 'due_date', 'answers_id', n.data -> 'answers_id'
    )) order by n.created_at, n.id)
    from public.notifications n left join public.profiles a on a.id = n.actor_id
    where n.id = any (ids)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_pictures(ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('entry', told.entry, 'id', f.id, 'name', f.name, 'path', f.object_path)
      order by told.entry, named.place), '[]')
    from (
      select n.project_id, row_number() over (order by n.created_at, n.id) - 1 as entry,
        coalesce(c.body, case when n.data ? 'excerpt' then t.description end) as words
      from public.notifications n
      left join public.task_comments c on c.project_id = n.project_id and c.id = (n.data ->> 'comment_id')::uuid
      left join public.tasks t on t.project_id = n.project_id and t.id = n.task_id
      where n.id = any (ids)
    ) told
    cross join lateral private.attachments_in(told.words) named
    join public.task_attachments f on f.project_id = told.project_id and f.id = named.id
    where f.content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif')
  );
end
$function$;
comment on function private.mail_pictures(ids uuid[]) is 'Pictures of the comments and descriptions that notifications tell of.';

CREATE OR REPLACE FUNCTION private.make_calendar_feed(of_kind text, of_project uuid, of_view uuid, called text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  most constant integer := 50;
  made public.calendar_feeds;
begin
  if (select count(*) from public.calendar_feeds f where f.user_id = me) >= most then
    raise exception using errcode = 'PT409', message = format('you have %s calendar feeds already', most), hint = 'Delete one that no calendar asks for any more.';
  end if;
  insert into public.calendar_feeds (user_id, kind, project_id, view_id, name)
  values (me, of_kind, of_project, of_view, called)
  returning * into made;
  insert into private.calendar_feed_tokens (feed_id, token_hash) values (made.id, sha256(convert_to(token, 'UTF8')));
  perform private.grant_feed(made.id);
  return jsonb_build_object('id', made.id, 'name', made.name, 'token', token, 'path', '/ical/' || token || '.ics');
end
$function$;
grant execute on function private.make_calendar_feed(of_kind text, of_project uuid, of_view uuid, called text) to authenticated;

CREATE OR REPLACE FUNCTION private.make_export(of_project uuid, as_format text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  made private.exports;
begin
  perform pg_advisory_xact_lock(hashtextextended(me::text, 3086));
  -- Asked twice, while it is written: it is the same one.
  select e.* into made from private.exports e
  where e.user_id = me and e.project_id is not distinct from of_project and e.format = as_format and e.state in ('waiting', 'running')
  order by e.created_at desc limit 1;
  if found then
    return private.say_export(made);
  elsif (select count(*) from private.exports e where e.user_id = me and e.state in ('waiting', 'running')) >= 5 then
    raise exception using errcode = 'PT429', message = 'five exports are being written already',
      hint = 'Wait until one of them is done, or cancel one with cancel_export.';
  elsif (select count(*) from private.exports e where e.user_id = me and e.created_at > now() - interval '1 hour') >= 30 then
    raise exception using errcode = 'PT429', message = 'thirty exports were asked for within an hour',
      hint = 'Download one of those that are there, or ask again later.';
  end if;
  insert into private.exports (user_id, project_id, format) values (me, of_project, as_format) returning * into made;
  perform pg_notify('kanbase_exports', '');
  return private.say_export(made);
end
$function$;
grant execute on function private.make_export(of_project uuid, as_format text) to authenticated;

CREATE OR REPLACE FUNCTION private.make_feed_address(feed uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
begin
  update private.calendar_feed_tokens t set token_hash = sha256(convert_to(token, 'UTF8'))
  where t.feed_id = (select f.id from public.calendar_feeds f where f.id = feed and f.user_id = private.require_user());
  if not found then
    perform private.raise_not_found('calendar feed');
  end if;
  perform private.grant_feed(feed);
  return jsonb_build_object('id', feed, 'token', token, 'path', '/ical/' || token || '.ics');
end
$function$;
grant execute on function private.make_feed_address(feed uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.make_item_of_task(task uuid, new_id uuid, of_task uuid)
 RETURNS public.task_checklist_items
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was public.tasks;
  made public.task_checklist_items;
begin
  select t.* into was from public.tasks t where t.id = task for update;
  if not found or not (private.is_writer(was.project_id) or auth.role() = 'service_role') then
    raise exception using errcode = '42501', message = 'permission denied to make a checklist item of a task: your role in this project does not allow it',
      hint = 'Ask an owner of the project for the editor role.';
  end if;
  of_task := coalesce(of_task, was.parent_id);
  if of_task is null or of_task = was.id then
    raise exception using errcode = '22023', message = 'a checklist item needs a task to belong to',
      hint = 'Name it in of_task_id: the task has no parent.';
  end if;
  if not exists (select from public.tasks t where t.project_id = was.project_id and t.id = of_task) then
    perform private.raise_not_found('task');
  end if;
  insert into public.task_checklist_items (id, project_id, task_id, title, is_done, created_at)
  values (coalesce(new_id, private.uuid_v7()), was.project_id, of_task, was.title, was.completed_at is not null, was.created_at)
  returning * into made;
  update public.task_checklist_items i set task_id = of_task, position = i.position - own.first + made.position + 1
  from (select min(o.position) as first from public.task_checklist_items o where o.project_id = was.project_id and o.task_id = was.id) own
  where i.project_id = was.project_id and i.task_id = was.id;
  update public.tasks t set parent_id = of_task where t.project_id = was.project_id and t.parent_id = was.id;
  delete from public.tasks t where t.project_id = was.project_id and t.id = was.id;
  return made;
end
$function$;
grant execute on function private.make_item_of_task(task uuid, new_id uuid, of_task uuid) to authenticated;
grant execute on function private.make_item_of_task(task uuid, new_id uuid, of_task uuid) to service_role;

CREATE OR REPLACE FUNCTION private.make_operator_link()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
begin
  delete from private.operator_links where expires_at < now();
  if private.has_operator() then
    return null;
  end if;
  insert into private.operator_links (token_hash, expires_at) values (sha256(convert_to(token, 'UTF8')), now() + interval '1 day');
  return token;
end
$function$;
grant execute on function private.make_operator_link() to kanbase_desk;
comment on function private.make_operator_link() is 'A one-time token that makes the first operator; null when there is one.';

CREATE OR REPLACE FUNCTION private.make_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  name constant text := left(nullif(trim(coalesce(new.raw_user_meta_data ->> 'name', new.raw_user_meta_data ->> 'full_name')), ''), 200);
  picture constant text := coalesce(new.raw_user_meta_data ->> 'avatar_url', new.raw_user_meta_data ->> 'picture');
begin
  insert into public.profiles (id, display_name, avatar_url)
  values (new.id, name, case when picture like 'https://%' then private.as_picture_address(picture) end)
  on conflict (id) do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.make_task_of_item(item uuid, new_id uuid, as_subtask boolean)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step public.task_checklist_items;
  of_task public.tasks;
  made public.tasks;
begin
  select i.* into step from public.task_checklist_items i where i.id = item for update;
  if not found or not (private.is_writer(step.project_id) or auth.role() = 'service_role') then
    raise exception using errcode = '42501', message = 'permission denied to make a task of a checklist item: your role in this project does not allow it',
      hint = 'Ask an owner of the project for the editor role.';
  end if;
  select t.* into of_task from public.tasks t where t.project_id = step.project_id and t.id = step.task_id;
  insert into public.tasks (id, project_id, column_id, title, parent_id, created_by, created_at, completed_at)
  values (coalesce(new_id, private.uuid_v7()), step.project_id, (
    -- Where the task itself stands, if that says about the tick what the step says.
    select c.id from public.workflow_columns c where c.project_id = step.project_id
    order by ((c.kind = 'done') = step.is_done) desc, (c.id = of_task.column_id) desc, c.position, c.id limit 1
  ), step.title, case when as_subtask then of_task.id end, auth.uid(), step.created_at, case when step.is_done then step.updated_at end)
  returning * into made;
  delete from public.task_checklist_items i where i.id = step.id;
  return made;
end
$function$;
grant execute on function private.make_task_of_item(item uuid, new_id uuid, as_subtask boolean) to authenticated;
grant execute on function private.make_task_of_item(item uuid, new_id uuid, as_subtask boolean) to service_role;

CREATE OR REPLACE FUNCTION private.may_become_owner(account auth.users)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select account.id is not null and account.deleted_at is null and not account.is_anonymous and not account.is_operator
    and (account.banned_until is null or account.banned_until <= now())
$function$;
comment on function private.may_become_owner(account auth.users) is 'Whether a project may be given to an account by an operator.';

CREATE OR REPLACE FUNCTION private.may_hold(field public.custom_fields, value jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return field.kind <> 'person' or exists (
    select from public.project_members m
    where m.project_id = field.project_id and m.user_id = (may_hold.value #>> '{}')::uuid and private.looks_into(field.project_id)
  );
end
$function$;
grant execute on function private.may_hold(field public.custom_fields, value jsonb) to authenticated;
grant execute on function private.may_hold(field public.custom_fields, value jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.me()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
  return case when claims -> 'mfa_pending' = 'true' then null else nullif(claims ->> 'sub', '')::uuid end;
end
$function$;
grant execute on function private.me() to authenticated;
grant execute on function private.me() to service_role;

CREATE OR REPLACE FUNCTION private.members_by_address(project uuid, addresses text[])
 RETURNS TABLE(address text, user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select lower(u.email), m.user_id
  from public.project_members m
  join auth.users u on u.id = m.user_id
  where m.project_id = project and lower(u.email) = any (select lower(a) from unnest(addresses) a)
    and private.is_writer(project)
$function$;
grant execute on function private.members_by_address(project uuid, addresses text[]) to authenticated;
comment on function private.members_by_address(project uuid, addresses text[]) is 'The members of a project that have one of these addresses.';

CREATE OR REPLACE FUNCTION private.members_of(project uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(m.user_id), '{}') from public.project_members m where m.project_id = project
$function$;
comment on function private.members_of(project uuid) is 'Who is in a project.';

CREATE OR REPLACE FUNCTION private.members_of(projects uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT m.user_id
    FROM public.project_members m
   WHERE (m.project_id = ANY (members_of.projects))
 UNION ALL
  SELECT k.user_id
    FROM private.kept_members k
   WHERE (k.project_id = ANY (members_of.projects));
END;
comment on function private.members_of(projects uuid[]) is 'The members of these projects, of deleted ones those they had.';

CREATE OR REPLACE FUNCTION private.mentioned_members(in_project uuid, words text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most_people constant int := 50;
  most_tried constant int := 100;
  low text;
  normal text;
  found_members uuid[];
  candidate record;
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  if position('>' in words) > 0 then
    words := regexp_replace(words, '^ {0,3}>.*$', '', 'gn');
  end if;
  low := lower(words);
  normal := replace(low, '-', ' ');
  found_members := array(
    select m.user_id
    from (
      select by_id.ids[1] as id, min(by_id.place) as place
      from regexp_matches(low, '\]\(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)', 'g') with ordinality as by_id (ids, place)
      group by 1
    ) as mention
    join public.project_members m on m.project_id = in_project and m.user_id = mention.id::uuid
    order by mention.place
    limit most_people
  );
  for candidate in
    select m.user_id, name.spoken
    from public.project_members m
    join public.profiles p on p.id = m.user_id
    cross join lateral (select replace(lower(p.display_name), '-', ' ') as spoken) as name
    cross join lateral (select strpos(normal, '@' || name.spoken) as place) as first
    where m.project_id = in_project and first.place > 0 and m.user_id <> all (found_members)
    order by first.place, m.user_id
    limit most_tried
  loop
    exit when cardinality(found_members) >= most_people;
    if normal ~ (
      '(^|[^[:alnum:]_.])@' || regexp_replace(candidate.spoken, '([^[:alnum:][:space:]])', '\\\1', 'g') || '($|[^[:alnum:]_])'
    ) then
      found_members := found_members || candidate.user_id;
    end if;
  end loop;
  return found_members;
end
$function$;

CREATE OR REPLACE FUNCTION private.misfit(item jsonb, shape jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  one record;
  value jsonb;
  words text;
  kind text;
  fits boolean;
begin
  if jsonb_typeof(item) is distinct from 'object' then
    return 'must be an object';
  end if;
  for one in select k as name from jsonb_object_keys(item) k where not shape ? k limit 1 loop
    return format('has an unknown part "%s"', left(one.name, 60));
  end loop;
  for one in select s.key as name, s.value as holds from jsonb_each_text(shape) s loop
    value := item -> one.name;
    kind := split_part(rtrim(one.holds, '!'), ':', 1);
    if value is null or value = 'null' then
      if one.holds like '%!' then
        return format('needs "%s"', one.name);
      end if;
      continue;
    end if;
    words := case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
    fits := case kind
      when 'id' then words ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      when 'ids' then jsonb_typeof(value) = 'array' and not exists (
        select from jsonb_array_elements(value) e where coalesce(e #>> '{}', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
      when 'name' then words ~ '[^[:space:]]' and char_length(words) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'text' then char_length(words) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'color' then words ~ '^#[0-9A-Fa-f]{6}$'
      when 'one' then words = any (string_to_array(split_part(rtrim(one.holds, '!'), ':', 2), '|'))
      when 'property' then words ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'
      when 'day' then words ~ '^\d{4}-\d\d-\d\d$' and private.is_day(replace(words, '-', ''))
      when 'count' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^[1-9]\d{0,8}$'
      when 'days' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,5}$' and abs((value #>> '{}')::integer) <= 36500
      when 'lag' then jsonb_typeof(value) = 'number' and (value #>> '{}') ~ '^-?\d{1,4}$' and abs((value #>> '{}')::integer) <= 3650
      when 'estimate' then jsonb_typeof(value) = 'number' and (value #>> '{}')::numeric >= 0 and (value #>> '{}')::numeric < 1000000
      when 'object' then jsonb_typeof(value) = 'object' and octet_length(value::text) <= 20000
      when 'list' then jsonb_typeof(value) = 'array' and jsonb_array_length(value) <= split_part(rtrim(one.holds, '!'), ':', 2)::integer
      when 'yes' then jsonb_typeof(value) = 'boolean'
      when 'any' then true
    end;
    if fits is not true then
      return format('has a wrong "%s"', one.name);
    end if;
  end loop;
  return null;
end
$function$;
grant execute on function private.misfit(item jsonb, shape jsonb) to authenticated;
grant execute on function private.misfit(item jsonb, shape jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.misfit_in(list jsonb, called text, shape jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  item record;
  problem text;
begin
  for item in select e.one, e.place from jsonb_array_elements(coalesce(list, '[]')) with ordinality as e (one, place) loop
    problem := private.misfit(item.one, shape);
    if problem is not null then
      return format('%s %s %s', called, item.place, problem);
    end if;
  end loop;
  return null;
end
$function$;
grant execute on function private.misfit_in(list jsonb, called text, shape jsonb) to authenticated;
grant execute on function private.misfit_in(list jsonb, called text, shape jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.move_task(task_id uuid, column_id uuid DEFAULT NULL::uuid, before_id uuid DEFAULT NULL::uuid, after_id uuid DEFAULT NULL::uuid, order_rank text DEFAULT NULL::text)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task public.tasks;
  to_column uuid;
  low text;
  high text;
  rank text;
begin
  -- To the end of another column: one statement finds both, and tasks_50_place_moved the place. What it does not find is looked for below.
  if move_task.column_id is not null and coalesce(move_task.order_rank, before_id::text, after_id::text) is null then
    update public.tasks t set column_id = c.id
    from public.workflow_columns c
    where t.id = move_task.task_id and c.id = move_task.column_id and c.project_id = t.project_id and t.column_id <> c.id
    returning t.* into task;
    if found then
      -- tasks_85_spread_ranks may have shortened a long one
      if length(task.order_rank) > 24 then
        select t.* into task from public.tasks t where t.id = move_task.task_id;
      end if;
      return task;
    end if;
  end if;

  -- The task first, then the column: the order in which every change of a task takes its locks.
  select t.* into task from public.tasks t where t.id = move_task.task_id for no key update;
  if not found then
    perform private.raise_not_found('task');
  end if;
  to_column := coalesce(move_task.column_id, task.column_id);
  if to_column <> task.column_id
    and not exists (select from public.workflow_columns c where c.project_id = task.project_id and c.id = to_column) then
    perform private.raise_not_found('column');
  end if;

  -- From here on nobody else places a task in this column; what is read now stays true until the end of the transaction.
  perform private.lock_column(task.project_id, to_column);

  if move_task.order_rank is not null then
    rank := move_task.order_rank;
  elsif before_id is not null or after_id is not null then
    select t.order_rank into high from public.tasks t
    where t.id = before_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id;
    if found then
      select max(t.order_rank) into low from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank < high and t.id <> task.id;
    else
      select t.order_rank into low from public.tasks t
      where t.id = after_id and (t.project_id = task.project_id and t.column_id = to_column) is true and t.id <> task.id;
      if not found then
        if not exists (select from public.tasks t where t.project_id = task.project_id and t.id in (before_id, after_id) and t.id <> task.id) then
          perform private.raise_not_found('neighbour');
        end if;
        raise exception using
          errcode = 'KB004',
          message = 'the neighbour is no longer in this column',
          hint = 'Read the column again and repeat the move.';
      end if;
      select min(t.order_rank) into high from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank > low and t.id <> task.id;
    end if;
    rank := case
      when high is null then private.rank_after(low)
      when low is null then private.rank_before(high)
      else private.rank_between(low, high)
    end;
  else
    select max(t.order_rank) into low from public.tasks t
    where t.project_id = task.project_id and t.column_id = to_column and t.id <> task.id;
    rank := case
      when to_column = task.column_id and (low is null or task.order_rank > low) then task.order_rank
      else private.rank_after(low)
    end;
  end if;

  -- In the update below an unchanged rank means "none was named": where one was, take the next free one.
  if rank = task.order_rank and to_column <> task.column_id and coalesce(move_task.order_rank, before_id::text, after_id::text) is not null then
    rank := private.rank_between(rank, (
      select min(t.order_rank) from public.tasks t
      where t.project_id = task.project_id and t.column_id = to_column and t.order_rank > rank
    ));
  end if;

  update public.tasks t set column_id = to_column, order_rank = rank
  where t.id = task.id and t.project_id = task.project_id
  returning t.* into task;
  if not found then
    perform private.raise_not_found('task');
  end if;
  if length(task.order_rank) > 24 then
    select t.* into task from public.tasks t where t.id = move_task.task_id;
  end if;
  return task;
end
$function$;
grant execute on function private.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to authenticated;
grant execute on function private.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to service_role;
comment on function private.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) is 'The move itself, with the rights of whoever calls it.';

CREATE OR REPLACE FUNCTION private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.tasks t
    join private.my_memberships m on m.project_id = t.project_id
    where t.id = move_task_of_writer.task_id and m.role in ('owner', 'editor')
  ) then
    return private.move_task(task_id, column_id, before_id, after_id, order_rank);
  end if;
  return null;
end
$function$;
grant execute on function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to authenticated;
grant execute on function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to service_role;
comment on function private.move_task_of_writer(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) is 'Moves a task for an owner or editor of its project; for others nothing.';

CREATE OR REPLACE FUNCTION private.move_together(moves jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  move record;
  ids uuid[] := '{}';
  columns uuid[] := '{}';
  ranks text[] := '{}';
  in_column uuid;
  -- The last rank given out in this column, and the last that stands in it.
  given text collate "C";
  standing text collate "C";
  rank text collate "C";
  answer jsonb;
begin
  for move in
    select t.id, t.project_id, t.order_rank as old_rank, to_column, to_column <> t.column_id as changes_column, m.order_rank as wanted,
      min(m.order_rank) over (partition by to_column order by m.order_rank groups between 1 following and unbounded following) as following
    from (
      select (e.value ->> 'id')::uuid as id, (e.value ->> 'column_id')::uuid as column_id,
        (e.value ->> 'order_rank') collate "C" as order_rank, e.place
      from jsonb_array_elements(moves) with ordinality as e (value, place)
    ) m
    join public.tasks t on t.id = m.id
    cross join coalesce(m.column_id, t.column_id) to_column
    order by to_column, m.order_rank nulls last, m.place
  loop
    if in_column is distinct from move.to_column then
      in_column := move.to_column;
      given := null;
      standing := (select max(t.order_rank) from public.tasks t where t.project_id = move.project_id and t.column_id = in_column);
    end if;
    if move.wanted is null then
      rank := private.rank_after(greatest(given, standing));
      -- An unchanged rank would read as "none was named".
      if move.changes_column and rank = move.old_rank then
        rank := private.rank_after(rank);
      end if;
    else
      rank := greatest(given, move.wanted);
      if rank = given or (move.changes_column and rank = move.old_rank) or exists (
        select from public.tasks t
        where t.project_id = move.project_id and t.column_id = in_column and t.order_rank = rank and t.id <> move.id
      ) then
        rank := private.rank_between(rank, least(move.following, (
          select min(t.order_rank) from public.tasks t
          where t.project_id = move.project_id and t.column_id = in_column and t.order_rank > rank and t.id <> move.id
        )));
      end if;
    end if;
    given := rank;
    ids := ids || move.id;
    columns := columns || in_column;
    ranks := ranks || rank::text;
  end loop;
  with moved as (
    update public.tasks t set column_id = p.column_id, order_rank = p.rank
    from unnest(ids, columns, ranks) as p (id, column_id, rank)
    where t.id = p.id
    returning t.*
  )
  select jsonb_agg(to_jsonb(m) - 'description') into answer from moved m;
  return coalesce(answer, '[]');
end
$function$;
grant execute on function private.move_together(moves jsonb) to authenticated;
grant execute on function private.move_together(moves jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.my_access_grants()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(g) - 'user_id' - 'epoch' order by g.created_at, g.id), '[]')
  from public.access_grants g where g.user_id = (select auth.uid())
$function$;
grant execute on function private.my_access_grants() to authenticated;
grant execute on function private.my_access_grants() to service_role;
comment on function private.my_access_grants() is 'What opens without a session for the caller.';

CREATE OR REPLACE FUNCTION private.my_billing()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.billing_of(private.me())
$function$;
grant execute on function private.my_billing() to authenticated;
grant execute on function private.my_billing() to service_role;

CREATE OR REPLACE FUNCTION private.my_feeds()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(f) - 'user_id' order by f.created_at, f.id), '[]')
  from public.calendar_feeds f where f.user_id = (select auth.uid())
$function$;
grant execute on function private.my_feeds() to authenticated;
grant execute on function private.my_feeds() to service_role;

CREATE OR REPLACE FUNCTION private.my_projects()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(select m.project_id from public.project_members m where m.user_id = private.me());
end
$function$;

CREATE OR REPLACE FUNCTION private.my_templates()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'name', t.name, 'description', t.description, 'body', t.body,
    'project_id', t.project_id, 'created_at', t.created_at) order by t.created_at, t.id), '[]')
  from public.templates t where t.owner_id = (select auth.uid()) or t.created_by = (select auth.uid())
$function$;
grant execute on function private.my_templates() to authenticated;
grant execute on function private.my_templates() to service_role;

CREATE OR REPLACE FUNCTION private.name_options(options jsonb, value jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select string_agg(o.one ->> 'name', ', ' order by o.place) from jsonb_array_elements(options) with ordinality as o (one, place)
  where o.one -> 'id' = value or (jsonb_typeof(value) = 'array' and value @> jsonb_build_array(o.one -> 'id'))
$function$;
grant execute on function private.name_options(options jsonb, value jsonb) to authenticated;
grant execute on function private.name_options(options jsonb, value jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.next_daily(time_zone text, daily_hour integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (today.at > now()) THEN today.at
             ELSE (((((now() AT TIME ZONE next_daily.time_zone))::date + 1) + make_interval(hours => next_daily.daily_hour)) AT TIME ZONE next_daily.time_zone)
         END AS timezone
    FROM ( SELECT ((((now() AT TIME ZONE next_daily.time_zone))::date + make_interval(hours => next_daily.daily_hour)) AT TIME ZONE next_daily.time_zone) AS at) today;
END;

CREATE OR REPLACE FUNCTION private.next_export()
 RETURNS TABLE(id uuid, attempt integer, user_id uuid, project_id uuid, format text, version text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one private.exports;
begin
  update private.exports e set state = 'failed', error = 'stopped', finished_at = now()
  where e.state = 'running' and e.attempt >= 3 and e.heard_at < now() - interval '2 minutes';
  select e.* into found_one from private.exports e
  join auth.users u on u.id = e.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
  where e.state = 'waiting' or (e.state = 'running' and e.heard_at < now() - interval '2 minutes')
  order by e.created_at, e.id
  limit 1 for update of e skip locked;
  if not found then
    return;
  end if;
  update private.exports e
  set state = 'running', attempt = e.attempt + 1, heard_at = now(), done = 0, total = 0, version = gen_random_uuid()::text
  where e.id = found_one.id returning e.* into found_one;
  -- Whatever comes of it: the bytes of one that is never finished are removed.
  insert into private.unclaimed_files (version, due_at) values (found_one.version, now() + interval '1 day');
  return query select found_one.id, found_one.attempt, found_one.user_id, found_one.project_id, found_one.format, found_one.version;
end
$function$;
grant execute on function private.next_export() to kanbase_exports;

CREATE OR REPLACE FUNCTION private.next_file_to_copy(passing_over uuid[])
 RETURNS TABLE(new_id uuid, from_path text, to_path text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.new_id, a.object_path, t.project_id || '/' || t.id || '/' || f.new_id || substring(a.object_path from '/[^/]*$')
  from private.files_to_copy f
  join public.task_attachments a on a.id = f.attachment_id
  join public.tasks t on t.id = f.task_id
  where f.new_id <> all (passing_over)
  order by f.made_at, f.new_id limit 1
$function$;
grant execute on function private.next_file_to_copy(passing_over uuid[]) to kanbase_recurrence;

CREATE OR REPLACE FUNCTION private.note_at_desk(action text, subject text, details jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  operator constant auth.users := private.require_operator();
begin
  perform private.note_desk(operator, note_at_desk.action, null, note_at_desk.subject, note_at_desk.details);
end
$function$;
grant execute on function private.note_at_desk(action text, subject text, details jsonb) to kanbase_desk;
comment on function private.note_at_desk(action text, subject text, details jsonb) is 'Notes what the server does for an operator by another door.';

CREATE OR REPLACE FUNCTION private.note_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.changes (relation, kind, old, new)
  values (
    coalesce(pg_partition_root(tg_relid)::oid, tg_relid), tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end
  );
  perform pg_notify('kanbase_changes', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_desk(operator auth.users, action text, subject_id uuid, subject text, details jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.desk_log (actor_id, actor, action, subject_id, subject, details, address)
  values (operator.id, coalesce(operator.email, ''), action, subject_id, coalesce(subject, ''), coalesce(details, '{}'),
    coalesce(current_setting('request.address', true), ''))
$function$;

CREATE OR REPLACE FUNCTION private.note_job_round(job text, node text, seconds double precision, error text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- nodes that are gone, a week later
  delete from private.job_rounds r where r.finished_at < now() - interval '7 days';
  insert into private.job_rounds as r (job, node, started_at, error)
  values (note_job_round.job, left(note_job_round.node, 200), now() - make_interval(secs => greatest(seconds, 0)), left(note_job_round.error, 500))
  on conflict on constraint job_rounds_pkey do update set started_at = excluded.started_at, finished_at = now(), error = excluded.error
$function$;
grant execute on function private.note_job_round(job text, node text, seconds double precision, error text) to kanbase_desk;
comment on function private.note_job_round(job text, node text, seconds double precision, error text) is 'Writes down how a round of a job went, just now.';

CREATE OR REPLACE FUNCTION private.note_proxy(address text, silent boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.untrusted_proxies where seen_at < now() - interval '7 days';
  insert into private.untrusted_proxies (address, silent) select note_proxy.address::inet, note_proxy.silent
  where (select count(*) from private.untrusted_proxies) < 100
  on conflict on constraint untrusted_proxies_pkey do update set seen_at = now(), silent = excluded.silent;
$function$;
grant execute on function private.note_proxy(address text, silent boolean) to kanbase_limits;

CREATE OR REPLACE FUNCTION private.note_untrusted_proxy(address text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.untrusted_proxies where seen_at < now() - interval '7 days';
  insert into private.untrusted_proxies (address) select note_untrusted_proxy.address::inet
  where (select count(*) from private.untrusted_proxies) < 100
  on conflict on constraint untrusted_proxies_pkey do update set seen_at = now();
$function$;
grant execute on function private.note_untrusted_proxy(address text) to kanbase_limits;

CREATE OR REPLACE FUNCTION private.note_use_of_grant(of_grant uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.access_grants g set last_used_at = now()
  where g.id = of_grant and (g.last_used_at is null or g.last_used_at < now() - interval '1 hour')
$function$;
grant execute on function private.note_use_of_grant(of_grant uuid) to kanbase_files;
grant execute on function private.note_use_of_grant(of_grant uuid) to kanbase_mail;
comment on function private.note_use_of_grant(of_grant uuid) is 'Keeps when a grant was last used, to the hour.';

CREATE OR REPLACE FUNCTION private.notification_choice(of_user uuid, in_project uuid, of_kind text)
 RETURNS TABLE(inbox boolean, mail text, push boolean)
 LANGUAGE sql
 STABLE ROWS 1
BEGIN ATOMIC
 SELECT COALESCE(here.inbox, everywhere.inbox, k.inbox) AS "coalesce",
     COALESCE(here.mail, everywhere.mail, k.mail) AS "coalesce",
     COALESCE(here.push, everywhere.push, k.push) AS "coalesce"
    FROM ((public.notification_kinds() k(kind, weight, inbox, mail, push)
      LEFT JOIN public.notification_settings here ON (((here.user_id = notification_choice.of_user) AND (here.project_id = notification_choice.in_project) AND (here.kind = k.kind))))
      LEFT JOIN public.notification_settings everywhere ON (((everywhere.user_id = notification_choice.of_user) AND (everywhere.project_id IS NULL) AND (everywhere.kind = k.kind))))
   WHERE (k.kind = notification_choice.of_kind);
END;
comment on function private.notification_choice(of_user uuid, in_project uuid, of_kind text) is 'What somebody wants of a kind in a project.';

CREATE OR REPLACE FUNCTION private.notify(news private.news[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if current_setting('kanbase.importing', true) = 'on' then
    return;
  end if;
  perform private.notify_at_once(news);
end
$function$;
comment on function private.notify(news private.news[]) is 'Tells people news, after their own choice; not while an import writes.';

CREATE OR REPLACE FUNCTION private.notify_assignees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := auth.uid();
begin
  if tg_op = 'INSERT' then
    perform private.add_watchers(array(select row(c.project_id, c.task_id, c.user_id)::private.watcher from changed c), 'assignee');
  end if;
  perform private.notify(array(
    select row(c.user_id, case tg_op when 'INSERT' then 'assigned' else 'unassigned' end, c.project_id, c.task_id, '{}')::private.news
    from changed c where c.user_id is distinct from me
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_at_once(news private.news[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  me constant uuid := auth.uid();
  actor uuid;
  wanted private.wanted_news[];
begin
  if cardinality(news) = 0 then
    return;
  end if;
  -- kind and data of the weightiest, and what else there is for the same person about the same task
  wanted := array(
    select row(n.user_id, n.project_id, n.task_id, (array_agg(n.kind order by k.weight desc))[1], max(k.weight),
      (array_agg(n.data order by k.weight desc))[1], to_jsonb((array_agg(n.kind order by k.weight desc))[2:]), bool_or(choice.inbox))::private.wanted_news
    from unnest(news) n
    join public.project_members m on m.project_id = n.project_id and m.user_id = n.user_id
    join public.notification_kinds() k on k.kind = n.kind
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    where n.user_id is distinct from me and (choice.inbox or choice.mail <> 'off' or choice.push)
    group by n.user_id, n.project_id, n.task_id
    order by n.user_id, n.task_id
  );
  if cardinality(wanted) = 0 then
    return;
  end if;
  actor := (select a.id from public.profiles a where a.id = me);

  if actor is not null and exists (
    select from unnest(wanted) w
    join public.notifications n on n.user_id = w.user_id and n.created_at > now() - interval '1 minute'
    where n.task_id is not distinct from w.task_id and n.actor_id = actor and n.read_at is null
  ) then
    -- In one order, as two statements of the same person may meet at them.
    perform from public.notifications n
    where n.user_id = any (array(select w.user_id from unnest(wanted) w))
      and n.actor_id = actor and n.created_at > now() - interval '1 minute' and n.read_at is null and n.done_at is null
    order by n.id for update;
    with merged as (
      update public.notifications n
      set kind = case when w.weight >= k.weight then w.kind else n.kind end,
        data = case when w.weight >= k.weight then n.data || w.data else w.data || n.data end
          || case when n.data ? 'from_id' and w.data ? 'from_id'
            then jsonb_build_object('from', n.data -> 'from', 'from_id', n.data -> 'from_id', 'to', w.data -> 'to', 'to_id', w.data -> 'to_id') else '{}' end
          || case when n.data ? 'count' and w.data ? 'count'
            then jsonb_build_object('count', (n.data ->> 'count')::int + (w.data ->> 'count')::int) else '{}' end
          || jsonb_build_object('also', (
            select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(
              coalesce(n.data -> 'also', '[]') || w.also || to_jsonb(n.kind) || to_jsonb(w.kind)
            ) a where a <> to_jsonb(case when w.weight >= k.weight then w.kind else n.kind end)
          ))
      from unnest(wanted) w, public.notification_kinds() k
      where n.user_id = w.user_id and n.project_id = w.project_id and n.task_id is not distinct from w.task_id
        and k.kind = n.kind and n.kind not in ('invited', 'added', 'due_soon', 'overdue') and w.kind not in ('invited', 'added', 'due_soon', 'overdue')
        and n.actor_id = actor and n.created_at > now() - interval '1 minute' and n.read_at is null and n.done_at is null
        and (n.task_id is not null or n.data ? 'count')
      returning n.user_id, n.project_id, n.task_id
    )
    select array(
      select w from unnest(wanted) w
      where not exists (
        select from merged m where m.user_id = w.user_id and m.project_id = w.project_id and m.task_id is not distinct from w.task_id
      )
    ) into wanted;
    -- There and back again: nothing has happened.
    delete from public.notifications n
    where n.user_id = any (array(select distinct x.user_id from unnest(news) x)) and n.actor_id = actor
      and n.created_at > now() - interval '1 minute' and n.kind = 'state_changed' and n.read_at is null
      and n.data ->> 'from_id' = n.data ->> 'to_id';
    if cardinality(wanted) = 0 then
      return;
    end if;
  end if;

  insert into public.notifications (user_id, kind, project_id, task_id, actor_id, data, read_at, done_at)
  select w.user_id, w.kind, w.project_id, t.id, actor,
    w.data || case when w.also = '[]' then '{}' else jsonb_build_object('also', w.also) end
      || case when t.id is null then '{}' else jsonb_build_object('task_number', t.number, 'task_title', t.title) end,
    case when not w.inbox then now() end, case when not w.inbox then now() end
  from unnest(wanted) w
  left join public.tasks t on t.project_id = w.project_id and t.id = w.task_id
  where w.task_id is null or t.id is not null
  order by w.user_id, t.id
  on conflict do nothing;
end
$function$;
comment on function private.notify_at_once(news private.news[]) is 'Writes notifications; within a minute one for each person, task and actor.';

CREATE OR REPLACE FUNCTION private.notify_new_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(array(
    select row(m.user_id, 'added', m.project_id, null, jsonb_build_object('project_name', p.name, 'role', m.role))::private.news
    from added m join public.projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id is distinct from auth.uid()
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  answered constant uuid := case when tg_op = 'INSERT' and new.parent_id is not null then (
    select c.author_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ) end;
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
  else
    perform private.add_watchers(array[row(new.project_id, new.task_id, new.author_id)::private.watcher], 'commenter');
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.task_id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.task_id, data)::private.news from unnest(mentioned) m
    where m is distinct from new.author_id
    union all
    select row(w, 'commented', new.project_id, new.task_id, case w when answered then data || jsonb_build_object('answers_id', new.parent_id) else data end)::private.news
    from (select w from private.watchers_of(new.project_id, new.task_id) w union select answered where answered is not null) h (w)
    where tg_op = 'INSERT' and w <> all (mentioned) and w is distinct from new.author_id
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_description()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.description);
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.description)));
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.id, jsonb_build_object('excerpt', left(new.description, 200)))::private.news from unnest(mentioned) m
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_due_dates()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  written integer;
begin
  insert into public.notifications (user_id, kind, project_id, task_id, data, read_at, done_at)
  select due.user_id, due.kind, due.project_id, due.id,
    jsonb_build_object('due_date', due.due_date, 'task_number', due.number, 'task_title', due.title),
    case when not choice.inbox then now() end, case when not choice.inbox then now() end
  from (
    select a.user_id, t.*, case when t.due_date < today.day then 'overdue' else 'due_soon' end as kind
    from public.tasks t
    join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
    join public.projects p on p.id = t.project_id and p.archived_at is null and p.deleted_at is null
    left join public.notification_schedules s on s.user_id = a.user_id
    cross join lateral (select (now() at time zone coalesce(s.time_zone, 'UTC'))::date as day) today
    where t.completed_at is null and t.archived_at is null and t.due_date between current_date - 9 and current_date + 3
      and t.due_date between today.day - 7 and today.day + 1
      and not exists (
        select from public.task_watchers w
        where w.project_id = t.project_id and w.task_id = t.id and w.user_id = a.user_id and not w.is_watching
      )
  ) due
  cross join lateral private.notification_choice(due.user_id, due.project_id, due.kind) choice
  where choice.inbox or choice.mail <> 'off' or choice.push
  on conflict do nothing;
  get diagnostics written = row_count;
  return written;
end
$function$;
grant execute on function private.notify_of_due_dates() to service_role;
comment on function private.notify_of_due_dates() is 'Reminds assignees of what is due soon or overdue; returns how many entries were written.';

CREATE OR REPLACE FUNCTION private.open_calendar_feed(token text)
 RETURNS TABLE(id uuid, user_id uuid, kind text, name text, project_id uuid, filter jsonb, time_zone text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hash constant bytea := sha256(convert_to(open_calendar_feed.token, 'UTF8'));
  granted uuid;
begin
  select g.id into granted from private.calendar_feed_tokens t
  join public.access_grants g on g.feed_id = t.feed_id
  where t.token_hash = hash and private.is_grant_open(g.id);
  if not found then
    return;
  end if;
  perform private.note_use_of_grant(granted);
  update public.calendar_feeds f set last_used_at = now()
  from private.calendar_feed_tokens t
  where t.token_hash = hash and f.id = t.feed_id and (f.last_used_at is null or f.last_used_at < now() - interval '1 hour');
  return query
    select f.id, f.user_id, f.kind, f.name, coalesce(f.project_id, v.project_id), v.filter,
      coalesce((select s.time_zone from public.notification_schedules s where s.user_id = f.user_id), 'UTC')
    from private.calendar_feed_tokens t
    join public.calendar_feeds f on f.id = t.feed_id
    left join public.saved_views v on v.id = f.view_id
    where t.token_hash = hash
      and (coalesce(f.project_id, v.project_id) is null or exists (
        select from public.project_members m where m.project_id = coalesce(f.project_id, v.project_id) and m.user_id = f.user_id
      ))
      and (v.id is null or v.is_shared or v.owner_id = f.user_id);
end
$function$;
grant execute on function private.open_calendar_feed(token text) to kanbase_feeds;

CREATE OR REPLACE FUNCTION private.owners_cannot_sign_in(project uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select not exists (
    select from public.project_members m join auth.users u on u.id = m.user_id
    where m.project_id = project and m.role = 'owner' and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now() or u.banned_since > now() - interval '72 hours')
  )
$function$;
comment on function private.owners_cannot_sign_in(project uuid) is 'Whether every owner of a project has been deleted, or banned for 72 hours.';

CREATE OR REPLACE FUNCTION private.place_checklist_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select coalesce(max(i.position), 0) + 1 into new.position
  from public.task_checklist_items i
  where i.project_id = new.project_id and i.task_id = new.task_id;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_column()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select coalesce(max(c.position), 0) + 1 into new.position from public.workflow_columns c where c.project_id = new.project_id;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_custom_field()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select coalesce(max(f.position), 0) + 1 into new.position from public.custom_fields f where f.project_id = new.project_id;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_moved_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  from_kind public.workflow_column_kind;
  to_kind public.workflow_column_kind;
  needed uuid[];
  last_rank text;
  waits_for text;
  empty_fields text;
begin
  if current_setting('kanbase.spreading', true) = 'on' then
    return new;
  end if;
  perform private.lock_column(new.project_id, new.column_id);

  if old.column_id <> new.column_id then
    select came_from.kind, c.kind, c.required_fields, case when old.order_rank = new.order_rank then (
      select max(t.order_rank) from public.tasks t where t.project_id = new.project_id and t.column_id = new.column_id
    ) end
    into from_kind, to_kind, needed, last_rank
    from public.workflow_columns c
    left join public.workflow_columns came_from on came_from.id = old.column_id
    where c.project_id = new.project_id and c.id = new.column_id;
    if needed <> '{}' then
      select string_agg(f.name, ', ' order by f.position, f.id) into empty_fields
      from public.custom_fields f
      left join public.task_field_values v on v.project_id = f.project_id and v.task_id = new.id and v.field_id = f.id
      where f.project_id = new.project_id and f.id = any (needed) and (v.value is null or v.value = 'false');
      if empty_fields is not null then
        raise exception using
          errcode = 'KB011',
          message = 'the column needs fields that are empty',
          detail = 'Empty fields: ' || empty_fields,
          hint = 'Fill them in first, or take them out of required_fields of the column.';
      end if;
    end if;
    if to_kind = 'done' and from_kind <> 'done' then
      select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
      from public.task_dependencies d
      join public.tasks t on t.project_id = d.project_id and t.id = d.predecessor_id
      join public.projects p on p.id = d.project_id
      where d.project_id = new.project_id and d.successor_id = new.id
        and t.completed_at is null and t.archived_at is null and p.enforce_dependencies;
      if waits_for is not null then
        raise exception using
          errcode = 'KB001',
          message = 'the task waits for others that are not done',
          detail = 'Open predecessors: ' || waits_for,
          hint = 'Finish them first, remove the dependency, or let an owner turn off enforce_dependencies.';
      end if;
    end if;
    new.completed_at := case when to_kind = 'done' then coalesce(old.completed_at, now()) end;
    if to_kind = 'in_progress' then
      new.started_at := coalesce(old.started_at, now());
    end if;
  end if;

  -- Only the column was named: to the end of it.
  if old.order_rank = new.order_rank then
    new.order_rank := private.rank_after(last_rank);
  else
    new.order_rank := private.free_rank(new.project_id, new.column_id, new.order_rank, new.id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_new_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  twin record;
  column_kind public.workflow_column_kind;
  last_rank text;
begin
  new.id := coalesce(new.id, private.uuid_v7());
  if new.project_id is null then
    select c.project_id into new.project_id from public.workflow_columns c where c.id = new.column_id;
  end if;

  -- An upsert of a task that exists takes no number and no place.
  select t.number, t.column_id, t.order_rank into twin from public.tasks t where t.id = new.id and t.project_id = new.project_id;
  if found then
    new.number := twin.number;
    new.column_id := coalesce(new.column_id, twin.column_id);
    new.order_rank := coalesce(new.order_rank, twin.order_rank);
    return new;
  end if;

  if new.column_id is null then
    select c.id into new.column_id from public.workflow_columns c
    where c.project_id = new.project_id
    order by c.position, c.id
    limit 1;
  end if;
  if new.number is null then
    update private.task_counters n set last_number = n.last_number + 1
    where n.project_id = new.project_id
    returning n.last_number into new.number;
  else
    update private.task_counters n set last_number = greatest(n.last_number, new.number)
    where n.project_id = new.project_id;
  end if;
  if new.column_id is null then
    return new;
  end if;

  perform private.lock_column(new.project_id, new.column_id);
  select c.kind, case when new.order_rank is null then (
    select max(t.order_rank) from public.tasks t where t.project_id = new.project_id and t.column_id = new.column_id
  ) end
  into column_kind, last_rank from public.workflow_columns c where c.id = new.column_id;
  new.order_rank := case
    when new.order_rank is null then private.rank_after(last_rank)
    else private.free_rank(new.project_id, new.column_id, new.order_rank, new.id)
  end;
  new.completed_at := case when column_kind = 'done' then coalesce(new.completed_at, now()) end;
  if column_kind = 'in_progress' then
    new.started_at := coalesce(new.started_at, now());
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_subtask()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.parent_id is null then
    new.subtask_position := null;
    return new;
  end if;
  if new.project_id is null and tg_op = 'INSERT' then
    select t.project_id into new.project_id from public.tasks t where t.id = new.parent_id;
  end if;
  if new.project_id is null then
    return new;
  end if;
  perform private.hold_outline(new.project_id, tg_op = 'UPDATE');
  if tg_op = 'INSERT' then
    new.subtask_position := coalesce(new.subtask_position, private.last_subtask_position(new.project_id, new.parent_id));
  elsif old.parent_id is distinct from new.parent_id and new.subtask_position is not distinct from old.subtask_position
    or new.subtask_position is null then
    new.subtask_position := private.last_subtask_position(new.project_id, new.parent_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.places_in(to_project uuid, moving uuid[], to_column uuid, brings_back boolean)
 RETURNS private.task_place[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  places private.task_place[] := '{}';
  one record;
  next_number integer;
  rank text collate "C";
  in_column uuid;
begin
  -- The counter, then the columns in one order: as everyone who makes tasks takes their locks.
  update private.task_counters c set last_number = c.last_number + cardinality(moving)
  where c.project_id = to_project returning c.last_number - cardinality(moving) into next_number;
  perform private.lock_column(to_project, c.id) from (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.id
  ) c;
  for one in
    select t.id, t.project_id, t.order_rank, f.number as old_number, w.position,
      case when brings_back then f.order_rank end as wanted,
      coalesce(to_column, (
        select c.id from public.workflow_columns c where brings_back and c.project_id = to_project and c.id = f.column_id
      ), private.column_in(to_project, t.column_id)) as to_column
    from public.tasks t
    join public.workflow_columns w on w.id = t.column_id
    left join private.former_places f on f.project_id = to_project and f.task_id = t.id
    where t.id = any (moving)
    order by 7, wanted nulls last, w.position, t.order_rank, t.id
  loop
    if in_column is distinct from one.to_column then
      in_column := one.to_column;
      rank := (select max(t.order_rank) from public.tasks t where t.project_id = to_project and t.column_id = in_column);
    end if;
    if one.old_number is null then
      next_number := next_number + 1;
    end if;
    if one.wanted is null then
      rank := private.rank_after(rank);
      -- An unchanged rank would read as "none was named".
      if rank = one.order_rank then
        rank := private.rank_after(rank);
      end if;
    end if;
    places := places || row(one.id, one.project_id, one.to_column, coalesce(one.old_number, next_number), coalesce(one.wanted, rank))::private.task_place;
  end loop;
  return places;
end
$function$;
comment on function private.places_in(to_project uuid, moving uuid[], to_column uuid, brings_back boolean) is 'Columns, numbers and ranks for tasks that come from other projects.';

CREATE OR REPLACE FUNCTION private.plan_again()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform set_config('kanbase.recurring', 'on', true);
  update public.task_recurrences r set revision = r.revision + 1, next_on = null, next_at = null
  where r.project_id = new.id and r.mode = 'calendar' and not r.is_over;
  perform set_config('kanbase.recurring', 'off', true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_limit(user_id uuid, name text)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (plans.limits ->> plan_limit.name)::bigint
  from billing.plans
  where plans.is_enforced
    and jsonb_typeof(plans.limits -> plan_limit.name) = 'number'
    and plans.price_id = coalesce(
      (
        select source.price_id
        from private.plan_source(plan_limit.user_id) source
        where source.is_running and exists (select from billing.plans bought where bought.price_id = source.price_id)
      ),
      'free'
    )
$function$;

CREATE OR REPLACE FUNCTION private.plan_recurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    new.column_id := private.column_in(new.project_id, old.column_id);
  end if;
  if tg_op = 'UPDATE' and current_setting('kanbase.recurring', true) = 'on' then
    return new;
  end if;
  new.rule := private.read_recurrence_rule(new.rule);
  begin
    perform now() at time zone new.time_zone;
  exception when others then
    raise exception using errcode = 'KB014', message = format('there is no time zone %s', quote_nullable(new.time_zone)), hint = 'For example Europe/Berlin.';
  end;
  new.copies := array(select distinct c from unnest(new.copies) c order by 1);
  if new.starts_on is null then
    new.starts_on := coalesce((
      select coalesce(t.due_date, t.start_date) from public.tasks t where t.project_id = new.project_id and t.id = new.task_id
    ), (now() at time zone new.time_zone)::date);
  end if;
  if new.paused_at is not null then
    new.paused_at := case when tg_op = 'UPDATE' then coalesce(old.paused_at, now()) else now() end;
  end if;
  if tg_op = 'UPDATE' and old.project_id = new.project_id then
    new.made := old.made;
    new.next_on := old.next_on;
    new.next_at := old.next_at;
    new.is_over := old.is_over;
    new.revision := old.revision;
    if (old.rule, old.time_zone, old.mode, old.starts_on, old.lead_days, old.paused_at)
      is not distinct from (new.rule, new.time_zone, new.mode, new.starts_on, new.lead_days, new.paused_at) then
      return new;
    end if;
    new.revision := old.revision + 1;
  end if;
  if tg_op = 'INSERT' or old.rule <> new.rule then
    new.made := 0;
  end if;
  new.next_on := null;
  new.next_at := null;
  new.is_over := false;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_source(user_id uuid)
 RETURNS TABLE(price_id text, status text, renews_at timestamp with time zone, ends_at timestamp with time zone, trial_ends_at timestamp with time zone, payment_failed boolean, is_running boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with mode as (
    select (select p.livemode from billing.provider p) as live
  ), had as (
    select
      s.price_id, s.status,
      case when s.status in ('active', 'trialing', 'past_due') and s.cancel_at is null and not s.cancel_at_period_end
        then s.current_period_end end as renews_at,
      coalesce(s.ended_at, s.cancel_at, case when s.cancel_at_period_end then s.current_period_end end) as ends_at,
      case when s.status = 'trialing' then s.trial_end end as trial_ends_at,
      coalesce(
        (
          select i.status = 'failed' from billing.invoices i
          where i.subscription_id = s.id
          order by i.told_at desc, i.id desc
          limit 1
        ),
        false
      ) as payment_failed,
      s.status in ('active', 'trialing', 'past_due') as is_running,
      1 as kind,
      coalesce(s.started_at, s.created_at) as since
    from billing.subscriptions s
    join billing.customers c on c.id = s.customer_id
    cross join mode
    where c.user_id = plan_source.user_id and (mode.live is null or s.livemode = mode.live)
    union all
    select p.price_id, p.status, null, null, null, p.status = 'failed', p.status = 'paid', 0, p.bought_at
    from billing.purchase_outcomes p
    left join billing.customers c on c.id = p.customer_id
    cross join mode
    where (p.user_id = plan_source.user_id or (p.user_id is null and c.user_id = plan_source.user_id))
      and (mode.live is null or p.livemode = mode.live)
  )
  select had.price_id, had.status, had.renews_at, had.ends_at, had.trial_ends_at, had.payment_failed, had.is_running
  from had
  left join billing.plans on plans.price_id = had.price_id
  -- What runs before what does not; of what runs, a plan before what is none, a subscription before a single purchase.
  order by
    had.is_running desc,
    (had.is_running and plans.price_id is not null) desc,
    case when had.is_running then had.kind end desc,
    had.since desc,
    had.price_id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.postpone_import_job(job uuid, holder uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update private.import_jobs j set held_by = null, held_until = now() + interval '30 seconds'
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$function$;
grant execute on function private.postpone_import_job(job uuid, holder uuid) to kanbase_imports;
comment on function private.postpone_import_job(job uuid, holder uuid) is 'Gives an import back for half a minute: what stood in its way may pass.';

CREATE OR REPLACE FUNCTION private.problem_of_setup(body jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  problem text;
  field record;
begin
  problem := coalesce(
    private.misfit(body, '{"version": "count!", "starts_on": "day", "project": "object", "columns": "list:50", "labels": "list:200", "fields": "list:50",
      "views": "list:100", "first_view": "id", "tasks": "list:1000", "dependencies": "list:5000"}'),
    private.misfit_in(body -> 'columns', 'column', '{"id": "id!", "name": "name:100!", "kind": "one:backlog|todo|in_progress|done|custom!",
      "wip_limit": "count", "color": "color", "required_fields": "ids"}'),
    private.misfit_in(body -> 'labels', 'label', '{"id": "id!", "name": "name:100!", "color": "color"}'),
    private.misfit_in(body -> 'fields', 'field', '{"id": "id!", "name": "name:100!",
      "kind": "one:text|number|date|select|multi_select|person|url|checkbox!", "options": "list:100", "unit": "name:20", "default_value": "any"}'),
    private.misfit_in(body -> 'views', 'view', '{"id": "id!", "name": "name:200!", "layout": "one:board|list|calendar|timeline|dashboard!", "filter": "object",
      "grouping": "property", "lanes": "property", "sort": "list:20", "shown": "object", "is_shared": "yes"}'),
    private.misfit(coalesce(body -> 'project', '{}'), '{"name": "name:200", "description": "text:20000", "color": "color", "enforce_dependencies": "yes",
      "parents_wait_for_subtasks": "yes"}')
  );
  if problem is not null then
    return problem;
  elsif body ->> 'version' <> '1' then
    return 'its "version" must be 1';
  elsif exists (
    select from (
      select e ->> 'id' as id from unnest(array['columns', 'labels', 'fields', 'views', 'tasks']) part, jsonb_array_elements(coalesce(body -> part, '[]')) e
    ) i where i.id is not null group by i.id having count(*) > 1
  ) then
    return 'two of its parts have the same id';
  elsif exists (select from jsonb_array_elements(body -> 'labels') l group by lower(l ->> 'name') having count(*) > 1) then
    return 'two labels have the same name';
  elsif exists (select from jsonb_array_elements(body -> 'fields') f group by lower(f ->> 'name') having count(*) > 1) then
    return 'two fields have the same name';
  elsif exists (
    select from jsonb_array_elements(body -> 'columns') c, jsonb_array_elements(coalesce(c -> 'required_fields', '[]')) n
    where not exists (select from jsonb_array_elements(body -> 'fields') f where f -> 'id' = n)
  ) then
    return 'a column needs a field that is not in it';
  elsif body ? 'first_view' and not exists (select from jsonb_array_elements(body -> 'views') v where v -> 'id' = body -> 'first_view') then
    return '"first_view" is none of its views';
  end if;
  for field in
    select f ->> 'name' as name, (f ->> 'kind')::public.custom_field_kind as kind, coalesce(f -> 'options', '[]') as options,
      f -> 'default_value' as standard, f ->> 'unit' as unit
    from jsonb_array_elements(body -> 'fields') f
  loop
    if not private.are_options(field.options) or (field.kind not in ('select', 'multi_select') and field.options <> '[]') then
      return format('field "%s" has wrong options', field.name);
    elsif field.unit is not null and field.kind <> 'number' then
      return format('field "%s" has a unit but is no number', field.name);
    elsif field.standard is not null and private.read_field_value(field.kind, field.options, field.standard) is null then
      return format('field "%s" has a wrong "default_value"', field.name);
    end if;
  end loop;
  return null;
end
$function$;
grant execute on function private.problem_of_setup(body jsonb) to authenticated;
grant execute on function private.problem_of_setup(body jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.problem_of_tasks(of_kind text, body jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  problem text;
  named text;
begin
  problem := coalesce(
    private.misfit_in(body -> 'tasks', 'task', '{"id": "id!", "column": "id", "parent": "id", "title": "name:500!", "description": "text:100000",
      "priority": "one:p0|p1|p2", "estimate": "estimate", "start_in": "days", "due_in": "days", "labels": "ids", "people": "ids", "fields": "object",
      "checklist": "list:200"}'),
    private.misfit_in(body -> 'dependencies', 'dependency', '{"predecessor": "id!", "successor": "id!", "lag_days": "lag"}')
  );
  if problem is null then
    select private.misfit_in(t -> 'checklist', format('task "%s": step', left(t ->> 'title', 60)), '{"title": "name:500!", "is_done": "yes"}') into problem
    from jsonb_array_elements(body -> 'tasks') t
    where private.misfit_in(t -> 'checklist', '', '{"title": "name:500!", "is_done": "yes"}') is not null limit 1;
  end if;
  if problem is not null then
    return problem;
  end if;

  select left(t ->> 'title', 60) into named from jsonb_array_elements(body -> 'tasks') t
  -- "not in": each list is read once, not once a task
  where (of_kind = 'project' and coalesce(t ->> 'column', '') not in (select c ->> 'id' from jsonb_array_elements(body -> 'columns') c))
    or exists (
      select from jsonb_array_elements_text(coalesce(t -> 'labels', '[]')) n
      where n not in (select l ->> 'id' from jsonb_array_elements(body -> 'labels') l))
    or (t ->> 'parent' is not null and t ->> 'parent' not in (select p ->> 'id' from jsonb_array_elements(body -> 'tasks') p))
  limit 1;
  if named is not null then
    return format('task "%s" names a column, label or parent that is not in it', named);
  end if;
  select left(t ->> 'title', 60) into named from jsonb_array_elements(body -> 'tasks') t where (t ->> 'start_in')::integer > (t ->> 'due_in')::integer limit 1;
  if named is not null then
    return format('task "%s" starts after it is due', named);
  end if;
  select left(t ->> 'title', 60) into named
  from jsonb_array_elements(body -> 'tasks') t, jsonb_each(coalesce(t -> 'fields', '{}')) v
  left join jsonb_array_elements(body -> 'fields') f on f ->> 'id' = v.key
  where f is null or private.read_field_value((f ->> 'kind')::public.custom_field_kind, coalesce(f -> 'options', '[]'),
    private.day_of_document((f ->> 'kind')::public.custom_field_kind, v.value, '2000-01-01')) is null
  limit 1;
  if named is not null then
    return format('task "%s" holds something that its field cannot hold', named);
  end if;
  return private.problem_of_ties(of_kind, body);
end
$function$;
grant execute on function private.problem_of_tasks(of_kind text, body jsonb) to authenticated;
grant execute on function private.problem_of_tasks(of_kind text, body jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.problem_of_ties(of_kind text, body jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  many constant integer := coalesce(jsonb_array_length(body -> 'tasks'), 0);
  reached integer;
begin
  with recursive listed as materialized (
    select t ->> 'id' as id, t ->> 'parent' as parent from jsonb_array_elements(body -> 'tasks') t
  ), down as (
    select l.id, 1 as level from listed l where l.parent is null
    union all
    select l.id, down.level + 1 from down join listed l on l.parent = down.id where down.level < 8
  )
  select count(*) into reached from down;
  if reached < many then
    return 'its subtasks go deeper than 8 levels, or in a circle';
  elsif of_kind = 'task' and (select count(*) from jsonb_array_elements(body -> 'tasks') t where t ->> 'parent' is null) <> 1 then
    return 'a template of a task has one task that all others stand below';
  elsif of_kind = 'project' and coalesce(jsonb_array_length(body -> 'columns'), 0) = 0 then
    return 'a template of a project has at least one column';
  elsif exists (
    select from jsonb_array_elements(body -> 'dependencies') d, unnest(array[d ->> 'predecessor', d ->> 'successor']) n
    where n not in (select t ->> 'id' from jsonb_array_elements(body -> 'tasks') t)
  ) then
    return 'a dependency names a task that is not in it';
  elsif exists (select from jsonb_array_elements(body -> 'dependencies') d group by d ->> 'predecessor', d ->> 'successor' having count(*) > 1) then
    return 'two tasks wait for each other twice';
  end if;
  if exists (
    with recursive tied as materialized (
      select d ->> 'predecessor' as before, d ->> 'successor' as after from jsonb_array_elements(body -> 'dependencies') d
    ), onwards as (
      select t.before as first, t.after as last from tied t
      union
      select o.first, t.after from onwards o join tied t on t.before = o.last
    )
    select from onwards o where o.first = o.last
  ) then
    return 'tasks wait for each other in a circle';
  end if;
  return null;
end
$function$;
grant execute on function private.problem_of_ties(of_kind text, body jsonb) to authenticated;
grant execute on function private.problem_of_ties(of_kind text, body jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.project_of_document(body jsonb, project_name text, project_description text, project_key text, project_color text, starts date)
 RETURNS public.projects
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  given constant jsonb := coalesce(body -> 'project', '{}');
  project public.projects := private.begin_project(project_name, coalesce(project_description, given ->> 'description'), project_key,
    coalesce(project_color, given ->> 'color'));
begin
  update public.projects p
  set enforce_dependencies = coalesce((given ->> 'enforce_dependencies')::boolean, p.enforce_dependencies),
    parents_wait_for_subtasks = coalesce((given ->> 'parents_wait_for_subtasks')::boolean, p.parents_wait_for_subtasks)
  where p.id = project.id
  returning * into project;
  return project;
end
$function$;
grant execute on function private.project_of_document(body jsonb, project_name text, project_description text, project_key text, project_color text, starts date) to authenticated;
grant execute on function private.project_of_document(body jsonb, project_name text, project_description text, project_key text, project_color text, starts date) to service_role;

CREATE OR REPLACE FUNCTION private.project_of_object(bucket text, path text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.id from public.projects p
  where p.id = case bucket
    when 'attachments' then substring(path from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
    when 'avatars' then substring(path from '^projects/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)')
  end::uuid
$function$;
comment on function private.project_of_object(bucket text, path text) is 'The project whose members an object or a folder of the app''s own buckets is for.';

CREATE OR REPLACE FUNCTION private.project_tables()
 RETURNS TABLE(name text, ids text[], leaves_out text[])
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  values
    ('workflow_columns', array['id'], array[]::text[]),
    ('tasks', array['id'], array['description']),
    ('task_labels', array['id'], '{}'),
    ('task_assignees', array['task_id', 'user_id'], '{}'),
    ('task_label_links', array['task_id', 'label_id'], '{}'),
    ('task_checklist_items', array['id'], '{}'),
    ('task_attachments', array['id'], '{}'),
    ('task_dependencies', array['id'], '{}'),
    ('task_comments', array['id'], array['body']),
    ('custom_fields', array['id'], '{}'),
    ('task_field_values', array['task_id', 'field_id'], '{}'),
    ('task_recurrences', array['id'], '{}'),
    ('templates', array['id'], array['body']),
    ('project_invitations', array['id'], '{}')
$function$;
grant execute on function private.project_tables() to authenticated;
grant execute on function private.project_tables() to service_role;

CREATE OR REPLACE FUNCTION private.proof_of_me()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
begin
  return case
    when exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified') then 'factor'
    when exists (select from auth.users u where u.id = me and u.encrypted_password <> '') then 'password'
    else 'recent'
  end;
end
$function$;
grant execute on function private.proof_of_me() to authenticated;
grant execute on function private.proof_of_me() to service_role;
comment on function private.proof_of_me() is 'What proves anew who the caller is: factor, password or recent.';

CREATE OR REPLACE FUNCTION private.propose_key(for_name text, for_user uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  words constant text[] := regexp_split_to_array(trim(regexp_replace(upper(for_name), '[^A-Z0-9]+', ' ', 'g')), ' ');
  stem text := '';
  candidate text;
begin
  if cardinality(words) >= 2 then
    select left(string_agg(left(word, 1), '' order by place), 4) into stem from unnest(words) with ordinality as w (word, place);
  else
    stem := left(words[1], 4);
  end if;
  if length(stem) < 2 then
    stem := left(stem || 'PR', 2);
  end if;
  candidate := stem;
  for suffix in 2..99 loop
    exit when not exists (
      select from public.projects p
      join public.project_members m on m.project_id = p.id
      where m.user_id = for_user and p.key = candidate
    );
    candidate := stem || suffix;
  end loop;
  return candidate;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_table(relation regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('alter table %s replica identity full', relation);
  if not exists (
    select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
    where p.pubname = 'supabase_realtime' and r.prrelid = relation
  ) then
    execute format('alter publication supabase_realtime add table %s', relation);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_touched_tables()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.publish_table(c.oid::regclass) from pg_catalog.pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and c.xmin::text::bigint = pg_current_xact_id()::text::bigint % 4294967296
  order by c.relname
$function$;

CREATE OR REPLACE FUNCTION private.push_public_key()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select k.public_key from private.push_keys k
$function$;
grant execute on function private.push_public_key() to authenticated;

CREATE OR REPLACE FUNCTION private.put_members_aside()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Who writes into it right now, somebody who joins among them, is waited for.
  perform from public.projects p where p.id = new.id for update;
  insert into private.kept_members (project_id, user_id, role, created_at, updated_at)
  select m.project_id, m.user_id, m.role, m.created_at, m.updated_at from public.project_members m where m.project_id = new.id;
  delete from public.project_members m where m.project_id = new.id;
  -- What would be told of it, or is read by those who are not in it.
  delete from private.notification_deliveries d using public.notifications n where n.id = d.notification_id and n.project_id = new.id;
  delete from public.notifications n where n.project_id = new.id and n.kind = 'invited';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.queue_changed_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.notification_deliveries d where d.notification_id = new.id;
  perform private.queue_deliveries(array[new.id]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.queue_deliveries(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  pushed boolean;
begin
  with queued as (
    insert into private.notification_deliveries (notification_id, way, user_id, task_id, due_at)
    select n.id, w.way, n.user_id, n.task_id, w.due_at
    from public.notifications n
    cross join lateral private.notification_choice(n.user_id, n.project_id, n.kind) choice
    left join public.notification_schedules s on s.user_id = n.user_id
    cross join lateral (
      select 'mail' as way, now() + interval '2 minutes' as due_at where choice.mail = 'now'
      union all
      select 'daily', private.next_daily(coalesce(s.time_zone, 'UTC'), coalesce(s.daily_hour, 8)) where choice.mail = 'daily'
      union all
      select 'push', now() where choice.push and exists (select from public.push_subscriptions p where p.user_id = n.user_id)
    ) w
    where n.id = any (ids)
    on conflict do nothing
    returning way
  )
  select bool_or(q.way = 'push') into pushed from queued q;
  if pushed then
    perform pg_notify('kanbase_push', '');
  end if;
end
$function$;
comment on function private.queue_deliveries(ids uuid[]) is 'Has notifications wait for the ways their readers want.';

CREATE OR REPLACE FUNCTION private.queue_mail(kind text, recipient text, data jsonb DEFAULT '{}'::jsonb)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with letter as (
    insert into private.outbox (kind, recipient, data)
    select queue_mail.kind, trim(queue_mail.recipient), case
      when given.data ? 'sealed' then given.data
      else jsonb_strip_nulls(jsonb_build_object('language', private.language_of(trim(queue_mail.recipient)))) || given.data
    end
    from (select coalesce(queue_mail.data, '{}') as data) given
    returning id
  )
  select letter.id from letter, pg_catalog.pg_notify('kanbase_mail', '')
$function$;
grant execute on function private.queue_mail(kind text, recipient text, data jsonb) to kanbase_landing;
comment on function private.queue_mail(kind text, recipient text, data jsonb) is 'Puts a letter in the outbox; it leaves when the transaction commits.';

CREATE OR REPLACE FUNCTION private.queue_new_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.queue_deliveries(array(select a.id from added a));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.raise_ended_session()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using errcode = '42501', message = 'your session has ended', hint = 'Sign in again.';
end
$function$;
comment on function private.raise_ended_session() is 'Refuses a grant to whoever has been signed out.';

CREATE OR REPLACE FUNCTION private.raise_no_account()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using errcode = 'PT404', message = 'There is no such account', hint = 'It may have been deleted meanwhile. Search again.';
end
$function$;

CREATE OR REPLACE FUNCTION private.raise_no_invitation()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = 'PT404',
    message = 'no such invitation',
    hint = 'It may have expired, been used or been withdrawn. Ask for a new one.';
end
$function$;
comment on function private.raise_no_invitation() is 'Refuses what names no open invitation.';

CREATE OR REPLACE FUNCTION private.raise_not_found(what text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_second_factor();
  raise exception using
    errcode = 'PT404',
    message = format('no such %s', what),
    hint = format('There is none with this id, or you are not a member of its project.');
end
$function$;
grant execute on function private.raise_not_found(what text) to authenticated;
grant execute on function private.raise_not_found(what text) to service_role;

CREATE OR REPLACE FUNCTION private.rank_after(low text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  width integer;
begin
  if low is null then
    return 'a0';
  end if;
  width := private.rank_whole_digits(low);
  for spot in reverse width + 1..2 loop
    if substr(low, spot, 1) <> 'z' then
      return left(low, spot - 1)
        || substr(digits, private.rank_digits_up_to(ascii(substr(low, spot, 1))) + 1, 1)
        || repeat('0', width + 1 - spot);
    end if;
  end loop;
  -- every digit is at its highest: one digit more (one less below 'a')
  return case
    when width = 0 or left(low, 1) = 'z' then private.rank_between(low, null)
    when left(low, 1) = 'Z' then 'a0'
    when left(low, 1) > 'Z' collate "C" then chr(ascii(low) + 1) || repeat('0', width + 1)
    else chr(ascii(low) + 1) || repeat('0', width - 1)
  end;
end
$function$;
grant execute on function private.rank_after(low text) to authenticated;
grant execute on function private.rank_after(low text) to service_role;

CREATE OR REPLACE FUNCTION private.rank_before(high text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  width integer;
begin
  if high is null then
    return 'a0';
  end if;
  width := private.rank_whole_digits(high);
  if width > 0 and length(high) > width + 1 then
    return left(high, width + 1);
  end if;
  for spot in reverse width + 1..2 loop
    if substr(high, spot, 1) <> '0' then
      return left(high, spot - 1)
        || substr(digits, private.rank_digits_up_to(ascii(substr(high, spot, 1))) - 1, 1)
        || repeat('z', width + 1 - spot);
    end if;
  end loop;
  return case
    when width = 0 or left(high, 1) = 'A' then private.rank_between(null, high)
    when left(high, 1) = 'a' then 'Zz'
    when left(high, 1) > 'Z' collate "C" then chr(ascii(high) - 1) || repeat('z', width - 1)
    else chr(ascii(high) - 1) || repeat('z', width + 1)
  end;
end
$function$;
grant execute on function private.rank_before(high text) to authenticated;
grant execute on function private.rank_before(high text) to service_role;

CREATE OR REPLACE FUNCTION private.rank_between(low text, high text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  made text := '';
  spot integer := 1;
  floor_byte integer;
  ceiling_byte integer;
  below integer;
  room integer;
  bounded boolean := high is not null;
begin
  low := coalesce(low, '');
  loop
    if bounded and spot > length(high) then
      raise exception using errcode = '22023', message = 'no rank lies between these', hint = 'Ranks are printable ASCII without spaces and do not end in "!".';
    end if;
    floor_byte := case when spot <= length(low) then ascii(substr(low, spot, 1)) else 32 end;
    ceiling_byte := case when bounded then ascii(substr(high, spot, 1)) else 127 end;
    if floor_byte < ceiling_byte then
      below := private.rank_digits_up_to(floor_byte);
      room := private.rank_digits_up_to(ceiling_byte - 1) - below;
      if room > 0 then
        return made || substr(digits, below + (room + 1) / 2, 1);
      elsif ceiling_byte - floor_byte > 2 then
        return made || chr((floor_byte + ceiling_byte + 1) / 2);
      elsif ceiling_byte - floor_byte = 2 then
        -- '!' is the lowest character and may not end a rank
        return made || case when floor_byte = 32 then '!V' else chr(floor_byte + 1) end;
      elsif floor_byte > 32 then
        bounded := false;
      end if;
    end if;
    made := made || chr(greatest(floor_byte, 33));
    spot := spot + 1;
  end loop;
end
$function$;
grant execute on function private.rank_between(low text, high text) to authenticated;
grant execute on function private.rank_between(low text, high text) to service_role;

CREATE OR REPLACE FUNCTION private.rank_digits_up_to(byte integer)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return case
    when byte < 48 then 0
    when byte < 58 then byte - 47
    when byte < 65 then 10
    when byte < 91 then byte - 54
    when byte < 97 then 36
    when byte < 123 then byte - 60
    else 62
  end;
end
$function$;
grant execute on function private.rank_digits_up_to(byte integer) to authenticated;
grant execute on function private.rank_digits_up_to(byte integer) to service_role;

CREATE OR REPLACE FUNCTION private.rank_whole_digits(rank text)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  head constant integer := ascii(rank);
  width constant integer := case when head between 97 and 122 then head - 96 when head between 65 and 90 then 91 - head else 0 end;
begin
  return case when width > 0 and substr(rank, 2, width) ~ format('^[0-9A-Za-z]{%s}$', width) then width else 0 end;
end
$function$;
grant execute on function private.rank_whole_digits(rank text) to authenticated;
grant execute on function private.rank_whole_digits(rank text) to service_role;

CREATE OR REPLACE FUNCTION private.ranks_between(low text, high text, amount integer)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  made text[] := '{}';
  middle text;
begin
  if amount <= 0 then
    return made;
  elsif high is null then
    for i in 1..amount loop
      low := private.rank_after(low);
      made := made || low;
    end loop;
    return made;
  elsif low is null then
    for i in 1..amount loop
      high := private.rank_before(high);
      made := high || made;
    end loop;
    return made;
  end if;
  middle := private.rank_between(low, high);
  return private.ranks_between(low, middle, (amount - 1) / 2)
    || middle
    || private.ranks_between(middle, high, amount - 1 - (amount - 1) / 2);
end
$function$;

CREATE OR REPLACE FUNCTION private.read_field_value(kind public.custom_field_kind, options jsonb, value jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  words constant text := case when jsonb_typeof(value) = 'string' then btrim(value #>> '{}', E' \t\r\n') end;
  day date;
begin
  case kind
    when 'text' then
      return case when words <> '' and char_length(words) <= 5000 then to_jsonb(words) end;
    when 'number' then
      return case when jsonb_typeof(value) = 'number' and abs((value #>> '{}')::numeric) < 1e15 and scale((value #>> '{}')::numeric) <= 10 then value end;
    when 'date' then
      if words !~ '^\d{4}-\d\d-\d\d$' then
        return null;
      end if;
      begin
        day := words::date;
      exception when others then
        return null;
      end;
      return to_jsonb(words);
    when 'select' then
      return case when exists (select from jsonb_array_elements(options) o where o ->> 'id' = words) then to_jsonb(words) end;
    when 'multi_select' then
      if jsonb_typeof(value) is distinct from 'array' or exists (
        select from jsonb_array_elements(value) v where not exists (select from jsonb_array_elements(options) o where o -> 'id' = v)
      ) then
        return null;
      end if;
      return (
        select jsonb_agg(o.one -> 'id' order by o.place) from jsonb_array_elements(options) with ordinality as o (one, place)
        where value @> jsonb_build_array(o.one -> 'id')
      );
    when 'person' then
      return case when words ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then to_jsonb(lower(words)) end;
    when 'url' then
      return case when words ~* '^https?://[^[:space:]/?#]+[^[:space:]]*$' and char_length(words) <= 2000 then to_jsonb(words) end;
    when 'checkbox' then
      return case when jsonb_typeof(value) = 'boolean' then value end;
  end case;
end
$function$;
grant execute on function private.read_field_value(kind public.custom_field_kind, options jsonb, value jsonb) to authenticated;
grant execute on function private.read_field_value(kind public.custom_field_kind, options jsonb, value jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.read_invitation(token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  read jsonb;
begin
  select jsonb_build_object(
    'email', i.email, 'role', i.role, 'expires_at', i.expires_at, 'project_name', p.name, 'project_color', p.color,
    'inviter_name', w.display_name, 'inviter_avatar_url', w.avatar_url
  ) into read
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  join public.projects p on p.id = i.project_id
  left join public.profiles w on w.id = i.invited_by
  where t.token_hash = sha256(convert_to(coalesce(read_invitation.token, ''), 'UTF8')) and private.is_open_invitation(i);
  if not found then
    perform private.raise_no_invitation();
  end if;
  return read;
end
$function$;
grant execute on function private.read_invitation(token text) to anon;
grant execute on function private.read_invitation(token text) to authenticated;
grant execute on function private.read_invitation(token text) to service_role;
comment on function private.read_invitation(token text) is 'What the letter of an invitation says.';

CREATE OR REPLACE FUNCTION private.read_operator_entries(in_project uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.project_members m where m.project_id = in_project and m.user_id = private.me()) then
    perform private.raise_not_found('project');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'deed', e.deed, 'operator', e.operator, 'reason', e.reason, 'created_at', e.created_at,
      'ends_at', e.ends_at, 'left_at', e.left_at) order by e.created_at desc, e.id), '[]')
    from private.operator_entries e where e.project_id = in_project
  );
end
$function$;
grant execute on function private.read_operator_entries(in_project uuid) to authenticated;
comment on function private.read_operator_entries(in_project uuid) is 'What operators did with a project, for its members.';

CREATE OR REPLACE FUNCTION private.read_recurrence_rule(rule text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  clean constant text := regexp_replace(upper(regexp_replace(coalesce(rule, ''), '\s', '', 'g')), '^RRULE:|;$', '', 'g');
  freq constant text := substring(clean from '(?:^|;)FREQ=([A-Z]+)');
  part text;
  name text;
  value text;
  names text[] := '{}';
  fits boolean;
  problem text;
begin
  if char_length(clean) > 300 then
    problem := 'it is longer than 300 signs';
  elsif freq is null or freq <> all (array['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']) then
    problem := 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY';
  end if;
  foreach part in array string_to_array(clean, ';') loop
    exit when problem is not null;
    name := split_part(part, '=', 1);
    value := substr(part, char_length(name) + 2);
    if name = any (names) then
      problem := format('%s is said twice', name);
      exit;
    end if;
    names := names || name;
    fits := case name
      when 'FREQ' then true
      when 'INTERVAL' then value ~ '^[1-9]\d{0,2}$'
      when 'COUNT' then value ~ '^[1-9]\d{0,2}$'
      when 'UNTIL' then value ~ '^\d{8}(T\d{6}Z?)?$' and private.is_day(left(value, 8))
      when 'BYDAY' then value ~ case when freq in ('MONTHLY', 'YEARLY')
        then '^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU))*$'
        else '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$' end
      when 'BYMONTHDAY' then freq <> 'WEEKLY' and value ~ '^[+-]?([1-9]|[12]\d|3[01])(,[+-]?([1-9]|[12]\d|3[01]))*$'
      when 'BYMONTH' then value ~ '^([1-9]|1[0-2])(,([1-9]|1[0-2]))*$'
      when 'BYSETPOS' then freq in ('MONTHLY', 'YEARLY') and value ~ '^[+-]?[1-9]\d{0,2}(,[+-]?[1-9]\d{0,2})*$'
      when 'WKST' then value ~ '^(MO|TU|WE|TH|FR|SA|SU)$'
    end;
    if fits is null then
      problem := format('%s is not known: a rule has FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST', coalesce(nullif(name, ''), 'an empty part'));
    elsif not fits then
      problem := format('%s cannot be %s', name, coalesce(nullif(value, ''), 'empty'));
    end if;
  end loop;
  if problem is null and 'COUNT' = any (names) and 'UNTIL' = any (names) then
    problem := 'COUNT and UNTIL exclude each other';
  elsif problem is null and 'BYSETPOS' = any (names) and not names && array['BYDAY', 'BYMONTHDAY'] then
    problem := 'BYSETPOS needs BYDAY or BYMONTHDAY';
  elsif problem is null and 'BYMONTHDAY' = any (names) and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY with numbers and BYMONTHDAY exclude each other';
  elsif problem is null and clean ~ 'BYDAY=([^;]*,)?[A-Z]' and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY has a number before each of its days or before none';
  end if;
  if problem is null and names @> array['BYMONTH', 'BYMONTHDAY'] and not exists (
    select
    from unnest(string_to_array(substring(clean from 'BYMONTH=([^;]*)'), ',')) as months (month)
    cross join unnest(string_to_array(substring(clean from 'BYMONTHDAY=([^;]*)'), ',')) as days (day)
    where abs(day::integer) <= case when month::integer = 2 then 29 when month::integer in (4, 6, 9, 11) then 30 else 31 end
  ) then
    problem := 'no month that BYMONTH names has a day of BYMONTHDAY, so it would never come';
  end if;
  if problem is not null then
    raise exception using
      errcode = 'KB014',
      message = 'this is no rule by which a task can come again: ' || problem,
      hint = 'For example FREQ=WEEKLY;BYDAY=MO,TH or FREQ=MONTHLY;BYDAY=2TU.';
  end if;
  return regexp_replace(clean, '(UNTIL=\d{8})T\d{6}Z?', '\1');
end
$function$;
grant execute on function private.read_recurrence_rule(rule text) to authenticated;
grant execute on function private.read_recurrence_rule(rule text) to service_role;

CREATE OR REPLACE FUNCTION private.read_server_settings()
 RETURNS TABLE(name text, value text, sealed text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.name, s.value, s.sealed from private.server_settings s
$function$;
grant execute on function private.read_server_settings() to kanbase_desk;
comment on function private.read_server_settings() is 'The settings that operators have changed, for the server.';

CREATE OR REPLACE FUNCTION private.read_transfers(in_project uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.me();
begin
  if not exists (select from public.project_members m where m.project_id = in_project and m.user_id = me)
    and not exists (select from private.project_transfers t where t.project_id = in_project and t.owner_ids @> array[me])
  then
    perform private.raise_not_found('project');
  end if;
  return (
    select coalesce(jsonb_agg(private.say_transfer(t) order by t.created_at desc, t.id), '[]')
    from private.project_transfers t
    where t.project_id = in_project and (
      t.owner_ids @> array[me] or exists (select from public.project_members m where m.project_id = in_project and m.user_id = me)
    )
  );
end
$function$;
grant execute on function private.read_transfers(in_project uuid) to authenticated;
comment on function private.read_transfers(in_project uuid) is 'Transfers of a project by operators, for its members and for who owned it then.';

CREATE OR REPLACE FUNCTION private.record_activity(in_project uuid, of_task uuid, kind text, change jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if current_setting('kanbase.carrying', true) = 'on' then
    return;
  end if;
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, (select p.id from public.profiles p where p.id = auth.uid()), kind, change
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = in_project and t.id = of_task;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_assignee()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'assigned',
      jsonb_build_object('user_id', jsonb_build_object('from', null, 'to', new.user_id)));
  else
    perform private.record_activity(old.project_id, old.task_id, 'unassigned',
      jsonb_build_object('user_id', jsonb_build_object('from', old.user_id, 'to', null)));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_attachment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id),
    case tg_op when 'INSERT' then 'attached' when 'UPDATE' then 'attachment_renamed' else 'detached' end,
    jsonb_build_object('attachment_id', coalesce(new.id, old.id), 'name', jsonb_build_object('from', old.name, 'to', new.name)));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_carried(places private.task_place[], to_project uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  actor constant uuid := (select p.id from public.profiles p where p.id = auth.uid());
begin
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select f.project_id, null, actor, 'moved_out', jsonb_build_object(
    'id', t.id, 'title', t.title, 'number', f.number, 'project_id', jsonb_build_object('from', f.project_id, 'to', to_project)
  )
  from unnest(places) p
  join public.tasks t on t.id = p.task_id
  join private.former_places f on f.project_id = p.from_project and f.task_id = p.task_id;
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, actor, 'moved_in', jsonb_build_object(
    'project_id', jsonb_build_object('from', f.project_id, 'to', to_project),
    'key', jsonb_build_object('from', f.key || '-' || f.number, 'to', target.key || '-' || t.number)
  )
  from unnest(places) p
  join public.tasks t on t.id = p.task_id
  join public.projects target on target.id = to_project
  join private.former_places f on f.project_id = p.from_project and f.task_id = p.task_id;
end
$function$;
comment on function private.record_carried(places private.task_place[], to_project uuid) is 'Writes the history of tasks that changed their project.';

CREATE OR REPLACE FUNCTION private.record_checklist_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change jsonb := '{}';
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'checklist_item_added',
      jsonb_build_object('item_id', new.id, 'title', jsonb_build_object('from', null, 'to', new.title)));
  elsif tg_op = 'DELETE' then
    perform private.record_activity(old.project_id, old.task_id, 'checklist_item_removed',
      jsonb_build_object('item_id', old.id, 'title', jsonb_build_object('from', old.title, 'to', null)));
  else
    change := jsonb_build_object('item_id', new.id);
    if old.title <> new.title then
      change := change || jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title));
    end if;
    if old.is_done <> new.is_done then
      change := change || jsonb_build_object('is_done', jsonb_build_object('from', old.is_done, 'to', new.is_done));
    end if;
    perform private.record_activity(new.project_id, new.task_id, 'checklist_item_changed', change);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_column_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.column_kinds as k (project_id, column_id, kind) values (new.project_id, new.id, new.kind);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id),
    case tg_op when 'INSERT' then 'commented' when 'UPDATE' then 'comment_edited' else 'comment_deleted' end,
    jsonb_build_object('comment_id', coalesce(new.id, old.id)) || case tg_op
      when 'UPDATE' then jsonb_build_object('body', jsonb_build_object('from', old.body, 'to', new.body))
      else '{}'::jsonb
    end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_cover()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Where the attachment itself went, that is what happened.
  if new.cover_attachment_id is not null or exists (select from public.task_attachments a where a.id = old.cover_attachment_id) then
    perform private.record_activity(new.project_id, new.id, 'updated', jsonb_build_object('cover_attachment_id', jsonb_build_object(
      'from', old.cover_attachment_id, 'to', new.cover_attachment_id,
      'name', (select a.name from public.task_attachments a where a.id = coalesce(new.cover_attachment_id, old.cover_attachment_id))
    )));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_dependency()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.successor_id, 'dependency_added',
      jsonb_build_object('predecessor_id', jsonb_build_object('from', null, 'to', new.predecessor_id)));
  elsif tg_op = 'DELETE' then
    perform private.record_activity(old.project_id, old.successor_id, 'dependency_removed',
      jsonb_build_object('predecessor_id', jsonb_build_object('from', old.predecessor_id, 'to', null)));
  else
    perform private.record_activity(new.project_id, new.successor_id, 'dependency_changed',
      jsonb_build_object('predecessor_id', new.predecessor_id, 'lag_days', jsonb_build_object('from', old.lag_days, 'to', new.lag_days)));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_field_value()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  field public.custom_fields;
  was constant jsonb := case when tg_op <> 'INSERT' then old.value end;
  becomes constant jsonb := case when tg_op <> 'DELETE' then new.value end;
begin
  select f.* into field from public.custom_fields f where f.id = coalesce(new.field_id, old.field_id);
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id), 'updated',
    jsonb_build_object('field', jsonb_strip_nulls(jsonb_build_object(
      'field_id', field.id, 'name', field.name, 'kind', field.kind, 'unit', field.unit,
      -- the names that options have now
      'from_name', private.name_options(field.options, was), 'to_name', private.name_options(field.options, becomes)
    )) || jsonb_build_object('from', was, 'to', becomes)));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_label_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'labeled', jsonb_build_object('label_id',
      jsonb_build_object('from', null, 'to', new.label_id, 'name', (select l.name from public.task_labels l where l.id = new.label_id))));
  else
    perform private.record_activity(old.project_id, old.task_id, 'unlabeled', jsonb_build_object('label_id',
      jsonb_build_object('from', old.label_id, 'to', null, 'name', (select l.name from public.task_labels l where l.id = old.label_id))));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_parent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' and old.parent_id is not null then
    perform private.record_activity(old.project_id, old.parent_id, 'updated', jsonb_build_object('subtask',
      jsonb_build_object('from', old.id, 'to', null, 'name', old.title)));
  end if;
  if tg_op <> 'DELETE' and new.parent_id is not null then
    perform private.record_activity(new.project_id, new.parent_id, 'updated', jsonb_build_object('subtask',
      jsonb_build_object('from', null, 'to', new.id, 'name', new.title)));
  end if;
  if tg_op = 'UPDATE' then
    perform private.record_activity(new.project_id, new.id, 'updated', jsonb_build_object('parent_id', jsonb_build_object(
      'from', old.parent_id, 'to', new.parent_id, 'name', private.task_in_words(new.project_id, coalesce(new.parent_id, old.parent_id)))));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_recurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  chosen constant text[] := array['rule', 'mode', 'time_zone', 'starts_on', 'lead_days', 'column_id', 'copies'];
  was jsonb;
  becomes jsonb;
begin
  if tg_op <> 'INSERT' then
    was := (select jsonb_object_agg(c, to_jsonb(old) -> c) from unnest(chosen) c) || jsonb_build_object('paused', old.paused_at is not null);
  end if;
  if tg_op <> 'DELETE' then
    becomes := (select jsonb_object_agg(c, to_jsonb(new) -> c) from unnest(chosen) c) || jsonb_build_object('paused', new.paused_at is not null);
  end if;
  if was is distinct from becomes then
    perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id), 'updated',
      jsonb_build_object('recurrence', jsonb_build_object('from', was, 'to', becomes)));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_setup()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was jsonb := case when tg_op <> 'INSERT' then jsonb_strip_nulls(to_jsonb(old)) end;
  becomes jsonb := case when tg_op <> 'DELETE' then jsonb_strip_nulls(to_jsonb(new)) end;
  one constant jsonb := coalesce(becomes, was);
  changed text[];
begin
  -- A view comes when it is shared, and goes when it is no more.
  if was -> 'is_shared' = 'false' then
    was := null;
  end if;
  if becomes -> 'is_shared' = 'false' then
    becomes := null;
  end if;
  changed := array(select c from unnest(tg_argv[1:]) c where was -> c is distinct from becomes -> c);
  if changed <> '{}' then
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'updated',
      jsonb_build_object(tg_argv[0], jsonb_build_object('id', one -> 'id', 'name', one -> 'name',
        'from', (select jsonb_object_agg(c, was -> c) from unnest(changed) c where was is not null),
        'to', (select jsonb_object_agg(c, becomes -> c) from unnest(changed) c where becomes is not null)))
    -- not when the project itself is going
    from public.projects p where p.id = (one ->> 'project_id')::uuid;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  change jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    -- the task is gone: the line stands in the project's story, and says which task it was
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'deleted',
      jsonb_build_object('id', old.id, 'title', old.title, 'number', old.number)
    from public.projects p
    where p.id = old.project_id;
    return null;
  end if;

  if old.column_id <> new.column_id and current_setting('kanbase.carrying', true) is distinct from 'on' then
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select new.project_id, new.id, (select p.id from public.profiles p where p.id = auth.uid()), 'moved',
      jsonb_build_object('column_id', jsonb_build_object(
        'from', old.column_id, 'to', new.column_id,
        'from_name', (select c.name from public.workflow_columns c where c.id = old.column_id),
        'to_name', (select c.name from public.workflow_columns c where c.id = new.column_id)
      ));
  end if;
  if (old.archived_at is null) <> (new.archived_at is null) then
    perform private.record_activity(new.project_id, new.id,
      case when new.archived_at is null then 'restored' else 'archived' end,
      jsonb_build_object('archived_at', jsonb_build_object('from', old.archived_at, 'to', new.archived_at)));
  end if;
  if old.title <> new.title then
    change := change || jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title));
  end if;
  if old.description <> new.description then
    change := change || jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description));
  end if;
  if old.priority <> new.priority then
    change := change || jsonb_build_object('priority', jsonb_build_object('from', old.priority, 'to', new.priority));
  end if;
  if old.start_date is distinct from new.start_date then
    change := change || jsonb_build_object('start_date', jsonb_build_object('from', old.start_date, 'to', new.start_date));
  end if;
  if old.due_date is distinct from new.due_date then
    change := change || jsonb_build_object('due_date', jsonb_build_object('from', old.due_date, 'to', new.due_date));
  end if;
  if old.estimate is distinct from new.estimate then
    change := change || jsonb_build_object('estimate', jsonb_build_object('from', old.estimate, 'to', new.estimate));
  end if;
  if change <> '{}' then
    perform private.record_activity(new.project_id, new.id, 'updated', change);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_template(of_task public.tasks, template public.templates)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if of_task.created_by is not distinct from auth.uid() and exists (select from public.tasks t where t.id = of_task.id and t.created_at = now()) then
    perform private.record_activity(of_task.project_id, of_task.id, 'updated',
      jsonb_build_object('template', jsonb_build_object('from', null, 'to', template.id, 'name', template.name)));
  end if;
end
$function$;
grant execute on function private.record_template(of_task public.tasks, template public.templates) to authenticated;
grant execute on function private.record_template(of_task public.tasks, template public.templates) to service_role;

CREATE OR REPLACE FUNCTION private.recount_figures(projects uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.project_figures f where f.project_id = any (projects);
  delete from private.task_waits w where w.project_id = any (projects);
  insert into private.task_waits (task_id, project_id, is_open, open_predecessors)
  select s.id, s.project_id, s.completed_at is null and s.archived_at is null,
    count(*) filter (where p.completed_at is null and p.archived_at is null)
  from public.task_dependencies d
  join public.tasks s on s.project_id = d.project_id and s.id = d.successor_id
  join public.tasks p on p.project_id = d.project_id and p.id = d.predecessor_id
  where d.project_id = any (projects)
  group by s.id;
  insert into private.project_figures (project_id, figure, key, shard, amount)
  select t.project_id, 'tasks', t.column_id || '/' || t.priority, 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null group by t.project_id, t.column_id, t.priority
  union all
  select t.project_id, 'created', private.week_of(t.created_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null group by 1, 3
  union all
  select t.project_id, 'completed', private.week_of(t.completed_at), 0, count(*)
  from public.tasks t where t.project_id = any (projects) and t.archived_at is null and t.completed_at is not null group by 1, 3
  union all
  select t.project_id, case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text, 0, count(*)
  from public.tasks t join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
  where t.project_id = any (projects) and t.archived_at is null group by 1, 2, 3
  union all
  select t.project_id, d.figure, d.span, 0, count(*)
  from public.tasks t
  cross join lateral (values
    ('cycle', private.span_of(t.started_at, t.completed_at)), ('lead', private.span_of(t.created_at, t.completed_at))
  ) as d (figure, span)
  where t.project_id = any (projects) and t.archived_at is null and d.span is not null group by 1, 2, 3
  union all
  select t.project_id, 'unassigned', '', 0, count(*)
  from public.tasks t
  where t.project_id = any (projects) and t.archived_at is null and t.completed_at is null
    and not exists (select from public.task_assignees a where a.project_id = t.project_id and a.task_id = t.id)
  group by t.project_id
$function$;
comment on function private.recount_figures(projects uuid[]) is 'Makes the running totals of projects anew from their tasks.';

CREATE OR REPLACE FUNCTION private.recurrences_to_settle(passing_over uuid[], most integer)
 RETURNS TABLE(id uuid, revision integer, rule text, starts_on date, after_day date)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.id, r.revision, r.rule,
    case when r.mode = 'after_completion' then done.day else r.starts_on end,
    case
      when r.mode = 'after_completion' then done.day
      when r.next_on is not null then r.next_on
      -- from today on, and never the day the first task has
      else greatest(r.starts_on, (now() at time zone r.time_zone)::date - 1)
    end
  from public.task_recurrences r
  join public.projects p on p.id = r.project_id and p.archived_at is null and p.deleted_at is null
  join public.tasks t on t.project_id = r.project_id and t.id = r.task_id
  cross join lateral (select (t.completed_at at time zone r.time_zone)::date as day) done
  where r.paused_at is null and not r.is_over and r.id <> all (passing_over)
    and case r.mode when 'calendar' then r.next_at is null or r.next_at <= now() else t.completed_at is not null end
  order by r.next_at nulls first, r.id
  limit most
$function$;
grant execute on function private.recurrences_to_settle(passing_over uuid[], most integer) to kanbase_recurrence;

CREATE OR REPLACE FUNCTION private.redeem_invitation(token text)
 RETURNS public.project_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  invitation public.project_invitations;
begin
  perform private.require_user();
  select i.* into invitation
  from private.invitation_tokens t
  join public.project_invitations i on i.id = t.invitation_id
  where t.token_hash = sha256(convert_to(coalesce(redeem_invitation.token, ''), 'UTF8')) and private.is_open_invitation(i)
  for update of t, i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  return private.let_in(invitation);
end
$function$;
grant execute on function private.redeem_invitation(token text) to authenticated;
grant execute on function private.redeem_invitation(token text) to service_role;

CREATE OR REPLACE FUNCTION private.redeem_own_invitation(of_invitation uuid)
 RETURNS public.project_members
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  invitation public.project_invitations;
  shown boolean;
begin
  select i.* into invitation
  from public.project_invitations i
  join auth.users u on u.id = me and lower(u.email) = lower(i.email)
  where i.id = of_invitation and private.is_open_invitation(i)
  for update of i;
  if not found then
    perform private.raise_no_invitation();
  end if;
  select private.has_shown_mailbox(u) into shown from auth.users u where u.id = me;
  if not shown then
    raise exception using
      errcode = 'KB007',
      message = 'your address is not verified yet',
      hint = 'Open the link in the confirmation mail, or in the letter of the invitation, then accept again.';
  end if;
  return private.let_in(invitation);
end
$function$;
grant execute on function private.redeem_own_invitation(of_invitation uuid) to authenticated;
grant execute on function private.redeem_own_invitation(of_invitation uuid) to service_role;
comment on function private.redeem_own_invitation(of_invitation uuid) is 'Joins by an invitation to the caller''s own address.';

CREATE OR REPLACE FUNCTION private.refilled(l private.limits, most integer, rate double precision, at timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select least(most, l.points + greatest(extract(epoch from at - l.read_at), 0) * rate)
$function$;

CREATE OR REPLACE FUNCTION private.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  was constant jsonb := to_jsonb(old);
  becomes constant jsonb := to_jsonb(new);
  column_name text;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  foreach column_name in array tg_argv loop
    if was -> column_name is distinct from becomes -> column_name then
      raise exception using
        errcode = '42501',
        message = format('"%s" of %s cannot be changed', column_name, tg_table_name),
        hint = format('Leave "%s" out of the body, or send the value the row has.', column_name);
    end if;
  end loop;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_cycle()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  closed boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.project_id::text, 3082));
  with recursive downstream (task_id) as (
    select new.successor_id
    union
    select d.successor_id
    from downstream
    join public.task_dependencies d on d.project_id = new.project_id and d.predecessor_id = downstream.task_id
  )
  select exists (select from downstream where task_id = new.predecessor_id) into closed;
  if closed then
    raise exception using
      errcode = 'KB002',
      message = 'this dependency would close a circle',
      detail = 'The predecessor already waits, directly or through others, for the successor.',
      hint = 'Remove one of the dependencies between them first.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = '42501',
    message = format('permission denied to delete from %s: your role in this project does not allow it', tg_table_name),
    hint = tg_argv[0];
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_field_value(relation text, field public.custom_fields)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = '23514',
    message = format('new row for relation "%s" violates check constraint "%s_value_fits_field"', relation, relation),
    detail = format('"%s" is a field of kind %s.', field.name, field.kind),
    hint = case field.kind
      when 'text' then 'Send a text of up to 5,000 characters.'
      when 'number' then 'Send a number.'
      when 'date' then 'Send a day as "2026-12-31".'
      when 'select' then 'Send the id of one of its options.'
      when 'multi_select' then 'Send a list of ids of its options.'
      when 'person' then 'Send the user id of a member of the project.'
      when 'url' then 'Send an address that begins with https:// or http://.'
      when 'checkbox' then 'Send true or false.'
    end;
end
$function$;
grant execute on function private.refuse_field_value(relation text, field public.custom_fields) to authenticated;
grant execute on function private.refuse_field_value(relation text, field public.custom_fields) to service_role;

CREATE OR REPLACE FUNCTION private.remove_avatars()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select o.bucket_id, o.name, tg_relid, g.id from gone g join storage.objects o
    on o.bucket_id = 'avatars' and o.name > tg_argv[0] || g.id || '/' and o.name < tg_argv[0] || g.id || '0'
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_detached_files()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select 'attachments', g.object_path, tg_relid, g.id from gone g
  on conflict (bucket_id, name) do update set removed_at = excluded.removed_at, belonged_to = excluded.belonged_to, owner_id = excluded.owner_id;
  update public.tasks t set cover_attachment_id = null from gone g where t.id = g.task_id and t.cover_attachment_id = g.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_file_of_export()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects o where o.bucket_id = 'exports' and o.name = old.object_name;
  return null;
end
$function$;
comment on function private.remove_file_of_export() is 'Removes the file of an export with its row.';

CREATE OR REPLACE FUNCTION private.remove_files_for_good(kept_seconds bigint, at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  looked_at int;
begin
  with chosen as materialized (
    select d.bucket_id, d.name from private.removed_files d
    where d.removed_at <= now() - make_interval(secs => kept_seconds)
    order by d.removed_at limit at_most for update skip locked
  ), due as (
    delete from private.removed_files r using chosen
    where r.bucket_id = chosen.bucket_id and r.name = chosen.name
    returning r.*
  ), gone as (
    delete from storage.objects o using due d
    where o.bucket_id = d.bucket_id and o.name = d.name and not case d.belonged_to
      when 'public.task_attachments'::regclass then exists (
        select from public.task_attachments a where a.project_id = private.attachment_project(d.name) and a.object_path = d.name
      )
      when 'public.tasks'::regclass then exists (select from public.tasks t where t.id = d.owner_id)
      when 'public.projects'::regclass then exists (select from public.projects p where p.id = d.owner_id)
      else exists (select from public.profiles p where p.id = d.owner_id)
    end
  )
  select count(*) into looked_at from due;
  return looked_at;
end
$function$;
grant execute on function private.remove_files_for_good(kept_seconds bigint, at_most integer) to kanbase_files;

CREATE OR REPLACE FUNCTION private.remove_files_of_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
  select o.bucket_id, o.name, tg_relid, g.id from gone g join storage.objects o
    on o.bucket_id = 'attachments' and o.name > g.project_id || '/' || g.id || '/' and o.name < g.project_id || '/' || g.id || '0'
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.repeat_task(original public.tasks, under uuid, in_column uuid, later integer, due date, copies text[], author uuid)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made public.tasks;
  child public.tasks;
begin
  insert into public.tasks (id, project_id, column_id, title, description, priority, start_date, due_date, estimate, parent_id, subtask_position, created_by)
  values (private.uuid_v7(), original.project_id, in_column, original.title, original.description, original.priority,
    case when original.due_date is null and due is not null then null else original.start_date + later end,
    coalesce(due, original.due_date + later), original.estimate, under, case when under is not null then original.subtask_position end, author)
  returning * into made;
  if 'labels' = any (copies) then
    insert into public.task_label_links (project_id, task_id, label_id)
    select l.project_id, made.id, l.label_id from public.task_label_links l where l.project_id = original.project_id and l.task_id = original.id;
  end if;
  if 'assignees' = any (copies) then
    insert into public.task_assignees (project_id, task_id, user_id)
    select a.project_id, made.id, a.user_id from public.task_assignees a where a.project_id = original.project_id and a.task_id = original.id;
  end if;
  if 'checklist' = any (copies) then
    insert into public.task_checklist_items (project_id, task_id, title, position)
    select i.project_id, made.id, i.title, i.position from public.task_checklist_items i
    where i.project_id = original.project_id and i.task_id = original.id order by i.position, i.id;
  end if;
  if 'fields' = any (copies) then
    delete from public.task_field_values v where v.project_id = made.project_id and v.task_id = made.id;
    insert into public.task_field_values (project_id, task_id, field_id, value)
    select v.project_id, made.id, v.field_id, v.value from public.task_field_values v
    where v.project_id = original.project_id and v.task_id = original.id;
  end if;
  if 'attachments' = any (copies) then
    insert into private.files_to_copy (attachment_id, project_id, task_id, uploaded_by)
    select a.id, made.project_id, made.id, author from public.task_attachments a where a.project_id = original.project_id and a.task_id = original.id;
  end if;
  if 'subtasks' = any (copies) then
    for child in
      select t.* from public.tasks t
      where t.project_id = original.project_id and t.parent_id = original.id and t.archived_at is null
      order by t.subtask_position, t.id
    loop
      perform private.repeat_task(child, made.id, in_column, later, null, copies, author);
    end loop;
  end if;
  return made;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_cover()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not private.hold_attachment(new.id, new.cover_attachment_id) then
    raise exception using
      errcode = '23503',
      message = 'insert or update on table "tasks" violates "tasks_cover_is_attached"',
      detail = 'The cover of a task is one of its own attachments.',
      hint = 'Attach the picture to the task first.';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_fresh_proof()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  proof constant text := private.proof_of_me();
  claims constant jsonb := auth.jwt();
begin
  if not exists (
    select from jsonb_array_elements(case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end) a
    where case proof
        when 'factor' then a ->> 'method' in ('totp', 'mfa/webauthn')
        when 'password' then a ->> 'method' = 'password'
        else true
      end
      and case when jsonb_typeof(a -> 'timestamp') = 'number' then (a ->> 'timestamp')::numeric end > extract(epoch from now()) - 600
  ) then
    raise exception using
      errcode = 'KB013',
      message = 'this needs a sign-in within the last ten minutes',
      detail = 'Asked for: ' || proof,
      hint = 'Sign in again (with a second factor: answer its challenge), then repeat the request with the new token.';
  end if;
end
$function$;
comment on function private.require_fresh_proof() is 'Refuses a session in which that proof is older than ten minutes.';

CREATE OR REPLACE FUNCTION private.require_kept_owner(of_project uuid)
 RETURNS public.projects
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
  found_one public.projects;
begin
  select p.* into found_one from public.projects p
  where p.id = of_project and exists (
    select from private.kept_members k where k.project_id = p.id and k.user_id = me and k.role = 'owner'
  ) for no key update;
  -- Whoever ended it for good meanwhile was waited for: those who were in it are asked for again.
  if found_one.id is not null and not exists (
    select from private.kept_members k where k.project_id = of_project and k.user_id = me and k.role = 'owner'
  ) then
    return null;
  end if;
  return found_one;
end
$function$;
comment on function private.require_kept_owner(of_project uuid) is 'A deleted project that the caller owned, locked; null when there is none.';

CREATE OR REPLACE FUNCTION private.require_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.projects p where p.id = new.project_id)
    and not private.hold_member(new.project_id, new.user_id) then
    raise exception using
      errcode = '23503',
      message = 'insert or update on table "task_assignees" violates "task_assignees_must_be_members"',
      detail = 'Only members of a project work on its tasks.',
      hint = 'Add the person to the project first.';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_no_more()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.workflow_columns c set required_fields = array_remove(c.required_fields, old.id)
  where c.project_id = old.project_id and old.id = any (c.required_fields);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_operator()
 RETURNS auth.users
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account constant auth.users := private.desk_caller();
begin
  if not account.is_operator then
    raise exception using errcode = 'PT403', message = 'This is for operators of this server', hint = 'An operator is made with kanbase operator.';
  end if;
  return account;
end
$function$;
comment on function private.require_operator() is 'The caller''s account, if it is an operator''s.';

CREATE OR REPLACE FUNCTION private.require_second_factor()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if auth.jwt() -> 'mfa_pending' = 'true' then
    raise exception using
      errcode = 'KB006',
      message = 'this account has a second factor, and this session has not used it yet',
      hint = 'Answer a challenge of the second factor, then repeat the request with the new token.';
  end if;
end
$function$;
grant execute on function private.require_second_factor() to authenticated;
grant execute on function private.require_second_factor() to service_role;

CREATE OR REPLACE FUNCTION private.require_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  raise exception using
    errcode = '22023',
    message = format('there is no time zone %s', quote_literal(new.time_zone)),
    hint = 'Name one as the IANA database does, for example Europe/Berlin.';
end
$function$;

CREATE OR REPLACE FUNCTION private.require_user()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.me();
begin
  if me is null then
    perform private.require_second_factor();
    raise exception using
      errcode = '42501',
      message = 'this needs a signed-in user',
      hint = 'Send the access token of a user in the Authorization header.';
  end if;
  return me;
end
$function$;
grant execute on function private.require_user() to authenticated;
grant execute on function private.require_user() to service_role;

CREATE OR REPLACE FUNCTION private.say_export(one private.exports)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', one.id, 'project_id', one.project_id, 'format', one.format, 'state', one.state, 'done', one.done, 'total', one.total,
    'path', one.object_name, 'size_bytes', one.size_bytes, 'error', one.error, 'created_at', one.created_at, 'finished_at', one.finished_at,
    'expires_at', one.expires_at)
$function$;
grant execute on function private.say_export(one private.exports) to authenticated;

CREATE OR REPLACE FUNCTION private.say_transfer(one private.project_transfers)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', one.id, 'project_id', one.project_id, 'project_name', one.project_name, 'operator', one.operator,
    'new_owner', one.new_owner, 'reason', one.reason, 'state', one.state, 'due_at', one.due_at, 'created_at', one.created_at,
    'ended_at', one.ended_at, 'ended_by', one.ended_by)
$function$;
comment on function private.say_transfer(one private.project_transfers) is 'A transfer, as people and operators are told of it.';

CREATE OR REPLACE FUNCTION private.search_document(in_project uuid, number integer, title text, description text, comments text)
 RETURNS tsvector
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  project constant text := '''' || right(in_project::text, 8) || ':';
begin
  return (
    select coalesce(string_agg(
      project || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || ''':' || case cardinality(w.positions)
        when 1 then w.positions[1] || w.weights[1]
        else (
          select string_agg(p.position || p.weight, ',')
          from unnest(w.positions[1:8], w.weights[1:8]) as p (position, weight)
        )
      end,
      ' '
    ), '')::tsvector
    from unnest(
      setweight(to_tsvector('pg_catalog.simple', number::text || ' ' || title), 'A')
      || setweight(to_tsvector('pg_catalog.simple', left(description, 40000)), 'B')
      || setweight(to_tsvector('pg_catalog.simple', left(coalesce(comments, ''), 40000)), 'C')
    ) as w
    where octet_length(w.lexeme) <= 200
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.seconds_between(since timestamp with time zone, until timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (isfinite(since) AND isfinite(until)) THEN date_part('epoch'::text, (until - since)) ELSE NULL::double precision END;
grant execute on function private.seconds_between(since timestamp with time zone, until timestamp with time zone) to public;
comment on function private.seconds_between(since timestamp with time zone, until timestamp with time zone) is 'Seconds from one moment to another; an expression that Postgres writes into the statement.';

CREATE OR REPLACE FUNCTION private.send_invitation(invitation public.project_invitations)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  project_name text;
  inviter_name text;
begin
  if auth.uid() is not null and private.take_point('invitations by ' || auth.uid(), 50, 3600) > 0 then
    raise exception using
      errcode = 'PT429',
      message = 'you invite many people in a short time',
      hint = 'Up to 50 invitations an hour go out; wait a while and go on.';
  end if;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  insert into private.invitation_tokens (token_hash, invitation_id) values (sha256(convert_to(token, 'UTF8')), invitation.id);

  select p.name into project_name from public.projects p where p.id = invitation.project_id;
  select p.display_name into inviter_name from public.profiles p where p.id = invitation.invited_by;
  -- One address gets a few letters an hour from all of us together; the link to copy works all the same.
  if private.take_point('invitation letters to ' || lower(invitation.email), 5, 3600) = 0 then
    perform private.queue_mail('project_invitation', invitation.email, jsonb_build_object(
      'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role, 'invitation_id', invitation.id
    ));
  end if;

  delete from public.notifications n
  using auth.users u
  where n.user_id = u.id and lower(u.email) = lower(invitation.email) and not u.is_sso_user and n.kind = 'invited'
    and n.project_id = invitation.project_id and n.read_at is null;
  insert into public.notifications (user_id, kind, project_id, actor_id, data)
  select p.id, 'invited', invitation.project_id, invitation.invited_by, jsonb_build_object(
    'invitation_id', invitation.id, 'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role
  )
  from auth.users u
  join public.profiles p on p.id = u.id
  where lower(u.email) = lower(invitation.email) and not u.is_sso_user and private.has_shown_mailbox(u) and u.id is distinct from invitation.invited_by
  limit 1;
  return token;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_posted_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.send_invitation(new);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.sessions_of_caller()
 RETURNS TABLE(id uuid, user_agent text, address text, created_at timestamp with time zone, last_seen_at timestamp with time zone, aal text, is_current boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
begin
  return query
    select s.id, s.user_agent, host(s.ip), s.created_at, s.refreshed_at, s.aal,
      s.id::text is not distinct from auth.jwt() ->> 'session_id'
    from auth.sessions s
    where s.user_id = me and (s.not_after is null or s.not_after > now())
    order by 7 desc, s.refreshed_at desc, s.id;
end
$function$;
grant execute on function private.sessions_of_caller() to authenticated;
grant execute on function private.sessions_of_caller() to service_role;
comment on function private.sessions_of_caller() is 'The caller''s sessions, as list_my_sessions shows them.';

CREATE OR REPLACE FUNCTION private.set_operator(address text, makes boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  account auth.users;
begin
  select u.* into account from auth.users u
  where lower(u.email) = lower(trim(set_operator.address)) and not u.is_sso_user and u.deleted_at is null for update;
  if not found then
    return false;
  end if;
  if account.is_operator <> makes then
    update auth.users u set is_operator = makes, updated_at = now() where u.id = account.id;
    delete from private.operator_links where makes;
    insert into private.desk_log (actor, action, subject_id, subject)
    values ('kanbase operator', case when makes then 'operator_made' else 'operator_removed' end, account.id, account.email);
  end if;
  return true;
end
$function$;
comment on function private.set_operator(address text, makes boolean) is 'Makes an account an operator, or takes that away; false when there is no such account.';

CREATE OR REPLACE FUNCTION private.settle_file_copy(copy uuid, path text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.task_attachments (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by)
  select f.new_id, t.project_id, t.id, a.name, a.content_type, a.size_bytes, path, f.uploaded_by
  from private.files_to_copy f
  join public.task_attachments a on a.id = f.attachment_id
  join public.tasks t on t.id = f.task_id
  where f.new_id = copy
  on conflict do nothing;
  delete from private.files_to_copy f where f.new_id = copy;
end
$function$;
grant execute on function private.settle_file_copy(copy uuid, path text) to kanbase_recurrence;

CREATE OR REPLACE FUNCTION private.settle_push(sent uuid[], dead uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.push_subscriptions s where s.id = any (dead);
  delete from private.notification_deliveries d where d.way = 'push' and d.notification_id = any (sent);
$function$;
grant execute on function private.settle_push(sent uuid[], dead uuid[]) to kanbase_mail;
comment on function private.settle_push(sent uuid[], dead uuid[]) is 'As the release before calls it: without what is kept of each browser.';

CREATE OR REPLACE FUNCTION private.settle_push(sent uuid[], dead uuid[], done_of uuid[], done_for uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.push_subscriptions s where s.id = any (dead);
  delete from private.notification_deliveries d where d.way = 'push' and d.notification_id = any (sent) and d.attempts > 0;
  update private.notification_deliveries d set done_for = d.done_for || o.subscriptions
  from (
    select p.notification_id, array_agg(p.subscription_id) as subscriptions
    from unnest(settle_push.done_of, settle_push.done_for) p (notification_id, subscription_id)
    group by p.notification_id
  ) o
  where d.way = 'push' and d.notification_id = o.notification_id and d.attempts > 0;
$function$;
grant execute on function private.settle_push(sent uuid[], dead uuid[], done_of uuid[], done_for uuid[]) to kanbase_mail;
comment on function private.settle_push(sent uuid[], dead uuid[], done_of uuid[], done_for uuid[]) is 'Forgets messages that were sent and browsers that are gone, and keeps which browsers need not be asked again: pairs of a message and a browser.';

CREATE OR REPLACE FUNCTION private.settle_push_keys(new_public_key text, new_sealed_private_key text, instead_of text)
 RETURNS TABLE(public_key text, sealed_private_key text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  delete from private.push_keys k where k.public_key = settle_push_keys.instead_of;
  if found then
    delete from public.push_subscriptions;
  end if;
  insert into private.push_keys (public_key, sealed_private_key)
  values (new_public_key, new_sealed_private_key)
  on conflict do nothing;
  return query select k.public_key, k.sealed_private_key from private.push_keys k;
end
$function$;
grant execute on function private.settle_push_keys(new_public_key text, new_sealed_private_key text, instead_of text) to kanbase_mail;
comment on function private.settle_push_keys(new_public_key text, new_sealed_private_key text, instead_of text) is 'Keeps a pair of keys unless there is one; returns the one that holds.';

CREATE OR REPLACE FUNCTION private.settle_recurrence(recurrence uuid, planned integer, next_day date)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  series public.task_recurrences;
  last public.tasks;
  made public.tasks;
  into_column uuid;
  author uuid;
  due date;
  at_most integer;
  done boolean;
begin
  perform set_config('kanbase.recurring', 'on', true);
  -- The task first, then the series: the order in which a deletion of the task takes them.
  select t.* into last from public.task_recurrences r join public.tasks t on t.project_id = r.project_id and t.id = r.task_id
  where r.id = recurrence for no key update of t;
  select r.* into series from public.task_recurrences r where r.id = recurrence for update;
  if not found or series.revision <> planned or series.task_id <> last.id or series.paused_at is not null or series.is_over
    or (series.mode = 'after_completion' and last.completed_at is null) or (series.mode = 'calendar' and series.next_at > now()) then
    return null;
  end if;
  at_most := coalesce(substring(series.rule from 'COUNT=(\d+)')::integer, 2147483647);
  due := case series.mode when 'after_completion' then next_day else series.next_on end;
  if due is not null and series.made + 1 < at_most then
    insert into private.made_occurrences (recurrence_id, occurrence)
    values (series.id, case series.mode when 'after_completion' then last.id::text else due::text end)
    on conflict do nothing;
    if found then
      into_column := coalesce(series.column_id, (
        select c.id from public.workflow_columns c where c.project_id = series.project_id order by c.kind = 'done', c.position, c.id limit 1
      ));
      author := (select m.user_id from public.project_members m where m.project_id = series.project_id and m.user_id = series.created_by);
      perform private.hold_outline(series.project_id, false);
      made := private.repeat_task(last, last.parent_id, into_column, coalesce(due - last.due_date, due - last.start_date, 0), due, series.copies, author);
      update private.made_occurrences o set task_id = made.id
      where o.recurrence_id = series.id and o.occurrence = case series.mode when 'after_completion' then last.id::text else due::text end;
      perform private.record_activity(series.project_id, made.id, 'updated', jsonb_build_object('repeats', jsonb_build_object(
        'from', last.id, 'to', null, 'name', private.task_in_words(series.project_id, last.id))));
      perform private.record_activity(series.project_id, last.id, 'updated', jsonb_build_object('repeats', jsonb_build_object(
        'from', null, 'to', made.id, 'name', private.task_in_words(series.project_id, made.id))));
      series.made := series.made + 1;
      last := made;
    end if;
  end if;
  done := next_day is null or series.made + 1 >= at_most;
  update public.task_recurrences r
  set task_id = last.id, made = series.made, revision = r.revision + 1, is_over = done,
    next_on = case when series.mode = 'calendar' and not done then next_day end,
    next_at = case when series.mode = 'calendar' and not done then
      (next_day - greatest(series.lead_days, coalesce(last.due_date - last.start_date, 0)))::timestamp at time zone series.time_zone
    end
  where r.id = series.id;
  perform set_config('kanbase.recurring', 'off', true);
  return made.id;
end
$function$;
grant execute on function private.settle_recurrence(recurrence uuid, planned integer, next_day date) to kanbase_recurrence;

CREATE OR REPLACE FUNCTION private.slow_statements()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  place text;
  found jsonb;
begin
  select n.nspname into place from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements';
  if place is null then
    return null;
  end if;
  execute format($q$
    select coalesce(jsonb_agg(to_jsonb(s) order by s.mean_ms desc), '[]') from (
      select private.without_values(s.query) as text, s.calls, round(s.mean_exec_time::numeric, 2) as mean_ms,
        round(s.max_exec_time::numeric, 2) as max_ms, round((s.total_exec_time / 1000)::numeric, 1) as total_seconds
      from %I.pg_stat_statements s
      where s.dbid = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()) and s.query not ilike '%%pg_stat_statements%%'
      order by s.mean_exec_time desc limit 20
    ) s $q$, place) into found;
  return found;
exception when object_not_in_prerequisite_state or insufficient_privilege or undefined_column or undefined_table then
  return null;
end
$function$;
comment on function private.slow_statements() is 'What pg_stat_statements says is slow; null where it is not there.';

CREATE OR REPLACE FUNCTION private.span_bounds()
 RETURNS double precision[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT array_agg((((8 + eighth.eighth))::double precision * ((2)::double precision ^ (octave.octave)::double precision)) ORDER BY octave.octave, eighth.eighth) AS array_agg
    FROM (generate_series(0, 27) octave(octave)
      CROSS JOIN generate_series(0, 7) eighth(eighth));
END;
comment on function private.span_bounds() is 'Where each span of durations begins, in seconds; span 0 is all before the first.';

CREATE OR REPLACE FUNCTION private.span_of(since timestamp with time zone, until timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (width_bucket(private.seconds_between(since, until), private.span_bounds()))::text;
comment on function private.span_of(since timestamp with time zone, until timestamp with time zone) is 'The span of durations between two moments, as a key of project_figures; null where one is missing.';

CREATE OR REPLACE FUNCTION private.spread_ranks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  low text;
  high text;
  crowd uuid[];
begin
  perform private.lock_column(new.project_id, new.column_id);
  select max(t.order_rank) into low from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank < new.order_rank and length(t.order_rank) <= 8;
  select min(t.order_rank) into high from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank > new.order_rank and length(t.order_rank) <= 8;
  crowd := array(
    select t.id from public.tasks t
    where t.project_id = new.project_id and t.column_id = new.column_id
      and (low is null or t.order_rank > low) and (high is null or t.order_rank < high)
    order by t.order_rank
  );
  -- Whoever holds one of them may be waiting for this column: rather than wait for each other, the crowd stays as it is
  -- until the next drop into it.
  if (
    select count(*) from (
      select from public.tasks t where t.project_id = new.project_id and t.id = any (crowd) for no key update skip locked
    ) as free
  ) < cardinality(crowd) then
    return null;
  end if;
  perform set_config('kanbase.spreading', 'on', true);
  update public.tasks t set order_rank = spread.rank
  from unnest(crowd, private.ranks_between(low, high, cardinality(crowd))) as spread (id, rank)
  where t.project_id = new.project_id and t.id = spread.id and t.order_rank <> spread.rank;
  perform set_config('kanbase.spreading', 'off', true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.start_task_counter()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.task_counters (project_id) values (new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.state_of_link(of_grant uuid, bucket text, path text, signed_at bigint)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when of_grant is not null and not private.is_grant_open(of_grant) then 'ended'
    when exists (
      select from private.ended_links e
      where e.bucket_id = bucket and e.name = path and e.ended_at >= to_timestamp(signed_at / 1000000.0)
        and (e.user_id is null or e.user_id = g.user_id)
    ) then 'ended'
    when g.last_used_at < now() - interval '1 hour' or (g.id is not null and g.last_used_at is null) then 'unnoted'
    else 'open'
  end
  from (select of_grant) as asked left join public.access_grants g on g.id = asked.of_grant
$function$;
grant execute on function private.state_of_link(of_grant uuid, bucket text, path text, signed_at bigint) to kanbase_files;
comment on function private.state_of_link(of_grant uuid, bucket text, path text, signed_at bigint) is 'Whether a signed address still opens its object: its grant does, and nobody has ended it.';

CREATE OR REPLACE FUNCTION private.sweep_access_grants()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.access_grants g where g.expires_at < now()
$function$;
grant execute on function private.sweep_access_grants() to kanbase_files;
comment on function private.sweep_access_grants() is 'Removes grants whose last address has expired.';

CREATE OR REPLACE FUNCTION private.sweep_ended_links(longest_seconds bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from private.ended_links e where e.ended_at < now() - make_interval(secs => longest_seconds)
$function$;
grant execute on function private.sweep_ended_links(longest_seconds bigint) to kanbase_files;
comment on function private.sweep_ended_links(longest_seconds bigint) is 'Forgets objects whose ended addresses have all expired.';

CREATE OR REPLACE FUNCTION private.sweep_exports()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone integer;
begin
  delete from private.exports e where e.expires_at < now() and e.state <> 'running';
  delete from storage.objects o where o.bucket_id = 'exports' and not exists (
    select from private.exports e where e.object_name = o.name
  );
  get diagnostics gone = row_count;
  return gone;
end
$function$;
grant execute on function private.sweep_exports() to kanbase_exports;

CREATE OR REPLACE FUNCTION private.take_members_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Whose last owner has ended their account meanwhile passes to the longest-standing editor, as it does otherwise.
  if not exists (select from private.kept_members k where k.project_id = new.id and k.role = 'owner') then
    update private.kept_members k set role = 'owner' where k.project_id = new.id and k.user_id = (
      select e.user_id from private.kept_members e where e.project_id = new.id and e.role = 'editor' order by e.created_at, e.user_id limit 1
    );
  end if;
  insert into public.project_members (project_id, user_id, role, created_at, updated_at)
  select k.project_id, k.user_id, k.role, k.created_at, k.updated_at from private.kept_members k where k.project_id = new.id;
  delete from private.kept_members k where k.project_id = new.id;
  -- Fields do not know whose account has ended, as they would in a project that is there.
  delete from public.task_field_values v using public.custom_fields f
  where f.project_id = new.id and f.kind = 'person' and v.project_id = f.project_id and v.field_id = f.id
    and not exists (select from public.project_members m where m.project_id = new.id and to_jsonb(m.user_id::text) = v.value);
  update public.custom_fields f set default_value = null
  where f.project_id = new.id and f.kind = 'person' and f.default_value is not null
    and not exists (select from public.project_members m where m.project_id = new.id and to_jsonb(m.user_id::text) = f.default_value);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_point(bucket text, most integer, window_seconds integer)
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  rate double precision := most / window_seconds::double precision;
  now_at timestamptz := clock_timestamp();
  bucket_now private.limits;
begin
  insert into private.limits as l (key, points, read_at, full_at)
  values (bucket, most - 1, now_at, now_at + make_interval(secs => window_seconds))
  on conflict (key) do update set
    allowed = private.refilled(l, most, rate, now_at) >= 1,
    points = private.refilled(l, most, rate, now_at) - (private.refilled(l, most, rate, now_at) >= 1)::int,
    read_at = now_at,
    full_at = now_at + make_interval(secs => window_seconds)
  returning * into bucket_now;
  if random() < 0.01 then
    delete from private.limits where key in (
      select key from private.limits where full_at < now_at - interval '1 minute' for update skip locked
    );
  end if;
  return case when bucket_now.allowed then 0 else (1 - bucket_now.points) / rate end;
end
$function$;
grant execute on function private.take_point(bucket text, most integer, window_seconds integer) to kanbase_limits;
comment on function private.take_point(bucket text, most integer, window_seconds integer) is 'Takes a point; seconds to wait when there was none.';

CREATE OR REPLACE FUNCTION private.take_push_deliveries(most integer)
 RETURNS TABLE(notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean, part jsonb, unread bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  delete from private.notification_deliveries d using public.notifications n
  where d.way = 'push' and n.id = d.notification_id and (d.attempts >= 3 or n.read_at is not null and n.done_at is distinct from n.created_at);
  return query
  with due as materialized (
    select c.notification_id, c.way from private.notification_deliveries c
    where c.way = 'push' and c.due_at <= now()
    order by c.due_at limit most for update skip locked
  ), claimed as (
    update private.notification_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '1 minute' * (d.attempts + 1)
    from due where d.notification_id = due.notification_id and d.way = due.way
    returning d.notification_id, d.user_id, d.attempts, d.done_for
  )
  select n.id, s.id, s.endpoint, s.p256dh, s.auth, c.attempts >= 3, jsonb_strip_nulls(jsonb_build_object(
      'language', a.raw_user_meta_data -> 'language',
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now())
       and not exists (select from public.projects h where h.id = u.project_id and h.deleted_at is not null))
  from claimed c
  join auth.users a on a.id = c.user_id
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id and s.id <> all (c.done_for)
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$function$;
grant execute on function private.take_push_deliveries(most integer) to kanbase_mail;
comment on function private.take_push_deliveries(most integer) is 'Claims push messages that are due, one row for each browser that is still to be asked.';

CREATE OR REPLACE FUNCTION private.take_subtasks_along()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.tasks t set archived_at = new.archived_at
  where t.project_id = new.project_id and t.parent_id = new.id and t.archived_at is not distinct from old.archived_at;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_up_again(task_id uuid, in_project uuid, left_behind jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  tie jsonb;
begin
  begin
    update public.tasks t set parent_id = (left_behind ->> 'parent_id')::uuid, subtask_position = (left_behind ->> 'subtask_position')::double precision
    where t.project_id = in_project and t.id = take_up_again.task_id and exists (
      select from public.tasks p where p.project_id = in_project and p.id = (left_behind ->> 'parent_id')::uuid
    );
  exception when sqlstate 'KB008' or sqlstate 'KB009' then
    -- What it was a part of has come under it meanwhile, or too far down.
    null;
  end;
  insert into public.task_assignees (project_id, task_id, user_id)
  select in_project, take_up_again.task_id, m.user_id from public.project_members m
  where m.project_id = in_project and m.user_id = any (array(select jsonb_array_elements_text(left_behind -> 'assignees')::uuid))
  on conflict do nothing;
  insert into public.task_watchers (project_id, task_id, user_id, reason, is_watching)
  select in_project, take_up_again.task_id, w.user_id, w.reason, w.is_watching
  from jsonb_to_recordset(left_behind -> 'watchers') as w (user_id uuid, reason text, is_watching boolean)
  join public.project_members m on m.project_id = in_project and m.user_id = w.user_id
  on conflict do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select in_project, take_up_again.task_id, f.id, private.read_field_value(f.kind, f.options, e.value)
  from jsonb_to_recordset(coalesce(left_behind -> 'fields', '[]')) as e (field_id uuid, value jsonb)
  join public.custom_fields f on f.project_id = in_project and f.id = e.field_id
  where private.read_field_value(f.kind, f.options, e.value) is not null and private.may_hold(f, e.value)
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  for tie in select e from jsonb_array_elements(left_behind -> 'dependencies') e loop
    begin
      insert into public.task_dependencies (id, project_id, predecessor_id, successor_id, type, lag_days)
      select (tie ->> 'id')::uuid, in_project, p.id, s.id, (tie ->> 'type')::public.dependency_type, (tie ->> 'lag_days')::integer
      from public.tasks p, public.tasks s
      where p.id = (tie ->> 'predecessor_id')::uuid and p.project_id = in_project
        and s.id = (tie ->> 'successor_id')::uuid and s.project_id = in_project
      on conflict do nothing;
    exception when sqlstate 'KB002' then
      -- Others have made the opposite one meanwhile.
      null;
    end;
  end loop;
end
$function$;
comment on function private.take_up_again(task_id uuid, in_project uuid, left_behind jsonb) is 'Gives a task back what it left behind when it went.';

CREATE OR REPLACE FUNCTION private.task_as_said(task jsonb, title text, priority public.task_priority, due_in integer, assignees uuid[], labels uuid[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select task
    || jsonb_strip_nulls(jsonb_build_object('title', nullif(btrim(title), ''), 'priority', priority, 'due_in', due_in))
    || case when due_in < (task ->> 'start_in')::integer then jsonb_build_object('start_in', due_in) else '{}' end
    || jsonb_build_object('people', coalesce(task -> 'people', '[]') || to_jsonb(assignees), 'labels', coalesce(task -> 'labels', '[]') || to_jsonb(labels))
$function$;
grant execute on function private.task_as_said(task jsonb, title text, priority public.task_priority, due_in integer, assignees uuid[], labels uuid[]) to authenticated;
grant execute on function private.task_as_said(task jsonb, title text, priority public.task_priority, due_in integer, assignees uuid[], labels uuid[]) to service_role;

CREATE OR REPLACE FUNCTION private.task_in_words(in_project uuid, task uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select p.key || '-' || t.number || ' ' || t.title from public.tasks t join public.projects p on p.id = t.project_id
    where t.project_id = in_project and t.id = task
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.task_key_of(table_name text, row_columns jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.key || '-' || t.number
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.id = case when table_name = 'tasks' then row_columns ->> 'id' else coalesce(row_columns ->> 'task_id', row_columns ->> 'successor_id') end::uuid
$function$;
grant execute on function private.task_key_of(table_name text, row_columns jsonb) to authenticated;
grant execute on function private.task_key_of(table_name text, row_columns jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.task_with_address(in_project uuid, with_number integer)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select t.id from public.tasks t
  where t.id = coalesce(
      (select here.id from public.tasks here where here.project_id = in_project and here.number = with_number),
      (select f.task_id from private.former_places f where f.project_id = in_project and f.number = with_number)
    ) and private.looks_into(t.project_id)
$function$;
grant execute on function private.task_with_address(in_project uuid, with_number integer) to authenticated;
grant execute on function private.task_with_address(in_project uuid, with_number integer) to service_role;
comment on function private.task_with_address(in_project uuid, with_number integer) is 'The task with this number in this project, or the one that had it.';

CREATE OR REPLACE FUNCTION private.tasks_to_copy(of_project uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  most constant integer := 1000;
  chosen constant uuid[] := array(select t.id from public.tasks t where t.project_id = of_project and t.archived_at is null order by t.number);
begin
  if cardinality(chosen) > most then
    raise exception using
      errcode = 'KB015',
      message = format('the project has %s tasks, and no more than %s are taken along', cardinality(chosen), most),
      hint = 'Archive what is done with, or leave the tasks out (with_tasks: false).';
  end if;
  return chosen;
end
$function$;
grant execute on function private.tasks_to_copy(of_project uuid) to authenticated;
grant execute on function private.tasks_to_copy(of_project uuid) to service_role;

CREATE OR REPLACE FUNCTION private.tell_export(export uuid, of_attempt integer, rows_done integer, rows_total integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.exports e set done = rows_done, total = rows_total, heard_at = now()
  where e.id = export and e.attempt = of_attempt and e.state = 'running';
  return found;
end
$function$;
grant execute on function private.tell_export(export uuid, of_attempt integer, rows_done integer, rows_total integer) to kanbase_exports;

CREATE OR REPLACE FUNCTION private.tell_import_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('kanbase_import_jobs', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_completed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.task_recurrences r where r.project_id = new.project_id and r.task_id = new.id and r.mode = 'after_completion'
  ) then
    perform pg_notify('kanbase_recurrences', '');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_failed_backup(due_at timestamp with time zone, reason text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  told uuid[];
begin
  with operators as materialized (
    select u.id, u.email, u.email_confirmed_at is not null as has_mail, private.uuid_v7() as entry
    from auth.users u
    where u.is_operator and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and not exists (
        select from public.notifications n
        where n.user_id = u.id and n.kind = 'backup_failed' and n.created_at > now() - interval '20 hours'
      )
  ), noted as (
    insert into public.notifications (id, user_id, kind, data)
    select o.entry, o.id, 'backup_failed', jsonb_build_object('excerpt', left(tell_of_failed_backup.reason, 300)) from operators o
    returning id
  ), mailed as (
    select private.queue_mail('backup_failed', o.email, jsonb_build_object(
      'email', o.email, 'reason', left(tell_of_failed_backup.reason, 500),
      'due', to_char(tell_of_failed_backup.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )) from operators o where o.has_mail and o.email is not null
  )
  select array_agg(n.id) into told from noted n where (select count(*) from mailed) >= 0;
  -- The entries are there only now.
  insert into private.notification_deliveries (notification_id, way, user_id, due_at)
  select n.id, 'push', n.user_id, now() from public.notifications n
  where n.id = any (told) and exists (select from public.push_subscriptions p where p.user_id = n.user_id)
  on conflict do nothing;
  if found then
    perform pg_notify('kanbase_push', '');
  end if;
  return coalesce(cardinality(told), 0);
end
$function$;
comment on function private.tell_of_failed_backup(due_at timestamp with time zone, reason text) is 'Tells operators that a backup failed; how many were told.';

CREATE OR REPLACE FUNCTION private.tell_of_recurrences()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('kanbase_recurrences', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_transfer(one private.project_transfers, people uuid[], mail_kind text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, kind, data)
  select distinct u.id, 'transfer', private.say_transfer(one)
  from auth.users u where u.id = any (people) and u.deleted_at is null;
  perform private.queue_mail(mail_kind, u.email, jsonb_build_object('operator', one.operator, 'project_name', one.project_name, 'reason', one.reason,
    'new_owner', one.new_owner, 'by', coalesce(one.ended_by, ''), 'due_at', to_char(one.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
    'url', '/app/projects/' || one.project_id || '/people'))
  from auth.users u where u.id = any (people) and u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null;
end
$function$;
comment on function private.tell_of_transfer(one private.project_transfers, people uuid[], mail_kind text) is 'Tells people of a transfer: in their inbox, and by mail.';

CREATE OR REPLACE FUNCTION private.tell_owners(project public.projects, kind text, operator auth.users, reason text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.queue_mail(tell_owners.kind, u.email, jsonb_build_object('operator', operator.email, 'project_name', project.name,
    'reason', tell_owners.reason, 'url', '/app/projects/' || project.id || '/people'))
  from public.project_members m join auth.users u on u.id = m.user_id
  where m.project_id = project.id and m.role = 'owner' and u.email_confirmed_at is not null
$function$;
comment on function private.tell_owners(project public.projects, kind text, operator auth.users, reason text) is 'A mail to the owners of a project about what an operator did.';

CREATE OR REPLACE FUNCTION private.times_of(projects uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    with spans as (
      select f.figure, f.key::integer as span, sum(f.amount) as tasks
      from private.project_figures f
      where f.project_id = any (projects) and f.figure in ('cycle', 'lead')
      group by f.figure, f.key
      having sum(f.amount) > 0
    ),
    counted as (
      select s.figure, s.span, sum(s.tasks) over (partition by s.figure order by s.span) as up_to, sum(s.tasks) over (partition by s.figure) as done
      from spans s
    ),
    sought as (
      select c.figure, p.share, p.place - floor(p.place) as beyond,
        (floor(p.place) - coalesce(max(c.up_to) filter (where c.up_to <= floor(p.place)), 0))::bigint as passed_over,
        coalesce((private.span_bounds())[min(c.span) filter (where c.up_to > floor(p.place))], '-infinity') as low,
        coalesce((private.span_bounds())[1 + min(c.span) filter (where c.up_to > ceil(p.place))], 'infinity') as high
      from counted c
      cross join unnest(array[0.5, 0.9]::double precision[]) as share
      cross join lateral (select share, share * (c.done - 1)::double precision as place) as p
      group by c.figure, p.share, p.place
    ),
    -- of one project its index passes over them; those of several have to be put in order first
    passed as (
      select s.*, case cardinality(projects) when 1 then s.passed_over else 0 end as by_index from sought s
    ),
    found as (
      select s.figure, s.share, (near.took[1] + s.beyond * (coalesce(near.took[2], near.took[1]) - near.took[1])) / 86400 as days
      from passed s
      cross join lateral (select array(
        select each.took
        from unnest(projects) as project
        cross join lateral (
          (select private.seconds_between(t.started_at, t.completed_at) as took
          from public.tasks t
          where s.figure = 'cycle' and t.project_id = project and t.completed_at is not null and t.archived_at is null
            and private.seconds_between(t.started_at, t.completed_at) >= s.low and private.seconds_between(t.started_at, t.completed_at) < s.high
          order by private.seconds_between(t.started_at, t.completed_at)
          offset s.by_index limit s.passed_over - s.by_index + 2)
          union all
          (select private.seconds_between(t.created_at, t.completed_at)
          from public.tasks t
          where s.figure = 'lead' and t.project_id = project and t.completed_at is not null and t.archived_at is null
            and private.seconds_between(t.created_at, t.completed_at) >= s.low and private.seconds_between(t.created_at, t.completed_at) < s.high
          order by private.seconds_between(t.created_at, t.completed_at)
          offset s.by_index limit s.passed_over - s.by_index + 2)
        ) as each
        order by each.took
        offset s.passed_over - s.by_index limit 2
      ) as took offset 0) as near -- looked up once
    )
    select jsonb_build_object(
      'cycle_time_days', jsonb_build_object('p50', max(days) filter (where figure = 'cycle' and share = 0.5),
        'p90', max(days) filter (where figure = 'cycle' and share > 0.5)),
      'lead_time_days', jsonb_build_object('p50', max(days) filter (where figure = 'lead' and share = 0.5),
        'p90', max(days) filter (where figure = 'lead' and share > 0.5))
    )
    from found
  );
end
$function$;
comment on function private.times_of(projects uuid[]) is 'Half and nine tenths of what is done in these projects took no longer than this.';

CREATE OR REPLACE FUNCTION private.topic_project()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select substring(realtime.topic() from '^project:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::.*)?$')::uuid
$function$;
grant execute on function private.topic_project() to anon;
grant execute on function private.topic_project() to authenticated;
grant execute on function private.topic_project() to service_role;

CREATE OR REPLACE FUNCTION private.unassign_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_there(old.project_id) then
    delete from public.task_assignees a where a.project_id = old.project_id and a.user_id = old.user_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.unsubscribe_from_mail(person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from auth.users u where u.id = person) then
    return false;
  end if;
  insert into public.notification_settings (user_id, kind, inbox, mail, push)
  select person, k.kind, k.inbox, 'off', k.push from public.notification_kinds() k
  on conflict (user_id, kind, project_id) do update set mail = 'off';
  update public.notification_settings s set mail = 'off' where s.user_id = person and s.mail <> 'off';
  delete from private.notification_deliveries d where d.user_id = person and d.way in ('mail', 'daily');
  return true;
end
$function$;
grant execute on function private.unsubscribe_from_mail(person uuid) to kanbase_mail;
comment on function private.unsubscribe_from_mail(person uuid) is 'Turns mail off for every kind of notification of a person.';

CREATE OR REPLACE FUNCTION private.uuid_v7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
BEGIN ATOMIC
 SELECT uuidv7() AS uuidv7;
END;
grant execute on function private.uuid_v7() to public;
comment on function private.uuid_v7() is 'A new id that sorts by the time it was made.';

CREATE OR REPLACE FUNCTION private.value_in(in_project uuid, field_name text, field_kind public.custom_field_kind, value jsonb, option_names jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('field_id', f.id, 'value', v.value)
  from public.custom_fields f
  cross join lateral (
    select private.read_field_value(f.kind, f.options, case f.kind
      when 'select' then (select o -> 'id' from jsonb_array_elements(f.options) o where lower(o ->> 'name') = option_names ->> 0)
      when 'multi_select' then (
        select jsonb_agg(o -> 'id') from jsonb_array_elements(f.options) o where option_names @> jsonb_build_array(lower(o ->> 'name'))
      )
      else value_in.value
    end) as value
  ) v
  where f.project_id = in_project and lower(f.name) = lower(field_name) and f.kind = field_kind
    and v.value is not null and private.may_hold(f, v.value)
$function$;
grant execute on function private.value_in(in_project uuid, field_name text, field_kind public.custom_field_kind, value jsonb, option_names jsonb) to authenticated;
grant execute on function private.value_in(in_project uuid, field_name text, field_kind public.custom_field_kind, value jsonb, option_names jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.visible_projects(only_this uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ids uuid[];
begin
  if only_this is null then
    ids := private.my_projects();
  else
    ids := array(select m.project_id from private.my_memberships m where m.project_id = only_this);
  end if;
  if ids = '{}' and auth.role() = 'service_role' then
    ids := array(select p.id from public.projects p where only_this is null or p.id = only_this);
  end if;
  return ids;
end
$function$;
comment on function private.visible_projects(only_this uuid) is 'The projects the caller sees, or of these only the named one.';

CREATE OR REPLACE FUNCTION private.wait_for_subtasks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  waits_for text;
begin
  select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = new.project_id and t.parent_id = new.id
    and t.completed_at is null and t.archived_at is null and p.parents_wait_for_subtasks;
  if waits_for is not null then
    raise exception using
      errcode = 'KB010',
      message = 'the task has subtasks that are not done',
      detail = 'Open subtasks: ' || waits_for,
      hint = 'Finish them first, archive them, or let an owner turn off parents_wait_for_subtasks.';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.watchers_of(in_project uuid, of_task uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE ROWS 5
BEGIN ATOMIC
 SELECT w.user_id
    FROM public.task_watchers w
   WHERE ((w.project_id = watchers_of.in_project) AND (w.task_id = watchers_of.of_task) AND w.is_watching)
 UNION
  SELECT p.user_id
    FROM public.project_watchers p
   WHERE ((p.project_id = watchers_of.in_project) AND (NOT (EXISTS ( SELECT
            FROM public.task_watchers w
           WHERE ((w.project_id = watchers_of.in_project) AND (w.task_id = watchers_of.of_task) AND (w.user_id = p.user_id) AND (NOT w.is_watching))))));
END;
comment on function private.watchers_of(in_project uuid, of_task uuid) is 'Who watches a task, by itself or with its project.';

CREATE OR REPLACE FUNCTION private.week_of(moment timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return date_trunc('week', moment at time zone 'utc')::date::text;
end
$function$;

CREATE OR REPLACE FUNCTION private.who_unsubscribes(named uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select g.user_id from public.access_grants g
  where g.id = named and g.kind = 'unsubscribe_link' and private.is_grant_open(g.id)
  union all
  select u.id from auth.users u
  where u.id = named and u.access_epoch = 0 and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
$function$;
grant execute on function private.who_unsubscribes(named uuid) to kanbase_mail;
comment on function private.who_unsubscribes(named uuid) is 'Whose link to unsubscribe this is, if it is still good.';

CREATE OR REPLACE FUNCTION private.with_new_ids(value jsonb, ids jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  part text[];
  answer jsonb;
  one record;
  renewed jsonb;
  name text;
begin
  case jsonb_typeof(value)
    when 'string' then
      part := regexp_match(value #>> '{}', '^(.*[.:])?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$');
      return case when part is null then value when ids ? part[2] then to_jsonb(concat(part[1], ids ->> part[2])) end;
    when 'array' then
      if value = '[]' then
        return value;
      end if;
      select jsonb_agg(e.renewed order by e.place) into answer
      from (
        select private.with_new_ids(a.one, ids) as renewed, a.place from jsonb_array_elements(value) with ordinality as a (one, place)
      ) e where e.renewed is not null;
      return answer;
    when 'object' then
      if value = '{}' then
        return value;
      end if;
      for one in select o.key, o.value as held from jsonb_each(value) o loop
        name := private.with_new_ids(to_jsonb(one.key), ids) #>> '{}';
        renewed := private.with_new_ids(one.held, ids);
        if name is null or renewed is null then
          -- a condition without what it asks for, an order without what it goes by
          if value ?| array['property', 'by'] then
            return null;
          end if;
          continue;
        end if;
        answer := coalesce(answer, '{}') || jsonb_build_object(name, renewed);
      end loop;
      return answer;
    else
      return value;
  end case;
end
$function$;
grant execute on function private.with_new_ids(value jsonb, ids jsonb) to authenticated;
grant execute on function private.with_new_ids(value jsonb, ids jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.with_subtasks(task_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
    with recursive down (id, project_id) as (
      select t.id, t.project_id from public.tasks t where t.id = any (task_ids)
      union
      select t.id, t.project_id from down join public.tasks t on t.project_id = down.project_id and t.parent_id = down.id
    )
    select down.id from down;
end
$function$;
grant execute on function private.with_subtasks(task_ids uuid[]) to authenticated;
grant execute on function private.with_subtasks(task_ids uuid[]) to service_role;
comment on function private.with_subtasks(task_ids uuid[]) is 'Tasks and all that is under them.';

CREATE OR REPLACE FUNCTION private.without_values(statement text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(regexp_replace(regexp_replace(regexp_replace(trim(statement), '(''|\$[A-Za-z_]*\$|--|/\*).*$', '…'),
    '(?<![$\w.])\d[\d.]*', '…', 'g'), '\s+', ' ', 'g'), 500)
$function$;
comment on function private.without_values(statement text) is 'A statement up to its first text or comment, without its numbers.';

CREATE OR REPLACE FUNCTION private.work_figures()
 RETURNS TABLE(name text, label text, value double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'mail', o.state, count(*)::double precision
  from private.outbox o where o.state in ('queued', 'failed') group by o.state
  union all
  select 'mail_oldest', null, coalesce(extract(epoch from now() - min(o.created_at)), 0)
  from private.outbox o where o.state = 'queued' and o.next_attempt_at <= now() + interval '6 hours'
  union all
  select 'notifications', d.way, count(*)
  from private.notification_deliveries d where d.due_at <= now() group by d.way
  union all
  select 'exports', e.state, count(*)
  from private.exports e where e.state in ('waiting', 'running', 'failed') and e.created_at > now() - interval '1 day' group by e.state
  union all
  select 'imports', j.state, count(*)
  from private.import_jobs j where j.state in ('waiting', 'running', 'undoing', 'failed') and j.updated_at > now() - interval '1 day' group by j.state
  union all
  select 'job_finished', r.job, extract(epoch from max(r.finished_at)) from private.job_rounds r group by r.job
  union all
  select 'job_failed', r.job, count(r.error) from private.job_rounds r where r.finished_at > now() - interval '1 day' group by r.job
  union all
  select 'database_bytes', null, pg_catalog.pg_database_size(pg_catalog.current_database())::double precision
$function$;
grant execute on function private.work_figures() to kanbase_desk;
comment on function private.work_figures() is 'What waits, what failed within a day, and when jobs last went, as figures.';

CREATE OR REPLACE FUNCTION private.write_my_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := private.require_user();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
        'email_confirmed_at', u.email_confirmed_at, 'user_metadata', u.raw_user_meta_data)
      from auth.users u where u.id = me
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = me),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'address', host(s.ip),
        'user_agent', s.user_agent) order by s.created_at), '[]')
      from auth.sessions s where s.user_id = me
    ),
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name, 'description', p.description, 'role', m.role,
        'member_since', m.created_at, 'archived_at', p.archived_at) order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = me
    ),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'key', p.key || '-' || t.number, 'project_id', t.project_id, 'title', t.title,
        'description', t.description, 'column', c.name, 'priority', t.priority, 'start_date', t.start_date, 'due_date', t.due_date,
        'estimate', t.estimate, 'completed_at', t.completed_at, 'archived_at', t.archived_at, 'created_at', t.created_at,
        'created_by_me', t.created_by is not distinct from me, 'assigned_to_me', a.user_id is not null) order by t.created_at, t.id), '[]')
      from public.tasks t
      join public.project_members m on m.project_id = t.project_id and m.user_id = me
      join public.projects p on p.id = t.project_id
      join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
      left join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id and a.user_id = me
      where t.created_by = me or a.user_id is not null
    ),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'project_id', c.project_id, 'task_id', c.task_id, 'body', c.body,
        'created_at', c.created_at, 'edited_at', c.edited_at) order by c.created_at, c.id), '[]')
      from public.task_comments c
      join public.project_members m on m.project_id = c.project_id and m.user_id = me
      where c.author_id = me
    ),
    'attachments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'project_id', f.project_id, 'task_id', f.task_id, 'task_key', p.key || '-' || t.number,
        'name', f.name, 'content_type', f.content_type, 'size_bytes', f.size_bytes, 'object_path', f.object_path, 'created_at', f.created_at,
        'uploaded_by_me', f.uploaded_by is not distinct from me) order by f.created_at, f.id), '[]')
      from public.task_attachments f
      join public.project_members m on m.project_id = f.project_id and m.user_id = me
      join public.projects p on p.id = f.project_id
      join public.tasks t on t.project_id = f.project_id and t.id = f.task_id
      where f.uploaded_by = me or f.id in (
        -- What the texts above show is theirs to be whole, whoever attached it.
        select named.id from public.tasks mine cross join lateral private.attachments_in(mine.description) named
        where mine.created_by = me or exists (
          select from public.task_assignees a where a.project_id = mine.project_id and a.task_id = mine.id and a.user_id = me
        )
        union all
        select named.id from public.task_comments said cross join lateral private.attachments_in(said.body) named where said.author_id = me
      )
    ),
    'activity', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', h.project_id, 'task_id', h.task_id, 'kind', h.kind, 'change', h.change,
        'created_at', h.created_at) order by h.created_at, h.id), '[]')
      from public.task_activity h
      join public.project_members m on m.project_id = h.project_id and m.user_id = me
      where h.actor_id = me
    ),
    'saved_views', (select coalesce(jsonb_agg(to_jsonb(v) order by v.id), '[]') from public.saved_views v where v.owner_id = me),
    'watching', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', w.project_id, 'task_id', w.task_id, 'reason', w.reason) order by w.created_at), '[]')
      from public.task_watchers w where w.user_id = me and w.is_watching
    ),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' || jsonb_build_object('data', n.data - 'excerpt') order by n.created_at, n.id), '[]') from public.notifications n where n.user_id = me),
    'notification_settings', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.id), '[]') from public.notification_settings s where s.user_id = me),
    'notification_schedule', (select to_jsonb(s) - 'user_id' from public.notification_schedules s where s.user_id = me)
  );
end
$function$;
grant execute on function private.write_my_data() to authenticated;
grant execute on function private.write_my_data() to service_role;
comment on function private.write_my_data() is 'All that is held about the caller, for export_my_data.';

CREATE OR REPLACE FUNCTION public.accept_invitation(token text)
 RETURNS public.project_members
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.redeem_invitation(accept_invitation.token)
$function$;
grant execute on function public.accept_invitation(token text) to authenticated;
grant execute on function public.accept_invitation(token text) to service_role;
comment on function public.accept_invitation(token text) is 'Joins the project of an invitation. The caller''s address must be the invited one, verified. Returns the membership.';

CREATE OR REPLACE FUNCTION public.apply_changes(changes jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most constant integer := 1000;
  is_service constant boolean := current_user = 'service_role';
  change jsonb;
  verb text;
  target text;
  one jsonb;
  answer jsonb := '[]';
  problem text;
  one_row jsonb;
  state text;
  about text;
  advice text;
begin
  if jsonb_typeof(changes) is distinct from 'array' or exists (
    select from jsonb_array_elements(changes) c
    where case when jsonb_typeof(c -> 'rows') = 'array' then jsonb_array_length(c -> 'rows') = 0 else true end
  ) then
    raise exception using errcode = '22023', message = 'changes must be a list of {change, table, rows}',
      hint = 'For example [{"change": "update", "table": "tasks", "rows": [{"id": "…", "priority": "p0"}]}].';
  elsif (select sum(jsonb_array_length(c -> 'rows')) from jsonb_array_elements(changes) c) > most then
    raise exception using errcode = '22023', message = format('these are more than %s rows', most), hint = 'Send them in several batches.';
  end if;

  -- All tasks first, then the outlines that change, then all columns, each in one order, as every change of a task takes its locks: two
  -- batches never wait for each other. Only of projects the caller writes in: what is refused below holds up nobody until then.
  perform from public.tasks t
  where t.id = any (array(
    select (r ->> 'id')::uuid from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    where c ->> 'table' = 'tasks' and c ->> 'change' <> 'insert'
  )) and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
  order by t.id for no key update;
  perform private.hold_outline(o.project_id, true) from (
    select distinct t.project_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'update' and r ? 'parent_id'
      and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
    order by 1
  ) o;
  perform private.lock_column(l.project_id, l.column_id) from (
    select distinct t.project_id, coalesce((r ->> 'column_id')::uuid, t.column_id) as column_id
    from jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'rows') r
    join public.tasks t on t.id = (r ->> 'id')::uuid
    where c ->> 'table' = 'tasks' and c ->> 'change' = 'move'
      and (is_service or t.project_id = any (array(select m.project_id from private.my_memberships m where m.role in ('owner', 'editor'))))
    order by 2
  ) l;

  for change in select c from jsonb_array_elements(changes) with ordinality as l (c, place) order by l.place loop
    verb := change ->> 'change';
    target := change ->> 'table';
    begin
      one := private.apply_rows(verb, target, change -> 'rows');
    exception when others then
      -- Which of them it was: again, one after the other. In their own order they may even pass, as when a task and the one it waits
      -- for are done together.
      if sqlstate like '40%' or sqlstate = '22023' then
        raise;
      end if;
      one := '[]';
      for one_row in select r from jsonb_array_elements(change -> 'rows') with ordinality as l (r, place) order by l.place loop
        begin
          one := one || private.apply_rows(verb, target, jsonb_build_array(one_row));
        exception when others then
          get stacked diagnostics state = returned_sqlstate, problem = message_text, about = pg_exception_detail, advice = pg_exception_hint;
          raise exception using errcode = state, detail = about, hint = advice,
            message = concat_ws(': ', private.task_key_of(target, one_row), problem);
        end;
      end loop;
    end;
    answer := answer || jsonb_build_object('table', target, 'change', verb, 'rows', one);
  end loop;
  return answer;
end
$function$;
grant execute on function public.apply_changes(changes jsonb) to authenticated;
grant execute on function public.apply_changes(changes jsonb) to service_role;
comment on function public.apply_changes(changes jsonb) is 'Several changes in one transaction: all or none. changes: a list of {change, table, rows}; change is insert (rows that exist already are passed over), update (rows name their primary key and the columns to change), delete (rows name their primary key) or move (of tasks: id, column_id, and order_rank or the end of the column, in this order). Up to 1,000 rows. A refusal is that of the first row that cannot be changed, its message begins with the task''s key, and nothing is changed. Returns the list with the rows as they are now.';

CREATE OR REPLACE FUNCTION public.archived_tasks(project_id uuid DEFAULT NULL::uuid, max_rows integer DEFAULT 500)
 RETURNS SETOF public.tasks
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select t.* from public.tasks t
  where t.archived_at is not null and (archived_tasks.project_id is null or t.project_id = archived_tasks.project_id)
  order by t.archived_at desc, t.id
  limit least(greatest(coalesce(archived_tasks.max_rows, 500), 0), 1000)
$function$;
grant execute on function public.archived_tasks(project_id uuid, max_rows integer) to authenticated;
grant execute on function public.archived_tasks(project_id uuid, max_rows integer) to service_role;
comment on function public.archived_tasks(project_id uuid, max_rows integer) is 'Archived tasks of a project, or of all the caller''s projects: those put away last come first.';

CREATE OR REPLACE FUNCTION public.begin_export(format text, project_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if begin_export.format is null or begin_export.format not in ('json', 'zip', 'csv', 'markdown', 'ical') then
    raise exception using errcode = '22023', message = format('there is no export as %s', coalesce(begin_export.format, 'nothing')),
      hint = 'Choose json, zip, csv, markdown or ical.';
  elsif begin_export.project_id is not null and not exists (select from public.projects p where p.id = begin_export.project_id) then
    perform private.raise_not_found('project');
  end if;
  return private.make_export(begin_export.project_id, begin_export.format);
end
$function$;
grant execute on function public.begin_export(format text, project_id uuid) to authenticated;
grant execute on function public.begin_export(format text, project_id uuid) to service_role;
comment on function public.begin_export(format text, project_id uuid) is 'Asks for an export of what the caller sees: of a project, or without project_id of all of theirs, as json, zip (the same with its files), csv, markdown or ical. Returns it as my_exports does; asking again while it is written returns the same one.';

CREATE OR REPLACE FUNCTION public.cancel_export(export_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.drop_export(export_id)
$function$;
grant execute on function public.cancel_export(export_id uuid) to authenticated;
grant execute on function public.cancel_export(export_id uuid) to service_role;
comment on function public.cancel_export(export_id uuid) is 'Stops an export of the caller''s, or removes the file of one that is done.';

CREATE OR REPLACE FUNCTION public.changes_since(project_id uuid, since text DEFAULT NULL::text, known jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  most_buckets constant int := 4096;
  -- Transactions below it have ended: what they wrote is seen here. One that was under way is looked at again next time.
  until constant bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  newest constant bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  asked bigint := case when since ~ '^\d{1,18}$' then since::bigint end;
  changed jsonb := '{}';
  present jsonb := '{}';
  part record;
  buckets int;
  digest text;
  rows jsonb;
begin
  if not exists (select from public.projects p where p.id = changes_since.project_id) then
    perform private.raise_not_found('project');
  end if;
  -- Of another database than this one: what it means cannot be known.
  if asked > newest then
    return jsonb_build_object('until', until::text, 'changed', null, 'present', null);
  end if;
  for part in select t.name, t.ids, t.leaves_out from private.project_tables() t where known ? t.name loop
    buckets := jsonb_array_length(known -> part.name);
    if buckets > most_buckets then
      raise exception using
        errcode = '22023',
        message = format('%s sums are given for %s, and at most %s are compared', buckets, part.name, most_buckets),
        hint = 'Let more rows share a bucket, or read the table anew.';
    end if;
    if asked is not null then
      -- A row has the lower half of the number of its transaction, which is not above the newest.
      execute format(
        'select jsonb_agg(to_jsonb(t) - $4) from public.%I t
         where t.project_id = $1 and $2 - (($2 - t.xmin::text::bigint) & 4294967295) >= $3',
        part.name
      ) into rows using changes_since.project_id, newest, asked, part.leaves_out;
      if rows is not null then
        changed := changed || jsonb_build_object(part.name, rows);
      end if;
    end if;

    continue when buckets = 0;
    digest := (
      select string_agg(format('(''x'' || right(t.%I::text, 6))::bit(24)::bigint', id), ' * ' order by place)
      from unnest(part.ids) with ordinality as i (id, place)
    );
    execute format(
      'with digests as (
         select %2$s %% 16777213 as digest, %3$s as key from public.%1$I t where t.project_id = $1
       ),
       held as (
         select d.digest %% $3 as bucket, sum(d.digest) as sum, array_agg(d.key) as keys from digests d group by 1
       )
       select jsonb_object_agg(k.n - 1, coalesce(to_jsonb(h.keys), ''[]''))
       from jsonb_array_elements_text($2) with ordinality as k (sum, n)
       left join held h on h.bucket = k.n - 1
       where k.sum::bigint <> coalesce(h.sum, 0)',
      part.name, digest,
      (select string_agg(format('t.%I', id), ' || '' '' || ' order by place) from unnest(part.ids) with ordinality as i (id, place))
    ) into rows using changes_since.project_id, known -> part.name, buckets;
    if rows is not null then
      present := present || jsonb_build_object(part.name, rows);
    end if;
  end loop;
  return jsonb_build_object('until', until::text, 'changed', changed, 'present', present);
end
$function$;
grant execute on function public.changes_since(project_id uuid, since text, known jsonb) to authenticated;
grant execute on function public.changes_since(project_id uuid, since text, known jsonb) to service_role;
comment on function public.changes_since(project_id uuid, since text, known jsonb) is 'What changed in a project since `until` of an earlier answer, for a client that was away. `known` has for each table that is asked about a list of sums: rows fall into as many buckets as the list is long, by their digest (the last six digits of the ids in the key, multiplied, modulo 16777213) modulo that number; a sum adds the digests of the rows that are known. `changed` has the rows written since, long texts left out; `present` has, for buckets whose sums differ, all the keys there are.';

CREATE OR REPLACE FUNCTION public.checklist_item_to_task(item_id uuid, new_id uuid DEFAULT NULL::uuid, as_subtask boolean DEFAULT true)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  made public.tasks;
begin
  if not exists (select from public.task_checklist_items i where i.id = item_id) then
    -- Asked again because the answer was lost, or there is none that the caller sees.
    select t.* into made from public.tasks t where t.id = new_id;
    if not found then
      perform private.raise_not_found('checklist item');
    end if;
    return made;
  end if;
  return private.make_task_of_item(item_id, new_id, as_subtask);
end
$function$;
grant execute on function public.checklist_item_to_task(item_id uuid, new_id uuid, as_subtask boolean) to authenticated;
grant execute on function public.checklist_item_to_task(item_id uuid, new_id uuid, as_subtask boolean) to service_role;
comment on function public.checklist_item_to_task(item_id uuid, new_id uuid, as_subtask boolean) is 'Makes a task of a checklist item: a subtask of the task it belonged to, or, with as_subtask false, one beside it. A ticked one stands in a done column; the day it was made is kept. new_id may name the id of the task. Returns it.';

CREATE OR REPLACE FUNCTION public.cover(task public.tasks)
 RETURNS SETOF public.task_attachments
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select a.* from public.task_attachments a where a.id = task.cover_attachment_id
$function$;
grant execute on function public.cover(task public.tasks) to authenticated;
grant execute on function public.cover(task public.tasks) to service_role;
comment on function public.cover(task public.tasks) is 'The attachment that stands for the task, to embed: select=title,cover(object_path).';

CREATE OR REPLACE FUNCTION public.create_calendar_feed(kind text, project_id uuid DEFAULT NULL::uuid, view_id uuid DEFAULT NULL::uuid, name text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  called text := nullif(btrim(create_calendar_feed.name), '');
  found_name text;
begin
  if create_calendar_feed.kind = 'project' then
    select p.name into found_name from public.projects p where p.id = create_calendar_feed.project_id;
    if not found then
      perform private.raise_not_found('project');
    end if;
  elsif create_calendar_feed.kind = 'view' then
    select v.name into found_name from public.saved_views v where v.id = create_calendar_feed.view_id;
    if not found then
      perform private.raise_not_found('view');
    end if;
  end if;
  return private.make_calendar_feed(create_calendar_feed.kind,
    case when create_calendar_feed.kind = 'project' then create_calendar_feed.project_id end,
    case when create_calendar_feed.kind = 'view' then create_calendar_feed.view_id end,
    coalesce(called, found_name, 'My tasks'));
end
$function$;
grant execute on function public.create_calendar_feed(kind text, project_id uuid, view_id uuid, name text) to authenticated;
grant execute on function public.create_calendar_feed(kind text, project_id uuid, view_id uuid, name text) to service_role;
comment on function public.create_calendar_feed(kind text, project_id uuid, view_id uuid, name text) is 'Makes a calendar of one''s tasks (kind mine), of a project or of a view. Returns {id, name, token, path}: the address is told this once.';

CREATE OR REPLACE FUNCTION public.create_project_from_template(template_id uuid, name text DEFAULT NULL::text, start_date date DEFAULT NULL::date, description text DEFAULT NULL::text, key text DEFAULT NULL::text, color text DEFAULT NULL::text, with_tasks boolean DEFAULT true)
 RETURNS public.projects
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  template public.templates;
  project public.projects;
begin
  select t.* into template from public.templates t where t.id = create_project_from_template.template_id and t.kind = 'project';
  if not found then
    perform private.raise_not_found('template of a project');
  end if;
  if not with_tasks then
    template.body := template.body - array['tasks', 'dependencies'];
  end if;
  project := private.project_of_document(template.body,
    coalesce(nullif(btrim(create_project_from_template.name), ''), template.body #>> '{project,name}', template.name),
    create_project_from_template.description, create_project_from_template.key, create_project_from_template.color, start_date);
  perform private.fill_project(project.id, template.body, coalesce(start_date, current_date));
  return project;
end
$function$;
grant execute on function public.create_project_from_template(template_id uuid, name text, start_date date, description text, key text, color text, with_tasks boolean) to authenticated;
grant execute on function public.create_project_from_template(template_id uuid, name text, start_date date, description text, key text, color text, with_tasks boolean) to service_role;
comment on function public.create_project_from_template(template_id uuid, name text, start_date date, description text, key text, color text, with_tasks boolean) is 'A project of a template: its columns, labels, fields, views and, with_tasks, its tasks, whose days are counted from start_date (left out: today). The caller is its owner. name, description and color: those of the template when left out; key: made from the name. People of the template who are no members are left out.';

CREATE OR REPLACE FUNCTION public.create_project_with_defaults(name text, description text DEFAULT ''::text, key text DEFAULT NULL::text)
 RETURNS public.projects
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.found_project(
    create_project_with_defaults.name, create_project_with_defaults.description, create_project_with_defaults.key
  )
$function$;
grant execute on function public.create_project_with_defaults(name text, description text, key text) to authenticated;
grant execute on function public.create_project_with_defaults(name text, description text, key text) to service_role;
comment on function public.create_project_with_defaults(name text, description text, key text) is 'Begins a project: the caller is its owner, its columns are Backlog, To do, In progress and Done. The key is made from the name when left out.';

CREATE OR REPLACE FUNCTION public.create_task_from_template(template_id uuid, project_id uuid, column_id uuid DEFAULT NULL::uuid, title text DEFAULT NULL::text, start_date date DEFAULT NULL::date, new_id uuid DEFAULT NULL::uuid, priority public.task_priority DEFAULT NULL::public.task_priority, due_date date DEFAULT NULL::date, order_rank text DEFAULT NULL::text, parent_id uuid DEFAULT NULL::uuid, assignees uuid[] DEFAULT '{}'::uuid[], labels uuid[] DEFAULT '{}'::uuid[], field_values jsonb DEFAULT '{}'::jsonb, label_ids jsonb DEFAULT '{}'::jsonb)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  to_project constant uuid := create_task_from_template.project_id;
  starts constant date := coalesce(create_task_from_template.start_date, current_date);
  template public.templates;
  made public.tasks;
  ids jsonb;
  top text;
  into_column uuid;
begin
  select t.* into template from public.templates t where t.id = create_task_from_template.template_id and t.kind = 'task';
  if not found then
    perform private.raise_not_found('template of a task');
  elsif not exists (select from public.projects p where p.id = to_project) then
    perform private.raise_not_found('project');
  end if;
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = create_task_from_template.new_id;
  if found then
    return made;
  end if;
  top := (select t ->> 'id' from jsonb_array_elements(template.body -> 'tasks') t where t ->> 'parent' is null);
  ids := private.ids_of_tasks(template.body) || private.ids_in_project(template.body, to_project, label_ids);
  ids := ids || jsonb_build_object(top, coalesce(create_task_from_template.new_id::text, ids ->> top));
  template.body := jsonb_set(template.body, '{tasks}', (
    select jsonb_agg(case when t.one ->> 'id' = top then private.task_as_said(t.one, create_task_from_template.title,
        create_task_from_template.priority, create_task_from_template.due_date - starts, assignees, labels) else t.one end
      order by t.place)
    from jsonb_array_elements(template.body -> 'tasks') with ordinality as t (one, place)
  ));
  into_column := coalesce(create_task_from_template.column_id, (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.kind = 'done', c.position, c.id limit 1
  ));
  -- Two who fill in parts at once would both hold the outline, and wait for each other to change it.
  if create_task_from_template.parent_id is not null and private.is_writer(to_project) then
    perform private.hold_outline(to_project, true);
  end if;
  -- Labels that were said are those of the project itself.
  perform private.fill_tasks(to_project, template.body, ids || (select coalesce(jsonb_object_agg(l, l), '{}') from unnest(labels) l), starts, into_column);
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select to_project, (ids ->> top)::uuid, v.key::uuid, v.value from jsonb_each(field_values) v
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  update public.tasks t
  set order_rank = coalesce(create_task_from_template.order_rank, t.order_rank), parent_id = coalesce(create_task_from_template.parent_id, t.parent_id)
  where t.project_id = to_project and t.id = (ids ->> top)::uuid
    and (create_task_from_template.order_rank is not null or create_task_from_template.parent_id is not null);
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = (ids ->> top)::uuid;
  perform private.record_template(made, template);
  return made;
end
$function$;
grant execute on function public.create_task_from_template(template_id uuid, project_id uuid, column_id uuid, title text, start_date date, new_id uuid, priority public.task_priority, due_date date, order_rank text, parent_id uuid, assignees uuid[], labels uuid[], field_values jsonb, label_ids jsonb) to authenticated;
grant execute on function public.create_task_from_template(template_id uuid, project_id uuid, column_id uuid, title text, start_date date, new_id uuid, priority public.task_priority, due_date date, order_rank text, parent_id uuid, assignees uuid[], labels uuid[], field_values jsonb, label_ids jsonb) to service_role;
comment on function public.create_task_from_template(template_id uuid, project_id uuid, column_id uuid, title text, start_date date, new_id uuid, priority public.task_priority, due_date date, order_rank text, parent_id uuid, assignees uuid[], labels uuid[], field_values jsonb, label_ids jsonb) is 'A task of a template, with all that is below it, in one column of a project (left out: the first that is not done). Labels are found by name or made; fields by name and kind, options by name, what has no place there is left out, as are people who are no members. Days are counted from start_date (left out: today). What is said goes before the template: title, priority, due_date, order_rank, parent_id, field_values (by field); assignees and labels come along. label_ids: by the name of a label, in lower case, the id it gets where it has to be made. new_id: the id the task gets, so that asking twice makes one.';

CREATE OR REPLACE FUNCTION public.creator(project public.projects)
 RETURNS SETOF public.profiles
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select p.* from public.profiles p where p.id = project.created_by
$function$;
grant execute on function public.creator(project public.projects) to authenticated;
grant execute on function public.creator(project public.projects) to service_role;
comment on function public.creator(project public.projects) is 'Who began the project, to embed: select=name,creator(display_name).';

CREATE OR REPLACE FUNCTION public.creator(task public.tasks)
 RETURNS SETOF public.profiles
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select p.* from public.profiles p where p.id = task.created_by
$function$;
grant execute on function public.creator(task public.tasks) to authenticated;
grant execute on function public.creator(task public.tasks) to service_role;
comment on function public.creator(task public.tasks) is 'Who made the task, to embed: select=title,creator(display_name).';

CREATE OR REPLACE FUNCTION public.current_project_role(project_id uuid)
 RETURNS public.project_role
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select m.role from public.project_members m
  where m.project_id = current_project_role.project_id and m.user_id = auth.uid()
$function$;
grant execute on function public.current_project_role(project_id uuid) to authenticated;
grant execute on function public.current_project_role(project_id uuid) to service_role;
comment on function public.current_project_role(project_id uuid) is 'The caller''s role in a project, or null for someone who is not a member.';

CREATE OR REPLACE FUNCTION public.custom_field_use(field_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.custom_fields f where f.id = custom_field_use.field_id) then
    perform private.raise_not_found('field');
  end if;
  return jsonb_build_object(
    'tasks', (select count(*) from public.task_field_values v where v.field_id = custom_field_use.field_id),
    'options', (
      select coalesce(jsonb_object_agg(o ->> 'id', (
        select count(*) from public.task_field_values v
        where v.project_id = f.project_id and v.field_id = f.id and (v.value = o -> 'id' or v.value @> jsonb_build_array(o -> 'id'))
      )), '{}')
      from public.custom_fields f cross join jsonb_array_elements(f.options) o
      where f.id = custom_field_use.field_id
    )
  );
end
$function$;
grant execute on function public.custom_field_use(field_id uuid) to authenticated;
grant execute on function public.custom_field_use(field_id uuid) to service_role;
comment on function public.custom_field_use(field_id uuid) is 'What would be lost with a field or one of its options: {"tasks": how many hold something in it, "options": {id: how many}}.';

CREATE OR REPLACE FUNCTION public.dashboard_metrics(project_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT private.figures_of(project_id) AS figures_of;
END;
grant execute on function public.dashboard_metrics(project_id uuid) to authenticated;
grant execute on function public.dashboard_metrics(project_id uuid) to service_role;
comment on function public.dashboard_metrics(project_id uuid) is 'The figures of a project, or (left out) of all the caller''s projects that are not archived: counts, by kind, priority, column and assignee, 12 weeks of throughput, 30 days of cumulative flow, cycle and lead time in days; of one project also what its tasks hold in fields (by_field). Archived tasks count nowhere.';

CREATE OR REPLACE FUNCTION public.delete_my_account(email text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.end_my_account(delete_my_account.email)
$function$;
grant execute on function public.delete_my_account(email text) to authenticated;
grant execute on function public.delete_my_account(email text) to service_role;
comment on function public.delete_my_account(email text) is 'Deletes the caller''s account for good. Takes its address, as a safeguard, and a session in which the second factor was answered within the last ten minutes, or the password given, or, without either, that was begun then (KB013). Projects nobody else is in are deleted; those without another owner pass to their longest-standing editor, or are archived; what one made in others stays without one''s name.';

CREATE OR REPLACE FUNCTION public.deleted_projects()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.list_deleted_projects()
$function$;
grant execute on function public.deleted_projects() to authenticated;
grant execute on function public.deleted_projects() to service_role;
comment on function public.deleted_projects() is 'Deleted projects that the caller owned and may bring back: id, name, key, color, avatar_url, deleted_at, kept_until; the last deleted first.';

CREATE OR REPLACE FUNCTION public.drop_push_subscription(endpoint text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.forget_push_subscription(drop_push_subscription.endpoint)
$function$;
grant execute on function public.drop_push_subscription(endpoint text) to authenticated;
grant execute on function public.drop_push_subscription(endpoint text) to service_role;
comment on function public.drop_push_subscription(endpoint text) is 'No more push messages to this browser.';

CREATE OR REPLACE FUNCTION public.duplicate_project(project_id uuid, name text DEFAULT NULL::text, start_date date DEFAULT NULL::date, with_tasks boolean DEFAULT true, with_members boolean DEFAULT false, key text DEFAULT NULL::text)
 RETURNS public.projects
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  original public.projects;
  project public.projects;
  body jsonb;
begin
  select p.* into original from public.projects p where p.id = duplicate_project.project_id;
  if not found then
    perform private.raise_not_found('project');
  end if;
  body := private.document_of_project(original.id, with_tasks, false, true);
  project := private.project_of_document(body, coalesce(nullif(btrim(duplicate_project.name), ''), original.name),
    original.description, duplicate_project.key, original.color, start_date);
  if with_members then
    insert into public.project_members (project_id, user_id, role)
    select project.id, m.user_id, m.role from public.project_members m
    where m.project_id = original.id and m.user_id <> auth.uid()
    order by m.created_at, m.user_id;
  end if;
  perform private.fill_project(project.id, body, coalesce(start_date, (body ->> 'starts_on')::date, current_date));
  return project;
end
$function$;
grant execute on function public.duplicate_project(project_id uuid, name text, start_date date, with_tasks boolean, with_members boolean, key text) to authenticated;
grant execute on function public.duplicate_project(project_id uuid, name text, start_date date, with_tasks boolean, with_members boolean, key text) to service_role;
comment on function public.duplicate_project(project_id uuid, name text, start_date date, with_tasks boolean, with_members boolean, key text) is 'A project made twice, for any of its members, who owns the second: columns with limits, labels, fields, views (shared ones and the caller''s), with_tasks its tasks that are not archived (up to 1,000, with subtasks, checklists, fields and dependencies), with_members its members in their roles. start_date: the day on which the first task begins; left out: days stay. Comments, files, history and what comes again stay behind.';

CREATE OR REPLACE FUNCTION public.duplicate_task(task_id uuid, new_id uuid DEFAULT NULL::uuid)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  original public.tasks;
  made public.tasks;
begin
  select t.* into original from public.tasks t where t.id = duplicate_task.task_id;
  if not found then
    perform private.raise_not_found('task');
  end if;
  -- Asked again because the answer was lost.
  select t.* into made from public.tasks t where t.project_id = original.project_id and t.id = duplicate_task.new_id;
  if found then
    return made;
  end if;
  -- The outline, then all columns in one order, as every change of tasks takes its locks.
  perform private.hold_outline(original.project_id, false);
  perform private.lock_column(original.project_id, c.column_id) from (
    with recursive down (id, column_id) as (
      select original.id, original.column_id
      union all
      select t.id, t.column_id from down join public.tasks t on t.project_id = original.project_id and t.parent_id = down.id
      where t.archived_at is null
    )
    select distinct down.column_id from down order by 1
  ) c;
  -- Below the first among the same parent's.
  return private.copy_task(original, duplicate_task.new_id, original.parent_id, (
    select (original.subtask_position + coalesce(min(t.subtask_position), original.subtask_position + 2)) / 2
    from public.tasks t
    where t.project_id = original.project_id and t.parent_id = original.parent_id and t.subtask_position > original.subtask_position
  ));
end
$function$;
grant execute on function public.duplicate_task(task_id uuid, new_id uuid) to authenticated;
grant execute on function public.duplicate_task(task_id uuid, new_id uuid) to service_role;
comment on function public.duplicate_task(task_id uuid, new_id uuid) is 'Makes a second task right below the first, with all that is under it: title, description, priority, dates, estimate, labels, assignees and checklist (nothing ticked). new_id may name the id of the second. Returns it.';

CREATE OR REPLACE FUNCTION public.end_deleted_project(project_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.end_my_deleted_project(end_deleted_project.project_id)
$function$;
grant execute on function public.end_deleted_project(project_id uuid) to authenticated;
grant execute on function public.end_deleted_project(project_id uuid) to service_role;
comment on function public.end_deleted_project(project_id uuid) is 'Ends a deleted project before its thirty days are over; for those who owned it. There is no way back.';

CREATE OR REPLACE FUNCTION public.end_my_session(session_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.end_session_of_caller(end_my_session.session_id)
$function$;
grant execute on function public.end_my_session(session_id uuid) to authenticated;
grant execute on function public.end_my_session(session_id uuid) to service_role;
comment on function public.end_my_session(session_id uuid) is 'Signs out one session of the caller''s, also the one that asks. Its tokens are turned away at every door from then on. 404 for any other.';

CREATE OR REPLACE FUNCTION public.export_my_data()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_in_words((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid),
      'repeats', (
        select jsonb_build_object('rule', r.rule, 'time_zone', r.time_zone, 'mode', r.mode, 'starts_on', r.starts_on, 'next_on', r.next_on,
          'paused_at', r.paused_at)
        from public.task_recurrences r where r.project_id = (t.task ->> 'project_id')::uuid and r.task_id = (t.task ->> 'id')::uuid
      )
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'calendar_feeds', private.my_feeds(), 'access_grants', private.my_access_grants(), 'templates', private.my_templates(), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.write_my_data() as data offset 0) as held
$function$;
grant execute on function public.export_my_data() to authenticated;
grant execute on function public.export_my_data() to service_role;
comment on function public.export_my_data() is 'All that is held about the caller, as one JSON document: account, profile, sessions, projects, tasks they made or work on, comments, attachments (without the bytes), activity, saved views, notifications and their settings.';

CREATE OR REPLACE FUNCTION public.field_columns(project_id uuid, field_ids uuid[])
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    ('{' || string_agg('"' || c.field_id || '":{"numbers":[' || c.numbers || '],"values":[' || c.held || ']}', ',') || '}')::json, '{}')
  from (
    select v.field_id, string_agg(t.number::text, ',') as numbers, string_agg(v.value::text, ',') as held
    from public.task_field_values v
    join public.tasks t on t.project_id = v.project_id and t.id = v.task_id
    where v.project_id = field_columns.project_id and v.field_id = any (field_columns.field_ids)
    group by v.field_id
  ) c
$function$;
grant execute on function public.field_columns(project_id uuid, field_ids uuid[]) to authenticated;
grant execute on function public.field_columns(project_id uuid, field_ids uuid[]) to service_role;
comment on function public.field_columns(project_id uuid, field_ids uuid[]) is 'What tasks of a project hold in these fields, in one compact answer: for each field in which something is held, the numbers of the tasks and, in the same order, their values.';

CREATE OR REPLACE FUNCTION public.foresee_move_to_project(task_ids uuid[], project_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  to_project constant uuid := foresee_move_to_project.project_id;
  moving constant uuid[] := array(
    select t.id from public.tasks t where t.id in (select private.with_subtasks(task_ids)) and t.project_id <> to_project
  );
begin
  if not exists (select from public.projects p where p.id = to_project) then
    perform private.raise_not_found('project');
  elsif (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  end if;
  return jsonb_build_object(
    'tasks', cardinality(moving),
    'subtasks', (select count(*) from unnest(moving) m where m <> all (task_ids)),
    'parents_left', (select count(*) from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)),
    'columns', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('from', was.name, 'to', c.name, 'to_id', c.id, 'from_id', was.id)), '[]')
      from public.tasks t
      join public.workflow_columns was on was.id = t.column_id
      left join public.workflow_columns c on c.id = private.column_in(to_project, was.id)
      where t.id = any (moving)
    ),
    'labels_made', (
      select coalesce(jsonb_agg(n.name order by n.name), '[]') from (
        select distinct on (lower(l.name)) l.name
        from public.task_label_links k join public.task_labels l on l.id = k.label_id
        where k.task_id = any (moving)
          and not exists (select from public.task_labels o where o.project_id = to_project and lower(o.name) = lower(l.name))
        order by lower(l.name)
      ) n
    ),
    'fields_left', (
      select coalesce(jsonb_agg(distinct f.name order by f.name), '[]')
      from public.task_field_values v join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
      where v.task_id = any (moving) and private.value_in(to_project, f.name, f.kind, v.value, (
        select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
        where o -> 'id' = v.value or (jsonb_typeof(v.value) = 'array' and v.value @> jsonb_build_array(o -> 'id'))
      )) is null
    ),
    'people_left', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', n.user_id, 'name', n.name) order by n.name), '[]') from (
        select distinct a.user_id, p.display_name as name
        from public.task_assignees a left join public.profiles p on p.id = a.user_id
        where a.task_id = any (moving)
          and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
      ) n
    ),
    'watchers_left', (
      select count(distinct w.user_id) from public.task_watchers w
      where w.task_id = any (moving) and w.is_watching
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    ),
    'dependencies_left', (
      select count(*) from public.task_dependencies d where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    ),
    -- Who could read it and cannot any more.
    'readers_left', (
      select count(distinct o.user_id)
      from public.project_members o
      where o.project_id in (select t.project_id from public.tasks t where t.id = any (moving))
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = o.user_id)
    )
  );
end
$function$;
grant execute on function public.foresee_move_to_project(task_ids uuid[], project_id uuid) to authenticated;
grant execute on function public.foresee_move_to_project(task_ids uuid[], project_id uuid) to service_role;
comment on function public.foresee_move_to_project(task_ids uuid[], project_id uuid) is 'What moving these tasks to another project would mean: columns ({from, to, from_id, to_id}), subtasks (how many go along with their parents), parents_left (subtasks whose parent stays), labels_made (names), fields_left (names of fields whose values have no place there), people_left (assignees who are no members there), watchers_left, dependencies_left, readers_left (members of the projects they leave who cannot see them any more), and how many tasks would move.';

CREATE OR REPLACE FUNCTION public.foresee_project_copy(project_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  of_project constant uuid := foresee_project_copy.project_id;
begin
  if not exists (select from public.projects p where p.id = of_project) then
    perform private.raise_not_found('project');
  end if;
  return jsonb_build_object(
    'columns', (select count(*) from public.workflow_columns c where c.project_id = of_project),
    'labels', (select count(*) from public.task_labels l where l.project_id = of_project),
    'fields', (select count(*) from public.custom_fields f where f.project_id = of_project),
    'views', (select count(*) from public.saved_views v where v.project_id = of_project and (v.is_shared or v.owner_id = auth.uid())),
    'shared_views', (select count(*) from public.saved_views v where v.project_id = of_project and v.is_shared),
    'tasks', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is null),
    'archived', (select count(*) from public.tasks t where t.project_id = of_project and t.archived_at is not null),
    'members', (select count(*) from public.project_members m where m.project_id = of_project and m.user_id <> auth.uid()),
    'starts_on', (select least(min(t.start_date), min(t.due_date)) from public.tasks t where t.project_id = of_project and t.archived_at is null),
    'most_tasks', 1000
  );
end
$function$;
grant execute on function public.foresee_project_copy(project_id uuid) to authenticated;
grant execute on function public.foresee_project_copy(project_id uuid) to service_role;
comment on function public.foresee_project_copy(project_id uuid) is 'What a copy of a project would have: how many columns, labels, fields, views (shared_views: of those, the shared), tasks and members beside the caller; archived: tasks that stay behind; starts_on: its first day; most_tasks: how many are taken along at most.';

CREATE OR REPLACE FUNCTION public.invitation_details(token text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.read_invitation(invitation_details.token)
$function$;
grant execute on function public.invitation_details(token text) to anon;
grant execute on function public.invitation_details(token text) to authenticated;
grant execute on function public.invitation_details(token text) to service_role;
comment on function public.invitation_details(token text) is 'Who invites which address to which project, as what and until when: for whoever holds a token of an open invitation, without an account too. Otherwise 404.';

CREATE OR REPLACE FUNCTION public.invitation_token(invitation_id uuid)
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.issue_invitation_token(invitation_token.invitation_id)
$function$;
grant execute on function public.invitation_token(invitation_id uuid) to authenticated;
grant execute on function public.invitation_token(invitation_id uuid) to service_role;
comment on function public.invitation_token(invitation_id uuid) is 'A token of an open invitation, for a link to hand over (owners only). Each call makes another; those made before go on working, up to twenty.';

CREATE OR REPLACE FUNCTION public.invite_member(project_id uuid, email text, role public.project_role DEFAULT 'viewer'::public.project_role)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.issue_invitation(invite_member.project_id, invite_member.email, invite_member.role)
$function$;
grant execute on function public.invite_member(project_id uuid, email text, role public.project_role) to authenticated;
grant execute on function public.invite_member(project_id uuid, email text, role public.project_role) to service_role;
comment on function public.invite_member(project_id uuid, email text, role public.project_role) is 'Invites an address to a project (owners only), or renews its open invitation. Returns the invitation with a token; invitation_token makes more of them. The letter to the invited carries one of its own.';

CREATE OR REPLACE FUNCTION public.join_project(invitation_id uuid)
 RETURNS public.project_members
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.redeem_own_invitation(join_project.invitation_id)
$function$;
grant execute on function public.join_project(invitation_id uuid) to authenticated;
grant execute on function public.join_project(invitation_id uuid) to service_role;
comment on function public.join_project(invitation_id uuid) is 'Joins the project of an invitation to the caller''s own, verified address, without its token. Returns the membership.';

CREATE OR REPLACE FUNCTION public.leave_project(project_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.project_members m
  where m.project_id = leave_project.project_id and m.user_id = private.require_user();
  if not found then
    perform private.raise_not_found('project');
  end if;
end
$function$;
grant execute on function public.leave_project(project_id uuid) to authenticated;
grant execute on function public.leave_project(project_id uuid) to service_role;
comment on function public.leave_project(project_id uuid) is 'Ends the caller''s membership. The last owner cannot leave (KB003).';

CREATE OR REPLACE FUNCTION public.list_my_sessions()
 RETURNS TABLE(id uuid, user_agent text, address text, created_at timestamp with time zone, last_seen_at timestamp with time zone, aal text, is_current boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.sessions_of_caller()
$function$;
grant execute on function public.list_my_sessions() to authenticated;
grant execute on function public.list_my_sessions() to service_role;
comment on function public.list_my_sessions() is 'Where the caller is signed in: the session that asks first, then those seen last. last_seen_at and address are those of the last refresh; aal is aal2 once a second factor was used.';

CREATE OR REPLACE FUNCTION public.move_task(task_id uuid, column_id uuid DEFAULT NULL::uuid, before_id uuid DEFAULT NULL::uuid, after_id uuid DEFAULT NULL::uuid, order_rank text DEFAULT NULL::text)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moved public.tasks := private.move_task_of_writer(task_id, column_id, before_id, after_id, order_rank);
begin
  if moved.id is not null then
    return moved;
  end if;
  return private.move_task(task_id, column_id, before_id, after_id, order_rank);
end
$function$;
grant execute on function public.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to authenticated;
grant execute on function public.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) to service_role;
comment on function public.move_task(task_id uuid, column_id uuid, before_id uuid, after_id uuid, order_rank text) is 'Moves a task to a column (left out: its own) and a place in it: right before a task, right after one, at a rank, or, with none of them, at the end. Refused with KB001 when it would be done before its predecessors, with KB004 when the named neighbour has left the column. Returns the task.';

CREATE OR REPLACE FUNCTION public.move_task_to_project(task_id uuid, project_id uuid, column_id uuid DEFAULT NULL::uuid)
 RETURNS public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moved public.tasks;
begin
  select t.* into moved from public.move_tasks_to_project(array[move_task_to_project.task_id], move_task_to_project.project_id,
    move_task_to_project.column_id) t where t.id = move_task_to_project.task_id;
  return moved;
end
$function$;
grant execute on function public.move_task_to_project(task_id uuid, project_id uuid, column_id uuid) to authenticated;
grant execute on function public.move_task_to_project(task_id uuid, project_id uuid, column_id uuid) to service_role;
comment on function public.move_task_to_project(task_id uuid, project_id uuid, column_id uuid) is 'Moves one task to another project: see move_tasks_to_project. Returns it.';

CREATE OR REPLACE FUNCTION public.move_tasks_to_project(task_ids uuid[], project_id uuid, column_id uuid DEFAULT NULL::uuid, brings_back boolean DEFAULT false)
 RETURNS SETOF public.tasks
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  most constant integer := 1000;
begin
  if cardinality(task_ids) > most then
    raise exception using errcode = '22023', message = format('these are more than %s tasks', most), hint = 'Move them in several goes.';
  end if;
  if not exists (select from public.projects p where p.id = move_tasks_to_project.project_id) then
    perform private.raise_not_found('project');
  end if;
  if move_tasks_to_project.column_id is not null and not exists (
    select from public.workflow_columns c
    where c.project_id = move_tasks_to_project.project_id and c.id = move_tasks_to_project.column_id
  ) then
    perform private.raise_not_found('column');
  end if;
  if (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  elsif auth.role() is distinct from 'service_role' and (not private.is_writer(move_tasks_to_project.project_id) or exists (
    select from public.tasks t where t.id = any (task_ids) and not private.is_writer(t.project_id)
  )) then
    raise exception using
      errcode = '42501',
      message = 'permission denied to move tasks between these projects: your role in one of them does not allow it',
      hint = 'Ask an owner of both projects for the editor role.';
  end if;
  return query
    select t.* from private.carry_tasks(task_ids, move_tasks_to_project.project_id, move_tasks_to_project.column_id, coalesce(brings_back, false)) t;
end
$function$;
grant execute on function public.move_tasks_to_project(task_ids uuid[], project_id uuid, column_id uuid, brings_back boolean) to authenticated;
grant execute on function public.move_tasks_to_project(task_ids uuid[], project_id uuid, column_id uuid, brings_back boolean) to service_role;
comment on function public.move_tasks_to_project(task_ids uuid[], project_id uuid, column_id uuid, brings_back boolean) is 'Moves tasks to another project, all or none, with subtasks, comments, checklist, attachments, history and the dependencies among them. They get new numbers there, and the column of the same name (or kind; or column_id) at its end; labels are found by name or made; what a task holds in fields goes along where there is one of the same name and kind. Who works on them or watches and is no member there is dropped, as are dependencies on tasks that stay; a subtask whose parent stays is a task of its own there. Needs owner or editor of both projects. Addresses and keys they had lead to them. brings_back: what they left behind when they went away from this project comes back, which is how a move is undone. Up to 1,000 tasks; returns them and their subtasks.';

CREATE OR REPLACE FUNCTION public.my_account_end()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.foresee_my_end() || jsonb_build_object('proof', private.proof_of_me())
$function$;
grant execute on function public.my_account_end() to authenticated;
grant execute on function public.my_account_end() to service_role;
comment on function public.my_account_end() is 'What deleting one''s account would do: projects [{id, name, becomes: stays, passes, archived or deleted, heir_name}], how many tasks and comments would stay without one''s name, and the proof that delete_my_account asks for: factor, password or recent.';

CREATE OR REPLACE FUNCTION public.my_billing()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.my_billing()
$function$;
grant execute on function public.my_billing() to authenticated;
grant execute on function public.my_billing() to service_role;
comment on function public.my_billing() is 'What the caller has bought: {customer, plan, price_id, price_name, status, renews_at, ends_at, trial_ends_at, payment_failed, purchases}.';

CREATE OR REPLACE FUNCTION public.my_exports()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.list_exports()
$function$;
grant execute on function public.my_exports() to authenticated;
grant execute on function public.my_exports() to service_role;
comment on function public.my_exports() is 'The caller''s exports, the newest first: [{id, project_id, format, state: waiting, running, done or failed, done, total, path, size_bytes, error, created_at, finished_at, expires_at}]. A signed link of `path` in the bucket `exports` downloads the file until expires_at.';

CREATE OR REPLACE FUNCTION public.my_first_steps()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'project', exists (select from public.project_members m where m.user_id = auth.uid()),
    'task', exists (select from public.tasks t where t.created_by = auth.uid()),
    'moved', exists (select from public.task_activity a where a.actor_id = auth.uid() and a.kind = 'moved'),
    'invited', exists (select from public.project_invitations i where i.invited_by = auth.uid())
      or exists (
        select from public.project_members mine join public.project_members other on other.project_id = mine.project_id
        where mine.user_id = auth.uid() and other.user_id <> mine.user_id
      ),
    'hears', exists (select from public.notification_settings s where s.user_id = auth.uid())
      or exists (select from public.push_subscriptions s where s.user_id = auth.uid())
  )
$function$;
grant execute on function public.my_first_steps() to authenticated;
grant execute on function public.my_first_steps() to service_role;
comment on function public.my_first_steps() is 'Which first steps the caller has done: project (is in one), task (made one), moved (moved one), invited (is not alone), hears (chose what to hear of).';

CREATE OR REPLACE FUNCTION public.notification_kinds()
 RETURNS TABLE(kind text, weight integer, inbox boolean, mail text, push boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE ROWS 10
BEGIN ATOMIC
 VALUES ('mentioned'::text,10,true,'now'::text,true), ('assigned'::text,9,true,'now'::text,true), ('commented'::text,8,true,'now'::text,true), ('unblocked'::text,7,true,'now'::text,true), ('unassigned'::text,6,true,'daily'::text,false), ('state_changed'::text,5,true,'daily'::text,false), ('overdue'::text,4,true,'daily'::text,true), ('due_soon'::text,3,true,'daily'::text,true), ('added'::text,2,true,'now'::text,true), ('invited'::text,1,true,'off'::text,true);
END;
grant execute on function public.notification_kinds() to authenticated;
grant execute on function public.notification_kinds() to service_role;
comment on function public.notification_kinds() is 'The kinds of notifications, the weightiest first, and what holds for who has no notification_settings of the kind.';

CREATE OR REPLACE FUNCTION public.object_to_transfer(transfer_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.end_transfer_of_member(object_to_transfer.transfer_id)
$function$;
grant execute on function public.object_to_transfer(transfer_id uuid) to authenticated;
grant execute on function public.object_to_transfer(transfer_id uuid) to service_role;
comment on function public.object_to_transfer(transfer_id uuid) is 'Objects to a transfer of one of the caller''s projects by an operator: it ends, and everybody in it is told.';

CREATE OR REPLACE FUNCTION public.operator_entries(project_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.read_operator_entries(operator_entries.project_id)
$function$;
grant execute on function public.operator_entries(project_id uuid) to authenticated;
grant execute on function public.operator_entries(project_id uuid) to service_role;
comment on function public.operator_entries(project_id uuid) is 'When operators of the server entered this project or passed it on, and why, newest first. For its members.';

CREATE OR REPLACE FUNCTION public.parent(task public.tasks)
 RETURNS SETOF public.tasks
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select t.* from public.tasks t where t.project_id = task.project_id and t.id = task.parent_id
$function$;
grant execute on function public.parent(task public.tasks) to authenticated;
grant execute on function public.parent(task public.tasks) to service_role;
comment on function public.parent(task public.tasks) is 'The task it is a part of, to embed: select=title,parent(number,title).';

CREATE OR REPLACE FUNCTION public.person_page(user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  most_tasks constant integer := 200;
  most_lines constant integer := 50;
  shared uuid[];
begin
  if not exists (select from public.profiles p where p.id = person_page.user_id) then
    perform private.raise_not_found('person');
  end if;
  shared := array(
    select m.project_id from public.project_members m
    join public.projects p on p.id = m.project_id
    where m.user_id = person_page.user_id
  );
  return jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'role', m.role, 'is_archived', p.archived_at is not null, 'last_active_at', (
          select max(a.created_at) from public.task_activity a where a.project_id = p.id and a.actor_id = person_page.user_id
        )
      ) order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = person_page.user_id
    ),
    'open_tasks', (
      select count(*) from public.task_assignees s
      join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
      join public.projects p on p.id = t.project_id and p.archived_at is null
      where s.user_id = person_page.user_id and t.completed_at is null and t.archived_at is null
    ),
    'tasks', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.due_date nulls last, o.priority, o.id), '[]') from (
        select t.id, t.project_id, p.key || '-' || t.number as key, t.number, t.title, t.priority, t.due_date,
          c.name as column_name, c.kind as column_kind, c.color as column_color
        from public.task_assignees s
        join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
        join public.projects p on p.id = t.project_id and p.archived_at is null
        join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
        where s.user_id = person_page.user_id and t.completed_at is null and t.archived_at is null
        order by t.due_date nulls last, t.priority, t.id limit most_tasks
      ) o
    ),
    'activity', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.created_at desc, l.id desc), '[]') from (
        select a.id, a.project_id, a.task_id, a.kind, a.change, a.created_at, t.number, t.title, p.key || '-' || t.number as key
        from unnest(shared) as s (project_id)
        cross join lateral (
          select h.* from public.task_activity h
          where h.project_id = s.project_id and h.actor_id = person_page.user_id and h.task_id is not null
          order by h.created_at desc limit most_lines
        ) a
        join public.tasks t on t.project_id = a.project_id and t.id = a.task_id
        join public.projects p on p.id = a.project_id
        order by a.created_at desc, a.id desc limit most_lines
      ) l
    )
  );
end
$function$;
grant execute on function public.person_page(user_id uuid) to authenticated;
grant execute on function public.person_page(user_id uuid) to service_role;
comment on function public.person_page(user_id uuid) is 'What somebody does in the projects they share with the caller: projects [{id, name, role, is_archived, last_active_at}], open_tasks, tasks (open ones assigned to them, up to 200), activity (the newest 50 lines). 404 for who shares none.';

CREATE OR REPLACE FUNCTION public.project_people(project_id uuid)
 RETURNS TABLE(user_id uuid, last_active_at timestamp with time zone, open_tasks bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select m.user_id,
    (select max(a.created_at) from public.task_activity a where a.project_id = m.project_id and a.actor_id = m.user_id),
    (select count(*) from public.task_assignees s
     join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
     where s.project_id = m.project_id and s.user_id = m.user_id and t.completed_at is null and t.archived_at is null)
  from public.project_members m
  where m.project_id = project_people.project_id
$function$;
grant execute on function public.project_people(project_id uuid) to authenticated;
grant execute on function public.project_people(project_id uuid) to service_role;
comment on function public.project_people(project_id uuid) is 'For each member of a project the moment of the last thing they did in it (null: nothing yet), and how many open tasks they have there.';

CREATE OR REPLACE FUNCTION public.project_progress()
 RETURNS TABLE(project_id uuid, total bigint, completed bigint, overdue bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.id, coalesce(held.total, 0), coalesce(held.completed, 0),
    (select count(*) from public.tasks t
     where t.project_id = p.id and t.completed_at is null and t.archived_at is null and t.due_date < current_date)
  from public.projects p
  left join lateral (
    select sum(f.amount) as total, sum(f.amount) filter (where c.kind = 'done') as completed
    from private.project_figures f
    join public.workflow_columns c on c.project_id = f.project_id and c.id = split_part(f.key, '/', 1)::uuid
    where f.project_id = p.id and f.figure = 'tasks'
  ) as held on true
  where p.archived_at is null
$function$;
grant execute on function public.project_progress() to authenticated;
grant execute on function public.project_progress() to service_role;
comment on function public.project_progress() is 'For each of the caller''s projects that is not archived: how many tasks it has, how many are done, and how many open ones are overdue where the caller is (`Prefer: timezone`). Archived tasks count nowhere.';

CREATE OR REPLACE FUNCTION public.project_transfers(project_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.read_transfers(project_transfers.project_id)
$function$;
grant execute on function public.project_transfers(project_id uuid) to authenticated;
grant execute on function public.project_transfers(project_id uuid) to service_role;
comment on function public.project_transfers(project_id uuid) is 'When operators of the server gave this project another owner, or are about to, newest first. For its members, and for who owned it then.';

CREATE OR REPLACE FUNCTION public.push_key()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.push_public_key()
$function$;
grant execute on function public.push_key() to authenticated;
grant execute on function public.push_key() to service_role;
comment on function public.push_key() is 'The key that a browser subscribes to push messages with; null while the server has made none.';

CREATE OR REPLACE FUNCTION public.renew_calendar_feed(feed_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.make_feed_address(renew_calendar_feed.feed_id)
$function$;
grant execute on function public.renew_calendar_feed(feed_id uuid) to authenticated;
grant execute on function public.renew_calendar_feed(feed_id uuid) to service_role;
comment on function public.renew_calendar_feed(feed_id uuid) is 'Gives a calendar another address; the one before leads nowhere. Returns {id, token, path}.';

CREATE OR REPLACE FUNCTION public.restore_project(project_id uuid)
 RETURNS public.projects
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.bring_project_back(restore_project.project_id)
$function$;
grant execute on function public.restore_project(project_id uuid) to authenticated;
grant execute on function public.restore_project(project_id uuid) to service_role;
comment on function public.restore_project(project_id uuid) is 'Brings back a project that was deleted less than thirty days ago, with all that was in it and everybody who was; for those who owned it.';

CREATE OR REPLACE FUNCTION public.save_project_as_template(project_id uuid, name text DEFAULT NULL::text, description text DEFAULT ''::text, is_shared boolean DEFAULT false, with_tasks boolean DEFAULT true, new_id uuid DEFAULT NULL::uuid)
 RETURNS public.templates
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  project public.projects;
  made public.templates;
begin
  select p.* into project from public.projects p where p.id = save_project_as_template.project_id;
  if not found then
    perform private.raise_not_found('project');
  end if;
  -- Asked again because the answer was lost.
  select t.* into made from public.templates t where t.id = save_project_as_template.new_id;
  if found then
    return made;
  end if;
  insert into public.templates (id, project_id, kind, name, description, body)
  values (coalesce(new_id, private.uuid_v7()), case when is_shared then project.id end, 'project',
    coalesce(nullif(btrim(save_project_as_template.name), ''), project.name), coalesce(save_project_as_template.description, ''),
    private.document_of_project(project.id, with_tasks, is_shared, false))
  returning * into made;
  return made;
end
$function$;
grant execute on function public.save_project_as_template(project_id uuid, name text, description text, is_shared boolean, with_tasks boolean, new_id uuid) to authenticated;
grant execute on function public.save_project_as_template(project_id uuid, name text, description text, is_shared boolean, with_tasks boolean, new_id uuid) to service_role;
comment on function public.save_project_as_template(project_id uuid, name text, description text, is_shared boolean, with_tasks boolean, new_id uuid) is 'Keeps a project as a template: the caller''s own, or is_shared with its members, which needs the editor role. Days are counted from the first there is, nothing is ticked. new_id: the id the template gets, so that asking twice makes one.';

CREATE OR REPLACE FUNCTION public.save_push_subscription(endpoint text, p256dh text, auth text)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.keep_push_subscription(save_push_subscription.endpoint, save_push_subscription.p256dh, save_push_subscription.auth)
$function$;
grant execute on function public.save_push_subscription(endpoint text, p256dh text, auth text) to authenticated;
grant execute on function public.save_push_subscription(endpoint text, p256dh text, auth text) to service_role;
comment on function public.save_push_subscription(endpoint text, p256dh text, auth text) is 'Has push messages sent to this browser until the caller''s session ends. Takes what the browser''s PushSubscription says; returns the id of the row.';

CREATE OR REPLACE FUNCTION public.save_task_as_template(task_id uuid, name text DEFAULT NULL::text, description text DEFAULT ''::text, is_shared boolean DEFAULT false, new_id uuid DEFAULT NULL::uuid)
 RETURNS public.templates
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task public.tasks;
  made public.templates;
begin
  select t.* into task from public.tasks t where t.id = save_task_as_template.task_id;
  if not found then
    perform private.raise_not_found('task');
  end if;
  select t.* into made from public.templates t where t.id = save_task_as_template.new_id;
  if found then
    return made;
  end if;
  insert into public.templates (id, project_id, kind, name, description, body)
  values (coalesce(new_id, private.uuid_v7()), case when is_shared then task.project_id end, 'task',
    coalesce(nullif(btrim(save_task_as_template.name), ''), left(task.title, 200)), coalesce(save_task_as_template.description, ''),
    private.document_of_task(task))
  returning * into made;
  return made;
end
$function$;
grant execute on function public.save_task_as_template(task_id uuid, name text, description text, is_shared boolean, new_id uuid) to authenticated;
grant execute on function public.save_task_as_template(task_id uuid, name text, description text, is_shared boolean, new_id uuid) to service_role;
comment on function public.save_task_as_template(task_id uuid, name text, description text, is_shared boolean, new_id uuid) is 'Keeps a task as a template, with subtasks, checklists, labels, people, fields and the dependencies among them: the caller''s own, or is_shared with the members of its project, which needs the editor role. new_id: the id the template gets.';

CREATE OR REPLACE FUNCTION public.search_tasks(query text, project_id uuid DEFAULT NULL::uuid, max_rows integer DEFAULT 50)
 RETURNS SETOF public.tasks
 LANGUAGE sql
 STABLE ROWS 50
BEGIN ATOMIC
 SELECT found.id,
     found.project_id,
     found.column_id,
     found.number,
     found.title,
     found.description,
     found.priority,
     found.order_rank,
     found.start_date,
     found.due_date,
     found.estimate,
     found.started_at,
     found.completed_at,
     found.archived_at,
     found.created_by,
     found.created_at,
     found.updated_at,
     found.cover_attachment_id,
     found.parent_id,
     found.subtask_position
    FROM private.find_tasks(search_tasks.query, search_tasks.project_id, LEAST(GREATEST(search_tasks.max_rows, 0), 1000)) found(id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate, started_at, completed_at, archived_at, created_by, created_at, updated_at, cover_attachment_id, parent_id, subtask_position);
END;
grant execute on function public.search_tasks(query text, project_id uuid, max_rows integer) to authenticated;
grant execute on function public.search_tasks(query text, project_id uuid, max_rows integer) to service_role;
comment on function public.search_tasks(query text, project_id uuid, max_rows integer) is 'Tasks that match all words of the query, by their beginnings, in number, title, description, fields of text or comments; best first. WEB-12 finds that very task. In one project, or in all the caller''s.';

CREATE OR REPLACE FUNCTION public.subtasks(task public.tasks)
 RETURNS SETOF public.tasks
 LANGUAGE sql
 STABLE
AS $function$
  select t.* from public.tasks t where t.project_id = task.project_id and t.parent_id = task.id
$function$;
grant execute on function public.subtasks(task public.tasks) to authenticated;
grant execute on function public.subtasks(task public.tasks) to service_role;
comment on function public.subtasks(task public.tasks) is 'The tasks under a task, to embed: select=title,subtasks(title,completed_at).';

CREATE OR REPLACE FUNCTION public.task_at(project_id uuid, number integer)
 RETURNS SETOF public.tasks
 LANGUAGE sql
 STABLE ROWS 1
 SET search_path TO ''
AS $function$
  select t.* from public.tasks t where t.id = private.task_with_address(task_at.project_id, task_at.number)
$function$;
grant execute on function public.task_at(project_id uuid, number integer) to authenticated;
grant execute on function public.task_at(project_id uuid, number integer) to service_role;
comment on function public.task_at(project_id uuid, number integer) is 'The task with this number in this project, or the one that had it before it went to another project; nothing where the caller sees neither.';

CREATE OR REPLACE FUNCTION public.task_flow(project_id uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  first_day constant date := (now() at time zone 'utc')::date - 29;
  answer json;
begin
  if not exists (select from public.projects p where p.id = task_flow.project_id) then
    perform private.raise_not_found('project');
  end if;

  with days as (
    select n, first_day + n as day from generate_series(0, 29) as n
  ),
  -- also those that are no more: tasks stood in them
  columns as (
    select c.column_id, row_number() over (order by c.column_id) - 1 as place
    from (select distinct k.column_id from private.column_kinds k where k.project_id = task_flow.project_id) as c
  ),
  kinds as (
    select c.place, c.column_id, json_agg(coalesce(
        (select k.kind from private.column_kinds k
          where k.project_id = task_flow.project_id and k.column_id = c.column_id
            and k.since < (d.day + 1)::timestamp at time zone 'utc'
          order by k.since desc limit 1),
        (select k.kind from private.column_kinds k
          where k.project_id = task_flow.project_id and k.column_id = c.column_id
          order by k.since limit 1)
      ) order by d.n) as kinds
    from columns c
    cross join days d
    group by c.place, c.column_id
  ),
  -- -1: the task was not here before
  steps as (
    select t.number, (a.created_at at time zone 'utc')::date - first_day as day, coalesce(c.place, -1) as came_from, a.created_at, a.id
    from public.task_activity a
    join public.tasks t on t.project_id = a.project_id and t.id = a.task_id and t.archived_at is null
    left join columns c on a.kind = 'moved' and c.column_id = (a.change #>> '{column_id,from}')::uuid
    where a.project_id = task_flow.project_id and a.kind in ('created', 'moved', 'moved_in')
      and a.created_at >= first_day::timestamp at time zone 'utc'
  ),
  times as (
    select t.number, round((date_part('epoch', t.completed_at - t.started_at) / 86400)::numeric, 5) as days
    from public.tasks t
    where t.project_id = task_flow.project_id and t.archived_at is null and t.completed_at is not null and t.started_at is not null
  )
  select format('{"days":%s,"columns":%s,"steps":{"numbers":[%s],"days":[%s],"from":[%s]},"cycles":{"numbers":[%s],"days":[%s]}}',
    (select json_agg(d.day order by d.n) from days d),
    (select coalesce(json_agg(json_build_object('id', k.column_id, 'kinds', k.kinds) order by k.place), '[]') from kinds k),
    s.numbers, s.days, s.came_from, c.numbers, c.days)::json into answer
  from (
    select string_agg(number::text, ',' order by created_at desc, id desc) as numbers, string_agg(day::text, ',' order by created_at desc, id desc) as days,
      string_agg(came_from::text, ',' order by created_at desc, id desc) as came_from
    from steps
  ) as s
  cross join (select string_agg(number::text, ',') as numbers, string_agg(days::text, ',') as days from times) as c;
  return answer;
end
$function$;
grant execute on function public.task_flow(project_id uuid) to authenticated;
grant execute on function public.task_flow(project_id uuid) to service_role;
comment on function public.task_flow(project_id uuid) is 'How the tasks of a project, by their numbers, came to stand where they stand: of the last 30 days (UTC) the columns they left, the latest step first (-1: the task was made, or came from another project, that day), the kinds of columns on each of these days, and the days finished tasks took once begun. Archived tasks are not in it.';

CREATE OR REPLACE FUNCTION public.task_flows(project_ids uuid[])
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT COALESCE(json_object_agg(p.id, public.task_flow(p.id)), '{}'::json) AS "coalesce" FROM public.projects p WHERE (p.id = ANY (task_flows.project_ids)));
grant execute on function public.task_flows(project_ids uuid[]) to authenticated;
grant execute on function public.task_flows(project_ids uuid[]) to service_role;
comment on function public.task_flows(project_ids uuid[]) is 'What task_flow says of each of these projects, by their ids; of those the caller does not see it says nothing.';

CREATE OR REPLACE FUNCTION public.task_to_checklist_item(task_id uuid, new_id uuid DEFAULT NULL::uuid, of_task_id uuid DEFAULT NULL::uuid)
 RETURNS public.task_checklist_items
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  made public.task_checklist_items;
begin
  if not exists (select from public.tasks t where t.id = task_to_checklist_item.task_id) then
    -- Asked again because the answer was lost, or there is none that the caller sees.
    select i.* into made from public.task_checklist_items i where i.id = new_id;
    if not found then
      perform private.raise_not_found('task');
    end if;
    return made;
  end if;
  return private.make_item_of_task(task_to_checklist_item.task_id, new_id, of_task_id);
end
$function$;
grant execute on function public.task_to_checklist_item(task_id uuid, new_id uuid, of_task_id uuid) to authenticated;
grant execute on function public.task_to_checklist_item(task_id uuid, new_id uuid, of_task_id uuid) to service_role;
comment on function public.task_to_checklist_item(task_id uuid, new_id uuid, of_task_id uuid) is 'Makes a checklist item of a task, in its parent or in of_task_id: title, whether it is done and the day it was made are kept. Its subtasks move up and its checklist follows; all else about it is lost. Returns the item.';

CREATE OR REPLACE FUNCTION public.words(of public.task_field_values)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((of).value #>> '{}'::text[]);
grant execute on function public.words(of public.task_field_values) to authenticated;
grant execute on function public.words(of public.task_field_values) to service_role;
comment on function public.words(of public.task_field_values) is 'What the field holds as text: of a text its words without quotes, of an option or a person the id.';

CREATE OR REPLACE FUNCTION realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text DEFAULT 'ROW'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if level = 'STATEMENT' then
    raise exception 'realtime.broadcast_changes tells of rows, not of statements' using hint = 'Make the trigger "for each row".';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'realtime.broadcast_changes does not know the operation %', operation using hint = 'INSERT, UPDATE or DELETE.';
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name
  );
end
$function$;
grant execute on function realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text) to anon;
grant execute on function realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text) to authenticated;
grant execute on function realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text) to service_role;
comment on function realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text) is 'Sends a row''s change to a channel; for triggers.';

CREATE OR REPLACE FUNCTION realtime.send(payload jsonb, event text, topic text, private boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  message_id constant uuid := gen_random_uuid();
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (
      message_id,
      case when jsonb_typeof(payload) = 'object' and not payload ? 'id' then payload || jsonb_build_object('id', message_id) else payload end,
      event, topic, private, 'broadcast'
    );
  exception when others then
    raise warning 'the message to topic % was not sent: %', topic, sqlerrm;
  end;
end
$function$;
grant execute on function realtime.send(payload jsonb, event text, topic text, private boolean) to anon;
grant execute on function realtime.send(payload jsonb, event text, topic text, private boolean) to authenticated;
grant execute on function realtime.send(payload jsonb, event text, topic text, private boolean) to service_role;
comment on function realtime.send(payload jsonb, event text, topic text, private boolean) is 'Sends a message to a channel when the transaction commits.';

CREATE OR REPLACE FUNCTION realtime.send_binary(payload bytea, event text, topic text, private boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'the message to topic % was not sent: %', topic, sqlerrm;
  end;
end
$function$;
grant execute on function realtime.send_binary(payload bytea, event text, topic text, private boolean) to anon;
grant execute on function realtime.send_binary(payload bytea, event text, topic text, private boolean) to authenticated;
grant execute on function realtime.send_binary(payload bytea, event text, topic text, private boolean) to service_role;
comment on function realtime.send_binary(payload bytea, event text, topic text, private boolean) is 'Sends a binary message to a channel when the transaction commits.';

CREATE OR REPLACE FUNCTION realtime.topic()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('realtime.topic', true), '')
$function$;
grant execute on function realtime.topic() to anon;
grant execute on function realtime.topic() to authenticated;
grant execute on function realtime.topic() to kanbase_realtime;
grant execute on function realtime.topic() to service_role;
comment on function realtime.topic() is 'The topic of the channel a caller wants to join or send to.';

CREATE OR REPLACE FUNCTION storage.extension(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE("substring"(storage.filename(name), '[.]([^.]*)$'::text), ''::text);
grant execute on function storage.extension(name text) to public;
comment on function storage.extension(name text) is 'What stands after the last dot of the name of an object: png for a/b/c.png.';

CREATE OR REPLACE FUNCTION storage.filename(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN (string_to_array(name, '/'::text))[cardinality(string_to_array(name, '/'::text))];
grant execute on function storage.filename(name text) to public;
comment on function storage.filename(name text) is 'The last part of the name of an object: c.png for a/b/c.png.';

CREATE OR REPLACE FUNCTION storage.foldername(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
RETURN (string_to_array(name, '/'::text))[1:(cardinality(string_to_array(name, '/'::text)) - 1)];
grant execute on function storage.foldername(name text) to public;
comment on function storage.foldername(name text) is 'The folders in the name of an object: {a,b} for a/b/c.png.';

create publication supabase_realtime for table
  public.access_grants,
  public.calendar_feeds,
  public.comment_reactions,
  public.comment_resolutions,
  public.custom_fields,
  public.notification_schedules,
  public.notification_settings,
  public.notifications,
  public.profiles,
  public.project_invitations,
  public.project_members,
  public.project_watchers,
  public.projects,
  public.push_subscriptions,
  public.saved_views,
  public.task_activity,
  public.task_assignees,
  public.task_attachments,
  public.task_checklist_items,
  public.task_comments,
  public.task_dependencies,
  public.task_field_values,
  public.task_label_links,
  public.task_labels,
  public.task_recurrences,
  public.task_watchers,
  public.tasks,
  public.templates,
  public.view_defaults,
  public.workflow_columns;

create publication supabase_realtime_messages_publication for table
  realtime.messages;

alter default privileges revoke all on functions from public;

alter default privileges in schema public grant select, update, usage on sequences to service_role;

alter default privileges in schema public grant execute on functions to service_role;

alter default privileges in schema public grant delete, insert, maintain, references, select, trigger, truncate, update on tables to service_role;
