-- Mail at the desk: what waits, what failed and why, sent again, and a mail to try the mail server with. What a mail says is not shown: it
-- holds links that let people in.

create function private.desk_mails(words text, state text, before timestamptz, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := '%' || regexp_replace(coalesce(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_operator();
  return jsonb_build_object(
    'counts', (
      select coalesce(jsonb_object_agg(c.state, c.n), '{}') from (select o.state, count(*) as n from private.outbox o group by o.state) c
    ),
    'mails', (
      select coalesce(jsonb_agg(to_jsonb(m) order by m.created_at desc, m.id), '[]') from (
        select o.id, o.kind, o.recipient, o.state, o.attempts, o.created_at, o.finished_at, o.last_error,
          case when o.state = 'queued' then o.next_attempt_at end as next_attempt_at, o.data <> '{}' as can_be_sent
        from private.outbox o
        where (desk_mails.state = '' or o.state = desk_mails.state) and (before is null or o.created_at < before)
          and (o.recipient ilike pattern or o.kind ilike pattern or o.last_error ilike pattern)
        order by o.created_at desc, o.id limit least(greatest(size, 1), 200)
      ) m
    )
  );
end
$$;
grant execute on function private.desk_mails(text, text, timestamptz, int) to kanbase_desk;

create function private.desk_mail(mail uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  found jsonb;
begin
  perform private.require_operator();
  select jsonb_build_object('id', o.id, 'state', o.state, 'attempts', o.attempts, 'last_error', o.last_error) into found
  from private.outbox o where o.id = mail;
  if found is null then
    raise exception using errcode = 'PT404', message = 'There is no such mail', hint = 'Mails that are done go after MAIL_KEPT_DAYS.';
  end if;
  return found;
end
$$;
grant execute on function private.desk_mail(uuid) to kanbase_desk;

-- One mail, or every one that failed (null). How many.
create function private.desk_send_again(mail uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject private.outbox;
  sent int;
begin
  if mail is not null then
    select o.* into subject from private.outbox o where o.id = mail for update;
    if subject.id is null then
      raise exception using errcode = 'PT404', message = 'There is no such mail', hint = 'Mails that are done go after MAIL_KEPT_DAYS.';
    elsif subject.data = '{}' then
      raise exception using errcode = 'PT409', message = 'What this mail said is not kept any more', hint = 'Have it asked for again where it came from.';
    -- While one is being delivered it looks as if it waited for these five minutes: it must not leave twice.
    elsif subject.state = 'queued' and subject.next_attempt_at <= now() + interval '5 minutes' then
      raise exception using errcode = 'PT409', message = 'This mail is tried again by itself within minutes', hint = 'Wait for it.';
    end if;
  end if;
  update private.outbox o set state = 'queued', attempts = 0, next_attempt_at = now(), finished_at = null
  where case when mail is null then o.state = 'failed' else o.id = mail end and o.data <> '{}';
  get diagnostics sent = row_count;
  perform pg_notify('kanbase_mail', '');
  perform private.note_desk(operator, 'mail_sent_again', mail, coalesce(subject.recipient, ''),
    jsonb_strip_nulls(jsonb_build_object('kind', subject.kind, 'mails', sent)));
  return sent;
end
$$;
grant execute on function private.desk_send_again(uuid) to kanbase_desk;

-- To the operator's own address and no other: the desk is no way to write to strangers.
create function private.desk_test_mail() returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
begin
  perform private.note_desk(operator, 'test_mail_sent', operator.id, operator.email, null);
  return private.queue_mail('test', operator.email, jsonb_build_object('email', operator.email));
end
$$;
grant execute on function private.desk_test_mail() to kanbase_desk;

-- Whose second factor was taken away hears of it: if they did not ask for that, somebody else did.
create or replace function private.desk_reset_factors(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant auth.users := private.desk_subject(account);
  gone bigint;
begin
  delete from auth.mfa_factors f where f.user_id = subject.id;
  get diagnostics gone = row_count;
  delete from auth.sessions s where s.user_id = subject.id;
  if subject.email_confirmed_at is not null then
    perform private.queue_mail('factors_reset', subject.email, jsonb_build_object('email', subject.email));
  end if;
  perform private.note_desk(operator, 'factors_reset', subject.id, subject.email, jsonb_build_object('factors', gone));
end
$$;

comment on function private.desk_mails(text, text, timestamptz, int) is 'Mails by words of recipient, kind or reason, newest first; not what they say.';
comment on function private.desk_mail(uuid) is 'What became of one mail.';
comment on function private.desk_send_again(uuid) is 'Puts a mail, or all that failed, into the queue again; how many.';
comment on function private.desk_test_mail() is 'Queues a mail to the operator who asks.';
