-- Agents: service accounts (people/service-accounts.sql) that work in sessions (sessions.sql) and write in no other way: outside of one, keys and
-- clients of an agent only read (private.my_token). Whoever manages the service account sets what its sessions may do.

select private.served_rows('public.agents', updates => '{about, mode, writes_an_hour, session_minutes}', clients => 'select', program => 'none');
select private.make_policy('public.agents', p.called, p.words) from (values
  ('read', 'for select to authenticated using (id = any (array(select user_id from private.my_colleagues))
    or id = any (array(select id from private.my_service_accounts)))'),
  ('change', 'for update to authenticated using (id = any (array(select user_id from private.my_colleagues))
    or id = any (array(select id from private.my_service_accounts))) with check (id = any (array(select id from private.my_service_accounts)))')
) p (called, words);
comment on table public.agents is 'Agents: service accounts that work in sessions. Seen by who shares a project with one, changed by who manages its service account. Made by create_agent, ended by delete_service_account.';
comment on column public.agents.id is 'Of its service account and its profile.';
comment on column public.agents.about is 'What it is for.';
comment on column public.agents.mode is 'The most that its sessions may do: read, comment, propose (its changes wait until a person accepts them) or write.';
comment on column public.agents.writes_an_hour is 'How many rows it may change within an hour, in all its sessions together.';
comment on column public.agents.session_minutes is 'After how many minutes a session of it ends by itself.';

-- What a person takes away from an agent is gone from its open sessions, too.
create or replace trigger agents_narrow_sessions after update on public.agents for each row
  when (old.mode <> new.mode or old.writes_an_hour <> new.writes_an_hour) execute function private.narrow_sessions();

create or replace function private.narrow_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.agent_sessions s set mode = private.least_mode(s.mode, new.mode), writes_an_hour = new.writes_an_hour
  where s.agent_id = new.id and s.ended_at is null;
  return null;
end
$$;

create or replace function private.is_agent(account uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.agents a where a.id = account)
$$;
comment on function private.is_agent(uuid) is 'Whether a profile is that of an agent.';

create or replace function private.make_agent(called text, of_project uuid, as_role public.project_role, in_mode text, words text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account constant jsonb := private.make_service_account(called, of_project, as_role);
  made public.agents;
begin
  if coalesce(in_mode, '') not in ('read', 'comment', 'propose', 'write') then
    perform private.refuse('22023', 'the mode is read, comment, propose or write', 'Send one of them.');
  elsif char_length(words) > 2000 then
    perform private.refuse('22023', '"about" has up to 2000 characters', 'Say in a few sentences what the agent is for.');
  end if;
  insert into public.agents (id, mode, about) values ((account ->> 'id')::uuid, in_mode, coalesce(btrim(words), '')) returning * into made;
  update public.profiles p set is_agent = true, avatar_url = '/icons/agent.svg' where p.id = made.id;
  return account || to_jsonb(made);
end
$$;
grant execute on function private.make_agent(text, uuid, public.project_role, text, text) to authenticated;

create or replace function public.create_agent(
  name text, project_id uuid default null, role public.project_role default 'editor', mode text default 'propose', about text default ''
) returns jsonb
language sql volatile set search_path = '' as $$
  select private.make_agent(create_agent.name, create_agent.project_id, create_agent.role, create_agent.mode, create_agent.about)
$$;
grant execute on function public.create_agent(text, uuid, public.project_role, text, text) to authenticated;
comment on function public.create_agent(text, uuid, public.project_role, text, text) is 'Makes an agent: a service account as create_service_account makes it, whose sessions may read, comment, propose or write. Returns its row and name; its keys are made by create_service_account_key.';
