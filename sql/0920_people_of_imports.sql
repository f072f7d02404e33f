-- People whom an import invites: what was theirs in the file waits for them under their address, and is theirs when they join.

create table private.awaited_assignees (
  project_id uuid not null,
  task_id uuid not null,
  -- lower case
  email text not null,
  import_id uuid not null references private.imports (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, email),
  constraint awaited_assignees_task foreign key (project_id, task_id) references public.tasks (project_id, id) on update cascade on delete cascade,
  constraint awaited_assignees_email_is_lower check (email = lower(email) and char_length(email) <= 255)
);
create index awaited_assignees_email_idx on private.awaited_assignees (project_id, email);
create index awaited_assignees_import_id_idx on private.awaited_assignees (import_id);

alter table private.awaited_assignees enable row level security;

create policy writers on private.awaited_assignees for all to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));

grant select, insert, delete on private.awaited_assignees to authenticated;
-- no update grant: one waits, or does not

comment on table private.awaited_assignees is 'Whose an imported task was who is invited and has not joined yet: assigned when they do.';

-- Whoever joins with a verified address has what waited for them; nobody is told of each, as with all that an import brings.
create function private.assign_awaited() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  importing constant text := current_setting('kanbase.importing', true);
begin
  perform set_config('kanbase.importing', 'on', true);
  with theirs as (
    delete from private.awaited_assignees w using auth.users u
    where u.id = new.user_id and u.email_confirmed_at is not null and w.project_id = new.project_id and w.email = lower(u.email)
    returning w.task_id
  )
  insert into public.task_assignees (project_id, task_id, user_id)
  select new.project_id, t.task_id, new.user_id from theirs t
  on conflict do nothing;
  perform set_config('kanbase.importing', coalesce(importing, ''), true);
  return null;
end
$$;
revoke all on function private.assign_awaited() from public;
create trigger project_members_assign_awaited after insert on public.project_members
  for each row execute function private.assign_awaited();

-- What an import may have made, beside what it could: invitations, and the files that were in it.
alter table private.import_changes drop constraint import_changes_kind_known;
alter table private.import_changes add constraint import_changes_kind_known check (kind in
  ('task', 'comment', 'item', 'column', 'label', 'label_link', 'assignee', 'dependency', 'invitation', 'attachment'));
alter table private.import_origins drop constraint import_origins_kind_known;
alter table private.import_origins add constraint import_origins_kind_known check (kind in ('task', 'comment', 'item', 'attachment'));
