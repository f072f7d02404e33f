-- An import whose process went without giving it back is counted; the second time it fails and is not begun again. What passes by itself, such as a
-- database that was away, is given back by whoever held it and tried up to four times.

alter table private.import_jobs add column crashes integer not null default 0;
comment on column private.import_jobs.crashes is 'Times a process ended while it held the import.';

create or replace function private.free_import_job() returns trigger
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

-- Those that fail here fail in words; their files are of no use any more.
create function private.fail_broken_imports() returns void
language sql volatile set search_path = '' as $$
  update private.import_jobs j set state = 'failed', file = null, updated_at = now(),
    failure = case when j.crashes >= 2
      then 'The import broke off twice and won''t be started again. Export less at once, or ask your administrator to run kanbase import.'
      else 'The import couldn''t be finished: the server gave up after four tries. Please try again later.' end
  where j.state in ('waiting', 'running', 'undoing') and (j.crashes >= 2 or j.tries >= 4) and (j.held_until is null or j.held_until < now());
$$;
revoke all on function private.fail_broken_imports() from public;
comment on function private.fail_broken_imports() is 'Ends imports that took a process down twice, or did not pass four times.';

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

create function private.crash_import_job(job uuid, holder uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.import_jobs j set crashes = j.crashes + 1, held_by = null, held_until = null
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing');
  perform private.fail_broken_imports();
end
$$;
revoke all on function private.crash_import_job(uuid, uuid) from public;
grant execute on function private.crash_import_job(uuid, uuid) to kanbase_imports;
comment on function private.crash_import_job(uuid, uuid) is 'Counts that the process which read or wrote an import has ended; the second time it fails.';

create function private.postpone_import_job(job uuid, holder uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update private.import_jobs j set held_by = null, held_until = now() + interval '30 seconds'
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$$;
revoke all on function private.postpone_import_job(uuid, uuid) from public;
grant execute on function private.postpone_import_job(uuid, uuid) to kanbase_imports;
comment on function private.postpone_import_job(uuid, uuid) is 'Gives an import back for half a minute: what stood in its way may pass.';
