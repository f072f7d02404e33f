-- What the server does by itself leaves deleted projects alone: it asks for no memberships, so it has to be told. Theirs are not
-- reminded of, nothing comes again in them, their invitations lead nowhere, links to their files neither, and no count of unread ones has theirs.

create or replace function private.recurrences_to_settle(passing_over uuid[], most integer)
returns table (id uuid, revision integer, rule text, starts_on date, after_day date)
language sql volatile security definer set search_path = '' as $$
  select r.id, r.revision, r.rule,
    case when r.mode = 'after_completion' then done.day else r.starts_on end,
    case
      when r.mode = 'after_completion' then done.day
      when r.next_on is not null then r.next_on
      -- from today on, and never the day the first task has
      else greatest(r.starts_on, (now() at time zone r.time_zone)::date - 1)
    end
  from public.task_recurrences r
  join public.projects p on p.id = r.project_id and p.archived_at is null and p.deleted_at is null
  join public.tasks t on t.project_id = r.project_id and t.id = r.task_id
  cross join lateral (select (t.completed_at at time zone r.time_zone)::date as day) done
  where r.paused_at is null and not r.is_over and r.id <> all (passing_over)
    and case r.mode when 'calendar' then r.next_at is null or r.next_at <= now() else t.completed_at is not null end
  order by r.next_at nulls first, r.id
  limit most
$$;

create or replace function private.notify_of_due_dates() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  written integer;
begin
  insert into public.notifications (user_id, kind, project_id, task_id, data, read_at, done_at)
  select due.user_id, due.kind, due.project_id, due.id,
    jsonb_build_object('due_date', due.due_date, 'task_number', due.number, 'task_title', due.title),
    case when not choice.inbox then now() end, case when not choice.inbox then now() end
  from (
    select a.user_id, t.*, case when t.due_date < today.day then 'overdue' else 'due_soon' end as kind
    from public.tasks t
    join public.task_assignees a on a.project_id = t.project_id and a.task_id = t.id
    join public.projects p on p.id = t.project_id and p.archived_at is null and p.deleted_at is null
    left join public.notification_schedules s on s.user_id = a.user_id
    cross join lateral (select (now() at time zone coalesce(s.time_zone, 'UTC'))::date as day) today
    where t.completed_at is null and t.archived_at is null and t.due_date between current_date - 9 and current_date + 3
      and t.due_date between today.day - 7 and today.day + 1
      and not exists (
        select from public.task_watchers w
        where w.project_id = t.project_id and w.task_id = t.id and w.user_id = a.user_id and not w.is_watching
      )
  ) due
  cross join lateral private.notification_choice(due.user_id, due.project_id, due.kind) choice
  where choice.inbox or choice.mail <> 'off' or choice.push
  on conflict do nothing;
  get diagnostics written = row_count;
  return written;
end
$$;

create or replace function private.take_push_deliveries(most integer)
returns table (
  notification_id uuid, subscription_id uuid, endpoint text, p256dh text, auth text, is_last boolean,
  part jsonb, unread bigint
)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  delete from private.notification_deliveries d using public.notifications n
  where d.way = 'push' and n.id = d.notification_id and (d.attempts >= 3 or n.read_at is not null and n.done_at is distinct from n.created_at);
  return query
  with claimed as (
    update private.notification_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '1 minute' * (d.attempts + 1)
    where (d.notification_id, d.way) in (
      select c.notification_id, c.way from private.notification_deliveries c
      where c.way = 'push' and c.due_at <= now()
      order by c.due_at limit most for update skip locked
    )
    returning d.notification_id, d.user_id, d.attempts
  )
  select n.id, s.id, s.endpoint, s.p256dh, s.auth, c.attempts >= 3, jsonb_strip_nulls(jsonb_build_object(
      'language', a.raw_user_meta_data -> 'language',
      'project_name', j.name, 'task_id', k.id, 'task_key', j.key || '-' || k.number, 'task_title', k.title,
      'url', coalesce('/app/inbox/' || n.project_id || '/' || k.number, '/app/inbox'), 'entries', private.mail_entries(array[n.id])
    )),
    (select count(distinct coalesce(u.task_id, u.id)) from public.notifications u
     where u.user_id = n.user_id and u.read_at is null and u.done_at is null and (u.snoozed_until is null or u.snoozed_until <= now())
       and not exists (select from public.projects h where h.id = u.project_id and h.deleted_at is not null))
  from claimed c
  join auth.users a on a.id = c.user_id
  join public.notifications n on n.id = c.notification_id
  join public.push_subscriptions s on s.user_id = c.user_id
  left join public.projects j on j.id = n.project_id
  left join public.tasks k on k.project_id = n.project_id and k.id = n.task_id;
end
$$;

create or replace function private.is_open_invitation(invitation public.project_invitations) returns boolean
language sql stable
begin atomic
  select invitation.accepted_at is null and invitation.expires_at > now() and private.is_there(invitation.project_id)
    and (invitation.invited_by is null or exists (
      select from public.project_members m
      where m.project_id = invitation.project_id and m.user_id = invitation.invited_by and m.role = 'owner'
    ));
end;

create function private.is_put_aside(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select of_bucket = 'attachments' and exists (
    select from public.projects p where p.id = private.attachment_project(file_name) and p.deleted_at is not null
  )
$$;
revoke all on function private.is_put_aside(text, text) from public;
grant execute on function private.is_put_aside(text, text) to kanbase_files;
comment on function private.is_put_aside(text, text) is 'Whether a file belongs to a deleted project: links to it open nothing until it is back.';

create or replace function private.is_removed_file(of_bucket text, file_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.removed_files r where r.bucket_id = of_bucket and r.name = file_name)
    and not exists (
      select from public.task_attachments a
      where a.project_id = private.attachment_project(file_name) and a.object_path = file_name
    )
    or private.is_put_aside(of_bucket, file_name)
$$;

-- Changes of the app: what deletes a project marks it.
create or replace function private.apply_change(verb text, table_name text, rows jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  target constant regclass := (
    select c.oid from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = table_name
  );
  keys constant text[] := array(
    select a.attname from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = target and i.indisprimary
    order by a.attnum
  );
  -- A task says which project.
  needed constant text[] := case when 'task_id' = any (keys) then array_remove(keys, 'project_id') else keys end;
  named constant text[] := array(select jsonb_object_keys(rows -> 0) order by 1);
  given constant text := format('jsonb_populate_recordset(null::%s, $1)', target);
  same_row constant text := (select string_agg(format('t.%1$I = g.%1$I', k), ' and ') from unnest(needed) k);
  answer jsonb;
  missing jsonb;
begin
  if target is null then
    raise exception using errcode = '22023', message = format('there is no table %s', quote_nullable(table_name)), hint = 'Name a table of the schema public.';
  elsif not needed <@ named and verb <> 'insert' then
    raise exception using errcode = '22023', message = format('rows of %s are named by %s', table_name, array_to_string(needed, ', ')),
      hint = 'Every row of an update or a deletion needs these columns.';
  elsif exists (select from jsonb_array_elements(rows) r where array(select jsonb_object_keys(r) order by 1) <> named) then
    raise exception using errcode = '22023', message = 'the rows of one change must name the same columns', hint = 'Make it several changes.';
  end if;

  if verb = 'insert' then
    -- What is sent twice arrives once.
    execute format(
      'with done as (insert into %1$s as t (%2$s) select %2$s from %3$s on conflict (%4$s) do nothing returning t.*)
       select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%I', n), ', ') from unnest(named) n), given, (select string_agg(format('%I', k), ', ') from unnest(keys) k)
    ) into answer using rows;
    return coalesce(answer, '[]');
  elsif verb = 'update' and named <@ needed then
    return '[]';
  elsif verb = 'update' then
    execute format(
      'with done as (update %s t set %s from %s g where %s returning t.*) select jsonb_agg(to_jsonb(d)) from done d',
      target, (select string_agg(format('%1$I = g.%1$I', n), ', ') from unnest(named) n where n <> all (needed)), given, same_row
    ) into answer using rows;
    -- Long, and known to whoever did not change it.
    if table_name = 'tasks' and 'description' <> all (named) then
      answer := (select jsonb_agg(r - 'description') from jsonb_array_elements(answer) r);
    end if;
  elsif verb = 'delete' then
    execute format(
      'with done as (' || case when data_door.sets_deleted_at(target) then 'update %s t set deleted_at = now() from %s g' else 'delete from %s t using %s g' end
        || ' where %s returning %s) select jsonb_agg(to_jsonb(d)) from done d',
      target, given, same_row, (select string_agg(format('t.%I', k), ', ') from unnest(needed) k)
    ) into answer using rows;
  else
    raise exception using errcode = '22023', message = format('a change cannot %s', quote_nullable(verb)), hint = 'It is an insert, update, delete or move.';
  end if;
  if jsonb_array_length(rows) = coalesce(jsonb_array_length(answer), 0) then
    return answer;
  end if;

  -- Policies pass over rows without a word. One that the caller sees was not theirs to write; one that is gone is what a deletion wanted.
  execute format(
    'select to_jsonb(g) from %s g where exists (select from %s t where %s)
       and not exists (select from jsonb_populate_recordset(null::%2$s, $2) t where %3$s) limit 1',
    given, target, same_row
  ) into missing using rows, coalesce(answer, '[]');
  if missing is not null then
    raise exception using errcode = '42501', message = 'this may not be changed by you', hint = 'Ask an owner of the project.';
  elsif verb = 'update' then
    raise exception using errcode = 'PT404', message = 'it is gone', hint = 'Read again what is there.';
  end if;
  return coalesce(answer, '[]');
end
$$;
