-- Public links: an owner lets everybody who has a secret address read a project, one task with its subtasks, or the tasks of a saved view, whose
-- filter the database asks of each of them (views/matching.sql). Who opens one gets a token of the
-- role share_link (server/identity/share-links), whose claim `share_link` is the id of the row. Policies of that role read private.my_share, which
-- looks the link up in each statement, so that a link that was revoked, has expired or whose author owns the project no more shows nothing at once.
-- Archived and restricted tasks are left out. Tokens and passwords are kept as hashes.

select private.served_rows('public.share_links', clients => 'select', program => 'none');
create policy read on public.share_links for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role = 'owner')));
comment on table public.share_links is 'Public links to read a project, a task or a saved view. Owners see and manage them, with create_share_link and revoke_share_link; tokens and passwords are kept as hashes.';
comment on column public.share_links.scope is 'project, task: that task with its subtasks, or view: the tasks of its filter.';
comment on column public.share_links.task_id is 'The task of a link of scope task.';
comment on column public.share_links.view_id is 'The saved view of a link of scope view; the link ends with it.';
comment on column public.share_links.view is 'Name, layout, filter and sort of the view as they were when the link was made: what changes in it later is not shared. "me" in its filter is who made the link, days are those of their time zone.';
comment on column public.share_links.options is 'Parts that are shown: {"names": …, "comments": …, "files": …}, each true or false.';
comment on column public.share_links.has_password is 'It asks for a password.';
comment on column public.share_links.created_by is 'Who made it; empty once their account is gone, and then it shows nothing.';
comment on column public.share_links.expires_at is 'Until when it works; empty: until it is revoked.';
comment on column public.share_links.revoked_at is 'When it was turned off, or its author stopped owning the project; kept by the database.';
comment on column public.share_links.last_used_at is 'When it was last opened; kept by the database.';
comment on column public.share_links.uses is 'Times it was opened; kept by the database.';
comment on table private.share_link_secrets is 'Hashes of the tokens and passwords of public links.';

create or replace trigger share_links_log_access after insert or update or delete on public.share_links for each row
  execute function private.log_share_link();

create or replace function private.log_share_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  link constant public.share_links := coalesce(new, old);
begin
  perform private.log_access(link.project_id, jsonb_build_object('kind', 'share_link', 'id', link.id),
    jsonb_build_object('role', case when tg_op <> 'INSERT' and old.revoked_at is null then 'viewer' end),
    jsonb_build_object('role', case when tg_op <> 'DELETE' and new.revoked_at is null then 'viewer' end),
    jsonb_strip_nulls(jsonb_build_object('scope', link.scope, 'task_id', link.task_id, 'view', link.view -> 'name')));
  return null;
end
$$;

-- Open links ----------------------------------------------------------------------------------------------------------------

create or replace view private.open_share_links with (security_barrier) as
select l.id, l.project_id, l.scope, l.task_id, l.options, l.has_password, l.created_by, l.expires_at, l.revoked_at, l.last_used_at, l.uses,
  l.created_at, l.updated_at, l.version, l.view_id, l.view
from public.share_links l
join public.projects p on p.id = l.project_id and p.deleted_at is null
join public.project_members m on m.project_id = l.project_id and m.user_id = l.created_by and m.role = 'owner'
join auth.users u on u.id = l.created_by and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
where private.has_not_ended(l.revoked_at, l.expires_at)
  and not exists (select from public.tasks t where t.id = l.task_id and t.audience_id is not null);
comment on view private.open_share_links is 'Public links that show something: neither revoked nor expired, of an author who owns the project and may sign in, not of a restricted task.';

create or replace view private.my_share with (security_barrier) as
select l.project_id, l.task_id, l.scope = 'project' as is_whole, (l.options -> 'names')::boolean as names, (l.options -> 'comments')::boolean as comments, l.id as link_id,
  coalesce((l.options -> 'files')::boolean, false) as files
from private.open_share_links l
where l.id = (select nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'share_link', '')::uuid);
grant select on private.my_share to share_link;
comment on view private.my_share is 'The public link that the caller has opened, if it is still open. Policies read it, once per statement.';

create or replace function private.tasks_of_view_link(link uuid) returns table (id uuid, column_id uuid)
language sql stable security definer rows 200 set search_path = '' as $$
  select t.id, t.column_id
  from private.open_share_links l
  left join public.notification_schedules s on s.user_id = l.created_by
  cross join lateral (select coalesce(s.time_zone, 'UTC') as zone) z
  cross join lateral private.tasks_of_filter(l.project_id, l.view -> 'filter', (now() at time zone z.zone)::date, z.zone, l.created_by) t
  where l.id = link and l.scope = 'view'
$$;

-- For policies; asked once per statement.
create or replace function private.tasks_of_my_view() returns table (id uuid, column_id uuid)
language sql stable security definer rows 200 set search_path = '' as $$
  select v.id, v.column_id from private.my_share s cross join lateral private.tasks_of_view_link(s.link_id) v
$$;
grant execute on function private.tasks_of_my_view() to share_link;

create or replace view private.my_shared_tasks with (security_barrier) as
with recursive part as (
  select t.project_id, t.id, t.column_id
  from private.my_share s join public.tasks t on t.project_id = s.project_id and t.id = s.task_id
  union
  select t.project_id, t.id, t.column_id
  from part join public.tasks t on t.project_id = part.project_id and t.parent_id = part.id
  where t.archived_at is null
)
select id, column_id from part
union all
select t.id, t.column_id
from private.my_share s join public.tasks t on t.project_id = s.project_id and t.archived_at is null and t.audience_id is null
where s.is_whole
union all
select v.id, v.column_id from private.tasks_of_my_view() v;
grant select on private.my_shared_tasks to share_link;
comment on view private.my_shared_tasks is 'The tasks that the caller''s public link shows.';

create or replace view private.my_shared_dependencies with (security_barrier) as
select d.id
from private.my_share s join public.task_dependencies d on d.project_id = s.project_id
where d.predecessor_id in (select t.id from private.my_shared_tasks t) and d.successor_id in (select t.id from private.my_shared_tasks t);
grant select on private.my_shared_dependencies to share_link;
comment on view private.my_shared_dependencies is 'Dependencies among the tasks that the caller''s public link shows.';

create or replace view private.my_shared_labels with (security_barrier) as
select k.label_id
from private.my_share s join public.task_label_links k on k.project_id = s.project_id
where k.task_id in (select t.id from private.my_shared_tasks t);
grant select on private.my_shared_labels to share_link;
comment on view private.my_shared_labels is 'Labels on the tasks that the caller''s public link shows.';

create or replace view private.my_shared_fields with (security_barrier) as
select v.field_id
from private.my_share s join public.task_field_values v on v.project_id = s.project_id
where v.task_id in (select t.id from private.my_shared_tasks t);
grant select on private.my_shared_fields to share_link;
comment on view private.my_shared_fields is 'Fields that the tasks of the caller''s public link hold something in.';

create or replace view private.my_shared_people with (security_barrier) as
select a.user_id
from private.my_share s join public.task_assignees a on a.project_id = s.project_id
where s.names and a.task_id in (select t.id from private.my_shared_tasks t)
union
select c.author_id
from private.my_share s join public.task_comments c on c.project_id = s.project_id
where s.names and s.comments and c.task_id in (select t.id from private.my_shared_tasks t);
grant select on private.my_shared_people to share_link;
comment on view private.my_shared_people is 'Assignees and authors of comments on shared tasks, where the link shows names.';

create or replace view private.my_shared_files with (security_barrier) as
select a.object_path
from private.my_share s join public.task_attachments a on a.project_id = s.project_id
where s.files and a.task_id in (select t.id from private.my_shared_tasks t);
grant select on private.my_shared_files to share_link;
comment on view private.my_shared_files is 'Attachments of shared tasks, where the link shows files.';

-- Downloads with the link's own token; it signs no address, which would outlive the link (server/files/links).
create policy read_shared on storage.objects for select to share_link
  using (bucket_id = 'attachments' and name in (select object_path from private.my_shared_files));

-- Read policies and grants of the role share_link, on all tables that it may read. What belongs to the project is shown whole by a link to the project,
-- and by a link to a task or a view as far as its tasks use it.
create or replace function private.shared_rows() returns setof text
language plpgsql set search_path = '' as $$
declare
  of_project constant text := 'project_id = any (array(select project_id from private.my_share%s))';
  is_whole constant text := '(select is_whole from private.my_share)';
  tasks constant text := '(select id from private.my_shared_tasks)';
  all_of constant text := format(of_project, '');
  of_task constant text := all_of || ' and task_id in ' || tasks;
begin
  return query select r.made from (values
    ('projects', 'id = any (array(select project_id from private.my_share))'),
    ('workflow_columns', format('%s and (%s or id in (select column_id from private.my_shared_tasks))', all_of, is_whole)),
    ('tasks', format('%s and id in %s', all_of, tasks)),
    ('task_labels', format('%s and (%s or id in (select label_id from private.my_shared_labels))', all_of, is_whole)),
    ('task_label_links', of_task),
    ('task_checklist_items', of_task),
    ('task_dependencies', all_of || ' and id in (select id from private.my_shared_dependencies)'),
    ('custom_fields', format('%s and (%s or id in (select field_id from private.my_shared_fields))', all_of, is_whole)),
    ('task_field_values', of_task),
    ('task_attachments', of_task),
    ('task_assignees', format('%s and task_id in %s', format(of_project, ' where names'), tasks)),
    ('task_comments', format('%s and task_id in %s', format(of_project, ' where comments'), tasks)),
    ('profiles', 'id in (select user_id from private.my_shared_people)')
  ) s (name, condition)
  cross join lateral (values
    (private.make_policy(('public.' || s.name)::regclass, 'read_shared', format('for select to share_link using (%s)', s.condition))),
    (private.make_grant(('public.' || s.name)::regclass, 'select', 'share_link'))
  ) r (made);
end
$$;
select private.shared_rows();

-- Managing ------------------------------------------------------------------------------------------------------------------

create or replace function private.raise_no_share_link() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('PT404', 'no such public link', 'There is none with this id, or you are no owner of its project.');
end
$$;

create or replace function private.issue_share_link(of_project uuid, of_task uuid, days integer, password_hash text, options jsonb, of_view uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_open constant integer := 100;
  most_kept constant integer := 200;
  me constant uuid := private.require_user();
  token constant text := private.draw_token();
  shown constant jsonb := '{"names": false, "comments": false, "files": false}'::jsonb || coalesce(options, '{}');
  shared constant public.saved_views := (
    select v from public.saved_views v where v.id = of_view and v.project_id = of_project and (v.is_shared or v.owner_id = me)
  );
  link public.share_links;
begin
  perform private.require_owner_of(of_project, 'can make a public link');
  if of_task is not null and not exists (select from public.tasks t where t.project_id = of_project and t.id = of_task) then
    perform private.raise_not_found('task');
  elsif of_view is not null and shared.id is null then
    perform private.raise_not_found('view');
  elsif of_task is not null and of_view is not null then
    perform private.refuse('22023', 'a public link is to a task or to a view', 'Send one of them, or neither for the whole project.');
  elsif exists (select from public.tasks t where t.id = of_task and t.audience_id is not null) then
    perform private.refuse('22023', 'a restricted task has no public link', 'Lift the restriction first.');
  elsif jsonb_typeof(shown) <> 'object' or shown - '{names,comments,files}'::text[] <> '{}'
    or 'boolean' <> any (array[jsonb_typeof(shown -> 'names'), jsonb_typeof(shown -> 'comments'), jsonb_typeof(shown -> 'files')]) then
    perform private.refuse('22023', 'options of a public link are names, comments and files', 'Send each as true or false.');
  elsif password_hash !~ '^\$(argon2id?|2[abxy])\$.{20,250}$' then
    perform private.refuse('22023', 'password_hash is no hash of argon2 or bcrypt', 'Send the password itself to POST /auth/v1/share_links.');
  end if;
  perform from public.projects p where p.id = of_project for no key update;
  if (select count(*) from private.open_share_links l where l.project_id = of_project) >= most_open then
    perform private.refuse('PT400', format('this project has %s public links', most_open), 'Revoke one that is needed no more.');
  end if;
  delete from public.share_links l where l.id in (
    select o.id from public.share_links o where o.project_id = of_project order by o.created_at desc, o.id desc offset most_kept - 1
  ) and l.id not in (select o.id from private.open_share_links o where o.project_id = of_project);
  insert into public.share_links (project_id, scope, task_id, view_id, view, options, has_password, created_by, expires_at)
  values (of_project, case when of_task is not null then 'task' when of_view is not null then 'view' else 'project' end, of_task, of_view,
    case when of_view is not null then jsonb_build_object('name', shared.name, 'layout', shared.layout, 'filter', shared.filter, 'sort', shared.sort) end,
    shown, password_hash is not null, me, private.end_after(days, 365, 'a public link'))
  returning * into link;
  insert into private.share_link_secrets (link_id, token_hash, password_hash)
  values (link.id, private.hash_token(token), issue_share_link.password_hash);
  return to_jsonb(link) || jsonb_build_object('token', token);
end
$$;
grant execute on function private.issue_share_link(uuid, uuid, integer, text, jsonb, uuid) to authenticated;

create or replace function public.create_share_link(
  project_id uuid, task_id uuid default null, days integer default 30, password_hash text default null, options jsonb default '{}', view_id uuid default null
) returns jsonb
language sql volatile set search_path = '' as $$
  select private.issue_share_link(create_share_link.project_id, create_share_link.task_id, create_share_link.days, create_share_link.password_hash,
    create_share_link.options, create_share_link.view_id)
$$;
grant execute on function public.create_share_link(uuid, uuid, integer, text, jsonb, uuid) to authenticated;
comment on function public.create_share_link(uuid, uuid, integer, text, jsonb, uuid) is 'Makes a public link to read a project, one of its tasks with subtasks, or the tasks of one of its saved views as it is now (owners only), for so many days (null: until revoked). options: names (assignees and authors are shown), comments, files (attachments are downloaded); none unless said. Returns the row with its token, which is not told again: /share# and the token is the link. One with a password is made at POST /auth/v1/share_links, which hashes it.';

create or replace function private.end_share_link(of_link uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  entry constant jsonb := jsonb_build_object('id', of_link);
  was_left boolean;
begin
  perform private.require_user();
  -- Asked before and after, since its task may be on its way to another project or back.
  was_left := private.remove_left_shares(private.owned_projects(), 'links', entry);
  update public.share_links l set revoked_at = coalesce(l.revoked_at, now()) where l.id = of_link and private.is_owner(l.project_id);
  if not (found or was_left or private.remove_left_shares(private.owned_projects(), 'links', entry)) then
    perform private.raise_no_share_link();
  end if;
end
$$;
grant execute on function private.end_share_link(uuid) to authenticated;

create or replace function public.revoke_share_link(link_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.end_share_link(revoke_share_link.link_id)
$$;
grant execute on function public.revoke_share_link(uuid) to authenticated;
comment on function public.revoke_share_link(uuid) is 'Turns a public link off at once, also one of a task that moved away and may come back (owners only).';

-- Opening, by the identity door -----------------------------------------------------------------------------------------------

create or replace function auth.find_share_link(token text) returns table (id uuid, password_hash text, seconds integer, shown jsonb)
language sql stable security definer set search_path = '' as $$
  select l.id, s.password_hash, ceil(extract(epoch from l.expires_at - now()))::integer,
    jsonb_build_object('project_id', l.project_id, 'task_id', l.task_id, 'options', l.options, 'view', l.view - 'filter')
  from private.share_link_secrets s join private.open_share_links l on l.id = s.link_id
  where s.token_hash = private.hash_token(find_share_link.token)
$$;
grant execute on function auth.find_share_link(text) to kanbase_identity;
comment on function auth.find_share_link(text) is 'The open public link of a token, how long it is open yet, and what it shows.';

create or replace function auth.count_share_link_use(link uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.share_links l set uses = l.uses + 1, last_used_at = now() where l.id = count_share_link_use.link
$$;
grant execute on function auth.count_share_link_use(uuid) to kanbase_identity;
comment on function auth.count_share_link_use(uuid) is 'Counts that a public link was opened.';
