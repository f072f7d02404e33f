-- Projects, their task counters, and beginning a project. Members and guests read, owners change and delete; a DELETE by a client sets deleted_at
-- (deleted.sql).

select private.served_rows('public.projects',
  updates => '{id, name, description, key, color, archived_at, enforce_dependencies, created_by, avatar_url, parents_wait_for_subtasks, viewers_may_comment,
    deleted_at}',
  keeps => 'none', fixed => '{id, created_by}');

-- "remove" lets all through who see it: projects_refuse_delete then answers 403 to all but owners, where a policy would say nothing.
select private.make_policy('public.projects', p.called, format(p.words, private.in_sight('id')))
from (values
  ('read', 'for select to authenticated using (%s)'),
  ('change', $$for update to authenticated using (%s)
    with check (id = any (array(select project_id from private.my_memberships where role = 'owner')))$$),
  ('remove', 'for delete to authenticated using (%s)')
) p (called, words);

comment on table public.projects is 'Projects. Visible to their members; settings are the owners''. Made by create_project_with_defaults.';
comment on column public.projects.id is 'Made by the server, sorted by time.';
comment on column public.projects.name is 'Up to 200 characters.';
comment on column public.projects.description is 'Markdown.';
comment on column public.projects.key is '2 to 6 of A–Z and 0–9: the WEB of WEB-12.';
comment on column public.projects.color is 'As #rrggbb.';
comment on column public.projects.archived_at is 'Set when the project was put away; the moment is the database''s.';
comment on column public.projects.enforce_dependencies is 'Whether a task with open predecessors is kept out of done columns.';
comment on column public.projects.created_by is 'Who made it; empty once their account is gone.';
comment on column public.projects.avatar_url is 'Where its picture is, as a path on this site. Empty: its key on its colour.';
comment on column public.projects.parents_wait_for_subtasks is 'A task is done only after its subtasks (KB010).';
comment on column public.projects.viewers_may_comment is 'Viewers comment and react, too, and change and delete what they wrote.';
comment on column public.projects.deleted_at is 'Since when it is deleted: for thirty days its owners can have it back, then it is gone. Only the service role sees one where it is set.';

create or replace trigger projects_keep before update on public.projects for each row execute function private.keep_times();
create or replace trigger projects_version before insert on public.projects for each row execute function private.take_version();
create or replace trigger projects_keep_archived_at before update on public.projects for each row
  when (old.archived_at is distinct from new.archived_at) execute function private.keep_project();
create or replace trigger projects_keep_deleted_at before update on public.projects for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function private.keep_deleted_at();
select private.refuse_deletes('public.projects', 'not private.is_owner(old.id)', 'Only an owner of the project can delete it.');
create or replace trigger projects_refuse_deletion before update on public.projects for each row
  when (old.deleted_at is distinct from new.deleted_at and row_security_active('public.projects') and current_user <> 'service_role'
    and not private.is_owner(old.id))
  execute function private.refuse_delete('Only an owner of the project can delete it.');
-- Not for the owner of the tables: the sweep and the end of an account delete for good.
create or replace trigger projects_set_deleted_at before delete on public.projects for each row
  when (old.deleted_at is null and row_security_active('public.projects')) execute function data_door.set_deleted_at();
create or replace trigger projects_restore_members before update on public.projects for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function private.restore_members();
create or replace trigger projects_keep_to_plan after insert on public.projects for each row
  when (new.created_by is not null and new.archived_at is null) execute function private.check_project_limit();
create or replace trigger projects_keep_to_plan_when_back after update on public.projects for each row
  when (new.created_by is not null and new.archived_at is null and new.deleted_at is null
    and (old.archived_at is not null or old.deleted_at is not null))
  execute function private.check_project_limit();
create or replace trigger projects_move_members_out after update on public.projects for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function private.move_members_out();
create or replace trigger projects_settle_grants after update on public.projects for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function private.settle_restored_grants();
create or replace trigger projects_replan_recurrences after update on public.projects for each row
  when (new.archived_at is null and new.deleted_at is null and (old.archived_at is not null or old.deleted_at is not null))
  execute function private.replan_recurrences();
create or replace trigger projects_start_task_counter after insert on public.projects for each row execute function private.start_task_counter();
create or replace trigger projects_remove_avatars after delete on public.projects referencing old table as gone for each statement
  execute function private.remove_avatars('projects/');

comment on table private.task_counters is 'The last task number given out in each project.';

create or replace function private.keep_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.archived_at is null and new.archived_at is not null and row_security_active(tg_relid) and current_user <> 'service_role' then
    new.archived_at := now();
  end if;
  return new;
end
$$;

create or replace function private.start_task_counter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.task_counters (project_id) values (new.id);
  return null;
end
$$;

-- Letters for WEB-12 from a name: initials of several words, else the first letters; with a number where the caller has a project with that key.
create or replace function private.propose_key(for_name text, for_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  words constant text[] := regexp_split_to_array(trim(regexp_replace(upper(for_name), '[^A-Z0-9]+', ' ', 'g')), ' ');
  stem text := '';
  candidate text;
begin
  if cardinality(words) >= 2 then
    select left(string_agg(left(word, 1), '' order by place), 4) into stem from unnest(words) with ordinality as w (word, place);
  else
    stem := left(words[1], 4);
  end if;
  if length(stem) < 2 then
    stem := left(stem || 'PR', 2);
  end if;
  candidate := stem;
  for suffix in 2..99 loop
    exit when not exists (
      select from public.projects p
      join public.project_members m on m.project_id = p.id
      where m.user_id = for_user and p.key = candidate
    );
    candidate := stem || suffix;
  end loop;
  return candidate;
end
$$;

create or replace function private.create_default_project(project_name text, project_description text, project_key text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  project constant public.projects := private.create_empty_project(project_name, project_description, project_key, null);
begin
  insert into public.workflow_columns (project_id, name, kind, position) values
    (project.id, 'Backlog', 'backlog', 1),
    (project.id, 'To do', 'todo', 2),
    (project.id, 'In progress', 'in_progress', 3),
    (project.id, 'Done', 'done', 4);
  return project;
end
$$;
grant execute on function private.create_default_project(text, text, text) to authenticated, service_role;

create or replace function public.create_project_with_defaults(name text, description text default '', key text default null)
returns public.projects
language sql volatile set search_path = '' as $$
  select private.create_default_project(
    create_project_with_defaults.name, create_project_with_defaults.description, create_project_with_defaults.key
  )
$$;
grant execute on function public.create_project_with_defaults(text, text, text) to service_role, authenticated;
comment on function public.create_project_with_defaults(text, text, text) is 'Begins a project: the caller is its owner, its columns are Backlog, To do, In progress and Done. The key is made from the name when left out.';
