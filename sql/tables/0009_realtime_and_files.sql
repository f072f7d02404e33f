-- Realtime and files: messages of channels, changes noted by triggers, and timelines of the database; buckets and objects with the files that
-- are still to come or to go; and what opens files and feeds without a session. Tables of realtime and storage are shaped as Supabase's.
-- The bytes of an object lie in the file store under its version, which the server creates and never derives from a name.

-- One partition a day, so that old messages go away at no cost; private.keep_message_partitions makes and drops them.
create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  binary_payload bytea,
  event text,
  private boolean default false,
  updated_at timestamp not null default (now() at time zone 'utc'),
  inserted_at timestamp not null default (now() at time zone 'utc'),
  expires_at timestamp,
  skip_broadcast boolean not null default false,
  primary key (id, inserted_at)
) partition by range (inserted_at);
-- replay: the latest messages of a topic
create index messages_topic_inserted_at_idx on realtime.messages (topic, inserted_at desc) where extension = 'broadcast';
create index messages_expires_at_idx on realtime.messages (expires_at) where expires_at is not null;
alter table realtime.messages enable row level security;

-- Takes what falls on a day that has no partition yet.
create table realtime.messages_rest partition of realtime.messages default;
alter table realtime.messages_rest enable row level security;

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication for table realtime.messages
      with (publish = 'insert', publish_via_partition_root = true);
  end if;
end
$$;

-- Used where Postgres may not decode its log: triggers that the server puts on the tables of the publication write here, in the
-- transaction of the change. Unlogged: after a crash clients read anew anyway.
create unlogged table private.changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  relation oid not null,
  kind text not null,
  old jsonb,
  new jsonb,
  constraint changes_kind_is_known check (kind in ('INSERT', 'UPDATE', 'DELETE'))
);
create index changes_at_idx on private.changes (at);
alter table private.changes enable row level security;

-- Each server that takes over as primary begins a timeline and notes it here. A replica that does not know the latest has not followed the
-- primary there, however far its log goes.
create table private.timelines (
  timeline text primary key,
  noted_at timestamptz not null default now()
);
alter table private.timelines enable row level security;

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  type text not null default 'STANDARD',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  avif_autodetection boolean default false,
  constraint buckets_name_key unique (name),
  constraint buckets_type_is_offered check (type = 'STANDARD'),
  constraint buckets_file_size_limit_not_negative check (file_size_limit >= 0)
);
alter table storage.buckets enable row level security;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('attachments', 'attachments', false, null, null),
  ('avatars', 'avatars', true, 5242880, array['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  ('exports', 'exports', false, null, null);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id) on delete restrict,
  -- sorted and searched by bytes, so that the beginning of a name is a range of the index
  name text collate "C" not null,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  version text,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint objects_bucket_id_name_key unique (bucket_id, name),
  -- one row for one file: nobody gets at the bytes of another row by writing its version into their own
  constraint objects_version_key unique (version)
);
alter table storage.objects enable row level security;

-- Written before the first byte of an upload, and when a row gives up its file: what is due here is removed from the file store, so that
-- bytes and rows agree again after a crash at any point.
create table private.unclaimed_files (
  version text primary key,
  due_at timestamptz not null
);
create index unclaimed_files_due_at_idx on private.unclaimed_files (due_at);
alter table private.unclaimed_files enable row level security;

-- Uploads that arrive in parts. The file store knows how much has arrived.
create table private.resumable_uploads (
  version text primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- only who began it may continue
  caller_role text not null,
  caller_sub text,
  upsert boolean not null,
  size bigint, -- null until the client says it
  metadata jsonb not null default '{}',
  expires_at timestamptz not null,
  finished_at timestamptz, -- kept for a client that missed the answer and asks again
  constraint resumable_uploads_size_not_negative check (size >= 0)
);
create index resumable_uploads_expires_at_idx on private.resumable_uploads (expires_at);
create index resumable_uploads_bucket_id_idx on private.resumable_uploads (bucket_id);
alter table private.resumable_uploads enable row level security;

-- A removal can be undone, so the files stay until the time to undo is over, and for good if what they belong to is there again.
create table private.removed_files (
  bucket_id text not null,
  name text collate "C" not null,
  -- the table of what was removed, and the id of the row
  belonged_to regclass not null,
  owner_id uuid not null,
  removed_at timestamptz not null default now(),
  primary key (bucket_id, name)
);
create index removed_files_removed_at_idx on private.removed_files (removed_at);
alter table private.removed_files enable row level security;

-- Whatever opens something without a session has a row here, bound to a person, a place and the epoch of the account. Signed addresses share
-- one row per person and place: signing a thousand reads one row and writes none. Deleting the row ends the access.
create table public.access_grants (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  project_id uuid references public.projects (id) on delete cascade,
  bucket_id text references storage.buckets (id) on delete cascade,
  feed_id uuid references public.calendar_feeds (id) on delete cascade,
  epoch integer not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint access_grants_kind_known check (kind in ('calendar_feed', 'file_link', 'folder_link', 'upload_link', 'unsubscribe_link')),
  constraint access_grants_of_one_thing check (
    (kind = 'calendar_feed') = (feed_id is not null) and (kind in ('file_link', 'folder_link', 'upload_link')) = (bucket_id is not null)
  ),
  constraint access_grants_one_per_place unique nulls not distinct (user_id, kind, project_id, bucket_id, feed_id)
);
create index access_grants_project_id_idx on public.access_grants (project_id);
create index access_grants_bucket_id_idx on public.access_grants (bucket_id);
create index access_grants_feed_id_idx on public.access_grants (feed_id);
create index access_grants_expires_at_idx on public.access_grants (expires_at);
alter table public.access_grants enable row level security;

-- Signed addresses of one object, ended before their time: for everybody or for one person, up to the moment it names.
create table private.ended_links (
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- null: everybody's addresses
  user_id uuid references auth.users (id) on delete cascade,
  ended_at timestamptz not null default clock_timestamp(),
  constraint ended_links_one_per_object unique nulls not distinct (bucket_id, name, user_id)
);
create index ended_links_user_id_idx on private.ended_links (user_id);
create index ended_links_ended_at_idx on private.ended_links (ended_at);
alter table private.ended_links enable row level security;
