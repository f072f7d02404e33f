-- What leaves the app keeps its pictures: mails get those that the quoted text shows, and one's own data names every file that one's texts
-- point to. Which of them somebody really gets, the policies of the bucket say again when the bytes are read.

-- Attachments that a text names, in the order it does, each once.
create function private.attachments_in(words text) returns table (id uuid, place bigint)
language sql immutable
begin atomic
  select lower(found.part[1])::uuid, min(found.place)
  from regexp_matches(words, 'attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'gi') with ordinality as found (part, place)
  group by 1;
end;

-- The pictures of the comments and descriptions that notifications tell of; `entry` counts as private.mail_entries lists them, from 0.
create function private.mail_pictures(ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('entry', told.entry, 'id', f.id, 'name', f.name, 'path', f.object_path)
      order by told.entry, named.place), '[]')
    from (
      select n.project_id, row_number() over (order by n.created_at) - 1 as entry,
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

-- As before, with the pictures of each entry beside the entries.
create or replace function private.compose_notification_mails() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  letter record;
  composed integer := 0;
begin
  if not pg_try_advisory_xact_lock(7003110575) then
    return 0;
  end if;
  for letter in
    with due as (
      select distinct d.way, d.user_id, case d.way when 'mail' then d.task_id end as task_id
      from private.notification_deliveries d
      where d.way in ('mail', 'daily') and d.due_at <= now()
    ), taken as (
      delete from private.notification_deliveries d using due
      where d.way = due.way and d.user_id = due.user_id
        and case d.way when 'mail' then d.task_id is not distinct from due.task_id else d.due_at <= now() end
      returning d.way, d.user_id, d.notification_id
    ), parts as (
      select t.way, t.user_id, n.project_id, n.task_id, array_agg(n.id) as ids, min(n.created_at) as began
      from taken t
      join public.notifications n on n.id = t.notification_id
      where (n.read_at is null or n.done_at = n.created_at) and (n.snoozed_until is null or n.snoozed_until <= now())
      group by t.way, t.user_id, n.project_id, n.task_id
    ), told as (
      select p.way, p.user_id, p.project_id, p.task_id, p.began, jsonb_strip_nulls(jsonb_build_object(
        'project_id', j.id, 'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
        'url', '/app/projects/' || j.id || '/board' || coalesce('/' || k.number, ''), 'entries', private.mail_entries(p.ids),
        'pictures', private.mail_pictures(p.ids)
      )) as part
      from parts p
      left join public.projects j on j.id = p.project_id
      left join public.tasks k on k.project_id = p.project_id and k.id = p.task_id
    )
    select u.id, u.email, t.way, jsonb_agg(t.part order by t.began) as parts
    from told t join auth.users u on u.id = t.user_id
    where u.email is not null and u.email_confirmed_at is not null and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
    group by u.id, u.email, t.way, case t.way when 'mail' then t.project_id end, case t.way when 'mail' then t.task_id end
  loop
    perform private.queue_mail(
      case letter.way when 'mail' then 'notification' else 'daily_summary' end, letter.email,
      jsonb_build_object('user_id', letter.id, 'parts', letter.parts)
    );
    composed := composed + 1;
  end loop;
  return composed;
end
$$;

-- As before, with every attachment that one's own texts name, and where its bytes are.
create or replace function private.write_my_data() returns jsonb
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
      from auth.sessions s where s.user_id = me
    ),
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'key', p.key, 'name', p.name, 'description', p.description, 'role', m.role,
        'member_since', m.created_at, 'archived_at', p.archived_at) order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = me
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
      where t.created_by = me or a.user_id is not null
    ),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'project_id', c.project_id, 'task_id', c.task_id, 'body', c.body,
        'created_at', c.created_at, 'edited_at', c.edited_at) order by c.created_at, c.id), '[]')
      from public.task_comments c
      join public.project_members m on m.project_id = c.project_id and m.user_id = me
      where c.author_id = me
    ),
    'attachments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'project_id', f.project_id, 'task_id', f.task_id, 'task_key', p.key || '-' || t.number,
        'name', f.name, 'content_type', f.content_type, 'size_bytes', f.size_bytes, 'object_path', f.object_path, 'created_at', f.created_at,
        'uploaded_by_me', f.uploaded_by is not distinct from me) order by f.created_at, f.id), '[]')
      from public.task_attachments f
      join public.project_members m on m.project_id = f.project_id and m.user_id = me
      join public.projects p on p.id = f.project_id
      join public.tasks t on t.project_id = f.project_id and t.id = f.task_id
      where f.uploaded_by = me or f.id in (
        -- What the texts above show is theirs to be whole, whoever attached it.
        select named.id from public.tasks mine cross join lateral private.attachments_in(mine.description) named
        where mine.created_by = me or exists (
          select from public.task_assignees a where a.project_id = mine.project_id and a.task_id = mine.id and a.user_id = me
        )
        union all
        select named.id from public.task_comments said cross join lateral private.attachments_in(said.body) named where said.author_id = me
      )
    ),
    'activity', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', h.project_id, 'task_id', h.task_id, 'kind', h.kind, 'change', h.change,
        'created_at', h.created_at) order by h.created_at, h.id), '[]')
      from public.task_activity h
      join public.project_members m on m.project_id = h.project_id and m.user_id = me
      where h.actor_id = me
    ),
    'saved_views', (select coalesce(jsonb_agg(to_jsonb(v) order by v.id), '[]') from public.saved_views v where v.owner_id = me),
    'watching', (
      select coalesce(jsonb_agg(jsonb_build_object('project_id', w.project_id, 'task_id', w.task_id, 'reason', w.reason) order by w.created_at), '[]')
      from public.task_watchers w where w.user_id = me and w.is_watching
    ),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' || jsonb_build_object('data', n.data - 'excerpt') order by n.created_at, n.id), '[]') from public.notifications n where n.user_id = me),
    'notification_settings', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.id), '[]') from public.notification_settings s where s.user_id = me),
    'notification_schedule', (select to_jsonb(s) - 'user_id' from public.notification_schedules s where s.user_id = me)
  );
end
$$;

comment on function private.attachments_in(text) is 'Ids of the attachments that a text in Markdown names.';
comment on function private.mail_pictures(uuid[]) is 'Pictures of the comments and descriptions that notifications tell of.';
