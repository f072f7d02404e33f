-- HEAD of 0650
-- What /storage/v1 rests on: buckets and objects, shaped as Supabase's, and the buckets of Kanbase itself. The bytes lie in the file
-- store under an object's version, which is made by the server and never derived from a name.
-- HEAD of 0651
-- Uploads that arrive in parts and go on after a break: what was said when they began. How much has arrived the file store knows.
-- HEAD of 0690
-- A removal can be undone, so files do not go in the transaction that removes what they belong to: they are listed here, and the server
-- removes them when the time to undo is over, unless what they belong to is there again.
-- HEAD of 0691
-- A file whose attachment was removed stays for a while, so that undoing brings it back; meanwhile it belongs into no zip of its task.

-- storage.buckets

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

-- storage.objects

create policy service on storage.objects to service_role using (true) with check (true);
create policy server_reads on storage.objects for select to kanbase_files using (true);
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
create policy avatars_of_projects on storage.objects to authenticated
  using (
    bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner'))
  )
  with check (
    bucket_id = 'avatars'
    and private.avatar_project(name) = any (array(select project_id from private.my_memberships where role = 'owner'))
  );
-- <user_id>/<export_id>/<name>: seen by whose it is. No policy lets anybody write there; the server does.
create policy exports_read_own on storage.objects for select to authenticated
  using (bucket_id = 'exports' and (storage.foldername(name))[1] = (select c.user_id::text from private.caller c));

grant insert, select, update, delete on storage.objects to anon, authenticated;
grant all on storage.objects to service_role;
grant select on storage.objects to kanbase_files;
comment on table storage.objects is 'Objects of /storage/v1. The bytes lie in the file store under version.';
comment on column storage.objects.metadata is 'Size, media type, ETag and caching, as the server found them.';
comment on column storage.objects.user_metadata is 'Whatever was uploaded beside it.';
comment on column storage.objects.version is 'Names the bytes. Made by the server for each upload.';

create or replace trigger objects_claim_file after insert or delete or update of version on storage.objects
  for each row execute function private.claim_file();

-- private.unclaimed_files

create policy server on private.unclaimed_files to kanbase_files using (true) with check (true);

grant insert, select, update, delete on private.unclaimed_files to kanbase_files;
comment on table private.unclaimed_files is 'Files that no object points to: uploads under way, and what is to be removed from the file store.';

-- private.resumable_uploads

create policy server on private.resumable_uploads to kanbase_files using (true) with check (true);

grant insert, select, update, delete on private.resumable_uploads to kanbase_files;
comment on table private.resumable_uploads is 'Uploads under way at /storage/v1/upload/resumable; the bytes lie in the file store under version.';

-- private.removed_files

comment on table private.removed_files is 'Files whose attachment, task, project or account was removed: they go when the time to undo is over.';

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

-- <project_id>/<task_id>/…
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

-- How many were looked at; several nodes may do it at once.
create or replace function private.remove_files_for_good(kept_seconds bigint, at_most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  looked_at int;
begin
  with chosen as materialized (
    select d.bucket_id, d.name from private.removed_files d
    where d.removed_at <= now() - make_interval(secs => kept_seconds)
    order by d.removed_at limit at_most for update skip locked
  ), due as (
    delete from private.removed_files r using chosen
    where r.bucket_id = chosen.bucket_id and r.name = chosen.name
    returning r.*
  ), gone as (
    delete from storage.objects o using due d
    where o.bucket_id = d.bucket_id and o.name = d.name and not case d.belonged_to
      when 'public.task_attachments'::regclass then exists (
        select from public.task_attachments a where a.project_id = private.attachment_project(d.name) and a.object_path = d.name
      )
      when 'public.tasks'::regclass then exists (select from public.tasks t where t.id = d.owner_id)
      when 'public.projects'::regclass then exists (select from public.projects p where p.id = d.owner_id)
      else exists (select from public.profiles p where p.id = d.owner_id)
    end
  )
  select count(*) into looked_at from due;
  return looked_at;
end
$$;
grant execute on function private.remove_files_for_good(bigint,integer) to kanbase_files;

create or replace function private.is_removed_file(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.removed_files r where r.bucket_id = of_bucket and r.name = file_name)
    and not exists (
      select from public.task_attachments a
      where a.project_id = private.attachment_project(file_name) and a.object_path = file_name
    )
    or private.is_put_aside(of_bucket, file_name)
$$;
grant execute on function private.is_removed_file(text,text) to kanbase_files;
comment on function private.is_removed_file(text,text) is 'Whether a file only waits for its removal to become final.';
