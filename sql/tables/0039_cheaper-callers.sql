-- The role of callers who may be guests: a member of authenticated, so that what holds for people holds for it. Policies for it say what is taken
-- away from guests, and cost nobody else anything.

select private.ensure_role('task_guest', 'nologin inherit');
select private.let_become('task_guest');
do $$
begin
  if not pg_catalog.pg_has_role('task_guest', 'authenticated', 'usage') then
    grant authenticated to task_guest;
  end if;
exception when unique_violation or internal_error then
  -- another node granted it at the same moment
  null;
end
$$;

-- The server puts "sub" in front of the claims (server/session/open-sessions.ts), where it is taken from the text: to parse all of them costs a short
-- statement a tenth of its time. As in 0001, without a search_path, so that it is inlined.
create function private.subject_of(claims text) returns uuid
language sql immutable
return case
  when starts_with(claims, '{"sub":"') and substr(claims, 45, 2) = '",' then substr(claims, 9, 36)::uuid
  else nullif(nullif(claims, '')::jsonb ->> 'sub', '')::uuid
end;
grant execute on function private.subject_of(text) to public;

create or replace function auth.uid() returns uuid
language sql stable
return private.subject_of(current_setting('request.jwt.claims', true));

-- A part of the claims that few have.
create function private.claim_in(claims text, name text) returns jsonb
language sql immutable
return case when position('"' || name || '"' in claims) > 0 then claims::jsonb -> name end;
grant execute on function private.claim_in(text, text) to public;

alter table public.task_activity alter column program set default private.claim_in(current_setting('request.jwt.claims', true), 'act');
alter table public.task_comments alter column program set default private.claim_in(current_setting('request.jwt.claims', true), 'act');
alter table public.notifications alter column program set default private.claim_in(current_setting('request.jwt.claims', true), 'act');

drop function if exists private.only_tasks_of_guests(text, text);
