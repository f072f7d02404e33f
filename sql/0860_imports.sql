-- What was brought in from elsewhere: each import, which row each thing of the file became, and what was there before. So an import that is
-- run again updates what it made, one that was cut short goes on, and one that was a mistake is undone.
--
-- The server writes all of it as the person who imports: these policies are the ones that decide. Nothing here is served.

create table private.imports (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  source text not null,
  file_name text not null,
  state text not null default 'running',
  total integer not null default 0,
  done integer not null default 0,
  counts jsonb not null default '{}',
  problems jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint imports_id_of_user unique (id, user_id),
  constraint imports_state_known check (state in ('running', 'done', 'cancelled', 'failed', 'undone')),
  constraint imports_source_length check (char_length(source) between 1 and 40),
  constraint imports_file_name_length check (char_length(file_name) <= 500),
  constraint imports_counts_not_negative check (total >= 0 and done >= 0)
);
create index imports_project_id_idx on private.imports (project_id);
create index imports_user_id_idx on private.imports (user_id, created_at desc);

alter table private.imports enable row level security;

create policy read_own on private.imports for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy add_own on private.imports for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
create policy change_own on private.imports for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));

grant select on private.imports to authenticated;
grant insert (project_id, user_id, source, file_name, total) on private.imports to authenticated;
grant update (state, total, done, counts, problems, updated_at) on private.imports to authenticated;
-- no delete grant: what was imported, and that it was undone, is kept

comment on table private.imports is 'What was brought in from elsewhere, by whom, how far it came, and what could not be read of it.';

-- Belongs to the project, not to who imported: when a colleague brings the same board again, it is still the same board.
create table private.import_origins (
  project_id uuid not null references public.projects (id) on delete cascade,
  scope text not null,
  kind text not null,
  origin text not null,
  row_id uuid not null,
  digest text not null,
  primary key (project_id, scope, kind, origin),
  constraint import_origins_kind_known check (kind in ('task', 'comment', 'item')),
  constraint import_origins_lengths check (char_length(scope) <= 200 and char_length(origin) <= 300)
);
create index import_origins_row_idx on private.import_origins (project_id, row_id);

alter table private.import_origins enable row level security;

create policy writers on private.import_origins for all to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));

grant select, insert, update, delete on private.import_origins to authenticated;

comment on table private.import_origins is 'Which row each thing of an imported file became, and a digest of what the file said of it.';

create table private.import_changes (
  import_id uuid not null,
  -- the same as of the import: policies read it here
  user_id uuid not null default auth.uid(),
  kind text not null,
  row_id uuid not null,
  before jsonb,
  primary key (import_id, kind, row_id),
  constraint import_changes_of_own_import foreign key (import_id, user_id) references private.imports (id, user_id) on delete cascade,
  constraint import_changes_kind_known check (kind in ('task', 'comment', 'item', 'column', 'label', 'label_link', 'assignee', 'dependency'))
);

create index import_changes_import_idx on private.import_changes (import_id, user_id);
create index import_changes_user_id_idx on private.import_changes (user_id);

alter table private.import_changes enable row level security;

create policy own on private.import_changes for all to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller));

grant select, insert, delete on private.import_changes to authenticated;

comment on table private.import_changes is 'What an import made (before: null) and what it changed, as it was before.';

-- Which of these addresses belong to members of a project that the caller may write in: assignees are matched by it. It tells no address.
create function private.members_by_address(project uuid, addresses text[])
returns table (address text, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select lower(u.email), m.user_id
  from public.project_members m
  join auth.users u on u.id = m.user_id
  where m.project_id = project and lower(u.email) = any (select lower(a) from unnest(addresses) a)
    and private.is_writer(project)
$$;
grant execute on function private.members_by_address(uuid, text[]) to authenticated;
comment on function private.members_by_address(uuid, text[]) is 'The members of a project that have one of these addresses.';

-- Nobody is told of what an import does: fifty thousand mails about old tasks would be no news.
alter function private.notify(private.news[]) rename to notify_at_once;

create function private.notify(news private.news[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('kanbase.importing', true) = 'on' then
    return;
  end if;
  perform private.notify_at_once(news);
end
$$;
revoke all on function private.notify(private.news[]) from public;
comment on function private.notify(private.news[]) is 'Tells people news, after their own choice; not while an import writes.';

-- Who is to be told of a comment is a long question; an import need not ask it of each.
drop trigger task_comments_notify on public.task_comments;
create trigger task_comments_notify after insert on public.task_comments for each row
  when (current_setting('kanbase.importing', true) is distinct from 'on') execute function private.notify_of_comment();

-- Tasks and comments that are imported keep their own dates. `kanbase.importing` is set by the server alone, for its own statements.
create or replace function private.keep_task() returns trigger
language plpgsql set search_path = '' as $$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role'
    and current_setting('kanbase.importing', true) is distinct from 'on';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
      new.started_at := old.started_at;
      new.completed_at := old.completed_at;
      if old.archived_at is null and new.archived_at is not null then
        new.archived_at := now();
      end if;
    end if;
  elsif client then
    new.number := null;
    new.started_at := null;
    new.completed_at := null;
    new.archived_at := case when new.archived_at is not null then now() end;
    new.created_at := now();
    new.updated_at := now();
  end if;
  return new;
end
$$;

create or replace function private.keep_times() returns trigger
language plpgsql set search_path = '' as $$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role'
    and current_setting('kanbase.importing', true) is distinct from 'on';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    if client then
      new.created_at := old.created_at;
    end if;
  elsif client then
    new.created_at := now();
    new.updated_at := now();
  else
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := coalesce(new.updated_at, now());
  end if;
  return new;
end
$$;
