-- Parts of tasks that stay behind as these move to another project (moving-to-project.sql): values that it can't hold, people who are not in it, and
-- who else saw the tasks. They are stored in private.former_places for a day, and come back as the move is undone.

-- The one place for data that belongs to the project and cannot go along, or means something else there; a new table or column that points at
-- something of a project is handled here. The tasks are locked and nothing is recorded.
create or replace function private.detach_from_project(moving uuid[], to_project uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone jsonb;
  parts jsonb;
  -- Before anything changes: what follows takes grants of guests away with their work.
  shares constant jsonb := private.shares_of(moving);
begin
  parts := (
    select jsonb_object_agg(t.id, jsonb_build_object('parent_id', t.parent_id, 'subtask_position', t.subtask_position))
    from public.tasks t where t.id = any (moving) and t.parent_id <> all (moving)
  );
  update public.tasks t set parent_id = null where t.id = any (moving) and t.parent_id <> all (moving);
  perform private.end_claims(array(
    select c.id from public.tasks t join public.task_claims c on c.project_id = t.project_id and c.task_id = t.id and c.ended_at is null
    where t.id = any (moving) and not exists (
      select from public.project_members m where m.project_id = to_project and m.user_id = c.user_id and m.role in ('owner', 'editor'))
    order by c.id), 'released');
  perform private.end_sessions(array(
    select s.id from public.tasks t join public.agent_sessions s on s.project_id = t.project_id and s.task_id = t.id and s.ended_at is null
    where t.id = any (moving) and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = s.user_id)), 'error');
  -- Who moves a restricted task still sees it there.
  insert into public.task_grants (project_id, task_id, user_id)
  select t.project_id, t.id, private.me() from public.tasks t
  where t.id = any (moving) and t.is_restricted and private.me() is not null and not private.is_owner(to_project) and not exists (
    select from public.task_grants g
    join public.group_members p on p.group_id = g.group_id and p.user_id = private.me()
    join public.project_members m on m.project_id = to_project and m.group_id = g.group_id
    where g.task_id = t.id
  )
  on conflict (project_id, task_id, user_id, group_id) do nothing;
  with strangers as (
    delete from public.task_assignees a where a.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = a.user_id)
    returning a.task_id, a.user_id
  ), onlookers as (
    delete from public.task_watchers w where w.task_id = any (moving)
      and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = w.user_id)
    returning w.task_id, w.user_id, w.reason, w.is_watching
  ), ties as (
    delete from public.task_dependencies d
    where (d.predecessor_id = any (moving)) <> (d.successor_id = any (moving))
    returning d.*
  ), held as (
    delete from public.task_field_values v where v.task_id = any (moving)
    returning v.task_id, v.field_id, v.value
  )
  select jsonb_object_agg(m.task_id, jsonb_build_object(
    'fields', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'field_id', f.id, 'name', f.name, 'kind', f.kind, 'value', h.value, 'options', (
          select coalesce(jsonb_agg(lower(o ->> 'name')), '[]') from jsonb_array_elements(f.options) o
          where o -> 'id' = h.value or (jsonb_typeof(h.value) = 'array' and h.value @> jsonb_build_array(o -> 'id'))
        )
      )), '[]')
      from held h join public.custom_fields f on f.id = h.field_id where h.task_id = m.task_id
    ),
    'assignees', (select coalesce(jsonb_agg(s.user_id), '[]') from strangers s where s.task_id = m.task_id),
    'watchers', (select coalesce(jsonb_agg(to_jsonb(o) - 'task_id'), '[]') from onlookers o where o.task_id = m.task_id),
    'dependencies', (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from ties d where m.task_id in (d.predecessor_id, d.successor_id))
  ) || coalesce(parts -> m.task_id::text, '{}') || (shares -> m.task_id::text)) into gone
  from unnest(moving) m (task_id);
  delete from public.project_invitations i where i.task_id = any (moving);
  delete from public.share_links l where l.task_id = any (moving);
  -- Owners of the other project decide who else sees something of it.
  delete from public.task_grants g where g.task_id = any (moving) and not exists (
    select from public.project_members m where m.project_id = to_project and (m.user_id = g.user_id or m.group_id = g.group_id)
  );
  -- Also that they do not work on it any more: of a task they cannot see there is nothing to hear.
  delete from public.notifications n where n.task_id = any (moving)
    and not exists (select from public.project_members m where m.project_id = to_project and m.user_id = n.user_id);
  return gone;
end
$$;
comment on function private.detach_from_project(uuid[], uuid) is 'Removes what cannot go to another project with these tasks; answers it by task.';

-- Grants, invitations of guests and public links of tasks, by task, and whether it was restricted, itself or with the task above.
create or replace function private.shares_of(moving uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_object_agg(m.task_id, jsonb_build_object(
    'restricted', exists (select from public.tasks t where t.id = m.task_id and t.audience_id is not null),
    'grants', (
      select coalesce(jsonb_agg(to_jsonb(g) || jsonb_build_object('of_member', o.is_one or private.is_member_group(g.project_id, g.group_id))), '[]')
      from public.task_grants g cross join lateral (select private.is_member(g.project_id, g.user_id) as is_one) o
      where g.task_id = m.task_id and (g.is_named or not o.is_one)
    ),
    'invitations', (
      select coalesce(jsonb_agg(to_jsonb(i) || jsonb_build_object('address', lower(i.email), 'tokens', (
        select jsonb_agg(to_jsonb(k)) from private.invitation_tokens k where k.invitation_id = i.id))), '[]')
      from public.project_invitations i where i.task_id = m.task_id and i.accepted_at is null
    ),
    'links', (
      select coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object('secret', to_jsonb(k))), '[]')
      from public.share_links l join private.share_link_secrets k on k.link_id = l.id where l.task_id = m.task_id
    )
  ))
  from unnest(moving) m (task_id)
$$;
comment on function private.shares_of(uuid[]) is 'Who sees these tasks beside the people of their project.';

-- As it was: who was named meanwhile is named no longer, unless they bring it back themselves, and who has left the project stays away.
create or replace function private.share_as_before(of_task uuid, in_project uuid, shares jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.task_grants g where g.project_id = in_project and g.task_id = of_task and g.is_named and not exists (
    select from jsonb_to_recordset(shares -> 'grants') as w (user_id uuid, group_id uuid)
    where w.user_id is not distinct from g.user_id and w.group_id is not distinct from g.group_id
  )
    and (g.user_id = private.me() and g.audience_id is not null and not private.is_owner(in_project)) is not true;
  insert into public.task_grants (project_id, task_id, user_id, group_id, is_named, level, created_by, created_at)
  select in_project, of_task, w.user_id, w.group_id, w.is_named, w.level, (select u.id from auth.users u where u.id = w.created_by), w.created_at
  from jsonb_to_recordset(shares -> 'grants') as w (user_id uuid, group_id uuid, is_named boolean, level public.grant_level, created_by uuid,
    created_at timestamptz, of_member boolean)
  where (exists (select from public.groups o where o.id = w.group_id) or exists (select from auth.users u where u.id = w.user_id))
    and (not w.of_member or private.is_member(in_project, w.user_id) or private.is_member_group(in_project, w.group_id))
  on conflict (project_id, task_id, user_id, group_id) do update set level = excluded.level, is_named = excluded.is_named;
  insert into public.project_invitations
  select (i.invitation).* from (
    select jsonb_populate_record(null::public.project_invitations, e) as invitation from jsonb_array_elements(shares -> 'invitations') e
  ) i
  where (i.invitation).project_id = in_project and private.is_open_invitation(i.invitation)
  on conflict do nothing;
  insert into private.invitation_tokens
  select (k.token).* from (
    select jsonb_populate_record(null::private.invitation_tokens, t) as token
    from jsonb_array_elements(shares -> 'invitations') e, jsonb_array_elements(e -> 'tokens') t
  ) k
  where exists (select from public.project_invitations i where i.id = (k.token).invitation_id and i.task_id = of_task)
  on conflict do nothing;
  insert into public.share_links
  select (l.link).* from (
    select jsonb_populate_record(null::public.share_links, e) as link from jsonb_array_elements(shares -> 'links') e
  ) l
  where (l.link).project_id = in_project and exists (
    select from public.project_members m where m.project_id = in_project and m.user_id = (l.link).created_by and m.role = 'owner'
  )
  on conflict do nothing;
  insert into private.share_link_secrets
  select (k.secret).* from (
    select jsonb_populate_record(null::private.share_link_secrets, e -> 'secret') as secret from jsonb_array_elements(shares -> 'links') e
  ) k
  where exists (select from public.share_links l where l.id = (k.secret).link_id and l.task_id = of_task)
  on conflict do nothing;
end
$$;
comment on function private.share_as_before(uuid, uuid, jsonb) is 'Lets those see a task again who saw it when it went.';

-- No undo brings it back after a day. The number that leads to the task stays.
create or replace function private.forget_left_behind() returns void
language sql volatile security definer set search_path = '' as $$
  update private.former_places f set left_behind = '{}' where f.left_behind <> '{}' and f.left_at <= now() - interval '1 day'
$$;
comment on function private.forget_left_behind() is 'Removes what tasks left behind that moved away a day ago.';

-- A task that is on its way back is waited for.
create or replace function private.remove_left_shares(of_projects uuid[], part text, entry jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.former_places f set left_behind = jsonb_set(f.left_behind, array[part], (
    select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(f.left_behind -> part) e where not e @> entry
  ))
  where f.project_id = any (of_projects) and f.left_behind @> jsonb_build_object(part, jsonb_build_array(entry));
  return found;
end
$$;
comment on function private.remove_left_shares(uuid[], text, jsonb) is 'Removes grants, invitations or links of tasks that left these projects: those that contain this entry. False: there are none.';

-- Who is taken out of a project does not come back with its tasks: a person, a group, or an address, by the id of its invitation.
create or replace function private.forget_left_guest(of_project uuid, guest uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  places constant uuid[] := array[of_project];
  address constant text := (select lower(u.email) from auth.users u where u.id = guest);
  gone boolean := false;
begin
  if guest is not null then
    gone := private.remove_left_shares(places, 'grants', jsonb_build_object('user_id', guest));
    gone := private.remove_left_shares(places, 'grants', jsonb_build_object('group_id', guest)) or gone;
    gone := private.remove_left_shares(places, 'invitations', jsonb_build_object('id', guest)) or gone;
  end if;
  return address is not null and private.remove_left_shares(places, 'invitations', jsonb_build_object('address', address)) or gone;
end
$$;
comment on function private.forget_left_guest(uuid, uuid) is 'Removes a guest from what tasks left behind in a project. False: nothing was left for them.';

-- As far as it still exists there.
create or replace function private.reattach_left_behind(task_id uuid, in_project uuid, left_behind jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  tie jsonb;
  newly_restricted boolean;
begin
  begin
    update public.tasks t set parent_id = (left_behind ->> 'parent_id')::uuid, subtask_position = (left_behind ->> 'subtask_position')::double precision
    where t.project_id = in_project and t.id = reattach_left_behind.task_id and exists (
      select from public.tasks p where p.project_id = in_project and p.id = (left_behind ->> 'parent_id')::uuid
    );
  exception when sqlstate 'KB008' or sqlstate 'KB009' or sqlstate 'KB021' or foreign_key_violation then
    -- What it was a part of has come under it meanwhile, or too far down; or one of the two was restricted by itself.
    null;
  end;
  -- Then those see it whom it was restricted to meanwhile, and nobody else.
  newly_restricted := coalesce(left_behind -> 'restricted' = 'false', false) and exists (
    select from public.tasks t where t.id = reattach_left_behind.task_id and t.audience_id is not null
  );
  if left_behind ? 'grants' and not newly_restricted then
    perform private.share_as_before(reattach_left_behind.task_id, in_project, left_behind);
  end if;
  perform set_config('kanbase.copying', 'on', true);
  insert into public.task_assignees (project_id, task_id, user_id)
  select in_project, t.id, a.user_id::uuid from jsonb_array_elements_text(left_behind -> 'assignees') a (user_id)
  join public.tasks t on t.id = reattach_left_behind.task_id
  where private.is_on_task(in_project, t.id, a.user_id::uuid)
    and (not newly_restricted or private.is_in_audience(in_project, t.audience_id, a.user_id::uuid))
  on conflict do nothing;
  perform set_config('kanbase.copying', 'off', true);
  insert into public.task_watchers (project_id, task_id, audience_id, user_id, reason, is_watching)
  select in_project, t.id, t.audience_id, w.user_id, w.reason, w.is_watching
  from jsonb_to_recordset(left_behind -> 'watchers') as w (user_id uuid, reason text, is_watching boolean)
  join public.tasks t on t.id = reattach_left_behind.task_id
  where private.is_on_task(in_project, t.id, w.user_id)
    and (not newly_restricted or private.is_in_audience(in_project, t.audience_id, w.user_id))
  on conflict do nothing;
  insert into public.task_field_values (project_id, task_id, field_id, value)
  select in_project, reattach_left_behind.task_id, f.id, private.read_field_value(f.kind, f.options, e.value)
  from jsonb_to_recordset(coalesce(left_behind -> 'fields', '[]')) as e (field_id uuid, value jsonb)
  join public.custom_fields f on f.project_id = in_project and f.id = e.field_id
  where private.read_field_value(f.kind, f.options, e.value) is not null and private.may_hold(f, e.value)
  on conflict on constraint task_field_values_pkey do update set value = excluded.value;
  for tie in select e from jsonb_array_elements(left_behind -> 'dependencies') e loop
    begin
      insert into public.task_dependencies (id, project_id, predecessor_id, successor_id, type, lag_days)
      select (tie ->> 'id')::uuid, in_project, p.id, s.id, (tie ->> 'type')::public.dependency_type, (tie ->> 'lag_days')::integer
      from public.tasks p, public.tasks s
      where p.id = (tie ->> 'predecessor_id')::uuid and p.project_id = in_project
        and s.id = (tie ->> 'successor_id')::uuid and s.project_id = in_project
      on conflict do nothing;
    exception when sqlstate 'KB002' or sqlstate 'KB021' or foreign_key_violation then
      -- Others have made the opposite one meanwhile, or restricted one of the tasks.
      null;
    end;
  end loop;
end
$$;
comment on function private.reattach_left_behind(uuid, uuid, jsonb) is 'Gives a task back what it left behind when it went.';
