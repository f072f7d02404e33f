-- Outbox of emails: the server and triggers queue an email with `private.queue_mail`; the server delivers, retries, and empties its data once it
-- is delivered. Only `kanbase_mail` reads it.

select private.room_rows('private.outbox', 'kanbase_mail', 'select, update, delete');
comment on table private.outbox is 'Mail waiting to be delivered, and what became of it.';

-- A sealed email brings its language along.
create or replace function private.queue_mail(kind text, recipient text, data jsonb default '{}') returns uuid
language sql security definer set search_path = '' as $$
  with letter as (
    insert into private.outbox (kind, recipient, data)
    select queue_mail.kind, trim(queue_mail.recipient), case
      when given.data ? 'sealed' then given.data
      else jsonb_strip_nulls(jsonb_build_object('language', private.language_of(trim(queue_mail.recipient)))) || given.data
    end
    from (select coalesce(queue_mail.data, '{}') as data) given
    returning id
  )
  select letter.id from letter, pg_catalog.pg_notify('kanbase_mail', '')
$$;
grant execute on function private.queue_mail(text, text, jsonb) to kanbase_landing;
comment on function private.queue_mail(text, text, jsonb) is 'Puts a letter in the outbox; it leaves when the transaction commits.';

-- kanbase_identity has no rights in `private`; it queues an email by this.
create or replace function auth.queue_mail(kind text, recipient text, data jsonb) returns uuid
language sql security definer set search_path = '' as $$
  select private.queue_mail(queue_mail.kind, queue_mail.recipient, queue_mail.data)
$$;
grant execute on function auth.queue_mail(text, text, jsonb) to kanbase_identity;
