-- Projects and who belongs to them: the two tables every policy of the domain rests on.

create table public.projects (
  id uuid primary key default private.uuid_v7(),
  name text not null,
  description text not null default '',
  key text not null,
  color text,
  archived_at timestamptz,
  enforce_dependencies boolean not null default true,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint projects_name_not_blank check (name ~ '[^[:space:]]'),
  constraint projects_name_length check (char_length(name) <= 200),
  constraint projects_description_length check (char_length(description) <= 20000),
  constraint projects_key_is_2_to_6_capitals_or_digits check (key ~ '^[A-Z0-9]{2,6}$'),
  constraint projects_color_is_hex check (color ~ '^#[0-9A-Fa-f]{6}$')
);
create index projects_created_by_idx on public.projects (created_by);

create table public.project_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.project_role not null default 'viewer',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
-- Answers "my projects" without touching the table.
create index project_members_user_id_idx on public.project_members (user_id, project_id) include (role);

-- Policies called these once per statement; now they read private.my_memberships (0400_memberships.sql, which drops all but the first).

create function private.my_projects() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select m.project_id from public.project_members m where m.user_id = private.me());
end
$$;

create function private.my_writable_projects() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select m.project_id from public.project_members m where m.user_id = private.me() and m.role in ('owner', 'editor'));
end
$$;

create function private.my_owned_projects() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select m.project_id from public.project_members m where m.user_id = private.me() and m.role = 'owner');
end
$$;

-- For triggers, which have a row at hand.
create function private.is_writer(in_project uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role in ('owner', 'editor')
  );
end
$$;

create function private.is_owner(in_project uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.project_members m
    where m.project_id = in_project and m.user_id = private.me() and m.role = 'owner'
  );
end
$$;

grant execute on function
  private.my_projects(), private.my_writable_projects(), private.my_owned_projects(), private.is_writer(uuid), private.is_owner(uuid)
  to authenticated;
-- triggers ask these whoever deletes
grant execute on function private.is_writer(uuid), private.is_owner(uuid) to service_role;

-- Projects -----------------------------------------------------------------------------------------------------------

alter table public.projects enable row level security;

create policy read on public.projects for select to authenticated
  using (id = any ((select private.my_projects())::uuid[]));
create policy change on public.projects for update to authenticated
  using (id = any ((select private.my_projects())::uuid[]))
  with check (id = any ((select private.my_owned_projects())::uuid[]));
-- lets every member through: projects_refuse_delete then refuses all but owners with 403, where a policy would say nothing
create policy remove on public.projects for delete to authenticated
  using (id = any ((select private.my_projects())::uuid[]));
create policy service on public.projects to service_role using (true) with check (true);

grant select on public.projects to anon, authenticated;
grant update (id, name, description, key, color, archived_at, enforce_dependencies, created_by, created_at, updated_at), delete
  on public.projects to authenticated;
-- no insert grant: a project begins with its owner and columns, see create_project_with_defaults
grant all on public.projects to service_role;

create function private.keep_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.archived_at is null and new.archived_at is not null and row_security_active(tg_relid) and current_user <> 'service_role' then
    new.archived_at := now();
  end if;
  return new;
end
$$;

create trigger projects_keep before update on public.projects for each row execute function private.keep_times();
create trigger projects_keep_archived_at before update on public.projects for each row
  when (old.archived_at is distinct from new.archived_at) execute function private.keep_project();
create trigger projects_refuse_change before update on public.projects for each row
  when (old.id <> new.id or old.created_by is distinct from new.created_by)
  execute function private.refuse_change('id', 'created_by');
create trigger projects_refuse_delete before delete on public.projects for each row
  when (row_security_active('public.projects') and current_user <> 'service_role' and not private.is_owner(old.id))
  execute function private.refuse_delete('Only an owner of the project can delete it.');

-- Members ------------------------------------------------------------------------------------------------------------

alter table public.project_members enable row level security;

create policy read on public.project_members for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy add on public.project_members for insert to authenticated
  with check (project_id = any ((select private.my_owned_projects())::uuid[]));
create policy change on public.project_members for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]))
  with check (project_id = any ((select private.my_owned_projects())::uuid[]));
-- lets every member through: project_members_refuse_delete then refuses all but owners and the member themselves with 403, where a policy would say nothing
create policy remove on public.project_members for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]));
create policy service on public.project_members to service_role using (true) with check (true);

grant select on public.project_members to anon, authenticated;
grant insert (project_id, user_id, role, created_at, updated_at), update (project_id, user_id, role, created_at, updated_at), delete
  on public.project_members to authenticated;
grant all on public.project_members to service_role;

create trigger project_members_keep_new before insert on public.project_members for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger project_members_keep before update on public.project_members for each row execute function private.keep_times();
create trigger project_members_refuse_change before update on public.project_members for each row
  when (old.project_id <> new.project_id or old.user_id <> new.user_id)
  execute function private.refuse_change('project_id', 'user_id');
-- leaving is everyone's right: one's own row may go
create trigger project_members_refuse_delete before delete on public.project_members for each row
  when (row_security_active('public.project_members') and current_user <> 'service_role'
    and old.user_id <> auth.uid() and not private.is_owner(old.project_id))
  execute function private.refuse_delete('Only an owner of the project can remove others. To leave, delete your own row or call leave_project.');

-- A project keeps an owner. When an account goes (its profile is gone by the time its memberships follow), the project passes
-- to its longest-standing editor, and is archived if there is none.
create function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  heir uuid;
begin
  -- One at a time per project: two owners who remove each other meet here.
  perform from public.projects p where p.id = old.project_id for no key update;
  if not found or exists (
    select from public.project_members m
    where m.project_id = old.project_id and m.role = 'owner' and m.user_id <> old.user_id
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' and not exists (select from public.profiles where id = old.user_id) then
    select m.user_id into heir from public.project_members m
    where m.project_id = old.project_id and m.role = 'editor'
    order by m.created_at, m.user_id
    limit 1;
    if found then
      update public.project_members m set role = 'owner' where m.project_id = old.project_id and m.user_id = heir;
    else
      update public.projects p set archived_at = coalesce(p.archived_at, now()) where p.id = old.project_id;
    end if;
    return null;
  end if;
  -- A statement that made another owner in the same breath has been seen above: this runs after all its rows.
  raise exception using
    errcode = 'KB003',
    message = 'a project keeps at least one owner',
    hint = 'Make someone else an owner first, or delete the project.';
end
$$;

create trigger project_members_keep_an_owner_on_change after update on public.project_members for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function private.keep_an_owner();
create trigger project_members_keep_an_owner_on_delete after delete on public.project_members for each row
  when (old.role = 'owner') execute function private.keep_an_owner();

-- Numbers of tasks: a plain counter row per project. A task made takes the row's lock until it commits, so numbers have no
-- gaps: a rollback gives its number back. Kept apart from `projects` so that making a task does not rewrite the project.
create table private.task_counters (
  project_id uuid primary key references public.projects (id) on delete cascade,
  last_number integer not null default 0
);
alter table private.task_counters enable row level security;
-- no policies, no grants: only triggers count

create function private.start_task_counter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.task_counters (project_id) values (new.id);
  return null;
end
$$;
create trigger projects_start_task_counter after insert on public.projects for each row execute function private.start_task_counter();

comment on table private.task_counters is 'The last task number given out in each project.';
comment on table public.projects is 'Projects. Visible to their members; settings are the owners''. Made by create_project_with_defaults.';
comment on column public.projects.id is 'Made by the server, sorted by time.';
comment on column public.projects.name is 'Up to 200 characters.';
comment on column public.projects.description is 'Markdown.';
comment on column public.projects.key is '2 to 6 of A–Z and 0–9: the WEB of WEB-12.';
comment on column public.projects.color is 'As #rrggbb.';
comment on column public.projects.archived_at is 'Set when the project was put away; the moment is the database''s.';
comment on column public.projects.enforce_dependencies is 'Whether a task with open predecessors is kept out of done columns.';
comment on column public.projects.created_by is 'Who made it; empty once their account is gone.';
comment on column public.projects.created_at is 'When the row was made; kept by the database.';
comment on column public.projects.updated_at is 'When the row last changed; kept by the database.';
comment on table public.project_members is 'Who belongs to a project, and as what. Owners manage; everyone may leave; the last owner can be neither removed nor demoted.';
comment on column public.project_members.project_id is 'The project.';
comment on column public.project_members.user_id is 'The member.';
comment on column public.project_members.role is 'owner, editor or viewer.';
comment on column public.project_members.created_at is 'Since when; kept by the database.';
comment on column public.project_members.updated_at is 'When the row last changed; kept by the database.';
