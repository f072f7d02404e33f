-- Backups by schedule: which were made, where they lie, and why one failed. One row a due moment, so that of several nodes one makes it.

create table private.backups (
  due_at timestamptz primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  file text,
  row_count bigint,
  file_count integer,
  bytes bigint,
  error text,
  constraint backups_end_once check ((finished_at is null) = (file is null and error is null))
);

alter table private.backups enable row level security;
-- No policies and no grants: the owner of the tables writes backups, and nobody else has business here.

comment on table private.backups is 'Backups by schedule, one row a due moment; `error` says why one failed.';
