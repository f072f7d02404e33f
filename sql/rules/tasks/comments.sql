-- Comments, reactions to them and resolved threads. A thread is a comment and its replies, one level deep. Owners and editors comment, and viewers where
-- the project lets them (private.my_discussions), and guests whose grant says so. Authors edit their own comments; a resolution is a row of its own, which any writer adds and deletes.

select private.project_rows('public.task_comments', writes => '{id, project_id, task_id, author_id, body, edited_at}', inserts => '{parent_id}',
  fixed => '{id, project_id, task_id, author_id}', author => 'author_id', fills_project => true, but => '{add, change, refuse_delete}',
  guests => 'write', program => 'comment');

create policy add on public.task_comments for insert to authenticated
  with check (project_id = any (array(select project_id from private.my_discussions))
    or task_id = any ((select private.guest_tasks('comment'))::uuid[]));
select private.make_policy('public.task_comments', 'change', format('for update to authenticated using (%s)
  with check (author_id = (select auth.uid()) and (project_id = any (array(select project_id from private.my_discussions))
    or task_id = any ((select private.guest_tasks(''comment''))::uuid[])))', private.in_sight('project_id')));

comment on table public.task_comments is 'What people say about a task. Authors edit and delete their own; owners of the project delete any.';
comment on column public.task_comments.author_id is 'Who said it: the caller, whatever the body says. Empty once their account is gone.';
comment on column public.task_comments.body is 'Markdown; @[Name](user-id) or @Name mentions a member.';
comment on column public.task_comments.program is 'The key or app that its author wrote it through, as {"kind", "sub", "name"}; kept by the database.';
comment on column public.task_comments.edited_at is 'When the words last changed; kept by the database.';
comment on column public.task_comments.parent_id is 'The comment it answers, of the same task; a thread is one deep.';

create or replace trigger task_comments_join_thread before insert on public.task_comments for each row
  when (new.parent_id is not null) execute function private.join_thread();
create or replace trigger task_comments_keep_edited_at before update on public.task_comments for each row
  when (old.body <> new.body or old.edited_at is distinct from new.edited_at) execute function private.keep_edited_at();
create or replace trigger task_comments_keep_new_edited_at before insert on public.task_comments for each row
  when (new.edited_at is not null) execute function private.keep_edited_at();
select private.refuse_deletes('public.task_comments',
  'not private.is_owner(old.project_id) and (old.author_id is distinct from auth.uid() or not private.may_comment_on(old.project_id, old.task_id))',
  'Authors delete their own comments, owners of the project delete any.');
create or replace trigger task_comments_index after insert or delete on public.task_comments for each row
  execute function private.index_commented_task();
create or replace trigger task_comments_index_change after update on public.task_comments for each row
  when (old.body <> new.body) execute function private.index_commented_task();
create or replace trigger task_comments_notify after insert on public.task_comments for each row
  when (current_setting('kanbase.importing', true) is distinct from 'on') execute function private.notify_of_comment();
create or replace trigger task_comments_notify_change after update on public.task_comments for each row
  when (old.body <> new.body and strpos(new.body, '@') > 0) execute function private.notify_of_comment();
create or replace trigger task_comments_record after insert or delete on public.task_comments for each row
  execute function private.record_comment();
create or replace trigger task_comments_record_change after update on public.task_comments for each row
  when (old.body <> new.body) execute function private.record_comment();

select private.project_rows('public.comment_reactions', inserts => '{project_id, task_id, comment_id, user_id, emoji}', keeps => 'created_at',
  but => '{add, change, refuse_delete}', guests => 'write', program => 'comment');

create policy add on public.comment_reactions for insert to authenticated
  with check (user_id = (select user_id from private.caller) and (project_id = any (array(select project_id from private.my_discussions))
    or task_id = any ((select private.guest_tasks('comment'))::uuid[])));

comment on table public.comment_reactions is 'What people think of a comment, an emoji each. Those who may comment react, and take back their own.';
comment on column public.comment_reactions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_reactions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_reactions.comment_id is 'The comment.';
comment on column public.comment_reactions.user_id is 'Who reacted: the caller.';
comment on column public.comment_reactions.emoji is 'A single emoji; up to 20 different ones for a comment (KB018).';

create or replace trigger comment_reactions_fill before insert on public.comment_reactions for each row
  when (new.project_id is null or new.task_id is null) execute function private.fill_from_comment();
create or replace trigger comment_reactions_limit after insert on public.comment_reactions for each row
  execute function private.limit_reactions();
select private.refuse_deletes('public.comment_reactions', '(old.user_id is distinct from private.me() or not private.may_comment_on(old.project_id, old.task_id))',
  'Everyone takes back their own reactions.');

select private.project_rows('public.comment_resolutions', inserts => '{project_id, task_id, comment_id, user_id}', keeps => 'created_at',
  but => '{add, change, refuse_delete}', guests => 'write');

create policy add on public.comment_resolutions for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      or task_id = any ((select private.guest_tasks('edit'))::uuid[])));

comment on table public.comment_resolutions is 'Threads that are done with, by their first comment. Writers resolve them and open them again.';
comment on column public.comment_resolutions.project_id is 'The project; filled from the comment when left out.';
comment on column public.comment_resolutions.task_id is 'The task; filled from the comment when left out.';
comment on column public.comment_resolutions.comment_id is 'The comment the thread begins with.';
comment on column public.comment_resolutions.user_id is 'Who resolved it: the caller. Empty once their account is gone.';

create or replace trigger comment_resolutions_fill before insert on public.comment_resolutions for each row
  when (new.project_id is null or new.task_id is null) execute function private.fill_from_comment();
select private.refuse_deletes('public.comment_resolutions', 'not private.may_edit_task(old.project_id, old.task_id)',
  'Owners and editors resolve threads and open them again.');

-- edited_at is when the body last changed; no client sets it.
create or replace function private.keep_edited_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if row_security_active(tg_relid) and current_user <> 'service_role' then
      new.edited_at := null;
    end if;
  else
    new.edited_at := case when old.body <> new.body then now() else old.edited_at end;
  end if;
  return new;
end
$$;

create or replace function private.join_thread() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.parent_id := coalesce((
    select c.parent_id from public.task_comments c
    where c.project_id = new.project_id and c.task_id = new.task_id and c.id = new.parent_id
  ), new.parent_id);
  return new;
end
$$;
comment on function private.join_thread() is 'Makes the reply to a reply one to the thread.';

-- Looks with the caller's rights: a missing comment and one in a foreign project get the same answer.
create or replace function private.fill_from_comment() returns trigger
language plpgsql set search_path = '' as $$
begin
  select c.project_id, c.task_id into new.project_id, new.task_id from public.task_comments c
  where c.id = new.comment_id and c.project_id = coalesce(new.project_id, c.project_id) and c.task_id = coalesce(new.task_id, c.task_id);
  if new.project_id is null then
    perform private.refuse('42501', format('new row violates row-level security policy for table "%s"', tg_table_name),
      'There is no comment with this comment_id, or you may not write in its project.');
  end if;
  return new;
end
$$;
comment on function private.fill_from_comment() is 'Fills project and task of what hangs on a comment.';

-- Runs when the row is in, so a foreign comment is refused by its policy before anything is counted.
create or replace function private.limit_reactions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 20;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.comment_id::text, 3087));
  if (
    select count(distinct r.emoji) from public.comment_reactions r
    where r.project_id = new.project_id and r.task_id = new.task_id and r.comment_id = new.comment_id
  ) > most then
    perform private.refuse('KB018', format('the comment has %s different reactions already', most), 'React with one of those.');
  end if;
  return null;
end
$$;
comment on function private.limit_reactions() is 'Keeps the different reactions to a comment few.';
