-- Filters people keep: their own, or shared with the project.

create table public.saved_views (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  owner_id uuid default auth.uid() references public.profiles (id) on delete set null,
  name text not null,
  filter jsonb not null default '{}',
  is_shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_name_not_blank check (name ~ '[^[:space:]]'),
  constraint saved_views_name_length check (char_length(name) <= 200),
  constraint saved_views_filter_is_an_object check (jsonb_typeof(filter) = 'object' and octet_length(filter::text) <= 20000)
);
create index saved_views_project_id_idx on public.saved_views (project_id, created_at);
create index saved_views_owner_id_idx on public.saved_views (owner_id);

alter table public.saved_views replica identity full;

alter table public.saved_views enable row level security;

-- One's own and the shared. Any member keeps views; sharing one is a writer's right.
create policy read on public.saved_views for select to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]) and (is_shared or owner_id = (select auth.uid())));
create policy add on public.saved_views for insert to authenticated
  with check (project_id = any ((select private.my_projects())::uuid[]) and owner_id = (select auth.uid())
    and (not is_shared or project_id = any ((select private.my_writable_projects())::uuid[])));
create policy change on public.saved_views for update to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]) and (is_shared or owner_id = (select auth.uid())))
  with check (project_id = any ((select private.my_projects())::uuid[]) and owner_id = (select auth.uid())
    and (not is_shared or project_id = any ((select private.my_writable_projects())::uuid[])));
-- lets every member through: saved_views_refuse_delete then refuses all but whose view it is and owners with 403, where a policy would say nothing
create policy remove on public.saved_views for delete to authenticated
  using (project_id = any ((select private.my_projects())::uuid[]) and (is_shared or owner_id = (select auth.uid())));
create policy service on public.saved_views to service_role using (true) with check (true);

grant select on public.saved_views to anon, authenticated;
grant insert (id, project_id, owner_id, name, filter, is_shared, created_at, updated_at),
  update (id, project_id, owner_id, name, filter, is_shared, created_at, updated_at), delete
  on public.saved_views to authenticated;
grant all on public.saved_views to service_role;

create trigger saved_views_keep_new before insert on public.saved_views for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger saved_views_keep before update on public.saved_views for each row execute function private.keep_times();
create trigger saved_views_claim_author before insert on public.saved_views for each row
  when (new.owner_id is distinct from auth.uid()) execute function private.claim_author('owner_id');
create trigger saved_views_refuse_change before update on public.saved_views for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.owner_id is distinct from new.owner_id)
  execute function private.refuse_change('id', 'project_id', 'owner_id');
create trigger saved_views_refuse_delete before delete on public.saved_views for each row
  when (row_security_active('public.saved_views') and current_user <> 'service_role'
    and old.owner_id is distinct from auth.uid() and not private.is_owner(old.project_id))
  execute function private.refuse_delete('Only who made the view, or an owner of the project, can delete it.');

-- A view nobody else can see goes with its owner.
create function private.forget_views() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.saved_views v where v.owner_id = old.id and not v.is_shared;
  return old;
end
$$;
create trigger profiles_forget_views before delete on public.profiles for each row execute function private.forget_views();

comment on table public.saved_views is 'Filters people keep: their own, or shared with the project.';
comment on column public.saved_views.id is 'Made by the server unless the client sends its own.';
comment on column public.saved_views.project_id is 'The project.';
comment on column public.saved_views.owner_id is 'Whose it is; empty for a shared view whose owner''s account is gone.';
comment on column public.saved_views.name is 'Up to 200 characters.';
comment on column public.saved_views.filter is 'What the view shows; a JSON object only clients look into.';
comment on column public.saved_views.is_shared is 'Whether the other members see it; sharing needs the editor role.';
comment on column public.saved_views.created_at is 'When the row was made; kept by the database.';
comment on column public.saved_views.updated_at is 'When the row last changed; kept by the database.';
