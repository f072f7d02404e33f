-- Changes of access: who gave whom what, when and from where. Lines are only ever added.

create table public.access_log (
  id uuid primary key default private.uuid_v7(),
  -- empty for what is about a group alone, and once the project is gone
  project_id uuid references public.projects (id) on delete set null,
  actor_id uuid references auth.users (id) on delete set null,
  subject jsonb not null,
  object jsonb not null,
  change jsonb not null,
  address text,
  created_at timestamptz not null default clock_timestamp()
);
create index access_log_project_id_idx on public.access_log (project_id, created_at);
create index access_log_created_at_idx on public.access_log (created_at);
create index access_log_actor_id_idx on public.access_log (actor_id);
alter table public.access_log enable row level security;
