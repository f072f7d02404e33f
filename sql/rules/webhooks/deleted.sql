-- Removing a webhook can be undone for a week: its row, its secrets and the deliveries that the app lists are saved and brought back under the same id.

select private.room_rows('private.deleted_webhooks', 'kanbase_outbox', 'select');
comment on table private.deleted_webhooks is 'Webhooks that were removed in the last week, with their sealed secrets.';
select private.room_rows('private.restored_webhooks', 'kanbase_outbox', 'select');
comment on table private.restored_webhooks is 'Times in which webhooks that came back were away: changes of those times are not told.';

-- Behind webhooks_refuse_delete. Nothing while the project itself goes.
create or replace trigger webhooks_save_deleted before delete on public.webhooks for each row execute function private.save_deleted_webhook();

create or replace function private.save_deleted_webhook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.project_exists(old.project_id) then
    insert into private.deleted_webhooks (webhook_id, project_id, webhook, sealed, former, former_until, deliveries)
    select old.id, old.project_id, to_jsonb(old), s.sealed, s.former, s.former_until, coalesce((
        select jsonb_agg(case when d.state = 'queued' then to_jsonb(d) || jsonb_build_object('state', 'failed', 'error', 'The webhook was removed')
          else to_jsonb(d) end)
        from (
          select * from public.webhook_deliveries d where d.project_id = old.project_id and d.webhook_id = old.id
          order by d.created_at desc limit 50
        ) d
      ), '[]')
    from (select) one left join private.webhook_secrets s on s.webhook_id = old.id
    on conflict do nothing;
  end if;
  return old;
end
$$;

create or replace function private.bring_webhook_back(of_webhook uuid) returns public.webhooks
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  saved private.deleted_webhooks;
  hook public.webhooks;
begin
  select d.* into saved from private.deleted_webhooks d
  where d.webhook_id = of_webhook and d.deleted_at > now() - interval '7 days' and private.is_owner(d.project_id);
  if not found then
    perform private.raise_no_webhook();
  end if;
  perform private.check_webhook_number(saved.project_id);
  delete from private.deleted_webhooks d where d.webhook_id = of_webhook;
  if not found then
    perform private.raise_no_webhook();
  end if;
  insert into private.restored_webhooks (project_id, webhook_id, deleted_at) values (saved.project_id, saved.webhook_id, saved.deleted_at)
  on conflict (project_id, webhook_id, deleted_at) do update set restored_at = excluded.restored_at;
  hook := jsonb_populate_record(null::public.webhooks, saved.webhook);
  -- Whoever brings it back stands in for a maker who owns the project no more.
  if not exists (select from public.project_members m where m.project_id = hook.project_id and m.user_id = hook.created_by and m.role = 'owner') then
    hook.created_by := me;
  end if;
  insert into public.webhooks (id, project_id, name, url, events, filter, shape, includes_restricted, is_active, off_because, failing_since, public_key,
    rotated_at, created_by, created_at)
  values (hook.id, hook.project_id, hook.name, hook.url, hook.events, hook.filter, hook.shape, hook.includes_restricted, hook.is_active,
    hook.off_because, hook.failing_since, hook.public_key, hook.rotated_at, hook.created_by, hook.created_at)
  returning * into hook;
  if saved.sealed is not null then
    insert into private.webhook_secrets (webhook_id, sealed, former, former_until)
    values (hook.id, saved.sealed, saved.former, saved.former_until);
  end if;
  insert into public.webhook_deliveries select d.* from jsonb_populate_recordset(null::public.webhook_deliveries, saved.deliveries) d
  on conflict do nothing;
  return hook;
end
$$;
grant execute on function private.bring_webhook_back(uuid) to authenticated;

create or replace function public.restore_webhook(webhook_id uuid) returns public.webhooks
language sql volatile set search_path = '' as $$
  select private.bring_webhook_back(restore_webhook.webhook_id)
$$;
grant execute on function public.restore_webhook(uuid) to authenticated;
comment on function public.restore_webhook(uuid) is 'Brings a webhook back that was removed in the last week, with its secret and latest deliveries (owners only). Changes in between are not told. Returns its row.';
