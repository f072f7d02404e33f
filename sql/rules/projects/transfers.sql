-- Transfers of a project to another owner by an operator. A transfer waits 72 hours; all members are told, and any of them may object, which ends
-- it. It passes at once only where no owner has been able to sign in for as long, so that a ban followed by a transfer gains nothing. Former
-- owners can read it even after they have left the project. Operators start transfers in admin/projects.sql.

comment on table private.project_transfers is 'Projects that operators give another owner: announced, objected to, passed or withdrawn.';

create or replace function private.transfer_as_json(one private.project_transfers) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', one.id, 'project_id', one.project_id, 'project_name', one.project_name, 'operator', one.operator,
    'new_owner', one.new_owner, 'reason', one.reason, 'state', one.state, 'due_at', one.due_at, 'created_at', one.created_at,
    'ended_at', one.ended_at, 'ended_by', one.ended_by)
$$;
comment on function private.transfer_as_json(private.project_transfers) is 'A transfer, as people and operators are told of it.';

-- Sent whatever people chose to be notified about. The notification has no project_id, so that a person who is removed can still read it.
create or replace function private.notify_of_transfer(one private.project_transfers, people uuid[], mail_kind text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, data)
  select distinct u.id, 'transfer', private.transfer_as_json(one)
  from auth.users u where u.id = any (people) and u.deleted_at is null;
  perform private.queue_mail(mail_kind, u.email, jsonb_build_object('operator', one.operator, 'project_name', one.project_name, 'reason', one.reason,
    'new_owner', one.new_owner, 'by', coalesce(one.ended_by, ''), 'due_at', to_char(one.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
    'url', '/app/projects/' || one.project_id || '/people'))
  from auth.users u where u.id = any (people) and u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null;
end
$$;
comment on function private.notify_of_transfer(private.project_transfers, uuid[], text) is 'Tells people of a transfer: in their inbox, and by mail.';

create or replace function private.log_transfer(one private.project_transfers, action text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.desk_log (actor_id, actor, action, subject_id, subject, details, address)
  values (one.operator_id, one.operator, action, one.project_id, one.project_name,
    jsonb_strip_nulls(jsonb_build_object('to', one.new_owner, 'reason', one.reason, 'due_at', one.due_at, 'by', one.ended_by)),
    coalesce(current_setting('request.address', true), ''))
$$;
comment on function private.log_transfer(private.project_transfers, text) is 'Writes a step of a transfer into the log of operators.';

create or replace function private.owners_cannot_sign_in(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.project_members m join auth.users u on u.id = m.user_id
    where m.project_id = project and m.role = 'owner' and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now() or u.banned_since > now() - interval '72 hours')
  )
$$;
comment on function private.owners_cannot_sign_in(uuid) is 'Whether every owner of a project has been deleted, or banned for 72 hours.';

create or replace function private.may_become_owner(account auth.users) returns boolean
language sql stable set search_path = '' as $$
  select account.id is not null and account.deleted_at is null and not account.is_anonymous and not account.is_operator
    and (account.banned_until is null or account.banned_until <= now())
$$;
comment on function private.may_become_owner(auth.users) is 'Whether a project may be given to an account by an operator.';

-- Former owners stay as editors.
create or replace function private.complete_transfer(waiting private.project_transfers) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  heir auth.users;
  done private.project_transfers;
begin
  select u.* into heir from auth.users u where u.id = waiting.new_owner_id;
  update private.project_transfers t
  set state = case when private.may_become_owner(heir) and private.project_exists(waiting.project_id) then 'passed' else 'withdrawn' end, ended_at = now()
  where t.id = waiting.id returning t.* into done;
  if done.state = 'withdrawn' then
    perform private.notify_of_transfer(done, private.members_of(done.project_id) || done.operator_id, 'transfer_withdrawn');
    perform private.log_transfer(done, 'transfer_withdrawn');
    return;
  end if;
  insert into public.project_members (project_id, user_id, role) values (done.project_id, heir.id, 'owner')
  on conflict (user_id, project_id) do update set own_role = 'owner';
  update public.project_members m set own_role = 'editor' where m.project_id = done.project_id and m.own_role = 'owner' and m.user_id <> heir.id;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (done.project_id, 'passed', done.operator_id, done.operator, done.reason);
  perform private.notify_of_transfer(done, private.members_of(done.project_id) || done.owner_ids, 'project_passed');
  perform private.log_transfer(done, 'project_passed');
end
$$;
comment on function private.complete_transfer(private.project_transfers) is 'Gives a project its new owner, or withdraws the transfer where that account may not have it.';

create or replace function private.complete_due_transfers() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  due private.project_transfers;
  done int := 0;
begin
  for due in
    select t.* from private.project_transfers t where t.state = 'waiting' and t.due_at <= now() order by t.due_at, t.id for update skip locked
  loop
    perform private.complete_transfer(due);
    done := done + 1;
  end loop;
  return done;
end
$$;
grant execute on function private.complete_due_transfers() to kanbase_desk;
comment on function private.complete_due_transfers() is 'Completes transfers whose 72 hours are over; how many.';

create or replace function private.admin_withdraw_transfer(project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  done private.project_transfers;
begin
  update private.project_transfers t set state = 'withdrawn', ended_at = now(), ended_by = operator.email
  where t.project_id = project and t.state = 'waiting' returning t.* into done;
  if done.id is null then
    perform private.refuse('PT409', 'This project is not being passed on', 'It has passed, or somebody objected.');
  end if;
  perform private.notify_of_transfer(done, private.members_of(project), 'transfer_withdrawn');
  perform private.log_transfer(done, 'transfer_withdrawn');
end
$$;
grant execute on function private.admin_withdraw_transfer(uuid) to kanbase_desk;
comment on function private.admin_withdraw_transfer(uuid) is 'Withdraws a transfer that waits.';

create or replace function private.end_transfer_of_member(transfer uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  done private.project_transfers;
begin
  update private.project_transfers t set state = 'objected', ended_at = now(),
    ended_by = coalesce((select nullif(f.display_name, '') from public.profiles f where f.id = me), (select u.email from auth.users u where u.id = me), '')
  where t.id = transfer and t.state = 'waiting' and t.due_at > now()
    and exists (select from public.project_members m where m.project_id = t.project_id and m.user_id = me)
  returning t.* into done;
  if done.id is null then
    perform private.raise_not_found('transfer');
  end if;
  perform private.notify_of_transfer(done, private.members_of(done.project_id) || done.new_owner_id || done.operator_id, 'transfer_objected');
  perform private.log_transfer(done, 'transfer_objected');
end
$$;
grant execute on function private.end_transfer_of_member(uuid) to authenticated;
comment on function private.end_transfer_of_member(uuid) is 'Ends a transfer that a member of the project objects to.';

create or replace function public.object_to_transfer(transfer_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_transfer_of_member(object_to_transfer.transfer_id)
$$;
grant execute on function public.object_to_transfer(uuid) to service_role, authenticated;
comment on function public.object_to_transfer(uuid) is 'Objects to a transfer of one of the caller''s projects by an operator: it ends, and everybody in it is told.';

create or replace function private.read_transfers(in_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.me();
begin
  if not in_project = any (private.my_projects())
    and not exists (select from private.project_transfers t where private.token_reaches(in_project, 1) and t.project_id = in_project and t.owner_ids @> array[me])
  then
    perform private.raise_not_found('project');
  end if;
  return (
    select coalesce(jsonb_agg(private.transfer_as_json(t) order by t.created_at desc, t.id), '[]')
    from private.project_transfers t
    where t.project_id = in_project and (
      t.owner_ids @> array[me] or in_project = any (private.my_projects())
    )
  );
end
$$;
grant execute on function private.read_transfers(uuid) to authenticated;
comment on function private.read_transfers(uuid) is 'Transfers of a project by operators, for its members and for who owned it then.';

create or replace function public.project_transfers(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_transfers(project_transfers.project_id)
$$;
grant execute on function public.project_transfers(uuid) to service_role, authenticated;
comment on function public.project_transfers(uuid) is 'When operators of the server gave this project another owner, or are about to, newest first. For its members, and for who owned it then.';
