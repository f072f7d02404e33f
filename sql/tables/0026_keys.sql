-- Keys of programs. A caller whose token narrows what its person may do has a role of its own, a member of authenticated: what holds for people
-- holds for it, and restrictive policies for it alone take away what its token does not name.

select private.ensure_role('program', 'nologin inherit');
select private.let_become('program');
do $$
begin
  if not pg_catalog.pg_has_role('program', 'authenticated', 'usage') then
    grant authenticated to program;
  end if;
exception when unique_violation or internal_error then
  -- another node granted it at the same moment
  null;
end
$$;

create table public.api_keys (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  prefix text not null,
  scope text not null,
  project_ids uuid[],
  created_by uuid references auth.users (id) on delete set null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint api_keys_name_length check (char_length(name) between 1 and 60 and name ~ '[^[:space:]]'),
  constraint api_keys_scope_known check (scope in ('read', 'comment', 'write')),
  constraint api_keys_project_ids_some check (cardinality(project_ids) between 1 and 100)
);
create index api_keys_user_id_idx on public.api_keys (user_id, created_at);
create index api_keys_created_by_idx on public.api_keys (created_by);
alter table public.api_keys enable row level security;

create table private.api_key_secrets (
  key_id uuid primary key references public.api_keys (id) on delete cascade,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  constraint api_key_secrets_token_hash_key unique (token_hash)
);
alter table private.api_key_secrets enable row level security;

-- The program behind a row, from the claim `act` of the token: {"kind", "sub", "name"}. No client may write the column.
alter table public.task_activity add column program jsonb;
alter table public.task_comments add column program jsonb;
alter table public.notifications add column program jsonb;
alter table public.task_activity alter column program set default nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'act';
alter table public.task_comments alter column program set default nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'act';
alter table public.notifications alter column program set default nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'act';

-- Takes the key that signed as well (access/grants.sql).
drop function if exists private.state_of_link(uuid, text, text, bigint);
