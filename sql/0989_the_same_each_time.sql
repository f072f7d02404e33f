-- What stands in an order stands in the same one each time, and an address is looked up where there is an index of it.
create or replace function private.plan_source(user_id uuid)
returns TABLE(price_id text, status text, renews_at timestamp with time zone, ends_at timestamp with time zone, trial_ends_at timestamp with time zone, payment_failed boolean, is_running boolean)
language sql stable security definer set search_path = '' as $$
  with mode as (
    select (select p.livemode from billing.provider p) as live
  ), had as (
    select
      s.price_id, s.status,
      case when s.status in ('active', 'trialing', 'past_due') and s.cancel_at is null and not s.cancel_at_period_end
        then s.current_period_end end as renews_at,
      coalesce(s.ended_at, s.cancel_at, case when s.cancel_at_period_end then s.current_period_end end) as ends_at,
      case when s.status = 'trialing' then s.trial_end end as trial_ends_at,
      coalesce(
        (
          select i.status = 'failed' from billing.invoices i
          where i.subscription_id = s.id
          order by i.told_at desc, i.id desc
          limit 1
        ),
        false
      ) as payment_failed,
      s.status in ('active', 'trialing', 'past_due') as is_running,
      1 as kind,
      coalesce(s.started_at, s.created_at) as since
    from billing.subscriptions s
    join billing.customers c on c.id = s.customer_id
    cross join mode
    where c.user_id = plan_source.user_id and (mode.live is null or s.livemode = mode.live)
    union all
    select p.price_id, p.status, null, null, null, p.status = 'failed', p.status = 'paid', 0, p.bought_at
    from billing.purchase_outcomes p
    left join billing.customers c on c.id = p.customer_id
    cross join mode
    where (p.user_id = plan_source.user_id or (p.user_id is null and c.user_id = plan_source.user_id))
      and (mode.live is null or p.livemode = mode.live)
  )
  select had.price_id, had.status, had.renews_at, had.ends_at, had.trial_ends_at, had.payment_failed, had.is_running
  from had
  left join billing.plans on plans.price_id = had.price_id
  -- What runs before what does not; of what runs, a plan before what is none, a subscription before a single purchase.
  order by
    had.is_running desc,
    (had.is_running and plans.price_id is not null) desc,
    case when had.is_running then had.kind end desc,
    had.since desc,
    had.price_id
  limit 1
$$;

create or replace function private.mail_entries(ids uuid[])
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'kind', n.kind, 'also', n.data -> 'also', 'actor_name', a.display_name, 'excerpt', n.data -> 'excerpt', 'from', n.data -> 'from',
      'to', n.data -> 'to', 'count', n.data -> 'count', 'due_date', n.data -> 'due_date', 'answers_id', n.data -> 'answers_id'
    )) order by n.created_at, n.id)
    from public.notifications n left join public.profiles a on a.id = n.actor_id
    where n.id = any (ids)
  );
end
$$;

create or replace function private.mail_pictures(ids uuid[])
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('entry', told.entry, 'id', f.id, 'name', f.name, 'path', f.object_path)
      order by told.entry, named.place), '[]')
    from (
      select n.project_id, row_number() over (order by n.created_at, n.id) - 1 as entry,
        coalesce(c.body, case when n.data ? 'excerpt' then t.description end) as words
      from public.notifications n
      left join public.task_comments c on c.project_id = n.project_id and c.id = (n.data ->> 'comment_id')::uuid
      left join public.tasks t on t.project_id = n.project_id and t.id = n.task_id
      where n.id = any (ids)
    ) told
    cross join lateral private.attachments_in(told.words) named
    join public.task_attachments f on f.project_id = told.project_id and f.id = named.id
    where f.content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif')
  );
end
$$;

create or replace function private.desk_pass_on(project uuid, email text, reason text)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant public.projects := private.desk_subject_project(project, reason);
  heir auth.users;
begin
  select u.* into heir from auth.users u
  where lower(u.email) = lower(trim(desk_pass_on.email)) and not u.is_sso_user and u.deleted_at is null and not u.is_anonymous
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

create or replace function private.send_invitation(invitation public.project_invitations)
returns text
language plpgsql security definer set search_path = '' as $$
declare
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  project_name text;
  inviter_name text;
begin
  if auth.uid() is not null and private.take_point('invitations by ' || auth.uid(), 50, 3600) > 0 then
    raise exception using
      errcode = 'PT429',
      message = 'you invite many people in a short time',
      hint = 'Up to 50 invitations an hour go out; wait a while and go on.';
  end if;
  delete from private.invitation_tokens t where t.invitation_id = invitation.id;
  insert into private.invitation_tokens (token_hash, invitation_id) values (sha256(convert_to(token, 'UTF8')), invitation.id);

  select p.name into project_name from public.projects p where p.id = invitation.project_id;
  select p.display_name into inviter_name from public.profiles p where p.id = invitation.invited_by;
  -- One address gets a few letters an hour from all of us together; the link to copy works all the same.
  if private.take_point('invitation letters to ' || lower(invitation.email), 5, 3600) = 0 then
    perform private.queue_mail('project_invitation', invitation.email, jsonb_build_object(
      'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role, 'invitation_id', invitation.id
    ));
  end if;

  delete from public.notifications n
  using auth.users u
  where n.user_id = u.id and lower(u.email) = lower(invitation.email) and not u.is_sso_user and n.kind = 'invited'
    and n.project_id = invitation.project_id and n.read_at is null;
  insert into public.notifications (user_id, kind, project_id, actor_id, data)
  select p.id, 'invited', invitation.project_id, invitation.invited_by, jsonb_build_object(
    'invitation_id', invitation.id, 'project_name', project_name, 'inviter_name', inviter_name, 'role', invitation.role
  )
  from auth.users u
  join public.profiles p on p.id = u.id
  where lower(u.email) = lower(invitation.email) and not u.is_sso_user and private.has_shown_mailbox(u) and u.id is distinct from invitation.invited_by
  limit 1;
  return token;
end
$$;

-- The mails of one round are made in one transaction; the desk pages through them by when each was.
alter table private.outbox alter column created_at set default clock_timestamp();
