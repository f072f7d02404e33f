-- Views by the fields of a project: `number_field.<id>` may group and be lanes, and what a field holds in words can be asked for as words.

alter table public.saved_views
  drop constraint saved_views_grouping_is_a_property,
  drop constraint saved_views_lanes_is_a_property,
  add constraint saved_views_grouping_is_a_property check ("grouping" ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$'),
  add constraint saved_views_lanes_is_a_property check (lanes ~ '^[a-z_]{1,40}([.:][0-9a-f-]{36})?$');

-- A column that is computed, for filters: JSON has no pattern to be matched by. No index: a field is found by its own, and then a filter
-- reads no more than one row a task.
create function public.words(of public.task_field_values) returns text
language sql immutable parallel safe
return of.value #>> '{}';
revoke execute on function public.words(public.task_field_values) from public;
grant execute on function public.words(public.task_field_values) to authenticated, service_role;
comment on function public.words(public.task_field_values) is 'What the field holds as text: of a text its words without quotes, of an option or a person the id.';
