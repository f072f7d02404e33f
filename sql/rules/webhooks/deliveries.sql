-- Deliveries of webhooks: one row for each event and webhook, written in the transaction that moves the cursor of the consumer `webhooks`, claimed
-- by one node at a time, and tried again for about a day. A later event of a task waits for the earlier one to the same address.
--
-- A receiver in trouble (no answer, 5xx, 429) rests: it is asked one delivery at a time, less and less often, so that it takes nothing from others.

create policy service on public.webhook_deliveries to service_role using (true) with check (true);
create policy read on public.webhook_deliveries for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
select private.narrowed_rows('public.webhook_deliveries', 'hidden', false);
grant select on public.webhook_deliveries to anon, authenticated;
grant all on public.webhook_deliveries to service_role;
comment on table public.webhook_deliveries is 'What webhooks were told, for two weeks, newest last by created_at. Owners read them; not published to live channels. Written by the server.';
comment on column public.webhook_deliveries.id is 'Made by the server, sorted by time.';
comment on column public.webhook_deliveries.project_id is 'The project.';
comment on column public.webhook_deliveries.webhook_id is 'The webhook.';
comment on column public.webhook_deliveries.event_id is 'The header webhook-id: the same in every attempt, also when it is sent again later.';
comment on column public.webhook_deliveries.event is 'Type of the event; webhook.test for a test.';
comment on column public.webhook_deliveries.task_id is 'The task, also after it is gone; empty for what is about none.';
comment on column public.webhook_deliveries.place is 'Place among the events.';
comment on column public.webhook_deliveries.state is 'queued, delivered, or failed: given up.';
comment on column public.webhook_deliveries.attempts is 'How often it was sent.';
comment on column public.webhook_deliveries.next_attempt_at is 'When it is sent next, while it is queued.';
comment on column public.webhook_deliveries.attempted_at is 'When it was last sent.';
comment on column public.webhook_deliveries.status is 'HTTP status of the last answer.';
comment on column public.webhook_deliveries.duration_ms is 'How long the last answer took.';
comment on column public.webhook_deliveries.request is 'The body that was sent, where it is not the payload itself.';
comment on column public.webhook_deliveries.response is 'The first 4,000 characters of the last answer.';
comment on column public.webhook_deliveries.error is 'Why the last attempt failed.';
comment on column public.webhook_deliveries.created_at is 'When the row was made.';
comment on column public.webhook_deliveries.updated_at is 'When the row last changed.';
select private.room_rows('private.webhook_payloads', 'kanbase_outbox', 'select, insert, delete');
comment on table private.webhook_payloads is 'What an event says, for all webhooks that it goes to.';

-- From events to deliveries -------------------------------------------------------------------------------------------------

-- Events with the names that payloads have, and the webhooks of their projects. `name` stands for the person of an assignment.
create or replace function private.read_webhook_events(most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  with found as materialized (
    select * from private.read_events('webhooks', most)
  )
  select jsonb_build_object(
    'batch', min(f.batch::text), 'since', min(f.since), 'past', max(f.place),
    'events', jsonb_agg(to_jsonb(f) - '{batch,since}'::text[] || jsonb_build_object(
      'project', (select jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name) from public.projects p where p.id = f.project_id),
      'column', (select c.name from public.workflow_columns c where c.id = (f.task ->> 'column_id')::uuid),
      'actor', (select jsonb_build_object('id', a.id, 'display_name', a.display_name) from public.profiles a where a.id = f.actor_id),
      'person', (select jsonb_build_object('id', a.id, 'display_name', a.display_name) from public.profiles a
        where a.id = coalesce(f.change #>> '{user_id,to}', f.change #>> '{user_id,from}')::uuid)
    ) order by f.place),
    'webhooks', (
      select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'project_id', w.project_id, 'events', w.events, 'filter', w.filter,
        'includes_restricted', w.includes_restricted, 'created_by', w.created_by)), '[]')
      from public.webhooks w where w.is_active and w.project_id in (select g.project_id from found g)
    )
  ) into answer
  from found f
  having count(*) > 0;
  return answer;
end
$$;
grant execute on function private.read_webhook_events(integer) to kanbase_outbox;
comment on function private.read_webhook_events(integer) is 'The next events for webhooks, and the webhooks they may go to; null where none waits.';

-- Of a task that is in the project no more, since it was deleted or moved away before its events were read: as the event has it, without people, labels and
-- whatever else hung on it.
create or replace function private.events_of_filter(of_webhook uuid, places bigint[], today date) returns setof bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  late constant bigint[] := array(
    select e.place from private.events e
    where e.place = any (places) and not exists (select from public.tasks t where t.project_id = e.project_id and t.id = e.task_id)
  );
  hook public.webhooks;
begin
  if late = '{}' then
    return;
  end if;
  select w.* into hook from public.webhooks w where w.id = of_webhook;
  return query execute format('select e.place from private.events e cross join jsonb_populate_record(null::public.tasks, e.task || ''{"id": null}'') t
    where e.place = any ($5) and e.task is not null and %s', coalesce(private.filter_as_text(hook.filter), 'true'))
    using hook.filter, today, 'UTC', hook.created_by, late;
end
$$;
grant execute on function private.events_of_filter(uuid, bigint[], date) to kanbase_outbox;
comment on function private.events_of_filter(uuid, bigint[], date) is 'Events of the filter of a webhook, of those whose task is gone.';

-- `payloads`: {event id: payload}; `targets`: [{webhook_id, place}]. A deleted task is told of where it was before.
create or replace function private.save_webhook_deliveries(of_batch text, since bigint, past bigint, payloads jsonb, targets jsonb) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  made integer;
begin
  if not private.advance_events('webhooks', of_batch::pg_snapshot, save_webhook_deliveries.since, save_webhook_deliveries.past) then
    return null;
  end if;
  insert into private.webhook_payloads (event_id, payload)
  select p.key::uuid, p.value from jsonb_each(payloads) p
  on conflict do nothing;
  insert into public.webhook_deliveries (project_id, webhook_id, event_id, event, task_id, place)
  select w.project_id, w.id, e.id, e.type, e.task_id, e.place
  from jsonb_to_recordset(targets) t (webhook_id uuid, place bigint, was_told boolean)
  join private.events e on e.place = t.place
  join public.webhooks w on w.id = t.webhook_id and w.project_id = e.project_id and w.is_active
  where (t.was_told is not true
      or exists (select from public.webhook_deliveries d where d.project_id = w.project_id and d.webhook_id = w.id and d.task_id = e.task_id))
    and not exists (
      select from private.restored_webhooks r
      where r.project_id = w.project_id and r.webhook_id = w.id and e.created_at between r.deleted_at and r.restored_at
    )
  order by e.place
  on conflict do nothing;
  get diagnostics made = row_count;
  if made > 0 then
    perform pg_notify('kanbase_webhooks', '');
  end if;
  return made;
end
$$;
grant execute on function private.save_webhook_deliveries(text, bigint, bigint, jsonb, jsonb) to kanbase_outbox;
comment on function private.save_webhook_deliveries(text, bigint, bigint, jsonb, jsonb) is 'Queues deliveries and moves the cursor past their events, both or neither; null where another node has.';

-- Sending -------------------------------------------------------------------------------------------------------------------

-- A claim lasts a minute, longer than any attempt may take. `busy`: {webhook id: deliveries that this node is sending to it}. Tests go to webhooks
-- that are off or rest, too. Of a deleted project only its deletion is told.
create or replace function private.claim_webhook_deliveries(most integer, per_webhook integer, busy jsonb)
returns table (id uuid, webhook_id uuid, event_id uuid, event text, attempts integer, url text, shape text, sealed text, former text, payload jsonb)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  -- A quarter of what a node has under way at once (server/outbox/webhooks/send-deliveries.ts).
  per_project constant integer := 128;
begin
  return query
  with hooks as materialized (
    select w.id, w.project_id, w.is_active and (s.resting_until is null or s.resting_until <= now()) as is_open, p.deleted_at is not null as is_gone,
      case when coalesce(s.failures, 0) > 0 then 1 else per_webhook end - b.busy as room, b.busy, random() as lot
    from public.webhooks w
    join public.projects p on p.id = w.project_id
    left join private.webhook_states s on s.webhook_id = w.id
    cross join lateral (select coalesce((claim_webhook_deliveries.busy ->> w.id::text)::integer, 0) as busy) b
    where w.id in (select q.webhook_id from private.queued_webhooks q)
  ), projects as materialized (
    select w.project_id, sum(b.value::integer) as busy
    from jsonb_each_text(claim_webhook_deliveries.busy) b join public.webhooks w on w.id = b.key::uuid group by w.project_id
  ), ready as (
    select d.id, h.project_id, h.busy + d.at as turn, h.lot from (select h.* from hooks h where h.room > 0 order by h.busy, h.lot) h
    cross join lateral (
      select d.id, row_number() over (order by d.place) as at from public.webhook_deliveries d
      where d.webhook_id = h.id and d.state = 'queued' and d.next_attempt_at <= now()
        and (h.is_open or d.event = 'webhook.test') and (not h.is_gone or d.event = 'project.deleted')
        and (d.task_id is null or not exists (
          select from public.webhook_deliveries e
          where e.webhook_id = d.webhook_id and e.task_id = d.task_id and e.state = 'queued' and e.place < d.place
        ))
      order by d.place limit h.room
    ) d
    limit 8 * most
  ), placed as (
    select r.id, r.turn, r.lot, coalesce(p.busy, 0) + row_number() over (partition by r.project_id order by r.turn, r.lot) as at
    from ready r left join projects p on p.project_id = r.project_id
  ), chosen as materialized (
    -- Half of the share of a project is for those of its webhooks that have nothing under way: receivers that hang leave room for the others.
    select p.id from placed p where p.at <= case when p.turn = 1 then per_project else per_project / 2 end
    order by p.turn, p.lot limit most
  ), due as materialized (
    select d.id from public.webhook_deliveries d
    where d.id in (select c.id from chosen c) and d.state = 'queued' and d.next_attempt_at <= now() for update skip locked
  ), claimed as (
    update public.webhook_deliveries d
    set attempts = d.attempts + 1, next_attempt_at = now() + interval '1 minute', attempted_at = now()
    from due where d.id = due.id
    returning d.id, d.webhook_id, d.event_id, d.event, d.attempts, d.place
  )
  select c.id, c.webhook_id, c.event_id, c.event, c.attempts, w.url, w.shape, k.sealed, case when k.former_until > now() then k.former end,
    case when row_number() over (partition by c.event_id order by c.id) = 1 then p.payload end
  from claimed c
  join public.webhooks w on w.id = c.webhook_id
  left join private.webhook_secrets k on k.webhook_id = c.webhook_id
  left join private.webhook_payloads p on p.event_id = c.event_id
  order by c.place;
end
$$;
grant execute on function private.claim_webhook_deliveries(integer, integer, jsonb) to kanbase_outbox;
comment on function private.claim_webhook_deliveries(integer, integer, jsonb) is 'Claims deliveries that are due, fairly among projects, and in turns among webhooks. The payload of an event comes with the first of its deliveries.';

-- Steps from one webhook to the next in the index of the queue, instead of reading the queue.
create or replace view private.queued_webhooks as
with recursive step as (
  (select d.webhook_id from public.webhook_deliveries d where d.state = 'queued' order by d.webhook_id limit 1)
  union all
  select (select d.webhook_id from public.webhook_deliveries d where d.state = 'queued' and d.webhook_id > step.webhook_id order by d.webhook_id limit 1)
  from step where step.webhook_id is not null
)
select webhook_id from step where webhook_id is not null;
comment on view private.queued_webhooks is 'Webhooks that have something in the queue.';

-- Seconds to wait after so many failures; null: given up. With what comes on top, about a day in all.
create or replace function private.webhook_pause(failures integer) returns double precision
language sql volatile
return (array[5, 30, 120, 600, 1800, 3600, 7200, 14400, 21600, 32400])[failures] * (0.9 + 0.2 * random());

-- `results`: [{id, webhook_id, outcome, status, duration_ms, request, response, error, retry_after, in_trouble}]; outcome: delivered, failed or gone;
-- in_trouble: the receiver as a whole, not this one delivery. Returns the webhooks that are to be turned off, with the reason. What an owner gave up or
-- sent again in the meantime stays. Locks webhooks before deliveries, as turning one off does.
create or replace function private.record_webhook_results(results jsonb) returns table (webhook_id uuid, because text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  one record;
begin
  for one in
    select w.id, bool_or(r.outcome = 'delivered') as is_well, bool_or(r.outcome = 'gone') as is_gone, bool_or(r.in_trouble) as in_trouble,
      max(r.retry_after) as retry_after, bool_or(r.outcome <> 'delivered' and d.event <> 'webhook.test') as has_failed
    from jsonb_to_recordset(results) r (id uuid, outcome text, retry_after double precision, in_trouble boolean)
    join public.webhook_deliveries d on d.id = r.id
    join public.webhooks w on w.id = d.webhook_id
    left join private.webhook_states s on s.webhook_id = w.id
    group by w.id
    -- Of receivers that were well and still are, there is nothing to record here.
    having bool_or(r.outcome <> 'delivered' or r.retry_after is not null or w.failing_since is not null or s.webhook_id is not null)
    order by w.id
  loop
    if one.is_well then
      update public.webhooks w set failing_since = null where w.id = one.id and w.failing_since is not null;
      delete from private.webhook_states s where s.webhook_id = one.id;
    elsif one.has_failed then
      update public.webhooks w set failing_since = now() where w.id = one.id and w.is_active and w.failing_since is null;
    end if;
    if one.retry_after is not null or (one.in_trouble and not one.is_well) then
      -- Those that were on their way at the same time are one failure.
      insert into private.webhook_states as s (webhook_id, failures, resting_until)
      values (one.id, (not one.is_well)::integer, now() + make_interval(secs => greatest(private.webhook_pause(1), one.retry_after)))
      on conflict (webhook_id) do update set failures = s.failures + 1,
        resting_until = now() + make_interval(secs => greatest(private.webhook_pause(least(s.failures + 1, 6)), one.retry_after))
      where s.resting_until <= now();
    end if;
    if one.is_gone then
      return query select one.id, 'gone';
    elsif one.has_failed and not one.is_well then
      return query select w.id, 'failing' from public.webhooks w
      where w.id = one.id and w.is_active and w.failing_since < now() - interval '1 day';
    end if;
  end loop;
  perform from public.webhook_deliveries d
  where d.id in (select (r ->> 'id')::uuid from jsonb_array_elements(results) r) order by d.id for update;
  update public.webhook_deliveries d set
    state = case when r.outcome = 'delivered' then 'delivered'
      when r.outcome = 'gone' or d.event = 'webhook.test' or private.webhook_pause(d.attempts) is null then 'failed' else 'queued' end,
    next_attempt_at = case when r.outcome = 'delivered' then d.next_attempt_at
      else now() + make_interval(secs => coalesce(greatest(private.webhook_pause(d.attempts), r.retry_after), 0)) end,
    status = r.status, duration_ms = r.duration_ms, request = r.request, response = r.response, error = r.error, updated_at = now()
  from jsonb_to_recordset(results) r (id uuid, outcome text, status integer, duration_ms integer, request text, response text, error text,
    retry_after double precision)
  where d.id = r.id and d.state = 'queued' and d.attempts > 0;
end
$$;
grant execute on function private.record_webhook_results(jsonb) to kanbase_outbox;
comment on function private.record_webhook_results(jsonb) is 'Records what became of attempts, and names the webhooks that are to be turned off.';

-- A lost claim of the last attempt ends nothing: the row is claimed again. Two weeks of answers are enough to look into.
create or replace function private.sweep_webhook_deliveries() returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.webhook_deliveries d where d.created_at < now() - interval '14 days';
  delete from private.webhook_payloads p where p.created_at < now() - interval '15 days';
  delete from private.deleted_webhooks d where d.deleted_at < now() - interval '7 days';
  delete from private.restored_webhooks r where r.restored_at < now() - interval '7 days'
$$;
grant execute on function private.sweep_webhook_deliveries() to kanbase_outbox;
comment on function private.sweep_webhook_deliveries() is 'Deletes deliveries of more than two weeks ago, and what is saved of webhooks that were removed or restored a week ago.';

create or replace function private.outbox_waits() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.event_interests) or exists (select from public.webhook_deliveries d where d.state = 'queued')
$$;
grant execute on function private.outbox_waits() to kanbase_outbox;
comment on function private.outbox_waits() is 'Whether any project is waited for, or any delivery queued.';

-- By owners -----------------------------------------------------------------------------------------------------------------

create or replace function private.send_webhook_test(of_webhook uuid) returns public.webhook_deliveries
language plpgsql volatile security definer set search_path = '' as $$
declare
  hook constant public.webhooks := private.own_webhook(of_webhook);
  event constant uuid := private.uuid_v7();
  delivery public.webhook_deliveries;
begin
  if hook.off_because = 'operator' then
    perform private.refuse('42501', 'an administrator turned this webhook off', 'Ask an administrator of this server to allow it again.');
  elsif (select count(*) from public.webhook_deliveries d where d.project_id = hook.project_id and d.webhook_id = hook.id and d.event = 'webhook.test'
    and d.created_at > now() - interval '1 minute') >= 10 then
    perform private.refuse('PT429', 'ten tests a minute are enough', 'Wait a minute.');
  end if;
  insert into private.webhook_payloads (event_id, payload)
  select event, jsonb_build_object('type', 'webhook.test', 'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', jsonb_build_object('project', jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name),
      'webhook', jsonb_build_object('id', hook.id, 'name', hook.name)))
  from public.projects p where p.id = hook.project_id;
  insert into public.webhook_deliveries (project_id, webhook_id, event_id, event, place)
  values (hook.project_id, hook.id, event, 'webhook.test', 0) returning * into delivery;
  perform pg_notify('kanbase_webhooks', '');
  return delivery;
end
$$;
grant execute on function private.send_webhook_test(uuid) to authenticated;

create or replace function public.test_webhook(webhook_id uuid) returns public.webhook_deliveries
language sql volatile set search_path = '' as $$
  select private.send_webhook_test(test_webhook.webhook_id)
$$;
grant execute on function public.test_webhook(uuid) to authenticated;
comment on function public.test_webhook(uuid) is 'Sends an event webhook.test to a webhook (owners only), also to one that is off, in one attempt. Returns its row of webhook_deliveries.';

create or replace function private.send_webhook_again(of_webhook uuid, one uuid, since timestamptz, only_failed boolean) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  hook constant public.webhooks := private.own_webhook(of_webhook);
  queued integer;
begin
  if not hook.is_active then
    perform private.refuse('PT409', 'the webhook is off', 'Turn it on first.');
  elsif (one is null) = (since is null) then
    perform private.refuse('22023', 'either a delivery or a time is sent again', 'Send "delivery_id" or "since".');
  elsif since is not null and private.take_token('webhook sent again ' || hook.id, 20, 3600) > 0 then
    perform private.refuse('PT429', 'this webhook is sent again many times in a short time', 'Up to 20 times an hour; wait a while and go on.');
  end if;
  perform from public.webhook_deliveries d
  where d.project_id = hook.project_id and d.webhook_id = hook.id and (d.id = one or d.created_at >= since) order by d.id for update;
  update public.webhook_deliveries d set state = 'queued', attempts = 0, next_attempt_at = now(), updated_at = now()
  where d.project_id = hook.project_id and d.webhook_id = hook.id and d.state <> 'queued'
    and (d.id = one or (d.created_at >= since and d.event <> 'webhook.test' and (d.state = 'failed' or not only_failed)));
  get diagnostics queued = row_count;
  if queued > 0 then
    perform pg_notify('kanbase_webhooks', '');
  end if;
  return queued;
end
$$;
grant execute on function private.send_webhook_again(uuid, uuid, timestamptz, boolean) to authenticated;

create or replace function public.redeliver_webhook(
  webhook_id uuid, delivery_id uuid default null, since timestamptz default null, only_failed boolean default true
) returns integer
language sql volatile set search_path = '' as $$
  select private.send_webhook_again(redeliver_webhook.webhook_id, redeliver_webhook.delivery_id, redeliver_webhook.since, redeliver_webhook.only_failed)
$$;
grant execute on function public.redeliver_webhook(uuid, uuid, timestamptz, boolean) to authenticated;
comment on function public.redeliver_webhook(uuid, uuid, timestamptz, boolean) is 'Sends one delivery of a webhook again, or all since a time: those that failed, or with only_failed false every one (owners only). The header webhook-id stays. Returns how many.';

create or replace function private.read_webhook_payload(of_delivery uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  delivery public.webhook_deliveries;
begin
  perform private.require_user();
  select d.* into delivery from public.webhook_deliveries d where d.id = of_delivery and private.is_owner(d.project_id);
  if not found then
    perform private.refuse('PT404', 'no such delivery', 'There is none with this id, or you are no owner of its project.');
  end if;
  return (select p.payload from private.webhook_payloads p where p.event_id = delivery.event_id);
end
$$;
grant execute on function private.read_webhook_payload(uuid) to authenticated;

create or replace function public.webhook_payload(delivery_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_webhook_payload(webhook_payload.delivery_id)
$$;
grant execute on function public.webhook_payload(uuid) to authenticated;
comment on function public.webhook_payload(uuid) is 'What a delivery of a webhook says, as JSON (owners only); what a chat service was sent is the column request.';
