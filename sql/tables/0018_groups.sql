-- Groups of people. A group is a member of projects, in public.project_members by group_id; each of its people has a row there, too, whose role
-- is the strongest of their own and those of their groups. So rows are named by (project_id, user_id, group_id), one of the last two is null.

create table public.groups (
  id uuid primary key default private.uuid_v7(),
  name text not null,
  description text not null default '',
  source text not null default 'hand',
  external_id text,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  constraint groups_name_not_blank check (name ~ '[^[:space:]]'),
  constraint groups_name_length check (char_length(name) <= 100),
  constraint groups_description_length check (char_length(description) <= 2000),
  constraint groups_source_known check (source in ('hand', 'oidc', 'scim')),
  constraint groups_external_id_length check (char_length(external_id) <= 500)
);
create unique index groups_one_of_each_name on public.groups (lower(name));
create unique index groups_one_of_each_external_id on public.groups (source, external_id) where external_id is not null;
create index groups_created_by_idx on public.groups (created_by);
alter table public.groups enable row level security;

create table public.group_members (
  group_id uuid not null references public.groups (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  is_manager boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  primary key (group_id, user_id)
);
create index group_members_user_id_idx on public.group_members (user_id, group_id) include (is_manager);
alter table public.group_members enable row level security;

-- Whether everyone may make groups, as the server's setting says.
create table private.group_settings (
  one boolean primary key default true constraint group_settings_are_one check (one),
  made_by_everyone boolean not null
);
alter table private.group_settings enable row level security;

alter table public.project_members
  add column group_id uuid references public.groups (id) on delete cascade,
  add column own_role public.project_role,
  drop constraint project_members_pkey,
  alter column user_id drop not null,
  add constraint project_members_one_each unique nulls not distinct (project_id, user_id, group_id),
  add constraint project_members_person_or_group check (num_nonnulls(user_id, group_id) = 1);
drop index public.project_members_user_id_idx;
-- Answers "my projects" without touching the table.
create unique index project_members_user_id_idx on public.project_members (user_id, project_id) include (role);
create index project_members_group_id_idx on public.project_members (group_id, project_id) include (role) where group_id is not null;
update public.project_members set own_role = role;

alter table private.kept_members add column own_role public.project_role;
update private.kept_members set own_role = role;
create table private.kept_groups (
  project_id uuid not null references public.projects (id) on delete cascade,
  group_id uuid not null references public.groups (id) on delete cascade,
  role public.project_role not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, group_id)
);
create index kept_groups_group_id_idx on private.kept_groups (group_id);
alter table private.kept_groups enable row level security;
