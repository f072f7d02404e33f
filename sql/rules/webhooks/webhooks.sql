-- Webhooks: addresses that are told of changes in a project, with chosen events and the filter of a view. Owners manage them; made by
-- POST /api/webhooks, where the server draws the secret, seals it and tells it once. Programs see none: addresses of chats are secrets themselves. Sending: deliveries.sql and server/outbox/webhooks.

select private.served_rows('public.webhooks', updates => '{name, url, events, filter, shape, includes_restricted, is_active}',
  fixed => '{id, project_id, public_key, created_by}', program => 'hidden');
create policy read on public.webhooks for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
create policy change on public.webhooks for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')))
  with check (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
create policy remove on public.webhooks for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
select private.refuse_deletes('public.webhooks', 'not private.is_owner(old.project_id)', 'Ask an owner of the project.');
comment on table public.webhooks is 'Addresses that are told of changes in a project. Owners see and manage them; made by POST /api/webhooks, which tells the secret once.';
comment on column public.webhooks.name is 'Up to 100 characters.';
comment on column public.webhooks.url is 'Where it is sent: http or https, without a user name. Checked against the networks that the server may reach whenever it sends.';
comment on column public.webhooks.events is 'Types of events it is told of, task.created and so on.';
comment on column public.webhooks.filter is 'Which tasks: the filter of a view. Deleted tasks are told of if they were before; what is about no task always.';
comment on column public.webhooks.shape is 'What it is told in: json, or a message for slack, mattermost, discord, matrix or teams.';
comment on column public.webhooks.includes_restricted is 'Whether it is told of restricted tasks, too.';
comment on column public.webhooks.is_active is 'Whether it is told of anything. Turning it off gives up what waits.';
comment on column public.webhooks.off_because is 'Why the database turned it off: gone (its receiver answered 410), failing (for a day), filter or secret (can''t be read), operator, maker (owns the project no more); empty when an owner did. Kept by the database.';
comment on column public.webhooks.failing_since is 'Since when every delivery fails; kept by the database.';
comment on column public.webhooks.public_key is 'Verifies its v1a signatures (ed25519); kept by the database.';
comment on column public.webhooks.rotated_at is 'When its secret was last replaced; kept by the database.';
comment on column public.webhooks.created_by is 'Who made it, or turned it on last; "me" in its filter. Empty once their account is gone.';
select private.room_rows('private.webhook_secrets', 'kanbase_outbox', 'select');
select private.room_rows('private.webhook_states', 'kanbase_outbox', 'select');
comment on table private.webhook_secrets is 'Secrets of webhooks, sealed with a key of the server''s. Only kanbase_outbox reads them.';
comment on table private.webhook_states is 'How deliveries of webhooks fare.';

-- Behind webhooks_refuse_change: it sets created_by.
create or replace trigger webhooks_switch before update on public.webhooks for each row
  when (old.is_active <> new.is_active) execute function private.follow_webhook_switch();
create or replace trigger webhooks_drop_queue after update on public.webhooks for each row
  when (old.is_active and not new.is_active) execute function private.drop_webhook_queue();
create or replace trigger webhooks_wait_for_events after insert or delete or update of is_active on public.webhooks for each row
  execute function private.wait_for_webhook_events();
create or replace trigger project_members_switch_off_webhooks after delete on public.project_members for each row
  when (old.role = 'owner' and old.user_id is not null) execute function private.switch_off_webhooks_of_maker();
create or replace trigger project_members_switch_off_webhooks_changed after update on public.project_members for each row
  when (old.role = 'owner' and old.user_id is not null and new.role <> 'owner') execute function private.switch_off_webhooks_of_maker();
create or replace trigger webhooks_log_access after insert or update or delete on public.webhooks for each row
  execute function private.log_webhook();

create or replace function private.follow_webhook_switch() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.me();
begin
  if new.is_active then
    if old.off_because = 'operator' and me is not null and not exists (select from auth.users u where u.id = me and u.is_operator) then
      perform private.refuse('42501', 'an administrator turned this webhook off', 'Ask an administrator of this server to allow it again.');
    end if;
    new.created_by := coalesce(me, new.created_by);
    new.off_because := null;
    new.failing_since := null;
    delete from private.webhook_states s where s.webhook_id = new.id;
  end if;
  return new;
end
$$;

create or replace function private.drop_webhook_queue() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.webhook_deliveries d set state = 'failed', error = coalesce(d.error, 'The webhook was turned off'), updated_at = now()
  where d.webhook_id = new.id and d.state = 'queued';
  return null;
end
$$;

-- One after the other in a project: whoever turns the last one off must see one that another turns on.
create or replace function private.wait_for_webhook_events() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  project constant uuid := coalesce(new.project_id, old.project_id);
begin
  perform from public.projects p where p.id = project for no key update;
  if exists (select from public.webhooks w where w.project_id = project and w.is_active) then
    insert into private.event_interests (project_id, consumer) values (project, 'webhooks') on conflict do nothing;
  else
    delete from private.event_interests i where i.project_id = project and i.consumer = 'webhooks';
  end if;
  return null;
end
$$;

-- Addresses of chat services are secrets themselves: the line has the host alone, or that something changed.
create or replace function private.log_webhook() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  hook constant public.webhooks := coalesce(new, old);
  was jsonb := jsonb_build_object('host', case when tg_op <> 'INSERT' and old.is_active then private.host_of(old.url) end);
  becomes jsonb := jsonb_build_object('host', case when tg_op <> 'DELETE' and new.is_active then private.host_of(new.url) end);
begin
  if tg_op = 'UPDATE' then
    was := was || jsonb_build_object('address', null, 'filter', null, 'events', old.events, 'includes_restricted', old.includes_restricted);
    becomes := becomes || jsonb_build_object('events', new.events, 'includes_restricted', new.includes_restricted,
      'address', case when old.url <> new.url then 'changed' end, 'filter', case when old.filter <> new.filter then 'changed' end);
  end if;
  perform private.log_access(hook.project_id, jsonb_build_object('kind', 'webhook', 'id', hook.id, 'name', hook.name), was, becomes);
  return null;
end
$$;

create or replace function private.host_of(url text) returns text
language sql immutable
return substring(url from '^https?://([^/?#]+)');

create or replace function private.raise_no_webhook() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such webhook', 'There is none with this id, or you are no owner of its project.');
end
$$;

-- The caller's, who owns its project.
create or replace function private.own_webhook(of_webhook uuid) returns public.webhooks
language plpgsql stable security definer set search_path = '' as $$
declare
  hook public.webhooks;
begin
  perform private.require_user();
  select w.* into hook from public.webhooks w where w.id = of_webhook and private.is_owner(w.project_id);
  if not found then
    perform private.raise_no_webhook();
  end if;
  return hook;
end
$$;

-- One after the other in a project.
create or replace function private.check_webhook_number(in_project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 50;
begin
  perform from public.projects p where p.id = in_project for no key update;
  if (select count(*) from public.webhooks w where w.project_id = in_project) >= most then
    perform private.refuse('PT400', format('this project has %s webhooks', most), 'Remove one that is needed no more.');
  end if;
end
$$;

-- By the server's door, with the claims of who asks ---------------------------------------------------------------------------

create or replace function private.create_webhook(
  in_project uuid, called text, url text, events text[], filter jsonb, shape text, includes_restricted boolean, public_key text, sealed text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  hook public.webhooks;
begin
  perform private.require_owner_of(in_project, 'can make a webhook');
  perform private.check_webhook_number(in_project);
  insert into public.webhooks (project_id, name, url, events, filter, shape, includes_restricted, public_key, created_by)
  values (in_project, called, create_webhook.url, create_webhook.events, create_webhook.filter, create_webhook.shape,
    create_webhook.includes_restricted, create_webhook.public_key, me)
  returning * into hook;
  insert into private.webhook_secrets (webhook_id, sealed) values (hook.id, create_webhook.sealed);
  return to_jsonb(hook);
end
$$;
grant execute on function private.create_webhook(uuid, text, text, text[], jsonb, text, boolean, text, text) to kanbase_outbox;
comment on function private.create_webhook(uuid, text, text, text[], jsonb, text, boolean, text, text) is 'Makes a webhook with a secret that the server drew and sealed; for owners.';

-- For a day both secrets sign.
create or replace function private.rotate_webhook(of_webhook uuid, public_key text, sealed text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  hook public.webhooks := private.own_webhook(of_webhook);
begin
  update public.webhooks w set public_key = rotate_webhook.public_key, rotated_at = now() where w.id = hook.id returning w.* into hook;
  insert into private.webhook_secrets as s (webhook_id, sealed) values (hook.id, rotate_webhook.sealed)
  on conflict (webhook_id) do update set former = s.sealed, former_until = now() + interval '1 day', sealed = excluded.sealed;
  return to_jsonb(hook);
end
$$;
grant execute on function private.rotate_webhook(uuid, text, text) to kanbase_outbox;
comment on function private.rotate_webhook(uuid, text, text) is 'Replaces the secret of a webhook; the one before signs, too, for a day. For owners.';

-- Turned off by the database ----------------------------------------------------------------------------------------------------

create or replace function private.switch_off_webhook(of_webhook uuid, because text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  hook public.webhooks;
  told uuid[];
begin
  update public.webhooks w set is_active = false, off_because = because where w.id = of_webhook and w.is_active returning w.* into hook;
  if not found then
    return false;
  end if;
  with noted as (
    insert into public.notifications (user_id, kind, project_id, data)
    select m.user_id, 'webhook_off', hook.project_id, jsonb_build_object('excerpt', hook.name, 'reason', because, 'project_name', p.name)
    from public.project_members m join public.projects p on p.id = m.project_id
    where m.project_id = hook.project_id and m.user_id is not null and m.role = 'owner'
    returning id
  )
  select array_agg(n.id) into told from noted n;
  perform private.push_entries(told);
  perform private.queue_mail('webhook_off', u.email, jsonb_build_object('webhook', hook.name, 'reason', because, 'project_name', p.name,
    'url', '/app/projects/' || p.id || '/settings'))
  from public.project_members m
  join public.projects p on p.id = m.project_id
  join auth.users u on u.id = m.user_id and u.email is not null and u.email_confirmed_at is not null and private.is_account_open(u.id)
  where m.project_id = hook.project_id and m.role = 'owner';
  return true;
end
$$;
grant execute on function private.switch_off_webhook(uuid, text) to kanbase_outbox;

-- Behind ensure_owner: an heir is told, too. Of an account that ends, created_by is empty already. Not in a deleted project.
create or replace function private.switch_off_webhooks_of_maker() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.projects p where p.id = old.project_id and p.deleted_at is null)
    and not exists (select from public.project_members m where m.project_id = old.project_id and m.user_id = old.user_id and m.role = 'owner') then
    perform private.switch_off_webhook(w.id, 'maker') from public.webhooks w
    where w.project_id = old.project_id and w.is_active
      and (w.created_by = old.user_id or (w.created_by is null and not exists (select from public.profiles p where p.id = old.user_id)));
  end if;
  return null;
end
$$;
comment on function private.switch_off_webhook(uuid, text) is 'Turns a webhook off and tells the owners of its project: in their inbox, by push and by mail.';
