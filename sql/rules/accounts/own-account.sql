-- The caller's own account: all data held about them in one document, the end of the account, and a preview of that end.
-- The end asks for fresh proof: the second factor, the password, or, with neither, a sign-in within the last ten minutes (claim `amr`), so
-- that an open window alone cannot delete an account. Operators end accounts by the same procedure (admin/accounts.sql).

-- Own data ----------------------------------------------------------------------------------------------------------------

-- Rows that belong to the caller are named here alone; no secret is among them.
create or replace function private.collect_my_data() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
        'email_confirmed_at', u.email_confirmed_at, 'user_metadata', u.raw_user_meta_data)
      from auth.users u where u.id = me
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = me),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'address', host(s.ip),
        'user_agent', s.user_agent) order by s.created_at), '[]')
      from auth.sessions s where s.user_id = me and s.oauth_grant_id is null
    ),
    'programs', (
      select coalesce(jsonb_agg(jsonb_build_object('name', c.client_name, 'scopes', g.scopes, 'project_ids', g.project_ids,
        'created_at', g.created_at, 'expires_at', g.expires_at, 'last_used_at', g.last_used_at) order by g.created_at), '[]')
      from auth.oauth_grants g join auth.oauth_clients c on c.id = g.client_id where g.user_id = me
    ),
    'service_accounts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', f.display_name, 'created_at', s.created_at) order by s.created_at, s.id), '[]')
      from public.service_accounts s join public.profiles f on f.id = s.id where s.owner_id = me
    ),
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name, 'description', p.description, 'role', m.role,
        'member_since', m.created_at, 'archived_at', p.archived_at) order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = me
    ),
    'groups', (
      select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'is_manager', i.is_manager, 'member_since', i.created_at) order by g.name, g.id), '[]')
      from public.group_members i join public.groups g on g.id = i.group_id
      where i.user_id = me
    ),
    'tasks', (
      select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'key', p.key || '-' || t.number, 'project_id', t.project_id, 'title', t.title,
        'description', t.description, 'column', c.name, 'priority', t.priority, 'start_date', t.start_date, 'due_date', t.due_date,
        'estimate', t.estimate, 'completed_at', t.completed_at, 'archived_at', t.archived_at, 'created_at', t.created_at,
        'created_by_me', t.created_by is not distinct from me, 'assigned_to_me', a.user_id is not null) order by t.created_at, t.id), '[]')
      from public.tasks t
      join public.project_members m on m.project_id = t.project_id and m.user_id = me
      join public.projects p on p.id = t.project_id
      join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
      left join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id and a.user_id = me
      where (t.created_by = me or a.user_id is not null) and private.is_in_audience(t.project_id, t.audience_id, me)
    ),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'project_id', c.project_id, 'task_id', c.task_id, 'body', c.body,
        'created_at', c.created_at, 'edited_at', c.edited_at) order by c.created_at, c.id), '[]')
      from public.task_comments c
      join public.project_members m on m.project_id = c.project_id and m.user_id = me
      where c.author_id = me and private.is_in_audience(c.project_id, c.audience_id, me)
    ),
    'attachments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'project_id', f.project_id, 'task_id', f.task_id, 'task_key', p.key || '-' || t.number,
        'name', f.name, 'content_type', f.content_type, 'size_bytes', f.size_bytes, 'object_path', f.object_path, 'created_at', f.created_at,
        'uploaded_by_me', f.uploaded_by is not distinct from me) order by f.created_at, f.id), '[]')
      from public.task_attachments f
      join public.project_members m on m.project_id = f.project_id and m.user_id = me
      join public.projects p on p.id = f.project_id
      join public.tasks t on t.project_id = f.project_id and t.id = f.task_id
      where private.is_in_audience(f.project_id, f.audience_id, me) and (f.uploaded_by = me or f.id in (
        -- What the texts above show is theirs to be whole, whoever attached it.
        select named.id from public.tasks mine cross join lateral private.attachments_in(mine.description) named
        where mine.created_by = me or exists (
          select from public.task_assignees a where a.project_id = mine.project_id and a.task_id = mine.id and a.user_id = me
        )
        union all
        select named.id from public.task_comments said cross join lateral private.attachments_in(said.body) named where said.author_id = me
      ))
    ),
    'activity', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', h.project_id, 'task_id', h.task_id, 'kind', h.kind, 'change', h.change,
        'created_at', h.created_at) order by h.created_at, h.id), '[]')
      from public.task_activity h
      join public.project_members m on m.project_id = h.project_id and m.user_id = me
      where h.actor_id = me and private.is_in_audience(h.project_id, h.audience_id, me)
    ),
    'access', (
      select coalesce(jsonb_agg(jsonb_build_object('object', l.object, 'change', l.change, 'by_me', l.actor_id is not distinct from me,
        'about_me', l.subject ->> 'id' = me::text, 'address', case when l.actor_id = me then l.address end, 'created_at', l.created_at)
        order by l.created_at, l.id), '[]')
      from public.access_log l
      where l.actor_id = me or l.subject ->> 'id' = me::text
    ),
    'saved_views', (select coalesce(jsonb_agg(to_jsonb(v) order by v.id), '[]') from public.saved_views v where v.owner_id = me),
    'favorite_views', (
      select coalesce(jsonb_agg(to_jsonb(f) - 'user_id' order by f.position, f.view_id), '[]') from public.favorite_views f where f.user_id = me
    ),
    'watching', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', w.project_id, 'task_id', w.task_id, 'reason', w.reason) order by w.created_at), '[]')
      from public.task_watchers w where w.user_id = me and w.is_watching and private.is_in_audience(w.project_id, w.audience_id, me)
    ),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' || jsonb_build_object('data', n.data - 'excerpt') order by n.created_at, n.id), '[]') from public.notifications n where n.user_id = me),
    'provisioning', (
      select to_jsonb(p) - '{user_id,provider_id,user_name_key,known_as,banned_since,banned_before}'::text[] || jsonb_build_object('provider', v.name)
      from private.scim_people p join private.scim_providers v on v.id = p.provider_id where p.user_id = me
    ),
    'provisioning_trials', (
      select coalesce(jsonb_agg(to_jsonb(t) - '{id,provider_id,user_name_key}'::text[] || jsonb_build_object('provider', v.name) order by v.name), '[]')
      from auth.users u cross join lateral private.trial_people_of(u) t join private.scim_providers v on v.id = t.provider_id where u.id = me
    ),
    'notification_settings', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.id), '[]') from public.notification_settings s where s.user_id = me),
    'notification_schedule', (select to_jsonb(s) - 'user_id' from public.notification_schedules s where s.user_id = me)
  );
end
$$;
grant execute on function private.collect_my_data() to authenticated, service_role;
comment on function private.collect_my_data() is 'All that is held about the caller, for export_my_data.';

create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_as_text((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid),
      'repeats', (
        select jsonb_build_object('rule', r.rule, 'time_zone', r.time_zone, 'mode', r.mode, 'starts_on', r.starts_on, 'next_on', r.next_on,
          'paused_at', r.paused_at)
        from public.task_recurrences r where r.project_id = (t.task ->> 'project_id')::uuid and r.task_id = (t.task ->> 'id')::uuid
      )
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'calendar_feeds', private.my_feeds(), 'access_grants', private.my_access_grants(), 'templates', private.my_templates(), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.collect_my_data() as data offset 0) as held
$$;
grant execute on function public.export_my_data() to service_role, authenticated;
comment on function public.export_my_data() is 'All that is held about the caller, as one JSON document: account, profile, sessions, projects, groups, tasks they made or work on, comments, attachments (without the bytes), activity, changes of access, saved and favorite views, what an identity provider says of them, notifications and their settings.';

-- Fresh proof -------------------------------------------------------------------------------------------------------------

create or replace function private.required_proof() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return case
    when exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified') then 'factor'
    when exists (select from auth.users u where u.id = me and u.encrypted_password <> '') then 'password'
    else 'recent'
  end;
end
$$;
grant execute on function private.required_proof() to authenticated, service_role;
comment on function private.required_proof() is 'What proves anew who the caller is: factor, password or recent.';

create or replace function private.require_fresh_proof() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  proof constant text := private.required_proof();
  claims constant jsonb := auth.jwt();
begin
  if not exists (
    select from jsonb_array_elements(case when jsonb_typeof(claims -> 'amr') = 'array' then claims -> 'amr' else '[]' end) a
    where case proof
        when 'factor' then a ->> 'method' in ('totp', 'mfa/webauthn')
        when 'password' then a ->> 'method' = 'password'
        else true
      end
      and case when jsonb_typeof(a -> 'timestamp') = 'number' then (a ->> 'timestamp')::numeric end > extract(epoch from now()) - 600
  ) then
    perform private.refuse('KB013', 'this needs a sign-in within the last ten minutes',
      'Sign in again (with a second factor: answer its challenge), then repeat the request with the new token.', 'Asked for: ' || proof);
  end if;
end
$$;
comment on function private.require_fresh_proof() is 'Refuses a session in which that proof is older than ten minutes.';

-- End of an account -------------------------------------------------------------------------------------------------------

-- The preview of private.ensure_owner, for each project: stays, passes, archived. A project without other members is deleted.
create or replace function private.preview_account_end(account uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'heir_name', heir.display_name, 'becomes', case
        when not exists (select from private.all_members o where o.project_id = p.id and o.user_id <> account) then 'deleted'
        when m.role <> 'owner' or exists (
          select from public.project_members o where o.project_id = p.id and o.user_id <> account and o.role = 'owner'
        ) then 'stays'
        when heir.user_id is not null then 'passes'
        else 'archived'
      end) order by p.name, p.id), '[]')
      from public.project_members m
      join public.projects p on p.id = m.project_id
      left join lateral (
        select o.user_id, f.display_name from public.project_members o
        left join public.profiles f on f.id = o.user_id
        where o.project_id = p.id and o.user_id <> account and o.role = 'editor' and not private.is_service_account(o.user_id)
        order by o.created_at, o.user_id limit 1
      ) heir on true
      where m.user_id = account
    ),
    'tasks', (
      select count(*) from public.tasks t
      where t.created_by = account and exists (select from public.project_members o where o.project_id = t.project_id and o.user_id <> account)
    ),
    'comments', (
      select count(*) from public.task_comments c
      where c.author_id = account and exists (select from public.project_members o where o.project_id = c.project_id and o.user_id <> account)
    ),
    'service_accounts', (
      select coalesce(jsonb_agg(f.display_name order by f.display_name, f.id), '[]')
      from public.service_accounts s join public.profiles f on f.id = s.id where s.owner_id = account
    ),
    'programs', (
      select coalesce(jsonb_agg(jsonb_build_object('name', made.name, 'project_name', p.name) order by p.name, made.name, p.id), '[]')
      from (
        select k.user_id, k.name from public.api_keys k where k.created_by = account and private.is_open_key(k)
        union all
        select c.service_account_id, c.client_name from auth.oauth_clients c where c.created_by = account
      ) made
      join public.service_accounts s on s.id = made.user_id
      join public.projects p on p.id = s.project_id
      where exists (select from public.project_members o where o.project_id = p.id and o.user_id <> account and not private.is_service_account(o.user_id))
    )
  )
$$;
comment on function private.preview_account_end(uuid) is 'What becomes of an account''s projects and work without it.';

create or replace function private.preview_my_account_end() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return private.preview_account_end(me);
end
$$;
grant execute on function private.preview_my_account_end() to authenticated, service_role;
comment on function private.preview_my_account_end() is 'What becomes of the caller''s projects and work without them, for my_account_end.';

create or replace function public.my_account_end() returns jsonb
language sql stable set search_path = '' as $$
  select private.preview_my_account_end() || jsonb_build_object('proof', private.required_proof())
$$;
grant execute on function public.my_account_end() to service_role, authenticated;
comment on function public.my_account_end() is 'What deleting one''s account would do: projects [{id, name, becomes: stays, passes, archived or deleted, heir_name}], how many tasks and comments would stay without one''s name, one''s service_accounts and the programs [{name, project_name}] of others'' projects, keys and clients one made, that would end, and the proof that delete_my_account asks for: factor, password or recent.';

-- Tasks and comments in projects of others stay there without a name; sessions go with the account, and their tokens are refused.
create or replace function private.end_account(account auth.users, ended_by jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  mine uuid[];
begin
  -- It would be charged for by nobody who can end it.
  if exists (
    select from billing.customers c join billing.subscriptions s on s.customer_id = c.id
    where c.user_id = account.id and c.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
      and not s.cancel_at_period_end
  ) then
    perform private.refuse('PT409', case when ended_by ->> 'by' = 'self' then 'a subscription of yours is running' else 'a subscription of this account is running' end,
      'End it under Billing first, then delete the account.');
  end if;
  perform private.end_service_account(s.id) from public.service_accounts s where s.owner_id = account.id;
  mine := array(select m.project_id from private.all_members m where m.user_id = account.id);
  -- Somebody may be joining one of them: that is waited for.
  perform from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id)
  order by p.id for update;
  -- For good, also those that were deleted before.
  delete from public.projects p
  where exists (select from private.all_members m where m.project_id = p.id and m.user_id = account.id)
    and not exists (select from private.all_members m where m.project_id = p.id and m.user_id <> account.id);
  perform auth.note_event('user_deleted', account, ended_by);
  delete from auth.users u where u.id = account.id;
  -- The only other one in it ended theirs at the same moment.
  delete from public.projects p
  where p.id = any (mine) and not exists (select from private.all_members m where m.project_id = p.id);
end
$$;
comment on function private.end_account(auth.users, jsonb) is 'Deletes an account: for its owner, and for an operator.';

-- A session that has used the password alone gets no further than require_user.
create or replace function private.end_my_account(email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  account auth.users;
begin
  select u.* into account from auth.users u where u.id = me for update;
  if not found or lower(trim(coalesce(end_my_account.email, ''))) is distinct from lower(coalesce(account.email, '')) then
    perform private.refuse('22023', 'this is not the address of your account',
      'Send the address you sign in with, so that nothing is deleted by mistake.');
  end if;
  perform private.require_fresh_proof();
  perform private.end_account(account, '{"by": "self"}');
end
$$;
grant execute on function private.end_my_account(text) to authenticated, service_role;
comment on function private.end_my_account(text) is 'Deletes the caller''s account, for delete_my_account.';

create or replace function public.delete_my_account(email text) returns void
language sql volatile set search_path = '' as $$
  select private.end_my_account(delete_my_account.email)
$$;
grant execute on function public.delete_my_account(text) to service_role, authenticated;
comment on function public.delete_my_account(text) is 'Deletes the caller''s account for good. Takes its address, as a safeguard, and a session in which the second factor was answered within the last ten minutes, or the password given, or, without either, that was begun then (KB013). Projects nobody else is in are deleted; those without another owner pass to their longest-standing editor, or are archived; what one made in others stays without one''s name.';
