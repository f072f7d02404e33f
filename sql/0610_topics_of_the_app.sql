-- The topics that the app joins: of a project, and within it of a task or of its figures, for its members; of a person,
-- and within it of what is theirs, for that person alone.

create or replace function private.topic_project() returns uuid
language sql stable set search_path = '' as $$
  select substring(realtime.topic() from '^project:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::.*)?$')::uuid
$$;

create policy listen_to_own on realtime.messages for select to authenticated
  using (
    extension in ('broadcast', 'presence')
    and split_part((select realtime.topic()), ':', 1) = 'user' and split_part((select realtime.topic()), ':', 2) = (select private.me())::text
  );
create policy speak_to_own on realtime.messages for insert to authenticated
  with check (
    extension in ('broadcast', 'presence')
    and split_part((select realtime.topic()), ':', 1) = 'user' and split_part((select realtime.topic()), ':', 2) = (select private.me())::text
  );
