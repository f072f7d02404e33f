-- Activity: one line for each change of a task, and, without a task, for changes of the project's setup (fields, shared views, templates); setup
-- of one person alone is not recorded (docs/why/schema.md#history-of-the-setup). Triggers write the lines in the transaction of the change; nobody changes them. A task's
-- own columns are recorded in tasks.sql (record_task), its parent in subtasks.sql, its cover in files/attachments.sql.

select private.project_rows('public.task_activity', clients => '', keeps => 'none', but => '{add, change, remove, refuse_delete}');
grant select on public.task_activity to anon, authenticated, service_role;
comment on table public.task_activity is 'What happened to tasks, oldest first by created_at. Written by the database alone, in the transaction of the change; append-only.';
comment on column public.task_activity.id is 'Sorted by time.';
comment on column public.task_activity.task_id is 'The task; empty once it is gone, and where the line is about a field, a shared view or a template of the project.';
comment on column public.task_activity.actor_id is 'Who did it; empty for the service itself, and once their account is gone.';
comment on column public.task_activity.program is 'The key or app that they did it through, as {"kind", "sub", "name"}; kept by the database.';
comment on column public.task_activity.kind is 'What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted, claimed, claim_released, claim_expired; moved_in: it came from another project and brought its history along, moved_out: it left for another one.';
comment on column public.task_activity.change is 'What changed, as {"column": {"from": …, "to": …}}.';
comment on column public.task_activity.created_at is 'When; kept by the database.';

-- Writes nothing while the task or its project is being deleted, nor while tasks move to another project, which is one line in each of the two.
create or replace function private.record_activity(in_project uuid, of_task uuid, kind text, change jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if current_setting('kanbase.moving_between_projects', true) = 'on' then
    return;
  end if;
  insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
  select t.project_id, t.id, t.audience_id, (select p.id from public.profiles p where p.id = auth.uid()), kind, change
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = in_project and t.id = of_task;
end
$$;

create or replace function private.record_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'assigned',
      jsonb_build_object('user_id', jsonb_build_object('from', null, 'to', new.user_id)));
  else
    perform private.record_activity(old.project_id, old.task_id, 'unassigned',
      jsonb_build_object('user_id', jsonb_build_object('from', old.user_id, 'to', null)));
  end if;
  return null;
end
$$;

create or replace function private.record_label_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'labeled', jsonb_build_object('label_id',
      jsonb_build_object('from', null, 'to', new.label_id, 'name', (select l.name from public.task_labels l where l.id = new.label_id))));
  else
    perform private.record_activity(old.project_id, old.task_id, 'unlabeled', jsonb_build_object('label_id',
      jsonb_build_object('from', old.label_id, 'to', null, 'name', (select l.name from public.task_labels l where l.id = old.label_id))));
  end if;
  return null;
end
$$;

create or replace function private.record_checklist_item() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change jsonb := '{}';
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.task_id, 'checklist_item_added',
      jsonb_build_object('item_id', new.id, 'title', jsonb_build_object('from', null, 'to', new.title)));
  elsif tg_op = 'DELETE' then
    perform private.record_activity(old.project_id, old.task_id, 'checklist_item_removed',
      jsonb_build_object('item_id', old.id, 'title', jsonb_build_object('from', old.title, 'to', null)));
  else
    change := jsonb_build_object('item_id', new.id);
    if old.title <> new.title then
      change := change || jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title));
    end if;
    if old.is_done <> new.is_done then
      change := change || jsonb_build_object('is_done', jsonb_build_object('from', old.is_done, 'to', new.is_done));
    end if;
    perform private.record_activity(new.project_id, new.task_id, 'checklist_item_changed', change);
  end if;
  return null;
end
$$;

create or replace function private.record_attachment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id),
    case tg_op when 'INSERT' then 'attached' when 'UPDATE' then 'attachment_renamed' else 'detached' end,
    jsonb_build_object('attachment_id', coalesce(new.id, old.id), 'name', jsonb_build_object('from', old.name, 'to', new.name)));
  return null;
end
$$;

-- Recorded at the successor, the task that waits.
create or replace function private.record_dependency() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.successor_id, 'dependency_added',
      jsonb_build_object('predecessor_id', jsonb_build_object('from', null, 'to', new.predecessor_id)));
  elsif tg_op = 'DELETE' then
    perform private.record_activity(old.project_id, old.successor_id, 'dependency_removed',
      jsonb_build_object('predecessor_id', jsonb_build_object('from', old.predecessor_id, 'to', null)));
  else
    perform private.record_activity(new.project_id, new.successor_id, 'dependency_changed',
      jsonb_build_object('predecessor_id', new.predecessor_id, 'lag_days', jsonb_build_object('from', old.lag_days, 'to', new.lag_days)));
  end if;
  return null;
end
$$;

-- The body stays in the comment; an edit is recorded with both texts.
create or replace function private.record_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id),
    case tg_op when 'INSERT' then 'commented' when 'UPDATE' then 'comment_edited' else 'comment_deleted' end,
    jsonb_build_object('comment_id', coalesce(new.id, old.id)) || case tg_op
      when 'UPDATE' then jsonb_build_object('body', jsonb_build_object('from', old.body, 'to', new.body))
      else '{}'::jsonb
    end);
  return null;
end
$$;

-- Arguments of the trigger: the kind of thing, then the columns to compare.
create or replace function private.record_setup() returns trigger
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
