-- The role of callers who may be guests: a member of authenticated, so that what holds for people holds for it. Policies for it say what is taken
-- away from guests, and cost nobody else anything.

select private.ensure_role('task_guest', 'nologin inherit');
select private.let_become('task_guest');
do $$
begin
  if not pg_catalog.pg_has_role('task_guest', 'authenticated', 'usage') then
    grant authenticated to task_guest;
  end if;
exception when unique_violation or internal_error then
  -- another node granted it at the same moment
  null;
end
$$;

drop function if exists private.only_tasks_of_guests(text, text);
