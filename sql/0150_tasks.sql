-- Tasks: numbered per project, placed in columns, completed by the kind of column they are in.
--
-- The triggers of public.tasks, in the order in which they fire: Postgres goes by the name. 0410_task_triggers.sql gave those that the
-- files up to 0380 make under older names their numbers; files after it name theirs with one. docs/guides/moving-a-task.md follows one move through them.
--
-- before, each row
--   tasks_10_claim_author     insert   created_by is the caller (0150)
--   tasks_20_keep             both     sets aside timestamps and numbers that a client sent (0150)
--   tasks_30_refuse_change    update   id, project_id, number and created_by stay (0150)
--   tasks_40_refuse_delete    delete   403 to a member who may not delete (0150)
--   tasks_45_move_subtask     update   a new parent: a place among its others; one outline change at a time (0800)
--   tasks_45_place_subtask    insert   the same for a new task with a parent (0800)
--   tasks_50_cover            update   a new cover is an attachment of the task (0680)
--   tasks_50_cover_new        insert   the same for a new task (0680)
--   tasks_50_place_moved      update   new column or rank: predecessors, completion, a free rank (0150)
--   tasks_50_place_new        insert   fills project, column, number and rank; completed in a done column (0150)
--   tasks_60_count_deleted    delete   figures, while assignees and dependencies are still there (0360)
-- after, each row; keys to and from tasks are checked and cascade before these
--   tasks_65_check_outline    insert   a subtask: no circle, not too deep (0800)
--   tasks_65_check_outline_change  update  the same for a new parent (0800)
--   tasks_66_wait_for_subtasks  update  done after its subtasks, where the project says so (0800)
--   tasks_70_record_gone      delete   a row of task_activity (0940)
--   tasks_70_record_change    update   the same for what changed (0300)
--   tasks_70_record_cover     update   a row of task_activity for a new cover (0680)
--   tasks_70_record_parent    update   rows of task_activity for a new parent, in both stories and the old one's (0800)
--   tasks_70_record_subtask   insert   a row in the story of the parent (0800)
--   tasks_70_record_subtask_gone  delete  the same (0800)
--   tasks_75_notify           insert   notifies who is mentioned in the description (0310)
--   tasks_75_notify_change    update   notifies who is newly mentioned (0310)
--   tasks_80_index_change     update   search index, when title, description or number changed (0380)
--   tasks_85_spread_ranks     both     shortens ranks that have grown long (0150)
--   tasks_87_take_along       update   what is under a task is archived with it and comes back with it (0800)
--   tasks_88_carry_fields     update   what it holds in fields, in another project (0808)
-- after the statement, all its rows at once
--   tasks_90_follow_new       insert   rows of task_activity, search index, figures, who makes a task watches it, what fields begin with (0940)
--   tasks_90_follow_changed   update   figures; notifies watchers of a new column, and of what waits for nothing any more (0940)
--   tasks_94_tell_of_completed  update  the server is told of a task that comes again (0810; each row)
--   tasks_95_remove_files     delete   files in the bucket of attachments (0680)

create table public.tasks (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  column_id uuid not null,
  number integer not null,
  title text not null,
  description text not null default '',
  priority public.task_priority not null default 'p2',
  order_rank text collate "C" not null,
  start_date date,
  due_date date,
  estimate numeric,
  started_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tasks_project_id_id_key unique (project_id, id),
  constraint tasks_number_unique_per_project unique (project_id, number),
  -- checked at the end of a statement, so that one statement may trade places
  constraint tasks_rank_unique_per_column unique (project_id, column_id, order_rank) deferrable initially immediate,
  -- no action: a column that holds tasks stays
  constraint tasks_column_of_same_project foreign key (project_id, column_id)
    references public.workflow_columns (project_id, id) on delete no action,
  constraint tasks_title_not_blank check (title ~ '[^[:space:]]'),
  constraint tasks_title_length check (char_length(title) <= 500),
  constraint tasks_description_length check (char_length(description) <= 100000),
  constraint tasks_order_rank_is_printable check (order_rank ~ '^[!-~]*["-~]$' and char_length(order_rank) <= 1000),
  constraint tasks_start_not_after_due check (start_date <= due_date),
  constraint tasks_estimate_not_negative check (estimate >= 0 and estimate < 1000000)
);
create index tasks_created_by_idx on public.tasks (created_by);
-- what is due
create index tasks_due_idx on public.tasks (project_id, due_date)
  where completed_at is null and archived_at is null and due_date is not null;
-- how long finished work took
create index tasks_completed_idx on public.tasks (project_id, completed_at) include (created_at, started_at)
  where completed_at is not null and archived_at is null;

alter table public.tasks replica identity using index tasks_project_id_id_key;

alter table public.tasks enable row level security;

create policy read on public.tasks for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.tasks for insert to authenticated
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
create policy change on public.tasks for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_writable_projects())::uuid[]));
-- lets every member through: tasks_40_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.tasks for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.tasks to service_role using (true) with check (true);

grant select on public.tasks to anon, authenticated;
grant
  insert (id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate,
    started_at, completed_at, archived_at, created_by, created_at, updated_at),
  update (id, project_id, column_id, number, title, description, priority, order_rank, start_date, due_date, estimate,
    started_at, completed_at, archived_at, created_by, created_at, updated_at),
  delete
  on public.tasks to authenticated;
grant all on public.tasks to service_role;

-- Timestamps and numbers that a client sent are set aside before anything else looks at the row.
create function private.keep_task() returns trigger
language plpgsql set search_path = '' as $$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
      new.started_at := old.started_at;
      new.completed_at := old.completed_at;
      if old.archived_at is null and new.archived_at is not null then
        new.archived_at := now();
      end if;
    end if;
  elsif client then
    new.number := null;
    new.started_at := null;
    new.completed_at := null;
    new.archived_at := case when new.archived_at is not null then now() end;
    new.created_at := now();
    new.updated_at := now();
  end if;
  return new;
end
$$;

create trigger tasks_claim_author before insert on public.tasks for each row
  when (new.created_by is distinct from auth.uid()) execute function private.claim_author('created_by');
create trigger tasks_keep before insert or update on public.tasks for each row execute function private.keep_task();
create trigger tasks_refuse_change before update on public.tasks for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.number <> new.number
    or old.created_by is distinct from new.created_by)
  execute function private.refuse_change('id', 'project_id', 'number', 'created_by');
create trigger tasks_refuse_delete before delete on public.tasks for each row
  when (row_security_active('public.tasks') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Ask an owner of the project for the editor role.');

-- A rank that is taken means "just after that one".
create function private.free_rank(in_project uuid, in_column uuid, wanted text, for_task uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank = wanted and t.id <> for_task
  ) then
    return wanted;
  end if;
  return private.rank_between(wanted, (
    select min(t.order_rank) from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank > wanted and t.id <> for_task
  ));
end
$$;

-- Behind the last of the column.
create function private.last_rank(in_project uuid, in_column uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  return private.rank_after((
    select max(t.order_rank) from public.tasks t where t.project_id = in_project and t.column_id = in_column
  ));
end
$$;

-- Fills what the client left out: project, column, number, rank; and completes the task if it is made in a done column.
-- Says nothing about what it finds in a foreign project: the policy refuses the row right after.
create function private.place_new_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  twin public.tasks;
  column_kind public.workflow_column_kind;
begin
  new.id := coalesce(new.id, private.uuid_v7());
  if new.project_id is null then
    select c.project_id into new.project_id from public.workflow_columns c where c.id = new.column_id;
  end if;

  -- An upsert of a task that exists takes no number and no place.
  select * into twin from public.tasks t where t.id = new.id;
  if found then
    new.number := twin.number;
    new.column_id := coalesce(new.column_id, twin.column_id);
    new.order_rank := coalesce(new.order_rank, twin.order_rank);
    return new;
  end if;

  if new.column_id is null then
    select c.id into new.column_id from public.workflow_columns c
    where c.project_id = new.project_id
    order by c.position, c.id
    limit 1;
  end if;
  if new.number is null then
    update private.task_counters n set last_number = n.last_number + 1
    where n.project_id = new.project_id
    returning n.last_number into new.number;
  else
    update private.task_counters n set last_number = greatest(n.last_number, new.number)
    where n.project_id = new.project_id;
  end if;
  if new.column_id is null then
    return new;
  end if;

  perform private.lock_column(new.column_id);
  new.order_rank := case
    when new.order_rank is null then private.last_rank(new.project_id, new.column_id)
    else private.free_rank(new.project_id, new.column_id, new.order_rank, new.id)
  end;
  select c.kind into column_kind from public.workflow_columns c where c.id = new.column_id;
  new.completed_at := case when column_kind = 'done' then coalesce(new.completed_at, now()) end;
  if column_kind = 'in_progress' then
    new.started_at := coalesce(new.started_at, now());
  end if;
  return new;
end
$$;

create trigger tasks_place_new before insert on public.tasks for each row execute function private.place_new_task();

-- A task that changes column or rank, by whatever door.
create function private.place_moved_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  from_kind public.workflow_column_kind;
  to_kind public.workflow_column_kind;
  waits_for text;
begin
  if current_setting('kanbase.spreading', true) = 'on' then
    return new;
  end if;
  perform private.lock_column(new.column_id);

  if old.column_id <> new.column_id then
    select c.kind into from_kind from public.workflow_columns c where c.id = old.column_id;
    select c.kind into to_kind from public.workflow_columns c where c.project_id = new.project_id and c.id = new.column_id;
    if to_kind = 'done' and from_kind <> 'done' then
      select string_agg(p.key || '-' || t.number, ', ' order by t.number) into waits_for
      from public.task_dependencies d
      join public.tasks t on t.project_id = d.project_id and t.id = d.predecessor_id
      join public.projects p on p.id = d.project_id
      where d.project_id = new.project_id and d.successor_id = new.id
        and t.completed_at is null and t.archived_at is null and p.enforce_dependencies;
      if waits_for is not null then
        raise exception using
          errcode = 'KB001',
          message = 'the task waits for others that are not done',
          detail = 'Open predecessors: ' || waits_for,
          hint = 'Finish them first, remove the dependency, or let an owner turn off enforce_dependencies.';
      end if;
    end if;
    new.completed_at := case when to_kind = 'done' then coalesce(old.completed_at, now()) end;
    if to_kind = 'in_progress' then
      new.started_at := coalesce(old.started_at, now());
    end if;
  end if;

  -- Only the column was named: to the end of it.
  if old.order_rank = new.order_rank then
    new.order_rank := private.last_rank(new.project_id, new.column_id);
  else
    new.order_rank := private.free_rank(new.project_id, new.column_id, new.order_rank, new.id);
  end if;
  return new;
end
$$;

create trigger tasks_place_moved before update on public.tasks for each row
  when (old.column_id <> new.column_id or old.order_rank <> new.order_rank)
  execute function private.place_moved_task();

-- Many drops into one gap make ranks long. When one has grown past 24 characters, the crowded stretch around it, up to the
-- nearest short rank on either side, is spread out again in the same transaction.
create function private.spread_ranks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  low text;
  high text;
  crowd uuid[];
begin
  perform private.lock_column(new.column_id);
  select max(t.order_rank) into low from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank < new.order_rank and length(t.order_rank) <= 8;
  select min(t.order_rank) into high from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id
    and t.order_rank > new.order_rank and length(t.order_rank) <= 8;
  crowd := array(
    select t.id from public.tasks t
    where t.project_id = new.project_id and t.column_id = new.column_id
      and (low is null or t.order_rank > low) and (high is null or t.order_rank < high)
    order by t.order_rank
  );
  -- Whoever holds one of them may be waiting for this column: rather than wait for each other, the crowd stays as it is
  -- until the next drop into it.
  if (
    select count(*) from (
      select from public.tasks t where t.project_id = new.project_id and t.id = any (crowd) for no key update skip locked
    ) as free
  ) < cardinality(crowd) then
    return null;
  end if;
  perform set_config('kanbase.spreading', 'on', true);
  update public.tasks t set order_rank = spread.rank
  from unnest(crowd, private.ranks_between(low, high, cardinality(crowd))) as spread (id, rank)
  where t.project_id = new.project_id and t.id = spread.id and t.order_rank <> spread.rank;
  perform set_config('kanbase.spreading', 'off', true);
  return null;
end
$$;

create trigger tasks_spread_ranks after insert or update on public.tasks for each row
  when (length(new.order_rank) > 24) execute function private.spread_ranks();

-- A column that becomes done, or ceases to be, takes its tasks along.
create function private.lock_changed_column() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.id order by t.id for no key update;
  perform private.lock_column(new.id);
  return new;
end
$$;

create function private.follow_column_kind() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.tasks t
  set completed_at = case when new.kind = 'done' then coalesce(t.completed_at, now()) end,
      started_at = case when new.kind = 'in_progress' then coalesce(t.started_at, now()) else t.started_at end
  where t.project_id = new.project_id and t.column_id = new.id
    and ((t.completed_at is null) = (new.kind = 'done') or (new.kind = 'in_progress' and t.started_at is null));
  return null;
end
$$;

create trigger workflow_columns_lock before update on public.workflow_columns for each row
  when (old.kind <> new.kind) execute function private.lock_changed_column();
create trigger workflow_columns_kind_followed after update on public.workflow_columns for each row
  when (old.kind <> new.kind) execute function private.follow_column_kind();

comment on table public.tasks is 'Tasks. Moved by move_task, or by changing column_id and order_rank.';
comment on column public.tasks.id is 'Made by the server, sorted by time, unless the client sends its own.';
comment on column public.tasks.project_id is 'The project; filled from the column when left out. Cannot be changed.';
comment on column public.tasks.column_id is 'The column; left out on insert: the leftmost.';
comment on column public.tasks.number is '1, 2, 3 … in each project; with the project''s key it reads WEB-12. Given by the database.';
comment on column public.tasks.title is 'Up to 500 characters.';
comment on column public.tasks.description is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.tasks.priority is 'p0, p1 or p2.';
comment on column public.tasks.order_rank is 'Place within the column: text compared byte by byte. Left out: at the end. A rank that is taken becomes the next free one after it.';
comment on column public.tasks.start_date is 'Not after due_date.';
comment on column public.tasks.due_date is 'When it should be done.';
comment on column public.tasks.estimate is 'In whatever unit the team counts.';
comment on column public.tasks.started_at is 'When the task first reached a column of kind in_progress; kept by the database.';
comment on column public.tasks.completed_at is 'When the task reached a done column; empty while it is open. Kept by the database.';
comment on column public.tasks.archived_at is 'Set when the task was put away; the moment is the database''s. Archived tasks count nowhere.';
comment on column public.tasks.created_by is 'Who made it; empty once their account is gone.';
comment on column public.tasks.created_at is 'When the row was made; kept by the database.';
comment on column public.tasks.updated_at is 'When the row last changed; kept by the database.';
