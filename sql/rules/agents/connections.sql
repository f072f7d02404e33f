-- Sessions of connections: a client of /mcp works in one session, which is found again by the name of the connection. It is opened for it at its first
-- write and ends after half an hour of silence; or the client has taken up one that was handed over to its agent, which goes on.

comment on table private.session_connections is 'The session that a connection of a client works in.';

create or replace function private.connect_session(connection text, session uuid, in_project uuid, called text, leaves boolean) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.me();
  bound public.agent_sessions;
begin
  if me is null then
    perform private.require_second_factor();
    perform private.refuse('42501', 'a session belongs to a person or an agent', 'Send the token or key of one.');
  elsif coalesce(connection, '') !~ '^[A-Za-z0-9_-]{8,64}$' then
    perform private.refuse('22023', 'a connection has a name of 8 to 64 letters, digits, - and _', 'Send one as "connection".');
  elsif leaves then
    perform private.leave_connection(connection);
  end if;
  if session is not null then
    select s.* into bound from public.agent_sessions s where s.id = session and s.user_id = me;
    if not found then
      perform private.raise_not_found('session');
    elsif not private.is_open_session(bound) then
      perform private.refuse_ended_session(bound);
    end if;
    perform private.leave_connection(connection);
    insert into private.session_connections (user_id, connection, session_id, is_own) values (me, connect_session.connection, session, false);
    return bound;
  end if;
  if in_project is not null then
    perform from public.profiles p where p.id = me for no key update;
  end if;
  select s.* into bound from private.session_connections c join public.agent_sessions s on s.id = c.session_id
  where c.user_id = me and c.connection = connect_session.connection;
  if private.is_open_session(bound) then
    return bound;
  elsif in_project is null then
    return null;
  elsif bound.stopped_by is not null then
    perform private.refuse_ended_session(bound);
  end if;
  -- Where many clients come and go, before they are too many.
  perform private.end_silent_connections(me, case when (
    select count(*) from public.agent_sessions s where s.user_id = me and private.is_open_session(s)) >= 40 then interval '2 minutes' else interval '30 minutes' end, 1000);
  bound := private.open_session(in_project, null, null, left(coalesce(nullif(btrim(called), ''), auth.jwt() #>> '{act,name}'), 200), null, null);
  insert into private.session_connections (user_id, connection, session_id, is_own) values (me, connect_session.connection, bound.id, true)
  on conflict on constraint session_connections_pkey do update set session_id = excluded.session_id, is_own = true;
  return bound;
end
$$;
grant execute on function private.connect_session(text, uuid, uuid, text, boolean) to authenticated;

create or replace function public.connect_agent_session(
  connection text, session_id uuid default null, project_id uuid default null, title text default null, leave boolean default false
) returns setof public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.connect_session(connect_agent_session.connection, connect_agent_session.session_id, connect_agent_session.project_id,
    connect_agent_session.title, connect_agent_session.leave) s where s.id is not null
$$;
grant execute on function public.connect_agent_session(text, uuid, uuid, text, boolean) to authenticated;
comment on function public.connect_agent_session(text, uuid, uuid, text, boolean) is 'The open session of the caller that a connection works in, if there is one. With `session_id` it takes up that one; with `project_id` one is opened where there is none, unless a person stopped the last one; `leave` first leaves the one there is, and ends it if it was opened so.';

create or replace function private.leave_connection(connection text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  left_ private.session_connections;
begin
  delete from private.session_connections c where c.user_id = private.me() and c.connection = leave_connection.connection returning * into left_;
  if left_.is_own then
    perform private.end_sessions(array[left_.session_id], 'complete');
  end if;
end
$$;

-- Of an account, or of all. Not while tasks are claimed in them.
create or replace function private.end_silent_connections(account uuid, silence interval, most integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant uuid[] := array(
    select s.id from private.session_connections c join public.agent_sessions s on s.id = c.session_id
    where c.is_own and (account is null or c.user_id = account) and s.ended_at is null and s.last_activity_at < now() - silence
      and not exists (select from public.task_claims k where k.user_id = s.user_id and k.ended_at is null and k.program ->> 'session' = s.id::text)
    order by s.id limit most for no key update of s skip locked);
begin
  perform private.end_sessions(due, 'complete');
  return cardinality(due);
end
$$;
comment on function private.end_silent_connections(uuid, interval, integer) is 'Ends sessions that were opened for a connection which has been silent for so long. Answers how many.';
