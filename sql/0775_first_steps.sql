-- Which of the first steps of an account are done: read from what is there, so that the list ticks itself.

create function public.my_first_steps() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'project', exists (select from public.project_members m where m.user_id = auth.uid()),
    'task', exists (select from public.tasks t where t.created_by = auth.uid()),
    'moved', exists (select from public.task_activity a where a.actor_id = auth.uid() and a.kind = 'moved'),
    'invited', exists (select from public.project_invitations i where i.invited_by = auth.uid())
      or exists (
        select from public.project_members mine join public.project_members other on other.project_id = mine.project_id
        where mine.user_id = auth.uid() and other.user_id <> mine.user_id
      ),
    'hears', exists (select from public.notification_settings s where s.user_id = auth.uid())
      or exists (select from public.push_subscriptions s where s.user_id = auth.uid())
  )
$$;
grant execute on function public.my_first_steps() to authenticated;

comment on function public.my_first_steps() is 'Which first steps the caller has done: project (is in one), task (made one), moved (moved one), invited (is not alone), hears (chose what to hear of).';
