-- Proposals: what a session in mode propose would change, with the call that would have done it. The server runs the call in a transaction that is
-- rolled back, reads the difference in it, and stores that in a transaction of its own (server/data/propose-change.ts). A person accepts a proposal,
-- which does what it shows unless something of it has changed meanwhile (differences.sql), or rejects it.

select private.project_rows('public.agent_proposals', clients => 'select', but => '{add, change, remove, refuse_delete}', program => 'write');
comment on table public.agent_proposals is 'What agents propose: a call, and exactly what it would change. Stored by the server for sessions in mode propose; decided by accept_proposal and reject_proposal.';
comment on column public.agent_proposals.session_id is 'The session it comes from.';
comment on column public.agent_proposals.task_id is 'The task that it changes, or that the session is about.';
comment on column public.agent_proposals.user_id is 'Who proposes it.';
comment on column public.agent_proposals.summary is 'What it would do, in a few words.';
comment on column public.agent_proposals.call is 'The request, as {"method", "path", "body"}.';
comment on column public.agent_proposals.difference is 'The rows it would change, as [{"table", "was", "becomes"}].';
comment on column public.agent_proposals.state is 'open, accepted, rejected, or conflict: what it would change has changed meanwhile.';
comment on column public.agent_proposals.decided_by is 'Who accepted or rejected it.';
comment on column public.agent_proposals.decided_at is 'When they did.';
comment on column public.agent_proposals.reason is 'Words of who rejected it, or what stood against it.';
comment on column public.agent_proposals.stays is 'Of a conflict: what stood against it, as accept_proposal answers it.';

-- Trying ----------------------------------------------------------------------------------------------------------------------

comment on table private.proposals_in_trial is 'Empty: the one row of a transaction that tries a change keeps it from being committed.';

create or replace function private.refuse_unproposable() returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('KB025', 'the session proposes its changes, and this cannot be proposed', 'Leave it to a person, or ask for a session in mode write.');
end
$$;
grant execute on function private.refuse_unproposable() to authenticated;

-- In place of enter_session where a write is not known to be one that runs as it is.
create or replace function private.enter_to_write(session text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enter_session(session, true, false);
  if exists (select from public.agent_sessions s where s.id = session::uuid and s.mode = 'propose') then
    perform private.refuse_unproposable();
  end if;
end
$$;
grant execute on function private.enter_to_write(text) to program;

create or replace function private.enter_to_propose(session text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enter_session(session, true, true);
  perform set_config('kanbase.session_proposes', '', true);
  insert into private.proposals_in_trial default values;
  perform set_config('kanbase.written_before_trial', private.rows_written()::text, true);
end
$$;
grant execute on function private.enter_to_propose(text) to program;

-- By table. Postgres counts for a connection, and hands the counts on once in a second: those of transactions just before are among them.
create or replace function private.rows_written() returns jsonb
language sql volatile set search_path = '' as $$
  select coalesce(jsonb_object_agg(t.relid, t.n_tup_ins + t.n_tup_upd + t.n_tup_del), '{}') from pg_catalog.pg_stat_xact_all_tables t
  where t.n_tup_ins + t.n_tup_upd + t.n_tup_del > 0 and t.schemaname in ('public', 'private', 'auth', 'storage', 'billing')
    and t.relname <> all ('{agent_sessions,proposals_in_trial,session_changes}')
$$;

-- What the transaction has changed so far; null: nothing. Constraints that wait for its end are asked now, but for the one that keeps it from being committed.
create or replace function private.difference_in_trial() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  session constant uuid := private.session_in(current_setting('request.jwt.claims', true));
  net jsonb;
begin
  delete from private.proposals_in_trial;
  set constraints all immediate;
  set constraints private.proposals_in_trial_never_kept deferred;
  insert into private.proposals_in_trial default values;
  net := private.net_changes(array(select c from private.session_changes c where c.session_id = session and c.created_at = now() and c.table_name <> 'storage.objects'));
  if net = '[]' then
    -- Written, but nothing that is noted.
    if exists (
      select from jsonb_each(private.rows_written()) w join pg_catalog.pg_class t on t.oid = w.key::oid
      where w.value is distinct from current_setting('kanbase.written_before_trial', true)::jsonb -> w.key
      having not bool_or(t.relname <> 'notifications' and exists (select from pg_catalog.pg_trigger n where n.tgrelid = t.oid and n.tgfoid = 'private.note_session_change()'::regprocedure))
    ) then
      perform private.refuse_unproposable();
    end if;
    return null;
  end if;
  return (
    select jsonb_agg(jsonb_build_object('table', s -> 'table', 'was', s -> 'was', 'becomes', s -> 'becomes')
      order by case when jsonb_typeof(s -> 'was') = 'null' then 0 when jsonb_typeof(s -> 'becomes') = 'null' then 2 else 1 end,
        case jsonb_typeof(s -> 'becomes') when 'null' then (s ->> 'last')::bigint else (s ->> 'first')::bigint end)
    from jsonb_array_elements(net) s
  );
end
$$;
grant execute on function private.difference_in_trial() to program;
comment on function private.difference_in_trial() is 'What a transaction of a session in mode propose has changed, as proposals show it.';

-- Storing ---------------------------------------------------------------------------------------------------------------------

create or replace function private.sum_up_difference(difference jsonb) returns text
language sql immutable set search_path = '' as $$
  select left(string_agg(format('%s %s %s', c.verb, c.amount, case c.amount when 1 then regexp_replace(c.name, '(ies|s)$', case when c.name like '%ies' then 'y' else '' end) else c.name end),
    ', ' order by c.place), 500)
  from (
    select case when jsonb_typeof(s -> 'was') = 'null' then 'add' when jsonb_typeof(s -> 'becomes') = 'null' then 'delete' else 'change' end as verb,
      replace(regexp_replace(s ->> 'table', '^(task|workflow|custom)_', ''), '_', ' ') as name, count(*) as amount, min(place) as place
    from jsonb_array_elements(difference) with ordinality e (s, place) where s ->> 'table' <> 'task_watchers'
    group by 1, 2
  ) c
$$;

create or replace function private.store_proposal(call jsonb, difference jsonb) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_open constant integer := 200;
  session public.agent_sessions;
  projects uuid[];
  audiences uuid[];
  tasks uuid[];
  stored uuid;
begin
  select s.* into session from public.agent_sessions s
  where s.id = private.session_in(current_setting('request.jwt.claims', true)) and s.user_id = private.me() for no key update;
  select array_agg(distinct (case s ->> 'table' when 'projects' then r ->> 'id' else r ->> 'project_id' end)::uuid),
    array_agg(distinct (r ->> 'audience_id')::uuid) filter (where r ->> 'audience_id' is not null),
    array_agg(distinct coalesce(r ->> 'task_id', case s ->> 'table' when 'tasks' then r ->> 'id' end)::uuid)
      filter (where coalesce(r ->> 'task_id', case s ->> 'table' when 'tasks' then r ->> 'id' end) is not null)
  into projects, audiences, tasks
  from jsonb_array_elements(difference) s, lateral (values (s -> 'was'), (s -> 'becomes')) v (r) where jsonb_typeof(r) = 'object';
  if cardinality(projects) <> 1 or projects[1] is null or not exists (select from public.projects p where p.id = projects[1]) then
    perform private.refuse('KB025', 'a proposal changes rows of one project', 'Make it several calls, or leave it to a person.');
  elsif cardinality(audiences) > 1 then
    perform private.refuse('KB025', 'a proposal changes at most one restricted task', 'Make it several calls.');
  elsif octet_length(call::text) > 1000000 or octet_length(difference::text) > 4000000 then
    perform private.refuse('KB025', 'this is too much for one proposal', 'Make it several calls.');
  elsif (select count(*) from public.agent_proposals p where p.session_id = session.id and p.state = 'open') >= most_open then
    perform private.refuse('PT400', format('%s proposals of the session wait for a person', most_open), 'Wait until some of them are decided.');
  end if;
  insert into public.agent_proposals (project_id, session_id, task_id, user_id, summary, call, difference)
  values (projects[1], session.id, (
    select t.id from public.tasks t
    where t.project_id = projects[1] and t.id = coalesce(audiences[1], case when cardinality(tasks) = 1 then tasks[1] end, session.task_id)
  ), private.me(), private.sum_up_difference(difference), call, difference)
  returning id into stored;
  -- It has the words of the rows that it shows.
  insert into private.outside_words (row_id, is_own)
  select stored, true
  where current_setting('kanbase.session_is_tainted', true) = 'on' or exists (
    select from jsonb_array_elements(difference) s, lateral (values (s -> 'was'), (s -> 'becomes')) v (r)
    join private.outside_words w on w.is_own and w.row_id = coalesce(r ->> 'id', r ->> 'task_id')::uuid where jsonb_typeof(r) = 'object');
  return stored;
end
$$;
grant execute on function private.store_proposal(jsonb, jsonb) to program;
comment on function private.store_proposal(jsonb, jsonb) is 'Stores what a session in mode propose would change; called by the server, which has tried it.';

-- Deciding --------------------------------------------------------------------------------------------------------------------

create or replace function private.hold_proposal(proposal uuid) returns public.agent_proposals
language plpgsql volatile security definer set search_path = '' as $$
declare
  held public.agent_proposals;
begin
  perform private.require_user();
  -- The session first, as who undoes it does.
  perform from public.agent_sessions s where s.id = (select p.session_id from public.agent_proposals p where p.id = proposal) for key share;
  select p.* into held from public.agent_proposals p where p.id = proposal for update;
  if not found or not private.is_reader(held.project_id) or not private.sees_audience(held.project_id, held.audience_id) then
    perform private.raise_not_found('proposal');
  elsif not private.is_writer(held.project_id) then
    perform private.refuse('42501', 'your role in this project does not allow to decide about proposals', 'Ask an owner of the project for the editor role.');
  end if;
  return held;
end
$$;
grant execute on function private.hold_proposal(uuid) to authenticated;
comment on function private.hold_proposal(uuid) is 'A proposal that the caller decides about, locked.';

-- The caller's claims with the session as their program: its trail and the history say so.
create or replace function private.claims_for_session(of_session uuid) returns text
language sql stable security definer set search_path = '' as $$
  select left(rtrim(current_setting('request.jwt.claims', true)), -1) || ', "scope": "read comment write", "act": '
    || private.act_of_session(s, null) || '}'
  from public.agent_sessions s where s.id = of_session and private.is_reader(s.project_id)
$$;
grant execute on function private.claims_for_session(uuid) to authenticated;

create or replace function private.settle_proposal(proposal uuid, as_state text, words text, against jsonb default null) returns public.agent_proposals
language plpgsql volatile security definer set search_path = '' as $$
declare
  held public.agent_proposals := private.hold_proposal(proposal);
begin
  if held.state = 'open' then
    update public.agent_proposals p set state = as_state, decided_by = private.me(), decided_at = now(), reason = left(nullif(btrim(words), ''), 2000),
      stays = against
    where p.id = held.id returning * into held;
    -- The agent hears of what is not done.
    perform private.prompt_session(s, format('Your proposal “%s” was %s%s', held.summary,
        case as_state when 'rejected' then 'rejected' else 'not applied, because something it would change has changed' end, coalesce(': ' || held.reason, '.')),
      'agent_session.prompted', jsonb_strip_nulls(jsonb_build_object('kind', 'proposal_' || as_state, 'proposal_id', held.id,
        'reason', case as_state when 'rejected' then held.reason end)))
    from public.agent_sessions s where s.id = held.session_id and as_state <> 'accepted' and private.is_open_session(s);
  end if;
  return held;
end
$$;
grant execute on function private.settle_proposal(uuid, text, text, jsonb) to authenticated;

-- As the caller with the session as their program, which is a role of its own: what they change is noted like what the session itself changes.
create or replace function private.apply_proposal(held public.agent_proposals) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  role constant text := current_setting('role', true);
  claims constant text := current_setting('request.jwt.claims', true);
  steps jsonb;
  stays jsonb := '[]';
begin
  begin
    perform set_config('request.jwt.claims', private.claims_for_session(held.session_id), true);
    perform set_config('role', 'program', true);
    steps := private.apply_difference((
      select jsonb_agg(jsonb_build_object('table', s -> 'table', 'from', s -> 'was', 'to', s -> 'becomes', 'overwritten', '[]'::jsonb) order by place)
      from jsonb_array_elements(held.difference) with ordinality e (s, place)), true);
    stays := private.tell_steps(steps) -> 'stays';
    if stays <> '[]' then
      raise exception using errcode = 'KBDRY';
    end if;
    perform set_config('role', role, true);
    perform set_config('request.jwt.claims', claims, true);
  exception when sqlstate 'KBDRY' then
    null;
  end;
  return stays;
end
$$;
grant execute on function private.apply_proposal(public.agent_proposals) to authenticated;

create or replace function public.accept_proposal(proposal_id uuid) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '30s' as $$
declare
  held public.agent_proposals := private.hold_proposal(accept_proposal.proposal_id);
  stays jsonb := '[]';
begin
  if held.state = 'open' then
    stays := private.apply_proposal(held);
    if stays @> '[{"code": "right"}]' then
      perform private.refuse('42501', 'some of this proposal is not yours to change', 'Ask an owner of the project to accept it.');
    end if;
    held := private.settle_proposal(held.id, case stays when '[]' then 'accepted' else 'conflict' end, (
      select string_agg(concat_ws(': ', nullif(concat_ws(' ', nullif(s ->> 'title', ''), '(' || nullif(array_to_string(array(
        select replace(c, '_', ' ') from jsonb_array_elements_text(s -> 'columns') c), ', '), '') || ')'), ''), s ->> 'reason'), '; ' order by place) from jsonb_array_elements(stays) with ordinality e (s, place)), nullif(stays, '[]'));
  end if;
  return jsonb_build_object('id', held.id, 'state', held.state, 'stays', stays);
end
$$;
grant execute on function public.accept_proposal(uuid) to authenticated;
comment on function public.accept_proposal(uuid) is 'Does what a proposal shows. Answers {"id", "state", "stays"}: accepted, or conflict, where something of it has changed meanwhile; then nothing is done, and `stays` says what stood against it.';

create or replace function private.open_proposals(of_session uuid) returns setof uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  in_project uuid;
begin
  perform private.require_user();
  select s.project_id into in_project from public.agent_sessions s
  where s.id = of_session and private.is_reader(s.project_id) and private.sees_audience(s.project_id, s.audience_id);
  if not found then
    perform private.raise_not_found('session');
  elsif not private.is_writer(in_project) then
    perform private.refuse('42501', 'your role in this project does not allow to decide about proposals', 'Ask an owner of the project for the editor role.');
  end if;
  return query select p.id from public.agent_proposals p
    where p.session_id = of_session and p.state = 'open' and private.is_writer(p.project_id) and private.sees_audience(p.project_id, p.audience_id)
    order by p.created_at, p.id;
end
$$;
grant execute on function private.open_proposals(uuid) to authenticated;

create or replace function public.accept_proposals(session_id uuid) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '30s' as $$
declare
  one uuid;
  answers jsonb := '[]';
begin
  for one in select private.open_proposals(accept_proposals.session_id) loop
    begin
      answers := answers || public.accept_proposal(one);
    exception when insufficient_privilege then
      answers := answers || jsonb_build_object('id', one, 'state', 'open', 'stays', '[]'::jsonb);
    end;
  end loop;
  return answers;
end
$$;
grant execute on function public.accept_proposals(uuid) to authenticated;
comment on function public.accept_proposals(uuid) is 'Accepts the open proposals of a session in their order, each as accept_proposal does, and answers with a list of the same; one that is not the caller''s to accept stays open.';

create or replace function public.reject_proposal(proposal_id uuid, reason text default null) returns public.agent_proposals
language sql volatile set search_path = '' as $$
  select * from private.settle_proposal(reject_proposal.proposal_id, 'rejected', reject_proposal.reason)
$$;
grant execute on function public.reject_proposal(uuid, text) to authenticated;
comment on function public.reject_proposal(uuid, text) is 'Rejects a proposal, with words for the agent. One that is decided already stays as it is.';
