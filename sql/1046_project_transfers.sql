-- A project that an operator gives another owner passes after 72 hours. Everybody in it is told and any of them may object until then. It passes at
-- once only where no owner has been able to sign in for as long, so that a ban followed by a transfer wins nothing. Who owned it reads all of it,
-- also once they are out.

alter table auth.users add column banned_since timestamptz;
comment on column auth.users.banned_since is 'Since when the account is banned without a break; empty where it is not, or was before this was kept.';

create function auth.note_ban() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.banned_since := case when new.banned_until > now() then case when old.banned_until > now() then old.banned_since else now() end end;
  return new;
end
$$;
revoke all on function auth.note_ban() from public;
create trigger users_note_ban before update on auth.users for each row
  when (new.banned_until is distinct from old.banned_until)
  execute function auth.note_ban();
comment on function auth.note_ban() is 'Keeps since when an account is banned.';

create table private.project_transfers (
  id uuid primary key default private.uuid_v7(),
  -- empty once the project is gone: what happened stays readable
  project_id uuid references public.projects (id) on delete set null,
  project_name text not null,
  operator_id uuid references auth.users (id) on delete set null,
  operator text not null, -- the address as it was
  new_owner_id uuid references auth.users (id) on delete set null,
  new_owner text not null, -- the address as it was
  reason text not null,
  -- who owned it when this began
  owner_ids uuid[] not null,
  state text not null default 'waiting',
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- the name of who objected
  ended_by text,
  constraint project_transfers_state_known check (state in ('waiting', 'passed', 'objected', 'withdrawn')),
  constraint project_transfers_ended_when_over check ((state = 'waiting') = (ended_at is null)),
  constraint project_transfers_reason_length check (char_length(reason) <= 500)
);
create unique index project_transfers_one_waiting on private.project_transfers (project_id) where state = 'waiting';
create index project_transfers_project_id_idx on private.project_transfers (project_id, created_at desc);
create index project_transfers_due_at_idx on private.project_transfers (due_at) where state = 'waiting';
create index project_transfers_operator_id_idx on private.project_transfers (operator_id);
create index project_transfers_new_owner_id_idx on private.project_transfers (new_owner_id);
create index project_transfers_owner_ids_idx on private.project_transfers using gin (owner_ids);
alter table private.project_transfers enable row level security;
-- No policies and no grants: the functions below write, and show it to members, to former owners and at the admin pages.
comment on table private.project_transfers is 'Projects that operators give another owner: announced, objected to, passed or withdrawn.';

-- Told ------------------------------------------------------------------------------------------------------------------------

alter table public.notifications drop constraint notifications_kind_known;
alter table public.notifications add constraint notifications_kind_known check (kind in (
  'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited', 'transfer'
));
comment on column public.notifications.kind is 'mentioned, assigned, commented, unblocked, unassigned, state_changed, overdue, due_soon, added or invited: the weightiest of what one person did to the task within a minute. transfer: an operator gives the project another owner.';

create function private.say_transfer(one private.project_transfers) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', one.id, 'project_id', one.project_id, 'project_name', one.project_name, 'operator', one.operator,
    'new_owner', one.new_owner, 'reason', one.reason, 'state', one.state, 'due_at', one.due_at, 'created_at', one.created_at,
    'ended_at', one.ended_at, 'ended_by', one.ended_by)
$$;
comment on function private.say_transfer(private.project_transfers) is 'A transfer, as people and operators are told of it.';

-- Whatever they chose to hear of: it is about whose the project is. Without a project, so that who is put out can still read it.
create function private.tell_of_transfer(one private.project_transfers, people uuid[], mail_kind text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, data)
  select distinct u.id, 'transfer', private.say_transfer(one)
  from auth.users u where u.id = any (people) and u.deleted_at is null;
  perform private.queue_mail(mail_kind, u.email, jsonb_build_object('operator', one.operator, 'project_name', one.project_name, 'reason', one.reason,
    'new_owner', one.new_owner, 'by', coalesce(one.ended_by, ''), 'due_at', to_char(one.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
    'url', '/app/projects/' || one.project_id || '/people'))
  from auth.users u where u.id = any (people) and u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null;
end
$$;
comment on function private.tell_of_transfer(private.project_transfers, uuid[], text) is 'Tells people of a transfer: in their inbox, and by mail.';

create function private.log_transfer(one private.project_transfers, action text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.desk_log (actor_id, actor, action, subject_id, subject, details, address)
  values (one.operator_id, one.operator, action, one.project_id, one.project_name,
    jsonb_strip_nulls(jsonb_build_object('to', one.new_owner, 'reason', one.reason, 'due_at', one.due_at, 'by', one.ended_by)),
    coalesce(current_setting('request.address', true), ''))
$$;
comment on function private.log_transfer(private.project_transfers, text) is 'Writes a step of a transfer into the log of operators.';

create function private.members_of(project uuid) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.user_id), '{}') from public.project_members m where m.project_id = project
$$;
comment on function private.members_of(uuid) is 'Who is in a project.';

-- Begun, done, ended ------------------------------------------------------------------------------------------------------------

create function private.owners_cannot_sign_in(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.project_members m join auth.users u on u.id = m.user_id
    where m.project_id = project and m.role = 'owner' and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now() or u.banned_since > now() - interval '72 hours')
  )
$$;
comment on function private.owners_cannot_sign_in(uuid) is 'Whether every owner of a project has been deleted, or banned for 72 hours.';

create function private.may_become_owner(account auth.users) returns boolean
language sql stable set search_path = '' as $$
  select account.id is not null and account.deleted_at is null and not account.is_anonymous and not account.is_operator
    and (account.banned_until is null or account.banned_until <= now())
$$;
comment on function private.may_become_owner(auth.users) is 'Whether a project may be given to an account by an operator.';

-- Owners of before stay as editors.
create function private.complete_transfer(waiting private.project_transfers) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  heir auth.users;
  done private.project_transfers;
begin
  select u.* into heir from auth.users u where u.id = waiting.new_owner_id;
  update private.project_transfers t
  set state = case when private.may_become_owner(heir) and private.is_there(waiting.project_id) then 'passed' else 'withdrawn' end, ended_at = now()
  where t.id = waiting.id returning t.* into done;
  if done.state = 'withdrawn' then
    perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.operator_id, 'transfer_withdrawn');
    perform private.log_transfer(done, 'transfer_withdrawn');
    return;
  end if;
  insert into public.project_members (project_id, user_id, role) values (done.project_id, heir.id, 'owner')
  on conflict on constraint project_members_pkey do update set role = 'owner';
  update public.project_members m set role = 'editor' where m.project_id = done.project_id and m.role = 'owner' and m.user_id <> heir.id;
  insert into private.operator_entries (project_id, deed, operator_id, operator, reason)
  values (done.project_id, 'passed', done.operator_id, done.operator, done.reason);
  perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.owner_ids, 'project_passed');
  perform private.log_transfer(done, 'project_passed');
end
$$;
comment on function private.complete_transfer(private.project_transfers) is 'Gives a project its new owner, or withdraws the transfer where that account may not have it.';

create or replace function private.desk_pass_on(project uuid, email text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
  heir auth.users;
  begun private.project_transfers;
begin
  select u.* into heir from auth.users u
  where lower(u.email) = lower(trim(desk_pass_on.email)) and not u.is_sso_user and u.deleted_at is null and not u.is_anonymous
    and (u.banned_until is null or u.banned_until <= now());
  if heir.id is null then
    raise exception using errcode = 'PT404', message = 'There is no such account', hint = 'Type the address of an account that is not disabled.';
  elsif heir.is_operator then
    raise exception using errcode = 'PT409', message = 'A project is not passed to an operator', hint = 'Its owners may do that themselves; an operator enters.';
  elsif exists (select from public.project_members m where m.project_id = subject.id and m.user_id = heir.id and m.role = 'owner') then
    raise exception using errcode = 'PT409', message = 'This account owns the project already', hint = 'Type the address of another one.';
  elsif exists (select from private.project_transfers t where t.project_id = subject.id and t.state = 'waiting') then
    raise exception using errcode = 'PT409', message = 'This project is being passed on already', hint = 'Withdraw that first.';
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
    perform private.tell_of_transfer(begun, private.members_of(subject.id) || heir.id, 'transfer_announced');
  end if;
end
$$;
comment on function private.desk_pass_on(uuid, text, text) is 'Announces that a project gets another owner in 72 hours; at once where no owner can sign in any more.';

create function private.desk_withdraw_transfer(project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  done private.project_transfers;
begin
  update private.project_transfers t set state = 'withdrawn', ended_at = now(), ended_by = operator.email
  where t.project_id = project and t.state = 'waiting' returning t.* into done;
  if done.id is null then
    raise exception using errcode = 'PT409', message = 'This project is not being passed on', hint = 'It has passed, or somebody objected.';
  end if;
  perform private.tell_of_transfer(done, private.members_of(project), 'transfer_withdrawn');
  perform private.log_transfer(done, 'transfer_withdrawn');
end
$$;
grant execute on function private.desk_withdraw_transfer(uuid) to kanbase_desk;
comment on function private.desk_withdraw_transfer(uuid) is 'Withdraws a transfer that waits.';

create function private.complete_due_transfers() returns int
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

-- What members do ------------------------------------------------------------------------------------------------------------------

create function private.end_transfer_of_member(transfer uuid) returns void
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
  perform private.tell_of_transfer(done, private.members_of(done.project_id) || done.new_owner_id || done.operator_id, 'transfer_objected');
  perform private.log_transfer(done, 'transfer_objected');
end
$$;
create function public.object_to_transfer(transfer_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_transfer_of_member(object_to_transfer.transfer_id)
$$;
grant execute on function private.end_transfer_of_member(uuid), public.object_to_transfer(uuid) to authenticated;
comment on function private.end_transfer_of_member(uuid) is 'Ends a transfer that a member of the project objects to.';
comment on function public.object_to_transfer(uuid) is 'Objects to a transfer of one of the caller''s projects by an operator: it ends, and everybody in it is told.';

create function private.read_transfers(in_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.me();
begin
  if not exists (select from public.project_members m where m.project_id = in_project and m.user_id = me)
    and not exists (select from private.project_transfers t where t.project_id = in_project and t.owner_ids @> array[me])
  then
    perform private.raise_not_found('project');
  end if;
  return (
    select coalesce(jsonb_agg(private.say_transfer(t) order by t.created_at desc, t.id), '[]')
    from private.project_transfers t
    where t.project_id = in_project and (
      t.owner_ids @> array[me] or exists (select from public.project_members m where m.project_id = in_project and m.user_id = me)
    )
  );
end
$$;
create function public.project_transfers(project_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_transfers(project_transfers.project_id)
$$;
grant execute on function private.read_transfers(uuid), public.project_transfers(uuid) to authenticated;
comment on function private.read_transfers(uuid) is 'Transfers of a project by operators, for its members and for who owned it then.';
comment on function public.project_transfers(uuid) is 'When operators of the server gave this project another owner, or are about to, newest first. For its members, and for who owned it then.';

create or replace function private.desk_project(project uuid) returns jsonb
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
    'transfers', (
      select coalesce(jsonb_agg(private.say_transfer(t) order by t.created_at desc, t.id), '[]')
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
