-- A project is not left without people, nor deleted beside somebody who joins it, by two who do something at once.
create or replace function private.require_kept_owner(of_project uuid)
returns public.projects
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  found_one public.projects;
begin
  select p.* into found_one from public.projects p
  where p.id = of_project and exists (
    select from private.kept_members k where k.project_id = p.id and k.user_id = me and k.role = 'owner'
  ) for no key update;
  -- Whoever ended it for good meanwhile was waited for: those who were in it are asked for again.
  if found_one.id is not null and not exists (
    select from private.kept_members k where k.project_id = of_project and k.user_id = me and k.role = 'owner'
  ) then
    return null;
  end if;
  return found_one;
end
$$;

create or replace function private.desk_restore(project uuid, reason text)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject public.projects;
begin
  -- Its owner may be ending it for good: that is waited for.
  perform from public.projects p where p.id = project for no key update;
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

create or replace function private.keep_an_owner()
returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  heir uuid;
begin
  -- One at a time per project: two owners who remove each other meet here.
  perform from public.projects p where p.id = old.project_id and p.deleted_at is null for no key update;
  if not found or exists (
    select from public.project_members m
    where m.project_id = old.project_id and m.role = 'owner' and m.user_id <> old.user_id
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' and not exists (select from public.profiles where id = old.user_id) then
    select m.user_id into heir from public.project_members m
    where m.project_id = old.project_id and m.role = 'editor'
    order by m.created_at, m.user_id
    limit 1
    -- An editor who is leaving is waited for, and the next one taken.
    for no key update;
    if found then
      update public.project_members m set role = 'owner' where m.project_id = old.project_id and m.user_id = heir;
    else
      update public.projects p set archived_at = coalesce(p.archived_at, now()) where p.id = old.project_id;
    end if;
    return null;
  end if;
  -- A statement that made another owner in the same breath has been seen above: this runs after all its rows.
  raise exception using
    errcode = 'KB003',
    message = 'a project keeps at least one owner',
    hint = 'Make someone else an owner first, or delete the project.';
end
$$;

create or replace function private.end_account(account auth.users, ended_by jsonb)
returns void
language plpgsql set search_path = '' as $$
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
  -- Somebody may be joining one of them: that is waited for.
  perform from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id)
  order by p.id for update;
  -- For good, also those that were deleted before.
  delete from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
end
$$;
