-- Definitions of a project beyond its tasks: custom fields with their values, saved views with the one that opens first, and templates.

create table public.custom_fields (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  name text not null,
  kind public.custom_field_kind not null,
  options jsonb not null default '[]',
  unit text,
  default_value jsonb,
  position double precision not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint custom_fields_project_id_id_key unique (project_id, id),
  constraint custom_fields_name_not_blank check (name ~ '[^[:space:]]'),
  constraint custom_fields_name_length check (char_length(name) <= 100),
  constraint custom_fields_options_are_named check (private.are_options(options)),
  constraint custom_fields_options_of_selects check (kind in ('select', 'multi_select') or options = '[]'),
  constraint custom_fields_unit_of_numbers check (unit is null or kind = 'number' and unit ~ '[^[:space:]]' and char_length(unit) <= 20),
  constraint custom_fields_default_is_something check (default_value <> 'null'),
  constraint custom_fields_position_is_finite check (position > '-Infinity' and position < 'Infinity')
);
create unique index custom_fields_name_unique_per_project on public.custom_fields (project_id, lower(name));
alter table public.custom_fields enable row level security;

create table public.task_field_values (
  project_id uuid not null,
  task_id uuid not null,
  field_id uuid not null,
  value jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, task_id, field_id),
  constraint task_field_values_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade,
  constraint task_field_values_field_of_same_project foreign key (project_id, field_id)
    references public.custom_fields (project_id, id) on delete cascade
);
create index task_field_values_field_idx on public.task_field_values (project_id, field_id);
create index task_field_values_task_id_idx on public.task_field_values (task_id, field_id);
alter table public.task_field_values enable row level security;

create table public.saved_views (
  id uuid primary key default private.uuid_v7(),
  project_id uuid references public.projects (id) on delete cascade,
  owner_id uuid default auth.uid() references public.profiles (id) on delete set null,
  name text not null,
  filter jsonb not null default '{}',
  is_shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  layout text not null default 'board',
  "grouping" text,
  lanes text,
  sort jsonb not null default '[]',
  shown jsonb not null default '{}',
  position double precision not null default 0,
  constraint saved_views_project_id_id_key unique (project_id, id),
  constraint saved_views_name_not_blank check (name ~ '[^[:space:]]'),
  constraint saved_views_name_length check (char_length(name) <= 200),
  constraint saved_views_filter_is_an_object check (jsonb_typeof(filter) = 'object' and octet_length(filter::text) <= 20000),
  constraint saved_views_layout_is_one check (layout in ('board', 'list', 'calendar', 'timeline', 'dashboard')),
  constraint saved_views_grouping_is_a_property check ("grouping" ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'),
  constraint saved_views_lanes_is_a_property check (lanes ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'),
  constraint saved_views_sort_is_a_list check (jsonb_typeof(sort) = 'array' and octet_length(sort::text) <= 2000),
  constraint saved_views_shown_is_an_object check (jsonb_typeof(shown) = 'object' and octet_length(shown::text) <= 20000),
  constraint saved_views_position_is_finite check (position > '-Infinity' and position < 'Infinity')
);
create index saved_views_project_id_idx on public.saved_views (project_id, created_at);
create index saved_views_owner_id_idx on public.saved_views (owner_id);
alter table public.saved_views enable row level security;

create table public.view_defaults (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid default auth.uid() references public.profiles (id) on delete cascade,
  view_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint view_defaults_one_each unique nulls not distinct (project_id, user_id),
  constraint view_defaults_view_id_fkey foreign key (project_id, view_id) references public.saved_views (project_id, id) on delete cascade
);
create index view_defaults_view_id_idx on public.view_defaults (project_id, view_id);
create index view_defaults_user_id_idx on public.view_defaults (user_id);
alter table public.view_defaults enable row level security;

create table public.templates (
  id uuid primary key default private.uuid_v7(),
  project_id uuid references public.projects (id) on delete cascade,
  owner_id uuid references public.profiles (id) on delete cascade,
  built_in text,
  language text,
  kind text not null,
  name text not null,
  description text not null default '',
  body jsonb not null,
  holds jsonb not null default '{}',
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint templates_of_one check (num_nonnulls(project_id, owner_id, built_in) = 1),
  constraint templates_built_in_once unique (built_in, language),
  constraint templates_language_of_built_in check ((built_in is null) = (language is null)),
  constraint templates_kind_known check (kind in ('task', 'project')),
  constraint templates_name_not_blank check (name ~ '[^[:space:]]'),
  constraint templates_name_length check (char_length(name) <= 200),
  constraint templates_description_length check (char_length(description) <= 2000)
);
create index templates_project_id_idx on public.templates (project_id);
create index templates_owner_id_idx on public.templates (owner_id);
create index templates_created_by_idx on public.templates (created_by);
alter table public.templates enable row level security;
