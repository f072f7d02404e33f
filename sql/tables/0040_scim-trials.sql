-- Trials of SCIM: while a provider is on trial, people and groups are kept here as it says, and nothing else changes until an operator applies them.

create table private.scim_trial_people (like private.scim_people including constraints including defaults including generated);
alter table private.scim_trial_people rename column user_id to id;
alter table private.scim_trial_people drop column banned_since, drop column banned_before,
  add primary key (provider_id, id),
  add constraint scim_trial_people_provider_id_fkey foreign key (provider_id) references private.scim_providers (id) on delete cascade;
create unique index scim_trial_people_one_of_each_user_name on private.scim_trial_people (provider_id, user_name_key) where removed_at is null;
create unique index scim_trial_people_one_of_each_address on private.scim_trial_people (provider_id, address) where removed_at is null;
create index scim_trial_people_external_id_idx on private.scim_trial_people (provider_id, external_id);
create index scim_trial_people_created_at_idx on private.scim_trial_people (provider_id, created_at, id);
alter table private.scim_trial_people enable row level security;

create table private.scim_trial_groups (like private.scim_groups including constraints including defaults including generated);
alter table private.scim_trial_groups rename column group_id to id;
alter table private.scim_trial_groups add column removed_at timestamptz,
  add primary key (provider_id, id),
  add constraint scim_trial_groups_provider_id_fkey foreign key (provider_id) references private.scim_providers (id) on delete cascade;
create unique index scim_trial_groups_one_of_each_name on private.scim_trial_groups (provider_id, display_name_key) where removed_at is null;
create index scim_trial_groups_external_id_idx on private.scim_trial_groups (provider_id, external_id);
alter table private.scim_trial_groups enable row level security;

create table private.scim_trial_group_people (
  provider_id uuid not null,
  group_id uuid not null,
  person_id uuid not null,
  primary key (provider_id, group_id, person_id),
  constraint scim_trial_group_people_group foreign key (provider_id, group_id) references private.scim_trial_groups (provider_id, id) on delete cascade,
  constraint scim_trial_group_people_person foreign key (provider_id, person_id) references private.scim_trial_people (provider_id, id) on delete cascade
);
create index scim_trial_group_people_person_idx on private.scim_trial_group_people (provider_id, person_id, group_id);
alter table private.scim_trial_group_people enable row level security;

-- Null: what the provider says holds at once.
alter table private.scim_providers add column trial_since timestamptz;

-- The id by which the provider knows a person, where it is not the account's: somebody signed up with the address during a trial.
alter table private.scim_people add column known_as uuid;
create unique index scim_people_known_as_idx on private.scim_people (provider_id, (coalesce(known_as, user_id))) where removed_at is null;

drop function if exists private.log_scim(text, auth.users);
drop function if exists private.adopt_account(text, private.scim_providers, text);
drop function if exists private.admin_create_scim_provider(text);
