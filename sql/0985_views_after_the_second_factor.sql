-- Views of no project, too, wait for the second factor: a session that owes it is nobody's, as for everything else.
alter policy read on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));
alter policy add on public.saved_views
  with check (owner_id = (select user_id from private.caller)
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy change on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))))
  with check (owner_id = (select user_id from private.caller)
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy remove on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select user_id from private.caller)))
    or (project_id is null and (owner_id = (select user_id from private.caller)
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));
