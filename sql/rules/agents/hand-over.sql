-- Work on its way to agents: an assignment, a mention in a comment, an answer to a comment of an agent, and delegate_to_agent open a session of the agent
-- about the task, or are a prompt in the one that is open. Each has at least one prompt. Agents are told by webhooks (note_session_event), by a word on
-- the channel kanbase_agents, and read agent_inbox. Prompts of one agent are written one after another, under the lock of its profile, so that their
-- versions rise as they are committed: that of the last one is the cursor of an inbox. Locks: the profile, then the session.

comment on table private.session_origins is 'Sessions that were opened out of a session, with how many stand before them.';

create or replace trigger agent_sessions_tell_stopped after update of ended_at on public.agent_sessions for each row
  when (old.ended_at is null and new.ended_at is not null and new.agent_id is not null and (new.stopped_by is not null or new.state = 'stale' or new.user_id is distinct from private.me()))
  execute function private.tell_stopped_session();

-- The person behind what is done: of a session its responsible person, of a service account its owner, of a task that comes again who set that up.
create or replace function private.responsible_for_work(agent uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.id from public.profiles p where p.id = m.id and not exists (select from public.service_accounts a where a.id = p.id)),
    (select s.responsible_id from public.agent_sessions s where s.id = private.session_in(current_setting('request.jwt.claims', true))),
    (select coalesce(a.owner_id, a.created_by) from public.service_accounts a where a.id = m.id),
    (select coalesce(a.owner_id, a.created_by) from public.service_accounts a where a.id = responsible_for_work.agent))
  from (select coalesce(private.me(), nullif(current_setting('kanbase.recurring_for', true), '')::uuid) as id) m
$$;

-- Agents that mention each other would do so without an end: three sessions in a row, five an hour about one task, twenty prompts an hour in one.
create or replace function private.is_out_of_bounds(session public.agent_sessions, agent uuid, of_task uuid, depth integer) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_service_account(private.me()) and (
    private.me() = is_out_of_bounds.agent
    or session.id is null and (depth > 3 or (
      select count(*) from public.agent_sessions s
      where s.agent_id = is_out_of_bounds.agent and s.task_id = of_task and s.created_at > now() - interval '1 hour'
        and exists (select from private.session_origins o where o.session_id = s.id)) >= 5)
    or session.id is not null and (
      select count(*) from public.agent_activities a
      where a.session_id = session.id and a.kind = 'prompt' and a.created_at > now() - interval '1 hour' and private.is_service_account(a.user_id)) >= 20)
$$;

-- Null: nothing is open and none is to be opened, or agents have handed it over to each other too often.
create or replace function private.hand_over(
  agent uuid, task public.tasks, words text, opens boolean, occasion jsonb default null
) returns public.agent_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  within constant uuid := private.session_in(current_setting('request.jwt.claims', true));
  depth integer := 0;
  opened public.agent_sessions;
  is_new boolean;
begin
  perform from public.profiles p where p.id = agent for no key update;
  select s.* into opened from public.agent_sessions s
  where s.agent_id = hand_over.agent and s.project_id = task.project_id and s.task_id = task.id and private.is_open_session(s)
  order by s.created_at desc limit 1;
  is_new := not found;
  if within is not null then
    depth := 1 + coalesce((select o.depth from private.session_origins o where o.session_id = within), 0);
  end if;
  if (is_new and not opens) or private.is_out_of_bounds(opened, agent, task.id, depth) then
    return null;
  elsif is_new then
    opened := private.start_session(agent, private.responsible_for_work(agent), task.project_id, task.id, null, null, null, null);
    if within is not null then
      insert into private.session_origins (session_id, from_session_id, depth) values (opened.id, within, depth);
    end if;
  end if;
  perform private.prompt_session(opened, words, case when is_new then 'agent_session.created' else 'agent_session.prompted' end, occasion);
  return opened;
end
$$;
comment on function private.hand_over(uuid, public.tasks, text, boolean, jsonb) is 'The session of an agent about a task, told these words: the one that is open or, where it opens, a new one.';

create or replace function private.prompt_session(
  session public.agent_sessions, words text, of_type text, occasion jsonb default null
) returns public.agent_activities
language plpgsql volatile security definer set search_path = '' as $$
declare
  prompt public.agent_activities;
begin
  update public.agent_sessions s set last_activity_at = now(), state = case when s.state = 'awaiting_input' then 'active' else s.state end where s.id = session.id;
  prompt := private.add_activity(session, 'prompt', left(words, 10000), occasion);
  -- Words of a session that has read words from outside may be those.
  if current_setting('kanbase.session_is_tainted', true) = 'on' then
    perform private.taint_session(session.id);
  end if;
  perform private.note_session_event(of_type, session, prompt);
  perform pg_notify('kanbase_agents', session.agent_id::text) where session.agent_id is not null;
  return prompt;
end
$$;

create or replace function private.refuse_bounded_work() returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('PT400', 'agents have handed this work to each other as often as they may', 'Ask a person to hand it over.');
end
$$;

-- By assignments and comments ---------------------------------------------------------------------------------------------------

-- Copies, templates and what is undone repeat assignments: nobody hands over work by them.
create or replace function private.is_copying() returns boolean
language sql stable
return coalesce(current_setting('kanbase.copying', true) = 'on', false) or private.is_undoing();

-- Of those who are agents, see the task, and work in its project. In the order of their ids, as locks are taken.
create or replace function private.hand_over_to_each(
  agents uuid[], in_project uuid, of_task uuid, words text, opens boolean, occasion jsonb default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  task public.tasks;
begin
  select t.* into task from public.tasks t where t.project_id = in_project and t.id = of_task;
  if not found or current_setting('kanbase.importing', true) = 'on' then
    return;
  end if;
  perform private.hand_over(a.id, task, words, opens and not private.is_copying(), occasion)
  from (
    select a.id from public.agents a
    where a.id = any (agents) and a.id is distinct from private.me() and private.is_member(task.project_id, a.id)
      and private.is_in_audience(task.project_id, task.audience_id, a.id)
    order by a.id offset 0
  ) a;
end
$$;

-- Which were assigned, or are so no longer: that stops nothing, as a person may have meant it either way, and Stop is beside it.
create or replace function private.hand_over_assigned(changed private.watcher[], is_assigned boolean) returns void
language sql volatile security definer set search_path = '' as $$
  select private.hand_over_to_each(array_agg(c.user_id), c.project_id, c.task_id, case when is_assigned then 'You were assigned to this task.'
    else 'You were unassigned from this task. Your session goes on: finish or hand back what you hold, unless you are told otherwise.' end, is_assigned,
    jsonb_build_object('kind', case when is_assigned then 'assigned' else 'unassigned' end))
  from unnest(changed) c where c.user_id is distinct from private.me() and private.is_agent(c.user_id)
  group by c.project_id, c.task_id
$$;

-- Guests' words open nothing: work is handed over by who may comment in the project.
create or replace function private.hand_over_comment(comment public.task_comments, mentioned uuid[], answered uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if private.may_comment(comment.project_id) then
    perform private.hand_over_to_each(mentioned, comment.project_id, comment.task_id, comment.body, true);
    if answered is not null and answered <> all (mentioned) then
      perform private.hand_over_to_each(array[answered], comment.project_id, comment.task_id, comment.body, false);
    end if;
  end if;
end
$$;

-- Events ------------------------------------------------------------------------------------------------------------------------

create or replace function private.note_session_event(of_type text, session public.agent_sessions, prompt public.agent_activities) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if session.agent_id is null or not exists (select from private.event_interests i where i.project_id = session.project_id) then
    return;
  end if;
  insert into private.events (project_id, task_id, type, actor_id, change, task, is_restricted)
  select session.project_id, session.task_id, of_type, (select p.id from public.profiles p where p.id = auth.uid()),
    jsonb_build_object(
      'session', to_jsonb(session) - '{audience_id,program,version}'::text[] || jsonb_build_object('agent',
        (select jsonb_build_object('id', p.id, 'display_name', p.display_name) from public.profiles p where p.id = session.agent_id)))
      || case when prompt.id is null then '{}' else jsonb_build_object('prompt', to_jsonb(prompt) - '{audience_id,version,kind,occasion}'::text[]) end,
    (select to_jsonb(t) - '{audience_id,version}'::text[] from public.tasks t where t.project_id = session.project_id and t.id = session.task_id),
    session.audience_id is not null;
  perform pg_notify('kanbase_events', '');
end
$$;
comment on function private.note_session_event(text, public.agent_sessions, public.agent_activities) is 'Writes an event of a session of an agent, where a consumer waits for its project.';

create or replace function private.tell_stopped_session() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.project_exists(new.project_id) then
    perform private.note_session_event('agent_session.stopped', new, null);
  end if;
  perform pg_notify('kanbase_agents', new.agent_id::text);
  return null;
end
$$;

-- Inbox -------------------------------------------------------------------------------------------------------------------------

-- Without `after`, a prompt waits until the agent has said something in its session.
create or replace function public.agent_inbox(after bigint default null) returns jsonb
language sql stable set search_path = '' as $$
  with told as materialized (
    select a.*
    from public.agent_sessions s
    join public.agent_activities a on a.session_id = s.id and a.kind = 'prompt'
    where s.agent_id = private.me() and s.ended_at is null and s.ends_at > now()
      and a.version > coalesce(agent_inbox.after, case when s.state = 'pending' then 0 else (
        select coalesce(max(o.version), 0) from public.agent_activities o where o.session_id = s.id and o.kind <> 'prompt' and o.user_id = s.user_id) end)
    order by a.version limit 100
  )
  select jsonb_build_object(
    'cursor', coalesce((select max(t.version) from told t), agent_inbox.after, 0),
    'sessions', (
      select coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object('prompts', t.prompts) order by t.place), '[]')
      from (
        select t.session_id, min(t.version) as place, jsonb_agg(jsonb_build_object('id', t.id, 'body', t.body, 'created_at', t.created_at, 'user',
          (select jsonb_build_object('id', p.id, 'display_name', p.display_name) from public.profiles p where p.id = t.user_id)) order by t.version) as prompts
        from told t group by t.session_id
      ) t
      join public.agent_sessions s on s.id = t.session_id))
$$;
grant execute on function public.agent_inbox(bigint) to authenticated;
comment on function public.agent_inbox(bigint) is 'What waits for the calling agent, as {"cursor", "sessions"}: its open sessions with prompts it has not answered or, with the `cursor` of an earlier answer as `after`, with those that came since. At most 100 prompts at once.';
