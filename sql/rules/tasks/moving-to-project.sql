-- Moving tasks to another project. Rows that point at a task follow it by their keys. What the other project can't hold is removed and stored
-- in private.former_places, from where brings_back restores it when the move is undone (left-behind.sql). Former numbers and keys permanently lead to the task.
-- foresee_move_to_project previews the changes.

comment on table private.former_places is 'Projects that tasks have left: under which number each stood there, and what it left behind.';

-- The path of a file begins with its project.
create or replace function private.follow_attachment() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.object_path := new.project_id || substr(old.object_path, 37);
  return new;
end
$$;

-- Columns that agree with it about being done come first; among them the one of the same name, then of the same kind, then the leftmost.
create or replace function private.column_in(in_project uuid, for_column uuid) returns uuid
language sql stable set search_path = '' as $$
  select c.id
  from public.workflow_columns c, public.workflow_columns was
  where c.project_id = in_project and was.id = for_column
  order by (c.kind = 'done') <> (was.kind = 'done'), lower(c.name) <> lower(was.name), c.kind <> was.kind, c.position, c.id
  limit 1
$$;
grant execute on function private.column_in(uuid, uuid) to authenticated, service_role;
comment on function private.column_in(uuid, uuid) is 'The column of another project that stands for this one.';

create or replace function private.with_subtasks(task_ids uuid[]) returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
    with recursive down (id, project_id) as (
      select t.id, t.project_id from public.tasks t where t.id = any (task_ids)
      union
      select t.id, t.project_id from down join public.tasks t on t.project_id = down.project_id and t.parent_id = down.id
    )
    select down.id from down;
end
$$;
grant execute on function private.with_subtasks(uuid[]) to authenticated, service_role;
comment on function private.with_subtasks(uuid[]) is 'Tasks and all that is under them.';

create or replace function private.places_in(to_project uuid, moving uuid[], to_column uuid, brings_back boolean) returns private.task_place[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  places private.task_place[] := '{}';
  one record;
  next_number integer;
  rank text collate "C";
  in_column uuid;
begin
  -- The counter, then the columns in one order: as everyone who makes tasks takes their locks.
  update private.task_counters c set last_number = c.last_number + cardinality(moving)
  where c.project_id = to_project returning c.last_number - cardinality(moving) into next_number;
  perform private.lock_column(to_project, c.id) from (
    select c.id from public.workflow_columns c where c.project_id = to_project order by c.id
  ) c;
  for one in
    select t.id, t.project_id, t.order_rank, f.number as old_number, w.position,
      case when brings_back then f.order_rank end as wanted,
      coalesce(to_column, (
        select c.id from public.workflow_columns c where brings_back and c.project_id = to_project and c.id = f.column_id
      ), private.column_in(to_project, t.column_id)) as to_column
    from public.tasks t
    join public.workflow_columns w on w.id = t.column_id
    left join private.former_places f on f.project_id = to_project and f.task_id = t.id
    where t.id = any (moving)
    order by 7, wanted nulls last, w.position, t.order_rank, t.id
  loop
    if in_column is distinct from one.to_column then
      in_column := one.to_column;
      rank := (
        select max(t.order_rank) from public.tasks t
        where t.project_id = to_project and t.column_id = in_column and private.sees_audience(to_project, t.audience_id)
      );
    end if;
    if one.old_number is null then
      next_number := next_number + 1;
    end if;
    if one.wanted is null then
      rank := private.rank_after(rank);
      -- An unchanged rank would read as "none was named".
      if rank = one.order_rank then
        rank := private.rank_after(rank);
      end if;
    end if;
    places := places || row(one.id, one.project_id, one.to_column, coalesce(one.old_number, next_number), coalesce(one.wanted, rank))::private.task_place;
  end loop;
  return places;
end
$$;
comment on function private.places_in(uuid, uuid[], uuid, boolean) is 'Columns, numbers and ranks for tasks that come from other projects.';

-- One line in each project. The line in the old project names the new one by its id only, which is all its members may know.
create or replace function private.record_moves_between_projects(places private.task_place[], to_project uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  actor constant uuid := (select p.id from public.profiles p where p.id = auth.uid());
begin
  insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
  select f.project_id, null, t.audience_id, actor, 'moved_out', jsonb_build_object(
    'id', t.id, 'title', t.title, 'number', f.number, 'project_id', jsonb_build_object('from', f.project_id, 'to', to_project)
  )
  from unnest(places) p
  join public.tasks t on t.id = p.task_id
  join private.former_places f on f.project_id = p.from_project and f.task_id = p.task_id;
  insert into public.task_activity (project_id, task_id, audience_id, actor_id, kind, change)
  select t.project_id, t.id, t.audience_id, actor, 'moved_in', jsonb_build_object(
    'project_id', jsonb_build_object('from', f.project_id, 'to', to_project),
    'key', jsonb_build_object('from', f.key || '-' || f.number, 'to', target.key || '-' || t.number)
  )
  from unnest(places) p
  join public.tasks t on t.id = p.task_id
  join public.projects target on target.id = to_project
  join private.former_places f on f.project_id = p.from_project and f.task_id = p.task_id;
end
$$;
comment on function private.record_moves_between_projects(private.task_place[], uuid) is 'Writes the history of tasks that changed their project.';

-- Runs one move between projects at a time. move_tasks_to_project has checked the caller, who is checked again under the locks.
create or replace function private.move_tasks_between_projects(task_ids uuid[], to_project uuid, to_column uuid, brings_back boolean) returns setof public.tasks
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_service constant boolean := auth.role() = 'service_role';
  moving uuid[];
  former private.former_places[];
  places private.task_place[];
  worn jsonb;
  gone jsonb;
begin
  -- Moves between projects are seldom: one at a time, so that two of them never wait for each other's columns and figures.
  perform pg_advisory_xact_lock(3084);
  perform from public.tasks t
  where t.id = any (task_ids) and (is_service or t.project_id = any (private.my_projects()))
  order by t.id for update;
  -- What is under them goes along, and nothing comes under them meanwhile.
  perform private.lock_outline(p.id, true) from (
    select to_project as id union select t.project_id from public.tasks t where t.id = any (task_ids) order by 1
  ) p;
  perform from public.tasks t where t.id in (select private.with_subtasks(task_ids)) order by t.id for update;
  if (select count(*) from public.tasks t where t.id = any (task_ids) and (is_service or t.project_id = any (private.my_projects())))
    < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  end if;
  if not is_service and (not private.is_writer(to_project) or exists (
    select from public.tasks t where t.id = any (task_ids) and not private.is_writer(t.project_id)
  )) then
    perform private.refuse('42501', 'permission denied to move tasks between these projects: your role in one of them does not allow it',
      'Ask an owner of both projects for the editor role.');
  end if;
  moving := array(
    select t.id from public.tasks t
    where t.id in (select private.with_subtasks(task_ids)) and t.project_id <> to_project order by t.id
  );
  if cardinality(moving) = 0 then
    -- Asked again because the answer was lost.
    return query select t.* from public.tasks t where t.id = any (task_ids);
    return;
  end if;
  -- Who is a member now stays one until this is done.
  perform from public.project_members m where m.project_id = to_project order by m.user_id for key share;

  perform set_config('kanbase.moving_between_projects', 'on', true);
  gone := private.detach_from_project(moving, to_project);
  -- An owner may be removing a guest from what they left behind: that is waited for.
  former := array(select f from private.former_places f where f.project_id = to_project and f.task_id = any (moving) for update);
  places := private.places_in(to_project, moving, to_column, brings_back);
  worn := (
    select jsonb_agg(jsonb_build_object('task_id', k.task_id, 'name', l.name, 'color', l.color))
    from public.task_label_links k join public.task_labels l on l.id = k.label_id
    where k.task_id = any (moving)
  );
  delete from public.task_label_links k where k.task_id = any (moving);
  delete from private.former_places f where f.project_id = to_project and f.task_id = any (moving);
  insert into private.former_places (project_id, task_id, now_in, number, key, column_id, order_rank, left_behind)
  select t.project_id, t.id, t.project_id, t.number, p.key, t.column_id, t.order_rank, gone -> t.id::text
  from public.tasks t join public.projects p on p.id = t.project_id where t.id = any (moving);

  -- All that hangs on them follows by its keys.
  update public.tasks t set project_id = to_project, column_id = p.column_id, number = p.number, order_rank = p.order_rank
  from unnest(places) p where t.id = p.task_id;
  update storage.objects o set name = to_project || substr(o.name, 37)
  from unnest(places) p
  where o.bucket_id = 'attachments'
    and o.name > p.from_project || '/' || p.task_id || '/' and o.name < p.from_project || '/' || p.task_id || '0';
  update private.removed_files o set name = to_project || substr(o.name, 37)
  from unnest(places) p
  where o.bucket_id = 'attachments'
    and o.name > p.from_project || '/' || p.task_id || '/' and o.name < p.from_project || '/' || p.task_id || '0';

  insert into public.task_labels (project_id, name, color)
  select distinct on (lower(l.name)) to_project, l.name, l.color
  from jsonb_to_recordset(worn) as l (name text, color text)
  order by lower(l.name)
  on conflict do nothing;
  insert into public.task_label_links (project_id, task_id, label_id)
  select to_project, w.task_id, l.id
  from jsonb_to_recordset(worn) as w (task_id uuid, name text)
  join public.task_labels l on l.project_id = to_project and lower(l.name) = lower(w.name);
  if brings_back then
    -- Keys and apps let nobody in.
    perform private.reattach_left_behind(f.task_id, to_project,
      f.left_behind - case when current_setting('role', true) = 'program' then array['grants', 'invitations', 'links'] else '{}' end)
    from unnest(former) f where f.left_at > now() - interval '1 day';
    perform private.settle_grant(g) from public.task_grants g where g.project_id = to_project and g.task_id = any (moving) and not g.is_named;
  end if;

  update public.notifications n set data = n.data || jsonb_build_object('task_number', p.number)
  from unnest(places) p where n.task_id = p.task_id and n.data ? 'task_number';
  -- From a column to one of the same name: that is no news.
  delete from public.notifications n
  where n.task_id = any (moving) and n.kind = 'state_changed' and n.created_at = now() and n.data ->> 'from' = n.data ->> 'to';
  perform private.index_task(id) from unnest(moving) id;
  perform set_config('kanbase.moving_between_projects', 'off', true);
  perform private.record_moves_between_projects(places, to_project);
  return query select t.* from public.tasks t where t.id = any (task_ids || moving);
end
$$;
grant execute on function private.move_tasks_between_projects(uuid[], uuid, uuid, boolean) to authenticated, service_role;
comment on function private.move_tasks_between_projects(uuid[], uuid, uuid, boolean) is 'Moves tasks to another project, with all that hangs on them.';

-- Checks the caller before move_tasks_between_projects waits for its locks.
create or replace function public.move_tasks_to_project(
  task_ids uuid[], project_id uuid, column_id uuid default null, brings_back boolean default false
) returns setof public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  most constant integer := 1000;
begin
  if cardinality(task_ids) > most then
    perform private.refuse('22023', format('these are more than %s tasks', most), 'Move them in several goes.');
  end if;
  perform private.require_project(move_tasks_to_project.project_id);
  if move_tasks_to_project.column_id is not null and not exists (
    select from public.workflow_columns c
    where c.project_id = move_tasks_to_project.project_id and c.id = move_tasks_to_project.column_id
  ) then
    perform private.raise_not_found('column');
  end if;
  if (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  elsif auth.role() is distinct from 'service_role' and (not private.is_writer(move_tasks_to_project.project_id) or exists (
    select from public.tasks t where t.id = any (task_ids) and not private.is_writer(t.project_id)
  )) then
    perform private.refuse('42501', 'permission denied to move tasks between these projects: your role in one of them does not allow it',
      'Ask an owner of both projects for the editor role.');
  end if;
  return query
    select t.* from private.move_tasks_between_projects(task_ids, move_tasks_to_project.project_id, move_tasks_to_project.column_id, coalesce(brings_back, false)) t;
end
$$;
grant execute on function public.move_tasks_to_project(uuid[], uuid, uuid, boolean) to service_role, authenticated;
comment on function public.move_tasks_to_project(uuid[], uuid, uuid, boolean) is 'Moves tasks to another project, all or none, with subtasks, comments, checklist, attachments, history and the dependencies among them. They get new numbers there, and the column of the same name (or kind; or column_id) at its end; labels are found by name or made; what a task holds in fields goes along where there is one of the same name and kind. Who works on them, watches, is a guest or is named by a restricted task and is no member there is dropped, as are public links and dependencies on tasks that stay; a subtask whose parent stays is a task of its own there. Needs owner or editor of both projects. Addresses and keys they had lead to them. brings_back: what they left behind when they went away from this project comes back within a day, which is how a move is undone; guests, named people, their invitations and public links neither by keys and apps, nor to a task that was restricted meanwhile. Up to 1,000 tasks; returns them and their subtasks.';

create or replace function public.move_task_to_project(task_id uuid, project_id uuid, column_id uuid default null) returns public.tasks
language plpgsql volatile set search_path = '' as $$
declare
  moved public.tasks;
begin
  select t.* into moved from public.move_tasks_to_project(array[move_task_to_project.task_id], move_task_to_project.project_id,
    move_task_to_project.column_id) t where t.id = move_task_to_project.task_id;
  return moved;
end
$$;
grant execute on function public.move_task_to_project(uuid, uuid, uuid) to service_role, authenticated;
comment on function public.move_task_to_project(uuid, uuid, uuid) is 'Moves one task to another project: see move_tasks_to_project. Returns it.';

-- Runs under the caller's own policies: both projects must be visible.
create or replace function public.foresee_move_to_project(task_ids uuid[], project_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  to_project constant uuid := foresee_move_to_project.project_id;
  moving constant uuid[] := array(
    select t.id from public.tasks t where t.id in (select private.with_subtasks(task_ids)) and t.project_id <> to_project
  );
begin
  perform private.require_project(to_project);
  if (select count(*) from public.tasks t where t.id = any (task_ids)) < (select count(distinct i) from unnest(task_ids) i) then
    perform private.raise_not_found('task');
  end if;
  return jsonb_build_object(
    'tasks', cardinality(moving),
    'subtasks', (select count(*) from unnest(moving) m where m <> all (task_ids)),
    'parents_left', (select count(*) from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)),
    'columns', (
      select coalesce(jsonb_agg(distinct jsonb_build_object('from', was.name, 'to', c.name, 'to_id', c.id, 'from_id', was.id)), '[]')
      from public.tasks t
      join public.workflow_columns was on was.id = t.column_id
      left join public.workflow_columns c on c.id = private.column_in(to_project, was.id)
      where t.id = any (moving)
    ),
    'labels_made', (
      select coalesce(jsonb_agg(n.name order by n.name), '[]') from (
        select distinct on (lower(l.name)) l.name
        from public.task_label_links k join public.task_labels l on l.id = k.label_id
        where k.task_id = any (moving)
          and not exists (select from public.task_labels o where o.project_id = to_project and lower(o.name) = lower(l.name))
        order by lower(l.name)
      ) n
    ),
    'fields_left', (
      select coalesce(jsonb_agg(distinct f.name order by f.name), '[]')
      from public.task_field_values v join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id
      where v.task_id = any (moving) and private.value_in(to_project, f.name, f.kind, v.value, (
        select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
        where o -> 'id' = v.value or (jsonb_typeof(v.value) = 'array' and v.value @> jsonb_build_array(o -> 'id'))
      )) is null
    ),
    'people_left', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', n.user_id, 'name', n.name) order by n.name), '[]') from (
        select distinct a.user_id, p.display_name as name
        from public.task_assignees a left join public.profiles p on p.id = a.user_id
        where a.task_id = any (moving)
          and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
      ) n
    ),
    'watchers_left', (
      select count(distinct w.user_id) from public.task_watchers w
      where w.task_id = any (moving) and w.is_watching
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    ),
    -- Guests, groups, and addresses that are invited; members whom a restricted task names.
    'guests_left', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', n.user_id, 'group_id', n.group_id, 'name', n.name) order by n.name), '[]') from (
        select distinct g.user_id, g.group_id, coalesce(p.display_name, o.name) as name
        from public.task_grants g left join public.profiles p on p.id = g.user_id left join public.groups o on o.id = g.group_id
        where g.task_id = any (moving) and not exists (
          select from public.project_members m
          where (m.project_id in (to_project, g.project_id) and m.user_id = g.user_id) or (m.project_id = to_project and m.group_id = g.group_id))
        union
        select null, null, i.email from public.project_invitations i where i.task_id = any (moving) and i.accepted_at is null and i.expires_at > now()
      ) n
    ),
    'named_left', (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', n.user_id, 'name', n.name) order by n.name), '[]') from (
        select distinct g.user_id, p.display_name as name
        from public.task_grants g left join public.profiles p on p.id = g.user_id
        where g.task_id = any (moving) and g.is_named
          and exists (select from public.project_members m where m.project_id = g.project_id and m.user_id = g.user_id)
          and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = g.user_id)
      ) n
    ),
    'links_left', (select count(*) from public.share_links l where l.task_id = any (moving) and l.revoked_at is null),
    'dependencies_left', (
      select count(*) from public.task_dependencies d where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    ),
    -- Who could read it and cannot any more.
    'readers_left', (
      select count(distinct o.user_id)
      from public.project_members o
      where o.project_id in (select t.project_id from public.tasks t where t.id = any (moving))
        and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = o.user_id)
    )
  );
end
$$;
grant execute on function public.foresee_move_to_project(uuid[], uuid) to service_role, authenticated;
comment on function public.foresee_move_to_project(uuid[], uuid) is 'What moving these tasks to another project would mean: columns ({from, to, from_id, to_id}), subtasks (how many go along with their parents), parents_left (subtasks whose parent stays), labels_made (names), fields_left (names of fields whose values have no place there), people_left (assignees who are no members there), guests_left (guests, groups and invited addresses who see them no longer), named_left (people whom restricted tasks name and who are no members there), links_left (public links that end), watchers_left, dependencies_left, readers_left (members of the projects they leave who cannot see them any more), and how many tasks would move.';

-- Former addresses --------------------------------------------------------------------------------------------------------

-- For callers who see the task where it is now.
create or replace function private.task_with_address(in_project uuid, with_number integer) returns uuid
language sql stable security definer set search_path = '' as $$
  select t.id from public.tasks t
  where t.id = coalesce(
      (select here.id from public.tasks here where here.project_id = in_project and here.number = with_number),
      (select f.task_id from private.former_places f where f.project_id = in_project and f.number = with_number)
    ) and private.is_reader(t.project_id) and private.sees_audience(t.project_id, t.audience_id)
$$;
grant execute on function private.task_with_address(uuid, integer) to authenticated, service_role;
comment on function private.task_with_address(uuid, integer) is 'The task with this number in this project, or the one that had it.';

create or replace function public.task_at(project_id uuid, number integer) returns setof public.tasks
language sql stable rows 1 set search_path = '' as $$
  select t.* from public.tasks t where t.id = private.task_with_address(task_at.project_id, task_at.number)
$$;
grant execute on function public.task_at(uuid, integer) to service_role, authenticated;
comment on function public.task_at(uuid, integer) is 'The task with this number in this project, or the one that had it before it went to another project; nothing where the caller sees neither.';
