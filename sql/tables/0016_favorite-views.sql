-- Saved views that a person has in the sidebar, in their own order.

create table public.favorite_views (
  -- points at the account, whose id the profile shares, so that embedded `profiles` of a saved view are its owner
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  view_id uuid not null references public.saved_views (id) on delete cascade,
  position double precision not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version bigint not null default 0,
  primary key (user_id, view_id),
  constraint favorite_views_position_is_finite check (position > '-Infinity' and position < 'Infinity')
);
create index favorite_views_view_id_idx on public.favorite_views (view_id);
alter table public.favorite_views enable row level security;
