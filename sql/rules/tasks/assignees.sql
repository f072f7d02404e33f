-- Assignees of a task: members of its project, unassigned when they leave. Triggers see to that, not a foreign key to project_members: keys here
-- are chosen so that embedding a table by its name has one meaning (docs/why/schema.md#keys-for-embeds).

select private.project_rows('public.task_assignees', writes => '{id, project_id, task_id, user_id}', keeps => 'created_at',
  fixed => '{id, project_id, task_id, user_id}', fills_project => true, guests => 'read');
comment on table public.task_assignees is 'Who works on a task: members of its project, and guests of it, who see the task by that. Removing a member or a guest unassigns.';
comment on column public.task_assignees.user_id is 'The member or guest.';

create or replace trigger task_assignees_must_be_members before insert or update of project_id, user_id on public.task_assignees for each row
  execute function private.require_member();
create or replace trigger task_assignees_grant after insert on public.task_assignees for each row
  when (new.audience_id is not null) execute function private.grant_to_assignee();
create or replace trigger task_assignees_grant_gone after delete on public.task_assignees for each row
  when (old.audience_id is not null or private.is_guest(old.project_id, old.user_id)) execute function private.grant_to_assignee();
create or replace trigger task_assignees_record after insert or delete on public.task_assignees for each row
  execute function private.record_assignee();
create or replace trigger task_assignees_count_gone after delete on public.task_assignees referencing old table as changed for each statement
  execute function private.count_assignees();
create or replace trigger task_assignees_count_new after insert on public.task_assignees referencing new table as changed for each statement
  execute function private.count_assignees();
create or replace trigger task_assignees_notify_gone after delete on public.task_assignees referencing old table as changed for each statement
  execute function private.notify_assignees();
create or replace trigger task_assignees_notify_new after insert on public.task_assignees referencing new table as changed for each statement
  execute function private.notify_assignees();

-- Locks the membership, so that a member who is being removed is waited for.
create or replace function private.lock_member(in_project uuid, person uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.project_members m
  where m.project_id = in_project and m.user_id = person and private.is_reader(in_project) for key share;
  return found;
end
$$;
grant execute on function private.lock_member(uuid, uuid) to authenticated, service_role;

-- The same answer for a stranger and an unknown id. A project the caller cannot see is left to the policy.
create or replace function private.require_member() returns trigger
language plpgsql set search_path = '' as $$
begin
  if private.is_reader(new.project_id)
    and not (private.lock_member(new.project_id, new.user_id) or private.let_guest_work(new.project_id, new.task_id, new.user_id)) then
    perform private.refuse('23503', 'insert or update on table "task_assignees" violates "task_assignees_must_be_members"',
      'Add the person to the project first.', 'Only members and guests of a project work on its tasks.');
  end if;
  return new;
end
$$;

create or replace function private.unassign_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.project_exists(old.project_id) then
    delete from public.task_assignees a where a.project_id = old.project_id and a.user_id = old.user_id;
    perform private.end_claims(array(
      select c.id from public.task_claims c where c.project_id = old.project_id and c.user_id = old.user_id and c.ended_at is null
      order by c.id), 'released');
  end if;
  return null;
end
$$;
