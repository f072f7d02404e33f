-- Webhooks of all projects for operators: listed by host, since an address may be a secret of its own, and turned off.

create or replace function private.admin_webhooks(skip int, size int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object('total', (select count(*) from public.webhooks), 'webhooks', (
    select coalesce(jsonb_agg(to_jsonb(w) order by w.created_at desc, w.id), '[]') from (
      select h.id, h.project_id, p.name as project, h.name, private.host_of(h.url) as host, h.shape, h.is_active, h.off_because, h.failing_since,
        h.created_at,
        (select count(*) from public.webhook_deliveries d where d.project_id = h.project_id and d.webhook_id = h.id and d.state = 'queued') as queued
      from public.webhooks h join public.projects p on p.id = h.project_id
      order by h.created_at desc, h.id limit least(greatest(size, 1), 100) offset greatest(skip, 0)
    ) w
  ));
end
$$;
grant execute on function private.admin_webhooks(integer, integer) to kanbase_desk;
comment on function private.admin_webhooks(integer, integer) is 'Webhooks of all projects, the latest first, by host.';

create or replace function private.admin_switch_off_webhook(of_webhook uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  hook public.webhooks;
begin
  select w.* into hook from public.webhooks w where w.id = of_webhook;
  if not found then
    perform private.refuse('PT404', 'There is no such webhook', 'It was removed.');
  end if;
  if private.switch_off_webhook(of_webhook, 'operator') then
    perform private.write_admin_log(operator, 'webhook_off', hook.id, hook.name, jsonb_build_object('host', private.host_of(hook.url)));
  end if;
end
$$;
grant execute on function private.admin_switch_off_webhook(uuid) to kanbase_desk;
comment on function private.admin_switch_off_webhook(uuid) is 'Turns a webhook off; the owners of its project are told.';
