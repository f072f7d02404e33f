-- Uploads that arrive in parts and go on after a break: what was said when they began. How much has arrived the file store knows.

create table private.resumable_uploads (
  version text primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- Only who began it goes on with it.
  caller_role text not null,
  caller_sub text,
  upsert boolean not null,
  -- Empty until the client says it.
  size bigint,
  metadata jsonb not null default '{}',
  expires_at timestamptz not null,
  -- A client that did not hear that it was done asks once more.
  finished_at timestamptz,
  constraint resumable_uploads_size_not_negative check (size >= 0)
);
create index resumable_uploads_expires_at_idx on private.resumable_uploads (expires_at);
create index resumable_uploads_bucket_id_idx on private.resumable_uploads (bucket_id);

alter table private.resumable_uploads enable row level security;
create policy server on private.resumable_uploads to kanbase_files using (true) with check (true);
grant select, insert, update, delete on private.resumable_uploads to kanbase_files;

comment on table private.resumable_uploads is 'Uploads under way at /storage/v1/upload/resumable; the bytes lie in the file store under version.';
