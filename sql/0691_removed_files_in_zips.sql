-- A file whose attachment was removed stays for a while, so that undoing brings it back; meanwhile it belongs into no zip of its task.

create function private.is_removed_file(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.removed_files r where r.bucket_id = of_bucket and r.name = file_name)
    and not exists (
      select from public.task_attachments a
      where a.project_id = private.attachment_project(file_name) and a.object_path = file_name
    )
$$;
revoke all on function private.is_removed_file(text, text) from public;
grant execute on function private.is_removed_file(text, text) to kanbase_files;
comment on function private.is_removed_file(text, text) is 'Whether a file only waits for its removal to become final.';
