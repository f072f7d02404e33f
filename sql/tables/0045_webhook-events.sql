-- Room in each page of deliveries for the row as it is when claimed, which then changes no index. What is older than two weeks is found by blocks: rows
-- come in the order of created_at.

alter table public.webhook_deliveries set (fillfactor = 60);
drop index public.webhook_deliveries_created_at_idx;
create index webhook_deliveries_created_at_idx on public.webhook_deliveries using brin (created_at) with (autosummarize = on);

-- The program behind a change, as in task_activity.
alter table private.events add column program jsonb;
alter table private.events alter column program set default private.claim_in(current_setting('request.jwt.claims', true), 'act');
drop function if exists private.read_events(text, integer);

-- Until then it looks for events by itself, and no change has to notify it.
alter table private.event_consumers add column awake_until timestamptz;
