-- Deleted projects come back, by one who owned them or by an operator, or end: after thirty days, at once where their owner says so, and with
-- the last account that could have them back.

create function private.require_kept_owner(of_project uuid) returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  found_one public.projects;
begin
  select p.* into found_one from public.projects p
  where p.id = of_project and exists (
    select from private.kept_members k where k.project_id = p.id and k.user_id = me and k.role = 'owner'
  ) for no key update;
  return found_one;
end
$$;
comment on function private.require_kept_owner(uuid) is 'A deleted project that the caller owned, locked; null when there is none.';

create function private.bring_project_back(of_project uuid) returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  found_one public.projects := private.require_kept_owner(of_project);
begin
  if found_one.id is not null then
    update public.projects p set deleted_at = null where p.id = found_one.id returning p.* into found_one;
    return found_one;
  end if;
  -- Asked again because the answer was lost.
  select p.* into found_one from public.projects p where p.id = of_project and private.is_owner(p.id);
  if not found then
    perform private.raise_not_found('project');
  end if;
  return found_one;
end
$$;
grant execute on function private.bring_project_back(uuid) to authenticated;

create function private.end_my_deleted_project(of_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  found_one constant public.projects := private.require_kept_owner(of_project);
begin
  if found_one.id is null then
    perform private.raise_not_found('project');
  end if;
  -- The sweep does it: a large one takes longer than a request may.
  delete from private.kept_members k where k.project_id = found_one.id;
end
$$;
grant execute on function private.end_my_deleted_project(uuid) to authenticated;

create function private.list_deleted_projects() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'key', p.key, 'color', p.color, 'avatar_url', p.avatar_url,
    'deleted_at', p.deleted_at, 'kept_until', p.deleted_at + interval '30 days') order by p.deleted_at desc, p.id), '[]')
  from private.kept_members k join public.projects p on p.id = k.project_id
  where k.user_id = private.require_user() and k.role = 'owner'
$$;
grant execute on function private.list_deleted_projects() to authenticated;

create function public.restore_project(project_id uuid) returns public.projects
language sql volatile set search_path = '' as $$
  select private.bring_project_back(restore_project.project_id)
$$;
grant execute on function public.restore_project(uuid) to authenticated;
comment on function public.restore_project(uuid) is 'Brings back a project that was deleted less than thirty days ago, with all that was in it and everybody who was; for those who owned it.';

create function public.end_deleted_project(project_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_my_deleted_project(end_deleted_project.project_id)
$$;
grant execute on function public.end_deleted_project(uuid) to authenticated;
comment on function public.end_deleted_project(uuid) is 'Ends a deleted project before its thirty days are over; for those who owned it. There is no way back.';

create function public.deleted_projects() returns jsonb
language sql stable set search_path = '' as $$
  select private.list_deleted_projects()
$$;
grant execute on function public.deleted_projects() to authenticated;
comment on function public.deleted_projects() is 'Deleted projects that the caller owned and may bring back: id, name, key, color, avatar_url, deleted_at, kept_until; the last deleted first.';

-- One project at a time: in each transaction one large deletion.
create function private.end_deleted_projects() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  ended integer;
begin
  -- Of news that somebody wrote while the project was deleted.
  delete from private.notification_deliveries d using public.notifications n, public.projects p
  where n.id = d.notification_id and p.id = n.project_id and p.deleted_at is not null;
  delete from public.projects p where p.id = (
    select d.id from public.projects d
    where d.deleted_at <= now() - interval '30 days'
      or (d.deleted_at is not null and not exists (select from private.kept_members k where k.project_id = d.id))
    order by d.deleted_at limit 1 for update skip locked
  );
  get diagnostics ended = row_count;
  return ended;
end
$$;
grant execute on function private.end_deleted_projects() to kanbase_desk;
comment on function private.end_deleted_projects() is 'Ends one deleted project that is due, and answers how many that was.';

create view private.all_members as
  select m.project_id, m.user_id, m.role, m.created_at from public.project_members m
  union all
  select k.project_id, k.user_id, k.role, k.created_at from private.kept_members k;
comment on view private.all_members is 'Who is in a project, or was in it when it was deleted.';

create or replace function private.end_account(account auth.users, ended_by jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- It would be charged for by nobody who can end it.
  if exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = account.id and c.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      and not s.cancel_at_period_end
  ) then
    raise exception using
      errcode = 'PT409',
      message = case when ended_by ->> 'by' = 'self' then 'a subscription of yours is running' else 'a subscription of this account is running' end,
      hint = 'End it under Billing first, then delete the account.';
  end if;
  -- For good, also those that were deleted before.
  delete from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
end
$$;

-- At the desk -------------------------------------------------------------------------------------------------------------------------

alter table private.operator_entries drop constraint operator_entries_deed_known;
alter table private.operator_entries add constraint operator_entries_deed_known check (deed in ('entered', 'passed', 'restored'));

-- Also out of a project that is deleted, so that it does not bring the operator back.
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

create or replace function private.desk_subject_project(project uuid, reason text) returns public.projects
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
  elsif found.deleted_at is not null then
    raise exception using errcode = 'PT409', message = 'This project is deleted', hint = 'Bring it back first, if its thirty days are not over.';
  end if;
  return found;
end
$$;

create function private.desk_restore(project uuid, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject public.projects;
begin
  update public.projects p set deleted_at = null
  where p.id = project and p.deleted_at is not null and exists (select from private.kept_members k where k.project_id = p.id);
  if not found and exists (select from public.projects p where p.id = project and p.deleted_at is null) then
    raise exception using errcode = 'PT409', message = 'This project is not deleted', hint = 'Somebody has brought it back already.';
  elsif not found then
    raise exception using errcode = 'PT404', message = 'There is no such project', hint = 'Its thirty days may be over. Search again.';
  end if;
  subject := private.desk_subject_project(project, reason);
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (subject.id, 'restored', operator.id, operator.email, trim(reason));
  perform private.tell_owners(subject, 'project_restored', operator, trim(reason));
  perform private.note_desk(operator, 'project_restored', subject.id, subject.name, jsonb_build_object('reason', trim(reason)));
end
$$;
grant execute on function private.desk_restore(uuid, text) to kanbase_desk;
comment on function private.desk_restore(uuid, text) is 'Brings a deleted project back to those who were in it; its owners get a mail.';

create or replace function private.desk_projects(words text, kind text, skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
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
          when 'ownerless' then p.deleted_at is null and not exists (select from public.project_members m where m.project_id = p.id and m.role = 'owner')
          else true
        end
        -- nobody can have it back: it is about to end
        and (p.deleted_at is null or exists (select from private.kept_members k where k.project_id = p.id))
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
