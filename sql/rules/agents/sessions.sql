-- Sessions of agents: a piece of work of an agent, or of a person's program, with a state that people follow, a mode and limits. A request names its
-- session in the header Agent-Session; enter_session then narrows the token to it (entering.sql). All that is written in a session
-- bears its id: lines of history in `program`, rows in private.session_changes (changes.sql). A session ends as its agent says so, with its time, or
-- as a person stops it; then nothing is written in it any more. Locks: the account, by every write; then the session's row, for key share, and for update to end it.

select private.project_rows('public.' || t.name, clients => 'select', but => '{add, change, remove, refuse_delete}', program => 'write')
from (values ('agent_sessions'), ('agent_activities')) t (name);
comment on table public.agent_sessions is 'Work of agents, and of people''s programs, as sessions. Opened by open_agent_session and delegate_to_agent, told by report_agent_session, ended by stop_agent_session.';
comment on column public.agent_sessions.task_id is 'The task it is about, if it is about one.';
comment on column public.agent_sessions.agent_id is 'The agent; empty where a person''s own program works.';
comment on column public.agent_sessions.user_id is 'With whose rights it works: the agent''s, or the person''s.';
comment on column public.agent_sessions.responsible_id is 'The person who handed over the work, and answers for it.';
comment on column public.agent_sessions.program is 'The key or app that opened it, as {"kind", "sub", "name"}; kept by the database.';
comment on column public.agent_sessions.title is 'What it is about, in a few words.';
comment on column public.agent_sessions.mode is 'What it may do, within the rights of its account and token: read, comment, propose or write.';
comment on column public.agent_sessions.project_ids is 'The projects it reaches; empty: all of its token.';
comment on column public.agent_sessions.writes_an_hour is 'How many rows may be changed within an hour, in all sessions of its account together.';
comment on column public.agent_sessions.state is 'pending: not begun; active; awaiting_input: a person is asked; complete; error, also where its account or its place in the project is gone; stale: silent for half an hour, or out of time.';
comment on column public.agent_sessions.plan is 'Its steps, as [{"title", "state"}].';
comment on column public.agent_sessions.links is 'Addresses of what it made elsewhere, as [{"title", "url"}].';
comment on column public.agent_sessions.cost is 'What it says that it cost, in the currency of who runs it.';
comment on column public.agent_sessions.ends_at is 'When it ends by itself.';
comment on column public.agent_sessions.ended_at is 'When it ended; empty while it is open.';
comment on column public.agent_sessions.stopped_by is 'The person who stopped it.';
comment on column public.agent_sessions.tainted_at is 'When it first read words of people from outside the team: it then reaches its own project alone, and adds no links.';
comment on column public.agent_sessions.confirmed_at is 'When a person let it go on with all its rights after that.';
comment on column public.agent_sessions.undone_at is 'When its changes were undone.';
comment on column public.agent_sessions.last_activity_at is 'When it last did or said something.';
comment on table public.agent_activities is 'What agents say of their work, and what people tell them: lines of a session, oldest first by created_at.';
comment on column public.agent_activities.session_id is 'The session.';
comment on column public.agent_activities.user_id is 'Who wrote it.';
comment on column public.agent_activities.kind is 'thought, action, elicitation (it asks a person), response or error, of the agent; prompt, of a person.';
comment on column public.agent_activities.body is 'The words, as Markdown.';
comment on column public.agent_activities.occasion is 'Of a prompt that the database wrote: {"kind"}, one of handed_over, assigned, unassigned, proposal_rejected and proposal_conflict; of the last two with "proposal_id", and "reason" where a person gave one.';

-- Opening ---------------------------------------------------------------------------------------------------------------------

-- An agent's token only reads until it is in a session; of others it takes the scope comment.
create or replace function private.require_teller(in_project uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_agent(private.me()) and not private.token_reaches(in_project, 2) then
    perform private.refuse('42501', 'the scope of this key or app does not allow sessions', 'Use one with the scope comment or write.');
  end if;
end
$$;

create or replace function private.least_mode(one text, other text) returns text
language sql immutable
return (array['read', 'comment', 'propose', 'write'])[least(array_position(array['read', 'comment', 'propose', 'write'], one),
  array_position(array['read', 'comment', 'propose', 'write'], other))];

create or replace function private.start_session(
  account uuid, responsible uuid, in_project uuid, of_task uuid, in_mode text, called text, projects uuid[], minutes integer
) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own constant boolean := coalesce(account = private.me(), false);
  most_open constant integer := case when is_own then 50 else 1000 end;
  agent public.agents;
  most integer;
  opened public.agent_sessions;
begin
  select a.* into agent from public.agents a where a.id = account;
  most := coalesce(agent.session_minutes, 480);
  if in_mode is not null and in_mode not in ('read', 'comment', 'propose', 'write') then
    perform private.refuse('22023', 'the mode is read, comment, propose or write', 'Send one of them.');
  elsif minutes is not null and minutes not between 1 and most then
    perform private.refuse('22023', format('a session lasts 1 to %s minutes', most), 'Open another one when it has ended.');
  elsif char_length(called) > 200 then
    perform private.refuse('22023', 'the title of a session has up to 200 characters', 'Say in a few words what it is about.');
  elsif cardinality(projects) not between 1 and 100 then
    perform private.refuse('22023', 'a session names 1 to 100 projects', 'Leave "project_ids" out for all that the token reaches.');
  end if;
  perform from public.profiles p where p.id = account for no key update;
  -- Those that it opens itself, or that are handed over to it in this project: who hands over much leaves places to others.
  if (
    select count(*) from public.agent_sessions s where s.user_id = account and private.is_open_session(s)
      and case when is_own then s.agent_id is null or s.program is not null else s.project_id = in_project end
  ) >= most_open then
    perform private.refuse('PT400', format('there are %s open sessions already', most_open), 'End one that you no longer need.');
  end if;
  insert into public.agent_sessions (project_id, task_id, agent_id, user_id, responsible_id, program, title, mode, project_ids, writes_an_hour, ends_at,
    tainted_at)
  values (in_project, of_task, agent.id, account, responsible, case when is_own then auth.jwt() -> 'act' end,
    -- The title of a task where the team wrote it: agents read it outside of sessions, too.
    coalesce(nullif(btrim(called), ''), (select t.title from public.tasks t where t.id = of_task
      and not exists (select from private.outside_words w where w.row_id = t.id and w.is_own)), ''),
    private.least_mode(private.least_mode(coalesce(in_mode, agent.mode, 'write'), coalesce(agent.mode, 'write')), case
      -- Who hands over work gives no more than they may do themselves.
      when account = responsible or responsible is null or exists (
        select from public.project_members m where m.project_id = in_project and m.user_id = responsible and m.role in ('owner', 'editor')
      ) then 'write' else 'comment' end), projects,
    coalesce(agent.writes_an_hour, 2000), now() + make_interval(mins => coalesce(minutes, most)),
    -- What a program has read it still knows when it opens another one, or is handed one over.
    case when exists (
      select from public.agent_sessions s where s.user_id = account and private.is_tainted(s) and s.last_activity_at > now() - interval '1 day'
    ) then now() end)
  returning * into opened;
  return opened;
end
$$;

create or replace function private.open_session(
  in_project uuid, of_task uuid, in_mode text, called text, projects uuid[], minutes integer
) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.me();
  within constant uuid := private.session_in(current_setting('request.jwt.claims', true));
begin
  if me is null then
    perform private.require_second_factor();
    perform private.refuse('42501', 'a session belongs to a person or an agent', 'Send the token or key of one.');
  end if;
  perform private.require_project(in_project);
  perform private.require_teller(in_project);
  if of_task is not null and not exists (
    select from public.tasks t where t.id = of_task and t.project_id = in_project and private.sees_audience(t.project_id, t.audience_id)
  ) then
    perform private.raise_not_found('task');
  elsif projects is not null and not projects <@ private.my_projects() then
    perform private.raise_not_found('project');
  end if;
  if within is not null then
    in_mode := private.least_mode(coalesce(in_mode, 'write'), (select s.mode from public.agent_sessions s where s.id = within));
  end if;
  return private.start_session(me, coalesce((select coalesce(s.owner_id, s.created_by) from public.service_accounts s where s.id = me), me),
    in_project, of_task, in_mode, called, projects, minutes);
end
$$;
grant execute on function private.open_session(uuid, uuid, text, text, uuid[], integer) to authenticated;

create or replace function public.open_agent_session(
  project_id uuid, task_id uuid default null, mode text default null, title text default null, project_ids uuid[] default null, minutes integer default null
) returns public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.open_session(open_agent_session.project_id, open_agent_session.task_id, open_agent_session.mode, open_agent_session.title,
    open_agent_session.project_ids, open_agent_session.minutes)
$$;
grant execute on function public.open_agent_session(uuid, uuid, text, text, uuid[], integer) to authenticated;
comment on function public.open_agent_session(uuid, uuid, text, text, uuid[], integer) is 'Opens a session of the caller, an agent or a person''s program, in a project, maybe about a task. `mode` is read, comment, propose or write, at most that of the agent; `project_ids` leaves only these projects; it ends after `minutes`. Send its `id` as the header Agent-Session.';

-- By a person, for an agent. One that is open already is told instead.
create or replace function private.delegate(of_task uuid, agent uuid, words text) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  task public.tasks;
  opened public.agent_sessions;
begin
  perform private.require_user();
  if char_length(words) > 10000 then
    perform private.refuse('22023', 'words for an agent have up to 10000 characters', 'Put the rest into the task.');
  end if;
  select t.* into task from public.tasks t where t.id = of_task and private.is_reader(t.project_id) and private.sees_audience(t.project_id, t.audience_id);
  if not found then
    perform private.raise_not_found('task');
  elsif not private.is_agent(agent) or not private.is_member(task.project_id, agent) or not private.is_in_audience(task.project_id, task.audience_id, agent) then
    perform private.refuse('PT404', 'no such agent', 'There is none with this id in the project, or it does not see the task.');
  elsif not private.may_comment(task.project_id) then
    perform private.refuse('42501', 'your role in this project does not allow to hand over work', 'Ask an owner of the project for the editor role.');
  end if;
  words := nullif(btrim(words), '');
  opened := private.hand_over(agent, task, coalesce(words, 'This task was handed over to you.'), true,
    case when words is null then '{"kind": "handed_over"}'::jsonb end);
  if opened.id is null then
    perform private.refuse_bounded_work();
  end if;
  return opened;
end
$$;
grant execute on function private.delegate(uuid, uuid, text) to authenticated;

create or replace function public.delegate_to_agent(task_id uuid, agent_id uuid, prompt text default null) returns public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.delegate(delegate_to_agent.task_id, delegate_to_agent.agent_id, delegate_to_agent.prompt)
$$;
grant execute on function public.delegate_to_agent(uuid, uuid, text) to authenticated;
comment on function public.delegate_to_agent(uuid, uuid, text) is 'Hands a task over to an agent of its project, with words for it: opens a session for which the caller is responsible, or adds to the one that is open.';

-- Telling ---------------------------------------------------------------------------------------------------------------------

create or replace function private.find_session(session uuid) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  seen public.agent_sessions;
begin
  select s.* into seen from public.agent_sessions s where s.id = session for no key update;
  if not found or not private.is_reader(seen.project_id) or not private.sees_audience(seen.project_id, seen.audience_id) then
    perform private.raise_not_found('session');
  end if;
  perform private.require_teller(seen.project_id);
  return seen;
end
$$;
comment on function private.find_session(uuid) is 'A session that the caller sees, and may tell of or stop with this token, locked.';

create or replace function private.add_activity(
  session public.agent_sessions, of_kind text, words text, occasion jsonb default null
) returns public.agent_activities
language sql volatile security definer set search_path = '' as $$
  insert into public.agent_activities (project_id, session_id, task_id, user_id, kind, body, occasion)
  values (session.project_id, session.id, session.task_id, private.me(), of_kind, btrim(words), occasion) returning *
$$;

-- The agent tells its own sessions; whoever may comment answers.
create or replace function private.tell_session(session uuid, of_kind text, words text) returns public.agent_activities
language plpgsql volatile security definer set search_path = '' as $$
declare
  of_session public.agent_sessions;
  is_own boolean;
begin
  -- Prompts of one agent come one after another (hand-over.sql).
  perform from public.profiles p where of_kind = 'prompt' and p.id = (select s.agent_id from public.agent_sessions s where s.id = session) for no key update;
  of_session := private.find_session(session);
  is_own := coalesce(of_session.user_id = private.me(), false);
  if of_kind is null or of_kind not in ('thought', 'action', 'elicitation', 'response', 'error', 'prompt') then
    perform private.refuse('22023', 'an activity is a thought, an action, an elicitation, a response, an error or a prompt', 'Send one of these as "kind".');
  elsif words is null or char_length(btrim(words)) not between 1 and 10000 then
    perform private.refuse('22023', 'an activity has 1 to 10000 characters', 'Put the rest into the task or a comment.');
  elsif of_kind <> 'prompt' and not is_own then
    perform private.refuse('42501', 'only the agent itself tells what it does', 'Send a prompt.');
  elsif of_kind = 'prompt' and ((is_own and of_session.agent_id is not null) or not private.may_comment(of_session.project_id)) then
    perform private.refuse('42501', 'prompts are written by people who may comment', 'Ask an owner of the project for the right to comment.');
  elsif not private.is_open_session(of_session) then
    perform private.refuse_ended_session(of_session);
  elsif of_kind = 'prompt' and private.is_out_of_bounds(of_session, of_session.agent_id, of_session.task_id, 0) then
    perform private.refuse_bounded_work();
  elsif of_kind = 'prompt' then
    return private.prompt_session(of_session, words, 'agent_session.prompted');
  end if;
  update public.agent_sessions s set last_activity_at = now(), state = case
      when of_kind = 'elicitation' then 'awaiting_input'
      when is_own and s.state in ('pending', 'stale') then 'active'
      else s.state end
  where s.id = of_session.id;
  return private.add_activity(of_session, of_kind, words);
end
$$;
grant execute on function private.tell_session(uuid, text, text) to authenticated;

create or replace function public.add_agent_activity(session_id uuid, kind text, body text) returns public.agent_activities
language sql volatile set search_path = '' as $$
  select * from private.tell_session(add_agent_activity.session_id, add_agent_activity.kind, add_agent_activity.body)
$$;
grant execute on function public.add_agent_activity(uuid, text, text) to authenticated;
comment on function public.add_agent_activity(uuid, text, text) is 'Adds a line to a session: of its agent a thought, an action, an elicitation (the session then awaits input), a response or an error; of a person a prompt.';

create or replace function private.report_session(
  session uuid, to_state text, steps jsonb, addresses jsonb, spent numeric, called text
) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  told public.agent_sessions := private.find_session(session);
begin
  if told.user_id is distinct from private.me() then
    perform private.refuse('42501', 'only the agent itself tells what it does', 'Answer it with add_agent_activity, or stop it with stop_agent_session.');
  elsif to_state is not null and to_state not in ('active', 'awaiting_input', 'complete', 'error') then
    perform private.refuse('22023', 'a session is told to be active, awaiting_input, complete or error', 'Send one of these as "state".');
  elsif told.ended_at is not null and told.state = to_state then
    return told;
  elsif not private.is_open_session(told) then
    perform private.refuse_ended_session(told);
  end if;
  perform private.check_session_lists(steps, addresses);
  update public.agent_sessions s set last_activity_at = now(), state = coalesce(to_state, case when s.state in ('pending', 'stale') then 'active' else s.state end),
    plan = coalesce(steps, s.plan), links = coalesce(addresses, s.links), cost = coalesce(spent, s.cost), title = coalesce(nullif(btrim(called), ''), s.title)
  where s.id = told.id;
  if to_state in ('complete', 'error') then
    perform private.end_sessions(array[told.id], to_state);
  end if;
  select s.* into told from public.agent_sessions s where s.id = told.id;
  return told;
end
$$;
grant execute on function private.report_session(uuid, text, jsonb, jsonb, numeric, text) to authenticated;

create or replace function private.check_session_lists(steps jsonb, addresses jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from jsonb_array_elements(case coalesce(jsonb_typeof(steps), 'null') when 'array' then steps when 'null' then '[]' else '[0]' end) s
    where jsonb_typeof(s) <> 'object' or jsonb_typeof(s -> 'title') is distinct from 'string'
      or coalesce(s ->> 'state', 'pending') not in ('pending', 'active', 'complete', 'canceled')
  ) or jsonb_array_length(case jsonb_typeof(steps) when 'array' then steps else '[]' end) > 100 then
    perform private.refuse('22023', 'a plan is a list of up to 100 steps, each with a title and a state', 'Send [{"title": "…", "state": "pending" | "active" | "complete" | "canceled"}].');
  elsif exists (
    select from jsonb_array_elements(case coalesce(jsonb_typeof(addresses), 'null') when 'array' then addresses when 'null' then '[]' else '[0]' end) l
    where jsonb_typeof(l) <> 'object' or jsonb_typeof(l -> 'title') is distinct from 'string' or coalesce(l ->> 'url', '') !~ '^https?://[^[:space:]]+$'
  ) or jsonb_array_length(case jsonb_typeof(addresses) when 'array' then addresses else '[]' end) > 50 then
    perform private.refuse('22023', 'links are a list of up to 50 addresses, each with a title and a url', 'Send [{"title": "…", "url": "https://…"}].');
  end if;
end
$$;

create or replace function public.report_agent_session(
  session_id uuid, state text default null, plan jsonb default null, links jsonb default null, cost numeric default null, title text default null
) returns public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.report_session(report_agent_session.session_id, report_agent_session.state, report_agent_session.plan, report_agent_session.links,
    report_agent_session.cost, report_agent_session.title)
$$;
grant execute on function public.report_agent_session(uuid, text, jsonb, jsonb, numeric, text) to authenticated;
comment on function public.report_agent_session(uuid, text, jsonb, jsonb, numeric, text) is 'Tells how a session of the caller goes: its state (active, awaiting_input, complete, error; the last two end it), plan, links and cost. Left out: it was alive just now.';

-- Ending ----------------------------------------------------------------------------------------------------------------------

-- Those that are open; the tasks that they had claimed are free again. One whose time has run out ended then, and is stale.
create or replace function private.end_sessions(sessions uuid[], as_state text, stopped_by uuid default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.agent_sessions s where s.id = any (sessions) order by s.id for no key update;
  update public.agent_sessions s set ended_at = least(now(), s.ends_at), stopped_by = end_sessions.stopped_by,
    state = case when s.ends_at <= now() then 'stale' else as_state end
  where s.id = any (sessions) and s.ended_at is null;
  perform private.end_claims(array(
    select c.id from public.task_claims c where c.ended_at is null and c.program ->> 'session' = any (sessions::text[]) order by c.id), 'released');
end
$$;
comment on function private.end_sessions(uuid[], text, uuid) is 'Ends sessions, and hands back what they had claimed.';

create or replace function private.answers_for_session(session public.agent_sessions) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(private.me() = session.responsible_id, false) or private.is_owner(session.project_id)
    or exists (select from private.my_service_accounts m where m.id = session.agent_id)
$$;
comment on function private.answers_for_session(public.agent_sessions) is 'Whether the caller is responsible for a session, manages its agent, or owns its project.';

create or replace function private.may_undo(of_session public.agent_sessions) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.me() = of_session.user_id or private.answers_for_session(of_session)
$$;
comment on function private.may_undo(public.agent_sessions) is 'The caller may stop and undo a session: they answer for it, or it was their program''s.';

create or replace function private.refuse_session_of_others(done text) returns void
language sql volatile set search_path = '' as $$
  select private.refuse('42501', format('a session is %s by who is responsible for it, who manages the agent, or an owner of the project', done), 'Ask one of them.')
$$;

create or replace function private.stop_session(session uuid) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  stopped public.agent_sessions;
begin
  -- Waits for what is being written in it.
  perform from public.agent_sessions s where s.id = session for update;
  stopped := private.find_session(session);
  if private.may_undo(stopped) is not true then
    perform private.refuse_session_of_others('stopped');
  elsif stopped.ended_at is not null then
    return stopped;
  end if;
  perform private.end_sessions(array[stopped.id], 'complete', private.me());
  select s.* into stopped from public.agent_sessions s where s.id = stopped.id;
  return stopped;
end
$$;
grant execute on function private.stop_session(uuid) to authenticated;

create or replace function public.stop_agent_session(session_id uuid) returns public.agent_sessions
language sql volatile set search_path = '' as $$
  select * from private.stop_session(stop_agent_session.session_id)
$$;
grant execute on function public.stop_agent_session(uuid) to authenticated;
comment on function public.stop_agent_session(uuid) is 'Stops a session: nothing more is written in it. For who is responsible for it, who manages the agent, owners of the project, and the session''s own account.';

create or replace function private.end_stale_sessions(most integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant uuid[] := array(
    select s.id from public.agent_sessions s
    where s.ended_at is null and (s.ends_at <= now() or (s.state = 'active' and s.last_activity_at < now() - interval '30 minutes'))
    order by s.ends_at limit most for update skip locked);
begin
  update public.agent_sessions s set state = 'stale' where s.id = any (due) and s.ends_at > now();
  perform private.end_sessions(array(select s.id from public.agent_sessions s where s.id = any (due) and s.ends_at <= now()), 'stale');
  delete from private.session_connections c using public.agent_sessions s where s.id = c.session_id and s.ended_at < now() - interval '1 day';
  return greatest(cardinality(due), private.end_silent_connections(null, '30 minutes', most));
end
$$;
grant execute on function private.end_stale_sessions(integer) to service_role;
comment on function private.end_stale_sessions(integer) is 'Ends sessions whose time has run out, and marks those as stale that have been silent for half an hour. Answers how many it saw.';
