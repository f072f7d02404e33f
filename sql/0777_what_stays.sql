-- What stays of somebody whose account goes is what they made where others are; what is in projects that go with it does not.

create or replace function private.foresee_my_end() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.require_user();
begin
  return jsonb_build_object(
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'heir_name', heir.display_name, 'becomes', case
        when not exists (select from public.project_members o where o.project_id = p.id and o.user_id <> me) then 'deleted'
        when m.role <> 'owner' or exists (
          select from public.project_members o where o.project_id = p.id and o.user_id <> me and o.role = 'owner'
        ) then 'stays'
        when heir.user_id is not null then 'passes'
        else 'archived'
      end) order by p.name, p.id), '[]')
      from public.project_members m
      join public.projects p on p.id = m.project_id
      left join lateral (
        select o.user_id, f.display_name from public.project_members o
        left join public.profiles f on f.id = o.user_id
        where o.project_id = p.id and o.user_id <> me and o.role = 'editor'
        order by o.created_at, o.user_id limit 1
      ) heir on true
      where m.user_id = me
    ),
    'tasks', (
      select count(*) from public.tasks t
      where t.created_by = me and exists (select from public.project_members o where o.project_id = t.project_id and o.user_id <> me)
    ),
    'comments', (
      select count(*) from public.task_comments c
      where c.author_id = me and exists (select from public.project_members o where o.project_id = c.project_id and o.user_id <> me)
    )
  );
end
$$;
