-- Groups that an outside issuer last named of a person, as it calls them: what a mapping would bring can be said before it holds.

create table auth.said_groups (
  identity_id uuid primary key references auth.identities (id) on delete cascade,
  claim text not null,
  groups text[] not null,
  said_at timestamptz not null default now(),
  constraint said_groups_some check (cardinality(groups) <= 1000)
);
alter table auth.said_groups enable row level security;
