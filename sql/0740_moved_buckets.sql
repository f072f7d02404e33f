-- Migrations written for Supabase name a column of storage.buckets that says nothing here.

alter table storage.buckets add column avif_autodetection boolean default false;
comment on column storage.buckets.avif_autodetection is 'Of no effect: kept for migrations that were written for Supabase and name it.';
