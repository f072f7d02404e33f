-- Room in each page of deliveries for the row as it is when claimed, which then changes no index. What is older than two weeks is found by blocks: rows
-- come in the order of created_at.

alter table public.webhook_deliveries set (fillfactor = 60);
drop index public.webhook_deliveries_created_at_idx;
create index webhook_deliveries_created_at_idx on public.webhook_deliveries using brin (created_at) with (autosummarize = on);
