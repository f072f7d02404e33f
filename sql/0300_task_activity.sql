-- What happened to a task: written by triggers in the transaction of the change, never by anyone else, never changed.

create table public.task_activity (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid,
  actor_id uuid references public.profiles (id) on delete set null,
  kind text not null,
  change jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  -- activity outlives the task
  constraint task_activity_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id),
  constraint task_activity_kind_known check (kind in (
    'created', 'updated', 'moved', 'archived', 'restored', 'deleted', 'assigned', 'unassigned', 'labeled', 'unlabeled',
    'checklist_item_added', 'checklist_item_changed', 'checklist_item_removed', 'attached', 'attachment_renamed', 'detached',
    'dependency_added', 'dependency_changed', 'dependency_removed', 'commented', 'comment_edited', 'comment_deleted'
  ))
);
create index task_activity_task_idx on public.task_activity (project_id, task_id, created_at);
create index task_activity_project_idx on public.task_activity (project_id, created_at);
create index task_activity_actor_id_idx on public.task_activity (actor_id);

alter table public.task_activity replica identity full;

alter table public.task_activity enable row level security;

create policy read on public.task_activity for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.task_activity to service_role using (true) with check (true);

grant select on public.task_activity to anon, authenticated;
-- no insert, update or delete grant: history is append-only and the database's own
revoke all on public.task_activity from service_role;
grant select on public.task_activity to service_role;

-- Writes a line, unless task or project are going away in this very transaction.
create function private.record_activity(in_project uuid, of_task uuid, kind text, change jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.task_activity (project_id, task_id, actor_id, kind, change)
  select t.project_id, t.id, (select p.id from public.profiles p where p.id = auth.uid()), kind, change
  from public.tasks t
  join public.projects p on p.id = t.project_id
  where t.project_id = in_project and t.id = of_task;
end
$$;

create function private.record_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change jsonb := '{}';
begin
  if tg_op = 'INSERT' then
    perform private.record_activity(new.project_id, new.id, 'created',
      jsonb_build_object('title', new.title, 'number', new.number, 'column_id', new.column_id));
    return null;
  elsif tg_op = 'DELETE' then
    -- the task is gone: the line stands in the project's story, and says which task it was
    insert into public.task_activity (project_id, task_id, actor_id, kind, change)
    select p.id, null, (select a.id from public.profiles a where a.id = auth.uid()), 'deleted',
      jsonb_build_object('id', old.id, 'title', old.title, 'number', old.number)
    from public.projects p
    where p.id = old.project_id;
    return null;
  end if;

  if old.column_id <> new.column_id then
    perform private.record_activity(new.project_id, new.id, 'moved', jsonb_build_object('column_id', jsonb_build_object(
      'from', old.column_id, 'to', new.column_id,
      'from_name', (select c.name from public.workflow_columns c where c.id = old.column_id),
      'to_name', (select c.name from public.workflow_columns c where c.id = new.column_id)
    )));
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

-- A new place within the same column is not history; timestamps follow from the rest.
create trigger tasks_record after insert or delete on public.tasks for each row execute function private.record_task();
create trigger tasks_record_change after update on public.tasks for each row
  when (old.column_id <> new.column_id or (old.archived_at is null) <> (new.archived_at is null) or old.title <> new.title
    or old.description <> new.description or old.priority <> new.priority or old.start_date is distinct from new.start_date
    or old.due_date is distinct from new.due_date or old.estimate is distinct from new.estimate)
  execute function private.record_task();

create function private.record_assignee() returns trigger
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
create trigger task_assignees_record after insert or delete on public.task_assignees
  for each row execute function private.record_assignee();

create function private.record_label_link() returns trigger
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
create trigger task_label_links_record after insert or delete on public.task_label_links
  for each row execute function private.record_label_link();

create function private.record_checklist_item() returns trigger
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
create trigger task_checklist_items_record after insert or delete on public.task_checklist_items
  for each row execute function private.record_checklist_item();
create trigger task_checklist_items_record_change after update on public.task_checklist_items for each row
  when (old.title <> new.title or old.is_done <> new.is_done) execute function private.record_checklist_item();

create function private.record_attachment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id),
    case tg_op when 'INSERT' then 'attached' when 'UPDATE' then 'attachment_renamed' else 'detached' end,
    jsonb_build_object('attachment_id', coalesce(new.id, old.id), 'name', jsonb_build_object('from', old.name, 'to', new.name)));
  return null;
end
$$;
create trigger task_attachments_record after insert or delete on public.task_attachments
  for each row execute function private.record_attachment();
create trigger task_attachments_record_change after update on public.task_attachments for each row
  when (old.name <> new.name) execute function private.record_attachment();

-- Recorded at the successor: it is the one that waits.
create function private.record_dependency() returns trigger
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
create trigger task_dependencies_record after insert or delete on public.task_dependencies
  for each row execute function private.record_dependency();
create trigger task_dependencies_record_change after update on public.task_dependencies for each row
  when (old.lag_days <> new.lag_days) execute function private.record_dependency();

-- A comment's body stays in the comment; activity records that there is one, and what an edit changed.
create function private.record_comment() returns trigger
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
create trigger task_comments_record after insert or delete on public.task_comments
  for each row execute function private.record_comment();
create trigger task_comments_record_change after update on public.task_comments for each row
  when (old.body <> new.body) execute function private.record_comment();

comment on table public.task_activity is 'What happened to tasks, oldest first by created_at. Written by the database alone, in the transaction of the change; append-only.';
comment on column public.task_activity.id is 'Sorted by time.';
comment on column public.task_activity.project_id is 'The project.';
comment on column public.task_activity.task_id is 'The task; empty once it is deleted.';
comment on column public.task_activity.actor_id is 'Who did it; empty for the service itself, and once their account is gone.';
comment on column public.task_activity.kind is 'What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted.';
comment on column public.task_activity.change is 'What changed, as {"column": {"from": …, "to": …}}.';
comment on column public.task_activity.created_at is 'When; kept by the database.';
