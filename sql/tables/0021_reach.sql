-- Lines of the access log by whom they are about.

create index access_log_subject_idx on public.access_log ((subject ->> 'id'), created_at);
