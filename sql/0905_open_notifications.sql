-- The inbox asks for what is not done. People keep what they have done for years: with these apart, it costs what is open, not what ever came.

create index notifications_open_idx on public.notifications (user_id, id) where done_at is null;
