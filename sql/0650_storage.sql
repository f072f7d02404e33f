-- What /storage/v1 rests on: buckets and objects, shaped as Supabase's, and the buckets of Kanbase itself. The bytes lie in the file
-- store under an object's version, which is made by the server and never derived from a name.

create schema if not exists storage;
comment on schema storage is 'Files at /storage/v1: which buckets there are, what is in them, and by policies who may do what.';
revoke all on schema storage from public;
grant usage on schema storage to anon, authenticated, service_role;

select private.add_room_role('kanbase_files');
grant usage on schema storage, private to kanbase_files;

-- Parts of a name, for policies --------------------------------------------------------------------------------------

create function storage.foldername(name text) returns text[]
language sql immutable
return (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1];

create function storage.filename(name text) returns text
language sql immutable
return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];

create function storage.extension(name text) returns text
language sql immutable
return coalesce(substring(storage.filename(name) from '[.]([^.]*)$'), '');

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text) to public;

comment on function storage.foldername(text) is 'The folders in the name of an object: {a,b} for a/b/c.png.';
comment on function storage.filename(text) is 'The last part of the name of an object: c.png for a/b/c.png.';
comment on function storage.extension(text) is 'What stands after the last dot of the name of an object: png for a/b/c.png.';

-- Buckets ------------------------------------------------------------------------------------------------------------

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
  constraint buckets_name_key unique (name),
  constraint buckets_type_is_offered check (type = 'STANDARD'),
  constraint buckets_file_size_limit_not_negative check (file_size_limit >= 0)
);

-- No policy for callers: who else than the service key may see or change a bucket is said by policies of your own.
alter table storage.buckets enable row level security;
create policy service on storage.buckets to service_role using (true) with check (true);
create policy server_reads on storage.buckets for select to kanbase_files using (true);

grant select, insert, update, delete on storage.buckets to anon, authenticated;
grant all on storage.buckets to service_role;
grant select on storage.buckets to kanbase_files;

comment on table storage.buckets is 'Buckets of /storage/v1.';
comment on column storage.buckets.public is 'Whether everybody may download by address; listing and writing follow policies all the same.';
comment on column storage.buckets.file_size_limit is 'Bytes an object may have at most; empty: what the server allows.';
comment on column storage.buckets.allowed_mime_types is 'Media types that may be uploaded, such as image/png or image/*; empty: any.';

-- Objects ------------------------------------------------------------------------------------------------------------

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id) on delete restrict,
  -- Sorted and searched by bytes, so that the beginning of a name is a range of the index.
  name text collate "C" not null,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  -- One row for one file: nobody gets at the bytes of another row by writing its version into their own.
  version text,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint objects_bucket_id_name_key unique (bucket_id, name),
  constraint objects_version_key unique (version)
);

alter table storage.objects enable row level security;
create policy service on storage.objects to service_role using (true) with check (true);
create policy server_reads on storage.objects for select to kanbase_files using (true);

grant select, insert, update, delete on storage.objects to anon, authenticated;
grant all on storage.objects to service_role;
grant select on storage.objects to kanbase_files;

comment on table storage.objects is 'Objects of /storage/v1. The bytes lie in the file store under version.';
comment on column storage.objects.metadata is 'Size, media type, ETag and caching, as the server found them.';
comment on column storage.objects.user_metadata is 'Whatever was uploaded beside it.';
comment on column storage.objects.version is 'Names the bytes. Made by the server for each upload.';

-- Files without a row ------------------------------------------------------------------------------------------------

-- Written before the first byte of an upload, and again when a row lets go of its file: what is due here is removed from the file
-- store. So bytes and rows agree again after a crash at any point.
create table private.unclaimed_files (
  version text primary key,
  due_at timestamptz not null
);
create index unclaimed_files_due_at_idx on private.unclaimed_files (due_at);
alter table private.unclaimed_files enable row level security;
create policy server on private.unclaimed_files to kanbase_files using (true) with check (true);
grant select, insert, update, delete on private.unclaimed_files to kanbase_files;
comment on table private.unclaimed_files is 'Files that no object points to: uploads under way, and what is to be removed from the file store.';

create function private.claim_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old.version is not null and (tg_op = 'DELETE' or new.version is distinct from old.version) then
    insert into private.unclaimed_files (version, due_at) values (old.version, now())
    on conflict (version) do update set due_at = excluded.due_at;
  end if;
  if tg_op <> 'DELETE' and new.version is not null and (tg_op = 'INSERT' or new.version is distinct from old.version) then
    delete from private.unclaimed_files where version = new.version and due_at > now();
    if not found then
      raise exception 'There is no uploaded file % to claim', new.version
        using errcode = 'foreign_key_violation', hint = 'Upload through /storage/v1.';
    end if;
  end if;
  return null;
end
$$;
create trigger objects_claim_file after insert or delete or update of version on storage.objects
  for each row execute function private.claim_file();

-- The buckets of Kanbase ---------------------------------------------------------------------------------------------

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('attachments', 'attachments', false, null, null),
  ('avatars', 'avatars', true, 5242880, array['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

-- <project_id>/<task_id>/…
create function private.attachment_project(object_name text) returns uuid
language sql immutable
return case
  when object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.'
  then left(object_name, 36)::uuid
end;
create function private.attachment_task(object_name text) returns uuid
language sql immutable
return case when private.attachment_project(object_name) is not null then substr(object_name, 38, 36)::uuid end;
grant execute on function private.attachment_project(text), private.attachment_task(text) to authenticated;

create policy attachments_read on storage.objects for select to authenticated
  using (
    bucket_id = 'attachments'
    and private.attachment_project(name) = any (array(select project_id from private.my_memberships))
  );
create policy attachments_add on storage.objects for insert to authenticated
  with check (
    bucket_id = 'attachments'
    and private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
    and exists (
      select from public.tasks t
      where t.project_id = private.attachment_project(name) and t.id = private.attachment_task(name)
    )
  );
create policy attachments_change on storage.objects for update to authenticated
  using (
    bucket_id = 'attachments'
    and private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
  )
  with check (
    bucket_id = 'attachments'
    and private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
    and exists (
      select from public.tasks t
      where t.project_id = private.attachment_project(name) and t.id = private.attachment_task(name)
    )
  );
-- Rows that are not theirs are passed over in silence, as the clients of this protocol expect.
create policy attachments_remove on storage.objects for delete to authenticated
  using (
    bucket_id = 'attachments'
    and private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
  );

-- Everybody downloads by address, for the bucket is public; each lists and writes the folder named by their own id.
create policy avatars_own on storage.objects to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c))
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c));
