-- Claims: who works on a task until when. claim_next_task gives each task to one caller at a time: it locks the task, then looks again at what has
-- changed meanwhile. A claim ends when it is handed back, when its task is done or archived, or with its time; then it is free at once, whether the
-- background job (end_expired_claims) has written that down or not. Requests with the header Claim-Fence pass hold_claims first
-- (server/session/claim-fence.ts): no later claim of the task is given before the request has ended. Locks: the task, then its claim. Those of fences
-- are on no row, and claiming never waits for them, so that a request may write other tasks than the one it holds.

select private.project_rows('public.task_claims', clients => 'select', but => '{add, change, remove, refuse_delete}', guests => 'read');
comment on table public.task_claims is 'Claims of tasks: holder, end and outcome. Made by claim_next_task, extended by keep_claim, ended by release_claim, by time, and as the task is done or archived.';
comment on column public.task_claims.user_id is 'Person or service account that claimed it.';
comment on column public.task_claims.program is 'The key or app that they did it through, as {"kind", "sub", "name"}; kept by the database.';
comment on column public.task_claims.fence is 'Rises with every claim. Sent as the header Claim-Fence, it has writes refused (KB022) once the claim has ended.';
comment on column public.task_claims.expires_at is 'When the task is free again, unless keep_claim extends it.';
comment on column public.task_claims.ended_at is 'When it ended; empty while it is open. One whose time has run out is written down as ended a little later.';
comment on column public.task_claims.outcome is 'finished: the task was done or archived; released: handed back, or ended by an owner; expired: its time ran out.';
comment on column public.task_claims.note is 'Words of who handed it back.';

create or replace trigger task_claims_record after insert on public.task_claims for each row execute function private.record_claim();
create or replace trigger project_members_end_claims after update on public.project_members for each row
  when (old.role <> 'viewer' and new.role = 'viewer' and new.user_id is not null) execute function private.end_claims_of_viewer();
create or replace trigger task_claims_record_end after update on public.task_claims for each row
  when (old.ended_at is null and new.ended_at is not null and new.outcome <> 'finished') execute function private.record_claim();

-- Expired claims have no actor in the history.
create or replace function private.record_claim() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('kanbase.moving_between_projects', true) = 'on' or current_setting('kanbase.importing', true) = 'on' then
    return null;
  elsif tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'claimed', jsonb_build_object('claim_id', new.id,
      'user_id', jsonb_build_object('from', null, 'to', new.user_id), 'expires_at', new.expires_at));
  elsif new.outcome = 'released' then
    perform private.record_activity(new.project_id, new.task_id, 'claim_released', jsonb_strip_nulls(jsonb_build_object('claim_id', new.id, 'note', new.note))
      || jsonb_build_object('user_id', jsonb_build_object('from', new.user_id, 'to', null)));
  else
    insert into public.task_activity (project_id, task_id, audience_id, actor_id, program, kind, change)
    select t.project_id, t.id, t.audience_id, null, null, 'claim_expired',
      jsonb_build_object('claim_id', new.id, 'user_id', jsonb_build_object('from', new.user_id, 'to', null), 'expires_at', new.expires_at)
    from public.tasks t where t.project_id = new.project_id and t.id = new.task_id;
  end if;
  return null;
end
$$;

-- Of tasks that are done or archived, of people who leave, and of tasks that go where their people are not.
create or replace function private.end_claims(ended uuid[], as_outcome text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.task_claims c set ended_at = least(now(), c.expires_at), outcome = case when c.expires_at <= now() then 'expired' else as_outcome end
  where c.id = any (ended) and c.ended_at is null
$$;
comment on function private.end_claims(uuid[], text) is 'Ends claims; those whose time has run out, as expired.';

create or replace function private.end_claims_of_viewer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.end_claims(array(
    select c.id from public.task_claims c where c.project_id = new.project_id and c.user_id = new.user_id and c.ended_at is null order by c.id), 'released');
  return null;
end
$$;

-- Claiming ------------------------------------------------------------------------------------------------------------------

create or replace function private.claim_seconds(seconds integer) returns interval
language plpgsql set search_path = '' as $$
begin
  if seconds is null or seconds not between 1 and 86400 then
    perform private.refuse('22023', 'a task is claimed for 1 to 86400 seconds', 'Claim it for a while, and extend that with keep_claim.');
  end if;
  return make_interval(secs => seconds);
end
$$;

create or replace function private.claiming_projects(in_project uuid) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.me() is null then
    perform private.require_second_factor();
    perform private.refuse('42501', 'tasks are claimed by somebody', 'Send the access token or key of a person or a service account.');
  elsif current_setting('role', true) = 'program' and not exists (select from private.my_token t where t.level = 3) then
    perform private.refuse('42501', 'this key or app may not claim tasks', 'Use one with the scope write.');
  elsif in_project is not null then
    perform private.require_project(in_project);
    if not private.is_writer(in_project) then
      perform private.refuse('42501', 'your role in this project does not allow to claim tasks', 'Ask an owner of the project for the editor role.');
    end if;
  end if;
  return array(
    select m.project_id from private.my_memberships m join public.projects p on p.id = m.project_id
    where m.role in ('owner', 'editor') and p.archived_at is null and (in_project is null or m.project_id = in_project)
      and private.token_reaches(m.project_id, 3)
  );
end
$$;
comment on function private.claiming_projects(uuid) is 'Projects in which the caller may claim tasks, or of these only the named one.';

-- Columns of tasks, those that a view may be sorted by. Ranks of several columns are compared as they are.
create or replace function private.claim_order(sort jsonb) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(format('t.%I%s nulls last', s.one ->> 'by', case when s.one -> 'descending' = 'true' then ' desc' else '' end), ', ' order by s.at) || ', ', '')
    || 't.priority, t.order_rank, t.id'
  from jsonb_array_elements(sort) with ordinality s (one, at)
  where s.one ->> 'by' in ('title', 'number', 'priority', 'start_date', 'due_date', 'estimate', 'created_at', 'updated_at')
$$;

create or replace view private.claimable as
select t.id, t.project_id, t.column_id, t.priority, t.order_rank
from public.tasks t
where t.completed_at is null and t.archived_at is null
  and (t.audience_id is null or t.audience_id = any ((select private.seen_audiences())::uuid[])
    or t.project_id = any ((select private.owned_projects())::uuid[]))
  and not exists (select from public.task_claims c
    where c.project_id = t.project_id and c.task_id = t.id and c.ended_at is null and c.expires_at > now())
  and not exists (select from private.task_waits w where w.task_id = t.id and w.is_open and w.open_predecessors > 0)
  and (not exists (select from public.task_assignees a where a.task_id = t.id)
    or exists (select from public.task_assignees a where a.task_id = t.id and a.user_id = (select c.user_id from private.caller c)))
  and not exists (select from public.tasks s join public.projects p on p.id = s.project_id and p.parents_wait_for_subtasks
    where s.project_id = t.project_id and s.parent_id = t.id and s.completed_at is null and s.archived_at is null);
comment on view private.claimable is 'Open tasks that nobody has claimed, that wait for nothing, and that are assigned to nobody or to the caller too.';

-- The first of each project, by tasks_open_idx, and of these the first. What is under way already needs neither room nor fields. In the query with a
-- filter: $1 to $3 as in views/matching.sql, $4 who claims, $5 projects, $6 tasks that were tried, $7 projects without room, $8 fields that must be filled in.
create or replace function private.next_claimable(
  filter jsonb, sort jsonb, projects uuid[], tried uuid[], without_room uuid[], needed uuid[]
) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  at_once constant integer := 50;
  in_order constant text := private.claim_order(sort);
  found_tasks uuid[];
begin
  if filter = '{}' and sort = '[]' then
    return array(
      select t.id from unnest(projects) p (id)
      cross join lateral (
        select c.id, c.priority, c.order_rank from private.claimable c
        where c.project_id = p.id and c.id <> all (tried)
          and ((c.project_id <> all (without_room) and (needed = '{}' or not exists (
              select from public.custom_fields f
              left join public.task_field_values v on v.project_id = f.project_id and v.task_id = c.id and v.field_id = f.id
              where f.project_id = c.project_id and f.id = any (needed) and (v.value is null or v.value = 'false'))))
            or exists (select from public.workflow_columns w where w.id = c.column_id and w.kind = 'in_progress'))
        order by c.priority, c.order_rank limit at_once
      ) t
      order by t.priority, t.order_rank, t.id limit at_once
    );
  end if;
  execute format('select array(
      select t.id from unnest($5) p (id)
      cross join lateral (
        select t.* from private.claimable c join public.tasks t on t.id = c.id
        where c.project_id = p.id and c.id <> all ($6)
          and ((c.project_id <> all ($7) and ($8 = ''{}'' or not exists (
              select from public.custom_fields f
              left join public.task_field_values v on v.project_id = f.project_id and v.task_id = c.id and v.field_id = f.id
              where f.project_id = c.project_id and f.id = any ($8) and (v.value is null or v.value = ''false''))))
            or exists (select from public.workflow_columns w where w.id = c.column_id and w.kind = ''in_progress''))
          and %1$s
        order by %2$s limit %3$s
      ) t
      order by %2$s limit %3$s)', coalesce(private.filter_as_text(filter), 'true'), in_order, at_once)
    into found_tasks using filter, private.day_of_caller(), private.zone_of_caller(), private.me(), projects, tried, without_room, needed;
  return found_tasks;
end
$$;

create or replace function private.zone_of_caller() returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select s.time_zone from public.notification_schedules s where s.user_id = private.me()), 'UTC')
$$;

create or replace function private.day_of_caller() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone private.zone_of_caller())::date
$$;

create or replace function private.is_claimable(task uuid, filter jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_one boolean := exists (select from private.claimable c where c.id = task);
begin
  if is_one and filter <> '{}' then
    execute format('select exists (select from public.tasks t where t.id = $5 and %s)', coalesce(private.filter_as_text(filter), 'true'))
      into is_one using filter, private.day_of_caller(), private.zone_of_caller(), private.me(), task;
  end if;
  return is_one;
end
$$;

-- In these projects: those whose columns for work under way are all full, and the required fields of the leftmost that have room.
create or replace function private.start_columns(projects uuid[], out without_room uuid[], out needed uuid[])
language sql stable security definer set search_path = '' as $$
  with leftmost as (
    select distinct on (c.project_id) c.project_id, c.required_fields, r.has_room
    from public.workflow_columns c, lateral (
      select c.wip_limit is null or c.wip_limit > (
        select count(*) from public.tasks t where t.project_id = c.project_id and t.column_id = c.id and t.archived_at is null) as has_room
    ) r
    where c.project_id = any (projects) and c.kind = 'in_progress'
    order by c.project_id, r.has_room desc, c.position, c.id
  )
  select array(select l.project_id from leftmost l where not l.has_room), array(select unnest(l.required_fields) from leftmost l where l.has_room)
$$;

-- Of the leftmost column in which work is under way and which has room; null where none has. It keeps the room until the transaction ends.
create or replace function private.column_with_room(in_project uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  one record;
begin
  for one in select c.id, c.wip_limit from public.workflow_columns c
    where c.project_id = in_project and c.kind = 'in_progress' order by c.position, c.id
  loop
    perform private.lock_column(in_project, one.id);
    if one.wip_limit is null or one.wip_limit > (
      select count(*) from public.tasks t where t.project_id = in_project and t.column_id = one.id and t.archived_at is null
    ) then
      return one.id;
    end if;
  end loop;
  return null;
end
$$;

-- Moves a task that is claimed to where work is under way; 55000 where there is no room, KB011 where the column wants what the task lacks.
create or replace function private.start_task(task uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  place record;
  room uuid;
begin
  select t.project_id, c.kind into place from public.tasks t join public.workflow_columns c on c.id = t.column_id where t.id = task;
  if place.kind = 'in_progress' or not exists (
    select from public.workflow_columns c where c.project_id = place.project_id and c.kind = 'in_progress'
  ) then
    return;
  end if;
  room := private.column_with_room(place.project_id);
  if room is null then
    raise object_not_in_prerequisite_state;
  end if;
  perform private.move_task(task, room);
end
$$;

create or replace function private.fence_key(task uuid) returns bigint
language sql immutable set search_path = '' as $$
  select hashtextextended(task::text, 3088)
$$;

-- 55P03 where somebody writes under the former claim, or is just ending or extending it: they are not waited for.
create or replace function private.claim_one(task public.tasks, lease interval, start boolean) returns public.task_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  former public.task_claims;
  claimed public.task_claims;
begin
  if not pg_try_advisory_xact_lock(private.fence_key(task.id)) then
    raise lock_not_available;
  end if;
  select c.* into former from public.task_claims c
  where c.project_id = task.project_id and c.task_id = task.id and c.ended_at is null for update nowait;
  if former.expires_at > now() then
    raise lock_not_available;
  end if;
  perform private.end_claims(array[former.id], 'expired');
  -- A move is a change, which a session in mode propose does not make.
  if start and current_setting('kanbase.session_proposes', true) is distinct from 'on' then
    perform private.start_task(task.id);
  end if;
  insert into public.task_claims (project_id, task_id, audience_id, user_id, expires_at)
  values (task.project_id, task.id, task.audience_id, private.me(), now() + lease) returning * into claimed;
  return claimed;
end
$$;

create or replace function private.claim_of_filter(filter jsonb, sort jsonb, in_project uuid, seconds integer, start boolean) returns setof public.task_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  rounds constant integer := 20;
  lease constant interval := private.claim_seconds(seconds);
  projects constant uuid[] := private.claiming_projects(in_project);
  tried uuid[] := '{}';
  without_room uuid[] := '{}';
  needed uuid[] := '{}';
  not_started uuid[] := '{}';
  candidates uuid[];
  candidate uuid;
  task public.tasks;
begin
  for round in 1..rounds loop
    if start then
      select w.without_room || not_started, w.needed into without_room, needed from private.start_columns(projects) w;
    end if;
    candidates := private.next_claimable(filter, sort, projects, tried, without_room, needed);
    exit when candidates = '{}';
    foreach candidate in array candidates loop
      tried := tried || candidate;
      -- A block of its own: the locks on what is not claimed go with it.
      begin
        select t.* into task from public.tasks t where t.id = candidate for no key update skip locked;
        -- Looked at again under the lock: it may have been claimed or changed meanwhile.
        if not found or task.project_id <> all (projects) or not private.is_claimable(candidate, filter) then
          raise lock_not_available;
        end if;
        return next private.claim_one(task, lease, coalesce(start, false));
        return;
      exception
        when lock_not_available then
          null;
        -- The column has changed meanwhile: no other task of this project is tried there.
        when object_not_in_prerequisite_state or sqlstate 'KB011' then
          not_started := not_started || task.project_id;
          exit;
      end;
    end loop;
  end loop;
end
$$;
grant execute on function private.claim_of_filter(jsonb, jsonb, uuid, integer, boolean) to authenticated;
comment on function private.claim_of_filter(jsonb, jsonb, uuid, integer, boolean) is 'Claims the first task of a filter that the caller may work on.';

create or replace function public.claim_next_task(view uuid default null, project uuid default null, seconds integer default 900, start boolean default false)
returns setof public.task_claims
language plpgsql volatile rows 1 set search_path = '' as $$
declare
  seen public.saved_views;
begin
  if claim_next_task.view is null then
    return query select c.* from private.claim_of_filter('{}', '[]', claim_next_task.project, seconds, start) c;
    return;
  end if;
  select v.* into seen from public.saved_views v where v.id = claim_next_task.view;
  if not found then
    perform private.raise_not_found('view');
  elsif seen.project_id is null or claim_next_task.project is null or seen.project_id = claim_next_task.project then
    return query select c.* from private.claim_of_filter(seen.filter, seen.sort, coalesce(seen.project_id, claim_next_task.project), seconds, start) c;
  end if;
end
$$;
grant execute on function public.claim_next_task(uuid, uuid, integer, boolean) to authenticated, service_role;
comment on function public.claim_next_task(uuid, uuid, integer, boolean) is 'Claims the next open task for the caller: of a saved view, in its order; of a project; of both; or, with neither, of all projects they may write in, most urgent first, then by rank. Passed over are tasks that are claimed, wait for others, are assigned to others only, or of which the caller may write none. No task is given to two callers. The claim ends after `seconds` (1 to 86400) unless keep_claim extends it. `start` moves the task to the leftmost column of kind in_progress whose wip_limit leaves room, and passes over tasks for which there is none. Returns the claim, or no row where nothing is left; send its `fence` as the header Claim-Fence with what you write.';

-- Keeping and handing back ----------------------------------------------------------------------------------------------------

create or replace function private.refuse_ended_claim(claim public.task_claims) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.refuse('KB022', 'the claim has ended', 'Stop working on this task, and claim one again with claim_next_task.', case
    when claim.outcome = 'finished' then 'Its task is done or archived.'
    when claim.outcome = 'released' then 'It was handed back.'
    when claim.id is not null then 'Its time ran out at ' || to_char(claim.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '.' end);
end
$$;

-- Its task is locked first, so that nobody who moves or deletes it waits for this.
create or replace function private.lock_claim(claim uuid) returns public.task_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  held public.task_claims;
begin
  perform from public.tasks t where t.id = (select c.task_id from public.task_claims c where c.id = claim) for key share;
  select c.* into held from public.task_claims c where c.id = claim for no key update;
  if not found or not private.is_reader(held.project_id) or not private.sees_audience(held.project_id, held.audience_id) then
    perform private.raise_not_found('claim');
  end if;
  return held;
end
$$;

create or replace function private.keep_claim(claim uuid, seconds integer) returns public.task_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  lease constant interval := private.claim_seconds(seconds);
  held public.task_claims := private.lock_claim(claim);
begin
  if held.user_id is distinct from private.me() or not private.is_writer(held.project_id) then
    perform private.refuse('42501', 'only who claimed a task keeps it, as long as they may write it', 'Claim a task yourself with claim_next_task.');
  elsif held.ended_at is not null or held.expires_at <= now() then
    perform private.refuse_ended_claim(held);
  end if;
  update public.task_claims c set expires_at = now() + lease where c.id = claim returning * into held;
  return held;
end
$$;
grant execute on function private.keep_claim(uuid, integer) to authenticated;

create or replace function public.keep_claim(claim uuid, seconds integer default 900) returns public.task_claims
language sql volatile set search_path = '' as $$
  select * from private.keep_claim(keep_claim.claim, keep_claim.seconds)
$$;
grant execute on function public.keep_claim(uuid, integer) to authenticated, service_role;
comment on function public.keep_claim(uuid, integer) is 'Extends a claim of the caller: it ends `seconds` (1 to 86400) from now. KB022 where it has ended. Returns it.';

-- Asked again because the answer was lost, it answers the same.
create or replace function private.release_claim(claim uuid, note text) returns public.task_claims
language plpgsql volatile security definer set search_path = '' as $$
declare
  held public.task_claims := private.lock_claim(claim);
begin
  if not private.is_own_work() and not private.is_owner(held.project_id)
    and not (held.user_id = private.me() and private.token_reaches(held.project_id, 3)) then
    perform private.refuse('42501', 'only who claimed a task hands it back, or an owner of the project', 'Ask one of them, or wait until its time runs out.');
  elsif char_length(note) > 2000 then
    perform private.refuse('22023', 'a note has up to 2000 characters', 'Write the rest as a comment.');
  elsif held.outcome = 'released' then
    return held;
  elsif held.ended_at is not null or held.expires_at <= now() then
    perform private.refuse_ended_claim(held);
  end if;
  update public.task_claims c set ended_at = now(), outcome = 'released', note = nullif(btrim(release_claim.note), '') where c.id = claim returning * into held;
  return held;
end
$$;
grant execute on function private.release_claim(uuid, text) to authenticated, service_role;

create or replace function public.release_claim(claim uuid, note text default null) returns public.task_claims
language sql volatile set search_path = '' as $$
  select * from private.release_claim(release_claim.claim, release_claim.note)
$$;
grant execute on function public.release_claim(uuid, text) to authenticated, service_role;
comment on function public.release_claim(uuid, text) is 'Hands a claimed task back, with a note for its history: the next caller may claim it at once. For who claimed it, and for owners of the project. KB022 where the claim has ended otherwise. Returns it.';

-- Fences --------------------------------------------------------------------------------------------------------------------

-- No later claim of these tasks is given until the transaction ends: the server runs it before each write that names fences. Tasks of others are not locked.
create or replace function private.hold_claims(fences text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  numbers bigint[];
  ended public.task_claims;
begin
  if fences !~ '^\s*\d{1,18}(\s*,\s*\d{1,18}){0,99}\s*$' then
    perform private.refuse('22023', 'Claim-Fence must be the fence of a claim', 'Send the number that claim_next_task answered as "fence"; several with commas between.');
  end if;
  numbers := string_to_array(regexp_replace(fences, '\s', '', 'g'), ',')::bigint[];
  perform pg_advisory_xact_lock_shared(private.fence_key(c.task_id)) from public.task_claims c
  where c.fence = any (numbers) and c.user_id = private.me() and c.ended_at is null and c.expires_at > now();
  -- Looked at under the locks.
  if exists (
    select from unnest(numbers) n where not exists (
      select from public.task_claims c
      where c.fence = n and c.user_id = private.me() and c.ended_at is null and c.expires_at > now())
  ) then
    select c.* into ended from public.task_claims c
    where c.fence = any (numbers) and c.user_id = private.me() and (c.ended_at is not null or c.expires_at <= now()) order by c.fence limit 1;
    perform private.refuse_ended_claim(ended);
  end if;
end
$$;
grant execute on function private.hold_claims(text) to authenticated, service_role;
comment on function private.hold_claims(text) is 'Refuses with KB022 unless the caller holds the claims with these fences; their tasks are given to nobody else until the transaction ends.';

-- Time ----------------------------------------------------------------------------------------------------------------------

create or replace function private.end_expired_claims(most integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  expired constant uuid[] := array(
    select c.id from public.task_claims c join public.tasks t on t.id = c.task_id
    where c.ended_at is null and c.expires_at <= now() order by c.expires_at limit most for key share of t skip locked);
begin
  perform private.end_claims(array(
    select c.id from public.task_claims c where c.id = any (expired) and c.ended_at is null and c.expires_at <= now() for no key update skip locked), 'expired');
  return cardinality(expired);
end
$$;
grant execute on function private.end_expired_claims(integer) to service_role;
comment on function private.end_expired_claims(integer) is 'Writes down the end of claims whose time has run out, oldest first, in their tasks'' histories. Answers how many it saw.';
