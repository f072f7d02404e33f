-- What moving a task to another project rests on: the keys of what hangs on a task follow it, figures and history know of the move, and
-- the address it had leads to it for ever. The procedures are in 0781.

-- Keys that follow -----------------------------------------------------------------------------------------------------
-- A new table that hangs on tasks says "on update cascade" too; test/sql/moving-between-projects.test.ts looks for those that do not.

alter table private.task_search drop constraint task_search_task_of_same_project,
  add constraint task_search_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table private.task_waits drop constraint task_waits_task_of_same_project,
  add constraint task_waits_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.notifications drop constraint notifications_task_of_same_project,
  add constraint notifications_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_activity drop constraint task_activity_task_of_same_project,
  add constraint task_activity_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete set null (task_id) on update cascade;
alter table public.task_assignees drop constraint task_assignees_task_of_same_project,
  add constraint task_assignees_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_attachments drop constraint task_attachments_task_of_same_project,
  add constraint task_attachments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_checklist_items drop constraint task_checklist_items_task_of_same_project,
  add constraint task_checklist_items_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_comments drop constraint task_comments_task_of_same_project,
  add constraint task_comments_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_comments drop constraint task_comments_parent_of_same_task,
  add constraint task_comments_parent_of_same_task foreign key (project_id, task_id, parent_id)
    references public.task_comments (project_id, task_id, id) on delete set null (parent_id) on update cascade;
alter table public.comment_reactions drop constraint comment_reactions_comment_of_same_task,
  add constraint comment_reactions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade on update cascade;
alter table public.comment_resolutions drop constraint comment_resolutions_comment_of_same_task,
  add constraint comment_resolutions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade on update cascade;
alter table public.task_dependencies drop constraint task_dependencies_predecessor_of_same_project,
  add constraint task_dependencies_predecessor_of_same_project foreign key (project_id, predecessor_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_dependencies drop constraint task_dependencies_successor_of_same_project,
  add constraint task_dependencies_successor_of_same_project foreign key (project_id, successor_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_label_links drop constraint task_label_links_task_of_same_project,
  add constraint task_label_links_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
alter table public.task_watchers drop constraint task_watchers_task_of_same_project,
  add constraint task_watchers_task_of_same_project foreign key (project_id, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;

-- The path of a file begins with its project.
create function private.follow_attachment() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.object_path := new.project_id || substr(old.object_path, 37);
  return new;
end
$$;
create trigger task_attachments_follow before update of project_id on public.task_attachments for each row
  when (old.project_id <> new.project_id) execute function private.follow_attachment();

-- Where a task was -----------------------------------------------------------------------------------------------------

create table private.former_places (
  project_id uuid not null references public.projects (id) on delete cascade,
  task_id uuid not null,
  -- The project it is in now.
  now_in uuid not null,
  number integer not null,
  key text not null,
  -- Should it come back.
  column_id uuid not null,
  order_rank text collate "C" not null,
  left_behind jsonb not null,
  left_at timestamptz not null default now(),
  primary key (project_id, task_id),
  constraint former_places_number_unique_per_project unique (project_id, number),
  constraint former_places_task foreign key (now_in, task_id)
    references public.tasks (project_id, id) on delete cascade on update cascade
);
create index former_places_task_idx on private.former_places (now_in, task_id);
create index former_places_task_id_idx on private.former_places (task_id);
create index former_places_key_idx on private.former_places (key, number);
alter table private.former_places enable row level security;
-- no policies, no grants: read by find_tasks and task_at, written by carry_tasks

comment on table private.former_places is 'Projects that tasks have left: under which number each stood there, and what it left behind.';

-- Figures --------------------------------------------------------------------------------------------------------------

-- A task that changes its project leaves the figures of one and enters those of the other. Whoever works on it follows it before this
-- runs, so they are found by the task alone.
create or replace function private.count_changed_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from was join becomes on becomes.id = was.id
    where was.column_id <> becomes.column_id or was.priority <> becomes.priority
      or was.completed_at is distinct from becomes.completed_at
      or (was.archived_at is null) <> (becomes.archived_at is null)
      or was.created_at <> becomes.created_at
  ) then
    return null;
  end if;
  perform private.add_figures(array(
    select row(t.project_id, f.figure, f.key, t.delta)::private.figure_change
    from (
      select project_id, id, column_id, priority, created_at, completed_at, archived_at, -1 as delta from was
      union all
      select project_id, id, column_id, priority, created_at, completed_at, archived_at, 1 from becomes
    ) as t
    cross join lateral (
      select 'tasks', t.column_id || '/' || t.priority
      union all
      select 'created', private.week_of(t.created_at)
      union all
      select 'completed', private.week_of(t.completed_at) where t.completed_at is not null
      union all
      select case when t.completed_at is null then 'open_of' else 'done_of' end, a.user_id::text
      from public.task_assignees a where a.task_id = t.id
      union all
      select 'unassigned', '' where t.completed_at is null
        and not exists (select from public.task_assignees a where a.task_id = t.id)
    ) as f (figure, key)
    where t.archived_at is null
  ));
  perform private.add_flow(array(
    select row(t.project_id, t.column_id, t.delta)::private.flow_change
    from (
      select project_id, column_id, -1 as delta from was where archived_at is null
      union all
      select project_id, column_id, 1 from becomes where archived_at is null
    ) as t
  ));
  perform from private.task_waits w
  where w.task_id in (
    select b.id from becomes b
    union
    select d.successor_id from becomes b join public.task_dependencies d on d.project_id = b.project_id and d.predecessor_id = b.id
  )
  order by w.task_id for update;
  if found then
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
  return null;
end
$$;

-- History --------------------------------------------------------------------------------------------------------------

alter table public.task_activity drop constraint task_activity_kind_known,
  add constraint task_activity_kind_known check (kind in (
    'created', 'updated', 'moved', 'archived', 'restored', 'deleted', 'assigned', 'unassigned', 'labeled', 'unlabeled',
    'checklist_item_added', 'checklist_item_changed', 'checklist_item_removed', 'attached', 'attachment_renamed', 'detached',
    'dependency_added', 'dependency_changed', 'dependency_removed', 'commented', 'comment_edited', 'comment_deleted',
    'moved_in', 'moved_out'
  ));
comment on column public.task_activity.kind is 'What happened: created, updated, moved, archived, restored, deleted, assigned, unassigned, labeled, unlabeled, checklist_item_*, attached, attachment_renamed, detached, dependency_*, commented, comment_edited, comment_deleted; moved_in: it came from another project and brought its history along, moved_out: it left for another one.';

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

-- Search ---------------------------------------------------------------------------------------------------------------

-- A key that a task has had finds it too.
create or replace function private.find_tasks(query text, in_project uuid, max_rows integer) returns table (task_id uuid, rank real)
language plpgsql stable security definer set search_path = '' rows 50 as $$
#variable_conflict use_column
declare
  projects constant uuid[] := case
    -- the service belongs to no project and sees them all
    when auth.role() = 'service_role' then array(select p.id from public.projects p where in_project is null or p.id = in_project)
    else array(select p from unnest(private.my_projects()) as p where in_project is null or p = in_project)
  end;
  reference constant text[] := regexp_match(query, '^\s*(?:#|([A-Za-z0-9]{2,6})-)?(\d{1,9})\s*$');
  words tsquery;
begin
  select string_agg('(' || (
    select string_agg(private.spell_word(p, w.lexeme) || ':*', ' | ') from unnest(projects) as p
  ) || ')', ' & ')::tsquery
  into words
  from unnest(to_tsvector('pg_catalog.simple', left(query, 500))) as w
  where octet_length(w.lexeme) <= 200;

  return query
    select found.task_id, max(found.rank)
    from (
      select t.id as task_id, 10::real as rank
      from public.tasks t
      join public.projects p on p.id = t.project_id
      where t.project_id = any (projects) and t.number = reference[2]::integer
        and (reference[1] is null or p.key = upper(reference[1]))
      union all
      select t.id, 9::real
      from private.former_places f
      join public.tasks t on t.id = f.task_id
      where f.key = upper(reference[1]) and f.number = reference[2]::integer and t.project_id = any (projects)
      union all
      select hit.task_id, ts_rank(hit.document, words)
      from (
        select s.task_id, s.document from private.task_search s
        where s.document @@ words and s.project_id = any (projects)
        limit 2000
      ) as hit
    ) as found
    group by found.task_id
    order by 2 desc, 1 desc
    limit max_rows;
end
$$;
