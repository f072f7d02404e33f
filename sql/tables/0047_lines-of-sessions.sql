-- Lines of the history by the session of an agent that they were written in.
-- kanbase: no transaction

drop index concurrently if exists public.task_activity_session_idx;
create index concurrently task_activity_session_idx on public.task_activity ((program ->> 'session'), created_at) where program ? 'session';
