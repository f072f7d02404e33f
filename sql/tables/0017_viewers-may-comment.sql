-- Projects whose viewers may comment.

alter table public.projects add column viewers_may_comment boolean not null default false;
