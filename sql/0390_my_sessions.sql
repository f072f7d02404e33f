-- Where one is signed in, and signing out a single device. Accounts' own business, over the data door; what ends with the
-- session, and how every door learns of it, is in 0022_ended_sessions.sql.

-- No refresh counter, no factor, no account id: nothing but what a person recognises a device by.
create function private.sessions_of_caller()
returns table (
  id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz, aal text, is_current boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return query
    select s.id, s.user_agent, host(s.ip), s.created_at, s.refreshed_at, s.aal,
      s.id::text is not distinct from auth.jwt() ->> 'session_id'
    from auth.sessions s
    where s.user_id = me and (s.not_after is null or s.not_after > now())
    order by 7 desc, s.refreshed_at desc, s.id;
end
$$;
grant execute on function private.sessions_of_caller() to authenticated, service_role;

create function public.list_my_sessions()
returns table (
  id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz, aal text, is_current boolean
)
language sql stable set search_path = '' as $$
  select * from private.sessions_of_caller()
$$;
grant execute on function public.list_my_sessions() to authenticated;

-- Whoever has the password alone gets no further than require_user, so they sign out nobody who has the second factor too.
create function private.end_session_of_caller(session_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = end_session_of_caller.session_id and s.user_id = me;
  if not found then
    raise exception using
      errcode = 'PT404',
      message = 'no such session',
      hint = 'It has ended already, or it is not yours. list_my_sessions tells those you have.';
  end if;
  perform auth.note_event('logout', u, jsonb_build_object('scope', 'session', 'session_id', end_session_of_caller.session_id))
  from auth.users u where u.id = me;
end
$$;
grant execute on function private.end_session_of_caller(uuid) to authenticated, service_role;

create function public.end_my_session(session_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_session_of_caller(end_my_session.session_id)
$$;
grant execute on function public.end_my_session(uuid) to authenticated;

comment on function private.sessions_of_caller() is 'The caller''s sessions, as list_my_sessions shows them.';
comment on function private.end_session_of_caller(uuid) is 'Ends a session of the caller''s, for end_my_session.';
comment on function public.list_my_sessions() is 'Where the caller is signed in: the session that asks first, then those seen last. last_seen_at and address are those of the last refresh; aal is aal2 once a second factor was used.';
comment on function public.end_my_session(session_id uuid) is 'Signs out one session of the caller''s, also the one that asks. Its tokens are turned away at every door from then on. 404 for any other.';
