-- Comments answer each other, are reacted to, and threads are done with. A thread is a comment and its replies, one deep; that it is
-- resolved is a row of its own, which any writer makes and takes away, while the comment stays its author's.

alter table public.task_comments
  add column parent_id uuid,
  add constraint task_comments_task_key unique (project_id, task_id, id),
  -- replies to what is deleted stay, as comments by themselves
  add constraint task_comments_parent_of_same_task foreign key (project_id, task_id, parent_id)
    references public.task_comments (project_id, task_id, id) on delete set null (parent_id);
create index task_comments_parent_id_idx on public.task_comments (project_id, task_id, parent_id);
grant insert (parent_id) on public.task_comments to authenticated;
-- no update grant on parent_id: a reply stays where it was said

-- Who answers a reply answers the thread.
create function private.join_thread() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.parent_id := coalesce((
    select c.parent_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ), new.parent_id);
  return new;
end
$$;
create trigger task_comments_join_thread before insert on public.task_comments for each row
  when (new.parent_id is not null) execute function private.join_thread();

-- The project and the task of what hangs on a comment. It looks with the caller's eyes: the same answer for a comment that is not there
-- and one of a foreign project.
create function private.fill_from_comment() returns trigger
language plpgsql set search_path = '' as $$
begin
  select c.project_id, c.task_id into new.project_id, new.task_id from public.task_comments c
  where c.id = new.comment_id and c.project_id = coalesce(new.project_id, c.project_id) and c.task_id = coalesce(new.task_id, c.task_id);
  if new.project_id is null then
    raise exception using
      errcode = '42501',
      message = format('new row violates row-level security policy for table "%s"', tg_table_name),
      hint = 'There is no comment with this comment_id, or you may not write in its project.';
  end if;
  return new;
end
$$;

create table public.comment_reactions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  -- points at the account, whose id the profile shares: `profiles` of a comment is its author (0425)
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  emoji text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, comment_id, user_id, emoji),
  constraint comment_reactions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade,
  constraint comment_reactions_emoji_known check (emoji in ('👍', '👎', '❤️', '🎉', '😄', '👀', '🚀', '✅'))
);
create index comment_reactions_task_id_idx on public.comment_reactions (task_id);
create index comment_reactions_user_id_idx on public.comment_reactions (user_id, project_id);

alter table public.comment_reactions enable row level security;

create policy read on public.comment_reactions for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy add on public.comment_reactions for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
-- lets every member through: comment_reactions_refuse_delete then refuses all but oneself with 403, where a policy would say nothing
create policy remove on public.comment_reactions for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on public.comment_reactions to service_role using (true) with check (true);

grant select on public.comment_reactions to anon, authenticated;
-- no update grant: a reaction is made and taken back
grant insert (project_id, task_id, comment_id, user_id, emoji, created_at), delete on public.comment_reactions to authenticated;
grant all on public.comment_reactions to service_role;

create trigger comment_reactions_keep_new before insert on public.comment_reactions for each row
  when (new.created_at is distinct from now()) execute function private.keep_created_at();
create trigger comment_reactions_refuse_delete before delete on public.comment_reactions for each row
  when (row_security_active('public.comment_reactions') and current_user <> 'service_role'
    and (old.user_id is distinct from private.me() or not private.is_writer(old.project_id)))
  execute function private.refuse_delete('Everyone takes back their own reactions.');
create trigger comment_reactions_fill before insert on public.comment_reactions for each row
  when (new.project_id is null or new.task_id is null) execute function private.fill_from_comment();

create table public.comment_resolutions (
  project_id uuid not null,
  task_id uuid not null,
  comment_id uuid not null,
  user_id uuid default auth.uid() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (project_id, task_id, comment_id),
  constraint comment_resolutions_comment_of_same_task foreign key (project_id, task_id, comment_id)
    references public.task_comments (project_id, task_id, id) on delete cascade
);
create index comment_resolutions_task_id_idx on public.comment_resolutions (task_id);
create index comment_resolutions_user_id_idx on public.comment_resolutions (user_id);

alter table public.comment_resolutions enable row level security;

create policy read on public.comment_resolutions for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy add on public.comment_resolutions for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
-- lets every member through: comment_resolutions_refuse_delete then refuses viewers with 403, where a policy would say nothing
create policy remove on public.comment_resolutions for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)));
create policy service on public.comment_resolutions to service_role using (true) with check (true);

grant select on public.comment_resolutions to anon, authenticated;
-- no update grant: a thread is resolved or it is not
grant insert (project_id, task_id, comment_id, user_id, created_at), delete on public.comment_resolutions to authenticated;
grant all on public.comment_resolutions to service_role;

create trigger comment_resolutions_keep_new before insert on public.comment_resolutions for each row
  when (new.created_at is distinct from now()) execute function private.keep_created_at();
create trigger comment_resolutions_refuse_delete before delete on public.comment_resolutions for each row
  when (row_security_active('public.comment_resolutions') and current_user <> 'service_role' and not private.is_writer(old.project_id))
  execute function private.refuse_delete('Owners and editors resolve threads and open them again.');
create trigger comment_resolutions_fill before insert on public.comment_resolutions for each row
  when (new.project_id is null or new.task_id is null) execute function private.fill_from_comment();

-- A comment notifies those it mentions, then those who watch the task, and whose comment it answers, also if they have stopped watching.
-- An edit notifies the newly mentioned.
create or replace function private.notify_of_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mentioned uuid[] := private.mentioned_members(new.project_id, new.body);
  answered constant uuid := case when tg_op = 'INSERT' and new.parent_id is not null then (
    select c.author_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ) end;
  data constant jsonb := jsonb_build_object('comment_id', new.id, 'excerpt', left(new.body, 200));
begin
  if tg_op = 'UPDATE' then
    mentioned := array(select unnest(mentioned) except select unnest(private.mentioned_members(old.project_id, old.body)));
  else
    perform private.add_watchers(array[row(new.project_id, new.task_id, new.author_id)::private.watcher], 'commenter');
  end if;
  perform private.add_watchers(array(select row(new.project_id, new.task_id, m)::private.watcher from unnest(mentioned) m), 'mentioned');
  perform private.notify(array(
    select row(m, 'mentioned', new.project_id, new.task_id, data)::private.news from unnest(mentioned) m
    where m is distinct from new.author_id
    union all
    select row(w, 'commented', new.project_id, new.task_id, case w when answered then data || jsonb_build_object('answers_id', new.parent_id) else data end)::private.news
    from (select w from private.watchers_of(new.project_id, new.task_id) w union select answered where answered is not null) h (w)
    where tg_op = 'INSERT' and w <> all (mentioned) and w is distinct from new.author_id
  ));
  return null;
end
$$;

-- What a mail says of a task, or of a project: who did what, the oldest first.
create or replace function private.mail_entries(ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'kind', n.kind, 'also', n.data -> 'also', 'actor_name', a.display_name, 'excerpt', n.data -> 'excerpt', 'from', n.data -> 'from',
      'to', n.data -> 'to', 'count', n.data -> 'count', 'due_date', n.data -> 'due_date', 'answers_id', n.data -> 'answers_id'
    )) order by n.created_at)
    from public.notifications n left join public.profiles a on a.id = n.actor_id
    where n.id = any (ids)
  );
end
$$;

-- What somebody gave others as signs is theirs too.
create or replace function public.export_my_data() returns jsonb
language sql stable set search_path = '' as $$
  select private.write_my_data() || jsonb_build_object('reactions', (
    select coalesce(jsonb_agg(jsonb_build_object('project_id', r.project_id, 'task_id', r.task_id, 'comment_id', r.comment_id, 'emoji', r.emoji,
      'created_at', r.created_at) order by r.created_at, r.comment_id, r.emoji), '[]')
    from public.comment_reactions r where r.user_id = (select auth.uid())
  ))
$$;

comment on column public.task_comments.parent_id is 'The comment it answers, of the same task; a thread is one deep.';
comment on function private.join_thread() is 'Makes the reply to a reply one to the thread.';
comment on function private.fill_from_comment() is 'Fills project and task of what hangs on a comment.';
comment on table public.comment_reactions is 'What people think of a comment, in one of a few signs. Writers react, and take back their own.';
comment on column public.comment_reactions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_reactions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_reactions.comment_id is 'The comment.';
comment on column public.comment_reactions.user_id is 'Who reacted: the caller.';
comment on column public.comment_reactions.emoji is 'One of 👍 👎 ❤️ 🎉 😄 👀 🚀 ✅.';
comment on column public.comment_reactions.created_at is 'When the row was made; kept by the database.';
comment on table public.comment_resolutions is 'Threads that are done with, by their first comment. Writers resolve them and open them again.';
comment on column public.comment_resolutions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_resolutions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_resolutions.comment_id is 'The comment the thread begins with.';
comment on column public.comment_resolutions.user_id is 'Who resolved it: the caller. Empty once their account is gone.';
comment on column public.comment_resolutions.created_at is 'When the row was made; kept by the database.';
