-- People as others see them: creators to embed, activity and open tasks of a project's members, the page of a person, and the first steps of an
-- account. All of it is read with the caller's rights.

-- Without a search_path, so that Postgres inlines it into the statement that embeds it; every name is qualified.
create or replace function public.creator(task public.tasks) returns setof public.profiles
language sql stable rows 1 as $$
  select p.* from public.profiles p where p.id = task.created_by
$$;
grant execute on function public.creator(public.tasks) to service_role, authenticated;
comment on function public.creator(public.tasks) is 'Who made the task, to embed: select=title,creator(display_name).';

create or replace function public.creator(project public.projects) returns setof public.profiles
language sql stable rows 1 as $$
  select p.* from public.profiles p where p.id = project.created_by
$$;
grant execute on function public.creator(public.projects) to service_role, authenticated;
comment on function public.creator(public.projects) is 'Who began the project, to embed: select=name,creator(display_name).';

create or replace function public.project_people(project_id uuid) returns table (user_id uuid, last_active_at timestamptz, open_tasks bigint)
language sql stable set search_path = '' as $$
  select m.user_id,
    (select max(a.created_at) from public.task_activity a where a.project_id = m.project_id and a.actor_id = m.user_id),
    (select count(*) from public.task_assignees s
     join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
     where s.project_id = m.project_id and s.user_id = m.user_id and t.completed_at is null and t.archived_at is null)
  from public.project_members m
  where m.project_id = project_people.project_id and m.user_id is not null
$$;
grant execute on function public.project_people(uuid) to service_role, authenticated;
comment on function public.project_people(uuid) is 'For each member of a project the moment of the last thing they did in it (null: nothing yet), and how many open tasks they have there.';

create or replace function public.person_page(user_id uuid) returns jsonb
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
    union
    select g.project_id from public.task_grants g
    join public.projects p on p.id = g.project_id
    where g.user_id = person_page.user_id
      or g.group_id in (select o.group_id from public.group_members o where o.user_id = person_page.user_id)
  );
  return jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'role', m.role, 'is_archived', p.archived_at is not null, 'last_active_at', (
          select max(a.created_at) from public.task_activity a where a.project_id = p.id and a.actor_id = person_page.user_id
        )
      ) order by p.name, p.id), '[]')
      from public.projects p left join public.project_members m on m.project_id = p.id and m.user_id = person_page.user_id
      where p.id = any (shared)
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
grant execute on function public.person_page(uuid) to service_role, authenticated;
comment on function public.person_page(uuid) is 'What somebody does in the projects they share with the caller: projects [{id, name, role (null: a guest), is_archived, last_active_at}], open_tasks, tasks (open ones assigned to them, up to 200), activity (the newest 50 lines). 404 for who shares none.';

create or replace function public.my_first_steps() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'project', exists (select from public.project_members m where m.user_id = auth.uid()),
    'task', exists (select from public.tasks t where t.created_by = auth.uid()),
    'moved', exists (select from public.task_activity a where a.actor_id = auth.uid() and a.kind = 'moved'),
    'invited', exists (select from public.project_invitations i where i.invited_by = auth.uid())
      or exists (
        select from public.project_members mine join public.project_members other on other.project_id = mine.project_id
        where mine.user_id = auth.uid() and other.user_id <> mine.user_id
      ),
    'hears', exists (select from public.notification_settings s where s.user_id = auth.uid())
      or exists (select from public.push_subscriptions s where s.user_id = auth.uid())
  )
$$;
grant execute on function public.my_first_steps() to service_role, authenticated;
comment on function public.my_first_steps() is 'Which first steps the caller has done: project (is in one), task (made one), moved (moved one), invited (is not alone), hears (chose what to hear of).';
