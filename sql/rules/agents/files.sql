-- Files of attachments in sessions: uploads, replacements and removals of their bytes, noted as rows are (changes.sql). Undoing a session removes what it
-- uploaded, unless an attachment needs it, as it goes for people; bytes that it replaced or removed are gone for good.

create or replace trigger objects_note_session after insert or delete or update of version on storage.objects for each row
  when (current_setting('role', true) = 'program') execute function private.note_session_file();

create or replace function private.note_session_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  session constant uuid := private.session_in(current_setting('request.jwt.claims', true));
  file constant storage.objects := coalesce(new, old);
begin
  if session is null or file.bucket_id <> 'attachments' then
    return null;
  elsif current_setting('kanbase.session_proposes', true) = 'on' then
    perform private.refuse_unproposable();
  end if;
  insert into private.session_changes (session_id, project_id, table_name, was, becomes)
  select session, private.project_of_path(file.bucket_id, file.name), 'storage.objects',
    case when tg_op <> 'INSERT' then w.words end, case when tg_op <> 'DELETE' then w.words end
  from (select jsonb_build_object('id', file.id, 'name', file.name) as words) w;
  return null;
end
$$;

-- One row a file: whether it was there before the session, and whether it was after it.
create or replace function private.files_of_session(of_session uuid) returns table (name text, object_id uuid, project_id uuid, was_there boolean, is_there boolean, places bigint[])
language sql stable security definer set search_path = '' as $$
  select coalesce(c.becomes, c.was) ->> 'name', ((array_agg(coalesce(c.becomes, c.was) ->> 'id' order by c.place desc))[1])::uuid, (array_agg(c.project_id))[1],
    (array_agg(c.was is not null order by c.place))[1], (array_agg(c.becomes is not null order by c.place desc))[1], array_agg(c.place)
  from private.session_changes c
  where c.session_id = of_session and c.table_name = 'storage.objects' and c.undone_at is null
  group by 1
$$;

-- Removes what the session uploaded, and answers the files that stay as they are.
create or replace function private.undo_files(of_session uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  stays jsonb;
begin
  if not exists (select from public.agent_sessions s where s.id = of_session and private.may_undo(s)) then
    return '[]';
  end if;
  with uploaded as (
    select f.* from private.files_of_session(of_session) f where not f.was_there and private.is_writer(f.project_id)
  ), removed as (
    insert into private.removed_files (bucket_id, name, belonged_to, owner_id)
    select 'attachments', u.name, 'public.task_attachments'::regclass, u.object_id from uploaded u
    where u.is_there and not exists (select from public.task_attachments a where a.project_id = u.project_id and a.object_path = u.name)
    on conflict (bucket_id, name) do nothing
  )
  update private.session_changes c set undone_at = now() from uploaded u where c.session_id = of_session and c.place = any (u.places);
  select jsonb_agg(jsonb_build_object('table', 'storage.objects', 'id', f.object_id, 'task_id', t.id, 'title', storage.filename(f.name),
      'change', case when f.is_there then 'update' else 'delete' end, 'columns', '{}'::text[], 'code', 'file',
      'reason', case when f.is_there then 'its file has been replaced for good' else 'its file has been deleted for good' end) order by f.name)
  into stays
  from private.files_of_session(of_session) f left join public.tasks t on t.id = private.attachment_task(f.name)
  where f.was_there and private.is_reader(f.project_id) and private.sees_audience(f.project_id, t.audience_id);
  return coalesce(stays, '[]');
end
$$;
grant execute on function private.undo_files(uuid) to authenticated;
