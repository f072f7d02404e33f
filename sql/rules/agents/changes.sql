-- Changes within sessions, row by row, as they were and as they became: what a proposal shows, and what undoing goes back to. Written by a trigger of
-- every table of a project's rows (access/table-declarations.sql), which fires for programs alone and writes nothing outside of a session. It refuses what a
-- session in mode propose changes outside of a trial (proposals.sql), through any door.

comment on table private.session_changes is 'Rows that were changed in sessions of agents, in the order of `place`.';

create or replace function private.note_session_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  session constant uuid := private.session_in(current_setting('request.jwt.claims', true));
  was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  becomes constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  room constant integer := nullif(current_setting('kanbase.session_room', true), '')::integer - 1;
begin
  -- What people are told comes and goes with what they are told of.
  if session is null or tg_table_name = 'notifications' then
    return null;
  elsif current_setting('kanbase.session_proposes', true) = 'on' then
    perform private.refuse_unproposable();
  elsif current_setting('kanbase.session_is_tainted', true) = 'on' and private.adds_links(was, becomes) then
    perform private.refuse_links();
  elsif exists (select from private.outside_words w where w.row_id = (coalesce(becomes, was) ->> 'id')::uuid and w.is_own) then
    perform set_config('kanbase.read_outside_words', 'on', true);
  end if;
  -- A hidden task gives way to one that is placed (tasks/ranks.sql): not the session's doing.
  if current_setting('kanbase.spreading', true) = 'on'
    and not private.sees_audience((coalesce(becomes, was) ->> 'project_id')::uuid, (coalesce(becomes, was) ->> 'audience_id')::uuid) then
    return null;
  elsif room < 0 then
    perform private.refuse_full_hour();
  elsif was - '{updated_at,version}'::text[] is distinct from becomes - '{updated_at,version}'::text[] then
    insert into private.session_changes (session_id, project_id, table_name, was, becomes)
    values (session, (coalesce(becomes, was) ->> case tg_table_name when 'projects' then 'id' else 'project_id' end)::uuid, tg_table_name, was, becomes);
    perform set_config('kanbase.session_room', room::text, true) where room is not null;
  end if;
  return null;
end
$$;
