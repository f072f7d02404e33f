-- HEAD of 0300
-- What happened to a task: written by triggers in the transaction of the change, never by anyone else, never changed.
-- HEAD of 0955
-- What a project is set up with has a story, too: its fields, the views it shares, its templates. A line of kind updated without a task, with
-- what changed as it was and as it became. What is one person's alone is told nobody (decision 0822).

-- public.task_activity

select private.rows_of_a_project('public.task_activity', keeps => 'none', but => '{add, change, remove, refuse_delete}');

grant select on public.task_activity to anon, authenticated, service_role;
comment on table public.task_activity is 'What happened to tasks, oldest first by created_at. Written by the database alone, in the transaction of the change; append-only.';
comment on column public.task_activity.id is 'Sorted by time.';
comment on column public.task_activity.project_id is 'The project.';
comment on column public.task_activity.task_id is 'The task; empty once it is gone, and where the line is about a field, a shared view or a template of the project.';
comment on column public.task_activity.actor_id is 'Who did it; empty for the service itself, and once their account is gone.';
comment on column public.task_activity.kind is 'What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted; moved_in: it came from another project and brought its history along, moved_out: it left for another one.';
comment on column public.task_activity.change is 'What changed, as {"column": {"from": …, "to": …}}.';
comment on column public.task_activity.created_at is 'When; kept by the database.';

-- Writes a line, unless task or project are going away in this very transaction, or the task is on its way to another project: that is
-- one line in each of the two.
create or replace function private.record_activity(in_project uuid, of_task uuid, kind text, change jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if current_setting('kanbase.carrying', true) = 'on' then
    return;
  end if;
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, (select p.id from public.profiles p where p.id = auth.uid()), kind, change
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = in_project and t.id = of_task;
end
$$;

create or replace function private.record_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    -- the task is gone: the line stands in the project's story, and says which task it was
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'deleted',
      jsonb_build_object('id', old.id, 'title', old.title, 'number', old.number)
    from public.projects p
    where p.id = old.project_id;
    return null;
  end if;

  if old.column_id <> new.column_id and current_setting('kanbase.carrying', true) is distinct from 'on' then
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select new.project_id, new.id, (select p.id from public.profiles p where p.id = auth.uid()), 'moved',
      jsonb_build_object('column_id', jsonb_build_object(
        'from', old.column_id, 'to', new.column_id,
        'from_name', (select c.name from public.workflow_columns c where c.id = old.column_id),
        'to_name', (select c.name from public.workflow_columns c where c.id = new.column_id)
      ));
  end if;
  if (old.archived_at is null) <> (new.archived_at is null) then
    perform private.record_activity(new.project_id, new.id,
      case when new.archived_at is null then 'restored' else 'archived' end,
      jsonb_build_object('archived_at', jsonb_build_object('from', old.archived_at, 'to', new.archived_at)));
  end if;
  if old.title <> new.title then
    change := change || jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title));
  end if;
  if old.description <> new.description then
    change := change || jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description));
  end if;
  if old.priority <> new.priority then
    change := change || jsonb_build_object('priority', jsonb_build_object('from', old.priority, 'to', new.priority));
  end if;
  if old.start_date is distinct from new.start_date then
    change := change || jsonb_build_object('start_date', jsonb_build_object('from', old.start_date, 'to', new.start_date));
  end if;
  if old.due_date is distinct from new.due_date then
    change := change || jsonb_build_object('due_date', jsonb_build_object('from', old.due_date, 'to', new.due_date));
  end if;
  if old.estimate is distinct from new.estimate then
    change := change || jsonb_build_object('estimate', jsonb_build_object('from', old.estimate, 'to', new.estimate));
  end if;
  if change <> '{}' then
    perform private.record_activity(new.project_id, new.id, 'updated', change);
  end if;
  return null;
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

-- Recorded at the successor: it is the one that waits.
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

-- A comment's body stays in the comment; activity records that there is one, and what an edit changed.
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
