-- Pages of the access log as the app shows them, with today's names, also of those who have left the project since.

create or replace function private.kind_of_access_line(subject jsonb, object jsonb) returns text
language sql immutable
return case
  when object ->> 'kind' = 'server' then 'operators'
  when 'group' in (subject ->> 'kind', object ->> 'kind') then 'groups'
  when subject ->> 'kind' = 'person' then 'people'
  when subject ->> 'kind' in ('viewers', 'members') then 'settings'
  else 'invitations'
end;

create or replace function private.read_access_log(of_project uuid, words text, of_kind text, before uuid, size integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern constant text := '%' || regexp_replace(nullif(trim(words), ''), '([\\%_])', '\\\1', 'g') || '%';
  named constant uuid[] := array(select p.id from public.profiles p where p.display_name ilike pattern);
begin
  perform private.require_user();
  if not exists (select from private.calling_operator)
    and not exists (select from private.my_memberships m where m.project_id = of_project and m.role = 'owner') then
    if of_project is not null and not exists (select from private.my_memberships m where m.project_id = of_project) then
      perform private.raise_not_found('project');
    end if;
    perform private.refuse('42501', 'the access log is for owners of the project, and the whole of it for operators', 'Ask an owner of the project.');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'created_at', l.created_at, 'kind', private.kind_of_access_line(l.subject, l.object),
      'actor_id', l.actor_id, 'actor', coalesce(a.display_name, l.provider), 'subject', l.subject || jsonb_build_object('name', coalesce(l.subject ->> 'name', s.display_name)),
      'object', l.object, 'change', l.change, 'address', l.address) order by l.created_at desc, l.id desc), '[]')
    from (
      select * from public.access_log l
      where (of_project is null or l.project_id = of_project)
        and (of_kind is null or private.kind_of_access_line(l.subject, l.object) = of_kind)
        and (pattern is null or l.actor_id = any (named) or l.subject ->> 'id' = any (named::text[])
          or l.provider ilike pattern or l.subject ->> 'name' ilike pattern or l.subject ->> 'email' ilike pattern)
        and (before is null or (l.created_at, l.id) < (select b.created_at, b.id from public.access_log b where b.id = before))
      order by l.created_at desc, l.id desc
      limit least(greatest(size, 1), 1000)
    ) l
    left join public.profiles a on a.id = l.actor_id
    left join public.profiles s on l.subject ->> 'kind' = 'person' and s.id::text = l.subject ->> 'id'
  );
end
$$;
grant execute on function private.read_access_log(uuid, text, text, uuid, integer) to authenticated, service_role;

create or replace function public.access_log_page(
  project_id uuid default null, words text default '', kind text default null, before uuid default null, size integer default 100
) returns jsonb
language sql stable set search_path = '' as $$
  select private.read_access_log(access_log_page.project_id, access_log_page.words, access_log_page.kind, access_log_page.before, access_log_page.size)
$$;
grant execute on function public.access_log_page(uuid, text, text, uuid, integer) to authenticated;
comment on function public.access_log_page(uuid, text, text, uuid, integer) is 'The access log with names, newest first: of a project for its owners, without one the whole for operators. words: of a name or address. kind: people, groups, invitations, settings or operators. before: the id of the last line one has. size: up to 1,000. [{id, created_at, kind, actor_id, actor (an identity provider, too), subject, object, change, address}].';
