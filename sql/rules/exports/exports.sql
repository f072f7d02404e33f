-- Exports: the data a person sees of a project, or of all of theirs, written into a file by the server in the background. A row is requested,
-- claimed by one node, updated with its progress, and done: the file is then an object of the bucket `exports`, which its owner alone sees and
-- signs links for, and which is deleted a day later. The server reads the contents with the rights of the owner, never here.

comment on table private.exports is 'Exports that were asked for: how far each is, where its file lies, and until when.';
create or replace trigger exports_remove_file after delete on private.exports for each row when (old.object_name is not null)
  execute function private.remove_file_of_export();

-- Also when a membership or the account ends (access/grants.sql).
create or replace function private.remove_file_of_export() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o where o.bucket_id = 'exports' and o.name = old.object_name;
  return null;
end
$$;
comment on function private.remove_file_of_export() is 'Removes the file of an export with its row.';

create or replace function private.export_as_json(one private.exports) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', one.id, 'project_id', one.project_id, 'format', one.format, 'state', one.state, 'done', one.done, 'total', one.total,
    'path', one.object_name, 'size_bytes', one.size_bytes, 'error', one.error, 'created_at', one.created_at, 'finished_at', one.finished_at,
    'expires_at', one.expires_at)
$$;
grant execute on function private.export_as_json(private.exports) to authenticated;

create or replace function private.make_export(of_project uuid, as_format text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  made private.exports;
begin
  perform pg_advisory_xact_lock(hashtextextended(me::text, 3086));
  -- Asked twice, while it is written: it is the same one.
  select e.* into made from private.exports e
  where e.user_id = me and e.project_id is not distinct from of_project and e.format = as_format and e.state in ('waiting', 'running')
  order by e.created_at desc limit 1;
  if found then
    return private.export_as_json(made);
  elsif (select count(*) from private.exports e where e.user_id = me and e.state in ('waiting', 'running')) >= 5 then
    perform private.refuse('PT429', 'five exports are being written already', 'Wait until one of them is done, or cancel one with cancel_export.');
  elsif (select count(*) from private.exports e where e.user_id = me and e.created_at > now() - interval '1 hour') >= 30 then
    perform private.refuse('PT429', 'thirty exports were asked for within an hour', 'Download one of those that are there, or ask again later.');
  end if;
  insert into private.exports (user_id, project_id, format) values (me, of_project, as_format) returning * into made;
  perform pg_notify('kanbase_exports', '');
  return private.export_as_json(made);
end
$$;
grant execute on function private.make_export(uuid, text) to authenticated;

create or replace function public.begin_export(format text, project_id uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if begin_export.format is null or begin_export.format not in ('json', 'zip', 'csv', 'markdown', 'ical') then
    perform private.refuse('22023', format('there is no export as %s', coalesce(begin_export.format, 'nothing')),
      'Choose json, zip, csv, markdown or ical.');
  elsif begin_export.project_id is not null then
    perform private.require_project(begin_export.project_id);
  end if;
  return private.make_export(begin_export.project_id, begin_export.format);
end
$$;
grant execute on function public.begin_export(text, uuid) to service_role, authenticated;
comment on function public.begin_export(text, uuid) is 'Asks for an export of what the caller sees: of a project, or without project_id of all of theirs, as json, zip (the same with its files), csv, markdown or ical. Returns it as my_exports does; asking again while it is written returns the same one.';

create or replace function private.list_exports() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.export_as_json(e) order by e.created_at desc, e.id desc), '[]')
  from private.exports e where e.user_id = private.require_user() and e.expires_at > now()
$$;
grant execute on function private.list_exports() to authenticated;

create or replace function public.my_exports() returns jsonb
language sql stable set search_path = '' as $$
  select private.list_exports()
$$;
grant execute on function public.my_exports() to service_role, authenticated;
comment on function public.my_exports() is 'The caller''s exports, the newest first: [{id, project_id, format, state: waiting, running, done or failed, done, total, path, size_bytes, error, created_at, finished_at, expires_at}]. A signed link of `path` in the bucket `exports` downloads the file until expires_at.';

create or replace function private.drop_export(export uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone private.exports;
begin
  delete from private.exports e where e.id = export and e.user_id = private.require_user() returning * into gone;
  if not found then
    perform private.raise_not_found('export');
  end if;
  delete from storage.objects o where o.bucket_id = 'exports' and o.name = gone.object_name;
end
$$;
grant execute on function private.drop_export(uuid) to authenticated;

create or replace function public.cancel_export(export_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.drop_export(export_id)
$$;
grant execute on function public.cancel_export(uuid) to service_role, authenticated;
comment on function public.cancel_export(uuid) is 'Stops an export of the caller''s, or removes the file of one that is done.';

-- Claims the oldest that waits, or one whose node has not been heard of for two minutes.
create or replace function private.next_export() returns table (id uuid, attempt integer, user_id uuid, project_id uuid, format text, version text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_one private.exports;
begin
  update private.exports e set state = 'failed', error = 'stopped', finished_at = now()
  where e.state = 'running' and e.attempt >= 3 and e.heard_at < now() - interval '2 minutes';
  select e.* into found_one from private.exports e
  join auth.users u on u.id = e.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
  where e.state = 'waiting' or (e.state = 'running' and e.heard_at < now() - interval '2 minutes')
  order by e.created_at, e.id
  limit 1 for update of e skip locked;
  if not found then
    return;
  end if;
  update private.exports e
  set state = 'running', attempt = e.attempt + 1, heard_at = now(), done = 0, total = 0, version = gen_random_uuid()::text
  where e.id = found_one.id returning e.* into found_one;
  -- Whatever comes of it: the bytes of one that is never finished are removed.
  insert into private.unclaimed_files (version, due_at) values (found_one.version, now() + interval '1 day');
  return query select found_one.id, found_one.attempt, found_one.user_id, found_one.project_id, found_one.format, found_one.version;
end
$$;
grant execute on function private.next_export() to kanbase_exports;

-- Progress; false: the export was cancelled, or another node writes it.
create or replace function private.report_export_progress(export uuid, of_attempt integer, rows_done integer, rows_total integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.exports e set done = rows_done, total = rows_total, heard_at = now()
  where e.id = export and e.attempt = of_attempt and e.state = 'running';
  return found;
end
$$;
grant execute on function private.report_export_progress(uuid, integer, integer, integer) to kanbase_exports;

create or replace function private.finish_export(
  export uuid, of_attempt integer, file_name text, size bigint, md5 text, content_type text
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  one private.exports;
begin
  update private.exports e
  set state = 'done', done = e.total, object_name = concat_ws('/', e.user_id, e.id, file_name), size_bytes = size, finished_at = now(),
    expires_at = now() + interval '1 day'
  where e.id = export and e.attempt = of_attempt and e.state = 'running' returning e.* into one;
  if not found then
    return false;
  end if;
  insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version)
  values ('exports', one.object_name, one.user_id, one.user_id::text, jsonb_build_object('eTag', format('"%s"', md5), 'size', size, 'mimetype', content_type,
    'cacheControl', 'no-store', 'lastModified', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'contentLength', size,
    'httpStatusCode', 200), '{}', one.version);
  return true;
end
$$;
grant execute on function private.finish_export(uuid, integer, text, bigint, text, text) to kanbase_exports;

-- Given up: with a reason, or for another node (`error` null) when this one stops.
create or replace function private.release_export(export uuid, of_attempt integer, reason text) returns void
language sql volatile security definer set search_path = '' as $$
  update private.exports e set state = case when reason is null then 'waiting' else 'failed' end, error = reason,
    attempt = case when reason is null then e.attempt - 1 else e.attempt end,
    finished_at = case when reason is not null then now() end
  where e.id = export and e.attempt = of_attempt and e.state = 'running';
$$;
grant execute on function private.release_export(uuid, integer, text) to kanbase_exports;

create or replace function private.sweep_exports() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone integer;
begin
  delete from private.exports e where e.expires_at < now() and e.state <> 'running';
  delete from storage.objects o where o.bucket_id = 'exports' and not exists (
    select from private.exports e where e.object_name = o.name
  );
  get diagnostics gone = row_count;
  return gone;
end
$$;
grant execute on function private.sweep_exports() to kanbase_exports;
