-- Lines of the access log by address, which goes with its account, and by person.

create index access_log_invited_idx on public.access_log (lower(subject ->> 'email')) where subject ->> 'email' is not null;
create index access_log_subject_id_idx on public.access_log ((subject ->> 'id'));
