-- Public links: whoever has the address of one reads a project, or a task with its subtasks, without an account. They are callers of a role of their own.

select private.ensure_role('share_link', 'nologin noinherit');
select private.let_become('share_link');
grant usage on schema public to share_link;

create table public.share_links (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  scope text not null,
  task_id uuid,
  options jsonb not null,
  has_password boolean not null,
  created_by uuid references public.profiles (id) on delete set null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  uses integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint share_links_scope_known check (scope in ('project', 'task')),
  constraint share_links_task_of_scope check ((scope = 'task') = (task_id is not null)),
  constraint share_links_options_are_flags check (
    jsonb_typeof(options -> 'names') = 'boolean' and jsonb_typeof(options -> 'comments') = 'boolean' and options - '{names,comments}'::text[] = '{}'
  ),
  constraint share_links_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index share_links_project_id_idx on public.share_links (project_id, created_at);
create index share_links_task_idx on public.share_links (project_id, task_id) where task_id is not null;
create index share_links_task_id_idx on public.share_links (task_id) where task_id is not null;
create index share_links_created_by_idx on public.share_links (created_by);
alter table public.share_links enable row level security;

create table private.share_link_secrets (
  link_id uuid primary key references public.share_links (id) on delete cascade,
  token_hash bytea not null,
  password_hash text,
  created_at timestamptz not null default now(),
  constraint share_link_secrets_token_hash_key unique (token_hash),
  constraint share_link_secrets_password_hash_known check (password_hash ~ '^\$(argon2id?|2[abxy])\$.{20,250}$')
);
alter table private.share_link_secrets enable row level security;
