-- People as others see them: who was active when in a project, and what somebody works on in the projects one shares with them. All of it
-- is read with the caller's rights.

-- The last thing somebody did in one project, without reading what they did in others.
drop index public.task_activity_actor_id_idx;
create index task_activity_actor_idx on public.task_activity (actor_id, project_id, created_at);

create function public.project_people(project_id uuid)
returns table (user_id uuid, last_active_at timestamptz, open_tasks bigint)
language sql stable set search_path = '' as $$
  select m.user_id,
    (select max(a.created_at) from public.task_activity a where a.project_id = m.project_id and a.actor_id = m.user_id),
    (select count(*) from public.task_assignees s
     join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
     where s.project_id = m.project_id and s.user_id = m.user_id and t.completed_at is null and t.archived_at is null)
  from public.project_members m
  where m.project_id = project_people.project_id
$$;
grant execute on function public.project_people(uuid) to authenticated;

create function public.person_page(user_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  most_tasks constant integer := 200;
  most_lines constant integer := 50;
  shared uuid[];
begin
  if not exists (select from public.profiles p where p.id = person_page.user_id) then
    perform private.raise_not_found('person');
  end if;
  shared := array(
    select m.project_id from public.project_members m
    join public.projects p on p.id = m.project_id
    where m.user_id = person_page.user_id
  );
  return jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'role', m.role, 'is_archived', p.archived_at is not null, 'last_active_at', (
          select max(a.created_at) from public.task_activity a where a.project_id = p.id and a.actor_id = person_page.user_id
        )
      ) order by p.name, p.id), '[]')
      from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = person_page.user_id
    ),
    'open_tasks', (
      select count(*) from public.task_assignees s
      join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
      join public.projects p on p.id = t.project_id and p.archived_at is null
      where s.user_id = person_page.user_id and t.completed_at is null and t.archived_at is null
    ),
    'tasks', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.due_date nulls last, o.priority, o.id), '[]') from (
        select t.id, t.project_id, p.key || '-' || t.number as key, t.number, t.title, t.priority, t.due_date,
          c.name as column_name, c.kind as column_kind, c.color as column_color
        from public.task_assignees s
        join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
        join public.projects p on p.id = t.project_id and p.archived_at is null
        join public.workflow_columns c on c.project_id = t.project_id and c.id = t.column_id
        where s.user_id = person_page.user_id and t.completed_at is null and t.archived_at is null
        order by t.due_date nulls last, t.priority, t.id limit most_tasks
      ) o
    ),
    'activity', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.created_at desc, l.id desc), '[]') from (
        select a.id, a.project_id, a.task_id, a.kind, a.change, a.created_at, t.number, t.title, p.key || '-' || t.number as key
        from unnest(shared) as s (project_id)
        cross join lateral (
          select h.* from public.task_activity h
          where h.project_id = s.project_id and h.actor_id = person_page.user_id and h.task_id is not null
          order by h.created_at desc limit most_lines
        ) a
        join public.tasks t on t.project_id = a.project_id and t.id = a.task_id
        join public.projects p on p.id = a.project_id
        order by a.created_at desc, a.id desc limit most_lines
      ) l
    )
  );
end
$$;
grant execute on function public.person_page(uuid) to authenticated;

comment on function public.project_people(uuid) is 'For each member of a project the moment of the last thing they did in it (null: nothing yet), and how many open tasks they have there.';
comment on function public.person_page(uuid) is 'What somebody does in the projects they share with the caller: projects [{id, name, role, is_archived, last_active_at}], open_tasks, tasks (open ones assigned to them, up to 200), activity (the newest 50 lines). 404 for who shares none.';
