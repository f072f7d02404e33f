-- Work on its way to agents, and sessions of connections of /mcp.

-- Sessions that were opened out of another one, as agents hand over work to each other: how many there were before.
create table private.session_origins (
  session_id uuid primary key references public.agent_sessions (id) on delete cascade,
  from_session_id uuid references public.agent_sessions (id) on delete set null,
  depth integer not null
);
create index session_origins_from_idx on private.session_origins (from_session_id);
alter table private.session_origins enable row level security;

-- `is_own`: opened for this connection, and ends with it.
create table private.session_connections (
  user_id uuid not null references public.profiles (id) on delete cascade,
  connection text not null,
  session_id uuid not null references public.agent_sessions (id) on delete cascade,
  is_own boolean not null,
  primary key (user_id, connection),
  constraint session_connections_connection_is_name check (connection ~ '^[A-Za-z0-9_-]{8,64}$')
);
create index session_connections_session_idx on private.session_connections (session_id);
alter table private.session_connections enable row level security;
