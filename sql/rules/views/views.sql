-- Saved views: filter, layout, grouping, lanes, order and place, of one person or shared with the project; a view without a project spans all
-- projects of its reader. view_defaults has the view that a project opens with, for a person or for everybody. words and field_columns give the
-- contents of fields, for filters and for columns of a table.

select private.served_rows('public.saved_views',
  writes => '{id, project_id, owner_id, name, filter, is_shared, layout, grouping, lanes, sort, shown, position}',
  fixed => '{id, project_id, owner_id}', author => 'owner_id');

-- In a project: own and shared views. Without a project: own views, and shared ones of people who share a project with the reader.
create policy read on public.saved_views for select to authenticated
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));
create policy add on public.saved_views for insert to authenticated
  with check (owner_id = (select user_id from private.caller)
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
create policy change on public.saved_views for update to authenticated
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))))
  with check (owner_id = (select user_id from private.caller)
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
-- Lets every reader through: saved_views_refuse_delete then answers 403 to all but the view's owner and project owners.
create policy remove on public.saved_views for delete to authenticated
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));

comment on table public.saved_views is 'Ways to look that people keep: their own, or shared with the project or, of no project, with the people they share one with.';
comment on column public.saved_views.project_id is 'The project; empty: a view of all projects of whoever looks.';
comment on column public.saved_views.owner_id is 'Whose it is; empty for a shared view whose owner''s account is gone.';
comment on column public.saved_views.name is 'Up to 200 characters.';
comment on column public.saved_views.filter is 'Which tasks: {"all": […]} or {"any": […]} of conditions {"property", "is", "value"}; see docs/use/views.md.';
comment on column public.saved_views.is_shared is 'Whether others see it; sharing in a project needs the editor role.';
comment on column public.saved_views.layout is 'board, list, calendar, timeline or dashboard.';
comment on column public.saved_views."grouping" is 'The property by which tasks stand together; empty: they do not.';
comment on column public.saved_views.lanes is 'The property of the lanes across a board; empty: it has none.';
comment on column public.saved_views.sort is 'The order: a list of {"by", "descending"}; empty: that of the board.';
comment on column public.saved_views.shown is 'What the layout shows of a task; an object only clients look into.';
comment on column public.saved_views.position is 'Its place among the views of the project, the lowest first.';

select private.refuse_deletes('public.saved_views', 'old.owner_id is distinct from auth.uid() and not private.is_owner(old.project_id)',
  'Only who made the view, or an owner of the project, can delete it.');
create or replace trigger saved_views_record after insert or update or delete on public.saved_views for each row
  execute function private.record_setup('saved_view', 'name', 'layout', 'filter', 'grouping', 'lanes', 'sort', 'shown');

select private.served_rows('public.view_defaults', writes => '{id, project_id, user_id, view_id}', fixed => '{id, project_id, user_id}');

-- One's own choice, and the one that owners made for everybody.
create policy read on public.view_defaults for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())));
create policy add on public.view_defaults for insert to authenticated
  with check ((user_id = (select auth.uid()) and project_id = any (array(select project_id from private.my_memberships)))
    or (user_id is null and project_id = any (array(select project_id from private.my_memberships where role = 'owner'))));
create policy change on public.view_defaults for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())))
  with check ((user_id = (select auth.uid()) and project_id = any (array(select project_id from private.my_memberships)))
    or (user_id is null and project_id = any (array(select project_id from private.my_memberships where role = 'owner'))));
-- Lets every reader through: view_defaults_refuse_delete then answers 403 to all but the person and project owners.
create policy remove on public.view_defaults for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())));

comment on table public.view_defaults is 'Which view of a project opens first: for one person, or for everybody.';
comment on column public.view_defaults.user_id is 'For whom; empty: everybody who has chosen none, which owners decide.';
comment on column public.view_defaults.view_id is 'The view, of the same project.';

select private.refuse_deletes('public.view_defaults', 'old.user_id is distinct from auth.uid() and not private.is_owner(old.project_id)',
  'Only an owner of the project chooses the view it opens with for everybody.');

-- Views that nobody else can see or look after are deleted with their owner's account.
create or replace function private.remove_private_views() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.saved_views v where v.owner_id = old.id and (not v.is_shared or v.project_id is null);
  return old;
end
$$;

-- Computed column for filters: JSON has no pattern to match. No index: the field is found by its own, and then a filter reads at most one row a
-- task.
create or replace function public.words(of public.task_field_values) returns text
language sql immutable parallel safe
return of.value #>> '{}';
grant execute on function public.words(public.task_field_values) to service_role, authenticated;
comment on function public.words(public.task_field_values) is 'What the field holds as text: of a text its words without quotes, of an option or a person the id.';

-- 10,000 tasks with 20 fields are 200,000 rows, of which a table needs only the values. Built as text: jsonb takes twenty times as long.
create or replace function public.field_columns(project_id uuid, field_ids uuid[]) returns json
language sql stable set search_path = '' as $$
  select coalesce(
    ('{' || string_agg('"' || c.field_id || '":{"numbers":[' || c.numbers || '],"values":[' || c.held || ']}', ',') || '}')::json, '{}')
  from (
    select v.field_id, string_agg(t.number::text, ',') as numbers, string_agg(v.value::text, ',') as held
    from public.task_field_values v
    join public.tasks t on t.project_id = v.project_id and t.id = v.task_id
    where v.project_id = field_columns.project_id and v.field_id = any (field_columns.field_ids)
    group by v.field_id
  ) c
$$;
grant execute on function public.field_columns(uuid, uuid[]) to service_role, authenticated;
comment on function public.field_columns(uuid, uuid[]) is 'What tasks of a project hold in these fields, in one compact answer: for each field in which something is held, the numbers of the tasks and, in the same order, their values.';
