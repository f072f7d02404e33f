-- What two ask at once is one after the other where it must be, and neither waits for the other for ever.
create or replace function public.create_task_from_template(template_id uuid, project_id uuid, column_id uuid DEFAULT NULL::uuid, title text DEFAULT NULL::text, start_date date DEFAULT NULL::date, new_id uuid DEFAULT NULL::uuid, priority public.task_priority DEFAULT NULL::public.task_priority, due_date date DEFAULT NULL::date, order_rank text DEFAULT NULL::text, parent_id uuid DEFAULT NULL::uuid, assignees uuid[] DEFAULT '{}'::uuid[], labels uuid[] DEFAULT '{}'::uuid[], field_values jsonb DEFAULT '{}'::jsonb, label_ids jsonb DEFAULT '{}'::jsonb)
returns public.tasks
language plpgsql set search_path = '' as $$
declare
  to_project constant uuid := create_task_from_template.project_id;
  starts constant date := coalesce(create_task_from_template.start_date, current_date);
  template public.templates;
  made public.tasks;
  ids jsonb;
  top text;
  into_column uuid;
begin
  select t.* into template from public.templates t where t.id = create_task_from_template.template_id and t.kind = 'task';
  if not found then
    perform private.raise_not_found('template of a task');
  elsif not exists (select from public.projects p where p.id = to_project) then
    perform private.raise_not_found('project');
  end if;
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = create_task_from_template.new_id;
  if found then
    return made;
  end if;
  top := (select t ->> 'id' from jsonb_array_elements(template.body -> 'tasks') t where t ->> 'parent' is null);
  ids := private.ids_of_tasks(template.body) || private.ids_in_project(template.body, to_project, label_ids);
  ids := ids || jsonb_build_object(top, coalesce(create_task_from_template.new_id::text, ids ->> top));
  template.body := jsonb_set(template.body, '{tasks}', (
    select jsonb_agg(case when t.one ->> 'id' = top then private.task_as_said(t.one, create_task_from_template.title,
        create_task_from_template.priority, create_task_from_template.due_date - starts, assignees, labels) else t.one end
      order by t.place)
    from jsonb_array_elements(template.body -> 'tasks') with ordinality as t (one, place)
  ));
  into_column := coalesce(create_task_from_template.column_id, (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.kind = 'done', c.position, c.id limit 1
  ));
  -- Two who fill in parts at once would both hold the outline, and wait for each other to change it.
  if create_task_from_template.parent_id is not null and private.is_writer(to_project) then
    perform private.hold_outline(to_project, true);
  end if;
  -- Labels that were said are those of the project itself.
  perform private.fill_tasks(to_project, template.body, ids || (select coalesce(jsonb_object_agg(l, l), '{}') from unnest(labels) l), starts, into_column);
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select to_project, (ids ->> top)::uuid, v.key::uuid, v.value from jsonb_each(field_values) v
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  update public.tasks t
  set order_rank = coalesce(create_task_from_template.order_rank, t.order_rank), parent_id = coalesce(create_task_from_template.parent_id, t.parent_id)
  where t.project_id = to_project and t.id = (ids ->> top)::uuid
    and (create_task_from_template.order_rank is not null or create_task_from_template.parent_id is not null);
  select t.* into made from public.tasks t where t.project_id = to_project and t.id = (ids ->> top)::uuid;
  perform private.record_template(made, template);
  return made;
end
$$;

create or replace function private.check_required_fields()
returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- None of them goes while this is under way.
  perform from public.custom_fields f where f.project_id = new.project_id and f.id = any (new.required_fields) order by f.id for key share;
  if exists (
    select from unnest(new.required_fields) n (id)
    where not exists (select from public.custom_fields f where f.project_id = new.project_id and f.id = n.id)
  ) then
    raise exception using errcode = '23503', message = 'insert or update on table "workflow_columns" violates "workflow_columns_fields_of_same_project"',
      detail = 'A column needs fields of its own project.', hint = 'Name fields of this project in required_fields.';
  end if;
  return null;
end
$$;

create or replace function private.make_export(of_project uuid, as_format text)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  made private.exports;
begin
  perform pg_advisory_xact_lock(hashtextextended(me::text, 3086));
  -- Asked twice, while it is written: it is the same one.
  select e.* into made from private.exports e
  where e.user_id = me and e.project_id is not distinct from of_project and e.format = as_format and e.state in ('waiting', 'running')
  order by e.created_at desc limit 1;
  if found then
    return private.say_export(made);
  elsif (select count(*) from private.exports e where e.user_id = me and e.state in ('waiting', 'running')) >= 5 then
    raise exception using errcode = 'PT429', message = 'five exports are being written already',
      hint = 'Wait until one of them is done, or cancel one with cancel_export.';
  elsif (select count(*) from private.exports e where e.user_id = me and e.created_at > now() - interval '1 hour') >= 30 then
    raise exception using errcode = 'PT429', message = 'thirty exports were asked for within an hour',
      hint = 'Download one of those that are there, or ask again later.';
  end if;
  insert into private.exports (user_id, project_id, format) values (me, of_project, as_format) returning * into made;
  perform pg_notify('kanbase_exports', '');
  return private.say_export(made);
end
$$;

create or replace function private.make_calendar_feed(of_kind text, of_project uuid, of_view uuid, called text)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
  token constant text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  most constant integer := 50;
  made public.calendar_feeds;
begin
  perform pg_advisory_xact_lock(hashtextextended(me::text, 3087));
  if (select count(*) from public.calendar_feeds f where f.user_id = me) >= most then
    raise exception using errcode = 'PT409', message = format('you have %s calendar feeds already', most), hint = 'Delete one that no calendar asks for any more.';
  end if;
  insert into public.calendar_feeds (user_id, kind, project_id, view_id, name)
  values (me, of_kind, of_project, of_view, called)
  returning * into made;
  insert into private.calendar_feed_tokens (feed_id, token_hash) values (made.id, sha256(convert_to(token, 'UTF8')));
  return jsonb_build_object('id', made.id, 'name', made.name, 'token', token, 'path', '/ical/' || token || '.ics');
end
$$;

create or replace function private.take_point(bucket text, most integer, window_seconds integer)
returns double precision
language plpgsql security definer set search_path = '' as $$
declare
  rate double precision := most / window_seconds::double precision;
  now_at timestamptz := clock_timestamp();
  bucket_now private.limits;
begin
  insert into private.limits as l (key, points, read_at, full_at)
  values (bucket, most - 1, now_at, now_at + make_interval(secs => window_seconds))
  on conflict (key) do update set
    allowed = private.refilled(l, most, rate, now_at) >= 1,
    points = private.refilled(l, most, rate, now_at) - (private.refilled(l, most, rate, now_at) >= 1)::int,
    read_at = now_at,
    full_at = now_at + make_interval(secs => window_seconds)
  returning * into bucket_now;
  if random() < 0.01 then
    delete from private.limits where key in (
      select key from private.limits where full_at < now_at - interval '1 minute' for update skip locked
    );
  end if;
  return case when bucket_now.allowed then 0 else (1 - bucket_now.points) / rate end;
end
$$;
