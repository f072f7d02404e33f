-- What a project is set up with has a story, too: its fields, the views it shares, its templates. A line of kind updated without a task, with
-- what changed as it was and as it became. What is one person's alone is told nobody (decision 0822).

create function private.record_setup() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then jsonb_strip_nulls(to_jsonb(old)) end;
  becomes jsonb := case when tg_op <> 'DELETE' then jsonb_strip_nulls(to_jsonb(new)) end;
  one constant jsonb := coalesce(becomes, was);
  changed text[];
begin
  -- A view comes when it is shared, and goes when it is no more.
  if was -> 'is_shared' = 'false' then
    was := null;
  end if;
  if becomes -> 'is_shared' = 'false' then
    becomes := null;
  end if;
  changed := array(select c from unnest(tg_argv[1:]) c where was -> c is distinct from becomes -> c);
  if changed <> '{}' then
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'updated',
      jsonb_build_object(tg_argv[0], jsonb_build_object('id', one -> 'id', 'name', one -> 'name',
        'from', (select jsonb_object_agg(c, was -> c) from unnest(changed) c where was is not null),
        'to', (select jsonb_object_agg(c, becomes -> c) from unnest(changed) c where becomes is not null)))
    -- not when the project itself is going
    from public.projects p where p.id = (one ->> 'project_id')::uuid;
  end if;
  return null;
end
$$;

create trigger custom_fields_record after insert or update or delete on public.custom_fields
  for each row execute function private.record_setup('custom_field', 'name', 'options', 'unit', 'default_value');
create trigger saved_views_record after insert or update or delete on public.saved_views
  for each row execute function private.record_setup('saved_view', 'name', 'layout', 'filter', 'grouping', 'lanes', 'sort', 'shown');
create trigger templates_record after insert or update or delete on public.templates
  for each row execute function private.record_setup('template', 'name', 'description', 'holds');

-- As before (0810), with all that whoever set it has chosen.
create or replace function private.record_recurrence() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  chosen constant text[] := array['rule', 'mode', 'time_zone', 'starts_on', 'lead_days', 'column_id', 'copies'];
  was jsonb;
  becomes jsonb;
begin
  if tg_op <> 'INSERT' then
    was := (select jsonb_object_agg(c, to_jsonb(old) -> c) from unnest(chosen) c) || jsonb_build_object('paused', old.paused_at is not null);
  end if;
  if tg_op <> 'DELETE' then
    becomes := (select jsonb_object_agg(c, to_jsonb(new) -> c) from unnest(chosen) c) || jsonb_build_object('paused', new.paused_at is not null);
  end if;
  if was is distinct from becomes then
    perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id), 'updated',
      jsonb_build_object('recurrence', jsonb_build_object('from', was, 'to', becomes)));
  end if;
  return null;
end
$$;

comment on column public.task_activity.task_id is 'The task; empty once it is gone, and where the line is about a field, a shared view or a template of the project.';
