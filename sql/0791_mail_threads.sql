-- Mails about one task are a conversation: the first one somebody got is what all later ones answer. Some mail programs show as one only
-- what answers a mail they have, so it is kept which one that was.

create table private.mail_threads (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A task, or a project: what is gone takes no conversation along, its mails are in a mailbox already.
  about uuid not null,
  message_id text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, about),
  constraint mail_threads_message_id_length check (length(message_id) <= 500)
);
create index mail_threads_message_id_idx on private.mail_threads (message_id);
create index mail_threads_last_at_idx on private.mail_threads (last_at);
alter table private.mail_threads enable row level security;
create policy mail_room on private.mail_threads to kanbase_mail using (true) with check (true);
-- no insert or update grant: a mail joins by the function below, which knows who still has an account
grant select, delete on private.mail_threads to kanbase_mail;

-- The Message-ID of the first mail, which is this one where there was none; null for who has no account any more.
create function private.join_mail_thread(person uuid, about uuid, message_id text) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.mail_threads as t (user_id, about, message_id)
  select u.id, join_mail_thread.about, join_mail_thread.message_id from auth.users u where u.id = join_mail_thread.person
  on conflict on constraint mail_threads_pkey do update set last_at = now()
  returning t.message_id
$$;
revoke all on function private.join_mail_thread(uuid, uuid, text) from public;
grant execute on function private.join_mail_thread(uuid, uuid, text) to kanbase_mail;

comment on table private.mail_threads is 'Which mail to somebody was the first about a task or a project: later ones answer it.';
comment on column private.mail_threads.about is 'The task, or the project.';
comment on column private.mail_threads.message_id is 'As the mail said it in its header.';
comment on column private.mail_threads.last_at is 'When a mail last joined; a conversation that rests for a year begins anew.';
comment on function private.join_mail_thread(uuid, uuid, text) is 'The Message-ID of the first mail to that person about it, which is the given one where there was none.';
