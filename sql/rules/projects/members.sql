-- Members of a project and their roles. A project always has an owner. A new member counts against the plan, is notified and gets the imported
-- tasks that wait for them; a member who goes is unassigned and loses person fields, notifications and access grants. Groups are members, too
-- (people/groups.sql).

select private.project_rows('public.project_members', writes => '{project_id, user_id, group_id, role, own_role}',
  fixed => '{project_id, user_id, group_id}', written_by => '{owner}', but => '{add, refuse_delete}', program => 'none');
create policy add on public.project_members for insert to authenticated
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner'))
    and (group_id is null or group_id = any (array(select group_id from private.my_groups))));
comment on table public.project_members is 'Who belongs to a project, and as what. Owners manage; everyone may leave; the last owner can be neither removed nor demoted.';
comment on column public.project_members.user_id is 'The person; empty where a group is the member.';
comment on column public.project_members.group_id is 'The group; empty in the row of a person.';
comment on column public.project_members.role is 'owner, editor or viewer: of a person the strongest of what they were given themselves and of what their groups bring.';
comment on column public.project_members.own_role is 'What the person was given themselves: writing role writes it. Empty: groups alone bring them.';
comment on column public.project_members.created_at is 'Since when; kept by the database.';

-- Everyone may delete their own row, which is leaving.
select private.refuse_deletes('public.project_members', 'old.user_id is distinct from auth.uid() and not private.is_owner(old.project_id)',
  'Only an owner of the project can remove others. To leave, delete your own row or call leave_project.');
create or replace trigger project_members_assign_imported after insert on public.project_members for each row
  when (new.user_id is not null) execute function private.assign_imported_tasks();
create or replace trigger project_members_clear_fields after delete on public.project_members for each row
  execute function private.clear_person_fields();
create or replace trigger project_members_end_access after delete on public.project_members for each row
  execute function private.end_access_of_member();
create or replace trigger project_members_end_operator_entry after delete on public.project_members for each row
  execute function private.end_operator_entry();
create or replace trigger project_members_forget_notifications after delete on public.project_members for each row
  execute function private.forget_notifications();
create or replace trigger project_members_keep_an_owner_on_change after update on public.project_members for each row
  when (old.own_role = 'owner' and new.own_role is distinct from 'owner') execute function private.ensure_owner();
create or replace trigger project_members_keep_an_owner_on_delete after delete on public.project_members for each row
  when (old.own_role = 'owner') execute function private.ensure_owner();
create or replace trigger project_members_keep_to_plan after insert on public.project_members for each row
  when (new.user_id is not null) execute function private.check_member_limit();
create or replace trigger project_members_unassign after delete on public.project_members for each row execute function private.unassign_member();
create or replace trigger project_members_unassign_changed after update on public.project_members for each row
  when (old.project_id <> new.project_id or old.user_id <> new.user_id) execute function private.unassign_member();
create or replace trigger project_members_notify_new after insert on public.project_members referencing new table as added for each statement
  execute function private.notify_new_members();

-- Groups own nothing alone: whoever leaves one is held up by no project. With a deleted account (its profile goes before its memberships), a project passes to its longest-standing editor, or is archived.
create or replace function private.ensure_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  heir uuid;
begin
  -- One at a time per project: two owners who remove each other meet here.
  perform from public.projects p where p.id = old.project_id and p.deleted_at is null for no key update;
  if not found or exists (
    select from public.project_members m
    where m.project_id = old.project_id and m.own_role = 'owner' and m.user_id <> old.user_id
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' and not exists (select from public.profiles where id = old.user_id) then
    select m.user_id into heir from public.project_members m
    where m.project_id = old.project_id and m.own_role = 'editor' and not private.is_service_account(m.user_id)
    order by m.created_at, m.user_id
    limit 1
    -- An editor who is leaving is waited for, and the next one taken.
    for no key update;
    if found then
      update public.project_members m set own_role = 'owner' where m.project_id = old.project_id and m.user_id = heir;
    else
      update public.projects p set archived_at = coalesce(p.archived_at, now()) where p.id = old.project_id;
    end if;
    return null;
  end if;
  -- A statement that made another owner in the same breath has been seen above: this runs after all its rows.
  perform private.refuse('KB003', 'a project keeps at least one owner', 'Make someone else an owner themselves first, or delete the project.');
end
$$;

-- The policy of project_members applies: no membership, no row, null.
create or replace function public.current_project_role(project_id uuid) returns public.project_role
language sql stable set search_path = '' as $$
  select m.role from public.project_members m
  where m.project_id = current_project_role.project_id and m.user_id = auth.uid()
$$;
grant execute on function public.current_project_role(uuid) to service_role, authenticated;
comment on function public.current_project_role(uuid) is 'The caller''s role in a project, or null for someone who is not a member.';

create or replace function public.leave_project(project_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.project_members m
  where m.project_id = leave_project.project_id and m.user_id = private.require_user();
  if not found and not private.end_guest(leave_project.project_id, private.me()) then
    perform private.raise_not_found('project');
  end if;
end
$$;
grant execute on function public.leave_project(uuid) to service_role, authenticated;
comment on function public.leave_project(uuid) is 'Ends the caller''s membership, or what is shared with them as a guest. The last owner cannot leave (KB003).';
