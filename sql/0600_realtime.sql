-- What /realtime/v1 rests on: messages sent from SQL, who may listen and speak on a private topic, and which tables'
-- changes are told. Names and arguments are those that Supabase's users know.

create schema if not exists realtime;
comment on schema realtime is 'Messages to channels of /realtime/v1, and who may read and send them.';
revoke all on schema realtime from public;
grant usage on schema realtime to anon, authenticated, service_role;

select private.add_room_role('kanbase_realtime');
grant usage on schema realtime, private to kanbase_realtime;

-- Messages -----------------------------------------------------------------------------------------------------------

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
  primary key (id, inserted_at)
) partition by range (inserted_at);

-- Takes what falls on a day that has no partition yet.
create table realtime.messages_rest partition of realtime.messages default;

-- Replay: the latest messages of a topic.
create index messages_topic_inserted_at_idx on realtime.messages (topic, inserted_at desc) where extension = 'broadcast';

alter table realtime.messages enable row level security;
-- Reached through the parent alone.
alter table realtime.messages_rest enable row level security;

-- The topic a caller wants to join or send to.
create function realtime.topic() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
grant execute on function realtime.topic() to anon, authenticated, service_role, kanbase_realtime;

-- Kanbase's own private topics: `project:<id>` belongs to those who can see the project.
create function private.topic_project() returns uuid
language sql stable set search_path = '' as $$
  select substring(realtime.topic() from '^project:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$')::uuid
$$;
grant execute on function private.topic_project() to anon, authenticated, service_role;

create policy listen_to_own_projects on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence') and exists (select from public.projects p where p.id = (select private.topic_project())));
create policy speak_in_own_projects on realtime.messages for insert to authenticated
  with check (extension in ('broadcast', 'presence') and exists (select from public.projects p where p.id = (select private.topic_project())));
create policy service on realtime.messages to service_role using (true) with check (true);
create policy realtime_room on realtime.messages to kanbase_realtime using (true) with check (true);

-- Policies decide: without one nobody reads or sends on a private topic.
grant select, insert on realtime.messages to anon, authenticated;
grant all on realtime.messages to service_role;
grant select, insert, delete on realtime.messages to kanbase_realtime;

-- Sends to whoever has joined the topic, when the transaction commits. What hinders it is a warning: the write that
-- wanted to tell of itself goes on.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
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

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
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

-- For triggers of one's own: perform realtime.broadcast_changes(topic, tg_op, tg_op, tg_table_name, tg_table_schema, new, old).
create function realtime.broadcast_changes(
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

grant execute on function
  realtime.send(jsonb, text, text, boolean),
  realtime.send_binary(bytea, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  to anon, authenticated, service_role;

-- Makes the partitions of today and the next two days and drops those older than so many days. The server asks for it.
create function private.keep_message_partitions(days int) returns void
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
end
$$;
grant execute on function private.keep_message_partitions(int) to kanbase_realtime;

-- Changes ------------------------------------------------------------------------------------------------------------

-- Whose changes are told: add a table of your own with "alter publication supabase_realtime add table …".
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime with (publish_via_partition_root = true);
  end if;
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication for table realtime.messages
      with (publish = 'insert', publish_via_partition_root = true);
  end if;
end
$$;

-- Whether somebody could see a row that is gone is asked of the whole old row, so it must be in the log.
create function private.publish_table(relation regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('alter table %s replica identity full', relation);
  if not exists (
    select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
    where p.pubname = 'supabase_realtime' and r.prrelid = relation
  ) then
    execute format('alter publication supabase_realtime add table %s', relation);
  end if;
end
$$;

-- Tables of schema public that this transaction made or altered: called at the end of each migration of Kanbase's own.
create function private.publish_touched_tables() returns void
language sql set search_path = '' as $$
  select private.publish_table(c.oid::regclass) from pg_catalog.pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and c.xmin::text::bigint = pg_current_xact_id()::text::bigint % 4294967296
  order by c.relname
$$;

select private.publish_table(c.oid::regclass) from pg_catalog.pg_class c
where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
order by c.relname;

-- Where Postgres may not decode its log: triggers that the server puts on the tables of the publication write here,
-- within the transaction of whoever writes. Unlogged: after a crash clients read anew anyway.
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
create policy realtime_room on private.changes to kanbase_realtime using (true) with check (true);
grant select, delete on private.changes to kanbase_realtime;

create function private.note_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.changes (relation, kind, old, new)
  values (tg_relid, tg_op, case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
  perform pg_notify('kanbase_changes', '');
  return null;
end
$$;

-- Puts the triggers on the tables that are told of, or takes them away. Run by the owner of the tables.
create function private.follow_with_triggers(wanted boolean) returns void
language plpgsql set search_path = '' as $$
declare
  found record;
begin
  perform pg_advisory_xact_lock(7003110518);
  for found in
    select c.oid::regclass as relation, (select n.nspname from pg_catalog.pg_namespace n where n.oid = c.relnamespace) as schema, c.oid = 'realtime.messages'::regclass as is_messages,
      exists (select from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgname = 'kanbase_changes') as has,
      exists (
        select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
        where r.prrelid = c.oid and p.pubname in ('supabase_realtime', 'supabase_realtime_messages_publication')
      ) as told
    from pg_catalog.pg_class c where c.relkind in ('r', 'p') and not c.relispartition
  loop
    if found.has and not (wanted and found.told) then
      execute format('drop trigger kanbase_changes on %s', found.relation);
    elsif wanted and found.told and not found.has then
      execute format(
        'create trigger kanbase_changes after %s on %s for each row execute function private.note_change()',
        case when found.is_messages then 'insert' else 'insert or update or delete' end, found.relation
      );
      -- the server reads the noted rows back as rows of their table
      execute format('grant usage on schema %I to kanbase_realtime', found.schema);
    end if;
  end loop;
end
$$;

comment on table realtime.messages is 'Messages sent to private and public channels from SQL or kept by their senders; swept after a few days.';
comment on function realtime.topic() is 'The topic of the channel a caller wants to join or send to.';
comment on function realtime.send(jsonb, text, text, boolean) is 'Sends a message to a channel when the transaction commits.';
comment on function realtime.send_binary(bytea, text, text, boolean) is 'Sends a binary message to a channel when the transaction commits.';
comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is 'Sends a row''s change to a channel; for triggers.';
comment on table private.changes is 'Changes noted by triggers, where Postgres'' log cannot be decoded.';
