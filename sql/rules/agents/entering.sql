-- Entering a session: the rights that a session of an agent or program leaves to a request (header Agent-Session), its limit of writes an hour, and
-- its signs of life. Sessions themselves: sessions.sql.

-- The session that a transaction has entered; null: none.
create or replace function private.session_in(claims text) returns uuid
language sql immutable
return (private.claim_in(claims, 'act') ->> 'session')::uuid;
grant execute on function private.session_in(text) to authenticated, service_role;

create or replace function private.refuse_ended_session(session public.agent_sessions) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('KB023', 'the session of the agent has ended', 'Stop working, or open another one with open_agent_session.', case
    when session.stopped_by is not null then 'A person stopped it.'
    when session.ended_at is not null then 'It was ended as ' || session.state || '.'
    when session.id is null then 'There is no such session of yours.'
    else 'Its time ran out at ' || to_char(session.ends_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '.' end);
end
$$;

-- Of claims: the program of a session, and what a token says of it itself.
create or replace function private.act_of_session(session public.agent_sessions, said jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(session.program, '{"kind": "session", "name": "Agent"}') || coalesce(said, '{}') || jsonb_build_object('session', session.id)
$$;

create or replace function private.is_open_session(session public.agent_sessions) returns boolean
language sql stable
return session.id is not null and session.ended_at is null and session.ends_at > now();

-- What a session leaves of the rights of a token, as the scope of a key says it. In mode propose nothing is written but what is taken back.
create or replace function private.scope_in_session(mode text, scope text, proposes boolean) returns text
language sql immutable set search_path = '' as $$
  select case least(
      case mode when 'write' then 3 when 'comment' then 2 when 'propose' then case when proposes then 3 else 1 end else 1 end,
      case when s.scopes @> '{write}' then 3 when s.scopes @> '{comment}' then 2 when s.scopes @> '{read}' then 1 else 0 end)
    when 3 then 'read comment write' when 2 then 'read comment' when 1 then 'read' else '' end
  from (select string_to_array(scope, ' ') as scopes) s
$$;

-- Writes of one account in sessions come one after another, else those that run at once would count without each other. Taken before all other locks.
create or replace function private.await_session_writes() returns text
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended(private.me()::text, 3091))::text
$$;
grant execute on function private.await_session_writes() to program, authenticated;
comment on function private.await_session_writes() is 'Waits until no other transaction writes in sessions of the caller''s account. Answers an empty text.';

-- Run by the server at the begin of each transaction of a request with the header Agent-Session, whose caller has the role program. A person's own
-- token has no scope, and reaches all that its person reaches. Claims keep their beginning, which private.subject_of reads; of two alike the last counts.
create or replace function private.enter_session(session text, writes boolean, proposes boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  said constant jsonb := claims::jsonb;
  entered public.agent_sessions;
  -- A person's own token has none of these; what narrows a token without a scope lets nothing through.
  own_scope constant text := coalesce(said ->> 'scope', case when said ?| '{scope,projects,client_id,act}' then '' else 'write' end);
  within jsonb := said -> 'projects';
begin
  if writes then
    perform private.await_session_writes();
  end if;
  if session !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    perform private.refuse('22023', 'Agent-Session must be the id of a session', 'Send the "id" that open_agent_session answered.');
  elsif writes then
    select s.* into entered from public.agent_sessions s where s.id = session::uuid and s.user_id = private.me() for key share;
  else
    select s.* into entered from public.agent_sessions s where s.id = session::uuid and s.user_id = private.me();
  end if;
  if private.is_open_session(entered) is not true then
    perform private.refuse_ended_session(entered);
  end if;
  if entered.project_ids is not null then
    within := (
      select coalesce(jsonb_agg(p), '[]') from unnest(entered.project_ids) p where within is null or within ? p::text
    );
  end if;
  if private.is_tainted(entered) then
    within := case when within is null or within ? entered.project_id::text then jsonb_build_array(entered.project_id) else '[]' end;
    perform set_config('kanbase.session_is_tainted', 'on', true);
  end if;
  perform set_config('request.jwt.claims', left(rtrim(claims), -1)
    || ', "scope": ' || to_jsonb(private.scope_in_session(entered.mode, own_scope, proposes))
    || case when within is not null then ', "projects": ' || within::text else '' end
    || ', "act": ' || private.act_of_session(entered, case jsonb_typeof(said -> 'act') when 'object' then said -> 'act' end) || '}', true);
  perform set_config('kanbase.session_proposes', case entered.mode when 'propose' then 'on' else '' end, true);
  if writes then
    perform private.count_session_write(entered);
  end if;
end
$$;
grant execute on function private.enter_session(text, boolean, boolean) to program;
comment on function private.enter_session(text, boolean, boolean) is 'Narrows the caller''s token, for this transaction, to a session of theirs, which is open.';

create or replace function private.refuse_full_hour() returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('KB024', 'as many rows were changed within an hour as the sessions of this account may change', 'Continue later, or ask a person to raise the limit of the agent.');
end
$$;

-- Sessions of one account count together.
create or replace function private.count_session_write(entered public.agent_sessions) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  room constant integer := entered.writes_an_hour - (
    select count(*) from (
      select from public.agent_sessions s join private.session_changes c on c.session_id = s.id
      where s.user_id = entered.user_id and s.last_activity_at > now() - interval '61 minutes' and c.created_at > now() - interval '1 hour'
      limit entered.writes_an_hour
    ) c
  );
begin
  if room <= 0 then
    perform private.refuse_full_hour();
  end if;
  -- Each row takes one away.
  perform set_config('kanbase.session_room', room::text, true);
  perform private.note_session_life(entered);
end
$$;

-- Once in a while: writes of one session that come together do not wait for each other.
create or replace function private.note_session_life(entered public.agent_sessions) returns void
language sql volatile security definer set search_path = '' as $$
  update public.agent_sessions s set last_activity_at = now(), state = case when s.state in ('pending', 'stale') then 'active' else s.state end
  where s.id = (select o.id from public.agent_sessions o where o.id = entered.id
    and (o.state in ('pending', 'stale') or o.last_activity_at < now() - interval '20 seconds') for no key update skip locked)
$$;
