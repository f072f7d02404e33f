-- A broadcast that its sender wants kept is sent at once and kept beside that: the row is not sent again when it is read from
-- the log. How long it is kept is the sender's to say, within the days that all are.

alter table realtime.messages
  add column expires_at timestamp,
  add column skip_broadcast boolean not null default false;
create index messages_expires_at_idx on realtime.messages (expires_at) where expires_at is not null;
comment on column realtime.messages.expires_at is 'From when on it is not replayed any more; null: as long as all messages are kept.';
comment on column realtime.messages.skip_broadcast is 'It has been sent already: it is there to be replayed.';

-- Makes the partitions of today and the next two days and drops those older than so many days, and what its sender wanted no
-- longer than until now. The server asks for it.
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
