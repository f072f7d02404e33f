-- A webhook is off where its maker owns the project no more.

alter table public.webhooks drop constraint webhooks_off_because_known;
alter table public.webhooks add constraint webhooks_off_because_known
  check (off_because in ('gone', 'failing', 'filter', 'secret', 'operator', 'maker'));
update public.webhooks w set is_active = false, off_because = 'maker'
where w.is_active and not exists (
  select from public.project_members m where m.project_id = w.project_id and m.user_id = w.created_by and m.role = 'owner'
);
