-- Messages of /realtime/v1: sending from SQL, policies of private topics, and partitions by day. Names and arguments are those of Supabase.
-- Topics of the app: project:<id> and project:<id>:… for members of the project, project:<id>:task:<id> and what goes on from it for those of them
-- who see the task, user:<id> and user:<id>:… for that person alone. A task that is hidden is answered like one that is not there.

create policy listen_to_own_projects on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and exists (select from private.my_memberships m where m.project_id = (select private.topic_project())));
create policy speak_in_own_projects on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence') and exists (select from private.my_memberships m where m.project_id = (select private.topic_project())));
create policy seen_tasks on realtime.messages as restrictive to authenticated
  using ((select private.topic_task()) is null
    or exists (select from public.tasks t where t.id = (select private.topic_task()) and t.project_id = (select private.topic_project())));
create policy service on realtime.messages to service_role using (true) with check (true);
create policy realtime_room on realtime.messages to kanbase_realtime using (true) with check (true);
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
select private.narrowed_rows('realtime.messages', 'comment', false, project => '(select private.topic_project())');

grant insert, select on realtime.messages to anon, authenticated;
grant all on realtime.messages to service_role;
grant insert, select, delete on realtime.messages to kanbase_realtime;
comment on table realtime.messages is 'Messages sent to private and public channels from SQL or kept by their senders; swept after a few days.';
comment on column realtime.messages.expires_at is 'From when on it is not replayed any more; null: as long as all messages are kept.';
comment on column realtime.messages.skip_broadcast is 'It has been sent already: it is there to be replayed.';

create or replace function realtime.topic() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
grant execute on function realtime.topic() to anon, authenticated, service_role, kanbase_realtime;
comment on function realtime.topic() is 'The topic of the channel a caller wants to join or send to.';

-- The id in `project:<id>` and its subtopics.
create or replace function private.topic_project() returns uuid
language sql stable set search_path = '' as $$
  select substring(realtime.topic() from '^project:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::.*)?$')::uuid
$$;
grant execute on function private.topic_project() to anon, authenticated, service_role;

-- The second id in `project:<id>:task:<id>` and its subtopics.
create or replace function private.topic_task() returns uuid
language sql stable set search_path = '' as $$
  select substring(realtime.topic() from '^project:[^:]+:task:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::.*)?$')::uuid
$$;
grant execute on function private.topic_task() to anon, authenticated, service_role;

-- A failure is a warning: the write that wanted to send goes on.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = '' as $$
declare
  message_id constant uuid := gen_random_uuid();
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (
      message_id,
      case when jsonb_typeof(payload) = 'object' and not payload ? 'id' then payload || jsonb_build_object('id', message_id) else payload end,
      event, topic, private, 'broadcast'
    );
  exception when others then
    raise warning 'the message to topic % was not sent: %', topic, sqlerrm;
  end;
end
$$;
grant execute on function realtime.send(jsonb, text, text, boolean) to anon, authenticated, service_role;
comment on function realtime.send(jsonb, text, text, boolean) is 'Sends a message to a channel when the transaction commits.';

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
language plpgsql set search_path = '' as $$
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'the message to topic % was not sent: %', topic, sqlerrm;
  end;
end
$$;
grant execute on function realtime.send_binary(bytea, text, text, boolean) to anon, authenticated, service_role;
comment on function realtime.send_binary(bytea, text, text, boolean) is 'Sends a binary message to a channel when the transaction commits.';

-- In a trigger: perform realtime.broadcast_changes(topic, tg_op, tg_op, tg_table_name, tg_table_schema, new, old).
create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW'
) returns void
language plpgsql set search_path = '' as $$
begin
  if level = 'STATEMENT' then
    raise exception 'realtime.broadcast_changes tells of rows, not of statements' using hint = 'Make the trigger "for each row".';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'realtime.broadcast_changes does not know the operation %', operation using hint = 'INSERT, UPDATE or DELETE.';
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name
  );
end
$$;
grant execute on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) to anon, authenticated, service_role;
comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is 'Sends a row''s change to a channel; for triggers.';

-- Run by the server: makes the partitions of today and the next two days, drops those older than `days`, deletes expired messages.
create or replace function private.keep_message_partitions(days int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  day date;
  old text;
begin
  -- one node at a time
  perform pg_advisory_xact_lock(7003110517);
  for day in select generate_series(today, today + 2, interval '1 day')::date loop
    continue when to_regclass(format('realtime.messages_%s', to_char(day, 'YYYY_MM_DD'))) is not null;
    begin
      execute format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        'messages_' || to_char(day, 'YYYY_MM_DD'), day, day + 1
      );
      execute format('alter table realtime.%I enable row level security', 'messages_' || to_char(day, 'YYYY_MM_DD'));
    exception when check_violation then
      -- messages of that day lie in the rest already, and stay there
      null;
    end;
  end loop;
  for old in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
      and to_date(substring(c.relname from 10), 'YYYY_MM_DD') < today - days
  loop
    execute format('drop table realtime.%I', old);
  end loop;
  delete from realtime.messages_rest where inserted_at < today - days;
  delete from realtime.messages where expires_at <= now() at time zone 'utc';
end
$$;
grant execute on function private.keep_message_partitions(integer) to kanbase_realtime;
