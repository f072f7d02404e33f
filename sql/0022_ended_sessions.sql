-- Sessions that ended while access tokens of theirs may be alive. Doors that trust a token's signature learn of them here:
-- by a message when it happens, and by looking, when they start and now and then.

create table auth.ended_sessions (
  id uuid primary key,
  ended_at timestamptz not null default clock_timestamp()
);

create index ended_sessions_ended_at_idx on auth.ended_sessions (ended_at);

alter table auth.ended_sessions enable row level security;
create policy identity_room on auth.ended_sessions to kanbase_identity using (true) with check (true);
revoke all on auth.ended_sessions from public;
grant select, insert, delete on auth.ended_sessions to kanbase_identity;
-- No update: what has ended stays so until auth.sweep takes it away.

-- However a session ends: signed out, expired, banned, or with its account. One message for each statement; an empty one
-- asks to look, when there are too many to name.
create function auth.note_ended_sessions() returns trigger
language plpgsql set search_path = '' as $$
declare
  ids text;
  n int;
begin
  -- Access tokens live seven days at most.
  with noted as (
    insert into auth.ended_sessions (id) select id from gone where refreshed_at > now() - interval '7 days' returning id
  )
  select string_agg(id::text, ','), count(*) into ids, n from noted;
  if n > 0 then
    perform pg_notify('kanbase_ended_sessions', case when n > 200 then '' else ids end);
  end if;
  return null;
end
$$;
revoke all on function auth.note_ended_sessions() from public;

create trigger note_ended after delete on auth.sessions
  referencing old table as gone for each statement execute function auth.note_ended_sessions();

-- Who is banned or deleted softly is signed out, whoever writes that down: the server, or an operator with a client of SQL.
create function auth.end_sessions_of_outcasts() returns trigger
language plpgsql set search_path = '' as $$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$$;
revoke all on function auth.end_sessions_of_outcasts() from public;

create trigger end_sessions after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null)
  execute function auth.end_sessions_of_outcasts();

comment on table auth.ended_sessions is 'Sessions that ended lately: their access tokens are turned away.';
comment on function auth.end_sessions_of_outcasts() is 'Signs out who is banned or deleted softly.';
comment on function auth.note_ended_sessions() is 'Notes sessions that end and tells the nodes.';
