-- Groups as the app shows them: those of a project, those the caller sees, and the page of one. All of it is read with the caller's rights but
-- names: who is in a group is seen by those who see the group, also where they share no project.

create or replace function private.may_make_groups() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.calling_operator) or coalesce((select s.made_by_everyone from private.group_settings s), false)
$$;
grant execute on function private.may_make_groups() to authenticated;

create or replace function private.people_of_group(of_group uuid, most integer)
returns table (user_id uuid, display_name text, avatar_url text, is_manager boolean)
language sql stable security definer set search_path = '' as $$
  select p.user_id, f.display_name, f.avatar_url, p.is_manager
  from public.group_members p join public.profiles f on f.id = p.user_id
  where p.group_id = of_group and exists (select from private.my_groups g where g.group_id = of_group)
  order by lower(f.display_name), p.user_id
  limit most
$$;
grant execute on function private.people_of_group(uuid, integer) to authenticated;
comment on function private.people_of_group(uuid, integer) is 'Who is in a group that the caller sees, by name.';

create or replace function public.project_groups(project_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_project(project_groups.project_id);
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'group_id', g.id, 'name', g.name, 'role', m.role, 'manages', private.may_change_group(g.id), 'people', cardinality(b.ids), 'brings', b.ids
    ) order by lower(g.name)), '[]')
    from (
      select t.group_id, o.role
      from (
        select p.group_id from public.project_members p where p.project_id = project_groups.project_id and p.group_id is not null
        union
        select a.group_id from public.task_grants a where a.project_id = project_groups.project_id and a.group_id is not null
      ) t
      left join public.project_members o on o.project_id = project_groups.project_id and o.group_id = t.group_id
    ) m
    join public.groups g on g.id = m.group_id
    cross join lateral (
      select coalesce(array_agg(p.user_id order by p.user_id), '{}') as ids from public.group_members p where p.group_id = g.id
    ) b
  );
end
$$;
grant execute on function public.project_groups(uuid) to authenticated;
comment on function public.project_groups(uuid) is 'The groups that are members of a project, or see tasks of it as guests, by name: [{group_id, name, role (null: of guests), manages (whether the caller does), people (how many), brings (their ids)}]. 404 for who is not in the project.';

create or replace function public.my_groups() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_user();
  return jsonb_build_object(
    'may_create', private.may_make_groups(),
    'groups', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', g.id, 'name', g.name, 'description', g.description, 'source', g.source, 'manages', mine.manages,
        'people', (select count(*) from public.group_members p where p.group_id = g.id),
        'projects', (select count(*) from public.project_members m where m.group_id = g.id)
      ) order by lower(g.name)), '[]')
      from public.groups g
      join (select s.group_id, bool_or(s.manages) as manages from private.my_groups s group by s.group_id) mine on mine.group_id = g.id
    )
  );
end
$$;
grant execute on function public.my_groups() to authenticated;
comment on function public.my_groups() is 'The groups that the caller sees: may_create (whether they may make one), groups [{id, name, description, source, manages, people (how many), projects (in how many of the caller''s)}], by name.';

create or replace function public.group_page(group_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  most_people constant integer := 1000;
begin
  if not exists (select from public.groups g where g.id = group_page.group_id) then
    perform private.raise_not_found('group');
  end if;
  return (
    select jsonb_build_object(
      'id', g.id, 'name', g.name, 'description', g.description, 'source', g.source, 'manages', private.may_change_group(g.id),
      'people', (select count(*) from public.group_members p where p.group_id = g.id),
      'members', (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from private.people_of_group(g.id, most_people) p),
      'projects', (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'role', m.role, 'is_archived', p.archived_at is not null)
          order by lower(p.name), p.id), '[]')
        from (
          select o.project_id, o.role from public.project_members o where o.group_id = g.id
          union all
          select distinct t.project_id, null::public.project_role from public.task_grants t
          where t.group_id = g.id
            and not exists (select from public.project_members o where o.project_id = t.project_id and o.group_id = g.id)
        ) m
        join public.projects p on p.id = m.project_id
      )
    )
    from public.groups g where g.id = group_page.group_id
  );
end
$$;
grant execute on function public.group_page(uuid) to authenticated;
comment on function public.group_page(uuid) is 'A group that the caller sees: id, name, description, source, manages (whether the caller does), people (how many), members [{user_id, display_name, avatar_url, is_manager}] (up to 1,000, by name), projects of the caller that it is in [{id, name, role (null: it sees tasks as a guest), is_archived}]. 404 for who does not see it.';
