-- Links that let whoever opens them join a project: at most one open per project; those before it stay, so that a holder learns why theirs ended.

create table public.join_links (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  role public.project_role not null,
  created_by uuid references public.profiles (id) on delete set null,
  expires_at timestamptz,
  revoked_at timestamptz,
  joined_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint join_links_make_no_owners check (role <> 'owner')
);
create unique index join_links_one_open_per_project on public.join_links (project_id) where revoked_at is null;
create index join_links_project_id_idx on public.join_links (project_id, created_at);
create index join_links_created_by_idx on public.join_links (created_by);
alter table public.join_links enable row level security;

-- A link has several: each copy is another token.
create table private.join_link_tokens (
  token_hash bytea primary key,
  link_id uuid not null references public.join_links (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index join_link_tokens_link_id_idx on private.join_link_tokens (link_id);
alter table private.join_link_tokens enable row level security;
