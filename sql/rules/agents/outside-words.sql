-- Words of people from outside: of guests, and of files that were imported. They may be written to mislead an agent, so a session that has read them
-- loses other projects and links outward until a person confirms (enter_session, note_session_change). Reading is noticed where it is allowed, in the
-- policies below: they apply to programs alone, and look at rows only in sessions. The server asks at the end of each transaction of a session,
-- and notes it before the answer leaves (server/session/agent-session.ts). Outside of a session an agent does not see such rows. The policies name a
-- column that differs in each version of a row: live changes ask anew for each, since a row may have become one from outside.

comment on table private.outside_words is 'Ids of rows with words of people from outside the team, and of tasks that have such words under them.';

select private.make_policy(('public.' || t.name)::regclass, 'outside', format('as restrictive to program
  using ((select private.watches_for_outside()) is not true or (private.reads_outside(%s, %s) and %s is not null))', t.id, t.own::text, t.version))
from (values ('tasks', 'id', true, 'version'), ('task_comments', 'id', true, 'version'), ('task_checklist_items', 'id', true, 'version'),
  ('task_attachments', 'id', true, 'version'), ('task_field_values', 'task_id', true, 'version'), ('task_activity', 'task_id', false, 'id'),
  ('notifications', 'task_id', false, 'id'), ('templates', 'id', true, 'version'), ('agent_proposals', 'id', true, 'version')) t (name, id, own, version);

select private.make_trigger(('public.' || t.name)::regclass, t.trigger, format('after insert or update of %s on %%t for each row
  when (current_setting(''role'', true) in (''task_guest'', ''program'') or current_setting(''kanbase.importing'', true) = ''on'')
  execute function private.note_outside_words()', t.columns))
from (values ('tasks', 'tasks_68_note_outside', 'title, description'), ('task_comments', 'task_comments_note_outside', 'body'),
  ('task_checklist_items', 'task_checklist_items_note_outside', 'title'), ('task_attachments', 'task_attachments_note_outside', 'name'),
  ('task_field_values', 'task_field_values_note_outside', 'value')) t (name, trigger, columns);

create or replace function private.note_outside_words() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_row constant jsonb := to_jsonb(new);
begin
  if current_setting('kanbase.importing', true) is distinct from 'on' and current_setting('kanbase.session_is_tainted', true) is distinct from 'on'
    and not private.is_guest(new.project_id, private.me()) then
    return null;
  end if;
  insert into private.outside_words as w (row_id, is_own)
  select r.id::uuid, bool_or(r.is_own) from (values (coalesce(of_row ->> 'id', of_row ->> 'task_id'), true), (of_row ->> 'task_id', false)) r (id, is_own)
  where r.id is not null group by r.id
  on conflict (row_id) do update set is_own = true where excluded.is_own and not w.is_own;
  return null;
end
$$;

-- A template of tasks with such words has them, too.
create or replace trigger templates_note_outside after insert or update on public.templates for each row
  when (new.built_in is null) execute function private.note_outside_template();

create or replace function private.note_outside_template() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outside_words (row_id, is_own)
  select new.id, true
  where current_setting('kanbase.session_is_tainted', true) = 'on' or exists (
    select from jsonb_array_elements(coalesce(new.body -> 'tasks', '[]')) t join private.outside_words w on w.row_id = (t ->> 'id')::uuid)
  on conflict do nothing;
  return null;
end
$$;

create or replace function private.watches_for_outside() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.session_in(current_setting('request.jwt.claims', true)) is not null or private.is_agent(private.me())
$$;
grant execute on function private.watches_for_outside() to authenticated, service_role;
comment on function private.watches_for_outside() is 'Whether it is noted that the caller reads words from outside.';

create or replace function private.reads_outside(row_id uuid, own boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.outside_words w where w.row_id = reads_outside.row_id and (w.is_own or not own)) then
    return true;
  elsif private.session_in(current_setting('request.jwt.claims', true)) is null then
    return false;
  end if;
  perform set_config('kanbase.read_outside_words', 'on', true);
  return true;
end
$$;
grant execute on function private.reads_outside(uuid, boolean) to authenticated, service_role;
comment on function private.reads_outside(uuid, boolean) is 'Whether the caller may read a row; notes that a session has read words from outside.';

-- Names of guests are theirs: of people who work in none of the caller's projects.
create policy outside on public.profiles as restrictive for select to program
  using ((select private.watches_for_outside()) is not true or private.reads_name(id));

create or replace function private.reads_name(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.grants_of_people g where g.user_id = person)
    or exists (select from private.my_memberships m where private.is_member(m.project_id, person)) then
    return true;
  elsif private.session_in(current_setting('request.jwt.claims', true)) is null then
    return false;
  end if;
  perform set_config('kanbase.read_outside_words', 'on', true);
  return true;
end
$$;
grant execute on function private.reads_name(uuid) to authenticated, service_role;
comment on function private.reads_name(uuid) is 'Whether the caller may read the name of a person; notes that a session has read that of a guest.';

create or replace function private.is_tainted(session public.agent_sessions) returns boolean
language sql immutable
return session.tainted_at is not null and session.confirmed_at is null;

create or replace function private.taint_session(session uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.agent_sessions s set tainted_at = now()
  where s.tainted_at is null and s.ended_at is null and s.user_id = (select o.user_id from public.agent_sessions o where o.id = session)
$$;
grant execute on function private.taint_session(uuid) to service_role;
comment on function private.taint_session(uuid) is 'Notes that a session has read words from outside; its program may work in others of its account.';

create or replace function private.confirm_session(session uuid) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  confirmed public.agent_sessions;
begin
  perform private.require_user();
  confirmed := private.find_session(session);
  if not private.answers_for_session(confirmed) or not private.is_writer(confirmed.project_id) then
    perform private.refuse_session_of_others('confirmed');
  elsif not private.is_open_session(confirmed) then
    perform private.refuse_ended_session(confirmed);
  end if;
  -- And those of the same account that the caller answers for: its program works in them, too.
  update public.agent_sessions s set confirmed_at = now()
  where s.user_id = confirmed.user_id and s.ended_at is null and private.is_tainted(s) and private.answers_for_session(s) and private.is_writer(s.project_id);
  select s.* into confirmed from public.agent_sessions s where s.id = confirmed.id;
  return confirmed;
end
$$;
grant execute on function private.confirm_session(uuid) to authenticated;

create or replace function public.confirm_agent_session(session_id uuid) returns public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.confirm_session(confirm_agent_session.session_id)
$$;
grant execute on function public.confirm_agent_session(uuid) to authenticated;
comment on function public.confirm_agent_session(uuid) is 'Lets a session that has read words of people from outside reach other projects and write links again, with other sessions of its account that the caller answers for. For people who are responsible for it, manage the agent, or own the project.';

-- Addresses that a text has and had not before. A scheme is short, or each letter of a long word would be looked on from as the beginning of one.
create or replace function private.adds_links(was jsonb, becomes jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from jsonb_each_text(becomes) n (name, words), lateral (select lower(coalesce(was ->> n.name, '')) as before offset 0) b, lateral (
      select distinct lower(m.found[1]) as address
      from regexp_matches(n.words, '(?:[a-z][a-z0-9+.-]{0,30}:)?[\\/]{2}[^[:space:])>"'']+|(?:mailto|https?):[^[:space:]]+|www\.[^[:space:])>"'']+|&#?[a-z0-9]+;', 'gi') m (found)
    ) a
    where n.name in ('title', 'description', 'body', 'name', 'value', 'note', 'plan', 'links') and position(a.address in b.before) = 0
  )
$$;

create or replace trigger agent_sessions_refuse_links before insert or update on public.agent_sessions for each row
  when (current_setting('role', true) = 'program') execute function private.refuse_tainted_links();
create or replace trigger agent_activities_refuse_links before insert on public.agent_activities for each row
  when (current_setting('role', true) = 'program') execute function private.refuse_tainted_links();
create or replace trigger task_claims_refuse_links before update of note on public.task_claims for each row
  when (current_setting('role', true) = 'program') execute function private.refuse_tainted_links();

create or replace function private.refuse_links() returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('KB026', 'this session has read words of people from outside the team, and adds no links until a person confirms',
    'Leave the address out, or ask the person who is responsible for the session to confirm it.');
end
$$;

-- What a session says of itself.
create or replace function private.refuse_tainted_links() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_row constant jsonb := to_jsonb(new);
  session constant uuid := case tg_table_name when 'agent_sessions' then of_row ->> 'id' when 'agent_activities' then of_row ->> 'session_id'
    else of_row #>> '{program,session}' end::uuid;
begin
  if (of_row ->> 'tainted_at' is not null and of_row ->> 'confirmed_at' is null
      or exists (select from public.agent_sessions s where s.id = session and private.is_tainted(s)))
    and private.adds_links(case when tg_op = 'UPDATE' then to_jsonb(old) end, of_row) then
    perform private.refuse_links();
  end if;
  return new;
end
$$;

-- Copies ----------------------------------------------------------------------------------------------------------------------

create or replace function private.carry_outside_words(from_task uuid, to_task uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.outside_words (row_id, is_own)
  select to_task, w.is_own from private.outside_words w where w.row_id = from_task
  union all
  select i.id, true from public.task_checklist_items i where i.task_id = to_task and exists (
    select from public.task_checklist_items o join private.outside_words w on w.row_id = o.id and w.is_own where o.task_id = from_task)
  on conflict do nothing
$$;
grant execute on function private.carry_outside_words(uuid, uuid) to authenticated, service_role;
comment on function private.carry_outside_words(uuid, uuid) is 'Marks a copy of a task like the task.';

-- Files -----------------------------------------------------------------------------------------------------------------------

create policy outside on storage.objects as restrictive for select to program
  using (bucket_id <> 'attachments' or (select private.watches_for_outside()) is not true or private.reads_outside_file(name));

create or replace function private.reads_outside_file(path text) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.task_attachments a
    where a.project_id = private.attachment_project(path) and a.object_path = path and private.reads_outside(a.id, true) is not true)
$$;
grant execute on function private.reads_outside_file(text) to authenticated;
