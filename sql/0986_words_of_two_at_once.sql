-- A task is found by all its words, also when two of them are written at once.
create or replace function private.index_task(of_task uuid)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- What is written beside this one and is not done yet is waited for, and then read: otherwise the later of the two forgets the words of the other.
  perform from private.task_search s where s.task_id = of_task for no key update;
  insert into private.task_search as s (task_id, project_id, document)
  select t.id, t.project_id, private.search_document(t.project_id, t.number, t.title, t.description, concat_ws(' ', (
    select string_agg(v.value #>> '{}', ' ' order by f.position, f.id)
    from public.task_field_values v
    join public.custom_fields f on f.project_id = v.project_id and f.id = v.field_id and f.kind in ('text', 'url')
    where v.project_id = t.project_id and v.task_id = t.id
  ), (
    select string_agg(left(c.body, 40000), ' ' order by c.created_at desc)
    from public.task_comments c
    where c.project_id = t.project_id and c.task_id = t.id
  )))
  from public.tasks t
  join public.projects p on p.id = t.project_id -- neither when the task nor when its project is going
  where t.id = of_task
  on conflict (task_id) do update set document = excluded.document;
end
$$;
