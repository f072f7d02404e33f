-- Versions of rows: one sequence for all tables. A row gets the next number whenever it is made or changed, under its lock (triggers in
-- rules/access/table-declarations.sql), so of two states of one row the later has the greater. Rows from before begin with 0. A backup that
-- an earlier version made of a database of before there were rules is restored with these columns: hence `if not exists`.

create sequence if not exists private.row_versions;
-- Whoever may write a row draws its number.
grant usage on sequence private.row_versions to public;

alter table public.access_grants add column if not exists version bigint not null default 0;
alter table public.calendar_feeds add column if not exists version bigint not null default 0;
alter table public.comment_reactions add column if not exists version bigint not null default 0;
alter table public.comment_resolutions add column if not exists version bigint not null default 0;
alter table public.custom_fields add column if not exists version bigint not null default 0;
alter table public.notification_schedules add column if not exists version bigint not null default 0;
alter table public.notification_settings add column if not exists version bigint not null default 0;
alter table public.notifications add column if not exists version bigint not null default 0;
alter table public.profiles add column if not exists version bigint not null default 0;
alter table public.project_invitations add column if not exists version bigint not null default 0;
alter table public.project_members add column if not exists version bigint not null default 0;
alter table public.project_watchers add column if not exists version bigint not null default 0;
alter table public.projects add column if not exists version bigint not null default 0;
alter table public.push_subscriptions add column if not exists version bigint not null default 0;
alter table public.saved_views add column if not exists version bigint not null default 0;
alter table public.task_assignees add column if not exists version bigint not null default 0;
alter table public.task_attachments add column if not exists version bigint not null default 0;
alter table public.task_checklist_items add column if not exists version bigint not null default 0;
alter table public.task_comments add column if not exists version bigint not null default 0;
alter table public.task_dependencies add column if not exists version bigint not null default 0;
alter table public.task_field_values add column if not exists version bigint not null default 0;
alter table public.task_label_links add column if not exists version bigint not null default 0;
alter table public.task_labels add column if not exists version bigint not null default 0;
alter table public.task_recurrences add column if not exists version bigint not null default 0;
alter table public.task_watchers add column if not exists version bigint not null default 0;
alter table public.tasks add column if not exists version bigint not null default 0;
alter table public.templates add column if not exists version bigint not null default 0;
alter table public.view_defaults add column if not exists version bigint not null default 0;
alter table public.workflow_columns add column if not exists version bigint not null default 0;
