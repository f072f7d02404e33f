-- Guests: people who see single tasks of a project without being in it, by a grant of a level. They are invited to a task as members are to a project.
-- A grant names a person or a group, which stands for all in it.

create type public.grant_level as enum ('see', 'comment', 'edit');
alter table public.task_grants
  add column level public.grant_level not null default 'see',
  add column group_id uuid references public.groups (id) on delete cascade,
  drop constraint task_grants_pkey,
  alter column user_id drop not null,
  add constraint task_grants_one_each unique nulls not distinct (project_id, task_id, user_id, group_id),
  add constraint task_grants_person_or_group check (num_nonnulls(user_id, group_id) = 1);
drop index public.task_grants_task_id_idx;
create unique index task_grants_task_of_user_idx on public.task_grants (task_id, user_id, project_id);
create index task_grants_group_id_idx on public.task_grants (group_id, project_id) where group_id is not null;

alter table public.project_invitations
  alter column role drop not null,
  add column task_id uuid,
  add column level public.grant_level,
  add constraint project_invitations_to_project_or_task check (num_nonnulls(role, task_id) = 1 and (task_id is null) = (level is null)),
  add constraint project_invitations_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
drop index public.project_invitations_one_open_per_address;
create unique index project_invitations_one_open_per_address on public.project_invitations (project_id, lower(email))
  where accepted_at is null and task_id is null;
create unique index project_invitations_one_open_per_task on public.project_invitations (project_id, task_id, lower(email)) where accepted_at is null;
create index project_invitations_task_id_idx on public.project_invitations (task_id, project_id) where task_id is not null;

-- Takes a task and a level as well (people/invitations.sql).
drop function if exists private.issue_invitation(uuid, text, public.project_role);
