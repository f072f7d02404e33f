-- Imports from other products: each import, the row that each thing of the file became, and the state before it. So an import that runs again
-- updates its own rows, one that was cut short goes on, and a mistake is undone. Jobs hold the uploaded file and the choices of a person; a node
-- claims one for a minute at a time, so that another takes over when it has gone.
-- The server writes everything as the person who imports: these policies decide. Nothing here is served.

create policy read_own on private.imports for select to authenticated using (user_id = (select user_id from private.caller));
create policy add_own on private.imports for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
create policy change_own on private.imports for update to authenticated
  using (user_id = (select user_id from private.caller)) with check (user_id = (select user_id from private.caller));

grant select on private.imports to authenticated;
grant
  insert (project_id, user_id, source, file_name, total),
  update (state, total, done, counts, problems, updated_at)
  on private.imports to authenticated;
comment on table private.imports is 'What was brought in from elsewhere, by whom, how far it came, and what could not be read of it.';

create policy writers on private.import_origins for all to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
grant insert, select, update, delete on private.import_origins to authenticated;
comment on table private.import_origins is 'Which row each thing of an imported file became, and a digest of what the file said of it.';

create policy own on private.import_changes for all to authenticated
  using (user_id = (select user_id from private.caller)) with check (user_id = (select user_id from private.caller));
grant insert, select, delete on private.import_changes to authenticated;
comment on table private.import_changes is 'What an import made (before: null) and what it changed, as it was before.';

create policy read_own on private.import_jobs for select to authenticated using (user_id = (select user_id from private.caller));
create policy add_own on private.import_jobs for insert to authenticated
  with check (user_id = (select user_id from private.caller) and state = 'ready' and project_id is null);
create policy change_own on private.import_jobs for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller)
    and (project_id is null
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      -- a person who lost the project may still be told that the import failed
      or state in ('failed', 'cancelled')));
create policy remove_own on private.import_jobs for delete to authenticated using (user_id = (select user_id from private.caller));

grant select, delete on private.import_jobs to authenticated;
grant
  update (project_id, import_id, file, product, choices, is_new, state, is_cancelled, result, failure, updated_at),
  insert (file, file_name, product, choices)
  on private.import_jobs to authenticated;
comment on table private.import_jobs is 'Imports begun by a person: the file, what they chose, how far it came. Files that nobody goes on with are thrown away after a day.';
comment on column private.import_jobs.crashes is 'Times a process ended while it held the import.';

create or replace trigger import_jobs_free before update of state on private.import_jobs
  for each row execute function private.clear_import_job_holder();
create or replace trigger import_jobs_tell after update of state on private.import_jobs for each row
  when (new.state in ('waiting', 'undoing')) execute function private.notify_import_workers();
create or replace trigger import_jobs_tell_cancelled after update of is_cancelled on private.import_jobs for each row
  when (new.is_cancelled and not old.is_cancelled and new.state = 'running') execute function private.notify_import_workers();

-- private.awaited_assignees: assignees by the address of a person who is invited
create policy writers on private.awaited_assignees for all to authenticated
  using (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))))
  with check (project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor'))));
grant insert, select, delete on private.awaited_assignees to authenticated;
comment on table private.awaited_assignees is 'Whose an imported task was who is invited and has not joined yet: assigned when they do.';

-- For matching assignees, in a project that the caller may write in. It reveals no address.
create or replace function private.members_by_address(project uuid, addresses text[]) returns table (address text, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select lower(u.email), m.user_id
  from public.project_members m
  join auth.users u on u.id = m.user_id
  where m.project_id = project and lower(u.email) = any (select lower(a) from unnest(addresses) a)
    and private.is_writer(project)
$$;
grant execute on function private.members_by_address(uuid, text[]) to authenticated;
comment on function private.members_by_address(uuid, text[]) is 'The members of a project that have one of these addresses.';

-- A trigger of project_members, for people who join with a verified address. Nobody is notified, as with everything that an import brings.
create or replace function private.assign_imported_tasks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  importing constant text := current_setting('kanbase.importing', true);
begin
  perform set_config('kanbase.importing', 'on', true);
  with theirs as (
    delete from private.awaited_assignees w using auth.users u
    where u.id = new.user_id and u.email_confirmed_at is not null and w.project_id = new.project_id and w.email = lower(u.email)
    returning w.task_id
  )
  insert into public.task_assignees (project_id, task_id, user_id)
  select new.project_id, t.task_id, new.user_id from theirs t
  on conflict do nothing;
  perform set_config('kanbase.importing', coalesce(importing, ''), true);
  return null;
end
$$;

-- Jobs --------------------------------------------------------------------------------------------------------------------

-- A job that ends or begins anew is held by nobody.
create or replace function private.clear_import_job_holder() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.state is distinct from old.state and new.state <> 'running' then
    new.held_by := null;
    new.held_until := null;
    new.tries := 0;
    new.crashes := 0;
  end if;
  return new;
end
$$;

create or replace function private.notify_import_workers() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('kanbase_import_jobs', '');
  return null;
end
$$;

-- The error is a text for people; the file is of no use any more.
create or replace function private.fail_broken_imports() returns void
language sql volatile set search_path = '' as $$
  update private.import_jobs j set state = 'failed', file = null, updated_at = now(),
    failure = case when j.crashes >= 2
      then 'The import broke off twice and won''t be started again. Export less at once, or ask your administrator to run npx kanbase import.'
      else 'The import couldn''t be finished: the server gave up after four tries. Please try again later.' end
  where j.state in ('waiting', 'running', 'undoing') and (j.crashes >= 2 or j.tries >= 4) and (j.held_until is null or j.held_until < now());
$$;
comment on function private.fail_broken_imports() is 'Ends imports that took a process down twice, or did not pass four times.';

-- The oldest. Accounts that are gone or banned get no work done.
create or replace function private.claim_import_job(holder uuid) returns table (id uuid, user_id uuid)
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.import_jobs j where j.state = 'ready' and j.updated_at < now() - interval '1 day';
  -- whoever held it has neither given it back nor asked for longer
  update private.import_jobs j set crashes = j.crashes + 1, held_by = null, held_until = null
  where j.state in ('running', 'undoing') and j.held_by is not null and j.held_until < now();
  perform private.fail_broken_imports();
  return query
    update private.import_jobs j
    set held_by = holder, held_until = now() + interval '1 minute', tries = j.tries + 1, updated_at = now(),
      state = case j.state when 'waiting' then 'running' else j.state end
    where j.id = (
      select c.id from private.import_jobs c
      join auth.users u on u.id = c.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
      where c.state in ('waiting', 'running', 'undoing') and (c.held_until is null or c.held_until < now())
      order by c.created_at
      for update of c skip locked
      limit 1)
    returning j.id, j.user_id;
end
$$;
grant execute on function private.claim_import_job(uuid) to kanbase_imports;
comment on function private.claim_import_job(uuid) is 'An import that nobody works on, held for a minute by whoever asks.';

create or replace function private.extend_import_claim(job uuid, holder uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  cancelled boolean;
begin
  update private.import_jobs j set held_until = now() + interval '1 minute'
  from auth.users u
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
    and u.id = j.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until < now())
  returning j.is_cancelled and j.state = 'running' into cancelled;
  return case when not found then 'lost' when cancelled then 'cancelled' else 'held' end;
end
$$;
grant execute on function private.extend_import_claim(uuid, uuid) to kanbase_imports;
comment on function private.extend_import_claim(uuid, uuid) is 'Holds an import for another minute: held, cancelled by its owner, or lost to another node.';

-- For a node that stops.
create or replace function private.release_import_job(job uuid, holder uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update private.import_jobs j set held_until = null, held_by = null, tries = greatest(j.tries - 1, 0)
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$$;
grant execute on function private.release_import_job(uuid, uuid) to kanbase_imports;
comment on function private.release_import_job(uuid, uuid) is 'Gives an import back, for another node or the next start.';

-- For a process that ended without giving the job back.
create or replace function private.count_import_crash(job uuid, holder uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.import_jobs j set crashes = j.crashes + 1, held_by = null, held_until = null
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing');
  perform private.fail_broken_imports();
end
$$;
grant execute on function private.count_import_crash(uuid, uuid) to kanbase_imports;
comment on function private.count_import_crash(uuid, uuid) is 'Counts that the process which read or wrote an import has ended; the second time it fails.';

-- For obstacles that pass by themselves, such as a database that is away: tried up to four times.
create or replace function private.postpone_import_job(job uuid, holder uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update private.import_jobs j set held_by = null, held_until = now() + interval '30 seconds'
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$$;
grant execute on function private.postpone_import_job(uuid, uuid) to kanbase_imports;
comment on function private.postpone_import_job(uuid, uuid) is 'Gives an import back for half a minute: what stood in its way may pass.';
