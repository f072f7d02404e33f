-- Links to unsubscribe under grants: one row per person, named by the links of all mails that were sent in the same epoch.

create function private.grant_unsubscribing(person uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  now_epoch constant integer := private.epoch_for(person, null);
  granted uuid;
begin
  insert into public.access_grants as g (user_id, kind, epoch)
  select person, 'unsubscribe_link', now_epoch
  where now_epoch is not null and not exists (
    select from public.access_grants k where k.user_id = person and k.kind = 'unsubscribe_link' and k.epoch = now_epoch
  )
  on conflict on constraint access_grants_one_per_place do update
    set id = case when g.epoch = excluded.epoch then g.id else excluded.id end, epoch = excluded.epoch;
  select g.id into granted from public.access_grants g where g.user_id = person and g.kind = 'unsubscribe_link';
  return granted;
end
$$;
grant execute on function private.grant_unsubscribing(uuid) to kanbase_mail;
comment on function private.grant_unsubscribing(uuid) is 'The row that links to unsubscribe name; null: the account may not sign in.';

-- Whose link it is. Links of mails from before there were grants name the person, and hold until the epoch first rises.
create function private.who_unsubscribes(named uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select g.user_id from public.access_grants g
  where g.id = named and g.kind = 'unsubscribe_link' and private.is_grant_open(g.id)
  union all
  select u.id from auth.users u
  where u.id = named and u.access_epoch = 0 and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
$$;
grant execute on function private.who_unsubscribes(uuid) to kanbase_mail;
grant execute on function private.note_use_of_grant(uuid) to kanbase_mail;
comment on function private.who_unsubscribes(uuid) is 'Whose link to unsubscribe this is, if it is still good.';

-- What is held about a person: their grants too ---------------------------------------------------------------------------------

create function private.my_access_grants() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(g) - 'user_id' - 'epoch' order by g.created_at, g.id), '[]')
  from public.access_grants g where g.user_id = (select auth.uid())
$$;
grant execute on function private.my_access_grants() to authenticated, service_role;
comment on function private.my_access_grants() is 'What opens without a session for the caller.';

create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select held.data || jsonb_build_object('tasks', (
    select coalesce(jsonb_agg(t.task || jsonb_build_object(
      'parent_id', (select o.parent_id from public.tasks o where o.id = (t.task ->> 'id')::uuid),
      'fields', private.fields_in_words((t.task ->> 'project_id')::uuid, (t.task ->> 'id')::uuid),
      'repeats', (
        select jsonb_build_object('rule', r.rule, 'time_zone', r.time_zone, 'mode', r.mode, 'starts_on', r.starts_on, 'next_on', r.next_on,
          'paused_at', r.paused_at)
        from public.task_recurrences r where r.project_id = (t.task ->> 'project_id')::uuid and r.task_id = (t.task ->> 'id')::uuid
      )
    ) order by t.place), '[]')
    from jsonb_array_elements(held.data -> 'tasks') with ordinality as t (task, place)
  ), 'calendar_feeds', private.my_feeds(), 'access_grants', private.my_access_grants(), 'templates', private.my_templates(), 'reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
  from (select private.write_my_data() as data offset 0) as held
$$;
