-- Storage: buckets and objects of /storage/v1, shaped as Supabase's, and policies of the buckets of Kanbase itself (attachments, avatars, exports).
-- The bytes lie in the file store under an object's version, which is made by the server and never derived from a name. Resumable uploads are
-- rows until they are complete; the file store knows how much has arrived.

create policy service on storage.buckets to service_role using (true) with check (true);
create policy server_reads on storage.buckets for select to kanbase_files using (true);
grant insert, select, update, delete on storage.buckets to anon, authenticated;
grant all on storage.buckets to service_role;
grant select on storage.buckets to kanbase_files;
comment on table storage.buckets is 'Buckets of /storage/v1.';
comment on column storage.buckets.public is 'Whether everybody may download by address; listing and writing follow policies all the same.';
comment on column storage.buckets.file_size_limit is 'Bytes an object may have at most; empty: what the server allows.';
comment on column storage.buckets.allowed_mime_types is 'Media types that may be uploaded, such as image/png or image/*; empty: any.';
comment on column storage.buckets.avif_autodetection is 'Of no effect: kept for migrations that were written for Supabase and name it.';

create policy service on storage.objects to service_role using (true) with check (true);
create policy server_reads on storage.objects for select to kanbase_files using (true);
select private.make_policy('storage.objects', 'attachments_read',
  format('for select to authenticated using (bucket_id = ''attachments'' and %s)', private.in_sight('private.attachment_project(name)')));
-- Files of a task are seen by who sees it, and by nobody once it is removed.
create policy attachments_of_tasks on storage.objects as restrictive to authenticated
  using (bucket_id <> 'attachments' or exists (
    select from public.tasks t where t.id = private.attachment_task(name) and t.project_id = private.attachment_project(name)
  ));
create policy attachments_add on storage.objects for insert to authenticated
  with check (bucket_id = 'attachments'
    and (private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      or private.attachment_task(name) = any ((select private.guest_tasks('edit'))::uuid[]))
    and exists (
      select from public.tasks t
      where t.project_id = private.attachment_project(name) and t.id = private.attachment_task(name)
    ));
create policy attachments_change on storage.objects for update to authenticated
  using (bucket_id = 'attachments'
    and (private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      or private.attachment_task(name) = any ((select private.guest_tasks('edit'))::uuid[])))
  with check (bucket_id = 'attachments'
    and (private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      or private.attachment_task(name) = any ((select private.guest_tasks('edit'))::uuid[]))
    and exists (
      select from public.tasks t
      where t.project_id = private.attachment_project(name) and t.id = private.attachment_task(name)
    ));
-- Rows of others are passed over in silence, as the clients of this protocol expect.
create policy attachments_remove on storage.objects for delete to authenticated
  using (bucket_id = 'attachments'
    and (private.attachment_project(name) = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      or private.attachment_task(name) = any ((select private.guest_tasks('edit'))::uuid[])));
-- Everybody downloads by address, for the bucket is public; each person lists and writes the folder named by their own id.
create policy avatars_own on storage.objects to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c))
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c));
create policy avatars_of_projects on storage.objects to authenticated
  using (bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner')))
  with check (bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner')));
-- <user_id>/<export_id>/<name>: seen by its owner. No policy lets anybody write there; the server does.
create policy exports_read_own on storage.objects for select to authenticated
  using (bucket_id = 'exports' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c));
-- Exports hold every project of a person.
create policy program on storage.objects as restrictive to program
  using ((select t.project_ids is null and t.level > 0 from private.my_token t) and bucket_id <> 'exports'
    or private.project_of_path(bucket_id, name) = any ((select t.project_ids from private.my_token t where t.level > 0)::uuid[]))
  with check ((select t.project_ids is null and t.level > 2 from private.my_token t) and bucket_id <> 'exports'
    or private.project_of_path(bucket_id, name) = any ((select t.project_ids from private.my_token t where t.level > 2)::uuid[]));
create policy program_removes on storage.objects as restrictive for delete to program using ((select t.level > 2 from private.my_token t));

grant insert, select, update, delete on storage.objects to anon, authenticated;
grant all on storage.objects to service_role;
grant select on storage.objects to kanbase_files, share_link;
comment on table storage.objects is 'Objects of /storage/v1. The bytes lie in the file store under version.';
comment on column storage.objects.metadata is 'Size, media type, ETag and caching, as the server found them.';
comment on column storage.objects.user_metadata is 'Whatever was uploaded beside it.';
comment on column storage.objects.version is 'Names the bytes. Made by the server for each upload.';

create or replace trigger objects_claim_file after insert or delete or update of version on storage.objects
  for each row execute function private.claim_file();

create policy server on private.unclaimed_files to kanbase_files using (true) with check (true);
grant insert, select, update, delete on private.unclaimed_files to kanbase_files;
comment on table private.unclaimed_files is 'Files that no object points to: uploads under way, and what is to be removed from the file store.';

create policy server on private.resumable_uploads to kanbase_files using (true) with check (true);
grant insert, select, update, delete on private.resumable_uploads to kanbase_files;
comment on table private.resumable_uploads is 'Uploads under way at /storage/v1/upload/resumable; the bytes lie in the file store under version.';

create or replace function storage.foldername(name text) returns text[]
language sql immutable
return (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1];
grant execute on function storage.foldername(text) to public;
comment on function storage.foldername(text) is 'The folders in the name of an object: {a,b} for a/b/c.png.';

create or replace function storage.filename(name text) returns text
language sql immutable
return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];
grant execute on function storage.filename(text) to public;
comment on function storage.filename(text) is 'The last part of the name of an object: c.png for a/b/c.png.';

create or replace function storage.extension(name text) returns text
language sql immutable
return coalesce(substring(storage.filename(name) from '[.]([^.]*)$'), '');
grant execute on function storage.extension(text) to public;
comment on function storage.extension(text) is 'What stands after the last dot of the name of an object: png for a/b/c.png.';

-- Paths of the app's own buckets ------------------------------------------------------------------------------------------

-- attachments: <project_id>/<task_id>/…
create or replace function private.attachment_project(object_name text) returns uuid
language sql immutable
return case
  when object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.'
  then left(object_name, 36)::uuid
end;
grant execute on function private.attachment_project(text) to authenticated;

create or replace function private.attachment_task(object_name text) returns uuid
language sql immutable
return case when private.attachment_project(object_name) is not null then substr(object_name, 38, 36)::uuid end;
grant execute on function private.attachment_task(text) to authenticated;

-- avatars: projects/<project_id>/… beside the folders of people.
create or replace function private.avatar_project(object_name text) returns uuid
language sql immutable
return case
  when object_name ~ '^projects/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.' then substr(object_name, 10, 36)::uuid
end;
grant execute on function private.avatar_project(text) to authenticated;

create or replace function private.project_of_path(bucket text, object_name text) returns uuid
language sql immutable
return case bucket
  when 'attachments' then private.attachment_project(object_name)
  when 'avatars' then private.avatar_project(object_name)
end;
grant execute on function private.project_of_path(text, text) to authenticated;

create or replace function private.claim_file() returns trigger
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
