-- Functions that look past policies for triggers answer people about their own projects only, also if one calls them directly.

create function private.looks_into(in_project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  -- The server's own roles and the service key work for everybody.
  select coalesce(current_setting('role', true), '') not in ('authenticated', 'anon') or exists (
    select from public.project_members m where m.project_id = in_project and m.user_id = private.me()
  )
$$;
revoke all on function private.looks_into(uuid) from public;
-- No grant: definer functions alone ask it.

create or replace function private.hold_attachment(of_task uuid, attachment uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.task_attachments a
  where a.id = attachment and a.task_id = of_task and private.looks_into(a.project_id) for key share;
  return found;
end
$$;

create or replace function private.hold_member(in_project uuid, person uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.project_members m
  where m.project_id = in_project and m.user_id = person and private.looks_into(in_project) for key share;
  return found;
end
$$;

create or replace function private.last_subtask_position(in_project uuid, of_task uuid) returns double precision
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(max(t.subtask_position), 0) + 1 from public.tasks t
    where t.project_id = in_project and t.parent_id = of_task and private.looks_into(in_project)
  );
end
$$;

create or replace function private.may_hold(field public.custom_fields, value jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return field.kind <> 'person' or exists (
    select from public.project_members m
    where m.project_id = field.project_id and m.user_id = (may_hold.value #>> '{}')::uuid and private.looks_into(field.project_id)
  );
end
$$;

-- A task that was moved is found by its former address by who sees it where it is now.
create or replace function private.task_with_address(in_project uuid, with_number integer) returns uuid
language sql stable security definer set search_path = '' as $$
  select t.id from public.tasks t
  where t.id = coalesce(
      (select here.id from public.tasks here where here.project_id = in_project and here.number = with_number),
      (select f.task_id from private.former_places f where f.project_id = in_project and f.number = with_number)
    ) and private.looks_into(t.project_id)
$$;
