-- The timelines this database has been on: whoever takes over as the primary begins a new one, and a server notes it here before it
-- lets a replica answer. A replica that does not know the primary's timeline has not followed it there, however far its log goes.

select private.add_room_role('kanbase_replica');
grant usage on schema private to kanbase_replica;

create table private.timelines (
  timeline text primary key,
  noted_at timestamptz not null default now()
);
alter table private.timelines enable row level security;
create policy replica_room on private.timelines to kanbase_replica using (true) with check (true);
grant select, insert on private.timelines to kanbase_replica;
