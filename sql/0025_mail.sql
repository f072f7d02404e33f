-- The outbox. The server and triggers queue a mail with `private.queue_mail`; the server delivers, retries, and empties a
-- mail's data once it is delivered. Only `kanbase_mail` reads it.

select private.add_room_role('kanbase_mail');
grant usage on schema private to kanbase_mail;

create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  kind text not null, -- names the template
  recipient text not null,
  data jsonb not null default '{}', -- {"sealed": …} when it holds a secret; '{}' once delivered
  state text not null default 'queued',
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint outbox_state check (state in ('queued', 'kept', 'sent', 'failed')),
  constraint outbox_kind check (kind ~ '^[a-z][a-z_]{0,62}$'),
  -- One address, on one line: nothing in it can become a second header or recipient.
  constraint outbox_recipient check (recipient ~ '^[^\s,;<>"()\[\]\\@]+@[^\s,;<>"()\[\]\\@]+$' and char_length(recipient) <= 320)
);

create index outbox_due_idx on private.outbox (next_attempt_at) where state = 'queued';
create index outbox_created_at_idx on private.outbox (created_at desc);
create index outbox_finished_at_idx on private.outbox (finished_at) where finished_at is not null;

alter table private.outbox enable row level security;
create policy mail_room on private.outbox to kanbase_mail using (true) with check (true);
revoke all on private.outbox from public;
grant select, update, delete on private.outbox to kanbase_mail;
-- No insert grant: mails come in through queue_mail alone.

create function private.queue_mail(kind text, recipient text, data jsonb default '{}') returns uuid
language sql
security definer
set search_path = ''
as $$
  with letter as (
    insert into private.outbox (kind, recipient, data)
    values (queue_mail.kind, trim(queue_mail.recipient), coalesce(queue_mail.data, '{}'))
    returning id
  )
  select letter.id from letter, pg_catalog.pg_notify('kanbase_mail', '')
$$;

revoke all on function private.queue_mail(text, text, jsonb) from public;

-- kanbase_identity has no rights in `private`; this is how it queues a mail.
create function auth.queue_mail(kind text, recipient text, data jsonb) returns uuid
language sql
security definer
set search_path = ''
as $$
  select private.queue_mail(queue_mail.kind, queue_mail.recipient, queue_mail.data)
$$;

revoke all on function auth.queue_mail(text, text, jsonb) from public;
grant execute on function auth.queue_mail(text, text, jsonb) to kanbase_identity;

comment on table private.outbox is 'Mail waiting to be delivered, and what became of it.';
comment on function private.queue_mail(text, text, jsonb) is 'Puts a letter in the outbox; it leaves when the transaction commits.';
