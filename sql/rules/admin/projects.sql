-- Projects on the admin pages: outlines, entering a project openly, and transferring its ownership. An operator reads the contents of a project
-- only as a member, which they become by entering: its owners get an email, every member sees the operator and the reason
-- (private.operator_entries), and the entry ends by itself after a day. Transfers go on in projects/transfers.sql.

comment on table private.operator_entries is 'When operators entered a project or passed it on, and why: its members read it.';

create or replace function private.read_operator_entries(in_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not in_project = any (private.my_projects()) then
    perform private.raise_not_found('project');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'deed', e.deed, 'operator', e.operator, 'reason', e.reason, 'created_at', e.created_at,
      'ends_at', e.ends_at, 'left_at', e.left_at) order by e.created_at desc, e.id), '[]')
    from private.operator_entries e where e.project_id = in_project
  );
end
$$;
grant execute on function private.read_operator_entries(uuid) to authenticated;
comment on function private.read_operator_entries(uuid) is 'What operators did with a project, for its members.';

create or replace function public.operator_entries(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_operator_entries(operator_entries.project_id)
$$;
grant execute on function public.operator_entries(uuid) to service_role, authenticated;
comment on function public.operator_entries(uuid) is 'When operators of the server entered this project or passed it on, and why, newest first. For its members.';

create or replace function private.admin_projects(words text, kind text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := private.pattern_of_words(words);
begin
  perform private.require_operator();
  return (
    with found as (
      select p.id, p.name, p.key, p.created_at, p.archived_at, p.deleted_at from public.projects p
      where (pattern = '%%' or p.name ilike pattern or p.key ilike pattern or p.id::text = trim(words) or exists (
          select from private.all_members m join auth.users u on u.id = m.user_id
          where m.project_id = p.id and m.role = 'owner' and u.email ilike pattern
        ))
        and case kind
          when 'deleted' then p.deleted_at is not null
          when 'archived' then p.archived_at is not null and p.deleted_at is null
          when 'open' then p.archived_at is null and p.deleted_at is null
          when 'ownerless' then p.deleted_at is null and not exists (select from public.project_members m where m.project_id = p.id and m.own_role = 'owner')
          else true
        end
        -- nobody can have it back: it is about to end
        and (p.deleted_at is null or exists (select from private.all_members m where m.project_id = p.id))
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 100) offset greatest(skip, 0)
    )
    select jsonb_build_object(
      'total', (select count(*) from found),
      'projects', (
        select coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object(
          'kept_until', p.deleted_at + interval '30 days',
          'members', (select count(*) from private.all_members m where m.project_id = p.id),
          'tasks', (select count(*) from public.tasks t where t.project_id = p.id),
          'bytes', (select coalesce(sum(a.size_bytes), 0) from public.task_attachments a where a.project_id = p.id),
          'last_active_at', (select max(a.created_at) from public.task_activity a where a.project_id = p.id),
          'owners', (
            select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', coalesce(u.email, ''), 'name', coalesce(f.display_name, '')) order by m.created_at, u.id), '[]')
            from private.all_members m join auth.users u on u.id = m.user_id left join public.profiles f on f.id = u.id
            where m.project_id = p.id and m.role = 'owner'
          )
        ) order by p.created_at desc, p.id), '[]')
        from page p
      )
    )
  );
end
$$;
grant execute on function private.admin_projects(text, text, integer, integer) to kanbase_desk;
comment on function private.admin_projects(text, text, integer, integer) is 'Outlines of projects by words of name, key or owner, newest first.';

-- Contains one's own entry, so that the page offers to leave.
create or replace function private.admin_project(project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  if not exists (select from public.projects p where p.id = project) then
    perform private.refuse('PT404', 'There is no such project', 'It may have been deleted meanwhile. Search again.');
  end if;
  return jsonb_build_object(
    'is_member', exists (select from public.project_members m where m.project_id = project and m.user_id = operator.id),
    'entered_until', (
      select max(e.ends_at) from private.operator_entries e
      where e.project_id = project and e.operator_id = operator.id and e.deed = 'entered' and e.left_at is null
    ),
    'transfers', (
      select coalesce(jsonb_agg(private.transfer_as_json(t) order by t.created_at desc, t.id), '[]')
      from private.project_transfers t where t.project_id = project
    ),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'deed', e.deed, 'operator', e.operator, 'reason', e.reason, 'created_at', e.created_at,
        'left_at', e.left_at) order by e.created_at desc, e.id), '[]')
      from private.operator_entries e where e.project_id = project
    )
  );
end
$$;
grant execute on function private.admin_project(uuid) to kanbase_desk;
comment on function private.admin_project(uuid) is 'What operators did with a project, and whether the one who asks is in it.';

create or replace function private.lock_project_for_operator(project uuid, reason text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  found public.projects;
begin
  if coalesce(trim(reason), '') = '' or char_length(reason) > 500 then
    perform private.refuse('PT409', 'Say why, in up to 500 characters', 'The members of the project read it.');
  end if;
  select p.* into found from public.projects p where p.id = project for no key update;
  if found.id is null then
    perform private.refuse('PT404', 'There is no such project', 'It may have been deleted meanwhile. Search again.');
  elsif found.deleted_at is not null then
    perform private.refuse('PT409', 'This project is deleted', 'Bring it back first, if its thirty days are not over.');
  end if;
  return found;
end
$$;
comment on function private.lock_project_for_operator(uuid, text) is 'The project that is to be entered or passed on, locked; a reason is needed.';

create or replace function private.email_owners(project public.projects, kind text, operator auth.users, reason text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.queue_mail(email_owners.kind, u.email, jsonb_build_object('operator', operator.email, 'project_name', project.name,
    'reason', email_owners.reason, 'url', '/app/projects/' || project.id || '/people'))
  from public.project_members m join auth.users u on u.id = m.user_id
  where m.project_id = project.id and m.role = 'owner' and u.email_confirmed_at is not null
$$;
comment on function private.email_owners(public.projects, text, auth.users, text) is 'A mail to the owners of a project about what an operator did.';

-- As a viewer, for a day: enough to help, nothing to change.
create or replace function private.admin_enter_project(project uuid, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.lock_project_for_operator(project, reason);
begin
  if exists (select from public.project_members m where m.project_id = subject.id and m.user_id = operator.id) then
    perform private.refuse('PT409', 'You are in this project already', 'Open it as everybody does.');
  end if;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason, ends_at)
  values (subject.id, 'entered', operator.id, operator.email, trim(reason), now() + interval '1 day');
  insert into public.project_members (project_id, user_id, role) values (subject.id, operator.id, 'viewer');
  perform private.email_owners(subject, 'operator_entered', operator, trim(reason));
  perform private.write_admin_log(operator, 'project_entered', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$$;
grant execute on function private.admin_enter_project(uuid, text) to kanbase_desk;
comment on function private.admin_enter_project(uuid, text) is 'Makes the operator a viewer of a project for a day; its owners get a mail.';

create or replace function private.admin_leave_project(project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  name text;
begin
  delete from public.project_members m using private.operator_entries e
  where m.project_id = project and m.user_id = operator.id and e.project_id = m.project_id and e.operator_id = m.user_id
    and e.deed = 'entered' and e.left_at is null;
  if not found then
    perform private.refuse('PT409', 'You have not entered this project as an operator', 'Members leave a project in its settings.');
  end if;
  select p.name into name from public.projects p where p.id = project;
  perform private.write_admin_log(operator, 'project_left', project, name, null);
end
$$;
grant execute on function private.admin_leave_project(uuid) to kanbase_desk;
comment on function private.admin_leave_project(uuid) is 'Ends the operator''s own entry.';

-- Covers deleted projects, so that restoring one does not bring the operator back.
create or replace function private.end_operator_entries() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  ended int;
begin
  delete from private.kept_members k using private.operator_entries e
  where e.deed = 'entered' and e.left_at is null and e.ends_at <= now()
    and k.project_id = e.project_id and k.user_id = e.operator_id and k.role = 'viewer';
  with due as (
    select e.project_id, e.operator_id from private.operator_entries e
    where e.deed = 'entered' and e.left_at is null and e.ends_at <= now()
  )
  delete from public.project_members m using due d where m.project_id = d.project_id and m.user_id = d.operator_id and m.role = 'viewer';
  get diagnostics ended = row_count;
  -- whom an owner has made more than a viewer meanwhile stays
  update private.operator_entries e set left_at = now() where e.deed = 'entered' and e.left_at is null and e.ends_at <= now();
  return ended;
end
$$;
grant execute on function private.end_operator_entries() to kanbase_desk;
comment on function private.end_operator_entries() is 'Ends entries whose day is over; how many.';

-- A trigger of project_members: the entry ends with the membership. Not in a deleted project, which continues it when restored within the day.
create or replace function private.end_operator_entry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.operator_entries e set left_at = now()
  where e.project_id = old.project_id and e.operator_id = old.user_id and e.deed = 'entered' and e.left_at is null
    and private.project_exists(old.project_id);
  return null;
end
$$;

-- Owners become editors. Never to an operator: they get into a project by entering it openly.
create or replace function private.admin_transfer_project(project uuid, email text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.lock_project_for_operator(project, reason);
  heir auth.users;
  begun private.project_transfers;
begin
  select u.* into heir from auth.users u
  where lower(u.email) = lower(trim(admin_transfer_project.email)) and not u.is_sso_user and u.deleted_at is null and not u.is_anonymous
    and (u.banned_until is null or u.banned_until <= now());
  if heir.id is null then
    perform private.refuse('PT404', 'There is no such account', 'Type the address of an account that is not disabled.');
  elsif heir.is_operator then
    perform private.refuse('PT409', 'A project is not passed to an operator', 'Its owners may do that themselves; an operator enters.');
  elsif exists (select from public.project_members m where m.project_id = subject.id and m.user_id = heir.id and m.role = 'owner') then
    perform private.refuse('PT409', 'This account owns the project already', 'Type the address of another one.');
  elsif exists (select from private.project_transfers t where t.project_id = subject.id and t.state = 'waiting') then
    perform private.refuse('PT409', 'This project is being passed on already', 'Withdraw that first.');
  end if;
  insert into private.project_transfers (project_id, project_name, operator_id, operator, new_owner_id, new_owner, reason, owner_ids, due_at)
  values (subject.id, subject.name, operator.id, operator.email, heir.id, heir.email, trim(reason),
    array(select m.user_id from public.project_members m where m.project_id = subject.id and m.role = 'owner'),
    case when private.owners_cannot_sign_in(subject.id) then now() else now() + interval '72 hours' end)
  returning * into begun;
  perform private.log_transfer(begun, 'transfer_announced');
  if begun.due_at <= now() then
    perform private.complete_transfer(begun);
  else
    perform private.notify_of_transfer(begun, private.members_of(subject.id) || heir.id, 'transfer_announced');
  end if;
end
$$;
grant execute on function private.admin_transfer_project(uuid, text, text) to kanbase_desk;
comment on function private.admin_transfer_project(uuid, text, text) is 'Announces that a project gets another owner in 72 hours; at once where no owner can sign in any more.';
