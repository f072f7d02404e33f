-- Tasks: numbered per project, placed in columns, completed by the kind of column they are in.
--
-- Triggers of public.tasks in the order in which they fire, with the file of sql/rules that holds the function. Row triggers fire before
-- statement triggers, and within a kind Postgres goes by the name. A card that moves fires those marked *: their functions stand here, in
-- moving.sql and in ranks.sql (guide: docs/build/moving-a-task.md).
--
-- before, each row
--   tasks_10_claim_author          insert          access/table-declarations.sql  created_by is the caller
-- * tasks_20_keep                  insert, update  tasks/tasks.sql                sets aside timestamps, versions, numbers and audiences that a client sent
--   tasks_30_refuse_change         update          access/table-declarations.sql  id, project_id, number and created_by stay
--   tasks_40_refuse_delete         delete          access/table-declarations.sql  403 to a member who may not delete
--   tasks_45_move_subtask          update          tasks/subtasks.sql             a new parent: last among its subtasks, unless placed
--   tasks_45_place_subtask         insert          tasks/subtasks.sql             the same for a new task with a parent
--   tasks_47_place_in_audience     update          tasks/restricted.sql           a task that is restricted, or comes under one that is
--   tasks_50_cover                 update          files/attachments.sql          a new cover is an attachment of the task
--   tasks_50_cover_new             insert          files/attachments.sql          the same for a new task
-- * tasks_50_place_moved           update          tasks/moving.sql               required fields, predecessors, completion, a free rank
--   tasks_50_place_new             insert          tasks/moving.sql               fills in project, column, number, rank and completion
--   tasks_60_count_deleted         delete          figures/figures.sql            figures, while assignees and dependencies are still there
-- after, each row; keys from and to tasks are checked and cascade before these
--   tasks_65_check_outline         insert          tasks/subtasks.sql             a subtask: no circle, not too deep
--   tasks_65_check_outline_change  update          tasks/subtasks.sql             the same for a new parent
-- * tasks_66_wait_for_subtasks     update          tasks/moving.sql               done only after its subtasks, where the project says so
--   tasks_67_spread_audience       update          tasks/restricted.sql           rows of the task and of what is under it; a line where it is restricted or opened
--   tasks_67_spread_new_audience   insert          tasks/restricted.sql           the same for a new task: people named before it was made
--   tasks_68_note_outside          insert, update  agents/outside-words.sql       words of guests and of imported files
-- * tasks_69_note_session          any             agents/changes.sql             what agents do in sessions, row by row; fires for programs alone
-- * tasks_70_record_change         update          tasks/tasks.sql                a line in task_activity
--   tasks_70_record_cover          update          files/attachments.sql          a line for a new cover
--   tasks_70_record_gone           delete          tasks/tasks.sql                a line in the activity of the project
--   tasks_70_record_parent         update          tasks/subtasks.sql             lines for a new parent: of the task and of both parents
--   tasks_70_record_subtask        insert          tasks/subtasks.sql             a line of the parent
--   tasks_70_record_subtask_gone   delete          tasks/subtasks.sql             the same
-- * tasks_72_note_place            update          tasks/tasks.sql                tells tasks_90_follow_changed that there is something to follow
--   tasks_75_notify                insert          notifications/notify.sql       notifies people mentioned in the description
--   tasks_75_notify_change         update          notifications/notify.sql       notifies people newly mentioned
--   tasks_80_index_change          update          search/search.sql              search index, for a new title, description or number
-- * tasks_85_spread_ranks          insert, update  tasks/ranks.sql                shortens ranks that have grown long
--   tasks_87_archive_subtasks      update          tasks/subtasks.sql             subtasks are archived and restored with their parent
--   tasks_88_move_fields           update          fields/values.sql              field values, in another project
-- * tasks_94_wake_recurrences      update          recurrence/recurrences.sql     wakes the server for a recurring task that is done
-- after the statement, all its rows at once
-- * tasks_90_follow_changed        update          tasks/tasks.sql                figures, open predecessors, notifications
--   tasks_90_follow_new            insert          tasks/tasks.sql                activity, search index, figures, creator as watcher, defaults
--   tasks_95_remove_files          delete          files/attachments.sql          files in the bucket of attachments

select private.project_rows('public.tasks',
  writes => '{id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate, started_at, completed_at, archived_at, created_by, cover_attachment_id, parent_id, subtask_position, is_restricted}',
  keeps => 'none', but => '{refuse_delete}', guests => 'write');
comment on table public.tasks is 'Tasks. Moved by move_task, or by changing column_id and order_rank.';
comment on column public.tasks.id is 'Made by the server, sorted by time, unless the client sends its own.';
comment on column public.tasks.project_id is 'The project; filled from the column when left out. Cannot be changed.';
comment on column public.tasks.column_id is 'The column; left out on insert: the leftmost.';
comment on column public.tasks.number is '1, 2, 3 … in each project; with the project''s key it reads WEB-12. Given by the database.';
comment on column public.tasks.title is 'Up to 500 characters.';
comment on column public.tasks.description is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.tasks.priority is 'p0, p1 or p2.';
comment on column public.tasks.order_rank is 'Place within the column: text compared byte by byte. Left out: at the end. A rank that is taken becomes the next free one after it; a task that the caller doesn''t see gives way instead.';
comment on column public.tasks.start_date is 'Not after due_date.';
comment on column public.tasks.due_date is 'When it should be done.';
comment on column public.tasks.estimate is 'In whatever unit the team counts.';
comment on column public.tasks.started_at is 'When the task first reached a column of kind in_progress; kept by the database.';
comment on column public.tasks.completed_at is 'When the task reached a done column; empty while it is open. Kept by the database.';
comment on column public.tasks.archived_at is 'Set when the task was put away; the moment is the database''s. Archived tasks count nowhere.';
comment on column public.tasks.created_by is 'Who made it; empty once their account is gone.';
comment on column public.tasks.cover_attachment_id is 'The attachment of this task that is shown as a picture on its card.';
comment on column public.tasks.parent_id is 'The task it is a part of, of the same project; empty for most. No circle (KB008), no more than eight levels (KB009). Deleting or archiving a task takes what is under it along.';
comment on column public.tasks.is_restricted is 'Whether it and what is under it is seen only by people named in task_grants, who works on it, and owners. Only for a task without a parent (KB021); whoever is no owner names themselves first.';
comment on column public.tasks.subtask_position is 'Place among the subtasks of its parent, top to bottom; fractions are welcome. Left out: at the end. Empty without a parent.';

-- "of" names the columns that a statement sets when the condition can hold: a trigger passed over by them costs nothing, a condition some microseconds.
create or replace trigger tasks_10_claim_author before insert on public.tasks for each row
  when (new.created_by is distinct from auth.uid()) execute function private.claim_author('created_by');
create or replace trigger tasks_20_keep before insert or update on public.tasks for each row execute function private.keep_task();
create or replace trigger tasks_30_refuse_change before update of id, project_id, number, created_by on public.tasks for each row
  when (old.id is distinct from new.id or old.project_id is distinct from new.project_id or old.number is distinct from new.number
    or old.created_by is distinct from new.created_by)
  execute function private.refuse_change('id', 'project_id', 'number', 'created_by');
create or replace trigger tasks_40_refuse_delete before delete on public.tasks for each row
  when (row_security_active('public.tasks') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');
create or replace trigger tasks_45_move_subtask before update of parent_id, subtask_position on public.tasks for each row
  when (old.parent_id is distinct from new.parent_id or (new.parent_id is null) <> (new.subtask_position is null))
  execute function private.place_subtask();
create or replace trigger tasks_45_place_subtask before insert on public.tasks for each row
  when (new.parent_id is not null or new.subtask_position is not null) execute function private.place_subtask();
create or replace trigger tasks_47_place_in_audience before update of parent_id, is_restricted on public.tasks for each row
  when (old.parent_id is distinct from new.parent_id or old.is_restricted <> new.is_restricted) execute function private.place_in_audience();
create or replace trigger tasks_50_cover before update of cover_attachment_id on public.tasks for each row
  when (new.cover_attachment_id is not null and old.cover_attachment_id is distinct from new.cover_attachment_id)
  execute function private.require_cover();
create or replace trigger tasks_50_cover_new before insert on public.tasks for each row
  when (new.cover_attachment_id is not null) execute function private.require_cover();
create or replace trigger tasks_50_place_moved before update of column_id, order_rank on public.tasks for each row
  when (old.column_id <> new.column_id or old.order_rank <> new.order_rank) execute function private.place_moved_task();
create or replace trigger tasks_50_place_new before insert on public.tasks for each row execute function private.place_new_task();
-- Last of the before triggers: the right to delete has been checked.
create or replace trigger tasks_60_count_deleted before delete on public.tasks for each row
  when (old.archived_at is null) execute function private.count_deleted_task();
create or replace trigger tasks_65_check_outline after insert on public.tasks for each row
  when (new.parent_id is not null) execute function private.check_outline();
create or replace trigger tasks_65_check_outline_change after update of parent_id on public.tasks for each row
  when (new.parent_id is not null and old.parent_id is distinct from new.parent_id) execute function private.check_outline();
create or replace trigger tasks_66_wait_for_subtasks after update of column_id, completed_at on public.tasks for each row
  when (old.completed_at is null and new.completed_at is not null and old.column_id <> new.column_id)
  execute function private.wait_for_subtasks();
create or replace trigger tasks_70_record_change after update on public.tasks for each row
  when (old.column_id <> new.column_id or (old.archived_at is null) <> (new.archived_at is null) or old.title <> new.title
    or old.description <> new.description or old.priority <> new.priority or old.start_date is distinct from new.start_date
    or old.due_date is distinct from new.due_date or old.estimate is distinct from new.estimate)
  execute function private.record_task();
create or replace trigger tasks_70_record_cover after update of cover_attachment_id on public.tasks for each row
  when (old.cover_attachment_id is distinct from new.cover_attachment_id) execute function private.record_cover();
create or replace trigger tasks_70_record_gone after delete on public.tasks for each row execute function private.record_task();
create or replace trigger tasks_70_record_parent after update of parent_id on public.tasks for each row
  when (old.parent_id is distinct from new.parent_id) execute function private.record_parent();
create or replace trigger tasks_67_spread_audience after update of audience_id, parent_id, is_restricted on public.tasks for each row
  when (old.audience_id is distinct from new.audience_id) execute function private.spread_audience();
create or replace trigger tasks_67_spread_new_audience after insert on public.tasks for each row
  when (new.is_restricted) execute function private.spread_audience();
create or replace trigger tasks_70_record_subtask after insert on public.tasks for each row
  when (new.parent_id is not null) execute function private.record_parent();
create or replace trigger tasks_70_record_subtask_gone after delete on public.tasks for each row
  when (old.parent_id is not null) execute function private.record_parent();
create or replace trigger tasks_72_note_place after update of
    project_id, column_id, priority, created_at, started_at, completed_at, archived_at, audience_id, parent_id, is_restricted
  on public.tasks for each row
  when (row(old.project_id, old.column_id, old.priority, old.created_at, old.started_at, old.completed_at, old.archived_at, old.audience_id)
    is distinct from row(new.project_id, new.column_id, new.priority, new.created_at, new.started_at, new.completed_at, new.archived_at, new.audience_id))
  execute function private.note_place();
create or replace trigger tasks_75_notify after insert on public.tasks for each row
  when (strpos(new.description, '@') > 0) execute function private.notify_of_description();
create or replace trigger tasks_75_notify_change after update of description on public.tasks for each row
  when (old.description <> new.description and strpos(new.description, '@') > 0) execute function private.notify_of_description();
create or replace trigger tasks_80_index_change after update on public.tasks for each row
  when (old.title <> new.title or old.description <> new.description or old.number <> new.number) execute function private.index_changed_task();
create or replace trigger tasks_85_spread_ranks after insert or update of column_id, order_rank on public.tasks for each row
  when (length(new.order_rank) > 24) execute function private.spread_ranks();
create or replace trigger tasks_87_archive_subtasks after update of archived_at on public.tasks for each row
  when ((old.archived_at is null) <> (new.archived_at is null)) execute function private.archive_subtasks_with_parent();
create or replace trigger tasks_88_move_fields after update of project_id on public.tasks for each row
  when (old.project_id <> new.project_id) execute function private.move_field_values();
create or replace trigger tasks_94_wake_recurrences after update of column_id, completed_at on public.tasks for each row
  when (old.completed_at is null and new.completed_at is not null) execute function private.wake_recurrences();
create or replace trigger tasks_90_follow_changed after update on public.tasks
  referencing old table as was new table as becomes for each statement execute function private.follow_changed_tasks();
create or replace trigger tasks_90_follow_new after insert on public.tasks referencing new table as arrived for each statement
  execute function private.follow_new_tasks();
create or replace trigger tasks_95_remove_files after delete on public.tasks referencing old table as gone for each statement
  execute function private.remove_files_of_tasks();

-- Columns that only the database sets. Imported tasks keep their own dates: the server sets kanbase.importing for its own statements.
create or replace function private.keep_task() returns trigger
language plpgsql set search_path = '' as $$
declare
  held boolean;
  client boolean;
begin
  -- A task that gives way shares the version of the one it makes room for: a gap would tell of it.
  new.version := case
    when pg_trigger_depth() > 1 and current_setting('kanbase.spreading', true) = 'on' then currval('private.row_versions')
    else nextval('private.row_versions')
  end;
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    -- Most updates leave these columns alone, and need not ask who is writing.
    if row(new.audience_id, new.created_at, new.started_at, new.completed_at, new.archived_at)
      is not distinct from row(old.audience_id, old.created_at, old.started_at, old.completed_at, old.archived_at) then
      return new;
    end if;
  end if;
  held := row_security_active(tg_relid) or current_user = 'service_role';
  client := held and current_user <> 'service_role' and current_setting('kanbase.importing', true) is distinct from 'on';
  if tg_op = 'INSERT' then
    -- under another task: place_subtask
    new.audience_id := case when new.is_restricted and new.parent_id is null then private.own_audience(new.project_id, new.id) end;
    if client then
      new.number := null;
      new.started_at := null;
      new.completed_at := null;
      new.archived_at := case when new.archived_at is not null then now() end;
      new.created_at := now();
      new.updated_at := now();
    end if;
    return new;
  end if;
  if held then
    new.audience_id := old.audience_id;
  end if;
  if client then
    new.created_at := old.created_at;
    new.started_at := old.started_at;
    new.completed_at := old.completed_at;
    if old.archived_at is null and new.archived_at is not null then
      new.archived_at := now();
    end if;
  end if;
  return new;
end
$$;

-- New tasks ---------------------------------------------------------------------------------------------------------------

-- Activity, search index, figures, the creator as watcher and default values of fields, for all new tasks of a statement at once.
create or replace function private.follow_new_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from arrived) then
    return null;
  end if;
  insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
  select t.project_id, t.id, t.audience_id, (select p.id from public.profiles p where p.id = auth.uid()), 'created',
    jsonb_build_object('title', t.title, 'number', t.number, 'column_id', t.column_id)
  from arrived t;
  insert into private.task_search (task_id, project_id, audience_id, document)
  select t.id, t.project_id, t.audience_id, private.search_document(t.project_id, t.number, t.title, t.description, null) from arrived t;
  insert into private.project_figures as f (project_id, figure, key, shard, amount)
  select t.project_id, c.figure, c.key, pg_backend_pid() % 8, count(*)
  from arrived t
  cross join lateral (values
    ('tasks', t.column_id || '/' || t.priority),
    ('created', date_trunc('week', t.created_at at time zone 'utc')::date::text),
    (case when t.completed_at is not null then 'completed' else 'unassigned' end,
      coalesce(date_trunc('week', t.completed_at at time zone 'utc')::date::text, '')),
    ('cycle', private.span_of(t.started_at, t.completed_at)),
    ('lead', private.span_of(t.created_at, t.completed_at))
  ) as c (figure, key)
  where t.archived_at is null and t.audience_id is null and c.key is not null
  group by t.project_id, c.figure, c.key
  order by t.project_id, c.figure, c.key
  on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  insert into private.column_flow as f (project_id, day, column_id, shard, delta)
  select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, count(*)
  from arrived t
  where t.archived_at is null and t.audience_id is null
  group by t.project_id, t.column_id
  order by t.project_id, t.column_id
  on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  insert into public.task_watchers (project_id, task_id, audience_id, user_id, reason)
  select t.project_id, t.id, t.audience_id, t.created_by, 'creator'
  from arrived t
  join public.project_members m on m.project_id = t.project_id and m.user_id = t.created_by
  on conflict (project_id, task_id, user_id) do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select t.project_id, t.id, f.id, f.default_value
  from arrived t
  join public.custom_fields f on f.project_id = t.project_id
  where f.default_value is not null
  on conflict do nothing;
  return null;
end
$$;

-- Changed and deleted tasks -----------------------------------------------------------------------------------------------

-- Activity about the columns of a task itself, and about its deletion.
create or replace function private.record_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change jsonb := '{}';
begin
  if tg_op = 'DELETE' then
    -- the task is gone: the line stands in the project's story, and says which task it was
    insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
    select p.id, null, old.audience_id, (select a.id from public.profiles a where a.id = auth.uid()), 'deleted',
      jsonb_build_object('id', old.id, 'title', old.title, 'number', old.number)
    from public.projects p
    where p.id = old.project_id;
    return null;
  end if;

  if old.column_id <> new.column_id and current_setting('kanbase.moving_between_projects', true) is distinct from 'on' then
    insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
    select new.project_id, new.id, new.audience_id, (select p.id from public.profiles p where p.id = auth.uid()), 'moved',
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
  if change <> '{}' and current_setting('kanbase.moving_between_projects', true) is distinct from 'on' then
    insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
    values (new.project_id, new.id, new.audience_id, (select p.id from public.profiles p where p.id = auth.uid()), 'updated', change);
  end if;
  return null;
end
$$;

-- Tells follow_changed_tasks which parts have something to do, one letter each, cheaper than comparing all rows once more. Letters stay until the
-- transaction ends: a statement within this one would take away what this one still has to follow, and a part that finds nothing writes nothing.
create or replace function private.note_place() returns trigger
language plpgsql set search_path = '' as $$
declare
  noted constant text := coalesce(current_setting('kanbase.places_changed', true), '');
  changed constant text := noted
    || case when old.column_id <> new.column_id then 'm' else '' end
    || case when old.column_id <> new.column_id or old.priority <> new.priority then 's' else '' end
    || case when old.completed_at is distinct from new.completed_at or (old.archived_at is null) <> (new.archived_at is null)
      or old.created_at <> new.created_at or old.project_id <> new.project_id or (old.audience_id is null) <> (new.audience_id is null)
      or new.completed_at is not null and old.started_at is distinct from new.started_at then 'c' else '' end
    || case when (old.completed_at is null and old.archived_at is null) <> (new.completed_at is null and new.archived_at is null) then 'o' else '' end;
begin
  if rtrim(changed, noted) <> '' then
    perform set_config('kanbase.places_changed', changed, true);
  end if;
  return null;
end
$$;

-- Figures, counts of open predecessors, and notifications, for all changed tasks of a statement at once; each part runs only if a column it
-- depends on has changed.
create or replace function private.follow_changed_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most_at_once constant integer := 10;
  me uuid;
  ended uuid[];
  changed constant text := coalesce(current_setting('kanbase.places_changed', true), '');
  moved constant boolean := strpos(changed, 'm') > 0;
  counted constant boolean := strpos(changed, 'c') > 0;
  opened constant boolean := strpos(changed, 'o') > 0;
  waited_for boolean;
begin
  if changed = '' then
    return null;
  end if;
  me := auth.uid();

  if counted then
    -- Whoever works on a task that changes its project follows it before this runs, so they are found by the task alone.
    perform private.add_figures(array(
      select row(t.project_id, f.figure, f.key, t.delta)::private.figure_change
      from (
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, audience_id, -1 as delta from was
        union all
        select project_id, id, column_id, priority, created_at, started_at, completed_at, archived_at, audience_id, 1 from becomes
      ) as t
      cross join lateral (
        select 'tasks', t.column_id || '/' || t.priority
        union all
        select 'created', private.week_of(t.created_at)
        union all
        select d.figure, d.key
        from (values
          ('completed', private.week_of(t.completed_at)),
          ('cycle', private.span_of(t.started_at, t.completed_at)),
          ('lead', private.span_of(t.created_at, t.completed_at))
        ) as d (figure, key)
        where d.key is not null
        union all
        select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
        from public.task_assignees a where a.task_id = t.id
        union all
        select 'unassigned', '' where t.completed_at is null
          and not exists (select from public.task_assignees a where a.task_id = t.id)
      ) as f (figure, key)
      where t.archived_at is null and t.audience_id is null
    ));
  elsif strpos(changed, 's') > 0 then
    insert into private.project_figures as f (project_id, figure, key, shard, amount)
    select t.project_id, 'tasks', t.column_id || '/' || t.priority, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, priority, -1 as delta from was where archived_at is null and audience_id is null
      union all
      select project_id, column_id, priority, 1 from becomes where archived_at is null and audience_id is null
    ) as t
    group by t.project_id, t.column_id, t.priority
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, figure, key, shard) do update set amount = f.amount + excluded.amount;
  end if;
  if moved or counted then
    insert into private.column_flow as f (project_id, day, column_id, shard, delta)
    select t.project_id, (now() at time zone 'utc')::date, t.column_id, pg_backend_pid() % 8, sum(t.delta)
    from (
      select project_id, column_id, -1 as delta from was where archived_at is null and audience_id is null
      union all
      select project_id, column_id, 1 from becomes where archived_at is null and audience_id is null
    ) as t
    group by t.project_id, t.column_id
    having sum(t.delta) <> 0
    order by 1, 3
    on conflict (project_id, day, column_id, shard) do update set delta = f.delta + excluded.delta;
  end if;
  if opened then
    ended := array(
      select c.id from becomes b join public.task_claims c on c.project_id = b.project_id and c.task_id = b.id and c.ended_at is null
      where b.completed_at is not null or b.archived_at is not null
      order by c.id);
    if ended <> '{}' then
      perform private.end_claims(ended, 'finished');
    end if;
    perform from private.task_waits w
    where w.task_id in (
      select b.id from becomes b
      union
      select d.successor_id from becomes b join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
    )
    order by w.task_id for update;
    waited_for := found;
    if waited_for then
      update private.task_waits w set is_open = b.completed_at is null and b.archived_at is null
      from becomes b
      where w.task_id = b.id and w.is_open <> (b.completed_at is null and b.archived_at is null);
      update private.task_waits w set open_predecessors = w.open_predecessors + change.delta
      from (
        select d.successor_id, sum(case when b.completed_at is null and b.archived_at is null then 1 else -1 end) as delta
        from was
        join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where (was.completed_at is null and was.archived_at is null) <> (b.completed_at is null and b.archived_at is null)
        group by d.successor_id
      ) as change
      where w.task_id = change.successor_id and change.delta <> 0;
    end if;
  end if;

  if moved and (
    exists (
      select from becomes b
      join public.task_watchers w on w.project_id = b.project_id and w.task_id = b.id
      where w.is_watching and w.user_id is distinct from me
    ) or exists (
      select from becomes b
      join public.project_watchers w on w.project_id = b.project_id
      where w.user_id is distinct from me
    )
  ) then
    perform private.notify(array(
      with moves as (
        select b.project_id, b.id, was.column_id as from_id, b.column_id as to_id
        from was join becomes b on b.id = was.id where was.column_id <> b.column_id
      ), heard as (
        select m.*, w as user_id from moves m cross join lateral private.watchers_of(m.project_id, m.id) w where w is distinct from me
      ), counted as (
        select h.*, count(*) over (partition by h.user_id, h.project_id) as at_once from heard h
      )
      select row(c.user_id, 'state_changed', c.project_id, c.id, jsonb_build_object(
        'from_id', c.from_id, 'to_id', c.to_id, 'from', was_in.name, 'to', is_in.name
      ))::private.news
      from counted c
      join public.workflow_columns was_in on was_in.id = c.from_id
      join public.workflow_columns is_in on is_in.id = c.to_id
      where c.at_once <= most_at_once
      union all
      select row(c.user_id, 'state_changed', c.project_id, null, jsonb_build_object('count', count(*), 'to', (
        select string_agg(distinct i.name, ', ') from public.workflow_columns i where i.id = any (array_agg(c.to_id))
      )))::private.news
      from counted c
      where c.at_once > most_at_once
      group by c.user_id, c.project_id
    ));
  end if;
  if waited_for then
    perform private.notify(array(
      select row(w, 'unblocked', s.project_id, s.task_id, '{}')::private.news
      from (
        select distinct d.project_id, d.successor_id as task_id
        from was join becomes b on b.id = was.id
        join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
        where was.completed_at is null and was.archived_at is null and (b.completed_at is not null or b.archived_at is not null)
      ) s
      join private.task_waits t on t.task_id = s.task_id and t.is_open and t.open_predecessors = 0
      cross join lateral private.watchers_of(s.project_id, s.task_id) w
      where w is distinct from me
    ));
  end if;
  return null;
end
$$;
