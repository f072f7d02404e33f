-- Writes that are tried for a proposal and must not be kept: their transaction holds a row whose key leads nowhere, so that it can't be committed.

create table private.proposals_in_trial (
  id uuid primary key default gen_random_uuid(),
  nowhere uuid not null default gen_random_uuid(),
  constraint proposals_in_trial_never_kept foreign key (nowhere) references private.proposals_in_trial (id) on delete cascade deferrable initially deferred
);
create index proposals_in_trial_nowhere_idx on private.proposals_in_trial (nowhere);
alter table private.proposals_in_trial enable row level security;
