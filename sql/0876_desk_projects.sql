-- Projects at the desk: their outlines, passing one on, and entering one openly. What is in a project an operator reads only as a member of it,
-- which they become by entering: its owners get a mail, every member sees who entered and why, and it ends by itself after a day.

create table private.operator_entries (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- entered: looked in, as a viewer; passed: gave it another owner
  deed text not null,
  operator_id uuid references auth.users (id) on delete set null,
  operator text not null, -- name and address as they were
  reason text not null default '',
  created_at timestamptz not null default now(),
  ends_at timestamptz,
  left_at timestamptz,
  constraint operator_entries_deed_known check (deed in ('entered', 'passed')),
  constraint operator_entries_reason_length check (char_length(reason) <= 500)
);
create index operator_entries_project_id_idx on private.operator_entries (project_id, created_at desc);
create index operator_entries_operator_id_idx on private.operator_entries (operator_id);
create index operator_entries_open_idx on private.operator_entries (ends_at) where deed = 'entered' and left_at is null;
alter table private.operator_entries enable row level security;
-- No policies and no grants: the functions below write, public.operator_entries shows it to members.

-- However the membership ends: by leaving, by an owner, by time.
create function private.end_operator_entry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.operator_entries e set left_at = now()
  where e.project_id = old.project_id and e.operator_id = old.user_id and e.deed = 'entered' and e.left_at is null;
  return null;
end
$$;
revoke all on function private.end_operator_entry() from public;
create trigger project_members_end_operator_entry after delete on public.project_members for each row execute function private.end_operator_entry();

create function private.read_operator_entries(in_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from public.project_members m where m.project_id = in_project and m.user_id = private.me()) then
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

create function public.operator_entries(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_operator_entries(operator_entries.project_id)
$$;
grant execute on function public.operator_entries(uuid) to authenticated;

-- Outlines -----------------------------------------------------------------------------------------------------------------

create function private.desk_projects(words text, kind text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return (
    with found as (
      select p.id, p.name, p.key, p.created_at, p.archived_at from public.projects p
      where (pattern = '%%' or p.name ilike pattern or p.key ilike pattern or p.id::text = trim(words) or exists (
          select from public.project_members m join auth.users u on u.id = m.user_id
          where m.project_id = p.id and m.role = 'owner' and u.email ilike pattern
        ))
        and case kind
          when 'archived' then p.archived_at is not null
          when 'open' then p.archived_at is null
          when 'ownerless' then not exists (select from public.project_members m where m.project_id = p.id and m.role = 'owner')
          else true
        end
    ), page as (
      select * from found order by created_at desc, id limit least(greatest(size, 1), 100) offset greatest(skip, 0)
    )
    select jsonb_build_object(
      'total', (select count(*) from found),
      'projects', (
        select coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object(
          'members', (select count(*) from public.project_members m where m.project_id = p.id),
          'tasks', (select count(*) from public.tasks t where t.project_id = p.id),
          'bytes', (select coalesce(sum(a.size_bytes), 0) from public.task_attachments a where a.project_id = p.id),
          'last_active_at', (select max(a.created_at) from public.task_activity a where a.project_id = p.id),
          'owners', (
            select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'email', coalesce(u.email, ''), 'name', coalesce(f.display_name, '')) order by m.created_at, u.id), '[]')
            from public.project_members m join auth.users u on u.id = m.user_id left join public.profiles f on f.id = u.id
            where m.project_id = p.id and m.role = 'owner'
          )
        ) order by p.created_at desc, p.id), '[]')
        from page p
      )
    )
  );
end
$$;
grant execute on function private.desk_projects(text, text, int, int) to kanbase_desk;

-- One's own entry, so that the page offers to leave.
create function private.desk_project(project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  if not exists (select from public.projects p where p.id = project) then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'It may have been deleted meanwhile. Search again.';
  end if;
  return jsonb_build_object(
    'is_member', exists (select from public.project_members m where m.project_id = project and m.user_id = operator.id),
    'entered_until', (
      select max(e.ends_at) from private.operator_entries e
      where e.project_id = project and e.operator_id = operator.id and e.deed = 'entered' and e.left_at is null
    ),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'deed', e.deed, 'operator', e.operator, 'reason', e.reason, 'created_at', e.created_at,
        'left_at', e.left_at) order by e.created_at desc, e.id), '[]')
      from private.operator_entries e where e.project_id = project
    )
  );
end
$$;
grant execute on function private.desk_project(uuid) to kanbase_desk;

-- Deeds --------------------------------------------------------------------------------------------------------------------

create function private.desk_subject_project(project uuid, reason text) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  found public.projects;
begin
  if coalesce(trim(reason), '') = '' or char_length(reason) > 500 then
    raise exception using errcode = 'PT409', message = 'Say why, in up to 500 characters', hint = 'The members of the project read it.';
  end if;
  select p.* into found from public.projects p where p.id = project for no key update;
  if found.id is null then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'It may have been deleted meanwhile. Search again.';
  end if;
  return found;
end
$$;

create function private.tell_owners(project public.projects, kind text, operator auth.users, reason text) returns void
language sql volatile security definer set search_path = '' as $$
  select private.queue_mail(tell_owners.kind, u.email, jsonb_build_object('operator', operator.email, 'project_name', project.name,
    'reason', tell_owners.reason, 'url', '/app/projects/' || project.id || '/people'))
  from public.project_members m join auth.users u on u.id = m.user_id
  where m.project_id = project.id and m.role = 'owner' and u.email_confirmed_at is not null
$$;

-- As a viewer, for a day: enough to help, nothing to change.
create function private.desk_enter(project uuid, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
begin
  if exists (select from public.project_members m where m.project_id = subject.id and m.user_id = operator.id) then
    raise exception using errcode = 'PT409', message = 'You are in this project already', hint = 'Open it as everybody does.';
  end if;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason, ends_at)
  values (subject.id, 'entered', operator.id, operator.email, trim(reason), now() + interval '1 day');
  insert into public.project_members (project_id, user_id, role) values (subject.id, operator.id, 'viewer');
  perform private.tell_owners(subject, 'operator_entered', operator, trim(reason));
  perform private.note_desk(operator, 'project_entered', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$$;
grant execute on function private.desk_enter(uuid, text) to kanbase_desk;

create function private.desk_leave(project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  name text;
begin
  delete from public.project_members m using private.operator_entries e
  where m.project_id = project and m.user_id = operator.id and e.project_id = m.project_id and e.operator_id = m.user_id
    and e.deed = 'entered' and e.left_at is null;
  if not found then
    raise exception using errcode = 'PT409', message = 'You have not entered this project as an operator', hint = 'Members leave a project in its settings.';
  end if;
  select p.name into name from public.projects p where p.id = project;
  perform private.note_desk(operator, 'project_left', project, name, null);
end
$$;
grant execute on function private.desk_leave(uuid) to kanbase_desk;

-- Those who stayed too long. The server asks.
create function private.end_operator_entries() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  ended int;
begin
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

-- To another owner; those of before stay as editors. Never to oneself: an operator gets into a project by entering it openly.
create function private.desk_pass_on(project uuid, email text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
  heir auth.users;
begin
  select u.* into heir from auth.users u
  where lower(u.email) = lower(trim(desk_pass_on.email)) and u.deleted_at is null and not u.is_anonymous
    and (u.banned_until is null or u.banned_until <= now());
  if heir.id is null then
    raise exception using errcode = 'PT404', message = 'There is no such account', hint = 'Type the address of an account that is not disabled.';
  elsif heir.is_operator then
    raise exception using errcode = 'PT409', message = 'A project is not passed to an operator', hint = 'Its owners may do that themselves; an operator enters.';
  end if;
  perform private.tell_owners(subject, 'project_passed', operator, trim(reason));
  insert into public.project_members (project_id, user_id, role) values (subject.id, heir.id, 'owner')
  on conflict on constraint project_members_pkey do update set role = 'owner';
  update public.project_members m set role = 'editor' where m.project_id = subject.id and m.role = 'owner' and m.user_id <> heir.id;
  if heir.email_confirmed_at is not null then
    perform private.queue_mail('project_passed', heir.email, jsonb_build_object('operator', operator.email, 'project_name', subject.name,
      'reason', trim(reason), 'url', '/app/projects/' || subject.id || '/people'));
  end if;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason) values (subject.id, 'passed', operator.id, operator.email, trim(reason));
  perform private.note_desk(operator, 'project_passed', subject.id, subject.name, jsonb_build_object('to', heir.email, 'reason', trim(reason)));
end
$$;
grant execute on function private.desk_pass_on(uuid, text, text) to kanbase_desk;

comment on table private.operator_entries is 'When operators entered a project or passed it on, and why: its members read it.';
comment on function private.read_operator_entries(uuid) is 'What operators did with a project, for its members.';
comment on function public.operator_entries(uuid) is 'When operators of the server entered this project or passed it on, and why, newest first. For its members.';
comment on function private.desk_projects(text, text, int, int) is 'Outlines of projects by words of name, key or owner, newest first.';
comment on function private.desk_project(uuid) is 'What operators did with a project, and whether the one who asks is in it.';
comment on function private.desk_subject_project(uuid, text) is 'The project that is to be entered or passed on, locked; a reason is needed.';
comment on function private.tell_owners(public.projects, text, auth.users, text) is 'A mail to the owners of a project about what an operator did.';
comment on function private.desk_enter(uuid, text) is 'Makes the operator a viewer of a project for a day; its owners get a mail.';
comment on function private.desk_leave(uuid) is 'Ends the operator''s own entry.';
comment on function private.end_operator_entries() is 'Ends entries whose day is over; how many.';
comment on function private.desk_pass_on(uuid, text, text) is 'Gives a project another owner; those of before stay as editors.';
