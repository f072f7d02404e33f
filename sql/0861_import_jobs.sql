-- Imports that people begin by themselves: the file as it was uploaded, what they chose, and how far it came. The server writes all of it as
-- the person who imports; these policies decide. A node says for how long it works on one, so that another takes over when it has gone.

select private.add_room_role('kanbase_imports');
grant usage on schema private to kanbase_imports;

create table private.import_jobs (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  project_id uuid references public.projects (id) on delete cascade,
  import_id uuid,
  -- as gzip; none once it was read for the last time
  file bytea,
  file_name text not null,
  product text not null,
  choices jsonb not null default '{}',
  -- the project was made for it: its columns become those of the file
  is_new boolean not null default false,
  state text not null default 'ready',
  is_cancelled boolean not null default false,
  result jsonb,
  failure text,
  held_by uuid,
  held_until timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint import_jobs_of_own_import foreign key (import_id, user_id) references private.imports (id, user_id) on delete cascade,
  constraint import_jobs_state_known
    check (state in ('ready', 'waiting', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')),
  constraint import_jobs_file_name_length check (char_length(file_name) <= 500),
  constraint import_jobs_product_length check (char_length(product) between 1 and 40),
  constraint import_jobs_file_size check (octet_length(file) <= 67108864)
);
create index import_jobs_user_id_idx on private.import_jobs (user_id, created_at desc);
create index import_jobs_project_id_idx on private.import_jobs (project_id);
create index import_jobs_import_idx on private.import_jobs (import_id, user_id);
create index import_jobs_state_idx on private.import_jobs (state, created_at);

alter table private.import_jobs enable row level security;

create policy read_own on private.import_jobs for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy add_own on private.import_jobs for insert to authenticated
  with check (user_id = (select user_id from private.caller) and state = 'ready' and project_id is null);
create policy change_own on private.import_jobs for update to authenticated
  using (user_id = (select user_id from private.caller))
  with check (user_id = (select user_id from private.caller)
    and (project_id is null
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))
      -- who lost the project may still be told that it failed
      or state in ('failed', 'cancelled')));
create policy remove_own on private.import_jobs for delete to authenticated
  using (user_id = (select user_id from private.caller));

grant select, delete on private.import_jobs to authenticated;
grant insert (file, file_name, product, choices) on private.import_jobs to authenticated;
grant update (project_id, import_id, file, product, choices, is_new, state, is_cancelled, result, failure, updated_at)
  on private.import_jobs to authenticated;
-- no grant on who holds it: that is between the nodes

comment on table private.import_jobs is 'Imports begun by a person: the file, what they chose, how far it came. Files that nobody goes on with are thrown away after a day.';

-- What ends or begins anew is held by nobody.
create function private.free_import_job() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.state is distinct from old.state and new.state <> 'running' then
    new.held_by := null;
    new.held_until := null;
    new.tries := 0;
  end if;
  return new;
end
$$;
revoke all on function private.free_import_job() from public;
create trigger import_jobs_free before update of state on private.import_jobs
  for each row execute function private.free_import_job();

-- Nodes are told; whoever is free takes it.
create function private.tell_import_jobs() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('kanbase_import_jobs', '');
  return null;
end
$$;
revoke all on function private.tell_import_jobs() from public;
create trigger import_jobs_tell after update of state on private.import_jobs for each row
  when (new.state in ('waiting', 'undoing')) execute function private.tell_import_jobs();

-- The oldest that nobody works on, for a minute. Nothing is done for an account that is gone or barred, nor a fifth time what broke off four times.
create function private.claim_import_job(holder uuid) returns table (id uuid, user_id uuid)
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.import_jobs j where j.state = 'ready' and j.updated_at < now() - interval '1 day';
  update private.import_jobs j set state = 'failed', failure = 'It broke off again and again.', file = null, updated_at = now()
  where j.state in ('waiting', 'running', 'undoing') and j.tries >= 4 and (j.held_until is null or j.held_until < now());
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
revoke all on function private.claim_import_job(uuid) from public;
grant execute on function private.claim_import_job(uuid) to kanbase_imports;
comment on function private.claim_import_job(uuid) is 'An import that nobody works on, held for a minute by whoever asks.';

-- Whether to go on, and another minute for it.
create function private.hold_import_job(job uuid, holder uuid) returns text
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
revoke all on function private.hold_import_job(uuid, uuid) from public;
grant execute on function private.hold_import_job(uuid, uuid) to kanbase_imports;
comment on function private.hold_import_job(uuid, uuid) is 'Holds an import for another minute: held, cancelled by its owner, or lost to another node.';

-- A node that stops gives back what it has not finished.
create function private.leave_import_job(job uuid, holder uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update private.import_jobs j set held_until = null, held_by = null, tries = greatest(j.tries - 1, 0)
  where j.id = job and j.held_by = holder and j.state in ('running', 'undoing')
$$;
revoke all on function private.leave_import_job(uuid, uuid) from public;
grant execute on function private.leave_import_job(uuid, uuid) to kanbase_imports;
comment on function private.leave_import_job(uuid, uuid) is 'Gives an import back, for another node or the next start.';
